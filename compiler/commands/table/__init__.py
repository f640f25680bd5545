"""The table of the commands of `vernis`: name, function, one line of help, and options.

Each option and its help text exist only here, in one module for commands that share options:
``policies.py`` (commands on files of policies), ``daemon.py`` (commands to a running daemon),
``observing.py`` (log and counters), ``programs.py`` (programs of their own). GROUPS has the groups of the
overview and of docs/commands.md. ``cli.py`` builds parsers from the table, and
``mk/pages/commands.py`` generates docs/commands.md from it. The code of a command is in another
module of ``vernis.commands``, imported when the command runs.
"""

from vernis.commands.table import daemon, observing, policies, programs
from vernis.commands.table.row import Command

_ROWS: dict[str, Command] = {**policies.ROWS, **daemon.ROWS, **observing.ROWS, **programs.ROWS}

#: The groups of commands by task, and each command in one of them.
GROUPS: dict[str, tuple[str, ...]] = {
    "Write policies": ("check", "lint", "fmt", "fix", "explain", "rules"),
    "Test and understand them": ("test", "why"),
    "Start": ("run", "tls", "demo-origin"),
    "Change the policy of a running daemon": (
        "reload",
        "load",
        "use",
        "list",
        "show",
        "discard",
        "table",
        "image",
    ),
    "Operate a running daemon": ("status", "backends", "ban", "purge", "params", "upgrade", "admin"),
    "Observe a running daemon": ("dashboard", "log", "stat", "top", "explain-key"),
    "Compile, and look at what the compiler makes": ("build", "parse", "ir"),
    "Shells, and programs that call vernis": ("completion", "names", "compile-server"),
}

#: In the order of the groups.
COMMANDS: dict[str, Command] = {name: _ROWS[name] for names in GROUPS.values() for name in names} | _ROWS
