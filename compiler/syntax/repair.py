"""Repairs of tokens that would otherwise swallow valid text.

A string without its closing quote runs to the end of its line, including a ``) {`` or ``;`` that was meant to
follow it. The repair splits these off. ``{"`` opens a long string even if the body of an ACL was meant; after
the name of a declaration the repair makes it a bracket. Both remain errors (V101, V103).
"""

from __future__ import annotations

import re

from vernis.syntax.engine import Engine
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import FileTokens, lex_bytes, type_class

_UNCLOSED_RE = re.compile(type_class((T.UNCLOSED_STRING,)))
# acl NAME [+flag ...] {"... but not the end of a name: `bereq.backend + {"...`
_BODY_STRING_RE = re.compile(
    b"(?<!"
    + type_class((T.DOT,))
    + b")"
    + type_class((T.ACL, T.SUB, T.BACKEND, T.PROBE))
    + b"(?s:.)(?:"
    + type_class((T.PLUS, T.MINUS))
    + b"(?s:.))*"
    + type_class((T.LONG_STRING,))
)
_BODY_REPAIRS_MAX = 8  # each lexes the rest of the file again
_PUNCTUATION = {b";"[0]: T.SEMI, b"("[0]: T.LPAREN, b")"[0]: T.RPAREN, b"{"[0]: T.LBRACE, b"}"[0]: T.RBRACE}


def repaired_tokens(engine: Engine, data: bytes, tokens_max: int) -> FileTokens:
    """Returns the tokens of a file after both repairs. More than ``tokens_max`` tokens mean that the file has
    too many."""
    tokens = lex_bytes(engine, data, tokens_max)
    if T.LONG_STRING in tokens.types:
        tokens = _with_body_braces(engine, data, tokens, tokens_max)
    if T.UNCLOSED_STRING in tokens.types:
        tokens = _with_string_tails(data, tokens)
    return tokens


def _with_body_braces(engine: Engine, data: bytes, tokens: FileTokens, tokens_max: int) -> FileTokens:
    at = 0
    for _ in range(_BODY_REPAIRS_MAX):
        match = _BODY_STRING_RE.search(tokens.types, at)
        if match is None:
            break
        at = match.end() - 1
        offset = tokens.starts[at] + 1
        rest = lex_bytes(engine, data[offset:], tokens_max)
        line = tokens.lines[at]
        tokens = FileTokens(
            tokens.types[:at] + bytes((T.LBRACE,)) + rest.types,
            tokens.line_starts[: at + 1] + b"\0" + rest.line_starts[1:],
            tokens.hidden[:at] + b"\0" + rest.hidden,
            tokens.starts[: at + 1] + [s + offset for s in rest.starts],
            tokens.ends[:at] + [offset] + [e + offset for e in rest.ends],
            tokens.lines[: at + 1] + [n + line - 1 for n in rest.lines],
        )
        at += 1
    return tokens


def _with_string_tails(data: bytes, tokens: FileTokens) -> FileTokens:
    types, line_starts, hidden = bytearray(), bytearray(), bytearray()
    starts: list[int] = []
    ends: list[int] = []
    lines: list[int] = []

    def add(type: int, line_start: int, is_hidden: int, start: int, end: int, line: int) -> None:
        types.append(type)
        line_starts.append(line_start)
        hidden.append(is_hidden)
        starts.append(start)
        ends.append(end)
        lines.append(line)

    done = 0
    for match in _UNCLOSED_RE.finditer(tokens.types):
        i = match.start()
        cut, comment = _tail(data, tokens.starts[i] + 1, tokens.ends[i])
        if cut == tokens.ends[i]:
            continue
        types += tokens.types[done:i]
        line_starts += tokens.line_starts[done:i]
        hidden += tokens.hidden[done:i]
        starts += tokens.starts[done:i]
        ends += tokens.ends[done:i]
        lines += tokens.lines[done:i]
        add(tokens.types[i], tokens.line_starts[i], 0, tokens.starts[i], cut, tokens.lines[i])
        for offset in range(cut, comment):
            type = _PUNCTUATION.get(data[offset])
            if type is not None:
                add(type, 0, 0, offset, offset + 1, tokens.lines[i])
        if comment < tokens.ends[i]:
            add(T.LINE_COMMENT, 0, 1, comment, tokens.ends[i], tokens.lines[i])
        done = i + 1
    return FileTokens(
        bytes(types + tokens.types[done:]),
        bytes(line_starts + tokens.line_starts[done:]),
        bytes(hidden + tokens.hidden[done:]),
        starts + tokens.starts[done:],
        ends + tokens.ends[done:],
        lines + tokens.lines[done:],
    )


def _tail(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Returns the start of the punctuation at the end of the text [start, end), and the start of a comment
    after it; both are ``end`` if there is none."""
    for marker in (b"#", b"//"):
        at = data.find(marker, start, end)
        while at >= 0:
            cut = _before_punctuation(data, start, at)
            if cut < at:
                return cut, at
            at = data.find(marker, at + 1, end)
    return _before_punctuation(data, start, end), end


def _before_punctuation(data: bytes, start: int, end: int) -> int:
    """Returns the start of the run of spaces and punctuation before ``end``; ``end`` if it has spaces
    only."""
    at = end
    has_punctuation = False
    while at > start and data[at - 1] in b" \t;(){}":
        at -= 1
        has_punctuation = has_punctuation or data[at] in _PUNCTUATION
    return at if has_punctuation else end
