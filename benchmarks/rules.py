"""Cost of rules for hits: policies of 1 to 5,000 rules in Vernis, Varnish, nginx and HAProxy.

    benchmarks/rules.py [--rounds N] [--seconds S] [--sizes 1,10,100,1000,5000]
                        [--shapes prefixes,mixed,chains] [--servers vernis,varnish,nginx,haproxy]
                        [--only load,instructions] [--limits] [--chart FILE]

The rules run in vcl_recv for each request. benchmarks/rule_sets.py makes rules and requests from a seed.
wrk replays 20,000 distinct targets from a file. Each target is a stored object of 100 bytes. All servers of
a shape run at the same time, and wrk loads them in turn. Ratios are paired round by round and printed as
median [least .. most].

"cold" is the CPU of Vernis in the first pass over the targets after the policy was loaded, with objects that
were stored before. The peers build nothing in a first pass. nginx and HAProxy have the rules as a map.
Varnish needs minutes to compile more than 1,000 rules, so it is measured up to 1,000. Before the load, a
sample of responses is compared with a model of the rules in Python.

"instructions" counts those of the Vernis worker per request (benchmarks/counted.py). They do not depend on
what else the machine does.

Writes build/bench/rules.json and rules.svg, or the chart to FILE. With --limits exits 1 when a figure is
above its limit.
"""

from __future__ import annotations

import argparse
import json
import platform
import socket
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import charts
import counted
import hits
import peers
import rule_servers
import rule_sets
from rule_servers import Entry

SCRIPT = str(peers.CONF / "rules.lua")
SIZES = [1, 10, 100, 1000, 5000]
VARNISH_MOST = 1000
ONCE_S = 600  # the longest that one pass may take
MODEL_SAMPLE = 100
TO_ONE_RULE = {1000: 1.05, 5000: 1.10}  # limits: CPU over that at 1 rule
OF_VARNISH = {1000: 1 / 18}  # CPU over Varnish's
NOTES = {
    "prefixes": "nginx, HAProxy: a map from the target to the name of a rule, in reverse order because the\n"
    "  first match decides. A map sets one header, so the other two statements of a rule are left out.",
    "mixed": "nginx, HAProxy: a map from the target to the name of a rule, in reverse order, for one header\n"
    "  of two.",
    "chains": "nginx, HAProxy: a map has one subject: Host and Cookie in one text. Equalities are patterns\n"
    "  there, because the order of the arms matters, and nginx looks exact keys up before patterns.",
}


# ---- measuring -----------------------------------------------------------------------------------


def replay(entry: Entry, mode: str, seconds: int, connections: int, round_: int) -> hits.Sample:
    """The size of the sample is the number of rules."""
    script = (SCRIPT, str(entry.directory / "requests.tsv"), mode)
    return hits.load(entry.server, entry.n, connections, seconds, round_, script)


def check(entry: Entry, model: dict[rule_sets.Request, str]) -> None:
    """The rules decide as the model does, and a connection serves each request."""
    with socket.create_connection(("127.0.0.1", entry.server.port()), 60) as s:
        for request, expected in model.items():
            head = peers.exchange(s, request.wire()).decode("latin-1").split("\r\n")
            fields = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in head[1:]}
            got = fields.get("x-rule", "")
            assert got == expected, (
                f"{entry.server.name}, {entry.n} rules: {request} gives {got!r}, not {expected!r}"
            )


def modelled(rules: rule_sets.RuleSet) -> dict[rule_sets.Request, str]:
    return {request: (["", *rules.executed(request)])[-1] for request in rules.requests[:MODEL_SAMPLE]}


def measure_shape(entries: list[Entry], args: argparse.Namespace) -> list[hits.Sample]:
    for entry in entries:
        replay(entry, "once", ONCE_S, args.connections, 0)  # stores the objects
        if entry.server.name == "vernis":
            rule_servers.load_vernis(entry)
            entry.cold_us = replay(entry, "once", ONCE_S, args.connections, 0).cpu_us_per_request
    models = {n: modelled(rules) for n, rules in {entry.n: entry.rules for entry in entries}.items()}
    for entry in entries:
        check(entry, models[entry.n])
    samples = []
    for round_ in range(args.rounds):
        for entry in entries if round_ % 2 == 0 else entries[::-1]:
            samples.append(replay(entry, "again", args.seconds, args.connections, round_))
    return samples


def count_instructions(
    rules: rule_sets.RuleSet, directory: Path, origin_port: int, n: int
) -> dict[str, float]:
    """Per request, of the first pass over n targets after the load, and of the next."""
    work = peers.folder(directory, f"counted-{rules.shape}-{len(rules.rules)}")
    rule_servers.write_inputs(rules, work, origin_port)
    counting = counted.vernis(work, origin_port)
    entry = Entry(counting.server, rules, work)
    port, requests = counting.server.port(), [request.wire() for request in rules.requests[:n]]
    try:
        counted.replay(port, requests)
        rule_servers.load_vernis(entry)
        cold, warm = (counting.instructions(lambda: counted.replay(port, requests)) / n for _ in range(2))
    finally:
        counting.server.stop()
    return {"cold": cold, "warm": warm}


