"""The vocabulary of VCL, ``grammar/vocabulary.toml``, as typed rows.

This is the only reader of that file in the compiler. A :class:`Vocabulary` is immutable and shared. The
version of a policy selects its rows (:meth:`Vocabulary.variables_of`). Sets of hooks are bit masks over
:data:`HOOKS`.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any, TypeAlias

from vernis.record import record, replace
from vernis.semantics import frozen
from vernis.semantics.types import Type

STORAGE_FAMILY = "storage.*."
SIDES = ("client", "backend", "housekeeping")
VERSIONS = ((4, 0), (4, 1))

HookMask: TypeAlias = int
Version: TypeAlias = tuple[int, int]


@record(frozen=True)
class HookRow:
    """A hook. ``bit`` is its number in the contract with the runtime, and its position in every mask."""

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
        """The part of the accessors' symbols after ``get_``, ``set_`` and ``unset_``."""
        return self.name.replace(".*", "").replace(".", "_")


@record(frozen=True)
class Param:
    """A parameter. ``default`` applies if ``has_default`` is set. A parameter without a default needs an
    argument unless it is ``optional``. An ``unnamed`` parameter is positional only; messages use its
    ``name``."""

    name: str
    type: Type
    values: tuple[str, ...] = ()
    default: str | int | float | bool | None = None
    has_default: bool = False
    optional: bool = False
    unnamed: bool = False


@record(frozen=True)
class FunctionRow:
    """A function. ``name`` is its spelling in a policy, without the module or object."""

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
    absent: bool = False  # the result may be absent, for vcl 5.0


@record(frozen=True)
class ActionRow:
    """An action that a hook may return. ``number`` is its number in the contract with the runtime. ``store``
    stores the arguments before the hook returns; None means that the action takes no arguments."""

    name: str
    number: int
    store: FunctionRow | None

    @property
    def params(self) -> tuple[Param, ...]:
        return () if self.store is None else self.store.params


@record(frozen=True)
class ObjectRow:
    """An object type of ``new``. ``constructor`` carries the parameters."""

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
class ViewRow:
    """A part of the variable ``of``, in 5.0. ``read``, ``has``, ``replace``, ``select`` and ``sort`` are the
    internal functions behind it; None: it has no such use."""

    name: str
    of: str
    indexed: bool
    read: FunctionRow
    has: FunctionRow | None
    replace: FunctionRow | None
    select: FunctionRow | None
    sort: FunctionRow | None
    doc: str


@record(frozen=True)
class Vocabulary:
    """The whole vocabulary. Keys are names in lower case, because case does not matter. The keys of
    ``internal`` functions are their symbols: no policy can name them."""

    hooks: dict[str, HookRow]
    actions: dict[str, HookMask]  # action -> hooks that may return it
    action_rows: dict[str, ActionRow]
    messages: tuple[str, ...]
    safety: tuple[str, ...]
    internal: dict[str, FunctionRow]
    variables: tuple[VariableRow, ...]
    functions: dict[str, FunctionRow]
    methods: dict[tuple[Type, str], FunctionRow]
    modules: dict[str, ModuleRow]
    methods_five: dict[tuple[Type, str], FunctionRow]  # of 5.0, with those of 4.x
    functions_five: dict[str, FunctionRow]  # those that only 5.0 has
    views: dict[str, ViewRow]

    def variables_of(self, version: Version) -> dict[str, VariableRow]:
        """Returns the rows of a version, by key. What the last version of 4 has, 5.0 has too."""
        return {
            row.key: row
            for row in self.variables
            if row.versions[0] <= version and min(version, VERSIONS[-1]) <= row.versions[1]
        }


def hook_names(mask: HookMask) -> list[str]:
    """Returns the hooks of a mask, in the order of :data:`HOOKS`."""
    return [name for bit, name in enumerate(HOOKS) if mask >> bit & 1]


