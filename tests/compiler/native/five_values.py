"""Texts and numbers of random policies of vcl 5.0, with their meaning."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

import five_parts
from five_meaning import (
    ALWAYS, CONSTS, FIELDS, GROUPS, INTS, METHODS, NAMES, NONE, PARTS, STEPS_MAX, VALUES, Callee, Expr, Facts, Local, State,
    Value, arithmetic, shown,
)


class ValueWriter:
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
        choices = ["literal", "literal", "const", "known", "known", "local", "group", "path"]
        choices += ["group"] * 3 * any("~" + name in self.known for name, _ in self.matches)
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
            case "path" if self.kind != "fn":
                self.use("path")
                return Expr("req.url.path", lambda s: five_parts.path(s.fields["url"]))
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
        choices = ["field", "field", "field", "local", "local", "group", "view"]
        choices += ["group"] * 3 * any("~" + name in self.known for name, _ in self.matches)
        if self.deep(depth):
            choices += ["default", "lower", "call", "there", "part", "row"]
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
            case "view" if self.kind != "fn":
                return self.view()
            case "row":
                return self.row(rng.choice(["WORDS", "PLACES", "NETS"]), depth)
            case "field" if self.kind != "fn":
                return self.field()
            case _ if self.kind != "fn" and rng.random() < 0.7:
                return self.field()
        found = self.locals_of("STRING?")
        return self.read(rng.choice(found)) if found else self.text(0)

    def view(self) -> Expr:
        """A part of the URL or of a field."""
        name, directive = self.rng.choice(five_parts.NAMES), self.rng.choice(five_parts.DIRECTIVE_NAMES)
        match self.rng.randrange(4):
            case 0:
                self.use("ext")
                return Expr("req.url.ext", lambda s: five_parts.extension(s.fields["url"]))
            case 1:
                self.use("query")
                return Expr(f'req.url.query["{name}"]', lambda s: five_parts.named(five_parts.parameters(s.fields["url"]), name))
            case 2:
                self.use("cookie")
                return Expr(f'req.cookie["{name}"]', lambda s: five_parts.named(five_parts.cookies(s.fields.get("Cookie")), name))
        self.use("cache_control")
        return Expr(f'req.cache_control["{directive}"]', lambda s: five_parts.directive(s.fields.get("Cache-Control"), directive))

    def row(self, table: str, depth: int) -> Expr:
        """A look-up in a table."""
        _, kind, _, _ = five_parts.TABLES[table]
        self.use(f"table by {kind}")
        key = self.optional(depth - 1) if self.rng.random() < 0.6 else self.text(depth - 1)
        shown = f"ip({key.text})" if kind == "ip" else key.text
        return Expr(f"{table}[{shown}]", lambda s: five_parts.look_up(table, key.run(s)))

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
        raise AssertionError(type)

    # ---- numbers

    def number(self, depth: int) -> Expr:
        rng = self.rng
        choices = ["literal", "local", "local"] + ["sum", "product", "minus", "call", "length", "int", "row"] * self.deep(depth)
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
            case "row":
                if rng.random() < 0.5:
                    return self.row("TOPS", depth)
                row, number = self.row("HOSTS", depth), self.number(depth - 1)
                return Expr(f"({row.text} ?? ({number.text}))", lambda s: number.run(s) if (found := row.run(s)) is None else found)
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
