"""`vernis admin`: the daemon's command line. Takes one command from the arguments, or one per line from a
pipe, or is interactive with history and completion."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from vernis.commands.answers import print_answer
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.commands.places import daemon_workdir
from vernis.observe.vsm import Vsm
from vernis.service.client import (
    SOCKET_NAME,
    Answer,
    DaemonClient,
    DaemonError,
    connect_address,
    connect_workdir,
)
from vernis.shown import plain
from vernis.terminal import Progress
from vernis.trouble import helped

if TYPE_CHECKING:
    from prompt_toolkit.history import History

_CLOSING = 500
_HISTORY = "vernis/admin_history"


def admin(options: argparse.Namespace) -> int:
    words = [word for word in options.words if word != "--"]
    try:
        with _connected(options) as client:
            if words:
                return print_answer(_ask(client, _as_json(" ".join(words), options.json)))
            if sys.stdin.isatty():
                return _interactive(client, options.json)
            return _run(client, _lines(sys.stdin.buffer), options.json)
    except DaemonError as error:
        raise Trouble(str(error)) from None


# ---- connections -------------------------------------------------------------------------------------------


def _connected(options: argparse.Namespace) -> DaemonClient:
    with Progress("connecting to the daemon"):
        return _connect(options)


def _connect(options: argparse.Namespace) -> DaemonClient:
    if options.address is not None:
        return connect_address(
            options.address, None if options.secret is None else Path(options.secret), options.timeout
        )
    secret = None if options.secret is None else Path(options.secret)
    return connect_anyhow(daemon_workdir(options.workdir), options.timeout, secret)


def connect_anyhow(directory: Path, timeout_s: float, secret: Path | None = None) -> DaemonClient:
    """Connects over the Unix socket in the working directory, else over the addresses in the shared
    memory."""
    if (directory / SOCKET_NAME).exists():
        return connect_workdir(directory, timeout_s)
    vsm = Vsm(directory)
    vsm.refresh()
    addresses = [line.split() for line in (vsm.argument("-T") or "").splitlines()]
    secret = secret or (Path(name) if (name := vsm.argument("-S")) else None)
    vsm.close()
    problem: DaemonError | None = None
    for host, port in (address for address in addresses if len(address) == 2):
        try:
            return connect_address(f"{host}:{port}", secret, timeout_s)
        except DaemonError as error:
            problem = error
    if problem is not None:
        raise problem
    return connect_workdir(directory, timeout_s)  # raises the error for a missing socket


# ---- commands ----------------------------------------------------------------------------------------------


def _as_json(line: str, wanted: bool) -> str:
    command, blank, rest = line.strip().partition(" ")
    return f"{command} -j{blank}{rest}" if wanted else line


def _run(client: DaemonClient, lines: Iterator[str], as_json: bool) -> int:
    """Runs all commands. Continues after a refused one."""
    result = EXIT_OK
    for line in lines:
        command = _with_document(line, lines)
        if not command.strip():
            continue
        answer = _ask(client, _as_json(command, as_json))
        if answer.status == _CLOSING:
            return result
        result = max(result, print_answer(answer))
    return result


def _ask(client: DaemonClient, line: str) -> Answer:
    with Progress(f"waiting for the daemon: {line.split(maxsplit=1)[0] if line.split() else ''}"):
        return client.line(line)


def _lines(file: Iterable[bytes]) -> Iterator[str]:
    for line in file:
        yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")


def _with_document(line: str, lines: Iterator[str]) -> str:
    """A command that ends in ``<< WORD`` continues up to the line WORD."""
    words = line.split()
    if len(words) < 3 or words[-2] != "<<":
        return line
    parts = [line]
    for part in lines:
        parts.append(part)
        if part == words[-1]:
            break
    return "\n".join(parts)


# ---- interactive -------------------------------------------------------------------------------------------


def _interactive(client: DaemonClient, as_json: bool) -> int:
    from prompt_toolkit import PromptSession

    session: PromptSession[str] = PromptSession(
        history=_history(), completer=_completer(client), complete_while_typing=False
    )
    print("Commands of the daemon; TAB completes, `help` lists them, Ctrl-D ends.")

    def lines() -> Iterator[str]:
        while True:
            try:
                yield session.prompt("vernis> ")
            except KeyboardInterrupt:
                continue
            except EOFError:
                return

    _run(client, lines(), as_json)
    return EXIT_OK


def _history() -> History:
    """Of earlier sessions, too, where there is a folder for it."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    try:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
        path = base / _HISTORY
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("ab").close()
    except (OSError, RuntimeError) as error:  # RuntimeError: no home
        print(plain(f"vernis admin: keeps no history: {helped(str(error), error)}"), file=sys.stderr)
        return InMemoryHistory()
    return FileHistory(str(path))


def _completer(client: DaemonClient):  # type: ignore[no-untyped-def]
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class _Completer(Completer):
        def get_completions(self, document: Document, complete_event: object) -> Iterator[Completion]:
            before = document.text_before_cursor
            word = before.split(" ")[-1]
            for choice in completions(client, before):
                yield Completion(choice, start_position=-len(word))

    return _Completer()


def completions(client: DaemonClient, before: str) -> list[str]:
    """Completions of the last word of a line: commands, or names of the kind that the command takes."""
    *words, last = before.lstrip().split(" ")
    source = _command_names if not words else _ARGUMENTS.get(words[0])
    return sorted(name for name in source(client) if name.startswith(last)) if source else []


def _payload(client: DaemonClient, *words: str) -> list[object]:
    answer = client.command(*words)
    try:
        return json.loads(answer.body)[3:] if answer.ok else []
    except ValueError:
        return []


def _command_names(client: DaemonClient) -> list[str]:
    return [line.split()[0].strip("[]") for line in client.command("help").body.splitlines() if line.split()]


def policy_names(client: DaemonClient) -> list[str]:
    return _names(_payload(client, "vcl.list", "-j"))


def parameter_names(client: DaemonClient) -> list[str]:
    return _names(_payload(client, "param.show", "-j"))


def backend_names(client: DaemonClient) -> list[str]:
    return [
        name
        for group in _payload(client, "backend.list", "-j", "*.*")
        if isinstance(group, dict)
        for name in group
    ]


def _names(entries: list[object]) -> list[str]:
    return [str(entry["name"]) for entry in entries if isinstance(entry, dict) and "name" in entry]


_ARGUMENTS: dict[str, Callable[[DaemonClient], list[str]]] = {
    **dict.fromkeys(("vcl.use", "vcl.discard", "vcl.show", "vcl.label", "vcl.state"), policy_names),
    **dict.fromkeys(("param.show", "param.set", "param.reset"), parameter_names),
    **dict.fromkeys(("backend.list", "backend.set_health"), backend_names),
    "help": _command_names,
}
