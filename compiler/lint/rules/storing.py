"""CS: what may be stored, and for whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vernis.lint.facts import EXPIRED, FALSE, POSITIVE, PRESENT, TRUE, Facts, Knowledge, facts, is_text
from vernis.lint.forms import ALLOWED, FIVE
from vernis.lint.gates import Gates
from vernis.lint.later import Round, is_reached, restarts, tests_in
from vernis.lint.paths import Exit, Paths
from vernis.lint.repairs import before
from vernis.lint.route import RECV, RESPONSE, Followed, fetched
from vernis.lint.rule import Finding, Fix, Rule, finding, one_cause
from vernis.lint.rules.hashing import Hashed, hashed_names
from vernis.lint.values import Interval, test_of
from vernis.lint.view import Place, View, bare, expressions_of, field_of, parts_of, walk
from vernis.regex import later
from vernis.semantics.safety import SKIPPED
from vernis.semantics.types import DURATION_UNITS
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity, Span

# The built-in policy asks for it. It is off unless an administrator turns it on.
RFC9111 = "server.rfc9111"
_HIT = "vcl_hit"
_HITS = Interval(1, True, float("inf"), False)  # of a response, from the first hit on
_COOKIE, _AUTHORIZATION = "req.http.cookie", "req.http.authorization"
STORED = {"beresp.uncacheable": FALSE, "bereq.uncacheable": FALSE, RFC9111: FALSE}
# The check of the built-in policy that asks for a name.
_BUILT_IN = {"req.method": "call vcl_req_method;", "req.http.cookie": "call vcl_req_cookie;"}
# The method of a request for a page. A policy may look up other methods to answer them itself, such as PURGE.
GET = {"req.method": is_text("GET")}
# The core fetches what it may store with this method.
_FETCHED = {"bereq.method": is_text("GET")}


def seconds(expr: nodes.Expr) -> float | None:
    """The value of a literal duration."""
    expr = bare(expr)
    if isinstance(expr, nodes.NumberLit) and expr.unit in DURATION_UNITS:
        return float(expr.digits) * DURATION_UNITS[expr.unit]
    return None


def stores_by_ttl(view: View, statement: nodes.Stmt) -> bool:
    """Whether a statement can store a response that would not be stored: by a ttl above zero."""
    if not isinstance(statement, nodes.Set) or view.name(statement.target) != "beresp.ttl":
        return False
    length = seconds(statement.value)
    return length is None or length > 0


# The checks of 5.0 run until an `allow` names them (forms.py).
CHECKED = {f"{ALLOWED}.{word}": FALSE for word in SKIPPED.values()}
# In names of cookies that tell one visitor from others.
_SESSION = later(r"(?i)sess|sid|log|auth|token|user")


def follows_rfc9111(view: View) -> bool:
    """Whether a response has a ttl above zero only if RFC 9111 lets a shared cache store it, unless the
    policy sets the ttl."""
    return view.written_program.version >= FIVE and not view.checked.has_old_caching


def _exits(view: View, known: dict[str, str], wanted: Callable[[Exit[Facts]], bool]) -> list[Exit[Facts]]:
    """The wanted exits of vcl_backend_response when these facts hold at its begin, and the response is
    cacheable there and not a pass."""
    start = STORED | CHECKED | known
    if not any(_sets_method(place.statement, view) for place in view.places):
        start |= _FETCHED
    return fetched(view, Knowledge(view, start, also=()), start, RESPONSE, wanted)


def passed_keys(view: View) -> frozenset[nodes.Stmt]:
    """The returns of vcl_backend_response by which the cache remembers to pass a key: not those that only
    responses to requests reach which are passed already, such as a POST."""
    return frozenset(end.at for end in _exits(view, {}, lambda end: end.action == "pass"))


def _sets_method(statement: nodes.Stmt, view: View) -> bool:
    return isinstance(statement, nodes.Set) and view.name(statement.target) == "bereq.method"


def allow_of(view: View, end: Exit[Facts], word: str) -> Span | None:
    """The word of the ``allow`` that waives a check on the way to a return; None if none does."""
    token = end.state.text(f"{ALLOWED}.{word}")
    return None if token is None else view.token_span(int(token))


def found_at(
    view: View, end: Exit[Facts], word: str, message: str, *, allowed: str, remedy: str, fix: Fix
) -> Finding | None:
    """The finding about a return before which no check ran. In 5.0 it is about the ``allow`` that waives the
    check. None if the return is not the author's, nor an ``allow``."""
    at = allow_of(view, end, word)
    if at is not None:
        return Finding(at, allowed, remedy)
    return None if view.is_builtin(end.at) else finding(view, end.at, message, fix=fix)


