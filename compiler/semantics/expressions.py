"""Expressions: their types and conversions.

The meaning follows the expected type (``want``): in text ``now + 5`` joins and ``now + 5s`` adds; ``5m`` is a
size where a size is expected; ``default`` is a probe or a backend. :func:`infer` returns an expression with
its own type in such a place, and :func:`value` converts it to the expected type. An expression that was
reported is :class:`Bad` and causes no further message.
"""

from __future__ import annotations

from typing import assert_never

from vernis.semantics import (
    absence,
    arguments,
    bans,
    calls,
    constants,
    literals,
    locals,
    names,
    tables,
    text_sets,
    views,
)
from vernis.semantics.context import Context, declared_before, first_outside, phase_help, require_phase
from vernis.semantics.conversions import CONVERSION_HELP, coerce, conversion_help, unquoted_edit
from vernis.semantics.moves import ALIKE, Difference, Move
from vernis.semantics.name_values import attribute_of, name_value
from vernis.semantics.ranges import may_wrap
from vernis.semantics.report import did_you_mean, nearest
from vernis.semantics.resolve import Kind, Symbol
from vernis.semantics.typed import (
    AllOf,
    AnyOf,
    Bad,
    Chain,
    Coalesce,
    Comparison,
    Declared,
    Expr,
    Invoke,
    Join,
    Literal,
    Matches,
    Negation,
    Step,
)
from vernis.semantics.types import COMPARISONS, NEGATIVE, NUMERIC, OPERATORS, TO_STRING, Type
from vernis.semantics.vocabulary import FunctionRow
from vernis.syntax import nodes
from vernis.syntax.stock import phrase

STRING, BOOL, ERROR = Type.STRING, Type.BOOL, Type.ERROR

# Types that allow no minus, with the help.
NO_MINUS = {
    BOOL: "swap the two sides: x > -5s",
    Type.BYTES: "a size is never negative",
    Type.TIME: "write the duration first or without its sign: t - 5s",
}

# The right operand is read as the type of a left operand of these types.
BESIDE = NUMERIC | {ERROR}


def value(cx: Context, node: nodes.Expr, want: Type) -> Expr:
    """Returns an expression as the expected type, and reports one that has no conversion."""
    return coerce(cx, infer(cx, node, want), want, node.at)


def infer(cx: Context, node: nodes.Expr, want: Type) -> Expr:
    """Returns an expression with its own type where ``want`` is expected."""
    match node:
        case nodes.NameExpr():
            return name_value(cx, node.name, want)
        case nodes.StringLit():
            return literals.ip(cx, node) if want is Type.IP else Literal(STRING, node.value.encode("latin-1"))
        case nodes.Compare():
            return _compare(cx, node, want)
        case nodes.CallExpr():
            return call(cx, node, want)
        case nodes.Sum():
            return _sum(cx, node, want)
        case nodes.NumberLit():
            return literals.number(cx, node, want)
        case nodes.And():
            return AllOf(_conditions(cx, node, want, if_true=True))
        case nodes.Or():
            return AnyOf(_conditions(cx, node, want, if_true=False))
        case nodes.Not():
            operand = _condition(cx, node.operand, want)
            return operand if operand.type is ERROR else Negation(operand)
        case nodes.Paren():
            return infer(cx, node.inner, want)
        case nodes.Product():
            return _product(cx, node, want)
        case nodes.Neg():
            return _minus(cx, node, want)
        case nodes.BlobLit():
            return literals.blob(node)
        case nodes.MemberExpr():
            return _attribute(cx, node)
        case nodes.Presence():
            return absence.presence(cx, node, infer(cx, node.operand, STRING))
        case nodes.Coalesce():
            return _coalesce(cx, node, want)
        case nodes.Captured():
            return locals.capture(cx, node)
        case nodes.Index():
            return tables.index(cx, node)
        case nodes.ListExpr():
            cx.report.error("V733", node.at, "a list is no value", "it stands behind `in` and its like")
            return Bad()
        case nodes.Broken():
            cx.report.unreadable(node.at)
            return Bad()
        case _:
            assert_never(node)


def value_of_name(cx: Context, name: nodes.Name) -> Expr:
    return name_value(cx, name, STRING)


