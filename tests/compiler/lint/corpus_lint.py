"""Lints the policies of other people, and compares the places of the findings with a ledger.

    make lint-corpus CORPUS=folders [LEDGER=update]     # all rules
    make lint-corpus CORPUS=folders PARTS=yes           # parts of policies, too, completed from their repository
    make lint-corpus CORPUS=folders SEED=number         # what a reader judges: the rules of `recommended`

A folder has repositories in it, as work trees or as mere files; one with `fixed` and `wrapped` has them there. A repository
that two folders have is read in the first. corpus_policies.py says what a policy is, and which are whole; of policies that
differ in nothing but backends, ACLs and comments, the first is read. The ledger, corpus.tsv, has a line for each finding:
file, rule, line, severity. A line that only the ledger has is printed with `-`, a new one with `+`, the message and the line
of the policy. Lines of repositories that the folders lack are kept.

With a seed it prints the errors of the whole policies, and 200 of their warnings, with messages, and compares nothing.

Exits with 1 if the ledger has other lines.
"""

from __future__ import annotations

import argparse
import datetime
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "build/py"), str(HERE)]
from corpus_policies import Policy, Repository, bare     # noqa: E402
from vernis.lint.engine import ALL, Settings, lint     # noqa: E402
from vernis.lint.rules import all_rules     # noqa: E402

LEDGER = HERE / "corpus.tsv"
HEAD = "# Findings of lint in policies by other people: make lint-corpus CORPUS=folders LEDGER=update\nfile\trule\tline\tseverity\n"
TODAY = datetime.date(2026, 11, 1)  # for comments and rules that expire
WARNINGS = 200  # that a reader judges
PROCESSES = 4

Row = tuple[str, str, int, str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--update", action="store_true", help="write the ledger")
    parser.add_argument("--parts", action="store_true", help="complete the files that no whole policy has")
    parser.add_argument("--seed", type=int, help="print what a reader judges")
    options = parser.parse_args()
    repositories = repositories_of([folder.resolve() for folder in options.folders])
    select = ALL if options.seed is None else "recommended"
    found: dict[Row, str] = {}
    whole: dict[Row, str] = {}
    counts: Counter[bool] = Counter()
    seen: set[tuple[bytes, ...]] = set()
    with ProcessPoolExecutor(PROCESSES) as pool:
        for policies in pool.map(partial(policies_of, select, options.parts), repositories):
            for is_whole, shape, rows in policies:
                if shape not in seen:
                    seen.add(shape)
                    counts[is_whole] += 1
                    found |= rows
                    whole |= rows if is_whole else {}
    print(f"{counts[True]} whole policies, {counts[False]} completed parts")
    for name, rows in (("whole", whole), ("all", found)):
        print(f"{name}: " + ", ".join(f"{count} {severity}s" for severity, count in Counter(row[3] for row in rows).most_common()))
    if options.seed is not None:
        warnings = sorted(row for row in whole if row[3] == "warning")
        some = random.Random(options.seed).sample(warnings, min(WARNINGS, len(warnings)))
        for row in [*sorted(row for row in whole if row[3] == "error"), *sorted(some)]:
            print(*row, whole[row], sep="\t")
        return 0
    known = set(map(row_of, LEDGER.read_text().splitlines()[HEAD.count("\n"):]))
    here = {str(folder.relative_to(top)) for folder, top in repositories}
    kept = {row for row in known if not here & {*map(str, Path(row[0].replace("wrapped/", "fixed/")).parents)}}
    for row in sorted(known - kept ^ found.keys()):
        print("-" if row in known else "+", *row, found.get(row, ""), sep="\t")
    if options.update:
        LEDGER.write_text(HEAD + "".join("\t".join(map(str, row)) + "\n" for row in sorted(kept | found.keys())))
    return 0 if options.update or known - kept == found.keys() else 1


def row_of(line: str) -> Row:
    file, rule, number, severity = line.split("\t")
    return file, rule, int(number), severity


def repositories_of(tops: list[Path]) -> list[tuple[Path, Path]]:
    """Each repository, and the folder that the names of its files are relative to."""
    found: dict[str, tuple[Path, Path]] = {}
    for top in tops:
        below = top / "fixed" if (top / "fixed").is_dir() else top
        for folder in sorted(folder for folder in below.iterdir() if folder.is_dir()):
            found.setdefault(folder.name, (folder, top))
    return list(found.values())


def policies_of(select: str, parts: bool, place: tuple[Path, Path]) -> list[tuple[bool, tuple[bytes, ...], dict[Row, str]]]:
    """Of each policy of a repository: whether it is whole, its texts without what varies, and its findings. Files of
    ``wrapped`` count where the same file of ``fixed`` made no policy."""
    folder, top = place
    policies = Repository.read(folder).policies(top / "wrapped" / folder.name if parts else None)
    return [(one.whole, tuple(bare(file.data) for file in one.run.sources.files), dict(findings(one, top, select)))
            for one in policies]


def findings(policy: Policy, top: Path, select: str) -> Iterator[tuple[Row, str]]:
    """The place of each finding, and its message with the line of the policy."""
    run = policy.run
    assert run.checked is not None
    for result in lint(run.checked, all_rules(), Settings((select,), today=TODAY)):
        file, line, _ = run.sources.place(result.finding.span)
        text = next((source.data for source in run.sources.files if source.name == file), b"").splitlines()
        words = text[line - 1].decode("utf-8", "replace").strip() if line <= len(text) else ""
        severity = result.diagnostic.severity.name.lower()
        yield (os.path.relpath(file, top), result.rule.id, line, severity), f"{result.finding.message}\t{words}"


if __name__ == "__main__":
    sys.exit(main())
