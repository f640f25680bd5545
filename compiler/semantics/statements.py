"""Checks the statements of a block. ``returns.py`` checks `return`; ``forms.py`` and ``locals.py`` check what
only 5.0 has."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial

from vernis.semantics import (
    absence,
    arguments,
    calls,
    changes,
    counters,
    expressions,
    forms,
    lists,
    locals,
    names,
    returns,
    rules,
    safety,
    telling,
    views,
)
from vernis.semantics.context import Context, require_phase
from vernis.semantics.conversions import coerce
from vernis.semantics.frame import LocalVar
from vernis.semantics.moves import Difference, Move
from vernis.semantics.report import joined_names
from vernis.semantics.resolve import refuse_inline_c
from vernis.semantics.typed import (
    Arm,
    Assign,
    CallSub,
    CallValue,
    Evaluate,
    Expr,
    Field,
    If,
    Invoke,
    Make,
    Remove,
    Statement,
    Variable,
)
from vernis.semantics.types import ASSIGNMENTS, Type
from vernis.semantics.vocabulary import HOOKS
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit
from vernis.syntax.stock import phrase


def check_block(cx: Context, block: nodes.Block, out: list[Statement]) -> None:
    """Appends the checked statements of a block. Statements with an error are left out."""
    for node in block.statements:
        if isinstance(node, nodes.Labelled):
            node = _unlabelled(cx, node)
        if isinstance(node, nodes.Block):
            with cx.frame.scope():
                check_block(cx, node, out)
            continue
        if isinstance(node, nodes.RunBuiltin):
            _check_builtin(cx, node, out)
            continue
        if isinstance(node, nodes.Return) and cx.five:
            out += safety.before_return(cx, node)
        statement = _check_statement(cx, node)
        if statement is not None:
            out.append(statement)


def _unlabelled(cx: Context, node: nodes.Labelled) -> nodes.Stmt:
    """Returns the statement below its annotations."""
    statement: nodes.Stmt = node
    while isinstance(statement, nodes.Labelled):
        rules.check_label(cx, statement.annotation, statement.statement)
        statement = statement.statement
    return statement


def _check_builtin(cx: Context, node: nodes.RunBuiltin, out: list[Statement]) -> None:
    """Puts the statements of the built-in hook in place of ``builtin;``."""
    assert cx.sub is not None
    found = [d for d in cx.sub.definitions if d.at[0] >= cx.builtin_at] if cx.sub.hook else []
    if not found:
        cx.report.error(
            "V759", node.at, "`builtin;` works in hooks alone", "a sub returns to its hook, which can run it"
        )
        return
    with cx.aside(cx.sub.name):
        cx.frame.scopes, cx.five, facts = [{}], False, cx.facts
        for definition in found:
            check_block(cx, definition.body, out)
    cx.facts = facts
    cx.frame.forget_message("")  # the policy may have parts of the subs that the built-in hook calls


def _check_statement(cx: Context, node: nodes.Stmt) -> Statement | None:
    match node:
        case nodes.Let():
            return locals.check_let(cx, node)
        case nodes.Give():
            return forms.give(cx, node)
        case nodes.Switch():
            return forms.check_switch(cx, node)
        case nodes.For():
            return forms.check_for(cx, node)
        case nodes.Allow():
            return safety.check_allow(cx, node)
        case nodes.Log():
            return telling.check_log(cx, node)
        case nodes.Count():
            return counters.check_count(cx, node)
        case nodes.Invariant():
            telling.check_invariant(cx, node)
            return None
        case nodes.Set():
            return _check_set(cx, node)
        case nodes.If():
            return _check_if(cx, node)
        case nodes.Unset():
            return _check_unset(cx, node)
        case nodes.CallSub():
            return _check_call_sub(cx, node)
        case nodes.Return():
            return returns.check_return(cx, node)
        case nodes.CallStmt():
            return _check_call(cx, node)
        case nodes.New():
            return _check_new(cx, node)
        case nodes.InlineC():
            refuse_inline_c(node, cx.report)
            return None
        case _:
            assert isinstance(node, nodes.Broken), node
            return None


def _check_if(cx: Context, node: nodes.If) -> If:
    if cx.five:
        return _check_if_of_five(cx, node)
    arms = []
    for arm in node.arms:
        condition = None if arm.condition is None else expressions.value(cx, arm.condition, Type.BOOL)
        body: list[Statement] = []
        check_block(cx, arm.body, body)
        arms.append(Arm(arm.at, condition, body))
    return If(node.at, arms)


def _check_if_of_five(cx: Context, node: nodes.If) -> If:
    arms: list[Arm] = []
    facts = forms.Arms(cx)
    for arm in node.arms:
        with cx.frame.scope() if arm is not node.arms[0] else nullcontext():
            condition: Expr | None = None
            var: LocalVar | None = None
            if arm.binding is not None and arm.condition is not None:
                condition, var = locals.bind_condition(cx, arm.binding, arm.condition)
            elif arm.condition is not None:
                condition = expressions.value(cx, arm.condition, Type.BOOL)
            body = facts.body(condition, arm.body, partial(_check_body, cx, arm, var))
        arms.append(Arm(arm.at, condition, body))
    facts.end(node.arms[-1].condition is None)
    return If(node.at, arms)


def _check_body(cx: Context, arm: nodes.IfArm, var: LocalVar | None, out: list[Statement]) -> None:
    with cx.frame.scope():
        if var is not None and arm.binding is not None:
            locals.declare(cx, arm.binding, var)
        check_block(cx, arm.body, out)


def _target(cx: Context, name: nodes.Name, use: str) -> tuple[Variable | Field, Type] | None:
    """Returns the target of a set or unset statement and its declared type."""
    found = names.find(cx, name)
    if isinstance(found, names.FoundStorage):
        cx.report.error(names.USES[use], name.at, f"{name.text} cannot be {use}", f"it can never be {use}")
        return None
    if found is None:
        names.report_unknown(cx, name, use)
        return None
    if not names.usable(cx, name.at, name, found, use):
        return None
    if found.field is not None:
        return Field(found.row.key.partition(".")[0], found.field), Type.HEADER
    return Variable(found.row.type, found.row), found.row.type


def _check_set(cx: Context, node: nodes.Set) -> Statement | None:
    local = cx.frame.find(node.target.text) if cx.five else None
    if local is not None:
        return locals.check_set(cx, node, local)
    if (view := views.view_of(cx, node.target)) is not None:
        return views.check_set(cx, node, view)
    target = _target(cx, node.target, "set")
    if target is None:
        _check_lost_value(cx, node.value)
        return None
    place, declared = target
    if cx.moves is not None and cx.five:
        _note_sort(cx, cx.moves, node)
    plain = Type.STRING if declared is Type.HEADER else declared
    want = ASSIGNMENTS.get((declared, node.op), plain if node.op == "=" else None)
    if want is None:
        _refuse_form(cx, node, declared)
        return None
    if declared is Type.BODY:
        value = expressions.infer(cx, node.value, want)
        value = value if value.type is Type.BLOB else coerce(cx, value, want, node.value.at)
    elif cx.five and isinstance(place, Field):
        return _check_set_field(cx, node, place)
    else:
        value = expressions.value(cx, node.value, want)
    if node.op != "=" and isinstance(place, Field):
        cx.facts.reads.add(f"{place.message}.http.{place.name.lower()}")
    elif node.op != "=" and isinstance(place, Variable) and declared is not Type.BODY:
        cx.facts.reads.add(place.row.name)
    return None if value.type is Type.ERROR else Assign(node.at, place, node.op, value, checked=cx.five)


def _check_set_field(cx: Context, node: nodes.Set, place: Field) -> Assign | None:
    """Checks ``set`` of a header field in 5.0, where an absent value unsets it."""
    key = absence.key_of(place)
    may_unset = node.op == "="
    value = expressions.infer(cx, node.value, Type.STRING)
    value = expressions.converted(cx, value, Type.STRING, node.value.at, optional=may_unset)
    if value.type is Type.ERROR:
        return None
    if node.op != "=":
        cx.facts.reads.add(key)
    cx.frame.forget(key)
    is_absent = absence.may_be_absent(value)
    if is_absent and cx.moves is not None:
        edits = absence.defaulted(cx, node.value.at, '""')
        cx.moves.append(Move(Difference.FIELD, node.at, edits))
    if not is_absent:
        cx.frame.assume((key,))
    return Assign(node.at, place, node.op, value, may_unset=is_absent)


def _note_sort(cx: Context, moves: list[Move], node: nodes.Set) -> None:
    """Notes that a URL is set to itself with its parameters in order."""
    call = node.value
    if not isinstance(call, nodes.CallExpr) or call.name.text.lower() != "std.querysort" or node.op != "=":
        return
    url = call.args[0].value if len(call.args) == 1 else None
    is_itself = isinstance(url, nodes.NameExpr) and url.name.text == node.target.text
    if is_itself and f"{node.target.text}.query" in cx.scope.vocabulary.views:
        edit = Edit(cx.report.span(node.at), f"{node.target.text}.query.sort();")
        moves.append(Move(Difference.SORT, node.at, (edit,)))


def _check_lost_value(cx: Context, node: nodes.Expr) -> None:
    """Reports errors in a value whose target was refused. The hook is not checked, because the target already
    failed that check."""
    reach, cx.reach = cx.reach, 0
    expressions.infer(cx, node, Type.ERROR)
    cx.reach = reach


def _refuse_form(cx: Context, node: nodes.Set, declared: Type) -> None:
    forms = ["=", *(op for kind, op in ASSIGNMENTS if kind is declared and op != "=")]
    kind = Type.STRING if declared is Type.HEADER else declared
    cx.report.error(
        "V320",
        node.at,
        f"{node.op} does not work on {kind.value}",
        f"{node.target.text} takes {joined_names(forms)}",
        stock=phrase("expected", want="'='", got=f"'{node.op}'"),
    )


def _check_unset(cx: Context, node: nodes.Unset) -> Statement | None:
    target = _target(cx, node.target, "unset")
    if target is None:
        return None
    cx.frame.forget(absence.key_of(target[0]))
    return Remove(node.at, target[0])


def _check_call_sub(cx: Context, node: nodes.CallSub) -> Statement | None:
    if node.value is not None:
        value = expressions.value(cx, node.value, Type.SUB)
        cx.facts.calls_values = True
        cx.frame.forget_message("")
        return None if value.type is Type.ERROR else CallValue(node.at, value)
    key = node.name.text.lower()
    symbol = cx.scope.subs.get(key)
    if symbol is None:
        return None
    if symbol.definitions[0].params is None and node.args is None:
        changes.call(cx, key)
        return CallSub(node.at, key)
    if symbol.definitions[0].params is None:
        cx.report.error(
            "V751",
            node.at,
            f"{symbol.name} has no parameters",
            f"write: call {symbol.name};",
            replace=f"call {symbol.name};" if not node.args else None,  # arguments are not deleted unasked
        )
        return None
    return None if key in cx.checking else forms.call_with(cx, node, forms.procedure_of(cx, symbol))


def _check_call(cx: Context, node: nodes.CallStmt) -> Statement | None:
    if (view := views.edited(cx, node.call)) is not None:
        return views.check_edit(cx, node, view)
    if (field := lists.field_of(cx, node.call)) is not None:
        return lists.check_add(cx, node, field)
    call = expressions.call(cx, node.call, Type.VOID)
    if not isinstance(call, Invoke):
        return None
    if call.type is not Type.VOID and (len(node.call.name.parts) == 1 or call.receiver is not None):
        cx.report.error(
            "V324",
            node.at,
            f"the value of {node.call.name.parts[-1]} is not used",
            "the call has no other effect; use the value in a `set`",
        )
        return None
    return Evaluate(node.at, call)


def _check_new(cx: Context, node: nodes.New) -> Statement | None:
    module = calls.find_constructor(cx, node.constructor)
    symbol = cx.scope.symbols.get(node.name.lower())
    init = 1 << HOOKS.index("vcl_init")
    if (
        not require_phase(cx, "V409", node.at, init, node.name, "created")
        or module is None
        or module.module is None
    ):
        return None
    row = module.module.objects[".".join(node.constructor.parts[1:]).lower()].constructor
    args = arguments.bound(cx, f"{module.name}.{row.name}", node.at, row.params, node.args)
    if args is None or symbol is None or symbol.at != node.at:
        return None
    cx.made.add(symbol.index)
    return Make(node.at, symbol.index, Invoke(Type.INSTANCE, row, args))
