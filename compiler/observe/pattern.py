"""Regular expressions of log queries and of the options that select records."""

from __future__ import annotations

from vernis import pcre


class Pattern:
    """One compiled expression. Frees its PCRE2 memory when it is collected."""

    __slots__ = ("_code", "_data", "_library")

    def __init__(self, text: bytes, caseless: bool = False) -> None:
        self._code = self._data = None
        self._code = pcre.compiled(text, pcre.CASELESS if caseless else 0)
        self._library = library = pcre.library()
        library.pcre2_jit_compile_8(self._code, pcre.JIT_COMPLETE)
        self._data = library.pcre2_match_data_create_8(1, None)

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
            == pcre.ERROR_NOMATCH
        )
