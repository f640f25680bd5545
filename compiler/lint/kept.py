"""Which results of tests a text keeps when a statement cuts off its end, or appends to it.

Policies cut the query of a URL, or add a parameter, between the tests of vcl_recv and those of the fetch. The
old text and the new one then begin with the same part, and differ in what follows it.
"""

from __future__ import annotations

from vernis.lint.pattern import (
    ALL_BYTES,
    LF,
    Bytes,
    Edge,
    Repeat,
    Sequence,
    has_start,
    mask_of,
    parsed,
    trees_in,
)
from vernis.lint.values import Test
from vernis.lint.view import View, bare, flat
from vernis.record import record
from vernis.syntax import nodes


@record(frozen=True)
class Change:
    """``cuts``: the new text is a begin of the old one; if not, the old one is a begin of the new one. The
    longer one goes on with a byte of ``first``."""

    cuts: bool
    first: int

    def keeps(self, test: Test, held: bool) -> bool:
        """Whether a test has the same result behind the change."""
        read = parsed(test.text) if test.kind == "match" else None
        if read is None:
            return False
        parts = trees_in(read.tree)
        if any(isinstance(one, Edge) and one.kind != "^" for one in parts):
            return False  # the test is about the end
        if held is not self.cuts:
            return True  # a text that grows keeps its matches, and one that shrinks gets no new ones
        masks = (one.mask for one in parts if isinstance(one, Bytes))
        return has_start(read.tree) and not any(mask & self.first for mask in masks)


def change_of(view: View, statement: nodes.Set) -> Change | None:
    """The change that a statement makes to a text; None if it is of another kind."""
    name = view.name(statement.target)
    value = bare(statement.value)
    if isinstance(value, nodes.CallExpr) and statement.op == "=":
        if view.name(value.name) not in ("regsub", "regsuball") or len(value.args) != 3:
            return None
        text, pattern, by = (argument.value for argument in value.args)
        is_cut = view.variable(text) == name and view.text(by) == ""
        first = _cut(view.text(pattern) or "") if is_cut else None
        return None if first is None else Change(cuts=True, first=first)
    if isinstance(value, nodes.Sum) and any(op != "+" for op in value.ops):
        return None
    parts = list(flat(value, nodes.Sum))
    if statement.op == "=" and view.variable(parts[0]) == name:
        parts = parts[1:]
    elif statement.op != "+=":
        return None
    return Change(cuts=False, first=_first(view, parts[0])) if parts else None


def _cut(pattern: str) -> int | None:
    """The bytes with which a match begins that goes to the end of the text; None if it may end before."""
    read = parsed(pattern)
    items = list(read.tree.items) if read is not None and isinstance(read.tree, Sequence) else []
    if items and isinstance(items[-1], Edge) and items[-1].kind in ("$", "z"):
        items.pop()
    elif pattern.endswith("?"):
        return None  # as few bytes as possible
    last = items[-1] if items else None
    if not isinstance(last, Repeat) or last.most is not None or not isinstance(last.item, Bytes):
        return None
    if last.item.mask | LF != ALL_BYTES:
        return None
    return items[0].mask if isinstance(items[0], Bytes) else ALL_BYTES


def _first(view: View, part: nodes.Expr) -> int:
    """The bytes with which a text can begin: a constant, or a field that the policy sets to such texts."""
    name = view.variable(part)
    values = [part] if name is None else [one.value for _, one in view.sets.get(name, ()) if one.op == "="]
    texts = [view.text(next(flat(value, nodes.Sum))) for value in values]
    known = [text[0] for text in texts if text]
    return mask_of("".join(known).encode("latin-1")) if known and len(known) == len(texts) else ALL_BYTES
