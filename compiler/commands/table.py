"""The table of the commands of `vernis`: name, function, one line of help, and options.

Each option and its help text exist only here. ``cli.py`` builds parsers from the table, and
``tests/compiler/command_tables.py`` generates docs/commands.md from it. The code of a command is in another
module of this package, imported when the command runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from vernis.record import record

Options = Callable[[argparse.ArgumentParser], None]


@record(frozen=True)
class Command:
    run: str  # "daemon.load" is `load` in vernis.commands.daemon
    help: str
    options: Options  # adds them to the command's parser
    is_short: bool  # ends before garbage collection would pay off


COMMANDS: dict[str, Command] = {}


def _command(name: str, run: str, help: str, is_short: bool = False) -> Callable[[Options], Options]:
    def enter(options: Options) -> Options:
        COMMANDS[name] = Command(run, help, options, is_short)
        return options

    return enter


# ---- policies ----------------------------------------------------------------------------------------------


def _includes(parser: argparse.ArgumentParser, err_unref: bool = True) -> None:
    parser.add_argument(
        "-I",
        "--vcl-path",
        action="append",
        default=[],
        metavar="DIR",
        help="search included files in DIR; may be repeated",
    )
    parser.add_argument(
        "--vmod-path",
        action="append",
        default=[],
        metavar="DIR",
        help="search third-party modules in DIR; may be repeated",
    )
    unused = parser.add_mutually_exclusive_group()
    unused.add_argument(
        "--err-unref",
        dest="err_unref",
        action="store_true",
        help="report unused backends, acls, probes and subs as errors, as a server does; "
        "the default, except for check",
    )
    unused.add_argument(
        "--no-err-unref", dest="err_unref", action="store_false", help="report them as warnings"
    )
    parser.set_defaults(err_unref=err_unref)


#: The formats of findings. vernis.report.formats has their functions, and is not loaded for other commands.
FORMATS = (
    "text",
    "full",
    "concise",
    "json",
    "json-lines",
    "sarif",
    "junit",
    "github",
    "gitlab",
    "checkstyle",
    "rdjson",
)


def _format(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=default,
        help="text: each finding with its line; full: with its fix, too; concise: one line for each; "
        f"others: for programs, see docs/lint.md; default: {default}",
    )
    parser.add_argument("--output", metavar="FILE", help="write the findings to FILE, in UTF-8")


@_command("build", "compile.build", "compile a policy to an image the daemon can load", is_short=True)
def _build(parser: argparse.ArgumentParser) -> None:
    _includes(parser)
    parser.add_argument("file", metavar="FILE", help="the policy")
    parser.add_argument("-o", "--output", required=True, metavar="OUT.so", help="the image")
    level = parser.add_mutually_exclusive_group()
    level.add_argument(
        "-O0", dest="optimisation", action="store_const", const=0, help="compile fast; the default"
    )
    level.add_argument("-O2", dest="optimisation", action="store_const", const=2, help="generate faster code")
    parser.set_defaults(optimisation=0)
    parser.add_argument("--name", help="name of the policy; default: the name of the file")
    parser.add_argument("--timings", action="store_true", help="print the time of each stage")


@_command("check", "compile.check", "report all errors and warnings of policies", is_short=True)
def _check(parser: argparse.ArgumentParser) -> None:
    _includes(parser, err_unref=False)
    parser.add_argument("files", nargs="+", metavar="FILE", help="the policies; - is stdin")
    _format(parser, "text")


@_command("lint", "lint.lint", "report what a policy does wrong to a cache and its visitors", is_short=True)
def _lint(parser: argparse.ArgumentParser) -> None:
    _includes(parser, err_unref=False)
    parser.add_argument("files", nargs="+", metavar="FILE", help="the policies; - is stdin")
    parser.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="RULES",
        help="run these rules: ids, names, beginnings of ids such as SEC, profiles, or all, "
        "separated by commas; default: recommended",
    )
    for option, text in (
        ("--extend-select", "run these rules, too, beside those of vernis.toml or of --select"),
        ("--ignore", "leave these rules out, beside those that vernis.toml leaves out"),
    ):
        parser.add_argument(option, action="append", default=[], metavar="RULES", help=text)
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--config",
        metavar="FILE",
        help="read the settings from FILE; default: vernis.toml in the folder of each policy, or above",
    )
    place.add_argument("--isolated", action="store_true", help="read no vernis.toml")
    _format(parser, "full")
    parser.add_argument(
        "--statistics", action="store_true", help="count the findings of each rule instead of showing them"
    )
    for option, text in (
        ("--fix", "apply the safe fixes, and show what is left"),
        ("--unsafe-fixes", "with --fix or --diff: the unsafe fixes, too"),
        ("--diff", "print the changes that --fix would make; exit with 1 if there are any"),
        ("--watch", "lint again whenever a file of a policy changes"),
    ):
        parser.add_argument(option, action="store_true", help=text)
    parser.add_argument(
        "--fix-in",
        action="append",
        default=[],
        metavar="DIR",
        help="fix included files in DIR, too; default: in the folder of each policy",
    )


@_command("rules", "lint.rules", "list the rules of lint", is_short=True)
def _rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--select", action="append", default=[], metavar="RULES", help="only these rules, as for lint"
    )


@_command("fmt", "fmt.fmt", "format policies: one style, the same meaning", is_short=True)
def _fmt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="the policies, or folders with .vcl files; - is stdin"
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 if a file would change"
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="change nothing; print the changes, and exit with 1 if there are any",
    )
    parser.add_argument(
        "--lines", metavar="FIRST-LAST", help="format only the statements on these lines of the file"
    )
    parser.add_argument(
        "--stdin-filename", metavar="FILE", help="name of stdin in messages; its folder has the vernis.toml"
    )
    parser.add_argument("--line-width", type=int, metavar="COLUMNS", help="break longer lines; default: 100")
    parser.add_argument("--indent", type=int, metavar="COLUMNS", help="indent bodies by this; default: 4")


@_command("test", "test.test", "run the tests of policies (NAME.test.vcl)")
def _test(parser: argparse.ArgumentParser) -> None:
    _includes(parser)
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files of tests, policies, or folders to search for NAME.test.vcl; default: this folder",
    )
    parser.add_argument("--policy", metavar="FILE", help="the policy; default: NAME.vcl beside the tests")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only tests with TEXT in their names")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the tests that passed, too")
    parser.add_argument(
        "-j", "--jobs", type=int, default=0, metavar="N", help="processes; default: one for each processor"
    )
    parser.add_argument(
        "--sockets", action="store_true", help="run the tests against vernisd, over sockets of 127.0.0.1"
    )
    parser.add_argument(
        "--daemon", metavar="FILE", help="the vernisd of --sockets; default: the installed one"
    )
    parser.add_argument(
        "--watch", action="store_true", help="run the tests again whenever a test or a policy changes"
    )
    parser.add_argument("--junit", metavar="FILE", help="also write a report in the format of JUnit")
    parser.add_argument(
        "--coverage", action="store_true", help="show the lines, branches and hooks that the tests run"
    )
    for form, place, text in (
        ("html", "DIR", "pages of the policies with the counts of their lines"),
        ("lcov", "FILE", "the coverage in the format of LCOV"),
        ("xml", "FILE", "the coverage in the format of Cobertura"),
    ):
        parser.add_argument(f"--coverage-{form}", metavar=place, help=f"write {text}")
    parser.add_argument(
        "--fail-under",
        type=float,
        metavar="PERCENT",
        help="exit with 1 if fewer lines, branches or hooks are covered, or fewer mutants noticed",
    )
    parser.add_argument(
        "--mutate",
        action="store_true",
        help="change the policies in small ways, and show what no test notices",
    )
    parser.add_argument(
        "--mutants", type=int, default=100, metavar="N", help="changes of each policy; default: 100"
    )
    parser.add_argument(
        "--runs", type=int, default=100, metavar="N", help="rows that each draw(...) draws; default: 100"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="which rows and which changes are drawn; default: 1"
    )


@_command("why", "why.why", "explain a request: each step, the reason, and what would make it a hit")
def _why(parser: argparse.ArgumentParser) -> None:
    _includes(parser, err_unref=False)
    parser.add_argument("policy", nargs="?", metavar="FILE", help="the policy")
    parser.add_argument("url", nargs="?", metavar="URL", help="http://HOST/PATH or /PATH")
    parser.add_argument(
        "-H",
        dest="fields",
        action="append",
        default=[],
        metavar="'NAME: VALUE'",
        help="a field of the request; may be repeated",
    )
    for flags, name, metavar, text in (
        (("-X",), "method", "METHOD", "the method; default: GET"),
        (("-d",), "data", "TEXT", "the content of the request; the method becomes POST"),
        (("--client",), "client", "ADDRESS", "client.ip of the request; default: 192.0.2.1"),
        (("--raw",), "raw", "FILE", "read the request from FILE, as a client sends it; - is stdin"),
        (("--har",), "har", "FILE", "read the request and its answer from a browser's HAR file"),
        (("--answer",), "answer", "FILE", "the answer of the origin, as it sends it; default: 200"),
        (("--output", "-o"), "output", "FILE", "write to FILE"),
    ):
        parser.add_argument(*flags, dest=name, metavar=metavar, help=text)
    parser.add_argument(
        "--entry", type=int, metavar="N", help="entry N of the HAR file, from 1; default: the first for URL"
    )
    parser.add_argument("--status", type=int, metavar="N", help="the status of the answer")
    parser.add_argument(
        "--answer-header",
        dest="answer_fields",
        action="append",
        default=[],
        metavar="'NAME: VALUE'",
        help="a field of the answer; may be repeated",
    )
    parser.add_argument(
        "--earlier",
        action="append",
        default=[],
        metavar="FILE",
        help="a request that came before, as for --raw; may be repeated; default: the same request",
    )
    parser.add_argument("--cold", action="store_true", help="no request came before: the cache is empty")
    parser.add_argument(
        "--wait", type=float, default=0.0, metavar="SECONDS", help="time since the request before"
    )
    _daemon(parser)
    parser.add_argument(
        "--transaction", type=int, metavar="VXID", help="explain this request of the log of a running daemon"
    )
    parser.set_defaults(patience="5")
    parser.add_argument(
        "--format", choices=("text", "json", "html"), default="text", help="html: one page, for a ticket"
    )
    parser.add_argument("--no-steps", dest="steps", action="store_false", help="leave out the statements")
    parser.add_argument(
        "--no-changes", dest="changes", action="store_false", help="look for no changes; this is faster"
    )


@_command("parse", "compile.parse", "print the syntax tree of a policy", is_short=True)
def _parse(parser: argparse.ArgumentParser) -> None:
    _includes(parser)
    parser.add_argument("file", metavar="FILE", help="the policy")
    parser.add_argument("--builtin", action="store_true", help="include the built-in policy")


@_command("ir", "compile.print_ir", "print the intermediate representation of a policy", is_short=True)
def _ir(parser: argparse.ArgumentParser) -> None:
    _includes(parser)
    parser.add_argument("file", metavar="FILE", help="the policy")
    parser.add_argument("--canonical", action="store_true", help="print it before the passes")
    parser.add_argument("--function", metavar="NAME", help="only this hook or sub")


@_command(
    "explain",
    "compile.explain",
    "explain an error code or a rule of lint, with a wrong and a right example",
    is_short=True,
)
def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="the code, such as V302, or the rule, such as SEC001")


# ---- the daemon --------------------------------------------------------------------------------------------


def _daemon(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n", dest="workdir", metavar="DIR", help="working directory of the daemon (as vernisd -n)"
    )
    parser.add_argument(
        "-T", dest="address", metavar="HOST:PORT", help="connect to its command line over TCP instead"
    )
    parser.add_argument("-S", dest="secret", metavar="FILE", help="the secret for -T")
    parser.add_argument(
        "-t",
        dest="timeout",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="how long to wait for an answer; default: 60",
    )


@_command("load", "daemon.load", "compile and load a policy, without making it the active one")
def _load(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("name", metavar="NAME", help="the name of the policy in the daemon")
    parser.add_argument("file", metavar="FILE", help="the policy; - is stdin")


@_command("use", "daemon.use", "make a loaded policy the active one")
def _use(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("name", metavar="NAME", help="the policy")


@_command(
    "reload",
    "daemon.reload",
    "load a policy, use it, discard the previous one; if a step fails, nothing changes",
)
def _reload(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument(
        "name_and_file",
        nargs="+",
        metavar="[NAME] FILE",
        help="the policy, and its name; default NAME: the name of the file and the time",
    )


@_command("list", "daemon.list_policies", "list the loaded policies")
def _list(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("-j", dest="json", action="store_true", help="as JSON")


@_command("show", "daemon.show", "print the source of a loaded policy, or of the active one")
def _show(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("name", nargs="?", metavar="NAME", help="the policy")
    parser.add_argument(
        "-v", dest="verbose", action="store_true", help="with includes and the built-in policy"
    )


@_command("discard", "daemon.discard", "unload policies that are not active")
def _discard(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("names", nargs="+", metavar="NAME", help="the policies")


@_command(
    "status", "status.status", "show whether the daemon serves, its policy, traffic, storage and backends"
)
def _status(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")
    parser.add_argument(
        "--seconds", type=float, default=1.0, metavar="N", help="how long to measure traffic; default: 1"
    )
    parser.add_argument(
        "--counters", action="store_true", help="print the daemon's own answer, with all counters"
    )


@_command(
    "upgrade",
    "daemon.upgrade",
    "start the daemon's program again: the new process takes over the sockets, the old one finishes "
    "its requests",
)
def _upgrade(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)


@_command("params", "daemon.params", "show run-time parameters, or set one")
def _params(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("name", nargs="?", metavar="NAME", help="the parameter")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="its new value")


@_command(
    "admin",
    "admin.admin",
    "send one command to the daemon, as varnishadm does; without a command, interactive",
)
def _admin(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("--json", action="store_true", help="ask for JSON (adds -j to the command)")
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="WORD",
        help="joined with spaces, as varnishadm does; quote arguments that contain spaces",
    )


@_command(
    "explain-key",
    "explain_key.explain_key",
    "show why a request missed: the parts of its cache key, and the stored responses",
)
def _explain_key(parser: argparse.ArgumentParser) -> None:
    _daemon(parser)
    parser.add_argument("url", metavar="URL", help="http://HOST/PATH; or /PATH with -H 'Host: HOST'")
    parser.add_argument(
        "-H",
        dest="fields",
        action="append",
        default=[],
        metavar="'NAME: VALUE'",
        help="a field of the request; may be repeated",
    )
    parser.add_argument("-X", dest="method", default="GET", metavar="METHOD", help="the method; default: GET")
    parser.add_argument(
        "--client",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="client.ip of the request; default: 127.0.0.1",
    )
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")


# ---- log and counters --------------------------------------------------------------------------------------


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


def _records(parser: argparse.ArgumentParser, grouping: str | None) -> None:
    parser.add_argument(
        "-g",
        dest="grouping",
        default=grouping,
        metavar="GROUPING",
        help="raw, vxid (default), request or session",
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


@_command("log", "log.log", "show the log of the daemon, or a dump of it")
def _log(parser: argparse.ArgumentParser) -> None:
    _observed(parser)
    _records(parser, None)
    parser.add_argument(
        "--format",
        choices=("text", "json", "screen"),
        help="text like varnishlog (default), JSON lines, or one screen per request",
    )
    parser.add_argument(
        "-d", dest="head", action="store_true", help="show the records in the log now, then end"
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


@_command("top", "top.top", "count the most frequent records of the log, or a policy's rules")
def _top(parser: argparse.ArgumentParser) -> None:
    _observed(parser)
    _records(parser, "vxid")
    parser.add_argument(
        "-1", "--once", dest="once", action="store_true", help="count the records in the log now, then end"
    )
    parser.add_argument(
        "--rules",
        action="store_true",
        help="count how often the rules of a policy were taken (docs/tools.md)",
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


@_command("stat", "stat.stat", "show the counters of the daemon, live or once")
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


# ---- programs ----------------------------------------------------------------------------------------------


@_command("run", "run.run", "run the daemon in the foreground, with an example policy and a demo origin")
def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--policy", metavar="FILE", help="the policy; default: the quickstart example")
    parser.add_argument(
        "-a",
        dest="listen",
        default="127.0.0.1:0",
        metavar="HOST:PORT",
        help="address to serve; default: any free port",
    )
    parser.add_argument(
        "-n", dest="workdir", metavar="DIR", help="working directory of the daemon; default: a new one"
    )
    parser.add_argument(
        "--daemon", metavar="PATH", help="the vernisd to start; default: the one beside vernis"
    )


@_command("demo-origin", "demo_origin.demo_origin", "run a small web site as an origin")
def _demo_origin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, help="port to listen on; default: any free port")
    parser.add_argument("--address", default="127.0.0.1", help="address to listen on; default: 127.0.0.1")
    parser.add_argument("--quiet", action="store_true", help="do not print each request")


@_command(
    "compile-server", "serve.compile_server", "compile policies for the daemon, which starts this command"
)
def _compile_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", metavar="DIR", help="folder for compiled parts; default: below the out_dir of each request"
    )
    parser.add_argument("--cpu-s", type=int, help="limit of CPU seconds per compile")
    parser.add_argument("--wall-s", type=float, help="limit of elapsed seconds per compile")
    parser.add_argument("--memory-bytes", type=int, help="limit of memory per compile")
    parser.add_argument(
        "--filter-calls",
        action="store_true",
        help="after the warm-up, allow only the system calls that a compile needs",
    )
    parser.add_argument(
        "--no-cores", action="store_true", help="write no core file, and forbid tracing by other processes"
    )
