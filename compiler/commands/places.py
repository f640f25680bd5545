"""Where things are: in a checkout, the build tree beside the package; else inside the installed package."""

from __future__ import annotations

import os
from pathlib import Path

from vernis.commands.outcome import Trouble

_PACKAGE = Path(__file__).resolve().parent.parent

WORKDIR_VARIABLE = "VERNIS_WORKDIR"
#: As the daemon: relative names of working directories are below it.
WORKDIR_PARENT = Path("/var/lib/varnish")
_WORKDIR_NAME = "varnishd"
#: What shows that a directory is a daemon's.
_MARKS = ("cli.sock", "_.vsm_mgt")


def checkout_root() -> Path | None:
    """The repository this package is run from, None when it is installed."""
    root = _PACKAGE.parent
    return root if (root / "grammar" / "vocabulary.toml").exists() and (root / "Makefile").exists() else None


def default_workdir() -> Path:
    """Of ``vernis run``; the daemon commands look there when not told otherwise."""
    root = checkout_root()
    return Path.cwd() / "vernis-run" if root is None else root / "build" / "run"


def example_policy() -> Path:
    root = checkout_root()
    path = _PACKAGE / "examples" / "quickstart.vcl" if root is None else root / "examples" / "quickstart" / "quickstart.vcl"
    if not os.path.exists(path):
        raise Trouble(f"{path}: the example policy is missing; name a policy with --policy")
    return path


def daemon_workdir(given: str | None) -> Path:
    """The working directory of the daemon that is meant: as given, or the one of `vernis run` where that is running, or the
    system's."""
    directory = given or os.environ.get(WORKDIR_VARIABLE)
    if directory is not None:
        # The daemon takes a relative name to be one below its own place; a directory here is meant when there is a daemon in it.
        here = Path(directory)
        return here if here.is_absolute() or _is_daemons(here) else WORKDIR_PARENT / directory
    for candidate in (default_workdir(), WORKDIR_PARENT / _WORKDIR_NAME):
        if _is_daemons(candidate):
            return candidate
    raise Trouble(f"which daemon? Give its working directory with -n (or in {WORKDIR_VARIABLE})")


def _is_daemons(directory: Path) -> bool:
    return any((directory / mark).exists() for mark in _MARKS)
