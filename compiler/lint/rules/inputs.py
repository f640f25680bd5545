"""CK001: inputs of a request that decide what the origin sees, and that the key does not contain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from vernis.lint.rule import Finding, Rule
from vernis.lint.taint import Kind, State, Taint, Value
from vernis.lint.view import View, bare, expressions_of, field_of, parts_of
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity, Span

# These fields tell the origin who asks. Responses do not depend on them, and each request has other values.
# The core makes responses of all content codings from one (CK008 is about them).
_TELLS_WHO = frozenset(
    "x-forwarded-for x-real-ip x-client-ip client-ip true-client-ip forwarded via x-request-id x-trace-id "
    "x-varnish traceparent accept-encoding x-forwarded-port x-forwarded-server x-remote-addr "
    "cf-connecting-ip fastly-client-ip x-cluster-client-ip".split()
)
_WORD = re.compile(r"[a-z0-9-]+")
_GROUP = re.compile(r"\\[0-9]")
# An origin answers differently by these fields nearly always, and seldom names them in Vary. It may name
# another field that the policy makes for it: then the cache compares it.
_DECISIVE = frozenset(("host", "cookie", "authorization"))
# A policy reads a field here to tell it to clients.
_LATER = ("vcl_backend_response", "vcl_deliver", "vcl_synth", "vcl_backend_error")
_NAMED_MAX = 3  # inputs that a message names
_HINT = {"bereq.backend": "req.backend_hint"}
_SAID = {"bereq.backend": "the backend", "bereq.url": "the URL of the request to the origin"}


def varied_fields(view: View) -> frozenset[str]:
    """All words in texts that statements and tests put together with a Vary field: the policy adds some of
    them to it, or expects the origin to send them there."""
    return frozenset(
        word
        for place in view.places
        for expr in expressions_of(place.statement)
        if _is_about_vary(view, place.statement, expr)
        for text in _texts(view, expr)
        for word in _WORD.findall(text.lower())
    )


def _is_about_vary(view: View, statement: nodes.Stmt, expr: nodes.Expr) -> bool:
    names = [name for name, _ in view.reads(expr)]
    if isinstance(statement, nodes.Set):
        names.append(view.name(statement.target))
    return any(name.endswith(".http.vary") for name in names)


def _texts(view: View, expr: nodes.Expr) -> Iterator[str]:
    for part in parts_of(expr):
        if isinstance(part, nodes.StringLit):
            yield part.value


class UnkeyedInput(Rule):
    id = "CK001"
    name = "unkeyed-input"
    severity = Severity.ERROR
    what = (
        "A field, a cookie, a part of the URL or the client's address decides the backend, the URL or a "
        "field that the origin sees, and is neither in the cache key nor named by Vary."
    )
    why = (
        "The origin then makes different responses for one key. The cache stores the first one and serves it "
        "to everybody, so that one client with a chosen header field can replace a page for all others. The "
        "finding is a warning if only a field changes that the origin may name in Vary itself, and a note if "
        "the policy reads this field for itself: then the origin may not know it."
    )
    remedy = (
        "hash_data() the value that the origin sees, add the field to beresp.http.Vary, "
        "or pass requests that have the input"
    )
    source = "https://www.fastly.com/security-advisories/cache-poisoning-leveraging-various-x-headers"
    bad = (
        'sub vcl_recv { if (req.http.X-Beta) { set req.url = "/"; } else { set req.http.X-Site = "main"; } }'
    )
    good = (
        'sub vcl_recv { unset req.http.X-Site; if (req.http.X-Beta) { set req.http.X-Site = "beta"; } } '
        "sub vcl_hash { hash_data(req.http.X-Site); }"
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        taint = Taint(view)
        if taint.sent is None:
            return
        sent = taint.sent
        for name in varied_fields(view):
            sent.keyed |= sent.values.get("bereq.http." + name) or taint.input("req.http." + name)
        private, helpers = _read_later(view), _read_before(view)
        inputs_of = _inputs(taint, sent)
        told: dict[str, None] = {}
        for severity, name in sorted(((_severity(name, helpers), name) for name in sent.values), key=_first):
            field = field_of(name)
            if name not in _SAID and (
                field is None or field[0] != "bereq" or field[1] in _TELLS_WHO or field[1] in private
            ):
                continue
            inputs = inputs_of(sent.values[name]) - {name.removeprefix("be")}
            if inputs - told.keys():
                told |= dict.fromkeys(inputs)
                yield from _finding(view, taint, sent, name, inputs, severity)


_SEVERITIES = tuple(Severity)


def _severity(name: str, helpers: frozenset[str]) -> Severity:
    field = name.removeprefix("bereq.http.")
    if name in _SAID or field in _DECISIVE:
        return Severity.ERROR
    return Severity.NOTE if field in helpers else Severity.WARNING


def _first(one: tuple[Severity, str]) -> tuple[int, str]:
    """The worst comes first: it is the finding about inputs that decide several names."""
    return _SEVERITIES.index(one[0]), one[1]


def _inputs(taint: Taint, sent: State) -> Callable[[Value], frozenset[str]]:
    """Tells the unsettled inputs of a value. A test of the URL before a rewrite is settled: the key holds
    what the rewrite made of it, which nearly always still tells the result. The host has rules of its own
    (CK002, CK009)."""
    every, direct = taint.inputs(sent), cache(lambda: taint.inputs(sent, through=False))

    def inputs_of(value: Value) -> frozenset[str]:
        inputs = every(value) - {"req.http.host"}
        return inputs - {"req.url"} if "req.url" in inputs and "req.url" not in direct()(value) else inputs

    return inputs_of


def _read_later(view: View) -> frozenset[str]:
    """The fields that a policy keeps for itself: it reads them when it delivers."""
    return frozenset(
        field[1]
        for place in view.places
        if place.in_hook("vcl_deliver", "vcl_synth") and not place.in_hook("vcl_recv")
        for expr in expressions_of(place.statement)
        if not _is_about_vary(view, place.statement, expr)
        for name, _ in view.reads(expr)
        for field in [field_of(name)]
        if field is not None and field[0] == "req"
    )


def _read_before(view: View) -> frozenset[str]:
    """The fields with names of its own that a policy reads before the fetch, to decide something or to put
    another value back."""
    return frozenset(
        field[1]
        for place in view.places
        if not place.in_hook(*_LATER)
        for expr in expressions_of(place.statement)
        for name, _ in view.reads(expr)
        for field in [field_of(name)]
        if field is not None and field[1].startswith("x-") and not _is_about(view, place.statement, name)
    )


def _is_about(view: View, statement: nodes.Stmt, name: str) -> bool:
    """Whether a statement only makes a new value of a name."""
    if isinstance(statement, nodes.If):
        return all(_is_about(view, one, name) for arm in statement.arms for one in arm.body.statements)
    return isinstance(statement, nodes.Set | nodes.Unset) and view.name(statement.target) == name


def _finding(
    view: View, taint: Taint, sent: State, name: str, inputs: frozenset[str], severity: Severity
) -> Iterator[Finding]:
    sets, tests = _causes(taint, name, sent)
    copies = _copies(view, name)
    labels: list[tuple[Span, str]] = []
    of_others = sets and copies and not any(_targets(view, one, name) for one in sets)
    places = copies if not tests or of_others else sets or tests
    if sets and tests:
        labels.append((view.span(tests[0]), "this decides it"))
    field = name.removeprefix("bereq.http.")
    is_certain = severity is Severity.ERROR
    said = _SAID.get(name, f"{field}, which the origin sees")
    later = {one: change for one in inputs if (change := _changed_later(taint, sent, name, one)) is not None}
    labels += [
        (view.span(change), f"this comes later, and the key has {one} as it is then")
        for one, change in later.items()
    ]
    words = [_part_of(view, one, later[one]) if one in later else one for one in sorted(inputs)]
    message = f"{_list(words)} {'decides' if len(inputs) == 1 else 'decide'} {said}, and "
    message += f"{'is' if len(inputs) == 1 else 'are'} neither in the key nor in Vary"
    help = "" if is_certain else f"{UnkeyedInput.remedy}; leave it if the origin answers with `Vary: {field}`"
    for place in places[:1]:
        yield Finding(view.span(place), message, help, tuple(labels), severity=severity)


def _copies(view: View, name: str) -> list[nodes.Stmt]:
    """The statements that set a name. A copy has no atom of its own."""
    sets = [place.statement for place in view.places if isinstance(place.statement, nodes.Set)]
    return [statement for statement in sets if _targets(view, statement, name)]


def _targets(view: View, statement: nodes.Stmt, name: str) -> bool:
    """Whether a statement sets or unsets a name of the request to the origin, or the client's before it."""
    names = (name, name.removeprefix("be"), _HINT.get(name))
    return isinstance(statement, nodes.Set | nodes.Unset) and view.name(statement.target) in names


