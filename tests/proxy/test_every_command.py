"""Every command of `vernis` under every trouble of a system: another user, closed pipes, files that are missing or are no
policies, full disks, signals, odd terminals, a daemon that dies. None prints a traceback or calls itself a bug, each
ends with a status that says how, and each message names what is wrong and what to do.

The commands come from the table of commands, so a new one is here by itself. If its argument has a new metavar, WORDS
needs a value for it.
"""

from __future__ import annotations

import argparse
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from proxy.daemon import VERNISD, Daemon, wait_until
from support.forked import Done, Forked, Going, Run
from vernis.commands.table import COMMANDS

NOBODY = pwd.getpwnam("nobody")
AS_NOBODY = NOBODY.pw_uid, NOBODY.pw_gid
AT_ONCE = 6

POLICY = """vcl 4.1;
backend default none;
sub vcl_recv { return (synth(200, "one")); }
"""
TESTS = 'vcl 4.1;\ntest "one" { request("/"); expect(resp.status == 200); }\n'

#: The value of an argument, by its metavar, else by its name.
WORDS = {"FILE": "{site}/site.vcl", "[NAME] FILE": "{site}/site.vcl", "PATH": str(VERNISD), "NAME": "boot", "CODE": "V302", "URL": "http://example.org/",
         "EXPR": "obj.status == 404", "OUT.so": "{out}/out.so", "WORD": "vcl.list", "DIR": "{site}"}
#: Options and arguments that the parser does not ask for: without them a command waits, or has nothing to do.
MORE = {"fix": ["--migrate", "--diff"], "fmt": ["--check"], "why": ["{site}/site.vcl", "http://example.org/", "--no-changes"], "log": ["-d", "-t0"], "top": ["-1", "-t0"],
        "stat": ["-1", "-t0"], "status": ["--seconds=0"], "run": ["--policy={site}/site.vcl", "-n", "{out}/run"], "test": ["-j1", "{site}"], "params": ["default_ttl"],
        "purge": ["/", "-H", "Host: a"], "backends": ["boot.*"]}
#: They run until they are ended.
ENDLESS = {"demo-origin", "compile-server", "run"}
FILES = ("FILE", "DIR", "PATH", ".so")

BAD = re.compile(r"Traceback|a bug of vernis|Exception ignored|Fatal Python error|Exception in thread|sys\.excepthook")


# ---- command lines -----------------------------------------------------------------------------------------


def actions_of(name: str) -> list[argparse.Action]:
    parser = argparse.ArgumentParser(prog=name, add_help=False)
    COMMANDS[name].options(parser)
    return parser._actions


def word_of(name: str, action: argparse.Action) -> str:
    if action.choices:
        return str(next(iter(action.choices)))
    key = str(action.metavar or action.dest)
    assert key in WORDS, f"vernis {name}: WORDS of {Path(__file__).name} needs a value for {key}"
    return WORDS[key]


def usual(name: str) -> list[str]:
    """A usual argument line of a command."""
    words = [name]
    for action in actions_of(name):
        if action.required and action.option_strings:
            words += [action.option_strings[0], word_of(name, action)]
        elif action.required and action.nargs != "*" and (action.nargs != argparse.REMAINDER or name == "admin"):
            words.append(word_of(name, action))
    return [*words, *MORE.get(name, [])]


def asks_daemon(name: str) -> bool:
    return name != "run" and any("-n" in action.option_strings for action in actions_of(name))


DAEMON_COMMANDS = [name for name in COMMANDS if asks_daemon(name)]


@dataclass
class World:
    """Where the commands run."""

    root: Path
    forked: Forked

    def line(self, name: str, *more: str) -> list[str]:
        """The usual line, with options right behind the command."""
        first, *rest = usual(name)
        out = Path(tempfile.mkdtemp(dir=self.root / "out"))
        out.chmod(0o1777)
        return [word.format(site=self.root / "site", out=out) for word in (first, *more, *rest)]

    def run_all(self, runs: Iterable[tuple[Run, Callable[[Going], None]]]) -> list[Done]:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(lambda run: self.forked.run(*run), runs))

    def each(self, make: Callable[[str], Run | None], names: Iterable[str] = COMMANDS, then: Callable[[Going], None] = lambda _: None) -> list[Done]:
        runs = [run for name in names if (run := make(name)) is not None]
        return self.run_all((run, then if run.args[0] not in ENDLESS else both(then, ended)) for run in runs)


