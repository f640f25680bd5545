"""Partial objects (docs/partial-objects.md): which parts of a large object are fetched and kept. No response
mixes two versions."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import pytest

from proxy.daemon import ROOT, Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request, Response, fetch
from proxy.range_origin import SEGMENT, RangeOrigin, held, in_two
from proxy.serve import serving

ARGS = ("-p", "partial_objects=on", "-p", f"partial_segment_size={SEGMENT}b")
POLICY = """vcl 4.1; import std;
    backend default { .host = "127.0.0.1"; .port = "%d"; }
    sub vcl_recv {
        if (req.method == "PURGE") { return (purge); }
        if (req.url ~ "^/pass") { return (pass); }
        if (req.http.X-Seconds) { set req.ttl = std.duration(req.http.X-Seconds, 0s); }
    }
    sub vcl_backend_fetch { set bereq.http.X-Asked = bereq.http.Range; set bereq.http.Authorization = bereq.http.X-Authorization; }
    sub vcl_backend_response {
        set beresp.http.X-Seen = beresp.status + " " + beresp.http.Content-Length + " " + bereq.http.Range;
        if (beresp.http.Content-Range) { set beresp.http.X-Seen = "range"; }
        set beresp.do_gzip = bereq.url ~ "^/do_gzip";
        set beresp.do_gunzip = bereq.url ~ "^/do_gunzip";
        set beresp.do_esi = bereq.url ~ "^/do_esi";
        set beresp.do_stream = bereq.url !~ "^/do_not_stream";
        if (bereq.url ~ "^/filters") { set beresp.filters = ""; }
        if (bereq.url ~ "^/error") { return (error(555, "No")); }
        if (bereq.url ~ "^/retry" && bereq.retries == 0) { return (retry); }
        if (bereq.url ~ "^/hit-for-pass") { return (pass(10s)); }
        if (bereq.url ~ "^/keep") { set beresp.ttl = 0.1s; set beresp.grace = 0s; set beresp.keep = 1000s; }
    }
    sub vcl_deliver {
        if (req.url ~ "^/restart" && req.restarts == 0) { return (restart); }
        set resp.http.X-Hits = obj.hits; set resp.http.X-Status = resp.status;
    }
"""
numbers = count()


class Setting:
    """A daemon in front of a RangeOrigin for one test, with the test's own URL."""

    def __init__(self, origin: Origin, daemon: Daemon, script: RangeOrigin) -> None:
        self.origin, self.daemon = origin, daemon
        self.script = origin.handler = script
        self.url = f"/x{next(numbers)}"

    def get(self, range: str | None = None, method: str = "GET", **fields: str) -> Response:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if range is not None:
            headers["Range"] = f"bytes={range}"
        return fetch(self.daemon.port_cached, self.url, method=method, headers=headers)

    def part(self, first: int, last: int, **fields: str) -> Response:
        """The client gets exactly these bytes."""
        r = self.get(f"{first}-{last}", **fields)
        assert (r.status, r.get("Content-Range")) == (206, f"bytes {first}-{last}/{self.script.total}")
        assert r.body == self.script.body[first:last + 1] and r.get("X-Status") == "200"
        return r

    def whole(self) -> None:
        r = self.get()
        assert r.status == 200 and r.body == self.script.body and r.get("Content-Range") is None

    def asked(self) -> list[str | None]:
        return [request.headers.get("range") for request in self.origin.seen(self.url)]

    def counters(self) -> dict[str, int]:
        told = subprocess.run([ROOT / "build" / "bin" / "vernis", "stat", "-n", self.daemon.workdir, "--json"], check=True,
                              capture_output=True, text=True)
        return {name: row["value"] for name, row in json.loads(told.stdout)["counters"].items()}

    def counters_of(self, names: Iterable[str]) -> dict[str, int]:
        """Counters of the worker as they are now: Varnish's are in MAIN, ours in VERNIS."""
        now = self.daemon.counters
        return {name: now.get(f"MAIN.{name}", now.get(f"VERNIS.{name}", -1)) for name in names}

    @contextmanager
    def counting(self, **expected: int) -> Iterator[None]:
        """These counters increase by these amounts."""
        before = self.counters_of(expected)
        yield
        after = {name: before[name] + by for name, by in expected.items()}
        wait_equal(lambda: self.counters_of(expected), after, f"{expected}")


