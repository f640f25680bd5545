"""Sends raw requests through vernisd to nginx and to Python's http.server, and collects the requests that
each of the three saw. Helper of ``test_boundary.py``.

Each connection has its own loopback address, and ``vcl_recv`` marks its requests with that address. So each
request in any log can be traced back to the bytes that were sent. Addresses of 127.1/16 go to nginx, those of
127.2/16 to Python.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.test_malformed_requests import unescape

TABLES = ROOT / "tests" / "data" / "boundary"
SOURCES = {"nginx": "127.1", "python": "127.2"}
POLICY = """vcl 4.1;
acl for_python {{ "127.2.0.0"/16; }}
backend nginx {{ .host = "127.0.0.1"; .port = "{nginx}"; }}
backend python {{ .host = "127.0.0.1"; .port = "{python}"; }}
sub vcl_recv {{
    if (client.ip ~ for_python) {{ set req.backend_hint = python; }} else {{ set req.backend_hint = nginx; }}
    set req.http.X-Client = client.ip;
    call vcl_req_host;
    return (pass);
}}
sub vcl_backend_fetch {{ set bereq.http.X-Vxid = bereq.xid; }}
"""
NGINX = """
worker_processes 1; daemon off; pid {dir}/nginx.pid; error_log {dir}/error.log warn;
events {{ worker_connections 1024; }}
http {{
    log_format seen escape=json '{{"client":"$http_x_client","vxid":"$http_x_vxid","method":"$request_method","target":"$request_uri",'
                                '"body":"$request_body","status":$status}}';
    client_body_temp_path {dir}; proxy_temp_path {dir}; fastcgi_temp_path {dir}; uwsgi_temp_path {dir}; scgi_temp_path {dir};
    client_body_buffer_size 1m; client_max_body_size 0; large_client_header_buffers 4 64k; keepalive_requests 100000;
    server {{ listen 127.0.0.1:{port}; access_log {dir}/seen.log seen; location / {{ proxy_pass http://127.0.0.1:{sink}; }} }}
    server {{ listen 127.0.0.1:{sink}; access_log off; location / {{ return 200 "from nginx"; }} }}
}}
"""


@dataclass(slots=True)
class Case:
    name: str
    meant: str                          # the expected result
    data: bytes


@dataclass(slots=True, frozen=True)
class Seen:
    """A request as one of the three saw it."""

    vxid: str
    method: str
    target: str
    body: bytes | None                  # None: vernisd's log does not contain the body
    wire: int | None                    # bytes of the body with its framing; None: unknown
    fate: str    # "whole", "broken off" (the origin saw at most the beginning) or "refused" (by the origin)


Party = dict[str, list[Seen]]           # requests by client, in order of arrival


def slug_of(name: str) -> str:
    """The text that @ in a table stands for."""
    return name.replace(" ", "-")


def raw(text: str) -> bytes:
    """Bytes of a table's text, with escapes; ``<N*text>`` repeats a text N times."""
    while found := re.search(r"<(\d+)\*([^<>]*)>", text):
        text = text[:found.start()] + found[2] * int(found[1]) + text[found.end():]
    return unescape(text)


def cases(table: str) -> Iterator[Case]:
    """Cases of a table with lines ``name | meant | bytes``."""
    for line in (TABLES / table).read_text().splitlines():
        if line and not line.startswith("#"):
            name, meant, data = line.split(" |", 2)
            yield Case(name, raw(meant.strip()).decode("latin-1"), raw(data[1:].replace("@", slug_of(name))))


# ---- origins -----------------------------------------------------------------------------------------------


class _Handler(BaseHTTPRequestHandler):
    """Accepts every method, reads bodies of both framings, and records each request."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1                       # sends a response in one write
    disable_nagle_algorithm = True
    seen: ClassVar[list[tuple[str, Seen]]]

    def __getattr__(self, name: str) -> object:
        if not name.startswith("do_"):
            raise AttributeError(name)
        return self._answer

    def _answer(self) -> None:
        self.wire = 0
        body = self._chunks() if "chunked" in self.headers.get("Transfer-Encoding", "") else self._bytes(self.headers.get("Content-Length", "0"))
        target = self.requestline.split(" ")[1]         # self.path merges slashes
        client = self.headers.get("X-Client", "")
        self.seen.append((client, Seen(self.headers.get("X-Vxid", ""), self.command, target, body, self.wire,
                                       "broken off" if body is None else "whole")))
        if body is None:
            self.close_connection = True
            return
        text = b"" if self.command == "HEAD" else b"from python"
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _bytes(self, length: str) -> bytes | None:
        data = self.rfile.read(int(length))
        self.wire += len(data)
        return data if len(data) == int(length) else None

    def _chunks(self) -> bytes | None:
        body = b""
        while re.fullmatch(rb"[0-9a-f]+\r\n", line := self.rfile.readline()):
            data = self.rfile.read(int(line, 16) + 2)
            self.wire += len(line) + len(data)
            if data[-2:] != b"\r\n":
                return None
            if data == b"\r\n":
                return body
            body += data[:-2]
        return None

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def python_origin() -> Iterator[tuple[int, list[tuple[str, Seen]]]]:
    class Handler(_Handler):
        seen: ClassVar[list[tuple[str, Seen]]] = []

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.server_address[1], Handler.seen
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def nginx_origin(directory: Path, port: int, sink: int) -> Iterator[Path]:
    conf = directory / "nginx.conf"
    conf.write_text(NGINX.format(dir=directory, port=port, sink=sink))
    nginx = subprocess.Popen(["nginx", "-c", str(conf), "-p", str(directory)], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "nginx listens")
        yield directory / "seen.log"
    finally:
        nginx.terminate()
        nginx.wait(10)


# ---- what they saw -----------------------------------------------------------------------------------------


def by_client(seen: list[tuple[str, Seen]]) -> Party:
    result: Party = defaultdict(list)
    for client, one in seen:
        result[client].append(one)
    return result


def of_nginx(log: Path) -> list[tuple[str, Seen]]:
    """nginx logs a head that it refuses without our mark."""
    rows = [json.loads(line) for line in log.read_text("latin-1").splitlines()]
    fates = {400: "refused", 499: "broken off"}
    return [(row["client"], Seen(row["vxid"], row["method"], row["target"], row["body"].encode("latin-1"), None,
                                 fates.get(row["status"], "whole"))) for row in rows]


def of_vernis(d: Daemon) -> list[tuple[str, Seen]]:
    """Requests to origins from the log, except those without a connection to an origin."""
    tags = "BereqMethod,BereqURL,BereqHeader,BereqAcct,BerespStatus,FetchError,BackendOpen"
    text = subprocess.run(["build/bin/vernis", "log", "-n", str(d.workdir), "-d", "-g", "raw", "-i", tags], cwd=ROOT, capture_output=True,
                          check=True).stdout.decode("latin-1")
    records: dict[str, dict[str, str]] = defaultdict(dict)
    for line in text.split("\n"):
        vxid, tag, _, *value = line.split(None, 3) if line else ("", "", "")
        record, content = records[vxid], value[0] if value else ""
        if tag == "BereqHeader":
            name, _, content = content.partition(": ")
            tag = name.lower()
        record.setdefault(tag, content)
    return [(r["x-client"], Seen(r["x-vxid"], r["BereqMethod"], r["BereqURL"], None, int(r["BereqAcct"].split()[1]),
                                 "broken off" if "FetchError" in r else "refused" if r["BerespStatus"] == "400" else "whole"))
            for r in records.values() if "BackendOpen" in r and "x-vxid" in r and "BereqAcct" in r]


# ---- clients -----------------------------------------------------------------------------------------------


def address(origin: str, i: int) -> str:
    """The address of the i-th connection to that origin."""
    return f"{SOURCES[origin]}.{i // 200}.{i % 200 + 1}"


def exchange(port: int, source: str, data: bytes) -> bytes:
    """Sends the bytes, closes the sending side, and reads until the proxy closes."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), 30, (source, 0)) as s:
        try:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            while piece := s.recv(65536):
                received += piece
        except (ConnectionResetError, BrokenPipeError, OSError):
            pass                        # the proxy closed with unread bytes of ours
    return received
