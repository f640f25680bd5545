"""The fixes that one check of a policy as 5.0 asks for, and the choice of those that go together.

A fix is applied whole or not at all. It has the edits of one finding: of an error of 5.0, or of a place that
4.x and 5.0 read differently (semantics/moves.py).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from vernis.lint.edits import Change, applied, changes_of, overlap
from vernis.record import record
from vernis.semantics.moves import Difference, Move
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Diagnostic, Edit, Span
from vernis.syntax.source import SourceMap
from vernis.syntax.tokens import TokenTable
from vernis.syntax.walk import nodes_in

CONDITION, ABSENT, AS_TEXT, NO_BOUND, NO_PART = "V755", "V731", "V754", "V760", "V766"
ALWAYS_SET = "V732"
CACHING = "caching 4.1;"
OLD_CACHING = "old caching"

#: 4.x fails a transaction that restarts or retries more often than `max_restarts` or `max_retries` say. Their
#: default is 4, so these bounds are always true with it.
BOUNDS = {
    "if (req.restarts < 2) { ": "if (req.restarts <= 4) { ",
    "if (bereq.retries < 2) { ": "if (bereq.retries <= 4) { ",
}

#: What follows the version on its line: a comment, and the line's end; or space before something else.
_REST_OF_LINE = re.compile(r"([ \t]*(?:(?:#|//)[^\r\n]*)?)(\r?\n|\Z)|([ \t]*)")
NEWLINE = "\n"

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
    fixes = [_of_move(move, table) for move in moves if move.difference is Difference.SORT]
    for item in found:
        if item.code == ABSENT:
            fixes.append(
                Fix(item.span, _in_parentheses(_with_default(item, unset), item.span, table.sources))
            )
        elif item.code in (AS_TEXT, NO_PART, ALWAYS_SET):
            fixes.append(Fix(item.span, item.edits))
        elif item.code == NO_BOUND:
            edits = tuple(Edit(edit.span, BOUNDS.get(edit.text, edit.text)) for edit in item.edits)
            fixes.append(Fix(item.span, edits, NO_BOUND))
    fixes += [_of_move(move, table) for move in moves if move.difference is not Difference.SORT]
    return [fix for fix in fixes if fix.edits]


def _of_move(move: Move, table: TokenTable) -> Fix:
    return Fix(table.span(move.at), _edits(move, table), move.difference.value)


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


def of_needless_tests(program: nodes.Program, table: TokenTable, found: Iterable[Diagnostic]) -> list[Fix]:
    """The fixes of tests that always hold in 5.0: an operand of `&&` goes, and so does the whole condition of
    an `if` without another arm. Other tests stay, with the warning: what never runs is not ours to delete."""
    spans = {item.span for item in found if item.code == ALWAYS_SET and not item.edits}
    if not spans:
        return []
    fixes: list[Fix] = []
    for declaration in program.declarations[: program.builtin_from]:
        for node in nodes_in(declaration.body) if isinstance(declaration, nodes.Sub) else ():
            if isinstance(node, nodes.And):
                fixes += _without_operands(node, table, spans)
            elif isinstance(node, nodes.If) and len(node.arms) == 1:
                arm = node.arms[0]
                condition = arm.condition
                while isinstance(condition, nodes.Paren):
                    condition = condition.inner
                if isinstance(condition, nodes.Presence) and table.span(condition.at) in spans:
                    fixes.append(Fix(table.span(condition.at), _unwrapped(node, arm.body, table)))
    return [fix for fix in fixes if fix.edits]


def _unwrapped(node: nodes.If, body: nodes.Block, table: TokenTable) -> tuple[Edit, ...]:
    """The edits that leave the statements of an `if` without it: in its column if they have lines of their
    own. None if they stand in several files."""
    first, last = node.at[0], body.at[1]
    file = table.files[first]
    if set(table.files[first : last + 1]) != {file}:
        return ()
    text = table.sources.files[file].text
    head = Span(file, table.starts[first], table.ends[body.at[0]])
    tail = Span(file, table.starts[last], table.ends[last])
    line, inner = text.rfind("\n", 0, head.start) + 1, text.find("\n", head.end) + 1
    closing = text.rfind("\n", 0, tail.start) + 1
    between = text[line : head.start], text[head.end : inner], text[closing : tail.start]
    if inner == 0 or closing < inner or any(part.strip() for part in between):
        return _bare(body, head, tail, text)
    after = text.find("\n", tail.end) + 1
    tail_end = after if after and not text[tail.end : after].strip() else tail.end
    edits = [Edit(Span(file, line, inner), "")]
    starts = {table.starts[token] for token in range(body.at[0] + 1, last)}
    deeper = _indent(text, inner) - _indent(text, line)
    while inner < closing:  # not inside of a text of several lines
        if deeper > 0 and inner + _indent(text, inner) in starts and _indent(text, inner) >= deeper:
            edits.append(Edit(Span(file, inner, inner + deeper), ""))
        inner = text.index("\n", inner) + 1
    return (*edits, Edit(Span(file, closing, tail_end), ""))


def _indent(text: str, line: int) -> int:
    end = line
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    return end - line


def _bare(body: nodes.Block, head: Span, tail: Span, text: str) -> tuple[Edit, ...]:
    """One statement stands alone; several stay a block, which needs no `if`."""
    if len(body.statements) != 1:
        return (Edit(Span(head.file, head.start, head.end - 1), ""),)
    spaces = len(text[head.end :]) - len(text[head.end :].lstrip())
    end = len(text[: tail.start].rstrip())
    spans = (Span(head.file, head.start, head.end + spaces), Span(tail.file, end, tail.end))
    return tuple(Edit(span, "") for span in spans)


def _without_operands(node: nodes.And, table: TokenTable, spans: Container[Span]) -> Iterator[Fix]:
    """An operand goes with the `&&` before it; the first one with that behind it."""
    places = [table.span(operand.at) for operand in node.operands]
    for number, place in enumerate(places):
        if not isinstance(node.operands[number], nodes.Presence):
            continue
        if place in spans and number > 0 and places[number - 1].file == place.file:
            yield Fix(place, (Edit(Span(place.file, places[number - 1].end, place.end), ""),))
        elif place in spans and number == 0 and places[1].file == place.file:
            yield Fix(place, (Edit(Span(place.file, place.start, places[1].start), ""),))


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


def of_caching(program: nodes.Program, table: TokenTable, is_policy: Callable[[str], bool]) -> Iterator[Fix]:
    """The declaration behind the version that keeps the caching of 4.x, in the main file and in included
    files that are policies, too. It is on the line of the version, so that errors keep their lines."""
    seen = set()
    for declaration in program.declarations[: program.builtin_from]:
        if isinstance(declaration, nodes.Version) and declaration.number == "5.0":
            span = table.span(declaration.at)
            is_wanted = span.file == 0 or is_policy(os.path.realpath(table.sources.files[span.file].name))
            if is_wanted and span.file not in seen:
                seen.add(span.file)
                yield Fix(span, (Edit(Span(span.file, span.end, span.end), f" {CACHING}"),))


def of_caching_lines(program: nodes.Program, table: TokenTable) -> Iterator[Fix]:
    """The line of its own for this declaration."""
    version: Span | None = None
    for declaration in program.declarations[: program.builtin_from]:
        span = table.span(declaration.at)
        if isinstance(declaration, nodes.Caching) and version is not None and version.file == span.file:
            rest = _REST_OF_LINE.match(table.sources.files[span.file].text, span.end)
            assert rest is not None
            start, end = (rest.end(1),) * 2 if rest[2] is not None else (span.end, rest.end(3))
            text = f"{rest[2] or NEWLINE}{CACHING}{NEWLINE if rest[2] is None else ''}"
            edits = (
                Edit(Span(span.file, version.end, span.end), ""),
                Edit(Span(span.file, start, end), text),
            )
            yield Fix(version, edits, OLD_CACHING)
        version = span if isinstance(declaration, nodes.Version) else None


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
