"""Reports the parser's failures as diagnostics (V2xx).

For each failure ``driver.py`` keeps the token, the current rule, the expected tokens and the skipped ones.
``explain.py`` finds the words. This file leaves out failures that are consequences of an error already
reported.
"""

from __future__ import annotations

from collections.abc import Iterable

from vernis.syntax.diagnostics import Diagnostics, Edit
from vernis.syntax.driver import Failure
from vernis.syntax.explain import Explainer
from vernis.syntax.generated.token_types import T
from vernis.syntax.stock import phrase
from vernis.syntax.tokens import TokenTable, VisibleTokens


class SyntaxErrors:
    """Reports the failures of one parse."""

    def __init__(
        self, table: TokenTable, visible: VisibleTokens, known: set[int], diags: Diagnostics
    ) -> None:
        self.explainer = Explainer(table, visible)
        self.visible = visible
        self.known = known
        self.diags = diags

    def report(self, failures: Iterable[Failure]) -> None:
        behind_last = -1  # the token after those that the last error skipped
        for failure in failures:
            if self.diags.full:
                return
            if failure.supplied:
                self._missing_semicolon(failure)
                continue
            follows = failure.first == behind_last and self.explainer.type(failure.token) in (
                T.ELSE,
                T.ELSEIF,
            )
            behind_last = failure.last + 1
            if follows or self._is_known(failure) and not self.explainer.is_foreign(failure):
                continue
            remark = self.explainer.explain(failure)
            self.known.update(self.visible.table_index[failure.first : failure.last + 1])
            self.diags.error(
                remark.code,
                remark.place or self.explainer.span(remark.first, remark.last),
                remark.message,
                remark.help,
                remark.labels,
                remark.edits,
                remark.stock or self.explainer.stock(failure),
            )

    def _is_known(self, failure: Failure) -> bool:
        end = max(failure.last, failure.token) + 1
        if self.explainer.type(failure.token - 1) == T.LPAREN:
            end = failure.token + 1  # what stands first in parentheses is wrong however these end
        skipped = self.visible.table_index[failure.first : end]
        lines = self.explainer.table.lines
        stumbled = lines[self.visible.table_index[min(failure.token, len(self.visible.table_index) - 1)]]
        skipped = [
            token for token in skipped if lines[token] <= stumbled
        ]  # what comes on later lines is not the cause
        return not self.known.isdisjoint(skipped)

    def _missing_semicolon(self, failure: Failure) -> None:
        before = failure.token - 1
        if self.visible.table_index[before] in self.known:
            return
        place = self.explainer.span_after(before)
        if self.explainer.text(before).lower() in ("if", "elseif", "elsif", "elif"):
            self.diags.error(
                "V214",
                place,
                "the condition needs parentheses",
                "write: if (...) { ... }",
                stock=phrase("expected", want="'('", got=f"'{self.explainer.written(failure.token)}'"),
            )
            return
        is_version = self.explainer.type(before - 1) == T.VCL
        stock = (
            phrase("version end")
            if is_version
            else phrase("expected", want="';'", got=f"'{self.explainer.written(failure.token)}'")
        )
        self.diags.error(
            "V202",
            place,
            f"missing ';' after {self.explainer.shown(before)}",
            "put ';' here",
            edits=(Edit(place, ";"),),
            stock=stock,
        )
