"""Counts the parts of the language that policies use: rules and tokens of the grammar, rows of the operator
table, rows of the vocabulary. Those of 4.x and those of 5.0 have counts of their own."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from functools import cache
from pathlib import Path

from vernis.record import fields
from vernis.semantics import typed
from vernis.semantics.constants import VALUE_TYPES
from vernis.semantics.tables import KINDS
from vernis.semantics.types import ASSIGNMENTS, COMPARISONS, OPERATORS, TO_STRING, Type
from vernis.semantics.vocabulary import hook_names, load_vocabulary
from vernis.syntax.driver import CHAIN, EMIT, RULE_FLAGS, Recovery
from vernis.syntax.engine import default_engine
from vernis.syntax.generated.token_types import RULE_NAMES, T

_GRAMMAR = Path(__file__).resolve().parents[3] / "grammar/VclParser.g4"
TOKEN_NAMES = {value: name for name, value in vars(T).items() if isinstance(value, int)}

MINIMUM = 50

#: Alternatives of rules that no rule and no token identifies; a sequence of tokens does.
ALTERNATIVES = {
    "field that is a block": "DOT IDENTIFIER ASSIGN LBRACE", "strings side by side": "STRING (LONG_|TRIPLE_)?STRING",
    "import with another name": "AS IDENTIFIER SEMI", "import from a place": "FROM STRING", "acl flag +": "PLUS IDENTIFIER LBRACE",
    "acl flag -": "MINUS IDENTIFIER LBRACE", "acl entry with bits": "STRING SLASH NUMBER",
        "acl entry in parentheses": "(LBRACE|SEMI) LPAREN STRING",
    "negated in parentheses": "LPAREN NOT STRING", "negated before parentheses": "SEMI NOT LPAREN STRING", "return alone": "RETURN SEMI",
    "action alone": "RETURN LPAREN IDENTIFIER RPAREN", "action with arguments": "RETURN LPAREN IDENTIFIER LPAREN",
    "else if": "ELSE IF", "else": "ELSE LBRACE", "member of parentheses": "RPAREN DOT IDENTIFIER",
        "argument by name": "(LPAREN|COMMA) IDENTIFIER ASSIGN",
    "several arguments": "COMMA", "no arguments": "LPAREN RPAREN", "number with a unit": "NUMBER IDENTIFIER",
        "number alone": "NUMBER (SEMI|RPAREN|COMMA)",
    "quoted part of a name": "DOT STRING", "minus before a value": "(LPAREN|ASSIGN) MINUS",
        "block in a block": "(LBRACE|SEMI|RBRACE) LBRACE"}

ALTERNATIVES_OF_FIVE = {
    "type of a local": "LET (MUT )?IDENTIFIER COLON", "optional type": "IDENTIFIER QUESTION", "type of a constant": "CONST IDENTIFIER COLON",
    "constant without type": "CONST IDENTIFIER ASSIGN", "several labels of a case": "CASE (MATCH )?(STRING|NUMBER|IDENTIFIER)( IDENTIFIER)? COMMA",
    "pattern as a label": "(CASE|COMMA) MATCH", "default of a switch": "DEFAULT COLON", "default of a table": "DEFAULT MAPS_TO",
    "key with bits": "STRING SLASH NUMBER MAPS_TO", "last comma of rows": "COMMA RBRACKET SEMI", "last comma of a list": "COMMA RBRACKET RPAREN",
    "group by number": "LBRACKET NUMBER RBRACKET", "part by name": "LBRACKET STRING RBRACKET",
    "method of parentheses": "RPAREN DOT IDENTIFIER LPAREN", "annotation alone": "AT IDENTIFIER SUB",
    "annotation with arguments": "AT IDENTIFIER LPAREN", "sub without parameters": "PROCEDURE IDENTIFIER LPAREN RPAREN",
    "call without arguments": "CALL IDENTIFIER LPAREN RPAREN", "counter alone": "COUNTER IDENTIFIER SEMI",
    "counter with labels": "COUNTER IDENTIFIER BY", "loop over a name": "FOR LPAREN IDENTIFIER IN IDENTIFIER",
    "loop over a list": "FOR LPAREN IDENTIFIER IN LBRACKET", "set with a name": "(IN|STARTS|ENDS|CONTAINS) IDENTIFIER",
    "set as a list": "(IN|STARTS|ENDS|CONTAINS) LBRACKET", "set of one text": "(IN|STARTS|ENDS|CONTAINS) (LONG_|TRIPLE_)?STRING",
    "two defaults": "COALESCE ((IDENTIFIER|DOT|STRING) )+COALESCE"}

#: Rules and tokens that files of 4.x do not have.
RULES_OF_FIVE = frozenset(
    "constant typed typeName function parameters parameter textSet tableDeclaration tableKind columns rows row rowKey defaultWord counter "
    "budget budgetEntry caching annotation letStatement mut binding giveStatement switchStatement switchCase caseLabel matching forStatement "
    "countStatement logStatement logPair allowStatement builtinStatement invariant labelled capture presence subscript listLiteral".split())
TOKENS_OF_FIVE = frozenset(
    "PROCEDURE TEXT_SET CONST PARAM FN TABLE COUNTER BUDGET LET SWITCH CASE FOR COUNT LOG ALLOW BUILTIN INVARIANT GIVE CACHING MUT BY COLUMNS DEFAULT "
    "IS_NOT IN STARTS ENDS CONTAINS IS COLON QUESTION AT ARROW MAPS_TO COALESCE LBRACKET RBRACKET".split())


@cache
def wanted(five: bool = False) -> tuple[str, ...]:
    """Names of everything that is counted in policies of 4.x, or of 5.0."""
    vocabulary = load_vocabulary()
    of_five = list(vocabulary.variables_of((5, 0)).values())
    found = [f"operator {a.value} {op} {b.value}" for a, op, b in OPERATORS]
    found += [f"comparison {type.value} {op}" for type, ops in COMPARISONS.items() for op in ops]
    found += [f"assignment {type.value} {op}" for type, op in ASSIGNMENTS]
    found += [f"assignment {type.value} =" for type in {row.type: None for row in vocabulary.variables if row.set} if type is not Type.BODY]
    found += ["match", "match acl", "not", "and", "or", "join"]
    found += [f"node {name}" for name in ("Assign", "Remove", "CallSub", "CallValue", "Return", "If", "Make", "Evaluate")]
    for row in of_five if five else vocabulary.variables:
        versions = f"{row.versions[0][1]}-{row.versions[1][1]}"
        found += [f"{verb} {row.name} {versions} in {hook}" for verb, mask in (("read", row.read), ("set", row.set), ("unset", row.unset))
                  for hook in hook_names(mask)]
    found += [f"return {action} in {hook.name}" for hook in vocabulary.hooks.values() for action in hook.actions]
    methods = vocabulary.methods_five if five else vocabulary.methods
    found += [f"function {name}" for name in vocabulary.functions] + [f"method {t.value}.{name}" for t, name in methods]
    for module in vocabulary.modules.values():
        found += [f"module {module.name}.{name}" for name in module.functions]
        for made in module.objects.values():
            found += [f"object {module.name}.{made.name}"] + [f"module {module.name}.{made.name}.{method}" for method in made.methods]
    return tuple(grammar_wanted(five) + found + (_wanted_of_five() if five else []))


def _wanted_of_five() -> list[str]:
    vocabulary = load_vocabulary()
    found = [f"function {name}" for name in vocabulary.functions_five] + [f"allow {word}" for word in vocabulary.safety]
    for name, view in vocabulary.views.items():
        uses = {"read": view.read, "has": view.has, "set": view.replace, "keep": view.select, "remove": view.select, "sort": view.sort}
        found += [f"view {use} {name}" for use, function in uses.items() if function is not None]
    locals_ = [type.value for type in VALUE_TYPES.values()]
    rows = [type for type in locals_ if type != Type.TIME.value]
    found += [f"{what} {type}" for what in ("let", "let mut", "coalesce", "is set", "fn") for type in locals_]
    found += [f"{what} {type}?" for what in ("let", "fn") for type in locals_]
    found += [f"table {type} by {kind}" for type in rows for kind in KINDS] + [f"convert {type.value}" for type in TO_STRING - {Type.STRING}]
    return found + ["group", *(f"node {name}" for name in ("Local", "Bound", "Let", "Give", "For", "CallWith"))]


@cache
def _function_names() -> dict[int, str]:
    vocabulary = load_vocabulary()
    found = {id(row): f"function {name}" for name, row in vocabulary.functions.items()}
    found |= {id(row): f"function {name}" for name, row in vocabulary.functions_five.items()}
    found |= {id(row): f"method {t.value}.{name}" for methods in (vocabulary.methods, vocabulary.methods_five)
              for (t, name), row in methods.items()}
    for module in vocabulary.modules.values():
        found |= {id(row): f"module {module.name}.{name}" for name, row in module.functions.items()}
        for made in module.objects.values():
            found[id(made.constructor)] = f"object {module.name}.{made.name}"
            found |= {id(row): f"module {module.name}.{made.name}.{name}" for name, row in made.methods.items()}
    return found


def count_policy(checked: typed.Checked, hook: str) -> Counter[str]:
    """Counts each thing once per policy, however often the policy uses it. Code of builtin.vcl does not
    count."""
    seen: set[str] = set()
    tables = [f"table {table.type.value} by {table.kind}" for table in checked.tables]
    declared = checked.program.declarations
    own = declared[checked.program.builtin_from].at[0] if checked.program.builtin_from < len(declared) else float("inf")
    for name, sub in checked.subs.items():
        if name == hook or not name.startswith("vcl_") or name == "vcl_init":
            for statement in sub.body:
                if statement.at[0] < own:
                    _walk(statement, hook if name != "vcl_init" else name, seen)
    for number in [int(thing.removeprefix(_TABLE)) for thing in seen if thing.startswith(_TABLE)]:
        seen.add(tables[number])
    return Counter(seen)


_TABLE = "node Lookup in "


def _variable(verb: str, target: typed.Variable | typed.Field, hook: str, seen: set[str]) -> None:
    if isinstance(target, typed.Variable):
        row = target.row
    else:
        row = next(row for row in load_vocabulary().variables if row.name == f"{target.message}.http.*")
    seen.add(f"{verb} {row.name} {row.versions[0][1]}-{row.versions[1][1]} in {hook}")


def _walk(node: object, hook: str, seen: set[str]) -> None:
    match node:
        case typed.Variable() | typed.Field():
            _variable("read", node, hook, seen)
            return
        case typed.Message():
            seen.add(f"read {node.message} 0-1 in {hook}")
            return
        case typed.Chain():
            left = node.first.type
            for step in node.steps:
                seen.add(f"operator {left.value} {step.op} {step.operand.type.value}")
                left = step.type
        case typed.Comparison():
            seen.add(f"comparison {node.left.type.value} {node.op}")
        case typed.Assign():
            _variable("set", node.target, hook, seen)
            type = node.target.row.type.value if isinstance(node.target, typed.Variable) else "HEADER"
            seen.add(f"assignment {type} {node.op}")
            seen.add("node Assign")
            _walk(node.value, hook, seen)
            return
        case typed.Remove():
            _variable("unset", node.target, hook, seen)
            seen.add("node Remove")
            return
        case typed.Return():
            seen.add(f"return {node.action} in {hook}")
        case typed.Let():
            seen.add(f"let {'mut ' * node.var.mutable}{node.var.type.value}{'?' * (node.var.optional and not node.var.mutable)}")
        case typed.Bound():
            for _, value in node.bindings:
                _walk(value, hook, seen)
        case typed.Coalesce() | typed.IsSet() as test:
            seen.add(f"coalesce {test.type.value}" if isinstance(test, typed.Coalesce) else f"is set {test.operand.type.value}")
        case typed.Lookup():
            seen.add(f"{_TABLE}{node.table}")
        case typed.Expand():
            seen.add(f"fn {node.type.value}{'?' * node.function.optional}")
        case typed.Convert():
            seen.add(f"convert {node.operand.type.value}")
        case typed.Invoke() if node.function.symbol in _parts() and node.args and isinstance(node.args[0], (typed.Variable, typed.Field)):
            seen.add(_view(node, node.args[0]))
        case typed.Invoke() if node.function.symbol == "allow":
            mask = node.args[0].value       # type: ignore[union-attr]
            seen.update(f"allow {word}" for bit, word in enumerate(load_vocabulary().safety) if mask >> bit & 1)
        case typed.Invoke() if node.function.symbol == "match_group":
            seen.add("group")
        case typed.Invoke() if node.function.symbol.startswith("get_storage_"):
            seen.add(f"read storage.*.{node.function.name} 0-1 in {hook}")
        case typed.Invoke():
            seen.add(_function_names().get(id(node.function), node.function.name))
    words = {typed.Matches: "match", typed.InAcl: "match acl", typed.Negation: "not", typed.AllOf: "and", typed.AnyOf: "or",
        typed.Join: "join"}
    seen.add(words.get(type_of := node.__class__, f"node {type_of.__name__}"))
    for name in fields(node):
        value = getattr(node, name)
        for item in value if isinstance(value, list) else [value]:
            if item.__class__.__module__ == typed.__name__:
                _walk(item, hook, seen)


@cache
def _parts() -> dict[str, str]:
    """The functions of views, and what they do."""
    found: dict[str, str] = {}
    for view in load_vocabulary().views.values():
        for use, function in (("read", view.read), ("has", view.has), ("set", view.replace), ("edit", view.select), ("sort", view.sort)):
            if function is not None:
                found[function.symbol] = use
    return found


def _view(node: typed.Invoke, whole: typed.Variable | typed.Field) -> str:
    """The use of a view. Whether an edit keeps or removes is its second argument."""
    use, name = _parts()[node.function.symbol], whole.row.name if isinstance(whole, typed.Variable) else f"{whole.message}.http.{whole.name}"
    found = next(view.name for view in load_vocabulary().views.values() if view.of.lower() == name.lower() and node.function.symbol in
                 [function.symbol for function in (view.read, view.has, view.replace, view.select, view.sort) if function is not None])
    if use == "edit":
        keep = node.args[1]
        assert isinstance(keep, typed.Literal)
        use = "keep" if keep.value else "remove"
    return f"view {use} {found}"


# ---- grammar -----------------------------------------------------------------------------------------------


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(rf"\b(?:{tokens})\b")) for name, tokens in (ALTERNATIVES | ALTERNATIVES_OF_FIVE).items()]


class CountingEngine:
    """A parser that records the rules and tokens of the policy, which it reads first, before builtin.vcl."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.count = 0

    def lex(self, data: bytes, words: dict[bytes, int], folded: dict[bytes, int], tokens_max: int) -> tuple[bytes, bytes, bytes, bytes]:
        return default_engine().lex(data, words, folded, tokens_max)

    def parse(self, types: bytes, ends: bytes, recovery: Recovery) -> bytes:
        made = default_engine().parse(types, ends, recovery)
        flat = array("i")
        flat.frombytes(made)
        self.count += 1
        if self.count > 1:
            return made
        self.seen |= {f"rule {RULE_NAMES[kind]}" for kind in flat[::4] if kind < len(RULE_NAMES)}
        self.seen |= {f"token {TOKEN_NAMES[type]}" for type in set(types) if type in TOKEN_NAMES}
        row = " ".join(TOKEN_NAMES.get(type, "?") for type in types)
        self.seen |= {f"alternative {name}" for name, tokens in _patterns() if tokens.search(row)}
        return made


def grammar_wanted(five: bool) -> list[str]:
    """Rules that leave a record, and tokens that the parser's rules use."""
    rules = re.sub(r"//.*", "", _GRAMMAR.read_text().split("tokenVocab = VclLexer; }")[1])
    tokens = set(re.findall(r"\b[A-Z][A-Z_]+\b", rules)) - {"EOF"}
    names = [name for name, flags in zip(RULE_NAMES, RULE_FLAGS) if flags & (EMIT | CHAIN)]
    if not five:
        tokens, names = tokens - TOKENS_OF_FIVE, [name for name in names if name not in RULES_OF_FIVE]
    alternatives = ALTERNATIVES | (ALTERNATIVES_OF_FIVE if five else {})
    return [*(f"rule {name}" for name in names), *(f"token {t}" for t in sorted(tokens)), *(f"alternative {name}" for name in alternatives)]
