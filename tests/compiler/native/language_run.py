"""Runs random policies of the whole language in the interpreter and as native code, and counts the parts of
the language they use.

    python tests/compiler/native/language_run.py [--policies N] [--versions 4|5|both] [--seed N] [--level 0|2] [--keep DIR]
        [--progress FILE] [--seconds S]

With --progress a run that was stopped goes on where it was: the file has its next number and its counts.
Every second policy is of vcl 5.0. Prints the differences, and writes a file for each into --keep. Prints
everything of either version that fewer than 50 of its policies use, with the reason if it is left out on
purpose. The exit code is 1 if the results of a policy differed or the compiler refused a policy.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    _ROOT = Path(__file__).resolve().parents[3]
    sys.path[:0] = [str(_ROOT / "build/py"), str(_ROOT / "tests"), str(Path(__file__).parent)]

from both_ways import Behind, Start, interpreted, native, random_start
from harness import Harness
from language_coverage import MINIMUM, CountingEngine, count_policy, wanted
from goals_five import NOT_GENERATED_OF_FIVE
from random_goals import FIVE, Steering
from random_language import LABELS, LEFT_OUT, Policy, random_policy
from random_language_five import random_policy_of_five
from support.library import runtime_library
from vernis.ir import ir
from vernis.ir.ir import Action
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from vernis.native import Options, compile_module
from vernis.pipeline import LOWER, Compilation, run_stages
from vernis.pipeline import Options as PipelineOptions
from vernis.semantics.typed import Checked
from vernis.semantics.vocabulary import grammar_text
from vernis.syntax.parser import ParseOptions, parse_program
from vernis.syntax.source import SourceFile
from vernis.syntax.splice import TokenCache

SAVE_EACH = 100             # policies
KNOWS_MORE = "V741"         # the checker knows of more values than the generator that they are there
CHECK_EACH = 20             # the IR and LLVM's text are verified for one policy of so many


class Objects(dict[str, bytes]):
    """Objects of functions compiled before. Those of builtin.vcl are the same in every policy."""

    ROOM = 4000

    def put(self, key: str, content: bytes) -> None:
        if len(self) >= self.ROOM:
            self.clear()
        self[key] = content


class Runner:
    """Runs policies in two runtimes: one for compiled code, one behind the interpreter."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.n = folder, 0
        self.harness = Harness(runtime_library())
        self.behind = Behind(folder)
        self.counts: Counter[str] = Counter()
        self.steering = Steering()
        self.counts_of_five: Counter[str] = Counter()
        self.steering_of_five = Steering(five=True)
        self.refused: list[str] = []
        self.tokens, self.objects = TokenCache(), Objects()
        self.builtin = SourceFile("Builtin", grammar_text("builtin.vcl"))

    def close(self) -> None:
        self.harness.close()
        self.behind.close()

    def lowered(self, policy: Policy) -> ir.Module | None:
        engine = CountingEngine()
        options = ParseOptions(builtin=self.builtin if policy.builtin else None, cache=self.tokens, engine=engine)
        run = Compilation("random", "random.vcl", options=PipelineOptions(err_unref=False, labels=LABELS))
        run.program, found = parse_program(SourceFile("random.vcl", policy.text.encode()), options)
        run.diagnostics.items += found.items
        run_stages(run, LOWER[1:])
        if run.failed or run.module is None or run.checked is None:
            first = run.diagnostics.items[0]
            near = policy.text[max(0, first.span.start - 60):first.span.end + 10]
            self.refused.append(f"{first.code} {first.message}: {near!r}\n{policy.text}")
            return None
        self._count(run.checked, policy, engine)
        return run.module

    def _count(self, checked: Checked, policy: Policy, engine: CountingEngine) -> None:
        found = count_policy(checked, policy.hook) + Counter(engine.seen)
        five = policy.version >= FIVE[0]
        for counts in (self.counts_of_five, self.steering_of_five.counts) if five else (self.counts, self.steering.counts):
            counts.update(found)

    def difference(self, policy: Policy, starts: list[Start], level: int, check: bool = True) -> dict[str, tuple[object, object]]:
        """Results that differ between native code and the interpreter: name to (native, interpreted).
        ``check`` verifies the IR and the text of LLVM, which takes longer than everything else."""
        module = self.lowered(policy)
        if module is None:
            return {}
        if check:
            check_module(module)
        passed = run_passes(module, after_each=check_module if check else None)
        return self.compared(module, passed, policy.hook, starts, Options(level=level, verify=check, objects=self.objects))

    def compared(self, module: ir.Module, passed: ir.Module, hook: str, starts: list[Start], options: Options) -> dict[str, tuple[object,
        object]]:
        """Interprets ``module`` and runs native code of ``passed``; returns the differences."""
        self.n += 1
        out = self.folder / f"{self.n}.so"
        compile_module(passed, out, options)
        self.harness.open(out)
        self.behind.harness.open(out)
        out.unlink()
        return self._compared(module, hook, starts)

    def _compared(self, module: ir.Module, hook: str, starts: list[Start]) -> dict[str, tuple[object, object]]:
        for subject, start in (("vcl_init", starts[0]), *((hook, start) for start in starts[hook == "vcl_init":])):
            if subject == hook == "vcl_init":
                return {}                                       # vcl_init runs once
            left, right = native(self.harness, subject, start), interpreted(module, subject, start, self.behind)
            if left != right:
                return {f"{subject} {name}": (left.get(name), right.get(name)) for name in left | right
                    if left.get(name) != right.get(name)}
            if subject == "vcl_init" and left["action"] is not Action.OK:
                return {}
        return {}


