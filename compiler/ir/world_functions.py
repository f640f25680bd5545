"""Python models of runtime functions: the language's own and the pure ones of ``std``. Those of tables are in
``world_tables.py``, those of counters in ``world_counters.py``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from vernis.ir import world_counters, world_tables, world_views
from vernis.ir.ir import HOOKS
from vernis.ir.values import INT_MAX, Failed
from vernis.ir.world_pcre import MatchLimit
from vernis.ir.world_values import Ip, Value

if TYPE_CHECKING:
    from vernis.ir.world import World

Text = bytes | None

_LINE_PARTS = frozenset(
    f"{msg}_{part}" for msg in ("req", "bereq") for part in ("method", "url", "proto")
) | frozenset(("beresp_proto", "resp_proto"))
_REASONS = frozenset(("beresp_reason", "resp_reason"))
_NOT_NEGATIVE = frozenset(
    (
        "beresp_ttl",
        "beresp_grace",
        "beresp_keep",
        "req_ttl",
        "req_grace",
        "bereq_connect_timeout",
        "bereq_first_byte_timeout",
        "bereq_between_bytes_timeout",
        "sess_timeout_idle",
        "sess_timeout_linger",
        "sess_idle_send_timeout",
        "sess_send_timeout",
    )
)

#: Second names of one variable.
SAME_VARIABLE = {"bereq_uncacheable": "beresp_uncacheable"}


_PHRASES = {
    100: b"Continue",
    101: b"Switching Protocols",
    102: b"Processing",
    103: b"Early Hints",
    200: b"OK",
    201: b"Created",
    202: b"Accepted",
    203: b"Non-Authoritative Information",
    204: b"No Content",
    205: b"Reset Content",
    206: b"Partial Content",
    207: b"Multi-Status",
    208: b"Already Reported",
    226: b"IM Used",
    300: b"Multiple Choices",
    301: b"Moved Permanently",
    302: b"Found",
    303: b"See Other",
    304: b"Not Modified",
    305: b"Use Proxy",
    307: b"Temporary Redirect",
    308: b"Permanent Redirect",
    400: b"Bad Request",
    401: b"Unauthorized",
    402: b"Payment Required",
    403: b"Forbidden",
    404: b"Not Found",
    405: b"Method Not Allowed",
    406: b"Not Acceptable",
    407: b"Proxy Authentication Required",
    408: b"Request Timeout",
    409: b"Conflict",
    410: b"Gone",
    411: b"Length Required",
    412: b"Precondition Failed",
    413: b"Request Entity Too Large",
    414: b"Request-URI Too Long",
    415: b"Unsupported Media Type",
    416: b"Requested Range Not Satisfiable",
    417: b"Expectation Failed",
    421: b"Misdirected Request",
    422: b"Unprocessable Entity",
    423: b"Locked",
    424: b"Failed Dependency",
    425: b"Too Early",
    426: b"Upgrade Required",
    428: b"Precondition Required",
    429: b"Too Many Requests",
    431: b"Request Header Fields Too Large",
    451: b"Unavailable For Legal Reasons",
    500: b"Internal Server Error",
    501: b"Not Implemented",
    502: b"Bad Gateway",
    503: b"Service Unavailable",
    504: b"Gateway Timeout",
    505: b"HTTP Version Not Supported",
    506: b"Variant Also Negotiates",
    507: b"Insufficient Storage",
    508: b"Loop Detected",
    511: b"Network Authentication Required",
}


def reason_of(status: int) -> bytes:
    """The reason of a response without one of its own."""
    return _PHRASES.get(status % 1000, b"Unknown HTTP Status")


def set_variable(world: World, name: str, value: Value) -> None:
    """Assigns, with the special rules of some variables; see the notes on variables in the language
    reference."""
    if name in _LINE_PARTS | _REASONS:
        assert value is None or isinstance(value, bytes)
        _check_line_part(name, value or b"")
    if name in _NOT_NEGATIVE:
        assert isinstance(value, (int, float))
        value = max(0.0, float(value))
    if name == "beresp_uncacheable" and not value and world.variables.get(name):
        return  # once true, it stays true
    if name in ("beresp_status", "resp_status"):
        assert isinstance(value, int)
        _check_status(name, value)
        world.variables[name.replace("status", "reason")] = reason_of(value)
    if value is None and not name.endswith(("_hint", "_backend", "_storage")):
        value = b""
    world.variables[name] = value


def _check_line_part(name: str, text: bytes) -> None:
    """A blank or control character would change the request or status line. The runtime sends a space in a
    URL escaped."""
    blanks = b"\t" if name.endswith("_url") else b" \t"
    if not text or name in _LINE_PARTS and any(byte in blanks for byte in text):
        raise Failed(f"{name} cannot be that")
    if any(byte < 32 and byte != 9 or byte == 127 for byte in text):
        raise Failed(f"{name} cannot hold control characters")


def _check_status(name: str, status: int) -> None:
    if not 0 <= status <= 65535 or status % 1000 < 100:
        raise Failed(f"{name}: status out of range")


def _substitute(world: World, text: Text, pattern: Value, replacement: Text, all_of_them: bool) -> Text:
    try:
        return world.regex(pattern).substitute(text, replacement, all_of_them)
    except MatchLimit:
        raise Failed("a match limit of PCRE2") from None


def regsub(world: World, text: Text, pattern: Value, replacement: Text) -> Text:
    return _substitute(world, text, pattern, replacement, False)


def regsuball(world: World, text: Text, pattern: Value, replacement: Text) -> Text:
    return _substitute(world, text, pattern, replacement, True)


def hash_data(world: World, text: Text) -> None:
    world.key.append(world.key_part + (text or b""))
    world.key_part = b""


def hash_part(world: World, text: Text) -> None:
    world.key_part += text or b""


def synthetic(world: World, text: Text) -> None:
    """Appends. An unset text appears as "(null)"."""
    world.synthetic += b"(null)" if text is None else text


def set_body(world: World, text: Text) -> None:
    world.synthetic = text or b""


def append_synthetic(world: World, text: Text) -> None:
    world.synthetic += text or b""


def return_synth(world: World, status: int, text: Text) -> None:
    _check_status("return", status)
    world.ret.status, world.ret.text = status, text


def return_text(world: World, text: Text) -> None:
    world.ret.text = text


def return_pass(world: World, seconds: float) -> None:
    world.ret.seconds = max(0.0, seconds)


def log(world: World, text: Text) -> None:
    world.log.append(text or b"")


def toupper(world: World, text: Text) -> Text:
    return (text or b"").upper()  # bytes.upper changes ASCII letters only


def tolower(world: World, text: Text) -> Text:
    return (text or b"").lower()


def string_upper(world: World, text: Text) -> Value:
    """The method ``STRING.upper``. Unlike ``std.toupper`` it returns unset for an empty text."""
    return toupper(world, text) or None


def string_lower(world: World, text: Text) -> Value:
    return tolower(world, text) or None


def json_text(world: World, text: Text) -> Text:
    if text is None:
        return b"null"
    out, at = bytearray(b'"'), 0
    while at < len(text):
        byte, size = text[at], _character(text, at)
        if size == 0:
            out += b"\\ufffd"
        elif byte in b'"\\':
            out += b"\\%c" % byte
        elif byte < 32 or byte == 127:
            out += b"\\u%04x" % byte
        else:
            out += text[at : at + size]
        at += size or 1
    return bytes(out) + b'"'


def _character(text: bytes, at: int) -> int:
    """The bytes of the character at a place; 0 if there is none."""
    for size in range(1, 5):
        try:
            if len(text[at : at + size].decode()) == 1:
                return size
        except UnicodeDecodeError:
            pass
    return 0


def match_group(world: World, pattern: Value, subject: Text, group: int) -> Text:
    try:
        return world.regex(pattern).group(subject, group)
    except MatchLimit:
        raise Failed("a match limit of PCRE2") from None


def allow(world: World, mask: int) -> None:
    world.allowed |= mask


def get_server_rfc9111(world: World) -> Value:
    return world.variables.get("server_rfc9111", world.follows_rfc9111)


def allowed(world: World, mask: int) -> bool:
    return mask & ~world.allowed == 0


def strstr(world: World, text: Text, wanted: Text) -> Text:
    if text is None or wanted is None:
        return None
    at = text.find(wanted)
    return None if at < 0 else text[at:]


def round_real(world: World, value: float) -> float:
    """Rounds halves away from zero, as C does."""
    return math.copysign(math.floor(abs(value) + 0.5), value) if abs(value) < 2.0**52 else value


def real2integer(world: World, value: float, fallback: int) -> int:
    """Returns the fallback if the number is beyond INT_MAX, which has no text form."""
    rounded = round_real(world, value)
    return int(rounded) if abs(rounded) <= INT_MAX else fallback


def real2time(world: World, value: float, fallback: float) -> float:
    return value if math.isfinite(value) else fallback


def time2real(world: World, value: float, fallback: float) -> float:
    return value if math.isfinite(value) else fallback


def bytes_(world: World, text: Text, fallback: int, real: float, integer: int, given: int) -> int:
    """Models a whole number only; the other sources need the runtime's number parsers."""
    if given != 1 << 3 or integer < 0:
        raise Failed("std.bytes of that is not modelled")
    return integer


