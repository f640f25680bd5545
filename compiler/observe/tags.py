"""The tags of log records: numbers, names and flags, and the parser of the names that users give (prefixes
and globs)."""

from __future__ import annotations

import os
from enum import Enum

from vernis.similar import similar


_GONE = " until 7.2"  # behind the tags that Varnish 7.3 lacks


def _names() -> tuple[list[str], list[str]]:
    """All names in the order of their numbers, and those that Varnish 7.3 lacks, from runtime/log/tags.txt in
    a checkout, or tags.txt in an installed package."""
    here = os.path.dirname(os.path.realpath(__file__))
    installed = os.path.join(here, "tags.txt")
    path = (
        installed
        if os.path.exists(installed)
        else os.path.join(here, "..", "..", "runtime", "log", "tags.txt")
    )
    names: list[str] = []
    gone: list[str] = []
    with open(path, encoding="ascii") as file:
        for row in file.read().splitlines():
            family, is_family, parts = row.removesuffix(_GONE).partition(":")
            if row and not row.startswith("#"):
                names += [family + part for part in parts.split()] if is_family else [family]
                gone += [family] * row.endswith(_GONE)
    return names, gone


_ALL, _UNTIL_7_2 = _names()
#: Name by number, from 1. The numbers are those of Varnish 7.1.
NAMES: dict[int, str] = dict(enumerate(_ALL, 1))
NUMBERS: dict[str, int] = {name: number for number, name in NAMES.items()}
ALL: frozenset[int] = frozenset(NAMES)
#: The number by the number of the same tag in Varnish 7.3 and later.
FROM_LATER: dict[int, int] = dict(enumerate((NUMBERS[name] for name in _ALL if name not in _UNTIL_7_2), 1))
TO_LATER: dict[int, int] = {number: later for later, number in FROM_LATER.items()}

BEGIN, END, LINK, VSL = NUMBERS["Begin"], NUMBERS["End"], NUMBERS["Link"], NUMBERS["VSL"]
RESERVED, BATCH = 254, 255  # marks of the ring, not records

_UNUSED = {
    family + part
    for family, parts in (
        ("Req", ("Status", "Reason", "Lost")),
        ("Resp", ("Method", "URL", "Lost")),
        ("Bereq", ("Status", "Reason", "Lost")),
        ("Beresp", ("Method", "URL", "Lost")),
        ("Obj", ("Method", "URL", "Lost")),
    )
    for part in parts
}
#: UNSAFE content must be escaped before printing; BINARY content is not text.
UNSAFE = frozenset(NUMBERS[name] for name in ("Debug", "HttpGarbage", "Hash"))
BINARY = frozenset(NUMBERS[name] for name in ("H2RxHdr", "H2RxBody", "H2TxHdr", "H2TxBody"))
FLAGGED = UNSAFE | BINARY | frozenset(NUMBERS[name] for name in _UNUSED)


class TagProblem(Enum):
    NONE = "matches zero tags"
    AMBIGUOUS = "is ambiguous"
    SYNTAX = "has more than one *"


class TagError(ValueError):
    def __init__(self, text: str, problem: TagProblem) -> None:
        super().__init__(f'"{text}" {problem.value}{suggestion(text) if problem is TagProblem.NONE else ""}')
        self.problem = problem


def name_of(number: int) -> str:
    return NAMES.get(number) or f"Tag{number}"


def matching(pattern: str) -> frozenset[int]:
    """The tags that a name selects: an unambiguous prefix, or a glob with one ``*``. Ignores case."""
    wanted = pattern.lower()
    if not wanted:
        raise TagError(pattern, TagProblem.NONE)
    head, star, tail = wanted.partition("*")
    if not star:
        return frozenset((_named(pattern, wanted),))
    if "*" in tail:
        raise TagError(pattern, TagProblem.SYNTAX)
    found = frozenset(
        number
        for name, number in NUMBERS.items()
        if len(name) >= len(head) + len(tail)
        and name.lower().startswith(head)
        and name.lower().endswith(tail)
    )
    if not found:
        raise TagError(pattern, TagProblem.NONE)
    return found


def listed(text: str) -> frozenset[int]:
    """The tags of a comma-separated list."""
    found: frozenset[int] = frozenset()
    for pattern in text.split(","):
        if pattern:
            found |= matching(pattern)
    if not found:
        raise TagError(text, TagProblem.NONE)
    return found


def suggestion(text: str) -> str:
    """`` (did you mean ReqURL?)``, or an empty text."""
    near = similar(text, NUMBERS)
    return f" (did you mean {near[0]}?)" if near else ""


def _named(pattern: str, wanted: str) -> int:
    beginning = [number for name, number in NUMBERS.items() if name.lower().startswith(wanted)]
    exact = [number for number in beginning if len(NAMES[number]) == len(wanted)]
    if exact:
        return exact[0]
    if len(beginning) != 1:
        raise TagError(pattern, TagProblem.AMBIGUOUS if beginning else TagProblem.NONE)
    return beginning[0]
