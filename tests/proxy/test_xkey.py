"""Purges by surrogate keys, tested through the whole proxy."""

from __future__ import annotations

import subprocess

from proxy.daemon import ROOT, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serve, serving
from proxy.test_delivery import policy

RULES = """import xkey;
sub vcl_recv {
    if (req.method == "PURGE") {
        set req.http.n = xkey.purge(req.http.xkey);
        return (synth(200, "gone " + req.http.n));
    }
    if (req.method == "SOFT") {
        return (synth(200, "stale " + xkey.softpurge(req.http.xkey)));
    }
}
"""


def product(r: Request) -> Reply:
    keys = {"/p1": "p1 shop", "/p2": "p2, shop", "/page": "p1 p2"}
    return Reply(body=b"x", headers={"Cache-Control": "max-age=100", "xkey": keys[r.url]})


def test_responses_with_the_key_are_fetched_again() -> None:
    with Origin(product) as origin, serve(policy(origin, RULES)) as port, Client(port) as c:
        for url in ("/p1", "/p2", "/page", "/p1", "/p2", "/page"):
            assert c.request(url).status == 200
        assert [origin.count(url) for url in ("/p1", "/p2", "/page")] == [1, 1, 1]
        assert c.request("/", method="PURGE", headers={"xkey": "p1"}).reason == "gone 2"    # /p1 and /page
        for url in ("/p1", "/p2", "/page"):
            assert c.request(url).status == 200
        assert [origin.count(url) for url in ("/p1", "/p2", "/page")] == [2, 1, 2]
        assert c.request("/", method="SOFT", headers={"xkey": "shop none"}).reason == "stale 2"
        assert c.request("/", method="SOFT", headers={"xkey": "shop"}).reason == "stale 0"
        assert c.request("/", method="PURGE").reason == "gone 0"    # without a key


def test_keys_and_their_memory_are_counted() -> None:
    with Origin(product) as origin, serving(policy(origin, RULES)) as d, Client(d.port) as c:
        def counters() -> dict[str, int]:
            text = subprocess.run(["build/bin/vernis", "stat", "-n", str(d.workdir), "-1", "-f", "XKEY.*"], cwd=ROOT, capture_output=True,
                                  text=True, check=False).stdout
            return {line.split()[0]: int(line.split()[1]) for line in text.splitlines() if line}
        assert counters()["XKEY.g_keys"] == counters()["XKEY.g_bytes"] == 0
        for url in ("/p1", "/p2", "/page"):
            assert c.request(url).status == 200
        full = wait_until(lambda: (v := counters())["XKEY.g_keys"] == 3 and v, "p1, p2 and shop are counted")
        assert full["XKEY.g_bytes"] == full["XKEY.g_oc_bytes"] + full["XKEY.g_hashhead_bytes"] > 0
        metrics = subprocess.run(["build/bin/vernis", "stat", "-n", str(d.workdir), "--prometheus"], cwd=ROOT, capture_output=True, text=True,
                                 check=True).stdout
        assert "\nvernis_xkey_g_keys 3.0\n" in metrics
        assert c.request("/", method="PURGE", headers={"xkey": "p1"}).reason == "gone 2"
        wait_equal(lambda: counters()["XKEY.g_keys"], 2, "/p2 is left, with p2 and shop")
        assert c.request("/", method="PURGE", headers={"xkey": "shop"}).reason == "gone 1"
        wait_equal(lambda: [counters()[f"XKEY.g_{name}"] for name in ("keys", "oc_bytes")], [0, 0])
