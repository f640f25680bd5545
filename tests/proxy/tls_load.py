"""HTTPS under change: clients make full and resumed handshakes while certificates, policies, the keys of tickets and the
key process change.

    PYTHONPATH=tests python -m proxy.tls_load [SECONDS]         # default 60; exit code 1: something failed
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path

from proxy.daemon import wait_until
from proxy.test_tls_keys import key_pid
from proxy.tls import certificate, connect, context, status
from proxy.upgrade_load import PATIENCE_S, PAUSE_S, Line

FULL, RESUMED = "full", "resumed"
CLIENTS = {FULL: 3, RESUMED: 3}
RETURNING = 100                 # clients that come back after a crash and an upgrade
RESUME_LEAST = 0.95             # of the clients with a ticket
# Seconds between two changes of a kind, when all takes a minute.
COMMIT_S, LOAD_S, TICKETS_S, KILL_S, ALL_S = 1.0, 5.0, 10.0, 15.0, 60.0


def policy(n: int) -> str:
    return f'vcl 4.1; backend default none; sub vcl_recv {{ return (synth(200, "OK")); }} sub vcl_synth {{ set resp.http.N = "{n}"; }}'


@dataclass(slots=True)
class TlsClients:
    """Threads that open a connection for each request until ``stop``."""

    line: Line
    requests: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLIENTS, 0))
    resumed: int = 0
    failed: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        for kind, n in CLIENTS.items():
            for _ in range(n):
                self.threads.append(threading.Thread(target=self._run, args=(kind,), daemon=True))
                self.threads[-1].start()

    def stop(self) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join(PATIENCE_S)

    def _run(self, kind: str) -> None:
        how, session = context(), None
        while not self.ended.wait(PAUSE_S):
            try:
                with connect(self.line, "a.test", how=how, session=session) as s:
                    assert status(s) == "HTTP/1.1 200 OK"
                    with self.lock:
                        self.requests[kind] += 1
                        self.resumed += bool(s.session_reused)
                    session = s.session if kind == RESUMED else None
            except (OSError, AssertionError) as error:
                with self.lock:
                    self.failed.append(f"{kind}: {error!r}")


def changes(line: Line, folder: Path) -> dict[float, Callable[[], object]]:
    """By the seconds between two."""
    files = cycle([certificate(folder, "a.test", file=file) for file in ("one", "two")])
    numbers = count(1)

    def commit() -> None:
        line.ok(f"tls.cert.load a.test {next(files)}")
        line.ok("tls.cert.commit")

    def load() -> None:
        n = next(numbers)
        path = folder / f"p{n}.vcl"
        path.write_text(policy(n))
        line.ok(f"vcl.load p{n} {path}")
        line.ok(f"vcl.use p{n}")
        if n > 1:
            line.ok(f"vcl.discard p{n - 1}")

    def kill() -> None:
        wait_until(lambda: key_pid(line) != 0, "the key process runs")
        os.kill(key_pid(line), signal.SIGKILL)

    return {COMMIT_S: commit, LOAD_S: load, KILL_S: kill}


def apply(todo: dict[float, Callable[[], object]], seconds: float, scale: float) -> None:
    end = time.monotonic() + seconds
    due = dict.fromkeys(todo, 0.0) | {KILL_S: time.monotonic() + KILL_S * scale}
    while (now := time.monotonic()) < end:
        for every, act in todo.items():
            if due[every] <= now:
                act()
                due[every] = now + every * scale
        time.sleep(0.01)


def share_that_resumes(line: Line, between: Callable[[], object]) -> float:
    """Of clients that come back after ``between``."""
    how, sessions = context(), []
    for _ in range(RETURNING):
        with connect(line, "a.test", how=how) as s:
            status(s)
            sessions.append(s.session)
    between()
    resumed = 0
    for session in sessions:
        with connect(line, "a.test", how=how, session=session) as s:
            resumed += status(s) == "HTTP/1.1 200 OK" and bool(s.session_reused)
    return resumed / RETURNING


def crash(line: Line) -> None:
    before = line.worker_pid
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: line.state == "running" and line.worker_pid != before, "another worker serves")


def run(folder: Path, seconds: float) -> str:
    """Says what was done. AssertionError: something failed. Times between changes shrink with ``seconds``."""
    scale = seconds / ALL_S
    args = ["-P", str(folder / "pid"), "-p", f"tls_ticket_lifetime={max(1, round(TICKETS_S * scale))}"]
    with Line(folder, policy(0), args, listen="web=127.0.0.1:0,HTTPS") as line:
        todo = changes(line, folder)
        todo[COMMIT_S]()
        clients = TlsClients(line)
        clients.start()
        apply(todo, seconds, scale)
        clients.stop()
        assert not clients.failed, "\n".join(clients.failed)
        assert all(n > seconds for n in clients.requests.values()), clients.requests
        assert clients.resumed >= RESUME_LEAST * (clients.requests[RESUMED] - CLIENTS[RESUMED]), (clients.resumed, clients.requests)
        line.ok("param.set tls_ticket_lifetime 28800")
        line.ok("vcl.use boot")         # the one that a new daemon loads
        shares = {"crash": share_that_resumes(line, lambda: crash(line)), "upgrade": share_that_resumes(line, line.upgrade)}
        assert min(shares.values()) >= RESUME_LEAST, shares
        return (f"{clients.requests[FULL]} full handshakes, {clients.requests[RESUMED]} of returning clients ({clients.resumed} resumed): none failed; "
                + ", ".join(f"after a {what} {share:.0%} resume" for what, share in shares.items()))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        try:
            print(run(Path(made), float(sys.argv[1]) if len(sys.argv) > 1 else ALL_S))
        except AssertionError as error:
            sys.exit(str(error))
