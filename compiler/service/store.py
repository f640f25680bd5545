"""A content-addressed store in a directory: bytes by the digest of what they were made from.

Owned by the compile server's parent process, which alone writes; it outlives every compile child. Losing an entry costs
only time, so whatever is not intact (a torn write, a bit flipped) counts as absent and is removed. Entries are evicted
oldest use first when the store grows over ``bytes_max``.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from pathlib import Path

STORE_BYTES_MAX = 256 << 20
STORE_ENTRY_BYTES_MAX = 64 << 20
_DIGEST_BYTES = 32


def key_of(*parts: bytes) -> str:
    """Digest of a list of parts; lengths go in, so that text cannot move from one part to the next unnoticed."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def read_entry(directory: Path, key: str) -> bytes | None:
    """Content of an entry, for readers that do not own the store; None when it is not there or not whole."""
    try:
        data = (directory / key).read_bytes()
    except OSError:
        return None
    content = data[_DIGEST_BYTES:]
    return content if hashlib.sha256(content).digest() == data[:_DIGEST_BYTES] else None


class ContentStore:
    """``get`` and ``put`` by key. An entry's file is its content's SHA-256 followed by the content."""

    __slots__ = ("directory", "bytes_max", "_sizes", "_bytes")

    def __init__(self, directory: Path, bytes_max: int = STORE_BYTES_MAX) -> None:
        self.directory = directory
        self.bytes_max = bytes_max
        self._sizes: OrderedDict[str, int] = OrderedDict()      # oldest use first
        self._bytes = 0
        directory.mkdir(parents=True, exist_ok=True, mode=0o750)
        self._read_directory()

    def __len__(self) -> int:
        return len(self._sizes)

    @property
    def bytes_used(self) -> int:
        return self._bytes

    def get(self, key: str) -> bytes | None:
        content = read_entry(self.directory, key)
        if content is None:
            self.remove(key)
        else:
            self.used(key)
        return content

    def used(self, key: str) -> None:
        """Somebody read an entry: it becomes the last to be evicted."""
        if key in self._sizes:
            self._sizes.move_to_end(key)
            self._touch(key)

    def put(self, key: str, content: bytes) -> None:
        """Keeps ``content``; an entry that cannot be written is not an error, only not kept."""
        size = _DIGEST_BYTES + len(content)
        if size > min(STORE_ENTRY_BYTES_MAX, self.bytes_max):
            return
        aside = self.directory / f".{key}.new"
        try:
            aside.write_bytes(hashlib.sha256(content).digest() + content)
            aside.rename(self._path(key))
        except OSError:
            aside.unlink(missing_ok=True)
            return
        self._forget(key)
        self._sizes[key] = size
        self._bytes += size
        self._evict()

    def remove(self, key: str) -> None:
        self._forget(key)
        try:
            self._path(key).unlink(missing_ok=True)
        except OSError:
            pass            # still there, but no longer known: it is overwritten by the next put

    def _path(self, key: str) -> Path:
        return self.directory / key

    def _forget(self, key: str) -> None:
        self._bytes -= self._sizes.pop(key, 0)

    def _touch(self, key: str) -> None:
        try:
            os.utime(self._path(key))
        except OSError:
            pass            # only the order of eviction after a restart depends on it

    def _evict(self) -> None:
        while self._bytes > self.bytes_max and self._sizes:
            self.remove(next(iter(self._sizes)))

    def _read_directory(self) -> None:
        """What an earlier server left. Files it was still writing are removed."""
        found: list[tuple[float, str, int]] = []
        for entry in os.scandir(self.directory):
            if entry.name.startswith(".") and entry.name.endswith(".new"):
                Path(entry.path).unlink(missing_ok=True)
            elif len(entry.name) == 2 * _DIGEST_BYTES and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                found.append((status.st_mtime, entry.name, status.st_size))
        for _, key, size in sorted(found):
            self._sizes[key] = size
            self._bytes += size
        self._evict()
