"""The servers that benchmarks compare: their configuration (``conf/``), start, measurement and end.

Each runs in the foreground as a child of the benchmark, on a free port of 127.0.0.1, in front of the same
origin. CPU time and memory are the kernel's figures for all processes of the server.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from support import ports

ROOT = Path(__file__).resolve().parent.parent
CONF = Path(__file__).resolve().parent / "conf"
EDITS: dict[str, str] = {}  # texts of conf/ and their replacements, for a benchmark that needs others
DESCRIPTORS: int | None = None  # limit for servers that start from now on
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
Started = TypeVar("Started")


def with_edits(edits: dict[str, str], start: Callable[[], Started]) -> Started:
    """Starts a server with more replacements in conf/."""
    saved = dict(EDITS)
    EDITS.update(edits)
    try:
        return start()
    finally:
        EDITS.clear()
        EDITS.update(saved)


def free_port() -> int:
    return ports.free_port()


def fill(template: str, out: Path, **values: object) -> Path:
    """Writes conf/template with its @NAME@ marks replaced."""
    text = (CONF / template).read_text()
    for was, becomes in EDITS.items():
        text = text.replace(was, becomes)
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    left = re.search(r"@[A-Z0-9]+@", text)
    assert left is None, f"{template}: {left} has no value"
    out.write_text(text)
    return out


def folder(parent: Path, name: str) -> Path:
    path = parent / name
    path.mkdir()
    path.chmod(0o755)
    return path


def process_tree(pid: int) -> list[int]:
    """The process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            children.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry))
    found, todo = [], [pid]
    while todo:
        p = todo.pop()
        found.append(p)
        todo += children.get(p, [])
    return found


