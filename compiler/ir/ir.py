"""The intermediate representation: what a policy does, one step at a time, with every type decided.

This is the *canonical* level: one site per statement, nothing rewritten. The interpreter, coverage, explain and budget
read it; native passes run after it and are the only ones that may lose sites.

A :class:`Module` is a whole policy. Functions are lists of blocks; the last op of a block, and only it, is a
terminator. Values are numbered per function, defined once, and used in the block that defines them or one it dominates;
what must survive a join goes through a slot (:class:`Load`/:class:`Store`), so there are no phi nodes.
``verify.py`` checks all of this after every pass in tests; ``pretty.py`` prints it.

Text values are bytes or unset (``None``): VCL text is bytes, and an unset header is not an empty one. Types are those of
``semantics/types.py``; HEADER, STRANDS and ENUM have become STRING here, and BODY is the target of a call only. Machine shapes are in
``native/shapes.py``. Hooks, actions and messages come from ``grammar/vocabulary.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from vernis.semantics.types import Type as Type
from vernis.semantics.vocabulary import HOOKS as HOOKS
from vernis.semantics.vocabulary import load_vocabulary


VOCABULARY = load_vocabulary()

#: The messages whose fields a policy can reach, with their numbers in the contract.
Msg = Enum("Msg", [(name.upper(), number) for number, name in enumerate(VOCABULARY.messages)])     # type: ignore[misc]
#: Hooks that run outside of transactions.
HOUSEKEEPING = tuple(hook.name for hook in VOCABULARY.hooks.values() if hook.side == "housekeeping")
#: What a sub or hook returns. NONE: it ran through.
Action = Enum("Action", [("NONE", 0), *((row.name.upper(), row.number) for row in VOCABULARY.action_rows.values())])    # type: ignore[misc]

Value: TypeAlias = int              # index into Function.types
BlockId: TypeAlias = int            # index into Function.blocks
ConstValue: TypeAlias = bytes | int | float | bool | None


@dataclass(slots=True, frozen=True)
class Extern:
    """A runtime function of the policy contract. ``symbol`` is its name in the import table. ``params`` are machine
    types in order, without the leading ``struct policy_ctx *`` that every one takes. ``optional`` are the indices of
    parameters that may be absent: the call then carries a leading INT bit mask of those given (bit i = params[i]);
    absent ones get a zero value. ``may_fail``: may set ``ctx->failed``, which ends the hook with FAIL. ``pure``: no
    effect, same arguments same result within one hook; unused calls may be dropped. ``may_wait``: may suspend."""

    symbol: str
    params: tuple[Type, ...]
    result: Type
    optional: tuple[int, ...] = ()
    may_fail: bool = False
    pure: bool = False
    may_wait: bool = False


# ---- ops: each has the site (index into Module.sites) of its statement ------------------------------------------------


@dataclass(slots=True, frozen=True)
class Const:
    """``dst = literal``. STRING takes bytes or None, INT/BYTES int, REAL/DURATION/TIME float, BOOL bool, SUB a
    place in Module.subs; IP takes the
    16+1 byte form ``family byte (4 or 6) + address``; BLOB takes bytes; BACKEND None is "no backend"."""

    dst: Value
    type: Type
    value: ConstValue
    site: int


@dataclass(slots=True, frozen=True)
class Ref:
    """``dst =`` a declared thing by index in its table of the module: BACKEND, ACL, PROBE, REGEX, INSTANCE, or
    STEVEDORE (index into Module.storages), or HTTP (index = Msg value)."""

    dst: Value
    type: Type
    index: int
    site: int


@dataclass(slots=True, frozen=True)
class Arith:
    """``dst = a op b`` for op in ``+ - * / %``. INT and BYTES: two's complement, wrapping; ``x / 0`` and ``x % 0`` fail the
    transaction; INT_MIN / -1 wraps to INT_MIN and INT_MIN % -1 is 0. REAL/DURATION/TIME: IEEE double on both sides (a, b of
    any of those types or REAL), result type ``type``; a result that is not finite fails the transaction (so does division by
    zero)."""

    dst: Value
    type: Type
    op: str
    a: Value
    b: Value
    site: int


@dataclass(slots=True, frozen=True)
class Convert:
    """``dst = type(a)``. Total numeric ones: INT->REAL, INT->DURATION, INT->BYTES (same bits), BYTES->INT, BYTES->REAL,
    REAL->BYTES (towards zero; the nearest there is), REAL->DURATION, DURATION->REAL, TIME->REAL;
    BOOL of INT (!= 0), DURATION (> 0), STRING (is set), BACKEND (not none).
    STRING of INT, REAL (3 decimals), DURATION (3 decimals), TIME (HTTP date; may fail), BYTES, BOOL, IP, BACKEND, ACL,
    PROBE, STEVEDORE, BLOB. Native code calls ``to_string_<type>`` externs for the latter."""

    dst: Value
    type: Type
    a: Value
    site: int


@dataclass(slots=True, frozen=True)
class CompareOp:
    """``dst(BOOL) = a op b``, op in ``== != < <= > >=``, both of one type. STRING: unset is
    unequal to everything by ``==`` (two unset texts too), ``!=`` is its negation; ``<`` with an unset left side is false and
    ``>`` true, with an unset right side and a set left: ``<`` false and ``>`` true; else byte-wise order. IP compares
    addresses. BACKEND, PROBE and SUB compare identity."""

    dst: Value
    op: str
    a: Value
    b: Value
    site: int


@dataclass(slots=True, frozen=True)
class NotOp:
    dst: Value
    a: Value
    site: int


@dataclass(slots=True, frozen=True)
class Concat:
    """``dst(STRING) = parts joined``; unset parts count as empty, the result is always set. No parts: empty text."""

    dst: Value
    parts: tuple[Value, ...]
    site: int


@dataclass(slots=True, frozen=True)
class HeaderGet:
    """``dst(STRING) = first field value of that name``, or unset. ``name`` indexes Module.names."""

    dst: Value
    msg: Msg
    name: int
    site: int


@dataclass(slots=True, frozen=True)
class HeaderSet:
    """All fields of that name go, one with ``value`` comes (an unset value sets an empty field)."""

    msg: Msg
    name: int
    value: Value
    site: int


@dataclass(slots=True, frozen=True)
class HeaderUnset:
    msg: Msg
    name: int
    site: int


@dataclass(slots=True, frozen=True)
class Match:
    """``dst(BOOL) = subject matches Module.regexes[regex]`` anywhere; an unset subject is matched as empty."""

    dst: Value
    regex: int
    subject: Value
    site: int


@dataclass(slots=True, frozen=True)
class AclMatch:
    """``dst(BOOL) = ip is in Module.acls[acl]``."""

    dst: Value
    acl: int
    ip: Value
    site: int


@dataclass(slots=True, frozen=True)
class Call:
    """A runtime function. ``given`` is the bit mask when the extern has optional parameters, else None; ``args`` then
    still has one value per parameter."""

    dst: Value | None
    extern: Extern
    args: tuple[Value, ...]
    site: int
    given: int | None = None


@dataclass(slots=True, frozen=True)
class CallSub:
    """``dst(ACTION) = sub(ctx)``. Lowering branches on it: not NONE returns it."""

    dst: Value
    sub: str
    site: int


@dataclass(slots=True, frozen=True)
class NewInstance:
    """vcl_init only: makes Module.instances[instance] by calling its constructor extern, whose result is INSTANCE."""

    instance: int
    extern: Extern
    args: tuple[Value, ...]
    site: int
    given: int | None = None


@dataclass(slots=True, frozen=True)
class Load:
    dst: Value
    slot: int
    site: int


@dataclass(slots=True, frozen=True)
class Store:
    slot: int
    a: Value
    site: int


@dataclass(slots=True, frozen=True)
class SiteMark:
    """A statement begins: keeps ``ctx->site`` current. Kept by passes that keep sites."""

    site: int


# ---- terminators -----------------------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Jump:
    target: BlockId
    site: int


@dataclass(slots=True, frozen=True)
class Branch:
    cond: Value
    then: BlockId
    other: BlockId
    site: int


@dataclass(slots=True, frozen=True)
class ReturnAction:
    """Ends the function with a constant action. Arguments of the action (``synth(404, "x")``) were stored before by the
    externs ``return_synth(INT, STRING)``, ``return_error(INT, STRING)``, ``return_pass(DURATION)``, ``return_fail(STRING)``,
    ``return_vcl(STRING)``. NONE = ran through (plain ``return;`` in a sub)."""

    action: Action
    site: int


@dataclass(slots=True, frozen=True)
class ReturnValue:
    """Ends the function with the ACTION value a called sub gave."""

    a: Value
    site: int


Terminator: TypeAlias = Jump | Branch | ReturnAction | ReturnValue
Op: TypeAlias = (Const | Ref | Arith | Convert | CompareOp | NotOp | Concat | HeaderGet | HeaderSet | HeaderUnset | Match
                 | AclMatch | Call | CallSub | NewInstance | Load | Store | SiteMark | Terminator)


@dataclass(slots=True)
class Block:
    ops: list[Op] = field(default_factory=list)


@dataclass(slots=True)
class Function:
    """``types[v]`` is the type of value v, ``slots[s]`` of slot s. Block 0 is the entry."""

    name: str
    types: list[Type] = field(default_factory=list)
    slots: list[Type] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


# ---- declarations as the image carries them ----------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Site:
    """Where a statement stands. ``file`` indexes Module.sources; line and column count from 1."""

    file: int
    line: int
    column: int


@dataclass(slots=True, frozen=True)
class BackendDecl:
    """Timeouts in seconds, None = the parameter's value. ``probe`` indexes Module.probes, ``via`` an earlier one of
    Module.backends. Exactly one of host, path, or ``none``. ``max_connections`` 0 = no limit, ``wait_limit`` 0 = the parameter's value,
    ``authority`` None = the proxy is told none, ``proxy_header`` 0, 1 or 2."""

    name: str
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
    none: bool = False
    site: int = 0


@dataclass(slots=True, frozen=True)
class ProbeDecl:
    """``request`` is the whole request head when given by lines, else None and ``url`` counts."""

    name: str
    url: str = "/"
    request: bytes | None = None
    expected_response: int = 200
    timeout: float = 2.0
    interval: float = 5.0
    window: int = 8
    threshold: int = 3
    initial: int = 2


@dataclass(slots=True, frozen=True)
class AclEntryDecl:
    """``address`` is 4 or 16 bytes, ``bits`` its prefix length. ``text`` as written, for the log."""

    address: bytes
    bits: int
    negated: bool
    text: str


@dataclass(slots=True, frozen=True)
class AclDecl:
    name: str
    entries: tuple[AclEntryDecl, ...]
    log: bool = False


@dataclass(slots=True, frozen=True)
class InstanceDecl:
    """An object made by ``new``: ``kind`` is ``directors.round_robin`` and so on; ``fini`` its destructor extern's symbol."""

    name: str
    kind: str
    fini: str
    site: int = 0


