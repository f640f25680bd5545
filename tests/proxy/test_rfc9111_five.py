"""HTTP caching follows RFC 9111 for requests of a policy of 5.0, without a parameter, and as in Varnish for
those of 4.1. The safety checks of 5.0 stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from proxy.daemon import Daemon
from proxy.origin import Origin, Reply, Request, fetch
from proxy.serve import serving

BOTH = ["4.1", "5.0"]
FRESH = {"Cache-Control": "max-age=100"}
REPLIES = {
    "/fresh": FRESH,
    "/cookie": FRESH | {"Set-Cookie": "a=b"},
    "/private": {"Cache-Control": "private, max-age=100"},
    "/secret": {"Cache-Control": "no-store, max-age=100"},
    "/vary": FRESH | {"Vary": "Accept-Language"},
    "/stale": {"Cache-Control": "max-age=0", "ETag": '"1"'},
}


def answer(request: Request) -> Reply:
    if "if-none-match" in request.headers:
        return Reply(304, headers=REPLIES[request.url])
    return Reply(headers=REPLIES[request.url])


@dataclass(slots=True)
class Site:
    d: Daemon
    origin: Origin

    def get(self, url: str, method: str = "GET", **headers: str) -> str | None:
        """Cache-Status; None without one."""
        got = fetch(self.d.port, url, method=method, headers={name.replace("_", "-"): value for name, value in headers.items()})
        assert got.status == 200
        return got.get("Cache-Status")

    def fetches(self, url: str, *requests: dict[str, str]) -> int:
        """How often the origin is asked for these requests."""
        before = self.origin.count(url)
        for headers in requests:
            self.get(url, **headers)
        return self.origin.count(url) - before


def policy(version: str, port: int, more: str = "") -> str:
    return f'vcl {version}; backend b {{ .host = "127.0.0.1"; .port = "{port}"; }} {more}'


@pytest.fixture
def sites() -> Iterator[dict[str, Site]]:
    """A daemon for each version, with the built-in policy alone."""
    with Origin(answer) as origin:
        args = ["-p", "default_keep=3600"]
        with serving(policy("4.1", origin.port), args) as old, serving(policy("5.0", origin.port), args) as new:
            yield {"4.1": Site(old, origin), "5.0": Site(new, origin)}


def test_a_client_may_ask_for_validation(sites: dict[str, Site]) -> None:
    again = [{}, {"Cache_Control": "no-cache"}]
    assert {version: sites[version].fetches("/fresh", *again) for version in BOTH} == {"4.1": 1, "5.0": 2}


def test_an_unsafe_method_invalidates_its_url(sites: dict[str, Site]) -> None:
    for version in BOTH:
        sites[version].get("/fresh")
        sites[version].get("/fresh", "POST")
    assert {version: sites[version].fetches("/fresh", {}) for version in BOTH} == {"4.1": 0, "5.0": 1}


def test_grace_is_left_to_the_origin(sites: dict[str, Site]) -> None:
    """A response without stale-while-revalidate is validated before its use, and 4.1 does not keep it."""
    for version in BOTH:
        sites[version].get("/stale")
    assert (sites["5.0"].get("/stale") or "").partition("; ")[2] == "fwd=stale; fwd-status=200; stored"
    assert sites["4.1"].get("/stale") is None                          # no Cache-Status as in Varnish
    asked = [request.headers.get("if-none-match") for request in sites["5.0"].origin.seen("/stale")]
    assert asked == [None, None, '"1"', None]


def test_languages_are_compared_by_their_meaning(sites: dict[str, Site]) -> None:
    orders = [{"Accept_Language": "de;q=0.8, en;q=0.5"}, {"Accept_Language": "en;q=0.5, de;q=0.8"}]
    assert {version: sites[version].fetches("/vary", *orders) for version in BOTH} == {"4.1": 2, "5.0": 1}


def test_an_unknown_method_passes_and_invalidates(sites: dict[str, Site]) -> None:
    sites["5.0"].get("/fresh")
    assert (sites["5.0"].get("/fresh", "BREW") or "").endswith("fwd=method; fwd-status=200")
    assert sites["5.0"].fetches("/fresh", {}) == 1


@pytest.mark.parametrize("feature", ["+rfc9111", "-rfc9111"])
def test_the_safety_checks_stay(feature: str) -> None:
    """The origin says how long each response is fresh. RFC 9111 alone would store the first three."""
    with Origin(answer) as origin, serving(policy("5.0", origin.port), ["-p", f"feature={feature}"]) as d:
        site = Site(d, origin)
        assert site.fetches("/fresh", {"Cookie": "a=b"}, {"Cookie": "a=b"}) == 2
        assert site.fetches("/fresh", {"Authorization": "x"}, {"Authorization": "x"}) == 2
        assert site.fetches("/cookie", {}, {}) == 2
        assert site.fetches("/private", {}, {}) == 2
        assert site.fetches("/secret", {}, {}) == 2
        assert site.fetches("/fresh", {}, {}) == 1


def test_allow_leaves_it_to_the_response() -> None:
    allowing = """sub vcl_recv { allow (cookie, authorization); return (hash); }
                  sub vcl_backend_response { allow (set_cookie, private); }"""
    with Origin(answer) as origin, serving(policy("5.0", origin.port, allowing)) as d:
        site = Site(d, origin)
        assert site.fetches("/fresh", {"Cookie": "a=b"}, {"Cookie": "a=b"}) == 1
        assert site.fetches("/cookie", {}, {}) == 1
        assert site.fetches("/private", {}, {}) == 2                   # RFC 9111, 5.2.2.7
        assert site.fetches("/secret", {}, {}) == 2


def test_the_labelled_policy_decides() -> None:
    """A policy of 4.1 hands some hosts to one of 5.0."""
    with Origin(answer) as origin:
        first = policy("4.1", origin.port, 'sub vcl_recv { if (req.http.Site == "five") { return (vcl(five)); } }')
        with serving(policy("4.1", origin.port)) as d:
            d.load("of_five", policy("5.0", origin.port))
            d.ok("vcl.label five of_five")
            d.serve("first", first)
            site = Site(d, origin)
            assert site.get("/fresh", Site="five") is not None
            assert site.get("/fresh", Site="four") is None
            assert site.fetches("/fresh", {"Site": "five", "Cache_Control": "no-cache"}, {"Site": "four", "Cache_Control": "no-cache"}) == 1
