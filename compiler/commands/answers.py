"""Prints an answer of the daemon."""

from __future__ import annotations

import sys

from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED
from vernis.service.client import STATUS_TRUNCATED, Answer
from vernis.shown import visible_bytes


def print_answer(answer: Answer) -> int:
    """Prints an answer to stdout, or a refusal to stderr. Returns the exit code."""
    stream = sys.stdout if answer.ok else sys.stderr
    if answer.body:
        stream.flush()  # keep the order: the next write bypasses the stream's encoder
        body = answer.body.encode("utf-8", "surrogateescape") + (b"" if answer.body.endswith("\n") else b"\n")
        stream.buffer.write(visible_bytes(body) if stream.isatty() else body)
        stream.flush()
    if answer.status == STATUS_TRUNCATED:
        print("[the daemon truncated this answer; raise its parameter cli_limit]", file=sys.stderr)
    if answer.ok:
        return EXIT_OK
    if not answer.body.strip():
        print(f"the daemon refused (status {answer.status})", file=sys.stderr)
    return EXIT_REFUSED
