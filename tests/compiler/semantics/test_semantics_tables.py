"""The checker follows its tables: operators, comparisons, forms of assignment, and the hooks in which each
variable is legal."""

from __future__ import annotations

import itertools

import pytest
from semantics_helpers import assert_as_written, check, policy

from vernis.semantics.types import ASSIGNMENTS, COMPARISONS, NEGATIVE, OPERATORS, ORDER, TO_BOOL, TO_STRING, Type
from vernis.semantics.vocabulary import HOOKS, VERSIONS, FunctionRow, VariableRow, hook_names, load_vocabulary

FINDINGS_MAX = 180      # a run keeps 200 findings

IMPORTS = "import std; import blob; import vtc; acl local { \"192.0.2.1\"; } probe alive { } " \
          "backend other { .host = \"192.0.2.1\"; .probe = alive; }\n"

# An expression of each type that has this type in every context, legal in vcl_hit.
VALUES: dict[Type, str] = {
    Type.STRING: "req.url",
    Type.INT: "req.restarts",
    Type.REAL: 'std.real("1", 1.0)',
    Type.DURATION: "req.ttl",
    Type.TIME: "req.time",
    Type.BYTES: "storage.s0.free_space",
    Type.BOOL: "req.is_hitpass",
    Type.IP: "client.ip",
    Type.BACKEND: "req.backend_hint",
    Type.ACL: "local",
    Type.PROBE: "alive",
    Type.STEVEDORE: "req.storage",
    Type.BLOB: "req.hash",
}


def hit(statement: str) -> list[str]:
    uses = "if (client.ip ~ local) { set req.backend_hint = other; }"
    return check(policy(f"{IMPORTS}sub vcl_hit {{ {uses} {statement} }}")).codes


def assert_lines(head: str, hook: str, statements: list[tuple[str, str]]) -> None:
    """Each statement of a hook gives its code; an empty code means no finding. One policy holds all
    statements, to save runs."""
    lines = [f"{text} ### {code}" if code else text for text, code in statements]
    text = policy("\n".join([head, f"sub {hook} {{", *lines, "}"]))
    assert_as_written(text, check(text))


def assert_in_hit(statements: list[tuple[str, str]]) -> None:
    use = ("if (client.ip ~ local) { set req.backend_hint = other; }", "")
    assert_lines(IMPORTS, "vcl_hit", [use, *statements])


def assert_in_hooks(head: str, statements: dict[str, list[tuple[str, str]]], version: str = "4.1") -> None:
    """The same for several hooks of one policy."""
    subs = []
    for hook, rows in statements.items():
        subs += [f"sub {hook} {{", *(f"{text} ### {code}" if code else text for text, code in rows), "}"]
    text = policy("\n".join([head, *subs]), version)
    assert_as_written(text, check(text))


def test_every_type_has_a_value_in_this_file() -> None:
    assert hit("") == []
    for type_ in OPERATORS:
        assert {type_[0], type_[2]} <= set(VALUES)


# For each type, a statement that accepts this type and no type that converts to it.
ACCEPTING = {
    Type.INT: "std.syslog({}, \"x\")", Type.REAL: 'set req.http.X = std.round({})', Type.DURATION: "set req.ttl = {}",
    Type.TIME: 'set req.http.X = std.strftime({}, "%y")', Type.BYTES: "std.cache_req_body({})",
}


@pytest.mark.parametrize(("left", "op", "right"), OPERATORS)
def test_operator_row(left: Type, op: str, right: Type) -> None:
    """The result of each row has the row's type: a statement for that type accepts it, one for another type
    does not."""
    result = OPERATORS[left, op, right]
    expression = f"{VALUES[left]} {op} {VALUES[right]}"
    assert hit(ACCEPTING[result].format(expression) + ";") == []
    wrong = Type.DURATION if result is not Type.DURATION else Type.INT
    assert hit(ACCEPTING[wrong].format(expression) + ";") == ["V301"]


def test_pairs_without_a_row_are_errors() -> None:
    pairs = [(left, op, right) for left, op, right in itertools.product(VALUES, ("+", "-", "*", "/", "%"), VALUES)
             if (left, op, right) not in OPERATORS and not (op == "+" and left is Type.STRING)]
    assert len(pairs) > 700
    for start in range(0, len(pairs), FINDINGS_MAX):
        assert_in_hit([(f"if ({VALUES[left]} {op} {VALUES[right]}) {{ }}", "V303")
                       for left, op, right in pairs[start:start + FINDINGS_MAX]])


@pytest.mark.parametrize("type_", VALUES)
def test_comparison_rows(type_: Type) -> None:
    for op in ORDER:
        wanted = [] if op in COMPARISONS.get(type_, ()) else ["V304"]
        assert hit(f"if ({VALUES[type_]} {op} {VALUES[type_]}) {{ return (pass); }}") == wanted, op


def test_different_types_do_not_compare() -> None:
    assert_in_hit([(f"if ({VALUES[left]} == {VALUES[right]}) {{ }}", "V304")
                   for left, right in itertools.permutations(VALUES, 2)])


@pytest.mark.parametrize("type_", VALUES)
def test_conversions_to_text_and_to_conditions(type_: Type) -> None:
    assert hit(f"std.log({VALUES[type_]});") == ([] if type_ in TO_STRING else ["V301"])
    assert hit(f"if ({VALUES[type_]}) {{ return (pass); }}") == ([] if type_ in TO_BOOL else ["V301"])


@pytest.mark.parametrize("type_", VALUES)
def test_types_that_can_be_negated(type_: Type) -> None:
    assert hit(f"std.log(-{VALUES[type_]});") == ([] if type_ in NEGATIVE else ["V309"])


