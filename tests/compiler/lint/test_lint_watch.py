"""`lint --watch` lints again when a policy, an include or its settings change."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from lint_command import HEAD
from support.watching import VERNIS, Watching, watching

pytestmark = pytest.mark.skipif(not VERNIS.exists(), reason="run make build first")


@pytest.fixture
def lint(tmp_path: Path) -> Iterator[Watching]:
    (tmp_path / "main.vcl").write_text(HEAD + 'include "./part.vcl";\n')
    (tmp_path / "part.vcl").write_text("")
    with watching(tmp_path, "lint", "--format", "concise", "--select", "SEC001", "--watch", "main.vcl") as process:
        yield process


def test_changes_are_linted(tmp_path: Path, lint: Watching) -> None:
    assert lint.shown() == ""
    (tmp_path / "part.vcl").write_text("sub vcl_recv { return (purge); }\n")
    lint.until("./part.vcl:1:16: error[SEC001] ")       # a file may be read between its opening and its writing
    (tmp_path / "vernis.toml").write_text("[lint.severity]\nSEC001 = 'note'\n")
    lint.until("./part.vcl:1:16: note[SEC001] ")
    (tmp_path / "vernis.toml").write_text("[lint]\nnonsense = 1\n")
    lint.until("vernis.toml:2: unknown key 'nonsense'")
    os.remove(tmp_path / "vernis.toml")
    os.remove(tmp_path / "part.vcl")
    lint.until("error[V225]")
    os.remove(tmp_path / "main.vcl")
    lint.until("cannot read main.vcl")
    (tmp_path / "main.vcl").write_text(HEAD)
    lint.without("cannot read")
    lint.process.send_signal(signal.SIGINT)
    assert lint.process.wait(30) == -signal.SIGINT
