"""A migrated policy stores, passes and answers as before: whole requests to both images, with a cache and an origin. The
line `caching 4.1;` is what keeps this: without it, each kind differs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from same_answers import Different, Step, difference, image_of, scenes
from same_behaviour import Requests
from test_migrate import POLICIES, ROOT, compilation, migrated

from vernis.ir.lower import lower
from vernis.pipeline import CHECK, run_stages
from vernis.trial.world import Host

LINE = b"caching 4.1;\n"
BACKEND = 'vcl 4.1; backend default { .host = "192.0.2.1"; }\n'
STORES = "sub vcl_backend_response { return (deliver); }"


@dataclass(slots=True)
class Images:
    before: Path
    after: Path
    without_line: Path


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


def images(tmp_path: Path, policy: Path) -> Images:
    made = migrated(policy)
    assert made.refused is None, made.refused.diagnostics.items
    main = str(policy)
    assert made.texts[main].count(LINE) == 1
    texts = [{}, made.texts, made.texts | {main: made.texts[main].replace(LINE, b"")}]
    paths = [image_of(compilation(policy, text), tmp_path / f"{number}.so") for number, text in enumerate(texts)]
    return Images(*paths)


def step(asked: str = "", answered: str = "", method: str = "GET", wait_s: float = 0, status: int = 200) -> Step:
    """A request with these fields, and an answer with those."""
    head = f"{method} /a HTTP/1.1\r\nHost: a\r\n{asked}"
    answer = f"HTTP/1.1 {status} OK\r\nContent-Length: 1\r\n{answered}"
    return Step(wait_s, *(f"{one}\r\n".replace("\r\n\r\n\r\n", "\r\n\r\n").encode() for one in (head, answer)), b"x", "")


OLD = "Last-Modified: Sat, 01 Jan 2022 00:00:00 GMT\r\n"
FRESH = "Cache-Control: max-age=100\r\n"
KINDS = {  # a policy, and requests whose results depend on the rules of caching
    "a reload of a browser": ("", [step(answered=FRESH), step("Cache-Control: no-cache\r\n", FRESH)]),
    "a reload with max-age=0": ("", [step(answered=FRESH), step("Cache-Control: max-age=0\r\n", FRESH)]),
    "a client that wants no storing": ("", [step("Cache-Control: no-store\r\n", FRESH), step(answered=FRESH)]),
    "a client that waits for no origin": ("", [step("Cache-Control: only-if-cached\r\n", FRESH)]),
    "a file with Last-Modified alone": ("", [step(answered=OLD), step(answered=OLD, wait_s=130)]),
    "private": (STORES, [step(answered="Cache-Control: private, max-age=60\r\n")] * 2),
    "no-store": (STORES, [step(answered="Cache-Control: no-store\r\n")] * 2),
    "no-cache": (STORES, [step(answered="Cache-Control: no-cache, max-age=60\r\n")] * 2),
    "Set-Cookie": (STORES, [step(answered="Set-Cookie: a=b\r\n")] * 2),
    "a POST that is looked up": ("sub vcl_recv { return (hash); }", [step(answered=FRESH), step(answered=FRESH, method="POST"), step()]),
    "a page for a cookie": ("sub vcl_recv { return (hash); }", [step("Cookie: a=b\r\n", FRESH), step("Cookie: a=c\r\n", FRESH)]),
    "a page for a login": ("sub vcl_recv { return (hash); }", [step("Authorization: a\r\n", FRESH)] * 2),
    "a POST that is passed": ("", [step(answered=FRESH), step(method="POST"), step(answered=FRESH)]),
    "grace": ("", [step(answered="Cache-Control: max-age=1\r\n"), step(answered=FRESH, wait_s=5)]),
    "an error": ("", [step(status=404), step(status=404, wait_s=60)]),
    "an unknown method": ("", [step(method="PURGE")]),
    "a step of the built-in policy": ("sub vcl_req_cookie { return; } sub vcl_recv { return (hash); }", [step("Authorization: a\r\n", FRESH)] * 2),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_line_keeps_the_caching_of_4_1(kind: str, tmp_path: Path, host: Host) -> None:
    text, steps = KINDS[kind]
    policy = tmp_path / "p.vcl"
    policy.write_text(BACKEND + text + "\n")
    made = images(tmp_path, policy)
    assert difference(made.before, made.after, host, [steps]) is None
    assert difference(made.before, made.without_line, host, [steps]) is not None


def compared(policy: Path, tmp_path: Path, host: Host, n: int) -> tuple[Different | None, Different | None]:
    """The first difference of the migrated policy, and of the same without the line."""
    made = images(tmp_path, policy)
    read = run_stages(compilation(policy, {}), CHECK).checked
    assert read is not None
    rng = random.Random(1)
    found = list(scenes(Requests(lower(read), rng), rng, n))
    return difference(made.before, made.after, host, found), difference(made.before, made.without_line, host, found)


@pytest.mark.parametrize("name", POLICIES)
def test_our_policies_answer_the_same(name: str, tmp_path: Path, host: Host) -> None:
    same, other = compared(ROOT / name, tmp_path, host, 1000)
    assert same is None
    assert other is not None and "requests: after" in str(other)