def converted(cx: Context, expr: Expr, want: Type, at: nodes.At, optional: bool = False) -> Expr:
    """Converts an expression of 5.0 to the type of a place, which may take absent values."""
    if optional and expr.type is want:
        return expr
    return coerce(cx, expr, want, at)


def _conditions(cx: Context, node: nodes.And | nodes.Or, want: Type, if_true: bool) -> list[Expr]:
    """Checks the operands of ``&&`` or ``||``. Each is reached only if those before it are true, or false."""
    if not cx.five:
        return [_condition(cx, operand, want) for operand in node.operands]
    before = set(cx.frame.known)
    found = []
    for operand in node.operands:
        found.append(_condition(cx, operand, want, in_text=isinstance(node, nodes.Or) and want is STRING))
        cx.frame.assume(absence.facts(found[-1])[0 if if_true else 1])
    cx.frame.known &= before
    return found


def _coalesce(cx: Context, node: nodes.Coalesce, want: Type) -> Expr:
    """Checks ``a ?? b``."""
    operands = [infer(cx, node.operands[0], want)]
    kind = operands[0].type
    for operand in node.operands[1:]:
        value_ = infer(cx, operand, kind if kind is not ERROR else want)
        if kind is not ERROR and value_.type is not ERROR and value_.type is not kind:
            value_ = coerce(cx, value_, kind, operand.at)
        operands.append(value_)
    if any(operand.type is ERROR for operand in operands):
        return Bad()
    for left, written in zip(operands[:-1], node.operands):
        if not absence.may_be_absent(left):
            edits = absence.without_default(cx, node) if len(node.operands) == 2 else ()
            help_ = "remove the ?? and what follows it"
            cx.report.warning("V732", written.at, "this value is always set", help_, edits=edits)
    return Coalesce(kind, operands)


def _attribute(cx: Context, node: nodes.MemberExpr) -> Expr:
    return attribute_of(cx, node.at, infer(cx, node.receiver, STRING), node.attribute)


# ---- operators ---------------------------------------------------------------------------------------------


def _sum(cx: Context, node: nodes.Sum, want: Type) -> Expr:
    """Checks ``a + b - c`` from left to right. After the first text, all later operands join."""
    result = infer(cx, node.operands[0], want)
    parts: list[Expr] | None = None
    for op, operand in zip(node.ops, node.operands[1:]):
        right = infer(cx, operand, result.type if result.type in BESIDE else want)
        if right.type is ERROR or result.type is ERROR and parts is None:
            result = Bad()
        elif parts is None and (result.type, op, right.type) in OPERATORS:
            result = _step(cx, node.at, result, op, right)
        elif op == "+" and (parts is not None or result.type is STRING or want is STRING):
            part = coerce(cx, right, STRING, operand.at)
            if parts is None:
                parts = [coerce(cx, result, STRING, node.operands[0].at)]
                result = Bad() if parts[0].type is ERROR else Join(parts)
            parts.append(part)
            result = Bad() if part.type is ERROR else result
        else:
            result = _refuse_operator(
                cx, (node.operands[0].at[0], operand.at[1]), result.type, op, right.type
            )
    return result


def _product(cx: Context, node: nodes.Product, want: Type) -> Expr:
    """Checks ``a * b / c`` from left to right. A number after an operand that REAL can multiply is read as
    REAL."""
    result = infer(cx, node.operands[0], want)
    for op, operand in zip(node.ops, node.operands[1:]):
        as_real = (result.type, op, Type.REAL) in OPERATORS
        right = infer(cx, operand, Type.REAL if as_real else ERROR if result.type is ERROR else Type.INT)
        if result.type is ERROR or right.type is ERROR:
            result = Bad()
        elif (result.type, op, right.type) in OPERATORS:
            result = _step(cx, node.at, result, op, right)
        else:
            result = _refuse_operator(
                cx, (node.operands[0].at[0], operand.at[1]), result.type, op, right.type
            )
    return result


