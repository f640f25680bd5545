"""Soak test: all features at once under full load, with a check of every byte and of the memory limit.

    benchmarks/soak.py [--seconds 1800] [--build bin|asan|tsan] [--seed 1] [--large]
    benchmarks/soak.py --beside-varnish [--requests 1000000] [--rate 4000]

Clients request 200,000 objects of 100 bytes to 5 MB, with a Zipf distribution: short and long lifetimes,
Vary, pages with includes, gzip in both directions, ranges and validators. Some clients are slow or leave. The
origin fails, stalls, cuts bodies and sends corrupt gzip. Clients purge and ban all the time, and a reload
happens every 5 seconds. The seed determines all bodies (soak/model.h), so the clients verify each body, and
that none is older than the last purge or ban. Clients that are not slow time each response: one over 20 s is
an error, too. At the end the origin stops failing, and then all responses must be right. Exit code 1: an
error was found.

With --upgrades, the daemon is also upgraded, again and again. A purge or ban that the old daemon refuses with
503 and the end of the connection has no effect. The memory of the worker is then not compared with the limit,
because two workers run at once.

With --large, 2,000 objects have 20 KB to 5 MB, and the kernel sends them from memory files (sendfile_min).

The second form replays one trace at one rate to Vernis and to Debian's Varnish, and compares hit ratios and
peaks of private memory. Writes build/bench/soak.json.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import memory
import peers
from proxy.daemon import Daemon, wait_until
from proxy import daemon as daemon_module
from proxy.upgrade_load import Line

HERE = Path(__file__).resolve().parent / "soak"
MB = 1 << 20
CALM_S, CALM_WAIT_S = 10.0, 5.0
RELOAD_S, SAMPLE_S = 5.0, 0.25
#: The origin stalls for at most 4 s (soak/origin.c), and a page waits for few stalls at once.
SLOWEST_S = 20.0
BASE, CONNECTION = 8 * MB, 72 * 1024  # docs/memory.md
#: Storing a body of 5 MB evicts many small ones.
PARAMETERS = ("-p", "nuke_limit=10000")
LARGE = ["-p", "sendfile_min=20k", "-p", "sendfile_connections=0"]
FOUND = ("AddressSanitizer", "ThreadSanitizer", "LeakSanitizer", "runtime error", "Broken invariant", "Panic")
ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=1:exitcode=99",
    "TSAN_OPTIONS": "halt_on_error=0:second_deadlock_stack=1",
    "VERNIS_COMPILER": str(peers.ROOT / "build" / "bin" / "vernis"),
}


def programs(directory: Path, large: bool) -> None:
    for name, libraries in (
        ("origin", ["model.c"]),
        ("client", ["wire.c", "check.c", "latency.c", "model.c", "-lm"]),
    ):
        subprocess.run(
            [
                "gcc",
                "-O2",
                *(["-DSOAK_LARGE"] if large else []),
                "-o",
                directory / name,
                f"{name}.c",
                *libraries,
                "-lz",
                "-pthread",
            ],
            cwd=HERE,
            check=True,
        )


def policy(origin: int, version: int) -> str:
    return (
        (HERE / "policy.vcl").read_text().replace("@ORIGIN@", str(origin)).replace("@POLICY@", str(version))
    )


@dataclass
class Origin:
    directory: Path
    args: argparse.Namespace
    port: int = field(default_factory=peers.free_port)

    def __post_init__(self) -> None:
        log = self.directory / "origin.log"
        self.child = peers.spawn(
            [self.directory / "origin", self.port, self.args.seed, self.args.objects, self.args.permille], log
        )
        peers.wait_port(self.port, self.child, log)

    def tell(self, what: str) -> dict[str, int]:
        counts: dict[str, int] = json.loads(peers.get(self.port, f"/{what}")[1])
        return counts

    def stop(self) -> None:
        self.child.kill()
        self.child.wait()


class Samples:
    """Samples the worker's private memory and its memory files four times a second. Keeps the peak and the
    times above the limit."""

    def __init__(self, pid: int, limit: int) -> None:
        self.pid, self.limit, self.peak = pid, limit, 0
        self.above: list[tuple[float, int]] = []
        self.begun, self.ended = time.monotonic(), threading.Event()
        self.thread = threading.Thread(target=self._sample)
        self.thread.start()

    def _sample(self) -> None:
        while not self.ended.wait(SAMPLE_S):
            now = peers.held_bytes(self.pid)
            self.peak = max(self.peak, now)
            if now > self.limit:
                self.above.append((time.monotonic() - self.begun, now))

    def end(self) -> None:
        self.ended.set()
        self.thread.join()


def client(
    directory: Path,
    port: int,
    args: argparse.Namespace,
    seconds: float,
    requests: int = 0,
    rate: float = 0,
    mode: str = "",
) -> subprocess.Popen[str]:
    command = [
        directory / "client",
        port,
        args.seed,
        args.objects,
        args.connections,
        args.slow,
        seconds,
        requests,
        rate,
    ]
    return subprocess.Popen(
        [str(a) for a in [*command, *([mode] if mode else [])]], stdout=subprocess.PIPE, text=True
    )


def result_of(child: subprocess.Popen[str]) -> dict[str, Any]:
    out, _ = child.communicate()
    return json.loads(out) if out else {"wrong": 1, "why": f"the client ended with {child.returncode}"}


def longest_round(d: Daemon) -> int:
    return counters(d.workdir).get("VERNIS.loop_longest_round_us", 0) if shutil.which("varnishstat") else 0


def change_all_along(
    d: Line, origin: Origin, child: subprocess.Popen[str], upgrades_s: float
) -> tuple[int, int, int]:
    """Loads one policy after the other until the client ends, and upgrades the daemon. Returns the numbers of
    policies and upgrades, and the longest round of a loop in microseconds."""
    version, upgrades, longest, active, begun = 0, 0, 0, "boot", time.monotonic()
    while True:
        try:
            child.wait(RELOAD_S)
            return version, upgrades, max(longest, longest_round(d))
        except subprocess.TimeoutExpired:
            version += 1
            d.load(f"p{version}", policy(origin.port, version))
            d.use(f"p{version}")
            d.ok(f"vcl.discard {active}")
            active = f"p{version}"
            if upgrades_s and time.monotonic() - begun >= (upgrades + 1) * upgrades_s:
                longest = max(longest, longest_round(d))
                # An upgrade loads the policy of the start, and is refused while another one is active.
                d.ok(f"vernis.reload start{version} {origin.directory}/boot.vcl")
                d.upgrade()
                upgrades, active = upgrades + 1, "boot"


def counters(workdir: Path) -> dict[str, int]:
    told = subprocess.run(
        ["varnishstat", "-n", str(workdir), "-1", "-j"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return {name: row["value"] for name, row in json.loads(told.stdout)["counters"].items()}


def errors_reader(workdir: Path, out: Path) -> subprocess.Popen[bytes]:
    with out.open("wb") as file:
        return subprocess.Popen(
            [
                "varnishlog",
                "-n",
                str(workdir),
                "-i",
                "FetchError,Error,VCL_Error,BereqURL,Timestamp",
                "-b",
                "-q",
                "FetchError or VCL_Error",
            ],
            stdout=file,
        )


def hit_ratio(counted: dict[str, int]) -> float:
    hits = counted["MAIN.cache_hit"]
    return hits / max(1, hits + counted["MAIN.cache_miss"])


def soak(directory: Path, args: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    daemon_module.VERNISD = peers.ROOT / "build" / args.build / "vernisd"
    given = memory.bytes_of(args.given)
    limit = int(given * 1.15) + BASE + (args.connections + 1) * CONNECTION
    origin, problems = Origin(directory, args), []
    try:
        with Line(
            directory,
            policy(origin.port, 0),
            [
                "-s",
                f"malloc,{given}",
                "-p",
                "loops=2",
                "-p",
                "timeout_idle=60",
                "-p",
                "ban_lurker_age=5",
                *PARAMETERS,
                *args.options,
            ],
            env=ENVIRONMENT if args.build != "bin" else {},
        ) as d:
            worker = d.worker_pid
            reader = errors_reader(d.workdir, args.errors) if args.errors else None
            samples = Samples(worker, limit if args.build == "bin" and not args.upgrades else 1 << 62)
            before = peers.cpu_seconds([worker])
            mode = "upgrades" if args.upgrades else ""
            child = client(directory, d.port, args, args.seconds, mode=mode)
            reloads, upgrades, longest = change_all_along(d, origin, child, args.upgrades)
            load = result_of(child)
            if upgrades:
                samples.end()
                worker, before = d.worker_pid, 0.0
                samples = Samples(worker, 1 << 62)
            cpu = peers.cpu_seconds([worker]) - before
            failures = origin.tell("calm")
            time.sleep(CALM_WAIT_S)
            calm = result_of(client(directory, d.port, args, CALM_S, mode="calm"))
            samples.end()
            if reader is not None:
                reader.terminate()
                reader.wait()
            counted = counters(d.workdir) if shutil.which("varnishstat") else {}
            parts = sum(v for k, v in counted.items() if k.startswith("MEMORY.s0."))
            if counted and parts != counted["SMA.s0.g_bytes"]:
                problems.append(f"counters: parts of s0 come to {parts}, in all {counted['SMA.s0.g_bytes']}")
            if d.worker_pid != worker:
                problems.append("the worker died")
            if d.stop() != 0:
                problems.append("the daemon did not end with 0")
        logs = d.logs
    finally:
        origin.stop()
    problems += [
        f"{name}: {row['wrong']} wrong" for name, row in (("load", load), ("calm", calm)) if row["wrong"]
    ]
    problems += [
        f"{name}: a response took {row['slowest_ms'] / 1e3:.1f} s"
        for name, row in (("load", load), ("calm", calm))
        if row.get("slowest_ms", 0) > SLOWEST_S * 1e3
    ]
    problems += [f"log: {word}" for word in FOUND if word in logs]
    problems += [f"memory: {at:.1f} s {now / MB:.1f} MB" for at, now in samples.above[:10]]
    if problems:
        (peers.ROOT / "build/bench/soak.log").write_text(logs)
    told = {
        name: counted.get(f"MAIN.{name}", counted.get(f"VERNIS.{name}"))
        for name in (
            "cache_hit",
            "cache_miss",
            "esi_req",
            "n_lru_nuked",
            "fetch_failed",
            "n_gzip",
            "n_gunzip",
            "gunzip_errors",
            "bans_added",
            "sendfile_bytes",
            "bodies_lost",
            "loop_stalls",
        )
    }
    return {
        "build": args.build,
        "seed": args.seed,
        "given": given,
        "limit": limit,
        "peak": samples.peak,
        "seconds_above": len(samples.above) * SAMPLE_S,
        "cpu_seconds": cpu,
        "reloads": reloads,
        "upgrades": upgrades,
        "longest_round_us": longest,
        "load": load,
        "calm": calm,
        "origin": failures,
        "counters": told,
    }, problems


# ---- beside Varnish ----


def serves(port: int) -> bool:
    try:
        return peers.get(port, "/o/g0/0")[0] == 200
    except OSError:
        return False


def replay(name: str, directory: Path, args: argparse.Namespace, given: str) -> dict[str, Any]:
    """Replays one trace through one server with an empty cache."""
    origin = Origin(directory, args)
    vcl = directory / f"{name}.vcl"
    vcl.write_text(policy(origin.port, 0))
    server = memory.start(name, directory, vcl, given, PARAMETERS)
    try:
        wait_until(
            lambda: serves(server.port()), f"{name} serves"
        )  # the manager listens before the worker serves
        samples = Samples(memory.worker_of(server.pids()), 1 << 62)
        cpu = peers.cpu_seconds([samples.pid])
        load = result_of(client(directory, server.port(), args, 0, args.requests, args.rate, "lenient"))
        samples.end()
        counted = counters(directory / name)
        return {
            "server": name,
            "hit_ratio": hit_ratio(counted),
            "peak": samples.peak,
            "cpu_seconds": peers.cpu_seconds([samples.pid]) - cpu,
            "origin": origin.tell("count"),
            "load": load,
        }
    finally:
        server.stop()
        origin.stop()


def beside_varnish(directory: Path, args: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Compares both servers. Varnish gets the requested size of storage, Vernis the size that should give the
    same peak of memory (docs/memory.md)."""
    varnish = replay("varnish", directory, args, args.given)
    same = int((varnish["peak"] - BASE - args.connections * CONNECTION) / 1.15)
    rows = {"varnish": varnish, "vernis": replay("vernis", directory, args, f"{same // 1024}k")}
    for row in rows.values():
        print(
            f"{row['server']:<8} hit ratio {row['hit_ratio']:.4f}  peak {row['peak'] / MB:7.1f} MB  "
            f"CPU {row['cpu_seconds']:6.1f} s  origin requests {row['origin']['requests']}  "
            f"{row['load']['right']} right, {row['load']['wrong']} wrong",
            flush=True,
        )
    problems = []
    if rows["vernis"]["load"]["wrong"]:
        problems.append("wrong bodies")
    if rows["vernis"]["hit_ratio"] < rows["varnish"]["hit_ratio"]:
        problems.append("hit ratio below Varnish's")
    if rows["vernis"]["peak"] > rows["varnish"]["peak"]:
        problems.append("more memory than Varnish")
    return rows, problems


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seconds", type=float, default=1800)
    ap.add_argument("--build", choices=("bin", "asan", "tsan"), default="bin")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--objects", type=int, help="200,000, or with --large 2,000")
    ap.add_argument("--large", action="store_true", help="large objects, sent from memory files")
    ap.add_argument("--given", default="256m", help="size of the storage")
    ap.add_argument("--connections", type=int, default=150)
    ap.add_argument("--slow", type=int, default=20, help="connections that read slowly")
    ap.add_argument("--permille", type=int, default=15, help="failing responses of the origin, in a thousand")
    ap.add_argument("--errors", type=Path, help="file for the log's records of errors")
    ap.add_argument("--options", nargs="*", default=[], help="more options of the daemon")
    ap.add_argument("--upgrades", type=float, default=0, help="seconds between upgrades; 0: none")
    ap.add_argument("--beside-varnish", action="store_true")
    ap.add_argument("--requests", type=int, default=1_000_000, help="beside Varnish: length of the trace")
    ap.add_argument("--rate", type=float, default=4000, help="beside Varnish: requests a second")
    args = ap.parse_args()
    args.objects = args.objects or (2_000 if args.large else 200_000)
    if args.large:
        args.options += LARGE
    out = peers.ROOT / "build/bench"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="vernis-soak-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        programs(directory, args.large)
        result, problems = (beside_varnish if args.beside_varnish else soak)(directory, args)
    print(json.dumps(result, indent=1))
    (out / "soak.json").write_text(json.dumps(result, indent=1))
    print("\n".join(problems) or "nothing wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
