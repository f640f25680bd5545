"""Checks a policy again after an edit of one sub.

The check of a sub depends on its tree and on the names that the policy declares. If one sub has another tree
and mentions the same declared names in the same order, all other subs are as they were: only this one is
checked. Any finding, and any other edit, is left to ``analyse``. The result is for readers of the tree, such
as lint: ``regexes`` still has the patterns of older texts, so it cannot be lowered.
"""

from __future__ import annotations

from vernis.record import field, record, replace
from vernis.semantics import effects
from vernis.semantics.check import check_sub, deep_walk
from vernis.semantics.context import Context
from vernis.semantics.options import Options
from vernis.semantics.pieces import WORDS_OF_OTHERS
from vernis.semantics.report import Reporter, TooManyFindings
from vernis.semantics.resolve import Kind, Scope, SubSymbol, walk_statements
from vernis.semantics.typed import Checked
from vernis.syntax import nodes
from vernis.syntax.again import KnownTrees
from vernis.syntax.diagnostics import Diagnostics
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import TokenTable


@record
class Known:
    """Results that a process keeps of one policy from one run to the next: its trees, and the context of the
    latest check without findings."""

    trees: KnownTrees = field(default_factory=KnownTrees)
    check: Context | None = None


def analyse_again(program: nodes.Program, options: Options, known: Known) -> Checked | None:
    """The checked program; None if ``analyse`` has to check it."""
    before = known.check
    if before is None or before.sub_values or program.version >= (5, 0):  # bodies of 5.0 stand at their calls
        return None
    edited = _edited(before.checked.program, program)
    if edited is None:
        return None
    checked = replace(before.checked, program=program, subs=dict(before.checked.subs))
    diagnostics = Diagnostics()
    context = replace(before, report=Reporter(program, diagnostics), options=options, checked=checked)
    for old, new in edited:
        symbol = _same_place(before.scope, before.checked.program, program, old, new)
        if symbol is None:
            return None
        key = symbol.name.lower()
        context.scope = replace(context.scope, subs={**context.scope.subs, key: symbol})
        with deep_walk():
            try:
                check_sub(context, symbol)
            except TooManyFindings:
                return None
    if diagnostics.items:
        return None
    if edited:
        checked.effects = effects.summarise({key: sub.facts for key, sub in checked.subs.items()})
    known.check = context
    return checked


def _edited(before: nodes.Program, after: nodes.Program) -> list[tuple[nodes.Sub, nodes.Sub]] | None:
    """The sub with another tree, old and new; None after an edit of anything else, or of more."""
    if len(before.declarations) != len(after.declarations) or before.version != after.version:
        return None
    found: list[tuple[nodes.Sub, nodes.Sub]] = []
    for old, new in zip(before.declarations, after.declarations, strict=True):
        if old is not new:
            if (
                not (isinstance(old, nodes.Sub) and isinstance(new, nodes.Sub))
                or old.name != new.name
                or found
            ):
                return None
            found.append((old, new))
    return found


def _same_place(
    scope: Scope, before: nodes.Program, after: nodes.Program, old: nodes.Sub, new: nodes.Sub
) -> SubSymbol | None:
    """The symbol of an edited sub; None if another part of the policy may depend on the edit."""
    symbol = scope.subs[new.name.lower()]
    if _has_new(old) or _has_new(new) or _callees(old) != _callees(new):
        return None
    others = (key for key, one in scope.symbols.items() if one.kind is not Kind.MODULE)
    declared = WORDS_OF_OTHERS.union(others, scope.subs)
    if _words(before, old, declared) != _words(after, new, declared):
        return None
    definitions = [new if one is old else one for one in symbol.definitions]
    return replace(symbol, definitions=definitions)


def _has_new(sub: nodes.Sub) -> bool:
    return any(isinstance(node, nodes.New) for node in walk_statements(sub.body))


def _callees(sub: nodes.Sub) -> list[str]:
    calls = (node for node in walk_statements(sub.body) if isinstance(node, nodes.CallSub))
    return [node.name.text.lower() for node in calls]


def _words(program: nodes.Program, sub: nodes.Sub, declared: frozenset[str]) -> list[str]:
    """The words in a sub that name a declaration, in order."""
    table = program.tokens
    assert isinstance(table, TokenTable)
    words = (
        table.text(index).lower()
        for index in range(sub.at[0], sub.at[1] + 1)
        if table.types[index] == T.IDENTIFIER
    )
    return [word for word in words if word in declared]
