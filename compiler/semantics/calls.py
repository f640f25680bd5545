"""Calls: the function of a name, and the parameter of each argument.

This file does not check the arguments; ``expressions.py`` does that for the pairs of :func:`bind`.
"""

from __future__ import annotations

from collections.abc import Collection

from vernis.record import record
from vernis.semantics.context import Context, declared_before
from vernis.semantics.modules import ENTERPRISE
from vernis.semantics.report import certain, did_you_mean, nearest, joined_names
from vernis.semantics.resolve import Kind, Symbol
from vernis.semantics.vocabulary import FunctionRow, Param
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.stock import phrase


# Former names of functions in module versions for older servers.
OLD_FUNCTIONS = {"cookie.filter_except": "cookie.keep"}


@record
class Callee:
    """A function that was found. ``name`` is its spelling in the policy; ``instance`` is the object of a
    method."""

    function: FunctionRow
    name: str
    instance: Symbol | None = None


def find(cx: Context, name: nodes.Name) -> Callee | None:
    """Returns the function, module function or method of a dotted name, or None if the first part does not
    lead to one."""
    head = name.parts[0].lower()
    if len(name.parts) == 1:
        function = cx.scope.vocabulary.functions.get(head)
        return Callee(function, function.name) if function else None
    symbol = cx.scope.head(head)
    if symbol is None or len(name.parts) != 2:
        return None
    table = _functions_of(symbol)
    function = table.get(name.parts[1].lower())
    if function is None:
        return None
    instance = symbol if symbol.kind is Kind.INSTANCE else None
    return Callee(function, f"{symbol.name}.{function.name}", instance)


def _functions_of(symbol: Symbol) -> dict[str, FunctionRow]:
    if symbol.kind is Kind.INSTANCE:
        return symbol.object.methods if symbol.object else {}
    if symbol.kind is Kind.MODULE:
        return symbol.module.functions if symbol.module else {}
    return {}


def report_unknown(
    cx: Context, name: nodes.Name, making: bool = False, call: nodes.CallExpr | None = None
) -> None:
    """Reports an unknown function, or object type (``making``), unless the cause was reported already."""
    head = name.parts[0].lower()
    symbol = cx.scope.symbols.get(head) if len(name.parts) == 1 else cx.scope.head(head)
    if len(name.parts) == 1:
        if symbol is not None:
            _report_no_function(cx, name, symbol)
            return
        functions = [row.name for row in cx.scope.vocabulary.functions.values() if cx.legal_here(row.where)]
        near = nearest(name.text, functions)
        if _is_other_word(cx, name, call):
            return
        from vernis.semantics.elsewhere import about_function

        cx.report.error(
            "V302",
            name.at,
            f"there is no function {name.text}",
            about_function(cx, name.text) or did_you_mean(near, f"known: {', '.join(functions)}"),
            replace=certain(name.text, near),
            stock=phrase("not found", name=name.text),
            sure=True,
        )
    elif symbol is not None:
        _report_unknown_member(cx, name, symbol)
    elif head in cx.scope.vocabulary.modules:
        _report_not_imported(cx, name, head)
    else:
        kinds = (Kind.MODULE,) if making else (Kind.MODULE, Kind.INSTANCE)
        near = nearest(name.parts[0], cx.scope.names(*kinds))
        missing = "import a module of that name" + (
            "" if making else f", or make the object in vcl_init: new {name.parts[0]} = ...;"
        )
        if head in ENTERPRISE:
            missing += " (a module of that name comes with Varnish Enterprise only)"
        cx.report.error(
            "V302",
            name.at,
            f"there is no {'module' if making else 'module or object'} {name.parts[0]}",
            did_you_mean(near, missing),
            stock=phrase("not found", name=name.text.rstrip(".")),
        )


def _report_no_function(cx: Context, name: nodes.Name, symbol: Symbol) -> None:
    """Reports a call of a declaration that is not a function."""
    cx.scope.mark_meant([symbol.name])
    helps = {
        Kind.SUB: f"`call {symbol.name};` runs a sub",
        Kind.ACL: f"match an address with it: client.ip ~ {symbol.name}",
    }
    cx.report.error(
        "V323",
        name.at,
        f"{symbol.name} is {symbol.kind.one} and cannot be called",
        helps.get(symbol.kind, ""),
    )


