"""FL002 and FL003: tests with only one answer, and those that only look so."""

from __future__ import annotations

import pytest
from lint_helpers import check_marks, results_of

from vernis.syntax.diagnostics import Severity

RECV = "sub vcl_recv {\n%s\n}"


def chain(*arms: str) -> str:
    return "\n".join(f"{'elseif' if number else 'if'} ({arm}) {{ set req.http.N = \"{number}\"; }}"
                     if not arm.startswith("BAD ") else
                     f"elseif ({arm[4:]}) {{ set req.http.N = \"{number}\"; }} #! FL002" for number, arm in enumerate(arms))


@pytest.mark.parametrize("arms", [
    ('req.url ~ "^/a"', 'BAD req.url ~ "^/a/b"'),
    ('req.url ~ "^/a"', 'BAD req.url == "/a/b"'),
    ('req.url ~ "^/a"', 'req.url ~ "/a"'),
    ('req.url ~ "\\.(jpg|png|gif)$"', 'BAD req.url ~ "\\.(png|jpg)$"'),
    ('req.url ~ "\\.(jpg|png)$"', 'req.url ~ "\\.(png|svg)$"'),
    ('req.url ~ "(?i)\\.JPG$"', 'BAD req.url ~ "\\.jpg$"'),
    ('req.url == "/a"', 'BAD req.url == "/a"'),
    ('req.method == "GET"', 'req.method == "HEAD"', 'BAD req.method == "GET"'),
    ('req.http.X', 'BAD req.http.X ~ "a"'),
    ('req.http.X', 'req.http.X ~ "^$"'),
    ('req.http.X ~ "a"', 'req.http.X'),
    ('!req.http.X', 'req.http.X ~ "a"'),
    ('client.ip ~ wide', 'BAD client.ip ~ narrow'),
    ('client.ip ~ narrow', 'client.ip ~ wide'),
    ('client.ip ~ holed', 'client.ip ~ narrow'),
    ('req.restarts > 1', 'BAD req.restarts == 3'),
    ('req.restarts > 1', 'req.restarts == 1'),
    ('req.url ~ "^/a" && req.http.X', 'req.url ~ "^/a/b"'),
    ('req.url ~ "^/a" || req.http.X', 'BAD req.url ~ "^/a/b" && req.method == "GET"'),
    ('req.url ~ "^/a"', 'req.url ~ "^/a/b" || req.method == "GET" #! FL002\n'),
    ('req.url !~ "^/a"', 'req.url ~ "^/a/b"', 'BAD req.url !~ "^/"'),
])
def test_shadowed_arm(arms: tuple[str, ...]) -> None:
    acls = ('acl wide { "10.0.0.0"/8; } acl narrow { "10.1.0.0"/16; "10.2.0.1"; } '
            'acl holed { "10.0.0.0"/8; ! "10.1.2.0"/24; }\n')
    used = "if (client.ip ~ wide || local.ip ~ narrow || remote.ip ~ holed) { set req.http.U = \"1\"; }\n"
    check_marks(acls + RECV % (used + chain(*arms)), "FL002")


@pytest.mark.parametrize("body", [
    'if (req.url ~ "^/a") { return (pass); }\n if (req.url ~ "^/a/b") { return (hash); } #! FL002',
    'if (req.url ~ "^/a") { set req.http.X = "1"; }\n if (req.url ~ "^/a/b") { return (hash); }',
    'if (req.url ~ "^/a") { return (pass); }\n set req.url = "/a" + req.url;\n if (req.url ~ "^/a/b") { return (hash); }',
    'if (req.url ~ "^/a") { return (pass); }\n call change;\n if (req.url ~ "^/a/b") { return (hash); }',
    'if (req.url ~ "^/a") { return (pass); }\n call keep;\n if (req.url ~ "^/a/b") { return (hash); } #! FL002',
    'if (req.url ~ "^/a") { return (pass); }\n std.rollback(req);\n if (req.url ~ "^/a/b") { return (hash); }',
    'if (req.url ~ "^/a") { if (req.http.X) { return (pass); } }\n if (req.url ~ "^/a/b") { return (hash); }',
    'if (req.http.X) { if (req.url ~ "^/a") { return (pass); } }\n if (req.url ~ "^/a/b") { return (hash); }',
])
def test_shadowed_by_an_earlier_return(body: str) -> None:
    subs = 'sub change { set req.url = "/"; }\nsub keep { set req.http.Kept = "1"; }\n'
    used = "sub vcl_miss { call change; call keep; }\n"
    check_marks("import std; " + subs + used + RECV % body, "FL002")


def test_definitions_of_a_sub_follow_each_other() -> None:
    check_marks('sub vcl_recv { if (req.url ~ "^/a") { return (pass); } }\n'
                'sub vcl_recv { if (req.url ~ "^/a/b") { return (hash); } } #! FL002', "FL002")


@pytest.mark.parametrize("test", [
    'BAD req.method != "GET" || req.method != "HEAD"',
    'BAD req.method == "GET" && req.method == "HEAD"',
    'BAD req.url ~ "^/a" && req.url ~ "^/b"',
    'BAD req.url ~ ".*"',
    'BAD req.http.X ~ ""',
    'BAD req.restarts > 3 && req.restarts < 2',
    'BAD req.http.X && !req.http.X',
    'BAD req.method == "PURGE" && req.method != "PURGE" && client.ip ~ office',
    'BAD !(req.url ~ "^")',
    'req.method != "GET" && req.method != "HEAD"',
    'req.url ~ "^/a" && req.url ~ "^/a/b"',
    'req.url ~ "a" && req.url ~ "b"',
    'req.url ~ "."',
    'req.http.X ~ "^.+$"',
    'req.http.X !~ "." || req.http.Y',
    'req.restarts > 1 && req.restarts < 3',
    'req.url ~ "^/a" || req.url ~ "^/b"',
    'std.random(0, 1) > 0.5 && std.random(0, 1) > 0.5',
])
def test_constant_condition(test: str) -> None:
    used = 'acl office { "10.0.0.1"; }\nsub vcl_hit { if (client.ip ~ office) { return (deliver); } }\n'
    line = f"if ({test.removeprefix('BAD ')}) {{ return (pass); }}" + " #! FL003" * test.startswith("BAD ")
    check_marks("import std; " + used + RECV % line, "FL003")


