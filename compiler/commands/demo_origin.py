"""A small web site as an origin for the proxy. Its pages are cacheable, slow or private, or count how often
they were made.

Every response carries ``X-Origin-Requests``, the number of requests the origin has seen. It stays the same on
a hit, so hits are visible. `make run`, the README and tests use it.
"""

from __future__ import annotations

import argparse
import html
import itertools
import sys
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from vernis.commands.outcome import EXIT_OK, Trouble

SLOW_PAGE_S = 1.0
BIG_PAGE_BYTES = 1 << 20


@dataclass(slots=True, frozen=True)
class Page:
    what: str
    fields: tuple[tuple[str, str], ...]
    body: str
    delay_s: float = 0.0
    status: int = 200


PAGES: dict[str, Page] = {
    "/": Page("this list", (("Cache-Control", "max-age=30"),), ""),
    "/hello": Page("may be stored for a minute", (("Cache-Control", "max-age=60"),), "Hello.\n"),
    "/slow": Page(
        "takes a second to make, may be stored",
        (("Cache-Control", "max-age=60"),),
        "Worth waiting for.\n",
        SLOW_PAGE_S,
    ),
    "/private": Page(
        "for one user only",
        (("Cache-Control", "private"), ("Set-Cookie", "session=1; Path=/")),
        "Yours only.\n",
    ),
    "/counter": Page(
        "counts how often it was made; may be stored for ten seconds", (("Cache-Control", "max-age=10"),), ""
    ),
    "/fresh": Page("never stored", (("Cache-Control", "no-store"),), ""),
    "/news": Page(
        "has the surrogate keys news and front, may be stored for an hour",
        (("Cache-Control", "max-age=3600"), ("xkey", "news front")),
        "All news.\n",
    ),
    "/news/1": Page(
        "has the surrogate key news, may be stored for an hour",
        (("Cache-Control", "max-age=3600"), ("xkey", "news")),
        "One of the news.\n",
    ),
    "/style.css": Page(
        "a static file without Cache-Control",
        (("Content-Type", "text/css"),),
        "body { font-family: sans-serif }\n",
    ),
    "/big": Page("a mebibyte", (("Cache-Control", "max-age=60"),), "x" * 63 + "\n"),
    "/broken": Page("an error", (), "This page is broken.\n", status=500),
}


class Counts:
    """Counts how often each page was made, over all threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: dict[str, int] = {}
        self._total = itertools.count(1)

    def next(self, path: str) -> tuple[int, int]:
        """Counts a request. Returns the count of its page and the count of all requests."""
        with self._lock:
            self._pages[path] = self._pages.get(path, 0) + 1
            return self._pages[path], next(self._total)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    #: Head and content leave in one segment. In two, the second would wait for a delayed acknowledgement.
    wbufsize = -1
    server_version = "demo-origin"
    sys_version = ""
    server: OriginServer

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        self._send(
            200, (("Cache-Control", "no-store"),), f"{len(self.rfile.read(size))} bytes received\n", True, 0
        )

    def _answer(self, with_body: bool) -> None:
        path = self.path.partition("?")[0]
        page = PAGES.get(path)
        made, total = self.server.counts.next(path)
        if page is None:
            self._send(
                404, (("Cache-Control", "max-age=5"),), f"There is no {path} here.\n", with_body, total
            )
            return
        time.sleep(page.delay_s)
        self._send(page.status, page.fields, self._body(path, page, made), with_body, total)

    def _body(self, path: str, page: Page, made: int) -> str:
        match path:
            case "/":
                rows = (
                    f'<li><a href="{name}">{name}</a> {html.escape(other.what)}'
                    for name, other in PAGES.items()
                )
                return "<!doctype html><title>demo origin</title>\n<ul>\n" + "\n".join(rows) + "\n</ul>\n"
            case "/counter" | "/fresh":
                return f"made {made} times\n"
            case "/big":
                return page.body * (BIG_PAGE_BYTES // len(page.body))
            case _:
                return page.body

    def _send(
        self, status: int, fields: tuple[tuple[str, str], ...], body: str, with_body: bool, total: int
    ) -> None:
        content = body.encode()
        self.send_response(status)
        if not any(name == "Content-Type" for name, _ in fields):
            kind = "text/html" if body.startswith("<!doctype") else "text/plain"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("X-Origin-Requests", str(total))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        if not self.server.quiet:
            print(f"origin: {format % args}", file=sys.stderr, flush=True)


class OriginServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: str, port: int, quiet: bool) -> None:
        self.counts = Counts()
        self.quiet = quiet
        super().__init__((address, port), Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores clients that close the connection."""

    @property
    def port(self) -> int:
        return int(self.server_address[1])


def demo_origin(options: argparse.Namespace) -> int:
    try:
        server = OriginServer(options.address, options.port, options.quiet)
    except OSError as error:
        raise Trouble(f"cannot listen on {options.address}:{options.port}: {error.strerror}") from None
    print(f"http://{options.address}:{server.port}/", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass
    return EXIT_OK
