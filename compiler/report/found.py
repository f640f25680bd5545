"""Findings with all that formats print about them, and the places of their texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from vernis.lint.rule import Fix, Rule
from vernis.record import field, record
from vernis.syntax.diagnostics import Diagnostic, Edit, Span
from vernis.syntax.source import SourceMap


#: States of a finding beside a baseline, in the words of SARIF. Without a baseline it has none.
NEW, UNCHANGED = "new", "unchanged"

#: The begin of a declaration with a name, at the begin of a line.
_DECLARATION = re.compile(rb"^[ \t]*(?:sub|backend|probe|acl|fn|table)[ \t]+([\w.-]+)", re.M)


@record(frozen=True)
class Found:
    """A finding. ``rule`` and ``fix`` are None for those of the compiler."""

    item: Diagnostic
    sources: SourceMap
    rule: Rule | None = None
    fix: Fix | None = None
    state: str = ""

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.item.edits if self.fix is None else self.fix.edits

    @property
    def is_safe(self) -> bool:
        if self.fix is not None:
            return self.fix.safe
        from vernis.semantics.codes import ALL_CODES  # only findings need the table

        info = ALL_CODES.get(self.item.code)
        return info is None or not info.author_decides


@record
class Policy:
    """A policy that was read: its file, and its findings in order."""

    name: str
    found: list[Found] = field(default_factory=list)

    @property
    def new(self) -> list[Found]:
        """Without those of the baseline."""
        return [found for found in self.found if found.state != UNCHANGED]


@record(frozen=True)
class Known:
    """A finding of a baseline. ``fingerprint`` is one of :func:`fingerprints`; the other fields tell people
    which finding it is. ``file`` is relative to the folder of the baseline, ``path`` as for other tools, and
    ``line`` was its line when the baseline was written."""

    rule: str
    file: str
    sub: str
    line: int
    fingerprint: str
    path: str = ""


@record
class Report:
    """All policies of a run, in the order of the command line. ``absent`` are findings of the baseline that
    are gone."""

    policies: list[Policy]
    absent: list[Known] = field(default_factory=list)

    def all(self) -> Iterator[Found]:
        return (found for policy in self.policies for found in policy.found)

    def new(self) -> Iterator[Found]:
        """Those that the baseline does not have."""
        return (found for found in self.all() if found.state != UNCHANGED)


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


def declaration_of(found: Found) -> str:
    """The name of the sub, or of another declaration, that begins last before the end of a finding's line;
    empty before the first one."""
    span = found.item.span
    data = found.sources.files[span.file].data
    names = _DECLARATION.findall(data[: data.find(b"\n", span.start) % (len(data) + 1)])
    return names[-1].decode("utf-8", "replace") if names else ""


def fingerprints(report: Report) -> Iterator[tuple[Found, str]]:
    """A fingerprint for each finding. It stays when the line moves, gets other spaces, or when the words of
    the message change; it changes with the rule, the text of the line and the declaration around it. Equal
    lines of one file count from 1. The path of the file is no part of it."""
    from hashlib import sha256

    count: dict[tuple[str, ...], int] = {}
    for found in report.all():
        span, sources = found.item.span, found.sources
        file = sources.files[span.file]
        line = b"".join(file.line_bytes(file.position(span.start)[0]).split()).decode("latin-1")
        key = (path_of(span, sources), found.item.code, declaration_of(found), line)
        count[key] = count.get(key, 0) + 1
        yield found, sha256("\0".join([*key[1:], str(count[key])]).encode()).hexdigest()
