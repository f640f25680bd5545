"""The text functions of vcl 5.0 give the same answers in the runtime and in the interpreter's models, for
texts that are made of their separators, of valid values, and of any bytes."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from both_ways import Behind
from runtime_world import CTX, RuntimeWorld
from support.language import BACKEND, compile_text
from vernis import pcre
from support.reference import views
from vernis.ir import externs, ir
from vernis.ir.ir import Type
from vernis.ir.values import Failed
from support.reference.values import Reference, Value
from vernis.pipeline import LOWER, Compilation, Options, run_stages

EXAMPLES = int(os.environ.get("VERNIS_VIEW_EXAMPLES", "300"))
SETTINGS = settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
                    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])

PATTERNS = [rb"^/(\w+)/item/(?<id>\d+)?", rb"(a)|(b)|(c)", rb"(?i)([a-c]*)=?(.)", rb"x", rb"((a)|b)*"]
POLICY = "vcl 4.1;\n" + BACKEND + "sub vcl_recv {\n" + "".join(
    f'if (req.url ~ "{pattern.decode()}") {{ return (pass); }}\n' for pattern in PATTERNS) + "}\n"

PIECES = [b"a", b"b", b"A", b"utm_source", b"utm_", b"gclid", b"_", b"*", b"=", b"=1", b"==", b"&", b"&&", b"?", b"??", b";", b"; ", b" ",
          b"\t", b",", b"\"", b"\\", b"\\\"", b"/", b".", b"..", b"\0", b"\xff", b"\n", b"#", b"max-age", b"Max-Age", b"private", b"%61", b"aa"]
NAMES = [b"a", b"b", b"A", b"", b"utm_source", b"a=", b"=", b"&", b" ", b"max-age", b"PRIVATE", b"*", b"a "]
VALUES = [b"0", b"-0", b"1", b"12", b"-5", b"007", b"999999999999999", b"1000000000000000", b"999999999999", b".5", b"5.", b"1.5", b"0.0005",
          b"3.14159265358979", b"1e5", b"+1", b" 1", b"1 ", b"ms", b"s", b"m", b"h", b"d", b"w", b"y", b"B", b"KB", b"kb", b"MB", b"Gb", b"TB",
          b"PB", b"K", b"0.1", b"9007199254740993", b"123456789012.1234567", b"192.0.2.1", b"::1", b"2001:db8::", b"1.2.3", b"01.2.3.4",
          b"::ffff:1.2.3.4", b"fe80::1%lo", b":::", b"::1\0", b"Sun, 06 Nov 1994 08:49:37 GMT", b"Sunday, 06-Nov-94 08:49:37 GMT",
          b"Sun Nov  6 08:49:37 1994", b"Sun Nov 16 08:49:37 1994", b"Sun, 6 Nov 1994 08:49:37 GMT", b"Tue, 29 Feb 2000 23:59:60 GMT",
          b"Tue, 29 Feb 1900 00:00:00 GMT", b"Mon, 01 Jan 0000 00:00:00 GMT", b"Fri, 31 Dec 9999 23:59:59 GMT", b"sun, 06 Nov 1994 08:49:37 GMT",
          b"Sun, 31 Nov 1994 08:49:37 GMT", b"Sun, 06 Nov 1994 24:00:00 GMT", b"Sun, 06 Nov 1994 08:49:61 GMT", b""]

texts = st.one_of(st.none(), st.binary(max_size=12), st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join))
names = st.one_of(st.sampled_from(NAMES), texts)
patterns = st.lists(st.sampled_from([*NAMES, b"utm_*", b"*_", b"*a*", b"**", b"*", b"a*"]), min_size=1, max_size=5).map(b"\0".join)
values = st.one_of(st.lists(st.sampled_from(VALUES), min_size=1, max_size=2).map(b"".join), texts)


def site_of(line: int, column: int) -> int:
    module = run_stages(Compilation("p", "p.vcl", POLICY.encode(), Options(err_unref=False)), LOWER).module
    assert module is not None
    places = [(module.sources[site.file].name, site.line, site.column) for site in module.sites]
    return places.index(("p.vcl", line, column))


@pytest.fixture
def world(behind: Behind, tmp_path: Path) -> Iterator[RuntimeWorld]:
    behind.harness.open(compile_text(POLICY, tmp_path))
    made = RuntimeWorld(module=ir.Module("views"), harness=behind.harness, functions=behind.functions)
    made.enter("vcl_init")
    behind.harness.leave()
    made.enter("vcl_recv")
    made.site = site_of(3, 5)
    yield made
    made.leave()


def agree(world: RuntimeWorld, symbol: str, *args: Value) -> Value:
    """The result of the runtime, which is that of the model."""
    try:
        return world.call(externs.internal(symbol), args, None)
    except Failed:
        clear_failure(world)
        return None
    finally:
        assert world.disagreements == [], args


def clear_failure(world: RuntimeWorld) -> None:
    ctypes.c_int32.from_address(world.context + CTX["policy_ctx", "failed"]).value = 0


ARGUMENTS: dict[str, list[st.SearchStrategy]] = {
    "url_path": [texts], "url_ext": [texts], "url_query": [texts, names], "url_query_edit": [texts, st.integers(0, 1), patterns],
    "url_query_sort": [texts], "url_set_path": [texts, texts], "cookie_value": [texts, names],
    "url_query_has": [texts, patterns], "cookie_has": [texts, patterns], "cache_control_has": [texts, patterns],
    "cookie_edit": [texts, st.integers(0, 1), patterns], "cache_control_value": [texts, names], "text_before": [texts, names],
    "text_after": [texts, names], "text_before_last": [texts, names], "text_after_last": [texts, names], "text_lower": [texts],
    "text_upper": [texts], "text_trim": [texts], "text_length": [texts], "text_length_is": [texts],
    "text_replace": [texts, names, names]} | {
    f"{name}_of{end}": [values] for name in ("int", "real", "duration", "bytes", "time", "ip") for end in ("", "_is")}


def test_every_function_is_drawn() -> None:
    assert ARGUMENTS.keys() == views.FUNCTIONS.keys()


@pytest.mark.parametrize("symbol", ARGUMENTS)
def test_runtime_and_model_agree(symbol: str, world: RuntimeWorld) -> None:
    @SETTINGS
    @given(st.tuples(*ARGUMENTS[symbol]))
    def one(args: tuple[Value, ...]) -> None:
        agree(world, symbol, *args)

    one()


def test_groups_are_those_of_pcre(world: RuntimeWorld) -> None:
    @SETTINGS
    @given(st.sampled_from(range(len(PATTERNS))), texts, st.integers(0, 4))
    def one(pattern: int, subject: bytes | None, group: int) -> None:
        for number in (group, group + 1, 0):        # the second and third from what the first has kept
            agree(world, "match_group", Reference(Type.REGEX, pattern, PATTERNS[pattern]), subject, number)

    one()


@pytest.mark.parametrize(("symbol", "text", "value"), [
    ("int_of", b"-12", -12), ("int_of", b"999999999999999", 999_999_999_999_999), ("int_of", b"1000000000000000", 0),
    ("real_of", b"0.1", 0.1), ("real_of", b"3.14159265358979", 3.14159265358979), ("real_of", b"123456789012.5", 123456789012.5),
    ("duration_of", b"1.5h", 5400.0), ("duration_of", b"100ms", 0.1), ("bytes_of", b"1.5KB", 1536), ("bytes_of", b"2000000", 2000000), ("bytes_of", b"1.5", 0), ("bytes_of", b"-1", 0), ("bytes_of", b"2pb", 2 << 50),
    ("time_of", b"Sun, 06 Nov 1994 08:49:37 GMT", 784111777.0), ("time_of", b"Fri, 31 Dec 9999 23:59:59 GMT", 253402300799.0)])
def test_values_of_texts(symbol: str, text: bytes, value: Value, world: RuntimeWorld) -> None:
    assert agree(world, symbol, text) == value
    assert agree(world, f"{symbol}_is", text) == (value != 0)


def test_allowed_checks_are_those_of_the_mask(world: RuntimeWorld) -> None:
    steps = [("allowed", 1), ("allow", 1), ("allowed", 1), ("allowed", 3), ("allow", 6), ("allowed", 7), ("allowed", 8), ("allowed", 0)]
    assert [agree(world, symbol, mask) for symbol, mask in steps] == [False, None, True, False, None, True, False, True]


def test_each_waived_check_is_logged_once_in_a_hook(world: RuntimeWorld, behind: Behind) -> None:
    for mask in (1, 3, 3, 12):
        agree(world, "allow", mask)
    behind.harness.leave()
    place = b" (p.vcl:3:5)"
    assert behind.harness.text("log") == b"".join(b"allow: " + word + place + b"\n"
                                                  for word in (b"cookie", b"authorization", b"set_cookie", b"private"))


@pytest.mark.parametrize(("pattern", "found"), [
    (b"a", (0, {})), (b"(a)(?<two>b)(?P<three>c)", (3, {"two": 2, "three": 3})), (b"(?J)(?<x>a)|(?<x>b)", (2, {"x": 1})),
    (b"(?:a)(?|(b)|(c))", (1, {}))])
def test_groups_of_a_pattern_are_known_to_the_compiler(pattern: bytes, found: tuple[int, dict[str, int]]) -> None:
    assert pcre.groups(pattern) == found
