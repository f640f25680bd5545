"""Random policies of vcl 5.0 made of tests of views and locals: ifs, switches, and bodies that change the texts
that views are parts of."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from random_chains import MORE_PATTERNS, MORE_TEXTS
from random_policies import NAMES

HOOK = "vcl_recv"
HEAD = f"""vcl 5.0;
backend default none;
sub {HOOK} {{
    let path = req.url.path;
    let mut word = req.http.{NAMES[0]} ?? "/a";
"""
SUBJECTS = ["path", "path", "word", "req.url.path", "req.url.path", "req.url.ext", 'req.url.query["b"]', 'req.cookie["foo"]', "req.url",
            f"req.http.{NAMES[0]}", f'req.http.{NAMES[1]}.before(";")', 'req.url.query["b"].lower()']
CHANGES = [f'set req.http.{NAMES[0]} = "{{text}}";', f"unset req.http.{NAMES[0]};", 'set req.url = "{text}";', 'set req.url.path = "/" + path;',
           'set word = "{text}";', "set word = req.url.path;", 'req.cookie.remove("foo");', 'set req.http.Cookie = "foo={text}";',
           'req.url.query.remove("b");', f"set req.http.{NAMES[1]} = path + word;"]


class ViewWriter:
    def __init__(self, draw: Callable) -> None:
        self.draw = draw

    def pick(self, items: list[str]) -> str:
        return self.draw(st.sampled_from(items))

    def number(self, least: int, most: int) -> int:
        return self.draw(st.integers(least, most))

    def text(self) -> str:
        return self.pick(MORE_TEXTS).replace('"', "")

    def test(self, subject: str) -> str:
        match self.number(0, 4):
            case 0:
                return f'{subject} ~ "{self.pick(MORE_PATTERNS)}"'
            case 1:
                return f'{subject} {self.pick(["starts", "ends", "contains", "in"])} ["{self.text() or "a"}", "/{self.number(0, 3)}"]'
            case 2:
                return f'{subject} != "{self.text()}"'
            case _:
                return f'{subject} == "{self.text()}"'

    def body(self, depth: int) -> str:
        changes = [self.pick(CHANGES).replace("{text}", self.text() or "/a") for _ in range(self.number(0, 2))]
        nested = [self.chain(depth - 1)] if depth and self.number(0, 3) == 0 else []
        ends = ["return (pass);"] if self.number(0, 7) == 0 else []
        return "\n".join([f'set req.http.{NAMES[2]} = (req.http.{NAMES[2]} ?? "") + "{self.number(0, 99)}";', *changes, *nested, *ends])

    def chain(self, depth: int) -> str:
        subject, own = self.pick(SUBJECTS), self.number(0, 2) > 0
        if self.number(0, 3) == 0:
            texts = sorted({self.text() for _ in range(self.number(1, 8))})
            cases = "".join(f'case "{text}": {{ {self.body(depth)} }}\n' for text in texts)
            return f"switch ({subject}) {{\n{cases}default: {{ {self.body(0)} }}\n}}"
        tests = [self.test(subject if own else self.pick(SUBJECTS)) for _ in range(self.number(1, 7))]
        word = self.pick(["", "else "])
        ifs = [f"{word if at else ''}if ({test}) {{\n{self.body(depth)}\n}}" for at, test in enumerate(tests)]
        return "\n".join(ifs)


@st.composite
def view_chain_policies(draw: Callable) -> tuple[str, str]:
    """The hook, and a policy that defines it."""
    writer = ViewWriter(draw)
    chains = [writer.chain(1) for _ in range(writer.number(2, 5))]
    return HOOK, "\n".join([HEAD, *chains, "}"])
