"""Static Analysis Results Interchange Format 2.1.0 (OASIS). The rules are the codes that were found."""

from __future__ import annotations

import os
from typing import Any

from vernis.report.found import Found, Known, Report, end_of, fingerprints, includes_of, text_of
from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.source import SourceMap

Json = dict[str, Any]


def sarif(report: Report) -> str:
    import json

    from vernis.version import VERSION

    first = {found.item.code: found for found in reversed(list(report.all()))}
    codes = sorted(first)
    driver: Json = {"name": "vernis", "version": VERSION, "rules": [_rule(first[code]) for code in codes]}
    results = [_result(found, codes.index(found.item.code), mark) for found, mark in fingerprints(report)]
    results += map(_absent, report.absent)
    log: Json = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, indent=1) + "\n"


def _rule(found: Found) -> Json:
    from vernis.semantics.codes import ALL_CODES

    code, rule = found.item.code, found.rule
    info = ALL_CODES.get(code)
    if rule is not None:
        title, text = rule.name, f"{rule.what} {rule.why}"
    elif info is not None:
        title, text = info.title, f"{info.what} {info.why}"
    else:
        return {"id": code}
    page: Json = {
        "id": code,
        "shortDescription": {"text": title},
        "fullDescription": {"text": text},
        "help": {"text": f"vernis explain {code}"},
    }
    if rule is None:
        return page
    level = {"level": rule.severity.value}
    own = {"name": rule.name, "helpUri": rule.source, "defaultConfiguration": level}
    return page | own | {"properties": {"tags": list(rule.profiles)}}


def _result(found: Found, rule: int, fingerprint: str) -> Json:
    item, sources = found.item, found.sources
    result: Json = {
        "ruleId": item.code,
        "ruleIndex": rule,
        "level": item.severity.value,
        "message": {"text": text_of(found)},
        "locations": [_location(item.span, sources)],
        "partialFingerprints": {"vernis/v2": fingerprint},
    }
    if found.state:
        result["baselineState"] = found.state
    related = [(label.span, label.text) for label in item.labels]
    related += [(span, "included from here") for span in includes_of(found)]
    if related:
        result["relatedLocations"] = [
            _location(span, sources) | {"message": {"text": text}} for span, text in related
        ]
    if found.edits and found.is_safe:
        result["fixes"] = [_fix(found)]
    return result


def _absent(known: Known) -> Json:
    """A finding of the baseline that is gone."""
    place = {"artifactLocation": {"uri": _uri(known.path)}, "region": {"startLine": known.line}}
    return {
        "ruleId": known.rule,
        "baselineState": "absent",
        "message": {"text": "this finding of the baseline is gone"},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"vernis/v2": known.fingerprint},
    }


def _fix(found: Found) -> Json:
    """The changes of a safe fix, by file. Unsafe ones are left out: a viewer applies fixes without asking."""
    by_file: dict[int, list[Edit]] = {}
    for edit in found.edits:
        by_file.setdefault(edit.span.file, []).append(edit)
    sources = found.sources
    fix: Json = {
        "artifactChanges": [
            {
                "artifactLocation": _artifact(edits[0].span, sources),
                "replacements": [
                    {"deletedRegion": _region(edit.span, sources), "insertedContent": {"text": edit.text}}
                    for edit in edits
                ],
            }
            for edits in by_file.values()
        ]
    }
    return fix if found.fix is None else fix | {"description": {"text": found.fix.title}}


def _location(span: Span, sources: SourceMap) -> Json:
    place = {"artifactLocation": _artifact(span, sources), "region": _region(span, sources)}
    return {"physicalLocation": place}


def _artifact(span: Span, sources: SourceMap) -> Json:
    return {"uri": _uri(sources.files[span.file].name)}


def _uri(name: str) -> str:
    """An absolute path becomes a file: URI; a relative one stays relative to the reader's root."""
    from urllib.parse import quote

    path = quote(os.fsencode(os.path.normpath(name)))
    return f"file://{path}" if os.path.isabs(name) else path


def _region(span: Span, sources: SourceMap) -> Json:
    _, line, column = sources.place(span)
    _, end_line, end_column = sources.place(end_of(span))
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "byteOffset": span.start,
        "byteLength": span.end - span.start,
    }