def both(first: Callable[[Going], None], second: Callable[[Going], None]) -> Callable[[Going], None]:
    def do(going: Going) -> None:
        first(going)
        second(going)

    return do


def ended(going: Going) -> None:
    """Ends a program that serves, once it does."""
    shown = going.run.stdout == "pipe" and going.run.reads is None and going.run.args[0] != "compile-server"
    going.wait_for(lambda g: bool(g.out) if shown else g.sleeps)
    going.signal(signal.SIGTERM)


def faults(all_done: Iterable[Done], statuses: set[int], says: str = "") -> str:
    """What is wrong, a line each. A status of 2 has a message on stderr, which matches ``says``."""
    found = []
    for done in all_done:
        silent = done.status == 2 and not re.search(says or ".", done.err)
        silent |= "Permission denied" in done.err and not re.search("use sudo|chmod|another -n", done.err)
        if done.status not in statuses or BAD.search(done.err + done.out) or silent:
            found.append(f"vernis {' '.join(done.args)}: status {done.status}: {(done.err or done.out)[-1500:]}")
    return "\n".join(found)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with tempfile.TemporaryDirectory(prefix="vec-") as name, Forked() as forked:
        root = Path(name)
        root.chmod(0o755)
        (root / "site").mkdir()
        (root / "site" / "site.vcl").write_text(POLICY)
        (root / "site" / "site.test.vcl").write_text(TESTS)
        (root / "out").mkdir()
        (root / "out").chmod(0o1777)
        yield World(root, forked)



def none_of(world: World) -> dict[str, str | None]:
    return {"VERNIS_WORKDIR": str(world.root / "none")}


def test_every_command_ends_well(world: World) -> None:
    """The usual lines are usual: without trouble and without a daemon, they succeed or name the daemon."""
    done = world.each(lambda name: Run(world.line(name), env=none_of(world)))
    assert faults(done, {0, 1, 2, -15}, "no daemon|cannot read") == ""
    assert [d.args[0] for d in done if d.status == 2] == [name for name in DAEMON_COMMANDS if name not in ("names", "why")]


# ---- streams -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def daemon(world: World) -> Iterator[Daemon]:
    binary, compiler = world.root / "vernisd", str(VERNISD.with_name("vernis"))
    shutil.copy(VERNISD, binary)
    with Daemon(world.root, POLICY, cli_listen="127.0.0.1:0", binary=binary, env={"VERNIS_COMPILER": compiler}) as d:
        d.get("/")
        (world.root / "site" / "site.so").write_bytes(b"")
        binary.unlink()  # `vernis upgrade` starts nothing
        yield d


@pytest.fixture
def where(daemon: Daemon) -> dict[str, str | None]:
    """The environment of commands."""
    return {"VERNIS_WORKDIR": str(daemon.workdir)}


@pytest.mark.parametrize("reads", [0, 40])
def test_a_closed_pipe(world: World, where: dict[str, str | None], reads: int) -> None:
    done = world.each(lambda name: Run(world.line(name), env=where, reads=reads))
    assert faults(done, {0, 1, 2, -signal.SIGPIPE, -signal.SIGTERM}) == ""
    if reads == 0:
        assert {d.status for d in done if d.args[0] in ("explain", "completion", "rules", "ir")} == {-signal.SIGPIPE}


def test_help_into_a_closed_pipe_and_a_full_disk(world: World) -> None:
    lines = [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)]
    assert faults(world.run_all((Run(line, reads=0), nothing) for line in lines), {-signal.SIGPIPE}) == ""
    assert faults(world.run_all((Run(line, stdout="/dev/full"), nothing) for line in lines), {2}, "cannot write.*No space left") == ""


def test_a_full_disk_as_stdout(world: World, where: dict[str, str | None]) -> None:
    done = world.each(lambda name: Run(world.line(name), env=where, stdout="/dev/full"), then=lambda _: None)
    assert faults(done, {0, 1, 2, -15}) == ""
    assert {d.err for d in done if d.args[0] == "explain"} == {"vernis explain: cannot write: No space left on device: free some space, or write to another place\n"}


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stdin and stdout"])
def test_closed_streams(world: World, where: dict[str, str | None], stream: str) -> None:
    done = world.each(lambda name: Run(world.line(name), env=where, stdin="closed" if "stdin" in stream else b"",
                                       stdout="closed" if "stdout" in stream else "pipe"))
    assert faults(done, {0, 1, 2, -15}) == ""


