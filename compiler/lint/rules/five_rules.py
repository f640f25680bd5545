"""FIVE: `allow`, and the labels of rules of vcl 5.0."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.rule import Finding, Rule, finding
from vernis.lint.view import View
from vernis.lint.written import all_of, text_of
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_COOKIE = "req.http.cookie"
_FIELDS = {
    "cookie": _COOKIE,
    "authorization": "req.http.authorization",
    "set_cookie": "beresp.http.set-cookie",
}


class NeedlessAllow(Rule):
    id = "FIVE021"
    name = "needless-allow"
    severity = Severity.NOTE
    what = "An `allow` stands behind an unset of the field that it allows."
    why = "The check that it skips finds nothing there. When the unset goes, the `allow` hides it."
    remedy = "delete the word from `allow`"
    source = "https://www.rfc-editor.org/rfc/rfc9111#section-3.5"
    bad = "sub vcl_recv { unset req.http.Authorization; allow (authorization); return (hash); }"
    good = "sub vcl_recv { unset req.http.Authorization; return (hash); }"
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for block in all_of(view, nodes.Block):
            gone: set[str] = set()
            for one in block.statements:
                if isinstance(one, nodes.Unset):
                    gone.add(view.name(one.target))
                elif isinstance(one, nodes.Set):
                    gone.discard(view.name(one.target))
                elif isinstance(one, nodes.Allow):
                    for word in one.words:
                        if _FIELDS.get(word.text) in gone:
                            yield finding(view, word, f"{_FIELDS[word.text]} is unset before")
                elif not isinstance(one, nodes.Let):
                    gone.clear()  # a block or a call may set the field


class ExpiredRule(Rule):
    id = "FIVE022"
    name = "expired-rule"
    severity = Severity.WARNING
    what = "A rule is past the date in its `until`."
    why = "It runs on until someone deletes it."
    remedy = "delete the rule, or give it a later date"
    source = "https://martinfowler.com/articles/feature-toggles.html"
    bad = (
        """sub vcl_recv { @rule("sale", until = "2020-01-31") if (req.url == "/sale") { return (pass); } }"""
    )
    good = (
        """sub vcl_recv { @rule("sale", until = "2990-01-31") if (req.url == "/sale") { return (pass); } }"""
    )
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for one in all_of(view, nodes.Annotation):
            until = next((text_of(arg.value) for arg in one.args if arg.name == "until"), None)
            if until is not None and until < view.today.isoformat():
                yield finding(view, one, f"this rule was to end on {until}")


class RuleWithoutOwner(Rule):
    id = "FIVE023"
    name = "rule-without-owner"
    severity = Severity.NOTE
    what = "A rule has no owner."
    why = "When it shows up in a log at night, nobody knows whom to ask."
    remedy = 'add owner = "..."'
    source = "https://martinfowler.com/articles/feature-toggles.html"
    bad = 'sub vcl_recv { @rule("home") if (req.url == "/") { return (pass); } }'
    good = 'sub vcl_recv { @rule("home", owner = "web") if (req.url == "/") { return (pass); } }'
    profiles = ("strict",)
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for one in all_of(view, nodes.Annotation):
            if one.name.text == "rule" and all(arg.name != "owner" for arg in one.args):
                yield finding(view, one, "this rule has no owner")
