"""Parsed views of vcl 5.0 (``req.url.path``, ``req.cookie["a"]``, ``req.url.query.remove("a")``), and the
functions that only 5.0 has: values from text, ``text(...)`` and ``http_date(...)``.

A view is a part of a variable. Reading it is a call of a function with the variable; changing it assigns the
variable. The rows are in the vocabulary.
"""

from __future__ import annotations

from vernis.semantics import absence, constants, expressions, names
from vernis.semantics.conversions import reads_text
from vernis.semantics.context import Context
from vernis.semantics.report import certain, did_you_mean, joined_names, nearest
from vernis.semantics.typed import Assign, Bad, Convert, Expr, Field, Invoke, Literal, Variable
from vernis.semantics.types import DURATION_UNITS, TO_STRING, Type
from vernis.semantics.vocabulary import FunctionRow, ViewRow
from vernis.syntax import nodes

PATTERNS_MAX = 64  # of one edit
NEVER_IN_NAMES = "=&;"


# ---- reading -----------------------------------------------------------------------------------------------


def view_of(cx: Context, name: nodes.Name) -> ViewRow | None:
    return cx.scope.vocabulary.views.get(name.text) if cx.five and not name.quoted else None


def read(cx: Context, name: nodes.Name) -> Expr | None:
    """Checks a view without an index. None: the name is no view."""
    view = view_of(cx, name)
    if view is None:
        return None
    if view.indexed:
        cx.report.error("V780", name.at, f"{view.name} has no value of its own", _uses(view))
        return Bad()
    return _part(cx, name, view, view.read, [])


def indexed(cx: Context, node: nodes.Index) -> Expr | None:
    """Checks ``view[name]``. None: the receiver is no view."""
    view = view_of(cx, node.receiver.name) if isinstance(node.receiver, nodes.NameExpr) else None
    if view is None or not view.indexed:
        return None
    key = expressions.value(cx, node.key, Type.STRING)
    assert isinstance(node.receiver, nodes.NameExpr)
    return Bad() if key.type is Type.ERROR else _part(cx, node.receiver.name, view, view.read, [key])


def _part(
    cx: Context, name: nodes.Name, view: ViewRow, function: FunctionRow, args: list[Expr | None]
) -> Expr:
    """A function of the variable that the view is a part of."""
    whole = expressions.value_of_name(cx, _whole(name, view))
    return whole if whole.type is Type.ERROR else Invoke(Type.STRING, function, [whole, *args])


def _whole(name: nodes.Name, view: ViewRow) -> nodes.Name:
    return nodes.Name(name.at, tuple(view.of.split(".")))


def _uses(view: ViewRow) -> str:
    edits = [f'{view.name}.{edit}("name")' for edit in ("keep", "remove") if view.select is not None]
    return f'write {joined_names([f"""{view.name}["name"]""", *edits])}'


def report_unknown(cx: Context, name: nodes.Name) -> bool:
    """Reports a dotted name that was meant as a view: ``req.cookie.a``, ``req.url.pth``, ``req.query``.
    Returns whether it did."""
    views = cx.scope.vocabulary.views
    if not cx.five or name.quoted:
        return False
    list_ = next(
        (view for view in views.values() if view.indexed and name.text.startswith(view.name + ".")), None
    )
    if list_ is not None:
        meant = f'{list_.name}["{name.text[len(list_.name) + 1 :]}"]'
        cx.report.error("V780", name.at, f"there is no {name.text}", f"write {meant}", replace=meant)
        return True
    wanted = (
        name.text.replace("req.query", "req.url.query") if name.text.startswith("req.query") else name.text
    )
    same_message = [view for view in views if view.startswith(name.parts[0] + ".")]
    near = [wanted] if wanted in views else nearest(wanted, same_message)
    variables = [row.name for row in cx.scope.variables.values()] if len(name.parts) == 2 else []
    if not near or wanted not in views and nearest(name.text, variables):
        return False
    cx.report.error(
        "V302",
        name.at,
        f"there is no variable {name.text}",
        did_you_mean(near, ""),
        replace=certain(wanted, near) or (wanted if wanted in views else None),
    )
    return True


