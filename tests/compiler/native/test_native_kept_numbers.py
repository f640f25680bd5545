"""A chunk has the numbers and the digest of the last compile only if all that they depend on is the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.ir import Action, Msg, Type
from vernis.native.codegen import Part, parts_of_policy

CHUNK_OPS = 8


def module_of(regex: bytes = b"^/plain") -> ir.Module:
    """vcl_recv in several chunks: a constant of the first is used by the second, which has a slot, a pattern, and
    a jump to the last one."""
    code = FunctionBuilder("vcl_recv")
    slot = code.slot(Type.INT)
    number = code.const(Type.INT, 5)
    middle, longer, last = code.block(), code.block(), code.block()
    code.jump(middle)
    code.at = middle
    code.store(slot, number)
    code.header_set(Msg.REQ, 0, code.convert(Type.STRING, code.load(slot)))
    code.branch(code.match(0, code.header_get(Msg.REQ, 0)), longer, last)
    code.at = longer
    code.header_unset(Msg.REQ, 0)
    code.jump(last)
    code.at = last
    code.ret(Action["PASS"])
    module = ir.Module("p", names=["X"], regexes=[regex], functions={"vcl_recv": code.function})
    fill_hooks(module)
    return module


def parts(module: ir.Module) -> list[Part]:
    return list(parts_of_policy(module, CHUNK_OPS, shared=True))


def from_nothing(module: ir.Module) -> list[Part]:
    """The parts of a module whose blocks no compile has seen."""
    functions = {
        name: ir.Function(name, f.types, f.slots, [ir.Block(list(block.ops)) for block in f.blocks])
        for name, f in module.functions.items()
    }
    return parts(replace(module, functions=functions))


def taken(before: list[Part], after: list[Part]) -> int:
    """How many parts have numbers that were there before."""
    old = {id(part.numbers) for part in before}
    return sum(id(part.numbers) in old for part in after)


def results(found: list[Part]) -> list[tuple[object, ...]]:
    return [(part.name, part.digest, part.numbers.tables, part.numbers.texts) for part in found]


def with_constant(module: ir.Module, recv: ir.Function) -> None:
    first = recv.blocks[0].ops
    recv.blocks[0] = ir.Block([ir.Const(0, Type.INT, 6, 0), *first[1:]])


def with_pattern(module: ir.Module, recv: ir.Function) -> None:
    module.regexes = [b"^/other$"]


def with_slot(module: ir.Module, recv: ir.Function) -> None:
    recv.slots = [Type.BYTES]


def with_exit(module: ir.Module, recv: ir.Function) -> None:
    recv.blocks[2] = ir.Block([ir.HeaderUnset(Msg.REQ, 0, 0)] * (CHUNK_OPS - 1) + recv.blocks[2].ops[-1:])


def with_ending(module: ir.Module, recv: ir.Function) -> None:
    recv.blocks[-1] = ir.Block([ir.ReturnAction(Action["HASH"], 0)])


@pytest.mark.parametrize("edit", [with_constant, with_pattern, with_slot, with_exit, with_ending])
def test_a_part_depends_on_more_than_its_blocks(edit: Callable[[ir.Module, ir.Function], None]) -> None:
    module = module_of()
    before = parts(module)
    same = parts(module)
    assert results(same) == results(before)
    n_chunks = sum(part.chunk is not None or len(part.cut.chunks) == 1 for part in before)
    assert taken(before, same) == n_chunks
    old = module.functions["vcl_recv"]
    edited = ir.Function(old.name, list(old.types), list(old.slots), list(old.blocks))
    module.functions["vcl_recv"] = edited
    edit(module, edited)
    after = parts(module)
    assert results(after) == results(from_nothing(module)) != results(before)
    assert 0 < taken(before, after) < n_chunks


def test_a_part_of_another_kind_of_object_is_numbered_again() -> None:
    """At level 2 the linker fills in no texts."""
    module = module_of()
    before = parts(module)
    assert taken(before, list(parts_of_policy(module, CHUNK_OPS, shared=False))) == 0
