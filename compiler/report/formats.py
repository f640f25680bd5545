"""The formats of `--format`, by name. Their modules load when they are used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from vernis.report.found import Report

FORMATS = {
    "text": "people.text",
    "full": "people.full",
    "concise": "people.concise",
    "json": "programs.json_text",
    "json-lines": "programs.json_lines",
    "sarif": "sarif.sarif",
    "junit": "markup.junit",
    "github": "programs.github",
    "gitlab": "programs.gitlab",
    "checkstyle": "markup.checkstyle",
    "rdjson": "programs.rdjson",
}
#: Formats with the lines of the policy, which have colours on a terminal.
FOR_PEOPLE = ("text", "full")
#: Formats of the counts of `--statistics`, by the format of the findings.
STATISTICS = {
    "text": "people.statistics",
    "full": "people.statistics",
    "concise": "people.statistics",
    "json": "programs.json_statistics",
}


def written(report: Report, name: str) -> str:
    """The text of a report. ``name`` is a value of a table above."""
    module, _, function = name.partition(".")
    write: Callable[[Report], str] = getattr(import_module(f"vernis.report.{module}"), function)
    return write(report)
