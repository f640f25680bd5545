"""Partial objects while policies, parameters and responses are not what a fetch of a part began with."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from proxy.daemon import Daemon, wait_until
from proxy.origin import Origin, Reply, Request
from proxy.range_origin import SEGMENT, RangeOrigin
from proxy.serve import serving
from proxy.test_partial import ARGS, Setting

POLICY = """vcl 4.1; import std;
    backend default { .host = "127.0.0.1"; .port = "%d"; }
    sub vcl_backend_fetch { if (bereq.url ~ "^/rollback") { std.rollback(bereq); } }
    sub vcl_backend_response {
        set beresp.ttl = 1000s;
        set beresp.do_gzip = bereq.url ~ "gzip";
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
def test_a_part_keeps_the_segment_size_it_was_asked_for_with(s: Setting, size: str) -> None:
    s.url = f"/size-{size}"
    gate = threading.Event()
    def answer(request: Request) -> Reply:
        gate.wait(30)
        return s.script(request)
    s.origin.handler = answer
    with ThreadPoolExecutor() as pool:
        part = pool.submit(s.part, 5000, 5001)
        try:
            wait_until(lambda: len(s.asked()) == 1, "the part is asked for")
            s.daemon.ok(f"param.set partial_segment_size {size}")
            gate.set()
            part.result()
        finally:
            gate.set()
            s.daemon.ok(f"param.set partial_segment_size {SEGMENT}b")
    s.part(4096, 8191)
    s.part(8192, 8193)
    assert s.asked() == ["bytes=4096-8191", "bytes=8192-12287"]
