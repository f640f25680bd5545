"""Below our own message stands Varnish's message for the same mistake, because people and scripts search for
it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from semantics_helpers import check, policy, recv
from vernis.semantics.literals import split_port
from vernis.syntax.diagnostics import Severity
from vernis.syntax.parser import ParseOptions, parse_text
from vernis.syntax.render import render
from support.memory_files import MemoryResolver
from vernis.syntax.splice import DiskResolver
from vernis.syntax.stock import PHRASES
from vernis.syntax.text import wrong_base64

DIRECTORS = "import directors; sub vcl_init { new ring = directors.shard(); }"


def backend(body: str) -> str:
    return policy(f"backend x {{ {body} }} sub vcl_recv {{ set req.backend_hint = x; }}")


def probe(body: str) -> str:
    return backend(f'.host = "192.0.2.1"; .probe = {{ {body} }}')


def acl(body: str, flags: str = "") -> str:
    return policy(f"acl here {flags} {{ {body} }} sub vcl_recv {{ if (client.ip ~ here) {{ return (pass); }} }}")


MISTAKES = [
    # tokens and grammar
    (recv("set req.url = ;"), "Unknown token ';' when looking for STRING"),
    (recv("set req.url >>= req.url;"), "Expected '=' got '>>'"),
    (recv('set req.url = "a" if;'), "Expected ';' got 'if'"),
    (recv('if (req.url ~ ! "a") { }'), "Unknown token '!' when looking for REGEX"),
    (recv("discard;"), "Symbol not found: 'discard'"),
    (policy(DIRECTORS + " sub vcl_recv { ring; }"), "Expected '.' got ';'"),
    (policy("import directors; sub vcl_init { new a.b = directors.shard(); }"),
     "Name of VCL object, 'a.b', contains illegal character '.'"),
    (policy("sub vcl_init { new a = origin; }"), "Symbol not found: 'origin'"),
    (policy("frobnicate"), "Found: 'frobnicate' at"),
    (policy("backend 7up none;"), "Expected ID got '7'"),
    (policy("/* a /* b */"), "/* ... */ comment contains /*"),
    (recv("set req.http.X = 1234567890123456;"), "Too many digits for integer."),
    (recv("set req.http.X = 0.1234;"), "Too many digits for real."),
    (backend('.host = "192.0.2.1"; .preamble = :YWI:;'), "BLOB must have n*4 base64 characters"),
    (backend('.host = "192.0.2.1"; .preamble = :Y?==:;'), "Illegal BLOB character:"),
    (policy('backend x { set .host = "192.0.2.1"; }'), "NB: Backend Syntax has changed:"),
    (policy("C{ int i; }C"), "Inline-C not allowed"),
    ("vcl 3.7; backend origin none;\n", "VCL version 3.7 not supported."),
    ("vcl 4.10; backend origin none;\n", "Don't play silly buggers with VCL version numbers"),
    ("vcl 4.1 backend origin none;\n", "Expected 'vcl N.N;' found no semi-colon"),
    (policy("include 5;"), "include not followed by string constant."),
    # names and types
    (recv("set req.http.X = nowhere;"), "Symbol not found: 'nowhere'"),
    (recv("set req.nothing = 5;"), "Symbol not found: 'req.nothing'"),
    (recv("set req.http.X = req.nothing;"), "Unknown property 'nothing' for type HTTP"),
    (policy("sub vcl_recv { set req.http.X = sess.xid; }", "4.0"),
     "Symbol not found: 'sess.xid' (Only available when 4.1 <= VCL syntax)"),
    (recv("set req.esi = true;"), "Symbol not found: 'req.esi' (Only available when VCL syntax <= 4.0)"),
    (recv("set req.backend_hint = far;"), "Undefined backend far, first reference:"),
    (recv("call far;"), "Undefined sub far, first reference:"),
    (recv("if (client.ip ~ origin) { }"), "Name origin must have type 'acl'."),
    (policy(DIRECTORS + " sub vcl_recv { if (client.ip ~ ring) { } }"), "Expression has type directors.shard, expected ACL"),
    (recv("set req.ttl = 5;"), "Expression has type INT, expected DURATION"),
    (recv("set req.ttl = 5 k;"), "Unknown duration unit 'k'"),
    (recv("if (req.backend_hint < origin) { }"), "Operator < not possible on BACKEND"),
    (recv('if (req.url ~ "(a") { }'), "Regexp compilation error:"),
    (recv("if (req.url ~ req.http.X) { }"), "Expression has type STRING, expected REGEX"),
    ("import header; " + recv('header.regsub(req, req.http.X, "a");'), "Expected argument: REGEX regex"),
    ("import header; " + recv('header.regsub(req, "(", "a");'), "Expected argument: REGEX regex"),
    (recv('if (req.url ~ "a" + req.http.X) { }'), "Expected CSTR got 'req'"),
    (recv('if (client.ip == "192.0.2.1.7") { }'), "could not be resolved to an IP address"),
    (recv("unset req.http." + 127 * "x" + ";"), "HTTP header (xxxxxxxxxxxxxxxxxxxx..) is too long."),
    (recv('set req.http."a b" = "x";'), "Invalid character ' ' in header name"),
    # where things may stand
    (policy("sub vcl_deliver { set obj.ttl = 1s; }"), "Variable is read only."),
    (recv("set obj.ttl = 1s;"), "Not available in subroutine 'vcl_recv'."),
    (policy("sub a { set obj.ttl = 1s; } sub vcl_recv { call a; }"), "Not available from subroutine 'vcl_recv'."),
    (recv("set resp.status = 200;"), "Cannot be set in subroutine 'vcl_recv'."),
    (recv("unset req.url;"), "Variable cannot be unset."),
    (policy('import re2; sub a { set client.ip = "192.0.2.1"; } sub vcl_init { new x = re2.set(); x.add("", sub = a); }'),
     "Impossible Subroutine"),
    (recv('synthetic("x");'), "Not a valid action in subroutine 'vcl_recv'"),
    (recv("return (deliver);"), 'Invalid return "deliver"'),
    (recv("return (nonsense);"), "Expected return action name."),
    (recv("return (synth);"), "Missing argument."),
    (recv("return (pipe(5));"), "Arguments not allowed."),
    (recv("return (vcl(vcl_recv));"), "Symbol 'vcl_recv' has wrong type (sub), expected vcl:"),
    # declarations
    (policy("backend origin none;"), "Backend 'origin' redefined"),
    (policy("sub a { } sub a { } sub vcl_recv { call a; }"), "Subroutine 'a' redefined"),
    (policy("backend default none; backend default none;"), "Only one default director possible."),
    ("vcl 4.1;\nsub vcl_recv { }\n", "No backends or directors found in VCL program"),
    (policy("acl spare { }"), "Unused acl spare, defined:"),
    (backend('.host = "192.0.2.1"; .path = "/x";'), "Address redefinition at:"),
    (backend(".max_connections = 5;"), "Expected .host or .path."),
    (backend('.path = "x";'), "Must be an absolute path:"),
    (backend('.path = "/";'), "Not a socket:"),
    (backend('.path = "/nonexistent/socket";'), "Backend path: Cannot stat: No such file or directory"),
    (backend('.host = "[::1";'), "IPv6 address lacks ']'"),
    (backend('.host = "[::1]/80";'), "IPv6 address has wrong port separator"),
    (backend('.host = "192.0.2.1"; .host = "192.0.2.2";'), "Field 'host' redefined at:"),
    (backend('.host = "192.0.2.1"; .nothing = 5;'), "Unknown field:"),
    (backend('.host = "192.0.2.1"; .probe = later;') + "probe later { }", "Symbol not found: 'later'"),
    (backend('.host = "192.0.2.1"; .probe = 5;'), "Expected '{' or name of probe, got"),
    (backend('.host = "192.0.2.1"; .probe = default;'), "No default probe defined"),
    (backend('.path = "@";'), "The empty abstract socket name is not supported"),
    (backend('.host = "192.0.2.1"; } backend y { .via = x; .host = "a.example"; } backend z { .via = y; .host = "b.example";'),
     "Cannot stack .via backends at"),
    (backend('.host = "192.0.2.1"; } backend y { .via = x; .path = "/run/x";'), "Cannot set both .via and .path."),
    (backend('.host = "192.0.2.1"; } backend y { .via = x; .host = "a.example"; .authority = "::1";'),
     ".authority can not be an ip address with .via."),
    (backend('.host = "192.0.2.1"; } backend y { .via = x; .host = "192.0.2.2";'),
     ".host used as authority can not be an ip address with .via."),
    (probe('.timeout = "5s";'), "Expected CNUM got '\"5s\"'"),
    (probe(".expected_response = 2000;"), "with exactly three digits"),
    (probe(".window = 6;"), "Must specify .threshold with .window"),
    (probe(".window = 70; .threshold = 3;"), "Window must be 64 or less."),
    (probe(".threshold = 70;"), "Threshold must be 64 or less."),
    (probe(".window = 6; .threshold = 7;"), "Threshold can not be greater than window."),
    (probe('.url = "/"; .request = "GET / HTTP/1.1";'), "Probe request redefinition at:"),
    (acl('"192.0.2.0"/33;'), "Too wide mask (/33) for IPv4 address"),
    (acl('"192.0.2.1"/24;'), "Non-zero bits in masked part"),
    (acl('"192.0.2.0/24"/24;'), "/mask only allowed once"),
    (acl('"192.0.2.0/x";'), ".../mask is not numeric."),
    (acl('"192.0.2.1"; ! "192.0.2.1";'), "Conflicting ACL entries:"),
    (acl('"nowhere.invalid";'), "DNS lookup(nowhere.invalid): "),
    (acl('"192.0.2.1";', "+ log"), "Expected a flag at:"),
    (acl('"192.0.2.1";', "+loud"), "Unknown ACL flag:"),
]


@pytest.mark.parametrize(("text", "stock"), MISTAKES, ids=[stock for _, stock in MISTAKES])
def test_a_message_contains_the_message_of_varnish(text: str, stock: str) -> None:
    shown = [render(finding.source, sources, stock=True) for result in [check(text)] for finding in result.findings
             for sources in [result.program.sources]]                       # type: ignore[attr-defined]
    assert any(stock in one.partition("\nvarnish:")[2] for one in shown), "\n".join(shown)


def test_a_message_contains_the_place_as_varnish_prints_it() -> None:
    """A tab counts as eight columns, as in Varnish."""
    result = check(recv("").replace("}\n", "\n\tset obj.ttl = 1s;\n}\n"))
    text = render(result.one.source, result.program.sources, stock=True)                # type: ignore[attr-defined]
    assert "\nvarnish: Not available in subroutine 'vcl_recv'.\nAt: ('vcl' Line 3 Pos 13)" in \
        re.sub(r"\('[^']*'", "('vcl'", text)


def test_a_warning_contains_the_warning_of_varnish() -> None:
    result = check(backend('.path = "/nonexistent/socket";'))
    text = render(result.one.source, result.program.sources, stock=True)                # type: ignore[attr-defined]
    assert result.one.severity is Severity.WARNING and text.endswith("\n(That was just a warning)")
    assert "just a warning" not in render(result.one.source, result.program.sources)    # type: ignore[attr-defined]


def test_recursion_shows_the_cycle_of_calls() -> None:
    result = check(policy("sub one { call two; }\nsub two { call one; }\nsub vcl_recv { call one; }"))
    text = re.sub(r"\('[^']*'", "('vcl'", render(result.one.source, result.program.sources, stock=True))    # type: ignore[attr-defined]
    assert text.endswith("""

