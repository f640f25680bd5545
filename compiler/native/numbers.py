"""The numbers and texts that an object leaves to the linker, and the digest of the rest.

An op names sites, header names, patterns and declarations by an index into a table of the policy. This file
replaces the index by a number local to the object. The code contains a symbol for it, and the linker fills
in the policy's index. With ``shared``, texts and the names of functions are left to the linker, too. So
functions of one shape share an object, whatever their texts are and whatever else their policies contain.

The first block of a chunk keeps numbers and digest. The next compile of the process takes them if the chunk
still has the same blocks, and if nothing outside of the blocks that they depend on has changed.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import is_

from vernis.ir import ir
from vernis.ir.facts import facts_of
from vernis.ir.plain import plain_pattern
from vernis.ir.roles import tuples
from vernis.native import abi
from vernis.native.split import Chunk, Cut, ending

#: Limit of a symbol's value. LLVM chooses instructions by it.
NUMBER_LIMIT = 1 << 30
#: A rule's counter, by its offset in the table of counters.
RULE_PLACE, COUNTER_BYTES = "rule", 8
#: Kinds of numbers: the length of a text, a constant, where a chunk ends (split.py), the rows of a table.
LENGTH, INTEGER, EXIT, ROWS = "length", "integer", "exit", "rows"
OWN_NAME = "f"  # the symbol of a shared object
_MARSHAL_VERSION = 0  # the only version whose bytes depend on the values alone


#: Numbers, texts, and global names of functions, by the symbols of an object.
Symbols = tuple[dict[str, int], dict[str, bytes], dict[str, str]]


@dataclass(slots=True)
class Numbers:
    """``name`` is the object's global symbol. ``tables`` maps, for each kind of table, the policy's index to
    the object's own number. A ``shared`` object has own numbers for ``functions``, and one for each use of a
    text, given by a value of the op: equal texts are no part of the shape. ``integers``: the linker fills in
    small integers, too. A chunk needs this because it has the numbers of its rules."""

    name: str
    shared: bool = False
    integers: bool = False
    tables: dict[str, dict[int, int]] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    texts: list[bytes] = field(default_factory=list)
    text_of: dict[ir.Value, int] = field(default_factory=dict)
    _symbols: Symbols | None = None

    def is_like(self, other: Numbers) -> bool:
        """Whether both are for the same object."""
        return (self.name, self.shared, self.integers) == (other.name, other.shared, other.integers)

    def own(self, kind: str, number: int) -> int:
        table = self.tables.setdefault(kind, {})
        return table.setdefault(number, len(table))

    def symbol(self, kind: str, number: int) -> str:
        """Name of the symbol that stands for an index of the policy."""
        return f"n.{kind}{self.own(kind, number)}"

    def leaves_out(self, op: ir.Const) -> bool:
        """Whether the linker fills in this integer. LLVM takes symbols for positive."""
        value = op.value
        return self.integers and op.type is ir.Type.INT and type(value) is int and 0 < value < NUMBER_LIMIT

    def leaves_out_text(self, text: bytes) -> bool:
        """Whether the linker fills in address and length."""
        return self.shared and text != b""

    def own_text(self, value: ir.Value, text: bytes) -> int:
        own = self.text_of.get(value)
        if own is None:
            own = self.text_of[value] = len(self.texts)
            self.texts.append(text)
        return own

    def text_symbols(self, value: ir.Value, text: bytes) -> tuple[str, str]:
        """Names of the symbols that stand for the address and the length of a text."""
        own = self.own_text(value, text)
        return f"t.{own}", f"n.{LENGTH}{own}"

    def function_symbol(self, name: str) -> str:
        """Name of the symbol of a function: the object's own, or one that it calls."""
        if not self.shared:
            return name
        if name == self.name:
            return OWN_NAME
        return f"{OWN_NAME}.{self.functions.setdefault(name, len(self.functions))}"

    def symbols(self) -> Symbols:
        """For the linker, once the code is generated. Kept for the next compile."""
        if self._symbols is None:
            self._symbols = self._values(), self._text_values(), self._names()
        return self._symbols

    def _values(self) -> dict[str, int]:
        """The numbers, by their symbols."""
        numbers = {
            f"n.{kind}{own}": number for kind, table in self.tables.items() for number, own in table.items()
        }
        return numbers | {f"n.{LENGTH}{own}": len(text) for own, text in enumerate(self.texts)}

    def _text_values(self) -> dict[str, bytes]:
        return {f"t.{own}": text for own, text in enumerate(self.texts)}

    def _names(self) -> dict[str, str]:
        """The global symbols, by the object's own."""
        if not self.shared:
            return {}
        return {OWN_NAME: self.name} | {f"{OWN_NAME}.{own}": name for name, own in self.functions.items()}


