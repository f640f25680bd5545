"""Native code and the interpreter both follow the language, case by case."""

from __future__ import annotations

import ctypes
import re
from itertools import product
from pathlib import Path

import pytest

from native_bench import (FAILS_IF, MIX, N_VARS, OPTIONAL, SAY, VAR_BOOL, VAR_INT, VAR_REAL, VAR_TEXT, Transaction, load,
                          run_interpreted, run_native)
from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.ir import Action, Msg, Type
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from vernis.ir.plain import plain_pattern
from vernis.native import Options, PolicyTooLarge, compile_module, link
from vernis.native.abi import load_contract
from vernis.native.codegen import generate, parts_of_policy
from vernis.native.optimise import Emitter
from vernis.native.stages import Stages

HOOK = "vcl_recv"
INT_MIN, INT_MAX = -(1 << 63), (1 << 63) - 1


def module_of(builder: FunctionBuilder, **tables: list) -> ir.Module:
    sites = [ir.Site(0, i + 1, 1) for i in range(20)]
    module = ir.Module("case", sources=[ir.Source("case.vcl", b"")], sites=sites, **tables)
    module.functions[HOOK] = builder.function
    fill_hooks(module)
    check_module(module)
    return module


def both(bench: ctypes.CDLL, folder: Path, module: ir.Module, transaction: Transaction, level: int,
         options: Options = Options()) -> str:
    """The result, after checking that the interpreter and native code agree."""
    out = folder / f"case{level}.so"
    compile_module(run_passes(module), out, Options(level=level, chunk_ops=options.chunk_ops, verify=True))
    load(bench, out)
    native = run_native(bench, HOOK, transaction)
    assert native == run_interpreted(module, HOOK, transaction)
    return native


levels = pytest.mark.parametrize("level", [0, 2])


def say_truth(b: FunctionBuilder, truth: int) -> None:
    b.call(SAY, b.text(None), b.const(Type.INT, 0), b.const(Type.REAL, 0.0), truth)


def truths(result: str) -> list[bool]:
    return [line.endswith(",1)") for line in result.splitlines() if line.startswith("say")]


