#!/usr/bin/env python3
"""Runs the public HTTP cache tests against ``vernisd``, with and without ``feature=+rfc9111``, and against
the installed peers.

    conformance.py SUITE [--update] [--only NAME...] [--list]

SUITE is a checkout of github.com/http-tests/cache-tests, which is not part of this repository. It needs
Node.js and the package undici, which this program installs with npm. The suite tests one cache after the
other, each with its own origin and the configuration in CACHES. The output names the caches that are not
installed.

The ledger ``conformance.tsv`` has the outcome of each test with Vernis. If a test of the ledger passed and
now fails twice, it is a regression: the output names the test, and the exit code is 1. ``--update`` writes
the ledger. Exit code 2: the suite could not run.

Outcomes: a required or optimal test is "pass" or "fail". A check is "yes" or "no", and has no points. A test
is "depends" if a test that it needs is neither "pass" nor "yes". "setup" and "harness": an error before the
test itself.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from peers import ROOT, free_port

LEDGER = Path(__file__).with_name("conformance.tsv")
BIN = Path(os.environ.get("VERNIS_BIN", ROOT / "build" / "bin"))
WAIT_S = 30
SUITE_S = 600
GOOD = ("pass", "yes")
#: Node's server closes idle connections after 5 s, and its client keeps idle connections for 5 s. The proxy
#: must close its origin connections earlier and its client connections later, or requests fail at random.
PATIENT = ["-p", "timeout_idle=60", "-p", "backend_idle_timeout=2"]
VARNISH = [
    "-p",
    "default_ttl=0",
    "-p",
    "default_grace=0",
    "-p",
    "default_keep=3600",
    "-s",
    "malloc,64m",
    *PATIENT,
]

#: The suite's origin listens on all interfaces. This module makes it listen on 127.0.0.1 only.
LOOPBACK = """
import { Server } from 'node:net'
const listen = Server.prototype.listen
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, Number(port), '127.0.0.1', ...rest)
}
"""
DEFINITIONS = """
const { default: groups } = await import(process.argv[1])
const row = (group, t) => ({ id: t.id, group, kind: t.kind || 'required', needs: t.depends_on || [] })
process.stdout.write(JSON.stringify(groups.flatMap(({ id, tests }) =>
  tests.filter((t) => !t.browser_only).map((t) => row(id, t)))))
