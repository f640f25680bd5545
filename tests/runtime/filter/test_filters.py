"""Random bodies and pages in random chains of filters, compared with a slow reference. Cuts, flushes and the
room for output are random too.

The reference is Python's gzip module, its decoders of br and zstd, and esi_reference.py. ``make
compare-filters CASES=100000`` runs as many cases as wanted.
"""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import brotli
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from chains import DELIVERY, LIBRARY, PARAMS, PART, Drive, Facts, Part, Sum, fetched, filtered, stitched
from esi_reference import Event, Options, parse
from test_esi_reference import URLS, options, pages

KINDS = 4                               # number of tests below, which share the cases
CASES = int(os.environ.get("CASES", "600")) // KINDS
CODES = {"gzip": "gzip", "esi_gzip": "gzip", "br": "br", "zstd": "zstd"}


# ---- the reference ----


def decode_prefix(coding: str, body: bytes) -> bytes:
    """Decodes a coded body as far as it goes."""
    if coding == "gzip":
        plain = b""
        while body:
            member = zlib.decompressobj(31)
            plain, body = plain + member.decompress(body), member.unused_data
        return plain
    if coding == "br":
        return brotli.Decompressor().process(body)
    return zstandard.ZstdDecompressor().decompressobj().decompress(body)


def decode(coding: str, body: bytes) -> bytes | None:
    """Decodes a whole coded body. None: the body is incomplete, or bytes follow it that are no gzip member."""
    if coding == "br":
        return brotli.decompress(body)
    plain = b""
    while body or coding != "gzip":
        decoder = zlib.decompressobj(31) if coding == "gzip" else zstandard.ZstdDecompressor().decompressobj()
        try:
            plain += decoder.decompress(body)
        except zlib.error:
            return None
        if coding != "gzip" or not decoder.eof:
            return plain if decoder.eof and not decoder.unused_data else None
        body = decoder.unused_data
    return plain


@dataclass
class Model:
    """The expected output of a chain: ``plain`` within ``layers`` of codings that the chain added, the
    innermost first. ``unpacks`` counts the layers of the input that the chain removed. ``page`` is the input
    of its ESI filter."""
    plain: bytes
    layers: list[str] = field(default_factory=list)
    unpacks: int = 0
    page: bytes | None = None

    def follow(self, name: str) -> bool:
        """Applies a filter. Returns False if the filter must refuse its input."""
        if name in ("esi", "esi_gzip"):
            self.page = self.plain
        if name in CODES:
            self.layers.append(CODES[name])
        elif name in ("gunzip", "testgunzip"):
            return self.unpack(name == "gunzip")
        return True

    def unpack(self, changes: bool) -> bool:
        if self.layers:
            return (self.layers.pop() if changes else self.layers[-1]) == "gzip"
        plain = decode("gzip", self.plain)
        if changes and plain is not None:
            self.plain, self.unpacks = plain, self.unpacks + 1
        return plain is not None


def model_of(names: list[str], body: bytes) -> Model | None:
    """None: a filter must refuse its input."""
    model = Model(body)
    return model if all(model.follow(name) for name in names) else None


def check_flushes(model: Model, body: bytes, made: bytes, flushed: list[tuple[int, int]]) -> None:
    """Output up to a flush contains all input before that flush."""
    for n_in, n_out in flushed:
        out, wanted = made[:n_out], body[:n_in]
        for coding in reversed(model.layers):
            out = decode_prefix(coding, out)
        for _ in range(model.unpacks):
            wanted = decode_prefix("gzip", wanted)
        assert out == wanted


# ---- recipes ----


def number(recipe: bytes, at: int) -> tuple[int, int]:
    """A LEB128 number, and the offset of its end."""
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


@dataclass
class Piece:
    """A piece of a recipe: an include, or bytes of the stored page to keep or to leave out. A kept piece of a
    page in gzip coding has its sum."""
    kind: str
    stored: bytes = b""
    sum: Sum = field(default_factory=Sum)
    include: Event = ()


def pieces_of(recipe: bytes, body: bytes) -> Iterator[Piece]:
    """The pieces that a recipe makes of the stored page ``body``."""
    at, begin = 1, 0
    packed = recipe[0] == 1
    while at < len(recipe):
        kind, at = recipe[at], at + 1
        if kind == 3:
            flags, at = recipe[at], at + 1
            host, at = text(recipe, at) if flags & 2 else (b"", at)
            target, at = text(recipe, at)
            yield Piece("include", include=("include", host, target, bool(flags & 1)))
            continue
        n, at = number(recipe, at)
        piece = Piece({1: "keep", 2: "skip"}[kind], body[begin:begin + n])
        begin += n
        if packed and kind == 1:
            piece.sum.bytes, at = number(recipe, at)
            piece.sum.crc, at = int.from_bytes(recipe[at:at + 4], "little"), at + 4
        yield piece
    # no piece contains the last block and the trailer
    assert begin < len(body) if packed else begin == len(body)


