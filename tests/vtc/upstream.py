#!/usr/bin/env python3
"""Runs Varnish's test suite against ``vernisd`` with ``varnishtest``, and compares the results with a ledger.

    upstream.py SUITE [--update] [--daemon PATH] [--ledger FILE] [--jobs N] [--limit SECONDS]
                [--names NAME... | --failing]
    upstream.py CLONE --later [--update] [--daemon PATH] [--ledger FILE] [--jobs N] [--limit SECONDS]
                [--names NAME... | --failing]
    upstream.py SUITES --modules [--update] [--daemon PATH] [--ledgers DIR] [--jobs N] [--limit SECONDS]
                [--failing]

SUITE is a source tree of Varnish Cache, tag varnish-7.1.1. It is not part of this repository. The ledger,
``upstream.tsv`` beside this file, lists the scripts to run: those that a compatible proxy can be expected to
pass. A row has a script's name, its result (pass, fail, skip, race), and the date and commit since which the
script has this result. A race passes or fails by chance, for a reason in docs/testing.md; it is no regression.

With --later, CLONE is a git repository of Varnish Cache with its tags. ``later.tsv`` lists scripts of later
releases that Varnish 7.1.1 passes too. A script is named RELEASE/NAME or COMMIT/NAME, after the first release
that contains it in that form. A row that does not pass ends with the reason. Scripts of Varnish 9 use TLS: they
run only if VARNISHTEST in the environment names a varnishtest that can (docs/testing.md).

With --modules, SUITES is a folder of source trees of third-party modules that vernisd has built in. Each tree
has the name of a ledger in ``modules`` beside this file. All scripts of a tree are run, with our modules: the
macros for varnishtest name no library, and ``import`` never loads a built-in module from a file.

Exit code 0: no script that passed before fails. 1: some do, and are named. 2: the suite could not be run.
``--update`` rewrites the ledger instead of comparing with it. Logs of failed scripts are kept in build/vtc.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEDGER = Path(__file__).with_name("upstream.tsv")
LOGS = Path(os.environ.get("VTC_LOGS", ROOT / "build" / "vtc"))
LATER = Path(__file__).with_name("later.tsv")
LEDGERS = Path(__file__).with_name("modules")
FOLDERS = ("bin/varnishtest/tests", "vmod/tests")
MODULE_FOLDER = "src/tests"
VARNISHTEST = os.environ.get("VARNISHTEST", "varnishtest")
WITH_TLS = "9."                                 # releases whose scripts need VARNISHTEST
# In Varnish 9 a listener of -A comes before those of -a, and its scripts ask the first one: drop varnishtest's own.
DAEMON_WITH_TLS = """#!/bin/sh
n=$#
case " $* " in *" -A "*) own=127.0.0.1:0 ;; *) own= ;; esac
while [ $n -gt 0 ]; do
    word=$1
    shift
    n=$((n - 1))
    if [ "$word" = -a ] && [ "$1" = "$own" ]; then
        shift
        n=$((n - 1))
    else
        set -- "$@" "$word"
    fi
