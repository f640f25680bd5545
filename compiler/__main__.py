"""`python -m vernis`, which build/bin/vernis runs."""

import os
import sys
from typing import NoReturn

from vernis.cli import main


def run() -> NoReturn:
    """Runs the command and skips the interpreter's shutdown, because freeing a large policy node by node
    takes longer than checking it."""
    status = main()
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    run()
