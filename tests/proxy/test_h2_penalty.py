"""An HTTP/2 client begins with less, or late, when another connection of its address has used up a budget. A loop with
many requests keeps places for connections with few."""

from __future__ import annotations

import socket

import pytest

from proxy.daemon import Daemon, wait_equal
from proxy.frames import END_STREAM, ENHANCE_YOUR_CALM, GOAWAY, HEADERS, PING, REFUSED_STREAM, RST_STREAM, SETTINGS, H2Client
from proxy.serve import serving
from proxy.test_delivery import policy
from proxy.test_h2_parameters import SYNTH, h2, waiting_origin

BAD, GOOD = "127.0.0.2", "127.0.0.3"


def pings(c: H2Client, n: int) -> None:
    try:
        for _ in range(n):
            c.send(PING, 0, 0, b"12345678")
    except OSError:
        pass


def use_up(d: Daemon, n: int = 1100, before: bytes = b"", port: int = 0) -> None:
    """The budget of a connection of BAD, by PING frames, of which 1,000 are allowed."""
    with H2Client(port or d.port, source=BAD, before=before) as c:
        pings(c, n)
        c.until(lambda f: f.type == GOAWAY and f.number == ENHANCE_YOUR_CALM)


def late(d: Daemon) -> list[int]:
    return [d.counters[f"H2.sessions_{name}"] for name in ("late", "refused")]


def served(port: int, source: str, before: bytes = b"") -> bool:
    with H2Client(port, source=source, before=before) as c:
        c.request(1)
        return c.status(1) == 200


LIMITS: dict[str, object] = {"h2_frame_limit": 1000, "h2_budget_period": 3600}


def test_an_address_that_used_up_a_budget_waits_and_begins_with_what_is_left() -> None:
    with h2(h2_penalty=0.2, **LIMITS) as d:
        use_up(d)
        assert served(d.port, GOOD) and late(d) == [0, 0]
        assert served(d.port, BAD)
        wait_equal(lambda: late(d), [1, 0])
        use_up(d, 20)       # a new budget would allow 1,000
        wait_equal(lambda: d.counters["H2.killed_control"], 2)
        assert "client 127.0.0.2 misuses HTTP/2 (control frames): closed, and its next connections begin with less (h2_penalty)" in d.heard
        with socket.create_connection(("127.0.0.1", d.port), 10, (BAD, 0)) as plain:     # HTTP/1 does not wait
            before = late(d)
            plain.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert plain.recv(100).startswith(b"HTTP/1.1 200 ") and late(d) == before


def test_a_client_that_leaves_early_leaves_its_use_behind() -> None:
    with h2(h2_penalty=0.2, **LIMITS) as d:
        for n in (520, 300):
            with H2Client(d.port, source=BAD) as c:
                pings(c, n)
                c.echo()
            wait_equal(lambda: d.counters["H2.sessions_live"], 0)
        assert served(d.port, BAD) and late(d) == [1, 0]
        assert d.counters["H2.killed_control"] == 0


def test_the_debt_of_an_address_shrinks_in_h2_budget_period() -> None:
    with h2(h2_penalty=0.2, h2_frame_limit=1000, h2_budget_period=1) as d:
        with H2Client(d.port, source=BAD) as c:
            pings(c, 5000)
            c.until(lambda f: f.type == GOAWAY and f.number == ENHANCE_YOUR_CALM)
        wait_equal(lambda: [served(d.port, BAD), late(d)] if not late(d)[0] else [True, [1, 0]], [True, [1, 0]])
        seen = late(d)[0]

        def is_prompt() -> bool:
            nonlocal seen
            before, seen = seen, served(d.port, BAD) and late(d)[0]
            return before == seen
        wait_equal(is_prompt, True)


def test_further_connections_than_h2_penalty_connections_are_closed() -> None:
    with h2(h2_penalty=60, h2_penalty_connections=1, **LIMITS) as d:
        use_up(d)
        with H2Client(d.port, source=BAD) as first:
            wait_equal(lambda: late(d), [1, 0])
            with H2Client(d.port, source=BAD) as second:
                assert second.read() is None
            assert late(d) == [1, 1]
            d.ok("param.set h2_penalty 0.1")
            first.sock.close()
        wait_equal(lambda: d.counters["H2.sessions_live"], 0)
        assert served(d.port, BAD)      # the place is free again


def test_without_h2_penalty_a_new_connection_has_a_new_budget() -> None:
    with h2(h2_penalty=0, **LIMITS) as d:
        for _ in range(2):
            use_up(d)
        assert served(d.port, BAD) and late(d) == [0, 0]


def test_connections_that_break_the_protocol_count_up_to_h2_broken_limit() -> None:
    with h2(h2_penalty=0.2, h2_broken_limit=2, h2_budget_period=3600) as d:
        for n in range(2):
            assert late(d) == [0, 0]
            with H2Client(d.port, source=BAD) as c:
                c.send(SETTINGS, 0, 1)
                c.first(GOAWAY)
            assert d.counters["H2.killed_broken"] == n + 1
        assert served(d.port, BAD) and late(d) == [1, 0]


@pytest.mark.parametrize(("header", "waits"), [("TCP4 192.0.2.1 192.0.2.9 1000 80", 1), ("TCP4 192.0.2.2 192.0.2.9 1000 80", 0), ("UNKNOWN", 0)])
def test_the_address_of_a_proxy_header_counts(header: str, waits: int) -> None:
    words = [word for name, value in LIMITS.items() for word in ("-p", f"{name}={value}")]
    with serving(SYNTH, ("-p", "feature=+http2", "-p", "h2_penalty=0.2", "-a", "tls=127.0.0.1:0,PROXY", *words)) as d:
        port = int(d.status["listens"][1].rsplit(":", 1)[1])
        use_up(d, before=b"PROXY TCP4 192.0.2.1 192.0.2.9 1000 80\r\n", port=port)
        assert served(port, BAD, f"PROXY {header}\r\n".encode())
        assert served(d.port, BAD)      # the proxy itself owes nothing
        wait_equal(lambda: late(d), [waits, 0])


def test_a_stop_closes_connections_that_wait() -> None:
    words = ("-p", "feature=+http2", "-p", "h2_penalty=60", "-p", "h2_frame_limit=1000")
    with serving(SYNTH, words, keeps_worker=False) as d:
        use_up(d)
        with H2Client(d.port, source=BAD) as c:
            wait_equal(lambda: late(d), [1, 0])
            d.ok("stop")
            assert c.read() is None


# ---- many requests of a loop ----


def test_a_loop_with_h2_streams_loop_requests_leaves_h2_streams_crowded_to_each_connection() -> None:
    with waiting_origin() as (origin, go), h2(policy(origin), h2_streams_loop=4, h2_streams_crowded=1, loops=1) as d:
        with H2Client(d.port) as many, H2Client(d.port) as few:
            for stream in (1, 3, 5, 7, 9):
                many.request(stream, f"/{stream}")
            assert many.first(RST_STREAM).stream == 9       # four are there
            few.request(1, "/few")
            few.request(3, "/more")
            refused = few.first(RST_STREAM)
            assert (refused.stream, refused.number) == (3, REFUSED_STREAM)
            assert d.counters["H2.streams_crowded"] == d.counters["H2.streams_refused"] == 2
            go.set()
            assert few.status(1) == 200
            assert len([f for f in many.ends(7) if f.type == HEADERS and f.flags & END_STREAM == 0]) >= 1
