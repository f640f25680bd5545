"""The explanation as one HTML page without scripts or other files, to attach to a ticket."""

from __future__ import annotations

from html import escape

from vernis.shown import visible
from vernis.why import report
from vernis.why.explain import Explanation
from vernis.why.story import HookRun, Story

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
body { color: #1b1f24; }
h1 { font-size: 1.25rem; margin-bottom: 0; } h2 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
code, pre, td { font: 13px/1.5 ui-monospace, monospace; }
.verdict { background: #fff4e5; border-left: 4px solid #d9822b; padding: .6rem 1rem; margin: 1rem 0; }
.verdict.hit { background: #e9f7ef; border-color: #2d8a4e; }
.caution { color: #a4510a; } .builtin { color: #6a737d; }
table { border-collapse: collapse; width: 100%; } td { padding: .15rem .8rem .15rem 0; vertical-align: top; }
td.place { white-space: nowrap; color: #57606a; }
.value { color: #0550ae; display: block; padding-left: 1.5rem; }
details { margin: .4rem 0; } summary { cursor: pointer; font-weight: 600; }
@media (prefers-color-scheme: dark) {
  body { background: #0d1117; color: #e6edf3; } .value { color: #79c0ff; } .verdict { background: #2b2111; }
  .verdict.hit { background: #12261a; } td.place, .builtin { color: #8b949e; } .caution { color: #f0a35e; }
}
"""


def page(explanation: Explanation) -> str:
    title = _escaped(report.headline(explanation))
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        "".join(f"<p>{_escaped(line)}</p>" for line in report.served(explanation)),
        _verdict(explanation),
        _changes(explanation),
        _list("Before", report.before(explanation)),
        _list("Key", explanation.played.key),
        _list("Stored when the request came", report.stored(explanation)),
        _list("Freshness", report.freshness(explanation)),
        _steps(explanation),
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _verdict(explanation: Explanation) -> str:
    verdict = explanation.verdict
    lines = (*report.failed(explanation), *report.decided_at(explanation))
    places = "".join(f"<br><code>{_escaped(line)}</code>" for line in lines)
    kind = "verdict hit" if verdict.decision == "hit" else "verdict"
    sentence = _escaped(verdict.sentence)
    return f'<div class="{kind}">{sentence} <code>[{_escaped(verdict.reason)}]</code>{places}</div>'


def _changes(explanation: Explanation) -> str:
    rows = []
    for change in explanation.changes:
        caution = f'<br><span class="caution">{_escaped(change.caution)}</span>' if change.caution else ""
        rows.append(f"<tr><td>{_escaped(change.kind)}</td><td>{_escaped(change.what)}{caution}</td></tr>")
    title = "Smallest changes that make it a hit"
    return f"<h2>{title}</h2><table>{''.join(rows)}</table>" if rows else ""


def _list(title: str, lines: list[str]) -> str:
    items = "".join(f"<li><code>{_escaped(line)}</code></li>" for line in lines)
    return f"<h2>{title}</h2><ul>{items}</ul>" if lines else ""


def _steps(explanation: Explanation) -> str:
    hooks = [_hook(explanation, story, run) for story in explanation.played.stories for run in story.runs]
    return "<h2>Steps</h2>" + "\n".join(hooks)


def _hook(explanation: Explanation, story: Story, run: HookRun) -> str:
    title = _escaped(f"{run.hook} ({story.kind}) returns {run.action}")
    return f"<details open><summary>{title}</summary>{_table(explanation, run)}</details>"


def _table(explanation: Explanation, run: HookRun) -> str:
    teller = explanation.teller
    rows = []
    for statement in run.statements:
        kind = ' class="builtin"' if teller.is_builtin(statement.place) else ""
        values = "".join(
            f'<span class="value">{_escaped(line)}</span>' for line in report.value_lines(statement)
        )
        rows.append(
            f'<tr{kind}><td class="place">{_escaped(teller.name_of(statement.place))}</td>'
            f"<td>{_escaped(teller.line_of(statement.place))}{values}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def _escaped(text: str) -> str:
    return escape(visible(text))
