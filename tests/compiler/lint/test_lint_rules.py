"""Every rule has a page, finds its bad example and accepts its good one. Then the cases of each rule that need
more than one line."""

from __future__ import annotations

from collections import Counter

import pytest
from support.lacking import assert_none_missing

from lint_helpers import check_marks, results_of
from vernis.lint.rule import ID, NAME, PROFILES, Rule
from vernis.lint.rules import all_rules


def in_file(rule: Rule) -> str:
    return f"in compiler/lint/rules/{type(rule).__module__.rpartition('.')[2]}.py"


RULES = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)


@RULES
def test_the_bad_example_is_found(rule: Rule) -> None:
    found = [result.rule.id for result in results_of(rule.bad, version=rule.version)]
    assert rule.id in found, f"{rule.id} finds nothing in its own `bad`, others find {found}. Mend check() or `bad` {in_file(rule)}"


@RULES
def test_the_good_example_is_not(rule: Rule) -> None:
    found = [result.rule.id for result in results_of(rule.good, version=rule.version)]
    assert rule.id not in found, f"{rule.id} has a finding in its own `good`. Mend check() or `good` {in_file(rule)}"


@RULES
def test_the_page_is_whole(rule: Rule) -> None:
    wrong = {
        f"`id` like UN007, not {rule.id!r}": not ID.fullmatch(rule.id),
        f"`name` in words with hyphens, not {rule.name!r}": not NAME.fullmatch(rule.name),
        "`what` and `why` as sentences that end with a full stop": not rule.what.endswith(".") or not rule.why.endswith("."),
        "`remedy` as a command without a full stop": rule.remedy.endswith("."),
        "`source` as a link (https://) to the reason of the rule": not rule.source.startswith("https://"),
        f"`profiles` out of {', '.join(PROFILES)}": not rule.profiles or not set(rule.profiles) <= set(PROFILES),
    }
    assert_none_missing([text for text, is_wrong in wrong.items() if is_wrong], f"{rule.id} lacks", f"Write it {in_file(rule)}.")


def test_ids_and_names_are_unique() -> None:
    for attribute in ("id", "name"):
        taken = Counter(getattr(rule, attribute) for rule in all_rules())
        twice = [f"{name} ({', '.join(in_file(rule) for rule in all_rules() if getattr(rule, attribute) == name)})"
                 for name, times in taken.items() if times > 1]
        assert_none_missing(twice, f"rules with the same {attribute}", "Choose another for the new one.")


# ---- CS ----------------------------------------------------------------------------------------------------

BACKEND_RESPONSE = "sub vcl_backend_response {\n%s\n}"


@pytest.mark.parametrize("body", [
    "set beresp.ttl = 1h;\n return (deliver); #! CS001",
    "return (deliver); #! CS001",
    "if (!beresp.http.Set-Cookie) { return (deliver); }",
    "if (beresp.http.Set-Cookie) { set beresp.uncacheable = true; return (deliver); }",
    "if (beresp.http.Set-Cookie) { set beresp.ttl = 0s; set beresp.uncacheable = true; }\n return (deliver);",
    "if (bereq.uncacheable) { return (deliver); }\n unset beresp.http.Set-Cookie; return (deliver);",
    "if (bereq.url ~ \"^/a\") { unset beresp.http.Set-Cookie; }\n return (deliver); #! CS001",
    "if (beresp.http.Set-Cookie ~ \"session\") { return (pass); }\n return (deliver); #! CS001",
    "if (beresp.ttl <= 0s || beresp.http.Set-Cookie) { return (pass(120s)); }\n return (deliver);",
    "call vcl_beresp_cookie;\n return (deliver);",
    "set beresp.ttl = 1h;",
])
def test_store_set_cookie(body: str) -> None:
    check_marks(BACKEND_RESPONSE % body, "CS001")


