"""CK: how requests find their stored response: host, URL and what else is in the key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from vernis.lint.paths import Paths, Trail
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.rules.storing import GET, looked_up
from vernis.lint.rules.variants import CODINGS
from vernis.lint.values import Test, Values, test_of
from vernis.lint.view import Place, View, expressions_of, field_of, flat, parts_of
from vernis.record import record, replace
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity, Span

_HOST = "req.http.host"
_SITE = frozenset((_HOST, "server.ip", "local.ip"))
_QUERY_WORDS = later(r"query|param|url")


@record(frozen=True)
class _Part:
    """A text that hash_data() put into the key: the constant, or the names that it was made of."""

    at: int
    text: str | None
    names: frozenset[str]


class _Keys:
    """The domain of all keys that vcl_hash can make, as the sequence of their parts."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.about = frozenset(("hash_data()",))
        self.statements: dict[int, nodes.Stmt] = {}

    def assume(self, state: tuple[_Part, ...], test: nodes.Expr, holds: bool) -> tuple[_Part, ...]:
        return state

    def do(self, state: tuple[_Part, ...], statement: nodes.Stmt, trail: Trail) -> tuple[_Part, ...]:
        if self.view.call_of(statement) != "hash_data":
            return state
        self.statements[statement.at[0]] = statement
        for expr in expressions_of(statement):
            assert isinstance(expr, nodes.CallExpr)
            value = expr.args[0].value
            names = frozenset(name for name, _ in self.view.reads(value))
            return (*state, _Part(statement.at[0], self.view.text(value), names))
        return state


def _collide(one: tuple[_Part, ...], other: tuple[_Part, ...]) -> tuple[_Part, _Part] | None:
    """The only parts in which two keys differ, in the order of the text, if different names were put there:
    equal values then make equal keys. CK008 asks to delete a part with Accept-Encoding."""
    if len(one) != len(other):
        return None
    differ = [(a, b) for a, b in zip(one, other) if a.at != b.at]
    if len(differ) != 1 or any(part.text is not None for part in differ[0]):
        return None
    a, b = differ[0]
    if a.names == b.names or (a.names | b.names) <= _SITE or frozenset((CODINGS,)) in (a.names, b.names):
        return None
    return (a, b) if b.at > a.at else (b, a)


def _pairs(ends: list[tuple[_Part, ...]]) -> Iterator[tuple[_Part, _Part, frozenset[str]]]:
    """The parts in which two keys differ, and the names that both have as a part."""
    for index, one in enumerate(ends):
        for other in ends[index + 1 :]:
            parts = _collide(one, other)
            if parts is not None:
                both = [part.names for part in one if part in other and len(part.names) == 1]
                yield *parts, frozenset().union(*both)


_Answers: TypeAlias = list[tuple[Test, bool]]

_VALUE = "req.http.value"  # stands for the name of a part in tests of its value


class _Texts:
    """The known values that hash_data() puts into the key: the constants that the policy sets, and those that
    the tests around the call leave."""

    def __init__(self, view: View, statements: dict[int, nodes.Stmt]) -> None:
        self.view, self.statements = view, statements
        self.values = Values(view)
        self.places = {id(place.statement): place for place in view.places}

    def are_apart(self, one: _Part, other: _Part, shared: frozenset[str]) -> bool:
        """Whether no value of a part can be a value of the other, or the tests around them want different
        values of a name that both keys have, too."""
        place, other_place = (self.places.get(id(self.statements[part.at])) for part in (one, other))
        if place is None or other_place is None:
            return False
        return self._exclude(self._tests(place, one), self._tests(other_place, other)) or any(
            self._exclude(self._around(place, name), self._around(other_place, name)) for name in shared
        )

    def _exclude(self, some: Iterable[_Answers], others: Iterable[_Answers]) -> bool:
        known = list(others)
        return any(
            all(self.values.answer(a, b, held) is (not holds) for a, holds in mine for b, held in its)
            for mine in some
            for its in known
        )

    def _tests(self, place: Place, part: _Part) -> Iterator[_Answers]:
        """Lists of tests with their answers. Each value of the part gives one of the answers of each list."""
        if len(part.names) != 1:
            return
        [name] = part.names
        texts = [self.view.text(one.value) for _, one in self.view.sets.get(name, ())]
        if texts and all(texts):
            yield [(Test(_VALUE, "text", text or ""), True) for text in texts]
        for answers in self._around(place, name):
            yield [(replace(test, name=_VALUE), holds) for test, holds in answers]

    def _around(self, place: Place, name: str) -> Iterator[_Answers]:
        """Lists of tests of a name around a statement, of which one has its answer."""
        if any(at.in_hook("vcl_hash") for at, _ in self.view.sets.get(name, ())):
            return
        for condition in self.view.enclosing.of(place):
            for test in flat(condition, nodes.And):
                found = [test_of(self.view, one) for one in flat(test, nodes.Or)]
                answers = [one for one in found if one is not None and one[0].name == name]
                if len(answers) == len(found):
                    yield answers


