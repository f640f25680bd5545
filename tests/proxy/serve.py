"""Serves a policy during a ``with`` block, with the binary of ``VERNISD``, or with the one built with
sanitizers if it exists: their findings fail the test."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon

ABI = ROOT / "build" / "gen" / "abi_digest.h"
SANITIZED = ROOT / "build" / "asan" / "vernisd"
SANITIZER_ENV = {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1", "VERNIS_COMPILER": str(ROOT / "build" / "bin" / "vernis")}


@contextmanager
def serving(policy: str, args: Sequence[str] = (), *, sanitized: bool = True, keeps_worker: bool = True) -> Iterator[Daemon]:
    """Yields the daemon that serves ``policy``. Its worker must survive the block and report nothing.
    ``keeps_worker`` False: the block may stop and start it."""
    binary = SANITIZED if sanitized and SANITIZED.exists() else ROOT / "build" / "bin" / "vernisd"
    if binary == SANITIZED and SANITIZED.stat().st_mtime < ABI.stat().st_mtime:
        pytest.fail(f"{SANITIZED.relative_to(ROOT)} loads policies of an older ABI: make {SANITIZED.relative_to(ROOT)}")
    with tempfile.TemporaryDirectory(prefix="vernis-test-") as directory:
        with Daemon(Path(directory), policy, args, env=SANITIZER_ENV, binary=Path(os.environ.get("VERNISD", binary))) as d:
            worker = d.worker_pid
            yield d
            assert not keeps_worker or d.worker_pid == worker, f"the worker died\n{d.logs}"
        logs = d.logs
        assert "AddressSanitizer" not in logs and "runtime error" not in logs and "Broken invariant" not in logs, logs


@contextmanager
def serve(policy: str, args: Sequence[str] = ()) -> Iterator[int]:
    """Yields the port on which ``policy`` is served."""
    with serving(policy, args) as d:
        yield d.port