def nothing(_: Going) -> None:
    pass


# ---- files -------------------------------------------------------------------------------------------------


def make_file(kind: str, folder: Path) -> str:
    """The name of a file of this kind."""
    path = folder / "file"
    match kind:
        case "missing":
            return str(folder / "none" / "file")
        case "directory":
            path.mkdir()
        case "below a file":
            path.write_text("")
            return str(path / "file")
        case "unreadable":
            path.write_text(POLICY)
            path.chmod(0)
        case "in a closed folder":
            (folder / "closed").mkdir()
            (folder / "closed" / "file").write_text(POLICY)
            (folder / "closed").chmod(0)
            return str(folder / "closed" / "file")
        case "not UTF-8":
            path.write_bytes(POLICY.replace("one", "\xe9").encode("latin-1"))
        case "empty":
            path.write_bytes(b"")
        case "binary":
            path.write_bytes(bytes(range(256)) * 64)
        case "a name that is not UTF-8":
            return f"{folder}/\udce9"
        case "a link to itself":
            path.symlink_to("file")
        case "too long a name":
            return str(folder / ("x" * 300))
        case "full disk":
            return "/dev/full"
    return str(path)


FILE_KINDS = ("missing", "directory", "below a file", "unreadable", "in a closed folder", "not UTF-8", "empty", "binary", "a name that is not UTF-8",
              "a link to itself", "too long a name", "full disk")


def lines_with_files(world: World, kind: str) -> Iterator[tuple[list[str], str]]:
    """Each command with such a file as each of its arguments that take one. Options take turns in the kinds."""
    turn = FILE_KINDS.index(kind)
    for name in COMMANDS:
        for action in actions_of(name):
            metavar = str(action.metavar or "")
            if not any(mark in metavar for mark in FILES) or name == "compile-server":
                continue
            turn += bool(action.option_strings)
            if action.option_strings and turn % 3 != 0:
                continue
            folder = Path(tempfile.mkdtemp(dir=world.root / "out"))
            folder.chmod(0o755)
            file = make_file(kind, folder)
            if action.option_strings:
                option = action.option_strings[-1]
                line = world.line(name, f"{option}={file}" if option.startswith("--") else f"{option}{file}")
            else:
                line = [file if word.startswith(str(world.root / "site")) else word for word in world.line(name)]
            yield line, file


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_files(world: World, daemon: Daemon, kind: str) -> None:
    user = AS_NOBODY if kind in ("unreadable", "in a closed folder") and os.geteuid() == 0 else None
    runs = [Run(line, env={"VERNIS_WORKDIR": str(daemon.workdir)}, user=user) for line, _ in lines_with_files(world, kind)]
    done = world.run_all((run, ended if run.args[0] in ENDLESS else nothing) for run in runs)
    assert faults(done, {0, 1, 2, -15}) == ""


def test_output_to_a_full_disk(world: World, daemon: Daemon, full_folder: Path) -> None:
    """Each option that names an output, on a file system without room."""
    outputs = {"check": ["--output"], "lint": ["--output"], "why": ["--output"], "build": ["--output"], "log": ["-w"],
               "test": ["--junit", "--coverage-lcov", "--coverage-xml", "--coverage-html"]}
    lines = [[name, option, str(full_folder / f"{name}{option}"), *(["--format=json"] if name in ("check", "lint") else []), *usual(name)[1:]] for name, options in outputs.items() for option in options]
    lines = [[word.format(site=world.root / "site", out=full_folder) for word in line] for line in lines]
    done = world.run_all((Run(line, env={"VERNIS_WORKDIR": str(daemon.workdir)}), nothing) for line in lines)
    assert faults(done, {2}, "No space left on device.*free some space") == ""


@pytest.fixture
def full_folder(world: World) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(dir=world.root))
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,mode=1777", "none", folder], check=False, capture_output=True).returncode:
        pytest.skip("only root of a system that allows mounts can make a file system without room")
    with (folder / "filling").open("wb", buffering=0) as file:
        file.write(b"x" * 4096)
    yield folder
    subprocess.run(["umount", folder], check=True)


# ---- another user ------------------------------------------------------------------------------------------

GROUP = "daemon"  # a group that every system has
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs other users")


