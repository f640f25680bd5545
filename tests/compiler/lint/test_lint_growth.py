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
from vernis.lint.taint import Taint
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


@pytest.mark.parametrize("shape", ["arms", "fields"])
def test_an_if_of_8000_arms_takes_little_memory(tmp_path: Path, shape: str) -> None:
    policy = tmp_path / "policy.vcl"
    policy.write_text(SHAPES[shape](8000))
    command = [sys.executable, "-c", MEASURE, ROOT / "build/bin/vernis", "lint", policy]
    status, kilobytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert status in ("0", "1")
    assert int(kilobytes) * 1024 < PEAK_MAX


#: Statements of vcl_recv, each with a test of a field of its own and another field that it sets.
EACH = {
    "ifs": 'if (req.http.X-Test{i} == "h") {{ set req.http.X-Out{i} = "{i}"; }}',
    "lookups": 'if (req.http.X-Test{i} == "h") {{ set req.http.X-Out{i} = "{i}"; return (hash); }}',
    "returns": 'if (req.http.X-Test{i} == "h") {{ set req.http.X-Out{i} = "{i}"; return; }}',
}


@pytest.mark.parametrize("kind", EACH)
def test_the_walk_makes_atoms_for_changes_only(kind: str) -> None:
    """Paths that meet compare what they changed: twice the fields make twice the atoms, be it behind each `if` or at the
    end of a hook or sub."""

    def atoms(count: int) -> int:
        body = "\n".join(EACH[kind].format(i=i) for i in range(count))
        text = f"sub fields {{\n{body}\n}}\nsub vcl_recv {{ call fields; }}\n"
        text = f'vcl 4.1;\nbackend b {{ .host = "192.0.2.1"; }}\n{text}'
        run = run_stages(Compilation("test", "test.vcl", text.encode(), Options(err_unref=False)), CHECK)
        assert run.checked is not None and not run.failed
        with deep_walk():
            taint = Taint(View(run.checked))
        assert taint.sent is not None and f"bereq.http.x-out{count - 1}" in taint.sent.values
        return len(taint.atoms.all)

    few, many = atoms(500), atoms(1000)
    assert few > 1000 and many < 2 * few
