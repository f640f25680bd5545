"""The interpreter defines the semantics of the language; these cases are easy to get wrong."""

from __future__ import annotations

import pytest

from vernis.ir import ir, values
from vernis.ir.builder import FunctionBuilder, fill_hooks
from support.reference.interpret import run_hook
from vernis.ir.ir import Action, Extern, Msg, Type
from support.reference.world import Message, World
from support.reference.regex import Regex
from support.reference.values import Ip
from vernis.pcre import PatternError

T = Type


@pytest.mark.parametrize(("op", "a", "b", "result"), [
    ("/", -7, 2, -3), ("%", -7, 2, -1), ("%", 7, -2, 1), ("/", -(1 << 63), -1, -(1 << 63)), ("%", -(1 << 63), -1, 0),
    ("+", (1 << 63) - 1, 1, -(1 << 63)), ("*", 1 << 62, 4, 0)])
def test_integers_divide_and_wrap(op: str, a: int, b: int, result: int) -> None:
    assert values.arith(T.INT, op, a, b) == result


@pytest.mark.parametrize(("type", "op", "a", "b"), [
    (T.INT, "/", 1, 0), (T.INT, "%", 1, 0), (T.REAL, "/", 1.0, 0.0), (T.REAL, "*", 1e308, 10.0), (T.TIME, "-", -1e308, 1e308)])
def test_arithmetic_fails(type: Type, op: str, a: float, b: float) -> None:
    with pytest.raises(values.Failed):
        values.arith(type, op, a, b)


@pytest.mark.parametrize(("type", "value", "text"), [
    (T.INT, -5, b"-5"), (T.REAL, 1.0005, b"1.000"), (T.DURATION, 90.0, b"90.000"), (T.BOOL, True, b"true"), (T.BYTES, 1024, b"1024"),
    (T.TIME, 784111777.9, b"Sun, 06 Nov 1994 08:49:37 GMT"), (T.TIME, 0.0, b"Thu, 01 Jan 1970 00:00:00 GMT"),
    (T.TIME, -600.5, b"Wed, 31 Dec 1969 23:50:00 GMT")])
def test_values_become_text(type: Type, value: float, text: bytes) -> None:
    assert values.to_text(type, value) == text


@pytest.mark.parametrize("seconds", [-30610224001.0, 253402300800.0])
def test_time_without_a_date_fails(seconds: float) -> None:
    with pytest.raises(values.Failed):
        values.to_text(T.TIME, seconds)


def test_setting_a_field_replaces_all_fields_of_that_name() -> None:
    message = Message([(b"A", b"1"), (b"x-a", b"2"), (b"B", b"3"), (b"X-A", b"4")])
    message.set(b"X-a", None)
    assert message.fields == [(b"A", b"1"), (b"X-a", b""), (b"B", b"3")]
    message.unset(b"a")
    assert message.get(b"A") is None and message.get(b"b") == b"3"


@pytest.mark.parametrize(("pattern", "subject", "replacement", "first", "all_of_them"), [
    (b"a", b"banana", b"<\\0>", b"b<a>nana", b"b<a>n<a>n<a>"), (b"x*", b"abc", b"-", b"-abc", b"-abc"), (b"(b)|(c)", b"abc", b"[\\1\\2]", b"a[b]c", b"a[b][c]"),
    (b"z", b"abc", b"!", b"abc", b"abc"), (b"b", b"abc", b"\\\\\\9\\x\\", b"a\\x\\c", b"a\\x\\c"), (b"\xe4", b"\xe4\xe4", b"", b"\xe4", b""),
    (b"^", None, b"q", b"q", b"q")])
def test_substitution(pattern: bytes, subject: bytes | None, replacement: bytes, first: bytes, all_of_them: bytes) -> None:
    regex = Regex(pattern)
    assert regex.substitute(subject, replacement, False) == first
    assert regex.substitute(subject, replacement, True) == all_of_them


def test_an_invalid_pattern_is_reported_with_its_offset() -> None:
    with pytest.raises(PatternError) as caught:
        Regex(b"ab(c")
    assert caught.value.offset == 4


