"""logrotate as in Debian's packages: it renames the file of a log writer and sends SIGHUP. The writer goes on in
a new file, and no line is lost or written twice."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proxy.daemon import ROOT, SYNTH, Daemon, wait_until
from proxy.origin import Client
from vernis.observe.records import dump_magic

Start = Callable[..., Daemon]

ROTATIONS = 3
CLIENTS = 4
#: The lines of Debian's file for varnishncsa, without the service manager. The first file is kept apart from the
#: packed ones.
CONFIGURATION = """{file} {{
  rotate 7
  missingok
  compress
  delaycompress
  postrotate
    kill -HUP {pid}
  endscript
}}
"""


@contextmanager
def traffic(port: int) -> Iterator[list[str]]:
    """Clients that ask for a new URL each time, until the end of the block. Yields the URLs asked for so far."""
    asked: list[str] = []
    ended = threading.Event()

    def ask(client: int) -> None:
        with Client(port) as c:
            n = 0
            while not ended.is_set():
                c.request(url := f"/{client}/{n}")
                asked.append(url)
                n += 1

    threads = [threading.Thread(target=ask, args=(client,)) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield asked
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def logged(folder: Path) -> list[str]:
    """URLs of all files of the log. The packed ones are read by zcat."""
    text = "".join(
        subprocess.run(["zcat", "-f", str(path)], capture_output=True, text=True, check=True).stdout
        for path in folder.glob("access.log*")
    )
    return [url for url in (line.split()[-1] for line in text.splitlines()) if url != "/attached"]


def attached(d: Daemon, path: Path) -> bool:
    d.get("/attached")
    return path.exists() and "/attached" in path.read_text()


@pytest.mark.skipif(
    shutil.which("logrotate", path="/usr/sbin") is None, reason="needs Debian's package logrotate"
)
@pytest.mark.skipif(shutil.which("varnishncsa") is None, reason="needs Debian's package varnish")
def test_varnishncsa_loses_no_line_when_its_file_is_rotated(start_daemon: Start, tmp_path: Path) -> None:
    d = start_daemon(SYNTH.format(word="x"))
    folder = tmp_path / "log"
    folder.mkdir(mode=0o755)
    path, pid_file = folder / "access.log", tmp_path / "pid"
    subprocess.run(
        [
            "varnishncsa",
            "-n",
            str(d.workdir),
            "-a",
            "-w",
            str(path),
            "-D",
            "-P",
            str(pid_file),
            "-F",
            "%s %U",
        ],
        check=True,
        timeout=30,
    )
    pid = int(
        wait_until(lambda: pid_file.exists() and pid_file.read_text(), "varnishncsa writes its process id")
    )
    (tmp_path / "rotate").write_text(CONFIGURATION.format(file=path, pid=pid))
    try:
        wait_until(lambda: attached(d, path), "varnishncsa reads")
        with traffic(d.port) as asked:
            for _ in range(ROTATIONS):
                start = len(asked)
                wait_until(lambda start=start: len(asked) > start + 100, "clients are served")  # type: ignore[misc]
                subprocess.run(
                    ["/usr/sbin/logrotate", "-f", "-s", str(tmp_path / "state"), str(tmp_path / "rotate")],
                    check=True,
                    timeout=30,
                )
                wait_until(path.exists, "varnishncsa has opened a new file")
        wait_until(lambda: len(logged(folder)) >= len(asked), "all requests are written")
    finally:
        os.kill(pid, signal.SIGTERM)
    assert len(list(folder.iterdir())) == ROTATIONS + 1
    assert sorted(logged(folder)) == sorted(asked)


def test_vernis_log_goes_on_in_a_new_file(start_daemon: Start, tmp_path: Path) -> None:
    d = start_daemon(SYNTH.format(word="x"))
    path = tmp_path / "dump"
    writer = subprocess.Popen(
        [str(ROOT / "build/bin/vernis"), "log", "-n", str(d.workdir), "-a", "-w", str(path)]
    )
    try:
        wait_until(
            lambda: d.get("/old") and path.exists() and b"/old" in path.read_bytes(), "vernis log writes"
        )
        path.rename(tmp_path / "dump.1")
        writer.send_signal(signal.SIGHUP)
        wait_until(
            lambda: d.get("/new") and path.exists() and b"/new" in path.read_bytes(),
            "vernis log writes to a new file",
        )
    finally:
        writer.terminate()
        writer.wait()
    assert path.read_bytes().startswith((dump_magic(False), dump_magic(True)))  # the new file is a whole dump


def test_sighup_does_not_end_the_daemon(start_daemon: Start) -> None:
    d = start_daemon(SYNTH.format(word="x"))
    worker = d.worker_pid
    d.process.send_signal(signal.SIGHUP)
    assert d.get() == (200, "x") and d.ok("ping").startswith("PONG") and d.worker_pid == worker
