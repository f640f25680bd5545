"""The command line `vernis`: the table of commands, and what every command shares.

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

from vernis.version import VERSION

EXIT_OK, EXIT_REFUSED, EXIT_TROUBLE, EXIT_INTERRUPTED = 0, 1, 2, 130

#: Of a disk that takes no more; nothing of ours is broken.
_OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

Handler = Callable[[argparse.Namespace], int]


class Trouble(Exception):
    """Ends a command with exit code 2; the text says what and where."""


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
    if words and words[0] in GROUPS[_add_compile_commands]:
        gc.disable()            # such a command is over before a collection has paid for itself
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
    return getattr(importlib.import_module(f"vernis.commands.{module}"), function)


def _silence_stdout() -> None:
    """The reader of our output has gone, or there is no room for it; the interpreter's own flush at exit must not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of the command line. Of a command that there is, only its group: parsers are made in longer than a policy of
    a hundred lines is read."""
    parser = argparse.ArgumentParser(
        prog="vernis", description="Compiles policies written in VCL and controls the daemon that runs them.",
        epilog="Exit codes: 0 done; 1 the policy has errors or the daemon refused; 2 wrong usage, unreachable, or a fault of "
               "vernis itself.")
    parser.set_defaults(run=None, command=None)
    parser.add_argument("-V", "--version", action="version", version=f"vernis {VERSION}")
    commands = parser.add_subparsers(prog=parser.prog, metavar="COMMAND", dest="command")
    wanted = [add for add, names in GROUPS.items() if command in names]
    for add in wanted or GROUPS:
        add(commands)
    return parser


Commands = argparse._SubParsersAction       # type: ignore[type-arg]


def _add(commands: Commands, name: str, run: str, help_text: str,
         parents: Sequence[argparse.ArgumentParser] = ()) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_text, description=help_text, parents=list(parents))
    parser.set_defaults(run=run)
    return parser


def _add_compile_commands(commands: Commands) -> None:
    includes = argparse.ArgumentParser(add_help=False)
    includes.add_argument("-I", "--vcl-path", action="append", default=[], metavar="DIR",
                          help="where includes are looked for; may be repeated")
    includes.add_argument("--vmod-path", action="append", default=[], metavar="DIR",
                          help="where modules that do not come with the server are looked for; may be repeated")
    unused = includes.add_mutually_exclusive_group()
    unused.add_argument("--err-unref", dest="err_unref", action="store_true",
                        help="unused backends, acls, probes and subs are errors, as when a server loads the policy; "
                             "the default, except for check")
    unused.add_argument("--no-err-unref", dest="err_unref", action="store_false", help="they are warnings")
    includes.set_defaults(err_unref=True)

    build = _add(commands, "build", "compile.build", "compile a policy to an image the daemon can load", [includes])
    build.add_argument("file", metavar="FILE")
    build.add_argument("-o", "--output", required=True, metavar="OUT.so")
    level = build.add_mutually_exclusive_group()
    level.add_argument("-O0", dest="optimisation", action="store_const", const=0, help="quick to compile; the default")
    level.add_argument("-O2", dest="optimisation", action="store_const", const=2, help="quick to run")
    build.set_defaults(optimisation=0)
    build.add_argument("--name", help="name of the policy; default: the file's")
    build.add_argument("--timings", action="store_true", help="say how long each stage took")

    check = _add(commands, "check", "compile.check", "report all errors and warnings of policies", [includes])
    check.add_argument("files", nargs="+", metavar="FILE", help="- is stdin")
    check.add_argument("--format", choices=("text", "concise", "json", "sarif", "github"), default="text")
    check.set_defaults(err_unref=False)

    parse = _add(commands, "parse", "compile.parse", "print the syntax tree of a policy", [includes])
    parse.add_argument("file", metavar="FILE")
    parse.add_argument("--builtin", action="store_true", help="with the built-in policy that follows it")

    ir = _add(commands, "ir", "compile.print_ir", "print the intermediate representation of a policy", [includes])
    ir.add_argument("file", metavar="FILE")
    ir.add_argument("--canonical", action="store_true", help="as lowered, before the passes")
    ir.add_argument("--function", metavar="NAME", help="only this hook or sub")

    explain = _add(commands, "explain", "compile.explain", "say what an error code means")
    explain.add_argument("code", metavar="CODE", help="such as V310")


def _add_daemon_commands(commands: Commands) -> None:
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument("-n", dest="workdir", metavar="DIR", help="working directory of the daemon (as vernisd -n)")
    where.add_argument("-T", dest="address", metavar="HOST:PORT", help="its CLI over TCP instead")
    where.add_argument("-S", dest="secret", metavar="FILE", help="the secret for -T")
    where.add_argument("-t", dest="timeout", type=float, default=60.0, metavar="SECONDS", help="default 60")

    load = _add(commands, "load", "daemon.load", "compile a policy and load it, without using it yet", [where])
    load.add_argument("name", metavar="NAME")
    load.add_argument("file", metavar="FILE", help="- reads the policy from stdin")

    use = _add(commands, "use", "daemon.use", "make a loaded policy the active one", [where])
    use.add_argument("name", metavar="NAME")

    reload = _add(commands, "reload", "daemon.reload",
                  "load a policy, use it, discard the one before; nothing changes when a step fails", [where])
    reload.add_argument("name_and_file", nargs="+", metavar="[NAME] FILE")

    listing = _add(commands, "list", "daemon.list_policies", "the policies that are loaded", [where])
    listing.add_argument("-j", dest="json", action="store_true", help="as JSON")

    show = _add(commands, "show", "daemon.show", "source of a loaded policy; without a name, of the active one", [where])
    show.add_argument("name", nargs="?", metavar="NAME")
    show.add_argument("-v", dest="verbose", action="store_true", help="with includes and the built-in policy")

    discard = _add(commands, "discard", "daemon.discard", "unload policies that are not active", [where])
    discard.add_argument("names", nargs="+", metavar="NAME")

    status = _add(commands, "status", "daemon.status", "state of the daemon and its worker", [where])
    status.add_argument("-j", dest="json", action="store_true", help="as JSON")

    params = _add(commands, "params", "daemon.params", "show run-time parameters, or set one", [where])
    params.add_argument("name", nargs="?", metavar="NAME")
    params.add_argument("value", nargs="?", metavar="VALUE")

    admin = _add(commands, "admin", "admin.admin",
                 "the daemon's command line: one command as it is, as varnishadm does; without one, interactive", [where])
    admin.add_argument("--json", action="store_true", help="ask for JSON (puts -j behind the command's name)")
    admin.add_argument("words", nargs=argparse.REMAINDER, metavar="WORD",
                       help="sent joined by blanks and not quoted, so that a quoted command line means what it means to varnishadm")


class _InOrder(argparse.Action):
    """Options whose order counts: (letter, argument) pairs in one list."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object,
                 option_string: str | None = None) -> None:
        assert option_string is not None
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or ()), (option_string.lstrip("-"), values)])