# ---- reporting -----------------------------------------------------------------------------------


def text_of(ratio: dict[str, float]) -> str:
    return f"{ratio['median']:.3f} [{ratio['min']:.3f} .. {ratio['max']:.3f}]"


def to_least(samples: list[hits.Sample], name: str, n: int, least: int) -> dict[str, float]:
    """CPU at n rules over that at the least number of rules."""
    by_round = {
        size: {s.round: s.cpu_us_per_request for s in samples if (s.server, s.size) == (name, size)}
        for size in (n, least)
    }
    return hits.spread([cpu / by_round[least][round_] for round_, cpu in by_round[n].items()])


def report_shape(
    shape: str, entries: list[Entry], samples: list[hits.Sample], args: argparse.Namespace
) -> list[dict[str, object]]:
    least, rows = min(args.sizes), []
    print(f"\n{shape}: {rule_sets.SHAPES[shape][0]}; {args.connections} connections")
    print(
        f"  {'server':<9}{'rules':>6}{'load ms':>9}{'req/s':>9}{'CPU us/req':>12}{'cold':>8}  "
        f"{f'CPU to {least} rule(s)':<25}{'CPU vernis/it':<25}{'req/s vernis/it':<25}"
    )
    for entry in entries:
        name, n = entry.server.name, entry.n
        mine = [s for s in samples if (s.server, s.size) == (name, n)]
        row: dict[str, object] = {
            "shape": shape,
            "server": name,
            "rules": n,
            "errors": sum(s.errors for s in mine),
        }
        row |= {
            "load_ms": entry.load_ms,
            "cold_us": entry.cold_us,
            "to_least": to_least(samples, name, n, least),
        }
        speed, cpu = (
            statistics.median(getattr(s, value) for s in mine)
            for value in ("requests_per_s", "cpu_us_per_request")
        )
        row |= {"requests_per_s": speed, "cpu_us": cpu}
        tail = text_of(to_least(samples, name, n, least)).ljust(25)
        if name != "vernis" and "vernis" in args.servers:
            for value in ("cpu_us_per_request", "requests_per_s"):
                ratio = hits.ratios(samples, n, args.connections, name, value)
                row[f"vernis_over_it_{value}"] = ratio
                tail += text_of(ratio).ljust(25)
        load_ms, cold = (f"{x:.0f}" if x else "" for x in (entry.load_ms, entry.cold_us))
        print(
            f"  {name:<9}{n:>6}{load_ms:>9}{speed:>9.0f}{cpu:>12.2f}{cold:>8}  {tail}"
            + (f"  {row['errors']} errors" if row["errors"] else "")
        )
        rows.append(row)
    print(f"  {NOTES[shape]}")
    return rows


def report_instructions(row: dict[str, object], rows: list[dict[str, object]]) -> None:
    """Prints one row, with a head above the first. rows: the earlier ones."""
    if not rows:
        print("\ninstructions of the Vernis worker per request (callgrind)")
        print(f"  {'shape':<10}{'rules':>6}{'cold':>12}{'warm':>12}{'warm to least':>15}")
    least = next((r for r in rows if r["shape"] == row["shape"]), row)
    cold, warm, first = (float(str(x)) for x in (row["cold"], row["warm"], least["warm"]))
    print(
        f"  {row['shape']:<10}{row['rules']:>6}{cold:>12,.0f}{warm:>12,.0f}{warm / first:>15.3f}", flush=True
    )


def over_limits(rows: list[dict[str, object]]) -> list[str]:
    """Figures of Vernis above their limits."""
    bad = []
    for row in rows:
        what, n = f"{row['shape']}, {row['rules']} rules", int(str(row["rules"]))
        name, ratio, most = "CPU to 1 rule", row["to_least"], TO_ONE_RULE.get(n)
        if row["server"] == "varnish":
            name, ratio, most = (
                "CPU over Varnish's",
                row.get("vernis_over_it_cpu_us_per_request"),
                OF_VARNISH.get(n),
            )
        elif row["server"] != "vernis":
            continue
        if most is not None and isinstance(ratio, dict) and ratio["median"] > most:
            bad.append(f"{what}: {name} {ratio['median']:.3f}, limit {most:.3f}")
    return bad


def points(rows: list[dict[str, object]], value: str) -> list[charts.Point]:
    return [(float(str(row["rules"])), float(str(row[value]))) for row in rows]


