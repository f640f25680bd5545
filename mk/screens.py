"""Takes the pictures of docs/pictures/screens/screens.toml.

Runs each command, and shows in Chromium its text, in a frame like a terminal's, or the page that it writes.

    python3 mk/screens.py           # writes NAME.png, and the digests of the pages in screens.json
    python3 mk/screens.py --check   # names the pictures whose page has changed; needs no browser
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
import tomllib
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/pictures/screens"
DIGESTS = FOLDER / "screens.json"
TIMEOUT_S = 60
FRAME = """<!doctype html><meta charset="utf-8"><style>
  body {{ margin: 16px; background: #0d1117; color: #e6edf3 }}
  pre {{ font: 13.5px/1.45 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; margin: 0 }}
  b {{ color: #7ee787 }}
</style><pre><b>$ {command}</b>
{text}</pre>
"""


def page_of(row: dict[str, Any]) -> str:
    """The HTML that the picture shows."""
    with tempfile.TemporaryDirectory(prefix="vernis-screens-") as name:
        page = Path(name) / "page.html"
        words = shlex.split(row["command"].format(page=page))
        path = f"{ROOT / 'build/bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            words,
            cwd=FOLDER,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        if done.returncode not in (0, 1):
            raise SystemExit(f"{row['command']}: {done.stderr}")
        if row.get("page"):
            return page.read_text("utf-8")
        return FRAME.format(command=escape(row["command"]), text=escape(done.stdout))


def digest(page: str) -> str:
    return hashlib.sha256(page.encode()).hexdigest()


def take(page: str, size: list[int], out: Path) -> None:
    """Needs `chromium` in the path. As root, it runs without its sandbox: the page is our own."""
    with tempfile.TemporaryDirectory(prefix="vernis-screens-") as name:
        source = Path(name) / "page.html"
        source.write_text(page, "utf-8")
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        options = ["--headless", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={name}/profile"]
        shape = [f"--window-size={size[0]},{size[1]}", f"--screenshot={out}"]
        command = ["chromium", *options, *sandbox, *shape, source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=TIMEOUT_S)


def main() -> int:
    rows = tomllib.loads((FOLDER / "screens.toml").read_text())
    pages = {name: page_of(row) for name, row in rows.items()}
    digests = {name: digest(page) for name, page in pages.items()}
    if "--check" in sys.argv[1:]:
        known = json.loads(DIGESTS.read_text())
        changed = [name for name in rows if known.get(name) != digests[name]]
        if changed:
            print(f"changed: {', '.join(changed)}; run `make screens`", file=sys.stderr)
        return 1 if changed else 0
    for name, page in pages.items():
        take(page, rows[name]["size"], FOLDER / f"{name}.png")
    DIGESTS.write_text(json.dumps(digests, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
