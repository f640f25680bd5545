"""Random bodies and pages through random chains of filters, cut at random positions, into the store and out of it, beside a slow reference:
Python's gzip module and esi_reference.py.

``make compare-filters CASES=100000`` runs as many as wanted.
"""

from __future__ import annotations

import ctypes
import gzip
import os
import sys
import zlib
from dataclasses import astuple, dataclass
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from support.library import runtime_library

sys.path.insert(0, str(Path(__file__).parent))
from esi_reference import Event, Options, parse  # noqa: E402
from test_esi_reference import URLS, options, pages  # noqa: E402

CASES = int(os.environ.get("CASES", "400"))
FETCH, DELIVERY, END = 0, 1, 1


class Span(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_char_p), ("len", ctypes.c_size_t)]


class Io(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("len", ctypes.c_size_t), ("last", ctypes.c_bool),
                ("flush", ctypes.c_bool), ("out", ctypes.c_void_p), ("room", ctypes.c_size_t)]


class Wants(ctypes.Structure):
    _fields_ = [("log", ctypes.c_void_p), ("side", ctypes.c_int), ("known", ctypes.c_void_p), ("blocks", ctypes.c_bool),
                ("user", ctypes.c_void_p)]


class Facts(ctypes.Structure):
    _fields_ = [("start_bit", ctypes.c_uint64), ("last_bit", ctypes.c_uint64), ("stop_bit", ctypes.c_uint64), ("plain_bytes", ctypes.c_uint64)]


class Recipe(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("n", ctypes.c_size_t), ("room", ctypes.c_size_t), ("failed", ctypes.c_bool)]


class Page(ctypes.Structure):
    _fields_ = [("url", Span), ("options", ctypes.c_bool * 4), ("recipe", Recipe), ("found", ctypes.c_bool), ("stored_bytes", ctypes.c_uint64)]


LIBRARY = runtime_library()
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


@dataclass
class Made:
    """What a chain made of a body, or why it failed."""
    body: bytes
    why: str | None = None
    facts: Facts | None = None
    recipe: bytes = b""
    found: bool = False


def push_all(chain: ctypes.c_void_p, pieces: list[bytes], room: int) -> Made:
    out, made, verdict = ctypes.create_string_buffer(room), b"", 0
    for number, piece in enumerate(pieces):
        source = ctypes.create_string_buffer(piece, len(piece) + 1)
        io = Io(ctypes.addressof(source), len(piece), number == len(pieces) - 1, False, 0, 0)
        while True:
            io.out, io.room = ctypes.addressof(out), room
            verdict = LIBRARY.chain_push(chain, ctypes.byref(io))
            if verdict < 0:
                return Made(made, LIBRARY.chain_why(chain).decode())
            made += out.raw[:room - io.room]
            if verdict == END or (io.len == 0 and io.room > 0):
                break
    assert verdict == END
    return Made(made)


def look_at_all(chain: ctypes.c_void_p, pieces: list[bytes]) -> Made:
    for number, piece in enumerate(pieces):
        if LIBRARY.chain_look(chain, Span(piece, len(piece)), number == len(pieces) - 1) < 0:
            return Made(b"", LIBRARY.chain_why(chain).decode())
    return Made(b"".join(pieces))


def filtered(names: list[str], pieces: list[bytes], room: int, side: int = FETCH, *, known: Facts | None = None, page: Page | None = None) -> Made:
    """What a chain makes of a body in pieces."""
    listed = " ".join(names).encode()
    chain, wants = ctypes.c_void_p(), Wants(None, side, ctypes.addressof(known) if known is not None else None, False,
                                            ctypes.addressof(page) if page is not None else None)
    assert LIBRARY.chain_open(Span(listed, len(listed)), wants, ctypes.byref(chain)) == 0
    if not chain:
        return Made(b"".join(pieces))
    try:
        made = push_all(chain, pieces, room) if LIBRARY.chain_changes(chain) else look_at_all(chain, pieces)
        learned = LIBRARY.chain_gzip(chain)
        made.facts = Facts.from_buffer_copy(learned.contents) if learned and made.why is None else None
        return made
    finally:
        LIBRARY.chain_close(ctypes.byref(chain))


def fetched(names: list[str], pieces: list[bytes], room: int, url: bytes, o: Options) -> Made:
    """The same on the way into the store, where the filter esi makes a recipe."""
    page = Page(url=Span(url, len(url)), options=(ctypes.c_bool * 4)(*astuple(o)))
    made = filtered(names, pieces, room, page=page)
    made.recipe, made.found = ctypes.string_at(page.recipe.bytes, page.recipe.n), page.found
    LIBRARY.esi_recipe_release(ctypes.addressof(page) + Page.recipe.offset)
    return made


