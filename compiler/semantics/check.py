"""The checker: statements, declarations and the program as a whole.

:func:`analyse` is the only entry of this room. It takes a tree and returns a :class:`Checked` program and
diagnostics. The checker visits each sub once for all hooks that can run it; ``resolve.py`` has computed these
hooks. The checker continues after a mistake, and reports each mistake once.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial

from vernis.semantics import (
    absence,
    acls,
    backends,
    calls,
    changes,
    constants,
    counters,
    effects,
    expressions,
    forms,
    lists,
    locals,
    names,
    pieces,
    rules,
    safety,
    tables,
    telling,
    views,
)
from vernis.semantics.context import Context, require_phase
from vernis.semantics.conversions import coerce
from vernis.semantics.frame import LocalVar
from vernis.semantics.modules import find_modules
from vernis.semantics.moves import Difference, Move
from vernis.semantics.options import Options
from vernis.semantics.report import Reporter, certain, did_you_mean, nearest, joined_names
from vernis.semantics.resolve import Kind, SubSymbol, refuse_inline_c, resolve, walk_statements
from vernis.semantics.typed import (
    Arm,
    Assign,
    CallSub,
    CallValue,
    Checked,
    Evaluate,
    Expr,
    Facts,
    Field,
    If,
    Instance,
    Invoke,
    Kept,
    Literal,
    Make,
    Remove,
    Return,
    Statement,
    Sub,
    SubValue,
    Variable,
)
from vernis.semantics.types import ASSIGNMENTS, Type
from vernis.semantics.vocabulary import HOOKS, HookRow, Vocabulary, hook_names, load_vocabulary
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Diagnostics, Edit, Span
from vernis.syntax.stock import phrase

# The parser limits nesting to 256; each level costs a few frames.
RECURSION_LIMIT = 8000

# Help for actions of older versions, by the hook that no longer accepts them.
OLD_ACTIONS = {
    ("vcl_recv", "lookup"): "since VCL 4 it is return (hash)",
    ("vcl_recv", "fetch"): "return (hash) starts a lookup, return (pass) a fetch without a lookup",
    ("vcl_hash", "hash"): "since VCL 4 it is return (lookup)",
    ("vcl_hit", "fetch"): "return (deliver) also refreshes a stale response",
    ("vcl_hit", "miss"): "return (deliver) also refreshes a stale response",
    ("vcl_pass", "pass"): "since VCL 4 it is return (fetch)",
}
NEW_ACTIONS = {("vcl_recv", "lookup"): "hash", ("vcl_hash", "hash"): "lookup", ("vcl_pass", "pass"): "fetch"}
# Actions that begin another round, with the count that must bound them in 5.0.
ROUNDS = {"restart": "req.restarts", "retry": "bereq.retries"}
OLD_ACTION_NAMES = {"hit_for_pass": "since VCL 4 it is set beresp.uncacheable = true; and return (deliver)"}


def analyse(
    program: nodes.Program,
    options: Options | None = None,
    vocabulary: Vocabulary | None = None,
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
    with deep_walk():
        imported = find_modules(program, vocabulary or load_vocabulary(), options, report)
        scope = resolve(program, imported.vocabulary, report, imported.refused)
        cx = Context(
            scope, report, options, Checked(program, program.version, modules=imported.modules), moves=moves
        )
        if program.builtin_from < len(program.declarations):
            cx.builtin_at = program.declarations[program.builtin_from].at[0]
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
        cx.checked.effects = effects.summarise(_facts(cx))
        _check_whole(cx)
    if contexts is not None:
        contexts.append(cx)
    return cx.checked, diagnostics


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
        checked.probes.append(backends.check_probe(cx, probe.name, probe.at, probe.body))
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
    if not cx.scope.instances:
        return
    makers = {
        node.at: node
        for sub in cx.scope.subs.values()
        for definition in sub.definitions
        for node in _news(definition.body)
    }
    for symbol in cx.scope.instances:
        constructor = makers[symbol.at].constructor
        module = cx.scope.head(constructor.parts[0])
        if module is not None and module.kind is Kind.MODULE and module.module is not None:
            symbol.module = module.module
            symbol.object = module.module.objects.get(".".join(constructor.parts[1:]).lower())
        kind = f"{symbol.module.name}.{symbol.object.name}" if symbol.module and symbol.object else ""
        cx.checked.instances.append(
            Instance(symbol.name, kind, symbol.object.fini if symbol.object else "", symbol.at)
        )


def _news(block: nodes.Block) -> list[nodes.New]:
    return [node for node in walk_statements(block) if isinstance(node, nodes.New)]


def _check_five(cx: Context) -> None:
    """Checks the declarations that only 5.0 has. Functions and subs with parameters are checked where they
    are used, and here if they are not."""
    constants.check_names(cx)
    constants.find_circles(cx)
    forms.check_sets(cx)
    telling.check_budgets(cx)
    for symbol in list(cx.scope.symbols.values()):
        match symbol.node:
            case nodes.Constant():
                cx.version_of(symbol.at)
                constants.check(cx, symbol)
            case nodes.Table() as table:
                cx.version_of(symbol.at)
                cx.checked.tables.append(tables.check_table(cx, table))
            case nodes.Counter() as counter:
                cx.checked.counters.append(counters.check_counter(cx, counter))
            case nodes.Function():
                used = symbol.used
                forms.function_of(cx, symbol, symbol.at, check_block)
                symbol.used = used
            case _:
                pass


# ---- subs and statements -----------------------------------------------------------------------------------


def check_sub(cx: Context, symbol: SubSymbol) -> None:
    if symbol.definitions[0].params is not None:
        forms.procedure_of(cx, symbol, check_block)
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
            cx.report.error(
                "V766",
                definition.name_at,
                f"{symbol.name} has several definitions",
                "write @part before each, and they run in their order",
                labels=[(mine[0].name_at, "the first is here")] if definition is not mine[0] else [],
                edits=cx.report.around(definition.at, "@part ", ""),
            )


def _check_pieces(
    cx: Context, reuse: pieces.Reuse, symbol: SubSymbol, block: nodes.Block, out: list[Statement]
) -> None:
    """Appends the checked statements of a definition. Kept statements take their places between the others,
    with the effects and patterns that they had."""
    facts = cx.facts
    for node in reuse.in_order(symbol, block):
        if isinstance(node, pieces.Placed):
            for pattern in node.piece.patterns:
                cx.pattern(pattern)
            facts.add(node.piece.facts)
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


def check_block(cx: Context, block: nodes.Block, out: list[Statement]) -> None:
    """Appends the checked statements of a block. Statements with an error are left out."""
    for node in block.statements:
        if isinstance(node, nodes.Labelled):
            node = _unlabelled(cx, node)
        if isinstance(node, nodes.Block):
            with cx.frame.scope():
                check_block(cx, node, out)
            continue
        if isinstance(node, nodes.RunBuiltin):
            _check_builtin(cx, node, out)
            continue
        if isinstance(node, nodes.Return) and cx.five:
            out += safety.before_return(cx, node)
        statement = _check_statement(cx, node)
        if statement is not None:
            out.append(statement)


def _unlabelled(cx: Context, node: nodes.Labelled) -> nodes.Stmt:
    """Returns the statement below its annotations."""
    statement: nodes.Stmt = node
    while isinstance(statement, nodes.Labelled):
        rules.check_label(cx, statement.annotation, statement.statement)
        statement = statement.statement
    return statement


def _check_builtin(cx: Context, node: nodes.RunBuiltin, out: list[Statement]) -> None:
    """Puts the statements of the built-in hook in place of ``builtin;``."""
    assert cx.sub is not None
    found = [d for d in cx.sub.definitions if d.at[0] >= cx.builtin_at] if cx.sub.hook else []
    if not found:
        cx.report.error(
            "V759", node.at, "`builtin;` works in hooks alone", "a sub returns to its hook, which can run it"
        )
        return
    with cx.aside(cx.sub.name):
        cx.frame.scopes, cx.five, facts = [{}], False, cx.facts
        for definition in found:
            check_block(cx, definition.body, out)
    cx.facts = facts
    cx.frame.forget_message("")  # the policy may have parts of the subs that the built-in hook calls


def _check_statement(cx: Context, node: nodes.Stmt) -> Statement | None:
    match node:
        case nodes.Let():
            return locals.check_let(cx, node)
        case nodes.Give():
            return forms.give(cx, node)
        case nodes.Switch():
            return forms.check_switch(cx, node, check_block)
        case nodes.For():
            return forms.check_for(cx, node, check_block)
        case nodes.Allow():
            return safety.check_allow(cx, node)
        case nodes.Log():
            return telling.check_log(cx, node)
        case nodes.Count():
            return counters.check_count(cx, node)
        case nodes.Invariant():
            telling.check_invariant(cx, node)
            return None
        case nodes.Set():
            return _check_set(cx, node)
        case nodes.If():
            return _check_if(cx, node)
        case nodes.Unset():
            return _check_unset(cx, node)
        case nodes.CallSub():
            return _check_call_sub(cx, node)
        case nodes.Return():
            return _check_return(cx, node)
        case nodes.CallStmt():
            return _check_call(cx, node)
        case nodes.New():
            return _check_new(cx, node)
        case nodes.InlineC():
            refuse_inline_c(node, cx.report)
            return None
        case _:
            assert isinstance(node, nodes.Broken), node
            return None


def _check_if(cx: Context, node: nodes.If) -> If:
    if cx.five:
        return _check_if_of_five(cx, node)
    arms = []
    for arm in node.arms:
        condition = None if arm.condition is None else expressions.value(cx, arm.condition, Type.BOOL)
        body: list[Statement] = []
        check_block(cx, arm.body, body)
        arms.append(Arm(arm.at, condition, body))
    return If(node.at, arms)


def _check_if_of_five(cx: Context, node: nodes.If) -> If:
    arms: list[Arm] = []
    facts = forms.Arms(cx)
    for arm in node.arms:
        with cx.frame.scope() if arm is not node.arms[0] else nullcontext():
            condition: Expr | None = None
            var: LocalVar | None = None
            if arm.binding is not None and arm.condition is not None:
                condition, var = locals.bind_condition(cx, arm.binding, arm.condition)
            elif arm.condition is not None:
                condition = expressions.value(cx, arm.condition, Type.BOOL)
            body = facts.body(condition, partial(_check_body, cx, arm, var))
        arms.append(Arm(arm.at, condition, body))
    facts.end(node.arms[-1].condition is None)
    return If(node.at, arms)


def _check_body(cx: Context, arm: nodes.IfArm, var: LocalVar | None, out: list[Statement]) -> None:
    with cx.frame.scope():
        if var is not None and arm.binding is not None:
            locals.declare(cx, arm.binding, var)
        check_block(cx, arm.body, out)


def _target(cx: Context, name: nodes.Name, use: str) -> tuple[Variable | Field, Type] | None:
    """Returns the target of a set or unset statement and its declared type."""
    found = names.find(cx, name)
    if isinstance(found, names.FoundStorage):
        cx.report.error(names.USES[use], name.at, f"{name.text} cannot be {use}", f"it can never be {use}")
        return None
    if found is None:
        names.report_unknown(cx, name, use)
        return None
    if not names.usable(cx, name.at, name, found, use):
        return None
    if found.field is not None:
        return Field(found.row.key.partition(".")[0], found.field), Type.HEADER
    return Variable(found.row.type, found.row), found.row.type


def _check_set(cx: Context, node: nodes.Set) -> Statement | None:
    local = cx.frame.find(node.target.text) if cx.five else None
    if local is not None:
        return locals.check_set(cx, node, local)
    if (view := views.view_of(cx, node.target)) is not None:
        return views.check_set(cx, node, view)
    target = _target(cx, node.target, "set")
    if target is None:
        _check_lost_value(cx, node.value)
        return None
    place, declared = target
    plain = Type.STRING if declared is Type.HEADER else declared
    want = ASSIGNMENTS.get((declared, node.op), plain if node.op == "=" else None)
    if want is None:
        _refuse_form(cx, node, declared)
        return None
    if declared is Type.BODY:
        value = expressions.infer(cx, node.value, want)
        value = value if value.type is Type.BLOB else coerce(cx, value, want, node.value.at)
    elif cx.five and isinstance(place, Field):
        return _check_set_field(cx, node, place)
    else:
        value = expressions.value(cx, node.value, want)
    if node.op != "=" and isinstance(place, Field):
        cx.facts.reads.add(f"{place.message}.http.{place.name.lower()}")
    elif node.op != "=" and isinstance(place, Variable) and declared is not Type.BODY:
        cx.facts.reads.add(place.row.name)
    return None if value.type is Type.ERROR else Assign(node.at, place, node.op, value, checked=cx.five)


def _check_set_field(cx: Context, node: nodes.Set, place: Field) -> Assign | None:
    """Checks ``set`` of a header field in 5.0, where an absent value unsets it."""
    key = absence.key_of(place)
    may_unset = node.op == "="
    value = expressions.infer(cx, node.value, Type.STRING)
    value = expressions.converted(cx, value, Type.STRING, node.value.at, optional=may_unset)
    if value.type is Type.ERROR:
        return None
    if node.op != "=":
        cx.facts.reads.add(key)
    cx.frame.forget(key)
    is_absent = absence.may_be_absent(value)
    if is_absent and cx.moves is not None:
        edits = absence.defaulted(cx, node.value.at, '""')
        cx.moves.append(Move(Difference.FIELD, node.at, edits))
    if not is_absent:
        cx.frame.assume((key,))
    return Assign(node.at, place, node.op, value, may_unset=is_absent)


def _check_lost_value(cx: Context, node: nodes.Expr) -> None:
    """Reports errors in a value whose target was refused. The hook is not checked, because the target already
    failed that check."""
    reach, cx.reach = cx.reach, 0
    expressions.infer(cx, node, Type.ERROR)
    cx.reach = reach


def _refuse_form(cx: Context, node: nodes.Set, declared: Type) -> None:
    forms = ["=", *(op for kind, op in ASSIGNMENTS if kind is declared and op != "=")]
    kind = Type.STRING if declared is Type.HEADER else declared
    cx.report.error(
        "V320",
        node.at,
        f"{node.op} does not work on {kind.value}",
        f"{node.target.text} takes {joined_names(forms)}",
        stock=phrase("expected", want="'='", got=f"'{node.op}'"),
    )


def _check_unset(cx: Context, node: nodes.Unset) -> Statement | None:
    target = _target(cx, node.target, "unset")
    if target is None:
        return None
    cx.frame.forget(absence.key_of(target[0]))
    return Remove(node.at, target[0])


def _check_call_sub(cx: Context, node: nodes.CallSub) -> Statement | None:
    if node.value is not None:
        value = expressions.value(cx, node.value, Type.SUB)
        cx.facts.calls_values = True
        cx.frame.forget_message("")
        return None if value.type is Type.ERROR else CallValue(node.at, value)
    key = node.name.text.lower()
    symbol = cx.scope.subs.get(key)
    if symbol is None:
        return None
    if symbol.definitions[0].params is None and node.args is None:
        changes.call(cx, key)
        return CallSub(node.at, key)
    if symbol.definitions[0].params is None:
        cx.report.error(
            "V751",
            node.at,
            f"{symbol.name} has no parameters",
            f"write: call {symbol.name};",
            replace=f"call {symbol.name};",
        )
        return None
    return (
        None if key in cx.checking else forms.call_with(cx, node, forms.procedure_of(cx, symbol, check_block))
    )


def _check_call(cx: Context, node: nodes.CallStmt) -> Statement | None:
    if (view := views.edited(cx, node.call)) is not None:
        return views.check_edit(cx, node, view)
    if (field := lists.field_of(cx, node.call)) is not None:
        return lists.check_add(cx, node, field)
    call = expressions.call(cx, node.call, Type.VOID)
    if not isinstance(call, Invoke):
        return None
    if call.type is not Type.VOID and (len(node.call.name.parts) == 1 or call.receiver is not None):
        cx.report.error(
            "V324",
            node.at,
            f"the value of {node.call.name.parts[-1]} is not used",
            "the call has no other effect; use the value in a `set`",
        )
        return None
    return Evaluate(node.at, call)


def _check_new(cx: Context, node: nodes.New) -> Statement | None:
    module = calls.find_constructor(cx, node.constructor)
    symbol = cx.scope.symbols.get(node.name.lower())
    init = 1 << HOOKS.index("vcl_init")
    if (
        not require_phase(cx, "V409", node.at, init, node.name, "created")
        or module is None
        or module.module is None
    ):
        return None
    row = module.module.objects[".".join(node.constructor.parts[1:]).lower()].constructor
    args = expressions.arguments(cx, f"{module.name}.{row.name}", node.at, row.params, node.args)
    if args is None or symbol is None or symbol.at != node.at:
        return None
    cx.made.add(symbol.index)
    return Make(node.at, symbol.index, Invoke(Type.INSTANCE, row, args))


# ---- return ------------------------------------------------------------------------------------------------


def _check_return(cx: Context, node: nodes.Return) -> Statement | None:
    assert cx.sub is not None
    if node.action is None:
        if not cx.sub.hook:
            return Return(node.at, None, [])
        actions = cx.scope.vocabulary.hooks[cx.sub.name].actions
        cx.report.error(
            "V408",
            node.at,
            f"{cx.sub.name} returns without an action",
            f"write return ({joined_names(actions)});",
            stock=phrase("expected", want="'('", got="';'"),
        )
        return None
    action = node.action.text
    if action not in cx.scope.vocabulary.actions:
        _report_unknown_action(cx, node.action)
        return None
    if not _action_legal(cx, node.action, action, bool(node.args)):
        return None
    if cx.five and action in ROUNDS and f"<{ROUNDS[action]}" not in cx.frame.known:
        cx.report.error(
            "V760",
            node.at,
            f"return ({action}) without a bound in sight",
            f"write: if ({ROUNDS[action]} < 2) {{ return ({action}); }}",
            edits=cx.report.around(node.at, f"if ({ROUNDS[action]} < 2) {{ ", " }"),
        )
        return None
    args = _action_args(cx, node, action)
    if args is None:
        return None
    cx.facts.actions.add(action)
    return Return(node.at, action, args)


def _legal_actions(cx: Context) -> list[str]:
    """Returns the actions that are legal in all hooks that run this sub."""
    return [action for action, mask in cx.scope.vocabulary.actions.items() if cx.legal_here(mask)]


def _report_unknown_action(cx: Context, name: nodes.Name) -> None:
    near = nearest(name.text, _legal_actions(cx))
    word = name.text.lower()
    old = [OLD_ACTIONS[hook, word] for hook in hook_names(cx.reach) if (hook, word) in OLD_ACTIONS]
    otherwise = (
        old[0] if old else OLD_ACTION_NAMES.get(word) or f"actions here: {', '.join(_legal_actions(cx))}"
    )
    cx.report.error(
        "V406",
        name.at,
        f"there is no action {name.text}",
        did_you_mean(near, otherwise),
        replace=certain(name.text, near),
        stock=phrase("action name"),
    )


def _action_legal(cx: Context, name: nodes.Name, action: str, has_args: bool) -> bool:
    """Whether every hook that runs this sub may return the action."""
    mask = cx.scope.vocabulary.actions[action]
    outside = cx.reach & ~mask
    if not outside:
        cx.narrow(mask)
        return True
    from vernis.semantics import elsewhere

    first = cx.scope.vocabulary.hooks[hook_names(outside)[0]]
    old = OLD_ACTIONS.get((first.name, action)) or _on_this_side(first, action)
    new = NEW_ACTIONS.get((first.name, action)) or (
        elsewhere.SAME_ARGUMENTS.get(action) if has_args else None
    )
    edits = (
        (Edit(cx.report.span(name.at), new),)
        if new and cx.legal_here(cx.scope.vocabulary.actions[new])
        else ()
    )
    help_ = (f"{old}; " if old else "") + f"{first.name} can return {', '.join(first.actions)}"
    require_phase(
        cx,
        "V405",
        name.at,
        mask,
        f"return ({action})",
        "used",
        help_,
        stock=phrase("invalid return", action=action),
        edits=edits,
    )
    return False


def _on_this_side(hook: HookRow, action: str) -> str:
    from vernis.semantics import elsewhere

    table = elsewhere.BACKEND_ACTIONS if hook.side == "backend" else elsewhere.CLIENT_ACTIONS
    return table.get(action, "")


def _action_args(cx: Context, node: nodes.Return, action: str) -> list[Expr] | None:
    """Returns the arguments of an action, checked against its row."""
    params = cx.scope.vocabulary.action_rows[action].params
    required = [param for param in params if not param.optional]
    if len(node.args) > len(params) or len(node.args) < len(required) or node.has_args and not node.args:
        form = f"{action}({calls.signature(params)})" if params else action
        n = len(node.args)
        wrong = (
            f"does not take {n} argument{'s' * (n != 1)}"
            if n > 0
            else "needs arguments"
            if required
            else "takes no arguments"
        )
        cx.report.error(
            "V407",
            node.at,
            f"return ({action}) {wrong}",
            f"write return ({form});",
            stock=phrase("missing argument" if params else "no arguments"),
        )
        return None
    if action == "vcl":
        return _label(cx, node)
    args = [expressions.value(cx, arg, param.type) for arg, param in zip(node.args, params)]
    return None if any(arg.type is Type.ERROR for arg in args) else args


def _label(cx: Context, node: nodes.Return) -> list[Expr] | None:
    arg = node.args[0]
    if isinstance(arg, nodes.NameExpr) and len(arg.name.parts) == 1:
        label, known = arg.name.text, cx.options.labels
        symbol = cx.scope.symbols.get(label.lower())
        if symbol is not None and (known is None or label not in known):
            stock = (
                phrase("not found", name=label)
                if cx.checked.version < (4, 1)
                else phrase("wrong kind", name=symbol.name, have=symbol.kind.value, want="vcl")
            )
            cx.report.error(
                "V407",
                arg.at,
                f"{symbol.name} is {symbol.kind.one} of this policy, not a label",
                "give a loaded policy a label: vcl.label NAME POLICY",
                stock=stock,
            )
            return None
        if known is not None and label not in known:
            help_ = did_you_mean(nearest(label, known), "create it with vcl.label first")
            cx.report.error(
                "V407", arg.at, f"there is no label {label}", help_, stock=phrase("not found", name=label)
            )
            return None
        if label not in cx.checked.labels:
            cx.checked.labels.append(label)
        return [Literal(Type.STRING, label.encode("latin-1"))]
    if not isinstance(arg, nodes.Broken):
        cx.report.error(
            "V407", arg.at, "return (vcl(...)) needs the name of a label", "write it without quotes"
        )
    return None


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
