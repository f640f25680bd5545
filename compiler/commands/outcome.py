"""Exit codes of commands, and the exceptions that end one."""

from __future__ import annotations

from vernis.trouble import Trouble as Trouble

EXIT_OK, EXIT_REFUSED, EXIT_TROUBLE = 0, 1, 2
#: Plus the number of a signal: the status of a shell for a command that a signal ended.
EXIT_SIGNAL = 128


class Ended(SystemExit):
    """A signal asks the command to end. Event loops let a SystemExit pass."""

    def __init__(self, number: int) -> None:
        super().__init__(EXIT_SIGNAL + number)
        self.number = number
