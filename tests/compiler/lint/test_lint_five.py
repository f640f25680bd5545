"""Rules of 4.1 on policies of 5.0: each example says the same in both versions, and the forms of 5.0 are followed."""

from __future__ import annotations

import pytest
from lint_five import check_five, in_five, results_of_five
from lint_helpers import results_of

from vernis.lint.rule import Rule
from vernis.lint.rules import all_rules

RULES = pytest.mark.parametrize("rule", [rule for rule in all_rules() if rule.version == "4.1"], ids=lambda rule: rule.id)
#: 5.0 runs the check that these examples miss.
CHECKED_BY_FIVE = {"CS001", "CS004", "CS005"}
#: The checker of 5.0 refuses these examples, and only the author can say what they should mean.
REFUSED_MAX = 15


@RULES
def test_a_good_example_is_good_in_five(rule: Rule) -> None:
    text = in_five(rule.good)
    assert text is None or rule.id not in [result.rule.id for result in results_of_five(text)]


@RULES
def test_a_bad_example_is_bad_in_five(rule: Rule) -> None:
    text = in_five(rule.bad)
    found = text is None or rule.id in [result.rule.id for result in results_of_five(text)]
    assert found == (rule.id not in CHECKED_BY_FIVE), (
        f"{rule.id} and its `bad`, rewritten as 5.0: {'has a' if found else 'no'} finding. Mend check() for the forms of 5.0, "
        "or write into CHECKED_BY_FIVE here that the checker of 5.0 reports it")


def test_most_examples_can_be_rewritten() -> None:
    refused = [rule.id for rule in all_rules() if rule.version == "4.1" and None in (in_five(rule.good), in_five(rule.bad))]
    assert len(refused) <= REFUSED_MAX, refused


RECV = "sub vcl_recv {\n%s\n}"


@pytest.mark.parametrize("body", [
    'switch (req.method) {\n case "GET": { return (hash); }\n default: { return (pass); } }\n set req.url = "/"; #! FL001',
    'switch (req.method) {\n case "GET": { return (hash); } }\n set req.url = "/";',
    'builtin;\n set req.url = "/"; #! FL001',
    '@rule("home") if (req.url == "/") { return (pass); } else { return (hash); }\n set req.url = "/"; #! FL001',
    'for (x in ["a", "b"]) { return (pass); }\n set req.url = "/"; #! FL001',
    'for (x in ["a", "b"]) { if (req.url == x) { return (pass); } }\n set req.url = "/";',
])
def test_ends_of_paths(body: str) -> None:
    check_five(RECV % body, "FL001")


@pytest.mark.parametrize("body", [
    'if (req.url in ["/a", "/b"]) { if (req.url == "/a") { return (pass); } }',
    'if (req.url in ["/a", "/b"]) {\n if (req.url == "/c") { return (pass); } #! FL003\n }',
    'if (req.url starts "/a") {\n if (req.url ~ "^/b") { return (pass); } #! FL003\n }',
    'if (req.url ends ".css") {\n if (req.url ~ "css$") { return (pass); } #! FL003\n }',
    'if (req.http.X is set) {\n if (req.http.X is set) { return (pass); } #! FL003\n }',
    'if (req.http.X ~ "") { return (pass); }',                  # an absent field has no match
    'if (req.http.X == "") { return (pass); }',
    'if (req.http.X is set) {\n if (req.http.X !~ "") { return (pass); } #! FL003\n }',
    'if (req.url contains "a" || req.url contains "b") { return (pass); }',
    'for (x in ["a", "b"]) { if (!req.http.X is set) { set req.http.X = x; } }',  # not known in the second round
    'unset req.http.X; for (x in ["a", "b"]) { if (req.http.X is set) { return (pass); } set req.http.X = x; }',
    'if (let a = req.http.X) { if (a == "b") { return (pass); } }',
    'if (req.restarts == 0) { return (hash); }',                # the checks before the action are not the author's
])
def test_answers_of_conditions(body: str) -> None:
    check_five(RECV % body, "FL003")


