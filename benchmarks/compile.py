"""Time from a file to a live policy in a running daemon, compared with Debian's Varnish ("stock").

    benchmarks/compile.py [--rounds 7] [--stock-rounds 2] [--limits] [--chart FILE]
                          [--only small,rules,mixed,apart,line,delete,unchanged]

Each case loads and uses a policy (vcl.load, vcl.use) in vernisd and varnishd of the same run:

* small: the quickstart policy, with an edit in every hook;
* 1,000 rules: all of them new (stock needs 20 s and more for each, so it has --stock-rounds);
* 2,000 mixed lines: probes, backends, acls, directors, conditions, substitutions, strings, calls; all new;
* the same lines with a duration of its own in each sub. Subs that differ in names, texts and patterns only
  share machine code in vernisd; here each sub is compiled;
* one line of the 1,000 rules changed; one line deleted;
* the small policy unchanged: the same file, as another policy.

Ratios are stock's time over ours, paired by round, and printed first: median [min .. max]. Other rows: the
time of `vernis build` in a new process, and of 10 to 2,000 rules.

Writes build/bench/compile.json and compile.svg, or the chart to FILE. With --limits exits with 1 if a median
is beyond its limit.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import charts
import peers

OUT = peers.ROOT / "build/bench"
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
    """The policy with a change in each of its hooks, so that the compiler's store has none of them: a text of
    another number of parts for each word."""
    hooks = sorted(
        set(re.findall(r"^sub (vcl_(?:recv|deliver|hash|backend_fetch))\b", text, re.M)) | {"vcl_deliver"}
    )
    sides = {"vcl_deliver": "resp", "vcl_backend_fetch": "bereq"}
    parts = 2 + int(re.findall(r"\d+", word)[0])

    def edit(message: str) -> str:
        return f'set {message}.http.X-Word = "{word}"{f" + {message}.http.X-Part" * parts};'

    text = re.sub(
        r"^sub vcl_backend_response \{", "sub vcl_backend_response { " + edit("beresp"), text, flags=re.M
    )
    return text + "".join(f"sub {h} {{ {edit(sides.get(h, 'req'))} }}\n" for h in hooks)


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


def rules(n: int, word: str = "app", changed: int = -1, deleted: int = -1) -> str:
    """A policy of n one-line rules, as configuration generators write them; one of them may be changed, one
    deleted."""
    lines = [
        f'    if (req.url ~ "^/{word}{i}/(foo|bar|baz)/[0-9]+\\.(png|jpg|css)(\\?.*)?$") '
        f'{{ set req.http.X-App = "{i}{"-changed" if i == changed else ""}"; '
        f'unset req.http.Cookie; set req.http.X-Rule = "r{i}"; }}'
        for i in range(n)
        if i != deleted
    ]
    return (
        'vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "1"; }\nsub vcl_recv {\n'
        + "\n".join(lines)
        + "\n}\n"
    )


MIXED_DECLARATIONS = """probe p@ { .url = "/health/@"; .interval = 1h; .timeout = 1s; }
backend b@ {
    .host = "127.0.0.1";
    .port = "1";
    .first_byte_timeout = 20s;
    .probe = p@;
}
acl a@ {
    "192.0.2.0"/24;
    ! "192.0.2.@";
    "2001:db8::"/32;
}
"""
MIXED_SUB = """sub part@ {
    if (req.url ~ "^/WORD@/(news|blog)/") {
        set req.http.X-Part = "WORD-@-" + req.method;
        set req.backend_hint = d@.backend();
    } elseif (req.http.Host == "www@.example" && client.ip ~ a@) {
        set req.url = regsub(req.url, "^/old@/([a-z]+)", "/new@/\\1");
        unset req.http.Cookie;
    } elseif (req.http.Cookie ~ "(^|; )WORD@=") {
        set req.http.X-Person = regsub(req.http.Cookie, "^.*WORD@=([^;]*).*$", "\\1");
        return (pass);
    } else {
        set req.http.X-Long = {"a long string of several words, the WORD one, number @, as pages have it"};
    }
    if (!req.http.X-Part || req.restarts > 0) {
        set req.http.X-Grace = "none";
        set req.grace = GRACE;
    }
}
"""


def mixed(lines: int, number: int, apart: bool = False) -> str:
    """A policy of at least so many short lines, with durations and words that depend on ``number``.
    ``apart``: each sub has its own duration."""
    word, grace = f"round{number}x", f"{number + 10}{'.@' * apart}s"
    init, call = "    new d@ = directors.round_robin();\n    d@.add_backend(b@);\n", "    call part@;\n"
    count = math.ceil(lines / (MIXED_DECLARATIONS + MIXED_SUB + init + call).count("\n"))

    def repeated(text: str) -> str:
        return "".join(
            text.replace("GRACE", grace).replace("@", str(i)).replace("WORD", word)
            for i in range(1, count + 1)
        )

    return (
        f"vcl 4.1;\nimport directors;\n{repeated(MIXED_DECLARATIONS)}sub vcl_init {{\n{repeated(init)}}}\n"
        f"{repeated(MIXED_SUB)}sub vcl_recv {{\n{repeated(call)}}}\n"
    )


@dataclass(frozen=True, slots=True)
class Case:
    """text: the policy of a round. Limits of our milliseconds and of stock's time over ours (0: none)."""

    key: str
    name: str
    text: Callable[[int], str]
    limit_ms: float
    least_ratio: float = 0
    slow: bool = False  # stock has fewer rounds
    same_file: bool = False  # in all rounds


