"""Locals of vcl 5.0: ``let``, ``if (let ...)``, ``as m``, and their use as values."""

from __future__ import annotations

import re
import warnings

from vernis import pcre
from vernis.record import replace
from vernis.semantics import absence, constants, expressions
from vernis.semantics.context import Context
from vernis.semantics.frame import LocalName, LocalVar, Match
from vernis.semantics.resolve import EXPRESSION_WORDS, Kind
from vernis.semantics.typed import (
    Bad,
    Bound,
    Declared,
    Expr,
    Invoke,
    IsSet,
    Let,
    Literal,
    Local,
    Matches,
    Negation,
)
from vernis.semantics.types import Type
from vernis.syntax import nodes

_NAMED_RE = re.compile(r"\(\?<(?=[A-Za-z_])")  # Python writes a P before the name
_DECLARED_TYPES = frozenset(constants.VALUE_TYPES.values())


def declare(cx: Context, name: nodes.Name, made: LocalName) -> bool:
    """Adds a name to the innermost block. Reports a name that is taken."""
    word = name.text
    if "-" in word:
        cx.report.error(
            "V738", name.at, f"a local name has no '-': {word}", f"write {word.replace('-', '_')}"
        )
        return False
    known = cx.frame.find(word)
    if known is not None and not (isinstance(made, Match) and isinstance(known, Match)):
        cx.report.error(
            "V739",
            name.at,
            f"{word} is a local already",
            "choose another name",
            labels=[(known.at, "declared here")],
        )
        return False
    symbol = cx.scope.symbols.get(word.lower())
    heads = {row.key.partition(".")[0] for row in cx.scope.variables.values()}
    if (
        symbol is not None
        and symbol.name == word
        or word.lower() in EXPRESSION_WORDS
        or word.lower() in heads
    ):
        what = f"the name of {symbol.kind.one}" if symbol is not None else "a word of the language"
        labels = [(symbol.at, "declared here")] if symbol is not None else []
        cx.report.error("V739", name.at, f"{word} is {what}", "choose another name", labels=labels)
        return False
    cx.frame.scopes[-1][word] = made
    return True


def check_let(cx: Context, node: nodes.Let) -> Let | None:
    wanted = None if node.type is None else constants.type_of(cx, node.type, _DECLARED_TYPES)
    value = expressions.infer(cx, node.value, Type.STRING if wanted is None else wanted)
    if wanted not in (None, Type.ERROR) and value.type is not Type.ERROR:
        assert wanted is not None and node.type is not None
        value = expressions.converted(cx, value, wanted, node.value.at, optional=node.type.optional)
    if value.type is Type.ERROR or wanted is Type.ERROR:
        _declare_unknown(cx, node)
        return None
    if value.type not in _DECLARED_TYPES:
        cx.report.error(
            "V735",
            node.value.at,
            f"a local cannot hold {value.type.value}",
            "use the value where it is needed",
        )
        _declare_unknown(cx, node)
        return None
    absent = absence.may_be_absent(value)
    optional = absent if node.type is None else node.type.optional
    var = LocalVar(node.name.text, value.type, optional, node.mutable, node.at, cx.frame.number())
    if not declare(cx, node.name, var):
        return None
    if optional and not absent:
        cx.frame.assume((var.key,))
    return Let(node.at, var, value)


def _declare_unknown(cx: Context, node: nodes.Let) -> None:
    """Declares a local whose value was reported, so that its uses are not reported too."""
    var = LocalVar(node.name.text, Type.ERROR, False, node.mutable, node.at, cx.frame.number())
    declare(cx, node.name, var)


