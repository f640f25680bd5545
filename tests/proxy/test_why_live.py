"""Requests of a running daemon, explained: by the field Vernis-Why in the response, by VCL_Log, and by
`vernis why --transaction`."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request, Response
from proxy.serve import serving
from proxy.test_delivery import policy

RULES = """acl staff { "127.0.0.1"; }
sub vcl_recv {
    if (client.ip !~ staff) { set req.http.guest = "1"; }
    if (req.url == "/pass") { return (pass); }
    if (req.url == "/synth") { return (synth(404)); }
    if (req.url == "/pipe") { return (pipe); }
    if (req.url == "/purge") { return (purge); }
    if (req.url == "/again" && req.restarts < 2) { return (restart); }
    if (req.url == "/fail") { return (fail); }
}
sub vcl_deliver { set resp.http.Vernis-Why = "forged"; set resp.http.saw = req.http.Vernis-Why; }
"""
ASKED = {"Vernis-Why": "1"}
ALLOWED = ("-p", "why_acl=staff")
FIELDS = {"/cookie": {"Set-Cookie": "a=1"}, "/vary": {"Vary": "Colour"}, "/upstream": {"Vernis-Why": "hit"}}


def answer(r: Request) -> Reply:
    return Reply(body=b"page", headers={"Cache-Control": "max-age=100", **FIELDS.get(r.url, {})})


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Daemon, Origin, str]]:
    with Origin(answer) as origin:
        text = policy(origin, RULES)
        with serving(text, (*ALLOWED, "-p", "loops=1")) as d:           # records of two loops have no order
            yield d, origin, text


def ask(d: Daemon, url: str, headers: dict[str, str] | None = None, source: str = "127.0.0.1") -> Response:
    with Client(d.port, source=source) as c:
        return c.request(url, headers={"Host": "h", **(ASKED if headers is None else headers)})


def told(response: Response) -> list[str]:
    """The members of the list, without the numbers of transactions."""
    value = response.get("Vernis-Why")
    assert value is not None
    return re.split(r", (?=vcl_)", re.sub(r"(vxid)=\d+", r"\1=N", value))


def place(text: str, statement: str) -> str:
    """LINE:COLUMN of a statement of the policy."""
    line = next(n for n, line in enumerate(text.splitlines(), 1) if statement in line)
    return f"{line}:{text.splitlines()[line - 1].index(statement) + 1}"


@pytest.mark.parametrize(("url", "statement", "decision"), [
    ("/pass", "return (pass)", "pass; fwd=bypass; fwd-status=200; vxid=N"),
    ("/synth", "return (synth(404))", "synth; vxid=N"),
    ("/fail", "return (fail)", "synth; vxid=N"),
    ("/purge", "return (purge)", "synth; vxid=N"),
])
def test_the_field_names_the_decision_and_its_statement(served: tuple[Daemon, Origin, str], url: str, statement: str,
                                                        decision: str) -> None:
    d, _, text = served
    first, recv, *_ = told(ask(d, url))
    assert first == decision
    assert re.fullmatch(rf'vcl_recv; returns=\w+; at=".*:{place(text, statement)}"', recv), recv


def test_hooks_are_in_their_order_and_built_in_places_are_named(served: tuple[Daemon, Origin, str]) -> None:
    first, *hooks = told(ask(served[0], "/order"))
    assert first == "miss; fwd=uri-miss; fwd-status=200; stored; vxid=N"
    assert [one.partition("; at=")[0] for one in hooks] == [
        "vcl_recv; returns=hash", "vcl_hash; returns=lookup", "vcl_miss; returns=fetch", "vcl_deliver; returns=deliver"]
    assert all(re.search(r'at="<builtin>:\d+:\d+"$', one) for one in hooks), hooks


def test_hits_and_markers(served: tuple[Daemon, Origin, str]) -> None:
    d = served[0]
    ask(d, "/hit")
    assert re.fullmatch(r"hit; hit; ttl=(100|9\d); vxid=N", told(ask(d, "/hit"))[0])
    assert told(ask(d, "/cookie"))[0] == "miss; fwd=uri-miss; fwd-status=200; vxid=N"
    assert told(ask(d, "/cookie"))[0] == "hit-for-miss; fwd=uri-miss; fwd-status=200; vxid=N"
    ask(d, "/vary")
    assert told(ask(d, "/vary", {**ASKED, "Colour": "red"}))[0] == "miss; fwd=vary-miss; fwd-status=200; stored; vxid=N"


def test_restarts_are_told(served: tuple[Daemon, Origin, str]) -> None:
    recvs = [one for one in told(ask(served[0], "/again")) if one.startswith("vcl_recv")]
    assert [one.split("; ")[1] for one in recvs] == ["returns=restart", "returns=restart", "returns=hash"]


def test_an_allowed_question_is_no_part_of_the_request(served: tuple[Daemon, Origin, str]) -> None:
    d, origin, _ = served
    assert ask(d, "/asked").get("saw") == ""
    assert "vernis-why" not in {name.lower() for name in origin.seen("/asked")[0].headers}


def test_nobody_else_is_told(served: tuple[Daemon, Origin, str]) -> None:
    d = served[0]
    assert ask(d, "/order", {}).get("Vernis-Why") == "forged"                       # did not ask
    guest = ask(d, "/order", source="127.0.0.2")
    assert (guest.get("Vernis-Why"), guest.get("saw")) == ("forged", "1")           # not in the ACL


def test_a_field_of_the_origin_is_replaced(served: tuple[Daemon, Origin, str]) -> None:
    assert told(ask(served[0], "/upstream"))[0].startswith("miss; ")


def test_the_log_has_the_same_also_for_a_pipe(served: tuple[Daemon, Origin, str]) -> None:
    d = served[0]
    value = ask(d, "/logged").get("Vernis-Why")
    assert ask(d, "/pipe").get("Vernis-Why") is None                                # the response is the origin's own

    def logged() -> list[str]:
        done = subprocess.run(["build/bin/vernis", "log", "-n", str(d.workdir), "-d", "-g", "request", "-q",
                               'ReqURL eq "/logged" or ReqURL eq "/pipe"', "-i", "VCL_Log"],
                              cwd=ROOT, capture_output=True, text=True, check=True, timeout=30)
        return re.findall(r"VCL_Log\s+(why: .*)", done.stdout)
    found = wait_until(lambda: logged() if len(logged()) == 2 else None, "both are logged")
    assert found[0] == f"why: {value}"
    assert found[1].startswith("why: pipe; vxid=")


def test_without_the_parameter_nobody_is_told() -> None:
    """why_acl is empty by default."""
    with Origin(answer) as origin, serving(policy(origin, RULES)) as d:
        response = ask(d, "/order")
        assert (response.get("Vernis-Why"), response.get("saw")) == ("forged", "1")


def test_a_policy_without_the_acl_says_so_at_load() -> None:
    with Origin(answer) as origin, serving(policy(origin, RULES), ALLOWED) as d:
        d.ok(f"vcl.inline other << EOF\n{policy(origin)}\nEOF")
        wait_until(lambda: 'policy other has no ACL "staff" (parameter why_acl)' in d.logs, "the log says so")
        d.ok("vcl.use other")
        assert ask(d, "/order").get("Vernis-Why") is None


# ---- vernis why --transaction ----


def explained(d: Daemon, vxid: int) -> dict[str, Any]:
    def why() -> subprocess.CompletedProcess[str] | None:
        done = subprocess.run(["build/bin/vernis", "why", "-n", str(d.workdir), "--transaction", str(vxid), "--format", "json"],
                              cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
        return None if f"the log has no request {vxid}" in done.stderr else done
    done = wait_until(why, "the request is in the log")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def vxid_of(response: Response) -> int:
    return int((response.get("X-Varnish") or "").split()[0])


@pytest.mark.parametrize(("url", "times", "decision", "reason"), [
    ("/t-miss", 1, "miss", "first-request"), ("/t-hit", 2, "hit", "fresh"), ("/pass", 1, "pass", "pass-policy"),
    ("/synth", 1, "synth", "synth-policy"),
])
def test_a_transaction_of_the_log_is_explained(served: tuple[Daemon, Origin, str], url: str, times: int, decision: str,
                                               reason: str) -> None:
    d = served[0]
    vxid = vxid_of([ask(d, url, {}) for _ in range(times)][-1])
    found = explained(d, vxid)
    assert (found["decision"], found["reason"]) == (decision, reason)
    assert found["request"]["url"] == url


def test_the_answer_of_the_origin_is_taken_from_the_log(served: tuple[Daemon, Origin, str]) -> None:
    d = served[0]
    FIELDS["/cookie?u"] = {"Set-Cookie": "a=1"}
    ask(d, "/cookie?u", {})
    found = explained(d, vxid_of(ask(d, "/cookie?u", {})))
    assert (found["decision"], found["reason"]) == ("hit-for-miss", "set-cookie")


def test_a_transaction_that_is_not_logged_is_an_error(served: tuple[Daemon, Origin, str]) -> None:
    done = subprocess.run(["build/bin/vernis", "why", "-n", str(served[0].workdir), "--transaction", "4000000"],
                          cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "the log has no request 4000000" in done.stderr


# ---- as the daemon did, or not ----

INVALIDATING = """import xkey; import std;
sub vcl_recv {
    if (req.url ~ "^/healthy/" && !std.healthy(req.backend_hint)) { return (synth(503)); }
    if (req.method == "BAN") { ban("obj.http.X-Area == " + req.http.X-Area); return (synth(200)); }
    if (req.url == "/expire") { set req.http.n = xkey.purge(req.http.X-Key); return (synth(200)); }
    if (req.url ~ "^/purge/") { set req.url = regsub(req.url, "^/purge", ""); return (purge); }
}
sub vcl_backend_response { if (bereq.url == "/page") { set beresp.do_esi = true; } }
"""


@pytest.fixture(scope="module")
def site() -> Iterator[Daemon]:
    def area(r: Request) -> Reply:
        if r.url == "/without":
            return Reply(body=b"page")
        if r.url == "/page":
            return Reply(body=b'<esi:include src="/part"/>', headers={"Cache-Control": "max-age=100"})
        return Reply(body=b"page", headers={"Cache-Control": "max-age=100", "X-Area": r.url.split("/")[-1], "xkey": r.url[1:]})
    with Origin(area) as origin, serving(policy(origin, INVALIDATING), ["-p", "loops=1"]) as d:
        yield d


def get(d: Daemon, url: str, method: str = "GET", **headers: str) -> int:
    with Client(d.port) as c:
        return vxid_of(c.request(url, method, headers={"Host": "h", **headers}))


@pytest.mark.parametrize(("url", "reason"), [
    ("/ban-url/sport", "banned"), ("/command/x", "banned"), ("/counted/x", "banned"), ("/purged/x", "purged"), ("/tagged/x", "purged"),
    ("/key/x", "purged"), ("/all/x", "purged"), ("/url/x", "purged")])
def test_what_another_request_or_a_command_removed_is_reproduced(site: Daemon, url: str, reason: str) -> None:
    """Also after more requests for the URL than a play takes."""
    for _ in range(7):
        before = get(site, url)
    explained(site, before)                     # the log has them: a command has no time, only its place there
    removals = {
        "/ban-url/sport": lambda: get(site, "/", "BAN", **{"X-Area": "sport"}), "/command/x": lambda: site.ok("ban req.url == /command/x"),
        "/counted/x": lambda: site.ok("vernis.ban req.url == /counted/x && obj.status == 200"), "/purged/x": lambda: get(site, "/purge/purged/x"),
        "/tagged/x": lambda: get(site, "/expire", **{"X-Key": "tagged/x"}), "/key/x": lambda: site.ok("vernis.purge_key key/x"),
        "/all/x": lambda: site.ok("vernis.purge_all"), "/url/x": lambda: site.ok('vernis.purge 127.0.0.1 GET /url/x "X-A: b: c d" "Host: h"'),
    }
    removals[url]()
    vxid = get(site, url)
    found = wait_until(lambda: one if (one := explained(site, vxid))["daemon"]["reproduced"] else None, "the log has the removal, too")
    assert (found["daemon"]["steps"], found["daemon"]["differences"]) == (["miss"], [])
    assert (found["decision"], found["reason"]) == ("miss", reason)


def test_a_soft_purge_of_a_url_is_reproduced(site: Daemon) -> None:
    get(site, "/url/soft")
    site.ok('vernis.purge -j -s 127.0.0.1 GET /url/soft "Host: h"')
    vxid = get(site, "/url/soft")
    found = wait_until(lambda: one if (one := explained(site, vxid))["daemon"]["reproduced"] else None, "the log has the purge, too")
    assert (found["daemon"]["steps"], found["daemon"]["differences"], found["decision"]) == (["stale hit"], [], "stale hit")


def test_a_purge_of_a_request_without_a_key_removes_nothing(site: Daemon) -> None:
    get(site, "/no/key")
    assert site.cli('vernis.purge 127.0.0.1 GET /no/key "Host: h" "no field"')[0] != 200
    found = explained(site, get(site, "/no/key"))
    assert (found["daemon"]["steps"], found["daemon"]["differences"]) == (["hit"], [])


def test_the_health_that_a_command_set_is_reproduced(site: Daemon) -> None:
    steps = []
    for state in ("auto", "sick", "healthy", "sick", "auto"):
        site.ok(f"backend.set_health boot.* {state}")
        found = explained(site, get(site, "/healthy/x"))
        assert found["daemon"]["reproduced"], found["daemon"]
        steps += found["daemon"]["steps"]
    assert steps == ["miss", "synth", "hit", "synth", "hit"]


def test_an_include_is_not_explained_as_its_page(site: Daemon) -> None:
    get(site, "/page")
    page = get(site, "/page")
    assert explained(site, page)["daemon"]["reproduced"]
    asked = wait_until(lambda: re.search(r"Link +req (\d+) esi", daemon_log(site, f"vxid == {page}")), "the include is logged")
    found = explained(site, int(asked[1]))
    assert not found["daemon"]["reproduced"]
    assert found["daemon"]["differences"] == [f"request {asked[1]} is an include of page {page}, which was played"]
    assert found["daemon"]["lacks"] == ["the includes of the page"]


def daemon_log(d: Daemon, query: str) -> str:
    return subprocess.run(["build/bin/vernis", "log", "-n", str(d.workdir), "-d", "-g", "request", "-q", query], cwd=ROOT,
                          capture_output=True, text=True, check=True, timeout=30).stdout


def test_what_is_not_reproduced_says_so_and_what_it_lacks(site: Daemon) -> None:
    site.ok("param.set default_ttl 0")
    site.ok("param.set default_grace 0")
    get(site, "/without")
    vxid = get(site, "/without")
    try:
        found = explained(site, vxid)
        done = subprocess.run(["build/bin/vernis", "why", "-n", str(site.workdir), "--transaction", str(vxid), "--no-steps"], cwd=ROOT,
                              capture_output=True, text=True, check=True, timeout=60)
    finally:
        site.ok("param.reset default_ttl")
        site.ok("param.reset default_grace")
    assert found["decision"] == "hit" and not found["daemon"]["reproduced"]
    assert found["daemon"]["differences"][0] == "the daemon: hit-for-miss; played: hit"
    assert found["daemon"]["lacks"] == ["parameter default_grace = 0.0", "parameter default_ttl = 0.0"]
    assert found["changes"] == []
    lines = done.stdout.splitlines()
    assert lines[0] == f"The daemon served request {vxid} with policy boot: hit-for-miss."
    assert lines[1] == "This was not reproduced: what follows was played, and is not what the daemon did."
    assert lines[2] == "  the daemon: hit-for-miss; played: hit" and lines[3].startswith("  its fetches: ")
    assert lines[4].startswith("  the daemon's log: ")
    assert lines[5] == "  the play lacks parameter default_grace = 0.0"
    assert "No change of" not in done.stdout
