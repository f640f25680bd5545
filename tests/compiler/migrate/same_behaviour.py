"""Runs the hooks of two policies on the same random requests in the reference interpreter, and compares what they do."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from vernis.ir import ir
from support.reference.interpret import run_hook
from vernis.ir.ir import Module, Msg, Type
from vernis.semantics.phrases import FAILED, reason_of
from support.reference.world import Message, World
from support.reference.values import Ip, Reference, Value
from support.reference.views import url_query_sort

#: Values that fields and variables get beside those of the policy.
TEXTS = [b"", b"a", b"/", b"/a/b.css?x=1", b"0", b"gzip", b"GET", b"POST", b"PURGE", b"no-cache", b"a=1; b=2", b"www.example.com"]
NUMBERS = [0, 0, 1, 2, 4, 200, 301, 404, 500, 503]
SECONDS = [0.0, -1.0, 0.5, 1.0, 60.0, 3600.0]
ADDRESSES = [Ip(bytes((127, 0, 0, 1))), Ip(bytes((10, 1, 1, 1))), Ip(bytes((192, 168, 5, 5))), Ip(bytes(15) + b"\1")]
ROUNDS = ("req_restarts", "bereq_retries")      # never above the default of max_restarts and max_retries
_PIECE = re.compile(rb"[\w./=;-]{2,}")
#: Calls that only 5.0 makes. A migrated policy sorts a URL without std.querysort: a note tells what differs.
_OF_FIVE = ("allow", "allowed", "std_querysort", "url_query_sort", "set_req_url", "set_bereq_url")
#: Functions of 5.0 that give the same as those of 4.x for a text that is there.
_SAME = {"text_lower": "string_lower", "text_upper": "string_upper"}


@dataclass(slots=True)
class Difference:
    hook: str
    request: str
    before: dict[str, object]
    after: dict[str, object]

    def __str__(self) -> str:
        shown = [f"{key}: {self.before[key]!r} became {self.after[key]!r}" for key in self.before if self.before[key] != self.after[key]]
        return f"{self.hook}: {'; '.join(shown)}; request: {self.request}"


def _strstr(world: World, text: bytes | None, wanted: bytes | None) -> bytes | None:
    """In a migrated policy an unset text is an empty one for it: a note tells what differs."""
    at = (text or b"").find(wanted or b"")
    return None if at < 0 else (text or b"")[at:]


@dataclass(slots=True)
class Start:
    """The input of a hook."""

    fields: list[tuple[Msg, bytes, bytes]]
    variables: dict[str, Value]

    def world(self) -> World:
        world = World(messages={msg: Message([(n, v) for m, n, v in self.fields if m is msg]) for msg in Msg})
        world.variables = dict(self.variables)
        world.answers["std_querysort"] = url_query_sort
        world.answers["std_strstr"] = _strstr
        return world

    def __str__(self) -> str:
        fields = [f"{msg.name.lower()}.http.{name.decode()}={value!r}" for msg, name, value in self.fields]
        return ", ".join(fields + [f"{name}={value!r}" for name, value in self.variables.items()])


class Requests:
    """Random requests for a policy: they have its header names, its variables, and parts of its texts and patterns."""

    def __init__(self, module: Module, rng: random.Random) -> None:
        self.rng, self.module = rng, module
        ops = [op for function in module.functions.values() for block in function.blocks for op in block.ops]
        constants = {op.value for op in ops if isinstance(op, ir.Const) and isinstance(op.value, bytes)}
        pieces = {piece for pattern in module.regexes for piece in _PIECE.findall(pattern)}
        self.texts = TEXTS + sorted(text for text in constants | pieces if len(text) < 200 and text.isascii() and text.decode().isprintable())
        self.names = [name.encode() for name in module.names] or [b"X"]
        self.read = {op.extern.symbol[4:]: op.extern.result for op in ops if isinstance(op, ir.Call) and op.extern.symbol.startswith("get_")
                     and not op.extern.symbol.startswith("get_param_")}      # a parameter has its default

    def start(self) -> Start:
        rng = self.rng
        share = rng.random()
        fields = [(msg, name, self.text()) for msg in Msg for name in self.names if rng.random() < share]
        variables = {name: self.value(name, type) for name, type in self.read.items()}
        return Start(fields, variables)

    def text(self) -> bytes:
        text = self.rng.choice(self.texts)
        return text if self.rng.random() < 0.8 else text + self.rng.choice(self.texts)

    def value(self, name: str, type: Type) -> Value:
        rng = self.rng
        match type:
            case Type.STRING:
                is_url = name.endswith("url")      # never empty
                return ((b"/" if is_url and rng.random() < 0.7 else b"") + self.text()) or (b"/" if is_url else b"")
            case Type.INT | Type.BYTES:
                return rng.randrange(5) if name in ROUNDS else rng.choice(NUMBERS)
            case Type.REAL | Type.DURATION:
                return rng.choice(SECONDS)
            case Type.TIME:
                return 1e9 + rng.choice(SECONDS)
            case Type.BOOL:
                return rng.random() < 0.5
            case Type.IP:
                return rng.choice(ADDRESSES)
            case Type.BACKEND:
                backends = self.module.backends
                index = rng.randrange(len(backends)) if backends else 0
                return Reference(type, index, backends[index].name.encode()) if backends else None
            case _:
                return None


def difference(before: Module, after: Module, n: int, rng: random.Random) -> Difference | None:
    """The first difference between two policies, of ``n`` requests that each hook gets."""
    requests = Requests(before, rng)
    for _ in range(n):
        start = requests.start()
        for hook in ir.HOOKS:
            one, other = done(before, hook, start), done(after, hook, start)
            if one != other:
                return Difference(hook, str(start), one, other)
    return None


def _compared(argument: Value) -> Value:
    """An argument of a call; a pattern has another number in a policy with more patterns."""
    if isinstance(argument, Reference) and argument.type is Type.REGEX:
        return Reference(argument.type, 0, argument.what)
    return b"" if argument is None else argument


def done(module: Module, hook: str, start: Start) -> dict[str, object]:
    """The results of a hook."""
    world = start.world()
    outcome = run_hook(module, hook, world)
    calls = [
        (_SAME.get(call.symbol, call.symbol), tuple(map(_compared, call.args)), call.given)
        for call in world.calls
        if not call.symbol.startswith(("get_", "return_")) and call.symbol not in _OF_FIVE
    ]
    reason = world.ret.text
    if reason is None and outcome.action.name in ("SYNTH", "ERROR"):
        reason = reason_of(world.ret.status).encode()
    if reason is None and outcome.action.name == "FAIL":
        reason = FAILED.encode()
    return {
        "action": outcome.action.name, "failure": outcome.why, "returned": (world.ret.status, reason, world.ret.seconds),
        "fields": {msg.name: message.fields for msg, message in world.messages.items()},
        "variables": {name: value or None for name, value in world.variables.items()},
        "log": world.log, "key": world.key, "synthetic": world.synthetic, "calls": calls,
    }
