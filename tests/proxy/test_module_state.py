"""State of modules and of the policy across restarts, retries, rollbacks and switches to a label."""

from __future__ import annotations

from pathlib import Path

from proxy.daemon import Daemon
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serve
from proxy.test_delivery import PAGE, page, policy

IMPORTS = "import cookie; import header; import std; import var;\n"
REMEMBER = 'cookie.parse("a=1"); var.set("kept", "yes");'
REMEMBERED = 'cookie.get_string() + "|" + var.get("kept")'


def test_copied_fields_outlive_the_response_they_came_from() -> None:
    secret = "stored-" * 300

    def answer(r: Request) -> Reply:
        return Reply(body=b"x", headers=PAGE | {"X-Key": secret if r.url == "/first" else "other"})
    text = IMPORTS + """
        sub vcl_recv { if (req.restarts > 0) { set req.url = "/second"; } if (req.http.pass) { return (pass); } }
        sub vcl_hit { header.copy(obj.http.X-Key, req.http.From-Obj); }
        sub vcl_deliver {
            if (req.restarts == 0 && req.http.again) { header.copy(resp.http.X-Key, req.http.From-Resp); return (restart); }
            set resp.http.From-Resp = req.http.From-Resp;
            set resp.http.From-Obj = req.http.From-Obj;
        }"""
    with Origin(answer) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/first", headers={"again": "1", "pass": "1"}).get("from-resp") == secret
        c.request("/first")
        assert c.request("/first", headers={"again": "1"}).get("from-obj") == secret


def test_rollback_clears_the_state_of_modules() -> None:
    text = IMPORTS + f"""
        sub vcl_recv {{ {REMEMBER} set req.http.gone = "1"; std.rollback(req); set req.http.seen = {REMEMBERED}; }}
        sub vcl_backend_fetch {{ {REMEMBER} set bereq.http.before = {REMEMBERED}; std.rollback(bereq); set bereq.http.origin-seen = {REMEMBERED}; }}
        sub vcl_deliver {{ set resp.http.seen = req.http.seen; }}"""
    with Origin(page) as origin, serve(policy(origin, text)) as port:
        assert fetch(port, "/").get("seen") == "|"
        assert origin.requests[0].headers["origin-seen"] == "|"
        assert "before" not in origin.requests[0].headers


def test_restarts_and_retries_keep_the_state_of_modules() -> None:
    text = IMPORTS + f"""
        sub vcl_recv {{ if (req.restarts == 0) {{ {REMEMBER} }} else {{ set req.http.seen = {REMEMBERED}; }} }}
        sub vcl_backend_fetch {{ if (bereq.retries == 0) {{ {REMEMBER} }} else {{ set bereq.http.origin-seen = {REMEMBERED}; }} }}
        sub vcl_backend_response {{ if (bereq.retries == 0) {{ return (retry); }} }}
        sub vcl_deliver {{ if (req.restarts == 0) {{ return (restart); }} set resp.http.seen = req.http.seen; }}"""
    with Origin(page) as origin, serve(policy(origin, text)) as port:
        assert fetch(port, "/").get("seen") == "a=1;|yes"
        assert origin.requests[1].headers["origin-seen"] == "a=1;|yes"


def test_a_labelled_policy_starts_without_state_of_modules(tmp_path: Path) -> None:
    synth = f'vcl 4.1; {IMPORTS} backend default none; sub vcl_recv {{ return (synth(200)); }} sub vcl_synth {{ set resp.http.seen = {REMEMBERED}; }}'
    first = f'vcl 4.1; {IMPORTS} backend default none; sub vcl_recv {{ {REMEMBER} return (vcl(there)); }}'
    with Daemon(tmp_path, synth) as d:
        d.ok("vcl.label there boot")
        d.serve("first", first)
        assert fetch(d.port, "/").get("seen") == "|"


def test_a_retry_resets_variables_of_the_earlier_response() -> None:
    text = """
        sub vcl_backend_fetch { if (bereq.retries == 0) { set bereq.first_byte_timeout = 7s; } set bereq.http.wait = bereq.first_byte_timeout; }
        sub vcl_backend_response {
            if (bereq.retries == 0) {
                set beresp.do_esi = true; set beresp.do_gzip = true; set beresp.do_gunzip = true; set beresp.filters = "esi"; set beresp.do_stream = false;
                return (retry);
            }
            set beresp.http.said = beresp.do_esi + " " + beresp.do_gzip + " " + beresp.do_gunzip + " [" + beresp.filters + "] " + beresp.do_stream;
        }"""
    with Origin(lambda _: Reply(body=b"<esi:include src='/x'/>", headers=PAGE)) as origin, serve(policy(origin, text)) as port:
        r = fetch(port, "/")
        assert r.get("said") == "false false false [] true"
        assert r.body == b"<esi:include src='/x'/>"
        assert [q.headers["wait"] for q in origin.requests] == ["7.000", "60.000"]
