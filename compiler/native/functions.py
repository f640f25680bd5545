"""Writes one function of the IR as LLVM functions.

Slots are stack memory. A function that split.py has cut becomes one LLVM function per chunk, and a driver
that calls the chunks in turn. Each is in an object of its own. The chunks share a frame.
"""

from __future__ import annotations

from vernis.ir import ir
from vernis.ir.flow import targets
from vernis.ir.ir import Action, Type
from vernis.native.layouts import Layouts
from vernis.native.ops import Operand, OpWriter, Unit, constant, llvm_types, parts_of, zero
from vernis.native.numbers import EXIT
from vernis.native.split import ENTRY_BITS, EXIT_BASE, Chunk, Cut, ending
from vernis.native.text import symbol

_FAIL = Action["FAIL"].value


def write_function(unit: Unit, cut: Cut, name: str) -> None:
    """Adds the definition of a function of one chunk to the unit. ``name`` is the name of the global."""
    function, chunk = cut.function, cut.chunks[0]
    slots = [f"%slot{i}" for i in range(len(function.slots))]
    writer = OpWriter(unit, function, slots, _values(unit, cut, chunk))
    _write_blocks(writer, chunk)
    head = f"define hidden i32 {symbol(name)}(ptr %ctx) #0"
    _define(unit, writer, head, _slot_lines(unit, function))


def _values(unit: Unit, cut: Cut, chunk: Chunk) -> list[Operand]:
    """The operand of each value, as far as it is known before the ops are written."""
    values: list[Operand] = [""] * len(cut.function.types)
    for op in cut.constants_of(chunk):
        values[op.dst] = constant(unit, op)
    return values


def _ctx_lines(layouts: Layouts) -> list[str]:
    """Loads members of the context that a function may need. An unused load costs nothing."""
    return [
        _ctx_place(layouts, "imports_at", "imports"),
        "  %imports = load ptr, ptr %imports_at, !invariant.load !0",
        _ctx_place(layouts, "failed_at", "failed"),
        _ctx_place(layouts, "site_at", "site"),
    ]


def _ctx_place(layouts: Layouts, name: str, member: str) -> str:
    return f"  %{name} = getelementptr inbounds i8, ptr %ctx, i64 {layouts.offsets['policy_ctx', member]}"


def _slot_lines(unit: Unit, function: ir.Function) -> list[str]:
    """Slots start as zero or unset, so that a load before the first store is defined."""
    lines: list[str] = []
    for number, type in enumerate(function.slots):
        types = llvm_types(type)
        whole = "%span" if type is Type.STRING else types[0]
        lines.append(f"  %slot{number} = alloca {whole}")
        lines.append(f"  store {types[0]} {parts_of(zero(type))[0]}, ptr %slot{number}")
        if len(types) == 2:
            lines.append(f"  %slot{number}.n = {unit.length_of(f'%slot{number}')}")
            lines.append(f"  store i64 0, ptr %slot{number}.n")
    return lines


def _write_blocks(writer: OpWriter, chunk: Chunk) -> None:
    """Writes dominating blocks first, so that each value is written before its uses."""
    for number in chunk.order:
        writer.start(f"b{number}")
        for op in writer.function.blocks[number].ops:
            writer.op(op)


def _define(unit: Unit, writer: OpWriter, head: str, setup: list[str], entry: str = "br label %b0") -> None:
    lines = [head + " {", "entry:", *_ctx_lines(unit.layouts)]
    if writer.parts_room:
        lines.append(f"  %parts = alloca [{writer.parts_room} x %span], align 8")
    lines += [f"  %text{i} = alloca %span, align 8" for i in range(writer.texts_room)]
    lines += setup
    lines += _stack_check(unit.layouts, entry)
    lines += writer.lines
    unit.lines += lines + _failure_lines(unit, writer) + _too_deep_lines(unit, writer) + ["}"]


def _stack_check(layouts: Layouts, entry: str) -> list[str]:
    """Compares the stack pointer with the fiber's limit. Nested subs share the stack of a fiber and only LLVM
    knows the size of a sub's frame, so each sub checks at its start. Below the limit there is room for the
    stack that a function touches before its check (policy.c)."""
    return [
        "  %stack_now = call ptr @llvm.stacksave.p0()",
        _ctx_place(layouts, "stack_low_at", "stack_low"),
        "  %stack_low = load ptr, ptr %stack_low_at",
        "  %deep = icmp ult ptr %stack_now, %stack_low",
        "  br i1 %deep, label %too_deep, label %begin, !prof !1",
        "begin:",
        "  " + entry,
    ]


def _too_deep_lines(unit: Unit, writer: OpWriter) -> list[str]:
    tail = OpWriter(unit, writer.function, [], [], count=writer.count + 1000)
    tail.start("too_deep")
    tail.core("fail_stack")
    tail.do(f"ret i32 {_FAIL}")
    return tail.lines


def _failure_lines(unit: Unit, writer: OpWriter) -> list[str]:
    lines: list[str] = []
    if writer.can_fail_arith:
        tail = OpWriter(unit, writer.function, [], [], count=writer.count)
        tail.start("failed_arith")
        tail.core("fail_arith")
        tail.do(f"ret i32 {_FAIL}")
        lines += tail.lines
    if writer.can_fail:
        lines += ["failed:", f"  ret i32 {_FAIL}"]
    return lines


