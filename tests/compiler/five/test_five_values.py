"""Values of vcl 5.0: absence, narrowing, order, locals, functions, sets, captures. Each row is a hook's text, the request's fields,
and what the hook leaves in X (None: unset; "fail": the hook failed)."""

from __future__ import annotations

import pytest
from five_helpers import check, recv, run

A, B, NONE = {"A": "a"}, {"A": "b"}, {}
YES_NO = 'set req.http.X = "no"; if (%s) { set req.http.X = "yes"; }'

CONDITIONS = [  # a condition about header A; then what it gives for A: a, for A: b, and without A
    ('req.http.A == "a"', "yes", "no", "no"),
    ('req.http.A != "a"', "no", "yes", "yes"),
    ('!(req.http.A == "a")', "no", "yes", "yes"),
    ('!(req.http.A != "a")', "yes", "no", "no"),
    ('req.http.A ~ "a"', "yes", "no", "no"),
    ('req.http.A !~ "a"', "no", "yes", "yes"),
    ('!(req.http.A ~ "a")', "no", "yes", "yes"),
    ('req.http.A ~ ""', "yes", "yes", "no"),
    ('req.http.A !~ ""', "no", "no", "yes"),
    ('req.http.A ~ "^x?"', "yes", "yes", "no"),
    ('req.http.A < "b"', "yes", "no", "no"),
    ('req.http.A <= "b"', "yes", "yes", "no"),
    ('req.http.A > "a"', "no", "yes", "no"),
    ('req.http.A >= "a"', "yes", "yes", "no"),
    ('!(req.http.A > "a")', "yes", "no", "yes"),
    ('"a" < req.http.A', "no", "yes", "no"),
    ('"a" == req.http.A', "yes", "no", "no"),
    ('"a" != req.http.A', "no", "yes", "yes"),
    ('req.http.A == req.http.A', "yes", "yes", "no"),
    ('req.http.A != req.http.A', "no", "no", "yes"),
    ('req.http.A == req.http.Nothing', "no", "no", "no"),
    ('req.http.A != req.http.Nothing', "yes", "yes", "yes"),
    ('req.http.A in ["a", "c"]', "yes", "no", "no"),
    ('req.http.A in ["a"]', "yes", "no", "no"),
    ('req.http.A in ["", "a"]', "yes", "no", "no"),
    ('!(req.http.A in ["a", "c"])', "no", "yes", "yes"),
    ('req.http.A starts "a"', "yes", "no", "no"),
    ('req.http.A starts ""', "yes", "yes", "no"),
    ('req.http.A ends ["a", "x"]', "yes", "no", "no"),
    ('req.http.A contains "b"', "no", "yes", "no"),
    ("req.http.A is set", "yes", "yes", "no"),
    ("!req.http.A is set", "no", "no", "yes"),
    ("!(req.http.A is set)", "no", "no", "yes"),
    ("req.http.A is empty", "no", "no", "no"),
    ("!(req.http.A is empty)", "yes", "yes", "yes"),
    ('(req.http.A ?? "b") == "b"', "no", "yes", "yes"),
    ('req.http.A ?? req.http.Nothing == "b"', "no", "yes", "no"),
    ('req.http.A is set && req.http.A == "a"', "yes", "no", "no"),
    ('req.http.A == "a" || req.http.A == "b"', "yes", "yes", "no"),
    ('req.http.A is set || req.url == "/"', "yes", "yes", "yes"),
    ('req.http.A.lower() == "a"', "yes", "no", "no"),
    ('req.http.A.lower() != "a"', "no", "yes", "yes"),
    ("true", "yes", "yes", "yes"),
]


@pytest.mark.parametrize(("condition", "for_a", "for_b", "without"), CONDITIONS, ids=[row[0] for row in CONDITIONS])
def test_conditions(condition: str, for_a: str, for_b: str, without: str) -> None:
    text = recv(YES_NO % condition)
    assert [run(text, fields).field("X") for fields in (A, B, NONE)] == [for_a, for_b, without]


