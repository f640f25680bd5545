"""Origins that are slow, send truncated or malformed responses, or close between two requests."""

from __future__ import annotations

import threading

import pytest

from proxy.daemon import wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serve, serving
from proxy.test_delivery import page, policy
from proxy.test_limits import log_of


def test_connections_are_reused() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_recv { return (pass); }")) as port, Client(port) as c:
        for _ in range(10):
            c.request("/")
        assert origin.connections == 1


def test_a_reused_connection_that_died_is_replaced() -> None:
    def once(r: Request) -> Reply:      # announces keep-alive, then closes
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", lambda: None])
    with Origin(once) as origin, serve(policy(origin, "sub vcl_recv { return (pass); }")) as port, Client(port) as c:
        for _ in range(10):
            assert c.request("/").body == b"ok"
        assert not origin.errors


def test_a_silent_origin_times_out() -> None:
    go = threading.Event()
    def silent(_: Request) -> Reply:
        go.wait(20)
        return Reply()
    text = "sub vcl_backend_fetch { set bereq.first_byte_timeout = 0.2s; }"
    with Origin(silent) as origin, serve(policy(origin, text)) as port:
        r = fetch(port, "/")
        assert (r.status, r.reason) == (503, "Backend fetch failed")
        go.set()


def test_a_stalled_body_is_cut_visibly() -> None:
    go = threading.Event()
    def stalls(_: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n12345",
                             lambda: (go.wait(20), None)[1]])
    text = "sub vcl_backend_fetch { set bereq.between_bytes_timeout = 0.2s; }"
    with Origin(stalls) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        with pytest.raises((EOFError, ConnectionResetError)):
            c.request("/")
        go.set()


@pytest.mark.parametrize("raw", [
    b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345",                                    # closed early
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",                   # no last chunk
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
])
def test_truncated_bodies_are_never_stored_or_delivered_as_whole(raw: bytes) -> None:
    with Origin(lambda _: Reply(raw=raw.replace(b"OK\r\n", b"OK\r\nCache-Control: max-age=60\r\n"), close=True)) as origin, \
            serve(policy(origin)) as port:
        for _ in range(2):
            try:
                r = fetch(port, "/")
                assert r.status == 503
            except (EOFError, ConnectionResetError, ValueError):
                pass                    # the cut is visible
        assert origin.count("/") >= 2


@pytest.mark.parametrize("raw", [
    b"garbage\r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n", b"HTTP/2.0 200 OK\r\n\r\n", b"",
    b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 1000 + b"\r\n",
    b"HTTP/1.1 200 OK\r\nBad Name: x\r\n\r\n",
])
def test_malformed_responses_give_503_and_the_proxy_keeps_serving(raw: bytes) -> None:
    with Origin(lambda r: page(r) if r.url == "/good" else Reply(raw=raw, close=True)) as origin, serve(policy(origin)) as port, \
            Client(port) as c:
        assert c.request("/bad").status == 503
        assert c.request("/good").body == b"page /good"


def test_interim_responses_are_skipped() -> None:
    def early(_: Request) -> Reply:
        return Reply(raw=b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    with Origin(early) as origin, serve(policy(origin)) as port:
        assert fetch(port, "/").body == b"ok"


def test_a_response_until_close_is_complete_at_close() -> None:
    def until_close(_: Request) -> Reply:
        return Reply(raw=b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\nall of it", close=True)
    with Origin(until_close) as origin, serve(policy(origin)) as port, Client(port) as c:
        assert c.request("/").body == c.request("/").body == b"all of it"
        assert len(origin.requests) == 1


def test_without_streaming_a_cut_body_becomes_an_error_page() -> None:
    def cut(_: Request) -> Reply:
        return Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", close=True)
    text = "sub vcl_backend_response { set beresp.do_stream = false; }"
    with Origin(cut) as origin, serve(policy(origin, text)) as port:
        r = fetch(port, "/")
        assert (r.status, r.reason) == (503, "Backend fetch failed")


LATE_S = 120.0      # the system may keep the rest of a closed connection for 60 s (tcp_fin_timeout)


def test_an_abandoned_pass_stops_its_fetch() -> None:
    """The origin may learn it late: its system keeps what it has sent for as long as the window was closed."""
    sent = [0]
    def endless(_: Request) -> Reply:
        def piece() -> bytes:
            sent[0] += 1
            return b"10000\r\n" + b"x" * 65536 + b"\r\n"
        pieces: list[object] = [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"] + [piece] * 10_000
        return Reply(pieces=pieces)     # type: ignore[arg-type]
    with Origin(endless) as origin, serving(policy(origin, "sub vcl_recv { return (pass); }")) as d:
        with Client(d.port_cached) as c:
            c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert c.head().status == 200
        wait_until(lambda: "Pass delivery abandoned" in log_of(d, "FetchError"), "the fetch stops")
        wait_until(lambda: origin.errors, "its send fails, because the proxy closed the connection", LATE_S)
        assert sent[0] < 10_000
