"""`python -m vernis`, which build/bin/vernis runs.

A signal that asks the process to end becomes an exception, so that terminals are restored, and temporary
files and other processes end. Then the same signal ends the process: only then does a shell stop a loop. A
second signal ends it at once.
"""

import signal

_SIGNALS = [signal.SIGTERM, signal.SIGHUP]
if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # the parent process may ignore it
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback during the imports
    _SIGNALS.append(signal.SIGINT)

import os  # noqa: E402
import sys  # noqa: E402
import termios  # noqa: E402
from contextlib import suppress  # noqa: E402
from types import FrameType  # noqa: E402
from typing import NoReturn  # noqa: E402

from vernis.cli import main  # noqa: E402
from vernis.commands.outcome import EXIT_SIGNAL, Ended  # noqa: E402


def run() -> NoReturn:
    """Runs the command and skips the interpreter's shutdown, because freeing a large policy node by node
    takes longer than checking it."""
    taken = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    _remember_terminal()
    os.register_at_fork(after_in_child=_leave)
    sys.unraisablehook = _unraisable
    try:
        for number in taken:
            signal.signal(number, _take)
        status = main()
        _leave()
    except KeyboardInterrupt:
        status = EXIT_SIGNAL + signal.SIGINT
    except Ended as error:
        status = EXIT_SIGNAL + error.number
    if status > EXIT_SIGNAL:
        _die(status - EXIT_SIGNAL)
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(status)


def _take(number: int, _: FrameType | None) -> NoReturn:
    _leave()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Ended(number)


def _leave() -> None:
    """Gives the signals back to the system, also in a new process, which has nothing to clean up."""
    for number in _SIGNALS:
        if signal.getsignal(number) is _take:
            signal.signal(number, signal.SIG_DFL)


def _unraisable(found: "sys.UnraisableHookArgs") -> None:
    """Python drops an exception that comes in a destructor, with a traceback."""
    if isinstance(found.exc_value, KeyboardInterrupt):
        _die(signal.SIGINT)
    if isinstance(found.exc_value, Ended):
        _die(found.exc_value.number)
    sys.__unraisablehook__(found)


_terminal: list[object] = []  # its settings at the start


def _remember_terminal() -> None:
    with suppress(termios.error, OSError):
        _terminal[:] = termios.tcgetattr(0)


def _restore_terminal() -> None:
    """A signal may come while a live view has just changed the terminal, and is not ready to restore it."""
    with suppress(termios.error, OSError):
        if _terminal and os.tcgetpgrp(0) == os.getpgrp() and termios.tcgetattr(0) != _terminal:
            termios.tcsetattr(0, termios.TCSANOW, list(_terminal))  # type: ignore[arg-type]


def _die(number: int) -> NoReturn:
    _restore_terminal()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(EXIT_SIGNAL + number)  # the first process of a container gets no such signal


if __name__ == "__main__":
    run()
