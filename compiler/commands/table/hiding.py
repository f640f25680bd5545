"""The options of commands whose output may show requests of others."""

from __future__ import annotations

import argparse


def hiding_options(parser: argparse.ArgumentParser, default: str) -> None:
    for option, is_hidden, text in (
        (
            "--hide",
            True,
            "show digests in place of cookies, credentials and addresses of clients (docs/hiding.md)",
        ),
        ("--show", False, f"show all values; default: {default}"),
    ):
        parser.add_argument(
            option, dest="hide", action="store_const", const=is_hidden, default=None, help=text
        )
    parser.add_argument(
        "--digest-key",
        dest="digest_key",
        metavar="FILE",
        help="key of the digests, made if missing: outputs with one key can be compared; default: a new key",
    )
