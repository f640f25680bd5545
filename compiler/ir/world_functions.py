"""Runtime functions whose meaning is known without a runtime: the language's own and the pure ones of ``std``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from vernis.ir.values import Failed, wrapped
from vernis.ir.world_pcre import MatchLimit
from vernis.ir.world_values import Ip, Value

if TYPE_CHECKING:
    from vernis.ir.world import World

Text = bytes | None

_LINE_PARTS = frozenset(f"{msg}_{part}" for msg in ("req", "bereq") for part in ("method", "url", "proto")) | frozenset(
    ("beresp_proto", "resp_proto"))
_REASONS = frozenset(("beresp_reason", "resp_reason"))
_NOT_NEGATIVE = frozenset((
    "beresp_ttl", "beresp_grace", "beresp_keep", "req_ttl", "req_grace", "bereq_connect_timeout", "bereq_first_byte_timeout",
    "bereq_between_bytes_timeout", "sess_timeout_idle", "sess_timeout_linger", "sess_idle_send_timeout", "sess_send_timeout"))

#: Other names of the same thing.
SAME_VARIABLE = {"bereq_uncacheable": "beresp_uncacheable"}
_INT_LIMIT = 2.0 ** 63


def set_variable(world: World, name: str, value: Value) -> None:
    """Assignments with rules of their own; see the notes on variables in the language reference."""
    if name in _LINE_PARTS | _REASONS:
        assert value is None or isinstance(value, bytes)
        _check_line_part(name, value or b"")
    if name in _NOT_NEGATIVE:
        assert isinstance(value, (int, float))
        value = max(0.0, float(value))
    if name == "beresp_uncacheable" and not value and world.variables.get(name):
        return                                              # goes one way
    if name in ("beresp_status", "resp_status"):
        assert isinstance(value, int)
        _check_status(name, value)
    if value is None and not name.endswith(("_hint", "_backend", "_storage")):
        value = b""
    world.variables[name] = value


def _check_line_part(name: str, text: bytes) -> None:
    """A blank or a control would make another message of it."""
    if name in _LINE_PARTS and (not text or b" " in text or b"\t" in text):
        raise Failed(f"{name} cannot be that")
    if any(byte < 32 and byte != 9 or byte == 127 for byte in text):
        raise Failed(f"{name} cannot hold control characters")


def _check_status(name: str, status: int) -> None:
    if not 100 <= status <= 65535:
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
    world.key.append(text or b"")


def synthetic(world: World, text: Text) -> None:
    """Adds; an unset text shows."""
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
    return None if text is None else text.upper()           # of bytes: ASCII letters only


def tolower(world: World, text: Text) -> Text:
    return None if text is None else text.lower()


def strstr(world: World, text: Text, wanted: Text) -> Text:
    if text is None or wanted is None:
        return None
    at = text.find(wanted)
    return None if at < 0 else text[at:]


def round_real(world: World, value: float) -> float:
    """Halves away from zero, as C rounds."""
    return math.copysign(math.floor(abs(value) + 0.5), value) if abs(value) < 2.0 ** 52 else value


def real2integer(world: World, value: float, fallback: int) -> int:
    if not math.isfinite(value) or not -_INT_LIMIT <= (rounded := round_real(world, value)) < _INT_LIMIT:
        return fallback
    return wrapped(int(rounded))


def real2time(world: World, value: float, fallback: float) -> float:
    return value if math.isfinite(value) else fallback


def time2real(world: World, value: float, fallback: float) -> float:
    return value if math.isfinite(value) else fallback


def port(world: World, ip: Value) -> int:
    assert ip is None or isinstance(ip, Ip)
    return 0


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "regsub": regsub, "regsuball": regsuball, "hash_data": hash_data, "synthetic": synthetic,
    "set_resp_body": set_body, "set_beresp_body": set_body,
    "append_resp_body": append_synthetic, "append_beresp_body": append_synthetic,
    "return_synth": return_synth, "return_error": return_synth, "return_pass": return_pass, "return_fail": return_text,
    "return_vcl": return_text, "std_log": log, "std_toupper": toupper, "std_tolower": tolower, "std_strstr": strstr,
    "std_round": round_real, "std_real2integer": real2integer, "std_time2integer": real2integer, "std_real2time": real2time,
    "std_time2real": time2real, "std_port": port,
}
