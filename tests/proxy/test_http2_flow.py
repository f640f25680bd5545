"""Windows, resets, PING and GOAWAY: what a client of HTTP/2 does between the frames of its messages. Each stream
ends alone, and gives back its place and its memory."""

from __future__ import annotations

import random
import select
import struct
import time
from collections.abc import Callable, Iterator

import pytest

from proxy.daemon import wait_equal, wait_until
from proxy.h2_client import WINDOW, Code, Flag, Session, Setting, Type, block, frame, pseudo, settings
from proxy.h2_world import HTTP2, World, pattern, world
from proxy.origin import Client

MANY = 100


@pytest.fixture(scope="module")
def site() -> Iterator[World]:
    with world() as w:
        yield w


# ---- windows of responses --------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["/size/300", "/pass/size/300", "/chunks/300"])
def test_a_response_byte_by_byte(site: World, target: str) -> None:
    with site.session(values={Setting.INITIAL_WINDOW_SIZE: 0}, gives_windows=False) as c:
        stream = c.request(target)
        answer = c.answers[stream]
        c.wait(lambda: answer.head, "the head, which no window holds back")
        for n in range(1, 301):
            c.update(stream, 1)
            c.wait(lambda n=n: len(answer.body) >= n, f"byte {n}")      # type: ignore[misc]
            assert len(answer.body) == n
        c.wait(lambda: answer.ended, "the end, which needs no window")
        assert answer.body == pattern(300)


def test_a_window_of_the_connection_is_shared(site: World) -> None:
    with site.session(values={Setting.INITIAL_WINDOW_SIZE: 1 << 20}, gives_windows=False) as c:
        streams = [c.request(f"/size/{n}") for n in (40_000, 50_000, 60_000)]

        def got() -> int:
            return sum(len(c.answers[s].body) for s in streams)
        c.wait(lambda: got() == WINDOW, "a full window")
        c.ping()
        assert got() == WINDOW
        while not all(c.answers[s].over for s in streams):
            before = got()
            c.update(0, 10_000)
            c.wait(lambda before=before: got() >= min(before + 10_000, 150_000), "what the window allows")  # type: ignore[misc]
            assert got() <= before + 10_000
            if got() == 150_000:
                c.wait(lambda: all(c.answers[s].over for s in streams), "the ends")
        assert [c.answers[s].body == pattern(n) for s, n in zip(streams, (40_000, 50_000, 60_000), strict=True)] == [True] * 3


def test_windows_at_random(site: World) -> None:
    rng = random.Random(20261130)
    sizes = [rng.randrange(1, 100_000) for _ in range(20)]
    with site.session(values={Setting.INITIAL_WINDOW_SIZE: 1000, Setting.MAX_FRAME_SIZE: 20_000}, gives_windows=False) as c:
        streams = [c.request(f"/size/{n}") for n in sizes]
        c.update(0, 1 << 24)
        while not all(c.answers[s].over for s in streams):
            c.update(rng.choice([s for s in streams if not c.answers[s].over]), rng.randrange(1, 30_000))
            c.ping()
        for n, s in zip(sizes, streams, strict=True):
            assert c.answers[s].body == pattern(n)


def test_a_stream_without_a_window_holds_no_other_back(site: World) -> None:
    with site.session(values={Setting.INITIAL_WINDOW_SIZE: 0}, gives_windows=False) as c:
        stuck = [c.request("/size/50000") for _ in range(10)]
        free = c.request("/size/20000")
        c.update(free, 20_000)
        assert c.response(free).body == pattern(20_000)
        assert not any(c.answers[s].body for s in stuck)


def test_frames_of_a_client_s_size(site: World) -> None:
    with site.session(values={Setting.INITIAL_WINDOW_SIZE: 1 << 20, Setting.MAX_FRAME_SIZE: 100_000}) as c:
        c.update(0, 1 << 20)
        r = c.get("/size/300000")
        assert r.body == pattern(300_000) and all(len(f.payload) <= 100_000 for f in r.frames)


def test_a_client_that_never_reads_is_cut() -> None:
    with world((*HTTP2, "-p", "idle_send_timeout=1", "-p", "send_timeout=2")) as w:
        with w.session(values={Setting.INITIAL_WINDOW_SIZE: 0}, gives_windows=False) as c:
            stream = c.request("/size/50000")
            c.wait(lambda: c.answers[stream].reset is not None, "the reset of a stream whose window stays shut", 20)
            assert c.answers[stream].reset == Code.CANCEL
            assert c.get("/size/0").status == 200
        with w.session(values={Setting.INITIAL_WINDOW_SIZE: 1 << 24}, receive=4096) as c:
            for i in range(30):
                c.request(f"/size/1000000?{i}")
            c.update(0, 1 << 28)
            wait_equal(lambda: w.daemon.counters["MAIN.s_sess"], 2)
            wait_until(lambda: w.daemon.counters["H2.sessions_live"] == 0, "the connection is closed, though its client does not read", 30)


# ---- windows of request bodies -----------------------------------------------------------------------------------


