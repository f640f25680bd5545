"""Runs a guide of docs/guides as a reader would: writes its files, types its commands into one shell, and
compares the output with the output shown.

A guide is Markdown with fenced blocks:

* ```` ```LANGUAGE FILE ```` is a file, written below the scratch folder.
* ```` ```console ```` has commands after `$ `, each followed by its output (standard output and errors).
  `...` stands for any text within a line, and alone on a line for any lines. A line that ends in a backslash
  continues on the next one. Each command must end with exit code 0.
* ```` ```console until ```` is typed again until the output is as shown.

Other blocks and indented ones are not run. Ports of the text (`PORTS`) become free ports of this machine.

    python -m proxy.guides PAGE HEADING FOLDER COMMAND...

follows one section of a guide in a shell that COMMAND starts, with files in FOLDER and the ports of the text:
mk/try_beside.sh types a guide into a machine of its own.
"""

from __future__ import annotations

import os
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from proxy.daemon import ROOT, Cli, wait_until
from support.ports import free_port

GUIDES = ROOT / "docs" / "guides"
#: The page whose commands come first in every guide, and the heading over them.
START, START_HEADING = GUIDES / "README.md", "## Before each guide"
PORTS = ("6081", "6082", "6085", "6443", "8080", "8081", "9090", "9131")
COMMAND_S = 60.0
MACHINE_COMMAND_S = 300.0  # a command on another machine, such as apt-get install
UNTIL_S = 30.0
#: The PATH of the shell. Daemons such as HAProxy are in /usr/sbin.
SEARCHED = f"{ROOT / 'build' / 'bin'}:{ROOT / 'examples' / 'systemd'}:/usr/sbin:{os.environ['PATH']}"

