"""Cases of the rules about addresses and fields that a client chooses."""

from __future__ import annotations

from typing import Any

import pytest

from lint_helpers import check_marks, results_of
from vernis.lint.rules import client_values

RECV = "sub vcl_recv {\n%s\n}"
PURGE = 'if (req.method == "PURGE" && client.ip ~ purgers) { return (purge); }'


@pytest.mark.parametrize("entry", [
    '"10.0.0.0"/8; #! SEC002',
    '"0.0.0.0"/0; #! SEC002',
    '"192.168.0.0"/16; #! SEC002',
    '"fd00::"/8; #! SEC002',
    '"192.168.7.0"/24;',
    '! "10.0.0.0"/8;',
    '"127.0.0.0"/8;',
    '"192.0.2.1";',
    '"2001:db8::"/64;',
])
def test_purge_acl_too_wide(entry: str) -> None:
    check_marks(f"acl purgers {{\n{entry}\n}}\n" + RECV % PURGE, "SEC002")


def test_a_wide_acl_of_other_tests_is_no_purge_acl() -> None:
    check_marks('acl lan { "10.0.0.0"/8; }\n' + RECV % "if (client.ip ~ lan) { return (pass); }", "SEC002")


@pytest.mark.parametrize("body", [
    'if (req.http.X-Forwarded-Proto == "http") { return (synth(301)); }\n if (client.ip ~ own) { return (pass); } #! SEC003',
    'if (client.ip ~ own) { return (pass); }',                          # nothing tells of a proxy
    'if (req.http.X-Forwarded-For) { return (pass); }\n if (client.ip ~ own) { return (pass); }',
    'if (req.http.X-Forwarded-Proto && remote.ip ~ own) { return (pass); }\n if (client.ip ~ own) { return (pass); }',
])
def test_acl_on_proxy_address(body: str) -> None:
    check_marks('acl own { "localhost"; "192.0.2.1"; }\n' + RECV % body, "SEC003")


XFF = "req.http.X-Forwarded-For"


@pytest.mark.parametrize("body", [
    f'if (std.ip({XFF}, "0.0.0.0") ~ office) {{ return (pass); }} #! SEC004',
    f'if (std.ip(regsub({XFF}, ",.*$", ""), "0.0.0.0") ~ office) {{ return (pass); }} #! SEC004',
    f'if (std.ip(regsub({XFF}, "^.*, ?", ""), "0.0.0.0") ~ office) {{ return (pass); }}',
    f'set req.http.X-Client = regsub({XFF}, "[, ].*$", "");\n'
    'if (std.ip(req.http.X-Client, "0.0.0.0") ~ office) { return (pass); } #! SEC004',
    f'set {XFF} = client.ip;\n if (std.ip({XFF}, "0.0.0.0") ~ office) {{ return (pass); }}',
    f'if (client.ip ~ proxies && std.ip({XFF}, "0.0.0.0") ~ office) {{ return (pass); }}',
    f'if (client.ip !~ proxies) {{ set {XFF} = client.ip; }}\n if (std.ip({XFF}, "0.0.0.0") ~ office) {{ return (pass); }}',
    f'if (vsthrottle.is_denied({XFF}, 10, 1s)) {{ return (synth(429)); }} #! SEC004',
    'if (vsthrottle.is_denied("" + client.ip, 10, 1s)) { return (synth(429)); }',
])
def test_xff_trusted(body: str) -> None:
    acls = 'import std; import vsthrottle; acl office { "192.0.2.0"/24; } acl proxies { "198.51.100.7"; }\n'
    check_marks(acls + RECV % body, "SEC004")


def test_one_trusted_field_is_one_finding() -> None:
    """Each site of a policy asks for the same field. The remedy is at its source, or the same at each place."""
    real, client = 'std.ip(req.http.X-Real-IP, "0.0.0.0")', 'std.ip(req.http.X-Client, "0.0.0.0")'
    text = ('import std; acl office { "192.0.2.0"/24; }\n' + RECV % (
        f'if (req.url ~ "^/a" && {real} !~ office) {{ return (synth(403)); }} #! SEC004\n'
        f'if (req.url ~ "^/b" && {real} !~ office) {{ return (synth(403)); }}\n'
        "set req.http.X-Client = req.http.X-Real-IP;\n"
        f'if (req.url ~ "^/c" && {client} !~ office) {{ return (synth(403)); }}\n'
        f'if (std.ip({XFF}, "0.0.0.0") ~ office) {{ return (pass); }} #! SEC004'))
    check_marks(text, "SEC004")
    assert [len(result.finding.labels) for result in results_of(text, ("SEC004",))] == [2, 0]