class StoreSetCookie(Rule):
    id = "CS001"
    name = "store-set-cookie"
    severity = Severity.ERROR
    what = "A response with Set-Cookie can be stored: a path delivers it with a positive ttl."
    why = (
        "The cache gives one visitor's cookie, and session, to all others. A `return (deliver)` "
        "skips the check of the built-in policy."
    )
    remedy = "call vcl_beresp_cookie before the return, or unset beresp.http.Set-Cookie on this path"
    changes = "a response with Set-Cookie is not stored"
    source = "https://github.com/jonbaldie/varnish/pull/36"
    bad = "sub vcl_backend_response { set beresp.ttl = 1h; return (deliver); }"
    good = "sub vcl_backend_response { set beresp.ttl = 1h; call vcl_beresp_cookie; return (deliver); }"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        yield from one_cause(view.once(set_cookie_stored))


def set_cookie_stored(view: View) -> tuple[Finding, ...]:
    """The findings of CS001, which CS004 asks, too."""
    return tuple(_set_cookie_stored(view))


def _set_cookie_stored(view: View) -> Iterator[Finding]:
    cookie = "beresp.http.set-cookie"

    if _hits_lack_cookies(view):
        return

    def gives_cookie(end: Exit[Facts]) -> bool:
        return is_stored(end) and bool(end.state.is_present(cookie))

    for end in _exits(view, {cookie: PRESENT, "beresp.ttl": POSITIVE}, gives_cookie):
        found = found_at(
            view,
            end,
            "set_cookie",
            "a response with Set-Cookie is stored for everybody here",
            allowed="a response with Set-Cookie is stored for everybody behind this",
            remedy="unset beresp.http.Set-Cookie on this path, or leave the word out",
            fix=Fix(
                "run the built-in check first", (before(view, end.at, "call vcl_beresp_cookie;"),), safe=False
            ),
        )
        if found is not None:
            yield found


def _hits_lack_cookies(view: View) -> bool:
    """Whether vcl_deliver begins with statements that take Set-Cookie from every hit: only who asked for a
    response gets its cookie."""
    for definition in view.defines("vcl_deliver"):
        for statement in definition.body.statements:
            if isinstance(statement, nodes.If):
                if _is_hit(view, statement.arms[0].condition) and _drops_cookie(view, statement.arms[0].body):
                    return True
                if any(isinstance(one, nodes.Return) for arm in statement.arms for one in walk(arm.body)):
                    return False
            elif not isinstance(statement, nodes.Set | nodes.Unset | nodes.CallStmt):
                return False
        if _drops_cookie(view, definition.body):
            return True
    return False


def _is_hit(view: View, condition: nodes.Expr | None) -> bool:
    """Whether a condition holds for every hit."""
    found = None if condition is None else test_of(view, condition)
    if found is None or found[0].name != "obj.hits" or found[0].interval is None:
        return False
    test, holds = found
    assert test.interval is not None
    return test.interval.includes(_HITS) if holds else test.interval.is_apart(_HITS)


def _drops_cookie(view: View, block: nodes.Block) -> bool:
    unset = (one for one in block.statements if isinstance(one, nodes.Unset))
    return any(view.name(one.target) == "resp.http.set-cookie" for one in unset)


