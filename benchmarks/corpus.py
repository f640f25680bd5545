"""Loads published policies into vernisd and compares the results with those of Varnish 7.1 ("stock").

    benchmarks/corpus.py MANIFEST CORPUS [--disagreements] [--no-lines]

MANIFEST is a tab-separated table of files, with the columns id, repo, path, dialect, dup_of, checked_tree,
stock_checked, checked_class and message. CORPUS is the folder with these files (raw/, fixed/ and wrapped/).
Neither is part of this repository. The first table is about acceptance: vcl.load puts every VCL 4 file into
one running daemon, so an accepted file was compiled and linked, and its vcl_init ran. vcc_err_unref is off,
as it was for the results of stock in the manifest.

The second table is about errors. It has each file that `varnishd -C` refuses, in all versions of VCL, as
published and as repaired for the first table. It compares the line of stock's first error with our errors;
stock stops at its first error.

Exits with 1 if Vernis refuses a file that stock accepts (except for inline C, which Vernis never accepts), if
Vernis accepts a file that stock refuses without a known reason, or if none of our errors is at the line of
stock's error.
"""

from __future__ import annotations

import argparse
import collections
import csv
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers
from compile import Cli, vernis_cli

sys.path.insert(0, str(peers.ROOT / "build/py"))
from vernis.pipeline import CHECK, Compilation, Options, run_stages
from vernis.syntax.diagnostics import Severity

Row = dict[str, str]
Place = tuple[str, int]  # file name without its folder, and line
INLINE_C = "V204"
DIFFERS = "differs"

# Stock's messages about its environment. They say nothing about the file.
ENVIRONMENT = {
    "Could not find VMOD": "a module that it lacks",
    "could not be resolved to an IP address": "a host without an address",
}
# Errors that we report earlier, at their cause. Stock points to the declaration after an open bracket, or to
# the first unreadable character of a template.
EARLIER = {"V205": "the bracket that is not closed", "V245": "where the template begins"}
STOCK_PLACE = re.compile(r"\('([^']*)' Line (\d+) Pos \d+\)")


def rows_of(manifest: Path) -> list[Row]:
    lines = [line for line in manifest.read_text().splitlines() if not line.startswith("#")]
    rows = csv.DictReader(lines, delimiter="\t")
    return [
        row
        for row in rows
        if row["dialect"].startswith("v4") and row["dup_of"] in ("", "-") and row["stock_checked"] != "-"
    ]


def place_of(row: Row, corpus: Path) -> tuple[Path, Path]:
    """The file to load, and the folder of its includes."""
    repo, tree = row["repo"].replace("/", "+"), row["checked_tree"]
    path = corpus / tree / repo / row["path"].replace("#", "@")  # FILE#LINES is a part of a file
    return path, path.parent if tree == "raw" else corpus / "fixed" / repo


def verdict(cli: Cli, row: Row, corpus: Path) -> tuple[str, str]:
    """Our result ("accept", "reject" or "missing") and our first error."""
    path, includes = place_of(row, corpus)
    if not path.exists():
        return "missing", ""
    status, text = cli.command(f'param.set vcl_path "{includes}"')
    assert status == 200, text
    status, text = cli.command(f'vcl.load c{row["id"]} "{path}"')
    if status == 200:
        assert cli.command(f"vcl.discard c{row['id']}")[0] == 200
        return "accept", ""
    found = re.search(r"^.*\berror\[.*$", text, re.M)
    return "reject", found.group() if found else text.strip().splitlines()[0]


def judge(row: Row, ours: str, error: str) -> str:
    if ours == "missing":
        return "missing"
    if row["stock_checked"] == "accept":
        return "accepted" if ours == "accept" else "inline C refused" if INLINE_C in error else DIFFERS
    if ours == "accept":
        return "accepted (stock lacks the module)" if row["checked_class"] == "missing-vmod" else DIFFERS
    return f"refused: {row['checked_class']}"


def files_with_errors(manifest: Path, corpus: Path) -> Iterator[tuple[str, Path, Path]]:
    """Yields group, file and folder of includes: repaired VCL 4 files, then all files as published."""
    lines = [line for line in manifest.read_text().splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines, delimiter="\t"):
        if row["dup_of"] not in ("", "-") or row["dialect"] == "empty":
            continue
        repo, name = row["repo"].replace("/", "+"), row["path"].replace("#", "@")
        is_4 = row["dialect"].startswith("v4")
        if is_4 and row["stock_checked"] == "reject":
            yield "VCL 4, repaired", *place_of(row, corpus)
        published = corpus / "raw" / repo / name
        yield (
            "VCL 4, published" if is_4 else "VCL 3" if row["dialect"] == "v3" else "Fastly's dialect",
            published,
            published.parent,
        )


def stock_says(path: Path, includes: Path, work: Path) -> tuple[bool, str]:
    """Whether varnishd accepts the file, and its complete output."""
    done = subprocess.run(
        [
            "varnishd",
            "-C",
            "-n",
            str(work),
            "-f",
            str(path),
            "-p",
            f"vcl_path={includes}",
            "-p",
            "vcc_err_unref=off",
            "-p",
            "vcc_allow_inline_c=on",
        ],
        capture_output=True,
        timeout=120,
        check=False,
    )
    return done.returncode == 0, (done.stdout + done.stderr).decode("latin-1")


