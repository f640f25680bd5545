"""Tests of vcl 5.0 with several texts at once: ``in``, ``starts``, ``ends``, ``contains``.

The right side is a set, a list of constants, or one constant text. A test becomes one pattern, so it takes
part in the pattern sets of the compiler (``ir/passes/pattern_sets.py``) as a regular expression would.
"""

from __future__ import annotations

import re

from vernis.semantics import absence, constants
from vernis.semantics.context import Context
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.resolve import Kind
from vernis.semantics.typed import Bad, Comparison, Expr, Literal
from vernis.semantics.types import Type
from vernis.syntax import nodes

OPERATORS = ("in", "starts", "ends", "contains")
ITEMS_MAX = 10_000  # of one set; longer lists are tables
_PATTERNS = {"in": b"\\A(?:%s)\\z", "starts": b"\\A(?:%s)", "ends": b"(?:%s)\\z", "contains": b"(?:%s)"}
_COMMA_RE = re.compile(rb'"\s*,\s*"')  # between two texts of a list that was taken for one text
_SPECIAL = frozenset(b"\\^$.[]|()?*+{}")


def test(cx: Context, node: nodes.Compare, left: Expr) -> Expr:
    """Checks ``text in SET`` and its like."""
    if left.type is Type.ERROR:
        return left
    if left.type is not Type.STRING:
        cx.report.error(
            "V304",
            node.at,
            f"{node.op} tests text, not {left.type.value}",
            "match an address with an acl: ... ~ name" if left.type is Type.IP else "",
        )
        return Bad()
    items = _items(cx, node.right)
    if items is None:
        return Bad()
    if node.op == "in" and len(items) == 1:
        return Comparison("==", left, Literal(Type.STRING, items[0]), strict=True)
    regex = cx.pattern(pattern_of(node.op, items))
    return absence.matched(cx, left, regex, node.at, b"" in items)


def pattern_of(op: str, items: list[bytes]) -> bytes:
    """Returns the pattern of a test. Longer texts come first, so that the first match is the longest."""
    texts = sorted(set(items), key=lambda item: (-len(item), item))
    return _PATTERNS[op] % b"|".join(map(_quoted, texts))


def _quoted(text: bytes) -> bytes:
    return b"".join(
        b"\\%c" % byte if byte in _SPECIAL else b"%c" % byte if 32 <= byte < 127 else b"\\x%02x" % byte
        for byte in text
    )


def _items(cx: Context, node: nodes.Expr) -> list[bytes] | None:
    """Returns the texts of the right side, or None if an error was reported."""
    if isinstance(node, nodes.ListExpr):
        return texts(cx, node.items, node.at)
    if isinstance(node, nodes.NameExpr) and len(node.name.parts) == 1:
        symbol = cx.scope.symbols.get(node.name.text.lower())
        if symbol is not None and isinstance(symbol.node, nodes.TextSet):
            symbol.used = True
            return cx.sets.get(symbol.name.lower())
        if symbol is None:
            near = nearest(node.name.text, cx.scope.names(Kind.SET))
            cx.report.error(
                "V302",
                node.at,
                f"there is no set {node.name.text}",
                did_you_mean(near, f'declare it: set {node.name.text} ["a", "b"];'),
                replace=certain(node.name.text, near),
            )
            return None
    text = constants.text(cx, node)
    if text is not None and isinstance(node, nodes.StringLit) and _COMMA_RE.search(text):
        listed = '["' + node.value + '"]'
        cx.report.error(
            "V733",
            node.at,
            'this is one text: {" opens a long string',
            f"a list is in brackets: {listed}",
            replace=listed,
        )
        return None
    if text is not None:
        return [text]
    if not isinstance(node, nodes.Broken):
        cx.report.error(
            "V733",
            node.at,
            "the right side is not constant",
            'write a set, a list ["a", "b"], or a text in quotes',
        )
    return None


def texts(cx: Context, items: tuple[nodes.Expr, ...], at: nodes.At) -> list[bytes] | None:
    """Returns the constant texts of a list."""
    if not items or len(items) > ITEMS_MAX:
        what = "an empty list" if not items else f"more than {ITEMS_MAX} texts"
        cx.report.error(
            "V733", at, f"{what} is no set", "a table has room for millions" if items else "add a text"
        )
        return None
    found: list[bytes] = []
    seen: dict[bytes, nodes.At] = {}
    for item in items:
        text = constants.text(cx, item)
        if text is None:
            if not isinstance(item, nodes.Broken):
                cx.report.error("V733", item.at, "a set holds constant texts", "write it in quotes")
            return None
        if text in seen:
            cx.report.warning(
                "V734", item.at, "this text is in the set already", "remove it", labels=[(seen[text], "here")]
            )
        seen.setdefault(text, item.at)
        found.append(text)
    return found
