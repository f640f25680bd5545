"""Chooses the fixes that can be applied together, and makes the new texts."""

from __future__ import annotations

import os
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable

from vernis.lint.edits import Change, applied, changes_of, overlap
from vernis.lint.engine import Result
from vernis.lint.rule import Fix
from vernis.record import field, record
from vernis.syntax.source import SourceMap


@record(frozen=True)
class Planned:
    """A fix with its changes by the real path of the file."""

    result: Result
    changes: tuple[tuple[str, Change], ...]


@record
class Plan:
    """``elsewhere`` are names of files that fixes would change but may not."""

    fixes: list[Planned] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)


def plan(
    results: Iterable[Result], sources: SourceMap, may_write: Callable[[str], bool], unsafe: bool
) -> Plan:
    """The first fix of those that overlap, whole or not at all. Two fixes that make the same change agree."""
    made = Plan()
    taken: dict[str, list[Change]] = {}
    for result in results:
        fix = result.finding.fix
        if fix is None or not (fix.safe or unsafe):
            continue
        changes = _changes(fix, sources)
        paths = {path for path, _ in changes if not may_write(path)}
        if paths:
            made.elsewhere |= paths
        elif all(_fits(change, taken.get(path, [])) for path, change in changes):
            made.fixes.append(Planned(result, changes))
            for path, change in changes:
                _take(change, taken.setdefault(path, []))
    return made


def _changes(fix: Fix, sources: SourceMap) -> tuple[tuple[str, Change], ...]:
    changes = [
        (os.path.realpath(sources.files[number].name), change)
        for number in dict.fromkeys(edit.span.file for edit in fix.edits)
        for change in changes_of(sources.files[number], [e for e in fix.edits if e.span.file == number])
    ]
    return tuple(dict.fromkeys(changes))


def _key(change: Change) -> tuple[int, int, bytes]:
    return change.start, change.end, change.data


def _fits(change: Change, taken: list[Change]) -> bool:
    """Whether a change is among those that are taken, or overlaps none of them. They are in order and do not
    overlap, so only its neighbours can."""
    at = bisect_left(taken, _key(change), key=_key)
    near = taken[max(at - 1, 0) : at + 1]
    return change in near or not any(overlap(change, other) for other in near)


def _take(change: Change, taken: list[Change]) -> None:
    at = bisect_left(taken, _key(change), key=_key)
    if taken[at : at + 1] != [change]:
        insort(taken, change, key=_key)


def new_texts(fixes: Iterable[Planned], text_of: Callable[[str], bytes]) -> dict[str, bytes]:
    """The texts with the fixes, by real path."""
    by_path: dict[str, list[Change]] = {}
    for fix in fixes:
        for path, change in fix.changes:
            _take(change, by_path.setdefault(path, []))
    return {path: applied(text_of(path), changes) for path, changes in by_path.items()}