def port(world: World, ip: Value) -> int:
    assert ip is None or isinstance(ip, Ip)
    return 0


def backend_resolve(world: World, backend: Value) -> Value:
    """The world has no directors, so each backend resolves to itself."""
    return backend


def sub_enter(world: World, sub: Value) -> None:
    assert isinstance(sub, int)
    if not 0 < sub <= len(world.subs):
        raise Failed("call of a sub that is none")
    if not world.subs[sub - 1].hooks >> HOOKS.index(world.hook) & 1:
        raise Failed("call of a sub that is not allowed here")
    if sub in world.running:
        raise Failed("recursive call of a sub")
    world.running.add(sub)


def sub_leave(world: World, sub: Value) -> None:
    assert isinstance(sub, int)
    world.running.remove(sub)


def work_begin(world: World, budget: Value) -> None:
    assert isinstance(budget, int)
    world.work_left = budget


def work(world: World, amount: Value, sub: Value) -> None:
    assert isinstance(amount, int) and isinstance(sub, bytes)
    world.work_left -= amount
    if world.work_left < 0:
        raise Failed(f"sub {sub.decode()}: the calls of this hook are more work than a request may make")


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "sub_enter": sub_enter,
    "sub_leave": sub_leave,
    "work_begin": work_begin,
    "work": work,
    **world_tables.FUNCTIONS,
    "regsub": regsub,
    "regsuball": regsuball,
    "hash_data": hash_data,
    "hash_part": hash_part,
    "synthetic": synthetic,
    "set_body": set_body,
    "append_body": append_synthetic,
    "return_synth": return_synth,
    "return_error": return_synth,
    "return_pass": return_pass,
    "return_fail": return_text,
    "return_vcl": return_text,
    "std_log": log,
    "std_toupper": toupper,
    "std_tolower": tolower,
    "std_strstr": strstr,
    "string_upper": string_upper,
    "string_lower": string_lower,
    "std_round": round_real,
    "std_real2integer": real2integer,
    "std_time2integer": real2integer,
    "std_real2time": real2time,
    "std_time2real": time2real,
    "std_port": port,
    "std_bytes": bytes_,
    "backend_resolve": backend_resolve,
    "json_text": json_text,
    "match_group": match_group,
    "allow": allow,
    "allowed": allowed,
    "get_server_rfc9111": get_server_rfc9111,
    **world_counters.FUNCTIONS,
    **world_views.FUNCTIONS,
}
