"""The checker: declarations, subs and the program as a whole.

:func:`analyse` is the only entry of this room. It takes a tree and returns a :class:`Checked` program and
diagnostics. The checker visits each sub once for all hooks that can run it; ``resolve.py`` has computed these
hooks. The checker continues after a mistake, and reports each mistake once.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from vernis.semantics import (
    acls,
    backends,
    constant_values,
    constants,
    counters,
    effects,
    forms,
    pieces,
    safety,
    tables,
    telling,
)
from vernis.semantics.call_graph import check_calls_of_subs, spread_reach
from vernis.semantics.context import Context
from vernis.semantics.ends import Ends
from vernis.semantics.modules import find_modules
from vernis.semantics.moves import Move
from vernis.semantics.options import Options
from vernis.semantics.report import TooManyFindings, Reporter
from vernis.semantics.resolve import Kind, SubSymbol, resolve
from vernis.semantics.statements import check_block
from vernis.semantics.typed import Checked, Facts, Instance, Kept, Statement, Sub, SubValue
from vernis.semantics.vocabulary import HOOKS, load_vocabulary
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Diagnostics, Span
from vernis.syntax.stock import phrase

# The parser limits nesting to 256; each level costs a few frames.
RECURSION_LIMIT = 8000


def analyse(
    program: nodes.Program,
    options: Options | None = None,
    reuse: pieces.Reuse | None = None,
    contexts: list[Context] | None = None,
    moves: list[Move] | None = None,
) -> tuple[Checked, Diagnostics]:
    """Checks a whole program. The result may be lowered only if the diagnostics have no errors. Raises
    ``pieces.Stale`` if the statements of ``reuse`` do not fit into the program. ``contexts`` gets the context
    of the check, ``moves`` what differs between 4.x and 5.0 without an error."""
    diagnostics = Diagnostics()
    report = Reporter(program, diagnostics, incomplete=not program.whole)
    options = options or Options()
    checked = Checked(program, program.version)
    with deep_walk():
        try:
            cx = _analyse(checked, options, report, reuse, moves)
        except TooManyFindings:
            return checked, diagnostics
    if contexts is not None:
        contexts.append(cx)
    return checked, diagnostics


def _analyse(
    checked: Checked, options: Options, report: Reporter, reuse: pieces.Reuse | None, moves: list[Move] | None
) -> Context:
    program = checked.program
    imported = find_modules(program, load_vocabulary(), options, report)
    checked.modules = imported.modules
    scope = resolve(program, imported.vocabulary, report, imported.refused)
    check_calls_of_subs(scope, report)
    spread_reach(scope)
    checked.has_old_caching = scope.has_old_caching
    cx = Context(scope, report, options, checked, Ends(scope.definitions), check_block, moves=moves)
    if program.builtin_from < len(program.declarations):
        cx.builtin_at = program.declarations[program.builtin_from].at[0]
    constants.find_circles(cx)  # backends and acls may have constants, too
    _check_declarations(cx)
    _check_five(cx)
    if reuse is not None:
        cx.reuse = reuse
        reuse.begin(scope, cx.checked)
    for sub in scope.subs.values():
        check_sub(cx, sub)
    if reuse is not None:
        reuse.end()
    _place_sub_values(cx)
    checked.effects = effects.summarise(_facts(cx))
    _check_whole(cx)
    return cx


def _facts(cx: Context) -> dict[str, Facts]:
    """The effects of each sub by key, also of those with parameters."""
    facts = {key: sub.facts for key, sub in cx.checked.subs.items()}
    return facts | {key: found.facts for key, found in cx.checked.procedures.items()}


@contextmanager
def deep_walk() -> Iterator[None]:
    """Allows walks as deep as the parser lets programs nest. Python's frames are on the heap, so a higher
    limit is safe. The cyclic collector is off meanwhile: it would visit thousands of new nodes and find no
    cycle."""
    before, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(before, RECURSION_LIMIT))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
        if collecting:
            gc.enable()


# ---- declarations ------------------------------------------------------------------------------------------


def _check_declarations(cx: Context) -> None:
    """Fills the tables of declarations. ``resolve.py`` has assigned the indices."""
    scope, checked = cx.scope, cx.checked
    _place_instances(cx)
    for probe in scope.probes:
        cx.version_of(probe.at)
        checked.probes.append(backends.check_probe(cx, probe.name, probe.body))
    for backend in scope.backends:
        cx.version_of(backend.at)
        checked.backends.append(backends.check_backend(cx, backend))
    for acl in scope.acls:
        checked.acls.append(acls.check_acl(cx, acl))
    if scope.default_backend is not None:
        checked.default_backend = scope.default_backend.index
    elif checked.backends:
        own = (i for i, backend in enumerate(checked.backends) if "." not in backend.name)
        checked.default_backend = next(own, 0)  # one of an imported file only if there is no other


def _place_instances(cx: Context) -> None:
    """Gives every object its row of the vocabulary, so that subs before vcl_init can call its methods."""
    for symbol in cx.scope.instances:
        assert isinstance(symbol.node, nodes.New)
        constructor = symbol.node.constructor
        module = cx.scope.head(constructor.parts[0])
        if module is not None and module.kind is Kind.MODULE and module.module is not None:
            symbol.module = module.module
            symbol.object = module.module.objects.get(".".join(constructor.parts[1:]).lower())
        kind = f"{symbol.module.name}.{symbol.object.name}" if symbol.module and symbol.object else ""
        cx.checked.instances.append(
            Instance(symbol.name, kind, symbol.object.fini if symbol.object else "", symbol.at)
        )


def _check_five(cx: Context) -> None:
    """Checks the declarations that only 5.0 has. Functions and subs with parameters are checked where they
    are used, and here if they are not."""
    constants.check_names(cx)
    forms.check_sets(cx)
    telling.check_budgets(cx)
    for symbol in list(cx.scope.symbols.values()):
        match symbol.node:
            case nodes.Constant():
                cx.version_of(symbol.at)
                constant_values.check(cx, symbol)
            case nodes.Table() as table:
                cx.version_of(symbol.at)
                cx.checked.tables.append(tables.check_table(cx, table))
            case nodes.Counter() as counter:
                cx.checked.counters.append(counters.check_counter(cx, counter))
            case nodes.Function():
                used = symbol.used
                forms.function_of(cx, symbol, symbol.at)
                symbol.used = used
            case _:
                pass


# ---- subs --------------------------------------------------------------------------------------------------


def check_sub(cx: Context, symbol: SubSymbol) -> None:
    if symbol.definitions[0].params is not None:
        forms.procedure_of(cx, symbol)
        return
    cx.enter(symbol)
    _check_parts(cx, symbol)
    body: list[Statement] = []
    for definition in symbol.definitions:
        cx.version_of(definition.at)
        cx.frame.begin()
        if definition.at[0] >= cx.builtin_at and cx.checked.program.version >= (5, 0):
            body += safety.skipped(cx, symbol.name, definition)
        if cx.reuse is None:
            check_block(cx, definition.body, body)
        else:
            _check_pieces(cx, cx.reuse, symbol, definition.body, body)
    key = symbol.name.lower()
    cx.checked.subs[key] = Sub(symbol.name, symbol.at, body, symbol.reach, cx.facts)


def _check_parts(cx: Context, symbol: SubSymbol) -> None:
    """Reports definitions of a hook that would be merged by accident: in 5.0 each of them says @part."""
    table = cx.checked.program.tokens
    fives = table.fives  # type: ignore[attr-defined]
    mine = [d for d in symbol.definitions if table.files[d.at[0]] in fives]  # type: ignore[attr-defined]
    for definition in mine:
        for annotation in definition.annotations:
            if annotation.name.text != "part" or annotation.args or not symbol.hook:
                cx.report.error("V761", annotation.at, "only @part of a hook stands here", "remove it")
        if len(mine) > 1 and not definition.annotations:
            span = cx.report.span(definition.at)
            begins = span.start in table.sources.files[span.file].line_starts  # type: ignore[attr-defined]
            cx.report.error(
                "V766",
                definition.name_at,
                f"{symbol.name} has several definitions",
                "write @part before each, and they run in their order",
                labels=[(mine[0].name_at, "the first is here")] if definition is not mine[0] else [],
                edits=cx.report.around(definition.at, "@part\n" if begins else "@part ", ""),
            )


def _check_pieces(
    cx: Context, reuse: pieces.Reuse, symbol: SubSymbol, block: nodes.Block, out: list[Statement]
) -> None:
    """Appends the checked statements of a definition. Kept statements take their places between the others,
    with the effects and patterns that they had."""
    facts = cx.facts
    added: Facts | None = None  # last: many pieces share theirs
    for node in reuse.in_order(symbol, block):
        if isinstance(node, pieces.Placed):
            for pattern in node.piece.patterns:
                cx.pattern(pattern)
            if node.piece.facts is not added:
                added = node.piece.facts
                facts.add(added)
            out.append(Kept(node.start, node.end, node.piece.code))
            continue
        cx.facts, cx.patterns, cx.looked_up = Facts(), [], False
        count = len(out)
        check_block(cx, nodes.Block(node.at, (node,)), out)
        facts.add(cx.facts)
        if len(out) == count + 1 and not cx.looked_up:
            reuse.note(symbol, out[-1], cx.facts, cx.patterns)
    cx.facts = facts


def _place_sub_values(cx: Context) -> None:
    """Records the hooks in which each sub used as a value can be called. A caller of such subs gets the
    effects of all of them."""
    facts = _facts(cx)
    for key in cx.sub_values:
        hooks = 0 if key in HOOKS else effects.hooks_of(facts, key)  # a hook runs at its own step only
        cx.checked.sub_values.append(SubValue(key, hooks))
    effects.add_values(facts, list(cx.sub_values))


# ---- the whole ---------------------------------------------------------------------------------------------


_REPORTED_UNUSED = frozenset(
    (Kind.BACKEND, Kind.PROBE, Kind.ACL, Kind.CONSTANT, Kind.FUNCTION, Kind.SET, Kind.TABLE, Kind.COUNTER)
)


def _check_whole(cx: Context) -> None:
    """Reports a program without a backend, and unused declarations."""
    declared = cx.checked.program.declarations
    if declared and not any(isinstance(node, nodes.Backend) for node in declared):
        _report_no_backend(cx)
    used = {cx.checked.default_backend}
    _mark_unused(cx)
    for symbol in cx.scope.symbols.values():
        if (
            symbol.used
            or symbol.name.lower() in cx.scope.meant
            or symbol.kind is Kind.BACKEND
            and symbol.index in used
        ):
            continue
        if symbol.kind in _REPORTED_UNUSED:
            _report_unused(cx, symbol.kind.value, symbol.name, symbol.at)
    by_value = effects.reached({key: sub.facts for key, sub in cx.checked.subs.items()}, list(cx.sub_values))
    for key, sub in cx.scope.subs.items():
        if (
            not sub.reach
            and key not in by_value
            and not sub.builtin
            and not sub.name.startswith("vcl_")
            and key not in cx.scope.meant
        ):
            _report_unused(cx, "sub", sub.name, sub.at)


def _mark_unused(cx: Context) -> None:
    """Excuses the names in ``unused NAME;``. One that no declaration has is an error."""
    cx.scope.mark_meant([node.name for node in cx.scope.unused])
    for node in cx.scope.unused:
        key = node.name.lower()
        if key not in cx.scope.subs and key not in cx.scope.symbols:
            cx.report.error(
                "V301",
                node.name_at,
                f"there is no {node.name}",
                "write the name of a backend, probe, acl or sub",
                stock=phrase("not found", name=node.name),
            )


def _report_no_backend(cx: Context) -> None:
    help_ = "declare a backend, or write `backend none none;` if the policy needs none"
    program = cx.checked.program
    if program.builtin_from:
        cx.report.error(
            "V516", program.declarations[0].at, "no backend is declared", help_, stock=phrase("no backend")
        )
    elif not cx.report.incomplete:  # an empty policy has no token for the place
        cx.report.diagnostics.error(
            "V516", Span(0, 0, 0), "no backend is declared", help_, stock=phrase("no backend")
        )


def _report_unused(cx: Context, kind: str, name: str, at: nodes.At) -> None:
    say = cx.report.error if cx.options.err_unref else cx.report.warning
    say(
        "V602",
        at,
        f"{kind} {name} is never used",
        "remove it, or use it",
        stock=phrase("unused", kind=kind, name=name),
    )
