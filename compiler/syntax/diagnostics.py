"""Diagnostics: a policy's faults, their places, and their remedies.

User mistakes are values collected in a :class:`Diagnostics`, never exceptions. A stage goes on after an error
with an error type or a broken node, which never causes a second message.

Codes are stable: V1xx text and tokens, V2xx syntax, V3xx names and types, V4xx phases and actions, V5xx
declarations (backends, probes, acls, modules), V6xx whole-program (recursion, unused), V7xx vcl 5.0,
V9xx limits.
``codes.CODES`` is the table of the front end.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vernis.syntax.source import SourceMap

from vernis.record import field, record


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
    """A safe change that a machine can apply: replace the bytes of ``span`` by ``text``."""

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
    """Collects findings. Keeps at most ``limit`` errors; V901 then says that more were found."""

    items: list[Diagnostic] = field(default_factory=list)
    limit: int = 200

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
    ) -> None:
        self._add(Diagnostic(code, Severity.WARNING, message, span, help, labels, stock=stock))

    def _add(self, item: Diagnostic) -> None:
        if len(self.items) < self.limit:
            self.items.append(item)
        elif len(self.items) == self.limit:
            self.items.append(
                Diagnostic(
                    "V901",
                    Severity.ERROR,
                    f"more than {self.limit} findings; the rest is not shown",
                    item.span,
                    "fix the first ones and run again",
                )
            )

    def sort(self, sources: SourceMap) -> None:
        """Sorts errors before warnings, each in the order of the text, and V901 last."""
        note = [self.items.pop()] if self.full else []
        self.items.sort(key=lambda item: (item.severity is not Severity.ERROR, sources.order(item.span)))
        self.items += note

    @property
    def full(self) -> bool:
        """Whether the limit is reached, so that a stage may stop looking for errors."""
        return len(self.items) > self.limit

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.items)
