"""Models of the text functions of vcl 5.0: parsed views, values from text, methods of texts.

Each takes the world first, as all models do, and none looks at it. ``runtime/policy/lib_views.c``,
``lib_parse.c`` and ``lib_strings.c`` are the other implementation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from support.reference.values import Ip, Value
from vernis.commands.table_values import parse_address, parse_bytes, parse_duration, parse_int, parse_real
from vernis.ir.values import Failed

if TYPE_CHECKING:
    from support.reference.world import World

Text = bytes | None

_BLANKS = b" \t"
_SPACES = b" \t\n\v\f\r"
#: Commas in quotes separate nothing. A quote that is not closed is an ordinary byte.
_LIST_ITEM = re.compile(rb'(?:\\"|"(?:\\.|[^"\\])*"|[^,])+', re.DOTALL)

# ---- views -------------------------------------------------------------------------------------------------


def url_path(world: World, url: Text) -> Text:
    return None if url is None else url.partition(b"?")[0]


def url_ext(world: World, url: Text) -> Text:
    segment = (url_path(world, url) or b"").rpartition(b"/")[2]
    _, dot, extension = segment.rpartition(b".")
    return extension if dot else None


def url_query(world: World, url: Text, name: Text) -> Text:
    return _value(_parameters(url or b""), name)


def url_query_has(world: World, url: Text, patterns: Text) -> bool:
    return bool(_selected(_parameters(url or b""), 1, patterns))


def url_query_edit(world: World, url: Text, keep: int, patterns: Text) -> Text:
    return None if url is None else _with_query(url, _selected(_parameters(url), keep, patterns))


def url_query_sort(world: World, url: Text) -> Text:
    return None if url is None else _with_query(url, sorted(_parameters(url), key=_name))


def url_set_path(world: World, url: Text, path: Text) -> Text:
    if not path or b"?" in path:
        raise Failed("the path of a URL cannot be that")
    return path + b"".join((url or b"").partition(b"?")[1:])


def cookie_value(world: World, header: Text, name: Text) -> Text:
    return _value(_cookies(header or b""), name)


def cookie_has(world: World, header: Text, patterns: Text) -> bool:
    return bool(_selected(_cookies(header or b""), 1, patterns))


def cookie_edit(world: World, header: Text, keep: int, patterns: Text) -> Text:
    return b"; ".join(_selected(_cookies(header or b""), keep, patterns)) or None


def cache_control_value(world: World, header: Text, directive: Text) -> Text:
    for item in _LIST_ITEM.findall(header or b""):
        name, _, rest = item.partition(b"=")
        if item.strip(_BLANKS) and name.strip(_BLANKS).lower() == (directive or b"").lower():
            argument: bytes = rest.strip(_BLANKS)
            quoted = len(argument) > 1 and argument[:1] == argument[-1:] == b'"'
            return argument[1:-1] if quoted else argument
    return None


def cache_control_has(world: World, header: Text, names: Text) -> bool:
    wanted = [] if names is None else names.split(b"\0")
    return any(cache_control_value(world, header, name) is not None for name in wanted)


def _parameters(url: bytes) -> list[bytes]:
    return [part for part in url.partition(b"?")[2].split(b"&") if part]


def _cookies(header: bytes) -> list[bytes]:
    return [part for part in (part.strip(_BLANKS) for part in header.split(b";")) if part]


def _name(pair: bytes) -> bytes:
    return pair.partition(b"=")[0]


def _value(pairs: Iterable[bytes], name: Text) -> Text:
    return next((pair.partition(b"=")[2] for pair in pairs if _name(pair) == (name or b"")), None)


def _selected(pairs: Iterable[bytes], keep: int, patterns: Text) -> list[bytes]:
    wanted = [] if patterns is None else patterns.split(b"\0")
    return [pair for pair in pairs if any(_fits(_name(pair), one) for one in wanted) == bool(keep)]


def _fits(name: bytes, pattern: bytes) -> bool:
    """A ``*`` at either end of a pattern stands for any bytes."""
    any_start, any_end = pattern.startswith(b"*"), len(pattern) > 1 and pattern.endswith(b"*")
    part = pattern[any_start : len(pattern) - any_end]
    match any_start, any_end:
        case True, True:
            return part in name
        case True, False:
            return name.endswith(part)
        case False, True:
            return name.startswith(part)
    return name == part


def _with_query(url: bytes, pairs: list[bytes]) -> bytes:
    return url.partition(b"?")[0] + (b"?" + b"&".join(pairs) if pairs else b"")


# ---- values from text --------------------------------------------------------------------------------------

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split()
_SHORT, _LONG, _MONTH = "|".join(day[:3] for day in _DAYS), "|".join(_DAYS), "|".join(_MONTHS)
_TIME = "([0-9]{2}):([0-9]{2}):([0-9]{2})"
_IMF = re.compile(rf"(?:{_SHORT}), ([0-9]{{1,2}}) ({_MONTH}) ([0-9]{{4}}) {_TIME} GMT".encode())
_RFC850 = re.compile(rf"(?:{_LONG}), ([0-9]{{2}})-({_MONTH})-([0-9]{{2}}) {_TIME} GMT".encode())
_ASCTIME = re.compile(rf"(?:{_SHORT}) ({_MONTH}) ([0-9]{{2}}| [0-9]) {_TIME} ([0-9]{{4}})".encode())


def parse_time(text: Text) -> float | None:
    """An HTTP date (RFC 9110, 5.6.7). Two-digit years are those from 1970 to 2069. The day of the week is not
    compared."""
    if found := _IMF.fullmatch(text or b""):
        day, month, year, *clock = found.groups()
        return _seconds(int(year), month, int(day), clock)
    if found := _RFC850.fullmatch(text or b""):
        day, month, year, *clock = found.groups()
        return _seconds(int(year) + (2000 if int(year) < 70 else 1900), month, int(day), clock)
    if found := _ASCTIME.fullmatch(text or b""):
        month, day, *clock, year = found.groups()
        return _seconds(int(year), month, int(day), clock)
    return None


def _seconds(year: int, month: bytes, day: int, clock: list[bytes]) -> float | None:
    """Python's calendar begins in the year 1, 400 years after the year -399 with the same days."""
    from datetime import UTC, datetime

    hour, minute, second = (int(part) for part in clock)
    moved = 400 if year < 1 else 0
    try:
        date = datetime(
            year + moved, _MONTHS.index(month.decode()) + 1, day, hour, minute, min(second, 59), tzinfo=UTC
        )
    except ValueError:
        return None
    if second > 60:
        return None
    days = date.toordinal() - datetime(1970, 1, 1).toordinal() - moved // 400 * 146097
    return float(days * 86400 + hour * 3600 + minute * 60 + date.second)


