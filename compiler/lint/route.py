"""Follows requests that are looked up from vcl_recv to the hooks of their fetch.

A field that nobody sets in between is the same in ``req`` and ``bereq``: a branch of vcl_backend_response
belongs to the branch of vcl_recv with the same test. The walk remembers the tests of such variables that both
sides ask (``gates.py``), so a branch whose requests vcl_recv passes, or answers itself, is not taken for one
of requests that it looks up.

A walk of this kind costs more than one of a single hook. So ``fetched`` walks the hook alone first, and
follows the requests only if that found something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from vernis.lint.facts import Facts, Knowledge, facts
from vernis.lint.gates import Gates, leaves_of
from vernis.lint.paths import Exit, Paths, Trail
from vernis.lint.taint import ROUTE
from vernis.lint.values import Test, Values, test_of
from vernis.lint.view import Place, View, field_of
from vernis.record import replace
from vernis.syntax import nodes

TESTS_MAX = 40  # tests that a walk remembers
PAIRS_MAX = 150  # tests of both sides that are compared

RECV, RESPONSE, FAILED = "vcl_recv", "vcl_backend_response", "vcl_backend_error"
_BEFORE_FETCH = "vcl_miss"  # the last hook of the client's request
_LATER = ("vcl_hash", "vcl_miss", "vcl_backend_fetch", RESPONSE, FAILED)
_SAME_ROOTS = ("client", "server", "local", "remote")
_CREDENTIALS = ("req.http.cookie", "req.http.authorization")
# The core leaves these fields out of a fetch into the cache, or writes them anew.
_NOT_SENT = frozenset(
    "accept-encoding accept-ranges a-im cache-control connection content-length content-range expect "
    "http2-settings if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive "
    "max-forwards proxy-authenticate proxy-authorization proxy-connection range request-range te trailer "
    "transfer-encoding unless-modified-since upgrade via x-forwarded-for x-varnish".split()
)


def shared(name: str) -> str:
    """The name of a variable in the client's request."""
    return name.removeprefix("be") if name.startswith("bereq.") else name


def _is_carried(name: str) -> bool:
    """Whether a variable of the client's request has the same value in the request to the origin."""
    field = field_of(name)
    if field is not None:
        return field[0] == "req" and field[1] not in _NOT_SENT
    return name == "req.url" or name.partition(".")[0] in _SAME_ROOTS


class _Followed:
    """The domain of a rule, with the tests that both sides ask."""

    def __init__(self, inner: Knowledge, gates: Gates) -> None:
        self.inner, self.gates = inner, gates
        names = gates.variables.union("be" + name for name in gates.variables)
        self.about = None if inner.about is None else inner.about | names

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        told = self.inner.assume(state, test, holds)
        return None if told is None else self.gates.assume(told, test, holds)

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        return self.gates.do(self.inner.do(state, statement, trail), statement)


def fetched(
    view: View,
    domain: Knowledge,
    start: dict[str, str],
    hook: str,
    wanted: Callable[[Exit[Facts]], bool],
    key: Callable[[Exit[Facts]], object] = lambda end: end.at.at[0],
) -> list[Exit[Facts]]:
    """The wanted exits of a hook of the fetch that a request reaches which is looked up. ``start`` are the
    facts with which the hook begins, and vcl_recv before it. Exits with the same ``key`` are one question."""
    alone = [end for end in Paths(view, domain).of_hook(hook, facts(start)) if wanted(end)]
    open_keys = set(map(key, alone))
    if alone:
        follow = Followed(view, domain)
        for state in dict.fromkeys(end.state for end in follow.looked_up(facts(start))):
            open_keys.difference_update(key(end) for end in follow.after(hook, state) if wanted(end))
            if not open_keys:
                break
        if follow.is_capped:
            return alone
    return [end for end in alone if key(end) not in open_keys]


