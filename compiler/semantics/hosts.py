"""Hosts of backends as the server reads them. Warns about names that do not resolve during a check. This is a
warning because the server may resolve the name, and tries again at each connection."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from vernis.semantics.literals import parse_ip
from vernis.semantics.report import Reporter
from vernis.semantics.typed import Checked
from vernis.syntax.diagnostics import Diagnostics

WAIT_SECONDS = 1.0  # for all names together: without a network, a check must not hang
HOSTS_MAX = 64  # the check looks up at most this many names


_URL_RE = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):/+(.*)", re.S)
_NO_HOST_RE = re.compile(r"[/?#@\\\s]")


def split_port(text: str) -> tuple[str, str | None]:
    """Host and port of ``name:port`` or ``[address]:port``, as backend_address.c reads them. A host with more
    than one colon and no brackets is an IPv6 address."""
    if text.startswith("["):
        host, bracket, behind = text[1:].partition("]")
        return (host, behind[1:] if behind.startswith(":") else None) if bracket else (text, None)
    host, colon, port = text.partition(":")
    return (host, port) if colon and ":" not in port else (text, None)


def without_url(text: str) -> tuple[str, str]:
    """The scheme of a URL, or an empty text; and the host of it, with its port but no user and no path. An
    empty host: the text has none."""
    url = _URL_RE.fullmatch(text)
    rest = (url[2] if url else text).strip()
    authority = re.split(r"[/?#\\\s]", rest, maxsplit=1)[0]
    return (url[1].lower() if url else ""), authority.rpartition("@")[2]


def is_no_host(text: str) -> bool:
    """Whether the text has characters that neither a name nor an address has, such as those of a URL. The
    placeholder of a template is another mistake."""
    from vernis.syntax.remedies import PLACEHOLDER  # most policies have no such host

    return bool(_NO_HOST_RE.search(text)) and not PLACEHOLDER.search(text.encode("utf-8", "replace"))


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
        (backend, host)
        for backend in checked.backends
        if backend.host and not _is_address(host := split_port(backend.host)[0])
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
