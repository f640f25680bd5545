"""Findings for programs: our own JSON, and the formats of GitHub, GitLab and reviewdog."""

from __future__ import annotations

from typing import Any

from vernis.report.found import UNCHANGED, Found, Report, end_of, fingerprints, includes_of, path_of, text_of
from vernis.report.people import counts
from vernis.shown import visible
from vernis.syntax.diagnostics import Span
from vernis.syntax.source import SourceMap

Json = dict[str, Any]

#: Grows when a key changes its meaning or goes. New keys may come at any time.
FORMAT_VERSION = 1


# ---- our own -----------------------------------------------------------------------------------------------


def json_text(report: Report) -> str:
    import json

    findings = [_finding(found) for found in report.all()]
    return json.dumps({"format_version": FORMAT_VERSION, "findings": findings}, indent=1) + "\n"


def json_lines(report: Report) -> str:
    import json

    return "".join(
        json.dumps({"format_version": FORMAT_VERSION, **_finding(found)}) + "\n" for found in report.all()
    )


def json_statistics(report: Report) -> str:
    import json

    rows = [
        {"code": code, "name": name, "count": n, "fixable": n_fixable}
        for n, code, name, n_fixable in counts(report)
    ]
    return json.dumps({"format_version": FORMAT_VERSION, "statistics": rows}, indent=1) + "\n"


def _finding(found: Found) -> Json:
    """One finding. Offsets count bytes of the file, columns characters."""
    item, sources = found.item, found.sources
    return {
        **_place(item.span, sources),
        "code": item.code,
        "name": found.rule.name if found.rule is not None else "",
        "severity": item.severity.value,
        "baseline": found.state,
        "message": item.message,
        "help": item.help,
        "varnish": item.stock,
        "labels": [_place(label.span, sources) | {"text": label.text} for label in item.labels],
        "included_from": [_place(span, sources) for span in includes_of(found)],
        "fix": found.fix.title if found.fix is not None else "",
        "edits": [
            _place(edit.span, sources) | {"text": edit.text, "safe": found.is_safe} for edit in found.edits
        ],
    }


def _place(span: Span, sources: SourceMap) -> Json:
    name, line, column = sources.place(span)
    _, end_line, end_column = sources.place(end_of(span))
    return {
        "file": name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "start": span.start,
        "end": span.end,
    }


# ---- github ------------------------------------------------------------------------------------------------

_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def github(report: Report) -> str:
    """Workflow commands: GitHub shows each finding at its line of a pull request."""
    lines = []
    for found in report.new():
        item = found.item
        _, line, column = found.sources.place(item.span)
        message = f"{item.message}\n{item.help}" if item.help else item.message
        path = visible(path_of(item.span, found.sources).translate(_IN_PROPERTY))
        kind = item.severity.value.replace("note", "notice")
        place = f"file={path},line={line},col={column}"
        lines.append(f"::{kind} {place},title={item.code}::{visible(message.translate(_IN_MESSAGE))}\n")
    return "".join(lines)


# ---- gitlab ------------------------------------------------------------------------------------------------

_GITLAB_SEVERITIES = {"error": "critical", "warning": "major", "note": "info"}


def gitlab(report: Report) -> str:
    """A report of Code Quality (a subset of Code Climate's format). Its fingerprints are unique in a report,
    so they contain the path."""
    import json
    from hashlib import sha256

    rows = []
    for found, mark in fingerprints(report):
        item, sources = found.item, found.sources
        if found.state == UNCHANGED:
            continue
        path = path_of(item.span, sources)
        lines = {"begin": sources.place(item.span)[1], "end": sources.place(end_of(item.span))[1]}
        rows.append(
            {
                "description": text_of(found),
                "check_name": item.code,
                "fingerprint": sha256(f"{path}\0{mark}".encode("utf-8", "surrogateescape")).hexdigest(),
                "severity": _GITLAB_SEVERITIES[item.severity.value],
                "location": {"path": path, "lines": lines},
            }
        )
    return json.dumps(rows, indent=1) + "\n"


# ---- reviewdog ---------------------------------------------------------------------------------------------

_RD_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def rdjson(report: Report) -> str:
    """Reviewdog Diagnostic Format. It shows edits as suggestions, which a reviewer accepts or not."""
    import json

    rows = [_rd_diagnostic(found) for found in report.new()]
    return json.dumps({"source": {"name": "vernis"}, "diagnostics": rows}, indent=1) + "\n"


def _rd_diagnostic(found: Found) -> Json:
    item, sources = found.item, found.sources
    code: Json = {"value": item.code}
    if found.rule is not None:
        code["url"] = found.rule.source
    row: Json = {
        "message": text_of(found),
        "location": {"path": path_of(item.span, sources), "range": _rd_range(item.span, sources)},
        "severity": _RD_SEVERITIES[item.severity.value],
        "code": code,
    }
    if len(found.edits) == 1 and found.edits[0].span.file == item.span.file:
        [edit] = found.edits
        row["suggestions"] = [{"range": _rd_range(edit.span, sources), "text": edit.text}]
    if item.labels:
        row["relatedLocations"] = [
            {
                "message": label.text,
                "location": {"path": path_of(label.span, sources), "range": _rd_range(label.span, sources)},
            }
            for label in item.labels
        ]
    return row


def _rd_range(span: Span, sources: SourceMap) -> Json:
    return {"start": _rd_position(span, sources), "end": _rd_position(end_of(span), sources)}


def _rd_position(span: Span, sources: SourceMap) -> Json:
    """Its columns count bytes of UTF-8, from 1."""
    file = sources.files[span.file]
    line, _ = file.position(span.start)
    start = min(span.start, len(file.data)) - file.line_starts[line - 1]
    return {"line": line, "column": start + 1}