@levels
def test_an_unset_text_differs_from_every_text_and_is_greater(level: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    for op in ("==", "!=", "<", "<=", ">", ">="):
        for left, right in ((0, 1), (1, 0), (0, 0), (1, 1)):        # variable 0 is unset
            say_truth(b, b.compare(op, b.call(VAR_TEXT, b.const(Type.INT, left)), b.call(VAR_TEXT, b.const(Type.INT, right))))
    b.ret(Action.HASH)
    result = both(bench, tmp_path, module_of(b), Transaction(texts=[None, b""] + [None] * 14), level)
    unset = {"==": False, "!=": True, "<": False, "<=": False, ">": True, ">=": True}
    equal = {"==": True, "!=": False, "<": False, "<=": True, ">": False, ">=": True}
    assert truths(result) == [truth for op in unset for truth in (unset[op], unset[op], unset[op], equal[op])]


@levels
def test_integers_wrap_and_never_trap(level: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    edges = [0, 1, -1, 2, -7, INT_MAX, INT_MIN, INT_MAX // 2 + 1]
    b = FunctionBuilder(HOOK)
    for op, left, right in product("+-*/%", range(len(edges)), range(len(edges))):
        if op in "+-*" or edges[right] != 0:
            value = b.arith(Type.INT, op, b.call(VAR_INT, b.const(Type.INT, left)), b.call(VAR_INT, b.const(Type.INT, right)))
            b.call(SAY, b.text(None), value, b.const(Type.REAL, 0.0), b.const(Type.BOOL, False))
    b.ret(Action.HASH)
    result = both(bench, tmp_path, module_of(b), Transaction(numbers=edges + [0] * (N_VARS - len(edges))), level)
    said = [int(line.split(",")[1]) for line in result.splitlines() if line.startswith("say")]
    assert said[5 * 8 + 1] == INT_MIN               # INT_MAX + 1
    quotients = [(a, c) for a, c in product(edges, edges) if c != 0]
    start = 3 * 64
    assert said[start + quotients.index((INT_MIN, -1))] == INT_MIN
    assert said[start + quotients.index((-7, 2))] == -3
    assert said[start + len(quotients) + quotients.index((-7, 2))] == -1
    assert said[start + len(quotients) + quotients.index((INT_MIN, -1))] == 0


@levels
@pytest.mark.parametrize(("type", "op", "left", "right", "fails"), [
    (Type.INT, "/", 1, 0, True), (Type.INT, "%", 1, 0, True), (Type.BYTES, "/", 1, 0, True), (Type.INT, "/", 1, 2, False)])
def test_integer_division_by_zero_fails(type: Type, op: str, left: int, right: int, fails: bool, level: int, bench: ctypes.CDLL,
                                        tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    b.mark(3)
    number = b.call(VAR_INT, b.const(Type.INT, 1))
    b.convert(Type.STRING, b.arith(type, op, b.const(type, left), number if type is Type.INT else b.convert(type, number)))
    b.mark(4)
    b.ret(Action.HASH)
    result = both(bench, tmp_path, module_of(b), Transaction(numbers=[0, right] + [0] * 14), level)
    assert result.startswith("FAIL" if fails else "HASH")
    assert f"site {3 if fails else 4}\n" in result


@levels
@pytest.mark.parametrize(("op", "left", "right", "fails"), [
    ("/", 1.0, 0.0, True), ("/", 0.0, 0.0, True), ("*", 1e308, 10.0, True), ("-", -1e308, 1e308, True), ("*", 1e308, 0.1, False),
    ("/", 5e-324, 2.0, False)])
def test_result_that_is_not_finite_fails(op: str, left: float, right: float, fails: bool, level: int, bench: ctypes.CDLL,
                                         tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    b.arith(Type.DURATION, op, b.call(VAR_REAL, b.const(Type.INT, 0)), b.call(VAR_REAL, b.const(Type.INT, 1)))
    b.ret(Action.HASH)
    result = both(bench, tmp_path, module_of(b), Transaction(reals=[left, right] + [0.0] * 14), level)
    assert result.startswith("FAIL" if fails else "HASH")


@levels
def test_arguments_of_every_shape_arrive(level: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    texts = [b.call(VAR_TEXT, b.const(Type.INT, i)) for i in range(5)]
    number, real = b.call(VAR_INT, b.const(Type.INT, 1)), b.call(VAR_REAL, b.const(Type.INT, 1))
    truth = b.call(VAR_BOOL, b.const(Type.INT, 1))
    chosen = b.call(MIX, texts[0], number, texts[1], real, texts[2], truth, texts[3], texts[4])
    b.call(SAY, chosen, number, real, truth)
    for given in (0, 5, 7):
        say_truth(b, b.call(OPTIONAL, texts[1], number, real, given=given))
    b.ret(Action.HASH)
    transaction = Transaction(texts=[b"a", None, b"ccc", b"", b"e" * 40] + [None] * 11, numbers=[0, -5] + [0] * 14,
                              reals=[0.0, 2.5] + [0.0] * 14)
    result = both(bench, tmp_path, module_of(b), transaction, level)
    assert f'mix("61",-5,-,4004000000000000,"636363",1,"","{"65" * 40}")' in result
    assert 'optional(5,-,-5,4004000000000000)' in result


SUBJECTS = [None, b"", b"/", b"/admin", b"/admin\n", b"/admin\n\n", b"/admin/x", b"x/admin", b"a.png", b"a.png\n", b".png", b"a.pngx", b"aXpng",
            b"\n", b"/adm", b"b/c?", b"/\xc3\xa4", b"a.png\0"]


@levels
def test_plain_patterns_match_as_pcre2_does(level: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    patterns = [b"^/admin", b"^/admin$", rb"\.png$", rb"\/admin$", b"^/\xc3", rb"^b\/c\?$", b"^/", b"n$", rb"^a\.png", b"^ $"]
    assert all(plain_pattern(p) for p in patterns)
    b = FunctionBuilder(HOOK)
    for number, i in product(range(len(patterns)), range(len(SUBJECTS))):
        say_truth(b, b.match(number, b.text(SUBJECTS[i])))
    b.ret(Action.HASH)
    result = truths(both(bench, tmp_path, module_of(b, regexes=patterns), Transaction(), level))
    assert 20 < sum(result) < len(result)           # some texts match, some do not
    assert result[SUBJECTS.index(b"/admin/x")] and not result[len(SUBJECTS) + SUBJECTS.index(b"/admin/x")]
    assert result[len(SUBJECTS) + SUBJECTS.index(b"/admin\n")] and not result[len(SUBJECTS) + SUBJECTS.index(b"/admin\n\n")]


@pytest.mark.parametrize("pattern", [b"/admin", b"^a.b", b"^a|b", rb"^\d", rb"^a\_", b"^a{2}", b"(?i)^a", b"^", b"$", b"^$", b"^a$b", b"^" + b"x" * 65,
                                     b"(*UCP)^a", b"^a\\", b"^[a]$"])
def test_other_patterns_use_pcre2(pattern: bytes) -> None:
    assert plain_pattern(pattern) is None


def code_of(module: ir.Module, level: int) -> tuple[str, str]:
    """The LLVM text of the hook, and the same after the passes of the level."""
    contract = load_contract()
    part = next(part for part in parts_of_policy(module) if part.name == HOOK)
    text = generate(module, part, level, contract)
    return text, str(Emitter(level, contract, Stages(), verify=True).optimised_module(text))


@levels
@pytest.mark.parametrize("pattern", [b"^/admin", b"^/admin$", rb"\.png$"])
def test_plain_patterns_are_comparisons_in_the_code(pattern: bytes, level: int) -> None:
    b = FunctionBuilder(HOOK)
    say_truth(b, b.match(0, b.call(VAR_TEXT, b.const(Type.INT, 0))))
    b.ret(Action.HASH)
    text, code = code_of(module_of(b, regexes=[pattern]), level)
    assert "regex_match" not in text                    # neither called nor imported
    assert "@helper_string_" in text and "@helper_" not in code  # the comparison was copied into the hook


@levels
def test_other_patterns_are_calls(level: int) -> None:
    b = FunctionBuilder(HOOK)
    say_truth(b, b.match(0, b.call(VAR_TEXT, b.const(Type.INT, 0))))
    b.ret(Action.HASH)
    text, _ = code_of(module_of(b, regexes=[b"^/a.min"]), level)
    assert "regex_match" in text and "@helper_string" not in text


@levels
@pytest.mark.parametrize("op", ["==", "!="])
def test_equality_with_a_constant_is_a_comparison_in_the_code(op: str, level: int) -> None:
    b = FunctionBuilder(HOOK)
    say_truth(b, b.compare(op, b.call(VAR_TEXT, b.const(Type.INT, 0)), b.text(b"/admin")))
    b.ret(Action.HASH)
    text, code = code_of(module_of(b), level)
    assert "@helper_string_eq" in text and "@helper_" not in code
    imports = set(re.findall(r'place\.(\w+)', code))
    assert imports == {"var_text", "say", "fail_stack"}     # no function of the runtime compares


@levels
def test_a_policy_finds_headers_of_older_messages(level: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    for name in range(3):
        b.call(SAY, b.header_get(Msg.REQ, name), b.const(Type.INT, name), b.const(Type.REAL, 0.0), b.const(Type.BOOL, False))
    b.ret(Action.HASH)
    headers = [(Msg.REQ, b"abcde", b"no", False), (Msg.REQ, b"x-foo", b"old", False), (Msg.REQ, b"X-Foo", b"second", True),
               (Msg.REQ, b"Host", b"h", True)]
    result = both(bench, tmp_path, module_of(b, names=["X-FOO", "host", "X-bar"]), Transaction(headers=headers), level)
    assert f'say("{b"old".hex()}",0,' in result
    assert f'say("{b"h".hex()}",1,' in result
    assert "say(-,2," in result


@levels
def test_a_policy_unsets_headers_of_older_messages(level: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    for name in range(3):
        b.header_unset(Msg.REQ, name)
        b.call(SAY, b.header_get(Msg.REQ, name), b.const(Type.INT, name), b.const(Type.REAL, 0.0), b.const(Type.BOOL, False))
    b.ret(Action.HASH)
    headers = [(Msg.REQ, b"x-foo", b"old", False), (Msg.REQ, b"X-Foo", b"second", True), (Msg.REQ, b"Host", b"h", True),
               (Msg.REQ, b"x-kept", b"k", False)]
    result = both(bench, tmp_path, module_of(b, names=["X-FOO", "host", "X-bar"]), Transaction(headers=headers), level)
    assert [f"say(-,{name}," in result for name in range(3)] == [True] * 3


@levels
def test_fields_are_read_and_unset_by_the_policys_own_copies(level: int, tmp_path: Path) -> None:
    """The imports are for fields that the copies leave to the runtime. No module of LLVM has the copies."""
    b = FunctionBuilder(HOOK)
    b.header_set(Msg.REQ, 1, b.header_get(Msg.REQ, 0))
    b.header_unset(Msg.REQ, 0)
    b.ret(Action.HASH)
    module, contract = module_of(b, names=["a", "b"]), load_contract()
    part = next(part for part in parts_of_policy(module) if part.name == HOOK)
    text = generate(module, part, level, contract)
    calls = re.findall(r"call .*?@(local_\w+)", text)
    assert calls == ["local_header_get", "local_header_unset"]
    assert set(calls) <= {name for name, _, section, *_ in link.read(contract.support).symbols if section}
    assert "helper_" not in text                       # so nothing is linked in, which takes longer than the code


@levels
def test_failure_in_a_sub_ends_the_hook(level: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    sub = FunctionBuilder("inner")
    sub.mark(7)
    sub.call(FAILS_IF, sub.call(VAR_BOOL, sub.const(Type.INT, 0)))
    say_truth(sub, sub.const(Type.BOOL, True))
    sub.ret(Action.NONE)
    b = FunctionBuilder(HOOK)
    action = b.call_sub("inner")
    ends, on = b.block(), b.block()
    b.branch(action, ends, on)
    b.at = ends
    b.ret_value(action)
    b.at = on
    b.mark(8)
    b.ret(Action.HASH)
    module = module_of_with_sub(b, sub)
    failed = both(bench, tmp_path, module, Transaction(numbers=[1] * 16), level)
    assert failed.startswith("FAIL") and "site 7\n" in failed and "say" not in failed
    passed = both(bench, tmp_path, module, Transaction(), level)
    assert passed.startswith("HASH") and "site 8\n" in passed and "say" in passed


def module_of_with_sub(b: FunctionBuilder, sub: FunctionBuilder) -> ir.Module:
    module = ir.Module("case", sites=[ir.Site(0, i + 1, 1) for i in range(20)], functions={sub.name: sub.function, HOOK: b.function})
    fill_hooks(module)
    check_module(module)
    return module


def long_chain(arms: int) -> FunctionBuilder:
    """if (n == 0) {...} elseif (n == 1) ...: all arms jump to one end, far away from the first arms."""
    b = FunctionBuilder(HOOK)
    number = b.call(VAR_INT, b.const(Type.INT, 0))
    slot = b.slot(Type.STRING)
    end = b.block()
    for arm in range(arms):
        then, other = b.block(), b.block()
        b.branch(b.compare("==", number, b.const(Type.INT, arm)), then, other)
        b.at = then
        b.store(slot, b.concat(b.text(b"arm"), b.convert(Type.STRING, number)))
        b.jump(end)
        b.at = other
    b.jump(end)
    b.at = end
    b.call(SAY, b.load(slot), number, b.const(Type.REAL, 0.0), b.const(Type.BOOL, True))
    b.ret(Action.HASH)
    return b


@pytest.mark.parametrize("arms", [3, 3000])
def test_long_chain_of_conditions(arms: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    module = module_of(long_chain(arms))
    for number in (0, 1, arms // 2, arms - 1, arms):
        result = both(bench, tmp_path, module, Transaction(numbers=[number] * 16), 0)
        expected = f'"{(b"arm%d" % number).hex()}"' if number < arms else "-"
        assert f"say({expected},{number}," in result


def test_long_straight_function_is_cut(bench: ctypes.CDLL, tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    text = b.call(VAR_TEXT, b.const(Type.INT, 0))           # used again in every chunk
    for number in range(1500):
        b.mark(number % 20)
        b.call(SAY, text, b.const(Type.INT, number), b.const(Type.REAL, 0.0), b.const(Type.BOOL, False))
    b.ret(Action.HASH)
    result = both(bench, tmp_path, module_of(b), Transaction(texts=[b"t"] * 16), 0)
    assert result.count("say(") == 1500 and 'say("74",1499,' in result


def test_a_chunk_returns_where_another_would_do_nothing_else(bench: ctypes.CDLL, tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    more, last = b.block(), b.block()
    b.branch(b.call(VAR_BOOL, b.const(Type.INT, 0)), last, more)
    b.at = more
    for number in range(20):
        b.call(SAY, b.text(b"t"), b.const(Type.INT, number), b.const(Type.REAL, 0.0), b.const(Type.BOOL, False))
    b.jump(last)
    b.at = last
    b.mark(7)
    b.ret(Action.PASS)
    module, options = module_of(b), Options(chunk_ops=12)
    results = [both(bench, tmp_path, module, Transaction(numbers=[number] * 16), 0, options) for number in (0, 1)]
    assert [result.count("say(") for result in results] == [20, 0]
    part = next(part for part in parts_of_policy(module, options.chunk_ops) if part.name == f"{HOOK}.0")
    text = generate(module, part, 0, load_contract())
    assert f"ret i32 {Action.PASS.value}" in text


def test_sub_beyond_the_stack_of_a_hook_is_refused(tmp_path: Path) -> None:
    b = FunctionBuilder(HOOK)
    values = [b.call(VAR_TEXT, b.const(Type.INT, i)) for i in range(3000)]
    on = b.block()
    b.jump(on)
    b.at = on
    for value in values:
        b.call(SAY, value, b.const(Type.INT, 0), b.const(Type.REAL, 0.0), b.const(Type.BOOL, False))
    b.ret(Action.HASH)
    with pytest.raises(PolicyTooLarge, match="vcl_recv keeps 3000 values"):
        compile_module(module_of(b), tmp_path / "x.so")
