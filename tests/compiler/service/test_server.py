"""The compile server survives the death of its children and reports the reason.

The compile functions of this file replace the real one and misbehave in every way a compiler can.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from vernis.service import server

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = '''
import os, signal, sys, time
from pathlib import Path
from vernis.service import server
from vernis.service import child
from vernis.service.child import Limits, Outcome

child.CHILD_GROWTH_BYTES_MAX = 64 << 20
kept = []

def compile_request(request, artefacts):
    deed, _, rest = (request.text or b"").decode("utf-8", "surrogateescape").partition(" ")
    match deed:
        case "image":
            return Outcome(image=rest.encode("utf-8", "surrogateescape"), text="", sources=[request.path or "<inline>"])
        case "errors":
            return Outcome(image=None, text=rest)
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "raise":
            raise RuntimeError("an assertion that failed: " + rest)
        case "exit":
            os._exit(0)
        case "spin":
            while True:
                pass
        case "sleep":
            time.sleep(3600)
        case "allocate":
            return Outcome(image=bytes(1 << 30))
        case "print":
            print("not for the protocol", flush=True)
            os.write(1, b"nor this")
            return Outcome(image=b"x")
        case "remember":
            artefacts.put(rest.rjust(64, "0"), b"kept")
            os.kill(os.getpid(), signal.SIGKILL)
        case "recall":
            found = artefacts.get(rest.rjust(64, "0"))
            return Outcome(image=found or b"nothing", cached=found is not None)
        case "wait":                # until the file exists
            while not os.path.exists(rest):
                time.sleep(0.005)
            return Outcome(image=b"waited")
        case "pid":
            return Outcome(image=str(os.getpid()).encode(), afterwards=lambda: print("afterwards"))
        case "burn":
            until = time.process_time() + float(rest)
            while time.process_time() < until:
                pass
            return Outcome(image=str(os.getpid()).encode())
        case "grow":
            kept.append(b"x" * (2 * child.CHILD_GROWTH_BYTES_MAX))
            return Outcome(image=str(os.getpid()).encode())
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError(deed)

limits = Limits(cpu_s=int(sys.argv[1]), wall_s=float(sys.argv[2]), memory_bytes=256 << 20)

def rehearse(limits):
    print("rehearsed")
    if sys.argv[3] == "badly":
        raise RuntimeError("in the rehearsal")
    if sys.argv[3] == "to death":
        with open(sys.argv[4] + "/rehearsals", "ab") as log:
            log.write(b"x")
        os.kill(os.getpid(), signal.SIGKILL)
    return lambda: None

sys.exit(server.serve(compile_request, lambda: print("warm"), limits, None, None if sys.argv[3] == "not" else rehearse))
'''


class Client:
    """Talks to a server in its own process."""

    def __init__(self, out_dir: Path, cpu_s: int = 10, wall_s: float = 60.0, rehearse: str = "well") -> None:
        self.out_dir = out_dir
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(cpu_s), str(wall_s), rehearse, str(out_dir)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(ROOT / "build" / "py")})
        self._last_id = 0

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, text: str, **members: Any) -> int:
        self._last_id += 1
        request = {"id": self._last_id, "op": "compile", "name": "p", "text": text, "out_dir": str(self.out_dir)} | members
        self.send_line(json.dumps(request).encode())
        return self._last_id

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server ended"
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def ask(self, text: str, **members: Any) -> dict[str, Any]:
        number = self.send(text, **members)
        answer = self.receive()
        assert answer["id"] == number
        return answer

    def ping(self) -> dict[str, Any]:
        self._last_id += 1
        self.send_line(json.dumps({"id": self._last_id, "op": "ping"}).encode())
        return self.receive()

    def close(self) -> int:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        status = self.process.wait(20)
        self.process.stdout.close()
        return status


@pytest.fixture(params=["not", "well"])
def client(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Client]:
    """Runs each test without spare children and with them."""
    client = Client(tmp_path, rehearse=request.param)
    yield client
    assert client.close() == 0


def test_an_image_becomes_a_file_and_the_answer_names_it(client: Client, tmp_path: Path) -> None:
    answer = client.ask("image code", path="/etc/site.vcl")
    assert answer["ok"] and answer["sources"] == ["/etc/site.vcl"] and answer["warnings"] == ""
    assert Path(answer["image"]).read_bytes() == b"code"
    assert Path(answer["image"]).parent == tmp_path


def test_each_load_gets_its_own_file(client: Client) -> None:
    first, second = client.ask("image code")["image"], client.ask("image code")["image"]
    assert first != second
    assert os.stat(first).st_ino != os.stat(second).st_ino


def test_errors_in_the_policy_are_returned_as_text(client: Client) -> None:
    answer = client.ask("errors error[V301]: no such thing")
    assert not answer["ok"]
    assert answer["errors"] == "error[V301]: no such thing"


@pytest.mark.parametrize("deed, why", [
    ("crash", "ended by signal 11 (SIGSEGV)"),
    ("raise of ours", "an assertion that failed: of ours"),
    ("exit", "this is a fault of Vernis"),
    ("allocate", "more than 256 MiB of memory (limit compile_memory_bytes)"),
    ("kill", "ended by signal 9 (SIGKILL)"),
])
def test_a_child_that_dies_is_explained_and_the_next_compile_works(client: Client, deed: str, why: str) -> None:
    answer = client.ask(deed, name="boot")
    assert not answer["ok"]
    assert answer["errors"].startswith("cannot compile boot: ") and why in answer["errors"]
    assert client.ask("image code")["ok"]


def test_cpu_time_is_limited(tmp_path: Path) -> None:
    client = Client(tmp_path, cpu_s=1)
    assert "after 1 s of CPU time (limit compile_cpu_s)" in client.ask("spin")["errors"]
    assert client.ask("image code")["ok"]
    assert client.close() == 0


def test_wall_time_is_limited(tmp_path: Path) -> None:
    client = Client(tmp_path, wall_s=0.3)
    assert "after 0.3 s (limit compile_wall_s)" in client.ask("sleep")["errors"]
    assert client.ask("image code")["ok"]
    assert client.close() == 0


def test_ping_is_answered_while_a_compile_runs(client: Client, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    number = client.send(f"wait {gate}")
    assert client.ping()["ok"]
    gate.touch()
    answer = client.receive()
    assert answer["id"] == number and answer["ok"]


def test_compiles_beyond_the_limit_wait(client: Client, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    numbers = [client.send(f"wait {gate}") for _ in range(5)]
    assert client.ping()["ok"]
    gate.touch()
    assert sorted(client.receive()["id"] for _ in numbers) == numbers


def test_objects_made_before_a_child_died_are_kept(client: Client, tmp_path: Path) -> None:
    assert not client.ask("remember 7")["ok"]
    answer = client.ask("recall 7")
    assert answer["cached"] and Path(answer["image"]).read_bytes() == b"kept"
    assert client.close() == 0
    again = Client(tmp_path)                                    # the stored object also outlives the server
    assert again.ask("recall 7")["cached"]
    assert again.close() == 0


def test_printed_text_does_not_reach_the_protocol(client: Client) -> None:
    assert client.ask("print")["ok"]
    assert client.ping()["ok"]


def test_a_child_that_dies_leaves_no_files(client: Client, tmp_path: Path) -> None:
    client.ask("kill")
    client.ask("image code")
    # The answer arrives before the server has cleaned up after the child.
    _wait_for(lambda: [p.suffix for p in tmp_path.iterdir() if p.name != "store"] == [".so"])


def test_requests_may_hold_any_bytes_and_answers_are_utf8(client: Client) -> None:
    client.send_line(b'{"id": 1, "op": "compile", "name": "p", "text": "image \xff\xe9", "out_dir": "%s"}'
                     % os.fsencode(client.out_dir))
    assert Path(client.receive()["image"]).read_bytes() == b"\xff\xe9"
    client.send_line(b'{"id": 2, "op": "compile", "name": "p", "text": "errors \xff\\u0000.", "out_dir": "%s"}'
                     % os.fsencode(client.out_dir))
    assert client.process.stdout is not None
    assert '"errors":"\ufffd\ufffd."' in client.process.stdout.readline().decode("utf-8")


def test_text_that_is_not_utf8_may_come_as_one_character_for_each_byte(client: Client) -> None:
    client.send_line(b'{"id": 1, "op": "compile", "name": "p", "text_latin1": "image \xc3\xbf\xc3\xa9", "out_dir": "%s"}'
                     % os.fsencode(client.out_dir))
    assert Path(client.receive()["image"]).read_bytes() == b"\xff\xe9"


@pytest.mark.parametrize("line, why", [
    (b"hello", "not JSON"),
    (b"[]", "not a JSON object"),
    (b"[" * 100_000, "not JSON"),
    (b'{"op": "ping"}', 'no number as "id"'),
    (b'{"id": true, "op": "ping"}', 'no number as "id"'),
    (b'{"id": 1, "op": "make"}', "unknown \"op\" 'make'"),
    (b'{"id": 1, "op": "compile"}', 'compile needs "name"'),
    (b'{"id": 1, "op": "compile", "name": "../x", "text": "", "out_dir": "/"}', "without '/'"),
    (b'{"id": 1, "op": "compile", "name": "x", "out_dir": "/tmp"}', 'needs "path" or "text"'),
    (b'{"id": 1, "op": "compile", "name": "x", "text": "", "out_dir": "/tmp", "vcl_path": [1]}', "list of strings"),
    (b'{"id": 1, "op": "compile", "name": "x", "text": 5, "out_dir": "/tmp"}', '"text" has the wrong type'),
    (b'{"id": 1, "op": "compile", "name": "x", "text_latin1": "\xe2\x82\xac", "out_dir": "/tmp"}', "characters above U+00FF"),
])
def test_a_bad_request_gets_an_error_and_the_server_continues(client: Client, line: bytes, why: str) -> None:
    client.send_line(line)
    answer = client.receive()
    assert not answer["ok"] and why in answer["errors"]
    assert client.ping()["ok"]


def test_a_directory_that_cannot_be_written_is_named(client: Client) -> None:
    answer = client.ask("image code", out_dir="/proc/no/such")
    assert not answer["ok"] and "/proc/no" in answer["errors"]
    assert client.ping()["ok"]


def test_the_server_ends_with_its_input_and_ends_its_children(tmp_path: Path) -> None:
    client = Client(tmp_path, rehearse="not")
    client.send("sleep")
    assert client.ping()["ok"]
    children = _children_of(client.process.pid)
    assert len(children) == 1
    assert client.close() == 0
    assert _wait_until_gone(children[0])


def test_children_of_a_killed_server_end(tmp_path: Path) -> None:
    client = Client(tmp_path, rehearse="not")
    client.send("sleep")
    client.ping()
    children = _children_of(client.process.pid)
    client.process.send_signal(signal.SIGKILL)
    client.process.wait(20)
    assert len(children) == 1 and _wait_until_gone(children[0])
    assert client.process.stdin is not None and client.process.stdout is not None
    client.process.stdin.close()
    client.process.stdout.close()


def test_a_failed_rehearsal_changes_nothing(tmp_path: Path) -> None:
    client = Client(tmp_path, rehearse="badly")
    _wait_for(lambda: len(_children_of(client.process.pid)) == 1)
    errors = client.ask("raise of ours")["errors"]
    assert "of ours" in errors and "in the rehearsal" not in errors
    assert client.ask("image code")["ok"]
    assert client.close() == 0


def test_the_server_stops_using_spare_children_that_die(tmp_path: Path) -> None:
    client = Client(tmp_path, rehearse="to death")
    log = tmp_path / "rehearsals"
    _wait_for(lambda: log.exists() and len(log.read_bytes()) == server.SPARE_DEATHS_MAX)
    assert client.ask("image code")["ok"]
    assert client.ping()["ok"]
    assert len(log.read_bytes()) == server.SPARE_DEATHS_MAX
    assert client.close() == 0


def test_a_spare_child_is_started_and_used(tmp_path: Path) -> None:
    client = Client(tmp_path)
    _wait_for(lambda: len(_children_of(client.process.pid)) == 1)
    [spare] = _children_of(client.process.pid)
    client.send("sleep")
    assert client.ping()["ok"]
    assert spare in _children_of(client.process.pid)
    assert client.close() == 0
    assert _wait_until_gone(spare)


@pytest.fixture
def rehearsed(tmp_path: Path) -> Iterator[Client]:
    client = Client(tmp_path, rehearse="well")
    yield client
    assert client.close() == 0


def test_a_child_compiles_again_and_its_death_is_explained(rehearsed: Client) -> None:
    client, first = rehearsed, _experienced(rehearsed)
    assert _pid(client.ask("pid")) == first
    _wait_until_ready(client, first)
    assert "an assertion that failed: ours" in (errors := client.ask("raise ours")["errors"])
    assert "afterwards" not in errors
    assert client.ask("image code")["ok"]
    assert _wait_until_gone(first)


def test_a_child_that_has_grown_ends(rehearsed: Client) -> None:
    first = _experienced(rehearsed)
    assert _pid(rehearsed.ask("grow")) == first and _wait_until_gone(first)
    assert rehearsed.ask("image code")["ok"]


def test_each_compile_may_use_the_same_memory() -> None:
    """The limit used to count what earlier compiles have left."""
    code = """