def cases() -> list[Case]:
    small = QUICKSTART.read_text()
    return [
        Case("small", "small policy", lambda i: edited(small, f"round{i + 1}"), 25, 12),
        Case("rules", "1,000 rules", lambda i: rules(1000, f"round{i}x"), 300, 40, slow=True),
        Case("mixed", "2,000 mixed lines", lambda i: mixed(2000, i), 350, 15, slow=True),
        Case("apart", "2,000 mixed lines, all apart", lambda i: mixed(2000, i, apart=True), 350, slow=True),
        Case(
            "line", "1,000 rules, one line changed", lambda i: rules(1000, changed=i * 97 + 3), 100, slow=True
        ),
        Case(
            "delete",
            "1,000 rules, one line deleted",
            lambda i: rules(1000, deleted=i * 97 + 3 if i >= 0 else -1),
            100,
            slow=True,
        ),
        Case("unchanged", "small policy, unchanged", lambda i: small, 10, same_file=True),
    ]


Command = Callable[[str], object]


def go_live(command: Command, name: str, path: Path) -> float:
    """Milliseconds of vcl.load and vcl.use."""
    started = time.perf_counter()
    command(f"vcl.load {name} {path}")
    command(f"vcl.use {name}")
    return (time.perf_counter() - started) * 1000


def ours(work: Path) -> Command:
    cli = vernis_cli(work)

    def command(line: str) -> None:
        status, text = cli.command(line)
        assert status == 200, text

    return command


def stock(work: Path) -> Command:
    return lambda line: milliseconds(["varnishadm", "-n", work, "-t", "600", *line.split()])


def measure(
    case: Case, number: int, commands: dict[str, Command], rounds: dict[str, int], directory: Path
) -> dict[str, list[float]]:
    """Milliseconds of each round, by server. A first load without a measurement makes both warm."""
    took: dict[str, list[float]] = {name: [] for name in commands}
    first = 0 if case.slow else -1
    for i in range(-1, max(rounds.values())):
        path = directory / (f"case{number}.vcl" if case.same_file else f"case{number}_{i + 1}.vcl")
        path.write_text(case.text(i))
        for server, command in commands.items():
            if i >= rounds[server] or (i < first and server == "stock"):
                continue
            time.sleep(PAUSE_S)
            milliseconds_taken = go_live(command, f"case{number}_{i + 1}", path)
            if i >= 0:
                took[server].append(milliseconds_taken)
    return took


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):8.1f} ms  [{min(values):.1f} .. {max(values):.1f}]"


def report(case: Case, took: dict[str, list[float]]) -> bool:
    """Prints a row; true if it is within its limits."""
    ratios = [s / v for s, v in zip(took["stock"], took["vernis"])]
    ms = statistics.median(took["vernis"])
    if not ratios:
        print(f"{case.name:<30}vernis{spread(took['vernis'])}, limit {case.limit_ms:g}")
        return ms <= case.limit_ms
    ratio = statistics.median(ratios)
    wanted = f", limit {case.least_ratio:g}" if case.least_ratio else ""
    print(
        f"{case.name:<30}{ratio:7.1f} times  [{min(ratios):.1f} .. {max(ratios):.1f}]{wanted}\n"
        f"{'':<12}vernis{spread(took['vernis'])}, limit {case.limit_ms:g}\n"
        f"{'':<12}stock {spread(took['stock'])}"
    )
    return ms <= case.limit_ms and ratio >= case.least_ratio


def more_loads(command: Command, directory: Path) -> dict[str, list[float]]:
    result = {}
    for n in (10, 100, 1000, 2000):
        times = []
        for i in range(3):
            path = directory / f"more{n}_{i}.vcl"
            path.write_text(rules(n, f"more{i}x"))
            time.sleep(PAUSE_S)
            times.append(go_live(command, f"more{n}_{i}", path))
        result[f"rules_{n}_ms"] = times
        print(f"{n:5d} rules, warm vernisd          {spread(times)}")
    return result


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--only", default="small,rules,mixed,apart,line,delete,unchanged", help="cases")
    ap.add_argument("--stock-rounds", type=int, default=2, help="of stock in slow cases; 0: no ratios there")
    ap.add_argument("--chart", type=Path, default=OUT / "compile.svg")
    ap.add_argument("--limits", action="store_true", help="exit 1 when they are missed")
    args = ap.parse_args()
    result: dict[str, object] = {}
    bars: list[charts.Bars] = []
    good = True
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        cold = [
            milliseconds([VERNIS, "build", QUICKSTART, "-o", directory / f"q{i}.so"])
            for i in range(args.rounds + 1)
        ][1:]
        print(f"vernis build quickstart, cold        {spread(cold)}")
        result["cold_ms"] = cold
        servers = []
        try:
            servers += [peers.vernis(directory, 1, 2), peers.varnish(directory, 1, 2)]
            commands = {"vernis": ours(directory / "vernis"), "stock": stock(directory / "varnish")}
            for number, case in enumerate(c for c in cases() if c.key in args.only.split(",")):
                rounds = {"vernis": args.rounds, "stock": args.stock_rounds if case.slow else args.rounds}
                took = measure(case, number, commands, rounds, directory)
                good &= report(case, took)
                result[case.name] = took
                medians = {name: statistics.median(times) for name, times in took.items() if times}
                bars.append(charts.Bars(case.name, medians))
            result |= more_loads(commands["vernis"], directory)
        finally:
            for server in servers:
                server.stop()
    OUT.mkdir(parents=True, exist_ok=True)
    if bars:
        title = "From a file to a live policy, logarithmic"
        charts.draw_bars(title, "ms", bars, args.chart, log=True)
    (OUT / "compile.json").write_text(json.dumps(result, indent=1))
    return 1 if args.limits and not good else 0


if __name__ == "__main__":
    raise SystemExit(main())
