"""Cases of the rules about what leaves the server."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks, results_of

RECV = "sub vcl_recv {\n%s\n}"
RESPONSE = "sub vcl_backend_response {\n%s\n}"
XFH = "set beresp.http.Location = \"https://\" + bereq.http.X-Forwarded-Host + bereq.url;"


@pytest.mark.parametrize("body", [
    XFH + " #! SEC007",
    "set beresp.http.Access-Control-Allow-Origin = bereq.http.Origin; #! SEC007",
    'set beresp.http.Access-Control-Allow-Origin = bereq.http.Origin; set beresp.http.Vary = "Origin";',
    'set beresp.http.Location = "https://" + bereq.http.host + bereq.url;',
    "set bereq.http.X = bereq.http.Origin;",
])
def test_host_reflected(body: str) -> None:
    check_marks(RESPONSE.replace("response", "fetch") % body if "set bereq." in body else RESPONSE % body, "SEC007")


def test_a_hashed_or_fixed_host_may_be_stored() -> None:
    check_marks("sub vcl_hash { hash_data(req.http.X-Forwarded-Host); }\n" + RESPONSE % XFH, "SEC007")
    check_marks(RECV % 'set req.http.X-Forwarded-Host = "a.example";' + "\n" + RESPONSE % XFH, "SEC007")


@pytest.mark.parametrize("body", [
    'if (req.method != "GET") {\n return (pipe); #! SEC012\n }',
    'if (req.url ~ "\\.mp4$") {\n return (pipe); #! SEC012\n }',
    'if (req.http.Upgrade) { return (pipe); }',
    'if (req.http.Upgrade ~ "(?i)websocket" && req.url ~ "^/ws") { return (pipe); }',
    'if (req.http.Connection ~ "(?i)upgrade") { return (pipe); }',
    'if (req.method == "CONNECT") { return (pipe); }',
])
def test_pipe_without_upgrade(body: str) -> None:
    check_marks(RECV % body, "SEC012")


@pytest.mark.parametrize("body", [
    "set resp.http.X-Served-By = server.hostname; #! SEC015",
    "if (client.ip ~ office) { set resp.http.X-Served-By = server.hostname; }",
    "set resp.http.X-Hits = obj.hits;",
])
def test_internals_delivered(body: str) -> None:
    check_marks('acl office { "192.0.2.1"; }\nsub vcl_deliver {\n%s\n}' % body, "SEC015")


@pytest.mark.parametrize("body", [
    'if (req.http.X-Api-Key == "b7Qk2mZx9LtR") { return (pass); } #! SEC016',
    'if (req.http.Authorization == "Basic dXNlcjpwYXNz") { return (pass); } #! SEC016',
    'if (req.http.Authorization ~ "Basic dXNlcjpwYXNz") { return (pass); } #! SEC016',
    'set req.http.Authorization = "Basic dXNlcjpwYXNz"; #! SEC016',
    'std.log("auth " + req.http.Authorization); #! SEC016',
    'if (req.http.Authorization ~ "^Basic ") { return (pass); }',
    'if (req.http.X-Api-Key == req.http.X-Other) { return (pass); }',
    'if (req.http.X-Author == "Shakespeare") { return (pass); }',
    'std.log("url " + req.url);',
    'set req.http.X-Token = regsub(req.http.Cookie, ".*token=([a-z]+).*", "\\1");',
])
def test_secret_in_policy(body: str) -> None:
    check_marks("import std;\n" + RECV % body, "SEC016")


RESTARTS = "sub vcl_deliver { if (resp.status == 503 && req.restarts == 0) { return (restart); } }\n"


@pytest.mark.parametrize("body", [
    'set req.http.X-Via = req.http.X-Via + "edge"; #! SEC009',
    'if (req.restarts < 1) { set req.http.X-Via = req.http.X-Via + "edge"; }',
    'set req.http.X-Via = "edge";',
])
def test_a_field_that_grows(body: str) -> None:
    check_marks(RESTARTS + RECV % body, "SEC009")


def test_without_restarts_no_field_grows() -> None:
    check_marks(RECV % 'set req.http.X-Via = req.http.X-Via + "edge";', "SEC009")


@pytest.mark.parametrize("reason, synth, severity", [
    ('"No " + req.url', "", "error"),                                       # the built-in page shows it as it is
    ('"No " + req.http.X-Name', "", "note"),                                # no link can bring the field
    ('"No " + req.http.X-Name + req.http.Referer', "", "error"),
    ('"No " + req.http.X-Name', 'sub vcl_synth { set resp.body = "<p>" + resp.reason; return (deliver); }', "note"),
    ('"No " + req.url', 'sub vcl_synth { set resp.body = "<p>" + resp.reason; return (deliver); }', "error"),
    ('"No " + req.url', 'sub vcl_synth { set resp.body = "<p>No</p>"; return (deliver); }', None),
    ('"No " + req.http.X-Name', 'sub vcl_synth { set resp.body = "<p>No</p>"; return (deliver); }', None),
    ('"No " + client.ip', "", None),
    ('"No " + req.http.X-Own', "", None),
])
def test_a_reason_with_the_clients_text(reason: str, synth: str, severity: str | None) -> None:
    recv = 'sub vcl_recv { set req.http.X-Own = "here"; if (req.url ~ "^/x") { return (synth(403, %s)); } }' % reason
    found = [one.diagnostic.severity.value for one in results_of(recv + synth, ("SEC008",))]
    assert found == ([] if severity is None else [severity])