import mmap, resource
from vernis.service.limits import Limits, limit_memory
limits = Limits(memory_bytes=64 << 20)
kept = []
for _ in range(4):
    limit_memory(limits)
    kept.append(mmap.mmap(-1, 40 << 20))
try:
    kept.append(mmap.mmap(-1, 40 << 20))
except OSError:
    print("limited")
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "build" / "py")}
    assert subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True).stdout == "limited\n"


def test_a_child_without_a_rehearsal_ends(tmp_path: Path) -> None:
    client = Client(tmp_path, rehearse="not")
    assert _wait_until_gone(_pid(client.ask("pid")))
    assert client.close() == 0


def test_two_compiles_at_once_leave_one_child(rehearsed: Client, tmp_path: Path) -> None:
    first, gate = _experienced(rehearsed), tmp_path / "gate"
    waiting = rehearsed.send(f"wait {gate}")
    second = _pid(rehearsed.ask("pid"))
    assert second != first
    gate.touch()
    assert rehearsed.receive()["id"] == waiting
    _wait_for(lambda: not all(Path(f"/proc/{pid}").exists() for pid in (first, second)))
    assert rehearsed.ask("image code")["ok"]


def test_cpu_time_is_counted_for_each_compile(tmp_path: Path) -> None:
    client = Client(tmp_path, cpu_s=1, rehearse="well")
    child = _experienced(client)
    for _ in range(3):
        answer = client.ask("burn 0.6")
        assert answer["ok"] and _pid(answer) == child
        _wait_until_ready(client, child)
    assert "limit compile_cpu_s" in client.ask("spin")["errors"]
    assert client.close() == 0


def _wait_until_ready(client: Client, child: int) -> None:
    """Waits until the child waits for an order and the server knows it: the server answers two pings in two
    rounds, and sees what its children wrote before the first ping."""

    def waits() -> bool:
        time.sleep(0.05)
        return Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] == "S"

    _wait_for(lambda: waits() and waits() and waits())
    for _ in range(2):
        assert client.ping()["ok"]


def _pid(answer: dict[str, Any]) -> int:
    return int(Path(answer["image"]).read_bytes())


def _experienced(client: Client) -> int:
    """The child that has compiled and is ready again: it compiles twice in turn."""
    pids = [0]

    def settled() -> bool:
        pids.append(_pid(client.ask("pid")))
        return pids[-1] == pids[-2]

    _wait_for(lambda: _children_of(client.process.pid))  # the spare child
    _wait_for(settled)
    _wait_until_ready(client, pids[-1])
    return pids[-1]


def _wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def _children_of(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _wait_until_gone(pid: int) -> bool:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    import select

    try:
        return bool(select.select([descriptor], [], [], 20)[0])
    finally:
        os.close(descriptor)
