"""Views of vcl 5.0 are parsed once for the same text, and tests of views, locals and switches become look-ups in
pattern sets."""

from __future__ import annotations

from collections import Counter

import pytest

from vernis.ir import ir
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from vernis.pipeline import LOWER, Compilation, Options, run_stages

HEAD = "vcl 5.0;\nbackend default none;\n"


def passed(body: str, builtin: bool = False) -> ir.Module:
    text = f"{HEAD}sub vcl_recv {{\n{body}\n}}"
    run = run_stages(Compilation("p", "/p.vcl", text.encode(), Options(builtin=builtin)), LOWER)
    assert not run.failed and run.module is not None, [str(d) for d in run.diagnostics.items]
    return run_passes(run.module, after_each=check_module)


def calls(body: str) -> Counter[str]:
    return Counter(op.extern.symbol for block in passed(body).functions["vcl_recv"].blocks for op in block.ops
                   if isinstance(op, ir.Call))


# ---- parsed once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("body", "parsed"), [
    ("set req.http.A = req.url.path; set req.http.B = req.url.path;", 1),
    ('if (req.url.path == "/a") { set req.http.A = req.url.path; } set req.http.B = req.url.path;', 1),
    ('if (req.http.X is set) { set req.http.A = req.url.path; } set req.http.B = req.url.path;', 2),        # one way has none
    ('if (req.http.X is set) { set req.http.A = req.url.path; } else { set req.http.B = req.url.path; }', 2),
    ('set req.http.A = req.url.path; set req.url = "/b"; set req.http.B = req.url.path;', 2),
    ('set req.http.A = req.url.path; if (req.http.X is set) { set req.url = "/b"; } set req.http.B = req.url.path;', 2),
    ('set req.http.A = req.url.path; set req.http.C = "c"; set req.http.B = req.url.path;', 1),             # no field is in a URL
    ('let a = req.url.path; set req.url = "/b"; set req.http.A = a;', 1),
    ('let mut u = req.url; set req.http.A = u.before("?") ?? ""; set req.http.B = u.before("?") ?? "";', 0),
])
def test_a_path_is_parsed_once_for_each_url(body: str, parsed: int) -> None:
    assert calls(body)["url_path"] == parsed


@pytest.mark.parametrize(("body", "parsed"), [
    ('set req.http.A = req.cookie["a"] ?? ""; set req.http.B = req.cookie["a"] ?? "";', 1),
    ('set req.http.A = req.cookie["a"] ?? ""; set req.http.B = req.cookie["b"] ?? "";', 2),
    ('set req.http.A = req.cookie["a"] ?? ""; set req.http.Cookie = "a=1"; set req.http.B = req.cookie["a"] ?? "";', 2),
    ('set req.http.A = req.cookie["a"] ?? ""; req.cookie.remove("b"); set req.http.B = req.cookie["a"] ?? "";', 2),
])
def test_a_cookie_is_searched_once_for_each_header_and_name(body: str, parsed: int) -> None:
    assert calls(body)["cookie_value"] == parsed


def test_a_changed_local_is_another_text() -> None:
    body = 'let mut u = req.url; set req.http.A = u.lower(); set u = "/b" + req.url; set req.http.B = u.lower();'
    assert calls(body)["text_lower"] == 2


def test_an_accessor_is_not_called_for_a_result_that_is_known() -> None:
    assert calls("set req.http.A = req.url.path; set req.http.B = req.url.path;")["get_req_url"] == 1


# ---- tests in sets -----------------------------------------------------------------------------------------


def switch(n: int, subject: str) -> str:
    return f"switch ({subject}) {{" + "".join(f'case "/{i}": {{ set req.http.A = "{i}"; }}\n' for i in range(n)) + "}"


def ifs(n: int, test: str) -> str:
    return "".join(f'if ({test.format(i=i)}) {{ set req.http.A = "{i}"; }}\n' for i in range(n))


@pytest.mark.parametrize("body", [
    switch(20, "req.url"), switch(20, "req.url.path"), switch(20, 'req.cookie["a"]'), switch(20, 'req.url.query["a"]'),
    "let path = req.url.path;\n" + ifs(20, 'path == "/{i}"'),
    'let mut word = req.http.X ?? "";\n' + ifs(20, 'word == "/{i}"'),
    ifs(20, 'req.url.path == "/{i}"'),
], ids=lambda body: body.splitlines()[0][:24])
def test_twenty_cases_are_one_look_up(body: str) -> None:
    module = passed(body)
    assert [len(chain.sites) for chain in module.chains] == [20]
    assert [found.n for found in module.pattern_sets] == [20]


def test_bodies_may_change_what_a_view_is_of() -> None:
    body = "".join(f'if (req.url.path ~ "^/a{i}/(b|c)$") {{ set req.url = "/{i}"; }}\n' for i in range(20))
    module = passed(body)
    assert [len(chain.sites) for chain in module.chains] == [20]
    dispatch = next(block for block in module.functions["vcl_recv"].blocks if any(isinstance(op, ir.NextMatch) for op in block.ops))
    assert [op.extern.symbol for op in dispatch.ops if isinstance(op, ir.Call)] == ["get_req_url", "url_path"]


def test_views_of_different_names_have_their_own_sets() -> None:
    module = passed("".join(ifs(20, f'req.cookie["{name}"] == "/{{i}}"') for name in "ab"))
    assert [found.n for found in module.pattern_sets] == [20, 20]


def test_matches_of_one_text_outside_of_chains_share_a_set() -> None:
    tests = [f'(req.http.X is set || req.url.path ~ "^/a{i}/(b|c)$")' for i in range(8)]
    module = passed(f'if ({" && ".join(tests)}) {{ return (pass); }}')
    assert [found.n for found in module.pattern_sets] == [8]


# ---- safety checks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("body", "asked"), [
    ("return (hash);", 0),                                        # no way allows anything
    ("allow (cookie); return (hash);", 1),                        # Authorization is not asked for
    ('if (req.url == "/a") { allow (cookie, authorization); } return (hash);', 2),
])
def test_only_checks_that_are_waived_somewhere_are_asked_for(body: str, asked: int) -> None:
    functions = passed(body, builtin=True).functions.values()
    asks = [op for function in functions for block in function.blocks for op in block.ops
            if isinstance(op, ir.Call) and op.extern.symbol == "allowed"]
    assert len(asks) == asked
