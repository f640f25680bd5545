"""`vernis test --watch` runs again when a test, a policy or an include changes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.watching import Watching, watching

POLICY = 'vcl 4.1;\nbackend b none;\ninclude "./part.vcl";\n'


@pytest.fixture
def tests(tmp_path: Path) -> Iterator[Watching]:
    (tmp_path / "p.vcl").write_text(POLICY)
    (tmp_path / "part.vcl").write_text("sub vcl_recv { return (synth(200)); }\n")
    (tmp_path / "p.test.vcl").write_text('vcl 4.1;\ntest "x" { request("/"); expect(resp.status == 200); }\n')
    with watching(tmp_path, "test", "--watch", "--junit", "r.xml") as process:
        yield process


def test_changes_are_tested(tmp_path: Path, tests: Watching) -> None:
    assert "1 passed, 0 failed" in tests.shown()
    (tmp_path / "part.vcl").write_text("sub vcl_recv { return (synth(404)); }\n")
    tests.until("resp.status is 404")
    (tmp_path / "p.test.vcl").write_text('vcl 4.1;\ntest "x" { request("/"); expect(resp.status == 404); }\n')
    tests.until("1 passed, 0 failed")
    (tmp_path / "p.vcl").write_text("vcl 4.1;\nset;\n")
    tests.until("does not compile")
    (tmp_path / "p.vcl").write_text(POLICY)
    tests.until("1 passed, 0 failed")
    (tmp_path / "q.vcl").write_text("vcl 4.1;\nbackend b none;\n")
    (tmp_path / "q.test.vcl").write_text('vcl 4.1;\ntest "y" { request("/"); expect(resp.status == 503); }\n')
    tests.until("2 passed, 0 failed")
    (tmp_path / "q.test.vcl").unlink()
    (tmp_path / "p.test.vcl").unlink()
    tests.until("ends in .test.vcl")
    tests.process.send_signal(signal.SIGINT)
    assert tests.process.wait(30) == -signal.SIGINT


def test_nothing_runs_again_without_a_change(tmp_path: Path, tests: Watching) -> None:
    tests.shown()
    tests.process.send_signal(signal.SIGINT)
    assert tests.process.communicate(timeout=30)[0].count("passed") == 0