class TtlZeroNotUncacheable(Rule):
    id = "CS006"
    name = "ttl-zero-not-uncacheable"
    severity = Severity.ERROR
    what = "A path delivers a response with a ttl of zero and does not mark it as uncacheable."
    why = "The next requests for this URL wait for each other and go to the origin one by one."
    remedy = "set beresp.uncacheable = true, and a ttl for which requests may skip the waiting, such as 120s"
    changes = "the response is marked as uncacheable for 120 seconds"
    source = "https://github.com/magento/magento2/pull/33604"
    bad = "sub vcl_backend_response { set beresp.ttl = 0s; return (deliver); }"
    good = (
        "sub vcl_backend_response { set beresp.ttl = 120s; set beresp.uncacheable = true; return (deliver); }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        def is_open(end: Exit[Facts]) -> bool:
            is_marked = end.state.has("beresp.uncacheable", TRUE) or end.state.has("beresp.grace", POSITIVE)
            return end.action == "deliver" and end.state.has("beresp.ttl", EXPIRED) and not is_marked

        start = {"beresp.ttl": POSITIVE, "beresp.grace": EXPIRED, "beresp.keep": EXPIRED}
        for end in _exits(view, start, is_open):
            if not view.is_builtin(end.at):
                edit = before(view, end.at, "set beresp.ttl = 120s; set beresp.uncacheable = true;")
                yield finding(
                    view,
                    end.at,
                    "a response with a ttl of zero is delivered here and not marked uncacheable",
                    fix=Fix("mark the response", (edit,), safe=False),
                )


class _Request(Knowledge):
    """A request. In 5.0 a field from which the author took the sessions is not the client's any more: an
    ``allow`` behind that is a decision."""

    def _value(self, name: str, statement: nodes.Set) -> str | None:
        if name == "req.http.cookie" and self.view.program.version >= FIVE:
            if _takes_sessions(self.view, statement.value):
                return None
        return super()._value(name, statement)


def _takes_sessions(view: View, value: nodes.Expr) -> bool:
    """Whether a value of Cookie is what a filter keeps: by a method of the jar, or by a substitution that
    removes a cookie with the name of a session."""
    for part in parts_of(value):
        if isinstance(part, nodes.CallExpr):
            name = view.name(part.name)
            if name in ("edited", "cookie.get_string"):
                return True
            if name in ("regsub", "regsuball") and len(part.args) == 3:
                pattern, text = (view.text(one.value) for one in part.args[1:])
                if text == "" and pattern is not None and _SESSION.search(pattern):
                    return True
    return False


def looked_up(
    view: View,
    known: dict[str, str],
    keys: frozenset[str],
    is_meant: Callable[[Followed, Facts], bool] = lambda follow, state: True,
) -> list[Exit[Facts]]:
    """The returns of vcl_recv that look a request up for which these facts still hold, if none of ``keys`` is
    in its key. ``is_meant`` chooses by the state at the return."""
    start = known | CHECKED | STORED

    def wanted(end: Exit[Facts]) -> bool:
        return end.action == "hash" and all(end.state.get(name) == fact for name, fact in known.items())

    names = {*start, "beresp.ttl", *("be" + name for name in known if field_of(name) is not None)}
    domain = _Request(view, names, also=())
    alone = [end for end in Paths(view, domain).of_hook(RECV, facts(start)) if wanted(end)]
    if not alone:
        return []
    follow = Followed(view, domain)
    ends: dict[tuple[object, ...], Exit[Facts]] = {}
    for end in filter(wanted, follow.looked_up(facts(start))):
        key = (end.at, *(end.state.get(word) for word in CHECKED))
        if key not in ends and not is_keyed(view, end.state, keys) and is_meant(follow, end.state):
            ends[key] = end
    found = alone if follow.is_capped else list(ends.values())
    return [end for end in found if is_reached(view, domain, facts(start), end.at)]


def _shared(
    view: View, known: dict[str, str], keys: frozenset[str], is_meant: Callable[[Followed, Facts], bool]
) -> list[Exit[Facts]]:
    """The returns of ``looked_up`` from which a request gets a stored response that nobody made for it."""
    found = looked_up(view, known, keys, is_meant)
    return [] if found and _asks_origin_first(view, known | CHECKED | STORED) else found


def _asks_origin_first(view: View, start: dict[str, str]) -> bool:
    """Whether each hit of the first round begins the request anew, and the next round passes it: the origin
    then decides about the request before it gets a stored response."""
    if not restarts(view, _HIT):
        return False
    read = {name for test in _conditions(view, _HIT) for name, _ in view.reads(test)}
    there = _on_all_stored(view, [name for name in read if name.startswith("obj.http.")])
    domain = Knowledge(view, {*start, *there}, also=())
    gates = Gates(view, tests_in(view, (_HIT, RECV), frozenset(read)))
    first, later = (Paths(view, Round(domain, gates, is_first)) for is_first in (True, False))
    states = [end.state for end in first.of_hook(RECV, facts(start)) if end.action == "hash"]
    states = [end.state for one in states for end in first.of_hook("vcl_hash", one)]
    found = [dict(one.known) | dict.fromkeys(there, PRESENT) for one in states]
    hits = [end for known in found for end in first.of_hook(_HIT, facts(known))]
    again = [end for hit in hits for end in later.of_hook(RECV, hit.state)]
    is_asked = all(hit.action == "restart" for hit in hits) and all(end.action == "pass" for end in again)
    return is_asked and bool(again) and not (first.is_capped or later.is_capped)


def _conditions(view: View, hook: str) -> Iterator[nodes.Expr]:
    for place in view.places:
        if isinstance(place.statement, nodes.If) and place.in_hook(hook):
            yield from (arm.condition for arm in place.statement.arms if arm.condition is not None)


def _on_all_stored(view: View, names: list[str]) -> list[str]:
    """The fields of these that each stored response has."""
    if not names:
        return []
    fields = {name: name.replace("obj.", "beresp.", 1) for name in names}
    start = STORED | CHECKED | {"beresp.ttl": POSITIVE}
    domain = Knowledge(view, {*start, *fields.values()}, also=())
    ends = list(filter(is_stored, Paths(view, domain).of_hook(RESPONSE, facts(start))))
    return [name for name, field in fields.items() if all(end.state.is_present(field) for end in ends)]


def _may_store(follow: Followed, state: Facts) -> bool:
    """Whether some response to a request that vcl_recv left in this state is stored."""
    return any(map(is_stored, follow.after(RESPONSE, state)))


def is_stored(end: Exit[Facts]) -> bool:
    """Whether an exit of vcl_backend_response stores the response."""
    is_shared = not end.state.has("beresp.uncacheable", TRUE) and not end.state.has("beresp.ttl", EXPIRED)
    return end.action == "deliver" and is_shared


def is_keyed(view: View, state: Facts, keys: frozenset[str]) -> bool:
    """Whether vcl_hash can add one of the names to the key of a request that vcl_recv left in this state, or
    what stands in for it. A test of another value there is the author's choice of what matters."""
    if not keys:
        return False
    keys |= _stand_ins(view, keys)
    follow = Followed(view, Hashed(view, keys, also=()))
    ends = follow.after("vcl_hash", follow.fixed_part(state))
    return any(end.state.has(name, TRUE) for end in ends for name in keys)


def _stand_ins(view: View, keys: frozenset[str]) -> frozenset[str]:
    """The fields for whose absence the author asks before a key is added, and that are added themselves: they
    tell visitors apart in its place."""
    asked = {
        name
        for place in view.places
        if view.call_of(place.statement) == "hash_data"
        and any(name in keys for expr in expressions_of(place.statement) for name, _ in view.reads(expr))
        for condition, holds in view.enclosing.told(place)
        for name in _asked_to_fail(view, condition, holds)
    }
    return frozenset(asked & hashed_names(view)) - {"req.http.host"}


def _asked_to_fail(view: View, condition: nodes.Expr, holds: bool) -> Iterator[str]:
    """The fields of whose tests one fails if a condition has this result."""
    condition = bare(condition)
    if isinstance(condition, nodes.Not):
        yield from _asked_to_fail(view, condition.operand, not holds)
    elif isinstance(condition, nodes.And | nodes.Or):
        for operand in condition.operands:
            yield from _asked_to_fail(view, operand, holds)
    else:
        is_negated = isinstance(condition, nodes.Compare) and condition.op in ("!=", "!~")
        if holds is is_negated:
            yield from (name for name, _ in view.reads(condition) if field_of(name) is not None)


class SkipBuiltinRecv(Rule):
    id = "CS003"
    name = "skip-builtin-recv"
    severity = Severity.ERROR
    what = (
        "A `return (hash)` looks up requests that the built-in policy passes: methods other than GET and "
        "HEAD, and requests with cookies."
    )
    why = (
        "A POST gets a stored response and never reaches the origin, and a page made for one "
        "visitor's cookies is stored for all."
    )
    remedy = (
        "leave the return out, so that the built-in policy decides, or call vcl_req_method and vcl_req_cookie"
    )
    changes = (
        "the built-in policy decides on methods and cookies: only GET and HEAD without cookies are looked up"
    )
    source = "https://github.com/magento/magento2/pull/40677"
    bad = 'sub vcl_recv { if (req.url ~ "^/static/") { return (hash); } }'
    good = (
        "sub vcl_recv { unset req.http.Cookie; call vcl_req_method; "
        'if (req.url ~ "^/static/") { return (hash); } }'
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        cookies = GET | {_COOKIE: PRESENT}

        def is_shared(follow: Followed, state: Facts) -> bool:
            """Whether such a request can get a stored response, be it that of one without cookies."""
            return _may_store(follow, follow.without(state, _COOKIE))

        cases = (
            ("req.method", "a POST", looked_up(view, {"req.method": is_text("POST")}, frozenset())),
            (_COOKIE, "requests with cookies", _shared(view, cookies, cookie_keys(view), is_shared)),
        )
        found: dict[nodes.Return, dict[str, str]] = {}
        allowed: dict[Span, None] = {}
        for name, said, ends in cases:
            for end in ends:
                allow = allow_of(view, end, "cookie") if name == _COOKIE else None
                if allow is not None:
                    allowed[allow] = None
                elif not view.is_builtin(end.at):
                    found.setdefault(end.at, {})[said] = _BUILT_IN[name]
        yield from one_cause(self._returns(view, found))
        message = "requests with cookies are looked up behind this, and no cookie is in the key"
        remedy = "unset req.http.Cookie before, add the cookies that matter to the key, or leave the word out"
        yield from one_cause(Finding(span, message, remedy) for span in allowed)

    def _returns(self, view: View, found: dict[nodes.Return, dict[str, str]]) -> Iterator[Finding]:
        for at, checks in found.items():
            edit = before(view, at, " ".join(checks.values()))
            fix = Fix("run the built-in checks first", (edit,), safe=False)
            subs = " and ".join(checks.values()).replace("call ", "").replace(";", "")
            remedy = f"leave the return out, so that the built-in policy decides, or call {subs} before it"
            yield finding(view, at, f"this looks up {' and '.join(checks)}", remedy, fix)


def cookie_keys(view: View) -> frozenset[str]:
    """The names in keys that have a part of Cookie: fields, and the jar of the module."""
    hashed = hashed_names(view)
    jar = {name for name in hashed if name.startswith("cookie.")}
    return (view.derived_from(_COOKIE) & hashed) | jar


def authorization_keys(view: View) -> frozenset[str]:
    """The names in keys that have a part of Authorization."""
    return view.derived_from(_AUTHORIZATION) & hashed_names(view)


class AuthorizationCached(Rule):
    id = "CS005"
    name = "authorization-cached"
    severity = Severity.ERROR
    what = "A request with Authorization is looked up, and the cache key does not contain the field."
    why = (
        "The response to one user's credentials is served to all. In 5.0 the core stores it only "
        "if the origin says `public`, `s-maxage` or `must-revalidate` (RFC 9111), or if the "
        "policy sets a ttl, removes the field from the request, or says `caching 4.1;`."
    )
    remedy = "pass requests with Authorization, or add the field to the key in vcl_hash"
    changes = "a request with Authorization is passed"
    source = "https://github.com/jonbaldie/varnish/pull/47"
    bad = "sub vcl_recv { call vcl_req_method; unset req.http.Cookie; return (hash); }"
    good = (
        "sub vcl_recv { call vcl_req_method; unset req.http.Cookie; "
        "call vcl_req_authorization; return (hash); }"
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        yield from one_cause(self._found(view))

    def _found(self, view: View) -> Iterator[Finding]:
        if follows_rfc9111(view) and not any(self._stores(view, place) for place in view.places):
            return
        known = GET | {_AUTHORIZATION: PRESENT}
        for end in _shared(view, known, authorization_keys(view), _may_store):
            found = found_at(
                view,
                end,
                "authorization",
                "a request with Authorization is looked up here",
                allowed="a request with Authorization is looked up behind this, and is not in the key",
                remedy="leave the word out, or add the field to the key in vcl_hash",
                fix=Fix(
                    "pass such requests", (before(view, end.at, "call vcl_req_authorization;"),), safe=True
                ),
            )
            if found is not None:
                yield found

    def _stores(self, view: View, place: Place) -> bool:
        """Whether a statement can make the cache store a response that RFC 9111, 3.5 keeps from others: by a
        ttl, or because the core does not see that the request had Authorization."""
        statement = place.statement
        if not isinstance(statement, nodes.Set | nodes.Unset):
            return False
        name = view.name(statement.target)
        if stores_by_ttl(view, statement):
            return True
        return name == "be" + _AUTHORIZATION or (name == _AUTHORIZATION and not place.in_hook("vcl_recv"))
