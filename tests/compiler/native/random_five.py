"""Random policies of vcl 5.0 with their meaning: every part of a policy is a text and a Python function that says what it does.

The functions are written from the description of the language and know neither the checker nor the lowering, so a mistake there
gives another result than the model. A policy sets request fields; the model says which fields a request has behind vcl_recv, and
what the hook returns.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

FIELDS = ["A", "B", "C", "X-d"]
VALUES = ["", "a", "b", "ab", "a/b", "x1", "B", "zab", "7", "-12"]
METHODS: dict[str, Callable[[str], str]] = {
    "lower()": str.lower, "upper()": str.upper, "trim()": str.strip, 'replace("a", "b/")': lambda v: v.replace("a", "b/"),
    'replace("ab", "")': lambda v: v.replace("ab", "")}
#: Methods whose result may be absent: the text before or behind a separator, if there is one.
PARTS: dict[str, Callable[[str], str | None]] = {
    'before("a")': lambda v: v.partition("a")[0] if "a" in v else None, 'after("/")': lambda v: v.partition("/")[2] if "/" in v else None,
    'before_last("b")': lambda v: v.rpartition("b")[0] if "b" in v else None,
    'after_last("a")': lambda v: v.rpartition("a")[2] if "a" in v else None}
#: The same in PCRE2 and in Python, but for the form of a group's name.
PATTERNS = ["^a", "b$", "(a)(b)?", "^(.)(z)?", r"x(\d)", "(?<n>.)b", "", "a*", "[ab]+", "^$", "a|b", "^(a|(b))", "(.)(?<last>.?)$"]
ALWAYS = {"(a)(b)?": [0, 1], "^(.)(z)?": [0, 1], r"x(\d)": [0, 1], "(?<n>.)b": [0, 1], "^(a|(b))": [0, 1], "(.)(?<last>.?)$": [0, 1, 2]}
GROUPS = {"(a)(b)?": 2, "^(.)(z)?": 2, r"x(\d)": 1, "(?<n>.)b": 1, "^(a|(b))": 2, "(.)(?<last>.?)$": 2}
NAMES = {"(?<n>.)b": {1: "n"}, "(.)(?<last>.?)$": {2: "last"}}
INTS = [0, 1, 2, 3, 7, -1, 1000000, 900000000000000]
SETS = {"FEW": ["a", "b"], "ENDS": ["b", "1", "/b"], "ANY": ["", "ab"]}
CONSTS = {"PLACE": "a", "OTHER": "a/b"}
ACTIONS = ["pass", "purge", "pipe"]
STEPS_MAX = 400         # of statements and operands of a policy

Value: TypeAlias = "str | int | bool | None"
Facts: TypeAlias = frozenset[str]
NONE: Facts = frozenset()


class Fail(Exception):
    """The transaction fails."""


class Unsound(Exception):
    """A value is absent where the checker took it to be there."""


class Returned(Exception):
    """A return: with an action, with a value, or of a sub."""


@dataclass(slots=True)
class State:
    """A request at run time."""

    fields: dict[str, str]
    names: dict[str, Value] = field(default_factory=dict)
    matches: dict[str, re.Match[str]] = field(default_factory=dict)


Run: TypeAlias = Callable[[State], Value]


class Expr(NamedTuple):
    """``key`` is the name of the fact that the value is there."""

    text: str
    run: Run
    key: str = ""


class Condition(NamedTuple):
    """``yes`` and ``no`` are the facts if it is true, or false."""

    text: str
    run: Run
    yes: Facts = NONE
    no: Facts = NONE


class Block(NamedTuple):
    text: str
    run: Callable[[State], None]
    ends: bool


@dataclass(slots=True)
class Local:
    name: str
    type: str
    mutable: bool = False


@dataclass(slots=True)
class Callee:
    name: str
    params: list[Local]
    result: str
    run: Callable[[State, list[Value]], Value]


@dataclass(slots=True)
class Policy:
    """``uses`` are the forms that the policy has."""

    text: str
    run: Callable[[State], None]
    uses: set[str]

    def expected(self, fields: dict[str, str]) -> tuple[str, dict[str, str]]:
        """The action of vcl_recv ("fail" if it fails) and the fields behind it."""
        state = State(dict(fields))
        try:
            self.run(state)
        except Fail:
            return "fail", state.fields
        except Returned as returned:
            return str(returned.args[0]), state.fields
        return "pass", state.fields


def whole(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise Fail
    return value


def shown(value: Value) -> Value:
    """A number as text. Only numbers of 15 digits have one."""
    if isinstance(value, int) and abs(value) > 999999999999999:
        raise Fail
    return value


def arithmetic(op: str, left: int, right: int) -> int:
    match op:
        case "+":
            return whole(left + right)
        case "-":
            return whole(left - right)
        case "*":
            return whole(left * right)
    if right == 0:
        raise Fail
    quotient = abs(left) // abs(right)
    quotient = -quotient if (left < 0) != (right < 0) else quotient
    return whole(quotient) if op == "/" else whole(left - quotient * right)


def compared(op: str, left: Value, right: Value) -> bool:
    """A comparison in which an absent value equals nothing."""
    if left is None or right is None:
        return op == "!="
    if isinstance(left, str) and isinstance(right, str):
        left, right = left.encode(), right.encode()     # type: ignore[assignment]
    return {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right,   # type: ignore[operator]
            ">": left > right, ">=": left >= right}[op]                                           # type: ignore[operator]


def searched(pattern: str, text: Value) -> re.Match[str] | None:
    return re.search(pattern.replace("(?<", "(?P<"), text) if isinstance(text, str) else None


TESTS: dict[str, Callable[[str, str], bool]] = {
    "in": lambda text, item: text == item, "starts": lambda text, item: text.startswith(item),
    "ends": lambda text, item: text.endswith(item), "contains": lambda text, item: item in text}


class Writer:
    """``probes`` is the number of :meth:`probe` to write."""

    def __init__(self, rng: random.Random, probes: int = 0) -> None:
        self.rng, self.probes = rng, probes
        self.known: Facts = NONE
        self.scope: list[Local] = []
        self.matches: list[tuple[str, str]] = []        # name, pattern
        self.callees: list[Callee] = []
        self.subs: list[Callee] = []
        self.uses: set[str] = set()
        self.count = self.steps = 0
        self.kind = "hook"                              # or "sub", or "fn" with its result in `result`
        self.result = ""
        self.loops = 0

    # ---- help

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def use(self, name: str) -> None:
        self.uses.add(name)
        self.steps += 1

    def deep(self, depth: int) -> bool:
        return depth > 0 and self.steps < STEPS_MAX

    def quoted(self, text: str) -> str:
        return self.rng.choice(['"{}"', '"{}"', '"{}"', '{{"{}"}}', '"""{}"""']).format(text)

    def locals_of(self, *types: str) -> list[Local]:
        return [local for local in self.scope if local.type in types]

    def read(self, local: Local) -> Expr:
        name = local.name
        return Expr(name, lambda s: s.names[name], "$" + name if local.type == "STRING?" else "")

    def field(self) -> Expr:
        name = self.rng.choice(FIELDS)
        written = name.swapcase() if self.rng.random() < 0.1 else name
        return Expr(f"req.http.{written}", lambda s: s.fields.get(name), "." + name)

    # ---- text

    def text(self, depth: int) -> Expr:
        """A text that is there."""
        rng = self.rng
        choices = ["literal", "literal", "const", "known", "known", "local", "group"]
        if self.deep(depth):
            choices += ["join", "join", "default", "default", "lower", "call", "number", "truth"]
        match rng.choice(choices):
            case "const":
                self.use("const")
                name = rng.choice(list(CONSTS))
                return Expr(name, lambda s: CONSTS[name])
            case "known" if self.kind != "fn" and (names := [key[1:] for key in sorted(self.known) if key[0] == "."]):
                self.use("narrowed field")
                name = rng.choice(names)
                return Expr(f"req.http.{name}", lambda s: s.fields.get(name))
            case "local" if found := [x for x in self.locals_of("STRING", "STRING?") if x.type == "STRING" or "$" + x.name in self.known]:
                self.use("local")
                local = rng.choice(found)
                self.use("narrowed local" if local.type == "STRING?" else "local")
                return Expr(local.name, self.read(local).run)
            case "group" if found := self.groups(True):
                return rng.choice(found)
            case "join":
                self.use("join")
                left, right = self.text(depth - 1), self.text(depth - 1)
                return Expr(f"({left.text} + {right.text})", lambda s: f"{left.run(s)}{right.run(s)}")
            case "number":
                self.use("number in text")
                number = self.number(depth - 1)
                return Expr(f'("n" + {number.text})', lambda s: f"n{shown(number.run(s))}")
            case "truth" if found := self.locals_of("BOOL"):
                local = rng.choice(found)
                return Expr(f'("t" + {local.name})', lambda s: "t" + ("true" if s.names[local.name] else "false"))
            case "default":
                return self.default(depth, self.text(depth - 1))
            case "lower":
                self.use("method")
                inner, method = self.text(depth - 1), rng.choice(list(METHODS))
                return Expr(f"({inner.text}).{method}", lambda s: METHODS[method](str(inner.run(s))))
            case "call" if found := [callee for callee in self.callees if callee.result == "STRING"]:
                return self.called(rng.choice(found), depth)
        value = rng.choice(VALUES)
        return Expr(self.quoted(value), lambda s: value)

    def default(self, depth: int, last: Expr) -> Expr:
        self.use("??")
        first = [self.optional(depth - 1) for _ in range(self.rng.choice([1, 1, 1, 2]))]

        def run(s: State) -> Value:
            for item in first:
                if (value := item.run(s)) is not None:
                    return value
            return last.run(s)
        return Expr("(" + " ?? ".join(item.text for item in [*first, last]) + ")", run)

    def groups(self, always: bool) -> list[Expr]:
        found = []
        for name, pattern in self.matches:
            for number in range(GROUPS[pattern] + 1) if "~" + name in self.known else ():
                if not always or number in ALWAYS[pattern]:
                    index = f'"{NAMES[pattern][number]}"' if number in NAMES.get(pattern, {}) and self.rng.random() < 0.7 else number
                    found.append(Expr(f"{name}[{index}]", lambda s, name=name, number=number: s.matches[name].group(number)))
        if found:
            self.use("group")
        return found

    def optional(self, depth: int) -> Expr:
        """A text that may be absent."""
        rng = self.rng
        choices = ["field", "field", "field", "local", "local", "group"]
        if self.deep(depth):
            choices += ["default", "lower", "call", "there", "part"]
        match rng.choice(choices):
            case "local" if found := self.locals_of("STRING?"):
                self.use("optional local")
                return self.read(rng.choice(found))
            case "group" if found := self.groups(False):
                return rng.choice(found)
            case "default":
                return self.default(depth, self.optional(depth - 1))
            case "lower":
                self.use("lifted method")
                return self.lifted(self.optional(depth - 1), METHODS)
            case "part":
                self.use("part of a text")
                return self.lifted(self.optional(depth - 1) if rng.random() < 0.5 else self.text(depth - 1), PARTS)
            case "call" if found := [callee for callee in self.callees if callee.result == "STRING?"]:
                return self.called(rng.choice(found), depth)
            case "field" if self.kind != "fn":
                return self.field()
            case _ if self.kind != "fn" and rng.random() < 0.7:
                return self.field()
        found = self.locals_of("STRING?")
        return self.read(rng.choice(found)) if found else self.text(0)

    def lifted(self, inner: Expr, methods: Mapping[str, Callable[[str], str | None]]) -> Expr:
        """A method of a text, which is absent if the text is."""
        method = self.rng.choice(list(methods))

        def run(s: State) -> Value:
            value = inner.run(s)
            return methods[method](value) if isinstance(value, str) else None
        return Expr(f"({inner.text}).{method}", run)

    def absent(self) -> Expr | None:
        """A value that nothing tells to be there, which `if (let ...)` wants."""
        found = [self.read(local) for local in self.locals_of("STRING?")]
        found += [self.field() for _ in range(2)] if self.kind != "fn" else []
        left = [value for value in found if value.key not in self.known]
        return self.rng.choice(left) if left else None

    def called(self, callee: Callee, depth: int) -> Expr:
        self.use("call of fn")
        args = [self.value(param.type, min(depth - 1, 1)) for param in callee.params]
        texts = [arg.text for arg in args]
        if texts and self.rng.random() < 0.2:
            self.use("argument by name")
            texts[-1] = f"{callee.params[-1].name} = {texts[-1]}"
        return Expr(f"{callee.name}({', '.join(texts)})", lambda s: callee.run(s, [arg.run(s) for arg in args]))

    def value(self, type: str, depth: int) -> Expr:
        match type:
            case "STRING":
                return self.text(depth)
            case "STRING?":
                return self.optional(depth) if self.rng.random() < 0.8 else self.text(depth)
            case "INT":
                return self.number(depth)
        found = self.condition(depth)
        return Expr(f"({found.text})", found.run)

    # ---- numbers

    def number(self, depth: int) -> Expr:
        rng = self.rng
        choices = ["literal", "local", "local"] + ["sum", "product", "minus", "call", "length", "int"] * self.deep(depth)
        match rng.choice(choices):
            case "length":
                self.use("length")
                text = self.text(depth - 1)
                return Expr(f"({text.text}).length()", lambda s: len(str(text.run(s))))
            case "int":
                self.use("int")
                optional, number = self.optional(depth - 1), self.number(depth - 1)

                def read(s: State) -> Value:
                    value = optional.run(s)
                    valid = isinstance(value, str) and re.fullmatch("-?[0-9]{1,15}", value)
                    return int(str(value)) if valid else number.run(s)
                return Expr(f"(int({optional.text}) ?? ({number.text}))", read)
            case "local" if found := self.locals_of("INT"):
                return self.read(rng.choice(found))
            case "sum" | "product" as kind:
                self.use("arithmetic")
                op = rng.choice(["+", "-"] if kind == "sum" else ["*", "/", "%"])
                left, right = self.number(depth - 1), self.number(depth - 1)
                return Expr(f"({left.text} {op} {right.text})", lambda s: arithmetic(op, left.run(s), right.run(s)))   # type: ignore[arg-type]
            case "minus":
                inner = self.number(depth - 1)
                return Expr(f"(-({inner.text}))", lambda s: arithmetic("-", 0, inner.run(s)))                          # type: ignore[arg-type]
            case "call" if found := [callee for callee in self.callees if callee.result == "INT"]:
                return self.called(rng.choice(found), depth)
        value = rng.choice(INTS)
        return Expr(f"({value})" if value < 0 else str(value), lambda s: value)

    # ---- conditions

    def condition(self, depth: int) -> Condition:
        rng = self.rng
        if self.deep(depth):
            match rng.randrange(8):
                case 0 | 1:
                    return self.both(depth)
                case 2:
                    return self.either(depth)
                case 3:
                    inner = self.condition(depth - 1)
                    return Condition(f"!({inner.text})", lambda s: not inner.run(s), inner.no, inner.yes)
        return self.test(max(0, depth))

    def both(self, depth: int) -> Condition:
        before = self.known
        left = self.condition(depth - 1)
        self.known |= left.yes
        right = self.condition(depth - 1)
        self.known = before
        return Condition(f"({left.text} && {right.text})", lambda s: bool(left.run(s) and right.run(s)), left.yes | right.yes, left.no & right.no)

    def either(self, depth: int) -> Condition:
        before = self.known
        left = self.condition(depth - 1)
        self.known |= left.no
        right = self.condition(depth - 1)
        self.known = before
        return Condition(f"({left.text} || {right.text})", lambda s: bool(left.run(s) or right.run(s)), left.yes & right.yes, left.no | right.no)

    def test(self, depth: int) -> Condition:
        rng = self.rng
        match rng.randrange(16):
            case 0 | 1 | 2:
                return self.presence(depth)
            case 3 | 4:
                return self.equal(depth)
            case 5:
                self.use("order of texts")
                op, left, right = rng.choice(["<", "<=", ">", ">="]), self.optional(depth), self.text(depth)
                return Condition(f"{left.text} {op} {right.text}", lambda s: compared(op, left.run(s), right.run(s)), _keys(left))
            case 6 | 7 | 8:
                return self.in_texts(depth)
            case 9 | 10 | 11:
                return self.matched(depth)
            case 12 | 13:
                self.use("comparison of numbers")
                op, left, right = rng.choice(["==", "!=", "<", "<=", ">", ">="]), self.number(depth), self.number(depth)
                return Condition(f"{left.text} {op} {right.text}", lambda s: compared(op, left.run(s), right.run(s)))
            case 14 if found := self.locals_of("BOOL"):
                local = rng.choice(found)
                return Condition(local.name, lambda s: s.names[local.name])
        value = rng.random() < 0.5
        return Condition("true" if value else "false", lambda s: value)

    def presence(self, depth: int) -> Condition:
        value = self.optional(depth)
        if self.rng.random() < 0.3:
            self.use("is empty")
            return Condition(f"{value.text} is empty", lambda s: value.run(s) == "", _keys(value))
        self.use("is set")
        return Condition(f"{value.text} is set", lambda s: value.run(s) is not None, _keys(value))

    def equal(self, depth: int) -> Condition:
        self.use("==")
        left, right = self.optional(depth), self.value(self.rng.choice(["STRING", "STRING?"]), depth)
        if self.rng.random() < 0.3:
            left, right = right, left
        op, both = self.rng.choice(["==", "!="]), _keys(left) | _keys(right)
        return Condition(f"{left.text} {op} {right.text}", lambda s: compared(op, left.run(s), right.run(s)),
                         both if op == "==" else NONE, both if op == "!=" else NONE)

    def in_texts(self, depth: int) -> Condition:
        op, value = self.rng.choice(list(TESTS)), self.optional(depth)
        self.use(op)
        match self.rng.randrange(3):
            case 0:
                shown, items = self.quoted(item := self.rng.choice(VALUES)), [item]
            case 1:
                shown = self.rng.choice(list(SETS))
                items = SETS[shown]
            case _:
                items = self.rng.sample(VALUES, self.rng.randint(1, 3))
                shown = "[" + ", ".join(map(self.quoted, items)) + "]"

        def run(s: State) -> Value:
            text = value.run(s)
            return isinstance(text, str) and any(TESTS[op](text, item) for item in items)
        return Condition(f"{value.text} {op} {shown}", run, _keys(value))

    def matched(self, depth: int) -> Condition:
        pattern, value = self.rng.choice(PATTERNS), self.optional(depth)
        self.use("~")
        shown = f'"{pattern}"'
        if pattern in GROUPS and self.rng.random() < 0.7 and not self.loops:
            self.use("as")
            name = self.fresh("m")
            self.matches.append((name, pattern))

            def capture(s: State) -> Value:
                found = searched(pattern, value.run(s))
                if found is not None:
                    s.matches[name] = found
                return found is not None
            return Condition(f"{value.text} ~ {shown} as {name}", capture, _keys(value) | {"~" + name})
        negated = self.rng.random() < 0.3
        op, yes, no = ("!~", NONE, _keys(value)) if negated else ("~", _keys(value), NONE)
        return Condition(f"{value.text} {op} {shown}", lambda s: (searched(pattern, value.run(s)) is None) == negated, yes, no)

    # ---- statements

    def block(self, depth: int) -> Block:
        """Statements in braces. Facts of the end stay in ``known``; names end."""
        scope, matches = len(self.scope), len(self.matches)
        found = self.statements(depth)
        del self.scope[scope:], self.matches[matches:]
        return Block("{\n" + found.text + "\n}", found.run, found.ends)

    def statements(self, depth: int) -> Block:
        texts, runs, ends = [], [], False
        for _ in range(self.rng.randint(1, 4)):
            made = self.statement(depth)
            texts.append(made.text)
            runs.append(made.run)
            if made.ends:
                ends = True
                break

        def run(s: State) -> None:
            for each in runs:
                each(s)
        return Block("\n".join(texts), run, ends)

    def statement(self, depth: int) -> Block:
        if self.probes and self.rng.random() < 0.3:
            return self.probe()
        choices = ["let", "let", "change", "change"] + ["set", "set", "set", "unset", "call"] * (self.kind != "fn")
        if self.deep(depth):
            choices += ["if", "if", "if", "switch", "for", "block"]
        if depth < 2 and not self.loops:
            choices += ["return"]
        match self.rng.choice(choices):
            case "change" if found := [local for local in self.scope if local.mutable]:
                return self.change(self.rng.choice(found))
            case "set":
                return self.set()
            case "unset":
                self.use("unset")
                name = self.rng.choice(FIELDS)
                self.forget(name)
                return Block(f"unset req.http.{name};", lambda s: void(s.fields.pop(name, None)), False)
            case "call" if self.subs:
                return self.call()
            case "if":
                return self.conditional(depth - 1)
            case "switch":
                return self.switch(depth - 1)
            case "for":
                return self.loop(depth - 1)
            case "block":
                return self.block(depth - 1)
            case "return":
                return self.ending()
        return self.let()

    def probe(self) -> Block:
        """Uses a value that may be absent where one is needed. The checker has to refuse it, or to be right."""
        value, name = self.optional(1), self.fresh("v")
        self.probes -= 1

        def run(s: State) -> None:
            if value.run(s) is None:
                raise Unsound(f"{value.text} at {name}")
        return Block(f"let {name} : STRING = {value.text};", run, False)

    def forget(self, name: str) -> None:
        self.known -= {"." + name}

    def set(self) -> Block:
        name = self.rng.choice(FIELDS)
        if self.rng.random() < 0.4:
            value = self.optional(2)
            self.use("set to an absent value")
            is_there = value.key in self.known
        else:
            value, is_there = self.text(2), True

        def run(s: State) -> None:
            text = value.run(s)
            if text is None:
                s.fields.pop(name, None)
            else:
                s.fields[name] = str(text)
        self.forget(name)
        self.known |= {"." + name} if is_there else NONE
        return Block(f"set req.http.{name} = {value.text};", run, False)

    def let(self) -> Block:
        type = self.rng.choice(["STRING", "STRING", "STRING?", "STRING?", "INT", "BOOL"])
        mutable, name = self.rng.random() < 0.5, self.fresh("v")
        is_there = type == "STRING?" and self.rng.random() < 0.3
        value = self.text(2) if is_there else self.optional(2) if type == "STRING?" else self.value(type, 2)
        self.use("let mut" if mutable else "let")
        written = f" : {type}" if type == "STRING?" or self.rng.random() < 0.3 else ""
        self.scope.append(Local(name, type, mutable))
        self.known |= {"$" + name} if is_there else NONE
        return Block(f"let {'mut ' * mutable}{name}{written} = {value.text};", lambda s: s.names.__setitem__(name, value.run(s)), False)

    def change(self, local: Local) -> Block:
        name, rng = local.name, self.rng
        self.use("set of a local")
        if local.type == "INT" and rng.random() < 0.6:
            op, number = rng.choice("+-*/"), self.number(1)
            return Block(f"set {name} {op}= {number.text};",
                         lambda s: s.names.__setitem__(name, arithmetic(op, s.names[name], number.run(s))), False)    # type: ignore[arg-type]
        if local.type == "STRING" and rng.random() < 0.4:
            more = self.text(1)
            return Block(f"set {name} += {more.text};", lambda s: s.names.__setitem__(name, f"{s.names[name]}{more.run(s)}"), False)
        is_there = local.type == "STRING?" and rng.random() < 0.5
        value = self.text(2) if is_there else self.value(local.type, 2)
        self.known = self.known - {"$" + name} | ({"$" + name} if is_there else NONE)
        return Block(f"set {name} = {value.text};", lambda s: s.names.__setitem__(name, value.run(s)), False)

    def call(self) -> Block:
        self.use("call with arguments")
        callee = self.rng.choice(self.subs)
        args = [self.value(param.type, 1) for param in callee.params]
        self.known = frozenset(key for key in self.known if key[0] != ".")
        return Block(f"call {callee.name}({', '.join(arg.text for arg in args)});",
                     lambda s: void(callee.run(s, [arg.run(s) for arg in args])), False)

    def ending(self) -> Block:
        if self.kind == "fn":
            return self.give()
        if self.kind == "sub" and self.rng.random() < 0.7:
            self.use("return of a sub")
            return Block("return;", lambda s: throw(Returned()), True)
        self.use("return")
        action = self.rng.choice(ACTIONS)
        return Block(f"return ({action});", lambda s: throw(Returned(action)), True)

    def give(self) -> Block:
        value = self.value(self.result, 2)
        return Block(f"return ({value.text});", lambda s: throw(Returned("", value.run(s))), True)

    def conditional(self, depth: int) -> Block:
        """An ``if``. Behind it holds what holds at the end of each arm that goes on."""
        self.use("if")
        text, arms, after, ends = "", [], [], True
        scope = len(self.scope)
        for number in range(self.rng.choice([1, 1, 2, 3])):
            seen = len(self.matches)
            word = "if" if number == 0 else self.rng.choice([" elseif", " else if"])
            value = self.absent() if self.rng.random() < 0.25 else None
            if value is not None:
                self.use("if let")
                name = self.fresh("v")
                shown = f"let {name} = {value.text}"
                test = Condition("", lambda s, value=value, name=name: bind(s, name, value.run(s)))
                bound = [Local(name, "STRING")]
            else:
                test = self.condition(2)
                shown, bound = test.text, []
            otherwise = self.known | test.no
            self.known |= test.yes
            self.scope += bound
            body = self.block(depth)
            del self.scope[scope:]
            del self.matches[len(self.matches) if number == 0 else seen:]
            text += f"{word} ({shown}) {body.text}"
            arms.append((test.run, body.run))
            after += [] if body.ends else [self.known]
            ends = ends and body.ends
            self.known = otherwise
        if self.rng.random() < 0.5:
            body = self.block(depth)
            text += f" else {body.text}"
            arms.append((lambda s: True, body.run))
            after += [] if body.ends else [self.known]
            ends = ends and body.ends
        else:
            after.append(self.known)
            ends = False
        if after:
            self.known = frozenset.intersection(*after)

        def run(s: State) -> None:
            for condition, then in arms:
                if condition(s):
                    then(s)
                    return
        return Block(text, run, ends)

    def switch(self, depth: int) -> Block:
        self.use("switch")
        rng = self.rng
        is_text = rng.random() < 0.7
        subject = self.optional(1) if is_text else self.number(1)
        left: list[Value] = list(rng.sample(VALUES, len(VALUES)) if is_text else [0, 1, 2, 3, 7])
        text, arms, after, ends = f"switch ({subject.text}) {{", [], [], True
        before = self.known
        for _ in range(rng.randint(1, 3)):
            tests: list[Callable[[Value], bool]] = []
            shown = []
            for _ in range(rng.choice([1, 1, 2])):
                if is_text and rng.random() < 0.3:
                    self.use("case ~")
                    pattern = rng.choice(PATTERNS)
                    shown.append(f'~ "{pattern}"')
                    tests.append(lambda v, pattern=pattern: searched(pattern, v) is not None)
                elif left:
                    item = left.pop()
                    shown.append(self.quoted(str(item)) if is_text else str(item))
                    tests.append(lambda v, item=item: v == item)
            if not shown:
                break
            self.known = before
            body = self.block(depth)
            text += f"\ncase {', '.join(shown)}: {body.text}"
            arms.append((lambda v, tests=tests: any(test(v) for test in tests), body.run))
            after += [] if body.ends else [self.known]
            ends = ends and body.ends
        self.known = before
        if rng.random() < 0.6:
            self.use("default")
            body = self.block(depth)
            text += f"\ndefault: {body.text}"
            arms.append((lambda v: True, body.run))
            after += [] if body.ends else [self.known]
            ends = ends and body.ends
        else:
            after.append(before)
            ends = False
        self.known = frozenset.intersection(*after) if after else before

        def run(s: State) -> None:
            value = subject.run(s)
            for fits, then in arms:
                if fits(value):
                    then(s)
                    return
        return Block(text + "\n}", run, ends)

    def loop(self, depth: int) -> Block:
        self.use("for")
        name = self.fresh("v")
        items: list[Value]
        match self.rng.randrange(3):
            case 0:
                shown = self.rng.choice(list(SETS))
                items, type = list(SETS[shown]), "STRING"
            case 1:
                items, type = list(self.rng.sample(VALUES, self.rng.randint(1, 3))), "STRING"
                shown = "[" + ", ".join(self.quoted(str(item)) for item in items) + "]"
            case _:
                items, type = [self.rng.choice([0, 1, 2, 3]) for _ in range(self.rng.randint(1, 3))], "INT"
                shown = "[" + ", ".join(map(str, items)) + "]"
        scope, before = len(self.scope), self.known
        self.known = NONE
        self.scope.append(Local(name, type))
        matches, self.matches = self.matches, []
        self.loops += 1
        body = self.block(min(depth, 1))
        self.loops -= 1
        self.matches = matches
        del self.scope[scope:]
        self.known = frozenset(key for key in before if key[0] == "~")

        def run(s: State) -> None:
            for item in items:
                s.names[name] = item
                body.run(s)
        return Block(f"for ({name} in {shown}) {body.text}", run, False)

    # ---- the whole

    def function(self) -> str:
        rng = self.rng
        params = [Local(self.fresh("p"), rng.choice(["STRING", "STRING?", "STRING?", "INT"])) for _ in range(rng.randint(0, 3))]
        self.begin("fn", params)
        self.result = rng.choice(["STRING", "STRING?", "INT", "BOOL"])
        body = self.statements(2)
        last = Block("", lambda s: None, True) if body.ends else self.give()
        name, result = self.fresh("f"), self.result

        def run(s: State, args: list[Value]) -> Value:
            own = State({}, dict(zip([param.name for param in params], args)))
            try:
                body.run(own)
                last.run(own)
            except Returned as returned:
                return returned.args[1]     # type: ignore[no-any-return]
            raise AssertionError("a function gives a value")
        self.callees.append(Callee(name, params, result, run))
        return f"fn {name}({_shown(params)}) -> {result} {{\n{body.text}\n{last.text}\n}}"

    def sub(self) -> str:
        params = [Local(self.fresh("p"), self.rng.choice(["STRING", "STRING?", "INT", "BOOL"])) for _ in range(self.rng.randint(0, 2))]
        self.begin("sub", params)
        body = self.statements(2)
        name = self.fresh("s")

        def run(s: State, args: list[Value]) -> Value:
            own = State(s.fields, dict(zip([param.name for param in params], args)))
            try:
                body.run(own)
            except Returned as returned:
                if returned.args:
                    raise
            return None
        self.subs.append(Callee(name, params, "", run))
        return f"sub {name}({_shown(params)}) {{\n{body.text}\n}}"

    def begin(self, kind: str, params: Iterable[Local]) -> None:
        self.kind, self.scope, self.matches, self.known, self.loops = kind, list(params), [], NONE, 0

    def policy(self) -> Policy:
        parts = [self.function() for _ in range(self.rng.choice([0, 1, 2]))] + [self.sub() for _ in range(self.rng.choice([0, 0, 1]))]
        self.begin("hook", [])
        body = self.statements(3)
        last = "" if body.ends else "return (pass);"
        head = ["vcl 5.0;", 'backend origin { .host = "192.0.2.1"; }',
                *(f"set {name} [{', '.join(map(self.quoted, items))}];" for name, items in SETS.items()),
                *(f'const {name} = "{value}";' for name, value in CONSTS.items())]
        return Policy("\n".join([*head, *parts, f"sub vcl_recv {{\n{body.text}\n{last}\n}}"]) + "\n", body.run, self.uses)


def _shown(params: list[Local]) -> str:
    return ", ".join(f"{param.name} : {param.type}" for param in params)


def _keys(value: Expr) -> Facts:
    return frozenset((value.key,)) if value.key else NONE


def bind(s: State, name: str, value: Value) -> bool:
    s.names[name] = value
    return value is not None


def throw(what: Exception) -> None:
    raise what


def void(_: object) -> None:
    return None


def random_five(rng: random.Random, probes: int = 0) -> Policy:
    return Writer(rng, probes).policy()


def random_fields(rng: random.Random) -> dict[str, str]:
    return {name: rng.choice(VALUES) for name in FIELDS if rng.random() < 0.7}
