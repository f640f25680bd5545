"""The policy contract as the compiler sees it: what identifies an image, signatures of imports, and what the build has measured.

The constants here are the only ones: headers.py writes them for the runtime. Layouts are those of ``runtime/policy_abi.h``; the build
leaves them in ``abi.json`` (layouts.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from vernis.ir.ir import Extern
from vernis.native.layouts import Layouts, from_facts
from vernis.native.shapes import TEXT

ABI_VERSION = 1
MAGIC = 0x3153494E52455601
SYMBOL = "vernis_policy"
TRIPLE = "x86_64-pc-linux-gnu"

#: Bits of image_effects.flags: a function it reaches may suspend the fiber; the lists are not complete.
EFFECT_MAY_WAIT = 1
EFFECT_UNKNOWN = 2

# ---- functions of the runtime ----------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Import:
    """A function the policy asks its loader for. ``signature`` is text; the image carries its hash."""

    symbol: str
    signature: str


def signature_text(extern: Extern) -> str:
    params = ",".join(t.value + ("?" if i in extern.optional else "") for i, t in enumerate(extern.params))
    return f"{extern.symbol}:{extern.result.value}({params})"


#: Symbols an object asks its linker for: a number of the import table, or the distance of its pointer from the table's start. The
#: signature follows.
IMPORT_INDEX, IMPORT_PLACE = "import.", "place."


#: Functions of the bitcode: inlined everywhere, or one copy in the policy.
HELPER_PREFIX, LOCAL_PREFIX = "helper_", "local_"


@cache
def import_of(extern: Extern) -> Import:
    return Import(extern.symbol, signature_text(extern))


def fnv1a64(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


#: Integer registers for arguments (System V x86-64); a text needs two of them or goes by memory as a whole.
INTEGER_REGISTERS = 6


def texts_by_memory(kinds: list[str]) -> list[bool]:
    """For the arguments of a call in order (machine types of shapes.py; the context comes first, before these): whether each is a
    text that no longer fits into registers."""
    free = INTEGER_REGISTERS - 1
    result = []
    for kind in kinds:
        need = {TEXT: 2, "double": 0}.get(kind, 1)
        result.append(kind == TEXT and need > free)
        if need <= free:
            free -= need
    return result


# ---- what the build left for us ----------------------------------------------------------------------------------------


class MissingBuild(Exception):
    """The bitcode or the digest of the contract is not where it should be."""


@dataclass(slots=True, frozen=True)
class Contract:
    digest: bytes
    cpu: str
    bitcode: bytes
    support: bytes          # object with what LLVM may call by itself
    layouts: Layouts
    helpers: dict[str, str]     # functions of the bitcode, as LLVM declarations


def library_folder() -> Path:
    """``build/lib`` of the checkout, or ``lib`` inside an installed package."""
    here = Path(__file__).resolve()
    for folder in (here.parents[1] / "lib", here.parents[2] / "build" / "lib"):
        if (folder / "abi.json").exists():
            return folder
    raise MissingBuild("abi.json, inline.bc and support.o are missing: run `make build`")


@cache
def _facts(text: str) -> tuple[dict[str, Any], Layouts]:
    """Of a text that was read before, at once: a server compiles many policies with one build."""
    facts = json.loads(text)
    return facts, from_facts(facts["structures"])


def load_contract(folder: Path | None = None) -> Contract:
    folder = folder or library_folder()
    try:
        facts, layouts = _facts((folder / "abi.json").read_text())
        return Contract(bytes.fromhex(facts["abi_digest"]), facts["cpu"], (folder / "inline.bc").read_bytes(),
                        (folder / "support.o").read_bytes(), layouts, facts["helpers"])
    except (OSError, ValueError, KeyError) as error:
        raise MissingBuild(f"{folder}: {error}") from error
