"""Partial objects when the policy, parameters or responses change after the fetch of a part began."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from proxy.daemon import Daemon, wait_until
from proxy.origin import Origin, Reply, Request, fetch
from proxy.range_origin import SEGMENT, RangeOrigin
from proxy.serve import serving
from proxy.test_partial import ARGS, Setting

POLICY = """vcl 4.1; import std;
    backend default { .host = "127.0.0.1"; .port = "%d"; }
    sub vcl_backend_fetch { if (bereq.url ~ "^/rollback") { std.rollback(bereq); } }
    sub vcl_backend_response {
        set beresp.ttl = 1000s;
        set beresp.do_gzip = bereq.url ~ "gzip";
        if (bereq.url ~ "^/share") { unset beresp.http.Set-Cookie; return (deliver); }
    }
    sub vcl_deliver { set resp.http.X-Status = resp.status; }
"""


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[Origin, Daemon]]:
    with Origin(RangeOrigin()) as origin, serving(POLICY % origin.port, (*ARGS, "-p", "loops=1")) as daemon:
        yield origin, daemon


@pytest.fixture
def s(shared: tuple[Origin, Daemon]) -> Setting:
    return Setting(*shared, RangeOrigin())


@pytest.mark.parametrize("size", ["8k", "256m"])
def test_a_part_keeps_the_segment_size_of_its_request(s: Setting, size: str) -> None:
    s.url = f"/size-{size}"
    gate = threading.Event()
    def answer(request: Request) -> Reply:
        gate.wait(30)
        return s.script(request)
    s.origin.handler = answer
    with ThreadPoolExecutor() as pool:
        part = pool.submit(s.part, 5000, 5001)
        try:
            wait_until(lambda: len(s.asked()) == 1, "the origin has the request for the part")
            s.daemon.ok(f"param.set partial_segment_size {size}")
            gate.set()
            part.result()
        finally:
            gate.set()
            s.daemon.ok(f"param.set partial_segment_size {SEGMENT}b")
    s.part(4096, 8191)
    s.part(8192, 8193)
    assert s.asked() == ["bytes=4096-8191", "bytes=8192-12287"]


def test_a_rollback_does_not_restore_a_dropped_range(s: Setting) -> None:
    s.url = "/rollback-gzip"
    assert s.get("5000-5001").status in (200, 206)
    assert s.asked() == ["bytes=4096-8191", None]
    s.whole()


def test_a_rollback_does_not_allow_codings_for_holes(s: Setting) -> None:
    s.url = "/rollback"
    s.part(0, 100)
    s.part(5000, 5100)
    assert [(r.headers.get("range"), r.headers.get("accept-encoding")) for r in s.origin.seen(s.url)] == [
        ("bytes=0-4095", "identity"), ("bytes=4096-8191", "identity")]


def test_a_hole_is_not_filled_with_coded_bytes(s: Setting) -> None:
    """The origin gives one ETag to the content and to its coded form."""
    s.url = "/coded"
    s.part(0, 100)
    def twist(reply: Reply, request: Request) -> Reply:
        if request.headers["range"] == "bytes=4096-8191":
            reply.headers["Content-Encoding"] = "gzip"
            reply.body = bytes(SEGMENT)
        return reply
    s.script.twist = twist
    s.part(4000, 5000)
    assert s.asked() == ["bytes=0-4095", "bytes=4096-8191", "bytes=0-8191"]


def test_a_request_with_content_fetches_a_hole_without_its_content(s: Setting) -> None:
    s.url = "/content"
    s.part(0, 100)
    r = fetch(s.daemon.port_cached, s.url, headers={"Range": "bytes=5000-5001"}, body=b"12345")
    assert (r.status, r.body) == (206, s.script.body[5000:5002])
    assert [(x.headers.get("content-length"), x.body) for x in s.origin.seen(s.url)] == [(None, b""), (None, b"")]


@pytest.mark.parametrize("fields", [{"Cache-Control": "private"}, {"Cache-Control": "no-store"}, {"Set-Cookie": "a=1"}])
def test_a_hole_is_not_filled_with_a_private_response(s: Setting, fields: dict[str, str]) -> None:
    """The policy allowed storing a response for all users. It does not see later responses."""
    s.url = "/one-user-" + "".join(fields.values())
    s.part(0, 100)
    s.script.fields |= fields
    with s.counting(partial_passed=2):
        for _ in "12":
            s.part(5000, 5001)
    assert s.asked() == ["bytes=0-4095", *["bytes=4096-8191"] * 3]


def test_a_policy_that_stores_private_responses_fills_holes_with_them(s: Setting) -> None:
    s.url = "/share"
    s.script.fields |= {"Cache-Control": "private", "Set-Cookie": "a=1"}
    with s.counting(partial_passed=0, partial_fetch=1):
        for _ in "12":
            s.part(0, 100)
            s.part(5000, 5001)
    assert len(s.asked()) == 2
