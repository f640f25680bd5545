"""Calls that vcl 5.0 is lowered to, in the words of policies: ``req.url.path`` for ``url_path(req.url)``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from vernis.ir import ir

#: Functions whose result no policy has: the row of a key, whether a check is allowed, and the whole variable
#: behind a changed part, which the assignment tells.
_FINDS = frozenset(("table_find", "table_find_ip"))
_CHECKS = frozenset(("allow", "allowed"))
_ROW = "table_"


@cache
def _views() -> dict[tuple[str, str], tuple[str, str]]:
    """The view, and whether it is read or edited, by symbol and variable: ``("url_path", "req.url")``."""
    found = {}
    for row in ir.VOCABULARY.views.values():
        for function in (row.read, row.replace, row.select, row.sort):
            if function is not None:
                found[function.symbol, row.of.lower()] = row.name, "read" if function is row.read else "edit"
    return found


@cache
def _methods() -> dict[str, str]:
    of_all = {**ir.VOCABULARY.methods, **ir.VOCABULARY.methods_five}
    return {row.symbol: row.name for row in of_all.values()}


def is_own(op: ir.Call, args: list[str]) -> bool:
    """Whether the result is a step of the lowering, and none of the policy."""
    symbol = op.extern.symbol
    view = _views().get((symbol, args[0].lower())) if args else None
    return (
        symbol in _FINDS | _CHECKS
        or view is not None
        and view[1] != "read"
        or _tells_presence(op) is not None
    )


def _tells_presence(op: ir.Call) -> str | None:
    """The symbol of the function of which this one tells whether its result is there."""
    symbol = op.extern.symbol.removesuffix("_is")
    is_one = symbol != op.extern.symbol and f"{symbol}_is" in ir.VOCABULARY.internal
    return symbol if is_one and symbol in ir.VOCABULARY.internal else None


def described(
    op: ir.Call, args: list[str], module: ir.Module, made: Mapping[ir.Value, ir.Op], names: Mapping[str, str]
) -> str | None:
    """The call as the policy has it, with its arguments as texts; None for any other call. ``names`` are
    those of functions."""
    symbol = op.extern.symbol
    view = _views().get((symbol, args[0].lower())) if args else None
    if view is not None:
        return f"{view[0]}[{args[1]}]" if view[1] == "read" and len(args) > 1 else view[0]
    if symbol in _CHECKS:
        mask = made.get(op.args[0])
        bits = mask.value if isinstance(mask, ir.Const) and isinstance(mask.value, int) else 0
        return f"allow ({', '.join(word for n, word in enumerate(ir.VOCABULARY.safety) if bits >> n & 1)})"
    if symbol in _FINDS:
        return f"{_table(op.args[0], module, made)}[{args[1]}]"
    if symbol.startswith(_ROW) and symbol in ir.VOCABULARY.internal:
        row = made.get(op.args[1])
        # A key that may be absent is looked up on a branch of its own.
        return args[1] if isinstance(row, ir.Call) else f"{_table(op.args[0], module, made)}[...]"
    if symbol == "match_group":
        return f"({args[1]} ~ {args[0]})[{args[2]}]"
    if (read := _tells_presence(op)) is not None:
        return f"{names.get(read, read)}({', '.join(args)}) is set"
    if symbol in _methods() and args:
        return f"{args[0]}.{_methods()[symbol]}({', '.join(args[1:])})"
    return None


@cache
def _edits() -> frozenset[str]:
    return frozenset(symbol for (symbol, _), (_, use) in _views().items() if use == "edit")


def is_edit_test(op: ir.Op, made: Mapping[ir.Value, ir.Op]) -> bool:
    """Whether the op asks if the edit of a view changes the variable: then it is set, else not."""
    edit = made.get(op.a) if isinstance(op, ir.CompareOp) else None
    return isinstance(edit, ir.Call) and edit.extern.symbol in _edits()


def is_row_test(op: ir.CompareOp, made: Mapping[ir.Value, ir.Op]) -> bool:
    """Whether the comparison asks if a table has a row for a key."""
    row = made.get(op.a)
    return isinstance(row, ir.Call) and row.extern.symbol in _FINDS


def _table(value: ir.Value, module: ir.Module, made: Mapping[ir.Value, ir.Op]) -> str:
    op = made.get(value)
    return module.tables[op.value].name if isinstance(op, ir.Const) and isinstance(op.value, int) else "..."