@pytest.fixture
def foreign(daemon: Daemon) -> Iterator[Daemon]:
    """The daemon of another user, whose log may be read by a group."""
    for place in [daemon.workdir, *daemon.workdir.glob("_.vsm*"), *daemon.workdir.glob("_.vsm*/*")]:
        shutil.chown(place, group=GROUP)
    yield daemon
    daemon.workdir.chmod(0o755)


@needs_root
@pytest.mark.parametrize("mode", [0o700, 0o750, 0o755])
def test_another_user(world: World, foreign: Daemon, mode: int) -> None:
    foreign.workdir.chmod(mode)
    closed = {"VERNIS_WORKDIR": str(foreign.workdir)}
    done = world.each(lambda name: Run(world.line(name, *(["--transaction=2"] if name == "why" else [])), env=closed, user=AS_NOBODY), DAEMON_COMMANDS)
    assert faults(done, {0, 2}, "Permission denied.*for user root") == ""
    assert [d.args[0] for d in done if d.status == 0] == ["names"]
    by = {d.args[0]: d.err for d in done}
    join = f"group {GROUP} (mode 0{{}}), not for nobody: use sudo, or join the group (sudo usermod -aG {GROUP} nobody) and log in again\n"
    log = {0o700: "for user root (mode 0700), not for nobody: use sudo\n", 0o750: join.format(750), 0o755: join.format(640)}[mode]
    control = log if mode != 0o755 else "cli.sock is for user root (mode 0600), not for nobody: use sudo\n"
    for name in DAEMON_COMMANDS:
        if name != "names":
            assert by[name].endswith(log if name in ("log", "stat", "top", "why") else control), by[name]


@needs_root
def test_a_member_of_the_group_reads_the_log_and_sends_no_commands(world: World, foreign: Daemon) -> None:
    import grp

    member = NOBODY.pw_uid, grp.getgrnam(GROUP).gr_gid
    done = world.each(lambda name: Run(world.line(name), env={"VERNIS_WORKDIR": str(foreign.workdir)}, user=member), ["log", "stat", "top", "status"])
    assert [d.status for d in done] == [0, 0, 0, 2] and "MAIN.uptime" in done[1].out, done


@needs_root
@pytest.mark.parametrize("options, says", [(["-S", "{secret}"], "cannot read the secret .*_.secret: Permission denied: .*use sudo"),
                                           ([], "wants a secret: give its file with -S")])
def test_a_secret_of_another_user(world: World, daemon: Daemon, options: list[str], says: str) -> None:
    host, port = tcp_of(daemon)
    given = [option.format(secret=daemon.workdir / "_.secret") for option in options]
    over_tcp = [name for name in DAEMON_COMMANDS if any("-S" in action.option_strings for action in actions_of(name)) and name not in ("names", "why")]
    done = world.each(lambda name: Run(world.line(name, "-T", f"{host}:{port}", *given), user=AS_NOBODY), over_tcp)
    assert faults(done, {2}, says) == ""


def tcp_of(daemon: Daemon) -> list[str]:
    """The address of -T, as the shared memory has it."""
    from vernis.observe.vsm import Vsm

    vsm = Vsm(daemon.workdir)
    vsm.refresh()
    address = (vsm.argument("-T") or "").splitlines()[0].split()
    vsm.close()
    return address


# ---- signals -----------------------------------------------------------------------------------------------

LIVE = [["top"], ["stat"], ["top", "--rules"], ["admin"]]
WAITING = [["log"], ["log", "--format", "json"], ["status", "--seconds=30"], ["load", "one", "-"], ["check", "-"], ["lint", "--watch", "{site}/site.vcl"],
           ["test", "--watch", "-j1", "{site}"], ["demo-origin"], ["run", "-n", "{out}/run", "--policy", "{site}/site.vcl"], ["compile-server"],
           ["log", "-t", "off", "-n", "{site}"], ["admin", "-n", "{silent}"]]
#: They end by themselves, with a status of their own.
CLEAN = {("demo-origin", signal.SIGINT), ("run", signal.SIGINT), ("run", signal.SIGTERM), ("run", signal.SIGHUP)}


