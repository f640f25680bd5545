"""Commands that talk to a running daemon. Each prints the daemon's answer, and exits with 1 if the daemon
refused."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from pathlib import Path

from vernis.commands.answers import print_answer
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.commands.places import daemon_workdir
from vernis.service.client import (
    Answer,
    DaemonClient,
    DaemonError,
    connect_address,
    connect_workdir,
    inline_document,
)
from vernis.similar import unreadable
from vernis.terminal import Progress

POLICY_NAME_CHARACTERS = 40
UPGRADE_S = 130.0  # longer than UPGRADE_START (manager/upgrade/upgrade.h), so that its error arrives


def load(options: argparse.Namespace) -> int:
    if options.file == "-":
        if options.define:
            raise Trouble("-D needs a FILE")
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        with connect(options) as client:
            return print_answer(ask(client, inline_document(["vcl.inline", options.name], text), raw=True))
    return _send(options, "vcl.load", options.name, _existing(options.file), *_values(options))


def image(options: argparse.Namespace) -> int:
    name, file = _name_and_file(options.name_and_file)
    with connect(options) as client:
        answer = ask(client, "vernis.load_image", name, _existing(file))
    if not answer.ok:
        return print_answer(Answer(answer.status, f"{file}: {answer.body}"))
    if options.json:
        print(json.dumps({"name": name, "image": os.path.abspath(file)}, indent=2))
    else:
        print(f"image loaded as {name}; `vernis use {name}` makes it the active policy")
    return EXIT_OK


def use(options: argparse.Namespace) -> int:
    return _send(options, "vcl.use", options.name)


def reload(options: argparse.Namespace) -> int:
    name, file = _name_and_file(options.name_and_file)
    return _send(options, "vernis.reload", name, _existing(file), *_values(options))


def list_policies(options: argparse.Namespace) -> int:
    return _send(options, "vcl.list", *_json_flag(options))


def show(options: argparse.Namespace) -> int:
    return _send(
        options, "vcl.show", *(["-v"] if options.verbose else []), *([options.name] if options.name else [])
    )


def discard(options: argparse.Namespace) -> int:
    return _send(options, "vcl.discard", *options.names)


def upgrade(options: argparse.Namespace) -> int:
    options.timeout = max(options.timeout, UPGRADE_S)
    return _send(options, "vernis.upgrade")


def dashboard(options: argparse.Namespace) -> int:
    """Prints a link for each address, also if the dashboard ran before."""
    if options.stop:
        return _send(options, "vernis.dashboard", *_json_flag(options), "stop")
    where = [options.listen] if options.listen is not None else []
    return _send(options, "vernis.dashboard", *_json_flag(options), "start", *where)


def params(options: argparse.Namespace) -> int:
    if options.value is not None:
        return _send(options, "param.set", options.name, options.value)
    return _send(options, "param.show", *([options.name] if options.name else []))


def _name_and_file(words: list[str]) -> tuple[str, str]:
    match words:
        case [file]:
            return name_for_reload(file), file
        case [name, file]:
            return name, file
    raise Trouble("give FILE, or NAME and FILE")


def name_for_reload(file: str) -> str:
    """A policy name from the file name and the time, because loaded policies must have different names."""
    stem = re.sub(r"[^A-Za-z0-9_-]", "_", Path(file).stem)[:POLICY_NAME_CHARACTERS]
    if not stem[:1].isalpha():
        stem = "policy_" + stem
    milliseconds = time.time_ns() // 1_000_000
    second = time.strftime("%Y%m%dT%H%M%S", time.localtime(milliseconds / 1000))
    return f"{stem}-{second}-{milliseconds % 1000:03d}"


def _values(options: argparse.Namespace) -> list[str]:
    """The words of -D for the daemon, which checks them."""
    return [word for value in options.define for word in ("-D", value)]


def _json_flag(options: argparse.Namespace) -> list[str]:
    return ["-j"] if options.json else []


def _existing(file: str) -> str:
    """The absolute path, because the daemon has another current directory. The daemon checks that it can read
    the file."""
    try:
        os.stat(file)
    except OSError as error:
        raise Trouble(unreadable(file, error)) from error
    return os.path.abspath(file)


def _send(options: argparse.Namespace, *words: str) -> int:
    with connect(options) as client:
        return print_answer(ask(client, *words))


def connect(options: argparse.Namespace) -> DaemonClient:
    try:
        with Progress("connecting to the daemon"):
            if options.address is not None:
                secret = None if options.secret is None else Path(options.secret)
                return connect_address(options.address, secret, options.timeout)
            return connect_workdir(daemon_workdir(options.workdir), options.timeout)
    except DaemonError as error:
        raise Trouble(str(error)) from None


def ask(client: DaemonClient, *words: str, raw: bool = False) -> Answer:
    try:
        with Progress(f"waiting for the daemon: {words[0].split()[0]}"):
            return client.line(words[0]) if raw else client.command(*words)
    except DaemonError as error:
        raise Trouble(str(error)) from None
