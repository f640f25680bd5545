"""The tests of the examples share the comparison of tests/compiler/migrate."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "migrate"))
