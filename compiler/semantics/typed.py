"""The checked program: what a policy means, every name resolved and every conversion written out.

``check.py`` makes it from the tree, ``ir/lower.py`` reads it. Long chains stay flat lists, as in the tree. An expression
knows its type; :class:`Bad` stands for one that was reported already. ``at`` of a statement is the pair of token indices
of the node it came from, which a span or a line is made from when one is needed.
"""

from __future__ import annotations

from typing import TypeAlias

from vernis.record import field, record
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import ALL_HOOKS, FunctionRow, HookMask, VariableRow, Version
from vernis.syntax import nodes

# ---- expressions -----------------------------------------------------------------------------------------------------


@record
class Bad:
    """What could not be understood; already reported."""

    type: Type = Type.ERROR


@record
class Literal:
    """A constant. Text and blobs are bytes, IP is a family byte (4 or 6) and 16 bytes of address, None is unset text, an
    absent argument, or no backend."""

    type: Type
    value: bytes | int | float | bool | None


@record
class Variable:
    """Value of a variable that is read through an accessor."""

    type: Type
    row: VariableRow


@record
class Field:
    """A header field: ``message`` is ``req``, ``bereq``, ``beresp``, ``resp``, ``obj`` or ``req_top``, ``name`` as written."""

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
    """A declared thing by its index: BACKEND, ACL, PROBE, REGEX, STEVEDORE, INSTANCE."""

    type: Type
    index: int


@record
class SubRef:
    """A sub as a value, by its index in :attr:`Checked.sub_values`."""

    index: int
    type: Type = Type.SUB


@record
class Step:
    """``op operand`` in a chain; ``type`` is what the chain has become after it."""

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
    """Text made of parts, each of them STRING."""

    parts: list[Expr]
    type: Type = Type.STRING


@record
class Invoke:
    """A call. ``args`` has one entry per parameter, in order; None is an absent one. ``instance`` is the object's index when
    a method is called; a method of a value has that value as its first argument."""

    type: Type
    function: FunctionRow
    args: list[Expr | None]
    instance: int | None = None
    receiver: Type | None = None

    @property
    def given(self) -> int:
        """Bit per parameter that is present."""
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


Expr: TypeAlias = (Bad | Literal | Variable | Field | Message | Declared | SubRef | Chain | Convert | Join | Invoke | Comparison
                   | Matches | InAcl | Negation | AllOf | AnyOf)

# ---- statements ------------------------------------------------------------------------------------------------------


@record
class Assign:
    """``set target op value;`` with the value of the type the form takes."""

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
    """``call sub;`` by the name under which :class:`Checked` knows it."""

    at: nodes.At
    sub: str


@record
class CallValue:
    """``call`` of the sub that a function gives."""

    at: nodes.At
    value: Expr


@record
class Return:
    """``action`` None: back to the caller. ``args`` are those written."""

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
    """``new``: fills an instance."""

    at: nodes.At
    instance: int
    call: Invoke


@record
class Evaluate:
    """A call as a statement."""

    at: nodes.At
    call: Invoke


Statement: TypeAlias = Assign | Remove | CallSub | CallValue | Return | If | Make | Evaluate

# ---- declarations ----------------------------------------------------------------------------------------------------


@record(frozen=True)
class Backend:
    """Times in seconds; None is the server's parameter. ``probe`` and ``via`` are indices. Exactly one of host, path and none."""

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
    """``request`` is a whole head with its line ends, or None where ``url`` counts."""

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
    """``address`` has 4 or 16 bytes, ``bits`` of which count. ``text`` is the entry as written."""

    address: bytes
    bits: int
    negated: bool
    text: str


@record(frozen=True)
class Acl:
    """``entries`` have the longest prefixes first: the first that holds an address decides."""

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
    """What one sub does by itself: variables and fields (``req.http.host``) it reads and writes, actions it returns, subs it
    calls. ``hooks`` are those in which all it uses is there. ``unknown``: it calls something whose reach is not described;
    ``calls_values``: it calls subs that are values."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    hooks: HookMask = ALL_HOOKS
    may_wait: bool = False
    unknown: bool = False
    calls_values: bool = False


@record
class Sub:
    """A hook or a sub: all its definitions one after the other. ``reach`` are the hooks that may run it."""

    name: str
    at: nodes.At
    body: list[Statement]
    reach: HookMask
    facts: Facts


@record(frozen=True)
class SubValue:
    """A sub that the policy uses as a value, by its key in :attr:`Checked.subs`. ``hooks`` are those in which it can be called."""

    sub: str
    hooks: HookMask = 0


@record(frozen=True)
class Effects:
    """What a sub can do, over all it calls."""

    reads: frozenset[str]
    writes: frozenset[str]
    actions: frozenset[str]
    may_wait: bool
    unknown: bool


@record(frozen=True)
class ForeignModule:
    """A module that is no part of the server: its library, and the digest of its description."""

    name: str
    library: str
    digest: bytes


@record
class Checked:
    """A whole policy. When diagnostics has errors, parts of it may be :class:`Bad` and it must not be lowered.
    ``default_backend`` is -1 where none is declared."""

    program: nodes.Program
    version: Version
    backends: list[Backend] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    acls: list[Acl] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    regexes: list[bytes] = field(default_factory=list)
    storages: list[str] = field(default_factory=list)
    sub_values: list[SubValue] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)     # of return (vcl(...))
    modules: list[ForeignModule] = field(default_factory=list)
    default_backend: int = -1
    subs: dict[str, Sub] = field(default_factory=dict)
    effects: dict[str, Effects] = field(default_factory=dict)
