"""`vernis test --watch` runs again when a test, a policy or an include changes."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_vernis_test import VERNIS

WAITS = "vernis test: waits for changes\n"
POLICY = 'vcl 4.1;\nbackend b none;\ninclude "./part.vcl";\n'


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    (tmp_path / "p.vcl").write_text(POLICY)
    (tmp_path / "part.vcl").write_text("sub vcl_recv { return (synth(200)); }\n")
    (tmp_path / "p.test.vcl").write_text('vcl 4.1;\ntest "x" { request("/"); expect(resp.status == 200); }\n')
    process = subprocess.Popen([VERNIS, "test", "--watch", "--junit", "r.xml"], cwd=tmp_path, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)  # fmt: skip
    end = threading.Timer(60, process.kill)
    end.start()
    yield process
    end.cancel()
    process.kill()
    process.communicate()


def shown(process: subprocess.Popen[str]) -> str:
    """The output up to the next wait."""
    assert process.stdout is not None
    return "".join(iter(process.stdout.readline, WAITS))


def until(process: subprocess.Popen[str], text: str) -> None:
    """A change of a file and of its folder may give the same output twice."""
    while text not in shown(process):
        assert process.poll() is None


def test_changes_are_tested(tmp_path: Path, watching: subprocess.Popen[str]) -> None:
    assert "1 passed, 0 failed" in shown(watching)
    (tmp_path / "part.vcl").write_text("sub vcl_recv { return (synth(404)); }\n")
    until(watching, "resp.status is 404")
    (tmp_path / "p.test.vcl").write_text('vcl 4.1;\ntest "x" { request("/"); expect(resp.status == 404); }\n')
    until(watching, "1 passed, 0 failed")
    (tmp_path / "p.vcl").write_text("vcl 4.1;\nset;\n")
    until(watching, "does not compile")
    (tmp_path / "p.vcl").write_text(POLICY)
    until(watching, "1 passed, 0 failed")
    (tmp_path / "q.vcl").write_text("vcl 4.1;\nbackend b none;\n")
    (tmp_path / "q.test.vcl").write_text('vcl 4.1;\ntest "y" { request("/"); expect(resp.status == 503); }\n')
    until(watching, "2 passed, 0 failed")
    (tmp_path / "q.test.vcl").unlink()
    (tmp_path / "p.test.vcl").unlink()
    until(watching, "no file ends in .test.vcl")
    watching.send_signal(signal.SIGINT)
    assert watching.wait(30) == 130


def test_nothing_runs_again_without_a_change(tmp_path: Path, watching: subprocess.Popen[str]) -> None:
    shown(watching)
    watching.send_signal(signal.SIGINT)
    assert watching.communicate(timeout=30)[0].count("passed") == 0
