"""The shells complete names of a running daemon."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon

sys.path.insert(0, str(ROOT / "tests" / "compiler"))
from test_completion import SHELLS, completion

POLICY = 'vcl 4.1; backend site { .host = "192.0.2.1"; } sub vcl_recv { return (synth(200)); }'
VERNIS = ROOT / "build" / "bin" / "vernis"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with Daemon(tmp_path_factory.mktemp("daemon"), POLICY) as d:
        d.load("spring", POLICY)
        yield d


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{VERNIS.parent}:{os.environ['PATH']}")


def complete(shell: str, folder: Path, line: str) -> set[str]:
    script = folder / f"vernis.{shell}"
    script.write_text(completion(shell))
    return set(SHELLS[shell](script, line))


@pytest.mark.parametrize("shell", list(SHELLS))
@pytest.mark.parametrize(("line", "some", "none"), [
    ("vernis use ", {"boot", "spring"}, {"default_ttl"}),
    ("vernis use s", {"spring"}, {"boot"}),
    ("vernis use -n {workdir} s", {"spring"}, {"boot"}),
    ("vernis discard boot s", {"spring"}, {"boot"}),
    ("vernis params default_t", {"default_ttl"}, {"default_grace", "boot"}),
    ("vernis backends set boot.", {"boot.site"}, {"sick"}),
    ("vernis backends set boot.site s", {"sick"}, {"boot.site", "auto"}),
])
@pytest.mark.usefixtures("path")
def test_names_come_from_the_daemon(shell: str, line: str, some: set[str], none: set[str], daemon: Daemon, tmp_path: Path,
                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERNIS_WORKDIR", "/nowhere" if "{workdir}" in line else str(daemon.workdir))
    found = complete(shell, tmp_path, line.format(workdir=daemon.workdir))
    assert some <= found and not none & found


@pytest.mark.parametrize("shell", list(SHELLS))
@pytest.mark.usefixtures("path")
def test_without_a_daemon_the_other_words_are_left(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERNIS_WORKDIR", "/nowhere")
    assert "sick" in complete(shell, tmp_path, "vernis backends set boot.site s")


def test_names_without_a_daemon_is_silent() -> None:
    done = subprocess.run([str(VERNIS), "names", "-n", "/nowhere", "policies"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
