"""Assertions that tell who adds something to a table what is missing, in which file, and what to write there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINES_MAX = 6


def assert_page(page: Path, made: str, command: str = "make docs") -> None:
    """The page is as its tables make it now."""
    __tracebackhide__ = True
    written = page.read_text()
    if written == made:
        return
    before, after = written.splitlines(), made.splitlines()
    differing = [f"- {line}" for line in before if line not in set(after)] + [f"+ {line}" for line in after if line not in set(before)]
    shown = [line[:160] for line in differing[:LINES_MAX]] + ["..."] * (len(differing) > LINES_MAX)
    raise AssertionError(f"{page.relative_to(ROOT)} is not what its tables make. Run `{command}` and commit the page; "
                         "it changes:\n" + "\n".join(shown or ["the order of its lines"]))


def assert_none_missing(missing: Iterable[object], what: str, advice: str) -> None:
    """Nothing is missing. ``advice`` names the file, and what to write there."""
    __tracebackhide__ = True
    names = ", ".join(str(name) for name in missing)
    assert not names, f"{what}: {names}. {advice}"
