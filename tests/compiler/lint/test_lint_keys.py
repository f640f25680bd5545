"""CK: what is in the key, in which form."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks


KIND = """
sub vcl_recv { set req.http.X-Kind = "phone"; if (req.http.User-Agent ~ "Tablet") { set req.http.X-Kind = "tablet"; } }"""


@pytest.mark.parametrize("body", [
    "if (req.http.X-A) { hash_data(req.http.X-A); }\n if (req.http.X-B) {\n hash_data(req.http.X-B); #! CK004\n }",
    "if (req.http.X-A) { hash_data(\"a\" + req.http.X-A); }\n if (req.http.X-B) { hash_data(\"b\" + req.http.X-B); }",
    "hash_data(req.http.X-A); hash_data(req.http.X-B);",
    "if (req.http.X-A) { hash_data(req.http.X-A); }",
    "if (req.url ~ \"a\") { hash_data(\"a\"); } else { hash_data(\"b\"); }",
    "hash_data(req.url); if (req.http.host) { hash_data(req.http.host); } else { hash_data(server.ip); } return (lookup);",
    # CK008 asks to delete the part with Accept-Encoding, which is `gzip` or nothing.
    "if (req.http.X-A) { hash_data(req.http.X-A); } else { hash_data(req.http.Accept-Encoding); }",
    "if (req.http.Accept-Encoding) { hash_data(req.http.Accept-Encoding); } if (req.http.X-A) { hash_data(req.http.X-A); }",
    "if (req.http.Accept) { hash_data(req.http.Accept); } if (req.http.X-A) {\n hash_data(req.http.X-A); #! CK004\n }",
    # The tests around the calls, or the constants of the policy, keep the values apart.
    'if (req.http.X-A ~ "^a[0-9]$") { hash_data(req.http.X-A); } if (req.http.X-B ~ "^b") { hash_data(req.http.X-B); }',
    'if (req.http.X-A ~ "^a") { hash_data(req.http.X-A); }\n if (req.http.X-B ~ "^[ab]") {\n hash_data(req.http.X-B); #! CK004\n }',
    'if (req.http.X-Kind) { hash_data(req.http.X-Kind); } if (req.http.X-B ~ "^b" && req.url ~ "x") { hash_data(req.http.X-B); }',
    'if (req.http.X-Kind) { hash_data(req.http.X-Kind); }\n'
    'if (req.http.X-B ~ "^t" && req.url ~ "x") {\n hash_data(req.http.X-B); #! CK004\n }',
    'if (req.http.X-A ~ "^a") { hash_data(req.http.X-A); } if (req.http.X-B !~ "^a") { hash_data(req.http.X-B); }',
    'if (req.http.X-A !~ "^a") { hash_data(req.http.X-A); }\n if (req.http.X-B !~ "^b") {\n hash_data(req.http.X-B); #! CK004\n }',
    'if (req.http.X-A ~ "^a") { hash_data(req.http.X-A); }\n'
    'if (req.http.X-B ~ "^b" || req.url ~ "x") {\n hash_data(req.http.X-B); #! CK004\n }',
])
def test_conditional_hash_collision(body: str) -> None:
    check_marks("sub vcl_hash {\n%s\n}" % body + KIND, "CK004")


PURGE = "acl near { \"192.0.2.1\"; } sub vcl_recv { if (client.ip ~ near) { return (purge); } }\n"


@pytest.mark.parametrize("recv, mark", [(PURGE, " #! CK005"), ("", "")])
def test_method_in_hash(recv: str, mark: str) -> None:
    check_marks(recv + "sub vcl_hash {\nhash_data(req.method);%s\n}" % mark, "CK005")


@pytest.mark.parametrize("body", [
    "if (req.http.host == \"a.b\") { #! CK009\n set req.http.X = \"1\"; }\n if (req.http.host == \"c.d\") { return (pass); }",
    "set req.http.host = req.http.host.lower(); if (req.http.host == \"a.b\") { return (pass); }",
    "if (req.http.host ~ \"(?i)^a\\.b$\") { return (pass); }",
])
def test_host_not_normalised(body: str) -> None:
    check_marks("sub vcl_recv {\n%s\n}" % body, "CK009")


@pytest.mark.parametrize("text", [
    "sub vcl_recv { #! CK010\n unset req.http.X; }",
    "sub vcl_recv { set req.url = regsub(req.url, \"\\?.*\", \"\"); }",
    "sub vcl_deliver { unset resp.http.X; }",
])
def test_query_not_normalised(text: str) -> None:
    check_marks(text, "CK010")


@pytest.mark.parametrize("text", [
    "sub vcl_hash {\n set req.url = \"/\"; #! CK012\n }",
    "sub vcl_miss {\n set req.http.host = \"a\"; #! CK012\n }",
    "sub vcl_backend_fetch { set bereq.url = \"/\"; }",
    "sub vcl_recv { if (req.url == \"/\") { return (pass); } set req.url = req.url + \"x\"; }",
    "sub vcl_recv { if (req.url == \"/\") { return (hash); }\n set req.url = req.url + \"x\"; #! CK013\n }",
    "sub vcl_recv { set req.url = req.url + \"x\"; return (hash); }",
])
def test_rewrites(text: str) -> None:
    check_marks(text, "CK012", "CK013")
