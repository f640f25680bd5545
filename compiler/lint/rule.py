"""A rule of ``vernis lint``: its page and its check.

A rule is a class. Its attributes are the page that ``vernis explain`` and docs/lint.md show, and tests run
its two examples. ``check`` yields findings. A module of another author registers such a class under the entry
point ``vernis.lint``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

from vernis.record import record, replace
from vernis.regex import later
from vernis.syntax.diagnostics import Edit, Severity, Span

if TYPE_CHECKING:
    from vernis.lint.view import Placed, View

ID = later(r"[A-Z]{2,4}[0-9]{3}")
NAME = later(r"[a-z0-9]+(-[a-z0-9]+)*")
PROFILES = ("recommended", "security", "strict", "migration")


@record(frozen=True)
class Fix:
    """Changes that repair a finding. ``safe``: no request is answered differently, except as ``changes`` of
    the rule says, and no text of the author is lost that may be meant. Others need a decision."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


@record(frozen=True)
class Finding:
    """One place where a rule fails. ``labels`` are other places with their reasons, ``help`` is the remedy
    for this place; the rule's page has the general one. ``severity`` is less than the rule's where a finding
    is less certain than others. ``same`` are the findings at other places that have the same cause: they are
    reported as labels, and their edits belong to the fix."""

    span: Span
    message: str
    help: str = ""
    labels: tuple[tuple[Span, str], ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None
    same: tuple[Finding, ...] = ()


class Rule:
    """The base of all rules. ``bad`` and ``good`` are policies of ``version``, without its line and a
    backend. The rule finds something in the first and nothing in the second. ``source`` is an address of the
    incident or document behind the rule. ``changes`` says what its fixes change for requests; without it they
    change nothing. A test compares policies before and after on random requests."""

    id: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    what: ClassVar[str]
    why: ClassVar[str]
    remedy: ClassVar[str]
    changes: ClassVar[str] = ""
    source: ClassVar[str]
    bad: ClassVar[str]
    good: ClassVar[str]
    version: ClassVar[str] = "4.1"
    profiles: ClassVar[tuple[str, ...]] = ("recommended", "strict")
    origin: str = ""  # names a rule of a third party in messages

    def check(self, view: View) -> Iterator[Finding]:
        raise NotImplementedError


def one_cause(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of one cause as one finding, at the first of their places."""
    found = sorted(dict.fromkeys(findings), key=lambda one: (one.span.file, one.span.start))
    if found:
        yield replace(found[0], same=tuple(found[1:]))


def joined(found: list[Finding]) -> Finding:
    """One finding out of those of one cause that no comment suppresses."""
    first, *others = (replace(one, same=()) for one in found)
    labels = first.labels + tuple((one.span, one.message) for one in others)
    fixes = [one.fix for one in found if one.fix is not None]
    if not others or len(fixes) < len(found):
        return replace(first, labels=labels, fix=None if others else first.fix)
    edits = tuple(edit for fix in fixes for edit in fix.edits)
    fix = Fix(fixes[0].title, edits, all(fix.safe for fix in fixes))
    return replace(first, labels=labels, fix=fix)


def finding(view: View, node: Placed, message: str, help: str = "", fix: Fix | None = None) -> Finding:
    """A finding at a node."""
    return Finding(view.span(node), message, help, fix=fix)
