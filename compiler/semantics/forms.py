"""Statements and subs of vcl 5.0: ``switch``, ``for``, functions, subs with parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from vernis.semantics import absence, changes, constants, expressions, locals, text_sets
from vernis.semantics.context import Context
from vernis.semantics.frame import LocalVar
from vernis.semantics.resolve import Kind, SubSymbol, Symbol
from vernis.semantics.typed import (
    AnyOf,
    Arm,
    Bad,
    Bound,
    CallWith,
    Expand,
    Expr,
    For,
    Function,
    Give,
    If,
    Literal,
    Procedure,
    ProcedureFacts,
    Statement,
)
from vernis.semantics.types import COMPARISONS, Type
from vernis.syntax import nodes


EXPANDED_MAX = 20_000  # statements of a sub or function, with those that stand for its calls
PARAMETERS_MAX = 16


# ---- what a block leaves -----------------------------------------------------------------------------------


class Arms:
    """The facts of an ``if`` from arm to arm: each begins with what the failed conditions before it tell."""

    def __init__(self, cx: Context) -> None:
        self.cx = cx
        self.after: list[set[str]] = []

    def body(
        self, condition: Expr | None, block: nodes.Block, check: Callable[[list[Statement]], None]
    ) -> list[Statement]:
        """Checks the body of an arm with what its condition tells."""
        frame = self.cx.frame
        yes, no = (frozenset(), frozenset()) if condition is None else absence.facts(condition)
        otherwise = frame.known | no
        frame.known = frame.known | yes
        body: list[Statement] = []
        check(body)
        if not self.cx.ends.block(block):
            self.after.append(frame.known)
        frame.known = otherwise
        return body

    def end(self, is_complete: bool) -> None:
        """Ends the ``if``. ``is_complete``: one of its arms runs in any case."""
        if not is_complete:
            self.after.append(self.cx.frame.known)
        if self.after:
            self.cx.frame.known = set.intersection(*self.after)


# ---- switch ------------------------------------------------------------------------------------------------


def check_switch(cx: Context, node: nodes.Switch) -> If | None:
    subject = expressions.infer(cx, node.subject, Type.STRING)
    if subject.type is Type.ERROR:
        for case in node.cases:
            _check_block(cx, case.body, [])
        return None
    if "==" not in COMPARISONS.get(subject.type, ()):
        cx.report.error("V746", node.subject.at, f"a switch cannot compare {subject.type.value}", "")
        return None
    if not node.cases:
        cx.report.error("V746", node.at, "a switch without a case does nothing", "write: case ...: { }")
        return None
    bindings, again = absence.once(cx, subject, node.subject.at)
    arms: list[Arm] = []
    facts = Arms(cx)
    seen: dict[object, nodes.At] = {}
    is_complete = False
    for case in node.cases:
        if is_complete:
            cx.report.error("V746", case.at, "no case can follow default", "move default to the end")
            break
        condition: Expr | None = None
        if case.labels:
            tests = [_label(cx, label, again, seen) for label in case.labels]
            condition = Bad() if any(t.type is Type.ERROR for t in tests) else _any(tests)
            if condition.type is not Type.ERROR and bindings and not arms:
                condition = Bound(bindings, condition, Type.BOOL)
        else:
            is_complete = True
            if not arms:
                cx.report.error(
                    "V746", case.at, "a switch of default alone is no switch", "write its body alone"
                )
        body = facts.body(condition, case.body, partial(_check_block, cx, case.body))
        arms.append(Arm(case.at, condition, body))
    facts.end(is_complete)
    if any(arm.condition is not None and arm.condition.type is Type.ERROR for arm in arms):
        return None
    return If(node.at, arms) if arms[0].condition is not None else None


def _any(tests: list[Expr]) -> Expr:
    return tests[0] if len(tests) == 1 else AnyOf(tests)


def _check_block(cx: Context, body: nodes.Block, out: list[Statement]) -> None:
    with cx.frame.scope():
        cx.check_block(cx, body, out)


def _label(cx: Context, label: nodes.CaseLabel, subject: Expr, seen: dict[object, nodes.At]) -> Expr:
    if label.is_pattern:
        if subject.type is not Type.STRING:
            cx.report.error("V746", label.at, f"a pattern matches text, not {subject.type.value}", "")
            return Bad()
        return expressions.pattern_test(cx, label.value, subject, label.at)
    value = expressions.infer(cx, constants.folded(cx, label.value), subject.type)
    value = expressions.converted(cx, value, subject.type, label.value.at)
    if value.type is Type.ERROR:
        return Bad()
    key = (value.value,) if isinstance(value, Literal) else None
    if key is not None and key in seen:
        cx.report.error(
            "V746",
            label.at,
            "this case can never run",
            "an equal one precedes it",
            labels=[(seen[key], "here")],
        )
        return Bad()
    if key is not None:
        seen[key] = label.at
    compare = nodes.Compare(label.at, label.value, "==", label.value)
    return absence.compared(cx, compare, subject, value)


# ---- for ---------------------------------------------------------------------------------------------------


def check_for(cx: Context, node: nodes.For) -> For | None:
    items = _items(cx, node.items)
    if items is None:
        return None
    var = LocalVar(node.name.text, items[0].type, False, False, node.name.at, cx.frame.number())
    body: list[Statement] = []
    cx.frame.forget_changeable()
    before, expanded = set(cx.frame.known), cx.expanded
    with cx.frame.scope():
        locals.declare(cx, node.name, var)
        cx.check_block(cx, node.body, body)
    cx.frame.known &= before
    _note_size(
        cx, node.at, "the loop", (len(items) - 1) * (cx.expanded - expanded) + len(items) * size_of(body)
    )
    return For(node.at, var, items, body)


def _items(cx: Context, node: nodes.Expr) -> list[Expr] | None:
    if isinstance(node, nodes.ListExpr):
        found = [expressions.infer(cx, constants.folded(cx, item), Type.STRING) for item in node.items]
        if any(item.type is Type.ERROR for item in found):
            return None
        if not found or any(
            not isinstance(item, Literal) or item.type is not found[0].type for item in found
        ):
            cx.report.error("V747", node.at, "a loop runs over constants of one type", 'write ["a", "b"]')
            return None
        return found
    if isinstance(node, nodes.NameExpr) and len(node.name.parts) == 1:
        symbol = cx.scope.symbols.get(node.name.text.lower())
        if symbol is not None and symbol.kind is Kind.SET:
            symbol.used = True
            return [Literal(Type.STRING, text) for text in cx.sets.get(symbol.name.lower()) or ()] or None
        if symbol is not None and isinstance(symbol.node, nodes.Table) and symbol.node.path is None:
            symbol.used = True
            keys = [row.key for row in symbol.node.rows if row.key is not None]
            return [Literal(Type.STRING, key.encode("latin-1")) for key in keys] or None
    if not isinstance(node, nodes.Broken):
        cx.report.error(
            "V747",
            node.at,
            "a loop runs over a list, a set or a table that the policy contains",
            "the compiler has to know how often it runs",
        )
    return None


# ---- functions and subs with parameters --------------------------------------------------------------------


def parameters(cx: Context, params: tuple[nodes.Parameter, ...]) -> list[LocalVar] | None:
    """Declares the parameters of a function or sub."""
    made = []
    if len(params) > PARAMETERS_MAX:
        cx.report.error("V749", params[0].at, f"more than {PARAMETERS_MAX} parameters", "")
        return None
    for param in params:
        type = constants.type_of(cx, param.type)
        var = LocalVar(param.name.text, type, param.type.optional, False, param.at, cx.frame.number())
        if not locals.declare(cx, param.name, var):
            return None
        made.append(var)
    return made


def check_function(cx: Context, symbol: Symbol, function: Function) -> None:
    """Checks the body of a function. It reads and writes nothing but its arguments and locals."""
    node = symbol.node
    assert isinstance(node, nodes.Function)
    cx.enter(SubSymbol(node.name, node.name_at, [], False))
    cx.version_of(node.at)
    cx.function = function
    params = parameters(cx, node.params)
    function.params = params or []
    if params is not None:
        cx.check_block(cx, node.body, function.body)
        may_go_on = not cx.ends.block(node.body)
        if may_go_on and function.type is not Type.ERROR and not cx.report.diagnostics.failed:
            cx.report.error(
                "V750", node.name_at, f"{node.name} may end without a value", "write return (...) on each way"
            )
    function.size = size_of(function.body) + cx.expanded


def function_of(cx: Context, symbol: Symbol, at: nodes.At) -> Function | None:
    """Returns a function, checked. Reports one that calls itself."""
    key = symbol.name
    node = symbol.node
    assert isinstance(node, nodes.Function)
    symbol.used = True
    if key in cx.checking:
        cx.report.error(
            "V601",
            at,
            f"{key} calls itself",
            "functions cannot recurse, so that each request ends",
            labels=[(symbol.at, "declared here")],
        )
        return None
    found = cx.functions.get(key)
    if found is None:
        with cx.aside(key):
            cx.version_of(node.at)
            type = constants.type_of(cx, node.result)
            found = cx.functions[key] = Function(node.name, node.at, [], type, node.result.optional)
            check_function(cx, symbol, found)
    return found


def procedure_of(cx: Context, symbol: SubSymbol) -> Procedure:
    """Returns a sub with parameters, checked."""
    key = symbol.name.lower()
    found = cx.checked.procedures.get(key)
    if found is not None:
        return found.procedure
    node = symbol.definitions[0]
    made = Procedure(node.name, node.name_at, [])
    with cx.aside(key):
        cx.enter(symbol)
        cx.version_of(node.at)
        params = parameters(cx, node.params or ())
        made.params = params or []
        checked = cx.checked.procedures[key] = ProcedureFacts(made, cx.facts)
        if params is not None:
            cx.check_block(cx, node.body, made.body)
        made.size = size_of(made.body) + cx.expanded
        checked.facts = cx.facts
    return made


def give(cx: Context, node: nodes.Give) -> Give | None:
    function = cx.function
    if function is None:  # behind a `fn` in a sub, which the parser has reported
        return None
    value = expressions.infer(cx, node.value, function.type)
    value = expressions.converted(cx, value, function.type, node.value.at, optional=function.optional)
    return None if value.type is Type.ERROR else Give(node.at, value)


def expand(cx: Context, node: nodes.CallExpr, function: Function) -> Expr:
    """Checks a call of a function of the policy."""
    given = _given(cx, function.name, node.at, function.params, node.args)
    if given is None:
        return Bad()
    _note_size(cx, node.at, function.name, function.size)
    return Expand(function.type, function, given)


def call_with(cx: Context, node: nodes.CallSub, procedure: Procedure) -> CallWith | None:
    given = _given(cx, procedure.name, node.at, procedure.params, node.args or ())
    if given is None:
        return None
    _note_size(cx, node.at, procedure.name, procedure.size)
    changes.call(cx, node.name.text.lower())
    return CallWith(node.at, procedure, given)


def _given(
    cx: Context, name: str, at: nodes.At, params: list[LocalVar], args: tuple[nodes.Argument, ...]
) -> list[Expr] | None:
    shown = ", ".join(f"{p.name} : {p.type.value}{'?' * p.optional}" for p in params)
    by_name = {arg.name: arg for arg in args if arg.name is not None}
    placed = [arg for arg in args if arg.name is None]
    left = [param for param in params[len(placed) :] if param.name not in by_name]
    unknown = [word for word in by_name if word not in [param.name for param in params[len(placed) :]]]
    if len(placed) > len(params) or left or unknown:
        wrong = f"{name} takes ({shown})"
        cx.report.error("V751", at, f"the arguments of {name} do not fit", wrong)
        return None
    values = []
    for param, arg in zip(params, [*placed, *(by_name[param.name] for param in params[len(placed) :])]):
        value = expressions.infer(cx, arg.value, param.type)
        values.append(expressions.converted(cx, value, param.type, arg.value.at, optional=param.optional))
    return None if any(value.type is Type.ERROR for value in values) else values


def _note_size(cx: Context, at: nodes.At, name: str, size: int) -> None:
    """Counts the statements that stand for a call or a loop. Functions that call functions could double them
    line by line."""
    cx.expanded += size
    if cx.expanded > EXPANDED_MAX and cx.expanded - size <= EXPANDED_MAX:
        cx.report.error(
            "V752",
            at,
            f"with {name}, this sub stands for more than {EXPANDED_MAX} statements",
            "calls of functions that call others, and loops in loops, multiply",
        )


def size_of(body: list[Statement]) -> int:
    """The number of statements of a body, without those that stand for its calls."""
    return 1 + len(body) + sum(map(_inner_size, body))


def _inner_size(statement: Statement) -> int:
    match statement:
        case If():
            return sum(size_of(arm.body) for arm in statement.arms)
        case For():
            return len(statement.items) * size_of(statement.body)
        case _:
            return 0


def check_sets(cx: Context) -> None:
    """Reads the texts of all sets."""
    for symbol in cx.scope.symbols.values():
        if isinstance(symbol.node, nodes.TextSet):
            cx.version_of(symbol.node.at)
            found = text_sets.texts(cx, symbol.node.items, symbol.node.at)
            cx.sets[symbol.name.lower()] = found or []
