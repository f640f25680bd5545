"""Lowers a checked program to the canonical IR: one site per statement, no rewriting.

This file lowers statements, subs and tables; ``lower_values.py`` lowers expressions and conditions. A sub
that reaches its end returns NONE. A hook never reaches its end, since the built-in policy ends each hook with
a return; lowering still ends it with FAIL, in case a hook lacks one. Lowering skips statements behind a
return, because no run can reach them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import assert_never

from vernis.ir import ir
from vernis.ir.budget import bound_work
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.externs import internal, machine, return_arguments
from vernis.ir.fragments import Recorder
from vernis.ir.ir import Action, Type
from vernis.ir.lower_five import Pair
from vernis.ir.lower_values import MESSAGES, Values
from vernis.ir.places import Kind, Rules, Sites, start_of_builtin
from vernis.record import replace
from vernis.semantics import pieces, typed
from vernis.semantics.check import deep_walk
from vernis.semantics.lists import SEPARATOR
from vernis.syntax.source import SourceMap

ACTIONS = {action.name.lower(): action for action in Action}

# These surround each call of a sub that is also a value, if the policy calls such values: the calls may
# recurse.
SUB_ENTER, SUB_LEAVE = internal("sub_enter"), internal("sub_leave")


def lower(
    checked: typed.Checked,
    name: str = "policy",
    count_rules: bool = False,
    reuse: pieces.Reuse | None = None,
    coverage: bool = False,
) -> ir.Module:
    """Lowers a program that has no errors. ``count_rules``: gives each rule of the author a counter.
    ``reuse``: the pieces of the check. ``coverage``: counts statements, conditions and the ways around an
    ``if``, too; it excludes ``reuse``."""
    module = ir.Module(name)
    _tables(checked, module)
    values = Values(module)
    sites = Sites(checked, module)
    rules = Rules(checked, sites, count_rules, coverage)
    callable_subs = module.subs if any(sub.facts.calls_values for sub in checked.subs.values()) else []
    verdicts = _verdicts(checked)
    recorder = None if reuse is None else Recorder(module, values, reuse)
    functions: dict[str, ir.Function] = {}
    with deep_walk():
        for key, sub in _builtin_first(checked):
            code = FunctionBuilder(key)
            lowering = _SubLowering(values, sites, rules, code, callable_subs, verdicts, recorder)
            functions[key] = lowering.run(sub)
    module.functions = {key: functions[key] for key in checked.subs}
    fill_hooks(module)
    if bound_work(module) and reuse is not None:
        reuse.work.clear()  # the charges are no part of a statement
    module.effects = {key: _effects(effects) for key, effects in checked.effects.items() if key in ir.HOOKS}
    return module


def _verdicts(checked: typed.Checked) -> frozenset[str]:
    """The built-in subs that return without a condition, such as vcl_beresp_hitmiss. Four subs call it, and
    its own return does not tell which, so the log names the call as the place of the decision."""
    builtin_at = start_of_builtin(checked.program)
    return frozenset(
        key
        for key, sub in checked.subs.items()
        if sub.at[0] >= builtin_at and key not in ir.HOOKS and _always_returns(sub.body)
    )


def _builtin_first(checked: typed.Checked) -> list[tuple[str, typed.Sub]]:
    """The subs, those that only the built-in policy defines first. So an edit gives their sites and names no
    other numbers."""
    builtin_at = start_of_builtin(checked.program)
    return sorted(checked.subs.items(), key=lambda item: item[1].at[0] < builtin_at)


def _always_returns(body: list[typed.Statement]) -> bool:
    return bool(body) and isinstance(body[-1], typed.Return) and not any(map(_may_decide, body))


def _may_decide(statement: typed.Statement) -> bool:
    return isinstance(statement, typed.If | typed.CallSub | typed.CallValue)


# ---- tables ------------------------------------------------------------------------------------------------


def _tables(checked: typed.Checked, module: ir.Module) -> None:
    """Fills the tables of declarations that the image carries."""
    sources = checked.program.sources
    assert isinstance(sources, SourceMap)
    module.sources = [ir.Source(file.name, file.data) for file in sources.files]
    module.regexes = list(checked.regexes)
    module.storages = list(checked.storages)
    module.modules = [ir.ForeignModule(found.name, found.library, found.digest) for found in checked.modules]
    module.default_backend = checked.default_backend
    module.syntax = checked.version[0] * 10 + checked.version[1]
    module.follows_rfc9111 = checked.version >= (5, 0) and not checked.has_old_caching
    sites = Sites(checked, module)
    module.backends = [replace(backend, site=sites.at(backend.at), at=(0, 0)) for backend in checked.backends]
    module.probes = [*checked.probes]
    module.acls = [_acl(acl) for acl in checked.acls]
    module.tables = [
        _table(table, sources.files[sites.table.files[table.at[0]]].name, sites.at(table.at))
        for table in checked.tables
    ]
    module.counters = [ir.CounterDecl(counter.name, counter.labels) for counter in checked.counters]
    module.subs = [
        ir.SubDecl(value.sub, checked.subs[value.sub].name, value.hooks) for value in checked.sub_values
    ]
    module.instances = [
        ir.InstanceDecl(instance.name, instance.kind, instance.fini, sites.at(instance.at))
        for instance in checked.instances
    ]


def _acl(acl: typed.Acl) -> ir.AclDecl:
    return ir.AclDecl(
        acl.name, tuple(ir.AclEntryDecl(e.address, e.bits, e.negated, e.text) for e in acl.entries), acl.log
    )


def _table(table: typed.Table, source: str, site: int) -> ir.TableDecl:
    """A relative file is one beside the policy file that names it. The checker has the bits of a network
    before its address, the image has them behind."""
    file = None if table.file is None else os.path.join(os.path.dirname(os.path.abspath(source)), table.file)
    rows = table.rows
    if table.kind == "ip":
        rows = tuple((key[1:] + key[:1], value) for key, value in rows)
    return ir.TableDecl(
        table.name, table.kind, table.type, rows, table.default, table.has_default, file, table.columns, site
    )


def _effects(effects: typed.Effects) -> ir.Effects:
    return ir.Effects(
        reads=frozenset(map(_effect_name, effects.reads)),
        writes=frozenset(map(_effect_name, effects.writes)),
        actions=frozenset(ACTIONS[action] for action in effects.actions),
        may_wait=effects.may_wait,
        unknown=effects.unknown,
    )


def _effect_name(name: str) -> str:
    """Fields as ``message:name``, variables by their names."""
    message, found, field = name.partition(".http.")
    return f"{message}:{field}" if found else name


# ---- statements --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Inside:
    """A body that stands at a call: the block behind it, and the slots of its result."""

    behind: ir.BlockId
    result: tuple[int | None, int] | None


class _SubLowering:
    """Lowers one sub. ``open``: the current block has no terminator yet. ``subs`` numbers the subs that can
    be called as values. A return of one of ``verdicts`` has its place at the call."""

    __slots__ = ("code", "inside", "open", "recorder", "rules", "sites", "subs", "values", "verdicts")

    def __init__(
        self,
        values: Values,
        sites: Sites,
        rules: Rules,
        code: FunctionBuilder,
        subs: list[ir.SubDecl],
        verdicts: frozenset[str],
        recorder: Recorder | None,
    ) -> None:
        self.recorder = recorder
        self.subs = {sub.key: number for number, sub in enumerate(subs, 1)}
        self.values = values
        self.sites = sites
        self.rules = rules
        self.code = code
        self.open = True
        self.inside: list[_Inside] = []
        self.verdicts = verdicts

    def run(self, sub: typed.Sub) -> ir.Function:
        self.values.begin(self.code)
        self.code.site = self.sites.at(sub.at)
        self.values.locals.expand = self._expand
        self.rules.count_sub(self.code, sub)
        if self.recorder is None:
            self._statements(sub.body)
        else:
            self._pieces(self.recorder, sub.body)
        if self.open:
            self.code.ret(Action["FAIL" if sub.name in ir.HOOKS else "NONE"])
        return self.code.function

    def _statements(self, statements: list[typed.Statement]) -> None:
        for statement in statements:
            if not self.open:
                return
            self._statement(statement)

    def _pieces(self, recorder: Recorder, statements: list[typed.Statement]) -> None:
        """Lowers the statements of a sub, and records where the code of each is."""
        for statement in statements:
            if not self.open:
                return
            if isinstance(statement, typed.Kept):
                line, _ = self.sites.position(0, statement.start)
                recorder.replay(self.code, statement, line)
                continue
            recorder.own(self.code)
            noted = recorder.noted(statement)
            begin = None if noted is None else recorder.mark(self.code)
            self._statement(statement)
            if noted is not None and begin is not None and self.open:
                recorder.lowered(noted, self.code, begin)
        recorder.own(self.code)

    def _statement(self, statement: typed.Statement) -> None:
        assert not isinstance(statement, typed.Kept)
        self.rules.count_statement(self.code, statement)
        if isinstance(statement, typed.If):  # each arm has its own site
            self._if(statement)
            return
        self.code.mark(self.sites.at(statement.at))
        match statement:
            case typed.Assign():
                self._assign(statement)
            case typed.Remove():
                self._remove(statement.target)
            case typed.Evaluate():
                self.values.call(statement.call)
            case typed.CallSub():
                self._call_sub(statement.sub)
            case typed.CallValue():
                self._call_value(statement)
            case typed.Return():
                self._return(statement)
            case typed.Let():
                self.values.locals.let(statement.var, self.values.locals.pair(statement.value))
            case typed.Give():
                self._give(statement)
            case typed.For():
                self._for(statement)
            case typed.CallWith():
                self._call_with(statement)
            case typed.Make():
                extern, args, given = self.values.arguments(statement.call)
                self.code.new_instance(statement.instance, extern, *args, given=given)
            case _:
                assert_never(statement)

    def _if(self, node: typed.If) -> None:
        """Lowers arm after arm. Arms that do not return meet in one block behind the last arm. Without an
        ``else``, the last condition leads to that block if it is false; coverage counts on the way."""
        code, rules = self.code, self.rules
        if not node.counted:
            self._added(node)
            return
        decision = rules.decision()
        ends: list[tuple[ir.BlockId, int]] = []
        behind: ir.BlockId | None = None
        for arm in node.arms:
            if arm.condition is None:
                rules.count(code, arm.at, Kind.ARM, decision=decision)
                self._statements(arm.body)
                self._note_end(ends)
                behind = None
                break
            rules.cover(code, arm.at, Kind.CONDITION, decision)
            code.mark(self.sites.at(arm.at))
            then, behind = code.block(), code.block()
            self.values.condition(arm.condition, then, behind)
            code.at = then
            rules.count(code, arm.at, Kind.ARM, decision=decision)
            self._statements(arm.body)
            self._note_end(ends)
            code.at, self.open = behind, True
        if behind is not None and rules.coverage:
            rules.cover(code, node.arms[0].at, Kind.AROUND, decision)
            ends.append((code.at, code.site))
            behind = None
        self._join(ends, behind)

    def _added(self, node: typed.If) -> None:
        """Lowers an ``if`` that the compiler has added, with one arm."""
        code, arm = self.code, node.arms[0]
        assert arm.condition is not None and len(node.arms) == 1
        code.mark(self.sites.at(arm.at))
        then, behind = code.block(), code.block()
        self.values.condition(arm.condition, then, behind)
        code.at = then
        self._statements(arm.body)
        if self.open:
            code.jump(behind)
        code.at, self.open = behind, True

    def _note_end(self, ends: list[tuple[ir.BlockId, int]]) -> None:
        if self.open:
            ends.append((self.code.at, self.code.site))

    def _join(self, ends: list[tuple[ir.BlockId, int]], behind: ir.BlockId | None) -> None:
        code = self.code
        self.open = behind is not None or bool(ends)
        if not self.open:
            return
        target = code.block() if behind is None else behind
        for block, site in ends:
            code.at, code.site = block, site
            code.jump(target)
        code.at = target

    def _call_sub(self, sub: str) -> None:
        code, called_at = self.code, self.code.site
        number = code.const(Type.SUB, self.subs[sub]) if sub in self.subs else None
        if number is not None:
            code.call(SUB_ENTER, number)
        action = code.call_sub(sub)
        if number is not None:
            code.call(SUB_LEAVE, number)
        returned, behind = code.block(), code.block()
        code.branch(action, returned, behind)
        code.at = returned
        if sub in self.verdicts:
            code.mark(called_at)
        code.ret_value(action)
        code.at = behind

    def _call_value(self, node: typed.CallValue) -> None:
        """Compares the value with the number of each sub that is a value, and calls the sub that has it.
        SUB_ENTER fails the hook for an unknown number."""
        code = self.code
        value = self.values.value(node.value)
        behind = code.block()
        for sub, number in self.subs.items():
            this, other = code.block(), code.block()
            code.branch(code.compare("==", value, code.const(Type.SUB, number)), this, other)
            code.at = this
            self._call_sub(sub)
            code.jump(behind)
            code.at = other
        code.call(SUB_ENTER, value)
        code.jump(behind)
        code.at = behind

    # ---- bodies that stand at a call

    def _expand(self, function: typed.Function) -> Pair:
        """Lowers the body of a function; its parameters are bound. Each `return` leads behind it."""
        code, called_at, was_open = self.code, self.code.site, self.open
        optional = function.optional and function.type is not Type.STRING
        result = (code.slot(Type.BOOL) if optional else None, code.slot(machine(function.type)))
        self._stand(_Inside(code.block(), result), function.body)
        code.mark(called_at)
        self.open = was_open
        return None if result[0] is None else code.load(result[0]), code.load(result[1])

    def _stand(self, inside: _Inside, body: list[typed.Statement]) -> None:
        """Lowers a body in place, and goes on behind it."""
        self.inside.append(inside)
        self.open = True
        self._statements(body)
        if self.open:
            self.code.jump(inside.behind)
        self.inside.pop()
        self.code.at, self.open = inside.behind, True

    def _give(self, node: typed.Give) -> None:
        code, inside = self.code, self.inside[-1]
        assert inside.result is not None
        there, value = self.values.locals.pair(node.value)
        if inside.result[0] is not None:
            code.store(inside.result[0], code.const(Type.BOOL, True) if there is None else there)
        code.store(inside.result[1], value)
        code.jump(inside.behind)
        self.open = False

    def _call_with(self, node: typed.CallWith) -> None:
        pairs = [self.values.locals.pair(arg) for arg in node.args]
        for var, pair in zip(node.procedure.params, pairs):
            self.values.locals.let(var, pair)
        self._stand(_Inside(self.code.block(), None), node.procedure.body)

    def _for(self, node: typed.For) -> None:
        for item in node.items:
            if not self.open:
                return
            self.values.locals.let(node.var, (None, self.values.value(item)))
            self._statements(node.body)

    def _return(self, node: typed.Return) -> None:
        if node.action is None and self.inside:
            self.code.jump(self.inside[-1].behind)
            self.open = False
            return
        extern = return_arguments(node.action) if node.action is not None and node.args else None
        if extern is not None:
            given = [self.values.value(arg) for arg in node.args]
            given += [self.code.zero(type) for type in extern.params[len(given) :]]
            self.code.call(extern, *given)
        self.code.ret(Action["NONE"] if node.action is None else ACTIONS[node.action])
        self.open = False

    def _assign(self, node: typed.Assign) -> None:
        code, target = self.code, node.target
        if isinstance(target, typed.Field):
            name = self.values.name(target.name)
            value = self.values.value(node.value)
            if node.may_unset:
                self._set_or_unset(MESSAGES[target.message], name, value)
                return
            if node.op == "add":
                self._add_item(MESSAGES[target.message], name, value)
                return
            if node.op == "+=":
                value = code.concat(code.header_get(MESSAGES[target.message], name), value)
            code.header_set(MESSAGES[target.message], name, value)
        elif target.type is Type.BODY:
            self._assign_body(node, target)
        elif node.if_changed:
            self._assign_changed(node.value, target)
        else:
            value = self.values.value(node.value) if node.op == "=" else self._combined(node, target)
            code.call(self.values.accessor(target.row, "set"), value)

    def _assign_changed(self, expr: typed.Expr, target: typed.Variable) -> None:
        """Sets a variable if its text changes. A comparison is cheaper than a new value and its record."""
        code = self.code
        value = self.values.value(expr)
        before = code.call(self.values.accessor(target.row, "get"))
        changed, behind = code.block(), code.block()
        code.branch(code.compare("!=", value, before), changed, behind)
        code.at = changed
        code.call(self.values.accessor(target.row, "set"), value)
        code.jump(behind)
        code.at = behind

    def _set_or_unset(self, message: ir.Msg, name: int, value: ir.Value) -> None:
        code = self.code
        there, absent, behind = code.block(), code.block(), code.block()
        code.branch(code.convert(Type.BOOL, value), there, absent)
        code.at = there
        code.header_set(message, name, value)
        code.jump(behind)
        code.at = absent
        code.header_unset(message, name)
        code.jump(behind)
        code.at = behind

    def _add_item(self, message: ir.Msg, name: int, item: ir.Value) -> None:
        code = self.code
        before = code.header_get(message, name)
        there, absent, behind = code.block(), code.block(), code.block()
        code.branch(code.convert(Type.BOOL, before), there, absent)
        code.at = there
        code.header_set(message, name, code.concat(before, code.text(SEPARATOR), item))
        code.jump(behind)
        code.at = absent
        code.header_set(message, name, item)
        code.jump(behind)
        code.at = behind

    def _combined(self, node: typed.Assign, target: typed.Variable) -> ir.Value:
        """The new value of a variable after a compound assignment such as ``+=``."""
        if target.type is Type.STRING:
            return self.code.concat(
                self.code.call(self.values.accessor(target.row, "get")), self.values.value(node.value)
            )
        step = typed.Step(node.op[0], node.value, target.type)
        return self.values.value(typed.Chain(target.type, target, [step], node.checked))

    def _assign_body(self, node: typed.Assign, target: typed.Variable) -> None:
        """A body cannot be read, so ``+=`` has its own accessor."""
        verb = "set" if node.op == "=" else "append"
        blob = node.value.type is Type.BLOB
        self.code.call(internal(f"{verb}_body{'_blob' * blob}"), self.values.value(node.value))

    def _remove(self, target: typed.Variable | typed.Field) -> None:
        if isinstance(target, typed.Field):
            self.code.header_unset(MESSAGES[target.message], self.values.name(target.name))
        else:
            self.code.call(self.values.accessor(target.row, "unset"))
