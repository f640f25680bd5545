"""Effects of variables and parameters that no other test shows. tests/data/effects.toml lists them."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy import daemon as daemon_module
from proxy.daemon import START_S, SYNTH, VERNISD, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import PAGE, policy
from proxy.test_limits import log_of, needs_varnishstat

DATE = r"\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT"
DIGEST = r"[0-9a-f]{64}"

# (expression, hook) and the pattern of its text for GET /a with `Host: example.com` and `Accept-Encoding:
# gzip`.
READ = {
    "recv": {
        "client.ip": "127.0.0.1", "client.identity": "127.0.0.1", "server.ip": "127.0.0.1", "remote.ip": "127.0.0.1", "local.ip": "127.0.0.1",
        "local.endpoint": r"127.0.0.1:\d+", "local.socket": "a0", "server.identity": "tester", "server.hostname": r"\S+",
        "req.can_gzip": "true", "req.esi_level": "0", "req.grace": "-1.000", "req.ttl": "-1.000", "req.hash_always_miss": "false",
        "req.hash_ignore_busy": "false", "req.hash_ignore_vary": "false", "req.is_hitmiss": "false", "req.is_hitpass": "false",
        "req.method": "GET", "req.proto": "HTTP/1.1", "req.restarts": "0", "req.storage": "", "req.time": DATE, "req.transport": "HTTP/1",
        "req.url": "/a", "req.xid": r"\d+", "req_top.http.Host": "example.com", "req_top.method": "GET", "req_top.proto": "HTTP/1.1",
        "req_top.time": DATE, "req_top.url": "/a", "req.http.Host": "example.com", "now": DATE, "sess.idle_send_timeout": "60.000",
        "sess.send_timeout": "600.000", "sess.timeout_idle": "5.000", "sess.timeout_linger": "0.050", "sess.xid": r"\d+",
        "storage.s0.free_space": r"\d+", "storage.s0.used_space": r"\d+", "storage.s0.happy": "true", "req.backend_hint": "default",
        "storage.Transient.free_space": r"999999999999999(\.000)?", "req.max_age": "-1.000",
        "param.backend_idle_timeout": "60.000", "param.backend_wait_limit": "0", "param.backend_wait_timeout": "0.000",
        "param.between_bytes_timeout": "60.000", "param.connect_timeout": "3.500", "param.default_grace": "7.000", "param.default_keep": "8.000",
        "param.default_ttl": "120.000", "param.first_byte_timeout": "60.000", "param.idle_send_timeout": "60.000", "param.max_esi_depth": "5",
        "param.max_restarts": "4", "param.max_retries": "4", "param.pipe_task_deadline": "0.000", "param.pipe_timeout": "60.000",
        "param.send_timeout": "600.000", "param.shortlived": "10.000", "param.timeout_idle": "5.000", "param.transit_buffer": "1048576",
        "param.uncacheable_ttl": "120.000",
    },
    "backend_response": {
        "bereq.backend": "default", "bereq.between_bytes_timeout": "60.000", "bereq.connect_timeout": "3.500",
        "bereq.first_byte_timeout": "60.000", "blob.encode(HEX, blob = bereq.hash)": DIGEST, "bereq.http.Host": "example.com",
        "bereq.is_bgfetch": "false", "bereq.is_hitmiss": "false", "bereq.is_hitpass": "false", "bereq.method": "GET",
        "bereq.proto": "HTTP/1.1", "bereq.retries": "0", "bereq.time": DATE, "bereq.uncacheable": "false", "bereq.url": "/a", "bereq.xid": r"\d+",
        "beresp.age": "0.000", "beresp.backend": "default", "beresp.backend.name": "default", "beresp.do_stream": "true",
        "beresp.grace": "7.000", "beresp.keep": "8.000", "beresp.http.Cache-Control": "max-age=60", "beresp.proto": "HTTP/1.1",
        "beresp.reason": "Scripted", "beresp.status": "200", "beresp.storage": "storage.s0", "beresp.time": DATE, "beresp.ttl": "60.000",
        "beresp.uncacheable": "false", "beresp.was_304": "false", "bereq.retry_connect": "true", "beresp.transit_buffer": "1048576",
    },
    "deliver": {
        "blob.encode(HEX, blob = req.hash)": DIGEST, "obj.age": r"0\.\d+", "obj.grace": "7.000", "obj.hits": "0", "obj.keep": "8.000",
        "obj.storage": "storage.s0", "obj.time": DATE, "obj.ttl": r"(59|60)\.\d+", "obj.uncacheable": "false", "resp.http.X-Own": "kept",
        "resp.is_streaming": "(true|false)", "resp.proto": "HTTP/1.1", "resp.reason": "Scripted", "resp.status": "200", "resp.time": DATE,
        "resp.filters": "",
    },
    "hit": {"obj.http.X-Own": "kept", "obj.proto": "HTTP/1.1", "obj.reason": "Scripted", "obj.status": "200"},
}
FIELD = {"recv": "req", "backend_response": "beresp", "deliver": "resp", "hit": "req"}


def reading() -> str:
    """A policy that writes each value into a field of the response."""
    subs = "import blob; sub vcl_hash { hash_data(req.url); return (lookup); } "
    for hook, rows in READ.items():
        shown = " ".join(f'set {FIELD[hook]}.http.V-{hook.replace("_", "-")}-{i} = "" + {name};' for i, name in enumerate(rows))
        subs += f"sub vcl_{hook} {{ {shown} }} "
    moved = " ".join(f"set resp.http.V-{hook}-{i} = req.http.V-{hook}-{i};" for hook in ("recv", "hit") for i in range(len(READ[hook])))
    return f"{subs} sub vcl_deliver {{ {moved} }}"


def own(_: Request) -> Reply:
    return Reply(body=b"x" * 1000, headers=PAGE | {"X-Own": "kept"})


def test_variables_have_their_values() -> None:
    options = ["-p", "default_grace=7", "-p", "default_keep=8", "-p", "http_max_hdr=256", "-i", "tester", "-p", "debug=+test_clock"]
    with Origin(own) as origin, serving(policy(origin, reading()), options, sanitized=False) as d, Client(d.port) as c:
        d.ok("debug.clock 1700000000")          # ages and lifetimes do not depend on the speed of this machine
        first, second = (c.request("/a", headers={"Accept-Encoding": "gzip"}) for _ in range(2))
        wrong = []
        for hook, rows in READ.items():
            answer = second if hook == "hit" else first
            for i, (name, pattern) in enumerate(rows.items()):
                value = answer.get(f'v-{hook.replace("_", "-")}-{i}') or ""
                wrong += [] if re.fullmatch(pattern, value) else [(hook, name, value)]
        assert wrong == []
        assert c.request("/b", headers={"Accept-Encoding": "br"}).get("v-recv-9") == "false"    # req.can_gzip


WRITE_40 = """
import std;
sub vcl_recv {
    set req.proto = "HTTP/1.0"; unset req.http.Drop; set req.http.X-Esi = req.esi;
    if (req.url == "/unset") {
        set req.storage = storage.other; set req.http.X-Before = storage.other.used_space;
        std.cache_req_body(1KB); set req.http.X-After = storage.other.used_space;
        return (pass);
    }
}
sub vcl_hash { hash_data(req.proto); }
sub vcl_backend_fetch { unset bereq.body; unset bereq.http.Also; }
sub vcl_backend_response {
    set beresp.proto = "HTTP/1.0"; set beresp.reason = "Renamed"; unset beresp.http.X-Own; set beresp.storage = storage.other;
    set beresp.http.X-Ip = beresp.backend.ip; set beresp.http.X-Proto = beresp.proto;
}
sub vcl_deliver { set resp.http.X-Req = req.proto; set resp.http.X-Storage = "" + obj.storage; set resp.proto = "HTTP/1.0";
    set resp.http.X-Esi = req.http.X-Esi; set resp.http.X-Before = req.http.X-Before; set resp.http.X-After = req.http.X-After;
}
"""


def test_setting_or_unsetting_variables_changes_messages() -> None:
    with Origin(own) as origin:
        text = policy(origin, WRITE_40).replace("vcl 4.1", "vcl 4.0")
        with serving(text, ["-s", "s0=malloc,20m", "-s", "other=malloc,10m"], sanitized=False) as d, Client(d.port) as c:
            r = c.request("/unset", method="POST", body=b"content", headers={"Drop": "1", "Also": "1"})
            (sent,) = origin.requests
            # unset req.http, bereq.http, bereq.body
            assert "drop" not in sent.headers and "also" not in sent.headers and sent.body == b""
            assert (r.get("x-ip"), r.get("x-proto"), r.get("x-req")) == ("127.0.0.1", "HTTP/1.0", "HTTP/1.0")
            assert r.reason == "Renamed" and r.get("x-own") is None
            assert r.get("x-esi") == "true"                                         # req.esi
            # req.storage contains the request body
            assert float(r.get("x-before") or -1) == 0 < float(r.get("x-after") or 0)
            assert c.request("/kept").get("x-storage") == "storage.other"           # beresp.storage


# ---- parameters --------------------------------------------------------------------------------------------

UNUSED = 'vcl 4.1; backend default none; acl forgotten { "192.0.2.1"; }'


def test_parameters_of_the_compiler_have_an_effect(daemon: Daemon) -> None:
    def load(name: str, text: str) -> int:
        return daemon.cli(f"vcl.inline {name} << %END%\n{text}\n%END%")[0]

    assert load("a", UNUSED) == 106
    daemon.ok("param.set vcc_err_unref off")
    assert load("a", UNUSED) == 200
    included = daemon.log_path.parent / "part.vcl"
    included.write_text("")
    including = f'vcl 4.1; backend default none; include "{included}";'
    assert load("b", including) == 200
    daemon.ok("param.set vcc_unsafe_path off")
    assert load("c", including) == 106


def answering(request: Request) -> Reply:
    size = int(request.headers.get("x-size", "0"))
    if request.url == "/ttl":
        return Reply(body=b"without a lifetime")
    return Reply(body=b"0123456789", headers=PAGE | {"X-Long": "x" * size, "X-Coding": request.headers.get("accept-encoding", "")})


MATCHING = """
sub vcl_recv { if (req.url ~ "^/(a+)+$") { return (synth(418)); } set req.http.Big = req.http.Long + req.http.Long + req.http.Long; }
sub vcl_deliver { set resp.http.X-Ttl = obj.ttl; }
"""


def test_parameters_of_requests_have_an_effect() -> None:
    with Origin(answering) as origin, serving(policy(origin, MATCHING), sanitized=False) as d:
        def status(url: str, **headers: str) -> int:
            with Client(d.port) as c:
                return c.request(url, headers={name.replace("_", "-"): value for name, value in headers.items()}).status

        def with_param(setting: str, url: str, **headers: str) -> int:
            name = setting.split()[0]
            d.ok(f"param.set {setting}")
            result = status(url, **headers)
            d.ok(f"param.reset {name}")
            return result

        assert status("/r", Range="bytes=0-3") == 206
        assert with_param("http_range_support off", "/r", Range="bytes=0-3") == 200
        assert status("/h1", X_Size="6000") == 200 and with_param("http_resp_hdr_len 1k", "/h2", X_Size="6000") == 503
        assert with_param("http_resp_size 1k", "/h3", X_Size="6000") == 503
        assert status("/w1", Long="x" * 7000) == 200 and with_param("workspace_client 24k", "/w2", Long="x" * 7000) != 200
        assert with_param("http_req_hdr_len 1k", "/w3", Long="x" * 7000) in (400, 431)
        assert status("/" + "a" * 50) == 418
        d.ok("param.set http_gzip_support off")
        with Client(d.port) as c:
            assert c.request("/z1", headers={"Accept-Encoding": "br, gzip"}).get("x-coding") == "br, gzip"
            d.ok("param.set http_gzip_support on")
            assert c.request("/z2", headers={"Accept-Encoding": "br, gzip"}).get("x-coding") == "gzip"
            d.ok("param.set default_ttl 33")
            assert 3 < float(c.request("/ttl").get("x-ttl") or 0) <= 33
        d.ok("param.set timeout_req 0.2")
        with socket.create_connection(("127.0.0.1", d.port), timeout=START_S) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\n")
            assert slow.recv(1000).startswith((b"HTTP/1.1 408", b"HTTP/1.1 400")) or slow.recv(1) == b""


TCP_INFO_SACKED = slice(28, 32)         # of a listening socket: the length of its queue


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A socket that the daemon inherits, so that the test can read the options that the daemon sets."""
    with socket.create_server(("127.0.0.1", 0)) as s:
        script = tmp_path / "passing"
        script.write_text(f'#!/bin/bash\nexec 3<&{s.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=a0 exec {VERNISD} "$@"\n')
        script.chmod(0o755)
        monkeypatch.setattr(daemon_module, "VERNISD", script)
        yield s


