"""Tests with a few texts (``in``, ``starts``, ``ends`` of 5.0) are comparisons in native code."""

from __future__ import annotations

import ctypes
from itertools import product
from pathlib import Path

import pytest

from native_bench import VAR_TEXT, Transaction
from test_native_code import HOOK, both, code_of, levels, module_of, say_truth, truths
from vernis.ir.builder import FunctionBuilder
from vernis.ir.ir import Action, Type
from vernis.ir.plain import TEXTS_MAX, plain_pattern
from vernis.semantics.text_sets import pattern_of

TEXTS = [b"css", b"/a.b", b"js", b"/adm", b"x" * 64, b"s"]
SUBJECTS = [None, b"", b"css", b"css\n", b"CSS", b"/a.b", b"/axb", b"js", b"jsx", b"/admin", b"/a", b"s", b"cs", b"x" * 64, b"x" * 65, b"a\0js"]
MATCHING = {  # by hand, beside the interpreter's PCRE2
    "in": {b"css", b"/a.b", b"js", b"s", b"x" * 64},
    "starts": {b"css", b"css\n", b"/a.b", b"js", b"jsx", b"/admin", b"s", b"x" * 64, b"x" * 65},
    "ends": {b"css", b"/a.b", b"js", b"s", b"cs", b"x" * 64, b"x" * 65, b"a\0js"},
}


@levels
def test_comparisons_find_what_the_pattern_finds(level: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    patterns = [pattern_of(op, TEXTS) for op in MATCHING]
    assert all(plain_pattern(p) for p in patterns)
    b = FunctionBuilder(HOOK)
    for number, i in product(range(len(patterns)), range(len(SUBJECTS))):
        say_truth(b, b.match(number, b.text(SUBJECTS[i])))
    b.ret(Action.HASH)
    result = truths(both(bench, tmp_path, module_of(b, regexes=patterns), Transaction(), level))
    assert result == [subject in wanted for wanted in MATCHING.values() for subject in SUBJECTS]


@levels
@pytest.mark.parametrize("op", MATCHING)
def test_they_are_in_the_code(op: str, level: int) -> None:
    b = FunctionBuilder(HOOK)
    say_truth(b, b.match(0, b.call(VAR_TEXT, b.const(Type.INT, 0))))
    b.ret(Action.HASH)
    text, code = code_of(module_of(b, regexes=[pattern_of(op, [b"a", b"b"])]), level)
    assert "regex_match" not in text and "@helper_string_one_" in text and "@helper_" not in code


@pytest.mark.parametrize("pattern", [
    pattern_of("contains", [b"a"]), pattern_of("in", [b"", b"a"]), pattern_of("ends", [b"x" * 65]), pattern_of("starts", [b"a|b", b"c"]),
    pattern_of("in", [b"%d" % n for n in range(TEXTS_MAX + 1)]), rb"(?:a)|b\z", rb"\A(?:a)b)", rb"\A(?:a$)\z", rb"\A(?:a(?:b))\z", rb"(?:a)"])
def test_other_patterns_use_pcre2(pattern: bytes) -> None:
    assert plain_pattern(pattern) is None


def test_the_longest_list_is_plain() -> None:
    assert plain_pattern(pattern_of("in", [b"%d" % n for n in range(TEXTS_MAX)])) is not None
