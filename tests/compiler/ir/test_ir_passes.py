"""The result of each pass as text. The printed form of a module stays the same."""

from __future__ import annotations

from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.ir import Action, Extern, Msg, Type
from vernis.ir.passes import PASSES, run_passes
from vernis.ir.passes.deadcode import remove_dead_values
from vernis.ir.passes.fold import fold
from vernis.ir.passes.forward import forward_slots
from vernis.ir.passes.inline import ONCE_CALLER_OPS, inline_subs
from vernis.ir.passes.joins import flatten_joins
from vernis.ir.pretty import function_text, module_text
from support.reference.verify import check_module

T = Type
URL = Extern("get_req_url", (), T.STRING, pure=True)
LOG = Extern("std_log", (T.STRING,), T.VOID)


def module_of(*builders: FunctionBuilder) -> ir.Module:
    module = ir.Module("m", sites=[ir.Site(0, 1, 1)], names=["X-A"], regexes=[b'^"\xff'],
                       acls=[ir.AclDecl("quiet", ()), ir.AclDecl("loud", (), log=True)])
    module.functions.update({b.name: b.function for b in builders})
    fill_hooks(module)
    check_module(module)
    return module


def after(builder: FunctionBuilder, *passes: object) -> list[str]:
    """Lines of the rewritten function, without the first line."""
    module = run_passes(module_of(builder), passes, (), check_module)       # type: ignore[arg-type]
    return [line.strip() for line in function_text(module, module.functions[builder.name]).splitlines()[1:]
            if not line.strip().startswith("slots")]


def test_constants_fold_as_the_interpreter_computes() -> None:
    b = FunctionBuilder("vcl_recv")
    seven = b.arith(T.INT, "+", b.const(T.INT, 3), b.const(T.INT, 4))
    b.call(LOG, b.convert(T.STRING, seven))
    b.call(LOG, b.convert(T.STRING, b.arith(T.DURATION, "/", b.const(T.DURATION, 1.0), b.const(T.REAL, 3.0))))
    b.call(LOG, b.convert(T.STRING, b.compare("<", b.text(b"a"), b.text(None))))
    b.call(LOG, b.concat(b.text(b"x"), b.text(None), b.convert(T.STRING, b.const(T.BOOL, True))))
    b.ret(Action.HASH)
    assert after(b, fold, remove_dead_values) == [
        "b0:", 'v3 STRING = "7"', "std_log(v3)", 'v7 STRING = "0.333"', "std_log(v7)", 'v11 STRING = "false"', "std_log(v11)",
        'v16 STRING = "xtrue"', "std_log(v16)", "return hash"]


def test_operations_that_fail_are_not_folded() -> None:
    b = FunctionBuilder("vcl_recv")
    b.arith(T.INT, "/", b.const(T.INT, 1), b.const(T.INT, 0))
    b.arith(T.REAL, "*", b.const(T.REAL, 1e308), b.const(T.REAL, 10.0))
    b.convert(T.STRING, b.const(T.TIME, -1e12))
    b.ret(Action.HASH)
    assert [line for line in after(b, *PASSES) if line.startswith("v") and ("/" in line or "*" in line or "convert" in line)] == [
        "v2 INT = v0 / v1", "v5 REAL = v3 * v4", "v7 STRING = convert v6"]


def test_joins_are_flattened_and_adjacent_constants_merged() -> None:
    b = FunctionBuilder("vcl_recv")
    inner = b.concat(b.text(b"b"), b.call(URL), b.text(b""))
    b.call(LOG, b.concat(b.text(b"a"), inner, b.text(b"c"), b.text(None), b.text(b"d")))
    b.ret(Action.HASH)
    assert after(b, flatten_joins, fold, remove_dead_values) == [
        "b0:", "v1 STRING = get_req_url()", 'v9 STRING = "ab"', 'v10 STRING = "cd"', "v8 STRING = concat(v9, v1, v10)",
        "std_log(v8)", "return hash"]


