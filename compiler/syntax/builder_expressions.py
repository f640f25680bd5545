"""Builds the nodes of expressions. ``builder.py`` has the rest, and says how."""

from __future__ import annotations

import re
from typing import Any

from vernis.record import record
from vernis.syntax import nodes as n
from vernis.syntax.builder_five import Capture, FormBuilder, Index, Presence
from vernis.syntax.generated.token_types import T
from vernis.syntax.splice import string_value
from vernis.syntax.stock import phrase

_NAME_RE = re.compile(r"[A-Za-z0-9_.-]+")
_NEGATIONS_MAX = 256  # unary minuses in one chain; each applies to the rest of the chain
_MEMBERS_MAX = 256  # parts `.name(...)` after one value; each node holds the previous one
_OF_PRODUCTS = frozenset("*/%")


@record(frozen=True)
class Minus:
    """A unary ``-`` among the children of an arithmetic chain."""

    token: int


@record(frozen=True)
class Arguments:
    """The arguments in parentheses after a name. ``last`` is the closing parenthesis, ``surplus`` whether a
    ',' precedes it."""

    args: tuple[n.Argument, ...]
    last: int
    surplus: bool = False


@record(frozen=True)
class Member:
    """``.name`` or ``.name(args)`` after a value."""

    at: n.At
    name: n.Name
    args: Arguments | None


class ExpressionBuilder(FormBuilder):
    """The methods of the rules of expressions."""

    texts: list[str]

    def expression(self, children: list[Any], first: int, last: int) -> n.Or:
        return n.Or((first, last), tuple(children))

    def conjunction(self, children: list[Any], first: int, last: int) -> n.And:
        return n.And((first, last), tuple(children))

    def negation(self, children: list[Any], first: int, last: int) -> n.Not:
        if len(children) > 2:
            self.diags.error(
                "V220",
                self.table.span((first, first + len(children) - 2)),
                "'!' stands twice",
                "remove both, or write !(!x)",
            )
        return n.Not((first, last), children[-1])

    def comparison(self, children: list[Any], first: int, last: int) -> n.Expr:
        if isinstance(children[1], Presence):
            return self._presence(children, first, last)
        left, op, right = children[:3]
        if len(children) == 4 and isinstance(children[3], Capture):
            test = n.Compare((first, right.at[1]), left, op, right)
            return n.Captured((first, last), test, children[3].name)
        if len(children) > 3:
            more = [c for c in children[3:] if not isinstance(c, (str, Presence, Capture))]
            end = more[0].at[1] if more else last
            self.diags.error(
                "V219",
                self.table.span((right.at[1] + 1, end)),
                "comparisons cannot be chained",
                "join two comparisons with && or ||",
            )
        return n.Compare((first, last), left, op, right)

    def minus(self, children: list[Any], first: int, last: int) -> Minus:
        return Minus(first)

    def arithmetic(self, children: list[Any], first: int, last: int) -> Any:
        """Builds the node of a flat chain of operands, operators and unary minuses. A minus before a number
        is part of the number. Before anything else it applies to the whole rest of the chain, as in Varnish.
        The chain is built from the right, so that it stays flat."""
        if Minus not in map(type, children):
            return _sum(children[0::2], children[1::2])
        ends = [
            i
            for i, c in enumerate(children)
            if isinstance(c, Minus) and not isinstance(children[i + 1], n.NumberLit)
        ]
        if len(ends) > _NEGATIONS_MAX:
            self.diags.error(
                "V902",
                self.table.span((first, last)),
                f"more than {_NEGATIONS_MAX} unary minuses in one expression",
                "write it shorter",
            )
            return n.Broken((first, last))
        rest: Any = None
        end = len(children)
        for i in reversed(ends):
            inner = _grouped([*children[i + 1 : end], rest] if rest is not None else children[i + 1 : end])
            rest = n.Neg((children[i].token, last), inner)
            end = i
        return _grouped([*children[:end], rest] if rest is not None else children[:end])

    def coalesce(self, children: list[Any], first: int, last: int) -> n.Coalesce:
        """A minus after ``??`` applies to the operand behind it alone."""
        operands: list[Any] = []
        minus: Minus | None = None
        for child in children:
            if isinstance(child, Minus):
                minus = child
                continue
            operands.append(child if minus is None else n.Neg((minus.token, child.at[1]), child))
            minus = None
        return n.Coalesce((first, last), tuple(operands))

    def postfix(self, children: list[Any], first: int, last: int) -> Any:
        return self._with_members(children[0], children[1:], first)

    def _with_members(self, value: Any, tail: list[Any], first: int) -> Any:
        """Builds a value with its members: arguments directly after a name, then parts ``.name`` and
        ``.name(args)``."""
        if isinstance(value, n.NameExpr) and not isinstance(tail[0], Index):
            if len(value.name.parts) == 1:
                self._no_surplus_comma(tail[0])
            value = n.CallExpr((first, tail[0].last), None, value.name, tail[0].args)
            tail = tail[1:]
        if len(tail) > _MEMBERS_MAX:
            at = (first, tail[-1].at[1])
            self.diags.error(
                "V902",
                self.table.span(at),
                f"more than {_MEMBERS_MAX} members of one value",
                "write it shorter",
            )
            return n.Broken(at)
        for member in tail:
            whole = (first, member.at[1])
            if isinstance(member, Index):
                value = self.indexed(whole, value, member)
            elif member.args is None:
                value = n.MemberExpr(whole, value, member.name.text)
            else:
                value = n.CallExpr(whole, value, member.name, member.args.args)
        return value

    def member(self, children: list[Any], first: int, last: int) -> Member | Index:
        if isinstance(children[0], Index):
            return children[0]
        return Member((first, last), children[0], children[1] if len(children) > 1 else None)

    def parenthesised(self, children: list[Any], first: int, last: int) -> n.Paren:
        return n.Paren((first, last), children[0])

    def arguments(self, children: list[Any], first: int, last: int) -> Arguments:
        commas: list[int] = []
        for child, following in zip(children, [*(child.at[0] for child in children[1:]), last]):
            commas = [
                token for token in range(child.at[1] + 1, following) if self.table.types[token] == T.COMMA
            ]
            if len(commas) > 1:
                self.diags.error(
                    "V223",
                    self.table.span((commas[1], commas[1])),
                    "a value is missing between ',' and ','",
                    "write a variable, a text or a number",
                    stock=phrase("expected", want="')'", got="','"),
                )
        return Arguments(tuple(children), last, len(commas) == 1)

    def _no_surplus_comma(self, arguments: Arguments) -> None:
        """Reports a trailing ','. Varnish allows it only in arguments of a module's function or object."""
        if arguments.surplus:
            self.diags.error(
                "V223",
                self.table.span((arguments.last, arguments.last)),
                "a value is missing between ',' and ')'",
                "remove the ',': only the arguments of a module's function may end with one",
                stock=phrase("expected", want="')'", got="','"),
            )

    def argument(self, children: list[Any], first: int, last: int) -> n.Argument:
        if len(children) == 1:
            return n.Argument((first, last), None, children[0])
        name, value = children
        if isinstance(name, n.NameExpr) and len(name.name.parts) == 1:
            return n.Argument((first, last), name.name.text, value)
        self.diags.error(
            "V241",
            self.table.span(name.at),
            "the name of an argument is one word",
            "write NAME = VALUE; to compare, write '=='",
        )
        return n.Argument((first, last), None, value)

    def name(self, children: list[Any], first: int, last: int) -> n.NameExpr:
        """Builds a name as an expression. A rule that needs the bare name unwraps it."""
        at = (first, last)
        table = self.table
        if table.files[first] == table.files[last]:
            text = self.texts[table.files[first]][table.starts[first] : table.ends[last]]
            if _NAME_RE.fullmatch(text):
                return n.NameExpr(at, n.Name(at, tuple(text.split("."))))
        return n.NameExpr(at, self._name_with_gaps(first, last))

    def _name_with_gaps(self, first: int, last: int) -> n.Name:
        """Builds a name whose parts are quoted or separated by blanks, comments or an include."""
        parts: list[str] = []
        quoted: list[int] = []
        for token in range(first, last + 1):
            if self.table.hidden[token] or self.table.types[token] == T.DOT:
                continue
            text = self._text(token)
            if self.table.types[token] == T.STRING:
                if len(parts) != 2 or parts[1].lower() != "http":
                    self.diags.error(
                        "V234",
                        self.table.span((token, token)),
                        "only names of headers can be quoted",
                        "write the name without quotes",
                        stock=phrase("expected", want="'='", got="'.'"),
                    )
                quoted.append(len(parts))
                text = string_value(text)
            parts.append(text)
        return n.Name((first, last), tuple(parts), tuple(quoted))

    def number(self, children: list[Any], first: int, last: int) -> n.NumberLit:
        digits = self._text(first)
        self._check_digits(digits, first)
        return n.NumberLit((first, last), digits, self._text(last) if last > first else None)

    def _check_digits(self, digits: str, token: int) -> None:
        whole, point, fraction = digits.partition(".")
        if len(whole) > 15 if not point else len(whole) > 12 or len(fraction) > 3:
            self.diags.error(
                "V106",
                self.table.span((token, token)),
                f"{digits} has too many digits",
                "15 digits at most; 12 before and 3 behind a point",
                stock=phrase("real digits" if point else "integer digits"),
            )

    def string(self, children: list[Any], first: int, last: int) -> n.StringLit:
        return n.StringLit((first, last), string_value(self._text(first)))

    def blob(self, children: list[Any], first: int, last: int) -> n.BlobLit:
        return n.BlobLit((first, last), self._text(first)[1:-1])


