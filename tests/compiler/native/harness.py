"""The runtime's own harness (runtime/policy/harness.h), for Python."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

from native_bench import ROOT
from vernis.ir import ir
from vernis.ir.ir import Action, Msg

_Text, _Size = ctypes.c_char_p, ctypes.c_size_t
_PText, _PSize = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)


def runtime_library() -> ctypes.CDLL:
    path = ROOT / "build/lib/libvernisrt.so"
    if not path.exists():
        subprocess.run(["make", "-C", str(ROOT), "runtime-lib"], check=True)
    library = ctypes.CDLL(str(path))
    handle = ctypes.c_void_p
    library.vernis_harness_new.restype = handle
    for name, arguments in (
            ("free", [handle]), ("load", [handle, _Text, _Text, _Size]), ("replace", [handle, _Text, _Text, _Size]),
            ("reset", [handle]), ("request", [handle, _Text, _Size, _Text, _Size, _Text, _Size]),
            ("response", [handle, ctypes.c_int, _Text, _Size]),
            ("add_header", [handle, ctypes.c_int, _Text, _Size, _Text, _Size]), ("set_now", [handle, ctypes.c_double]),
            ("set_ip", [handle, _Text, _Text, ctypes.c_int]), ("run", [handle, ctypes.c_int]),
            ("headers", [handle, ctypes.c_int]),
            ("header", [handle, ctypes.c_int, ctypes.c_int, _PText, _PSize, _PText, _PSize]),
            ("text", [handle, _Text, _PText, _PSize]), ("number", [handle, _Text, ctypes.POINTER(ctypes.c_double)]),
            ("set_number", [handle, _Text, ctypes.c_double])):
        getattr(library, f"vernis_harness_{name}").argtypes = arguments
    library.vernis_export.argtypes = [ctypes.c_int, ctypes.POINTER(_Text), ctypes.POINTER(_Text)]
    return library


def exports(library: ctypes.CDLL) -> dict[str, str]:
    """Symbol to signature, of all the runtime offers."""
    found: dict[str, str] = {}
    name, signature = _Text(), _Text()
    while library.vernis_export(len(found), ctypes.byref(name), ctypes.byref(signature)) == 0:
        assert name.value is not None and signature.value is not None
        assert name.value.decode() not in found, "an export twice"
        found[name.value.decode()] = signature.value.decode()
    return found


class Harness:
    def __init__(self, library: ctypes.CDLL) -> None:
        self.lib = library
        self.h = ctypes.c_void_p(library.vernis_harness_new())

    def close(self) -> None:
        self.lib.vernis_harness_free(self.h)

    def load(self, path: Path, replace: bool = False) -> None:
        error = ctypes.create_string_buffer(512)
        load = self.lib.vernis_harness_replace if replace else self.lib.vernis_harness_load
        assert load(self.h, str(path).encode(), error, len(error)) == 0, error.value

    def begin(self, method: bytes, url: bytes, headers: list[tuple[Msg, bytes, bytes]], client: bytes) -> None:
        self.lib.vernis_harness_reset(self.h)
        self.lib.vernis_harness_request(self.h, method, len(method), url, len(url), b"HTTP/1.1", 8)
        self.lib.vernis_harness_set_ip(self.h, b"client", client, 1234)
        for msg, name, value in headers:
            assert self.lib.vernis_harness_add_header(self.h, msg.value, name, len(name), value, len(value)) == 0

    def set_number(self, name: str, value: float) -> None:
        assert self.lib.vernis_harness_set_number(self.h, name.encode(), value) == 0

    def run(self, hook: str) -> Action:
        return Action(self.lib.vernis_harness_run(self.h, ir.HOOKS.index(hook)))

    def headers(self, msg: Msg) -> list[tuple[bytes, bytes]]:
        found = []
        for i in range(self.lib.vernis_harness_headers(self.h, msg.value)):
            places = ctypes.c_void_p(), _Size(), ctypes.c_void_p(), _Size()
            self.lib.vernis_harness_header(self.h, msg.value, i, *map(ctypes.byref, places))
            found.append((ctypes.string_at(places[0], places[1].value), ctypes.string_at(places[2], places[3].value)))
        return found

    def text(self, name: str) -> bytes | None:
        text, length = ctypes.c_void_p(), _Size()
        result = self.lib.vernis_harness_text(self.h, name.encode(), ctypes.byref(text), ctypes.byref(length))
        assert result in (0, 1), name
        return ctypes.string_at(text, length.value) if result == 1 else None

    def number(self, name: str) -> float:
        value = ctypes.c_double()
        assert self.lib.vernis_harness_number(self.h, name.encode(), ctypes.byref(value)) == 0, name
        return value.value
