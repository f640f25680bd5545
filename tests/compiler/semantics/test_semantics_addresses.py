"""Hosts, ports, URLs and paths that are written wrongly: the message says what to write. The host of a warning or
error is the one that the server connects to."""

from __future__ import annotations

from pathlib import Path

import pytest

from vernis import pipeline
from vernis.pipeline import Compilation
from vernis.semantics.hosts import split_port, without_url
from vernis.syntax.diagnostics import Diagnostic, Severity

ERROR, WARNING = Severity.ERROR, Severity.WARNING


def findings(tmp_path: Path, policy: str) -> list[Diagnostic]:
    path = tmp_path / "policy.vcl"
    path.write_text("vcl 4.1;\n" + policy)
    return [item for item in pipeline.run_stages(Compilation("p", str(path)), pipeline.CHECK).diagnostics.items if item.code != "V602"]


@pytest.mark.parametrize("properties", [
    '.host = "127.0.0.1:8080";',
    '.host = "127.0.0.1:8080"; .port = "8080";',
    '.host = "127.0.0.1:http"; .port = "80";',
    '.host = "[::1]:8080";',
    '.host = "[::1]"; .port = "8080";',
    '.host = "::1"; .port = "8080";',
    '.host = "localhost:8080";',
])
def test_a_host_with_a_port_is_accepted_as_by_the_server(tmp_path: Path, properties: str) -> None:
    assert findings(tmp_path, f"backend default {{ {properties} }}") == []


@pytest.mark.parametrize(("properties", "severity", "message", "help_"), [
    ('.host = "127.0.0.1:8080"; .port = "9090";', WARNING, "this .port has no effect: .host names port 8080, which is used",
     "remove the .port, or the port from .host, to use 9090"),
    ('.host = "[::1]:http"; .port = "9090";', WARNING, "this .port has no effect: .host names port http, which is used",
     "remove the .port, or the port from .host, to use 9090"),
    ('.host = "127.0.0.1:80800";', ERROR, '"80800" in .host "127.0.0.1:80800" is not a port',
     'write a number up to 65535, or the name of a service: "http"'),
    ('.host = "127.0.0.1:";', ERROR, '"" in .host "127.0.0.1:" is not a port',
     'write a number up to 65535, or the name of a service: "http"'),
    ('.host = "http://b/";', ERROR, '.host "http://b/" is a URL', 'write: .host = "b";'),
    ('.host = "http://u:p@b:8080/x?y";', ERROR, '.host "http://u:p@b:8080/x?y" is a URL', 'write: .host = "b"; .port = "8080";'),
    ('.host = "http://[::1]:8080";', ERROR, '.host "http://[::1]:8080" is a URL', 'write: .host = "::1"; .port = "8080";'),
    ('.host = "https://b";', ERROR, '.host "https://b" is a URL',
     'write: .host = "b"; with the name of a TLS proxy: connections to origins have no TLS'),
    ('.host = "b/path";', ERROR, '.host "b/path" is not a host name or address', 'write: .host = "b";'),
    ('.host = " b";', ERROR, '.host " b" is not a host name or address', 'write: .host = "b";'),
    ('.host = "http://";', ERROR, '.host "http://" is a URL', "write a name or an address"),
    ('.host = "/run/app.sock";', ERROR, '.host "/run/app.sock" is the path of a Unix socket', 'write: .path = "/run/app.sock";'),
    ('.host = "unix:/run/app.sock";', ERROR, '.host "unix:/run/app.sock" is the path of a Unix socket', 'write: .path = "/run/app.sock";'),
    ('.path = "unix:/run/app.sock";', ERROR, ".path is not an absolute path", 'write: .path = "/run/app.sock";'),
    ('.host = "127.0.0.1"; .host_header = "http://www.example.com/";', WARNING,
     '.host_header "http://www.example.com/" is not a value of Host: origins answer 400', 'write: .host_header = "www.example.com";'),
    ('.host = "127.0.0.1"; .probe = { .url = "http://b/health"; }', WARNING, '.url "http://b/health" is a URL; a probe requests a path',
     'write: .url = "/health";'),
    ('.host = "127.0.0.1"; .probe = { .url = "http://b"; }', WARNING, '.url "http://b" is a URL; a probe requests a path', 'write: .url = "/";'),
    ('.host = "127.0.0.1"; .probe = { .url = "health"; }', WARNING, '.url "health" does not begin with /', 'write: .url = "/health";'),
])
def test_a_wrong_address_is_told_the_right_one(tmp_path: Path, properties: str, severity: Severity, message: str, help_: str) -> None:
    found = findings(tmp_path, f"backend default {{ {properties} }}")
    assert [(item.severity, item.message, item.help) for item in found] == [(severity, message, help_)]


@pytest.mark.parametrize(("entry", "help_"), [
    ('"http://localhost/"', 'an acl has addresses and names only; write: "localhost";'),
    ('"127.0.0.1:80"', 'an acl has addresses and names only; write: "127.0.0.1";'),
])
def test_an_acl_has_neither_urls_nor_ports(tmp_path: Path, entry: str, help_: str) -> None:
    policy = f'backend default {{ .host = "127.0.0.1"; }} acl a {{ {entry}; }} sub vcl_recv {{ if (client.ip ~ a) {{ return (pass); }} }}'
    assert [(item.code, item.help) for item in findings(tmp_path, policy)] == [("V510", help_)]


def test_default_is_suggested_for_what_resembles_it(tmp_path: Path) -> None:
    for name in "default", "app":
        policy = f'backend {name} {{ .host = "127.0.0.1"; }} sub vcl_recv {{ set req.backend_hint = defalt; }}'
        assert [item.help for item in findings(tmp_path, policy)] == ["did you mean default?"]


@pytest.mark.parametrize(("text", "host", "port"), [
    ("a", "a", None), ("a:80", "a", "80"), ("a:", "a", ""), ("::1", "::1", None), ("[::1]", "::1", None), ("[::1]:80", "::1", "80"), ("[::1", "[::1", None),
])
def test_a_port_is_split_off_as_by_the_server(text: str, host: str, port: str | None) -> None:
    assert split_port(text) == (host, port)


@pytest.mark.parametrize(("text", "scheme", "host"), [
    ("http://a/b", "http", "a"), ("HTTPS://u@a:8?c", "https", "a:8"), ("a/b", "", "a"), ("a b", "", "a"), ("/a", "", ""), ("", "", ""),
])
def test_the_host_of_a_url_is_found(text: str, scheme: str, host: str) -> None:
    assert without_url(text) == (scheme, host)
