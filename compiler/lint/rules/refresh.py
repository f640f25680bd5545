"""SEC: clients that decide whether the cache is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from vernis.lint.facts import TRUE, Facts
from vernis.lint.first_round import first_round
from vernis.lint.gates import Gated
from vernis.lint.paths import Paths, Trail
from vernis.lint.rule import Finding, Rule, finding
from vernis.lint.rules.security import guard_name, guard_names, is_guarded
from vernis.lint.view import Parts, Place, View, expressions_of, field_of
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_MISSES = ("req.hash_always_miss", "req.hash_ignore_busy")
_MEANT = ("cache-control", "pragma")  # fields with which a client asks for a new response
_WORD = later(
    r"refresh|no-?_?cache|bypass|reload|(skip|force|without|no)-?_?(cache|miss|edge|cdn|varnish)|flush", re.I
)
_QUERY = later(r"\\?\?|=|&")
_SECRET_MIN = 10  # characters of a text that a client would have to know
_BACKEND = ("beresp.uncacheable",)
_TO_ORIGIN = "each such request goes to the origin"
_Reads: TypeAlias = Callable[[View, nodes.Expr, dict[str, str]], str]


class ClientForcesFetch(Rule):
    id = "SEC019"
    name = "client-forces-fetch"
    severity = Severity.WARNING
    what = (
        "A field, a cookie, a method or a parameter that any client can send makes a request go to the "
        "origin, or gives it a key of its own."
    )
    why = (
        "Whoever sends it in a loop reaches the origin each time. Browsers send `Cache-Control: "
        "no-cache` with each reload, crawlers with each request."
    )
    remedy = "test client.ip against an ACL, or a secret, before it"
    source = "https://owasp.org/www-community/attacks/Denial_of_Service"
    bad = "sub vcl_recv { if (req.http.X-Refresh) { set req.hash_always_miss = true; } }"
    good = (
        'acl editors { "192.0.2.0"/24; } sub vcl_recv { '
        "if (req.http.X-Refresh && client.ip ~ editors) { set req.hash_always_miss = true; } }"
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        asked = dict(_asked(view))
        if not asked:
            return
        open_to: dict[nodes.Stmt, None] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            if statement in asked and not is_guarded(state):
                open_to[statement] = None

        fields = (view.variable(test.left) or "" for test in view.comparisons if _guard(view, test))
        also = guard_names(view).union(fields, _MISSES, ("hash_data()", "req.restarts"), _BACKEND)
        paths = Paths(view, _First(view, lambda test: _guard(view, test), watch, also))
        for hook in ("vcl_recv", "vcl_hash", "vcl_backend_response"):
            for end in paths.of_hook(hook, Facts()):
                if end.at in asked and not is_guarded(end.state):
                    open_to[end.at] = None
        for statement, (name, said) in asked.items():
            if statement in open_to:
                yield finding(view, statement, f"any client can send {name}: {said}")


class _First(Gated):
    """Leaves out restarts: a client's own request is the first round."""

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        known = first_round(self.view, test)
        return super().assume(state, test, holds) if known is None or known == holds else None


def _guard(view: View, test: nodes.Expr) -> str | None:
    """A name of a test that tells some clients from others: also a long text that a client must know."""
    name = guard_name(view, test)
    if name is not None or not isinstance(test, nodes.Compare) or test.op not in ("==", "!="):
        return name
    field = field_of(view.variable(test.left) or "")
    if field is None or field[1] in _MEANT:
        return None
    text = view.text(test.right)
    is_secret = (
        any(isinstance(part, nodes.CallExpr) for part in view.inside(test.right))
        if text is None
        else (len(text) >= _SECRET_MIN)
    )
    return f"guard {view.written(test.left)} == {view.written(test.right)}" if is_secret else None


def _asked(view: View) -> Iterator[tuple[nodes.Stmt, tuple[str, str]]]:
    """The statements that send a request to the origin because of what a client can send, with its name and
    what happens."""
    marks = _marks(view)
    for place, effect in view.each(_effects):
        if effect is None:
            yield from _hashed(view, place.statement)
        else:
            reads, said = effect
            names = [name for one in view.enclosing.of(place) if (name := reads(view, one, marks))]
            if names:
                yield place.statement, (names[-1], said)


def _effects(view: View, places: Sequence[Place]) -> Iterator[tuple[Place, tuple[_Reads, str] | None]]:
    """The statements that may send a request to the origin, with ``_effect_of``, and those of the key."""
    for place in places:
        effect = _effect_of(view, place)
        if effect is not None or view.call_of(place.statement) == "hash_data":
            yield place, effect


