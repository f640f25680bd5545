"""Upgrade of the daemon: the new process takes over the sockets, the old one finishes its requests, and every
client is served."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import START_S, SYNTH, VERNISD, Daemon, wait_equal, wait_until
from proxy.origin import Origin, Reply, Request
from proxy.upgrade_load import Clients, Line, connect, exchange, is_alive

ANSWER = 'vcl 4.1; backend default none; sub vcl_recv {{ return (synth(200)); }} sub vcl_synth {{ synthetic("{word}"); return (deliver); }}'


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    policy = tmp_path / "site.vcl"
    policy.write_text(ANSWER.format(word="one"))
    args = ["-f", str(policy), "-a", f"u={tmp_path}/u.sock", "-a", "p=127.0.0.1:0,PROXY", "-P", str(tmp_path / "pid")]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service_manager:
        service_manager.bind(f"{tmp_path}/notify")
        service_manager.settimeout(START_S)
        with Line(tmp_path, args=args, cli_listen="127.0.0.1:0", env={"NOTIFY_SOCKET": f"{tmp_path}/notify"}) as d:
            d.service_manager = service_manager
            wait_until(lambda: d.state == "running", "the daemon serves")
            yield d


def ports(d: Daemon) -> list[str]:
    return [text.rsplit(":", 1)[-1] for text in d.status["listens"]]


def test_100_connections_lose_no_request(line: Line, tmp_path: Path) -> None:
    site, _, proxy = ports(line)
    clients = Clients()
    clients.add(40, "kept", int(site))
    clients.add(30, "fresh", int(site))
    clients.add(10, "kept", f"{tmp_path}/u.sock")
    clients.add(10, "fresh", f"{tmp_path}/u.sock")
    clients.add(10, "kept", int(proxy), proxy=True)
    wait_until(lambda: clients.answered > 200, "the clients are served")
    (tmp_path / "site.vcl").write_text(ANSWER.format(word="two"))
    line.upgrade()
    assert line.process.wait(30) == 0                       # its worker has closed the last connection
    wait_until(lambda: clients.moved == 60, "each kept connection was closed once")
    second = line.pid
    line.service_manager.close()    # its queue would fill, because the test does not read it
    os.kill(second, signal.SIGUSR2)
    wait_until(lambda: not is_alive(second), "the third daemon has taken over, and the second has ended")
    wait_until(lambda: clients.moved == 120, "each kept connection was closed again")
    clients.stop()
    assert clients.lost == [] and clients.words == {"one", "two"}


def test_command_line_counters_pid_files_and_secret_are_taken_over(line: Line, tmp_path: Path) -> None:
    secret, first = (line.workdir / "_.secret").read_bytes(), line.process.pid
    listens, inode = line.status["listens"], (line.workdir / "_.vsm_child").stat().st_ino
    line.upgrade()
    said = [socket.recv_fds(line.service_manager, 1000, 8) for _ in range(9)]
    serving, told = b"READY=1\nSTATUS=serving", [text for text, *_ in said]
    stored = [b"FDSTORE=1\nFDNAME=a0", b"FDSTORE=1\nFDNAME=u", b"FDSTORE=1\nFDNAME=p", serving]
    assert told == [*stored, b"MAINPID=%d" % line.pid, *stored]
    names = [socket.socket(fileno=fd).getsockname() for _, fds, *_ in said for fd in fds]
    assert len(names) == 6 and names[1] == f"{tmp_path}/u.sock" and names[:3] == names[3:]
    assert line.status["master"] == line.pid == int((tmp_path / "pid").read_text()) != first
    assert line.status["listens"] == listens and (line.workdir / "_.secret").read_bytes() == secret
    assert (line.workdir / "_.vsm_child").stat().st_ino != inode
    line.process.wait(30)
    assert [path.name for path in line.workdir.glob("*beside*")] == []
    assert len(list((line.workdir / "images").glob("boot.*.so"))) == 1
    assert line.get() == (200, "OK")
    other = subprocess.run([VERNISD, "-F", "-n", line.workdir, "-a", "127.0.0.1:0", "-b", "none"], capture_output=True, text=True, timeout=30)
    assert other.returncode == 2 and f"already running (pid={line.pid})" in other.stderr


def test_the_dashboard_keeps_its_link(tmp_path: Path) -> None:
    with Line(tmp_path, ANSWER.format(word="a"), ("-p", "dashboard_listen=127.0.0.1:0")) as line:
        link = line.ok("vernis.dashboard")
        line.upgrade()
        assert link.startswith("http://127.0.0.1:") and line.ok("vernis.dashboard") == link


# ---- what the new daemon has -----------------------------------------------------------------------------------

TWO_BACKENDS = '''vcl 5.0; backend default { .host = "127.0.0.1"; .port = "1"; } backend other { .host = "127.0.0.1"; .port = "2"; }
@part sub vcl_recv { if (req.url == "/other") { set req.backend_hint = other; } }'''
TABLE = '''
table t : STRING by exact from "t.csv";
@part sub vcl_recv { if (let v = t[req.url]) { return (synth(200, v)); } return (synth(204)); }'''

END = "Counters start at zero. Readers of the log follow the new daemon."


def changed(d: Daemon) -> dict[str, str]:
    return {words[0]: words[1] for words in map(str.split, d.ok("param.show changed").splitlines())}


def health(d: Daemon) -> dict[str, str]:
    return {words[0]: words[1] for words in map(str.split, d.ok("backend.list").splitlines()[1:])}


@pytest.fixture
def settled(tmp_path: Path) -> Iterator[Line]:
    """A daemon with settings of each kind that a command can make."""
    (tmp_path / "t.csv").write_text("/,policy\n")
    (tmp_path / "command.csv").write_text("/,command\n")
    with Line(tmp_path, TWO_BACKENDS + TABLE, ["-p", f"vcl_path={tmp_path}", "-p", "first_byte_timeout=7", "-p", "default_grace=3"]) as d:
        d.ok("param.set default_ttl 77.123456")     # printed with three digits
        d.ok("param.set vsl_mask -Debug")
        d.ok("param.set feature +rfc9111")
        d.ok("param.set feature -rfc9111")
        d.ok("param.reset default_grace")           # of the command line
        d.ok(r'param.set cc_command "say \"a\\b\" %s"')
        d.ok("backend.set_health *.* sick")
        d.ok("backend.set_health default auto")     # a backend without a probe is healthy then
        d.ok(f"table.replace t {tmp_path}/command.csv")
        yield d


def test_settings_of_commands_are_kept_over_two_upgrades(settled: Line, tmp_path: Path) -> None:
    before = changed(settled), health(settled)
    assert before[0]["first_byte_timeout"] == "7.000" and before[1] == {"boot.default": "healthy", "boot.other": "sick"}
    for _ in range(2):
        lines = settled.upgrade()
        assert lines == [f"Policy: {tmp_path}/boot.vcl, read again",
                         "Kept: parameters: cc_command, default_grace, default_ttl, feature, vsl_mask; "
                         "backends set by hand: *.* sick; replaced tables: t",
                         "Dropped: stored responses: 0; bans: 0", END]
        assert (changed(settled), health(settled)) == before
        assert settled.get("/")[1] == "command"
    assert settled.ok("param.show -j default_ttl").count("77.123") == 1
    for text in ("Kept: parameters: cc_command", "Dropped: stored responses: 0"):
        assert f"upgrade: {text}" in settled.logs       # an upgrade by a signal has no other answer
    worker = settled.worker_pid
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: settled.worker_pid not in (0, worker) and settled.state == "running", "the next worker serves")
    assert health(settled) == before[1]


def test_the_state_of_the_active_policys_backends_follows_its_name(tmp_path: Path) -> None:
    with Line(tmp_path, TWO_BACKENDS) as d:
        d.ok(f"vernis.reload again {tmp_path}/boot.vcl")
        d.ok("backend.set_health other sick")
        assert health(d)["again.other"] == "sick"
        lines = d.upgrade()
        assert "Kept: backends set by hand: other sick" in lines
        assert health(d) == {"boot.default": "healthy", "boot.other": "sick"}


#: Starts the new daemon of an upgrade when a file exists.
LATE = """#!/bin/bash
if [ -n "$VERNIS_UPGRADE" ]; then
    touch {folder}/waits
    while [ ! -e {folder}/go ]; do sleep 0.02; done
