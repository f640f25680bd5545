"""How a command ends: its exit code, or the trouble that ends it."""

from __future__ import annotations

EXIT_OK, EXIT_REFUSED, EXIT_TROUBLE, EXIT_INTERRUPTED = 0, 1, 2, 130


class Trouble(Exception):
    """Ends a command with exit code 2; the text says what and where."""
