"""The checked program, with every name resolved and every conversion explicit.

``check.py`` builds it from the tree and ``ir/lower.py`` reads it. Long chains stay flat lists, as in the
tree. An expression knows its type; :class:`Bad` replaces an expression that was reported. ``at`` of a
statement is the pair of token indices of its node, from which a span or line is computed when needed.
"""

from __future__ import annotations

from typing import TypeAlias

from vernis.semantics.origins import Backend, Probe
from vernis.record import field, record
from vernis.semantics.frame import LocalVar
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import ALL_HOOKS, FunctionRow, HookMask, VariableRow, Version
from vernis.syntax import nodes

# ---- expressions -------------------------------------------------------------------------------------------


@record
class Bad:
    """An expression with an error that was reported."""

    type: Type = Type.ERROR


@record
class Literal:
    """A constant. Text and blobs are bytes. IP is a family byte (4 or 6) and 16 bytes of address. None is
    unset text, an absent argument, or no backend."""

    type: Type
    value: bytes | int | float | bool | None


@record
class Variable:
    """Value of a variable that is read through an accessor."""

    type: Type
    row: VariableRow


@record
class Field:
    """A header field: ``message`` is ``req``, ``bereq``, ``beresp``, ``resp``, ``obj`` or ``req_top``,
    ``name`` as written. ``known``: it is known to be there (5.0)."""

    message: str
    name: str
    type: Type = Type.STRING
    known: bool = False


@record
class Message:
    """A message as a value."""

    message: str
    type: Type = Type.HTTP


@record
class Declared:
    """A declaration by its index: BACKEND, ACL, PROBE, REGEX, STEVEDORE, INSTANCE."""

    type: Type
    index: int


@record
class SubRef:
    """A sub as a value, by its index in :attr:`Checked.sub_values`."""

    index: int
    type: Type = Type.SUB


@record
class Step:
    """``op operand`` in a chain. ``type`` is the type of the chain after this step."""

    op: str
    operand: Expr
    type: Type


@record
class Chain:
    """Arithmetic from left to right: ``first`` and then one step after the other. ``checked``: a whole number
    that does not fit fails the transaction (5.0)."""

    type: Type
    first: Expr
    steps: list[Step]
    checked: bool = False


@record
class Convert:
    type: Type
    operand: Expr


@record
class Join:
    """Joined text. Each part is a STRING."""

    parts: list[Expr]
    type: Type = Type.STRING


@record
class Invoke:
    """A call. ``args`` has one entry per parameter, in order; None is an absent one. ``instance`` is the
    index of the object of a method. A method of a value has that value as its first argument."""

    type: Type
    function: FunctionRow
    args: list[Expr | None]
    instance: int | None = None
    receiver: Type | None = None

    @property
    def given(self) -> int:
        """A bit mask with one bit for each present parameter."""
        return sum(1 << index for index, arg in enumerate(self.args) if arg is not None)


@record
class Comparison:
    """``strict``: by the rules of 5.0, where an absent text never equals an empty one."""

    op: str
    left: Expr
    right: Expr
    type: Type = Type.BOOL
    strict: bool = False


@record
class Matches:
    """``subject ~ regexes[regex]``. ``proves``: a match tells that the subject is there (5.0)."""

    subject: Expr
    regex: int
    type: Type = Type.BOOL
    proves: bool = False


@record
class InAcl:
    ip: Expr
    acl: int
    type: Type = Type.BOOL


@record
class Negation:
    operand: Expr
    type: Type = Type.BOOL


@record
class AllOf:
    operands: list[Expr]
    type: Type = Type.BOOL


@record
class AnyOf:
    operands: list[Expr]
    type: Type = Type.BOOL


# ---- expressions of 5.0 ------------------------------------------------------------------------------------


@record
class Local:
    """The value of a local. ``known``: it is there."""

    type: Type
    var: LocalVar
    known: bool


@record
class IsSet:
    """Whether a value is there."""

    operand: Expr
    type: Type = Type.BOOL


@record
class Coalesce:
    """The first operand that is there."""

    type: Type
    operands: list[Expr]


