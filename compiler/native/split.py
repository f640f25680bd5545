"""Cuts long functions into chunks, so that LLVM's work stays linear in the length of a policy.

A chunk is a run of adjacent blocks that becomes one LLVM function, in an object of its own. A chunk returns
an *exit*, the number of the chunk and of its entry where control continues, so any control flow can be cut.
Values pass between blocks in slots. The slots of a cut function are in a frame that all its chunks share.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from itertools import chain
from zlib import crc32

from vernis.ir import ir
from vernis.ir.facts import all_facts, constants, facts_of
from vernis.ir.flow import Rewriter, defined, pruned, reachable, uses

CHUNK_OPS = 600  # about a hundred statements
CUT_EVERY = 8  # of the blocks in the second half of a chunk, one may end it
FRAME_BYTES_MAX = 32 * 1024  # the frame shared by the chunks; a hook runs on a fiber's small stack
SLOT_BYTES = 16  # a text, the largest value
#: Exits start here, above all actions. The low bits are the entry, by its place in ``Chunk.entries``.
EXIT_BASE, ENTRY_BITS = 1 << 29, 16
#: Targets of a switch that is a table of exits, in a chunk of its own. So its code does not depend on the
#: number of rules.
TABLE_TARGETS_MIN = 8


class PolicyTooLarge(Exception):
    """The sub ``name`` needs more stack than a hook has. The author of the policy can divide it into several
    subs."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(slots=True, frozen=True)
class Chunk:
    """Blocks ``first`` to ``last`` inclusive. ``entries`` are the blocks that other chunks jump to, and block
    0. ``order`` lists the blocks with dominating blocks first."""

    first: int
    last: int
    entries: tuple[int, ...]
    order: tuple[int, ...]

    def holds(self, block: int) -> bool:
        return self.first <= block <= self.last


@dataclass(slots=True)
class Cut:
    """A function and its chunks; one chunk if it is short."""

    function: ir.Function
    chunks: list[Chunk]
    _constants: dict[ir.Value, ir.Const] | None = None
    _exits: dict[ir.BlockId, int] = field(default_factory=dict)

    def exit_at(self, block: ir.BlockId) -> int:
        """The exit of a chunk to a block of another one."""
        if not self._exits:
            assert len(self.chunks) << ENTRY_BITS < EXIT_BASE
            assert all(len(chunk.entries) <= 1 << ENTRY_BITS for chunk in self.chunks)
            self._exits = {
                entry: EXIT_BASE + (number << ENTRY_BITS) + place
                for number, chunk in enumerate(self.chunks)
                for place, entry in enumerate(chunk.entries)
            }
        return self._exits[block]

    def table_of(self, chunk: Chunk, op: ir.Switch) -> bytes | None:
        """The exits of a switch to other chunks, as an array of uint32_t. None: the switch jumps."""
        if len(op.targets) < TABLE_TARGETS_MIN or any(map(chunk.holds, op.targets)):
            return None
        return struct.pack(f"<{len(op.targets)}I", *map(self.exit_at, op.targets))

    @property
    def constants(self) -> dict[ir.Value, ir.Const]:
        """The constants of the function by their values."""
        if self._constants is None:
            self._constants = {op.dst: op for op in constants(self.function)}
        return self._constants

    def constants_of(self, chunk: Chunk) -> list[ir.Const]:
        """Constants that the chunk uses. They may be in other blocks. A whole function has all of its own."""
        of_function = self.constants
        if len(self.chunks) == 1:
            return [*of_function.values()]
        blocks = self.function.blocks[chunk.first : chunk.last + 1]
        used = dict.fromkeys(chain.from_iterable([facts_of(block).uses for block in blocks]))
        return [of_function[value] for value in used if value in of_function]


def ending(block: ir.Block) -> list[ir.Op] | None:
    """The ops of a block that does nothing but return an action: another chunk that jumps there returns
    itself. None: the block does more."""
    ops = block.ops
    ends = type(ops[-1]) is ir.ReturnAction and all(type(op) is ir.SiteMark for op in ops[:-1])
    return ops if ends else None


def cut_function(function: ir.Function, limit: int = CHUNK_OPS) -> Cut:
    return Cut(*split_function(pruned(function), limit))


def split_function(function: ir.Function, limit: int = CHUNK_OPS) -> tuple[ir.Function, list[Chunk]]:
    """Returns a short function itself, as one chunk. Otherwise returns an equivalent function in which values
    between blocks go through slots. Every block must be reachable."""
    if sum([len(block.ops) for block in function.blocks]) <= limit:
        return function, [Chunk(0, len(function.blocks) - 1, (0,), tuple(reachable(function)))]
    cut = _with_short_blocks(function, limit)
    ranges = _ranges(cut, limit)
    chunk_of = [index for index, (first, last) in enumerate(ranges) for _ in range(first, last + 1)]
    _cross_in_slots(cut)
    if len(cut.slots) * SLOT_BYTES > FRAME_BYTES_MAX:
        raise PolicyTooLarge(
            function.name,
            f"sub {function.name} keeps {len(cut.slots)} values at once; "
            f"more than {FRAME_BYTES_MAX // SLOT_BYTES} do not fit",
        )
    entries: list[set[int]] = [set() for _ in ranges]
    entries[0].add(0)
    for number, facts in enumerate(all_facts(cut)):
        for target in facts.targets:
            if chunk_of[target] != chunk_of[number]:
                entries[chunk_of[target]].add(target)
    order: list[list[int]] = [[] for _ in ranges]
    for number in reachable(cut):
        order[chunk_of[number]].append(number)
    return cut, [
        Chunk(first, last, tuple(sorted(entries[i])), tuple(order[i]))
        for i, (first, last) in enumerate(ranges)
    ]


