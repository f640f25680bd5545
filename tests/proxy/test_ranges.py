"""A request for several ranges gets a multipart response with feature rfc9111 (RFC 9110, 14.6), and the whole
content without it."""

from __future__ import annotations

import gzip
import random
import re
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request, Response, fetch
from proxy.range_origin import SEGMENT, RangeOrigin
from proxy.serve import serving

BODY = random.Random(9110).randbytes(200_000)
FIELDS = {"Cache-Control": "max-age=1000", "ETag": '"1"', "Content-Type": "text/plain; charset=x"}
POLICY = '''vcl 4.1; backend b { .host = "127.0.0.1"; .port = "%d"; }
sub vcl_recv { if (req.http.As) { set req.method = req.http.As; } if (req.url ~ "pass") { return (pass); } }
sub vcl_backend_response { if (bereq.url == "/gzip") { set beresp.do_gzip = true; } }
sub vcl_deliver { if (req.http.Status) { set resp.status = 404; } }'''
RFC = ("-p", "feature=+rfc9111", "-p", "loops=1")


@dataclass(slots=True)
class Script:
    """An origin whose content arrives at once. Of /slow, the second half arrives when the test allows it."""

    go_on: threading.Event = field(default_factory=threading.Event)

    def __call__(self, request: Request) -> Reply:
        if request.url != "/slow":
            return Reply(body=BODY, headers=FIELDS)
        head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(BODY) + b"".join(b"%b: %b\r\n" % (n.encode(), v.encode())
                                                                                for n, v in FIELDS.items()) + b"\r\n"
        return Reply(pieces=[head + BODY[:1000], lambda: BODY[1000:] if self.go_on.wait(20) else None])


@dataclass(slots=True)
class World:
    daemon: Daemon
    origin: Origin
    script: Script

    def get(self, ranges: str, url: str = "/", **fields: str) -> Response:
        named = {n.replace("_", "-"): v for n, v in fields.items()}
        return fetch(self.daemon.port_cached, url, headers={"Range": f"bytes={ranges}"} | named)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    script = Script()
    with Origin(script) as origin, serving(POLICY % origin.port, RFC) as daemon:
        assert daemon.port_cached
        yield World(daemon, origin, script)


def parts(r: Response, total: int = len(BODY)) -> list[tuple[int, int, bytes]]:
    """First and last byte of each part, and its content. Checks every byte of the response."""
    found = re.fullmatch("multipart/byteranges; boundary=([0-9a-f]{32})", r.get("Content-Type") or "")
    assert found and r.status == 206 and r.get("Content-Range") is None, r.headers
    boundary, got, rest = b"--" + found[1].encode(), [], r.body
    assert rest.startswith(b"\r\n" + boundary)             # some clients wait for this line end
    while not rest.startswith(b"\r\n" + boundary + b"--"):
        head, rest = rest.removeprefix(b"\r\n").removeprefix(boundary + b"\r\n").split(b"\r\n\r\n", 1)
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        said = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", fields["Content-Range"])
        assert said and int(said[3]) == total
        first, last = int(said[1]), int(said[2])
        got.append((first, last, rest[:last - first + 1]))
        rest = rest[last - first + 1:]
        assert fields.get("Content-Type") in (FIELDS["Content-Type"], None)
    assert rest == b"\r\n" + boundary + b"--\r\n"
    return got


def check(r: Response, *expected: tuple[int, int], body: bytes = BODY) -> None:
    assert parts(r, len(body)) == [(first, last, body[first:last + 1]) for first, last in expected]


