"""FL: statements that never run, and requests that never end."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.facts import Facts, Knowledge
from vernis.lint.forms import last_of_both
from vernis.lint.paths import Exit, Paths, Trail, steps_of
from vernis.lint.repairs import only_if
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.rules.security import CLIENT_HOOKS
from vernis.lint.view import View
from vernis.lint.written import all_of
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity, Span


class Unreachable(Rule):
    id = "FL001"
    name = "unreachable"
    severity = Severity.WARNING
    what = (
        "A statement of a sub that is used follows one that always ends the sub or the hook, or is the "
        "default of a switch that has a case for true and one for false."
    )
    why = (
        "It never runs, although it looks as if it did. A note if only a return stands there, "
        "behind branches that all return."
    )
    remedy = "delete it, or move it before the return"
    source = "https://docs.astral.sh/ruff/rules/unreachable-code/"
    bad = 'sub vcl_recv { return (pass); set req.http.X = "1"; }'
    good = 'sub vcl_recv { set req.http.X = "1"; return (pass); }'

    def check(self, view: View) -> Iterator[Finding]:
        for switch in all_of(view, nodes.Switch):
            default, last = switch.cases[-1], last_of_both(switch)
            if last is not None and not default.labels and default.body.statements:
                labels = ((view.span(last.labels[0]), "this takes the other value"),)
                yield Finding(view.span(default), "this never runs: true and false have cases", labels=labels)
        ends = view.ends
        for block in view.blocks(of_unused=False):
            for index, statement in enumerate(block.statements[:-1]):
                if ends.statement(statement):
                    rest = block.statements[index + 1 :]
                    yield Finding(
                        view.span(rest[0]),
                        "this never runs",
                        labels=((view.span(statement), "this always ends the sub"),),
                        fix=_without(view, rest),
                        severity=Severity.NOTE if _is_safeguard(statement, rest) else None,
                    )
                    break


def _is_safeguard(ending: nodes.Stmt, rest: tuple[nodes.Stmt, ...]) -> bool:
    return not isinstance(ending, nodes.Return) and all(isinstance(one, nodes.Return) for one in rest)


def _without(view: View, rest: tuple[nodes.Stmt, ...]) -> Fix | None:
    """Deletes statements. Those with branches may be a policy that is switched off for a while."""
    if any(isinstance(one, nodes.If | nodes.Switch | nodes.For | nodes.Block) for one in rest):
        return None
    span = _from_to(view.span(rest[0]), view.span(rest[-1]))
    return Fix("delete what never runs", (Edit(span, ""),), safe=False)


def _from_to(first: Span, last: Span) -> Span:
    return Span(first.file, first.start, last.end if last.file == first.file else first.end)


class EarlierDefinitionReturns(Rule):
    id = "FL005"
    name = "earlier-definition-returns"
    severity = Severity.WARNING
    what = "A sub has several definitions, and one before the last always ends it."
    why = "Definitions of one name run one after another: the later ones never run."
    remedy = "put the definition with the return last, or make the return conditional"
    source = "https://varnish-cache.org/docs/trunk/users-guide/vcl-syntax.html"
    bad = 'sub vcl_recv { return (pass); } sub vcl_recv { set req.http.X = "1"; }'
    good = 'sub vcl_recv { set req.http.X = "1"; } sub vcl_recv { return (pass); }'

    def check(self, view: View) -> Iterator[Finding]:
        ends = view.ends
        for key in view.subs:
            own = view.defines(key)
            for index, definition in enumerate(own[:-1]):
                if ends.block(definition.body):
                    later = own[index + 1]
                    yield Finding(
                        view.tokens.span(later.name_at),
                        f"this definition of {later.name} never runs",
                        labels=((view.tokens.span(definition.name_at), "this one always ends the sub"),),
                    )
                    break


# A restart in vcl_purge is FL010.
_AGAIN = {
    "restart": ("req.restarts", tuple(hook for hook in CLIENT_HOOKS if hook != "vcl_purge")),
    "retry": ("bereq.retries", ("vcl_backend_response", "vcl_backend_error")),
}
_BEGINS = {"restart": "vcl_recv", "retry": "vcl_backend_fetch"}  # the first hook of the next round
# Another one of these asks the origin for something else.
_ASKS = {
    "restart": {"req.url", "req.method", "req.http.host", "req.backend_hint"},
    "retry": {"bereq.url", "bereq.method", "bereq.http.host", "bereq.backend"},
}


class RestartUnbounded(Rule):
    id = "FL006"
    name = "restart-unbounded"
    severity = Severity.WARNING
    what = (
        "A path restarts or retries without a test of the counter, and nothing changes before the next round."
    )
    why = "Each round takes the same path up to the limit, and the client then gets 503."
    remedy = "test req.restarts (bereq.retries) before, such as `req.restarts < 1`"
    changes = "only the first round restarts or retries"
    source = "https://github.com/magento/magento2/issues/24353"
    bad = "sub vcl_deliver { if (resp.status == 503) { return (restart); } }"
    good = "sub vcl_deliver { if (resp.status == 503 && req.restarts < 1) { return (restart); } }"

    def check(self, view: View) -> Iterator[Finding]:
        changed = {
            view.name(place.statement.target)
            for place in view.places
            if isinstance(place.statement, nodes.Set | nodes.Unset)
        }
        for action, (counter, hooks) in _AGAIN.items():
            for at in self._unbounded(view, action, counter, hooks, changed):
                fix = Fix("do it once", only_if(view, at, f"{counter} < 1"), safe=False)
                yield finding(view, at, f"this {action} comes without a test of {counter}", fix=fix)

    def _unbounded(
        self, view: View, action: str, counter: str, hooks: tuple[str, ...], changed: set[str]
    ) -> Iterator[nodes.Return]:
        if not view.where.has_any(f"return {action}"):
            return
        marks = _read_at_the_begin(view, _BEGINS[action]) | _ASKS[action]
        paths = Paths(view, _Tests(view, marks, lambda test: _counted(view, test, counter), also=(counter,)))
        unbounded = [
            end.at
            for hook in hooks
            for end in paths.of_hook(hook, Facts())
            if end.action == action and not end.state.known and not self._changes(view, end, changed)
        ]
        yield from dict.fromkeys(unbounded)

    def _changes(self, view: View, end: Exit[Facts], changed: set[str]) -> bool:
        """Whether the path tests something that the policy changes, so that the next round differs."""
        tested = {name for test in steps_of(end.trail) for name, _ in view.reads(test)}
        return any(name.startswith(("req.", "bereq.")) for name in tested & changed)


def _read_at_the_begin(view: View, hook: str) -> set[str]:
    """The names that tests of the hook read with which the next round begins."""
    return {
        name
        for place in view.places
        if isinstance(place.statement, nodes.If) and place.in_hook(hook)
        for arm in place.statement.arms
        if arm.condition is not None
        for name, _ in view.reads(arm.condition)
    }


class _Tests(Knowledge):
    """Remembers that one of its tests was made, whatever it said, and that the path set one of its names: the
    next round then tells itself from this one."""

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        if isinstance(statement, nodes.Set) and self.view.name(statement.target) in self.names:
            return state.with_fact(self.view.name(statement.target), "set")
        return state

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        name = self.test_name(test)
        return state if name is None else state.with_fact(name, "tested")


def _counted(view: View, test: nodes.Expr, counter: str) -> str | None:
    return counter if any(name == counter for name, _ in view.reads(test)) else None
