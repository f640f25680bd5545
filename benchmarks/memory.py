"""Resident memory under floods, compared with the size in -s: small objects, variants, bans, slow POSTs.

    benchmarks/memory.py [--sizes 64m,1g] [--floods objects,variants,bans,lurker,posts,cached_posts]
                         [--only vernis]

Each flood needs more memory than the storage has. The figure is the peak of the worker's private memory
(RssAnon), sampled during the flood and for two seconds afterwards. It does not include the log in shared
memory (vsl_space). "of given" is (peak - idle) / size in -s. Vernis and Varnish run one after the other, with
the same policy and load. The policy makes all responses, so no origin runs. Writes build/bench/memory.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

PIPELINE = 64
MB = 1 << 20

POLICY = """vcl 4.1;
import std;
backend default { .host = "127.0.0.1"; .port = "@PORT@"; }
sub vcl_recv {
    if (req.url ~ "^/ban/") {
        if (!std.ban("req.url ~ ^/never" + req.url + "$")) {
            return (synth(503));
        }
        return (synth(204));
    }
    if (req.url ~ "^/lurker/") {
        if (!std.ban("obj.http.X-Url ~ ^/never" + req.url + "$")) {
            return (synth(503));
        }
        return (synth(204));
    }
    if (req.url ~ "^/keep/" && !std.cache_req_body(64MB)) {
        return (synth(503));
    }
    if (req.method == "POST") {
        return (pass);
    }
    return (hash);
}
sub vcl_backend_fetch {
    if (bereq.method != "POST") {
        return (error(200));
    }
}
sub vcl_backend_error {
    set beresp.ttl = 1h;
    set beresp.http.X-Url = bereq.url;
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.http.Cache-Control = "max-age=3600";
    set beresp.http.ETag = {""4f2a91c07d3e-64""};
    set beresp.http.Last-Modified = "Tue, 14 Nov 2023 20:00:00 GMT";
    if (bereq.http.Variant) {
        set beresp.http.Vary = "Variant";
        synthetic({"@BODY@"});
    } else {
        synthetic({"@SMALL@"});
    }
    return (deliver);
}
"""
VARIANT_BYTES, SMALL_BYTES, VARIANTS = 8000, 100, 1300
PIECE = b"x" * 65536


def bytes_of(text: str) -> int:
    return int(text[:-1]) * {"k": 1 << 10, "m": MB, "g": 1 << 30}[text[-1].lower()]


def worker_of(pids: list[int]) -> int:
    names = {Path(f"/proc/{pid}/comm").read_text().strip(): pid for pid in pids}
    return next(pid for name, pid in names.items() if name in ("vernisd-worker", "cache-main"))


class Peak:
    """The largest sample of the worker's private memory."""

    def __init__(self, pids: Callable[[], list[int]]) -> None:
        self.pid = worker_of(pids())
        self.bytes = self.idle = peers.held_bytes(self.pid)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._sample)
        self.thread.start()

    def _sample(self) -> None:
        while not self.ended.wait(0.05):
            self.bytes = max(self.bytes, peers.held_bytes(self.pid))

    def end(self) -> int:
        self.ended.set()
        self.thread.join()
        return peers.held_bytes(self.pid)


def send_all(port: int, requests: Callable[[int], bytes], first: int, last: int, refused: list[int]) -> None:
    """Sends pipelined requests whose responses have no body, and counts responses above 499."""
    with socket.create_connection(("127.0.0.1", port), timeout=120) as s:
        for at in range(first, last, PIPELINE):
            n = min(PIPELINE, last - at)
            s.sendall(b"".join(requests(i) for i in range(at, at + n)))
            got = b""
            while got.count(b"\r\n\r\n") < n:
                data = s.recv(1 << 18)
                if not data:
                    raise ConnectionError(f"closed after {got[-300:]!r}")
                got += data
            refused[0] += got.count(b"HTTP/1.1 5")


