"""Cases of the rules about texts that are numbers, durations, times or URLs."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks

RECV = "sub vcl_recv {\n%s\n}"
DELIVER = "import std; sub vcl_deliver {\n%s\n}"


@pytest.mark.parametrize("test", [
    'regsub(req.http.A, "x", "")) #! TY001',
    "req.url) #! TY001",
    '!req.method || req.http.A) #! TY001',
    "req.http.A)",
    'regsub(req.http.A, "x", "") == "")',
])
def test_empty_vs_unset(test: str) -> None:
    head, hash_, mark = test.partition(" #!")
    check_marks(RECV % f"if ({head} {{ return (pass); }}{hash_}{mark}", "TY001")


@pytest.mark.parametrize("body", [
    'set resp.http.Cache-Control = "public, max-age=" + obj.ttl; #! TY002',
    'set resp.http.Age = obj.age; #! TY002',
    "set resp.http.X = 1 + 2s; #! TY002",
    'set resp.http.X-TTL = obj.ttl;',
    'set resp.http.X = "ttl " + obj.ttl;',
    'set resp.http.Cache-Control = "max-age=" + std.integer(duration = obj.ttl);',
    'set resp.http.Expires = now + 1h;',
    'set resp.http.X = resp.status + 1;',
])
def test_implicit_to_string(body: str) -> None:
    check_marks(DELIVER % body, "TY002")


@pytest.mark.parametrize("test", [
    "resp.http.Last-Modified > req.http.If-Modified-Since) #! TY003",
    '"" + now > resp.http.Expires) #! TY003',
    'resp.http.Content-Length > "100") #! TY004',
    'resp.http.X-Count < "7") #! TY004',
    'resp.http.Age > resp.http.X-Age) #! TY004',
    'resp.http.Last-Modified == req.http.If-Modified-Since)',
    'resp.http.Content-Length == "0")',
    'resp.http.X-Version > "b")',
    'std.integer(resp.http.Age, 0) > 100)',
    "std.time(resp.http.Expires, now) < now)",
])
def test_texts_put_in_order(test: str) -> None:
    head, hash_, mark = test.partition(" #!")
    check_marks(DELIVER % f"if ({head} {{ set resp.http.A = \"1\"; }}{hash_}{mark}", "TY003", "TY004")


@pytest.mark.parametrize("test", [
    "obj.ttl == 10s) #! TY005",
    "obj.age != 1.5s) #! TY005",
    "obj.ttl == 0s)",
    "obj.ttl > 10s)",
    "obj.hits == 1)",
])
def test_float_equality(test: str) -> None:
    head, hash_, mark = test.partition(" #!")
    check_marks(f"sub vcl_hit {{\nif ({head} {{ return (pass); }}{hash_}{mark}\n}}", "TY005")


@pytest.mark.parametrize("body", [
    'set req.url = regsub(req.url, "^/shop", ""); #! TY006',
    'set req.url = regsub(req.url, "^/shop/", ""); #! TY006',
    'set req.url = regsub(req.url, "^/(a|b)/(.*)$", "\\2"); #! TY006',
    'set req.url = ""; #! TY006',
    'set req.url = regsub(req.url, "^/shop/?", "/");',
    'set req.url = regsub(req.url, "^/shop(/.*)$", "\\1");',
    'set req.url = regsub(req.url, "\\?.*$", "");',
    'set req.url = regsub(req.url, "^https?://[^/]+", "");',
    'set req.url = regsub(req.url, "^/shop/(.*)", "/\\1");',
    'set req.http.X = regsub(req.url, "^/shop", "");',
])
def test_url_set_empty(body: str) -> None:
    check_marks(RECV % body, "TY006")


def test_a_field_that_no_line_holds() -> None:
    check_marks(DELIVER % f'set resp.http.X = "{"x" * 8193}"; #! TY007', "TY007")
    check_marks(DELIVER % f'set resp.http.X = "{"x" * 8192}";', "TY007")


def test_fields_of_several_messages_are_counted_apart() -> None:
    sets = "\n".join(f'set {message}.http.X-{n} = "1";' for n in range(20) for message in ("req", "resp"))
    check_marks(DELIVER % sets, "TY007")
