"""Finds files and directories: in the build tree of a checkout, else inside the installed package."""

from __future__ import annotations

import os
from pathlib import Path

from vernis.commands.outcome import Trouble

_PACKAGE = Path(__file__).resolve().parent.parent

WORKDIR_VARIABLE = "VERNIS_WORKDIR"
#: The default of the daemon, and the parent of relative working directories, as in
#: runtime/manager/workdir/workdir.h.
WORKDIR_DEFAULT = Path("/var/lib/vernis")
WORKDIR_PARENT = Path("/var/lib/varnish")
#: The default of varnishd. Never tried unasked: a command for Vernis must not reach a Varnish beside it.
_VARNISH = WORKDIR_PARENT / "varnishd"
#: A directory with one of these files is a daemon's working directory.
_MARKS = ("cli.sock", "_.vsm_mgt")


def checkout_root() -> Path | None:
    """The repository that contains this package; None if the package is installed."""
    root = _PACKAGE.parent
    return root if (root / "grammar" / "vocabulary.toml").exists() and (root / "Makefile").exists() else None


def programs_folder() -> Path:
    """The folder of the programs of an installed package, which is in PREFIX/lib/NAME/NAME/vernis, both after
    `make install` and after `pip install`."""
    return _PACKAGE.parents[3] / "bin"


def default_workdir() -> Path:
    """The default working directory of ``vernis run``. Other commands try it if there is no -n."""
    root = checkout_root()
    return Path.cwd() / "vernis-run" if root is None else root / "build" / "run"


def example_policy() -> Path:
    root = checkout_root()
    path = (
        _PACKAGE / "examples" / "quickstart.vcl"
        if root is None
        else root / "examples" / "quickstart" / "quickstart.vcl"
    )
    if not os.path.exists(path):
        raise Trouble(f"{path}: the example policy is missing; name a policy with --policy")
    return path


def daemon_workdir(given: str | None) -> Path:
    """The working directory of the daemon: the given one, else that of a running `vernis run`, else the
    system's."""
    directory = given or os.environ.get(WORKDIR_VARIABLE)
    if directory is not None:
        # The daemon takes a relative name as below WORKDIR_PARENT. Prefer a directory below the current one
        # if a daemon runs in it.
        here = Path(directory)
        return here if here.is_absolute() or _is_daemons(here) else WORKDIR_PARENT / directory
    for candidate in (default_workdir(), WORKDIR_DEFAULT):
        if _is_daemons(candidate):
            return candidate
    raise Trouble(
        f"no daemon found in {WORKDIR_DEFAULT}: give its working directory with -n (or in {WORKDIR_VARIABLE})"
        + (f", such as -n {_VARNISH}" if _is_daemons(_VARNISH) else "")
    )


def _is_daemons(directory: Path) -> bool:
    """Also if this user may not look into it: whoever opens its files then says who may."""
    try:
        return any((directory / mark).exists() for mark in _MARKS)
    except PermissionError:
        return True
