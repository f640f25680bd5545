"""Reads files that a user names, and changes them: as a diff, or in place."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping

from vernis import terminal
from vernis.commands.outcome import Trouble

INPUT_BYTES_MAX = 256 << 20  # an endless file, such as a device, would take all memory


def read_input(name: str) -> bytes:
    """The content of a file or of a pipe, such as `<(...)` of a shell. Raises OSError and Trouble."""
    with open(name, "rb") as file:
        data = file.read(INPUT_BYTES_MAX + 1)
    if len(data) > INPUT_BYTES_MAX:
        raise Trouble(f"{name} has more than {INPUT_BYTES_MAX >> 20} MiB: give a smaller file")
    return data


def unified_diff(name: str, before: bytes, after: bytes) -> Iterator[bytes]:
    """Lines that patch(1) accepts."""
    from difflib import diff_bytes, unified_diff as diff

    path = os.fsencode(name)
    for line in diff_bytes(diff, _lines(before), _lines(after), path, path, lineterm=b"\n"):
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def print_diff(lines: Iterable[bytes]) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.writelines(terminal.diff(lines, sys.stdout))
    sys.stdout.buffer.flush()


def _lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return lines + [last] if last else lines


def replace_files(texts: Mapping[str, bytes]) -> None:
    """Replaces files by their real path. All new files are written before the first one is renamed, so that
    a full disk leaves the old ones. Raises Trouble."""
    made: list[tuple[str, str]] = []
    path = ""
    try:
        for path, data in texts.items():
            made.append((_write_beside(path, data), path))
        while made:
            new, path = made[0]
            os.replace(new, path)
            del made[0]
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error.strerror}") from None
    finally:
        for new, _ in made:
            os.unlink(new)


def write_file(path: str, data: bytes) -> None:
    """Makes a file, or replaces one. Raises Trouble."""
    if os.path.exists(path):
        replace_files({os.path.realpath(path): data})
        return
    try:
        with open(path, "xb") as file:
            file.write(data)
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error.strerror}") from None


def _write_beside(path: str, data: bytes) -> str:
    """Writes a file with the mode and owner of ``path`` beside it. Returns its name."""
    old = os.stat(path)
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "it is read-only")
    folder, name = os.path.split(path)
    new = os.path.join(folder, f".{name}.{os.getpid()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
                os.fchown(descriptor, old.st_uid, old.st_gid)
            os.fchmod(descriptor, old.st_mode & 0o7777)
    except BaseException:
        os.unlink(new)
        raise
    return new