@contextmanager
def setting(*args: str) -> Iterator[tuple[Origin, Daemon]]:
    with Origin(RangeOrigin()) as origin, serving(POLICY % origin.port, (*ARGS, *args)) as daemon:
        assert daemon.port_cached                   # read before threads need it
        yield origin, daemon


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[Origin, Daemon]]:
    with setting("-p", "loops=1") as s:
        yield s


@pytest.fixture
def s(shared: tuple[Origin, Daemon]) -> Setting:
    return Setting(*shared, RangeOrigin())


# ---- fetched and stored segments ----


def test_a_range_fetches_the_segments_it_needs_and_later_ones_the_holes(s: Setting) -> None:
    with s.counting(partial_stored=1, partial_fetch=3):
        s.part(5000, 9000)
        assert s.asked() == ["bytes=4096-12287"]
        s.part(4096, 12287)
        assert len(s.asked()) == 1                  # the segments contain all of it
        s.part(0, 13000)
        assert s.asked()[1:] == ["bytes=0-4095", "bytes=12288-16383"]
        assert [r.headers.get("if-range") for r in s.origin.seen(s.url)] == [None, '"v1"', '"v1"']
        s.whole()
        assert s.asked()[3:] == [f"bytes=16384-{s.script.total - 1}"]
        s.whole()
        s.part(1, s.script.total - 1)
        assert len(s.asked()) == 4


def test_without_the_feature_a_range_fetches_the_whole_content(s: Setting) -> None:
    s.daemon.ok("param.set partial_objects off")
    try:
        s.part(5000, 9000)
        s.part(0, 1)
        assert s.asked() == [None]
    finally:
        s.daemon.ok("param.set partial_objects on")


def test_the_size_of_segments_is_a_parameter(s: Setting) -> None:
    s.daemon.ok("param.set partial_segment_size 8k")
    try:
        s.part(5000, 5001)
    finally:
        s.daemon.ok(f"param.set partial_segment_size {SEGMENT}b")
    s.part(8192, 8193)                              # the stored object keeps its segment size
    assert s.asked() == ["bytes=0-8191", "bytes=8192-16383"]


@pytest.mark.parametrize(("range", "first", "last", "sent"), [
    ("20000-", 20000, -1, "bytes=16384-"),
    ("-100", -100, -1, f"bytes=-{100 + SEGMENT - 1}"),
    ("-9000", -9000, -1, f"bytes=-{9000 + SEGMENT - 1}"),
    ("8192-99999999", 8192, -1, "bytes=8192-100003839"),
])
def test_ranges_open_at_one_end(s: Setting, range: str, first: int, last: int, sent: str) -> None:
    total = s.script.total
    first, last = first % total, last % total
    for _ in "12":
        r = s.get(range)
        assert (r.status, r.get("Content-Range")) == (206, f"bytes {first}-{last}/{total}")
        assert r.body == s.script.body[first:last + 1]
    assert s.asked() == [sent]
    s.whole()


@pytest.mark.parametrize(("range", "status"), [("0-", 206), ("0-1,8192-8193", 200), ("5-1", 416), ("lines", 416), ("-0", 416)])
def test_other_ranges_fetch_the_whole_content(s: Setting, range: str, status: int) -> None:
    assert s.get(range).status == status
    assert s.asked() == [None]


def test_several_ranges_of_a_partial_object_give_the_whole_content(s: Setting) -> None:
    s.part(5000, 5001)
    r = s.get("0-1,8192-8193")
    assert (r.status, r.body) == (200, s.script.body)


def test_content_of_one_segment_is_stored_as_a_whole(s: Setting) -> None:
    s.script.total, s.script.etag = 3000, False
    with s.counting(partial_stored=0):
        s.part(10, 20)
        s.whole()
    assert s.asked() == ["bytes=0-4095"]


