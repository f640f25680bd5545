"""Time of `vernis lint`: cold, warm after an edit, and by length of the policy.

    benchmarks/lint.py [--rounds 5]

* `vernis lint` in a new process, for policies of 100 to 10,000 lines in four shapes: subs of ten lines that
  vcl_recv calls (parts), one long vcl_recv (flat), one `if` with an arm on each line (arms), and one whose
  arms each test and set another field (fields). `vernis check` of the same policies, too.
* A policy of 1,000 lines in a warm process, as `--watch` lints it: a line in the middle gets another
  pattern or text in each round. CPU time, and the time that passes.

Prints medians of milliseconds: CPU time, for `lint` also the time from start to exit, and the CPU time for
each 1,000 lines, which stays equal if the time grows with the length.
Writes build/bench/lint.json.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers
import stages

VERNIS = peers.ROOT / "build/bin/vernis"
SIZES = (100, 1000, 2000, 5000, 10000)
EDITED_LINES = 1000
#: Runs in a process of its own: the warm one.
WARM = """
import gc, sys, time
from vernis import cli
from vernis.commands import lint
from vernis.commands.lint_settings import SettingsReader
from vernis.commands.linting import Linter, known_rules
path, rounds = sys.argv[1], int(sys.argv[2])
options = cli.build_parser("lint").parse_args(["lint", path])
rules = known_rules()
linter = Linter(options, rules, SettingsReader(options, rules), kept={})
lines = open(path).read().splitlines(keepends=True)
begin = '"^/' if any('"^/' in line for line in lines[len(lines) // 2 :]) else '"h'
middle = next(n for n in range(len(lines) // 2, len(lines)) if begin in lines[n])
line = lines[middle]
gc.disable()  # as the command does
for n in range(rounds + 2):
    gc.collect()
    lines[middle] = line.replace(begin, f"{begin}edit{n}/", 1)
    open(path, "w").write("".join(lines))
    began, began_cpu = time.perf_counter(), time.process_time()
    linter.lint(path, {})
    if n > 1:
        print((time.process_time() - began_cpu) * 1000, (time.perf_counter() - began) * 1000)
"""


def flat(lines: int) -> str:
    """One long vcl_recv: conditions with two tests, and two statements each."""
    rules = (
        f'    if (req.url ~ "^/a{i}/" && req.http.Cookie) {{\n'
        f'        set req.http.X-Rule = "{i}";\n        unset req.http.Cookie;\n    }}\n'
        for i in range(lines // 4)
    )
    head = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; }\n'
    return f"{head}sub vcl_recv {{\n{''.join(rules)}}}\n"


def arms(lines: int) -> str:
    """One `if` with an arm on each line."""
    more = (
        f'    elseif (req.url ~ "^/arm{i}/" && req.http.Host == "h{i % 50}.example") '
        f'{{ set req.http.X-Arm = "{i}"; }}\n'
        for i in range(lines)
    )
    head = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; }\n'
    first = '    if (req.url ~ "^/a/") { set req.http.X-Arm = "a"; }\n'
    return f"{head}sub vcl_recv {{\n{first}{''.join(more)}}}\n"


def fields(lines: int) -> str:
    """One `if` with an arm on each line, which tests a field of its own and sets another one."""
    more = (
        f'    elseif (req.http.X-Test{i} == "h{i % 50}") {{ set req.http.X-Out{i} = "{i}"; }}\n'
        for i in range(lines)
    )
    head = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; }\n'
    first = '    if (req.url ~ "^/a/") { set req.http.X-Arm = "a"; }\n'
    return f"{head}sub vcl_recv {{\n{first}{''.join(more)}}}\n"


SHAPES = {"parts": stages.policy, "flat": flat, "arms": arms, "fields": fields}


def times_ms(*argv: object) -> tuple[float, float]:
    """CPU time of a process, in user and system mode, and the time from start to exit. A policy with findings
    is exit code 1."""
    began = time.perf_counter()
    process = subprocess.Popen(list(map(str, argv)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1), f"{argv}: exit {process.returncode}"
    return (usage.ru_utime + usage.ru_stime) * 1000, wall * 1000


def warm_ms(path: Path, rounds: int) -> tuple[float, float]:
    """Medians of CPU time and of the time that passes."""
    environment = {"PYTHONPATH": f"{peers.ROOT / 'build/py'}:{peers.ROOT / 'build/ext'}", "PATH": "/usr/bin"}
    done = subprocess.run(
        [sys.executable, "-c", WARM, path, str(rounds)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    rows = [tuple(map(float, line.split())) for line in done.stdout.splitlines()]
    cpu, wall = (statistics.median(column) for column in zip(*rows))
    return cpu, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lines-max", type=int, default=SIZES[-1], help="leave out longer policies")
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.vcl"
        print(
            f"{'shape':8s}{'lines':>8s}{'check':>10s}{'lint':>10s}{'to exit':>10s}{'ms a 1,000 lines':>20s}"
        )
        for shape, make in SHAPES.items():
            for lines in (size for size in SIZES if size <= options.lines_max):
                path.write_text(make(lines))
                runs = [
                    (*times_ms(VERNIS, "check", path), *times_ms(VERNIS, "lint", path))
                    for _ in range(options.rounds)
                ]
                check, _, lint, wall = (statistics.median(column) for column in zip(*runs))
                rows.append(
                    {"shape": shape, "lines": lines, "check_ms": check, "lint_ms": lint, "lint_wall_ms": wall}
                )
                a_thousand = lint / lines * 1000
                print(
                    f"{shape:8s}{lines:8d}{check:10.0f}{lint:10.0f}{wall:10.0f}{a_thousand:20.0f}", flush=True
                )
            path.write_text(make(EDITED_LINES))
            warm, warm_wall = warm_ms(path, options.rounds)
            rows.append({"shape": shape, "lines": EDITED_LINES, "warm_ms": warm, "warm_wall_ms": warm_wall})
            print(
                f"{shape:8s}{EDITED_LINES:8d}  after an edit, warm: {warm:.0f} ms, {warm_wall:.0f} ms in all",
                flush=True,
            )
    out = peers.ROOT / "build/bench/lint.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
