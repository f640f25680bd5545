"""A daemon takes over nothing of another program: not the work directory of a running varnishd, and no files
in a folder that only has the name of one of its own. varnishd takes over nothing of a running daemon either."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, SYNTH, VERNISD, wait_until
from proxy.test_supervision import Start
from support.namespaces import needs_mounts

VARNISHD = Path("/usr/sbin/varnishd")
VERNIS = ROOT / "build" / "bin" / "vernis"


def start(workdir: Path, *args: str, program: Path = VERNISD) -> subprocess.CompletedProcess[str]:
    """A daemon that is expected not to start."""
    command = [program, "-F", "-T", "none", "-a", "127.0.0.1:0", "-n", workdir, *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def content(folder: Path) -> list[tuple[str, int, int]]:
    return sorted((str(path.relative_to(folder)), path.lstat().st_ino, path.lstat().st_uid) for path in folder.rglob("*"))


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[Path]:
    """The work directory of a program that locks its `_.pid`, as varnishd does while it runs: of this test."""
    workdir = tmp_path / "foreign"
    (workdir / "_.vsm_mgt").mkdir(parents=True)
    (workdir / "_.vsm_mgt" / "_.index").write_text("# 1 1\n")
    with (workdir / "_.pid").open("w") as pid_file:
        pid_file.write(f"{os.getpid()}\n")
        pid_file.flush()
        fcntl.flock(pid_file, fcntl.LOCK_EX)
        yield workdir


def test_the_directory_of_another_running_program_is_refused_by_its_name(foreign: Path) -> None:
    before = content(foreign)
    done = start(foreign, "-j", "none", "-b", "none")
    name = Path(f"/proc/{os.getpid()}/comm").read_text().strip()
    assert done.returncode == 2
    assert done.stderr == (
        f"Error: Varnishd is already running (pid={os.getpid()}) (pidfile={foreign}/_.pid)\n"
        f"Work directory {foreign} is in use by {name} (pid {os.getpid()}): use another -n, or leave out -n for /var/lib/vernis\n")
    assert content(foreign) == before


def test_the_directory_of_a_program_that_ended_is_free(foreign: Path) -> None:
    """Its files are still there. As after `systemctl stop varnish`."""
    pid = (foreign / "_.pid").read_text()
    shutil.copytree(foreign, foreign.parent / "ended")
    process = subprocess.Popen([VERNISD, "-F", "-j", "none", "-T", "none", "-a", "127.0.0.1:0", "-n", foreign.parent / "ended", "-b", "none"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: process.poll() is not None or (foreign.parent / "ended" / "_.pid").read_text() != pid, "it starts")
        assert process.poll() is None
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.mark.skipif(not VARNISHD.exists(), reason="needs Debian's package varnish")
def test_vernisd_and_varnishd_refuse_each_others_directory(tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    args = ["-j", "none", "-f", str(tmp_path / "p.vcl")]
    for first, second in ((VARNISHD, VERNISD), (VERNISD, VARNISHD)):
        workdir = tmp_path / first.name
        process = subprocess.Popen([first, "-F", "-T", "none", "-a", "127.0.0.1:0", "-n", workdir, *args],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until((workdir / "_.vsm_child" / "_.index").exists, f"{first} serves")
            done = start(workdir, *args, program=second)
            assert f"Varnishd is already running (pid={process.pid}) (pidfile={workdir}/_.pid)" in done.stderr, done.stderr
            assert second is VARNISHD or f"in use by varnishd (pid {process.pid})" in done.stderr
            assert process.poll() is None and int((workdir / "_.pid").read_text()) == process.pid
        finally:
            process.terminate()
            process.wait(timeout=60)


def test_a_pid_file_that_another_program_wrote_stays(start_daemon: Start) -> None:
    d = start_daemon()
    (d.workdir / "_.pid").unlink()
    (d.workdir / "_.pid").write_text("1\n")
    d.process.terminate()
    d.process.wait(timeout=60)
    assert (d.workdir / "_.pid").read_text() == "1\n"


def test_a_folder_of_images_that_no_daemon_made_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "site" / "images").mkdir(parents=True)
    (tmp_path / "site" / "images" / "cat.png").write_text("cat")
    done = start(tmp_path / "site", "-j", "none", "-b", "none")
    assert done.returncode == 2
    assert done.stderr == (f"Error: Work directory {tmp_path}/site: the daemon would empty {tmp_path}/site/images, "
                           "which no vernisd has made: use another -n\n")
    assert [path.name for path in (tmp_path / "site").rglob("*")] == ["images", "cat.png"]


# ---- the default ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can replace /var/lib in a namespace of its own")
def test_without_an_option_daemon_and_tools_leave_the_directory_of_varnish_alone() -> None:
    """/var/lib of the namespace has the directory of a Varnish, and nothing else."""
    needs_mounts()
    script = """
        mount -t tmpfs none /var/lib && mkdir -p /var/lib/varnish/varnishd/_.vsm_mgt && echo 1 >/var/lib/varnish/varnishd/_.pid
        find /var/lib/varnish -printf '%p %i %T@\\n' >/var/lib/before
        "$1" status 2>&1
        "$0" -F -j none -a 127.0.0.1:0 -T none -b none 2>/dev/null & daemon=$!
        while kill -0 $daemon && ! "$1" admin ping 2>/dev/null; do sleep 0.05; done
        "$1" admin vcl.list | grep -c ^active
        stat -c "%n %a %U" /var/lib/vernis
        kill $daemon; wait $daemon
        find /var/lib/varnish -printf '%p %i %T@\\n' | cmp - /var/lib/before && echo untouched"""
    env = {name: value for name, value in os.environ.items() if name != "VERNIS_WORKDIR"}
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script, str(VERNISD), str(VERNIS)], env=env, cwd="/",
                          capture_output=True, text=True, timeout=120, check=False)
    lines = done.stdout.splitlines()
    assert lines[0] == ("vernis status: no daemon found in /var/lib/vernis: give its working directory with -n (or in VERNIS_WORKDIR), "
                        "such as -n /var/lib/varnish/varnishd")
    assert lines[1].startswith("PONG "), done.stdout + done.stderr
    assert lines[2:] == ["1", "/var/lib/vernis 755 root", "untouched"]
