"""`lint --watch` lints again when a policy, an include or its settings change."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lint_command import HEAD

VERNIS = Path(__file__).resolve().parents[3] / "build" / "bin" / "vernis"
WAITS = "vernis lint: waits for changes\n"
pytestmark = pytest.mark.skipif(not VERNIS.exists(), reason="run make build first")


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    (tmp_path / "main.vcl").write_text(HEAD + 'include "./part.vcl";\n')
    (tmp_path / "part.vcl").write_text("")
    process = subprocess.Popen([VERNIS, "lint", "--format", "concise", "--select", "SEC001", "--watch", "main.vcl"], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    end = threading.Timer(60, process.kill)
    end.start()
    yield process
    end.cancel()
    process.kill()
    process.communicate()


def shown(process: subprocess.Popen[str]) -> str:
    """The output up to the next wait. A change of a file and of its folder may give an empty one between."""
    assert process.stdout is not None
    lines = list(iter(process.stdout.readline, WAITS))
    return "".join(lines)


def after(process: subprocess.Popen[str], before: str) -> str:
    while (text := shown(process)) == before and process.poll() is None:
        pass
    return text


def test_changes_are_linted(tmp_path: Path, watching: subprocess.Popen[str]) -> None:
    assert shown(watching) == ""
    (tmp_path / "part.vcl").write_text("sub vcl_recv { return (purge); }\n")
    found = after(watching, "")
    assert found.startswith("./part.vcl:1:16: error[SEC001] ")
    (tmp_path / "vernis.toml").write_text("[lint.severity]\nSEC001 = 'note'\n")
    assert after(watching, found).startswith("./part.vcl:1:16: note[SEC001] ")
    (tmp_path / "vernis.toml").write_text("[lint]\nnonsense = 1\n")
    assert "vernis.toml:2: unknown key 'nonsense'" in after(watching, found.replace("error", "note"))
    os.remove(tmp_path / "vernis.toml")
    os.remove(tmp_path / "part.vcl")
    while "error[V225]" not in shown(watching):
        assert watching.poll() is None
    os.remove(tmp_path / "main.vcl")
    while "cannot read main.vcl" not in shown(watching):
        assert watching.poll() is None
    (tmp_path / "main.vcl").write_text(HEAD)
    while "cannot read" in shown(watching):
        assert watching.poll() is None
    watching.send_signal(signal.SIGINT)
    assert watching.wait(30) == 130
