"""Rules about the comments of this tool."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.rule import Finding, Rule
from vernis.lint.suppress import Suppression
from vernis.lint.view import View
from vernis.syntax.diagnostics import Severity


class _AboutComments(Rule):
    """The engine asks these rules after all others."""

    severity = Severity.WARNING
    source = "https://docs.astral.sh/ruff/rules/unused-noqa/"

    def check(self, view: View) -> Iterator[Finding]:
        return iter(())

    def about(self, one: Suppression, expired: bool, ran: frozenset[str]) -> str | None:
        """The message about one suppression, or None."""
        raise NotImplementedError


class UnusedSuppression(_AboutComments):
    id = "LN001"
    name = "unused-suppression"
    what = "A comment suppresses a rule that finds nothing there."
    why = "It would hide a later fault at this place."
    remedy = "delete the comment"
    bad = "sub vcl_recv { # vernis: ignore[SEC001]\n return (pass); }"
    good = "sub vcl_recv { return (pass); }"

    def about(self, one: Suppression, expired: bool, ran: frozenset[str]) -> str | None:
        if expired or one.used or not one.rules or not one.rules <= ran:
            return None
        return f"the comment suppresses {one.word}, which finds nothing here"


class ExpiredSuppression(_AboutComments):
    id = "LN002"
    name = "expired-suppression"
    what = "The date of a suppression has passed."
    why = "From then on the comment has no effect."
    remedy = "repair the fault, or set a later date"
    bad = "sub vcl_recv { # vernis: ignore[SEC001] old tool, until 2020-01-01\n return (pass); }"
    good = "sub vcl_recv { return (pass); }"

    def about(self, one: Suppression, expired: bool, ran: frozenset[str]) -> str | None:
        return f"the suppression of {one.word} ended on {one.until}" if expired else None


class UnknownRule(_AboutComments):
    id = "LN003"
    name = "unknown-rule"
    what = "A comment suppresses a rule that does not exist, or names none."
    why = "The comment has no effect."
    remedy = "write ignore[RULE] with an id or a name; `vernis rules` lists them"
    bad = "sub vcl_recv { # vernis: ignore[SEC999]\n return (pass); }"
    good = "sub vcl_recv { return (pass); }"

    def about(self, one: Suppression, expired: bool, ran: frozenset[str]) -> str | None:
        if one.rules:
            return None
        return (
            f"there is no rule {one.word}" if one.word else "the comment names no rule, and silences nothing"
        )
