"""`pip install .` into a new environment installs the commands, the parser extension and the tables of the
language. `make install` makes a tree that needs neither the checkout nor the network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from support.namespaces import needs_mounts, system_gives

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


# ---- make install ------------------------------------------------------------------------------------------


def make(target: str, destdir: Path, *more: str, alone: bool = False) -> subprocess.CompletedProcess[str]:
    """`make install` or `make uninstall` for /opt/vernis in ``destdir``; ``alone``: without a network."""
    return run(*(["unshare", "--net"] if alone else []), "make", "-s", target, f"DESTDIR={destdir}", "PREFIX=/opt/vernis", *more, cwd=ROOT)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installed tree that was moved after the installation."""
    folder = tmp_path_factory.mktemp("staged")
    done = make("install", folder / "root", alone=os.geteuid() == 0 and system_gives("--net"))
    assert done.returncode == 0, done.stderr
    assert "needs Python 3." in done.stdout and "libpcre2-8.so" in done.stdout
    return (folder / "root" / "opt" / "vernis").rename(folder / "moved")


def without_checkout(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command that sees an empty folder in the checkout's place (only root can do that)."""
    if os.geteuid() != 0:
        return run(*command, cwd=cwd)
    needs_mounts()
    return run("unshare", "--mount", "sh", "-c", f'mount -t tmpfs none "{ROOT}" && exec "$@"', "sh", *command, cwd=cwd)


def test_an_installed_daemon_compiles_without_the_checkout(tree: Path, tmp_path: Path) -> None:
    policy = shutil.copy(QUICKSTART, tmp_path / "q.vcl")
    done = without_checkout(tree / "bin/vernisd", "-C", "-j", "none", "-f", policy, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "OK\n", "")


def test_an_installed_command_runs_tests_without_the_checkout(tree: Path, tmp_path: Path) -> None:
    shutil.copytree(QUICKSTART.parent, tmp_path / "policies")
    done = without_checkout(tree / "bin/vernis", "test", tmp_path / "policies", cwd=tmp_path)
    assert done.returncode == 0 and "passed" in done.stdout, done.stdout + done.stderr


def test_the_installed_parser_extension_and_libraries_are_used(tree: Path, tmp_path: Path) -> None:
    program = (f"import sys; sys.path[:0] = ['{tree}/lib/vernis/python', '{tree}/lib/vernis/vendor']\n"
               "from vernis.syntax.engine import native_engine as e; import llvmlite, rich; print(e().__file__, llvmlite.__file__, rich.__file__)")
    [extension, *libraries] = without_checkout("python3", "-I", "-c", program, cwd=tmp_path).stdout.split()
    assert extension.startswith(f"{tree}/lib/vernis/python/vernis/syntax/")
    assert all(path.startswith(f"{tree}/lib/vernis/vendor/") for path in libraries)


def test_no_installed_text_names_the_checkout_or_the_staging_folder(tree: Path) -> None:
    texts = [path for path in tree.rglob("*") if path.is_file() and path.suffix != ".so" and path.name != "vernisd"]
    assert texts
    words = (str(ROOT).encode(), str(tree.parent).encode())
    assert [str(path) for path in texts if any(word in path.read_bytes() for word in words)] == []


def test_the_installed_unit_starts_the_program_of_its_prefix(tree: Path) -> None:
    unit = (tree / "lib/systemd/system/vernis.service").read_text()
    assert "ExecStart=/opt/vernis/bin/vernisd" in unit and "-f /opt/vernis/etc/vernis/default.vcl" in unit


@pytest.mark.parametrize("place", ["bash-completion/completions/vernis", "zsh/vendor-completions/_vernis", "fish/vendor_completions.d/vernis.fish"])
def test_completion_for_each_shell_is_installed(tree: Path, place: str) -> None:
    assert "reload" in (tree / "share" / place).read_text()


@pytest.mark.parametrize("page", ["man1/vernis.1", "man1/vernisd.1", "man7/vernis-params.7"])
def test_manual_pages_are_installed(tree: Path, page: str) -> None:
    assert (tree / "share/man" / page).read_text().startswith(".TH ")


def test_uninstall_leaves_only_the_configuration(tmp_path: Path) -> None:
    assert make("install", tmp_path, "BYTECODE=no").returncode == 0
    (tmp_path / "opt/vernis/etc/vernis/default.vcl").write_text("changed")
    (tmp_path / "opt/vernis/bin/other").write_text("of another package")
    assert make("install", tmp_path, "BYTECODE=no").returncode == 0
    assert make("uninstall", tmp_path).returncode == 0
    left = {str(path.relative_to(tmp_path / "opt/vernis")) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"etc/vernis/default.vcl", "bin/other"}
    assert (tmp_path / "opt/vernis/etc/vernis/default.vcl").read_text() == "changed"
    assert not (tmp_path / "opt/vernis/lib/vernis").exists()


def test_uninstall_says_that_nothing_is_installed(tmp_path: Path) -> None:
    done = make("uninstall", tmp_path)
    assert done.returncode != 0 and "nothing is installed below /opt/vernis" in done.stderr


def test_a_relative_prefix_is_refused(tmp_path: Path) -> None:
    done = run("make", "-s", "install", f"DESTDIR={tmp_path}", "PREFIX=opt", cwd=ROOT)
    assert done.returncode != 0 and "PREFIX must be an absolute path" in done.stderr
