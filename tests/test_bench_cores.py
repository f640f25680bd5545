"""The benchmark of many cores, on machines that the tests do not have: which CPUs it gives to whom, and what its table
says about rows that show nothing."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
import cores
import pinning


def machine(folder: Path, sockets: int, cores_each: int, threads: int) -> list[pinning.Core]:
    """As Linux numbers them: first one thread of each core, then the others. Cores have numbers within their socket."""
    n = sockets * cores_each
    for cpu in range(n * threads):
        topology = folder / f"cpu{cpu}/topology"
        topology.mkdir(parents=True)
        (topology / "physical_package_id").write_text(f"{cpu % n // cores_each}\n")
        (topology / "core_id").write_text(f"{cpu % cores_each}\n")
    return pinning.cores(set(range(n * threads)), folder)


def test_two_cores_have_one_loop_beside_the_load(tmp_path: Path) -> None:
    found = machine(tmp_path, 1, 2, 1)
    assert pinning.loop_counts(found) == [1, 2]
    assert pinning.plan(found, 1) == pinning.Plan((0,), (1,), (1,), 1)
    assert not pinning.plan(found, 1).is_shared
    assert pinning.plan(found, 2) == pinning.Plan((0, 1), (0, 1), (0, 1), 1)
    assert pinning.plan(found, 2).is_shared


def test_one_core_is_shared(tmp_path: Path) -> None:
    found = machine(tmp_path, 1, 1, 1)
    assert pinning.loop_counts(found) == [1]
    assert pinning.plan(found, 1) == pinning.Plan((0,), (0,), (0,), 1)


def test_sixteen_cores_leave_a_third_to_the_load(tmp_path: Path) -> None:
    found = machine(tmp_path, 1, 16, 1)
    assert pinning.loop_counts(found) == [1, 2, 4, 8, 11, 16]
    assert pinning.plan(found, 8) == pinning.Plan(tuple(range(8)), (8, 9, 10, 11, 12, 13), (14, 15), 1)
    assert pinning.plan(found, 11) == pinning.Plan(tuple(range(11)), (11, 12, 13, 14), (15,), 1)
    assert [n for n in pinning.loop_counts(found) if pinning.plan(found, n).is_shared] == [16]


def test_a_server_fills_one_socket_after_another(tmp_path: Path) -> None:
    found = machine(tmp_path, 2, 32, 1)
    assert pinning.loop_counts(found) == [1, 2, 4, 8, 16, 32, 43, 64]
    assert pinning.plan(found, 32).server == tuple(range(32))
    assert {n: pinning.plan(found, n).n_sockets for n in (16, 32, 43)} == {16: 1, 32: 1, 43: 2}


def test_a_loop_has_a_core_and_the_load_has_both_threads(tmp_path: Path) -> None:
    found = machine(tmp_path, 2, 4, 2)  # the second threads are CPUs 8 to 15
    assert found[0].cpus == (0, 8)
    assert pinning.loop_counts(found) == [1, 2, 4, 6, 8]
    assert pinning.plan(found, 6) == pinning.Plan((0, 1, 2, 3, 4, 5), (6, 14, 7), (15,), 2)


@pytest.mark.parametrize("shape", [(1, 2, 1), (1, 3, 1), (1, 4, 2), (1, 16, 1), (2, 32, 2), (4, 16, 2)])
def test_nobody_takes_a_core_of_the_server(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    found = machine(tmp_path, *shape)
    core_of = {cpu: core for core in found for cpu in core.cpus}
    for n in pinning.loop_counts(found):
        plan = pinning.plan(found, n)
        servers = [core_of[cpu] for cpu in plan.server]
        assert len(set(servers)) == n
        assert plan.load and plan.origin
        others = {core_of[cpu] for cpu in (*plan.load, *plan.origin)}
        assert bool(others & set(servers)) == plan.is_shared == (n > pinning.most_loops(found))


def test_cpus_that_may_not_be_used_are_left_out(tmp_path: Path) -> None:
    machine(tmp_path, 1, 8, 2)
    assert [core.cpus for core in pinning.cores({2, 3, 10}, tmp_path)] == [(2, 10), (3,)]


def row(server: str, loops: int, speed: float, cpu: float, marks: str = "") -> cores.Row:
    return cores.Row("hot", server, loops, 1, speed, cpu, 1.0, 0.5, marks)


def test_a_row_that_shares_cpus_has_no_ratio_of_throughput() -> None:
    rows = [row("vernis", 1, 100, 10), row("nginx", 1, 50, 20), row("vernis", 2, 190, 11), row("vernis", 4, 200, 12, "S")]
    lines = list(cores.table(rows))
    cells = [line.split() for line in lines[2:6]]
    assert cells[0] == ["1", "1", "vernis", "100", "1.00", "10.0", "1.00", "100%", "50%"]
    assert cells[1] == ["1", "1", "nginx", "50", "1.00", "2.00", "20.0", "1.00", "0.50", "100%", "50%"]
    assert cells[2] == ["2", "1", "vernis", "190", "1.90", "11.0", "1.10", "100%", "50%"]
    assert cells[3] == ["4", "1", "vernis", "200", "12.0", "1.20", "100%", "50%", "S"]
    assert lines[-1] == f"  S: {cores.NOTES['S']}"


def test_a_peer_that_is_missing_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None if name == "varnishd" else f"/usr/bin/{name}")
    assert cores.installed(["varnish", "haproxy"]) == ["vernis", "haproxy"]
    assert capsys.readouterr().err == "varnishd is not installed, so varnish is left out\n"


def test_without_wrk_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None if name == "wrk" else f"/usr/bin/{name}")
    with pytest.raises(SystemExit, match="wrk is not installed: apt-get install wrk"):
        cores.installed(["nginx"])


@pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed")
def test_the_command_measures_one_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cores.hits, "OUT", tmp_path / "out")
    monkeypatch.setattr(cores.peers, "EDITS", dict(cores.peers.EDITS))
    monkeypatch.setattr(sys, "argv", ["cores.py", "--seconds=1", "--loops=1", "--only=miss,connection", "--peers="])
    assert cores.main() == 0
    rows = json.loads((tmp_path / "out/cores.json").read_text())["rows"]
    assert [(row["kind"], row["server"], row["loops"]) for row in rows] == [("miss", "vernis", 1), ("connection", "vernis", 1)]
    assert all(row["requests_per_s"] > 0 and row["cpu_us"] > 0 and "E" not in row["marks"] for row in rows), rows
    assert "1 loop(s): Plan(server=(" in capsys.readouterr().out
