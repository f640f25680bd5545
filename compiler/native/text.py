"""Textual LLVM IR: literals, names, and the pool of constants of one function."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

_SPECIAL = re.compile(r"[^\w.-]")
_ESCAPES = {b: f"\\{b:02X}" for b in range(256) if not 32 <= b < 127 or b in b'"\\'}


def bytes_literal(data: bytes) -> str:
    return 'c"' + data.decode("latin-1").translate(_ESCAPES) + '"'


def double_literal(value: float) -> str:
    """The bits of the double, which represent every value exactly."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def symbol(name: str) -> str:
    """The name of a global. It is quoted because VCL names may contain ``-``."""
    return f'@"{_SPECIAL.sub(_escaped, name)}"'


def _escaped(found: re.Match[str]) -> str:
    return f"\\{ord(found[0]):02X}"


@dataclass(slots=True)
class Pool:
    """Read-only constants, each written once. ``lines`` are the definitions in order."""

    lines: list[str] = field(default_factory=list)
    _texts: dict[bytes, str] = field(default_factory=dict)
    _others: dict[str, str] = field(default_factory=dict)

    def text(self, data: bytes) -> str:
        """Address of the bytes. An empty text has an address too, because it must not be NULL."""
        name = self._texts.get(data)
        if name is None:
            name = f"@s.{len(self._texts)}"
            self._texts[data] = name
            stored = data or b"\0"
            self.lines.append(
                f"{name} = private unnamed_addr constant [{len(stored)} x i8] {bytes_literal(stored)}"
            )
        return name

    def constant(self, definition: str, align: int = 8) -> str:
        """Address of another constant, given as ``type value``."""
        name = self._others.get(definition)
        if name is None:
            name = f"@k.{len(self._others)}"
            self._others[definition] = name
            self.lines.append(f"{name} = private unnamed_addr constant {definition}, align {align}")
        return name
