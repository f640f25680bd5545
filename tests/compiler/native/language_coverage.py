"""What policies hold, counted from their own trees: rules and tokens of the grammar, cells of the operator table, rows of the
language's table."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from functools import cache
from pathlib import Path

from vernis.record import fields
from vernis.semantics import typed
from vernis.semantics.types import ASSIGNMENTS, COMPARISONS, OPERATORS
from vernis.semantics.vocabulary import load_vocabulary
from vernis.syntax.builder import CHAIN, EMIT, RULE_FLAGS
from vernis.syntax.engine import default_engine
from vernis.syntax.generated.token_types import RULE_NAMES, T
from vernis.syntax.parser import ParseOptions, parse_text

_GRAMMAR = Path(__file__).resolve().parents[3] / "grammar/VclParser.g4"
TOKEN_NAMES = {value: name for name, value in vars(T).items() if isinstance(value, int)}

MINIMUM = 50


@cache
def wanted() -> tuple[str, ...]:
    """Everything there is to count."""
    vocabulary = load_vocabulary()
    found = [f"operator {a.value} {op} {b.value}" for a, op, b in OPERATORS]
    found += [f"comparison {type.value} {op}" for type, ops in COMPARISONS.items() for op in ops]
    found += [f"assignment {type.value} {op}" for type, op in ASSIGNMENTS]
    found += ["match", "match acl", "not", "and", "or", "join"]
    found += [f"node {name}" for name in ("Assign", "Remove", "CallSub", "Return", "If", "Make", "Evaluate")]
    for row in vocabulary.variables:
        versions = f"{row.versions[0][1]}-{row.versions[1][1]}"
        found += [f"{verb} {row.name} {versions}" for verb, mask in (("read", row.read), ("set", row.set), ("unset", row.unset)) if mask]
    found += [f"return {action} in {hook.name}" for hook in vocabulary.hooks.values() for action in hook.actions]
    found += [f"function {name}" for name in vocabulary.functions] + [f"method {t.value}.{name}" for t, name in vocabulary.methods]
    for module in vocabulary.modules.values():
        found += [f"module {module.name}.{name}" for name in module.functions]
        for made in module.objects.values():
            found += [f"object {module.name}.{made.name}"] + [f"module {module.name}.{made.name}.{method}" for method in made.methods]
    return tuple(grammar_wanted() + found)


@cache
def _function_names() -> dict[int, str]:
    vocabulary = load_vocabulary()
    found = {id(row): f"function {name}" for name, row in vocabulary.functions.items()}
    found |= {id(row): f"method {t.value}.{name}" for (t, name), row in vocabulary.methods.items()}
    for module in vocabulary.modules.values():
        found |= {id(row): f"module {module.name}.{name}" for name, row in module.functions.items()}
        for made in module.objects.values():
            found[id(made.constructor)] = f"object {module.name}.{made.name}"
            found |= {id(row): f"module {module.name}.{made.name}.{name}" for name, row in made.methods.items()}
    return found


def count_policy(checked: typed.Checked, hook: str) -> Counter[str]:
    """Once per policy for each thing: 50 policies have it, not one of them 50 times. The builtin policy's own are not told
    apart from those of the same hook, so what is in builtin.vcl is counted too high for that hook only."""
    seen: set[str] = set()
    for name, sub in checked.subs.items():
        if name == hook or not name.startswith("vcl_") or name == "vcl_init":
            for statement in sub.body:
                _walk(statement, hook if name != "vcl_init" else name, seen)
    return Counter(seen)


def _variable(verb: str, target: typed.Variable | typed.Field, seen: set[str]) -> None:
    if isinstance(target, typed.Variable):
        row = target.row
    else:
        row = next(row for row in load_vocabulary().variables if row.name == f"{target.message}.http.*")
    seen.add(f"{verb} {row.name} {row.versions[0][1]}-{row.versions[1][1]}")


def _walk(node: object, hook: str, seen: set[str]) -> None:
    match node:
        case typed.Variable() | typed.Field():
            _variable("read", node, seen)
            return
        case typed.Chain():
            left = node.first.type
            for step in node.steps:
                seen.add(f"operator {left.value} {step.op} {step.operand.type.value}")
                left = step.type
        case typed.Comparison():
            seen.add(f"comparison {node.left.type.value} {node.op}")
        case typed.Assign():
            _variable("set", node.target, seen)
            type = node.target.row.type.value if isinstance(node.target, typed.Variable) else "HEADER"
            seen.add(f"assignment {type} {node.op}")
            seen.add("node Assign")
            _walk(node.value, hook, seen)
            return
        case typed.Remove():
            _variable("unset", node.target, seen)
            seen.add("node Remove")
            return
        case typed.Return():
            seen.add(f"return {node.action} in {hook}")
        case typed.Invoke():
            seen.add(_function_names().get(id(node.function), node.function.name))
    words = {typed.Matches: "match", typed.InAcl: "match acl", typed.Negation: "not", typed.AllOf: "and", typed.AnyOf: "or", typed.Join: "join"}
    seen.add(words.get(type_of := node.__class__, f"node {type_of.__name__}"))
    for name in fields(node):
        value = getattr(node, name)
        for item in value if isinstance(value, list) else [value]:
            if item.__class__.__module__ == typed.__name__:
                _walk(item, hook, seen)


# ---- grammar -----------------------------------------------------------------------------------------------------------


class CountingEngine:
    """The parser, noting the rules and the tokens of what it reads."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def lex(self, data: bytes, words: dict[bytes, int], folded: dict[bytes, int], tokens_max: int) -> tuple[bytes, bytes, bytes, bytes]:
        return default_engine().lex(data, words, folded, tokens_max)

    def parse(self, types: bytes, line_starts: bytes, flags: bytes) -> bytes:
        made = default_engine().parse(types, line_starts, flags)
        flat = array("i")
        flat.frombytes(made)
        self.seen |= {f"rule {RULE_NAMES[kind]}" for kind in flat[2:2 + 4 * flat[0]:4] if kind < len(RULE_NAMES)}
        self.seen |= {f"token {TOKEN_NAMES[type]}" for type in set(types) if type in TOKEN_NAMES}
        return made


def count_grammar(text: str) -> Counter[str]:
    engine = CountingEngine()
    parse_text(text, options=ParseOptions(engine=engine))
    return Counter(engine.seen)


def grammar_wanted() -> list[str]:
    """Rules that leave a record, and tokens that the rules of the parser use."""
    tokens = {word for word in re.findall(r"\b[A-Z][A-Z_]+\b", _GRAMMAR.read_text().split("tokenVocab = VclLexer; }")[1])} - {"EOF"}
    return [f"rule {name}" for name, flags in zip(RULE_NAMES, RULE_FLAGS) if flags & (EMIT | CHAIN)] + [f"token {t}" for t in sorted(tokens)]