def test_patterns_are_bytes_and_unset_matches_as_empty() -> None:
    assert Regex(b"^.$").matches(b"\xff") and not Regex(b"^.$").matches("ä".encode())
    assert Regex(b"^$").matches(None)
    with pytest.raises(PatternError):
        Regex(b"(*UTF)a")


def test_the_longest_prefix_decides() -> None:
    def entry(address: bytes, bits: int, negated: bool = False) -> ir.AclEntryDecl:
        return ir.AclEntryDecl(address, bits, negated, "")

    acl = ir.AclDecl("a", (entry(b"\x0a\0\0\0", 8), entry(b"\x0a\1\0\0", 16, True), entry(b"\x0a\1\2\0", 24), entry(bytes(16), 0)))
    world = World()
    assert world.in_acl(acl, Ip(b"\x0a\2\0\0")) and not world.in_acl(acl, Ip(b"\x0a\1\1\1")) and world.in_acl(acl, Ip(b"\x0a\1\2\3"))
    assert world.in_acl(acl, Ip(bytes(16))) and not world.in_acl(acl, Ip(b"\x0b\0\0\0")) and not world.in_acl(acl, None)


def hook_with(build: object) -> ir.Module:
    b = FunctionBuilder("vcl_recv")
    build(b)                                                # type: ignore[operator]
    module = ir.Module("m", sites=[ir.Site(0, i + 1, 1) for i in range(4)], names=["X-A"], functions={"vcl_recv": b.function})
    fill_hooks(module)
    return module


def test_a_failure_keeps_its_site_and_earlier_changes() -> None:
    def build(b: FunctionBuilder) -> None:
        b.mark(1)
        b.header_set(Msg.REQ, 0, b.text(b"done"))
        b.mark(2)
        b.arith(T.INT, "/", b.const(T.INT, 1), b.const(T.INT, 0))
        b.mark(3)
        b.ret(Action.HASH)

    world, visited = World(), []
    outcome = run_hook(hook_with(build), "vcl_recv", world, visited.append)
    assert (outcome.action, outcome.why, outcome.site) == (Action.FAIL, "division by zero", 2)
    assert world.messages[Msg.REQ].fields == [(b"X-A", b"done")] and visited == [1, 2]


def test_setters_apply_their_own_rules() -> None:
    def setting(name: str, type: Type, value: ir.ConstValue) -> World:
        def build(b: FunctionBuilder) -> None:
            b.call(Extern(f"set_{name}", (type,), T.VOID, may_fail=True), b.const(type, value))
            b.ret(Action.HASH)

        world = World(variables={name: True} if type is T.BOOL else {})
        world.variables["action"] = run_hook(hook_with(build), "vcl_recv", world).action.name
        return world

    assert setting("req_url", T.STRING, None).variables["action"] == "FAIL"
    assert setting("req_url", T.STRING, b"/a\tb").variables["action"] == "FAIL"
    assert setting("req_url", T.STRING, b"/a b").variables["action"] == "HASH"  # sent as %20
    assert setting("beresp_ttl", T.DURATION, -1.0).variables["beresp_ttl"] == 0.0
    assert setting("beresp_status", T.INT, 99).variables["action"] == "FAIL"
    assert setting("beresp_uncacheable", T.BOOL, False).variables["beresp_uncacheable"] is True
    assert setting("client_identity", T.STRING, None).variables["client_identity"] == b""


def test_unknown_functions_are_recorded_and_give_zero() -> None:
    def build(b: FunctionBuilder) -> None:
        b.convert(T.STRING, b.call(Extern("std_anything", (T.STRING,), T.INT), b.text(b"q")))
        b.ret(Action.HASH)

    world = World()
    run_hook(hook_with(build), "vcl_recv", world)
    assert [(call.symbol, call.args) for call in world.calls] == [("std_anything", (b"q",))]


def test_a_hook_without_an_end_fails_an_assertion() -> None:
    with pytest.raises(AssertionError, match="does not end"):
        run_hook(hook_with(lambda b: b.jump(0)), "vcl_recv", World())
