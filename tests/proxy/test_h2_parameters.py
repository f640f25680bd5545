"""The parameters of HTTP/2 with clients, and what each does to a connection."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from proxy.daemon import Daemon, wait_equal
from proxy.frames import (
    DATA,
    END_STREAM,
    ENHANCE_YOUR_CALM,
    FRAME_SIZE_ERROR,
    GOAWAY,
    HEADER_TABLE_SIZE,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    MAX_CONCURRENT_STREAMS,
    MAX_FRAME_SIZE,
    MAX_HEADER_LIST_SIZE,
    PING,
    PROTOCOL_ERROR,
    REFUSED_STREAM,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    H2Client,
)
from proxy.origin import Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy

SYNTH = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200)); }'


@contextmanager
def h2(text: str = SYNTH, **parameters: object) -> Iterator[Daemon]:
    words = [word for name, value in parameters.items() for word in ("-p", f"{name}={value}")]
    with serving(text, ("-p", "feature=+http2", *words)) as d:
        yield d


def announced(**parameters: object) -> dict[int, int]:
    with h2(**parameters) as d, H2Client(d.port) as c:
        return c.first(SETTINGS).settings


def test_the_bit_http2_is_switched_at_run_time() -> None:
    with serving(SYNTH) as d:
        with H2Client(d.port) as c:
            assert c.read() is None
        d.ok("param.set feature +http2")
        with H2Client(d.port) as c:
            c.request(1)
            assert c.status(1) == 200
            d.ok("param.set feature -http2")        # connections go on
            c.request(3)
            assert c.status(3) == 200
        with H2Client(d.port) as c:
            assert c.read() is None


def test_settings_are_announced() -> None:
    assert announced() == {MAX_CONCURRENT_STREAMS: 100}
    assert announced(h2_max_concurrent_streams=7, h2_initial_window_size="100000b", h2_max_frame_size="32k", h2_header_table_size="0b",
                     h2_max_header_list_size="20000b") == {
        HEADER_TABLE_SIZE: 0, MAX_CONCURRENT_STREAMS: 7, INITIAL_WINDOW_SIZE: 100000, MAX_FRAME_SIZE: 32768, MAX_HEADER_LIST_SIZE: 20000}


def test_frames_may_be_as_large_as_h2_max_frame_size() -> None:
    for size, answer in (("16k", GOAWAY), ("32k", DATA)):
        with h2(h2_max_frame_size=size) as d, H2Client(d.port) as c:
            c.request(1, "/", "POST", end=False)
            c.send(DATA, END_STREAM, 1, bytes(20000))
            last = c.until(lambda f: f.type in (GOAWAY, DATA))[-1]
            assert last.type == answer, size
            assert answer == DATA or last.number == FRAME_SIZE_ERROR


@contextmanager
def waiting_origin() -> Iterator[tuple[Origin, threading.Event]]:
    """An origin that answers when the event is set."""
    go = threading.Event()

    def answer(r: Request) -> Reply:
        assert go.wait(30)
        return Reply(body=b"x")

    with Origin(answer) as origin:
        try:
            yield origin, go
        finally:
            go.set()


def test_streams_over_h2_max_concurrent_streams_are_refused() -> None:
    with waiting_origin() as (origin, go), h2(policy(origin), h2_max_concurrent_streams=1) as d, H2Client(d.port) as c:
        c.request(1, "/1")
        c.request(3, "/3")
        refused = c.first(RST_STREAM)
        assert (refused.stream, refused.number) == (3, REFUSED_STREAM)
        go.set()
        assert c.status(1) == 200
        c.request(5, "/5")
        assert c.status(5) == 200
        assert d.counters["H2.streams_refused"] == 1


def test_requests_over_h2_fibers_max_wait() -> None:
    with waiting_origin() as (origin, go), h2(policy(origin), h2_fibers_max=1) as d, H2Client(d.port) as c:
        c.request(1, "/1")
        c.request(3, "/3")
        wait_equal(lambda: [r.url for r in origin.requests], ["/1"])
        c.echo()
        assert [r.url for r in origin.requests] == ["/1"]       # /3 was received before the echo
        go.set()
        frames = c.ends(3)
        assert [f.status for f in frames if f.type == 1] == [200, 200]


def updates(**parameters: object) -> list[int]:
    """Of the connection's window, while a client sends 3 frames of content that the policy reads."""
    text = 'vcl 4.1; import std; backend default none; sub vcl_recv { std.cache_req_body(1MB); return (synth(200)); }'
    with h2(text, **parameters) as d, H2Client(d.port) as c:
        c.request(1, "/", "POST", end=False)
        for flags in (0, 0, END_STREAM):
            c.send(DATA, flags, 1, bytes(1000))
        frames = c.ends(1) + c.echo()
        return [f.number for f in frames if f.type == WINDOW_UPDATE and f.stream == 0]


