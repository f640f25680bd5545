"""Commands to a running daemon."""

from __future__ import annotations

import argparse

from vernis.commands.table.connection import daemon_options
from vernis.commands.table.hiding import hiding_options
from vernis.commands.table.row import Rows, command

ROWS: Rows = {}


def _values(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("-D", "--define", action="append", default=[], metavar="NAME=VALUE", help=text)


@command(ROWS, "load", "daemon.load", "compile and load a policy, without making it the active one")
def _load(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("name", metavar="NAME", help="the name of the policy in the daemon")
    parser.add_argument("file", metavar="FILE", help="the policy; - is stdin")
    _values(parser, "give a `param` of the policy a value; may be repeated")


@command(ROWS, "use", "daemon.use", "make a loaded policy the active one")
def _use(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("name", metavar="NAME", help="the policy")


@command(
    ROWS,
    "reload",
    "daemon.reload",
    "load a policy, use it, discard the previous one; if a step fails, nothing changes",
)
def _reload(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument(
        "name_and_file",
        nargs="+",
        metavar="[NAME] FILE",
        help="the policy, and its name; default NAME: the name of the file and the time",
    )
    _values(
        parser,
        "give a `param` of the policy a value; may be repeated; without -D the values of the active "
        "policy remain",
    )


@command(ROWS, "list", "daemon.list_policies", "list the loaded policies")
def _list(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")


@command(ROWS, "show", "daemon.show", "print the source of a loaded policy, or of the active one")
def _show(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("name", nargs="?", metavar="NAME", help="the policy")
    parser.add_argument(
        "-v", dest="verbose", action="store_true", help="with includes and the built-in policy"
    )


@command(ROWS, "discard", "daemon.discard", "unload policies that are not active")
def _discard(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("names", nargs="+", metavar="NAME", help="the policies")


@command(
    ROWS,
    "status",
    "status.status",
    "show whether the daemon serves, its policy, traffic, storage and backends",
)
def _status(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")
    parser.add_argument(
        "--seconds", type=float, default=1.0, metavar="N", help="how long to measure traffic; default: 1"
    )
    parser.add_argument(
        "--counters", action="store_true", help="print the daemon's own answer, with all counters"
    )


@command(
    ROWS,
    "dashboard",
    "daemon.dashboard",
    "turn on the dashboard of the daemon, a web page, and print its link",
)
def _dashboard(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--listen", metavar="HOST:PORT", help="address to serve; default: any free port of 127.0.0.1"
    )
    group.add_argument("--stop", action="store_true", help="turn it off")


@command(
    ROWS,
    "upgrade",
    "daemon.upgrade",
    "start the daemon's program again: the new process takes over the sockets, the old one finishes "
    "its requests",
)
def _upgrade(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)


@command(ROWS, "params", "daemon.params", "show run-time parameters, or set one")
def _params(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("name", nargs="?", metavar="NAME", help="the parameter")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="its new value")


@command(
    ROWS,
    "admin",
    "admin.admin",
    "send one command to the daemon, as varnishadm does; without a command, interactive",
)
def _admin(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("--json", action="store_true", help="ask for JSON (adds -j to the command)")
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="WORD",
        help="joined with spaces, as varnishadm does; quote arguments that contain spaces",
    )


@command(ROWS, "ban", "invalidate.ban", "stop serving the stored responses that meet all conditions")
def _ban(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument(
        "conditions",
        nargs="+",
        metavar="EXPR",
        help="'FIELD OPERATOR VALUE && ...', such as 'obj.http.Content-Type ~ ^image/'; as one argument, "
        "or word by word",
    )
    parser.add_argument("--dry-run", action="store_true", help="only count what the ban would match")
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")


@command(ROWS, "purge", "invalidate.purge", "remove the stored responses of a URL, of surrogate keys, or all")
def _purge(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument(
        "url", nargs="?", metavar="URL", help="http://HOST/PATH; or /PATH with -H 'Host: HOST'"
    )
    parser.add_argument(
        "--key",
        dest="keys",
        action="append",
        default=[],
        metavar="KEY",
        help="a surrogate key (a word of the response field xkey) instead of a URL; may be repeated",
    )
    parser.add_argument("--all", action="store_true", help="all stored responses")
    parser.add_argument("--soft", action="store_true", help="make them stale, with their grace and keep")
    _made_up_request(parser)
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")


@command(ROWS, "backends", "backends.backends", "list backends and directors with their health, or set it")
def _backends(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument(
        "action", nargs="?", metavar="{set,NAME}", help="the backend to list, or a pattern such as site.*"
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="with set: the backend, or a pattern")
    parser.add_argument(
        "health",
        nargs="?",
        choices=("healthy", "sick", "auto"),
        help="its health whatever its probe says; auto: as its probe says",
    )
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")


@command(ROWS, "table", "tables.table", "list, show, compare or replace the rows of a policy's tables")
def _table(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument(
        "action",
        choices=("list", "show", "diff", "replace"),
        help="diff and replace read a CSV or JSON file; replace takes effect at once",
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="NAME [KEY|FILE]",
        help="TABLE (of the active policy) or POLICY.TABLE; with show a key to look up, else the file",
    )
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")


@command(ROWS, "image", "daemon.image", "load a policy that vernis build has compiled")
def _image(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument(
        "action", choices=("load",), help="load the image, without making it the active policy"
    )
    parser.add_argument(
        "name_and_file",
        nargs="+",
        metavar="[NAME] FILE",
        help="the image, and its name in the daemon; default NAME: the name of the file and the time",
    )
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")


def _made_up_request(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument(
        "--protocol",
        default="HTTP/1.1",
        choices=("HTTP/1.1", "HTTP/2.0"),
        help="req.proto of the request; default: HTTP/1.1",
    )


@command(
    ROWS,
    "explain-key",
    "explain_key.explain_key",
    "show why a request missed: the parts of its cache key, and the stored responses",
)
def _explain_key(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("url", metavar="URL", help="http://HOST/PATH; or /PATH with -H 'Host: HOST'")
    _made_up_request(parser)
    parser.add_argument("-j", "--json", dest="json", action="store_true", help="as JSON")
    hiding_options(parser, "--show")
