"""Runs the tests that failed in the last run of pytest once more, one after another: `make test-again`.

    test_again.py [argument of pytest ...]

Exits as pytest does; with 1 at once if no test or more than three failed. A test that fails beside others
and passes alone has a race, or the daemon has one: its name is printed, so that somebody mends it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

# pytest keeps the tests that failed here, below its root.
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
LIMIT = 3


def last_failed() -> list[str]:
    try:
        return sorted(json.loads(LAST_FAILED.read_text()))
    except FileNotFoundError:
        return []


def refused(failed: list[str]) -> str | None:
    if not failed:
        return "pytest had no failure: what failed before it does not run again"
    if len(failed) > LIMIT:
        return f"{len(failed)} tests failed, more than {LIMIT}: none runs again"
    return None


def main() -> int:
    failed = last_failed()
    if (reason := refused(failed)) is not None:
        print(f"test-again: {reason}", file=sys.stderr)
        return 1
    print("test-again: failed beside the others; one that passes now has a race, or the daemon has one:")
    for name in failed:
        print(f"  {name}", flush=True)
    again = [sys.executable, "-m", "pytest", "--last-failed", *sys.argv[1:]]
    return subprocess.run(again, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
