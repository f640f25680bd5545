"""The command line `vernis`: parses the arguments, runs the command and returns the exit code.
``commands/table/`` is the table of commands.

The code of a command is in ``vernis.commands`` and imported when it runs, so that ``vernis status`` starts as
fast as the interpreter. Exit codes: 0 success; 1 the policy has errors, or the daemon refused the command; 2
wrong usage, an unreachable file or daemon, or a bug of vernis.
"""

from __future__ import annotations

import argparse
import errno
import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence

from vernis.commands.outcome import EXIT_INTERRUPTED, EXIT_TROUBLE, Trouble
from vernis.commands.table import COMMANDS
from vernis.shown import plain
from vernis.similar import suggestion
from vernis.version import VERSION

#: Errors of a full or broken disk. They are not bugs of vernis.
_OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

#: Packages that only some commands import: those of the extra `live` (pyproject.toml).
OPTIONAL = ("rich", "prompt_toolkit", "prometheus_client")

Handler = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    called = " ".join(["vernis", *words[:1]])
    if sys.stdout is None:  # the parent process closed it
        sys.stdout = open(os.devnull, "w")
    try:
        status = _run(words)
        print(end="", flush=True)  # report a write error here, not in the interpreter's shutdown
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
        print(f"{called}: a bug of vernis; please report it with the text above", file=sys.stderr)
        return EXIT_TROUBLE


def _run(words: Sequence[str]) -> int:
    command = COMMANDS.get(words[0]) if words else None
    if command is not None and command.is_short:
        gc.disable()
    if words and command is None and not words[0].startswith("-"):
        return _unknown(f"vernis: there is no command {words[0]!r}", words[0], COMMANDS, "vernis --help")
    parser = build_parser(words[0] if words else None)
    options, unknown = parser.parse_known_args(words)
    if unknown:
        head = f"vernis {options.command}" if options.command else "vernis"
        names = option_names(parser, options.command)
        return _unknown(f"{head}: unknown argument {unknown[0]!r}", unknown[0], names, f"{head} --help")
    if options.run is None:
        parser.print_help()
        return EXIT_TROUBLE
    try:
        return _handler(options.run)(options)
    except Trouble as error:
        print(plain(f"vernis {options.command}: {error}"), file=sys.stderr)
        return EXIT_TROUBLE
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in OPTIONAL:
            raise
        print(
            f"vernis {options.command}: this needs the Python package {package}: "
            f"{sys.executable} -m pip install {package}",
            file=sys.stderr,
        )
        return EXIT_TROUBLE


def _unknown(problem: str, word: str, names: Iterable[str], see: str) -> int:
    print(plain(f"{problem}{suggestion(word, names)} ({see})"), file=sys.stderr)
    return EXIT_TROUBLE


def _handler(name: str) -> Handler:
    """``"daemon.load"`` is ``load`` in ``vernis.commands.daemon``."""
    module, _, function = name.partition(".")
    handler: Handler = getattr(importlib.import_module(f"vernis.commands.{module}"), function)
    return handler


def _silence_stdout() -> None:
    """Redirects stdout to /dev/null after a failed write, so that the interpreter's flush at exit does not
    fail too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


class _CommandParser(argparse.ArgumentParser):
    """Accepts options between the other arguments, as in ``vernis backends set -n DIR NAME sick``."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        parse = super().parse_known_args
        if any(action.nargs == argparse.REMAINDER for action in self._actions):
            return parse(args, namespace)
        self.parse_known_args = parse  # type: ignore[method-assign] # called by the next line
        return self.parse_known_intermixed_args(args, namespace)


def option_names(parser: argparse.ArgumentParser, command: str | None) -> list[str]:
    """The options of a command; of `vernis` itself if there is none."""
    own = parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) and command is not None:
            own = action.choices[command]
    return [name for action in own._actions for name in action.option_strings]


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of the command line. It knows only ``command`` if there is one of that name, because
    building every subparser takes longer than checking a policy of a hundred lines."""
    parser = argparse.ArgumentParser(
        prog="vernis",
        description="Compiles policies written in VCL and controls the daemon that runs them.",
        epilog="Exit codes: 0 success; 1 the policy has errors or the daemon refused; 2 wrong usage, an "
        "unreachable file or daemon, or a bug of vernis.",
    )
    parser.set_defaults(run=None, command=None)
    parser.add_argument("-V", "--version", action="version", version=f"vernis {VERSION}")
    commands = parser.add_subparsers(
        prog=parser.prog, metavar="COMMAND", dest="command", parser_class=_CommandParser
    )
    for name in [command] if command in COMMANDS else COMMANDS:
        row = COMMANDS[name]
        own = commands.add_parser(name, help=row.help, description=row.help)
        own.set_defaults(run=row.run)
        row.options(own)
    return parser
