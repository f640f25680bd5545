"""Turns each row of the vocabulary into an :class:`ir.Extern`, the form in which compiled code calls the
runtime.

The C compiler checks the same list: ``native/headers.py`` writes prototypes and tables from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from vernis.ir import ir
from vernis.ir.ir import Extern, Type
from vernis.semantics.types import VALUES
from vernis.semantics.vocabulary import (
    STORAGE_FAMILY,
    FunctionRow,
    ModuleRow,
    VariableRow,
    Vocabulary,
    storage_function,
)


def machine(type: Type) -> Type:
    """The type of such values in compiled code: VCL has more types than the machine."""
    return VALUES.get(type, type)


def accessor(row: VariableRow, verb: str) -> Extern:
    """``get``, ``set`` or ``unset`` of a variable. A variable that no policy can set keeps its value within a
    hook, so its ``get`` is pure."""
    symbol = f"{verb}_{row.accessor}"
    match verb:
        case "get":
            return Extern(symbol, (), machine(row.type), may_fail=row.get_may_fail, pure=not row.set)
        case "set":
            return Extern(symbol, (machine(row.type),), Type.VOID, may_fail=row.set_may_fail)
        case _:
            return Extern(symbol, (), Type.VOID)


def extern_of(row: FunctionRow, receiver: Type | None, method: bool) -> Extern:
    """A function as an import. The first argument of a method is its value, or its instance for a method of
    an object."""
    params = [machine(param.type) for param in row.params]
    optional = [index for index, param in enumerate(row.params) if param.optional]
    if method or receiver is not None:
        params.insert(0, Type.INSTANCE if receiver is None else machine(receiver))
        optional = [index + 1 for index in optional]
    return Extern(
        row.symbol, tuple(params), machine(row.result), tuple(optional), row.may_fail, row.pure, row.may_wait
    )


def fini_of(symbol: str) -> Extern:
    """The destructor of an object."""
    return Extern(symbol, (Type.INSTANCE,), Type.VOID)


@cache
def internal(symbol: str) -> Extern:
    """A function that only compiled code calls; VCL has no name for it."""
    return extern_of(ir.VOCABULARY.internal[symbol], None, False)


@cache
def return_arguments(action: str) -> Extern | None:
    """The function that stores the arguments of an action. It takes all of them: absent ones are zero or
    unset."""
    row = ir.VOCABULARY.action_rows[action].store
    return (
        None
        if row is None
        else Extern(row.symbol, tuple(machine(param.type) for param in row.params), Type.VOID)
    )


# ---- all of them -------------------------------------------------------------------------------------------


def of_language(vocabulary: Vocabulary) -> dict[str, Extern]:
    """The functions that need no ``import`` statement, by symbol."""
    found = [
        extern_of(row, None, False) for row in (*vocabulary.internal.values(), *vocabulary.functions.values())
    ]
    found += [extern for action in vocabulary.action_rows if (extern := return_arguments(action)) is not None]
    found += [extern_of(row, type, False) for (type, _), row in vocabulary.methods.items()]
    for row in vocabulary.variables:
        found += _accessors(row)
    return {extern.symbol: extern for extern in found}


def _accessors(row: VariableRow) -> Iterator[Extern]:
    """The accessors of a variable. HEADER and HTTP have ops instead; internal functions set a BODY."""
    if row.type in (Type.HEADER, Type.HTTP):
        return
    if row.name.startswith(STORAGE_FAMILY):
        yield extern_of(storage_function(row), Type.STEVEDORE, False)
        return
    for verb, mask in (("get", row.read), ("set", row.set), ("unset", row.unset)):
        if mask and (row.type is not Type.BODY or verb == "unset"):
            yield accessor(row, verb)


def of_module(module: ModuleRow) -> dict[str, Extern]:
    """The functions of a module, by symbol."""
    found = [extern_of(row, None, False) for row in module.functions.values()]
    for made in module.objects.values():
        found += [extern_of(made.constructor, None, False), fini_of(made.fini)]
        found += [extern_of(row, None, True) for row in made.methods.values()]
    return {extern.symbol: extern for extern in found}
