"""Applies the edits of the compiler, and compares the result with the policy that was meant.

    python tests/compiler/edit_behaviour.py

writes tests/data/mended.txt: what the edits change in each policy of the tables of mistakes. Read the difference before
you commit it: each line after `+` is what the author of the line before it meant.
"""

from __future__ import annotations

import difflib
import random
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "build/py"), str(ROOT / "tests"), str(ROOT / "mk"), *(str(ROOT / "tests/compiler" / room) for room in ("", "lint", "migrate", "format"))]
from fix_behaviour import Pair, changed_declarations, changed_decisions  # noqa: E402
from lint_five import HEAD_FIVE, in_five  # noqa: E402
from lint_helpers import head_of  # noqa: E402
from seeded_mistakes import comments, seeded, words  # noqa: E402

from vernis.ir.lower import lower  # noqa: E402
from vernis.lint.edits import applied, changes_of, overlap  # noqa: E402
from vernis.lint.rules import all_rules  # noqa: E402
from vernis.pipeline import CHECK, Compilation, Options, run_stages  # noqa: E402
from vernis.syntax.diagnostics import Diagnostic  # noqa: E402

TABLE = ROOT / "tests/data/mended.txt"
ROUNDS_MAX = 6      # one mistake may hide another


def checked(text: bytes, err_unref: bool = False) -> Compilation:
    return run_stages(Compilation("policy", "policy.vcl", text, Options(err_unref=err_unref)), CHECK)


def edited(text: bytes, run: Compilation, items: list[Diagnostic] | None = None) -> bytes:
    """The text after the edits of all findings; of two that overlap the first."""
    taken: list[tuple[int, int, str]] = []
    for item in run.diagnostics.items if items is None else items:
        changes = changes_of(run.sources.files[0], item.edits)
        if not any(overlap(change, other) and change != other for change in changes for other in taken):
            taken += [change for change in changes if change not in taken]
    return applied(text, sorted(taken, key=lambda change: (change.start, change.end)))


def mended(text: bytes) -> tuple[bytes, Compilation] | None:
    """The policy that all edits lead to; None if an error is left, which the author sees."""
    for _ in range(ROUNDS_MAX):
        run = checked(text)
        after = edited(text, run)
        if after == text:
            return None if run.failed else (text, run)
        text = after
    return None


def harm_of_edits(meant: bytes, wrong: bytes, n: int, rng: random.Random) -> str:
    """What a policy does otherwise than the one that was meant, after the edits; empty if they do the same, or if the
    author sees an error."""
    first = checked(wrong)
    if not first.failed:
        return harm_of_warnings(wrong, first, n, rng)
    result = mended(wrong)
    if result is None:
        return ""
    text, run = result
    before, after = meant.decode(), text.decode()
    if comments(before) != comments(after):
        return f"other comments: {after}"
    if words(before) == words(after):
        return ""
    said = _difference(checked(meant), run, n, rng)
    return said and f"{said}\n{after}"


def harm_of_warnings(text: bytes, run: Compilation, n: int, rng: random.Random) -> str:
    """What the edits of a policy that compiles change; there must be nothing."""
    after = edited(text, run)
    if after == text:
        return ""
    if comments(text.decode()) != comments(after.decode()):
        return f"other comments: {after.decode()}"
    result = checked(after)
    if result.failed:
        return f"does not compile: {after.decode()}"
    said = _difference(run, result, n, rng)
    return said and f"{said}\n{after.decode()}"


def _difference(before: Compilation, after: Compilation, n: int, rng: random.Random) -> str:
    assert before.checked is not None and after.checked is not None
    one, other = lower(before.checked), lower(after.checked)
    declared = changed_declarations(one, other)
    if declared:
        return f"other {', '.join(sorted(declared))}"
    return next((str(changed) for changed in changed_decisions(Pair(one, other), n, rng)), "")


def mistakes_in(policies: Sequence[tuple[str, str]], n: int, rng: random.Random) -> Iterator[tuple[str, bytes, bytes]]:
    """Title, policy and policy with a mistake. Each kind of mistake has the same share."""
    made = 0
    while made < n:
        title, text = rng.choice(policies)
        found = list(seeded(text))
        kind = rng.choice(sorted({what.partition(":")[0] for what, _ in found}))
        what, wrong = rng.choice([one for one in found if one[0].startswith(kind)])
        yield f"{title}: {what}", text.encode(), wrong.encode()
        made += 1


@cache
def valid_policies() -> tuple[tuple[str, str], ...]:
    """The examples of lint's rules and its incidents, in 4.1 and 5.0."""
    texts = [(rule.id, rule.version, text) for rule in all_rules() for text in (rule.bad, rule.good)]
    incidents = ROOT / "tests/compiler/lint/incidents"
    texts += [(path.stem, "4.1", path.read_text()) for path in sorted(incidents.glob("*.vcl"))]
    found = [(title, f"{head_of(version)}{text}\n") for title, version, text in texts]
    found += [(f"{title} in 5.0", f"{HEAD_FIVE}{five}\n") for title, version, text in texts if version != "5.0" and (five := in_five(text)) is not None]
    return tuple((title, text) for title, text in found if not checked(text.encode()).failed)


# ---- the tables of mistakes ----------------------------------------------------------------------------------------


def policies_of_tables() -> dict[str, bytes]:
    from test_advice import all_policies

    return dict(all_policies())


def change_of(text: bytes) -> str:
    """The lines that the edits change, as a diff without context; empty if an error is left."""
    try:
        result = mended(text)
        before, after = text.decode(), b"" if result is None else result[0]
    except UnicodeDecodeError:
        return ""
    if result is None or after == text:
        return ""
    lines = difflib.unified_diff(before.splitlines(), after.decode().splitlines(), lineterm="", n=0)
    return "".join(f"{line}\n" for line in lines if not re.match(r"---|\+\+\+|@@", line))


def changes_of_table() -> dict[str, str]:
    sections = re.split(r"^=== ", TABLE.read_text(), flags=re.M)[1:]
    return dict(section.split("\n", 1) for section in sections)


def main() -> int:
    found = {title: change_of(text) for title, text in policies_of_tables().items()}
    TABLE.write_text("".join(f"=== {title}\n{change}" for title, change in found.items() if change))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