def number(recipe: bytes, at: int) -> tuple[int, int]:
    """A LEB128 number, and where it ends."""
    value = shift = 0
    while True:
        byte = recipe[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def text(recipe: bytes, at: int) -> tuple[bytes, int]:
    n, at = number(recipe, at)
    return recipe[at:at + n], at + n


def followed(recipe: bytes, body: bytes) -> list[Event]:
    """The events that a recipe makes of its page."""
    events: list[Event] = []
    at, begin = 1, 0
    assert recipe[0] == 0
    while at < len(recipe):
        kind, at = recipe[at], at + 1
        if kind in (1, 2):
            n, at = number(recipe, at)
            events.append(("keep" if kind == 1 else "skip", body[begin:begin + n]))
            begin += n
            continue
        flags, at = recipe[at], at + 1
        host, at = text(recipe, at) if flags & 2 else (b"", at)
        target, at = text(recipe, at)
        events.append(("include", host, target, bool(flags & 1)))
    assert begin == len(body)
    return events


def reference(names: list[str], body: bytes, seen: list[bytes]) -> bytes | None:
    """None: some filter cannot take what it gets. ``seen``: what the filter esi looks at."""
    for name in names:
        if name == "gzip":
            body = gzip.compress(body)
            continue
        if name == "esi":
            seen.append(body)
            continue
        unpacker = zlib.decompressobj(31)
        try:
            plain = unpacker.decompress(body)
        except zlib.error:
            return None
        if not unpacker.eof or unpacker.unused_data:
            return None
        body = body if name == "testgunzip" else plain
    return body


def layers(names: list[str]) -> int:
    """How often the result is packed."""
    n = 0
    for name in names:
        n = n + 1 if name == "gzip" else max(n - 1, 0) if name == "gunzip" else n
    return n


BODIES = st.one_of(st.binary(max_size=3000), st.builds(lambda word, n: word * n, st.binary(min_size=1, max_size=40), st.integers(1, 400)))
#: Bodies in gzip coding: right, of several members, cut, or with a byte changed.
PACKED = st.one_of(
    BODIES.map(gzip.compress), st.tuples(BODIES, BODIES).map(lambda two: gzip.compress(two[0]) + gzip.compress(two[1])),
    st.tuples(BODIES.map(gzip.compress), st.floats(0, 1)).map(lambda x: x[0][:int(len(x[0]) * x[1])]),
    st.tuples(BODIES.map(gzip.compress), st.floats(0, 0.999), st.integers(1, 255)).map(
        lambda x: x[0][:int(len(x[0]) * x[1])] + bytes([x[0][int(len(x[0]) * x[1])] ^ x[2]]) + x[0][int(len(x[0]) * x[1]) + 1:]))
CHAINS = st.lists(st.sampled_from(["gzip", "gunzip", "testgunzip"]), max_size=6)
#: Filters before esi and behind it; None: it is not in the chain. What it looks at is plain, as beresp.filters makes it.
WITH_ESI = st.one_of(st.tuples(CHAINS, st.none()), st.tuples(CHAINS.filter(lambda names: layers(names) == 0), CHAINS))
CUTS = st.lists(st.floats(0, 1), max_size=6)


def cut(body: bytes, cuts: list[float]) -> list[bytes]:
    ends = sorted(int(cut * len(body)) for cut in cuts) + [len(body)]
    return [body[start:end] for start, end in zip([0, *ends], ends)]


@settings(max_examples=CASES, deadline=None, database=None)
@given(body=st.one_of(BODIES, PACKED, pages, pages.map(gzip.compress)), chain=WITH_ESI, cuts=CUTS, out_cuts=CUTS,
       room=st.sampled_from([1, 2, 7, 100, 32768]), url=st.sampled_from(URLS), o=options)
def test_random_chains_make_what_the_reference_makes(body: bytes, chain: tuple[list[str], list[str] | None], cuts: list[float],
                                                     out_cuts: list[float], room: int, url: bytes, o: Options) -> None:
    before, behind = chain
    names = before if behind is None else [*before, "esi", *behind]
    seen: list[bytes] = []
    stored, wanted = fetched(names, cut(body, cuts), room, url, o), reference(names, body, seen)
    assert (stored.why is not None) == (wanted is None)
    if wanted is None:
        return
    made, known = stored.body, stored.facts
    for _ in range(layers(names)):              # of different packers; so is each way out of the store
        for facts in (known, None):
            out = filtered(["gunzip"], cut(made, out_cuts), room, DELIVERY, known=facts)
            assert out.why is None and out.body == gzip.decompress(made)
        made, wanted, known = out.body, gzip.decompress(wanted), None
    assert made == wanted
    if behind is not None:
        events = [event for event in parse(seen[0], url, o) if event[0] != "say"]
        assert stored.found == events[-1][1] and followed(stored.recipe, seen[0]) == events[:-1]
