"""Statements of random policies of vcl 5.0, with their meaning."""

from __future__ import annotations

from collections.abc import Callable

import five_parts
from five_meaning import (
    ACTIONS, FIELDS, NONE, PATTERNS, SETS, VALUES, Block, Condition, Expr, Facts, Local, Returned, State, Unsound, Value, arithmetic,
    bind, put, searched, throw, void,
)
from five_conditions import ConditionWriter


class StatementWriter(ConditionWriter):
    """Writes statements, and follows the facts from one to the next."""

    def block(self, depth: int, yes: Facts = NONE) -> Block:
        """Statements in braces. Facts of the end stay in ``known``; names end. ``yes`` are facts of the condition: a match that it has
        made is used at once, because deep in the block few requests would meet it."""
        scope, matches = len(self.scope), len(self.matches)
        first = self.set_to(self.rng.choice(self.groups(False))) if self.kind != "fn" and any(key[0] == "~" for key in yes) else None
        found = self.statements(depth)
        if first is not None:
            found = Block(f"{first.text}\n{found.text}", lambda s, rest=found.run: void((first.run(s), rest(s))), found.ends)
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
        choices = ["let", "let", "change", "change"] + ["set", "set", "set", "unset", "call", "edit"] * (self.kind != "fn")
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
            case "edit":
                return self.edit()
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

    def set_to(self, value: Expr) -> Block:
        """Sets a field to a value that may be absent."""
        name = self.rng.choice(FIELDS)
        self.use("set to an absent value")
        self.forget(name)
        return Block(f"set req.http.{name} = {value.text};", lambda s: void(put(s, name, value.run(s))), False)

    def set(self) -> Block:
        name = self.rng.choice(FIELDS)
        if self.rng.random() < 0.4:
            value = self.optional(2)
            self.use("set to an absent value")
            is_there = value.key in self.known
        else:
            value, is_there = self.text(2), True

        self.forget(name)
        self.known |= {"." + name} if is_there else NONE
        return Block(f"set req.http.{name} = {value.text};", lambda s: void(put(s, name, value.run(s))), False)

    def edit(self) -> Block:
        """Changes a part of the URL or of Cookie."""
        patterns = self.rng.sample(five_parts.PATTERNS, self.rng.choice([1, 1, 2]))
        keep, shown = self.rng.random() < 0.5, ", ".join(map(self.quoted, patterns))
        word = "keep" if keep else "remove"
        match self.rng.randrange(4):
            case 0:
                self.use("sort")
                return Block("req.url.query.sort();",
                             lambda s: self.query(s, lambda pairs: sorted(pairs, key=lambda pair: pair.partition("=")[0])), False)
            case 1:
                self.use("set of a path")
                value = self.text(1)
                return Block(f"set req.url.path = {value.text};",
                             lambda s: s.fields.__setitem__("url", five_parts.with_path(s.fields["url"], str(value.run(s)))), False)
            case 2:
                self.use(word)
                return Block(f"req.url.query.{word}({shown});",
                             lambda s: self.query(s, lambda pairs: five_parts.selected(pairs, patterns, keep)), False)
        self.use(f"{word} of cookies")
        self.forget("Cookie")

        def run(s: State) -> None:
            left = five_parts.selected(five_parts.cookies(s.fields.pop("Cookie", None)), patterns, keep)
            if left:
                s.fields["Cookie"] = "; ".join(left)
        return Block(f"req.cookie.{word}({shown});", run, False)

    @staticmethod
    def query(s: State, change: Callable[[list[str]], list[str]]) -> None:
        s.fields["url"] = five_parts.with_parameters(s.fields["url"], change(five_parts.parameters(s.fields["url"])))

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
            body = self.block(depth, test.yes)
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