@pytest.fixture(scope="module")
def silent(world: World) -> Iterator[Path]:
    """The work directory of a daemon that takes connections and says nothing."""
    folder = world.root / "silent"
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(str(folder / "cli.sock"))
        sock.listen(16)
        yield folder


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_while_it_waits(world: World, where: dict[str, str | None], silent: Path, number: signal.Signals) -> None:
    """A signal ends a command as the signal ends any program, and `compile-server` leaves Ctrl-C to the daemon."""
    lines = [fill(world, line, silent) for line in WAITING if (line[0], number) != ("compile-server", signal.SIGINT)]
    done = world.run_all((Run(line, env=where, stdin=os.devnull if "-" not in line and line[0] != "compile-server" else "open"),
                          lambda going: (going.wait_for(waits), going.signal(number))) for line in lines)  # type: ignore[func-returns-value]
    assert faults(done, {-number, 0}) == ""
    assert [d.args[0] for d in done if d.status != (0 if (d.args[0], number) in CLEAN else -number)] == []


def waits(going: Going) -> bool:
    name = going.run.args[0]
    return bool(going.out or going.err) and going.sleeps if name in ("demo-origin", "run", "lint", "test") else going.sleeps


def shows(going: Going) -> bool:
    """A live view, or the prompt of `admin` after its question to the terminal where the cursor is, and after its
    thread has read the history."""
    prompt = b"vernis>" in going.out or (b"\x1b[?2004h" in going.out and going.out.endswith(b"\x1b[?25h"))
    return prompt and going.sleeps if going.run.args[0] == "admin" else len(going.out) > 3


def fill(world: World, line: list[str], silent: Path) -> list[str]:
    out = Path(tempfile.mkdtemp(dir=world.root / "out"))
    return [word.format(site=world.root / "site", out=out, silent=silent) for word in line]


@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP", "hang up", "q"])
def test_live_views_leave_the_terminal_as_it_was(world: World, where: dict[str, str | None], end: str) -> None:
    import termios

    before: dict[int, list[Any]] = {}

    def stop(going: Going) -> None:
        before[going.pid] = termios.tcgetattr(going.terminal)
        going.wait_for(shows)
        if end == "hang up":
            going.hang_up()
        elif end == "q":
            os.write(going.terminal, b"q" if going.run.args[0] != "admin" else b"quit\r")
        else:
            going.signal(getattr(signal, end))
        if end != "hang up":
            going.status(20.0)
            assert termios.tcgetattr(going.terminal)[3] & (termios.ICANON | termios.ECHO) == termios.ICANON | termios.ECHO

    lines = [line for line in LIVE if line != ["admin"] or end != "SIGINT"]  # where it only leaves the typed line
    done = world.run_all((Run(line, stdin="tty", stdout="tty", env={**where, "TERM": "xterm", "HOME": str(world.root / "out")}), stop) for line in lines)
    number = {"q": 0, "hang up": signal.SIGHUP}.get(end, getattr(signal, end, 0))
    if end == "hang up":
        assert {d.status for d in done} <= {-number, 0}, done  # what follows goes to a terminal that is closed
    else:
        assert faults(done, {-number}) == ""


