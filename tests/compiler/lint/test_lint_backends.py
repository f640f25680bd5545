"""Cases of the rules about backends, probes and directors."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks


@pytest.mark.parametrize("text", [
    'backend b { .host = "192.0.2.2"; } #! BE001 BE005',
    'backend b { .host = "192.0.2.2"; .between_bytes_timeout = 2s; .max_connections = 10; }',
    'backend b none;',
])
def test_what_a_backend_leaves_to_the_server(text: str) -> None:
    check_marks(text, "BE001", "BE005")


def test_timeouts_of_the_policy_are_timeouts() -> None:
    check_marks('backend b { .host = "192.0.2.2"; }\nsub vcl_backend_fetch { set bereq.first_byte_timeout = 5s; }', "BE001")


@pytest.mark.parametrize("body", [
    ".initial = 0;\n .threshold = 3; .window = 5;",
    ".initial = 1;\n .threshold = 3; .window = 5;",
    ".initial = 1;",
])
def test_a_probe_that_starts_sick(body: str) -> None:
    marked = body.replace(".initial = 0;", ".initial = 0; #! BE002").replace(".initial = 1;", ".initial = 1; #! BE002")
    check_marks('backend b { .host = "192.0.2.2"; .probe = { .url = "/";\n%s\n} }' % marked, "BE002")


@pytest.mark.parametrize("body", [
    ".initial = 2; .threshold = 3; .window = 5;",
    ".initial = 8; .threshold = 3; .window = 5;",
    ".threshold = 3; .window = 5;",
    "",
])
def test_a_probe_that_starts_well(body: str) -> None:
    check_marks('probe p { .url = "/"; %s }\nbackend b { .host = "192.0.2.2"; .probe = p; }' % body, "BE002")


BACKENDS = ('import directors; probe p { .url = "/"; }\nbackend a { .host = "192.0.2.2"; .probe = p; }\n'
            'backend b { .host = "192.0.2.3"; }\n')


@pytest.mark.parametrize("body", [
    "d.add_backend(a);\n d.add_backend(b);",                 # the last resort
    "d.add_backend(b); #! BE004\n d.add_backend(a);",
    "d.add_backend(b);",                                     # no choice
    "d.add_backend(a);",
])
def test_no_probe_in_director(body: str) -> None:
    check_marks(BACKENDS + "sub vcl_init {\n new d = directors.fallback();\n%s\n}" % body, "BE004")


@pytest.mark.parametrize("body", [
    '.request = "GET / HTTP/1.1" "Connection: close"; #! BE006',
    '.request = "GET / HTTP/1.1" "Host: a";',  # a poll ends with the content, if the origin keeps the connection
    '.request = "GET / HTTP/1.1" "Host: a" "Connection: close";',
    '.request = "GET / HTTP/1.0";',
    '.url = "/admin"; #! BE006',
    '.url = "/admin"; .expected_response = 401;',
    '.url = "/administration.txt";',
    '.url = "/";',
])
def test_a_probe_that_never_gets_its_status(body: str) -> None:
    check_marks("probe p {\n%s\n}\nbackend b { .host = \"192.0.2.2\"; .probe = p; }" % body, "BE006")


@pytest.mark.parametrize("host", ['"localhost"', '"192.0.2.9"', '"2001:db8::1"'])
def test_an_address_needs_no_lookup(host: str) -> None:
    check_marks(f"backend b {{ .host = {host}; }}", "BE003")
