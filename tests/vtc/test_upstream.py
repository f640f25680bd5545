"""The runner of Varnish's suite (upstream.py), tested with a shell script in the place of varnishtest: each
script sets its own exit code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from vtc.upstream import COLUMNS, REASONED

RUNNER = Path(__file__).with_name("upstream.py")
# called as: varnishtest -t SECONDS [-DNAME=VALUE...] SCRIPT
FAKE_VARNISHTEST = '#!/bin/sh\nfor last; do :; done\nexec sh "$last" "$@"\n'


class Suite:
    def __init__(self, root: Path, scripts: dict[str, str], ledger: dict[str, str]) -> None:
        self.root, self.ledger, self.bin = root, root / "ledger.tsv", root / "bin-of-test"
        folder = root / "bin" / "varnishtest" / "tests"
        folder.mkdir(parents=True)
        for name, text in scripts.items():
            (folder / f"{name}.vtc").write_text(text)
        self.ledger.write_text("\n".join([COLUMNS, *(f"{name}\t{result}\tthen\tc0ffee" for name, result in ledger.items())]) + "\n")
        self.bin.mkdir()
        (self.bin / "varnishtest").write_text(FAKE_VARNISHTEST)
        (self.bin / "varnishtest").chmod(0o755)

    def run(self, *args: str, suite: Path | None = None, path: str | None = None) -> tuple[int, str]:
        env = dict(os.environ, PATH=path or f"{self.bin}:{os.environ['PATH']}")
        done = subprocess.run([sys.executable, str(RUNNER), str(suite or self.root), "--daemon", "/bin/true", "--ledger", str(self.ledger),
                               "--limit", "1", *args], env=env, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def rows(self) -> dict[str, list[str]]:
        return {line.split("\t")[0]: line.split("\t")[1:] for line in self.ledger.read_text().splitlines()[2:]}


@pytest.fixture(autouse=True)
def logs_in_tmp_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VTC_LOGS", str(tmp_path / "logs"))


def test_a_script_that_no_longer_passes_is_named_and_fails_the_run(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "exit 0", "a2": "echo why; exit 2", "a3": "exit 2", "a4": "exit 0"},
              {"a1": "pass", "a2": "pass", "a3": "fail", "a4": "-"})
    code, said = s.run()
    assert code == 1
    assert "2 of 4 pass" in said and "pass now (1): a4" in said and "fail now (1): a2" in said
    assert (tmp_path / "logs" / "a2.log").read_text() == "why\n"
    assert s.rows()["a2"] == ["pass", "then", "c0ffee"]


def test_a_denied_system_call_is_a_failure(tmp_path: Path) -> None:
    denied = "echo '**** v1    debug|Error: Forbidden system call: the worker called execve (59), so the sandbox ends the worker'; exit 0"
    s = Suite(tmp_path, {"a1": denied, "a2": "exit 0"}, {"a1": "pass", "a2": "pass"})
    code, said = s.run()
    assert code == 1 and "1 of 2 pass" in said and "fail now (1): a1" in said


def test_a_script_must_fail_twice_to_count(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": f"test -e {tmp_path}/again || {{ touch {tmp_path}/again; exit 2; }}"}, {"a1": "pass"})
    assert s.run()[0] == 0


def test_update_writes_changed_results_with_date_and_commit(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "exit 0", "a2": "exit 2", "a3": "exit 77"}, {"a1": "pass", "a2": "pass", "a3": "-", "a4": "fail"})
    code, said = s.run("--update")
    assert code == 0 and "left out: a4" in said
    rows = s.rows()
    assert rows["a1"] == ["pass", "then", "c0ffee"] and rows["a4"] == ["fail", "then", "c0ffee"]
    assert (rows["a2"][0], rows["a3"][0]) == ("fail", "skip") and rows["a2"][1] != "then"
    assert s.ledger.read_text().startswith("# ") and ": 1 of 4.\n" in s.ledger.read_text()


def test_a_hanging_script_and_its_leftover_processes_are_ended(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "setsid sleep 1000 & exit 0", "a2": "sleep 1000"}, {"a1": "-", "a2": "-"})
    code, said = s.run()
    assert code == 0 and "1 of 2 pass" in said
    assert "left running: sleep 1000" in (tmp_path / "logs" / "a2.log").read_text()


def test_a_missing_program_suite_or_script_is_named(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "exit 0"}, {"a1": "-"})
    assert s.run(path="/nonexistent") == (2, "make vtc: varnishtest is missing: install Debian's package varnish\n")
    code, said = s.run(suite=tmp_path / "nowhere")
    assert code == 2 and "tag varnish-7.1.1" in said
    assert s.run("--names", "b1") == (2, "make vtc: not in the ledger: b1\n")


def test_each_module_has_a_ledger_and_macros_without_a_library(tmp_path: Path) -> None:
    s = Suite(tmp_path, {}, {"x/kept": "pass", "lost": "pass"})
    ledgers = tmp_path / "ledgers"
    ledgers.mkdir()
    s.ledger = s.ledger.rename(ledgers / "one.tsv")
    shutil.copy(s.ledger, ledgers / "absent.tsv")
    folder = tmp_path / "one" / "src" / "tests"
    (folder / "x").mkdir(parents=True)
    (folder / "x" / "kept.vtc").write_text(f'case "$*" in *" -Dvmod_dynamic=dynamic -Dvmod_topsrc={tmp_path}/one "*) exit 0;; esac; exit 2')
    (folder / "lost.vtc").write_text("echo why; exit 2")
    (folder / "new.vtc").write_text("exit 0")
    code, said = s.run("--modules", "--ledgers", str(ledgers))
    assert code == 1 and f"absent: left out, {tmp_path}/absent/src/tests has no scripts" in said
    assert "one: 2 of 3 pass\npass now (1): new\n" in said and "fail now (1): lost" in said
    assert s.run("--modules", "--ledgers", str(ledgers), "--update")[0] == 0
    assert s.ledger.read_text().startswith("# The test scripts of one against vernisd")
    assert {name: row[0] for name, row in s.rows().items()} == {"x/kept": "pass", "lost": "fail", "new": "pass"}
    assert s.run("--modules", "--ledgers", str(ledgers), suite=tmp_path / "nowhere")[0] == 2


def test_scripts_of_later_releases_come_from_their_tags(tmp_path: Path) -> None:
    s = Suite(tmp_path, {"a1": "exit 0", "a2": "exit 2"}, {})

    def git(*args: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=n@localhost", *args], check=True, capture_output=True)

    git("init")
    git("add", "bin")
    git("commit", "--no-gpg-sign", "-m", "one")
    git("tag", "--no-sign", "varnish-7.9.0")
    (tmp_path / "bin" / "varnishtest" / "tests" / "a2.vtc").write_text("exit 0")
    git("commit", "--no-gpg-sign", "-a", "-m", "two")
    git("tag", "--no-sign", "varnish-8.9.0")
    rows = ("7.9.0/a1\tfail\tthen\tc0ffee\tesi", "7.9.0/a2\tfail\tthen\tc0ffee\tgzip", "8.9.0/a2\tpass\tthen\tc0ffee", "9.9.0/a1\t-\t-\t-")
    s.ledger.write_text("\n".join([REASONED, *rows]) + "\n")
    code, said = s.run("--later", "--update")
    assert code == 0 and "left out: 9.9.0/a1" in said and "2 of 3 pass" in said and "pass now (1): 7.9.0/a1" in said
    assert s.rows()["7.9.0/a1"][0] == "pass" and len(s.rows()["7.9.0/a1"]) == 3
    assert s.rows()["7.9.0/a2"] == ["fail", "then", "c0ffee", "gzip"]
    assert s.rows()["8.9.0/a2"] == ["pass", "then", "c0ffee"]
    code, said = s.run("--later", suite=tmp_path / "nowhere")
    assert code == 2 and "with tags" in said
