"""CS: requests that should not be looked up, or fetched, in this way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from vernis.lint.enclosing import which
from vernis.lint.facts import ABSENT, FALSE, POSITIVE, PRESENT, TRUE, Facts, Knowledge, facts, is_text
from vernis.lint.paths import Paths, Trail
from vernis.lint.pattern import Choice
from vernis.lint.quick import begins_otherwise
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.route import RESPONSE, Followed
from vernis.lint.rules.hashing import hashed_names
from vernis.lint.rules.lifetimes import Everywhere, sets_of
from vernis.lint.rules.queries import compiled, substitution
from vernis.lint.rules.storing import (
    CHECKED,
    GET,
    RFC9111,
    STORED,
    authorization_keys,
    cookie_keys,
    is_keyed,
    is_stored,
    stores_by_ttl,
)
from vernis.lint.uses import uses_of
from vernis.lint.values import test_of
from vernis.lint.view import Parts, View, bare, children_of, flat, outcome, walk
from vernis.record import replace
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_HEALTHY = "std.healthy"
_OF_SERVER = later(r"(?i)health|status|ping|alive|ready|monitor|probe")
_STATIC = "css js png jpg jpeg gif ico svg woff woff2 pdf txt zip mp4".split()
_PRIVATE_PAGE = "/account"
_COOKIE, _AUTHORIZATION, _SET_COOKIE = "req.http.cookie", "req.http.authorization", "beresp.http.set-cookie"
_URL, _BEREQ_URL = "req.url", "bereq.url"
_OF_USERS = ("bereq.http.cookie", "bereq.http.authorization")
_IGNORE_CASE = "(?i)"
_URLS = (_URL, _BEREQ_URL)


class HealthCheckBeforeCache(Rule):
    id = "CS012"
    name = "health-check-before-cache"
    severity = Severity.WARNING
    what = "vcl_recv answers with an error of its own because the backend is sick, before any lookup."
    why = "The cache may have a copy, fresh or stale, which it could serve while the origin is away."
    remedy = "let the request be looked up, and answer in vcl_backend_error, or in vcl_miss"
    source = "https://github.com/pypi/infra/pull/17"
    bad = "import std; sub vcl_recv { if (!std.healthy(req.backend_hint)) { return (synth(503)); } }"
    good = "import std; sub vcl_recv { if (!std.healthy(req.backend_hint)) { set req.grace = 24h; } }"

    def check(self, view: View) -> Iterator[Finding]:
        def name_of(test: nodes.Expr) -> str | None:
            is_call = isinstance(test, nodes.CallExpr) and view.name(test.name) == _HEALTHY
            return _HEALTHY if is_call else None

        known = Knowledge(view, (), name_of, also=(_HEALTHY + "()",))
        for end in Paths(view, known).of_hook("vcl_recv", Facts()):
            status = bare(end.at.args[0]) if end.at.args else None
            is_error = isinstance(status, nodes.NumberLit) and status.digits.startswith("5")
            is_sick = end.action == "synth" and is_error and end.state.has(_HEALTHY, FALSE)
            if is_sick and not _is_status_page(view, end.at):
                yield finding(view, end.at, "this answers although the cache may have the response")


def _is_status_page(view: View, end: nodes.Return) -> bool:
    """Whether only requests for a page about the server itself come to a return: it tells a load balancer
    whether the origin works."""
    around = (place for place in view.places if place.statement is end)
    conditions = (one for place in around for one in view.enclosing.of(place))
    tests = (test_of(view, one) for condition in conditions for one in flat(condition, nodes.And))
    return any(
        one is not None and one[1] and one[0].name == _URL and _OF_SERVER.search(one[0].text) is not None
        for one in tests
    )


class CookieStripBySuffix(Rule):
    id = "CS013"
    name = "cookie-strip-by-suffix"
    severity = Severity.ERROR
    what = (
        "A test for the suffix of static files also reads the query, and then drops cookies, or sets a ttl "
        "although requests with cookies or Authorization are looked up."
    )
    why = (
        "Anyone can append a query to a private page: for /account?x=a.js the test holds. With a "
        "ttl the page is stored, and whoever made up the URL reads it: an error. Without its "
        "cookies the page only loses the session: a warning."
    )
    remedy = r'test the path only: "^[^?]*\.(css|js|png)(\?|$)"'
    changes = "a URL of which only the query matches fails the test"
    source = "https://github.com/jonbaldie/varnish/issues/49"
    bad = r'sub vcl_recv { if (req.url ~ "\.(css|js)$") { unset req.http.Cookie; } }'
    good = r'sub vcl_recv { if (req.url ~ "^[^?]*\.(css|js)(\?|$)") { unset req.http.Cookie; } }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        idle = cache(lambda: _idle_unsets(view))  # a walk that few policies need
        stored: dict[str, frozenset[int]] = {}
        for condition in view.each_part(_by_suffix):
            inside = [one for one in walk(view.arms[id(condition)].body) if one not in idle()]
            yield from self._suffixes(view, condition, inside, stored)

    def _suffixes(
        self, view: View, condition: nodes.Expr, inside: list[nodes.Stmt], stored: dict[str, frozenset[int]]
    ) -> Iterator[Finding]:
        lost = next((said for one in inside if (said := _lost(view, one))), "")
        ttls = frozenset(one.at[0] for one in inside if stores_by_ttl(view, one))
        for test in _positive(condition) if lost or ttls else ():
            url = _private_url(view, test)
            if url is None or _holds_for(view, condition, url) is False:
                continue
            if ttls and url not in stored:
                stored[url] = _stored_for_users(view, url)
            if not ttls.isdisjoint(stored.get(url, ())):
                message = f"this also holds for {url}, which can be a private page"
                yield finding(view, test, message, fix=self._fix(view, test))
            elif lost:
                message = f"this also holds for {url}, {lost}"
                found = finding(view, test, message, fix=self._fix(view, test))
                yield replace(found, severity=Severity.WARNING)

    def _fix(self, view: View, test: nodes.Compare) -> Fix | None:
        """The pattern, begun in the path. It stays as it is if it can still reach into the query."""
        use = next((one for one in uses_of(view) if one.test is test), None)
        if use is None:
            return None
        flags = _IGNORE_CASE if use.text.startswith(_IGNORE_CASE) else ""
        rest = use.text.removeprefix(flags)
        pattern = compiled(flags + "^[^?]*(?:" + rest + ")")
        if rest.startswith("^") or pattern is None:
            return None
        if any(pattern.search(f"{_PRIVATE_PAGE}?x=a.{suffix}") for suffix in _STATIC):
            return None
        is_choice = use.pattern is None or isinstance(use.pattern.tree, Choice)
        edit = use.edit(view, 0, len(use.text), flags + "^[^?]*" + (f"(?:{rest})" if is_choice else rest))
        return None if edit is None else Fix("test the path only", (edit,), safe=True)


def _by_suffix(view: View, group: Sequence[Parts]) -> Iterator[nodes.Expr]:
    """The conditions of arms for which a private page may be taken."""
    for place, expr, _ in group:
        if isinstance(place.statement, nodes.If) and any(_private_url(view, one) for one in _positive(expr)):
            yield expr


def _private_url(view: View, test: nodes.Compare) -> str | None:
    """A private page for which a test of a suffix holds; None for another test."""
    pattern = view.text(test.right)
    if test.op != "~" or pattern is None or view.variable(test.left) not in _URLS:
        return None
    found = None if begins_otherwise(pattern, _PRIVATE_PAGE) else compiled(pattern)
    if found is None:
        return None
    if found.search(_PRIVATE_PAGE) or found.search(_PRIVATE_PAGE + "?x=a"):
        return None
    for suffix in _STATIC:
        url = f"{_PRIVATE_PAGE}?x=a.{suffix}"
        if found.search(f"{_PRIVATE_PAGE}.{suffix}") and found.search(url):
            return url
    return None


def _idle_unsets(view: View) -> set[nodes.Stmt]:
    """The statements of vcl_recv that unset Cookie where no request has one, or to which none comes."""
    seen: dict[nodes.Stmt, bool] = {}

    def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
        if isinstance(statement, nodes.Unset) and view.name(statement.target) == _COOKIE:
            seen[statement] = seen.get(statement, True) and state.has(_COOKIE, ABSENT)

    Paths(view, Knowledge(view, (_COOKIE,), watch=watch, also=())).of_hook("vcl_recv", Facts())
    own = (place.statement for place in view.places if place.in_hook("vcl_recv"))
    unsets = (one for one in own if isinstance(one, nodes.Unset) and view.name(one.target) == _COOKIE)
    return {one for one in unsets if seen.get(one, True)}


def _lost(view: View, statement: nodes.Stmt) -> str:
    """Words for the cookies that a statement takes from a request or its response."""
    name = view.name(statement.target) if isinstance(statement, nodes.Unset) else ""
    return {_COOKIE: "which loses its cookies", _SET_COOKIE: "which loses its Set-Cookie"}.get(name, "")


_TTL_BY = "the statement that set the ttl"


def _stored_for_users(view: View, url: str) -> frozenset[int]:
    """The tokens of the statements whose ttl stores a response of this URL to a request with cookies, or with
    Authorization, that are not in the key. The built-in policy passes such requests."""
    stored: set[int] = set()
    for field, keys in ((_AUTHORIZATION, authorization_keys(view)), (_COOKIE, cookie_keys(view))):
        start = GET | CHECKED | STORED | {_URL: is_text(url), field: PRESENT}
        follow = Followed(view, _Url(view, start))
        for end in follow.looked_up(facts(start)):
            if end.state.has(field, PRESENT) and not is_keyed(view, end.state, keys):
                for last in follow.after(RESPONSE, end.state):
                    by = last.state.get(_TTL_BY)
                    if by is not None and is_stored(last):
                        stored.add(int(by))
    return frozenset(stored)


class _Url(Knowledge):
    """Follows the substitutions of a known URL, and which statement sets a ttl above zero."""

    def __init__(self, view: View, start: dict[str, str]) -> None:
        super().__init__(view, (*start, _BEREQ_URL, *_OF_USERS), also=("beresp.ttl",))

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        step = substitution(self.view, statement)
        if isinstance(statement, nodes.Set):
            name = self.view.name(statement.target)
            url = state.text(name)
            if url is not None and step is not None:
                return state.with_fact(name, is_text(step(url)))
            if name == "beresp.ttl":
                by = str(statement.at[0]) if stores_by_ttl(self.view, statement) else None
                return state.with_fact(_TTL_BY, by)
        return super().do(state, statement, trail)


def _holds_for(view: View, condition: nodes.Expr, url: str) -> bool | None:
    """Whether a condition holds for a URL; None if something else decides it, too."""

    def of(test: nodes.Expr) -> bool | None:
        if not isinstance(test, nodes.Compare) or test.op not in ("~", "!~"):
            return None
        if view.variable(test.left) not in _URLS:
            return None
        found = compiled(view.text(test.right) or "")
        return None if found is None else (found.search(url) is not None) == (test.op == "~")

    return outcome(condition, of)


def _positive(test: nodes.Expr) -> Iterator[nodes.Compare]:
    """The comparisons that can make a test hold."""
    test = bare(test)
    if isinstance(test, nodes.Compare):
        yield test
    elif isinstance(test, nodes.And | nodes.Or):
        for operand in children_of(test):
            yield from _positive(operand)


class RetryOfPost(Rule):
    id = "CS014"
    name = "post-as-get"
    severity = Severity.WARNING
    what = "A request with a body can be retried, and std.cache_req_body() did not keep the body."
    why = (
        "The first fetch has read the body. The second one has none to send and fails, or the "
        "origin does the same order twice."
    )
    remedy = "retry only if bereq.method is GET or HEAD, or call std.cache_req_body() in vcl_recv"
    source = "https://github.com/varnishcache/varnish-cache/issues/1927"
    bad = "sub vcl_backend_response { if (beresp.status == 503 && bereq.retries == 0) { return (retry); } }"
    good = (
        'sub vcl_backend_response { if (beresp.status == 503 && bereq.method == "GET") { return (retry); } }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        if any(view.call_of(place.statement) == "std.cache_req_body" for place in view.places):
            return
        start = {"bereq.method": is_text("POST"), "bereq.uncacheable": TRUE, RFC9111: FALSE}
        for hook in ("vcl_backend_response", "vcl_backend_error"):
            for end in Paths(view, Knowledge(view, start, also=())).of_hook(hook, facts(start)):
                if end.action == "retry":
                    yield finding(view, end.at, "this retries a POST, whose body is gone")


class RangeAndCache(Rule):
    id = "CS015"
    name = "range-and-cache"
    severity = Severity.WARNING
    what = "The policy makes partial responses by hand: it sets Range, Content-Range, or the status 206."
    why = (
        "The cache fetches whole responses and cuts ranges out of them. A part stored as the "
        "whole is served to everybody."
    )
    remedy = "leave ranges to the cache, or pass these requests"
    source = "https://github.com/varnishcache/varnish-cache/issues/3823"
    bad = 'sub vcl_backend_fetch { set bereq.http.Range = "bytes=0-99"; }'
    good = "sub vcl_backend_fetch { if (bereq.uncacheable) { set bereq.http.Range = bereq.http.X-Range; } }"

    def check(self, view: View) -> Iterator[Finding]:
        keyed = hashed_names(view)
        ranges: dict[nodes.Set, None] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            if isinstance(statement, nodes.Set) and view.name(statement.target) == "bereq.http.range":
                read = {name.removeprefix("be") for name, _ in view.reads(statement.value)}
                if not read & keyed and not state.has("bereq.uncacheable", TRUE):
                    ranges[statement] = None

        stored = Knowledge(view, STORED, watch=watch, also=("bereq.http.range",))
        Paths(view, stored).of_hook("vcl_backend_fetch", Facts())
        for statement in ranges:
            yield finding(view, statement, "a part of a response is stored as the whole")
        for place in view.places:
            if isinstance(place.statement, nodes.Set) and self._is_partial(view, place.statement):
                yield finding(
                    view, place.statement, "the cache cuts ranges itself, and this disagrees with it"
                )

    def _is_partial(self, view: View, statement: nodes.Set) -> bool:
        name, value = view.name(statement.target), bare(statement.value)
        if name in ("beresp.http.content-range", "resp.http.content-range"):
            return True
        is_206 = isinstance(value, nodes.NumberLit) and value.digits == "206"
        return is_206 and name in ("beresp.status", "resp.status")


class EsiEverything(Rule):
    id = "CS016"
    name = "esi-everything"
    severity = Severity.WARNING
    what = "ESI is turned on for responses, whatever their URL or type."
    why = (
        "The cache parses images and downloads for ESI tags, and unpacks compressed ones for it. "
        "Binary content that looks like a tag is damaged."
    )
    remedy = 'turn it on only if beresp.http.Content-Type ~ "text/html", or the origin asks for it'
    source = "https://github.com/varnishcache/varnish-cache/issues/1878"
    bad = "sub vcl_backend_response { set beresp.do_esi = true; }"
    good = 'sub vcl_backend_response { if (beresp.http.Content-Type ~ "html") { set beresp.do_esi = true; } }'

    def check(self, view: View) -> Iterator[Finding]:
        wide = ("bereq.method", "beresp.ttl", "beresp.http.set-cookie", *STORED)
        everywhere = Everywhere(view, "vcl_backend_response", wide).everywhere
        for place, statement in sets_of(view, "beresp.do_esi", "vcl_backend_response"):
            if view.variable(statement.value) == "true" and statement in everywhere:
                tests = which(view, place).replace(" and", " that", 1)
                yield finding(view, statement, f"every response{tests} is parsed for ESI")


class _Fresh(Knowledge):
    """Knows that obj.ttl is above zero."""

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        if isinstance(test, nodes.Compare) and self.view.variable(test.left) == "obj.ttl":
            right = bare(test.right)
            if isinstance(right, nodes.NumberLit) and float(right.digits) == 0:
                return state if (test.op in (">", ">=", "!=")) is holds else None
            return state.with_fact("limited", TRUE)  # the author chose an age
        return super().assume(state, test, holds)


class MissFromHit(Rule):
    id = "CS017"
    name = "miss-from-hit"
    severity = Severity.WARNING
    what = "vcl_hit returns miss, or pass, for any response, although it is fresh."
    why = "Each request goes to the origin, and no two share one fetch."
    remedy = "decide in vcl_recv: return (pass), or set req.hash_always_miss = true"
    source = "https://github.com/varnishcache/varnish-cache/issues/2410"
    bad = "sub vcl_hit { return (pass); }"
    good = "sub vcl_hit { if (obj.ttl >= 0s) { return (deliver); } return (pass); }"

    def check(self, view: View) -> Iterator[Finding]:
        paths = Paths(view, _Fresh(view, ("obj.ttl",), also=()))
        ends = paths.of_hook("vcl_hit", facts({"obj.ttl": POSITIVE}))
        kept = any(end.action == "deliver" for end in ends)
        for end in ends:
            chosen = end.state.has("limited", TRUE) or kept
            if end.action in ("miss", "pass") and not chosen:
                yield finding(view, end.at, "a fresh response is thrown away here")
