"""Counters of vcl 5.0: ``counter name by (label);`` and ``count name(value);``.

A counter has one series for each combination of values of its labels. The key of a series is its labels as
Prometheus writes them, such as ``{status="200",host="a.example"}``; compiled code joins it.
"""

from __future__ import annotations

from vernis.semantics import constants, expressions
from vernis.semantics.context import Context
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.resolve import Kind
from vernis.semantics.typed import Counter, Evaluate, Expr, Invoke, Join, Literal
from vernis.semantics.types import Type
from vernis.syntax import nodes

COUNTERS_MAX = 32  # of a policy
LABELS_MAX = 4
COUNTER_NAME_MAX = 64  # bytes
LABEL_NAME_MAX = 32


def check_counter(cx: Context, node: nodes.Counter) -> Counter:
    """Checks a declaration."""
    if len(node.name) > COUNTER_NAME_MAX:
        cx.report.error(
            "V764", node.name_at, f"the name has more than {COUNTER_NAME_MAX} bytes", "shorten it"
        )
    if len(cx.checked.counters) == COUNTERS_MAX:
        cx.report.error(
            "V764", node.name_at, f"a policy has at most {COUNTERS_MAX} counters", "use one with labels"
        )
    if len(node.labels) > LABELS_MAX:
        at = node.labels[LABELS_MAX].at
        cx.report.error("V764", at, f"a counter has at most {LABELS_MAX} labels", "remove some")
    seen: dict[str, nodes.At] = {}
    for label in node.labels:
        _check_label(cx, label, seen)
    return Counter(node.name, node.at, tuple(label.text for label in node.labels))


def _check_label(cx: Context, label: nodes.Name, seen: dict[str, nodes.At]) -> None:
    if "-" in label.text:
        help_ = f"write {label.text.replace('-', '_')}"
        cx.report.error("V764", label.at, "a label of a metric has no `-`", help_)
    elif len(label.text) > LABEL_NAME_MAX:
        cx.report.error("V764", label.at, f"a label has at most {LABEL_NAME_MAX} bytes", "shorten it")
    elif label.text in seen:
        cx.report.error(
            "V764",
            label.at,
            f"the counter has the label {label.text} already",
            "remove one of the two",
            labels=[(seen[label.text], "here")],
        )
    seen.setdefault(label.text, label.at)


def check_count(cx: Context, node: nodes.Count) -> Evaluate | None:
    """Checks ``count name(value, ...);``."""
    symbol = cx.scope.symbols.get(node.name.text.lower())
    if symbol is None or symbol.kind is not Kind.COUNTER or not isinstance(symbol.node, nodes.Counter):
        if node.name.text.lower() in cx.scope.twice:
            return None  # its declaration was reported
        near = nearest(node.name.text, cx.scope.names(Kind.COUNTER))
        cx.report.error(
            "V764",
            node.name.at,
            f"there is no counter {node.name.text}",
            did_you_mean(near, f"declare it: counter {node.name.text};"),
            replace=certain(node.name.text, near),
        )
        return None
    symbol.used = True
    if cx.function is not None:
        cx.report.error("V753", node.at, "a function counts nothing", "count where the function is called")
        return None
    values = _values(cx, node, symbol.node)
    if values is None:
        return None
    internal = cx.scope.vocabulary.internal
    parts: list[Expr] = []
    before = "{"
    for label, value in zip(symbol.node.labels, values):
        parts += [
            Literal(Type.STRING, f'{before}{label.text}="'.encode("latin-1")),
            Invoke(Type.STRING, internal["counter_label"], [value]),
        ]
        before = '",'
    key = Join([*parts, Literal(Type.STRING, b'"}')]) if parts else Literal(Type.STRING, b"")
    number = Literal(Type.INT, symbol.index)
    return Evaluate(node.at, Invoke(Type.VOID, internal["counter_add"], [number, key]))


def _values(cx: Context, node: nodes.Count, counter: nodes.Counter) -> list[Expr] | None:
    """Returns the values of the labels as texts; None after a report."""
    named = [arg for arg in node.args if arg.name is not None]
    if named or len(node.args) != len(counter.labels):
        call = ", ".join(label.text for label in counter.labels)
        cx.report.error(
            "V764",
            named[0].at if named else node.at,
            f"{counter.name} has {len(counter.labels)} labels, and gets {len(node.args)} values"
            if not named
            else "values of labels stand in the order of the labels, without names",
            f"write: count {counter.name}{f'({call})' if call else ''};",
        )
        return None
    values: list[Expr] = []
    for arg in node.args:
        value = expressions.infer(cx, constants.folded(cx, arg.value), Type.STRING)
        value = expressions.converted(cx, value, Type.STRING, arg.value.at)
        if value.type is Type.ERROR:
            return None
        values.append(value)
    return values
