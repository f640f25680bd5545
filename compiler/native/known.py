"""Numbers and digests of the parts of a policy, kept for the next compile of the same process.

An unchanged statement has the same blocks in the next compile (ir/fragments.py), and passes leave them as
they are. So most chunks of an edited sub consist of the same blocks as before. Such a part keeps its numbers
and its digest, if nothing outside of its blocks that they depend on has changed: see ``_Outside``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import is_

from vernis.ir import ir
from vernis.ir.facts import facts_of
from vernis.native.numbers import Numbers
from vernis.native.split import Chunk, Cut


@dataclass(slots=True)
class _Outside:
    """``constants`` are the values of other blocks that the part uses, with their ops; None: no constant.
    ``exits`` are the jumps to other chunks, and ``endings`` the blocks there whose code the part has itself;
    None: it has not. ``patterns`` are those that the part tests itself, because plain ones are in its
    code."""

    slots: list[ir.Type]
    constants: dict[ir.Value, ir.Const | None]
    exits: dict[ir.BlockId, int]
    endings: dict[ir.BlockId, ir.Block | None]
    patterns: dict[int, bytes]


@dataclass(slots=True)
class _Known:
    chunk: Chunk
    blocks: list[ir.Block]
    outside: _Outside
    numbers: Numbers
    digest: bytes


@dataclass(slots=True)
class KnownParts:
    """The parts of the last compile, by name. ``n_found`` counts those that this compile took."""

    n_found: int = 0
    _last: dict[str, _Known] = field(default_factory=dict)
    _found: dict[str, _Known] = field(default_factory=dict)
    _new: list[tuple[ir.Module, Cut, Chunk, Numbers, bytes]] = field(default_factory=list)

    def begin(self) -> None:
        """Starts a compile."""
        self.n_found = 0
        self._found.clear()
        self._new.clear()

    def find(
        self, module: ir.Module, cut: Cut, chunk: Chunk, name: str, shared: bool
    ) -> tuple[Numbers, bytes] | None:
        known = self._last.get(name)
        if known is None or known.numbers.shared != shared or known.chunk != chunk:
            return None
        blocks = cut.function.blocks[chunk.first : chunk.last + 1]
        if not all(map(is_, known.blocks, blocks)) or not _is_same(known.outside, module, cut):
            return None
        self.n_found += 1
        self._found[name] = known
        return known.numbers, known.digest

    def add(self, module: ir.Module, cut: Cut, chunk: Chunk, numbers: Numbers, digest: bytes) -> None:
        """Notes a part that ``find`` has not found."""
        self._new.append((module, cut, chunk, numbers, digest))

    def keep(self) -> None:
        """Ends a compile: its parts replace those of the last one. This takes time, so call it when the
        result is sent."""
        self._last = dict(self._found)
        for module, cut, chunk, numbers, digest in self._new:
            blocks = cut.function.blocks[chunk.first : chunk.last + 1]
            outside = _outside(module, cut, chunk, blocks)
            self._last[numbers.name] = _Known(chunk, blocks, outside, numbers, digest)
        self.begin()


def _is_same(outside: _Outside, module: ir.Module, cut: Cut) -> bool:
    return (
        all(module.regexes[number : number + 1] == [text] for number, text in outside.patterns.items())
        and outside.slots == cut.function.slots
        and all(cut.constants.get(value) is op for value, op in outside.constants.items())
        and all(cut.exit_at(target) == place for target, place in outside.exits.items())
        and all(_ending_at(cut, target) is block for target, block in outside.endings.items())
    )


def _ending_at(cut: Cut, target: ir.BlockId) -> ir.Block | None:
    return None if cut.ending_at(target) is None else cut.function.blocks[target]


def _outside(module: ir.Module, cut: Cut, chunk: Chunk, blocks: list[ir.Block]) -> _Outside:
    facts = [facts_of(block) for block in blocks]
    foreign = {value for one in facts for value in one.foreign}
    foreign -= {value for one in facts if foreign for value in one.defined}
    matches = [op for block in blocks for op in block.ops if isinstance(op, ir.Match)]
    others = {target for one in facts for target in one.targets if not chunk.holds(target)}
    return _Outside(
        slots=cut.function.slots,
        constants={value: cut.constants.get(value) for value in foreign},
        exits={target: cut.exit_at(target) for target in others},
        endings={target: _ending_at(cut, target) for target in others},
        patterns={op.regex: module.regexes[op.regex] for op in matches},
    )
