"""Tables of a policy: look-ups per request beside the peers, and replacement under load.

    benchmarks/tables.py [--rows N] [--chain N] [--times N] [--seconds S] [--kinds exact,prefix,suffix,ip]

Each server answers requests for random keys with a redirect from a table of ``--rows`` rows: Vernis with a
table, nginx with `map`, HAProxy with `map_str`; and Vernis with an if-chain of ``--chain`` arms, because one
of a million does not compile. No origin takes part. "CPU us" is that of the server per request. "start s"
is the time until the server answers, which includes reading its rows.

Then, for each kind of table, the rows of Vernis are replaced ``--times`` times by `table.replace` while wrk
asks for them: two files take turns that differ in every 1,000th row. "live s" is the daemon's figure, from
the command until every loop uses the new rows; "command s" is the whole run of `vernis table replace`. Every
request must get a redirect.

benchmarks/micro_tables.c (make micro-tables) measures look-ups without a server. Writes
build/bench/tables.json.
"""

from __future__ import annotations

import argparse
import http.client
import json
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

WORKERS = 2
KINDS = ("exact", "prefix", "suffix", "ip")
NETWORKS_SHARE = 5  # an ip table has this part of the rows

#: How wrk asks for row ``n`` of ``rows``, by kind: path, Host and X-Address.
ASKED = {
    "exact": '"/old/" .. n .. "/page", "example.com", ""',
    "prefix": '"/old/" .. n .. "/page/view", "example.com", ""',
    "suffix": '"/", "www.shop-" .. n .. ".example.com", ""',
    "ip": '"/", "example.com", "10." .. math.floor(n / 65536) .. "." .. math.floor(n / 256) % 256'
    ' .. "." .. n % 256',
}
SUBJECT = {
    "exact": "req.url",
    "prefix": "req.url",
    "suffix": "req.http.Host",
    "ip": 'std.ip(req.http.X-Address ?? "", "::")',
}


def key(kind: str, n: int) -> str:
    match kind:
        case "suffix":
            return f"shop-{n}.example.com"
        case "ip":
            return f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}/32"
        case _:
            return f"/old/{n}/page"


def write_rows(path: Path, kind: str, rows: int, version: int) -> Path:
    path.write_text(
        "".join(f"{key(kind, n)},/new/{n}{'?' * (version if n % 1000 == 0 else 0)}\n" for n in range(rows))
    )
    return path


def wrk_script(path: Path, kind: str, rows: int) -> Path:
    path.write_text(
        f"""function init(args) math.randomseed(os.time()) end
function request()
  local n = math.random(0, {rows - 1})
  local path, host, address = {ASKED[kind]}
  return wrk.format("GET", path, {{ Host = host, ["X-Address"] = address }})
end
"""
    )
    return path


# ---- servers -----------------------------------------------------------------------------------------------


def policy(kind: str, rows: Path) -> str:
    return f"""vcl 5.0;
import std;
backend default none;
table moved : STRING by {kind} from "{rows}";
sub vcl_recv {{
    if (let to = moved[{SUBJECT[kind]}]) {{ return (synth(301, to)); }}
    return (synth(404));
}}
"""


def chain(arms: int) -> str:
    tests = "".join(
        f'{"else" if n else ""}if (req.url == "{key("exact", n)}") {{ return (synth(301, "/new/{n}")); }}\n'
        for n in range(arms)
    )
    return f"vcl 4.1;\nbackend default none;\nsub vcl_recv {{\n{tests}return (synth(404));\n}}\n"


def vernis(directory: Path, text: str) -> peers.Server:
    directory.mkdir()
    port, vcl, log = peers.free_port(), directory / "p.vcl", directory / "vernis.log"
    vcl.write_text(text)
    program = peers.ROOT / "build/bin/vernisd"
    child = peers.spawn([program, "-F", "-n", directory / "work", "-a", f"127.0.0.1:{port}", "-T", "none",
                         "-f", vcl, "-s", "malloc,64m", "-p", f"loops={WORKERS}"], log)  # fmt: skip
    peers.wait_port(port, child, log, 300)
    return peers.Server("vernis", peers.version_of([str(program), "-V"]), [child], port)


