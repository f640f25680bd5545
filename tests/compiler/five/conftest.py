"""The tests of native code share the harness of tests/compiler/native."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "native"))
