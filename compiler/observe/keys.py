"""Reads single keys from a terminal, for live views. The end of the ``with`` block restores the terminal."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from contextlib import suppress

from vernis.trouble import Trouble

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
#: On these terminals the library of the live views draws nothing.
_WITHOUT_CURSOR = ("dumb", "unknown")


class Keys:
    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()

    def __enter__(self) -> Keys:
        self._before = termios.tcgetattr(self._descriptor)
        tty.setcbreak(self._descriptor)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(termios.error):  # the terminal is closed
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def wait(self, seconds: float) -> str:
        """The next key; "" after a timeout; "q" if the terminal is closed."""
        if not select.select([self._descriptor], [], [], max(seconds, 0.0))[0]:
            return ""
        try:
            data = os.read(self._descriptor, _SEQUENCE_BYTES_MAX)
        except OSError:
            return "q"
        return _SEQUENCES.get(data) or data[:1].decode("latin-1") or "q"


def need_terminal() -> None:
    """Raises Trouble where a live view could not be drawn."""
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise Trouble("the live view needs a terminal; -1 prints once")
    if os.environ.get("TERM") in _WITHOUT_CURSOR:
        raise Trouble(
            f"the live view needs a terminal whose cursor moves, and this one is TERM={os.environ['TERM']}; "
            "-1 prints once"
        )
