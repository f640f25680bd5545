"""The runner of Varnish's suite, with a stand-in for varnishtest whose scripts say how they end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vtc.upstream import COLUMNS

RUNNER = Path(__file__).with_name("upstream.py")
STAND_IN = '#!/bin/sh\nexec sh "$3"\n'              # varnishtest -t SECONDS SCRIPT


class Suite:
    def __init__(self, root: Path, scripts: dict[str, str], ledger: dict[str, str]) -> None:
        self.root, self.ledger, self.bin = root, root / "ledger.tsv", root / "bin-of-test"
        folder = root / "bin" / "varnishtest" / "tests"
        folder.mkdir(parents=True)
        for name, text in scripts.items():
            (folder / f"{name}.vtc").write_text(text)
        self.ledger.write_text("\n".join([COLUMNS, *(f"{name}\t{result}\tthen\tc0ffee" for name, result in ledger.items())]) + "\n")
        self.bin.mkdir()
        (self.bin / "varnishtest").write_text(STAND_IN)
        (self.bin / "varnishtest").chmod(0o755)

    def run(self, *args: str, suite: Path | None = None, path: str | None = None) -> tuple[int, str]:
        env = dict(os.environ, PATH=path or f"{self.bin}:{os.environ['PATH']}")
        done = subprocess.run([sys.executable, str(RUNNER), str(suite or self.root), "--daemon", "/bin/true", "--ledger", str(self.ledger),
                               "--limit", "1", *args], env=env, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def rows(self) -> dict[str, list[str]]:
        return {line.split("\t")[0]: line.split("\t")[1:] for line in self.ledger.read_text().splitlines()[2:]}


@pytest.fixture(autouse=True)
def logs_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VTC_LOGS", str(tmp_path / "logs"))


def test_a_pass_that_is_lost_is_named_and_fails(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "exit 0", "a2": "echo why; exit 2", "a3": "exit 2", "a4": "exit 0"},
              {"a1": "pass", "a2": "pass", "a3": "fail", "a4": "-"})
    code, said = s.run()
    assert code == 1
    assert "2 of 4 pass" in said and "pass now (1): a4" in said and "fail now (1): a2" in said
    assert (tmp_path / "logs" / "a2.log").read_text() == "why\n"
    assert s.rows()["a2"] == ["pass", "then", "c0ffee"]


def test_only_what_failed_twice_counts(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": f"test -e {tmp_path}/again || {{ touch {tmp_path}/again; exit 2; }}"}, {"a1": "pass"})
    assert s.run()[0] == 0


def test_update_writes_what_changed_and_since_when(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "exit 0", "a2": "exit 2", "a3": "exit 77"}, {"a1": "pass", "a2": "pass", "a3": "-", "a4": "fail"})
    code, said = s.run("--update")
    assert code == 0 and "left out: a4" in said
    rows = s.rows()
    assert rows["a1"] == ["pass", "then", "c0ffee"] and rows["a4"] == ["fail", "then", "c0ffee"]
    assert (rows["a2"][0], rows["a3"][0]) == ("fail", "skip") and rows["a2"][1] != "then"
    assert s.ledger.read_text().startswith("# ") and ": 1 of 4.\n" in s.ledger.read_text()


def test_what_hangs_and_what_it_left_behind_is_ended(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "setsid sleep 1000 & exit 0", "a2": "sleep 1000"}, {"a1": "-", "a2": "-"})
    code, said = s.run()
    assert code == 0 and "1 of 2 pass" in said
    assert "left running: sleep 1000" in (tmp_path / "logs" / "a2.log").read_text()


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "exit 0"}, {"a1": "-"})
    assert s.run(path="/nonexistent") == (2, "make vtc: varnishtest is missing: install Debian's package varnish\n")
    code, said = s.run(suite=tmp_path / "nowhere")
    assert code == 2 and "tag varnish-7.1.1" in said
    assert s.run("--names", "b1") == (2, "make vtc: not in the ledger: b1\n")