class Followed:
    """The walks of one rule from vcl_recv on."""

    def __init__(self, view: View, domain: Knowledge) -> None:
        self.domain, self.gates = domain, view.once(_gates)
        self._paths = Paths(view, _Followed(domain, self.gates))

    @property
    def is_capped(self) -> bool:
        """Whether there were too many states to follow all of them."""
        return self._paths.is_capped

    def looked_up(self, start: Facts) -> list[Exit[Facts]]:
        """The exits of vcl_recv that look a request up."""
        return [end for end in self._paths.of_hook(RECV, start) if end.action == "hash"]

    def after(self, hook: str, state: Facts) -> Iterator[Exit[Facts]]:
        """The exits of a later hook for a request that vcl_recv left in this state."""
        names = [name for name, _ in ROUTE]
        last = names.index(hook if hook in names else RESPONSE)  # vcl_backend_error is in its place
        states = [state]
        for name, action in ROUTE[1:last]:
            ends = [end for one in states for end in self._paths.of_hook(name, one) if end.action == action]
            states = list(dict.fromkeys(end.state for end in ends))
            if name == _BEFORE_FETCH:
                states = list(dict.fromkeys(map(self._to_origin, states)))
        for one in states:
            yield from self._paths.of_hook(hook, one)

    def fixed_part(self, state: Facts) -> Facts:
        """The facts of a state about the URL and fields that the policy never changes, except credentials."""
        told = self.gates.facts_of(state)
        return facts({key: fact for key, fact, name in told if name == "req.url" or self._is_fixed(name)})

    def without(self, state: Facts, name: str) -> Facts:
        """The state of a request of which nothing is known about one field."""
        told = {key for key, _, of in self.gates.facts_of(state) if of == name}
        return Facts(tuple(pair for pair in state.known if pair[0] != name and pair[0] not in told))

    def _is_fixed(self, name: str) -> bool:
        return name not in self._changed and name not in _CREDENTIALS

    @cached_property
    def _changed(self) -> frozenset[str]:
        places = self._paths.view.places
        changes = (one.statement for one in places if isinstance(one.statement, nodes.Set | nodes.Unset))
        return frozenset(shared(self._paths.view.name(one.target)) for one in changes)

    def _to_origin(self, state: Facts) -> Facts:
        """The request to the origin begins as a copy of the client's."""
        known = [(name, fact) for name, fact in state.known if not name.startswith("req.")]
        for name, fact in state.known:
            if _is_carried(name) and "be" + name in self.domain.names:
                known.append(("be" + name, fact))
        return facts(dict(known))


def _gates(view: View) -> Gates:
    """The tests that tell something of each other: in vcl_recv, and in the hooks behind it."""
    before, behind = _tests_in(view, (RECV,)), _tests_in(view, _LATER)
    found: dict[Test, None] = {}
    values = Values(view)
    pairs = 0
    for name, later in behind.items():
        if view.where.returns("retry") and any(
            place.in_hook(RESPONSE, FAILED) for place, _ in view.sets.get("be" + name, ())
        ):
            continue  # the next round of the fetch has another value
        earlier = before.get(name, {})
        sets = (one for place, one in view.sets.get(name, ()) if place.in_hook(RECV))
        has_constant = any(view.text(one.value) is not None for one in sets)
        for test in later:
            if test in earlier or has_constant:
                found[test] = None
            for other in earlier:
                if other not in found or test not in found:
                    pairs += 1
                    if pairs <= PAIRS_MAX and values.are_related(test, other):
                        found |= {other: None, test: None}
    return Gates(view, tuple(found)[:TESTS_MAX], shared)


def _tests_in(view: View, hooks: tuple[str, ...]) -> dict[str, dict[Test, None]]:
    """The tests of variables that both sides have, by name, in the conditions of hooks."""
    found: dict[str, dict[Test, None]] = {}
    for place in view.places:
        if place.in_hook(*hooks):
            for test in _tests_of(view, place):
                found.setdefault(test.name, {})[test] = None
    return found


def _tests_of(view: View, place: Place) -> Iterator[Test]:
    if isinstance(place.statement, nodes.If):
        for arm in place.statement.arms:
            for leaf in leaves_of(arm.condition) if arm.condition is not None else ():
                found = test_of(view, leaf)
                if found is not None and _is_carried(shared(found[0].name)):
                    yield replace(found[0], name=shared(found[0].name))
