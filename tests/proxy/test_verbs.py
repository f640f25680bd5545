"""The verbs of `vernis` for an operator: ban, purge, backends, image load. Each reports its effect, and has a form
for programs."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving

POLICY = """vcl 4.1;
import directors;
import xkey;
import vtc;
backend site {{ .host = "127.0.0.1"; .port = "{port}"; }}
backend spare {{ .host = "127.0.0.1"; .port = "{port}"; .probe = {{ .url = "/probe"; .interval = 0.05s; .initial = 0; }} }}
sub vcl_init {{ new pair = directors.round_robin(); pair.add_backend(site); pair.add_backend(spare); }}
sub vcl_recv {{
    set req.backend_hint = site;
    if (req.url == "/pass") {{ return (pass); }}
    if (req.url == "/fail") {{ return (fail("on purpose")); }}
    if (req.url == "/slow") {{ vtc.sleep(3s); }}
    if (req.url == "/gone") {{ set req.http.n = xkey.purge("all"); }}
    set req.http.Host = req.http.Host.lower();
    set req.url = regsub(req.url, "[?].*", "");
}}
"""


def page(r: Request) -> Reply:
    if r.url == "/probe":
        return Reply(status=500)
    return Reply(body=b"x", headers={"Cache-Control": "max-age=100", "Vary": "Accept-Language", "X-Url": r.url, "xkey": f"all p{r.url[1:]}"})


@pytest.fixture
def site() -> Iterator[tuple[Daemon, Origin, Client]]:
    with Origin(page) as origin, serving(POLICY.format(port=origin.port)) as d, Client(d.port) as c:
        for url, language in (("/a", "de"), ("/a", "fr"), ("/b", "de")):
            assert c.request(url, headers={"Host": "shop", "Accept-Language": language}).status == 200
        yield d, origin, c


def run(d: Daemon, command: str, *arguments: str, code: int = 0) -> str:
    """Output of the command, or its errors if ``code`` is not 0."""
    done = subprocess.run(["build/bin/vernis", command, "-n", str(d.workdir), *arguments], cwd=ROOT, capture_output=True, text=True,
                          check=False, timeout=30)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


def as_json(d: Daemon, command: str, *arguments: str) -> Any:
    """The answer without its position."""
    told = json.loads(run(d, command, "--json", *arguments))
    if command in ("ban", "purge") and "--dry-run" not in arguments:
        assert {*told.pop("position")} == {"epoch", "sequence"}
    return told


def fetched(site: tuple[Daemon, Origin, Client], url: str) -> bool:
    """Asks for German and returns whether the origin was asked."""
    _, origin, c = site
    before = origin.count(url)
    assert c.request(url, headers={"Host": "shop", "Accept-Language": "de"}).status == 200
    return origin.count(url) > before


# ---- ban ---------------------------------------------------------------------------------------------------


def test_a_ban_reports_how_many_responses_match(site: tuple[Daemon, Origin, Client]) -> None:
    d = site[0]
    assert run(d, "ban", "--dry-run", "obj.http.X-Url == /a") == "no ban added: 2 of 3 stored responses match so far\n"
    assert not fetched(site, "/a")
    assert run(d, "ban", "obj.http.X-Url == /a") == "ban added: 2 of 3 stored responses match so far\n"
    assert fetched(site, "/a") and not fetched(site, "/b")
    assert "obj.http.X-Url == /a" in d.ok("ban.list")
    assert as_json(d, "ban", "obj.http.X-Url == /b") == {
        "added": True, "on_requests": False, "stored": 3, "tested": 3, "matching": 1, "sample": False}


def test_a_ban_on_requests_cannot_be_counted(site: tuple[Daemon, Origin, Client]) -> None:
    assert run(site[0], "ban", "req.url == /a && obj.status == 200") == (
        "ban added: it has conditions on requests, so 3 stored responses are tested when a request finds them\n")
    assert fetched(site, "/a") and not fetched(site, "/b")


@pytest.mark.parametrize(("words", "matching"), [
    ([r"obj.http.X-Url ~ ^/\w$"], 3),                     # a backslash belongs to the expression
    ([r"obj.http.X-Url ~ ^/\d$"], 0),
    (["obj.http.Cache-Control == 'max-age=100'"], 3),
    (['obj.http.X-Url == "/a b"'], 0),
    (["obj.http.X-Url", "==", "/b"], 1),                  # word by word
])
def test_a_ban_is_an_expression_or_words(site: tuple[Daemon, Origin, Client], words: list[str], matching: int) -> None:
    assert as_json(site[0], "ban", "--dry-run", *words)["matching"] == matching


def test_a_wrong_ban_is_refused(site: tuple[Daemon, Origin, Client]) -> None:
    d = site[0]
    assert "Did you mean obj.http.x?" in run(d, "ban", "obj.htp.x == y", code=1)
    assert "no closing quotation" in run(d, "ban", "obj.http.x == 'y", code=2)
    assert len(d.ok("ban.list").splitlines()) == 2       # the head, and the ban without conditions


# ---- purge -------------------------------------------------------------------------------------------------


def test_a_purge_by_url_uses_the_key_of_the_policy(site: tuple[Daemon, Origin, Client]) -> None:
    d = site[0]
    assert run(d, "purge", "http://SHOP/a?utm=1") == "2 stored responses removed\n"      # both languages
    assert fetched(site, "/a") and not fetched(site, "/b")
    assert run(d, "purge", "/b", "-H", "Host: shop") == "1 stored response removed\n"
    assert run(d, "purge", "http://shop/b") == "0 stored responses removed\n"
    assert as_json(d, "purge", "http://shop/a") == {"purged": 1, "soft": False, "policy": "boot", "action": "hash", "at": "<builtin>:9:5"}
    counters = dict(line.split() for line in d.ok("vernis.counters").splitlines())
    assert (counters["MAIN.n_purges"], counters["MAIN.n_obj_purged"]) == ("4", "4")


def test_a_soft_purge_keeps_the_response_for_its_grace(site: tuple[Daemon, Origin, Client]) -> None:
    d, origin, c = site
    assert run(d, "purge", "--soft", "http://shop/b") == "1 stored response made stale\n"
    before = origin.count("/b")
    response = c.request("/b", headers={"Host": "shop", "Accept-Language": "de"})
    assert " " in (response.get("x-varnish") or "")     # a hit, in grace
    wait_until(lambda: origin.count("/b") == before + 1, "the fetch in the background has asked the origin")


def test_a_purge_by_surrogate_keys(site: tuple[Daemon, Origin, Client]) -> None:
    d = site[0]
    assert run(d, "purge", "--key", "pa", "--key", "none") == "2 stored responses removed\n"
    assert fetched(site, "/a") and not fetched(site, "/b")
    assert as_json(d, "purge", "--key", "all", "--soft") == {"purged": 2, "soft": True}
    assert run(d, "purge", "--key", "all") == "2 stored responses removed\n"


def test_a_purge_runs_no_invalidation_of_the_policy(site: tuple[Daemon, Origin, Client]) -> None:
    assert run(site[0], "purge", "http://shop/gone") == "0 stored responses removed\n"
    assert not fetched(site, "/a")


def test_a_purge_names_the_decision_that_leads_to_no_lookup(site: tuple[Daemon, Origin, Client]) -> None:
    d = site[0]
    text = run(d, "purge", "http://shop/pass")
    assert text.startswith("0 stored responses removed\nnote: vcl_recv returns pass for this request (") and "boot.vcl:10:31)" in text
    assert "Nothing is purged: vcl_recv returns fail" in run(d, "purge", "http://shop/fail", code=1)
    assert "did not decide within 2 s" in run(d, "purge", "http://shop/slow", code=1)


@pytest.mark.parametrize(("arguments", "said"), [
    ([], "give a URL, such as http://HOST/PATH, a surrogate key with --key KEY, or --all"),
    (["/a"], "write http://HOST/a, or add -H 'Host: HOST'"),
    (["http://shop/a", "--key", "k"], "a purge by surrogate key takes no request"),
])
def test_a_purge_of_nothing_is_wrong_usage(site: tuple[Daemon, Origin, Client], arguments: list[str], said: str) -> None:
    assert said in run(site[0], "purge", *arguments, code=2)


# ---- backends ----------------------------------------------------------------------------------------------


def test_backends_are_listed_with_the_reason(site: tuple[Daemon, Origin, Client]) -> None:
    d = site[0]
    wait_until(lambda: as_json(d, "backends")[1]["why"].startswith("0 of the last 8"), "the probes have failed")
    site_row, spare, pair = run(d, "backends").splitlines()
    assert [row["name"] for row in as_json(d, "backends", "spare")] == ["boot.spare"]
    assert re.fullmatch(r"boot\.site +backend +healthy +for \d+ s +no probe", site_row)
    assert re.fullmatch(r"boot\.spare +backend +sick +for \d+ s +0 of the last 8 probes were good, 3 are needed", spare)
    assert re.fullmatch(r"boot\.pair +round-robin +healthy +for \d+ s +1 of its 2 backends are healthy", pair)


def test_the_health_of_a_backend_is_set_and_reported(site: tuple[Daemon, Origin, Client]) -> None:
    d = site[0]
    assert re.fullmatch(r"boot\.site +backend +sick +for \d s +set by an operator \(backend\.set_health\)\n",
                        run(d, "backends", "set", "site", "sick"))
    row = as_json(d, "backends", "set", "spare", "healthy")[0]
    assert (row["name"], row["health"], row["healthy"], row["by_hand"]) == ("boot.spare", "healthy", True, True)
    assert as_json(d, "backends", "set", "site", "auto")[0]["why"] == "no probe"
    both = subprocess.run(["build/bin/vernis", "backends", "set", "-n", str(d.workdir), "s*", "sick"], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout         # an option between the words
    assert len(both.splitlines()) == 2
    assert [row["why"] for row in as_json(d, "backends") if row["kind"] == "round-robin"] == ["0 of its 2 backends are healthy"]


def test_an_unknown_backend_is_refused_with_a_suggestion(site: tuple[Daemon, Origin, Client]) -> None:
    d = site[0]
    assert "No Backends matches sit; did you mean site?" in run(d, "backends", "set", "sit", "sick", code=1)
    assert "No Backends matches spar; did you mean spare?" in run(d, "backends", "spar", code=1)
    assert "name a backend and its health" in run(d, "backends", "set", "site", code=2)
    assert "name a backend and its health" in run(d, "backends", "site", "sick", code=2)


def test_without_a_worker_the_list_is_refused(tmp_path: Path) -> None:
    with Daemon(tmp_path) as d:
        for command in (["backends"], ["backends", "set", "b", "sick"], ["purge", "--key", "k"], ["ban", "obj.status == 200"]):
            assert "child not running" in run(d, *command, code=1)


# ---- images ------------------------------------------------------------------------------------------------


def test_an_image_is_loaded_under_a_name(site: tuple[Daemon, Origin, Client], tmp_path: Path) -> None:
    d = site[0]
    (tmp_path / "new.vcl").write_text("vcl 4.1; backend default none; sub vcl_recv { return (synth(299)); }")
    image = tmp_path / "new.so"
    subprocess.run(["build/bin/vernis", "build", str(tmp_path / "new.vcl"), "-o", str(image)], cwd=ROOT, check=True, timeout=60)
    assert run(d, "image", "load", "fresh", str(image)) == "image loaded as fresh; `vernis use fresh` makes it the active policy\n"
    run(d, "use", "fresh")
    assert d.get("/")[0] == 299
    told = as_json(d, "image", "load", str(image))
    assert told["image"] == str(image) and re.fullmatch(r"new-\d{8}T\d{6}-\d{3}", told["name"])
    assert told["name"] in d.ok("vcl.list")
    assert "Already a VCL named fresh" in run(d, "image", "load", "fresh", str(image), code=1)
    assert "cannot read none.so: No such file" in run(d, "image", "load", "none.so", code=2)
