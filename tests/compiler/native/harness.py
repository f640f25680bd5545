"""The runtime's test harness (tests/support/harness.h) for the tests of native code."""

from __future__ import annotations

import ctypes
from pathlib import Path

from vernis.ir import ir
from vernis.ir.ir import Action, Msg


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

    def open(self, path: Path) -> None:
        """Loads an image without vcl_init: :meth:`run` or :meth:`enter` run it."""
        error = ctypes.create_string_buffer(512)
        assert self.lib.vernis_harness_open(self.h, str(path).encode(), error, len(error)) == 0, error.value

    def enter(self, hook: str) -> int:
        """Returns a context in which functions of the runtime can be called one by one until
        :meth:`leave`."""
        context = self.lib.vernis_harness_enter(self.h, ir.HOOKS.index(hook))
        assert context is not None
        return context

    def leave(self) -> None:
        self.lib.vernis_harness_leave(self.h)

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
            places = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p(), ctypes.c_size_t()
            self.lib.vernis_harness_header(self.h, msg.value, i, *map(ctypes.byref, places))
            found.append((ctypes.string_at(places[0], places[1].value), ctypes.string_at(places[2], places[3].value)))
        return found

    def rule_hits(self) -> list[int]:
        """How often each rule was taken since the load."""
        found: list[int] = []
        while (hits := self.lib.vernis_harness_rule_hits(self.h, len(found))) >= 0:
            found.append(hits)
        return found

    def counts(self) -> dict[bytes, int]:
        """The counts of the policy by series: `{label="value"}`, or nothing for a counter without labels."""
        lines = (line.rpartition(b" ") for line in (self.text("counts") or b"").splitlines())
        return {series: int(count) for series, _, count in lines}

    def text(self, name: str) -> bytes | None:
        text, length = ctypes.c_void_p(), ctypes.c_size_t()
        result = self.lib.vernis_harness_text(self.h, name.encode(), ctypes.byref(text), ctypes.byref(length))
        assert result in (0, 1), name
        return ctypes.string_at(text, length.value) if result == 1 else None

    def number(self, name: str) -> float:
        value = ctypes.c_double()
        assert self.lib.vernis_harness_number(self.h, name.encode(), ctypes.byref(value)) == 0, name
        return value.value