@pytest.mark.parametrize("body", [
    "set beresp.ttl = 0s;\n return (deliver); #! CS006",
    "set beresp.ttl = -1s;\n return (deliver); #! CS006",
    "set beresp.ttl = 0s;",                                            # the built-in policy marks it
    "set beresp.ttl = 0s; set beresp.grace = 1h;\n return (deliver);",  # kept for its grace
    "set beresp.ttl = 0s; set beresp.uncacheable = true;\n return (deliver);",
])
def test_ttl_zero_not_uncacheable(body: str) -> None:
    check_marks(BACKEND_RESPONSE % body, "CS006")


RECV = "sub vcl_recv {\n%s\n}"


@pytest.mark.parametrize("body", [
    "return (hash); #! CS003",
    "unset req.http.Cookie;\n return (hash); #! CS003",
    "if (req.method != \"GET\" && req.method != \"HEAD\") { return (pass); }\n unset req.http.Cookie; return (hash);",
    "if (req.method == \"POST\") { return (pass); }\n unset req.http.Cookie; return (hash);",
    "if (req.method == \"GET\" && !req.http.Cookie) { return (hash); }",
    "call vcl_builtin_recv;\n return (hash);",
    "set req.url = \"/\";",
])
def test_skip_builtin_recv(body: str) -> None:
    check_marks(RECV % body, "CS003")


@pytest.mark.parametrize("body", [
    "return (hash); #! CS005",
    "unset req.http.Authorization;\n return (hash);",
    "if (req.http.Authorization) { return (pass); }\n return (hash);",
    "if (req.http.Authorization ~ \"^Basic\") { return (pass); }\n return (hash); #! CS005",
])
def test_authorization_cached(body: str) -> None:
    check_marks(RECV % body, "CS005")


def test_a_key_with_authorization_may_be_looked_up() -> None:
    check_marks("sub vcl_hash { hash_data(req.http.X-User); }\n"
                "sub vcl_recv { set req.http.X-User = req.http.Authorization; return (hash); }", "CS005")


# ---- CK ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [
    "hash_data(req.url);\n return (lookup); #! CK002",
    "if (req.http.host) { hash_data(req.http.host); } else { hash_data(server.ip); }\n hash_data(req.url); return (lookup);",
    "hash_data(req.http.host);\n return (lookup); #! CK003",
    "hash_data(\"x\");\n return (lookup); #! CK002 CK003",
    "hash_data(req.http.X-Cookie);",
])
def test_key_without_host_or_url(body: str) -> None:
    check_marks("sub vcl_hash {\n%s\n}" % body, "CK")


def test_a_normalised_host_is_a_host() -> None:
    check_marks("sub vcl_recv { set req.http.X-Site = regsub(req.http.host, \"^www\\.\", \"\"); }\n"
                "sub vcl_hash { hash_data(req.url); hash_data(req.http.X-Site); return (lookup); }", "CK002", "CK003")


# ---- SEC ---------------------------------------------------------------------------------------------------

ACL = 'acl purgers { "127.0.0.1"; }\n'


@pytest.mark.parametrize("body", [
    "if (req.method == \"PURGE\") {\n return (purge); #! SEC001\n }",
    "if (req.method == \"PURGE\" && client.ip ~ purgers) { return (purge); }",
    "if (req.method == \"PURGE\") { if (!client.ip ~ purgers) { return (synth(405)); } return (purge); }",
    "if (req.method == \"PURGE\") { if (client.ip !~ purgers) { std.log(\"no\"); }\n return (purge); #! SEC001\n }",
    "if (req.http.X-Purge-Token == \"a long secret\") { return (purge); }",
    "if (req.http.X-Purge-Token == \"1\") {\n return (purge); #! SEC001\n }",
    "if (req.method == \"BAN\") {\n ban(\"req.url ~ .\"); #! SEC001\n }",
    "call allowed;\n ban(\"req.url ~ .\");",
])
def test_purge_without_acl(body: str) -> None:
    allowed = "sub allowed { if (client.ip !~ purgers) { return (synth(405)); } }\n"
    check_marks(f"import std; {ACL}{allowed}" + RECV % body, "SEC001")


