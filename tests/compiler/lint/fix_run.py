"""Applies each fix of lint to the policies below a folder, and compares the decisions before and after.

    make compare-fixes [CORPUS=folder] [REQUESTS=1000]

Without a folder it runs the examples of the rules and the incidents, in all forms. Prints each fix that changes
something its rule does not say, and each one after which the policy does not compile. Exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "build/py"), str(HERE.parents[1]), str(HERE.parent), str(HERE), str(HERE.parent / "migrate"), str(HERE.parent / "format")]
from corpus_run import checked     # noqa: E402
from corpus_texts import include_folders, whole_texts     # noqa: E402
from fix_behaviour import fixed, fixes_of, harm     # noqa: E402
from vernis.ir.lower import lower     # noqa: E402

MISTAKES = 3000     # put into valid policies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--requests", type=int, default=1000)
    options = parser.parse_args()
    if options.folder is None:
        wrong = [*of_examples(options.requests), *of_edits(options.requests)]
    else:
        wrong = list(of_folder(options.folder, options.requests))
    print("\n".join(wrong) or "no fix changes more than its rule says")
    return bool(wrong)


def of_examples(requests: int) -> Iterator[str]:
    from test_lint_fix_behaviour import FORMS, outcome_of

    for form in FORMS:
        run = form.run()
        for result in fixes_of(run) if not run.failed else ():
            said = outcome_of(form, result, requests)
            if said:
                yield f"{form.title}: {said}"


def of_edits(requests: int, mistakes: int = MISTAKES) -> Iterator[str]:
    """Edits of the compiler that lead to another policy than the one that a mistake was put into."""
    from edit_behaviour import harm_of_edits, mistakes_in, valid_policies

    rng = random.Random(requests)
    for title, meant, wrong in mistakes_in(valid_policies(), mistakes, rng):
        said = harm_of_edits(meant, wrong, requests, rng)
        if said:
            yield f"{title}: {said}"


def of_folder(top: Path, requests: int) -> Iterator[str]:
    seen: set[tuple[bytes, ...]] = set()
    tried: Counter[str] = Counter()
    for path in sorted(path for path in top.rglob("*.vcl") if path.is_file()):
        folders = include_folders(path, top)
        for text in whole_texts(path, folders):
            run = checked(path, text, folders, {})
            texts = tuple(file.data for file in run.sources.files)
            if run.failed or texts in seen:
                continue
            seen.add(texts)
            assert run.checked is not None
            before = lower(run.checked)
            for result in fixes_of(run):
                tried[result.rule.id] += 1
                after = checked(path, text, folders, fixed(run, result))
                name = f"{path.relative_to(top)}:{run.sources.place(result.finding.span)[1]}"
                if after.failed or after.checked is None:
                    yield f"{name}: {result.rule.id}: does not compile: {after.diagnostics.items[0].message}"
                else:
                    said = harm(run, result, before, lower(after.checked), requests, random.Random(name))
                    if said:
                        yield f"{name}: {said}"
            break
    print(", ".join(f"{code} {n}" for code, n in sorted(tried.items())))


if __name__ == "__main__":
    sys.exit(main())