def our_errors(path: Path, includes: Path) -> list[tuple[Place, str]]:
    """Place and code of each error that `vernis check` reports."""
    run = run_stages(
        Compilation("corpus", str(path), options=Options(vcl_path=(str(includes),), err_unref=False)), CHECK
    )
    places = [
        (run.sources.place(item.span), item)
        for item in run.diagnostics.items
        if item.severity is Severity.ERROR
    ]
    return [((Path(name).name, line), item.code) for (name, line, _), item in places]


def compare(said: str, ours: list[tuple[Place, str]]) -> str:
    """Where our errors are, relative to stock's first error."""
    lacks = next((what for words, what in ENVIRONMENT.items() if words in said), "")
    if not ours:
        return f"none: stock stops at {lacks}" if lacks else DIFFERS
    errors = re.sub(r"\n[^\n]*\n[^\n]*\n[^\n]*\n\n\(That was just a warning\)", "", said)
    found = STOCK_PLACE.search(errors)
    if "Running C-compiler failed" in said or found is None:
        return "stock names no line"
    place = Path(found[1]).name, int(found[2])
    if ours[0][0] == place:
        return "the same line"
    if any(mine == place for mine, _ in ours):
        return "the same line, and others before it"
    if ours[0][1] in EARLIER:
        return f"an earlier line: {EARLIER[ours[0][1]]}"
    if "Illegal BLOB character" in errors and ours[0][0] < place:
        return "an earlier line: where what is foreign begins, in which stock reads a colon as a blob"
    return f"a later line: stock stops at {lacks}" if lacks else DIFFERS


def lines_table(manifest: Path, corpus: Path) -> tuple[collections.Counter[tuple[str, str]], list[str]]:
    table: collections.Counter[tuple[str, str]] = collections.Counter()
    notes = []
    with tempfile.TemporaryDirectory(prefix="vernis-corpus-") as tmp:
        os.chmod(tmp, 0o755)
        for kind, path, includes in files_with_errors(manifest, corpus):
            accepted, said = stock_says(path, includes, Path(tmp)) if path.exists() else (True, "")
            if accepted:
                continue
            ours = our_errors(path, includes)
            result = compare(said, ours)
            table[kind, result] += 1
            if result == DIFFERS:
                notes.append(f"{kind} {path}: ours {ours[:4]}\n    stock: {said.strip()[:300]}")
    return table, notes


def run_daemon(work: Path) -> subprocess.Popen[bytes]:
    boot = work / "boot.vcl"
    boot.write_text("vcl 4.1; backend none none;\n")
    return subprocess.Popen(
        [
            str(peers.ROOT / "build/bin/vernisd"),
            "-F",
            "-n",
            str(work / "vernis"),
            "-a",
            "127.0.0.1:0",
            "-f",
            str(boot),
            "-p",
            "vcc_err_unref=off",
            "-s",
            "malloc,64m",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("manifest", type=Path)
    ap.add_argument("corpus", type=Path)
    ap.add_argument(
        "--disagreements",
        action="store_true",
        help="name the files with different results, and each refused module",
    )
    ap.add_argument("--no-lines", action="store_true", help="omit the second table, which needs varnishd")
    args = ap.parse_args()
    table: collections.Counter[tuple[str, str, str]] = collections.Counter()
    notes = []
    with tempfile.TemporaryDirectory(prefix="vernis-corpus-") as tmp:
        os.chmod(tmp, 0o755)
        daemon = run_daemon(Path(tmp))
        try:
            cli = vernis_cli(Path(tmp) / "vernis")
            for row in rows_of(args.manifest):
                ours, error = verdict(cli, row, args.corpus.resolve())
                result = judge(row, ours, error)
                table[row["dialect"], row["stock_checked"], result] += 1
                if result in (DIFFERS, "missing", "refused: missing-vmod", "refused: genuine"):
                    notes.append(f"{row['id']} {result}: {error or row['path']}\n    stock: {row['message']}")
        finally:
            daemon.terminate()
            daemon.wait(30)
    print(f"{'files':>5}  {'dialect':12} {'stock':7} vernis")
    for (dialect, stock, result), n in sorted(table.items()):
        print(f"{n:5}  {dialect:12} {stock:7} {result}")
    lines: collections.Counter[tuple[str, str]] = collections.Counter()
    if not args.no_lines:
        lines, more = lines_table(args.manifest, args.corpus.resolve())
        notes += more
        print(f"\n{'files':>5}  {'refused by stock':17} our first error")
        for (kind, result), n in sorted(lines.items()):
            print(f"{n:5}  {kind:17} {result}")
    if args.disagreements:
        print("\n".join(notes))
    return 1 if any(result == DIFFERS for *_, result in [*table, *lines]) else 0


if __name__ == "__main__":
    raise SystemExit(main())
