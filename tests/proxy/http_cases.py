"""Cases of HTTP behaviour for a comparison with Varnish: requests of a client in each state of the cache, and
responses of the origin.

A case's name lists its parts (state, method, request fields, origin's reply). The request's field Do selects
the way through the policy. The reply's fields X-TTL, X-Grace, X-Keep, X-Mark and X-Whole set its lifetime.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

POLICY = """
vcl 4.1;
import std;
backend default { .host = "127.0.0.1"; .port = "%d"; }
sub vcl_recv {
    if (req.url == "/end") { return (synth(299, "Still open")); }
    if (req.http.Do == "hash" || req.http.Do == "always") {
        set req.hash_always_miss = req.http.Do == "always";
        return (hash);
    }
    if (req.http.Do == "pass") { return (pass); }
    if (req.http.Do == "pipe") { return (pipe); }
    if (req.http.Do == "purge") { return (purge); }
    if (req.http.Do == "synth") { return (synth(417, "Made up")); }
    if (req.http.Do == "fail") { return (fail); }
    if (req.http.Do == "young") { set req.ttl = 5s; return (hash); }
}
sub vcl_backend_response {
    if (beresp.http.X-Whole) { set beresp.do_stream = false; }
    if (beresp.http.X-Retry) { return (retry); }
    if (beresp.http.X-Mark == "miss") { set beresp.ttl = 10s; set beresp.uncacheable = true; return (deliver); }
    if (beresp.http.X-Mark == "pass") { return (pass(10s)); }
    if (beresp.http.X-TTL) {
        set beresp.ttl = std.duration(beresp.http.X-TTL, 10s);
        set beresp.grace = std.duration(beresp.http.X-Grace, 0s);
        set beresp.keep = std.duration(beresp.http.X-Keep, 0s);
        return (deliver);
    }
}
sub vcl_backend_error {
    set beresp.http.X-Retries = bereq.retries;
}
sub vcl_deliver {
    set resp.http.X-Hits = obj.hits;
    set resp.http.X-Uncacheable = obj.uncacheable;
    if (req.http.Do-Status) { set resp.status = std.integer(req.http.Do-Status, 200); }
}
"""

CONTENT = b"0123456789abcdefghij"
MODIFIED = "Sun, 06 Nov 1994 08:49:37 GMT"
EARLIER = "Sat, 05 Nov 1994 08:49:37 GMT"
LATER = "Mon, 07 Nov 1994 08:49:37 GMT"
PAUSE_S = 0.06


@dataclass(slots=True, frozen=True)
class Step:
    """One request on its own connection, after a pause."""

    method: str = "GET"
    fields: tuple[str, ...] = ()
    body: bytes = b""
    minor: int = 1
    pause_s: float = 0.0


@dataclass(slots=True, frozen=True)
class Case:
    name: str
    replies: tuple[bytes, ...]          # of the origin, in order; the last one repeats
    steps: tuple[Step, ...]


def reply(status: str = "200 OK", *fields: str, body: bytes = CONTENT, length: bool = True) -> bytes:
    lines = [f"HTTP/1.1 {status}", *fields]
    if length:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


PLAIN = ("Content-Type: text/plain", 'ETag: "abc"', f"Last-Modified: {MODIFIED}")
FRESH = reply("200 OK", *PLAIN, "X-TTL: 10s")

#: Fields of a request, by name of the variant.
REQUEST_FIELDS: dict[str, tuple[str, ...]] = {
    "none": (),
    "inm-same": ('If-None-Match: "abc"',), "inm-other": ('If-None-Match: "xyz"',), "inm-weak": ('If-None-Match: W/"abc"',),
    "inm-any": ("If-None-Match: *",), "inm-list": ('If-None-Match: "x", "abc"',), "inm-empty": ("If-None-Match:",),
    "inm-unquoted": ("If-None-Match: abc",),
    "ims-same": (f"If-Modified-Since: {MODIFIED}",), "ims-later": (f"If-Modified-Since: {LATER}",),
    "ims-earlier": (f"If-Modified-Since: {EARLIER}",), "ims-wrong": ("If-Modified-Since: yesterday",),
    "inm-same-ims-earlier": ('If-None-Match: "abc"', f"If-Modified-Since: {EARLIER}"),
    "inm-other-ims-same": ('If-None-Match: "xyz"', f"If-Modified-Since: {MODIFIED}"),
    "im-same": ('If-Match: "abc"',), "im-other": ('If-Match: "xyz"',), "ius-earlier": (f"If-Unmodified-Since: {EARLIER}",),
    "range-first": ("Range: bytes=0-1",), "range-from": ("Range: bytes=15-",), "range-last": ("Range: bytes=-3",),
    "range-one": ("Range: bytes=0-0",), "range-all": ("Range: bytes=0-19",), "range-beyond": ("Range: bytes=10-100",),
    "range-out": ("Range: bytes=20-30",), "range-far": ("Range: bytes=100-",), "range-last-long": ("Range: bytes=-100",),
    "range-last-none": ("Range: bytes=-0",), "range-two": ("Range: bytes=0-1,4-5",), "range-two-one-out": ("Range: bytes=0-1,40-50",),
    "range-lines": ("Range: items=0-1",), "range-wrong": ("Range: bytes=5-2",), "range-words": ("Range: bytes=a-b",),
    "range-empty": ("Range: bytes=",), "range-nothing": ("Range:",), "range-blank": ("Range: bytes= 0-1",), "range-upper": ("Range: BYTES=0-1",),
    "range-twice": ("Range: bytes=0-1", "Range: bytes=2-3"), "range-dash": ("Range: bytes=-",), "range-comma": ("Range: bytes=0-1,",),
    "range-huge": ("Range: bytes=0-99999999999999999999",),
    "ifrange-same": ('If-Range: "abc"', "Range: bytes=0-1"), "ifrange-other": ('If-Range: "xyz"', "Range: bytes=0-1"),
    "ifrange-weak": ('If-Range: W/"abc"', "Range: bytes=0-1"), "ifrange-date": (f"If-Range: {MODIFIED}", "Range: bytes=0-1"),
    "ifrange-earlier": (f"If-Range: {EARLIER}", "Range: bytes=0-1"), "ifrange-alone": ('If-Range: "abc"',),
    "ifrange-later": (f"If-Range: {LATER}", "Range: bytes=0-1"),
    "inm-same-range": ('If-None-Match: "abc"', "Range: bytes=0-1"), "inm-other-range": ('If-None-Match: "xyz"', "Range: bytes=0-1"),
    "no-cache": ("Cache-Control: no-cache",), "max-age-0": ("Cache-Control: max-age=0",), "pragma": ("Pragma: no-cache",),
    "only-if-cached": ("Cache-Control: only-if-cached",), "no-store": ("Cache-Control: no-store", "Pragma: no-cache"),
    "cookie": ("Cookie: a=1",), "authorization": ("Authorization: Basic eDp5",), "accept-encoding": ("Accept-Encoding: gzip, br",),
    "accept": ("Accept: text/html", "Accept-Language: de", "User-Agent: test", "Referer: http://x/"),
    "te": ("TE: trailers", "Connection: TE"), "te-alone": ("TE: trailers",), "keep-alive": ("Connection: keep-alive", "Keep-Alive: timeout=5"),
    "close": ("Connection: close",), "connection-names": ("Connection: X-Foo", "X-Foo: 1"), "proxy-connection": ("Proxy-Connection: keep-alive",),
    "proxy-auth": ("Proxy-Authorization: Basic eDp5", "Proxy-Authenticate: Basic"), "upgrade": ("Connection: Upgrade", "Upgrade: foo"),
    "h2c": ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"),
    "trailer": ("Trailer: X-T",), "forwarded": ("X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1"),
    "forwarded-twice": ("X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2"), "via": ("Via: 1.1 other",),
    "x-varnish": ("X-Varnish: 77",), "age": ("Age: 5", "Date: " + MODIFIED), "max-forwards": ("Max-Forwards: 0",), "warning": ("Warning: 199 x y",),
    "twice": ("X-Foo: 1", "X-Foo: 2"), "empty": ("X-Empty:",), "expect": ("Expect: 100-continue",), "accept-ranges": ("Accept-Ranges: bytes",),
    "surrogate": ("Surrogate-Capability: x=y",), "upper": ("X-LOUD: YES",), "content-type": ("Content-Type: text/plain",),
    "content-encoding": ("Content-Encoding: gzip", "Content-Language: de", "Content-MD5: x"), "status-404": ("Do-Status: 404",),
    "status-204": ("Do-Status: 204",), "status-304": ("Do-Status: 304",), "status-206": ("Do-Status: 206",), "status-304-inm": ("Do-Status: 404", 'If-None-Match: "abc"'),
    "status-404-range": ("Do-Status: 404", "Range: bytes=0-1"), "status-1200": ("Do-Status: 1200",), "status-100": ("Do-Status: 101",),
}
CONDITIONS = [name for name in REQUEST_FIELDS if name.startswith(("inm", "ims", "im-", "ius", "range", "ifrange"))]
FEW = ["none", "inm-same", "ims-same", "range-first", "range-out", "inm-same-range", "ifrange-same", "no-cache"]

#: Heads of an origin's response, by name of the variant.
REPLIES: dict[str, bytes] = {
    "plain": reply("200 OK", *PLAIN), "bare": reply(), "empty": reply(body=b""),
    **{f"status-{status.split()[0]}": reply(status, *PLAIN) for status in
       ("201 Created", "202 Accepted", "203 Non-Authoritative", "205 Reset", "206 Partial", "207 Multi", "226 IM Used", "300 Multiple", "301 Moved", "302 Found",
        "303 See", "307 Temporary", "308 Permanent", "400 Bad", "401 Unauthorized", "403 Forbidden", "404 Not Found", "405 Not", "410 Gone",
        "414 Long", "416 Range", "418 Teapot", "429 Many", "451 Legal", "500 Error", "501 Not", "502 Bad", "503 Unavailable", "504 Late", "599 Odd", "299 Odd",
        "999 High")},
    "status-204": reply("204 None", *PLAIN, body=b"", length=False), "status-204-length": reply("204 None", body=b""),
    "status-304": reply("304 Same", *PLAIN, body=b"", length=False),
    "no-reason": b"HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi", "no-blank": b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi",
    "odd-reason": b"HTTP/1.1 200 All is well\r\nContent-Length: 2\r\n\r\nhi",
    "chunked": reply("200 OK", *PLAIN, "Transfer-Encoding: chunked", body=b"5\r\nhello\r\n0\r\n\r\n", length=False),
    "chunked-trailer": reply("200 OK", "Trailer: X-T", "Transfer-Encoding: chunked", body=b"5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n", length=False),
    "eof": reply("200 OK", *PLAIN, "Connection: close", length=False), "http10": b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi",
    "http10-eof": b"HTTP/1.0 200 OK\r\n\r\nhi", "http10-keep": b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi",
    "whole": reply("200 OK", *PLAIN, "X-Whole: 1"), "whole-chunked": reply("200 OK", "X-Whole: 1", "Transfer-Encoding: chunked",
                                                                          body=b"5\r\nhello\r\n0\r\n\r\n", length=False),
    "max-age": reply("200 OK", "Cache-Control: max-age=10"), "max-age-0": reply("200 OK", "Cache-Control: max-age=0"),
    "s-maxage": reply("200 OK", "Cache-Control: max-age=0, s-maxage=10"), "s-maxage-0": reply("200 OK", "Cache-Control: max-age=10, s-maxage=0"),
    "private": reply("200 OK", "Cache-Control: private"), "private-field": reply("200 OK", 'Cache-Control: private="set-cookie"'),
    "no-store": reply("200 OK", "Cache-Control: no-store"), "no-cache": reply("200 OK", "Cache-Control: no-cache"),
    "no-cache-field": reply("200 OK", 'Cache-Control: no-cache="x"'), "must-revalidate": reply("200 OK", "Cache-Control: must-revalidate"),
    "swr": reply("200 OK", "Cache-Control: max-age=10, stale-while-revalidate=5"), "two-cc": reply("200 OK", "Cache-Control: max-age=5", "Cache-Control: public"),
    "cc-upper": reply("200 OK", "Cache-Control: MAX-AGE=10, Private"), "cc-quoted": reply("200 OK", 'Cache-Control: max-age="10"'),
    "cc-blank": reply("200 OK", "Cache-Control: max-age = 10"), "cc-negative": reply("200 OK", "Cache-Control: max-age=-1"),
    "cc-huge": reply("200 OK", "Cache-Control: max-age=99999999999"), "cc-word": reply("200 OK", "Cache-Control: max-age=abc"),
    "cc-twice": reply("200 OK", "Cache-Control: max-age=0, max-age=10"), "pragma": reply("200 OK", "Pragma: no-cache"),
    "expires-past": reply("200 OK", f"Expires: {MODIFIED}"), "expires-zero": reply("200 OK", "Expires: 0"),
    "expires-wrong": reply("200 OK", "Expires: soon"), "expires-later": reply("200 OK", f"Date: {MODIFIED}", f"Expires: {LATER}"),
    "expires-same": reply("200 OK", f"Date: {MODIFIED}", f"Expires: {MODIFIED}"), "date": reply("200 OK", f"Date: {MODIFIED}"),
    "date-wrong": reply("200 OK", "Date: today"), "dates": reply("200 OK", f"Date: {MODIFIED}", f"Date: {LATER}"),
    "age": reply("200 OK", "Age: 7", "Cache-Control: max-age=100"), "age-over": reply("200 OK", "Age: 100", "Cache-Control: max-age=10"),
    "age-wrong": reply("200 OK", "Age: x"), "age-negative": reply("200 OK", "Age: -1"), "ages": reply("200 OK", "Age: 1", "Age: 70"),
    "vary": reply("200 OK", "Vary: Accept"), "vary-any": reply("200 OK", "Vary: *"), "vary-two": reply("200 OK", "Vary: Accept", "Vary: Cookie"),
    "vary-wrong": reply("200 OK", "Vary: a b"), "vary-empty": reply("200 OK", "Vary:"),
    "set-cookie": reply("200 OK", "Set-Cookie: a=1"), "cookies": reply("200 OK", "Set-Cookie: a=1", "Set-Cookie: b=2", "X-TTL: 10s"),
    "surrogate": reply("200 OK", 'Surrogate-Control: content="ESI/1.0"', "Surrogate-Control: max-age=10"), "surrogate-no-store": reply("200 OK", "Surrogate-Control: no-store"),
    "connection-close": reply("200 OK", "Connection: close"), "connection-names": reply("200 OK", "Connection: X-Foo", "X-Foo: 1"),
    "keep-alive": reply("200 OK", "Connection: keep-alive", "Keep-Alive: timeout=5"), "proxy": reply("200 OK", "Proxy-Authenticate: Basic", "Proxy-Connection: x"),
    "proxy-auth-info": reply("200 OK", "Proxy-Authentication-Info: x", "Proxy-Authorization: y"),
    "upgrade": reply("200 OK", "Upgrade: foo"), "te": reply("200 OK", "TE: x", "Trailer: y"), "http2-settings": reply("200 OK", "HTTP2-Settings: x"),
    "via": reply("200 OK", "Via: 1.1 other"), "x-varnish": reply("200 OK", "X-Varnish: 5"), "server": reply("200 OK", "Server: mine"),
    "accept-ranges": reply("200 OK", "Accept-Ranges: none"), "content-range": reply("200 OK", "Content-Range: bytes 0-1/10"),
    "content-encoding": reply("200 OK", "Content-Encoding: br"), "etag-weak": reply("200 OK", 'ETag: W/"abc"', "X-TTL: 10s"), "etag-empty": reply("200 OK", "ETag:"),
    "etag-unquoted": reply("200 OK", "ETag: abc"), "etags": reply("200 OK", 'ETag: "abc"', 'ETag: "xyz"'), "modified-wrong": reply("200 OK", "Last-Modified: long ago"),
    "modified-only": reply("200 OK", f"Last-Modified: {MODIFIED}"), "hsts": reply("200 OK", "Strict-Transport-Security: max-age=1", "Alt-Svc: clear"),
    "empty-field": reply("200 OK", "X-Empty:"), "twice": reply("200 OK", "X-Foo: 1", "X-Foo: 2"), "location": reply("302 Found", "Location: /x", body=b""),
    "length-twice": reply("200 OK", "Content-Length: 20"), "closed": b"", "not-http": b"hello\r\n\r\n", "head-cut": b"HTTP/1.1 200 OK\r\n", "interim": b"HTTP/1.1 100 Continue\r\n\r\n" + FRESH,
    "early": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + FRESH, "short": reply(body=CONTENT[:5], length=False).replace(b"OK\r\n", b"OK\r\nContent-Length: 20\r\nX-Whole: 1\r\nConnection: close\r\n"),
    "retry": reply("200 OK", "X-Retry: 1"), "http2": b"HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n", "folded": b"HTTP/1.1 200 OK\r\nX-Fold: a\r\n b\r\nContent-Length: 0\r\n\r\n",
    "retry-after": reply("503 Unavailable", "Retry-After: 7", "X-TTL: 10s"), "robots": reply("200 OK", "X-Robots-Tag: none", "Content-Disposition: inline"),
}

#: Heads of a 304 that validates a stored response.
CONFIRMATIONS: dict[str, bytes] = {
    name: reply("304 Same", *fields, body=b"", length=False) for name, fields in {
        "bare": ("X-TTL: 10s",), "etag": ('ETag: "new"', "X-TTL: 10s"), "cache-control": ("Cache-Control: max-age=50",),
        "type": ("Content-Type: text/html", "X-TTL: 10s"), "encoding": ("Content-Encoding: br", "X-TTL: 10s"),
        "length": ("Content-Length: 3", "X-TTL: 10s"), "range": ("Content-Range: bytes 0-1/3", "Accept-Ranges: none", "X-TTL: 10s"),
        "other": ("X-Foo: 2", "X-Bar: 3", "X-TTL: 10s"), "twice": ("X-Foo: 2", "X-Foo: 3", "X-TTL: 10s"), "date": (f"Date: {LATER}", "X-TTL: 10s"),
        "age": ("Age: 5", "X-TTL: 10s"), "expires": (f"Date: {MODIFIED}", f"Expires: {LATER}"), "vary": ("Vary: X-Foo", "X-TTL: 10s"),
        "cookie": ("Set-Cookie: a=1", "X-TTL: 10s"), "via": ("Via: 1.1 other", "X-TTL: 10s"), "server": ("Server: mine", "X-TTL: 10s"),
        "modified": (f"Last-Modified: {LATER}", "X-TTL: 10s"), "connection": ("Connection: close", "X-TTL: 10s"), "hop": ("Connection: X-Foo", "X-Foo: 9", "X-TTL: 10s"),
        "language": ("Content-Language: de", "Content-Location: /x", "Content-MD5: y", "X-TTL: 10s"), "transfer": ("Keep-Alive: x", "Upgrade: y", "X-TTL: 10s"),
        "pass": ("X-Mark: miss",), "gone": ("X-TTL: 0s",),
    }.items()}

SEED = Step(fields=("Do: hash",))


def step(method: str, fields: str, way: str, pause_s: float = 0.0) -> Step:
    body = b"content" if method in ("POST", "PUT", "PATCH") else b""
    framing = (f"Content-Length: {len(body)}",) if body else ()
    do = (f"Do: {way}",) if way else ()
    return Step(method, do + REQUEST_FIELDS[fields] + framing, body, pause_s=pause_s)


def marked(mark: str) -> bytes:
    return reply("200 OK", *PLAIN, mark)


def stale(grace: str, keep: str) -> bytes:
    return reply("200 OK", *PLAIN, "X-Foo: 1", "X-TTL: 0.001s", f"X-Grace: {grace}", f"X-Keep: {keep}")


#: A state consists of the origin's replies, the way of the tested request, and the steps before and after it.
@dataclass(slots=True, frozen=True)
class State:
    replies: tuple[bytes, ...] = (FRESH,)
    way: str = "hash"
    seeded: bool = True
    pause_s: float = 0.0
    after: tuple[Step, ...] = ()


NEW = reply("200 OK", 'ETag: "new"', "X-TTL: 10s", body=b"new content")
AFTER = (Step(fields=("Do: hash",), pause_s=PAUSE_S),)
STATES: dict[str, State] = {
    "builtin": State(way="", seeded=False), "miss": State(seeded=False), "hit": State(), "pass": State(way="pass", seeded=False),
    "hit-for-miss": State((marked("X-Mark: miss"),)), "hit-for-pass": State((marked("X-Mark: pass"),)),
    "grace": State((stale("10s", "0s"), NEW), pause_s=PAUSE_S, after=AFTER),
    "grace-304": State((stale("10s", "10s"), CONFIRMATIONS["bare"]), pause_s=PAUSE_S, after=AFTER),
    "keep": State((stale("0s", "10s"), NEW), pause_s=PAUSE_S, after=AFTER),
    "keep-304": State((stale("0s", "10s"), CONFIRMATIONS["bare"]), pause_s=PAUSE_S, after=AFTER),
    "expired": State((stale("0s", "0s"), NEW), pause_s=PAUSE_S, after=AFTER), "always-miss": State((FRESH, NEW), way="always", after=AFTER),
    "pipe": State((reply("200 OK", "Connection: close"),), way="pipe", seeded=False), "synth": State(way="synth", seeded=False), "purge": State(way="purge"),
    "fail": State(way="fail", seeded=False), "error": State((b"",), seeded=False), "pass-error": State((b"",), way="pass", seeded=False),
    "young": State((reply("200 OK", *PLAIN, "Age: 60", "Cache-Control: max-age=300"),), way="young"),
}
METHODS = ("HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "FOO", "TRACE")


def case(name: str, state: State, method: str, fields: str) -> Case:
    steps = (SEED,) if state.seeded else ()
    return Case(name, state.replies, (*steps, step(method, fields, state.way, state.pause_s), *state.after))


def all_cases() -> Iterator[Case]:
    for state_name, state in STATES.items():
        for fields in REQUEST_FIELDS:
            yield case(f"{state_name} GET {fields}", state, "GET", fields)
        for method in METHODS:
            for fields in FEW if state_name in ("builtin", "miss", "hit", "pass", "grace", "synth") else ["none"]:
                yield case(f"{state_name} {method} {fields}", state, method, fields)
    for name, answer in REPLIES.items():
        head = Step("HEAD", ("Do: hash",))
        yield Case(f"reply {name}", (answer,), (SEED, SEED, head))
        yield Case(f"reply {name} builtin", (answer,), (Step(), Step(), Step("HEAD")))
        yield Case(f"reply {name} pass", (answer,), (Step(fields=("Do: pass",)),))
        yield Case(f"reply {name} http10", (answer,), (Step(fields=("Do: hash",), minor=0), Step(fields=("Do: hash", "Connection: keep-alive"), minor=0)))
        for fields in ("inm-same", "ims-same", "range-first", "range-out"):
            yield Case(f"reply {name} hit {fields}", (answer,), (SEED, step("GET", fields, "hash")))
            yield Case(f"reply {name} pass {fields}", (answer,), (step("GET", fields, "pass"),))
    for name, answer in CONFIRMATIONS.items():
        for kind, first in (("keep", stale("0s", "10s")), ("grace", stale("10s", "10s"))):
            yield Case(f"confirmed {kind} {name}", (first, answer), (SEED, step("GET", "none", "hash", PAUSE_S), *AFTER))
    for name, answer in REPLIES.items():
        yield Case(f"refreshed {name}", (stale("0s", "10s"), answer), (SEED, step("GET", "none", "hash", PAUSE_S), *AFTER))
        yield Case(f"refreshed in grace {name}", (stale("10s", "10s"), answer), (SEED, step("GET", "none", "hash", PAUSE_S), *AFTER))
