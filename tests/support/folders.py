"""Folders of tests that other users can enter: daemons give root up, and pytest makes its folders for their owner alone."""

from __future__ import annotations

import tempfile
from pathlib import Path


def open_to_everybody(folder: Path, mode: int = 0o755) -> None:
    """``folder`` gets ``mode``; those above it, up to the system's folder for temporary files, can be entered."""
    top = Path(tempfile.gettempdir()).resolve()
    for parent in folder.resolve().parents:
        if parent == top or top not in parent.parents:
            break
        parent.chmod(0o755)
    folder.chmod(mode)
