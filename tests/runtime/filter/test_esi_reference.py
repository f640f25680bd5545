"""The ESI parser, compared with a slow one in Python on random pages with random cuts.

``python tests/runtime/filter/test_esi_reference.py --cases 100000`` runs as many cases as wanted.
"""

from __future__ import annotations

import argparse
import random
import struct
import subprocess
import sys
from dataclasses import astuple
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from esi_reference import Event, Options, parse

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "build/asan/tests/filter/esi_events"
WORDS = [
    b"<esi:include src=\"/a\"/>", b"<esi:include src='b?c'/>", b"<esi:include", b" src=", b" onerror=", b"\"continue\"", b"'continue'",
    b"continue ", b"\"http://h/p\"", b"\"https://h/p&amp;q&lt;\"", b"\"http://h\"", b"\"/x y\"", b"x", b" ", b"\t", b"\n", b"\r", b"\"", b"'",
    b"/>", b">", b"/", b"=", b"<", b"<esi:remove>", b"</esi:remove>", b"<esi:remove", b"<esi:remove/>", b"<esi:comment text=\"a\"/>",
    b"<esi:comment>", b"</esi:comment>", b"<esi:", b"</esi:", b"include", b"remove", b"comment", b"<!--esi", b"<!--", b"-->", b"<!---->", b"-",
    b"--", b"!", b"<!", b"<![CDATA[", b"]]>", b"]", b"<p>", b"</p>", b"<p a=b>", b"text", b"\xef\xbb\xbf", b"\xeb\xbb\xbf", b"\xef", b"\xeb\xbb",
    b"\x00", b"\x7f", b"\xc3\xa4", b"&amp;", b"&apos;", b"&quot;", b"&gt;", b"&", b"esi:", b"aa", b"<vars>", b"<esi:vars>", b"src", b"on",
]
URLS = [b"/", b"/a/b?c/d", b"x", b"x?y/z", b"", b"/dir/"]

pages = st.lists(st.one_of(st.sampled_from(WORDS), st.binary(max_size=3)), max_size=40).map(b"".join)
options = st.builds(Options, st.booleans(), st.booleans(), st.booleans(), st.booleans())


class Parser:
    """The parser in C, in a child process."""

    def __init__(self) -> None:
        """Build and start the program."""
        subprocess.run(["make", "-s", "-C", str(ROOT), str(PROGRAM.relative_to(ROOT))], check=True)
        self.process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def parse(self, page: bytes, url: bytes, o: Options, cuts: list[int]) -> list[Event]:
        """Return the events of a page. The page is sent in pieces of these lengths, then the rest."""
        assert self.process.stdin is not None
        bits = sum(bool(bit) << i for i, bit in enumerate(astuple(o)))
        head = struct.pack("<4I", bits, len(url), len(page), len(cuts))
        self.process.stdin.write(head + url + page + struct.pack(f"<{len(cuts)}I", *cuts))
        self.process.stdin.flush()
        events: list[Event] = []
        host = b""
        while not events or events[-1][0] != "found":
            kind, text = self.event()
            if kind == b"h":
                host = text
                continue
            events.append({
                b"k": ("keep", text), b"s": ("skip", text), b"i": ("include", host, text, False), b"c": ("include", host, text, True),
                b"m": ("say", text.decode("latin-1")), b"f": ("found", bool(text)),
            }[kind])
        return events

    def event(self) -> tuple[bytes, bytes]:
        """Read one event."""
        assert self.process.stdout is not None
        head = self.process.stdout.read(5)
        assert len(head) == 5, f"the parser ended: {self.process.wait()}"
        return head[:1], self.process.stdout.read(struct.unpack("<I", head[1:])[0])

    def close(self) -> None:
        """End the program. Under ASan it reports leaks."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait() == 0


@pytest.fixture(scope="module")
def parser():
    """Start one parser for all cases."""
    p = Parser()
    yield p
    p.close()


def cuts_of(page: bytes, places: list[int]) -> list[int]:
    """Lengths of the pieces that end at these positions."""
    ends = sorted(p % (len(page) + 1) for p in places)
    return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]


@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(page=pages, url=st.sampled_from(URLS), o=options, places=st.lists(st.integers(0, 1 << 16), max_size=8))
@pytest.mark.slow
def test_random_pages_cut_at_random_places_are_parsed_as_by_the_reference(parser, page, url, o, places):
    """Runs, includes and messages are the same."""
    assert parser.parse(page, url, o, cuts_of(page, places)) == parse(page, url, o)


@pytest.mark.parametrize("o", [Options(), Options(True, True, True, True)], ids=["plain", "all-options"])
def test_a_cut_at_any_place_makes_no_difference(parser, o):
    """Cuts the page at each position, and after every byte."""
    page = b"\xef\xbb\xbf \n<html>" + b"".join(WORDS)
    whole = parser.parse(page, b"/a/b", o, [])
    assert whole == parse(page, b"/a/b", o)
    for i in range(len(page) + 1):
        assert parser.parse(page, b"/a/b", o, [i]) == whole
    assert parser.parse(page, b"/a/b", o, [1] * len(page)) == whole


def test_values_and_targets_have_a_limit(parser):
    """A value, or the target made from it, that is one byte longer than the limit is an error."""
    for n in (8190, 8191, 8192, 8193):
        for src in (b"/" + b"a" * (n - 1), b"a" * n):
            page = b"<esi:include src=\"" + src + b"\"/>"
            assert parser.parse(page, b"/d/x", Options(), [5000]) == parse(page, b"/d/x", Options())


def main() -> None:
    """Run many cases and print their number."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cases", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=1)
    a = arguments.parse_args()
    chance, parser = random.Random(a.seed), Parser()
    for n in range(a.cases):
        page = b"".join(chance.choice(WORDS) for _ in range(chance.randrange(60)))
        o = Options(*(chance.random() < 0.3 for _ in range(4)))
        url, places = chance.choice(URLS), [chance.randrange(1 << 16) for _ in range(chance.randrange(9))]
        if parser.parse(page, url, o, cuts_of(page, places)) != parse(page, url, o):
            sys.exit(f"case {n}: {page!r} {url!r} {o} {places}")
    parser.close()
    print(f"{a.cases} cases, no difference")


if __name__ == "__main__":
    main()
