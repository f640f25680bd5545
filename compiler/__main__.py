"""`python -m vernis`, which build/bin/vernis runs."""

import sys

from vernis.cli import main

if __name__ == "__main__":
    sys.exit(main())
