"""Decides which words are keywords. No word is reserved: its place among other tokens makes it one.

A word is a keyword at the head of a declaration or statement, unless a ``.`` or ``(`` follows it
(``set.x()``); ``else`` after a ``}``; ``from``, ``as`` and ``none`` at their place in a declaration. The
words of 5.0 are keywords only in files of 5.0, at the places of ``_PLACES``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vernis.record import record
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import (
    DECLARATION_WORDS,
    FOLDED,
    HEAD_WORDS,
    STRINGS,
    WORDS,
    TokenTable,
    VisibleTokens,
    type_class,
)

TEXT_TESTS = frozenset((T.IN, T.STARTS, T.ENDS, T.CONTAINS))

_NOTHING = 0  # the type before the first and after the last token
# After these a statement or declaration begins.
_ENDS = frozenset((_NOTHING, T.SEMI, T.LBRACE, T.RBRACE, T.INLINE_C))
# After these it begins only at the start of a line, where the `;` is probably missing.
_OPERAND_ENDS = frozenset((T.IDENTIFIER, T.NUMBER, T.BLOB, T.RPAREN, T.UNCLOSED_STRING)) | STRINGS
_VALUE_ENDS = _OPERAND_ENDS | {T.RBRACKET}

_LONG_NAME_RE = re.compile(type_class((T.DOT,)) + type_class((T.LONG_STRING, T.TRIPLE_STRING)))
_WORD_RE = re.compile(type_class(tuple({*WORDS.values(), *FOLDED.values()})))
_VERSION_RE = re.compile(type_class((T.VCL,)) + type_class((T.NUMBER,)))
_SIGNS_RE = re.compile(type_class((T.COLON, T.QUESTION, T.AT, T.COALESCE, T.ARROW)))
_ANNOTATION_RE = re.compile(
    type_class((T.AT,))
    + type_class((T.IDENTIFIER,))
    + b"(?:"
    + type_class((T.LPAREN,))
    + b"[^"
    + type_class((T.LPAREN, T.RPAREN, T.LBRACE, T.RBRACE, T.SEMI))[1:]
    + b"*"
    + type_class((T.RPAREN,))
    + b")?"
)


@record
class _Place:
    """A word among its neighbours. ``types`` are the tokens; ``head`` whether a statement or declaration may
    begin here."""

    types: bytearray
    i: int
    before: int
    after: int
    head: bool


def _after(*types: int) -> Callable[[_Place], bool]:
    """A word at the head of something, before one of these."""
    wanted = frozenset(types)
    return lambda p: p.head and p.after in wanted


def _is_text_test(p: _Place) -> bool:
    return p.before in _VALUE_ENDS and p.after not in (T.ASSIGN, T.DOT, T.COMMA, T.RPAREN, T.SEMI)


def _is_let(p: _Place) -> bool:
    in_condition = p.before == T.LPAREN and p.i >= 2 and p.types[p.i - 2] in (T.IF, T.ELSEIF)
    return (p.head or in_condition) and p.after in (T.IDENTIFIER, T.MUT)


def _is_default(p: _Place) -> bool:
    if p.after == T.MAPS_TO:
        return p.before in (T.LBRACKET, T.COMMA)
    return p.after == T.COLON and p.before in (T.LBRACE, T.RBRACE)


# The place that makes each word of 5.0 a keyword.
_PLACES: dict[int, Callable[[_Place], bool]] = {
    T.CONST: _after(T.IDENTIFIER),
    T.PARAM: _after(T.IDENTIFIER),
    T.FN: _after(T.IDENTIFIER),
    T.TABLE: _after(T.IDENTIFIER),
    T.COUNTER: _after(T.IDENTIFIER),
    T.BUDGET: _after(T.LBRACE),
    T.CACHING: _after(T.NUMBER),
    T.LET: _is_let,
    T.MUT: lambda p: p.before == T.LET and p.after == T.IDENTIFIER,
    T.SWITCH: _after(T.LPAREN),
    T.CASE: lambda p: p.before in (T.LBRACE, T.RBRACE),
    T.FOR: _after(T.LPAREN),
    T.COUNT: _after(T.IDENTIFIER),
    T.LOG: _after(T.LBRACE),
    T.ALLOW: _after(T.LPAREN),
    T.BUILTIN: _after(T.SEMI),
    T.INVARIANT: _after(*STRINGS),
    T.BY: lambda p: p.before in (T.IDENTIFIER, T.QUESTION) and p.after in (T.IDENTIFIER, T.LPAREN),
    T.COLUMNS: lambda p: p.before in STRINGS and p.after == T.LPAREN,
    T.DEFAULT: _is_default,
    T.IS: lambda p: p.before in _VALUE_ENDS and p.after in (T.IDENTIFIER, T.SET, T.IS_NOT),
    T.IS_NOT: lambda p: p.before == T.IS and p.after in (T.IDENTIFIER, T.SET),
    **dict.fromkeys(TEXT_TESTS, _is_text_test),
}


# Words that begin a second kind of declaration in 5.0.
_WITH_ANOTHER_HEAD = {T.SUB: {T.LPAREN: T.PROCEDURE}, T.SET: {T.LBRACKET: T.TEXT_SET}}


def mark_words(table: TokenTable, visible: VisibleTokens) -> None:
    """Turns words that are not keywords at their place into identifiers, in ``visible`` and in the table."""
    types = visible.types
    for match in _LONG_NAME_RE.finditer(bytes(types)):  # a name may be quoted in any of the three forms
        _change(table, visible, match.end() - 1, T.STRING)
    fives = _files_of_five(table, visible)
    table.fives |= fives
    heads = _after_annotations(types) if fives else frozenset()
    _refuse_signs(table, visible, fives)
    in_function = False
    for match in _WORD_RE.finditer(bytes(types)):
        i = match.start()
        place = _place(types, i, heads)
        is_five = bool(fives) and table.files[visible.table_index[i]] in fives
        if not _means_itself(table, visible, place, is_five):
            _change(table, visible, i, T.IDENTIFIER)
        elif is_five and (head := _other_head(types, i)):
            _change(table, visible, i, head)
            in_function = False
        elif types[i] == T.FN or types[i] in DECLARATION_WORDS:
            in_function = types[i] == T.FN
        elif types[i] == T.RETURN and in_function:
            _change(table, visible, i, T.GIVE)


def _other_head(types: bytearray, i: int) -> int | None:
    """Returns the type of a word that begins another kind of declaration, which the token after the name
    tells."""
    heads = _WITH_ANOTHER_HEAD.get(types[i])
    return heads.get(types[i + 2]) if heads and i + 2 < len(types) else None


def _place(types: bytearray, i: int, heads: frozenset[int]) -> _Place:
    before = types[i - 1] if i else _NOTHING
    after = types[i + 1] if i + 1 < len(types) else _NOTHING
    if after in _PLACES and after != T.MUT:  # such a word is no keyword behind another word
        after = T.IDENTIFIER
    return _Place(types, i, before, after, before in _ENDS or i in heads)


def _change(table: TokenTable, visible: VisibleTokens, i: int, type: int) -> None:
    visible.types[i] = type
    table.types[visible.table_index[i]] = type


def _files_of_five(table: TokenTable, visible: VisibleTokens) -> frozenset[int]:
    """The files of these tokens that are of 5.0: by their own version line, else as the file that includes
    them."""
    own: dict[int, bool] = {}
    for match in _VERSION_RE.finditer(bytes(visible.types)):
        token = visible.table_index[match.start() + 1]
        own.setdefault(table.files[token], table.text(token).startswith("5."))
    if True not in own.values():
        return frozenset()
    return frozenset(file for file in set(table.files) if _is_five(table, own, file))


def _is_five(table: TokenTable, own: dict[int, bool], file: int) -> bool:
    while file not in own and file in table.sources.asked:
        file = table.sources.asked[file].file
    return own.get(file, False)


def _after_annotations(types: bytearray) -> frozenset[int]:
    """The tokens that follow ``@name(...)``."""
    return frozenset(match.end() for match in _ANNOTATION_RE.finditer(bytes(types)))


def _refuse_signs(table: TokenTable, visible: VisibleTokens, fives: frozenset[int]) -> None:
    """Makes the signs of 5.0 unknown characters in files of 4.x, as they always were. The parser explains
    ``=>``."""
    for match in _SIGNS_RE.finditer(bytes(visible.types)):
        i = match.start()
        if table.files[visible.table_index[i]] not in fives:
            _change(table, visible, i, T.UNKNOWN)


def _means_itself(table: TokenTable, visible: VisibleTokens, p: _Place, is_five: bool) -> bool:
    word, before, after = p.types[p.i], p.before, p.after
    if word in HEAD_WORDS:
        if after == T.DOT or (after == T.LPAREN and word not in (T.IF, T.RETURN)):
            return False
        if before == T.ELSE:  # after `else` only `if` in small letters, as everywhere in VCL
            return word == T.IF and table.text(visible.table_index[p.i]) == "if"
        return p.head or (
            visible.line_starts[p.i] != 0 and before in _OPERAND_ENDS and _begins_line_as_head(word, after)
        )
    if word in (T.ELSE, T.ELSEIF):
        return before in _ENDS and after != T.DOT and not (after == T.LPAREN and word == T.ELSE)
    if word == T.NONE:
        return p.i >= 2 and p.types[p.i - 2] == T.BACKEND and before == T.IDENTIFIER
    if word in (T.FROM, T.AS) and before == T.IDENTIFIER and _import_at(p.types, p.i):
        return True
    return is_five and _means_itself_in_five(p)


def _means_itself_in_five(p: _Place) -> bool:
    match p.types[p.i]:
        case T.AS:
            is_pattern = p.before in STRINGS or p.before == T.IDENTIFIER and p.types[p.i - 2] == T.MATCH
            return is_pattern and p.after == T.IDENTIFIER
        case T.FROM:
            return p.i >= 2 and p.types[p.i - 2] == T.BY and p.after in STRINGS
        case word:
            return word in _PLACES and _PLACES[word](p)


def _begins_line_as_head(word: int, after: int) -> bool:
    if word == T.VCL:
        return after == T.NUMBER
    if word == T.IF:
        return after == T.LPAREN
    if word == T.TEST:
        return after in STRINGS
    return after == T.IDENTIFIER or word == T.RETURN


def _import_at(types: bytearray, i: int) -> bool:
    """Whether token i follows a complete name of an import: ``import a from``, ``import a as b from``."""
    return (
        types[i - 2] == T.IMPORT if i >= 2 and types[i - 2] != T.AS else i >= 4 and types[i - 4] == T.IMPORT
    )
