"""Diagnostics: a policy's faults, their places, and their remedies.

User mistakes are values collected in a :class:`Diagnostics`, never exceptions. A stage goes on after an error
with an error type or a broken node, which never causes a second message.

Codes are stable: V1xx text and tokens, V2xx syntax, V3xx names and types, V4xx phases and actions, V5xx
declarations (backends, probes, acls, modules), V6xx whole-program (recursion, unused), V7xx vcl 5.0,
V9xx limits.
``codes.CODES`` is the table of the front end.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vernis.syntax.source import SourceMap

from vernis.record import field, record, replace


#: The code of the finding that stands for those beyond a limit.
TOO_MANY = "V901"


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@record(frozen=True)
class Span:
    """Bytes [start, end) of source number ``file`` (an index into ``SourceMap.files``)."""

    file: int
    start: int
    end: int


@record(frozen=True)
class Label:
    """A second place to show, with the reason."""

    span: Span
    text: str


@record(frozen=True)
class Edit:
    """A change that a machine can apply: replace the bytes of ``span`` by ``text``. It is the only correction
    unless the code of the finding says ``author_decides``."""

    span: Span
    text: str


@record(frozen=True)
class Diagnostic:
    """One finding. ``message`` states the fault, ``help`` the remedy, ``stock`` is Varnish's message
    (``stock.py``)."""

    code: str
    severity: Severity
    message: str
    span: Span
    help: str = ""
    labels: tuple[Label, ...] = ()
    edits: tuple[Edit, ...] = ()
    stock: str = ""
    trace: tuple[Label, ...] = ()  # the chain of places that Varnish shows, such as calls


@record
class Diagnostics:
    """Collects findings: at most ``limit`` errors and ``warnings_limit`` warnings. V901 then says that more
    were found. Each kind has a limit of its own, so that warnings alone never refuse a policy and never hide
    an error."""

    items: list[Diagnostic] = field(default_factory=list)
    limit: int = 200
    warnings_limit: int = 1000

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        labels: tuple[Label, ...] = (),
        edits: tuple[Edit, ...] = (),
        stock: str = "",
        trace: tuple[Label, ...] = (),
    ) -> None:
        self._add(Diagnostic(code, Severity.ERROR, message, span, help, labels, edits, stock, trace))

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        labels: tuple[Label, ...] = (),
        stock: str = "",
        edits: tuple[Edit, ...] = (),
    ) -> None:
        self._add(Diagnostic(code, Severity.WARNING, message, span, help, labels, edits, stock))

    def _add(self, item: Diagnostic) -> None:
        limit = self.limit if item.severity is Severity.ERROR else self.warnings_limit
        before = self._count(item.severity, limit)
        if before < limit:
            self.items.append(item)
        elif before == limit:
            self.items.append(
                Diagnostic(
                    TOO_MANY,
                    item.severity,
                    f"more than {limit} {item.severity.value}s; the rest is not shown",
                    item.span,
                    "fix the first ones and run again",
                )
            )

    def _count(self, severity: Severity, limit: int) -> int:
        if len(self.items) < limit:
            return len(self.items)  # less than the limit is all that matters
        return sum(item.severity is severity for item in self.items)

    def sort(self, sources: SourceMap) -> None:
        """Sorts errors before warnings, each in the order of the text, and V901 last. Leaves out edits that
        would delete a comment of the author."""
        self.items = [
            replace(item, edits=()) if any(_deletes_comment(edit, sources) for edit in item.edits) else item
            for item in self.items
        ]
        self.items.sort(
            key=lambda item: (
                item.code == TOO_MANY,
                item.severity is not Severity.ERROR,
                sources.order(item.span),
            )
        )

    @property
    def full(self) -> bool:
        """Whether the limit of errors is reached, so that a stage may stop looking for them."""
        return self._count(Severity.ERROR, self.limit + 1) > self.limit

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.items)


_COMMENT_RE = re.compile(rb'""".*?"""|\{".*?"\}|"[^"\n]*"|(#|//|/\*)', re.S)


def _deletes_comment(edit: Edit, sources: SourceMap) -> bool:
    replaced = sources.files[edit.span.file].data[edit.span.start : edit.span.end]
    return any(match[1] is not None for match in _COMMENT_RE.finditer(replaced))
