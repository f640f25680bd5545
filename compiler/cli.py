"""The command line `vernis`: parses the arguments, runs the command and returns the exit code.
``commands/table/`` is the table of commands.

The code of a command is in ``vernis.commands`` and imported when it runs, so that ``vernis status`` starts as
fast as the interpreter. Exit codes: 0 success; 1 the policy has errors, or the daemon refused the command; 2
wrong usage, an unreachable file or daemon, or a bug of vernis. A signal, also that of a closed pipe, ends the
process as it ends any program.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache

from vernis.commands.outcome import EXIT_OK, EXIT_SIGNAL, EXIT_TROUBLE, Ended, Trouble
from vernis.commands.table import COMMANDS, GROUPS
from vernis.commands.table.connection import BEFORE
from vernis.commands.table.row import options_of_all
from vernis.shown import plain
from vernis.similar import suggestion
from vernis.terminal import choose_colours
from vernis.trouble import helped, is_of_the_system, words_of
from vernis.version import VERSION

#: Packages that only some commands import: those of the extra `live` (pyproject.toml).
OPTIONAL = ("rich", "prompt_toolkit", "prometheus_client")

DESCRIPTION = "Compiles policies written in VCL and controls the daemon that runs them."
EXIT_CODES = (
    "Exit codes: 0 success; 1 the policy has errors or the daemon refused; 2 wrong usage, an unreachable "
    "file or daemon, or a bug of vernis."
)
COLOR = "--color"
#: Words of the daemon's own commands, such as vcl.list, which users of varnishadm type.
_COMMAND_OF_DAEMON = re.compile(r"[a-z]+\.[a-z_]+")

Handler = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns its exit code; 128 and more: a signal should end the process, as `run` does."""
    words = sys.argv[1:] if arguments is None else arguments
    called = " ".join(["vernis", *words[:1]])
    _open_streams()
    try:
        status = _run(words)
        print(end="", flush=True)  # report a write error here, not in the interpreter's shutdown
        return status
    except (Exception, KeyboardInterrupt, Ended) as error:
        if (number := _signal_of(error)) is not None:
            _flush()
            return EXIT_SIGNAL + number
        return _report(called, error)


def _signal_of(error: BaseException | None) -> int | None:
    """The signal that ends the command: of a closed pipe, or one whose clean-up failed, too."""
    while error is not None:
        match error:
            case BrokenPipeError():
                return signal.SIGPIPE
            case KeyboardInterrupt():
                return signal.SIGINT
            case Ended():
                return error.number
        error = error.__context__
    return None


def _report(called: str, error: BaseException) -> int:
    if isinstance(error, OSError) and is_of_the_system(error):
        _silence_stdout()
        _say(f"{called}: {helped(words_of(error), error)}")
    elif isinstance(error, MemoryError):
        _say(f"{called}: not enough memory: close other programs, or raise the limit (ulimit -v)")
    else:
        import traceback

        with suppress(OSError):
            traceback.print_exc()
        _say(f"{called}: a bug of vernis; please report it with the text above")
    return EXIT_TROUBLE


def _say(text: str) -> None:
    """On stderr, unless it is closed or full, too."""
    with suppress(OSError):
        print(plain(text), file=sys.stderr, flush=True)


def _flush() -> None:
    """Writes what a command has printed before a signal ended it."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _silence_stdout()


def _open_streams() -> None:
    """Opens /dev/null in place of a standard stream that the parent process closed: the next file would get
    its number. A character that the encoding of stdout does not have is written as an escape."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    sys.stdin = sys.stdin or open(0, closefd=False)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)
    if getattr(sys.stdout, "errors", "") == "strict" and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


def _run(words: Sequence[str]) -> int:
    before, words = _leading_options(words)
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if words[:1] in (["-h"], ["--help"]) or not (before or words):
        print(overview(), end="")
        return EXIT_OK if words else EXIT_TROUBLE
    command = COMMANDS.get(words[0]) if words else None
    if command is not None and command.is_short:
        gc.disable()
    if words and command is None and not words[0].startswith("-"):
        if _COMMAND_OF_DAEMON.fullmatch(words[0]):
            print(
                plain(f"vernis: `vernis admin {words[0]}` sends this command to the daemon"), file=sys.stderr
            )
            return EXIT_TROUBLE
        return _unknown(f"vernis: there is no command {words[0]!r}", words[0], COMMANDS, "vernis --help")
    if before and command is None:
        print(plain(f"vernis: no command after {' '.join(before)} (vernis --help)"), file=sys.stderr)
        return EXIT_TROUBLE
    parser = build_parser(words[0] if words else None)
    misplaced = [name for name in before[::2] if not _may_move(parser, words[0], name)]
    if misplaced:
        what = f"{misplaced[0]} before the command chooses the daemon"
        print(plain(f"vernis {words[0]}: {what}, and this command has no such option"), file=sys.stderr)
        return EXIT_TROUBLE
    try:
        options, unknown = parser.parse_known_args([*words[:1], *before, *words[1:]])
    except SystemExit as end:  # it has printed the help, the version or an error
        return int(end.code or 0)
    if unknown:
        head = f"vernis {options.command}" if options.command else "vernis"
        names = option_names(parser, options.command)
        return _unknown(f"{head}: unknown argument {unknown[0]!r}", unknown[0], names, f"{head} --help")
    if options.run is None:
        parser.print_help()
        return EXIT_TROUBLE
    choose_colours(options.color)
    try:
        return _handler(options.run)(options)
    except Trouble as error:
        _flush()  # what was printed before the error stands before it
        print(plain(helped(f"vernis {options.command}: {error}", error)), file=sys.stderr)
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


