"""Readiness messages for a service manager, the reload scripts, and the users of the processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, SYNTH, VERNISD, Daemon, wait_until

VERNISRELOAD = ROOT / "examples" / "systemd" / "vernisreload"
STOCK_RELOAD = Path("/usr/share/varnish/varnishreload")
ADMIN = Path("/usr/bin/varnishadm")

#: Our helper works through `vernis admin`, or through varnishadm if there is no vernis.
WITHOUT_VERNIS = "/usr/bin:/bin"
WITH_VERNIS = f"{ROOT / 'build' / 'bin'}:{WITHOUT_VERNIS}"

needs_admin = pytest.mark.skipif(not ADMIN.exists(), reason="needs Debian's package varnish")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon that serves a policy from a file, with a command line on TCP."""
    (tmp_path / "site.vcl").write_text(SYNTH.format(word="one"))
    with Daemon(tmp_path, args=["-f", str(tmp_path / "site.vcl")], cli_listen="127.0.0.1:0") as d:
        wait_until(lambda: d.state == "running", "the daemon serves")
        yield d


def reload_with(script: Path, daemon: Daemon, *args: str, path: str = WITH_VERNIS) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script)] if script == VERNISRELOAD else ["/bin/sh", str(script)]
    return subprocess.run([*command, "-n", str(daemon.workdir), *args], capture_output=True, text=True, timeout=30, check=False,
                          env={**os.environ, "PATH": path})


def names(daemon: Daemon) -> list[str]:
    return [row["name"] for row in json.loads(daemon.ok("vcl.list -j"))[3:] if row["status"] != "discarded"]


@needs_admin
@pytest.mark.skipif(not STOCK_RELOAD.exists(), reason="needs Debian's package varnish")
def test_the_stock_helper_reloads_policy_and_label(served: Daemon, tmp_path: Path) -> None:
    (tmp_path / "site.vcl").write_text(SYNTH.format(word="two"))
    done = reload_with(STOCK_RELOAD, served)
    assert done.returncode == 0 and "now active" in done.stdout, done.stdout + done.stderr
    assert served.get()[1] == "two"
    served.ok(f"vcl.label live {served.active}")
    served.use("live")
    (tmp_path / "site.vcl").write_text(SYNTH.format(word="three"))
    done = reload_with(STOCK_RELOAD, served, "-m", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert served.active == "live" and served.get()[1] == "three"
    assert len(names(served)) == 3                              # boot, live, and the policy of live


@pytest.mark.parametrize("path", [WITH_VERNIS, pytest.param(WITHOUT_VERNIS, marks=needs_admin)], ids=["vernis", "varnishadm"])
def test_our_helper_reloads_and_keeps_recent_policies(served: Daemon, tmp_path: Path, path: str) -> None:
    for word in "two", "three", "four":
        (tmp_path / "site.vcl").write_text(SYNTH.format(word=word))
        done = reload_with(VERNISRELOAD, served, "-u", f"http://127.0.0.1:{served.port_cached}/", path=path)
        assert done.returncode == 0 and "is active" in done.stdout, done.stdout + done.stderr
        assert served.get()[1] == word
    assert len(names(served)) == 3                              # boot, the active policy, and the one before


@pytest.mark.parametrize("labelled", [False, True])
def test_our_helper_rolls_back_an_unhealthy_site(served: Daemon, tmp_path: Path, labelled: bool) -> None:
    if labelled:
        served.ok("vcl.label live boot")
        served.use("live")
    before = names(served), served.active
    (tmp_path / "site.vcl").write_text('vcl 4.1; backend default none; sub vcl_recv { return (synth(500, "bad")); }')
    done = reload_with(VERNISRELOAD, served, "-t", "0", "-u", f"http://127.0.0.1:{served.port_cached}/")
    assert done.returncode == 1 and "Rolled back: boot is active again" in done.stderr, done.stdout + done.stderr
    assert served.get() == (200, "one") and (names(served), served.active) == before


def test_our_helper_prints_why_a_policy_is_not_loaded(served: Daemon, tmp_path: Path) -> None:
    (tmp_path / "site.vcl").write_text("vcl 4.1; nonsense")
    done = reload_with(VERNISRELOAD, served)
    assert done.returncode == 1 and "VCL compilation failed" in done.stderr
    assert served.get() == (200, "one") and names(served) == ["boot"]


def test_a_service_manager_gets_ready_and_stopping_messages(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(20)
        with Daemon(tmp_path, SYNTH.format(word="x"), env={"NOTIFY_SOCKET": str(tmp_path / "notify")}) as d:
            assert manager.recv(4096) == b"FDSTORE=1\nFDNAME=a0"
            assert manager.recv(4096).startswith(b"READY=1")
            assert d.get()[1] == "x"
            d.process.send_signal(signal.SIGTERM)
            assert manager.recv(4096) == b"STOPPING=1"
            assert d.process.wait(20) == 0


def test_a_failed_start_is_never_ready(tmp_path: Path) -> None:
    (tmp_path / "bad.vcl").write_text("vcl 4.1; nonsense")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        done = subprocess.run([str(VERNISD), "-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "bad.vcl")],
                              env=dict(os.environ, NOTIFY_SOCKET=str(tmp_path / "notify")), capture_output=True, timeout=30, check=False)
        assert done.returncode == 2
        manager.setblocking(False)
        assert b"READY" not in b"".join(iter(lambda: _next(manager), b""))


def _next(manager: socket.socket) -> bytes:
    try:
        return manager.recv(4096)
    except BlockingIOError:
        return b""


# ---- rights ------------------------------------------------------------------------------------------------


def uids(pid: int) -> set[int]:
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("Uid:"))
    return {int(uid) for uid in line.split()[1:]}


def has_user(name: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@pytest.mark.usefixtures("checkout_of_everybody")
@pytest.mark.skipif(os.geteuid() != 0 or not has_user("vcache"), reason="only root can become another user")
@pytest.mark.parametrize("jail", [[], ["-j", "unix,user=vcache"], ["-j", "unix,user=varnish,ccgroup=varnish,workuser=vcache"]])
def test_neither_worker_nor_compiler_is_root(tmp_path: Path, jail: list[str]) -> None:
    """Also below a directory that only root can enter, without -j, and after root has compiled there."""
    workdir = tmp_path / "w"
    (workdir / "images" / "store").mkdir(parents=True, mode=0o700)
    (workdir / "images" / "store" / "part").write_text("of root")
    tmp_path.chmod(0o700)
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    process = subprocess.Popen([str(VERNISD), "-F", "-n", str(workdir), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "p.vcl"), *jail],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: process.poll() is not None or (workdir / "_.vsm_child" / "_.index").exists(), "a worker runs")
        assert process.poll() is None, process.stderr and process.stderr.read()
        wait_until(lambda: len(children(process.pid)) >= 2, "worker and compile server run")
        wait_until(lambda: all(0 not in uids(pid) for pid in children(process.pid)), "neither is root")
    finally:
        process.terminate()
        assert process.wait(20) == 0


@pytest.mark.skipif(os.geteuid() != 0 or not has_user("vcache"), reason="only root can become another user")
def test_a_work_directory_that_the_jail_cannot_enter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir(mode=0o700)
    done = subprocess.run([str(VERNISD), "-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", "", "-j", "unix,user=vcache"],
                          capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert f"Work directory {tmp_path}/w is closed to the user of the jail: open it (chmod 711 {tmp_path}/w)" in done.stderr


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
