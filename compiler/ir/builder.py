"""Builds functions op by op: numbers the values and keeps the current block and site. For lowering, tests and
tools."""

from __future__ import annotations

from dataclasses import dataclass, field

from vernis.ir import ir
from vernis.ir.ir import HOUSEKEEPING, Action, Msg, Type


@dataclass(slots=True)
class FunctionBuilder:
    """Methods that define a value return its number. ``at`` is the block being written."""

    name: str
    function: ir.Function = field(init=False)
    at: ir.BlockId = 0
    site: int = 0

    def __post_init__(self) -> None:
        self.function = ir.Function(self.name, blocks=[ir.Block()])

    def _new(self, type: Type) -> ir.Value:
        self.function.types.append(type)
        return len(self.function.types) - 1

    def add(self, op: ir.Op) -> None:
        self.function.blocks[self.at].ops.append(op)

    def block(self) -> ir.BlockId:
        self.function.blocks.append(ir.Block())
        return len(self.function.blocks) - 1

    def slot(self, type: Type) -> int:
        self.function.slots.append(type)
        return len(self.function.slots) - 1

    def mark(self, site: int) -> None:
        self.site = site
        self.add(ir.SiteMark(site))

    def count(self, rule: int) -> None:
        self.add(ir.Count(rule, self.site))

    def const(self, type: Type, value: ir.ConstValue) -> ir.Value:
        dst = self._new(type)
        self.add(ir.Const(dst, type, value, self.site))
        return dst

    def zero(self, type: Type) -> ir.Value:
        """The value that stands for an absent one."""
        match type:
            case Type.INT | Type.BYTES | Type.SUB:
                return self.const(type, 0)
            case Type.REAL | Type.DURATION | Type.TIME:
                return self.const(type, 0.0)
            case Type.BOOL:
                return self.const(type, False)
        return self.const(type, None)

    def text(self, value: bytes | None) -> ir.Value:
        return self.const(Type.STRING, value)

    def ref(self, type: Type, index: int) -> ir.Value:
        dst = self._new(type)
        self.add(ir.Ref(dst, type, index, self.site))
        return dst

    def arith(self, type: Type, op: str, a: ir.Value, b: ir.Value, checked: bool = False) -> ir.Value:
        dst = self._new(type)
        self.add(ir.Arith(dst, type, op, a, b, self.site, checked))
        return dst

    def convert(self, type: Type, a: ir.Value) -> ir.Value:
        dst = self._new(type)
        self.add(ir.Convert(dst, type, a, self.site))
        return dst

    def compare(self, op: str, a: ir.Value, b: ir.Value) -> ir.Value:
        dst = self._new(Type.BOOL)
        self.add(ir.CompareOp(dst, op, a, b, self.site))
        return dst

    def negate(self, a: ir.Value) -> ir.Value:
        dst = self._new(Type.BOOL)
        self.add(ir.NotOp(dst, a, self.site))
        return dst

    def concat(self, *parts: ir.Value) -> ir.Value:
        dst = self._new(Type.STRING)
        self.add(ir.Concat(dst, parts, self.site))
        return dst

    def header_get(self, msg: Msg, name: int) -> ir.Value:
        dst = self._new(Type.STRING)
        self.add(ir.HeaderGet(dst, msg, name, self.site))
        return dst

    def header_set(self, msg: Msg, name: int, value: ir.Value) -> None:
        self.add(ir.HeaderSet(msg, name, value, self.site))

    def header_unset(self, msg: Msg, name: int) -> None:
        self.add(ir.HeaderUnset(msg, name, self.site))

    def match(self, regex: int, subject: ir.Value) -> ir.Value:
        dst = self._new(Type.BOOL)
        self.add(ir.Match(dst, regex, subject, self.site))
        return dst

    def acl_match(self, acl: int, ip: ir.Value) -> ir.Value:
        dst = self._new(Type.BOOL)
        self.add(ir.AclMatch(dst, acl, ip, self.site))
        return dst

    def call(self, extern: ir.Extern, *args: ir.Value, given: int | None = None) -> ir.Value:
        """The number of the result; -1 for a VOID function."""
        dst = None if extern.result is Type.VOID else self._new(extern.result)
        self.add(ir.Call(dst, extern, args, self.site, given))
        return -1 if dst is None else dst

    def call_sub(self, sub: str) -> ir.Value:
        dst = self._new(Type.ACTION)
        self.add(ir.CallSub(dst, sub, self.site))
        return dst

    def new_instance(
        self, instance: int, extern: ir.Extern, *args: ir.Value, given: int | None = None
    ) -> None:
        self.add(ir.NewInstance(instance, extern, args, self.site, given))

    def load(self, slot: int) -> ir.Value:
        dst = self._new(self.function.slots[slot])
        self.add(ir.Load(dst, slot, self.site))
        return dst

    def store(self, slot: int, a: ir.Value) -> None:
        self.add(ir.Store(slot, a, self.site))

    def jump(self, target: ir.BlockId) -> None:
        self.add(ir.Jump(target, self.site))

    def branch(self, cond: ir.Value, then: ir.BlockId, other: ir.BlockId) -> None:
        self.add(ir.Branch(cond, then, other, self.site))

    def ret(self, action: Action) -> None:
        self.add(ir.ReturnAction(action, self.site))

    def ret_value(self, a: ir.Value) -> None:
        self.add(ir.ReturnValue(a, self.site))


def fill_hooks(module: ir.Module) -> None:
    """Adds the missing hooks. Their body fails, so that no caller can rely on a hook the policy does not
    have."""
    for hook in ir.HOOKS:
        if hook not in module.functions:
            builder = FunctionBuilder(hook)
            builder.ret(Action["OK" if hook in HOUSEKEEPING else "FAIL"])
            module.functions[hook] = builder.function
