"""UN: fields that the policy reads, sets nowhere, and probably misspells, or reads of the wrong message."""

from __future__ import annotations

import re
from functools import lru_cache
from collections.abc import Iterable, Iterator, Sequence, Set

from vernis.lint.gates import leaves_of
from vernis.lint.rule import Finding, Rule
from vernis.lint.values import Test, passes, test_of
from vernis.lint.view import Parts, Place, View, field_of
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_SHORT, _LONG = 5, 8  # letters of a name from which one, or two of them may differ
_NAMES_KEPT = 4096  # whose likenesses a process that lints again remembers
_CUT_MAX = 4  # letters of a word that a shorter form of it lacks
_BANS = frozenset(("ban()", "std.ban()"))
_OF_BAN = later(r"\b(?:req|obj)\.http\.[\w-]+")
_GROUPS = {"req": "request", "bereq": "request", "beresp": "response", "obj": "response", "resp": "response"}
_OTHER = {"request": "response", "response": "request"}
# Where a message of the other group is called otherwise, by the message that is read.
_MEANT = {"beresp": "bereq", "resp": "req", "obj": "req", "req": "resp", "bereq": "beresp"}


class Misspelt(Rule):
    id = "UN010"
    name = "misspelt-field"
    severity = Severity.WARNING
    what = (
        "The policy reads a field that it sets nowhere, and sets one whose name is nearly the same, or tests "
        "a field of a response that it sets only in the request, or the reverse."
    )
    why = "The test sees only what a client or the origin sends under that name."
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
        unset: dict[tuple[str, str], nodes.Unset] = {}
        for key, statement in view.each(_unset_in):
            unset.setdefault(key, statement)
        reads: dict[tuple[str, str], nodes.Expr] = {}
        for key, part in view.each_part(_reads_in):
            reads.setdefault(key, part)
        yield from _of_other_message(view, known.keys() | unset.keys(), known.keys(), reads.keys())
        elsewhere = {name for _, name in known} | _STANDARD
        never_read = {name for _, name in unset} - {name for _, name in reads} - elsewhere
        never_unset = {name for _, name in reads} - {name for _, name in unset} - elsewhere
        unknown: list[tuple[str, str, nodes.Expr | nodes.Unset]] = []
        unknown += ((*key, part) for key, part in reads.items() if key[1] in never_unset)
        unknown += ((*key, one) for key, one in unset.items() if key[1] in never_read)
        unset_anywhere = {name for _, name in unset}
        asked: set[str] = set().union(*(_likenesses(name) for _, name, _ in unknown))
        alike: dict[str, list[tuple[int, str, str]]] = {}  # set names with their places in the text
        for number, (group, name) in enumerate(known if unknown else ()):
            if name not in _STANDARD:
                for text in asked.intersection(_likenesses(name)):
                    alike.setdefault(text, []).append((number, group, name))
        texts = frozenset(alike)
        for group, name, where in unknown:
            found = {one for text in texts.intersection(_likenesses(name)) for one in alike[text]}
            others = [one for _, its_group, one in sorted(found) if its_group == group]
            if isinstance(where, nodes.Unset):
                near = [one for one in others if _is_misspelt(name, one) and one not in unset_anywhere]
            else:
                unread = [one for one in others if (group, one) not in reads]
                is_made_here = group == "request"  # an origin has fields of its own in its answers
                near = [
                    one
                    for one in unread
                    if _is_misspelt(name, one) or is_made_here and _is_another_form(name, one)
                ]
                if not near and len(name) >= _LONG:
                    near = [one for one in others if _is_misspelt(name, one)]
            if near:
                yield _found(view, where, name, near[0], known[group, near[0]])


def _unset_in(view: View, places: Sequence[Place]) -> Iterator[tuple[tuple[str, str], nodes.Unset]]:
    """The fields that statements unset."""
    for place in places:
        if isinstance(place.statement, nodes.Unset):
            field = field_of(view.name(place.statement.target))
            if field is not None:
                yield (_GROUPS[field[0]], field[1]), place.statement


