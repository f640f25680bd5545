"""One transaction of a policy twice, in the interpreter and as native code in libvernisrt: what each made of it, in the same words."""

from __future__ import annotations

import random
from dataclasses import dataclass

from harness import Harness
from random_language import FIELD_NAMES
from vernis.ir import ir
from vernis.ir.interpret import reference, run_hook
from vernis.ir.ir import Msg, Type
from vernis.ir.world import Message, World
from vernis.ir.world_values import Ip, Reference, Value

NOW = 1e9
CLIENTS = [(b"10.9.9.9", b"\x0a\x09\x09\x09"), (b"10.1.1.1", b"\x0a\x01\x01\x01"), (b"10.1.2.3", b"\x0a\x01\x02\x03"),
           (b"192.0.2.1", b"\xc0\x00\x02\x01"), (b"::1", bytes(15) + b"\x01")]
METHODS = [b"GET", b"POST", b"PURGE"]
URLS = [b"/", b"/a", b"/admin", b"/foo/a.png?b=1", b"/%20"]
VALUES = [b"", b"a", b"foo=1; bar=2", b"ABC", b"/a", b"A.png", b"oo\xe4", b"b" * 40]

#: Variables as the harness starts a transaction; those of the request come from :class:`Start`.
INITIAL: dict[str, Value] = {
    "server_hostname": b"host.test", "server_identity": b"harness", "local_endpoint": b"127.0.0.1:8080", "local_socket": b"a0",
    "req_xid": b"1001", "bereq_xid": b"1002", "sess_xid": b"1000", "req_transport": b"http/1", "req_esi": True,
    "req_grace": -1.0, "req_ttl": -1.0, "beresp_ttl": 120.0, "beresp_grace": 10.0, "beresp_keep": 0.0,
    "beresp_do_stream": True, "beresp_status": 200, "resp_status": 200, "obj_status": 200, "beresp_reason": b"OK", "resp_reason": b"OK",
    "obj_reason": b"OK"} | {name: Ip(b"\x7f\0\0\1") for name in ("server_ip", "local_ip", "remote_ip")} | {
    name: b"HTTP/1.1" for name in ("req_proto", "req_top_proto", "bereq_proto", "beresp_proto", "resp_proto", "obj_proto")} | {
    name: NOW for name in ("now", "req_time", "req_top_time", "bereq_time", "beresp_time", "resp_time")}

TEXTS = ("req.url", "req.method", "req.proto", "bereq.url", "bereq.method", "bereq.proto", "beresp.proto", "beresp.reason", "resp.proto",
         "resp.reason", "req.backend_hint", "bereq.backend")
NUMBERS = ("req.grace", "req.ttl", "req.esi", "req.hash_always_miss", "req.hash_ignore_busy", "req.hash_ignore_vary", "resp.status",
           "beresp.status", "beresp.ttl", "beresp.grace", "beresp.keep", "beresp.uncacheable", "beresp.do_gzip", "beresp.do_gunzip",
           "beresp.do_esi", "beresp.do_stream", "sess.timeout_idle", "sess.timeout_linger", "sess.idle_send_timeout", "sess.send_timeout",
           "bereq.connect_timeout", "bereq.first_byte_timeout", "bereq.between_bytes_timeout")
TIMEOUTS = {name: 0.25 + number for number, name in enumerate(name for name in NUMBERS if "timeout" in name)}     # else parameters count


@dataclass(slots=True)
class Start:
    """What one transaction begins with."""

    method: bytes
    url: bytes
    headers: list[tuple[Msg, bytes, bytes]]
    client: tuple[bytes, bytes]                 # text, address
    restarts: int = 0
    retries: int = 0


def random_start(rng: random.Random) -> Start:
    names = [*(name.encode() for name in FIELD_NAMES), b"X-FOO", b"other"]
    method, url = rng.choice(METHODS), rng.choice(URLS)
    headers = [(rng.choice(list(Msg)), rng.choice(names), rng.choice(VALUES)) for _ in range(rng.randrange(9))]
    return Start(method, url, headers, rng.choice(CLIENTS), rng.randrange(3), rng.randrange(3))


def world_of(module: ir.Module, start: Start) -> World:
    variables = INITIAL | {name.replace(".", "_"): seconds for name, seconds in TIMEOUTS.items()} | {
        "req_url": start.url, "req_method": start.method, "req_top_url": start.url, "req_top_method": start.method, "bereq_url": start.url,
        "bereq_method": start.method, "req_restarts": start.restarts, "bereq_retries": start.retries, "client_ip": Ip(start.client[1])}
    world = World(variables=variables, messages={msg: Message() for msg in Msg}, now=NOW)
    for name in ("req_backend_hint", "bereq_backend"):
        variables[name] = reference(module, world, Type.BACKEND, module.default_backend)
    for msg, name, value in start.headers:
        world.messages[msg].fields.append((name, value))
    return world


def interpreted(module: ir.Module, hook: str, start: Start) -> dict[str, object]:
    world = world_of(module, start)
    outcome = run_hook(module, hook, world)
    found: dict[str, object] = {"action": outcome.action, "site": outcome.site, "failed": outcome.why is not None}
    for name in TEXTS:
        value = world.variables.get(name.replace(".", "_"))
        found[name] = value.what if isinstance(value, Reference) else value
    for name in NUMBERS:
        found[name] = float(world.variables.get(name.replace(".", "_")) or 0)     # type: ignore[arg-type]
    found |= {msg.name: world.messages[msg].fields for msg in Msg}
    found["log"] = b"".join(line + b"\n" for line in world.log) or None
    found["synthetic"] = world.synthetic
    if outcome.why is None:
        found["ret"] = (float(world.ret.status), world.ret.text, world.ret.seconds)
    return found


def native(harness: Harness, hook: str, start: Start) -> dict[str, object]:
    harness.begin(start.method, start.url, start.headers, start.client[0])
    harness.set_number("req.restarts", start.restarts)
    harness.set_number("bereq.retries", start.retries)
    for name, seconds in TIMEOUTS.items():
        harness.set_number(name, seconds)
    action = harness.run(hook)
    failed = harness.number("failed") != 0
    result: dict[str, object] = {"action": action, "site": int(harness.number("site")), "failed": failed}
    result |= {name: harness.text(name) for name in TEXTS} | {name: harness.number(name) for name in NUMBERS}
    result |= {msg.name: harness.headers(msg) for msg in Msg}
    result["log"] = harness.text("log")
    result["synthetic"] = harness.text("beresp.body" if "backend" in hook else "synth") or b""
    if not failed:
        result["ret"] = (harness.number("ret.status"), harness.text("ret.text"), harness.number("ret.seconds"))
    return result
