"""SEC: fields that a policy takes for its own although a client may have sent them, and values that are taken
out of a request without a test."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vernis.lint.facts import Facts, Knowledge
from vernis.lint.first_round import first_round
from vernis.lint.paths import Exit, Paths, Trail
from vernis.lint.repairs import behind_brace
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.view import BIT_OF_HOOK, View, bare, expressions_of, parts_of
from vernis.record import record
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_STATUS = "resp.status"
_STATUS_IS = _STATUS + " is "
_INTERNAL = later(r"req\.http\.x-.+")
_NAMES_MAX = 64  # fields that are followed; a policy with more has more walks than an editor waits for
# Fields that clients, browsers and proxies in front send on purpose.
_FROM_OUTSIDE = later(
    r"req\.http\.x-(forwarded-|real-ip|requested-with|http-method|original-|pull|purge|ban)"
)


# A client chooses these itself, and what such calls make of them. It does not know the value of a secret.
_CHOSEN = later(
    r"req\.http\..*|req\.(url|method|proto|restarts|esi_level)|regsub(all)?\(\)|cookie\..*"
    r"|std\.(tolower|toupper|strstr|querysort|integer|real|ip|fnmatch|collect)\(\)"
)
SECRET_FIELD = later(r"auth|token|secret|key|pass")
_ROUND = ("req.restarts", "req.esi_level", _STATUS)  # names on which the walk depends besides the field


@record
class _FromClient:
    """The domain of fields that still hold what the client sent: ``names`` at the begin. Remembers in
    ``found`` the tests and keys that read such a field. The client's own request is not a restart, and not an
    include of a page."""

    view: View
    found: dict[str, nodes.Expr]
    about: frozenset[str]
    idle: frozenset[int] = frozenset()  # ids of tests that do not count

    def assume(self, state: frozenset[str], test: nodes.Expr, holds: bool) -> frozenset[str] | None:
        known = first_round(self.view, test)
        if known is not None:
            return state if known == holds else None
        if self._status_differs(state, test) is holds:
            return None
        if id(test) not in self.idle:
            self._note(state, test)
        if holds is False and self.view.variable(test) in state:
            return state - {self.view.variable(test) or ""}  # the client did not send it
        return state

    def do(self, state: frozenset[str], statement: nodes.Stmt, trail: Trail) -> frozenset[str]:
        if self.view.call_of(statement) == "hash_data":
            for expr in expressions_of(statement):
                self._note(state, expr)
        if isinstance(statement, nodes.Set | nodes.Unset):
            name = self.view.name(statement.target)
            return state - {name, *(fact for fact in state if fact.startswith(name + " is "))}
        return state

    def _status_differs(self, state: frozenset[str], test: nodes.Expr) -> bool | None:
        """Whether a test of the status names another one than that of the synth; None if that is unknown."""
        if not isinstance(test, nodes.Compare) or self.view.variable(test.left) != _STATUS:
            return None
        right = bare(test.right)
        known = next((fact for fact in state if fact.startswith(_STATUS_IS) and fact != _STATUS_IS), None)
        if known is None or test.op not in ("==", "!=") or not isinstance(right, nodes.NumberLit):
            return None
        return (known == _STATUS_IS + right.digits) == (test.op == "!=")

    def _note(self, state: frozenset[str], expr: nodes.Expr) -> None:
        for name, part in self.view.reads(expr):
            if name in state:
                self.found.setdefault(name, part)


def _is_internal(name: str) -> bool:
    return _INTERNAL.fullmatch(name) is not None and not _FROM_OUTSIDE.match(name)


def _read_names(view: View) -> Iterator[str]:
    """The names that a test or a key reads."""
    for place in view.places:
        statement = place.statement
        if isinstance(statement, nodes.If) or view.call_of(statement) == "hash_data":
            for expr in expressions_of(statement):
                yield from (name for name, _ in view.reads(expr))


def _unset_ends(paths: Paths[frozenset[str]], name: str) -> list[Exit[frozenset[str]]]:
    """How vcl_recv ends in the first round while a field still has the client's value."""
    return [end for end in paths.of_hook("vcl_recv", frozenset((name,))) if name in end.state]