VALUES = [  # statements that set X, the fields of the request, X
    ("set req.http.X = req.http.A;", A, "a"),
    ("set req.http.X = req.http.A;", NONE, None),
    ('set req.http.X = "old"; set req.http.X = req.http.A;', NONE, None),
    ('set req.http.X = req.http.A ?? "d";', NONE, "d"),
    ('set req.http.X = req.http.A ?? req.http.B ?? "d";', {"B": "2"}, "2"),
    ("set req.http.X = req.http.A ?? req.http.B;", NONE, None),
    ('if (req.http.A is set) { set req.http.X = "<" + req.http.A + ">"; }', A, "<a>"),
    ('if (!(req.http.A is set)) { return (pass); } set req.http.X = "<" + req.http.A;', A, "<a"),
    ('if (req.http.A == "a") { set req.http.X = "<" + req.http.A; }', A, "<a"),
    ('if (req.http.A != "a") { return (pass); } else { set req.http.X = "<" + req.http.A; }', A, "<a"),
    ('if (req.http.A ~ "^a" && req.url == "/") { set req.http.X = "<" + req.http.A; }', A, "<a"),
    ('if (let a = req.http.A) { set req.http.X = a + "!"; }', A, "a!"),
    ('if (let a = req.http.A) { set req.http.X = a; } else { set req.http.X = "none"; }', NONE, "none"),
    ('if (let a = req.http.N) { set req.http.X = a; } elseif (let b = req.http.A) { set req.http.X = b; }', A, "a"),
    ('let a = req.http.A; if (a is set) { set req.http.X = a + a; }', A, "aa"),
    ('let a = req.http.A; unset req.http.A; set req.http.X = a;', A, "a"),
    ('let mut n = 1; set n = n + 2; set n *= 2; set req.http.X = "" + n;', NONE, "6"),
    ('let mut t : STRING? = req.http.A; set t = "z"; set req.http.X = t + "!";', NONE, "z!"),
    ('let mut t = "z"; if (req.http.A is set) { set t = req.http.A; } set req.http.X = t;', A, "a"),
    ('let d = 5m; if (d == 300s) { set req.http.X = "same"; }', NONE, "same"),
    ('let b : BYTES = 2KB; set req.http.X = "" + b;', NONE, "2048"),
    ("set req.http.X = twice(3);", NONE, "6"),
    ("set req.http.X = twice(twice(1) + 1);", NONE, "6"),
    ('set req.http.X = pick(req.http.A) ?? "absent";', NONE, "absent"),
    ('set req.http.X = pick(req.http.A) ?? "absent";', A, "was a"),
    ('call put("v", req.http.A); ', A, "v"),
    ('call put("v", req.http.A); ', NONE, None),
    ('switch (req.http.A) { case "a": { set req.http.X = "1"; } case "b", "c": { set req.http.X = "2"; } }', B, "2"),
    ('switch (req.http.A) { case "a": { set req.http.X = "1"; } default: { set req.http.X = "d"; } }', NONE, "d"),
    ('switch (req.http.A) { case ~ "": { set req.http.X = "1"; } default: { set req.http.X = "d"; } }', NONE, "d"),
    ('switch (1 + 1) { case 1: { set req.http.X = "1"; } case 2: { set req.http.X = "2"; } }', NONE, "2"),
    ('let mut t = ""; for (x in ["1", "2", "3"]) { set t = t + x; } set req.http.X = t;', NONE, "123"),
    ('let mut t = ""; for (x in WORDS) { if (x == "two") { set req.http.X = x; } }', NONE, "two"),
    ('let mut n = 0; for (x in [1, 2]) { for (y in [10, 20]) { set n += x * y; } } set req.http.X = "" + n;', NONE, "90"),
    ('if (req.http.A ~ "^(.)(z)?" as m) { set req.http.X = m[1]; }', A, "a"),
    ('if (req.http.A ~ "^(.)(z)?" as m) { set req.http.X = m[2] ?? "no group"; }', A, "no group"),
    ('if (req.http.A ~ "^(?<first>.)" as m) { set req.http.A = "z"; set req.http.X = "<" + m["first"]; }', A, "<a"),
    ('let mut v = req.http.A; if (v ~ "(.)b?" as m) { set v = "z"; set req.http.X = m[1]; }', A, "a"),
    ('let mut v = req.http.A; if (v ~ "(.)" as m) { set v = req.http.None; set req.http.X = m[1] + (v ?? "!"); }', A, "a!"),
    ('if (!(req.url ~ "^/(.*)" as m)) { return (pass); } set req.http.X = "<" + m[1] + ">";', NONE, "<>"),
    ("set req.http.X = NAME;", NONE, "v1"),
    ('if (req.url ~ "^" + ROOT) { set req.http.X = "root"; }', NONE, "root"),
    ("set req.http.X = -(3 - 5);", NONE, "2"),
    ("set req.http.X = 7 / 2;", NONE, "3"),
    ("set req.http.X = text(5s) + TEXT;", NONE, "5.000!"),
    ("let big = 900000000000000 * 9000; let more = big * 9000; set req.http.X = more;", NONE, "fail"),
    ("let zero = 0; set req.http.X = 1 / zero;", NONE, "fail"),
    ('set req.http.X = int(req.http.A ?? "") ?? -1;', A, "-1"),
    ('set req.http.X = int(req.http.A ?? "") ?? -1;', {"A": "7"}, "7"),
    ('let n = 4; set req.http.X = int("") ?? -n;', NONE, "-4"),
    ('let n = 4; set req.http.X = int("") ?? -n * 2 + 1;', NONE, "-7"),
    ('set req.http.X = -int("3") ?? -5;', NONE, "-3"),
    ('set req.http.X = int("x") ?? int("y") ?? -6 - 1;', NONE, "-7"),
    ('let size = 10KB; set req.http.X = "" + size;', NONE, "10240"),
    ("let size = 1MB + 1B; if (size > 1MB) { set req.http.X = text(size); }", NONE, "1048577"),
    ('let span = 10m; if (span == 600s) { set req.http.X = "a duration"; }', NONE, "a duration"),
    ('set req.http.X = limits["b"] ?? 9;', NONE, "2"),
    ('set req.http.X = limits["c"] ?? 9;', NONE, "9"),
    ('if (let n = limits["b"]) { set req.http.X = n + 1; }', NONE, "3"),
    ('if (let n = limits["c"]) { set req.http.X = n; } else { set req.http.X = "none"; }', NONE, "none"),
    ('if (limits["c"] is set) { set req.http.X = "set"; }', NONE, None),
    ('set req.http.X = owners["/shop/api/7"];', NONE, "platform"),
    ('set req.http.X = owners["/shop/7"];', NONE, "sales"),
    ('set req.http.X = owners["/"];', NONE, "web"),
    ('set req.http.X = hosts["www.a.example"];', NONE, "a"),
    ('set req.http.X = hosts["wwwa.example"];', NONE, None),
    ('set req.http.X = places["192.0.2.7"];', NONE, "near"),
    ('set req.http.X = places["198.51.100.1"] ?? "far";', NONE, "far"),
    ('set req.http.X = text(peers["a"] ?? client.ip);', NONE, "198.51.100.7"),
    ('set req.http.X = text(ttls["b"] ?? 5s);', NONE, "1.500"),
    ('set req.backend_hint = origins["a"]; if (req.backend_hint == origin) { set req.http.X = "origin"; }', NONE, "origin"),
    ('set req.http.X = owners[SHOP];', NONE, "sales"),
]
DECLARATIONS = """
fn twice(n : INT) -> INT { return (n * 2); }
fn pick(t : STRING?) -> STRING? { if (t is set) { return ("was " + t); } return (t); }
sub put(what : STRING, where : STRING?) { if (where is set) { set req.http.X = what; return; } unset req.http.X; }
set WORDS ["one", "two"];
const ROOT = "/";
const NAME = "v" + "1";
const TEXT = "!";
const SHOP = "/shop/";
table limits : INT by exact ["a" => 1, "b" => 2];
table owners : STRING by prefix ["/shop/" => "sales", "/shop/api/" => "platform", default => "web"];
table hosts : STRING by suffix ["a.example" => "a"];
table places : STRING by ip ["192.0.2.0"/24 => "near"];
table peers : IP by exact ["a" => "198.51.100.7"];
table ttls : DURATION by exact ["b" => 1.5s];
table origins : BACKEND by exact ["a" => origin, default => origin];
"""


