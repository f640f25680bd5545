"""Writes the ops of one function, or of one chunk of it, as textual LLVM IR.

A text is two LLVM values, its address and its length. Any other value is one LLVM value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from vernis.ir import ir
from vernis.ir.externs import internal
from vernis.ir.ir import Type
from vernis.native import abi
from vernis.native.layouts import Layouts
from vernis.native.numbers import COUNTER_BYTES, INTEGER, ROWS, RULE_PLACE, Numbers
from vernis.ir.plain import plain_pattern
from vernis.native.shapes import MACHINE, MASK, TEXT
from vernis.native.target import Target
from vernis.native.text import Pool, bytes_literal, double_literal, symbol
from vernis.semantics.types import DOUBLES

Operand = str | tuple[str, str]  # a text is (address, length)

UNSET: Operand = ("null", "0")
_INT_PREDICATES = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
_DOUBLE_PREDICATES = {"==": "oeq", "!=": "une", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}


@dataclass(slots=True)
class Unit:
    """State of one object. ``absolute`` are the symbols of numbers that the linker fills in, ``addresses``
    those of texts."""

    module: ir.Module
    level: int
    numbers: Numbers
    layouts: Layouts
    target: Target
    helpers: Mapping[str, str]  # functions of bitcode and support, as LLVM declarations
    pool: Pool = field(default_factory=Pool)
    lines: list[str] = field(default_factory=list)
    absolute: dict[str, None] = field(default_factory=dict)
    addresses: dict[str, None] = field(default_factory=dict)
    _operands: dict[tuple[str, int | str, int], str] = field(default_factory=dict)

    def length_of(self, text: str) -> str:
        """Code for the address of a text's length in memory."""
        return f"getelementptr inbounds i8, ptr {text}, i64 {self.layouts.offsets['span', 'len']}"

    def number(self, kind: str, number: int, width: int = 64) -> str:
        """The operand for an index into a table of the policy."""
        known = self._operands.get((kind, number, width))
        if known is None:
            known = self._operands[kind, number, width] = self._absolute(
                self.numbers.symbol(kind, number), width
            )
        return known

    def text(self, value: ir.Value, text: bytes) -> tuple[str, str]:
        """Address and length of a constant text; ``value`` tells its uses apart (numbers.py)."""
        if not self.numbers.leaves_out_text(text):
            return self.pool.text(text), str(len(text))
        address, length = self.numbers.text_symbols(value, text)
        self.addresses[address] = None
        return symbol(address), self._absolute(length, 64)

    def import_number(self, kind: str, wanted: abi.Import) -> str:
        """The operand for a runtime function's place in the import table; ``kind`` is IMPORT_INDEX or
        IMPORT_PLACE."""
        key = kind, wanted.signature, 64
        known = self._operands.get(key)
        if known is None:
            known = self._operands[key] = self._absolute(kind + wanted.signature, 64)
        return known

    def _absolute(self, name: str, width: int) -> str:
        self.absolute[name] = None
        return f"ptrtoint (ptr {symbol(name)} to i{width})"


def llvm_types(type: Type) -> tuple[str, ...]:
    """LLVM types of a value inside a function, where BOOL is one bit."""
    if type is Type.STRING:
        return ("ptr", "i64")
    return ("i1",) if type is Type.BOOL else (MACHINE[type],)


def zero(type: Type) -> Operand:
    if type is Type.STRING:
        return UNSET
    if type is Type.BOOL:
        return "false"
    return {"ptr": "null", "double": "0.0"}.get(MACHINE[type], "0")


def parts_of(operand: Operand) -> tuple[str, ...]:
    return operand if isinstance(operand, tuple) else (operand,)


