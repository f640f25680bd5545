"""Writes compile_commands.json to stdout: ``compile_commands.py COMPILER FLAG... -- FILE...``."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> int:
    split = sys.argv.index("--")
    command, files = sys.argv[1:split], sys.argv[split + 1 :]
    rows = [
        {"directory": str(Path.cwd()), "file": file, "arguments": [*command, "-c", file]} for file in files
    ]
    json.dump(rows, sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
