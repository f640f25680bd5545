"""Variables that a policy sets, tested by their effects on clients and origins.

Lifetimes, streaming, status and timeouts towards the origin are in the tests of caching, hooks and origin
failures.
"""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor

from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serve, serving
from proxy.test_caching import wait_for
from proxy.test_delivery import PAGE, page, policy


def counted() -> tuple[Origin, list[int]]:
    """An origin whose responses are numbered."""
    numbers: list[int] = []

    def answer(_: Request) -> Reply:
        numbers.append(len(numbers) + 1)
        return Reply(body=b"%d" % numbers[-1], headers=PAGE)
    return Origin(answer), numbers


def test_hash_always_miss_fetches_and_replaces() -> None:
    origin, _ = counted()
    with origin, serve(policy(origin, "sub vcl_recv { if (req.http.fresh) { set req.hash_always_miss = true; } }")) as port, Client(port) as c:
        assert [c.request("/").body, c.request("/").body] == [b"1", b"1"]
        assert c.request("/", headers={"fresh": "1"}).body == b"2"
        assert c.request("/").body == b"2"


def test_hash_ignore_busy_does_not_wait_for_another_fetch() -> None:
    go = threading.Event()

    def first_waits(r: Request) -> Reply:
        if "impatient" not in r.headers:
            go.wait(10)
        return page(r)
    with Origin(first_waits) as origin, ThreadPoolExecutor(1) as pool, \
            serve(policy(origin, "sub vcl_recv { if (req.http.impatient) { set req.hash_ignore_busy = true; } }")) as port, Client(port) as c:
        patient = pool.submit(fetch, port, "/one")
        wait_for(lambda: origin.count("/one") == 1)
        assert c.request("/one", headers={"impatient": "1"}).status == 200    # while the first request waits
        assert not patient.done()
        go.set()
        assert patient.result().status == 200


def test_hash_ignore_vary_takes_any_variant() -> None:
    def varied(r: Request) -> Reply:
        return Reply(body=r.headers["x-lang"].encode(), headers=PAGE | {"Vary": "X-Lang"})
    with Origin(varied) as origin, \
            serve(policy(origin, "sub vcl_recv { if (req.http.any) { set req.hash_ignore_vary = true; } }")) as port, Client(port) as c:
        assert c.request("/", headers={"X-Lang": "de"}).body == b"de"
        assert c.request("/", headers={"X-Lang": "fr", "any": "1"}).body == b"de"
        assert c.request("/", headers={"X-Lang": "fr"}).body == b"fr"


def test_req_ttl_limits_the_age_a_request_accepts() -> None:
    origin, _ = counted()
    with origin, serve(policy(origin, "sub vcl_recv { if (req.http.now) { set req.ttl = 0s; set req.grace = 0s; } }")) as port, Client(port) as c:
        assert c.request("/").body == b"1"
        assert c.request("/", headers={"now": "1"}).body == b"2"
        assert c.request("/").body == b"2"


def test_req_grace_limits_stale_responses() -> None:
    origin, _ = counted()
    text = """sub vcl_recv { if (req.http.exact) { set req.grace = 0s; } }
              sub vcl_backend_response { set beresp.ttl = 0.02s; set beresp.grace = 1h; }
              sub vcl_hit { set req.http.left = obj.ttl; }
              sub vcl_deliver { set resp.http.left = req.http.left; }"""
    with origin, serve(policy(origin, text)) as port, Client(port) as c:
        wait_for(lambda: (c.request("/").get("left") or "").startswith("-"))    # a stale response is served
        # a miss, when the response is stale again
        wait_for(lambda: c.request("/", headers={"exact": "1"}).get("left") == "")
        assert not (c.request("/", headers={"exact": "1"}).get("left") or "").startswith("-")


def test_client_identity_is_the_address_until_it_is_set() -> None:
    text = """sub vcl_recv { if (req.http.who) { set client.identity = req.http.who; } return (pass); }
              sub vcl_backend_fetch { set bereq.http.identity = client.identity; }"""
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        c.request("/")
        c.request("/", headers={"who": "eve"})
        assert [r.headers["identity"] for r in origin.requests] == ["127.0.0.1", "eve"]


