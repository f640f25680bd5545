"""Explanations for others: no value that identifies is in the page or the JSON of `vernis why`, unless asked for."""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from observe.test_hiding import leaks
from proxy.daemon import ROOT
from vernis.observe.hiding import MARK, Hiding
from vernis.trial.world import Host
from vernis.why.explain import explain
from vernis.why.hidden import hidden
from vernis.why.inquiry import Given, Inquiry, Sent
from vernis.why.page import page
from vernis.why.report import as_json, text

VERNIS = ROOT / "build" / "bin" / "vernis"
POLICY = r"""vcl 4.1;
import std;
backend default { .host = "127.0.0.1"; .port = "1"; }
acl known { "203.0.113.9"; }
sub vcl_recv {
    set req.http.X-Sess = regsub(req.http.Cookie, "^.*session=([^;]+).*$", "\1");
    set req.http.X-Cut = regsub(req.http.Cookie, "^.*session=(.{10}).*$", "user-\1.x");
    set req.http.X-Low = std.tolower(req.http.X-Sess);
    std.log("session " + req.http.X-Sess + " of " + client.ip);
    if (client.ip ~ known) { set req.http.X-Known = client.ip; }
    if (req.http.X-Sess ~ "q7") { return (hash); }
}
sub vcl_hash { hash_data(req.http.X-Sess + "/" + req.http.X-Low); }
sub vcl_backend_response { set beresp.http.X-For = bereq.http.X-Sess; }
"""
CLIENT = "203.0.113.9"


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


def sent(session: str, credentials: str, key: str, stored: str) -> Sent:
    answer = Given(200, (("Set-Cookie", f"sid={stored}; Path=/"), ("Cache-Control", "max-age=60")))
    fields = (("Host", "shop.example.com"), ("Cookie", f"lang=en; session={session}"), ("Authorization", f"Bearer {credentials}"),
              ("X-Api-Key", key), ("X-Forwarded-For", "198.51.100.7"))
    return Sent(f"/account?token={credentials}", fields=fields, client=CLIENT, answer=answer)


VALUES = st.text(st.sampled_from("abXY0189-_.~+/=!*()<>&'\"\\é,%"), min_size=12, max_size=50).map(lambda text: "q7" + text)
TOKENS = st.from_regex(r"q7[A-Za-z0-9._~-]{10,50}", fullmatch=True)


@given(VALUES, TOKENS, TOKENS, VALUES, VALUES)
@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_no_value_of_any_request_is_in_an_explanation(host: Host, session: str, credentials: str, key: str, stored: str, other: str) -> None:
    earlier = sent(other, key, credentials, session)
    inquiry = Inquiry("p.vcl", sent(session, credentials, key, stored), (earlier,), text=POLICY.encode())
    found = hidden(explain(host, inquiry, with_changes=False), Hiding())
    shown = page(found)
    for output in (shown, re.sub(r"<[^>]*>", "", shown), json.dumps(as_json(found)), text(found)):
        assert leaks(output, [session, credentials, key, stored, other]) == []
        for address in (CLIENT, "198.51.100.7"):
            assert address not in output


def test_the_decision_is_that_of_the_real_values(host: Host) -> None:
    """The policy compares the value of the cookie: a digest in its place would decide otherwise."""
    inquiry = Inquiry("p.vcl", sent("q7-session-value", "q7-credentials", "q7-api-key", "q7-stored"), text=POLICY.encode())
    plain = explain(host, inquiry)
    found = hidden(plain, Hiding())
    assert (found.verdict.decision, found.verdict.reason) == (plain.verdict.decision, plain.verdict.reason)
    shown = text(found)
    assert re.sub(MARK + "[0-9a-f]{12}", "", shown).count("\n") == text(plain).count("\n")
    one, two = re.findall(rf'(?:hash_data gets|sets req.http.X-Sess to) "({MARK}\w+)', shown)
    assert one == two                                                           # the story stays readable
    assert f'sets req.http.X-Cut to "user-{one}.x"' in shown


def why(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "site.vcl").write_text(POLICY)
    fields = ("-H", "Cookie: session=q7-session-value; k=1", "-H", "Authorization: Basic dXNlcjpxNy1wYXNzd29yZA==")
    return subprocess.run([VERNIS, "why", folder / "site.vcl", "http://a.example/b?sid=q7-sid-value", *fields, *arguments], cwd=folder,
                          capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(("format", "hides"), [("html", True), ("json", True), ("text", False)])
def test_what_is_handed_on_hides_unless_asked(tmp_path: Path, format: str, hides: bool) -> None:
    default = why(tmp_path, "--format", format)
    assert default.returncode == 0, default.stderr
    assert ("q7-session" not in html.unescape(default.stdout)) == hides
    for option, expected in (("--hide", True), ("--show", False)):
        told = html.unescape(why(tmp_path, "--format", format, option).stdout)
        found = [secret for secret in ("q7-session", "q7-sid", "dXNlcjpxNy") if secret in told]
        assert (found == []) == expected and (MARK in told) == expected


def test_pages_with_one_key_can_be_compared(tmp_path: Path) -> None:
    with_key = [why(tmp_path, "--format", "html", "--digest-key", "key").stdout for _ in range(2)]
    assert with_key[0] == with_key[1] != why(tmp_path, "--format", "html").stdout
