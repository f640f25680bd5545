"""Invalidations hold over an upgrade: the old worker uses nothing stored once the new one serves, and neither
worker confirms an invalidation that the other one misses."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import wait_until
from proxy.origin import Origin, Reply, Request
from proxy.upgrade_load import Line, connect, exchange, is_alive
from proxy.upgrade_purges import KINDS, METHODS, POLICY, World, request_of, run


def test_no_answer_is_stale_under_load(tmp_path: Path) -> None:
    world = run(tmp_path, answers=5000)
    assert world.stale == [] and world.lost == []
    assert set(world.invalidations) == set(KINDS) and world.upgrades >= 2


class Site:
    """A daemon whose origin numbers its responses."""

    def __init__(self, folder: Path, policy: str) -> None:
        self.origin = Origin(self.answer)
        self.line = Line(folder, policy.format(port=self.origin.port))

    def answer(self, request: Request) -> Reply:
        n = str(self.origin.count(request.url)).encode()
        if request.url == "/page":
            return Reply(body=b'<esi:include src="/part"/>')
        return Reply(body=n, headers={"Cache-Control": "max-age=1"} if request.url == "/grace" else {})

    def kept(self) -> socket.socket:
        """A connection that the present worker has accepted."""
        sock = connect(self.line.port_cached)
        exchange(sock, b"GET /first HTTP/1.1\r\nHost: site\r\n\r\n")
        return sock


LOOKUPS = '''vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{ if (req.http.ignore) {{ set req.hash_ignore_busy = true; }} }}
sub vcl_backend_response {{
    set beresp.ttl = 600s;
    set beresp.do_esi = bereq.url == "/page";
    if (bereq.url == "/grace") {{ set beresp.ttl = 0.001s; set beresp.grace = 600s; }}
    if (bereq.url == "/marked") {{ set beresp.uncacheable = true; }}
}}
'''


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    s = Site(tmp_path, LOOKUPS)
    with s.origin, s.line:
        yield s


def get(sock: socket.socket, url: str) -> tuple[bool, bytes]:
    """Whether the response announces a close, and its content."""
    head, body = exchange(sock, f"GET {url} HTTP/1.1\r\nHost: site\r\n\r\n".encode())
    return b"\r\nConnection: close" in head, body


def whole(sock: socket.socket, url: str) -> bytes:
    sock.sendall(f"GET {url} HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n".encode())
    return sock.makefile("rb").read()


@pytest.mark.parametrize("url", ["/hit", "/grace", "/marked"])
def test_the_old_worker_neither_serves_nor_stores(site: Site, url: str) -> None:
    first = site.kept()
    get(first, url)
    kept = [first, site.kept(), site.kept()]
    site.line.upgrade()
    answers = [get(sock, url) for sock in kept]
    assert [closes for closes, _ in answers] == [True] * 3
    assert [int(body) for _, body in answers] == [2, 3, 4]      # each is a response of the origin to this request


def test_parts_of_pages_are_fetched_by_the_old_worker(site: Site) -> None:
    get(site.kept(), "/part")
    kept = site.kept()
    site.line.upgrade()
    assert b"1\r\n2\r\n" in whole(kept, "/page") and site.origin.count("/part") == 2


def test_a_response_stored_before_the_purge_is_not_served(site: Site) -> None:
    kept = [site.kept(), site.kept()]
    site.line.upgrade()
    assert get(kept[0], "/x")[1] == b"1"
    assert site.line.cli("vernis.purge 127.0.0.1 GET /x Host:site")[0] == 200
    assert get(kept[1], "/x")[1] == b"2"


def test_positions_go_on_in_a_new_epoch(site: Site) -> None:
    def position() -> tuple[int, int]:
        told = json.loads(site.line.cli("vernis.purge_all -j")[1])[3]["position"]
        return told["epoch"], told["sequence"]

    first, second = position(), position()
    site.line.upgrade()
    third = position()
    assert first < second < third
    assert [epoch for epoch, _ in (first, second, third)] == [1, 1, 2]


@pytest.mark.parametrize("target", ["/o/0", "/other/0"])       # by its URL, and by a group only
def test_a_post_through_the_old_worker_invalidates_in_the_new_one(tmp_path: Path, target: str) -> None:
    world, number = World(), 0
    post = f"POST {target} HTTP/1.1\r\nHost: site\r\nContent-Length: 0\r\n\r\n".encode()
    with Origin(world.answer) as origin, Line(tmp_path, POLICY.format(port=origin.port), ["-p", "feature=+rfc9111"]) as line:
        kept = connect(line.port_cached)
        exchange(kept, request_of("GET", number))
        line.upgrade()
        fresh = connect(line.port_cached)
        assert exchange(fresh, request_of("GET", number))[1] == b"1"
        world.current[number] = 2
        assert b"\r\nConnection: close" in exchange(kept, post)[0]
        assert exchange(fresh, request_of("GET", number))[1] == b"2"
        assert "has not confirmed" not in line.logs


@pytest.mark.parametrize("kind", METHODS)
def test_the_old_worker_refuses_to_invalidate(tmp_path: Path, kind: str) -> None:
    world = World()
    with Origin(world.answer) as origin, Line(tmp_path, POLICY.format(port=origin.port)) as line:
        kept = connect(line.port_cached)
        assert exchange(kept, request_of(kind, 0))[0].startswith(b"HTTP/1.1 200 ")
        line.upgrade()
        head, _ = exchange(kept, request_of(kind, 0))
        assert head.startswith(b"HTTP/1.1 503 ") and b"\r\nConnection: close" in head
        assert exchange(connect(line.port_cached), request_of(kind, 0))[0].startswith(b"HTTP/1.1 200 ")


def sleeps(pid: int) -> bool:
    """In each of many looks at its state: it waits for events."""
    def state() -> str:
        time.sleep(0.002)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
    return all(state() == "S" for _ in range(100))


def test_the_old_worker_goes_on_if_the_new_daemon_dies_while_it_takes_over(site: Site) -> None:
    kept = site.kept()
    get(kept, "/hit")
    old = site.line.process.pid
    served = site.line.logs.count("serves policy")
    with site.line.connect() as cli:
        cli.send(b"vernis.upgrade\n")
        wait_until(lambda: "upgrade: daemon" in site.line.logs, "the new daemon starts")
        new = int(site.line.logs.split("upgrade: daemon ")[1].split()[0])
        os.kill(old, signal.SIGSTOP)
        try:
            wait_until(lambda: site.line.logs.count("serves policy") > served, "the new worker is ready")
            wait_until(lambda: sleeps(new), "the new daemon waits for the old one")
            os.kill(new, signal.SIGSTOP)
        finally:
            os.kill(old, signal.SIGCONT)
        wait_until(lambda: get(kept, "/hit")[0], "the old worker closes its connections")
        os.kill(new, signal.SIGKILL)
        status, text = cli.read()
        assert status == 300 and "this one goes on" in text
    wait_until(lambda: not is_alive(new), "the new daemon has ended")
    wait_until(lambda: get(connect(site.line.port_cached), "/first") == (False, b"1"), "stored responses are found again")
    fetched = site.origin.count("/hit")
    assert not get(site.kept(), "/hit")[0] and site.origin.count("/hit") == fetched
    assert site.line.cli("vernis.purge 127.0.0.1 GET /hit Host:site")[0] == 200
    assert get(site.kept(), "/hit") == (False, b"%d" % (fetched + 1))