def _changed_later(taint: Taint, sent: State, name: str, given: str) -> nodes.Stmt | None:
    """The statement that changes an input between the decision about a value and the key, which has what the
    change made of it; None if there is none."""
    own = _behind(taint, sent.values[name])
    changes = [
        atom.node
        for atom in (taint.atoms[number] for number in _behind(taint, sent.keyed) - own)
        if atom.kind is Kind.SET and atom.name == given and isinstance(atom.node, nodes.Set | nodes.Unset)
    ]
    return min(changes, key=lambda one: one.at, default=None)


def _behind(taint: Taint, value: Value) -> set[int]:
    """All atoms that a value was made of."""
    found: set[int] = set()
    stack = list(value)
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            stack += taint.atoms[number].made_of
    return found


def _part_of(view: View, name: str, change: nodes.Stmt) -> str:
    """The words for what is lost of an input before the key is made."""
    file, line, _ = view.sources.place(view.span(change))
    return f"the part of {name} that line {line} {'removes' if _removes(view, change) else 'changes'} later"


def _removes(view: View, change: nodes.Stmt) -> bool:
    """Whether a statement only leaves text out: an ``unset``, or a substitution by nothing but groups."""
    value = bare(change.value) if isinstance(change, nodes.Set) else None
    if not isinstance(value, nodes.CallExpr) or view.name(value.name) not in ("regsub", "regsuball"):
        return value is None
    by = view.text(value.args[2].value) if len(value.args) == 3 else None
    return by is not None and _GROUP.sub("", by) == ""


