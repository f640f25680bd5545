"""Purges by surrogate keys, through the whole proxy."""

from __future__ import annotations

from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serve
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


def test_what_has_the_key_is_fetched_anew() -> None:
    with Origin(product) as origin, serve(policy(origin, RULES)) as port, Client(port) as c:
        for url in ("/p1", "/p2", "/page", "/p1", "/p2", "/page"):
            assert c.request(url).status == 200
        assert [origin.count(url) for url in ("/p1", "/p2", "/page")] == [1, 1, 1]
        assert c.request("/", method="PURGE", headers={"xkey": "p1"}).reason == "gone 2"        # /p1 and /page
        for url in ("/p1", "/p2", "/page"):
            assert c.request(url).status == 200
        assert [origin.count(url) for url in ("/p1", "/p2", "/page")] == [2, 1, 2]
        assert c.request("/", method="SOFT", headers={"xkey": "shop none"}).reason == "stale 2"
        assert c.request("/", method="SOFT", headers={"xkey": "shop"}).reason == "stale 0"
        assert c.request("/", method="PURGE").reason == "gone 0"                                # no key given
