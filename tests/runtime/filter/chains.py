"""Chains of filters, driven from Python: the runtime library, its structures, and bodies that are cut into
pieces."""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, field

from esi_reference import Options
from support.library import ROOT, runtime_library

FETCH, DELIVERY, PART, END, BUSY = 0, 1, 2, 1, 2
TAIL_BYTES = 13                         # STITCH_TAIL_BYTES
OUTPUT_MAX = 1 << 18                    # for one case: a chain that makes more never ends


class Span(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_char_p), ("len", ctypes.c_size_t)]


class Lent(ctypes.Structure):
    """Like Span, for bytes in the library's memory."""
    _fields_ = [("ptr", ctypes.c_void_p), ("len", ctypes.c_size_t)]


class Io(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("len", ctypes.c_size_t), ("last", ctypes.c_bool),
                ("flush", ctypes.c_bool), ("out", ctypes.c_void_p), ("room", ctypes.c_size_t)]


class Wants(ctypes.Structure):
    _fields_ = [("log", ctypes.c_void_p), ("side", ctypes.c_int), ("known", ctypes.c_void_p), ("blocks", ctypes.c_bool),
                ("user", ctypes.c_void_p)]


class Facts(ctypes.Structure):
    _fields_ = [("start_bit", ctypes.c_uint64), ("last_bit", ctypes.c_uint64), ("stop_bit", ctypes.c_uint64), ("plain_bytes", ctypes.c_uint64)]

    def numbers(self) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name, _ in self._fields_)


class Recipe(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("n", ctypes.c_size_t), ("room", ctypes.c_size_t), ("failed", ctypes.c_bool)]


class Page(ctypes.Structure):
    _fields_ = [("url", Span), ("options", ctypes.c_bool * 4), ("recipe", Recipe), ("found", ctypes.c_bool), ("stored_bytes", ctypes.c_uint64)]


class Sum(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint64), ("crc", ctypes.c_uint32)]


class Part(ctypes.Structure):
    _fields_ = [("facts", Facts), ("stored_bytes", ctypes.c_uint64), ("sum", Sum)]