def test_a_signal_at_the_begin(world: World, where: dict[str, str | None]) -> None:
    numbers = {name: (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[i % 3] for i, name in enumerate(COMMANDS)}
    done = world.each(lambda name: Run(world.line(name), env=where), then=lambda going: going.signal(numbers[going.run.args[0]]))
    assert faults(done, {0, 1, 2, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP}) == ""


# ---- terminals and environments ----------------------------------------------------------------------------

TERMINALS = {"no TERM": ({"TERM": None}, 80, 24), "dumb": ({"TERM": "dumb"}, 80, 24), "unknown": ({"TERM": "no-such"}, 80, 24),
             "1x1": ({"TERM": "xterm"}, 1, 1), "0x0": ({"TERM": "xterm"}, 0, 0), "narrow": ({"TERM": "xterm"}, 7, 3), "wide": ({"TERM": "xterm"}, 400, 2)}


@pytest.mark.parametrize("kind", TERMINALS)
def test_terminals(world: World, where: dict[str, str | None], kind: str) -> None:
    env, columns, lines = TERMINALS[kind]
    everything = [Run(world.line(name), stdin=os.devnull, stdout="tty", env={**where, **env}, columns=columns, lines=lines)
                  for name in COMMANDS if kind in ("no TERM", "1x1") or name in ("check", "explain", "fmt", "status")]

    def quit(going: Going) -> None:
        going.wait_for(shows)
        os.write(going.terminal, b"q" if going.run.args[0] != "admin" else b"quit\r")

    live = [Run(line, stdin="tty", stdout="tty", env={**where, **env, "HOME": str(world.root / "out")}, columns=columns, lines=lines) for line in LIVE]
    done = world.run_all([*((run, ended if run.args[0] in ENDLESS else nothing) for run in everything), *((run, quit) for run in live)])
    assert faults(done, {0, 1, 2, -signal.SIGTERM}) == ""


ENVIRONMENTS: dict[str, dict[str, str | None]] = {
    "no HOME": {"HOME": None}, "a HOME that is none": {"HOME": "/dev/null/home"}, "a closed state folder": {"XDG_STATE_HOME": "/proc/none"},
    "odd sizes": {"COLUMNS": "x", "LINES": "-1"}, "no folder for temporary files": {"TMPDIR": "/none"}, "no PATH": {"PATH": None}}


@pytest.mark.parametrize("kind", ENVIRONMENTS)
def test_environments(world: World, where: dict[str, str | None], kind: str) -> None:
    env = {**where, **ENVIRONMENTS[kind]}
    names = COMMANDS if kind == "no HOME" else ["admin", "build", "check", "run", "stat", "status", "test", "why"]

    def leave(going: Going) -> None:
        going.wait_for(shows)
        os.write(going.terminal, b"quit\r")

    done = world.each(lambda name: Run(world.line(name), env=env), names)
    done += world.run_all([(Run(["admin"], stdin="tty", stdout="tty", env=env), leave)])
    assert faults(done, {0, 1, 2, -signal.SIGTERM}) == "" and done[-1].status == 0, done[-1]


def test_no_current_folder(world: World, where: dict[str, str | None]) -> None:
    def gone() -> str:
        return "gone:" + str(Path(tempfile.mkdtemp(dir=world.root / "out")) / "folder")

    done = world.each(lambda name: Run(world.line(name), env=where, cwd=gone()))
    relative = [[word.replace(str(world.root / "site"), ".") for word in world.line(name)] for name in COMMANDS if name not in ENDLESS]
    done += world.run_all((Run(line, env=where, cwd=gone()), nothing) for line in relative)
    assert faults(done, {0, 1, 2, -signal.SIGTERM}) == ""
    assert "cd to another folder" in next(d.err for d in reversed(done) if d.args[0] == "load")


# ---- a daemon that dies ------------------------------------------------------------------------------------

GREETING = b"200 2       \nOK\n"
ANSWERS = {"closes at once": (b"", b""), "half a greeting": (b"200 2    ", b""), "no daemon": (b"HTTP/1.1 400 Bad Request\r\n\r\n", b""),
           "dies at the command": (GREETING, b""), "half an answer": (GREETING, b"200 400     \n[ 3, "), "too long an answer": (GREETING, b"200 99999999\n"),
           "no text": (GREETING, b"200 4       \n\xff\x00\xfe{\n"), "not JSON": (GREETING, b"200 9       \n[1,2,3,4,\n")}


@contextmanager
def scripted(folder: Path, greeting: bytes, answer: bytes) -> Iterator[None]:
    """A daemon that gives this answer to each connection, and closes it."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(str(folder / "cli.sock"))
        sock.listen(64)

        def serve() -> None:
            while True:
                try:
                    connection, _ = sock.accept()
                except OSError:
                    return
                with connection, suppress(OSError):
                    connection.sendall(greeting)
                    if answer or greeting == GREETING:
                        connection.recv(1 << 16)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            sock.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_daemon_that_dies(world: World, kind: str) -> None:
    folder = Path(tempfile.mkdtemp(dir=world.root))
    with scripted(folder, *ANSWERS[kind]):
        done = world.each(lambda name: Run(world.line(name), env={"VERNIS_WORKDIR": str(folder)}), DAEMON_COMMANDS)
    may_understand = ANSWERS[kind][1].endswith(b"\n")
    assert faults(done, {0, 1, 2} if may_understand else {0, 2}, "" if may_understand else "daemon") == ""


def test_a_daemon_that_is_killed_while_commands_follow_it(world: World, tmp_path: Path) -> None:
    runs = [Run(line, stdin="tty", stdout="tty", env={"TERM": "xterm", "HOME": "/dev/null/home"}) for line in (["top"], ["stat"], ["top", "--rules"], ["admin"], ["log"])]
    with Daemon(tmp_path, POLICY) as d:
        for run in runs:
            run.env["VERNIS_WORKDIR"] = str(d.workdir)
        d.get("/")
        ready = threading.Barrier(len(runs) + 1)

        def outlive(going: Going) -> None:
            going.wait_for(lambda g: g.sleeps if g.run.args[0] == "log" else shows(g))
            ready.wait(20)
            wait_until(lambda: d.process.poll() is not None, "the daemon is dead")
            if going.run.args[0] == "admin":
                os.write(going.terminal, b"ping\n")
            elif "--rules" not in going.run.args:
                going.signal(signal.SIGINT)

        killer = threading.Thread(target=lambda: (ready.wait(20), d.process.kill()))
        killer.start()
        done = world.run_all((run, outlive) for run in runs)
        killer.join()
    assert faults(done, {0, 2, -signal.SIGINT}) == ""


# ---- the programs themselves -------------------------------------------------------------------------------

VERNIS, RELOAD, ROOT = VERNISD.with_name("vernis"), VERNISD.parents[2] / "examples/systemd/vernisreload", VERNISD.parents[2]


def program(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, **options})


def test_an_interrupt_before_the_first_import_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "vernis").mkdir()
    (tmp_path / "vernis" / "__init__.py").write_text("import os\nos.kill(os.getpid(), 2)\n")
    start = f"{ROOT}/build/py/vernis/start.py"
    done = program(ROOT / "build/venv/bin/python", "-S", start, "--version", env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")
    assert start.removeprefix(f"{ROOT}/build") in VERNIS.read_text()


@pytest.mark.parametrize("command", [[VERNISD, "-x", "parameter"], [VERNISD, "-x", "builtin"], [VERNIS, "rules"]])
def test_outputs_of_programs(command: list[str | Path]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = program(*command, stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")
    with open("/dev/full", "wb") as full:
        done = program(*command, stdout=full)
    assert done.returncode == 2 and b"No space left on device" in done.stderr and b"Traceback" not in done.stderr, done


@needs_root
@pytest.mark.usefixtures("checkout_of_everybody")
@pytest.mark.parametrize("options, says", [
    (["-n", "/root/none"], "Cannot create work directory /root/none: mkdir .*: Permission denied: make it for the user of the daemon"),
    (["-n", "{out}", "-S", "{closed}", "-T", "127.0.0.1:0"], "Cannot open -S file .*: Permission denied"),
    (["-n", "{out}", "-P", "/root/pid"], "Could not open pid-file .*: Permission denied"),
    (["-n", "{out}", "-a", "127.0.0.1:1"], "Could not get socket 127.0.0.1:1: Permission denied: a port below 1024 needs root or CAP_NET_BIND_SERVICE"),
    (["-n", "{out}", "-j", "unix"], "must be root")])
def test_vernisd_as_another_user(world: World, options: list[str], says: str) -> None:
    out, closed = Path(tempfile.mkdtemp(dir=world.root / "out")), world.root / "closed"
    os.chown(out, *AS_NOBODY)
    closed.touch(0o600)
    given = [option.format(out=out, closed=closed) for option in options]
    more = [word for name, value in (("-a", "127.0.0.1:0"), ("-j", "none")) if name not in given for word in (name, value)]
    done = program(VERNISD, "-F", "-b", "none", *more, *given, user=NOBODY.pw_uid, group=NOBODY.pw_gid, extra_groups=[])
    assert done.returncode == 2 and re.search(says, done.stderr.decode()), done


def test_vernisreload_without_tools() -> None:
    done = program(sys.executable, RELOAD, "-n", "/none", env={"PATH": "/none"})
    assert (done.returncode, done.stderr) == (1, b"Not reloaded: cannot run varnishadm: No such file or directory: put vernis or varnishadm into the PATH\n")


@pytest.mark.parametrize("command", ["check", "lint", "fmt", "parse"])
def test_names_that_the_locale_cannot_write(tmp_path: Path, command: str) -> None:
    path = tmp_path / "caf\xe9.vcl"
    path.write_text(POLICY.replace('"one"', '"\u4e2d"'))
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = program(VERNIS, command, path, env=env)
    assert done.returncode in (0, 1) and not BAD.search((done.stdout + done.stderr).decode("utf-8", "replace")), done
