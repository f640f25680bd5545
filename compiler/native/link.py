"""Object code to a shared object that can be loaded. Neither compiler nor linker is needed: elf.py does it in a millisecond.
``ld`` remains as the second opinion: tests compare, and an option selects it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from vernis.native.abi import SYMBOL
from vernis.native.elf import ElfError, Object, link_objects, read_object, with_numbers

_EXPORTS = f"{{ global: {SYMBOL}; local: *; }};\n"
_FLAGS = ("-shared", "-z", "relro", "-z", "now", "-z", "noexecstack", "-z", "separate-code", "-z", "text", "--no-undefined",
          "--hash-style=sysv", "--eh-frame-hdr", "--build-id=none", "--no-warnings")


class LinkError(Exception):
    """The object cannot become an image; a mistake of ours, never of the policy's author."""


def read(object_code: bytes) -> Object:
    try:
        return read_object(object_code)
    except ElfError as error:
        raise LinkError(str(error)) from error


def link(objects: Sequence[Object], support: bytes, numbers: Mapping[str, int]) -> bytes:
    try:
        return link_objects(objects, support, numbers)
    except ElfError as error:
        raise LinkError(str(error)) from error


def find_ld() -> str | None:
    return shutil.which("ld")


def link_with_ld(ld: str, objects: Sequence[bytes], support: bytes, numbers: Mapping[str, int], folder: Path) -> bytes:
    """``support`` is linked as an archive would be: only its used sections stay."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".link-") as name:
        room = Path(name)
        files = [room / f"{number}.o" for number in range(len(objects))]
        for file, content in zip([*files, room / "support.o"], [*objects, support], strict=True):
            file.write_bytes(with_numbers(content, numbers))
        (room / "exports").write_text(_EXPORTS)
        (room / "numbers").write_text("".join(f'HIDDEN("{symbol}" = {value});\n' for symbol, value in numbers.items()))
        command = [ld, *_FLAGS, f"--version-script={room / 'exports'}", "-o", str(room / "policy.so"),
                   str(room / "numbers"), *map(str, files), str(room / "support.o")]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            raise LinkError(f"ld: {done.stderr.strip()}")
        return (room / "policy.so").read_bytes()


def write_aside(path: Path, data: bytes) -> None:
    """Whole or not at all; and always a new file, for the loader knows files by their inode."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), 0o644)
        os.rename(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
