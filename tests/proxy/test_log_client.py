"""Log records of sessions and requests, as stock tools read them from a running daemon."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import page, policy

CACHED = "sub vcl_backend_response { set beresp.ttl = 1h; set beresp.grace = 10s; set beresp.keep = 0s; }"


class Log:
    """Records of ``varnishlog -g raw`` as (id, tag, text)."""

    def __init__(self, d: Daemon) -> None:
        self.command = ["varnishlog", "-n", str(d.workdir), "-d", "-g", "raw"]
        self.records: list[tuple[int, str, str]] = []

    def read(self) -> None:
        text = subprocess.run(self.command, capture_output=True, check=True).stdout.decode("latin-1")
        lines = (line.split(None, 3) for line in text.splitlines())
        self.records = [(int(f[0]), f[1], f[3] if len(f) > 3 else "") for f in lines if len(f) > 2 and f[0].isdigit()]

    def of(self, xid: int) -> list[tuple[str, str]]:
        return [(tag, text) for id_, tag, text in self.records if id_ == xid]

    def ended(self, kind: str, n: int = 1) -> list[int]:
        """Waits for the first ``n`` transactions of a kind to end, and returns their ids."""
        def ids() -> list[int]:
            self.read()
            found = [id_ for id_, tag, text in self.records if tag == "Begin" and text.startswith(kind + " ")]
            over = {id_ for id_, tag, _ in self.records if tag == "End"}
            return found[:n] if len(found) >= n and over.issuperset(found[:n]) else []
        return wait_until(ids, f"{n} x {kind} ended")

    def request(self, nth: int = 0) -> list[tuple[str, str]]:
        return self.of(self.ended("req", nth + 1)[nth])

    def session(self) -> list[tuple[str, str]]:
        return self.of(self.ended("sess")[0])


@contextmanager
def logged(text: str, args: tuple[str, ...] = ()) -> Iterator[tuple[Daemon, Log]]:
    with serving(text, args) as d:
        yield d, Log(d)


def tags(records: list[tuple[str, str]]) -> list[str]:
    return [tag for tag, _ in records]


def values(records: list[tuple[str, str]], tag: str) -> list[str]:
    return [text for t, text in records if t == tag]


def counter(d: Daemon, name: str) -> int:
    out = subprocess.run(["varnishstat", "-n", str(d.workdir), "-1", "-f", name], capture_output=True, text=True, check=True).stdout
    return int(out.split()[1])


def test_a_session_and_its_requests() -> None:
    with Origin(page) as origin, logged(policy(origin, CACHED)) as (d, log):
        with Client(d.port) as c:
            miss, hit = c.request("/"), c.request("/", headers={"Range": "bytes=1-2"})
        sess, first, second = log.session(), log.request(0), log.request(1)
        sid, ids = log.ended("sess")[0], log.ended("req", 2)
        assert sess[0] == ("Begin", "sess 0 HTTP/1")
        assert re.fullmatch(rf"127\.0\.0\.1 \d+ a0 127\.0\.0\.1 {d.port} \d+\.\d{{6}} \d+", values(sess, "SessOpen")[0])
        assert values(sess, "Link") == [f"req {i} rxreq" for i in ids]
        assert re.fullmatch(r"REM_CLOSE \d+\.\d{3}", values(sess, "SessClose")[0]) and sess[-1][0] == "End"

        assert first[0] == ("Begin", f"req {sid} rxreq")
        assert [t.split(":")[0] for t in values(first, "Timestamp")] == ["Start", "Req", "Fetch", "Process", "Resp"]
        order = [t for t in tags(first) if t not in ("Timestamp", "ReqHeader", "RespHeader", "ReqUnset", "RespUnset")]
        assert order == ["Begin", "VCL_use", "ReqStart", "ReqMethod", "ReqURL", "ReqProtocol", "VCL_call", "VCL_return", "VCL_call",
                         "VCL_return", "VCL_call", "VCL_return", "Link", "RespProtocol", "RespStatus", "RespReason", "VCL_call",
                         "VCL_return", "Filters", "ReqAcct", "End"]
        assert f"X-Varnish: {ids[0]}" in values(first, "RespHeader") and miss.get("X-Varnish") == str(ids[0])

        fetch = int(values(first, "Link")[0].split()[1])
        assert re.fullmatch(rf"{fetch} 35\d\d\.\d{{6}} 10\.000000 0\.000000", values(second, "Hit")[0])
        assert hit.get("X-Varnish") == f"{ids[1]} {fetch}"
        assert values(second, "Filters") == ["range"] and values(second, "RespStatus") == ["200", "206"]


def test_bytes_are_counted_as_sent() -> None:
    with logged('vcl 4.1; backend default none; sub vcl_recv { return (synth(200)); } sub vcl_synth { synthetic("hello");'
                ' unset resp.http.Date; return (deliver); }') as (d, log):
        with Client(d.port) as c:
            sent = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"
            c.send(sent + b"body")
            r = c.head()
            head = len(f"HTTP/1.1 {r.status} {r.reason}\r\n\r\n") + sum(len(f"{n}: {v}\r\n") for n, v in r.headers)
        assert values(log.request(), "ReqAcct") == [f"{len(sent)} 4 {len(sent) + 4} {head} 5 {head + 5}"]
        names = "s_req_hdrbytes", "s_req_bodybytes", "s_resp_hdrbytes", "s_resp_bodybytes"
        wait_equal(lambda: [counter(d, f"MAIN.{name}") for name in names], [len(sent), 4, head, 5], "all bytes are counted")


def test_a_restart_has_a_new_id() -> None:
    text = "sub vcl_recv { if (req.restarts == 0) { set req.http.X = \"1\"; return (restart); } }"
    with Origin(page) as origin, logged(policy(origin, text)) as (d, log):
        with Client(d.port) as c:
            c.request("/")
        first, second = log.ended("req", 2)
        assert log.of(first)[-2:] == [("Link", f"req {second} restart"), ("End", "")]
        again = log.of(second)
        assert again[0] == ("Begin", f"req {first} restart") and values(again, "ReqURL") == ["/"]
        assert "X: 1" in values(again, "ReqHeader") and "ReqAcct" in tags(again) and "ReqAcct" not in tags(log.of(first))


REFUSED = [
    (b"GET / HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n", ("BogoHeader", "Illegal char 0x20 in header name")),
    (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", ("BogoHeader", "Multiple Host: headers")),
    (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
     ("BogoHeader", "Multiple Content-Length: headers")),
    (b"GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n", ("BogoHeader", "Header has ctrl char 0x01")),
]


def test_refused_requests_are_logged() -> None:
    with logged('vcl 4.1; backend default none;', ("-p", "loops=1")) as (d, log):        # records of two loops have no order
        for sent, _ in REFUSED:
            with Client(d.port) as c:
                c.send(sent)
                assert c.head().status == 400
        for request, (_, record) in zip(log.ended("req", len(REFUSED)), REFUSED, strict=True):
            records = log.of(request)
            assert record in records and values(records, "RespStatus") == ["400"] and "HttpGarbage" in tags(records)
        assert values(log.session(), "SessClose")[0].startswith("RX_JUNK ")
        # Varnish counts the same
        names = "client_req_400", "sc_rx_junk", "sc_rx_bad"
        wait_equal(lambda: [counter(d, f"MAIN.{name}") for name in names], [len(REFUSED), 2, 2])


LONG = b"x" * 40_000

#: (bytes, status, start line as far as it could be parsed, fields as far as they could be parsed)
PARSED = [
    (b"GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400", "GET /a HTTP/1.1", ["Host: a", "Host: b"]),
    (b"GET /b HTTP/1.1\r\nHost: a b\r\n\r\n", "400", "GET /b HTTP/1.1", ["Host: a b"]),
    (b"POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", "400", "POST /c HTTP/1.1", ["Host: a", "Content-Length: x"]),
    (b"POST /d HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501", "POST /d HTTP/1.1", ["Host: a", "Transfer-Encoding: gzip, chunked"]),
    (b"GET /e HTTP/1.1\r\nHost: a\r\nExpect: b\r\n\r\n", "417", "GET /e HTTP/1.1", ["Host: a", "Expect: b"]),
    (b"GET /f HTTP/1.1\r\nHost: a\r\nA b: c\r\nD: e\r\n\r\n", "400", "GET /f HTTP/1.1", ["Host: a"]),
    (b"GET /g HTTP/2.0\r\nHost: a\r\n\r\n", "400", "GET /g ", []),
    (b"GET g HTTP/1.1 x\r\nHost: a\r\n\r\n", "400", "GET g ", []),
    (b"GET ftp://h/ HTTP/1.1\r\nHost: a\r\n\r\n", "400", "GET ftp://h/ ", []),
    (b"G@T / HTTP/1.1\r\nHost: a\r\n\r\n", "400", "  ", []),
    (b"\x16\x03\x01\x02\n\n", "400", "  ", []),
    (b"GET /h HTTP/1.1\r\nHost: a\r\nX: " + LONG, "431", "GET /h HTTP/1.1", ["Host: a"]),
    (b"GET /" + LONG, "414", "  ", []),
    (b"GET /i HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 100 + b"\r\n", "431", "GET /i HTTP/1.1", ["Host: a"] + ["X: y"] * 63),
    (b"GET /j HTTP/1.1\r\nHost: a\r\nX: y\r\n", "408", "GET /j HTTP/1.1", ["Host: a"]),
]


def test_a_refused_request_is_logged_as_far_as_it_was_parsed() -> None:
    args = ("-p", "loops=1", "-p", "feature=+answer_large_heads", "-p", "timeout_req=0.5", "-p", "vsl_reclen=1k")
    with logged('vcl 4.1; backend default none;', args) as (d, log):
        ports = []
        for sent, status, *_ in PARSED:
            with Client(d.port) as c:
                ports.append(c.sock.getsockname()[1])
                c.send(sent)
                assert c.head().status == int(status), sent[:60]
        for request, port, (sent, status, line, fields) in zip(log.ended("req", len(PARSED)), ports, PARSED, strict=True):
            records = log.of(request)
            assert values(records, "ReqStart") == [f"127.0.0.1 {port} a0"], sent[:60]
            assert " ".join("".join(values(records, tag)) for tag in ("ReqMethod", "ReqURL", "ReqProtocol")) == line, sent[:60]
            assert (values(records, "ReqHeader"), values(records, "RespStatus")) == (fields, [status]), sent[:60]
            assert len(values(records, "Error")) == len(values(records, "ReqAcct")) == 1, sent[:60]


def test_a_large_head_is_logged_even_without_an_answer() -> None:
    with logged('vcl 4.1; backend default none;') as (d, log):
        with Client(d.port) as c:
            c.send(b"GET /h HTTP/1.1\r\nHost: a\r\nX: " + LONG)
            assert c.closed()
        records = log.request()
        assert values(records, "ReqURL") == ["/h"] and values(records, "RespStatus") == []
        assert values(records, "Error") == ["head is too large"]


def test_the_reason_of_a_session_s_end_is_logged() -> None:
    with Origin(page) as origin, logged(policy(origin), ("-p", "timeout_idle=0.2", "-p", "loops=1")) as (d, log):
        with Client(d.port) as c:
            c.request("/")
            assert c.closed()                       # after timeout_idle
        log.ended("sess")
        with Client(d.port) as c:
            c.request("/", headers={"Connection": "close"})
        sessions = log.ended("sess", 2)
        assert [values(log.of(s), "SessClose")[0].split()[0] for s in sessions] == ["RX_CLOSE_IDLE", "REQ_CLOSE"]
        wait_equal(lambda: [counter(d, f"MAIN.{name}") for name in ("sc_rx_close_idle", "sc_req_close")], [1, 1])


def test_bytes_of_a_pipe_are_counted() -> None:
    def echo(r: Request) -> Reply:
        return Reply(body=b"piped")
    with Origin(echo) as origin, logged(policy(origin, "sub vcl_recv { return (pipe); }")) as (d, log):
        sent = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        with Client(d.port) as c:
            c.send(sent)
            assert c.response().body == b"piped"
        request = log.request()
        account = [int(n) for n in values(request, "PipeAcct")[0].split()]
        assert account[0] == len(sent) and account[2] == 0 and account[3] > 5 and "ReqAcct" not in tags(request)
        assert [t.split(":")[0] for t in values(request, "Timestamp")][-2:] == ["Pipe", "PipeSess"]
        assert values(log.session(), "SessClose")[0].startswith("TX_PIPE ")


def test_varnishncsa_writes_a_line_for_each_request() -> None:
    with Origin(page) as origin, serving(policy(origin, CACHED)) as d:
        with Client(d.port) as c:
            c.request("/a?b=1", headers={"User-Agent": "tester"})
            c.request("/a?b=1")

        def lines() -> list[str]:
            out = subprocess.run(["varnishncsa", "-n", str(d.workdir), "-d", "-F", "%m %U%q %s %{Varnish:handling}x %{User-agent}i"],
                                 capture_output=True, text=True, check=True).stdout.splitlines()
            return out if len(out) == 2 else []
        assert wait_until(lines, "two lines") == ["GET /a?b=1 200 miss tester", "GET /a?b=1 200 hit -"]


def test_addresses_of_a_proxy_header_are_logged() -> None:
    text = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200)); }'
    with logged(text, ("-a", "front=127.0.0.1:0,PROXY")) as (d, log):
        port = int(d.status["listens"][1].rsplit(":", 1)[1])
        with Client(port) as c:
            c.send(b"PROXY TCP4 192.0.2.7 198.51.100.9 4711 443\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert c.response().status == 200
        sess = log.session()
        assert sess[0] == ("Begin", "sess 0 PROXY") and values(sess, "Proxy") == ["1 192.0.2.7 4711 198.51.100.9 443"]
        assert values(log.request(), "ReqStart") == ["192.0.2.7 4711 front"]
