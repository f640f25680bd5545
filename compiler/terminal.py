"""Colours, and progress of long work, for people at a terminal.

All commands share one rule for colours, :func:`has_colours`, and one line of progress, :class:`Progress`.
docs/commands.md has both for users.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

#: Choices of --color.
COLOUR_CHOICES = ("auto", "always", "never")

PROGRESS_AFTER_S = 1.0  # shorter work shows none
_REDRAW_S = 0.2


# ---- colours -----------------------------------------------------------------------------------------------


def choose_colours(choice: str) -> None:
    """Applies --color by the variables that :func:`has_colours` reads, so that processes and libraries follow
    it, too."""
    if choice == "always":
        os.environ.pop("NO_COLOR", None)
        os.environ["FORCE_COLOR"] = "1"
    elif choice == "never":
        os.environ["NO_COLOR"] = "1"


def has_colours(file: IO[Any]) -> bool:
    """Whether output to a file may have colours: NO_COLOR forbids them, FORCE_COLOR or CLICOLOR_FORCE wants
    them. Else only a terminal that is not dumb gets them, unless CLICOLOR is 0."""
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return _is_terminal(file) and os.environ.get("CLICOLOR") != "0"


def _is_terminal(file: IO[Any] | None) -> bool:
    return file is not None and file.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")


_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
RED, GREEN, YELLOW = "\x1b[31m", "\x1b[32m", "\x1b[33m"
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m", "help": "\x1b[1;32m"}


def coloured(text: str, colour: str, file: IO[Any]) -> str:
    return f"{colour}{text}{_PLAIN}" if has_colours(file) else text


def findings(text: str, file: IO[Any]) -> str:
    """Messages as syntax/render.py writes them. Lines of the policy begin with a blank and stay plain."""
    if not has_colours(file):
        return text
    text = re.sub(
        r"^(\S.*?: )(error|warning|note)(\[[A-Z]+\d+\]|\[\w+\])?: (.*)$",
        lambda m: f"{m[1]}{_COLOURS[m[2]]}{m[2]}{m[3] or ''}{_PLAIN}: {_BOLD}{m[4]}{_PLAIN}",
        text,
        flags=re.M,
    )
    text = re.sub(r"^(help|fix)\b", f"{_COLOURS['help']}\\1{_PLAIN}", text, flags=re.M)
    text = re.sub(r"^(  -.*)$", f"{RED}\\1{_PLAIN}", text, flags=re.M)
    text = re.sub(r"^(  \+.*)$", f"{GREEN}\\1{_PLAIN}", text, flags=re.M)
    return re.sub(
        r"^( +\|\s+)([\^-]+)$",
        lambda m: f"{m[1]}{_COLOURS['error' if '^' in m[2] else 'note']}{m[2]}{_PLAIN}",
        text,
        flags=re.M,
    )


def diff(lines: Iterable[bytes], file: IO[Any]) -> Iterator[bytes]:
    """The lines of a diff, each with its end."""
    colours = {b"-": RED.encode(), b"+": GREEN.encode()} if has_colours(file) else {}
    for line in lines:
        colour = colours.get(line[:1])
        yield line if colour is None else colour + line.rstrip(b"\n") + _PLAIN.encode() + b"\n"


def console(file: IO[str] | None = None, width: int | None = None, is_live: bool = False) -> Console:
    """The console of rich, by the same rule. A live view without colours keeps bold and reverse, because the
    selected row needs a mark."""
    from rich.console import Console

    out = sys.stdout if file is None else file
    is_coloured = has_colours(out)
    system: Any = "auto" if is_live or _is_terminal(out) else "standard"
    return Console(
        file=file,
        width=width,
        highlight=False,
        no_color=not is_coloured,
        force_terminal=True if is_coloured else None,
        color_system=system if is_coloured or is_live else None,
    )


# ---- progress ----------------------------------------------------------------------------------------------


class Progress:
    """A line on stderr while a command works: what it does, how many of how many, and the seconds since its
    begin. It comes after PROGRESS_AFTER_S and goes at the end. It stays away if stderr is no terminal, and in
    CI, where a log keeps each of its states. A terminal has one such line: a second Progress inside of
    another one draws nothing. Output meanwhile goes between ``with aside():``.
    """

    def __init__(self, what: str, total: int = 0) -> None:
        self.begin(what, total)
        self._began = time.monotonic()
        self._drawing: _Drawing | None = None

    def begin(self, what: str, total: int = 0) -> None:
        """Goes on with other work."""
        self.what, self.total, self.done = what, total, 0

    def __enter__(self) -> Progress:
        if not _here and _is_terminal(sys.stderr) and not os.environ.get("CI"):
            self._drawing = _Drawing(self)
            _here.append(self._drawing)
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawing is not None:
            _here.remove(self._drawing)
            self._drawing.stop()

    def step(self, number: int = 1) -> None:
        """So much more is done."""
        self.done += number

    def text(self) -> str:
        what = "".join(c if c.isprintable() else "?" for c in self.what)  # names of files
        counts = f": {self.done} of {self.total}" if self.total else f": {self.done}" if self.done else ""
        return f"{what}{counts}, {time.monotonic() - self._began:.0f} s"


_here: list[_Drawing] = []  # the one that draws; none in a process that is forked, which has no such thread
os.register_at_fork(after_in_child=_here.clear)


@contextmanager
def aside() -> Iterator[None]:
    """Takes the line of progress away while the command prints."""
    if not _here:
        yield
        return
    with _here[0].lock:
        _here[0].erase()
        yield
        sys.stdout.flush()
        sys.stderr.flush()


class _Drawing:
    """The thread that draws. Its modules load only for a terminal. It writes with os.write(), which takes no
    lock: a process that is forked meanwhile inherits no lock that nobody will release."""

    def __init__(self, progress: Progress) -> None:
        import threading

        self._progress = progress
        self._end = threading.Event()
        self.lock = threading.RLock()
        self._is_drawn = False
        self._thread = threading.Thread(target=self._draw_until_the_end, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._end.set()
        self._thread.join()
        self.erase()

    def erase(self) -> None:
        if self._is_drawn:
            _write("\r\x1b[K")
            self._is_drawn = False

    def _draw_until_the_end(self) -> None:
        if self._end.wait(PROGRESS_AFTER_S):
            return
        while True:
            with self.lock:
                width = os.get_terminal_size(2).columns or 80  # a terminal may not know its width
                _write(f"\r\x1b[K{self._progress.text()[: width - 1]}")
                self._is_drawn = True
            if self._end.wait(_REDRAW_S):
                return


def _write(text: str) -> None:
    """A terminal that is gone needs no progress."""
    try:
        os.write(2, text.encode(sys.stderr.encoding or "utf-8", "replace"))
    except OSError:
        pass
