"""The entry of this room: compiles a verified module into a loadable file.

llvmlite is imported when the first policy is compiled, because the import takes 60 to 110 ms.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from vernis.ir import ir
from vernis.native import abi, link
from vernis.native.beside import Second, Spread, encode_job
from vernis.native.codegen import Part, generate, parts_of_policy
from vernis.native.elf import Input
from vernis.native.image import Imports, image_tables
from vernis.native.split import CHUNK_OPS
from vernis.native.stages import Stages

if TYPE_CHECKING:
    from vernis.native.optimise import Emitter

POINTER_BYTES = 8


class ObjectStore(Protocol):
    """Keeps objects between compiles. It may drop any of them."""

    def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, content: bytes) -> None: ...


@dataclass(slots=True, frozen=True)
class Options:
    """``level`` is 0 or 2. ``folder`` holds abi.json, inline.bc and support.o; None:
    the build's folder. ``chunk_ops``: split.py cuts longer functions. ``verify``: let LLVM check the text,
    for tests. ``objects``: the store of compiled functions. ``compiler`` identifies this compiler in the
    keys of that store. ``second``: another process for LLVM."""

    level: int = 0
    folder: Path | None = None
    chunk_ops: int = CHUNK_OPS
    verify: bool = False
    objects: ObjectStore | None = None
    compiler: bytes = b""
    second: Second | None = None


@dataclass(slots=True, frozen=True)
class CompiledPolicy:
    """``path`` is the file, if one was asked for, ``image`` its content."""

    path: Path | None
    image: bytes
    level: int
    n_ops: int
    n_functions: int
    n_compiled: int  # functions and chunks compiled by LLVM; the store had the others
    times_ms: dict[str, float]


def count_ops(module: ir.Module) -> int:
    return sum([len(block.ops) for function in module.functions.values() for block in function.blocks])


def compile_module(module: ir.Module, out: Path | None, options: Options = Options()) -> CompiledPolicy:
    """Compiles each part to one object, writes the tables as another, and links them. With ``out``, writes a
    temporary file and renames it to ``out``.

    Raises ``abi.MissingBuild`` if the build is incomplete, ``link.LinkError`` if the objects cannot be
    linked, and ``split.PolicyTooLarge`` if a sub needs too much stack."""
    contract = abi.load_contract(options.folder)
    level = options.level
    maker = _Maker(module, level, contract, options)
    is_shared = level == 0  # level 2 optimises by the text
    for part in parts_of_policy(module, options.chunk_ops, is_shared):
        maker.add(part)
    maker.stages.done("digests")
    maker.spread.work()
    imports = Imports()
    unfinished = image_tables(module, level, contract, imports)
    maker.stages.done("tables")
    inputs = maker.finish()
    numbers = _import_numbers(inputs, imports)
    tables = unfinished.object_code(imports)
    shared = link.sealed(link.link([*inputs, Input(link.read(tables))], contract.support, numbers))
    if out is not None:
        link.write_aside(out, shared)
    maker.stages.done("link")
    return CompiledPolicy(
        out, shared, level, count_ops(module), maker.n_functions, maker.n_compiled, maker.stages.times_ms
    )


def _import_numbers(inputs: list[Input], imports: Imports) -> dict[str, int]:
    """Values of the import symbols. Follows the order of the objects, so that equal policies give equal
    images."""
    numbers: dict[str, int] = {}
    for name in dict.fromkeys(chain.from_iterable([item.object.undefined for item in inputs])):
        if name.startswith(abi.IMPORT_PLACE):
            numbers[name] = POINTER_BYTES * imports.index(name.removeprefix(abi.IMPORT_PLACE))
        elif name.startswith(abi.IMPORT_INDEX):
            numbers[name] = imports.index(name.removeprefix(abi.IMPORT_INDEX))
    return numbers


@dataclass(slots=True)
class _Maker:
    """Takes objects from the store, or compiles them."""

    module: ir.Module
    level: int
    contract: abi.Contract
    options: Options
    stages: Stages = field(default_factory=Stages)
    emitter: Emitter | None = None  # made when first used
    spread: Spread = field(init=False)
    _parts: list[tuple[Part, str]] = field(default_factory=list)  # with their keys
    _found: dict[str, bytes] = field(default_factory=dict)  # objects by key
    _compiled: list[str] = field(default_factory=list)  # keys of those that LLVM compiles
    _begun: set[str] = field(default_factory=set)  # the same

    def __post_init__(self) -> None:
        self.spread = Spread(self._emitted, self._job, self._keep, self.options.second)

    @property
    def n_functions(self) -> int:
        return len(self._parts)

    @property
    def n_compiled(self) -> int:
        return len(self._compiled)

    def add(self, part: Part) -> None:
        """Takes the object of a part from the store, or begins to compile it. Parts of one shape share an
        object."""
        key = self._key(part.digest)
        self._parts.append((part, key))
        if key in self._found or key in self._begun:
            return
        code = self._stored(key)
        if code is not None:
            self._found[key] = code
            return
        self._begun.add(key)
        self._compiled.append(key)
        self.stages.done("digests")
        text = generate(self.module, part, self.level, self.contract)
        self.stages.done("text")
        self.spread.add(len(self._compiled) - 1, text)

    def finish(self) -> list[Input]:
        """The objects of all parts, in their order."""
        self.spread.finish()
        self.stages.done("second process")
        return [Input(link.read(self._found[key]), *part.numbers.symbols()) for part, key in self._parts]

    def _emitted(self, text: str) -> bytes:
        if self.emitter is None:
            from vernis.native.optimise import Emitter

            self.emitter = Emitter(self.level, self.contract, self.stages, self.options.verify)
        return self.emitter.object_code(text)

    def _job(self, text: str) -> bytes:
        return encode_job(text, self.level, self.contract, self.options.verify)

    def _keep(self, number: int, code: bytes) -> None:
        key = self._compiled[number]
        self._found[key] = code
        self._store(key, code)

    def _stored(self, key: str) -> bytes | None:
        return None if self.options.objects is None else self.options.objects.get(key)

    def _store(self, key: str, code: bytes) -> None:
        if self.options.objects is not None:
            self.options.objects.put(key, code)

    def _key(self, digest: bytes) -> str:
        o, contract = self.options, self.contract
        inputs = (self.level, o.chunk_ops, contract.cpu.encode(), contract.digest, digest, o.compiler)
        return hashlib.sha256(b"object %d %d %s %s %s %s" % inputs).hexdigest()
