"""Time to build and to load policies, compared with Debian's Varnish ("stock").

    benchmarks/compile.py [--rounds 7]

* `vernis build` of the quickstart policy in a new process: wall milliseconds.
* vcl.load of the quickstart policy into running daemons, vernisd and varnishd, with an edit in every hook.
* Each stage of the compiler, for policies of 10 to 2,000 generated rules.

Writes build/bench/compile.json.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

VERNIS = peers.ROOT / "build/bin/vernis"
PAUSE_S = 0.2  # between loads, because operators do not load policies back to back
QUICKSTART = peers.ROOT / "examples/quickstart/quickstart.vcl"


def milliseconds(argv: list[object]) -> float:
    started = time.perf_counter()
    subprocess.run([str(a) for a in argv], check=True, capture_output=True)
    return (time.perf_counter() - started) * 1000


class Cli:
    """One connection to a daemon's command line (framed text, no authentication)."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock, self.stream = sock, sock.makefile("rb")

    def command(self, line: str) -> tuple[int, str]:
        self.sock.sendall(line.encode() + b"\n")
        return self.answer()

    def answer(self) -> tuple[int, str]:
        status, length = self.stream.read(13).split()
        body = self.stream.read(int(length) + 1)
        return int(status), body[:-1].decode()


def vernis_cli(work: Path) -> Cli:
    end = time.monotonic() + 30
    while True:
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.connect(str(work / "cli.sock"))
            break
        except OSError:
            assert time.monotonic() < end, "vernisd does not answer"
            time.sleep(0.05)
    cli = Cli(sock)
    cli.answer()  # banner
    return cli


def edited(text: str, word: str) -> str:
    """The policy with a change in each of its hooks, so that the compiler's store has none of them."""
    hooks = sorted(
        set(re.findall(r"^sub (vcl_(?:recv|deliver|hash|backend_fetch))\b", text, re.M)) | {"vcl_deliver"}
    )
    sides = {"vcl_deliver": "resp", "vcl_backend_fetch": "bereq"}
    text = re.sub(
        r"^sub vcl_backend_response \{",
        f'sub vcl_backend_response {{ set beresp.http.X-Word = "{word}";',
        text,
        flags=re.M,
    )
    return text + "".join(f'sub {h} {{ set {sides.get(h, "req")}.http.X-Word = "{word}"; }}\n' for h in hooks)


def load_times(cli: Cli, path: Path, rounds: int, prefix: str) -> list[float]:
    """Milliseconds of each vcl.load. Each policy has an edit in every hook."""
    times = []
    for i in range(rounds):
        copy = path.with_name(f"{prefix}{i}.vcl")
        copy.write_text(edited(path.read_text(), f"{prefix}{i}"))
        time.sleep(PAUSE_S)
        started = time.perf_counter()
        status, text = cli.command(f"vcl.load {prefix}{i} {copy}")
        times.append((time.perf_counter() - started) * 1000)
        assert status == 200, text
    return times


def rules(n: int) -> str:
    """A policy of n one-line rules, as configuration generators write them."""
    lines = [
        f'    if (req.url ~ "^/app{i}/(foo|bar|baz)/[0-9]+\\.(png|jpg|css)(\\?.*)?$") '
        f'{{ set req.http.X-App = "{i}"; unset req.http.Cookie; set req.http.X-Rule = "r{i}"; }}'
        for i in range(n)
    ]
    return (
        'vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "1"; }\nsub vcl_recv {\n'
        + "\n".join(lines)
        + "\n}\n"
    )


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):8.1f} ms  [{min(values):.1f} .. {max(values):.1f}]"


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=7)
    args = ap.parse_args()
    result: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        milliseconds([VERNIS, "build", QUICKSTART, "-o", directory / "warm.so"])
        cold = [
            milliseconds([VERNIS, "build", QUICKSTART, "-o", directory / f"q{i}.so"])
            for i in range(args.rounds)
        ]
        print(f"vernis build quickstart, cold        {spread(cold)}")
        servers = []
        try:
            servers.append(peers.vernis(directory, 1, 2))
            servers.append(peers.varnish(directory, 1, 2))
            ours = vernis_cli(directory / "vernis")
            quickstart = directory / "quickstart.vcl"
            quickstart.write_text(QUICKSTART.read_text())
            load_times(ours, quickstart, 2, "warm")
            warm = load_times(ours, quickstart, args.rounds, "v")
            stock = []
            for i in range(args.rounds):
                copy = directory / f"s{i}.vcl"
                copy.write_text(edited(quickstart.read_text(), f"s{i}"))
                time.sleep(PAUSE_S)
                stock.append(
                    milliseconds(["varnishadm", "-n", directory / "varnish", "vcl.load", f"s{i}", copy])
                )
            base = [
                milliseconds(["varnishadm", "-n", directory / "varnish", "ping"]) for _ in range(args.rounds)
            ]
            stock = [s - statistics.median(base) for s in stock]
            print(f"vcl.load quickstart, warm vernisd    {spread(warm)}")
            print(
                f"vcl.load quickstart, stock varnishd  {spread(stock)}   "
                f"(less {statistics.median(base):.1f} ms of varnishadm)"
            )
            ratios = [s / v for s, v in zip(stock, warm, strict=True)]
            print(
                f"stock / vernis                       {statistics.median(ratios):8.1f} times  "
                f"[{min(ratios):.1f} .. {max(ratios):.1f}]"
            )
            result |= {"cold_ms": cold, "warm_ms": warm, "stock_ms": stock, "ratio": ratios}
            for n in (10, 100, 1000, 2000):
                path = directory / f"rules{n}.vcl"
                path.write_text(rules(n))
                times = load_times(ours, path, 3, f"n{n}x")
                result[f"rules_{n}_ms"] = times
                print(f"vcl.load {n:5d} rules, warm vernisd   {spread(times)}")
        finally:
            for server in servers:
                server.stop()
    out = peers.ROOT / "build/bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "compile.json").write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