def can_be_sent(view: View, name: str) -> bool:
    """Whether a client's own value of a field is left behind vcl_recv."""
    return bool(_unset_ends(Paths(view, _FromClient(view, {}, frozenset((name, *_ROUND)))), name))


def is_refused(view: View, name: str) -> bool:
    """Whether vcl_recv answers each request in which a client sends the field, or removes the field."""
    paths = Paths(view, _FromClient(view, {}, frozenset((name, *_ROUND))))
    return all(end.action in ("synth", "fail") for end in _unset_ends(paths, name))


def _status_of(view: View, end: nodes.Return) -> str:
    """The fact that ``synth`` was returned with this status."""
    status = bare(end.args[0]) if end.args else None
    return _STATUS_IS + status.digits if isinstance(status, nodes.NumberLit) else _STATUS_IS


def _idle_tests(view: View) -> frozenset[int]:
    """The ids of tests that only decide about fields of a request that has got its answer: the policy reads
    these fields nowhere, and no restart brings them to an origin."""
    read = {name for *_, parts in view.parts for part in parts for name in (view.variable(part),)}
    if view.where.returns("restart") or read & _REQUESTS:
        return frozenset()
    answered = 1 << BIT_OF_HOOK["vcl_deliver"] | 1 << BIT_OF_HOOK["vcl_synth"]

    def is_idle(statement: nodes.Stmt) -> bool:
        match statement:
            case nodes.Set() | nodes.Unset():
                name = view.name(statement.target)
                return name.startswith("req.http.") and name not in read
            case nodes.If():
                return all(is_idle(one) for arm in statement.arms for one in arm.body.statements)
            case nodes.Block():
                return all(map(is_idle, statement.statements))
        return False

    return frozenset(
        id(part)
        for place in view.places
        if isinstance(place.statement, nodes.If) and not place.hooks & ~answered and is_idle(place.statement)
        for condition in expressions_of(place.statement)
        for part in parts_of(condition)
    )


_REQUESTS = {"req", "bereq"}  # a call may read any field of them


def _trusts(view: View, name: str, idle: frozenset[int]) -> nodes.Expr | None:
    """The expression of a later hook that reads the field as the client sent it. A walk for each field has
    two states; one for all fields would have a state for each set of them.

    A field that a test of vcl_recv asks for before it is set is part of the interface: a client or a proxy is
    meant to send it. So only later hooks tell that the policy trusts its own value."""
    found: dict[str, nodes.Expr] = {}
    paths = Paths(view, _FromClient(view, found, frozenset((name, *_ROUND)), idle))
    left = {(end.action, _status_of(view, end.at)) for end in _unset_ends(paths, name)}
    if found:
        return None
    for action, status in sorted(left):
        for hook in _NEXT.get(action, ()):
            paths.of_hook(hook, frozenset((name, status)))
    return found.get(name)


@record
class _ByClient:
    """The domain of paths that a client can take at will. The state tells that a test on the path asked for
    something that it cannot choose. ``guarded`` gets each statement that sets the field, and whether that is
    so on all paths to it."""

    view: View
    name: str
    guarded: dict[nodes.Stmt, bool]

    def assume(self, state: bool, test: nodes.Expr, holds: bool) -> bool:
        return state or not _is_chosen(self.view, test)

    def do(self, state: bool, statement: nodes.Stmt, trail: Trail) -> bool:
        if isinstance(statement, nodes.Set) and self.view.name(statement.target) == self.name:
            self.guarded[statement] = state and self.guarded.get(statement, True)
        return state


