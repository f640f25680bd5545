"""Patterns that are compiled when they are first used.

The rules of `vernis lint` have seventy of them, and a policy needs a few: compiling all took a tenth of the
start of the command.
"""

from __future__ import annotations

import re
from typing import Any

_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


class _Later:
    """Has the methods of its pattern as attributes, from the first use on."""

    __slots__ = (*_METHODS, "_source")

    def __init__(self, *source: Any) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        pattern = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(pattern, method))
        return getattr(pattern, name)


def later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As ``re.compile``, for a pattern that few runs need."""
    return _Later(pattern, flags)  # type: ignore[return-value]