def parse_ip(text: Text) -> Ip | None:
    address = parse_address(text)
    return None if address is None else Ip(address)


def _of(parse: Callable[[Text], Value], zero: Value) -> Callable[..., Value]:
    def value(world: World, text: Text) -> Value:
        found = parse(text)
        return zero if found is None else found

    return value


def _is(parse: Callable[[Text], Value]) -> Callable[..., Value]:
    return lambda world, text: parse(text) is not None


# ---- methods of texts --------------------------------------------------------------------------------------


def text_before(world: World, text: Text, separator: Text) -> Text:
    at = _find(text, separator)
    return None if text is None or at < 0 else text[:at]


def text_after(world: World, text: Text, separator: Text) -> Text:
    at = _find(text, separator)
    return None if text is None or at < 0 else text[at + len(separator or b"") :]


def text_before_last(world: World, text: Text, separator: Text) -> Text:
    at = _find_last(text, separator)
    return None if text is None or at < 0 else text[:at]


def text_after_last(world: World, text: Text, separator: Text) -> Text:
    at = _find_last(text, separator)
    return None if text is None or at < 0 else text[at + len(separator or b"") :]


def _find(text: Text, wanted: Text) -> int:
    return -1 if text is None or wanted is None else text.find(wanted)


def _find_last(text: Text, wanted: Text) -> int:
    return -1 if text is None or wanted is None else text.rfind(wanted)


def text_lower(world: World, text: Text) -> Text:
    return None if text is None else text.lower()


def text_upper(world: World, text: Text) -> Text:
    return None if text is None else text.upper()


def text_trim(world: World, text: Text) -> Text:
    return None if text is None else text.strip(_SPACES)


def text_length(world: World, text: Text) -> int:
    return len(text or b"")


def text_length_is(world: World, text: Text) -> bool:
    return text is not None


def text_replace(world: World, text: Text, old: Text, new: Text) -> Text:
    return text if not text or not old else text.replace(old, new or b"")


FUNCTIONS: dict[str, Callable[..., Value]] = {
    function.__name__: function
    for function in (
        url_path,
        url_ext,
        url_query,
        url_query_has,
        url_query_edit,
        url_query_sort,
        url_set_path,
        cookie_value,
        cookie_has,
        cookie_edit,
        cache_control_value,
        cache_control_has,
        text_before,
        text_after,
        text_before_last,
        text_after_last,
        text_lower,
        text_upper,
        text_trim,
        text_length,
        text_length_is,
        text_replace,
    )
}
_PARSERS: dict[str, tuple[Callable[[Text], Value], Value]] = {
    "int": (parse_int, 0),
    "real": (parse_real, 0.0),
    "duration": (parse_duration, 0.0),
    "bytes": (parse_bytes, 0),
    "time": (parse_time, 0.0),
    "ip": (parse_ip, None),
}
FUNCTIONS |= {f"{name}_of": _of(parse, zero) for name, (parse, zero) in _PARSERS.items()}
FUNCTIONS |= {f"{name}_of_is": _is(parse) for name, (parse, _) in _PARSERS.items()}
