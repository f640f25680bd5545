"""`vernis log` shows frames of HTTP/2 in words (--frames) and as members of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from observe.logs import record, write_dump
from vernis.cli import main
from vernis.observe.frames import Frames, head_of
from vernis.observe.records import Record


def frame(kind: int, flags: int, stream: int, payload: bytes = b"", way: str = "Rx", session: int = 1) -> Iterator[Record]:
    head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
    yield record(f"H2{way}Hdr", head, session, "c")
    if payload:
        yield record(f"H2{way}Body", payload, session, "c")


def words_of(*args: object) -> list[str | None]:
    frames = Frames()
    return [frames.words(one) for one in frame(*args)]      # type: ignore[arg-type]


@pytest.mark.parametrize(("given", "head", "payload"), [
    ((0, 0x1, 3, b"content"), "DATA stream=3 length=7 end_stream", None),
    ((1, 0x2D, 1, b"\x82"), "HEADERS stream=1 length=1 end_stream end_headers padded priority", None),
    ((2, 0, 5, b"\x80\0\0\3\x0f"), "PRIORITY stream=5 length=5", "depends_on=3 exclusive=yes weight=16"),
    ((3, 0, 1, b"\0\0\0\x08"), "RST_STREAM stream=1 length=4", "error=CANCEL"),
    ((4, 0, 0, b"\0\3\0\0\0\x64\0\4\0\1\0\0\0\xff\0\0\0\1"), "SETTINGS stream=0 length=18",
     "max_concurrent_streams=100 initial_window_size=65536 0xff=1"),
    ((6, 0x1, 0, b"12345678"), "PING stream=0 length=8 ack", "opaque=3132333435363738"),
    ((7, 0, 0, b"\0\0\0\7\0\0\0\x0btoo many\n"), "GOAWAY stream=0 length=17",
     'last_stream=7 error=ENHANCE_YOUR_CALM debug="too many%0a"'),
    ((8, 0, 0, b"\x80\0\xff\xff"), "WINDOW_UPDATE stream=0 length=4", "increment=65535"),
    ((9, 0x4, 1, b"\x82"), "CONTINUATION stream=1 length=1 end_headers", None),
    ((0x10, 0, 0, b"\0\0\0\1u=1"), "PRIORITY_UPDATE stream=0 length=7", "stream=1 priority=u=1"),
    ((0xFE, 0xC0, 2**31 | 9, b"?"), "0xfe stream=9 length=1 0xc0", None),
    ((3, 0x10, 1, b"\0\0\1\0"), "RST_STREAM stream=1 length=4 0x10", "error=0x100"),
    ((7, 0, 0, b"\0\0\0\7"), "GOAWAY stream=0 length=4", None),       # too short: the bytes are shown
])
def test_words_of_frames(given: tuple[object, ...], head: str, payload: str | None) -> None:
    assert words_of(*given) == [head, payload]


def test_an_empty_frame_has_no_payload() -> None:
    assert words_of(4, 1, 0) == ["SETTINGS stream=0 length=0 ack"]
    assert words_of(4, 0, 0) == ["SETTINGS stream=0 length=0"]


def test_payloads_follow_the_head_of_their_own_direction_and_session() -> None:
    """Sessions and directions are interleaved in the log."""
    frames = Frames()
    reset, window = list(frame(3, 0, 1, b"\0\0\0\1")), list(frame(8, 0, 1, b"\0\0\0\1", way="Tx"))
    other = list(frame(6, 0, 0, b"\0" * 8, session=2))
    mixed = [reset[0], window[0], other[0], window[1], other[1], reset[1]]
    assert [frames.words(one) for one in mixed][3:] == ["increment=1", "opaque=0000000000000000", "error=PROTOCOL_ERROR"]


@given(data=st.binary(max_size=20))
def test_any_bytes_are_read(data: bytes) -> None:
    assert (head_of(data) is None) == (len(data) != 9)
    for kind in range(18):
        [head, *_] = frame(kind, 0xFF, 1)
        for name in ("H2RxBody", "H2TxBody"):
            frames = Frames()
            frames.words(head)
            frames.words(record(name, data, 1, "c"))


# ---- the command -------------------------------------------------------------------------------------------


@pytest.fixture
def dump(tmp_path: Path) -> str:
    session = [record("Begin", "sess 0 HTTP/1", 1, "c"), *frame(4, 0, 0, b"\0\4\0\1\0\0", way="Tx"), *frame(1, 0x5, 1, b"\x82\x84"),
               record("SessClose", "REM_CLOSE 0.1", 1, "c"), record("End", "", 1, "c")]
    return str(write_dump(tmp_path / "dump", session))


def test_text_has_words_with_frames_and_bytes_without(dump: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["log", "-r", dump, "--frames", "-i", "H2*", "-g", "session"]) == 0
    assert capfdbinary.readouterr().out.decode().splitlines()[1:5] == [
        "-   H2TxHdr        SETTINGS stream=0 length=6",
        "-   H2TxBody       initial_window_size=65536",
        "-   H2RxHdr        HEADERS stream=1 length=2 end_stream end_headers",
        "-   H2RxBody       [8284]"]
    assert main(["log", "-r", dump, "--frames", "-i", "H2TxBody", "-g", "raw"]) == 0      # a head that is not shown is read
    assert b"initial_window_size=65536" in capfdbinary.readouterr().out
    assert main(["log", "-r", dump, "-i", "H2TxBody"]) == 0
    assert b"[000400010000]" in capfdbinary.readouterr().out


@pytest.mark.parametrize("selected", [[], ["-i", "H2TxBody"]])
def test_json_has_the_parts_of_frames(dump: str, selected: list[str], capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["log", "-r", dump, "--format", "json", *selected]) == 0
    records = {one["tag"]: one for one in json.loads(capfdbinary.readouterr().out)["records"]}
    assert records["H2TxBody"] == {"tag": "H2TxBody", "side": "c", "hex": "000400010000", "frame": {"initial_window_size": 65536}}
    if not selected:
        assert records["H2RxHdr"]["frame"] == {"type": "HEADERS", "flags": ["end_stream", "end_headers"], "stream": 1, "length": 2}
        assert "frame" not in records["H2RxBody"]
