"""One attacker of HTTP/2 at full speed, as a process of its own: benchmarks/http2_attacks.py starts it.

    benchmarks/h2_attacker.py PORT NAME SECONDS SMALL LARGE UPLOAD

A flood sends without waiting for answers, and begins another connection when the server closes one. Misuse
that holds sessions opens as many as tests/proxy/h2_misuse.py says, and a new one for each closed one.
Prints how many connections it made, how often the server closed one, and what it sent.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from proxy.h2_client import PREFACE, Type, frame, settings
from proxy.h2_misuse import Misuse, misuses

BATCH, BATCHES = 100, 200  # what a flood sends is made in advance; afterwards it takes another connection
REST_S = 0.001  # between two attempts to connect
RECEIVED = 1 << 18
SOURCE = "127.0.0.2"  # good clients have 127.0.0.1
IP_BIND_ADDRESS_NO_PORT = 24  # Linux: connections to other ports may share a source port


class Attacker:
    def __init__(self, misuse: Misuse, port: int) -> None:
        self.misuse = misuse
        self.port = port
        self.start = PREFACE + frame(Type.SETTINGS, 0, 0, settings(misuse.values))
        size = misuse.times or BATCH
        count = 1 if misuse.times else BATCHES
        self.batches = [
            b"".join(misuse.send(i) for i in range(n * size, (n + 1) * size)) for n in range(count)
        ]
        self.selector = selectors.DefaultSelector()
        self.left: dict[socket.socket, tuple[Iterator[bytes], bytes]] = {}
        self.made = self.closed = self.sent = self.refused = 0

    def open(self) -> None:
        s = socket.socket()
        try:
            s.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
            s.bind((SOURCE, 0))
            s.connect(("127.0.0.1", self.port))
        except OSError:
            self.refused += 1
            s.close()
            time.sleep(REST_S)
            return
        s.setblocking(False)
        self.made += 1
        self.left[s] = (iter(self.batches), self.start)
        reading = selectors.EVENT_READ if self.misuse.reads else 0
        self.selector.register(s, reading | selectors.EVENT_WRITE)

    def close(self, s: socket.socket) -> None:
        self.selector.unregister(s)
        del self.left[s]
        s.close()

    def send(self, s: socket.socket) -> None:
        batches, rest = self.left[s]
        try:
            while rest or (rest := next(batches, b"")):
                n = s.send(rest)
                self.sent += n
                rest = rest[n:]
            self.rest(s)
        except BlockingIOError:
            self.left[s] = (batches, rest)

    def rest(self, s: socket.socket) -> None:
        """All is sent: a flood goes on with another connection, what holds its session waits for its end."""
        if not self.misuse.times:
            self.close(s)
        elif self.misuse.reads:
            self.selector.modify(s, selectors.EVENT_READ)
        else:
            self.selector.unregister(s)

    def serve(self, s: socket.socket, events: int) -> None:
        try:
            if events & selectors.EVENT_READ and not s.recv(RECEIVED):
                raise ConnectionError
            if events & selectors.EVENT_WRITE:
                self.send(s)
        except BlockingIOError:
            pass
        except OSError:
            self.closed += 1
            self.close(s)

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if len(self.left) < self.misuse.sessions:
                self.open()
            for key, events in self.selector.select(0 if len(self.left) < self.misuse.sessions else 0.01):
                assert isinstance(key.fileobj, socket.socket)
                self.serve(key.fileobj, events)


def main() -> int:
    port, name, seconds, *targets = sys.argv[1:]
    misuse = next(m for m in misuses(*targets) if m.name == name)
    attacker = Attacker(misuse, int(port))
    attacker.run(float(seconds))
    print(
        json.dumps(
            {
                "made": attacker.made,
                "closed": attacker.closed,
                "sent": attacker.sent,
                "refused": attacker.refused,
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
