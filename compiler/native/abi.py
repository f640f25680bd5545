"""The compiler's side of the policy contract: constants that identify an image, signatures of imports, and
facts that the build measures.

The runtime gets these constants from headers.py, so they exist once. Structures are those of
``runtime/policy_abi.h``; the build writes their layouts to ``abi.json`` (layouts.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from vernis.ir.ir import Extern
from vernis.native.layouts import Layouts, from_facts
from vernis.native.target import TARGETS, Target, host_name

ABI_VERSION = 1
MAGIC = 0x3153494E52455601
SYMBOL = "vernis_policy"

#: Bits of image_effects.flags. MAY_WAIT: a function that the hook reaches may suspend the fiber. UNKNOWN: the
#: lists are incomplete.
EFFECT_MAY_WAIT = 1
EFFECT_UNKNOWN = 2

# ---- functions of the runtime ------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Import:
    """A function that the loader supplies to the policy. ``signature`` is text; the image carries its
    hash."""

    symbol: str
    signature: str


def signature_text(extern: Extern) -> str:
    params = ",".join(t.value + ("?" if i in extern.optional else "") for i, t in enumerate(extern.params))
    return f"{extern.symbol}:{extern.result.value}({params})"


#: Prefixes of undefined symbols; the signature of an import follows. The linker replaces such a symbol by the
#: import's index in the import table, or by the byte offset of its pointer in that table.
IMPORT_INDEX, IMPORT_PLACE = "import.", "place."


#: Prefixes of functions that the runtime gives to policies. LLVM inlines a helper, of the bitcode, at each
#: call; a policy has one copy of a local function, of support.o.
HELPER_PREFIX, LOCAL_PREFIX = "helper_", "local_"


@cache
def import_of(extern: Extern) -> Import:
    return Import(extern.symbol, signature_text(extern))


@cache
def fnv1a64(data: bytes) -> int:
    """Cached, because policies import the same functions."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


# ---- files of the build ------------------------------------------------------------------------------------


class MissingBuild(Exception):
    """The bitcode, ``abi.json`` or ``support.o`` is missing or unreadable."""


@dataclass(slots=True, frozen=True)
class Contract:
    target: Target
    digest: bytes
    cpu: str
    bitcode: bytes
    support: bytes  # object with the local functions, and those that LLVM may call on its own (memcpy)
    layouts: Layouts
    helpers: dict[str, str]  # functions of bitcode and support, as LLVM declarations


_FILES = ("abi.json", "inline.bc", "support.o")


@cache
def library_folder(target: str | None = None) -> Path:
    """The folder with the files for a target; None: this machine. It is ``build/lib`` of the checkout, or
    ``lib`` inside an installed package; for another machine ``build/TARGET/lib``, or ``lib/TARGET``. Raises
    MissingBuild."""
    package = Path(__file__).resolve().parents[1]
    folders = [package / "lib", package.parent / "build/lib"]
    if target not in (None, host_name()):
        folders = [package / "lib" / target, package.parent / "build" / target / "lib"]
    for folder in folders:
        if (folder / "abi.json").exists():
            return folder
    files = "abi.json, inline.bc and support.o"
    if target not in (None, host_name()):
        raise MissingBuild(
            f"{files} for {target} are missing: run `make cross TARGET={target}` in a checkout"
        )
    raise MissingBuild(f"{files} are missing: {how_to_build()}")


def how_to_build() -> str:
    """The next step of a user who lacks files of the build."""
    if (Path(__file__).resolve().parents[2] / "Makefile").exists():
        return "run `make build`"
    return (
        "vernis was installed without the tools that build its runtime; `pip install -v` names the missing "
        "ones, and docs/installing.md lists the commands that do without them"
    )


@cache
def _facts(text: str) -> tuple[dict[str, Any], Layouts]:
    """Parses ``abi.json``. Cached, because the compile server compiles many policies with one build."""
    facts = json.loads(text)
    return facts, from_facts(facts["structures"])


def load_contract(folder: Path | None = None) -> Contract:
    """Reads the files again only if they have changed, because a child of the compile server asks several
    times."""
    folder = folder or library_folder()
    try:
        return _read_contract(folder, tuple(_state(folder / name) for name in _FILES))
    except (OSError, ValueError, KeyError) as error:
        raise MissingBuild(f"{folder}: {error}") from error


def _state(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=4)
def _read_contract(folder: Path, _: tuple[tuple[int, int, int], ...]) -> Contract:
    facts_file, bitcode, support = (folder / name for name in _FILES)
    facts, layouts = _facts(facts_file.read_text())
    return Contract(
        TARGETS[facts["target"]],
        bytes.fromhex(facts["abi_digest"]),
        facts["cpu"],
        bitcode.read_bytes(),
        support.read_bytes(),
        layouts,
        facts["helpers"],
    )
