"""Writes each object of a policy as one module of textual LLVM IR."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from vernis.ir import ir
from vernis.ir.facts import ops_of
from vernis.native import abi
from vernis.native.abi import LOCAL_PREFIX
from vernis.native.functions import chunk_name, write_chunk, write_driver, write_function
from vernis.native.numbers import NUMBER_LIMIT, Numbers, numbered
from vernis.native.ops import Unit
from vernis.native.split import CHUNK_OPS, Cut, cut_function
from vernis.native.text import symbol

#: The type of symbols that the linker fills in. It is empty, because LLVM takes other globals to have
#: different addresses, but two symbols may have one value, such as the length of two texts.
_LINKED = "[0 x i8]"

_STRUCTS = ("span", "vcl_ip", "vcl_blob")


@dataclass(slots=True, frozen=True)
class Part:
    """The content of one object: a function, a chunk of a long function, or the driver of its chunks. So an
    edit of one line compiles only one chunk again. ``name`` is its symbol. ``digest`` covers every part of
    the policy that its code depends on."""

    name: str
    cut: Cut
    numbers: Numbers
    digest: bytes
    chunk: int | None = None  # None: the function itself, or the driver


def parts_of_policy(module: ir.Module, chunk_ops: int = CHUNK_OPS, shared: bool = False) -> Iterator[Part]:
    """The objects to compile. Every hook must be present (see ``ir.Module``). ``shared``: parts of one shape
    have one digest and one object (see numbers.py)."""
    missing = [hook for hook in ir.HOOKS if hook not in module.functions]
    assert not missing, f"hooks without a function: {missing}"
    called = {op.sub for function in module.functions.values() for op in ops_of(function, ir.CallSub)}
    externs: dict[str, tuple[ir.Extern, str]] = {}
    for name, function in module.functions.items():
        names = [name] if name in ir.HOOKS else []
        if name in called or name not in ir.HOOKS:  # the checker rejects `call vcl_recv`; this does not
            names.append(f"sub.{name}")
        cut = cut_function(function, chunk_ops)
        for global_name in names:
            yield from _parts_of_function(module, cut, global_name, shared, externs)


def _parts_of_function(
    module: ir.Module, cut: Cut, name: str, shared: bool, externs: dict[str, tuple[ir.Extern, str]]
) -> Iterator[Part]:
    if len(cut.chunks) == 1:
        yield Part(name, cut, *numbered(module, cut, cut.chunks[0], name, shared, externs))
        return
    for number, chunk in enumerate(cut.chunks):
        numbers, digest = numbered(module, cut, chunk, chunk_name(name, number), shared, externs)
        yield Part(numbers.name, cut, numbers, digest + b"chunk", number)
    numbers = Numbers(name, shared)
    names = [numbers.function_symbol(chunk_name(name, number)) for number in range(len(cut.chunks))]
    slots = [slot.value for slot in cut.function.slots]
    text = repr((numbers.function_symbol(name), names, slots)).encode()
    yield Part(name, cut, numbers, hashlib.sha256(b"driver" + text).digest())


def _ops_of(part: Part) -> Iterator[ir.Op]:
    """The ops that the object has code of."""
    chunks = part.cut.chunks
    if part.chunk is None and len(chunks) > 1:
        return
    chunk = chunks[part.chunk or 0]
    for block in part.cut.function.blocks[chunk.first : chunk.last + 1]:
        yield from block.ops


# At level 0 numbers are written as addresses, because LLVM's fast instruction selector does not support
# absolute symbols and its fallback takes four times as long. The linker turns each such address into a
# constant (elf.py).
def generate(module: ir.Module, part: Part, level: int, contract: abi.Contract) -> str:
    unit = Unit(module, level, part.numbers, contract.layouts, contract.target, contract.helpers)
    name = part.numbers.function_symbol(part.name)
    if len(part.cut.chunks) == 1:
        write_function(unit, part.cut, name)
    elif part.chunk is None:
        write_driver(unit, part.cut, name)
    else:
        write_chunk(unit, part.cut, part.cut.chunks[part.chunk], name)
    subs = {f"sub.{op.sub}" for op in _ops_of(part) if isinstance(op, ir.CallSub)}
    callees = {part.numbers.function_symbol(sub) for sub in subs} - {name}
    code = "\n".join(unit.lines)
    target = f'"target-cpu"="{contract.cpu}" "target-features"="{contract.target.features}"'
    return "\n".join(
        [
            f'target triple = "{contract.target.triple}"',
            *(contract.layouts.llvm_struct(name) for name in _STRUCTS),
            *unit.pool.lines,
            *(
                f"{symbol(name)} = external hidden global {_LINKED}{', !absolute_symbol !2' * (level > 0)}"
                for name in unit.absolute
            ),
            *(f"{symbol(name)} = external hidden global {_LINKED}" for name in unit.addresses),
            *(f"declare hidden i32 {symbol(name)}(ptr)" for name in sorted(callees)),
            *(
                f"declare {'hidden ' * name.startswith(LOCAL_PREFIX)}{result} @{name}({parameters}"
                for name, (result, _, parameters) in (
                    (n, s.partition(" (")) for n, s in contract.helpers.items() if f"@{n}(" in code
                )
            ),
            code,
            f"attributes #0 = {{ nounwind uwtable {target} }}",
            "attributes #1 = { nounwind }",
            "!0 = !{}",
            '!1 = !{!"branch_weights", i32 1, i32 2000}',
            f"!2 = !{{ i64 0, i64 {NUMBER_LIMIT} }}",
            "",
        ]
    )