"""
NGINX = """
daemon off; master_process off; pid {work}/pid; error_log {work}/log;
events {{ }}
http {{
  access_log off; client_body_temp_path {work}/a; fastcgi_temp_path {work}/b; uwsgi_temp_path {work}/c;
  scgi_temp_path {work}/d; proxy_temp_path {work}/e; proxy_cache_path {work}/cache keys_zone=z:10m;
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://127.0.0.1:{origin}; proxy_http_version 1.1;
                  proxy_set_header Connection ""; proxy_cache z; proxy_cache_revalidate on; }}
  }}
}}
"""
SQUID = """
http_port 127.0.0.1:{port} accel defaultsite=127.0.0.1 no-vhost
cache_peer 127.0.0.1 parent {origin} 0 no-query originserver
http_access allow all
cache_mem 64 MB
access_log none
cache_log {work}/log
pid_filename {work}/pid
coredump_dir {work}
shutdown_lifetime 1 second
cache_effective_user proxy
"""
TRAFFICSERVER = {
    "records.config": "CONFIG proxy.config.http.server_ports STRING {port}:ip-in=127.0.0.1\n"
    "CONFIG proxy.config.url_remap.pristine_host_hdr INT 1\n"
    "CONFIG proxy.config.http.cache.required_headers INT 2\n"
    "CONFIG proxy.config.http.cache.ignore_client_cc_max_age INT 1\n"
    "CONFIG proxy.config.http.negative_caching_enabled INT 0\n"
    "CONFIG proxy.config.admin.user_id STRING #-1\n",
    "remap.config": "map / http://127.0.0.1:{origin}/\n",
    "storage.config": "{work}/cache 256M\n",
    "ip_allow.yaml": "ip_allow:\n  - apply: in\n    ip_addrs: 0/0\n    action: allow\n    methods: ALL\n",
    "plugin.config": "",
    "logging.yaml": "logging:\n",
}


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# ---- caches ------------------------------------------------------------------------------------------------


def varnish_like(daemon: Path | str, *args: str) -> Callable[[int, int, Path], list[str] | None]:
    def command(port: int, origin: int, work: Path) -> list[str] | None:
        found = shutil.which(daemon)
        (work / "policy.vcl").write_text(f'vcl 4.1; backend b {{ .host = "127.0.0.1"; .port = "{origin}"; }}')
        return (
            None
            if found is None
            else [
                found,
                "-F",
                "-j",
                "none",
                "-n",
                str(work / "n"),
                "-a",
                f"127.0.0.1:{port}",
                "-f",
                str(work / "policy.vcl"),
                *VARNISH,
                *args,
            ]
        )

    return command


def nginx(port: int, origin: int, work: Path) -> list[str] | None:
    (work / "conf").write_text(NGINX.format(port=port, origin=origin, work=work))
    found = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    return None if found is None else [found, "-p", str(work), "-c", str(work / "conf")]


def squid(port: int, origin: int, work: Path) -> list[str] | None:
    work.chmod(0o777)
    (work / "conf").write_text(SQUID.format(port=port, origin=origin, work=work))
    found = shutil.which("squid", path=os.environ["PATH"] + ":/usr/sbin")
    return None if found is None else [found, "-N", "-f", str(work / "conf")]


def trafficserver(port: int, origin: int, work: Path) -> list[str] | None:
    found = shutil.which("traffic_server") or shutil.which("/usr/bin/traffic_server")
    for folder in ("etc", "cache", "log", "run"):
        (work / folder).mkdir()
    for name, text in TRAFFICSERVER.items():
        (work / "etc" / name).write_text(text.format(port=port, origin=origin, work=work))
    (work / "runroot.yaml").write_text(
        "".join(
            f"{name}: {path}\n"
            for name, path in {
                "prefix": work,
                "exec_prefix": "/usr",
                "bindir": "/usr/bin",
                "sbindir": "/usr/sbin",
                "sysconfdir": work / "etc",
                "datadir": work,
                "includedir": work,
                "libdir": "/usr/lib/trafficserver",
                "libexecdir": "/usr/lib/trafficserver/modules",
                "localstatedir": work,
                "runtimedir": work / "run",
                "logdir": work / "log",
                "mandir": work,
                "infodir": work,
                "cachedir": work / "cache",
            }.items()
        )
    )
    return None if found is None else [found, f"--run-root={work / 'runroot.yaml'}"]


#: The tested caches, in the order of the table. Those in OURS have a column in the ledger.
OURS = {
    "vernis, 4.x": varnish_like(BIN / "vernisd"),
    "vernis, rfc9111": varnish_like(BIN / "vernisd", "-p", "feature=+rfc9111"),
}
CACHES = OURS | {
    "varnish": varnish_like("/usr/sbin/varnishd"),
    "nginx": nginx,
    "squid": squid,
    "trafficserver": trafficserver,
}


# ---- one run -----------------------------------------------------------------------------------------------


def answers(port: int) -> bool:
    """Whether the origin answers through the cache: with 404, since it does not know this state."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/state/none-{time.monotonic_ns()}", timeout=3)
    except urllib.error.HTTPError as e:
        return e.code == 404
    except OSError:
        pass
    return False


@contextmanager
def started(command: list[str], port: int, work: Path, **named: object) -> Iterator[None]:
    with (work / "output").open("ab") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **named)  # type: ignore[call-overload]
    try:
        end = time.monotonic() + WAIT_S
        while not answers(port):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(
                    f"{command[0]} does not serve:\n{(work / 'output').read_text(errors='replace')[-2000:]}"
                )
            time.sleep(0.1)
        yield
    finally:
        stop(process)


