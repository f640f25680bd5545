"""Pipes whose origin cannot be reached: the client gets a response, and the log has the reason."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from proxy.daemon import START_S, Daemon, wait_equal
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_log_client import Log, tags, values
from support.ports import refusing_port

PIPED = "sub vcl_recv { if (req.restarts == 0) { return (pipe); } return (pass); }"
UPGRADE = b"GET /p HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
DIRECTOR = """backend b {{ .host = "127.0.0.1"; .port = "{port}"; .probe = {{ .interval = 1h; .initial = 0; }} }}
sub vcl_init {{ new d = directors.round_robin(); d.add_backend(b); }}
sub vcl_recv {{ set req.backend_hint = d.backend(); }}"""

# name: the policy, the counter, the FetchError record
UNREACHED = {
    "refusing": ('backend b {{ .host = "127.0.0.1"; .port = "{port}"; }}', "backend_fail",
                 "backend b: fail errno 111 (Connection refused)"),
    "sick": ('backend b {{ .host = "127.0.0.1"; .port = "{port}"; .probe = {{ .interval = 1h; .initial = 0; }} }}',
             "backend_unhealthy", "backend b: unhealthy"),
    "none": ("backend b none;", "backend_unhealthy", "No backend"),
    "director": ("import directors; " + DIRECTOR, "backend_unhealthy", "Director d returned no backend"),
}


@contextmanager
def one_loop(text: str) -> Iterator[tuple[Daemon, Log]]:
    with serving("vcl 4.1; " + text, ["-p", "loops=1"]) as d:
        yield d, Log(d)


def fetch_errors(log: Log) -> list[str]:
    log.read()
    return [text for _, tag, text in log.records if tag == "FetchError"]


@pytest.mark.parametrize("name", UNREACHED)
def test_a_pipe_without_an_origin_is_answered_by_503(name: str) -> None:
    backends, counter, reason = UNREACHED[name]
    with refusing_port() as port, one_loop(backends.format(port=port) + PIPED) as (d, log):
        before = d.counters[f"MAIN.{counter}"]
        with Client(d.port) as c:
            c.send(UPGRADE + b"\x00bytes of the other protocol\r\n\r\n")
            r = c.response()
            assert (r.status, r.reason, r.get("Connection")) == (503, "Backend connection failed", "close")
            assert b"Backend connection failed" in r.body and c.closed()
        request = log.request()
        assert fetch_errors(log) == [reason]
        assert "ReqAcct" in tags(request) and "PipeAcct" not in tags(request)
        assert values(request, "RespStatus") == ["503"]
        wait_equal(lambda: d.counters[f"MAIN.{counter}"] - before, 1)
        assert [d.counters[f"MAIN.{n}"] for n in ("n_pipe", "client_req")] == [0, 1]


def test_a_pipe_to_a_backend_with_all_connections_in_use_is_answered_by_503() -> None:
    go = threading.Event()

    def held(r: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 101 Switching Protocols\r\n\r\n", lambda: (go.wait(START_S), None)[1]])
    with Origin(held) as origin, one_loop(f'backend b {{ .host = "127.0.0.1"; .port = "{origin.port}"; .max_connections = 1; }}'
                                          + PIPED) as (d, log), Client(d.port) as first, Client(d.port) as second:
        first.send(UPGRADE)
        assert first.head().status == 101
        second.send(UPGRADE)
        assert second.response().status == 503 and second.closed()
        wait_equal(lambda: fetch_errors(log), ["backend b: busy"])
        wait_equal(lambda: d.counters["MAIN.backend_busy"], 1)
        go.set()


def test_a_pipe_whose_origin_does_not_accept_is_answered_by_503() -> None:
    """The listener's queue is full, so the kernel drops the connection attempt."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        queued = [socket.socket() for _ in range(2)]
        for one in queued:
            one.setblocking(False)
            one.connect_ex(listener.getsockname())
        backend = f'backend b {{ .host = "127.0.0.1"; .port = "{listener.getsockname()[1]}"; .connect_timeout = 0.2s; }}'
        with one_loop(backend + PIPED) as (d, log), Client(d.port) as c:
            c.send(UPGRADE)
            assert c.response().status == 503
            wait_equal(lambda: fetch_errors(log), ["backend b: fail errno 110 (Connection timed out)"])
        for one in queued:
            one.close()


def test_the_policy_may_pass_a_request_whose_pipe_failed() -> None:
    text = """
    sub vcl_recv { if (req.restarts > 0) { set req.backend_hint = good; } }""" + PIPED + """
    sub vcl_synth { if (resp.status == 503 && req.restarts == 0) { return (restart); } }"""
    with refusing_port() as port, Origin(lambda r: Reply(body=b"passed " + r.body)) as origin:
        backends = f'backend b {{ .host = "127.0.0.1"; .port = "{port}"; }} backend good {{ .host = "127.0.0.1"; .port = "{origin.port}"; }}'
        with one_loop(backends + text) as (d, _), Client(d.port) as c:
            r = c.request("/", "POST", body=b"content")
            assert (r.status, r.body, r.get("Connection")) == (200, b"passed content", "close") and c.closed()
