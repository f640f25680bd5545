"""Decodes the records of HTTP/2 frames: H2RxHdr and H2RxBody, H2TxHdr and H2TxBody (RFC 9113, RFC 9218).

A record of a payload has no type of its own, so a reader must see the records in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from vernis.observe import tags
from vernis.observe.records import Record

_HEADS = {
    tags.NUMBERS["H2RxHdr"]: tags.NUMBERS["H2RxBody"],
    tags.NUMBERS["H2TxHdr"]: tags.NUMBERS["H2TxBody"],
}
_HEAD_BYTES = 9
_STREAM_BITS = 0x7FFFFFFF
_KEPT_MAX = 10_000  # heads whose payload has not come, of as many connections

_ACK = {0x1: "ack"}
_END_STREAM, _END_HEADERS = {0x1: "end_stream"}, {0x4: "end_headers"}
_PADDED, _PRIORITY = {0x8: "padded"}, {0x20: "priority"}
#: Type by number, and its flags.
_TYPES: dict[int, tuple[str, dict[int, str]]] = {
    0x0: ("DATA", _END_STREAM | _PADDED),
    0x1: ("HEADERS", _END_STREAM | _END_HEADERS | _PADDED | _PRIORITY),
    0x2: ("PRIORITY", {}),
    0x3: ("RST_STREAM", {}),
    0x4: ("SETTINGS", _ACK),
    0x5: ("PUSH_PROMISE", _END_HEADERS | _PADDED),
    0x6: ("PING", _ACK),
    0x7: ("GOAWAY", {}),
    0x8: ("WINDOW_UPDATE", {}),
    0x9: ("CONTINUATION", _END_HEADERS),
    0x10: ("PRIORITY_UPDATE", {}),
}
_SETTINGS = {
    1: "header_table_size",
    2: "enable_push",
    3: "max_concurrent_streams",
    4: "initial_window_size",
    5: "max_frame_size",
    6: "max_header_list_size",
    8: "enable_connect_protocol",
    9: "no_rfc7540_priorities",
}
_SETTING_BYTES = 6
_ERRORS = (
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
)

Members = dict[str, Any]


class Head(NamedTuple):
    """The head of a frame."""

    type: str
    flags: tuple[str, ...]
    stream: int  # 0: the connection
    length: int  # of the payload


def head_of(data: bytes) -> Head | None:
    """None: these are no nine bytes, the head of a frame."""
    if len(data) != _HEAD_BYTES:
        return None
    name, flags = _TYPES.get(data[3], (f"0x{data[3]:02x}", {}))
    known = [word for bit, word in flags.items() if data[4] & bit]
    unknown = data[4] & ~sum(flags)
    return Head(
        name,
        (*known, *([f"0x{unknown:02x}"] if unknown else ())),
        _number(data[5:9]) & _STREAM_BITS,
        _number(data[:3]),
    )


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _error(data: bytes) -> str:
    code = _number(data)
    return _ERRORS[code] if code < len(_ERRORS) else f"0x{code:x}"


def _text(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte <= 126 else f"%{byte:02x}" for byte in data)


# ---- payloads ----------------------------------------------------------------------------------------------


def _settings(data: bytes) -> Members:
    found: Members = {}
    for at in range(0, len(data) - _SETTING_BYTES + 1, _SETTING_BYTES):
        number = _number(data[at : at + 2])
        found[_SETTINGS.get(number, f"0x{number:x}")] = _number(data[at + 2 : at + _SETTING_BYTES])
    return found


def _goaway(data: bytes) -> Members:
    found: Members = {"last_stream": _number(data[:4]) & _STREAM_BITS, "error": _error(data[4:8])}
    return found | ({"debug": _text(data[8:])} if data[8:] else {})


def _priority(data: bytes) -> Members:
    stream = _number(data[:4])
    return {"depends_on": stream & _STREAM_BITS, "exclusive": stream > _STREAM_BITS, "weight": data[4] + 1}


#: By type: the least bytes, and the function that names what they say. Contents and header blocks stay bytes.
_PAYLOADS: dict[str, tuple[int, Callable[[bytes], Members]]] = {
    "PRIORITY": (5, _priority),
    "RST_STREAM": (4, lambda data: {"error": _error(data[:4])}),
    "SETTINGS": (_SETTING_BYTES, _settings),
    "PING": (8, lambda data: {"opaque": data[:8].hex()}),
    "GOAWAY": (8, _goaway),
    "WINDOW_UPDATE": (4, lambda data: {"increment": _number(data[:4]) & _STREAM_BITS}),
    "PRIORITY_UPDATE": (
        4,
        lambda data: {"stream": _number(data[:4]) & _STREAM_BITS, "priority": _text(data[4:])},
    ),
}


class Frames:
    """Reads records in their order."""

    def __init__(self) -> None:
        self._types: dict[tuple[int, int], str] = {}  # of the last head, by owner and tag of its payload

    def members(self, record: Record) -> Members | None:
        """The parts of a frame, by name. None: the record is of no frame, or its payload has no parts."""
        payload_tag = _HEADS.get(record.tag)
        if payload_tag is not None:
            head = head_of(record.data)
            if head is None:
                return None
            self._remember((record.owner, payload_tag), head.type)
            return head._asdict() | {"flags": list(head.flags)}
        kind = self._types.pop((record.owner, record.tag), None)
        if kind not in _PAYLOADS:
            return None
        least, parts = _PAYLOADS[kind]
        return parts(record.data) if len(record.data) >= least else None

    def _remember(self, key: tuple[int, int], kind: str) -> None:
        if len(self._types) >= _KEPT_MAX:
            self._types.clear()
        self._types[key] = kind

    def words(self, record: Record) -> str | None:
        """The members as text: `HEADERS stream=1 length=45 end_stream end_headers`."""
        members = self.members(record)
        if members is None:
            return None
        if record.tag not in _HEADS:
            return " ".join(f"{name}={_word(value)}" for name, value in members.items())
        flags = members["flags"]
        return " ".join(
            [members["type"], f"stream={members['stream']}", f"length={members['length']}", *flags]
        )


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f'"{value}"' if isinstance(value, str) and " " in value else str(value)
