"""The shipped unit file: systemd's exposure score is low, and the daemon works with only the rights that the
unit leaves."""

from __future__ import annotations

import grp
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import DENIED, ROOT, SYNTH, VERNISD, Cli, Daemon, wait_until
from proxy.test_service import has_user
from support.namespaces import needs_mounts

UNIT = ROOT / "examples" / "systemd" / "vernis.service"
EXPOSURE_MAX = 2.0

#: The user that packages create, else one of Debian's package varnish.
USER = "vernis" if has_user("vernis") else "vcache"
GROUP = grp.getgrgid(pwd.getpwnam(USER).pw_gid).gr_name if has_user(USER) else ""

LOG_UNIT = ROOT / "packaging" / "debian" / "vernislog.service"

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs Debian's package systemd")


def settings(unit: Path = UNIT) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for line in unit.read_text().replace("\\\n", " ").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            rows.setdefault(key, []).append(value)
    return rows


def analyze(*args: str) -> str:
    return subprocess.run(["systemd-analyze", *args], capture_output=True, text=True, check=False).stdout


@needs_systemd
def test_the_exposure_score_of_systemd_is_low() -> None:
    said = analyze("security", "--offline=yes", str(UNIT))
    level = re.search(r"Overall exposure level for vernis.service: ([0-9.]+)", said)
    if level is None:
        pytest.skip("this systemd-analyze has no --offline")
    assert float(level[1]) <= EXPOSURE_MAX, said


def calls_of(words: list[str]) -> set[str]:
    """Names of system calls. A word with @ is a group of systemd."""
    names: set[str] = set()
    for word in words:
        members = [line.strip() for line in analyze("syscall-filter", word).splitlines()[1:] if not line.strip().startswith("#")]
        names |= calls_of(members) if word.startswith("@") else {word}
    return names


def allowed_calls() -> set[str]:
    first, *denied = settings()["SystemCallFilter"]
    assert all(row.startswith("~") for row in denied)
    return calls_of(first.split()).union(calls_of(["@default"])) - calls_of([word for row in denied for word in row[1:].split()])


#: Restricts itself to these system calls and sockets, with EPERM for others as in the unit, and to modes
#: without set-user-ID and set-group-ID (RestrictSUIDSGID), then starts a program.
UNDER_FILTER = """import ctypes, os, socket, sys
library = ctypes.CDLL("libseccomp.so.2")
library.seccomp_init.restype = ctypes.c_void_p
filter = ctypes.c_void_p(library.seccomp_init(0x00050001))
class Compare(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]
def allow(name, *compares):
    call = library.seccomp_syscall_resolve_name(name.encode())
    assert call < 0 or library.seccomp_rule_add_array(filter, 0x7fff0000, call, len(compares), (Compare * 1)(*compares)) == 0
modes = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "mkdir": 1, "mkdirat": 2, "mknod": 1, "mknodat": 2}
for name in sys.argv[1].split(","):
    if name != "socket":
        allow(name, *([Compare(modes[name], 7, 0o6000, 0)] if name in modes else []))
for family in sys.argv[2].split(","):
    allow("socket", Compare(0, 4, int(getattr(socket, family)), 0))
assert library.seccomp_load(filter) == 0
os.execv(sys.argv[3], sys.argv[3:])
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a state directory of the service's user. Other users cannot enter pytest's folders."""
    with tempfile.TemporaryDirectory(prefix="vernisd-") as name:
        path = Path(name)
        path.chmod(0o755)
        (path / "state").mkdir()
        shutil.chown(path / "state", USER, GROUP)
        yield path


@needs_systemd
@pytest.mark.usefixtures("checkout_of_everybody")
@pytest.mark.skipif(os.geteuid() != 0 or not has_user(USER), reason="only root can give up rights as systemd does")
def test_the_daemon_works_with_the_rights_of_the_unit(folder: Path) -> None:
    """As systemd starts it: another user, no capability, a read-only system, allowed_calls system calls and
    sockets."""
    needs_mounts()
    (folder / "site.vcl").write_text(SYNTH.format(word="one"))
    workdir = folder / "state" / "w"
    [jail] = re.findall(r"-j (\S+)", settings()["ExecStart"][0])
    command = [str(VERNISD), "-F", "-j", f"{jail}:{folder}:{ROOT}", "-n", str(workdir), "-a", "127.0.0.1:0", "-T", "none", "-f", str(folder / "site.vcl")]
    filters = [sys.executable, "-c", UNDER_FILTER, ",".join(sorted(allowed_calls())), ",".join(settings()["RestrictAddressFamilies"][0].split())]
    rights = ["setpriv", f"--reuid={USER}", f"--regid={GROUP}", "--init-groups", "--bounding-set=-all", "--inh-caps=-all",
              "--no-new-privs", "--"]
    files = f'mount --bind "{folder}/state" "{folder}/state" && mount -o remount,bind,ro / && exec "$@"'
    process = subprocess.Popen(["unshare", "--mount", "sh", "-c", files, "sh", *rights, *filters, *command], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, umask=0o027)
    try:
        wait_until(lambda: process.poll() is not None or Cli.answers(workdir / "cli.sock"), "the command line answers")
        assert process.poll() is None, process.communicate()[0]
        with Cli.unix(workdir / "cli.sock") as cli:
            assert cli.read()[0] == 200
            status, text = cli.ask(r'vcl.inline two "vcl 4.1; import std; backend a none; sub vcl_recv { std.log(std.fileread(\"/etc/hostname\")); }"')
            assert status == 200, text
            assert cli.ask("vcl.use two")[0] == 200
            assert "confined   seccomp" in cli.ask("vernis.status")[1]
    finally:
        process.terminate()
        said = process.communicate(timeout=20)[0]
    assert process.returncode == 0 and DENIED not in said and "Error" not in said, said


def test_the_log_unit_writes_requests_and_reopens_its_file(tmp_path: Path) -> None:
    """The command line as it is, but for the places of the program and of the file. A reload of logrotate is a
    SIGHUP; the end is systemd's SIGTERM."""
    [command] = settings(LOG_UNIT)["ExecStart"]
    program, *args = command.split()
    assert program == "/usr/bin/vernis" and args[-1] == "/var/log/vernis/access.log"
    assert settings(LOG_UNIT)["LogsDirectory"] == ["vernis"]
    file = tmp_path / "access.log"

    with Daemon(tmp_path, SYNTH.format(word="one")) as d:

        def written(url: str) -> bool:
            d.get(url)
            return file.exists() and url in file.read_text()

        process = subprocess.Popen([str(ROOT / "build/bin/vernis"), *args[:-1], str(file)], env={**os.environ, "VERNIS_WORKDIR": str(d.workdir)})
        try:
            wait_until(lambda: written("/first"), "the request is in the file")
            file.rename(tmp_path / "access.log.1")
            process.send_signal(signal.SIGHUP)
            wait_until(lambda: written("/second"), "a later request is in a new file")
        finally:
            process.terminate()
            process.wait(20)
