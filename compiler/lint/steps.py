"""Asks PCRE2 how long an attack must be to reach the match limit."""

from __future__ import annotations

from functools import lru_cache

from vernis import pcre
from vernis.lint.ambiguity import Attack
from vernis.lint.pattern import PATTERNS_MAX

MATCH_LIMIT = 10_000  # default of the parameter pcre2_match_limit
BYTES_MAX = 2048  # of an attack: a longer one costs too much to try


@lru_cache(maxsize=PATTERNS_MAX)
def times_to_limit(pattern: str, attack: Attack) -> int | None:
    """How often the repeated text must come until PCRE2 gives up, with machine code as in the daemon; None if
    it never gives up at a value of BYTES_MAX."""
    library, code = (
        pcre.library(),
        pcre.compiled(pattern.encode("latin-1"), pcre.NEVER_UTF | pcre.USE_OFFSET_LIMIT),
    )
    library.pcre2_jit_compile_8(code, pcre.JIT_COMPLETE)
    data, context = library.pcre2_match_data_create_8(1, None), library.pcre2_match_context_create_8(None)
    library.pcre2_set_match_limit_8(context, MATCH_LIMIT)
    library.pcre2_set_offset_limit_8(context, 0)  # an attack is read from its first byte

    def gives_up(times: int) -> bool:
        text = attack.text(times)
        result: int = library.pcre2_match_8(code, text, len(text), 0, 0, data, context)
        return result < pcre.ERROR_NOMATCH

    try:
        low, high = 0, 1  # it answers at `low`
        while not gives_up(high):
            if len(attack.text(high)) > BYTES_MAX:
                return None
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if gives_up(middle) else (middle, high)
        return high if len(attack.text(high)) <= BYTES_MAX else None
    finally:
        library.pcre2_code_free_8(code)
        library.pcre2_match_data_free_8(data)
        library.pcre2_match_context_free_8(context)
