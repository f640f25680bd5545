"""Order of evaluation and safety checks of vcl 5.0, each with its value or verdict on the line."""

from __future__ import annotations

import pytest
from five_helpers import HEAD, check, lowered, recv, run

from vernis.ir.facts import ops_of
from support.reference.interpret import run_hook
from vernis.ir.ir import CallSub, Msg
from vernis.ir.passes import run_passes
from support.reference.world import World

A, AB, NONE = {"A": "a"}, {"A": "a", "B": "b"}, {}
DECLARATIONS = """
fn boom(n : INT) -> BOOL { return (1 / n == 1); }
fn text_of(n : INT) -> STRING { return ("n" + 1 / n); }
fn second(a : STRING?, b : STRING?) -> STRING? { return (b); }
fn early(n : INT) -> INT { if (n == 0) { return (7); } return (1 / n); }
sub swap(a : STRING?, b : STRING?) { set req.http.A = b; set req.http.B = a; set req.http.X = (a ?? "-") + (b ?? "-"); }
sub stop(n : INT) { set req.http.X = "in"; if (n == 1) { return; } set req.http.X = "end"; }
sub leave(n : INT) { if (n == 1) { return (purge); } }
"""

ORDER = [  # statements, the fields of the request, what the hook leaves in X; "!" before it: the hook fails behind it
    ('set req.http.X = "1"; let x = 1 / zero; set req.http.X = "2" + x;', NONE, "!1"),
    ('set req.http.X = "1"; let x = 1 % zero; set req.http.X = "2";', NONE, "!1"),
    ('set req.http.X = "1"; if (false && boom(0)) { set req.http.X = "2"; }', NONE, "1"),
    ('set req.http.X = "1"; if (true && boom(0)) { set req.http.X = "2"; }', NONE, "!1"),
    ('set req.http.X = "1"; if (true || boom(0)) { set req.http.X = "2"; }', NONE, "2"),
    ('set req.http.X = "1"; if (false || boom(0)) { set req.http.X = "2"; }', NONE, "!1"),
    ('set req.http.X = "1"; if (boom(0) && false) { set req.http.X = "2"; }', NONE, "!1"),
    ('set req.http.X = "1"; if (boom(0) || true) { set req.http.X = "2"; }', NONE, "!1"),
    ('set req.http.X = "1"; if (!(false && boom(0))) { set req.http.X = "2"; }', NONE, "2"),
    ('set req.http.X = "1"; if (true) { set req.http.X = "2"; } elseif (boom(0)) { set req.http.X = "3"; }', NONE, "2"),
    ('set req.http.X = "1"; if (false) { set req.http.X = "2"; } elseif (boom(0)) { set req.http.X = "3"; }', NONE, "!1"),
    ('let b = false && boom(0); set req.http.X = "v" + b;', NONE, "vfalse"),
    ('let b = true || boom(0); set req.http.X = "v" + b;', NONE, "vtrue"),
    ("set req.http.X = req.http.A ?? text_of(0);", A, "a"),
    ('set req.http.X = "1"; set req.http.X = req.http.A ?? text_of(0);', NONE, "!1"),
    ("set req.http.X = req.http.A ?? req.http.B ?? text_of(0);", {"B": "b"}, "b"),
    ('set req.http.X = "1"; set req.http.X = text_of(0) + (req.http.A ?? "b");', A, "!1"),
    ('set req.http.X = "1"; if (req.http.A == text_of(0)) { set req.http.X = "2"; }', NONE, "!1"),
    ('set req.http.X = "1"; if (req.http.A != text_of(0)) { set req.http.X = "2"; }', NONE, "!1"),
    ('set req.http.X = "1"; if (req.http.A is set && req.http.A == text_of(0)) { set req.http.X = "2"; }', NONE, "1"),
    ('set req.http.X = "1"; set req.http.X = second(text_of(0), "b") ?? "c";', NONE, "!1"),
    ('set req.http.X = second(req.http.A, req.http.B) ?? "c";', A, "c"),
    ('set req.http.X = second(b = req.http.A, a = req.http.B) ?? "c";', A, "a"),
    ('set req.http.X = "v" + early(0);', NONE, "v7"),
    ('set req.http.X = "v" + (early(0) + early(1));', NONE, "v8"),
    ("call swap(req.http.A, req.http.B);", AB, "ab"),
    ("call swap(req.http.B, req.http.A); call swap(req.http.A, req.http.B);", AB, "ab"),
    ("call swap(req.http.A, req.http.B);", A, "a-"),
    ("call stop(1);", NONE, "in"),
    ("call stop(2);", NONE, "end"),
    ('set req.http.X = "1"; call leave(1); set req.http.X = "2";', NONE, "1"),
    ('set req.http.X = "1"; call leave(2); set req.http.X = "2";', NONE, "2"),
    ('switch (req.http.A) { case "a": { set req.http.A = "b"; set req.http.X = "1"; } case "b": { set req.http.X = "2"; } }', A, "1"),
    ('switch (req.http.A) { case "a", "z": { set req.http.X = "1"; } case ~ "a": { set req.http.X = "2"; } }', A, "1"),
    ('switch (req.http.A) { case ~ "a": { set req.http.X = "1"; } case "a": { set req.http.X = "2"; } }', A, "1"),
    ('set req.http.X = "1"; switch (1 / zero) { case 1: { set req.http.X = "2"; } default: { set req.http.X = "3"; } }', NONE, "!1"),
    ('let a = req.http.A ?? "x"; set req.http.A = "b"; set req.http.X = a;', A, "a"),
    ('let mut a = "1"; let b = a; set a = "2"; set req.http.X = b + a;', NONE, "12"),
    ('let mut n = 1; set n = n + n; set n = n * n; set req.http.X = "v" + n;', NONE, "v4"),
    ('let mut n = 10; set n -= 2 + 3; set req.http.X = "v" + n;', NONE, "v5"),
    ('let mut n = 10; set n /= 2 + 3; set req.http.X = "v" + n;', NONE, "v2"),
    ('set req.http.X = "v" + (7 - 2 - 1);', NONE, "v4"),
    ('set req.http.X = "v" + (24 / 4 / 2);', NONE, "v3"),
    ('set req.http.X = "v" + (2 + 3 * 4);', NONE, "v14"),
    ('set req.http.X = "v" + (0 - 7) / 2;', NONE, "v-3"),
    ('set req.http.X = "v" + (0 - 7) % 2;', NONE, "v-1"),
    ('set req.http.X = "v" + -(3);', NONE, "v-3"),
    ('set req.http.X = "" + 1 + 2;', NONE, "12"),
    ('set req.http.X = "<" + (req.http.A ?? "x") + ">";', NONE, "<x>"),
    ('let mut t = ""; for (x in ["a", "b"]) { set t = t + x; set req.http.A = t; } set req.http.X = t + (req.http.A ?? "");', NONE, "abab"),
    ('for (x in ["a", "b", "c"]) { if (x == "b") { return (pass); } set req.http.X = x; }', NONE, "a"),
    ('set req.http.X = "1"; for (n in [1, 0, 2]) { if (boom(n)) { set req.http.X = "v" + n; } }', NONE, "!v1"),
    ('if (req.http.A ~ "^(.)" as m) { set req.http.A = "zz"; set req.http.X = m[1] + (req.http.A ?? ""); }', A, "azz"),
    ('if (req.http.A ~ "^(.)" as m && req.http.B ~ "^(.)" as n) { set req.http.X = m[1] + n[1]; }', AB, "ab"),
    ('if (req.http.A.upper() ~ "(A)" as m) { set req.http.X = m[0]; }', A, "A"),
    ('if (req.http.A.lower() is set) { set req.http.X = "set"; }', {"A": ""}, "set"),
    ("set req.http.X = req.http.A.upper();", {"A": ""}, ""),
    ('set req.http.X = "old"; set req.http.X = req.http.A.upper();', NONE, None),
    ('let x = 900000000000000 * 9000; let y = x + x; set req.http.X = "1";', NONE, "!None"),
    ('let x = 0 - 900000000000000 * 9000; let y = x - 900000000000000 * 9000; set req.http.X = "1";', NONE, "!None"),
    ('let mut x = 900000000000000; for (n in [1, 2, 3]) { set x *= 900000; } set req.http.X = "1";', NONE, "!None"),
]


