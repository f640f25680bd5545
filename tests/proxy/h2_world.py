"""An origin and a daemon for tests of HTTP/2: targets name what the origin answers, and bodies can be checked
byte by byte."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from proxy.daemon import Daemon
from proxy.h2_client import Session
from proxy.origin import Origin, Reply, Request
from proxy.serve import serving

POLICY = """vcl 4.1; import std;
backend b { .host = "127.0.0.1"; .port = "%d"; }
sub vcl_recv {
    if (req.url == "/info") { return (synth(200)); }
    if (req.url == "/fail") { return (fail); }
    if (req.method == "PURGE") { return (purge); }
    if (req.url ~ "^/pass") { return (pass); }
    if (req.url ~ "^/slow") { return (hash); }
    if (req.url ~ "^/pipe") { return (pipe); }
    if (req.url ~ "^/kept") { std.cache_req_body(2MB); return (pass); }
}
sub vcl_synth {
    set resp.http.X-Info = req.proto + " " + req.transport + " " + req.http.host + " " + req.method;
    synthetic("info");
    return (deliver);
}
sub vcl_deliver {
    set resp.http.X-Hits = obj.hits;
    if (req.url ~ "/close") { set resp.http.Connection = "close"; }
}
sub vcl_backend_response { set beresp.ttl = 1h; set beresp.grace = 0s; if (beresp.http.X-Short) { set beresp.ttl = 0s; } }
"""
HTTP2 = ("-p", "feature=+http2", "-p", "loops=1")
RFC = (*HTTP2, "-p", "feature=+h2_rfc9113")
FIELDS_OF_CONNECTIONS = {"connection", "keep-alive", "transfer-encoding", "upgrade", "proxy-connection"}


def pattern(n: int, first: int = 0) -> bytes:
    """n bytes in which each place can be told from its neighbours."""
    unit = bytes(range(251))
    return (unit * ((n + first) // 251 + 2))[first % 251:first % 251 + n]


@dataclass(slots=True)
class Script:
    """Answers by target. ``go_on`` releases /slow, the second half of /halves, and the end of /cut."""

    go_on: threading.Event = field(default_factory=threading.Event)

    def __call__(self, r: Request) -> Reply:
        kind, _, rest = r.url.lstrip("/").removeprefix("pass/").removeprefix("kept/").partition("/")
        match kind:
            case "size":
                return Reply(body=pattern(int(rest.split("?")[0])), headers={"ETag": f'"{rest}"'})
            case "chunks":
                return self.chunks(int(rest))
            case "echo":
                return Reply(body=r.body, headers={"X-Short": "1", "X-Method": r.method})
            case "slow":
                return Reply(pieces=[lambda: b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow" if self.go_on.wait(30) else None])
            case "halves":
                half = pattern(100_000)
                return Reply(pieces=[b"HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + half, lambda: half if self.go_on.wait(30) else None])
            case "hints":
                return Reply(pieces=[b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n",
                                     b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"])
            case "head":
                return Reply(body=b"head", headers={f"X-Long-{i}": "v" * 4000 for i in range(int(rest))})
            case "hop":
                return Reply(body=b"hop", headers={"Connection": "X-Named", "X-Named": "1", "Keep-Alive": "timeout=9", "X-Kept": "1"})
            case "empty":
                return Reply(status=int(rest))
            case "cut":
                return Reply(pieces=[b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + pattern(1000), self.cut])
            case "trailers":
                return Reply(raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nCache-Control: max-age=99\r\n\r\n"
                                 b"5\r\nhello\r\n0\r\nX-Sum: 7\r\nContent-Length: 1\r\n\r\n")
        return Reply(body=b"page " + r.url.encode())

    def cut(self) -> None:
        self.go_on.wait(30)

    @staticmethod
    def chunks(n: int) -> Reply:
        body = pattern(n)
        pieces = [body[i:i + 700] for i in range(0, n, 700)]
        return Reply(raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
                         b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n")


@dataclass(slots=True)
class World:
    daemon: Daemon
    origin: Origin
    script: Script

    def session(self, **named: object) -> Session:
        return Session(self.daemon.port_cached, **named)        # type: ignore[arg-type]


@contextmanager
def world(args: Sequence[str] = HTTP2, policy: str = POLICY, *, sanitized: bool = True) -> Iterator[World]:
    script = Script()
    with Origin(script) as origin, serving(policy % origin.port, args, sanitized=sanitized) as daemon:
        assert daemon.port_cached
        yield World(daemon, origin, script)
        script.go_on.set()
