"""A running daemon reports the documented error for every malformed policy of the test data, keeps its active
policy, and leaves no files behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, SYNTH, Daemon, wait_until
from proxy.serve import serving

DATA = ROOT / "tests" / "data"
FILES = sorted((DATA / "malformed_syntax").rglob("*.vcl")) + sorted((DATA / "malformed_semantics").rglob("*.vcl"))
EXPECTED = re.compile(r"### (V\d{3})")


@pytest.fixture(scope="module")
def running() -> Iterator[Daemon]:
    with serving(SYNTH.format(word="serving")) as d:
        yield d


def test_there_are_enough_malformed_policies() -> None:
    assert len(FILES) >= 100


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_malformed_policy_gives_its_documented_error(running: Daemon, path: Path) -> None:
    lines = path.read_bytes().decode("latin-1").splitlines()
    expected = {(code, n) for n, line in enumerate(lines, 1) for code in EXPECTED.findall(line)}
    status, text = running.cli(f"vcl.load bad {path}")
    warnings_only = status == 200
    if warnings_only:
        running.ok("vcl.discard bad")
    else:
        assert status == 106, text
        # one with warnings was discarded before, and the worker may still unload it
        wait_until(lambda: "bad" not in running.ok("vcl.list"), "no such policy is listed")
    for code, _ in expected:
        assert f"[{code}]" in text, f"{code} is not reported:\n{text}"
        if not path.name.startswith("include"):
            assert re.search(rf"{re.escape(path.name)}:\d+:\d+", text), f"no place in the text:\n{text}"
    assert running.get("/") == (200, "serving")