@pytest.mark.parametrize(("body", "fields", "wanted"), VALUES, ids=[f"{n}-{row[0][:60]}" for n, row in enumerate(VALUES)])
def test_values(body: str, fields: dict[str, str], wanted: str | None) -> None:
    ran = run(recv(body, DECLARATIONS), fields)
    assert ("fail" if ran.action == "fail" else ran.field("X")) == wanted


REFUSALS = [  # statements, and the code of the refusal
    ("set req.url = req.http.A;", "V731"),
    ('set req.http.X = "a" + req.http.A;', "V731"),
    ("if (req.http.A is set) { unset req.http.A; set req.url = req.http.A; }", "V731"),
    ("if (req.http.A is set) { call other; set req.url = req.http.A; }", "V731"),
    ("if (req.http.A is set) { return (pass); } set req.url = req.http.A;", "V731"),
    ("if (req.http.A is set || req.http.B is set) { set req.url = req.http.A; }", "V731"),
    ('let mut t : STRING? = "a"; set t = req.http.A; set req.url = t;', "V731"),
    ("if (req.http.A) { return (pass); }", "V755"),
    ('if (req.http.A == "a" && req.http.B) { return (pass); }', "V755"),
    ("set req.http.X = 5s;", "V754"),
    ("set req.http.X = client.ip;", "V754"),
    ("set req.http.X = now;", "V754"),
    ("if (let a = req.http.A) { } set req.url = a;", "V302"),
    ('if (req.http.A ~ "(a)" as m) { } set req.http.X = m[0];', "V744"),
    ("let a = 1; if (a-1 == 0) { return (pass); }", "V302"),
    ('{ let a = req.url; } set req.http.X = a;', "V302"),
    ('for (x in ["a"]) { set x = "b"; }', "V740"),
    ("return (restart);", "V760"),
    ("switch (req.method) { default: { } case \"GET\": { } }", "V746"),
    ("set req.http.X = again(1);", "V601"),
]


