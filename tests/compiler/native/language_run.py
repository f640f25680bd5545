"""Runs random policies of the whole language in the interpreter and as native code, and counts what they held.

    python tests/compiler/native/language_run.py [--policies N] [--seed N] [--level 0|2] [--keep DIR]

Prints differences (a file each in --keep), and everything of the language that fewer than 50 of the policies had, with the
reason where it is left out on purpose. The exit code is 1 if anything differed or a policy was refused.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

if __name__ == "__main__":
    _ROOT = Path(__file__).resolve().parents[3]
    sys.path[:0] = [str(_ROOT / "build/py"), str(_ROOT / "tests"), str(Path(__file__).parent)]

from harness import Harness, runtime_library  # noqa: E402
from language_coverage import MINIMUM, count_grammar, count_policy, wanted  # noqa: E402
from random_language import FIELD_NAMES, NOT_GENERATED, random_policy  # noqa: E402
from vernis.ir import ir  # noqa: E402
from vernis.ir.interpret import reference, run_hook  # noqa: E402
from vernis.ir.ir import Msg, Type  # noqa: E402
from vernis.ir.passes import run_passes  # noqa: E402
from vernis.ir.verify import check_module  # noqa: E402
from vernis.ir.world import Message, World  # noqa: E402
from vernis.ir.world_values import Ip, Reference, Value  # noqa: E402
from vernis.native import Options, compile_module  # noqa: E402
from vernis.pipeline import LOWER, Compilation, run_stages  # noqa: E402
from vernis.pipeline import Options as PipelineOptions  # noqa: E402

NOW = 1e9
CLIENTS = [(b"10.9.9.9", b"\x0a\x09\x09\x09"), (b"10.1.1.1", b"\x0a\x01\x01\x01"), (b"10.1.2.3", b"\x0a\x01\x02\x03"),
           (b"192.0.2.1", b"\xc0\x00\x02\x01"), (b"::1", bytes(15) + b"\x01")]
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


class Start:
    """What one transaction begins with."""

    def __init__(self, rng: random.Random) -> None:
        self.method, self.url = rng.choice([b"GET", b"POST", b"PURGE"]), rng.choice([b"/", b"/a", b"/admin", b"/foo/a.png?b=1", b"/%20"])
        names = [n.encode() for n in FIELD_NAMES] + [b"X-FOO", b"other"]
        self.headers = [(rng.choice(list(Msg)), rng.choice(names), rng.choice(VALUES)) for _ in range(rng.randrange(9))]
        self.client = rng.choice(CLIENTS)
        self.restarts, self.retries = rng.randrange(3), rng.randrange(3)


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


class Runner:
    def __init__(self, folder: Path) -> None:
        self.harness, self.folder, self.n = Harness(runtime_library()), folder, 0
        self.counts: Counter[str] = Counter()
        self.refused: list[str] = []

    def lowered(self, text: str, hook: str) -> ir.Module | None:
        run = Compilation("random", "random.vcl", text=text.encode(), options=PipelineOptions(err_unref=False))
        run_stages(run, LOWER)
        if run.failed or run.module is None or run.checked is None:
            first = run.diagnostics.items[0]
            text = f"{text[first.span.start - 30:first.span.end + 10]!r}\n{text}"
            self.refused.append(f"{first.code} {first.message}: {text}")
            return None
        own = Compilation("random", "random.vcl", text=text.encode(), options=PipelineOptions(err_unref=False, builtin=False))
        run_stages(own, LOWER)
        if own.checked is not None:
            self.counts += count_policy(own.checked, hook)
        self.counts += count_grammar(text)
        check_module(run.module)
        return run.module

    def difference(self, text: str, hook: str, starts: list[Start], level: int) -> dict[str, tuple[object, object]]:
        """What native code and the interpreter do not agree on: name to (native, interpreted)."""
        module = self.lowered(text, hook)
        if module is None:
            return {}
        self.n += 1
        out = self.folder / f"{self.n}.so"
        compile_module(run_passes(module, after_each=check_module), out, Options(level=level, verify=True))
        self.harness.load(out)
        out.unlink()
        for start in starts:
            left, right = native(self.harness, hook, start), interpreted(module, hook, start)
            if left != right:
                return {name: (left.get(name), right.get(name)) for name in left | right if left.get(name) != right.get(name)}
        return {}


def report(runner: Runner) -> None:
    missing = [name for name in wanted() if runner.counts[name] < MINIMUM]
    print(f"{len(wanted()) - len(missing)} of {len(wanted())} things occur in at least {MINIMUM} policies; fewer:")
    for name in missing:
        parts = name.split()
        reason = NOT_GENERATED.get(name) or (NOT_GENERATED.get(parts[1]) if len(parts) > 1 else None)
        print(f"  {runner.counts[name]:5} {name}" + (f"   (not generated: {reason})" if reason else ""))


def main() -> int:
    parser = argparse.ArgumentParser(description="Random policies of the whole language, interpreter against native code.")
    parser.add_argument("--policies", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", type=int, default=0, choices=(0, 2))
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "vernis-differences")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this long")
    options = parser.parse_args()
    differ, began = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder))
        for number in range(options.policies):
            if time.monotonic() - began > options.seconds:
                break
            rng = random.Random(options.seed << 32 | number)
            hook, _, text = random_policy(rng)
            found = runner.difference(text, hook, [Start(rng) for _ in range(3)], options.level)
            if found:
                differ += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}.vcl").write_text(text + "".join(f"\n# {n}: native {a!r}, interpreted {b!r}" for n, (a, b) in found.items()))
                print(f"policy {number} ({hook}): " + "; ".join(f"{n}: native {a!r}, interpreted {b!r}" for n, (a, b) in found.items())[:600])
        for text in runner.refused[:10]:
            print("refused:", text.splitlines()[0][:300])
        report(runner)
        print(f"{runner.n} policies in {time.monotonic() - began:.0f} s, {differ} differ, {len(runner.refused)} refused by the compiler")
    return 1 if differ or runner.refused else 0


if __name__ == "__main__":
    sys.exit(main())
