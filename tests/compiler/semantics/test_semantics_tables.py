"""The tables are what the checker does: operators, comparisons, assignment forms, and where each variable is legal."""

from __future__ import annotations

import itertools

import pytest
from semantics_helpers import check, policy

from vernis.semantics.types import ASSIGNMENTS, COMPARISONS, NEGATIVE, OPERATORS, ORDER, TO_BOOL, TO_STRING, Type
from vernis.semantics.vocabulary import HOOKS, VERSIONS, FunctionRow, VariableRow, hook_names, load_vocabulary

IMPORTS = "import std; import blob; import vtc; acl local { \"192.0.2.1\"; } probe alive { } " \
          "backend other { .host = \"192.0.2.1\"; .probe = alive; }\n"

# An expression of each type that takes its type from nothing around it, legal in vcl_hit.
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


def test_every_type_has_a_value_here() -> None:
    assert hit("") == []
    for type_ in OPERATORS:
        assert {type_[0], type_[2]} <= set(VALUES)


# A set of each type, which takes that type and nothing that converts to it.
TAKERS = {
    Type.INT: "std.syslog({}, \"x\")", Type.REAL: 'set req.http.X = std.round({})', Type.DURATION: "set req.ttl = {}",
    Type.TIME: 'set req.http.X = std.strftime({}, "%y")', Type.BYTES: "std.cache_req_body({})",
}


@pytest.mark.parametrize(("left", "op", "right"), OPERATORS)
def test_operator_row(left: Type, op: str, right: Type) -> None:
    """Each row gives the type it says: what takes that type takes it, and another refuses it."""
    result = OPERATORS[left, op, right]
    expression = f"{VALUES[left]} {op} {VALUES[right]}"
    assert hit(TAKERS[result].format(expression) + ";") == []
    wrong = Type.DURATION if result is not Type.DURATION else Type.INT
    assert hit(TAKERS[wrong].format(expression) + ";") == ["V301"]


def test_pairs_without_a_row_are_refused() -> None:
    for left, op, right in itertools.product(VALUES, ("+", "-", "*", "/", "%"), VALUES):
        if (left, op, right) in OPERATORS or op == "+" and left is Type.STRING:
            continue
        assert hit(f"if ({VALUES[left]} {op} {VALUES[right]}) {{ return (pass); }}") == ["V303"], (left, op, right)


@pytest.mark.parametrize("type_", VALUES)
def test_comparison_rows(type_: Type) -> None:
    for op in ORDER:
        wanted = [] if op in COMPARISONS.get(type_, ()) else ["V304"]
        assert hit(f"if ({VALUES[type_]} {op} {VALUES[type_]}) {{ return (pass); }}") == wanted, op


def test_different_types_do_not_compare() -> None:
    for left, right in itertools.permutations(VALUES, 2):
        if left in COMPARISONS:
            assert hit(f"if ({VALUES[left]} == {VALUES[right]}) {{ return (pass); }}") == ["V304"], (left, right)


@pytest.mark.parametrize("type_", VALUES)
def test_what_becomes_text_and_what_becomes_a_condition(type_: Type) -> None:
    assert hit(f"std.log({VALUES[type_]});") == ([] if type_ in TO_STRING else ["V301"])
    assert hit(f"if ({VALUES[type_]}) {{ return (pass); }}") == ([] if type_ in TO_BOOL else ["V301"])


@pytest.mark.parametrize("type_", VALUES)
def test_what_has_a_negative(type_: Type) -> None:
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


# ---- variables ---------------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("row", VOCABULARY.variables, ids=lambda row: f"{row.name}-{row.versions[0][1]}")
def test_variable_is_legal_where_its_row_says(row: VariableRow) -> None:
    """In every hook and for every use, both ways."""
    version = ".".join(map(str, row.versions[1]))
    for use, code in (("read", "V401"), ("set", "V402"), ("unset", "V403")):
        mask: int = {"read": row.read, "set": row.set, "unset": row.unset}[use]
        if row.type is Type.BODY and use == "read":
            mask = 0
        for hook in HOOKS:
            rollback_only = row.type is Type.HTTP and use == "read" and hook in ("vcl_init", "vcl_fini")
            wanted = [] if hook in hook_names(mask) else ["V404"] if rollback_only else [code]
            text = policy(f"import std; sub {hook} {{ {statement(row, use)} }}", version)
            assert check(text).codes == wanted, (hook, use)


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
def test_action_is_legal_where_its_row_says(action: str) -> None:
    form = {"synth": "synth(404)", "vcl": "vcl(other)"}.get(action, action)
    for hook in HOOKS:
        wanted = [] if action in VOCABULARY.hooks[hook].actions else ["V405"]
        assert check(policy(f"sub {hook} {{ return ({form}); }}")).codes == wanted, hook


def every_function() -> list[tuple[str, FunctionRow]]:
    return [(module.name, function) for module in VOCABULARY.modules.values() for function in module.functions.values()]


ARGUMENTS = SET_TO | {Type.STRANDS: '"x"', Type.REAL: "1.0", Type.REGEX: '"x"', Type.INT: "1"}


@pytest.mark.parametrize(("module", "function"), every_function(), ids=lambda item: getattr(item, "name", item))
def test_module_function_is_legal_where_its_row_says(module: str, function: FunctionRow) -> None:
    """With an argument of its type for each parameter that must be given; constants only, which are legal everywhere."""
    if any(param.type in (Type.HEADER, Type.HTTP, Type.IP) for param in function.params):
        pytest.skip("takes what exists in some hooks only")
    given = [f"{param.name} = " + (param.values[0] if param.type is Type.ENUM else ARGUMENTS[param.type])
             for param in function.params if not param.has_default and not param.optional]
    for hook in HOOKS:
        text = policy(f"import {module}; sub {hook} {{ {module}.{function.name}({', '.join(given)}); }}")
        assert check(text).codes == ([] if hook in hook_names(function.where) else ["V404"]), hook
