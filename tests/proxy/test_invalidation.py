"""Purges and bans during a fetch.

The response of that fetch goes only to requests that arrived before the invalidation. Later requests get
content that was requested from the origin after it. The origin numbers its responses and holds some back
until the test opens the gate.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Origin, Reply, Request, Response, fetch
from proxy.serve import serving

POLICY = """vcl 4.1;
import purge; import std; import xkey;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    if (req.method == "PURGE") {{ return (purge); }}
    if (req.method == "XPURGE") {{ return (synth(200, xkey.purge("tag"))); }}
    if (req.method == "XSOFT") {{ return (synth(200, xkey.softpurge("tag"))); }}
    if (req.method == "BAN") {{ if (std.ban("obj.http.kind == page")) {{ return (synth(200)); }} return (synth(500)); }}
    if (req.method == "REQBAN") {{ if (std.ban("req.url == /")) {{ return (synth(200)); }} return (synth(500)); }}
    if (req.method == "HARD" || req.method == "SOFT") {{
        set req.http.how = req.method;
        set req.method = "GET";
        set req.hash_ignore_busy = true;
    }}
}}
sub by_vmod {{
    if (req.http.how == "HARD") {{ purge.hard(); return (synth(200)); }}
    if (req.http.how == "SOFT") {{ purge.soft(0s); return (synth(200)); }}
}}
sub vcl_hit {{ call by_vmod; }}
sub vcl_miss {{ call by_vmod; }}
{more}
"""


@dataclass
class Numbered:
    """Responses "1", "2", ... Those whose number is in ``held`` wait for the gate: before their head, or in
    the middle of the body."""

    held: set[int]
    in_body: bool = False
    fields: dict[str, str] = field(default_factory=lambda: {"Cache-Control": "max-age=100"})
    validate: bool = False
    gate: threading.Event = field(default_factory=threading.Event)
    n: int = 0

    def __call__(self, request: Request) -> Reply:
        self.n += 1
        number, waits = self.n, self.n in self.held
        headers = {**self.fields, "xkey": "tag", "kind": "page", "ETag": '"e"'}
        if waits and not self.in_body:
            assert self.gate.wait(20)
        if self.validate and "if-none-match" in request.headers:
            return Reply(status=304, headers=headers)
        body = str(number).encode() * 10
        if not (waits and self.in_body):
            return Reply(body=body, headers=headers)
        head = "".join(f"{n}: {v}\r\n" for n, v in headers.items())
        return Reply(pieces=[f"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n{head}\r\n".encode() + body[:5], self._rest(body[5:])])

    def _rest(self, rest: bytes) -> Callable[[], bytes]:
        def wait() -> bytes:
            assert self.gate.wait(20)
            return rest
        return wait


@dataclass
class Site:
    daemon: Daemon
    origin: Origin
    answers: Numbered
    clients: ThreadPoolExecutor

    def get(self) -> bytes:
        """The number of the origin's response that a client gets."""
        return fetch(self.daemon.port, "/").body[:1]

    def later(self) -> Future[Response]:
        return self.clients.submit(fetch, self.daemon.port, "/")

    def invalidate(self, how: str) -> None:
        if how == "cli":
            self.daemon.ok("ban obj.http.kind == page")
        else:
            assert fetch(self.daemon.port, "/", method=how).status == 200

    def asked(self, n: int) -> None:
        wait_until(lambda: self.origin.count("/") == n, f"the origin was asked {n} times")


@contextmanager
def site(answers: Numbered, more: str = "") -> Iterator[Site]:
    with Origin(answers) as origin, serving(POLICY.format(port=origin.port, more=more)) as d, ThreadPoolExecutor(8) as clients:
        try:
            yield Site(d, origin, answers, clients)
        finally:
            answers.gate.set()


HARD = ["PURGE", "HARD", "XPURGE", "BAN", "REQBAN", "cli"]
SOFT = ["SOFT", "XSOFT"]


@pytest.mark.parametrize("how", HARD)
def test_a_response_being_fetched_is_not_served_after_an_invalidation(how: str) -> None:
    with site(Numbered({1})) as s:
        first = s.later()
        s.asked(1)
        s.invalidate(how)
        s.answers.gate.set()
        assert first.result(20).body[:1] == b"1"    # it arrived before the invalidation
        assert s.get() == b"2"
        assert s.get() == b"2"                      # a new response, which is stored


