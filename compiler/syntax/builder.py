"""Builds nodes from the flat tree: records in post-order, with one stack and without recursion.

Each grammar rule that leaves a record has one method. The method gets the rule's children and tokens and
returns a node, or a plain value for a small part (a name, a flag). ``ext/module.cpp`` describes the records.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vernis.syntax import nodes as n
from vernis.syntax.builder_expressions import ExpressionBuilder
from vernis.syntax.builder_five import Binding
from vernis.syntax.diagnostics import Diagnostics
from vernis.syntax.generated.token_types import RULE_NAMES, T
from vernis.syntax.tokens import TokenTable


_OPERATORS: dict[int, str] = {
    T.ASSIGN: "=",
    T.ADD_ASSIGN: "+=",
    T.SUB_ASSIGN: "-=",
    T.MUL_ASSIGN: "*=",
    T.DIV_ASSIGN: "/=",
    T.EQ: "==",
    T.NE: "!=",
    T.LT: "<",
    T.LE: "<=",
    T.GT: ">",
    T.GE: ">=",
    T.MATCH: "~",
    T.NO_MATCH: "!~",
    T.PLUS: "+",
    T.MINUS: "-",
    T.STAR: "*",
    T.SLASH: "/",
    T.PERCENT: "%",
    T.IN: "in",
    T.STARTS: "starts",
    T.ENDS: "ends",
    T.CONTAINS: "contains",
}


class Negated:
    """A ``!`` among the children of a rule."""


_NEGATED = Negated()

Handler = Callable[[list[Any], int, int], Any]


class Builder(ExpressionBuilder):
    """Builds the nodes of one flat tree. ``index`` maps the records' token numbers to the token table.
    ``kept`` has nodes that stand in place of a statement or an arm, by its first token."""

    def __init__(
        self,
        table: TokenTable,
        index: list[int],
        diags: Diagnostics,
        kept: dict[int, list[Any]] | None = None,
    ) -> None:
        self.table = table
        self.index = index
        self.diags = diags
        self.kept = kept
        self.texts = [file.text for file in table.sources.files]
        self.handlers: list[Handler] = [getattr(self, name, self._missing) for name in RULE_NAMES]
        self.handlers.append(self._broken)  # the record kind after the last rule marks broken text

    def build(self, records: list[int]) -> list[Any]:
        """Returns the declarations of the flat tree in ``records`` (four numbers each)."""
        stack: list[Any] = []
        handlers, index = self.handlers, self.index or [0]
        numbers = iter(records)
        for kind, first, last, count in zip(numbers, numbers, numbers, numbers):
            if count:
                children = stack[-count:]
                del stack[-count:]
            else:
                children = []
            if last < first:  # all its tokens were supplied
                last = first if first < len(index) else first - 1
                first = last
            stack.append(handlers[kind](children, index[first], index[last]))
        return stack[0]  # type: ignore[no-any-return]

    def _missing(self, children: list[Any], first: int, last: int) -> Any:
        raise AssertionError("a rule that leaves records has no method")

    def _broken(self, children: list[Any], first: int, last: int) -> n.Broken:
        return n.Broken((first, last))

    def _text(self, token: int) -> str:
        table = self.table
        return self.texts[table.files[token]][table.starts[token] : table.ends[token]]

    # ---- declarations

    def program(self, children: list[Any], first: int, last: int) -> list[Any]:
        return children

    def version(self, children: list[Any], first: int, last: int) -> n.Version:
        return n.Version((first, last), self._text(self.table.types.index(T.NUMBER, first)))

    def declaredName(self, children: list[Any], first: int, last: int) -> n.Name:
        return n.Name((first, last), (self._text(first),))

    importAlias = declaredName
    memberName = declaredName

    def none(self, children: list[Any], first: int, last: int) -> None:
        return None

    def backend(self, children: list[Any], first: int, last: int) -> n.Backend:
        name, body = children
        fields = () if body is None else body.properties
        return n.Backend((first, last), name.text, name.at, body is None, fields)

    def probe(self, children: list[Any], first: int, last: int) -> n.Probe:
        name, body = children
        return n.Probe((first, last), name.text, name.at, body)

    def properties(self, children: list[Any], first: int, last: int) -> n.ProbeBody:
        return n.ProbeBody((first, last), tuple(c for c in children if not isinstance(c, n.Broken)))

    def fieldName(self, children: list[Any], first: int, last: int) -> str:
        return self._text(first)

    def field(self, children: list[Any], first: int, last: int) -> n.Property:
        name, value, *more = children
        if more:
            value = self._string_list([value, *more])
        return n.Property((first, last), name, value)

    def _string_list(self, values: list[Any]) -> Any:
        for left, right in zip(values, values[1:]):
            if not isinstance(left, n.StringLit):
                self.diags.error(
                    "V218",
                    self.table.span(right.at),
                    "two values side by side",
                    "join texts with '+'; only a list of plain strings goes without",
                )
                return n.Broken((values[0].at[0], values[-1].at[1]))
        return tuple(values)

    def acl(self, children: list[Any], first: int, last: int) -> n.Acl:
        name = children[0]
        flags = tuple(c for c in children if isinstance(c, str))
        entries = tuple(c for c in children if isinstance(c, n.AclEntry))
        return n.Acl((first, last), name.text, name.at, flags, entries)

    def aclFlag(self, children: list[Any], first: int, last: int) -> str:
        flag = self._text(first) + self._text(self.table.types.index(T.IDENTIFIER, first))
        return flag + f"({children[0]})" if children else flag

    def aclEntry(self, children: list[Any], first: int, last: int) -> n.AclEntry:
        negations = sum(1 for c in children if c is _NEGATED)
        entry = children[-1]
        if entry.negated and negations:
            self.diags.error("V220", self.table.span((first, last)), "negated twice", "write one '!'")
        return n.AclEntry(
            (first, last), entry.negated or negations > 0, entry.optional, entry.host, entry.bits
        )

    def optionalAddress(self, children: list[Any], first: int, last: int) -> n.AclEntry:
        entry = children[-1]
        return n.AclEntry((first, last), len(children) > 1, True, entry.host, entry.bits)

    def aclAddress(self, children: list[Any], first: int, last: int) -> n.AclEntry:
        return n.AclEntry(
            (first, last), False, False, children[0].value, children[1] if len(children) > 1 else None
        )

    def maskBits(self, children: list[Any], first: int, last: int) -> int:
        text = self._text(first)
        if not text.isdigit() or len(text.lstrip("0")) > 3:
            self.diags.error(
                "V231",
                self.table.span((first, last)),
                f"{text} is not a number of bits",
                "write 0 to 32 for an IPv4 address, 0 to 128 for IPv6",
            )
            return 0
        return int(text)

    def negated(self, children: list[Any], first: int, last: int) -> Negated:
        return _NEGATED

    def unused(self, children: list[Any], first: int, last: int) -> n.Unused:
        return n.Unused((first, last), children[0].text, children[0].at)

    def subroutine(self, children: list[Any], first: int, last: int) -> n.Sub:
        annotations = tuple(c for c in children if isinstance(c, n.Annotation))
        name, *params, body = children[len(annotations) :]
        return n.Sub((first, last), name.text, name.at, body, params[0] if params else None, annotations)

    def testCase(self, children: list[Any], first: int, last: int) -> n.TestCase:
        name, body = children
        return n.TestCase((first, last), name.value, name.at, body)

    def importModule(self, children: list[Any], first: int, last: int) -> n.Import:
        alias = path = None
        if not isinstance(children[0], n.Name):
            return self._import_of_file(children[0], children[1], first, last)
        for child in children[1:]:
            if isinstance(child, n.Name):
                alias = child.text
            else:
                path = child.value
        return n.Import((first, last), children[0].text, alias, path)

    def _import_of_file(self, path: n.StringLit, alias: n.Name, first: int, last: int) -> n.Import:
        if self.table.files[first] not in self.table.fives:
            self.diags.error(
                "V238",
                self.table.span((first, last)),
                "an import of a file needs vcl 5.0",
                f'include "{path.value}"; has its text in place of the line',
            )
        elif "-" in alias.text:
            help_ = f"write {alias.text.replace('-', '_')}"
            self.diags.error("V238", self.table.span(alias.at), "the name of a file has no '-'", help_)
        return n.Import((first, last), "", alias.text, path.value)

    def inlineC(self, children: list[Any], first: int, last: int) -> n.InlineC:
        return n.InlineC((first, last))

    # ---- statements

    def block(self, children: list[Any], first: int, last: int) -> n.Block:
        return n.Block((first, last), tuple(self._with_kept(children)))

    def _with_kept(self, children: list[Any]) -> list[Any]:
        kept = self.kept
        return children if kept is None else [one for c in children for one in kept.get(c.at[0], (c,))]

    def setStatement(self, children: list[Any], first: int, last: int) -> n.Set:
        target, op, value = children
        return n.Set((first, last), target.name, op, value)

    def assignment(self, children: list[Any], first: int, last: int) -> str:
        return _OPERATORS[self.table.types[first]]

    comparator = assignment
    arithmeticOp = assignment

    def unsetStatement(self, children: list[Any], first: int, last: int) -> n.Unset:
        return n.Unset((first, last), children[0].name)

    def callStatement(self, children: list[Any], first: int, last: int) -> n.CallSub | n.Broken:
        target = children[0]
        at = (first, last)
        if isinstance(target, n.NameExpr):
            return n.CallSub(at, target.name)
        if isinstance(target, n.CallExpr) and (target.receiver is not None or len(target.name.parts) > 1):
            return n.CallSub(at, target.name, target)
        if isinstance(target, n.CallExpr) and self.is_five(first):
            return n.CallSub(at, target.name, None, target.args)
        if isinstance(target, n.CallExpr) and not target.args:
            self.diags.error(
                "V236",
                self.table.span(target.at),
                "call takes the name of a sub without parentheses",
                f"write: call {target.name.text};",
            )
            return n.CallSub(at, target.name)
        self.diags.error(
            "V236", self.table.span(target.at), "call takes the name of a sub", "write: call NAME;"
        )
        return n.Broken(at)

    def returnStatement(self, children: list[Any], first: int, last: int) -> n.Return:
        if not children:
            return n.Return((first, last), None, ())
        name, args, has_args = children[0]
        return n.Return((first, last), name, args, has_args)

    def action(self, children: list[Any], first: int, last: int) -> tuple[n.Name, tuple[n.Expr, ...], bool]:
        if len(children) == 1:
            return children[0].name, (), False
        self._no_surplus_comma(children[1])
        for argument in children[1].args:
            if argument.name is not None:
                self.diags.error(
                    "V241",
                    self.table.span(argument.at),
                    "arguments of a return action have no names",
                    "write the value only",
                )
        return children[0].name, tuple(a.value for a in children[1].args), True

    def ifStatement(self, children: list[Any], first: int, last: int) -> n.If:
        children = self._with_kept(children)
        for arm, following in zip(children, children[1:]):
            if arm.condition is None:
                self.diags.error(
                    "V216",
                    self.table.span((following.at[0], following.at[0])),
                    "nothing can follow the last else of an if",
                    "begin a new if, or move this arm up",
                )
                break
        return n.If((first, last), tuple(children))

    def ifArm(self, children: list[Any], first: int, last: int) -> n.IfArm:
        return self._arm(children, first, last)

    def elseArm(self, children: list[Any], first: int, last: int) -> n.IfArm:
        return self._arm(children, first, last)

    def _arm(self, children: list[Any], first: int, last: int) -> n.IfArm:
        binding = children.pop(0).name if isinstance(children[0], Binding) else None
        return n.IfArm((first, last), children[0] if len(children) > 1 else None, children[-1], binding)

    def newStatement(self, children: list[Any], first: int, last: int) -> n.New:
        name, constructor, arguments = children
        return n.New((first, last), name.text, constructor.name, arguments.args)

    def functionStatement(self, children: list[Any], first: int, last: int) -> n.CallStmt | n.Broken:
        call = self._with_members(children[0], children[1:], first)
        if isinstance(call, n.CallExpr):
            return n.CallStmt((first, last), call)
        if isinstance(call, n.Broken):
            return call
        self.diags.error(
            "V209", self.table.span((first, last)), "this value is not used", "use set, or remove it"
        )
        return n.Broken((first, last))