@dataclass(slots=True, frozen=True)
class SubDecl:
    """A sub that is used as a value: ``key`` in Module.functions (from where passes take what nothing calls), ``hooks`` in which
    it can be called, a bit each in the order of HOOKS. A value of type SUB is a place in this table, from 1; 0 is none."""

    key: str
    name: str
    hooks: int


@dataclass(slots=True, frozen=True)
class Source:
    name: str
    text: bytes


@dataclass(slots=True, frozen=True)
class Effects:
    """What a hook can do, over everything it calls. ``*_headers`` are "msg:lower-case-name" or "msg:*"; variables by name.
    ``actions`` are the actions it can return; ``may_wait``: some extern it reaches may suspend."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    actions: frozenset[Action] = frozenset()
    may_wait: bool = False
    unknown: bool = False


@dataclass(slots=True, frozen=True)
class ForeignModule:
    """A module that is no part of the runtime. Its functions are imported as ``name.symbol``; ``digest`` is that of what it
    declares."""

    name: str
    library: str
    digest: bytes


@dataclass(slots=True)
class Module:
    """A whole policy. ``functions`` are hooks and subs by name; every hook is present (builtin.vcl sees to it), several
    definitions of a hook have been concatenated. ``default_backend`` indexes ``backends`` (-1: none declared, a director must be set)."""

    name: str
    sources: list[Source] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    regexes: list[bytes] = field(default_factory=list)
    backends: list[BackendDecl] = field(default_factory=list)
    probes: list[ProbeDecl] = field(default_factory=list)
    acls: list[AclDecl] = field(default_factory=list)
    instances: list[InstanceDecl] = field(default_factory=list)
    subs: list[SubDecl] = field(default_factory=list)
    storages: list[str] = field(default_factory=list)
    modules: list[ForeignModule] = field(default_factory=list)
    default_backend: int = -1
    syntax: int = 41                #: version of the language times ten
    functions: dict[str, Function] = field(default_factory=dict)
    effects: dict[str, Effects] = field(default_factory=dict)
