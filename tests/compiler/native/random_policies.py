"""Random policies as text, as an author could write them: values of every type, fields and variables of three
hooks."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

HOOKS = ("vcl_recv", "vcl_backend_response", "vcl_deliver")
NAMES = ["X-Foo", "Host", "Cookie", "x-c"]
LITERALS = ["", "a", "/a", "/admin", "foo=1; bar=2", "abc", "A.png", "x" * 30, "0"]
PATTERNS = ["^/a", "^/admin$", r"\.png$", "o+(.)", "(?i)FOO", "a|b", "^$", "(\\w)=(\\d)", "/"]
REPLACEMENTS = ["", "z", r"\1", r"<\0>", r"\\", "a\\2b", r"\9\q", "\\"]

FIELDS = {"vcl_recv": "req.http", "vcl_backend_response": "beresp.http", "vcl_deliver": "resp.http"}
TEXTS = {"vcl_recv": ["req.url", "req.method"], "vcl_backend_response": ["bereq.url", "bereq.method", "bereq.http.Host"],
         "vcl_deliver": ["req.url", "req.method", "req.http.Host"]}
INTS = {"vcl_recv": ["req.restarts"], "vcl_backend_response": ["beresp.status", "bereq.retries"],
        "vcl_deliver": ["resp.status", "req.restarts"]}
DURATIONS = {"vcl_recv": ["req.grace"], "vcl_backend_response": ["beresp.ttl", "beresp.grace", "beresp.keep"],
             "vcl_deliver": ["req.grace"]}
BOOLS = {"vcl_recv": ["req.hash_always_miss", "req.esi_"], "vcl_backend_response": ["beresp.uncacheable", "beresp.do_stream"],
         "vcl_deliver": ["req.hash_always_miss"]}
SET_BOOLS = {"vcl_recv": ["req.hash_always_miss", "req.hash_ignore_busy"],
             "vcl_backend_response": ["beresp.uncacheable", "beresp.do_gzip"], "vcl_deliver": ["req.hash_ignore_vary"]}
SET_DURATIONS = {"vcl_recv": ["req.grace", "req.ttl"], "vcl_backend_response": ["beresp.ttl", "beresp.grace", "beresp.keep"],
                 "vcl_deliver": ["req.grace"]}
SET_STATUS = {"vcl_recv": None, "vcl_backend_response": "beresp.status", "vcl_deliver": "resp.status"}
RETURNS = {"vcl_recv": ["hash", "pass", "pipe", "purge", 'synth(404, "no")', "synth(req.restarts + 750)", "fail", 'fail("x")'],
           "vcl_backend_response": ["deliver", "abandon", "pass(10s)", "retry", 'error(503, "e")'],
           "vcl_deliver": ["deliver", "restart", "synth(500)"]}
IP_HOOKS = ("vcl_recv", "vcl_deliver")

HEAD = """vcl 4.1;
import std;
backend default { .host = "127.0.0.1"; .port = "1"; }
backend other { .host = "127.0.0.1"; .port = "2"; }
acl near { "10.0.0.0"/8; ! "10.1.0.0"/16; "10.1.2.0"/24; "::1"; }
"""


class Writer:
    def __init__(self, draw: Callable[[st.SearchStrategy], object], hook: str, subs: list[str]) -> None:
        self.draw, self.hook, self.subs = draw, hook, subs

    def pick(self, options: list) -> object:
        return self.draw(st.sampled_from(options))

    def choice(self, count: int) -> int:
        return self.draw(st.integers(0, count - 1))

    def text(self, depth: int) -> str:
        match self.choice(10 if depth else 4):
            case 0:
                return f'"{self.pick(LITERALS)}"'
            case 1 | 2:
                return f"{FIELDS[self.hook]}.{self.pick(NAMES)}"
            case 3:
                return self.pick(TEXTS[self.hook])
            case 4:
                return f"{self.text(depth - 1)} + {self.text(depth - 1)}"
            case 5:
                name = self.pick(["regsub", "regsuball"])
                return f'{name}({self.text(depth - 1)}, "{self.pick(PATTERNS)}", "{self.pick(REPLACEMENTS)}")'
            case 6:
                return f"{self.pick(['std.toupper', 'std.tolower'])}({self.text(depth - 1)})"
            case 7:
                return f"std.strstr({self.text(depth - 1)}, {self.text(depth - 1)})"
            case 8:
                return f'"" + ({self.pick([self.duration, self.integer])(depth - 1)})'
            case _:
                return f'"" + ({self.condition(depth - 1)})' if self.choice(4) == 0 else f'"" + {self.pick(["now", "other", "1.5"])}'

    def integer(self, depth: int) -> str:
        match self.choice(5 if depth else 2):
            case 0:
                return str(self.pick([0, 1, 2, 7, 999999999999999]))
            case 1:
                return self.pick(INTS[self.hook])
            case 2:
                return f"std.real2integer({self.pick(['1.5', '2.4', '-0.5'])}, {self.integer(depth - 1)})"
            case _:
                return f"({self.integer(depth - 1)} {self.pick(list('+-*/%'))} {self.integer(depth - 1)})"

    def duration(self, depth: int) -> str:
        match self.choice(5 if depth else 2):
            case 0:
                return self.pick(["0s", "1s", "1.5m", "10ms", "1y"])
            case 1:
                return self.pick(DURATIONS[self.hook])
            case 2:
                return f"({self.duration(depth - 1)} {self.pick(list('*/'))} {self.pick(['2', '0.5', '3'])})"
            case _:
                return f"({self.duration(depth - 1)} {self.pick(list('+-'))} {self.duration(depth - 1)})"

    def condition(self, depth: int) -> str:
        match self.choice(10 if depth else 3):
            case 0:
                return f"{FIELDS[self.hook]}.{self.pick(NAMES)}"
            case 1:
                return f"{FIELDS[self.hook]}.{self.pick(NAMES)} {self.pick(['~', '!~'])} \"{self.pick(PATTERNS)}\""
            case 2:
                return self.pick(SET_BOOLS[self.hook])
            case 3:
                return f"{self.text(0)} {self.pick(['==', '!=', '<', '<=', '>', '>='])} {self.text(0)}"
            case 4:
                return f"{self.integer(1)} {self.pick(['==', '!=', '<', '<=', '>', '>='])} {self.integer(1)}"
            case 5:
                return f"{self.duration(1)} {self.pick(['<', '<=', '>', '>='])} {self.duration(1)}"
            case 6:
                return f"!({self.condition(depth - 1)})"
            case 7 if self.hook in IP_HOOKS:
                return f"client.ip {self.pick(['~', '!~'])} near"
            case _:
                return f"({self.condition(depth - 1)} {self.pick(['&&', '||'])} {self.condition(depth - 1)})"

    def statements(self, depth: int) -> str:
        return "\n".join(self.statement(depth) for _ in range(self.draw(st.integers(1, 4))))

    def statement(self, depth: int) -> str:
        status = SET_STATUS[self.hook]
        match self.choice(13):
            case 0 | 1 | 2:
                return f"set {FIELDS[self.hook]}.{self.pick(NAMES)} = {self.text(2)};"
            case 3:
                return f"unset {FIELDS[self.hook]}.{self.pick(NAMES)};"
            case 4:
                return f"std.log({self.text(2)});"
            case 5:
                return f"set {self.pick(SET_DURATIONS[self.hook])} = {self.duration(2)};"
            case 6:
                return f"set {self.pick(SET_BOOLS[self.hook])} = {self.pick(['true', 'false'])};"
            case 7 if self.hook == "vcl_recv":
                return f"set {self.pick(['req.url', 'req.method'])} = {self.text(1)};"
            case 7 if status is not None:
                return f"set {status} = {self.integer(1)};"
            case 8 if self.hook == "vcl_recv":
                return "set req.backend_hint = other;"
            case 8 if self.subs:
                return f"call {self.pick(self.subs)};"
            case 9 if depth < 3:
                return f"return ({self.pick(RETURNS[self.hook])});"
            case _ if depth:
                return self.conditional(depth - 1)
            case _:
                return f'std.log("end" + {self.text(1)});'

    def conditional(self, depth: int) -> str:
        arms = [f"if ({self.condition(2)}) {{\n{self.statements(depth)}\n}}"]
        arms += [f"elseif ({self.condition(2)}) {{\n{self.statements(depth)}\n}}" for _ in range(self.choice(3))]
        if self.choice(2):
            arms.append(f"else {{\n{self.statements(depth)}\n}}")
        return " ".join(arms)


@st.composite
def policies(draw: Callable) -> tuple[str, str]:
    """A hook and a policy that defines it."""
    hook = draw(st.sampled_from(HOOKS))
    lines = [HEAD]
    subs = [f"part{i}" for i in range(draw(st.integers(0, 2)))]
    for number, name in enumerate(subs):
        lines.append(f"sub {name} {{\n{Writer(draw, hook, subs[:number]).statements(2)}\n}}")
    lines.append(f"sub {hook} {{\n{Writer(draw, hook, subs).statements(3)}\n}}")
    return hook, "\n".join(lines)
