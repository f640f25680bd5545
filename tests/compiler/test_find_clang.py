"""mk/find-clang.sh chooses a clang whose bitcode llvmlite reads, from programs of made-up versions."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import llvmlite.binding
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "mk/find-clang.sh"


def found(folder: Path, programs: dict[str, str]) -> tuple[str, str]:
    """The answer and the error for these programs with the versions that they print."""
    for name, version in programs.items():
        (folder / name).write_text(f'#!/bin/sh\necho "{version}"\n')
        (folder / name).chmod(0o755)
    (folder / "sed").symlink_to("/usr/bin/sed")
    done = subprocess.run(["/bin/sh", str(SCRIPT)], env={"PATH": str(folder)}, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == bool(done.stdout)
    return done.stdout.strip(), done.stderr.strip()


@pytest.mark.parametrize(("programs", "chosen"), [
    ({"clang-14": "", "clang": "Debian clang version 14.0.6"}, "clang-14"),                 # Debian 12
    ({"clang-19": "", "clang": "Debian clang version 19.1.7 (3+b1)"}, "clang-19"),          # Debian 13
    ({"clang": "Ubuntu clang version 18.1.3 (1ubuntu1)"}, "clang"),                         # Ubuntu 24.04
    ({"clang-17": "", "clang-15": ""}, "clang-15"),
    ({"clang-13": "", "clang-21": "", "clang": "clang version 20.1.0"}, "clang"),
])
def test_the_oldest_that_fits_is_chosen(tmp_path: Path, programs: dict[str, str], chosen: str) -> None:
    assert found(tmp_path, programs) == (chosen, "")


@pytest.mark.parametrize(("programs", "says"), [
    ({}, "no clang from 14 to 20 in PATH"),
    ({"clang-13": "", "clang-21": ""}, "no clang from 14 to 20 in PATH"),
    ({"clang": "clang version 21.1.0"}, "no clang from 14 to 20 in PATH; clang is 21"),
    ({"clang": "Debian clang version 13.0.1"}, "no clang from 14 to 20 in PATH; clang is 13"),
])
def test_others_are_refused(tmp_path: Path, programs: dict[str, str], says: str) -> None:
    assert found(tmp_path, programs) == ("", says)


def test_llvmlite_reads_the_newest() -> None:
    [newest] = re.findall(r"^CLANG_NEWEST=(\d+)$", SCRIPT.read_text(), re.M)
    assert int(newest) <= llvmlite.binding.llvm_version_info[0]
