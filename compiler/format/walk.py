"""Walks the tree and tells the writer where gaps, groups and indentation are: the style, one function for
each node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vernis.format.expressions import arguments, expression, grouped, name, plain
from vernis.format.layout import HARD, SPACE
from vernis.format.writer import BORDER, LOW, NONE, TALL, Writer
from vernis.syntax import nodes as n
from vernis.syntax.generated.token_types import T


def declarations(w: Writer, items: Sequence[n.Decl]) -> None:
    """Writes a whole file, up to its end."""
    before = BORDER
    for item in items:
        height = LOW if isinstance(item, n.Import) or isinstance(item, n.Backend) and item.none else TALL
        w.between(before, height)
        _WRITERS[type(item)](w, item)
        before = height
    w.between(before, BORDER)


def entries(w: Writer, items: Sequence[Any]) -> None:
    """Writes statements, properties or acl entries, up to the end of their list."""
    before = BORDER
    for item in items:
        w.between(before, LOW)
        _WRITERS[type(item)](w, item)
        before = LOW
    w.between(before, BORDER)


def _body(w: Writer, items: Sequence[Any]) -> None:
    """Writes a body in braces: `{}` if it is empty."""
    w.spaced(SPACE)
    if not items and not w.table.hidden[w.at]:
        w.spaced(NONE)
        return
    w.indent()
    entries(w, items)
    w.dedent()
    w.token()


# ---- declarations ------------------------------------------------------------------------------------------


def _words(w: Writer, item: Any) -> None:
    """Writes a declaration of one line: words, and a `;`."""
    w.token()
    while w.at <= item.at[1]:
        w.spaced(NONE if w.next_type() == T.SEMI else SPACE)


def _backend(w: Writer, item: n.Backend) -> None:
    if item.none:
        _words(w, item)
        return
    w.token()
    w.spaced(SPACE)
    _body(w, item.properties)


def _probe(w: Writer, item: n.Probe) -> None:
    w.token()
    w.spaced(SPACE)
    _body(w, item.body.properties)


def _property(w: Writer, item: n.Property) -> None:
    w.token()
    w.spaced(NONE)
    w.spaced(SPACE)
    if isinstance(item.value, n.ProbeBody):
        _body(w, item.value.properties)
        return
    if isinstance(item.value, tuple):
        _lines(w, item.value)
    else:
        w.gap(SPACE)
        expression(w, item.value)
    w.rest(item.at[1])


def _lines(w: Writer, texts: tuple[n.StringLit, ...]) -> None:
    """Writes the lines of a request, each on a line of its own."""
    w.indent()
    for _ in texts:
        w.spaced(HARD)
    w.dedent()


def _acl(w: Writer, item: n.Acl) -> None:
    w.token()
    w.spaced(SPACE)
    for _ in item.flags:
        w.spaced(SPACE)
        w.spaced(NONE)
    _body(w, item.entries)


def _acl_entry(w: Writer, item: n.AclEntry) -> None:
    after = w.next_type()
    w.token()
    while w.at <= item.at[1]:
        gap = SPACE if after == T.NOT else NONE
        after = w.next_type()
        w.spaced(gap)


def _sub(w: Writer, item: n.Sub) -> None:
    w.token()
    w.spaced(SPACE)
    _body(w, item.body.statements)


# ---- statements --------------------------------------------------------------------------------------------


def _set(w: Writer, item: n.Set) -> None:
    w.token()
    w.gap(SPACE)
    name(w, item.target)
    w.spaced(SPACE)
    w.gap(SPACE)
    expression(w, item.value)
    w.rest(item.at[1])


def _unset(w: Writer, item: n.Unset) -> None:
    w.token()
    w.gap(SPACE)
    name(w, item.target)
    w.rest(item.at[1])


def _call_sub(w: Writer, item: n.CallSub) -> None:
    w.token()
    w.gap(SPACE)
    if item.value is None:
        name(w, item.name)
    else:
        expression(w, item.value)
    w.rest(item.at[1])


def _return(w: Writer, item: n.Return) -> None:
    w.token()
    if item.action is not None:
        w.spaced(SPACE)
        w.gap(NONE)
        name(w, item.action)
        if item.has_args:
            w.gap(NONE)
            arguments(w, item.args)
    w.rest(item.at[1])


def _if(w: Writer, item: n.If) -> None:
    for arm in item.arms:
        if arm is not item.arms[0]:
            w.gap(SPACE)
        w.token()
        if w.next_type() == T.IF:
            w.spaced(SPACE)
        if arm.condition is not None:
            w.gap(SPACE)
            grouped(w, arm.condition)
        _body(w, arm.body.statements)


def _new(w: Writer, item: n.New) -> None:
    w.token()
    w.spaced(SPACE)
    w.spaced(SPACE)
    w.gap(SPACE)
    name(w, item.constructor)
    w.gap(NONE)
    arguments(w, item.args)
    w.rest(item.at[1])


def _call(w: Writer, item: n.CallStmt) -> None:
    expression(w, item.call)
    w.rest(item.at[1])


def _block(w: Writer, item: n.Block) -> None:
    """Writes a bare block. ``_body`` writes the gap before its brace, so the brace comes first here."""
    w.token()
    if not item.statements and not w.table.hidden[w.at]:
        w.spaced(NONE)
        return
    w.indent()
    entries(w, item.statements)
    w.dedent()
    w.token()


_WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    n.Version: _words,
    n.Import: _words,
    n.Backend: _backend,
    n.Probe: _probe,
    n.Property: _property,
    n.Acl: _acl,
    n.AclEntry: _acl_entry,
    n.Sub: _sub,
    n.TestCase: _sub,
    n.InlineC: plain,
    n.Set: _set,
    n.Unset: _unset,
    n.CallSub: _call_sub,
    n.Return: _return,
    n.If: _if,
    n.New: _new,
    n.CallStmt: _call,
    n.Block: _block,
}
