"""Good clients of Vernis beside one HTTP/2 session with 100 requests that wait for a slow origin.

    benchmarks/http2_waiting.py [--rounds 7] [--seconds 3] [--streams 100] [--clients 50] [--rate 40]
                                [--limits]

Reports the 50th and 99th percentile of the good clients' times (h2load: hits, 40 a second of each client)
with and without the session, in pairs. Their origin takes connections and never answers.

--limits: exit code 1 if the 99th percentile rises by more than a fifth (the median of the pairs), or a
request fails. Writes build/bench/http2_waiting.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import h2_servers
import hits
import peers
from proxy.h2_client import PREFACE, Flag, Type, block, frame, pseudo, settings

RISE_MOST = 1.2
SIZE = 100


@dataclass(slots=True)
class Times:
    """Of the good clients, in microseconds."""

    p50: float
    p99: float
    failed: int


def good_clients(port: int, log: Path, args: argparse.Namespace) -> Times:
    """The log of h2load has a line for each request: start, status, microseconds."""
    log.unlink(missing_ok=True)
    command = h2_servers.good_clients(args.clients, args.rate, args.seconds)
    command += [f"--log-file={log}", f"http://127.0.0.1:{port}/{SIZE}.html"]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    rows = [line.split("\t") for line in log.read_text().splitlines()]
    took = sorted(float(row[2]) for row in rows)
    return Times(took[len(took) // 2], took[len(took) * 99 // 100], sum(row[1] != "200" for row in rows))


@contextmanager
def waiting(port: int, streams: int) -> Iterator[None]:
    """A session whose requests wait; all of them have reached the server."""
    with socket.create_connection(("127.0.0.1", port), 10, ("127.0.0.2", 0)) as s:
        heads = (
            frame(Type.HEADERS, Flag.END_STREAM | Flag.END_HEADERS, 2 * i + 1, block(pseudo(f"/slow/{i}")))
            for i in range(streams)
        )
        s.sendall(PREFACE + frame(Type.SETTINGS, 0, 0, settings({})) + b"".join(heads))
        s.sendall(frame(Type.PING, 0, 0, b"all here"))
        got = b""
        while frame(Type.PING, Flag.ACK, 0, b"all here") not in got:
            more = s.recv(65536)
            assert more, "the server closed the session"
            got += more
        yield


@contextmanager
def server(directory: Path, args: argparse.Namespace) -> Iterator[h2_servers.Pair]:
    """Vernis before an origin that serves files, and a second one for /slow that never answers."""
    silent = socket.create_server(("127.0.0.1", 0), backlog=1000)
    port = silent.getsockname()[1]
    slow = f'backend slow {{ .host = "127.0.0.1"; .port = "{port}"; .first_byte_timeout = 600s; }}\n'
    hook = 'sub vcl_recv { if (req.url ~ "^/slow/") { set req.backend_hint = slow; } }\n'
    origin = peers.origin(directory, [SIZE])
    end = '.port = "@ORIGIN@";\n}\n'
    try:
        peers.EDITS[end] = end + slow + hook
        site = h2_servers.Site(directory, origin.port(), args.threads, tuple(args.vernis_arg))
        pair = h2_servers.vernis(site)
        try:
            peers.get(pair.h2, f"/{SIZE}.html")
            yield pair
        finally:
            pair.server.stop()
    finally:
        origin.stop()
        silent.close()


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--seconds", type=float, default=3)
    ap.add_argument("--streams", type=int, default=100)
    ap.add_argument("--clients", type=int, default=50)
    ap.add_argument("--rate", type=int, default=40, help="requests a second of each good client")
    ap.add_argument("--threads", type=int, default=1, help="threads of the server")
    ap.add_argument("--vernis-arg", action="append", default=[], help="extra argument for vernisd")
    ap.add_argument("--limits", action="store_true")
    args = ap.parse_args()
    hits.OUT.mkdir(parents=True, exist_ok=True)
    pairs: list[tuple[Times, Times]] = []
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        with server(directory, args) as vernis:
            good_clients(vernis.h2, directory / "h2load.log", args)
            for i in range(args.rounds):
                alone = good_clients(vernis.h2, directory / "h2load.log", args)
                with waiting(vernis.h2, args.streams):
                    beside = good_clients(vernis.h2, directory / "h2load.log", args)
                pairs.append((alone, beside))
                p50 = f"p50 {alone.p50:.0f} us, beside {beside.p50:.0f}"
                p99 = f"p99 {alone.p99:.0f} us, beside {beside.p99:.0f}"
                print(f"round {i + 1}: {p50}; {p99}; failed {alone.failed + beside.failed}", flush=True)
    rises = sorted(beside.p99 / alone.p99 for alone, beside in pairs)
    rise, failed = statistics.median(rises), sum(a.failed + b.failed for a, b in pairs)
    span = f"[{rises[0]:.2f} .. {rises[-1]:.2f}]"
    print(f"p99 beside {args.streams} waiting streams, over alone: {rise:.2f} {span}")
    result = {
        "machine": platform.platform(),
        "date": time.strftime("%Y-%m-%d"),
        "rise": rise,
        "pairs": [[asdict(a), asdict(b)] for a, b in pairs],
    }
    (hits.OUT / "http2_waiting.json").write_text(json.dumps(result, indent=1))
    return 1 if args.limits and (rise > RISE_MOST or failed) else 0


if __name__ == "__main__":
    raise SystemExit(main())
