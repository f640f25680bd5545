"""The checked program, with every name resolved and every conversion explicit.

``check.py`` builds it from the tree and ``ir/lower.py`` reads it. Long chains stay flat lists, as in the
tree. An expression knows its type; :class:`Bad` replaces an expression that was reported. ``at`` of a
statement is the pair of token indices of its node, from which a span or line is computed when needed.
"""

from __future__ import annotations

from typing import TypeAlias

from vernis.record import field, record
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
    ``name`` as written."""

    message: str
    name: str
    type: Type = Type.STRING


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
    """Arithmetic from left to right: ``first`` and then one step after the other."""

    type: Type
    first: Expr
    steps: list[Step]


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
    op: str
    left: Expr
    right: Expr
    type: Type = Type.BOOL


@record
class Matches:
    """``subject ~ regexes[regex]``."""

    subject: Expr
    regex: int
    type: Type = Type.BOOL


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
)

# ---- statements --------------------------------------------------------------------------------------------


@record
class Assign:
    """``set target op value;``. The value has the type that this form takes."""

    at: nodes.At
    target: Variable | Field
    op: str
    value: Expr


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
    at: nodes.At
    arms: list[Arm]


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


Statement: TypeAlias = Assign | Remove | CallSub | CallValue | Return | If | Make | Evaluate | Kept

# ---- declarations ------------------------------------------------------------------------------------------


@record(frozen=True)
class Backend:
    """A backend. Times are in seconds; None means the parameter of the server. ``probe`` and ``via`` are
    indices. Exactly one of host, path and none is set."""

    name: str
    at: nodes.At
    none: bool = False
    host: str | None = None
    port: str | None = None
    path: str | None = None
    host_header: str | None = None
    connect_timeout: float | None = None
    first_byte_timeout: float | None = None
    between_bytes_timeout: float | None = None
    probe: int | None = None
    max_connections: int = 0
    wait_limit: int = 0
    wait_timeout: float | None = None
    via: int | None = None
    authority: str | None = None
    proxy_header: int = 0
    preamble: bytes | None = None


@record(frozen=True)
class Probe:
    """A probe. ``request`` is a whole head with its line ends, or None if the probe uses ``url``."""

    name: str
    at: nodes.At
    url: str = "/"
    request: bytes | None = None
    expected_response: int = 200
    timeout: float = 2.0
    interval: float = 5.0
    window: int = 8
    threshold: int = 3
    initial: int = 2


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
    modules: list[ForeignModule] = field(default_factory=list)
    default_backend: int = -1
    subs: dict[str, Sub] = field(default_factory=dict)
    effects: dict[str, Effects] = field(default_factory=dict)
