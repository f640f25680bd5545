"""The language's table, ``grammar/vocabulary.toml``, as typed rows.

This is the only reader of that file in the compiler. A :class:`Vocabulary` is immutable and shared; which rows a policy sees
depends on its version (:meth:`Vocabulary.variables_of`). Sets of hooks are bit masks over :data:`HOOKS`.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any, TypeAlias

from vernis.record import record
from vernis.semantics import frozen
from vernis.semantics.types import Type

HOOKS = ("vcl_recv", "vcl_pipe", "vcl_pass", "vcl_hash", "vcl_purge", "vcl_miss", "vcl_hit", "vcl_deliver", "vcl_synth",
         "vcl_backend_fetch", "vcl_backend_response", "vcl_backend_error", "vcl_init", "vcl_fini")
ALL_HOOKS = (1 << len(HOOKS)) - 1
VERSIONS = ((4, 0), (4, 1))

HookMask: TypeAlias = int
Version: TypeAlias = tuple[int, int]


@record(frozen=True)
class HookRow:
    """One of the fourteen hooks; ``bit`` is its place in every mask."""

    name: str
    bit: int
    side: str
    actions: tuple[str, ...]
    doc: str


@record(frozen=True)
class VariableRow:
    """A variable of one range of versions. ``key`` is the name in lower case, a family's without ``*``."""

    name: str
    key: str
    type: Type
    read: HookMask
    set: HookMask
    unset: HookMask
    versions: tuple[Version, Version]
    get_may_fail: bool
    set_may_fail: bool
    doc: str

    @property
    def accessor(self) -> str:
        """What follows ``get_``, ``set_`` and ``unset_`` in the symbols of its accessors."""
        return self.name.replace(".*", "").replace(".", "_")


@record(frozen=True)
class Param:
    """``default`` counts when ``has_default``; without one and not ``optional``, an argument must be given. ``unnamed``: it goes by
    its place only, and ``name`` is for messages."""

    name: str
    type: Type
    values: tuple[str, ...] = ()
    default: str | int | float | bool | None = None
    has_default: bool = False
    optional: bool = False
    unnamed: bool = False


@record(frozen=True)
class FunctionRow:
    """Something that can be called. ``name`` is how a policy writes it, as far as the table knows."""

    name: str
    symbol: str
    result: Type
    params: tuple[Param, ...]
    where: HookMask
    may_fail: bool
    pure: bool
    may_wait: bool
    statement: bool
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    doc: str


@record(frozen=True)
class ObjectRow:
    """What ``new`` makes. ``constructor`` carries the parameters."""

    name: str
    constructor: FunctionRow
    fini: str
    methods: dict[str, FunctionRow]
    doc: str


@record(frozen=True)
class ModuleRow:
    name: str
    functions: dict[str, FunctionRow]
    objects: dict[str, ObjectRow]
    doc: str


@record(frozen=True)
class Vocabulary:
    """The whole table. Names are in lower case wherever they are keys, for symbols are the same in any case."""

    hooks: dict[str, HookRow]
    actions: dict[str, HookMask]            # action -> hooks that may return it
    variables: tuple[VariableRow, ...]
    functions: dict[str, FunctionRow]
    methods: dict[tuple[Type, str], FunctionRow]
    modules: dict[str, ModuleRow]

    def variables_of(self, version: Version) -> dict[str, VariableRow]:
        """The rows a policy of this version sees, by key."""
        return {row.key: row for row in self.variables if row.versions[0] <= version <= row.versions[1]}


def hook_names(mask: HookMask) -> list[str]:
    """The hooks of a mask, in the order of :data:`HOOKS`."""
    return [name for bit, name in enumerate(HOOKS) if mask >> bit & 1]


@cache
def load_vocabulary(path: str | None = None) -> Vocabulary:
    """The table, read once per process. ``path`` names another file, for tests."""
    with open(path or grammar_file("vocabulary.toml"), "rb") as file:
        return read_vocabulary(frozen.table(file.read()))


def grammar_file(name: str) -> str:
    """Path of a file of ``grammar/``: beside the package in a checkout, inside it when installed."""
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    installed = os.path.join(package, "grammar", name)
    return installed if os.path.exists(installed) else os.path.join(os.path.dirname(package), "grammar", name)


