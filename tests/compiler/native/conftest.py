from __future__ import annotations

import ctypes
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from both_ways import Behind
from harness import Harness
from native_bench import build_bench
from support.library import runtime_library


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    if shutil.which("cc") is None:
        pytest.fail("no C compiler for the bench")
    folder: Path = tmp_path_factory.mktemp("bench")
    return build_bench(folder)


@pytest.fixture
def harness() -> Iterator[Harness]:
    made = Harness(runtime_library())
    yield made
    made.close()


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Behind]:
    made = Behind(tmp_path)
    yield made
    made.close()
