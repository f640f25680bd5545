"""What the parser stumbled over, said in words (V2xx).

The parsers give, per error, the token, the rule that was being read, what it expected there and what was skipped. Here
each becomes one message with a remedy; what only follows from an error already reported is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vernis.syntax.diagnostics import Diagnostics, Span
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import TokenTable, VisibleTokens


@dataclass(slots=True)
class Failure:
    """One record of a parser. Indices are into the visible tokens; nothing was skipped when ``last < first``."""

    token: int
    rule: int
    first: int
    last: int
    expected: frozenset[int]


def failures(records: list[int], count: int) -> Iterator[Failure]:
    at = 0
    for _ in range(count):
        token, rule, first, last, expected = records[at:at + 5]
        at += 5
        yield Failure(token, rule, first, last, frozenset(records[at:at + expected]))
        at += expected


class SyntaxErrors:
    def __init__(self, table: TokenTable, visible: VisibleTokens, known: set[int], diags: Diagnostics) -> None:
        self.table = table
        self.visible = visible
        self.known = known
        self.diags = diags

    def report(self, records: list[int], count: int) -> None:
        for failure in failures(records, count):
            if T.SEMI in failure.expected and failure.last < failure.first:
                before = self.visible.table_index[failure.token - 1]
                self.diags.error("V202", self.table.behind(before), f"missing ';' after '{self.table.text(before)}'", "put ';' here")
            else:
                token = self.visible.table_index[min(failure.token, len(self.visible.table_index) - 1)]
                self.diags.error("V201", self.table.span((token, token)), f"'{self.table.text(token)}' does not belong here", "remove it")
