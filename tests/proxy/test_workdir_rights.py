"""Other users read nothing of the work directory, and a daemon accepts no directory of another user."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import socket
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proxy.daemon import SYNTH, VERNISD, Cli, Daemon, wait_until

NOBODY = pwd.getpwnam("nobody")

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs other users")


# ---- copies ------------------------------------------------------------------------------------------------

TABLES = '''vcl 5.0; backend default none;
table t : STRING by exact from "tokens.csv";
sub vcl_recv { if (req.http.x-key == "key-in-the-policy") { return (pass); } if (let v = t[req.url]) { return (synth(200, v)); } return (synth(404)); }'''


def readable_by_nobody(folder: Path) -> str:
    """All bytes below the folder that another user can read."""
    command = f"find {folder} -type f -exec cat {{}} + 2>/dev/null | strings; find {folder}"
    run = subprocess.run(["setpriv", "--reuid", str(NOBODY.pw_uid), "--regid", str(NOBODY.pw_gid), "--clear-groups", "sh", "-c", command],
                         capture_output=True, timeout=60)
    return run.stdout.decode("latin-1")


@pytest.mark.parametrize("jail", ["none", "unix"])
def test_other_users_read_neither_policies_nor_tables(tmp_path: Path, jail: str) -> None:
    users = {"none": [], "unix": ["-j", "unix,user=varnish,workuser=vcache"]}[jail]
    if jail == "unix" and not {"varnish", "vcache"} <= {user.pw_name for user in pwd.getpwall()}:
        pytest.skip("needs the users of Debian's package varnish")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "tokens.csv").write_text("/a,token-of-a-customer\n")
        with Daemon(folder, TABLES, [*users, "-p", f"vcl_path={folder}"]) as d:
            d.load("second", SYNTH.format(word="key-in-the-policy"))
            d.ok(f"table.replace t {folder}/tokens.csv")
            assert d.get("/a")[1] == "token-of-a-customer"
            images = d.workdir / "images"
            assert len(list(images.glob("*.so"))) == 2 and len(list(images.glob("*.csv"))) >= 1
            files = [path for path in images.rglob("*") if path.is_file()]
            assert [path.name for path in [images, *files] if path.lstat().st_mode & stat.S_IRWXO and path.parent.name != "store"] == []
            shown = readable_by_nobody(d.workdir)
            assert "images" in shown and "key-in-the-policy" not in shown and "token-of-a-customer" not in shown
            assert "boot." not in shown


def test_the_umask_decides_who_reads_a_built_image(tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    for mask, mode in ((0o022, 0o644), (0o027, 0o640), (0o077, 0o600)):
        subprocess.run(["build/bin/vernis", "build", str(tmp_path / "p.vcl"), "-o", str(tmp_path / "p.so")], umask=mask, check=True, timeout=60,
                       cwd=VERNISD.parents[2])
        assert stat.S_IMODE((tmp_path / "p.so").stat().st_mode) == mode


# ---- the directory -----------------------------------------------------------------------------------------


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="vw-") as name:
        os.chmod(name, 0o755)
        yield Path(name)


def start(workdir: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """A daemon that is expected not to start."""
    return subprocess.run([VERNISD, "-F", "-j", "none", "-T", "none", "-n", workdir, "-a", "127.0.0.1:0", "-b", "none", *args],
                          capture_output=True, text=True, timeout=60)


def of_nobody(path: Path) -> None:
    path.mkdir()
    os.chown(path, NOBODY.pw_uid, NOBODY.pw_gid)


def below_nobody(path: Path) -> None:
    of_nobody(path.parent / "home")
    (path.parent / "home" / "w").mkdir()


def link_of_nobody(path: Path) -> None:
    (path.parent / "target").mkdir()
    path.symlink_to(path.parent / "target")
    os.lchown(path, NOBODY.pw_uid, NOBODY.pw_gid)


def link_to_nobody(path: Path) -> None:
    of_nobody(path.parent / "target")
    path.symlink_to(path.parent / "target")


def link_below_nobody(path: Path) -> None:
    below_nobody(path)
    path.symlink_to(path.parent / "home" / "w")


def writable(path: Path) -> None:
    path.mkdir()
    path.chmod(0o777)


@pytest.mark.parametrize("make, where, why", [
    (of_nobody, "w", "belongs to user"), (below_nobody, "home/w", "belongs to user"), (link_of_nobody, "w", "belongs to user"),
    (link_to_nobody, "w", "belongs to user"), (link_below_nobody, "w", "belongs to user"), (writable, "w", "writable by all users (mode 0777)")])
def test_a_directory_of_others_is_refused(folder: Path, make: Callable[[Path], None], where: str, why: str) -> None:
    make(folder / "w")
    run = start(folder / where)
    assert run.returncode == 2 and why in run.stderr and f"{folder}" in run.stderr, run.stderr
    assert [path.name for path in folder.rglob("*") if path.name.startswith("_") or path.name == "images"] == []


@pytest.mark.parametrize("mode, warns", [(0o1777, False), (0o777, True)])
def test_a_folder_below_a_volume_of_all_users_is_accepted(folder: Path, mode: int, warns: bool) -> None:
    """As /tmp, and as an emptyDir of Kubernetes."""
    folder.chmod(mode)
    with subprocess.Popen([VERNISD, "-F", "-j", "none", "-T", "none", "-n", folder / "w", "-a", "127.0.0.1:0", "-b", "none"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: process.poll() is not None or (folder / "w" / "cli.sock").exists(), "it starts")
        process.terminate()
        said = process.communicate(timeout=60)[1]
    assert ("all users may replace files" in said) == warns and "Work directory" not in said, said


def test_planted_links_are_replaced_and_not_followed(folder: Path) -> None:
    """An administrator has taken the directory over from another user, with what is in it."""
    victim = folder / "victim"
    victim.write_text("important\n")
    with tempfile.TemporaryDirectory(prefix="vw-") as name:
        workdir = Path(name)
        workdir.chmod(0o755)
        for link in ("_.pid", "_.pid.new", "_.secret", "_.secret.new", "purges.sock"):
            (workdir / link).symlink_to(victim)
        args = ["-F", "-j", "none", "-T", "127.0.0.1:0", "-n", str(workdir), "-a", "127.0.0.1:0", "-b", "none"]
        with subprocess.Popen([VERNISD, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                wait_until(lambda: (workdir / "cli.sock").exists() and (workdir / "_.pid").is_file(), "it starts")
                wait_until(lambda: (workdir / "_.secret").is_file() and not (workdir / "_.secret").is_symlink(), "its secret is there")
                assert victim.read_text() == "important\n" and (workdir / "_.pid").read_text() == f"{process.pid}\n"
            finally:
                process.terminate()
        assert victim.read_text() == "important\n"


@pytest.mark.parametrize("name, why", [("_.lock", "Too many levels of symbolic links"), ("images", "is not a directory: remove it"),
                                       ("cli.sock", "Address already in use")])
def test_a_planted_link_that_cannot_be_replaced_is_an_error(folder: Path, name: str, why: str) -> None:
    victim, workdir = folder / "victim", folder / "w"
    workdir.mkdir()
    if name == "images":
        victim.mkdir()
        (victim / "file").write_text("important\n")
    else:
        victim.write_text("important\n")
    (workdir / name).symlink_to(victim)
    run = start(workdir)
    assert run.returncode == 2 and why in run.stderr, run.stderr
    assert (victim / "file" if victim.is_dir() else victim).read_text() == "important\n"


def test_a_pid_file_that_is_a_link_or_of_another_user_is_refused(folder: Path) -> None:
    victim = folder / "victim"
    victim.write_text("important\n")
    (folder / "pid").symlink_to(victim)
    run = start(folder / "w", "-P", str(folder / "pid"))
    assert run.returncode == 2 and "it is a symbolic link" in run.stderr and victim.read_text() == "important\n"
    os.chown(victim, NOBODY.pw_uid, NOBODY.pw_gid)
    run = start(folder / "w", "-P", str(victim))
    assert run.returncode == 2 and "Could not open pid-file" in run.stderr and victim.read_text() == "important\n"


def test_files_of_another_user_are_named(folder: Path) -> None:
    """The daemon of one user was killed, then another user's daemon gets the directory, as by the unit of a
    package that names another user."""
    workdir = folder / "w"
    command = [str(VERNISD), "-F", "-j", "none", "-T", "none", "-n", str(workdir), "-a", "127.0.0.1:0", "-b", "none"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
        wait_until(lambda: (workdir / "_.vsm_child" / "_.index").exists(), "a worker runs")
        first.kill()
    os.chown(workdir, NOBODY.pw_uid, NOBODY.pw_gid)
    as_nobody = ["setpriv", "--reuid", str(NOBODY.pw_uid), "--regid", str(NOBODY.pw_gid), "--clear-groups", *command]

    def refused(path: Path) -> None:
        done = subprocess.run(as_nobody, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (2, (
            f"Error: Work directory {workdir}: {path} belongs to user root, and this daemon runs as user nobody, who cannot replace it. "
            f"A daemon of the other user left it there: as root run chown -R nobody {workdir}, or use another -n\n"))

    refused(workdir / "_.lock")
    subprocess.run(["chown", "-R", "nobody", str(workdir)], check=True)
    os.chown(workdir / "images" / "store", 0, 0)
    refused(workdir / "images" / "store")
    subprocess.run(["chown", "-R", "nobody", str(workdir)], check=True)
    with subprocess.Popen(as_nobody, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as second:
        wait_until(lambda: second.poll() is not None or Cli.answers(workdir / "cli.sock"), "it starts")
        second.terminate()
        assert "belongs to" not in second.communicate(timeout=60)[1]
    assert second.returncode == 0


# ---- modes -------------------------------------------------------------------------------------------------


@contextmanager
def serving(workdir: Path, *, uid: int = 0, gid: int = 0, umask: int = 0o022) -> Iterator[None]:
    """A daemon as a unit starts it, with a policy and one request in its log."""
    user = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups"] if uid else []
    args = ["-F", "-j", "none", "-T", "127.0.0.1:0", "-n", workdir, "-a", f"{workdir.parent}/client.sock", "-b", "none"]
    with subprocess.Popen([*user, VERNISD, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, umask=umask) as process:
        try:
            wait_until(lambda: process.poll() is not None or (workdir / "_.vsm_child" / "_.index").exists(), "it serves")
            with socket.socket(socket.AF_UNIX) as client:
                wait_until(lambda: client.connect_ex(f"{workdir.parent}/client.sock") == 0, "it listens")
                client.sendall(b"GET /asked HTTP/1.0\r\n\r\n")
                assert client.recv(100).startswith(b"HTTP/1.")
            yield
        finally:
            process.terminate()


def modes(workdir: Path) -> dict[str, str]:
    names = (".", "_.secret", "cli.sock", "images", "_.vsm_mgt", "_.vsm_mgt/_.index", "_.vsm_child", "_.vsm_child/_.index")
    return {name: f"{stat.S_IMODE((workdir / name).stat().st_mode) & 0o777:04o}" for name in names}


@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077])
def test_the_group_reads_log_and_counters_and_nothing_else(folder: Path, umask: int) -> None:
    """Whatever the umask is: the unit has 0027."""
    with serving(folder / "w", umask=umask):
        assert modes(folder / "w") == {
            ".": "0755", "_.secret": "0600", "cli.sock": "0600", "images": "0700", "_.vsm_mgt": "0755", "_.vsm_mgt/_.index": "0640",
            "_.vsm_child": "0755", "_.vsm_child/_.index": "0640"}


@pytest.mark.usefixtures("checkout_of_everybody")
def test_units_of_debian_read_the_log_with_our_group(folder: Path) -> None:
    """As docs/access.md says: another user with another group, and SupplementaryGroups= of the daemon's group."""
    owner, reader = pwd.getpwnam("daemon"), pwd.getpwnam("varnishlog" if "varnishlog" in {user.pw_name for user in pwd.getpwall()} else "nobody")
    workdir = folder / "state" / "w"
    workdir.parent.mkdir()
    os.chown(workdir.parent, owner.pw_uid, owner.pw_gid)
    tools = [["build/bin/vernis", "log", "-d", "-t0"], ["build/bin/vernis", "stat", "-1", "-t0"]]
    tools += [[name, *options] for name, *options in (["varnishncsa", "-d"], ["varnishstat", "-1"]) if shutil.which(name)]
    said = {"log": "/asked", "varnishncsa": "/asked", "stat": "MAIN.client_req", "varnishstat": "MAIN.client_req"}
    with serving(workdir, uid=owner.pw_uid, gid=owner.pw_gid, umask=0o027):
        for program, *options in tools:
            command = [program, *options, "-n", str(workdir)]
            name = options[0] if program.endswith("vernis") else program
            wait_until(lambda: said[name] in read_as(reader, [owner.pw_gid], command).stdout, f"{name} shows it")  # noqa: B023
            refused = read_as(reader, [], command)
            assert refused.returncode != 0 and said[name] not in refused.stdout, refused
        assert f"group {grp.getgrgid(owner.pw_gid).gr_name} (mode 0640)" in read_as(reader, [], [*tools[0], "-n", str(workdir)]).stderr


def read_as(user: pwd.struct_passwd, groups: list[int], command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, user=user.pw_uid, group=user.pw_gid, extra_groups=groups, capture_output=True, text=True, timeout=60,
                          cwd=VERNISD.parents[2])