def test_a_join_with_other_uses_stays() -> None:
    b = FunctionBuilder("vcl_recv")
    inner = b.concat(b.call(URL), b.text(b"x"))
    b.call(LOG, b.concat(inner, b.text(b"y")))
    b.call(LOG, inner)
    b.ret(Action.HASH)
    assert sum("concat" in line for line in after(b, flatten_joins, remove_dead_values)) == 2


def test_slots_are_forwarded_inside_a_block_only() -> None:
    b = FunctionBuilder("vcl_recv")
    slot = b.slot(T.STRING)
    b.store(slot, b.text(b"old"))
    b.store(slot, b.call(URL))
    b.call(LOG, b.load(slot))
    on = b.block()
    b.branch(b.compare("==", b.load(slot), b.text(b"q")), on, on)
    b.at = on
    b.call(LOG, b.load(slot))
    b.ret(Action.HASH)
    assert after(b, forward_slots) == [
        "b0:", 'v0 STRING = "old"', "v1 STRING = get_req_url()", "store s0 = v1", "std_log(v1)", 'v4 STRING = "q"',
        "v5 BOOL = v1 == v4", "branch v5 b1 b1", "b1:", "v6 STRING = load s0", "std_log(v6)", "return hash"]


def test_constant_branches_and_dead_code_are_removed() -> None:
    b = FunctionBuilder("vcl_recv")
    b.call(URL)                                             # pure, unused
    b.header_get(Msg.REQ, 0)
    b.acl_match(0, b.const(T.IP, None))
    b.acl_match(1, b.const(T.IP, None))                     # has the effect of a log record
    b.match(0, b.text(b""))                                 # can fail at the match limit
    then, other = b.block(), b.block()
    b.branch(b.negate(b.const(T.BOOL, True)), then, other)
    b.at = then
    b.ret(Action.PASS)
    b.at = other
    b.ret(Action.HASH)
    assert after(b, *PASSES) == [
        "b0:", "v4 IP = none", "v5 BOOL = v4 ~ acl loud", 'v6 STRING = ""', 'v7 BOOL = v6 ~ regex 0 "^\\x22\\xff"', "return hash"]


def test_a_chain_of_unused_values_is_removed() -> None:
    b = FunctionBuilder("vcl_recv")
    slot = b.slot(T.STRING)
    b.store(slot, b.concat(b.call(URL), b.convert(T.STRING, b.convert(T.BOOL, b.arith(T.INT, "*", b.const(T.INT, 2), b.const(T.INT, 3))))))
    b.ret(Action.HASH)
    assert after(b, remove_dead_values) == ["b0:", "return hash"]


def call(b: FunctionBuilder, sub: str) -> None:
    """A call of a sub as lowering writes it."""
    action = b.call_sub(sub)
    ends, on = b.block(), b.block()
    b.branch(action, ends, on)
    b.at = ends
    b.ret_value(action)
    b.at = on


def test_small_subs_are_inlined_and_removed() -> None:
    inner = FunctionBuilder("inner")
    truth = inner.convert(T.BOOL, inner.call(URL))
    then, on = inner.block(), inner.block()
    inner.branch(truth, then, on)
    inner.at = then
    inner.ret(Action.PASS)
    inner.at = on
    inner.ret(Action.NONE)
    outer = FunctionBuilder("outer")
    call(outer, "inner")
    call(outer, "inner")
    outer.ret(Action.NONE)
    hook = FunctionBuilder("vcl_recv")
    call(hook, "outer")
    hook.ret(Action.HASH)
    module = run_passes(module_of(hook, outer, inner), PASSES, (inline_subs,), check_module)
    assert set(module.functions) == set(ir.HOOKS)
    text = function_text(module, module.functions["vcl_recv"])
    assert "call" not in text and text.count("get_req_url") == 2 and text.count("return pass") == 2 and text.count("return hash") == 1


