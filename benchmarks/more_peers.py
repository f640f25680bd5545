"""Peers that run only with --all: Squid, Apache Traffic Server, Apache httpd. Prints a note for each that is
not installed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import peers


def squid(directory: Path, origin_port: int, threads: int) -> peers.Server:
    port, work = peers.free_port(), directory / "squid"
    work.mkdir()
    shutil.chown(work, "proxy")
    conf = peers.fill(
        "squid.conf", directory / "squid.conf", DIR=directory, PORT=port, ORIGIN=origin_port, THREADS=threads
    )
    log = directory / "squid.log"
    child = peers.spawn(
        ["squid", "-N" if threads == 1 else "--foreground", "-f", conf, "-n", f"bench{os.getpid()}"], log
    )
    peers.wait_port(port, child, log)
    return peers.Server("squid", peers.version_of(["squid", "-v"]), [child], port)


def trafficserver(directory: Path, origin_port: int, threads: int) -> peers.Server:
    """Starts Traffic Server in its own run root, with 256 MB of storage; all hits are in its RAM cache."""
    port, root = peers.free_port(), directory / "ats"
    for name in ("etc", "cache", "run", "log"):
        (root / name).mkdir(parents=True)
    shutil.copytree("/etc/trafficserver", root / "etc", dirs_exist_ok=True)
    peers.fill("ats-records.config", root / "etc/records.config", PORT=port, THREADS=threads)
    (root / "etc/remap.config").write_text(f"map / http://127.0.0.1:{origin_port}/\n")
    (root / "etc/storage.config").write_text(f"{root}/cache 256M\n")
    environment = dict(
        os.environ,
        PROXY_CONFIG_CONFIG_DIR=str(root / "etc"),
        PROXY_CONFIG_LOCAL_STATE_DIR=str(root / "run"),
        PROXY_CONFIG_LOG_LOGFILE_DIR=str(root / "log"),
        PROXY_CONFIG_CACHE_DIR=str(root / "cache"),
    )
    log = directory / "ats.log"
    child = peers.spawn(["traffic_server"], log, env=environment)
    peers.wait_port(port, child, log)
    return peers.Server("trafficserver", peers.version_of(["traffic_server", "-V"]), [child], port)


def httpd(directory: Path, origin_port: int, threads: int) -> peers.Server:
    port = peers.free_port()
    conf = peers.fill("httpd.conf", directory / "httpd.conf", DIR=directory, PORT=port, ORIGIN=origin_port)
    log = directory / "httpd.log"
    child = peers.spawn(["apache2", "-DFOREGROUND", "-f", conf], log)
    peers.wait_port(port, child, log)
    return peers.Server("httpd", peers.version_of(["apache2", "-v"]), [child], port)


STARTERS: tuple[tuple[str, Callable[[Path, int, int], peers.Server]], ...] = (
    ("squid", squid),
    ("traffic_server", trafficserver),
    ("apache2", httpd),
)


def start_all(directory: Path, origin_port: int, threads: int) -> list[peers.Server]:
    started = []
    for program, start in STARTERS:
        if shutil.which(program) is None:
            print(f"{program} is not installed, so it is omitted", file=sys.stderr)
            continue
        started.append(start(directory, origin_port, threads))
    return started
