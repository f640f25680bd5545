"""Checks `return`: which actions a hook may return, their arguments, and labels."""

from __future__ import annotations

from vernis.semantics import calls, expressions
from vernis.semantics.context import Context, require_phase
from vernis.semantics.report import certain, did_you_mean, nearest, joined_names
from vernis.semantics.typed import Expr, Literal, Return, Statement
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import HookRow, hook_names
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit
from vernis.syntax.stock import phrase

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


def check_return(cx: Context, node: nodes.Return) -> Statement | None:
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
