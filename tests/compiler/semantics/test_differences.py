"""docs/differences.md lists policies that only Varnish 7.1 or only Vernis accepts. These tests check Vernis's
side."""

from __future__ import annotations

import pytest
from semantics_helpers import check

REFUSED = {
    "V105": "sub vcl_recv { \0 }",
    "V309": "sub vcl_recv { if (-true) { return (pass); } }",
    "V220": "sub vcl_recv { if (- -1 > 0) { return (pass); } }",
    "V507": 'backend b { .host = "127.0.0.1"; .port = "65537"; }',
    "V510": 'acl a { "*"; }',
    "V501": "acl f { } sub f { }",
}
TAKEN = {
    "include as a name": 'sub vcl_recv { set req.http.include = "1"; }',
    "a form feed": "sub vcl_recv {\f return (pass); }",
    "a number before a text": 'sub vcl_synth { set resp.body = resp.status + " x"; }',
    "a time before a text": 'sub vcl_backend_error { set beresp.body = now + " x"; }',
    "a method's text": 'sub vcl_recv { set req.http.X = "A".lower() + 1; }',
}


@pytest.mark.parametrize("code", REFUSED)
def test_vernis_refuses(code: str) -> None:
    assert code in check(f"vcl 4.0; backend origin none;\n{REFUSED[code]}\n").codes


@pytest.mark.parametrize("name", TAKEN)
def test_vernis_accepts(name: str) -> None:
    assert check(f"vcl 4.1; backend origin none;\n{TAKEN[name]}\n").codes == []
