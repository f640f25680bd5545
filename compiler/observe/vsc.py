"""Reads counters. A segment of class StatDoc describes a set of counters in JSON; segments of class Stat hold
their values."""

from __future__ import annotations

import ctypes
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from vernis.observe.vsm import Mapping, Segment, Vsm, VsmError

_HEAD_BYTES = 24
_VISIBLE = 1
_VALUE_BYTES = 8
_GAUGE_MAX = (1 << 63) - 1


@dataclass(slots=True, frozen=True)
class CounterKind:
    """One counter of a document."""

    name: str
    semantics: str  # c counter, g gauge, b bitmap
    format: str  # i integer, B bytes, d duration in seconds, b bitmap
    level: str  # info, diag, debug
    oneliner: str
    docs: str
    index: int  # byte offset in the body


@dataclass(slots=True, frozen=True)
class Counter:
    ident: str  # such as MAIN, SMA.s0, VBE.boot.default
    kind: CounterKind
    value: int

    @property
    def name(self) -> str:
        return f"{self.ident}.{self.kind.name}"


_SEMANTICS = {"counter": "c", "gauge": "g", "bitmap": "b"}
FORMATS = {"integer": "i", "bytes": "B", "duration": "d", "bitmap": "b"}


@dataclass(slots=True)
class Filter:
    """-f, -I, -X: the first glob that matches decides. A name without a match is hidden if any glob is an
    inclusion."""

    globs: list[tuple[str, bool]] = field(default_factory=list)

    def option(self, letter: str, glob: str) -> None:
        if letter == "f":
            letter, glob = ("X", glob[1:]) if glob.startswith("^") else ("I", glob)
        self.globs.append((glob, letter == "I"))

    def shows(self, name: str) -> bool:
        for glob, included in self.globs:
            if glob_matches(glob, name):
                return included
        return not any(included for _, included in self.globs)


@cache
def _fnmatch() -> ctypes._NamedFuncPointer:
    function = ctypes.CDLL(None).fnmatch
    function.argtypes, function.restype = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int], ctypes.c_int
    return function


def glob_matches(glob: str, name: str) -> bool:
    """Calls fnmatch(3) of the C library, because Python's fnmatch does not support backslashes."""
    return bool(_fnmatch()(os.fsencode(glob), os.fsencode(name), 0) == 0)


@dataclass(slots=True)
class _Mapped:
    mapping: Mapping
    incarnation: tuple[object, ...]


class Counters:
    """Reads the counters of a daemon through its restarts. Segments stay mapped between readings."""

    def __init__(self, vsm: Vsm) -> None:
        self._vsm = vsm
        self._mapped: dict[Segment, _Mapped] = {}
        self._documents: dict[Segment, tuple[int, list[CounterKind]]] = {}

    def read(self, wanted: Filter | None = None, raw_gauges: bool = False) -> list[Counter]:
        """Counters in index order. Leaves out hidden ones and segments that are not complete yet."""
        self._vsm.refresh()
        self._forget()
        kinds = dict(filter(None, (self._document(segment) for segment in self._vsm.segments("StatDoc"))))
        found: list[Counter] = []
        for segment in self._vsm.segments("Stat"):
            if (memory := self._memory(segment)) is not None:
                found.extend(_values(decoded(segment.ident), memory, kinds, wanted, raw_gauges))
        return found

    def _forget(self) -> None:
        """Unmaps segments that no longer exist."""
        for segment, mapped in list(self._mapped.items()):
            if not self._vsm.alive(segment, mapped.incarnation):
                mapped.mapping.close()
                del self._mapped[segment]
                self._documents.pop(segment, None)

    def _memory(self, segment: Segment) -> memoryview | None:
        mapped = self._mapped.get(segment)
        if mapped is None:
            try:
                mapped = _Mapped(self._vsm.map(segment), self._vsm.incarnation)
            except VsmError:
                return None  # just removed; the next refresh sees it
            self._mapped[segment] = mapped
        memory = mapped.mapping.memory
        return memory if len(memory) >= _HEAD_BYTES else None

    def _document(self, segment: Segment) -> tuple[int, list[CounterKind]] | None:
        if segment not in self._documents:
            memory = self._memory(segment)
            if memory is None or _number(memory, 0, 4) == 0:
                return None
            body = _number(memory, 8)
            kinds = _kinds(bytes(memory[body:]).split(b"\0", 1)[0])
            self._documents[segment] = _number(memory, 16), kinds
        return self._documents[segment]