def _grouped(items: list[Any]) -> Any:
    """Builds the sum of a chain in which each minus before a number becomes part of the number."""
    operands: list[Any] = []
    ops: list[str] = []
    minus: Minus | None = None
    for item in items:
        if isinstance(item, str):
            ops.append(item)
        elif isinstance(item, Minus):
            minus = item
        elif minus is not None:
            operands.append(n.Neg((minus.token, item.at[1]), item))
            minus = None
        else:
            operands.append(item)
    return _sum(operands, ops)


def _sum(operands: list[Any], ops: list[str]) -> Any:
    """Builds a sum of products from operands and the operators between them."""
    if len(operands) == 1:
        return operands[0]
    if _OF_PRODUCTS.isdisjoint(ops):
        return n.Sum((operands[0].at[0], operands[-1].at[1]), tuple(operands), tuple(ops))
    terms: list[Any] = []
    term_ops: list[str] = []
    start = 0
    for i, op in enumerate([*ops, "+"]):
        if op in "+-":
            terms.append(_product(operands[start : i + 1], ops[start:i]))
            if i < len(ops):
                term_ops.append(op)
            start = i + 1
    if len(terms) == 1:
        return terms[0]
    return n.Sum((terms[0].at[0], terms[-1].at[1]), tuple(terms), tuple(term_ops))


def _product(operands: list[Any], ops: list[str]) -> Any:
    if len(operands) == 1:
        return operands[0]
    return n.Product((operands[0].at[0], operands[-1].at[1]), tuple(operands), tuple(ops))
