"""Links object code into a loadable shared object. elf.py does this in a millisecond, so no linker has to be
installed. An option selects ``ld`` instead; tests compare the two."""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from vernis.native.abi import SYMBOL
from vernis.native.elf import Input, link_objects
from vernis.native.objects import Object, read_object, with_numbers
from vernis.native.target import ElfError

_EXPORTS = f"{{ global: {SYMBOL}; local: *; }};\n"
_FLAGS = (
    "-shared",
    "-z",
    "relro",
    "-z",
    "now",
    "-z",
    "noexecstack",
    "-z",
    "separate-code",
    "-z",
    "text",
    "--no-undefined",
    "--hash-style=sysv",
    "--eh-frame-hdr",
    "--build-id=none",
    "--no-warnings",
)


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


def find_ld() -> str | None:
    return shutil.which("ld")


def link_with_ld(ld: str, objects: Sequence[tuple[bytes, Mapping[str, int]]], support: bytes) -> bytes:
    """Links with binutils objects that are not shared, each with its numbers. Always links ``support``, while
    elf.py links it only if an object needs it."""
    with tempfile.TemporaryDirectory(prefix="vernis-link-") as name:
        room = Path(name)
        files = [room / f"{number}.o" for number in range(len(objects))]
        for file, (content, numbers) in zip(files, objects, strict=True):
            file.write_bytes(with_numbers(content, numbers))
        (room / "support.o").write_bytes(support)
        (room / "exports").write_text(_EXPORTS)
        # The symbols of numbers are filled in, but still in the objects.
        symbols = {symbol for _, numbers in objects for symbol in numbers}
        (room / "numbers").write_text("".join(f'HIDDEN("{symbol}" = 0);\n' for symbol in sorted(symbols)))
        command = [
            ld,
            *_FLAGS,
            f"--version-script={room / 'exports'}",
            "-o",
            str(room / "policy.so"),
            str(room / "numbers"),
            *map(str, files),
            str(room / "support.o"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            raise LinkError(f"ld: {done.stderr.strip()}")
        return (room / "policy.so").read_bytes()


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
