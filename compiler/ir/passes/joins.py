"""Flattens string joins. A join used only as part of another join becomes part of it, adjacent constants
become one, and empty parts are removed. Texts are immutable, so a part may be copied later than in the
original join."""

from __future__ import annotations

from collections import Counter

from vernis.ir import ir
from vernis.ir.facts import blocks_with, constants, ops_of, use_counts
from vernis.ir.ir import Type

#: Parts. A longer join stays whole, because its parts are dead once it is made (lower_values.JOINED_AT_ONCE).
LONG_JOIN = 100


def flatten_joins(module: ir.Module, function: ir.Function) -> ir.Function:
    concats: dict[ir.Value, ir.Concat] = {op.dst: op for op in ops_of(function, ir.Concat)}
    if not concats:
        return function
    texts: dict[ir.Value, bytes | None] = {}
    for const in constants(function):
        if const.type is Type.STRING:
            assert const.value is None or isinstance(const.value, bytes)
            texts[const.dst] = const.value
    flattener = _Flattener(list(function.types), use_counts(function), concats, texts)
    blocks = list(function.blocks)
    changed = False
    for number, block in blocks_with(function, ir.Concat):
        ops = [new for op in block.ops for new in flattener.ops(op)]
        if ops != block.ops:  # an unchanged block keeps its facts
            blocks[number], changed = ir.Block(ops), True
    return ir.Function(function.name, flattener.types, function.slots, blocks) if changed else function


class _Flattener:
    """Adds to ``types`` the constants made of adjacent ones."""

    __slots__ = ("concats", "texts", "types", "used")

    def __init__(
        self,
        types: list[Type],
        used: Counter[ir.Value],
        concats: dict[ir.Value, ir.Concat],
        texts: dict[ir.Value, bytes | None],
    ) -> None:
        self.types, self.used, self.concats, self.texts = types, used, concats, texts

    def ops(self, op: ir.Op) -> list[ir.Op]:
        if not isinstance(op, ir.Concat):
            return [op]
        before: list[ir.Op] = []
        parts: list[ir.Value] = []
        run: list[ir.Value] = []
        for part in [*self._spread(op), None]:
            if part is not None and part in self.texts:
                if self.texts[part]:
                    run.append(part)
                continue
            if len(run) > 1:
                before.append(self._joined(run, op.site))
                run = [len(self.types) - 1]
            parts += run
            run = []
            if part is not None:
                parts.append(part)
        return [*before, ir.Concat(op.dst, tuple(parts), op.site)]

    def _spread(self, op: ir.Concat) -> list[ir.Value]:
        """The parts of this join. The parts of an inner join that nothing else uses replace it. This uses a
        stack, not recursion: joins nest as deep as the text of a policy."""
        result: list[ir.Value] = []
        stack = list(reversed(op.parts))
        while stack:
            part = stack.pop()
            inner = self.concats.get(part)
            if inner is not None and self.used[part] == 1 and len(inner.parts) < LONG_JOIN:
                stack += reversed(inner.parts)
            else:
                result.append(part)
        return result

    def _joined(self, run: list[ir.Value], site: int) -> ir.Const:
        self.types.append(Type.STRING)
        text = b"".join(self.texts[value] or b"" for value in run)
        return ir.Const(len(self.types) - 1, Type.STRING, text, site)
