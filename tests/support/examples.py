"""The suites of the examples that need nothing but a build: a module of its own has to be built first."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example_suites() -> list[Path]:
    return sorted(path for path in EXAMPLES.rglob("*.test.vcl") if path.parent.name != "module")
