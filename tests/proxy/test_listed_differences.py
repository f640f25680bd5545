"""Intended differences from Varnish 7.1 that no other test of the folder shows: rows of docs/differences.md. Varnish's
answers in the comments are those of Debian's varnishd 7.1.1 to the same requests."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Iterator

import pytest

from proxy.daemon import Daemon
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serving

POLICY = """vcl 4.1; import std; import xkey;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    set req.http.All = req.http.Cookie;
    if (req.url ~ "^/sort") {{ return (synth(200, std.querysort(req.url))); }}
    if (req.url == "/xkey") {{ return (synth(200, "" + xkey.purge("one"))); }}
    return (hash);
}}
sub vcl_backend_response {{ set beresp.http.TTL = beresp.ttl; if (bereq.url == "/vary") {{ return (deliver); }} }}
sub vcl_deliver {{ set resp.http.All = req.http.All; }}
"""


def answer(request: Request) -> Reply:
    control = request.url.partition("?")[2] or "max-age=100"
    if request.url == "/1970":
        return Reply(headers={"Expires": "Thu, 01 Jan 1970 00:00:00 GMT"}, body=b"x")
    if request.url.startswith("/age/"):
        return Reply(headers={"Cache-Control": control, "Age": request.url.split("/")[2]}, body=b"x")
    if request.url == "/vary":
        return Reply(headers={"Cache-Control": control, "Vary": "*"}, body=b"x")
    return Reply(headers={"Cache-Control": control, "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"} | ({"xkey": "one two one"} if request.url == "/stored" else {}), body=b"x")


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[Daemon, Origin]]:
    with Origin(answer) as origin, serving(POLICY.format(port=origin.port)) as d:
        yield d, origin


def test_lines_of_cookie_are_joined(site: tuple[Daemon, Origin]) -> None:
    d, origin = site
    with Client(d.port) as c:
        c.send(b"GET /cookie HTTP/1.1\r\nHost: a\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n")
        assert c.response().get("All") == "a=1; b=2"                               # Varnish: a=1
    assert [request.headers["cookie"] for request in origin.seen("/cookie")] == ["a=1; b=2"]     # Varnish: two lines


@pytest.mark.parametrize(("url", "sorted_url"), [
    ("/sort?a-b&a=1&a", "/sort?a&a-b&a=1"),                                        # Varnish: unchanged
    ("/sort?b=2&a=10&a=9", "/sort?a=10&a=9&b=2"),
])
def test_querysort_sorts(site: tuple[Daemon, Origin], url: str, sorted_url: str) -> None:
    assert fetch(site[0].port, url).reason == sorted_url


def test_a_date_in_the_future_is_a_valid_condition(site: tuple[Daemon, Origin]) -> None:
    assert fetch(site[0].port, "/ims").status == 200
    tomorrow = email.utils.formatdate(time.time() + 86400, usegmt=True)
    assert fetch(site[0].port, "/ims", headers={"If-Modified-Since": tomorrow}).status == 304       # Varnish: 200


@pytest.mark.parametrize("control", ["max-age", "public,max-age", "s-maxage"])
def test_a_lifetime_without_a_number_is_0(site: tuple[Daemon, Origin], control: str) -> None:
    assert fetch(site[0].port, f"/none?{control}").get("TTL") == "0.000"       # Varnish: 120.000, the default


@pytest.mark.parametrize("age", ["40.5", "+40"])
def test_a_malformed_age_is_ignored(site: tuple[Daemon, Origin], age: str) -> None:
    assert fetch(site[0].port, f"/age/{age}").get("TTL") == "100.000"                # Varnish: 60.000


@pytest.mark.parametrize("field", ["obj.statusx == 1", "req.urlx ~ a", "obj.ttlx > 1s", "req.http. ~ a"])
def test_bans_refuse_unknown_fields(site: tuple[Daemon, Origin], field: str) -> None:
    status, said = site[0].cli(f"ban {field}")                                     # Varnish: 200
    assert status == 106 and "Unknown or unsupported field" in said


def test_a_repeated_key_counts_once(site: tuple[Daemon, Origin]) -> None:
    d, _ = site
    assert fetch(d.port, "/stored").status == 200
    assert fetch(d.port, "/xkey").reason == "1"                                    # its module counts each word: 2


def test_the_first_second_of_1970_is_in_the_past(site: tuple[Daemon, Origin]) -> None:
    assert fetch(site[0].port, "/1970").get("TTL") == "0.000"                       # Varnish: 120.000, the default


def test_a_lifetime_has_a_limit(site: tuple[Daemon, Origin]) -> None:
    assert fetch(site[0].port, "/limit?max-age=3000000000").get("TTL") == "2147483648.000"      # Varnish: 3000000000.000


def test_vary_on_everything_matches_no_request(site: tuple[Daemon, Origin]) -> None:
    d, origin = site
    assert [fetch(d.port, "/vary").status for _ in range(2)] == [200, 200]
    assert origin.count("/vary") == 2                                              # Varnish: 1


def test_a_request_without_content_gets_no_100(site: tuple[Daemon, Origin]) -> None:
    with Client(site[0].port) as c:
        c.send(b"GET /expect HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n")
        assert c.response().status == 200                                          # Varnish: 100
