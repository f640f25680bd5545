"""The options --hide and --digest-key: values that identify as digests (observe/hiding.py)."""

from __future__ import annotations

import argparse
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from vernis.commands.outcome import Trouble

if TYPE_CHECKING:
    from vernis.observe.hiding import Hiding


def hiding_of(options: argparse.Namespace, default: bool = False) -> Hiding | None:
    """None: the output shows all values."""
    hide = default if options.hide is None else options.hide
    if not hide:
        if options.digest_key is not None:
            raise Trouble("--digest-key: this output shows values as they are; add --hide")
        return None
    from vernis.observe.hiding import Hiding

    return Hiding(None if options.digest_key is None else _key(Path(options.digest_key)))


def _key(path: Path) -> bytes:
    """The key of a file, which is made if it is missing. A key that others can read protects no digest."""
    from vernis.observe.hiding import KEY_BYTES

    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if stat.S_IMODE(os.fstat(file).st_mode) & 0o077:
                raise Trouble(f"{path}: others may read this key: chmod 600 {path}")
            key = os.read(file, KEY_BYTES)
            if not key:
                key = os.urandom(KEY_BYTES)
                os.write(file, key)
        finally:
            os.close(file)
    except OSError as error:
        raise Trouble(f"--digest-key {path}: {error.strerror}") from None
    if len(key) < KEY_BYTES:
        raise Trouble(
            f"{path}: a key has {KEY_BYTES} random bytes: remove the file, and the command makes one"
        )
    return key
