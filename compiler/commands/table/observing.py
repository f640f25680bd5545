"""Commands that read the daemon's log and counters."""

from __future__ import annotations

import argparse

from vernis.commands.table.hiding import hiding_options
from vernis.commands.table.row import Rows, command

ROWS: Rows = {}


class _InOrder(argparse.Action):
    """Options whose order matters: collects (letter, argument) pairs in one list."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        assert option_string is not None
        setattr(
            namespace,
            self.dest,
            [*(getattr(namespace, self.dest) or ()), (option_string.lstrip("-"), values)],
        )


def _observed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n", dest="workdir", metavar="DIR", help="working directory of the daemon (as vernisd -n)"
    )
    parser.add_argument(
        "-t",
        dest="patience",
        default="5",
        metavar="SECONDS",
        help="how long to wait for a daemon to appear; off: without limit; default: 5",
    )


def _records(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-g", dest="grouping", metavar="GROUPING", help="raw, vxid (default), request or session"
    )
    for option, text in (
        ("-q", "show groups that match QUERY (docs/tools.md)"),
        ("-Q", "read the query from a file"),
    ):
        parser.add_argument(
            option,
            dest="queries",
            action=_InOrder,
            default=[],
            metavar="QUERY" if option == "-q" else "FILE",
            help=text,
        )
    for option, metavar, text in (
        ("-i", "TAGS", "show records with these tags"),
        ("-x", "TAGS", "hide records with these tags"),
        ("-I", "[TAGS:]REGEX", "show records that match"),
        ("-X", "[TAGS:]REGEX", "hide records that match"),
    ):
        parser.add_argument(option, dest="selected", action=_InOrder, default=[], metavar=metavar, help=text)
    for option, name, text in (
        ("-c", "client", "show only the client side"),
        ("-b", "backend", "show only the origin side"),
        ("-E", "includes", "show the client side with ESI includes"),
        ("-C", "caseless", "ignore case in expressions and texts"),
    ):
        parser.add_argument(option, dest=name, action="store_true", help=text)
    parser.add_argument("-r", dest="read", metavar="FILE", help="read a dump of -w; - is stdin")
    parser.add_argument(
        "-L",
        dest="unfinished_max",
        type=_positive,
        default=1000,
        metavar="N",
        help="most incomplete transactions to keep; default: 1000",
    )
    parser.add_argument(
        "-T",
        dest="unfinished_s",
        default="120",
        metavar="SECONDS",
        help="how long to keep an incomplete transaction; default: 120",
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return int(text)


@command(ROWS, "log", "log.log", "show the log of the daemon, or a dump of it")
def _log(parser: argparse.ArgumentParser) -> None:
    _observed(parser)
    _records(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", "screen"),
        help="text like varnishlog (default), JSON lines, or one screen per request",
    )
    parser.add_argument(
        "--fields",
        metavar="NAMES",
        help="JSON lines with these members only: short,req.http.User-Agent (docs/tools.md#fields)",
    )
    parser.add_argument(
        "-d", dest="head", action="store_true", help="show the records in the log now, then end"
    )
    parser.add_argument(
        "--why",
        action="store_true",
        help="one line per request with the reason of its hit, miss or pass; also with --format",
    )
    parser.add_argument(
        "--frames", action="store_true", help="show records of HTTP/2 frames in words, not as bytes"
    )
    parser.add_argument("-k", dest="count", type=_positive, metavar="N", help="end after this many groups")
    parser.add_argument(
        "-R", dest="rate", metavar="LIMIT[/TIME]", help="show at most LIMIT groups a second, or in TIME"
    )
    parser.add_argument(
        "-v", dest="verbose", action="store_true", help="print the transaction number on each line"
    )
    parser.add_argument(
        "-w", dest="write", metavar="FILE", help="write a dump for -r, or the output of --format; - is stdout"
    )
    parser.add_argument("-a", dest="append", action="store_true", help="append to FILE of -w")
    hiding_options(parser, "--show, as varnishlog")


@command(ROWS, "top", "top.top", "count the most frequent records of the log, or a policy's rules")
def _top(parser: argparse.ArgumentParser) -> None:
    _observed(parser)
    _records(parser)
    parser.add_argument(
        "-1", "--once", dest="once", action="store_true", help="count the records in the log now, then end"
    )
    parser.add_argument(
        "--rules",
        action="store_true",
        help="count how often the rules of a policy were taken (docs/tools.md)",
    )
    parser.add_argument(
        "--why",
        action="store_true",
        help="count misses and passes by their reason, with the most frequent URLs of each",
    )
    parser.add_argument(
        "--policy", metavar="NAME", help="with --rules: the policy or label; default: the active one"
    )
    parser.add_argument("--json", action="store_true", help="with --rules: print JSON once")
    parser.add_argument("-d", dest="head", action="store_true", help="start with the records in the log now")
    parser.add_argument(
        "-f",
        dest="first_field",
        action="store_true",
        help="group by the first word, or the field name, of each record",
    )
    parser.add_argument(
        "-p",
        dest="period",
        type=_positive,
        default=60,
        metavar="SECONDS",
        help="period of the averages; default: 60",
    )
    hiding_options(parser, "--show, as varnishtop")


@command(ROWS, "stat", "stat.stat", "show the counters of the daemon, live or once")
def _stat(parser: argparse.ArgumentParser) -> None:
    _observed(parser)
    output = parser.add_mutually_exclusive_group()
    for names, value, text in (
        (["-1"], "once", "print the counters once"),
        (["-j", "--json"], "json", "print JSON like varnishstat -j"),
        (["--prometheus"], "prometheus", "print Prometheus metrics"),
        (["-l"], "list", "list the names of the counters"),
    ):
        output.add_argument(*names, dest="output", action="store_const", const=value, help=text)
    for option, text in (
        ("-I", "show counters that match GLOB"),
        ("-X", "hide counters that match GLOB"),
        ("-f", "like -I, or with ^GLOB like -X"),
    ):
        parser.add_argument(
            option,
            dest="globs",
            action=_InOrder,
            default=[],
            metavar="GLOB",
            help=f"{text}; the first match decides",
        )
    parser.add_argument(
        "-r", dest="raw", action="store_true", help="print gauges below zero as they are, not as 0"
    )