def test_large_sub_called_twice_stays() -> None:
    sub = FunctionBuilder("large")
    for _ in range(40):
        sub.call(LOG, sub.text(b"x"))
    sub.ret(Action.NONE)
    hook = FunctionBuilder("vcl_recv")
    call(hook, "large")
    call(hook, "large")
    hook.ret(Action.HASH)
    assert "large" in inline_subs(module_of(hook, sub)).functions


def subs_called_once(count: int, ops: int) -> dict[str, ir.Function]:
    """The functions of vcl_recv with so many subs of so many ops, and one small sub, after inlining."""
    hook, small = FunctionBuilder("vcl_recv"), FunctionBuilder("small")
    small.call(URL)
    small.ret(Action.NONE)
    subs = [FunctionBuilder(f"sub{i}") for i in range(count)]
    for sub in subs:
        for _ in range(ops - 1):
            sub.call(URL)
        sub.ret(Action.NONE)
        call(hook, sub.name)
    call(hook, "small")
    hook.ret(Action.HASH)
    module = inline_subs(module_of(hook, small, *subs))
    check_module(module)
    return module.functions


def test_subs_of_a_long_hook_stay() -> None:
    """All or none, so that an edit of one does not move the others. Small ones are inlined in any case."""
    fit = (ONCE_CALLER_OPS - 40) // 50
    assert set(subs_called_once(fit - 2, 50)) == set(ir.HOOKS)
    functions = subs_called_once(fit + 1, 50)
    assert set(functions) == {*ir.HOOKS, *(f"sub{i}" for i in range(fit + 1))}
    assert sum(isinstance(op, ir.CallSub) for block in functions["vcl_recv"].blocks for op in block.ops) == fit + 1


def test_a_pass_without_effect_returns_the_function() -> None:
    """Then run_passes does not run the next passes again."""
    b = FunctionBuilder("vcl_recv")
    slot = b.slot(T.STRING)
    b.store(slot, b.concat(b.text(b"a"), b.header_get(Msg.REQ, 0)))
    then, on = b.block(), b.block()
    b.branch(b.match(0, b.call(URL)), then, on)
    b.at = then
    b.jump(on)
    b.at = on
    b.header_set(Msg.REQ, 0, b.concat(b.load(slot), b.call(URL)))
    b.ret(Action.HASH)
    module = module_of(b)
    for rewrite in PASSES:
        assert rewrite(module, b.function) is b.function


def test_canonical_module_is_untouched() -> None:
    b = FunctionBuilder("vcl_recv")
    b.call(LOG, b.concat(b.text(b"a"), b.text(b"b")))
    b.ret(Action.HASH)
    module = module_of(b)
    before = module_text(module)
    run_passes(module)
    assert module_text(module) == before


def test_printed_form() -> None:
    b = FunctionBuilder("vcl_recv")
    slot = b.slot(T.BOOL)
    b.mark(0)
    b.store(slot, b.match(0, b.header_get(Msg.REQ, 0)))
    b.header_set(Msg.RESP, 0, b.text(b'a"\n'))
    b.header_unset(Msg.OBJ, 0)
    b.call(Extern("x", (T.INT, T.REAL), T.VOID, optional=(1,)), b.const(T.INT, 1), b.const(T.REAL, 0.5), given=1)
    b.ref(T.HTTP, Msg.BEREQ.value)
    b.ret(Action.SYNTH)
    module = ir.Module("m", sites=[ir.Site(0, 7, 3)], names=["X-A"], regexes=[b"a"], backends=[ir.Backend("d", host="h", port="1")],
                       default_backend=0, functions={"vcl_recv": b.function})
    assert module_text(module) == """\
module m
name 0 X-A
regex 0 "a"
backend 0 d h:1 default

sub vcl_recv
  slots s0:BOOL
  b0:
    site 0 0:7:3
    v0 STRING = get req.http.X-A
    v1 BOOL = v0 ~ regex 0 "a"
    store s0 = v1
    v2 STRING = "a\\x22\\x0a"
    set resp.http.X-A = v2
    unset obj.http.X-A
    v3 INT = 1
    v4 REAL = 0.5
    x(v3, -)
    v5 HTTP = ref bereq
    return synth
"""
