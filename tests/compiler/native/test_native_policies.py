"""Random policies, from text to the real runtime: a hook does the same in the interpreter and as native code in libvernisrt.

VERNIS_DIFF_EXAMPLES sets how many; each has several requests and both levels."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from harness import Harness, exports, runtime_library
from random_policies import HOOKS, NAMES, policies
from vernis.ir import ir
from vernis.ir.interpret import reference, run_hook
from vernis.ir.ir import Msg, Type
from vernis.ir.passes import run_passes
from vernis.ir.verify import check_module
from vernis.ir.world import Message, World
from vernis.ir.world_values import Ip, Reference, Value
from vernis.native import Options, abi, compile_module
from vernis.pipeline import LOWER, Compilation, run_stages
from vernis.pipeline import Options as PipelineOptions

EXAMPLES = int(os.environ.get("VERNIS_DIFF_EXAMPLES", "40"))

TEXTS = ("req.url", "req.method", "bereq.url", "bereq.method", "req.backend_hint", "bereq.backend")
NUMBERS = ("req.grace", "req.ttl", "req.hash_always_miss", "req.hash_ignore_busy", "req.hash_ignore_vary", "resp.status", "beresp.status",
           "beresp.ttl", "beresp.grace", "beresp.keep", "beresp.uncacheable", "beresp.do_gzip", "beresp.do_stream")


@dataclass(slots=True)
class Request:
    method: bytes
    url: bytes
    headers: list[tuple[Msg, bytes, bytes]]
    client: tuple[bytes, bytes]                 # text, address
    restarts: int


CLIENTS = [(b"10.9.9.9", b"\x0a\x09\x09\x09"), (b"10.1.1.1", b"\x0a\x01\x01\x01"), (b"10.1.2.3", b"\x0a\x01\x02\x03"),
           (b"192.0.2.1", b"\xc0\x00\x02\x01"), (b"::1", bytes(15) + b"\x01")]
values = st.sampled_from([b"", b"a", b"foo=1; bar=2", b"ABC", b"/a", b"A.png", b"oo\xe4", b"b" * 40])
requests = st.builds(
    Request, st.sampled_from([b"GET", b"POST", b"PURGE"]), st.sampled_from([b"/", b"/a", b"/admin", b"/foo/a.png?b=1", b"/%20"]),
    st.lists(st.tuples(st.sampled_from([Msg.REQ, Msg.BEREQ, Msg.BERESP, Msg.RESP]), st.sampled_from([n.encode() for n in NAMES] + [b"X-FOO", b"other"]),
                       values), max_size=8),
    st.sampled_from(CLIENTS), st.integers(0, 2))


def lowered(text: str, path: Path) -> ir.Module:
    path.write_text(text)
    run = Compilation("random", str(path), options=PipelineOptions(err_unref=False))
    run_stages(run, LOWER)
    assert not run.failed and run.module is not None, [str(d) for d in run.diagnostics.items]
    check_module(run.module)
    return run.module


def world_of(module: ir.Module, request: Request) -> World:
    """As the harness starts a transaction."""
    variables: dict[str, Value] = {
        "req_proto": b"HTTP/1.1", "server_ip": Ip(b"\x7f\0\0\1"), "req_url": request.url, "req_method": request.method, "bereq_url": request.url, "bereq_method": request.method,
        "req_restarts": request.restarts, "req_grace": -1.0, "req_ttl": -1.0, "beresp_ttl": 120.0, "beresp_grace": 10.0,
        "beresp_do_stream": True, "beresp_status": 200, "resp_status": 200, "now": 1e9, "client_ip": Ip(request.client[1])}
    world = World(variables=variables, messages={msg: Message() for msg in Msg})
    for name in ("req_backend_hint", "bereq_backend"):
        variables[name] = reference(module, world, Type.BACKEND, module.default_backend)
    for msg, name, value in request.headers:
        world.messages[msg].fields.append((name, value))
    return world


def interpreted(module: ir.Module, hook: str, request: Request) -> dict[str, object]:
    world = world_of(module, request)
    outcome = run_hook(module, hook, world)
    found: dict[str, object] = {"action": outcome.action, "site": outcome.site, "failed": outcome.why is not None}
    for name in TEXTS:
        value = world.variables.get(name.replace(".", "_"))
        found[name] = value.what if isinstance(value, Reference) else value
    for name in NUMBERS:
        found[name] = float(world.variables.get(name.replace(".", "_")) or 0)     # type: ignore[arg-type]
    found |= {msg.name: world.messages[msg].fields for msg in Msg}
    found["log"] = b"".join(line + b"\n" for line in world.log) or None
    if outcome.why is None:
        found["ret"] = (float(world.ret.status), world.ret.text, world.ret.seconds)
    return found


def native(harness: Harness, hook: str, request: Request) -> dict[str, object]:
    harness.begin(request.method, request.url, request.headers, request.client[0])
    harness.set_number("req.restarts", request.restarts)
    action = harness.run(hook)
    failed = harness.number("failed") != 0
    found: dict[str, object] = {"action": action, "site": int(harness.number("site")), "failed": failed}
    found |= {name: harness.text(name) for name in TEXTS} | {name: harness.number(name) for name in NUMBERS}
    found |= {msg.name: harness.headers(msg) for msg in Msg}
    found["log"] = harness.text("log")
    if not failed:
        found["ret"] = (harness.number("ret.status"), harness.text("ret.text"), harness.number("ret.seconds"))
    return found


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    return runtime_library()


@pytest.fixture
def harness(library: ctypes.CDLL) -> Iterator[Harness]:
    made = Harness(library)
    yield made
    made.close()


@pytest.mark.parametrize("level", [0, 2])
def test_policies_run_the_same_in_interpreter_and_runtime(level: int, harness: Harness, tmp_path: Path) -> None:
    count = 0
    hooks_seen: set[str] = set()

    @settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate, Phase.shrink],
              suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large])
    @given(policy=policies(), found=st.lists(requests, min_size=3, max_size=3))
    def agree(policy: tuple[str, str], found: list[Request]) -> None:
        nonlocal count
        count += 1
        hook, text = policy
        hooks_seen.add(hook)
        module = lowered(text, tmp_path / "policy.vcl")
        out = tmp_path / f"{count}.so"
        compile_module(run_passes(module, after_each=check_module), out, Options(level=level, verify=True))
        harness.load(out)
        for request in found:
            assert native(harness, hook, request) == interpreted(module, hook, request)
        out.unlink()

    agree()
    assert hooks_seen == set(HOOKS)


def test_code_of_another_level_takes_over_the_same_state(harness: Harness, tmp_path: Path) -> None:
    text = """vcl 4.1;
