"""Writes a function of the IR as one module of textual LLVM IR."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vernis.ir import ir
from vernis.native import abi
from vernis.native.functions import write_function
from vernis.native.numbers import NUMBER_LIMIT, Numbers, numbered
from vernis.native.ops import Unit
from vernis.native.split import CHUNK_OPS
from vernis.native.text import symbol

# CPU features of every function. They equal those of the helpers' bitcode, because LLVM does not inline a
# helper into a function with fewer features.
_FEATURES = "+cx8,+fxsr,+mmx,+sse,+sse2,+x87"

#: Hooks that run on a hit. The other hooks run beside much slower work (a fetch, a synthetic page, a policy
#: load), so they skip the optimiser at every level: users wait for LLVM when they load a policy.
HOT_HOOKS = frozenset(("vcl_recv", "vcl_hash", "vcl_hit", "vcl_deliver"))

_STRUCTS = ("span", "vcl_ip", "vcl_blob")


@dataclass(slots=True, frozen=True)
class Part:
    """A function that becomes one object. ``name`` is its symbol. ``digest`` covers every part of the policy
    that its code depends on."""

    name: str
    function: ir.Function
    numbers: Numbers
    digest: bytes


def parts_of_policy(module: ir.Module) -> Iterator[Part]:
    """The functions to compile. Every hook must be present (see ``ir.Module``)."""
    missing = [hook for hook in ir.HOOKS if hook not in module.functions]
    assert not missing, f"hooks without a function: {missing}"
    called = {
        op.sub
        for function in module.functions.values()
        for block in function.blocks
        for op in block.ops
        if isinstance(op, ir.CallSub)
    }
    externs: dict[str, tuple[ir.Extern, str]] = {}
    for name, function in module.functions.items():
        names = [name] if name in ir.HOOKS else []
        if name in called or name not in ir.HOOKS:  # the checker rejects `call vcl_recv`; this does not
            names.append(f"sub.{name}")
        for global_name in names:
            numbers, digest = numbered(module, function, global_name, externs)
            yield Part(global_name, function, numbers, digest)


# At level 0 numbers are written as addresses, because LLVM's fast instruction selector does not support
# absolute symbols and its fallback takes four times as long. The linker turns each such address into a
# constant (elf.py).
def generate(
    module: ir.Module, part: Part, level: int, contract: abi.Contract, chunk_ops: int = CHUNK_OPS
) -> str:
    unit = Unit(module, level, part.numbers, contract.layouts, contract.helpers, chunk_ops)
    is_quick = part.name in ir.HOOKS and part.name not in HOT_HOOKS
    write_function(unit, part.function, part.name, "#2" if is_quick else "#0")
    callees = {
        f"sub.{op.sub}" for block in part.function.blocks for op in block.ops if isinstance(op, ir.CallSub)
    } - {part.name}
    code = "\n".join(unit.lines)
    target = f'"target-cpu"="{contract.cpu}" "target-features"="{_FEATURES}"'
    return "\n".join(
        [
            f'target triple = "{abi.TRIPLE}"',
            *(contract.layouts.llvm_struct(name) for name in _STRUCTS),
            *unit.pool.lines,
            *(
                f"{symbol(name)} = external hidden global i8{', !absolute_symbol !2' * (level > 0)}"
                for name in unit.absolute
            ),
            *(f"declare hidden i32 {symbol(name)}(ptr)" for name in sorted(callees)),
            *(
                f"declare {result} @{name}({parameters}"
                for name, (result, _, parameters) in (
                    (n, s.partition(" (")) for n, s in contract.helpers.items() if f"@{n}(" in code
                )
            ),
            code,
            f"attributes #0 = {{ nounwind uwtable {target} }}",
            "attributes #1 = { nounwind }",
            f"attributes #2 = {{ nounwind uwtable noinline optnone {target} }}",
            "!0 = !{}",
            '!1 = !{!"branch_weights", i32 1, i32 2000}',
            f"!2 = !{{ i64 0, i64 {NUMBER_LIMIT} }}",
            "",
        ]
    )
