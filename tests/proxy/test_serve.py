"""Tests of the helpers daemon.py and serve.py."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from proxy.daemon import SYNTH, VERNISD
from proxy.serve import serving

POLICY = SYNTH.format(word="ok")


def test_threads_share_the_command_line_of_a_daemon() -> None:
    with serving(POLICY, sanitized=False) as d, ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _: d.port, range(200)))) == 1


def test_the_environment_names_the_binary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "vernisd"
    other.symlink_to(VERNISD)
    monkeypatch.setenv("VERNISD", str(other))
    with serving(POLICY) as d:
        assert Path(f"/proc/{d.process.pid}/cmdline").read_bytes().startswith(str(other).encode())
