"""Writes the numbers and names of log tags from ``runtime/log/tags.txt`` to ``log_tags.h``.

``mk/generated.mk`` runs it as a plain script. ``compiler/observe/tags.py`` reads the same file.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

WIDTH = 118
GONE = " until 7.2"  # behind the tags that Varnish 7.3 lacks


def constant(name: str) -> str:
    """HttpGarbage -> HTTP_GARBAGE, VCL_acl -> VCL_ACL, H2RxHdr -> H2_RX_HDR."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


def wrapped(words: list[str]) -> str:
    lines = ["   "]
    for word in words:
        if len(lines[-1]) + len(word) + 2 > WIDTH:
            lines.append("   ")
        lines[-1] += f" {word},"
    return "\n".join(lines)


def header(rows: list[str]) -> str:
    names, numbers, parts, gone = [""], [], [""], []
    for row in rows:
        family, is_family, words = row.removesuffix(GONE).partition(":")
        numbers.append(f"TAG_{constant(family)} = {len(names)}")
        gone += [len(names)] * row.endswith(GONE)
        names += [family + part for part in words.split()] if is_family else [family]
        parts = words.split() if is_family else parts
    later = [tag for tag in range(1, len(names)) if tag not in gone]
    later_of = [later.index(tag) + 1 if tag in later else 0 for tag in range(len(names))]
    return "\n".join(
        [
            "/* Made from runtime/log/tags.txt by mk/log_tags.py. */",
            "#ifndef VERNIS_GEN_LOG_TAGS_H",
            "#define VERNIS_GEN_LOG_TAGS_H",
            "",
            "enum log_tag {",
            wrapped([*numbers, f"TAG_COUNT = {len(names)}"]),
            "};",
            "",
            "/* Added to the first tag of a family. */",
            "enum log_part {",
            wrapped([f"LOG_{constant(part)}" for part in parts]),
            "};",
            "",
            "#define LOG_TAG_NAMES \\",
            wrapped([f'"{name}"' for name in names]).replace("\n", " \\\n"),
            "",
            "/* The numbers of the tags in Varnish 7.3 and later (0: none), and the tags of these. */",
            "#define LOG_LATER_OF_TAG \\",
            wrapped([str(number) for number in later_of]).replace("\n", " \\\n"),
            "#define LOG_TAG_OF_LATER \\",
            wrapped([str(tag) for tag in [0, *later]]).replace("\n", " \\\n"),
            "",
            "#endif",
            "",
        ]
    )


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(
        header([row for row in source.read_text().splitlines() if row and not row.startswith("#")])
    )