def test_windows_below_h2_rx_window_low_water_grow_by_h2_rx_window_increment() -> None:
    assert updates(h2_rx_window_low_water="65535b") == [1 << 20]                        # one is enough for all frames
    assert updates(h2_rx_window_low_water="65535b", h2_rx_window_increment="2m") == [2 << 20]
    assert len(updates(h2_rx_window_low_water="1g")) >= 2


def taken(lowat: str) -> int:
    """Bytes of a response that a connection takes while its client reads nothing."""
    big = 16 << 20
    with Origin(lambda r: Reply(body=bytes(big))) as origin, h2(policy(origin), h2_notsent_lowat=lowat) as d:
        with H2Client(d.port, {INITIAL_WINDOW_SIZE: 2**31 - 1}, receive=4096) as c:
            c.send(WINDOW_UPDATE, 0, 0, (2**31 - 65536).to_bytes(4, "big"))
            c.request(1)
            last, still = -1, 0
            while still < 20:           # until it has not grown for 0.4 s
                now = d.counters["MAIN.s_resp_bodybytes"]
                last, still = now, still + 1 if now == last and now > 0 else 0
                time.sleep(0.02)
            return last


def test_h2_notsent_lowat_limits_what_waits_in_the_kernel() -> None:
    assert taken("16k") < taken("0b")


def test_bodies_that_wait_are_charged_to_h2_rxbuf_storage() -> None:
    with waiting_origin() as (origin, go), serving(policy(origin), ("-p", "feature=+http2", "-s", "default,8m", "-s", "rx=malloc,1m",
                                                                   "-p", "h2_rxbuf_storage=rx", "-p", "h2_fibers_max=1")) as d:
        with H2Client(d.port) as c:
            c.request(1)
            c.request(3, "/", "POST", end=False)        # waits for the fiber of the first one
            c.send(DATA, END_STREAM, 3, bytes(10000))
            c.echo()
            assert d.counters["SMA.rx.g_bytes"] >= 10000
            go.set()
            assert c.status(3) == 200
        wait_equal(lambda: d.counters["SMA.rx.g_bytes"], 0)


# ---- answers, and limits against attacks --------------------------------------------------------------------


@pytest.mark.parametrize(("bits", "error"), [("+http2", PROTOCOL_ERROR), ("+http2,+h2_rfc9113", FRAME_SIZE_ERROR)])
def test_h2_rfc9113_answers_as_the_rfc_says(bits: str, error: int) -> None:
    with serving(SYNTH, ("-p", f"feature={bits}")) as d, H2Client(d.port) as c:
        c.send(SETTINGS, 0, 0, b"\0")
        assert c.first(GOAWAY).number == error


def test_h2_nocheck_accepts_frames_smaller_than_the_rfc_allows() -> None:
    with h2() as d:
        with H2Client(d.port, {MAX_FRAME_SIZE: 64}) as c:
            assert c.first(GOAWAY).number == PROTOCOL_ERROR
        d.ok("param.set debug +h2_nocheck")
        with H2Client(d.port, {MAX_FRAME_SIZE: 64}) as c:
            c.request(1)
            assert max(len(f.payload) for f in c.ends(1) if f.stream == 1) == 64


def calmed(d: Daemon, c: H2Client, kind: str) -> bool:
    """The connection ended because its budget is used up, and the counter of this kind says so."""
    ended = c.until(lambda f: f.type == GOAWAY and f.number != 0)[-1].number == ENHANCE_YOUR_CALM
    counted = {name: n for name, n in d.counters.items() if name.startswith("H2.killed_") and n > 0}
    return ended and counted == {f"H2.killed_{kind}": 1}