def check_page(recipe: bytes, stored: bytes, events: list[Event]) -> None:
    """The recipe finds in the stored page the same pieces as the ESI reference in its plain text."""
    pieces = list(pieces_of(recipe, stored))
    if recipe[0] == 1:
        assert pieces.pop(0).kind == "skip"         # the gzip header
        told = [(p.kind, p.sum.bytes, p.sum.crc) if p.kind == "keep" else p.include or (p.kind,) for p in pieces]
        assert told == [(e[0], len(e[1]), zlib.crc32(e[1])) if e[0] == "keep" else e if e[0] == "include" else (e[0],) for e in events]
    else:
        assert [p.include or (p.kind, p.stored) for p in pieces] == events


def events_of(page: bytes, url: bytes, o: Options) -> tuple[list[Event], bool]:
    """Events of the reference, and whether the page contains an instruction."""
    *events, (_, found) = (event for event in parse(page, url, o) if event[0] != "say")
    return events, found


# ---- strategies ----


BODIES = st.one_of(st.binary(max_size=3000), st.builds(lambda word, n: word * n, st.binary(min_size=1, max_size=40), st.integers(1, 400)))
GZIPPED = st.builds(lambda body, level: gzip.compress(body, level), BODIES, st.integers(0, 9))
#: Bodies in gzip coding: valid, of several members, cut, or with one byte changed.
PACKED = st.one_of(
    GZIPPED, st.tuples(BODIES, BODIES).map(lambda two: gzip.compress(two[0]) + gzip.compress(two[1])),
    st.tuples(GZIPPED, st.floats(0, 1)).map(lambda x: x[0][:int(len(x[0]) * x[1])]),
    st.tuples(GZIPPED, st.floats(0, 0.999), st.integers(1, 255)).map(
        lambda x: x[0][:int(len(x[0]) * x[1])] + bytes([x[0][int(len(x[0]) * x[1])] ^ x[2]]) + x[0][int(len(x[0]) * x[1]) + 1:]))
ANY = st.one_of(BODIES, PACKED, pages, pages.map(gzip.compress))
DRIVES = st.builds(Drive, st.lists(st.floats(0, 1), max_size=6), st.sets(st.integers(0, 6), max_size=4),
                   st.lists(st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 100, 32768]), min_size=1, max_size=3))
TUNINGS = st.fixed_dictionaries({
    "gzip_buffer_bytes": st.sampled_from([16, 100, 2048, 32768]), "gzip_whole_max_bytes": st.sampled_from([0, 100, 131072]),
    "gzip_level": st.integers(0, 9), "gzip_memlevel": st.sampled_from([1, 8, 9]), "brotli_level": st.integers(0, 6),
    "zstd_level": st.integers(1, 12)})


def fits(names: list[str]) -> bool:
    """Whether the input of an ESI filter is plain, as in the chains of beresp.filters."""
    model = Model(b"")
    for name in names:
        if name in ("esi", "esi_gzip"):
            return not model.layers
        if name == "gzip":
            model.layers.append("gzip")
        elif name == "gunzip":
            model.layers = model.layers[:-1]
    return True


CHAINS = st.lists(st.sampled_from(["gzip", "gunzip", "testgunzip"]), max_size=6)
#: Filters before and after an ESI filter, or without one.
FETCHES = st.one_of(CHAINS, st.builds(lambda before, esi, behind: [*before, esi, *behind], CHAINS.filter(lambda names: fits([*names, "esi"])),
                                      st.sampled_from(["esi", "esi_gzip"]), CHAINS))
DELIVERIES = st.lists(st.sampled_from(["gunzip", "br", "zstd"]), max_size=4)


