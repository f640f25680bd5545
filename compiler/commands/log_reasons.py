"""Makes the daemon log the reasons of its decisions while a command runs.

The daemon logs them as long as a connection that asked for them (`vernis.reasons`) is open, so it stops
however this command ends.
"""

from __future__ import annotations

import argparse

from vernis.commands.admin import connect_anyhow
from vernis.commands.outcome import Trouble
from vernis.commands.places import daemon_workdir
from vernis.observe.stream import warn_stderr
from vernis.service.client import DaemonClient, DaemonError

_ASK_S = 2.0


class LoggedReasons:
    """A context manager. ``ask`` may be called again, for another worker or daemon."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._connection: DaemonClient | None = None

    def __enter__(self) -> LoggedReasons:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def ask(self) -> None:
        """Warns if the daemon does not take the request: the log then has no causes of misses, and no places
        of statements."""
        before, self._connection = self._connection, None
        try:
            self._connection = connect_anyhow(daemon_workdir(self._options.workdir), _ASK_S)
            answer = self._connection.command("vernis.reasons")
            problem = "" if answer.ok else answer.body.strip()
        except (DaemonError, Trouble) as error:
            problem = str(error)
        if before is not None:
            before.close()  # after the new one has asked, so that the daemon never stops in between
        if problem:
            warn_stderr(f"the daemon does not log reasons: {problem}")

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
