"""CS: what is stored, and for how long."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks

RESPONSE = "sub vcl_backend_response {\n%s\n}"


@pytest.mark.parametrize("body", [
    "unset beresp.http.Set-Cookie; #! CS002",
    "if (bereq.method == \"GET\") {\n unset beresp.http.Set-Cookie; #! CS002\n }",
    "if (bereq.url ~ \"x\") { set beresp.ttl = 1s; }\n unset beresp.http.Set-Cookie; #! CS002",
    "if (bereq.url ~ \"\\.png$\") { unset beresp.http.Set-Cookie; }",
    "if (bereq.url ~ \"^/login\") { return (pass(1s)); }\n unset beresp.http.Set-Cookie;",
    "set beresp.uncacheable = true; unset beresp.http.Set-Cookie;",
    "if (beresp.status > 399) { unset beresp.http.Set-Cookie; }",
    "if (beresp.status != 200) { set beresp.uncacheable = true; return (pass(1s)); }\n unset beresp.http.Set-Cookie; #! CS002",
    "return (deliver); #! CS001",                                     # CS001 says it already
    "unset beresp.http.Set-Cookie; #! CS002\n return (deliver); #! CS004",
    "unset beresp.http.Set-Cookie; #! CS002\n if (beresp.http.Cache-Control ~ \"private\") { set beresp.uncacheable = true; }\n"
    "return (deliver);",
    "unset beresp.http.Set-Cookie; #! CS002\n set beresp.http.Cache-Control = \"public\"; return (deliver);",
])
def test_responses_for_one_user(body: str) -> None:
    check_marks(RESPONSE % body, "CS001", "CS002", "CS004")


@pytest.mark.parametrize("body", [
    "return (pass); #! CS007",
    "return (pass(1d)); #! CS007",
    "return (pass(10m));",
    "set beresp.ttl = 2m; return (pass);",
    "set beresp.uncacheable = true;\n set beresp.uncacheable = false; #! CS008",
    "set beresp.uncacheable = true;\n set beresp.ttl = 2d; #! CS008",
    "if (bereq.url ~ \"a\") { set beresp.uncacheable = true; } set beresp.ttl = 2h;",
    "set beresp.ttl = 2h; set beresp.uncacheable = true;",
])
def test_markers_of_uncacheable_responses(body: str) -> None:
    check_marks(RESPONSE % body, "CS007", "CS008")


@pytest.mark.parametrize("body", [
    "set beresp.ttl = 1h; #! CS009",
    "if (bereq.url ~ \"css\") {\n set beresp.ttl = 1h; #! CS009\n }",
    "set beresp.ttl = 10s;",
    "if (beresp.status == 200) { set beresp.ttl = 1h; }",
    "if (beresp.status >= 500) { set beresp.ttl = 5m; }",
    "if (beresp.status >= 400) { return (abandon); } set beresp.ttl = 1h;",
    "set beresp.ttl = 1h; if (beresp.status > 399) { set beresp.ttl = 0s; }",
    "set beresp.ttl = 1h; set beresp.uncacheable = true;",
])
def test_error_status_cached(body: str) -> None:
    check_marks(RESPONSE % body, "CS009")


@pytest.mark.parametrize("body", [
    "set beresp.grace = 1h; #! CS010 CS011",
    "if (beresp.status >= 500 && bereq.is_bgfetch) { return (abandon); }\n set beresp.grace = 1h; #! CS011",
    "if (beresp.status >= 500 && bereq.is_bgfetch) { return (abandon); }\n"
    "if (beresp.http.Cache-Control !~ \"revalidate\") { set beresp.grace = 1h; }",
    "set beresp.grace = 10s; #! CS011",
    "set beresp.grace = 0s;",
])
def test_grace(body: str) -> None:
    check_marks(RESPONSE % body, "CS010", "CS011")