def _leading_options(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options before the command, each as its name and its value, and the other words."""
    before: list[str] = []
    rest = list(words)
    while rest:
        word = rest[0]
        name, found, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
        if name not in (*BEFORE, COLOR) or not found and len(rest) < 2:
            break
        before += [name, value if found else rest[1]]
        del rest[: 1 if found else 2]
    return before, rest


def _may_move(parser: argparse.ArgumentParser, command: str, name: str) -> bool:
    """Whether an option before the command means the same behind it."""
    action = _own_parser(parser, command)._option_string_actions.get(name)
    return name == COLOR or action is not None and action.dest in BEFORE[name]


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


class _HelpFormatter(argparse.HelpFormatter):
    """Asks once for the width of the terminal. ``argparse`` makes a formatter for each option, and would
    import ``shutil``, which loads the compression libraries, for its width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


@cache
def _columns() -> int:
    """The width of the terminal as ``shutil.get_terminal_size`` tells it."""
    with suppress(ValueError):
        if (columns := int(os.environ.get("COLUMNS", "0"))) > 0:
            return columns
    with suppress(OSError, ValueError):  # no terminal
        if sys.__stdout__ is not None:
            return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80
    return 80


class _CommandParser(argparse.ArgumentParser):
    """Accepts options between the other arguments, as in ``vernis backends set -n DIR NAME sick``."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        parse = super().parse_known_args
        if any(action.nargs == argparse.REMAINDER for action in self._actions):
            return parse(args, namespace)
        self.parse_known_args = parse  # type: ignore[method-assign] # called by the next line
        return self.parse_known_intermixed_args(args, namespace)


def _own_parser(parser: argparse.ArgumentParser, command: str | None) -> argparse.ArgumentParser:
    """The parser of a command; that of `vernis` itself if there is none."""
    own = parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) and command is not None:
            own = action.choices[command]
    return own


def option_names(parser: argparse.ArgumentParser, command: str | None) -> list[str]:
    own = _own_parser(parser, command)
    return [name for action in own._actions for name in action.option_strings]


def overview() -> str:
    """The commands by group, as `vernis --help` prints them."""
    import textwrap

    width = max(map(len, COMMANDS)) + 4
    lines = ["usage: vernis [-n DIR] [--color WHEN] COMMAND [ARGUMENT ...]", "", DESCRIPTION]
    for group, names in GROUPS.items():
        lines += ["", f"{group}:"]
        for name in names:
            indent = " " * width
            lines += textwrap.wrap(
                f"  {name:{width - 2}}{COMMANDS[name].help}", 100, subsequent_indent=indent
            )
    lines += ["", "Before or behind the command:"]
    for option, text in (
        ("-n DIR", "the daemon's working directory; -T, -S and -t as for varnishadm"),
        ("--color WHEN", "auto, always or never"),
    ):
        lines.append(f"  {option:{width - 2}}{text}")
    lines += ["", "`vernis COMMAND --help` prints the options of a command, `vernis --version` the version."]
    lines += textwrap.wrap(EXIT_CODES, 100)
    return "\n".join([*lines, ""])


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of the command line. It knows only ``command`` if there is one of that name, because
    building every subparser takes longer than checking a policy of a hundred lines."""
    parser = argparse.ArgumentParser(
        prog="vernis", description=DESCRIPTION, epilog=EXIT_CODES, formatter_class=_HelpFormatter
    )
    parser.set_defaults(run=None, command=None)
    parser.add_argument("-V", "--version", action="version", version=f"vernis {VERSION}")
    commands = parser.add_subparsers(
        prog=parser.prog, metavar="COMMAND", dest="command", parser_class=_CommandParser
    )
    for name in [command] if command in COMMANDS else COMMANDS:
        row = COMMANDS[name]
        own = commands.add_parser(name, help=row.help, description=row.help, formatter_class=_HelpFormatter)
        own.set_defaults(run=row.run)
        row.options(own)
        options_of_all(own)
    return parser
