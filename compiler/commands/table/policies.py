"""Commands on files of policies."""

from __future__ import annotations

import argparse

from vernis.commands.table.connection import daemon_options
from vernis.commands.table.hiding import hiding_options
from vernis.commands.table.row import Rows, command

ROWS: Rows = {}


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
    parser.add_argument(
        "-D",
        "--define",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="give a `param` of a policy of vcl 5.0 a value; may be repeated",
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


#: The processors of `build --target`. vernis.native.target has their rules, and is not loaded for the table.
TARGETS = ("x86_64-linux-gnu", "aarch64-linux-gnu")

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


#: The levels of --fail-on. vernis.commands.baseline has what they mean.
LEVELS = ("error", "warning", "note", "never")


def _failing(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--fail-on",
        choices=LEVELS,
        default=default,
        help=f"exit with 1 if there is a finding of this level or above; default: {default}",
    )
    known = parser.add_mutually_exclusive_group()
    for option, text in (
        ("--baseline", "leave out the findings that FILE names: they fail no run"),
        ("--write-baseline", "write all findings, except for errors of the compiler, to FILE for --baseline"),
        ("--prune-baseline", "as --baseline, and remove the findings from FILE that are gone"),
    ):
        known.add_argument(option, metavar="FILE", help=text)


@command(ROWS, "build", "compile.build", "compile a policy to an image the daemon can load", is_short=True)
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
    parser.add_argument(
        "--target", choices=TARGETS, help="the processor that runs the image; default: this machine's"
    )
    parser.add_argument("--timings", action="store_true", help="print the time of each stage")


@command(ROWS, "check", "compile.check", "report all errors and warnings of policies", is_short=True)
def _check(parser: argparse.ArgumentParser) -> None:
    _includes(parser, err_unref=False)
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="the policies, or folders with policies; - is stdin"
    )
    parser.add_argument(
        "--costs", action="store_true", help="print the most that one run of each hook may cost"
    )
    _format(parser, "text")
    _failing(parser, "error")


@command(
    ROWS, "lint", "lint.lint", "report what a policy does wrong to a cache and its visitors", is_short=True
)
def _lint(parser: argparse.ArgumentParser) -> None:
    _includes(parser, err_unref=False)
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="the policies, or folders with policies; - is stdin"
    )
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
    _failing(parser, "note")
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


@command(ROWS, "fix", "fix.fix", "rewrite policies of vcl 4.x as 5.0")
def _fix(parser: argparse.ArgumentParser) -> None:
    _includes(parser, err_unref=False)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="the policies, or folders with policies; included files change, too",
    )
    parser.add_argument(
        "--migrate", action="store_true", help="make 4.x policies 5.0 policies that behave the same"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--diff", action="store_true", help="print the changes; exit with 1 if there are any")
    shown.add_argument(
        "--check", action="store_true", help="name the files that would change; exit with 1 if there are any"
    )
    parser.add_argument(
        "--fix-in",
        action="append",
        default=[],
        metavar="DIR",
        help="change included files in DIR, too; default: in the folder of each policy",
    )


@command(ROWS, "rules", "lint.rules", "list the rules of lint", is_short=True)
def _rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--select", action="append", default=[], metavar="RULES", help="only these rules, as for lint"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="json: with the reason and remedy of each rule",
    )


@command(ROWS, "fmt", "fmt.fmt", "format policies: one style, the same meaning", is_short=True)
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


@command(ROWS, "test", "test.test", "run the tests of policies (NAME.test.vcl)")
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
    for name, text in (("tag", "only tests"), ("skip-tag", "no tests")):
        parser.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="NAME",
            help=f"{text} with this tag; may be repeated",
        )
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


@command(ROWS, "why", "why.why", "explain a request: each step, the reason, and what would make it a hit")
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
        (("--client",), "client", "ADDRESS", "client.ip, of --earlier too; default: 192.0.2.1"),
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
    daemon_options(parser)
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
    hiding_options(parser, "--hide with html and json, --show with text")


@command(ROWS, "parse", "compile.parse", "print the syntax tree of a policy", is_short=True)
def _parse(parser: argparse.ArgumentParser) -> None:
    _includes(parser)
    parser.add_argument("file", metavar="FILE", help="the policy")
    parser.add_argument("--builtin", action="store_true", help="include the built-in policy")


@command(ROWS, "ir", "compile.print_ir", "print the intermediate representation of a policy", is_short=True)
def _ir(parser: argparse.ArgumentParser) -> None:
    _includes(parser)
    parser.add_argument("file", metavar="FILE", help="the policy")
    parser.add_argument("--canonical", action="store_true", help="print it before the passes")
    parser.add_argument("--function", metavar="NAME", help="only this hook or sub")


@command(
    ROWS,
    "explain",
    "compile.explain",
    "explain an error code or a rule of lint, with a wrong and a right example",
    is_short=True,
)
def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="the code, such as V302, or the rule, such as SEC001")
