"""Runs random policies of the whole language in the interpreter and as native code, and counts what they held.

    python tests/compiler/native/language_run.py [--policies N] [--seed N] [--level 0|2] [--keep DIR]

Prints differences (a file each in --keep), and everything of the language that fewer than 50 of the policies had, with the
reason where it is left out on purpose. The exit code is 1 if anything differed or a policy was refused.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

if __name__ == "__main__":
    _ROOT = Path(__file__).resolve().parents[3]
    sys.path[:0] = [str(_ROOT / "build/py"), str(_ROOT / "tests"), str(Path(__file__).parent)]

from both_ways import Start, interpreted, native, random_start  # noqa: E402
from harness import Harness  # noqa: E402
from language_coverage import MINIMUM, count_grammar, count_policy, wanted  # noqa: E402
from random_language import NOT_GENERATED, random_policy  # noqa: E402
from runtime.policy.library import runtime_library  # noqa: E402
from vernis.ir import ir  # noqa: E402
from vernis.ir.passes import run_passes  # noqa: E402
from vernis.ir.verify import check_module  # noqa: E402
from vernis.native import Options, compile_module  # noqa: E402
from vernis.pipeline import LOWER, Compilation, run_stages  # noqa: E402
from vernis.pipeline import Options as PipelineOptions  # noqa: E402


class Runner:
    def __init__(self, folder: Path) -> None:
        self.harness, self.folder, self.n = Harness(runtime_library()), folder, 0
        self.counts: Counter[str] = Counter()
        self.refused: list[str] = []

    def lowered(self, text: str, hook: str) -> ir.Module | None:
        run = Compilation("random", "random.vcl", text=text.encode(), options=PipelineOptions(err_unref=False))
        run_stages(run, LOWER)
        if run.failed or run.module is None or run.checked is None:
            first = run.diagnostics.items[0]
            text = f"{text[first.span.start - 30:first.span.end + 10]!r}\n{text}"
            self.refused.append(f"{first.code} {first.message}: {text}")
            return None
        own = Compilation("random", "random.vcl", text=text.encode(), options=PipelineOptions(err_unref=False, builtin=False))
        run_stages(own, LOWER)
        if own.checked is not None:
            self.counts += count_policy(own.checked, hook)
        self.counts += count_grammar(text)
        check_module(run.module)
        return run.module

    def difference(self, text: str, hook: str, starts: list[Start], level: int) -> dict[str, tuple[object, object]]:
        """What native code and the interpreter do not agree on: name to (native, interpreted)."""
        module = self.lowered(text, hook)
        if module is None:
            return {}
        self.n += 1
        out = self.folder / f"{self.n}.so"
        compile_module(run_passes(module, after_each=check_module), out, Options(level=level, verify=True))
        self.harness.load(out)
        out.unlink()
        for start in starts:
            left, right = native(self.harness, hook, start), interpreted(module, hook, start)
            if left != right:
                return {name: (left.get(name), right.get(name)) for name in left | right if left.get(name) != right.get(name)}
        return {}


def report(runner: Runner) -> None:
    missing = [name for name in wanted() if runner.counts[name] < MINIMUM]
    print(f"{len(wanted()) - len(missing)} of {len(wanted())} things occur in at least {MINIMUM} policies; fewer:")
    for name in missing:
        parts = name.split()
        reason = NOT_GENERATED.get(name) or (NOT_GENERATED.get(parts[1]) if len(parts) > 1 else None)
        print(f"  {runner.counts[name]:5} {name}" + (f"   (not generated: {reason})" if reason else ""))


def main() -> int:
    parser = argparse.ArgumentParser(description="Random policies of the whole language, interpreter against native code.")
    parser.add_argument("--policies", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", type=int, default=0, choices=(0, 2))
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "vernis-differences")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this long")
    options = parser.parse_args()
    differ, began = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder))
        for number in range(options.policies):
            if time.monotonic() - began > options.seconds:
                break
            rng = random.Random(options.seed << 32 | number)
            hook, _, text = random_policy(rng)
            found = runner.difference(text, hook, [random_start(rng) for _ in range(3)], options.level)
            if found:
                differ += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}.vcl").write_text(text + "".join(f"\n# {n}: native {a!r}, interpreted {b!r}" for n, (a, b) in found.items()))
                print(f"policy {number} ({hook}): " + "; ".join(f"{n}: native {a!r}, interpreted {b!r}" for n, (a, b) in found.items())[:600])
        for text in runner.refused[:10]:
            print("refused:", text.splitlines()[0][:300])
        report(runner)
        print(f"{runner.n} policies in {time.monotonic() - began:.0f} s, {differ} differ, {len(runner.refused)} refused by the compiler")
    return 1 if differ or runner.refused else 0


if __name__ == "__main__":
    sys.exit(main())
