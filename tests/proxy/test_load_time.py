"""A warm daemon loads the quickstart in under 50 ms, and ten times faster than stock varnishd.

Each load is of another text, so nothing comes from a cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.pace import Pace
from support.ports import free_port

from vernis.service.client import DaemonClient, DaemonError, connect_address, connect_workdir

ROOT = Path(__file__).resolve().parents[2]
VERNISD = ROOT / "build" / "bin" / "vernisd"
QUICKSTART = ROOT / "examples" / "quickstart" / "quickstart.vcl"
LOAD_MS_MAX = 50
TIMES_FASTER_MIN = 10
ROUNDS_MAX = 25

pytestmark = pytest.mark.skipif(not VERNISD.exists(), reason="run make build first")


@contextmanager
def daemon(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def connected(connect: Callable[[], DaemonClient], process: subprocess.Popen[bytes]) -> DaemonClient:
    deadline = time.monotonic() + 30
    while True:
        try:
            client = connect()
            if client.command("status").body.strip() == "Child in state running":
                return client
        except DaemonError:
            pass
        assert process.poll() is None and time.monotonic() < deadline, "the daemon does not answer"
        time.sleep(0.02)


class Loads:
    """Loads another text into a daemon each time, and keeps the shortest time, because the machine may be
    busy."""

    def __init__(self, client: DaemonClient, directory: Path) -> None:
        self.best_ms = float("inf")
        self._client = client
        self._directory = directory
        self._number = 0

    def load(self) -> None:
        self._number += 1
        policy = self._directory / f"{self._number}.vcl"
        policy.write_text(f"{QUICKSTART.read_text()}# {self._number}\n")
        time.sleep(0.5)                 # not a wait for a result: operators pause between loads
        began = time.perf_counter()
        answer = self._client.command("vcl.load", f"load_{self._number}", str(policy))
        self.best_ms = min(self.best_ms, (time.perf_counter() - began) * 1000)
        assert answer.ok, answer.body
        assert self._client.command("vcl.discard", f"load_{self._number}").ok


@pytest.fixture(scope="module")
def vernis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loads]:
    workdir = tmp_path_factory.mktemp("vernis")
    command = (str(VERNISD), "-F", "-j", "none", "-n", str(workdir), "-a", "127.0.0.1:0", "-f", str(QUICKSTART))
    with daemon(*command) as process, connected(lambda: connect_workdir(workdir), process) as client:
        yield Loads(client, workdir)


@pytest.fixture
def stock(tmp_path: Path) -> Iterator[Loads]:
    secret = tmp_path / "secret"
    secret.write_text("of this test\n")
    port = free_port()
    command = ("varnishd", "-F", "-j", "none", "-n", str(tmp_path / "stock"), "-a", "127.0.0.1:0", "-T", f"127.0.0.1:{port}",
               "-S", str(secret), "-f", str(QUICKSTART))
    with daemon(*command) as process:
        with connected(lambda: connect_address(f"127.0.0.1:{port}", secret), process) as client:
            yield Loads(client, tmp_path)


def test_a_load_takes_less_than_50_ms(vernis: Loads) -> None:
    """On a machine as fast as the project's: on another one, or beside other programs, it may take longer by as
    much as a fixed work does."""
    pace = Pace()

    def one() -> None:
        vernis.load()
        pace.measure()

    repeat(one, until=lambda: vernis.best_ms < LOAD_MS_MAX)
    assert vernis.best_ms < LOAD_MS_MAX * pace.slowness, f"{vernis.best_ms:.1f} ms, {pace.slowness:.2f} times as slow"


@pytest.mark.skipif(shutil.which("varnishd") is None, reason="stock varnishd is not installed")
def test_a_load_is_ten_times_faster_than_in_stock(vernis: Loads, stock: Loads) -> None:
    """More attempts bring each closer to its undisturbed time, so both are measured in turn."""
    def both() -> None:
        stock.load()
        vernis.load()

    repeat(both, until=lambda: stock.best_ms >= TIMES_FASTER_MIN * vernis.best_ms, at_least=3)
    assert stock.best_ms >= TIMES_FASTER_MIN * vernis.best_ms, f"stock {stock.best_ms:.0f}, vernis {vernis.best_ms:.1f} ms"


def repeat(step: Callable[[], None], until: Callable[[], bool], at_least: int = 1) -> None:
    for number in range(1, ROUNDS_MAX + 1):
        step()
        if number >= at_least and until():
            return
    load_average = os.getloadavg()[0]
    if load_average > 2 * (os.cpu_count() or 1):
        pytest.skip(f"load average {load_average:.1f}: the test would measure other programs")
