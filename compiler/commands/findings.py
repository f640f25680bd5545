"""Prints the findings of `check` in the formats of `--format`: for people (text), for grep (concise), for
programs (json, sarif), and as annotations of GitHub workflows (github)."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from vernis.pipeline import Compilation, rendered_diagnostics
from vernis.syntax.diagnostics import Diagnostic, Edit, Severity, Span

Json = dict[str, Any]


def print_findings(runs: list[Compilation], form: str) -> None:
    """``form`` is a key of :data:`FORMATS`."""
    sys.stdout.write(plain(FORMATS[form](runs)))


def plain(text: str) -> str:
    """Replaces characters that the locale cannot print, and bytes that are not UTF-8, by escapes."""
    return text.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(
        sys.stdout.encoding or "utf-8"
    )


def _all(runs: list[Compilation]) -> Iterator[tuple[Compilation, Diagnostic]]:
    return ((run, item) for run in runs for item in run.diagnostics.items)


# ---- for people --------------------------------------------------------------------------------------------


def _text(runs: list[Compilation]) -> str:
    text = "\n".join(filter(None, map(rendered_diagnostics, runs)))
    if not text or not os.isatty(1):
        return text
    text += f"\n{_summary(runs)}\n"
    return (
        _coloured(text)
        if not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
        else text
    )


def _summary(runs: list[Compilation]) -> str:
    errors = sum(item.severity is Severity.ERROR for _, item in _all(runs))
    warnings = sum(1 for _ in _all(runs)) - errors
    return f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"


_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m", "help": "\x1b[1;32m"}


def _coloured(text: str) -> str:
    """Colours messages for a terminal. Lines of the policy begin with a blank and stay plain."""
    text = re.sub(
        r"^(\S.*?: )(error|warning|note)(\[[A-Z]+\d+\])?: (.*)$",
        lambda m: f"{m[1]}{_COLOURS[m[2]]}{m[2]}{m[3] or ''}{_PLAIN}: {_BOLD}{m[4]}{_PLAIN}",
        text,
        flags=re.M,
    )
    text = re.sub(r"^help:", f"{_COLOURS['help']}help{_PLAIN}:", text, flags=re.M)
    return re.sub(
        r"^( +\|\s+)([\^-]+)$",
        lambda m: f"{m[1]}{_COLOURS['error' if '^' in m[2] else 'note']}{m[2]}{_PLAIN}",
        text,
        flags=re.M,
    )


def _concise(runs: list[Compilation]) -> str:
    lines = []
    for run, item in _all(runs):
        name, line, column = run.sources.place(item.span)
        lines.append(f"{name}:{line}:{column}: {item.severity.value}[{item.code}] {item.message}\n")
    return "".join(lines)


# ---- json: our own -----------------------------------------------------------------------------------------


def _json(runs: list[Compilation]) -> str:
    import json

    return json.dumps([_finding(item, run) for run, item in _all(runs)], indent=1) + "\n"


def _finding(item: Diagnostic, run: Compilation) -> Json:
    """One finding. Offsets count bytes of the file."""
    name, line, column = run.sources.place(item.span)
    return {
        "file": name,
        "line": line,
        "column": column,
        "start": item.span.start,
        "end": item.span.end,
        "code": item.code,
        "severity": item.severity.value,
        "message": item.message,
        "help": item.help,
        "varnish": item.stock,
        "labels": [
            {"file": place[0], "line": place[1], "column": place[2], "text": label.text}
            for label in item.labels
            for place in [run.sources.place(label.span)]
        ],
        "edits": [
            {
                "file": run.sources.files[edit.span.file].name,
                "start": edit.span.start,
                "end": edit.span.end,
                "text": edit.text,
            }
            for edit in item.edits
        ],
    }


# ---- sarif -------------------------------------------------------------------------------------------------


def _sarif(runs: list[Compilation]) -> str:
    """Static Analysis Results Interchange Format 2.1.0 (OASIS): one run, whose rules are the codes of its
    findings."""
    import json

    from vernis.version import VERSION

    codes = sorted({item.code for _, item in _all(runs)})
    driver: Json = {"name": "vernis", "version": VERSION, "rules": [_rule(code) for code in codes]}
    results = [_result(item, run, codes.index(item.code)) for run, item in _all(runs)]
    log: Json = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, indent=1) + "\n"


def _rule(code: str) -> Json:
    from vernis.semantics.codes import ALL_CODES

    from vernis.lint.rules import rule_of

    info, rule = ALL_CODES.get(code), rule_of(code)
    if info is not None:
        title, text = info.title, f"{info.what} {info.why}"
    elif rule is not None:
        title, text = rule.name, f"{rule.what} {rule.why}"
    else:
        return {"id": code}
    page: Json = {
        "id": code,
        "shortDescription": {"text": title},
        "fullDescription": {"text": text},
        "help": {"text": f"vernis explain {code}"},
    }
    return page if rule is None else page | {"name": rule.name, "helpUri": rule.source}


def _result(item: Diagnostic, run: Compilation, rule: int) -> Json:
    text = f"{item.message}. {item.help}" if item.help else item.message
    result: Json = {
        "ruleId": item.code,
        "ruleIndex": rule,
        "level": item.severity.value,
        "message": {"text": text},
        "locations": [_location(item.span, run)],
    }
    if item.labels:
        result["relatedLocations"] = [
            _location(label.span, run) | {"message": {"text": label.text}} for label in item.labels
        ]
    if item.edits:
        result["fixes"] = [{"artifactChanges": [_change(edit, run) for edit in item.edits]}]
    return result


def _location(span: Span, run: Compilation) -> Json:
    return {"physicalLocation": {"artifactLocation": _artifact(span, run), "region": _region(span, run)}}


def _artifact(span: Span, run: Compilation) -> Json:
    """The file as a URI. An absolute path becomes a file: URI; a relative one stays relative to the reader's
    root."""
    from urllib.parse import quote

    name = run.sources.files[span.file].name
    path = quote(os.fsencode(os.path.normpath(name)))
    return {"uri": f"file://{path}" if os.path.isabs(name) else path}


def _change(edit: Edit, run: Compilation) -> Json:
    return {
        "artifactLocation": _artifact(edit.span, run),
        "replacements": [{"deletedRegion": _region(edit.span, run), "insertedContent": {"text": edit.text}}],
    }


def _region(span: Span, run: Compilation) -> Json:
    _, line, column = run.sources.place(span)
    _, end_line, end_column = run.sources.place(Span(span.file, span.end, span.end))
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "byteOffset": span.start,
        "byteLength": span.end - span.start,
    }


# ---- github ------------------------------------------------------------------------------------------------

_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def _github(runs: list[Compilation]) -> str:
    """Workflow commands: GitHub shows each finding at its line of a pull request."""
    lines = []
    for run, item in _all(runs):
        name, line, column = run.sources.place(item.span)
        text = f"{item.message}\n{item.help}" if item.help else item.message
        place = f"file={name.translate(_IN_PROPERTY)},line={line},col={column}"
        kind = item.severity.value.replace("note", "notice")
        lines.append(f"::{kind} {place},title={item.code}::{text.translate(_IN_MESSAGE)}\n")
    return "".join(lines)


FORMATS: dict[str, Callable[[list[Compilation]], str]] = {
    "text": _text,
    "concise": _concise,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
}
