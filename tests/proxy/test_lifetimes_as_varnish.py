"""Lifetimes of policies of 4.x are those of Varnish: beresp.ttl, and whether a second request is a hit. Debian's
varnishd serves the same table."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import VERNISD
from proxy.http_compare import STOCK, running
from proxy.origin import Origin, Reply, Request, fetch

POLICY = """vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "%d"; }
sub vcl_recv { if (req.url == "/end") { return (synth(299)); } }
sub vcl_backend_response { set beresp.grace = 6h; set beresp.http.TTL = beresp.ttl; return (deliver); }
sub vcl_deliver { set resp.http.Hits = obj.hits; }
"""

#: Status, fields, beresp.ttl, second request is a hit. Stale responses are hits for as long as the grace lasts, if they
#: were fresh when they were made.
LIFETIMES: list[tuple[int, dict[str, str], float, bool]] = [
    (200, {"Cache-Control": "max-age=0", "Age": "5"}, -5, False),
    (404, {"Cache-Control": "max-age=0", "Age": "5"}, -5, False),
    (200, {"Cache-Control": "s-maxage=0, max-age=60", "Age": "5"}, -5, False),
    (200, {"Cache-Control": "max-age=0"}, 0, False),
    (200, {"Cache-Control": "max-age=3", "Age": "5"}, -2, True),
    (200, {"Cache-Control": "max-age=60", "Age": "5"}, 55, True),
    (200, {"Cache-Control": "max-age=x", "Age": "5"}, -5, False),
    (200, {"Cache-Control": "max-age=-1", "Age": "5"}, -5, False),
    (500, {"Age": "5"}, -5, False),
    (302, {"Age": "5"}, -5, False),
    (200, {"Expires": "Fri, 02 Jan 1970 00:00:01 GMT", "Age": "5"}, -5, False),
    (200, {"Cache-Control": "max-age=1.5"}, 1, True),
    (200, {"Cache-Control": "max-age=120.000"}, 120, True),
    (200, {"Cache-Control": "max-age=60."}, 60, True),
    (200, {"Cache-Control": "max-age=.5"}, 0, False),
    (200, {"Cache-Control": "s-maxage=30.9, max-age=60"}, 30, True),
    (200, {"Cache-Control": "max-age=+60"}, 60, True),
    (200, {"Cache-Control": "max-age=10s"}, 0, False),
    (200, {"Cache-Control": "max-age=60, max-age=30"}, 60, True),
    (200, {"Cache-Control": "max-age=30, max-age=60"}, 30, True),
    (200, {"Cache-Control": "max-age=0, max-age=60"}, 0, False),
    (200, {"Cache-Control": "max-age=100", "Age": "-40"}, 100, True),
]  # fmt: skip


def url_of(row: tuple[int, dict[str, str], float, bool]) -> str:
    return "/?" + urllib.parse.urlencode({"status": row[0]} | row[1])


def answer(request: Request) -> Reply:
    fields = dict(urllib.parse.parse_qsl(request.url.partition("?")[2]))
    return Reply(status=int(fields.pop("status")), headers=fields, body=b"x")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(STOCK, marks=pytest.mark.skipif(not STOCK.exists(), reason="needs Debian's varnish")),
        VERNISD,
    ],
    ids=["varnishd", "vernisd"],
)
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    binary: Path = request.param
    with Origin(answer) as origin, running(binary, origin.port, POLICY) as port:
        yield port


@pytest.mark.parametrize("row", LIFETIMES, ids=lambda row: f"{row[0]} {row[1]}")
def test_a_lifetime_is_that_of_varnish(port: int, row: tuple[int, dict[str, str], float, bool]) -> None:
    _, _, ttl_s, is_hit = row
    first, second = fetch(port, url_of(row)), fetch(port, url_of(row))
    assert (first.get("TTL"), second.get("Hits") != "0") == (f"{ttl_s:.3f}", is_hit)
