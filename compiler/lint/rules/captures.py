"""RE: groups of a match that are read where another match, or none, was the latest."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.paths import Paths, Trail
from vernis.lint.rule import Finding, Rule, finding
from vernis.lint.view import View, expressions_of, parts_of
from vernis.record import field, record
from vernis.semantics.vocabulary import HOOKS
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_MODULE = "re2"
_READS = (".backref", ".namedref")
# The latest match of a module or an object on a path.
_NONE, _FAILED = "no match", "a match that failed"
# A request begins in these hooks, so that no match was made before. Others can follow one.
_FIRST = ("vcl_recv", "vcl_init")

Latest = tuple[tuple[str, str], ...]  # the owners whose latest match is known not to have held


@record
class _Matches:
    """The domain of the latest match of each owner. ``found`` gets the reads after none, or a failed one."""

    view: View
    owners: frozenset[str]
    found: dict[nodes.Expr, str] = field(default_factory=dict)

    def assume(self, state: Latest, test: nodes.Expr, holds: bool) -> Latest:
        state = self._read(state, test)
        owner = self._match_of(test)
        if owner is None:
            return state
        return _without(state, owner) if holds else (*_without(state, owner), (owner, _FAILED))

    def do(self, state: Latest, statement: nodes.Stmt, trail: Trail) -> Latest:
        for expr in expressions_of(statement):
            state = self._read(state, expr)
        return state

    def _read(self, state: Latest, expr: nodes.Expr) -> Latest:
        """Notes the reads of an expression. A match inside of a larger expression may have held."""
        for part in parts_of(expr):
            if not isinstance(part, nodes.CallExpr):
                continue
            owner, _, method = self.view.name(part.name).rpartition(".")
            known = dict(state).get(owner)
            if "." + method in _READS and known is not None:
                self.found.setdefault(part, known)
            elif self._match_of(part) is not None:
                state = _without(state, owner)
        return state

    def _match_of(self, expr: nodes.Expr) -> str | None:
        if not isinstance(expr, nodes.CallExpr):
            return None
        owner, _, method = self.view.name(expr.name).rpartition(".")
        return owner if method == "match" and owner in self.owners else None


def _without(state: Latest, owner: str) -> Latest:
    return tuple(pair for pair in state if pair[0] != owner)


class CapturedGroupClobbered(Rule):
    id = "RE008"
    name = "captured-group-clobbered"
    severity = Severity.WARNING
    what = "A captured group is read on a path where the latest match failed, or where there was none."
    why = (
        "backref() belongs to the latest match(). Without a match it returns its fallback, such "
        "as **BACKREF FUNCTION FAILED**, which goes into the URL, the key or the field."
    )
    remedy = "copy the group to a field right behind its match, or read it only where the match held"
    source = "https://github.com/ysugimoto/falco/blob/main/docs/rules.md"
    bad = (
        'import re2; sub vcl_recv { if (re2.match("^/u/([0-9]+)", req.url)) { '
        'if (re2.match("beta=(1)", req.http.Cookie)) { set req.http.X-Beta = "1"; } '
        'set req.http.X-User = re2.backref(1, ""); } }'
    )
    good = (
        'import re2; sub vcl_recv { if (re2.match("^/u/([0-9]+)", req.url)) { '
        'set req.http.X-User = re2.backref(1, ""); '
        'if (re2.match("beta=(1)", req.http.Cookie)) { set req.http.X-Beta = "1"; } } }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        if not any(name.endswith(f"{read}()") for name in view.where.tokens for read in _READS):
            return
        owners = {_MODULE} | {
            place.statement.name.lower()
            for place in view.places
            if isinstance(place.statement, nodes.New)
            and view.name(place.statement.constructor) == f"{_MODULE}.regex"
        }
        matches = _Matches(view, frozenset(owners))
        paths: Paths[Latest] = Paths(view, matches)
        for hook in HOOKS:
            start = tuple((owner, _NONE) for owner in sorted(owners)) if hook in _FIRST else ()
            paths.of_hook(hook, start)
        for part, known in matches.found.items():
            yield finding(view, part, f"on a path to this, the latest match is {known}")
