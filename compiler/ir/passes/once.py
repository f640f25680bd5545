"""Removes calls of a pure function with arguments that it had before, so that a policy that asks ten times
for ``req.url.path`` parses the URL once.

A place *knows* the result of a call if each way to it made this call, and the text of a field, a variable or
a slot if no way changed it since. This runs after pattern_sets.py, whose tests get their own subjects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from vernis.ir import ir
from vernis.ir.facts import constants, facts_of, ops_of, ways_in
from vernis.ir.flow import defined, reverse_postorder, with_values
from vernis.ir.passes.deadcode import remove_dead_values
from vernis.ir.passes.subjects import Slot, Subject, plain_subject

#: Results that a place knows, the newest ones, and results of a function that are used again. Both bound the
#: work of this pass; each of the latter may need a slot.
KNOWN_MAX, AGAIN_MAX = 64, 256
#: Accessors whose text no field of a message changes.
APART = frozenset(
    f"get_{message}_{part}" for message in ("req", "bereq") for part in ("url", "method", "proto")
)


@dataclass(slots=True, frozen=True)
class _Asked:
    """A call. ``args`` are constants, or values that stand for all that are equal to them."""

    symbol: str
    given: int | None
    args: tuple[object, ...]


#: Calls and plain subjects, and the value that has what they give.
Known: TypeAlias = dict[Subject | _Asked, ir.Value]


def call_once(module: ir.Module) -> ir.Module:
    changed = {
        name: remove_dead_values(module, function)
        for name, of_module in module.functions.items()
        if _asks_again(of_module) and (function := _Once(of_module).run()) is not of_module
    }
    return replace(module, functions={**module.functions, **changed}) if changed else module


def _is_pure(op: ir.Op) -> bool:
    return isinstance(op, ir.Call) and op.dst is not None and op.extern.pure and bool(op.args)


def _asks_again(function: ir.Function) -> bool:
    calls: Counter[str] = Counter(op.extern.symbol for op in ops_of(function, ir.Call) if _is_pure(op))
    return any(n > 1 for n in calls.values())


class _Once:
    """``same`` maps the result of a removed call to the one that replaces it, ``what`` a value to what its
    text is: equal entries are equal texts."""

    def __init__(self, function: ir.Function) -> None:
        self.function = function
        self.same: dict[ir.Value, ir.Value] = {}
        self.what: dict[ir.Value, object] = {op.dst: (op.type, op.value) for op in constants(function)}
        self.what |= {op.dst: (op.type, op.index) for op in ops_of(function, ir.Ref)}

    def run(self) -> ir.Function:
        function = self.function
        ways, known_after = ways_in(function), dict[ir.BlockId, list[Known]]()
        blocks = list(function.blocks)
        for number in reverse_postorder(function):
            known = _common(known_after.pop(number, []), ways[number])
            blocks[number] = self._block(blocks[number], known)
            for target in facts_of(function.blocks[number]).targets:
                known_after.setdefault(target, []).append(known)
        if not self.same:
            return function
        blocks = with_values(blocks, self.same)
        return ir.Function(function.name, function.types, function.slots, blocks)

    def _block(self, block: ir.Block, known: Known) -> ir.Block:
        """The block without the calls that are known at its begin, whose facts ``known`` become those of its
        end."""
        kept = [op for op in block.ops if not self._is_known(op, known)]
        return block if len(kept) == len(block.ops) else ir.Block(kept)

    def _is_known(self, op: ir.Op, known: Known) -> bool:
        """Whether the op is a call whose result is known. Notes what the op tells or ends."""
        plain = plain_subject(op)
        if plain is not None:
            dst = defined(op)
            assert dst is not None
            first = _know(known, plain, dst)
            self.what[dst] = self.what.get(first, first)
            return False
        if not _is_pure(op):
            _forget(op, known)
            return False
        assert isinstance(op, ir.Call) and op.dst is not None
        asked = _Asked(op.extern.symbol, op.given, tuple(self.what.get(arg, arg) for arg in op.args))
        first = self.what[op.dst] = _know(known, asked, op.dst)
        if first == op.dst or len(self.same) == AGAIN_MAX:
            return False
        self.same[op.dst] = first
        return True


def _know(known: Known, key: Subject | _Asked, value: ir.Value) -> ir.Value:
    """The value that is known to have what the key says: this one, if there was none."""
    first = known.setdefault(key, value)
    if len(known) > KNOWN_MAX:
        del known[next(iter(known))]
    return first


def _forget(op: ir.Op, known: Known) -> None:
    """Drops what the op may change."""
    match ir.OPS[type(op)].changes:
        case "slot":
            assert isinstance(op, ir.Store)
            known.pop(Slot(op.slot), None)
        case "field":
            assert isinstance(op, (ir.HeaderSet, ir.HeaderUnset))
            name = op.name
            _drop(known, lambda key: isinstance(key, str) and key not in APART or _is_field(key, name))
        case "anything":
            _drop(known, lambda key: isinstance(key, (str, tuple)))


def _is_field(key: Subject | _Asked, name: int) -> bool:
    """Of any message: two names may stand for one message (``req`` and ``req_top``)."""
    return isinstance(key, tuple) and key[1] == name


def _drop(known: Known, is_gone: Callable[[Subject | _Asked], bool]) -> None:
    for key in [key for key in known if is_gone(key)]:
        del known[key]


def _common(ways: list[Known], n_ways: int) -> Known:
    """The results that all ways know. A way from a later block, in a loop, is not there yet."""
    if len(ways) < n_ways or not ways:
        return {}
    first, *others = ways
    return {key: value for key, value in first.items() if all(other.get(key) == value for other in others)}
