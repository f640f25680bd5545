"""Values of the interpreter that have no Python literal: addresses, blobs and references to declarations."""

from __future__ import annotations

import base64
import ipaddress
from dataclasses import dataclass

from vernis.ir.ir import Type


@dataclass(slots=True, frozen=True)
class Ip:
    """``address`` is 4 or 16 bytes. The port is left out, so equality compares addresses only."""

    address: bytes

    def text(self) -> bytes:
        return str(ipaddress.ip_address(self.address)).encode()


@dataclass(slots=True, frozen=True)
class Blob:
    data: bytes

    def text(self) -> bytes:
        return b":" + base64.b64encode(self.data) + b":"


@dataclass(slots=True, frozen=True)
class Reference:
    """A declaration, identified by type and index. ``what`` is its VCL name, or the pattern of a regex."""

    type: Type
    index: int
    what: bytes


Value = bytes | int | float | bool | None | Ip | Blob | Reference


def zero_value(type: Type) -> Value:
    match type:
        case Type.BOOL:
            return False
        case Type.INT | Type.BYTES | Type.SUB | Type.ACTION:
            return 0
        case Type.REAL | Type.DURATION | Type.TIME:
            return 0.0
        case _:
            return None
