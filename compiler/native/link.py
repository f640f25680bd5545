"""Links object code into a loadable shared object. elf.py does this in a millisecond, and no linker has to be
installed."""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from vernis.native.elf import Input, link_objects
from vernis.native.objects import Object, read_object
from vernis.native.target import ElfError

#: Ends a seal; a copy in text mode damages it.
SEAL_MAGIC = b"VERNIS\r\n"

#: Parsed objects in memory, so that those of the built-in policy are parsed before a request comes.
OBJECTS_READ = 64


class LinkError(Exception):
    """The objects cannot be linked. This is a bug of the compiler, never an error in the policy."""


@lru_cache(maxsize=OBJECTS_READ)
def read(object_code: bytes) -> Object:
    """Parses an object. The linker sets the address of each section anew, so several links may share it."""
    try:
        return read_object(object_code)
    except ElfError as error:
        raise LinkError(str(error)) from error


def link(inputs: Sequence[Input], support: bytes, numbers: Mapping[str, int]) -> bytes:
    try:
        return link_objects(inputs, support, numbers)
    except ElfError as error:
        raise LinkError(str(error)) from error


def sealed(image: bytes) -> bytes:
    """The image and its seal, without which no runtime loads it (runtime/policy/seal.c)."""
    length = struct.pack("<Q", len(image))
    return b"".join((image, length, hashlib.sha256(image + length).digest(), SEAL_MAGIC))


def _umask() -> int:
    """The umask can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write_aside(path: Path, data: bytes) -> None:
    """Writes a temporary file and renames it, so that readers see the whole file or none. Each call makes a
    new inode, because the loader identifies files by inode. The umask decides who may read the file, which
    holds the text of the policy."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), 0o666 & ~_umask())
        os.rename(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
