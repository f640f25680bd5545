"""The syntax tree, before any check of meaning.

Trees are immutable. A node has the tokens it was read from as ``at = (first, last)``, inclusive indices into
``Program.tokens`` (the spliced stream, including hidden tokens), so that a formatter sees comments and any
stage can call ``program.span(node)``. Unreadable text becomes a :class:`Broken` node. The parser has reported
it, so the other stages skip it.

Operators are flat lists (``a + b - c`` is one :class:`Sum`), because their grouping depends on the expected
type and is decided in ``semantics/expressions.py``. So walks over generated policies do not recurse once per
link of a chain.
"""

from __future__ import annotations

from typing import TypeAlias

from vernis.record import record
from vernis.syntax.diagnostics import Span
from vernis.syntax.expression_nodes import (
    At as At,
    Name as Name,
    Broken as Broken,
    StringLit as StringLit,
    NumberLit as NumberLit,
    BlobLit as BlobLit,
    NameExpr as NameExpr,
    Argument as Argument,
    CallExpr as CallExpr,
    MemberExpr as MemberExpr,
    Paren as Paren,
    Neg as Neg,
    Product as Product,
    Sum as Sum,
    Compare as Compare,
    Not as Not,
    And as And,
    Or as Or,
    Index as Index,
    Coalesce as Coalesce,
    Presence as Presence,
    Captured as Captured,
    ListExpr as ListExpr,
    Expr as Expr,
)

# ---- statements --------------------------------------------------------------------------------------------


@record(frozen=True)
class Set:
    """``set name op value;`` op is ``= += -= *= /=``."""

    at: At
    target: Name
    op: str
    value: Expr


@record(frozen=True)
class Unset:
    at: At
    target: Name


@record(frozen=True)
class CallSub:
    """``call name;``. If ``value`` is set, the sub is the result of a function (``call x.get_sub();``) and
    ``name`` is the name of the function. ``args`` are those of a sub with parameters, in 5.0."""

    at: At
    name: Name
    value: CallExpr | None = None
    args: tuple[Argument, ...] | None = None


@record(frozen=True)
class Return:
    """``return;`` (action None), ``return (action);``, ``return (action(args));``"""

    at: At
    action: Name | None
    args: tuple[Expr, ...]
    has_args: bool = False  # parentheses were written after the action


@record(frozen=True)
class IfArm:
    """One ``if``/``elseif`` arm; ``condition`` None is the else arm (always last). ``binding`` is the name of
    ``if (let name = condition)`` in 5.0."""

    at: At
    condition: Expr | None
    body: Block
    binding: Name | None = None


@record(frozen=True)
class If:
    """All arms in one flat list."""

    at: At
    arms: tuple[IfArm, ...]


@record(frozen=True)
class New:
    """``new name = module.object(args);``"""

    at: At
    name: str
    constructor: Name
    args: tuple[Argument, ...]


@record(frozen=True)
class CallStmt:
    """A function or method call as a statement: ``std.log("x");``, ``hash_data(req.url);``,
    ``synthetic("x");``, ``ban("...");``"""

    at: At
    call: CallExpr


@record(frozen=True)
class Block:
    at: At
    statements: tuple[Stmt, ...]


@record(frozen=True)
class InlineC:
    """``C{ ... }C``. The checker reports it (V204)."""

    at: At


# ---- statements of 5.0 -------------------------------------------------------------------------------------


@record(frozen=True)
class TypeName:
    """``STRING`` or ``STRING?``; ``name`` as written."""

    at: At
    name: str
    optional: bool


@record(frozen=True)
class Let:
    """``let [mut] name [: TYPE] = value;``"""

    at: At
    name: Name
    mutable: bool
    type: TypeName | None
    value: Expr


@record(frozen=True)
class Give:
    """``return (value);`` of a function."""

    at: At
    value: Expr


@record(frozen=True)
class CaseLabel:
    """``value``, or ``~ pattern``."""

    at: At
    is_pattern: bool
    value: Expr


@record(frozen=True)
class SwitchCase:
    """``case a, b: { }``. Without labels it is ``default: { }``."""

    at: At
    labels: tuple[CaseLabel, ...]
    body: Block


@record(frozen=True)
class Switch:
    at: At
    subject: Expr
    cases: tuple[SwitchCase, ...]


@record(frozen=True)
class For:
    """``for (name in items) { }``; ``items`` is a list, or the name of a set or table."""

    at: At
    name: Name
    items: Expr
    body: Block


@record(frozen=True)
class Count:
    """``count counter(labels);``"""

    at: At
    name: Name
    args: tuple[Argument, ...]


@record(frozen=True)
class Log:
    """``log { name = value };``"""

    at: At
    pairs: tuple[tuple[Name, Expr], ...]


@record(frozen=True)
class Allow:
    """``allow (word, word);``"""

    at: At
    words: tuple[Name, ...]


@record(frozen=True)
class RunBuiltin:
    """``builtin;``"""

    at: At


@record(frozen=True)
class Invariant:
    """``invariant "text" { condition }``"""

    at: At
    text: str
    condition: Expr


@record(frozen=True)
class Annotation:
    """``@name(args)``"""

    at: At
    name: Name
    args: tuple[Argument, ...]


@record(frozen=True)
class Labelled:
    """A statement with an annotation."""

    at: At
    annotation: Annotation
    statement: Stmt


