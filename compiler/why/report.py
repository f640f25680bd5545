"""The explanation as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vernis.observe.reason_texts import REASONS
from vernis.observe.storing import storing
from vernis.why.explain import Explanation
from vernis.why.freshness import lifetime_of, now_line
from vernis.why.inquiry import DEFAULT_HOST, Sent, value_of
from vernis.why.play import Played
from vernis.why.reasons import Case, judge
from vernis.why.reproduce import Served
from vernis.why.story import HookRun, Statement, Story

_TRUTH = {"true": "is true", "false": "is false"}


def headline(explanation: Explanation) -> str:
    """GET http://example.com/a: pass"""
    verdict = explanation.verdict
    after = f", after {verdict.restarts} restart{'s'[: verdict.restarts > 1]}" if verdict.restarts else ""
    return f"{request_line(explanation.inquiry.sent)}: {verdict.decision}{after}"


def request_line(sent: Sent) -> str:
    return f"{sent.method} http://{value_of(sent.fields, 'Host') or DEFAULT_HOST}{sent.url}"


def decided_at(explanation: Explanation) -> list[str]:
    """The statement that ended the last hook but those of delivery, and those behind the reason."""
    teller = explanation.teller
    places = [one.place for one in explanation.verdict.deciders]
    return [f"{teller.name_of(place)}  {teller.line_of(place)}" for place in dict.fromkeys(places)]


def failed(explanation: Explanation) -> list[str]:
    """A line about the fetch, if it failed and the verdict is about something else."""
    failure = Case(explanation.history, explanation.teller).failure_of(explanation.played)
    told = REASONS["fetch-failed"].format(about=failure)
    is_said = not failure or explanation.verdict.reason == "fetch-failed"
    return [] if is_said else [f"status {explanation.played.response.status}: {told}"]


def before(explanation: Explanation) -> list[str]:
    """A line for each earlier request: when, which, and its decision."""
    found = []
    for n in range(1, len(explanation.history)):
        played = explanation.history[n - 1]
        verdict = judge(Case(explanation.history[:n], explanation.teller))
        found.append(
            f"{played.at_s:g} s  {request_line(played.sent)}: {verdict.decision}, {verdict.sentence}"
        )
    return found


def stored(explanation: Explanation) -> list[str]:
    """A line for each response or marker that an earlier request stored."""
    found = []
    for played in explanation.history[:-1]:
        for fetch in played.fetches:
            lifetime, kept = lifetime_of(fetch, explanation.teller), storing(fetch.logged())
            if lifetime is not None and kept is not None and (kept.marker or not kept.reason):
                since = explanation.played.at_s - played.at_s
                what = "a marker: not shared" if kept.marker else "a response"
                vary = "; ".join(
                    one for one in fetch.texts("BerespHeader") if one.lower().startswith("vary:")
                )
                key = " ".join(played.key)
                found.append(
                    f"{what}, key {key!r}{', ' + vary if vary else ''}, {lifetime.left_s(since):g} s left"
                )
    return found


def freshness(explanation: Explanation) -> list[str]:
    """The arithmetic of the response that was stored when the request came, else of the answer to it."""
    *earlier, last = explanation.history
    for played in (*reversed(earlier), last):
        fetch = played.fetch
        lifetime = None if fetch is None else lifetime_of(fetch, explanation.teller)
        if lifetime is not None:
            return [*lifetime.steps, now_line(lifetime, explanation.played.at_s - played.at_s)]
    return []


def served(explanation: Explanation) -> list[str]:
    """Lines about the daemon that served the request; whether the rest is what it did."""
    daemon = explanation.served
    if daemon is None:
        return []
    steps = ", ".join(daemon.steps) or "no decision"
    lines = [f"The daemon served request {daemon.vxid} with policy {daemon.policy}: {steps}."]
    if daemon.is_reproduced:
        return lines
    lines += [
        "This was not reproduced: what follows was played, and is not what the daemon did.",
        *(f"  {one}" for one in daemon.differences),
        f"  the daemon's log: {daemon.reason}",
    ]
    lacks = daemon.lacks or ("parameters that differ from their defaults, or the load of the daemon",)
    return [*lines, *(f"  the play lacks {one}" for one in lacks)]


# ---- text --------------------------------------------------------------------------------------------------


