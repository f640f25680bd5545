"""Explains an inquiry: plays it, judges its last request, and looks for changes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from vernis.record import record
from vernis.trial.world import Host
from vernis.why.changes import Change, Search
from vernis.why.inquiry import Inquiry
from vernis.why.play import Played, Policy, compiled, play
from vernis.why.reasons import Case, Verdict, judge
from vernis.why.story import Teller


@record(frozen=True)
class Explanation:
    """``history`` has each request of the inquiry; the verdict is about the last."""

    inquiry: Inquiry
    teller: Teller
    history: list[Played]
    verdict: Verdict
    changes: list[Change]

    @property
    def played(self) -> Played:
        return self.history[-1]


def explain(host: Host, inquiry: Inquiry, with_changes: bool = True) -> Explanation:
    """PolicyTrouble, UnreadableSource, WorldError: the inquiry cannot be played."""
    with tempfile.TemporaryDirectory(prefix="vernis-why-") as name:
        folder = Path(name)
        policy: Policy = compiled(inquiry, folder / "policy.so")
        history = play(host, policy, inquiry.exchanges)
        verdict = judge(Case(history, policy.teller))
        changes = Search(host, inquiry, policy, verdict, folder).run() if with_changes else []
        return Explanation(inquiry, policy.teller, history, verdict, changes)
