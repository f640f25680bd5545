"""CK: the variants of a response, which Vary names."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.facts import ABSENT, Facts, Knowledge
from vernis.lint.paths import Paths, Trail
from vernis.lint.rule import Finding, Rule, finding
from vernis.lint.view import View, expressions_of
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_VARY = "beresp.http.vary"
CODINGS = "req.http.accept-encoding"
# Nearly every visitor has other values of these fields.
_MANY_VALUES = ("user-agent", "cookie", "referer", "accept-language", "x-forwarded-for")
_WORD = later(r"[a-z0-9-]+")


class VaryRemoved(Rule):
    id = "CK006"
    name = "vary-removed"
    severity = Severity.WARNING
    what = "The policy removes or replaces the Vary field of a response before it is stored."
    why = "Vary names the request fields that the origin used. Without it the first variant is served to all."
    remedy = 'keep the field, and add names to it: set beresp.http.Vary = beresp.http.Vary + ", X-Device"'
    source = "https://github.com/elgentos/magento2-varnish-extended/pull/127"
    bad = "sub vcl_backend_response { unset beresp.http.Vary; }"
    good = 'sub vcl_backend_response { set beresp.http.Vary = beresp.http.Vary + ", X-Device"; }'

    def check(self, view: View) -> Iterator[Finding]:
        found: dict[nodes.Stmt, None] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            if isinstance(statement, nodes.Set | nodes.Unset) and view.name(statement.target) == _VARY:
                reads = view.reads(statement.value) if isinstance(statement, nodes.Set) else ()
                kept = any(name.endswith(".http.vary") for name, _ in reads)
                if not kept and not state.has(_VARY, ABSENT):
                    found[statement] = None

        Paths(view, _FirstVary(view, (_VARY,), watch=watch, also=())).of_hook("vcl_backend_response", Facts())
        for statement in found:
            yield finding(view, statement, "this drops the names that the origin sent in Vary")


class _FirstVary(Knowledge):
    """Knows whether the origin sent Vary. What the policy set itself may be replaced."""

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        after = super().do(state, statement, trail)
        is_own = isinstance(statement, nodes.Set | nodes.Unset) and self.view.name(statement.target) == _VARY
        return after.with_fact(_VARY, ABSENT) if is_own else after


class VaryHighCardinality(Rule):
    id = "CK007"
    name = "vary-high-cardinality"
    severity = Severity.WARNING
    what = "The key or Vary contains a field that differs for nearly every visitor, such as User-Agent."
    why = "Each value makes a copy of its own: almost no request finds one, and the origin gets the load."
    remedy = "reduce the field to a few classes in vcl_recv, and use the class in the key or in Vary"
    source = "https://www.section.io/blog/vary-user-agent-http-response-header-varnish-cache/"
    bad = "sub vcl_hash { hash_data(req.http.User-Agent); }"
    good = (
        'sub vcl_recv { if (req.http.User-Agent ~ "Mobile") { set req.http.X-Device = "mobile"; } '
        'else { set req.http.X-Device = "desktop"; } } sub vcl_hash { hash_data(req.http.X-Device); }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any("hash_data()", _VARY):
            return
        for place in view.places:
            statement = place.statement
            if view.call_of(statement) == "hash_data":
                call = next(expressions_of(statement))
                assert isinstance(call, nodes.CallExpr)
                name = view.variable(call.args[0].value) or ""
                fields = [name.removeprefix("req.http.")]
            elif isinstance(statement, nodes.Set) and view.name(statement.target) == _VARY:
                fields = _WORD.findall((_constant(view, statement.value)).lower())
            else:
                continue
            for field in fields:
                if field in _MANY_VALUES and not _is_reduced(view, field):
                    yield finding(view, statement, f"nearly every visitor has another {field}")


def _constant(view: View, value: nodes.Expr) -> str:
    """The constant texts of an expression outside of calls."""
    if isinstance(value, nodes.Sum):
        return " ".join(view.text(operand) or "" for operand in value.operands)
    return view.text(value) or ""


def _is_reduced(view: View, field: str) -> bool:
    """Whether the policy sets the field of the request, and so can have reduced it to a few values."""
    return any(
        isinstance(place.statement, nodes.Set) and view.name(place.statement.target) == "req.http." + field
        for place in view.places
    )


class AcceptEncodingByHand(Rule):
    id = "CK008"
    name = "accept-encoding-by-hand"
    severity = Severity.NOTE
    what = "The policy rewrites Accept-Encoding, or puts it into the key."
    why = (
        "The core stores one compressed copy, and unpacks it for clients that cannot read it. Own "
        "rules add copies, and often ignore q=0."
    )
    remedy = "delete these statements"
    source = "https://github.com/jonbaldie/varnish/pull/36"
    bad = 'sub vcl_recv { if (req.http.Accept-Encoding ~ "gzip") { set req.http.Accept-Encoding = "gzip"; } }'
    good = 'sub vcl_recv { if (req.http.Accept-Language ~ "de") { set req.http.X-Lang = "de"; } }'

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any(CODINGS):
            return
        for place in view.places:
            statement = place.statement
            hashed = view.call_of(statement) == "hash_data" and any(
                name == CODINGS for expr in expressions_of(statement) for name, _ in view.reads(expr)
            )
            rewritten = isinstance(statement, nodes.Set | nodes.Unset) and (
                view.name(statement.target) == CODINGS and place.in_hook("vcl_recv")
            )
            if hashed or rewritten:
                yield finding(view, statement, "the core does this already")
                return