import directors;
backend a { .host = "127.0.0.1"; .port = "1"; }
backend b { .host = "127.0.0.1"; .port = "2"; }
backend c { .host = "127.0.0.1"; .port = "3"; }
sub vcl_init { new turn = directors.round_robin(); turn.add_backend(a); turn.add_backend(b); turn.add_backend(c); }
sub vcl_recv { set req.http.chosen = turn.backend().resolve(); return (hash); }
"""
    module = run_passes(lowered(text, tmp_path / "turn.vcl"))
    images = [compile_module(module, tmp_path / f"l{level}.so", Options(level=level)).path for level in (0, 2)]

    def chosen() -> bytes:
        harness.begin(b"GET", b"/", [], b"10.0.0.1")
        harness.run("vcl_recv")
        return dict(harness.headers(Msg.REQ))[b"chosen"]

    harness.load(images[0])
    first = [chosen(), chosen()]
    harness.load(images[1], replace=True)
    assert sorted([*first, chosen()]) == [b"a", b"b", b"c"]
    assert chosen() == first[0]


def test_runtime_has_what_compiled_code_asks_for(library: ctypes.CDLL) -> None:
    offered = exports(library)
    wanted = {extern.symbol: abi.signature_text(extern).partition(":")[2] for extern in abi.CORE.values()}
    wanted[abi.CONCAT.symbol] = abi.CONCAT.signature.partition(":")[2]
    assert {name: offered.get(name) for name in wanted} == wanted