def report(counts: Counter[str], five: bool) -> None:
    names = wanted(five)
    missing = [name for name in names if counts[name] < MINIMUM]
    print(f"{'5.0' if five else '4.x'}: {len(names) - len(missing)} of {len(names)} things occur in at least {MINIMUM} policies; fewer:")
    for name in missing:
        reason = (LEFT_OUT | NOT_GENERATED_OF_FIVE).get(name)
        print(f"  {counts[name]:5} {name}" + (f"   (not generated: {reason})" if reason else ""))


class Progress:
    """The numbers of the policies to run, and what became of them, kept in a file if there is one."""

    def __init__(self, path: Path | None, runner: Runner, options: argparse.Namespace) -> None:
        self.path, self.runner = path, runner
        self.next = self.differ = 0
        self.of = {"seed": options.seed, "versions": options.versions, "level": options.level}
        if path is not None and path.exists():
            self._go_on(json.loads(path.read_text()))

    def _go_on(self, kept: dict[str, Any]) -> None:
        if kept["of"] != self.of:
            sys.exit(f"{self.path} is of another run: {kept['of']}")
        self.next, self.differ, self.runner.refused = kept["next"], kept["differ"], kept["refused"]
        for counts, steering, found in zip(*self._counted(), kept["counts"]):
            counts.update(found)
            steering.counts.update(found)

    def _counted(self) -> tuple[tuple[Counter[str], ...], tuple[Steering, ...]]:
        runner = self.runner
        return (runner.counts, runner.counts_of_five), (runner.steering, runner.steering_of_five)

    def numbers(self, end: int, until: float) -> Iterator[int]:
        while self.next < end and time.monotonic() < until:
            yield self.next
            self.next += 1
            if self.next % SAVE_EACH == 0:
                self.save()
        self.save()

    def save(self) -> None:
        if self.path is None:
            return
        kept = {"of": self.of, "next": self.next, "differ": self.differ, "refused": self.runner.refused, "counts": self._counted()[0]}
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(kept))
        new.replace(self.path)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares random policies in the interpreter and as native code.")
    parser.add_argument("--policies", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--versions", choices=("4", "5", "both"), default="both")
    parser.add_argument("--level", type=int, default=0, choices=(0, 2))
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "vernis-differences")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this long")
    parser.add_argument("--progress", type=Path, help="keep the counts here, and go on from them")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder))
        progress = Progress(options.progress, runner, options)
        for number in progress.numbers(options.policies, began + options.seconds):
            rng = random.Random(options.seed << 32 | number)
            five = options.versions == "5" or options.versions == "both" and number % 2 == 1
            policy = random_policy_of_five(rng, runner.steering_of_five) if five else random_policy(rng, runner.steering)
            hook, text = policy.hook, policy.text
            refused = len(runner.refused)
            try:
                found = runner.difference(policy, [random_start(rng) for _ in range(3)], options.level, check=number % CHECK_EACH == 0)
            except Exception as error:                  # a crash of the compiler is a find, too
                found = {type(error).__name__: (str(error), "no exception")}
            if len(runner.refused) > refused:
                print(f"policy {number} ({hook}) is refused: {runner.refused[-1].splitlines()[0][:300]}", flush=True)
            if found:
                progress.differ += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}.vcl").write_text(text + "".join(f"\n# {n}: native {a!r}, interpreted {b!r}" for n, (a,
                    b) in found.items()))
                print(f"policy {number} ({hook}): " + "; ".join(f"{n}: native {a!r}, interpreted {b!r}" for n, (a,
                    b) in found.items())[:600], flush=True)
        if options.versions != "5":
            report(runner.counts, False)
        if options.versions != "4":
            report(runner.counts_of_five, True)
        refused = [text for text in runner.refused if not text.startswith(KNOWS_MORE)]
        print(f"{progress.next} policies, {runner.n} of them in {time.monotonic() - began:.0f} s now: {progress.differ} differ, "
              f"{len(refused)} refused by the compiler; in {len(runner.refused) - len(refused)} more the checker knew that the value of "
              "an `if (let ...)` is there")
    return 1 if progress.differ or refused else 0


if __name__ == "__main__":
    sys.exit(main())
