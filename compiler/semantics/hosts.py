"""Warns about host names of backends that do not resolve during a check. This is a warning because the server
may resolve the name, and tries again at each connection."""

from __future__ import annotations

import time
from collections.abc import Callable

from vernis.semantics.literals import parse_ip
from vernis.semantics.report import Reporter
from vernis.semantics.typed import Checked
from vernis.syntax.diagnostics import Diagnostics

WAIT_SECONDS = 1.0  # for all names together: without a network, a check must not hang
HOSTS_MAX = 64  # the check looks up at most this many names


def resolves(host: str) -> bool:
    import socket  # imported here because most policies use addresses only

    try:
        return bool(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        return False


def warn_of_unresolved(
    checked: Checked,
    diagnostics: Diagnostics,
    ask: Callable[[str], bool] = resolves,
    seconds: float = WAIT_SECONDS,
) -> None:
    """Reports V520 for each backend whose host name does not resolve within ``seconds``. Addresses need no
    lookup."""
    report = Reporter(checked.program, diagnostics)
    named = [
        (backend, backend.host)
        for backend in checked.backends
        if backend.host and not _is_address(backend.host)
    ][:HOSTS_MAX]
    found = _found({host for _, host in named}, ask, seconds) if named else set()
    for backend, host in named:
        if host not in found:
            report.warning(
                "V520",
                backend.at,
                f'the host of backend {backend.name}, "{host}", does not resolve here',
                "check the spelling; ignore this warning if the name resolves on the server",
            )


def _found(hosts: set[str], ask: Callable[[str], bool], seconds: float) -> set[str]:
    """Looks up the hosts in parallel threads, and waits at most ``seconds`` for them."""
    import threading

    found: set[str] = set()
    left = threading.Semaphore(0)

    def look_up(host: str) -> None:
        if ask(host):
            found.add(host)
        left.release()

    for host in hosts:
        threading.Thread(target=look_up, args=(host,), daemon=True).start()
    deadline = time.monotonic() + seconds
    for _ in hosts:
        if not left.acquire(timeout=max(deadline - time.monotonic(), 0.0)):
            break
    return set(found)


def _is_address(host: str) -> bool:
    return host == "localhost" or parse_ip(host) is not None