def text(explanation: Explanation, with_steps: bool = True) -> str:
    verdict = explanation.verdict
    lines = [*served(explanation), headline(explanation), f"  {verdict.sentence} [{verdict.reason}]"]
    lines += [f"  {line}" for line in (*failed(explanation), *decided_at(explanation))]
    lines += _section("Smallest changes that make it a hit", _changes(explanation))
    is_played = explanation.served is None or explanation.served.is_reproduced
    if verdict.decision != "hit" and not explanation.changes and is_played:
        lines += ["", "No change of the request, the answer or the policy that was tried makes it a hit."]
    lines += _section("Before", before(explanation))
    lines += _section("Key", explanation.played.key)
    lines += _section("Stored when the request came", stored(explanation))
    lines += _section("Freshness", freshness(explanation))
    if with_steps:
        lines += _section("Steps", _steps(explanation))
    return "\n".join(lines) + "\n"


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", f"{title}:", *(f"  {line}" for line in lines)] if lines else []


def _changes(explanation: Explanation) -> list[str]:
    found = []
    for change in explanation.changes:
        found.append(f"{change.kind:8}  {change.what}")
        if change.caution:
            found.append(f"{'':8}  caution: {change.caution}")
    return found


def _steps(explanation: Explanation) -> list[str]:
    found = []
    for story in explanation.played.stories:
        for run in story.runs:
            found.append(f"{run.hook} ({story.kind}) returns {run.action}")
            found += [f"  {line}" for line in _statements(explanation, run)]
    return found


def _statements(explanation: Explanation, run: HookRun) -> Iterator[str]:
    teller = explanation.teller
    for statement in run.statements:
        yield f"{teller.name_of(statement.place)}  {teller.line_of(statement.place)}"
        for line in value_lines(statement):
            yield f"    {line}"


def value_lines(statement: Statement) -> list[str]:
    """A line for each value, without repetition."""
    found = []
    for value in statement.values:
        if value.kind == "test":
            found.append(f"{value.name} {_TRUTH.get(value.text or '', 'is unset')}")
        elif value.kind == "set":
            found.append(f"sets {value.name} to {shown(value.text)}")
        elif value.kind == "unset":
            found.append(
                f"unsets {value.name}" + ("" if value.text is None else f", was {shown(value.text)}")
            )
        elif value.kind == "argument":
            found.append(f"{value.name} gets {shown(value.text)}")
        else:
            found.append(f"{value.name} = {shown(value.text)}")
    return list(dict.fromkeys(found))


def shown(value: str | None) -> str:
    return "unset" if value is None else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


# ---- JSON --------------------------------------------------------------------------------------------------


def as_json(explanation: Explanation) -> dict[str, Any]:
    verdict = explanation.verdict
    teller = explanation.teller
    return {
        "daemon": _served_json(explanation.served),
        "request": _sent_json(explanation.inquiry.sent),
        "decision": verdict.decision,
        "reason": verdict.reason,
        "sentence": verdict.sentence,
        "fetch_failed": Case(explanation.history, explanation.teller).failure_of(explanation.played) or None,
        "restarts": verdict.restarts,
        "decided_at": [_place_json(explanation, one) for one in verdict.deciders],
        "changes": [{"kind": c.kind, "what": c.what, "caution": c.caution} for c in explanation.changes],
        "before": before(explanation),
        "key": explanation.played.key,
        "stored": stored(explanation),
        "freshness": freshness(explanation),
        "response": _response_json(explanation.played),
        "transactions": [_story_json(explanation, story) for story in explanation.played.stories],
        "sources": [source.name for source in teller.module.sources],
    }


def _served_json(served: Served | None) -> dict[str, Any] | None:
    if served is None:
        return None
    return {
        "transaction": served.vxid,
        "policy": served.policy,
        "steps": list(served.steps),
        "reason": served.reason,
        "reproduced": served.is_reproduced,
        "differences": list(served.differences),
        "lacks": list(served.lacks),
    }


def _sent_json(sent: Sent) -> dict[str, Any]:
    return {"method": sent.method, "url": sent.url, "fields": [list(pair) for pair in sent.fields]}


def _response_json(played: Played) -> dict[str, Any]:
    fields = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in played.response.fields]
    return {"status": played.response.status, "fields": fields}


def _story_json(explanation: Explanation, story: Story) -> dict[str, Any]:
    hooks = [
        {
            "hook": run.hook,
            "returns": run.action,
            "statements": [_statement_json(explanation, one) for one in run.statements],
        }
        for run in story.runs
    ]
    return {"kind": story.kind, "hooks": hooks}


def _place_json(explanation: Explanation, statement: Statement) -> dict[str, Any]:
    place = statement.place
    return {
        "file": explanation.teller.module.sources[place.file].name,
        "line": place.line,
        "column": place.column,
        "text": explanation.teller.line_of(place),
    }


def _statement_json(explanation: Explanation, statement: Statement) -> dict[str, Any]:
    values = [{"kind": v.kind, "name": v.name, "value": v.text} for v in statement.values]
    return {**_place_json(explanation, statement), "does": statement.does, "values": values}
