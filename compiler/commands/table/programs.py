"""Programs of their own: the daemon with a demo, a demo origin, the compile server; completion of shells."""

from __future__ import annotations

import argparse

from vernis.commands.table.connection import daemon_options
from vernis.commands.table.row import Rows, command

ROWS: Rows = {}


@command(ROWS, "run", "run.run", "run the daemon in the foreground, with an example policy and a demo origin")
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
        "--https",
        default="127.0.0.1:0",
        metavar="HOST:PORT",
        help="address for HTTPS, with a certificate that signs itself; '': none; default: any free port",
    )
    parser.add_argument(
        "-n", dest="workdir", metavar="DIR", help="working directory of the daemon; default: a new one"
    )
    parser.add_argument(
        "--daemon", metavar="PATH", help="the vernisd to start; default: the one beside vernis"
    )


@command(ROWS, "demo-origin", "demo_origin.demo_origin", "run a small web site as an origin")
def _demo_origin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, help="port to listen on; default: any free port")
    parser.add_argument("--address", default="127.0.0.1", help="address to listen on; default: 127.0.0.1")
    parser.add_argument("--quiet", action="store_true", help="do not print each request")


@command(ROWS, "tls", "tls.tls", "check certificates and settings of listeners with HTTPS")
def _tls(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", choices=("check",), help="chain, names, dates, key, and what a listener would offer"
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a PEM file with chain and key, or a file of listeners for -A of vernisd",
    )
    parser.add_argument("-k", dest="key", metavar="KEY", help="the key, if it has a file of its own")
    parser.add_argument(
        "--daemon", metavar="PATH", help="the vernisd that checks; default: the one beside vernis"
    )


@command(
    ROWS,
    "compile-server",
    "serve.compile_server",
    "compile policies for the daemon, which starts this command",
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


@command(
    ROWS,
    "names",
    "completion.names",
    "print names that a running daemon knows, for the completion of shells; nothing without a daemon",
    is_short=True,
)
def _names(parser: argparse.ArgumentParser) -> None:
    daemon_options(parser)
    parser.add_argument("kind", choices=("policies", "backends", "parameters"), help="what to name")


@command(ROWS, "completion", "completion.completion", "print the completion of a shell", is_short=True)
def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", choices=("bash", "zsh", "fish"), help="the shell, which reads the output at its start"
    )