def test_head_and_conditional_requests_fetch_nothing(s: Setting) -> None:
    s.part(0, 10)
    r = s.get(method="HEAD")
    assert (r.status, r.get("Content-Length"), r.body) == (200, str(s.script.total), b"")
    assert s.get(If_None_Match=s.script.tag).status == 304
    r = s.get("99999999-")
    assert (r.status, r.get("Content-Range")) == (416, f"bytes */{s.script.total}")
    s.part(0, 10, If_Range=s.script.tag)
    assert len(s.asked()) == 1
    r = s.get("0-10", If_Range='"other"')
    assert (r.status, r.body) == (200, s.script.body)


@pytest.mark.parametrize("tag", ['"other"', '"v1"'])
def test_a_miss_with_if_range_is_answered_by_the_origin(s: Setting, tag: str) -> None:
    r = s.get("0-10", If_Range=tag)
    assert (r.status, r.body) == ((206, s.script.body[:11]) if tag == s.script.tag else (200, s.script.body))


def test_a_miss_with_another_validator_in_if_range_gets_the_whole_content(s: Setting) -> None:
    s.script.fields["Cache-Control"] = "no-store"
    r = s.get("0-10", If_Range='"other"')
    assert (r.status, r.body) == (200, s.script.body)


def test_a_pass_is_not_changed(s: Setting) -> None:
    s.url = "/pass"
    r = s.get("5000-5001")
    assert (r.status, r.get("Content-Range")) == (206, f"bytes 5000-5001/{s.script.total}")
    assert s.asked() == ["bytes=5000-5001"]


def test_the_policy_sees_the_head_of_the_whole_and_the_requested_range(s: Setting) -> None:
    r = s.get("5000-5001")
    assert r.get("X-Seen") == f"200 {s.script.total} bytes=4096-8191"
    assert s.get("0-1").get("X-Seen") == r.get("X-Seen")    # the policy sees the head of the first response
    assert [x.headers["x-asked"] for x in s.origin.seen(s.url)] == s.asked()


# ---- requests that do not use partial objects ----


@pytest.mark.parametrize("url", ["/do_gzip", "/do_gunzip", "/do_esi", "/do_not_stream", "/filters"])
def test_a_policy_with_body_filters_fetches_the_whole_content(s: Setting, url: str) -> None:
    s.url = url
    assert s.get("5000-5001").status in (200, 206)
    assert s.asked() == ["bytes=4096-8191", None]
    s.get("0-1")
    assert len(s.asked()) == 2


@pytest.mark.parametrize(("url", "asked"), [("/error", 1), ("/retry", 2), ("/hit-for-pass", 1), ("/restart", 1)])
def test_a_policy_may_refuse_retry_or_restart_a_part(s: Setting, url: str, asked: int) -> None:
    s.url = url
    if url == "/error":
        assert s.get("5000-5001").status == 555
    else:
        s.part(5000, 5001)
    assert s.asked() == ["bytes=4096-8191"] * asked
    if url == "/restart":    # the segment is stored before the restart and used after it
        s.part(8192, 8193)


@pytest.mark.parametrize("tag", [None, 'W/"weak"'])
def test_a_part_without_a_strong_validator_is_forwarded_and_not_stored(s: Setting, tag: str | None) -> None:
    s.script.etag = False
    s.script.fields |= {"ETag": tag} if tag else {}
    with s.counting(partial_passed=3, partial_stored=0):
        for first in (5000, 5000, 20000):
            s.part(first, first + 1)
    assert len(s.asked()) == 3
    s.whole()
    s.part(5000, 5001)
    assert len(s.asked()) == 4


@pytest.mark.parametrize(("modified", "stored"), [("09:59:01", 0), ("09:58:00", 1)])
def test_an_old_last_modified_is_a_validator(s: Setting, modified: str, stored: int) -> None:
    s.script.etag = False
    s.script.fields |= {"Date": "Mon, 02 Nov 2026 10:00:00 GMT", "Last-Modified": f"Mon, 02 Nov 2026 {modified} GMT",
                        "Cache-Control": "max-age=99999999"}
    with s.counting(partial_stored=stored, partial_passed=1 - stored):
        s.part(5000, 5001)
    s.part(0, 1)
    if stored:
        assert s.origin.seen(s.url)[1].headers["if-range"] == s.script.fields["Last-Modified"]


