"""The table of the commands of `vernis`: name, function, one line of help, and options.

Each option and its help text exist only here, in one module for each group: ``policies.py`` (commands on
files of policies), ``daemon.py`` (commands to a running daemon), ``observing.py`` (log and counters),
``programs.py`` (programs of their own). ``cli.py`` builds parsers from the table, and
``tests/compiler/command_tables.py`` generates docs/commands.md from it. The code of a command is in another
module of ``vernis.commands``, imported when the command runs.
"""

from vernis.commands.table import daemon, observing, policies, programs
from vernis.commands.table.row import Command

COMMANDS: dict[str, Command] = {**policies.ROWS, **daemon.ROWS, **observing.ROWS, **programs.ROWS}
