"""CK001: inputs of a request that decide what the origin sees, and that the key does not contain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from vernis.lint.atoms import Atom, Inputs, Kind, Settled, Value
from vernis.lint.rule import Finding, Rule
from vernis.lint.taint import Taint, inputs_read
from vernis.lint.view import Parts, Place, View, bare, expressions_of, field_of, parts_of
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity, Span

# These fields tell the origin who asks. Responses do not depend on them, and each request has other values.
# The core makes responses of all content codings from one (CK008 is about them).
_TELLS_WHO = frozenset(
    "x-forwarded-for x-real-ip x-client-ip client-ip true-client-ip forwarded via x-request-id x-trace-id "
    "x-varnish traceparent accept-encoding x-forwarded-port x-forwarded-server x-remote-addr "
    "cf-connecting-ip fastly-client-ip x-cluster-client-ip".split()
)
_VARY = ".http.vary"
_OWN = ".http.x-"  # in the names of fields that a policy makes for itself
_WORD = later(r"[a-z0-9-]+")
_GROUP = later(r"\\[0-9]")
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
    if not any(name.endswith(_VARY) for name in view.where.tokens):
        return frozenset()
    return frozenset(view.each_part(_varied))


def _varied(view: View, group: Sequence[Parts]) -> Iterator[str]:
    for place, expr, _ in group:
        if _is_about_vary(view, place.statement, expr):
            for text in _texts(view, expr):
                yield from _WORD.findall(text.lower())


def _is_about_vary(view: View, statement: nodes.Stmt, expr: nodes.Expr) -> bool:
    names = [name for name, _ in view.reads(expr)]
    if isinstance(statement, nodes.Set):
        names.append(view.name(statement.target))
    return any(name.endswith(_VARY) for name in names)


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
        "The cache serves the first of the origin's responses for one key to everybody: a client "
        "with a chosen field replaces a page for all others. A warning if only a field changes "
        "that the origin may name in Vary itself; a note if the policy reads this field for "
        "itself."
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
        if not _reads_more_than_the_key(view):
            return
        taint = Taint(view)
        if taint.sent is None:
            return
        values, atoms = taint.sent.values, taint.atoms
        keyed = taint.sent.keyed.union(
            *(
                values.get("bereq.http." + name) or atoms.input("req.http." + name)
                for name in varied_fields(view)
            )
        )
        settled = Settled(atoms, keyed, taint.sent.fixed)
        private, helpers = frozenset(view.each(_read_later)), frozenset(view.each(_read_before))
        inputs, inputs_of = _inputs(settled)
        changes = cache(lambda: _changes(settled.atoms, keyed))
        told = 0
        names = (name for name in values if name in _SAID or _is_seen(name, private))
        for severity, name in sorted(((_severity(name, helpers), name) for name in names), key=_first):
            mask = inputs_of(values[name]) & ~inputs.bits.get(name.removeprefix("be"), 0)
            if mask & ~told:
                told |= mask
                found = inputs.names(mask)
                yield from _finding(view, settled, name, values[name], found, changes(), severity)


def _reads_more_than_the_key(view: View) -> bool:
    """Whether the policy may read an input that the key lacks. The built-in vcl_hash adds the URL as the
    client sent it, and this rule leaves out the host."""
    changed = (view.sets.get("req.url"), view.defines("vcl_hash"), view.defines("vcl_builtin_hash"))
    return any(changed) or not {"req.url", "req.http.host"}.issuperset(view.each_part(inputs_read))


def _is_seen(name: str, private: frozenset[str]) -> bool:
    """Whether a field may change what the origin answers."""
    message, field = field_of(name) or ("", "")
    return message == "bereq" and field not in _TELLS_WHO and field not in private


_SEVERITIES = tuple(Severity)


def _severity(name: str, helpers: frozenset[str]) -> Severity:
    field = name.removeprefix("bereq.http.")
    if name in _SAID or field in _DECISIVE:
        return Severity.ERROR
    return Severity.NOTE if field in helpers else Severity.WARNING


def _first(one: tuple[Severity, str]) -> tuple[int, str]:
    """The worst comes first: it is the finding about inputs that decide several names."""
    return _SEVERITIES.index(one[0]), one[1]


def _inputs(settled: Settled) -> tuple[Inputs, Callable[[Value], int]]:
    """Tells the unsettled inputs of a value. A test of the URL before a rewrite is settled: the key holds
    what the rewrite made of it, which nearly always still tells the result. The host has rules of its own
    (CK002, CK009)."""
    every, direct = settled.inputs(), cache(lambda: settled.inputs(through=False))
    host, url = (every.bits.get(name, 0) for name in ("req.http.host", "req.url"))

    def inputs_of(value: Value) -> int:
        mask = every.of(value) & ~host
        return mask & ~url if mask & url and not direct().of(value) & url else mask

    return every, inputs_of


def _read_later(view: View, places: Sequence[Place]) -> set[str]:
    """The fields that a policy keeps for itself: it reads them when it delivers."""
    return {
        field[1]
        for place in places
        if place.in_hook("vcl_deliver", "vcl_synth") and not place.in_hook("vcl_recv")
        for expr in expressions_of(place.statement)
        if not _is_about_vary(view, place.statement, expr)
        for name, _ in view.reads(expr)
        for field in [field_of(name)]
        if field is not None and field[0] == "req"
    }


def _read_before(view: View, places: Sequence[Place]) -> set[str]:
    """The fields with names of its own that a policy reads before the fetch, to decide something or to put
    another value back."""
    found: set[str] = set()
    for place in places:
        if place.in_hook(*_LATER):
            continue
        reads = {
            (name, field[1])
            for expr in expressions_of(place.statement)
            for name, _ in view.reads(expr)
            if _OWN in name and (field := field_of(name)) is not None and field[1].startswith("x-")
        }
        if reads:
            made = _only_made(view, place.statement)
            found.update(field for name, field in reads if made is None or not made <= {name})
    return found


def _only_made(view: View, statement: nodes.Stmt) -> set[str] | None:
    """The names of which a statement only makes new values; None if it does something else."""
    if isinstance(statement, nodes.If):
        names: set[str] = set()
        for arm in statement.arms:
            for one in arm.body.statements:
                made = _only_made(view, one)
                if made is None:
                    return None
                names |= made
        return names
    return {view.name(statement.target)} if isinstance(statement, nodes.Set | nodes.Unset) else None


def _finding(
    view: View,
    settled: Settled,
    name: str,
    value: Value,
    inputs: list[str],
    changes: dict[str, dict[int, nodes.Stmt]],
    severity: Severity,
) -> Iterator[Finding]:
    """``changes`` of inputs that the key has: the statements by the numbers of their atoms."""
    sets, tests = _causes(view, settled, name, value)
    copies = _copies(view, name)
    labels: list[tuple[Span, str]] = []
    of_others = sets and copies and not any(_targets(view, one, _names_of(name)) for one in sets)
    places = copies if not tests or of_others else sets or tests
    if sets and tests:
        labels.append((view.span(tests[0]), "this decides it"))
    field = name.removeprefix("bereq.http.")
    is_certain = severity is Severity.ERROR
    said = _SAID.get(name, f"{field}, which the origin sees")
    later = _changed_later(settled.atoms, value, inputs, changes)
    labels += [
        (view.span(change), f"this comes later, and the key has {one} as it is then")
        for one, change in later.items()
    ]
    words = [_part_of(view, one, later[one]) if one in later else one for one in inputs]
    message = f"{_list(words)} {'decides' if len(inputs) == 1 else 'decide'} {said}, and "
    message += f"{'is' if len(inputs) == 1 else 'are'} neither in the key nor in Vary"
    help = "" if is_certain else f"{UnkeyedInput.remedy}; leave it if the origin answers with `Vary: {field}`"
    for place in places[:1]:
        yield Finding(view.span(place), message, help, tuple(labels), severity=severity)


def _copies(view: View, name: str) -> list[nodes.Set]:
    """The statements that set a name, the first one first. A copy has no atom of its own."""
    subs = list(view.subs)
    sets = [one for target in _names_of(name) for one in view.sets.get(target, ())]
    return [one for place, one in sorted(sets, key=lambda one: (subs.index(one[0].sub), one[1].at))]


def _targets(view: View, statement: nodes.Stmt, names: tuple[str, ...]) -> bool:
    return isinstance(statement, nodes.Set | nodes.Unset) and view.name(statement.target) in names


def _names_of(name: str) -> tuple[str, ...]:
    """A name of the request to the origin, and of the client's before it."""
    return tuple(dict.fromkeys((name, name.removeprefix("be"), _HINT.get(name, name))))


