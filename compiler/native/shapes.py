"""How values cross the contract between a policy and the runtime: the machine type of each, and its C type.

The one table of both. ``ops.py`` writes calls by it, and ``headers.py`` the prototypes by which the C compiler checks the runtime's
side. STRING is a text and its length in two values, an unset one has no address; BOOL is 0 or 1; DURATION is in seconds and TIME in
seconds since the epoch; SUB is a place in the image's table of subs, from 1, and 0 is none. A value that can be absent is NULL or 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from vernis.ir.ir import Type


@dataclass(slots=True, frozen=True)
class Shape:
    """``machine`` is an LLVM type, or "text" for the two values of a STRING."""

    machine: str
    c: str


TEXT = "text"

SHAPES: dict[Type, Shape] = {
    Type.STRING: Shape(TEXT, "struct span"),
    Type.INT: Shape("i64", "int64_t"),
    Type.BYTES: Shape("i64", "int64_t"),
    Type.REAL: Shape("double", "double"),
    Type.DURATION: Shape("double", "double"),
    Type.TIME: Shape("double", "double"),
    Type.BOOL: Shape("i32", "int32_t"),
    Type.SUB: Shape("i32", "int32_t"),
    Type.ACTION: Shape("i32", "int32_t"),
    Type.IP: Shape("ptr", "const struct vcl_ip *"),
    Type.BACKEND: Shape("ptr", "struct director *"),
    Type.ACL: Shape("ptr", "const struct acl *"),
    Type.PROBE: Shape("ptr", "const struct probe *"),
    Type.STEVEDORE: Shape("ptr", "struct storage *"),
    Type.BLOB: Shape("ptr", "const struct vcl_blob *"),
    Type.HTTP: Shape("ptr", "struct http_message *"),
    Type.REGEX: Shape("ptr", "const struct regex *"),
    Type.INSTANCE: Shape("ptr", "void *"),
    Type.SPANS: Shape("ptr", "const struct span *"),
    Type.VOID: Shape("void", "void"),
}
#: The mask of given arguments, where some may be absent.
MASK = Shape("i32", "uint32_t")

MACHINE: dict[Type, str] = {type: shape.machine for type, shape in SHAPES.items()}