def _step(cx: Context, at: nodes.At, left: Expr, op: str, right: Expr) -> Chain:
    """Adds a step to a chain. A chain on the left is continued, so that long chains stay flat."""
    result = OPERATORS[left.type, op, right.type]
    chain = left if isinstance(left, Chain) else Chain(result, left, [], cx.five)
    chain.steps.append(Step(op, right, result))
    chain.type = result
    if cx.moves is not None and may_wrap(chain):
        cx.moves.append(Move(Difference.WRAP, at))
    return chain


def _refuse_operator(cx: Context, at: nodes.At, left: Type, op: str, right: Type) -> Bad:
    rows = [f"{a.value} {o} {b.value}" for a, o, b in OPERATORS if a is left and o == op]
    if left is STRING:
        help_ = "join text with +"
    elif (right, op, left) in OPERATORS:
        help_ = f"write the {right.value} first"
    else:
        help_ = f"possible: {', '.join(rows)}" if rows else f"{op} does not work on {left.value}"
    cx.report.error("V303", at, f"{left.value} {op} {right.value} is not possible", help_)
    return Bad()


def _minus(cx: Context, node: nodes.Neg, want: Type) -> Expr:
    if want in NO_MINUS:
        help_ = NO_MINUS[want]
        cx.report.error("V309", node.at, f"'-' is not possible where {want.value} is expected", help_)
        return Bad()
    operand = infer(cx, node.operand, want)
    if operand.type is ERROR:
        return operand
    if operand.type not in NEGATIVE:
        cx.report.error(
            "V309", node.at, f"{operand.type.value} has no negative", "INT, REAL and DURATION have one"
        )
        return Bad()
    if isinstance(operand, Literal):
        assert isinstance(operand.value, (int, float))
        return Literal(operand.type, -operand.value)
    zero = Literal(operand.type, 0 if operand.type is Type.INT else 0.0)
    return Chain(operand.type, zero, [Step("-", operand, operand.type)], cx.five)


def _condition(cx: Context, node: nodes.Expr, want: Type, in_text: bool = False) -> Expr:
    """Checks an operand of a condition. Inside a text, operands are read as text, which joins. ``in_text``:
    the place takes the result of ``||`` as text, so that a text before it is a value with a default."""
    operand = infer(cx, node, STRING if want is STRING else BOOL)
    if in_text and operand.type is STRING and cx.moves is None:
        help_ = 'a default is written: x ?? y; the values of a case: "a", "b"'
        cx.report.error("V755", node.at, "STRING is no condition", help_)
        return Bad()
    return coerce(cx, operand, BOOL, node.at)


def _compare(cx: Context, node: nodes.Compare, want: Type) -> Expr:
    left = infer(cx, node.left, STRING if want is STRING or cx.five else BOOL)
    if node.op in ("~", "!~"):
        return _match(cx, node, left)
    if node.op in text_sets.OPERATORS:
        return text_sets.test(cx, node, left)
    right = infer(cx, node.right, left.type)
    if ERROR in (left.type, right.type):
        return Bad()
    if node.op not in COMPARISONS.get(left.type, ()):
        known = COMPARISONS.get(left.type)
        help_ = f"{left.type.value} compares with {' and '.join(known)}" if known else ""
        cx.report.error(
            "V304",
            node.at,
            f"{left.type.value} does not compare with {node.op}",
            help_,
            stock=phrase("operator", operator=node.op, type=left.type.value),
        )
        return Bad()
    if left.type is not right.type:
        cx.report.error(
            "V304",
            node.at,
            f"{left.type.value} {node.op} {right.type.value}: the two sides have different types",
            _comparison_help(cx, node.op, left, right),
            edits=unquoted_edit(cx, right, left.type, node.right.at),
        )
        return Bad()
    return absence.compared(cx, node, left, right) if cx.five else Comparison(node.op, left, right)


def _comparison_help(cx: Context, op: str, left: Expr, right: Expr) -> str:
    if left.type is STRING and op not in ("==", "!=") and (STRING, right.type) in CONVERSION_HELP:
        return CONVERSION_HELP[STRING, right.type]
    if left.type is STRING and right.type in TO_STRING:
        return 'compare text with text: ... == "" + x'
    return conversion_help(cx, right, left.type) or "convert one of them"


