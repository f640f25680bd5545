"""PCRE2 through ctypes, for matching only. The stock tools use PCRE2 too, so users can write the same
expressions."""

from __future__ import annotations

import ctypes
from functools import cache

_CASELESS = 0x00000008
_ERROR_NOMATCH = -1
_JIT_COMPLETE = 1
_LIBRARY = "libpcre2-8.so.0"


class PatternError(ValueError):
    """PCRE2 rejects the expression, or is not installed; ``offset`` is the position in the expression."""

    def __init__(self, text: str, offset: int) -> None:
        super().__init__(text)
        self.offset = offset


@cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError as error:
        raise PatternError(f"regular expressions need {_LIBRARY}: {error}", 0) from None
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for function, result, arguments in (
        (
            "compile",
            pointer,
            [
                ctypes.c_char_p,
                size,
                ctypes.c_uint32,
                ctypes.POINTER(ctypes.c_int),
                ctypes.POINTER(size),
                pointer,
            ],
        ),
        ("code_free", None, [pointer]),
        ("jit_compile", ctypes.c_int, [pointer, ctypes.c_uint32]),
        ("match_data_create", pointer, [ctypes.c_uint32, pointer]),
        ("match_data_free", None, [pointer]),
        ("match", ctypes.c_int, [pointer, ctypes.c_char_p, size, size, ctypes.c_uint32, pointer, pointer]),
        ("get_error_message", ctypes.c_int, [ctypes.c_int, ctypes.c_char_p, size]),
    ):
        call = getattr(library, f"pcre2_{function}_8")
        call.restype, call.argtypes = result, arguments
    return library


class Pattern:
    """One compiled expression. Frees its PCRE2 memory when it is collected."""

    __slots__ = ("_code", "_data", "_library")

    def __init__(self, text: bytes, caseless: bool = False) -> None:
        self._code = self._data = None
        self._library = library = _library()
        error, offset = ctypes.c_int(), ctypes.c_size_t()
        options = _CASELESS if caseless else 0
        code = library.pcre2_compile_8(
            text, len(text), options, ctypes.byref(error), ctypes.byref(offset), None
        )
        if not code:
            message = ctypes.create_string_buffer(256)
            library.pcre2_get_error_message_8(error.value, message, len(message))
            raise PatternError(message.value.decode("latin-1"), offset.value)
        self._code = code
        self._data = library.pcre2_match_data_create_8(1, None)
        library.pcre2_jit_compile_8(code, _JIT_COMPLETE)

    def __del__(self) -> None:
        if self._data:
            self._library.pcre2_match_data_free_8(self._data)
        if self._code:
            self._library.pcre2_code_free_8(self._code)

    def refuses(self, subject: bytes) -> bool:
        """Whether the subject certainly does not match. An expression that reaches a match limit refuses
        nothing, because showing a line too many is better than hiding one."""
        return bool(
            self._library.pcre2_match_8(self._code, subject, len(subject), 0, 0, self._data, None)
            == _ERROR_NOMATCH
        )
