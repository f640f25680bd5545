"""Values that may be absent, in vcl 5.0: which ones, what conditions tell about them, and comparisons.

An absent value equals nothing: ``== ~ in starts ends contains < <= > >=`` are false for it, and ``!= !~`` are
their negation. A place that needs a value takes none that may be absent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vernis.semantics.context import Context
from vernis.semantics.frame import NO_FACTS, Facts, LocalVar
from vernis.semantics.moves import Difference, Move
from vernis.semantics.typed import (
    AllOf,
    AnyOf,
    Bad,
    Bound,
    Coalesce,
    Comparison,
    Convert,
    Expand,
    Expr,
    Field,
    InAcl,
    Invoke,
    IsSet,
    Join,
    Literal,
    Local,
    Lookup,
    Matches,
    Negation,
    Variable,
)
from vernis.semantics.types import Type
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Span

BOUNDS = frozenset(("req.restarts", "bereq.retries"))


def may_be_absent(expr: Expr) -> bool:
    """Whether the value may be absent at this point."""
    match expr:
        case Field() | Local():
            return not expr.known
        case Literal():
            return expr.value is None
        case Lookup():
            return expr.default is None
        case Expand():
            return expr.function.optional
        case Coalesce():
            return may_be_absent(expr.operands[-1])
        case Bound():
            return may_be_absent(expr.value)
        case Convert():
            return may_be_absent(expr.operand)
        case Invoke():
            lifted = expr.receiver is not None and expr.args[0] is not None and may_be_absent(expr.args[0])
            return expr.function.absent or lifted
        case _:
            return False


def key_of(expr: Expr) -> str:
    """Returns the key of the fact that a value is there; empty for a value that has none."""
    match expr:
        case Field():
            return f"{expr.message}.http.{expr.name.lower()}"
        case Local():
            return expr.var.key
        case _:
            return ""


def facts(expr: Expr) -> tuple[Facts, Facts]:
    """Returns what is known if a condition is true, and if it is false."""
    match expr:
        case IsSet():
            return _keys(expr.operand), NO_FACTS
        case Negation():
            yes, no = facts(expr.operand)
            return no, yes
        case AllOf():
            parts = [facts(operand) for operand in expr.operands]
            return _union(yes for yes, _ in parts), _common(no for _, no in parts)
        case AnyOf():
            parts = [facts(operand) for operand in expr.operands]
            return _common(yes for yes, _ in parts), _union(no for _, no in parts)
        case Comparison():
            bound = _bound(expr.left) | _bound(expr.right)
            equal = _keys(expr.left) | _keys(expr.right)
            if expr.op == "!=":
                return bound, bound | equal
            return bound | equal if expr.op == "==" else bound, bound
        case Matches():
            return _keys(expr.subject) if expr.proves else NO_FACTS, NO_FACTS
        case Bound():
            yes, no = facts(expr.value)
            return yes | expr.proves, no
        case _:
            return NO_FACTS, NO_FACTS


def _keys(expr: Expr) -> Facts:
    key = key_of(expr)
    if not key:
        return NO_FACTS
    alias = expr.var.alias if isinstance(expr, Local) else ""
    return frozenset((key, alias)) if alias else frozenset((key,))


def _bound(expr: Expr) -> Facts:
    is_count = isinstance(expr, Variable) and expr.row.name in BOUNDS
    return frozenset((f"<{expr.row.name}",)) if is_count and isinstance(expr, Variable) else NO_FACTS


def _union(sets: Iterable[Facts]) -> Facts:
    return NO_FACTS.union(*sets)


def _common(sets: Iterable[Facts]) -> Facts:
    first, *rest = sets
    return first.intersection(*rest)


# ---- places that need a value ------------------------------------------------------------------------------

DEFAULTS = {
    Type.STRING: '""',
    Type.INT: "0",
    Type.REAL: "0.0",
    Type.DURATION: "0s",
    Type.BYTES: "0B",
    Type.BOOL: "false",
}


def required(cx: Context, expr: Expr, at: nodes.At) -> bool:
    """Whether the value is there; reports one that may be absent."""
    if not may_be_absent(expr):
        return True
    default = DEFAULTS.get(expr.type)
    cx.report.error(
        "V731",
        at,
        f"this {expr.type.value} may be absent",
        f"give a default: ... ?? {default or '...'}; or test it first: if (... is set)",
        edits=defaulted(cx, at, default) if default else (),
    )
    return False


def defaulted(cx: Context, at: nodes.At, default: str) -> tuple[Edit, ...]:
    """Returns the edits that put ``?? default`` behind a value."""
    types = cx.report.program.tokens.types[at[0] : at[1] + 1]  # type: ignore[attr-defined]
    before, after = ("(", ")") if needs_parentheses(types) else ("", "")
    return cx.report.around(at, before, f"{after} ?? {default}")


def without_default(cx: Context, node: nodes.Coalesce) -> tuple[Edit, ...]:
    """Returns the edits that remove ``?? default`` behind a value, and a pair of parentheses around both that
    stands between operators."""
    from vernis.syntax.generated.token_types import T

    types = cx.report.program.tokens.types  # type: ignore[attr-defined]
    value, (first, last) = cx.report.span(node.operands[0].at), node.at
    operators = (T.PLUS, T.EQ, T.NE, T.MATCH, T.NO_MATCH, T.AND, T.OR, T.ASSIGN, T.ADD_ASSIGN)
    is_wrapped = types[first - 1] == T.LPAREN and types[last + 1] == T.RPAREN
    if is_wrapped and (types[first - 2] in operators or types[last + 2] in operators[:-2]):
        first, last = first - 1, last + 1
    whole = cx.report.span((first, last))
    if whole.file != value.file:
        return ()
    spans = (Span(value.file, whole.start, value.start), Span(value.file, value.end, whole.end))
    return tuple(Edit(span, "") for span in spans if span.start < span.end)


def needs_parentheses(types: bytes) -> bool:
    """Whether a text with these tokens is more than one operand: it has an operator outside of brackets."""
    from vernis.syntax.generated.token_types import T

    depth = 0
    for type in types:
        if type in (T.LPAREN, T.LBRACKET):
            depth += 1
        elif type in (T.RPAREN, T.RBRACKET):
            depth -= 1
        elif depth == 0 and type in (T.PLUS, T.MINUS, T.STAR, T.SLASH, T.PERCENT, T.AND, T.OR, T.NOT):
            return True
    return False


# ---- tests of values that may be absent --------------------------------------------------------------------


def once(cx: Context, expr: Expr, at: nodes.At) -> tuple[list[tuple[LocalVar, Expr]], Expr]:
    """Returns an expression that can be used twice, and the binding that it needs."""
    if isinstance(expr, (Local, Literal)):
        return [], expr
    var = cx.frame.hidden(expr.type, may_be_absent(expr), at, key_of(expr) if isinstance(expr, Field) else "")
    return [(var, expr)], Local(expr.type, var, not var.optional)


def compared(cx: Context, node: nodes.Compare, left: Expr, right: Expr) -> Expr:
    """Returns a comparison of two values of one type, of which each may be absent."""
    absent = [side for side in (left, right) if may_be_absent(side)]
    if absent and cx.moves is not None:
        _note_comparison(cx, cx.moves, node, left, right)
    if not absent or left.type is Type.STRING and node.op in ("==", "!="):
        return Comparison(node.op, left, right, strict=True)
    op, negated = ("==", True) if node.op == "!=" else (node.op, False)
    bindings: list[tuple[LocalVar, Expr]] = []
    sides = []
    for side in (left, right):
        more, again = once(cx, side, node.at)
        bindings += more
        sides.append(again)
    tests: list[Expr] = [IsSet(side) for side in sides if may_be_absent(side)]
    test: Expr = AllOf([*tests, Comparison(op, sides[0], sides[1], strict=True)])
    test = Negation(test) if negated else test
    return Bound(bindings, test, Type.BOOL) if bindings else test


def _note_comparison(cx: Context, moves: list[Move], node: nodes.Compare, left: Expr, right: Expr) -> None:
    """Notes a comparison of texts, of which one may be absent, that has another result in 4.x."""
    if is_joined(left) != is_joined(right):
        side, written = (left, node.left) if may_be_absent(left) else (right, node.right)
        if may_be_absent(side):
            moves.append(Move(Difference.JOINED, written.at, defaulted(cx, written.at, '""')))
    elif node.op in (">", ">="):
        first, last = cx.report.around(node.at, "!(", ")")
        opposite = Edit(cx.report.span(_operator(cx, node)), "<=" if node.op == ">" else "<")
        moves.append(Move(Difference.ORDER, node.at, (first, opposite, last)))


def _operator(cx: Context, node: nodes.Compare) -> nodes.At:
    """Returns the token of the operator."""
    from vernis.syntax.generated.token_types import T

    types = cx.report.program.tokens.types  # type: ignore[attr-defined]
    kind = T.GT if node.op == ">" else T.GE
    token = types.index(kind, node.left.at[1] + 1, node.right.at[0])
    return token, token


def is_joined(text: Expr) -> bool:
    """Whether the policy joins the text at run time. A text of constants only is one constant."""
    return isinstance(text, Join) and not all(isinstance(part, Literal) for part in text.parts)


def matched(cx: Context, subject: Expr, regex: int, at: nodes.At, matches_empty: bool) -> Expr:
    """Returns a match, which is false for an absent subject. At run time an absent text is an empty one for a
    pattern, so only a pattern that matches an empty text needs a test of its own. ``at`` is the subject."""
    if not may_be_absent(subject) or not matches_empty:
        return Matches(subject, regex, proves=not matches_empty)
    if cx.moves is not None:
        cx.moves.append(Move(Difference.EMPTY_MATCH, at, defaulted(cx, at, '""')))
    return _if_there(cx, subject, at, lambda text: Matches(text, regex))


def in_acl(cx: Context, address: Expr, acl: int, at: nodes.At) -> Expr:
    if not may_be_absent(address):
        return InAcl(address, acl)
    return _if_there(cx, address, at, lambda found: InAcl(found, acl))


def _if_there(cx: Context, value: Expr, at: nodes.At, test_of: Callable[[Expr], Expr]) -> Expr:
    """A test of a value, which is false if the value is absent."""
    bindings, again = once(cx, value, at)
    test = AllOf([IsSet(again), test_of(again)])
    return Bound(bindings, test, Type.BOOL) if bindings else test


def presence(cx: Context, node: nodes.Presence, operand: Expr) -> Expr:
    """Checks ``x is set`` and ``x is empty``."""
    if operand.type is Type.ERROR:
        return Bad()
    if node.word == "set":
        if not may_be_absent(operand):
            always = (
                "it is known to be set here" if key_of(operand) else f"a {operand.type.value} here always is"
            )
            cx.report.warning("V732", node.at, "this value is always set", f"{always}; remove the test")
            return Literal(Type.BOOL, True)
        return IsSet(operand)
    if operand.type is not Type.STRING:
        cx.report.error("V301", node.at, f"{operand.type.value} is not STRING", "only text can be empty")
        return Bad()
    empty = Literal(Type.STRING, b"")
    return Comparison("==", operand, empty, strict=True)