def _reads_in(view: View, group: Sequence[Parts]) -> Iterable[tuple[tuple[str, str], nodes.Expr]]:
    """The fields that expressions read, each with the first place."""
    found: dict[tuple[str, str], nodes.Expr] = {}
    for _, expr, parts in group:
        reads = list(view.reads(expr))
        if not _BANS.isdisjoint(name for name, _ in reads):
            texts = (part for part in parts if isinstance(part, nodes.StringLit))
            reads += ((name, part) for part in texts for name in _OF_BAN.findall(part.value.lower()))
        for name, part in reads:
            field = field_of(name)
            if field is not None:
                found.setdefault((_GROUPS[field[0]], field[1]), part)
    return found.items()


def _of_other_message(
    view: View, own: Set[tuple[str, str]], known: Set[tuple[str, str]], used: Set[tuple[str, str]]
) -> Iterator[Finding]:
    """Tests of fields that the policy sets in the other message only, each field once: it sets a text that
    passes the test, or it reads the field of the request nowhere else."""
    if not any((_OTHER[group], name) in known for group, name in used - own):
        return  # a test reads its field, too
    told: set[tuple[str, str]] = set()
    for key, test, leaf, is_first in view.each(_tests_in):
        group, name = key
        other = (_OTHER[group], name)
        if key in told or key in own or other not in known or name in _STANDARD:
            continue
        messages = [message for message, its in _GROUPS.items() if its == other[0]]
        sets = [one for message in messages for _, one in view.sets.get(f"{message}.http.{name}", ())]
        texts = [text for one in sets if (text := view.text(one.value)) is not None]
        is_of_text = test.kind != "present" and any(passes(test, text) for text in texts)
        is_unused = group == "response" and other not in used
        if (is_of_text and not is_first) or is_unused:
            told.add(key)
            read = test.name.partition(".")[0]
            yield Finding(
                view.span(leaf),
                f"the policy sets {name} only in the {other[0]}, and this asks the {group}",
                f"write {_MEANT[read]}.http.{name} if the policy's own value is meant",
                labels=((view.span(sets[0]), "this sets it"),),
            )


def _tests_in(
    view: View, places: Sequence[Place]
) -> Iterator[tuple[tuple[str, str], Test, nodes.Expr, bool]]:
    """The tests of fields in conditions, and whether the client may have sent the field there."""
    for place in places:
        for arm in place.statement.arms if isinstance(place.statement, nodes.If) else ():
            for leaf in leaves_of(arm.condition) if arm.condition is not None else ():
                found = test_of(view, leaf)
                field = None if found is None else field_of(found[0].name)
                if found is not None and field is not None:
                    yield (_GROUPS[field[0]], field[1]), found[0], leaf, place.in_hook("vcl_recv")


def _found(view: View, part: nodes.Expr | nodes.Unset, name: str, other: str, where: nodes.Set) -> Finding:
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


@lru_cache(maxsize=_NAMES_KEPT)
def _likenesses(name: str) -> frozenset[str]:
    """Texts of which two names that differ by a slip share one: each name without up to two letters, or
    without its hyphens. A policy may have thousands of names, which are not all compared."""
    if len(name) < _SHORT:
        return frozenset()
    letters, digits = _letters(name), _digits(name)
    short = [name[:at] + name[at + 1 :] for at in range(1, len(name))]
    found = {letters, digits + name, *(digits + one for one in short), " ".join(sorted(_words(name)))}
    last = _words(name)[-1]
    ends = range(min(_CUT_MAX, len(last) - _SHORT) + 1) if last.isalpha() else ()
    found.update(f"{name[: len(name) - n]}..." for n in ends)
    if len(letters) >= _LONG + 2:
        found.update(digits + one[:at] + one[at + 1 :] for one in short for at in range(1, len(one)))
    return frozenset(found)


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


def _is_another_form(name: str, other: str) -> bool:
    """Whether two names have the same words in another order, or one is a shorter form or the singular of the
    other. A policy may mean both, if it reads both."""
    words = _words(name), _words(other)
    if words[0][:-1] == words[1][:-1]:
        short, long = sorted((words[0][-1], words[1][-1]), key=len)
        return long == short + "s" or (
            len(short) >= _SHORT
            and long.startswith(short)
            and len(long) - len(short) <= _CUT_MAX
            and long.isalpha()
        )
    return len(words[0]) > 2 and sorted(words[0]) == sorted(words[1])


def _words(name: str) -> list[str]:
    return re.split("[-_]", name)


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