@pytest.mark.parametrize("control", ["private", "no-store", "max-age=0"])
def test_an_uncacheable_part_goes_to_its_client_only(s: Setting, control: str) -> None:
    s.script.fields["Cache-Control"] = control
    for first in (5000, 5000, 20000):
        s.part(first, first + 100)
    assert len(s.asked()) == 3


def test_content_with_too_many_segments_is_not_stored(s: Setting) -> None:
    s.daemon.ok("param.set partial_segments_max 5")
    try:
        s.part(5000, 5001)
        s.part(5000, 5001)
        assert len(s.asked()) == 2
    finally:
        s.daemon.ok("param.set partial_segments_max 16384")


# ---- misbehaving origins ----


def test_an_origin_that_ignores_range_is_stored_whole(s: Setting) -> None:
    s.script.ignores = True
    s.part(5000, 5001)
    s.whole()
    assert s.asked() == ["bytes=4096-8191"]


@pytest.mark.parametrize("value", [
    None, "bytes 4096-8191/*", "bytes 0-4095/41960", "bytes 4096-8190/41960", "bytes 4096-8192/41960", "bytes 4096-8191/4097", "nonsense",
    "bytes 4096-8191/99999999999999999999999", "bytes 8191-4096/41960",
])
def test_a_wrong_content_range_is_refused(s: Setting, value: str | None) -> None:
    def twist(reply: Reply, request: Request) -> Reply:
        del reply.headers["Content-Range"]
        reply.headers |= {} if value is None else {"Content-Range": value}
        return reply
    s.script.twist = twist
    s.part(5000, 5001)
    s.whole()
    assert s.asked() == ["bytes=4096-8191", None]


@pytest.mark.parametrize("lie", ["bytes 4096-8191/41961", "bytes 0-4095/41960", "bytes 4096-8190/41960", None])
def test_a_hole_is_filled_with_the_requested_range_only(s: Setting, lie: str | None) -> None:
    s.part(0, 10)
    def twist(reply: Reply, request: Request) -> Reply:
        if request.headers["range"] == "bytes=4096-8191":
            reply.headers["Content-Range"] = lie or ""
            reply.body = bytes(4096)
        return reply
    s.script.twist = twist
    s.part(4000, 5000)                              # the object is dropped, and a new one made
    assert s.asked() == ["bytes=0-4095", "bytes=4096-8191", "bytes=0-8191"]


def test_a_416_causes_a_fetch_of_the_whole_content(s: Setting) -> None:
    r = s.get("50000-50001")
    assert (r.status, r.get("Content-Range")) == (416, f"bytes */{s.script.total}")
    assert s.asked() == ["bytes=49152-53247", None]
    s.part(5, 6)
    assert len(s.asked()) == 2


def test_a_truncated_part_is_retried_once(s: Setting) -> None:
    cuts = [500]
    s.script.twist = lambda reply, request: in_two(reply, cuts.pop(), lambda: None) if cuts else reply
    s.part(5000, 12000)
    assert s.asked() == ["bytes=4096-12287", "bytes=4596-12287"]
    cuts += [10, 10]
    try:
        assert s.get("5000-20000").status == 503    # the response has not begun
    except (EOFError, ConnectionResetError):
        pass
    cuts.clear()
    s.part(5000, 20000)


def test_a_failing_origin_keeps_stored_segments(s: Setting) -> None:
    s.part(0, 100)
    s.script.twist = lambda reply, request: Reply(503)
    assert s.get("8192-8193").status == 503
    s.part(0, 100)
    s.script.twist = None
    s.part(8192, 8193)
    assert len(s.asked()) == 3


def test_a_stalled_fetch_delays_only_requests_for_its_hole(s: Setting) -> None:
    gate = threading.Event()
    with ThreadPoolExecutor() as pool:
        s.part(0, 100)
        s.script.twist = lambda reply, request: held(reply, 10, gate)
        late = pool.submit(s.part, 8192, 8300)
        wait_until(lambda: len(s.asked()) == 2, "the origin has the request for the hole")
        s.script.twist = None
        s.part(0, 100)
        s.part(20000, 20010)
        assert not late.done()
        gate.set()
        late.result()


