"""Some functions of a policy compiled at level 2, the others at level 0: the choice, and what it compiles."""

from __future__ import annotations

from pathlib import Path

from test_native_objects import A, B, Objects, policy, sub
from vernis.ir import ir
from vernis.native.hot import hot_functions
from vernis.pipeline import Compilation, Options, compile_policy


def compiled(folder: Path, objects: Objects, level: int, hot_rules: tuple[int, ...] = (), text: str = policy(A, B)) -> Compilation:
    run = Compilation("p", "/p.vcl", text.encode(), Options(optimisation=level), folder / "p.so", objects=objects,
                      hot_rules=hot_rules)
    compile_policy(run)
    assert not run.failed
    return run


def rule(run: Compilation, head: str) -> int:
    """The number of the rule with this head."""
    assert run.module is not None
    source = run.module.sources[0].text
    return next(number for number, rule in enumerate(run.module.rules) if source[rule.start:rule.start + rule.length] == head.encode())


def test_only_hot_functions_are_compiled_at_level_2(tmp_path: Path) -> None:
    objects = Objects()
    plain = compiled(tmp_path, objects, 0)
    run = compiled(tmp_path, objects, 0, (rule(plain, "sub b"),))
    assert (run.hot_functions, run.functions_compiled) == ({"b"}, 1)


def test_the_object_of_a_hot_function_is_that_of_level_2(tmp_path: Path) -> None:
    objects = Objects()
    for level in (0, 2):
        compiled(tmp_path, objects, level)
    run = compiled(tmp_path, objects, 0)
    assert compiled(tmp_path, objects, 0, (rule(run, "sub a"), rule(run, "sub vcl_recv"))).functions_compiled == 0


def test_a_hot_function_has_its_own_object_beside_a_cold_one_of_its_shape(tmp_path: Path) -> None:
    """At level 0 the two share an object. The image does not depend on the store."""
    text, objects = policy(A, sub("d")), Objects()
    plain = compiled(tmp_path, objects, 0, text=text)
    hot = (rule(plain, "sub d"),)
    run = compiled(tmp_path, objects, 0, hot, text)
    assert (run.hot_functions, run.functions_compiled) == ({"d"}, 1)
    assert run.code == compiled(tmp_path, Objects(), 0, hot, text).code != plain.code


def counting(name: str, rules: list[int], n_ops: int) -> ir.Function:
    ops: list[ir.Op] = [*(ir.Count(rule, 0) for rule in rules), *(ir.SiteMark(0) for _ in range(n_ops - len(rules) - 1))]
    return ir.Function(name, blocks=[ir.Block([*ops, ir.ReturnAction(ir.Action.OK, 0)])])


def test_hot_functions_are_those_of_the_hottest_rules_that_fit() -> None:
    functions = [counting("a", [0, 1], 10), counting("b", [2], 60), counting("c", [3], 20), counting("d", [4], 5)]
    module = ir.Module("p", functions={function.name: function for function in functions})
    assert hot_functions(module, [1, 3, 99], 100) == {"a", "c"}
    assert hot_functions(module, [2, 0, 1, 3, 4], 75) == {"b", "a", "d"}        # c is too long after b and a
    assert hot_functions(module, [2], 59) == hot_functions(module, [], 100) == frozenset()
