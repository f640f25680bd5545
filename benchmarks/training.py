"""The training load of `make build PROFILE=1` (mk/profile.mk): daemons with counters serve a mix of requests.

    benchmarks/training.py DAEMON

All of it is on 127.0.0.1. The first daemon has the built-in policy in front of benchmarks/floor.c: hits of
four sizes, misses and passes, over kept and short connections (benchmarks/fetch.c). The second has the policy
of examples/site in front of an origin here: pages with gzip, ESI, variants, ranges, conditional requests,
cookies, purges and refused requests. Fails if a response is not the expected one, because a profile of errors
would optimise the daemon for errors.
"""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

ROUNDS, ROUNDS_S = 5, 16.0  # another round starts only in this time
LIMIT_S = 60  # for all of it: a load that hangs fails
STOP_S = 20  # the daemon writes its profile when it ends

# The policy of examples/site, which compresses nothing and has no ESI.
SITE = """
sub vcl_backend_response {
    set beresp.do_gzip = beresp.http.Content-Type ~ "text/html";
    set beresp.do_esi = bereq.url ~ "^/esi/";
}
"""
BUILT_IN = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "8081"; }\n'

BROWSER = (
    "Host: www.example.com\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
    "Accept-Language: en-GB,en;q=0.5\r\nReferer: http://www.example.com/articles/\r\n"
)
GZIP = "Accept-Encoding: gzip, deflate, br\r\n"
LANGUAGE = "Cookie: _ga=GA1.2.3; lang=de\r\n"


@dataclass(frozen=True, slots=True)
class Load:
    """``fetches`` requests by benchmarks/fetch.c over ``parallel`` connections. N in ``targets`` is another
    number in each request. ``size`` is that of the bodies."""

    targets: str
    size: int
    parallel: int
    fetches: int
    connections: str = "keep"


@dataclass(frozen=True, slots=True)
class Burst:
    """``times`` equal requests in a row over one connection, and the status of their responses."""

    times: int
    status: int
    line: str
    fields: str = BROWSER + GZIP
    body: str = ""


# 19 of 20 requests are hits, for which the profile shall be best.
FLOOR_LOADS = [
    Load("/gen/100?as=hit", 100, 50, 16_000),
    Load("/gen/10000?as=hit", 10_000, 50, 8000),
    Load("/gen/1000?as=hit", 1000, 1, 2000),
    Load("/gen/65536?as=hit", 65_536, 8, 200),
    Load("/gen/100?as=hit", 100, 20, 1000, "close"),
    Load("/gen/1000?as=N", 1000, 20, 1000),
    Load("/gen/1000?N", 1000, 20, 400),
]
SITE_LOADS = [Load("/style.css", 1000, 50, 4000), Load("/logo.png", 20_000, 20, 300)]
BURSTS = [
    Burst(200, 200, "GET /articles/1.html"),
    Burst(50, 200, "GET /articles/1.html?utm_id=x&b=2&a=1", BROWSER + GZIP + LANGUAGE),
    Burst(50, 200, "GET /articles/1.html", BROWSER.replace("X11; Linux x86_64", "iPhone; Mobile") + GZIP),
    Burst(20, 200, "GET /articles/1.html", BROWSER),
    Burst(80, 304, "GET /articles/1.html", BROWSER + GZIP + 'If-None-Match: W/"1"\r\n'),
    Burst(50, 200, "GET /news.html"),
    Burst(30, 206, "GET /logo.png", BROWSER + "Range: bytes=100-1099\r\n"),
    Burst(20, 200, "HEAD /articles/1.html"),
    Burst(30, 200, "GET /account", BROWSER + GZIP + "Cookie: session=1\r\n"),
    Burst(20, 200, "POST /articles/1.html", BROWSER + "Content-Length: 9\r\n", "a=1&b=2&c"),
    Burst(20, 404, "GET /wp-config.php"),
    Burst(5, 404, "GET /missing"),
    Burst(20, 200, "GET /esi/1.html"),
    Burst(3, 200, "PURGE /articles/2.html"),
    *(Burst(2, 200, f"GET /articles/{n}.html") for n in range(2, 22)),
]


