"""Names of origins that do not resolve where a policy is checked: a warning, because the place where it will run may know
them, and because a server takes names as they come (it resolves them when it connects, and tries again)."""

from __future__ import annotations

import time
from collections.abc import Callable

from vernis.semantics.literals import parse_ip
from vernis.semantics.report import Reporter
from vernis.semantics.typed import Checked
from vernis.syntax.diagnostics import Diagnostics

WAIT_SECONDS = 1.0          # for all names together: a check must not hang where there is no network
HOSTS_MAX = 64              # names that are asked for; the rest of a very long list is not


def resolves(host: str) -> bool:
    import socket       # few checks come so far: most origins are addresses

    try:
        return bool(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        return False


def warn_of_unresolved(checked: Checked, diagnostics: Diagnostics, ask: Callable[[str], bool] = resolves,
                       seconds: float = WAIT_SECONDS) -> None:
    """V520 for each backend whose host name is not found within ``seconds``. Addresses are not asked for."""
    report = Reporter(checked.program, diagnostics)
    named = [(backend, backend.host) for backend in checked.backends if backend.host and not _is_address(backend.host)][:HOSTS_MAX]
    found = _found({host for _, host in named}, ask, seconds) if named else set()
    for backend, host in named:
        if host not in found:
            report.warning("V520", backend.at, f'the host of backend {backend.name}, "{host}", does not resolve here',
                                "check the spelling; ignore this warning if the name resolves on the server")


def _found(hosts: set[str], ask: Callable[[str], bool], seconds: float) -> set[str]:
    """Asked for side by side, by threads that nobody waits for longer than that."""
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