def indexed_field(field: Expr) -> str:
    """The view that is meant by an index behind a header field; empty: there is none."""
    parts = {"cookie": "cookie", "cache-control": "cache_control"}
    part = parts.get(field.name.lower()) if isinstance(field, Field) else None
    return f"{field.message}.{part}" if isinstance(field, Field) and part else ""


# ---- changes -----------------------------------------------------------------------------------------------


def check_set(cx: Context, node: nodes.Set, view: ViewRow) -> Assign | None:
    """Checks ``set`` of a view."""
    if view.replace is None or node.op != "=":
        help_ = _uses(view) if view.indexed else "set req.url.path = ...; replaces the path"
        cx.report.error("V780", node.at, f"{view.name} cannot be set with {node.op}", help_)
        return None
    value = expressions.value(cx, node.value, Type.STRING)
    if value.type is Type.ERROR:
        return None
    return _changed(cx, node.at, node.target, view, view.replace, [value])


def edited(cx: Context, call: nodes.CallExpr) -> ViewRow | None:
    """The view with an index before the last dot of a call."""
    name = call.name
    view = (
        None if call.receiver is not None else view_of(cx, nodes.Name(name.at, name.parts[:-1], name.quoted))
    )
    return view if view is not None and view.indexed else None


def check_edit(cx: Context, node: nodes.CallStmt, view: ViewRow) -> Assign | None:
    """Checks ``view.remove("a", "b*");`` and its like."""
    name = node.call.name
    edit = name.parts[-1]
    if edit == "has" and view.has is not None:
        cx.report.error("V324", node.at, "the value of has is not used", "use it in a condition")
        return None
    edits = {"keep": view.select, "remove": view.select, "sort": view.sort}
    function = edits.get(edit)
    if function is None:
        known = [word for word, row in edits.items() if row is not None]
        near = nearest(edit, known)
        cx.report.error(
            "V780",
            node.at,
            f"{view.name} has no {edit}",
            did_you_mean(near, f"it has {joined_names(known)}" if known else "it can only be read"),
        )
        return None
    args: list[Expr | None] = []
    if edit == "sort" and node.call.args:
        cx.report.error("V313", node.at, "sort takes no arguments", f"write {view.name}.sort();")
        return None
    if edit != "sort":
        patterns = _patterns(cx, node.call)
        if patterns is None:
            return None
        args = [Literal(Type.INT, int(edit == "keep")), Literal(Type.STRING, b"\0".join(patterns))]
    return _changed(cx, node.at, nodes.Name(name.at, name.parts[:-1]), view, function, args)


def _changed(
    cx: Context, at: nodes.At, name: nodes.Name, view: ViewRow, function: FunctionRow, args: list[Expr | None]
) -> Assign | None:
    """The assignment of the variable. A header of which nothing is left goes."""
    whole = _whole(name, view)
    found = names.find(cx, whole)
    assert isinstance(found, names.FoundVariable)
    if not names.usable(cx, name.at, whole, found, "set"):
        return None
    value = _part(cx, name, view, function, args)
    if not isinstance(value, Invoke):
        return None
    target = value.args[0]
    assert isinstance(target, (Field, Variable))
    cx.frame.forget(absence.key_of(target))
    is_field = isinstance(target, Field)  # which is set anyway, because there may be several of its name
    return Assign(at, target, "=", value, may_unset=is_field, if_changed=not is_field)


def _has(cx: Context, node: nodes.CallExpr, view: ViewRow, has: FunctionRow) -> Expr:
    """Checks ``view.has("a", "b*")``: whether one of the names is there."""
    patterns = _patterns(cx, node)
    if patterns is None:
        return Bad()
    if view.select is None and any(b"*" in pattern for pattern in patterns):
        cx.report.error("V781", node.at, f"{view.name} takes whole names", "write each name that you mean")
        return Bad()
    whole = expressions.value_of_name(cx, _whole(node.name, view))
    names = Literal(Type.STRING, b"\0".join(patterns))
    return whole if whole.type is Type.ERROR else Invoke(Type.BOOL, has, [whole, names])


