"""The story of one request: its transactions, the hooks that each called, and the statements that ran, with
their values. Made from the log of a policy that tells its steps (``ir/telling.py``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from vernis.ir import ir
from vernis.ir.telling import MARK, Told
from vernis.observe.records import Record
from vernis.observe.tags import NUMBERS
from vernis.observe.transactions import Kind, Transaction
from vernis.record import field, record
from vernis.trial.facts import BACKEND, CLIENT, text_of
from vernis.trial.world import LogRecord

CUT = "..."
RECORD_BYTES = 254  # of a text in the log; the default of vsl_reclen, without the NUL

_BEGIN, _CALL, _RETURN, _LOG = (NUMBERS[name] for name in ("Begin", "VCL_call", "VCL_return", "VCL_Log"))
_KINDS = {
    "rxreq": "request", "restart": "restart", "esi": "include", "fetch": "fetch", "pass": "fetch",
    "retry": "retry", "bgfetch": "background fetch", "pipe": "pipe",
}  # fmt: skip


class Place(NamedTuple):
    """A statement. ``file`` indexes the sources; 0 is the policy's own file."""

    file: int
    line: int
    column: int


@record(frozen=True)
class Value:
    """A value that a statement read, tested, set or passed on. ``text`` None: it is unset."""

    kind: str  # read, test, set, unset, argument
    name: str
    text: str | None


@record
class Statement:
    """A statement that ran. ``does`` is what it did beside its values: ``call tidy``, ``return pass``."""

    place: Place
    values: list[Value] = field(default_factory=list)
    does: str = ""


@record
class HookRun:
    """A hook that ran, and the action that it returned. ``decider``: the statement that returned; ``subs``:
    the subs that were running then, from the outermost."""

    hook: str
    action: str = ""
    statements: list[Statement] = field(default_factory=list)
    decider: Statement | None = None
    calls: list[str] = field(default_factory=list)


@record
class Story:
    """One transaction."""

    id: int
    kind: str
    runs: list[HookRun] = field(default_factory=list)
    records: list[LogRecord] = field(default_factory=list)
    is_pass: bool = False  # of a fetch: for a request that was passed

    def run_of(self, hook: str) -> HookRun | None:
        """The last run of a hook, such as ``vcl_recv``."""
        return next((run for run in reversed(self.runs) if run.hook == hook), None)

    def logged(self) -> Transaction:
        """As the readers of logs take it."""
        records = [Record(one.tag, 0, one.text) for one in self.records]
        kind = Kind.REQUEST if self.kind in ("request", "restart", "include") else Kind.FETCH
        return Transaction(self.id, kind, "pass" if self.is_pass else self.kind, records=records)

    def texts(self, tag: str) -> list[str]:
        number = NUMBERS[tag]
        return [text_of(one.text).rstrip("\0") for one in self.records if one.tag == number]


class Teller:
    """Reads the records of one policy's hooks."""

    def __init__(self, module: ir.Module, told: tuple[Told, ...]) -> None:
        self.module, self.told = module, told

    def stories(self, records: Iterable[LogRecord]) -> list[Story]:
        """One for each transaction, in the order of their numbers; sessions are left out."""
        found: dict[int, Story] = {}
        for one in records:
            if one.transaction & (CLIENT | BACKEND):
                story = found.setdefault(one.transaction, Story(one.transaction & ~(CLIENT | BACKEND), ""))
                self._record(story, one)
        stories = [story for story in found.values() if story.kind]
        return sorted(stories, key=lambda story: story.id)

    def _record(self, story: Story, one: LogRecord) -> None:
        text = text_of(one.text).rstrip("\0")
        if one.tag == _LOG and text.startswith(MARK):
            if story.runs:
                self._step(story.runs[-1], text[1:])
            return
        story.records.append(one)
        if one.tag == _BEGIN:
            words = text.split()
            story.kind = _KINDS.get(words[2], words[2]) if len(words) > 2 and words[0] != "sess" else ""
            story.is_pass = words[2:3] == ["pass"]
        elif one.tag == _CALL:
            story.runs.append(HookRun("vcl_" + text.lower()))
        elif one.tag == _RETURN and story.runs:
            story.runs[-1].action = text

    def _step(self, run: HookRun, text: str) -> None:
        number, _, rest = text.partition(" ")
        told = self.told[int(number)]
        if told.kind == "statement" or not run.statements:
            run.statements.append(Statement(self._place(told.site)))
        statement = run.statements[-1]
        if told.kind in ("call", "return"):
            statement.does = f"{told.kind} {told.name}"
            if told.kind == "call":
                run.calls.append(told.name)
            else:
                run.decider = statement
        elif told.kind != "statement":
            statement.values.append(Value(told.kind, told.name, _value(told, rest, len(text) + 1)))

    def _place(self, site: int) -> Place:
        at = self.module.sites[site]
        return Place(at.file, at.line, at.column)

    def name_of(self, place: Place) -> str:
        """site.vcl:12:5"""
        return f"{self.module.sources[place.file].name}:{place.line}:{place.column}"

    def line_of(self, place: Place) -> str:
        """The line of the source, without the blanks around it."""
        lines = self.module.sources[place.file].text.split(b"\n")
        return lines[place.line - 1].decode("utf-8", "replace").strip() if place.line <= len(lines) else ""

    def is_builtin(self, place: Place) -> bool:
        return self.module.sources[place.file].name == "<builtin>"


def _value(told: Told, text: str, length: int) -> str | None:
    is_set, _, value = text.partition(" ")
    if told.type is None or is_set != "true":
        return None
    shown = _duration(value) if told.type is ir.Type.DURATION else value
    return shown + CUT if length >= RECORD_BYTES else shown


def _duration(text: str) -> str:
    """The log's "3600.000" as "3600s"."""
    try:
        return f"{float(text):g}s"
    except ValueError:
        return text
