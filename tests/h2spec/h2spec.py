#!/usr/bin/env python3
"""Runs h2spec, the conformance tests of HTTP/2, against ``vernisd`` in 4.x mode, with the feature bit
h2_rfc9113, and with this bit over TLS, and compares the results with a ledger.

    h2spec.py PROGRAM [--update] [--daemon PATH] [--only MODE] [--timeout SECONDS]

PROGRAM is the binary of h2spec, which ``make h2spec`` builds. The ledger, ``cases.tsv`` beside this file, has
the result of each case in each mode, and for a case that fails in 4.x mode the answer of Varnish that it gets.

Exit code 0: no case that passed before fails. 1: some do, and are named with what came. 2: it could not be run.
A case that fails runs once more, alone. ``--update`` rewrites the ledger instead of comparing with it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "build" / "py")]

from proxy.daemon import Daemon         # noqa: E402
from proxy.tls import certificate, https  # noqa: E402

LEDGER = Path(__file__).with_name("cases.tsv")
#: Without penalties: nearly every case breaks the protocol on purpose.
MODES = {
    "4.x": ("feature=+http2", "h2_penalty=0"),
    "rfc9113": ("feature=+http2,+h2_rfc9113", "h2_penalty=0"),
    "rfc9113 over TLS": ("feature=+http2,+h2_rfc9113", "h2_penalty=0"),
}
OVER_TLS = "rfc9113 over TLS"
COLUMNS = ("section", "case", *MODES, "answer in 4.x mode")
LIMIT_S = 600
#: Some cases need a body that the origin does not have to make, and one that takes a POST.
POLICY = """vcl 4.1; backend default none;
sub vcl_recv { return (synth(200)); }
sub vcl_synth { set resp.http.Content-Type = "text/plain"; synthetic("a body of some bytes"); return (deliver); }
"""

#: h2spec quotes frames as they came; XML has no such characters.
CONTROL = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd]")
Key = tuple[str, str]


@dataclass(slots=True, frozen=True)
class Result:
    passed: bool
    came: str                           # what the case expected, and what it got


def shown(text: str) -> str:
    return " ".join(text.split())


def results(report: Path) -> dict[Key, Result]:
    """The cases of a report. Equal titles of a section get a number."""
    found: dict[Key, Result] = {}
    text = CONTROL.sub("?", report.read_text(errors="replace"))
    for case in ElementTree.fromstring(text).iter("testcase"):
        section, title = shown(case.get("package", "")), shown(case.get("classname", ""))
        n = sum(known[0] == section and known[1].partition(" #")[0] == title for known in found)
        failure = case.find("failure")
        if failure is None:
            failure = case.find("error")
        came = "" if failure is None else shown("".join(failure.itertext()))
        found[section, title if n == 0 else f"{title} #{n + 1}"] = Result(failure is None, came)
    return found


@contextmanager
def served(mode: str, daemon: Path, folder: Path) -> Iterator[int]:
    args = [word for value in MODES[mode] for word in ("-p", value)]
    if mode == OVER_TLS:
        made = https(folder, [certificate(folder, "a.test")], args, POLICY, daemon)
    else:
        made = Daemon(folder, POLICY, args, binary=daemon)
    with made as d:
        worker = d.worker_pid
        yield d.port
        if d.worker_pid != worker:
            raise RuntimeError(f"the worker died:\n{d.logs}")


def run(opt: argparse.Namespace, mode: str, port: int, folder: Path, timeout: int, sections: Sequence[str] = ()) -> dict[Key, Result]:
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    over_tls = ["-t", "-k"] if mode == OVER_TLS else []
    command = [str(opt.program.resolve()), "-S", *over_tls, "-h", "127.0.0.1", "-p", str(port), "-o", str(timeout), "-j", str(report), *sections]
    subprocess.run(command, stdout=subprocess.DEVNULL, timeout=LIMIT_S)
    return results(report)


def run_mode(mode: str, opt: argparse.Namespace, before: dict[Key, dict[str, str]]) -> dict[Key, Result]:
    with tempfile.TemporaryDirectory(prefix="h2spec.") as directory:
        folder = Path(directory)
        with served(mode, opt.daemon, folder) as port:
            found = run(opt, mode, port, folder, opt.timeout)
            lost = {key[0] for key, row in before.items() if row.get(mode) == "pass" and key in found and not found[key].passed}
            if lost:
                again = run(opt, mode, port, folder, 2 * opt.timeout, sorted(lost))
                found |= {key: result for key, result in again.items() if result.passed}
    return found


# ---- ledger --------------------------------------------------------------------------------------------------


def read_ledger() -> dict[Key, dict[str, str]]:
    if not LEDGER.exists():
        return {}
    lines = [line.split("\t") for line in LEDGER.read_text().splitlines() if line and not line.startswith("#")]
    return {(row[0], row[1]): dict(zip(lines[0], row)) for row in lines[1:]}


def write_ledger(found: dict[str, dict[Key, Result]]) -> None:
    counts = ", ".join(f"{mode} {sum(r.passed for r in of.values())} of {len(of)}" for mode, of in found.items())
    with LEDGER.open("w") as out:
        out.write(f"# Cases of h2spec 2.2.1 (strict ones as well) against vernisd: make h2spec LEDGER=update. Passed: {counts}.\n")
        out.write("\t".join(COLUMNS) + "\n")
        for key in next(iter(found.values())):
            cells = ["pass" if found[mode][key].passed else "fail" for mode in MODES]
            out.write("\t".join([*key, *cells, found["4.x"][key].came]).rstrip() + "\n")


def judge(mode: str, found: dict[Key, Result], before: dict[Key, dict[str, str]]) -> bool:
    """Prints how a mode did. Returns whether a case is lost."""
    print(f"{mode}: {sum(r.passed for r in found.values())} of {len(found)} pass")
    lost = [key for key, row in before.items() if row.get(mode) == "pass" and not (key in found and found[key].passed)]
    gained = [key for key, r in found.items() if r.passed and before.get(key, {}).get(mode) != "pass"]
    for section, title in gained if before else []:
        print(f"  passes now: {section} {title}")
    for key in lost:
        came = found[key].came if key in found else "did not run"
        print(f"  passed before and fails now: {' '.join(key)}: {came}")
    for key, r in found.items():
        if not r.passed and key not in lost:
            print(f"  fails: {' '.join(key)}: {r.came}")
    return bool(lost)


def main() -> int:
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("program", type=Path)
    arg.add_argument("--update", action="store_true", help="rewrite the ledger")
    arg.add_argument("--daemon", type=Path, default=ROOT / "build" / "bin" / "vernisd")
    arg.add_argument("--only", choices=list(MODES), help="one mode")
    arg.add_argument("--timeout", type=int, default=2, help="seconds that a case waits")
    opt = arg.parse_args()
    before, found, is_worse = read_ledger(), {}, False
    try:
        for mode in [opt.only] if opt.only else MODES:
            found[mode] = run_mode(mode, opt, before)
            is_worse |= judge(mode, found[mode], before)
    except (OSError, RuntimeError, AssertionError, subprocess.SubprocessError, ElementTree.ParseError) as e:
        print(f"make h2spec: {e}", file=sys.stderr)
        return 2
    if opt.update and not opt.only:
        write_ledger(found)
        return 0
    return int(is_worse)


if __name__ == "__main__":
    sys.exit(main())
