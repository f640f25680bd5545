"""Lints every whole policy below a folder with all rules, and compares the places of the findings with a ledger.

    make lint-corpus CORPUS=folder [LEDGER=update]

A policy is a `.vcl` file that passes the check, by itself or with what its includer has; one whose texts all were
linted before is left out. The ledger, corpus.tsv, has a line for each finding: file, rule, line, severity. A line that
only the ledger has is printed with `-`, a new one with `+`, the message and the line of the policy.

Exits with 1 if the ledger has other lines.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "build/py"), str(HERE), str(HERE.parent / "format")]
from corpus_texts import checked, include_folders, whole_texts     # noqa: E402
from vernis.lint.engine import ALL, Settings, lint     # noqa: E402
from vernis.lint.rules import all_rules     # noqa: E402
from vernis.pipeline import Compilation     # noqa: E402

LEDGER = HERE / "corpus.tsv"
HEAD = "# Findings of lint in policies by other people: make lint-corpus CORPUS=folder LEDGER=update\nfile\trule\tline\tseverity\n"
TODAY = datetime.date(2026, 11, 1)  # for comments and rules that expire

Row = tuple[str, str, int, str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--update", action="store_true", help="write the ledger")
    options = parser.parse_args()
    found: dict[Row, str] = {}
    for run in policies(options.folder):
        found.update(findings(run, options.folder))
    known = set(map(row_of, LEDGER.read_text().removeprefix(HEAD).splitlines()))
    for row in sorted(known ^ found.keys()):
        print("-" if row in known else "+", *row, found.get(row, ""), sep="\t")
    if options.update:
        LEDGER.write_text(HEAD + "".join("\t".join(map(str, row)) + "\n" for row in sorted(found)))
    for severity, count in Counter(row[3] for row in found).most_common():
        print(f"{count:6} {severity}")
    return 0 if options.update or known == found.keys() else 1


def row_of(line: str) -> Row:
    file, rule, number, severity = line.split("\t")
    return file, rule, int(number), severity


def policies(top: Path) -> Iterator[Compilation]:
    """The whole policies below a folder, each once. `raw` has the files of `fixed` and `wrapped` as they were published."""
    seen = set()
    for path in sorted(path for path in top.rglob("*.vcl") if path.is_file() and path.relative_to(top).parts[0] != "raw"):
        folders = include_folders(path, top)
        runs = (checked(path, text, folders, {}) for text in whole_texts(path, folders))
        run = next((run for run in runs if not run.failed), None)
        if run is not None and (texts := tuple(file.data for file in run.sources.files)) not in seen:
            seen.add(texts)
            yield run


def findings(run: Compilation, top: Path) -> Iterator[tuple[Row, str]]:
    """The place of each finding, and its message with the line of the policy."""
    assert run.checked is not None
    for result in lint(run.checked, all_rules(), Settings((ALL,), today=TODAY)):
        file, line, _ = run.sources.place(result.finding.span)
        text = next((source.data for source in run.sources.files if source.name == file), b"").splitlines()
        words = text[line - 1].decode("utf-8", "replace").strip() if line <= len(text) else ""
        severity = result.diagnostic.severity.name.lower()
        yield (os.path.relpath(file, top), result.rule.id, line, severity), f"{result.finding.message}\t{words}"


if __name__ == "__main__":
    sys.exit(main())