def test_requests_that_wait_for_a_hole_share_its_failure(s: Setting) -> None:
    gate = threading.Event()
    def stall(reply: Reply, request: Request) -> Reply:
        gate.wait(30)
        return Reply(503)
    with ThreadPoolExecutor(8) as pool:
        s.part(0, 100)
        s.script.twist = stall
        hits = s.daemon.counters["MAIN.cache_hit"]
        late = [pool.submit(s.get, f"{8192 + i}-8300") for i in range(8)]
        wait_equal(lambda: s.daemon.counters["MAIN.cache_hit"], hits + 8, "all requests have been looked up")
        gate.set()
        assert {r.result().status for r in late} == {503}
    assert len(s.asked()) == 2                      # they did not retry one by one
    s.script.twist = None
    s.part(8192, 8300)                              # a new request retries


def test_responses_that_wait_for_a_hole_share_its_failure(s: Setting) -> None:
    """These responses have begun. Each may retry once after a failure, and all share the fetch that
    retries."""
    gate = threading.Event()
    def cut(reply: Reply, request: Request) -> Reply:
        pause = 1 if len(s.asked()) > 2 else 0      # the second fetch must last until all responses wait for it
        def end() -> None:
            gate.wait(30)
            time.sleep(pause)
        return in_two(reply, 10, end)
    s.part(0, 100)
    s.script.twist = cut
    clients = [Client(s.daemon.port_cached) for _ in range(6)]
    try:
        for c in clients:
            c.send(f"GET {s.url} HTTP/1.1\r\nHost: example.com\r\n\r\n".encode())
            assert c.head().status == 200
        gate.set()
        assert {s.script.body.startswith(rest(c)) for c in clients} == {True}
    finally:
        for c in clients:
            c.close()
    assert len(s.asked()) == 1 + 2                  # the first fetch, and the one that retried


@pytest.mark.parametrize("status", [302, 400, 401, 403, 429, 451])
def test_a_refusal_goes_only_to_its_request(s: Setting, status: int) -> None:
    s.part(0, 100)
    def refuse(reply: Reply, request: Request) -> Reply:
        return reply if request.headers.get("authorization") == "ok" else Reply(status, b"not you", {"X-Why": "you"})
    s.script.twist = refuse
    with s.counting(partial_changed=0, s_pass=1):
        r = s.get("8192-8200")
        assert (r.status, r.body, r.get("X-Why")) == (status, b"not you", "you")
    s.part(0, 100)                                  # the stored part stays
    s.part(8192, 8200, X_Authorization="ok")
    assert s.asked() == ["bytes=0-4095", "bytes=8192-12287", "bytes=8192-8200", "bytes=8192-12287"]


@pytest.mark.parametrize("status", [408, 500, 503])
def test_a_server_error_gives_503_and_keeps_stored_segments(s: Setting, status: int) -> None:
    s.part(0, 100)
    s.script.twist = lambda reply, request: Reply(status)
    with s.counting(partial_changed=0, s_pass=0):
        assert s.get("8192-8200").status == 503
    s.part(0, 100)
    assert len(s.asked()) == 2


@pytest.mark.parametrize("status", [301, 404, 410])
def test_removed_content_is_removed_for_all_requests(s: Setting, status: int) -> None:
    s.part(0, 100)
    s.origin.handler = lambda request: Reply(status)
    with s.counting(partial_changed=1):
        assert s.get("8192-8200").status == status
    assert s.get("0-100").status == status


def test_a_refusal_in_the_middle_cuts_the_response(s: Setting) -> None:
    s.part(8192, 12287)
    def refuse(reply: Reply, request: Request) -> Reply:
        return reply if request.headers["range"] == "bytes=0-8191" else Reply(403)
    s.script.twist = refuse
    with Client(s.daemon.port_cached) as c, s.counting(partial_changed=0):
        c.send(f"GET {s.url} HTTP/1.1\r\nHost: example.com\r\n\r\n".encode())
        assert c.head().status == 200
        assert rest(c) == s.script.body[:12288]
    assert s.asked()[2:] == [f"bytes=12288-{s.script.total - 1}"]
    s.part(0, 12287)


