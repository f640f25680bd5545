"""A `vernisd` for tests, and the worlds of tests in it. Each world has a worker process of its own, so no
test sees what another left.

The clock of the daemon stands still, as in a trial: `debug.clock` moves it (runtime/worker/test_clock.c).
"""

from __future__ import annotations

import ipaddress
import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from vernis.observe.ring import Ring
from vernis.observe.tags import NUMBERS
from vernis.observe.vsm import Vsm
from vernis.record import record
from vernis.service.client import DaemonClient, DaemonError, connect_workdir
from vernis.syntax import nodes
from vernis.trial.sockets.client import exchange
from vernis.trial.sockets.origins import Origins
from vernis.trial.sockets.relocate import backends_of, relocated
from vernis.trial.world import (
    NO_TABLE,
    NOW,
    SEED,
    Answer,
    Asked,
    Environment,
    LogRecord,
    Response,
    WorldError,
)

START_S, LOG_S = 60.0, 10.0
_POLL_S = 0.001
FIRST_XID = 1000  # the first request has the next number
_BEGIN, _END, _LINK, _CALL = NUMBERS["Begin"], NUMBERS["End"], NUMBERS["Link"], NUMBERS["VCL_call"]
_REQUESTS = (b"req", b"bereq")
_VXID_MASK = (1 << 30) - 1


@record(frozen=True)
class Setup:
    """The binary, and values of parameters by name."""

    binary: str
    parameters: tuple[tuple[str, str], ...] = ()


_PARAMETERS = (
    ("debug", "+test_clock"),
    ("loops", "1"),  # transaction numbers follow the order of requests
    ("ban_lurker_sleep", "0"),  # its thread would wait for a clock that stands still
    ("vsl_mask", "+Hash,+VCL_trace"),  # tests may ask for the key, and failures name their statement
    ("vsl_7_3", "off"),  # the same numbers on every machine
)


class DaemonHost:
    """The same as world.Host, with a daemon in place of the library."""

    def __init__(self, program: nodes.Program, setup: Setup) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="vernis-test-")
        self.workdir = Path(self._folder.name)
        self.origins = Origins(backends_of(program), self.tick)
        policy = self.workdir / "policy.vcl"
        text = relocated(program, self.origins.ports)
        policy.write_bytes(text.text)
        self.place_of = text.place_of
        self._words = _command(setup, self.workdir, policy)
        self._clock_lock = threading.Lock()
        try:
            self._start({})
        except BaseException:
            self.close()
            raise

    def _start(self, env: Environment) -> None:
        self._env = dict(env)
        variables = {**os.environ, **{name: value for name, value in env.items() if value is not None}}
        for name in env:
            if env[name] is None:
                variables.pop(name, None)
        with (self.workdir / "daemon.log").open("wb") as log:
            self._process = subprocess.Popen(
                self._words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables
            )
        self._used = False
        self._client = self._connected()
        self._clock_client = connect_workdir(self.workdir)
        self._port = int(self.command("debug.listen_address").split()[2])

    def _stop(self) -> None:
        self._process.terminate()
        self._process.wait()

    def close(self) -> None:
        self._stop()
        self.origins.close()
        self._folder.cleanup()

    def _connected(self) -> DaemonClient:
        end = time.monotonic() + START_S
        while self._process.poll() is None and time.monotonic() < end:
            try:
                client = connect_workdir(self.workdir)
                if '"running"' in client.command("status", "-j").body:
                    return client
            except DaemonError:
                pass
            time.sleep(0.02)
        text = (self.workdir / "daemon.log").read_text("utf-8", "replace")
        raise WorldError(f"vernisd does not start:\n{text}")

    def command(self, *words: str) -> str:
        return _ask(self._client, *words)

    def try_command(self, *words: str) -> str | None:
        """None: the daemon refuses it."""
        try:
            return self.command(*words)
        except WorldError:
            return None

    def tick(self, seconds: float) -> None:
        """Moves the clock. Threads of origins do so, too, so this connection has a lock."""
        with self._clock_lock:
            _ask(self._clock_client, "debug.clock", f"+{seconds:.9f}")

    @contextmanager
    def world(self, image: Path, env: Environment) -> Iterator[DaemonWorld]:
        """``image`` is not used: the daemon compiles the policy. Another environment needs another daemon."""
        del image
        if env != self._env:
            self._stop()
            self._start(env)
        if self._used:
            self._client.command("stop")  # refused if the worker has crashed
            self.command("start")
        self._used = True
        self.command("debug.clock", f"{NOW:.0f}")
        self.command("debug.srandom", str(SEED))
        self.command("debug.xid", str(FIRST_XID))
        self.origins.begin()
        vsm = Vsm(self.workdir)
        vsm.refresh()
        try:
            with _log_of(vsm) as ring:
                world = DaemonWorld(self, ring, self._port)
                yield world
                world.forget_health()
        finally:
            vsm.close()


