"""Lowers expressions and conditions of a checked program.

A condition becomes control flow: ``&&`` and ``||`` are branches. Only a condition that is used as a value
goes through a slot. Lowering does not recurse once per operand of a long chain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder
from vernis.ir.externs import accessor, extern_of, machine
from vernis.ir.ir import Msg, Type
from vernis.ir.lower_five import Locals
from vernis.semantics import absence, typed
from vernis.semantics.types import DOUBLES
from vernis.semantics.vocabulary import VariableRow

MESSAGES = {message.name.lower(): message for message in Msg}

# Functions that print an unset part of their text as UNSET_TEXT, because people read that text.
SHOWS_UNSET = frozenset(("synthetic",))
UNSET_TEXT = b"(null)"

JOINED_AT_ONCE = 200  # parts of one Concat

# Functions that take the parts of a concatenation one by one. Another function takes all parts but the last.
TAKES_PARTS = {"hash_data": "hash_part"}


class Values:
    """Lowers expressions into the function of the last ``begin``. Adds each new header name to the module.
    ``heard`` are the names in order of use, as written."""

    __slots__ = ("accessors", "code", "externs", "heard", "locals", "module", "names")

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.names: dict[str, int] = {}
        self.heard: list[str] = []
        self.accessors: dict[tuple[str, str], ir.Extern] = {}
        self.externs: dict[tuple[str, Type | None], ir.Extern] = {}
        self.code = FunctionBuilder("")
        self.locals = Locals(self)

    def begin(self, code: FunctionBuilder) -> None:
        self.code = code
        self.locals.begin()

    def accessor(self, row: VariableRow, verb: str) -> ir.Extern:
        """:func:`accessor` with a cache. A name has one row within a program."""
        extern = self.accessors.get((row.key, verb))
        if extern is None:
            extern = self.accessors[row.key, verb] = accessor(row, verb)
        return extern

    def name(self, text: str) -> int:
        """Index of a header name. Names ignore case; the first spelling stays."""
        self.heard.append(text)
        index = self.names.get(text)
        if index is None:
            index = self.names.setdefault(text.lower(), len(self.module.names))
            self.names[text] = index
            if index == len(self.module.names):
                self.module.names.append(text)
        return index

    def all_names(self, texts: tuple[str, ...]) -> list[int]:
        """:meth:`name` of each."""
        known = self.names
        try:
            found = [known[text] for text in texts]
        except KeyError:
            return [self.name(text) for text in texts]
        self.heard += texts
        return found

    # ---- values

    def value(self, expr: typed.Expr) -> ir.Value:
        code = self.code
        match expr:
            case typed.Field():
                return code.header_get(MESSAGES[expr.message], self.name(expr.name))
            case typed.Literal():
                return code.const(machine(expr.type), expr.value)
            case typed.Variable():
                return code.call(self.accessor(expr.row, "get"))
            case typed.Comparison():
                return self._compare(expr)
            case typed.Matches():
                return code.match(expr.regex, self.value(expr.subject))
            case typed.Convert():
                return code.convert(machine(expr.type), self.value(expr.operand))
            case typed.Join():
                return self._joined(expr.parts, self.value)
            case typed.Invoke():
                return self.call(expr)
            case typed.Declared():
                return code.ref(machine(expr.type), expr.index)
            case typed.Message():
                return code.ref(Type.HTTP, MESSAGES[expr.message].value)
            case typed.Chain():
                result = self._chain(expr)
                return (
                    code.convert(Type.BYTES, result)
                    if expr.type is Type.BYTES and self._is(Type.REAL, result)
                    else result
                )
            case typed.InAcl():
                return code.acl_match(expr.acl, self.value(expr.ip))
            case typed.Negation():
                return code.negate(self.value(expr.operand))
            case typed.AllOf() | typed.AnyOf():
                return self._truth(expr)
            case typed.SubRef():
                return code.const(Type.SUB, expr.index + 1)
            case typed.IsSet():
                return self.locals.is_set(expr.operand)
            case typed.Local() | typed.Coalesce() | typed.Bound() | typed.Lookup() | typed.Expand():
                return self.locals.pair(expr)[1]
            case typed.Bad():
                raise AssertionError(f"{expr} cannot be lowered")
            case _:
                assert_never(expr)

    def _chain(self, chain: typed.Chain) -> ir.Value:
        """Arithmetic from left to right. A whole number becomes REAL beside a REAL. BYTES mixed with REAL
        stay REAL until the end of the chain, which truncates them."""
        result = self._unrounded(chain.first)
        for step in chain.steps:
            type = machine(step.type)
            result, right = self._alike(result, self._unrounded(step.operand), type in DOUBLES)
            result = self.code.arith(
                Type.REAL if type is Type.BYTES and self._is(Type.REAL, result) else type,
                step.op,
                result,
                right,
                chain.checked,
            )
        return result

    def _compare(self, expr: typed.Comparison) -> ir.Value:
        """An unset text equals an empty one if the other side is a joined text. Otherwise unset differs from
        every text."""
        left, right = expr.left, expr.right
        if (
            not expr.strict
            and left.type is Type.STRING
            and absence.is_joined(left) != absence.is_joined(right)
        ):
            left, right = (side if absence.is_joined(side) else typed.Join([side]) for side in (left, right))
        return self.code.compare(expr.op, *self._alike(self._unrounded(left), self._unrounded(right)))

    def _unrounded(self, expr: typed.Expr) -> ir.Value:
        """Like :meth:`value`, but leaves a BYTES chain as REAL where it is not truncated yet."""
        return self._chain(expr) if isinstance(expr, typed.Chain) else self.value(expr)

    def _alike(self, left: ir.Value, right: ir.Value, real: bool = False) -> tuple[ir.Value, ir.Value]:
        """Both numbers, converted to REAL if either is REAL or if ``real``."""
        real = real or self._is(Type.REAL, left) or self._is(Type.REAL, right)
        return (self._real(left), self._real(right)) if real else (left, right)

    def _real(self, value: ir.Value) -> ir.Value:
        is_whole = self._is(Type.INT, value) or self._is(Type.BYTES, value)
        return self.code.convert(Type.REAL, value) if is_whole else value

    def _is(self, type: Type, value: ir.Value) -> bool:
        return self.code.function.types[value] is type

    def _truth(self, expr: typed.AllOf | typed.AnyOf) -> ir.Value:
        """A short-circuit condition as a value."""
        code = self.code
        slot = code.slot(Type.BOOL)
        yes, no, behind = code.block(), code.block(), code.block()
        self.condition(expr, yes, no)
        for block, outcome in ((yes, True), (no, False)):
            code.at = block
            code.store(slot, code.const(Type.BOOL, outcome))
            code.jump(behind)
        code.at = behind
        return code.load(slot)

    # ---- conditions

    def condition(self, expr: typed.Expr, then: ir.BlockId, other: ir.BlockId) -> None:
        """Ends the current block with jumps to ``then`` if the condition holds, else to ``other``."""
        while isinstance(expr, (typed.Negation, typed.Bound)):
            if isinstance(expr, typed.Bound):
                self.locals.bind(expr.bindings)
                expr = expr.value
            else:
                expr, then, other = expr.operand, other, then
        if isinstance(expr, (typed.AllOf, typed.AnyOf)):
            for operand in expr.operands[:-1]:
                following = self.code.block()
                if isinstance(expr, typed.AllOf):
                    self.condition(operand, following, other)
                else:
                    self.condition(operand, then, following)
                self.code.at = following
            self.condition(expr.operands[-1], then, other)
            return
        self.code.branch(self.value(expr), then, other)

    # ---- calls

    def call(self, expr: typed.Invoke) -> ir.Value:
        """The result of a call; -1 for a VOID function."""
        if expr.function.symbol in SHOWS_UNSET:
            text = self._shown(expr.args[0])
            return self.code.call(self._extern(expr), text)
        if expr.function.symbol in TAKES_PARTS and isinstance(expr.args[0], typed.Join):
            return self._call_with_parts(expr, expr.args[0])
        extern, args, given = self.arguments(expr)
        return self.code.call(extern, *args, given=given)

    def _call_with_parts(self, expr: typed.Invoke, text: typed.Join) -> ir.Value:
        extern = self._extern(expr)
        for_part = replace(extern, symbol=TAKES_PARTS[extern.symbol])
        for part in text.parts[:-1]:
            self.code.call(for_part, self.value(part))
        return self.code.call(extern, self.value(text.parts[-1]))

    def _joined(self, parts: Sequence[typed.Expr], value_of: Callable[[typed.Expr], ir.Value]) -> ir.Value:
        """Joins the parts. Joins a long list in groups first, because a hook's frame has little room for
        values that are live at once."""
        if len(parts) <= JOINED_AT_ONCE:
            return self.code.concat(*[value_of(part) for part in parts])
        groups = [parts[i : i + JOINED_AT_ONCE] for i in range(0, len(parts), JOINED_AT_ONCE)]
        return self.code.concat(*[self._joined(group, value_of) for group in groups])

    def arguments(self, expr: typed.Invoke) -> tuple[ir.Extern, list[ir.Value], int | None]:
        """The extern of a call, a value for each of its parameters, and the mask of given ones if some are
        optional."""
        extern = self._extern(expr)
        args: list[ir.Value] = []
        given = 0
        if expr.instance is not None:
            args.append(self.code.ref(Type.INSTANCE, expr.instance))
            given = 1
        for arg in expr.args:
            given |= (arg is not None) << len(args)
            args.append(self.code.zero(extern.params[len(args)]) if arg is None else self.value(arg))
        return extern, args, given if extern.optional else None

    def _extern(self, expr: typed.Invoke) -> ir.Extern:
        key = (expr.function.symbol, expr.receiver)
        extern = self.externs.get(key)
        if extern is None:
            extern = self.externs[key] = extern_of(expr.function, expr.receiver, expr.instance is not None)
        return extern

    def _shown(self, expr: typed.Expr | None) -> ir.Value:
        """Text in which UNSET_TEXT replaces each unset part."""
        assert expr is not None
        parts = expr.parts if isinstance(expr, typed.Join) else [expr]
        return self._joined(parts, self._shown_part)

    def _shown_part(self, expr: typed.Expr) -> ir.Value:
        code = self.code
        value = self.value(expr)
        if isinstance(expr, (typed.Literal, typed.Convert, typed.Join)):
            return value
        slot = code.slot(Type.STRING)
        code.store(slot, value)
        unset, behind = code.block(), code.block()
        code.branch(code.convert(Type.BOOL, value), behind, unset)
        code.at = unset
        code.store(slot, code.text(UNSET_TEXT))
        code.jump(behind)
        code.at = behind
        return code.load(slot)