def check_set(cx: Context, node: nodes.Set, var: LocalName) -> Let | None:
    """Checks ``set`` of a local."""
    if not isinstance(var, LocalVar) or not var.mutable:
        cx.report.error(
            "V740",
            node.target.at,
            f"{var.name} never changes",
            f"declare it with: let mut {var.name} = ..."
            if isinstance(var, LocalVar)
            else "a match is a value",
            labels=[(var.at, "declared here")],
        )
        expressions.infer(cx, node.value, Type.ERROR)
        return None
    if var.type is Type.ERROR:
        return None
    value: Expr
    if node.op == "=":
        value = expressions.infer(cx, node.value, var.type)
    else:
        current = nodes.NameExpr(node.target.at, node.target)
        value = expressions.infer(cx, _combined(node, current), var.type)
    value = expressions.converted(cx, value, var.type, node.value.at, optional=var.optional)
    if value.type is Type.ERROR:
        return None
    cx.frame.forget(var.key)
    if var.optional and not absence.may_be_absent(value):
        cx.frame.assume((var.key,))
    return Let(node.at, var, value)


def _combined(node: nodes.Set, current: nodes.Expr) -> nodes.Expr:
    operands = (current, nodes.Paren(node.value.at, node.value))
    if node.op in ("+=", "-="):
        return nodes.Sum(node.at, operands, (node.op[0],))
    return nodes.Product(node.at, operands, (node.op[0],))


def bind_condition(cx: Context, name: nodes.Name, node: nodes.Expr) -> tuple[Expr, LocalVar | None]:
    """Checks ``if (let name = value)``. Returns the condition and the local, which only the body sees."""
    value = expressions.infer(cx, node, Type.STRING)
    if value.type is Type.ERROR:
        return Bad(), LocalVar(name.text, Type.ERROR, False, False, name.at, cx.frame.number())
    if not absence.may_be_absent(value):
        cx.report.error(
            "V741",
            node.at,
            f"this {value.type.value} is always there",
            f"write let {name.text} = ...; in a statement of its own",
        )
        return Bad(), LocalVar(name.text, value.type, False, False, name.at, cx.frame.number())
    var = LocalVar(name.text, value.type, True, False, name.at, cx.frame.number())
    test = IsSet(Local(value.type, var, False))
    return Bound([(var, value)], test, Type.BOOL), var


def value_of(cx: Context, name: nodes.Name, var: LocalName) -> Expr:
    """Returns a local as a value."""
    var.used = True
    if isinstance(var, Match):
        cx.report.error(
            "V742",
            name.at,
            f"{var.name} is a match, not a value",
            f"{var.name}[0] is the matched text, {var.name}[1] the first group",
            replace=f"{var.name}[0]",
        )
        return Bad()
    if var.type is Type.ERROR:
        return Bad()
    return Local(var.type, var, not var.optional or var.key in cx.frame.known)


# ---- matches -----------------------------------------------------------------------------------------------


def capture(cx: Context, node: nodes.Captured) -> Expr:
    """Checks ``text ~ "pattern" as m``."""
    found = expressions.infer(cx, node.test, Type.BOOL)
    if found.type is Type.ERROR:
        return found
    if node.test.op != "~":
        cx.report.error(
            "V743", node.at, "only `~` with a pattern has a match to name", "write ... ~ ... as m"
        )
        return Bad()
    inner = found
    bindings = []
    if isinstance(inner, Bound):
        bindings, inner = inner.bindings, inner.value
    matches = _matches_in(inner)
    if matches is None:
        cx.report.error("V743", node.at, "a match with an acl has no groups", "remove `as`")
        return Bad()
    if not isinstance(matches.subject, Local) or matches.subject.var.mutable:
        # the groups belong to the text of the test, also when a header or a local changes afterwards
        alias = absence.key_of(matches.subject)
        absent = absence.may_be_absent(matches.subject)
        var = cx.frame.hidden(Type.STRING, absent, node.at, alias)
        bindings = [*bindings, (var, matches.subject)]
        matches.subject = Local(Type.STRING, var, not absent)
    assert isinstance(matches.subject, Local)
    pattern = cx.checked.regexes[matches.regex]
    made = Match(
        node.name.text,
        node.name.at,
        cx.frame.number(),
        pattern,
        matches.regex,
        matches.subject.var,
        groups_always_set(pattern),
    )
    if not declare(cx, node.name, made):
        return Bad()
    return Bound(bindings, inner, Type.BOOL, frozenset((made.key,)))


