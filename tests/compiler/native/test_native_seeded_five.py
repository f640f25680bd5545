"""The tests of vcl 5.0 find mistakes of the lowering and of the checker: each one is seeded into the compiler's own text. The random
policies find those of RESULTS within a few hundred policies, a case of cases_five.py finds those of CASED."""

from __future__ import annotations

import __future__
import importlib
import inspect
import random
import textwrap
from dataclasses import dataclass

import pytest

from cases_five import CASES
from five_run import lowered, wrong
from language_run import Runner
from random_five import random_five
from support.reference.verify import check_module

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
    "set and unset swapped": Mistake("ir.lower:_SubLowering._set_or_unset", "there, absent)\n", "absent, there)\n"),
    "empty instead of unset": Mistake("ir.lower:_SubLowering._set_or_unset", "code.header_unset(message, name)",
                                      'code.header_set(message, name, code.text(b""))'),
    "arguments of a sub turned round": Mistake("ir.lower:_SubLowering._call_with", "params, pairs)", "params, pairs[::-1])"),
    "return of a sub ends the hook": Mistake("ir.lower:_SubLowering._return", "node.action is None and self.inside", "False"),
    "and is or": Mistake("ir.lower_values:Values.condition", "isinstance(expr, typed.AllOf)", "isinstance(expr, typed.AnyOf)"),
    "test of a match is an alternative": Mistake("semantics.absence:_if_there", "AllOf([", "AnyOf(["),
    "absent text matches an empty pattern": Mistake("semantics.absence:matched", "if not may_be_absent(subject) or not matches_empty:", "if True:"),
    "is set turned round": Mistake("semantics.absence:presence", "return IsSet(operand)", "return Negation(IsSet(operand))"),
    "is empty means absent": Mistake("semantics.absence:presence", 'return Comparison("==", operand, empty, strict=True)',
                                     "return Negation(IsSet(operand))"),
    "wrong group": Mistake("semantics.locals:group", "Literal(Type.INT, number)", "Literal(Type.INT, max(0, number - 1))"),
    "starts is contains": Mistake("semantics.text_sets:pattern_of", "_PATTERNS[op]", '_PATTERNS["contains" if op == "starts" else op]'),
    "in is starts": Mistake("semantics.text_sets:pattern_of", "_PATTERNS[op]", '_PATTERNS["starts" if op == "in" else op]'),
    "last text of a set lost": Mistake("semantics.text_sets:pattern_of", "join(map(_quoted, texts))", "join(map(_quoted, texts[:-1] or texts))"),
    "absent text in a set with an empty one": Mistake("semantics.text_sets:test", 'b"" in items', "False"),
    "first label of a case alone": Mistake("semantics.forms:check_switch", "_any(tests)", "tests[0]"),
    "cases turned round": Mistake("semantics.forms:_label", '"=="', '"!="'),
}