# ---- versions ----


def test_a_new_version_replaces_the_old_one_before_a_response_begins(s: Setting) -> None:
    s.part(0, 100)
    s.script.version = 2
    with s.counting(partial_changed=1):
        s.part(0, 10000)                            # the first segment is stored, in version 1
    s.part(0, 12287)
    assert s.asked()[1:] == ["bytes=4096-12287", "bytes=0-12287"]


def test_many_concurrent_requests_get_a_new_version(s: Setting) -> None:
    s.part(0, 100)
    s.script.version = 2
    with ThreadPoolExecutor(8) as pool:
        for part in [pool.submit(s.part, 100 * i, 9000 + i) for i in range(8)]:
            part.result()


def rest(c: Client) -> bytes:
    """The remaining bytes until the connection ends or is reset."""
    got = b""
    try:
        while piece := c.stream.read1(65536):       # type: ignore[attr-defined]
            got += piece
    except ConnectionResetError:
        pass
    return got


@pytest.mark.parametrize("change", ["206", "200", "404", "416"])
def test_no_response_has_two_versions(s: Setting, change: str) -> None:
    """If the version changes during a response, the response is cut. 206: the origin sends a part of it
    despite If-Range."""
    gate = threading.Event()
    s.part(8192, 12287)                             # a segment between two holes
    old = s.script.body
    s.script.twist = lambda reply, request: held(reply, 100, gate)
    new = RangeOrigin(version=2)
    part = Reply(206, new.body[12288:], {"ETag": '"v2"', "Content-Range": f"bytes 12288-41959/{new.total}"})
    answers = {"206": lambda _: part, "200": new, "404": lambda _: Reply(404), "416": lambda _: Reply(416)}
    with Client(s.daemon.port_cached) as c:
        c.send(f"GET {s.url} HTTP/1.1\r\nHost: example.com\r\n\r\n".encode())
        assert c.head().get("Content-Length") == str(new.total)
        s.origin.handler = answers[change]
        gate.set()
        got = rest(c)
    assert len(got) <= 12288 and old.startswith(got)
    s.script = s.origin.handler = new
    s.whole()


def test_a_304_keeps_the_segments(s: Setting) -> None:
    s.url = "/keep"
    with s.counting(partial_stored=1):
        s.part(0, 100)
        wait_until(lambda: s.get("0-1").get("X-Hits") == "0" and len(s.asked()) > 1, "the object is validated")
        assert s.origin.seen(s.url)[-1].headers["if-none-match"] == s.script.tag
        s.part(0, 4095)
        s.part(4000, 8193)
    s.script.version = 2
    wait_until(lambda: s.get("0-1").body == s.script.body[:2], "the new version is stored")
    s.part(0, 9000)


# ---- concurrent requests ----


def test_requests_for_one_hole_share_a_fetch(s: Setting) -> None:
    gate = threading.Event()
    with ThreadPoolExecutor(8) as pool:
        s.part(0, 100)
        s.script.twist = lambda reply, request: held(reply, 10, gate)
        hits = s.daemon.counters["MAIN.cache_hit"]
        parts = [pool.submit(s.part, 8192, 8300 + i) for i in range(8)]
        wait_equal(lambda: s.daemon.counters["MAIN.cache_hit"], hits + 8, "all requests have been looked up")
        gate.set()
        for part in parts:
            part.result()
        assert s.asked()[1:] == ["bytes=8192-12287"]


def test_readers_of_different_holes_do_not_wait_for_each_other(s: Setting) -> None:
    gate = threading.Event()
    with ThreadPoolExecutor() as pool:
        s.part(0, 100)
        s.script.twist = lambda reply, request: held(reply, 10, gate)
        whole = pool.submit(s.whole)
        wait_until(lambda: len(s.asked()) == 2, "a fetch of the remaining content runs")
        s.script.twist = None
        s.part(20480, 24575)                        # the other client has not reached this hole
        assert not whole.done()
        gate.set()
        whole.result()
        assert s.asked() == ["bytes=0-4095", f"bytes=4096-{s.script.total - 1}", "bytes=20480-24575", f"bytes=24576-{s.script.total - 1}"]