@pytest.mark.parametrize(("body", "fields", "wanted"), ORDER, ids=[f"{n}-{row[0][:60]}" for n, row in enumerate(ORDER)])
def test_order(body: str, fields: dict[str, str], wanted: str | None) -> None:
    ran = run(recv(f"let zero = 0; {body} return (pass);" if "zero" in body else f"{body} return (pass);", DECLARATIONS), fields)
    if wanted is not None and wanted.startswith("!"):
        assert (ran.action, str(ran.field("X"))) == ("fail", wanted[1:])
    else:
        assert (ran.action != "fail", ran.field("X")) == (True, wanted)


COOKIE, LOGIN, BOTH = {"Cookie": "a=1"}, {"Authorization": "Basic YQ=="}, {"Cookie": "a=1", "Authorization": "Basic YQ=="}
SUBS = "sub store { return (hash); } sub store_it(n : INT) { return (hash); } sub trust { allow (cookie); }"

REQUESTS = [  # statements of vcl_recv; the action for a plain request, with Cookie, with Authorization, with both
    ("", "hash", "pass", "pass", "pass"),
    ("return (hash);", "hash", "pass", "pass", "pass"),
    ("call store;", "hash", "pass", "pass", "pass"),
    ("call store_it(1);", "hash", "pass", "pass", "pass"),
    ("allow (cookie);", "hash", "hash", "pass", "pass"),
    ("allow (authorization);", "hash", "pass", "hash", "pass"),
    ("allow (cookie, authorization);", "hash", "hash", "hash", "hash"),
    ("allow (cookie); return (hash);", "hash", "hash", "pass", "pass"),
    ("allow (authorization); return (hash);", "hash", "pass", "hash", "pass"),
    ("allow (cookie, authorization); return (hash);", "hash", "hash", "hash", "hash"),
    ("allow (cookie); allow (authorization); return (hash);", "hash", "hash", "hash", "hash"),
    ("allow (cookie); call store;", "hash", "hash", "pass", "pass"),
    ("allow (cookie); call store_it(1);", "hash", "hash", "pass", "pass"),
    ("call trust; return (hash);", "hash", "hash", "pass", "pass"),
    ('if (req.url == "/other") { allow (cookie); } return (hash);', "hash", "pass", "pass", "pass"),
    ('if (req.url == "/") { allow (cookie); } return (hash);', "hash", "hash", "pass", "pass"),
    ('if (req.url == "/") { return (hash); } allow (cookie); return (hash);', "hash", "pass", "pass", "pass"),
    ("unset req.http.Cookie; return (hash);", "hash", "hash", "pass", "pass"),
    ("builtin;", "hash", "pass", "pass", "pass"),
    ("builtin; return (hash);", "hash", "pass", "pass", "pass"),
    ("allow (cookie); builtin;", "hash", "hash", "pass", "pass"),
    ("return (pass);", "pass", "pass", "pass", "pass"),
    ("allow (cookie); return (pass);", "pass", "pass", "pass", "pass"),
    ('for (x in ["a"]) { return (hash); }', "hash", "pass", "pass", "pass"),
    ("switch (req.url) { case \"/\": { return (hash); } default: { return (pass); } }", "hash", "pass", "pass", "pass"),
]