@pytest.mark.parametrize("body", [
    # a secret that is not in the policy
    'if (req.http.X-Purge == std.getenv("PURGE_TOKEN")) { return (purge); }',
    'if (std.getenv("PURGE_TOKEN") != req.http.X-Purge) { return (synth(403)); } return (purge);',
    'if (req.http.Authorization != "Bearer " + std.getenv("PURGE_TOKEN")) { return (synth(401)); } return (purge);',
    'if (req.http.X-Purge == std.fileread("/etc/vernis/token")) { return (purge); }',
    'if (req.http.X-Sum == digest.hmac_sha256("a key", req.url)) { return (purge); }',
    'if (digest.hmac_sha1(std.getenv("KEY"), req.url) != req.http.X-Sum) { return (synth(403)); } ban("req.url ~ .");',
    'if (!basicauth.match("/etc/vernis/users", req.http.Authorization)) { return (synth(401)); } return (purge);',
    # no secret, or no test of what the client sent
    'if (req.http.X-Purge == std.tolower("token")) {\n return (purge); #! SEC001\n }',
    'if (std.getenv("PURGE") == "on") {\n return (purge); #! SEC001\n }',
    'if (req.http.X-Sum == digest.hash_sha256(req.url)) {\n return (purge); #! SEC001\n }',
    'if (req.http.X-Purge != std.getenv("PURGE_TOKEN")) {\n return (purge); #! SEC001\n }',
    'if (req.http.X-Purge != std.getenv("PURGE_TOKEN")) { std.log("no"); }\n return (purge); #! SEC001',
    'if (!basicauth.match("/etc/vernis/users", req.http.Authorization)) {\n return (purge); #! SEC001\n }',
])
def test_a_secret_may_come_from_elsewhere(body: str) -> None:
    check_marks("import std; import digest; import basicauth;\n" + RECV % body, "SEC001")


def test_one_missing_guard_is_one_finding() -> None:
    """The first test of an arm could guard all that stands in it. Two arms lack two tests."""
    text = RECV % (
        'if (req.method == "BAN" || req.method == "PURGE") {\n'
        'if (req.method == "BAN") {\n ban("obj.http.tag ~ a"); #! SEC001\n return (synth(200)); }\n'
        'if (req.url ~ "^/a") { xkey.purge("a"); return (synth(200)); }\n return (purge); }\n'
        'if (req.http.X-All) {\n ban("req.url ~ ."); #! SEC001\n }')
    check_marks("import xkey;\n" + text, "SEC001")
    assert [len(result.finding.labels) for result in results_of("import xkey;\n" + text, ("SEC001",))] == [2, 0]


USES = 'sub vcl_deliver { if (req.http.X-Group == "a") { set resp.http.A = "1"; } }\n'


@pytest.mark.parametrize("body", [
    'if (req.url == "/a") {\n set req.http.X-Group = "a"; #! SEC006\n }',
    'set req.http.X-Group = "b"; if (req.url == "/a") { set req.http.X-Group = "a"; }',
    'if (req.url == "/a") { set req.http.X-Group = "a"; } else { unset req.http.X-Group; }',
    'if (req.restarts == 0) { unset req.http.X-Group; } if (req.url == "/a") { set req.http.X-Group = "a"; }',
    'if (req.restarts > 0) { return (hash); } unset req.http.X-Group;\n if (req.url == "/a") { set req.http.X-Group = "a"; }',
    'if (req.http.X-Group) { return (pass); } set req.http.X-Group = "a";',    # clients are meant to send it
    'if (req.url == "/a") { set req.http.Accept-Language = "a"; }',
])
def test_internal_field_not_cleared(body: str) -> None:
    check_marks(USES + RECV % body, "SEC006")


def test_a_field_that_decides_nothing_may_come_from_the_client() -> None:
    check_marks(RECV % 'if (req.url == "/a") { set req.http.X-Group = "a"; }', "SEC006")


