"""mk/install-packages.sh asks dpkg and apt, here made-up ones, and installs what is missing and known."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "mk/install-packages.sh"
#: Programs of made-up systems: `id -u` answers 0, and apt-get writes its last words to the file `asked`.
APT = 'case " $* " in *" update "*) ;; *) shift $(($# - $(echo "$*" | sed "s/.*recommends//" | wc -w))); echo "$*" > "$HERE/asked";; esac'


def system(folder: Path, installed: str, known: str, user: int = 0) -> None:
    programs = {"dpkg-query": f'for name; do :; done; case " {installed} " in *" $name "*) echo installed;; esac',
                "apt-cache": f'case " {known} " in *" $2 "*) ;; *) exit 100;; esac', "apt-get": APT, "id": f"echo {user}"}
    for name, text in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    for name in ("sh", "env", "cat", "mktemp", "rm", "sed", "tee", "chmod", "wc"):
        (folder / name).symlink_to(f"/usr/bin/{name}")


def install(folder: Path, *packages: str) -> tuple[int, list[str], str]:
    """Exit code, output, and the packages that apt-get was told to install. The script's file in /usr/sbin is made in the folder instead."""
    script = folder / "script"
    script.write_text(SCRIPT.read_text().replace("/usr/sbin/policy-rc.d", str(folder / "policy")))
    done = subprocess.run(["/bin/sh", str(script), "-f", "make test", *packages], env={"PATH": str(folder), "HERE": str(folder)},
                          capture_output=True, text=True, check=False)
    asked = folder / "asked"
    return done.returncode, (done.stdout + done.stderr).splitlines(), asked.read_text().strip() if asked.exists() else ""


@pytest.mark.parametrize(("installed", "known", "says", "asked"), [
    ("curl nginx chromium", "", [], ""),
    ("curl chromium", "nginx", ["make test: installing Debian packages with apt-get, which may take minutes: nginx"], "nginx"),
    ("curl nginx", "chromium", ["make test: installing Debian packages with apt-get, which may take minutes: chromium"], "chromium"),        # Debian
    ("curl nginx", "", ["make test: no package chromium here; going on without it"], ""),                            # Ubuntu
    ("curl", "nginx", ["make test: installing Debian packages with apt-get, which may take minutes: nginx", "make test: no package chromium here; going on without it"],
     "nginx"),
])
def test_the_missing_and_known_ones_are_installed(tmp_path: Path, installed: str, known: str, says: list[str], asked: str) -> None:
    system(tmp_path, installed, known)
    assert install(tmp_path, "curl", "nginx", "chromium?") == (0, says, asked)


def test_a_user_without_sudo_goes_on_without_optional_packages(tmp_path: Path) -> None:
    system(tmp_path, "curl nginx", "chromium", user=1000)
    assert install(tmp_path, "curl", "nginx", "chromium?") == (0, ["make test: going on without these packages: chromium"], "")


def test_a_user_without_sudo_is_told_what_to_install(tmp_path: Path) -> None:
    system(tmp_path, "curl", "nginx chromium", user=1000)
    code, says, asked = install(tmp_path, "curl", "nginx", "chromium?")
    assert (code, says[-1], asked) == (1, "This user is not root, and sudo is missing. As root: apt-get install nginx", "")


STATUS = ('case " $* " in *" update "*) ;; *" -o APT::Status-Fd=1 "*) echo "dlstatus:1:20.5:nginx"; echo "Unpacking nginx"; '
          'echo "pmstatus:nginx:70.25:Unpacking nginx"; exit "$STATUS";; esac')


def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    system(tmp_path, "", "nginx")
    (tmp_path / "apt-get").write_text(f"#!/bin/sh\n{STATUS.replace('$STATUS', '0')}\n")
    install(tmp_path, "nginx")        # writes the script
    master, slave = pty.openpty()
    try:
        done = subprocess.run(["/bin/sh", str(tmp_path / "script"), "-f", "make run", "nginx"], env={"PATH": str(tmp_path)},
                              stdout=slave, stderr=slave, check=False)
        shown = os.read(master, 4096).decode()
    finally:
        os.close(master)
        os.close(slave)
    assert done.returncode == 0
    assert "make run: downloading, 20 %" in shown and "make run: installing, 70 %" in shown and "Unpacking" not in shown
    assert shown.endswith("\r\x1b[K")        # leaves an empty line


def test_a_failure_shows_the_output_without_status_lines(tmp_path: Path) -> None:
    system(tmp_path, "", "nginx")
    (tmp_path / "apt-get").write_text(f"#!/bin/sh\n{STATUS.replace('$STATUS', '100')}\n")
    code, says, _ = install(tmp_path, "nginx")
    assert (code, says[1:]) == (1, ["Unpacking nginx", "make test: apt-get failed; its output is above"])


def test_the_packages_of_the_build_are_all_needed() -> None:
    lists = dict(re.findall(r"^(PACKAGES_\w+)\s*:= ((?:.*\\\n)*.*)$", (ROOT / "mk/python.mk").read_text(), re.M))
    assert "?" not in lists["PACKAGES_BUILD"] and set(re.findall(r"'([\w-]+)\?'", lists["PACKAGES_TEST"])) == {"chromium", "chromium-driver", "pebble"}