def nginx(directory: Path, rows: Path) -> peers.Server:
    directory.mkdir()
    port, log, conf, listed = (
        peers.free_port(),
        directory / "nginx.log",
        directory / "nginx.conf",
        directory / "rows.map",
    )
    listed.write_text("".join(f'"{old}" "{new}";\n' for old, new in pairs(rows)))
    conf.write_text(
        f"""daemon off; worker_processes {WORKERS}; pid {directory}/nginx.pid; error_log {log};
events {{ worker_connections 1024; }}
http {{ access_log off; keepalive_requests 1000000; map_hash_max_size 4194304; map_hash_bucket_size 128;
  map $request_uri $to {{ include {listed}; }}
  server {{ listen 127.0.0.1:{port}; if ($to) {{ return 301 $to; }} return 404; }} }}
"""
    )
    child = peers.spawn(["nginx", "-c", conf, "-p", directory], log)
    peers.wait_port(port, child, log, 300)
    return peers.Server("nginx", peers.version_of(["nginx", "-v"]), [child], port)


def haproxy(directory: Path, rows: Path) -> peers.Server:
    directory.mkdir()
    port, log, conf, listed = (
        peers.free_port(),
        directory / "haproxy.log",
        directory / "haproxy.cfg",
        directory / "rows.map",
    )
    listed.write_text("".join(f"{old} {new}\n" for old, new in pairs(rows)))
    conf.write_text(
        f"""global
  nbthread {WORKERS}
defaults
  mode http
  timeout client 60s
frontend f
  bind 127.0.0.1:{port}
  http-request set-var(txn.to) path,map_str({listed})
  http-request redirect location %[var(txn.to)] code 301 if {{ var(txn.to) -m found }}
  http-request return status 404
"""
    )
    child = peers.spawn(["haproxy", "-f", conf], log)
    peers.wait_port(port, child, log, 300)
    return peers.Server("haproxy", peers.version_of(["haproxy", "-v"]), [child], port)


def pairs(rows: Path) -> list[list[str]]:
    return [line.split(",") for line in rows.read_text().splitlines()]


# ---- measuring ---------------------------------------------------------------------------------------------


def start_wrk(server: peers.Server, script: Path, seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["wrk", "-t1", "-c16", f"-d{seconds}s", "-s", str(script), f"http://127.0.0.1:{server.port()}"],
        stdout=subprocess.PIPE,
        text=True,
    )


def first_answer(server: peers.Server) -> None:
    """Vernis listens before its policy is compiled."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port(), timeout=300)
    connection.request("GET", "/")
    connection.getresponse().read()
    connection.close()


def wrk_result(child: subprocess.Popen[str]) -> tuple[int, int]:
    """Requests, and those without a redirect or an answer."""
    text, _ = child.communicate()
    requests = re.search(r"(\d+) requests in", text)
    assert requests is not None, text
    errors = [int(n) for line in re.findall(r"Socket errors:.*", text) for n in re.findall(r"\d+", line)]
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    return int(requests[1]), sum(errors) + (int(refused[1]) if refused else 0)


def look_ups(name: str, start: Callable[[], peers.Server], script: Path, seconds: float) -> dict[str, Any]:
    began = time.monotonic()
    server = start()
    first_answer(server)
    started = time.monotonic() - began
    try:
        wrk_result(start_wrk(server, script, 1))
        before = peers.cpu_seconds(server.pids())
        requests, failed = wrk_result(start_wrk(server, script, seconds))
        cpu = peers.cpu_seconds(server.pids()) - before
    finally:
        server.stop()
    row = {"server": name, "version": server.version, "start_s": started, "requests": requests,
           "failed": failed, "cpu_us": 1e6 * cpu / requests}  # fmt: skip
    print(f"{name:24} {started:8.1f} {requests / seconds:10.0f} {row['cpu_us']:8.1f} {failed:7}", flush=True)
    return row


def replace_once(workdir: Path, file: Path) -> tuple[int, float]:
    """The number of changed rows, and the daemon's seconds."""
    program = str(peers.ROOT / "build/bin/vernis")
    words = [program, "table", "replace", "-j", "moved", str(file), "-n", str(workdir)]
    answer = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    told = json.loads(answer)
    return int(told["changed"]), float(told["seconds"])


