"""docs/grammar.md, from grammar/VclParser.g4 and VclLexer.g4."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import FOLDED, WORDS

from pages import ROOT

PAGE = ROOT / "docs/grammar.md"
PARSER, LEXER = ROOT / "grammar/VclParser.g4", ROOT / "grammar/VclLexer.g4"

HEAD = """# Grammar

After this page you can tell whether a text is a policy, by its syntax. `make docs` makes the page from
[VclParser.g4](../grammar/VclParser.g4) and [VclLexer.g4](../grammar/VclLexer.g4), and a test reads policies by its
rules. [VCL 5.0](vcl-5.md) explains the forms, [language.md](language.md) lists hooks, variables and functions.

`'if'` is that text, `A B` is A and then B, `A | B` is one of them, `A?` is A or nothing, `A*` is any number
of A. Names in capitals are tokens, which are at the end. A policy is a `program`. Spaces and comments may
stand between all tokens.

No word is reserved: a word is a keyword only at the place that its rule gives it, and only before a token that the rule
has there. `set`, `unset`, `call`, `return`, `if` and `new` may be in capitals, except an `if` behind `else`. In a file of
4.x the words of the rules for 5.0 are names, and `[`, `?`, `@`, `->`, `=>` and `??` have no meaning. `'include' STRING
';'` may stand between any two tokens. The checker refuses some texts that these rules take, such as a name that is
declared twice, and a `testCase` in a file that is no `NAME.test.vcl`.

"""
RULE = re.compile(r"^(\w+)\s*:\s*(.*?)\s*;$", re.M | re.S)
SECTION = re.compile(r"^// ---- (.*)$", re.M)
COMMENT = re.compile(r"[ ]*//(?! ----).*")
TOKEN = re.compile(r"^(\w+)\s*:\s*(.*?)\s*;$", re.M)
#: Tokens that the rules name by themselves, and those that may stand between.
SHOWN = (
    "IDENTIFIER",
    "NUMBER",
    "STRING",
    "LONG_STRING",
    "TRIPLE_STRING",
    "BLOB",
    "INLINE_C",
    "LINE_COMMENT",
    "BLOCK_COMMENT",
    "SPACE",
)
#: Tokens that words become by what stands beside them.
BY_PLACE = {"PROCEDURE": "'sub'", "TEXT_SET": "'set'", "GIVE": "'return'"}


def spellings() -> dict[str, str]:
    """The text of each token, as the page writes it."""
    words: dict[int, list[str]] = {}
    for word, type in {**WORDS, **FOLDED}.items():
        words.setdefault(type, []).append(f"'{word.decode()}'")
    of_words = {
        name: written[0] if len(written) == 1 else f"( {' | '.join(written)} )"
        for name, type in vars(T).items()
        if isinstance(type, int) and (written := words.get(type))
    }
    signs = {name: text for name, text in TOKEN.findall(LEXER.read_text()) if re.fullmatch(r"'[^']+'", text)}
    return {**of_words, **signs, **BY_PLACE, "EOF": ""}


def page() -> str:
    text = COMMENT.sub("", PARSER.read_text())
    parts = SECTION.split(text[text.index("program") :])
    sections = [("program", parts[0]), *zip(parts[1::2], parts[2::2])]
    return (
        HEAD
        + "".join(line for title, body in sections for line in _section(title, body))
        + "".join(_tokens())
    )


def _section(title: str, body: str) -> Iterator[str]:
    known = spellings()
    yield f"\n## {title[0].upper()}{title[1:]}\n\n```ebnf\n"
    for number, group in enumerate(re.split(r"\n\n+", body.strip("\n"))):
        yield "\n" * (number > 0)
        for name, rule in RULE.findall(group):
            written = re.sub(r"\b[A-Z][A-Z_]+\b", lambda match: known.get(match[0], match[0]), rule)
            lines = [re.sub(r"  +", " ", line.strip()) for line in written.rstrip().splitlines()]
            yield f"{name} ::= " + "\n    ".join(lines).rstrip() + "\n"
    yield "```\n"


def _tokens() -> Iterator[str]:
    yield (
        "\n## Tokens\n\n`[ab]` is one of these characters, `~[ab]` any other one, `.*?` the shortest text, and `EOF` the end of\n"
        "the file. A character is a byte.\n\n```ebnf\n"
    )
    found = dict(TOKEN.findall(LEXER.read_text()))
    for name in SHOWN:
        yield f"{name} ::= {found[name].partition(' -> ')[0]}\n"
    yield "```\n"
