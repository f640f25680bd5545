"""Servers of HTTPS beside HTTP: Vernis, nginx, HAProxy, and hitch before Varnish. All use the system's
OpenSSL and one certificate, and offer HTTP/2 by ALPN."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import peers
from proxy.tls import certificate


@dataclass
class Site:
    """An origin and a certificate of a kind, and how many threads serve them."""

    directory: Path
    origin_port: int
    threads: int
    kind: str = "EC"
    extra: tuple[str, ...] = ()  # arguments for vernisd

    @property
    def pem(self) -> Path:
        path = self.directory / f"{self.kind}.pem"
        if not path.exists():
            certificate(self.directory, "bench.test", kind=self.kind, file=self.kind)
        return path


@dataclass
class Secure:
    """A server with its ports of HTTP and of HTTPS."""

    server: peers.Server
    http: int
    https: int

    @property
    def name(self) -> str:
        return self.server.name


def vernis(site: Site) -> Secure:
    port, commands = peers.free_port(), site.directory / "start.cli"
    commands.write_text(f"tls.cert.load {site.pem}\ntls.cert.commit\n")
    extra = ("-p", "feature=+http2", "-a", f"127.0.0.1:{port},HTTPS", "-I", str(commands), *site.extra)
    server = peers.vernis(site.directory, site.origin_port, site.threads, extra=extra)
    return Secure(server, server.port(), port)


def nginx(site: Site) -> Secure:
    line, port = "listen 127.0.0.1:@PORT@ backlog=4096;", peers.free_port()
    more = f"""
        listen 127.0.0.1:{port} ssl http2 backlog=4096;
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_certificate {site.pem};
        ssl_certificate_key {site.pem};"""
    server = peers.with_edits(
        {line: line + more}, lambda: peers.nginx(site.directory, site.origin_port, site.threads)
    )
    return Secure(server, server.port(), port)


def haproxy(site: Site) -> Secure:
    line, port = "bind 127.0.0.1:@PORT@ backlog 4096", peers.free_port()
    more = f"\n    bind 127.0.0.1:{port} ssl crt {site.pem} alpn h2,http/1.1 backlog 4096"
    server = peers.with_edits(
        {line: line + more}, lambda: peers.haproxy(site.directory, site.origin_port, site.threads)
    )
    return Secure(server, server.port(), port)


def hitch(site: Site) -> Secure:
    port, behind, log = peers.free_port(), peers.free_port(), site.directory / "hitch.log"
    extra = ("-p", "feature=+http2", "-a", f"127.0.0.1:{behind},PROXY")
    server = peers.varnish(site.directory, site.origin_port, site.threads, extra=extra)
    conf = site.directory / "hitch.conf"
    conf.write_text(f"""frontend = "[127.0.0.1]:{port}"
backend = "[127.0.0.1]:{behind}"
pem-file = "{site.pem}"
alpn-protos = "h2, http/1.1"
tls-protos = TLSv1.2 TLSv1.3
write-proxy-v2 = on
workers = {site.threads}
user = "nobody"
""")
    child = peers.spawn(["hitch", "--config", conf], log)
    server.processes.append(child)
    peers.wait_port(port, child, log)
    version = f"{peers.version_of(['hitch', '--version'])}, {server.version}"
    return Secure(peers.Server("hitch", version, server.processes, server.ports), server.port(), port)


PEERS: dict[str, Callable[[Site], Secure]] = {"nginx": nginx, "haproxy": haproxy, "hitch": hitch}


def start_all(site: Site, names: list[str]) -> list[Secure]:
    """Vernis, then the peers of ``names``. Names those that are not installed."""
    started = [vernis(site)]
    try:
        for name in names:
            if shutil.which(name) is None:
                print(f"{name} is not installed, so it is left out", file=sys.stderr)
            else:
                started.append(PEERS[name](site))
    except BaseException:
        peers.stop_all([made.server for made in started])
        raise
    return started
