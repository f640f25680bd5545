"""CS: requests that should not be looked up, or fetched, in this way."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks


@pytest.mark.parametrize("body", [
    "if (!std.healthy(req.backend_hint)) {\n return (synth(503)); #! CS012\n }",
    "if (std.healthy(req.backend_hint)) { set req.grace = 1s; } else {\n return (synth(503, \"x\")); #! CS012\n }",
    "if (!std.healthy(req.backend_hint)) { set req.grace = 1d; }",
    "if (req.url == \"/\") { return (synth(503)); }",
    "if (req.url ~ \"\\.(js|css)(\\?.*)?$\") { #! CS013\n unset req.http.Cookie; }",
    "if (req.method == \"GET\" && req.url ~ \"\\.js\") { #! CS013\n unset req.http.Cookie; }",
    "if (req.url ~ \"^[^?]*\\.js\") { unset req.http.Cookie; }",
    "if (req.url ~ \"\\.js$\") { set req.http.X = \"1\"; }",
    "if (req.url ~ \"^/static/.*\\.js$\") { unset req.http.Cookie; }",
    "if (req.url !~ \"\\.js$\") { return (pass); }",
])
def test_recv(body: str) -> None:
    check_marks("import std; sub vcl_recv {\n%s\n}" % body, "CS012", "CS013")


@pytest.mark.parametrize("body", [
    "return (retry); #! CS014",
    "if (bereq.method == \"GET\") { return (retry); }",
    "if (bereq.method == \"POST\") { return (deliver); } return (retry);",
    "if (bereq.url ~ \"\\.(png|js)$\") { #! CS013\n set beresp.ttl = 1d; unset beresp.http.Set-Cookie; }",
    "set beresp.status = 206; #! CS015",
    "set beresp.http.Content-Range = \"bytes 0-1/2\"; #! CS015",
    "set beresp.do_esi = true; #! CS016",
    "if (bereq.url ~ \"^/a\") { set beresp.do_esi = true; }",
    "if (beresp.http.Surrogate-Control ~ \"ESI\") { set beresp.do_esi = true; }",
    "set beresp.do_esi = false;",
])
def test_backend_response(body: str) -> None:
    check_marks("sub vcl_backend_response {\n%s\n}" % body, "CS013", "CS014", "CS015", "CS016")


def test_a_kept_body_may_be_sent_again() -> None:
    check_marks("import std; sub vcl_recv { std.cache_req_body(1MB); }\n"
                "sub vcl_backend_error { if (bereq.retries == 0) { return (retry); } }", "CS014")


@pytest.mark.parametrize("key, mark", [("hash_data(req.http.X-Range);", ""), ("", " #! CS015")])
def test_a_range_in_the_key_is_a_whole(key: str, mark: str) -> None:
    check_marks("sub vcl_hash { %s }\nsub vcl_backend_fetch {\n"
                "set bereq.http.Range = bereq.http.X-Range;%s\n}" % (key, mark), "CS015")


@pytest.mark.parametrize("body", [
    "return (pass); #! CS017",
    "if (obj.ttl >= 0s) { return (deliver); } return (pass);",
    "if (obj.ttl < 0s) { return (pass); }",
    "if (req.http.X-Debug) { return (pass); }",
])
def test_miss_from_hit(body: str) -> None:
    check_marks("sub vcl_hit {\n%s\n}" % body, "CS017")
