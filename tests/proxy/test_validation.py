"""Validation of stored responses (RFC 9111, 4.3), and responses that answer a range nobody asked for (RFC 9110,
15.3.7), in each way of caching: 4.1, 4.1 with ``feature=+rfc9111``, and with ``partial_objects``.

The first response is fresh for a millisecond, and ``get`` waits until it is over.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Handler, Origin, Reply, Request, Response, fetch

Start = Callable[..., Daemon]

MODES = {
    "4.1": (),
    "rfc9111": ("-p", "feature=+rfc9111"),
    "partial": ("-p", "partial_objects=on"),
}
DAY, NEXT_DAY = "Thu, 01 Jan 2026 00:00:00 GMT", "Fri, 02 Jan 2026 00:00:00 GMT"
FRESH = {"Cache-Control": "max-age=1000"}
#: Stores a first response for a moment. What a 304 renews has the lifetime that the fields state.
STALE_FIRST = """
sub vcl_backend_response {
    if (beresp.http.X-Stale && !beresp.was_304) { set beresp.ttl = 0.001s; }
    set beresp.grace = 0s;
    set beresp.keep = 60s;
}
"""
STALE = {"X-Stale": "1"} | FRESH
#: Stores every response, and passes requests for /pass.
STORE_ALL = """
sub vcl_recv { if (req.url ~ "^/pass") { return (pass); } }
sub vcl_backend_fetch { if (bereq.http.X-Slice) { set bereq.http.Range = bereq.http.X-Slice; } }
sub vcl_backend_response { set beresp.ttl = 60s; set beresp.uncacheable = false; return (deliver); }
"""


@contextmanager
def serving(start_daemon: Start, handler: Handler, mode: str = "4.1", vcl: str = STALE_FIRST,
            version: str = "4.1", args: tuple[str, ...] = ()) -> Iterator[tuple[Daemon, Origin]]:
    with Origin(handler) as origin:
        text = f'vcl {version}; backend b {{ .host = "127.0.0.1"; .port = "{origin.port}"; }} {vcl}'
        yield start_daemon(text, (*MODES[mode], *args)), origin


def get(d: Daemon, url: str = "/", **fields: str) -> Response:
    sleep(0.005)
    return fetch(d.port_cached, url, headers={name.replace("_", "-"): value for name, value in fields.items()})


def records(d: Daemon, tag: str) -> list[str]:
    """The values of all log records with this tag."""
    text = subprocess.run([ROOT / "build/bin/vernis", "log", "-n", str(d.workdir), "-d", "-g", "raw", "-i", tag],
                          capture_output=True, text=True, check=True, timeout=60).stdout
    return [line.split(None, 3)[3].strip() for line in text.splitlines() if line.strip()]


def await_record(d: Daemon, tag: str, part: str) -> None:
    wait_until(lambda: any(part in one for one in records(d, tag)), f"a record {tag} has {part!r}")


def confirmed_by(fields: dict[str, str], first: dict[str, str]) -> Handler:
    """An origin whose response never changes, and whose 304 has these fields."""
    def handler(request: Request) -> Reply:
        if "if-none-match" in request.headers or "if-modified-since" in request.headers:
            return Reply(304, headers=fields)
        return Reply(body=b"body", headers=first)
    return handler


# ---- what a 304 takes anew ----


@pytest.mark.parametrize("mode", MODES)
def test_age_and_date_of_the_first_response_end_at_validation(start_daemon: Start, mode: str) -> None:
    old = {"Age": "5000", "Date": DAY, "ETag": '"one"', "Warning": '110 - "old"'} | STALE
    with serving(start_daemon, confirmed_by({"ETag": '"one"'} | FRESH, old), mode) as (d, origin):
        assert get(d).status == 200
        answers = [get(d) for _ in range(3)]
        assert origin.count("/") == 2
        assert all(int(r.get("Age") or "-1") in range(60) for r in answers), answers
        assert all(r.get("Date") not in (None, DAY) for r in answers)
        assert all(r.get("Warning") is None for r in answers)


def test_fields_of_the_304_replace_the_stored_ones(start_daemon: Start) -> None:
    """Age, Expires and s-maxage come from the 304. Expires of the first response, without a new one, ends."""
    first = {"Age": "50", "ETag": '"one"', "Warning": '214 - "changed"', "Expires": DAY, "Date": DAY, "X-Kept": "1"} | STALE
    changed = {"ETag": '"one"', "Age": "7", "Cache-Control": "s-maxage=900, max-age=1", "Warning": '299 - "new"'}
    with serving(start_daemon, confirmed_by(changed, first), "rfc9111") as (d, origin):
        for _ in range(3):
            r = get(d)
        assert origin.count("/") == 2
        assert int(r.get("Age") or "-1") in range(7, 67)
        assert (r.get("Cache-Control"), r.get("Warning"), r.get("X-Kept")) == (changed["Cache-Control"], '299 - "new"', "1")


def test_a_lasting_warning_is_kept(start_daemon: Start) -> None:
    first = {"ETag": '"one"', "Warning": '214 - "changed"'} | STALE
    with serving(start_daemon, confirmed_by({"ETag": '"one"'} | FRESH, first)) as (d, _):
        assert [get(d).get("Warning") for _ in range(2)] == ['214 - "changed"'] * 2


def test_fields_for_one_client_end_at_validation(start_daemon: Start) -> None:
    """The client whose request is validated, and the clients after it, do not get the cookie of the first."""
    first = {"ETag": '"one"', "Set-Cookie": "user=one", "X-Stale": "1", "Cache-Control": 'max-age=1000, private="Set-Cookie"'}
    with serving(start_daemon, confirmed_by({"ETag": '"one"'} | FRESH, first), "rfc9111") as (d, origin):
        cookies = [get(d).get("Set-Cookie") for _ in range(3)]
        assert (cookies, origin.count("/")) == (["user=one", None, None], 2)


# ---- 304s about another version ----


OTHER_ETAG = {
    "another ETag": ({"ETag": '"one"'}, {"ETag": '"two"'}),
    "another weak ETag": ({"ETag": 'W/"one"'}, {"ETag": 'W/"two"'}),
    "another ETag, the same date": ({"ETag": '"one"', "Last-Modified": DAY}, {"ETag": '"two"', "Last-Modified": DAY}),
}
OTHER_VERSION = {
    "another Last-Modified": ({"Last-Modified": DAY}, {"Last-Modified": NEXT_DAY}),
    "an earlier Last-Modified": ({"Last-Modified": NEXT_DAY}, {"Last-Modified": DAY}),
    "a Last-Modified that is no date": ({"Last-Modified": DAY}, {"Last-Modified": "now"}),
    "another Last-Modified, without the ETag": ({"ETag": '"one"', "Last-Modified": DAY}, {"Last-Modified": NEXT_DAY}),
    "another Last-Modified and ETag": ({"ETag": '"one"', "Last-Modified": DAY}, {"ETag": '"two"', "Last-Modified": NEXT_DAY}),
    "a range": ({"ETag": '"one"'}, {"ETag": '"one"', "Content-Range": "bytes 0-1/9"}),
}
SAME_VERSION = {
    "the same ETag": ({"ETag": '"one"'}, {"ETag": '"one"'}),
    "the ETag made strong": ({"ETag": 'W/"one"'}, {"ETag": '"one"'}),
    "the ETag without quotes": ({"ETag": '"one"'}, {"ETag": "one"}),
    "the ETag made weak": ({"ETag": '"one"'}, {"ETag": 'W/"one"'}),
    "the ETag, and another date": ({"ETag": '"one"', "Last-Modified": DAY}, {"ETag": '"one"', "Last-Modified": NEXT_DAY}),
    "a date in another form": ({"Last-Modified": DAY}, {"Last-Modified": "Thursday, 01-Jan-26 00:00:00 GMT"}),
    "no validator": ({"ETag": '"one"', "Last-Modified": DAY}, {}),
    "an ETag that the stored response lacks": ({"Last-Modified": DAY}, {"ETag": '"one"'}),
}


def two_versions(table: dict[str, tuple[dict[str, str], dict[str, str]]]) -> Handler:
    """The n-th URL is for the n-th row. Its second version is there at the second request. A conditional request
    gets a 304 all the same."""
    seen: set[str] = set()

    def handler(request: Request) -> Reply:
        first, confirmation = list(table.values())[int(request.url[1:] or "0")]
        if "if-none-match" in request.headers or "if-modified-since" in request.headers:
            return Reply(304, headers=confirmation | FRESH)
        if request.url in seen:
            return Reply(body=b"second", headers={"ETag": '"two"'} | FRESH)
        seen.add(request.url)
        return Reply(body=b"first", headers=first | STALE)
    return handler


@pytest.mark.parametrize("mode", MODES)
def test_a_304_about_another_version_renews_nothing(start_daemon: Start, mode: str) -> None:
    rows = OTHER_VERSION | (OTHER_ETAG if mode == "rfc9111" else {})
    with serving(start_daemon, two_versions(rows), mode) as (d, origin):
        for number, name in enumerate(rows):
            url = f"/{number}"
            assert [get(d, url).body for _ in range(3)] == [b"first", b"second", b"second"], name
            conditional = [not {"if-none-match", "if-modified-since"}.isdisjoint(q.headers) for q in origin.seen(url)]
            assert conditional == [False, True, False], name
        for what in ("another Last-Modified", "Content-Range", *(["another ETag"] if mode == "rfc9111" else [])):
            await_record(d, "Notice", f"Fetched again without conditions: the 304 has {what}")


def test_in_4_x_a_304_with_another_etag_renews_with_a_notice(start_daemon: Start) -> None:
    with serving(start_daemon, two_versions(OTHER_ETAG)) as (d, origin):
        for number, name in enumerate(OTHER_ETAG):
            url = f"/{number}"
            assert [get(d, url).body for _ in range(3)] == [b"first"] * 3, name
            assert origin.count(url) == 2, name
        await_record(d, "Notice", "Renewed by a 304 with another ETag")


def test_a_304_about_the_same_version_renews_it(start_daemon: Start) -> None:
    with serving(start_daemon, two_versions(SAME_VERSION)) as (d, origin):
        for number, name in enumerate(SAME_VERSION):
            url = f"/{number}"
            assert [get(d, url).body for _ in range(3)] == [b"first"] * 3, name
            assert origin.count(url) == 2, name


def test_rollback_does_not_bring_the_conditions_back(start_daemon: Start) -> None:
    vcl = 'import std; sub vcl_backend_fetch { std.rollback(bereq); }' + STALE_FIRST
    with serving(start_daemon, two_versions(OTHER_VERSION), vcl=vcl) as (d, _):
        assert [get(d).body for _ in range(2)] == [b"first", b"second"]


def test_a_policy_that_insists_on_its_condition_gets_503(start_daemon: Start) -> None:
    vcl = """sub vcl_backend_fetch { set bereq.http.If-None-Match = {""one""}; }""" + STALE_FIRST
    with serving(start_daemon, lambda request: Reply(304, headers={"ETag": '"two"'}), vcl=vcl) as (d, origin):
        assert get(d).status == 503
        assert origin.count("/") == 1


def test_a_304_to_a_background_refresh_may_be_about_another_version(start_daemon: Start) -> None:
    vcl = STALE_FIRST.replace("grace = 0s", "grace = 60s")
    with serving(start_daemon, two_versions(OTHER_VERSION), vcl=vcl) as (d, _):
        assert [get(d).body for _ in range(2)] == [b"first"] * 2
        wait_until(lambda: get(d).body == b"second", "the refresh has fetched the second version")


def counters(d: Daemon) -> dict[str, int]:
    out = subprocess.run([ROOT / "build/bin/vernis", "stat", "--json", "-n", str(d.workdir)],
                         capture_output=True, text=True, check=True)
    rows = json.loads(out.stdout)
    return {name: row["value"] for name, row in rows.get("counters", rows).items() if isinstance(row, dict)}


def test_a_304_copies_no_content(start_daemon: Start) -> None:
    body = bytes(range(256)) * 4096

    def answer(request: Request) -> Reply:
        if request.headers.get("if-none-match") == '"one"':
            return Reply(304, headers={"ETag": '"one"'} | FRESH)
        return Reply(headers={"ETag": '"one"'} | STALE, body=body)

    with serving(start_daemon, answer) as (d, _):
        assert get(d).body == body
        before = counters(d)["SMA.s0.c_bytes"]
        assert get(d).body == body
        wait_until(lambda: counters(d)["VERNIS.bodies_shared"] == 1, "a shared body is counted")
        assert counters(d)["SMA.s0.c_bytes"] - before < 10_000               # a head
        assert get(d).body == body                                           # the stale response is gone


# ---- heads that 304s let grow ----


def growing(fields: int, value: str) -> Handler:
    """Each 304 has other fields."""
    def handler(request: Request) -> Reply:
        number = int(request.headers["x-number"])
        more = {f"X-{number}-{i}": value for i in range(fields)}
        if "if-none-match" in request.headers:
            return Reply(304, headers={"ETag": '"one"'} | more | STALE)
        return Reply(body=b"body", headers={"ETag": '"one"'} | STALE)
    return handler


@pytest.mark.parametrize(("fields", "value", "args"), [
    (15, "1", ()),
    (1, "1", ("-p", "http_max_hdr=32")),
    (2, "x" * 4000, ()),
    (2, "x" * 400, ("-p", "http_resp_size=4k", "-p", "http_resp_hdr_len=1k")),
    (3, "x" * 4000, ("-p", "workspace_backend=32k")),
])
def test_a_head_that_grows_past_a_limit_is_fetched_again(start_daemon: Start, fields: int, value: str, args: tuple[str, ...]) -> None:
    vcl = STALE_FIRST.replace(" && !beresp.was_304", "")
    with serving(start_daemon, growing(fields, value), vcl=vcl, args=args) as (d, origin):
        for number in range(40):
            r = get(d, X_Number=str(number))
            assert (r.status, r.body) == (200, b"body"), number
        await_record(d, "Notice", "Fetched again without conditions: the refreshed head")
        assert any("if-none-match" not in q.headers for q in origin.requests[1:])


# ---- ranges that nobody asked for ----


CONTENT = b"0123456789" * 10


def obeys(*names: str, status: int = 206, fields: dict[str, str] | None = None) -> Handler:
    """An origin that takes each of these fields for Range."""
    def handler(request: Request) -> Reply:
        if any(name in request.headers for name in names):
            return Reply(status, CONTENT[:1], fields or {"Content-Range": "bytes 0-0/100", "ETag": '"e"'})
        return Reply(body=CONTENT, headers={"ETag": '"e"'})
    return handler


DROPPED = ("Range", "If-Range", "Request-Range", "Unless-Modified-Since", "A-IM", "If-Match", "If-None-Match", "If-Modified-Since",
           "If-Unmodified-Since", "Content-Range")


@pytest.mark.parametrize("mode", MODES)
def test_a_miss_asks_for_the_whole_content(start_daemon: Start, mode: str) -> None:
    with serving(start_daemon, obeys("request-range", "unless-modified-since", "a-im"), mode, STORE_ALL) as (d, origin):
        for name in DROPPED:
            if (name, mode) == ("Range", "partial"):
                continue        # a range of the proxy's own
            url = f"/{name}"
            get(d, url, **{name: "bytes=0-0"})
            r = get(d, url)
            assert (r.status, r.body) == (200, CONTENT), name
            assert name.lower() not in origin.seen(url)[0].headers


def test_a_pass_is_between_the_client_and_the_origin(start_daemon: Start) -> None:
    with serving(start_daemon, obeys("range", "request-range"), vcl=STORE_ALL) as (d, origin):
        for name in ("Range", "Request-Range"):
            assert get(d, "/pass", **{name: "bytes=0-0"}).status == 206
        assert get(d, "/pass").status == 200


PARTS = {
    "a range": {"Content-Range": "bytes 0-0/100"},
    "a range of unknown content": {"Content-Range": "bytes 0-0/*"},
    "a malformed range": {"Content-Range": "bytes 0-"},
    "parts": {"Content-Type": "multipart/byteranges; boundary=x"},
}


#: Interfaces of data bases mark a page of rows in this way.
FOR_ONE = [{}, {"Content-Range": "items 0-9/100"}, {"Content-Range": "0-24/3573458"}]


@pytest.mark.parametrize(("mode", "version"), [*((mode, "4.1") for mode in MODES), ("4.1", "5.0")])
def test_a_206_to_a_request_without_range_is_not_shared(start_daemon: Start, mode: str, version: str) -> None:
    """One about bytes is an error of the origin. Others are for one client, whatever the policy says."""
    rows = [(fields, 503) for fields in PARTS.values()] + [(fields, 206) for fields in FOR_ONE]
    vcl = STORE_ALL if version == "4.1" else "sub vcl_backend_response { set beresp.ttl = 60s; }"
    with serving(start_daemon, lambda request: Reply(206, b"0", rows[int(request.url[1:])][0]), mode, vcl, version) as (d, origin):
        for number, (fields, status) in enumerate(rows):
            url = f"/{number}"
            assert [get(d, url).status for _ in range(2)] == [status] * 2, fields
            assert origin.count(url) == 2, fields
        await_record(d, "FetchError", "the origin sent 206 to a request without Range")


@pytest.mark.parametrize("mode", MODES)
def test_without_http_range_support_a_part_is_for_one_client(start_daemon: Start, mode: str) -> None:
    """As in Varnish (script r02530), but it is not stored."""
    with serving(start_daemon, lambda request: Reply(206, b"0", PARTS["a range"]), mode, STORE_ALL,
                 args=("-p", "http_range_support=off")) as (d, origin):
        assert [get(d).status for _ in range(2)] == [206] * 2
        assert origin.count("/") == 2


SLICES = {      # Range that the policy sets, fields of the 206, its content; is it stored?
    "the range": ("bytes=0-9", {"Content-Range": "bytes 0-9/100"}, CONTENT[:10], True),
    "the range of unknown content": ("bytes=0-9", {"Content-Range": "bytes 0-9/*"}, CONTENT[:10], True),
    "cut at the end": ("bytes=90-199", {"Content-Range": "bytes 90-99/100"}, CONTENT[:10], True),
    "the suffix": ("bytes=-10", {"Content-Range": "bytes 90-99/100"}, CONTENT[:10], True),
    "several": ("bytes=0-9,20-29", {"Content-Type": "multipart/byteranges; boundary=x"}, b"--x--", True),
    "another unit": ("items=0-9", {"Content-Range": "items 0-9/100"}, CONTENT[:10], False),
    "another range": ("bytes=0-9", {"Content-Range": "bytes 10-19/100"}, CONTENT[:10], False),
    "more than the range": ("bytes=0-9", {"Content-Range": "bytes 0-10/100"}, CONTENT[:11], False),
    "not the suffix": ("bytes=-10", {"Content-Range": "bytes 80-89/100"}, CONTENT[:10], False),
    "too long a suffix": ("bytes=-10", {"Content-Range": "bytes 80-99/100"}, CONTENT[:20], False),
    "another length": ("bytes=0-9", {"Content-Range": "bytes 0-9/100"}, CONTENT[:9], False),
    "a range beyond its content": ("bytes=0-9", {"Content-Range": "bytes 0-9/9"}, CONTENT[:10], False),
    "parts for one range": ("bytes=0-9", {"Content-Type": "multipart/byteranges; boundary=x"}, b"--x--", False),
    "no range": ("bytes=0-9", {}, CONTENT[:10], False),
}


@pytest.mark.parametrize("mode", MODES)
def test_a_policy_may_store_the_ranges_that_it_asks_for(start_daemon: Start, mode: str) -> None:
    rows = list(SLICES.values())
    with serving(start_daemon, lambda request: Reply(206, rows[int(request.url[1:])][2], rows[int(request.url[1:])][1]),
                 mode, STORE_ALL) as (d, origin):
        for number, (name, (asked, _, body, stored)) in enumerate(SLICES.items()):
            url = f"/{number}"
            answers = [get(d, url, X_Slice=asked) for _ in range(2)]
            assert {r.status for r in answers} <= ({206} if stored else {206, 503}), name
            assert all(r.body == body for r in answers if r.status == 206), name
            assert origin.count(url) == (1 if stored else 2), name


@pytest.mark.parametrize("status", [412, 416])
def test_an_answer_to_a_condition_is_not_stored(start_daemon: Start, status: int) -> None:
    with serving(start_daemon, lambda request: Reply(status, b"no", FRESH), "rfc9111", "") as (d, origin):
        assert [get(d).status for _ in range(2)] == [status] * 2
        assert origin.count("/") == 2


@pytest.mark.parametrize("mode", MODES)
def test_a_304_to_a_fetch_without_conditions_is_an_error(start_daemon: Start, mode: str) -> None:
    with serving(start_daemon, lambda request: Reply(304, headers=FRESH), mode, STORE_ALL) as (d, origin):
        assert [get(d).status for _ in range(2)] == [503] * 2
        assert get(d, "/pass").status == 304


# ---- stored responses to HEAD ----


#: Stores what HEAD gets, under the key of GET.
HEAD_POLICY = """
sub vcl_recv { unset req.http.X-Method; if (req.method == "HEAD") { set req.http.X-Method = "HEAD"; } return (hash); }
sub vcl_backend_fetch { if (bereq.http.X-Method) { set bereq.method = "HEAD"; } }
sub vcl_backend_response {
    set beresp.ttl = 60s;
    if (bereq.url ~ "^/esi") { set beresp.do_esi = true; }
    if (bereq.url ~ "^/packed") { set beresp.do_gzip = true; }
}
"""
HEADS = {       # what the origin sends, and what clients get: Content-Length, Content-Encoding, ETag
    "/plain": ({"Content-Length": "100"}, ("100", None, '"e"')),
    "/coded": ({"Content-Length": "100", "Content-Encoding": "x-mine"}, ("100", "x-mine", '"e"')),
    "/empty": ({"Content-Length": "0"}, ("0", None, '"e"')),
    "/chunked": ({"Transfer-Encoding": "chunked"}, (None, None, '"e"')),
    "/gzip": ({"Content-Length": "100", "Content-Encoding": "gzip"}, (None, None, 'W/"e"')),
    "/packed": ({"Content-Length": "100", "Content-Type": "text/plain"}, (None, None, 'W/"e"')),
    "/esi": ({"Content-Length": "100"}, (None, None, 'W/"e"')),
}


def head_first(request: Request) -> Reply:
    fields, _ = HEADS[request.url]
    if request.method == "HEAD":
        return Reply(headers=fields | {"ETag": '"e"'})
    return Reply(body=CONTENT, headers={"ETag": '"e"'})


def head_fields(d: Daemon, url: str, **fields: str) -> tuple[int, str | None, str | None, str | None]:
    r = fetch(d.port_cached, url, method="HEAD", headers={name.replace("_", "-"): value for name, value in fields.items()})
    return r.status, r.get("Content-Length"), r.get("Content-Encoding"), r.get("ETag")


@pytest.mark.parametrize("mode", MODES)
def test_a_stored_response_to_head_says_what_the_origin_said(start_daemon: Start, mode: str) -> None:
    with serving(start_daemon, head_first, mode, HEAD_POLICY) as (d, origin):
        for url, (_, shown) in HEADS.items():
            for fields in ({}, {}, {"Range": "bytes=0-3"}, {"Accept_Encoding": "gzip"}):
                assert head_fields(d, url, **fields) == (200, *shown), (url, fields)
            assert head_fields(d, url, If_None_Match='"e"')[:2] == (304, None), url
            assert origin.count(url) == 1, url


@pytest.mark.parametrize("mode", MODES)
def test_a_response_to_head_answers_no_get(start_daemon: Start, mode: str) -> None:
    """The response to GET then answers both."""
    with serving(start_daemon, head_first, mode, HEAD_POLICY) as (d, origin):
        assert head_fields(d, "/plain")[:2] == (200, "100")
        r = fetch(d.port_cached, "/plain", headers={"Range": "bytes=0-3"})
        assert (r.status, r.body) == (206, CONTENT[:4])
        assert fetch(d.port_cached, "/plain").body == CONTENT
        assert head_fields(d, "/plain")[:2] == (200, "100")
        assert [q.method for q in origin.seen("/plain")] == ["HEAD", "GET"]


def test_a_response_to_head_answers_no_get_that_ignores_vary(start_daemon: Start) -> None:
    vcl = HEAD_POLICY.replace("return (hash);", "set req.hash_ignore_vary = true; return (hash);")
    with serving(start_daemon, head_first, vcl=vcl) as (d, _):
        assert head_fields(d, "/plain")[:2] == (200, "100")
        assert fetch(d.port_cached, "/plain").body == CONTENT


# ---- conditions of clients on pages with includes ----


PAGES = {"/page": b"<p><esi:include src='/part'/></p>", "/whole": b"<p><esi:remove>x</esi:remove>y</p>"}
ESI = """
sub vcl_recv { if (req.url ~ "^/part") { return (pass); } }
sub vcl_backend_response { if (bereq.url !~ "^/part") { set beresp.do_esi = true; set beresp.ttl = 60s; } }
sub vcl_deliver { if (req.http.X-Raw) { set resp.do_esi = false; } }
"""


def page_or_part(origin: list[int]) -> Handler:
    def handler(request: Request) -> Reply:
        if request.url == "/part":
            origin.append(1)
            return Reply(body=b"%d" % len(origin), headers={"ETag": '"part"'})
        return Reply(body=PAGES[request.url], headers={"ETag": '"page"', "Last-Modified": DAY})
    return handler


@pytest.mark.parametrize("version", ["4.1", "rfc9111"])
def test_a_page_whose_parts_changed_is_sent(start_daemon: Start, version: str) -> None:
    with serving(start_daemon, page_or_part([]), version, ESI) as (d, _):
        first = get(d, "/page")
        assert (first.status, first.body, first.get("ETag")) == (200, b"<p>1</p>", 'W/"page"')
        conditions = [{"If_None_Match": 'W/"page"'}, {"If_None_Match": '"page"', "If_Modified_Since": DAY}, {"If_None_Match": '"other"'}]
        for fields in [*conditions, {"Range": "bytes=0-3"}, {"Range": "bytes=0-3", "If_Range": 'W/"page"'}]:
            before, r = first.body, get(d, "/page", **fields)
            assert (r.status, r.body != before, r.get("ETag")) == (200, True, 'W/"page"'), fields
            first = r
        head = fetch(d.port_cached, "/page", method="HEAD", headers={"If-None-Match": 'W/"page"'})
        assert (head.status, head.get("ETag")) == (200, 'W/"page"')


def test_a_date_does_not_confirm_a_page_with_includes(start_daemon: Start) -> None:
    """With a policy of 4.x it does, as in Varnish."""
    for mode, shown, status in (("rfc9111", None, 200), ("4.1", DAY, 304)):
        with serving(start_daemon, page_or_part([]), mode, ESI) as (d, _):
            assert get(d, "/page").get("Last-Modified") == shown
            assert get(d, "/page", If_Modified_Since=DAY).status == status
            d.stop()


@pytest.mark.parametrize("version", ["4.1", "rfc9111"])
def test_a_page_without_includes_is_confirmed(start_daemon: Start, version: str) -> None:
    """Also one whose includes are not followed."""
    with serving(start_daemon, page_or_part([]), version, ESI) as (d, _):
        assert [get(d, "/whole").body for _ in range(2)] == [b"<p>y</p>"] * 2
        assert get(d, "/page").status == 200
        assert get(d, "/whole", If_None_Match='W/"page"').status == 304
        assert get(d, "/page", If_None_Match='"page"', X_Raw="1").status == 304
        assert get(d, "/whole", If_Modified_Since=DAY).status == 304
