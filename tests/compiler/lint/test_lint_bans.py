"""SEC010: a field that only brings a pattern for bans, from clients that an ACL lets through, is
meant to be one: a note."""

from __future__ import annotations

import pytest
from vernis.syntax.diagnostics import Severity

from lint_helpers import check_marks, results_of

GUARD = 'if (client.ip !~ own) { return (synth(405)); }'
ACL = 'acl own { "127.0.0.1"; }\n'
BAN = 'ban("obj.http.X-Tags ~ " + req.http.X-Tags);'
FOUND = 'ban("obj.http.X-Tags ~ " + req.http.X-Tags); #! SEC010\n'

CASES = [
    # No ACL, or only on one of two ways.
    (f"sub vcl_recv {{ {GUARD} if (req.http.X-Tags) {{ {BAN} }} }}", f"sub vcl_recv {{ if (req.http.X-Tags) {{\n {FOUND} }} }}"),
    (f'sub vcl_recv {{ if (req.method == "BAN") {{ {GUARD} {BAN} }} }}',
     f'sub vcl_recv {{ if (req.method == "BAN") {{ if (req.url ~ "x") {{ {GUARD} }}\n {FOUND} }} }}'),
    ('sub vcl_recv { if (client.ip ~ own && (req.http.X-Tags || req.http.X-Pool)) {\n'
     f' if (req.http.X-Tags) {{ {BAN} }} if (req.http.X-Pool) {{ ban("obj.http.X-Pool ~ " + req.http.X-Pool); }} }} }}',
     f"sub vcl_recv {{ if (client.ip ~ own || req.http.X-Pool) {{\n {FOUND} }} }}"),
    # The field decides something else, too, or the policy makes it.
    (f'import std; sub vcl_recv {{ {GUARD} std.log("ban " + req.http.X-Tags); {BAN} }}',
     f'sub vcl_recv {{ {GUARD} set req.http.X-Last = req.http.X-Tags;\n {FOUND} }}'),
    (f"sub vcl_recv {{ {GUARD} if (!req.http.X-Tags) {{ return (synth(400)); }} {BAN} }}",
     f'sub vcl_recv {{ {GUARD} if (req.http.X-Tags == "news") {{\n {FOUND} }} }}'),
    (f"sub vcl_recv {{ {GUARD} {BAN} }}", f'sub vcl_recv {{ {GUARD} set req.http.X-Tags = req.http.X-Tags + "$";\n {FOUND} }}'),
    # It is no pattern there.
    (f"sub vcl_recv {{ {GUARD} {BAN} }}", f"sub vcl_recv {{ {GUARD}\n ban(req.http.X-Tags); #! SEC010\n }}"),
    (f'sub vcl_recv {{ {GUARD} ban("obj.http.X-Tags !~ " + req.http.X-Tags); }}',
     f'sub vcl_recv {{ {GUARD}\n ban("obj.age > " + req.http.X-Tags); #! SEC010\n }}'),
    # The URL and the host are never meant as patterns.
    (f'sub vcl_recv {{ {GUARD} ban("req.url == " + req.url); }}',
     f'sub vcl_recv {{ {GUARD}\n ban("req.url ~ " + req.url); #! SEC010\n ban("req.http.host ~ " + req.http.host); #! SEC010\n }}'),
]


@pytest.mark.parametrize("trusted, found", CASES)
def test_a_pattern_by_purpose_is_a_note(trusted: str, found: str) -> None:
    results = results_of(ACL + trusted, ("SEC010",))
    assert all(one.diagnostic.severity is Severity.NOTE and "==" not in one.finding.help for one in results)
    assert bool(results) is ("~ " in trusted.partition("ban(")[2])
    check_marks(ACL + found, "SEC010")
    assert all(one.diagnostic.severity is Severity.WARNING for one in results_of(ACL + found, ("SEC010",)))
