"""BE: directors that no request reaches, and directors that cannot give a backend."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.rule import Finding, Rule, finding
from vernis.lint.view import View
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_MODULES = ("directors.", "dynamic.director", "saintmode.saintmode")
_PARAMETERS = "directors.shard_param"  # no director
_FALLBACK = "directors.fallback"
_ADD = "add_backend"
_BUILDS = frozenset(
    (_ADD, "remove_backend", "reconfigure", "clear", "associate", "debug", "set_warmup", "set_rampup")
)
_LOOKUP = ("directors", "lookup")
_WITH_WEIGHT = ("directors.random", "directors.hash")


def _made(view: View) -> Iterator[tuple[nodes.New, str]]:
    """The directors of the author, with the names of their kinds."""
    for place in view.places:
        statement = place.statement
        if isinstance(statement, nodes.New):
            kind = view.name(statement.constructor)
            if kind.startswith(_MODULES) and kind != _PARAMETERS:
                yield statement, kind


def _asked(view: View) -> frozenset[str]:
    """The names of all objects that an expression asks for something, with those that are looked up."""
    found: set[str] = set()
    for *_, parts in view.parts:
        for part in parts:
            if isinstance(part, nodes.CallExpr):
                owner, _, method = view.name(part.name).partition(".")
                if method not in _BUILDS:
                    found.add(owner)
                if (owner, method) == _LOOKUP and part.args:
                    found.add((view.text(part.args[0].value) or "").lower())
    return frozenset(found)


class DirectorUnused(Rule):
    id = "BE007"
    name = "director-unused"
    severity = Severity.WARNING
    what = "A director is built, and nothing asks it for a backend."
    why = (
        "Requests that name no backend go to the first one of the policy, and nothing replaces it "
        "when it is down."
    )
    remedy = "set req.backend_hint = NAME.backend() in vcl_recv, or delete the director"
    source = "https://varnish-cache.org/docs/trunk/users-guide/vcl-backends.html#directors"
    bad = (
        'import directors; backend b { .host = "192.0.2.2"; } '
        "sub vcl_init { new pool = directors.round_robin(); pool.add_backend(b); }"
    )
    good = (
        'import directors; backend b { .host = "192.0.2.2"; } '
        "sub vcl_init { new pool = directors.round_robin(); pool.add_backend(b); } "
        "sub vcl_recv { set req.backend_hint = pool.backend(); }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        made = list(_made(view))
        asked = _asked(view) if made else frozenset()
        for statement, _ in made:
            if statement.name.lower() not in asked:
                yield finding(
                    view,
                    statement,
                    f"nothing calls {statement.name}.backend(), so no request goes to this director",
                )


class DirectorWithoutMember(Rule):
    id = "BE008"
    name = "director-without-member"
    severity = Severity.WARNING
    what = (
        "A director has no backend to give: none is added, one has the weight 0, or a fallback director has "
        "one twice."
    )
    why = (
        "Without a backend it answers each request with 503. A backend added twice is no reserve for itself."
    )
    remedy = "add each backend once, with a weight above zero"
    source = "https://varnish-cache.org/docs/trunk/reference/vmod_directors.html"
    bad = (
        "import directors; sub vcl_init { new pool = directors.round_robin(); } "
        "sub vcl_recv { set req.backend_hint = pool.backend(); }"
    )
    good = (
        'import directors; backend b { .host = "192.0.2.2"; } '
        "sub vcl_init { new pool = directors.round_robin(); pool.add_backend(b); } "
        "sub vcl_recv { set req.backend_hint = pool.backend(); }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        kinds = {statement.name.lower(): kind for statement, kind in _made(view)}
        added: dict[str, list[nodes.CallExpr]] = {}
        for *_, parts in view.parts if kinds else ():
            for part in parts:
                if isinstance(part, nodes.CallExpr):
                    owner, _, method = view.name(part.name).partition(".")
                    if method == _ADD and owner in kinds:
                        added.setdefault(owner, []).append(part)
        asked = _asked(view) if kinds else frozenset()
        for statement, kind in _made(view):
            name = statement.name.lower()
            if kind.startswith("directors.") and name in asked and name not in added:
                yield finding(
                    view,
                    statement,
                    f"no statement adds a backend to {statement.name}: requests to it get 503",
                )
        for owner, calls in added.items():
            if owner in asked:
                yield from self._idle(view, kinds[owner], calls)

    def _idle(self, view: View, kind: str, calls: list[nodes.CallExpr]) -> Iterator[Finding]:
        """The members that get no request."""
        seen: set[str] = set()
        for call in calls:
            name = view.variable(call.args[0].value) if call.args else None
            if kind == _FALLBACK and name is not None and name in seen:
                yield finding(view, call, f"{name} is a member already: it is no reserve for itself")
            seen.add(name or "")
            if kind in _WITH_WEIGHT and len(call.args) > 1 and _is_zero(call.args[1].value):
                yield finding(view, call, "with the weight 0 this backend gets no request")


def _is_zero(value: nodes.Expr) -> bool:
    return isinstance(value, nodes.NumberLit) and value.unit is None and float(value.digits) == 0
