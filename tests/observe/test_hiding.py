"""Values that identify do not reach an output that hides them, in any form that the output or a policy makes of them."""

from __future__ import annotations

import base64
import html
import io
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from observe.logs import record, write_dump
from vernis.observe import tags
from vernis.observe.hiding import MARK, PART, Hiding, is_field, is_parameter
from vernis.observe.identifying import ADDRESSES, COOKIE_ATTRIBUTES, CREDENTIALS, FIELDS, PARAMETERS, WORD_ENDS
from vernis.observe.jsonlines import group_json
from vernis.observe.records import Record
from vernis.observe.screen import Screen
from vernis.observe.select import Selection
from vernis.observe.text import group_text
from vernis.observe.transactions import Group, Grouper, Grouping

ROOT = Path(__file__).resolve().parents[2]
VERNIS = ROOT / "build" / "bin" / "vernis"
KEY = bytes(32)

# ---- the property --------------------------------------------------------------------------------------------

# Not of one kind of character, so that it is not by chance in a number or a word of the output.
SECRETS = st.text(st.sampled_from("abcXYZ0189-_.~+/=!*()<>&'\"\\ é,%"), min_size=12, max_size=60).map(
    lambda text: "q7" + text.strip(" \"'\\")).filter(lambda text: len(text) >= 12)
TOKENS = st.from_regex(r"q7[A-Za-z0-9._~+/-]{10,50}={0,2}", fullmatch=True)
COPIES: tuple[Callable[[str], str], ...] = (
    str, str.lower, str.upper, lambda v: f"user-{v}-x", lambda v: v[:-2], lambda v: v[1:], lambda v: v[2:12],
    lambda v: quote(v, safe="", encoding="latin-1"), lambda v: quote(v, encoding="latin-1"), html.escape,
    lambda v: json.dumps(v)[1:-1], lambda v: v.replace("\\", "\\\\").replace('"', '\\"'), lambda v: v.encode("latin-1").hex(),
    *(lambda v, p=prefix: base64.b64encode((p + v).encode("latin-1")).decode() for prefix in ("", "x", "xy", "user: ")),
    lambda v: base64.urlsafe_b64encode(v.encode("latin-1")).decode(),
    lambda v: v + v, lambda v: f"{v},{v[:9]}",
)


def requests(cookie: str, credentials: str, key: str, token: str, stored: str, client: str, copies: list[str]) -> list[Record]:
    """A request whose policy copied values to other fields, the log, the cache key and the fetch."""
    client_lines = [
        ("Begin", "req 1 rxreq"), ("Timestamp", "Start: 1700000000.0 0.0 0.0"), ("ReqStart", f"{client} 40000 a0"), ("ReqMethod", "GET"),
        ("ReqURL", f"/account?access_token={quote(token, safe='')}&page=1"), ("ReqHeader", "Host: shop.example.com"),
        ("ReqHeader", f"Cookie: lang=en; session={cookie}"), ("ReqHeader", f"Authorization: Bearer {credentials}"),
        ("ReqHeader", f"X-Api-Key: {key}"), ("ReqHeader", f"X-Forwarded-For: {client}"), ("VCL_call", "RECV"),
        *(("ReqHeader", f"X-Copy: {copy}") for copy in copies), *(("VCL_Log", f"saw {copy}") for copy in copies),
        ("ReqUnset", f"Cookie: lang=en; session={cookie}"), ("VCL_return", "hash"), ("VCL_call", "HASH"),
        *(("Hash", copy) for copy in copies), ("VCL_return", "lookup"), ("VCL_call", "MISS"), ("VCL_return", "fetch"),
        ("Link", "bereq 3 fetch"), ("RespStatus", "200"), ("RespHeader", f"Set-Cookie: sid={stored}; Path=/; HttpOnly"),
        *(("VCL_acl", f"MATCH local {client}") for _ in copies[:1]), ("ReqAcct", "80 0 80 200 100 300"), ("End", ""),
    ]
    fetch_lines = [("Begin", "bereq 2 fetch"), ("BereqMethod", "GET"), ("BereqURL", "/account"),
                   *(("BereqHeader", f"X-Session: {copy}") for copy in copies), *(("BereqHeader", f"X-Other: {copy}") for copy in copies),
                   ("BerespStatus", "200"), ("BerespHeader", f"Set-Cookie: sid={stored}; Path=/; HttpOnly"), ("End", "")]
    def made(lines: list[tuple[str, str]], vxid: int, side: str) -> Iterator[Record]:
        for name, text in lines:
            yield record(name, text.encode("latin-1") + b"\0", vxid, side)
    return [*made(fetch_lines, 3, "b"), *made(client_lines, 2, "c")]


