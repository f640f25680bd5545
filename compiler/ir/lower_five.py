"""Lowers the values of vcl 5.0: locals, values that may be absent, look-ups, functions of the policy.

A local that never changes is the value that it was declared with, so it costs nothing. One that changes is
a slot. A value that may be absent is a pair: whether it is there, and the value. A text is its own pair,
because an unset text is an absent one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder
from vernis.ir.externs import internal, machine
from vernis.ir.ir import Type
from vernis.ir.rows import NO_ROW, find
from vernis.semantics import absence, typed
from vernis.semantics.frame import LocalVar

if TYPE_CHECKING:
    from vernis.ir.lower_values import Values

#: Whether the value is there (None: always, or as the text says), and the value.
Pair: TypeAlias = tuple[ir.Value | None, ir.Value]

_ROW_VALUES = {
    Type.STRING: "table_text",
    Type.INT: "table_int",
    Type.BYTES: "table_bytes",
    Type.REAL: "table_real",
    Type.DURATION: "table_duration",
    Type.BOOL: "table_bool",
    Type.IP: "table_ip",
    Type.BACKEND: "table_backend",
}


class Locals:
    """The locals of one function of the IR."""

    __slots__ = ("changing", "expand", "fixed", "values")

    def __init__(self, values: Values) -> None:
        self.values = values
        self.fixed: dict[int, Pair] = {}
        self.changing: dict[int, tuple[int | None, int]] = {}
        #: Lowers the body of a function of the policy; returns its result.
        self.expand: Callable[[typed.Function], Pair] = _no_functions

    @property
    def code(self) -> FunctionBuilder:
        return self.values.code

    def begin(self) -> None:
        self.fixed, self.changing = {}, {}

    # ---- locals

    def let(self, var: LocalVar, pair: Pair) -> None:
        """Declares a local, or changes one."""
        if not var.mutable:
            self.fixed[var.number] = pair
            return
        slots = self.changing.get(var.number)
        if slots is None:
            needs_flag = var.optional and var.type is not Type.STRING
            flag = self.code.slot(Type.BOOL) if needs_flag else None
            slots = self.changing[var.number] = (flag, self.code.slot(machine(var.type)))
        self._store(slots, pair)

    def _store(self, slots: tuple[int | None, int], pair: Pair) -> None:
        code = self.code
        if slots[0] is not None:
            code.store(slots[0], code.const(Type.BOOL, True) if pair[0] is None else pair[0])
        code.store(slots[1], pair[1])

    def _load(self, slots: tuple[int | None, int]) -> Pair:
        return None if slots[0] is None else self.code.load(slots[0]), self.code.load(slots[1])

    def read(self, var: LocalVar) -> Pair:
        slots = self.changing.get(var.number)
        return self.fixed[var.number] if slots is None else self._load(slots)

    def bind(self, bindings: list[tuple[LocalVar, typed.Expr]]) -> None:
        for var, expr in bindings:
            self.let(var, self.pair(expr))

    # ---- values that may be absent

    def pair(self, expr: typed.Expr) -> Pair:
        """A value, and whether it is there."""
        match expr:
            case typed.Local():
                return self.read(expr.var)
            case typed.Coalesce():
                return self._coalesce(expr)
            case typed.Bound():
                self.bind(expr.bindings)
                return self.pair(expr.value)
            case typed.Lookup():
                return self._look_up(expr)
            case typed.Expand():
                return self._expand(expr)
            case typed.Invoke() if expr.type is not Type.STRING and absence.may_be_absent(expr):
                return self._optional_call(expr)
            case _:
                return None, self.values.value(expr)

    def is_set(self, expr: typed.Expr) -> ir.Value:
        return self._is_there(self.pair(expr))

    def _is_there(self, pair: Pair) -> ir.Value:
        code = self.code
        if pair[0] is not None:
            return pair[0]
        if code.function.types[pair[1]] is Type.STRING:
            return code.convert(Type.BOOL, pair[1])
        return code.const(Type.BOOL, True)

    def _coalesce(self, expr: typed.Coalesce) -> Pair:
        code = self.code
        optional = absence.may_be_absent(expr) and expr.type is not Type.STRING
        slots = (code.slot(Type.BOOL) if optional else None, code.slot(machine(expr.type)))
        behind = code.block()
        for operand in expr.operands[:-1]:
            pair = self.pair(operand)
            there, next_ = code.block(), code.block()
            code.branch(self._is_there(pair), there, next_)
            code.at = there
            self._store(slots, (None, pair[1]))
            code.jump(behind)
            code.at = next_
        self._store(slots, self.pair(expr.operands[-1]))
        code.jump(behind)
        code.at = behind
        return self._load(slots)

    def _optional_call(self, expr: typed.Invoke) -> Pair:
        """A function that gives an optional value is two, of which one tells whether it is there."""
        extern, args, given = self.values.arguments(expr)
        value = self.code.call(extern, *args, given=given)
        return self.code.call(internal(f"{extern.symbol}_is"), *args, given=given), value

    # ---- tables and functions

    def _look_up(self, expr: typed.Lookup) -> Pair:
        code = self.code
        declared = self.values.module.tables[expr.table]
        if isinstance(expr.key, typed.Literal) and declared.file is None:
            return self._known_row(expr, declared, expr.key)
        table = code.const(Type.INT, expr.table)
        key = self.pair(expr.key)
        is_ip = code.function.types[key[1]] is Type.IP
        if is_ip and key[0] is not None:
            return self._look_up_if(key[0], expr, table, key[1])
        row = code.call(internal("table_find_ip" if is_ip else "table_find"), table, key[1])
        return self._row(expr, table, row)

    def _known_row(self, expr: typed.Lookup, declared: ir.TableDecl, key: typed.Literal) -> Pair:
        """A look-up of a constant key, in a table whose rows never change."""
        assert isinstance(key.value, bytes)
        text = key.value
        if key.type is Type.IP:
            text = text[1 : 5 if text[0] == 4 else 17]
        row = find(declared, text)
        if row != NO_ROW:
            value = declared.rows[row][1]
            if expr.type is not Type.BACKEND:
                return None, self.code.const(machine(expr.type), value)
            assert isinstance(value, int)
            return None, self.values.value(typed.Declared(expr.type, value))
        if expr.default is not None:
            return None, self.values.value(expr.default)
        missing = self.code.zero(machine(expr.type))
        return (None if expr.type is Type.STRING else self.code.const(Type.BOOL, False)), missing

    def _look_up_if(self, there: ir.Value, expr: typed.Lookup, table: ir.Value, key: ir.Value) -> Pair:
        """Looks an address up that may be absent."""
        code = self.code
        slot = code.slot(Type.INT)
        code.store(slot, code.const(Type.INT, -1))
        look, behind = code.block(), code.block()
        code.branch(there, look, behind)
        code.at = look
        code.store(slot, code.call(internal("table_find_ip"), table, key))
        code.jump(behind)
        code.at = behind
        return self._row(expr, table, code.load(slot))

    def _row(self, expr: typed.Lookup, table: ir.Value, row: ir.Value) -> Pair:
        code = self.code
        found = code.compare(">=", row, code.const(Type.INT, 0))
        read = internal(_ROW_VALUES[expr.type])
        if expr.default is None:
            return (None if expr.type is Type.STRING else found), code.call(read, table, row)
        slot = code.slot(machine(expr.type))
        there, missing, behind = code.block(), code.block(), code.block()
        code.branch(found, there, missing)
        code.at = there
        code.store(slot, code.call(read, table, row))
        code.jump(behind)
        code.at = missing
        code.store(slot, self.values.value(expr.default))
        code.jump(behind)
        code.at = behind
        return None, code.load(slot)

    def _expand(self, expr: typed.Expand) -> Pair:
        pairs = [self.pair(arg) for arg in expr.args]
        for var, pair in zip(expr.function.params, pairs):
            self.let(var, pair)
        return self.expand(expr.function)


def _no_functions(function: typed.Function) -> Pair:
    raise AssertionError(f"no body of {function.name}")