def test_windows_open_as_a_body_is_read(site: World) -> None:
    with site.session() as c:
        stream = c.request("/pass/echo", "POST", end=False)
        assert c.send_body(stream, pattern(400_000)) == 400_000
        r = c.response(stream)
        assert r.body == pattern(400_000)
        grown = sum(int.from_bytes(f.payload, "big") for f in r.frames if f.kind == Type.WINDOW_UPDATE)
        assert grown >= 400_000 - WINDOW


def test_a_body_that_nobody_reads_keeps_its_window(site: World) -> None:
    """The origin does not answer, so nothing is read beyond what buffers take."""
    policy = 'vcl 4.1; backend b { .host = "127.0.0.1"; .port = "%d"; } sub vcl_recv { return (synth(200)); }'
    with world(policy=policy) as w, w.session() as c:
        stream = c.request("/", "POST", end=False)
        r = c.response(stream)
        assert r.status == 200
        c.send_frame(Type.DATA, Flag.END_STREAM, stream, b"late")           # on a stream whose answer has ended
        assert c.get("/").status == 200


def test_unread_bodies_are_counted_for_the_connection(site: World) -> None:
    """A body that is dropped gives its part of the connection's window back: 100 of them do not use it up."""
    with site.session() as c:
        for _ in range(40):
            stream = c.request("/info", "POST", end=False)
            c.wait(lambda: c.window >= 20_000, "a window of the connection")
            c.send_frame(Type.DATA, Flag.END_STREAM, stream, bytes(16_000))
            c.window -= 16_000
            assert c.response(stream).status == 200


def test_padding_is_given_back(site: World) -> None:
    with site.session() as c:
        stream = c.request("/pass/echo", "POST", end=False)
        answer = c.answers[stream]
        for _ in range(600):                            # 150 KB of padding with one byte of content each
            c.wait(lambda: min(c.window, answer.window) >= 257, "a window")
            c.send_frame(Type.DATA, Flag.PADDED, stream, b"\xff" + b"x" + bytes(255))
            c.window, answer.window = c.window - 257, answer.window - 257
        c.send_body(stream, b"end")
        assert c.response(stream).body == b"x" * 600 + b"end"


def test_more_than_the_window_is_an_error(site: World) -> None:
    with site.session() as c:
        c.wait(lambda: c.settings_seen, "settings")
        c.request("/slow/window")
        wait_until(lambda: site.origin.count("/slow/window") == 1, "a fetch")
        waiting = c.request("/slow/window", "POST", end=False)              # nobody reads its body
        for _ in range(5):
            c.send_frame(Type.DATA, 0, waiting, bytes(16_384))
        c.wait(lambda: c.goaway or c.answers[waiting].reset is not None, "an error")
        assert (c.goaway.code if c.goaway else c.answers[waiting].reset) == Code.FLOW_CONTROL_ERROR


# ---- resets of the client ------------------------------------------------------------------------------------------


def after_head(c: Session) -> int:
    return c.request("/pass/echo", "POST", end=False)


def within_body(c: Session) -> int:
    stream = c.request("/pass/echo", "POST", [("content-length", "50000")], end=False)
    c.send_body(stream, pattern(20_000), end=False)
    return stream


def waits_for_origin(c: Session) -> int:
    return c.request("/pass/slow")


def waits_for_another(c: Session) -> int:
    return c.request("/slow/shared")


def has_head(c: Session) -> int:
    stream = c.request("/pass/halves")
    c.wait(lambda: c.answers[stream].head or c.answers[stream].over, "the head")
    return stream


def within_answer(c: Session) -> int:
    stream = c.request("/size/1000000")
    c.wait(lambda: len(c.answers[stream].body) > 100_000 or c.answers[stream].over, "a part of the body")
    return stream


def at_the_end(c: Session) -> int:
    stream = c.request("/size/10")
    c.response(stream)
    return stream


def at_once(c: Session) -> int:
    return c.request("/size/77")


STEPS: list[Callable[[Session], int]] = [after_head, within_body, waits_for_origin, waits_for_another, has_head, within_answer, at_the_end, at_once]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("code", [Code.CANCEL, Code.NO_ERROR, 0xdead])
def test_a_reset_ends_its_stream_only(site: World, step: Callable[[Session], int], code: int) -> None:
    with site.session() as c:
        other = c.request("/pass/echo", "POST", end=False)
        for _ in range(3):
            c.reset(step(c), code)
        c.send_body(other, b"other")
        assert c.response(other).body == b"other"
        assert c.get("/size/10").body == pattern(10)
        assert c.goaway is None


@pytest.mark.parametrize("step", STEPS)
def test_a_reset_stream_gives_its_place_back(step: Callable[[Session], int]) -> None:
    with world((*HTTP2, "-p", "h2_max_concurrent_streams=3", "-p", "h2_rapid_reset_limit=0")) as w, w.session() as c:
        c.wait(lambda: c.settings_seen, "settings")
        w.script.go_on.set()            # a request that waits for its origin keeps its place until then
        for _ in range(20):
            c.reset(step(c))

        def served() -> bool:
            r = c.get("/size/10")
            assert r.body == pattern(10) or r.reset == Code.REFUSED_STREAM
            return r.status == 200
        wait_until(served, "a free place")
        wait_equal(lambda: w.daemon.counters["VERNIS.req_live"], 0)
        assert c.get("/size/10").body == pattern(10)


