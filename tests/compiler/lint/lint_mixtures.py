"""Random policies with many findings: the examples of some rules and the incidents one after another. A sub may
have several definitions, so they become longer hooks."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import strategies as st

from vernis.lint.rules import all_rules

_HERE = Path(__file__).parent
_IMPORT = re.compile(r"\bimport (\w+);")
_DECLARED = re.compile(r"\b(acl|probe|backend|sub|new) (?!vcl_)(\w+)")
HEAD = 'vcl 4.1;\nbackend origin { .host = "192.0.2.1"; }\n'
PARTS = [text for rule in all_rules() if rule.version == "4.1" for text in (rule.bad, rule.good)]
PARTS += [path.read_text() for path in sorted((_HERE / "incidents").glob("*.vcl"))]


def joined(parts: list[str]) -> str:
    """One policy. The parts get own names for what they declare, and share their imports."""
    out, imported = [], set()
    for number, part in enumerate(parts):
        imported |= set(_IMPORT.findall(part))
        part = _IMPORT.sub("", part)
        for name in {match[2] for match in _DECLARED.finditer(part)}:
            part = re.sub(rf"(?<![\w.-]){name}(?![\w-])", f"{name}_{number}", part)
        out.append(part)
    return HEAD + "".join(f"import {name};\n" for name in sorted(imported)) + "\n".join(out) + "\n"


def mixtures(size: int = 8) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(PARTS), min_size=1, max_size=size).map(joined)
