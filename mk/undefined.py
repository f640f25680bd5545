"""After a failed link: names the functions of policies that the runtime lacks, and the file for each.

Each row of grammar/vocabulary.toml needs a C function. The build makes its prototype, so that a missing one
shows only when the linker looks for it, without a word about the table. Prints nothing if none is missing.

    python mk/undefined.py build/gen build/release
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

PROTOTYPE = re.compile(r"^\S.*?\b(vcl_\w+)\(.*\);$", re.M)
SYMBOL = re.compile(r":(\w+)\.o:\w+ [TR] (vcl_\w+)$", re.M)


def prototypes(headers: Path, room: str) -> dict[str, str]:
    return {match[1]: match[0] for match in PROTOTYPE.finditer((headers / f"exports_{room}.h").read_text())}


def defined(archive: Path) -> dict[str, str]:
    """Functions of a room's archive, each with the name of its file."""
    done = subprocess.run(["nm", "-A", "-g", "--defined-only", str(archive)], capture_output=True, text=True)
    return {symbol: f"{file}.c" for file, symbol in SYMBOL.findall(done.stdout)}


def file_for(symbol: str, known: dict[str, str]) -> str | None:
    """The file with most of the functions that begin with the same words: get_req_, std_."""
    words = symbol.split("_")
    for n in range(len(words) - 1, 1, -1):
        begin = "_".join(words[:n]) + "_"
        files = Counter(file for name, file in known.items() if name.startswith(begin))
        if files:
            return files.most_common(1)[0][0]
    return None


def missing(headers: Path, archives: Path) -> list[str]:
    found = []
    for room in ("policy", "vmod"):
        known = defined(archives / f"{room}.a")
        for symbol, prototype in prototypes(headers, room).items():
            if known and symbol not in known:
                file = file_for(symbol, known)
                place = f"runtime/{room}/{file}" if file else f"a new file of runtime/{room}"
                found.append(
                    f"{symbol} is missing: a row of grammar/vocabulary.toml needs it. "
                    f"Write it in {place}:\n    {prototype.removesuffix(';')}\n"
                )
    return found


def main() -> int:
    found = missing(Path(sys.argv[1]), Path(sys.argv[2]))
    if found:
        rest = 'CONTRIBUTING.md, "To add something", lists the rest.'
        print("".join(found) + rest, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
