"""`counter` and `count` of vcl 5.0: what is refused, and what the interpreter and native code count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from five_helpers import check, lowered, recv
from harness import Harness
from hypothesis import given
from hypothesis import strategies as st
from support.library import library_path, runtime_library

from support.reference.interpret import run_hook
from vernis.ir.ir import COUNTER_SERIES_MAX, COUNTER_VALUE_MAX, Msg
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from support.reference.world import World
from support.reference.counters import counter_label
from vernis.native.compile import Options, compile_module

DECLARED = "counter all; counter seen by (name); counter both by (method, size);"


@pytest.fixture(scope="module")
def harness() -> Iterator[Harness]:
    made = Harness(runtime_library())
    yield made
    made.close()


@pytest.mark.parametrize(
    ("declared", "body", "code", "help_"),
    [
        ("counter logins;", "count login;", "V764", "did you mean logins?"),
        ("acl a { }", "count a;", "V764", "declare it: counter a;"),
        ("counter c;", "count c(req.url);", "V764", "write: count c;"),
        ("counter c by (a, b);", "count c;", "V764", "write: count c(a, b);"),
        ("counter c by (a, b);", "count c(req.url);", "V764", "write: count c(a, b);"),
        ("counter c by (a);", "count c(a = req.url);", "V764", "write: count c(a);"),
        ("counter c by (a);", "count c(req.http.A);", "V731", 'give a default: ... ?? ""; or test it first: if (... is set)'),
        ("counter c by (a);", "count c(client.ip);", "V754", "write text(...)"),
        ("counter c by (a-b);", "count c(req.url);", "V764", "write a_b"),
        ("counter c by (a, a);", "count c(req.url, req.url);", "V764", "remove one of the two"),
        ("counter c by (a, b, d, e, f);", 'count c("", "", "", "", "");', "V764", "remove some"),
        (f"counter {'c' * 65};", f"count {'c' * 65};", "V764", "shorten it"),
        (f"counter c by ({'a' * 33});", "count c(req.url);", "V764", "shorten it"),
        (" ".join(f"counter c{n};" for n in range(33)), "count c1;", "V764", "use one with labels"),
        ("counter c; fn f(a : INT) -> INT { count c; return (a); }", "set req.http.X = f(1);", "V753", "count where the function is called"),
    ],
)
def test_refused(declared: str, body: str, code: str, help_: str) -> None:
    assert [(item.code, item.help) for item in check(recv(body, declared)).findings] == [(code, help_)]


@pytest.mark.parametrize(
    ("declared", "body"),
    [
        ("counter c;", "count c;"),
        ("counter c by (a, b, d, e);", 'count c(req.url, 1, true, req.http.A ?? "");'),
        ("counter c by (a);", "if (let x = req.http.A) { count c(x); }"),
        ('const X = "x"; counter c by (a);', 'count c(X + "y");'),
        ("counter c; sub s { count c; }", "call s;"),
        ("counter log by (count);", "count log(req.url);"),
    ],
)
def test_accepted(declared: str, body: str) -> None:
    assert check(recv(body, declared)).findings == []


def test_counters_that_nobody_counts_are_reported() -> None:
    from vernis.semantics.check import analyse
    from vernis.semantics.options import Options as CheckOptions

    program = check(recv("count c;", "counter c; counter d;")).checked.program
    _, found = analyse(program, CheckOptions(err_unref=False))
    assert [item.message for item in found.items if "counter" in item.message] == ["counter d is never used"]


VALUES = [
    (b"", b""),
    (b"plain text", b"plain text"),
    (b'a"b\\c', b'a\\"b\\\\c'),
    (b"\n\t\x00\x7f\xff", b"?????"),
    (b"x" * 100, b"x" * COUNTER_VALUE_MAX),
    (b"x" * 63 + b'"', b"x" * 63),
    (b"x" * 62 + b'"y', b"x" * 62 + b'\\"'),
]


@pytest.mark.parametrize(("value", "wanted"), VALUES)
def test_values_of_labels(value: bytes, wanted: bytes) -> None:
    assert counter_label(World(), value) == wanted


def text(body: str) -> str:
    return recv(f'count all; {body} set req.http.X = "1";', DECLARED)


def counts_of(world: World) -> dict[bytes, int]:
    return {key: count for (_, key), count in world.counts.items()}


class Native:
    """A policy in the interpreter and in native code, with what each has counted."""

    def __init__(self, harness: Harness, body: str, folder: Path, level: int) -> None:
        self.harness = harness
        self.module = lowered(text(body))
        self.world = World()
        self.world.variables |= {"req_method": b"GET", "req_url": b"/", "req_proto": b"HTTP/1.1"}
        out = folder / "policy.so"
        compile_module(run_passes(lowered(text(body)), after_each=check_module), out, Options(folder=library_path().parent, level=level, verify=True))
        harness.load(out)
        out.unlink()

    def request(self, value: bytes) -> None:
        self.world.messages[Msg["REQ"]].set(b"A", value)
        run_hook(self.module, "vcl_recv", self.world)
        self.harness.begin(b"GET", b"/", [(Msg["REQ"], b"A", value)], b"\xc0\x00\x02\x01")
        self.harness.run("vcl_recv")


BODY = 'count seen(req.http.A ?? "none"); if (req.http.A == "b") { count both(req.method, 2 * 3); }'


@pytest.mark.parametrize("level", [0, 2])
def test_native_code_counts_what_the_interpreter_counts(harness: Harness, tmp_path: Path, level: int) -> None:
    policy = Native(harness, BODY, tmp_path, level)
    for value in [b"a", b"b", b"a", *(value for value, _ in VALUES if value and value[0] > 32)]:
        policy.request(value)
    found = harness.counts()
    assert found == counts_of(policy.world)
    assert (found[b""], found[b'{name="a"}'], found[b'{method="GET",size="6"}']) == (8, 2, 1)
    assert found[b'{name="a\\"b\\\\c"}'] == 1


def test_values_beyond_the_limit_count_together(harness: Harness, tmp_path: Path) -> None:
    policy = Native(harness, 'count seen(req.http.A ?? "none");', tmp_path, 2)
    for number in [*range(COUNTER_SERIES_MAX + 7), 0, COUNTER_SERIES_MAX + 3]:
        policy.request(b"%d" % number)
    found = harness.counts()
    assert found == counts_of(policy.world)
    assert (found[b'{name="_other"}'], found[b'{name="0"}'], len(found)) == (8, 2, COUNTER_SERIES_MAX + 2)


@given(st.binary(max_size=80))
def test_any_value_becomes_a_label(value: bytes) -> None:
    label = counter_label(World(), value)
    assert isinstance(label, bytes) and label.isascii() and len(label) <= COUNTER_VALUE_MAX
    plain = label.replace(b"\\\\", b"").replace(b'\\"', b"")
    assert b"\\" not in plain and b'"' not in plain and all(32 <= byte < 127 for byte in plain)