@pytest.mark.parametrize("body", [
    'if (req.http.X) {\n if (req.http.X) { return (pass); } #! FL003\n }',
    'if (req.http.X) {\n unset req.http.X;\n if (!req.http.X) { return (pass); }\n }',
    'if (req.http.X) { set req.http.Y = "1"; }\n if (req.http.X) { return (pass); }',
    'if (req.url ~ "^/a") {\n if (req.url ~ "^/b") { return (pass); } #! FL003\n }',
    'if (req.url ~ "^/a") { set req.url = "/b"; } else {\n if (req.url ~ "^/a") { return (pass); } #! FL002\n }',
])
def test_inner_condition(body: str) -> None:
    check_marks(RECV % body, "FL002", "FL003")


@pytest.mark.parametrize("body, severity", [
    # The earlier test takes such requests, and does the same.
    ('if (req.http.A) { return (pass); } if (req.http.A ~ "b" || req.http.C) { return(pass); }', "note"),
    ('if (req.http.A) { return (pass); } if (req.http.A ~ "b" || req.http.C) { return (hash); }', "warning"),
    ('if (req.http.A) { return (pass); } if (req.http.A ~ "b") { set req.http.D = "1"; return (pass); }', "warning"),
    ('if (req.http.A) { set req.http.D = "1"; return (pass); } if (req.http.A ~ "b") { return (pass); }', "note"),
    ('if (req.http.A) { return (synth(403)); } if (req.http.A ~ "b") { return (synth(404)); }', "warning"),
    ('if (req.url ~ "^/a") { return (pass); } elseif (req.url ~ "^/a/b") { return (pass); }', "note"),
    ('if (req.url ~ "^/a") { return (pass); } elseif (req.url ~ "^/a/b") { return (hash); }', "warning"),
    ('if (req.url ~ "^/a" || req.url ~ "^/a/b") { return (pass); }', "note"),
    ('if (req.http.A) { return (pass); } if (!(req.http.A ~ "b" || req.http.C)) { return (pass); }', "warning"),
    ('if (!req.http.A) { return (hash); } if (!req.http.A) { return (hash); }', "note"),
    ('if (!req.http.A) { return (hash); } if (!req.http.A) { return (pass); }', "warning"),
    ('if (!req.http.A) { return (hash); } if (!req.http.A) { return (hash); } else { set req.http.D = "1"; }', "note"),
    # The test is the negation of one behind which requests ended.
    ('if (!req.http.A) { return (hash); } if (req.http.A) { set req.http.D = "1"; } set req.http.E = "1";', "note"),
    ('if (!req.http.A) { return (hash); } if (req.http.A) { return (pass); }', "note"),
    ('if (!req.http.A) { return (hash); } if (req.http.A) { return (pass); } set req.http.E = "1";', "warning"),
    ('if (!req.http.A) { return (hash); } if (req.http.A) { return (pass); } else { return (synth(404)); }', "warning"),
    ('if (!req.http.A) { return (hash); } if (req.http.A) { return (pass); } } sub vcl_recv { set req.http.E = "1";',
     "warning"),
    ('if (!req.http.A) { return (hash); } elseif (req.http.A) { return (pass); }', "note"),
    ('if (!req.http.A) { return (hash); } elseif (req.http.A) { return (pass); } elseif (req.http.B) { return (pipe); }',
     "warning"),
    ('if (req.http.A) { if (req.http.A) { return (pass); } set req.http.E = "1"; }', "warning"),
    ('if (req.http.A) { if (req.http.A) { set req.http.D = "1"; } set req.http.E = "1"; }', "note"),
    ('if (req.http.A) { if (!req.http.A) { set req.http.D = "1"; } }', "warning"),
    # Another test than the earlier one.
    ('if (req.url !~ "^/a") { return (hash); } if (req.url ~ "^/") { return (pass); }', "warning"),
    ('if (!req.http.A) { return (hash); } if (req.http.A || req.http.B) { return (pass); }', "warning"),
    ('if (req.method != "GET" || req.method != "HEAD") { return (pass); }', "warning"),
])
def test_a_test_that_can_go_is_a_note(body: str, severity: str) -> None:
    found = results_of(RECV % body, ("FL002", "FL003"))
    assert [one.diagnostic.severity for one in found] == [Severity[severity.upper()]]


@pytest.mark.parametrize("rule, body", [
    ("FL001", 'return (pass); set req.http.A = "1";'),
    ("FL002", 'if (req.url ~ "^/a") { return (pass); } elseif (req.url ~ "^/a/b") { return (hash); }'),
    ("FL003", 'if (req.url ~ "^/a" && req.url ~ "^/b") { return (pass); }'),
])
@pytest.mark.parametrize("use, is_found", [
    ("", False),
    ("sub caller { call sample; }", False),
    ("sub vcl_recv { call sample; }", True),
    ("sub caller { call sample; } sub vcl_recv { call caller; }", True),
])
def test_what_never_runs_in_a_sub_that_nobody_calls_is_said_once(rule: str, body: str, use: str, is_found: bool) -> None:
    """V602 says that the sub never runs."""
    assert bool(results_of(f"sub sample {{ {body} }} {use}", (rule,))) is is_found
