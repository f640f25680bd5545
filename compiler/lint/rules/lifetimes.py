"""CS: how long responses are stored, and which of them should not be."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.enclosing import which
from vernis.lint.facts import ABSENT, EXPIRED, FALSE, POSITIVE, TRUE, Facts, Knowledge, facts
from vernis.lint.paths import Exit, Paths, Trail
from vernis.lint.repairs import before, only_if
from vernis.lint.route import FAILED, RESPONSE, fetched
from vernis.lint.rule import Finding, Fix, Rule, finding, one_cause
from vernis.lint.rules.storing import (
    CHECKED,
    STORED,
    follows_rfc9111,
    found_at,
    is_stored,
    passed_keys,
    seconds,
    set_cookie_stored,
)
from vernis.lint.view import Place, View, bare, outcome, walk
from vernis.record import replace
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

HOOK = RESPONSE
_ERROR = 503  # the status that CS009 follows
_FOUND = 200
_BACKGROUND = "bereq.is_bgfetch"
_WIDE = "wide"
_TTL = "beresp.ttl"
_BRIEF_S = 60  # an error may be stored so long: it protects a broken origin
_PASS_MAX_S = 3600  # a key that is only passed should be looked at again after this time
_MARKER_MAX_S = 86400  # the ttl of an uncacheable response, which ends with the first cacheable one


def sets_of(view: View, name: str, hook: str) -> list[tuple[Place, nodes.Set]]:
    """The author's assignments to a name that a hook can run."""
    return [(place, statement) for place, statement in view.sets.get(name, ()) if place.in_hook(hook)]


class Everywhere:
    """Which statements run for nearly every response with the status 200 that may be stored: no test
    restricts them, or only tests that read nothing but ``wide`` names. Follows the text, so it is cheap."""

    def __init__(self, view: View, hook: str, wide: tuple[str, ...]) -> None:
        self.view, self.wide = view, {*wide, "true", "false"}
        self.everywhere: set[nodes.Stmt] = set()
        self._subs: dict[tuple[str, bool], bool] = {}
        self._sub(hook, False)

    def _sub(self, key: str, narrow: bool) -> bool:
        if (key, narrow) not in self._subs:
            self._subs[key, narrow] = narrow
            for definition in self.view.defines(key):
                narrow = self._block(definition.body, narrow)
            self._subs[key, narrow] = narrow
        return self._subs[key, narrow]

    def _block(self, block: nodes.Block, narrow: bool) -> bool:
        """Whether only some responses come to the end of a block."""
        for statement in block.statements:
            if not narrow:
                self.everywhere.add(statement)
            match statement:
                case nodes.Block():
                    narrow = self._block(statement, narrow)
                case nodes.For():
                    narrow = self._block(statement.body, narrow)
                case nodes.If():
                    narrow = self._if(statement, narrow)
                case nodes.CallSub() if statement.value is None:
                    narrow = self._sub(statement.name.text.lower(), narrow)
                case nodes.Set() if self.view.name(statement.target) == "beresp.uncacheable":
                    narrow = True
        return narrow

    def _if(self, statement: nodes.If, narrow: bool) -> bool:
        inside = after = narrow
        for arm in statement.arms:
            result = True if arm.condition is None else self._result(arm.condition)
            if result is False:
                continue
            inside = inside or result is None
            self._block(arm.body, inside)
            after = after or (inside and any(isinstance(one, nodes.Return) for one in walk(arm.body)))
            if result is True:
                break
        return after

    def _result(self, test: nodes.Expr) -> bool | str | None:
        """True, False, WIDE for a test that does not restrict, None for one that does."""
        test = bare(test)
        match test:
            case nodes.Not():
                result = self._result(test.operand)
                return not result if isinstance(result, bool) else result
            case nodes.And() | nodes.Or():
                results = [self._result(operand) for operand in test.operands]
                decides = isinstance(test, nodes.Or)
                if decides in results:
                    return decides
                return None if None in results else _WIDE if _WIDE in results else not decides
        status = of_status(self.view, test, _FOUND)
        if status is not None:
            return status
        if isinstance(test, nodes.Compare) and self.view.variable(test.left) == "beresp.http.set-cookie":
            return None  # it chooses cookies by name
        return _WIDE if {name for name, _ in self.view.reads(test)} <= self.wide else None


