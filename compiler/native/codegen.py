"""A module of the IR as one module of textual LLVM IR."""

from __future__ import annotations

from vernis.ir import ir
from vernis.native import abi
from vernis.native.functions import write_function
from vernis.native.image import struct_types, write_image
from vernis.native.ops import HELPERS, Unit
from vernis.native.split import CHUNK_OPS

# Part of every function: never throws, can be walked by a debugger, and has exactly the features of the helpers' bitcode, for
# LLVM inlines nothing into a function that promises less.
_FEATURES = "+cx8,+fxsr,+mmx,+sse,+sse2,+x87"

#: On the way of a hit. The others run beside work of another order (a fetch, a page made, a policy loaded), so they are
#: compiled the quick way at every level: LLVM's time is what a user waits for when loading.
HOT_HOOKS = frozenset(("vcl_recv", "vcl_hash", "vcl_hit", "vcl_deliver"))


def generate(module: ir.Module, level: int, contract: abi.Contract, chunk_ops: int = CHUNK_OPS) -> str:
    """Every hook must be present (see ``ir.Module``)."""
    missing = [hook for hook in ir.HOOKS if hook not in module.functions]
    assert not missing, f"hooks without a function: {missing}"
    unit = Unit(module, level, chunk_ops)
    called = {op.sub for function in module.functions.values() for block in function.blocks for op in block.ops
              if isinstance(op, ir.CallSub)}
    for name, function in module.functions.items():
        if name in ir.HOOKS:
            write_function(unit, function, name, "#0" if name in HOT_HOOKS else "#2")
            if name in called:                          # `call vcl_recv` is refused by the language, by us it is harmless
                write_function(unit, function, f"sub.{name}")
        else:
            write_function(unit, function, f"sub.{name}")
    data = write_image(unit, contract)
    return "\n".join([
        f'target triple = "{abi.TRIPLE}"',
        *struct_types(),
        *data,
        *(f"declare {result} @{name}({parameters}" for name, (result, _, parameters) in
          ((n, s.partition(" (")) for n, s in HELPERS.items())),
        *unit.lines,
        f'attributes #0 = {{ nounwind uwtable "target-cpu"="{contract.cpu}" "target-features"="{_FEATURES}" }}',
        "attributes #1 = { nounwind }",
        f'attributes #2 = {{ nounwind uwtable noinline optnone "target-cpu"="{contract.cpu}" "target-features"="{_FEATURES}" }}',
        "!0 = !{}",
        '!1 = !{!"branch_weights", i32 1, i32 2000}',
        ""])

