"""A rule of ``vernis lint``: its page and its check.

A rule is a class. Its attributes are the page that ``vernis explain`` and docs/lint.md show, and tests run
its two examples. ``check`` yields findings. A module of another author registers such a class under the entry
point ``vernis.lint``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from vernis.record import record
from vernis.syntax.diagnostics import Edit, Severity, Span

if TYPE_CHECKING:
    from vernis.lint.view import Placed, View

ID = re.compile(r"[A-Z]{2,4}[0-9]{3}")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
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
    is less certain than others."""

    span: Span
    message: str
    help: str = ""
    labels: tuple[tuple[Span, str], ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None


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


def finding(view: View, node: Placed, message: str, help: str = "", fix: Fix | None = None) -> Finding:
    """A finding at a node."""
    return Finding(view.span(node), message, help, fix=fix)
