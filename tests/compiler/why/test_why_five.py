"""`vernis why` on policies of vcl 5.0: reasons, changes that make a hit, and steps in the words of the policy."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from situations import COOKIE, MINUTE, Situation, ask, say, twice

from vernis import pipeline
from vernis.ir import ir
from vernis.ir.telling import Told, tell
from vernis.pipeline import Compilation, Options
from vernis.trial.world import Host
from vernis.why.explain import explain
from vernis.why.inquiry import Inquiry, Sent
from vernis.why.play import is_fresh_hit

HEAD = 'vcl 5.0;\nbackend main { .host = "origin.invalid"; }\n'
SITUATIONS = (
    Situation("a cookie by name", "pass", "pass-policy", twice(ask(fields={"Cookie": "_ga=1; session=2"})),
              'sub vcl_recv {\n    if (req.cookie["session"] is set) { return (pass); }\n    unset req.http.Cookie;\n}', 2),
    Situation("a check that return (hash) does not skip", "pass", "pass-cookie", twice(ask(fields=COOKIE)),
              "sub vcl_recv {\n    return (hash);\n}"),
    Situation("credentials", "pass", "pass-authorization", twice(ask(fields={"Authorization": "Basic eDp5"})),
              "sub vcl_recv {\n    allow (cookie);\n    return (hash);\n}"),
    Situation("Set-Cookie behind return (deliver)", "hit-for-miss", "set-cookie", twice(ask(answer=say(Set_Cookie="s=1"))),
              "sub vcl_backend_response {\n    return (deliver);\n}"),
    Situation("private behind return (deliver)", "hit-for-miss", "cache-control", twice(ask(answer=say(Cache_Control="private, max-age=60"))),
              "sub vcl_backend_response {\n    allow (set_cookie);\n    return (deliver);\n}"),
    Situation("a case of a switch", "pass", "pass-policy", twice(ask(fields={"X-Mode": "live"})),
              'sub vcl_recv {\n    switch (req.http.X-Mode) {\n        case "live", "draft": { return (pass); }\n        default: { }\n    }\n}', 3),
    Situation("a row of a table", "synth", "synth-policy", twice(ask("/old")),
              'table moved : STRING by exact ["/old" => "/new"];\n'
              "sub vcl_recv {\n    if (let to = moved[req.url.path]) {\n        return (synth(301, to));\n    }\n}", 4),
    Situation("a word of a set", "pass", "pass-policy", twice(ask("/admin/x")),
              'set PRIVATE ["/admin/", "/account/"];\nsub vcl_recv {\n    if (req.url starts PRIVATE) { return (pass); }\n}', 3),
    Situation("a word of a loop", "pass", "pass-policy", twice(ask("/b")),
              'sub vcl_recv {\n    for (word in ["/a", "/b"]) {\n        if (req.url == word) { return (pass); }\n    }\n}', 3),
    Situation("a parameter of the query", "pass", "pass-policy", twice(ask("/a?x=1&preview=1")),
              'sub vcl_recv {\n    if (req.url.query["preview"] == "1") { return (pass); }\n}', 2),
    Situation("a sub with parameters", "synth", "synth-policy", twice(ask("/old")),
              'sub deny(status : INT) {\n    return (synth(status));\n}\nsub vcl_recv { if (req.url == "/old") { call deny(410); } }', 2),
    Situation("a rule with a name", "pass", "pass-policy", twice(ask("/admin")),
              'sub vcl_recv {\n    @rule("admin", owner = "web")\n    if (req.url == "/admin") {\n        return (pass);\n    }\n}', 4),
    Situation("a failure of arithmetic", "failure", "policy-failed", twice(ask("/a?n=0")),
              'sub vcl_recv {\n    let n = int(req.url.query["n"]) ?? 1;\n    set req.http.X-N = 10 / n;\n}', 3),
    Situation("the number of the query decides the key", "miss", "other-key", (ask("/list?page=1", answer=MINUTE), ask("/list?page=2", answer=MINUTE)),
              "sub vcl_recv {\n    req.url.query.sort();\n}"),
)


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: s.name)
def test_a_situation(host: Host, situation: Situation) -> None:
    inquiry = Inquiry("p.vcl", situation.sent[-1], situation.sent[:-1], text=(HEAD + situation.policy + "\n").encode())
    found = explain(host, inquiry)
    assert (found.verdict.decision, found.verdict.reason) == (situation.decision, situation.reason)
    lines = [one.place.line - HEAD.count("\n") for one in found.verdict.deciders if one.place.file == 0]
    assert situation.at == 0 or situation.at in lines
    assert found.changes
    for change in found.changes:
        assert is_fresh_hit(explain(host, change.apply(found.inquiry), with_changes=False).played), change.what


@pytest.mark.parametrize(
    ("sent", "policy", "what"),
    [
        (twice(ask(fields=COOKIE)), "sub vcl_recv {\n    return (hash);\n}", "at the start of vcl_recv, add: unset req.http.Cookie;"),
        (twice(ask(fields=COOKIE)), "sub vcl_deliver { }", "behind line 1, add: sub vcl_recv { unset req.http.Cookie; }"),
        (
            twice(ask(fields=COOKIE, answer=MINUTE)),
            "sub vcl_recv {\n    if (!req.http.Cookie is set) { return (pass); }\n    return (hash);\n}",
            "at the start of vcl_recv, add: allow (cookie);",
        ),
        (
            (ask("/a?n=1", answer=MINUTE), ask("/a?n=2", answer=MINUTE)),
            "sub vcl_recv {\n    set req.http.X-Seen = req.url;\n}",
            "at the start of vcl_recv, add: set req.url = req.url.path;",
        ),
        (
            twice(ask(answer=say(Set_Cookie="s=1", Cache_Control="max-age=60"))),
            'sub vcl_backend_response {\n    set beresp.http.Set-Cookie = "lb=1";\n}',
            "at the end of vcl_backend_response, add: unset beresp.http.Set-Cookie;",
        ),
    ],
)
def test_a_change_of_the_policy_keeps_its_one_definition_of_a_hook(host: Host, sent: tuple[Sent, ...], policy: str, what: str) -> None:
    inquiry = Inquiry("p.vcl", sent[-1], sent[:-1], text=(HEAD + policy + "\n").encode())
    assert what in [change.what for change in explain(host, inquiry).changes]


DECLARATIONS = """table texts : STRING by exact ["/a" => "b"];
table numbers : INT by prefix ["/a" => 7];
table nets : STRING by ip ["192.0.2.0"/24 => "office", default => "none"];
"""
STEPS = [  # a statement, the values that it reads and tests
    ("set req.http.X = req.url.path;", {"req.url", "req.url.path"}),
    ('set req.http.X = req.url.query["a"] ?? "";', {"req.url", 'req.url.query["a"]'}),
    ('if (req.cookie["a"] is set) { }', {"req.http.Cookie", 'req.cookie["a"]'}),
    ('set req.http.X = req.cache_control["max-age"];', {"req.http.Cache-Control", 'req.cache_control["max-age"]'}),
    ('req.url.query.remove("utm_*", "gclid");', {"req.url"}),
    ("req.url.query.sort();", {"req.url"}),
    ('set req.url.path = "/b";', {"req.url"}),
    ("if (let to = texts[req.url]) { set req.http.X = to; }", {"req.url", "texts[req.url]"}),
    ("if (let n = numbers[req.url]) { set req.http.X = n; }", {"req.url", "numbers[req.url]", "numbers[req.url] is set"}),
    ("set req.http.X = nets[client.ip];", {"client.ip", "nets[client.ip]", "nets[client.ip] is set"}),
    ('if (req.url ~ "^/(a)" as m) { set req.http.X = m[1]; }', {"req.url", 'req.url ~ "^/(a)"', '(req.url ~ "^/(a)")[1]'}),
    ("if ((int(req.http.N) ?? 0) > 3) { }", {"req.http.N", "int(req.http.N)", "int(req.http.N) is set", "... > 3"}),
    ('set req.http.X = req.http.A.before(".");', {"req.http.A", 'req.http.A.before(".")'}),
    ("set req.http.X = req.url.lower();", {"req.url", "req.url.lower()"}),
]


def told_of(body: str) -> tuple[ir.Module, tuple[Told, ...]]:
    text = f"{HEAD}{DECLARATIONS}sub vcl_recv {{ {body} allow (cookie); return (hash); }}"
    run = pipeline.run_stages(Compilation("p", "p.vcl", text.encode(), Options(err_unref=False)), pipeline.LOWER)
    assert not run.failed and run.module is not None, pipeline.rendered_diagnostics(run)
    return tell(run.module)


@pytest.mark.parametrize(("statement", "names"), STEPS, ids=[row[0] for row in STEPS])
def test_steps_have_the_words_of_the_policy(statement: str, names: set[str]) -> None:
    module, told = told_of(statement)
    own = {one.name for one in told if one.kind in ("read", "test") and one.type is not None and module.sites[one.site].file == 0}
    assert own == names


def test_no_step_names_a_function_of_the_lowering() -> None:
    body = " ".join(statement for statement, _ in STEPS)
    words = {word for one in told_of(body)[1] for word in re.findall(r"\w+(?=\()", one.name)}
    assert words & set(ir.VOCABULARY.internal) == set() and "int" in words
