"""Declarations of a policy as its image carries them. ``ir.py`` has the module that holds them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from vernis.ir.declare import ConstValue, immutable
from vernis.semantics.types import Type

if TYPE_CHECKING:
    from vernis.ir.ir import Action, Msg


@immutable
class Site:
    """The position of a statement. ``file`` indexes Module.sources; line and column count from 1."""

    file: int
    line: int
    column: int


@immutable
class AclEntryDecl:
    """``address`` is 4 or 16 bytes, ``bits`` the prefix length. ``text`` is the entry as written, for the
    log."""

    address: bytes
    bits: int
    negated: bool
    text: str


@immutable
class AclDecl:
    name: str
    entries: tuple[AclEntryDecl, ...]
    log: bool = False


#: How a table finds a row, and the types of its values, in the order of the contract.
TABLE_KINDS = ("exact", "prefix", "suffix", "ip")
TABLE_VALUES = (Type.STRING, Type.INT, Type.REAL, Type.DURATION, Type.BYTES, Type.BOOL, Type.IP, Type.BACKEND)


@immutable
class TableDecl:
    """A table. ``rows`` are keys and values in order, if the policy has them. Else they are in ``file``, an
    absolute path, and ``columns`` are the names of its key and value column if it has a head line. The key
    of an ip table is the address, 4 or 16 bytes, and one byte with the length of the prefix. A value is that
    of a ``Const``; of BACKEND it indexes Module.backends. Compiled code has the ``default`` in it."""

    name: str
    kind: str
    value: Type
    rows: tuple[tuple[bytes, ConstValue], ...] = ()
    default: ConstValue = None
    has_default: bool = False
    file: str | None = None
    columns: tuple[str, str] | None = None
    site: int = 0


#: Series of a counter: combinations of values of its labels. Further ones are counted together.
COUNTER_SERIES_MAX = 200
#: Bytes of a label's value in the key of a series. A longer value is cut.
COUNTER_VALUE_MAX = 64
#: The value of each label of the series that counts what is beyond COUNTER_SERIES_MAX.
COUNTER_OTHER = "_other"


@immutable
class CounterDecl:
    """A counter. Compiled code gives the key of a series, which has the ``labels`` and their values."""

    name: str
    labels: tuple[str, ...] = ()


@immutable
class InstanceDecl:
    """An object made by ``new``. ``kind`` is its type, for example ``directors.round_robin``. ``fini`` is the
    symbol of its destructor extern."""

    name: str
    kind: str
    fini: str
    site: int = 0


@immutable
class SubDecl:
    """A sub that is used as a value. ``key`` is its key in Module.functions (passes remove functions that
    nothing calls). ``hooks`` has one bit for each hook in which it can be called, in the order of HOOKS. A
    value of type SUB is an index into this table, counted from 1; 0 means no sub."""

    key: str
    name: str
    hooks: int


@immutable
class Pattern:
    """A member of a pattern set: Module.regexes[regex], or the whole ``text`` if ``regex`` is None. An unset
    subject matches a regex as empty text, and equals no text."""

    regex: int | None
    text: bytes = b""


@immutable
class PatternSet:
    """The patterns that are tried on one subject: ``n`` of Module.patterns from ``first`` on."""

    first: int
    n: int


@immutable
class ChainSubject:
    """One subject of a chain and its tests: test ``tests[i]`` of the chain is Module.patterns[first + i], a
    member of Module.pattern_sets[set]. ``tests`` ascends."""

    set: int
    first: int
    tests: tuple[int, ...]


#: What a row does with a field, in the order of the contract: sets it to a text or to the unset text, as
#: ``HeaderSet`` does, or removes it.
CHANGE_KINDS = ("set", "set_unset", "remove")


@immutable
class Change:
    """Changes the fields of that name. ``kind`` is one of CHANGE_KINDS; ``text`` belongs to "set"."""

    kind: str
    msg: Msg
    name: int
    text: bytes
    site: int


@immutable
class Row:
    """A body as data: it counts a rule, if any, and makes the changes. Then the statement is that of
    ``site``, and the chain goes on at test ``next`` (the number of tests: it ends) or, if that is None, ends
    with ``exit``."""

    rule: int | None
    changes: tuple[Change, ...]
    site: int
    next: int | None
    exit: int | None = None


@immutable
class Chain:
    """Tests that are tried in order. Each test belongs to one subject. ``sites`` has the statement of each
    test, ``bodies`` the row of each, or the exit that leads to its code. ``n_exits`` is the number of
    exits."""

    subjects: tuple[ChainSubject, ...]
    sites: tuple[int, ...]
    bodies: tuple[Row | int, ...]
    n_exits: int


@immutable
class Rule:
    """A sub, an arm of an ``if``, or a statement with ``@rule``: what a rule counter counts. ``site`` is
    where it begins. ``start`` and ``length`` are the bytes of its head (``sub a``, ``if (...)``, ``else``) in
    the source of that site. Its last character is at ``end_line`` and ``end_column``. ``name`` is of
    ``@rule``."""

    site: int
    start: int
    length: int
    end_line: int
    end_column: int
    name: str = ""


class SpotKind(Enum):
    """The reason why a rule counter stands where it does. ``AROUND``: no arm of an ``if`` without an ``else``
    was taken. ``CONDITION``: the condition of an arm was reached."""

    SUB = "sub"
    ARM = "arm"
    AROUND = "around"
    CONDITION = "condition"
    STATEMENT = "statement"


@immutable
class Spot:
    """The facts that coverage has of a rule counter. ``sub`` is the name of the sub around it; ``decision``
    numbers the ``if`` of an arm or a condition, and is 0 for others."""

    kind: SpotKind
    sub: str
    decision: int = 0


#: Rule counters of one policy. Later rules are not counted, and Module.rules_left has their number.
RULES_MAX = 65_536


@immutable
class Source:
    name: str
    text: bytes


@immutable
class Effects:
    """Effect summary of a hook, including the subs it calls. Fields are "msg:lower-case-name" or "msg:*";
    variables have their names. ``actions`` are the actions it can return; ``may_wait``: it reaches an extern
    that may suspend."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    actions: frozenset[Action] = frozenset()
    may_wait: bool = False
    unknown: bool = False


@immutable
class ForeignModule:
    """A module outside the runtime. Its functions are imported as ``name.symbol``; ``digest`` is over its
    declarations."""

    name: str
    library: str
    digest: bytes