def chart(rows: list[dict[str, object]], counts: list[dict[str, object]], path: Path) -> None:
    """CPU per request by number of rules, a panel a shape, and instructions below."""
    shapes = list(dict.fromkeys(str(row["shape"]) for row in [*rows, *counts]))
    servers = list(dict.fromkeys(str(row["server"]) for row in rows))
    cpu, instructions = [], []
    for shape in shapes:
        mine = [row for row in rows if row["shape"] == shape]
        lines = {name: points([row for row in mine if row["server"] == name], "cpu_us") for name in servers}
        cpu.append(charts.Panel(f"{shape}: CPU us per request", "rules", lines, log=True))
        own = [row for row in counts if row["shape"] == shape]
        counted_lines = {"vernis": points(own, "warm"), "vernis, first pass": points(own, "cold")}
        instructions.append(charts.Panel(f"{shape}: instructions", "rules", counted_lines, log=True))
    title = "Hits under policies of 1 to 5,000 rules"
    charts.draw_lines(title, [row for row, some in ((cpu, rows), (instructions, counts)) if some], path)


# ---- the run -------------------------------------------------------------------------------------


def run_load(
    sets: list[rule_sets.RuleSet], directory: Path, origin_port: int, args: argparse.Namespace
) -> tuple[list[dict[str, object]], list[hits.Sample], dict[str, str]]:
    """Rows of the tables, the samples they are made of, and the versions of the servers."""
    rows: list[dict[str, object]] = []
    samples: list[hits.Sample] = []
    versions: dict[str, str] = {}
    with ThreadPoolExecutor(2) as pool:
        few = [rules for rules in sets if len(rules.rules) <= VARNISH_MOST and "varnish" in args.servers]
        varnishes = rule_servers.start_varnish(few, directory, origin_port, args.threads, pool)
        others: list[Entry] = []
        try:
            for shape in args.shapes:
                others = [
                    rule_servers.start(name, rules, directory, origin_port, args.threads)
                    for name in args.servers
                    if name != "varnish"
                    for rules in sets
                    if rules.shape == shape
                ]
                mine = [(entry, loaded) for entry, loaded in varnishes if entry.rules.shape == shape]
                for _, loaded in mine:
                    loaded.result()
                entries = others + [entry for entry, _ in mine]
                taken = measure_shape(entries, args)
                rows += report_shape(shape, entries, taken, args)
                samples += taken
                versions |= {entry.server.name: entry.server.version for entry in entries}
                for entry in others:
                    entry.server.stop()
        finally:
            for entry in [*others, *(entry for entry, _ in varnishes)]:
                entry.server.stop()
    return rows, samples, versions


def run(directory: Path, args: argparse.Namespace) -> dict[str, object]:
    result: dict[str, object] = {
        "machine": platform.platform(),
        "date": time.strftime("%Y-%m-%d"),
        "seed": args.seed,
    }
    sets = [rule_sets.make(shape, n, args.seed) for shape in args.shapes for n in args.sizes]
    rows: list[dict[str, object]] = []
    counts: list[dict[str, object]] = []
    rule_servers.edit_origin()
    origin = peers.origin(directory, [100])
    try:
        if "load" in args.only:
            rows, samples, versions = run_load(sets, directory, origin.port(), args)
            result |= {"rows": rows, "samples": [asdict(s) for s in samples], "versions": versions}
        if "instructions" in args.only:
            for rules in sets:
                of = count_instructions(rules, directory, origin.port(), args.counted)
                row: dict[str, object] = {"shape": rules.shape, "rules": len(rules.rules), **of}
                report_instructions(row, counts)
                counts.append(row)
            result["instructions"] = counts
    finally:
        origin.stop()
    chart(rows, counts, args.chart)
    result["over_limits"] = over_limits(rows)
    return result


def main() -> int:
    def words(text: str) -> list[str]:
        return text.split(",")

    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--seconds", type=int, default=3)
    ap.add_argument("--connections", type=int, default=50)
    ap.add_argument("--threads", type=int, default=2, help="threads of every server")
    ap.add_argument("--sizes", type=lambda text: sorted(int(n) for n in text.split(",")), default=SIZES)
    ap.add_argument("--shapes", type=words, default=list(rule_sets.SHAPES))
    ap.add_argument("--servers", type=words, default=["vernis", "varnish", "nginx", "haproxy"])
    ap.add_argument("--only", type=words, default=["load", "instructions"])
    ap.add_argument("--counted", type=int, default=300, help="requests of a pass under callgrind")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--chart", type=Path, default=hits.OUT / "rules.svg")
    ap.add_argument("--limits", action="store_true", help="exit 1 when they are missed")
    args = ap.parse_args()
    hits.OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        result = run(directory, args)
    (hits.OUT / "rules.json").write_text(json.dumps(result, indent=1))
    for line in result["over_limits"]:  # type: ignore[attr-defined]
        print(f"over its limit: {line}")
    return 1 if args.limits and result["over_limits"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
