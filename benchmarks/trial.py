"""Tests a second of `vernis test`: a generated suite of tests, each of one request and one expectation.

    benchmarks/trial.py [--tests 10000] [--rounds 3] [--limit TESTS_A_SECOND]

The policy is examples/quickstart. The time includes the start of Python, reading the suite and compiling the
policy. Prints the best of the rounds. With --limit, the exit code is 1 if it is slower.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERNIS = ROOT / "build/bin/vernis"
POLICY = ROOT / "examples/quickstart/quickstart.vcl"
TEST = """test "page {n} is fetched" {{
    request("/page/{n}");
    expect(miss && resp.status == 200);
}}
"""


def seconds(folder: Path, n: int) -> float:
    began = time.perf_counter()
    found = subprocess.run([VERNIS, "test", folder], capture_output=True, text=True, check=True)
    took = time.perf_counter() - began
    assert f"{n} passed, 0 failed" in found.stdout, found.stdout
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tests", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=0.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(POLICY, folder / "p.vcl")
        texts = (TEST.format(n=n) for n in range(options.tests))
        (folder / "p.test.vcl").write_text("vcl 4.1;\n" + "".join(texts))
        best = min(seconds(folder, options.tests) for _ in range(options.rounds))
    rate = options.tests / best
    cores = len(os.sched_getaffinity(0))
    print(f"{options.tests} tests in {best:.2f} s on {cores} processors: {rate:.0f} tests a second")
    return int(rate < options.limit)


if __name__ == "__main__":
    sys.exit(main())