class StripSetCookieBlindly(Rule):
    id = "CS002"
    name = "strip-set-cookie-blindly"
    severity = Severity.WARNING
    what = "Set-Cookie is removed from responses, whatever their URL or type."
    why = (
        "The visitor never gets the cookie, so that a login fails, and the page made for this "
        "visitor is stored for everybody. A note if the origin gave the response a ttl."
    )
    remedy = "remove the field only for URLs or types of content that need no cookie, such as images"
    source = "https://github.com/magento/magento2/issues/39147"
    bad = "sub vcl_backend_response { unset beresp.http.Set-Cookie; }"
    good = 'sub vcl_backend_response { if (bereq.url ~ "^/static/") { unset beresp.http.Set-Cookie; } }'

    def check(self, view: View) -> Iterator[Finding]:
        fields = ("beresp.http.set-cookie", "beresp.http.cache-control")
        everywhere = Everywhere(view, HOOK, ("bereq.method", "beresp.ttl", *fields, *STORED)).everywhere
        ways = _WaysOfTtl(view, fields[0])
        for place in view.places:
            statement = place.statement
            if isinstance(statement, nodes.Unset) and view.name(statement.target) == fields[0]:
                if statement in everywhere:
                    message = "this removes Set-Cookie from every response that is stored" + which(
                        view, place
                    )
                    severity = Severity.NOTE if ways.are_of_origin(statement) else None
                    yield replace(finding(view, statement, message), severity=severity)


class _WaysOfTtl:
    """The domain of whose ttl a response has: unknown, asked for (then the origin gave it), or own."""

    def __init__(self, view: View, removed: str) -> None:
        self.view, self.removed = view, removed
        self.about = frozenset((_TTL, removed))
        self.found: dict[nodes.Stmt, set[str]] | None = None

    def are_of_origin(self, statement: nodes.Stmt) -> bool:
        if self.found is None:
            self.found = {}
            Paths(self.view, self).of_hook(HOOK, "")
        return self.found.get(statement) == {"asked"}

    def assume(self, state: str, test: nodes.Expr, holds: bool) -> str:
        if not isinstance(test, nodes.Compare) or self.view.variable(test.left) != _TTL:
            return state
        is_above = test.op in ((">", ">=") if holds else ("<", "<="))
        return "asked" if is_above and not state and seconds(test.right) is not None else state

    def do(self, state: str, statement: nodes.Stmt, trail: Trail) -> str:
        if isinstance(statement, nodes.Set | nodes.Unset):
            name = self.view.name(statement.target)
            if name == self.removed and self.found is not None:
                self.found.setdefault(statement, set()).add(state)
            return "own" if name == _TTL else state
        return state


class _Private(Knowledge):
    """A response whose Cache-Control says that it is for one user."""

    def __init__(self, view: View) -> None:
        names = {*STORED, *CHECKED, "beresp.ttl", "beresp.http.surrogate-control", "beresp.targeted"}
        super().__init__(view, names, self._says_private, also=("beresp.http.cache-control",))

    def _says_private(self, test: nodes.Expr) -> str | None:
        if not isinstance(test, nodes.Compare) or test.op not in ("~", "!~"):
            return None
        text = self.view.text(test.right) or ""
        is_asked = self.view.variable(test.left) == "beresp.http.cache-control"
        return "private" if is_asked and any(word in text.lower() for word in _FOR_ONE) else None

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        if isinstance(test, nodes.Compare) and self.view.variable(test.left) == "beresp.http.cache-control":
            matches = holds == (test.op == "~")
            if test.op in ("~", "!~") and matches and self.view.text(test.right) == "public":
                return state.with_fact("private", FALSE)
        return super().assume(state, test, holds)

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        if isinstance(statement, nodes.Set | nodes.Unset):
            if self.view.name(statement.target) == "beresp.http.cache-control":
                return state.with_fact("private", FALSE)
        return super().do(state, statement, trail)


_FOR_ONE = ("private", "no-store", "no-cache")


