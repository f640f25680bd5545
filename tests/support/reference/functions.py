"""Python models of runtime functions: the language's own and the pure ones of ``std``. Those of tables are in
``tables.py``, those of counters in ``counters.py``."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from support.reference import counters, tables, views
from support.reference.regex import MatchLimit
from support.reference.values import Ip, Value
from vernis.ir.ir import HOOKS
from vernis.ir.values import INT_MAX, Failed
from vernis.semantics.phrases import reason_of

if TYPE_CHECKING:
    from support.reference.world import World

Text = bytes | None



def _parameters() -> dict[str, float]:
    """The defaults of the parameters that are numbers, in seconds and bytes."""
    found: dict[str, float] = {}
    for path in (Path(__file__).resolve().parents[3] / "runtime").glob("*/params.toml"):
        for name, row in tomllib.loads(path.read_text()).items():
            number = re.fullmatch(r"([0-9.]+)([bkmg]?)", str(row.get("default")))
            if number is not None and row["kind"] in ("duration", "uint", "bytes"):
                scaled = float(number[1]) * 1024 ** " kmg".find(number[2].replace("b", "") or " ")
                found[name] = scaled if row["kind"] == "duration" else int(scaled)
    return found


#: What param.NAME reads as: no test of policies changes a parameter.
PARAMETERS = _parameters()

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
        "bereq_task_deadline",
        "sess_timeout_idle",
        "sess_timeout_linger",
        "sess_idle_send_timeout",
        "sess_send_timeout",
    )
)

#: Second names of one variable.
SAME_VARIABLE = {"bereq_uncacheable": "beresp_uncacheable", "req_max_age": "req_ttl"}

#: An unset variable is negative, and is read as this; others read as zero.
UNSET: dict[str, float] = {
    "req_grace": -1.0, "req_ttl": -1.0, "bereq_task_deadline": PARAMETERS["pipe_task_deadline"],
    **{f"sess_{name}": PARAMETERS[name] for name in ("timeout_idle", "timeout_linger", "idle_send_timeout", "send_timeout")},
    **{f"bereq_{name}": PARAMETERS[name] for name in ("connect_timeout", "first_byte_timeout", "between_bytes_timeout")},
}


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
        world.variables[name.replace("status", "reason")] = reason_of(value).encode()
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
    **tables.FUNCTIONS,
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
    **counters.FUNCTIONS,
    **views.FUNCTIONS,
}
