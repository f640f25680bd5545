"""A daemon with its successors, and many kinds of clients at once, which record every request without a whole
response. An upgrade of the daemon must cause none.

    PYTHONPATH=tests python -m proxy.upgrade_load PORT      # until SIGTERM; exit code 1: requests are lost
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from proxy.daemon import Daemon, wait_until

PAUSE_S = 0.02
PATIENCE_S = 20.0

Kind = Literal["kept", "fresh"]        # a connection for many requests, or one per request


def is_alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


class Line(Daemon):
    """A daemon and its successors."""

    service_manager: socket.socket

    def __enter__(self) -> Line:
        return self

    @property
    def pid(self) -> int:
        return int((self.workdir / "_.pid").read_text())

    def forget_connection(self) -> None:
        if self._cli is not None:
            self._cli.close()
        self._cli = None

    def upgrade(self) -> list[str]:
        """Returns the lines of the answer behind the first one: what the new daemon has and has not."""
        before = self.pid
        text = self.ok("vernis.upgrade")
        self.forget_connection()
        first, *rest = text.splitlines()
        assert first == f"Daemon {self.pid} has taken over from {before}.", text
        return rest

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.forget_connection()
        pid = self.pid if (self.workdir / "_.pid").exists() else self.process.pid
        if pid != self.process.pid:
            os.kill(pid, number)
            wait_until(lambda: not is_alive(pid), "the newer daemon ends")
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(30)
        shutil.rmtree(self.workdir, ignore_errors=True)
        return code


@dataclass(slots=True)
class Clients:
    """Threads that send requests until ``stop``. ``address`` is a port of 127.0.0.1 or the path of a Unix
    socket."""

    answered: int = 0
    moved: int = 0                      # connections that the server ended with Connection: close
    words: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    threads: list[threading.Thread] = field(default_factory=list)

    def add(self, n: int, kind: Kind, address: int | str, proxy: bool = False) -> None:
        for _ in range(n):
            thread = threading.Thread(target=self._run, args=(kind, address, proxy), daemon=True)
            thread.start()
            self.threads.append(thread)

    def stop(self) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join(PATIENCE_S)

    def _run(self, kind: Kind, address: int | str, proxy: bool) -> None:
        sock: socket.socket | None = None
        requests = 0
        while not self.ended.wait(PAUSE_S):
            try:
                if sock is None:
                    sock = connect(address, proxy)
                    requests = 0
                requests += 1
                head, body = exchange(sock)
                closes = b"connection: close" in head.lower()
                with self.lock:
                    self.answered += 1
                    self.words.add(body.decode())
                    self.moved += closes and kind == "kept"
            except OSError as error:
                with self.lock:
                    self.lost.append(f"{kind} {address}, request {requests} of its connection: {error!r}")
                closes = True
            if (closes or kind == "fresh") and sock is not None:
                sock.close()
                sock = None
        if sock is not None:
            sock.close()


def connect(address: int | str, proxy: bool = False) -> socket.socket:
    if isinstance(address, str):
        sock = socket.socket(socket.AF_UNIX)
        sock.settimeout(PATIENCE_S)
        sock.connect(address)
    else:
        sock = socket.create_connection(("127.0.0.1", address), timeout=PATIENCE_S)
    if proxy:
        sock.sendall(b"PROXY TCP4 192.0.2.7 192.0.2.8 1234 80\r\n")
    return sock


def exchange(sock: socket.socket, request: bytes = b"GET / HTTP/1.1\r\nHost: site\r\n\r\n") -> tuple[bytes, bytes]:
    """Head and content of the response. OSError if it is not complete."""
    sock.sendall(request)
    data = b""
    while b"\r\n\r\n" not in data:
        data += received(sock)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    while len(body) < length:
        body += received(sock)
    return head, body


def received(sock: socket.socket) -> bytes:
    data = sock.recv(65536)
    if not data:
        raise ConnectionError("the connection ended before the response")
    return data


def main(port: int) -> int:
    ended, clients = threading.Event(), Clients()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    clients.add(8, "kept", port)
    clients.add(8, "fresh", port)
    while not ended.wait(0.2):
        print(f"{clients.answered} answers", flush=True)
    clients.stop()
    print(*clients.lost, f"{clients.answered} answers, {len(clients.lost)} requests without one", sep="\n")
    return 1 if clients.lost else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
