"""Our scenarios in varnishtest's language, one file each. They pass on Varnish 7.1 too:
``VERNISD=/usr/sbin/varnishd pytest tests/vtc`` runs them against it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from proxy.daemon import VERNISD
from vtc.upstream import run_script

HERE = Path(__file__).parent
LIMIT_S = 60


@pytest.fixture(scope="module")
def bindir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which ``varnishd`` is vernisd."""
    if not shutil.which("varnishtest"):
        pytest.skip("no varnishtest: Debian's package varnish is not installed")
    if not VERNISD.exists():
        pytest.skip("run make build first")
    directory = tmp_path_factory.mktemp("bin")
    (directory / "varnishd").symlink_to(VERNISD.resolve())
    return directory


@pytest.mark.parametrize("script", sorted(HERE.glob("*.vtc")), ids=lambda path: path.stem)
def test_scenario(bindir: Path, script: Path) -> None:
    run = run_script(script, bindir, LIMIT_S)
    assert run.result == "pass", run.log.decode(errors="replace")
