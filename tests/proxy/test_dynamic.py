"""Backends whose names are resolved while the policy runs, tested through the whole proxy."""

from __future__ import annotations

from proxy.daemon import wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serve, serving

RULES = """vcl 4.1;
import dynamic;
backend default none;
sub vcl_init {{ new names = dynamic.director(port = "{port}", ttl = 10s, retry_after = 10s); }}
sub vcl_recv {{ set req.backend_hint = names.backend(req.http.X-Origin); return (pass); }}
sub vcl_backend_response {{ set beresp.http.X-Backend = beresp.backend; }}
"""


def test_a_name_in_the_request_selects_the_origin() -> None:
    def page(r: Request) -> Reply:
        return Reply(body=b"found")
    with Origin(page) as origin, serve(RULES.format(port=origin.port)) as port, Client(port) as c:
        for name in ("127.0.0.1", "127.1", "127.0.0.1"):
            r = c.request("/", headers={"X-Origin": name})
            assert (r.body, r.get("X-Backend")) == (b"found", f"names(127.0.0.1:{origin.port})")
        assert c.request("/", host="127.0.0.1").body == b"found"        # the Host field is the default name
        assert origin.connections == 1    # all names of an address share its backend
        assert c.request("/", headers={"X-Origin": "a" * 300}).status == 503
        assert c.request("/", headers={"X-Origin": "!"}).status == 503  # not a name: no backend is asked


PROBED = """vcl 4.1;
import dynamic;
backend default none;
probe alive {{ .url = "/alive"; .interval = 0.1s; .timeout = 20s; .window = 1; .threshold = 1; .initial = 0; }}
acl here {{ "127.0.0.0"/8; !"127.0.0.5"; }}
sub vcl_init {{
    new names = dynamic.director(port = "{port}", share = HOST, probe = alive, whitelist = here, ttl = 10s);
    names.debug(true);
}}
sub vcl_recv {{ set req.backend_hint = names.backend(req.http.X-Origin); return (pass); }}
sub vcl_backend_response {{ set beresp.http.X-Backend = beresp.backend; }}
"""


def test_resolved_backends_are_probed_and_restricted_to_an_acl() -> None:
    def page(r: Request) -> Reply:
        return Reply(body=b"found", close=r.url == "/alive")
    with Origin(page) as origin, serving(PROBED.format(port=origin.port)) as d, Client(d.port) as c:
        def found() -> bool:
            return c.request("/", headers={"X-Origin": "127.0.0.1"}).status == 200
        wait_until(found, "the probe finds the backend healthy")
        # with share = HOST, each name has its own backends, whose probes send the name as Host
        assert origin.seen("/alive")[0].headers["host"] == "127.0.0.1"
        assert c.request("/", headers={"X-Origin": "127.0.0.1"}).get("X-Backend") == f"names.127.0.0.1(127.0.0.1:{origin.port})"
        assert f"boot.names.127.0.0.1(127.0.0.1:{origin.port})" in d.ok("backend.list")
        assert c.request("/", headers={"X-Origin": "127.0.0.5"}).status == 503
        d.ok("backend.set_health names* sick")
        assert c.request("/", headers={"X-Origin": "127.0.0.1"}).status == 503
