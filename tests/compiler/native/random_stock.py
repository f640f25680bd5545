"""Random policies for a comparison with stock Varnish. The log shows the values of random statements in one
hook.

Values that differ between any two runs are left out: clocks, transaction numbers, ports, memory in use.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from random_calls import callables
from random_goals import Goal, Steering, goals
from random_language import Writer
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import HOOKS, VariableRow, Version, load_vocabulary

T = Type
STOCK_MODULES = frozenset(("std", "directors", "cookie", "blob", "purge"))
HOOKS_RUN = ("vcl_recv", "vcl_pass", "vcl_hash", "vcl_purge", "vcl_miss", "vcl_hit", "vcl_deliver", "vcl_synth", "vcl_backend_fetch",
             "vcl_backend_response", "vcl_backend_error")

#: The value to set: vernisd refuses text that would break the request line, stock accepts any text.
LINE_PARTS = {".method": "PUT", ".proto": "HTTP/1.0"}

#: Variables whose values are not logged, with the reason.
UNEQUAL_VARIABLES = {
    "req.xid": "counts", "bereq.xid": "counts", "sess.xid": "counts", "local.endpoint": "a port that was free", "now": "a clock",
    "req.time": "a clock", "req_top.time": "a clock", "bereq.time": "a clock", "beresp.time": "a clock", "resp.time": "a clock",
    "obj.time": "a clock", "obj.age": "a clock", "obj.ttl": "a clock", "beresp.age": "a clock",
    "storage.*.free_space": "depends on how memory is managed", "storage.*.used_space": "as free_space",
    "storage.*.happy": "stock's worker ends when it is read of -s malloc",
    "bereq.connect_timeout": "ours is what the fetch will use, stock's 0 until it is set", "bereq.first_byte_timeout": "as connect_timeout",
    "bereq.between_bytes_timeout": "as connect_timeout", "resp.do_esi": "ours says what was parsed, stock's what is not forbidden",
    "resp.filters": "stock's worker ends when it is read in vcl_synth", "resp.is_streaming": "whether the origin has come to its end",
    "server.rfc9111": "stock has none", "beresp.targeted": "stock has none", "req.connect_protocol": "stock has none", "req.scheme": "stock has none",
    "req.hash": "how the key is made is our own", "bereq.hash": "as req.hash"} | {
    row.name: "later than 7.1" for row in load_vocabulary().variables
    if row.name.startswith("param.") or row.name in ("req.max_age", "bereq.retry_connect", "bereq.task_deadline", "beresp.transit_buffer")}

UNEQUAL_CALLS = {
    "std.random": "chance", "std.port": "a port that was free", "std.syslog": "writes to the machine's log", "std.timestamp": "a clock",
        "std.fileread": "files",
        "std.blobread": "files",
    "std.rollback": "takes the policy's number from the request", "std.cache_req_body": "requests have no content",
    "directors.random.backend": "chance", "directors.lookup": "vcl_init only",
        "blob.same": "whether equal constants are one is the compiler's",
    "directors.shard.key": "how names are hashed to a ring is shown by the module's own tests", "std.ban": "changes what is stored",
    "std.ban_error": "its words", "directors.shard.debug": "changes what is logged", "std.getenv": "the environment",
    "std.rfc_ttl": "later than 7.1"}


@cache
def _left_out() -> frozenset[str]:
    """Names of goals that this comparison leaves out."""
    found = {name for name in goals() if any(f" {variable} " in name for variable in UNEQUAL_VARIABLES)}
    found |= {f"module {name}" for name, item in callables().items() if name in UNEQUAL_CALLS
        or item.owner.partition(".")[0] not in STOCK_MODULES}
    found |= {name for name in goals() if name.startswith("object ") and name.split()[1].partition(".")[0] not in STOCK_MODULES}
    found |= {name for name in goals() if name.startswith("unset ") and not _is_removable(name.split()[1])}
    found |= {name for name in goals() if name.startswith("read ") and name.split()[1] in ("req", "bereq", "beresp", "resp")}
    return frozenset(found | {"return vcl in vcl_recv", "function ban"})


def _is_removable(variable: str) -> bool:
    """In 7.1, too."""
    return ".http." in variable or variable == "bereq.body"


class StockSteering(Steering):
    """Chooses only goals whose results are the same in both servers."""

    def more(self, rng: random.Random, hook: str, version: Version) -> list[Goal]:
        return [goals()[name] for name in rng.sample(_goals_of(hook, version), 4)]


@cache
def _goals_of(hook: str, version: Version) -> tuple[str, ...]:
    from random_goals import goals_of

    return tuple(name for name in goals_of(hook, version) if name not in _left_out())


class StockWriter(Writer):
    """Writes statements without clocks: times are constants."""

    def __init__(self, rng: random.Random, hook: str, version: Version, subs: list[str], steering: Steering) -> None:
        super().__init__(rng, hook, version, subs, steering)
        self.readable = [row for row in self.readable if row.name not in UNEQUAL_VARIABLES]
        self.settable = [row for row in self.settable if row.name not in ("beresp.storage_hint", "resp.filters")
                         and UNEQUAL_VARIABLES.get(row.name) != "later than 7.1"]
        self.removable = [row for row in self.removable if _is_removable(row.name)]
        self.messages = []

    def factor(self, op: str, type: Type) -> str:
        """Never divides by zero: that fails the transaction here, but ends stock's worker or gives an
        infinite value."""
        if op == "*":
            return super().factor(op, type)
        return self.rng.choice(["1", "2", "7"] if type is T.INT else ["1.5", "2.25", "1000.125"])

    def assignment(self, row: VariableRow | None = None, op: str | None = None) -> str:
        made = super().assignment(row, op)
        if " /= " in made:
            return f"{made.partition(' /= ')[0]} /= {self.factor('/', T.INT)};"
        part = next((text for name, text in LINE_PARTS.items() if made.split()[1].endswith(name)), None)
        return made if part is None else f'set {made.split()[1]} = "{part}";'

    def ending(self, action: str | None = None) -> str:
        """Never switches to a label: no label exists."""
        made = super().ending(action)
        return "{ }" if made.startswith("return (vcl") else made

    def number(self, type: Type, depth: int) -> str:
        """Stock does not parse a minus before a DURATION that is added to a TIME."""
        made = super().number(type, depth)
        return f"(0s - {made[2:]}" if type is T.DURATION and made.startswith("(-") else made

    def backend(self, depth: int) -> str:
        """Replaces the backend `none`, which is not a value in stock."""
        return super().backend(depth).replace("nowhere", "other")

    def callable_names(self) -> list[str]:
        return [name for name in super().callable_names() if f"module {name}" not in _left_out()]

    def time(self, depth: int) -> str:
        return f"std.real2time({self.rng.choice(['784111777.5', '1000000000.0', '0.0'])}, now)"

    def variable(self, type: Type) -> str | None:
        return self.time(0) if type is T.TIME else super().variable(type)

    def shown(self, type: Type, text: str) -> str:
        return f"std.log({text});" if type in (T.STRING, T.HEADER) else f'std.log("" + {text});'

    def module(self, name: str) -> str:
        """Always imports a module under its own name: stock does not find all methods of objects of a renamed
        module."""
        return name


@dataclass(slots=True, frozen=True)
class StockPolicy:
    number: int
    hook: str
    body: str


def random_stock_policies(rng: random.Random, version: Version, first: int, count: int, steering: Steering) -> tuple[Writer,
    list[StockPolicy]]:
    """``count`` policies of one version. They share objects and modules, which the returned writer knows."""
    shared = StockWriter(rng, "vcl_recv", version, [], steering)
    found = []
    for number in range(first, first + count):
        hook = HOOKS_RUN[number % len(HOOKS_RUN)]
        writer = StockWriter(rng, hook, version, [], steering).part_of(shared)
        found.append(StockPolicy(number, hook, writer.wanted(steering.more(rng, hook, version))))
    return shared, found


__all__ = ["HOOKS", "HOOKS_RUN", "StockPolicy", "StockSteering", "random_stock_policies"]
