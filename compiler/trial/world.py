"""Runs requests in a policy's image through runtime/trial (build/lib/libvernisrt.so): a cache, a client,
scripted origins and a clock that only a test moves, in this process and without sockets.

A process has one :class:`Host`. Texts are bytes.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from vernis.native.abi import MissingBuild, how_to_build, library_folder
from vernis.record import record

HTTP1, HTTP2 = PROTOCOLS = ("HTTP/1.1", "HTTP/2.0")  # of requests, as req.proto has them
NOW = 1_700_000_000.0  # the time at which each world begins: 14 November 2023, 22:13:20 UTC
SEED = 1
ERROR_BYTES = 512
NO_TABLE = "the policy has no such table"
NOT_FOUND = -12  # ERR_NOTFOUND of runtime/base/check.h
RECORDS_OF_ONE_REQUEST = "a request wrote more than 8 MB of log records"

_POINTER, _TEXT, _SIZE, _DOUBLE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_double
_INT, _UINT = ctypes.c_int, ctypes.c_uint32


class _Answer(ctypes.Structure):
    """struct trial_answer of runtime/trial/answer.h"""

    _fields_ = (
        ("backend", _TEXT),
        ("method", _TEXT),
        ("url", _TEXT),
        ("head", _TEXT),
        ("body", _TEXT),
        ("head_bytes", _SIZE),
        ("body_bytes", _SIZE),
        ("delay_s", _DOUBLE),
        ("times", _UINT),
        ("fails", _UINT),
    )


class _Response(ctypes.Structure):
    """struct trial_response of runtime/trial/trial.h"""

    _fields_ = (
        ("head", _POINTER),
        ("body", _POINTER),
        ("head_bytes", _SIZE),
        ("body_bytes", _SIZE),
        ("status", _UINT),
        ("was_reset", _UINT),
        ("was_tunnel", _UINT),
        ("was_cut", _UINT),
    )


# Result and arguments of each function, whose name in the library is trial_NAME.
_FUNCTIONS = {
    "new": (_POINTER, []),
    "free": (None, [_POINTER]),
    "begin": (_INT, [_POINTER, _TEXT, _DOUBLE, _UINT, _TEXT, _SIZE]),
    "end": (_INT, [_POINTER]),
    "set_seed": (None, [_POINTER, _UINT]),
    "now": (_DOUBLE, [_POINTER]),
    "advance": (None, [_POINTER, _DOUBLE]),
    "set_health": (_INT, [_POINTER, _TEXT, _INT]),
    "poll": (_INT, [_POINTER, _TEXT, _INT]),
    "sick": (_TEXT, [_POINTER, _UINT]),
    "probe_interval": (_DOUBLE, [_POINTER, _TEXT]),
    "put_row": (_INT, [_POINTER, _TEXT, _TEXT, _TEXT]),
    "set_client": (_INT, [_POINTER, _TEXT, _INT]),
    "set_tls": (_INT, [_POINTER, _TEXT, _TEXT]),
    "answer": (_INT, [_POINTER, ctypes.POINTER(_Answer)]),
    "retire_answers": (None, [_POINTER]),
    "ban": (_INT, [_POINTER, _TEXT]),
    "purge_key": (_INT, [_POINTER, _TEXT, _SIZE, _INT]),
    "purge_keys": (None, [_POINTER, _TEXT, _INT]),
    "purge_all": (None, [_POINTER, _INT]),
    "request": (_INT, [_POINTER, _TEXT, _SIZE, _TEXT, _SIZE]),
    "why": (_TEXT, [_POINTER]),
    "response": (None, [_POINTER, ctypes.POINTER(_Response)]),
    "records": (_POINTER, [_POINTER, ctypes.POINTER(_SIZE), ctypes.POINTER(_INT)]),
    "origin_heads": (_POINTER, [_POINTER, ctypes.POINTER(_SIZE)]),
    "rule_hits": (_INT, [_POINTER, _INT]),
}

FAILURES = ("", "refuses", "closes", "cuts off")  # enum trial_failure


class WorldError(Exception):
    """The runtime refuses a policy, a request or a value. The text says why."""


@record(frozen=True)
class Answer:
    """The answer of an origin to the requests that fit. None of the first three: each. A ``url`` that ends in
    ``*`` stands for all that begin so. ``times`` 0: without a limit. ``fails`` is one of FAILURES."""

    backend: bytes | None = None
    method: bytes | None = None
    url: bytes | None = None
    head: bytes = b""
    body: bytes = b""
    delay_s: float = 0.0
    times: int = 0
    fails: str = ""


@record(frozen=True)
class Response:
    """``fields`` in their order. ``status`` 0: the client got none."""

    status: int
    fields: tuple[tuple[bytes, bytes], ...]
    body: bytes
    was_reset: bool
    was_tunnel: bool


@record(frozen=True)
class LogRecord:
    tag: int
    transaction: int  # with the bit of its side
    text: bytes


@record(frozen=True)
class Asked:
    """A request that an origin got. ``is_answered`` False: no answer of the test fits; known over sockets."""

    backend: bytes
    method: bytes
    url: bytes
    fields: tuple[tuple[bytes, bytes], ...]
    is_answered: bool = True


class AnyWorld(Protocol):
    """The part of a world that the statements of a test use. Worlds: this file, and sockets/daemon.py."""

    def set_seed(self, seed: int) -> None: ...
    def advance(self, seconds: float) -> None: ...
    def set_health(self, backend: bytes, is_healthy: bool) -> bool: ...
    def poll(self, backend: bytes, is_good: bool) -> bool: ...
    def sick(self) -> list[str]: ...
    def set_client(self, address: bytes) -> bool: ...
    def set_tls(self, facts: Sequence[tuple[bytes, bytes]]) -> str: ...
    def put_row(self, table: bytes, key: bytes, value: bytes | None) -> str: ...
    def answer(self, a: Answer) -> None: ...
    def request(self, head: bytes, body: bytes = b"") -> Response: ...
    def records(self, tags: Container[int] | None = None) -> Iterator[LogRecord]: ...
    def asked(self) -> list[Asked]: ...
    def rule_hits(self, n_rules: int) -> tuple[int, ...]: ...


#: Variables of the environment; None: without it.
Environment = Mapping[str, str | None]


class AnyHost(Protocol):
    def world(self, image: Path, env: Environment) -> AbstractContextManager[AnyWorld]: ...


def library_path() -> Path:
    """MissingBuild: there is none."""
    path = library_folder() / "libvernisrt.so"
    if not path.exists():
        raise MissingBuild(f"{path} is missing: {how_to_build()}")
    return path


class Host:
    """The trial of this process."""

    def __init__(self) -> None:
        path = library_path()
        try:
            self.library = ctypes.CDLL(str(path))
        except OSError as error:
            raise MissingBuild(f"{path}: {error}") from None
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(self.library, f"trial_{name}")
            function.restype, function.argtypes = result, arguments
        self.trial = self.library.trial_new()
        if self.trial is None:
            raise WorldError("this process has a trial already")

    def close(self) -> None:
        self.library.trial_free(self.trial)

    @contextmanager
    def world(self, image: Path, env: Environment | None = None, now: float = NOW) -> Iterator[World]:
        """A world with the policy of ``image`` after its vcl_init."""
        why = ctypes.create_string_buffer(ERROR_BYTES)
        with _environment(env or {}):
            if self.library.trial_begin(self.trial, bytes(image), now, SEED, why, ERROR_BYTES) != 0:
                raise WorldError(why.value.decode("utf-8", "replace"))
            try:
                yield World(self)
            finally:
                if self.library.trial_end(self.trial) != 0:
                    raise WorldError("a request or fetch of this test cannot be ended")


@contextmanager
def _environment(env: Environment) -> Iterator[None]:
    """That of this process, which compiled policies see."""
    before = {name: os.environ.get(name) for name in env}
    _set_environment(env)
    try:
        yield
    finally:
        _set_environment(before)


def _set_environment(env: Environment) -> None:
    for name, value in env.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


class World:
    """The world of one test. Valid inside ``Host.world``."""

    def __init__(self, host: Host) -> None:
        self._library, self._trial = host.library, host.trial

    def now(self) -> float:
        return float(self._library.trial_now(self._trial))

    def set_seed(self, seed: int) -> None:
        self._library.trial_set_seed(self._trial, seed)

    def advance(self, seconds: float) -> None:
        self._library.trial_advance(self._trial, seconds)

    def set_health(self, backend: bytes, is_healthy: bool) -> bool:
        """False: the policy has no such backend."""
        return int(self._library.trial_set_health(self._trial, backend, is_healthy)) == 0

    def poll(self, backend: bytes, is_good: bool) -> bool:
        """The next poll of a probe, after its interval. False: no such backend, or it has no probe."""
        interval = float(self._library.trial_probe_interval(self._trial, backend))
        if interval < 0:
            return False
        self.advance(interval)
        return int(self._library.trial_poll(self._trial, backend, is_good)) == 0

    def sick(self) -> list[str]:
        """Names of the declared backends that are sick now."""
        found: list[str] = []
        while (name := self._library.trial_sick(self._trial, len(found))) is not None:
            found.append(name.decode("latin-1"))
        return found

    def set_client(self, address: bytes) -> bool:
        """False: that is no IP address."""
        return int(self._library.trial_set_client(self._trial, address, 50000)) == 0

    def set_tls(self, facts: Sequence[tuple[bytes, bytes]]) -> str:
        """Facts of the TLS of later requests; none: without TLS. Why it cannot be; empty if it is done."""
        self._library.trial_set_tls(self._trial, None, None)
        for fact, value in facts:
            if self._library.trial_set_tls(self._trial, fact, value) != 0:
                return str(self._library.trial_why(self._trial).decode("utf-8", "replace"))
        return ""

    def put_row(self, table: bytes, key: bytes, value: bytes | None) -> str:
        """Why it cannot be; empty if it is done."""
        err = int(self._library.trial_put_row(self._trial, table, key, value))
        if err == 0:
            return ""
        why = str(self._library.trial_why(self._trial).decode("utf-8", "replace"))
        return f"its key or value {why}" if err != NOT_FOUND else NO_TABLE

    def answer(self, a: Answer) -> None:
        row = _Answer(
            a.backend,
            a.method,
            a.url,
            a.head,
            a.body,
            len(a.head),
            len(a.body),
            a.delay_s,
            a.times,
            FAILURES.index(a.fails),
        )
        if self._library.trial_answer(self._trial, ctypes.byref(row)) != 0:
            raise WorldError("a test has at most 256 answers")

    def retire_answers(self) -> None:
        """Later fetches take only answers that are added from now on."""
        self._library.trial_retire_answers(self._trial)

    def ban(self, text: bytes) -> None:
        """As the command ``ban`` of a daemon does. WorldError: it is malformed."""
        if self._library.trial_ban(self._trial, text) != 0:
            raise WorldError(self._library.trial_why(self._trial).decode("utf-8", "replace"))

    def purge_key(self, head: bytes, is_soft: bool) -> bool:
        """All variants of the key of a request. False: it has no key, so nothing is purged."""
        return int(self._library.trial_purge_key(self._trial, head, len(head), is_soft)) == 0

    def purge(self, keys: bytes | None, is_soft: bool) -> None:
        """The responses with one of these surrogate keys; None: all."""
        if keys is None:
            self._library.trial_purge_all(self._trial, is_soft)
        else:
            self._library.trial_purge_keys(self._trial, keys, is_soft)

    def request(self, head: bytes, body: bytes = b"") -> Response:
        if self._library.trial_request(self._trial, head, len(head), body, len(body)) != 0:
            raise WorldError(self._library.trial_why(self._trial).decode("utf-8", "replace"))
        got = _Response()
        self._library.trial_response(self._trial, ctypes.byref(got))
        if got.was_cut:
            raise WorldError("the response is longer than 64 MB")
        return Response(
            got.status,
            tuple(_fields(_bytes(got.head, got.head_bytes).split(b"\n"))),
            _bytes(got.body, got.body_bytes),
            bool(got.was_reset),
            bool(got.was_tunnel),
        )

    def records(self, tags: Container[int] | None = None) -> Iterator[LogRecord]:
        """Log records of the last request, in the order of writing; with ``tags``, only these."""
        words, lost = _SIZE(), _INT()
        at = self._library.trial_records(self._trial, ctypes.byref(words), ctypes.byref(lost))
        if lost.value:
            raise WorldError(RECORDS_OF_ONE_REQUEST)
        return _records(_bytes(at, words.value * 4), tags)

    def rule_hits(self, n_rules: int) -> tuple[int, ...]:
        """How often each of the policy's rules was taken in this world."""
        return tuple(int(self._library.trial_rule_hits(self._trial, rule)) for rule in range(n_rules))

    def asked(self) -> list[Asked]:
        """Requests that origins got since the last request began."""
        size = _SIZE()
        at = self._library.trial_origin_heads(self._trial, ctypes.byref(size))
        found = []
        for text in _bytes(at, size.value).split(b"\n\n")[:-1]:
            backend, line, *fields = text.split(b"\n")
            method, _, url = line.partition(b" ")
            found.append(Asked(backend, method, url, tuple(_fields(fields))))
        return found


def _bytes(at: int | None, n: int) -> bytes:
    return ctypes.string_at(at, n) if at and n else b""


def _records(data: bytes, tags: Container[int] | None) -> Iterator[LogRecord]:
    words = memoryview(data).cast("I")
    at, end = 0, len(words)
    while at < end:
        first = words[at]
        n = first & 0xFFFF
        if tags is None or first >> 24 in tags:
            yield LogRecord(first >> 24, words[at + 1], data[4 * at + 8 : 4 * at + 8 + max(n - 1, 0)])
        at += 2 + (n + 3 >> 2)


def _fields(lines: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    for line in lines:
        name, colon, value = line.partition(b": ")
        if colon:
            yield name, value