@pytest.mark.parametrize(("body", "plain", "cookie", "login", "both"), REQUESTS, ids=[row[0] or "nothing" for row in REQUESTS])
def test_requests_are_not_shared_by_accident(body: str, plain: str, cookie: str, login: str, both: str) -> None:
    text = recv(body, SUBS)
    assert [run(text, {"Host": "h"} | fields).action for fields in (NONE, COOKIE, LOGIN, BOTH)] == [plain, cookie, login, both]


SET_COOKIE, PRIVATE, NO_STORE = {"Set-Cookie": "a=1"}, {"Cache-Control": "private, max-age=9"}, {"Cache-Control": "no-store"}
RESPONSES = [  # statements of vcl_backend_response; whether it is uncacheable: plain, with Set-Cookie, private, no-store
    ("", False, True, True, True),
    ("return (deliver);", False, True, True, True),
    ("set beresp.ttl = 1h; return (deliver);", False, True, True, True),
    ("call give;", False, True, True, True),
    ("call give_it(1);", False, True, True, True),
    ("builtin;", False, True, True, True),
    ("builtin; return (deliver);", False, True, True, True),
    ("allow (set_cookie);", False, False, True, True),
    ("allow (set_cookie); return (deliver);", False, False, True, True),
    ("allow (private); return (deliver);", False, True, False, False),
    ("allow (private, set_cookie); return (deliver);", False, False, False, False),
    ("allow (set_cookie); call give;", False, False, True, True),
    ("unset beresp.http.Set-Cookie; return (deliver);", False, False, True, True),
    ("if (beresp.ttl > 1h) { allow (set_cookie); } return (deliver);", False, True, True, True),
    ("set beresp.uncacheable = true; return (deliver);", True, True, True, True),
]
RESPONSE_SUBS = "sub give { return (deliver); } sub give_it(n : INT) { return (deliver); }"


def response(text: str, fields: dict[str, str], hook: str = "vcl_backend_response") -> World:
    world = World()
    world.variables |= {"beresp_ttl": 120.0, "beresp_grace": 10.0, "beresp_status": 200, "bereq_uncacheable": False, "beresp_uncacheable": False}
    for name, value in fields.items():
        world.messages[Msg["BERESP"]].set(name.encode(), value.encode())
    assert run_hook(lowered(text), hook, world).action.name == "DELIVER"
    return world


