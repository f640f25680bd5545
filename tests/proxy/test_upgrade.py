"""Upgrade of the daemon: the new process takes over the sockets, the old one finishes its requests, and every
client is served."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
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
