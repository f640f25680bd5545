"""Where things are: in a checkout, the build tree beside the package; else inside the installed package."""

from __future__ import annotations

import os
from pathlib import Path

from vernis.cli import Trouble

_PACKAGE = Path(__file__).resolve().parent.parent


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
