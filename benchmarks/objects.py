"""Memory per stored object, in Vernis and Varnish: growth of PSS by N small objects, divided by N.

    benchmarks/objects.py [--objects 1000000]

An object has a body of 100 bytes, 8 fields and a URL of 24 bytes. Clients request all objects over several
keep-alive connections, and the origin answers every URL. Writes build/bench/objects.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

PIPELINE = 64
CONNECTIONS = 16


async def fill(port: int, first: int, last: int) -> None:
    """Requests /object/<16 digits> (24 bytes) for [first, last), pipelined."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    for at in range(first, last, PIPELINE):
        n = min(PIPELINE, last - at)
        writer.write(
            b"".join(b"GET /object/%016d HTTP/1.1\r\nHost: bench\r\n\r\n" % i for i in range(at, at + n))
        )
        for _ in range(n):
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            if b"Content-Length: 100\r\n" in head:
                await reader.readexactly(100)
            else:
                assert b"chunked" in head, head
                while True:
                    size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
                    await reader.readexactly(size + 2)
                    if size == 0:
                        break
    writer.close()


async def fill_all(port: int, n: int) -> None:
    share = (n + CONNECTIONS - 1) // CONNECTIONS
    await asyncio.gather(*(fill(port, i, min(i + share, n)) for i in range(0, n, share)))


def measure(server: peers.Server, n: int) -> float:
    asyncio.run(fill_all(server.port(), 1000))
    time.sleep(1)
    before = peers.pss_bytes(server.pids())
    asyncio.run(fill_all(server.port(), n))
    time.sleep(2)
    return (peers.pss_bytes(server.pids()) - before) / (n - 1000)


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--objects", type=int, default=1_000_000)
    args = ap.parse_args()
    results: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        origin = peers.origin(directory, [100])
        servers = [origin]
        try:
            for start in (peers.vernis, peers.varnish):
                server = start(directory, origin.port(), 2, storage="4g")
                servers.append(server)
                results[server.name] = measure(server, args.objects)
                print(
                    f"{server.name:<10} {results[server.name]:8.0f} bytes per stored object, "
                    f"{args.objects} objects"
                )
                server.stop()
                servers.remove(server)
        finally:
            for server in servers:
                server.stop()
    out = peers.ROOT / "build/bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "objects.json").write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
