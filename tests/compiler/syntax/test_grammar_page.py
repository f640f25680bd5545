"""docs/grammar.md is made from the grammar. Its rules, read from the page, take policies that the compiler takes, and refuse
others."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import grammar
from support.lacking import assert_page

from vernis.syntax.engine import default_engine
from vernis.syntax.generated.token_types import T
from vernis.syntax.limits import Limits
from vernis.syntax.tokens import lex_bytes

ROOT = Path(__file__).resolve().parents[3]
PAGE = grammar.PAGE.read_text()
GRAMMAR, TOKENS = (re.findall(r"^```ebnf\n(.*?)^```$", part, re.M | re.S) for part in PAGE.split("\n## Tokens\n"))
RULES = {name: body for block in GRAMMAR for name, body in re.findall(r"^(\w+) ::=(.*(?:\n    .*)*)", block, re.M)}
PIECE = re.compile(r"'([^']+)'|(\w+)|([()|?*])")
IN_CAPITALS = ("set", "unset", "call", "return", "if", "new")

#: Where a text can end that begins at a place: the meaning of a part of a rule.
Part = Callable[[int], frozenset[int]]
Word = tuple[int, str]      # type and text of a token


class Reader:
    """Reads one text by the rules of the page."""

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        self.ends: dict[tuple[str, int], frozenset[int]] = {}
        self.parts: dict[str, Part] = {}

    def takes(self) -> bool:
        return len(self.words) in self.rule("program", 0)

    def rule(self, name: str, at: int) -> frozenset[int]:
        if (name, at) not in self.ends:
            if name not in self.parts:
                self.parts[name] = self.alternatives(PIECE.findall(RULES[name]))
            self.ends[name, at] = self.parts[name](at)
        return self.ends[name, at]

    def alternatives(self, pieces: list[tuple[str, str, str]]) -> Part:
        """Takes the pieces up to the bracket that closes, or to the end."""
        rows: list[list[Part]] = [[]]
        while pieces:
            text, name, sign = pieces.pop(0)
            if sign == ")":
                break
            if sign == "|":
                rows.append([])
            elif sign in ("?", "*"):
                rows[-1].append(self.repeated(rows[-1].pop(), sign == "*"))
            else:
                rows[-1].append(self.alternatives(pieces) if sign else self.one(text, name))
        return lambda at: frozenset(end for row in rows for end in self.sequence(row, at))

    def sequence(self, row: list[Part], at: int) -> frozenset[int]:
        ends = frozenset((at,))
        for part in row:
            ends = frozenset(end for start in ends for end in part(start))
        return ends

    def repeated(self, part: Part, often: bool) -> Part:
        def read(at: int) -> frozenset[int]:
            found, new = {at}, {at}
            while new:
                new = {end for start in new for end in part(start)} - found
                found |= new
                if not often:
                    break
            return frozenset(found)
        return read

    def one(self, text: str, name: str) -> Part:
        if name in RULES:
            return lambda at: self.rule(name, at)
        return lambda at: frozenset((at + 1,)) if at < len(self.words) and self.fits(self.words[at], text, name) else frozenset()

    def fits(self, word: Word, text: str, name: str) -> bool:
        if name:
            is_word = re.fullmatch(r"[A-Za-z][\w-]*", word[1]) is not None
            return is_word if name == "IDENTIFIER" else word[0] == getattr(T, name)
        return (word[1].lower() if text in IN_CAPITALS else word[1]) == text


def words_of(policy: bytes) -> list[Word]:
    tokens = lex_bytes(default_engine(), policy, Limits().tokens)
    found = [(type, policy[start:end].decode("latin-1"))
             for type, hidden, start, end in zip(tokens.types, tokens.hidden, tokens.starts, tokens.ends) if not hidden]
    while (T.INCLUDE, "include") in found:          # stands between any tokens, with its file and a `;`
        at = found.index((T.INCLUDE, "include"))
        del found[at:at + 3]
    return found


def takes(policy: bytes) -> bool:
    return Reader(words_of(policy)).takes()


def test_the_page_is_made_from_the_grammar() -> None:
    assert_page(grammar.PAGE, grammar.page())


def test_each_name_has_one_rule_and_is_used() -> None:
    tokens = dict(re.findall(r"^(\w+) ::= (.*)$", TOKENS[0], re.M))
    used = {name for body in RULES.values() for _, name, _ in PIECE.findall(body) if name}
    assert used - set(RULES) == {name for name in tokens if name not in ("LINE_COMMENT", "BLOCK_COMMENT", "SPACE")}
    assert set(RULES) - used == {"program"}


FIVE = [f"vcl 5.0;\n{text}" for text in re.findall(r"^```vcl\n(.*?)^```$", (ROOT / "docs/vcl-5.md").read_text(), re.M | re.S)]
FILES = [ROOT / "grammar/builtin.vcl", *sorted((ROOT / "examples").rglob("*.vcl"))]


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_policies_are_taken(path: Path) -> None:
    assert takes(path.read_bytes())


@pytest.mark.parametrize("text", FIVE, ids=range(len(FIVE)))
def test_examples_of_five_are_taken(text: str) -> None:
    assert takes(text.encode())


#: Malformed policies that the rules take: the compiler refuses them for a number, a text or a comment in itself, for their
#: version, for an include, or because the rules have one form for what each place limits.
TAKEN = set(
    "argument_name_with_dot blob_not_base64 call_of_string call_with_parentheses chained_comparison comment_not_closed double_negation"
    " else_if_in_capitals empty_argument for_loop fraction_too_long include_itself include_missing inline_c_not_closed let"
    " named_argument_of_action no_version number_too_long quoted_part_of_variable return_nothing_in_parentheses return_string"
    " sub_with_parentheses switch trailing_comma two_elses version_3 version_6 version_raised".split())
MALFORMED = [path for path in sorted((ROOT / "tests/data/malformed_syntax").glob("*.vcl")) if path.stem != "nested_too_deeply"]


@pytest.mark.parametrize("path", MALFORMED, ids=[path.stem for path in MALFORMED])
def test_malformed_policies_are_refused(path: Path) -> None:
    assert takes(path.read_bytes()) == (path.stem in TAKEN)