@pytest.mark.parametrize("how", HARD)
def test_a_response_without_streaming_is_not_served_after_an_invalidation(how: str) -> None:
    with site(Numbered({1}, in_body=True), "sub vcl_backend_response { set beresp.do_stream = false; }") as s:
        first = s.later()
        s.asked(1)
        s.invalidate(how)
        s.answers.gate.set()
        assert first.result(20).body == b"1" * 10
        assert s.get() == b"2"
        assert s.get() == b"2"


@pytest.mark.parametrize("how", HARD)
def test_a_body_being_fetched_goes_to_clients_that_have_its_head(how: str) -> None:
    with site(Numbered({1}, in_body=True)) as s:
        first = s.later()
        s.asked(1)
        wait_until(lambda: counter(s.daemon, "MAIN.n_object") == 1, "the head is stored")
        s.invalidate(how)
        assert s.get() == b"2"                      # while the first response still arrives
        s.answers.gate.set()
        assert first.result(20).body == b"1" * 10
        assert s.get() == b"2"


@pytest.mark.parametrize("how", HARD)
def test_a_background_fetch_is_not_served_after_an_invalidation(how: str) -> None:
    with site(Numbered({2}, fields={"Cache-Control": "max-age=0, stale-while-revalidate=100"}),
              "sub vcl_backend_response { set beresp.ttl = 0.05s; set beresp.grace = 100s; }") as s:
        assert s.get() == b"1"
        wait_until(lambda: s.get() == b"1" and s.origin.count("/") == 2, "a refresh has begun")
        s.invalidate(how)
        s.answers.gate.set()
        assert s.get() == b"3"


@pytest.mark.parametrize("how", HARD)
def test_a_validated_response_is_not_served_after_an_invalidation(how: str) -> None:
    with site(Numbered({2}, validate=True), "sub vcl_backend_response { set beresp.ttl = 0.05s; set beresp.grace = 0s; "
              "set beresp.keep = 100s; if (beresp.was_304) { set beresp.ttl = 100s; } }") as s:
        assert s.get() == b"1"
        wait_until(lambda: s.later() is not None and s.origin.count("/") == 2, "the origin has a conditional request")
        assert s.origin.seen("/")[1].headers["if-none-match"] == '"e"'
        s.invalidate(how)
        s.answers.gate.set()
        assert s.get() == b"3"


@pytest.mark.parametrize("how", HARD)
def test_only_requests_that_waited_before_the_invalidation_get_the_response(how: str) -> None:
    with site(Numbered({1})) as s:
        before = [s.later()]
        s.asked(1)
        before += [s.later() for _ in range(3)]
        wait_until(lambda: counter(s.daemon, "MAIN.busy_sleep") == 3, "three requests wait")
        s.invalidate(how)
        after = [s.later() for _ in range(2)]
        if how not in ("PURGE", "HARD"):            # after a purge by key, they ask the origin at once
            wait_until(lambda: counter(s.daemon, "MAIN.busy_sleep") == 5, "two more requests wait")
        s.answers.gate.set()
        served = {f.result(20).body[:1] for f in before}
        # the newer response may arrive first
        assert served == {b"1"} or (how in ("PURGE", "HARD") and served <= {b"1", b"2"})
        assert {f.result(20).body[:1] for f in after} == {b"2"}
        assert s.origin.count("/") == 2


@pytest.mark.parametrize("how", SOFT)
def test_after_a_soft_purge_the_response_is_stored_stale(how: str) -> None:
    with site(Numbered({1})) as s:
        first = s.later()
        s.asked(1)
        s.invalidate(how)
        s.answers.gate.set()
        assert first.result(20).body[:1] == b"1"
        assert s.get() == b"1"                      # in grace, while it is refreshed
        s.asked(2)
        wait_until(lambda: s.get() == b"2", "the refreshed response is served")


def test_a_ban_in_vcl_backend_response_spares_that_response() -> None:
    with site(Numbered(set()), 'sub vcl_backend_response { ban("obj.http.kind == page"); xkey.purge("tag"); }') as s:
        assert s.get() == b"1"
        assert s.get() == b"1"


def counter(d: Daemon, name: str) -> int:
    text = subprocess.run(["build/bin/vernis", "stat", "-n", str(d.workdir), "-1", "-f", name], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout
    return int(text.split()[1])
