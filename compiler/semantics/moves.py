"""Places of a policy that mean one thing in 4.x and another in 5.0, though both versions accept them.

``vernis fix --migrate`` checks a text of 4.x as 5.0 and collects these places: errors of 5.0 show all other
differences by themselves. ``edits`` give the place its meaning of 4.x back.
"""

from __future__ import annotations

from enum import Enum

from vernis.record import record
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit


class Difference(Enum):
    """ORDER: ``>`` and ``>=`` are true for an absent text in 4.x. JOINED: an absent text equals an empty
    joined one. EMPTY_MATCH: a pattern that matches an empty text matches an absent one. FIELD: an absent
    value makes an empty field. SORT: the parameters of a URL get an order. ALWAYS_SET: a condition asks
    whether a text is set that 5.0 takes as always set. WRAP: a whole number may not fit in 64 bits. ARGUMENT:
    a function of a module gets an absent text."""

    ORDER = "order"
    JOINED = "joined"
    EMPTY_MATCH = "empty match"
    FIELD = "field"
    SORT = "sort"
    ALWAYS_SET = "always set"
    WRAP = "wrap"
    ARGUMENT = "argument"


#: Functions of modules, by symbol, to which an absent text and an empty one are the same.
ALIKE = frozenset(
    (
        "cookie_get",
        "cookie_isset",
        "cookie_parse",
        "std_bytes",
        "std_duration",
        "std_integer",
        "std_ip",
        "std_real",
        "std_time",
    )
)


@record(frozen=True)
class Move:
    difference: Difference
    at: nodes.At
    edits: tuple[Edit, ...] = ()