def _patterns(cx: Context, node: nodes.CallExpr) -> list[bytes] | None:
    """The names that a call gives; None if one was reported."""
    args = node.args
    if not args or len(args) > PATTERNS_MAX:
        few = "no names" if not args else f"more than {PATTERNS_MAX} names"
        cx.report.error("V781", node.at, f"{few} for {node.name.text}", 'name them: "a", "utm_*"')
        return None
    found = [_pattern(cx, arg) for arg in args]
    return None if None in found else [pattern for pattern in found if pattern is not None]


def _pattern(cx: Context, arg: nodes.Argument) -> bytes | None:
    text = constants.text(cx, arg.value) if arg.name is None else None
    if text is None:
        cx.report.error("V781", arg.at, "a name to keep or remove is a constant text", 'write "a", or "a*"')
        return None
    inner = text[1:-1] if len(text) > 1 else b""
    wrong = next((mark for mark in NEVER_IN_NAMES if mark.encode() in text), None)
    if b"*" in inner:
        help_ = "the * stands at the start or the end"
        cx.report.error("V781", arg.at, "a * in the middle of a name stands for nothing", help_)
        return None
    if wrong is not None:
        cx.report.error("V781", arg.at, f"no name has a {wrong}", "write the name without its value")
        return None
    return text


# ---- functions ---------------------------------------------------------------------------------------------


def call(cx: Context, node: nodes.CallExpr) -> Expr | None:
    """Checks a call of a function that only 5.0 has, and a change of a view that stands in an expression.
    None: it is another call."""
    name = node.name
    view = view_of(cx, name) if node.receiver is None else None
    if view is not None:
        help_ = _uses(view) if view.indexed else f"write {view.name}"
        cx.report.error("V780", node.at, f"{view.name} is no function", help_)
        return Bad()
    view = edited(cx, node)
    if view is not None and view.has is not None and name.parts[-1] == "has":
        return _has(cx, node, view, view.has)
    if view is not None:
        help_ = (
            f"write {name.text}(...); as a statement" if view.select is not None else "it can only be read"
        )
        cx.report.error("V780", node.at, f"{name.text} is no value", help_)
        return Bad()
    symbol = cx.scope.symbols.get(name.text.lower())
    if len(name.parts) != 1 or symbol is not None and symbol.name == name.text:
        return None
    if name.text in ("text", "http_date"):
        return _written(cx, node)
    row = cx.scope.vocabulary.functions_five.get(name.text)
    if row is None:
        return None
    arg = _only(cx, node, row.params[0].name)
    if arg is None:
        return Bad()
    text = expressions.infer(cx, arg, Type.STRING)
    if not reads_text(cx, name.text, text, row.result, arg.at):
        return Bad()
    text = expressions.converted(cx, text, Type.STRING, arg.at, optional=True)
    return Bad() if text.type is Type.ERROR else Invoke(row.result, row, [text])


def _only(cx: Context, node: nodes.CallExpr, name: str) -> nodes.Expr | None:
    if len(node.args) == 1 and node.args[0].name in (None, name):
        return node.args[0].value
    word = node.name.text
    code = "V312" if not node.args else "V313"
    cx.report.error(code, node.at, f"{word} takes one argument", f"usage: {word}({name})")
    return None


def _written(cx: Context, node: nodes.CallExpr) -> Expr:
    """``text(value)`` and ``http_date(time)``: a value as 4.1 prints it."""
    arg = _only(cx, node, "value")
    if arg is None:
        return Bad()
    if node.name.text == "http_date":
        time = expressions.value(cx, arg, Type.TIME)
        return Bad() if time.type is Type.ERROR else Convert(Type.STRING, time)
    is_size = isinstance(arg, nodes.NumberLit) and arg.unit is not None and arg.unit not in DURATION_UNITS
    value = expressions.infer(cx, arg, Type.BYTES if is_size else Type.STRING)
    if value.type is Type.ERROR or not absence.required(cx, value, arg.at):
        return Bad()
    if value.type is Type.STRING:
        return value
    if value.type is Type.TIME or value.type not in TO_STRING:
        help_ = "write http_date(...)" if value.type is Type.TIME else ""
        cx.report.error("V301", arg.at, f"{value.type.value} has no single text form", help_)
        return Bad()
    return Convert(Type.STRING, value)
