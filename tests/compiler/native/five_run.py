"""Runs random policies of vcl 5.0 in the model of random_five.py, in the interpreter and as native code.

    python tests/compiler/native/five_run.py [--policies N] [--seed N] [--native-every N] [--keep DIR] [--seconds S]

Prints the policies whose results differ, and how many policies had each form of the language. The exit code is 1 if results differed
or the compiler refused a policy.
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

import random_language
from both_ways import Start
from language_run import KNOWS_MORE, Runner
from five_meaning import FIELDS, Policy
from random_five import random_fields, random_five
from vernis.ir import ir
from support.reference.interpret import run_hook
from vernis.ir.ir import Msg
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from support.reference.world import World
from vernis.native import Options

STARTS = 6          # requests for each policy
HOOK = "vcl_recv"


def interpreted(module: ir.Module, fields: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The action and the fields that the interpreter gives."""
    world = World()
    world.variables["req_url"] = fields["url"].encode()
    for name, value in fields.items():
        if name in FIELDS:
            world.messages[Msg.REQ].set(name.encode(), value.encode())
    outcome = run_hook(module, HOOK, world)
    found = {name: world.messages[Msg.REQ].get(name.encode()) for name in FIELDS}
    found["url"] = world.variables["req_url"]
    return outcome.action.name.lower(), {name: value.decode() for name, value in found.items() if value is not None}


def lowered(runner: Runner, policy: Policy) -> ir.Module | None:
    return runner.lowered(random_language.Policy(HOOK, (5, 0), policy.text, builtin=False))


def wrong(module: ir.Module, policy: Policy, rng: random.Random) -> str:
    """Says how the interpreter differs from the model; empty if it does not."""
    for _ in range(STARTS):
        fields = random_fields(rng)
        wanted, found = policy.expected(fields), interpreted(module, fields)
        if found != wanted and not (found[0] == wanted[0] == "fail"):
            return f"{fields}: {found}, model {wanted}"
    return ""


def wrong_native(runner: Runner, module: ir.Module, passed: ir.Module, rng: random.Random, level: int) -> str:
    """Says how native code differs from the interpreter."""
    starts = [Start(b"GET", fields["url"].encode(), [(Msg.REQ, name.encode(), value.encode()) for name, value in fields.items() if name in FIELDS],
                    (b"10.1.1.1", b"\x0a\x01\x01\x01")) for fields in (random_fields(rng) for _ in range(STARTS))]
    found = runner.compared(module, passed, HOOK, starts, Options(level=level, objects=runner.objects))
    return "; ".join(f"{name}: native {a!r}, interpreted {b!r}" for name, (a, b) in found.items())


def difference(runner: Runner, policy: Policy, rng: random.Random, native: bool = True) -> str:
    """Says what differs; empty if nothing does, or if the compiler refused the policy (``runner.refused``)."""
    module = lowered(runner, policy)
    if module is None:
        return ""
    check_module(module)
    found = wrong(module, policy, rng)
    if found:
        return found
    passed = run_passes(module)
    return wrong(passed, policy, rng) or (wrong_native(runner, module, passed, rng, rng.choice((0, 2))) if native else "")


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares random policies of vcl 5.0 in a model, in the interpreter, as native code.")
    parser.add_argument("--policies", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--native-every", type=int, default=4, help="compile one policy of so many")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "vernis-differences")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this long")
    options = parser.parse_args()
    differ, began, uses, count, more = 0, time.monotonic(), Counter[str](), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder))
        for number in range(options.policies):
            if time.monotonic() - began > options.seconds:
                break
            rng = random.Random(options.seed << 32 | number)
            policy = random_five(rng)
            uses.update(policy.uses)
            count += 1
            before = len(runner.refused)
            try:
                found = difference(runner, policy, rng, number % options.native_every == 0)
            except Exception as error:                  # a crash of the compiler is a find, too
                found = f"{type(error).__name__}: {error}"
            if any(text.startswith(KNOWS_MORE) for text in runner.refused[before:]):
                more += 1
            elif len(runner.refused) > before:
                found = "refused: " + runner.refused[-1].splitlines()[0]
            if found:
                differ += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}.vcl").write_text(f"{policy.text}\n# {found}\n")
                print(f"policy {number}: {found[:400]}", flush=True)
        print(", ".join(f"{name} {uses[name]}" for name in sorted(uses)))
        print(f"{count} policies, {runner.n} as native code, in {time.monotonic() - began:.0f} s, {differ} differ or were refused; "
              f"in {more} others the checker knew that the value of an `if (let ...)` is there")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
