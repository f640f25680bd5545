"""Logs made by hand: records like those of real traffic, dumps, and shared memory with a ring and an index as
a daemon writes them."""

from __future__ import annotations

import itertools
import json
import struct
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from vernis.observe import tags
from vernis.observe.records import BACKEND, CLIENT, Record, dump_magic

VARNISHLOG = Path("/usr/bin/varnishlog")
PARTS = 8


def record(name: str, text: str | bytes, vxid: int = 0, side: str = "-") -> Record:
    data = text if isinstance(text, bytes) else text.encode() + b"\0"
    return Record(tags.NUMBERS[name], {"c": CLIENT, "b": BACKEND, "-": 0}[side] | vxid, data)


def request(vxid: int, session: int, url: str, fetch: int | None = None, reason: str = "rxreq", status: int = 200,
            extra: Sequence[tuple[str, str]] = ()) -> list[Record]:
    """The log of a client's request. With ``fetch``, it contains the link to the fetch."""
    lines = [("Begin", f"req {session} {reason}"), ("Timestamp", "Start: 1700000000.000000 0.000000 0.000000"),
             ("VCL_use", "boot"), ("ReqStart", "127.0.0.1 40000 a0"), ("ReqMethod", "GET"), ("ReqURL", url),
             ("ReqProtocol", "HTTP/1.1"), ("ReqHeader", "Host: example.org"), *extra, ("VCL_call", "RECV"),
             ("ReqHeader", "X-Local: yes"), ("VCL_return", "hash"), ("VCL_call", "HASH"), ("VCL_return", "lookup")]
    if fetch is None:
        lines += [("Hit", "2 119.5 10.000000 0.000000"), ("VCL_call", "HIT"), ("VCL_return", "deliver")]
    else:
        lines += [("VCL_call", "MISS"), ("VCL_return", "fetch"), ("Link", f"bereq {fetch} fetch"),
                  ("Timestamp", "Fetch: 1700000000.250000 0.250000 0.250000")]
    lines += [("RespProtocol", "HTTP/1.1"), ("RespStatus", str(status)), ("RespReason", "OK"), ("RespHeader", "Age: 0"),
              ("Timestamp", "Resp: 1700000000.500000 0.500000 0.250000"), ("ReqAcct", "80 0 80 200 100 300"), ("End", "")]
    return [record(name, text, vxid, "c") for name, text in lines]


def fetch(vxid: int, request_vxid: int, url: str, status: int = 200) -> list[Record]:
    lines = [("Begin", f"bereq {request_vxid} fetch"), ("Timestamp", "Start: 1700000000.000000 0.000000 0.000000"),
             ("BereqMethod", "GET"), ("BereqURL", url), ("BackendOpen", "20 default 127.0.0.1 8080 127.0.0.1 50000 connect"),
             ("Timestamp", "Beresp: 1700000000.200000 0.200000 0.200000"), ("BerespStatus", str(status)),
             ("BerespReason", "OK"), ("TTL", "RFC 120 10 0 1700000000 1700000000 1700000000 0 120 cacheable"),
             ("BereqAcct", "90 0 90 150 100 250"), ("End", "")]
    return [record(name, text, vxid, "b") for name, text in lines]


def interleaved(*transactions: Iterable[Record]) -> list[Record]:
    """The records of the transactions in turn, one of each."""
    rounds = itertools.zip_longest(*transactions)
    return [one for records in rounds for one in records if one is not None]


def write_dump(path: Path, records: Iterable[Record], later: bool = False) -> Path:
    path.write_bytes(dump_magic(later) + b"".join(one.packed(later) for one in records))
    return path


def stock(*arguments: str | Path) -> bytes | None:
    """The output of varnishlog. None: varnishlog ended with an error."""
    done = subprocess.run([str(VARNISHLOG), *map(str, arguments)], capture_output=True, timeout=20, check=False)
    return done.stdout if done.returncode == 0 else None


class RingWriter:
    """Writes the log segment as a worker does, into any writable memory. ``later``: as varnishd 7.3 does, whose batches
    have any word at the end of their heads."""

    JUNK = struct.pack("<I", 0x0100000c)  # like a record of the older form
    HEAD, END, WRAP = 88, 0xfe454545, 0xfe575757

    def __init__(self, memory: memoryview, later: bool = False) -> None:
        self.memory, self.later = memory, later
        self.part = (len(memory) - self.HEAD) // 4 // PARTS
        self.counter, self.at = 0xfffffff8, 0
        memory[:8] = b"VSLHEAD2" if later else b"VSLHEAD1"
        struct.pack_into("<q", memory, 8, self.part)
        for part in range(PARTS):
            self._offset(part, -1)
        self._offset(0, 0)
        self._word(0, self.END)
        self._publish()

    def write(self, one: Record, batch: bool = False) -> None:
        data = one.packed(self.later)
        if batch:
            data = struct.pack("<II", 0xff000000, len(data)) + self.JUNK * self.later + data
        words = len(data) // 4
        if self.at + words >= PARTS * self.part:
            self.counter = (self.counter // PARTS + 1) * PARTS & 0xffffffff
            self._offset(0, 0)
            self._word(0, self.END)
            self._word(self.at, self.WRAP)
            self._publish()
            self.at = 0
        end = self.at + words
        self._word(end, self.END)
        while end // self.part > self.counter % PARTS:
            self.counter = (self.counter + 1) & 0xffffffff
            self._offset(self.counter % PARTS, end)
        self._publish()
        start = self.HEAD + 4 * self.at
        self.memory[start + 4:start + len(data)] = data[4:]
        self.memory[start:start + 4] = data[:4]
        self.at = end

    def _word(self, at: int, value: int) -> None:
        struct.pack_into("<I", self.memory, self.HEAD + 4 * at, value)

    def _offset(self, part: int, value: int) -> None:
        struct.pack_into("<q", self.memory, 24 + 8 * part, value)

    def _publish(self) -> None:
        struct.pack_into("<I", self.memory, 16, self.counter)


class Instance:
    """A working directory with shared memory, like that of a daemon."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.start("_.vsm_mgt", 100)

    def start(self, name: str, pid: int) -> None:
        """Starts a set again: a new directory of the same name replaces the old one."""
        path = self.directory / name
        if path.exists():
            path.rename(self.directory / f"old-{name}-{pid}")
        path.mkdir()
        (path / "_.index").write_text(f"# {pid} 1700000000\n")

    def say(self, name: str, line: str) -> None:
        with (self.directory / name / "_.index").open("a") as index:
            index.write(line + "\n")

    def add(self, name: str, file: str, kind: str, ident: str, data: bytes) -> str:
        (self.directory / name / file).write_bytes(data + bytes(-len(data) % 4096))
        line = f"{file} 0 {len(data)} {kind} {ident}"
        self.say(name, f"+ {line}")
        return line


def stat_segment(document: int, values: Sequence[int], state: int = 1) -> bytes:
    return struct.pack("<iiQQ", state, 0, 24, document) + struct.pack(f"<{len(values)}Q", *values)


def document_segment(document: int, rows: Sequence[tuple[str, str, str]]) -> bytes:
    """Each row is a name, a type and a format."""
    elements = {name: {"name": name, "type": kind, "ctype": "uint64_t", "level": "info", "oneliner": f"About {name}",
                       "docs": "", "format": form, "index": 8 * number} for number, (name, kind, form) in enumerate(rows)}
    text = json.dumps({"elements": len(rows), "elem": elements}).encode()
    return struct.pack("<iiQQ", 1, 0, 24, document) + text + b"\0"
