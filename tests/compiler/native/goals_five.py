"""Statements that contain one wanted thing of vcl 5.0 each, for random_goals.py: a view, a function, or a form of the grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vernis.semantics.safety import ALLOWED
from vernis.semantics.types import TO_STRING, Type
from vernis.semantics.vocabulary import ALL_HOOKS, HOOKS, ViewRow, load_vocabulary

if TYPE_CHECKING:
    from random_goals import Goal
    from random_language_five import WriterOfFive

T = Type
LOCALS = (T.STRING, T.INT, T.REAL, T.DURATION, T.TIME, T.BYTES, T.BOOL, T.IP, T.BACKEND)
ROW_TYPES = tuple(type for type in LOCALS if type is not T.TIME)
KINDS = ("exact", "prefix", "suffix", "ip")
FIVE_VERSION = (5, 0)
#: Parts of 5.0 that no random policy contains, with the reason.
NOT_GENERATED_OF_FIVE = {
    "rule testCase": "stands in files of tests", "token TEST": "as testCase",
    "rule columns": "needs a file when the image is loaded", "token COLUMNS": "as columns"}
Write = Callable[["WriterOfFive"], "str | None"]


def goals_of_five() -> list[Goal]:
    from language_coverage import wanted
    from random_goals import FIVE, Goal

    found: dict[str, tuple[int, Write]] = {**_views(), **_values(), **_forms()}
    return [Goal(name, hooks, FIVE, write) for name, (hooks, write) in found.items() if name in wanted(True)]


def _views() -> dict[str, tuple[int, Write]]:
    vocabulary = load_vocabulary()
    found: dict[str, tuple[int, Write]] = {}
    for name, view in vocabulary.views.items():
        rows = vocabulary.variables_of(FIVE_VERSION)
        row = rows.get(view.of) or rows[view.of.rpartition(".")[0] + "."]
        found[f"view read {name}"] = row.read, lambda w, name=name, view=view: _read(w, name, view)
        if view.has is not None:
            found[f"view has {name}"] = row.read, lambda w, name=name: _has(w, name)
        if view.replace is not None:
            found[f"view set {name}"] = row.set, lambda w, name=name: w.edit(name)
        if view.select is not None:
            for word in ("keep", "remove"):
                found[f"view {word} {name}"] = row.set, lambda w, name=name, word=word: w.edit(name, word)
        if view.sort is not None:
            found[f"view sort {name}"] = row.set, lambda w, name=name: w.edit(name, "sort")
    return found


def _read(w: WriterOfFive, name: str, view: ViewRow) -> str:
    return w.shown(T.STRING, f'{name}["{w.rng.choice(["a", "foo", "bar", "max-age"])}"]' if view.indexed else name)


def _has(w: WriterOfFive, name: str) -> str:
    names = ", ".join(w.rng.sample(['"a"', '"foo"', '"bar"', '"max-age"', '"f" + "oo"'], w.rng.randint(1, 3)))
    return f'if ({name}.has({names})) {{ std.log("has"); }}'


def _values() -> dict[str, tuple[int, Write]]:
    """Functions, and values of each type: written, bound, looked up."""
    found: dict[str, tuple[int, Write]] = {}
    for name, row in load_vocabulary().functions_five.items():
        found[f"function {name}"] = ALL_HOOKS, lambda w, name=name, type=row.result: w.shown(
            type, f"({name}({w.optional(T.STRING, 1)}) ?? {w.default(type)})")
    for type in TO_STRING - {T.STRING}:
        found[f"convert {type.value}"] = ALL_HOOKS, lambda w, type=type: f"std.log({w.written(type, w.operand(type, 1))});"
    for type in LOCALS:
        found[f"let {type.value}"] = ALL_HOOKS, lambda w, type=type: w.let(type, False, False)
        found[f"let {type.value}?"] = ALL_HOOKS, lambda w, type=type: w.let(type, True)
        found[f"let mut {type.value}"] = ALL_HOOKS, lambda w, type=type: w.change(type)
        found[f"coalesce {type.value}"] = ALL_HOOKS, lambda w, type=type: w.shown(type, f"({w.optional(type, 1)} ?? {w.default(type)})")
        found[f"is set {type.value}"] = ALL_HOOKS, lambda w, type=type: f'if ({w.optional(type, 1)} is set) {{ std.log("set"); }}'
        found[f"fn {type.value}"] = ALL_HOOKS, lambda w, type=type: w.shown(type, w.function_call(type, False, 1))
        found[f"fn {type.value}?"] = ALL_HOOKS, lambda w, type=type: w.shown(type, f"({w.function_call(type, True, 1)} ?? {w.default(type)})")
    for type in ROW_TYPES:
        for kind in KINDS:
            found[f"table {type.value} by {kind}"] = ALL_HOOKS, lambda w, type=type, kind=kind: w.shown(
                type, f"({w.row(type, False, kind)} ?? {w.default(type)})" if w.rng.random() < 0.5 else w.row(type, True, kind))
    for word, hook in ALLOWED.items():
        found[f"allow {word}"] = 1 << HOOKS.index(hook), lambda w, word=word: f"allow ({word});"
    return found


def _forms() -> dict[str, tuple[int, Write]]:
    """Rules and tokens that a random walk meets too rarely."""
    forms: dict[str, Write] = {
        "rule switchStatement": lambda w: w.switch(1), "rule forStatement": lambda w: w.loop(0), "rule logStatement": lambda w: w.log(),
        "rule builtinStatement": lambda w: w.builtin(), "rule invariant": lambda w: w.invariant(), "rule labelled": lambda w: w.rule(1),
        "rule binding": lambda w: w.bound(1), "rule capture": lambda w: w.matched(1), "node CallWith": lambda w: w.call_procedure(),
        "rule allowStatement": lambda w: w.allow(), "rule countStatement": lambda w: w.counted()}
    for word in ("in", "starts", "ends", "contains"):
        forms[f"token {word.upper()}"] = lambda w, word=word: f'if ({w.text_test(word)}) {{ std.log("{word}"); }}'
    found: dict[str, tuple[int, Write]] = {name: (ALL_HOOKS, write) for name, write in forms.items()}
    return found | {"rule allowStatement": (sum(1 << HOOKS.index(hook) for hook in set(ALLOWED.values())), forms["rule allowStatement"])}