def _effect_of(view: View, place: Place) -> tuple[_Reads, str] | None:
    """The reader of the conditions around a statement, and words for what the statement does."""
    statement = place.statement
    if isinstance(statement, nodes.Set) and view.variable(statement.value) == TRUE:
        name = view.name(statement.target)
        if name in _MISSES:
            return _any_input, _TO_ORIGIN
        if name in _BACKEND and place.in_hook("vcl_backend_response"):
            return _wish, "then nobody gets this response from the cache"
    if isinstance(statement, nodes.Return) and statement.action is not None:
        if statement.action.text.lower() == "pass" and place.in_hook("vcl_recv", "vcl_backend_response"):
            return _wish, _TO_ORIGIN
    return None


def _hashed(view: View, statement: nodes.Stmt) -> Iterator[tuple[nodes.Stmt, tuple[str, str]]]:
    for expr in expressions_of(statement):
        for name, part in view.reads(expr):
            if _is_wish(view, name):
                yield statement, (_sent(view, name, part), "each value makes a copy of its own")
                break


def _marks(view: View) -> dict[str, str]:
    """The fields that the policy sets because a client asked for a new response, each with what it sent."""
    found: dict[str, str] = {}
    if not any(view.each_part(_may_wish)):
        return found
    for name, sets in view.sets.items():
        field = field_of(name)
        if field is None or field[0] != "req":
            continue
        for place, _ in sets:
            conditions = view.enclosing.of(place)
            wishes = [wish for one in conditions if (wish := _wish(view, one, {}))]
            if wishes and not any(_guard(view, part) for one in conditions for part in view.inside(one)):
                found |= dict.fromkeys((name, "be" + name), wishes[-1])
    return found


def _wish(view: View, test: nodes.Expr, marks: dict[str, str]) -> str:
    """The input of a test that asks for a response from the origin; or an empty text."""
    for name, part in view.reads(test):
        if name in marks:
            return marks[name]
        if _is_wish(view, name):
            return _sent(view, name, part)
    return _parameter(view, test, _WORD)


def _may_wish(view: View, group: Sequence[Parts]) -> Iterator[bool]:
    """Whether a test may be a wish, if no statement sets what it reads."""
    for place, one, _ in group:
        if isinstance(place.statement, nodes.If):
            names = (name for name, _ in view.reads(one))
            if any(map(_is_named_as_wish, names)) or _parameter(view, one, _WORD):
                yield True


def _any_input(view: View, test: nodes.Expr, marks: dict[str, str]) -> str:
    """The input of a test that a client chooses, besides the host and the path; or an empty text."""
    for name, part in view.reads(test):
        field = field_of(name)
        if name in marks:
            return marks[name]
        if name == "req.method":
            return "this method"
        if field and field[0] == "req" and name not in view.sets and field[1] != "host":
            return _sent(view, name, part)
    return _parameter(view, test, _QUERY) or _parameter(view, test, _WORD)


def _sent(view: View, name: str, part: nodes.Expr) -> str:
    """The field as a client writes it."""
    written = view.written(part)
    return (
        written.partition(".http.")[2]
        if isinstance(part, nodes.NameExpr) and ".http." in written
        else (name.partition(".http.")[2])
    )


def _is_wish(view: View, name: str) -> bool:
    return _is_named_as_wish(name) and name.removeprefix("be") not in view.sets


def _is_named_as_wish(name: str) -> bool:
    field = field_of(name)
    if field is None or field[0] not in ("req", "bereq"):
        return False
    return field[1] in _MEANT or _WORD.search(field[1]) is not None


def _parameter(view: View, test: nodes.Expr, words: re.Pattern[str]) -> str:
    """The pattern of a parameter that a test looks for in the URL."""
    for part in view.inside(test):
        if isinstance(part, nodes.Compare) and view.variable(part.left) in ("req.url", "bereq.url"):
            text = view.text(part.right) or ""
            if _QUERY.search(text) and words.search(text):
                return f"a URL with {text}"
        elif isinstance(part, nodes.CallExpr) and view.name(part.name) == "part":  # req.url.query["x"]
            key = view.text(part.args[-1].value) or ""
            if view.variable(part.args[0].value) in ("req.url", "bereq.url") and words.search(key + "="):
                return f"the parameter {key}"
    return ""
