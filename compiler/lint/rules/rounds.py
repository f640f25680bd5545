"""FL: requests that begin anew, and find the same state again."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.paths import Exit, Paths, Trail, steps_of
from vernis.lint.repairs import before
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.rules.security import CLIENT_HOOKS
from vernis.lint.view import View
from vernis.record import record
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity


@record(frozen=True)
class _Round:
    """The acts of a path. ``rolled``: it undid the changes of the request. ``changed``: it then
    changed the request. ``counted``: it tested the counter."""

    rolled: bool = False
    changed: bool = False
    counted: bool = False


class _Rounds:
    """The domain of these facts for one message and its counter."""

    def __init__(self, view: View, message: str, counter: str) -> None:
        self.view, self.message, self.counter = view, message, counter

    def assume(self, state: _Round, test: nodes.Expr, holds: bool) -> _Round | None:
        if any(name == self.counter for name, _ in self.view.reads(test)):
            return _Round(state.rolled, state.changed, True)
        return state

    def do(self, state: _Round, statement: nodes.Stmt, trail: Trail) -> _Round:
        match statement:
            case nodes.Set() | nodes.Unset() if self.view.name(statement.target).startswith(
                self.message + "."
            ):
                return _Round(state.rolled, True, state.counted)
            case nodes.CallStmt() if self._rolls_back(statement):
                return _Round(True, False, state.counted)
        return state

    def _rolls_back(self, statement: nodes.CallStmt) -> bool:
        arguments = [self.view.variable(argument.value) for argument in statement.call.args]
        return self.view.call_of(statement) == "std.rollback" and arguments == [self.message]


class RollbackBeforeRestart(Rule):
    id = "FL007"
    name = "rollback-before-restart"
    severity = Severity.WARNING
    what = (
        "A path undoes the changes of a request and begins it anew, and only a field tells both rounds apart."
    )
    why = (
        "std.rollback removes this field, too: the next round takes the same path, up to the limit and a 503."
    )
    remedy = "test req.restarts (bereq.retries), or set the field after the rollback"
    source = "https://github.com/varnishcache/varnish-cache/issues/1137"
    bad = (
        'import std; sub vcl_deliver { if (!req.http.X-Again) { set req.http.X-Again = "1"; '
        "std.rollback(req); return (restart); } }"
    )
    good = (
        "import std; sub vcl_deliver { if (!req.http.X-Again) { std.rollback(req); "
        'set req.http.X-Again = "1"; return (restart); } }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any("std.rollback()"):
            return
        backend = ("vcl_backend_response", "vcl_backend_error")
        rounds = (
            ("req", "req.restarts", CLIENT_HOOKS, "restart"),
            ("bereq", "bereq.retries", backend, "retry"),
        )
        for message, counter, hooks, action in rounds:
            paths = Paths(view, _Rounds(view, message, counter))
            ends = [end for hook in hooks for end in paths.of_hook(hook, _Round()) if end.action == action]
            for at in dict.fromkeys(end.at for end in ends if self._loses_guard(view, end, message)):
                yield finding(view, at, f"std.rollback has removed the field that would end this {action}")

    def _loses_guard(self, view: View, end: Exit[_Round], message: str) -> bool:
        """Whether the path tested a field that the policy sets, and undid it. Others are FL006."""
        if not end.state.rolled or end.state.changed or end.state.counted:
            return False
        changed = {
            view.name(place.statement.target)
            for place in view.places
            if isinstance(place.statement, nodes.Set | nodes.Unset)
        }
        tested = {name for test in steps_of(end.trail) for name, _ in view.reads(test)}
        return any(name.startswith(message + ".http.") for name in tested & changed)


class PurgeRestartLoop(Rule):
    id = "FL010"
    name = "purge-restart-loop"
    severity = Severity.WARNING
    what = "vcl_purge restarts the request and leaves its method as it is."
    why = "The next round is a PURGE again, up to the limit and a 503."
    remedy = 'set req.method = "GET" before the restart'
    changes = "the next round is a GET"
    source = "https://github.com/mattiasgeniar/varnish-4.0-configuration-templates/pull/6"
    bad = "sub vcl_purge { return (restart); }"
    good = 'sub vcl_purge { set req.method = "GET"; return (restart); }'

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any("return restart"):
            return
        if any(name == "req.restarts" for name in _read_in_recv(view)):
            return
        paths = Paths(view, _Rounds(view, "req", "req.restarts"))
        for end in paths.of_hook("vcl_purge", _Round()):
            if end.action == "restart" and not end.state.changed and not end.state.counted:
                edit = before(view, end.at, 'set req.method = "GET";')
                fix = Fix("begin the next round as a GET", (edit,), safe=True)
                yield finding(view, end.at, "the next round is a PURGE again, and purges again", fix=fix)


def _read_in_recv(view: View) -> Iterator[str]:
    for place in view.places:
        if place.in_hook("vcl_recv") and isinstance(place.statement, nodes.If):
            for arm in place.statement.arms:
                if arm.condition is not None:
                    yield from (name for name, _ in view.reads(arm.condition))