done
exec {daemon} "$@"
"""
NO_LIBRARY = ("vmod_builddir=/nonexistent", "vmod_topbuild=/nonexistent", "vmod_dynamic=dynamic")
COLUMNS = "script\tresult\tsince\tcommit"
REASONED = COLUMNS + "\twhy"
RESULTS = {0: "pass", 77: "skip"}               # varnishtest's exit codes; any other is a failure
# in reports of the sandboxes (runtime/daemon/sandbox_calls.c, compiler/service/sandbox.py)
DENIED = b"Forbidden system call"
GRACE_S = 2    # the time from varnishtest's own limit until we end varnishtest


@dataclass(slots=True, frozen=True)
class Row:
    script: str
    result: str                                 # "-": never run
    since: str = "-"
    commit: str = "-"
    why: str = ""                               # the reason for not passing; in later.tsv only


@dataclass(slots=True, frozen=True)
class Run:
    result: str
    seconds: float
    log: bytes


@dataclass(slots=True, frozen=True)
class Suite:
    title: str                                  # title of the ledger
    ledger: Path
    scripts: dict[str, Path]                    # the scripts of the ledger that exist in the tree
    defines: tuple[str, ...] = ()               # macros for varnishtest, NAME=VALUE


# ---- ledger ------------------------------------------------------------------------------------------------


def read_ledger(path: Path) -> dict[str, Row]:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    assert lines[0] in (COLUMNS, REASONED), f"{path}: columns are {lines[0]!r}"
    rows = (Row(*line.split("\t")) for line in lines[1:])
    return {row.script: row for row in rows}


def write_ledger(path: Path, title: str, rows: dict[str, Row], date: str, commit: str) -> None:
    passed = sum(row.result == "pass" for row in rows.values())
    with path.open("w") as out:
        out.write(f"# {title} against vernisd, see docs/testing.md. Last run: {date}, {commit}: {passed} of {len(rows)}.\n")
        out.write((REASONED if any(row.why for row in rows.values()) else COLUMNS) + "\n")
        for row in sorted(rows.values(), key=lambda r: r.script):
            out.write("\t".join((row.script, row.result, row.since, row.commit) + ((row.why,) if row.why else ())) + "\n")


def updated(old: Row, result: str, date: str, commit: str) -> Row:
    return old if old.result in (result, "race") else Row(old.script, result, date, commit)


def current_commit() -> str:
    done = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


# ---- one script --------------------------------------------------------------------------------------------


def script_path(suite: Path, name: str) -> Path | None:
    return next((path for folder in FOLDERS if (path := suite / folder / f"{name}.vtc").exists()), None)


def started_within(directory: str) -> list[int]:
    """Processes whose environment has ``directory`` as TMPDIR: everything that a script started, also outside
    of its session."""
    wanted, found = f"TMPDIR={directory}".encode(), []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:                         # the process has ended, or belongs to another user
            pass
    return found


def end_leftovers(directory: str) -> bytes:
    """Kills processes that a script left running, and returns a line for each."""
    said = b""
    for pid in started_within(directory):
        try:
            said += b"upstream.py: left running: " + Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ") + b"\n"
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    return said


def run_script(script: Path, bindir: Path, limit_s: int, defines: tuple[str, ...] = ()) -> Run:
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="vtc.", ignore_cleanup_errors=True) as directory:
        os.chmod(directory, 0o755)              # workers may run as another user
        env = dict(os.environ, PATH=f"{bindir}:{os.environ['PATH']}", TMPDIR=directory)
        log = Path(directory, "log")
        with log.open("wb") as out:             # a file: a daemon left behind would keep a pipe open
            macros = [f"-D{define}" for define in defines]
            process = subprocess.Popen([VARNISHTEST, "-t", str(limit_s), *macros, str(script)], env=env, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=out, start_new_session=True)
            try:
                code = process.wait(limit_s + GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                code = 2
        text = log.read_bytes() + end_leftovers(directory)
    return Run(verdict(code, text), time.monotonic() - started, text)


def verdict(code: int, log: bytes) -> str:
    """The result of a script. A system call that a sandbox forbids is a failure, also if the script
    passes."""
    return "fail" if DENIED in log else RESULTS.get(code, "fail")


# ---- all of them -------------------------------------------------------------------------------------------


def run_all(suite: Suite, daemon: Path, jobs: int, limit_s: int, retry: set[str]) -> dict[str, Run]:
    """Runs each script once, ``jobs`` at a time. A script of ``retry`` that fails runs once more, alone."""
    with tempfile.TemporaryDirectory(prefix="vtcbin.") as directory, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        bindir = Path(directory)
        bindir.chmod(0o755)
        if any(name.startswith(WITH_TLS) for name in suite.scripts):
            (bindir / "varnishd").write_text(DAEMON_WITH_TLS.replace("{daemon}", shlex.quote(str(daemon))))
            (bindir / "varnishd").chmod(0o755)
        else:
            (bindir / "varnishd").symlink_to(daemon)
        futures = {name: pool.submit(run_script, path, bindir, limit_s, suite.defines) for name, path in suite.scripts.items()}
        runs = {}
        for done, (name, future) in enumerate(futures.items(), 1):
            runs[name] = future.result()
            if sys.stderr.isatty():
                print(f"\r{done}/{len(futures)} ", end="", file=sys.stderr, flush=True)
        for name in sorted(retry):
            if name in runs and runs[name].result == "fail":
                runs[name] = run_script(suite.scripts[name], bindir, limit_s, suite.defines)
    return runs


def keep_logs(runs: dict[str, Run]) -> None:
    LOGS.mkdir(parents=True, exist_ok=True)
    for name, run in runs.items():
        path = LOGS / f"{name.replace('/', '.')}.log"
        if run.result == "fail":
            path.write_bytes(run.log)
        else:
            path.unlink(missing_ok=True)


def refuse(why: str) -> int:
    print(f"make vtc: {why}", file=sys.stderr)
    return 2


def judge(suite: Suite, ledger: dict[str, Row], opt: argparse.Namespace) -> int:
    """Runs a suite. Returns 1 if a script fails that passed before, unless --update rewrites the ledger."""
    retry = {name for name in suite.scripts if ledger[name].result == "pass"}
    runs = run_all(suite, opt.daemon.resolve(), opt.jobs, opt.limit, retry)
    keep_logs(runs)
    regressed = sorted(name for name, run in runs.items() if run.result != "pass" and ledger[name].result == "pass")
    improved = sorted(name for name, run in runs.items() if run.result == "pass" and ledger[name].result not in ("pass", "race"))
    passed = sum(run.result == "pass" for run in runs.values())
    print(f"{passed} of {len(runs)} pass")
    if improved:
        print(f"pass now ({len(improved)}): {' '.join(improved)}")
    if regressed:
        print(f"passed before and fail now ({len(regressed)}): {' '.join(regressed)}")
        print(f"their logs: {LOGS}")
    if opt.update:
        date, commit = datetime.date.today().isoformat(), current_commit()
        rows = {name: updated(row, runs[name].result, date, commit) if name in runs else row for name, row in ledger.items()}
        write_ledger(suite.ledger, suite.title, rows, date, commit)
        return 0
    return 1 if regressed else 0


def chosen(ledger: dict[str, Row], opt: argparse.Namespace) -> list[str]:
    return opt.names or [name for name, row in ledger.items() if not opt.failing or row.result != "pass"]


def run_core(opt: argparse.Namespace) -> int:
    if not (opt.suite / FOLDERS[0]).is_dir():
        return refuse(f"{opt.suite} has no {FOLDERS[0]}: SUITE=DIR names a source tree of Varnish Cache, tag varnish-7.1.1")
    ledger = read_ledger(opt.ledger)
    if unknown := [name for name in opt.names if name not in ledger]:
        return refuse(f"not in the ledger: {' '.join(unknown)}")
    names = chosen(ledger, opt)
    paths = {name: script_path(opt.suite, name) for name in names}
    if missing := [name for name, path in paths.items() if path is None]:
        print(f"not in {opt.suite}, and left out: {' '.join(missing)}")
    scripts = {name: path for name, path in paths.items() if path is not None}
    return judge(Suite("Varnish's own test scripts", opt.ledger, scripts), ledger, opt)


def git(clone: Path, *args: str) -> bytes:
    return subprocess.run(["git", "-C", str(clone), *args], capture_output=True).stdout


def take_out(clone: Path, names: list[str], into: Path) -> dict[str, Path]:
    """Writes the scripts that exist in the clone, each into a folder of its release."""
    paths: dict[str, dict[str, str]] = {}       # of each release: script and path in the clone
    scripts = {}
    for name in names:
        release, _, script = name.partition("/")
        revision = f"varnish-{release}" if "." in release else release
        if release not in paths:
            found = git(clone, "ls-tree", "-r", "--name-only", revision).decode().splitlines()
            paths[release] = {Path(path).stem: path for path in found if path.endswith(".vtc")}
        if script in paths[release]:
            scripts[name] = into / f"{name}.vtc"
            scripts[name].parent.mkdir(exist_ok=True)
            scripts[name].write_bytes(git(clone, "show", f"{revision}:{paths[release][script]}"))
    return scripts


def run_later(opt: argparse.Namespace) -> int:
    ledger = read_ledger(opt.ledger)
    if unknown := [name for name in opt.names if name not in ledger]:
        return refuse(f"not in the ledger: {' '.join(unknown)}")
    names = chosen(ledger, opt)
    with tempfile.TemporaryDirectory(prefix="vtclater.") as directory:
        os.chmod(directory, 0o755)
        scripts = take_out(opt.suite, names, Path(directory))
        if VARNISHTEST == "varnishtest":
            scripts = {name: path for name, path in scripts.items() if not name.startswith(WITH_TLS)}
        for revision in {f"varnish-{name.partition('/')[0]}" for name in scripts if name.startswith(WITH_TLS)}:
            archive = subprocess.run(["git", "-C", str(opt.suite), "archive", revision, "etc"], capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", directory], input=archive, check=True)
        if not scripts:
            return refuse(f"{opt.suite} has no release that the ledger names: SUITE=DIR is a clone of Varnish Cache's repository, with tags")
        if missing := [name for name in names if name not in scripts]:
            print(f"not in {opt.suite}, and left out: {' '.join(missing)}")
        return judge(Suite("Scripts of later releases of Varnish that 7.1.1 passes too, and of TLS,", opt.ledger, scripts,
                           (f"topsrc={directory}",)), ledger, opt)


def run_modules(opt: argparse.Namespace) -> int:
    """Runs all scripts of each tree that exists. A script that the ledger lacks counts as new."""
    code = 2
    for path in sorted(opt.ledgers.glob("*.tsv")):
        tree, ledger = opt.suite / path.stem, read_ledger(path)
        folder = tree / MODULE_FOLDER
        found = {str(script.relative_to(folder).with_suffix("")): script for script in sorted(folder.rglob("*.vtc"))}
        if not found:
            print(f"{path.stem}: left out, {folder} has no scripts")
            continue
        ledger |= {name: Row(name, "-") for name in found if name not in ledger}
        scripts = {name: script for name, script in found.items() if not opt.failing or ledger[name].result != "pass"}
        print(f"{path.stem}: ", end="", flush=True)
        done = judge(Suite(f"The test scripts of {path.stem}", path, scripts, (*NO_LIBRARY, f"vmod_topsrc={tree.resolve()}")), ledger, opt)
        code = done if code == 2 else max(code, done)
    return refuse(f"{opt.suite} has no tree of any module: SUITES=DIR holds them, see docs/testing.md") if code == 2 else code


def main() -> int:
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("suite", type=Path)
    arg.add_argument("--update", action="store_true", help="rewrite the ledger")
    arg.add_argument("--daemon", type=Path, default=ROOT / "build" / "bin" / "vernisd")
    arg.add_argument("--ledger", type=Path)
    arg.add_argument("--later", action="store_true", help="SUITE is a clone of Varnish's repository")
    arg.add_argument("--modules", action="store_true", help="SUITE holds the trees of modules")
    arg.add_argument("--ledgers", type=Path, default=LEDGERS, help="folder of the modules' ledgers")
    arg.add_argument("--jobs", type=int, default=2)
    arg.add_argument("--limit", type=int, default=60, help="seconds for one script")
    arg.add_argument("--names", nargs="+", default=[], help="only these scripts")
    arg.add_argument("--failing", action="store_true", help="only the scripts that did not pass so far")
    opt = arg.parse_args()

    if not shutil.which(VARNISHTEST):
        return refuse(f"{VARNISHTEST} is missing: install Debian's package varnish")
    if not opt.daemon.exists():
        return refuse(f"{opt.daemon} is missing: make build")
    opt.ledger = opt.ledger or (LATER if opt.later else LEDGER)
    return run_modules(opt) if opt.modules else run_later(opt) if opt.later else run_core(opt)


if __name__ == "__main__":
    sys.exit(main())