def grouped(records: list[Record]) -> list[Group]:
    grouper = Grouper(Grouping.REQUEST)
    return [*grouper.feed(records), *grouper.flush()]


def outputs(group: Group) -> Iterator[str]:
    selection = Selection()
    yield group_text(group, selection, verbose=True).decode("latin-1")
    yield group_json(group, selection, Grouping.REQUEST).decode()
    screen = io.StringIO()
    Screen(screen, selection, width=80).show(group)
    yield screen.getvalue()


def readings(output: str) -> Iterator[str]:
    """The output as a reader may decode it."""
    yield output
    yield html.unescape(output)
    yield unquote(output, "latin-1")
    yield output.replace("\n", "")
    if output.startswith("{"):
        yield "\n".join(_leaves(json.loads(output)))
    for match in re.finditer(r"[A-Za-z0-9+/_-]{16,}", output):
        if MARK in match[0]:
            continue
        for at in range(4):
            digits = match[0][at:].translate({ord("-"): "+", ord("_"): "/"})
            yield base64.b64decode(digits[:len(digits) // 4 * 4]).decode("latin-1")
    for match in re.finditer(r"(?:[0-9a-f]{2}){8,}", output):
        yield bytes.fromhex(match[0]).decode("latin-1")


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif isinstance(value, str):
        yield value


def leaks(output: str, secrets: list[str]) -> list[str]:
    found = []
    for reading in readings(output):
        low = reading.lower()
        found += [secret for secret in secrets for at in range(len(secret) - PART - 1)
                  if secret[at:at + PART + 2].lower() in low]
    return found


@given(SECRETS, TOKENS, SECRETS, SECRETS, SECRETS, st.ip_addresses(v=4).map(str), st.lists(st.sampled_from(COPIES), max_size=6))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@example("q7aaaaaaaaaaaaaa", "q7bbbbbbbbbbbbbb", "q7cccccccccccccc", "q7dddddddddddddd", "q7eeeeeeeeeeeeee", "203.0.113.9", [*COPIES])
@example("q7<a>&'\\\"é%20=+/x", "q7Ab/+cdefgh==", "q7\\\"<&>'é %41bcd", "q7%2Fa b&c=d;e?f", "q7==%3D'\"<>&xyz", "8.8.4.4", [*COPIES])
def test_no_value_that_identifies_is_in_an_output(cookie: str, credentials: str, key: str, token: str, stored: str, client: str,
                                                  copies: list[Callable[[str], str]]) -> None:
    cookie, stored = cookie.replace(";", ":"), stored.replace(";", ":")
    assume(not client.startswith(("127.", "0.")))
    secrets = [cookie, credentials, key, token, stored]
    records = requests(cookie, credentials, key, token, stored, client, [copy(v) for copy in copies for v in secrets])
    groups = grouped(records)
    assert any(client in output for output in outputs(groups[0]))
    hiding = Hiding()
    for group in groups:
        for output in outputs(hiding.group(group)):
            assert leaks(output, secrets) == []
            assert re.search(rf"(?<![\d.]){re.escape(client)}(?![\d.])", output) is None


def test_the_property_finds_what_is_not_hidden() -> None:
    records = requests("q7cookie-value", "q7credentials", "q7api-key-value", "q7token-value", "q7stored-value", "203.0.113.9", ["x"])
    for output in outputs(grouped(records)[0]):
        assert leaks(output, ["q7cookie-value"]) != []
    for copy in COPIES:
        assert leaks(copy("q7cookie-<value>\""), ["q7cookie-<value>\""]) != [], copy("q7cookie-<value>\"")


# ---- places ------------------------------------------------------------------------------------------------


def shown(name: str, value: str) -> str:
    """A field with digests as a star."""
    hiding = Hiding(KEY)
    hiding.learn_field(name, value)
    return re.sub(MARK + "[0-9a-f]{12}", "*", hiding.field(name, value))


@pytest.mark.parametrize(("field", "expected"), [
    ("Cookie: a=1; session=abc; b=", "a=*; session=*; b="),
    ("Cookie: alone", "*"),
    ("Set-Cookie: sid=1; Path=/a; Max-Age=60; HttpOnly", "sid=*; Path=/a; Max-Age=60; HttpOnly"),
    ("Set-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Secure", "a=*; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=*; Secure"),
    ("Set-Cookie: a=1; Odd=2", "a=*; Odd=*"),
    ("Authorization: Basic eDp5", "Basic *"),
    ("Authorization: secret words", "*"),
    ("Proxy-Authorization: Bearer x", "Bearer *"),
    ("X-Api-Key: k", "*"),
    ("x-CSRF-token: t", "*"),
    ("X-Forwarded-For: 203.0.113.1, 127.0.0.1, unknown", "*, 127.0.0.1, *"),
    ('Forwarded: for="[2001:db8::1]:80";proto=https;host=a.example, for=_x', "for=*;proto=https;host=a.example, for=*"),
    ("Referer: https://u:p@a.example/b?sid=1&x=2#c", "https://*@a.example/b?sid=*&x=2#c"),
    ("Location: /in?next=%2Fa%3Ftoken%3Dxyz%26b%3D1", "/in?next=%2Fa%3Ftoken%3D*%26b%3D1"),
    ("Link: </a;jsessionid=12?user[password]=x>; rel=next", "</a;jsessionid=*?user[password]=*>; rel=next"),
    ("User-Agent: curl/8", "curl/8"),
    ("Cache-Control: max-age=60", "max-age=60"),
    ("X-Note: said Bearer abcd.efgh", "said Bearer *"),
    ("X-Jwt-Copy: a eyJhbGciOi.eyJzdWIi.c2ln b", "*"),
    ("X-Other: a eyJhbGciOi.eyJzdWIi.c2ln b", "a * b"),
])
def test_a_field_loses_its_values_and_keeps_its_names(field: str, expected: str) -> None:
    name, _, value = field.partition(": ")
    assert shown(name, value) == expected


def test_fields_about_sharing_are_no_secrets() -> None:
    for name in ("access-control-allow-credentials", "www-authenticate", "sec-websocket-key", "host", "etag", "vary", "x-request-id"):
        assert not is_field(name), name
    for name in ("page", "q", "id", "lang", "sort"):
        assert not is_parameter(name), name
    assert is_parameter("reset_token") and is_parameter("X-Amz-Signature") and is_parameter("PHPSESSID")


def test_a_value_has_one_digest_in_one_output_and_another_in_the_next() -> None:
    def digests(hiding: Hiding) -> list[str]:
        hiding.learn_field("Cookie", "session=AbcDefGhi123; s=AbcDefGhi124")
        told = [hiding.field("Cookie", "session=AbcDefGhi123; s=AbcDefGhi124"), hiding.text("a AbcDefGhi123"), hiding.text("a abcdefghi123")]
        return re.findall(MARK + "[0-9a-f]{12}", " ".join(told))
    one = digests(Hiding())
    assert len(one) == 4 and one[0] == one[2] == one[3] != one[1]
    assert set(one).isdisjoint(digests(Hiding()))
    assert digests(Hiding(KEY)) == digests(Hiding(KEY))                   # two outputs with one key can be compared


def test_an_address_has_one_digest_in_all_its_forms() -> None:
    hiding = Hiding(KEY)
    hiding.learn_address("203.0.113.9")
    hiding.learn_address("2001:DB8::1")
    assert hiding.text("203.0.113.9") == hiding.text("::ffff:203.0.113.9")
    assert hiding.text("2001:db8:0:0:0:0:0:1") == hiding.text("2001:db8::1") != "2001:db8::1"
    assert hiding.text("203.0.113.90 1.203.0.113.9 10:20:30") == "203.0.113.90 1.203.0.113.9 10:20:30"


def test_a_short_value_goes_where_it_stands_as_a_word() -> None:
    hiding = Hiding(KEY)
    hiding.learn_field("Cookie", "uid=8841; on=true; n=1")
    assert hiding.text("true HTTP/1.1 n88412 1") == "true HTTP/1.1 n88412 1"
    assert hiding.text("user 8841.") == f"user {hiding.digest('8841')}."


def test_a_host_and_a_path_that_share_a_part_with_a_cookie_stay_readable() -> None:
    hiding = Hiding(KEY)
    hiding.learn_public("shop.example.com")
    hiding.learn_field("Cookie", "back=https://shop.example.com/basket/secret")
    assert hiding.text("http://shop.example.com/") == "http://shop.example.com/"
    assert "secret" not in hiding.text("to /basket/secret")


def test_the_page_lists_every_name() -> None:
    page = (ROOT / "docs" / "hiding.md").read_text().lower()
    names = (*ADDRESSES, *COOKIE_ATTRIBUTES, *CREDENTIALS, *FIELDS, *PARAMETERS, *WORD_ENDS)
    assert [name for name in names if f"`{name}`" not in page] == []


# ---- the command -------------------------------------------------------------------------------------------


def log(*arguments: str | Path, command: str = "log") -> subprocess.CompletedProcess[str]:
    return subprocess.run([VERNIS, command, *arguments], capture_output=True, text=True, timeout=30, check=False)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    records = requests("q7cookie-value", "q7credentials", "q7api-key-value", "q7token-value", "q7stored-value", "203.0.113.9",
                       ["q7cookie-value"])
    return write_dump(tmp_path / "dump", records)


SECRET = re.compile("q7|203")


def test_payloads_of_http_2_frames_are_hidden_and_their_heads_stay() -> None:
    """A header block has values in the Huffman code, in which no digest could take their place."""
    block = bytes.fromhex("828460") + b"session=secret"
    head = len(block).to_bytes(3, "big") + b"\x01\x05\0\0\0\x01"
    debug = f"H2RXF HEADERS[{len(block)}] 0x05 0x00000001 0x{block.hex()}\0".encode()
    session = [record("Begin", "sess 0 HTTP/1", 1, "c"), record("H2RxHdr", head, 1, "c"), record("H2RxBody", block, 1, "c"),
               record("Debug", debug, 1, "c"), record("H2TxBody", b"secret", 1, "c"), record("End", "", 1, "c")]
    [group] = [*(grouper := Grouper(Grouping.SESSION)).feed(session), *grouper.flush()]
    [transaction] = Hiding(KEY).group(group)
    assert [one.data for one in transaction.records[1:5]] == [head, b"", f"H2RXF HEADERS[{len(block)}] 0x05 0x00000001\0".encode(), b""]


@pytest.mark.parametrize("format", [[], ["--format", "json"], ["--format", "screen"], ["--why"]])
def test_log_hides_on_demand_and_shows_otherwise(dump: Path, format: list[str]) -> None:
    hidden = log("-r", dump, *format, "--hide")
    assert hidden.returncode == 0 and SECRET.search(hidden.stdout) is None and MARK in hidden.stdout, hidden.stderr
    assert SECRET.search(log("-r", dump, *format).stdout) is not None


def test_a_dump_for_others_is_a_dump_without_values(dump: Path, tmp_path: Path) -> None:
    assert log("-r", dump, "--hide", "-w", tmp_path / "given").returncode == 0
    told = log("-r", tmp_path / "given", "-g", "request").stdout
    assert SECRET.search(told) is None and SECRET.search((tmp_path / "given").read_bytes().decode("latin-1")) is None
    assert "ReqHeader      Cookie: lang=hidden-" in told
    back = {name for name, number in tags.NUMBERS.items() if f"{name} " in told}
    assert {"ReqURL", "BereqHeader", "Hash", "VCL_Log"} <= back


def test_log_refuses_to_hide_parts_of_requests(dump: Path) -> None:
    for grouping in ("raw", "vxid"):
        refused = log("-r", dump, "--hide", "-g", grouping)
        assert refused.returncode == 2 and "--hide needs whole requests: use it with -g request or session" in refused.stderr


def test_top_hides_on_demand(dump: Path) -> None:
    hidden = log("-1", "-r", dump, "--hide", command="top")
    assert hidden.returncode == 0 and SECRET.search(hidden.stdout) is None and MARK in hidden.stdout
    assert SECRET.search(log("-1", "-r", dump, command="top").stdout) is not None


def test_outputs_with_one_key_file_can_be_compared(dump: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    first, second = (log("-r", dump, "--hide", "--digest-key", key).stdout for _ in range(2))
    assert first == second != log("-r", dump, "--hide").stdout
    assert key.stat().st_mode & 0o777 == 0o600 and len(key.read_bytes()) == 32
    key.chmod(0o644)
    refused = log("-r", dump, "--hide", "--digest-key", key)
    assert refused.returncode == 2 and f"others may read this key: chmod 600 {key}" in refused.stderr
    without = log("-r", dump, "--digest-key", key)
    assert without.returncode == 2 and "add --hide" in without.stderr