def _is_other_word(cx: Context, name: nodes.Name, call: nodes.CallExpr | None) -> bool:
    """Reports a word of VCL written as a function: ``pass();``, ``synth(404);``, ``retrun (pass);``. Returns
    whether it did."""
    from vernis.syntax.remedies import meant

    word = name.text.lower()
    stock = phrase("not found", name=name.text)
    takes_arguments = word in ("synth", "error", "pass", "fail", "vcl") or call is None or not call.args
    if word in cx.scope.vocabulary.actions and takes_arguments:
        args = "(...)" if call is not None and call.args else ""
        cx.report.error(
            "V302",
            name.at,
            f"{name.text} is an action, not a function",
            f"write: return ({word}{args});",
            edits=_returned(cx, word, call),
            stock=stock,
            sure=True,
        )
        return True
    keyword = meant(name.text, ("return", "if"))
    if keyword and keyword != word:
        cx.report.error(
            "V302",
            name.at,
            f"there is no function {name.text}",
            f"did you mean {keyword}?",
            replace=keyword,
            stock=stock,
            sure=True,
        )
        return True
    return False


def _returned(cx: Context, word: str, call: nodes.CallExpr | None) -> tuple[Edit, ...]:
    if call is None:
        return ()
    span = cx.report.span(call.at)
    if not call.args:
        return (Edit(span, f"return ({word})"),)
    return (
        Edit(Span(span.file, span.start, span.start), "return ("),
        Edit(Span(span.file, span.end, span.end), ")"),
    )


def _report_not_imported(cx: Context, name: nodes.Name, head: str) -> None:
    from vernis.semantics.elsewhere import import_edit

    row = cx.scope.vocabulary.modules[head]
    member = ".".join(name.parts[1:]).lower()
    if member in row.functions or member in row.objects or not member:
        help_, edits = f"add `import {head};` at the top", import_edit(cx, head)
    else:
        near = [f"{head}.{found}" for found in nearest(member, (*row.functions, *row.objects))]
        help_, edits = (
            f"add `import {head};` at the top; it has no {member}"
            + (f", but {joined_names(near, 'and')}" if near else ""),
            (),
        )
    cx.report.error(
        "V302",
        name.at,
        f"module {name.parts[0]} is not imported",
        help_,
        edits=edits,
        stock=phrase("not found", name=name.text.rstrip(".")),
    )


def _report_unknown_member(cx: Context, name: nodes.Name, symbol: Symbol) -> None:
    unknown_module = symbol.kind is Kind.MODULE and symbol.module is None
    unknown_object = symbol.kind is Kind.INSTANCE and symbol.object is None
    if unknown_module or unknown_object:
        return
    member = ".".join(name.parts[1:])
    if symbol.kind not in (Kind.MODULE, Kind.INSTANCE):
        cx.report.error("V322", name.at, f"{symbol.name} is {symbol.kind.one} and has no {member}")
        return
    table = _functions_of(symbol)
    usable = [row.name for row in table.values() if cx.legal_here(row.where)]
    renamed = OLD_FUNCTIONS.get(f"{symbol.name}.{member}".lower())
    near = [renamed] if renamed else [f"{symbol.name}.{found}" for found in nearest(member, usable)]
    if symbol.module is not None and member.lower() in symbol.module.objects:
        help_ = f"it is an object: write `new x = {symbol.name}.{member}();` in vcl_init"
    else:
        help_ = did_you_mean(near, f"it has {', '.join(row.name for row in table.values()) or 'nothing'}")
    of_object = symbol.module is not None and name.parts[1].lower() in symbol.module.objects
    cx.report.error(
        "V322",
        name.at,
        f"{symbol.kind.value} {symbol.name} has no function {member}",
        help_,
        replace=renamed or certain(name.text, near),
        stock=phrase("syntax") if of_object else phrase("not found", name=name.text),
    )


