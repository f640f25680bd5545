"""Colours and progress of all commands, each on a terminal of its own: one rule, and one line."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from vernis.commands.table import COMMANDS
from vernis.observe.records import CLIENT, Record, dump_magic
from vernis.observe.tags import NUMBERS
from vernis.terminal import has_colours

ROOT = Path(__file__).resolve().parents[2]
VERNIS = ROOT / "build" / "bin" / "vernis"
pytestmark = pytest.mark.skipif(not VERNIS.exists(), reason="run make build first")

HEAD = 'vcl 4.1;\nbackend default { .host = "192.0.2.1"; }\n'
FILES = {
    "good.vcl": HEAD,
    "purge.vcl": HEAD + "sub vcl_recv {\n    return (purge);\n}\n",
    "wrong.vcl": HEAD + 'sub vcl_recv { set req.nothing = "a"; }\n',
    "purge.test.vcl": 'vcl 4.1;\n\ntest "a page" {\n    request("/");\n    expect(resp.status == 404);\n}\n',
}
NO_DAEMON = ("-n", "nowhere")
#: Arguments of each command with which it prints findings, a diff or an error, and ends.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "check": ("wrong.vcl",), "lint": ("purge.vcl",), "fmt": ("--diff", "wrong.vcl"), "fix": ("--migrate", "--diff", "purge.vcl"),
    "explain": ("V302",), "rules": (), "test": ("-v", "purge.test.vcl"), "why": ("wrong.vcl", "/"), "run": ("--daemon", "/bin/false"),
    "tls": ("check", "nowhere.pem"),
    "demo-origin": ("--address", "192.0.2.1"), "reload": (*NO_DAEMON, "good.vcl"), "load": (*NO_DAEMON, "a", "good.vcl"),
    "use": (*NO_DAEMON, "a"), "list": NO_DAEMON, "show": NO_DAEMON, "discard": (*NO_DAEMON, "a"), "table": (*NO_DAEMON, "list"),
    "image": (*NO_DAEMON, "load", "good.vcl"), "status": NO_DAEMON, "backends": NO_DAEMON, "ban": (*NO_DAEMON, "req.url ~ /"),
    "purge": (*NO_DAEMON, "--all"), "params": NO_DAEMON, "upgrade": NO_DAEMON, "admin": (*NO_DAEMON, "ping"), "dashboard": NO_DAEMON,
    "log": (*NO_DAEMON, "-t", "0"), "stat": (*NO_DAEMON, "-t", "0"), "top": (*NO_DAEMON, "-t", "0"), "explain-key": (*NO_DAEMON, "http://a/"),
    "build": ("wrong.vcl", "-o", "wrong.so"), "parse": ("wrong.vcl",), "ir": ("wrong.vcl",), "completion": ("bash",),
    "names": (*NO_DAEMON, "policies"), "compile-server": (),
}
COLOURED = {"check", "lint", "fmt", "fix", "test", "why", "build", "ir"}
#: Variables that must not come from the test run.
SILENT = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "TERM", "COLUMNS")
#: Draws at once, so that quick work shows its line.
AT_ONCE = "import sys; from vernis import cli, terminal; terminal.PROGRESS_AFTER_S, terminal._REDRAW_S = 0.0, 0.005; sys.exit(cli.main(sys.argv[1:]))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "slow").write_text("#!/bin/sh\nsleep 0.3\nexit 1\n")
    (tmp_path / "slow").chmod(0o755)
    records = (Record(NUMBERS["VCL_Log"], CLIENT | 1000, b"said\0") for _ in range(3000))
    (tmp_path / "log.bin").write_bytes(dump_magic(later=False) + b"".join(record.packed(False) for record in records))
    return tmp_path


def environment(**variables: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if name not in SILENT}
    return {**clean, "TERM": "xterm", "PYTHONPATH": f"{ROOT}/build/py:{ROOT}/build/ext", **variables}


def through_pipes(folder: Path, *words: str, **variables: str) -> str:
    done = subprocess.run([VERNIS, *words], cwd=folder, capture_output=True, text=True, input="", timeout=120,
                          env=environment(**variables), check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def on_a_terminal(folder: Path, *command: str | Path, **variables: str) -> str:
    """What the command writes to a terminal as stdout and stderr."""
    ours, its = pty.openpty()
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=its, stderr=its, env=environment(**variables))
    assert process.stdin is not None
    process.stdin.close()
    os.close(its)
    shown = b""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if select.select([ours], [], [], 0.5)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:         # on Linux, the end of a terminal without a writer
                break
            shown += part
    os.close(ours)
    process.wait(10)
    return shown.decode()


def test_each_command_has_arguments_here() -> None:
    assert set(ARGUMENTS) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_colours_by_the_rule_alone(folder: Path, command: str) -> None:
    words = (command, *ARGUMENTS[command])
    assert "\x1b" not in through_pipes(folder, *words)
    assert ("\x1b[" in through_pipes(folder, "--color", "always", *words)) == (command in COLOURED)
    assert "\x1b" not in on_a_terminal(folder, VERNIS, *words, NO_COLOR="1", CI="1")
    if command in COLOURED:
        assert re.search(r"\x1b\[(1;)?3\d", on_a_terminal(folder, VERNIS, *words))


@pytest.mark.parametrize(("words", "variables", "has_colours_there", "has_colours_elsewhere"), [
    ((), {}, True, False),
    ((), {"NO_COLOR": "1"}, False, False),
    ((), {"NO_COLOR": ""}, True, False),                                # the variable counts if it is not empty
    ((), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
    ((), {"FORCE_COLOR": "1"}, True, True),
    ((), {"FORCE_COLOR": "0"}, True, False),
    ((), {"CLICOLOR_FORCE": "1"}, True, True),
    ((), {"CLICOLOR": "0"}, False, False),
    ((), {"TERM": "dumb"}, False, False),
    ((), {"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    (("--color", "never"), {"FORCE_COLOR": "1"}, False, False),
    (("--color=always",), {"NO_COLOR": "1", "TERM": "dumb"}, True, True),
    (("--color", "auto"), {}, True, False),
])
def test_the_rule(folder: Path, words: tuple[str, ...], variables: dict[str, str], has_colours_there: bool, has_colours_elsewhere: bool) -> None:
    for at in ((*words, "check", "wrong.vcl"), ("check", "wrong.vcl", *words)):     # before or behind the command
        assert ("\x1b" in on_a_terminal(folder, VERNIS, *at, CI="1", **variables)) == has_colours_there
        assert ("\x1b" in through_pipes(folder, *at, **variables)) == has_colours_elsewhere


def test_a_report_in_a_file_has_no_colours(folder: Path) -> None:
    on_a_terminal(folder, VERNIS, "check", "--output", "found.txt", "wrong.vcl")
    assert "error[V302]" in (folder / "found.txt").read_text() and "\x1b" not in (folder / "found.txt").read_text()


def test_only_one_file_knows_of_colours() -> None:
    """Each other way to colours would miss a variable. keys.py has keys that a terminal sends."""
    told = re.compile(r"\\x1b\[|\\033\[|NO_COLOR|import Console\b|\bConsole\(")
    files = [path for path in sorted((ROOT / "compiler").rglob("*.py")) if path.name not in ("terminal.py", "keys.py")]
    assert files and [str(path) for path in files if any(told.search(line) for line in path.read_text().splitlines() if "help=" not in line)] == []
    assert not has_colours(open(os.devnull, "w"))


# ---- progress ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "line"), [
    (("check", "good.vcl", "purge.vcl"), "checking"),
    (("lint", "good.vcl", "purge.vcl"), "linting"),
    (("lint", "--fix", "purge.vcl"), "fixing"),
    (("fmt", "--check", "good.vcl", "purge.vcl"), "formatting"),
    (("fix", "--migrate", "--diff", "purge.vcl"), "migrating"),
    (("test", "purge.test.vcl"), "testing purge.test.vcl"),
    (("why", "purge.vcl", "/"), "explaining the request"),
    (("build", "good.vcl", "-o", "good.so"), "compiling good.vcl"),
    (("status", "-n", "nowhere"), "connecting to the daemon"),
    (("run", "--daemon", "./slow", "-n", "work"), "starting the daemon"),
    (("log", "-r", "log.bin", "-g", "raw"), "reading log.bin"),
    (("stat", "-1", "-n", "nowhere", "-t", "1"), "waiting for a daemon"),
], ids=lambda one: one if isinstance(one, str) else one[0])
def test_long_work_shows_progress_on_a_terminal_only(folder: Path, words: tuple[str, ...], line: str) -> None:
    command = (sys.executable, "-c", AT_ONCE, *words)
    drawn = f"\r\x1b[K{line}"
    shown = on_a_terminal(folder, *command, NO_COLOR="1")           # this is no colour
    assert drawn in shown and re.search(r"\r\x1b\[K(?!.*\x1b\[K)", shown, re.S)
    assert not shown.rpartition("\r\x1b[K")[2].startswith(line)     # the line is gone at the end
    for variables in ({"CI": "true"}, {"TERM": "dumb"}):
        assert "\x1b[K" not in on_a_terminal(folder, *command, **variables)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment(), stdin=subprocess.DEVNULL, timeout=120)
    assert "\x1b[K" not in done.stdout + done.stderr


def test_mutants_are_counted(folder: Path) -> None:
    (folder / "purge.test.vcl").write_text(FILES["purge.test.vcl"].replace("404", "200"))
    shown = on_a_terminal(folder, sys.executable, "-c", AT_ONCE, "test", "--mutate", "--mutants", "3", "purge.test.vcl")
    counts = re.findall(r"trying mutants of purge\.vcl: (\d) of 3, \d+ s", shown)
    assert counts and counts == sorted(counts) and "mutants noticed" in shown


def test_quick_work_shows_none(folder: Path) -> None:
    assert "\x1b[K" not in on_a_terminal(folder, VERNIS, "explain", "V302")


def test_a_narrow_terminal_gets_one_line(folder: Path) -> None:
    """A longer line would wrap, and each drawing would leave a part of the one before."""
    code = ("import os, sys; from vernis import terminal; terminal.PROGRESS_AFTER_S = 0.0; os.get_terminal_size = lambda fd: os.terminal_size((20, 5))\n"
            "import time\n"
            "with terminal.Progress('a line\\n that is much longer than the terminal', 7) as progress:\n"
            "    while not terminal._here[0]._is_drawn: time.sleep(0.01)\n"
            "    with terminal.aside(): print('found')\n")
    shown = on_a_terminal(folder, sys.executable, "-c", code)
    assert "\r\x1b[Ka line? that is muc\r\x1b[Kfound\r\n" in shown
