"""The machine type and the C type of each value that a policy and the runtime exchange.

``ops.py`` writes calls from this table, and ``headers.py`` writes the prototypes by which the C compiler
checks the runtime. A STRING is two values, address and length; an unset one has a NULL address. BOOL is 0 or
1. DURATION is in seconds, TIME in seconds since the epoch. SUB is an index into the image's table of subs,
from 1; 0 means no sub. An absent value is NULL or 0.
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
    Type.PROBE: Shape("ptr", "const struct image_probe *"),
    Type.STEVEDORE: Shape("ptr", "struct storage *"),
    Type.BLOB: Shape("ptr", "const struct vcl_blob *"),
    Type.HTTP: Shape("ptr", "struct http_message *"),
    Type.REGEX: Shape("ptr", "const struct regex *"),
    Type.INSTANCE: Shape("ptr", "void *"),
    Type.SPANS: Shape("ptr", "const struct span *"),
    Type.VOID: Shape("void", "void"),
}
#: The mask of given arguments of a function with optional parameters.
MASK = Shape("i32", "uint32_t")

MACHINE: dict[Type, str] = {type: shape.machine for type, shape in SHAPES.items()}
