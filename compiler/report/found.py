"""Findings with all that formats print about them, and the places of their texts."""

from __future__ import annotations

import os
from collections.abc import Iterator

from vernis.lint.rule import Fix, Rule
from vernis.record import field, record
from vernis.syntax.diagnostics import Diagnostic, Edit, Span
from vernis.syntax.source import SourceMap


@record(frozen=True)
class Found:
    """A finding. ``rule`` and ``fix`` are None for those of the compiler, whose edits are always safe."""

    item: Diagnostic
    sources: SourceMap
    rule: Rule | None = None
    fix: Fix | None = None

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.item.edits if self.fix is None else self.fix.edits

    @property
    def is_safe(self) -> bool:
        return self.fix is None or self.fix.safe


@record
class Policy:
    """A policy that was read: its file, and its findings in order."""

    name: str
    found: list[Found] = field(default_factory=list)


@record
class Report:
    """All policies of a run, in the order of the command line."""

    policies: list[Policy]

    def all(self) -> Iterator[Found]:
        return (found for policy in self.policies for found in policy.found)


def without_repeats(policies: list[Policy]) -> list[Policy]:
    """Two policies may include one file: each finding there counts once."""
    seen: set[object] = set()
    kept = []
    for policy in policies:
        keys = [_key(found) for found in policy.found]
        kept.append(Policy(policy.name, [f for key, f in zip(keys, policy.found) if key not in seen]))
        seen.update(keys)
    return kept


def _key(found: Found) -> object:
    item = found.item
    name = found.sources.files[item.span.file].name
    return os.path.normpath(name), item.span.start, item.span.end, item.code, item.message


def includes_of(found: Found) -> Iterator[Span]:
    """The places of the includes that lead to the finding's file, the nearest first."""
    number = found.item.span.file
    while number in found.sources.asked:
        span = found.sources.asked[number]
        yield span
        number = span.file


def end_of(span: Span) -> Span:
    return Span(span.file, span.end, span.end)


def path_of(span: Span, sources: SourceMap) -> str:
    """The path of a file for tools that know the repository: relative to the current folder if below it."""
    name = os.path.normpath(sources.files[span.file].name)
    if os.path.isabs(name):
        relative = os.path.relpath(name)
        return name if relative.startswith(os.pardir) else relative
    return name


def text_of(found: Found) -> str:
    """Message and remedy as one text."""
    item = found.item
    return f"{item.message}. {item.help}" if item.help else item.message


def fingerprints(report: Report) -> Iterator[tuple[Found, str]]:
    """A fingerprint for each finding: equal from run to run while its line, rule and file have the same text,
    also if the line moves."""
    from hashlib import sha256

    count: dict[tuple[str, ...], int] = {}
    for found in report.all():
        span, sources = found.item.span, found.sources
        file = sources.files[span.file]
        line = file.line_bytes(file.position(span.start)[0]).strip().decode("latin-1")
        key = (path_of(span, sources), found.item.code, found.item.message, line)
        count[key] = count.get(key, 0) + 1
        digest = sha256("\0".join([*key, str(count[key])]).encode("utf-8", "surrogateescape"))
        yield found, digest.hexdigest()
