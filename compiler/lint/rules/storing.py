"""CS: what may be stored, and for whom."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.facts import EXPIRED, FALSE, POSITIVE, PRESENT, TRUE, Facts, Knowledge, facts, is_text
from vernis.lint.paths import Exit, Paths
from vernis.lint.repairs import before
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.rules.hashing import hashed_names
from vernis.lint.view import View
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

# The built-in policy asks for it. It is off unless an administrator turns it on.
RFC9111 = "server.rfc9111"
STORED = {"beresp.uncacheable": FALSE, "bereq.uncacheable": FALSE, RFC9111: FALSE}
# The check of the built-in policy that asks for a name.
_BUILT_IN = {"req.method": "call vcl_req_method;", "req.http.cookie": "call vcl_req_cookie;"}
# The method of a request for a page. A policy may look up other methods to answer them itself, such as PURGE.
_GET = {"req.method": is_text("GET")}
# The core fetches what it may store with this method.
_FETCHED = {"bereq.method": is_text("GET")}


def _delivered(view: View, known: dict[str, str]) -> list[Exit[Facts]]:
    """How vcl_backend_response ends with ``deliver`` when these facts hold at its begin, and the response is
    cacheable there and not a pass."""
    start = STORED | known
    if not any(_sets_method(place.statement, view) for place in view.places):
        start |= _FETCHED
    paths = Paths(view, Knowledge(view, start, also=()))
    ends = paths.of_hook("vcl_backend_response", facts(start))
    return [end for end in ends if end.action == "deliver"]


def _sets_method(statement: nodes.Stmt, view: View) -> bool:
    return isinstance(statement, nodes.Set) and view.name(statement.target) == "bereq.method"


class StoreSetCookie(Rule):
    id = "CS001"
    name = "store-set-cookie"
    severity = Severity.ERROR
    what = "A response with Set-Cookie can be stored: a path delivers it with a positive ttl."
    why = (
        "The cache then gives the cookie of one visitor to all others, who continue that visitor's session. "
        "The built-in policy prevents this, but a `return (deliver)` before it skips its check."
    )
    remedy = "call vcl_beresp_cookie before the return, or unset beresp.http.Set-Cookie on this path"
    changes = "a response with Set-Cookie is not stored"
    source = "https://github.com/jonbaldie/varnish/pull/36"
    bad = "sub vcl_backend_response { set beresp.ttl = 1h; return (deliver); }"
    good = "sub vcl_backend_response { set beresp.ttl = 1h; call vcl_beresp_cookie; return (deliver); }"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        cookie = "beresp.http.set-cookie"
        for end in _delivered(view, {cookie: PRESENT, "beresp.ttl": POSITIVE}):
            state = end.state
            stored = not state.has("beresp.uncacheable", TRUE) and not state.has("beresp.ttl", EXPIRED)
            if stored and state.is_present(cookie) and not view.is_builtin(end.at):
                fix = Fix(
                    "run the built-in check first", (before(view, end.at, "call vcl_beresp_cookie;"),), False
                )
                yield finding(
                    view, end.at, "a response with Set-Cookie is stored for everybody here", fix=fix
                )


class TtlZeroNotUncacheable(Rule):
    id = "CS006"
    name = "ttl-zero-not-uncacheable"
    severity = Severity.ERROR
    what = "A path delivers a response with a ttl of zero and does not mark it as uncacheable."
    why = (
        "The next requests for this URL wait for each other, and go to the origin one after another, because "
        "no marker tells that the response is not shared."
    )
    remedy = "set beresp.uncacheable = true, and a ttl for which requests may skip the waiting, such as 120s"
    changes = "the response is marked as uncacheable for 120 seconds"
    source = "https://github.com/magento/magento2/pull/33604"
    bad = "sub vcl_backend_response { set beresp.ttl = 0s; return (deliver); }"
    good = (
        "sub vcl_backend_response { set beresp.ttl = 120s; set beresp.uncacheable = true; return (deliver); }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        for end in _delivered(
            view, {"beresp.ttl": POSITIVE, "beresp.grace": EXPIRED, "beresp.keep": EXPIRED}
        ):
            state = end.state
            if (
                state.has("beresp.ttl", EXPIRED)
                and not state.has("beresp.uncacheable", TRUE)
                and not state.has("beresp.grace", POSITIVE)
                and not view.is_builtin(end.at)
            ):
                edit = before(view, end.at, "set beresp.ttl = 120s; set beresp.uncacheable = true;")
                yield finding(
                    view,
                    end.at,
                    "a response with a ttl of zero is delivered here and not marked uncacheable",
                    fix=Fix("mark the response", (edit,), safe=False),
                )


def _looked_up(view: View, known: dict[str, str]) -> Iterator[Exit[Facts]]:
    """The author's returns of vcl_recv that look a request up for which these facts still hold."""
    start = known | {RFC9111: FALSE}
    for end in Paths(view, Knowledge(view, start, also=())).of_hook("vcl_recv", facts(start)):
        held = all(end.state.get(name) == fact for name, fact in known.items())
        if end.action == "hash" and held and not view.is_builtin(end.at):
            yield end


