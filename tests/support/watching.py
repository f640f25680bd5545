"""A command with --watch: starts it, reads its output from one wait to the next, and ends it."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERNIS = Path(__file__).resolve().parents[2] / "build" / "bin" / "vernis"
LIMIT_S = 60.0


class Watching:
    """``process`` is a `vernis COMMAND ... --watch`."""

    def __init__(self, process: subprocess.Popen[str], command: str) -> None:
        self.process, self._waits = process, f"vernis {command}: waits for changes\n"

    def shown(self) -> str:
        """The output up to the next wait. A change of a file and of its folder may give the same output
        twice, or an empty one between."""
        assert self.process.stdout is not None
        return "".join(iter(self.process.stdout.readline, self._waits))

    def until(self, text: str) -> None:
        while text not in self.shown():
            self._still_runs()

    def without(self, text: str) -> None:
        while text in self.shown():
            self._still_runs()

    def _still_runs(self) -> None:
        assert self.process.poll() is None


@contextmanager
def watching(folder: Path, command: str, *args: str) -> Iterator[Watching]:
    process = subprocess.Popen([VERNIS, command, *args], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    end = threading.Timer(LIMIT_S, process.kill)
    end.start()
    try:
        yield Watching(process, command)
    finally:
        end.cancel()
        process.kill()
        process.communicate()
