from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

import pytest

from native_bench import build_bench


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    if shutil.which("cc") is None:
        pytest.fail("no C compiler for the bench")
    folder: Path = tmp_path_factory.mktemp("bench")
    return build_bench(folder)
