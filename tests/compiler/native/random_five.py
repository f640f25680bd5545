"""Random policies of vcl 5.0 with their meaning: every part of a policy is a text and a Python function that says what it does.

A policy sets request fields; the model says which fields a request has behind vcl_recv, and what the hook returns. five_meaning.py has
the meaning, the files beside it write values, conditions and statements.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import five_parts
from five_meaning import CONSTS, FIELDS, NONE, SETS, VALUES, Block, Callee, Local, Policy, Returned, State, Value, shown_params
from five_statements import StatementWriter


class Writer(StatementWriter):
    """Writes functions, subs and the whole policy."""

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
        return f"fn {name}({shown_params(params)}) -> {result} {{\n{body.text}\n{last.text}\n}}"

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
        return f"sub {name}({shown_params(params)}) {{\n{body.text}\n}}"

    def begin(self, kind: str, params: Iterable[Local]) -> None:
        self.kind, self.scope, self.matches, self.known, self.loops = kind, list(params), [], NONE, 0

    def policy(self) -> Policy:
        parts = [self.function() for _ in range(self.rng.choice([0, 1, 2]))] + [self.sub() for _ in range(self.rng.choice([0, 0, 1]))]
        self.begin("hook", [])
        body = self.statements(3)
        last = "" if body.ends else "return (pass);"
        head = ["vcl 5.0;", 'backend origin { .host = "192.0.2.1"; }',
                *(f"set {name} [{', '.join(map(self.quoted, items))}];" for name, items in SETS.items()),
                *map(five_parts.declared, five_parts.TABLES),
                *(f'const {name} = "{value}";' for name, value in CONSTS.items())]
        return Policy("\n".join([*head, *parts, f"sub vcl_recv {{\n{body.text}\n{last}\n}}"]) + "\n", body.run, self.uses)


def random_five(rng: random.Random, probes: int = 0) -> Policy:
    return Writer(rng, probes).policy()


def random_fields(rng: random.Random) -> dict[str, str]:
    """A request: its fields, and its URL as the field ``url``."""
    fields = {name: rng.choice(VALUES) for name in FIELDS if rng.random() < 0.7}
    for name, more in (("Cookie", five_parts.COOKIES), ("Cache-Control", five_parts.DIRECTIVES)):
        if rng.random() < 0.6:
            fields[name] = rng.choice(more)
    return fields | {"url": rng.choice(five_parts.URLS)}
