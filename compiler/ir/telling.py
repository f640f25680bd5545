"""Makes a policy tell its steps: each hook logs the statements that it runs, with their values.

``vernis why`` compiles a policy this way and reads the log. A step is a VCL_Log record: MARK, the number of
an entry of the table that :func:`tell` returns, "true" or "false" (the value is set), and the value, with
blanks between them. The log cuts long values short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from vernis.ir import ir, telling_five
from vernis.ir.externs import accessor, extern_of
from vernis.ir.ir import Type
from vernis.record import record

MARK = "\x01"  # the log of a policy has no control characters, except where a policy writes one by purpose

#: Types whose values have a text.
_SHOWN = frozenset(
    (Type.STRING, Type.INT, Type.REAL, Type.DURATION, Type.TIME, Type.BYTES, Type.BOOL, Type.IP, Type.BACKEND)
)
_DEPTH = 8  # of a described expression
_MAKES_A_VALUE = (
    ir.Const, ir.Ref, ir.Arith, ir.Convert, ir.CompareOp, ir.NotOp, ir.Concat, ir.HeaderGet, ir.Match,
    ir.AclMatch, ir.Call, ir.CallSub, ir.Load,
)  # fmt: skip


@record(frozen=True)
class Told:
    """A step of a policy. ``kind`` is ``statement``, ``read``, ``test``, ``set``, ``unset``, ``argument``,
    ``call`` or ``return``; ``name`` is the variable, condition, sub or action. ``type`` is that of the value;
    None: the record has none."""

    site: int
    kind: str
    name: str
    type: Type | None


def tell(module: ir.Module) -> tuple[ir.Module, tuple[Told, ...]]:
    """The module with hooks that tell, and the table of steps. vcl_init and vcl_fini stay as they are."""
    told: list[Told] = []
    functions = {
        key: function if key in ir.HOUSEKEEPING else _Teller(module, function, told).run()
        for key, function in module.functions.items()
    }
    return replace(module, functions=functions), tuple(told)


@cache
def _log() -> ir.Extern:
    return extern_of(ir.VOCABULARY.modules["std"].functions["log"], None, False)


@cache
def _variables() -> dict[str, tuple[str, str]]:
    """Verb and variable of each accessor, by symbol."""
    return {
        accessor(row, verb).symbol: (verb, row.name)
        for row in ir.VOCABULARY.variables
        if row.type not in (Type.HEADER, Type.HTTP)
        for verb in ("get", "set", "unset")
    }


@cache
def _functions() -> dict[str, str]:
    """Names of functions as policies write them, by symbol."""
    found = {row.symbol: row.name for row in ir.VOCABULARY.functions.values()}
    found |= {row.symbol: row.name for row in ir.VOCABULARY.methods.values()}
    found |= {row.symbol: row.name for row in ir.VOCABULARY.methods_five.values()}
    found |= {row.symbol: row.name for row in ir.VOCABULARY.functions_five.values()}
    found |= {
        row.store.symbol: row.name for row in ir.VOCABULARY.action_rows.values() if row.store is not None
    }
    for module in ir.VOCABULARY.modules.values():
        found |= {row.symbol: f"{module.name}.{row.name}" for row in module.functions.values()}
        for made in module.objects.values():
            found |= {row.symbol: row.name for row in made.methods.values()}
    return found


class _Teller:
    """Rewrites one function. ``ops`` are those of the current block."""

    def __init__(self, module: ir.Module, function: ir.Function, told: list[Told]) -> None:
        self.module, self.told = module, told
        self.function = replace(function, types=list(function.types), blocks=[])
        self.ops: list[ir.Op] = []
        self.source = function
        self.made: dict[ir.Value, ir.Op] = {
            op.dst: op
            for block in function.blocks
            for op in block.ops
            if isinstance(op, _MAKES_A_VALUE) and op.dst is not None
        }

    def run(self) -> ir.Function:
        for block in self.source.blocks:
            self.ops = []
            for op in block.ops:
                self._op(op)
            self.function.blocks.append(ir.Block(self.ops))
        return self.function

    def _op(self, op: ir.Op) -> None:
        for told, value in self._before(op):
            self._tell(told, value)
        self.ops.append(op)
        for told, value in self._after(op):
            self._tell(told, value)

    def _before(self, op: ir.Op) -> Iterator[tuple[Told, ir.Value | None]]:
        match op:
            case ir.HeaderSet():
                yield self._told(op, "set", self._field(op.msg, op.name), op.value), op.value
            case ir.HeaderUnset():
                found = self._value(Type.STRING)
                self.ops.append(ir.HeaderGet(found, op.msg, op.name, op.site))
                yield self._told(op, "unset", self._field(op.msg, op.name), found), found
            case ir.Call() if op.dst is None and not telling_five.is_own(op, []):
                yield from self._call(op)
            case ir.CallSub():
                yield self._told(op, "call", self._sub(op.sub)), None
            case ir.Branch() if self._is_condition(op.cond):
                yield self._told(op, "test", self._text(op.cond), op.cond), op.cond
            case ir.ReturnAction() if op.action is not ir.Action["NONE"]:
                yield self._told(op, "return", op.action.name.lower()), None

    def _after(self, op: ir.Op) -> Iterator[tuple[Told, ir.Value | None]]:
        match op:
            case ir.SiteMark():
                yield self._told(op, "statement", ""), None
            case ir.HeaderGet() | ir.Call() if op.dst is not None and self._is_shown(op.dst):
                if isinstance(op, ir.Call) and telling_five.is_own(op, self._texts(op.args, _DEPTH)):
                    return
                yield self._told(op, "read", self._text(op.dst), op.dst), op.dst

    def _call(self, op: ir.Call) -> Iterator[tuple[Told, ir.Value | None]]:
        verb, name = _variables().get(op.extern.symbol, ("", ""))
        if verb == "set" and self._is_shown(op.args[0]):
            yield self._told(op, "set", name, op.args[0]), op.args[0]
            return
        if verb == "unset":
            yield self._told(op, "unset", name), None
            return
        name = _functions().get(op.extern.symbol, op.extern.symbol)
        for value in op.args:
            if self._is_shown(value):
                yield self._told(op, "argument", name, value), value

    def _told(self, op: ir.Op, kind: str, name: str, value: ir.Value | None = None) -> Told:
        return Told(op.site, kind, name, None if value is None else self.function.types[value])

    def _tell(self, told: Told, value: ir.Value | None) -> None:
        """Logs a step here."""
        first = f"{MARK}{len(self.told)}"
        self.told.append(told)
        site = told.site
        parts = [self._constant(first if value is None else first + " ", site)]
        if value is not None:
            parts += self._shown(value, site)
        text = self._value(Type.STRING)
        self.ops.append(ir.Concat(text, tuple(parts), site))
        self.ops.append(ir.Call(None, _log(), (text,), site))

    def _shown(self, value: ir.Value, site: int) -> list[ir.Value]:
        """Texts: whether the value is set, and the value."""
        type = self.function.types[value]
        if type is Type.STRING:
            is_set = self._converted(self._converted(value, Type.BOOL, site), Type.STRING, site)
            return [is_set, self._constant(" ", site), value]
        if type is Type.TIME:  # a time that has no HTTP date would fail
            value = self._converted(value, Type.REAL, site)
        return [self._constant("true ", site), self._converted(value, Type.STRING, site)]

    def _converted(self, value: ir.Value, type: Type, site: int) -> ir.Value:
        made = self._value(type)
        self.ops.append(ir.Convert(made, type, value, site))
        return made

    def _constant(self, text: str, site: int) -> ir.Value:
        made = self._value(Type.STRING)
        self.ops.append(ir.Const(made, Type.STRING, text.encode("latin-1"), site))
        return made

    def _value(self, type: Type) -> ir.Value:
        self.function.types.append(type)
        return len(self.function.types) - 1

    def _is_shown(self, value: ir.Value) -> bool:
        return self.function.types[value] in _SHOWN

    def _is_condition(self, value: ir.Value) -> bool:
        """Whether the policy wrote the condition. Lowering adds a test behind each call of a sub, and one
        behind the edit of a view."""
        if self.function.types[value] is not Type.BOOL:
            return False
        op = self.made[value]
        return not isinstance(op, ir.Const) and not telling_five.is_edit_test(op, self.made)

    # ---- texts of expressions ----

    def _field(self, msg: ir.Msg, name: int) -> str:
        return f"{msg.name.lower()}.http.{self.module.names[name]}"

    def _sub(self, key: str) -> str:
        return next((sub.name for sub in self.module.subs if sub.key == key), key)

    def _text(self, value: ir.Value, depth: int = _DEPTH) -> str:
        """The expression that made a value, about as the policy has it."""
        op = self.made.get(value)
        if depth == 0:
            return "..."
        match op:
            case ir.Const():
                return _literal(op)
            case ir.HeaderGet():
                return self._field(op.msg, op.name)
            case ir.Convert():
                return self._text(op.a, depth - 1)
            case ir.NotOp():
                return f"!({self._text(op.a, depth - 1)})"
            case ir.CompareOp() if telling_five.is_row_test(op, self.made):
                return f"{self._text(op.a, depth - 1)} is set"
            case ir.CompareOp() | ir.Arith():
                return f" {op.op} ".join(self._texts((op.a, op.b), depth - 1))
            case ir.Concat():
                return " + ".join(self._texts(op.parts, depth - 1))
            case ir.Match():
                pattern = self.module.regexes[op.regex].decode("latin-1")
                return f'{self._text(op.subject, depth - 1)} ~ "{pattern}"'
            case ir.AclMatch():
                return f"{self._text(op.ip, depth - 1)} ~ {self.module.acls[op.acl].name}"
            case ir.Ref():
                return self._declared(op)
            case ir.Call():
                return self._called(op, self._texts(op.args, depth - 1))
            case _:
                return "..."

    def _texts(self, values: Sequence[ir.Value], depth: int) -> list[str]:
        return [self._text(value, depth) for value in values]

    def _called(self, op: ir.Call, args: list[str]) -> str:
        verb, name = _variables().get(op.extern.symbol, ("", ""))
        if verb == "get":
            return name
        in_five = telling_five.described(op, args, self.module, self.made, _functions())
        if in_five is not None:
            return in_five
        name = _functions().get(op.extern.symbol, op.extern.symbol)
        if op.args and op.extern.params[0] is Type.INSTANCE:
            return f"{args[0]}.{name}({', '.join(args[1:])})"
        return f"{name}({', '.join(args)})"

    def _declared(self, op: ir.Ref) -> str:
        match op.type:
            case Type.BACKEND:
                return self.module.backends[op.index].name
            case Type.INSTANCE:
                return self.module.instances[op.index].name
            case Type.REGEX:
                return '"' + self.module.regexes[op.index].decode("latin-1") + '"'
            case Type.HTTP:
                return ir.Msg(op.index).name.lower()
            case _:
                return str(op.type.value).lower()


def _literal(op: ir.Const) -> str:
    if isinstance(op.value, bytes):
        return '"' + op.value.decode("latin-1") + '"' if op.type is Type.STRING else "..."
    if isinstance(op.value, bool):
        return str(op.value).lower()
    if op.value is None:
        return "unset"
    return f"{op.value:g}s" if op.type is Type.DURATION else f"{op.value:g}"
