"""RE: cases of each rule about regular expressions, and fixes that keep their word."""

from __future__ import annotations

import pytest
from lint_helpers import HEAD, check_marks, results_of, rule_of



def check_tests(rule: str, *tests: str) -> None:
    """Each text is one condition; ``BAD`` before it: the rule finds it."""
    lines = [f"if ({test.removeprefix('BAD ')}) {{ return (pass); }}" + f" #! {rule}" * test.startswith("BAD ") for test in tests]
    check_marks("sub vcl_recv {\n" + "\n".join(lines) + "\n}", rule)


def fixed(text: str, rule: str) -> str:
    """The text with the fixes of a rule."""
    made = rule_of(rule)
    assert made is not None
    source = (HEAD + text).encode()
    edits = [edit for result in results_of(text, (rule,)) if result.finding.fix for edit in result.finding.fix.edits]
    for edit in sorted(edits, key=lambda edit: -edit.span.start):
        source = source[:edit.span.start] + edit.text.encode() + source[edit.span.end:]
    return source.decode().removeprefix(HEAD)


def fixed_test(test: str, rule: str) -> str:
    before, after = "sub vcl_recv { if (", ") { return (pass); } }"
    return fixed(before + test + after, rule).removeprefix(before).removesuffix(after)


def test_unescaped_dot() -> None:
    check_tests(
        "RE001",
        'BAD req.http.host ~ "example.com"',
        'BAD req.http.host ~ "^(www.)?example\\.com$"',
        'BAD req.http.host ~ "(www|static).example\\.com"',
        'BAD req.http.X-Forwarded-For ~ "^10.0\\.0.1$"',
        'req.url ~ "/xmlrpc.php"',  # nobody gains from it: see the effects below
        'req.url ~ ".(jpg|png)$"',
        'req.http.host ~ "^.+\\.example\\.com$"',
        'req.http.host ~ ".*example\\.com"',
        'req.http.User-Agent ~ "Version.com"',
        'req.url ~ "/a.b/"',
        'req.url ~ "^/.*/x"',
        'req.http.X ~ "(?=a)www.example.com"',
    )


EFFECTS = [
    'if (req.url ~ "^/setup.php") { return (synth(403)); }',
    'if (req.url !~ "^/shop.php") {BAD return (synth(403)); }',
    'if (!(req.url ~ "^/shop.(php|html)$")) {BAD return (synth(404)); }',
    'if (req.method != "GET" && req.url !~ "\\.(php|html)$|.cgi$") {BAD return (fail); }',
    'if (req.url !~ "^/shop.php") {BAD call refused; }',
    'if (req.url !~ "^/shop.php") { return (pass); }',
    'if (req.url !~ "^/shop.php") { if (req.method == "PUT") { return (synth(403)); } }',
    'if (req.http.host ~ "^shop.example.com$") {BAD return (pass); }',
    'if (req.http.host !~ "^shop.example.com$") {BAD return (synth(404)); }',
    'if (req.http.host ~ "^shop.example.com$") { return (synth(404)); }',
    'if (req.http.host ~ "^shop.example.com$") {BAD set req.http.X = "1"; } else { return (synth(404)); }',
    'if (req.http.host ~ "^shop.example.com$") { call refused; }',
    'if (req.http.X-Forwarded-For !~ "^10.0.0.1$") {BAD return (synth(403)); }',
    'if (req.http.X-Forwarded-For ~ "^10.0.0.1$") { return (synth(403)); }',
    'if (req.http.host ~ "^shop.example.com$") {BAD return (synth(301, "/")); }',
]


@pytest.mark.parametrize("test", EFFECTS)
def test_a_dot_that_harms_nobody_is_left_out(test: str) -> None:
    """What a match or a miss leads to decides: more matches of a deny-list harm nobody."""
    text = "sub refused { return (synth(403)); }\nsub vcl_recv {\n" + test.replace("BAD", " #! RE001\n") + "\n}"
    check_marks(text, "RE001")


def test_a_wide_pattern_of_a_deny_list_is_left_out() -> None:
    pattern = '"example\\.com"'
    check_marks(f"sub vcl_recv {{ if (req.http.Referer ~ {pattern}) {{ return (synth(403)); }} }}", "RE002")
    check_marks(f"sub vcl_recv {{\n if (req.http.Referer !~ {pattern}) {{ #! RE002\n return (synth(403)); }} }}", "RE002")


def test_the_fix_escapes_all_dots() -> None:
    assert fixed_test('req.http.host ~ "^www.example.com$"', "RE001") == 'req.http.host ~ "^www\\.example\\.com$"'
    assert fixed_test('req.http.host ~ {"www.\u00e9.com"}', "RE001") == 'req.http.host ~ {"www\\.\u00e9\\.com"}'