@cache
def load_vocabulary() -> Vocabulary:
    """Returns the vocabulary, read once per process."""
    return read_vocabulary(frozen.table(grammar_text("vocabulary.toml")))


def grammar_file(name: str) -> str:
    """Returns the path of a file of ``grammar/``: beside the package in a checkout, inside the package when
    installed."""
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    installed = os.path.join(package, "grammar", name)
    return installed if os.path.exists(installed) else os.path.join(os.path.dirname(package), "grammar", name)


def grammar_text(name: str) -> bytes:
    with open(grammar_file(name), "rb") as file:
        return file.read()


def read_vocabulary(raw: dict[str, Any]) -> Vocabulary:
    """Returns typed rows of the parsed file. A wrong table is a bug of ours and raises an exception."""
    hooks = {
        row["name"]: HookRow(row["name"], bit, row["side"], tuple(row["actions"]), row["doc"])
        for bit, row in enumerate(raw["hook"])
    }
    masks = _word_masks(hooks)
    actions: dict[str, HookMask] = {}
    for hook in hooks.values():
        for action in hook.actions:
            actions[action] = actions.get(action, 0) | 1 << hook.bit
    rows = {row["name"]: _action(row, number, masks) for number, row in enumerate(raw["action"], 1)}
    if actions.keys() != rows.keys():
        raise ValueError(
            f"vocabulary.toml: no hook returns the actions {sorted(rows.keys() - actions.keys())}, "
            f"no row describes the actions {sorted(actions.keys() - rows.keys())}"
        )
    internal = {
        row["symbol"]: _function({"name": row["symbol"], "doc": ""} | row, masks) for row in raw["internal"]
    }
    methods = {(Type(row["type"]), row["name"].lower()): _function(row, masks) for row in raw["method"]}
    return Vocabulary(
        hooks=hooks,
        actions=actions,
        action_rows=rows,
        messages=tuple(raw["message"]),
        safety=tuple(raw["safety"]),
        internal=internal,
        variables=tuple(_variable(row, masks) for row in raw["variable"]),
        functions={row["name"].lower(): _function(row, masks) for row in raw["function"]},
        methods=methods,
        modules={row["name"].lower(): _module(row, masks) for row in raw["module"]},
        methods_five=methods
        | {(Type(row["type"]), row["name"]): _of_internal(row, internal, 1) for row in raw["method_5"]},
        functions_five={row["name"]: _of_internal(row, internal, 0) for row in raw["function_5"]},
        views={row["name"]: _view(row, internal) for row in raw["view"]},
    )


def _word_masks(hooks: dict[str, HookRow]) -> dict[str, HookMask]:
    """Returns the masks of the words that name sets of hooks in the file."""
    masks = {"all": (1 << len(hooks)) - 1, **dict.fromkeys(SIDES, 0)}
    for hook in hooks.values():
        masks[hook.name.removeprefix("vcl_")] = 1 << hook.bit
        masks[hook.side] |= 1 << hook.bit
    return masks


def _mask(words: list[str], masks: dict[str, HookMask]) -> HookMask:
    mask = 0
    for word in words:
        mask |= masks[word]
    return mask


def _action(row: dict[str, Any], number: int, masks: dict[str, HookMask]) -> ActionRow:
    store = _function(row | {"result": "VOID", "doc": ""}, masks) if "symbol" in row else None
    return ActionRow(row["name"], number, store)


def _variable(row: dict[str, Any], masks: dict[str, HookMask]) -> VariableRow:
    first, _, last = row["versions"].partition("-")
    name = row["name"]
    return VariableRow(
        name=name,
        key=name.lower().removesuffix("*"),
        type=Type(row["type"]),
        read=_mask(row["read"], masks),
        set=_mask(row["set"], masks),
        unset=_mask(row["unset"], masks),
        versions=(_version(first), _version(last or first)),
        get_may_fail=row.get("get_may_fail", False),
        set_may_fail=row.get("set_may_fail", False),
        doc=row["doc"],
    )


