"""Checks a policy again after an edit of one sub.

The check of a sub depends on its tree and on the names that the policy declares. If one sub has another tree
and mentions the same declared names in the same order, all other subs are as they were: only this one is
checked, without the statements and arms that it had before. Any finding, and any other edit, is left to
``analyse``. The result is for readers of the tree, such as lint: ``regexes`` still has the patterns of older
texts, the facts of the sub those of its older statements, and its body no kept ones, so it cannot be lowered.
"""

from __future__ import annotations

from vernis.record import field, record, replace
from vernis.semantics import effects
from vernis.semantics.check import check_sub, deep_walk
from vernis.semantics.context import Context
from vernis.semantics.options import Options
from vernis.semantics.pieces import WORDS_OF_OTHERS
from vernis.semantics.report import Reporter, TooManyFindings
from vernis.semantics.resolve import Kind, walk_statements
from vernis.semantics.typed import Checked
from vernis.syntax import nodes
from vernis.syntax.again import EditedSub, KnownTrees
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
    edited = _edited(before.checked.program, program, known.trees)
    if edited is None:
        return None
    checked = replace(before.checked, program=program, subs=dict(before.checked.subs))
    diagnostics = Diagnostics()
    context = replace(before, report=Reporter(program, diagnostics), options=options, checked=checked)
    for one in edited:
        symbol = before.scope.subs[one.new.name.lower()]
        key = symbol.name.lower()
        part = _without_kept(one.new, one.kept)
        if not _same_place(before, program, one, part):
            return None
        with deep_walk():
            try:
                check_sub(context, replace(symbol, definitions=[part]))
            except TooManyFindings:
                return None
        definitions = [one.new if one.old is old else old for old in symbol.definitions]
        subs = {**context.scope.subs, key: replace(symbol, definitions=definitions)}
        context.scope = replace(context.scope, subs=subs)
        checked.subs[key].facts.add(before.checked.subs[key].facts)
    if diagnostics.items:
        return None
    if edited:
        checked.effects = effects.summarise({key: sub.facts for key, sub in checked.subs.items()})
    known.check = context
    return checked


def _edited(before: nodes.Program, after: nodes.Program, trees: KnownTrees) -> list[EditedSub] | None:
    """The sub with another tree; None after an edit of anything else, or of more."""
    if len(before.declarations) != len(after.declarations) or before.version != after.version:
        return None
    found: list[EditedSub] = []
    for old, new in zip(before.declarations, after.declarations, strict=True):
        if old is not new:
            edits = [one for one in trees.edited if one.old is old and one.new is new]
            if found or not edits or edits[0].old.name != edits[0].new.name:
                return None
            found = edits
    return found


def _same_place(before: Context, after: nodes.Program, edit: EditedSub, part: nodes.Sub) -> bool:
    """Whether no other part of the policy depends on an edit. ``part`` is what is new in the sub."""
    old = _without_kept(edit.old, edit.kept)
    makes = any(isinstance(node, nodes.New) for node in walk_statements(part.body))
    if makes or (before.made and part.name == "vcl_init") or _callees(old) != _callees(part):
        return False
    others = (key for key, one in before.scope.symbols.items() if one.kind is not Kind.MODULE)
    declared = WORDS_OF_OTHERS.union(others, before.scope.subs)
    words = _words(before.checked.program, edit, edit.old.at[1], declared)
    return words == _words(after, edit, edit.new.at[1], declared)


def _without_kept(sub: nodes.Sub, kept: frozenset[int]) -> nodes.Sub:
    return replace(sub, body=_block_without(sub.body, kept))


def _block_without(block: nodes.Block, kept: frozenset[int]) -> nodes.Block:
    found: list[nodes.Stmt] = []
    for one in block.statements:
        if id(one) in kept:
            continue
        if isinstance(one, nodes.Block):
            one = _block_without(one, kept)
        elif isinstance(one, nodes.If):
            arms = [arm for arm in one.arms if id(arm) not in kept]
            one = nodes.If(one.at, tuple(replace(arm, body=_block_without(arm.body, kept)) for arm in arms))
        found.append(one)
    return nodes.Block(block.at, tuple(found))


def _callees(sub: nodes.Sub) -> list[str]:
    calls = (node for node in walk_statements(sub.body) if isinstance(node, nodes.CallSub))
    return [node.name.text.lower() for node in calls]


def _words(program: nodes.Program, edit: EditedSub, last: int, declared: frozenset[str]) -> list[str]:
    """The words that name a declaration, in order, among the edited tokens of a sub with this last token."""
    table = program.tokens
    assert isinstance(table, TokenTable)
    words = (
        table.text(index).lower()
        for index in range(edit.head, min(edit.tail, last + 1))
        if table.types[index] == T.IDENTIFIER
    )
    return [word for word in words if word in declared]