def decoded(ident: str) -> str:
    """Returns an ident without the encoding of runtime/log/vsc.h."""
    data = _ENCODED.sub(
        lambda found: bytes.fromhex(found[1].decode()) if found[1] else b'"',
        ident.encode("utf-8", "surrogateescape"),
    )
    return data.decode("utf-8", "surrogateescape")


_ENCODED = re.compile(rb"%([0-9a-f]{2})|'")


def _number(memory: memoryview, at: int, size: int = _VALUE_BYTES) -> int:
    return int.from_bytes(memory[at : at + size], "little")


def _kinds(document: bytes) -> list[CounterKind]:
    """The counters of a document. Leaves out invalid elements."""
    try:
        elements = json.loads(document)["elem"].values()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    found = []
    for element in elements:
        try:
            found.append(
                CounterKind(
                    str(element["name"]),
                    _SEMANTICS.get(element["type"], "?"),
                    FORMATS.get(element["format"], "?"),
                    str(element["level"]),
                    str(element["oneliner"]),
                    str(element.get("docs", "")),
                    int(element["index"]),
                )
            )
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            continue
    return found


def _values(
    ident: str,
    memory: memoryview,
    kinds: dict[int, list[CounterKind]],
    wanted: Filter | None,
    raw_gauges: bool,
) -> Iterator[Counter]:
    if _number(memory, 0, 4) != _VISIBLE:
        return
    body = _number(memory, 8)
    for kind in kinds.get(_number(memory, 16), ()):
        at = body + kind.index
        if (
            at < _HEAD_BYTES
            or at + _VALUE_BYTES > len(memory)
            or wanted
            and not wanted.shows(f"{ident}.{kind.name}")
        ):
            continue
        value = _number(memory, at)
        if kind.semantics == "g" and value > _GAUGE_MAX and not raw_gauges:
            value = 0  # a race of two updates can make a gauge negative for a moment
        yield Counter(ident, kind, value)


# ---- output ------------------------------------------------------------------------------------------------

_NAME_WIDTH, _LIST_WIDTH = 18, 30


def as_text(counters: Sequence[Counter], uptime_s: int) -> Iterator[str]:
    """The format of `varnishstat -1`: name, value, average per second, description."""
    width = _NAME_WIDTH
    for counter in counters:
        if len(counter.name) >= width:
            width = len(counter.name) + 1
        rate = (
            f"{counter.value / uptime_s if uptime_s else 0:12.2f}"
            if counter.kind.semantics == "c"
            else f"{'.  ':>12}"
        )
        yield f"{counter.name:<{width}}{counter.value:12d} {rate} {counter.kind.oneliner}"


def as_json(counters: Iterable[Counter], timestamp: str) -> str:
    """The format of `varnishstat -j`, version 1."""
    entries = {
        counter.name: {
            "description": counter.kind.oneliner,
            "flag": counter.kind.semantics,
            "format": counter.kind.format,
            "value": counter.value,
        }
        for counter in counters
    }
    return json.dumps({"version": 1, "timestamp": timestamp, "counters": entries}, indent=2)


def as_list(counters: Iterable[Counter]) -> Iterator[str]:
    for counter in counters:
        yield f"{counter.name:<{_LIST_WIDTH}} {counter.kind.oneliner}"
