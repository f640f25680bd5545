"""The decoder of HPACK, compared with those of nghttp2 and of the package hpack.

Random sessions: valid blocks in all forms, blocks with changed bytes, other table sizes. All three refuse the
same blocks, and make the same fields and the same table of the others.
``python tests/runtime/stream/test_hpack_reference.py --blocks 1000000`` compares as many blocks as wanted.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import hpack
import pytest
from hpack.huffman import HuffmanEncoder
from hpack.huffman_constants import REQUEST_CODES, REQUEST_CODES_LENGTH

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "build/asan/tests/stream/hpack_blocks"
BLOCK, LIMIT = 0, 1
OK, COMPRESSION_ERROR = 0, 3
STATIC_COUNT = 61
TABLE_SIZES = [4096, 4096, 4096, 0, 31, 32, 64, 100, 300, 1000, 5000, 16384, 65536]
CODE = HuffmanEncoder(REQUEST_CODES, REQUEST_CODES_LENGTH)
NAMES = [b":path", b":authority", b"cookie", b"user-agent", b"x-a", b"x-forwarded-for", b"host", b"Host", b"te", b"",
         b"sec-ch-ua-platform", b"accept", b"a b", b"\xff\x00", b"x-" + b"n" * 130]
VALUES = [b"", b"/", b"/index.html?a=b&c=d", b"www.example.com", b"gzip, deflate, br", b"Mon, 21 Oct 2013 20:13:21 GMT", b"0",
          b"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
          b"\"quoted\"", b"a\r\nb", b" blank ", b"\xc3\xa4\xc3\xb6", b"{<`|^~}>", b"v" * 126, b"v" * 127, b"w" * 128, b"x" * 254, b"y" * 255]

#: A result: kind, bytes of the dynamic table, fields as hpack_blocks.c writes them or the reason.
Result = tuple[int, int, bytes]
Step = tuple[int, "int | bytes"]


def shown(fields: Iterator[tuple[bytes, bytes, bool]]) -> bytes:
    """Fields as hpack_blocks.c writes them."""
    return b"".join(struct.pack("<2I", never, len(name)) + name + struct.pack("<I", len(value)) + value for name, value, never in fields)


# ---- three decoders ----------------------------------------------------------------------------------------


class Ours:
    """The decoder in C, in a child process."""

    def __init__(self) -> None:
        """Build and start the program."""
        subprocess.run(["make", "-s", "-C", str(ROOT), str(PROGRAM.relative_to(ROOT))], check=True)
        self.process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, limit: int, steps: list[Step]) -> list[Result]:
        """The results of the blocks of a session."""
        assert self.process.stdin is not None
        message = [struct.pack("<2I", limit, len(steps))]
        for kind, what in steps:
            message.append(struct.pack("<2I", kind, len(what) if isinstance(what, bytes) else what))
            message.append(what if isinstance(what, bytes) else b"")
        self.process.stdin.write(b"".join(message))
        self.process.stdin.flush()
        return [self.result() for kind, _ in steps if kind == BLOCK]

    def result(self) -> Result:
        """Read one result."""
        assert self.process.stdout is not None
        head = self.process.stdout.read(12)
        assert len(head) == 12, f"the decoder ended: {self.process.wait()}"
        kind, table, n = struct.unpack("<3I", head)
        return kind, table, self.process.stdout.read(n)

    def close(self) -> None:
        """End the program. Under ASan it reports leaks."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait() == 0


class Pair(ctypes.Structure):
    """A field of nghttp2."""

    _fields_ = (("name", ctypes.POINTER(ctypes.c_char)), ("value", ctypes.POINTER(ctypes.c_char)), ("namelen", ctypes.c_size_t),
                ("valuelen", ctypes.c_size_t), ("flags", ctypes.c_uint8))


