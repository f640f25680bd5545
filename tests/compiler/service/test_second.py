"""The second process of a compile: it changes no image, and nothing is lost when it ends."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_compiling import Compiler

from vernis.ir import ir
from vernis.native import Options, beside, compile_module
from vernis.native.beside import do_job
from vernis.native.image import image_tables
from vernis.pipeline import OPTIMISE, Compilation, run_stages
from vernis.service.limits import Limits
from vernis.service.second import SecondProcess

ROOT = Path(__file__).resolve().parents[3]
QUICKSTART = ROOT / "examples" / "quickstart" / "quickstart.vcl"

pytestmark = pytest.mark.skipif(not (ROOT / "build" / "lib" / "abi.json").exists(), reason="run make build first")


class Counting:
    """A second process that counts its results. ``at_give`` runs before the first job is given."""

    def __init__(self, work: Callable[[bytes], bytes], at_give: Callable[[SecondProcess], None] = lambda second: None) -> None:
        self.process = SecondProcess(work, Limits())
        self.at_give = at_give
        self.given = self.taken = 0

    def give(self, job: bytes) -> None:
        if self.given == 0:
            self.at_give(self.process)
        self.given += 1
        self.process.give(job)

    def ready(self) -> bool:
        return self.process.ready()

    def take(self) -> bytes:
        code = self.process.take()
        self.taken += bool(code)
        return code


@pytest.fixture
def seconds() -> Iterator[list[Counting]]:
    made: list[Counting] = []
    yield made
    for second in made:
        second.process.end()


def module() -> ir.Module:
    run = run_stages(Compilation("p", str(QUICKSTART)), OPTIMISE)
    assert run.module is not None
    return run.module


def image(folder: Path, second: Counting | None) -> bytes:
    """Of a policy cut into about twenty chunks."""
    options = Options(level=0, chunk_ops=20, second=second)
    return compile_module(module(), folder / "p.so", options).path.read_bytes()


def fails(job: bytes) -> bytes:
    raise RuntimeError("in the second process")


def kill(second: SecondProcess) -> None:
    os.kill(second._pid, signal.SIGKILL)
    os.waitid(os.P_PID, second._pid, os.WEXITED | os.WNOWAIT)


def test_both_processes_make_the_same_objects(tmp_path: Path, seconds: list[Counting]) -> None:
    seconds.append(Counting(do_job))
    assert image(tmp_path, seconds[0]) == image(tmp_path, None)
    assert seconds[0].taken > 0


class Late:
    """A second process that is never ready before the child waits for it. Notes when that is."""

    def __init__(self, events: list[str]) -> None:
        self.events = events
        self.jobs: list[bytes] = []

    def give(self, job: bytes) -> None:
        self.jobs.append(job)

    def ready(self) -> bool:
        return False

    def take(self) -> bytes:
        self.events.append("waits")
        return do_job(self.jobs.pop(0))


def test_the_child_writes_the_tables_before_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []

    def tables(*arguments: Any) -> Any:
        events.append("tables")
        return image_tables(*arguments)

    monkeypatch.setattr("vernis.native.compile.image_tables", tables)
    policy = module()
    late = compile_module(policy, None, Options(level=0, second=Late(events)))
    assert events.count("tables") == 1 and events[:2] == ["tables", "waits"]
    assert late.image == compile_module(policy, None, Options(level=0)).image


@pytest.mark.parametrize("work, at_give", [(fails, lambda second: None), (do_job, kill)], ids=["fails", "dies"])
def test_the_child_does_the_work_of_a_second_process_that_cannot(
        work: Callable[[bytes], bytes], at_give: Callable[[SecondProcess], None], tmp_path: Path,
        seconds: list[Counting]) -> None:
    seconds.append(Counting(work, at_give))
    assert image(tmp_path, seconds[0]) == image(tmp_path, None)
    assert seconds[0].given > 0 and seconds[0].taken == 0


def test_long_texts_are_not_given(tmp_path: Path, seconds: list[Counting], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "TEXT_LENGTH_MAX", 100)
    seconds.append(Counting(do_job))
    image(tmp_path, seconds[0])
    assert seconds[0].given == 0


def test_a_job_of_another_contract_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    contract = beside.load_contract()
    assert do_job(beside.encode_job("", 0, contract, False))
    assert do_job(beside.encode_job("", 0, replace(contract, digest=bytes(32)), False)) == b""


# ---- in the compile server ---------------------------------------------------------------------------------


def children_of(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def processes_of_the_spare(server: int) -> list[int]:
    """The spare child and its second process, once both are there."""
    end = time.monotonic() + 20
    while True:
        found = [(child, second) for child in children_of(server) for second in children_of(child)]
        if found:
            return list(found[0])
        assert time.monotonic() < end
        time.sleep(0.01)


def is_gone(descriptor: int) -> bool:
    """Whether the process ends within 20 s."""
    try:
        return bool(select.select([descriptor], [], [], 20)[0])
    finally:
        os.close(descriptor)


def test_the_second_process_ends_with_its_compile(tmp_path: Path) -> None:
    compiler = Compiler(tmp_path)
    descriptors = [os.pidfd_open(pid) for pid in processes_of_the_spare(compiler.process.pid)]
    answer = compiler.ask(path=str(QUICKSTART))
    while not select.select([descriptors[0]], [], [], 0)[0]:  # the spare was not ready, and waits for the next
        answer = compiler.ask(path=str(QUICKSTART))
    assert answer["ok"] and all(is_gone(descriptor) for descriptor in descriptors)
    assert compiler.close() == 0


def test_the_second_process_of_a_killed_server_ends(tmp_path: Path) -> None:
    compiler = Compiler(tmp_path)
    descriptors = [os.pidfd_open(pid) for pid in processes_of_the_spare(compiler.process.pid)]
    compiler.process.kill()
    compiler.close()
    assert all(is_gone(descriptor) for descriptor in descriptors)


def test_results_of_a_failed_compile_do_not_reach_the_next_one() -> None:
    second = SecondProcess(lambda job: b"object of " + job, Limits())
    try:
        second.give(b"the first")
        second.give(b"the first, too")
        second.become_idle()
        second.give(b"the second")
        assert second.take() == b"object of the second"
    finally:
        second.end()
