"""The environment of the interpreter: messages, variables, and a model of the runtime's functions.

The real runtime is the other implementation; tests hold both to the same answers. The world records a call of
a function that it has no model for, and returns the zero value of its type, unless a test has put an answer
in ``answers``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from support.reference import functions
from vernis.ir import ir
from vernis.ir.ir import Msg, Type
from vernis.ir.values import Failed
from support.reference.regex import MatchLimit, Regex, RegexCache
from support.reference.values import Ip, Reference, Value, zero_value


@dataclass(slots=True)
class Message:
    """Fields in order. Names keep their spelling; comparison ignores case."""

    fields: list[tuple[bytes, bytes]] = field(default_factory=list)

    def get(self, name: bytes) -> bytes | None:
        wanted = name.lower()
        return next((value for n, value in self.fields if n.lower() == wanted), None)

    def set(self, name: bytes, value: bytes | None) -> None:
        """Replaces all fields of that name. The new field takes the position of the first of them, else the
        last position."""
        new = (name, value or b"")
        if any(byte < 32 and byte != 9 or byte == 127 for byte in new[1]):
            raise Failed("a control character in a field value")
        wanted = name.lower()
        first = next((i for i, (n, _) in enumerate(self.fields) if n.lower() == wanted), None)
        if first is None:
            self.fields.append(new)
            return
        rest = [f for f in self.fields[first + 1 :] if f[0].lower() != wanted]
        self.fields[first:] = [new, *rest]

    def unset(self, name: bytes) -> None:
        wanted = name.lower()
        self.fields = [f for f in self.fields if f[0].lower() != wanted]


@dataclass(slots=True, frozen=True)
class Recorded:
    """A call of a runtime function."""

    symbol: str
    args: tuple[Value, ...]
    given: int | None


@dataclass(slots=True)
class Returned:
    """Arguments of the action, as in ``struct policy_return``."""

    status: int = 0
    text: bytes | None = None
    seconds: float = -1.0


@dataclass(slots=True)
class World:
    """The keys of ``variables`` are symbols without their verb (``req_url``). ``answers`` replaces or adds
    runtime functions. Such a function gets the world, the arguments and, if it has optional parameters, the
    mask."""

    messages: dict[Msg, Message] = field(default_factory=lambda: {msg: Message() for msg in Msg})
    variables: dict[str, Value] = field(default_factory=dict)
    answers: dict[str, Callable[..., Value]] = field(default_factory=dict)
    instances: dict[int, Value] = field(default_factory=dict)
    now: float = 1e9
    rule_hits: Counter[int] = field(default_factory=Counter)  # by index into Module.rules
    calls: list[Recorded] = field(default_factory=list)
    log: list[bytes] = field(default_factory=list)
    key: list[bytes] = field(default_factory=list)
    key_part: bytes = b""  # hash_part has added this to the next piece of the key
    synthetic: bytes = b""
    ret: Returned = field(default_factory=Returned)
    hook: str = ""
    site: int = 0  # of the running statement
    subs: list[ir.SubDecl] = field(default_factory=list)  # subs that are used as values
    tables: list[ir.TableDecl] = field(default_factory=list)
    counters: list[ir.CounterDecl] = field(default_factory=list)
    counts: Counter[tuple[str, bytes]] = field(default_factory=Counter)  # by counter and key of the series
    backends: list[ir.Backend] = field(default_factory=list)
    follows_rfc9111: bool = False
    work_left: int = 0  # rest of the hook's budget (budget.py)
    running: set[int] = field(default_factory=set)  # SUB values of running subs
    allowed: int = 0  # safety checks that the hook has waived: a bit for each of Vocabulary.safety
    regexes: RegexCache = field(default_factory=lambda: RegexCache({}))

    # ---- services for ops ----------------------------------------------------------------------------------

    def matches(self, pattern: bytes, subject: bytes | None) -> bool:
        try:
            return self.regexes.get(pattern).matches(subject)
        except MatchLimit:
            raise Failed("a match limit of PCRE2") from None

    def regex(self, reference: Value) -> Regex:
        assert isinstance(reference, Reference) and isinstance(reference.what, bytes)
        return self.regexes.get(reference.what)

    def in_acl(self, acl: ir.AclDecl, ip: Value) -> bool:
        """The longest prefix that covers the address decides; among equal prefixes the first."""
        if not isinstance(ip, Ip):
            return False
        best: ir.AclEntryDecl | None = None
        for entry in acl.entries:
            if (
                len(entry.address) == len(ip.address)
                and _covers(entry, ip.address)
                and (best is None or entry.bits > best.bits)
            ):
                best = entry
        return best is not None and not best.negated

    def call(self, extern: ir.Extern, args: tuple[Value, ...], given: int | None) -> Value:
        self.calls.append(Recorded(extern.symbol, args, given))
        answer = self.answers.get(extern.symbol) or functions.FUNCTIONS.get(extern.symbol)
        if answer is not None:
            return answer(self, *args) if given is None else answer(self, *args, given)
        verb, _, name = extern.symbol.partition("_")
        name = functions.SAME_VARIABLE.get(name, name)
        match verb:
            case "get" if name.startswith("param_"):
                return functions.PARAMETERS[name.removeprefix("param_")]
            case "get" if not args:
                value = self.variables.get(name, zero_value(extern.result))
                unset = name in functions.UNSET and isinstance(value, float) and value < 0
                return functions.UNSET[name] if unset else value
            case "set" if len(args) == 1:
                functions.set_variable(self, name, args[0])
                return None
            case "unset" if not args:
                self.variables.pop(name, None)
                if name in functions.UNSET:
                    self.variables[name] = -1.0
                return None
            case _:
                return None if extern.result is Type.VOID else zero_value(extern.result)


def _covers(entry: ir.AclEntryDecl, address: bytes) -> bool:
    width = 8 * len(address)
    return (int.from_bytes(entry.address, "big") ^ int.from_bytes(address, "big")) >> (
        width - entry.bits
    ) == 0