def grammar_text(name: str) -> bytes:
    with open(grammar_file(name), "rb") as file:
        return file.read()


def read_vocabulary(raw: dict[str, Any]) -> Vocabulary:
    """Typed rows from the parsed file. A wrong table is our mistake: it raises."""
    hooks = {row["name"]: HookRow(row["name"], HOOKS.index(row["name"]), row["side"], tuple(row["actions"]), row["doc"])
             for row in raw["hook"]}
    if tuple(hooks) != HOOKS:
        raise ValueError("vocabulary.toml: hooks are not those of HOOKS, in that order")
    masks = _word_masks(hooks)
    actions: dict[str, HookMask] = {}
    for hook in hooks.values():
        for action in hook.actions:
            actions[action] = actions.get(action, 0) | 1 << hook.bit
    return Vocabulary(
        hooks=hooks,
        actions=actions,
        variables=tuple(_variable(row, masks) for row in raw["variable"]),
        functions={row["name"].lower(): _function(row, masks) for row in raw["function"]},
        methods={(Type(row["type"]), row["name"].lower()): _function(row, masks) for row in raw["method"]},
        modules={row["name"].lower(): _module(row, masks) for row in raw["module"]},
    )


def _word_masks(hooks: dict[str, HookRow]) -> dict[str, HookMask]:
    """The words that stand for sets of hooks in the file."""
    masks = {"all": ALL_HOOKS, "client": 0, "backend": 0, "housekeeping": 0}
    for hook in hooks.values():
        masks[hook.name.removeprefix("vcl_")] = 1 << hook.bit
        masks[hook.side] |= 1 << hook.bit
    return masks


def _mask(words: list[str], masks: dict[str, HookMask]) -> HookMask:
    mask = 0
    for word in words:
        mask |= masks[word]
    return mask


def _variable(row: dict[str, Any], masks: dict[str, HookMask]) -> VariableRow:
    first, _, last = row["versions"].partition("-")
    name = row["name"]
    return VariableRow(
        name=name, key=name.lower().removesuffix("*"), type=Type(row["type"]), read=_mask(row["read"], masks),
        set=_mask(row["set"], masks), unset=_mask(row["unset"], masks), versions=(_version(first), _version(last or first)),
        get_may_fail=row.get("get_may_fail", False), set_may_fail=row.get("set_may_fail", False), doc=row["doc"])


def _version(text: str) -> Version:
    major, minor = text.split(".")
    return int(major), int(minor)


def _function(row: dict[str, Any], masks: dict[str, HookMask]) -> FunctionRow:
    return FunctionRow(
        name=row["name"], symbol=row["symbol"], result=Type(row["result"]),
        params=tuple(_param(param) for param in row["params"]), where=_mask(row.get("where", ["all"]), masks),
        may_fail=row.get("may_fail", False), pure=row.get("pure", False), may_wait=row.get("may_wait", False),
        statement=row.get("statement", False), reads=tuple(row.get("reads", ())), writes=tuple(row.get("writes", ())),
        doc=row["doc"])


def _param(row: dict[str, Any]) -> Param:
    return Param(row["name"], Type(row["type"]), tuple(row.get("values", ())), row.get("default"), "default" in row,
                 row.get("optional", False), row.get("unnamed", False))


def hook_words(hooks: dict[str, HookRow]) -> set[str]:
    """What ``where`` may name: hooks without ``vcl_``, and sides."""
    return set(_word_masks(hooks))


def module_row(raw: dict[str, Any], hooks: dict[str, HookRow]) -> ModuleRow:
    """The row of one ``[[module]]``, which has been checked."""
    return _module(raw, _word_masks(hooks))


def _module(row: dict[str, Any], masks: dict[str, HookMask]) -> ModuleRow:
    return ModuleRow(
        name=row["name"], functions={f["name"].lower(): _function(f, masks) for f in row["function"]},
        objects={o["name"].lower(): _object(o, masks) for o in row.get("object", ())}, doc=row["doc"])


def _object(row: dict[str, Any], masks: dict[str, HookMask]) -> ObjectRow:
    constructor = _function(row | {"result": "INSTANCE", "where": ["init"], "may_fail": True}, masks)
    return ObjectRow(row["name"], constructor, row["fini"],
                     {m["name"].lower(): _function(m, masks) for m in row["method"]}, row["doc"])