@record
class Bound:
    """``value``, after each binding was evaluated once, in order. ``proves``: facts that hold if the value is
    true."""

    bindings: list[tuple[LocalVar, Expr]]
    value: Expr
    type: Type
    proves: frozenset[str] = frozenset()


@record
class Lookup:
    """``tables[table][key]``, with the value for a key that it does not have."""

    type: Type
    table: int
    key: Expr
    default: Expr | None


@record
class Expand:
    """A call of a function of the policy."""

    type: Type
    function: Function
    args: list[Expr]


Expr: TypeAlias = (
    Bad
    | Literal
    | Variable
    | Field
    | Message
    | Declared
    | SubRef
    | Chain
    | Convert
    | Join
    | Invoke
    | Comparison
    | Matches
    | InAcl
    | Negation
    | AllOf
    | AnyOf
    | Local
    | IsSet
    | Coalesce
    | Bound
    | Lookup
    | Expand
)

# ---- statements --------------------------------------------------------------------------------------------


@record
class Assign:
    """``set target op value;``; "add" is the op of an addition to a list. The value has the type that this
    form takes. ``may_unset``: an absent value unsets the target; ``checked``: a result that does not fit
    fails the transaction (5.0); ``if_changed``: the variable is not set to the text that it has."""

    at: nodes.At
    target: Variable | Field
    op: str
    value: Expr
    may_unset: bool = False
    checked: bool = False
    if_changed: bool = False


@record
class Remove:
    """``unset target;``"""

    at: nodes.At
    target: Variable | Field


@record
class CallSub:
    """``call sub;``. ``sub`` is the key in :class:`Checked`."""

    at: nodes.At
    sub: str


@record
class CallValue:
    """``call`` of a sub that a function returns."""

    at: nodes.At
    value: Expr


@record
class Return:
    """``return``. ``action`` is None in a plain ``return;`` to the caller. ``args`` are the written
    arguments."""

    at: nodes.At
    action: str | None
    args: list[Expr]


@record
class Arm:
    at: nodes.At
    condition: Expr | None
    body: list[Statement]


@record
class If:
    """``counted`` False: the compiler has added it, and it is no rule of the author."""

    at: nodes.At
    arms: list[Arm]
    counted: bool = True


@record
class Make:
    """``new``, which creates an instance."""

    at: nodes.At
    instance: int
    call: Invoke


@record
class Evaluate:
    """A call as a statement."""

    at: nodes.At
    call: Invoke


@record
class Kept:
    """A statement that an earlier compile has checked and lowered (pieces.py). ``start`` and ``end`` are its
    first byte and the byte behind it, in the file of the policy. ``code`` is its code, for the room ir."""

    start: int
    end: int
    code: object


# ---- statements of 5.0 -------------------------------------------------------------------------------------


@record
class Let:
    """``let``, or ``set`` of a local."""

    at: nodes.At
    var: LocalVar
    value: Expr


@record
class Give:
    """``return (value);`` of a function."""

    at: nodes.At
    value: Expr


@record
class For:
    """Runs ``body`` for each item, with the item in ``var``."""

    at: nodes.At
    var: LocalVar
    items: list[Expr]
    body: list[Statement]


@record
class CallWith:
    """``call`` of a sub with parameters."""

    at: nodes.At
    procedure: Procedure
    args: list[Expr]


Statement: TypeAlias = (
    Assign | Remove | CallSub | CallValue | Return | If | Make | Evaluate | Kept | Let | Give | For | CallWith
)

# ---- declarations ------------------------------------------------------------------------------------------


@record
class Function:
    """A function of the policy. Its body stands at each of its calls. ``size`` counts its statements with
    those of the functions that it calls."""

    name: str
    at: nodes.At
    params: list[LocalVar]
    type: Type
    optional: bool
    body: list[Statement] = field(default_factory=list)
    size: int = 0


@record
class Procedure:
    """A sub with parameters. Its body stands at each of its calls."""

    name: str
    at: nodes.At
    params: list[LocalVar]
    body: list[Statement] = field(default_factory=list)
    size: int = 0