class SkipBuiltinResponse(Rule):
    id = "CS004"
    name = "skip-builtin-response"
    severity = Severity.WARNING
    what = "A `return (deliver)` stores responses whose Cache-Control says private or no-store."
    why = "A return before the built-in policy skips its check, and others get the page of one user."
    remedy = "leave the return out, so that the built-in policy decides, or call vcl_beresp_control before it"
    changes = "a response with Cache-Control: private, no-cache or no-store is not stored"
    source = "https://github.com/jonbaldie/varnish/pull/36"
    bad = "sub vcl_backend_response { call vcl_beresp_cookie; return (deliver); }"
    good = "sub vcl_backend_response { call vcl_beresp_cookie; call vcl_beresp_control; return (deliver); }"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        told = {one.span for one in view.once(set_cookie_stored)}  # the same return, and the worse finding
        yield from one_cause(one for one in self._found(view) if one.span not in told)

    def _found(self, view: View) -> Iterator[Finding]:
        start = (
            STORED
            | CHECKED
            | {
                "private": TRUE,
                "beresp.ttl": EXPIRED if follows_rfc9111(view) else POSITIVE,
                "beresp.http.surrogate-control": ABSENT,
                "beresp.targeted": FALSE,
            }
        )

        def is_private(end: Exit[Facts]) -> bool:
            return is_stored(end) and end.state.has("private", TRUE)

        for end in fetched(view, _Private(view), start, HOOK, is_private):
            edit = before(view, end.at, "call vcl_beresp_control;")
            found = found_at(
                view,
                end,
                "private",
                "a response with Cache-Control: private is stored here",
                allowed="a response with Cache-Control: private is stored behind this",
                remedy="leave the word out, so that such a response is not stored",
                fix=Fix("run the built-in check first", (edit,), False),
            )
            if found is not None:
                yield found


class HitForPassMisread(Rule):
    id = "CS007"
    name = "hit-for-pass-misread"
    severity = Severity.WARNING
    what = "A `return (pass)` of vcl_backend_response has no duration, or a long one."
    why = (
        "Until it ends all requests for this key are passed, whatever the origin answers. Without "
        "a duration it lasts as long as the ttl of this response."
    )
    remedy = "return (pass(120s)), or set beresp.uncacheable = true, which ends with the first good response"
    source = "https://github.com/varnishcache/varnish-cache/issues/2865"
    bad = 'sub vcl_backend_response { if (beresp.http.Vary == "*") { return (pass); } }'
    good = 'sub vcl_backend_response { if (beresp.http.Vary == "*") { return (pass(120s)); } }'

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.returns("pass"):
            return
        shared = passed_keys(view)
        for block in view.blocks():
            own_ttl = False
            for statement in block.statements:
                if isinstance(statement, nodes.Set) and view.name(statement.target) == "beresp.ttl":
                    own_ttl = True
                if isinstance(statement, nodes.Return) and self._is_pass(view, statement, shared):
                    length = seconds(statement.args[0]) if statement.args else None
                    if not statement.args and not own_ttl:
                        yield finding(view, statement, "this passes the key for as long as the ttl says")
                    elif length is not None and length > _PASS_MAX_S:
                        yield finding(view, statement, "nothing ends this pass for hours")

    def _is_pass(self, view: View, statement: nodes.Return, shared: frozenset[nodes.Stmt]) -> bool:
        if statement.action is None or statement.action.text.lower() != "pass":
            return False
        is_here = any(place.statement is statement and place.in_hook(HOOK) for place in view.places)
        return is_here and statement in shared


class UncacheableThenTtl(Rule):
    id = "CS008"
    name = "uncacheable-then-ttl"
    severity = Severity.WARNING
    what = "A long ttl, or `uncacheable = false`, is set after beresp.uncacheable became true."
    why = (
        "Nothing makes a response cacheable again. The ttl is only how long the cache remembers not to share "
        "it."
    )
    remedy = "decide before beresp.uncacheable is set, or give the marker a short ttl such as 120s"
    source = "https://github.com/varnishcache/varnish-cache/issues/2531"
    bad = "sub vcl_backend_response { set beresp.uncacheable = true; set beresp.ttl = 7d; }"
    good = "sub vcl_backend_response { set beresp.uncacheable = true; set beresp.ttl = 120s; }"

    def check(self, view: View) -> Iterator[Finding]:
        shared: dict[nodes.Set, bool] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            if isinstance(statement, nodes.Set) and not view.is_builtin(statement):
                is_shared = not state.has("beresp.uncacheable", TRUE)
                shared[statement] = shared.get(statement, False) or is_shared

        stored = Knowledge(view, STORED, watch=watch, also=("beresp.ttl",))
        Paths(view, stored).of_hook(HOOK, facts(STORED))
        for statement in [one for one, is_shared in shared.items() if not is_shared]:
            name, value = view.name(statement.target), statement.value
            if name == "beresp.uncacheable" and view.variable(value) == "false":
                yield finding(view, statement, "this has no effect: the response stays uncacheable")
            elif name == "beresp.ttl" and (seconds(value) or 0) > _MARKER_MAX_S:
                yield finding(view, statement, "this response is uncacheable, so its ttl does not store it")


