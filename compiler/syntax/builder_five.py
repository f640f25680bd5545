"""Builds the nodes of the forms that only 5.0 has. ``builder.py`` has the rest, and says how."""

from __future__ import annotations

from typing import Any

from vernis.record import record
from vernis.syntax import nodes as n
from vernis.syntax.diagnostics import Diagnostics, Edit
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import TokenTable


@record(frozen=True)
class Binding:
    """``let name =`` in a condition."""

    name: n.Name


@record(frozen=True)
class Capture:
    """``as name`` after a match."""

    name: n.Name


@record(frozen=True)
class Presence:
    """``is word`` or ``is not word`` after a value."""

    at: n.At
    word: str
    is_negated: bool


@record(frozen=True)
class Index:
    """``[key]`` after a value."""

    at: n.At
    key: n.Expr


class DefaultWord:
    """``default`` in place of a key or of labels."""


class Mutable:
    """``mut`` after ``let``."""


class Pattern:
    """``~`` before a label."""


@record(frozen=True)
class Typed:
    """``: TYPE`` after a name."""

    type: n.TypeName


@record(frozen=True)
class RowKey:
    text: str
    bits: int | None


class FormBuilder:
    """The methods of the rules of 5.0."""

    table: TokenTable
    diags: Diagnostics

    def _text(self, token: int) -> str:
        raise NotImplementedError

    def is_five(self, token: int) -> bool:
        """Whether the token is in a file of 5.0."""
        return self.table.files[token] in self.table.fives

    def _words(self, first: int, last: int) -> list[str]:
        """Returns the identifiers among these tokens."""
        visible = [token for token in range(first, last + 1) if not self.table.hidden[token]]
        return [self._text(token) for token in visible if self.table.types[token] == T.IDENTIFIER]

    # ---- types and names

    def typeName(self, children: list[Any], first: int, last: int) -> n.TypeName:
        return n.TypeName((first, last), self._text(first), last > first)

    def typed(self, children: list[Any], first: int, last: int) -> Typed:
        return Typed(children[0])

    def parameters(self, children: list[Any], first: int, last: int) -> tuple[n.Parameter, ...]:
        return tuple(children)

    def parameter(self, children: list[Any], first: int, last: int) -> n.Parameter:
        name, type = children
        return n.Parameter((first, last), name, type.type)

    def annotation(self, children: list[Any], first: int, last: int) -> n.Annotation:
        at = first + 1
        while self.table.types[at] != T.IDENTIFIER:
            at += 1
        name = n.Name((at, at), (self._text(at),))
        return n.Annotation((first, last), name, children[0].args if children else ())

    # ---- declarations

    def constant(self, children: list[Any], first: int, last: int) -> n.Constant:
        name, *typed, value = children
        type = typed[0].type if typed else None
        given = self.table.types[first] == T.PARAM
        return n.Constant((first, last), name.text, name.at, given, type, value)

    def function(self, children: list[Any], first: int, last: int) -> n.Function:
        name, params, result, body = children
        return n.Function((first, last), name.text, name.at, params, result, body)

    def textSet(self, children: list[Any], first: int, last: int) -> n.TextSet:
        name, items = children
        return n.TextSet((first, last), name.text, name.at, items.items)

    def tableDeclaration(self, children: list[Any], first: int, last: int) -> n.Table:
        name, typed, kind, *rest = children
        rows = rest[0] if isinstance(rest[0], tuple) else ()
        path = rest[0] if isinstance(rest[0], n.StringLit) else None
        columns = rest[1] if len(rest) > 1 else None
        at = (first, last)
        return n.Table(at, name.text, name.at, typed.type, kind, rows, path, columns)

    def tableKind(self, children: list[Any], first: int, last: int) -> n.Name:
        return n.Name((first, last), (self._text(first),))

    def columns(self, children: list[Any], first: int, last: int) -> tuple[str, str] | None:
        words = self._words(first, last)
        return (words[0], words[1]) if len(words) == 2 else None

    def rows(self, children: list[Any], first: int, last: int) -> tuple[n.Row, ...]:
        return tuple(c for c in children if isinstance(c, n.Row))

    def row(self, children: list[Any], first: int, last: int) -> n.Row:
        key, value = children
        if isinstance(key, DefaultWord):
            return n.Row((first, last), None, None, value)
        return n.Row((first, last), key.text, key.bits, value)

    def rowKey(self, children: list[Any], first: int, last: int) -> RowKey:
        return RowKey(children[0].value, children[1] if len(children) > 1 else None)

    def defaultWord(self, children: list[Any], first: int, last: int) -> DefaultWord:
        return DefaultWord()

    def counter(self, children: list[Any], first: int, last: int) -> n.Counter:
        name, *labels = children
        return n.Counter((first, last), name.text, name.at, tuple(labels))

    def budget(self, children: list[Any], first: int, last: int) -> n.Budget:
        return n.Budget((first, last), tuple(c for c in children if isinstance(c, tuple)))

    def caching(self, children: list[Any], first: int, last: int) -> n.Caching:
        return n.Caching((first, last), self._text(self.table.types.index(T.NUMBER, first)))

    def budgetEntry(self, children: list[Any], first: int, last: int) -> tuple[n.At, str, str]:
        number = next(t for t in range(first, last + 1) if self.table.types[t] == T.NUMBER)
        return (first, last), self._text(first), self._text(number)

    # ---- statements

    def letStatement(self, children: list[Any], first: int, last: int) -> n.Let:
        *before, value = children
        mutable = isinstance(before[0], Mutable)
        name, *typed = before[1:] if mutable else before
        return n.Let((first, last), name, mutable, typed[0].type if typed else None, value)

    def mut(self, children: list[Any], first: int, last: int) -> Mutable:
        return Mutable()

    def binding(self, children: list[Any], first: int, last: int) -> Binding:
        return Binding(children[0])

    def giveStatement(self, children: list[Any], first: int, last: int) -> n.Give:
        return n.Give((first, last), children[0])

    def switchStatement(self, children: list[Any], first: int, last: int) -> n.Switch | n.Broken:
        if isinstance(children[0], Binding):
            self.diags.error(
                "V247",
                self.table.span(children[1].at),
                "a switch takes a value",
                "write `let` in a statement of its own before the switch",
            )
            return n.Broken((first, last))
        cases = tuple(c for c in children[1:] if isinstance(c, n.SwitchCase))
        return n.Switch((first, last), children[0], cases)

    def switchCase(self, children: list[Any], first: int, last: int) -> n.SwitchCase:
        labels = tuple(c for c in children[:-1] if isinstance(c, n.CaseLabel))
        return n.SwitchCase((first, last), labels, children[-1])

    def caseLabel(self, children: list[Any], first: int, last: int) -> n.CaseLabel:
        return n.CaseLabel((first, last), isinstance(children[0], Pattern), children[-1])

    def matching(self, children: list[Any], first: int, last: int) -> Pattern:
        return Pattern()

    def forStatement(self, children: list[Any], first: int, last: int) -> n.For:
        name, items, body = children
        return n.For((first, last), name, items, body)

    def countStatement(self, children: list[Any], first: int, last: int) -> n.Count:
        return n.Count((first, last), children[0], children[1].args if len(children) > 1 else ())

    def logStatement(self, children: list[Any], first: int, last: int) -> n.Log:
        return n.Log((first, last), tuple(c for c in children if isinstance(c, tuple)))

    def logPair(self, children: list[Any], first: int, last: int) -> tuple[n.Name, n.Expr]:
        return children[0], children[1]

    def allowStatement(self, children: list[Any], first: int, last: int) -> n.Allow:
        words = []
        if not children[0].args:
            self.diags.error(
                "V247", self.table.span((first, last)), "allow names nothing", "write: allow (cookie);"
            )
        for argument in children[0].args:
            if argument.name is None and isinstance(argument.value, n.NameExpr):
                words.append(argument.value.name)
                continue
            self.diags.error(
                "V247",
                self.table.span(argument.at),
                "allow takes words",
                "write allow (cookie); the words are cookie, authorization, set_cookie and private",
            )
        return n.Allow((first, last), tuple(words))

    def builtinStatement(self, children: list[Any], first: int, last: int) -> n.RunBuiltin:
        return n.RunBuiltin((first, last))

    def invariant(self, children: list[Any], first: int, last: int) -> n.Invariant:
        return n.Invariant((first, last), children[0].value, children[1])

    def labelled(self, children: list[Any], first: int, last: int) -> n.Labelled:
        return n.Labelled((first, last), children[0], children[1])

    # ---- expressions

    def capture(self, children: list[Any], first: int, last: int) -> Capture:
        return Capture(children[0])

    def presence(self, children: list[Any], first: int, last: int) -> Presence:
        is_negated = T.IS_NOT in self.table.types[first + 1 : last]
        return Presence((first, last), children[0].text, is_negated)

    def _presence(self, children: list[Any], first: int, last: int) -> n.Expr:
        """Builds ``x is set``. The parser allows more behind it, which means nothing."""
        operand, presence = children[:2]
        if len(children) > 2 or presence.word not in ("set", "empty"):
            self.diags.error(
                "V219" if len(children) > 2 else "V247",
                self.table.span(presence.at),
                "comparisons cannot be chained" if len(children) > 2 else f"`is {presence.word}` is no test",
                "join two comparisons with && or ||" if len(children) > 2 else "write `is set` or `is empty`",
            )
        test = n.Presence((first, presence.at[1]), operand, presence.word)
        return n.Not(test.at, test) if presence.is_negated else test

    def subscript(self, children: list[Any], first: int, last: int) -> Index:
        return Index((first, last), children[0])

    def indexed(self, at: n.At, value: n.Expr, index: Index) -> n.Index | n.Broken:
        """Builds ``value[key]``. Version 4 has no such form, and it usually means a field."""
        if self.is_five(at[0]):
            return n.Index(at, value, index.key)
        key = index.key
        word = key.name.text if isinstance(key, n.NameExpr) else getattr(key, "value", "Name")
        meant = f"{value.name.text}.{word}" if isinstance(value, n.NameExpr) else "NAME.http.FIELD"
        is_sure = isinstance(value, n.NameExpr) and isinstance(key, (n.NameExpr, n.StringLit))
        span = self.table.span(at)
        edits = (Edit(span, meant),) if is_sure else ()
        self.diags.error("V234", span, "a header name is not in brackets", f"write: {meant}", edits=edits)
        return n.Broken(at)

    def listLiteral(self, children: list[Any], first: int, last: int) -> n.ListExpr | n.Broken:
        if self.is_five(first):
            return n.ListExpr((first, last), tuple(children))
        span = self.table.span((first, last))
        self.diags.error("V223", span, "VCL 4 has no lists", "write one value")
        return n.Broken((first, last))
