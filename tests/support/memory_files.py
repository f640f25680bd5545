"""Included files of a policy without a disk."""

from __future__ import annotations

import fnmatch
import os
from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class MemoryResolver:
    """Included files in a dictionary."""

    files: dict[str, bytes]

    def allows(self, path: str) -> bool:
        return True

    def find(self, path: str) -> str | None:
        return next((p for p in (path, os.path.normpath(path)) if p in self.files), None)

    def other(self, path: str) -> str:
        return ""

    def glob(self, pattern: str) -> list[str]:
        return sorted(p for p in self.files if fnmatch.fnmatchcase(p, os.path.normpath(pattern)))

    def read(self, path: str) -> bytes:
        return self.files[path]