def test_the_next_hole_is_fetched_while_the_segment_before_is_sent(s: Setting) -> None:
    size = 8 << 20    # more than the socket buffers of a client that does not read
    s.script.total = 4 * size
    s.daemon.ok("param.set partial_segment_size 8m")
    try:
        s.part(0, 100)
        s.part(2 * size, 2 * size + 100)
        with Client(s.daemon.port_cached, receive=65536) as c:
            c.send(f"GET {s.url} HTTP/1.1\r\nHost: example.com\r\n\r\n".encode())
            assert c.head().status == 200
            got = c.stream.read(2 * size + 1)       # reads into the segment between two holes
            wait_until(lambda: len(s.asked()) == 4, "the origin has the request for the second hole")
            assert got + c.stream.read(2 * size - 1) == s.script.body
        assert s.asked()[2:] == [f"bytes={size}-{2 * size - 1}", f"bytes={3 * size}-{4 * size - 1}"]
    finally:
        s.daemon.ok(f"param.set partial_segment_size {SEGMENT}b")


def test_a_client_that_leaves_stops_the_fetch_after_its_segment(s: Setting) -> None:
    gate = threading.Event()
    s.script.total = 400 * SEGMENT
    s.part(0, 100)
    s.script.twist = lambda reply, request: held(reply, 10, gate)
    with Client(s.daemon.port_cached) as c:
        c.send(f"GET {s.url} HTTP/1.1\r\nHost: example.com\r\nRange: bytes=4096-\r\n\r\n".encode())
        c.head()
        c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wait_equal(lambda: s.daemon.counters["VERNIS.req_live"], 0, "the client has left")
    gate.set()
    wait_equal(lambda: s.daemon.counters["VERNIS.fetch_live"], 0, "the fetch has stopped")
    s.script.twist = None
    s.part(4096, 8191)
    assert len(s.asked()) == 2                      # the current segment was completed
    s.part(10 * SEGMENT, 10 * SEGMENT + 9)
    assert len(s.asked()) == 3


# ---- one object ----


def test_explain_key_shows_the_segments(s: Setting) -> None:
    def explained(*options: str) -> str:
        return subprocess.run([ROOT / "build" / "bin" / "vernis", "explain-key", "-n", s.daemon.workdir, s.url, "-H", "Host: example.com", *options],
                              check=True, capture_output=True, text=True).stdout
    s.part(0, 100)
    s.part(8192, 16000)
    assert "partial object, segments 0,2-3 of 11" in explained()
    variant, = json.loads(explained("--json"))["variants"]
    assert 3 * SEGMENT < variant["bytes"] < 4 * SEGMENT


@pytest.mark.parametrize("how", ["purge", "ban"])
def test_purges_and_bans_remove_all_segments(s: Setting, how: str) -> None:
    s.part(0, 100)
    s.part(8192, 8200)
    if how == "purge":
        s.get(method="PURGE")
    else:
        s.daemon.ok(f"ban req.url == {s.url}")
    s.script.version = 2
    s.part(8192, 8200)
    s.part(0, 100)
    assert s.asked()[2:] == ["bytes=8192-12287", "bytes=0-4095"]


def test_a_partial_object_is_evicted_as_a_whole_and_frees_its_memory() -> None:
    with setting("-s", "s0=malloc,1m", "-s", "Transient=malloc,1m") as (origin, daemon):
        s = Setting(origin, daemon, RangeOrigin(total=60 * SEGMENT))
        urls = [f"/{i}" for i in range(12)]
        for s.url in urls:
            s.part(0, 30 * SEGMENT - 1)
            s.part(40 * SEGMENT, 50 * SEGMENT - 1)
        full = s.counters()
        assert full["MAIN.n_lru_nuked"] > 0 and 40 * SEGMENT < full["MEMORY.s0.g_bodies"] <= 1 << 20
        for s.url in urls:
            assert s.get(method="PURGE").status == 200
        wait_equal(lambda: [s.counters()[f"MEMORY.s0.g_{use}"] for use in ("bodies", "heads")], [0, 0], "all segments are freed")
