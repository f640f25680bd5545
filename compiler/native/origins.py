"""Backends and probes in the image: a structure for each, made from the fields of semantics/origins.py.

Texts are the first members, then numbers by size, so that no structure has gaps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vernis.native.tables import Row, Tables
from vernis.semantics.origins import Backend, Probe, kinds

_UNSET_SECONDS = -1.0


@dataclass(slots=True, frozen=True)
class _Kind:
    """``value`` is what the image holds; None: the text of the field. ``suffix`` ends the member's name,
    ``note`` is its comment."""

    c: str
    value: Callable[[Any], int | float] | None = int
    suffix: str = ""
    note: str = ""


_TEXT = _Kind("struct span", None)
_NUMBER = _Kind("uint32_t")
#: By the annotations of the fields. The image has no member for those of other kinds.
_KINDS = {
    "str": _TEXT,
    "Text": _TEXT,
    "Port": _TEXT,
    "Blob": _TEXT,
    "Lines": _TEXT,
    "Seconds": _Kind("double", float, "_s"),
    "Timeout": _Kind(
        "double",
        lambda seconds: _UNSET_SECONDS if seconds is None else float(seconds),
        "_s",
        "negative: the parameter's value",
    ),
    "ProbeIndex": _Kind("int32_t", lambda at: -1 if at is None else at, note="-1: none"),
    "BackendIndex": _Kind(
        "uint32_t", lambda index: 0 if index is None else index + 1, note="from 1; 0: none"
    ),
    "Count": _NUMBER,
    "Window": _NUMBER,
    "Threshold": _NUMBER,
    "Status": _NUMBER,
    "ProxyVersion": _NUMBER,
    "bool": _NUMBER,
    "int": _NUMBER,
}
_SIZES = {"struct span": 16, "double": 8, "int32_t": 4, "uint32_t": 4}
STRUCTURES: dict[str, type[object]] = {"image_probe": Probe, "image_backend": Backend}


def _members(declaration: type[object]) -> list[tuple[str, _Kind]]:
    found = [(name, _KINDS[kind]) for name, kind in kinds(declaration).items() if kind in _KINDS]
    return sorted(found, key=lambda member: -_SIZES[member[1].c])


def row(tables: Tables, declared: Backend | Probe) -> Row:
    """The members of the structure, by name."""
    members = ((name, kind, getattr(declared, name)) for name, kind in _members(type(declared)))
    return {
        name + kind.suffix: tables.span(value) if kind.value is None else kind.value(value)
        for name, kind, value in members
    }


def structures() -> str:
    """The structures in C, each with a list of its texts."""
    return "\n".join(_structure(name, declaration) for name, declaration in STRUCTURES.items())


def _structure(name: str, declaration: type[object]) -> str:
    members = _members(declaration)
    lines = [
        f"    {kind.c} {member}{kind.suffix};{f' /* {kind.note} */' * bool(kind.note)}\n"
        for member, kind in members
    ]
    texts = "".join(f" EACH({member})" for member, kind in members if kind is _TEXT)
    return f"struct {name} {{\n{''.join(lines)}}};\n#define {name.upper()}_TEXTS(EACH){texts}\n"