fi
exec -a "$0" {program} "$@"
"""


def test_settings_during_the_start_of_the_new_daemon_are_kept(tmp_path: Path) -> None:
    """The new daemon starts with the settings of then, and gets later ones when it takes over."""
    program = tmp_path / "vernisd"
    program.write_text(LATE.format(folder=tmp_path, program=VERNISD))
    program.chmod(0o755)
    with Line(tmp_path, TWO_BACKENDS, binary=program) as d:
        d.ok("param.set default_ttl 44")
        answer: list[tuple[int, str]] = []
        with d.connect() as upgrading:
            thread = threading.Thread(target=lambda: answer.append(upgrading.ask("vernis.upgrade")))
            thread.start()
            wait_until((tmp_path / "waits").exists, "the new daemon starts")
            d.ok("param.set default_ttl 55")
            d.ok("param.set default_keep 66")
            d.ok("backend.set_health other sick")
            (tmp_path / "go").touch()
            thread.join(START_S)
        d.forget_connection()
        assert answer and answer[0][0] == 200 and "Kept: parameters: default_keep, default_ttl; backends set by hand: other sick" in answer[0][1]
        assert changed(d) == {"default_ttl": "55.000", "default_keep": "66.000"} and health(d)["boot.other"] == "sick"


def test_what_is_dropped_is_named(tmp_path: Path) -> None:
    def handler(request: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nCache-Control: max-age=100\r\n\r\nx"])

    with Origin(handler) as origin:
        policy = f'vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{origin.port}"; }}'
        with Line(tmp_path, policy) as d:
            for path in ("/a", "/b", "/c"):
                assert d.get(path)[0] == 200
            d.ok("ban obj.status == 404 && req.url ~ x")
            d.load("typed", SYNTH.format(word="typed"))
            d.load("blue", SYNTH.format(word="blue"))
            d.ok("vcl.label prod blue")
            d.ok("vernis.dashboard start 127.0.0.1:0")
            time.sleep(1.1)     # the time of a file has whole seconds here
            (tmp_path / "boot.vcl").write_text(policy + "# later")
            with d.connect():
                lines = d.upgrade()
        assert lines == [f"Policy: {tmp_path}/boot.vcl, read again; the file has changed since it was loaded",
                         "Dropped: stored responses: 3; bans: 1; policies: typed, blue; labels: prod; "
                         "the dashboard, which `vernis dashboard` starts again; connections of the command line: 1", END]


def test_a_state_that_the_new_policy_cannot_take_is_named(tmp_path: Path) -> None:
    with Line(tmp_path, TWO_BACKENDS) as d:
        d.ok("backend.set_health other sick")
        (tmp_path / "boot.vcl").write_text(ANSWER.format(word="one backend"))
        lines = d.upgrade()
        assert lines[-1] == "Not kept: backend.set_health boot.other: No Backends matches"
        assert "not kept: backend.set_health boot.other: No Backends matches" in d.logs


@pytest.mark.parametrize("how", ["typed", "file", "values"])
def test_an_upgrade_that_would_serve_another_policy_is_refused(tmp_path: Path, how: str) -> None:
    policy = "vcl 5.0; backend default none; param word : STRING = \"one\"; sub vcl_recv { return (synth(200, word)); }"
    with Line(tmp_path, policy) as d:
        (tmp_path / "blue.vcl").write_text(policy)
        if how == "typed":
            d.serve("blue", SYNTH.format(word="blue"))
        else:
            d.ok(f"vernis.reload blue {tmp_path}/{'blue' if how == 'file' else 'boot'}.vcl{' -D word=two' if how == 'values' else ''}")
        before = d.pid
        status, text = d.cli("vernis.upgrade")
        assert status == 300 and "clients would get another policy" in text and str(tmp_path / "boot.vcl") in text, text
        assert d.pid == before and "would get another policy" in d.logs
        d.ok(f"vcl.load again {tmp_path}/boot.vcl")
        d.use("again")
        d.upgrade()
        assert d.get("/")[0] == 200


def state_of(d: Daemon) -> list[object]:
    files = sorted(path.name for path in d.workdir.glob("*")), sorted(path.name for path in (d.workdir / "images").glob("*.so"))
    return [d.status["master"], d.worker_pid, (d.workdir / "_.vsm_child").stat().st_ino, (d.workdir / "_.pid").read_text(), *files]


def test_a_failed_start_changes_nothing(line: Line, tmp_path: Path) -> None:
    before = state_of(line)
    for policy, why in (("vcl 4.1; nonsense", "unknown declaration 'nonsense'"),
                        ('vcl 4.1; backend default none; sub vcl_init { return (fail("no")); }', "vcl_init")):
        (tmp_path / "site.vcl").write_text(policy)
        status, text = line.cli("vernis.upgrade")
        assert status == 300 and "this one goes on" in text and why in text, text
        wait_equal(lambda: state_of(line), before, "the state is as before")      # the failed one has removed its files
        assert line.get() == (200, "OK") and exchange(connect(f"{tmp_path}/u.sock"))[1] == b"one"


def test_long_bodies_and_pipes_continue_in_the_old_worker_for_upgrade_drain(tmp_path: Path) -> None:
    go_on, never = threading.Event(), threading.Event()

    def handler(request: Request) -> Reply:
        wait = never if request.url == "/never" else go_on
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nbegin", lambda: b"end" if wait.wait(20) else None])

    with Origin(handler) as origin:
        policy = f'''vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{origin.port}"; }}
            sub vcl_recv {{ if (req.url == "/pipe") {{ return (pipe); }} return (pass); }}'''
        with Line(tmp_path, policy, ["-p", "upgrade_drain=5"]) as d:
            waiting = [connect(d.port_cached) for _ in range(3)]
            for sock, path in zip(waiting, ("/long", "/pipe", "/never")):
                sock.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                wait_for(sock, b"begin")
            d.upgrade()
            assert d.process.poll() is None                 # it drains
            go_on.set()
            for sock in waiting[:2]:
                wait_for(sock, b"end")
                sock.close()
            assert d.process.wait(START_S) == 0             # upgrade_drain has passed
            with pytest.raises(OSError):
                exchange(waiting[2], b"")
            never.set()


def test_a_daemon_without_a_policy_on_its_command_line_is_not_upgraded(tmp_path: Path) -> None:
    with Line(tmp_path) as d:
        d.serve("typed", SYNTH.format(word="typed"))
        status, text = d.cli("vernis.upgrade")
        assert status == 300 and "No policy on the command line" in text, text
        assert d.get() == (200, "typed")


def test_sockets_of_a_service_manager_are_used(tmp_path: Path) -> None:
    """LISTEN_FDS: connections that arrived before the daemon wait in the queue and are served."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    sock = connect(port)
    sock.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    policy = tmp_path / "site.vcl"
    policy.write_text(ANSWER.format(word="passed"))
    workdir = tmp_path / "w"
    script = 'exec 3<&"$1"; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=site; shift; exec "$@"'
    process = subprocess.Popen(["bash", "-c", script, "bash", str(listener.fileno()), str(VERNISD), "-F", "-j", "none", "-T", "none", "-n",
                                str(workdir), "-a", f"127.0.0.1:{port}", "-f", str(policy)], pass_fds=[listener.fileno()],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(sock, b"passed")
    finally:
        process.terminate()
        process.wait(30)
        listener.close()


def wait_for(sock: socket.socket, word: bytes) -> None:
    data = b""
    while word not in data:
        data += sock.recv(65536) or pytest.fail(f"the connection ended before {word!r}: {data!r}")