SETTABLE = {Type.INT: ("vcl_deliver", "resp.status"), Type.DURATION: ("vcl_backend_response", "beresp.ttl"),
            Type.STRING: ("vcl_deliver", "resp.reason"), Type.HEADER: ("vcl_deliver", "resp.http.X"),
            Type.BODY: ("vcl_synth", "resp.body"), Type.BOOL: ("vcl_deliver", "resp.do_esi"),
            Type.BACKEND: ("vcl_backend_fetch", "bereq.backend"), Type.STEVEDORE: ("vcl_backend_response", "beresp.storage")}
ANYWHERE = {Type.INT: "2", Type.REAL: "1.5", Type.DURATION: "1s", Type.STRING: '"x"'}


@pytest.mark.parametrize("type_", SETTABLE)
@pytest.mark.parametrize("op", ["+=", "-=", "*=", "/="])
def test_assignment_forms(type_: Type, op: str) -> None:
    hook, name = SETTABLE[type_]
    row = ASSIGNMENTS.get((type_, op))
    value = ANYWHERE.get(row or Type.STRING, '"x"')
    assert check(policy(f"sub {hook} {{ set {name} {op} {value}; }}")).codes == ([] if row else ["V320"])


# ---- variables ---------------------------------------------------------------------------------------------

VOCABULARY = load_vocabulary()
SET_TO = {Type.STRING: '"x"', Type.HEADER: '"x"', Type.INT: "200", Type.DURATION: "5s", Type.BOOL: "true",
          Type.BACKEND: "origin", Type.STEVEDORE: "storage.s0", Type.BODY: '"x"', Type.TIME: "now", Type.BLOB: ":YQ==:",
          Type.IP: "client.ip", Type.BYTES: "5KB", Type.HTTP: "req"}


def concrete(row: VariableRow) -> str:
    return row.name.replace("http.*", "http.X").replace("storage.*", "storage.s0")


def statement(row: VariableRow, use: str) -> str:
    name = concrete(row)
    if use == "set":
        return f"set {name} = {SET_TO[row.type]};"
    if use == "unset":
        return f"unset {name};"
    return f"std.rollback({name});" if row.type is Type.HTTP else f'std.log("" + {name});'


def legality(row: VariableRow, hook: str) -> list[tuple[str, str]]:
    """Read, set and unset of a variable in a hook, each with the code that the variable's row implies."""
    uses = []
    for use, code, mask in (("read", "V401", row.read), ("set", "V402", row.set), ("unset", "V403", row.unset)):
        rolls_back = row.type is Type.HTTP and use == "read" and hook in ("vcl_init", "vcl_fini")
        uses.append((statement(row, use), "" if hook in hook_names(mask) else "V401 ### V404" if rolls_back else code))
    return uses


@pytest.mark.parametrize("row", VOCABULARY.variables, ids=lambda row: f"{row.name}-{row.versions[0][1]}")
def test_a_variable_is_legal_in_the_hooks_of_its_row(row: VariableRow) -> None:
    """Also that it is an error in every other hook, for every use."""
    assert_in_hooks("import std;", {hook: legality(row, hook) for hook in HOOKS}, ".".join(map(str, row.versions[1])))


@pytest.mark.parametrize("row", [row for row in VOCABULARY.variables if row.versions[0] == row.versions[1]],
                         ids=lambda row: f"{row.name}-{row.versions[0][1]}")
def test_variable_of_one_version(row: VariableRow) -> None:
    other = next(version for version in VERSIONS if version != row.versions[0])
    both = any(item is not row and item.name == row.name for item in VOCABULARY.variables)
    use = "read" if row.read else "set"
    hook = hook_names(row.read or row.set)[0]
    text = policy(f"import std; sub {hook} {{ {statement(row, use)} }}", ".".join(map(str, other)))
    assert check(text).codes == ([] if both else ["V311"])


@pytest.mark.parametrize("action", VOCABULARY.actions)
def test_an_action_is_legal_in_the_hooks_of_its_row(action: str) -> None:
    form = {"synth": "synth(404)", "vcl": "vcl(other)"}.get(action, action)
    assert_in_hooks("", {hook: [(f"return ({form});", "" if action in VOCABULARY.hooks[hook].actions else "V405")]
                         for hook in HOOKS})


def every_function() -> list[tuple[str, FunctionRow]]:
    """Functions that need no argument that only some hooks have."""
    return [(module.name, function) for module in VOCABULARY.modules.values() for function in module.functions.values()
            if not any(param.type in (Type.HEADER, Type.HTTP, Type.IP) for param in function.params)]


ARGUMENTS = SET_TO | {Type.STRANDS: '"x"', Type.REAL: "1.0", Type.REGEX: '"x"', Type.INT: "1"}


@pytest.mark.parametrize(("module", "function"), every_function(), ids=lambda item: getattr(item, "name", item))
def test_a_module_function_is_legal_in_the_hooks_of_its_row(module: str, function: FunctionRow) -> None:
    """Each required parameter gets a constant of its type, because constants are legal everywhere."""
    arguments = ARGUMENTS | ({Type.STRING: '"obj.status == 200"'} if function.name == "ban" else {})   # others get V325
    given = [("" if param.unnamed else f"{param.name} = ") + (param.values[0] if param.type is Type.ENUM else arguments[param.type])
             for param in function.params if not param.has_default and not param.optional]
    call = f"{module}.{function.name}({', '.join(given)});"
    legal = hook_names(function.where)
    assert_in_hooks(f"import {module};", {hook: [(call, "" if hook in legal else "V404")] for hook in HOOKS})