def _is_chosen(view: View, expr: nodes.Expr) -> bool:
    """Whether a client chooses all that an expression reads."""
    names = [name for name, _ in view.reads(expr)]
    return all(_CHOSEN.fullmatch(name) and not SECRET_FIELD.search(name) for name in names)


def _gains(view: View, name: str) -> bool:
    """Whether a client that sends the field gets something that it could not have otherwise: what a test of
    something else would refuse to it, or a value, in a test or in the key, that it cannot choose."""
    guarded: dict[nodes.Stmt, bool] = {}
    Paths(view, _ByClient(view, name, guarded)).of_hook("vcl_recv", False)
    if any(guarded.values()):
        return True
    values = (one.value for _, one in view.sets.get(name, ()))
    if all(_is_chosen(view, value) for value in values):
        return False
    hashed = (place.statement for place in view.places if view.call_of(place.statement) == "hash_data")
    return any(
        isinstance(part, nodes.Compare) and view.variable(part.left) == name for part in view.comparisons
    ) or any(name == read for one in hashed for expr in expressions_of(one) for read, _ in view.reads(expr))


class InternalFieldNotCleared(Rule):
    id = "SEC006"
    name = "internal-header-not-cleared"
    severity = Severity.ERROR
    what = (
        "The policy sets a field of the request on some paths, decides about the answer by it later, and "
        "does not unset it at the begin."
    )
    why = (
        "On the other paths the field has the client's value: a client gets the answer for "
        "another group, network or country, and can store it in the cache. A warning if the "
        "client can choose all that sets the field, such as a cookie."
    )
    remedy = "unset the field at the begin of vcl_recv"
    changes = "the field of a client is removed"
    source = "https://github.com/ThijsFeryn/cacheable-site-silex/issues/2"
    bad = (
        'acl office { "192.0.2.0"/24; } '
        'sub vcl_recv { if (client.ip ~ office) { set req.http.X-Group = "office"; } } '
        "sub vcl_hash { hash_data(req.http.X-Group); }"
    )
    good = (
        'acl office { "192.0.2.0"/24; } sub vcl_recv { unset req.http.X-Group; '
        'if (client.ip ~ office) { set req.http.X-Group = "office"; } } '
        "sub vcl_hash { hash_data(req.http.X-Group); }"
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        read = set(_read_names(view))
        names = {name for name in view.sets if name in read and _is_internal(name)}
        first: dict[str, nodes.Set] = {}
        for place in view.places if names else ():
            statement = place.statement
            if isinstance(statement, nodes.Set) and place.in_hook("vcl_recv"):
                name = view.name(statement.target)
                if name in names and not any(own == name for own, _ in view.reads(statement.value)):
                    first.setdefault(name, statement)
        idle = _idle_tests(view) if first else frozenset()
        for name in list(first)[:_NAMES_MAX]:
            trusting = _trusts(view, name, idle)
            if trusting is not None:
                yield Finding(
                    view.span(first[name]),
                    f"on other paths {name} has the value that the client sent",
                    labels=((view.span(trusting), "this trusts the field"),),
                    fix=self._fix(view, first[name]),
                    severity=None if _gains(view, name) else Severity.WARNING,
                )

    def _fix(self, view: View, at_set: nodes.Set) -> Fix | None:
        """Clears the field in the client's own request; a restart or an include keeps it."""
        own = view.defines("vcl_recv")
        if not own:
            return None
        text = f"if (req.restarts == 0 && req.esi_level == 0) {{ unset {view.written(at_set.target)}; }}"
        return Fix("clear what the client sent", (behind_brace(view, own[0], text),), safe=True)


_NEXT = {
    "hash": ("vcl_hash", "vcl_hit", "vcl_miss", "vcl_pass", "vcl_deliver"),
    "pass": ("vcl_pass", "vcl_deliver"),
    "synth": ("vcl_synth",),
    "pipe": ("vcl_pipe",),
    "purge": ("vcl_hash", "vcl_purge", "vcl_synth"),
}


_EXTRACT = later(r"\\[1-9]")
_WHOLE_BEGIN = later(r"(\(\?[a-z]+\))?(\^|\.\*)")
_WHOLE_END = later(r"(\.\*\)?|\$)$")
# Texts of many kinds. A pattern that matches each of them is taken for one that always matches.
_SAMPLES = (
    "a",
    "/",
    "/a/b?c=d",
    "x=1; y=2",
    "example.com",
    "192.0.2.1, 192.0.2.2",
    "0",
    "-",
    "%",
    "en-GB,en;q=0.5",
)


class ExtractFallback(Rule):
    id = "SEC017"
    name = "regsub-extract-fallback"
    severity = Severity.WARNING
    what = "A value is taken out of a text by a substitution, without a test that the pattern matches."
    why = (
        "Without a match the substitution returns the whole text: a whole Cookie field becomes "
        "the user id, goes into the key, or is sent on."
    )
    remedy = "test `text ~ pattern` before, and unset the field otherwise"
    source = "https://www.fastly.com/documentation/guides/vcl/best-practices/"
    bad = 'sub vcl_recv { set req.http.X-User = regsub(req.http.Cookie, ".*user=([^;]+).*", "\\1"); }'
    good = (
        'sub vcl_recv { if (req.http.Cookie ~ "user=") { '
        'set req.http.X-User = regsub(req.http.Cookie, ".*user=([^;]+).*", "\\1"); } }'
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any("regsub()"):
            return
        calls: dict[nodes.Stmt, list[tuple[nodes.CallExpr, str]]] = {}
        for place in view.places:
            if isinstance(place.statement, nodes.Set):
                found = [
                    (call, subject)
                    for call in parts_of(place.statement.value)
                    if isinstance(call, nodes.CallExpr) and (subject := _extracts_from(view, call))
                ]
                if found:
                    calls[place.statement] = found
        open_calls: dict[nodes.CallExpr, str] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            for call, subject in calls.get(statement, ()):
                if not state.has(subject, "true"):
                    open_calls[call] = subject

        subjects = frozenset(subject for found in calls.values() for _, subject in found)
        matched = Knowledge(view, subjects, lambda test: _matched(view, test, subjects), watch, ("regsub()",))
        paths = Paths(view, matched)
        for sub in self._hooks(view, calls):
            paths.of_hook(sub, Facts())
        for call, subject in open_calls.items():
            yield finding(view, call, f"if the pattern does not match, this is the whole text of {subject}")

    def _hooks(self, view: View, calls: dict[nodes.Stmt, list[tuple[nodes.CallExpr, str]]]) -> list[str]:
        """The hooks that run one of the calls."""
        places = [place for place in view.places if place.statement in calls]
        return [key for key in view.subs if key in BIT_OF_HOOK and any(p.in_hook(key) for p in places)]


def _extracts_from(view: View, call: nodes.CallExpr) -> str:
    """The name of the text whose one group a call returns, if it replaces the whole text by it."""
    if view.name(call.name) != "regsub" or len(call.args) != 3:
        return ""
    pattern, by = view.text(call.args[1].value), view.text(call.args[2].value)
    if pattern is None or by is None or not _EXTRACT.fullmatch(by):
        return ""
    if not _WHOLE_BEGIN.match(pattern) or not _WHOLE_END.search(pattern):
        return ""
    try:
        compiled = re.compile(pattern)
    except re.error:
        return ""
    always = all(compiled.search(sample) for sample in _SAMPLES)
    return "" if always else view.variable(call.args[0].value) or ""


def _matched(view: View, test: nodes.Expr, subjects: frozenset[str]) -> str | None:
    """The name that a test compares with a pattern."""
    if not isinstance(test, nodes.Compare) or test.op not in ("~", "!~"):
        return None
    name = view.variable(test.left)
    return name if name in subjects else None