def parameters() -> type[ctypes.Structure]:
    """struct params, with the fields that the build gave it."""
    kinds = {"uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64, "double": ctypes.c_double, "bool": ctypes.c_bool}
    text = (ROOT / "build/gen/param_values.h").read_text()
    rows = re.findall(r"^ +(\S.*?) ?(\w+);", text[text.index("struct params {"):], re.MULTILINE)
    return type("Params", (ctypes.Structure,), {"_fields_": [(name, kinds[kind]) for kind, name in rows]})


LIBRARY = runtime_library()
PARAMS = parameters().in_dll(LIBRARY, "params")
LIBRARY.chain_open.argtypes = [Span, ctypes.POINTER(Wants), ctypes.POINTER(ctypes.c_void_p)]
LIBRARY.chain_push.argtypes = [ctypes.c_void_p, ctypes.POINTER(Io)]
LIBRARY.chain_look.argtypes = [ctypes.c_void_p, Span, ctypes.c_bool]
LIBRARY.chain_changes.argtypes = [ctypes.c_void_p]
LIBRARY.chain_changes.restype = ctypes.c_bool
LIBRARY.chain_close.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
LIBRARY.chain_why.argtypes = LIBRARY.chain_gzip.argtypes = [ctypes.c_void_p]
LIBRARY.chain_why.restype = ctypes.c_char_p
LIBRARY.chain_gzip.restype = ctypes.POINTER(Facts)
LIBRARY.esi_recipe_release.argtypes = [ctypes.c_void_p]
LIBRARY.stitch_fits.argtypes = [ctypes.POINTER(Facts), ctypes.c_uint64]
LIBRARY.stitch_fits.restype = ctypes.c_bool
LIBRARY.stitch_head.restype = Lent
LIBRARY.stitch_tail.argtypes = [ctypes.POINTER(Sum), ctypes.c_char_p]
LIBRARY.gzip_sum_add.argtypes = [ctypes.POINTER(Sum), ctypes.POINTER(Sum)]


@dataclass
class Drive:
    """How to push a body through a chain: where to cut it, after which pieces to flush, and how much room to
    offer for output. The list of rooms repeats."""
    cuts: list[float] = field(default_factory=list)
    flushes: set[int] = field(default_factory=set)
    rooms: list[int] = field(default_factory=lambda: [32768])

    def pieces(self, body: bytes) -> list[bytes]:
        ends = sorted(int(cut * len(body)) for cut in self.cuts) + [len(body)]
        return [body[start:end] for start, end in zip([0, *ends], ends)]


@dataclass
class Made:
    """The output of a chain for one body, or the reason of its failure."""
    body: bytes
    why: str | None = None
    facts: Facts | None = None
    recipe: bytes = b""
    found: bool = False
    flushed: list[tuple[int, int]] = field(default_factory=list)       # bytes in and out after each flush


def push(chain: ctypes.c_void_p, io: Io, rooms: Iterator[int], made: bytearray) -> int:
    """Pushes one whole piece. Returns the verdict."""
    while True:
        room = next(rooms)
        out = ctypes.create_string_buffer(room)
        io.out, io.room = ctypes.addressof(out), room
        verdict = LIBRARY.chain_push(chain, ctypes.byref(io))
        if verdict < 0:
            return verdict
        made += out.raw[:room - io.room]
        assert len(made) <= OUTPUT_MAX, "the chain does not end"
        if verdict == END or (verdict != BUSY and io.len == 0 and io.room > 0):
            return verdict


def push_all(chain: ctypes.c_void_p, body: bytes, drive: Drive) -> Made:
    pieces, made, rooms = drive.pieces(body), bytearray(), itertools.cycle(drive.rooms)
    verdict, consumed, flushed = 0, 0, []
    for number, piece in enumerate(pieces):
        source = ctypes.create_string_buffer(piece, len(piece) + 1)
        last = number == len(pieces) - 1
        verdict = push(chain, Io(ctypes.addressof(source), len(piece), last, False, 0, 0), rooms, made)
        consumed += len(piece)
        if verdict == 0 and not last and number in drive.flushes:
            verdict = push(chain, Io(ctypes.addressof(source), 0, False, True, 0, 0), rooms, made)
            flushed.append((consumed, len(made)))
        if verdict < 0:
            return Made(bytes(made), LIBRARY.chain_why(chain).decode())
        if verdict == END:
            break
    assert verdict == END
    return Made(bytes(made), flushed=flushed)


def look_at_all(chain: ctypes.c_void_p, body: bytes, drive: Drive) -> Made:
    pieces = drive.pieces(body)
    for number, piece in enumerate(pieces):
        if LIBRARY.chain_look(chain, Span(piece, len(piece)), number == len(pieces) - 1) < 0:
            return Made(b"", LIBRARY.chain_why(chain).decode())
    return Made(body)


def filtered(names: list[str], body: bytes, drive: Drive, side: int = FETCH, *, known: Facts | None = None, blocks: bool = False,
             user: ctypes.Structure | None = None) -> Made:
    """Runs a body through a chain and returns the outcome."""
    listed = " ".join(names).encode()
    chain, wants = ctypes.c_void_p(), Wants(None, side, ctypes.addressof(known) if known is not None else None, blocks,
                                            ctypes.addressof(user) if user is not None else None)
    assert LIBRARY.chain_open(Span(listed, len(listed)), wants, ctypes.byref(chain)) == 0
    if not chain:
        return Made(body)
    try:
        made = (push_all if LIBRARY.chain_changes(chain) else look_at_all)(chain, body, drive)
        learned = LIBRARY.chain_gzip(chain)
        made.facts = Facts.from_buffer_copy(learned.contents) if learned and made.why is None else None
        return made
    finally:
        LIBRARY.chain_close(ctypes.byref(chain))


def fetched(names: list[str], body: bytes, drive: Drive, url: bytes, o: Options, *, blocks: bool = False) -> Made:
    """Runs a body through a chain on its way into the store, where the filters esi and esi_gzip make a
    recipe."""
    page = Page(url=Span(url, len(url)), options=(ctypes.c_bool * 4)(*astuple(o)))
    made = filtered(names, body, drive, blocks=blocks, user=page)
    made.recipe, made.found = ctypes.string_at(page.recipe.bytes, page.recipe.n), page.found
    LIBRARY.esi_recipe_release(ctypes.addressof(page) + Page.recipe.offset)
    return made


def stitched(parts: Iterable[tuple[bytes, Sum]]) -> bytes:
    """Joins parts and their sums into a body in gzip coding."""
    head, total, body = LIBRARY.stitch_head(), Sum(), b""
    for part, of_part in parts:
        LIBRARY.gzip_sum_add(ctypes.byref(total), ctypes.byref(of_part))
        body += part
    tail = ctypes.create_string_buffer(TAIL_BYTES)
    LIBRARY.stitch_tail(ctypes.byref(total), tail)
    return ctypes.string_at(head.ptr, head.len) + body + tail.raw
