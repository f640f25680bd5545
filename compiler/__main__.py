"""`python -m vernis`, which build/bin/vernis runs."""

import os
import sys
from typing import NoReturn

from vernis.cli import main


def run() -> NoReturn:
    """The command, without the interpreter's end: to free a large policy node by node takes longer than to say what is wrong
    with it."""
    status = main()
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    run()
