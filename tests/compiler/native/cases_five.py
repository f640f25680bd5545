"""Small policies of vcl 5.0 with what they must do, for the seeded mistakes of test_native_seeded_five.py.

A case is a body of a hook and its declarations, a request, and the value of field X behind the hook: None if it is unset. An action
in angle brackets is one that the hook returns. A code such as V731 is the refusal of a policy that may use an absent value.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vernis.ir.costs import costs_of
from support.reference.interpret import run_hook
from vernis.ir.ir import Msg
from vernis.ir.lower import lower
from support.reference.verify import check_module
from support.reference.world import World
from support.reference.values import Ip
from vernis.semantics.check import analyse
from vernis.semantics.options import Options
from vernis.semantics.vocabulary import grammar_text
from vernis.syntax.parser import ParseOptions, parse_text
from vernis.syntax.source import SourceFile

HEAD = 'vcl 5.0; backend origin { .host = "192.0.2.1"; } backend other { .host = "192.0.2.2"; }\n'
BUILTIN = SourceFile("builtin.vcl", grammar_text("builtin.vcl"))
WARNINGS = ("V602", "V732")


@dataclass(slots=True, frozen=True)
class Case:
    body: str
    wanted: str | None
    declarations: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    url: str = "/a/b.html?x=1&y=2&x=3"
    hook: str = "vcl_recv"
    message: str = "req"        # whose X tells the result

    def found(self) -> str | None:
        """The result of the compiler and the interpreter."""
        text = f"{HEAD}{self.declarations}\nsub {self.hook} {{ {self.body} }}\n"
        program, syntax = parse_text(text, options=ParseOptions(builtin=BUILTIN))
        checked, more = analyse(program, Options(resolver=lambda host: []))
        codes = [item.code for item in (*syntax.items, *more.items) if item.code not in WARNINGS]
        if codes:
            return codes[0]
        module = lower(checked)
        check_module(module)
        world = World()
        for side in ("req", "bereq"):
            world.variables |= {f"{side}_method": b"GET", f"{side}_url": self.url.encode(), f"{side}_proto": b"HTTP/1.1"}
        world.variables |= {"client_ip": Ip(b"\xc0\x00\x02\x09"), "beresp_ttl": 100.0, "beresp_uncacheable": False, "bereq_uncacheable": False,
                            "beresp_status": 200}
        for name, value in self.fields.items():
            world.messages[Msg[self.message.upper()]].set(name.encode(), value.encode())
        outcome = run_hook(module, self.hook, world)
        if self.wanted is not None and self.wanted.startswith("headers "):
            return f"headers {costs_of(module)[self.hook].headers}"
        if self.wanted is not None and self.wanted.startswith("<"):
            return f"<{outcome.action.name.lower()}{' uncacheable' * bool(world.variables['beresp_uncacheable'])}>"
        value = world.messages[Msg[self.message.upper()]].get(b"X")
        return "fail" if outcome.why is not None else None if value is None else value.decode()


def _x(value: str) -> str:
    return f"set req.http.X = {value}; return (pass);"


COOKIES = {"Cookie": "a=1; b=2; c=3"}
TABLES = """table names : STRING by exact ["k" => "first", "l" => "second"];
table numbers : INT by prefix ["/a" => 5, "/a/b" => 0, default => 9];
table hosts : BOOL by suffix ["example.com" => true];
table nets : STRING by ip ["192.0.2.0"/24 => "near", "192.0.2.8"/30 => "nearer", "10.0.0.0"/8 => "far"];
table origins : BACKEND by exact ["b" => other, default => origin];"""
NEEDS = "let needed : STRING = "

CASES = {
    # parsed views
    "part of a query": Case(_x('req.url.query["y"]'), "2"),
    "path": Case(_x("req.url.path"), "/a/b.html"),
    "query keeps": Case('req.url.query.keep("x"); ' + _x("req.url"), "/a/b.html?x=1&x=3"),
    "query removes two": Case('req.url.query.remove("n", "x"); ' + _x("req.url"), "/a/b.html?y=2"),
    "query without parts": Case('req.url.query.remove("*"); ' + _x("req.url"), "/a/b.html"),
    "path set": Case('set req.url.path = "/p"; ' + _x("req.url"), "/p?x=1&y=2&x=3"),
    "cookie of which nothing is left": Case('req.cookie.keep("z"); if (!(req.http.Cookie is set)) { ' + _x('"gone"') + " }", "gone",
                                            fields=COOKIES),
    "cookie that may be gone": Case(f'if (req.http.Cookie is set) {{ req.cookie.keep("z"); {NEEDS}req.http.Cookie; }}', "V731"),
    "cookie is absent": Case(_x('req.cookie["d"] ?? "none"'), "none", fields=COOKIES),
    "part that may be absent": Case(f'{NEEDS}req.cookie["d"];', "V731"),
    # tables
    "first row": Case(_x('names["k"] ?? "none"'), "first", TABLES),
    "number of the first row": Case(_x('numbers[req.http.Key ?? "/a"]'), "5", TABLES),
    "last row": Case(_x('names["l"] ?? "none"'), "second", TABLES),
    "no row": Case(_x('names["m"] ?? "none"'), "none", TABLES),
    "default of a table": Case(_x('numbers[req.http.Key ?? "/z"]'), "9", TABLES),
    "longest prefix": Case(_x('numbers["/a/b/c"]'), "0", TABLES),
    "value of an optional row": Case('if (let h = hosts["www.example.com"]) { ' + _x('"h" + h') + " } " + _x('"none"'), "htrue", TABLES),
    "absent key": Case(_x('names[req.http.None] ?? "none"'), "none", TABLES),
    "longest network": Case(_x("nets[client.ip]"), "nearer", TABLES),
    "network of an absent address": Case(_x("nets[ip(req.http.None)]"), None, TABLES),
    "backend of a row": Case(_x('origins["b"]'), "other", TABLES),
    "row that may be absent": Case(f'{NEEDS}names["k"];', "V731", TABLES),
    # sets
    "set with signs": Case('if ("/axb" in ["/a.b", "/c"]) { ' + _x('"dot"') + " } " + _x('"none"'), "none"),
    "set at the end": Case('if (req.url.path ends [".htm", ".html"]) { ' + _x('"end"') + " } " + _x('"none"'), "end"),
    # switch
    "second label": Case('switch (req.http.A) { case "x", "a": { ' + _x('"2"') + " } default: { " + _x('"d"') + " } }", "2", fields={"A": "a"}),
    "second case": Case('switch (req.http.A.lower()) { case "x": { ' + _x('"1"') + ' } case "a": { ' + _x('"2"') + " } }", "2",
                        fields={"A": "A"}),
    "switch without default": Case(f'switch (req.http.A) {{ case "a": {{ set req.http.B = "b"; }} }} {NEEDS}req.http.B;', "V731"),
    # for
    "value that the loop takes away": Case(f'if (req.http.A is set) {{ for (i in [1, 2]) {{ {NEEDS}req.http.A; unset req.http.A; }} }}', "V731"),
    "loop in order": Case('let mut t = ""; for (x in ["a", "b", "c"]) { set t += x; } ' + _x("t"), "abc"),
    "loop over a table": Case('let mut t = ""; for (k in names) { set t += k; } ' + _x("t"), "kl", TABLES),
    # captures
    "group of a changed local": Case('let mut v = req.http.A; if (v ~ "(.)" as m) { set v = "z"; ' + _x("m[1]") + " }", "a", fields={"A": "a"}),
    "group that may be missing": Case(f'if (req.url ~ "^/(a)?(z)?" as m) {{ {NEEDS}m[2]; }}', "V731"),
    "match that failed": Case(f'if (req.url ~ "(a)" as m) {{ }} else {{ {NEEDS}m[1]; }}', "V744"),
    # whole numbers
    "sum that overflows": Case("let n = 900000000000000 * 9000; " + "if (n + n < n) { " + _x('"wrapped"') + " }", "fail"),
    "smallest number turned round": Case("let n = 32768 * 32768 * 32768 * 32768 * 4; let least = (-n) - n; "
                                         'if (-(least) == least) { ' + _x('"same"') + " } " + _x('"other"'), "fail"),
    "minus in place": Case("let mut n = 7; set n -= 2; " + _x('"" + n'), "5"),
    # defaults
    "default of a number": Case(_x('int(req.http.A) ?? 7'), "7", fields={"A": "x"}),
    "default that is a default": Case(_x('req.http.A ?? req.http.B ?? "c"'), "b", fields={"B": "b"}),
    "absent text before another": Case(
        "if (" + " || ".join(f'req.http.A {op} "b" || "b" {op} req.http.A' for op in ("<", "<=", ">", ">=")) + ") { " + _x('"yes"') + " } "
        + _x('"no"'), "no"),
    # what conditions tell
    "not": Case(f"if (!(req.http.A is set)) {{ {NEEDS}req.http.A; }}", "V731"),
    "not both": Case(f"if (!(req.http.A is set && req.http.B is set)) {{ return (pass); }} {NEEDS}req.http.B; " + _x("needed"), "b",
                     fields={"A": "a", "B": "b"}),
    "one of two": Case(f"if (req.http.A is set || req.http.B is set) {{ {NEEDS}req.http.A; }}", "V731"),
    "neither of two": Case(f"if (!(req.http.A is set) && !(req.http.B is set)) {{ return (pass); }} {NEEDS}req.http.A;", "V731"),
    "else": Case(f"if (req.http.A is set) {{ }} else {{ {NEEDS}req.http.A; }}", "V731"),
    "behind an if": Case(f"if (req.http.A is set) {{ set req.http.B = req.http.A; }} {NEEDS}req.http.A;", "V731"),
    "unset": Case(f"if (req.http.A is set) {{ unset req.http.A; {NEEDS}req.http.A; }}", "V731"),
    "changed local": Case(f'let mut v : STRING? = "a"; set v = req.http.A; {NEEDS}v;', "V731"),
    "sub with arguments": Case(f"if (req.http.A is set) {{ call s(1); {NEEDS}req.http.A; }}", "V731", "sub s(n : INT) { unset req.http.A; }"),
    "sub": Case(f"if (req.http.A is set) {{ call s; {NEEDS}req.http.A; }}", "V731", "sub s { unset req.http.A; }"),
    "sub of a sub": Case(f"if (req.http.A is set) {{ call s; {NEEDS}req.http.A; }}", "V731", "sub s { call t; } sub t { unset req.http.A; }"),
    "sub with an edit": Case(f"if (req.http.Cookie is set) {{ call s; {NEEDS}req.http.Cookie; }}", "V731", 'sub s { req.cookie.keep("a"); }'),
    # functions and subs
    "function in its own arguments": Case(_x('j("a", j("b", "c"))'), "abc", "fn j(a : STRING, b : STRING) -> STRING { return (a + b); }"),
    "arguments by name": Case(_x('j(b = "b", a = "a")'), "ab", "fn j(a : STRING, b : STRING) -> STRING { return (a + b); }"),
    "absent number of a function": Case(_x("n(req.http.A) ?? 7"), "7", "fn n(a : STRING?) -> INT? { return (int(a)); }"),
    "return in the middle of a function": Case(_x("m(5)"), "big", 'fn m(n : INT) -> STRING { if (n > 3) { return ("big"); } return ("small"); }'),
    # safety
    "two words of allow": Case("allow (cookie, authorization); return (hash);", "<hash>",
                               fields={"Host": "h", "Cookie": "a", "Authorization": "b"}),
    "allow is needed": Case("return (hash);", "<pass>", fields={"Host": "h", "Cookie": "a=1"}),
    "the other word of allow": Case("allow (authorization); return (hash);", "<pass>", fields={"Host": "h", "Cookie": "a"}),
    "response with Set-Cookie": Case("return (deliver);", "<deliver uncacheable>", fields={"Set-Cookie": "a=1"}, hook="vcl_backend_response",
                                     message="beresp"),
    "response that is private": Case("return (deliver);", "<deliver uncacheable>", fields={"Cache-Control": "private"},
                                     hook="vcl_backend_response", message="beresp"),
    # costs
    "the dearer way counts": Case('if (req.http.A is set) { set req.http.X = "a"; set req.http.B = "b"; } '
                                  'else { set req.http.X = "c"; } return (pass);', "headers 2"),
    "a loop counts each round": Case('for (i in ["a", "b", "c"]) { set req.http.X = i; } return (pass);', "headers 3"),
    "a sub counts where it is called": Case("call s; call s; return (pass);", "headers 2", 'sub s { set req.http.X = "a"; }'),
}
