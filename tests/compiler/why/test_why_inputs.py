"""The inputs of `vernis why`: URLs, heads, HAR files, groups of a daemon's log; and its outputs."""

from __future__ import annotations

import json
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from vernis.observe import tags
from vernis.observe.records import BACKEND, CLIENT, Record
from vernis.observe.transactions import Group, Kind, Transaction
from vernis.why.inputs import InputTrouble, at_url, har_entry, raw_answer, raw_request
from vernis.why.inquiry import Sent
from vernis.why.observed import Log, NotLogged, find

VERNIS = Path(__file__).resolve().parents[3] / "build" / "bin" / "vernis"
POLICY = 'vcl 4.1;\nbackend main { .host = "origin.invalid"; }\n'


# ---- URLs and heads ----------------------------------------------------------------------------------------


def test_the_host_of_a_url_becomes_a_field() -> None:
    sent = at_url("http://a.example:8080/x?y=1#z", Sent("/"))
    assert (sent.url, sent.fields) == ("/x?y=1", (("Host", "a.example:8080"),))


def test_a_field_host_wins_over_that_of_the_url() -> None:
    assert at_url("http://a/", Sent("/", fields=(("host", "b"),))).fields == (("host", "b"),)


@pytest.mark.parametrize("url", ["x", "ftp://a/", "http://", "/a b", "/\u00e4"])
def test_a_url_that_no_request_can_have_is_refused(url: str) -> None:
    with pytest.raises(InputTrouble):
        at_url(url, Sent("/"))


def test_a_raw_request() -> None:
    sent = raw_request(b"POST /a HTTP/1.1\r\nHost: h\r\nCookie: c=1\r\n\r\nbody", "r")
    assert (sent.method, sent.url, sent.body) == ("POST", "/a", b"body")
    assert sent.fields == (("Host", "h"), ("Cookie", "c=1"))


@pytest.mark.parametrize(("version", "protocol"), [("HTTP/1.1", "HTTP/1.1"), ("HTTP/1.0", "HTTP/1.1"), ("HTTP/2", "HTTP/2.0"), ("HTTP/2.0", "HTTP/2.0")])
def test_the_protocol_of_a_raw_request(version: str, protocol: str) -> None:
    sent = raw_request(f"GET /a {version}\r\nHost: h\r\n\r\n".encode(), "r")
    assert (sent.protocol, sent.head()) == (protocol, f"GET /a {protocol}\r\nHost: h\r\n\r\n".encode())


def test_an_error_names_the_line_of_a_head() -> None:
    with pytest.raises(InputTrouble, match="r:3: 'no field'"):
        raw_request(b"GET / HTTP/1.1\nHost: h\nno field\n\n", "r")


def test_a_raw_answer_has_no_fields_of_the_connection() -> None:
    given = raw_answer(b"HTTP/1.1 404 Not Found\nContent-Length: 3\nVary: *\n\nabc", "a")
    assert (given.status, given.fields, given.body) == (404, (("Vary", "*"),), b"abc")


@pytest.mark.parametrize("head", [b"GET / HTTP/1.1\n\n", b"", b"HTTP/1.1 99 x\n\n", b"HTTP/1.1 abc\n\n"])
def test_a_head_that_is_no_answer_is_refused(head: bytes) -> None:
    with pytest.raises(InputTrouble):
        raw_answer(head, "a")


# ---- HAR ---------------------------------------------------------------------------------------------------


def har(*entries: object) -> bytes:
    return json.dumps({"log": {"entries": list(entries)}}).encode()


def entry(url: str, status: int = 200) -> dict[str, object]:
    return {
        "request": {
            "method": "GET",
            "url": url,
            "headers": [{"name": ":authority", "value": "x"}, {"name": "Accept", "value": "*/*"}],
        },
        "response": {
            "status": status,
            "headers": [{"name": "Vary", "value": "Accept"}, {"name": "content-encoding", "value": "br"}],
            "content": {"text": "aGk=", "encoding": "base64"},
        },
    }