def test_unanchored_host() -> None:
    check_tests(
        "RE002",
        'BAD req.http.host ~ "example\\.com"',
        'BAD req.http.host ~ "example\\.com$"',
        'BAD req.http.host ~ "^example\\.com"',
        'BAD req.http.host !~ "^(www\\.)?example\\.(com|org)"',
        'BAD req.http.Origin ~ "^https?://example\\.com"',
        'BAD req.http.Origin ~ "example\\.com$"',
        'BAD req.http.Referer ~ "^https://www\\.example\\.com"',
        'BAD req.http.host ~ "^a\\.com$|b\\.com$"',
        'req.http.host ~ "(^|\\.)example\\.com$"',
        'req.http.host ~ "^(www\\.)?example\\.com(:\\d+)?$"',
        'req.http.host ~ "\\.example\\.com$"',
        'req.http.host ~ "^www\\."',
        'req.http.host ~ "^example\\."',
        'req.http.host ~ "staging"',
        'req.http.Origin ~ "^https?://([a-z]+\\.)?example\\.com$"',
        'req.http.Referer ~ "^https://www\\.example\\.com/"',
        'req.url ~ "example\\.com"',
        # The owner of a domain has all names below it.
        'req.http.host ~ "^[a-z0-9-]+\\.shops\\.example\\.net$"',
        'req.http.host ~ "www\\.example\\.com$"',
        'req.http.Origin ~ "^https://.*\\.shops\\.example\\.net$"',
        'BAD req.http.host ~ "^[a-z0-9-]+\\.shops\\.example\\.net"',
        'BAD req.http.host ~ "^.*example\\.net$"',
        'BAD req.http.host ~ "shop\\.co\\.uk$"',
        'BAD req.http.host ~ "shop\\.github\\.io$"',
        'req.http.host ~ "www\\.shop\\.co\\.uk$"',
    )


def test_the_shortest_foreign_host_is_named() -> None:
    text = 'sub vcl_recv { if (req.http.host ~ "^www\\.example\\.com|api\\.example\\.com$") { return (pass); } }'
    assert "www.example.com.evil.net" in results_of(text, ("RE002",))[0].diagnostic.message


def test_regex_is_literal() -> None:
    check_tests(
        "RE004",
        'BAD req.method ~ "^PURGE$"',
        'BAD req.url !~ "^/a\\.html$"',
        'req.url ~ "^/$|^/x$"',
        'req.url ~ "^/a.html$"',
        'req.url ~ "^/a"',
        'req.http.X ~ "^$"',
        'req.http.X ~ "(?i)^close$"',
    )
    assert fixed_test('req.url !~ "^/a\\.html$"', "RE004") == 'req.url != "/a.html"'
    assert fixed_test('(req.method ~ {"^GET$"})', "RE004") == '(req.method == "GET")'


def test_dot_star_edges() -> None:
    check_tests(
        "RE005",
        'BAD req.url ~ ".*/admin"',
        'BAD req.url ~ "/admin.*$"',
        'BAD req.url ~ "^.*/admin.*"',
        'req.url ~ "^/a.*b$"',
        'req.url ~ ".*"',
        'req.url ~ ".+/admin"',
        'req.url ~ "(a|.*)b"',
        'req.url + "" ~ "a.*$"',
    )
    assert fixed_test('req.url ~ "^.*/admin.*$"', "RE005") == 'req.url ~ "/admin"'


def test_missing_path_end() -> None:
    check_tests("RE006", 'BAD req.url ~ "^/admin"', 'req.url ~ "^/admin/"', 'req.url ~ "^/admin$"', 'req.url ~ "^/a\\?x"')


def test_case_missed() -> None:
    check_tests(
        "RE007",
        'BAD req.http.host ~ "^www\\."',
        'BAD req.http.Upgrade ~ "websocket"',
        'req.http.Upgrade ~ "(?i)websocket"',
        'req.http.host ~ "^[0-9.]+$"',
        'req.url ~ "^/www"',
    )
    check_marks('sub vcl_recv { set req.http.host = req.http.host.lower();\n if (req.http.host ~ "^www\\.") { return (pass); } }', "RE007")


def test_alternation_anchor() -> None:
    check_tests(
        "RE010",
        'BAD req.url ~ "^/admin|/login"',
        'BAD req.method ~ "GET|HEAD$"',
        'BAD req.method ~ "^GET|POST|HEAD$"',
        'req.url ~ "^/admin|^/login"',
        'req.url ~ "^/static/|\\.css$"',
        'req.url ~ "^/$|/index"',
        'req.url ~ "/a|^/b"',
        'req.http.X ~ "^[; ]+|[; ]+$"',
        'req.url ~ "^(/admin|/login)"',
    )
    assert fixed_test('req.method ~ "^GET|HEAD$"', "RE010") == 'req.method ~ "^(GET|HEAD)$"'


@pytest.mark.parametrize(("pattern", "replacement", "found"), [
    ("^/a(.*)", "/b\\\\2", False),
    ("^/a(.*)", "/b\\2", True),
    ("^/a(.*)", "/b$1", True),
    ("^/a(.*)", "/b\\1", False),
    ("^/a", "/b\\0", False),
    ("^/a", "/price$5", False),
    ("(?=a)(b)", "\\3", False),
])
def test_missing_group(pattern: str, replacement: str, found: bool) -> None:
    text = f'sub vcl_recv {{\n set req.url = regsub(req.url, "{pattern}", "{replacement}" + req.http.X);{" #! RE009" * found}\n}}'
    check_marks(text, "RE009")


@pytest.mark.parametrize(("sub", "severity"), [("vcl_recv", "warning"), ("vcl_deliver", "note"), ("vcl_synth", "note"),
                                               ("vcl_backend_response", "note"), ("vcl_backend_fetch", "warning")])
def test_a_host_that_only_chooses_its_own_answer_is_noted(sub: str, severity: str) -> None:
    host, other = ("bereq.http.host", "beresp") if "backend" in sub else ("req.http.host", "resp")
    other = "bereq" if sub == "vcl_backend_fetch" else "req" if sub == "vcl_recv" else other
    for rule, pattern in ("RE001", "^www.shop.example$"), ("RE002", "www.shop.example"):
        text = f'sub {sub} {{ if ({host} ~ "{pattern}") {{ set {other}.http.X-Site = "shop"; }} }}'
        assert {result.diagnostic.severity.value for result in results_of(text, (rule,))} == {severity}
