"""Servers that speak HTTP/2 over plain TCP (h2c) beside HTTP/1: Vernis, Varnish, nginx, HAProxy, h2o and
nghttpd. nginx and HAProxy have a port for each protocol; nghttpd has no HTTP/1."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import peers


@dataclass
class Site:
    """What a server has to serve: an origin with the files of ``folder``, for ``threads`` threads."""

    directory: Path
    origin_port: int
    threads: int
    extra: tuple[str, ...] = ()  # arguments for vernisd

    @property
    def folder(self) -> Path:
        return self.directory / "site"


@dataclass
class Pair:
    """A server with the port of each protocol. ``h1`` None: it has none."""

    server: peers.Server
    h1: int | None
    h2: int

    @property
    def name(self) -> str:
        return self.server.name


def both(server: peers.Server) -> Pair:
    return Pair(server, server.port(), server.port())


def vernis(site: Site) -> Pair:
    extra = ("-p", "feature=+http2", *site.extra)
    return both(peers.vernis(site.directory, site.origin_port, site.threads, extra=extra))


def varnish(site: Site) -> Pair:
    return both(peers.varnish(site.directory, site.origin_port, site.threads, extra=("-p", "feature=+http2")))


def with_second_port(
    site: Site, listen: str, second: str, start: Callable[[Path, int, int], peers.Server]
) -> Pair:
    port = peers.free_port()
    edits = {listen: listen + second.format(port=port)}
    server = peers.with_edits(edits, lambda: start(site.directory, site.origin_port, site.threads))
    return Pair(server, server.port(), port)


def nginx(site: Site) -> Pair:
    line = "listen 127.0.0.1:@PORT@ backlog=4096;"
    return with_second_port(site, line, "\n        listen 127.0.0.1:{port} http2 backlog=4096;", peers.nginx)


def haproxy(site: Site) -> Pair:
    line = "bind 127.0.0.1:@PORT@ backlog 4096"
    return with_second_port(site, line, "\n    bind 127.0.0.1:{port} proto h2 backlog 4096", peers.haproxy)


def h2o(site: Site) -> Pair:
    port, log = peers.free_port(), site.directory / "h2o.log"
    conf = peers.fill(
        "h2o.conf", site.directory / "h2o.conf", SITE=site.folder, PORT=port, THREADS=site.threads
    )
    child = peers.spawn(["h2o", "-c", conf], log)
    peers.wait_port(port, child, log)
    return both(peers.Server("h2o", peers.version_of(["h2o", "--version"]), [child], port))


def nghttpd(site: Site) -> Pair:
    port, log = peers.free_port(), site.directory / "nghttpd.log"
    child = peers.spawn(
        ["nghttpd", "--no-tls", "-a", "127.0.0.1", "-n", site.threads, "-d", site.folder, port], log
    )
    peers.wait_port(port, child, log)
    return Pair(
        peers.Server("nghttpd", peers.version_of(["nghttpd", "--version"]), [child], port), None, port
    )


STARTS: dict[str, tuple[str, Callable[[Site], Pair]]] = {
    "varnish": ("varnishd", varnish),
    "nginx": ("nginx", nginx),
    "haproxy": ("haproxy", haproxy),
    "h2o": ("h2o", h2o),
    "nghttpd": ("nghttpd", nghttpd),
}


def start_all(site: Site, names: list[str]) -> list[Pair]:
    """Vernis, then the peers of ``names``. Names those that are not installed."""
    started = [vernis(site)]
    try:
        for name in names:
            program, start = STARTS[name]
            if shutil.which(program) is None:
                print(f"{program} is not installed, so {name} is left out", file=sys.stderr)
            else:
                started.append(start(site))
    except BaseException:
        peers.stop_all([pair.server for pair in started])
        raise
    return started


def good_clients(clients: int, rate: int, seconds: float) -> list[str]:
    """The words of h2load, without a URL: clients that ask for ``rate`` hits a second each, for so long."""
    requests = int(clients * rate * seconds)
    return ["h2load", "-t1", f"-c{clients}", "-m4", f"--rps={rate}", "-N20", f"-n{requests}"]
