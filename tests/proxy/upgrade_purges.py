"""Upgrades under load with invalidations of each kind: no client may get a version of an object that is older
than its last confirmed invalidation.

    build/venv/bin/python tests/proxy/upgrade_purges.py --answers 100000

Each object has a version, which the origin sends as its body. A writer raises the version at the origin and
invalidates the object until the daemon confirms. A client reads the last confirmed version before it sends its
request; an older answer is stale.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proxy.origin import Origin, Reply, Request
from proxy.upgrade_load import Line, connect, exchange

OBJECTS = 64
POLICY = '''vcl 4.1;
import purge; import std; import xkey;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    if (req.method == "PURGE") {{ return (purge); }}
    if (req.method == "BAN") {{ ban("obj.http.x-name == " + req.http.name); return (synth(200)); }}
    if (req.method == "STDBAN") {{
        if (std.ban("obj.http.x-name == " + req.http.name)) {{ return (synth(200)); }}
        return (synth(503));
    }}
    if (req.method == "XKEY") {{ if (xkey.purge(req.http.name) >= 0) {{ return (synth(200)); }} }}
    if (req.method == "SOFTXKEY") {{ if (xkey.softpurge(req.http.name) >= 0) {{ return (synth(200)); }} }}
    if (req.method == "HARD" || req.method == "SOFT") {{ set req.http.how = req.method; set req.method = "GET"; return (hash); }}
}}
sub how {{
    if (req.http.how == "HARD") {{ purge.hard(); return (synth(200)); }}
    if (req.http.how == "SOFT") {{ purge.soft(0s, 0s, 60s); return (synth(200)); }}
}}
sub vcl_hit {{ call how; }}
sub vcl_miss {{ call how; }}
sub vcl_backend_response {{ set beresp.ttl = 600s; set beresp.grace = 0s; set beresp.keep = 60s; }}
'''
METHODS = ("PURGE", "BAN", "STDBAN", "XKEY", "SOFTXKEY", "HARD", "SOFT")
COMMANDS = ("vernis.purge 127.0.0.1 GET {url} Host:site", "vernis.purge -s 127.0.0.1 GET {url} Host:site", "vernis.purge_key {name}",
            "vernis.purge_key -s {name}", "ban obj.http.x-name == {name}")
KINDS = METHODS + COMMANDS + ("GROUP",)


@dataclass(slots=True)
class World:
    """The versions of all objects at the origin, and those that an invalidation has confirmed."""

    current: list[int] = field(default_factory=lambda: [1] * OBJECTS)
    confirmed: list[int] = field(default_factory=lambda: [0] * OBJECTS)
    kinds: list[str] = field(default_factory=lambda: [""] * OBJECTS)        # of the last confirmed invalidation
    answers: int = 0
    stale: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    invalidations: dict[str, int] = field(default_factory=dict)
    refused: int = 0
    upgrades: int = 0
    ended: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> Reply:
        number = int(request.url.rsplit("/", 1)[1])
        if request.method == "POST":
            return Reply(body=b"0", headers={"Cache-Group-Invalidation": f'"g{number}"'})
        version = self.current[number]
        tags = {"ETag": f'"{version}"', "xkey": f"n{number}", "X-Name": f"n{number}", "Cache-Groups": f'"g{number}"'}
        if request.headers.get("if-none-match") == f'"{version}"':
            return Reply(304, headers=tags)
        return Reply(body=str(version).encode(), headers=tags)


def request_of(method: str, number: int) -> bytes:
    length = "Content-Length: 0\r\n" if method == "POST" else ""
    return f"{method} /o/{number} HTTP/1.1\r\nHost: site\r\nName: n{number}\r\n{length}\r\n".encode()


def client(world: World, port: int, seed: int) -> None:
    """Asks on kept connections, with a new one where the daemon announces a close."""
    draw, sock, asked = random.Random(seed), None, 0
    while not world.ended.is_set():
        number = draw.randrange(OBJECTS)
        least = world.confirmed[number]
        try:
            sock, asked = (connect(port), 0) if sock is None else (sock, asked + 1)
            head, body = exchange(sock, request_of("GET", number))
        except OSError as error:
            world.lost.append(f"request {asked} of its connection: {error!r}")
            sock = None
            continue
        with world.lock:
            world.answers += 1
            if int(body) < least:
                world.stale.append(f"object {number}: version {int(body)} after {world.kinds[number]} of {least}: {head!r}")
        if b"connection: close" in head.lower() or draw.random() < 0.02:
            sock.close()
            sock = None


class Writer:
    """Raises versions and invalidates, with one kind after the other, each over a connection that is kept."""

    def __init__(self, world: World, line: Line, port: int, seed: int) -> None:
        self.world, self.line, self.port = world, line, port
        self.draw = random.Random(seed)
        self.kept = [connect(port) for _ in range(4)]

    def run(self) -> None:
        for kind in itertools.cycle(KINDS):
            if self.world.ended.wait(0.01):
                return
            number = self.draw.randrange(OBJECTS)
            with self.world.lock:
                self.world.current[number] += 1
                version = self.world.current[number]
            while not self.try_once(kind, number):
                self.world.refused += 1
                if self.world.ended.wait(0.005):
                    return
            with self.world.lock:
                if version > self.world.confirmed[number]:
                    self.world.confirmed[number], self.world.kinds[number] = version, kind
                self.world.invalidations[kind] = self.world.invalidations.get(kind, 0) + 1

    def try_once(self, kind: str, number: int) -> bool:
        try:
            if kind in COMMANDS:
                with self.line.connect() as cli:
                    return cli.ask(kind.format(url=f"/o/{number}", name=f"n{number}"))[0] == 200
            return self.by_request("POST" if kind == "GROUP" else kind, number)
        except (OSError, EOFError):
            return False

    def by_request(self, method: str, number: int) -> bool:
        at = self.draw.randrange(len(self.kept))
        try:
            head, _ = exchange(self.kept[at], request_of(method, number))
        except OSError:
            self.kept[at] = connect(self.port)
            raise
        if b"connection: close" in head.lower():
            self.kept[at] = connect(self.port)
        return head.startswith(b"HTTP/1.1 200 ")


def run(folder: Path, answers: int, clients: int = 8, writers: int = 2, pause_s: float = 1.0) -> World:
    """Upgrades again and again until the clients have that many answers."""
    world = World()
    with Origin(world.answer) as origin, Line(folder, POLICY.format(port=origin.port), ["-p", "feature=+rfc9111"]) as line:
        port = line.port_cached
        threads = [threading.Thread(target=client, args=(world, port, n), daemon=True) for n in range(clients)]
        threads += [threading.Thread(target=Writer(world, line, port, n).run, daemon=True) for n in range(writers)]
        for thread in threads:
            thread.start()
        while world.answers < answers or world.upgrades < 2:
            time.sleep(pause_s)
            line.upgrade()
            world.upgrades += 1
        world.ended.set()
        for thread in threads:
            thread.join(30)
    return world


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=8)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        world = run(Path(folder), args.answers, args.clients)
    print(f"{len(world.stale)} stale of {world.answers} answers over {world.upgrades} upgrades; {len(world.lost)} requests lost; "
          f"{sum(world.invalidations.values())} invalidations confirmed, {world.refused} attempts refused and repeated")
    for kind, n in sorted(world.invalidations.items()):
        print(f"  {n:6} {kind}")
    for text in (world.stale + world.lost)[:10]:
        print(text)
    return 1 if world.stale or world.lost else 0


if __name__ == "__main__":
    sys.exit(main())