def test_a_har_entry_has_the_request_and_its_answer() -> None:
    sent = har_entry(har(entry("https://a/1"), entry("https://a/2", 404)), "h", 2, None)
    assert (sent.url, sent.fields) == ("/2", (("Accept", "*/*"), ("Host", "a")))
    assert (sent.answer.status, sent.answer.fields, sent.answer.body) == (404, (("Vary", "Accept"),), b"hi")


def test_a_har_entry_is_found_by_its_url() -> None:
    assert har_entry(har(entry("https://a/1"), entry("https://a/2")), "h", None, "/2").url == "/2"


def test_a_response_that_never_came_is_a_failure() -> None:
    assert har_entry(har(entry("https://a/1", 0)), "h", None, None).answer.fails == "closes"


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"log": {"entries": {}}}', har(), har(1), har({"request": {"url": 1}})]
)
def test_a_malformed_har_file_is_refused(data: bytes) -> None:
    with pytest.raises(InputTrouble):
        har_entry(data, "h", None, None)


# ---- the log of a daemon -----------------------------------------------------------------------------------


def transaction(vxid: int, kind: Kind, *lines: str) -> Transaction:
    side = CLIENT if kind is Kind.REQUEST else BACKEND
    rows = [line.split(" ", 1) for line in lines]
    records = [Record(tags.NUMBERS[tag], vxid | side, text.encode() + b"\0") for tag, text in rows]
    return Transaction(vxid, kind, records=records)


def request(vxid: int, start: float, *lines: str) -> Group:
    return [
        transaction(
            vxid,
            Kind.REQUEST,
            f"Timestamp Start: {start} 0 0",
            "VCL_use boot",
            "ReqStart 192.0.2.7 1234 a0",
            "ReqMethod GET",
            "ReqURL /a",
            "ReqHeader Host: h",
            "ReqHeader X-Forwarded-For: 10.0.0.1, 192.0.2.7",
            "VCL_call RECV",
            "ReqHeader X-Set: by the policy",
            "Hash /a",
            *lines,
        ),
        transaction(
            vxid + 1,
            Kind.FETCH,
            "BerespStatus 200",
            "BerespHeader Set-Cookie: s=1",
            "BerespHeader Content-Length: 3",
            "VCL_call BACKEND_RESPONSE",
            "BerespHeader X-Set: by the policy",
        ),
    ]


def test_a_logged_request_is_as_the_client_sent_it() -> None:
    seen = find([request(10, 5.0, "VCL_call MISS"), None], 10)
    assert (seen.sent.url, seen.sent.client) == ("/a", "192.0.2.7")
    assert seen.sent.fields == (("Host", "h"), ("X-Forwarded-For", "10.0.0.1"))
    assert seen.sent.answer.fields == (("Set-Cookie", "s=1"),)
    assert (seen.decision, seen.policy, seen.earlier) == ("MISS", "boot", ())


def test_a_failed_fetch_keeps_the_words_of_the_log() -> None:
    group = [request(10, 5.0, "VCL_call MISS")[0], transaction(11, Kind.FETCH, "FetchError backend a: unhealthy")]
    answer = find([group, None], 10).sent.answer
    assert (answer.fails, answer.failure) == ("closes", "backend a: unhealthy")


def test_earlier_requests_of_the_key_come_with_their_times() -> None:
    seen = find([request(10, 5.0), request(20, 65.0, "VCL_call HIT")], 20)
    assert len(seen.earlier) == 1
    assert seen.sent.wait_s == 60.0


def test_a_fetch_that_no_client_wanted_to_its_end_did_not_fail() -> None:
    head, fetch = request(10, 5.0, "VCL_call MISS")
    fetch.records.append(Record(tags.NUMBERS["FetchError"], 11 | BACKEND, b"Pass delivery abandoned\0"))
    answer = find([[head, fetch], None], 10).sent.answer
    assert (answer.fails, answer.status) == ("", 200)
    fetch.records.append(Record(tags.NUMBERS["FetchError"], 11 | BACKEND, b"straight insufficient bytes\0"))
    answer = find([[head, fetch], None], 10).sent.answer
    assert (answer.fails, answer.failure) == ("cuts off", "straight insufficient bytes")


