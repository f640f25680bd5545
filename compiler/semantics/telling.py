"""Statements of vcl 5.0 that tell something: ``log``, ``invariant``. Budgets."""

from __future__ import annotations

from vernis.semantics import absence, expressions
from vernis.semantics.context import Context
from vernis.semantics.report import did_you_mean, nearest
from vernis.semantics.typed import Convert, Evaluate, Expr, Invoke, Join, Literal
from vernis.semantics.types import TO_STRING, Type
from vernis.semantics.vocabulary import load_vocabulary
from vernis.syntax import nodes

_PLAIN = frozenset((Type.INT, Type.BYTES, Type.REAL, Type.DURATION, Type.BOOL))  # as JSON has them


def check_log(cx: Context, node: nodes.Log) -> Evaluate | None:
    """Checks ``log { name = value };``, which writes one record with an object of JSON."""
    parts: list[Expr] = []
    before = "{"
    seen: dict[str, nodes.At] = {}
    for name, value in node.pairs:
        if name.text in seen:
            cx.report.error(
                "V762",
                name.at,
                f"{name.text} is there twice",
                "choose another name",
                [(seen[name.text], "here")],
            )
            return None
        seen[name.text] = name.at
        shown = _shown(cx, value)
        if shown is None:
            return None
        parts += [Literal(Type.STRING, f'{before}"{name.text}":'.encode("latin-1")), shown]
        before = ","
    if not node.pairs:
        cx.report.error(
            "V762", node.at, "a record without values tells nothing", "write: log { url = req.url };"
        )
        return None
    parts.append(Literal(Type.STRING, b"}"))
    row = load_vocabulary().modules["std"].functions["log"]
    return Evaluate(node.at, Invoke(Type.VOID, row, [Join(parts)]))


def _shown(cx: Context, node: nodes.Expr) -> Expr | None:
    """Returns a value as JSON. An absent text is null; other values have to be there."""
    value = expressions.infer(cx, node, Type.STRING)
    if value.type is Type.ERROR:
        return None
    if value.type not in TO_STRING:
        cx.report.error("V762", node.at, f"{value.type.value} has no form in JSON", "log a part of it")
        return None
    if value.type is not Type.STRING:
        if not absence.required(cx, value, node.at):
            return None
        value = Convert(Type.STRING, value)
        if value.operand.type in _PLAIN:
            return value
    row = cx.scope.vocabulary.internal["json_text"]
    return Invoke(Type.STRING, row, [value])


def check_invariant(cx: Context, node: nodes.Invariant) -> None:
    """Checks the types of ``invariant "text" { condition }``."""
    condition = expressions.value(cx, node.condition, Type.BOOL)
    if condition.type is not Type.ERROR:
        cx.report.warning(
            "V763", node.at, "an invariant is not proved yet", "its names and types are checked; nothing else"
        )


BUDGETS = ("steps", "headers", "patterns")  # what vernis.ir.costs counts


def check_budgets(cx: Context) -> None:
    """Checks the names and numbers of ``budget { steps 20000; }``. ``pipeline.py`` compares them with the
    code."""
    for node in cx.scope.budgets:
        for at, name, digits in node.limits:
            if name not in BUDGETS or not digits.isdecimal():
                near = nearest(name, BUDGETS)
                known = f"a budget has {', '.join(BUDGETS)}, each a whole number"
                cx.report.error("V765", at, f"there is no budget {name} {digits}", did_you_mean(near, known))
                continue
            cx.checked.budgets.append((at, name, int(digits)))