def _changed_later(
    atoms: list[Atom], value: Value, inputs: list[str], changes: dict[str, dict[int, nodes.Stmt]]
) -> dict[str, nodes.Stmt]:
    """The first statement, by input, that changes it between the decision about a value and the key, which
    has what the change made of it."""
    found: dict[str, nodes.Stmt] = {}
    own = _behind(atoms, value) if any(name in changes for name in inputs) else set()
    for name in inputs:
        later = [node for number, node in changes.get(name, {}).items() if number not in own]
        if later:
            found[name] = min(later, key=lambda one: one.at)
    return found


def _changes(atoms: list[Atom], keyed: Value) -> dict[str, dict[int, nodes.Stmt]]:
    """The statements that set or unset what the key is made of, by name and by the number of the atom."""
    found: dict[str, dict[int, nodes.Stmt]] = {}
    for number in _behind(atoms, keyed):
        atom = atoms[number]
        if atom.kind is Kind.SET and isinstance(atom.node, nodes.Set | nodes.Unset):
            found.setdefault(atom.name, {})[number] = atom.node
    return found


def _behind(atoms: list[Atom], value: Value) -> set[int]:
    """All atoms that a value was made of."""
    found: set[int] = set()
    stack = list(value)
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            stack += atoms[number].made_of
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