_FENCE = re.compile(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", re.M | re.S)


@dataclass(slots=True)
class File:
    name: str
    text: str


@dataclass(slots=True)
class Command:
    text: str
    shown: str  # the output in the guide; lines end with a line feed
    until: bool  # whether to repeat the command until it prints that


class Mismatch(AssertionError):
    """A command of a guide that failed, or printed something else."""


def steps(page: str) -> list[File | Command]:
    """Files and commands of a guide, in its order."""
    found: list[File | Command] = []
    for language, rest, body in _FENCE.findall(page):
        if language == "console":
            found += _commands(body, rest == "until")
        elif rest:
            found.append(File(rest, body))
    return found


def section(page: str, heading: str) -> str:
    """The part of a guide under a heading of the second level."""
    parts = re.split(r"^## (.*)$", page, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[heading]


def in_five(page: str) -> str | None:
    """The guide with its policy of 5.0, ``site5.vcl``, in place of ``site.vcl``; None if it has none."""
    files = {step.name: step.text for step in steps(page) if isinstance(step, File)}
    return page.replace(files["site.vcl"], files["site5.vcl"]) if "site5.vcl" in files else None


def _commands(body: str, until: bool) -> list[Command]:
    found: list[Command] = []
    continued = False
    for line in body.splitlines(keepends=True):
        if continued:
            found[-1].text += line
        elif line.startswith("$ "):
            found.append(Command(line[2:], "", until))
        else:
            assert found, f"output before the first command: {line}"
            found[-1].shown += line
            continue
        continued = found[-1].text.endswith("\\\n")
    return found


def agrees(shown: str, printed: str) -> bool:
    """Whether output is as shown. Blanks at the end of a line, and empty lines at the end, do not count."""
    lines = [line.rstrip() for line in shown.splitlines()]
    pattern = "".join(
        r"(?:.*\n)*" if line == "..." else ".*".join(re.escape(part) for part in line.split("...")) + r" *\n"
        for line in lines
    )
    lines_printed = re.sub(r"[ \t\r]+$", "", printed, flags=re.M).rstrip("\n")
    return re.fullmatch(pattern, lines_printed + "\n" if lines_printed else "") is not None


class Shell:
    """A shell in ``folder`` that runs one command after the other and keeps its variables."""

    def __init__(
        self, folder: Path, env: dict[str, str], program: Sequence[str] = ("bash",), patience_s: float = COMMAND_S
    ) -> None:
        self.end = f"<end of command in {folder.name}>"
        self.patience_s = patience_s
        self.process = subprocess.Popen(
            program,
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def run(self, text: str) -> tuple[int, str]:
        """Exit code and output of a command."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f'{{ {text}\n}} </dev/null\necho "{self.end}$?"\n'.encode())
        self.process.stdin.flush()
        output, until = b"", time.monotonic() + self.patience_s
        with selectors.DefaultSelector() as ready:
            ready.register(self.process.stdout, selectors.EVENT_READ)
            while (
                ended := re.search(re.escape(self.end) + r"(\d+)\n", output.decode(errors="replace"))
            ) is None:
                if not ready.select(until - time.monotonic()):
                    raise Mismatch(f"$ {text}does not end; it printed:\n{output.decode(errors='replace')}")
                if not (part := os.read(self.process.stdout.fileno(), 65536)):
                    raise Mismatch(f"$ {text}ended the shell; it printed:\n{output.decode(errors='replace')}")
                output += part
        return int(ended[1]), output.decode(errors="replace")[: ended.start()]

    def close(self) -> None:
        """Ends the shell and the background jobs that it started."""
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.communicate()


@dataclass(slots=True)
class Walk:
    """A guide while it runs. ``with Walk() as w: w.follow(page)``."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="vernis-guide-")))
    ports: dict[str, str] = field(default_factory=lambda: {port: str(free_port()) for port in PORTS})
    shell: Shell = field(init=False)

    def __enter__(self) -> Walk:
        # A reader has none of our variables. Unbuffered output would hide lines that come in another order there.
        env = {name: value for name, value in os.environ.items() if not name.startswith(("VERNIS_", "PYTHON"))}
        env |= {"PATH": SEARCHED, "VERNIS_SOURCE": str(ROOT), "LC_ALL": "C.UTF-8"}
        self.shell = Shell(self.folder, env)
        return self

    def __exit__(self, *_: object) -> None:
        self.shell.close()
        for workdir in {sock.parent for sock in self.folder.glob("*/cli.sock")}:
            _stop_daemon(workdir)
        shutil.rmtree(self.folder, ignore_errors=True)

    def follow(self, page: str) -> None:
        for step in steps(page):
            if isinstance(step, File):
                path = self.folder / step.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self._with_free_ports(step.text))
            else:
                self._type(step)

    def _type(self, command: Command) -> None:
        until = time.monotonic() + (UNTIL_S if command.until else 0)
        text = self._with_free_ports(command.text)
        while True:
            code, printed = self.shell.run(text)
            printed = self._with_ports_of_the_text(printed)
            if code == 0 and agrees(command.shown, printed):
                break
            if time.monotonic() >= until:
                raise Mismatch(
                    f"$ {command.text}exit code {code}, printed:\n{printed}\nthe guide shows:\n{command.shown}"
                )
            time.sleep(0.05)
        if text.endswith("&\n"):
            self._wait_for_listeners(text)

    def _wait_for_listeners(self, text: str) -> None:
        """Waits until a server in the background accepts connections on the ports that its command names."""
        for port in self.ports.values():
            if port in text:
                wait_until(partial(_accepts, int(port)), f"{text} listens on {port}")

    def _with_free_ports(self, text: str) -> str:
        return re.sub(rf"(?<!\d)({'|'.join(PORTS)})(?!\d)", lambda m: self.ports[m[1]], text)

    def _with_ports_of_the_text(self, printed: str) -> str:
        known = {free: port for port, free in self.ports.items()}
        return re.sub(rf"(?<!\d)({'|'.join(known)})(?!\d)", lambda m: known[m[1]], printed)


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


def _stop_daemon(workdir: Path) -> None:
    pid = int((workdir / "_.pid").read_text())
    os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not Cli.answers(workdir / "cli.sock"), f"the daemon of {workdir} ends")


def main(page: str, heading: str, folder: str, *command: str) -> None:
    walk = Walk(Path(folder), {port: port for port in PORTS})
    walk.shell = Shell(walk.folder, dict(os.environ), command, MACHINE_COMMAND_S)
    began = time.monotonic()
    try:
        walk.follow(section(Path(page).read_text(), heading))
    except Mismatch as wrong:
        sys.exit(f"{page}: {heading}: {wrong}")
    finally:
        walk.shell.close()
    print(f"passed: {heading}, {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
