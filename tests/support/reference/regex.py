"""Regular expressions of the reference interpreter, with the options and limits of the runtime."""

from __future__ import annotations

from dataclasses import dataclass

from vernis import pcre

NOTEMPTY = 0x00000004  # PCRE2_NOTEMPTY
MATCH_LIMIT = 10_000  # parameter pcre2_match_limit
DEPTH_LIMIT = 20  # parameter pcre2_depth_limit

_GROUPS = 64  # REGEX_GROUPS_MAX: later groups cannot be read


class MatchLimit(Exception):
    """PCRE2 reached a match limit or failed otherwise."""


class Regex:
    """One compiled pattern. Frees its PCRE2 memory when it is collected."""

    __slots__ = ("_code", "_context", "_data", "_library", "_n_groups")

    def __init__(self, pattern: bytes) -> None:
        self._code = self._context = self._data = None
        self._n_groups = 0  # groups set by the last match, including group 0
        self._code = pcre.compiled(pattern, pcre.NEVER_UTF)
        self._library = library = pcre.library()
        library.pcre2_jit_compile_8(self._code, pcre.JIT_COMPLETE)
        self._context = library.pcre2_match_context_create_8(None)
        self._data = library.pcre2_match_data_create_8(_GROUPS, None)
        library.pcre2_set_match_limit_8(self._context, MATCH_LIMIT)
        library.pcre2_set_depth_limit_8(self._context, DEPTH_LIMIT)

    def __del__(self) -> None:
        if self._code:
            self._library.pcre2_code_free_8(self._code)
        if self._data:
            self._library.pcre2_match_data_free_8(self._data)
        if self._context:
            self._library.pcre2_match_context_free_8(self._context)

    def _match_at(self, subject: bytes, at: int, options: int) -> bool:
        result: int = self._library.pcre2_match_8(
            self._code, subject, len(subject), at, options, self._data, self._context
        )
        if result < 0 and result != pcre.ERROR_NOMATCH:
            raise MatchLimit
        self._n_groups = result if result > 0 else _GROUPS if result == 0 else 0
        return result >= 0

    def _group(self, subject: bytes, number: int) -> bytes:
        """The text of a group. Empty if the group did not match or the pattern does not have it: PCRE2 does
        not write the offsets of such a group."""
        if number >= self._n_groups:
            return b""
        pairs = self._library.pcre2_get_ovector_pointer_8(self._data)
        first, end = pairs[2 * number], pairs[2 * number + 1]
        return b"" if first == pcre.UNSET or end <= first else subject[first:end]

    def matches(self, subject: bytes | None) -> bool:
        return self._match_at(subject or b"", 0, 0)

    def group(self, subject: bytes | None, number: int) -> bytes | None:
        """The text of a group of the first match; None if the group took no part in it."""
        text = subject or b""
        if not self._match_at(text, 0, 0) or number >= self._n_groups:
            return None
        pairs = self._library.pcre2_get_ovector_pointer_8(self._data)
        first, end = pairs[2 * number], pairs[2 * number + 1]
        return None if first == pcre.UNSET or end < first else text[first:end]

    def substitute(self, subject: bytes | None, replacement: bytes | None, all_of_them: bool) -> bytes:
        """regsub and regsuball. ``\\0`` to ``\\9`` insert groups; a backslash before any other byte inserts
        that byte. The first match may be empty, later ones may not."""
        text = subject or b""
        if not self._match_at(text, 0, 0):
            return text
        result = bytearray()
        done = 0
        while True:
            pairs = self._library.pcre2_get_ovector_pointer_8(self._data)
            first, end = pairs[0], pairs[1]
            if first < done or end < first:
                break
            result += text[done:first] + self._expanded(text, replacement or b"")
            done = end
            if not all_of_them or done >= len(text) or not self._match_at(text, done, NOTEMPTY):
                break
        return bytes(result) + text[done:]

    def _expanded(self, subject: bytes, replacement: bytes) -> bytes:
        result = bytearray()
        at = 0
        while at < len(replacement):
            pair = replacement[at : at + 2]
            if len(pair) == 2 and pair[0] == ord("\\") and chr(pair[1]).isdecimal() and pair[1] < 128:
                result += self._group(subject, pair[1] - ord("0"))
                at += 2
            elif len(pair) == 2 and pair[0] == ord("\\"):
                result.append(pair[1])
                at += 2
            else:
                result.append(replacement[at])
                at += 1
        return bytes(result)


@dataclass(slots=True)
class RegexCache:
    """Patterns of one policy. Compiles each on first use."""

    compiled: dict[bytes, Regex]

    def get(self, pattern: bytes) -> Regex:
        regex = self.compiled.get(pattern)
        if regex is None:
            regex = self.compiled[pattern] = Regex(pattern)
        return regex
