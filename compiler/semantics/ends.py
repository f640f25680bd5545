"""Which statements, blocks and subs always end: no path leads to the statement behind them.

This reads the tree, because a caller may be checked before the sub that it calls. The checker asks it what is
known behind an ``if``, and lint which statements never run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vernis.record import field, record
from vernis.semantics.resolve import walk_statements
from vernis.syntax import nodes


@record
class Ends:
    """``definitions`` returns the definitions of a sub by its key. ``blocks`` are results by the ids of
    blocks: each level of nesting asks again for the blocks inside."""

    definitions: Callable[[str], Sequence[nodes.Sub]]
    subs: dict[str, bool] = field(default_factory=dict)
    blocks: dict[int, bool] = field(default_factory=dict)

    def statement(self, statement: nodes.Stmt) -> bool:
        match statement:
            case nodes.Return() | nodes.Give() | nodes.RunBuiltin():  # each built-in hook ends with a return
                return True
            case nodes.Labelled():
                return self.statement(statement.statement)
            case nodes.Block():
                return self.block(statement)
            case nodes.For():  # a loop runs at least once
                return self.block(statement.body)
            case nodes.If():
                return statement.arms[-1].condition is None and all(
                    self.block(arm.body) for arm in statement.arms
                )
            case nodes.Switch() if statement.cases:
                return not statement.cases[-1].labels and all(
                    self.block(case.body) for case in statement.cases
                )
            case nodes.CallSub() if statement.value is None:
                return self.sub(statement.name.text.lower())
        return False

    def block(self, block: nodes.Block) -> bool:
        known = self.blocks.get(id(block))
        if known is None:
            known = self.blocks[id(block)] = any(map(self.statement, block.statements))
        return known

    def sub(self, key: str) -> bool:
        """Whether a call never comes back: the sub always ends in a return with an action."""
        if key not in self.subs:
            self.subs[key] = False  # the answer inside of a circle, which is an error
            definitions = self.definitions(key)
            self.subs[key] = any(self.block(one.body) for one in definitions) and not any(
                isinstance(node, nodes.Return) and node.action is None
                for one in definitions
                for node in walk_statements(one.body)
            )
        return self.subs[key]