def storage_function(row: VariableRow) -> FunctionRow:
    """Returns the accessor of a storage attribute. Its first argument is the storage, as a method takes its
    value."""
    return FunctionRow(
        name=row.name.removeprefix(STORAGE_FAMILY),
        symbol=f"get_{row.accessor}",
        result=row.type,
        params=(),
        where=row.read,
        may_fail=False,
        pure=False,
        may_wait=False,
        statement=False,
        reads=(),
        writes=(),
        doc=row.doc,
    )


def _version(text: str) -> Version:
    major, minor = text.split(".")
    return int(major), int(minor)


def _function(row: dict[str, Any], masks: dict[str, HookMask]) -> FunctionRow:
    return FunctionRow(
        name=row["name"],
        symbol=row["symbol"],
        result=Type(row["result"]),
        params=tuple(_param(param) for param in row["params"]),
        where=_mask(row.get("where", ["all"]), masks),
        may_fail=row.get("may_fail", False),
        pure=row.get("pure", False),
        may_wait=row.get("may_wait", False),
        statement=row.get("statement", False),
        reads=tuple(row.get("reads", ())),
        writes=tuple(row.get("writes", ())),
        doc=row["doc"],
        absent=row.get("absent", False),
    )


def _param(row: dict[str, Any]) -> Param:
    return Param(
        row["name"],
        Type(row["type"]),
        tuple(row.get("values", ())),
        row.get("default"),
        "default" in row,
        row.get("optional", False),
        row.get("unnamed", False),
    )


def hook_words(hooks: dict[str, HookRow]) -> set[str]:
    """Returns the words that ``where`` may contain: hooks without ``vcl_``, and sides."""
    return set(_word_masks(hooks))


def module_row(raw: dict[str, Any], hooks: dict[str, HookRow]) -> ModuleRow:
    """Returns the row of one checked ``[[module]]``."""
    return _module(raw, _word_masks(hooks))


def _module(row: dict[str, Any], masks: dict[str, HookMask]) -> ModuleRow:
    return ModuleRow(
        name=row["name"],
        functions={f["name"].lower(): _of_module(f, masks) for f in row["function"]},
        objects={o["name"].lower(): _object(o, masks) for o in row.get("object", ())},
        doc=row["doc"],
    )


def _of_internal(row: dict[str, Any], internal: dict[str, FunctionRow], skip: int) -> FunctionRow:
    """Returns a function of 5.0 under its name in policies, without its first ``skip`` parameters."""
    function = internal[row["symbol"]]
    return replace(
        function,
        name=row["name"],
        params=function.params[skip:],
        absent=row.get("absent", False),
        doc=row["doc"],
    )


def _view(row: dict[str, Any], internal: dict[str, FunctionRow]) -> ViewRow:
    return ViewRow(
        name=row["name"],
        of=row["of"],
        indexed=row.get("indexed", False),
        read=replace(internal[row["symbol"]], absent=row.get("absent", False)),
        has=internal.get(row.get("has", "")),
        replace=internal.get(row.get("set", "")),
        select=internal.get(row.get("edit", "")),
        sort=internal.get(row.get("sort", "")),
        doc=row["doc"],
    )


def _of_module(row: dict[str, Any], masks: dict[str, HookMask]) -> FunctionRow:
    """Returns a function or method of a module. A text of a module may be absent unless its row says no."""
    return _function({"absent": row["result"] in ("STRING", "STRANDS", "HEADER")} | row, masks)


def _object(row: dict[str, Any], masks: dict[str, HookMask]) -> ObjectRow:
    constructor = _function(row | {"result": "INSTANCE", "where": ["init"], "may_fail": True}, masks)
    return ObjectRow(
        row["name"],
        constructor,
        row["fini"],
        {m["name"].lower(): _of_module(m, masks) for m in row["method"]},
        row["doc"],
    )


HOOKS = tuple(load_vocabulary().hooks)
ALL_HOOKS = (1 << len(HOOKS)) - 1
