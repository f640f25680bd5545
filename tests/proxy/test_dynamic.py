"""Backends whose names are looked up while the policy runs, through the whole proxy."""

from __future__ import annotations

from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serve

RULES = """vcl 4.1;
import dynamic;
backend default none;
sub vcl_init {{ new names = dynamic.director(port = "{port}", ttl = 10s, retry_after = 10s); }}
sub vcl_recv {{ set req.backend_hint = names.backend(req.http.X-Origin); return (pass); }}
sub vcl_backend_response {{ set beresp.http.X-Backend = beresp.backend; }}
"""


def test_an_origin_is_found_by_a_name_of_the_request() -> None:
    def page(r: Request) -> Reply:
        return Reply(body=b"found")
    with Origin(page) as origin, serve(RULES.format(port=origin.port)) as port, Client(port) as c:
        for name in ("127.0.0.1", "127.1", "127.0.0.1"):
            r = c.request("/", headers={"X-Origin": name})
            assert (r.body, r.get("X-Backend")) == (b"found", f"names(127.0.0.1:{origin.port})")
        assert c.request("/", host="127.0.0.1").body == b"found"        # the Host field, when nothing is said
        assert origin.connections == 1                                  # all names of an address share its backend
        assert c.request("/", headers={"X-Origin": "a" * 300}).status == 503
        assert c.request("/", headers={"X-Origin": "!"}).status == 503  # no name: asks nobody