def chunk_name(name: str, number: int) -> str:
    """The global symbol of a chunk of a function."""
    return f"{name}.{number}"


def write_chunk(unit: Unit, cut: Cut, chunk: Chunk, name: str) -> None:
    """Writes ``i32 chunk(ctx, frame, entry)``. It returns an action, or an exit (split.py)."""
    function = cut.function
    slots = [f"%slot{i}" for i in range(len(function.slots))]
    writer = OpWriter(
        unit, function, slots, _values(unit, cut, chunk), table_of=lambda op: cut.table_of(chunk, op)
    )
    _write_blocks(writer, chunk)
    used = _slots_used(function, chunk)
    setup = [f"  %slot{i} = getelementptr inbounds %span, ptr %frame, i64 {i}" for i in sorted(used)]
    first = chunk.entries[0] if chunk.entries else chunk.first
    entry = f"br label %b{first}"
    if len(chunk.entries) > 1:
        arms = " ".join(f"i32 {i}, label %b{b}" for i, b in enumerate(chunk.entries))
        entry = f"switch i32 %at, label %b{first} [ {arms} ]"
    for block in _foreign_targets(cut, chunk):
        writer.start(f"b{block}")
        ops = ending(cut.function.blocks[block])
        for op in ops or ():
            writer.op(op)
        if ops is None:
            writer.do(f"ret i32 {unit.number(EXIT, cut.exit_at(block), 32)}")
    _define(unit, writer, f"define hidden i32 {symbol(name)}(ptr %ctx, ptr %frame, i32 %at) #0", setup, entry)


def _slots_used(function: ir.Function, chunk: Chunk) -> set[int]:
    return {
        op.slot
        for block in function.blocks[chunk.first : chunk.last + 1]
        for op in block.ops
        if isinstance(op, (ir.Load, ir.Store))
    }


def _foreign_targets(cut: Cut, chunk: Chunk) -> list[ir.BlockId]:
    """The blocks of other chunks that the chunk jumps to, in the order of their first use."""
    found: dict[ir.BlockId, None] = {}
    for block in cut.function.blocks[chunk.first : chunk.last + 1]:
        last = block.ops[-1]
        is_table = isinstance(last, ir.Switch) and cut.table_of(chunk, last) is not None
        found |= dict.fromkeys(targets(last)[-1:] if is_table else targets(last))
    return [target for target in found if not chunk.holds(target)]


def write_driver(unit: Unit, cut: Cut, name: str) -> None:
    """Writes the function that calls the chunks, each at the block where the last one ended."""
    function, chunks = cut.function, cut.chunks
    numbers = unit.numbers
    names = [symbol(numbers.function_symbol(chunk_name(numbers.name, i))) for i in range(len(chunks))]
    lines = [
        *(f"declare hidden i32 {chunk}(ptr, ptr, i32)" for chunk in names),
        f"define hidden i32 {symbol(name)}(ptr %ctx) #0 {{",
        "entry:",
        *_ctx_lines(unit.layouts),
        f"  %frame = alloca [{max(1, len(function.slots))} x %span], align 8",
    ]
    for number, type in enumerate(function.slots):
        lines.append(f"  %i{number}.0 = getelementptr inbounds %span, ptr %frame, i64 {number}")
        if type is Type.STRING:
            lines.append(f"  %i{number}.1 = {unit.length_of(f'%i{number}.0')}")
        lines += [
            f"  store {llvm} {part}, ptr %i{number}.{place}"
            for place, (llvm, part) in enumerate(zip(llvm_types(type), parts_of(zero(type))))
        ]
    arms = " ".join(f"i32 {i}, label %c{i}" for i in range(len(chunks)))
    results = ", ".join(f"[ %r{i}, %c{i} ]" for i in range(len(chunks)))
    lines += [
        *_stack_check(unit.layouts, "br label %go"),
        "go:",
        "  %at = phi i32 [ 0, %begin ], [ %next, %on ]",
        f"  %chunk = lshr i32 %at, {ENTRY_BITS}",
        f"  %entry_of = and i32 %at, {(1 << ENTRY_BITS) - 1}",
        f"  switch i32 %chunk, label %nowhere [ {arms} ]",
    ]
    for number in range(len(chunks)):
        lines += [
            f"c{number}:",
            f"  %r{number} = call i32 {names[number]}(ptr %ctx, ptr %frame, i32 %entry_of) #1",
            "  br label %came",
        ]
    lines += [
        "came:",
        f"  %r = phi i32 {results}",
        f"  %goes_on = icmp uge i32 %r, {EXIT_BASE}",
        "  br i1 %goes_on, label %on, label %done",
        "on:",
        f"  %next = sub i32 %r, {EXIT_BASE}",
        "  br label %go",
        "done:",
        "  ret i32 %r",
        "nowhere:",
        f"  ret i32 {_FAIL}",
    ]
    unit.lines += lines + _too_deep_lines(unit, OpWriter(unit, function, [], [])) + ["}"]