@pytest.mark.parametrize("body, more, severity", [
    # a client that sends the field could as well send what the test asks for
    ('if (req.http.Cookie != "") { set req.http.X-Old = req.http.Cookie; }',
     "sub vcl_hash { if (req.http.X-Old) { set req.http.Cookie = req.http.X-Old; } }", "warning"),
    ('if (req.url ~ "robots") { set req.http.X-Robot = req.http.User-Agent + " " + client.ip; }',
     'sub vcl_deliver { if (req.http.X-Robot) { set resp.http.A = "1"; } }', "warning"),
    ('if (std.tolower(req.http.Accept) ~ "json") { set req.http.X-Kind = "j"; }',
     'sub vcl_deliver { if (req.http.X-Kind == "j") { set resp.http.A = "1"; } }', "warning"),
    ('if (req.method == "POST" && client.ip !~ office) { return (synth(403)); } if (req.url ~ "a") { set req.http.X-A = "1"; }',
     "sub vcl_deliver { if (req.http.X-A) { set resp.http.A = \"1\"; } }", "warning"),
    ('if (req.http.Cookie ~ "user=") { set req.http.X-Login = "1"; }', "sub vcl_hash { hash_data(req.http.X-Login); }", "warning"),
    ('if (req.http.Cookie) { set req.http.X-Theme = regsub(req.http.Cookie, ".*theme=([^;]+).*", "\\1"); }',
     "sub vcl_hash { hash_data(req.http.X-Theme); }", "warning"),
    # it gets what it could not have: what an ACL, a secret or an address decides
    ('if (client.ip ~ office) { set req.http.X-Login = "1"; }', "sub vcl_hash { hash_data(req.http.X-Login); }", "error"),
    ('if (req.http.Cookie) { set req.http.X-From = client.ip; }', "sub vcl_hash { hash_data(req.http.X-From); }", "error"),
    ('if (client.ip ~ office) { set req.http.X-Debug = "1"; }',
     "sub vcl_deliver { if (req.http.X-Debug) { set resp.http.A = \"1\"; } }", "error"),
    ('if (client.ip !~ office) { return (pass); } set req.http.X-Debug = "1";',
     "sub vcl_deliver { if (req.http.X-Debug) { set resp.http.A = \"1\"; } }", "error"),
    ('if (req.http.X-Token == "a secret") { set req.http.X-Admin = "1"; }',
     "sub vcl_miss { if (req.http.X-Admin) { return (pass); } }", "error"),
    ('if (req.http.X-T == std.getenv("T")) { set req.http.X-Admin = "1"; }',
     "sub vcl_miss { if (req.http.X-Admin) { return (pass); } }", "error"),
    ('if (req.url ~ "a") { set req.http.X-From = client.ip; }',
     'sub vcl_deliver { if (req.http.X-From == "192.0.2.1") { set resp.http.A = "1"; } }', "error"),
])
def test_a_field_gains_a_client_something(body: str, more: str, severity: str) -> None:
    [result] = results_of('import std; acl office { "192.0.2.0"/24; }\n' + RECV % body + "\n" + more, ("SEC006",))
    assert result.diagnostic.severity.value == severity


def test_the_repair_of_an_internal_field_ends_the_finding() -> None:
    text = USES + RECV % 'if (req.url == "/a") { set req.http.X-Group = "a"; }'
    [result] = results_of(text, ("SEC006",))
    assert result.finding.fix is not None and result.finding.fix.safe
    [edit] = result.finding.fix.edits
    file = text.encode()
    at = file.index(b"sub vcl_recv {") + len(b"sub vcl_recv {")
    assert not results_of((file[:at] + edit.text.encode() + file[at:]).decode(), ("SEC006",))


