"""A change of the policy that `vernis why` proposes: lint does not call it an error, or its caution has what lint
says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from situations import COOKIE, HEAD, MINUTE, SITUATIONS, Situation, ask, say, twice

from vernis.lint.engine import lint
from vernis.lint.rules import all_rules
from vernis.syntax.diagnostics import Severity
from vernis.trial.world import Host
from vernis.why.changes import Change
from vernis.why.explain import Explanation, explain
from vernis.why.inquiry import Inquiry, Sent
from vernis.why.play import compiled

GUARDS = """sub vcl_recv {
    if (req.method != "GET" && req.method != "HEAD") { return (pass); }
    if (req.url ~ "^/admin" || req.http.Cookie ~ "logged_in" || req.http.Authorization) { return (pass); }
    unset req.http.Cookie;
    return (hash);
}
"""


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


def explained(host: Host, policy: str, *sent: Sent) -> Explanation:
    return explain(host, Inquiry("p.vcl", sent[-1], sent[:-1], text=(HEAD + policy + "\n").encode()))


def of_policy(found: Explanation) -> list[Change]:
    return [one for one in found.changes if "policy" in one.kind]


def errors_of(inquiry: Inquiry, folder: Path) -> Counter[str]:
    checked = compiled(inquiry, folder / "policy.so").run.checked
    assert checked is not None
    return Counter(one.rule.id for one in lint(checked, all_rules()) if one.diagnostic.severity is Severity.ERROR)


@pytest.mark.parametrize("sent", [ask("/page", fields={"Cookie": "logged_in=alice"}), ask("/admin/"), ask("/page", fields={"Authorization": "Bearer t"}),
                                  ask("/page", method="POST", body=b"a")], ids=["user", "admin", "credentials", "POST"])
def test_the_pass_that_protects_a_page_is_not_taken_away_in_silence(host: Host, sent: Sent) -> None:
    found = explained(host, GUARDS, *twice(sent))
    assert found.verdict.reason == "pass-policy"
    for change in of_policy(found):
        assert "The policy passes these requests" in change.caution and "lint calls it an error: CS003: " in change.caution


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: s.name)
def test_a_change_that_lint_calls_an_error_says_so(host: Host, situation: Situation, tmp_path: Path) -> None:
    found = explained(host, situation.policy, *situation.sent)
    before = errors_of(found.inquiry, tmp_path)
    for change in of_policy(found):
        new = errors_of(change.apply(found.inquiry), tmp_path) - before
        assert all(f"{id}: " in change.caution for id in new), (change.what, new)
        assert bool(new) or "lint calls" not in change.caution


def test_a_change_without_an_error_comes_before_one_with(host: Host) -> None:
    """Without the statement of the ttl, lint finds responses with Set-Cookie stored. A longer ttl has the same
    effect, and nothing new."""
    policy = 'sub vcl_backend_response {\n    if (beresp.http.Set-Cookie) { set beresp.uncacheable = true; return (deliver); }\n    set beresp.ttl = 0s;\n}'
    [change] = of_policy(explained(host, policy, *twice(ask(answer=MINUTE))))
    assert "lint calls" not in change.caution


def test_what_the_author_does_on_purpose_has_a_caution(host: Host) -> None:
    for policy, sent, caution in (
        ('sub vcl_recv { if (req.http.X-Block) { return (synth(403)); } }', ask(fields={"X-Block": "1"}), "answers these requests itself"),
        ("sub vcl_backend_response { set beresp.uncacheable = true; }", ask(answer=MINUTE), "keeps these answers out of the cache"),
        ("sub vcl_recv { set req.hash_always_miss = true; }", ask(answer=MINUTE), "demands a new answer"),
        ('sub vcl_recv { if (req.url == "/ws") { return (pipe); } }', ask("/ws"), "connects these requests to the origin"),
    ):
        [change] = of_policy(explained(host, policy, *twice(sent)))
        assert caution in change.caution, policy


def test_a_harmless_change_has_no_caution(host: Host) -> None:
    found = explained(host, "sub vcl_backend_response {\n    set beresp.ttl = 5s;\n    set beresp.grace = 1s;\n}", *twice(ask(answer=MINUTE), 60))
    assert [one.caution for one in of_policy(found)] == [""]


def test_the_cookies_of_other_answers_still_have_their_caution(host: Host) -> None:
    found = explained(host, "", *twice(ask(answer=say(Set_Cookie="s=1"))))
    assert found.verdict.reason == "set-cookie"
    assert all(change.caution for change in of_policy(found))
    found = explained(host, "", *twice(ask(fields=COOKIE)))
    assert [change.caution for change in of_policy(found)] == ["The origin no longer sees cookies."]
