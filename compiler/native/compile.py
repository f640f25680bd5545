"""The way into this room: a verified module becomes a file that can be loaded.

llvmlite is imported when the first policy is compiled; it takes 60 to 110 ms.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vernis.ir import ir
from vernis.native import abi, link
from vernis.native.split import CHUNK_OPS

#: Up to so many ops a policy is compiled at level 2 at once; above at level 0, which takes a fifth of the time. Hooks spend most of
#: theirs in the runtime: level 2 made the example's vcl_recv about 5 % quicker.
SMALL_POLICY_OPS = 200


@dataclass(slots=True, frozen=True)
class Options:
    """``level`` 0 or 2; None chooses by size. ``folder`` holds abi.json, inline.bc and support.o; None: the build's.
    ``chunk_ops``: longer functions are cut (split.py). ``use_ld``: link with binutils instead of our own linker. ``verify``: let LLVM
    check the text, for tests."""

    level: int | None = None
    folder: Path | None = None
    use_ld: bool = False
    chunk_ops: int = CHUNK_OPS
    verify: bool = False


@dataclass(slots=True, frozen=True)
class CompiledPolicy:
    path: Path
    level: int
    n_ops: int
    n_instructions: int
    times_ms: dict[str, float]


def default_level(module: ir.Module) -> int:
    """The seam for a second tier: a policy started at level 0 for its size can be compiled again at 2 in the background and
    replace the code of the first (``policy_replace_image``)."""
    return 2 if count_ops(module) <= SMALL_POLICY_OPS else 0


def count_ops(module: ir.Module) -> int:
    return sum(len(block.ops) for function in module.functions.values() for block in function.blocks)


def compile_module(module: ir.Module, out: Path, options: Options = Options()) -> CompiledPolicy:
    """Writes ``out`` aside and renames it. Raises ``abi.MissingBuild`` when the build is not complete, ``link.LinkError``
    when the object cannot become an image, ``split.PolicyTooLarge`` when a sub is beyond all measure."""
    from vernis.native.codegen import generate
    from vernis.native.optimise import Stages, emit_object

    contract = abi.load_contract(options.folder)
    level = default_level(module) if options.level is None else options.level
    stages = Stages()
    text = generate(module, level, contract, options.chunk_ops)
    stages.done("text")
    object_code = emit_object(text, level, contract, stages, options.verify)
    shared = _link(object_code, contract.support, out.parent, options)
    link.write_aside(out, shared)
    stages.done("link")
    return CompiledPolicy(out, level, count_ops(module), text.count("\n  "), stages.times_ms)


def _link(object_code: bytes, support: bytes, folder: Path, options: Options) -> bytes:
    if not options.use_ld:
        return link.link(object_code, support)
    ld = link.find_ld()
    if ld is None:
        raise link.LinkError("ld is asked for and not there")
    folder.mkdir(parents=True, exist_ok=True)
    return link.link_with_ld(ld, object_code, support, folder)
