"""Sends the same requests to two images in memory, and compares what clients and origins get, and what is stored.

The requests come in scenes: one URL several times, with each form of a client's Cache-Control, while time passes. The
answers of the origin carry each form of Cache-Control, Expires, Set-Cookie, Vary and status; each has another body, so
that a hit shows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path

from same_behaviour import Requests

from vernis.observe.tags import NUMBERS
from vernis.pipeline import Compilation, compile_policy
from vernis.semantics.phrases import reason_of
from vernis.trial.world import NOW, Answer, Host, World, WorldError

NEWLINE = "\r\n"
ANSWERS_OF_WORLD = 200      # a world takes 256
TAGS = {NUMBERS[name]: name for name in ("VCL_call", "TTL")}
FRAMING = (b"host", b"content-length", b"transfer-encoding", b"connection", b"expect", b"upgrade")
LEFT_OUT = (b"x-varnish",)      # has the number of the transaction, which a reload changes too

Field = tuple[str, str]


def _dates(*seconds: int) -> list[str]:
    return [formatdate(NOW + one, usegmt=True) for one in seconds]


#: Fields of the origin, each with its values. An empty one: without the field.
ANSWERED = {
    "Cache-Control": [
        "", "", "max-age=60", "max-age=0", "public", "public, max-age=300", "private", "private, max-age=60", "no-store", "no-store, max-age=60",
        "no-cache", "no-cache, max-age=60", "s-maxage=10, max-age=600", "s-maxage=0", "must-revalidate, max-age=5", 'private="X-A", max-age=60',
        'no-cache="Set-Cookie", max-age=60', "max-age=5, stale-while-revalidate=30", "max-age=5, stale-if-error=100", "must-understand, no-store, max-age=60",
        "immutable, max-age=31536000", "no-store, no-cache, must-revalidate, max-age=0", "max-age=x", "Private",
    ],
    "Expires": ["", "", "", "", "0", *_dates(-100, 50, 5000)],
    "Set-Cookie": ["", "", "", "sid=1", "sid=1; Path=/; Secure"],
    "Vary": ["", "", "", "", "", "", "Accept-Encoding", "Cookie", "Accept-Language", "User-Agent", "*"],
    "Last-Modified": ["", "", *_dates(-86400 * 300, -60)],
    "ETag": ["", "", '"1"', 'W/"1"'],
    "Age": ["", "", "", "", "30", "1000"],
    "Surrogate-Control": ["", "", "", "", "", "no-store", "max-age=60"],
    "Pragma": ["", "", "", "no-cache"],
    "X-A": ["", "1"],
    "Content-Type": ["text/html", "text/css", "image/png", "application/json"],
}
STATUSES = [200] * 40 + [203, 204, 301, 302, 303, 307, 308, 400, 401, 403, 404, 404, 410, 414, 418, 500, 501, 502, 503, 504]
#: Fields of a client.
ASKED = {
    "Cache-Control": ["", "", "", "no-cache", "max-age=0", "no-store", "max-age=5", "max-age=100000", "min-fresh=50", "max-stale", "max-stale=1000",
                      "only-if-cached", "no-transform", "no-cache, max-age=0"],
    "Pragma": ["", "", "", "no-cache"],
    "Cookie": [""] * 10 + ["sid=1", "sid=2", "lang=de; sid=1"],
    "Authorization": [""] * 10 + ["Basic YTpi"],
    "Accept-Encoding": ["", "gzip", "gzip, deflate, br"],
    "Accept-Language": ["", "de", "en, de;q=0.5"],
    "User-Agent": ["", "Mozilla/5.0", "curl/8.0"],
    "If-None-Match": ["", "", "", "", '"1"'],
    "If-Modified-Since": ["", "", "", "", *_dates(-10)],
    "Range": ["", "", "", "", "", "bytes=0-1", "bytes=0-0,2-2"],
}
METHODS = ["GET"] * 60 + ["HEAD", "HEAD", "POST", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PURGE", "BAN", "REFRESH"]
URLS = ["/", "/a", "/a.css", "/b.png?v=1", "/c?b=2&a=1", "/wp-admin/", "/cart", "/api/1"]
HOSTS = ["www.example.com", "Example.COM", "m.example.org"]
WAITS = [0.0] * 8 + [1.0, 1.0, 7.0, 40.0, 70.0, 130.0, 400.0, 4000.0, 90000.0]


@dataclass(slots=True, frozen=True)
class Step:
    """A request after a wait, and the answer of the origin if it is asked."""

    wait_s: float
    head: bytes
    answer: bytes
    body: bytes
    fails: str

    def __str__(self) -> str:
        origin = self.fails or self.answer.decode("latin-1").strip().replace("\r\n", "; ")
        return f"after {self.wait_s:g} s {self.head.decode('latin-1').strip().replace(NEWLINE, '; ')}, and the origin {origin}"


@dataclass(slots=True)
class Different:
    """``said`` is what became what, at the last of these steps of a scene."""

    said: str
    steps: list[Step]

    def __str__(self) -> str:
        return f"{self.said}; requests: {' | '.join(map(str, self.steps))}"


def scenes(requests: Requests, rng: random.Random, n: int) -> Iterator[list[Step]]:
    """Scenes of ``n`` requests together."""
    number = 0
    while number < n:
        url, host = _url(requests, rng), rng.choice(HOSTS)
        answered, asked = _drawn(ANSWERED, rng), _drawn(ASKED, rng)
        share = rng.choice((0.0, 0.0, 0.1, 0.5))
        more = [(name.decode(), requests.text().decode()) for name in requests.names if name.lower() not in FRAMING and rng.random() < share]
        steps = []
        for _ in range(min(rng.randrange(2, 8), n - number)):
            number += 1
            if rng.random() < 0.3:
                answered = _drawn(ANSWERED, rng)
            mine = {name: value for name, value in asked.items() if name == "Cookie" or rng.random() < 0.7}
            mine["Cache-Control"] = rng.choice(ASKED["Cache-Control"])
            fields = [("Host", host), *((name, value) for name, value in mine.items() if value), *(more if rng.random() < 0.7 else [])]
            method = rng.choice(METHODS)
            status = rng.choice(STATUSES)
            fails = rng.choice(("", "", "", "", "", "", "", "", "", "refuses"))
            body = b"" if status == 204 else f"answer {number}".encode()
            length = {} if status == 204 else {"Content-Length": str(len(body))}
            answer = _head(f"HTTP/1.1 {status} {reason_of(status)}", answered | length)
            head = _head(f"{method} {url} HTTP/1.1", dict(fields))
            steps.append(Step(rng.choice(WAITS), head, answer, body, fails))
        yield steps


def _head(line: str, fields: dict[str, str]) -> bytes:
    lines = [line, *(f"{name}: {value}" for name, value in fields.items() if value)]
    return "".join(f"{one}\r\n" for one in [*lines, ""]).encode("latin-1", "replace")


def _drawn(table: dict[str, list[str]], rng: random.Random) -> dict[str, str]:
    return {name: rng.choice(values) for name, values in table.items()}


def _url(requests: Requests, rng: random.Random) -> str:
    """A URL without a parameter twice: a note of the migration tells what sorting makes of it."""
    if rng.random() < 0.5:
        return rng.choice(URLS)
    text = "/" + requests.text().decode().lstrip("/")
    return "".join(c for c in text.partition("?")[0] if c.isalnum() or c in "/._-") + rng.choice(("", "?x=1", "?utm_source=a&b=2"))


def image_of(run: Compilation, path: Path) -> Path:
    """Compiles a policy to an image."""
    run.image = path
    compile_policy(run)
    assert not run.failed, run.diagnostics.items
    return path


def difference(before: Path, after: Path, host: Host, all_scenes: list[list[Step]]) -> Different | None:
    """The first difference between two images."""
    for scene, one, other in zip(all_scenes, results(before, host, all_scenes), results(after, host, all_scenes), strict=True):
        for number, (old, new) in enumerate(zip(one, other, strict=True)):
            if old != new:
                said = [f"{key}: {old.get(key)!r} became {new.get(key)!r}" for key in old | new if old.get(key) != new.get(key)]
                return Different("; ".join(said), scene[: number + 1])
    return None


def results(image: Path, host: Host, all_scenes: list[list[Step]]) -> list[list[dict[str, object]]]:
    """What each request did."""
    found: list[list[dict[str, object]]] = []
    left = list(all_scenes)
    while left:
        size, batch = 0, []
        while left and size + len(left[0]) <= ANSWERS_OF_WORLD:
            batch.append(left.pop(0))
            size += len(batch[-1])
        try:
            with host.world(image) as world:
                found += [[_result(world, step) for step in scene] for scene in batch]
        except WorldError as error:
            found += [[{"world": str(error)} for _ in scene] for scene in batch[len(found):]]
            return found + [[{"world": str(error)} for _ in scene] for scene in all_scenes[len(found):]]
    return found


def _result(world: World, step: Step) -> dict[str, object]:
    world.advance(step.wait_s)
    world.retire_answers()
    world.answer(Answer(head=step.answer, body=step.body, fails=step.fails))
    try:
        got = world.request(step.head)
    except WorldError as error:
        return {"refused": str(error)}
    calls = [(TAGS[record.tag], record.text) for record in world.records(TAGS)]
    asked = [(one.backend, one.method, one.url, _kept(one.fields)) for one in world.asked()]
    return {
        "steps": [text.decode("latin-1") for name, text in calls if name == "VCL_call"],
        "lifetimes": [text.decode("latin-1") for name, text in calls if name == "TTL"],
        "status": got.status, "fields": _kept(got.fields), "body": got.body, "reset": got.was_reset, "tunnel": got.was_tunnel, "origin": asked,
    }


def _kept(fields: tuple[tuple[bytes, bytes], ...]) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in fields if name.lower() not in LEFT_OUT]
