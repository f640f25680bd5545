"""Policies written by other people: what a running vernisd says of each, beside what stock Varnish said.

    benchmarks/corpus.py MANIFEST CORPUS [--disagreements]

MANIFEST is a table of real files (tab-separated, columns id, repo, path, dialect, dup_of, checked_tree, stock_checked,
checked_class, with_varnish_modules, message), CORPUS the folder they were rebuilt to (raw/, fixed/ and wrapped/). Neither is part of this
repository. Every VCL 4 file is loaded with vcl.load into one running daemon (vcc_err_unref off, as the manifest's verdicts
were made), so "accepted" means compiled, linked, opened and its vcl_init run.

Prints the table; exits 1 when a file that stock accepts is refused, but for C code in a policy, which Vernis refuses with its reason.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers  # noqa: E402
from compile import Cli, vernis_cli  # noqa: E402

Row = dict[str, str]
INLINE_C = "V204"
DIFFERS = "differs"


def rows_of(manifest: Path) -> list[Row]:
    lines = [line for line in manifest.read_text().splitlines() if not line.startswith("#")]
    rows = csv.DictReader(lines, delimiter="\t")
    return [row for row in rows if row["dialect"].startswith("v4") and row["dup_of"] in ("", "-") and row["stock_checked"] != "-"]


def place_of(row: Row, corpus: Path) -> tuple[Path, Path]:
    """The file to load, and where its includes are looked for."""
    repo, tree = row["repo"].replace("/", "+"), row["checked_tree"]
    path = corpus / tree / repo / row["path"].replace("#", "@")   # FILE#LINES: a part of a file
    return path, path.parent if tree == "raw" else corpus / "fixed" / repo


def verdict(cli: Cli, row: Row, corpus: Path) -> tuple[str, str]:
    """("accept" | "reject" | "missing", the first error)."""
    path, includes = place_of(row, corpus)
    if not path.exists():
        return "missing", ""
    status, text = cli.command(f'param.set vcl_path "{includes}"')
    assert status == 200, text
    status, text = cli.command(f'vcl.load c{row["id"]} "{path}"')
    if status == 200:
        assert cli.command(f'vcl.discard c{row["id"]}')[0] == 200
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


def run_daemon(work: Path) -> subprocess.Popen[bytes]:
    boot = work / "boot.vcl"
    boot.write_text("vcl 4.1; backend none none;\n")
    return subprocess.Popen([str(peers.ROOT / "build/bin/vernisd"), "-F", "-n", str(work / "vernis"), "-a", "127.0.0.1:0", "-f", str(boot),
                             "-p", "vcc_err_unref=off", "-s", "malloc,64m"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("manifest", type=Path)
    ap.add_argument("corpus", type=Path)
    ap.add_argument("--disagreements", action="store_true", help="name the files we and stock disagree about, and each refused module")
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
    if args.disagreements:
        print("\n".join(notes))
    return 1 if any(result == DIFFERS for _, _, result in table) else 0


if __name__ == "__main__":
    raise SystemExit(main())
