"""Random policies with random spaces, newlines and comments between their tokens."""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "native"))
from random_language import random_policy

from vernis.syntax.engine import default_engine
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import lex_bytes

TOKENS_MAX = 1 << 20
PLAIN = [" ", " ", " ", "  ", "\n", "\n    ", "\t", "\r\n", "\n\n", "\n\n\n\n"]
COMMENTS = [" # line\n", "\n# own line\n", " // \xc3\xa9t\xc3\xa9 \n", "/* in line */", " /* two\n  lines */ ", "\n/*\n * stars\n */\n",
            "\n  /* x */ /* y */\n", " /* end */\n", "\n\n\t# alone  \n\n", " #\n", "\n /* a\r\n\tb */ // c\n", "/**/"]
INCLUDES = [' include "x.vcl";\n', '\n\n include +glob "y/*.vcl" ; # why\n', 'include /* a */ "z" # b\n ;']
SWITCHES = ["\n# vernis: fmt off\n", "\n# vernis: fmt on\n", " # vernis: fmt off\n", "/* vernis: fmt on */"]
#: What must follow a token, so that a comment after it does not make it another one.
SEPARATED = {T.LINE_COMMENT: "\n", T.SLASH: " "}


def random_text(rng: random.Random, switches: bool = False) -> bytes:
    return scrambled(rng, random_policy(rng).text.encode("latin-1"), switches)


def scrambled(rng: random.Random, data: bytes, switches: bool = False, with_includes: bool = True) -> bytes:
    """The tokens of a policy with other gaps between them. A third of the texts has many comments, a third few."""
    tokens = lex_bytes(default_engine(), data, TOKENS_MAX)
    text = data.decode("latin-1")
    rate = rng.choice([0.0, 0.02, 0.3])
    parts = [rng.choice(["", "\n\n", "# first\n"])]
    for type, start, end in zip(tokens.types, tokens.starts, tokens.ends):
        parts += [text[start:end], SEPARATED.get(type, ""), _gap(rng, rate, switches)]
        if with_includes and text[start:end] == ";" and rng.random() < rate / 8:
            parts.append(rng.choice(INCLUDES))
    return "".join(parts).encode("latin-1")


def _gap(rng: random.Random, rate: float, switches: bool) -> str:
    if rng.random() >= rate:
        return rng.choice(PLAIN)
    comments = COMMENTS + SWITCHES if switches else COMMENTS
    return "".join(rng.choice(comments) + rng.choice(["", " ", "\n"]) for _ in range(rng.choice((1, 1, 2))))