def _with_short_blocks(function: ir.Function, limit: int) -> ir.Function:
    """A copy in which no block is longer than the limit. Blocks keep their order; the pieces of a block
    follow each other."""
    if all(len(block.ops) <= limit for block in function.blocks):
        return ir.Function(function.name, list(function.types), list(function.slots), list(function.blocks))
    starts: list[int] = []
    parts_of: list[list[list[ir.Op]]] = []
    count = 0
    for block in function.blocks:
        parts = [block.ops[i : i + limit] for i in range(0, len(block.ops), limit)]
        starts.append(count)
        parts_of.append(parts)
        count += len(parts)
    rewriter = Rewriter(block=lambda target: starts[target])
    blocks: list[ir.Block] = []
    for parts in parts_of:
        for part in parts[:-1]:
            blocks.append(ir.Block([*part, ir.Jump(len(blocks) + 1, part[-1].site)]))
        blocks.append(ir.Block([*parts[-1][:-1], rewriter.op(parts[-1][-1])]))
    return ir.Function(function.name, list(function.types), list(function.slots), blocks)


def _ranges(function: ir.Function, limit: int) -> list[tuple[int, int]]:
    """Cuts where the blocks themselves say so, if a chunk is long enough. So most cuts behind an inserted or
    deleted statement stay where they are."""
    ranges: list[tuple[int, int]] = []
    first, weight, ends = 0, 0, False
    for number, block in enumerate(function.blocks):
        alone = _is_long_switch(block.ops[-1])
        if weight and (ends or alone or weight + len(block.ops) > limit):
            ranges.append((first, number - 1))
            first, weight = number, 0
        weight += len(block.ops)
        ends = alone or weight >= limit // 2 and _is_cut(block)
    ranges.append((first, len(function.blocks) - 1))
    return ranges


def _is_cut(block: ir.Block) -> bool:
    """Whether a long chunk ends behind the block. Depends on the kinds of its ops, not on their texts, so
    that chunks of equal statements are equal."""
    kinds = "".join([type(op).__name__ for op in block.ops])
    return crc32(kinds.encode()) % CUT_EVERY == 0


def _is_long_switch(op: ir.Op) -> bool:
    return type(op) is ir.Switch and len(op.targets) >= TABLE_TARGETS_MIN


def _cross_in_slots(function: ir.Function) -> None:
    """Stores each value that other blocks use in a slot, and loads it in each of these blocks. This includes
    blocks of the same chunk, because control may leave the chunk and re-enter it at another block. Constants
    need no slot, because each use writes the literal."""
    all_of = all_facts(function)
    foreign = [(number, facts) for number, facts in enumerate(all_of) if facts.foreign]
    crossing = {value for _, facts in foreign for value in facts.foreign}
    crossing -= {op.dst for op in constants(function)}
    if not crossing:
        return
    home: dict[int, int] = {  # the block of each value
        value: number for number, facts in enumerate(all_of) for value in facts.defined & crossing
    }
    slot_of: dict[int, int] = {}
    changed: set[int] = set()  # blocks that load or store slots
    for number, facts in foreign:
        for value in facts.uses:
            if home.get(value, number) == number:
                continue
            changed.add(number)
            if value not in slot_of:
                slot_of[value] = len(function.slots)
                function.slots.append(function.types[value])
                changed.add(home[value])
    for number in sorted(changed):
        ops = function.blocks[number].ops
        function.blocks[number] = ir.Block(_block_in_slots(function, ops, slot_of, home, number))


def _block_in_slots(
    function: ir.Function, ops: list[ir.Op], slot_of: dict[int, int], home: dict[int, int], number: int
) -> list[ir.Op]:
    loaded: dict[int, int] = {}
    result: list[ir.Op] = []
    rewriter = Rewriter(value=lambda value: loaded.get(value, value))
    for op in ops:
        for value in uses(op):
            if value in slot_of and home[value] != number and value not in loaded:
                loaded[value] = len(function.types)
                function.types.append(function.types[value])
                result.append(ir.Load(loaded[value], slot_of[value], op.site))
        result.append(rewriter.op(op) if loaded else op)
        dst = defined(op)
        if dst is not None and dst in slot_of:
            result.append(ir.Store(slot_of[dst], dst, op.site))
    return result