@record(frozen=True)
class Table:
    """A table. ``rows`` are pairs of a key and a constant: a text, or for kind ``ip`` an address with the
    number of bits in front. ``file`` None: the rows are in the policy. A value of type BACKEND is an
    index."""

    name: str
    at: nodes.At
    kind: str
    type: Type
    rows: tuple[tuple[bytes, bytes | int | float | bool | None], ...]
    default: bytes | int | float | bool | None
    has_default: bool
    file: str | None = None
    columns: tuple[str, str] | None = None


@record(frozen=True)
class Counter:
    """A counter with the names of its labels."""

    name: str
    at: nodes.At
    labels: tuple[str, ...]


@record(frozen=True)
class AclEntry:
    """An entry. ``address`` has 4 or 16 bytes, of which the first ``bits`` bits are compared. ``text`` is the
    entry as written."""

    address: bytes
    bits: int
    negated: bool
    text: str


@record(frozen=True)
class Acl:
    """An ACL. ``entries`` are sorted by prefix, longest first: the first entry that contains an address
    decides."""

    name: str
    at: nodes.At
    entries: tuple[AclEntry, ...] = ()
    log: bool = False


@record(frozen=True)
class Instance:
    """An object made by ``new``; ``kind`` is ``module.object``."""

    name: str
    kind: str
    fini: str
    at: nodes.At


@record
class Facts:
    """The effects of one sub without its callees: variables and fields (``req.http.host``) that it reads and
    writes, actions that it returns, subs that it calls. ``hooks`` are the hooks in which everything exists
    that the sub uses. ``unknown`` means a call with undescribed effects. ``calls_values`` means calls of sub
    values."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    hooks: HookMask = ALL_HOOKS
    may_wait: bool = False
    unknown: bool = False
    calls_values: bool = False

    def add(self, other: Facts) -> None:
        """Adds the effects of a part of the sub."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.actions |= other.actions
        self.calls |= other.calls
        self.hooks &= other.hooks
        self.may_wait |= other.may_wait
        self.unknown |= other.unknown
        self.calls_values |= other.calls_values


@record
class Sub:
    """A hook or a sub with all its definitions in order. ``reach`` are the hooks that may run it."""

    name: str
    at: nodes.At
    body: list[Statement]
    reach: HookMask
    facts: Facts


@record
class ProcedureFacts:
    """A sub with parameters, and its effects."""

    procedure: Procedure
    facts: Facts


@record(frozen=True)
class SubValue:
    """A sub used as a value, by its key in :attr:`Checked.subs`. ``hooks`` are the hooks in which it can be
    called."""

    sub: str
    hooks: HookMask = 0


@record(frozen=True)
class Effects:
    """The effects of a sub, including the subs it calls."""

    reads: frozenset[str]
    writes: frozenset[str]
    actions: frozenset[str]
    may_wait: bool
    unknown: bool


@record(frozen=True)
class ForeignModule:
    """A third-party module: its library, and the digest of its description."""

    name: str
    library: str
    digest: bytes


@record
class Checked:
    """A whole policy. If the diagnostics have errors, parts may be :class:`Bad` and the policy must not be
    lowered. ``default_backend`` is -1 if no backend is declared."""

    program: nodes.Program
    version: Version
    backends: list[Backend] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    acls: list[Acl] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    regexes: list[bytes] = field(default_factory=list)
    storages: list[str] = field(default_factory=list)
    sub_values: list[SubValue] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)  # of return (vcl(...))
    tables: list[Table] = field(default_factory=list)
    counters: list[Counter] = field(default_factory=list)
    budgets: list[tuple[nodes.At, str, int]] = field(default_factory=list)
    rule_names: dict[nodes.At, str] = field(default_factory=dict)  # of statements with @rule
    procedures: dict[str, ProcedureFacts] = field(default_factory=dict)
    modules: list[ForeignModule] = field(default_factory=list)
    default_backend: int = -1
    has_old_caching: bool = False  # `caching 4.1;`
    subs: dict[str, Sub] = field(default_factory=dict)
    effects: dict[str, Effects] = field(default_factory=dict)
