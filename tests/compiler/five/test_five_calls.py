"""A header stays known after a call of a sub, unless the sub, or one that it calls, may change it."""

from __future__ import annotations

import pytest
from five_helpers import check, run

HEAD = """vcl 5.0;
import std; import header;
backend origin { .host = "192.0.2.1"; }
"""
#: The body of a sub, and whether req.http.User stays known across its call.
BODIES = [
    ("", True),
    ('set req.http.Other = "a";', True),
    ('set req.url = "/";', True),
    ("set req.url.path = \"/\";", True),
    ("req.url.query.sort();", True),
    ('req.cookie.keep("a");', True),
    ("std.log(req.url);", True),
    ("set req.http.Other = req.http.User.lower();", True),
    ('set req.http.Other = regsub(req.url, "a", "b");', True),
    ("std.collect(req.http.Other);", True),
    ("if (std.healthy(req.backend_hint)) { unset req.http.Other; }", True),
    ("call harmless;", True),
    ('call with_text("a");', True),
    ("unset req.http.User;", False),
    ("unset req.http.user;", False),
    ('set req.http.User = req.http.Other;', False),
    ("if (req.url == \"/\") { unset req.http.User; }", False),
    ('switch (req.url) { case "/": { unset req.http.User; } default: { } }', False),
    ('for (x in ["a"]) { unset req.http.User; }', False),
    ('@rule("a") unset req.http.User;', False),
    ("std.collect(req.http.User);", False),
    ("std.rollback(req);", False),
    ('header.remove(req.http.User, "a");', False),
    ("call harmful;", False),
    ("call through;", False),
    ('call unset_with("a");', False),
    ("call vcl_req_cookie;", True),
    ("call vcl_builtin_recv;", True),
]
SUBS = """sub harmless { set req.http.Other = "a"; }
sub harmful { unset req.http.User; }
sub through { call harmless; call harmful; }
sub with_text(a : STRING) { set req.http.Other = a; }
sub unset_with(a : STRING) { set req.http.Other = a; unset req.http.User; }
"""
CALLER = "sub vcl_recv { if (req.http.User is set) { call callee; set req.url = req.http.User; } }\n"


def errors(text: str) -> list[str]:
    return [item.code for item in check(HEAD + text).findings if item.code != "V602"]


@pytest.mark.parametrize(("body", "stays"), BODIES, ids=[row[0] for row in BODIES])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)], ids=["callee first", "caller first"])
def test_a_call_of_a_sub(body: str, stays: bool, order: tuple[int, int, int]) -> None:
    parts = (f"sub callee {{ {body} }}\n", SUBS, CALLER)
    assert errors("".join(parts[index] for index in order)) == ([] if stays else ["V731"])


@pytest.mark.parametrize(("body", "stays"), [row for row in BODIES if "vcl_" not in row[0]], ids=[row[0] for row in BODIES if "vcl_" not in row[0]])
def test_a_call_of_a_sub_with_parameters(body: str, stays: bool) -> None:
    text = f"{SUBS}sub callee(t : STRING) {{ set req.http.T = t; {body} }}\n" + CALLER.replace("call callee", 'call callee("a")')
    assert errors(text) == ([] if stays else ["V731"])


def test_a_part_of_the_policy_changes_what_a_built_in_step_may_change() -> None:
    text = "sub vcl_req_cookie { unset req.http.User; }\n" + CALLER.replace("callee", "vcl_builtin_recv")
    assert errors(text) == ["V731"]


def test_a_bound_of_restarts_stays() -> None:
    assert errors(SUBS + "sub vcl_deliver { if (req.restarts < 2) { call mark; return (restart); } } sub mark { set resp.http.A = \"a\"; }") == []


@pytest.mark.parametrize("user", [None, "eve"])
def test_a_value_that_stays_known_is_there(user: str | None) -> None:
    text = HEAD.replace("import std; import header;\n", "") + 'sub callee { set req.http.Other = "a"; }\n' + CALLER
    assert run(text, {"Host": "a", **({"User": user} if user else {})}, req_url="/").world.variables["req_url"] == (user or "/").encode()