@dataclass(slots=True)
class OpWriter:
    """Writes blocks to ``lines``. The ``room`` and ``can_fail`` members tell the function which stack space
    and exit blocks it must provide."""

    unit: Unit
    function: ir.Function
    slots: list[str]  # the address of each slot
    values: list[Operand]
    lines: list[str] = field(default_factory=list)
    count: int = 0
    label: str = ""
    parts_room: int = 0  # longest Concat
    texts_room: int = 0  # most texts that a call passes in memory
    can_fail: bool = False
    can_fail_arith: bool = False
    table_of: Callable[[ir.Switch], bytes | None] = lambda op: None  # exits of a chunk (split.py)

    # ---- small pieces --------------------------------------------------------------------------------------

    def temp(self, code: str) -> str:
        name = f"%t{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {code}")
        return name

    def do(self, code: str) -> None:
        self.lines.append("  " + code)

    def start(self, label: str) -> None:
        self.label = label
        self.lines.append(f"{label}:")

    def next_label(self) -> str:
        self.count += 1
        return f"c{self.count}"

    def branch_to_failure(self, condition: str, label: str) -> None:
        on = self.next_label()
        self.do(f"br i1 {condition}, label %{label}, label %{on}, !prof !1")
        self.start(on)

    def end_if_failed(self) -> None:
        self.can_fail = True
        n = self.count
        self.count += 1
        self.lines.append(
            f"  %f{n} = load i32, ptr %failed_at\n  %g{n} = icmp ne i32 %f{n}, 0\n"
            f"  br i1 %g{n}, label %failed, label %c{n}, !prof !1\nc{n}:"
        )

    def end_if_not_finite(self, value: str) -> None:
        """Checks x - x, which is NaN if x is infinite or NaN."""
        self.can_fail_arith = True
        difference = self.temp(f"fsub double {value}, {value}")
        self.branch_to_failure(self.temp(f"fcmp uno double {difference}, 0.0"), "failed_arith")

    def helper(self, name: str, arguments: str) -> str:
        result = self.unit.helpers[name].split(" (")[0]
        return self.temp(f"call {result} @{name}({arguments}) #1")

    def helper_bool(self, name: str, arguments: str) -> str:
        return self.temp(f"icmp ne i32 {self.helper(name, arguments)}, 0")

    def pair(self, aggregate: str) -> Operand:
        n = self.count
        self.count += 1
        self.lines.append(
            f"  %a{n} = extractvalue {{ ptr, i64 }} {aggregate}, 0\n"
            f"  %n{n} = extractvalue {{ ptr, i64 }} {aggregate}, 1"
        )
        return (f"%a{n}", f"%n{n}")

    # ---- calls ---------------------------------------------------------------------------------------------

    def import_pointer(self, wanted: abi.Import) -> str:
        n = self.count
        self.count += 1
        place = self.unit.import_number(abi.IMPORT_PLACE, wanted)
        self.lines.append(
            f"  %p{n} = getelementptr inbounds i8, ptr %imports, i64 {place}\n"
            f"  %i{n} = load ptr, ptr %p{n}, !invariant.load !0"
        )
        return f"%i{n}"

    def call(self, extern: ir.Extern, operands: list[Operand], given: int | None = None) -> Operand | None:
        kinds: list[str] = []
        arguments: list[Operand] = []
        for type, operand in zip(extern.params, operands, strict=True):
            if type is Type.BOOL:
                operand = {"true": "1", "false": "0"}.get(str(operand)) or self.temp(
                    f"zext i1 {operand} to i32"
                )
            kinds.append(MACHINE[type])
            arguments.append(operand)
        if extern.optional:
            at = 1 if extern.params and extern.params[0] is Type.INSTANCE else 0
            kinds.insert(at, MASK.machine)
            arguments.insert(at, str(given or 0))
        written = ["ptr %ctx"]
        by_memory = 0
        for kind, argument, in_memory in zip(
            kinds, arguments, self.unit.target.texts_by_memory(kinds, TEXT), strict=True
        ):
            if kind != TEXT:
                written.append(f"{kind} {argument}")
            elif in_memory:
                self.store(Type.STRING, argument, f"%text{by_memory}")
                written.append(self.text_in_memory(f"%text{by_memory}"))
                by_memory += 1
            else:
                written.append(f"ptr {argument[0]}, i64 {argument[1]}")
        self.texts_room = max(self.texts_room, by_memory)
        pointer = self.import_pointer(abi.import_of(extern))
        result = self._result(extern.result, f"{pointer}({', '.join(written)}) #1")
        if extern.may_fail:
            self.end_if_failed()
        return result

    def text_in_memory(self, place: str) -> str:
        """The argument for the text at ``place``, as C passes a structure that has no registers."""
        by_value = self.unit.target.text_by_value
        return (
            f"{by_value} {self.temp(f'load {by_value}, ptr {place}')}"
            if by_value
            else f"ptr byval(%span) align 8 {place}"
        )

    def _result(self, type: Type, call: str) -> Operand | None:
        match type:
            case Type.VOID:
                self.do(f"call void {call}")
                return None
            case Type.STRING:
                return self.pair(self.temp(f"call {{ ptr, i64 }} {call}"))
            case Type.BOOL:
                return self.temp(f"icmp ne i32 {self.temp(f'call i32 {call}')}, 0")
            case _:
                return self.temp(f"call {MACHINE[type]} {call}")

    def core(self, name: str, *operands: Operand) -> Operand | None:
        return self.call(internal(name), list(operands))

    # ---- memory --------------------------------------------------------------------------------------------

    def store(self, type: Type, operand: Operand, address: str) -> None:
        for number, llvm, part in zip((0, 1), llvm_types(type), parts_of(operand)):
            place = address if number == 0 else self.temp(self.unit.length_of(address))
            self.do(f"store {llvm} {part}, ptr {place}")

    def add_one(self, place: str) -> None:
        """Adds one to the rule counter at this offset. Only this thread writes it."""
        n = self.count
        self.count += 1
        at = self.unit.layouts.offsets["policy_ctx", "rule_hits"]
        self.lines.append(
            f"  %ra{n} = getelementptr inbounds i8, ptr %ctx, i64 {at}\n"
            f"  %rh{n} = load ptr, ptr %ra{n}, !invariant.load !0\n"
            f"  %rp{n} = getelementptr inbounds i8, ptr %rh{n}, i64 {place}\n"
            f"  %rn{n} = load i64, ptr %rp{n}\n"
            f"  %rs{n} = add i64 %rn{n}, 1\n"
            f"  store i64 %rs{n}, ptr %rp{n}"
        )

    def load(self, type: Type, address: str) -> Operand:
        if type is not Type.STRING:
            return self.temp(f"load {llvm_types(type)[0]}, ptr {address}")
        length = self.temp(self.unit.length_of(address))
        return (self.temp(f"load ptr, ptr {address}"), self.temp(f"load i64, ptr {length}"))

    # ---- ops -----------------------------------------------------------------------------------------------

    def op(self, op: ir.Op) -> None:
        v = self.values
        match op:
            case ir.Const():
                pass  # written before the blocks, see constant()
            case ir.SiteMark():
                self.lines.append(f"  store i32 {self.unit.number('site', op.site, 32)}, ptr %site_at")
            case ir.Count():
                self.add_one(self.unit.number(RULE_PLACE, op.rule * COUNTER_BYTES))
            case ir.Ref():
                v[op.dst] = self.reference(op)
            case ir.Arith():
                v[op.dst] = self.arith(op)
            case ir.Convert():
                v[op.dst] = self.convert(self.function.types[op.a], op.type, v[op.a])
            case ir.CompareOp():
                v[op.dst] = self.compare(op)
            case ir.NotOp():
                v[op.dst] = self.temp(f"xor i1 {v[op.a]}, true")
            case ir.Concat():
                v[op.dst] = self.concat([v[p] for p in op.parts])
            case ir.HeaderGet():
                v[op.dst] = self.pair(self.temp(self.local("header_get", op.msg, op.name)))
            case ir.HeaderSet():
                self.core("header_set", str(op.msg.value), self.unit.number("name", op.name), v[op.value])
            case ir.HeaderUnset():
                self.do(self.local("header_unset", op.msg, op.name))
            case ir.Match():
                v[op.dst] = self.match(op)
            case ir.PatternTest():
                v[op.dst] = self.pattern_test(op)
            case ir.NextMatch():
                v[op.dst] = self.next_match(op)
            case ir.AclMatch():
                v[op.dst] = self.core("acl_match", self.unit.number("acl", op.acl), v[op.ip]) or ""
            case ir.Call():
                result = self.call(op.extern, [v[a] for a in op.args], op.given)
                if op.dst is not None and result is not None:
                    v[op.dst] = result
            case ir.CallSub():
                v[op.dst] = self.temp(f"call i32 {self.sub(op.sub)}(ptr %ctx) #1")
            case ir.NewInstance():
                made = self.call(op.extern, [v[a] for a in op.args], op.given)
                assert made is not None
                self.core("set_instance", self.unit.number("instance", op.instance), made)
            case ir.Load():
                v[op.dst] = self.load(self.function.slots[op.slot], self.slots[op.slot])
            case ir.Store():
                self.store(self.function.slots[op.slot], v[op.a], self.slots[op.slot])
            case ir.Jump() | ir.Branch() | ir.Switch() | ir.ReturnAction() | ir.ReturnValue():
                self.terminator(op)
            case _:
                assert_never(op)

    def terminator(self, op: ir.Terminator) -> None:
        match op:
            case ir.Jump():
                self.do(f"br label %b{op.target}")
            case ir.Branch():
                condition = self.values[op.cond]
                if self.function.types[op.cond] is Type.ACTION:
                    condition = self.temp(f"icmp ne i32 {condition}, 0")
                self.do(f"br i1 {condition}, label %b{op.then}, label %b{op.other}")
            case ir.Switch() if (table := self.table_of(op)) is not None:
                self.exit_by_table(op, table)
            case ir.Switch():
                arms = " ".join(f"i64 {i}, label %b{target}" for i, target in enumerate(op.targets))
                self.do(f"switch i64 {self.values[op.value]}, label %b{op.other} [ {arms} ]")
            case ir.ReturnAction():
                self.do(f"ret i32 {op.action.value}")
            case ir.ReturnValue():
                self.do(f"ret i32 {self.values[op.a]}")
            case _:
                assert_never(op)

    def exit_by_table(self, op: ir.Switch, table: bytes) -> None:
        value, on = self.values[op.value], self.next_label()
        known = self.temp(f"icmp ult i64 {value}, {self.unit.number(ROWS, len(op.targets))}")
        self.do(f"br i1 {known}, label %{on}, label %b{op.other}")
        self.start(on)
        exits, _ = self.unit.text(op.value, table)
        place = self.temp(f"getelementptr inbounds i32, ptr {exits}, i64 {value}")
        self.do(f"ret i32 {self.temp(f'load i32, ptr {place}, align 1')}")

    def sub(self, name: str) -> str:
        return symbol(self.unit.numbers.function_symbol(f"sub.{name}"))

    def reference(self, op: ir.Ref) -> Operand:
        if op.type is Type.HTTP:
            at = self.unit.layouts.offsets["policy_ctx", "msg"] + self.unit.layouts.size("ptr") * op.index
            place = self.temp(f"getelementptr inbounds i8, ptr %ctx, i64 {at}")
            return self.temp(f"load ptr, ptr {place}")
        kind = op.type.value.lower()
        result = self.core(f"ref_{kind}", self.unit.number(kind, op.index))
        assert result is not None
        return result

    def arith(self, op: ir.Arith) -> Operand:
        a, b = self.values[op.a], self.values[op.b]
        if op.type in DOUBLES:
            name = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}[op.op]
            result = self.temp(f"{name} double {a}, {b}")
            self.end_if_not_finite(result)
            return result
        if op.checked and (op.op in "+-*" or op.op == "/"):
            return self.checked(op.op, a, b)
        if op.op in "+-*":
            return self.temp(f"{ {'+': 'add', '-': 'sub', '*': 'mul'}[op.op] } i64 {a}, {b}")
        self.can_fail_arith = True
        self.branch_to_failure(self.temp(f"icmp eq i64 {b}, 0"), "failed_arith")
        by_minus_one = self.temp(f"icmp eq i64 {b}, -1")  # the processor traps on INT_MIN / -1
        divisor = self.temp(f"select i1 {by_minus_one}, i64 1, i64 {b}")
        if op.op == "%":
            return self.temp(f"srem i64 {a}, {divisor}")
        quotient = self.temp(f"sdiv i64 {a}, {divisor}")
        negated = self.temp(f"sub i64 0, {a}")
        return self.temp(f"select i1 {by_minus_one}, i64 {negated}, i64 {quotient}")

    def checked(self, op: str, a: Operand, b: Operand) -> Operand:
        """A whole number that has to fit into 64 bits."""
        self.can_fail_arith = True
        if op == "/":
            self.branch_to_failure(self.temp(f"icmp eq i64 {b}, 0"), "failed_arith")
            is_least = self.temp(f"icmp eq i64 {a}, -9223372036854775808")
            by_minus_one = self.temp(f"icmp eq i64 {b}, -1")
            self.branch_to_failure(self.temp(f"and i1 {is_least}, {by_minus_one}"), "failed_arith")
            return self.temp(f"sdiv i64 {a}, {b}")
        name = {"+": "sadd", "-": "ssub", "*": "smul"}[op]
        both = self.temp(f"call {{i64, i1}} @llvm.{name}.with.overflow.i64(i64 {a}, i64 {b})")
        self.branch_to_failure(self.temp(f"extractvalue {{i64, i1}} {both}, 1"), "failed_arith")
        return self.temp(f"extractvalue {{i64, i1}} {both}, 0")

    def convert(self, source: Type, to: Type, a: Operand) -> Operand:
        match to:
            case Type.STRING if source is Type.BOOL:
                true, false = self.unit.pool.text(b"true"), self.unit.pool.text(b"false")
                return (
                    self.temp(f"select i1 {a}, ptr {true}, ptr {false}"),
                    self.temp(f"select i1 {a}, i64 4, i64 5"),
                )
            case Type.STRING:
                result = self.core(f"to_string_{source.value.lower()}", a)
                assert result is not None
                return result
            case Type.BOOL if source is Type.STRING:
                return self.temp(f"icmp ne ptr {a[0]}, null")
            case Type.BOOL if source is Type.DURATION:
                return self.temp(f"fcmp ogt double {a}, 0.0")
            case Type.BOOL:
                none = zero(source)
                return self.temp(f"icmp ne {MACHINE[source]} {a}, {none}")
            case Type.REAL | Type.DURATION if source in (Type.INT, Type.BYTES):
                return self.temp(f"sitofp i64 {a} to double")
            case Type.BYTES if source is Type.REAL:
                return self.temp(f"call i64 @llvm.fptosi.sat.i64.f64(double {a})")
            case _:
                return a  # same bits

    def compare(self, op: ir.CompareOp) -> Operand:
        a, b = self.values[op.a], self.values[op.b]
        type = self.function.types[op.a]
        match type:
            case Type.STRING:
                arguments = f"ptr {a[0]}, i64 {a[1]}, ptr {b[0]}, i64 {b[1]}"
                if op.op in ("==", "!="):
                    return self._negated_if(op.op, self.helper_bool("helper_string_eq", arguments))
                order = self.helper("helper_string_order", arguments)
                return self.temp(f"icmp {_INT_PREDICATES[op.op]} i32 {order}, 0")
            case Type.IP:
                return self._negated_if(op.op, self.helper_bool("helper_ip_eq", f"ptr {a}, ptr {b}"))
            case Type.REAL | Type.DURATION | Type.TIME:
                return self.temp(f"fcmp {_DOUBLE_PREDICATES[op.op]} double {a}, {b}")
            case _:
                return self.temp(f"icmp {_INT_PREDICATES[op.op]} {llvm_types(type)[0]} {a}, {b}")

    def _negated_if(self, op: str, equal: str) -> str:
        return equal if op == "==" else self.temp(f"xor i1 {equal}, true")

    def concat(self, parts: list[Operand]) -> Operand:
        result = self.core("concat", self.array(parts), str(len(parts)))
        assert result is not None
        return result

    def array(self, texts: list[Operand]) -> str:
        """The address of an array of texts, which the next array overwrites."""
        self.parts_room = max(self.parts_room, len(texts))
        for number, text in enumerate(texts):
            place = (
                "%parts"
                if number == 0
                else self.temp(f"getelementptr inbounds %span, ptr %parts, i64 {number}")
            )
            self.store(Type.STRING, text, place)
        return "%parts" if texts else "null"

    def pattern_test(self, op: ir.PatternTest) -> Operand:
        result = self.core(
            "pattern_test",
            self.unit.number("pattern_set", op.set),
            self.unit.number("pattern", op.pattern),
            self.values[op.subject],
        )
        assert result is not None
        return result

    def next_match(self, op: ir.NextMatch) -> Operand:
        subjects = self.array([self.values[subject] for subject in op.subjects])
        result = self.core(
            "pattern_next",
            self.unit.number("chain", op.chain),
            self.values[op.start],
            subjects,
            str(len(op.subjects)),
        )
        assert result is not None
        return result

    def local(self, name: str, msg: ir.Msg, header: int) -> str:
        """A call of the policy's own copy of a function on header fields. ``name`` is the runtime's."""
        index = self.unit.import_number(abi.IMPORT_INDEX, abi.import_of(internal(name)))
        result = self.unit.helpers[abi.LOCAL_PREFIX + name].split(" (")[0]
        arguments = f"ptr %ctx, i64 {index}, i64 {msg.value}, i64 {self.unit.number('name', header)}"
        return f"call {result} @{abi.LOCAL_PREFIX}{name}({arguments}) #1"

    def match(self, op: ir.Match) -> Operand:
        subject = self.values[op.subject]
        plain = plain_pattern(self.unit.module.regexes[op.regex])
        if plain is None:
            return self.core("regex_match", self.unit.number("regex", op.regex), subject) or ""
        text, length = self.unit.text(op.dst, plain.text)
        return self.helper_bool(
            f"helper_string_{plain.where}", f"ptr {subject[0]}, i64 {subject[1]}, ptr {text}, i64 {length}"
        )


def constant(unit: Unit, op: ir.Const) -> Operand:
    value = op.value
    match op.type:
        case Type.STRING:
            return UNSET if value is None else unit.text(op.dst, value)  # type: ignore[arg-type]
        case Type.BOOL:
            return "true" if value else "false"
        case Type.REAL | Type.DURATION | Type.TIME:
            return double_literal(float(value))  # type: ignore[arg-type]
        case Type.IP if isinstance(value, bytes):
            address, port = value[1:17].ljust(16, b"\0"), int.from_bytes(value[17:19], "big")
            return unit.pool.constant(
                f"%vcl_ip {{ i8 {value[0]}, i8 0, i16 {port}, [16 x i8] {bytes_literal(address)} }}"
            )
        case Type.BLOB if isinstance(value, bytes):
            return unit.pool.constant(f"%vcl_blob {{ ptr {unit.pool.text(value)}, i64 {len(value)}, i32 0 }}")
        case _ if value is None:
            return zero(op.type)
        case _ if unit.numbers.leaves_out(op):
            return unit.number(INTEGER, int(value))
        case _:
            return str(int(value))