@pytest.mark.parametrize(("asked", "expected"), [
    ("0-0,5-9", [(0, 0), (5, 9)]),
    ("5-9,0-0", [(0, 0), (5, 9)]),                                      # in ascending order
    ("0-9,5-19,20-29,31-31", [(0, 29), (31, 31)]),    # overlapping and adjacent ranges are joined
    ("0-0 , ,\t-1", [(0, 0), (199_999, 199_999)]),
    ("10-19,900000-,5-6", [(5, 6), (10, 19)]),    # a range beyond the content is left out
    ("1-150000,150002-", [(1, 150_000), (150_002, 199_999)]),
    (",".join(f"{i}-{i}" for i in range(0, 128, 2)), [(i, i) for i in range(0, 128, 2)]),
])
def test_several_ranges_are_sent_as_parts(world: World, asked: str, expected: list[tuple[int, int]]) -> None:
    r = world.get(asked)
    check(r, *expected)
    assert r.get("ETag") == '"1"' and int(r.get("Content-Length") or 0) == len(r.body)


@pytest.mark.parametrize(("asked", "status", "says"), [
    ("0-4,3-9", 206, "bytes 0-9/200000"),    # a single range remains: not multipart (RFC 9110, 15.3.7.2)
    ("3-4,300000-", 206, "bytes 3-4/200000"),
    ("0-,-5", 206, "bytes 0-199999/200000"),
    ("200000-,900000-900001", 416, "bytes */200000"),
    ("0-1,x", 200, None),
    ("0-1,9-8", 200, None),
    (",", 200, None),
    (",".join(f"{i}-{i}" for i in range(0, 130, 2)), 200, None),         # more than http_ranges_max
])
def test_other_sets_of_ranges_are_not_multipart(world: World, asked: str, status: int, says: str | None) -> None:
    r = world.get(asked)
    assert (r.status, r.get("Content-Range"), r.get("Content-Type")) == (status, says, FIELDS["Content-Type"])
    assert status != 200 or r.body == BODY


def test_conditions_and_methods_apply_to_several_ranges(world: World) -> None:
    check(world.get("0-1,4-5", If_Range='"1"'), (0, 1), (4, 5))
    assert world.get("0-1,4-5", If_Range='"2"').body == BODY
    assert world.get("0-1,4-5", If_None_Match='"1"').status == 304
    assert world.get("0-1,4-5", Status="1").status == 404
    for method in ("HEAD", "POST"):
        r = fetch(world.daemon.port_cached, "/", method=method, headers={"Range": "bytes=0-1,4-5"})
        assert (r.status, r.get("Content-Length"), r.get("Content-Type")) == (200, "200000", FIELDS["Content-Type"])


@pytest.mark.parametrize("asked", ["0-1", "0-1,4-5"])
def test_a_head_that_the_policy_turns_into_get_has_no_content(world: World, asked: str) -> None:
    with Client(world.daemon.port_cached) as c:
        c.send(f"HEAD / HTTP/1.1\r\nHost: a\r\nAs: GET\r\nRange: bytes={asked}\r\n\r\n".encode())
        assert c.head().status == 206
        assert c.request("/").body == BODY


def test_each_response_has_its_own_boundary(world: World) -> None:
    assert world.get("0-1,4-5").get("Content-Type") != world.get("0-1,4-5").get("Content-Type")


def test_ranges_of_unpacked_content_and_of_a_pass(world: World) -> None:
    assert gzip.decompress(fetch(world.daemon.port_cached, "/gzip", headers={"Accept-Encoding": "gzip"}).body) == BODY
    check(world.get("0-1,100000-100001", "/gzip"), (0, 1), (100_000, 100_001))
    check(world.get("0-1,100000-100001", "/pass"), (0, 1), (100_000, 100_001))


def test_ranges_of_a_response_that_is_still_arriving(world: World) -> None:
    with Client(world.daemon.port_cached) as c:
        c.send(b"GET /slow HTTP/1.1\r\nHost: example.com\r\nRange: bytes=10-11,100000-\r\n\r\n")
        r = c.head()
        length = int(r.get("Content-Length") or 0)
        r.body = c._exactly(200)                # the first part arrives before the origin continues
        assert BODY[10:12] in r.body
        world.script.go_on.set()
        r.body += c._exactly(length - 200)
    check(r, (10, 11), (100_000, 199_999))


def test_a_slow_reader_gets_the_whole_response(world: World) -> None:
    with Client(world.daemon.port_cached) as c:
        c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        check(c.request("/", headers={"Range": "bytes=0-49999,150001-199998"}), (0, 49_999), (150_001, 199_998))