def _add_observing_commands(commands: Commands) -> None:
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument("-n", dest="workdir", metavar="DIR", help="working directory of the daemon (as vernisd -n)")
    where.add_argument("-t", dest="patience", default="5", metavar="SECONDS",
                       help="how long to wait for a daemon to appear; off: for ever; default 5")
    log = _add(commands, "log", "log.log", "what the daemon does: its log, or a dump of it", [where, _log_options(None)])
    log.add_argument("--format", choices=("text", "json", "screen"),
                     help="text, as varnishlog (default); JSON lines; or one screen a request for people")
    log.add_argument("-d", dest="head", action="store_true", help="what is in the log now, then end")
    log.add_argument("-k", dest="count", type=_positive, metavar="N", help="end after so many groups")
    log.add_argument("-R", dest="rate", metavar="LIMIT[/TIME]", help="show no more than so many groups a second, or in TIME")
    log.add_argument("-v", dest="verbose", action="store_true", help="the transaction's number on each line")
    log.add_argument("-w", dest="write", metavar="FILE", help="write a dump for -r (or what --format says); - is stdout")
    log.add_argument("-a", dest="append", action="store_true", help="append to FILE of -w")

    top = _add(commands, "top", "top.top", "what occurs most often in the log", [where, _log_options("vxid")])
    top.add_argument("-1", dest="once", action="store_true", help="print once what is in the log now")
    top.add_argument("-d", dest="head", action="store_true", help="begin with what is in the log")
    top.add_argument("-f", dest="first_field", action="store_true", help="count by the first word, or the name, of each record")
    top.add_argument("-p", dest="period", type=_positive, default=60, metavar="SECONDS", help="averaged over; default 60")

    stat = _add(commands, "stat", "stat.stat", "the daemon's counters, live or once", [where])
    output = stat.add_mutually_exclusive_group()
    for names, value, text in ((["-1"], "once", "print them once"), (["-j", "--json"], "json", "as JSON, as varnishstat -j"),
                               (["--prometheus"], "prometheus", "as Prometheus metrics"), (["-l"], "list", "only what there is")):
        output.add_argument(*names, dest="output", action="store_const", const=value, help=text)
    for option, text in (("-I", "show counters that match GLOB"), ("-X", "hide them"),
                         ("-f", "the same as -I, or with ^GLOB as -X")):
        stat.add_argument(option, dest="globs", action=_InOrder, default=[], metavar="GLOB",
                          help=f"{text}; the first that matches decides")
    stat.add_argument("-r", dest="raw", action="store_true", help="gauges below zero as they are, not as 0")


