"""Partial objects, compared with a model: every byte that a client gets is the origin's, and all bytes of a
response are of one version.

Clients request random ranges, some of them concurrently. Between requests the origin changes its content,
truncates responses or ignores Range, and purges happen.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.origin import Client, Reply, Request, Response
from proxy.range_origin import SEGMENT, RangeOrigin, asked, content, in_two
from proxy.test_partial import Setting, setting

TOTALS = (SEGMENT // 2, SEGMENT, 5 * SEGMENT, 7 * SEGMENT + 123)
PLACES = [n for k in range(9) for n in (k * SEGMENT - 1, k * SEGMENT, k * SEGMENT + 17) if n >= 0]


@dataclass(frozen=True, slots=True)
class Get:
    range: str | None


@dataclass(frozen=True, slots=True)
class AtOnce:
    gets: tuple[Get, ...]


@dataclass(frozen=True, slots=True)
class Origins:
    """A change of the origin's behaviour: another version, of the same length (which is harder to
    distinguish) or another, and its treatment of Range."""

    total: int | None = None            # None: the version stays
    ignores: bool = False
    careless: bool = False              # ignores If-Range
    cut: int | None = None              # bytes of the next part to send before a cut


PURGE = "purge"

place = st.sampled_from(PLACES)
gets = st.one_of(
    st.just(Get(None)),
    st.builds(lambda a, b: Get(f"{min(a, b)}-{max(a, b)}"), place, place),
    st.builds(lambda a: Get(f"{a}-"), place),
    st.builds(lambda a: Get(f"-{a}"), place),
)
origins = st.builds(Origins, st.sampled_from([None, *4 * [TOTALS[-1]], *TOTALS]), st.sampled_from([False, False, True]), st.booleans(),
                    st.sampled_from([*4 * [None], 0, 1, 100, SEGMENT + 5]))
steps = st.lists(st.one_of(gets, gets, gets, st.builds(AtOnce, st.tuples(gets, gets, gets)), origins, st.just(PURGE)), min_size=2, max_size=12)


class Run:
    """One list of steps, on its own URL."""

    def __init__(self, s: Setting) -> None:
        self.s = s
        self.versions: dict[int, int] = {}          # total length of each version
        self.oldest = 1                             # responses must be of this version or a later one
        self.script = RangeOrigin()
        self.lock = threading.Lock()
        self.cut: int | None = None
        self.script.twist = self.twist
        s.origin.handler = self.script
        self.change(TOTALS[-1])

    def change(self, total: int) -> None:
        self.script.version, self.script.total = len(self.versions) + 1, total
        self.versions[self.script.version] = total

    def twist(self, reply: Reply, request: Request) -> Reply:
        with self.lock:
            cut, self.cut = self.cut, None
        return reply if cut is None or cut >= len(reply.body) else in_two(reply, cut, lambda: None)

    def get(self, what: Get) -> None:
        field = "" if what.range is None else f"Range: bytes={what.range}\r\n"
        body = b""
        with Client(self.s.daemon.port_cached) as c:
            c.send(f"GET {self.s.url} HTTP/1.1\r\nHost: example.com\r\n{field}\r\n".encode())
            head = c.head()
            length = int(head.get("Content-Length") or 0)
            try:
                while len(body) < length:
                    piece = c.stream.read1(length - len(body))      # type: ignore[attr-defined]
                    if not piece:
                        break
                    body += piece
            except ConnectionResetError:
                pass
        self.check(what, head, body)

    def check(self, what: Get, head: Response, body: bytes) -> None:
        if head.status in (416, 503):
            return
        version = int((head.get("ETag") or '"v0"').strip('"v'))
        assert version >= self.oldest, f"{what}: version {version} was purged"
        total = self.versions[version]
        wanted = asked(Request("GET", "", "", {"range": f"bytes={what.range}"}, b"", 0), total)
        first, last = wanted if wanted is not None and head.status == 206 else (0, total - 1)
        expected = content(version, total)[first:last + 1]
        assert head.status == (200 if what.range is None else 206)
        if head.status == 206:
            assert head.get("Content-Range") == f"bytes {first}-{last}/{total}"
        assert head.get("Content-Length") == str(len(expected))
        assert expected.startswith(body), f"{what} of version {version}"      # shorter only if it was cut

    def step(self, what: object) -> None:
        match what:
            case Get():
                self.get(what)
            case AtOnce():
                with ThreadPoolExecutor(3) as pool:
                    for done in [pool.submit(self.get, one) for one in what.gets]:
                        done.result()
            case Origins():
                if what.total is not None:
                    self.change(what.total)
                self.script.ignores, self.script.careless, self.cut = what.ignores, what.careless, what.cut
            case _:
                assert self.s.get(method="PURGE").status == 200
                self.oldest = self.script.version


numbers = count()


@pytest.fixture(scope="module")
def two_loops() -> Iterator[Setting]:
    with setting() as (origin, daemon):
        yield Setting(origin, daemon, RangeOrigin())


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(what=steps)
def test_every_byte_of_a_response_is_from_one_version_of_the_origin(two_loops: Setting, what: list[object]) -> None:
    two_loops.url = f"/model{next(numbers)}"
    run = Run(two_loops)
    for step in what:
        run.step(step)
    run.step(Origins())
    run.step(PURGE)
    run.step(Get(None))
