"""Servers of files: nginx, lighttpd, and Apache httpd with two of its MPMs. Each serves the
folder ``site``, which peers.origin writes."""

from __future__ import annotations

from pathlib import Path

import peers


def start(
    name: str, argv: list[object], template: str, directory: Path, site: Path, **values: object
) -> peers.Server:
    """Starts argv with the filled template as its last argument. The server has a session of its own, because
    lighttpd with workers passes SIGTERM on to its whole process group."""
    port, log = peers.free_port(), directory / f"{name}.log"
    conf = peers.fill(template, directory / f"{name}.conf", DIR=directory, SITE=site, PORT=port, **values)
    child = peers.spawn([*argv, conf], log, start_new_session=True)
    peers.wait_port(port, child, log)
    return peers.Server(name, peers.version_of([str(argv[0]), "-v"]), [child], port)


def nginx(directory: Path, site: Path, threads: int) -> peers.Server:
    return start(
        "nginx", ["nginx", "-p", directory, "-c"], "static-nginx.conf", directory, site, THREADS=threads
    )


def lighttpd(directory: Path, site: Path, threads: int) -> peers.Server:
    return start(
        "lighttpd", ["lighttpd", "-D", "-f"], "static-lighttpd.conf", directory, site, THREADS=threads
    )


def httpd(directory: Path, site: Path, mpm: str) -> peers.Server:
    """mpm: worker or event."""
    argv: list[object] = ["apache2", "-DFOREGROUND", "-f"]
    return start(f"apache-{mpm}", argv, "static-httpd.conf", directory, site, MPM=mpm)