def test_parts_of_the_request_to_the_origin() -> None:
    text = 'sub vcl_backend_fetch { set bereq.method = "OPTIONS"; set bereq.url = "/other"; set bereq.proto = "HTTP/1.0"; }'
    with Origin(page) as origin, serve(policy(origin, text).replace("vcl 4.1", "vcl 4.0")) as port:
        fetch(port, "/")
        seen = origin.requests[0]
        assert (seen.method, seen.url, seen.proto) == ("OPTIONS", "/other", "HTTP/1.0")


def test_connect_timeout_of_a_fetch() -> None:
    with socket.socket() as full, socket.socket() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)                  # one connection fills its queue, so the next one gets no answer
        waiting.connect(full.getsockname())
        text = f"""vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{full.getsockname()[1]}"; .connect_timeout = 1h; }}
                   sub vcl_backend_fetch {{ set bereq.connect_timeout = 0.1s; }}"""
        with serve(text) as port:
            assert fetch(port, "/").status == 503


def test_a_session_may_be_idle_for_timeout_idle() -> None:
    text = "sub vcl_recv { if (req.http.short) { set sess.timeout_idle = 0.1s; } }"
    with Origin(page) as origin, serve(policy(origin, text), ["-p", "timeout_idle=3600"]) as port, Client(port) as c:
        assert c.request("/").status == 200
        assert c.request("/", headers={"short": "1"}).status == 200
        assert c.closed()


def large(_: Request) -> Reply:
    return Reply(body=bytes(20_000_000), headers=PAGE)


def cut_short(variable: str) -> bool:
    """Whether a client that does not read is disconnected after the time in ``variable``."""
    with Origin(large) as origin, serving(policy(origin, f"sub vcl_deliver {{ set sess.{variable} = 0.2s; }}"),
                                          ["-p", "send_timeout=3600", "-p", "idle_send_timeout=3600"]) as d, Client(d.port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_for(lambda: origin.count("/") == 1)
        wait_for(lambda: d.counters["VERNIS.sess_live"] == 0)      # meanwhile, the client reads nothing
        received = 0
        try:
            while data := c.sock.recv(1 << 20):
                received += len(data)
        except ConnectionResetError:
            pass
        return received < 20_000_000


def test_a_client_that_does_not_read_is_disconnected() -> None:
    assert cut_short("send_timeout")
    assert cut_short("idle_send_timeout")


def test_storage_hint_selects_a_storage() -> None:
    text = """sub vcl_backend_response {
                  set beresp.storage_hint = "other";
                  set beresp.http.where = beresp.storage;
                  set beresp.storage_hint = "none.of.these";
                  set beresp.http.still = beresp.storage_hint;
              }"""
    with Origin(page) as origin, serve(policy(origin, text).replace("vcl 4.1", "vcl 4.0"), ["-s", "main=malloc,1m", "-s", "other=malloc,1m"]) as port:
        answer = fetch(port, "/")
        assert (answer.get("where"), answer.get("still")) == ("storage.other", "storage.other")


def test_unknown_filters_fail_the_transaction() -> None:
    text = """sub vcl_backend_response { if (bereq.http.in) { set beresp.filters = bereq.http.in; } }
              sub vcl_deliver { if (req.http.out) { set resp.filters = req.http.out; } }"""
    with Origin(page) as origin, serve(policy(origin, text)) as port:
        assert fetch(port, "/a", headers={"in": "gunzip esi"}).status == 200
        assert fetch(port, "/b", headers={"in": "gunzip sepia"}).status == 503
        assert fetch(port, "/a", headers={"out": "sepia"}).status == 503
        assert fetch(port, "/a", headers={"out": "range", "Range": "bytes=0-0"}).status == 206
        assert fetch(port, "/a", headers={"out": " ", "Range": "bytes=0-0"}).status == 200