def _list(names: list[str]) -> str:
    more = len(names) - _NAMED_MAX
    return ", ".join(names[:_NAMED_MAX]) + (f" (and {more} more)" if more > 0 else "")


def _causes(taint: Taint, name: str, sent: State) -> tuple[list[nodes.Stmt], list[nodes.Expr]]:
    """The statements that make a value depend on something unsettled, those that set the value itself
    before others, and the unsettled tests that do, each in the order of the text."""
    value, names = sent.values[name], (name, name.removeprefix("be"), _HINT.get(name))
    own: dict[int, nodes.Stmt] = {}
    sets: dict[int, nodes.Stmt] = {}
    tests: dict[int, nodes.Expr] = {}
    unsettled = taint.unsettled(value, sent)
    is_open: dict[
        int, bool
    ] = {}  # whether one of the tests of choices is unsettled, by the ids of their sets
    for number in unsettled:
        atom = taint.atoms[number]
        found = [number]
        key = id(atom.decide)
        if key not in is_open:
            is_open[key] = not atom.decide.isdisjoint(unsettled)
        if is_open[key]:
            found += [inner for side in atom.sides for inner in side]
        for one in found:
            node = taint.atoms[one].node
            if node is None or taint.view.is_builtin(node):
                continue
            if taint.atoms[one].kind is Kind.TEST:
                tests[node.at[0]] = node  # type: ignore[assignment]
            else:
                same = taint.atoms[one].name in names
                (own if same else sets)[node.at[0]] = node  # type: ignore[assignment]
    # A test of the method stands beside the input that is to blame.
    blamed = {at: node for at, node in tests.items() if not _asks_method(taint.view, node)} or tests
    return [own[at] for at in sorted(own)] + [sets[at] for at in sorted(sets)], [
        blamed[at] for at in sorted(blamed)
    ]


def _asks_method(view: View, test: nodes.Expr) -> bool:
    return any(name == "req.method" for name, _ in view.reads(test))
