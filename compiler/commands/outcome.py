"""Exit codes of commands, and the exception that ends one."""

from __future__ import annotations

EXIT_OK, EXIT_REFUSED, EXIT_TROUBLE, EXIT_INTERRUPTED = 0, 1, 2, 130


class Trouble(Exception):
    """Ends a command with exit code 2. The text names the error and its place."""
