"""The start of the daemon: long options, the folders that it makes, and errors that say what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, SYNTH, VERNISD, wait_until
from proxy.test_service import has_user
from support.namespaces import needs_mounts, system_gives

needs_root = pytest.mark.skipif(os.geteuid() != 0 or not has_user("vcache"), reason="only root can become another user")


def run(*args: str, program: Path = VERNISD) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *args], capture_output=True, text=True, timeout=60, check=False)


# ---- long options ------------------------------------------------------------------------------------------


def test_help_prints_all_options_and_succeeds() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("-?").stdout
    assert "  -a [name=]address" in done.stdout and "  -V, --version" in done.stdout and "  -?, --help" in done.stdout


def test_version_is_printed_to_standard_output() -> None:
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("-V").stderr


@pytest.mark.parametrize(("args", "says"), [
    (["--hepl"], "Unknown option --hepl. Options have one letter: see vernisd --help"),
    (["--version=3"], "Unknown option --version=3."),
    (["-F", "--version"], "--version takes no other arguments"),
    (["--help", "me"], "--help takes no other arguments"),
])
def test_a_wrong_long_option_is_refused(args: list[str], says: str) -> None:
    done = run(*args)
    assert done.returncode == 2 and done.stderr.startswith(f"Error: {says}")


# ---- work directory ----------------------------------------------------------------------------------------


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can replace /var/lib in a namespace of its own")
def test_the_default_work_directory_is_made() -> None:
    """With the folders above a relative name: the namespace has an empty /var/lib."""
    needs_mounts()
    script = ('mount -t tmpfs none /var/lib && echo pid | "$0" -d -j none -a 127.0.0.1:0 -T none'
              ' && ls /var/lib && echo pid | "$0" -d -j none -a 127.0.0.1:0 -T none -n site'
              ' && stat -c "%n %a %U" /var/lib/vernis /var/lib/varnish /var/lib/varnish/site')
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script, str(VERNISD)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\nvernis\n" in done.stdout
    assert done.stdout.endswith("/var/lib/vernis 755 root\n/var/lib/varnish 755 root\n/var/lib/varnish/site 755 root\n")


def test_a_work_directory_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("-F", "-n", f"{tmp_path}/file/w", "-a", "127.0.0.1:0", "-T", "none", "-f", "")
    assert done.returncode == 2
    assert done.stderr.startswith(f"Error: Cannot create work directory {tmp_path}/file/w: mkdir {tmp_path}/file/w: Not a directory: make it ")


# ---- the compiler's user -----------------------------------------------------------------------------------


@pytest.fixture
def closed_copy() -> Iterator[Path]:
    """A copy of the daemon, with a link to the command, in a folder that only its owner may enter."""
    with tempfile.TemporaryDirectory(prefix="vernisd-") as name:
        shutil.copy(VERNISD, name)
        launcher = Path(name) / "vernis"
        launcher.write_text(f'#!/bin/sh\nexec {ROOT}/build/bin/vernis "$@"\n')
        launcher.chmod(0o755)
        yield Path(name)


@needs_root
def test_a_program_that_the_compiler_cannot_reach_fails_the_start(closed_copy: Path, tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    args = ["-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "p.vcl"), "-j", "unix,user=vcache"]
    done = run(*args, program=closed_copy / "vernisd")
    assert done.returncode == 2
    assert (f"The compiler runs as user vcache, who may not enter {closed_copy} (mode 0700). "
            "Install or clone Vernis elsewhere, or start with -j none.\n") in done.stderr


needs_namespaces = pytest.mark.skipif(
    not any(map(has_user, ("varnish", "vcache"))) or not system_gives("-Ur"),
    reason="needs a user for the jail, and user namespaces")


@needs_namespaces
def test_root_of_a_namespace_without_other_users_runs_without_a_jail(tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    workdir = Path(tempfile.mkdtemp(prefix="vernisd-"))
    command = ["unshare", "-Ur", str(VERNISD), "-F", "-n", str(workdir), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "p.vcl")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: process.poll() is not None or (workdir / "_.vsm_child" / "_.index").exists(), "a worker runs")
    finally:
        process.terminate()
        told = process.communicate(timeout=20)[1]
        shutil.rmtree(workdir)
    assert process.returncode == 0, told
    assert "Warning: no jail: this process may not become user " in told


@needs_namespaces
def test_a_jail_that_root_of_a_namespace_asks_for_fails_the_start(tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    args = ["-C", "-j", "unix", "-f", str(tmp_path / "p.vcl")]
    done = subprocess.run(["unshare", "-Ur", str(VERNISD), *args], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Error: Unix jail: this process may not become user " in done.stderr
    assert "Without them start with -j none.\n" in done.stderr


@needs_root
def test_without_a_jail_the_closed_folder_does_no_harm(closed_copy: Path, tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    done = run("-C", "-j", "none", "-f", str(tmp_path / "p.vcl"), program=closed_copy / "vernisd")
    assert (done.returncode, done.stdout) == (0, "OK\n")