def flood(port: int, requests: Callable[[int], bytes], n: int, connections: int = 4) -> str:
    refused = [0]
    share = (n + connections - 1) // connections
    threads = [
        threading.Thread(target=send_all, args=(port, requests, i, min(i + share, n), refused))
        for i in range(0, n, share)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return f"{n} requests" + (f", {refused[0]} refused" if refused[0] else "")


def head(url: str, fields: str = "") -> bytes:
    return f"HEAD {url} HTTP/1.1\r\nHost: bench\r\n{fields}\r\n".encode()


def small_objects(port: int, given: int, scale: float) -> str:
    return flood(port, lambda i: head(f"/object/{i:016d}"), int(given / 275 * scale))


def variants(port: int, given: int, scale: float) -> str:
    keys = max(2, int(given * 1.6 * scale / (VARIANTS * VARIANT_BYTES)))
    return flood(port, lambda i: head(f"/v/{i % keys}", f"Variant: {i // keys}\r\n"), keys * VARIANTS)


def bans(port: int, given: int, scale: float, kind: str = "ban") -> str:
    held = flood(port, lambda i: head(f"/held/{i}"), 1000)
    return f"{held}, then bans: " + flood(
        port, lambda i: head(f"/{kind}/{i:08d}"), int(given / 500 * scale), 1
    )


def lurker(port: int, given: int, scale: float) -> str:
    return bans(port, given, scale, "lurker")


def slow_posts(port: int, given: int, scale: float, url: str = "/post", body: int = 0) -> str:
    n = min(4000, int(given * 1.5 * scale / (body or 100_000)))
    body = body or 100_000
    held: list[tuple[socket.socket, int]] = []
    answered = 0
    for i in range(n):
        s = socket.create_connection(("127.0.0.1", port), timeout=10)
        s.sendall(f"POST {url}/{i} HTTP/1.1\r\nHost: bench\r\nContent-Length: {body + 1}\r\n\r\n".encode())
        s.setblocking(False)
        held.append((s, body))
    idle_since = time.monotonic()
    while time.monotonic() < idle_since + 0.5:
        for i, (s, left) in enumerate(held):
            try:
                if left > 0 and (sent := s.send(PIECE[: min(left, len(PIECE))])) > 0:
                    held[i] = (s, left - sent)
                    idle_since = time.monotonic()
            except BlockingIOError:
                continue
            except OSError:
                held[i] = (s, 0)
    for s, _ in held:
        try:
            answered += bool(s.recv(100))
        except OSError:
            pass
    for s, _ in held:
        s.close()
    return f"{n} connections of {body} bytes" + (f", {answered} refused" if answered else "")


def cached_posts(port: int, given: int, scale: float) -> str:
    return slow_posts(port, given, scale, "/keep", max(500_000, int(given * 1.5 * scale) // 2000))


@dataclass
class Flood:
    run: Callable[[int, int, float], str]
    params: tuple[str, ...] = ()


FLOODS = {
    "objects": Flood(small_objects),
    "variants": Flood(variants),
    "bans": Flood(bans, ("-p", "ban_dups=off")),
    "lurker": Flood(lurker, ("-p", "ban_dups=off", "-p", "ban_lurker_age=3600")),
    "posts": Flood(slow_posts),
    "cached_posts": Flood(cached_posts),
}


@dataclass
class Row:
    server: str
    flood: str
    given: int
    idle: int
    peak: int
    after: int
    load: str
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.server:<8} {self.flood:<13} given {self.given // MB:5} MB  "
            f"idle {self.idle / MB:6.1f}  peak {self.peak / MB:8.1f}  after {self.after / MB:8.1f}  "
            f"of given {(self.peak - self.idle) / self.given:5.2f}  {self.load}  [{self.seconds:.0f} s]"
        )


class SilentOrigin:
    """Accepts connections and never reads, so that request bodies pile up in the proxy."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.listening.getsockname()[1]
        self.held: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                self.held.append(self.listening.accept()[0])
            except OSError:
                return

    def close(self) -> None:
        self.listening.close()
        for s in self.held:
            s.close()


def policy_of(directory: Path, origin_port: int) -> Path:
    text = (
        POLICY.replace("@PORT@", str(origin_port))
        .replace("@BODY@", "v" * VARIANT_BYTES)
        .replace("@SMALL@", "s" * SMALL_BYTES)
    )
    path = directory / "memory.vcl"
    path.write_text(text)
    return path


def start(name: str, directory: Path, vcl: Path, size: str, params: tuple[str, ...]) -> peers.Server:
    port, work, log = peers.free_port(), directory / name, directory / f"{name}.log"
    work.mkdir()
    program: list[object] = [peers.ROOT / "build/bin/vernisd"] if name == "vernis" else ["varnishd"]
    own = (
        ["-T", "none"]
        if name == "vernis"
        else ["-j", "none", "-T", "127.0.0.1:0", "-p", "thread_pool_max=5000"]
    )
    child = peers.spawn(
        [
            *program,
            "-F",
            "-n",
            work,
            "-a",
            f"127.0.0.1:{port}",
            "-f",
            vcl,
            "-s",
            f"malloc,{size}",
            *own,
            "-p",
            "timeout_idle=600",
            *params,
        ],
        log,
    )
    peers.wait_port(port, child, log)
    return peers.Server(name, "", [child], port)


def measure(name: str, kind: str, size: str, scale: float) -> Row:
    given, begun = bytes_of(size), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        Path(tmp).chmod(0o755)
        origin = SilentOrigin()
        server = start(name, Path(tmp), policy_of(Path(tmp), origin.port), size, FLOODS[kind].params)
        try:
            flood(server.port(), lambda i: head(f"/first/{i}"), 10, 1)
            time.sleep(0.5)
            peak = Peak(server.pids)
            load = FLOODS[kind].run(server.port(), given, scale)
            time.sleep(2)
            after = peak.end()
            return Row(name, kind, given, peak.idle, peak.bytes, after, load, time.monotonic() - begun)
        finally:
            server.stop()
            origin.close()


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--sizes", default="64m,1g")
    ap.add_argument("--floods", default=",".join(FLOODS))
    ap.add_argument("--only", choices=("vernis", "varnish"))
    ap.add_argument("--scale", type=float, default=1.0, help="factor of the load")
    args = ap.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    rows = []
    for size in args.sizes.split(","):
        for kind in args.floods.split(","):
            for name in [args.only] if args.only else ["vernis", "varnish"]:
                rows.append(measure(name, kind, size, args.scale))
                print(rows[-1], flush=True)
    out = peers.ROOT / "build/bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "memory.json").write_text(json.dumps([asdict(r) for r in rows], indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