def run_suite(suite: Path, name: str) -> dict[str, object] | None:
    """The suite's result for each test, or None if the cache is not installed."""
    with tempfile.TemporaryDirectory(prefix="conformance.", ignore_cleanup_errors=True) as folder:
        work, port, origin_port = Path(folder), free_port(), free_port()
        work.chmod(0o755)
        command = CACHES[name](port, origin_port, work)
        if command is None:
            return None
        (work / "loopback.mjs").write_text(LOOPBACK)
        env = dict(
            os.environ,
            npm_config_protocol="http",
            npm_config_port=str(origin_port),
            npm_config_pidfile=str(work / "origin.pid"),
        )
        origin = ["node", "--import", f"file://{work}/loopback.mjs", "test-engine/server/server.mjs"]
        with started(origin, origin_port, work, cwd=suite, env=env), started(command, port, work):
            # An empty id selects all tests. Without the variable the suite looks for a test "undefined".
            env = dict(os.environ, npm_config_base=f"http://127.0.0.1:{port}", npm_package_config_id="")
            client = ["node", "--no-warnings", "test-engine/cli.mjs"]
            done = subprocess.run(client, cwd=suite, env=env, capture_output=True, timeout=SUITE_S)
            results: dict[str, object] = json.loads(done.stdout)
            return results


# ---- outcomes ----------------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Test:
    id: str
    group: str
    kind: str
    needs: list[str]


