"""The command line `vernis`: from its arguments to the exit code. ``commands/table.py`` is the table of commands.

A command's code is in ``vernis.commands`` and imported when it runs, so that ``vernis status`` costs a bare interpreter.
Exit codes: 0 done; 1 the policy has errors, or the daemon refused the command; 2 wrong usage, a file or daemon that cannot be
reached, or a fault of our own.
"""

from __future__ import annotations

import argparse
import errno
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from vernis.commands.outcome import EXIT_INTERRUPTED, EXIT_TROUBLE, Trouble
from vernis.commands.table import COMMANDS
from vernis.version import VERSION

#: Of a disk that takes no more; nothing of ours is broken.
_OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

Handler = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    called = " ".join(["vernis", *words[:1]])
    if sys.stdout is None:          # closed by who started us
        sys.stdout = open(os.devnull, "w")
    try:
        status = _run(words)
        print(end="", flush=True)       # an error of this is told here, not by the interpreter at its end
        return status
    except BrokenPipeError:
        _silence_stdout()
        return EXIT_TROUBLE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OUTPUT_ERRORS:
            _silence_stdout()
            print(f"{called}: cannot write: {error.strerror}", file=sys.stderr)
            return EXIT_TROUBLE
        import traceback

        traceback.print_exc()
        print(f"{called}: a fault of vernis itself, please report it with the text above", file=sys.stderr)
        return EXIT_TROUBLE


def _run(words: Sequence[str]) -> int:
    command = COMMANDS.get(words[0]) if words else None
    if command is not None and command.is_short:
        gc.disable()
    parser = build_parser(words[0] if words else None)
    options = parser.parse_args(words)
    if options.run is None:
        parser.print_help()
        return EXIT_TROUBLE
    try:
        return _handler(options.run)(options)
    except Trouble as error:
        print(f"vernis {options.command}: {error}", file=sys.stderr)
        return EXIT_TROUBLE


def _handler(name: str) -> Handler:
    """``"daemon.load"`` is ``load`` in ``vernis.commands.daemon``."""
    module, _, function = name.partition(".")
    handler: Handler = getattr(importlib.import_module(f"vernis.commands.{module}"), function)
    return handler


def _silence_stdout() -> None:
    """The reader of our output has gone, or there is no room for it; the interpreter's own flush at exit must not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of the command line. It knows only ``command`` if there is one of that name, because building every subparser
    takes longer than checking a policy of a hundred lines."""
    parser = argparse.ArgumentParser(
        prog="vernis", description="Compiles policies written in VCL and controls the daemon that runs them.",
        epilog="Exit codes: 0 done; 1 the policy has errors or the daemon refused; 2 wrong usage, unreachable, or a fault of "
               "vernis itself.")
    parser.set_defaults(run=None, command=None)
    parser.add_argument("-V", "--version", action="version", version=f"vernis {VERSION}")
    commands = parser.add_subparsers(prog=parser.prog, metavar="COMMAND", dest="command")
    for name in [command] if command in COMMANDS else COMMANDS:
        row = COMMANDS[name]
        own = commands.add_parser(name, help=row.help, description=row.help)
        own.set_defaults(run=row.run)
        row.options(own)
    return parser
