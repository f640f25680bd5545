"""Variables and parameters of Varnish 7.2 to 9, tested by their effects. tests/data/varnish9.toml lists all names."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from proxy.daemon import SYNTH, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serve, serving
from proxy.test_delivery import PAGE, page, policy
from proxy.test_limits import log_of
from proxy.test_supervision import Start
from proxy.test_variables import counted


def test_req_max_age_is_req_ttl_and_may_be_unset() -> None:
    origin, _ = counted()
    text = """sub vcl_recv {
        set req.max_age = 0s; set req.grace = 0s;
        if (req.http.unset == "ttl") { unset req.ttl; }
        if (req.http.unset == "max_age") { unset req.max_age; unset req.grace; }
        set req.http.limits = req.ttl + " " + req.grace;
    }
    sub vcl_deliver { set resp.http.limits = req.http.limits; }"""
    with origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert [c.request("/").body, c.request("/").body] == [b"1", b"2"]
        assert c.request("/", headers={"unset": "ttl"}).body == b"2"
        r = c.request("/", headers={"unset": "max_age"})
        assert (r.body, r.get("limits")) == (b"2", "-1.000 -1.000")


def test_unset_timeouts_are_those_of_the_parameters() -> None:
    sessions = ("timeout_idle", "timeout_linger", "idle_send_timeout", "send_timeout")
    fetches = ("connect_timeout", "first_byte_timeout", "between_bytes_timeout")
    def lines(unit: str, names: tuple[str, ...]) -> str:
        return "".join(f"set {unit}.{n} = 99s; unset {unit}.{n}; set req.http.got = req.http.got + {unit}.{n} + \" \";" if unit == "sess"
                       else f"set {unit}.{n} = 99s; unset {unit}.{n}; set bereq.http.got = bereq.http.got + {unit}.{n} + \" \";" for n in names)
    text = f"""sub vcl_recv {{ {lines("sess", sessions)} return (pass); }}
               sub vcl_backend_fetch {{ {lines("bereq", fetches)} }}"""
    args = [f"-p{name}={i + 1}" for i, name in enumerate((*sessions, *fetches))]
    with Origin(page) as origin, serve(policy(origin, text), args) as port:
        assert fetch(port, "/").status == 200
        (sent,) = origin.requests
        assert sent.headers["got"].split() == [f"{i + 1}.000" for i in range(7)]


def test_the_key_is_known_in_vcl_synth_and_vcl_pipe() -> None:
    text = """import blob;
        sub vcl_recv { if (req.method == "PIPE") { return (pipe); } return (hash); }
        sub vcl_hash { hash_data("k"); return (lookup); }
        sub vcl_miss { return (synth(200)); }
        sub vcl_synth { set resp.http.key = blob.encode(HEX, blob = req.hash); }
        sub vcl_pipe { set bereq.http.key = blob.encode(HEX, blob = req.hash); }"""
    with Origin(lambda _: Reply(close=True)) as origin, serve(policy(origin, text)) as port:
        known = fetch(port, "/").get("key") or ""
        assert len(known) == 64 and known.strip("0")
        fetch(port, "/", method="PIPE")
        assert len(origin.requests[0].headers["key"]) == 64


def tunnel(origin: Origin, port: int) -> float:
    """Seconds that a pipe lasted which always carried bytes."""
    with Client(port) as c:
        c.send(b"PIPE / HTTP/1.1\r\nHost: a\r\n\r\n")
        began = time.monotonic()
        while c.sock.recv(1000):
            c.send(b"more")
        return time.monotonic() - began


@pytest.mark.parametrize(("statement", "parameter"), [("set bereq.task_deadline = 0.4s;", "0"), ("", "0.4"),
                                                      ("set bereq.task_deadline = 99s; unset bereq.task_deadline;", "0.4")])
def test_a_pipe_ends_at_its_deadline_whatever_it_carries(statement: str, parameter: str) -> None:
    ended = threading.Event()

    def ticks(_: Request) -> Reply:
        def tick() -> bytes | None:
            return None if ended.wait(0.02) else b"tick"
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\n\r\n", *[tick] * 1000])
    text = f"""sub vcl_recv {{ return (pipe); }} sub vcl_pipe {{ {statement} set bereq.http.deadline = bereq.task_deadline; }}"""
    try:
        with Origin(ticks) as origin, serving(policy(origin, text), ["-p", f"pipe_task_deadline={parameter}"]) as d:
            assert 0.3 < tunnel(origin, d.port) < 10
            assert origin.requests[0].headers["deadline"] == "0.400"
            ended.set()
    finally:
        ended.set()


def test_retry_connect_is_about_connections_of_the_pool() -> None:
    text = """sub vcl_recv { return (pass); }
        sub vcl_backend_fetch { if (bereq.http.once) { set bereq.retry_connect = false; } }
        sub vcl_backend_error { set beresp.http.tried = bereq.retry_connect; }"""
    seen: list[str] = []

    def closes_first(r: Request) -> Reply:
        seen.append(r.url)
        return Reply(body=b"ok") if r.url == "/warm" or seen.count(r.url) > 1 else Reply(pieces=[lambda: None])
    with Origin(closes_first) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/warm").body == b"ok"
        assert (c.request("/again").body, seen.count("/again")) == (b"ok", 2)
        assert c.request("/warm").body == b"ok"
        r = c.request("/once", headers={"once": "1"})
        assert (r.status, r.get("tried"), seen.count("/once")) == (503, "false", 1)


def test_transit_buffer_of_one_response() -> None:
    sent = [0]

    def endless(_: Request) -> Reply:
        def piece() -> bytes:
            sent[0] += 1
            return bytes(65536)
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", *[piece] * 15000])
    text = """sub vcl_recv { return (pass); }
        sub vcl_backend_response { set beresp.transit_buffer = 128KB; set beresp.http.buffer = beresp.transit_buffer; }"""
    with Origin(endless) as origin, serving(policy(origin, text), ["-p", "transit_buffer=900m", "-s", "Transient=malloc,2g"]) as d, \
            Client(d.port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert c.head().get("buffer") == "131072"
        wait_until(lambda: rests(sent), "the origin's response stands still")
        assert sent[0] < 400                # 25 MB: buffers of sockets


def rests(sent: list[int]) -> bool:
    before = sent[0]
    time.sleep(0.3)
    return 0 < sent[0] == before


def test_the_builtin_policy_marks_for_uncacheable_ttl() -> None:
    with Origin(lambda _: Reply(headers=PAGE | {"Set-Cookie": "a=b"})) as origin, \
            serving(policy(origin, ""), ["-p", "uncacheable_ttl=45"]) as d, Client(d.port) as c:
        assert c.request("/").status == 200
        wait_until(lambda: any(t.startswith("VCL 45 ") for t in log_of(d, "TTL")), "the TTL record of a marker")


def test_rfc_ttl_judges_the_response_as_it_is_now() -> None:
    text = """import std;
        sub vcl_backend_response {
            set beresp.ttl = 1s;
            if (bereq.url == "/longer") { set beresp.http.Cache-Control = "max-age=500, stale-while-revalidate=70"; }
            if (bereq.url == "/error") { set beresp.status = 500; }
            std.rfc_ttl();
            set beresp.http.times = beresp.ttl + " " + beresp.grace;
        }"""
    origin = Origin(lambda _: Reply(headers={"Cache-Control": "max-age=60", "Age": "10"}))
    with origin, serve(policy(origin, text), ["-p", "default_grace=9"]) as port, Client(port) as c:
        assert c.request("/same").get("times") == "50.000 9.000"
        assert c.request("/longer").get("times") == "490.000 70.000"
        assert c.request("/error").get("times") == "-10.000 9.000"    # not fresh, for 10 s already


def answer_to_a_large_head(d: Daemon) -> bytes:
    with socket.create_connection(("127.0.0.1", d.port), 10) as s:
        s.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 40_000 + b"\r\n\r\n")
        return s.recv(1000)[:12]


def test_the_status_of_a_head_that_is_too_large(start_daemon: Start) -> None:
    daemon = start_daemon(SYNTH.format(word="x"))
    daemon.ok("param.set http_req_overflow_status 400")
    assert answer_to_a_large_head(daemon) == b"HTTP/1.1 400"
    daemon.ok("param.set http_req_overflow_status 0")
    assert answer_to_a_large_head(daemon) == b""
    assert "Must be at least 400" in daemon.cli("param.set http_req_overflow_status 200")[1]


def test_a_worker_has_startup_timeout_for_its_start(start_daemon: Start) -> None:
    text = 'vcl 4.1; import vtc; backend default none; sub vcl_init { vtc.sleep(2.5s); } sub vcl_recv { return (synth(200)); }'
    d = start_daemon(text, ["-p", "cli_timeout=1", "-p", "ping_interval=1", "-p", "startup_timeout=100"])
    assert fetch(d.port, "/").status == 200 and not d.status["last_death"]


def test_never_is_a_duration(start_daemon: Start) -> None:
    daemon = start_daemon(SYNTH.format(word="x"))
    daemon.ok("param.set timeout_idle never")
    assert "Value is: never [seconds]" in daemon.ok("param.show timeout_idle")
    assert fetch(daemon.port, "/").status == 200


def test_vcc_feature_has_the_parameters_of_the_compiler_as_bits(daemon: Daemon) -> None:
    daemon.ok("param.set vcc_feature -err_unref,-unsafe_path")
    assert "Value is: off" in daemon.ok("param.show vcc_err_unref") and "Value is: off" in daemon.ok("param.show vcc_unsafe_path")
    daemon.ok("param.set vcc_feature default")
    assert "Value is: on" in daemon.ok("param.show vcc_err_unref") and "Value is: on" in daemon.ok("param.show vcc_unsafe_path")
    assert "Unknown vcc_feature bit (+none_such)" in daemon.cli("param.set vcc_feature +none_such")[1]
