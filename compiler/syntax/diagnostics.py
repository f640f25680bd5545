"""Diagnostics: what is wrong with a policy, where, and what to do about it.

User mistakes are values, collected in a :class:`Diagnostics`, never exceptions. Every stage goes on after reporting,
using an error type or a broken node which never causes a second message.

Codes are stable: V1xx text and tokens, V2xx syntax, V3xx names and types, V4xx phases and actions, V5xx declarations
(backends, probes, acls, modules), V6xx whole-program (recursion, unused), V9xx limits. ``codes.CODES`` is the table of the front end.
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
    """A second place worth showing, with a word on why."""

    span: Span
    text: str


@record(frozen=True)
class Edit:
    """A safe, machine-applicable change: replace the bytes of ``span`` by ``text``."""

    span: Span
    text: str


@record(frozen=True)
class Diagnostic:
    """One finding. ``message`` says what is wrong, ``help`` what to do, ``stock`` how Varnish puts it (``stock.py``)."""

    code: str
    severity: Severity
    message: str
    span: Span
    help: str = ""
    labels: tuple[Label, ...] = ()
    edits: tuple[Edit, ...] = ()
    stock: str = ""
    trace: tuple[Label, ...] = ()       # several places, as Varnish shows them


@record
class Diagnostics:
    """Collects findings. At most ``limit`` errors are kept (V901 says that more were found)."""

    items: list[Diagnostic] = field(default_factory=list)
    limit: int = 200

    def error(self, code: str, span: Span, message: str, help: str = "", labels: tuple[Label, ...] = (),
              edits: tuple[Edit, ...] = (), stock: str = "", trace: tuple[Label, ...] = ()) -> None:
        self._add(Diagnostic(code, Severity.ERROR, message, span, help, labels, edits, stock, trace))

    def warning(self, code: str, span: Span, message: str, help: str = "", labels: tuple[Label, ...] = (), stock: str = "") -> None:
        self._add(Diagnostic(code, Severity.WARNING, message, span, help, labels, stock=stock))

    def _add(self, item: Diagnostic) -> None:
        if len(self.items) < self.limit:
            self.items.append(item)
        elif len(self.items) == self.limit:
            self.items.append(Diagnostic("V901", Severity.ERROR, f"more than {self.limit} findings; the rest is not shown",
                                         item.span, "fix the first ones and run again"))

    def sort(self, sources: SourceMap) -> None:
        """Errors before warnings, each as they stand in the text; the note that there are more (V901) last."""
        note = [self.items.pop()] if self.full else []
        self.items.sort(key=lambda item: (item.severity is not Severity.ERROR, sources.order(item.span)))
        self.items += note

    @property
    def full(self) -> bool:
        """Nothing more will be kept: looking for more is lost work."""
        return len(self.items) > self.limit

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.items)
