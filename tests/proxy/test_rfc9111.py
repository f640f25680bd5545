"""HTTP caching with ``-p feature=+rfc9111``: a table of cases, each a short exchange between client and
origin.

The origin answers each step with a different body, so a response shows its source. A stale response is stale
from the start, because its Age exceeds its lifetime; so no case has to wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from email.utils import formatdate
from time import time

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request, Response
from proxy.serve import serving
from proxy.test_delivery import policy

FRESH = {"Cache-Control": "max-age=1000"}
STALE = "max-age=5"                     # with Age: 10
OLD = {"Age": "10"}
ETAG = {"ETag": '"one"'}


def ago(seconds: float) -> str:
    return formatdate(time() - seconds, usegmt=True)


@dataclass(slots=True)
class Step:
    """A request. ``gets``: "origin" (a new response), "stored" (content of an earlier response; the origin is
    not asked), "validated" (the same; the origin is asked), "grace" (the same; the origin may be asked
    later), or a status that the proxy makes."""

    gets: str | int
    answer: dict[str, str] = field(default_factory=dict)
    status: int = 200
    method: str = "GET"
    asks: dict[str, str] = field(default_factory=dict)
    target: str = ""                    # appended to the URL of the case
    lacks: tuple[str, ...] = ()         # fields that the client must not get
    away: bool = False                  # the origin closes without a response


def miss(answer: dict[str, str], **named: object) -> Step:
    return Step("origin", answer, **named)      # type: ignore[arg-type]


HIT = Step("stored")
GRACE = Step("grace")
AGAIN = Step("origin", FRESH)


def twice(answer: dict[str, str], second: str, status: int = 200, **asks: str) -> list[Step]:
    asked = {name.replace("_", "-"): value for name, value in asks.items()}
    return [Step("origin", answer, status, asks=asked), Step(second, FRESH, status)]


MALFORMED = {
    "unclosed": '"X-User', "unopened": 'X-User"', "closed by a quoted pair": r'"X-User\"', "a quote within": '"X"User"', "a blank within": '"X User"',
    "a parameter": '"X-User;a"', "empty": '""', "apostrophes": "'X-User'", "more behind": '"X-User"a', "an equals sign": '="X-User"',
    "another quote": '"X-User\'', "unquoted": "X-User, Set-Cookie",
}

CASES: dict[str, list[Step]] = {
    # ---- what may be stored (RFC 9111, 3) ----
    "max-age": twice(FRESH, "stored"),
    "nothing is said, and default_ttl is 0": twice({}, "origin"),
    "no-store": twice({"Cache-Control": "no-store, max-age=100"}, "origin"),
    "private": twice({"Cache-Control": "Private, max-age=100"}, "origin"),
    "must-understand overrides no-store of a known status": twice({"Cache-Control": "max-age=100, no-store, must-understand"}, "stored"),
    "must-understand forbids an unknown status": twice({"Cache-Control": "max-age=100, must-understand"}, "origin", 299),
    "a stated lifetime stores an unknown status": twice(FRESH, "stored", 299),
    "a stated lifetime stores an error": twice(FRESH, "stored", 500),
    "partial content is not stored": twice(FRESH, "origin", 206),
    "Set-Cookie with a stated lifetime": twice(FRESH | {"Set-Cookie": "a=b"}, "stored"),
    "Set-Cookie without one": twice({"Last-Modified": ago(86400), "Set-Cookie": "a=b"}, "origin"),
    "Cookie with a stated lifetime": twice(FRESH, "stored", Cookie="a=b"),
    "Cookie without one": twice({"Last-Modified": ago(86400)}, "origin", Cookie="a=b"),
    "Authorization": twice(FRESH, "origin", Authorization="Basic x"),
    "Authorization and public": twice({"Cache-Control": "public, max-age=100"}, "stored", Authorization="Basic x"),
    "Authorization and s-maxage": twice({"Cache-Control": "s-maxage=100"}, "stored", Authorization="Basic x"),
    "Authorization and must-revalidate": twice({"Cache-Control": "max-age=9, must-revalidate"}, "stored", Authorization="Basic x"),
    # ---- freshness (4.2) ----
    "s-maxage beats max-age": twice({"Cache-Control": "max-age=100, s-maxage=0"}, "origin"),
    "Expires against Date": twice({"Date": ago(5000), "Expires": ago(4000)}, "stored"),
    "Expires in any case": twice({"Date": ago(5000), "Expires": ago(4000).lower()}, "stored"),
    "Expires has passed": twice({"Date": ago(4000), "Expires": ago(5000)}, "origin"),
    "Age counts": twice({"Cache-Control": "max-age=10", "Age": "11"}, "origin"),
    "a guess from Last-Modified": twice({"Last-Modified": ago(86400)}, "stored"),
    "no guess for 403": twice({"Last-Modified": ago(86400)}, "origin", 403),
    "no guess for 599": twice({"Last-Modified": ago(86400)}, "origin", 599),
    "a guess for 599 that is public": twice({"Last-Modified": ago(86400), "Cache-Control": "public"}, "stored", 599),
    "an error is remembered for negative_ttl": twice({}, "stored", 404),
    # ---- validation (4.3), no-cache, must-revalidate ----
    "no-cache is stored, and validated": [miss(ETAG | {"Cache-Control": "no-cache"}), Step("validated", ETAG, 304)],
    "no-cache beats max-age": [miss(ETAG | {"Cache-Control": "max-age=100, no-cache"}), Step("validated", ETAG, 304)],
    "no-cache without a validator": twice({"Cache-Control": "no-cache, max-age=100"}, "origin"),
    "must-revalidate while fresh": twice({"Cache-Control": "max-age=100, must-revalidate"}, "stored"),
    "a 304 makes it fresh again": [miss(ETAG | OLD | {"Cache-Control": STALE}), Step("validated", ETAG | FRESH | {"Age": "0"}, 304), HIT],
    "a 304 without Age has no age": [miss(ETAG | {"Age": "2000"} | FRESH), Step("validated", ETAG | FRESH, 304), HIT],
    "a 304 without Date has the date of its arrival": [
        miss(ETAG | {"Date": ago(2000), "Expires": ago(1990), "Age": "20"}), Step("validated", ETAG | {"Expires": ago(-100_000)}, 304), HIT],  # counts from the start of the run
    "no-cache with fields withholds them": [
        miss({"Cache-Control": 'max-age=100, no-cache="A, b"', "A": "1", "B": "2", "C": "3"}), Step("stored", lacks=("A", "B"))],
    "a word with fields may be in capitals, behind others": [
        miss({"Cache-Control": 'max-age=100, stale-if-error=5, PRIVATE="A"', "A": "1", "B": "2"}), Step("stored", lacks=("A",))],
    "private with fields withholds them": [
        miss({"Cache-Control": 'max-age=100, private="A"', "A": "1", "B": "2"}), Step("stored", lacks=("A",))],
    "a quoted pair in a name of a field": [miss({"Cache-Control": r'max-age=100, no-cache="\A"', "A": "1"}), Step("stored", lacks=("A",))],
    **{f"private with a malformed list of fields, {name}": twice({"Cache-Control": f"max-age=100, private={fields}", "Set-Cookie": "a=b"}, "origin")
       for name, fields in MALFORMED.items()},
    **{f"no-cache with a malformed list of fields, {name}": [
        miss(ETAG | {"Cache-Control": f"max-age=100, no-cache={fields}"}), Step("validated", ETAG, 304)] for name, fields in MALFORMED.items()},
    # ---- stale responses (4.2.4, RFC 5861) ----
    "stale-while-revalidate": [miss(OLD | {"Cache-Control": STALE + ", stale-while-revalidate=100"}), GRACE],
    "stale-while-revalidate is over": [miss(OLD | {"Cache-Control": STALE + ", stale-while-revalidate=2"}), AGAIN],
    "must-revalidate beats stale-while-revalidate": [
        miss(OLD | {"Cache-Control": STALE + ", must-revalidate, stale-while-revalidate=100"}), AGAIN],
    "s-maxage with stale-while-revalidate": [miss(OLD | {"Cache-Control": "s-maxage=5, stale-while-revalidate=100"}), GRACE],
    "default_grace serves nothing stale": [miss(OLD | ETAG | {"Cache-Control": STALE}), AGAIN],
    "the origin is away": [miss(OLD | ETAG | {"Cache-Control": STALE}), Step("stored", away=True)],
    **{f"the origin is away, but {word}": [miss(OLD | ETAG | {"Cache-Control": f"{STALE}, {word}"}), Step(503, away=True)]
       for word in ("must-revalidate", "proxy-revalidate", "no-cache", "s-maxage=5")},
    "the origin is away, and no-cache is asked for": [
        miss(OLD | ETAG | {"Cache-Control": STALE}), Step(503, away=True, asks={"Cache-Control": "no-cache"})],
    "503 and stale-if-error": [miss(OLD | {"Cache-Control": STALE + ", stale-if-error=60"}), Step("stored", status=503)],
    "503 after stale-if-error": [miss(OLD | {"Cache-Control": STALE + ", stale-if-error=2"}), Step("origin", status=503)],
    "503 without stale-if-error": [miss(OLD | ETAG | {"Cache-Control": STALE}), Step("origin", status=503)],
    # ---- requests (5.2.1) ----
    "no-cache in a request validates": [miss(FRESH | ETAG), Step("validated", ETAG, 304, asks={"Cache-Control": "no-cache"})],
    "max-age=0 in a request validates": [miss(FRESH | ETAG), Step("validated", ETAG, 304, asks={"Cache-Control": "max-age=0"})],
    "max-age above the age": [miss(FRESH | OLD), Step("stored", asks={"Cache-Control": "max-age=60"})],
    "max-age below the age": [miss(FRESH | OLD), Step("origin", asks={"Cache-Control": "max-age=9"})],
    "min-fresh that is met": [miss(FRESH), Step("stored", asks={"Cache-Control": "min-fresh=900"})],
    "min-fresh that is not": [miss(FRESH), Step("origin", asks={"Cache-Control": "min-fresh=2000"})],
    "max-stale without a number": [miss(OLD | ETAG | {"Cache-Control": STALE}), Step("stored", asks={"Cache-Control": "max-stale"})],
    "max-stale that is met": [miss(OLD | ETAG | {"Cache-Control": STALE}), Step("stored", asks={"Cache-Control": "max-stale=60"})],
    "max-stale that is not": [miss(OLD | ETAG | {"Cache-Control": STALE}), Step("origin", asks={"Cache-Control": "max-stale=2"})],
    "max-stale against must-revalidate": [
        miss(OLD | ETAG | {"Cache-Control": STALE + ", must-revalidate"}), Step("origin", asks={"Cache-Control": "max-stale"})],
    "no-store in a request": [miss(FRESH, asks={"Cache-Control": "no-store"}), AGAIN, Step("stored", asks={"Cache-Control": "no-store"})],
    "only-if-cached": [Step(504, asks={"Cache-Control": "only-if-cached"}), miss(FRESH),
                       Step("stored", asks={"Cache-Control": "only-if-cached"})],
    # ---- Vary (4.1) ----
    "Vary * in a list": [miss(FRESH | {"Vary": "Foo, *"}), AGAIN],
    "languages in another order": [
        miss(FRESH | {"Vary": "Accept-Language"}, asks={"Accept-Language": "en, de;q=0.5"}),
        Step("stored", asks={"Accept-Language": "DE;q=0.5, en"}), Step("origin", asks={"Accept-Language": "en, de"})],
    "the language that the client prefers": [
        miss(FRESH | {"Vary": "Accept-Language", "Content-Language": "de"}, asks={"Accept-Language": "en, de"}),
        Step("stored", asks={"Accept-Language": "fr;q=0.5, de"}), Step("origin", asks={"Accept-Language": "fr, de"}),
        Step("origin", asks={"Accept-Language": "fr, de;q=0.9"})],
    # ---- unsafe methods (4.4) and POST (RFC 9110, 9.3.3) ----
    **{f"{method} invalidates": [miss(FRESH), Step("origin", method=method), AGAIN] for method in ("POST", "PUT", "DELETE", "M-SEARCH")},
    "OPTIONS does not": [miss(FRESH), Step("origin", method="OPTIONS"), HIT],
    "a POST that fails does not": [miss(FRESH), Step("origin", method="POST", status=500), HIT],
    **{f"{name} {form} is invalidated": [miss(FRESH, target="/a/c"), Step("origin", {name: value}, 201, "POST", target="/a/b"),
                                         Step("origin", FRESH, target="/a/c")]
       for name in ("Location", "Content-Location")
       for form, value in (("relative", "c"), ("with dots", "./x/../c"), ("of a host", "//example.com{}/a/c"),
                           ("whole", "http://example.com{}/a/c#x"))},
    "Location of another host is left": [
        miss(FRESH, target="/a"), Step("origin", {"Location": "http://example.org{}/a"}, 201, "POST", target="/b"), Step("stored", target="/a")],
    "a POST answers a GET": [Step("origin", FRESH | {"Content-Location": ""}, method="POST"), HIT],
    "a POST without Content-Location": [Step("origin", FRESH, method="POST"), AGAIN],
    "a POST about another URL": [Step("origin", FRESH | {"Content-Location": "other"}, method="POST"), AGAIN],
    # ---- targeted fields (RFC 9213) ----
    "CDN-Cache-Control lengthens": twice({"Cache-Control": "no-store", "CDN-Cache-Control": "max-age=100"}, "stored"),
    "CDN-Cache-Control shortens": twice(FRESH | {"CDN-Cache-Control": "max-age=0"}, "origin"),
    "CDN-Cache-Control forbids": twice(FRESH | {"CDN-Cache-Control": "private"}, "origin"),
    "CDN-Cache-Control with fields forbids": twice(FRESH | {"CDN-Cache-Control": 'max-age=100, private="Set-Cookie"', "Set-Cookie": "a=b"}, "origin"),
    "CDN-Cache-Control with a mistake is no field": twice({"Cache-Control": "no-store", "CDN-Cache-Control": "max-age=100, &"}, "origin"),
    "CDN-Cache-Control with a wrong type": twice({"Cache-Control": "no-store", "CDN-Cache-Control": 'max-age="100"'}, "origin"),
    "Vernis-Cache-Control comes first": twice({"CDN-Cache-Control": "no-store", "Vernis-Cache-Control": "max-age=100"}, "stored"),
    # ---- groups (RFC 9875) ----
    "a group is invalidated": [
        miss(FRESH | {"Cache-Groups": '"g one", "h"'}, target="/a"), miss(FRESH | {"Cache-Groups": '"x"'}, target="/c"),
        Step("origin", {"Cache-Group-Invalidation": '"g one"'}, method="POST", target="/b"), Step("origin", FRESH, target="/a"),
        Step("stored", target="/c")],
    "a safe method invalidates no group": [
        miss(FRESH | {"Cache-Groups": '"safe"'}, target="/a"), miss({"Cache-Group-Invalidation": '"safe"'}, target="/b"),
        Step("stored", target="/a")],
}


class World:
    """A daemon in front of an origin that answers each step of each case from the table."""

    def __init__(self, daemon: Daemon, origin: Origin) -> None:
        self.daemon = daemon
        self.origin = origin

    def asked(self, name: str) -> int:
        return sum(r.headers.get("x-case") == name for r in self.origin.requests)


def answer(request: Request) -> Reply:
    name, number = request.headers["x-case"], int(request.headers["x-step"])
    step = CASES[name][number]
    if step.away:
        return Reply(raw=b"", close=True)
    base = request.url.removesuffix(step.target)
    headers = {n: v.format(base) for n, v in step.answer.items()}
    return Reply(step.status, b"" if step.status == 304 else str(number).encode(), headers)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with ExitStack() as stack:
        origin = stack.enter_context(Origin(answer))
        policy = f'vcl 4.1; backend b {{ .host = "127.0.0.1"; .port = "{origin.port}"; }}'
        args = ["-p", "feature=+rfc9111", "-p", "default_ttl=0", "-p", "default_keep=3600"]
        daemon = stack.enter_context(Daemon(tmp_path_factory.mktemp("rfc9111"), policy, args))
        yield World(daemon, origin)


def run(world: World, name: str, number: int, url: str) -> tuple[Response, bool]:
    """The response, and whether the origin was asked."""
    step, before = CASES[name][number], world.asked(name)
    with Client(world.daemon.port_cached) as c:
        r = c.request(url + step.target, step.method, {"X-Case": name, "X-Step": str(number)} | step.asks)
    return r, world.asked(name) > before


@pytest.mark.parametrize("name", CASES)
def test_a_case_gets_the_expected_responses(world: World, name: str) -> None:
    url = f"/{list(CASES).index(name)}"
    for number, step in enumerate(CASES[name]):
        r, asked = run(world, name, number, url)
        where = f"step {number}: {r}"
        if isinstance(step.gets, int):
            assert r.status == step.gets, where
            continue
        if step.gets == "origin":
            assert (r.status, r.body, asked) == (step.status, str(number).encode(), True), where
        else:
            assert r.body != str(number).encode() and r.body.isdigit(), where
            assert r.status == (step.status if step.status not in (304, 503) else 200), where
            assert step.gets == "grace" or asked == (step.gets == "validated" or step.away or step.status == 503), where
        for field_ in step.lacks:
            assert r.get(field_) is None, where


COOKIE_RULE = (ROOT / "docs/rfc9111.md").read_text().partition("```vcl\n")[2].partition("```")[0]      # the rule of 4.x, for a policy with the bit


@pytest.mark.parametrize(("bit", "rule", "asked"), [(True, "", 1), (True, COOKIE_RULE, 3), (False, "", 3)], ids=["bit", "bit and the rule of 4.x", "no bit"])
def test_set_cookie_is_shared_with_the_bit_unless_the_policy_has_the_rule_of_4(bit: bool, rule: str, asked: int) -> None:
    fields = {"Cache-Control": "max-age=100", "Set-Cookie": "session=1"}
    with Origin(lambda request: Reply(body=b"page", headers=fields)) as origin, \
            serving(policy(origin, rule), ("-p", "feature=+rfc9111") if bit else ()) as d, Client(d.port) as client:
        for _ in range(3):
            assert client.request("/a").get("Set-Cookie") == "session=1"
        assert len(origin.seen("/a")) == asked


def test_a_stale_response_is_refreshed_in_the_background(world: World) -> None:
    """Later requests get the refreshed response."""
    name = "stale-while-revalidate"
    assert run(world, name, 0, "/refreshed")[0].body == b"0"
    assert run(world, name, 1, "/refreshed")[0].body == b"0"
    wait_until(lambda: run(world, name, 1, "/refreshed")[0].body == b"1", "the refreshed response is served")
