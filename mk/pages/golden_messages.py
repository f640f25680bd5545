"""tests/data/common_messages.txt: what Vernis prints for the mistakes of docs/messages.md."""

from __future__ import annotations

from pages import ROOT
from pages.messages import heading, mistakes, ours

PAGE = ROOT / "tests/data/common_messages.txt"


def page() -> str:
    return "\n".join(f"=== {heading(mistake)}\n{ours(mistake.policy)}\n" for mistake in mistakes())
