"""`log`, budgets, costs, parameters and parts of vcl 5.0."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from five_helpers import check, lowered, recv, run
from hypothesis import given
from hypothesis import strategies as st

from vernis.ir.costs import costs_of
from support.reference.world import World
from support.reference.functions import json_text
from support.reference.values import Ip

ROOT = Path(__file__).resolve().parents[3]


def test_a_log_statement_writes_one_json_object() -> None:
    body = 'log { url = req.url, none = req.http.None, n = 2 * 3, yes = req.url == "/", t = 1.5s, ip = client.ip, };'
    (record,) = run(recv(body), client_ip=Ip(b"\xc0\x00\x02\x01")).world.log
    assert json.loads(record) == {"url": "/", "none": None, "n": 6, "yes": True, "t": 1.5, "ip": "192.0.2.1"}


@given(st.binary(max_size=60))
def test_any_text_becomes_json(text: bytes) -> None:
    shown = json_text(World(), text)
    assert shown is not None
    assert json.loads(shown) == text.decode(errors="replace") or "\ufffd" in json.loads(shown)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b'a"b\\', '"a\\"b\\\\"'),
        (b"\n\x7f", '"\\u000a\\u007f"'),
        ("\u00e4\u20ac\U0001f600".encode(), '"\u00e4\u20ac\U0001f600"'),
        (b"\xff\xc3", '"\\ufffd\\ufffd"'),
        (b"\xed\xa0\x80", '"\\ufffd\\ufffd\\ufffd"'),
        (None, "null"),
    ],
)
def test_text_in_json(text: bytes | None, wanted: str) -> None:
    assert json_text(World(), text) == wanted.encode()


def test_costs_are_those_of_the_longest_way() -> None:
    module = lowered(recv('if (req.url == "/") { set req.http.A = "1"; set req.http.B = "2"; } else { set req.http.A = "3"; }'))
    assert costs_of(module)["vcl_recv"].headers == 3  # the built-in policy may set Host once
    loop = lowered(recv('for (x in ["1", "2", "3", "4"]) { set req.http.A = x; }'))
    assert costs_of(loop)["vcl_recv"].headers == 5


def vernis(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "vernis", *words]
    paths = f"{ROOT / 'build/py'}:{ROOT / 'build/ext'}"
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env={"PYTHONPATH": paths, "PATH": "/usr/bin:/bin"})


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    text = recv("if (req.restarts < LIMIT) { return (restart); }", "budget { steps 2000; } param LIMIT : INT = 2;")
    (tmp_path / "p.vcl").write_text(text.replace('acl ops { "192.0.2.0"/24; }', ""))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "shown"),
    [
        (["check", "p.vcl"], 0, ""),
        (["check", "p.vcl", "-D", "LIMIT=3"], 0, ""),
        (["check", "p.vcl", "-D", "LIMIT=3s"], 1, '"3s" was given for LIMIT, which is INT'),
        (["check", "p.vcl", "-D", "LIMTI=3"], 1, "did you mean LIMIT?"),
        (["check", "p.vcl", "-D", "LIMIT"], 2, "write -D NAME=VALUE"),
        (["check", "p.vcl", "--costs"], 0, "vcl_recv"),
    ],
)
def test_check(policy: Path, words: list[str], code: int, shown: str) -> None:
    found = vernis(*words, folder=policy)
    assert (found.returncode, shown in found.stdout + found.stderr) == (code, True), found


def test_a_budget_that_a_hook_may_exceed_is_an_error(policy: Path) -> None:
    file = policy / "p.vcl"
    file.write_text(file.read_text().replace("2000", "20"))
    found = vernis("check", "p.vcl", folder=policy)
    assert "more than the budget of 20" in found.stdout + found.stderr and found.returncode == 1


def test_several_definitions_of_a_hook_say_part() -> None:
    one, two = recv('set req.http.A = "1";'), 'sub vcl_recv { set req.http.B = "2"; }'
    assert check(one + two).codes == ["V766", "V766"]
    parts = (one + two).replace("sub vcl_recv", "@part sub vcl_recv")
    assert check(parts).codes == []
    assert run(parts).field("B") == "2"
