"""Replaced rows that transactions still hold: bounded, and released as soon as no hook can read them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from proxy.daemon import Daemon, wait_until
from proxy.origin import Origin, Reply, Request

ROWS = 10_000           # some 0.9 MB
POLICY = '''vcl 5.0;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
table t : STRING by exact from "{file}";
sub vcl_recv {{
    if (let v = t[req.url]) {{ return (synth(200, v)); }}
    if (req.http.Upgrade is set) {{ return (pipe); }}
    return (pass);
}}
sub vcl_backend_fetch {{ if (let v = t[bereq.url]) {{ set bereq.http.V = v; }} }}
'''
UPLOAD = b"POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx"
PIPE = b"GET /pipe HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n"
never = threading.Event()
STREAM = b"GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"


class Site:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.file = folder / "t.csv"
        self.stack = stack
        self.origin = stack.enter_context(Origin(self.answer))
        self.write(0)
        self.policy = POLICY.format(port=self.origin.port, file=self.file)
        self.d = stack.enter_context(Daemon(folder, self.policy, ["-p", "tables_replaced_max=2m", "-p", f"vcl_path={folder}"]))

    def answer(self, request: Request) -> Reply:
        begin = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n"
        return Reply(body=b"x") if request.url == "/up" else Reply(pieces=[begin, lambda: never.wait(60) and None])

    def write(self, k: int) -> None:
        self.file.write_text("".join(f"/k{k}-{i},{'v' * 40}\n" for i in range(ROWS)))

    def replace(self, k: int) -> tuple[int, str]:
        self.write(k)
        return self.d.cli(f"table.replace t {self.file}")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        yield Site(tmp_path, stack)


def passes(site: Site, n: int) -> None:
    wait_until(lambda: site.d.counters["MAIN.s_pass"] >= n, "the uploads wait for their rest")


def fill(site: Site) -> list[socket.socket]:
    """Uploads that hold one version each, until a replacement is refused."""
    held: list[socket.socket] = []
    for k in range(1, 10):
        held.append(site.stack.enter_context(socket.create_connection(("127.0.0.1", site.d.port_cached), timeout=30)))
        held[-1].sendall(UPLOAD)
        passes(site, k)
        status, text = site.replace(k)
        if status != 200:
            assert status == 300 and "more than tables_replaced_max (2 MB)" in text and "stays as it is" in text, text
            return held
    raise AssertionError("no replacement is refused")


def test_slow_uploads_hold_a_bounded_part_of_the_memory(site: Site) -> None:
    held = fill(site)
    assert 3 <= len(held) <= 5
    assert site.d.get(f"/k{len(held) - 1}-1") == (200, "v" * 40)        # the table is as it was
    for sock in held:
        sock.close()
    wait_until(lambda: site.replace(50)[0] == 200, "their end makes room")
    assert site.d.get("/k50-1") == (200, "v" * 40)


def test_a_load_of_a_policy_with_tables_is_refused_too(site: Site) -> None:
    held = fill(site)
    status, text = site.d.cli(f"vcl.inline more << END\n{site.policy}\nEND")
    assert status == 300 and "more than tables_replaced_max" in text, text
    site.d.load("other", 'vcl 4.1; backend default none;')
    for sock in held:
        sock.close()
    wait_until(lambda: site.d.cli(f"vcl.inline more << END\n{site.policy}\nEND")[0] == 200, "their end makes room")


def test_rows_of_discarded_policies_count(site: Site) -> None:
    for k in range(1, 10):
        sock = site.stack.enter_context(socket.create_connection(("127.0.0.1", site.d.port_cached), timeout=30))
        sock.sendall(UPLOAD)
        passes(site, k)
        status, text = site.d.cli(f"vcl.inline p{k} << END\n{site.policy}\nEND")
        if status != 200:
            assert k >= 3 and "more than tables_replaced_max" in text
            return
        site.d.use(f"p{k}")
        site.d.ok(f"vcl.discard {'boot' if k == 1 else f'p{k - 1}'}")
    raise AssertionError("no load is refused")


@pytest.mark.parametrize("request_", [PIPE, STREAM], ids=["pipe", "stream"])
def test_pipes_and_bodies_hold_no_rows(site: Site, request_: bytes) -> None:
    for k in range(1, 8):
        sock = site.stack.enter_context(socket.create_connection(("127.0.0.1", site.d.port_cached), timeout=30))
        sock.sendall(request_)
        assert b"hi" in b"".join(iter_until(sock, b"hi"))
        status, text = site.replace(k)
        assert status == 200, text


def iter_until(sock: socket.socket, end: bytes) -> Iterator[bytes]:
    data = b""
    while end not in data:
        piece = sock.recv(65536)
        assert piece, data
        data += piece
        yield piece