def replace(directory: Path, kind: str, rows: int, times: int) -> dict[str, Any]:
    files = [write_rows(directory / f"{kind}{version}.csv", kind, rows, version) for version in (0, 1)]
    script = wrk_script(directory / f"{kind}.lua", kind, rows)
    server = vernis(directory / f"replace-{kind}", policy(kind, files[0]))
    live: list[float] = []
    commands: list[float] = []
    changed: set[int] = set()
    first_answer(server)
    load = start_wrk(server, script, 3600)
    try:
        for turn in range(times):
            began = time.monotonic()
            count, seconds = replace_once(directory / f"replace-{kind}" / "work", files[(turn + 1) % 2])
            commands.append(time.monotonic() - began)
            changed.add(count)
            live.append(seconds)
        load.send_signal(2)
        requests, failed = wrk_result(load)
        memory = peers.held_bytes(server.pids()[-1])
    finally:
        load.kill()
        server.stop()
    assert changed == {(rows + 999) // 1000}
    row = {
        "kind": kind,
        "rows": rows,
        "times": times,
        "live_s": live,
        "command_s": commands,
        "requests": requests,
        "failed": failed,
        "bytes": memory,
    }
    shown = f"{statistics.median(live):8.2f} {max(live):8.2f} {statistics.median(commands):9.2f}"
    print(f"{kind:8} {rows:9} {times:6} {shown} {requests:10} {failed:7}", flush=True)
    return row


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--chain", type=int, default=1000)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--only", choices=("look-ups", "replace"))
    options = parser.parse_args()
    result: dict[str, Any] = {"machine": platform.machine(), "look_ups": [], "replaced": []}
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as name:
        directory = Path(name)
        directory.chmod(0o755)
        if options.only != "replace":
            rows = write_rows(directory / "rows.csv", "exact", options.rows, 0)
            all_rows = wrk_script(directory / "all.lua", "exact", options.rows)
            few = wrk_script(directory / "few.lua", "exact", options.chain)
            print(f"{'look-ups':24} {'start s':>8} {'requests/s':>10} {'CPU us':>8} {'failed':>7}")
            result["look_ups"] = [
                look_ups(
                    f"vernis table {options.rows}",
                    lambda: vernis(directory / "v", policy("exact", rows)),
                    all_rows,
                    options.seconds,
                ),
                look_ups(
                    f"nginx map {options.rows}",
                    lambda: nginx(directory / "n", rows),
                    all_rows,
                    options.seconds,
                ),
                look_ups(
                    f"haproxy map {options.rows}",
                    lambda: haproxy(directory / "h", rows),
                    all_rows,
                    options.seconds,
                ),
                look_ups(
                    f"vernis if-chain {options.chain}",
                    lambda: vernis(directory / "c", chain(options.chain)),
                    few,
                    options.seconds,
                ),
            ]
        if options.only != "look-ups":
            heads = f"{'live s':>8} {'most':>8} {'command s':>9} {'requests':>10} {'failed':>7}"
            print(f"{'replaced':8} {'rows':>9} {'times':>6} {heads}")
            for kind in options.kinds.split(","):
                rows_of_kind = options.rows // NETWORKS_SHARE if kind == "ip" else options.rows
                result["replaced"].append(replace(directory, kind, rows_of_kind, options.times))
    out = peers.ROOT / "build/bench/tables.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(result, indent=2) + "\n")
    return 1 if any(row["failed"] for row in result["replaced"]) else 0


if __name__ == "__main__":
    sys.exit(main())
