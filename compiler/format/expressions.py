"""Expressions: the part of the walk (``walk.py``) where lines may break."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vernis.format.layout import FILL, LINE, SOFT, SPACE
from vernis.format.writer import NONE, Writer
from vernis.syntax import nodes as n
from vernis.syntax.generated.token_types import T

_CHAINS = (n.Or, n.And, n.Sum, n.Product, n.Coalesce)


def expression(w: Writer, item: n.Argument | n.Expr, is_indented: bool = False) -> None:
    """Writes an expression whose first gap is written. ``is_indented``: it begins a line of its own if it is
    broken, so that its other lines need no indentation of their own."""
    if isinstance(item, _CHAINS):
        _chain(w, item.operands, is_indented)
    else:
        _WRITERS[type(item)](w, item)


def _chain(w: Writer, operands: Sequence[n.Expr], is_indented: bool) -> None:
    w.open()
    expression(w, operands[0])
    if not is_indented:
        w.indent()
    for operand in operands[1:]:
        w.operator(LINE)
        w.gap(SPACE)
        expression(w, operand)
    if not is_indented:
        w.dedent()
    w.close()


def grouped(w: Writer, inner: n.Expr) -> None:
    """Writes an expression in parentheses. Only a chain begins a new line in them: for a single value this
    would not save much."""
    w.open()
    w.token()
    _single(w, inner)
    w.token()
    w.close()


def bound(w: Writer, value: n.Expr) -> None:
    """Writes ``(let name = value)``."""
    w.token()
    w.spaced(NONE)
    w.spaced(SPACE)
    w.spaced(SPACE)
    w.gap(SPACE)
    expression(w, value)
    w.spaced(NONE)


def _single(w: Writer, item: n.Argument | n.Expr) -> None:
    """Writes the only value in parentheses, and the gaps around it."""
    if isinstance(item, n.Argument) and item.name is None:
        item = item.value
    is_chain = isinstance(item, _CHAINS)
    if is_chain:
        w.indent()
    w.gap(SOFT if is_chain else NONE)
    expression(w, item, is_chain)
    w.gap(SOFT if is_chain else NONE)
    if is_chain:
        w.dedent()


def arguments(w: Writer, items: Sequence[n.Argument | n.Expr]) -> None:
    """Writes arguments in parentheses, and the `,` after the last one if it was written."""
    w.open()
    w.token()
    if not items:
        w.gap(NONE)
    elif len(items) == 1 and w.type_after(items[0].at[1]) != T.COMMA:
        _single(w, items[0])
    else:
        _list(w, items)
    w.token()
    w.close()


def _list(w: Writer, items: Sequence[n.Argument | n.Expr]) -> None:
    w.indent()
    for item in items:
        w.gap(SOFT if item is items[0] else LINE)
        expression(w, item)
        if w.next_type() == T.COMMA:
            w.spaced(NONE)
    w.gap(SOFT)
    w.dedent()


def _argument(w: Writer, item: n.Argument) -> None:
    if item.name is not None:
        w.token()
        w.spaced(SPACE)
        w.gap(SPACE)
    expression(w, item.value)


def name(w: Writer, item: n.Name) -> None:
    """Writes a dotted name."""
    w.token()
    w.rest(item.at[1])


def plain(w: Writer, item: Any) -> None:
    """Writes a literal of one token, or a number with its unit."""
    w.token()
    w.rest(item.at[1])


def _name(w: Writer, item: n.NameExpr) -> None:
    name(w, item.name)


def _paren(w: Writer, item: n.Paren) -> None:
    grouped(w, item.inner)


def _call(w: Writer, item: n.CallExpr) -> None:
    if item.receiver is not None:
        _receiver(w, item.receiver)
    name(w, item.name)
    w.gap(NONE)
    arguments(w, item.args)


def _member(w: Writer, item: n.MemberExpr) -> None:
    _receiver(w, item.receiver)
    w.token()


def _receiver(w: Writer, item: n.Expr) -> None:
    """Writes a value, the `.` after it, and the gap before the name. `5 .x` keeps its space: `5.` is a
    number."""
    expression(w, item)
    w.spaced(SPACE if isinstance(item, n.NumberLit) else NONE)
    w.gap(NONE)


def _signed(w: Writer, item: n.Neg | n.Not) -> None:
    if isinstance(item.operand, n.Presence) and item.operand.at == item.at:
        _presence(w, item.operand)
        return
    w.token()
    w.gap(NONE)
    expression(w, item.operand)


def _compare(w: Writer, item: n.Compare) -> None:
    expression(w, item.left)
    w.spaced(SPACE)
    w.gap(SPACE)
    expression(w, item.right)


def _index(w: Writer, item: n.Index) -> None:
    expression(w, item.receiver)
    w.spaced(NONE)
    w.gap(NONE)
    expression(w, item.key)
    w.spaced(NONE)


def _presence(w: Writer, item: n.Presence) -> None:
    """Writes ``x is set``, and ``x is not set``, which is a negated node."""
    expression(w, item.operand)
    while w.at <= item.at[1]:
        w.spaced(SPACE)


def _captured(w: Writer, item: n.Captured) -> None:
    _compare(w, item.test)
    w.spaced(SPACE)
    w.spaced(SPACE)


def listed(w: Writer, item: n.ListExpr) -> None:
    """Writes a list in brackets."""
    filled(w, item.items)


def filled(w: Writer, values: Sequence[n.Expr]) -> None:
    """Writes the values of a list or set: on one line, or on lines that are as full as the width allows."""
    items(w, values, expression, FILL)


def items(
    w: Writer, values: Sequence[Any], write: Callable[[Writer, Any], None], between: int = LINE
) -> None:
    """Writes values between a pair of brackets, and the `,` after each that has one."""
    w.open()
    w.token()
    if not values:
        w.gap(NONE)
    else:
        w.indent()
        for value in values:
            w.gap(SOFT if value is values[0] else between)
            write(w, value)
            if w.next_type() == T.COMMA:
                w.spaced(NONE)
        w.gap(SOFT)
        w.dedent()
    w.token()
    w.close()


_WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    n.Argument: _argument,
    n.StringLit: plain,
    n.NumberLit: plain,
    n.BlobLit: plain,
    n.NameExpr: _name,
    n.CallExpr: _call,
    n.MemberExpr: _member,
    n.Paren: _paren,
    n.Neg: _signed,
    n.Not: _signed,
    n.Compare: _compare,
    n.Index: _index,
    n.Presence: _presence,
    n.Captured: _captured,
    n.ListExpr: listed,
}