def test_the_walks_about_internal_fields_grow_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two states for each field, not one for each set of fields."""
    n_fields, n_steps = 8, []
    do = client_values._FromClient.do

    def counted(domain: client_values._FromClient, *arguments: Any) -> frozenset[str]:
        n_steps.append(1)
        return do(domain, *arguments)

    monkeypatch.setattr(client_values._FromClient, "do", counted)
    sets = "".join(f'if (req.url == "/{n}") {{ set req.http.X-F{n} = "a"; }}\n' for n in range(n_fields))
    keys = "".join(f"hash_data(req.http.X-F{n});\n" for n in range(n_fields))
    text = RECV % sets + f"\nsub vcl_hash {{ {keys} }}"
    assert len(results_of(text, ("SEC006",))) == n_fields
    assert len(n_steps) < 200 * n_fields


def test_acl_hostname() -> None:
    check_marks('acl office {\n("office.invalid"); #! SEC014\n"localhost"; "192.0.2.1"; "2001:db8::1";\n}\n'
                + RECV % "if (client.ip ~ office) { return (pass); }", "SEC014")


COOKIE = "req.http.Cookie"


@pytest.mark.parametrize("body", [
    f'set req.http.X-U = regsub({COOKIE}, "^.*u=([^;]+).*$", "\\1"); #! SEC017',
    f'set req.http.X-U = "u" + regsub({COOKIE}, ".*u=([^;]+).*", "\\1"); #! SEC017',
    f'if ({COOKIE} ~ "u=") {{ set req.http.X-U = regsub({COOKIE}, ".*u=([^;]+).*", "\\1"); }}',
    f'if ({COOKIE} !~ "u=") {{ return (pass); }} set req.http.X-U = regsub({COOKIE}, ".*u=([^;]+).*", "\\1");',
    f'if ({COOKIE}) {{\n set req.http.X-U = regsub({COOKIE}, ".*u=([^;]+).*", "\\1"); #! SEC017\n }}',
    'set req.url = regsub(req.url, "^([^?]*).*$", "\\1");',             # matches every text
    'set req.http.host = regsub(req.http.host, "^www\\.", "");',
    'set req.http.X-U = regsub(req.url, "(u=[^&]+)&", "\\1");',          # keeps the rest on purpose
])
def test_regsub_extract_fallback(body: str) -> None:
    check_marks(RECV % body, "SEC017")


#: The guard stands under one condition and the removal under another.
GUARD = "if (client.ip !~ purgers) { return (synth(405)); }"


@pytest.mark.parametrize("body", [
    f'if (req.method == "PURGE") {{ {GUARD} }}\n if (req.method == "PURGE") {{ return (purge); }}',
    f'if (req.method ~ "PURGE") {{ {GUARD} }}\n if (req.method == "PURGE") {{ return (purge); }}',
    f'if (req.method == "PURGE") {{ {GUARD} }}\n if (req.method ~ "PURGE") {{\n return (purge); #! SEC001\n }}',
    f'if (req.method ~ "^(PURGE|BAN)$") {{ {GUARD} }}\n if (req.method == "BAN") {{ ban("obj.status == 200"); }}',
    f'if (req.method ~ "^(PURGE|BAN)$") {{ {GUARD} }}\n if (req.method == "BANISH") {{\n ban("obj.status == 200"); #! SEC001\n }}',
    'if (req.method ~ "PURGE" && client.ip !~ purgers) { return (synth(405)); }\n if (req.method == "PURGE") { return (purge); }',
    'if (req.method ~ "PURGE" && client.ip !~ purgers) { return (synth(405)); }\n'
    'if (req.method == "REFRESH") {\n return (purge); #! SEC001\n }',
    f'if (req.method == "PURGE" || req.method == "BAN") {{ {GUARD} }}\n if (req.method == "BAN") {{ ban("obj.status == 200"); }}',
    f'if (req.method != "PURGE") {{ set req.http.X-A = "1"; }} else {{ {GUARD} }}\n if (req.method == "PURGE") {{ return (purge); }}',
    f'if (req.method == "GET") {{ set req.http.X-A = "1"; }} elseif (req.method == "PURGE") {{ {GUARD} }}\n'
    'if (req.method == "PURGE") { return (purge); }',
    f'if (req.http.X-Purge) {{ {GUARD} }}\n if (req.http.X-Purge ~ "all") {{ return (purge); }}',
    f'if (req.http.X-Purge ~ "all") {{ {GUARD} }}\n if (req.http.X-Purge) {{\n return (purge); #! SEC001\n }}',
    f'if (req.url ~ "^/admin/") {{ {GUARD} }}\n if (req.url ~ "^/admin/purge/") {{ return (purge); }}',
    f'if (req.url ~ "^/admin/purge/") {{ {GUARD} }}\n if (req.url ~ "^/admin/") {{\n return (purge); #! SEC001\n }}',
    # a variable that changes in between
    f'if (req.method ~ "PURGE") {{ {GUARD} }}\n set req.method = req.http.X-Method;\n'
    'if (req.method == "PURGE") {\n return (purge); #! SEC001\n }',
    f'if (req.http.X-Purge) {{ {GUARD} }}\n std.collect(req.http.X-Purge);\n if (req.http.X-Purge) {{\n return (purge); #! SEC001\n }}',
    f'if (req.http.X-A) {{ {GUARD} }}\n if (req.http.X-B) {{\n return (purge); #! SEC001\n }}',
])
def test_purge_under_another_condition_than_its_guard(body: str) -> None:
    check_marks('import std;\nacl purgers { "127.0.0.1"; }\n' + RECV % body, "SEC001")


def test_purge_after_a_sub_with_the_guard() -> None:
    check = f"sub only_purgers {{ {GUARD} }}\n"
    body = 'if (req.method ~ "%s") { call only_purgers; }\n if (req.method == "PURGE") {\n return (purge);%s\n }'
    check_marks('acl purgers { "127.0.0.1"; }\n' + check + RECV % (body % ("PURGE", "")), "SEC001")
    check_marks('acl purgers { "127.0.0.1"; }\n' + check + RECV % (body % ("BAN", " #! SEC001")), "SEC001")


def test_more_gates_than_are_remembered() -> None:
    """The walk then knows less. It must not report nothing for a purge without a guard."""
    gates = "\n".join(f'if (req.http.X-{n}) {{ {GUARD} }}' for n in range(40))
    check_marks('acl purgers { "127.0.0.1"; }\n' + RECV % (gates + "\nif (req.http.X-Z) {\n return (purge); #! SEC001\n}"), "SEC001")
