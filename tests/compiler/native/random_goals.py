"""Statements that contain one wanted thing each: a row of the vocabulary or a row of a table of types.

A random walk alone finds the common things; goals add the rare ones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from random_calls import PREPARED, UNSHOWN, arguments, callables
from vernis.semantics.types import ASSIGNMENTS, COMPARISONS, OPERATORS, Type
from vernis.semantics.vocabulary import ALL_HOOKS, HOOKS, VERSIONS, FunctionRow, VariableRow, Version, hook_names, load_vocabulary

if TYPE_CHECKING:
    from random_language import Writer

T = Type
ADDRESSES = ["127.0.0.1", "10.1.1.1", "10.9.9.9", "::1"]
SEPARATORS = ['"a"', '"/"', '"; "', '""', '"="']
FIVE = ((5, 0),)
SOME = 12           # so many goals are drawn; the least seen of them is taken


@dataclass(slots=True, frozen=True)
class Goal:
    """``hooks`` is a mask of the hooks that allow the goal. ``write`` returns statements, or None if the goal
    cannot be written."""

    name: str
    hooks: int
    versions: tuple[Version, ...]
    write: Callable[[Writer], str | None]


class Steering:
    """Counts how often each goal was seen, and chooses one of the least seen."""

    def __init__(self, kinds: tuple[str, ...] = (), five: bool = False) -> None:
        """``kinds`` are first words of goals; every second goal is one of these. ``five``: goals of vcl 5.0."""
        self.counts: Counter[str] = Counter()
        self.goals = goals(five)
        self.preferred = tuple(name for name in self.goals if name.startswith(kinds)) if kinds else ()

    def next(self, rng: random.Random) -> Goal:
        names = self.preferred if self.preferred and rng.random() < 0.5 else tuple(self.goals)
        return self._rarest(rng.sample(names, SOME))

    def more(self, rng: random.Random, hook: str, version: Version) -> list[Goal]:
        """Three more goals that the hook allows."""
        fitting = goals_of(hook, version)
        preferred = tuple(name for name in self.preferred if name in set(fitting))
        return [self._rarest(rng.sample(names, min(SOME, len(names)))) for names in (fitting, preferred or fitting, fitting)]

    def _rarest(self, names: Sequence[str]) -> Goal:
        return self.goals[min(names, key=lambda name: self.counts[name])]


@cache
def goals_of(hook: str, version: Version) -> tuple[str, ...]:
    found = goals(version >= FIVE[0]).items()
    return tuple(name for name, goal in found if goal.hooks & mask_of(hook) and version in goal.versions)


@cache
def goals(five: bool = False) -> dict[str, Goal]:
    """All goals of 4.x or of 5.0, by the name under which coverage counts them."""
    from goals_five import goals_of_five
    from random_language import LEFT_OUT

    versions = FIVE if five else VERSIONS
    found = [*_variable_goals(versions), *_function_goals(versions), *_cell_goals(versions), *_return_goals(versions)]
    if five:
        found += goals_of_five()
    return {goal.name: goal for goal in found if goal.name not in LEFT_OUT}


def mask_of(hook: str) -> int:
    return 1 << HOOKS.index(hook)


def _has(version: Version, row: VariableRow) -> bool:
    return load_vocabulary().variables_of(version).get(row.key) is row


def _variable_goals(all_versions: tuple[Version, ...]) -> list[Goal]:
    found = []
    for row in load_vocabulary().variables:
        mine = tuple(version for version in all_versions if _has(version, row))
        versions = f"{row.versions[0][1]}-{row.versions[1][1]}"
        for verb, mask, write in (("read", row.read, _read), ("set", row.set, _set), ("unset", row.unset, _unset)):
            found += [Goal(f"{verb} {row.name} {versions} in {hook}", mask_of(hook), mine, lambda w, row=row,
                write=write: write(w, row))
                      for hook in hook_names(mask) if mine]
    return found


def _read(w: Writer, row: VariableRow) -> str | None:
    if row.type is T.HTTP:
        function = w.rng.choice(["std.rollback({})", 'header.regsub({}, "a", "b")'] if row.name in ("req", "bereq")
            else ['header.regsub({}, "a", "b")'])
        w.modules.add("header")
        return function.format(row.name) + ";"
    return w.shown(row.type, w.name(row))


def _set(w: Writer, row: VariableRow) -> str:
    return w.assignment(row)


def _unset(w: Writer, row: VariableRow) -> str:
    return f"unset {w.name(row)};"


def _function_goals(versions: tuple[Version, ...]) -> list[Goal]:
    vocabulary = load_vocabulary()
    found = [Goal(f"function {name}", row.where & ALL_HOOKS, versions, lambda w, name=name: w.language_call(name))
             for name, row in vocabulary.functions.items()]
    methods = vocabulary.methods_five if versions == FIVE else vocabulary.methods
    found += [Goal(f"method {type.value}.{name}", ALL_HOOKS, versions, lambda w, type=type, row=row: _method(w, type, row))
              for (type, name), row in methods.items()]
    found += [Goal(f"module {name}", item.row.where & ALL_HOOKS or ALL_HOOKS, versions, lambda w, name=name: call_statement(w, name))
              for name, item in callables().items()]
    found += [Goal(f"object {module.name}.{made}", ALL_HOOKS, versions, lambda w, kind=f"{module.name}.{made}": _object(w, kind))
              for module in vocabulary.modules.values() for made in module.objects]
    return found


def _method(w: Writer, type: Type, row: FunctionRow) -> str:
    args = ", ".join(w.rng.choice(SEPARATORS) for _ in row.params)
    return w.shown(row.result, f"{w.operand(type, 0)}.{row.name}({args})")


def _object(w: Writer, kind: str) -> str | None:
    return "" if instance_of(w, kind) else None


def instance_of(w: Writer, kind: str) -> str | None:
    """The name of an object of this kind, which vcl_init creates."""
    if kind not in w.instances:
        module, _, name = kind.partition(".")
        constructor = load_vocabulary().modules[module].objects[name].constructor
        text = arguments(w.constants(), module + "." + name, constructor, 0)
        if text is None:
            return None
        w.modules.add(module)
        own = f"made{len(w.instances)}"
        w.instances[kind] = f"new {own} = {w.module(module)}.{name}({text}); {PREPARED.get(kind, '').replace('{}', own)}"
    return f"made{list(w.instances).index(kind)}"


def call_statement(w: Writer, name: str, depth: int = 1) -> str | None:
    """A call that logs its value, if the value can be logged."""
    text = call_text(w, name, depth)
    if text is None:
        return None
    result = callables()[name].row.result
    if name in UNSHOWN:
        w.modules.add("blob")
        return f'if ({UNSHOWN[name].format(w.there(result, text))}) {{ std.log("yes"); }} else {{ std.log("no"); }}'
    if result is T.SUB:
        return f"call {text};"
    return f"{text};" if result is T.VOID else w.shown(result, text)


def call_text(w: Writer, name: str, depth: int) -> str | None:
    item = callables()[name]
    w.modules.add(item.owner.partition(".")[0])
    text = arguments(w, item.owner, item.row, depth)
    owner = instance_of(w, item.owner) if item.is_method else w.module(item.owner)
    return None if text is None or owner is None else f"{owner}.{item.row.name}({text})"


def _cell_goals(versions: tuple[Version, ...]) -> list[Goal]:
    found = [Goal(f"operator {a.value} {op} {b.value}", ALL_HOOKS, versions, lambda w, a=a, op=op, b=b: _operator(w, a, op, b))
             for a, op, b in OPERATORS]
    found += [Goal(f"comparison {type.value} {op}", ALL_HOOKS, versions, lambda w, type=type, op=op: _compared(w, type, op))
              for type, ops in COMPARISONS.items() for op in ops]
    for type, op in [*ASSIGNMENTS, *((type, "=") for type in T)]:
        rows = [row for row in load_vocabulary().variables if row.type is type and row.set]
        hooks = 0
        for row in rows:
            hooks |= row.set
        if rows:
            found.append(Goal(f"assignment {type.value} {op}", hooks, versions, lambda w, type=type, op=op: _assigned(w, type, op)))
    return found


def _operator(w: Writer, a: Type, op: str, b: Type) -> str:
    left = w.operand(a, 1)
    if op in "*/%":
        right = w.factor(op, b)
    else:
        right = w.rng.choice(w.literals(b)) if w.rng.random() < 0.5 and b is not T.TIME else w.operand(b, 1)
    if a is T.TIME and right.startswith("(-"):      # V309: a minus cannot stand where TIME is expected
        right = right[2:-1]
    return w.shown(OPERATORS[a, op, b], f"({left} {op} {right})")


def _compared(w: Writer, type: Type, op: str) -> str:
    w.in_condition += 1
    left = w.operand(type, 1)
    right = w.quoted(ADDRESSES) if type is T.IP and w.rng.random() < 0.7 else w.operand(type, 1)
    w.in_condition -= 1
    return f'if ({left} {op} {right}) {{ std.log("{op} holds"); }}'


def _assigned(w: Writer, type: Type, op: str) -> str | None:
    rows = [row for row in w.settable if row.type is type]
    return w.assignment(w.rng.choice(rows), op) if rows else None


def _return_goals(versions: tuple[Version, ...]) -> list[Goal]:
    found = []
    for hook in load_vocabulary().hooks.values():
        found += [Goal(f"return {action} in {hook.name}", 1 << hook.bit, versions,
                       lambda w, action=action: f"if ({w.condition(1)}) {{ {w.ending(action)} }}") for action in hook.actions]
    return found
