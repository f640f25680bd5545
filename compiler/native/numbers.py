"""Numbers that are local to an object (a function, or a part of a long one), and their symbols.

An op names sites, header names, patterns and declarations by an index into a table of the policy. This file
replaces the index by a number local to the object. The code contains a symbol for it, and the linker fills
in the policy's index. So equal functions give equal objects, whatever else their policies contain.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from vernis.ir import ir
from vernis.native import abi

#: Limit of a symbol's value. LLVM chooses instructions by it.
NUMBER_LIMIT = 1 << 30
#: A rule's counter, by its offset in the table of counters.
RULE_PLACE, COUNTER_BYTES = "rule", 8
_MARSHAL_VERSION = 0  # the only version whose bytes depend on the values alone


@dataclass(slots=True)
class Numbers:
    """``name`` is the object's symbol. ``tables`` maps, for each kind of table, the policy's index to the
    object's own number."""

    name: str
    tables: dict[str, dict[int, int]] = field(default_factory=dict)

    def own(self, kind: str, number: int) -> int:
        table = self.tables.setdefault(kind, {})
        return table.setdefault(number, len(table))

    def symbol(self, kind: str, number: int) -> str:
        """Name of the symbol that stands for an index of the policy."""
        return f"n.{self.name}.{kind}{self.own(kind, number)}"

    def values(self) -> dict[str, int]:
        return {
            f"n.{self.name}.{kind}{own}": number
            for kind, table in self.tables.items()
            for number, own in table.items()
        }


def extern_text(extern: ir.Extern) -> str:
    """The parts of an extern that code depends on."""
    return f"{abi.signature_text(extern)} {int(extern.may_fail)}"


@dataclass(slots=True)
class _Walk:
    module: ir.Module
    numbers: Numbers
    externs: dict[str, tuple[ir.Extern, str]]

    def extern(self, extern: ir.Extern) -> str:
        known = self.externs.get(extern.symbol)
        if known is None or known[0] != extern:
            known = self.externs[extern.symbol] = extern, extern_text(extern)
        return known[1]


# One row per class: the members of the op, with the function's own numbers instead of the policy's indices.
# The row also holds other inputs of code generation: a plain pattern, the length of a name. Sites matter for
# SiteMark only.
_ROWS: dict[type, Callable[[Any, _Walk], tuple[object, ...]]] = {
    ir.Const: lambda o, w: (1, o.dst, o.type.value, o.value),
    ir.Ref: lambda o, w: (
        2,
        o.dst,
        o.type.value,
        o.index if o.type is ir.Type.HTTP else w.numbers.own(o.type.value.lower(), o.index),
    ),
    ir.Arith: lambda o, w: (3, o.dst, o.type.value, o.op, o.a, o.b),
    ir.Convert: lambda o, w: (4, o.dst, o.type.value, o.a),
    ir.CompareOp: lambda o, w: (5, o.dst, o.op, o.a, o.b),
    ir.NotOp: lambda o, w: (6, o.dst, o.a),
    ir.Concat: lambda o, w: (7, o.dst, o.parts),
    ir.HeaderGet: lambda o, w: (
        8,
        o.dst,
        o.msg.value,
        w.numbers.own("name", o.name),
        len(w.module.names[o.name].encode()),
    ),
    ir.HeaderSet: lambda o, w: (9, o.msg.value, w.numbers.own("name", o.name), o.value),
    ir.HeaderUnset: lambda o, w: (10, o.msg.value, w.numbers.own("name", o.name)),
    ir.Match: lambda o, w: (11, o.dst, w.numbers.own("regex", o.regex), w.module.regexes[o.regex], o.subject),
    ir.AclMatch: lambda o, w: (12, o.dst, w.numbers.own("acl", o.acl), o.ip),
    ir.Call: lambda o, w: (13, o.dst, w.extern(o.extern), o.args, o.given),
    ir.CallSub: lambda o, w: (14, o.dst, o.sub),
    ir.NewInstance: lambda o, w: (
        15,
        w.numbers.own("instance", o.instance),
        w.extern(o.extern),
        o.args,
        o.given,
    ),
    ir.Load: lambda o, w: (16, o.dst, o.slot),
    ir.Store: lambda o, w: (17, o.slot, o.a),
    ir.SiteMark: lambda o, w: (18, w.numbers.own("site", o.site)),
    ir.Jump: lambda o, w: (19, o.target),
    ir.Branch: lambda o, w: (20, o.cond, o.then, o.other),
    ir.ReturnAction: lambda o, w: (21, o.action.value),
    ir.ReturnValue: lambda o, w: (22, o.a),
    ir.PatternTest: lambda o, w: (
        23,
        o.dst,
        w.numbers.own("pattern_set", o.set),
        w.numbers.own("pattern", o.pattern),
        o.subject,
    ),
    ir.NextMatch: lambda o, w: (24, o.dst, w.numbers.own("chain", o.chain), o.start, o.subjects),
    ir.Switch: lambda o, w: (25, o.value, o.targets, o.other),
    ir.Count: lambda o, w: (26, w.numbers.own(RULE_PLACE, o.rule * COUNTER_BYTES)),
}


def numbered(
    module: ir.Module,
    function: ir.Function,
    name: str,
    blocks: range,
    constants: Iterable[ir.Op],
    externs: dict[str, tuple[ir.Extern, str]],
) -> tuple[Numbers, bytes]:
    """The own numbers of a run of the function's blocks, and a digest of all other inputs of their code.
    Types of values are no input, because they follow from the ops. ``constants`` are those that the blocks
    use, also from other blocks. ``externs`` is a cache for one policy."""
    walk = _Walk(module, Numbers(name), externs)
    rows = [[_ROWS[type(op)](op, walk) for op in function.blocks[number].ops] for number in blocks]
    used = [_ROWS[type(op)](op, walk) for op in constants]
    slots = [type.value for type in function.slots]
    content = marshal.dumps((name, blocks.start, slots, rows, used), _MARSHAL_VERSION)
    return walk.numbers, hashlib.sha256(content).digest()
