"""Folders of tests that other users can enter. Daemons give up root, and pytest creates its folders for their
owner alone."""

from __future__ import annotations

import tempfile
from pathlib import Path


def open_to_everybody(folder: Path, mode: int = 0o755) -> None:
    """Gives ``folder`` the mode ``mode``, and lets all users enter its parents, up to the system's folder for
    temporary files."""
    top = Path(tempfile.gettempdir()).resolve()
    for parent in folder.resolve().parents:
        if parent == top or top not in parent.parents:
            break
        parent.chmod(0o755)
    folder.chmod(mode)
