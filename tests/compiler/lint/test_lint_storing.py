"""CS: what is stored, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from lint_five import check_five
from lint_helpers import HEAD, check_marks, results_of

from vernis.commands.migrate import migrate
from vernis.lint.engine import Settings, lint
from vernis.lint.rules import all_rules
from vernis.pipeline import CHECK, Compilation, Options, run_stages

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


# ---- one finding for one cause -----------------------------------------------------------------------------

RETURNS = {
    "CS001": 'sub vcl_backend_response { set beresp.ttl = 1h; if (bereq.url ~ "a") {\n return (deliver); %s\n }\n'
             " return (deliver); %s\n }",
    "CS003": 'sub vcl_recv { if (req.url ~ "a") {\n return (hash); %s\n }\n return (hash); %s\n }',
    "CS004": 'sub vcl_backend_response { call vcl_beresp_cookie; if (bereq.url ~ "a") {\n return (deliver); %s\n }\n'
             " return (deliver); %s\n }",
    "CS005": 'sub vcl_recv { call vcl_req_method; if (req.url ~ "a") {\n return (hash); %s\n }\n return (hash); %s\n }',
}


@pytest.mark.parametrize("rule", RETURNS)
def test_returns_that_skip_one_check_are_one_finding(rule: str) -> None:
    text = RETURNS[rule]
    check_marks(text % (f"#! {rule}", ""), rule)
    result, = results_of(text % ("", ""), (rule,))
    assert len(result.diagnostic.labels) == 1
    assert result.finding.fix is not None and len(result.finding.fix.edits) == 2


@pytest.mark.parametrize("rule", RETURNS)
def test_a_comment_silences_only_its_return(rule: str) -> None:
    ignore = f"# vernis: ignore[{rule}]"
    check_marks(RETURNS[rule] % (ignore, f"#! {rule}"), rule)
    check_marks(RETURNS[rule] % (f"{ignore} #! ", ignore), rule)
    result, = results_of(RETURNS[rule] % ("", ignore), (rule,))
    assert result.diagnostic.labels == ()


def test_each_return_of_a_finding_has_its_own_words() -> None:
    result, = results_of('sub vcl_recv { if (req.method == "GET") { return (hash); } unset req.http.Cookie; return (hash); }', ("CS003",))
    assert result.finding.message == "this looks up requests with cookies"
    assert [label.text for label in result.diagnostic.labels] == ["this looks up a POST"]
    assert "vcl_req_method" not in result.diagnostic.help


# ---- allow of 5.0 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "sub vcl_recv { call vcl_req_method; allow (\n authorization, #! CS005\n cookie); #! CS003\n return (hash); }\n"
    "sub vcl_backend_response { set beresp.ttl = 1h; }",
    "sub vcl_recv {\n allow (cookie); #! CS003\n }",                      # the built-in hook looks it up
    "sub vcl_recv { call vcl_req_method;\n allow (cookie); #! CS003\n builtin; }",
    "sub shared {\n allow (cookie); #! CS003\n }\n sub vcl_recv { call vcl_req_method; call shared; return (hash); }",
    'sub vcl_recv { call vcl_req_method; if (req.url starts "/a/") { unset req.http.Cookie; }\n allow (cookie); #! CS003\n return (hash); }',
    'sub vcl_recv { call vcl_req_method; if (req.url starts "/a/") {\n allow (cookie); #! CS003\n }\n return (hash); }',
    "sub vcl_recv { call vcl_req_method; unset req.http.Cookie; allow (cookie); return (hash); }",
    "sub vcl_recv { call vcl_req_method; allow (cookie); unset req.http.Cookie; return (hash); }",
    "sub vcl_recv { call vcl_req_method; allow (cookie); return (pass); }",
    'sub vcl_recv { call vcl_req_method; req.cookie.keep("lang"); allow (cookie); return (hash); }',
    'sub vcl_recv { call vcl_req_method; set req.http.Cookie = regsuball(req.http.Cookie ?? "", "sid=[^;]*", ""); allow (cookie); return (hash); }',
    'sub vcl_recv { call vcl_req_method; set req.http.Cookie = regsuball(req.http.Cookie ?? "", "_ga=[^;]*", "");\n'
    " allow (cookie); #! CS003\n return (hash); }",
    'sub vcl_recv { call vcl_req_method; allow (cookie); return (hash); } sub vcl_hash { hash_data(req.cookie["lang"] ?? ""); }',
    "sub vcl_recv { call vcl_req_method; allow (authorization); return (hash); } "
    'sub vcl_hash { hash_data(req.http.Authorization ?? ""); }',
    "sub vcl_recv { call vcl_req_method; allow (authorization); if (req.http.Authorization is set) { return (pass); } return (hash); }",
    # The core stores no answer to Authorization that RFC 9111, 3.5 keeps from others, and nothing that is private.
    "sub vcl_recv { call vcl_req_method; allow (authorization); }",
    "sub vcl_recv { call vcl_req_method; allow (authorization); return (hash); } sub vcl_backend_response { set beresp.ttl = 0s; }",
    "sub vcl_recv { call vcl_req_method;\n allow (authorization); #! CS005\n return (hash); }\n"
    'sub vcl_backend_response { if (beresp.http.X-Life is set) { set beresp.ttl = 1h * 2; } }',
    "sub vcl_recv { call vcl_req_method;\n allow (authorization); #! CS005\n } sub vcl_backend_fetch { unset bereq.http.Authorization; }",
    "caching 4.1; sub vcl_recv { call vcl_req_method;\n allow (authorization); #! CS005\n }",
    "sub vcl_backend_response { allow (private); }",
    "sub vcl_backend_response { allow (private); if (beresp.ttl > 0s) { set beresp.ttl = 1h; } return (deliver); }",
    "caching 4.1; sub vcl_backend_response { unset beresp.http.Set-Cookie;\n allow (private); #! CS004\n return (deliver); }",
    "sub vcl_backend_response { set beresp.ttl = 1h; allow (\n set_cookie, #! CS001\n private); #! CS004\n return (deliver); }",
    "sub vcl_backend_response { set beresp.ttl = 1h;\n allow (set_cookie); #! CS001\n }",
    "sub vcl_backend_response { set beresp.ttl = 1h; unset beresp.http.Set-Cookie; allow (set_cookie); return (deliver); }",
    "sub vcl_backend_response { allow (set_cookie, private); set beresp.uncacheable = true; return (deliver); }",
])
def test_an_allow_does_not_silence_the_rule(text: str) -> None:
    check_five(text, "CS001", "CS003", "CS004", "CS005")


def found_after_migration(path: Path, text: str, rules: tuple[str, ...]) -> set[str]:
    """The rules that find something in the policy as `vernis fix --migrate` writes it."""
    path.write_text(HEAD + text)

    def run(changed: Mapping[str, bytes]) -> Compilation:
        return Compilation("test", str(path), options=Options(err_unref=False), changed=changed)

    after = run_stages(run(migrate(run).texts), CHECK)
    assert after.checked is not None and not after.failed and after.checked.program.version == (5, 0)
    return {result.rule.id for result in lint(after.checked, all_rules(), Settings(rules))}


@pytest.mark.parametrize("text", [
    "sub vcl_recv { return (hash); }",
    'sub vcl_recv { if (req.url ~ "^/static/") { return (hash); } }',
    'sub vcl_recv { set req.http.Cookie = regsuball(req.http.Cookie, "_ga=[^;]*", ""); return (hash); }',
    "sub vcl_recv { unset req.http.Cookie; if (req.method == \"GET\") { return (hash); } }",
    "sub vcl_recv { if (req.method == \"GET\" && !req.http.Authorization) { return (hash); } }",
    "sub vcl_backend_response { set beresp.ttl = 1h; return (deliver); }",
    "sub vcl_backend_response { unset beresp.http.Set-Cookie; return (deliver); }",
])
def test_a_migration_keeps_the_findings(tmp_path: Path, text: str) -> None:
    """The `allow` that the migration writes is no decision of the author."""
    rules = ("CS001", "CS003", "CS004", "CS005")
    before = {result.rule.id for result in results_of(text, rules)}
    after = found_after_migration(tmp_path / "p.vcl", text, rules)
    assert before
    # A response that CS001 names is private, too, which 4.1 says once.
    assert after - {"CS004"} == before - {"CS004"} and ("CS004" in after) >= ("CS004" in before)
