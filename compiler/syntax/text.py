"""Checks single tokens: unclosed strings and comments, malformed blobs, characters that VCL does not have
(V1xx)."""

from __future__ import annotations

import re

from vernis.syntax.diagnostics import Diagnostics, Edit, Span
from vernis.syntax.generated.token_types import T
from vernis.syntax.source import shown
from vernis.syntax.stock import phrase
from vernis.syntax.tokens import STRINGS, TokenTable, VisibleTokens, type_class

# The check visits only these types; most policies have few such tokens.
_SUSPECT_RE = re.compile(
    type_class((T.UNCLOSED_STRING, T.LONG_STRING, T.TRIPLE_STRING, T.INLINE_C, T.BLOB, T.UNKNOWN))
)
#: A string that ends too early, at an escaped quote, leaves one of these behind on its line.
_AFTER_ESCAPE = frozenset((T.UNCLOSED_STRING, T.UNKNOWN))
_BODY_RE = re.compile(
    type_class((T.ACL, T.SUB, T.BACKEND, T.PROBE))
    + type_class((T.IDENTIFIER,))
    + b"(?:"
    + type_class((T.PLUS, T.MINUS))
    + type_class((T.IDENTIFIER,))
    + b")*"
    + type_class((T.LBRACE,))
    + type_class((T.STRING, T.UNCLOSED_STRING))
)
_BLOB_REST_RE = re.compile(r"[A-Za-z0-9+/=]*(\s|[^:]|$)")
_OPENINGS = {
    T.LONG_STRING: ("V102", "long string", '{"', '"}'),
    T.TRIPLE_STRING: ("V102", "long string", '"""', '"""'),
    T.INLINE_C: ("V109", "inline C block", "C{", "}C"),
    T.BLOCK_COMMENT: ("V104", "comment", "/*", "*/"),
}
_LOOKALIKES = {
    "\u201c": 'write plain quotes: "',
    "\u201d": 'write plain quotes: "',
    "\u201e": 'write plain quotes: "',
    "\u2018": 'write plain quotes: "',
    "\u2019": 'write plain quotes: "',
    "'": 'strings are in double quotes: "',
    "\u00a0": "replace the no-break space by a plain one",
    "\ufeff": "save the file without a byte order mark",
    "\u2013": "write a plain '-'",
    "\u2014": "write a plain '-'",
    "&": "write '&&' for and",
    "|": "write '||' for or",
    "@": "names begin with a letter",
    "$": "VCL has no such variables; names begin with a letter",
    "_": "names begin with a letter",
    "?": "VCL has no '?'; use if and else",
    "^": "write '!=' or quote the pattern",
    "\\": "VCL strings have no escapes; a backslash is legal inside quotes only",
    ":": "write '=' or remove the ':'",
    "`": 'strings are in double quotes: "',
}
_INSTEAD = {"&": "&&", "|": "||", "\u00a0": " ", "\ufeff": "", "\u2013": "-", "\u2014": "-"}
_QUOTE = "\u201c\u201d\u201e\u2018\u2019'`"
_UP_TO_QUOTE_RE = re.compile(f'([^"{_QUOTE}]*)([{_QUOTE}])(?=[^"{_QUOTE}]*$)')
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def check_text(table: TokenTable, visible: VisibleTokens, diags: Diagnostics, first: int = 0) -> set[int]:
    """Checks the tokens from table index ``first`` on. Returns the table indices of reported tokens, so that
    the parser reports no error about them."""
    known = _check_encoding(table, first, diags)
    comment = table.types.find(T.BLOCK_COMMENT, first)
    while comment >= 0:
        _check_closed(table, comment, T.BLOCK_COMMENT, diags, known)
        comment = table.types.find(T.BLOCK_COMMENT, comment + 1)
    last_unknown = -2
    last_place = (-1, -1)  # file and line of the last unknown character: one message per line is enough
    escaped = (-1, -1)  # file and line of the last escaped quote
    for match in _SUSPECT_RE.finditer(bytes(visible.types)):
        i = match.start()
        token = visible.table_index[i]
        type = visible.types[i]
        if token in known:
            continue
        if type in _AFTER_ESCAPE and (table.files[token], table.lines[token]) != escaped:
            from vernis.syntax.escaped_quote import report_escaped_quote

            if report_escaped_quote(table, visible, i, diags, known):
                escaped = (table.files[token], table.lines[token])
                continue
        if type == T.UNKNOWN:
            if i != last_unknown + 1 or not _touch(table, visible.table_index[i - 1], token):
                place = (table.files[token], table.lines[token])
                if place != last_place and not diags.full:
                    _report_unknown(table, visible, i, diags)
                last_place = place
            known.add(token)
            last_unknown = i
        elif type == T.UNCLOSED_STRING:
            diags.error(
                "V101",
                table.span((token, token)),
                "this string is not closed on its line",
                'close it with ", or use {"..."} for text of several lines',
            )
            known.add(token)
            visible.types[i] = T.STRING
        elif type == T.BLOB:
            _check_blob(table, token, diags, known)
        else:
            _check_closed(table, token, type, diags, known)
    _check_bodies(table, visible, diags)
    return known


