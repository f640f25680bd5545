"""A content-addressed store in a directory: the key of an entry is the digest of its inputs.

Only the compile server's parent process writes to it; the store outlives every compile child. A lost entry
costs only time, so a damaged entry (a torn write, a flipped bit) counts as absent and is removed. If the
store exceeds ``bytes_max``, it evicts the least recently used entries.
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
    """Digest of a list of parts. Hashes their lengths too, so that moving text from one part to the next
    changes the digest."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def read_entry(directory: Path, key: str) -> bytes | None:
    """Content of an entry, for readers that do not own the store. None if it is absent or damaged."""
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
        self._sizes: OrderedDict[str, int] = OrderedDict()  # least recently used first
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
        """Marks an entry as just used, so that it is evicted last."""
        if key in self._sizes:
            self._sizes.move_to_end(key)
            self._touch(key)

    def put(self, key: str, content: bytes) -> None:
        """Stores ``content``. Ignores a failed write, because the store is only a cache."""
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
            pass  # the file stays, but the next put overwrites it

    def _path(self, key: str) -> Path:
        return self.directory / key

    def _forget(self, key: str) -> None:
        self._bytes -= self._sizes.pop(key, 0)

    def _touch(self, key: str) -> None:
        try:
            os.utime(self._path(key))
        except OSError:
            pass  # affects only the order of eviction after a restart

    def _evict(self) -> None:
        while self._bytes > self.bytes_max and self._sizes:
            self.remove(next(iter(self._sizes)))

    def _read_directory(self) -> None:
        """Enters the files of an earlier server. Removes its unfinished files."""
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