#: Mistakes that a case finds: its name, and the mistake.
CASED = {
    "keep removes": ("query keeps", Mistake("semantics.views:check_edit", 'edit == "keep"', 'edit != "keep"')),
    "only the first name of an edit": ("query removes two", Mistake("semantics.views:check_edit", 'b"\\0".join(patterns)', "patterns[0]")),
    "empty header stays": ("cookie of which nothing is left", Mistake("semantics.views:_changed", "may_unset=is_field",
                                                                    "may_unset=False")),
    "edit leaves the header known": ("cookie that may be gone", Mistake("semantics.views:_changed", "cx.frame.forget(absence.key_of(target))",
                                                                      "pass")),
    "name of a part lost": ("part of a query", Mistake("semantics.views:_part", "[whole, *args]", "[whole, *([whole] * len(args))]")),
    "parts are always there": ("part that may be absent", Mistake("semantics.absence:may_be_absent", "expr.function.absent or lifted", "lifted")),
    "first row is no row": ("number of the first row", Mistake("ir.lower_five:Locals._row", '">="', '">"')),
    "rows are always there": ("row that may be absent", Mistake("semantics.absence:may_be_absent", "expr.default is None", "False")),
    "row and default swapped": ("default of a table", Mistake("ir.lower_five:Locals._row", "there, missing)", "missing, there)")),
    "default of a table lost": ("default of a table", Mistake("semantics.tables:_look_up", "if table.has_default else", "if False else")),
    "mask of a key lost": ("longest network", Mistake("semantics.tables:_key", "bytes([bits])", "bytes([width])")),
    "absent address has the first row": ("network of an absent address",
                                         Mistake("ir.lower_five:Locals._look_up_if", "Type.INT, -1", "Type.INT, 0")),
    "backend of a row off by one": ("backend of a row", Mistake("semantics.tables:_check_row", "value.index if", "value.index - 1 if")),
    "signs of a text are those of a pattern": ("set with signs", Mistake("semantics.text_sets:_quoted", "if byte in _SPECIAL", "if False")),
    "text at the end alone": ("set at the end", Mistake("semantics.text_sets:pattern_of", "sorted(set(items), key=lambda item: (-len(item), item))",
                                                      "sorted(set(items), key=lambda item: (len(item), item))[:1]")),
    "all labels of a case": ("second label", Mistake("semantics.forms:_any", "AnyOf(tests)", "AllOf(tests)")),
    "value of a switch bound late": ("second case", Mistake("semantics.forms:check_switch", "bindings and not arms", "bindings and arms")),
    "switch without default always runs a case": ("switch without default", Mistake("semantics.forms:check_switch", "facts.end(is_complete)",
                                                                                  "facts.end(True)")),
    "facts at the start of a loop": ("value that the loop takes away",
                                     Mistake("semantics.forms:check_for", "cx.frame.forget_changeable()", "pass")),
    "last key of a table lost": ("loop over a table", Mistake("semantics.forms:_items", "in symbol.node.rows if", "in symbol.node.rows[:-1] if")),
    "loop runs backwards": ("loop in order", Mistake("ir.lower:_SubLowering._for", "in node.items:", "in node.items[::-1]:")),
    "loop has one value": ("loop in order", Mistake("ir.lower:_SubLowering._for", "self.values.value(item)", "self.values.value(node.items[0])")),
    "arithmetic unchecked": ("sum that overflows", Mistake("ir.lower_values:Values._chain", "chain.checked", "False")),
    "order of absent texts": ("absent text before another", Mistake("semantics.absence:compared",
                                                                  "[IsSet(side) for side in sides if may_be_absent(side)]", "[]")),
    "-= is +=": ("minus in place", Mistake("semantics.locals:_combined", "(node.op[0],)", '("+",)')),
    "groups of the changed local": ("group of a changed local", Mistake("semantics.locals:capture", " or matches.subject.var.mutable", "")),
    "all groups are there": ("group that may be missing", Mistake("semantics.locals:groups_always_set", "args[0] > 0", "True")),
    "match known where it failed": ("match that failed", Mistake("semantics.absence:facts", "return yes | expr.proves, no",
                                                               "return yes | expr.proves, no | expr.proves")),
    "sum unchecked": ("sum that overflows", Mistake("semantics.expressions:_step", "[], cx.five)", "[], False)")),
    "minus unchecked": ("smallest number turned round",
                        Mistake("semantics.expressions:_minus", "operand.type)], cx.five)", "operand.type)], False)")),
    "number is there if its text is": ("default of a number",
                                       Mistake("ir.lower_five:Locals._optional_call", "{extern.symbol}_is", "text_length_is")),
    "not changes no facts": ("not", Mistake("semantics.absence:facts", "return no, yes", "return yes, no")),
    "one of two is enough": ("one of two", Mistake("semantics.absence:facts", "return _common(yes for yes", "return _union(yes for yes")),
    "neither is one of two": ("neither of two", Mistake("semantics.absence:facts", "parts), _common(no", "parts), _union(no")),
    "else knows the condition": ("else", Mistake("semantics.forms:Arms.body", "otherwise = frame.known | no", "otherwise = frame.known | yes")),
    "an if always runs": ("behind an if", Mistake("semantics.forms:Arms.end", "if not is_complete:", "if False:")),
    "unset header is known": ("unset", Mistake("semantics.statements:_check_unset", "cx.frame.forget(absence.key_of(target[0]))", "pass")),
    "changed local is known": ("changed local", Mistake("semantics.locals:check_set", "cx.frame.forget(var.key)", "pass")),
    "sub with arguments changes nothing": ("sub with arguments", Mistake("semantics.forms:call_with", "changes.call(cx, node.name.text.lower())", "pass")),
    "sub changes nothing": ("sub", Mistake("semantics.statements:_check_call_sub", "changes.call(cx, key)", "pass")),
    "subs of a sub change nothing": ("sub of a sub", Mistake("semantics.changes:_changed_by", "left.append(node.name.text.lower())", "pass")),
    "edits of parts change nothing": ("sub with an edit", Mistake("semantics.changes:_of_call", "if view is not None", "if False")),
    "parameters bound one by one": ("function in its own arguments", Mistake(
        "ir.lower_five:Locals._expand", "pairs = [self.pair(arg) for arg in expr.args]", "pairs = map(self.pair, expr.args)")),
    "names of arguments ignored": ("arguments by name", Mistake(
        "semantics.forms:_given", "*(by_name[param.name] for param in params[len(placed) :])", "*by_name.values()")),
    "absent result is there": ("absent number of a function", Mistake("ir.lower:_SubLowering._give", "if there is None else there", "")),
    "a return runs on": ("return in the middle of a function",
                         Mistake("ir.lower:_SubLowering._give", "code.jump(inside.behind)\n    self.open = False", "pass")),
    "last word of allow alone": ("two words of allow", Mistake("semantics.safety:check_allow", "mask |=", "mask =")),
    "allow for all": ("allow is needed", Mistake("semantics.safety:skipped", "_allowed(cx, word), leave", "Literal(Type.BOOL, True), leave")),
    "one word of allow for all": ("the other word of allow", Mistake("semantics.safety:_bit", "cx.scope.vocabulary.safety.index(word)", "0")),
    "checks before another action": ("allow is needed", Mistake("semantics.safety:before_return", "action == node.action.text and cx.reach == bit",
                                                              "action != node.action.text and cx.reach == bit")),
    "checks of uncacheable responses alone": ("response with Set-Cookie", Mistake("semantics.safety:_unless_uncacheable",
                                                                                "Negation(Variable(Type.BOOL, row))", "Variable(Type.BOOL, row)")),
    "second check lost": ("response that is private", Mistake("semantics.safety:before_return", "CallSub(node.at, step) for step in steps",
                                                            "CallSub(node.at, step) for step in steps[:1]")),
    "the cheaper way counts": ("the dearer way counts", Mistake("ir.costs:_worst", "max(c.headers", "min(c.headers")),
    "a loop costs one round": ("a loop counts each round", Mistake("ir.costs:_plus", "a.headers + b.headers", "max(a.headers, b.headers)")),
    "calls cost nothing": ("a sub counts where it is called", Mistake("ir.costs:_block", "isinstance(op, ir.CallSub)", "False")),
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


def test_there_are_sixty() -> None:
    assert len(RESULTS) + len(CASED) >= 60


@pytest.mark.parametrize("name", CASES)
def test_a_case_holds(name: str) -> None:
    assert CASES[name].found() == CASES[name].wanted


@pytest.mark.parametrize("name", CASED)
def test_a_case_finds_a_wrong_result(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case, mistake = CASED[name]
    seed(mistake, monkeypatch)
    try:
        found = CASES[case].found()
    except Exception:                   # values that are not there: the checks of the IR and of the interpreter find them
        return
    assert found != CASES[case].wanted


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
