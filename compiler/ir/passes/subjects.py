"""The texts that tests ask about, and how to get such a text again at another place.

A subject is a field of a message, a variable, a view of either (``req.url.path``), a local that may change,
or a value: that of a ``let``, or of a switch. A value is the same text at all places of its function. The
others are got anew at each place, since the policy may change them between two tests.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from vernis.ir import ir
from vernis.ir.flow import Rewriter, defined
from vernis.ir.ir import Type


@dataclass(slots=True, frozen=True)
class View:
    """A function of a text and of constants that gives the same text for the same arguments."""

    symbol: str
    of: Subject
    constants: tuple[ir.ConstValue, ...]


@dataclass(slots=True, frozen=True)
class Slot:
    number: int


@dataclass(slots=True, frozen=True)
class Made:
    """A value that an earlier op has made."""

    value: ir.Value


#: A field of a message; a variable by the symbol of its accessor; a view of one; a slot or a value of the
#: function.
Subject: TypeAlias = tuple[ir.Msg, int] | str | View | Slot | Made


@dataclass(slots=True, frozen=True)
class Source:
    """``ops``, of the block of a test, get the subject, and nothing else needs them. ``again`` get it at
    another place; the last one defines its value. A value needs none."""

    subject: Subject
    ops: tuple[ir.Op, ...]
    again: tuple[ir.Op, ...]


def is_local(subject: Subject) -> bool:
    """Whether the subject belongs to one function."""
    return isinstance(subject, (Slot, Made)) or isinstance(subject, View) and is_local(subject.of)


def source_at(ops: list[ir.Op], end: int, value: ir.Value, used: Counter[ir.Value]) -> Source:
    """How ``ops``, the block of a test, get its subject. The ops that do so are those before ``end``, and
    nothing else uses their values. If there are none, the subject is the value itself."""
    got = _got(ops, end, value, used)
    if got is not None:
        return Source(*got, got[1])
    stored = {op.slot: op for op in ops[:end] if isinstance(op, ir.Store)}
    for store in stored.values():
        if store.a == value:
            return Source(Slot(store.slot), (), (ir.Load(value, store.slot, store.site),))
    return Source(Made(value), (), ())


def _got(
    ops: list[ir.Op], end: int, value: ir.Value, used: Counter[ir.Value]
) -> tuple[Subject, tuple[ir.Op, ...]] | None:
    if end == 0 or defined(ops[end - 1]) != value or used[value] != 1:
        return None
    get = ops[end - 1]
    plain = plain_subject(get)
    if plain is not None:
        return plain, (get,)
    return _view(ops, end - 1, get, used) if isinstance(get, ir.Call) and is_view(get.extern) else None


def _view(
    ops: list[ir.Op], at: int, call: ir.Call, used: Counter[ir.Value]
) -> tuple[Subject, tuple[ir.Op, ...]] | None:
    wanted = {value for value in call.args[1:] if used[value] == 1}
    start = at
    while start > 0 and isinstance(op := ops[start - 1], ir.Const) and op.dst in wanted:
        start -= 1
    found = {op.dst: op.value for op in ops[start:at] if isinstance(op, ir.Const)}
    if len(found) != len(call.args) - 1:
        return None
    of = _got(ops, start, call.args[0], used)
    if of is None:
        return None
    constants = tuple(found[value] for value in call.args[1:])
    return View(call.extern.symbol, of[0], constants), (*of[1], *ops[start:at], call)


def plain_subject(op: ir.Op) -> Subject | None:
    """The subject that one op gets. The accessor of a variable has no effect, and its text stays until the
    hook ends."""
    match op:
        case ir.HeaderGet():
            return op.msg, op.name
        case ir.Load():
            return Slot(op.slot)
        case ir.Call() if op.dst is not None and op.extern.symbol.startswith("get_"):
            plain = op.extern.result is Type.STRING and not op.extern.params
            return op.extern.symbol if plain and not _may_stop(op.extern) else None
        case _:
            return None


def subject_of(value: ir.Value, makers: dict[ir.Value, ir.Op]) -> Subject:
    """The subject that a value is, as far as ``makers`` know."""
    maker = makers.get(value)
    plain = None if maker is None else plain_subject(maker)
    if plain is not None:
        return plain
    if isinstance(maker, ir.Call) and is_view(maker.extern):
        rest = [makers.get(arg) for arg in maker.args[1:]]
        constants = tuple(op.value for op in rest if isinstance(op, ir.Const))
        if len(constants) == len(rest):
            return View(maker.extern.symbol, subject_of(maker.args[0], makers), constants)
    return Made(value)


def is_view(extern: ir.Extern) -> bool:
    of_text = extern.result is Type.STRING and extern.params[:1] == (Type.STRING,) and not extern.optional
    return extern.pure and of_text and not _may_stop(extern)


def _may_stop(extern: ir.Extern) -> bool:
    return extern.may_fail or extern.may_wait


def get_again(function: ir.Function, source: Source) -> tuple[list[ir.Op], ir.Value]:
    """The ops that get the subject at another place, with new values in the function, and its value."""
    if isinstance(source.subject, Made):
        return [], source.subject.value
    new: dict[ir.Value, ir.Value] = {}
    ops = [_copy(function, op, new) for op in source.again]
    return ops, new[defined(source.again[-1])]  # type: ignore[index]


def _copy(function: ir.Function, op: ir.Op, new: dict[ir.Value, ir.Value]) -> ir.Op:
    dst = defined(op)
    assert dst is not None
    function.types.append(function.types[dst])
    new[dst] = len(function.types) - 1
    return Rewriter(value=lambda value: new[value], made=lambda value: new[value]).op(op)
