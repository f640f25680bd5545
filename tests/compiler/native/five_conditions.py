"""Conditions of random policies of vcl 5.0, and what they tell about values that may be absent."""

from __future__ import annotations

from five_meaning import GROUPS, NONE, PATTERNS, SETS, TESTS, VALUES, Condition, Expr, State, Value, compared, keys_of, searched
from five_values import ValueWriter


class ConditionWriter(ValueWriter):
    """Writes conditions. ``known`` are the facts of the point where they stand."""

    def value(self, type: str, depth: int) -> Expr:
        if type != "BOOL":
            return super().value(type, depth)
        found = self.condition(depth)
        return Expr(f"({found.text})", found.run)

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
                return Condition(f"{left.text} {op} {right.text}", lambda s: compared(op, left.run(s), right.run(s)), keys_of(left))
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
            return Condition(f"{value.text} is empty", lambda s: value.run(s) == "", keys_of(value))
        self.use("is set")
        return Condition(f"{value.text} is set", lambda s: value.run(s) is not None, keys_of(value))

    def equal(self, depth: int) -> Condition:
        self.use("==")
        left, right = self.optional(depth), self.value(self.rng.choice(["STRING", "STRING?"]), depth)
        if self.rng.random() < 0.3:
            left, right = right, left
        op, both = self.rng.choice(["==", "!="]), keys_of(left) | keys_of(right)
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
        return Condition(f"{value.text} {op} {shown}", run, keys_of(value))

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
            return Condition(f"{value.text} ~ {shown} as {name}", capture, keys_of(value) | {"~" + name})
        negated = self.rng.random() < 0.3
        op, yes, no = ("!~", NONE, keys_of(value)) if negated else ("~", keys_of(value), NONE)
        return Condition(f"{value.text} {op} {shown}", lambda s: (searched(pattern, value.run(s)) is None) == negated, yes, no)
