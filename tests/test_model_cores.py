"""The simulation of many cores: what must hold whatever the inputs are, and limits that can be told beforehand."""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
import model_cores
import simulation
from proxy import shared_lines

CPU_US = 10.0
NOISE = 1.02
MACHINES = ((1, 64), (16, 64), (64, 64), (64, 32))


def request(**files: tuple[list[float], list[float]]) -> model_cores.Request:
    """Each file locks and changes lines of its own, so often."""
    made = {
        name: model_cores.File(
            [(f"common {name} lock {i}", n) for i, n in enumerate(locks)],
            [(f"common {name} {i}", n) for i, n in enumerate(changes)],
        )
        for name, (locks, changes) in files.items()
    }
    return model_cores.Request(CPU_US, 0, defaultdict(model_cores.File, made))


def rates(of: model_cores.Request) -> list[float]:
    return model_cores.simulate("kind", of, MACHINES).rates


def test_without_shared_lines_throughput_grows_with_the_loops() -> None:
    one, *more = rates(request())
    assert one == pytest.approx(1e6 / CPU_US, rel=0.03)
    assert [rate / one for rate in more] == pytest.approx([16, 64, 64], rel=0.03)


@pytest.mark.parametrize("seed", range(4))
def test_more_shared_writes_never_give_more_throughput(seed: int) -> None:
    chance = random.Random(seed)
    files = {
        f"f{i}": ([chance.choice([0, 0.2, 1])], [chance.uniform(0, 2) for _ in range(2)]) for i in range(4)
    }
    before = rates(request(**files))
    for locks, changes in ((0, 3), (1, 0)):
        name = chance.choice(list(files))
        files[name] = [n + locks for n in files[name][0]], [n + changes for n in files[name][1]]
        after = rates(request(**files))
        for less, more in zip(after, before, strict=True):
            assert less <= more * NOISE, (files, after, before)
        before = after


def test_a_second_socket_never_helps() -> None:
    *_, one_socket, two_sockets = rates(request(a=([0.3], [1]), b=([], [2])))
    assert two_sockets < one_socket


def test_one_line_serves_one_loop_after_another() -> None:
    *_, one_socket, two_sockets = rates(request(a=([], [3.0])))
    # Of the three transfers of a request each is from another core, as all cores ask at once.
    assert one_socket == pytest.approx(1e9 / simulation.SOCKET_NS / 3, rel=0.05)
    assert 1e9 / simulation.REMOTE_NS / 3 < two_sockets < 1e9 / simulation.SOCKET_NS / 3


def test_a_lock_gives_less_than_its_hold_allows() -> None:
    """A loop that finds it taken sleeps, and wakes late."""
    _, few, many, _ = rates(request(a=([1.0], [])))
    assert few > 12 * 1e6 / CPU_US
    assert many < 1e9 / (model_cores.HOLD_NS + 2 * simulation.OWN_NS)


def test_a_lock_is_never_held_by_two() -> None:
    held: set[str] = set()
    step = simulation.Machine._go_on

    class Watched(simulation.Machine):
        def _go_on(self, at: float, n: int) -> None:
            done = self._loops[n].steps[self._loops[n].at]
            if done.kind is simulation.Kind.LOCK:
                assert done.what not in held
                held.add(done.what)
            elif done.kind is simulation.Kind.WORK and done.ns == model_cores.HOLD_NS:
                assert held
            step(self, at, n)

        def _step(self, one: simulation.Step, n: int, now: float) -> None:
            if one.kind is simulation.Kind.UNLOCK:
                held.remove(one.what)
            super()._step(one, n, now)

    Watched(16, 8, request(a=([2.0], [1]), b=([1.0], [])).steps).requests_per_s(CPU_US * 1000)


def test_the_inputs_are_whole() -> None:
    requests = model_cores.read(model_cores.INPUTS.read_text().splitlines())
    assert list(requests) == [kind for kind in requests if kind in model_cores.LOADS]
    assert set(requests) == set(model_cores.LOADS)
    for kind, one in requests.items():
        assert one.cpu_us > 0 and one.files, kind


def test_what_a_round_did_becomes_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A common line is changed by all loops; the lock of an object is another line in each request."""
    monkeypatch.setattr(
        shared_lines,
        "functions",
        lambda places, base: {p: ["", "bans.c:judge", "ring.c:lock"][p] for p in places},
    )
    rmw, lock, write = (shared_lines.KINDS.index(k) for k in ("rmw", "lock", "write"))
    each = 50
    counts = [
        shared_lines.Count(thread, *what)
        for thread in (1, 2, 3, 4)
        for what in (
            (7, 1, rmw, 2 * each),
            (8, 1, write, 5 * each),
            (100 + thread, 1, lock, each),
            (200 + thread, 1, rmw, each),
            (9, 2, lock, each),
        )
    ]
    done = shared_lines.Round("miss", counts, 0, 4 * each)
    assert set(model_cores.rows_of(done, 4, 0.25)) == {
        "miss\tcommon 1\tbans.c\tchange\t2.00",
        "miss\tcommon 2\tbans.c\tchange\t1.00",
        "miss\tspread\tbans.c\tlock\t1.00",
        "miss\tcommon 3\tring.c\tlock\t0.25",
    }
    hits = shared_lines.Round("hit on one object", counts, 0, 4 * each)
    assert "hit on one object\tspread\tbans.c\tchange\t1.00" in set(model_cores.rows_of(hits, 4, 0.25))


def test_stale_inputs_are_noticed() -> None:
    requests = {"miss": model_cores.Request(CPU_US, 5.0)}
    known = ["# kind", "miss\tlock\ta.c:f\t1.0", "miss\trmw\ta.c:f\t3.0", "miss\tload\ta.c:f\t9.0"]
    assert list(model_cores.stale(requests, known)) == []
    assert list(model_cores.stale(requests, [*known, "miss\trmw\tb.c:f\t7.0"])) == [
        "miss: 11.0 locks and changes, not 5.0: make model-cores counts anew"
    ]
