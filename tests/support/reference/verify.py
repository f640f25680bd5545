"""Finds errors in a module of the IR. All readers of a module rely on an empty list of problems.

A problem found here is a bug of the compiler, never of the policy, so it is a plain sentence for a test's
output.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never

from vernis.ir import ir
from vernis.ir.facts import make_facts
from vernis.ir.flow import defined, immediate_dominators, targets, uses
from vernis.ir.ir import Msg, Type
from vernis.semantics.types import DOUBLES, TO_BOOL, TO_STRING, WHOLE

T = Type
INT_MIN, INT_MAX = -(1 << 63), (1 << 63) - 1
ORDERED = WHOLE | DOUBLES | {T.STRING}
COMPARED = ORDERED | {T.BOOL, T.IP, T.BACKEND, T.PROBE, T.ACL, T.STEVEDORE, T.SUB}

#: All legal conversions, see ir.Convert.
CONVERSIONS = frozenset(
    [
        (T.INT, T.REAL),
        (T.INT, T.DURATION),
        (T.INT, T.BYTES),
        (T.BYTES, T.INT),
        (T.BYTES, T.REAL),
        (T.REAL, T.BYTES),
        (T.REAL, T.DURATION),
        (T.DURATION, T.REAL),
        (T.TIME, T.REAL),
    ]
    + [(source, T.BOOL) for source in TO_BOOL - {T.BOOL}]
    + [(source, T.STRING) for source in TO_STRING - {T.STRING}]
)

#: The family and length of a constant address. The bytes are the family, the address (an IPv4 address may be
#: padded to 16 bytes), and an optional 2-byte port.
ADDRESS_FORMS = ((4, 5), (6, 17), (4, 17), (4, 19), (6, 19))

#: Pointer types whose only constant is None.
NONE_ONLY = frozenset((T.BACKEND, T.ACL, T.PROBE, T.STEVEDORE, T.REGEX, T.HTTP))


class VerifyError(AssertionError):
    """A module breaks a rule that the stages rely on."""


def check_module(module: ir.Module) -> None:
    problems = verify_module(module)
    if problems:
        raise VerifyError("\n".join(problems[:20]))


def verify_module(module: ir.Module) -> list[str]:
    """All problems of all functions and tables, in order."""
    problems: list[str] = []
    for function in module.functions.values():
        problems += _FunctionVerifier(module, function).run()
    problems += _declarations(module)
    return problems


def is_terminator(op: ir.Op) -> bool:
    return isinstance(op, (ir.Jump, ir.Branch, ir.Switch, ir.ReturnAction, ir.ReturnValue))


def _declarations(module: ir.Module) -> list[str]:
    problems: list[str] = []
    if not -1 <= module.default_backend < len(module.backends):
        problems.append(f"default backend {module.default_backend} of {len(module.backends)}")
    for backend in module.backends:
        if backend.probe is not None and not 0 <= backend.probe < len(module.probes):
            problems.append(f"backend {backend.name}: probe {backend.probe} of {len(module.probes)}")
        if (backend.host is not None) + (backend.path is not None) + backend.none != 1:
            problems.append(f"backend {backend.name}: not exactly one of host, path, none")
        if backend.via is not None and (
            backend.host is None or not 0 <= backend.via < module.backends.index(backend)
        ):
            problems.append(
                f"backend {backend.name}: via {backend.via} is not an earlier backend, or its host is missing"
            )
    for acl in module.acls:
        for entry in acl.entries:
            if len(entry.address) not in (4, 16) or not 0 <= entry.bits <= 8 * len(entry.address):
                problems.append(f"acl {acl.name}: entry {entry.text}")
    for table in module.tables:
        if not all(_is_table_row(module, table, *row) for row in table.rows) or table.rows and table.file:
            problems.append(f"table {table.name}")
    problems += _sets(module)
    for rule in module.rules:
        if not 0 <= rule.site < len(module.sites) or rule.start < 0 or rule.length < 1:
            problems.append(f"rule {rule}")
    for site in module.sites:
        if not 0 <= site.file < max(1, len(module.sources)) or site.line < 1 or site.column < 1:
            problems.append(f"site {site}")
    return problems


def _is_table_row(module: ir.Module, table: ir.TableDecl, key: bytes, value: ir.ConstValue) -> bool:
    if table.kind == "ip" and (len(key) not in (5, 17) or key[-1] > 8 * (len(key) - 1)):
        return False
    match table.value:
        case Type.STRING | Type.IP:
            return isinstance(value, bytes)
        case Type.BACKEND:
            return isinstance(value, int) and 0 <= value < len(module.backends)
        case Type.REAL | Type.DURATION:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case Type.BOOL:
            return isinstance(value, bool)
        case _:
            return isinstance(value, int) and not isinstance(value, bool)


def _sets(module: ir.Module) -> list[str]:
    problems: list[str] = []
    for pattern in module.patterns:
        if pattern.regex is not None and not 0 <= pattern.regex < len(module.regexes):
            problems.append(f"pattern of regex {pattern.regex} of {len(module.regexes)}")
    for found in module.pattern_sets:
        if found.first < 0 or found.n < 1 or found.first + found.n > len(module.patterns):
            problems.append(f"pattern set {found} of {len(module.patterns)} patterns")
    for chain in module.chains:
        tests = [test for subject in chain.subjects for test in subject.tests]
        if sorted(tests) != list(range(len(chain.sites))):
            problems.append(f"chain {chain}: not one subject for each test")
        problems += [
            f"chain subject {subject}"
            for subject in chain.subjects
            if list(subject.tests) != sorted(subject.tests)
            or not _is_member(module, subject.set, subject.first, len(subject.tests))
        ]
        if not all(0 <= site < max(1, len(module.sites)) for site in chain.sites):
            problems.append(f"chain {chain}: a site that the module does not have")
        problems += _bodies(module, chain)
    return problems


def _bodies(module: ir.Module, chain: ir.Chain) -> list[str]:
    if len(chain.bodies) != len(chain.sites):
        return [f"chain {chain}: not one body for each test"]
    exits = range(chain.n_exits)
    return [
        f"test {test} of a chain: body {body}"
        for test, body in enumerate(chain.bodies)
        if not (_is_sound(module, body, test, chain) if isinstance(body, ir.Row) else body in exits)
    ]


def _is_sound(module: ir.Module, row: ir.Row, test: int, chain: ir.Chain) -> bool:
    """Whether the module has all that the row of a test names. The row must not lead back."""
    way = row.next in range(test + 1, len(chain.sites) + 1)
    sites = [row.site, *[change.site for change in row.changes]]
    return (
        (way if row.next is not None else row.exit in range(chain.n_exits))
        and (row.rule is None or row.rule in range(len(module.rules)))
        and all(change.name in range(len(module.names)) for change in row.changes)
        and all(site in range(max(1, len(module.sites))) for site in sites)
    )


def _is_member(module: ir.Module, set: int, first: int, n: int = 1) -> bool:
    """Whether a set has these patterns."""
    if not 0 <= set < len(module.pattern_sets):
        return False
    found = module.pattern_sets[set]
    return found.first <= first and first + n <= found.first + found.n


@dataclass(slots=True)
class _FunctionVerifier:
    module: ir.Module
    function: ir.Function
    problems: list[str] = field(default_factory=list)
    place: str = ""

    def run(self) -> list[str]:
        if self._structure():
            self._definitions()
            self._types()
        return self.problems

    def bad(self, text: str) -> None:
        self.problems.append(f"{self.function.name}{self.place}: {text}")

    def index(self, what: str, number: int, table: Sequence[object]) -> None:
        if not 0 <= number < len(table):
            self.bad(f"{what} {number} of {len(table)}")

    # ---- structure -----------------------------------------------------------------------------------------

    def _structure(self) -> bool:
        """The other checks can walk the blocks only if this passes."""
        blocks = self.function.blocks
        if not blocks:
            self.bad("no blocks")
        for number, block in enumerate(blocks):
            self.place = f" b{number}"
            if not block.ops or not is_terminator(block.ops[-1]):
                self.bad("does not end with a terminator")
            if any(is_terminator(op) for op in block.ops[:-1]):
                self.bad("a terminator before the end")
            for op in block.ops:
                for target in targets(op):
                    self.index("block", target, blocks)
                for value in (*uses(op), *([] if defined(op) is None else [defined(op)])):
                    self.index("value", value if value is not None else -1, self.function.types)
            if block.facts is not None and block.facts != make_facts(block):
                self.bad("its ops changed after their facts were found (facts.py)")
        return not self.problems

    def _definitions(self) -> None:
        home: dict[int, tuple[int, int]] = {}
        for number, block in enumerate(self.function.blocks):
            self.place = f" b{number}"
            for position, op in enumerate(block.ops):
                dst = defined(op)
                if dst is not None:
                    if dst in home:
                        self.bad(f"v{dst} defined twice")
                    home[dst] = (number, position)
        dominators = immediate_dominators(self.function)
        for number, block in enumerate(self.function.blocks):
            self.place = f" b{number}"
            for position, op in enumerate(block.ops):
                for value in uses(op):
                    if value not in home:
                        self.bad(f"v{value} used and never defined")
                    elif number in dominators and not _reaches(dominators, home[value], (number, position)):
                        self.bad(f"v{value} used where its definition in b{home[value][0]} does not dominate")

    # ---- types ---------------------------------------------------------------------------------------------

    def _types(self) -> None:
        for number, block in enumerate(self.function.blocks):
            for op in block.ops:
                self.place = f" b{number} {type(op).__name__}"
                if not 0 <= op.site < max(1, len(self.module.sites)):
                    self.bad(f"site {op.site} of {len(self.module.sites)}")
                self._op(op)

    def type_of(self, value: ir.Value) -> Type:
        return self.function.types[value]

    def want(self, value: ir.Value, *allowed: Type) -> None:
        if self.type_of(value) not in allowed:
            self.bad(
                f"v{value} is {self.type_of(value).value}, not "
                f"{' or '.join(sorted(t.value for t in allowed))}"
            )

    def result(self, op: ir.Op, expected: Type) -> None:
        dst = defined(op)
        if dst is not None:
            self.want(dst, expected)

    def _op(self, op: ir.Op) -> None:
        module = self.module
        match op:
            case ir.Const():
                self.result(op, op.type)
                if not constant_fits(op.type, op.value):
                    self.bad(f"{op.value!r} is not of type {op.type.value}")
                elif op.type is T.SUB and isinstance(op.value, int) and op.value > 0:
                    self.index("sub", op.value - 1, module.subs)
            case ir.Ref():
                self.result(op, op.type)
                self._ref(op)
            case ir.Arith():
                self.result(op, op.type)
                self._arith(op)
            case ir.Convert():
                self.result(op, op.type)
                if (self.type_of(op.a), op.type) not in CONVERSIONS:
                    self.bad(f"no {op.type.value} of {self.type_of(op.a).value}")
            case ir.CompareOp():
                self.result(op, T.BOOL)
                self._compare(op)
            case ir.NotOp():
                self.result(op, T.BOOL)
                self.want(op.a, T.BOOL)
            case ir.Concat():
                self.result(op, T.STRING)
                for part in op.parts:
                    self.want(part, T.STRING)
            case ir.HeaderGet():
                self.result(op, T.STRING)
                self.index("name", op.name, module.names)
            case ir.HeaderSet():
                self.want(op.value, T.STRING)
                self.index("name", op.name, module.names)
            case ir.HeaderUnset():
                self.index("name", op.name, module.names)
            case ir.Match():
                self.result(op, T.BOOL)
                self.want(op.subject, T.STRING)
                self.index("regex", op.regex, module.regexes)
            case ir.PatternTest():
                self.result(op, T.BOOL)
                self.want(op.subject, T.STRING)
                if not _is_member(module, op.set, op.pattern):
                    self.bad(f"pattern {op.pattern} is not in set {op.set}")
            case ir.NextMatch():
                self._next_match(op)
            case ir.AclMatch():
                self.result(op, T.BOOL)
                self.want(op.ip, T.IP)
                self.index("acl", op.acl, module.acls)
            case ir.Call():
                self._call(op)
            case ir.NewInstance():
                self.index("instance", op.instance, module.instances)
                self._arguments(op)
                if op.extern.result is not T.INSTANCE:
                    self.bad(f"{op.extern.symbol} makes no instance")
            case ir.CallSub():
                self.result(op, T.ACTION)
                if op.sub not in module.functions:
                    self.bad(f"no sub {op.sub}")
            case ir.Load():
                self.index("slot", op.slot, self.function.slots)
                if op.slot < len(self.function.slots):
                    self.result(op, self.function.slots[op.slot])
            case ir.Store():
                self.index("slot", op.slot, self.function.slots)
                if op.slot < len(self.function.slots):
                    self.want(op.a, self.function.slots[op.slot])
            case ir.Branch():
                self.want(op.cond, T.BOOL, T.ACTION)
            case ir.Switch():
                self.want(op.value, T.INT)
            case ir.ReturnValue():
                self.want(op.a, T.ACTION)
            case ir.Count():
                self.index("rule", op.rule, self.module.rules)
            case ir.SiteMark() | ir.Jump() | ir.ReturnAction():
                pass
            case _:
                assert_never(op)

    def _next_match(self, op: ir.NextMatch) -> None:
        self.result(op, T.INT)
        self.want(op.start, T.INT)
        for subject in op.subjects:
            self.want(subject, T.STRING)
        self.index("chain", op.chain, self.module.chains)
        if op.chain < len(self.module.chains):
            wanted = len(self.module.chains[op.chain].subjects)
            if len(op.subjects) != wanted:
                self.bad(f"chain {op.chain} has {wanted} subjects, not {len(op.subjects)}")

    def _ref(self, op: ir.Ref) -> None:
        tables: dict[Type, Sequence[object]] = {
            T.BACKEND: self.module.backends,
            T.ACL: self.module.acls,
            T.PROBE: self.module.probes,
            T.REGEX: self.module.regexes,
            T.INSTANCE: self.module.instances,
            T.STEVEDORE: self.module.storages,
            T.HTTP: list(Msg),
        }
        if op.type not in tables:
            self.bad(f"no table of {op.type.value}")
        else:
            self.index(op.type.value, op.index, tables[op.type])

    def _arith(self, op: ir.Arith) -> None:
        if op.type in WHOLE and op.op in ("+", "-", "*", "/", "%"):
            self.want(op.a, *WHOLE)
            self.want(op.b, *WHOLE)
        elif op.type in DOUBLES and op.op in ("+", "-", "*", "/"):
            self.want(op.a, *DOUBLES)
            self.want(op.b, *DOUBLES)
        else:
            self.bad(f"no {op.type.value} {op.op}")

    def _compare(self, op: ir.CompareOp) -> None:
        type_a = self.type_of(op.a)
        if self.type_of(op.b) is not type_a:
            self.bad(f"{type_a.value} {op.op} {self.type_of(op.b).value}")
        allowed = (
            COMPARED if op.op in ("==", "!=") else ORDERED if op.op in ("<", "<=", ">", ">=") else frozenset()
        )
        if type_a not in allowed:
            self.bad(f"no {op.op} of {type_a.value}")

    def _call(self, op: ir.Call) -> None:
        if (op.dst is None) != (op.extern.result is T.VOID):
            self.bad(f"{op.extern.symbol} gives {op.extern.result.value}")
        self.result(op, op.extern.result)
        self._arguments(op)

    def _arguments(self, op: ir.Call | ir.NewInstance) -> None:
        extern = op.extern
        if len(op.args) != len(extern.params):
            self.bad(f"{extern.symbol} takes {len(extern.params)} arguments, not {len(op.args)}")
            return
        for value, type in zip(op.args, extern.params, strict=True):
            self.want(value, type)
        if (op.given is not None) != bool(extern.optional):
            self.bad(f"{extern.symbol}: mask {op.given} for {len(extern.optional)} optional parameters")
        elif op.given is not None and not 0 <= op.given < 1 << len(extern.params):
            self.bad(f"{extern.symbol}: mask {op.given}")


def constant_fits(type: Type, value: ir.ConstValue) -> bool:
    match type:
        case T.STRING:
            return value is None or isinstance(value, bytes)
        case T.INT | T.BYTES:
            return isinstance(value, int) and not isinstance(value, bool) and INT_MIN <= value <= INT_MAX
        case T.SUB:
            return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
        case T.REAL | T.DURATION | T.TIME:
            return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        case T.BOOL:
            return isinstance(value, bool)
        case T.IP:
            return (
                value is None
                or isinstance(value, bytes)
                and value != b""
                and (value[0], len(value)) in ADDRESS_FORMS
            )
        case T.BLOB:
            return value is None or isinstance(value, bytes)
        case _:
            return value is None and type in NONE_ONLY


# ---- dominance ---------------------------------------------------------------------------------------------


def _reaches(dominators: dict[int, int], definition: tuple[int, int], use: tuple[int, int]) -> bool:
    block, position = definition
    at, use_position = use
    if block == at:
        return position < use_position
    while at != 0:
        at = dominators[at]
        if at == block:
            return True
    return False


__all__ = [
    "CONVERSIONS",
    "VerifyError",
    "check_module",
    "constant_fits",
    "verify_module",
]
