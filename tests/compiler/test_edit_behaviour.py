"""Edits of the compiler lead to the policy that was meant, or leave an error; those of warnings change no decision.

Nobody knows what a policy with an error did, so the policies here are made the other way: a mistake is put into a valid
policy, which says what was meant. `make compare-fixes` tries more of them, on 1,000 requests each.
"""

from __future__ import annotations

import json
import os
import random
from itertools import product

import pytest
from edit_behaviour import (
    TABLE,
    change_of,
    changes_of_table,
    checked,
    edited,
    harm_of_edits,
    harm_of_warnings,
    mended,
    mistakes_in,
    policies_of_tables,
    valid_policies,
)
from seeded_mistakes import comments, seeded, words

from vernis.ir import ir
from vernis.ir.lower import lower
from vernis.report.found import Found, Policy, Report
from vernis.report.programs import json_text
from vernis.semantics.vocabulary import load_vocabulary
from vernis.syntax import remedies

REQUESTS = int(os.environ.get("FIX_REQUESTS", "40"))
SEEDED = 50
HEAD = 'vcl 4.1;\nimport std;\nbackend default { .host = "192.0.2.1"; }\n'
FIVE = HEAD.replace("4.1", "5.0")


def recv(body: str, head: str = HEAD) -> bytes:
    return f"{head}sub vcl_recv {{ {body} }}\n".encode()


def fetched(body: str, head: str = HEAD) -> bytes:
    return f"{head}sub vcl_backend_response {{ {body} }}\n".encode()


# ---- mistakes in valid policies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_edits_lead_back_to_the_policy_before_the_mistake(seed: int) -> None:
    rng = random.Random(seed)
    for title, meant, wrong in mistakes_in(valid_policies(), SEEDED // 2, rng):
        assert harm_of_edits(meant, wrong, REQUESTS, rng) == "", title


def test_most_mistakes_have_edits_that_lead_back() -> None:
    """Else the comparison above compares nothing."""
    rng = random.Random("many")
    led_back = [mended(wrong) is not None for _, _, wrong in mistakes_in(valid_policies(), 20, rng)]
    assert sum(led_back) >= 10


@pytest.mark.parametrize(("meant", "wrong"), [
    (recv('if (req.url ~ "a") { return (pass); }'), recv('if (req.url ~ "a") { return (hash); }')),
    (fetched("set beresp.ttl = 1h;"), fetched("set beresp.ttl = 1min;")),
    (recv("# a\nreturn (pass);"), recv("# b\nreturn (pass)")),
])
def test_the_comparison_sees_other_values_actions_and_comments(meant: bytes, wrong: bytes) -> None:
    """The second policy is no mistake in the first one."""
    run = checked(wrong)
    wrong = wrong if run.failed else wrong.replace(b"; }", b" }")
    assert harm_of_edits(meant, wrong, REQUESTS, random.Random(1)) != ""


def test_mistakes_are_of_all_kinds() -> None:
    text = 'sub vcl_recv { if (req.http.A == "(?i)a" && req.ttl > 1m) { return (pass); } }'
    assert {what.partition(":")[0] for what, _ in seeded(text)} == {"swapped", "misspelt", "elsewhere", "unquoted", "measured"}


# ---- the tables of mistakes ----------------------------------------------------------------------------------------


def test_edits_change_the_tables_as_they_say() -> None:
    """A line of the table that is wrong is a fault of an edit: `python tests/compiler/edit_behaviour.py` writes them."""
    found = {title: change for title, text in policies_of_tables().items() if (change := change_of(text))}
    assert found == changes_of_table(), TABLE


def test_all_tables_have_changes() -> None:
    assert len(changes_of_table()) >= 340


# ---- warnings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [
    'set req.http.X = "a" + (req.url ?? "");', 'set req.http.X = req.url ?? req.http.B ?? "";', 'set req.http.X = (req.url ?? "b") + "c" ?? "d";',
    'if ((req.url ?? "") ~ "a") { return (pass); }', 'let x = client.ip ?? ip("192.0.2.1"); set req.http.X = text(x ?? client.ip);',
    'set req.http.X = req.url ?? std.tolower(req.url); # kept\n', 'set req.http.X = std.tolower(req.url ?? "a") ?? "b";',
    'if (req.http.X is set) { set req.url = req.http.X ?? "/"; }', 'set req.url = req.url /* one */ ?? /* two */ "/";',
])
def test_edits_of_warnings_change_no_decision(body: str) -> None:
    text = recv(body, FIVE)
    run = checked(text)
    assert not run.failed and harm_of_warnings(text, run, REQUESTS, random.Random(1)) == ""


# ---- literals ------------------------------------------------------------------------------------------------------

SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "y": 31536000}
WORDS = {"sec": "s", "secs": "s", "second": "s", "seconds": "s", "min": "m", "mins": "m", "minutes": "m", "hour": "h", "hours": "h", "days": "d",
         "week": "w", "weeks": "w", "year": "y", "msec": "ms", "S": "s", "H": "h", "D": "d", "W": "w", "Y": "y"}


def constants(wrong: bytes) -> list[object]:
    """The constants of the policy after its edits; empty if an error is left."""
    result = mended(wrong)
    if result is None:
        return []
    assert result[1].checked is not None
    module = lower(result[1].checked)
    return [op.value for function in module.functions.values() for block in function.blocks for op in block.ops if isinstance(op, ir.Const)]


def joined_durations() -> list[tuple[str, float]]:
    rng = random.Random("durations")
    found = []
    for _ in range(20):
        units = sorted(rng.sample(list(SECONDS), rng.randrange(2, 5)), key=SECONDS.__getitem__, reverse=True)
        pieces = [(rng.randrange(1, 70), unit) for unit in units]
        found.append(("".join(f"{n}{unit}" for n, unit in pieces), sum(n * SECONDS[unit] for n, unit in pieces)))
    return found


@pytest.mark.parametrize(("written", "seconds"), [
    *joined_durations(), *((f"{n}{space}{word}", n * SECONDS[unit]) for (word, unit), n, space in zip(WORDS.items(), range(2, 99), ("", " ") * 50)
                           if not (space and len(word) == 1)),
])
def test_a_duration_keeps_its_value(written: str, seconds: float) -> None:
    assert pytest.approx(seconds, abs=1e-9) in constants(fetched(f"set beresp.ttl = {written};"))


@pytest.mark.parametrize("written", ["5M", "1h30", "5mo", "1month", "0.5h30m", "10us", '"3600"', '"-5s"', '"1h30m"', '"5 m"'])
def test_a_duration_of_several_readings_has_no_edit(written: str) -> None:
    assert constants(fetched(f"set beresp.ttl = {written};")) == []


@pytest.mark.parametrize(("where", "written", "value"), [
    ("set beresp.status = %s;", '"404"', 404), ("set beresp.status = %s;", '"0404"', 404), ("set beresp.ttl = %s;", '"1.5h"', 5400.0),
    ("if (beresp.status == %s) { return (abandon); }", '"503"', 503), ('set beresp.ttl = std.duration("x", %s);', '"2d"', 172800.0),
])
def test_a_value_without_its_quotes_is_the_same(where: str, written: str, value: float) -> None:
    assert value in constants(fetched(where % written))


@pytest.mark.parametrize("text", ["a", "a b", "<p class=x>", "it's", 'say "hi"', 'a" + req.url + "b', 'x"}"y', '"', 'ends with "', r"a\d+\.b", "a`b", "{a}"])
@pytest.mark.parametrize("quotes", ["''", "``", "\u201c\u201d", "\u2018\u2019", "escaped"])
def test_a_text_keeps_its_value_in_other_quotes(text: str, quotes: str) -> None:
    written = '"' + text.replace('"', r"\"") + '"' if quotes == "escaped" else quotes[0] + text + quotes[1]
    found = constants(recv(f"set req.http.X = {written};"))
    assert not found or text.encode() in found


@pytest.mark.parametrize("bits", range(33))
def test_a_netmask_keeps_its_bits(bits: int) -> None:
    mask = ".".join(str((0xFFFFFFFF << (32 - bits) >> shift) & 255) for shift in (24, 16, 8, 0))
    meant, wrong = (f'{HEAD}acl a {{ "0.0.0.0"/{it}; }} sub vcl_recv {{ if (client.ip ~ a) {{ return (pass); }} }}'.encode() for it in (bits, mask))
    result = mended(wrong)
    assert result is not None and result[0] == meant


#: Functions that read text.
READERS = ["std.integer(%s, 7)", "std.real(%s, 7.0)", "std.duration(%s, 7s)", "std.bytes(%s, 7B)", "std.time(%s, now)", "std.ip(%s, client.ip)",
           "int(%s) ?? 7", "real(%s) ?? 7.0", "duration(%s) ?? 7s", "bytes(%s) ?? 7B", "time(%s) ?? now", "ip(%s) ?? client.ip"]


@pytest.mark.parametrize(("call", "value"), list(product(READERS, ["30d", "now", "1.5", "client.ip"])))
def test_no_edit_gives_text_of_another_type_to_a_function_that_reads_text(call: str, value: str) -> None:
    """It would compile, and give the fallback."""
    run = checked(recv(f"let x = {call % value};", FIVE))
    assert run.failed and not any(item.edits for item in run.diagnostics.items if item.code == "V754")


