"""CK: the cache key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vernis.lint.facts import TRUE, Facts, Knowledge
from vernis.lint.paths import Paths, Trail
from vernis.lint.repairs import before
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.view import Place, View, expressions_of
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_HOST = "if (req.http.host) { hash_data(req.http.host); } else { hash_data(server.ip); }"
_HOST_FIVE = "hash_data(req.http.host ?? text(server.ip));"


def hashed_names(view: View) -> frozenset[str]:
    """All names that the author's hash_data() calls read."""
    return frozenset(view.each(_hashed_names))


def _hashed_names(view: View, places: Sequence[Place]) -> Iterator[str]:
    for place in places:
        if view.call_of(place.statement) == "hash_data":
            for expr in expressions_of(place.statement):
                yield from (name for name, _ in view.reads(expr))


class Hashed(Knowledge):
    """Remembers which of its names were hashed."""

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        if self.view.call_of(statement) == "hash_data":
            for expr in expressions_of(statement):
                for name, _ in self.view.reads(expr):
                    if name in self.names:
                        state = state.with_fact(name, TRUE)
        return state

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        return state


def _keys_without(view: View, names: frozenset[str]) -> Iterator[nodes.Return]:
    """The author's returns of vcl_hash before which none of the names was hashed. The key of a request that
    is passed, or given to another policy, finds nothing."""
    ends = Paths(view, Knowledge(view, (), also=())).of_hook("vcl_recv", Facts())
    if not any(end.action == "hash" for end in ends):
        return
    for end in Paths(view, Hashed(view, names, also=())).of_hook("vcl_hash", Facts()):
        if end.action == "lookup" and not end.state.known and not view.is_builtin(end.at):
            yield end.at


class HashWithoutHost(Rule):
    id = "CK002"
    name = "hash-without-host"
    severity = Severity.ERROR
    what = "A path through vcl_hash ends without the host in the cache key."
    why = "Two sites with the same path share one object, so that one site's page appears on the other."
    remedy = "hash_data(req.http.host), or leave the return out, so that the built-in policy adds it"
    changes = (
        "the host, or the address of the server, is part of these keys, so that the cache fetches "
        "these pages again"
    )
    source = "https://github.com/alphagov/govuk-puppet/pull/10604"
    bad = "sub vcl_hash { hash_data(req.url); return (lookup); }"
    good = "sub vcl_hash { hash_data(req.url); hash_data(req.http.host); return (lookup); }"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.returns("lookup"):
            return
        for at in _keys_without(view, view.derived_from("req.http.host") | {"server.ip"}):
            edit = before(view, at, _HOST_FIVE if view.is_of_five(at) else _HOST)
            fix = Fix("add the host to the key", (edit,), safe=True)
            yield finding(view, at, "the key of this request does not contain the host", fix=fix)


class HashWithoutUrl(Rule):
    id = "CK003"
    name = "hash-without-url"
    severity = Severity.ERROR
    what = "A path through vcl_hash ends without the URL in the cache key."
    why = "All URLs of a host share one object: the first page fetched is served for each of them."
    remedy = "hash_data(req.url), or leave the return out, so that the built-in policy adds it"
    changes = "the URL is part of these keys, so that the cache fetches these pages again"
    source = "https://varnish-cache.org/docs/trunk/users-guide/vcl-hashing.html"
    bad = "sub vcl_hash { hash_data(req.http.host); return (lookup); }"
    good = "sub vcl_hash { hash_data(req.http.host); hash_data(req.url); return (lookup); }"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.returns("lookup"):
            return
        for at in _keys_without(view, view.derived_from("req.url")):
            fix = Fix("add the URL to the key", (before(view, at, "hash_data(req.url);"),), safe=True)
            yield finding(view, at, "the key of this request does not contain the URL", fix=fix)
