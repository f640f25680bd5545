"""PCRE2 through ctypes. The checks and the log tools use it as the daemon does, so that the same
expressions mean the same everywhere."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache

CASELESS = 0x00000008
NEVER_UTF = 0x00001000
USE_OFFSET_LIMIT = 0x00800000
JIT_COMPLETE = 1
ERROR_NOMATCH = -1
_INFO_CAPTURECOUNT, _INFO_NAMECOUNT, _INFO_NAMEENTRYSIZE, _INFO_NAMETABLE = 4, 17, 18, 19
UNSET = ctypes.c_size_t(-1).value  # the offset of a group that did not match

_LIBRARY = "libpcre2-8.so.0"
_POINTER, _SIZE, _INT, _BITS, _TEXT = (
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_uint32,
    ctypes.c_char_p,
)

# Result and arguments of each function, whose name in the library is pcre2_NAME_8.
_FUNCTIONS = {
    "compile": (_POINTER, [_TEXT, _SIZE, _BITS, ctypes.POINTER(_INT), ctypes.POINTER(_SIZE), _POINTER]),
    "code_free": (None, [_POINTER]),
    "jit_compile": (_INT, [_POINTER, _BITS]),
    "match_data_create": (_POINTER, [_BITS, _POINTER]),
    "match_data_free": (None, [_POINTER]),
    "match_context_create": (_POINTER, [_POINTER]),
    "match_context_free": (None, [_POINTER]),
    "set_match_limit": (_INT, [_POINTER, _BITS]),
    "set_depth_limit": (_INT, [_POINTER, _BITS]),
    "set_offset_limit": (_INT, [_POINTER, _SIZE]),
    "match": (_INT, [_POINTER, _TEXT, _SIZE, _SIZE, _BITS, _POINTER, _POINTER]),
    "get_ovector_pointer": (ctypes.POINTER(_SIZE), [_POINTER]),
    "get_error_message": (_INT, [_INT, _TEXT, _SIZE]),
    "pattern_info": (_INT, [_POINTER, _BITS, _POINTER]),
}


class PatternError(ValueError):
    """PCRE2 rejects the pattern; ``offset`` is the position in it."""

    def __init__(self, text: str, offset: int) -> None:
        super().__init__(text)
        self.offset = offset


class MissingPcreError(PatternError):
    """libpcre2-8 is not installed."""


def library() -> ctypes.CDLL:
    loaded = _library()
    if loaded is None:
        raise MissingPcreError(f"regular expressions need {_LIBRARY}", 0)
    return loaded


@cache
def _library() -> ctypes.CDLL | None:
    loaded = next(_candidates(), None)
    if loaded is not None:
        for name, (result, arguments) in _FUNCTIONS.items():
            call = getattr(loaded, f"pcre2_{name}_8")
            call.restype, call.argtypes = result, arguments
    return loaded


def _candidates() -> Iterator[ctypes.CDLL]:
    """Yields the library by its name on Debian, then by a search of the system, which may run a compiler."""
    try:
        yield ctypes.CDLL(_LIBRARY)
    except OSError:
        from ctypes.util import find_library

        name = find_library("pcre2-8")
        if name is not None:
            yield ctypes.CDLL(name)


def compiled(pattern: bytes, options: int) -> int:
    """The address of PCRE2's code for the pattern. The caller frees it."""
    pcre = library()
    error, offset = ctypes.c_int(), ctypes.c_size_t()
    code: int | None = pcre.pcre2_compile_8(
        pattern, len(pattern), options, ctypes.byref(error), ctypes.byref(offset), None
    )
    if code is None:
        text = ctypes.create_string_buffer(256)
        pcre.pcre2_get_error_message_8(error.value, text, len(text))
        raise PatternError(text.value.decode("latin-1"), offset.value)
    return code


def groups(pattern: bytes) -> tuple[int, dict[str, int]]:
    """The number of groups of a valid pattern, without the whole match, and the number of each named group.
    Of several groups with one name it is that of the first."""
    code = compiled(pattern, NEVER_UTF)
    try:
        return _info(code, _INFO_CAPTURECOUNT), dict(reversed(list(_named(code))))
    finally:
        library().pcre2_code_free_8(code)


def _info(code: int, what: int) -> int:
    value = ctypes.c_uint32()
    library().pcre2_pattern_info_8(code, what, ctypes.byref(value))
    return value.value


def _named(code: int) -> Iterator[tuple[str, int]]:
    """PCRE2's table has two bytes of number and a name that ends with NUL in each entry."""
    table, size = ctypes.c_void_p(), _info(code, _INFO_NAMEENTRYSIZE)
    library().pcre2_pattern_info_8(code, _INFO_NAMETABLE, ctypes.byref(table))
    for index in range(_info(code, _INFO_NAMECOUNT)):
        entry = ctypes.string_at((table.value or 0) + index * size, size)
        yield entry[2:].partition(b"\0")[0].decode("latin-1"), int.from_bytes(entry[:2], "big")


def matches_empty(pattern: bytes) -> bool:
    """Whether a valid pattern matches an empty text."""
    pcre = library()
    code = compiled(pattern, NEVER_UTF)
    data = pcre.pcre2_match_data_create_8(1, None)
    found: int = pcre.pcre2_match_8(code, b"", 0, 0, 0, data, None)
    pcre.pcre2_match_data_free_8(data)
    pcre.pcre2_code_free_8(code)
    return found != ERROR_NOMATCH