class Origin(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave in one segment

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        kind, body, age = "text/html", b"<p>A paragraph of the page.</p>\n" * 200, 3600
        if path == "/style.css":
            kind, body = "text/css", b"p{}\n" * 250
        elif path == "/logo.png":
            kind, body = "image/png", bytes(range(250)) * 80
        elif path == "/news.html":
            age = 1
        elif path.startswith("/esi/"):
            body = body[:3200] + b'<esi:include src="/articles/1.html"/><esi:remove>x</esi:remove>' + body
        if self.headers.get("If-None-Match") == '"1"':
            self.reply(304, kind, None, age)
        else:
            self.reply(404 if path == "/missing" else 200, kind, body, age)

    def do_POST(self) -> None:
        self.reply(200, "text/plain", self.rfile.read(int(self.headers["Content-Length"])), 0)

    def reply(self, status: int, kind: str, body: bytes | None, age: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("ETag", '"1"')
        self.send_header("Cache-Control", f"max-age={age}")
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        """Keeps the output of the build short."""


@contextmanager
def site_origin() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Origin) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield int(server.server_address[1])
        server.shutdown()


@contextmanager
def serve(daemon: Path, directory: Path, policy: str, origin: int) -> Iterator[int]:
    """Runs the daemon without its sandbox, which would not let the worker write a profile. The daemon writes
    it at its end."""
    directory.mkdir()
    file, log, port = directory / "policy.vcl", directory / "log", peers.free_port()
    file.write_text(policy.replace('"8081"', f'"{origin}"').replace('"8082"', f'"{origin}"'))
    child = peers.spawn(
        [
            *(daemon, "-F", "-j", "none,seccomp=off,landlock=off", "-n", directory / "work", "-T", "none"),
            *("-a", f"127.0.0.1:{port}", "-f", file, "-s", "malloc,64m", "-p", "loops=1"),
        ],
        log,
    )
    try:
        peers.wait_port(port, child, log)
        yield port
        child.terminate()
        if child.wait(STOP_S) != 0:
            raise SystemExit(f"{daemon} ended with {child.returncode}:\n{log.read_text()[-2000:]}")
    finally:
        child.kill()
        child.wait()


def run_load(client: Path, port: int, load: Load, round_: int) -> None:
    targets = [load.targets] if "N" not in load.targets else []
    for n in range(0 if targets else load.fetches):
        targets.append(load.targets.replace("N", f"{round_}-{n}"))
    lines = client.parent / "lines"
    lines.write_text("".join(f"{target} {load.size}\n" for target in targets))
    command = [client, port, load.parallel, load.fetches, load.connections, lines]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0 or json.loads(done.stdout)["failed"] != 0:
        raise SystemExit(f"{load}: {done.stdout}{done.stderr}")


def run_burst(port: int, burst: Burst) -> None:
    request = f"{burst.line} HTTP/1.1\r\n{burst.fields}\r\n{burst.body}"
    last = f"{burst.line} HTTP/1.1\r\n{burst.fields}Connection: close\r\n\r\n{burst.body}"
    got = b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as s:
        s.sendall((request * (burst.times - 1) + last).encode())
        while piece := s.recv(1 << 16):
            got += piece
    good = got.count(f"HTTP/1.1 {burst.status} ".encode())
    if good != burst.times:
        raise SystemExit(f"{good} of {burst.times} responses are as expected: {burst}\n{got[:400]!r}")


def train(daemon: Path, directory: Path) -> int:
    client, start, rounds = peers.program(directory, "fetch"), time.monotonic(), 0
    floor = peers.asked_origin(directory)
    site = (peers.ROOT / "examples/site/site.vcl").read_text() + SITE
    try:
        with (
            site_origin() as origin,
            serve(daemon, directory / "built-in", BUILT_IN, floor.port()) as built_in_port,
            serve(daemon, directory / "site", site, origin) as site_port,
        ):
            while rounds < ROUNDS and time.monotonic() - start < ROUNDS_S:
                for load in FLOOR_LOADS:
                    run_load(client, built_in_port, load, rounds)
                for load in SITE_LOADS:
                    run_load(client, site_port, load, rounds)
                for burst in BURSTS:
                    run_burst(site_port, burst)
                rounds += 1
    finally:
        floor.stop()
    return rounds


def too_long(*_: object) -> None:
    raise SystemExit(f"the training load took over {LIMIT_S} s")


def main(daemon: Path) -> None:
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(LIMIT_S)
    start = time.monotonic()
    try:
        # The first error where a build has no loopback interface: no server that starts in vain.
        with socket.create_server(("127.0.0.1", 0)) as s:
            socket.create_connection(s.getsockname(), timeout=5).close()
        with tempfile.TemporaryDirectory(prefix="vernis-train-") as tmp:
            rounds = train(daemon, Path(tmp))
    except (OSError, subprocess.SubprocessError) as error:
        raise SystemExit(f"training.py: {error}") from None
    print(f"  TRAIN {rounds} of {ROUNDS} rounds in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
