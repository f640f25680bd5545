"""`pip install .` where no compiler is installed: commands that only read policies work, the others say what they miss. The ranges of
versions in pyproject.toml hold the versions of requirements.txt."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from vernis.cli import OPTIONAL

ROOT = Path(__file__).resolve().parents[2]
QUICKSTART = ROOT / "examples" / "quickstart"
POLICY = QUICKSTART / "quickstart.vcl"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
#: Programs that pip, setuptools and the tests start; no compiler and no make.
PROGRAMS = ("sh", "uname")


def installed_files(*names: str) -> list[Path]:
    [packages] = (Path(sys.prefix) / "lib").glob("python*/site-packages")
    return [path for name in names for path in packages.glob(name)]


@pytest.fixture(scope="module")
def vernis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command in a new environment with the packages that are always needed, borrowed from the build's own environment."""
    room = tmp_path_factory.mktemp("package")
    venv.create(room / "venv", with_pip=True, symlinks=True)
    [packages] = (room / "venv" / "lib").glob("python*/site-packages")
    # Of setuptools also the folder that names its commands: a new environment has its own only up to Python 3.11.
    builder = ("setuptools", "setuptools-*.dist-info", "_distutils_hack", "pkg_resources")
    for path in [path for name in builder for path in packages.glob(name)]:
        shutil.rmtree(path)
    for path in installed_files("llvmlite", "antlr4", *builder, "wheel", "packaging"):
        (packages / path.name).symlink_to(path)
    (room / "bin").mkdir()
    for program in PROGRAMS:
        (room / "bin" / program).symlink_to(str(shutil.which(program)))
    copy = room / "source"      # because setuptools keeps what earlier builds left in build/
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, listed):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    done = run(room / "venv/bin/python", "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", copy)
    assert done.returncode == 0, done.stderr
    return room / "venv/bin/vernis"


def run(program: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Without the variables of this process, and with the programs of the fixture only."""
    room = program.parents[2]
    return subprocess.run([str(word) for word in (program, *words)], cwd=room, capture_output=True, text=True, timeout=300,
                          env={"PATH": str(room / "bin"), "HOME": os.environ.get("HOME", "/")}, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("words", [("check", POLICY), ("lint", POLICY), ("fmt", "--check", POLICY), ("explain", "V201"), ("ir", POLICY)],
                         ids=lambda words: words[0])
def test_commands_that_read_policies_need_no_runtime(vernis: Path, words: tuple[str | Path, ...]) -> None:
    done = run(vernis, *words)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("build", POLICY, "-o", "policy.so"), ("test", QUICKSTART)], ids=lambda words: words[0])
def test_commands_that_run_policies_say_what_they_miss(vernis: Path, words: tuple[str | Path, ...]) -> None:
    done = run(vernis, *words)
    assert done.returncode == 2 and "`pip install -v` names the missing ones" in done.stderr


@pytest.mark.slow
def test_live_tools_name_their_package(vernis: Path) -> None:
    done = run(vernis, "log", "--format", "screen", "-r", os.devnull)
    python = vernis.parent / "python"
    assert done.returncode == 2
    assert done.stderr in [f"vernis log: this needs the Python package rich: {path} -m pip install rich\n" for path in (python, f"{python}3")]


def test_each_package_of_an_extra_is_known_to_the_command_line() -> None:
    assert sorted(Requirement(text).name for texts in EXTRAS.values() for text in texts) == sorted(OPTIONAL)


def locked(file: str) -> dict[str, str]:
    """Versions of a lock file, by name."""
    return dict(re.findall(r"^([\w.-]+)==(\S+) ", (ROOT / file).read_text(), re.M))


def test_the_ranges_hold_the_locked_versions() -> None:
    versions = locked("requirements.txt")
    wanted = [Requirement(text) for text in (*PROJECT["dependencies"], *itertools.chain(*EXTRAS.values()))]
    assert [str(want) for want in wanted if versions[want.name.replace("_", "-")] not in want.specifier] == []


@pytest.mark.parametrize("file", sorted(path.name for path in ROOT.glob("requirements*.txt")))
def test_each_locked_package_has_a_hash(file: str) -> None:
    entries = [line for line in re.sub(r"\\\n", "", (ROOT / file).read_text()).splitlines() if line[:1].isalnum()]
    assert entries and [entry for entry in entries if "--hash=sha256:" not in entry] == []