def test_without_the_feature_the_whole_content_is_sent() -> None:
    with Origin(Script()) as origin, serving(POLICY % origin.port) as daemon:
        r = fetch(daemon.port_cached, "/", headers={"Range": "bytes=0-1,4-5"})
        assert (r.status, r.body) == (200, BODY)


def test_a_range_far_behind_passes_through_little_memory() -> None:
    """The fetch of a response for one client waits for its reader, also for the bytes before the range."""
    large = random.Random(1).randbytes(5_000_000)
    rules = POLICY + " sub vcl_backend_response { set beresp.uncacheable = true; }"
    with Origin(lambda _: Reply(body=large, headers=FIELDS)) as origin, \
         serving(rules % origin.port, ("-p", "transit_buffer=64k")) as d:
        r = fetch(d.port, "/", headers={"Range": "bytes=4000000-4000099"})
        assert (r.status, r.body) == (206, large[4_000_000:4_000_100])


def test_http_ranges_max_limits_the_number_of_ranges() -> None:
    with Origin(Script()) as origin, serving(POLICY % origin.port, (*RFC, "-p", "http_ranges_max=2")) as daemon:
        for asked, status in [("0-0,2-2", 206), ("0-0,2-2,4-4", 200)]:
            assert fetch(daemon.port_cached, "/", headers={"Range": f"bytes={asked}"}).status == status


# ---- partial objects ----


@pytest.fixture
def partial() -> Iterator[tuple[Daemon, Origin, RangeOrigin]]:
    script = RangeOrigin()
    args = (*RFC, "-p", "partial_objects=on", "-p", f"partial_segment_size={SEGMENT}b")
    with Origin(script) as origin, serving(POLICY % origin.port, args) as daemon:
        yield daemon, origin, script


def test_only_the_segments_that_the_ranges_need_are_fetched(partial: tuple[Daemon, Origin, RangeOrigin]) -> None:
    daemon, origin, script = partial

    def get(ranges: str) -> Response:
        return fetch(daemon.port_cached, "/", headers={"Range": f"bytes={ranges}"})

    assert get("0-1").status == 206
    for _ in range(2):
        check(get(f"0-1,{3 * SEGMENT}-{3 * SEGMENT + 1},{8 * SEGMENT - 1}-{8 * SEGMENT}"), (0, 1), (3 * SEGMENT, 3 * SEGMENT + 1),
              (8 * SEGMENT - 1, 8 * SEGMENT), body=script.body)
    wanted = [(0, 0), (3, 3), (7, 8)]
    assert [r.headers.get("range") for r in origin.seen("/")] == [f"bytes={a * SEGMENT}-{(b + 1) * SEGMENT - 1}" for a, b in wanted]


def test_a_new_version_is_detected_before_parts_are_sent(partial: tuple[Daemon, Origin, RangeOrigin]) -> None:
    daemon, origin, script = partial
    assert fetch(daemon.port_cached, "/", headers={"Range": "bytes=0-1"}).status == 206
    script.version = 2
    r = fetch(daemon.port_cached, "/", headers={"Range": f"bytes=0-1,{3 * SEGMENT}-{3 * SEGMENT + 1}"})
    check(r, (0, 1), (3 * SEGMENT, 3 * SEGMENT + 1), body=script.body)


def test_a_status_changed_by_the_policy_is_reported(partial: tuple[Daemon, Origin, RangeOrigin]) -> None:
    daemon, origin, script = partial
    script.etag = False                 # the part goes to its client only
    assert fetch(daemon.port_cached, "/", headers={"Range": "bytes=0-1", "Status": "1"}).status == 503
    wait_until(lambda: "The policy changed the status of a response of which only a part was fetched" in errors(daemon), "the reason is in the log")


def errors(daemon: Daemon) -> str:
    return subprocess.run([ROOT / "build/bin/vernis", "log", "-n", str(daemon.workdir), "-d", "-g", "raw", "-i", "Error"], check=True,
                          capture_output=True, text=True).stdout