def test_each_fetch_of_a_request_has_its_answer() -> None:
    """Restarts, retries: the last one's is not that of the first."""
    head, first = request(10, 5.0, "VCL_call MISS")
    second = transaction(12, Kind.FETCH, "BerespStatus 404", "VCL_call BACKEND_RESPONSE")
    sent = find([[head, second, first], None], 10).sent
    assert ([one.status for one in sent.answers_before], sent.answer.status) == ([200], 404)
    assert sent.fetched == {11, 12}


def command(log: Log, text: str, at: float) -> None:
    for tag, line in (("CLI", f"Rd {text}"), ("CLI", "Wr 200 0 "), ("Timestamp", f"Command: {at:.6f} 0.000000 0.000000")):
        log.untied(Record(tags.NUMBERS[tag], 0, line.encode() + b"\0"))


def test_commands_of_the_log_stand_between_the_requests() -> None:
    """By their times: the records of a request may come after those of a later command."""
    log = Log()
    command(log, "ban req.url == /none", 4.0)           # before the first request: the cache is empty
    command(log, "ping", 5.1)
    command(log, "ban req.url == /a", 5.2)
    log.read([request(10, 5.0), None])
    command(log, "ban_counted -j obj.status == 200 && req.url ~ /", 5.3)
    command(log, "ban_counted -j -n req.url ~ /", 5.4)  # only counts
    command(log, "purge_all", 7.0)
    log.read([request(20, 6.0), None])
    assert log.find(20).sent.commands == ("ban req.url == /a", "ban obj.status == 200 && req.url ~ /")
    assert [one.commands for one in log.find(20).earlier] == [()]
    assert log.find(20).lacks == ()


def test_what_a_play_lacks_is_named() -> None:
    log = Log().read([request(10, 5.0)])
    other = request(20, 6.0)
    other[0].records = [one if one.tag != tags.NUMBERS["VCL_use"] else one._replace(data=b"old\0") for one in other[0].records]
    hit = transaction(30, Kind.REQUEST, "Timestamp Start: 7 0 0", "VCL_use boot", "ReqURL /a", "Hash /a", "Hit 4 10 10 0", "VCL_call HIT",
                      "RespHeader Age: 3")
    log.read([other, [hit]])
    seen = log.find(30)
    assert seen.lacks == ("policy old, which served 1 of the requests before", "the fetch 4 that stored the response")
    assert [sorted(one.fetched) for one in seen.earlier] == [[4], [11], [21]]


def test_the_response_of_a_fetch_that_left_the_log_is_as_old_as_its_age() -> None:
    hit = transaction(30, Kind.REQUEST, "Timestamp Start: 100 0 0", "VCL_use boot", "ReqURL /a", "Hash /a", "Hit 4 10 10 0", "VCL_call HIT",
                      "RespStatus 200", "RespHeader Age: 30", "RespHeader ETag: x", "VCL_call DELIVER")
    seen = find([[hit]], 30)
    [stored] = seen.earlier
    assert (stored.fetched, stored.answer.fields, seen.sent.wait_s) == ({4}, (("ETag", "x"),), 30.0)


def test_hits_of_the_key_are_left_out_and_fetches_are_not() -> None:
    """A hit changes nothing, so any number of them pushes no fetch out."""
    log = Log().read([request(10, 5.0)])
    log.read([[request(n, 5.0 + n / 10, "VCL_call HIT")[0]] for n in range(20, 320)])
    seen = log.find(319)
    assert len(seen.earlier) == 2 and seen.earlier[0].fetched == {11}
    assert seen.lacks == ()