# ---- one reading ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [
    b'vcl 5.1;\nbackend default { .host = "192.0.2.1"; }\n',
    b'vcl 50;\nbackend default { .host = "192.0.2.1"; }\n',
    fetched("set beresp.stale_if_error = 1d;"),
    HEAD.encode() + b"sub vcl_deliver { set resp.ttl = 1h; }",
    HEAD.encode() + b"sub vcl_hit { if (bereq.ttl > 1s) { return (pass); } }",
    recv('set req.http.X = req.http.Y || "b";', FIVE),
    recv("set req.http.X = req.http.Y || req.http.Z;", FIVE),
    recv('if (req.http.A is set || "b") { return (pass); }', FIVE),
    recv('switch (req.method) { case "GET" || "HEAD": { return (pass); } }', FIVE),
    recv('if (std.time(req.http.Date ?? "" now) < now) { return (pass); }', FIVE),
    FIVE.encode() + b'table t : STRING ["a" => "b"]; sub vcl_recv { if (let x = t[req.url]) { set req.url = x; } }',
    FIVE.encode() + b'sub s { set req.http.X = "a"; } sub vcl_recv { call s(req.url); }',
    recv('if (req.http.X is "set") { return (pass); }', FIVE),
    recv('if (req.url like "/a%") { return (pass); }'),
    recv('if (req.url in "/a/b") { return (pass); }'),
    recv('if (req.url ~ "a") {\n set req.http.X = "a";\n unset req.http.Cookie;'),
    recv("if (req.http.A && (req.http.B || req.http.C && req.http.D) { return (pass); }"),
])
def test_a_mistake_of_several_readings_is_left_to_the_author(wrong: bytes) -> None:
    assert mended(wrong) is None


@pytest.mark.parametrize("wrong", [
    recv('set req.url = req.url /* one */ ?? /* two */ "/";', FIVE),
    FIVE.encode() + b"sub s { } sub vcl_recv { call s( # none\n); }",
    fetched("set beresp.ttl = 1 /* one */ hour;"),
    recv("return (/* why */ (pass));"),
])
def test_an_edit_deletes_no_comment(wrong: bytes) -> None:
    run = checked(wrong)
    assert run.diagnostics.items and comments(edited(wrong, run).decode()) == comments(wrong.decode())


@pytest.mark.parametrize(("wrong", "meant"), [
    ('vcl "5.0";', "vcl 5.0;"), ("vcl v5.0;", "vcl 5.0;"), ("vcl 5;", "vcl 5.0;"), ('vcl "4.0";', "vcl 4.0;"), ("vcl 4;", "vcl 4.1;"), ("vcl 6.0;", "vcl 4.1;"),
])
def test_the_version_stays(wrong: str, meant: str) -> None:
    rest = '\nbackend default { .host = "192.0.2.1"; }\n'
    result = mended((wrong + rest).encode())
    assert result is not None and result[0].decode() == meant + rest


@pytest.mark.parametrize(("wrong", "meant"), [
    (recv('set req.httpX-A = "a";'), recv('set req.http.X-A = "a";')),
    (FIVE.encode() + b"sub s { } sub vcl_recv { call s return (pass); }", FIVE.encode() + b"sub s { } sub vcl_recv { call s; return (pass); }"),
])
def test_no_statement_and_no_name_is_lost(wrong: bytes, meant: bytes) -> None:
    result = mended(wrong)
    assert result is not None and words(result[0].decode()) == words(meant.decode())


#: Codes whose edit is one of several corrections, with a policy each.
DECIDED = {
    "V731": recv("set req.url = req.http.X;", FIVE), "V742": recv('if (req.url ~ "(a)" as m) { set req.http.X = m; }', FIVE),
    "V754": recv("set req.http.X = now;", FIVE), "V755": recv("if (req.http.X) { return (pass); }", FIVE),
    "V760": f"{FIVE}sub vcl_deliver {{ return (restart); }}".encode(), "V302": recv('set req.urll = "/";'),
}


@pytest.mark.parametrize("code", DECIDED)
def test_an_edit_that_the_author_decides_about_is_not_called_safe(code: str) -> None:
    run = checked(DECIDED[code])
    report = Report([Policy("policy.vcl", [Found(item, run.sources) for item in run.diagnostics.items if item.code == code])])
    (finding,) = json.loads(json_text(report))["findings"]
    assert {edit["safe"] for edit in finding["edits"]} == {code == "V302"}
    assert edited(DECIDED[code], run) != DECIDED[code]


def test_functions_of_one_text_take_one_text() -> None:
    rows = load_vocabulary()
    functions = dict(rows.functions) | {f"std.{name}": row for name, row in rows.modules["std"].functions.items()}
    assert {name for name in remedies.OF_ONE_TEXT if len(functions[name].params) != 1} == set()