def test_parameters_of_the_worker_have_an_effect(tmp_path: Path, listener: socket.socket) -> None:
    values = {"listen_depth": 37, "tcp_keepalive_time": 111, "tcp_keepalive_intvl": 7, "tcp_keepalive_probes": 3, "loops": 3,
              "tcp_fastopen": "on"}
    options = [word for name, value in values.items() for word in ("-p", f"{name}={value}")]
    listen = f"127.0.0.1:{listener.getsockname()[1]}"
    with Daemon(tmp_path, SYNTH.format(word="x"), options, listen=listen, pass_fds=[listener.fileno()]) as d:
        def threads() -> int:
            names = [task.read_text() for task in Path(f"/proc/{d.worker_pid}/task").glob("*/comm")]
            return sum("jemalloc" not in name for name in names)     # the allocator starts its own when it needs them

        def restart(setting: str) -> bool:
            """Restarts the worker with another value. Returns whether a stopped worker's shared memory
            remains."""
            d.ok(f"param.set {setting}")
            d.ok("stop")
            wait_until(lambda: d.state == "stopped", "the worker has ended")
            kept = (d.workdir / "_.vsm_child").exists()
            d.ok("start")
            wait_until(lambda: d.state == "running", "a worker serves")
            return kept

        assert d.get() == (200, "x")
        assert int.from_bytes(listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 64)[TCP_INFO_SACKED], "little") == 37
        asked = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        assert [listener.getsockopt(socket.IPPROTO_TCP, option) for option in asked] == [111, 7, 3]
        # connections that may wait for the end of their handshake
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN) == 37
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
        before = threads()
        assert not restart("loops 1")
        wait_until(lambda: threads() == before - 2, "two loops have ended")
        assert restart("debug +vsm_keep")
        assert restart("debug -vsm_keep,+vtc_mode")
        assert not restart("debug -vtc_mode")
        restart("tcp_fastopen off")
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN) == 0


def varying(request: Request) -> Reply:
    return Reply(body=b"x" * 4_000_000, headers=PAGE | {"Vary": "X-Kind"})


@needs_varnishstat
def test_parameters_of_the_store_have_an_effect() -> None:
    with Origin(varying) as origin, serving(policy(origin), sanitized=False) as d, Client(d.port) as c:
        def fetches() -> int:
            for kind in "abc":
                assert c.request("/", headers={"X-Kind": kind}).status == 200
            return len(origin.requests)

        assert fetches() == fetches() == 3 and log_of(d, "Notice") == set()
        d.ok("param.set vary_notice 2")
        assert fetches() == 3
        wait_until(lambda: log_of(d, "Notice") == {"vsl: High number of variants (2)"}, "the number of variants is noted")
        d.ok("ban obj.http.X == y")
        assert "0x" not in d.ok("ban.list")
        d.ok("param.set debug +lurker")
        assert "0x" in d.ok("ban.list")
        d.ok("param.set memory_limit 1m")
        wait_until(lambda: "memory_limit is exceeded by" in d.logs, "the memory limit is checked")
        wait_until(lambda: fetches() > 3, "stored responses are evicted")
