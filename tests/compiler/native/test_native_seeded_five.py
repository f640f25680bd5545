"""The comparison of random policies of vcl 5.0 with a model finds mistakes of the lowering and of the checker: each one seeded into
the compiler's own text is found within a few hundred policies."""

from __future__ import annotations

import __future__
import importlib
import inspect
import random
import textwrap
from dataclasses import dataclass

import pytest

from five_run import lowered, wrong
from language_run import Runner
from random_five import random_five
from vernis.ir.verify import check_module

POLICIES = 800          # made when needed; most mistakes need few


@dataclass(slots=True, frozen=True)
class Mistake:
    """Puts ``new`` in place of ``old`` in a function of the compiler, such as ``ir.lower_five:Locals.let``."""

    where: str
    old: str
    new: str


#: Mistakes that give another result.
RESULTS = {
    "branches of ?? swapped": Mistake("ir.lower_five:Locals._coalesce", "there, next_)\n", "next_, there)\n"),
    "first operand of ?? skipped": Mistake("ir.lower_five:Locals._coalesce", "expr.operands[:-1]:", "expr.operands[1:-1]:"),
    "default of ?? is its first operand": Mistake("ir.lower_five:Locals._coalesce", "self.pair(expr.operands[-1])", "self.pair(expr.operands[0])"),
    "default of ?? taken always": Mistake("ir.lower_five:Locals._coalesce", "(None, pair[1])", "self.pair(expr.operands[-1])"),
    "absent text is there": Mistake("ir.lower_five:Locals._is_there", "code.convert(Type.BOOL, pair[1])", "code.const(Type.BOOL, True)"),
    "presence swapped": Mistake("ir.lower_five:Locals._is_there", "code.convert(Type.BOOL, pair[1])",
                                "code.negate(code.convert(Type.BOOL, pair[1]))"),
    "arguments of the first call": Mistake("ir.lower_five:Locals._expand", "self.let(var, pair)", "self.fixed.setdefault(var.number, pair)"),
    "arguments turned round": Mistake("ir.lower_five:Locals._expand", "params, pairs)", "params, pairs[::-1])"),
    "change of a local lost": Mistake("ir.lower:_SubLowering._statement",
                                      "self.values.locals.let(statement.var, self.values.locals.pair(statement.value))",
                                      "if statement.var.number not in self.values.locals.changing:\n                    "
                                      "self.values.locals.let(statement.var, self.values.locals.pair(statement.value))"),
    "loop begins late": Mistake("ir.lower:_SubLowering._for", "in node.items:", "in node.items[1:]:"),
    "loop ends early": Mistake("ir.lower:_SubLowering._for", "in node.items:", "in node.items[:-1]:"),
    "loop runs backwards": Mistake("ir.lower:_SubLowering._for", "in node.items:", "in node.items[::-1]:"),
    "loop has one value": Mistake("ir.lower:_SubLowering._for", "self.values.value(item)", "self.values.value(node.items[0])"),
    "set and unset swapped": Mistake("ir.lower:_SubLowering._set_or_unset", "there, absent)\n", "absent, there)\n"),
    "empty instead of unset": Mistake("ir.lower:_SubLowering._set_or_unset", "code.header_unset(message, name)",
                                      'code.header_set(message, name, code.text(b""))'),
    "arguments of a sub turned round": Mistake("ir.lower:_SubLowering._call_with", "params, pairs)", "params, pairs[::-1])"),
    "return of a sub ends the hook": Mistake("ir.lower:_SubLowering._return", "node.action is None and self.inside", "False"),
    "and is or": Mistake("ir.lower_values:Values.condition", "isinstance(expr, typed.AllOf)", "isinstance(expr, typed.AnyOf)"),
    "arithmetic unchecked": Mistake("ir.lower_values:Values._chain", "chain.checked", "False"),
    "order of absent texts": Mistake("semantics.absence:compared", "[IsSet(side) for side in sides if may_be_absent(side)]", "[]"),
    "test of a match is an alternative": Mistake("semantics.absence:_if_there", "AllOf([", "AnyOf(["),
    "absent text matches an empty pattern": Mistake("semantics.absence:matched", "if not may_be_absent(subject) or not matches_empty:", "if True:"),
    "is set turned round": Mistake("semantics.absence:presence", "return IsSet(operand)", "return Negation(IsSet(operand))"),
    "is empty means absent": Mistake("semantics.absence:presence", 'return Comparison("==", operand, empty, strict=True)',
                                     "return Negation(IsSet(operand))"),
    "wrong group": Mistake("semantics.locals:group", "Literal(Type.INT, number)", "Literal(Type.INT, max(0, number - 1))"),
    "-= is +=": Mistake("semantics.locals:_combined", "(node.op[0],)", '("+",)'),
    "starts is contains": Mistake("semantics.text_sets:pattern_of", "_PATTERNS[op]", '_PATTERNS["contains" if op == "starts" else op]'),
    "in is starts": Mistake("semantics.text_sets:pattern_of", "_PATTERNS[op]", '_PATTERNS["starts" if op == "in" else op]'),
    "last text of a set lost": Mistake("semantics.text_sets:pattern_of", "join(map(_quoted, texts))", "join(map(_quoted, texts[:-1] or texts))"),
    "absent text in a set with an empty one": Mistake("semantics.text_sets:test", 'b"" in items', "False"),
    "first label of a case alone": Mistake("semantics.forms:check_switch", "_any(tests)", "tests[0]"),
    "cases turned round": Mistake("semantics.forms:_label", '"=="', '"!="'),
}

def seed(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiles the function anew with the mistake, for the length of a test."""
    module_name, _, path = mistake.where.partition(":")
    module = importlib.import_module(f"vernis.{module_name}")
    owner: object = module
    *owners, name = path.split(".")
    for part in owners:
        owner = getattr(owner, part)
    text = textwrap.dedent(inspect.getsource(getattr(owner, name)))
    assert mistake.old in text, f"{mistake.where} has no {mistake.old!r}"
    made: dict[str, object] = {}
    code = compile(text.replace(mistake.old, mistake.new), mistake.where, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)
    exec(code, vars(module), made)
    monkeypatch.setattr(owner, name, made[name])


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("seeded"))


@pytest.mark.parametrize("name", RESULTS)
def test_a_wrong_result_is_found(name: str, runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    seed(RESULTS[name], monkeypatch)
    for number in range(POLICIES):
        rng = random.Random(number)
        policy = random_five(rng)
        try:
            module = lowered(runner, policy)
            if module is None:
                continue
            check_module(module)
            found = wrong(module, policy, rng)
        except Exception as error:      # values that are not there: the checks of the IR and of the interpreter find them
            found = str(error)
        if found:
            return
    pytest.fail(f"not found in {POLICIES} policies")
