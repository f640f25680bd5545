"""Mixed traffic on two loops of daemons built with sanitizers reports no error, breaks no invariant, and
leaves no request without a response.

The traffic: hits, misses, passes, bodies both ways, variants, grace, restarts, retries, purges, pipes, slow
readers, clients that leave at any moment, and policy changes. Leaks at the worker's end count as errors.
Skipped unless `make build/asan/vernisd` and `make build/tsan/vernisd` have been run.
"""

from __future__ import annotations

import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from proxy import daemon as daemon_module
from proxy.daemon import ROOT, Daemon
from proxy.origin import Client, Origin, Reply, Request

SECONDS = 12.0
SEEDS = 10
FOUND = ("AddressSanitizer", "ThreadSanitizer", "LeakSanitizer", "runtime error", "Broken invariant")

# {word} identifies the version of the policy.
POLICY = """vcl 4.1;
import std;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    unset req.http.restarted;
    if (req.restarts > 0) {{ set req.http.restarted = "yes"; }}
    if (req.method == "PURGE") {{ return (purge); }}
    if (req.url ~ "^/pipe") {{ return (pipe); }}
    if (req.url ~ "^/pass") {{ return (pass); }}
    if (req.url ~ "^/synth") {{ return (synth(418, "{word}")); }}
    if (req.url ~ "^/body") {{ std.cache_req_body(100KB); }}
    if (req.url ~ "^/restart" && req.restarts == 0) {{ return (restart); }}
}}
sub vcl_backend_response {{
    if (bereq.url ~ "^/retry" && bereq.retries == 0) {{ return (retry); }}
    if (bereq.url ~ "^/grace") {{ set beresp.ttl = 1ms; set beresp.grace = 1m; }}
    if (bereq.url ~ "^/hfm") {{ set beresp.uncacheable = true; set beresp.ttl = 50ms; }}
    if (bereq.url ~ "^/hfp") {{ return (pass(50ms)); }}
    if (bereq.url ~ "^/whole") {{ set beresp.do_stream = false; }}
}}
sub vcl_deliver {{ set resp.http.policy = "{word}"; }}
"""


def answer(r: Request) -> Reply:
    name = r.url.split("?")[0].strip("/").rstrip("0123456789")
    headers = {"Cache-Control": "max-age=1"}
    if name == "vary":
        headers["Vary"] = "X-Variant"
    if name == "error" or (name == "hit" and random.random() < 0.01):
        return Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut", close=True)
    if name in ("chunked", "pass", "hfm"):
        body = b"5\r\nhello\r\n" * 20 + b"ffff\r\n" + b"x" * 0xffff + b"\r\n"
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nCache-Control: max-age=1\r\nTransfer-Encoding: chunked\r\n\r\n", body, body, b"0\r\n\r\n"])
    if name == "large":
        return Reply(body=b"y" * 700_000, headers=headers)
    if name == "pipe":
        return Reply(body=b"piped", close=True)
    if name == "conditional":
        if r.headers.get("if-none-match"):
            return Reply(304, headers=headers | {"ETag": '"e"'})
        return Reply(body=b"c" * 100, headers=headers | {"ETag": '"e"'})
    return Reply(body=b"%d bytes of body" % len(r.body) * 50, headers=headers)


GETS = ("hit", "miss", "vary", "chunked", "large", "pass", "hfm", "hfp", "grace", "retry", "restart", "whole", "conditional",
        "error", "synth")


def url(rng: random.Random) -> str:
    return f"/{rng.choice(GETS)}{rng.randrange(SEEDS)}" + (f"?{rng.random()}" if rng.random() < 0.2 else "")


def ordinary(port: int, rng: random.Random) -> None:
    """A connection for several requests."""
    with Client(port) as c:
        for _ in range(rng.randrange(1, 20)):
            kind = rng.random()
            if kind < 0.1:
                r = c.request(f"/{rng.choice(('body', 'pass', 'restart'))}{rng.randrange(SEEDS)}", "POST", body=b"b" * rng.randrange(60_000))
            elif kind < 0.2:
                c.send(b"POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"4\r\nbody\r\n" * rng.randrange(1, 2000)
                       + b"0\r\n\r\n")
                r = c.response()
            elif kind < 0.25:
                r = c.request(url(rng), "PURGE")
            elif kind < 0.35:
                r = c.request(url(rng), "HEAD")
            else:
                r = c.request(url(rng), headers={"X-Variant": str(rng.randrange(3)), "Range": f"bytes={rng.randrange(50)}-"}
                              if rng.random() < 0.2 else {"X-Variant": str(rng.randrange(3))})
            assert r.status in (200, 206, 416, 418, 503), r


