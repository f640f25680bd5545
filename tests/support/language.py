"""Compiles a policy and runs its hooks in the runtime library, without a daemon."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from support.library import runtime_library

from vernis.ir.ir import HOOKS, Action, Msg
from vernis.pipeline import Compilation, compile_policy, rendered_diagnostics

BACKEND = 'backend default { .host = "127.0.0.1"; .port = "1"; }\n'
ERROR_BYTES = 1024
MODULES = ("std", "directors", "cookie", "blob", "purge", "vtc", "var", "str", "accept", "vsthrottle", "digest", "urlcode", "header", "geoip2", "basicauth",
           "bodyaccess", "saintmode", "dynamic", "proxy", "re2", "tcp", "querystring", "xkey", "math")


def compile_text(text: str, folder: Path, name: str = "p", level: int = 0) -> Path:
    """Compiles a policy and returns the path of its image. Each image needs its own file: the loader
    identifies files by path."""
    from vernis.pipeline import Options

    out = folder / f"{name}.so"
    run = Compilation(name=name, path=f"{name}.vcl", text=text.encode(), image=out, options=Options(optimisation=level, err_unref=False))
    compile_policy(run)
    assert not run.failed, rendered_diagnostics(run)
    return out


@dataclass(slots=True)
class Harness:
    """One loaded policy and one transaction. Use it in a ``with`` statement, which closes it."""

    library: ctypes.CDLL = field(default_factory=runtime_library)
    handle: ctypes.c_void_p = field(init=False)

    def __post_init__(self) -> None:
        self.handle = ctypes.c_void_p(self.library.vernis_harness_new())

    def __enter__(self) -> Harness:
        return self

    def __exit__(self, *_: object) -> None:
        self.library.vernis_harness_free(self.handle)

    def load(self, path: Path) -> str:
        """Loads an image. Returns the error, or an empty string."""
        return self._load(self.library.vernis_harness_load, path)

    def replace(self, path: Path) -> str:
        return self._load(self.library.vernis_harness_replace, path)

    def _load(self, function: Callable[..., int], path: Path) -> str:
        error = ctypes.create_string_buffer(ERROR_BYTES)
        failed = function(self.handle, str(path).encode(), error, ERROR_BYTES) != 0
        return error.value.decode("latin-1") if failed else ""

    def reset(self) -> None:
        self.library.vernis_harness_reset(self.handle)

    def request(self, method: bytes = b"GET", url: bytes = b"/", proto: bytes = b"HTTP/1.1") -> None:
        self.library.vernis_harness_request(self.handle, method, len(method), url, len(url), proto, len(proto))

    def add(self, msg: Msg, name: bytes, value: bytes) -> None:
        assert self.library.vernis_harness_add_header(self.handle, msg.value, name, len(name), value, len(value)) == 0

    def content(self, text: bytes) -> None:
        self.library.vernis_harness_content(self.handle, text, len(text))

    def run(self, hook: str) -> str:
        return Action(self.library.vernis_harness_run(self.handle, HOOKS.index(hook))).name.lower()

    def fields(self, msg: Msg) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        name, value = ctypes.c_void_p(), ctypes.c_void_p()
        n, m = ctypes.c_size_t(), ctypes.c_size_t()
        while self.library.vernis_harness_header(self.handle, msg.value, len(found), ctypes.byref(name), ctypes.byref(n),
                                                 ctypes.byref(value), ctypes.byref(m)) == 0:
            found.append((_text(name, n), _text(value, m)))
        return found

    def field(self, msg: Msg, wanted: str) -> str | None:
        return next((value for name, value in self.fields(msg) if name.lower() == wanted.lower()), None)

    def text(self, name: str) -> str | None:
        at, n = ctypes.c_void_p(), ctypes.c_size_t()
        result = self.library.vernis_harness_text(self.handle, name.encode(), ctypes.byref(at), ctypes.byref(n))
        assert result in (0, 1), name
        return _text(at, n) if result == 1 else None

    def number(self, name: str) -> float:
        value = ctypes.c_double()
        assert self.library.vernis_harness_number(self.handle, name.encode(), ctypes.byref(value)) == 0, name
        return value.value

    def set_number(self, name: str, value: float) -> None:
        assert self.library.vernis_harness_set_number(self.handle, name.encode(), value) == 0, name

    def set_ip(self, which: str, address: str, port: int = 80) -> None:
        assert self.library.vernis_harness_set_ip(self.handle, which.encode(), address.encode(), port) == 0


def _text(at: ctypes.c_void_p, n: ctypes.c_size_t) -> str:
    return ctypes.string_at(at, n.value).decode("latin-1") if at.value else ""


def policy(version: str = "4.1", declarations: str = "", **hooks: str) -> str:
    """The text of a policy with these bodies: ``policy(recv="set req.url = {...};")``."""
    imports = "".join(f"import {module};\n" for module in MODULES
                      if re.search(rf"\b{module}\.", declarations + "".join(hooks.values())))
    subs = "".join(f"sub vcl_{name} {{ {body} }}\n" for name, body in hooks.items())
    return f"vcl {version};\n{imports}{BACKEND}{declarations}\n{subs}"
