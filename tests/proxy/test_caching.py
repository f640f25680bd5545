"""Which responses are stored, for which requests and for how long, and which requests wait for a fetch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from proxy.daemon import wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serve
from proxy.test_delivery import PAGE, page, policy


def wait_for(condition: Callable[[], object]) -> None:
    wait_until(condition, "the condition becomes true")


def test_a_hit_has_its_age_and_the_number_of_its_fetch() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        miss, hit = c.request("/"), c.request("/")
        assert len(miss.get("X-Varnish").split()) == 1
        assert len(hit.get("X-Varnish").split()) == 2
        assert int(hit.get("Age")) < 5 and "varnish" in hit.get("Via")


def test_age_from_the_origin_counts() -> None:
    def old(_: Request) -> Reply:
        return Reply(body=b"x", headers={"Cache-Control": "max-age=100", "Age": "40"})
    with Origin(old) as origin, serve(policy(origin)) as port:
        assert 40 <= int(fetch(port, "/").get("Age")) < 80


def test_private_responses_are_not_shared() -> None:
    def answer(r: Request) -> Reply:
        headers = {"/private": {"Cache-Control": "private, max-age=60"}, "/no-store": {"Cache-Control": "no-store"},
                   "/cookie": PAGE | {"Set-Cookie": "id=1"}, "/star": PAGE | {"Vary": "*"}, "/stale": {"Cache-Control": "max-age=0"}}
        return Reply(body=b"x", headers=headers[r.url])
    with Origin(answer) as origin, serve(policy(origin)) as port, Client(port) as c:
        for url in ("/private", "/no-store", "/cookie", "/star", "/stale"):
            for _ in range(3):
                assert c.request(url).status == 200
            assert origin.count(url) == 3, url


def test_requests_with_cookies_or_credentials_pass() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        for headers in ({"Cookie": "a=1"}, {"Authorization": "Basic eA=="}):
            c.request("/p", headers=headers)
            c.request("/p", headers=headers)
        assert origin.count("/p") == 4


def test_hosts_have_their_own_responses() -> None:
    def whose(r: Request) -> Reply:
        return Reply(body=r.headers["host"].encode(), headers=PAGE)
    with Origin(whose) as origin, serve(policy(origin)) as port, Client(port) as c:
        assert c.request("/", host="one.example").body == b"one.example"
        assert c.request("/", host="two.example").body == b"two.example"
        assert c.request("/", host="ONE.example").body == b"one.example"     # host names ignore case
        assert len(origin.requests) == 2


def test_vary_selects_by_the_fields_it_names() -> None:
    def varied(r: Request) -> Reply:
        return Reply(body=r.headers.get("x-lang", "none").encode(), headers=PAGE | {"Vary": "X-Lang"})
    with Origin(varied) as origin, serve(policy(origin)) as port, Client(port) as c:
        for _ in range(2):
            assert c.request("/", headers={"X-Lang": "de"}).body == b"de"
            assert c.request("/", headers={"X-Lang": "fr"}).body == b"fr"
            assert c.request("/").body == b"none"
        assert len(origin.requests) == 3


def test_concurrent_requests_for_one_page_share_a_fetch() -> None:
    go = threading.Event()
    def slow(r: Request) -> Reply:
        go.wait(10)
        return page(r)
    with Origin(slow) as origin, serve(policy(origin)) as port, ThreadPoolExecutor(20) as pool:
        answers = [pool.submit(fetch, port, "/one") for _ in range(20)]
        wait_for(lambda: origin.count("/one") == 1)
        time.sleep(0.2)                 # the others have arrived by now, or will find the stored response
        go.set()
        assert {a.result().body for a in answers} == {b"page /one"}
        assert origin.count("/one") == 1


def test_uncacheable_responses_do_not_serialise_requests() -> None:
    both = threading.Barrier(2, timeout=20)
    def private(r: Request) -> Reply:
        if r.url == "/first":
            return Reply(body=b"x", headers={"Cache-Control": "private"})
        return page(r)
    def handler(r: Request) -> Reply:
        if len(origin.requests) > 1:    # once the marker exists, fetches run in parallel
            both.wait()                 # breaks if the second request waits for the first
        return private(r)
    with Origin(handler) as origin, serve(policy(origin)) as port, ThreadPoolExecutor(2) as pool:
        fetch(port, "/first")
        answers = [pool.submit(fetch, port, "/first") for _ in range(2)]
        assert [a.result().status for a in answers] == [200, 200]


def test_readers_get_the_body_while_it_is_fetched() -> None:
    go = threading.Event()
    def slow(_: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n12345",
                             lambda: (go.wait(10), b"67890")[1]])
    with Origin(slow) as origin, serve(policy(origin)) as port, Client(port) as a, Client(port) as b:
        for c in (a, b):                # the second client joins the running fetch
            c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert c.head().status == 200
            assert c.stream.read(5) == b"12345"
        go.set()
        assert a.stream.read(5) == b.stream.read(5) == b"67890"
        assert len(origin.requests) == 1


GRACE = 'sub vcl_backend_response { set beresp.ttl = 0.3s; set beresp.grace = 60s; }'


def test_stale_is_served_while_one_request_refreshes() -> None:
    def numbered(r: Request) -> Reply:
        return Reply(body=b"%d" % origin.count(r.url), headers=PAGE)
    with Origin(numbered) as origin, serve(policy(origin, GRACE)) as port, Client(port) as c:
        assert c.request("/").body == b"1"
        time.sleep(0.5)
        assert c.request("/").body == b"1"          # stale, without waiting
        wait_for(lambda: origin.count("/") == 2)
        wait_for(lambda: c.request("/").body != b"1")


def test_a_failed_refresh_keeps_the_stale_response() -> None:
    def fails_later(r: Request) -> Reply:
        return Reply(body=b"good", headers=PAGE) if origin.count(r.url) == 1 else Reply(raw=b"garbage\r\n\r\n", close=True)
    with Origin(fails_later) as origin, serve(policy(origin, GRACE)) as port, Client(port) as c:
        assert c.request("/").body == b"good"
        time.sleep(0.5)
        for _ in range(5):
            assert (c.request("/").status, c.request("/").body) == (200, b"good")
            time.sleep(0.05)
        wait_for(lambda: origin.count("/") > 1)


def test_a_304_from_the_origin_refreshes_the_stored_response() -> None:
    def conditional(r: Request) -> Reply:
        if r.headers.get("if-none-match") == '"v1"':
            return Reply(304, headers={"ETag": '"v1"', "X-Round": "2", "Cache-Control": "max-age=60"})
        return Reply(body=b"body", headers={"ETag": '"v1"', "X-Round": "1", "Cache-Control": "max-age=60"})
    text = "sub vcl_backend_response { if (!beresp.was_304) { set beresp.ttl = 0.3s; } set beresp.grace = 0s; set beresp.keep = 60s; }"
    with Origin(conditional) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/").body == b"body"
        time.sleep(0.5)
        r = c.request("/")
        assert (r.status, r.body, r.get("X-Round")) == (200, b"body", "2")
        assert c.request("/").body == b"body"
        assert [q.headers.get("if-none-match") for q in origin.requests] == [None, '"v1"']


def test_hit_for_pass_is_remembered() -> None:
    text = "sub vcl_backend_response { return (pass(60s)); } sub vcl_deliver { set resp.http.X-Hitpass = req.is_hitpass; }"
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/").get("X-Hitpass") == "false"
        assert c.request("/").get("X-Hitpass") == "true"
        assert origin.count("/") == 2


def test_a_client_that_leaves_does_not_spoil_a_shared_fetch() -> None:
    go = threading.Event()
    def slow(_: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n12345",
                             lambda: (go.wait(10), b"67890")[1]])
    with Origin(slow) as origin, serve(policy(origin)) as port:
        with Client(port) as gone:
            gone.send(b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")
            assert gone.head().status == 200
        go.set()
        assert fetch(port, "/").body == b"1234567890"
        assert len(origin.requests) == 1