def extern_text(extern: ir.Extern) -> str:
    """The parts of an extern that code depends on."""
    return f"{abi.signature_text(extern)} {int(extern.may_fail)}"


class _Values(dict[ir.Value, int]):
    """Numbers values by their first appearance, so that a chunk does not depend on the code before it."""

    def __missing__(self, value: ir.Value) -> int:
        number = self[value] = len(self)
        return number


@dataclass(slots=True)
class _Walk:
    module: ir.Module
    cut: Cut
    chunk: Chunk
    numbers: Numbers
    externs: dict[str, tuple[ir.Extern, str]]
    values: _Values = field(default_factory=_Values)
    patterns: dict[int, bytes] = field(default_factory=dict)  # that the chunk tests itself, by their index

    def extern(self, extern: ir.Extern) -> str:
        known = self.externs.get(extern.symbol)
        if known is None or known[0] != extern:
            known = self.externs[extern.symbol] = extern, extern_text(extern)
        return known[1]

    def all(self, values: Iterable[ir.Value]) -> tuple[int, ...]:
        own = self.values
        return tuple([own[value] for value in values])

    def text(self, value: ir.Value, text: bytes) -> object:
        return self.numbers.own_text(value, text) if self.numbers.leaves_out_text(text) else text

    def const(self, op: ir.Const) -> tuple[object, ...]:
        value = op.value
        if op.type is ir.Type.STRING and isinstance(value, bytes):
            return _CONST, self.values[op.dst], "text", self.text(op.dst, value)
        if self.numbers.leaves_out(op):
            return _CONST, self.values[op.dst], self.numbers.own(INTEGER, value)  # type: ignore[arg-type]
        return _CONST, self.values[op.dst], op.type._value_, value

    def pattern(self, op: ir.Match) -> object:
        """A plain pattern is in the code."""
        self.patterns[op.regex] = text = self.module.regexes[op.regex]
        plain = plain_pattern(text)
        if plain is None:
            return self.numbers.own("regex", op.regex)
        return plain.where, self.text(op.dst, plain.text)

    def declared(self, op: ir.Ref) -> int:
        return op.index if op.type is ir.Type.HTTP else self.numbers.own(op.type.value.lower(), op.index)

    def block(self, target: ir.BlockId) -> object:
        """A block of the chunk by its place, another one by the number where the chunk ends, or by what it
        does."""
        if self.chunk.holds(target):
            return target - self.chunk.first
        ends = ending(self.cut.function.blocks[target])
        if ends is not None:
            return [_ROWS[type(op)](op, self) for op in ends]
        return EXIT, self.numbers.own(EXIT, self.cut.exit_at(target))

    def switch(self, op: ir.Switch) -> tuple[object, ...]:
        table = self.cut.table_of(self.chunk, op)
        if table is None:
            return _SWITCH, self.values[op.value], tuple(map(self.block, op.targets)), self.block(op.other)
        rows = self.numbers.own(ROWS, len(op.targets))
        return SWITCH_BY_TABLE, self.values[op.value], self.text(op.value, table), rows, self.block(op.other)