Subroutine recurses on
('vcl' Line 2 Pos 5)
sub one { call two; }
----###--------------


...called from "two"
('vcl' Line 3 Pos 16)
sub two { call one; }
---------------###---


...called from "one"
('vcl' Line 2 Pos 16)
sub one { call two; }
---------------###---
""")


def test_includes(tmp_path: Path) -> None:
    files = MemoryResolver({"a.vcl": b'include "b.vcl";', "b.vcl": b'include "a.vcl";'})
    for resolver, line, stock in (
            (files, 'include "a.vcl";', "Recursive use of file"),
            (files, 'include "./a.vcl";', "needs absolute filename of including file."),
            (files, 'include +glob "x*.vcl";', "glob pattern matched no files."),
            (files, 'include "a.vcl"', "include <string> not followed by semicolon."),
            (DiskResolver((str(tmp_path),), any_path=False), 'include "/a.vcl";', "is unsafe.")):
        _, found = parse_text(f"vcl 4.1;\n{line}\nbackend b none;\n", name="<vcl.inline>", options=ParseOptions(resolver=resolver))
        assert any(stock in item.stock for item in found.items), (line, found.items)


def test_a_file_name_without_folders_is_a_safe_path(tmp_path: Path) -> None:
    (tmp_path / "a.vcl").write_text("backend b none;")
    options = ParseOptions(resolver=DiskResolver((str(tmp_path),), any_path=False))
    program, found = parse_text('vcl 4.1;\ninclude "a.vcl";\n', options=options)
    assert not found.items
    assert len(program.declarations) == 2


@pytest.mark.parametrize(("text", "wrong"), [
    ("", ""), ("YWJj", ""), ("YWI=", ""), ("YQ==", ""), ("YWJjZA==", ""),
    ("a", "blob length"), ("aaaabb", "blob length"), ("aaa=aa", "blob padding"), ("aaaa==", "blob padding"), ("a===", "blob padding"),
    ("YR==", "blob character"),
])
def test_blobs(text: str, wrong: str) -> None:
    assert wrong_base64(text) == wrong


def test_every_phrase_occurs_in_a_test() -> None:
    """A row that no test names is not tested."""
    root = Path(__file__).resolve().parents[3] / "compiler"
    code = "".join(path.read_text() for room in ("syntax", "semantics") for path in (root / room).glob("*.py")
                   if path.name != "stock.py")
    unused = [key for key in PHRASES if f'"{key}"' not in code]
    derived = {f"{use} {manner}" for use in ("set", "read", "unset") for manner in ("in", "from")} | {"not set", "not unset", "not read"}
    assert not set(unused) - derived


def test_an_address_may_have_a_port() -> None:
    found = [split_port(text) for text in ("192.0.2.1", "192.0.2.1:8000", "192.0.2.1 8000", "[::1]", "[::1]:90", "::1", "192.0.2.1:99999")]
    assert found == [("192.0.2.1", 80), ("192.0.2.1", 8000), ("192.0.2.1", 8000), ("::1", 80), ("::1", 90), ("::1", 80),
                     ("192.0.2.1:99999", 80)]
    assert not check(recv('if (client.ip == "[2001:db8::1]:80" || client.ip == "192.0.2.1 80") { return (pass); }')).findings


def test_header_names_are_quoted_in_any_of_three_ways() -> None:
    assert not check(recv('set req.http.{"a!b"} = req.http."""c.d""" + req.http."e.f";')).findings
