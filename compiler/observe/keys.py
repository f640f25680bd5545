"""Reads single keys from a terminal, for live views. The end of the ``with`` block restores the terminal."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty

_SEQUENCES = {
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1b[5~": "pageup",
    b"\x1b[6~": "pagedown",
    b"\x1b[H": "home",
    b"\x1b[F": "end",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1bOH": "home",
    b"\x1bOF": "end",
}
_SEQUENCE_BYTES_MAX = 16


class Keys:
    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()

    def __enter__(self) -> Keys:
        self._before = termios.tcgetattr(self._descriptor)
        tty.setcbreak(self._descriptor)
        return self

    def __exit__(self, *_: object) -> None:
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def wait(self, seconds: float) -> str:
        """The next key; "" after a timeout; "q" if the terminal is closed."""
        if not select.select([self._descriptor], [], [], max(seconds, 0.0))[0]:
            return ""
        data = os.read(self._descriptor, _SEQUENCE_BYTES_MAX)
        return _SEQUENCES.get(data) or data[:1].decode("latin-1") or "q"


def is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
