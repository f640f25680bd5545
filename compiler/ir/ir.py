"""The intermediate representation: a policy as single, typed steps.

This is the *canonical* level: one site per statement, no rewriting. Coverage, explain and budget read
it. Native passes run after it; only they may lose sites.

A :class:`Module` is a whole policy. Functions are lists of blocks; the last op of a block, and only it, is a
terminator. Each function numbers its values. A value is defined once, and used in its own block or in a block
which that block dominates. A value that must survive a join of blocks goes through a slot
(:class:`Load`/:class:`Store`), so there are no phi nodes. Tests check all of this after every pass
(``tests/support/reference/verify.py``). ``pretty.py`` prints it.

Text values are bytes or unset (``None``): VCL text is bytes, and an unset header is not an empty one. Types
are those of ``semantics/types.py``. Lowering turns HEADER, STRANDS and ENUM into STRING; BODY occurs only as
the target of a call. ``native/shapes.py`` has the machine types. Hooks, actions and messages come from
``grammar/vocabulary.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from vernis.ir.declarations import (
    Site as Site,
    AclEntryDecl as AclEntryDecl,
    AclDecl as AclDecl,
    TABLE_KINDS as TABLE_KINDS,
    TABLE_VALUES as TABLE_VALUES,
    TableDecl as TableDecl,
    COUNTER_SERIES_MAX as COUNTER_SERIES_MAX,
    COUNTER_VALUE_MAX as COUNTER_VALUE_MAX,
    COUNTER_OTHER as COUNTER_OTHER,
    CounterDecl as CounterDecl,
    InstanceDecl as InstanceDecl,
    SubDecl as SubDecl,
    Pattern as Pattern,
    PatternSet as PatternSet,
    ChainSubject as ChainSubject,
    CHANGE_KINDS as CHANGE_KINDS,
    Change as Change,
    Row as Row,
    Chain as Chain,
    Rule as Rule,
    SpotKind as SpotKind,
    Spot as Spot,
    RULES_MAX as RULES_MAX,
    Source as Source,
    Effects as Effects,
    ForeignModule as ForeignModule,
)
from vernis.ir.declare import (
    AclId,
    BlockIds,
    ChainId,
    DeclaredId,
    InstanceId,
    MadeIfAny,
    Made,
    NameId,
    PatternId,
    RegexId,
    RuleId,
    SetId,
    SiteId,
    SlotId,
    SubName,
    Values,
    ACL_WORK,
    op,
)
from vernis.ir.declare import (
    BlockId as BlockId,
    CALL_WORK as CALL_WORK,
    PATTERN_WORK as PATTERN_WORK,
    OPS as OPS,
    Value as Value,
    immutable as immutable,
    members as members,
    Extern as Extern,
    ConstValue as ConstValue,
)
from vernis.semantics.origins import Backend as Backend
from vernis.semantics.origins import Probe as Probe
from vernis.semantics.types import Type as Type
from vernis.semantics.vocabulary import HOOKS as HOOKS
from vernis.semantics.vocabulary import load_vocabulary

if TYPE_CHECKING:
    from vernis.ir.facts import Facts


VOCABULARY = load_vocabulary()

#: The messages whose fields a policy can reach, with their numbers in the contract.
Msg = Enum("Msg", [(name.upper(), number) for number, name in enumerate(VOCABULARY.messages)])  # type: ignore[misc]
#: Hooks that run outside of transactions.
HOUSEKEEPING = tuple(hook.name for hook in VOCABULARY.hooks.values() if hook.side == "housekeeping")
#: The return value of a sub or hook. NONE: it reached its end without a return.
_ACTIONS = [("NONE", 0), *((row.name.upper(), row.number) for row in VOCABULARY.action_rows.values())]
Action = Enum("Action", _ACTIONS)  # type: ignore[misc]


# ---- ops: each carries the site (index into Module.sites) of its statement ---------------------------------


@op()
class Const:
    """``dst = literal``. STRING takes bytes or None, INT/BYTES int, REAL/DURATION/TIME float, BOOL bool, SUB
    an index into Module.subs from 1 (0: no sub). IP takes a family byte (4 or 6) and the address
    (``ADDRESS_FORMS`` of the verifier). BLOB takes bytes. BACKEND takes None: no backend."""

    dst: Made
    type: Type
    value: ConstValue
    site: SiteId


@op()
class Ref:
    """``dst =`` a declaration, by its index in a table of the module: BACKEND, ACL, PROBE, REGEX, INSTANCE,
    or STEVEDORE (index into Module.storages), or HTTP (index = Msg value)."""

    dst: Made
    type: Type
    index: DeclaredId
    site: SiteId


@op("{a} {op}{checked} {b}")
class Arith:
    """``dst = a op b`` for op in ``+ - * / %``. INT and BYTES: two's complement, wrapping; ``x / 0`` and ``x
    % 0`` fail the transaction; INT_MIN / -1 wraps to INT_MIN and INT_MIN % -1 is 0. REAL/DURATION/TIME: IEEE
    double; a and b are each of any of these types, the result has type ``type``. A division by zero and any
    other result that is not finite fail the transaction. ``checked``: a whole number that does not fit fails
    it, too (5.0)."""

    dst: Made
    type: Type
    op: str
    a: Value
    b: Value
    site: SiteId
    checked: bool = False


@op("convert {a}")
class Convert:
    """``dst = type(a)``. Between numbers, these never fail: INT->REAL, INT->DURATION, INT->BYTES (same bits),
    BYTES->INT, BYTES->REAL, REAL->BYTES (towards zero, clamped to 64 bits), REAL->DURATION, DURATION->REAL,
    TIME->REAL; BOOL of INT (!= 0), DURATION (> 0), STRING (is set), BACKEND (is set). STRING of INT, REAL (3
    decimals), DURATION (3 decimals), TIME (HTTP date; may fail), BYTES, BOOL, IP, BACKEND, ACL, PROBE,
    STEVEDORE, BLOB. For a STRING, native code calls ``to_string_<type>`` externs."""

    dst: Made
    type: Type
    a: Value
    site: SiteId


@op("{a} {op} {b}")
class CompareOp:
    """``dst(BOOL) = a op b``, op in ``== != < <= > >=``, both of one type. STRING: if either side is unset,
    ``!=``, ``>`` and ``>=`` are true and the others false, also if both are unset. Set texts compare byte by
    byte. IP compares addresses. BACKEND, PROBE and SUB compare identity."""

    dst: Made
    op: str
    a: Value
    b: Value
    site: SiteId


@op("not {a}")
class NotOp:
    dst: Made
    a: Value
    site: SiteId


@op("concat({parts})", work=CALL_WORK)
class Concat:
    """``dst(STRING) = parts joined``. Unset parts count as empty; the result is always set. Without parts it
    is empty."""

    dst: Made
    parts: Values
    site: SiteId


@op("get {msg}.http.{name}", work=CALL_WORK)
class HeaderGet:
    """``dst(STRING) =`` the value of the first field of that name, or unset. ``name`` indexes
    Module.names."""

    dst: Made
    msg: Msg
    name: NameId
    site: SiteId


@op("set {msg}.http.{name} = {value}", work=CALL_WORK, changes="field")
class HeaderSet:
    """Replaces all fields of that name by one with ``value``. An unset value sets an empty field."""

    msg: Msg
    name: NameId
    value: Value
    site: SiteId


@op("unset {msg}.http.{name}", work=CALL_WORK, changes="field")
class HeaderUnset:
    msg: Msg
    name: NameId
    site: SiteId


@op("{subject} ~ regex {regex}", work=PATTERN_WORK)
class Match:
    """``dst(BOOL) =`` whether Module.regexes[regex] matches anywhere in the subject. An unset subject counts
    as empty."""

    dst: Made
    regex: RegexId
    subject: Value
    site: SiteId


@op("{subject} ~ pattern {pattern} of set {set}")
class PatternTest:
    """``dst(BOOL) =`` whether the subject matches Module.patterns[pattern], a member of
    Module.pattern_sets[set]. Only ``passes/pattern_sets.py`` makes this op and the next two."""

    dst: Made
    set: SetId
    pattern: PatternId
    subject: Value
    site: SiteId


@op("next of chain {chain} from {start} of {subjects}")
class NextMatch:
    """``dst(INT) =`` where Module.chains[chain] goes on. Tries its tests from number ``start`` on: the first
    one that its subject passes has an exit, or a row that says how to go on. Without such a test the result
    is the number of exits. ``subjects`` has one text for each subject of the chain. The statement that runs
    becomes that of the test found, or of the last test; rows have their own."""

    dst: Made
    chain: ChainId
    start: Value
    subjects: Values
    site: SiteId


@op("{ip} ~ acl {acl}", work=ACL_WORK)
class AclMatch:
    """``dst(BOOL) = ip is in Module.acls[acl]``."""

    dst: Made
    acl: AclId
    ip: Value
    site: SiteId


@op(work=CALL_WORK, changes="anything")
class Call:
    """Calls a runtime function. ``given`` is the bit mask if the extern has optional parameters, else None.
    ``args`` always has one value per parameter."""

    dst: MadeIfAny
    extern: Extern
    args: Values
    site: SiteId
    given: int | None = None


@op("call {sub}", changes="anything")
class CallSub:
    """``dst(ACTION) = sub(ctx)``. Lowering adds a branch: the caller returns any action but NONE."""

    dst: Made
    sub: SubName
    site: SiteId


@op(work=CALL_WORK, changes="anything")
class NewInstance:
    """vcl_init only: calls the constructor extern, whose result is INSTANCE, to make
    Module.instances[instance]."""

    instance: InstanceId
    extern: Extern
    args: Values
    site: SiteId
    given: int | None = None


@op("load {slot}")
class Load:
    dst: Made
    slot: SlotId
    site: SiteId


@op("store {slot} = {a}", changes="slot")
class Store:
    slot: SlotId
    a: Value
    site: SiteId


@op("count rule {rule}")
class Count:
    """The body of Module.rules[rule] begins: adds one to its counter."""

    rule: RuleId
    site: SiteId


@op()
class SiteMark:
    """A statement begins: keeps ``ctx->site`` current. Passes that keep sites keep this op."""

    site: SiteId


# ---- terminators -------------------------------------------------------------------------------------------


@op("jump {target}")
class Jump:
    target: BlockId
    site: SiteId


@op("branch {cond} {then} {other}")
class Branch:
    cond: Value
    then: BlockId
    other: BlockId
    site: SiteId


@op("switch {value} {targets} else {other}")
class Switch:
    """Goes on at ``targets[value]``; at ``other`` if the INT ``value`` is not an index of ``targets``."""

    value: Value
    targets: BlockIds
    other: BlockId
    site: SiteId


@op("return {action}")
class ReturnAction:
    """Ends the function with a constant action. Earlier calls store the arguments of the action (``synth(404,
    "x")``), by the externs ``return_synth(INT, STRING)``, ``return_error(INT, STRING)``,
    ``return_pass(DURATION)``, ``return_fail(STRING)``, ``return_vcl(STRING)``. NONE: the end of a sub, or a
    plain ``return;``."""

    action: Action
    site: SiteId


@op("return {a}")
class ReturnValue:
    """Ends the function with the ACTION that a called sub returned."""

    a: Value
    site: SiteId


Terminator: TypeAlias = Jump | Branch | Switch | ReturnAction | ReturnValue
Op: TypeAlias = (
    Const
    | Ref
    | Arith
    | Convert
    | CompareOp
    | NotOp
    | Concat
    | HeaderGet
    | HeaderSet
    | HeaderUnset
    | Match
    | PatternTest
    | NextMatch
    | AclMatch
    | Call
    | CallSub
    | NewInstance
    | Load
    | Store
    | Count
    | SiteMark
    | Terminator
)


@dataclass(slots=True)
class Block:
    """``facts`` are those of facts.py."""

    ops: list[Op] = field(default_factory=list)
    facts: Facts | None = field(default=None, init=False, repr=False, compare=False)


@dataclass(slots=True)
class Function:
    """``types[v]`` is the type of value v, ``slots[s]`` of slot s. Block 0 is the entry."""

    name: str
    types: list[Type] = field(default_factory=list)
    slots: list[Type] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Module:
    """A whole policy. ``functions`` are hooks and subs by name. Every hook is present, because builtin.vcl
    defines each. Several definitions of a hook are one function. Passes fill ``patterns``, ``pattern_sets``
    and ``chains``; the canonical module has none. ``rules`` is empty if rules are not counted.
    ``spots`` has an entry for each rule if coverage is measured, and is empty otherwise. Then conditions,
    statements and the ways around an ``if`` are rules, too.
    ``default_backend`` indexes ``backends``; -1: the policy declares no backend and must set a director."""

    name: str
    sources: list[Source] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    regexes: list[bytes] = field(default_factory=list)
    backends: list[Backend] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    acls: list[AclDecl] = field(default_factory=list)
    tables: list[TableDecl] = field(default_factory=list)
    counters: list[CounterDecl] = field(default_factory=list)
    instances: list[InstanceDecl] = field(default_factory=list)
    subs: list[SubDecl] = field(default_factory=list)
    storages: list[str] = field(default_factory=list)
    modules: list[ForeignModule] = field(default_factory=list)
    patterns: list[Pattern] = field(default_factory=list)
    pattern_sets: list[PatternSet] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    rules_left: int = 0
    spots: list[Spot] = field(default_factory=list)
    default_backend: int = -1
    syntax: int = 41  #: VCL version times ten
    follows_rfc9111: bool = False
    functions: dict[str, Function] = field(default_factory=dict)
    effects: dict[str, Effects] = field(default_factory=dict)
