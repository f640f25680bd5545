"""The runtime as a shared library with its test harness (tests/support/harness.h), loaded into Python."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_Text, _Size = ctypes.c_char_p, ctypes.c_size_t
_PText, _PSize = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)


def library_path() -> Path:
    """The path of the library. Builds the library if it is missing."""
    path = ROOT / "build/lib/libvernisrt.so"
    if not path.exists():
        subprocess.run(["make", "-C", str(ROOT), "runtime-lib"], check=True)
    return path


def runtime_library(path: Path | None = None) -> ctypes.CDLL:
    """Loads the library and declares the harness functions, so that callers can pass plain numbers and bytes.
    Loaded from a copy at another ``path``, the runtime has its own state."""
    library = ctypes.CDLL(str(path or library_path()))
    handle = ctypes.c_void_p
    library.vernis_harness_new.restype = handle
    for name, arguments in (
            ("free", [handle]), ("load", [handle, _Text, _Text, _Size]), ("open", [handle, _Text, _Text, _Size]),
            ("replace", [handle, _Text, _Text, _Size]), ("enter", [handle, ctypes.c_int]), ("leave", [handle]), ("function", [_Text]),
            ("reset", [handle]), ("request", [handle, _Text, _Size, _Text, _Size, _Text, _Size]),
            ("response", [handle, ctypes.c_int, _Text, _Size]), ("content", [handle, _Text, _Size]),
            ("add_header", [handle, ctypes.c_int, _Text, _Size, _Text, _Size]), ("set_now", [handle, ctypes.c_double]),
            ("set_ip", [handle, _Text, _Text, ctypes.c_int]), ("run", [handle, ctypes.c_int]),
            ("headers", [handle, ctypes.c_int]),
            ("header", [handle, ctypes.c_int, ctypes.c_int, _PText, _PSize, _PText, _PSize]),
            ("text", [handle, _Text, _PText, _PSize]), ("number", [handle, _Text, ctypes.POINTER(ctypes.c_double)]),
            ("set_number", [handle, _Text, ctypes.c_double])):
        getattr(library, f"vernis_harness_{name}").argtypes = arguments
    library.vernis_harness_enter.restype = library.vernis_harness_function.restype = handle
    library.vernis_export.argtypes = [ctypes.c_int, ctypes.POINTER(_Text), ctypes.POINTER(_Text)]
    return library