def pipelined(port: int, rng: random.Random) -> None:
    with Client(port) as c:
        n = rng.randrange(2, 40)
        c.send(b"".join(b"GET /hit%d HTTP/1.1\r\nHost: a\r\n\r\n" % rng.randrange(SEEDS) for _ in range(n)))
        for _ in range(n):
            c.response()


def aborting(port: int, rng: random.Random) -> None:
    """Leaves in the middle: of the request, of its body, before the response or within it; by FIN or by
    reset."""
    with Client(port) as c:
        head = b"%s %s HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" % (rng.choice((b"GET", b"POST")), url(rng).encode())
        c.send((head + b"z" * 5000)[:rng.randrange(1, len(head) + 5000)])
        if rng.random() < 0.5:
            time.sleep(rng.random() * 0.02)
        if rng.random() < 0.5:
            c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def leaving_early(port: int, rng: random.Random) -> None:
    with Client(port) as c:
        c.send(b"GET /%s%d HTTP/1.1\r\nHost: a\r\n\r\n" % (rng.choice((b"large", b"chunked", b"pass", b"hfm")), rng.randrange(SEEDS)))
        c.sock.recv(rng.randrange(1, 10_000))


def slow(port: int, rng: random.Random) -> None:
    with Client(port) as c:
        c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        c.send(b"GET /%s%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % (rng.choice((b"large", b"chunked", b"hfm")), rng.randrange(SEEDS)))
        while c.sock.recv(60_000):
            time.sleep(0.002)


def piping(port: int, rng: random.Random) -> None:
    with Client(port) as c:
        c.send(b"GET /pipe HTTP/1.1\r\nHost: a\r\n\r\n")
        if rng.random() < 0.7:
            while c.sock.recv(65536):
                pass


def half_closing(port: int, rng: random.Random) -> None:
    with Client(port) as c:
        c.send(b"GET %s HTTP/1.1\r\nHost: a\r\n\r\n" % url(rng).encode())
        c.sock.shutdown(socket.SHUT_WR)
        c.response()


BEHAVIOURS: tuple[Callable[[int, random.Random], None], ...] = (
    ordinary, ordinary, ordinary, pipelined, aborting, aborting, leaving_early, slow, piping, half_closing)


def drive(port: int, seed: int, end: float, problems: list[str], done: Counter[str]) -> None:
    """Runs one client after another. An origin that cuts and a policy that fails cause cut responses and
    resets; a missing response is an error."""
    rng = random.Random(seed)
    while time.monotonic() < end:
        behave = rng.choice(BEHAVIOURS)
        try:
            behave(port, rng)
            done[behave.__name__] += 1
        except TimeoutError:
            problems.append(f"{behave.__name__}: no answer")
        except (OSError, EOFError, ValueError):
            done["cut"] += 1
        except AssertionError as e:
            problems.append(f"{behave.__name__}: {e!r}")


@pytest.mark.parametrize("kind", ["asan", "tsan"])
def test_mixed_load_gives_no_findings(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = ROOT / "build" / kind / "vernisd"
    if not binary.exists():
        pytest.skip(f"make build/{kind}/vernisd must run first")
    monkeypatch.setattr(daemon_module, "VERNISD", binary)
    env = {"ASAN_OPTIONS": "detect_leaks=1:exitcode=99", "TSAN_OPTIONS": "halt_on_error=0:second_deadlock_stack=1",
           "VERNIS_COMPILER": str(ROOT / "build" / "bin" / "vernis")}
    args = ("-p", "loops=2", "-p", "transit_buffer=64k", "-p", "timeout_idle=2", "-p", "shutdown_timeout=600",
            "-s", "malloc,4m")
    problems: list[str] = []
    done: Counter[str] = Counter()
    with Origin(answer) as origin:
        with Daemon(tmp_path, POLICY.format(port=origin.port, word="boot"), args, env=env) as d:
            worker, port = d.worker_pid, d.port
            end = time.monotonic() + SECONDS
            threads = [threading.Thread(target=drive, args=(port, i, end, problems, done)) for i in range(10)]
            for t in threads:
                t.start()
            versions = 0
            while time.monotonic() < end:
                versions += 1
                d.load(f"p{versions}", POLICY.format(port=origin.port, word=f"p{versions}"))
                d.use(f"p{versions}")
                d.ok("vcl.discard " + (f"p{versions - 1}" if versions > 1 else "boot"))
            for t in threads:
                t.join()
            assert d.worker_pid == worker, f"the worker died\n{d.logs}"
            assert d.stop() == 0        # within START_S: every connection was counted off, so it did not wait for shutdown_timeout
        logs = d.logs
    assert not [word for word in FOUND if word in logs], logs
    assert not problems, Counter(problems)
    assert versions > 1 and all(done[b.__name__] > 0 for b in BEHAVIOURS), done
