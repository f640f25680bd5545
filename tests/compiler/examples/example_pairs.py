"""Runs both versions of each example policy on the same random requests, and compares what their hooks do.

    example_pairs.py [--requests 10000] [--seed 1]

Prints for each example how many requests were compared, the first difference, and the branches that no request has
reached. Exits with 1 if there is a difference or such a branch.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "migrate"))
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "build/py"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import example_requests as draws
from example_requests import Request
from same_behaviour import done
from vernis.ir import ir
from vernis.ir.ir import Module, Msg
from vernis.ir.lower import lower
from support.reference.world import Message, World
from vernis.pipeline import CHECK, Compilation, Options, run_stages

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"


@dataclass(slots=True, frozen=True)
class Pair:
    """A policy in 4.1 and in 5.0, and what draws requests for them."""

    old: Path
    new: Path
    draw: Callable[[list[Module], random.Random], Request]


PAIRS = {
    "quickstart": Pair(EXAMPLES / "quickstart/quickstart.vcl", EXAMPLES / "quickstart/quickstart5.vcl", draws.quickstart),
    "site": Pair(EXAMPLES / "site/site.vcl", EXAMPLES / "site/site5.vcl", draws.site),
    "canary": Pair(EXAMPLES / "module/canary.vcl", EXAMPLES / "module/canary5.vcl", draws.canary),
}


def module_of(path: Path, text: bytes | None = None) -> Module:
    """The policy, with counters for its branches."""
    options = Options(vmod_path=(str(EXAMPLES / "module"),))
    run = run_stages(Compilation("policy", str(path), text, options), CHECK)
    assert run.checked is not None and not run.failed, path
    return lower(run.checked, coverage=True)


@dataclass(slots=True)
class Both:
    """The modules of a pair, and how often each of their places ran."""

    pair: Pair
    old: Module
    new: Module
    ran: tuple[Counter[int], Counter[int]]

    def difference(self, request: Request) -> str | None:
        """The first hook that does something else, and what."""
        pure = {op.extern.symbol for module in (self.old, self.new) for function in module.functions.values()
                for block in function.blocks for op in block.ops if isinstance(op, ir.Call) and op.extern.pure}
        for hook in ir.HOOKS:
            results = []
            for module, ran in zip((self.old, self.new), self.ran, strict=True):
                world = world_of(request)
                result = done(module, hook, _Given(world))      # type: ignore[arg-type]
                calls = result["calls"]
                assert isinstance(calls, list)
                result["calls"] = [call for call in calls if call[0] not in pure and not call[0].startswith(("set_", "unset_"))]
                ran.update(world.rule_hits)
                results.append(result)
            old, new = results
            if old != new:
                return f"{hook}: " + "; ".join(f"{key}: {old[key]!r} became {new[key]!r}" for key in old if old[key] != new[key])
        return None

    def not_reached(self) -> list[str]:
        """The places of both policies that no request has reached."""
        return [
            f"{path.name}:{module.sites[rule.site].line}: {spot.kind.name.lower()}"
            for path, module, ran in zip((self.pair.old, self.pair.new), (self.old, self.new), self.ran, strict=True)
            for number, (rule, spot) in enumerate(zip(module.rules, module.spots, strict=True)) if not ran[number]
        ]


@dataclass(slots=True)
class _Given:
    made: World

    def world(self) -> World:
        return self.made


def world_of(request: Request) -> World:
    world = World(messages={msg: Message([(n, v) for m, n, v in request.fields if m is msg]) for msg in Msg})
    world.variables, world.answers = dict(request.variables), dict(request.answers)
    return world


def compare(pair: Pair, n: int, seed: int, changed: bytes | None = None) -> list[str]:
    """The faults: the first difference of ``n`` requests, and branches that none has reached. ``changed`` is another
    text of the new policy."""
    modules = Both(pair, module_of(pair.old), module_of(pair.new, changed), (Counter(), Counter()))
    rng = random.Random(seed)
    for number in range(n):
        request = pair.draw([modules.old, modules.new], rng)
        found = modules.difference(request)
        if found is not None:
            return [f"request {number}: {found}; {request}"]
    return [f"not reached: {place}" for place in modules.not_reached()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = False
    for name, pair in PAIRS.items():
        faults = compare(pair, options.requests, options.seed)
        failed |= bool(faults)
        print(f"{name}: {'; '.join(faults) or f'{options.requests} requests, the same behaviour, every branch reached'}", flush=True)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