@pytest.mark.parametrize(("body", "code"), REFUSALS, ids=[row[0] for row in REFUSALS])
def test_refusals(body: str, code: str) -> None:
    others = 'sub other { set req.http.Y = "y"; unset req.http.A; } fn again(n : INT) -> INT { return (again(n)); }'
    found = check(recv("call other; " + body, others))
    assert code in found.codes, found.findings


def test_a_restart_with_a_bound_is_accepted() -> None:
    assert check(recv("if (req.restarts < 2) { return (restart); }")).codes == []
    assert check(recv("if (req.restarts >= 2) { return (pass); } return (restart);")).codes == []


def test_a_parameter_takes_the_value_given_at_load() -> None:
    text = recv("set req.http.X = PLACE;", 'param PLACE : STRING = "here";')
    assert check(text, {"PLACE": "there"}).codes == []
    limit = recv("if (req.restarts < LIMIT) { return (restart); }", "param LIMIT : INT = 2;")
    assert check(limit, {"LIMIT": "3"}).codes == []
    assert check(limit, {"LIMIT": "3s"}).codes == ["V737"]


def test_names_of_4_stay_names() -> None:
    """Words of 5.0 are keywords at their places only."""
    text = recv('set req.http.is = "a"; set req.http.in = req.http.is ?? "b"; set req.http.X = req.http.From;')
    assert run(text, {"From": "me"}).field("X") == "me"


def test_locals_of_one_definition_of_a_hook_are_unknown_in_the_next() -> None:
    assert "V302" in check(recv("let a = 1; set req.http.X = a;") + "sub vcl_recv { set req.http.Y = a; }").codes


def test_a_sub_with_parameters_is_no_value() -> None:
    text = 'import re2; sub s(n : INT) { set req.http.X = n; } sub vcl_init { new x = re2.set(); x.add("a", sub = s); }'
    assert "V323" in check(recv("call s(1);", text)).codes


@pytest.mark.parametrize("test", ['req.url == "a" is set', "req.url is set is set", 'req.url is set == "a"', 'req.url ~ "a" as m is set'])
def test_a_test_behind_a_test_is_a_chain(test: str) -> None:
    assert "V219" in check(recv(f"if ({test}) {{ return (pass); }}")).codes
