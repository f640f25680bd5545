"""Safety checks of vcl 5.0: the steps of the built-in policy that run before a response may be shared, and
``allow``, which skips them."""

from __future__ import annotations

from vernis.semantics.context import Context
from vernis.semantics.report import certain, did_you_mean, joined_names, nearest
from vernis.semantics.typed import (
    AllOf,
    Arm,
    CallSub,
    Evaluate,
    Expr,
    If,
    Invoke,
    Literal,
    Negation,
    Return,
    Statement,
    Variable,
)
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import VariableRow, hook_names
from vernis.syntax import nodes

# The hook that heeds each word of `allow`.
ALLOWED = {
    "cookie": "vcl_recv",
    "authorization": "vcl_recv",
    "set_cookie": "vcl_backend_response",
    "private": "vcl_backend_response",
}
# Subs of the built-in policy that `allow` skips.
SKIPPED = {
    "vcl_req_cookie": "cookie",
    "vcl_req_authorization": "authorization",
    "vcl_beresp_cookie": "set_cookie",
    "vcl_beresp_control": "private",
}
#: True if HTTP caching follows RFC 9111. The steps above then leave it to the response who may get it.
LEFT_TO_RESPONSES = "server.rfc9111"
# Steps of the built-in policy that 5.0 runs before these actions, unless `allow` skips them.
SAFE_ACTIONS = {
    ("vcl_recv", "hash"): ("vcl_req_authorization", "vcl_req_cookie"),
    ("vcl_backend_response", "deliver"): ("vcl_beresp_cookie", "vcl_beresp_control"),
}


def is_left_to_responses(cx: Context, row: VariableRow, at: nodes.At) -> bool:
    """Whether this is the condition by which a step of the built-in policy does nothing. In 5.0 only `allow`
    skips a step, so the condition never holds."""
    return (
        row.name == LEFT_TO_RESPONSES
        and at[0] >= cx.builtin_at
        and cx.checked.program.version >= (5, 0)
        and not cx.scope.has_old_caching
        and cx.sub is not None
        and cx.sub.name.lower() in SKIPPED
    )


def before_return(cx: Context, node: nodes.Return) -> list[Statement]:
    """Returns the checks that precede an action: the response to a request with Authorization or Cookie, and
    one with Set-Cookie or of private kind, is not shared by accident. In 4.x a return skips them, and so it
    does with ``caching 4.1;``."""
    if node.action is None or cx.sub is None or cx.scope.has_old_caching:
        return []
    for (hook, action), steps in SAFE_ACTIONS.items():
        bit = 1 << cx.scope.vocabulary.hooks[hook].bit
        if action == node.action.text and cx.reach == bit and all(step in cx.scope.subs for step in steps):
            cx.facts.calls.update(steps)
            calls_: list[Statement] = [CallSub(node.at, step) for step in steps]
            return calls_ if action == "hash" else [_unless_uncacheable(cx, node.at, calls_)]
        if action == node.action.text and cx.reach & bit and cx.reach & ~bit:
            _report_mixed(cx, node.action, hook)
    return []


def _report_mixed(cx: Context, action: nodes.Name, hook: str) -> None:
    """Reports a return whose checks belong to one of the hooks that run it. The variables that the checks
    read do not exist in the others."""
    others = [name for name in hook_names(cx.reach) if name != hook]
    if cx.legal_here(cx.scope.vocabulary.actions[action.text]):
        cx.report.error(
            "V790",
            action.at,
            f"return ({action.text}) serves {hook} and {joined_names(others)}",
            f"only {hook} checks whether the response may be shared; return there, or use a sub of its own",
        )


def _unless_uncacheable(cx: Context, at: nodes.At, body: list[Statement]) -> If:
    """A response that is not to be cached needs no check, which would change its lifetime."""
    rows = [cx.scope.variables[name] for name in ("bereq.uncacheable", "beresp.uncacheable")]
    cx.facts.reads.update(row.name for row in rows)
    conditions: list[Expr] = [Negation(Variable(Type.BOOL, row)) for row in rows]
    return If(at, [Arm(at, AllOf(conditions), body)], counted=False)


def skipped(cx: Context, name: str, definition: nodes.Sub) -> list[Statement]:
    """Returns the statement that leaves a step of the built-in policy if ``allow`` has named it; none for
    another sub."""
    word = SKIPPED.get(name)
    if word is None:
        return []
    leave: list[Statement] = [Return(definition.at, None, [])]
    return [If(definition.at, [Arm(definition.at, _allowed(cx, word), leave)], counted=False)]


# ---- allow -------------------------------------------------------------------------------------------------


def check_allow(cx: Context, node: nodes.Allow) -> Evaluate | None:
    mask = 0
    for word in node.words:
        if word.text not in ALLOWED:
            _report_unknown_word(cx, word)
            return None
        if not _heeded(cx, word.text):
            cx.report.error(
                "V748",
                word.at,
                f"allow ({word.text}) has no effect here",
                f"it belongs in {ALLOWED[word.text]}",
            )
            return None
        mask |= _bit(cx, word.text)
    return Evaluate(node.at, _internal(cx, "allow", Literal(Type.INT, mask)))


def _heeded(cx: Context, word: str) -> bool:
    """Whether the hooks that run this sub heed a word of ``allow``."""
    return cx.legal_here(1 << cx.scope.vocabulary.hooks[ALLOWED[word]].bit)


def _report_unknown_word(cx: Context, word: nodes.Name) -> None:
    """Reports a word that ``allow`` does not know. A similar word of another hook is no replacement."""
    near = nearest(word.text, ALLOWED)
    here = [found for found in near if _heeded(cx, found)]
    is_elsewhere = bool(near) and near[0] not in here
    cx.report.error(
        "V748",
        word.at,
        f"{word.text} is nothing that allow knows",
        f"allow ({near[0]}) belongs in {ALLOWED[near[0]]}"
        if is_elsewhere
        else did_you_mean(here, f"the words: {', '.join(ALLOWED)}"),
        replace=None if is_elsewhere else certain(word.text, here),
    )


def _allowed(cx: Context, word: str) -> Expr:
    return _internal(cx, "allowed", Literal(Type.INT, _bit(cx, word)))


def _bit(cx: Context, word: str) -> int:
    return 1 << cx.scope.vocabulary.safety.index(word)


def _internal(cx: Context, symbol: str, *args: Expr) -> Invoke:
    row = cx.scope.vocabulary.internal[symbol]
    return Invoke(row.result, row, list(args))