def _ask(client: DaemonClient, *words: str) -> str:
    try:
        answer = client.command(*words)
    except DaemonError as error:
        raise WorldError(str(error)) from None
    if not answer.ok:
        raise WorldError(f"vernisd refuses {' '.join(words)}: {answer.body}")
    return answer.body


@contextmanager
def _log_of(vsm: Vsm) -> Iterator[Ring]:
    segment = next(vsm.segments("Log"), None)
    if segment is None:
        raise WorldError("the daemon has no log")
    yield Ring(vsm.map(segment), tail=True)


def _command(setup: Setup, workdir: Path, policy: Path) -> list[str]:
    words = [
        setup.binary,
        "-F",
        "-n",
        str(workdir),
        "-a",
        "127.0.0.1:0,PROXY",
        "-T",
        "none",
        "-f",
        str(policy),
    ]
    words += ["-j", "none", "-i", "test", "-s", "malloc,64m"]
    for name, value in (*_PARAMETERS, *setup.parameters):
        words += ["-p", f"{name}={value}"]
    return words


class DaemonWorld:
    """The world of one test. Valid inside ``DaemonHost.world``."""

    def __init__(self, host: DaemonHost, ring: Ring, port: int) -> None:
        self._host, self._ring, self._port = host, ring, port
        self._client = "192.0.2.1"
        self._records: list[LogRecord] = []
        self._by_hand: set[str] = set()  # backends whose health was set

    def set_seed(self, seed: int) -> None:
        self._host.command("debug.srandom", str(seed))

    def advance(self, seconds: float) -> None:
        self._host.tick(seconds)

    def set_health(self, backend: bytes, is_healthy: bool) -> bool:
        name = backend.decode("latin-1")
        if name not in self._host.origins.ports:
            return False
        self._by_hand.add(name)
        self._host.command("backend.set_health", f"boot.{name}", "healthy" if is_healthy else "sick")
        return True

    def sick(self) -> list[str]:
        rows = json.loads(self._host.command("backend.list", "-j", "boot.*"))[3]
        return [
            name for name in self._host.origins.ports if rows[f"boot.{name}"]["probe_message"][2] == "sick"
        ]

    def forget_health(self) -> None:
        """The daemon would set the same health in the worker of the next test."""
        for name in sorted(self._by_hand):
            self._host.command("backend.set_health", f"boot.{name}", "auto")

    def poll(self, backend: bytes, is_good: bool) -> bool:
        name = f"boot.{backend.decode('latin-1')}"
        answer = self._host.try_command("debug.poll", name)
        if answer is None:
            return False
        self._host.tick(float(answer))
        self._host.command("debug.poll", name, "good" if is_good else "bad")
        return True

    def set_client(self, address: bytes) -> bool:
        self._client = address.decode("latin-1")
        return is_address(self._client)

    def put_row(self, table: bytes, key: bytes, value: bytes | None) -> str:
        words = [text.decode("latin-1") for text in (table, key, value) if text is not None]
        try:
            self._host.command("debug.row", *words)
        except WorldError as error:
            why = str(error).partition(": ")[2].strip()
            return NO_TABLE if "has no table" in why else f"its key or value {why}"
        return ""

    def set_tls(self, facts: Sequence[tuple[bytes, bytes]]) -> str:
        return "the client on sockets has no TLS" if facts else ""

    def answer(self, a: Answer) -> None:
        self._host.origins.add(a)

    def request(self, head: bytes, body: bytes = b"") -> Response:
        self._host.origins.forget_requests()
        found = exchange(self._port, self._client, head, body)
        self._records = self._complete()
        if any(one.tag == _CALL and one.text == b"PIPE" for one in self._records):
            return Response(0, (), found.body, found.was_reset, True)  # as in a trial: not a response
        return found

    def _complete(self) -> list[LogRecord]:
        """The records of the request and of all that it began."""
        found: list[LogRecord] = []
        end = time.monotonic() + LOG_S
        while not _is_complete(found):
            if time.monotonic() > end:
                raise WorldError(f"the log of the request is not complete after {LOG_S:g} s")
            more = self._ring.read()
            found += [LogRecord(one.tag, one.older_owner, one.text) for one in more]
            if not more:
                time.sleep(_POLL_S)
        return found

    def records(self, tags: Container[int] | None = None) -> Iterator[LogRecord]:
        return (one for one in self._records if tags is None or one.tag in tags)

    def asked(self) -> list[Asked]:
        return self._host.origins.asked()

    def rule_hits(self, n_rules: int) -> tuple[int, ...]:
        """Coverage is not measured over sockets."""
        del n_rules
        return ()


def is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _is_complete(found: list[LogRecord]) -> bool:
    """Each transaction that began, or that another one names, has ended."""
    begun, ended = set(), set()
    for one in found:
        words = one.text.split(b" ")
        if one.tag == _BEGIN and words[0] in _REQUESTS:
            begun.add(one.transaction & _VXID_MASK)
        elif one.tag == _LINK and words[0] in _REQUESTS:
            begun.add(int(words[1]))
        elif one.tag == _END:
            ended.add(one.transaction & _VXID_MASK)
    return bool(begun) and begun <= ended
