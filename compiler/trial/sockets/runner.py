"""Runs a suite over sockets: each job has a daemon, and each case a worker process of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

from vernis.pipeline import PARSE, Compilation, Options, run_stages
from vernis.syntax import nodes
from vernis.syntax.walk import nodes_in
from vernis.trial.cases import Case, names_in
from vernis.trial.properties import Drawing
from vernis.trial.sockets.daemon import DaemonHost, Setup
from vernis.trial.sockets.relocate import modules_of
from vernis.trial.suite import Image, Suite, SuiteTrouble, Verdict, Work, compile_policy, run_case
from vernis.trial.world import WorldError

CASES_OF_A_DAEMON = 8  # a daemon takes a second to start: fewer cases do not pay for another one
_UNFIT_MODULES = {"dynamic": "the policy looks up origins by name (import dynamic)"}
_UNFIT_FACTS = {"errors": "failures of real connections have other words (errors)"}
_UNFIT_ARGUMENTS = {
    "protocol": "the client on sockets speaks HTTP/1.1 (protocol)",
    "tls": "the client on sockets has no TLS (tls)",
}


def run_over_sockets(
    suite: Suite,
    cases: Sequence[Case],
    options: Options,
    setup: Setup,
    jobs: int,
    drawing: Drawing,
    on_done: Callable[[int], None] = lambda number: None,
) -> list[Verdict]:
    """Verdicts in the order of the file. A case that cannot run over sockets is skipped. ``on_done`` is told
    how many more tests are done. SuiteTrouble: the policy does not compile, or no daemon starts."""
    with tempfile.TemporaryDirectory(prefix="vernis-test-") as folder:
        compile_policy(suite, Path(folder), options)  # for its errors, with places in the author's files
    run = run_stages(Compilation(suite.policy.stem, str(suite.policy), options=options), PARSE)
    assert run.program is not None
    reasons = [_unfit(run.program, case) for case in cases]
    n_daemons = max(1, min(jobs, sum(not reason for reason in reasons) // CASES_OF_A_DAEMON))
    hosts: SimpleQueue[DaemonHost] = SimpleQueue()

    def run_one(case: Case, reason: str) -> Verdict:
        if reason:
            return Verdict(case.name, 0.0, None, skipped=reason)
        host = hosts.get()
        try:
            return run_case(Work(suite, Image(suite.policy, host.place_of), drawing), case, host)
        finally:
            hosts.put(host)

    with ExitStack() as stack, ThreadPoolExecutor(n_daemons) as pool:
        if not all(reasons):
            for host in _started(run.program, setup, n_daemons, stack):
                hosts.put(host)
        verdicts: list[Verdict] = []
        for verdict in pool.map(run_one, cases, reasons):
            verdicts.append(verdict)
            on_done(1)
        return verdicts


def _started(program: nodes.Program, setup: Setup, n: int, stack: ExitStack) -> list[DaemonHost]:
    try:
        hosts = []
        for _ in range(n):
            hosts.append(DaemonHost(program, setup))
            stack.callback(hosts[-1].close)
        return hosts
    except (WorldError, OSError) as error:
        raise SuiteTrouble(str(error)) from None


def _unfit(program: nodes.Program, case: Case) -> str:
    """Why a case cannot run over sockets; empty: it can."""
    if case.unit is not None:
        return "it calls a sub of the policy, without a request (call)"
    for module in modules_of(program):
        if module in _UNFIT_MODULES:
            return _UNFIT_MODULES[module]
    for name in names_in(case.steps):
        if name.text.lower() in _UNFIT_FACTS:
            return _UNFIT_FACTS[name.text.lower()]
    for one in nodes_in(case.steps):
        if isinstance(one, nodes.Argument) and one.name in _UNFIT_ARGUMENTS:
            return _UNFIT_ARGUMENTS[one.name]
    return ""
