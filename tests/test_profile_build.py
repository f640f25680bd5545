"""Variables of make: PROFILE=1 compiles the release with the profile of a training load, LTO=1 alone without; a target
that asks for a variable sees only what the caller gave."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TRAINING = ROOT / "benchmarks/training.py"


def make(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", "SKIP_PACKAGES=1", *map(str, words)]
    clean = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environment}
    return subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(("words", "lto", "profile"), [
    ((), False, False),
    (("LTO=1",), True, False),
    (("PROFILE=1",), True, True),
    (("PROFILE=1", "LTO=0"), False, True),
    (("MAKECMDGOALS=deb",), True, True),
    (("MAKECMDGOALS=deb", "PROFILE=0"), True, False),
])
def test_flags_of_the_release(words: tuple[str, ...], lto: bool, profile: bool) -> None:
    done = make("-s", "--eval", "show: ; @echo $(CFLAGS_release)", "show", *words)
    assert ("-flto=auto" in done.stdout, "-fprofile-partial-training" in done.stdout) == (lto, profile), done.stderr
    assert "-fprofile-generate" not in done.stdout


def test_objects_of_the_release_wait_for_the_training_of_the_same_sources(tmp_path: Path) -> None:
    lines = make("-n", "PROFILE=1", f"B={tmp_path}", tmp_path / "bin/vernisd").stdout.splitlines()
    counting = [n for n, line in enumerate(lines) if "-fprofile-generate" in line and " -c runtime/" in line]
    training = [n for n, line in enumerate(lines) if str(TRAINING.relative_to(ROOT)) in line]
    release = [n for n, line in enumerate(lines) if f"-o {tmp_path}/release/" in line and " -c runtime/" in line]
    assert len(counting) == len(release) > 200
    assert len(training) == 1
    assert max(counting) < training[0] < min(release)


def test_an_object_takes_its_own_profile_if_the_training_wrote_one(tmp_path: Path) -> None:
    target = tmp_path / "release/http/message.o"
    lines = make("-n", "PROFILE=1", f"B={tmp_path}", "-o", tmp_path / "profile/.trained", target).stdout.splitlines()
    (command,) = [line for line in lines if f"-o {target}" in line]
    (flags,) = re.findall(r"\$\(test .*?\)", command)
    (tmp_path / "profile/http").mkdir(parents=True)
    (tmp_path / "profile/http/other.gcda").touch()
    assert subprocess.getoutput(f"echo {flags}") == ""
    (tmp_path / "profile/http/message.gcda").touch()
    assert subprocess.getoutput(f"echo {flags}") == \
        f"-fprofile-use -dumpdir {tmp_path}/profile/http/ -dumpbase message.c -dumpbase-ext .c"


def test_the_build_goes_on_without_a_profile_where_the_training_fails(tmp_path: Path) -> None:
    counting, trained = tmp_path / "profile/bin/vernisd", tmp_path / "profile/.trained"
    counting.parent.mkdir(parents=True)
    counting.touch()
    old = tmp_path / "profile/old.gcda"
    old.touch()
    kept = [word for name in (counting, "venv", "parser-extension", tmp_path / "bin/vernis") for word in ("-o", name)]
    done = make("PROFILE=1", f"B={tmp_path}", "VENV_PYTHON=false", *kept, trained)
    assert (done.returncode, trained.exists(), old.exists()) == (0, True, False), done.stderr
    assert "PROFILE=1: the training load failed" in done.stderr


def test_the_training_fails_if_the_daemon_does_not_serve() -> None:
    done = subprocess.run([sys.executable, TRAINING, "/bin/false"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "ended with 1" in done.stderr


def test_what_a_target_asks_for_has_no_default_of_another_target() -> None:
    makefiles = "".join(path.read_text() for path in [ROOT / "Makefile", *ROOT.glob("mk/*.mk")])
    asked = {name for pair in re.findall(r"""\$\(if \$\((\w+)\)|test -n ["']\$\((\w+)\)""", makefiles) for name in pair if name}
    defaults = set(re.findall(r"^(\w+)\s*\?=[ \t]*\S", makefiles, re.MULTILINE))
    assert {"SEED", "SUITE"} <= asked and "PAIRS" in defaults
    assert asked & defaults == set()


def test_no_target_needs_a_file_whose_folder_was_not_yet_named() -> None:
    """make expands a prerequisite when it reads it: a variable that a later file sets is empty there."""
    rules = make("-pn", "help").stdout
    assert "bench-tls: bench-packages build/venv/.requirements-test" in rules
    assert re.findall(r"^[\w-]+:[^=\n]* /\S*", rules, re.MULTILINE) == []