class SkipBuiltinRecv(Rule):
    id = "CS003"
    name = "skip-builtin-recv"
    severity = Severity.ERROR
    what = "A `return (hash)` looks up requests that the built-in policy passes to the origin."
    why = (
        "The built-in policy passes requests with methods other than GET and HEAD, and requests with "
        "cookies. A return before it skips these checks: a POST gets a stored response and never reaches the "
        "origin, and a page made for one visitor's cookies is stored for all."
    )
    remedy = (
        "leave the return out, so that the built-in policy decides, or call vcl_req_method and vcl_req_cookie"
    )
    changes = (
        "the built-in policy decides on methods and cookies: it passes all but GET and HEAD without cookies"
    )
    source = "https://github.com/magento/magento2/pull/40677"
    bad = 'sub vcl_recv { if (req.url ~ "^/static/") { return (hash); } }'
    good = (
        "sub vcl_recv { unset req.http.Cookie; call vcl_req_method; "
        'if (req.url ~ "^/static/") { return (hash); } }'
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        cases = [("req.method", {"req.method": is_text("POST")}, "a POST")]
        if not _hashes_cookies(view):
            cases.append(("req.http.cookie", _GET | {"req.http.cookie": PRESENT}, "requests with cookies"))
        found: dict[nodes.Return, dict[str, str]] = {}
        for name, known, said in cases:
            for end in _looked_up(view, known):
                found.setdefault(end.at, {})[said] = _BUILT_IN[name]
        for at, checks in found.items():
            edit = before(view, at, " ".join(checks.values()))
            fix = Fix("run the built-in checks first", (edit,), safe=False)
            yield finding(view, at, f"this looks up {' and '.join(checks)}", fix=fix)


def _hashes_cookies(view: View) -> bool:
    """Whether the key contains a part of Cookie, as a field or out of the module's jar."""
    hashed = hashed_names(view)
    return bool(view.derived_from("req.http.cookie") & hashed) or any(
        name.startswith("cookie.") for name in hashed
    )


class AuthorizationCached(Rule):
    id = "CS005"
    name = "authorization-cached"
    severity = Severity.ERROR
    what = "A request with Authorization is looked up, and the cache key does not contain the field."
    why = "The response to one user's credentials is then stored, and served to every other user."
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
        field = "req.http.authorization"
        if view.derived_from(field) & hashed_names(view):
            return
        for end in _looked_up(view, _GET | {field: PRESENT}):
            fix = Fix("pass such requests", (before(view, end.at, "call vcl_req_authorization;"),), safe=True)
            yield finding(view, end.at, "a request with Authorization is looked up here", fix=fix)
