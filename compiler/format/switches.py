"""Text that stays as written: between the comments ``vernis: fmt off`` and ``vernis: fmt on``, and outside of
a range of lines."""

from __future__ import annotations

from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import TokenTable

_SWITCHES = {"vernis: fmt off": "off", "vernis: fmt on": "on"}


def switch_of(table: TokenTable, token: int) -> str | None:
    """Returns "off" or "on" if the token is such a comment."""
    if table.types[token] == T.LINE_COMMENT:
        return _SWITCHES.get(table.text(token).lstrip("#/").strip())
    if table.types[token] == T.BLOCK_COMMENT:
        return _SWITCHES.get(table.text(token)[2:-2].strip(" \t*"))
    return None


def kept_by_comments(table: TokenTable, first: int, end: int) -> set[int]:
    """Returns the tokens that stay as written, each with the space before it. The switches themselves do
    not."""
    if "vernis: fmt" not in table.sources.files[0].text:
        return set()
    kept: set[int] = set()
    is_off = False
    for token in range(first, end):
        switch = switch_of(table, token) if table.hidden[token] else None
        if is_off and switch != "on":
            kept.add(token)
        is_off = is_off if switch is None else switch == "off"
    return kept


def kept_by_lines(table: TokenTable, units: dict[int, int], lines: tuple[int, int]) -> set[int]:
    """Returns the tokens outside of ``lines`` (first and last). ``units`` has the number of each token's
    statement, head or comment: a statement is formatted as a whole if one of its lines is in the range."""
    first, last = lines
    wanted = {
        unit
        for token, unit in units.items()
        if table.lines[token] <= last and table.lines[token] + table.text(token).count("\n") >= first
    }
    return {token for token, unit in units.items() if unit not in wanted}
