"""Responses whose heads were prepared (``ready_heads``) have the bytes, log records and counters of those whose
heads are loaded from the object each time."""

from __future__ import annotations

import re
import socket

import pytest
from proxy.daemon import wait_until
from proxy.origin import Origin, Reply, Request
from proxy.test_delivery import BACKEND
from proxy.test_explain_key import counters
from proxy.test_log_client import Log, logged

TIMES = 4       # of each request: one miss or hit, one hit that prepares the head, and hits with that head
DATE = "Mon, 01 Jan 2024 00:00:00 GMT"
COUNTERS = ("MAIN.client_", "MAIN.cache_", "MAIN.s_", "MAIN.n_", "MAIN.esi_", "MAIN.losthdr", "MAIN.ws_", "MAIN.sess_")

POLICY = BACKEND + """
import std;
sub vcl_recv {{ return (hash); }}
sub vcl_backend_response {{
    if (bereq.is_bgfetch) {{ return (abandon); }}
    set beresp.ttl = 1h;
    set beresp.do_gzip = bereq.url == "/gzip";
    set beresp.do_esi = bereq.url == "/esi";
    if (bereq.url == "/grace") {{ set beresp.ttl = 0.001s; set beresp.grace = 1h; }}
    return (deliver);   # also with Set-Cookie
}}
sub vcl_hit {{
    if (req.http.Show) {{ set req.http.Shown = obj.http.X-One; }}
}}
sub vcl_deliver {{
    if (req.http.Do == "set") {{ set resp.http.X-Cache = "hit " + (obj.hits > 0); set resp.http.Content-Type = "text/changed"; }}
    if (req.http.Do == "unset") {{ unset resp.http.X-One; unset resp.http.Via; unset resp.http.X-Varnish; }}
    if (req.http.Do == "collect") {{ std.collect(resp.http.X-Many); }}
    if (req.http.Do == "append") {{ set resp.http.X-One = resp.http.X-One + ", " + resp.http.X-Two; }}
    if (req.http.Do == "status") {{ set resp.status = 404; set resp.reason = "Gone away"; }}
    if (req.http.Do == "rollback") {{ set resp.http.X-Before = resp.http.X-One; std.rollback(req); set resp.http.X-After = resp.http.X-Two; }}
    if (req.http.Do == "restart" && req.restarts == 0) {{ set req.http.X-Kept = resp.http.X-One; set req.url = "/other"; return (restart); }}
    if (req.http.Do == "restart") {{ set resp.http.X-Kept = req.http.X-Kept; }}
    if (req.http.Do == "synth") {{ return (synth(700, resp.http.X-One)); }}
}}
"""

FIELDS = (("Date", DATE), ("Last-Modified", DATE), ("ETag", '"v1"'), ("content-type", "text/html"), ("X-One", "one"),
          ("X-Many", "a"), ("X-Two", "two"), ("X-Many", "b"), ("x-many", ""), ("X-Hop", "hop"), ("Connection", "X-Hop"),
          ("Cache-Control", "max-age=3600"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("X-Long", "l" * 70),
          ("X-Longer", "m" * 300))

BODIES = {"/gzip": b"text " * 200, "/esi": b'<a><esi:include src="/part"/></a>', "/empty": b""}
PROTOCOL = {"/old": "HTTP/1.0"}
STATUS = {"/empty": "204 No Content", "/reason": "200 Very fine", "/gone": "410 Gone"}
RANGES = ("Accept-Ranges", "bytes")
MORE = {"/large": (("X-Large", "x" * 4500),), "/named": (("Trailer", "Foo"),), "/limited": (("Cache-Control", 'no-cache="X-One, X-Long"'),),
        "/ranges": (RANGES,), "/ranges-twice": (RANGES, RANGES), "/ranges-other": (("accept-ranges", "bytes"),), "/other": (("Accept-Ranges", "none"),),
        "/ranges-limited": (RANGES, ("Cache-Control", 'no-cache="Accept-Ranges"'))}
TRAILED = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Foo\r\nCache-Control: max-age=3600\r\n\r\n"
           b"4\r\nbody\r\n0\r\nFoo: bar\r\n\r\n")

REQUESTS: list[tuple[str, str, dict[str, str]]] = [
    ("GET", "/", {}),
    ("HEAD", "/", {}),
    ("POST", "/", {"Content-Length": "0"}),
    ("GET", "/", {"Cookie": "a=b; c=d"}),
    ("GET", "/", {"If-None-Match": '"v1"'}),
    ("GET", "/", {"If-None-Match": '"other"'}),
    ("GET", "/", {"If-Modified-Since": DATE}),
    ("GET", "/", {"Range": "bytes=1-2"}),
    ("GET", "/", {"Range": "bytes=100-"}),
    ("GET", "/", {"Range": "bytes=1-2", "If-Range": '"v1"'}),
    ("GET", "/", {"Show": "1"}),
    *(("GET", "/", {"Do": what}) for what in ("set", "unset", "collect", "append", "status", "rollback", "restart", "synth")),
    ("GET", "/gzip", {"Accept-Encoding": "gzip"}),
    ("GET", "/gzip", {}),
    ("GET", "/gzip", {"Range": "bytes=1-2"}),
    ("GET", "/esi", {}),
    ("GET", "/esi", {"Accept-Encoding": "gzip"}),
    ("GET", "/trailed", {"TE": "trailers"}),
    *(("GET", "/ranges", headers) for headers in ({"Do": "set"}, {"Do": "rollback"}, {"Do": "restart"}, {"Range": "bytes=1-2"})),
    *(("GET", url, {}) for url in ("/ranges", "/ranges-twice", "/ranges-other", "/ranges-limited", "/other")),
    *(("GET", url, {}) for url in ("/trailed", "/named", "/limited", "/old", "/empty", "/reason", "/gone", "/large", "/")),
]