class Nghttp2:
    """The decoder of libnghttp2, one per session."""

    FINAL, EMIT = 1, 2      # flags of nghttp2_hd_inflate_hd2
    library: ctypes.CDLL | None = None

    def __init__(self, limit: int) -> None:
        """Start with the table of RFC 9113; the peer may make it as large as ``limit``."""
        if Nghttp2.library is None:
            Nghttp2.library = library = ctypes.CDLL("libnghttp2.so.14")
            library.nghttp2_hd_inflate_hd2.restype = ctypes.c_ssize_t
            library.nghttp2_hd_inflate_hd2.argtypes = [ctypes.c_void_p, ctypes.POINTER(Pair), ctypes.POINTER(ctypes.c_int), ctypes.c_void_p,
                                                       ctypes.c_size_t, ctypes.c_int]
            library.nghttp2_hd_inflate_get_dynamic_table_size.restype = ctypes.c_size_t
            for function in (library.nghttp2_hd_inflate_get_dynamic_table_size, library.nghttp2_hd_inflate_end_headers,
                             library.nghttp2_hd_inflate_del):
                function.argtypes = [ctypes.c_void_p]
            library.nghttp2_hd_inflate_change_table_size.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self.library, self.state, self.pair, self.flags = Nghttp2.library, ctypes.c_void_p(), Pair(), ctypes.c_int()
        assert self.library.nghttp2_hd_inflate_new(ctypes.byref(self.state)) == 0
        self.limit(max(limit, 4096))

    def limit(self, n: int) -> None:
        """The peer has acknowledged this table size."""
        assert self.library.nghttp2_hd_inflate_change_table_size(self.state, n) == 0

    def decode(self, block: bytes) -> Result:
        """The result of one block."""
        memory = ctypes.create_string_buffer(block, len(block) or 1)
        at, end, pair, flags = ctypes.addressof(memory), ctypes.addressof(memory) + len(block), self.pair, self.flags
        fields: list[tuple[bytes, bytes, bool]] = []
        while True:
            flags.value = 0
            n = self.library.nghttp2_hd_inflate_hd2(self.state, ctypes.byref(pair), ctypes.byref(flags), at, end - at, 1)
            if n < 0:
                return COMPRESSION_ERROR, 0, b""
            at += n
            if flags.value & self.EMIT:
                fields.append((ctypes.string_at(pair.name, pair.namelen), ctypes.string_at(pair.value, pair.valuelen), bool(pair.flags & 1)))
            if flags.value & self.FINAL:
                break
        self.library.nghttp2_hd_inflate_end_headers(self.state)
        return OK, self.library.nghttp2_hd_inflate_get_dynamic_table_size(self.state), shown(iter(fields))

    def close(self) -> None:
        """Free its memory."""
        self.library.nghttp2_hd_inflate_del(self.state)


class Package:
    """The decoder of the package hpack, one per session."""

    def __init__(self, limit: int) -> None:
        """Start as Nghttp2 does."""
        self.decoder = hpack.Decoder(max_header_list_size=1 << 40)
        self.limit(max(limit, 4096))

    def limit(self, n: int) -> None:
        """The peer has acknowledged this table size."""
        self.decoder.max_allowed_table_size = n

    def decode(self, block: bytes) -> Result:
        """The result of one block."""
        try:
            fields = list(self.decoder.decode(block, raw=True))
        except hpack.HPACKError:
            return COMPRESSION_ERROR, 0, b""
        return OK, self.decoder.header_table._current_size, shown(
            (bytes(f[0]), bytes(f[1]), not f.indexable) for f in fields)

    def entries(self) -> int:
        """How many entries the dynamic table has."""
        return len(self.decoder.header_table.dynamic_entries)


# ---- random blocks -----------------------------------------------------------------------------------------