def definitions(suite: Path) -> dict[str, Test]:
    done = subprocess.run(
        [
            "node",
            "--input-type=module",
            "-e",
            DEFINITIONS,
            (suite / "tests" / "index.mjs").resolve().as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return {row["id"]: Test(**row) for row in json.loads(done.stdout)}


def outcomes(tests: dict[str, Test], raw: dict[str, object]) -> dict[str, str]:
    @functools.cache
    def of(name: str) -> str:
        test, got = tests.get(name), raw.get(name)
        if test is None or got is None:
            return "untested"
        if any(of(other) not in GOOD for other in test.needs):
            return "depends"
        if isinstance(got, list) and got[0] in ("Setup", "AbortError"):
            return "setup" if got[0] == "Setup" else "harness"
        good, bad = ("yes", "no") if test.kind == "check" else ("pass", "fail")
        return good if got is True else bad

    return {name: of(name) for name in tests}


def table(tests: dict[str, Test], results: dict[str, dict[str, str]]) -> str:
    """The numbers of passed tests: first by kind, then required and optimal ones by group."""
    kinds = ("required", "optimal", "check")
    total = {kind: sum(t.kind == kind for t in tests.values()) for kind in kinds}
    lines = [
        "| cache | " + " | ".join(f"{kind} of {n}" for kind, n in total.items()) + " |",
        "|---|" + "---:|" * len(kinds),
    ]
    for name, got in results.items():
        passed = [sum(got[t.id] in GOOD and t.kind == kind for t in tests.values()) for kind in kinds]
        lines.append(f"| {name} | " + " | ".join(map(str, passed)) + " |")
    lines += ["", "| group | of | " + " | ".join(results) + " |", "|---|---:|" + "---:|" * len(results)]
    for group in dict.fromkeys(t.group for t in tests.values()):
        of = [
            [t for t in tests.values() if t.group == group and t.kind == kind]
            for kind in ("required", "optimal")
        ]
        if any(of):
            cells = [
                "+".join(str(sum(got[t.id] in GOOD for t in part)) for part in of) for got in results.values()
            ]
            lines.append(
                f"| {group} | {'+'.join(str(len(part)) for part in of)} | " + " | ".join(cells) + " |"
            )
    return "\n".join(lines)


# ---- ledger ------------------------------------------------------------------------------------------------


def read_ledger() -> dict[str, dict[str, str]]:
    if not LEDGER.exists():
        return {name: {} for name in OURS}
    lines = [
        line.split("\t") for line in LEDGER.read_text().splitlines() if line and not line.startswith("#")
    ]
    return {name: {row[0]: row[i] for row in lines[1:]} for i, name in enumerate(lines[0]) if i > 0}


def write_ledger(results: dict[str, dict[str, str]]) -> None:
    names = list(OURS)
    with LEDGER.open("w") as out:
        out.write(
            "# Results of the public HTTP cache tests with Vernis: "
            "make bench-conformance SUITE=DIR LEDGER=update\n"
        )
        out.write("\t".join(["test", *names]) + "\n")
        for test in sorted(results[names[0]]):
            out.write("\t".join([test, *(results[name][test] for name in names)]) + "\n")


def regressions(tests: dict[str, Test], before: dict[str, str], now: dict[str, str]) -> list[str]:
    return [name for name, was in before.items() if was == "pass" and tests.get(name) and now[name] != "pass"]


def judge(suite: Path, tests: dict[str, Test], results: dict[str, dict[str, str]]) -> int:
    """Prints the regressions. Some tests fail on a busy machine, so only a second failure counts."""
    status, ledger = 0, read_ledger()
    for name in OURS:
        if name not in results:
            continue
        lost = regressions(tests, ledger[name], results[name])
        if lost:
            print(f"{name}: {len(lost)} tests failed, running the suite again", file=sys.stderr)
            again = outcomes(tests, run_suite(suite, name) or {})
            lost = [test for test in regressions(tests, ledger[name], again) if test in lost]
        for test in lost:
            print(f"regression: {name}: {tests[test].kind} {test}: was pass, is {results[name][test]}")
        status |= bool(lost)
        gained = [
            test for test, got in results[name].items() if got == "pass" and ledger[name].get(test) != "pass"
        ]
        if gained:
            print(f"{name}: these tests pass now: {' '.join(gained)}")
    return status


def check_suite(suite: Path) -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise RuntimeError("Node.js is missing: apt-get install nodejs npm")
    if not (suite / "test-engine" / "cli.mjs").is_file():
        raise RuntimeError(f"{suite} is not a checkout of github.com/http-tests/cache-tests")
    if not (suite / "node_modules" / "undici").is_dir():
        subprocess.run(
            ["npm", "install", "--omit=dev", "--no-audit", "--no-fund", "--no-save"],
            cwd=suite,
            check=True,
            stdout=sys.stderr,
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suite", type=Path)
    parser.add_argument("--update", action="store_true", help="write the ledger")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=list(CACHES),
        default=list(CACHES),
        metavar="NAME",
        help=f"test only these caches; names: {', '.join(CACHES)}",
    )
    parser.add_argument(
        "--list", action="store_true", help="list the required and optimal tests that Vernis does not pass"
    )
    options = parser.parse_args()
    suite, results, missing = options.suite.resolve(), {}, []
    try:
        check_suite(suite)
        tests = definitions(suite)
        for name in options.only:
            raw = run_suite(suite, name)
            if raw is None:
                missing.append(name)
            else:
                results[name] = outcomes(tests, raw)
    except (RuntimeError, OSError, subprocess.SubprocessError, json.JSONDecodeError) as e:
        print(f"conformance.py: {e}", file=sys.stderr)
        return 2
    print(table(tests, results))
    if missing:
        print(f"\nNot installed: {', '.join(missing)}")
    for name in (n for n in OURS if options.list and n in results):
        for test, got in results[name].items():
            if got not in GOOD and tests[test].kind != "check":
                print(f"{name}: {tests[test].kind} {test}: {got}")
    if options.update and set(OURS) <= set(results):
        write_ledger(results)
        return 0
    return judge(suite, tests, results)


if __name__ == "__main__":
    sys.exit(main())