def _log_options(grouping: str | None) -> argparse.ArgumentParser:
    records = argparse.ArgumentParser(add_help=False)
    records.add_argument("-g", dest="grouping", default=grouping, metavar="GROUPING",
                         help="raw, vxid (default), request or session")
    for option, text in (("-q", "show groups for which QUERY holds (docs/tools.md)"), ("-Q", "the same, from a file")):
        records.add_argument(option, dest="queries", action=_InOrder, default=[], metavar="QUERY" if option == "-q" else "FILE",
                             help=text)
    for option, metavar, text in (
            ("-i", "TAGS", "show records of these kinds"), ("-x", "TAGS", "hide them"),
            ("-I", "[TAGS:]REGEX", "show records that match"), ("-X", "[TAGS:]REGEX", "hide them")):
        records.add_argument(option, dest="selected", action=_InOrder, default=[], metavar=metavar, help=text)
    for option, name, text in (("-c", "client", "only the clients' side"), ("-b", "backend", "only the origins' side"),
                               ("-E", "includes", "the clients' side with ESI includes"),
                               ("-C", "caseless", "expressions and texts match in any case")):
        records.add_argument(option, dest=name, action="store_true", help=text)
    records.add_argument("-r", dest="read", metavar="FILE", help="read a dump of -w; - is stdin")
    records.add_argument("-L", dest="unfinished_max", type=_positive, default=1000, metavar="N",
                         help="transactions kept until they are complete; default 1000")
    records.add_argument("-T", dest="unfinished_s", default="120", metavar="SECONDS",
                         help="how long they are kept; default 120")
    return records


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return int(text)


def _add_run_commands(commands: Commands) -> None:
    run = _add(commands, "run", "run.run", "the daemon in the foreground with an example policy before a demo origin")
    run.add_argument("--policy", metavar="FILE", help="default: the quickstart example")
    run.add_argument("-a", dest="listen", default="127.0.0.1:0", metavar="HOST:PORT",
                     help="where to serve; default: any free port")
    run.add_argument("-n", dest="workdir", metavar="DIR", help="working directory of the daemon; default: one of its own")
    run.add_argument("--daemon", metavar="PATH", help="the vernisd to start; default: the one beside vernis")

    origin = _add(commands, "demo-origin", "demo_origin.demo_origin", "a small web site to put the proxy before")
    origin.add_argument("--port", type=int, default=0, help="default: any free one")
    origin.add_argument("--address", default="127.0.0.1")
    origin.add_argument("--quiet", action="store_true", help="do not print each request")

    server = _add(commands, "compile-server", "serve.compile_server", "compile for the daemon, which starts it (stdin, stdout)")
    server.add_argument("--store", metavar="DIR", help="where what was compiled is kept; default: below each request's out_dir")
    server.add_argument("--cpu-s", type=int, help="limit of CPU time of one compile")
    server.add_argument("--wall-s", type=float, help="limit of time of one compile")
    server.add_argument("--memory-bytes", type=int, help="limit of memory of one compile")


GROUPS: dict[Callable[[Commands], None], tuple[str, ...]] = {
    _add_compile_commands: ("build", "check", "parse", "ir", "explain"),
    _add_daemon_commands: ("load", "use", "reload", "list", "show", "discard", "status", "params", "admin"),
    _add_observing_commands: ("log", "top", "stat"),
    _add_run_commands: ("run", "demo-origin", "compile-server"),
}
