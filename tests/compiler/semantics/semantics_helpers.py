"""Helpers for tests of the checker: the findings of a policy, and the expectations that its text contains.

An expectation is a comment on the line of the finding: ``### V301 "INT is not DURATION"``. The message must
contain the quoted text. Several findings on one line have one comment each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from vernis.semantics.check import analyse
from vernis.semantics.hosts import warn_of_unresolved
from vernis.semantics.options import Options
from vernis.semantics.typed import Checked
from vernis.semantics.vocabulary import grammar_text
from vernis.syntax.diagnostics import Diagnostic, Severity
from vernis.syntax.nodes import Program
from vernis.syntax.parser import ParseOptions, parse_text
from vernis.syntax.source import SourceFile

EXPECTATION = re.compile(r'### (V\d{3})(?: "([^"]*)")?')
HOSTS = {"localhost": [b"\x7f\0\0\1", b"\0" * 15 + b"\1"], "ten.example": [b"\x0a\0\0\1"]}
DATA = Path(__file__).resolve().parents[2] / "data"

BUILTIN = SourceFile("builtin.vcl", grammar_text("builtin.vcl"))


def resolver(host: str) -> list[bytes]:
    """Resolves host names for tests without network access."""
    return HOSTS.get(host, [])


OPTIONS = Options(resolver=resolver)


@dataclass(slots=True)
class Finding:
    code: str
    severity: Severity
    line: int
    message: str
    source: Diagnostic


@dataclass(slots=True)
class Result:
    program: Program
    checked: Checked
    findings: list[Finding]

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings]

    @property
    def one(self) -> Finding:
        assert len(self.findings) == 1, self.findings
        return self.findings[0]


def check(text: str, options: Options = OPTIONS) -> Result:
    """Findings of a policy together with the built-in policy, those of the parser first."""
    program, syntax = parse_text(text, options=ParseOptions(builtin=BUILTIN))
    checked, found = analyse(program, options)
    if not found.failed:
        warn_of_unresolved(checked, found, ask=lambda host: not host.endswith(".invalid"))
    findings = [Finding(item.code, item.severity, program.sources.place(item.span)[1], item.message, item)
                for item in [*syntax.items, *found.items]]
    return Result(program, checked, findings)


def policy(body: str, version: str = "4.1") -> str:
    """A policy with one backend, ``origin``, on its first line."""
    return f"vcl {version}; backend origin none;\n{body}\n"


def recv(body: str) -> str:
    return policy(f"sub vcl_recv {{ {body} }}")


def expectations(text: str) -> list[tuple[int, str, str]]:
    """Expectations in the text: (line, code, part of the message)."""
    return [(number, code, part) for number, line in enumerate(text.splitlines(), 1)
            for code, part in EXPECTATION.findall(line)]


def assert_as_written(text: str, result: Result) -> None:
    """The findings are exactly those that the text expects, on those lines."""
    wanted = expectations(text)
    assert sorted((line, code) for line, code, _ in wanted) == sorted((f.line, f.code) for f in result.findings), \
        "\n".join(f"{f.line}: {f.code} {f.message}" for f in result.findings)
    for line, code, part in wanted:
        messages = [f.message for f in result.findings if (f.line, f.code) == (line, code)]
        assert any(part in message for message in messages), (part, messages)
