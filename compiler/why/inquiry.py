"""An inquiry: a policy, the request to explain, the requests before it, and the answers of the origin."""

from __future__ import annotations

from collections.abc import Mapping

from vernis.pipeline import Options
from vernis.record import field, record
from vernis.semantics.phrases import reason_of
from vernis.trial.world import HTTP1, NOW

Fields = tuple[tuple[str, str], ...]  # names and values in their order; Latin-1

DEFAULT_HOST = "example.com"
CLIENT = "192.0.2.1"


@record(frozen=True)
class Given:
    """The answer of the origin. ``fails`` is one of world.FAILURES, ``failure`` the words of a daemon's
    log."""

    status: int = 200
    fields: Fields = ()
    body: bytes = b""
    fails: str = ""
    failure: str = ""

    def head(self) -> bytes:
        lines = [f"HTTP/1.1 {self.status} {reason_of(self.status)}", *field_lines(self.fields)]
        if self.status not in (204, 304) and value_of(self.fields, "Transfer-Encoding") is None:
            lines.append(f"Content-Length: {len(self.body)}")
        return _joined(lines)


@record(frozen=True)
class Sent:
    """A request ``wait_s`` seconds after the one before it, and the origin's answer to it.

    Of a daemon's log also: ``answers_before``, to the fetches before the last one (restarts, retries);
    ``commands`` that changed the cache just before the request; the numbers of its fetches (``fetched``); and
    whether it has a key or a URL in common with the request to explain (``is_related``)."""

    url: str
    method: str = "GET"
    fields: Fields = ()
    body: bytes = b""
    client: str = CLIENT
    wait_s: float = 0.0
    answer: Given = Given()
    answers_before: tuple[Given, ...] = ()
    commands: tuple[str, ...] = ()
    fetched: frozenset[int] = frozenset()
    is_related: bool = True
    protocol: str = HTTP1

    def head(self) -> bytes:
        lines = [f"{self.method} {self.url} {self.protocol}", *field_lines(self.fields)]
        if value_of(self.fields, "Host") is None:
            lines.insert(1, f"Host: {DEFAULT_HOST}")
        if self.body and value_of(self.fields, "Content-Length") is None:
            lines.append(f"Content-Length: {len(self.body)}")
        return _joined(lines)

    def same_request(self, other: Sent) -> bool:
        """Whether a client would send the same bytes."""
        return self.head() == other.head() and self.body == other.body


@record(frozen=True)
class Inquiry:
    """``text`` None: read ``path``. The cache is empty before the first of ``earlier``, which comes at
    ``began``. ``changed`` are texts in place of files, by real path."""

    path: str
    sent: Sent
    earlier: tuple[Sent, ...] = ()
    text: bytes | None = None
    options: Options = field(default_factory=Options)
    changed: Mapping[str, bytes] = field(default_factory=dict)
    began: float = NOW

    @property
    def exchanges(self) -> tuple[Sent, ...]:
        return (*self.earlier, self.sent)


def value_of(fields: Fields, name: str) -> str | None:
    """All values of a field, joined with commas; None without one."""
    found = [value for key, value in fields if key.lower() == name.lower()]
    return ", ".join(found) if found else None


def without(fields: Fields, name: str) -> Fields:
    return tuple(pair for pair in fields if pair[0].lower() != name.lower())


def with_value(fields: Fields, name: str, value: str) -> Fields:
    """The fields with one of that name, at the place of the first."""
    out: list[tuple[str, str]] = []
    is_set = False
    for key, old in fields:
        if key.lower() != name.lower():
            out.append((key, old))
        elif not is_set:
            out.append((key, value))
            is_set = True
    return (*out,) if is_set else (*out, (name, value))


def field_lines(fields: Fields) -> list[str]:
    """Lines of a head. The runtime computes lengths itself."""
    return [f"{name}: {value}" for name, value in fields if name.lower() != "content-length"]


def _joined(lines: list[str]) -> bytes:
    return ("\r\n".join([*lines, "", ""])).encode("latin-1", "replace")
