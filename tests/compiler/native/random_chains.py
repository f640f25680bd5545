"""Random policies of tests of texts: sequences of ifs, if/elseif, nested and negated ones. Their bodies
change the tested texts."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from random_policies import FIELDS, HEAD, HOOKS, LITERALS, NAMES, PATTERNS, TEXTS, Writer

MORE_PATTERNS = [*PATTERNS, "^/[a-f]", "a$", r"^(?=/a)", r"(.)\1", "^/foo/(a|b)", "[0-9]+", "(?i)^/ADMIN", "^$|x"]
MORE_TEXTS = [*LITERALS, "/admin", "GET", "PURGE", "/foo/a.png?b=1", "/a1", "/"]


class ChainWriter(Writer):
    """Writes mostly tests of few subjects, so that many of them follow each other."""

    def test(self) -> str:
        names = [f"{FIELDS[self.hook]}.{name}" for name in NAMES[:3]]
        subject = self.pick([*TEXTS[self.hook][:2], TEXTS[self.hook][0], *names])
        kind = self.choice(8)
        if kind < 4:
            return f'{subject} {"!~" if kind == 0 else "~"} "{self.pick(MORE_PATTERNS)}"'
        word = f'"{self.pick(MORE_TEXTS)}"'
        return f"{word} == {subject}" if kind == 4 else f"{subject} {'!=' if kind == 5 else '=='} {word}"

    def condition(self, depth: int) -> str:
        match self.choice(7):
            case 0:
                return f"{self.test()} && {self.test()}"
            case 1:
                return f"{self.test()} || {self.test()} || {self.test()}"
            case 2 if depth:
                return super().condition(depth - 1)
            case _:
                return self.test()

    def statements(self, depth: int) -> str:
        return "\n".join(self.statement(depth) for _ in range(self.draw(st.integers(0, 2))))

    def statement(self, depth: int) -> str:
        match self.choice(7):
            case 3:
                return self.substitutions()
            case 0:
                return f'set {FIELDS[self.hook]}.{self.pick(NAMES)} = "{self.pick(MORE_TEXTS)}";'
            case 1 if self.hook == "vcl_recv":
                return f'set req.url = "{self.pick(MORE_TEXTS)}" + regsub(req.url, "{self.pick(PATTERNS)}", "{self.choice(9)}");'
            case 2 if depth:
                return self.chain(depth - 1)
            case _:
                return super().statement(min(depth, 1))

    def substitutions(self) -> str:
        """In one text, so that a set may rule out some of them and others change the text."""
        text = f"{FIELDS[self.hook]}.{self.pick(NAMES[:3])}"
        if self.hook == "vcl_recv" and self.draw(st.booleans()):
            text = "req.url"
        lines = []
        for _ in range(self.draw(st.integers(1, 6))):
            function = self.pick(["regsub", "regsuball"])
            lines.append(f'set {text} = {function}({text}, "{self.pick(MORE_PATTERNS)}", "/{self.choice(9)}");')
        return "\n".join(lines)

    def chain(self, depth: int) -> str:
        return "\n".join(self.conditional(depth) for _ in range(self.draw(st.integers(2, 7))))


@st.composite
def chain_policies(draw: Callable) -> tuple[str, str]:
    """A hook and a policy that defines it. The hook may call a sub that has tests too."""
    hook = draw(st.sampled_from(HOOKS))
    subs = ["part0"] if draw(st.booleans()) else []
    parts = [f"sub {name} {{\n{ChainWriter(draw, hook, []).chain(1)}\n}}" for name in subs]
    writer = ChainWriter(draw, hook, subs)
    calls = [f"call {name};" for name in subs]
    body = [writer.chain(2), *calls, writer.chain(1), *calls]
    return hook, "\n".join([HEAD, *parts, f"sub {hook} {{", *body, "}"])
