"""The servers of benchmarks/rules.py: each with the rules of one size, as a policy or as a map."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import compile as loads
import peers
import rule_sets


@dataclass(slots=True)
class Entry:
    """One server with the rules of one size."""

    server: peers.Server
    rules: rule_sets.RuleSet
    directory: Path
    load_ms: float = 0.0
    cold_us: float = 0.0

    @property
    def n(self) -> int:
        return len(self.rules.rules)


def write_inputs(rules: rule_sets.RuleSet, directory: Path, origin_port: int) -> None:
    """rules.vcl, and requests.tsv to replay."""
    (directory / "rules.vcl").write_text(rules.policy(origin_port))
    (directory / "requests.tsv").write_text("".join(r.line() for r in rules.requests))


def edit_origin() -> None:
    """The origin answers any target with 100 bytes, and policies begin without rules."""
    peers.EDITS |= {
        "location /object/ {": "location / {",
        (peers.CONF / "vcl.vcl").read_text(): rule_sets.RuleSet("none", []).policy("@ORIGIN@"),
    }


def nginx(rules: rule_sets.RuleSet, directory: Path, origin_port: int, threads: int) -> peers.Server:
    subject = "$http_host;$http_cookie" if rules.shape == "chains" else "$request_uri"
    entries = "".join(f'"~{pattern}" {name};\n' for pattern, name in rules.map_entries())
    (directory / "rules.map").write_text(entries)
    edits = {
        "pid @DIR@/nginx.pid;": "pid @DIR@/nginx.pid;\npcre_jit on;",
        "    upstream": f'    map "{subject}" $rule {{ include {directory}/rules.map; }}\n    upstream',
        "add_header X-Cache $upstream_cache_status;": "add_header X-Rule $rule;",
    }
    return peers.with_edits(edits, lambda: peers.nginx(directory, origin_port, threads))


def haproxy(rules: rule_sets.RuleSet, directory: Path, origin_port: int, threads: int) -> peers.Server:
    subject = "req.fhdr(host),concat(;,txn.cookie)" if rules.shape == "chains" else "url"
    entries = "".join(f"{pattern} {name}\n" for pattern, name in rules.map_entries())
    (directory / "rules.map").write_text(entries)
    lines = (
        "    http-request set-var(txn.cookie) req.fhdr(cookie)\n" if rules.shape == "chains" else "",
        f"    http-request set-var(txn.rule) {subject},map_reg({directory}/rules.map)\n",
        "    http-after-response set-header X-Rule %[var(txn.rule)] if { var(txn.rule) -m found }\n",
    )
    bind = "    bind 127.0.0.1:@PORT@ backlog 4096\n"
    edits = {bind: bind + "".join(lines)}
    return peers.with_edits(edits, lambda: peers.haproxy(directory, origin_port, threads))


def start_varnish(
    sets: list[rule_sets.RuleSet], directory: Path, origin_port: int, threads: int, pool: ThreadPoolExecutor
) -> list[tuple[Entry, Future[None]]]:
    """Their compilers run while other servers are started."""
    started = []
    for rules in sets:
        work = peers.folder(directory, f"varnish-{rules.shape}-{len(rules.rules)}")
        write_inputs(rules, work, origin_port)
        server = peers.varnish(work, origin_port, threads, extra=("-p", "thread_pool_min=100"))
        entry = Entry(server, rules, work)
        started.append((entry, pool.submit(load_varnish, entry)))
    return started


def load_varnish(entry: Entry) -> None:
    admin = ["varnishadm", "-n", entry.directory / "varnish", "-t", "600"]
    entry.load_ms = loads.milliseconds([*admin, "vcl.load", "rules", entry.directory / "rules.vcl"])
    loads.milliseconds([*admin, "vcl.use", "rules"])


def load_vernis(entry: Entry) -> None:
    cli = loads.vernis_cli(entry.directory / "vernis")
    started = time.perf_counter()
    status, text = cli.command(f"vcl.load rules {entry.directory}/rules.vcl")
    entry.load_ms = (time.perf_counter() - started) * 1000
    assert status == 200, text
    status, text = cli.command("vcl.use rules")
    assert status == 200, text


def start(name: str, rules: rule_sets.RuleSet, directory: Path, origin_port: int, threads: int) -> Entry:
    work = peers.folder(directory, f"{name}-{rules.shape}-{len(rules.rules)}")
    write_inputs(rules, work, origin_port)
    if name == "vernis":
        return Entry(peers.vernis(work, origin_port, threads), rules, work)
    starts = {"nginx": nginx, "haproxy": haproxy}
    return Entry(starts[name](rules, work, origin_port, threads), rules, work)