def _check_encoding(table: TokenTable, first: int, diags: Diagnostics) -> set[int]:
    """Reports a UTF-16 file once, and marks all its tokens as reported."""
    wide = {
        number for number, file in enumerate(table.sources.files) if file.data.startswith(_UTF_16)
    }.intersection(table.files[first:])
    for number in sorted(wide):
        diags.error(
            "V105",
            Span(number, 0, 2),
            "this file is UTF-16",
            "save it as UTF-8 without a byte order mark",
            stock=phrase("syntax"),
        )
    return {i for i in range(first, len(table)) if table.files[i] in wide} if wide else set()


def _check_closed(table: TokenTable, token: int, type: int, diags: Diagnostics, known: set[int]) -> None:
    code, what, opening, closing = _OPENINGS[type]
    text = table.text(token)
    start = table.starts[token]
    if len(text) >= len(opening) + len(closing) and text.endswith(closing):
        if type == T.BLOCK_COMMENT and (inner := text.find("/*", 2)) > 0:
            diags.error(
                "V110",
                Span(table.files[token], start + inner, start + inner + 2),
                "this comment begins inside another one",
                "comments do not nest; is a */ missing above?",
                stock=phrase("nested comment"),
            )
            known.add(token)
        return
    diags.error(
        code,
        Span(table.files[token], start, start + len(opening)),
        f"this {what} is never closed",
        f"close it with {closing}",
    )
    known.add(token)


def _check_blob(table: TokenTable, token: int, diags: Diagnostics, known: set[int]) -> None:
    wrong = wrong_base64(table.text(token)[1:-1])
    if wrong:
        diags.error(
            "V107",
            table.span((token, token)),
            "this is not base64",
            "a blob literal is :base64:, in groups of four characters, padded with '='",
            stock=phrase(wrong),
        )
        known.add(token)


def wrong_base64(text: str) -> str:
    """Returns the row of ``stock.py`` for an error in base64 text; empty if there is none."""
    import base64

    digits = text.rstrip("=")
    padding = len(text) - len(digits)
    if "=" in digits or padding > (0, 0, 2, 1)[len(digits) % 4]:
        return "blob padding"
    if len(text) % 4:
        return "blob length"
    canonical = base64.b64encode(base64.b64decode(text)).decode()
    return "" if canonical == text else "blob character"


def _check_bodies(table: TokenTable, visible: VisibleTokens, diags: Diagnostics) -> None:
    """Reports ``acl x {"1.2.3.4"``. ``repair.py`` has split it into two tokens, which are adjacent as no
    others can be."""
    for match in _BODY_RE.finditer(bytes(visible.types)):
        brace, string = visible.table_index[match.end() - 2], visible.table_index[match.end() - 1]
        if _touch(table, brace, string):
            _report_long_string(table, brace, diags)


def _report_long_string(table: TokenTable, token: int, diags: Diagnostics) -> None:
    start = table.starts[token]
    space = Edit(Span(table.files[token], start + 1, start + 1), " ")
    diags.error(
        "V103",
        Span(table.files[token], start, start + 2),
        '{" begins a long string, not a body',
        'put a space between { and "',
        edits=(space,),
    )


def _touch(table: TokenTable, left: int, right: int) -> bool:
    return table.files[left] == table.files[right] and table.ends[left] == table.starts[right]