class ConditionalHashCollision(Rule):
    id = "CK004"
    name = "conditional-hash-collision"
    severity = Severity.WARNING
    what = "Two paths put different inputs at the same position of the key."
    why = "If the values are equal, a request with one input gets the page of a request with the other."
    remedy = 'put a text in front of each: hash_data("cookie=" + req.http.X-Cookie)'
    changes = "the value has its name in front in the key, so that the cache fetches these pages again"
    source = "https://github.com/magento/magento2/pull/29360"
    bad = (
        "sub vcl_hash { if (req.http.X-A) { hash_data(req.http.X-A); } "
        "if (req.http.X-B) { hash_data(req.http.X-B); } }"
    )
    good = (
        'sub vcl_hash { if (req.http.X-A) { hash_data("a=" + req.http.X-A); } '
        'if (req.http.X-B) { hash_data("b=" + req.http.X-B); } }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        keys = _Keys(view)
        ends: list[tuple[_Part, ...]] = [end.state for end in Paths(view, keys).of_hook("vcl_hash", ())]
        texts = _Texts(view, keys.statements)
        pairs = dict.fromkeys(_pairs(ends[:_ENDS_MAX]))
        found = dict.fromkeys(last.at for one, last, both in pairs if not texts.are_apart(one, last, both))
        for at in found:
            statement = keys.statements[at]
            open_text = _is_free(view, statement) and not _has_label(view, statement)
            if open_text and not view.is_builtin(statement):
                yield finding(
                    view,
                    statement,
                    "another path has a different input at this place of the key",
                    fix=_labelled(view, statement),
                )


_ENDS_MAX = 64  # keys that are compared with each other


def _labelled(view: View, statement: nodes.Stmt) -> Fix | None:
    """The text with the name of its field in front."""
    call = next(expressions_of(statement))
    value = call.args[0].value if isinstance(call, nodes.CallExpr) else call
    field = field_of(view.variable(value) or "")
    if field is None:
        return None
    at = view.span(value)
    edit = Edit(Span(at.file, at.start, at.start), f'"{field[1]}=" + ')
    return Fix("name the input in the key", (edit,), safe=False)


def _has_label(view: View, statement: nodes.Stmt) -> bool:
    """Whether a constant in the text tells which input follows."""
    return any(
        isinstance(part, nodes.StringLit) and part.value
        for expr in expressions_of(statement)
        for part in parts_of(expr)
    )


def _is_free(view: View, statement: nodes.Stmt) -> bool:
    """Whether a client chooses the hashed text: some field in it is not only set to constants."""
    sets = [place.statement for place in view.places if isinstance(place.statement, nodes.Set)]
    for expr in expressions_of(statement):
        for name, _ in view.reads(expr):
            own = [one for one in sets if view.name(one.target) == name]
            if field_of(name) is not None and not (own and all(view.text(one.value) for one in own)):
                return True
    return False


class MethodInHash(Rule):
    id = "CK005"
    name = "method-in-hash"
    severity = Severity.WARNING
    what = "The cache key contains the request's method, and the policy purges."
    why = "A PURGE then looks up a key that no GET made. It finds nothing, and answers that all is well."
    remedy = "leave the method out of the key: only GET and HEAD share stored responses"
    source = "https://github.com/alphagov/govuk-cdn-config/pull/245"
    bad = (
        'sub vcl_recv { if (req.method == "PURGE" && req.http.X-Token == "a secret") { return (purge); } } '
        "sub vcl_hash { hash_data(req.method); }"
    )
    good = "sub vcl_hash { hash_data(req.method); }"

    def check(self, view: View) -> Iterator[Finding]:
        purges = any(
            isinstance(place.statement, nodes.Return)
            and place.statement.action is not None
            and place.statement.action.text.lower() == "purge"
            for place in view.places
        )
        for place in view.places if purges else ():
            parts = [part for expr in expressions_of(place.statement) for part in parts_of(expr)]
            is_hash = view.call_of(place.statement) == "hash_data"
            if is_hash and any(view.variable(part) == "req.method" for part in parts):
                yield finding(view, place.statement, "a PURGE gets another key than the GET it should remove")


class HostNotNormalised(Rule):
    id = "CK009"
    name = "host-not-normalised"
    severity = Severity.WARNING
    what = "The policy compares the host as the client wrote it, in any case and with a port."
    why = "For Example.com and example.com:80 the test fails, and the response gets another key."
    remedy = 'set req.http.host = std.tolower(regsub(req.http.host, ":[0-9]+$", "")) before the test'
    source = "https://github.com/jonbaldie/varnish/issues/76"
    bad = 'sub vcl_recv { if (req.http.host == "example.com") { set req.url = "/x"; } }'
    good = (
        'import std; sub vcl_recv { set req.http.host = std.tolower(regsub(req.http.host, ":[0-9]+$", "")); '
        'if (req.http.host == "example.com") { set req.url = "/x"; } }'
    )
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        if any(_rewrites(view, place.statement, _HOST) for place in view.places):
            return
        for place in view.places:
            for expr in expressions_of(place.statement):
                for part in parts_of(expr):
                    if isinstance(part, nodes.Compare) and part.op in ("==", "!="):
                        if view.variable(part.left) == _HOST and view.text(part.right) is not None:
                            yield finding(view, part, "the host may have capitals or a port here")
                            return


def _rewrites(view: View, statement: nodes.Stmt, name: str) -> bool:
    """Whether a statement makes a new value of a name from the old one."""
    return (
        isinstance(statement, nodes.Set)
        and view.name(statement.target) == name
        and any(read.startswith(name) for read, _ in view.reads(statement.value))
    )


class QueryNotNormalised(Rule):
    id = "CK010"
    name = "query-not-normalised"
    severity = Severity.NOTE
    what = "The policy rewrites requests, and neither sorts the query nor removes parameters from it."
    why = (
        "Each order of parameters and each tracking id is a key of its own: a crawler with unique "
        "ids always reaches the origin."
    )
    remedy = "set req.url = std.querysort(req.url), and remove parameters that the origin ignores"
    source = "https://github.com/shopware/varnish-shopware/pull/42"
    bad = "sub vcl_recv { unset req.http.Cookie; }"
    good = "import std; sub vcl_recv { unset req.http.Cookie; set req.url = std.querysort(req.url); }"
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for place in view.places:
            called = view.call_of(place.statement)
            if _rewrites(view, place.statement, "req.url") or _QUERY_WORDS.search(called):
                return
        ends = Paths(view, _Keys(view)).of_hook("vcl_recv", ())
        if not any(end.action == "hash" for end in ends):
            return
        for sub in view.defines("vcl_recv")[:1]:
            span = view.tokens.span(sub.name_at)
            yield Finding(span, "the query is part of the key as the client wrote it")


class UrlRewrittenAfterHash(Rule):
    id = "CK012"
    name = "url-rewritten-after-hash"
    severity = Severity.NOTE
    what = "The URL or the host changes after the cache key is made."
    why = (
        "The key belongs to the old URL, the response to the new one: two URLs can share a "
        "response, and a purge of the new URL finds nothing."
    )
    remedy = "change it in vcl_recv, or change bereq.url in vcl_backend_fetch if only the origin is to see it"
    source = "https://github.com/M4R7iNP/varnishls"
    bad = 'sub vcl_miss { set req.url = "/x"; }'
    good = 'sub vcl_recv { set req.url = "/x"; }'

    def check(self, view: View) -> Iterator[Finding]:
        for place, statement in (*view.sets.get("req.url", ()), *view.sets.get(_HOST, ())):
            if place.in_hook("vcl_hash", "vcl_hit", "vcl_miss") and not place.in_hook("vcl_recv"):
                yield finding(view, statement, "the key was made before this")


class NormaliseAfterDecision(Rule):
    id = "CK013"
    name = "normalise-after-decision"
    severity = Severity.WARNING
    what = "vcl_recv rewrites the URL or the host after a `return (hash)` that some requests take."
    why = "These requests are looked up with the URL as the client wrote it, and stored a second time."
    remedy = "rewrite the URL and the host first, then decide"
    source = "https://github.com/nexcess/magento-turpentine/pull/1238"
    bad = (
        'import std; sub vcl_recv { if (req.url ~ "^/a") { unset req.http.Cookie; return (hash); } '
        "set req.url = std.querysort(req.url); }"
    )
    good = (
        "import std; sub vcl_recv { set req.url = std.querysort(req.url); "
        'if (req.url ~ "^/a") { unset req.http.Cookie; return (hash); } }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        own = [place for place in view.places if place.sub == "vcl_recv"]
        top = {at.at for sub in view.defines("vcl_recv") for at in sub.body.statements}
        rewrites = [
            (place.statement, name)
            for place in own
            for name in ("req.url", _HOST)
            if place.statement.at in top and _rewrites(view, place.statement, name)
        ]
        if not rewrites or not view.where.returns("hash"):
            return
        ends = {end.at for end in looked_up(view, GET, frozenset())}  # a PURGE looks up what it removes
        returns = [place for place in own if place.statement in ends]
        for statement, name in rewrites:
            sets = [place for place, _ in view.sets[name]]
            first = min((one.statement.at for one in returns if not _follows(view, one, sets)), default=None)
            if first is not None and first < statement.at:
                yield Finding(
                    view.span(statement),
                    "some requests were looked up before this",
                    labels=((view.tokens.span(first), "by this"),),
                )


def _follows(view: View, end: Place, sets: list[Place]) -> bool:
    """Whether the arm around a return, or one around that, has another value for the name: a constant host, a
    URL without its query."""
    around = view.enclosing.told(end)
    return any(
        own and own == around[: len(own)] and place.statement.at < end.statement.at
        for place in sets
        for own in [view.enclosing.told(place)]
    )
