"""A rule of our own company: fields for debugging are set only for known clients.

The attributes are the page of `vernis explain EX001`. `check` gets a view of a policy without errors and
yields findings. compiler/lint/view.py lists what a view offers, and compiler/lint/rules has more rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.view import View, expressions_of, walk
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity


class DebugField(Rule):
    id = "EX001"
    name = "debug-field"
    severity = Severity.WARNING
    what = "A response field that begins with X-Debug is set without a test of the client."
    why = "The names of our backends are for us only."
    remedy = "set the field only for clients of an ACL"
    source = "https://example.com/handbook/headers"
    bad = 'sub vcl_deliver { set resp.http.X-Debug-Hits = "1"; }'
    good = (
        'acl office { "192.0.2.0"/24; }\n'
        'sub vcl_deliver { if (client.ip ~ office) { set resp.http.X-Debug-Hits = "1"; } }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        tested = set(_tested(view))
        for place in view.places:
            statement = place.statement
            if not isinstance(statement, nodes.Set) or statement.at in tested:
                continue
            name = view.name(statement.target)
            if name.startswith("resp.http.x-debug"):
                fix = Fix("delete the field", (Edit(view.span(statement), ""),), safe=False)
                yield finding(view, statement, f"{name} is sent to every client", fix=fix)


def _tested(view: View) -> Iterator[nodes.At]:
    """The statements that run only after a test of the client's address."""
    for place in view.places:
        if not isinstance(place.statement, nodes.If):
            continue
        names = {name for test in expressions_of(place.statement) for name, _ in view.reads(test)}
        if "client.ip" in names:
            for arm in place.statement.arms:
                yield from (inner.at for inner in walk(arm.body))