@pytest.mark.parametrize(("body", "plain", "cookie", "private", "no_store"), RESPONSES, ids=[row[0] or "nothing" for row in RESPONSES])
def test_responses_are_not_shared_by_accident(body: str, plain: bool, cookie: bool, private: bool, no_store: bool) -> None:
    text = f"{HEAD}{RESPONSE_SUBS}\nsub vcl_backend_response {{ {body} }}"
    found = [response(text, fields).variables["beresp_uncacheable"] for fields in (NONE, SET_COOKIE, PRIVATE, NO_STORE)]
    assert found == [plain, cookie, private, no_store]


def test_a_response_that_stays_uncacheable_keeps_its_lifetime() -> None:
    text = f"{HEAD}sub vcl_backend_response {{ set beresp.uncacheable = true; set beresp.ttl = 5s; return (deliver); }}"
    assert response(text, SET_COOKIE).variables["beresp_ttl"] == 5.0


def test_a_compound_assignment_is_checked() -> None:
    """200 * 2305843009213693955 is 600 in 64 bits."""
    world = World()
    world.variables |= {"beresp_status": 200}
    text = f"{HEAD}fn big() -> INT {{ return (2305843009 * 1000000000 + 213693955); }}\nsub vcl_backend_response {{ set beresp.status *= big(); }}"
    assert run_hook(lowered(text), "vcl_backend_response", world).action.name == "FAIL"


REFUSALS = [  # a policy's subs, and the code; each with a success of its kind below
    ("sub vcl_recv { allow (set_cookie); }", "V748"),
    ("sub vcl_recv { allow (cookies); }", "V748"),
    ("sub vcl_deliver { allow (cookie); }", "V748"),
    ("sub vcl_backend_response { allow (cookie); }", "V748"),
    ("sub s { allow (cookie); } sub vcl_recv { call s; } sub vcl_hit { call s; }", "V748"),
    ("sub s { builtin; } sub vcl_recv { call s; }", "V759"),
    ("sub s { return (hash); } sub vcl_recv { call s; } sub vcl_hit { call s; }", "V405"),
    ("sub s { return (deliver); } sub vcl_deliver { call s; } sub vcl_backend_response { call s; }", "V790"),
    ("sub s { return (deliver); } sub vcl_deliver { call s; }", ""),
    ("sub s { return (deliver); } sub vcl_backend_response { call s; }", ""),
    ("sub s { allow (private); } sub vcl_backend_response { call s; }", ""),
    ("sub vcl_req_host { unset req.http.Host; } sub vcl_recv { if (req.http.Host is set) { builtin; set req.url = req.http.Host; } }", "V731"),
    ("sub vcl_recv { if (req.http.Host is set) { set req.url = req.http.Host; builtin; } }", ""),
    ("sub vcl_recv { if (req_top.http.A is set) { unset req.http.A; set req.url = req_top.http.A; } }", "V731"),
    ("sub vcl_recv { if (req_top.http.A is set) { set req.url = req_top.http.A; unset req.http.A; } }", ""),
    ("sub s { unset req.http.A; } sub vcl_recv { if (req_top.http.A is set) { call s; set req.url = req_top.http.A; } }", "V731"),
    ("sub vcl_deliver { if (req.restarts < 3) { return (restart); } }", ""),
    ("sub vcl_deliver { if (req.restarts == 3) { return (restart); } }", ""),
    ("sub vcl_deliver { if (req.esi_level < 3) { return (restart); } }", "V760"),
    ("sub vcl_backend_response { if (bereq.retries < 3) { return (retry); } }", ""),
    ("sub vcl_backend_response { return (retry); }", "V760"),
]


@pytest.mark.parametrize(("subs", "code"), REFUSALS, ids=[row[0] for row in REFUSALS])
def test_refusals(subs: str, code: str) -> None:
    assert [found.code for found in check(HEAD + subs).findings] == ([code] if code else [])


@pytest.mark.parametrize(("body", "code"), [
    ('let b = req.url ~ "a" is set;', "V219"), ("fn f() -> INT { return (1); } return (1);", "V209"),
    ('if (req.url ~ "(a)" as m == req.http.Y) { return (pass); }', "V219"), ('let b = req.url == "a" is set == "b";', "V219")])
def test_mistakes_that_mutants_found(body: str, code: str) -> None:
    assert code in check(recv(body)).codes


def test_checks_that_no_allow_waives_cost_no_call() -> None:
    """They are short enough to be inlined at each return."""
    body = 'if (req.url == "/") { return (hash); } unset req.http.A; return (hash);'
    hook = run_passes(lowered(recv(body))).functions["vcl_recv"]
    assert ops_of(hook, CallSub) == []
    waived = run_passes(lowered(recv("allow (cookie); " + body))).functions["vcl_recv"]
    assert {call.sub for call in ops_of(waived, CallSub)} == {"vcl_req_cookie"}
