"""Random bodies through random chains of filters, cut at random positions, beside a slow reference: Python's gzip module."""

from __future__ import annotations

import ctypes
import gzip
import zlib

from hypothesis import given, settings
from hypothesis import strategies as st
from support.library import runtime_library

FETCH, END = 0, 1


class Span(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_char_p), ("len", ctypes.c_size_t)]


class Io(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("len", ctypes.c_size_t), ("last", ctypes.c_bool),
                ("flush", ctypes.c_bool), ("out", ctypes.c_void_p), ("room", ctypes.c_size_t)]


class Wants(ctypes.Structure):
    _fields_ = [("log", ctypes.c_void_p), ("side", ctypes.c_int), ("known", ctypes.c_void_p), ("blocks", ctypes.c_bool),
                ("user", ctypes.c_void_p)]


LIBRARY = runtime_library()
LIBRARY.chain_open.argtypes = [Span, ctypes.POINTER(Wants), ctypes.POINTER(ctypes.c_void_p)]
LIBRARY.chain_push.argtypes = [ctypes.c_void_p, ctypes.POINTER(Io)]
LIBRARY.chain_close.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
LIBRARY.chain_why.argtypes = [ctypes.c_void_p]
LIBRARY.chain_why.restype = ctypes.c_char_p


def filtered(names: list[str], pieces: list[bytes], room: int) -> bytes | str:
    """What a chain makes of a body in pieces, or why it failed."""
    listed = " ".join(names).encode()
    chain, wants = ctypes.c_void_p(), Wants(None, FETCH, None, False, None)
    assert LIBRARY.chain_open(Span(listed, len(listed)), wants, ctypes.byref(chain)) == 0
    out, made, verdict = ctypes.create_string_buffer(room), b"", 0
    try:
        for number, piece in enumerate(pieces):
            source = ctypes.create_string_buffer(piece, len(piece) + 1)
            io = Io(ctypes.addressof(source), len(piece), number == len(pieces) - 1, False, 0, 0)
            while True:
                io.out, io.room = ctypes.addressof(out), room
                verdict = LIBRARY.chain_push(chain, ctypes.byref(io))
                if verdict < 0:
                    return str(LIBRARY.chain_why(chain).decode())
                made += out.raw[:room - io.room]
                if verdict == END or (io.len == 0 and io.room > 0):
                    break
        assert verdict == END
        return made
    finally:
        LIBRARY.chain_close(ctypes.byref(chain))


def reference(names: list[str], body: bytes) -> bytes | None:
    """None: some filter cannot take what it gets."""
    for name in names:
        if name == "gzip":
            body = gzip.compress(body)
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
CHAINS = st.lists(st.sampled_from(["gzip", "gunzip", "testgunzip"]), min_size=1, max_size=7).filter(
    lambda names: set(names) != {"testgunzip"})


@settings(max_examples=400, deadline=None)
@given(body=st.one_of(BODIES, PACKED), names=CHAINS, cuts=st.lists(st.floats(0, 1), max_size=6),
       room=st.sampled_from([1, 2, 7, 100, 32768]))
def test_random_chains_make_what_the_reference_makes(body: bytes, names: list[str], cuts: list[float], room: int) -> None:
    ends = sorted(int(cut * len(body)) for cut in cuts) + [len(body)]
    pieces = [body[start:end] for start, end in zip([0, *ends], ends)]
    made, wanted = filtered(names, pieces, room), reference(names, body)
    if wanted is None:
        assert isinstance(made, str)
        return
    assert isinstance(made, bytes)
    for _ in range(layers(names)):
        made, wanted = gzip.decompress(made), gzip.decompress(wanted)       # of different packers
    assert made == wanted
