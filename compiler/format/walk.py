"""Walks the tree and tells the writer where gaps, groups and indentation are: the style, one function for
each node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vernis.format.expressions import arguments, bound, expression, filled, grouped, items, name, plain
from vernis.format.layout import HARD, LINE, SPACE
from vernis.format.writer import BORDER, LOW, NONE, TALL, Writer
from vernis.syntax import nodes as n
from vernis.syntax.generated.token_types import T


_LINES = (n.Import, n.Constant, n.Counter)  # declarations of one line


def declarations(w: Writer, items: Sequence[n.Decl]) -> None:
    """Writes a whole file, up to its end."""
    before = BORDER
    for item in items:
        height = LOW if isinstance(item, _LINES) or isinstance(item, n.Backend) and item.none else TALL
        is_below = isinstance(item, n.Caching) and before != BORDER  # the line of the version
        w.between(LOW if is_below else before, LOW if is_below else height)
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


def _body(w: Writer, items: Sequence[Any], is_short: bool = False) -> None:
    """Writes a body in braces: `{}` if it is empty. ``is_short``: on the line of its head, if that fits."""
    w.spaced(SPACE)
    if not items and not w.table.hidden[w.at]:
        w.spaced(NONE)
        return
    w.indent()
    if is_short:
        for item in items:
            w.gap(LINE)
            _WRITERS[type(item)](w, item)
        w.gap(LINE)
    else:
        entries(w, items)
    w.dedent()
    w.token()


# Statements that may stand on the line of an `if` or a `case`.
_SIMPLE = (n.Set, n.Unset, n.CallSub, n.Return, n.Give, n.CallStmt, n.New, n.Count, n.Allow, n.RunBuiltin)


def _on_one_line(w: Writer, at: n.At) -> bool:
    """Whether the author of a file of 5.0 wrote these tokens on one line, without a comment among them."""
    first, last = at
    table = w.table
    is_one_line = table.files[first] in table.fives and table.lines[first] == table.lines[last]
    return is_one_line and 1 not in table.hidden[first : last + 1]


def _is_short(w: Writer, at: n.At, *bodies: n.Block) -> bool:
    """Whether a statement may stay on one line: each of its bodies has one statement, which has no body."""
    alone = all(len(body.statements) == 1 and isinstance(body.statements[0], _SIMPLE) for body in bodies)
    return alone and _on_one_line(w, at)


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
    w.open()
    w.token()
    w.spaced(SPACE)
    _body(w, item.properties, _is_short_data(w, item.at, item.properties))
    w.close()


def _probe(w: Writer, item: n.Probe) -> None:
    w.open()
    w.token()
    w.spaced(SPACE)
    _body(w, item.body.properties, _is_short_data(w, item.at, item.body.properties))
    w.close()


def _is_short_data(w: Writer, at: n.At, properties: Sequence[n.Property]) -> bool:
    has_body = any(isinstance(item.value, (n.ProbeBody, tuple)) for item in properties)
    return not has_body and _on_one_line(w, at)


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
    w.open()
    w.token()
    w.spaced(SPACE)
    for flag in item.flags:
        w.spaced(SPACE)
        for _ in range(5 if "(" in flag else 1):
            w.spaced(NONE)
    _body(w, item.entries, _on_one_line(w, item.at))
    w.close()


def _acl_entry(w: Writer, item: n.AclEntry) -> None:
    after = w.next_type()
    w.token()
    while w.at <= item.at[1]:
        gap = SPACE if after == T.NOT else NONE
        after = w.next_type()
        w.spaced(gap)


def _sub(w: Writer, item: n.Sub | n.TestCase) -> None:
    if isinstance(item, n.Sub):
        for annotation in item.annotations:
            _annotation(w, annotation)
            w.gap(HARD)
    at = (w.at, item.at[1])  # without the annotations, which have lines of their own
    w.open()
    w.token()
    w.spaced(SPACE)
    if isinstance(item, n.Sub) and item.params is not None:
        w.gap(NONE)
        _params(w, item.params)
    _body(w, item.body.statements, _is_short(w, at, item.body))
    w.close()


def _annotation(w: Writer, item: n.Annotation) -> None:
    w.token()
    w.spaced(NONE)
    if w.at <= item.at[1]:
        w.gap(NONE)
        arguments(w, item.args)


def _params(w: Writer, params: tuple[n.Parameter, ...]) -> None:
    items(w, params, _parameter)


def _parameter(w: Writer, item: n.Parameter) -> None:
    w.token()
    w.spaced(SPACE)
    w.gap(SPACE)
    _type(w, item.type)


def _type(w: Writer, item: n.TypeName) -> None:
    w.token()
    while w.at <= item.at[1]:
        w.spaced(NONE)


def _typed(w: Writer, item: n.TypeName | None) -> None:
    """Writes ``: TYPE`` after a name."""
    if item is not None:
        w.spaced(SPACE)
        w.gap(SPACE)
        _type(w, item)


def _valued(w: Writer, item: n.Constant | n.Let) -> None:
    """Writes ``[: TYPE] = value;`` after a name."""
    _typed(w, item.type)
    w.spaced(SPACE)
    w.gap(SPACE)
    expression(w, item.value)
    w.rest(item.at[1])


def _constant(w: Writer, item: n.Constant) -> None:
    w.token()
    w.spaced(SPACE)
    _valued(w, item)


def _function(w: Writer, item: n.Function) -> None:
    w.open()
    w.token()
    w.spaced(SPACE)
    w.gap(NONE)
    _params(w, item.params)
    w.spaced(SPACE)
    w.gap(SPACE)
    _type(w, item.result)
    _body(w, item.body.statements, _is_short(w, item.at, item.body))
    w.close()


def _text_set(w: Writer, item: n.TextSet) -> None:
    w.token()
    w.spaced(SPACE)
    w.gap(SPACE)
    filled(w, item.items)
    w.rest(item.at[1])


def _table(w: Writer, item: n.Table) -> None:
    w.token()
    w.spaced(SPACE)
    _typed(w, item.type)
    w.spaced(SPACE)
    w.spaced(SPACE)
    if item.path is not None:
        before = T.FROM
        while (type := w.next_type()) != T.SEMI:
            w.spaced(NONE if type in (T.RPAREN, T.COMMA) or before == T.LPAREN else SPACE)
            before = type
    else:
        w.gap(SPACE)
        items(w, item.rows, _row)
    w.rest(item.at[1])


def _row(w: Writer, item: n.Row) -> None:
    w.token()
    while w.next_type() != T.MAPS_TO:
        w.spaced(NONE)
    w.spaced(SPACE)
    w.gap(SPACE)
    expression(w, item.value)


def _counter(w: Writer, item: n.Counter) -> None:
    w.token()
    w.spaced(SPACE)
    if item.labels:
        w.spaced(SPACE)
        w.gap(SPACE)
        items(w, item.labels, name)
    w.rest(item.at[1])


def _budget(w: Writer, item: n.Budget) -> None:
    w.open()
    w.token()
    _body(w, item.limits, _on_one_line(w, item.at))
    w.close()


def _limit(w: Writer, item: tuple[n.At, str, str]) -> None:
    w.token()
    w.spaced(SPACE)
    w.spaced(NONE)


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
    if item.args is not None:
        w.gap(NONE)
        arguments(w, item.args)
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
    is_short = _is_short(w, item.at, *(arm.body for arm in item.arms))
    w.open()
    for arm in item.arms:
        if arm is not item.arms[0]:
            w.gap(SPACE)
        w.token()
        if w.next_type() == T.IF:
            w.spaced(SPACE)
        if arm.condition is not None:
            w.gap(SPACE)
            (grouped if arm.binding is None else bound)(w, arm.condition)
        _body(w, arm.body.statements, is_short)
    w.close()


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


# ---- statements of 5.0 -------------------------------------------------------------------------------------


def _let(w: Writer, item: n.Let) -> None:
    w.token()
    if item.mutable:
        w.spaced(SPACE)
    w.spaced(SPACE)
    _valued(w, item)


def _give(w: Writer, item: n.Give) -> None:
    w.token()
    w.spaced(SPACE)
    w.gap(NONE)
    expression(w, item.value)
    w.rest(item.at[1])


def _switch(w: Writer, item: n.Switch) -> None:
    w.token()
    w.gap(SPACE)
    grouped(w, item.subject)
    _body(w, item.cases)


def _case(w: Writer, item: n.SwitchCase) -> None:
    w.open()
    w.token()
    for label in item.labels:
        w.gap(SPACE)
        if label.is_pattern:
            w.token()
            w.gap(SPACE)
        expression(w, label.value)
        w.spaced(NONE)
    if not item.labels:
        w.spaced(NONE)
    _body(w, item.body.statements, _is_short(w, item.at, item.body))
    w.close()


def _for(w: Writer, item: n.For) -> None:
    w.open()
    w.token()
    w.spaced(SPACE)
    w.spaced(NONE)
    w.spaced(SPACE)
    w.gap(SPACE)
    expression(w, item.items)
    w.spaced(NONE)
    _body(w, item.body.statements, _is_short(w, item.at, item.body))
    w.close()


def _count(w: Writer, item: n.Count) -> None:
    w.token()
    w.spaced(SPACE)
    if w.next_type() == T.LPAREN:
        w.gap(NONE)
        arguments(w, item.args)
    w.rest(item.at[1])


def _log(w: Writer, item: n.Log) -> None:
    w.token()
    w.gap(SPACE)
    items(w, item.pairs, _pair)
    w.rest(item.at[1])


def _pair(w: Writer, item: tuple[n.Name, n.Expr]) -> None:
    w.token()
    w.spaced(SPACE)
    w.gap(SPACE)
    expression(w, item[1])


def _allow(w: Writer, item: n.Allow) -> None:
    w.token()
    w.gap(SPACE)
    items(w, item.words, name)
    w.rest(item.at[1])


def _invariant(w: Writer, item: n.Invariant) -> None:
    w.token()
    w.spaced(SPACE)
    w.spaced(SPACE)
    w.gap(SPACE)
    expression(w, item.condition)
    w.spaced(SPACE)


def _labelled(w: Writer, item: n.Labelled) -> None:
    _annotation(w, item.annotation)
    w.gap(HARD)
    _WRITERS[type(item.statement)](w, item.statement)


_WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    n.Version: _words,
    n.Caching: _words,
    n.Unused: _words,
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
    n.Constant: _constant,
    n.Function: _function,
    n.TextSet: _text_set,
    n.Table: _table,
    n.Counter: _counter,
    n.Budget: _budget,
    tuple: _limit,
    n.Let: _let,
    n.Give: _give,
    n.Switch: _switch,
    n.SwitchCase: _case,
    n.For: _for,
    n.Count: _count,
    n.Log: _log,
    n.Allow: _allow,
    n.RunBuiltin: _words,
    n.Invariant: _invariant,
    n.Labelled: _labelled,
}
