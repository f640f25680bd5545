"""The nodes of names and expressions. ``nodes.py`` has the rest of the tree, and says how it is made."""

from __future__ import annotations

from typing import TypeAlias

from vernis.record import record

At: TypeAlias = tuple[int, int]


@record(frozen=True)
class Name:
    """A dotted name: ``req.http.X-Foo``, ``std.log``. ``parts`` are as written (a quoted part without its
    quotes); ``quoted`` holds the indices of parts written in quotes."""

    at: At
    parts: tuple[str, ...]
    quoted: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        return ".".join(self.parts)


@record(frozen=True)
class Broken:
    """Text that the parser could not read and has reported."""

    at: At


@record(frozen=True)
class StringLit:
    """Bytes as Latin-1 text (one character a byte), without delimiters. Any of the three string forms.
    Adjacent literals are not joined here."""

    at: At
    value: str


@record(frozen=True)
class NumberLit:
    """``5``, ``1.5``, ``5 s``, ``10KB``: digits as written, and the unit word when an identifier follows
    directly. ``unit`` is None without one. Which units are legal depends on the expected type (``m``)."""

    at: At
    digits: str
    unit: str | None


@record(frozen=True)
class BlobLit:
    """A ``:base64:`` literal; ``text`` is the part between the colons."""

    at: At
    text: str


@record(frozen=True)
class NameExpr:
    """A variable, a declared name, true, false or an enum word. The checker tells them apart."""

    at: At
    name: Name


@record(frozen=True)
class Argument:
    """``value`` or ``name = value`` in a call."""

    at: At
    name: str | None
    value: Expr


@record(frozen=True)
class CallExpr:
    """``f(args)``, ``mod.f(args)``, ``object.method(args)``, ``expr.method()`` when ``receiver`` is not None
    (then ``name`` has one part)."""

    at: At
    receiver: Expr | None
    name: Name
    args: tuple[Argument, ...]


@record(frozen=True)
class MemberExpr:
    """``expr.attribute`` on a value that is not a plain name: ``(a + b).len``."""

    at: At
    receiver: Expr
    attribute: str


@record(frozen=True)
class Paren:
    at: At
    inner: Expr


@record(frozen=True)
class Neg:
    """Unary minus. Before a literal it applies to the literal, otherwise to the rest of the sum."""

    at: At
    operand: Expr


@record(frozen=True)
class Product:
    """``a * b / c % d``: ``ops[i]`` stands between ``operands[i]`` and ``operands[i+1]``."""

    at: At
    operands: tuple[Expr, ...]
    ops: tuple[str, ...]


@record(frozen=True)
class Sum:
    """``a + b - c``; also text joining."""

    at: At
    operands: tuple[Expr, ...]
    ops: tuple[str, ...]


@record(frozen=True)
class Compare:
    """One comparison: ``== != < <= > >= ~ !~``, in 5.0 also ``in starts ends contains``. The parser reports a
    chain ``a == b == c``."""

    at: At
    left: Expr
    op: str
    right: Expr


@record(frozen=True)
class Not:
    """``!x``: applies to a whole comparison (``!client.ip ~ acl`` is ``!(client.ip ~ acl)``)."""

    at: At
    operand: Expr


@record(frozen=True)
class And:
    at: At
    operands: tuple[Expr, ...]


@record(frozen=True)
class Or:
    at: At
    operands: tuple[Expr, ...]


@record(frozen=True)
class Index:
    """``receiver[key]`` of 5.0."""

    at: At
    receiver: Expr
    key: Expr


@record(frozen=True)
class Coalesce:
    """``a ?? b ?? c`` of 5.0: the first operand that is there."""

    at: At
    operands: tuple[Expr, ...]


@record(frozen=True)
class Presence:
    """``x is set`` and ``x is empty`` of 5.0; ``word`` as written."""

    at: At
    operand: Expr
    word: str


@record(frozen=True)
class Captured:
    """``x ~ "pattern" as m`` of 5.0."""

    at: At
    test: Compare
    name: Name


@record(frozen=True)
class ListExpr:
    """``[a, b]`` of 5.0."""

    at: At
    items: tuple[Expr, ...]


Expr: TypeAlias = (
    StringLit
    | NumberLit
    | BlobLit
    | NameExpr
    | CallExpr
    | MemberExpr
    | Paren
    | Neg
    | Product
    | Sum
    | Compare
    | Not
    | And
    | Or
    | Index
    | Coalesce
    | Presence
    | Captured
    | ListExpr
    | Broken
)
