"""CK: variants, and the query of the URL."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks, results_of


@pytest.mark.parametrize("body", [
    "unset beresp.http.Vary; #! CK006",
    "set beresp.http.Vary = \"Accept-Encoding\"; #! CK006",
    "if (!beresp.http.Vary) { set beresp.http.Vary = \"Accept-Encoding\"; }",
    "if (beresp.http.Vary) { set beresp.http.Vary = beresp.http.Vary + \", X-A\"; } else { set beresp.http.Vary = \"X-A\"; }",
    "set beresp.http.Vary = regsub(beresp.http.Vary, \"User-Agent\", \"X-Device\");",
    "set beresp.http.Vary = beresp.http.Vary + \", User-Agent\"; #! CK007",
])
def test_vary(body: str) -> None:
    check_marks("sub vcl_backend_response {\n%s\n}" % body, "CK006", "CK007")


@pytest.mark.parametrize("text", [
    "sub vcl_hash {\n hash_data(req.http.Cookie); #! CK007\n }",
    "sub vcl_recv { set req.http.Cookie = regsub(req.http.Cookie, \".*(a=.).*\", \"\\1\"); }\n"
    "sub vcl_hash { hash_data(req.http.Cookie); }",
    "sub vcl_hash {\n hash_data(req.http.Accept-Encoding); #! CK008\n }",
    "sub vcl_recv {\n unset req.http.Accept-Encoding; #! CK008\n set req.http.Accept-Encoding = \"gzip\"; }",
    "sub vcl_backend_fetch { unset bereq.http.Accept-Encoding; }",
])
def test_fields_with_many_values(text: str) -> None:
    check_marks(text, "CK007", "CK008")


@pytest.mark.parametrize("body, wrong", [
    (r'set req.url = regsuball(req.url, "[?&]gclid=[^&]*", "");', "/p?gclid=abc1&zq=2 becomes /p&zq=2, not /p?zq=2"),
    (r'set req.url = regsuball(req.url, "gclid=[^&]+&?", "");', "/p?zq=2&gclid=abc1 becomes /p?zq=2&, not /p?zq=2"),
    (r'set req.url = regsub(req.url, "&gclid=[^&]+", "");', "/p?gclid=abc1&zq=2 becomes /p?gclid=abc1&zq=2, not /p?zq=2"),
    (r'set req.url = regsuball(req.url, "gclid=[^&]+&?", ""); set req.url = regsub(req.url, "[?&]+$", "");', None),
    (r'set req.url = regsub(req.url, "\?.*", "");', None),
    (r'if (req.url ~ "gclid") { set req.url = regsuball(req.url, "gclid=[^&]+&?", "");'
     r'set req.url = regsub(req.url, "(\?|&)$", ""); }', None),
    (r'set req.url = regsub(req.url, "^/old/", "/new/");', None),
])
def test_query_strip_regex(body: str, wrong: str | None) -> None:
    found = [result.finding.message for result in results_of("sub vcl_recv { %s }" % body) if result.rule.id == "CK011"]
    assert found == ([] if wrong is None else [wrong])


STRIP = r'set req.url = regsuball(req.url, "([?&])(gclid|sid)=[^&]*", "\1");'
TIDY = r'set req.url = regsuball(req.url, "&+", "&"); set req.url = regsub(req.url, "[?]&", "?");'
END = 'set req.url = regsub(req.url, "[?&]+$", "");'


@pytest.mark.parametrize("body", [
    # The caret is at the substitution from which on no later one can mend the URL.
    f'set req.url = regsub(req.url, "#.*$", "");\n set req.url = regsuball(req.url, "[?&]sid=[^&]*", ""); #! CK011\n {TIDY} {END}',
    f'{STRIP}\n set req.url = regsub(req.url, "[?]&", "&"); #! CK011\n {END}',
    'if (req.url ~ "#") { set req.url = regsub(req.url, "#.*$", ""); }\n'
    'if (req.url ~ "sid=") {\n set req.url = regsub(req.url, "[?]sid=[^&]*", ""); #! CK011\n'
    ' set req.url = regsub(req.url, "&sid=[^&]*", ""); }',
    # Only separators stay, which a later one could remove: the one that leaves them.
    f'set req.url = regsub(req.url, "#.*$", "");\n {STRIP} #! CK011\n {END}',
    f'set req.url = regsub(req.url, "#.*$", "");\n {STRIP} #! CK011\n {TIDY}',
    # A place of the parameter that it misses.
    'set req.url = regsub(req.url, "#.*$", "");\n set req.url = regsuball(req.url, "&sid=[^&]*", ""); #! CK011',
    f"{STRIP} {TIDY} {END}",
])
def test_the_caret_is_at_the_substitution_that_spoils_the_url(body: str) -> None:
    check_marks("sub vcl_recv {\n%s\n}" % body, "CK011")