def _matches_in(expr: Expr) -> Matches | None:
    while isinstance(expr, Negation):
        expr = expr.operand
    if isinstance(expr, Matches):
        return expr
    operands = getattr(expr, "operands", None)
    return _matches_in(operands[-1]) if operands else None


def group(cx: Context, node: nodes.Index, match: Match) -> Expr:
    """Checks ``m[1]`` and ``m["name"]``."""
    match.used = True
    if match.key not in cx.frame.known:
        cx.report.error(
            "V744",
            node.at,
            f"{match.name} may not have matched here",
            "use it where the match is known to have succeeded: in the body of its `if`",
            labels=[(match.at, "the match is here")],
        )
        return Bad()
    number = _group_number(cx, node.key, match)
    if number is None:
        return Bad()
    row = cx.scope.vocabulary.internal["match_group"]
    args: list[Expr | None] = [
        Declared(Type.REGEX, match.regex),
        Local(Type.STRING, match.subject, True),
        Literal(Type.INT, number),
    ]
    return Invoke(Type.STRING, replace(row, absent=number not in match.always), args)


def _group_number(cx: Context, key: nodes.Expr, match: Match) -> int | None:
    count, names = pcre.groups(match.pattern)
    if isinstance(key, nodes.NumberLit) and key.unit is None and key.digits.isdecimal():
        number = int(key.digits)
        if number <= count:
            return number
        has = f"it has {count}" if count else "it has none; write (...) in the pattern"
        cx.report.error("V745", key.at, f"the pattern has no group {number}", has)
        return None
    if isinstance(key, nodes.StringLit):
        found = names.get(key.value)
        if found is not None:
            return found
        known = f"its names: {', '.join(names)}" if names else "its groups have no names: (?<name>...)"
        cx.report.error("V745", key.at, f'the pattern has no group "{key.value}"', known)
        return None
    cx.report.error("V745", key.at, "the index of a group is a number or a name", f"write {match.name}[1]")
    return None


def groups_always_set(pattern: bytes) -> frozenset[int]:
    """Returns the groups that take part in every match, as far as Python's parser of patterns can tell."""
    try:
        from re import _parser as parser  # type: ignore[attr-defined]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parser.parse(_NAMED_RE.sub("(?P<", pattern.decode("latin-1")))
    except (ImportError, re.error, OverflowError, RecursionError):  # syntax that only PCRE2 has
        return frozenset((0,))
    found = {0}
    todo = [tree]
    while todo:
        for kind, args in todo.pop():
            name = str(kind)
            if name == "SUBPATTERN":
                if args[0] is not None:
                    found.add(args[0])
                todo.append(args[3])
            elif name in ("MAX_REPEAT", "MIN_REPEAT") and args[0] > 0:
                todo.append(args[2])
    return frozenset(found)


def unknown(cx: Context, name: nodes.Name) -> bool:
    """Reports ``a-1`` where ``a`` is a local. Returns whether it did."""
    head, minus, rest = name.text.partition("-")
    if not cx.five or not minus or len(name.parts) != 1 or cx.frame.find(head) is None:
        return False
    meant = f"{head} - {rest}"
    cx.report.error(
        "V302",
        name.at,
        f"there is no local {name.text}",
        f"put spaces around the minus: {meant}",
        replace=meant,
    )
    return True


KINDS_WITHOUT_VALUE = {
    Kind.FUNCTION: "call it: {}(...)",
    Kind.SET: "test a text with it: ... in {}",
    Kind.TABLE: "look a key up: {}[...]",
    Kind.COUNTER: "count it: count {};",
}