def test_a_client_that_leaves_ends_all_its_streams() -> None:
    with world() as w:
        for step in STEPS:
            with w.session() as c:
                for _ in range(5):
                    step(c)
        w.script.go_on.set()
        wait_equal(lambda: [w.daemon.counters[name] for name in ("VERNIS.req_live", "H2.sessions_live")], [0, 0])
        with w.session() as c:
            assert c.get("/size/10").body == pattern(10)


def test_a_frame_on_a_reset_stream_is_no_error(site: World) -> None:
    """DATA, WINDOW_UPDATE and trailers may be under way when we reset a stream."""
    with site.session() as c:
        stream = c.request("/fail", "POST", end=False)
        r = c.response(stream)
        assert r.reset is not None or r.ended
        answers = len(r.frames)
        c.send(frame(Type.DATA, 0, stream, b"late") + frame(Type.WINDOW_UPDATE, 0, stream, struct.pack(">I", 5)))
        c.ping()
        late = r.frames[answers:]
        assert all(f.kind in (Type.RST_STREAM, Type.WINDOW_UPDATE) for f in late) and c.goaway is None


# ---- PING, GOAWAY, SETTINGS ----------------------------------------------------------------------------------------


def test_ping_is_answered_between_data(site: World) -> None:
    with site.session() as c:
        stream = c.request("/size/1000000")
        for i in range(50):
            c.ping(struct.pack(">Q", i))
        assert c.pings == [struct.pack(">Q", i) for i in range(50)]
        assert c.response(stream).body == pattern(1_000_000)


def test_goaway_of_the_client_ends_the_session_after_its_streams(site: World) -> None:
    with site.session() as c:
        stream = c.request("/pass/halves")
        c.send_frame(Type.GOAWAY, 0, 0, struct.pack(">II", 0, 0) + b"bye")
        c.wait(lambda: len(c.answers[stream].body) == 100_000, "the first half")
        site.script.go_on.set()
        assert c.response(stream).body == pattern(100_000) * 2
        c.end(10)
        site.script.go_on.clear()


def test_goaway_without_streams_ends_the_session(site: World) -> None:
    with site.session() as c:
        assert c.get("/size/10").status == 200
        c.send_frame(Type.GOAWAY, 0, 0, struct.pack(">II", 0, 0))
        c.end(10)


def test_settings_are_acknowledged_in_order(site: World) -> None:
    with site.session() as c:
        for i in range(20):
            c.send_frame(Type.SETTINGS, 0, 0, settings({Setting.INITIAL_WINDOW_SIZE: 1000 + i}))
        c.ping()
        c.wait(lambda: c.settings_acks == 21, "acknowledgements")


def test_an_idle_session_ends_after_timeout_idle() -> None:
    with world((*HTTP2, "-p", "timeout_idle=1")) as w, w.session() as c:
        stream = c.request("/pass/slow")
        time.sleep(2.5)
        w.script.go_on.set()
        assert c.response(stream).body == b"slow", "a session with a stream is not idle"
        goaway = c.end(20)
        assert goaway is None or goaway.code == Code.NO_ERROR


def test_a_part_of_a_frame_keeps_no_session() -> None:
    with world((*HTTP2, "-p", "timeout_idle=1")) as w, w.session() as c:
        c.wait(lambda: c.settings_seen, "settings")
        c.sock.sendall((1000).to_bytes(3, "big") + bytes([0xfe, 0]) + bytes(4))         # of an unknown type
        sent = 0
        while sent < 500 and not select.select([c.sock], [], [], 0.02)[0]:
            sent += c.sock.send(b"x")
        assert sent < 500, "it ends while the client sends"
        goaway = c.end(20)
        assert goaway is not None and goaway.code == Code.NO_ERROR


def test_a_head_that_never_ends_is_given_up() -> None:
    with world((*HTTP2, "-p", "timeout_req=1")) as w, w.session() as c:
        c.wait(lambda: c.settings_seen, "settings")
        c.send_frame(Type.HEADERS, Flag.END_STREAM, 1, block(pseudo("/size/10")))
        c.end(20)


# ---- many sessions ---------------------------------------------------------------------------------------------------


def test_sessions_of_both_protocols_beside_each_other(site: World) -> None:
    sessions = [site.session() for _ in range(30)]
    plain = [Client(site.daemon.port_cached) for _ in range(10)]
    try:
        for round_ in range(5):
            asked = [(c, n, c.request(f"/size/{n}")) for c in sessions for n in (0, 100, 20_000 + round_)]
            for h1 in plain:
                assert h1.request("/size/20000").body == pattern(20_000)
            for c, n, stream in asked:
                assert c.response(stream).body == pattern(n)
    finally:
        for c in [*sessions, *plain]:
            c.__exit__()