def page(request: Request) -> Reply:
    url, body = request.url, BODIES.get(request.url, b"the body of " + request.url.encode())
    fields = (*FIELDS, *MORE.get(url, ()), *(() if url == "/empty" else (("Content-Length", str(len(body))),)))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    if url == "/trailed":
        return Reply(raw=TRAILED)
    line = f"{PROTOCOL.get(url, 'HTTP/1.1')} {STATUS.get(url, '200 OK')}"
    return Reply(raw=f"{line}\r\n{head}\r\n".encode() + body, close=url == "/old")


def exchange(port: int, data: bytes) -> bytes:
    """The bytes that the server sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), 30) as s:
        s.sendall(data)
        received = bytearray()
        while piece := s.recv(65536):
            received += piece
        return bytes(received)


def render(method: str, url: str, headers: dict[str, str], version: str = "HTTP/1.1") -> bytes:
    lines = [f"{method} {url} {version}", "Host: a", *(f"{n}: {v}" for n, v in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def send_all(port: int) -> list[bytes]:
    """Each request some times, the first in order on one connection, the last of which closes it."""
    answers = []
    for method, url, headers in REQUESTS:
        one, last = render(method, url, headers), render(method, url, {**headers, "Connection": "close"})
        answers.append(exchange(port, one * (TIMES - 1) + last))
    answers += [exchange(port, render("GET", "/", {}, "HTTP/1.0")) for _ in range(TIMES)]
    return answers


def send_stale(port: int, log: Log) -> list[bytes]:
    """Requests for a stale response; each starts a fetch, which fails and leaves that response in place."""
    answers = []
    for _ in range(TIMES):
        answers.append(exchange(port, render("GET", "/grace", {"Connection": "close"})))
        own = re.search(rb"^X-Varnish: (\d+)", answers[-1], re.M)
        assert own is not None
        wait_until(lambda vxid=int(own[1]): fetches_ended(log, vxid), "the request and its fetch end")
    return answers


def fetches_ended(log: Log, vxid: int) -> bool:
    """Whether a request and each fetch that it began are over. Else the next request may get the number of its
    transaction before the fetch gets its own."""
    log.read()
    over = {id_ for id_, tag, _ in log.records if tag == "End"}
    fetches = {int(text.split()[1]) for id_, tag, text in log.records if id_ == vxid and tag == "Link" and text.startswith("bereq ")}
    return vxid in over and fetches != set() and fetches <= over


def log_ended(log: Log, kind: str) -> set[int]:
    log.read()
    over = {id_ for id_, tag, _ in log.records if tag == "End"}
    return {id_ for id_, tag, text in log.records if tag == "Begin" and text.startswith(kind + " ") and id_ in over}


def steady(text: str) -> str:
    """The text without what differs from run to run: times, ages and ports."""
    text = re.sub(r"-?\d+\.\d{6}|\d+\.\d{3}$|\b\d{10}\b", "T", text)
    text = re.sub(r"\w+, \d+ \w+ \d+ \d+:\d+:\d+ GMT", "D", text)
    text = re.sub(r"\b(Age:? )\d+", r"\1N", text)
    text = re.sub(r"\bttl=-?\d+", "ttl=N", text)
    return re.sub(r"127\.0\.0\.1 \d+|\b\d{5}\b", "P", text)


Result = tuple[list[str], dict[int, list[tuple[str, str]]], dict[str, int], int]


def run(origin: Origin, settings: tuple[str, ...], heads: int) -> Result:
    options = ("loops=1", f"ready_heads={heads}", *settings)
    with logged(POLICY.format(port=origin.port), tuple(w for o in options for w in ("-p", o))) as (d, log):
        answers = send_all(d.port) + send_stale(d.port, log)
        connections = len(REQUESTS) + 2 * TIMES
        wait_until(lambda: len(log_ended(log, "sess")) == connections, "all sessions end")
        records: dict[int, list[tuple[str, str]]] = {}
        for id_, tag, text in log.records:
            if id_ != 0:
                records.setdefault(id_, []).append((tag, steady(text)))
        counted = counters(d)
        return ([joined(steady(a.decode("latin-1"))) for a in answers], records,
                {n: v for n, v in counted.items() if n.startswith(COUNTERS)}, counted["VERNIS.head_ready"])


def joined(answer: str) -> str:
    """The chunks of a page depend on when its include ends."""
    return re.sub(r"\r\n[0-9a-f]{1,4}\r\n", "", answer) if "the body of /part" in answer else answer


@pytest.mark.parametrize("settings", [(), ("vsl_mask=-RespHeader,-RespUnset,+VCL_trace", "vsl_reclen=60"),
                                      ("vsl_buffer=3000", "http_gzip_support=off"), ("debug=+syncvsl",),
                                      ("feature=+rfc9111",)])
def test_prepared_heads_change_nothing(settings: tuple[str, ...]) -> None:
    with Origin(page) as origin:
        long, short = run(origin, settings, 0), run(origin, settings, 64)
    assert long[0] == short[0]
    assert long[1] == short[1]
    assert long[2] == short[2]
    assert long[3] == 0
    assert (short[3] > len(REQUESTS)) == ("debug=+syncvsl" not in settings)
