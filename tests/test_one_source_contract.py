"""Each fact of the language, and of the contract between compiler and runtime, is handwritten once.

The places: grammar/vocabulary.toml (hooks, actions, messages, functions and their signatures),
compiler/semantics/types.py (types, units and limits of literals), compiler/semantics/origins.py (properties
of backends and probes), compiler/native/shapes.py (machine and C types of values), compiler/native/abi.py
(identity of an image) and runtime/policy_abi.h (the other structures). The tests look for a second copy in
every file that is handwritten by hand.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from vernis.ir import externs
from vernis.ir.ir import VOCABULARY
from vernis.native import abi
from vernis.native.shapes import SHAPES
from vernis.semantics import modules, vocabulary
from vernis.semantics.backends import BACKEND_PROPERTIES
from vernis.semantics.types import INT_DIGITS, Type
from vernis.syntax import remedies

ROOT = Path(__file__).resolve().parents[1]
TYPES_AT, SHAPES_AT, ABI_AT = "compiler/semantics/types.py", "compiler/native/shapes.py", "compiler/native/abi.py"

#: The words of a fact, and how many of them in one literal count as a copy. A literal with fewer words is a
#: rule about some of them.
FACTS = {
    "hooks": (frozenset(VOCABULARY.hooks), 6),
    "actions": (frozenset(VOCABULARY.action_rows), 9),
    "messages": (frozenset(VOCABULARY.messages), 6),
    "types": (frozenset(type.value for type in Type), 16),
    "properties of backends": (frozenset(BACKEND_PROPERTIES), 5),
}
#: Literals that contain many words of a fact but state something else.
NOT_COPIES = {
    ("types", "compiler/semantics/modules.py"),    # the types that values of third-party modules may have
    ("properties of backends", "compiler/semantics/origins.py"),
    ("types", SHAPES_AT),                               # the shape of each type
    # words that may follow `return`; syntax cannot import the vocabulary, which is in a later room
    ("actions", "compiler/syntax/remedies.py"),
    ("hooks", "compiler/trial/unit.py"),                # the action with which a test ends each hook
}

C_ENUM = re.compile(r"\b(?:HOOK|ACTION|MSG)_[A-Z_]+\s*(?:=[^,}]*)?,\s*(?:/\*.*?\*/\s*)?(?:HOOK|ACTION|MSG)_[A-Z_]+", re.S)
C_ROW = re.compile(r'\{\s*"\w+",\s*"[A-Z]+\([A-Z,?]*\)"')
C_NAME = re.compile(r'\[(?:HOOK|ACTION)_\w+\] = (?:\w+\()?"')
C_SIDE = re.compile(r"hook [<>]=? HOOK_(?!COUNT)|== HOOK_INIT \|\| [^;]*== HOOK_FINI")
SIDES = [{row.name for row in VOCABULARY.hooks.values() if row.side == side} for side in vocabulary.SIDES]
LITERAL_OFFSET = re.compile(r"getelementptr inbounds i8, ptr [^,]+, i64 \d")


def in_python(path: str, text: str) -> Iterator[str]:
    """Copies in a Python file."""
    for node in ast.walk(ast.parse(text)):
        words = {word.lower() for word in _words(node)}
        for fact, (known, enough) in FACTS.items():
            if len({word.lower() for word in known} & words) >= enough and (fact, path) not in NOT_COPIES \
                    and (fact, path) != ("types", TYPES_AT):
                yield fact
        if words in SIDES:
            yield "side"
    if LITERAL_OFFSET.search(text):
        yield "offset"
    if path != SHAPES_AT and len([c for c in {shape.c for shape in SHAPES.values()} if f'"{c}"' in text]) >= 5:
        yield "shapes"
    if path != ABI_AT and (f'"{abi.SYMBOL}"' in text or f"{abi.MAGIC:x}" in text.lower()):
        yield "identity of an image"


def _words(node: ast.AST) -> Iterator[str]:
    """The strings and names that a literal lists, or the names that a class assigns."""
    match node:
        case ast.Tuple(elts=found) | ast.List(elts=found) | ast.Set(elts=found) | ast.Dict(keys=found):
            yield from (item.value for item in found if isinstance(item, ast.Constant) and isinstance(item.value, str))
            yield from (item.attr for item in found if isinstance(item, ast.Attribute))
        case ast.ClassDef(body=body):
            yield from (target.id for item in body if isinstance(item, ast.Assign) for target in item.targets
                        if isinstance(target, ast.Name))
            yield from (item.target.id for item in body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name))


def in_c(path: str, text: str) -> Iterator[str]:
    """Copies in a C file. Code may use the names of generated enums, one at a time."""
    for block in re.findall(r"enum \w* ?\{([^}]*)\}", text):
        if C_ENUM.search(block):
            yield "enum"
    for block in re.findall(r"struct \w+ \{([^}]*)\}", text):
        if len(set(BACKEND_PROPERTIES) & {word.removesuffix("_s") for word in re.findall(r"\w+", block)}) >= 5:
            yield "properties of backends"
    if C_ROW.search(text) or "(export_fn *)" in text:
        yield "signature"
    if len(C_NAME.findall(text)) > 2:
        yield "names"
    if re.search(r'\{ "ms", [^}]*\}, \{ "s",', text) or "9" * INT_DIGITS in text:
        yield "literals"
    if C_SIDE.search(text):
        yield "side"
    if f'"{abi.SYMBOL}"' in text or f"{abi.MAGIC:x}" in text.lower():
        yield "identity of an image"


def handwritten(folder: str, *endings: str) -> list[Path]:
    """The files of a folder that are handwritten by hand."""
    return [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in endings and "generated" not in path.parts]


def test_nothing_in_the_compiler_repeats_a_fact() -> None:
    copies = [(path.relative_to(ROOT).as_posix(), fact) for path in handwritten("compiler", ".py")
              for fact in in_python(path.relative_to(ROOT).as_posix(), path.read_text())]
    assert copies == []


def test_nothing_in_the_runtime_repeats_a_fact() -> None:
    copies = [(path.relative_to(ROOT).as_posix(), fact) for path in handwritten("runtime", ".c", ".h")
              for fact in in_c(path.relative_to(ROOT).as_posix(), path.read_text())]
    assert copies == []


@pytest.mark.parametrize(("text", "fact"), [
    ('HOOKS = ("vcl_recv", "vcl_pipe", "vcl_pass", "vcl_hash", "vcl_purge", "vcl_miss", "vcl_hit")', "hooks"),
    ("class Action(Enum):\n" + "".join(f"    {name.upper()} = {row.number}\n" for name, row in VOCABULARY.action_rows.items()), "actions"),
    ('MESSAGES = ["req", "bereq", "beresp", "resp", "obj", "req_top"]', "messages"),
    ("class Declared:\n" + "".join(f"    {name}: object\n" for name in BACKEND_PROPERTIES), "properties of backends"),
    ("class Type(Enum):\n" + "".join(f"    {type.value} = {type.value!r}\n" for type in Type), "types"),
    ('outside = hook in ("vcl_init", "vcl_fini")', "side"),
    ('place = f"getelementptr inbounds i8, ptr {text}, i64 8"', "offset"),
    ('C = {"int64_t", "int32_t", "double", "struct span", "void *", "void"}', "shapes"),
    ('SYMBOL = "vernis_policy"', "identity of an image"),
])
def test_a_copy_in_a_python_file_is_found(text: str, fact: str) -> None:
    assert set(in_python("compiler/native/example.py", text)) == {fact}


@pytest.mark.parametrize(("text", "fact"), [
    ("enum vcl_hook {\n    HOOK_RECV, HOOK_PIPE,\n    HOOK_PASS\n};", "enum"),
    ("enum mine {\n    ACTION_FAIL = 1,        /* first */\n    ACTION_SYNTH = 2,\n};", "enum"),
    ("struct mine {\n    struct span host, port, path;\n    double connect_timeout_s, wait_timeout_s;\n};", "properties of backends"),
    ('{ "get_req_url", "STRING()", f },', "signature"),
    ('{ "std_x",\n  "VOID(INSTANCE,STRING?)", f },', "signature"),
    ('[HOOK_RECV] = "a", [HOOK_PIPE] = "b", [HOOK_PASS] = "c"', "names"),
    ("return ctx->hook >= HOOK_BACKEND_FETCH;", "side"),
    ("return ctx->hook == HOOK_INIT || ctx->hook == HOOK_FINI;", "side"),
    ('units[] = { { "ms", 1e-3 }, { "s", 1 }, { "m", 60 } };', "literals"),
    ("#define INTEGER_MAX 999999999999999.0", "literals"),
    ("#define MAGIC 0x3153494E52455601ull", "identity of an image"),
])
def test_a_copy_in_a_c_file_is_found(text: str, fact: str) -> None:
    assert set(in_c("runtime/policy/example.h", text)) == {fact}


def test_words_that_follow_return_are_actions() -> None:
    assert remedies.ACTIONS < VOCABULARY.action_rows.keys()


def test_modules_are_checked_for_the_version_of_their_header() -> None:
    """The header is for third parties and stands alone, so the version is there and in the compiler."""
    assert f"#define VERNIS_MODULE_ABI {modules.MODULE_ABI}u\n" in (ROOT / "runtime/module_abi.h").read_text()


def test_every_function_has_one_signature_and_one_row() -> None:
    symbols = list(externs.of_language(VOCABULARY))
    for module in VOCABULARY.modules.values():
        symbols += externs.of_module(module)
    shared = {symbol for symbol in symbols if symbols.count(symbol) > 1}
    assert shared == set()
    prefix = "static const struct policy_export rows[] = {\n#include \"exports_%s_rows.h\"\n};"
    assert prefix % "policy" in (ROOT / "runtime/policy/exports.c").read_text()
    assert prefix % "vmod" in (ROOT / "runtime/vmod/register.c").read_text()