def _is_acl(cx: Context, node: nodes.Compare) -> bool:
    """Reports a text that is matched with an ACL. Returns whether it did."""
    right = node.right
    symbol = cx.scope.lookup(right.name.text, Kind.ACL) if isinstance(right, nodes.NameExpr) else None
    if symbol is not None:
        cx.report.error(
            "V301",
            node.left.at,
            "STRING is not IP",
            f"{symbol.name} is an acl; std.ip(text, fallback) reads an address from text",
            stock=phrase("type", have="STRING", want="REGEX"),
        )
    return symbol is not None


def _match(cx: Context, node: nodes.Compare, left: Expr) -> Expr:
    """Checks ``text ~ "pattern"`` and ``address ~ acl``."""
    found: Expr
    if left.type is ERROR:
        return left
    if left.type is STRING and _is_acl(cx, node):
        return Bad()
    if left.type is STRING:
        found = pattern_test(cx, node.right, left, node.left.at)
        if found.type is ERROR:
            return found
    elif left.type is Type.IP:
        acl = value(cx, node.right, Type.ACL)
        if acl.type is ERROR:
            return acl
        assert isinstance(acl, Declared)
        found = absence.in_acl(cx, left, acl.index, node.at)
    else:
        help_ = 'join it with text first: "" + ...' if left.type in TO_STRING else ""
        cx.report.error("V304", node.at, f"{node.op} takes text or an address, not {left.type.value}", help_)
        return Bad()
    return found if node.op == "~" else Negation(found)


def pattern_test(cx: Context, node: nodes.Expr, subject: Expr, at: nodes.At) -> Expr:
    """Checks a match of a text with a pattern."""
    regex = literals.pattern(cx, constants.folded(cx, node))
    if regex is None:
        return Bad()
    if not cx.five:
        return Matches(subject, regex)
    return absence.matched(cx, subject, regex, at, literals.matches_empty(cx.checked.regexes[regex]))


# ---- calls -------------------------------------------------------------------------------------------------


def call(cx: Context, node: nodes.CallExpr, want: Type) -> Expr:
    """Checks a call. The result is VOID if the function returns nothing and ``want`` is VOID."""
    if node.receiver is not None:
        return _method(cx, node, infer(cx, node.receiver, STRING), node.name.parts[0])
    if cx.five:
        found = _of_policy(cx, node) or views.call(cx, node)
        if found is not None:
            return found
    callee = calls.find(cx, node.name)
    if callee is None:
        return _method_of_name(cx, node)
    if not _known_here(cx, node.name, callee) or not _callable_here(cx, node, callee):
        return Bad()
    if cx.function is not None and not callee.function.pure:
        cx.report.error(
            "V753",
            node.at,
            f"a function cannot call {callee.name}",
            "its result depends on its arguments alone; call it in the hook and pass the value",
        )
        return Bad()
    if callee.function.result is Type.VOID and want is not Type.VOID:
        cx.report.error("V319", node.at, f"{callee.name} returns no value", "call it as a statement")
        return Bad()
    instance = callee.instance
    if instance is not None and not _made(cx, node.name.at, instance):
        return Bad()
    sees_unset = "." in callee.name and callee.function.symbol not in ALIKE
    args = arguments.bound(cx, callee.name, node.at, callee.function.params, node.args, sees_unset)
    if args is None:
        return Bad()
    _note_call(cx, callee.function)
    bans.check(cx, node, callee.function.symbol)
    return Invoke(
        arguments.value_type(callee.function.result),
        callee.function,
        args,
        instance.index if instance else None,
    )


def _of_policy(cx: Context, node: nodes.CallExpr) -> Expr | None:
    """Checks a call of a function of the policy, or of a method of a local. None for any other call."""
    parts = node.name.parts
    local = cx.frame.find(parts[0])
    if local is not None and len(parts) == 2:
        owner = locals.value_of(cx, nodes.Name(node.name.at, parts[:1]), local)
        return _method(cx, node, owner, parts[1])
    symbol = cx.scope.symbols.get(parts[0].lower())
    if len(parts) != 1 or symbol is None or symbol.kind is not Kind.FUNCTION or symbol.name != parts[0]:
        return None
    from vernis.semantics import forms

    function = forms.function_of(cx, symbol, node.at)
    return Bad() if function is None or function.type is ERROR else forms.expand(cx, node, function)


