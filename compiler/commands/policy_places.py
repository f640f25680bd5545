"""Translates the positions in VCL_trace records to file and line, if the daemon still has the policy."""

from __future__ import annotations

import argparse
import re

from vernis.commands.outcome import Trouble
from vernis.observe.screen import Locate, plain_place

_ASK_S = 2.0


def locator(options: argparse.Namespace) -> Locate:
    if options.read is not None:
        return plain_place
    known: dict[str, dict[str, str]] = {}

    def locate(policy: str, point: str) -> str:
        if policy not in known:
            known[policy] = _sources(options, policy)
        source, _, place = point.partition(".")
        line, _, position = place.partition(".")
        name = known[policy].get(source)
        return plain_place(policy, point) if name is None else f"{name}:{line}:{position}"

    return locate


def _sources(options: argparse.Namespace, policy: str) -> dict[str, str]:
    """Number of a source -> its file. Empty if the daemon does not answer."""
    from vernis.commands.admin import connect_anyhow
    from vernis.commands.places import daemon_workdir
    from vernis.service.client import DaemonError

    try:
        with connect_anyhow(daemon_workdir(options.workdir), _ASK_S) as client:
            answer = client.command("vcl.show", "-v", policy)
    except (DaemonError, Trouble):
        return {}
    return dict(_parts(answer.body)) if answer.ok else {}


def _parts(text: str) -> list[tuple[str, str]]:
    """Splits the answer by the lengths in its headings, because a source may contain a line like a
    heading."""
    found = []
    data = text.encode("utf-8", "surrogateescape")
    at = 0
    while match := re.compile(rb"// VCL\.SHOW (\d+) (\d+) ([^\n]*)\n").search(data, at):
        found.append((match[1].decode(), match[3].decode("utf-8", "replace")))
        at = match.end() + int(match[2])
    return found
