"""The cost of each rule grows with the length of a policy, and the memory does, too."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from vernis.lint.rule import Rule
from vernis.lint.rules import all_rules
from vernis.lint.view import View
from vernis.pipeline import CHECK, Compilation, Options, run_stages
from vernis.semantics.check import deep_walk

ROOT = Path(__file__).resolve().parents[3]
LINES, TIMES = 300, 4
GROWTH_MAX = 1.3  # of a linear one: tables of names and the built-in policy cost the same for each length
PEAK_MAX = 300 << 20


def shapes() -> dict[str, Any]:
    """The policies of the benchmark."""
    path = ROOT / "benchmarks/lint.py"
    spec = importlib.util.spec_from_file_location("benchmarks_lint", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.SHAPES  # type: ignore[no-any-return]


SHAPES = shapes()


def lines_run(text: str) -> Counter[str]:
    """The number of lines of Python that each rule runs, those of loops each time. Facts that rules share count for
    the first one that asks."""
    run = run_stages(Compilation("test", "test.vcl", text.encode(), Options(err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed
    view = View(run.checked)
    found: Counter[str] = Counter()

    def judge(rule: Rule) -> None:
        count = 0

        def trace(frame: FrameType, event: str, _: object) -> Any:
            nonlocal count
            count += 1
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            list(rule.check(view))
        finally:
            sys.settrace(before)
        found[rule.id] = count

    with deep_walk():
        for rule in all_rules():
            judge(rule)
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_each_rule_grows_with_the_length(shape: str) -> None:
    few, many = lines_run(SHAPES[shape](LINES)), lines_run(SHAPES[shape](LINES * TIMES))
    assert sum(many.values()) > 2 * sum(few.values())  # the shape gives the rules something to do
    grown = {rule: many[rule] / few[rule] / TIMES for rule in many}
    assert {rule: growth for rule, growth in grown.items() if growth > GROWTH_MAX} == {}


#: Runs a command and prints the KB that it took at most. The kernel counts the memory of the process that starts a
#: program as the program's own, so a small one has to start it.
MEASURE = """import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_an_if_of_8000_arms_takes_little_memory(tmp_path: Path) -> None:
    policy = tmp_path / "policy.vcl"
    policy.write_text(SHAPES["arms"](8000))
    command = [sys.executable, "-c", MEASURE, ROOT / "build/bin/vernis", "lint", policy]
    status, kilobytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert status in ("0", "1")
    assert int(kilobytes) * 1024 < PEAK_MAX