def _report_unknown(table: TokenTable, visible: VisibleTokens, i: int, diags: Diagnostics) -> None:
    """Reports a run of unknown characters once: a UTF-8 sequence is several tokens."""
    first = last = visible.table_index[i]
    while (
        i + 1 < len(visible.types)
        and visible.types[i + 1] == T.UNKNOWN
        and _touch(table, visible.table_index[i], visible.table_index[i + 1])
    ):
        i += 1
        last = visible.table_index[i]
    span = table.span((first, last))
    text = shown(table.sources.files[span.file].data[span.start : span.end])
    from vernis.syntax.remedies import PLACEHOLDER, TEMPLATE  # a valid policy does not need these tables

    file = table.sources.files[span.file]
    if PLACEHOLDER.search(file.line_bytes(file.line_of(span.start))):
        code, message, help = TEMPLATE
        diags.error(code, span, message, help, stock=phrase("syntax"))
        return
    help, edits = _advice(table, visible, visible.table_index.index(first), i, text)
    diags.error(
        "V105",
        span,
        f"{_quoted(text)} is not part of VCL",
        help,
        edits=edits,
        stock=_stock_of_unknown(table, span, text),
    )


def _advice(
    table: TokenTable, visible: VisibleTokens, first: int, last: int, text: str
) -> tuple[str, tuple[Edit, ...]]:
    """Returns help and edits for a run of unknown characters, visible tokens ``first`` to ``last``."""
    span = table.span((visible.table_index[first], visible.table_index[last]))
    if text == ":" and (advice := _about_colon(table, visible, first, span)) is not None:
        return advice
    if text.startswith("```"):
        return "remove the line: it marks code in a document", ()
    if text == "&" and _head(visible, first) in (T.SET, T.IDENTIFIER):
        return "join texts with '+'", (Edit(span, "+"),)
    if text == "^" and visible.types[first - 1] in (T.MATCH, T.NO_MATCH):
        return 'patterns need double quotes: ~ "^..."', ()
    if len(text) == 1 and text in _QUOTE:
        return _LOOKALIKES[text], _quote_edits(table, span)
    help = next((_LOOKALIKES[c] for c in text if c in _LOOKALIKES), "remove it, or put it in quotes")
    return help, (Edit(span, _INSTEAD[text]),) if text in _INSTEAD else ()


def _about_colon(
    table: TokenTable, visible: VisibleTokens, i: int, span: Span
) -> tuple[str, tuple[Edit, ...]] | None:
    """Returns help for a colon after a name: an assignment of another language, or a part of a field in
    Fastly's form."""
    types = visible.types
    following = types[i + 1] if i + 1 < len(types) else 0
    if (
        i + 1 < len(types)
        and visible.line_starts[i + 1]
        and types[i - 1] in (T.IDENTIFIER, T.RPAREN, *STRINGS)
    ):
        return "a body is in braces: { ... }", ()
    if following == T.ASSIGN and _touch(table, visible.table_index[i], visible.table_index[i + 1]):
        return "write '='", (Edit(span, ""),)
    if bytes(types[i - 2 : i]) != bytes((T.DOT, T.IDENTIFIER)):
        return None
    if types[i - 3] in (T.LBRACE, T.SEMI):
        return "write '='", (Edit(span, " ="),)
    if following == T.IDENTIFIER and _touch(table, visible.table_index[i], visible.table_index[i + 1]):
        return "to read a part of a field, use module cookie or header, or regsub()", ()
    return None


def _head(visible: VisibleTokens, i: int) -> int:
    """Returns the type of the first token of the statement of visible token i."""
    while i > 0 and visible.types[i - 1] not in (T.SEMI, T.LBRACE, T.RBRACE):
        i -= 1
    return visible.types[i]


def _quote_edits(table: TokenTable, span: Span) -> tuple[Edit, ...]:
    """Returns the edits that make this quote and its partner plain, if the line has exactly one partner."""
    file = table.sources.files[span.file]
    rest = shown(
        file.line_bytes(file.line_of(span.start))[span.end - file.line_starts[file.line_of(span.start) - 1] :]
    )
    match = _UP_TO_QUOTE_RE.match(rest)
    if match is None:
        return ()
    start = span.end + len(match[1].encode())
    return (Edit(span, '"'), Edit(Span(span.file, start, start + len(match[2].encode())), '"'))


def _stock_of_unknown(table: TokenTable, span: Span, text: str) -> str:
    """Returns the phrase of Varnish, which reads a single colon as the start of an unclosed blob."""
    if not text.startswith(":"):
        return phrase("syntax")
    rest = _BLOB_REST_RE.match(table.sources.files[span.file].text, span.start + 1)
    return phrase("blob end" if rest is None or rest[1].isspace() or not rest[1] else "blob character")


def _quoted(text: str) -> str:
    if text.isprintable() and len(text) <= 16:
        return f"'{text}'"
    data = text.encode("utf-8", "replace")[:8]
    return "byte " + " ".join(f"0x{b:02x}" for b in data)
