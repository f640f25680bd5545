"""``vernis fix --migrate``: rewrites a policy of 4.x as 5.0, by edits of its texts.

The version lines become ``vcl 5.0;``. The checker then reports what 5.0 refuses, with edits, and collects the
places that 5.0 reads differently. Each round applies the edits that do not overlap and checks again. The
result compiles and behaves as before; :class:`Migration` lists what a person should read again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping

from vernis import pipeline
from vernis.commands import migrate_fixes as fixes
from vernis.commands.migrate_fixes import Fix, Texts
from vernis.pipeline import Compilation
from vernis.record import field, record
from vernis.semantics.moves import Difference, Move
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Span
from vernis.syntax.source import SourceFile
from vernis.syntax.tokens import TokenTable

ROUNDS_MAX = 100  # a fix inside of another waits for the next round, and expressions nest so deep at most

#: Makes the run of a policy, with changed texts by real path.
Run = Callable[[Mapping[str, bytes]], Compilation]


@record(frozen=True)
class Note:
    """A place in a file that a person should read."""

    file: str
    line: int
    text: str


@record
class Migration:
    """``texts`` are the new texts and ``before`` the old ones, by real path; ``names`` their names in
    messages. ``refused`` is the last run if the policy has errors: before, or as 5.0. It then has no
    texts."""

    texts: Texts = field(default_factory=dict)
    before: Texts = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    refused: Compilation | None = None
    is_new: bool = False  # it was of 5.0 before


NOTES = {
    fixes.OLD_CACHING: "caching 4.1 keeps which responses are stored, and how long they are fresh; without "
    "this line, HTTP caching follows RFC 9111 (docs/rfc9111.md), and Authorization, Cookie, Set-Cookie, "
    "private and no-store keep a response out of the cache",
    Difference.SORT.value: "behaves differently: parameters of one name keep their order; GET /?a=2&a=1 had "
    "the URL /?a=1&a=2 before",
    fixes.NO_BOUND: "the bound is the default of max_restarts or max_retries; with a higher value of the "
    "parameter, this round would end earlier than before",
    Difference.FIELD.value: 'in 4.x an absent value makes an empty field, so `?? ""` does; without it, 5.0 '
    "unsets the field",
    Difference.EMPTY_MATCH.value: "in 4.x this pattern also matches if the text is absent",
    Difference.ORDER.value: "in 4.x an absent text is greater than any other",
    Difference.JOINED.value: "in 4.x an absent text equals an empty one that is joined",
}
NOT_MOVED = {
    Difference.ALWAYS_SET: "may behave differently: 4.x tests whether this text is set, and 5.0 takes it as "
    "always set",
    Difference.WRAP: "may behave differently: a whole number that does not fit in 64 bits wraps around in "
    "4.x, and fails the transaction in 5.0",
    Difference.ARGUMENT: "may behave differently: the module gets an empty text where it got an unset one",
}


def migrate(
    run: Run,
    may_write: Callable[[str], bool] = lambda path: True,
    is_policy: Callable[[str], bool] = lambda path: False,
) -> Migration:
    """Migrates a policy with those of its included files that may change, by real path. ``is_policy`` tells
    of included files that are policies, too. Raises UnreadableSource."""
    made = Migration()
    first = pipeline.run_stages(run({}), pipeline.CHECK)
    if first.failed or first.program is None:
        made.refused = first
        return made
    if first.program.version >= (5, 0):
        made.is_new = True
        return made
    for source in _files(first):
        made.before[os.path.realpath(source.name)] = source.data
        made.names[os.path.realpath(source.name)] = source.name
    texts, _ = fixes.apply(fixes.of_versions(first.program, _table(first), may_write), first.sources)
    last = _Rounds(run, made, texts, is_policy).run()
    if last.failed:
        made.refused = last
        made.notes = []
    else:
        made.notes.sort(key=lambda note: (note.file, note.line))
        made.texts = {path: text for path, text in texts.items() if text != made.before[path]}
    return made


def _files(run: Compilation) -> Iterator[SourceFile]:
    """The files of the policy, without the built-in one."""
    return (file for file in run.sources.files if file.name != pipeline.BUILTIN_NAME)


def _table(run: Compilation) -> TokenTable:
    assert run.program is not None and isinstance(run.program.tokens, TokenTable)
    return run.program.tokens


@record
class _Rounds:
    """The rounds of one migration, which change ``texts``."""

    check: Run
    made: Migration
    texts: Texts
    is_policy: Callable[[str], bool]

    def run(self) -> Compilation:
        """Returns the run of the last text."""
        run, _ = self._checked()
        if run.program is not None:
            self._apply(run, list(fixes.of_caching(run.program, _table(run), self.is_policy)))
        for choose in (self._conditions, self._other_fixes, self._needless_tests):
            for _ in range(ROUNDS_MAX):
                run, moves = self._checked()
                if not self._apply(run, choose(run, moves)):
                    break
        run, moves = self._checked()
        if run.failed or run.program is None:
            return run
        self._note_moves(run, moves, NOT_MOVED)
        self._apply(run, list(fixes.of_caching_lines(run.program, _table(run))))
        return self._checked()[0]

    def _checked(self) -> tuple[Compilation, list[Move]]:
        run = self.check(self.texts)
        run.moves = []
        pipeline.run_stages(run, pipeline.CHECK)
        return run, run.moves

    def _conditions(self, run: Compilation, moves: list[Move]) -> list[Fix]:
        self._note_moves(run, moves, (Difference.ALWAYS_SET,))
        return fixes.of_conditions(run.diagnostics.items)

    def _other_fixes(self, run: Compilation, moves: list[Move]) -> list[Fix]:
        self._note_moves(run, moves, (Difference.ARGUMENT,))
        return fixes.of_values(run.diagnostics.items, moves, _table(run), dict(_unset_texts(run)))

    def _needless_tests(self, run: Compilation, moves: list[Move]) -> list[Fix]:
        if run.program is None or run.failed:
            return []
        return fixes.of_needless_tests(run.program, _table(run), run.diagnostics.items)

    def _apply(self, run: Compilation, wanted: list[Fix]) -> bool:
        """Applies the fixes that go together. Returns whether there were any."""
        if run.program is None:
            return False
        changed, applied = fixes.apply(wanted, run.sources)
        self.texts.update(changed)
        self._move_notes(run, applied)
        for fix in applied:
            note = NOTES.get(fix.note, fix.note)
            if note:
                self._note(run, fix.span, note, below=fix.note == fixes.OLD_CACHING)
        return bool(applied)

    def _move_notes(self, run: Compilation, applied: list[Fix]) -> None:
        """Keeps the notes at their lines, of which fixes add and remove some."""
        edits = [edit for fix in applied for edit in fix.edits]
        for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
            more = edit.text.count("\n") - run.sources.text(edit.span).count("\n")
            if more != 0:
                name, line, _ = run.sources.place(edit.span)
                self.made.notes = [
                    Note(note.file, note.line + more, note.text)
                    if note.file == name and note.line >= line + (more < 0)
                    else note
                    for note in self.made.notes
                ]

    def _note_moves(self, run: Compilation, moves: list[Move], wanted: Container[Difference]) -> None:
        for move in moves:
            if move.difference in wanted:
                self._note(run, _table(run).span(move.at), NOT_MOVED[move.difference])

    def _note(self, run: Compilation, span: Span, text: str, below: bool = False) -> None:
        name, line, _ = run.sources.place(span)
        line += below
        note = Note(name, line, text)
        if note not in self.made.notes:
            self.made.notes.append(note)


def _unset_texts(run: Compilation) -> Iterator[tuple[Span, str]]:
    """The places where 4.x does not take an absent text as an empty one, and what it takes: in the body of
    `synthetic`, as the reason of `synth` and `error`, and as that of `fail`."""
    from vernis.ir.lower_values import SHOWS_UNSET, UNSET_TEXT
    from vernis.semantics.phrases import FAILED, reason_of
    from vernis.semantics.resolve import walk_statements

    assert run.program is not None
    for declaration in run.program.declarations[: run.program.builtin_from]:
        for node in walk_statements(declaration.body) if isinstance(declaration, nodes.Sub) else ():
            if isinstance(node, nodes.CallStmt) and node.call.name.text.lower() in SHOWS_UNSET:
                text = node.call.args[0].value
                for part in text.operands if isinstance(text, nodes.Sum) else (text,):
                    yield _table(run).span(part.at), UNSET_TEXT.decode()
            elif isinstance(node, nodes.Return) and len(node.args) == 2:
                status = node.args[0]
                if isinstance(status, nodes.NumberLit) and status.digits.isdecimal():
                    yield _table(run).span(node.args[1].at), reason_of(int(status.digits))
            elif isinstance(node, nodes.Return) and node.action and node.action.text == "fail":
                for reason in node.args:
                    yield _table(run).span(reason.at), FAILED
