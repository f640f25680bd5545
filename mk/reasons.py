"""Writes the ids and sentences of reasons, and the words of fetches that did not fail, from
``compiler/observe/reason_texts.py`` to ``reason_texts.h``, for the dashboard.

``mk/generated.mk`` runs it as a plain script.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

TABLES = ("REASONS", "LOG_REASONS", "DASHBOARD_REASONS")


def constant(id: str) -> str:
    return f"REASON_{id.upper().replace('-', '_')}"


def row(id: str, sentence: str) -> str:
    before, _, after = sentence.partition("{about}")
    assert "{" not in before + after, f"the reason {id} has more than one detail"
    return f"    [{constant(id)}] = {{ {', '.join(map(json.dumps, (id, before, after)))} }},"


def header(reasons: dict[str, str], unwanted: tuple[str, ...]) -> str:
    return "\n".join(
        [
            "/* Made from compiler/observe/reason_texts.py by mk/reasons.py. */",
            "#ifndef VERNIS_GEN_REASON_TEXTS_H",
            "#define VERNIS_GEN_REASON_TEXTS_H",
            "",
            "enum reason {",
            *(f"    {constant(id)}," for id in reasons),
            "};",
            "",
            "/* The details of a reason stand between `before` and `after`. */",
            "static const struct reason_text {",
            "    const char *id, *before, *after;",
            "} reason_texts[] = {",
            *(row(id, sentence) for id, sentence in reasons.items()),
            "};",
            "",
            "/* Errors of a fetch that the cache ended: no failures of the origin. */",
            f"static const char *const reason_unwanted[] = {{ {', '.join(map(json.dumps, unwanted))} }};",
            "",
            "#endif",
            "",
        ]
    )


if __name__ == "__main__":
    source, target = sys.argv[1:]
    tables = runpy.run_path(source)
    reasons = {id: text for name in TABLES for id, text in tables[name].items()}
    Path(target).write_text(header(reasons, tables["UNWANTED"]))