Stmt: TypeAlias = (
    Set
    | Unset
    | CallSub
    | Return
    | If
    | New
    | CallStmt
    | Block
    | InlineC
    | Let
    | Give
    | Switch
    | For
    | Count
    | Log
    | Allow
    | RunBuiltin
    | Invariant
    | Labelled
    | Broken
)

# ---- declarations ------------------------------------------------------------------------------------------


@record(frozen=True)
class Property:
    """``.name = value;`` of a backend or probe. The value is an expression, a nested probe body, or a list of
    strings (``.request = "GET /" "Host: x";``: one StringLit each). A single string is an expression."""

    at: At
    name: str
    value: Expr | ProbeBody | tuple[StringLit, ...]


@record(frozen=True)
class ProbeBody:
    at: At
    properties: tuple[Property, ...]


@record(frozen=True)
class Backend:
    """``backend name { .host = ...; }`` or ``backend name none;`` (``none`` True, no properties)."""

    at: At
    name: str
    name_at: At
    none: bool
    properties: tuple[Property, ...]


@record(frozen=True)
class Probe:
    at: At
    name: str
    name_at: At
    body: ProbeBody


@record(frozen=True)
class AclEntry:
    """``! "host"/bits;`` ``optional`` when written in parentheses. ``bits`` None without a mask."""

    at: At
    negated: bool
    optional: bool
    host: str
    bits: int | None


@record(frozen=True)
class Acl:
    """``flags`` as written, without blanks: ``+log``, ``+fold(-report)``."""

    at: At
    name: str
    name_at: At
    flags: tuple[str, ...]
    entries: tuple[AclEntry, ...]


@record(frozen=True)
class Parameter:
    """``name : TYPE`` of a function or sub, in 5.0."""

    at: At
    name: Name
    type: TypeName


@record(frozen=True)
class Sub:
    """``sub name { }``. In 5.0 it may have parameters, and annotations before it."""

    at: At
    name: str
    name_at: At
    body: Block
    params: tuple[Parameter, ...] | None = None
    annotations: tuple[Annotation, ...] = ()


@record(frozen=True)
class TestCase:
    """``test "name" { ... }``, only in files of tests."""

    at: At
    name: str
    name_at: At
    body: Block


@record(frozen=True)
class Import:
    """``import module [as alias] [from "path"];``, or with an empty ``module`` ``import "path" as alias;``"""

    at: At
    module: str
    alias: str | None
    path: str | None


@record(frozen=True)
class Version:
    """``vcl 4.1;`` ``number`` as written."""

    at: At
    number: str


@record(frozen=True)
class Unused:
    """``unused NAME;`` of Varnish 9: no finding that nothing uses it."""

    at: At
    name: str
    name_at: At


# ---- declarations of 5.0 -----------------------------------------------------------------------------------


@record(frozen=True)
class Caching:
    """``caching 4.1;`` ``number`` as written."""

    at: At
    number: str


@record(frozen=True)
class Constant:
    """``const name = value;``, or with ``given`` ``param name = value;``"""

    at: At
    name: str
    name_at: At
    given: bool
    type: TypeName | None
    value: Expr


@record(frozen=True)
class Function:
    """``fn name(params) -> TYPE { }``"""

    at: At
    name: str
    name_at: At
    params: tuple[Parameter, ...]
    result: TypeName
    body: Block


@record(frozen=True)
class TextSet:
    """``set NAME [items];``"""

    at: At
    name: str
    name_at: At
    items: tuple[Expr, ...]


@record(frozen=True)
class Row:
    """``key => value`` of a table. ``key`` None: ``default => value``. ``bits`` is the mask of an address."""

    at: At
    key: str | None
    bits: int | None
    value: Expr


@record(frozen=True)
class Table:
    """``table name : TYPE by kind [rows];``, or ``... from "file" [columns (key, value)];``"""

    at: At
    name: str
    name_at: At
    type: TypeName
    kind: Name
    rows: tuple[Row, ...]
    path: StringLit | None = None
    columns: tuple[str, str] | None = None


@record(frozen=True)
class Counter:
    """``counter name [by (label, ...)];``"""

    at: At
    name: str
    name_at: At
    labels: tuple[Name, ...]


@record(frozen=True)
class Budget:
    """``budget { name number; }``; each limit with its place."""

    at: At
    limits: tuple[tuple[At, str, str], ...]


Decl: TypeAlias = (
    Backend
    | Probe
    | Acl
    | Sub
    | Import
    | Version
    | Caching
    | Unused
    | InlineC
    | TestCase
    | Constant
    | Function
    | TextSet
    | Table
    | Counter
    | Budget
    | Broken
)


@record(frozen=True)
class Program:
    """A whole policy after include splicing. ``builtin_from`` is the index in ``declarations`` of the first
    one that came from grammar/builtin.vcl. ``tokens`` is the spliced token table (see ``tokens.py``).
    ``whole`` is False when the text of an include is missing. ``broken`` are the places of syntax errors."""

    declarations: tuple[Decl, ...]
    tokens: object
    sources: object
    version: tuple[int, int]
    builtin_from: int
    whole: bool = True
    broken: tuple[Span, ...] = ()

    def span(self, node: object) -> Span:
        """The place of a node, or of anything with ``at``."""
        return self.tokens.span(node.at)  # type: ignore[attr-defined, no-any-return]