@pytest.mark.parametrize("body", [
    'ban("req.http.host == " + req.http.host + " && req.url == " + req.url);',
    'ban("obj.http.x-host == shop. + " + req.http.host);',
    'ban("obj.http.tag != " + req.http.X-Tag);',
    'ban("req.url ~ ^" + req.url); #! SEC010',
    'ban("req.http.host == " + req.http.host + " && req.url ~ "\n + req.http.X-Pattern); #! SEC010',
    'ban("obj.http.a == b && obj.http.tag ~ (^|,)" + req.http.X-Tag + "(,|$)"); #! SEC010',
    "ban(req.http.X-Ban); #! SEC010",
])
def test_ban_from_request(body: str) -> None:
    check_marks(RECV % body, "SEC010")


@pytest.mark.parametrize("body", [
    "synthetic(\"<p>\" + req.url); #! SEC008",
    "set resp.body = \"<p>\" + req.http.X; #! SEC008",
    "set resp.http.Content-Type = \"text/html\";\n synthetic(req.url); #! SEC008",
    "set resp.http.Content-Type = \"application/json\";\n synthetic(req.url);",
    "synthetic(\"<p>\" + resp.reason);",
    "synthetic(blob.transcode(encoding = URL, encoded = req.url));",
    # no text of the client is left
    "synthetic(\"<p>\" + std.ip(req.http.X-Real-IP, \"0.0.0.0\"));",
    "synthetic(\"<p>\" + std.integer(req.http.X, 0) + std.port(client.ip) + req.xid + now);",
    "synthetic(\"<p>\" + std.time(req.http.Date, now) + std.duration(req.http.X, 1s) + std.real(req.http.X, 0.5));",
    "synthetic(\"<p>\" + digest.hash_md5(req.url) + client.ip + resp.status);",
    "synthetic(\"<p>\" + regsuball(req.url, \"[<>&]\", \"\"));",
    "synthetic(\"<p>\" + regsuball(req.url, \"[^a-z/]\", \"_\"));",
    # the same functions beside a text, and those that return one
    "synthetic(\"<p>\" + std.ip(req.http.X-Real-IP, \"0.0.0.0\") + req.http.X-Real-IP); #! SEC008",
    "synthetic(\"<p>\" + std.tolower(req.url)); #! SEC008",
    "synthetic(\"<p>\" + std.querysort(req.url)); #! SEC008",
    "synthetic(\"<p>\" + regsuball(req.url, \"[>&]\", \"\")); #! SEC008",
    "synthetic(\"<p>\" + regsub(req.url, \"<\", \"\")); #! SEC008",
    "synthetic(\"<p>\" + regsuball(req.url, \"<\", \"<b>\")); #! SEC008",
    "set resp.http.Location = \"https://\" + req.http.host + req.url;",
])
def test_synth_reflects_input(body: str) -> None:
    check_marks("import blob; import digest; import std; sub vcl_synth {\n%s\n return (deliver); }" % body, "SEC008")


# ---- FL ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [
    "return (pass);\n set req.http.X = \"1\"; #! FL001",
    "if (req.url == \"/\") { return (pass); } else { return (hash); }\n set req.http.X = \"1\"; #! FL001",
    "if (req.url == \"/\") { return (pass); }\n set req.http.X = \"1\";",
    "call done;\n set req.http.X = \"1\"; #! FL001",
    "call maybe;\n set req.http.X = \"1\";",
])
def test_unreachable(body: str) -> None:
    subs = 'sub done { return (pass); }\nsub maybe { if (req.url == "/") { return; } return (pass); }\n'
    check_marks(subs + RECV % body, "FL001")


@pytest.mark.parametrize("body", [
    "return (restart); #! FL006",
    "if (req.restarts == 0) { return (restart); }",
    "if (req.restarts > 2) { return (deliver); } return (restart);",
    "if (resp.status == 404) {\n return (restart); #! FL006\n }",
    "if (!req.http.X-Again) { set req.http.X-Again = \"1\"; return (restart); }",
])
def test_restart_unbounded(body: str) -> None:
    check_marks("sub vcl_deliver {\n%s\n}" % body, "FL006")
