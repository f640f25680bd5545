"""Applies each fix of lint to the policies below a folder, and compares the decisions before and after.

    make compare-fixes [CORPUS=folders] [REQUESTS=1000]

Without a folder it runs the examples of the rules and the incidents, in all forms, and policies of many findings; with
folders all fixes at once on each whole policy (corpus_policies.py) of the repositories in them. Prints each fix that
changes something its rule does not say, and each one after which the policy does not compile. Exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "build/py"), str(HERE.parents[1]), str(HERE.parent), str(HERE), str(HERE.parent / "migrate"), str(HERE.parent / "format")]
from corpus_lint import repositories_of     # noqa: E402
from corpus_policies import Repository, bare     # noqa: E402
from fix_behaviour import fixes_at_once, fixes_of, harm_at_once     # noqa: E402

POLICIES = 200      # of many findings
MISTAKES = 3000     # put into valid policies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--requests", type=int, default=1000)
    options = parser.parse_args()
    n_wrong = 0
    found = of_folders([one.resolve() for one in options.folders], options.requests) if options.folders else (
        chain(of_examples(options.requests), of_edits(options.requests)))
    for said in found:
        n_wrong += 1
        print(said, flush=True)
    print(f"{n_wrong} fixes change more than their rules say")
    return bool(n_wrong)


def of_examples(requests: int) -> Iterator[str]:
    from test_lint_fix_behaviour import FORMS, outcome_of, policies_of_many_findings

    for form in FORMS:
        run = form.run()
        for result in fixes_of(run) if not run.failed else ():
            said = outcome_of(form, run, result, requests)
            if said:
                yield f"{form.title}: {said}"
    for form in policies_of_many_findings(POLICIES):
        for unsafe in (False, True):
            for said in harm_at_once(fixes_at_once(form.run(), unsafe), requests, random.Random(form.title)):
                yield f"{form.title}: {said}"


def of_edits(requests: int, mistakes: int = MISTAKES) -> Iterator[str]:
    """Edits of the compiler that lead to another policy than the one that a mistake was put into."""
    from edit_behaviour import harm_of_edits, mistakes_in, valid_policies

    rng = random.Random(requests)
    for title, meant, wrong in mistakes_in(valid_policies(), mistakes, rng):
        said = harm_of_edits(meant, wrong, requests, rng)
        if said:
            yield f"{title}: {said}"


def of_folders(tops: list[Path], requests: int) -> Iterator[str]:
    """The fixes of each whole policy, all at once."""
    seen: set[tuple[bytes, ...]] = set()
    tried: Counter[str] = Counter()
    for folder, top in repositories_of(tops):
        for policy in Repository.read(folder).policies(None):
            shape = tuple(bare(file.data) for file in policy.run.sources.files)
            if shape in seen:
                continue
            seen.add(shape)
            fixer = fixes_at_once(policy.run, unsafe=True)
            tried.update(fix.result.rule.id for _, fixes in fixer.applied for fix in fixes)
            name = os.path.relpath(policy.run.path, top)
            for said in harm_at_once(fixer, requests, random.Random(name)):
                yield f"{name}: {said}"
    print(f"{len(seen)} policies, {tried.total()} fixes: " + ", ".join(f"{code} {n}" for code, n in sorted(tried.items())))


if __name__ == "__main__":
    sys.exit(main())
