"""Explains an inquiry: plays it, judges its last request, and looks for changes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from vernis.record import record
from vernis.trial.world import Host
from vernis.why.changes import Change, Search
from vernis.why.inquiry import Inquiry
from vernis.why.observed import Observed
from vernis.why.play import Played, Policy, compiled, play
from vernis.why.reasons import Case, Verdict, judge
from vernis.why.reproduce import Served, reproduce
from vernis.why.story import Teller


@record(frozen=True)
class Explanation:
    """``history`` has each request of the inquiry; the verdict is about the last. ``served``: what a daemon
    did with it; None without one."""

    inquiry: Inquiry
    teller: Teller
    history: list[Played]
    verdict: Verdict
    changes: list[Change]
    served: Served | None = None

    @property
    def played(self) -> Played:
        return self.history[-1]


def explain(
    host: Host, inquiry: Inquiry, with_changes: bool = True, seen: Observed | None = None
) -> Explanation:
    """``seen``: a request of a daemon, in place of those of the inquiry. A play that did not reproduce it has
    no changes. PolicyTrouble, UnreadableSource, WorldError: the inquiry cannot be played."""
    with tempfile.TemporaryDirectory(prefix="vernis-why-") as name:
        folder = Path(name)
        policy: Policy = compiled(inquiry, folder / "policy.so")
        served = None
        if seen is None:
            history = play(host, policy, inquiry)
        else:
            inquiry, history, served = reproduce(host, policy, seen, inquiry)
        verdict = judge(Case(history, policy.teller))
        with_changes = with_changes and (served is None or served.is_reproduced)
        changes = Search(host, inquiry, policy, verdict, folder).run() if with_changes else []
        return Explanation(inquiry, policy.teller, history, verdict, changes, served)
