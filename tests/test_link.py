"""The release build is linked with jemalloc, also when it is optimised across files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = "#include <stdlib.h>\nint main(int argc, char **argv) { void *p = malloc(argc); free(p); return p == argv; }\n"


def variables(*names: str, lto: str) -> list[str]:
    """Values of the Makefile's variables, as words of a command."""
    show = f"show: ; @echo {' '.join(f'$({name})' for name in names)}"
    done = subprocess.run(["make", "-s", "--no-print-directory", "--eval", show, "show", f"LTO={lto}"], cwd=ROOT, capture_output=True, text=True,
                          check=True)
    return done.stdout.split()


@pytest.mark.parametrize("lto", ["0", "1"])
def test_the_daemon_s_allocator_is_jemalloc(lto: str, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(PROGRAM)
    words = variables("CC", "CFLAGS_release", "LDFLAGS_release", lto=lto)
    assert ("-flto=auto" in words) == (lto == "1")
    libraries = variables("LIBS", "LIBS_release", lto=lto)
    subprocess.run([*words, "-Wl,--as-needed", "-o", tmp_path / "program", tmp_path / "main.c", *libraries], check=True)
    needed = subprocess.run(["readelf", "-d", tmp_path / "program"], capture_output=True, text=True, check=True).stdout
    assert "Shared library: [libjemalloc.so" in needed