def find_constructor(cx: Context, name: nodes.Name) -> Symbol | None:
    """Returns the module of ``module.object`` if the object exists; otherwise reports it and returns None."""
    head = cx.scope.head(name.parts[0])
    if head is None or head.kind is not Kind.MODULE:
        report_unknown(
            cx, name if len(name.parts) > 1 else nodes.Name(name.at, (*name.parts, "")), making=True
        )
        return None
    if head.module is None or not declared_before(cx, name.at, head, name.text):
        return None
    wanted = ".".join(name.parts[1:])
    if wanted.lower() in head.module.objects:
        return head
    near = [f"{head.name}.{found}" for found in nearest(wanted, head.module.objects)]
    known = ", ".join(head.module.objects) or "none"
    cx.report.error(
        "V515",
        name.at,
        f"module {head.name} has no object {wanted}",
        did_you_mean(near, f"its objects: {known}"),
        replace=certain(name.text, near),
        stock=phrase("not found", name=name.text),
    )
    return None


def bind(
    cx: Context, call: str, at: nodes.At, params: tuple[Param, ...], args: tuple[nodes.Argument, ...]
) -> list[nodes.Argument | None] | None:
    """Returns the argument of each parameter, None for an absent one. Reports a call that does not fit and
    returns None."""
    bound: list[nodes.Argument | None] = [None] * len(params)
    by_name = {param.name: index for index, param in enumerate(params) if not param.unnamed}
    named = False
    for position, arg in enumerate(args):
        if arg.name is None and (named or position >= len(params)):
            _report_surplus(cx, call, arg, params, named)
            return None
        named = named or arg.name is not None
        index = position if arg.name is None else by_name.get(arg.name)
        if index is None:
            _report_unknown_parameter(cx, call, arg, params, by_name)
            return None
        if bound[index] is not None:
            cx.report.error("V315", arg.at, f"{params[index].name} is given twice", "remove one of the two")
            return None
        bound[index] = arg
    return bound if _complete(cx, call, at, params, bound) else None


def _complete(
    cx: Context, call: str, at: nodes.At, params: tuple[Param, ...], bound: list[nodes.Argument | None]
) -> bool:
    missing = [
        param
        for param, arg in zip(params, bound)
        if arg is None and not param.has_default and not param.optional
    ]
    if not missing:
        return True
    names = ", ".join(f"{param.name} ({param.type.value})" for param in missing)
    cx.report.error("V312", at, f"{call} needs {names}", f"usage: {call}({signature(params)})")
    return False


def _report_unknown_parameter(
    cx: Context, call: str, arg: nodes.Argument, params: tuple[Param, ...], by_name: Collection[str]
) -> None:
    if any(param.unnamed and param.name == arg.name for param in params):
        message, help_ = (
            f"{arg.name} of {call} is positional and has no name",
            f"usage: {call}({signature(params)})",
        )
        near = []
    else:
        near = nearest(arg.name or "", by_name)
        known = (
            f"its parameters: {', '.join(param.name for param in params)}"
            if params
            else "it takes no arguments"
        )
        message, help_ = f"{call} has no parameter {arg.name}", did_you_mean(near, known)
    cx.report.error(
        "V314",
        arg.at,
        message,
        help_,
        stock=phrase("unknown argument", name=arg.name),
        edits=cx.report.respelled(arg.at[0], arg.name or "", certain(arg.name or "", near)),
    )


def _report_surplus(
    cx: Context, call: str, arg: nodes.Argument, params: tuple[Param, ...], named: bool
) -> None:
    if named:
        cx.report.error("V314", arg.at, "an argument without a name follows a named one", "name the argument")
        return
    what = f"at most {len(params)} argument{'s' * (len(params) != 1)}" if params else "no arguments"
    cx.report.error("V313", arg.at, f"{call} takes {what}", f"usage: {call}({signature(params)})")


def signature(params: tuple[Param, ...]) -> str:
    """Parameters as the manual writes them."""
    shown = [f"{param.type.value} {param.name}" for param in params]
    return ", ".join(
        f"[{text}]" if param.optional or param.has_default else text for text, param in zip(shown, params)
    )
