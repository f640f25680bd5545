"""A hook of a random policy has the same result in the interpreter and as native code in libvernisrt.

VERNIS_DIFF_EXAMPLES sets the number of policies. Each runs several requests at both levels, and with
functions cut into chunks.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from both_ways import CLIENTS, METHODS, URLS, VALUES, Behind, Start, interpreted, native
from harness import Harness
from random_policies import HOOKS, NAMES, policies
from vernis.ir import budget, ir
from vernis.ir.ir import Msg
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from vernis.native import Options, compile_module
from vernis.pipeline import LOWER, Compilation, run_stages
from vernis.pipeline import Options as PipelineOptions

EXAMPLES = int(os.environ.get("VERNIS_DIFF_EXAMPLES", "40"))

requests = st.builds(
    Start, st.sampled_from(METHODS), st.sampled_from(URLS),
    st.lists(st.tuples(st.sampled_from([Msg.REQ, Msg.BEREQ, Msg.BERESP, Msg.RESP]),
                       st.sampled_from([*(name.encode() for name in NAMES), b"X-FOO", b"other"]), st.sampled_from(VALUES)), max_size=8),
    st.sampled_from(CLIENTS), st.integers(0, 2))


def lowered(text: str, path: Path) -> ir.Module:
    path.write_text(text)
    run = Compilation("random", str(path), options=PipelineOptions(err_unref=False))
    run_stages(run, LOWER)
    assert not run.failed and run.module is not None, [str(d) for d in run.diagnostics.items]
    check_module(run.module)
    return run.module


@pytest.mark.parametrize("level", [0, 2, "chunks"])
def test_policies_run_the_same_in_interpreter_and_runtime(level: int | str, harness: Harness, behind: Behind, tmp_path: Path) -> None:
    count = 0
    hooks_seen: set[str] = set()

    @settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate, Phase.shrink],
              suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large])
    @given(policy=policies(), found=st.lists(requests, min_size=3, max_size=3), choice=st.randoms(use_true_random=False))
    def agree(policy: tuple[str, str], found: list[Start], choice: Random) -> None:
        nonlocal count
        count += 1
        hook, text = policy
        hooks_seen.add(hook)
        module = lowered(text, tmp_path / "policy.vcl")
        out = tmp_path / f"{count}.so"
        passed = run_passes(module, after_each=check_module)
        options = Options(level=level if isinstance(level, int) else 0, verify=True)
        if level == "chunks":
            options = replace(options, chunk_ops=choice.choice([12, 600]))
        compile_module(passed, out, options)
        harness.load(out)
        behind.harness.load(out)
        for request in found:
            assert native(harness, hook, request) == interpreted(module, hook, request, behind)
        out.unlink()

    agree()
    assert hooks_seen == set(HOOKS)


def test_call_chains_end_with_the_budget(harness: Harness, behind: Behind, tmp_path: Path,
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "WORK_MAX", 20_000)
    calls = "".join(f"sub s{i} {{ call s{i + 1}; call s{i + 1}; }} " for i in range(30))
    module = lowered(f'''vcl 4.1; backend default none; {calls} sub s30 {{ set req.hash_ignore_busy = !req.hash_ignore_busy; }}
        sub vcl_recv {{ call s0; }}''', tmp_path / "chain.vcl")
    out = compile_module(run_passes(module, after_each=check_module), tmp_path / "chain.so", Options(level=0, verify=True)).path
    harness.load(out)
    behind.harness.load(out)
    request = Start(b"GET", b"/", [], CLIENTS[0], 0)
    found = native(harness, "vcl_recv", request)
    assert found == interpreted(module, "vcl_recv", request, behind)
    assert found["failed"] and module.sites[found["site"]].line == 1


def test_code_of_another_level_keeps_the_state(harness: Harness, tmp_path: Path) -> None:
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