# The members of an op, with the object's own numbers instead of the policy's and the function's. A row also
# holds other inputs of code generation, such as a plain pattern. Sites matter for SiteMark only. ``value`` of
# an enumeration would be a call.
_ROWS = tuples(
    {
        "Made": "s.values[{0}]",
        "MadeIfAny": "None if {0} is None else s.values[{0}]",
        "Value": "s.values[{0}]",
        "Values": "s.all({0})",
        "BlockId": "s.block({0})",
        "BlockIds": "tuple(map(s.block, {0}))",
        "SlotId": "{0}, s.cut.function.slots[{0}].value",
        "SiteId": "",
        "NameId": "s.numbers.own('name', {0})",
        "RegexId": "s.pattern(o)",
        "RuleId": f"s.numbers.own({RULE_PLACE!r}, {{0}} * {COUNTER_BYTES})",
        "AclId": "s.numbers.own('acl', {0})",
        "InstanceId": "s.numbers.own('instance', {0})",
        "SetId": "s.numbers.own('pattern_set', {0})",
        "PatternId": "s.numbers.own('pattern', {0})",
        "ChainId": "s.numbers.own('chain', {0})",
        "SubName": "s.numbers.function_symbol('sub.' + {0})",
        "DeclaredId": "s.declared(o)",
        "Extern": "s.extern({0})",
        "Type": "{0}._value_",
        "Msg": "{0}._value_",
        "Action": "{0}._value_",
    },
    {
        ir.Const: "s.const(o)",
        ir.Switch: "s.switch(o)",
        ir.SiteMark: f"({ir.OPS[ir.SiteMark].number}, s.numbers.own('site', o.site))",
    },
)
_CONST, _SWITCH = ir.OPS[ir.Const].number, ir.OPS[ir.Switch].number
#: A switch whose targets are in a table. It stands beside the numbers of the ops.
SWITCH_BY_TABLE = len(ir.OPS) + 1


@dataclass(slots=True)
class _Numbered:
    """``blocks`` are those behind the first. ``foreign`` are the constants of other blocks that they use.
    ``exits`` are the jumps to other chunks, with the blocks there whose code the chunk has itself; None: it
    has not."""

    chunk: Chunk
    blocks: list[ir.Block]
    slots: list[ir.Type]
    foreign: list[ir.Const]
    exits: dict[ir.BlockId, tuple[int, ir.Block | None]]
    patterns: dict[int, bytes]
    numbers: Numbers
    digest: bytes

    def is_of(self, module: ir.Module, cut: Cut, chunk: Chunk, blocks: list[ir.Block]) -> bool:
        return (
            self.chunk == chunk
            and all(map(is_, self.blocks, blocks[1:]))
            and self.slots == cut.function.slots
            and all(cut.constants.get(op.dst) is op for op in self.foreign)
            and all(
                cut.exit_at(target) == place and _ending_at(cut, target) is block
                for target, (place, block) in self.exits.items()
            )
            and all(module.regexes[number : number + 1] == [text] for number, text in self.patterns.items())
        )


def _ending_at(cut: Cut, target: ir.BlockId) -> ir.Block | None:
    block = cut.function.blocks[target]
    return None if ending(block) is None else block


def numbered(
    module: ir.Module,
    cut: Cut,
    chunk: Chunk,
    name: str,
    shared: bool,
    externs: dict[str, tuple[ir.Extern, str]],
) -> tuple[Numbers, bytes]:
    """The numbers of a chunk, and a digest of all other inputs of its code. Types of values are no input,
    because they follow from the ops. ``externs`` is a cache for one policy."""
    numbers = Numbers(name, shared, integers=shared and len(cut.chunks) > 1)
    blocks = cut.function.blocks[chunk.first : chunk.last + 1]
    keeper = facts_of(blocks[0])
    known = keeper.numbered
    if isinstance(known, _Numbered) and known.numbers.is_like(numbers):
        if known.is_of(module, cut, chunk, blocks):
            return known.numbers, known.digest
    walk = _Walk(module, cut, chunk, numbers, externs)
    rows_of = _ROWS
    used = cut.constants_of(chunk)
    rows_used = [walk.const(op) for op in used]
    rows = [[rows_of[type(op)](op, walk) for op in block.ops] for block in blocks]
    slots = [type.value for type in cut.function.slots] if len(cut.chunks) == 1 else []
    places = [[block - chunk.first for block in blocks] for blocks in (chunk.entries, chunk.order)]
    content = (numbers.function_symbol(name), slots, places, rows, rows_used)
    digest = hashlib.sha256(marshal.dumps(content, _MARSHAL_VERSION)).digest()
    facts = [facts_of(block) for block in blocks]
    others = {target for one in facts for target in one.targets if not chunk.holds(target)}
    not_here = frozenset().union(*[one.foreign for one in facts])
    keeper.numbered = _Numbered(
        chunk,
        blocks[1:],
        cut.function.slots,
        [op for op in used if op.dst in not_here],
        {target: (cut.exit_at(target), _ending_at(cut, target)) for target in others},
        walk.patterns,
        numbers,
        digest,
    )
    return numbers, digest