def _known_here(cx: Context, name: nodes.Name, callee: calls.Callee) -> bool:
    """Whether a module is imported, or an object created, above the call. In vcl_init ``_made`` checks
    objects."""
    symbol = callee.instance or cx.scope.head(name.parts[0])
    if (
        symbol is None
        or len(name.parts) == 1
        or symbol is callee.instance
        and cx.sub is not None
        and cx.sub.name == "vcl_init"
    ):
        return True
    return declared_before(cx, name.at, symbol, name.text)


def _callable_here(cx: Context, node: nodes.CallExpr, callee: calls.Callee) -> bool:
    """Whether a function can be called here. A module function that cannot fails the transaction at the call.
    This is only a warning, because the policy may never reach the call."""
    where = callee.function.where
    if len(node.name.parts) == 1:
        return require_phase(
            cx,
            "V404",
            node.at,
            where,
            callee.name,
            "used",
            stock=phrase("action in", sub=first_outside(cx, where)),
        )
    if cx.legal_here(where):
        return True
    help_ = f"a call fails the transaction there; {phase_help(where, 'used')}"
    require_phase(cx, "V404", node.at, where, callee.name, "used", help_, warn=True)
    return True


def _note_call(cx: Context, function: FunctionRow) -> None:
    """Adds the effects of a function to those of the sub."""
    facts = cx.facts
    cx.frame.forget_written(function.writes)
    facts.may_wait = facts.may_wait or function.may_wait
    facts.reads.update(function.reads)
    for name in function.writes:
        if name == "*":
            facts.unknown = True
        else:
            facts.writes.add(name)


def _made(cx: Context, at: nodes.At, instance: Symbol) -> bool:
    """Whether an object exists at this point: in vcl_init its ``new`` must come first."""
    if cx.sub is None or cx.sub.name != "vcl_init" or instance.index in cx.made:
        return True
    cx.report.error(
        "V519",
        at,
        f"{instance.name} is used before it is created",
        "move this after its `new`",
        labels=[(instance.at, "created here")],
    )
    return False


def _method_of_name(cx: Context, node: nodes.CallExpr) -> Expr:
    """Checks ``req.url.upper()``: the name is a value and, after the last dot, its method."""
    parts = node.name.parts
    if len(parts) > 1 and parts[0].lower() not in cx.scope.symbols:
        owner = nodes.Name(
            node.name.at, parts[:-1], tuple(index for index in node.name.quoted if index < len(parts) - 1)
        )
        found = names.find(cx, owner) or views.view_of(cx, owner)
        if found is not None:
            return _method(cx, node, name_value(cx, owner, STRING), parts[-1])
        if views.report_unknown(cx, owner):
            return Bad()
        if any(row.key.startswith(parts[0].lower() + ".") for row in cx.scope.variables.values()):
            names.report_unknown(cx, owner, "read")
            return Bad()
    symbol = cx.scope.symbols.get(parts[0].lower())
    if len(parts) == 2 and symbol is not None and symbol.kind is Kind.BACKEND:
        symbol.used = True
        if not declared_before(cx, node.name.at, symbol, node.name.text):
            return Bad()
        return _method(cx, node, Declared(Type.BACKEND, symbol.index), parts[1])
    calls.report_unknown(cx, node.name, call=node)
    return Bad()


def _method(cx: Context, node: nodes.CallExpr, owner: Expr, name: str) -> Expr:
    if owner.type is ERROR:
        return owner
    methods = cx.scope.vocabulary.methods_five if cx.five else cx.scope.vocabulary.methods
    function = methods.get((owner.type, name.lower()))
    if function is None:
        known = [method for kind, method in methods if kind is owner.type]
        cx.report.error(
            "V322",
            node.at,
            f"{owner.type.value} has no method {name}",
            did_you_mean(nearest(name, known), f"it has {', '.join(known)}" if known else ""),
        )
        return Bad()
    args = arguments.bound(cx, name, node.at, function.params, node.args)
    if args is None:
        return Bad()
    _note_call(cx, function)
    return Invoke(arguments.value_type(function.result), function, [owner, *args], receiver=owner.type)
