"""Runs one transaction of a policy twice, in the interpreter and as native code in libvernisrt, and returns
both results in the same form."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from harness import Harness
from random_language import FIELD_NAMES
from support.library import library_path, runtime_library
from runtime_world import Functions, RuntimeWorld
from vernis.ir import ir
from support.reference.interpret import Outcome, reference, run_hook
from vernis.ir.ir import Msg, Type
from support.reference.values import Ip, Reference, Value
from vernis.semantics.vocabulary import load_vocabulary

NOW = 1e9
CLIENTS = [(b"10.9.9.9", b"\x0a\x09\x09\x09"), (b"10.1.1.1", b"\x0a\x01\x01\x01"), (b"10.1.2.3", b"\x0a\x01\x02\x03"),
           (b"192.0.2.1", b"\xc0\x00\x02\x01"), (b"::1", bytes(15) + b"\x01")]
METHODS = [b"GET", b"POST", b"PURGE"]
URLS = [b"/", b"/a", b"/admin", b"/foo/a.png?b=1", b"/%20"]
VALUES = [b"", b"a", b"foo=1; bar=2", b"ABC", b"/a", b"A.png", b"oo\xe4", b"b" * 40]

#: Values of variables when the harness starts a transaction; those of the request come from :class:`Start`.
INITIAL: dict[str, Value] = {
    "server_hostname": b"host.test", "server_identity": b"harness", "local_endpoint": b"127.0.0.1:8080", "local_socket": b"a0",
    "req_xid": b"1001", "bereq_xid": b"1002", "sess_xid": b"1000", "req_transport": b"http/1", "req_connect_protocol": None, "req_esi": True,
    "req_scheme": b"http",
    "req_grace": -1.0, "req_ttl": -1.0, "beresp_ttl": 120.0, "beresp_grace": 10.0, "beresp_keep": 0.0,
    "beresp_targeted": False, "bereq_retry_connect": True, "beresp_transit_buffer": 1 << 20,
    "beresp_do_stream": True, "beresp_status": 200, "resp_status": 200, "obj_status": 200, "beresp_reason": b"OK", "resp_reason": b"OK",
    "obj_reason": b"OK"} | {name: Ip(b"\x7f\0\0\1") for name in ("server_ip", "local_ip", "remote_ip")} | dict.fromkeys(
    ("req_proto", "req_top_proto", "bereq_proto", "beresp_proto", "resp_proto", "obj_proto"), b"HTTP/1.1") | dict.fromkeys(
    ("now", "req_time", "req_top_time", "bereq_time", "beresp_time", "resp_time"), NOW)

TEXTS = ("req.url", "req.method", "req.proto", "bereq.url", "bereq.method", "bereq.proto", "beresp.proto", "beresp.reason", "resp.proto",
         "resp.reason", "req.backend_hint", "bereq.backend")
BACKENDS = ("req.backend_hint", "bereq.backend")
NUMBERS = ("req.grace", "req.ttl", "req.esi", "req.hash_always_miss", "req.hash_ignore_busy", "req.hash_ignore_vary", "resp.status",
           "beresp.status", "beresp.ttl", "beresp.grace", "beresp.keep", "beresp.uncacheable", "beresp.do_stream", "sess.timeout_idle",
           "sess.timeout_linger", "sess.idle_send_timeout", "sess.send_timeout",
           "bereq.connect_timeout", "bereq.first_byte_timeout", "bereq.between_bytes_timeout")
# an unset timeout would read a parameter
TIMEOUTS = {name: 0.25 + number for number, name in enumerate(name for name in NUMBERS if "timeout" in name)}


FLAGS = ("req.is_hitmiss", "req.is_hitpass", "bereq.is_bgfetch", "bereq.is_hitmiss", "bereq.is_hitpass", "resp.is_streaming",
         "beresp.was_304")

#: Variables that the world does not model; its runtime does.
NOT_MODELLED = frozenset(name.replace(".", "_") for name in (
    "req.can_gzip", "req.hash", "bereq.hash", "req.storage", "beresp.storage", "obj.storage", "beresp.storage_hint", "beresp.filters",
    "resp.filters",
    # setting them fails once filters are set
    "beresp.do_esi", "beresp.do_gzip", "beresp.do_gunzip", "resp.do_esi",
    "beresp.backend", "beresp.backend.ip", "beresp.backend.name", "obj.can_esi", "obj.hits", "obj.age", "obj.grace", "obj.keep", "obj.ttl",
    "obj.time", "obj.uncacheable", "client.identity", "bereq.uncacheable", "storage.free_space", "storage.used_space", "storage.happy"))
MODELLED = frozenset(row.accessor for row in load_vocabulary().variables) - NOT_MODELLED

#: Values that only a runtime has: compared between the runtime of the interpreter and that of compiled code.
RUNTIME_TEXTS = ("client.identity", "beresp.filters", "resp.filters", "beresp.storage_hint", "key", "log", "synth", "beresp.body")
RUNTIME_NUMBERS = ("hit_for_pass", "bereq.body_unset", "resp.do_esi", "bereq.uncacheable", "beresp.do_gzip", "beresp.do_gunzip",
                   "beresp.do_esi")


@dataclass(slots=True)
class Start:
    """The request and the variables at the start of a transaction. ``numbers`` are variables of the
    harness."""

    method: bytes
    url: bytes
    headers: list[tuple[Msg, bytes, bytes]]
    client: tuple[bytes, bytes]                 # text, address
    restarts: int = 0
    retries: int = 0
    flags: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FLAGS, 0))

    @property
    def numbers(self) -> dict[str, float]:
        return TIMEOUTS | {"req.restarts": self.restarts, "bereq.retries": self.retries} | self.flags

    def begin(self, harness: Harness) -> None:
        harness.begin(self.method, self.url, self.headers, self.client[0])
        for name, value in self.numbers.items():
            harness.set_number(name, value)


def random_flags(rng: random.Random) -> dict[str, int]:
    flags = {name: rng.randrange(2) for name in FLAGS}
    for side in ("req", "bereq"):
        flags[f"{side}.is_hitpass"] &= 1 - flags[f"{side}.is_hitmiss"]
    return flags


def random_start(rng: random.Random) -> Start:
    names = [*(name.encode() for name in FIELD_NAMES), b"X-FOO", b"other"]
    method, url = rng.choice(METHODS), rng.choice(URLS)
    headers = [(rng.choice(list(Msg)), rng.choice(names), rng.choice(VALUES)) for _ in range(rng.randrange(9))]
    return Start(method, url, headers, rng.choice(CLIENTS), rng.randrange(3), rng.randrange(3), random_flags(rng))


class Behind:
    """The runtime behind the interpreter. It is a copy of the library, so it shares no state with the runtime
    of compiled code."""

    def __init__(self, folder: Path) -> None:
        copy = folder / "behind.so"
        shutil.copyfile(library_path(), copy)
        self.harness = Harness(runtime_library(copy))
        self.functions = Functions(self.harness.lib)

    def close(self) -> None:
        self.harness.close()


def world_of(module: ir.Module, start: Start, behind: Behind) -> RuntimeWorld:
    variables: dict[str, Value] = INITIAL | {name.replace(".", "_"): value for name, value in start.numbers.items()}
    variables |= {name.replace(".", "_"): bool(start.numbers[name]) for name in FLAGS}
    variables |= {"req_url": start.url, "req_method": start.method, "req_top_url": start.url, "req_top_method": start.method,
                  "bereq_url": start.url, "bereq_method": start.method, "client_ip": Ip(start.client[1])}
    start.begin(behind.harness)
    world = RuntimeWorld(variables=variables, now=NOW, module=module, harness=behind.harness, functions=behind.functions, known=MODELLED)
    for name in ("req_backend_hint", "bereq_backend"):
        variables[name] = reference(module, world, Type.BACKEND, module.default_backend)
    for msg, name, value in start.headers:
        world.messages[msg].fields.append((name, value))
    return world


def run_interpreted(world: RuntimeWorld, hook: str) -> Outcome:
    world.enter(hook)
    outcome = run_hook(world.module, hook, world)
    world.leave()
    return outcome


def interpreted(module: ir.Module, hook: str, start: Start, behind: Behind) -> dict[str, object]:
    world = world_of(module, start, behind)
    outcome = run_interpreted(world, hook)
    found: dict[str, object] = {"action": outcome.action, "site": outcome.site, "failed": outcome.why is not None}
    found["rules"] = [world.rule_hits[i] for i in range(len(module.rules))]
    found["counts"] = {key: count for (_, key), count in world.counts.items()}
    for name in TEXTS:
        value = world.variables.get(name.replace(".", "_"))
        found[name] = value.what if isinstance(value, Reference) else b"none" if value is None and name.startswith(BACKENDS) else value
    for name in NUMBERS:
        found[name] = float(world.variables.get(name.replace(".", "_")) or 0)     # type: ignore[arg-type]
    found |= {msg.name: world.messages[msg].fields for msg in Msg}
    found |= runtime_state(behind.harness)
    if outcome.why is None:
        found["ret"] = (float(world.ret.status), world.ret.text, world.ret.seconds)
    found["world against runtime"] = world.disagreements
    return found


def runtime_state(harness: Harness) -> dict[str, object]:
    return {name: harness.text(name) for name in RUNTIME_TEXTS} | {name: harness.number(name) for name in RUNTIME_NUMBERS}


def native(harness: Harness, hook: str, start: Start) -> dict[str, object]:
    start.begin(harness)
    rules_before, counts_before = harness.rule_hits(), harness.counts()
    action = harness.run(hook)
    failed = harness.number("failed") != 0
    result: dict[str, object] = {"action": action, "site": int(harness.number("site")), "failed": failed}
    result["rules"] = [hits - before for hits, before in zip(harness.rule_hits(), rules_before, strict=True)]
    result["counts"] = {key: count - counts_before.get(key, 0) for key, count in harness.counts().items() if count != counts_before.get(key, 0)}
    result |= {name: harness.text(name) for name in TEXTS} | {name: harness.number(name) for name in NUMBERS}
    result |= {msg.name: harness.headers(msg) for msg in Msg}
    result |= runtime_state(harness)
    if not failed:
        result["ret"] = (harness.number("ret.status"), harness.text("ret.text"), harness.number("ret.seconds"))
    result["world against runtime"] = []
    return result
