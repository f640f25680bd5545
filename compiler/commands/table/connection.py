"""The options of commands that connect to a daemon."""

from __future__ import annotations

import argparse


#: Options that may stand before the command, as varnishadm has them -> the destinations that they may have
#: in a command. Another command may have the letter for something else.
BEFORE = {"-n": ("workdir",), "-T": ("address",), "-S": ("secret",), "-t": ("timeout", "patience")}


def daemon_options(parser: argparse.ArgumentParser) -> None:
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