class Maker:
    """Makes blocks."""

    def __init__(self, seed: int) -> None:
        """Equal seeds make equal blocks."""
        self.chance = random.Random(seed)

    def integer(self, n: int, bits: int, kind: int) -> bytes:
        """An integer of RFC 7541, 5.1, sometimes with zeros that it does not need."""
        most = (1 << bits) - 1
        if n < most:
            return bytes([kind | n])
        out, n = [kind | most], n - most
        while n >= 128:
            out.append(n & 127 | 128)
            n >>= 7
        zeros = self.chance.randrange(1, 5) if self.chance.random() < 0.02 else 0
        return bytes([*out, *([n | 128] + [128] * (zeros - 1) + [0] if zeros else [n])])

    def text(self, text: bytes) -> bytes:
        """A text, plain or in Huffman code."""
        if self.chance.random() < 0.5:
            return self.integer(len(text), 7, 0) + text
        code = CODE.encode(text)
        return self.integer(len(code), 7, 0x80) + code

    def value(self) -> bytes:
        """A value: usual, random text, random bytes, long."""
        c, kind = self.chance, self.chance.random()
        if kind < 0.7:
            return c.choice(VALUES)
        n = c.randrange(3000) if kind > 0.99 else c.randrange(40)
        return c.randbytes(n) if kind < 0.85 else bytes(c.choices(b"abcdefghij0123456789-_.~/?&=%;, \"(){}", k=n))

    def field(self, entries: int) -> bytes:
        """A field in one of its forms; the peer's dynamic table has so many entries."""
        c, kind = self.chance, self.chance.random()
        index = STATIC_COUNT + c.randrange(1, entries + 1) if entries > 0 and c.random() < 0.5 else c.randrange(1, STATIC_COUNT + 1)
        if kind < 0.5:
            return self.integer(index, 7, 0x80)
        bits, first = c.choice([(6, 0x40), (6, 0x40), (4, 0x00), (4, 0x10)])
        name = self.integer(index, bits, first) if c.random() < 0.5 else bytes([first]) + self.text(self.name())
        return name + self.text(self.value())

    def name(self) -> bytes:
        """A name."""
        return self.chance.choice(NAMES) if self.chance.random() < 0.8 else self.chance.randbytes(self.chance.randrange(12))

    def block(self, entries: int, limit: int, due: bool) -> bytes:
        """A valid block: additions to the table move the numbers of its entries only within their range."""
        c = self.chance
        updates = [c.choice([limit, limit // 2, 0, c.randrange(limit + 1)]) for _ in range(c.randrange(1, 4))] if due or c.random() < 0.03 else []
        if updates and min(updates) < 4096:
            entries = 0
        fields = [self.field(entries) for _ in range(c.randrange(0 if not due else 1, 12))]
        return b"".join([self.integer(n, 5, 0x20) for n in updates] + fields)

    def changed(self, block: bytes) -> bytes:
        """A block with one mistake or a few, perhaps."""
        c, b = self.chance, bytearray(block)
        for _ in range(c.choice([1, 1, 1, 2, 5])):
            at, kind = c.randrange(len(b) + 1), c.randrange(7)
            if kind == 0:
                b = b[:at]
            elif kind == 1:
                b[at:at] = c.randbytes(c.randrange(1, 6))
            elif kind == 2:
                del b[at:at + c.randrange(1, 4)]
            elif kind == 3:
                b[at:at] = bytes([c.choice([0x80, 0xff, 0x7f, 0x3f, 0x20, 0x0f, 0x1f, 0x00])])
            elif at < len(b):
                b[at] = b[at] ^ 1 << c.randrange(8) if kind < 6 else c.choice([0, 0x7f, 0x80, 0xff])
        return bytes(b)


def session(maker: Maker) -> tuple[int, list[Step], list[Result]]:
    """Makes a session and compares the two other decoders: its limit, steps and results. A mistake ends it."""
    c = maker.chance
    limit = c.choice(TABLE_SIZES)
    package, nghttp2 = Package(limit), Nghttp2(limit)
    steps: list[Step] = []
    results: list[Result] = []
    allowed, due = max(limit, 4096), False
    while len(steps) < 40:
        if c.random() < 0.05:
            allowed = c.choice(TABLE_SIZES)
            due = allowed < package.decoder.header_table_size
            steps.append((LIMIT, allowed))
            package.limit(allowed)
            nghttp2.limit(allowed)
        block = maker.block(package.entries(), allowed, due)
        if c.random() < 0.1:
            block = maker.changed(block) or b"\x82"
        elif c.random() < 0.01:
            block = c.randbytes(c.randrange(1, 60))
        steps.append((BLOCK, block))
        one, other = package.decode(block), nghttp2.decode(block)
        assert one == other, f"hpack and nghttp2 differ: {limit} {steps}"
        results.append(one)
        due = False
        if one[0] != OK:
            break
    nghttp2.close()
    return limit, steps, results


def compare(ours: Ours, blocks: int, seed: int) -> Counter[str]:
    """Compares at least so many blocks. Counts results, by the reason for those that are wrong."""
    maker, counts = Maker(seed), Counter[str]()
    while counts.total() < blocks:
        limit, steps, wanted = session(maker)
        for result, want in zip(ours.run(limit, steps), wanted, strict=True):
            wrong = result[0] == COMPRESSION_ERROR
            counts[result[2].decode() if wrong else "fields"] += 1
            assert result[0] == want[0], f"{limit} {steps}: {result} {want}"
            assert wrong or result == want, f"{limit} {steps}: {result} {want}"
    return counts


# ---- tests -------------------------------------------------------------------------------------------------

#: Every reason that the decoder can give.
REASONS = {
    "index is 0", "index is beyond the table", "integer is too large", "block ends within an integer", "block ends within a field",
    "text is longer than its block", "table size update is not at the beginning of a block",
    "table size is above SETTINGS_HEADER_TABLE_SIZE", "block does not begin with the table size update that is due",
    "Huffman padding is not all ones", "Huffman padding is longer than 7 bits", "Huffman text contains EOS",
}


@pytest.fixture(scope="module")
def ours() -> Iterator[Ours]:
    """Start one decoder for all sessions."""
    made = Ours()
    yield made
    made.close()


@pytest.mark.slow
def test_blocks_are_decoded_and_refused_as_by_nghttp2_and_by_the_package_hpack(ours: Ours) -> None:
    """Fields, table sizes and refusals are the same."""
    counts = compare(ours, 20_000, seed=1)
    assert counts["fields"] > 15_000
    assert set(counts) - {"fields"} <= REASONS


def main() -> None:
    """Compare many blocks and print how many had which result."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--blocks", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=1)
    a = arguments.parse_args()
    ours, begin = Ours(), time.monotonic()
    counts = compare(ours, a.blocks, a.seed)
    ours.close()
    for what, n in counts.most_common():
        print(f"{n:9} {what}")
    print(f"{counts.total()} blocks in {time.monotonic() - begin:.0f} s, no difference")


if __name__ == "__main__":
    sys.exit(main())