def task_seconds(task: str) -> float:
    """CPU time of one thread from the scheduler's account in nanoseconds, or else from user + system ticks.
    Ticks miss threads that run between two ticks."""
    try:
        return int(Path(f"{task}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, IndexError):
        fields = Path(f"{task}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def cpu_seconds(pids: list[int]) -> float:
    """User and system seconds of the processes and all their threads."""
    total = 0.0
    for pid in pids:
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                total += task_seconds(f"/proc/{pid}/task/{task}")
        except OSError:
            continue
    return total


def private_bytes(pid: int) -> int:
    """RssAnon of one process, or 0 after its end."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def body_file_bytes(pid: int) -> int:
    """Memory of bodies in memory files (sendfile_min)."""
    total = 0
    try:
        for fd in Path(f"/proc/{pid}/fd").iterdir():
            if os.readlink(fd).startswith("/memfd:bodies"):
                total += fd.stat().st_blocks * 512
    except OSError:
        pass
    return total


def held_bytes(pid: int) -> int:
    """Memory that nobody else uses: private memory, and bodies in memory files."""
    return private_bytes(pid) + body_file_bytes(pid)


def pss_bytes(pids: list[int]) -> int:
    """Proportional set size of the processes."""
    total = 0
    for pid in pids:
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        found = re.search(r"^Pss:\s+(\d+) kB", text, re.M)
        total += int(found.group(1)) * 1024 if found else 0
    return total


@dataclass
class Server:
    """One running server. ``port`` may depend on the body size (the floor runs once a size)."""

    name: str
    version: str
    processes: list[subprocess.Popen[bytes]]
    ports: dict[int, int] | int
    cleanup: list[Path] = field(default_factory=list)

    def port(self, size: int = 0) -> int:
        return self.ports if isinstance(self.ports, int) else self.ports[size]

    def pids(self) -> list[int]:
        return [p for child in self.processes for p in process_tree(child.pid)]

    def stop(self) -> None:
        for child in self.processes:
            child.send_signal(signal.SIGTERM)
        for child in self.processes:
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        for path in self.cleanup:
            shutil.rmtree(path, ignore_errors=True)


def stop_all(servers: list[Server]) -> None:
    for server in servers:
        server.stop()


def spawn(argv: list[object], log: Path, **kw: Any) -> subprocess.Popen[bytes]:
    out, limit = open(log, "ab"), DESCRIPTORS
    if limit is not None:
        kw["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    return subprocess.Popen([str(a) for a in argv], stdin=subprocess.DEVNULL, stdout=out, stderr=out, **kw)


def wait_port(port: int, child: subprocess.Popen[bytes], log: Path, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if child.poll() is not None:
            raise SystemExit(f"{child.args!r} ended with {child.returncode}:\n{log.read_text()[-2000:]}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"{child.args!r} does not listen on {port}:\n{log.read_text()[-2000:]}")


def get(port: int, path: str) -> tuple[int, bytes]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return answer.status, answer.read()


def exchange(s: socket.socket, request: bytes) -> bytes:
    """Sends one request over a kept connection and reads the whole response; returns its head."""
    s.sendall(request)
    got = b""
    while b"\r\n\r\n" not in got:
        piece = s.recv(65536)
        assert piece, got
        got += piece
    head, _, body = got.partition(b"\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.I)
    assert head.startswith(b"HTTP/1.1 200 ") and length is not None, head
    left = int(length.group(1)) - len(body)
    while left > 0:
        piece = s.recv(65536)
        assert piece, head
        left -= len(piece)
    return head


@dataclass(slots=True)
class Loaded:
    """Result of one run of h2load, and its cost for the server."""

    good: int
    failed: int
    cpu_us: float  # per good request
    said: str


def h2load(server: Server, words: list[str]) -> Loaded:
    pids = server.pids()
    before = cpu_seconds(pids)
    said = subprocess.run(["h2load", "-t", "1", *words], capture_output=True, text=True, check=True).stdout
    spent = cpu_seconds(pids) - before
    counted = re.search(r"(\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", said)
    assert counted is not None, said
    done, good, *bad = (int(n) for n in counted.groups())
    assert good > 0, said
    return Loaded(good, max(sum(bad), done - good), spent / good * 1e6, said)


def version_of(argv: list[str]) -> str:
    done = subprocess.run(argv, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip().splitlines()[0]


def origin(directory: Path, sizes: list[int]) -> Server:
    site = directory / "site"
    site.mkdir(parents=True, exist_ok=True)
    for size in sizes:
        (site / f"{size}.html").write_bytes(b"x" * size)
    port = free_port()
    conf = fill("origin-nginx.conf", directory / "origin.conf", DIR=directory, PORT=port, BODY100="x" * 100)
    log = directory / "origin.log"
    child = spawn(["nginx", "-c", conf, "-p", directory], log)
    wait_port(port, child, log)
    return Server("origin", version_of(["nginx", "-v"]), [child], port)


def vernis(
    directory: Path,
    origin_port: int,
    threads: int,
    storage: str = "256m",
    extra: tuple[str, ...] = (),
    root: Path = ROOT,
    under: tuple[str, ...] = (),
) -> Server:
    """Starts vernisd of the checkout ``root``. An empty ``storage`` has no limit. ``under`` is a command that
    runs it, such as valgrind with options."""
    port, work = free_port(), directory / "vernis"
    work.mkdir(parents=True, exist_ok=True)
    vcl = fill("vcl.vcl", directory / "vernis.vcl", ORIGIN=origin_port)
    log = directory / "vernis.log"
    child = spawn(
        [
            *under,
            root / "build/bin/vernisd",
            "-F",
            "-n",
            work,
            "-a",
            f"127.0.0.1:{port}",
            "-T",
            "none",
            "-f",
            vcl,
            "-s",
            f"malloc,{storage}" if storage else "malloc",
            "-p",
            f"loops={threads}",
            *extra,
        ],
        log,
    )
    wait_port(port, child, log, 120 if under else 30)
    return Server("vernis", version_of([str(root / "build/bin/vernisd"), "-V"]), [child], port)


def varnish(
    directory: Path,
    origin_port: int,
    threads: int,
    storage: str = "256m",
    extra: tuple[str, ...] = (),
    under: tuple[str, ...] = (),
) -> Server:
    """Starts varnishd with a pool for each thread, and with idle threads, as its tuning guide advises."""
    port, work = free_port(), directory / "varnish"
    vcl = fill("vcl.vcl", directory / "varnish.vcl", ORIGIN=origin_port)
    log = directory / "varnish.log"
    child = spawn(
        [
            *under,
            "varnishd",
            "-F",
            "-j",
            "none",
            "-n",
            work,
            "-a",
            f"127.0.0.1:{port}",
            "-T",
            "127.0.0.1:0",
            "-f",
            vcl,
            "-s",
            f"malloc,{storage}",
            "-p",
            f"thread_pools={threads}",
            "-p",
            "thread_pool_min=600",
            "-p",
            "thread_pool_max=5000",
            *extra,
        ],
        log,
    )
    wait_port(port, child, log, 120 if under else 60)
    return Server("varnish", version_of(["varnishd", "-V"]), [child], port)


def nginx(directory: Path, origin_port: int, threads: int, under: tuple[str, ...] = ()) -> Server:
    port = free_port()
    memory = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else directory
    cache = memory / f"vernis-bench-nginx-{os.getpid()}-{port}"
    conf = fill(
        "nginx.conf",
        directory / "nginx.conf",
        DIR=directory,
        PORT=port,
        ORIGIN=origin_port,
        THREADS=threads,
        CACHE=cache,
    )
    log = directory / "nginx.log"
    child = spawn([*under, "nginx", "-c", conf, "-p", directory], log)
    wait_port(port, child, log)
    return Server("nginx", version_of(["nginx", "-v"]), [child], port, [cache])


def haproxy(directory: Path, origin_port: int, threads: int, under: tuple[str, ...] = ()) -> Server:
    port = free_port()
    conf = fill("haproxy.cfg", directory / "haproxy.cfg", PORT=port, ORIGIN=origin_port, THREADS=threads)
    log = directory / "haproxy.log"
    child = spawn([*under, "haproxy", "-db", "-f", conf], log)
    wait_port(port, child, log)
    return Server("haproxy", version_of(["haproxy", "-v"]), [child], port)


def program(directory: Path, name: str) -> Path:
    """benchmarks/NAME.c, compiled: build/bench has it if the build was copied to a machine without gcc."""
    built, source = ROOT / "build/bench" / name, Path(__file__).parent / f"{name}.c"
    if built.exists() and built.stat().st_mtime >= source.stat().st_mtime:
        return built
    binary = directory / name
    subprocess.run(["gcc", "-O2", "-o", binary, source, "-pthread"], check=True)
    return binary


def floor(directory: Path, threads: int, sizes: list[int]) -> Server:
    binary, ports, children, log = program(directory, "floor"), {}, [], directory / "floor.log"
    for size in sizes:
        ports[size] = free_port()
        children.append(spawn([binary, ports[size], size, threads], log))
        wait_port(ports[size], children[-1], log)
    return Server("floor", "benchmarks/floor.c", children, ports)


def asked_origin(directory: Path, threads: int = 1, under: tuple[str, ...] = ()) -> Server:
    """Starts an origin that needs little CPU. The target names the size of the body."""
    port, log = free_port(), directory / "origin.log"
    child = spawn([*under, program(directory, "floor"), port, "asked", threads], log)
    wait_port(port, child, log)
    return Server("origin", "benchmarks/floor.c", [child], port)