def _causes(
    view: View, settled: Settled, name: str, value: Value
) -> tuple[list[nodes.Stmt], list[nodes.Expr]]:
    """The statements that make a value depend on something unsettled, those that set the value itself
    before others, and the unsettled tests that do, each in the order of the text."""
    names = _names_of(name)
    own: dict[int, nodes.Stmt] = {}
    sets: dict[int, nodes.Stmt] = {}
    tests: dict[int, nodes.Expr] = {}
    unsettled = settled.unsettled(value)
    first_open: dict[int, int] = {}  # how many tests are settled before one that is not, by the ids of joins
    blamed: set[int] = set(unsettled)
    for number in unsettled:
        atom = settled.atoms[number]
        for side, inner in enumerate(atom.sides):
            join, length = atom.tests_of_side(side)
            if id(join) not in first_open:
                is_open = (at for at, test in enumerate(join.tests) if test in unsettled)
                first_open[id(join)] = next(is_open, len(join.tests))
            if first_open[id(join)] < length:
                blamed |= inner
    for number in blamed:
        atom = settled.atoms[number]
        if atom.node is None or view.is_builtin(atom.node):
            continue
        if atom.kind is Kind.TEST:
            tests[atom.node.at[0]] = atom.node  # type: ignore[assignment]
        else:
            (own if atom.name in names else sets)[atom.node.at[0]] = atom.node  # type: ignore[assignment]
    # A test of the method stands beside the input that is to blame.
    tests = {at: node for at, node in tests.items() if not _asks_method(view, node)} or tests
    return [found[at] for found in (own, sets) for at in sorted(found)], [tests[at] for at in sorted(tests)]


def _asks_method(view: View, test: nodes.Expr) -> bool:
    return any(name == "req.method" for name, _ in view.reads(test))
