"""`vernis compile-server`: warms up (imports and runs all code that a compile needs), then runs the
server."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from vernis.commands.outcome import Trouble
from vernis.service import sandbox
from vernis.service.limits import Limits
from vernis.service.sandbox import SandboxError

USER_VARIABLE = "VERNIS_COMPILER_USER"


def compile_server(options: argparse.Namespace) -> int:
    from vernis.service import compiling, server

    user = os.environ.get(USER_VARIABLE)
    if user:
        try:
            server.become_user(user)
        except (KeyError, OSError) as error:
            raise Trouble(f"cannot become {user!r} ({USER_VARIABLE}): {error}") from None
    store = None if options.store is None else Path(options.store)
    try:
        return server.serve(
            compiling.compile_request,
            compiling.warm_up,
            _limits(options),
            store,
            compiling.rehearse,
            _confine(options),
        )
    except SandboxError as error:
        raise Trouble(
            f"cannot enter the sandbox: {error} (vernisd starts without it if -j has seccomp=off)"
        ) from None


def _confine(options: argparse.Namespace) -> Callable[[], None]:
    def confine() -> None:
        if options.no_cores:
            sandbox.no_cores()
        if options.filter_calls:
            sandbox.filter_calls()

    return confine


def _limits(options: argparse.Namespace) -> Limits:
    given = {"cpu_s": options.cpu_s, "wall_s": options.wall_s, "memory_bytes": options.memory_bytes}
    return replace(Limits(), **{name: value for name, value in given.items() if value is not None})
