"""UN: fields that the policy reads, sets nowhere, and probably misspells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vernis.lint.rule import Finding, Rule
from vernis.lint.view import Place, View, field_of, parts_in
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_SHORT, _LONG = 5, 8  # letters of a name from which one, or two of them may differ
_GROUPS = {"req": "request", "bereq": "request", "beresp": "response", "obj": "response", "resp": "response"}


class Misspelt(Rule):
    id = "UN010"
    name = "misspelt-field"
    severity = Severity.WARNING
    what = "The policy reads a field that it sets nowhere, and sets one whose name is nearly the same."
    why = (
        "The test sees only what a client sends under that name, and the value that the policy has set is "
        "never used."
    )
    remedy = "write the same name in both places"
    source = "https://github.com/ysugimoto/falco/blob/main/docs/rules.md"
    bad = (
        'sub vcl_recv { set req.http.X-Device = "desktop"; } '
        "sub vcl_hash { if (req.http.X-Devise) { hash_data(req.http.X-Devise); } }"
    )
    good = (
        'sub vcl_recv { set req.http.X-Device = "desktop"; } '
        "sub vcl_hash { if (req.http.X-Device) { hash_data(req.http.X-Device); } }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        known: dict[tuple[str, str], nodes.Set] = {}
        for name, sets in view.sets.items():
            field = field_of(name)
            if field is not None:
                known.setdefault((_GROUPS[field[0]], field[1]), sets[0][1])
        if not known:
            return
        unset = frozenset(view.each(_unset_in))
        reads: dict[tuple[str, str], nodes.Expr] = {}
        for key, part in view.each(_reads_in):
            reads.setdefault(key, part)
        set_anywhere = {name for _, name in known}
        unknown = [
            (group, name, part)
            for (group, name), part in reads.items()
            if name not in set_anywhere and name not in unset and name not in _STANDARD
        ]
        alike: dict[tuple[str, str], list[tuple[int, str]]] = {}  # set names with their places in the text
        for number, (group, name) in enumerate(known if unknown else ()):
            if name not in _STANDARD:
                for text in _likenesses(name):
                    alike.setdefault((group, text), []).append((number, name))
        for group, name, part in unknown:
            others = {other for text in _likenesses(name) for other in alike.get((group, text), ())}
            near = [(one, known[group, one]) for _, one in sorted(others) if _is_misspelt(name, one)]
            if near and not all((group, other) in reads for other, _ in near):
                other, where = next(one for one in near if (group, one[0]) not in reads)
                yield _found(view, part, name, other, where)
            elif near and len(name) >= _LONG:
                yield _found(view, part, name, *near[0])


def _unset_in(view: View, places: Sequence[Place]) -> Iterator[str]:
    """The fields that statements unset."""
    for place in places:
        if isinstance(place.statement, nodes.Unset):
            field = field_of(view.name(place.statement.target))
            if field is not None:
                yield field[1]


def _reads_in(view: View, places: Sequence[Place]) -> Iterable[tuple[tuple[str, str], nodes.Expr]]:
    """The fields that statements read, each with the first place."""
    found: dict[tuple[str, str], nodes.Expr] = {}
    for *_, parts in parts_in(view, places):
        for part in parts:
            is_name = isinstance(part, nodes.NameExpr | nodes.Paren)
            field = field_of(view.variable(part) or "") if is_name else None
            if field is not None:
                found.setdefault((_GROUPS[field[0]], field[1]), part)
    return found.items()


def _found(view: View, part: nodes.Expr, name: str, other: str, where: nodes.Set) -> Finding:
    return Finding(
        view.span(part),
        f"the policy sets {name} nowhere: {other} is meant, or set under a wrong name",
        f"write {other} here, or {name} where it is set",
        labels=((view.span(where), f"this sets {other}"),),
    )


# Fields that clients, browsers and proxies send, and that are near to others.
_STANDARD = frozenset(
    (
        "accept accept-charset accept-encoding accept-language accept-ranges age allow "
        "authorization cache-control connection content-encoding content-language content-length "
        "content-range content-type cookie date etag expect expires forwarded from host if-match "
        "if-modified-since if-none-match if-range if-unmodified-since last-modified location origin "
        "pragma range referer server set-cookie te trailer transfer-encoding upgrade user-agent "
        "vary via warning x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-proto "
        "x-real-ip x-requested-with"
    ).split()
)


def _likenesses(name: str) -> set[str]:
    """Texts of which two names that differ by a slip share one: each name without up to two letters, or
    without its hyphens. A policy may have thousands of names, which are not all compared."""
    if len(name) < _SHORT:
        return set()
    letters, digits = _letters(name), _digits(name)
    short = [name[:at] + name[at + 1 :] for at in range(1, len(name))]
    found = {letters, digits + name, *(digits + one for one in short)}
    if len(letters) >= _LONG + 2:
        found.update(digits + one[:at] + one[at + 1 :] for one in short for at in range(1, len(one)))
    return found


def _letters(name: str) -> str:
    return name.replace("-", "").replace("_", "")


def _is_misspelt(name: str, other: str) -> bool:
    """Whether two names differ by a slip: a letter or two, or the hyphens. Numbers and an added word are
    meant: x-group-1 and x-group-2, x-user and x-user-id."""
    if name[0] != other[0] or min(len(name), len(other)) < _SHORT:
        return False
    bare = [_letters(name), _letters(other)]
    if bare[0] == bare[1]:
        return True
    if _digits(name) != _digits(other) or bare[0] + "s" == bare[1] or bare[1] + "s" == bare[0]:
        return False
    most = 2 if min(len(one) for one in bare) >= _LONG + 2 else 1
    return abs(len(name) - len(other)) <= most and _distance(name, other) <= most


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _distance(one: str, other: str) -> int:
    """The letters to add, remove, replace, or exchange with the next one."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
