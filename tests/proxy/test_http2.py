"""Messages over HTTP/2 with prior knowledge and after an upgrade: what a client sends reaches policy and origin
whole, and each answer comes back on its stream, byte by byte."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proxy.daemon import wait_equal, wait_until
from proxy.h2_client import PREFACE, Code, Flag, Session, Setting, Type, block, frame, literal, pseudo, settings
from proxy.h2_world import FIELDS_OF_CONNECTIONS, HTTP2, World, pattern, world
from proxy.origin import Client

MANY = 100


@pytest.fixture(scope="module")
def site() -> Iterator[World]:
    with world() as w:
        yield w


# ---- a session ----


def test_a_session_begins_with_settings_of_both_sides(site: World) -> None:
    with site.session() as c:
        c.wait(lambda: c.settings_acks and c.settings_seen, "settings and their acknowledgement")
        assert c.frames[0].kind == Type.SETTINGS and not c.frames[0].flags
        assert c.peer == {Setting.MAX_CONCURRENT_STREAMS: MANY}     # only what differs from the protocol's default


def test_a_session_may_arrive_byte_by_byte(site: World) -> None:
    with site.session(preface=False) as c:
        stream = c.open()
        data = PREFACE + frame(Type.SETTINGS, 0, 0) + frame(Type.HEADERS, Flag.END_HEADERS, stream, block(pseudo("/pass/echo", "POST")))
        data += frame(Type.DATA, Flag.END_STREAM, stream, b"slowly")
        for byte in data:
            c.send(bytes([byte]))
        assert c.response(stream).body == b"slowly"


def test_a_miss_then_a_hit(site: World) -> None:
    with site.session() as c:
        for hits in ("0", "1", "2"):
            r = c.get("/size/1000?hit")
            assert (r.status, r.body, r.get("x-hits"), r.get("content-length")) == (200, pattern(1000), hits, "1000")
            assert all(name == name.lower() and name not in FIELDS_OF_CONNECTIONS for name, _ in r.head), r.head
            assert [name for name, _ in r.head if name.startswith(":")] == [":status"] and r.head[0][0] == ":status"
            assert len(r.get("x-varnish").split()) == (1 if hits == "0" else 2)
    assert site.origin.count("/size/1000?hit") == 1


def test_the_policy_sees_the_protocol(site: World) -> None:
    with site.session() as c:
        assert c.get("/info").get("x-info") == "HTTP/2.0 HTTP/2 example.com GET"
        assert c.get("/info", "DELETE", authority="b:81").get("x-info") == "HTTP/2.0 HTTP/2 b:81 DELETE"
    with Client(site.daemon.port_cached) as h1:
        assert h1.request("/info").get("X-Info") == "HTTP/1.1 HTTP/1 example.com GET"


def test_the_origin_gets_http_1_1(site: World) -> None:
    with site.session() as c:
        c.get("/pass/wire", fields=[("x-one", "1"), ("cookie", "a=b"), ("te", "trailers"), ("cookie", "c=d")], authority="c.example")
    seen = site.origin.seen("/pass/wire")[0]
    assert (seen.proto, seen.headers["host"], seen.headers["x-one"], seen.headers["cookie"]) == ("HTTP/1.1", "c.example", "1", "a=b; c=d")
    assert not [name for name in seen.headers if name.startswith(":")]


def test_a_host_field_stands_for_a_missing_authority(site: World) -> None:
    with site.session() as c:
        stream = c.open()
        c.headers(stream, block([(":method", "GET"), (":scheme", "http"), (":path", "/info"), ("host", "only.host")]))
        assert c.response(stream).get("x-info") == "HTTP/2.0 HTTP/2 only.host GET"


def test_hits_are_shared_with_http_1(site: World) -> None:
    with site.session() as c, Client(site.daemon.port_cached) as h1:
        assert c.get("/size/3000?shared").body == pattern(3000)
        assert h1.request("/size/3000?shared").get("X-Hits") == "1"


# ---- bodies ----


@pytest.mark.parametrize("n", [0, 1, 16_383, 16_384, 16_385, 65_535, 65_536, 1_000_000])
@pytest.mark.parametrize("target", ["/size/%d", "/pass/size/%d"])
def test_bodies_come_whole(site: World, n: int, target: str) -> None:
    with site.session() as c:
        for _ in "12":
            r = c.get(target % n)
            assert (r.status, r.body == pattern(n), r.get("content-length")) == (200, True, str(n))
            assert all(len(f.payload) <= 16_384 for f in r.frames)


@pytest.mark.parametrize("target", ["/chunks/50000", "/pass/chunks/50000"])
def test_a_body_of_unknown_length_comes_whole(site: World, target: str) -> None:
    with site.session() as c:
        r = c.get(target)
        assert (r.status, r.body == pattern(50_000), r.get("transfer-encoding")) == (200, True, None)


@pytest.mark.parametrize("n", [1, 16_384, 65_535, 65_536, 300_000])
@pytest.mark.parametrize("with_length", [True, False], ids=["length", "no-length"])
@pytest.mark.parametrize("target", ["/pass/echo", "/kept/echo", "/echo"])
def test_request_bodies_reach_the_origin(site: World, n: int, with_length: bool, target: str) -> None:
    with site.session() as c:
        r = c.get(target, "POST", [("content-length", str(n))] if with_length else [], body=pattern(n))
        assert (r.status, r.body == pattern(n), r.get("x-method")) == (200, True, "POST")
        seen = site.origin.seen(target)[-1]
        assert ("chunked" in seen.headers.get("transfer-encoding", "")) != ("content-length" in seen.headers)


@pytest.mark.parametrize("pad", [0, 1, 255])
def test_padding_is_no_content(site: World, pad: int) -> None:
    with site.session() as c:
        stream = c.request("/pass/echo", "POST", end=False)
        c.send_body(stream, pattern(100_000), pad=pad, most=3000)
        assert c.response(stream).body == pattern(100_000)


def test_many_small_pieces_are_one_body(site: World) -> None:
    with site.session() as c:
        stream = c.request("/pass/echo", "POST", end=False)
        c.send_body(stream, pattern(2000), most=1)
        assert c.response(stream).body == pattern(2000)


def test_an_empty_last_frame_ends_the_body(site: World) -> None:
    with site.session() as c:
        stream = c.request("/pass/echo", "POST", end=False)
        c.send_body(stream, b"all", end=False)
        c.send_body(stream, b"")
        assert c.response(stream).body == b"all"


def test_a_cut_response_resets_its_stream_only(site: World) -> None:
    with site.session() as c:
        cut = c.request("/pass/cut")
        other = c.request("/size/5000?other")
        c.wait(lambda: c.answers[cut].body, "the first bytes")
        site.script.go_on.set()
        r = c.response(cut)
        assert r.reset is not None and not r.ended and r.body == pattern(1000)
        site.script.go_on.clear()
        assert c.response(other).body == pattern(5000)


# ---- kinds of messages ----


def test_head_has_no_content(site: World) -> None:
    with site.session() as c:
        r = c.get("/size/777", "HEAD")
        assert (r.status, r.get("content-length"), r.body) == (200, "777", b"")
        assert c.get("/size/777").body == pattern(777)


def test_ranges_and_conditions(site: World) -> None:
    with site.session() as c:
        assert c.get("/size/5000").body == pattern(5000)
        r = c.get("/size/5000", fields=[("range", "bytes=1000-1999")])
        assert (r.status, r.body == pattern(1000, 1000), r.get("content-range")) == (206, True, "bytes 1000-1999/5000")
        r = c.get("/size/5000", fields=[("if-none-match", '"5000"')])
        assert (r.status, r.body, r.get("content-length")) == (304, b"", None)


@pytest.mark.parametrize("status", [204, 304])
def test_a_status_without_content(site: World, status: int) -> None:
    with site.session() as c:
        r = c.get(f"/pass/empty/{status}")
        assert (r.status, r.body, r.ended) == (status, b"", True)


def test_interim_responses_come_as_blocks_of_their_own(site: World) -> None:
    with site.session() as c:
        r = c.get("/pass/hints")
        assert r.interim == [[(":status", "103"), ("link", "</a.css>")]]
        assert (r.status, r.body) == (200, b"hi")


def test_a_client_that_expects_100_gets_it_as_a_block(site: World) -> None:
    with site.session() as c:
        stream = c.request("/pass/echo", "POST", [("expect", "100-continue"), ("content-length", "5")], end=False)
        answer = c.answers[stream]
        c.wait(lambda: answer.interim, "100 Continue")
        assert answer.interim == [[(":status", "100")]]
        c.send_body(stream, b"hello")
        assert c.response(stream).body == b"hello"


def test_connection_fields_of_an_origin_stay_there(site: World) -> None:
    with site.session() as c:
        for _ in "12":
            names = {name for name, _ in c.get("/hop").head}
            assert "x-kept" in names and not names & {*FIELDS_OF_CONNECTIONS, "x-named"}


def test_trailers_of_a_request_end_it_and_go_no_further(site: World) -> None:
    with site.session() as c:
        stream = c.request("/pass/echo", "POST", end=False)
        c.send_body(stream, b"before", end=False)
        c.headers(stream, block([("x-late", "1"), ("content-length", "99")]))
        assert c.response(stream).body == b"before"
    assert "x-late" not in site.origin.seen("/pass/echo")[-1].headers


def test_trailers_of_a_response_come_with_rfc9111() -> None:
    with world((*HTTP2, "-p", "feature=+rfc9111")) as w, w.session() as c:
        for _ in "12":
            r = c.get("/trailers", fields=[("te", "trailers")])
            assert (r.body, r.trailers, r.ended) == (b"hello", [("x-sum", "7")], True)
            assert c.get("/trailers").trailers == []


def test_a_large_request_head_in_continuations(site: World) -> None:
    with site.session() as c:
        fields = [(f"x-{i}", "v" * 700) for i in range(25)]
        for pieces in (1, 2, 5, 8):
            assert c.get("/pass/large", fields=fields).status == 200
            stream = c.request("/pass/large", fields=fields, pieces=pieces)
            assert c.response(stream).status == 200
        seen = site.origin.seen("/pass/large")
        assert len(seen) == 8 and all(s.headers["x-24"] == "v" * 700 for s in seen)


def test_a_header_block_may_be_cut_anywhere(site: World) -> None:
    data = block([*pseudo("/info"), ("x-a", "b")])
    with site.session() as c:
        for cut in range(len(data) + 1):
            stream = c.open()
            c.send(frame(Type.HEADERS, Flag.END_STREAM, stream, data[:cut]) + frame(Type.CONTINUATION, Flag.END_HEADERS, stream, data[cut:]))
            assert c.response(stream).status == 200


def test_a_large_response_head_comes_in_continuations(site: World) -> None:
    with site.session() as c:
        for _ in "12":
            r = c.get("/head/6")
            assert (r.status, r.body, sum(len(v) for n, v in r.head if n.startswith("x-long"))) == (200, b"head", 24_000)
            kinds = [f.kind for f in r.frames]
            assert kinds[:2] == [Type.HEADERS, Type.CONTINUATION] and all(len(f.payload) <= 16_384 for f in r.frames)


def test_an_encoder_that_uses_all_of_hpack_is_understood(site: World) -> None:
    with site.session() as c:
        for i in range(300):
            fields = [("x-same", "same" * 20), (f"x-{i % 7}", str(i)), ("authorization", "secret")]
            assert c.get("/info", fields=fields).status == 200
            if i % 50 == 49:
                c.encoder.header_table_size = (0, 100, 4096)[i // 50 % 3]


@pytest.mark.parametrize("form", [b"\0", b"\x10", b"\x40"], ids=["not-indexed", "never-indexed", "indexed"])
def test_each_form_of_a_literal(site: World, form: bytes) -> None:
    with site.session() as c:
        for i in range(3):
            stream = c.open()
            c.headers(stream, block(pseudo("/pass/form")) + form + literal("x-form", str(i))[1:])
            assert c.response(stream).status == 200
            assert site.origin.seen("/pass/form")[-1].headers["x-form"] == str(i)


def test_pipe_is_pass(site: World) -> None:
    with site.session() as c:
        r = c.get("/pipe/it", "POST", body=b"1234")
        assert (r.status, r.body) == (200, b"page /pipe/it")
        assert c.get("/info").status == 200


def test_a_policy_that_fails_answers_503(site: World) -> None:
    with site.session() as c:
        assert c.get("/fail").status == 503
        stream = c.request("/fail", "POST", end=False)
        assert c.response(stream).status == 503
        assert c.get("/info").status == 200


def test_connection_close_of_a_policy_becomes_goaway(site: World) -> None:
    with site.session() as c:
        other, stream = c.request("/pass/slow"), c.request("/pass/close")
        assert c.response(stream).body == b"page /pass/close"
        c.wait(lambda: c.goaway, "GOAWAY")
        assert c.goaway.code == Code.NO_ERROR and c.goaway.last >= stream
        site.script.go_on.set()
        assert c.response(other).body == b"slow"
        assert c.end().code == Code.NO_ERROR
        site.script.go_on.clear()


# ---- several streams ----


def test_100_streams_at_once(site: World) -> None:
    with site.session() as c:
        c.wait(lambda: c.settings_seen, "settings")
        for round_ in range(3):
            sizes = [(i * 37) % 2000 if i % 10 else 100_000 + i for i in range(MANY)]
            streams = [c.request(f"/size/{n}?{round_}") for n in sizes]
            for n, stream in zip(sizes, streams, strict=True):
                r = c.response(stream)
                assert (r.status, r.body == pattern(n)) == (200, True), (n, r.status, len(r.body), r.reset)


def test_streams_do_not_wait_for_each_other(site: World) -> None:
    with site.session() as c:
        slow, half, quick = c.request("/pass/slow"), c.request("/pass/halves"), c.request("/size/100")
        assert c.response(quick).body == pattern(100)
        c.wait(lambda: len(c.answers[half].body) == 100_000, "the first half")
        site.script.go_on.set()
        assert c.response(slow).body == b"slow"
        assert c.response(half).body == pattern(100_000) * 2
        site.script.go_on.clear()


def test_streams_beyond_the_limit_are_refused_and_may_come_again() -> None:
    with world((*HTTP2, "-p", "h2_max_concurrent_streams=3")) as w, w.session() as c:
        c.wait(lambda: c.settings_seen, "settings")
        assert c.peer[Setting.MAX_CONCURRENT_STREAMS] == 3
        waiting = [c.request("/pass/slow") for _ in range(3)]
        assert c.response(c.request("/size/1")).reset == Code.REFUSED_STREAM
        w.script.go_on.set()
        assert [c.response(s).body for s in waiting] == [b"slow"] * 3
        assert c.get("/size/1").body == pattern(1)


def test_streams_of_one_waiting_list(site: World) -> None:
    with site.session() as c:
        streams = [c.request("/slow/list") for _ in range(10)]
        wait_until(lambda: site.origin.count("/slow/list") == 1, "one fetch")
        site.script.go_on.set()
        assert [c.response(s).body for s in streams] == [b"slow"] * 10 and site.origin.count("/slow/list") == 1
        site.script.go_on.clear()


# ---- upgrade of HTTP/1.1 ----

HEAD = b"GET /size/1234 HTTP/1.1\r\nHost: up\r\n"


def test_an_upgraded_session(site: World) -> None:
    with Session.upgraded(site.daemon.port_cached, HEAD, {Setting.INITIAL_WINDOW_SIZE: 1_000_000}) as c:
        assert c.response(1).body == pattern(1234)
        assert c.get("/info").get("x-info") == "HTTP/2.0 HTTP/2 example.com GET"


def test_an_upgrade_of_head(site: World) -> None:
    with Session.upgraded(site.daemon.port_cached, HEAD.replace(b"GET", b"HEAD"), {Setting.ENABLE_PUSH: 0}) as c:
        r = c.response(1)
        assert (r.status, r.get("content-length"), r.body) == (200, "1234", b"")


def test_settings_of_an_upgrade_hold_for_its_answer(site: World) -> None:
    with Session.upgraded(site.daemon.port_cached, HEAD, {Setting.INITIAL_WINDOW_SIZE: 1000}) as c:
        c.gives_windows = False
        c.wait(lambda: len(c.answers[1].body) == 1000, "a full window")
        c.ping()
        assert len(c.answers[1].body) == 1000
        c.update(1, 234)
        assert c.response(1).body == pattern(1234)


@pytest.mark.parametrize("head", [
    b"POST /pass/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    b"HTTP2-Settings: AAMAAABk\r\n\r\nbody",
    b"GET /pass/echo HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"GET /pass/echo HTTP/1.1\r\nHost: a\r\n\r\n"], ids=["body", "websocket", "none"])
def test_what_is_not_upgraded(site: World, head: bytes) -> None:
    with Client(site.daemon.port_cached) as c:
        c.send(head)
        assert c.response().status == 200
        assert c.request("/info").get("X-Info") == "HTTP/1.1 HTTP/1 example.com GET"


# ---- the feature bit ----


def test_the_feature_is_switched_at_run_time() -> None:
    with world(("-p", "loops=1")) as w:
        up = HEAD + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n"
        with Client(w.daemon.port_cached) as c:
            c.send(up)
            assert c.response().status == 200           # as if there were no field Upgrade
        with w.session() as c:
            c.end()
            assert not c.answers
        w.daemon.ok("param.set feature +http2")
        with w.session() as c:
            assert c.get("/size/10").body == pattern(10)
            w.daemon.ok("param.set feature -http2")
            with w.session() as refused:
                refused.end()
                assert not refused.answers
            assert c.get("/size/10").body == pattern(10)        # a session stays what it is


def test_counters_of_a_session() -> None:
    with world() as w:
        with w.session() as c:
            c.wait(lambda: c.settings_seen, "settings")
            assert [c.get("/size/10").status for _ in range(5)] == [200] * 5
            counters = w.daemon.counters
            assert (counters["MAIN.sess_conn"], counters["MAIN.s_sess"]) == (1, 1)
            assert (counters["H2.sessions"], counters["H2.sessions_live"], counters["H2.streams"]) == (1, 1, 5)
            assert (counters["MAIN.client_req"], counters["MAIN.cache_hit"], counters["MAIN.cache_miss"]) == (5, 4, 1)
        wait_equal(lambda: w.daemon.counters["H2.sessions_live"], 0)


def test_settings_may_change_while_streams_are_open(site: World) -> None:
    with site.session(values={Setting.INITIAL_WINDOW_SIZE: 0}, gives_windows=False) as c:
        stream = c.request("/size/3000")
        c.wait(lambda: c.answers[stream].head, "the head")
        c.ping()
        assert c.answers[stream].body == b""
        c.send_frame(Type.SETTINGS, 0, 0, settings({Setting.INITIAL_WINDOW_SIZE: 2000}))
        c.wait(lambda: len(c.answers[stream].body) == 2000, "what the window allows")
        c.send_frame(Type.SETTINGS, 0, 0, settings({Setting.INITIAL_WINDOW_SIZE: 1000}))      # now it is -1000
        c.update(stream, 1000)
        c.ping()
        assert len(c.answers[stream].body) == 2000
        c.update(stream, 1000)
        assert c.response(stream).body == pattern(3000)
