"""The table of docs/hardening.md: how the files of a release build are hardened, read from their ELF headers."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from pages import ROOT

PAGE = ROOT / "docs/hardening.md"
DAEMON = ROOT / "build/bin/vernisd"
COLUMNS = ("PIE", "RELRO", "stack not executable", "canaries", "fortify", "landing pads", "no RPATH")
BEGIN, END = "<!-- table: hardening -->\n", "<!-- end -->\n"
LANDING_PAD = b"\xf3\x0f\x1e\xfa"  # endbr64
LANDING_PADS_MIN = 10  # more than the start files of the C library have


def readelf(path: Path, *options: str) -> str:
    return subprocess.run(
        ["readelf", "-W", *options, str(path)], capture_output=True, text=True, check=True
    ).stdout


def properties(path: Path) -> dict[str, str]:
    """The value of each column for one file."""
    header, segments, dynamic, names = (readelf(path, option) for option in ("-h", "-l", "-d", "--dyn-syms"))
    relocated, at_once = "GNU_RELRO" in segments, re.search(r"BIND_NOW|Flags:.*\bNOW\b", dynamic) is not None
    stack = re.search(r"GNU_STACK\s.* ([RWE]{2,3}) ", segments)
    checked = [name for name in re.findall(r"\b(__\w+_chk)\b", names) if name != "__stack_chk_fail"]
    values = {
        "PIE": "yes" if "DYN" in header else "no",
        "RELRO": "full" if relocated and at_once else "partial" if relocated else "no",
        "stack not executable": "yes" if stack is not None and "E" not in stack.group(1) else "no",
        "canaries": "yes" if "__stack_chk_fail" in names else "no",
        "fortify": "yes" if checked else "no",
        "landing pads": "yes" if path.read_bytes().count(LANDING_PAD) >= LANDING_PADS_MIN else "no",
        "no RPATH": "yes" if not re.search(r"\((RPATH|RUNPATH)\)", dynamic) else "no",
    }
    assert tuple(values) == COLUMNS
    return values


def table() -> str:
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "quickstart.so"
        policy = ROOT / "examples/quickstart/quickstart.vcl"
        subprocess.run([ROOT / "build/bin/vernis", "build", "-o", image, policy], check=True)
        files = {
            "`vernisd`": DAEMON,
            "`libvernisrt.so`": ROOT / "build/lib/libvernisrt.so",
            "parser extension": next((ROOT / "build/ext").glob("_vclparser.*.so")),
            "a compiled policy": image,
        }
        rows = [f"| {name} | " + " | ".join(properties(path).values()) + " |" for name, path in files.items()]
    return "\n".join(["| File | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|", *rows, ""])


def page() -> str:
    before, _, rest = PAGE.read_text().partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]