def test_a_transaction_that_left_the_log_is_named() -> None:
    with pytest.raises(NotLogged, match="no request 99"):
        find([request(10, 5.0), None], 99)


# ---- the command -------------------------------------------------------------------------------------------


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "p.vcl"
    path.write_text(POLICY)
    return path


def vernis(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([VERNIS, "why", *map(str, words)], capture_output=True, text=True, timeout=120)


def test_the_text_opens_with_the_decision_and_its_reason(policy: Path) -> None:
    done = vernis(policy, "http://h/a", "-H", "Cookie: c=1")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()[:2]
    assert first == "GET http://h/a: pass"
    assert second.endswith("[pass-cookie]")
    assert "request   without the field Cookie" in done.stdout
    assert 'req.http.Cookie = "c=1"' in done.stdout


def test_the_json_has_each_statement_with_its_values(policy: Path) -> None:
    told = json.loads(vernis(policy, "/a", "--format", "json", "--cold").stdout)
    assert (told["decision"], told["reason"]) == ("miss", "first-request")
    hooks = {hook["hook"]: hook for one in told["transactions"] for hook in one["hooks"]}
    assert hooks["vcl_recv"]["returns"] == "hash"
    values = [value for one in hooks["vcl_recv"]["statements"] for value in one["values"]]
    assert {"kind": "read", "name": "req.method", "value": "GET"} in values
    assert told["key"] == ["/a", "example.com"]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_whole_and_escapes_what_a_client_sends(policy: Path, tmp_path: Path) -> None:
    page = tmp_path / "why.html"
    assert vernis(policy, "/a", "-H", "Cookie: <script>x", "--show", "--format", "html", "-o", page).returncode == 0
    parser = _Tags()
    parser.feed(page.read_text())
    assert parser.open == []
    assert 'req.http.Cookie = "<script>x"' in parser.text
    assert "<script>" not in page.read_text()


def test_the_answer_of_the_origin_is_given_by_options(policy: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_text("HTTP/1.1 200 OK\nSet-Cookie: s=1\n\n")
    assert "[set-cookie]" in vernis(policy, "/a", "--answer", answer, "--no-steps").stdout
    fields = ("--status", 200, "--answer-header", "Cache-Control: private")
    assert "[cache-control]" in vernis(policy, "/a", *fields, "--no-steps").stdout


def test_earlier_requests_are_read_from_files(policy: Path, tmp_path: Path) -> None:
    head = tmp_path / "head"
    head.write_text("GET /b HTTP/1.1\nHost: example.com\n\n")
    assert "[other-key]" in vernis(policy, "/a", "--earlier", head, "--no-steps").stdout


def test_the_address_of_the_client_is_that_of_earlier_requests_too(tmp_path: Path) -> None:
    policy, head = tmp_path / "p.vcl", tmp_path / "purge"
    policy.write_text(POLICY + """acl staff { "203.0.113.0"/24; }
sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ staff) { return (synth(405)); }
        return (purge);
    }
}
""")
    head.write_text("PURGE /a HTTP/1.1\nHost: example.com\n\n")
    get = tmp_path / "get"
    get.write_text("GET /a HTTP/1.1\nHost: example.com\n\n")
    words = (policy, "/a", "--earlier", get, "--earlier", head, "--no-steps")
    assert "[purged]" in vernis(*words, "--client", "203.0.113.9").stdout
    assert "[fresh]" in vernis(*words, "--client", "198.51.100.9").stdout
    assert "[fresh]" in vernis(*words).stdout


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ((), "give one of: a URL, --raw FILE, --har FILE"),
        (("/a b",), "holds blanks"),
        (("/a", "--answer", "/nowhere"), "cannot read /nowhere"),
        (("/a", "-H", "x"), "'x' is no field"),
    ],
)
def test_a_mistake_in_the_options_is_named(policy: Path, words: tuple[str, ...], error: str) -> None:
    done = vernis(policy, *words)
    assert done.returncode == 2
    assert error in done.stderr