def cancel(c: H2Client, streams: range) -> None:
    for stream in streams:
        c.request(stream)
        c.send(RST_STREAM, 0, stream, b"\0\0\0\x08")


def test_h2_rapid_reset_limit_ends_a_connection() -> None:
    with waiting_origin() as (origin, _), h2(policy(origin), h2_rapid_reset_limit=8, h2_rapid_reset=30) as d, H2Client(d.port) as c:
        c.request(1)                                    # stays, so that the connection has a reason to stay
        cancel(c, range(3, 11, 2))
        assert not [f for f in c.echo() if f.type == GOAWAY]
        cancel(c, range(11, 21, 2))
        assert calmed(d, c, "reset")
        assert d.counters["H2.resets_in"] >= 8


def test_resets_after_h2_rapid_reset_count_as_frames() -> None:
    with waiting_origin() as (origin, _), h2(policy(origin), h2_rapid_reset_limit=3, h2_rapid_reset=0.001) as d, H2Client(d.port) as c:
        for stream in range(1, 21, 2):
            c.request(stream)
            c.echo()
            time.sleep(0.01)            # older than h2_rapid_reset
            c.send(RST_STREAM, 0, stream, b"\0\0\0\x08")
        assert not [f for f in c.echo() if f.type == GOAWAY]
        assert d.counters["H2.resets_in"] == 10


def test_the_budget_refills_in_h2_budget_period() -> None:
    with waiting_origin() as (origin, _), h2(policy(origin), h2_rapid_reset_limit=8, h2_rapid_reset=30, h2_budget_period=1) as d, H2Client(d.port) as c:
        for begin in range(1, 41, 8):   # 20 resets, 4 each half a second
            cancel(c, range(begin, begin + 8, 2))
            time.sleep(0.6)
        assert not [f for f in c.echo() if f.type == GOAWAY]


def test_h2_frame_limit_ends_a_connection() -> None:
    with h2(h2_frame_limit=100) as d, H2Client(d.port) as c:
        for _ in range(110):
            c.send(PING, 0, 0, b"12345678")
        assert calmed(d, c, "control")
        assert (d.counters["H2.budget_low"], d.counters["H2.pings"] >= 99) == (1, True)


def test_h2_header_limit_ends_a_connection() -> None:
    with waiting_origin() as (origin, _), h2(policy(origin), h2_header_limit="10000b") as d, H2Client(d.port) as c:
        for stream in (1, 3, 5):
            c.request(stream, "/", "GET", ("x-large", "a" * 4000))
        assert calmed(d, c, "header")


def test_h2_window_timeout_ends_a_connection_that_keeps_its_windows_shut() -> None:
    with h2(h2_window_timeout=0.5) as d, H2Client(d.port, {INITIAL_WINDOW_SIZE: 0}) as c:
        c.request(1)
        assert calmed(d, c, "window")


def test_heads_that_return_are_short_with_h2_short_heads() -> None:
    def sizes(switch: str) -> list[int]:
        with h2(h2_short_heads=switch) as d, H2Client(d.port) as c:
            for stream in (1, 3, 5, 7):     # the table takes a field when it returns
                c.request(stream)
            return [len(c.first(HEADERS, stream).payload) for stream in (1, 3, 5, 7)]
    assert max(sizes("off")) == min(sizes("off"))
    shortened = sizes("on")
    assert shortened[3] < shortened[0] / 2


@pytest.mark.parametrize(("switch", "ended", "answered"), [("+vcl_req_reset", 1, 0), ("-vcl_req_reset", 0, 1)])
def test_requests_end_with_their_stream_with_vcl_req_reset(switch: str, ended: int, answered: int) -> None:
    text = 'vcl 4.1; import vtc; backend default none; sub vcl_recv { vtc.sleep(0.5s); return (synth(200)); }'
    with serving(text, ("-p", f"feature=+http2,{switch}")) as d, H2Client(d.port) as c:
        c.request(1)
        c.send(RST_STREAM, 0, 1, b"\0\0\0\x08")
        wait_equal(lambda: [d.counters[name] for name in ("VERNIS.requests_reset", "MAIN.s_synth")], [ended, answered])
