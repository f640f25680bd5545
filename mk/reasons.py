"""Writes the reasons of ``compiler/observe/reason_texts.py`` to ``reason_texts.h``, with the lines of the
built-in policy where each of its subs decides.

``mk/generated.mk`` runs it as a plain script.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
from pathlib import Path

SUB = re.compile(r"^sub (\w+) \{\n(?:[^}\n][^\n]*\n|\n)*\}", re.MULTILINE)


def constant(id: str) -> str:
    return f"REASON_{id.upper().replace('-', '_')}"


def row(id: str, sentence: str) -> str:
    before, _, after = sentence.partition("{about}")
    assert "{" not in before + after, f"the reason {id} has more than one detail"
    return f"    [{constant(id)}] = {{ {', '.join(map(json.dumps, (id, before, after)))} }},"


def builtin_rows(policy: str, decided: dict[tuple[str, str], str]) -> list[str]:
    lines = {
        found[1]: (1 + policy.count("\n", 0, found.start()), 1 + policy.count("\n", 0, found.end()))
        for found in SUB.finditer(policy)
    }
    return [
        f"    {{ {lines[sub][0]}, {lines[sub][1]}, {json.dumps(action)}, {constant(id)} }},"
        for (sub, action), id in decided.items()
    ]


def header(reasons: dict[str, str], builtin: list[str]) -> str:
    return "\n".join(
        [
            "/* Made from compiler/observe/reason_texts.py and grammar/builtin.vcl by mk/reasons.py. */",
            "#ifndef VERNIS_GEN_REASON_TEXTS_H",
            "#define VERNIS_GEN_REASON_TEXTS_H",
            "",
            "enum reason {",
            "    REASON_NONE,",
            *(f"    {constant(id)}," for id in reasons),
            "    REASONS",
            "};",
            "",
            "/* The details of a reason stand between `before` and `after`. */",
            "static const struct reason_text {",
            "    const char *id, *before, *after;",
            "} reason_texts[REASONS] = {",
            '    [REASON_NONE] = { "-", "", "" },',
            *(row(id, sentence) for id, sentence in reasons.items()),
            "};",
            "",
            "/* The lines of a sub of the built-in policy, and what it decides by an action. */",
            "__attribute__((unused)) static const struct reason_builtin {",
            "    unsigned first, last;",
            "    const char *action;",
            "    enum reason reason;",
            "} reason_builtin[] = {",
            *builtin,
            "};",
            "",
            "#endif",
            "",
        ]
    )


if __name__ == "__main__":
    source, policy, target = sys.argv[1:]
    tables = runpy.run_path(source)
    rows = builtin_rows(Path(policy).read_text(), tables["BUILTIN"])
    Path(target).write_text(header(tables["REASONS"] | tables["LOG_REASONS"], rows))