_FROM = "the statement that set the ttl"
_OWN = "the policy set the status"


class _Error(Knowledge):
    """A response with the status 503 that a client waits for, and that is not stored unless the policy sets a
    ttl. Remembers which of ``long`` set its ttl."""

    def __init__(self, view: View, start: dict[str, str], long: dict[nodes.Stmt, str]) -> None:
        super().__init__(view, start, also=("beresp.status",))
        self.long = long

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        result = of_status(self.view, test, _ERROR)
        if result is None:
            return super().assume(state, test, holds)
        return state if result is holds else None

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        if isinstance(statement, nodes.Set):
            name = self.view.name(statement.target)
            if name == "beresp.ttl":
                state = state.with_fact(_FROM, self.long.get(statement))
            elif name == "beresp.status":
                state = state.with_fact(_OWN, TRUE)
        return super().do(state, statement, trail)


class _ForErrors:
    """Which statements never run for a response with the status 200, because a test around them leaves it
    out: what they do is meant for errors."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.found: set[nodes.Stmt] = set()
        self._only: dict[str, list[bool]] = {}  # of each sub, whether each call is for errors
        order = list(view.subs)
        for key in order:
            for definition in view.defines(key):
                self._block(definition.body, False)
        for key in order:
            calls = self._only.get(key, [])
            if calls and all(calls):
                self.found.update(one for sub in view.defines(key) for one in walk(sub.body))

    def _block(self, block: nodes.Block, only: bool) -> None:
        for statement in block.statements:
            if only:
                self.found.add(statement)
            match statement:
                case nodes.Block():
                    self._block(statement, only)
                case nodes.For():
                    self._block(statement.body, only)
                case nodes.CallSub() if statement.value is None:
                    self._only.setdefault(statement.name.text.lower(), []).append(only)
                case nodes.If():
                    taken = False  # whether an arm before takes each 200
                    for arm in statement.arms:
                        holds = True if arm.condition is None else self._holds(arm.condition)
                        self._block(arm.body, only or taken or holds is False)
                        taken = taken or holds is True

    def _holds(self, condition: nodes.Expr) -> bool | None:
        """The result for the status 200; None if it asks for something else, too."""
        return outcome(condition, lambda test: of_status(self.view, test, _FOUND))


def _is_long(view: View, value: nodes.Expr) -> bool:
    """Whether a ttl is more than a minute for a response that had none: a literal, one that is added, or the
    fallback of std.duration()."""
    value = bare(value)
    length = seconds(value)
    if length is not None:
        return length > _BRIEF_S
    if isinstance(value, nodes.Sum):
        return all(op == "+" for op in value.ops) and any(_is_long(view, one) for one in value.operands)
    if isinstance(value, nodes.CallExpr) and view.name(value.name) == "std.duration":
        return any(_is_long(view, argument.value) for argument in value.args)
    return False


def of_status(view: View, test: nodes.Expr, status: int, name: str = "beresp.status") -> bool | None:
    """The result of a test for a response with this status; None if it compares something else."""
    if not isinstance(test, nodes.Compare) or view.variable(test.left) != name:
        return None
    right = bare(test.right)
    if not isinstance(right, nodes.NumberLit) or not right.digits.isdigit():
        return None
    limit = int(right.digits)
    return {
        "==": status == limit,
        "!=": status != limit,
        "<": status < limit,
        "<=": status <= limit,
        ">": status > limit,
        ">=": status >= limit,
    }.get(test.op)


class ErrorStatusCached(Rule):
    id = "CS009"
    name = "error-status-cached"
    severity = Severity.WARNING
    what = "A ttl of more than a minute is set whatever the status."
    why = "It also stores a 503, which is then served long after the origin works again."
    remedy = (
        "set the ttl only if beresp.status is 200, or give statuses of 500 and above a ttl of some seconds"
    )
    changes = "a response with a status of 400 and above keeps the ttl that it had"
    source = "https://github.com/varnishcache/varnish-cache/issues/3024"
    bad = "sub vcl_backend_response { set beresp.ttl = 1h; }"
    good = "sub vcl_backend_response { if (beresp.status < 400) { set beresp.ttl = 1h; } }"

    def check(self, view: View) -> Iterator[Finding]:
        sets = [
            (hook, statement)
            for hook in (HOOK, FAILED)
            for _, statement in sets_of(view, "beresp.ttl", hook)
            if _is_long(view, statement.value)
        ]
        if not sets:
            return
        meant = _ForErrors(view).found
        long: dict[nodes.Stmt, str] = {
            statement: str(statement.at[0]) for _, statement in sets if statement not in meant
        }
        start = STORED | {"beresp.ttl": EXPIRED, _BACKGROUND: FALSE}
        told: set[str | None] = set()

        def has_ttl(end: Exit[Facts]) -> bool:
            return is_stored(end) and not end.state.has(_OWN, TRUE) and end.state.get(_FROM) in numbers

        numbers = frozenset(long.values())
        for hook in dict.fromkeys(hook for hook, _ in sets):
            error = _Error(view, start, long)
            ends = fetched(view, error, start, hook, has_ttl, lambda end: end.state.get(_FROM))
            from_ = {end.state.get(_FROM) for end in ends}
            for statement, number in long.items():
                if number in from_ - told:
                    yield self._finding(view, statement, hook)
            told |= from_

    def _finding(self, view: View, statement: nodes.Stmt, hook: str) -> Finding:
        if hook == FAILED:
            return finding(view, statement, "the page that says that a fetch failed gets this ttl")
        fix = Fix("leave errors out", only_if(view, statement, "beresp.status < 400"), safe=False)
        return finding(view, statement, "a response with the status 503 gets this ttl, too", fix=fix)


class BackgroundErrorReplacesStale(Rule):
    id = "CS010"
    name = "bgfetch-error-replaces-stale"
    severity = Severity.WARNING
    what = "The policy uses grace, and lets the 5xx of a background fetch replace the stale response."
    why = "An error of the origin then takes the place of the good copy, and visitors see it."
    remedy = (
        "begin vcl_backend_response with: if (beresp.status >= 500 && bereq.is_bgfetch) { return (abandon); }"
    )
    changes = "a background fetch whose response has a status of 500 and above is abandoned"
    source = "https://github.com/magento/magento2/pull/40675"
    bad = "sub vcl_backend_response { set beresp.grace = 6h; }"
    good = (
        "sub vcl_backend_response { if (beresp.status >= 500 && bereq.is_bgfetch) { return (abandon); } "
        "set beresp.grace = 6h; }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        for place in view.places:
            statement = place.statement
            if isinstance(statement, nodes.Return) and statement.action is not None:
                if place.in_hook(HOOK) and statement.action.text.lower() in ("abandon", "retry", "error"):
                    return
        for _, statement in sets_of(view, "beresp.grace", HOOK):
            if (seconds(statement.value) or 0) > _BRIEF_S:
                yield finding(
                    view, statement, "a failing background fetch ends this grace", fix=_abandon(view)
                )
                return


def _abandon(view: View) -> Fix | None:
    definitions = [one for one in view.defines(HOOK) if one.body.statements]
    if not definitions:
        return None
    text = "if (beresp.status >= 500 && bereq.is_bgfetch) { return (abandon); }"
    return Fix("keep the stale response", (before(view, definitions[0].body.statements[0], text),), safe=True)


class GraceIgnoresRevalidate(Rule):
    id = "CS011"
    name = "grace-ignores-revalidate"
    severity = Severity.WARNING
    what = "The policy sets a fixed grace and never looks at Cache-Control."
    why = (
        "An origin that sends must-revalidate or proxy-revalidate forbids stale responses. A fixed grace "
        "serves them all the same."
    )
    remedy = 'set the grace only if beresp.http.Cache-Control !~ "(must|proxy)-revalidate"'
    source = "https://github.com/jonbaldie/varnish/issues/71"
    bad = "sub vcl_backend_response { set beresp.grace = 1h; }"
    good = (
        'sub vcl_backend_response { if (beresp.http.Cache-Control !~ "revalidate") '
        "{ set beresp.grace = 1h; } }"
    )
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for place in view.places:
            if isinstance(place.statement, nodes.If):
                for arm in place.statement.arms:
                    if arm.condition is not None and any(
                        name == "beresp.http.cache-control" for name, _ in view.reads(arm.condition)
                    ):
                        return
        for _, statement in sets_of(view, "beresp.grace", HOOK):
            if (seconds(statement.value) or 0) > 0:
                yield finding(view, statement, "this grace ignores must-revalidate")
                return