@contextmanager
def with_params(tuning: dict[str, int]) -> Iterator[None]:
    before = {name: getattr(PARAMS, name) for name in tuning}
    for name, value in tuning.items():
        setattr(PARAMS, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(PARAMS, name, value)


def facts_of(body: bytes, drive: Drive) -> Facts | None:
    """Facts about a stored body in gzip coding. None: the body is not in gzip coding."""
    return filtered(["testgunzip"], body, drive).facts


cases = settings(max_examples=CASES, deadline=None, database=None)


# ---- into the store ----


@cases
@given(body=ANY, names=FETCHES, drive=DRIVES, out=DRIVES, tuning=TUNINGS, blocks=st.booleans(), url=st.sampled_from(URLS), o=options)
def test_random_chains_agree_with_the_reference(body: bytes, names: list[str], drive: Drive, out: Drive, tuning: dict[str, int],
                                                blocks: bool, url: bytes, o: Options) -> None:
    with with_params(tuning):
        stored, model = fetched(names, body, drive, url, o, blocks=blocks), model_of(names, body)
        assert (stored.why is not None) == (model is None), stored.why
        if model is None:
            return
        if "esi_gzip" not in names:                 # esi_gzip flushes between runs only
            check_flushes(model, body, stored.body, stored.flushed)
        if names and names[-1] in ("gzip", "esi_gzip"):
            check_facts(stored.facts, facts_of(stored.body, out), blocks or names[-1] == "esi_gzip")
        plain = stored.body
        for layer in reversed(model.layers):        # every way to decode the stored body
            for known in (facts_of(plain, out), None):
                delivered = filtered(["gunzip"], plain, out, DELIVERY, known=known)
                assert delivered.why is None and delivered.body == decode(layer, plain)
            plain = delivered.body
        assert plain == model.plain
        if model.page is not None:
            events, found = events_of(model.page, url, o)
            assert stored.found == found
            if names[-1] in ("esi", "esi_gzip"):
                check_page(stored.recipe, stored.body, events)


def check_facts(told: Facts | None, learned: Facts | None, blocks: bool) -> None:
    """A packer reports the same facts as unpacking, if it was asked for the positions of blocks."""
    assert told is not None and learned is not None
    assert told.numbers() == (learned.numbers() if blocks else (learned.start_bit, 0, 0, learned.plain_bytes))


# ---- out of the store ----


@cases
@given(body=ANY, names=DELIVERIES, drive=DRIVES, tuning=TUNINGS, is_known=st.booleans(), sent=st.sampled_from([1, 1, 1, 0.9, 0.3]))
def test_random_deliveries_agree_with_the_reference(body: bytes, names: list[str], drive: Drive, tuning: dict[str, int], is_known: bool,
                                                    sent: float) -> None:
    """Also of a body that ends early: only the share ``sent`` of it arrives."""
    with with_params(tuning):
        known = facts_of(body, Drive()) if is_known else None
        body = body[:int(sent * len(body)) or 1]
        made, model = filtered(names, body, drive, DELIVERY, known=known), model_of(names, body)
        assert (made.why is not None) == (model is None), made.why
        if model is None:
            return
        check_flushes(model, body, made.body, made.flushed)
        plain: bytes | None = made.body
        for layer in reversed(model.layers):
            assert plain is not None
            plain = decode(layer, plain)
        assert plain == model.plain


# ---- parts of bodies ----


def part_of(body: bytes, drive: Drive) -> tuple[bytes, Sum]:
    """Makes a part of another body: a gzip member stays packed, any other body goes into stored blocks."""
    facts = facts_of(body, drive)
    part = Part()
    if facts is not None and not LIBRARY.stitch_fits(facts, len(body)):
        member = zlib.decompressobj(31)
        member.decompress(body)
        assert not body or member.unused_data
        body, facts = filtered(["gunzip"], body, drive, DELIVERY, known=facts).body, None
    if facts is not None:
        part.facts, part.stored_bytes = facts, len(body)
    made = filtered(["part_plain" if facts is None else "part_gzip"], body, drive, PART, user=part)
    assert made.why is None
    return made.body, part.sum


@cases
@given(bodies=st.lists(st.tuples(st.one_of(BODIES, PACKED), DRIVES), max_size=5), short=st.floats(0, 0.999))
def test_random_bodies_are_stitched(bodies: list[tuple[bytes, Drive]], short: float) -> None:
    """Stitches twice: a stitched body can be a part, too."""
    plain = b"".join(body if (inner := decode("gzip", body)) is None else inner for body, _ in bodies)
    whole = stitched(part_of(body, drive) for body, drive in bodies)
    drive = bodies[0][1] if bodies else Drive()
    assert decode("gzip", whole) == plain
    assert decode("gzip", stitched([part_of(whole, drive)] * 2)) == plain * 2
    facts = facts_of(whole, drive)
    broken = filtered(["part_gzip"], whole[:int(short * len(whole))], drive, PART, user=Part(facts, len(whole)))
    assert broken.why == "Body is shorter than its object"


@cases
@given(page=pages, drive=DRIVES, tuning=TUNINGS, gzipped=st.booleans(), url=st.sampled_from(URLS), o=options,
       fragments=st.lists(st.tuples(st.one_of(BODIES, GZIPPED), DRIVES), min_size=1, max_size=4))
def test_random_pages_are_stitched_with_their_includes(page: bytes, drive: Drive, tuning: dict[str, int], gzipped: bool, url: bytes, o: Options,
                                                       fragments: list[tuple[bytes, Drive]]) -> None:
    with with_params(tuning):
        names = ["gunzip", "esi_gzip"] if gzipped else ["esi_gzip"]
        stored = fetched(names, gzip.compress(page) if gzipped else page, drive, url, o)
        events, found = events_of(page, url, o)
        assert stored.why is None and stored.found == found and decode("gzip", stored.body) == page
        check_page(stored.recipe, stored.body, events)
        parts, plain, n = [], b"", 0
        for piece, event in zip(list(pieces_of(stored.recipe, stored.body))[1:], events, strict=True):
            if piece.kind == "keep":
                parts.append((piece.stored, piece.sum))
                plain += event[1]
            elif piece.kind == "include":
                fragment, cut = fragments[n % len(fragments)]
                parts.append(part_of(fragment, cut))
                plain += fragment if (inner := decode("gzip", fragment)) is None else inner
                n += 1
        assert decode("gzip", stitched(parts)) == plain
