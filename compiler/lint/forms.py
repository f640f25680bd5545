"""Writes a policy of 5.0 in the forms of 4.1, so that the walks and the rules know one language.

The new tree has the places of the old one. It says the same about paths, conditions and the flow of values,
and it is never compiled. ``View.written_program`` keeps the old tree for the rules about forms of 5.0.

A local becomes a variable with a name of its own. A test of an optional value tests a field, as 4.1 does. The
safety checks that 5.0 runs before an action stand there as calls. An ``allow`` sets a variable for each of
its words, and the check of the word runs only where that variable is not set. The value is the token of the
word, so that a finding can show the ``allow`` that lets a response through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from vernis.lint.automata import language_of
from vernis.record import record, replace
from vernis.semantics.lists import is_add
from vernis.semantics.safety import SAFE_ACTIONS, SKIPPED
from vernis.syntax import nodes
from vernis.syntax.source import SourceMap
from vernis.syntax.tokens import TokenTable
from vernis.syntax.walk import nodes_in

FIVE = (5, 0)
# Parsed views, with the variable behind each.
_VIEWS = {"url": "url", "cookie": "http.Cookie", "cache_control": "http.Cache-Control"}
_TURNED = {"lower": "std.tolower", "upper": "std.toupper"}
_EDGES = {"in": ("^", "$"), "starts": ("^", ""), "ends": ("", "$"), "contains": ("", "")}


@record
class Plain:
    """The tree in the forms of 4.1. ``made`` are the ids of the expressions that the author did not write in
    this form; rules about the form of an expression leave them out. ``added`` are those of conditions that he
    did not write at all."""

    program: nodes.Program
    made: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()


def plain(program: nodes.Program) -> Plain:
    if program.version < FIVE:
        return Plain(program)
    writer = _Writer(program)
    declarations = tuple(map(writer.declaration, program.declarations))
    new = replace(program, declarations=declarations)
    return Plain(new, frozenset(map(id, writer.made)), frozenset(map(id, writer.added)))


ALLOWED = "allowed"  # the variables of `allow`: allowed.cookie


def _allow(word: nodes.Name) -> nodes.Set:
    value = nodes.StringLit(word.at, str(word.at[0]))
    return nodes.Set(word.at, nodes.Name(word.at, (ALLOWED, word.text)), "=", value)


def last_of_both(node: nodes.Switch) -> nodes.SwitchCase | None:
    """The case of a switch over true and false behind which no value is left; None if there is none."""
    left = {"true", "false"}
    for case in node.cases:
        values = (label.value for label in case.labels)
        left.difference_update(value.name.text for value in values if isinstance(value, nodes.NameExpr))
        if not left:
            return case
    return None


class _Writer:
    def __init__(self, program: nodes.Program) -> None:
        assert isinstance(program.tokens, TokenTable)
        self.tokens = program.tokens
        declarations = program.declarations
        self.subs = [one for one in declarations if isinstance(one, nodes.Sub)]
        self.constants = {one.name: one for one in declarations if isinstance(one, nodes.Constant)}
        self.sets = {one.name: one.items for one in declarations if isinstance(one, nodes.TextSet)}
        self.has_old_caching = any(isinstance(one, nodes.Caching) for one in declarations)
        self.procedures = {one.name.lower(): one for one in self.subs if one.params is not None}
        first_builtin = declarations[program.builtin_from :][:1]
        self.builtin_at = first_builtin[0].at[0] if first_builtin else len(self.tokens)
        self.scopes: list[dict[str, nodes.Expr]] = []
        self.counts: dict[str, int] = {}
        self.hook = ""
        self.made: list[nodes.Expr] = []  # keeps the nodes, so that no other node gets their ids
        self.added: list[nodes.Expr] = []
        self.params = {key: self._params(one) for key, one in self.procedures.items()}
        self.allowed = {word.text for one in self._allows(program) for word in one.words}

    def _allows(self, program: nodes.Program) -> Iterator[nodes.Allow]:
        assert isinstance(program.sources, SourceMap)
        if any(b"allow" in file.data for file in program.sources.files):
            found = (one for sub in self.subs for one in nodes_in(sub.body))
            yield from (one for one in found if isinstance(one, nodes.Allow))

    def _params(self, sub: nodes.Sub) -> dict[str, nodes.Expr]:
        return {one.name.text: self._local(one.name) for one in sub.params or ()}

    # ---- names -----------------------------------------------------------------------------------------

    def _local(self, name: nodes.Name) -> nodes.NameExpr:
        """A variable with a name that no other local of the policy has."""
        number = self.counts[name.text] = self.counts.get(name.text, 0) + 1
        own = name.text if number == 1 else f"{name.text}#{number}"
        return nodes.NameExpr(name.at, nodes.Name(name.at, (own,)))

    def _find(self, word: str) -> nodes.Expr | None:
        return next((scope[word] for scope in reversed(self.scopes) if word in scope), None)

    def _made(self, expr: nodes.Expr) -> nodes.Expr:
        self.made.append(expr)
        return expr

    def _call(self, at: nodes.At, name: str, *args: nodes.Expr) -> nodes.CallExpr:
        """A call whose result depends on these values."""
        given = tuple(nodes.Argument(arg.at, None, arg) for arg in args)
        return nodes.CallExpr(at, None, nodes.Name(at, tuple(name.split("."))), given)

    # ---- declarations ----------------------------------------------------------------------------------

    def declaration(self, declaration: nodes.Decl) -> nodes.Decl:
        if not isinstance(declaration, nodes.Sub):
            return declaration
        key = declaration.name.lower()
        if declaration.at[0] >= self.builtin_at and SKIPPED.get(key) in self.allowed:
            return self._unless_allowed(declaration)
        if not self._is_five(declaration):
            return declaration
        self.hook = key if key.startswith("vcl_") else ""
        self.scopes = [dict(self.params.get(key, {}))]
        return replace(declaration, body=self._block(declaration.body), params=None)

    def _is_five(self, declaration: nodes.Sub) -> bool:
        return self.tokens.files[declaration.at[0]] in self.tokens.fives

    # ---- statements ------------------------------------------------------------------------------------

    def _block(self, block: nodes.Block, first: Iterable[nodes.Stmt] = ()) -> nodes.Block:
        self.scopes.append({})
        statements = [*first]
        for statement in block.statements:
            statements += self._statement(statement)
        self.scopes.pop()
        return nodes.Block(block.at, tuple(statements))

    def _statement(self, node: nodes.Stmt) -> list[nodes.Stmt]:
        match node:
            case nodes.Labelled():
                return self._statement(node.statement)
            case nodes.Block():
                return [self._block(node)]
            case nodes.Let():
                value = self._value(node.value)
                return [self._bound(node.at, node.name, value)]
            case nodes.Set():
                return [self._set(node)]
            case nodes.Unset():
                base = self._base(node.target)
                return [node] if base is None else [self._edited(node.at, base)]
            case nodes.If():
                return [self._if(node)]
            case nodes.Switch():
                return self._switch(node)
            case nodes.For():
                return [self._for(node)]
            case nodes.Return():
                return [*self._safety(node), replace(node, args=tuple(map(self._value, node.args)))]
            case nodes.RunBuiltin():
                return self._builtin(node)
            case nodes.CallSub():
                return self._call_sub(node)
            case nodes.CallStmt():
                return [self._call_statement(node)]
            case nodes.New():
                return [replace(node, args=self._arguments(node.args))]
            case nodes.Log():
                values = (self._value(value) for _, value in node.pairs)
                return [nodes.CallStmt(node.at, self._call(node.at, "std.log", *values))]
            case nodes.Allow():
                return [_allow(word) for word in node.words]
        return []  # count, invariant, and what only functions have

    def _bound(self, at: nodes.At, name: nodes.Name, value: nodes.Expr) -> nodes.Set:
        local = self._local(name)
        self.scopes[-1][name.text] = local
        return nodes.Set(at, local.name, "=", value)

    def _set(self, node: nodes.Set) -> nodes.Set:
        value = self._value(node.value)
        local = self._find(node.target.text)
        if isinstance(local, nodes.NameExpr):
            return nodes.Set(node.at, replace(local.name, at=node.target.at), node.op, value)
        base = self._base(node.target)
        return replace(node, value=value) if base is None else self._edited(node.at, base, value)

    def _edited(self, at: nodes.At, base: nodes.Name, *args: nodes.Expr) -> nodes.Set:
        """A change of a part of a variable: its new value depends on the old one."""
        return nodes.Set(at, base, "=", self._call(at, "edited", nodes.NameExpr(at, base), *args))

    def _if(self, node: nodes.If) -> nodes.If:
        arms = []
        for arm in node.arms:
            self.scopes.append({})
            condition, first = None, []
            if arm.condition is not None and arm.binding is not None:
                value = self._value(arm.condition)
                first = [self._bound(arm.binding.at, arm.binding, value)]
                condition = self._present(arm.condition.at, value)
            elif arm.condition is not None:
                condition = self._value(arm.condition)
            arms.append(nodes.IfArm(arm.at, condition, self._block(arm.body, first)))
            self.scopes.pop()
        return nodes.If(node.at, tuple(arms))

    def _switch(self, node: nodes.Switch) -> list[nodes.Stmt]:
        subject = self._value(node.subject)
        before: list[nodes.Stmt] = []
        if not isinstance(subject, nodes.NameExpr):
            local = self._local(nodes.Name(node.subject.at, ("subject",)))
            before = [nodes.Set(node.subject.at, local.name, "=", subject)]
            subject = local
        arms: list[nodes.IfArm] = []
        rest: nodes.IfArm | None = None
        last = last_of_both(node)
        for case in node.cases:
            if not case.labels or case is last:
                rest = nodes.IfArm(case.at, None, self._block(case.body))
                break
            tests = [self._label(subject, label) for label in case.labels]
            at = (case.labels[0].at[0], case.labels[-1].at[1])
            test = tests[0] if len(tests) == 1 else self._made(nodes.Or(at, tuple(tests)))
            arms.append(nodes.IfArm(case.at, test, self._block(case.body)))
        if not arms:
            return before if rest is None else [*before, rest.body]
        return [*before, nodes.If(node.at, tuple(arms if rest is None else [*arms, rest]))]

    def _label(self, subject: nodes.NameExpr, label: nodes.CaseLabel) -> nodes.Expr:
        here = nodes.NameExpr(label.at, subject.name)
        op = "~" if label.is_pattern else "=="
        return self._compared(nodes.Compare(label.at, here, op, self._value(label.value)))

    def _for(self, node: nodes.For) -> nodes.For:
        self.scopes.append({})
        item = self._local(node.name)
        self.scopes[-1][node.name.text] = item
        each = nodes.Set(node.name.at, item.name, "=", self._call(node.name.at, "each"))
        body = self._block(node.body, (each,))
        self.scopes.pop()
        return nodes.For(node.at, node.name, nodes.ListExpr(node.items.at, ()), body)

    def _safety(self, node: nodes.Return) -> list[nodes.Stmt]:
        """The checks that 5.0 runs before an action, unless it has the caching of 4.1."""
        if self.has_old_caching:
            return []
        action = "" if node.action is None else node.action.text
        for (hook, name), steps in SAFE_ACTIONS.items():
            if action != name or self.hook not in (hook, ""):
                continue
            calls = tuple(self._check(node, step) for step in steps)
            if name == "hash":
                return list(calls)
            names = (nodes.Name(node.at, (one, "uncacheable")) for one in ("bereq", "beresp"))
            tests = tuple(nodes.Not(node.at, nodes.NameExpr(node.at, one)) for one in names)
            test = nodes.And(node.at, tests)
            self.added.append(test)
            arm = nodes.IfArm(node.at, test, nodes.Block(node.at, calls))
            return [nodes.If(node.at, (arm,))] if self.hook else []
        return []

    def _check(self, node: nodes.Return, step: str) -> nodes.Stmt:
        """The call of a check, unless an ``allow`` has named it."""
        call = nodes.CallSub(node.at, nodes.Name(node.at, (step,)))
        if SKIPPED[step] not in self.allowed:
            return call
        test = nodes.Not(node.at, self._is_allowed(node.at, step))
        self.added.append(test)
        return nodes.If(node.at, (nodes.IfArm(node.at, test, nodes.Block(node.at, (call,))),))

    def _unless_allowed(self, step: nodes.Sub) -> nodes.Sub:
        """A check of the built-in policy, which does nothing if an ``allow`` has named it."""
        test = self._is_allowed(step.at, step.name.lower())
        self.added.append(test)
        leave = nodes.Block(step.at, (nodes.Return(step.at, None, ()),))
        first = nodes.If(step.at, (nodes.IfArm(step.at, test, leave),))
        return replace(step, body=replace(step.body, statements=(first, *step.body.statements)))

    def _is_allowed(self, at: nodes.At, step: str) -> nodes.NameExpr:
        return nodes.NameExpr(at, nodes.Name(at, (ALLOWED, SKIPPED[step])))

    def _builtin(self, node: nodes.RunBuiltin) -> list[nodes.Stmt]:
        """The built-in hook. It ends with a return."""
        found = [one for one in self.subs if one.at[0] >= self.builtin_at and one.name.lower() == self.hook]
        statements = [statement for one in found for statement in one.body.statements]
        return [replace(one, at=node.at) for one in statements]

    def _call_sub(self, node: nodes.CallSub) -> list[nodes.Stmt]:
        params = list(self.params.get(node.name.text.lower(), {}).values())
        if node.value is not None:
            return [replace(node, value=self._value(node.value))]
        passed: list[nodes.Stmt] = []
        for param, arg in zip(params, node.args or (), strict=False):
            assert isinstance(param, nodes.NameExpr)
            passed.append(nodes.Set(arg.at, param.name, "=", self._value(arg.value)))
        return [*passed, replace(node, args=None)]

    def _call_statement(self, node: nodes.CallStmt) -> nodes.Stmt:
        base = self._base(node.call.name)
        args = self._arguments(node.call.args)
        if base is not None:
            return self._edited(node.at, base, *(arg.value for arg in args))
        if is_add(node.call):
            return self._added_to(node, args)
        call = self._value(node.call)
        return replace(node, call=call) if isinstance(call, nodes.CallExpr) else nodes.Block(node.at, ())

    def _added_to(self, node: nodes.CallStmt, items: tuple[nodes.Argument, ...]) -> nodes.Set:
        """An addition to a list as 4.1 writes it: the field, a comma, and the items."""
        name = node.call.name
        field = nodes.Name(name.at, name.parts[:-1])
        comma = nodes.StringLit(node.at, ", ")
        parts: list[nodes.Expr] = [nodes.NameExpr(name.at, field)]
        for item in items:
            parts += [comma, item.value]
        return nodes.Set(
            node.at, field, "=", self._made(nodes.Sum(node.at, tuple(parts), ("+",) * (len(parts) - 1)))
        )

    # ---- expressions -----------------------------------------------------------------------------------

    def _base(self, name: nodes.Name) -> nodes.Name | None:
        """The variable behind a part of a view: ``req.url.query`` is a part of ``req.url``."""
        if len(name.parts) < 2:
            return None
        message, word = name.parts[0], name.parts[1]
        base = _VIEWS.get(word)
        if base is None or word == "url" and len(name.parts) == 2:
            return None
        return nodes.Name(name.at, (message, *base.split(".")))

    def _arguments(self, args: tuple[nodes.Argument, ...]) -> tuple[nodes.Argument, ...]:
        return tuple(replace(arg, value=self._value(arg.value)) for arg in args)

    def _value(self, node: nodes.Expr) -> nodes.Expr:
        match node:
            case nodes.NameExpr():
                return self._name(node)
            case nodes.Index():
                return self._index(node)
            case nodes.Coalesce():
                if all(one == nodes.StringLit(one.at, "") for one in node.operands[1:]):
                    return self._value(node.operands[0])  # an absent text is an empty one in 4.1
                return self._made(self._call(node.at, "first_set", *map(self._value, node.operands)))
            case nodes.Presence():
                return self._presence(node)
            case nodes.Captured():
                return self._captured(node)
            case nodes.ListExpr():
                return self._made(self._call(node.at, "list", *map(self._value, node.items)))
            case nodes.Compare():
                return self._compare(node)
            case nodes.Paren():
                return replace(node, inner=self._value(node.inner))
            case nodes.Neg() | nodes.Not():
                return replace(node, operand=self._value(node.operand))
            case nodes.Product() | nodes.Sum() | nodes.And() | nodes.Or():
                return replace(node, operands=tuple(map(self._value, node.operands)))
            case nodes.MemberExpr():
                return replace(node, receiver=self._value(node.receiver))
            case nodes.CallExpr():
                return self._called(node)
        return node

    def _name(self, node: nodes.NameExpr) -> nodes.Expr:
        known = self._find(node.name.text)
        if isinstance(known, nodes.NameExpr):
            return nodes.NameExpr(node.at, replace(known.name, at=node.at))
        constant = self.constants.get(node.name.text)
        if (
            constant is not None
            and not constant.given
            and isinstance(constant.value, nodes.StringLit | nodes.NumberLit)
        ):
            return replace(constant.value, at=node.at)
        base = self._base(node.name)
        return node if base is None else self._part(node.at, base)

    def _part(self, at: nodes.At, base: nodes.Name, *keys: nodes.Expr) -> nodes.Expr:
        return self._made(self._call(at, "part", nodes.NameExpr(at, base), *keys))

    def _called(self, node: nodes.CallExpr) -> nodes.Expr:
        args = self._arguments(node.args)
        receiver = None if node.receiver is None else self._value(node.receiver)
        local = self._find(node.name.parts[0]) if len(node.name.parts) > 1 else None
        base = self._base(node.name)
        if receiver is None and base is not None:
            part = self._part(node.at, base, *(arg.value for arg in args))
            turned = _TURNED.get(node.name.parts[-1].lower())
            return part if turned is None else self._made(self._call(node.at, turned, part))
        if receiver is None and isinstance(local, nodes.NameExpr):
            receiver = nodes.NameExpr(node.name.at, replace(local.name, at=node.name.at))
            return nodes.CallExpr(node.at, receiver, replace(node.name, parts=node.name.parts[1:]), args)
        return nodes.CallExpr(node.at, receiver, node.name, args)

    def _index(self, node: nodes.Index) -> nodes.Expr:
        key = self._value(node.key)
        if isinstance(node.receiver, nodes.NameExpr):
            base = self._base(node.receiver.name)
            if base is not None:
                return self._part(node.at, base, key)
            match_ = self._find(node.receiver.name.text)
            if match_ is not None:
                return self._made(self._call(node.at, "group", match_))
        return self._made(self._call(node.at, "row", key))

    def _presence(self, node: nodes.Presence) -> nodes.Expr:
        operand = self._value(node.operand)
        if node.word == "set":
            return self._present(node.at, operand)
        empty = nodes.StringLit(node.at, "")
        return self._compared(nodes.Compare(node.at, operand, "==", empty))

    def _present(self, at: nodes.At, operand: nodes.Expr) -> nodes.Expr:
        """A test whether a value is there. 4.1 tests only names so."""
        inner = operand
        while isinstance(inner, nodes.Paren):
            inner = inner.inner
        if isinstance(inner, nodes.NameExpr):
            return nodes.NameExpr(at, inner.name)
        return self._made(self._call(at, "is_set", inner))

    def _captured(self, node: nodes.Captured) -> nodes.Expr:
        subject = self._value(node.test.left)
        test = self._test(node.test, subject)
        self.scopes[-1][node.name.text] = subject
        return test

    def _compare(self, node: nodes.Compare) -> nodes.Expr:
        return self._test(node, self._value(node.left))

    def _test(self, node: nodes.Compare, left: nodes.Expr) -> nodes.Expr:
        """A comparison whose left side is written already: twice would double the work at each level."""
        if node.op not in _EDGES:
            return self._compared(replace(node, left=left, right=self._value(node.right)), written=True)
        texts = self._texts(node.right)
        if texts is None:
            return self._made(self._call(node.at, "is_in", left, self._value(node.right)))
        start, end = _EDGES[node.op]
        pattern = f"{start}(?:{'|'.join(map(re.escape, texts))}){end}"
        if len(texts) == 1:
            if node.op == "in":
                same = nodes.StringLit(node.right.at, texts[0])
                return self._compared(nodes.Compare(node.at, left, "==", same))
            pattern = start + re.escape(texts[0]) + end
        return self._compared(nodes.Compare(node.at, left, "~", nodes.StringLit(node.right.at, pattern)))

    def _texts(self, node: nodes.Expr) -> list[str] | None:
        """The texts of a set, or None if it has other values."""
        items: tuple[nodes.Expr, ...] = (node,)
        if isinstance(node, nodes.ListExpr):
            items = node.items
        elif isinstance(node, nodes.NameExpr) and node.name.text in self.sets:
            items = self.sets[node.name.text]
        values = [self._value(item) for item in items]
        texts = [one.value for one in values if isinstance(one, nodes.StringLit)]
        return texts if texts and len(texts) == len(values) else None

    def _compared(self, test: nodes.Compare, written: bool = False) -> nodes.Expr:
        """A comparison. An absent field is no empty text in 5.0, and it is one in 4.1."""
        if not written:
            self.made.append(test)
        left, right = test.left, test.right
        if not isinstance(left, nodes.NameExpr) or not isinstance(right, nodes.StringLit):
            return test
        if left.name.parts[1:2] != ("http",) or not _takes_empty(test.op, right.value):
            return test
        present = self._made(nodes.NameExpr(test.at, left.name))
        plain_op = test.op.lstrip("!") if test.op.startswith("!") and test.op != "!=" else test.op
        plain_op = "==" if test.op == "!=" else plain_op
        positive = self._made(replace(test, op=plain_op))
        both = self._made(nodes.And(test.at, (present, positive)))
        return both if plain_op == test.op else self._made(nodes.Not(test.at, both))


def _takes_empty(op: str, text: str) -> bool:
    """Whether an empty text passes the test without its sign."""
    if op in ("==", "!="):
        return not text
    language = language_of(text) if op in ("~", "!~") else None
    return language is not None and language.matches(b"")