@pytest.mark.parametrize("way", [
    "let a = req.http.X-A; set req.url = \"/\" + (a ?? \"\"); unset req.http.X-A;",
    "if (let a = req.http.X-A) { set req.url = \"/\" + a; } unset req.http.X-A;",
    "if (req.http.X-A ~ \"^(.)\" as m) { set req.url = \"/\" + m[1]; } unset req.http.X-A;",
    "for (x in [\"/a\", \"/b\"]) { if (req.http.X-A == x) { set req.url = x; } } unset req.http.X-A;",
    "switch (req.http.X-A) { case \"a\": { set req.url = \"/a\"; } } unset req.http.X-A;",
    "set req.url = \"/\" + (req.cookie[\"a\"] ?? \"\");",
    "if (req.cookie.has(\"a\", \"b\")) { set req.url = \"/a\"; }",
    "call put(req.http.X-A); unset req.http.X-A;",
    "set req.url = same(req.http.X-A); unset req.http.X-A;",
])
@pytest.mark.parametrize(("key", "found"), [("", 1), ("hash_data(req.url);", 0)])
def test_values_reach_the_origin(way: str, key: str, found: int) -> None:
    more = "sub put(a : STRING?) { set req.url = \"/\" + (a ?? \"\"); } fn same(a : STRING?) -> STRING { return (a ?? \"/\"); }"
    hash_ = "sub vcl_hash { %s hash_data(req.http.host ?? \"\"); return (lookup); }" % key
    results = results_of_five(f"{more} sub vcl_recv {{ {way} unset req.http.Cookie; return (hash); }} {hash_}", "CK")
    assert bool([result for result in results if result.rule.id in ("CK001", "CK002")]) == bool(found)


@pytest.mark.parametrize(("item", "found"), [("X-Other", 1), ("X-Class", 0)])
def test_an_item_of_vary_makes_variants(item: str, found: int) -> None:
    recv = "sub vcl_recv { set req.http.X-Class = req.cookie[\"c\"] ?? \"none\"; unset req.http.Cookie; return (hash); }"
    results = results_of_five(f"{recv} sub vcl_backend_response {{ beresp.http.Vary.add(\"X-A\", \"{item}\"); }}", "CK001")
    assert len(results) == found


@pytest.mark.parametrize("body", [
    'let a = req.url;\n let b = a; #! FIVE001\n return (pass);',
    'let mut a = 0; if (req.url == "/") { set a = 1; } if (a == 1) { return (pass); }',
    'let mut a = 0; #! FIVE002\n if (a == 1) { return (pass); }',
    'if (req.url ~ "^/(a|b)/" as m) { set req.url = m[1]; }',              # only a pattern has groups
    'if (req.url ~ "^/(a|b)/") { return (pass); } #! FIVE013',
    'if (req.url ~ "^/(a|b.)/") { return (pass); }',
    'if (req.url ~ "(?i)^/a") { return (pass); }',
    'if (req.url !~ "/$") { return (pass); } #! FIVE014',
    'if (req.url.path ~ "\\.(css|js)$") { return (pass); } #! FIVE013',
    'if (req.cookie["a"] ~ "^x$") { return (pass); } #! FIVE014',
    'let path = req.url.path;\n if (path ~ "^/a/") { return (pass); } #! FIVE014',
    'let host = req.http.Host; let name = host;\n if (name ~ "^a") { return (pass); } #! FIVE014',
    'let mut path = req.url.path; if (path ~ "^/a/") { set path = "/"; set req.url = path; }',      # may get a line feed
    'let text = req.url + "\\n"; if (text ~ "^/a/") { return (pass); }',
    'if (let path = req.url.query["a"]) { if (path ~ "^/a/") { return (pass); } }',
    'switch (req.method) { case "GET": { } default: { } }',
    'switch (req.url) { case "/a", "/b": { return (pass); } }',
    'if (req.url == "/a") { return (pass); } elseif (req.method == "PUT") { return (hash); } elseif (req.url == "/b") { return (pipe); }',
    'unset req.http.Cookie; set req.http.Cookie = "a=b";\n allow (cookie); return (hash);',
    'unset req.http.Cookie;\n allow (cookie); #! FIVE021\n return (hash);',
    'req.cookie.keep("lang"); allow (cookie); return (hash);',
    '@rule("a", owner = "web", until = "2030-01-01") if (req.url == "/") { return (pass); }',    # ends after this day
    '@rule("a", owner = "web", until = "2029-12-31") if (req.url == "/") { return (pass); } #! FIVE022',
])
def test_rules_about_forms_of_five(body: str) -> None:
    check_five(RECV % body, "FIVE")


def test_rules_about_forms_of_five_are_silent_in_4() -> None:
    assert results_of('sub vcl_recv { if (req.url ~ "^/(a|b)/") { return (pass); } }', ("FIVE",)) == []
