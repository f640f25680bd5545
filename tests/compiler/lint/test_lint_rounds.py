"""FL007 and FL010: rounds that find the same request again. UN and DEP: parts that change nothing, old forms."""

from __future__ import annotations

import pytest
from lint_helpers import check_marks


@pytest.mark.parametrize("body", [
    'if (!req.http.A) { set req.http.A = "1"; std.rollback(req);\n return (restart); #! FL007\n }',
    'if (!req.http.A) { set req.http.A = "1"; return (restart); }',
    'if (req.restarts == 0 && !req.http.A) { set req.http.A = "1"; std.rollback(req); return (restart); }',
    'if (!req.http.A) { std.rollback(req); set req.http.A = "1"; return (restart); }',
    'std.rollback(req);\n return (restart); #! FL006',
    'if (!req.http.A) { set req.http.A = "1"; std.rollback(req); set req.url = "/b"; return (restart); }',
])
def test_rollback_before_restart(body: str) -> None:
    check_marks("import std; sub vcl_deliver {\n%s\n}" % body, "FL006", "FL007")


def test_rollback_before_retry() -> None:
    check_marks('import std; sub vcl_backend_response { if (!bereq.http.A) { set bereq.http.A = "1"; std.rollback(bereq);\n'
                "return (retry); #! FL007\n } }", "FL006", "FL007")


@pytest.mark.parametrize(("recv", "purge"), [
    ("", "return (restart); #! FL010"),
    ("", 'set req.method = "GET"; return (restart);'),
    ("", "if (req.restarts == 0) { return (restart); }"),
    ("", 'set req.http.X-Purged = "1"; return (restart);'),
    ("", 'return (synth(200, "Purged"));'),
    ('if (req.method == "PURGE" && req.restarts == 0) { return (purge); }', "return (restart);"),
])
def test_purge_restart_loop(recv: str, purge: str) -> None:
    check_marks("sub vcl_recv { %s }\nsub vcl_purge {\n%s\n}" % (recv, purge), "FL006", "FL010")


@pytest.mark.parametrize("more", [
    "unset bereq.http.X-A; } #! none",
    "set bereq.http.X-B = bereq.http.X-A; unset bereq.http.X-A; }",
    "unset bereq.http.X-C; }",
    "}",
])
def test_header_never_read(more: str) -> None:
    mark = " #! UN007" if more.endswith("none") else ""
    more = more.removesuffix(" #! none")
    check_marks('sub vcl_recv {\n set req.http.X-A = "1";%s\n}\nsub vcl_backend_fetch { %s' % (mark, more), "UN007")


@pytest.mark.parametrize("entries", [
    '"10.0.0.0"/8;\n "10.1.0.0"/16; #! UN008',
    '"10.0.0.0"/8;\n ! "10.1.0.0"/16;\n "10.1.2.0"/24;',
    '"10.0.0.0"/8;\n ! "10.1.0.0"/16;\n ! "10.1.2.3"; #! UN008',
    '"10.0.0.0"/8;\n ! "192.168.0.0"/16; #! UN008',
    '"2001:db8::"/32;\n "10.0.0.1";',
    '"2001:db8::"/32;\n "2001:db8:1::1"; #! UN008',
])
def test_acl_overlap(entries: str) -> None:
    check_marks("acl a {\n%s\n}\nsub vcl_recv { if (client.ip ~ a) { return (pass); } }" % entries, "UN008")


RULE = 'if (req.url ~ "^/a") { unset req.http.Cookie; }'


@pytest.mark.parametrize("body", [
    RULE + "\n" + RULE + " #! UN009",
    RULE + '\n if (req.url  ~ "^/a")  { unset req.http.Cookie; } #! UN009',
    RULE + '\n if (req.url ~ "^/a") { unset req.http.Accept; }',
    RULE + "\n if (req.http.X) { " + RULE + " }",
])
def test_duplicate_rule(body: str) -> None:
    check_marks("sub vcl_recv {\n%s\n}" % body, "UN009")


@pytest.mark.parametrize("expression", [
    '"req.url ~ ^/a" #! DEP009',
    '"obj.http.x == a && req.http.host == b" #! DEP009',
    '"obj.http.x == req.url"',
    '"obj.http.x-url ~ " + req.url',
    '"req.http.host == " + req.http.host #! DEP009',
])
def test_lurker_unfriendly_ban(expression: str) -> None:
    value, _, mark = expression.partition(" #! ")
    check_marks("sub vcl_recv { \n ban(%s);%s\n}" % (value, f" #! {mark}" if mark else ""), "DEP009")
