"""`pip install .` into a new environment installs the commands, the parser extension and the tables of the
language."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUICKSTART = ROOT / "examples" / "quickstart" / "quickstart.vcl"

pytestmark = [pytest.mark.slow,
              pytest.mark.skipif(not (ROOT / "build" / "bin" / "vernisd").exists(), reason="run make build first")]


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VERNIS_", "MAKE", "MFLAGS"))}
    return subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=300,
                          env=kept | environment, check=False)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment that uses the dependencies of the build's own environment, so nothing is
    downloaded."""
    directory = tmp_path_factory.mktemp("install")
    venv.create(directory / "venv", with_pip=True, symlinks=True)
    [packages] = (directory / "venv" / "lib").glob("python*/site-packages")
    [borrowed] = (Path(sys.prefix) / "lib").glob("python*/site-packages")
    (packages / "borrowed.pth").write_text(f"{borrowed}\n")
    done = run(directory / "venv/bin/python", "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", ".", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return directory


def test_the_commands_are_installed(environment: Path) -> None:
    assert run(environment / "venv/bin/vernis", "--version", cwd=environment).stdout.startswith("vernis ")
    assert run(environment / "venv/bin/vernisd", "-V", cwd=environment).returncode == 0


def test_a_policy_is_built_from_any_directory(environment: Path) -> None:
    done = run(environment / "venv/bin/vernis", "build", QUICKSTART, "-o", "q.so", cwd=environment)
    assert done.returncode == 0, done.stderr
    assert (environment / "q.so").read_bytes().startswith(b"\x7fELF")


def test_the_parser_extension_is_the_installed_one(environment: Path) -> None:
    program = "from vernis.syntax.engine import native_engine as e; print(e().__file__)"
    done = run(environment / "venv/bin/python", "-c", program, cwd=environment)
    assert done.stdout.startswith(str(environment)), done.stderr


def test_the_fallback_parser_works_too(environment: Path) -> None:
    done = run(environment / "venv/bin/vernis", "check", QUICKSTART, cwd=environment, VERNIS_PARSER="python")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
