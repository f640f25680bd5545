"""The start of the daemon: long options, the folders that it makes, and errors that say what to do."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
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


# ---- starts that fail --------------------------------------------------------------------------------------


@pytest.fixture
def busy() -> Iterator[int]:
    """A port on which this process listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


#: BUSY: a port in use; DIR: the folder of the test, which has a file and an empty file; NAME, PID: this process.
TAKEN = "Could not get socket 127.0.0.1:BUSY: Address already in use by NAME (pid PID): end it, or use another port for "


@pytest.mark.parametrize(("args", "says"), [
    (["-a", "127.0.0.1:BUSY"], TAKEN + "-a"),
    (["-T", "127.0.0.1:BUSY"], TAKEN + "-T"),
    (["-p", "metrics_listen=127.0.0.1:BUSY"], TAKEN + "metrics_listen"),
    (["-p", "dashboard_listen=127.0.0.1:BUSY"], TAKEN + "dashboard_listen"),
    (["-a", "127.0.0.1:65536"], "Invalid listen address '127.0.0.1:65536': the highest port is 65535"),
    (["-a", "203.0.113.5:0"], "Could not get socket 203.0.113.5:0: Cannot assign requested address: "
     "no interface of this machine has this address: use another one for -a"),
    (["-a", "DIR/file"], "Could not get socket DIR/file: Address already in use: the file there is no socket: remove it, or use another -a"),
    (["-a", "DIR/none/sock"], "Could not get socket DIR/none/sock: No such file or directory: use another address for -a"),
    (["-n", "DIR/file"], "Work directory DIR/file is not a directory"),
    (["-f", "DIR/missing.vcl"], "Cannot read -f file 'DIR/missing.vcl' (No such file or directory)"),
    (["-f", "DIR"], "Cannot read -f file 'DIR' (Is a directory)"),
    (["-f", "DIR/empty"], "Message from Vernis compiler:"),
    (["-I", "DIR/missing"], "Can't open DIR/missing: No such file or directory"),
    (["-S", "DIR/missing"], "Cannot open -S file (DIR/missing): No such file or directory: name a file that this user may read, or leave out -S"),
    (["-P", "DIR/none/pid"], "Could not open pid-file (DIR/none/pid): No such file or directory: name a file in a directory that exists with -P"),
])
def test_a_failed_start_ends_with_one_error(args: list[str], says: str, busy: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    (tmp_path / "empty").write_text("")
    words = {"BUSY": str(busy), "DIR": str(tmp_path), "NAME": Path("/proc/self/comm").read_text().strip(), "PID": str(os.getpid())}

    def filled(text: str) -> str:
        for word, value in words.items():
            text = text.replace(word, value)
        return text

    given = [*args, *(word for letter, *value in (("-n", f"{tmp_path}/w"), ("-a", "127.0.0.1:0")) if letter not in args for word in (letter, *value)),
             *([] if "-T" in args else ["-T", "none"]), *([] if "-f" in args else ["-b", "none"])]
    done = run("-F", "-j", "none", *map(filled, given))
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert (done.returncode, errors) == (2, ["Error: " + filled(says)]), done.stderr


def start_behind(folder: Path, *args: str) -> tuple[int, str]:
    """A start in the background, whose output does not keep this process waiting for the daemon."""
    with (folder / "said").open("w") as said:
        code = subprocess.run([str(VERNISD), "-j", "none", "-n", str(folder / "w"), "-T", "none", *args], stdout=said, stderr=said,
                              timeout=60, check=False).returncode
    return code, (folder / "said").read_text()


def test_a_failed_start_in_the_background_leaves_no_process(tmp_path: Path, busy: int) -> None:
    """When the command returns, the next start finds ports and directory free."""
    (tmp_path / "bad.vcl").write_text("vcl 4.1; nonsense")
    listen = ["-a", "127.0.0.1:0"]
    for args, says in ((["-f", f"{tmp_path}/missing.vcl", *listen], "Cannot read -f file"), (["-f", f"{tmp_path}/bad.vcl", *listen], "V208"),
                       (["-b", "none", "-a", f"127.0.0.1:{busy}"], "Address already in use")):
        code, said = start_behind(tmp_path, *args)
        assert code == 2 and says in said
        with (tmp_path / "w" / "_.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)        # fails if a daemon has it


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
@pytest.mark.parametrize(("options", "says"), [
    ("size=64k", "cannot make shared memory for the log in FOLDER/w/_.vsm_child: No space left on device"),
    ("size=4k", "(No space left on device): make room there, or use another -n"),
    ("ro", "Cannot create work directory FOLDER/w: mkdir FOLDER/w: Read-only file system"),
])
def test_a_full_or_read_only_disk_fails_the_start(options: str, says: str, tmp_path: Path) -> None:
    needs_mounts()
    script = f'mount -t tmpfs -o mode=755,{options} none "$0" && exec "$@"'
    command = [str(VERNISD), "-F", "-j", "none", "-n", f"{tmp_path}/w", "-a", "127.0.0.1:0", "-T", "none", "-b", "none"]
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script, str(tmp_path), *command], capture_output=True, text=True, timeout=60, check=False)
    error = done.stderr.rpartition("Error: ")[2]
    assert done.returncode == 2 and says.replace("FOLDER", str(tmp_path)) in error, done.stderr


VERNIS = ROOT / "build" / "bin" / "vernis"


def test_a_second_run_in_the_same_directory_names_the_first(tmp_path: Path) -> None:
    def second(*args: str) -> subprocess.CompletedProcess[str]:
        return run("run", *args, program=VERNIS)

    first = subprocess.Popen([str(VERNIS), "run", "-n", f"{tmp_path}/w", "-a", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None
        serves = next(line for line in first.stdout if "Vernis serves" in line).split()[2]
        pid, policy = int((tmp_path / "w" / "_.pid").read_text()), (tmp_path / "w" / "policy.vcl").read_text()
        done = second("-n", f"{tmp_path}/w", "-a", "127.0.0.1:0")
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr == (f"vernis run: a daemon (pid {pid}) runs already with the working directory {tmp_path}/w and serves {serves}: "
                               "end it, or give this one a directory and a port: make run RUN_ARGS='-n DIR -a 127.0.0.1:8081'\n")
        assert (tmp_path / "w" / "policy.vcl").read_text() == policy        # with the port of the first origin
        done = second("-n", f"{tmp_path}/other", "-a", serves.removeprefix("http://").rstrip("/"))
        assert done.returncode == 2 and done.stdout == ""
        assert f"Address already in use by vernisd (pid {pid})" in done.stderr and "make run RUN_ARGS='-a 127.0.0.1:8081'" in done.stderr
    finally:
        first.terminate()
        first.wait(60)


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
