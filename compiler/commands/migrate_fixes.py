"""The fixes that one check of a policy as 5.0 asks for, and the choice of those that go together.

A fix is applied whole or not at all. It has the edits of one finding: of an error of 5.0, or of a place that
4.x and 5.0 read differently (semantics/moves.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping

from vernis.lint.edits import Change, applied, changes_of, overlap
from vernis.record import record
from vernis.semantics.moves import Difference, Move
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Diagnostic, Edit, Span
from vernis.syntax.source import SourceMap
from vernis.syntax.tokens import TokenTable

CONDITION, ABSENT, AS_TEXT, NO_BOUND, NO_PART = "V755", "V731", "V754", "V760", "V766"

#: 4.x fails a transaction that restarts or retries more often than `max_restarts` or `max_retries` say. Their
#: default is 4, so these bounds are always true with it.
BOUNDS = {
    "if (req.restarts < 2) { ": "if (req.restarts <= 4) { ",
    "if (bereq.retries < 2) { ": "if (bereq.retries <= 4) { ",
}

SKIPS = "{} keeps that 4.x skips these checks before this return; is that meant?"

Texts = dict[str, bytes]


@record(frozen=True)
class Fix:
    """``note`` is for the user; empty if the fix needs no second thought. ``span`` is the place."""

    span: Span
    edits: tuple[Edit, ...]
    note: str = ""


def of_conditions(found: Iterable[Diagnostic]) -> list[Fix]:
    """The fixes of texts and numbers used as conditions. They come first: what they test is known to be there
    inside of the condition's block, which then needs no other fix."""
    return [Fix(item.span, item.edits) for item in found if item.code == CONDITION and item.edits]


def of_values(
    found: Iterable[Diagnostic], moves: Iterable[Move], table: TokenTable, unset: Mapping[Span, str]
) -> list[Fix]:
    """The other fixes, without those of the safety checks. ``unset`` are the texts that 4.x puts in place of
    an absent one, by its place."""
    fixes = []
    for item in found:
        if item.code == ABSENT:
            fixes.append(
                Fix(item.span, _in_parentheses(_with_default(item, unset), item.span, table.sources))
            )
        elif item.code in (AS_TEXT, NO_PART):
            fixes.append(Fix(item.span, item.edits))
        elif item.code == NO_BOUND:
            edits = tuple(Edit(edit.span, BOUNDS.get(edit.text, edit.text)) for edit in item.edits)
            fixes.append(Fix(item.span, edits, NO_BOUND))
    fixes += [
        Fix(table.span(move.at), _edits(move, table), move.difference.value)
        for move in moves
        if move.difference is not Difference.SAFETY
    ]
    return [fix for fix in fixes if fix.edits]


def _edits(move: Move, table: TokenTable) -> tuple[Edit, ...]:
    if move.difference not in (Difference.JOINED, Difference.EMPTY_MATCH):
        return move.edits
    return _in_parentheses(move.edits, table.span(move.at), table.sources)


def _in_parentheses(edits: tuple[Edit, ...], value: Span, sources: SourceMap) -> tuple[Edit, ...]:
    """Puts ``value ?? default`` in parentheses beside an operator. It binds tighter than all operators, but
    few readers know that."""
    text = sources.files[value.file].text
    before, after = text[: value.start].rstrip(), text[value.end :].lstrip()
    alone = before.endswith(("(", ",", "=")) and not before.endswith(("==", "!=", "<=", ">="))
    if not edits or alone and after.startswith((")", ",", ";")):
        return edits
    first = Edit(Span(value.file, value.start, value.start), "(" * len(edits))
    last = edits[-1]
    return (first, Edit(last.span, last.text + ")"))


def _with_default(item: Diagnostic, unset: Mapping[Span, str]) -> tuple[Edit, ...]:
    """The edits that give a value a default: an empty text, except in the places of ``unset``."""
    text = unset.get(item.span, "")
    return tuple(Edit(edit.span, edit.text.replace('""', f'"{text}"')) for edit in item.edits)


def of_safety(moves: Iterable[Move], table: TokenTable) -> list[Fix]:
    """The fixes that skip the safety checks where 4.x has none."""
    return [
        Fix(table.span(move.at), move.edits, SKIPS.format(move.edits[0].text.rstrip("; ")))
        for move in moves
        if move.difference is Difference.SAFETY
    ]


def of_versions(program: nodes.Program, table: TokenTable, may_write: Callable[[str], bool]) -> list[Fix]:
    """The fixes of the version lines. A file that may not change keeps its version, and so its rules."""
    fixes = []
    for declaration in program.declarations[: program.builtin_from]:
        if isinstance(declaration, nodes.Version) and declaration.number.startswith("4."):
            span = table.span(declaration.at)
            if not may_write(os.path.realpath(table.sources.files[span.file].name)):
                continue
            start = span.start + table.sources.text(span).index(declaration.number)
            fixes.append(Fix(span, (Edit(Span(span.file, start, start + len(declaration.number)), "5.0"),)))
    return fixes


def apply(fixes: Iterable[Fix], sources: SourceMap) -> tuple[Texts, list[Fix]]:
    """Returns the changed files by real path, and the fixes that are applied: the first of those that
    overlap."""
    taken: dict[int, list[Change]] = {}
    made = []
    for fix in fixes:
        changes = list(_changes(fix, sources))
        if all(_fits(change, taken.get(file, [])) for file, change in changes):
            made.append(fix)
            for file, change in changes:
                if change not in taken.setdefault(file, []):
                    taken[file].append(change)
    texts = {}
    for file, changed in taken.items():
        source = sources.files[file]
        changed.sort(key=lambda change: (change.start, change.end))
        texts[os.path.realpath(source.name)] = applied(source.data, changed)
    return texts, made


def _changes(fix: Fix, sources: SourceMap) -> Iterator[tuple[int, Change]]:
    for edit in fix.edits:
        yield from ((edit.span.file, change) for change in changes_of(sources.files[edit.span.file], [edit]))


def _fits(change: Change, taken: list[Change]) -> bool:
    return change in taken or not any(overlap(change, other) for other in taken)
