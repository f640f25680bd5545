"""Words for one failure of a parser: a message, a remedy, and what to underline.

One method per place where parsing can fail, found by the rule that was being read; then what can go wrong anywhere. The
tables of what people write instead of VCL are in ``remedies.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from vernis.record import record
from vernis.syntax import remedies
from vernis.syntax.diagnostics import Edit, Label, Span
from vernis.syntax.generated.token_types import R, T
from vernis.syntax.modern import rewritten
from vernis.syntax.remedies import nearest
from vernis.syntax.stock import phrase
from vernis.syntax.tokens import DECLARATION_WORDS, STATEMENT_WORDS, STRINGS, TokenTable, VisibleTokens

_OPERANDS = frozenset((T.IDENTIFIER, T.NUMBER, T.BLOB, T.LPAREN)) | STRINGS
_OPERAND_ENDS = frozenset((T.IDENTIFIER, T.NUMBER, T.BLOB, T.RPAREN)) | STRINGS
_ASSIGNMENTS = frozenset((T.ASSIGN, T.ADD_ASSIGN, T.SUB_ASSIGN, T.MUL_ASSIGN, T.DIV_ASSIGN))
_COMPARISONS = frozenset((T.EQ, T.NE, T.LT, T.LE, T.GT, T.GE, T.MATCH, T.NO_MATCH))
_SHOWN_MAX = 32


@record
class Failure:
    """One record of a parser. Indices are into the visible tokens; nothing was skipped when ``last < first``."""

    token: int
    rule: int
    first: int
    last: int
    expected: frozenset[int]

    @property
    def supplied(self) -> bool:
        return self.last < self.first


@record
class Remark:
    """What to say about a failure; ``first`` and ``last`` are visible tokens to underline."""

    code: str
    message: str
    help: str
    first: int
    last: int
    edits: tuple[Edit, ...] = ()
    labels: tuple[Label, ...] = ()
    stock: str = ""
    place: Span | None = None       # instead of tokens


class Explainer:
    """Explains failures over one stream of tokens."""

    def __init__(self, table: TokenTable, visible: VisibleTokens) -> None:
        self.table = table
        self.visible = visible

    # ---- looking at tokens

    def type(self, i: int) -> int:
        return self.visible.types[i] if 0 <= i < len(self.visible.types) else 0

    def text(self, i: int) -> str:
        return self.table.text(self.visible.table_index[i]) if 0 <= i < len(self.visible.types) else ""

    def said(self, i: int) -> str:
        """A token in a message."""
        if i >= len(self.visible.types):
            return "the end of the text"
        text = self.table.value_text(self.visible.table_index[i])
        line = text.split("\n", 1)[0]
        if len(line) > _SHOWN_MAX or line != text:
            line = line[:_SHOWN_MAX] + "..."
        return f"'{line}'"

    def said_whole(self, i: int) -> str:
        """The same, with all parts of a name with dots."""
        if self.type(i) != T.IDENTIFIER:
            return self.said(i)
        first = last = i
        while self.type(first - 1) == T.DOT and self.type(first - 2) == T.IDENTIFIER:
            first -= 2
        while self.type(last + 1) == T.DOT and self.type(last + 2) == T.IDENTIFIER:
            last += 2
        return f"'{self._joined(first, last)}'"

    def span(self, first: int, last: int) -> Span:
        index = self.visible.table_index
        if first >= len(index):
            return self.table.behind(index[-1])
        return self.table.span((index[first], index[max(first, min(last, len(index) - 1))]))

    def _before(self, i: int) -> Span:
        place = self.span(i, i)
        return Span(place.file, place.start, place.start)

    def behind(self, i: int) -> Span:
        return self.table.behind(self.visible.table_index[i])

    def explain(self, failure: Failure) -> Remark:
        if self._in_template(failure):
            code, message, help_ = remedies.TEMPLATE
            return Remark(code, message, help_, failure.token, failure.token, stock=phrase("syntax"))
        for explainer in _BY_RULE.get(failure.rule, ()):
            remark = explainer(self, failure)
            if remark is not None:
                return remark
        for explainer in _GENERAL:
            remark = explainer(self, failure)
            if remark is not None:
                return remark
        return Remark("V201", f"{self.said(failure.token)} does not belong here", self._expectation(failure),
                      failure.token, failure.token)

    def _in_template(self, failure: Failure) -> bool:
        """Whether a placeholder stands on the lines where the parser stumbled."""
        span = self.span(min(failure.first, failure.token), failure.token)
        file = self.table.sources.files[span.file]
        return any(remedies.PLACEHOLDER.search(file.line_bytes(file.line_of(at))) for at in (span.start, min(span.end, len(file.data))))

    def hook(self, i: int) -> str:
        """The name of the sub that visible token ``i`` stands in."""
        at = self.visible.types.rfind(T.SUB, 0, i + 1)
        return self.text(at + 1).lower() if at >= 0 else ""

    def last_of_statement(self, first: int) -> int | None:
        """The token before the ';' that ends a statement; None when a bracket of a body comes first."""
        at = first
        while self.type(at + 1) not in (T.SEMI, T.LBRACE, T.RBRACE, 0):
            at += 1
        return at if self.type(at + 1) == T.SEMI else None

    def _source(self, first: int, last: int) -> str:
        """The text from one token to another, with what stands between them."""
        return self.table.sources.text(self.span(first, last))

    def _head(self, i: int) -> int:
        """The type of the token that begins the statement of token i."""
        while i > 0 and self.type(i - 1) not in (T.SEMI, T.LBRACE, T.RBRACE):
            i -= 1
        return self.type(i)

    def _quoted_edit(self, first: int, last: int) -> tuple[Edit, ...]:
        """Puts the text from one token to another in quotes."""
        start, end = self.span(first, first), self.behind(last)
        return (Edit(Span(start.file, start.start, start.start), '"'), Edit(end, '"'))

    def is_foreign(self, f: Failure) -> bool:
        """Whether a word of another language begins what could not be read: it says more than a character in it."""
        foreign = self.written_word(f.first) in remedies.NEWER_WORDS and self.type(f.first + 1) in (T.IDENTIFIER, T.LPAREN)
        return foreign and any(self.text(i) == ":" for i in range(f.first, f.last + 1))

    def _is_conflict(self, i: int) -> bool:
        """Whether the line of a token is a mark that a merge has left."""
        span = self.span(i, i)
        file = self.table.sources.files[span.file]
        return remedies.CONFLICT.match(file.line_bytes(file.line_of(span.start))) is not None

    # ---- what Varnish would say

    def stock(self, f: Failure) -> str:
        """The general form: what was expected, and what stands there."""
        got = self.written(f.token)
        before = self.type(f.token - 1)
        if f.expected >= {T.IDENTIFIER, T.STRING, T.NUMBER} or f.rule == R.arguments and before == T.LPAREN:
            return phrase("wrong token", got=got, type="REGEX" if before in (T.MATCH, T.NO_MATCH) else "STRING")
        want = next((remedies.STOCK_SPELLING[t] for t in remedies.STOCK_SPELLING if t in f.expected), "")
        return phrase("expected", want=want, got=f"'{got}'") if want else phrase("syntax")

    def written(self, i: int) -> str:
        """A token as Varnish reads it: two signs are one there which VCL does not use."""
        if i >= len(self.visible.types):
            return "end of input"
        text = self.text(i)
        doubled = text in ("<", ">") and self.text(i + 1).startswith(text) and self._adjacent(i)
        return 2 * text if doubled else text

    def _joined(self, first: int, last: int) -> str:
        return "".join(self.text(i) for i in range(first, last + 1))

    def _expectation(self, failure: Failure) -> str:
        words = sorted(remedies.SPELLING[t] for t in failure.expected if t in remedies.SPELLING)
        if not words or len(words) > 6:
            return "see the manual for what can stand here"
        return f"expected {' or '.join(words)}"

    # ---- lists: what can begin a declaration, a statement, a field, an acl entry

    def top_level(self, f: Failure) -> Remark | None:
        if f.rule != R.program:
            return None
        type, word = self.type(f.token), self.text(f.token)
        if type in STATEMENT_WORDS:
            return Remark("V221", f"{word} stands outside of a sub", "statements go into a sub, such as vcl_recv",
                          f.token, f.token)
        if type == T.SEMI:
            return self._stray_semicolon(f)
        if self._is_conflict(f.token):
            return Remark("V208", *remedies.UNRESOLVED, f.token, f.token)
        if type == T.IDENTIFIER:
            if word in remedies.OLD_DECLARATIONS:
                return Remark("V228", f"{word} is a declaration of old VCL versions", self._about_old_declaration(f),
                              f.token, f.token)
            if word in remedies.NEWER_WORDS:
                return Remark("V239", f"VCL 4 has no {word}", remedies.NEWER_WORDS[word], f.token, f.token)
            return Remark("V208", f"unknown declaration '{word}'",
                          nearest(word, remedies.DECLARATIONS, "declarations are " + ", ".join(remedies.DECLARATIONS)),
                          f.token, f.token, self._respelled(f.token, remedies.DECLARATIONS), stock=phrase("found", word=word))
        return Remark("V208", f"{self.said(f.token)} cannot begin a declaration",
                      "declarations are " + ", ".join(remedies.DECLARATIONS), f.token, f.token)

    def _about_old_declaration(self, f: Failure) -> str:
        """``director NAME KIND {``, with the name and the kind as they were written."""
        word = self.text(f.token)
        kind = remedies.DIRECTORS.get(self.written_word(f.token + 2))
        if word != "director" or kind is None:
            return remedies.OLD_DECLARATIONS[word]
        return f"import directors; and in vcl_init: new {self.text(f.token + 1)} = directors.{kind}(); then add_backend(...) for each"

    def written_word(self, i: int) -> str:
        """A word that may have minuses in it, which is how it is read anyway, in small letters."""
        return self.text(i).lower() if self.type(i) == T.IDENTIFIER else ""

    def _respelled(self, i: int, known: tuple[str, ...]) -> tuple[Edit, ...]:
        """The edit that puts the word in which is plainly meant."""
        word = remedies.meant(self.text(i), known)
        return (Edit(self.span(i, i), word),) if word else ()

    def in_block(self, f: Failure) -> Remark | None:
        type, word = self.type(f.token), self.text(f.token)
        if f.expected == {T.LBRACE}:
            return self._no_brace(f)
        if type in DECLARATION_WORDS:
            return Remark("V222", f"{word} stands inside of a sub", "declarations go outside; is a '}' missing above?",
                          f.token, f.token)
        if type in (T.ELSE, T.ELSEIF):
            return Remark("V216", f"{word} without an if", "it must follow the '}' of an if directly", f.token, f.token)
        if type == T.SEMI:
            return self._stray_semicolon(f)
        if self._is_conflict(f.token):
            return Remark("V209", *remedies.UNRESOLVED, f.token, f.token)
        return Remark("V209", f"{self.said(f.token)} cannot begin a statement",
                      "statements are " + ", ".join(remedies.STATEMENTS) + " and calls", f.token, f.token)

    def _stray_semicolon(self, f: Failure) -> Remark:
        what = "after '}'" if self.type(f.token - 1) == T.RBRACE else "here"
        return Remark("V237", f"there is no ';' {what} in VCL", "remove it", f.token, f.token,
                      (Edit(self.span(f.token, f.token), ""),))

    def _no_brace(self, f: Failure) -> Remark:
        """A body was expected: behind a condition, ``else``, or the name of a sub."""
        before = self.type(f.token - 1)
        if before == T.ELSE:
            word = self.text(f.token)
            if word.lower() == "if":
                return Remark("V215", f"'else {word}' is not known", "write 'else if' in small letters", f.token - 1, f.token)
            return Remark("V213", "the body of else needs braces", "write: else { ... }", f.token, f.token)
        if before == T.IDENTIFIER and self.type(f.token - 2) == T.SUB:
            if self.type(f.token) == T.LPAREN:
                return Remark("V233", "a sub has no parameters", "remove the parentheses", f.first, f.last)
            return Remark("V233", f"the body of {self.text(f.token - 1)} must follow its name",
                          "write: sub NAME { ... }", f.token, f.token)
        if before == T.RPAREN and self.type(f.token) == T.SEMI and self.type(f.token + 1) == T.LBRACE:
            return Remark("V237", "there is no ';' between a condition and its body", "remove it", f.token, f.token,
                          (Edit(self.span(f.token, f.token), ""),))
        if before == T.RPAREN and self.written_word(f.token) == "then" and self.type(f.token + 1) == T.LBRACE:
            return Remark("V213", "VCL has no 'then'", "remove it", f.token, f.token, (Edit(self.span(f.token, f.token), ""),))
        if before == T.RPAREN:
            return Remark("V213", "the body of an if needs braces", "write: if (...) { ... }", f.token, f.token)
        return Remark("V213", f"missing '{{' before {self.said(f.token)}", "bodies stand in braces", f.token, f.token)

    def in_properties(self, f: Failure) -> Remark | None:
        type = self.type(f.token)
        if f.expected == {T.LBRACE}:
            return Remark("V233", f"{self.said(f.token)} stands where the body should begin", "write: NAME { .field = value; }",
                          f.token, f.token)
        if type == T.SEMI:
            return self._stray_semicolon(f)
        if type == T.IDENTIFIER:
            return Remark("V229", f"the field '{self.text(f.token)}' does not begin with '.'",
                          f"write: .{self.text(f.token)} = ...;", f.token, f.token,
                          (Edit(self._before(f.token), "."),) if self.type(f.token + 1) == T.ASSIGN else (),
                          stock=phrase("field syntax") if self.text(f.token) in ("set", "backend") else "")
        return Remark("V229", f"{self.said(f.token)} cannot begin a field", "write: .name = value;", f.token, f.token)

    def in_acl(self, f: Failure) -> Remark | None:
        type = self.type(f.token)
        if f.expected == {T.LBRACE}:
            return self.in_acl_head(f)
        if type == T.SEMI:
            return self._stray_semicolon(f)
        if self.written_word(f.token) == "not" and self.type(f.token + 1) in STRINGS:
            return Remark("V230", "'not' is no part of an acl entry", f"write: ! {self.text(f.token + 1)}", f.token, f.token,
                          (Edit(self.span(f.token, f.token), "!"),))
        if type in (T.NUMBER, T.IDENTIFIER):
            return self._bare_address(f)
        if type in (T.LONG_STRING, T.TRIPLE_STRING):
            return None
        return Remark("V230", f"{self.said(f.token)} cannot begin an acl entry", 'write: "192.0.2.0"/24;', f.token, f.token)

    def _bare_address(self, f: Failure) -> Remark:
        last = f.token
        while self._adjacent(last) and self.type(last + 1) in (T.NUMBER, T.IDENTIFIER, T.DOT):
            last += 1
        if self.type(last + 1) not in (T.SEMI, T.SLASH):
            return Remark("V230", "addresses in an acl stand in quotes", 'write: "192.0.2.0"/24;', f.token, f.last)
        return Remark("V230", "addresses in an acl stand in quotes", f'write: "{self._joined(f.token, last)}"', f.token, last,
                      self._quoted_edit(f.token, last))

    # ---- single rules

    def in_field(self, f: Failure) -> Remark | None:
        if T.ASSIGN in f.expected:
            edits = (Edit(self.behind(f.token - 1), " ="),) if self.type(f.token) in (T.LBRACE, *STRINGS) else ()
            return Remark("V229", f"missing '=' before {self.said(f.token)}", "write: .name = value;", f.token, f.token, edits)
        if self.type(f.token) == T.COMMA and T.SEMI in f.expected:
            return Remark("V201", "fields end with ';'", "replace the ',' by ';'", f.token, f.token,
                          (Edit(self.span(f.token, f.token), ";"),))
        if self.type(f.token) == T.IDENTIFIER and f.rule == R.fieldName:
            return None
        if f.rule == R.fieldName or f.expected == {T.IDENTIFIER}:
            return Remark("V229", f"{self.said(f.token)} is no name of a field", "write: .name = value;", f.token, f.token)
        return None

    def in_acl_head(self, f: Failure) -> Remark | None:
        if f.rule == R.aclFlag or self.type(f.token) in (T.PLUS, T.MINUS):
            return Remark("V232", f"{self.said(f.token)} is no flag of an acl", "flags are +log, +table, -pedantic", f.token, f.token)
        return Remark("V232", f"{self.said(f.token)} stands where flags or the body of the acl should begin",
                      'write: acl NAME { "192.0.2.0"/24; }', f.token, f.token)

    def in_acl_entry(self, f: Failure) -> Remark | None:
        after_mask = self.type(f.token - 1) == T.NUMBER and self.type(f.token) in (T.DOT, T.IDENTIFIER)
        if after_mask and (bits := self._bits_of_mask(f.token - 1)) is not None:
            return bits
        if f.expected == {T.NUMBER} or after_mask:
            return Remark("V231", f"{self.said(f.token)} is not a number of bits", 'write: "192.0.2.0"/24;', f.token, f.token)
        if self.type(f.token) == T.SLASH and self.type(f.token - 1) == T.RPAREN:
            return Remark("V231", "the number of bits goes inside the parentheses", 'write: ("example.com"/24);', f.token, f.token)
        if self.type(f.token) in (T.NUMBER, T.IDENTIFIER):
            return Remark("V230", "addresses in an acl stand in quotes", 'write: ! "192.0.2.1";', f.token, f.token)
        if self.type(f.token) == T.MINUS and self.type(f.token + 1) in STRINGS:
            return Remark("V230", "an acl has networks, not ranges", 'write each network: "192.0.2.0"/24;', f.token, f.token)
        if self.type(f.token) == T.COMMA:
            return Remark("V230", "acl entries end with ';'", "replace the ',' by ';'", f.token, f.token,
                          (Edit(self.span(f.token, f.token), ";"),))
        return None

    def _bits_of_mask(self, first: int) -> Remark | None:
        """``/255.0.0.0``, as other programs write masks."""
        last = first
        while self._adjacent(last) and self.type(last + 1) in (T.NUMBER, T.DOT):
            last += 1
        bits = remedies.mask_bits(self._joined(first, last))
        if bits is None:
            return None
        return Remark("V231", f"{self._joined(first, last)} is not a number of bits", f"write: /{bits}", first, last,
                      (Edit(self.span(first, last), str(bits)),))

    def in_version(self, f: Failure) -> Remark | None:
        stock = phrase("version end") if self.type(f.token - 1) == T.NUMBER else ""
        last = f.token
        while self._adjacent(last) and self.type(last + 1) in (T.NUMBER, T.DOT):
            last += 1
        edits = (Edit(self.span(f.token, last), "4.1"),) if self.type(f.token - 1) == T.VCL and self.type(last + 1) == T.SEMI else ()
        return Remark("V211", f"{self.said(f.token)} is no version", "write: vcl 4.1;", f.token, f.token, edits, stock=stock)

    def in_backend(self, f: Failure) -> Remark | None:
        if f.expected >= {T.NONE, T.LBRACE}:
            if self.type(f.token) == T.ASSIGN and self.type(f.token + 1) == T.LBRACE:
                return Remark("V233", "there is no '=' between a backend and its body", "remove it", f.token, f.token,
                              (Edit(self.span(f.token, f.token), ""),))
            return Remark("V233", f"{self.said(f.token)} stands where the body of the backend should begin",
                          'write: backend NAME { .host = "..."; } or: backend NAME none;', f.token, f.token)
        return None

    def in_import(self, f: Failure) -> Remark | None:
        if self.type(f.token) == T.COMMA:
            return Remark("V238", "import takes one module", "write one import for each", f.token, f.token)
        if self._is_quoted_name(f.token):
            return Remark("V238", "modules are named without quotes", f"write: import {self._unquoted(f.token)};", f.token, f.token,
                          (Edit(self.span(f.token, f.token), self._unquoted(f.token)),))
        if f.expected == {T.IDENTIFIER} or f.rule == R.importAlias:
            return Remark("V238", f"{self.said(f.token)} is no name of a module", "write: import std;", f.token, f.token)
        return Remark("V238", f"{self.said(f.token)} does not belong to an import",
                      'write: import NAME [as NAME] [from "path"];', f.token, f.token)

    def _is_quoted_name(self, i: int) -> bool:
        return self.type(i) == T.STRING and remedies.NAME.fullmatch(self._unquoted(i)) is not None

    def _unquoted(self, i: int) -> str:
        return self.text(i)[1:-1]

    def in_string(self, f: Failure) -> Remark | None:
        return self.in_import(f) if self.type(f.first) == T.IMPORT else None

    def in_declared_name(self, f: Failure) -> Remark | None:
        if self.type(f.first) == T.IMPORT:
            return self.in_import(f)
        word = self.text(f.token - 1) or "the declaration"
        shown = self.said(f.token)
        if self.type(f.token) in (T.LBRACE, T.SEMI):
            return Remark("V234", f"{word} has no name", f"write: {word} NAME ...", f.token - 1, f.token - 1)
        if self._is_quoted_name(f.token):
            return Remark("V234", "names are not quoted", f"write: {word} {self._unquoted(f.token)}", f.token, f.token,
                          (Edit(self.span(f.token, f.token), self._unquoted(f.token)),))
        return Remark("V234", f"{shown} is not a name", "names are letters, digits, '_' and '-', and begin with a letter",
                      f.token, f.token)

    def in_name(self, f: Failure) -> Remark | None:
        if self.type(f.token - 1) == T.DOT:
            stock = phrase("header character", character=r"\n") if self.type(f.token) in STRINGS else ""
            if self.type(f.token) == T.NUMBER and [self.written_word(f.token - i) for i in (4, 2)] == ["re", "group"]:
                return Remark("V234", "VCL has no groups of the last match", r'write: regsub(text, pattern, "\1")', f.token - 4, f.token)
            quoted = 'header names with other characters are quoted: req.http."x.y"'
            in_field = self.written_word(f.token - 2) == "http"
            return Remark("V234", f"{self.said(f.token)} cannot follow a '.'",
                          f"a name goes here; {quoted}" if in_field else "a name goes here, of letters, digits, '_' and '-'",
                          f.token, f.token, stock=stock)
        if self.type(f.first) == T.NEW:
            return self.in_new(f)
        if self.type(f.first) == T.RETURN:
            return self.in_return(f)
        word = self.text(f.token - 1)
        return Remark("V234", f"{self.said(f.token)} is not the name of a variable", f"write: {word} req.http.Name ...",
                      f.token, f.token)

    def in_set(self, f: Failure) -> Remark | None:
        if f.expected >= {T.ASSIGN, T.ADD_ASSIGN}:
            if self.type(f.token) == T.EQ:
                return Remark("V243", "'==' compares", "to assign, write '='", f.token, f.token,
                              (Edit(self.span(f.token, f.token), "="),))
            if self.type(f.token) in (T.DOUBLE_PLUS, T.DOUBLE_MINUS):
                sign = self.text(f.token)
                return Remark("V240", f"VCL has no '{sign}'", f"write: {sign[0]}= 1", f.token, f.token)
            return Remark("V243", f"missing '=' before {self.said(f.token)}", "write: set NAME = VALUE;", f.token, f.token)
        return None

    def in_unset(self, f: Failure) -> Remark | None:
        if self.type(f.token) == T.COMMA:
            return Remark("V241", "unset takes one name", "write one unset for each", f.token, f.token)
        if self.type(f.token) in _ASSIGNMENTS:
            return Remark("V243", "unset takes no value", "write: unset NAME;", f.token, f.last)
        return None

    def in_return(self, f: Failure) -> Remark | None:
        if f.expected >= {T.SEMI} and self.type(f.token - 1) == T.RETURN:
            last = self.last_of_statement(f.token)
            word = self.text(f.token) if last is None else self._source(f.token, last)
            edits = (Edit(self._before(f.token), "("), Edit(self.behind(last), ")")) if last is not None else ()
            return Remark("V235", "the action of return stands in parentheses", f"write: return ({word});", f.token, f.token, edits)
        argument = f.token + (self.type(f.token) == T.COMMA)
        if self.text(f.token - 1).lower() in remedies.ACTIONS_WITH_ARGUMENTS and self.type(argument) in (T.NUMBER, *STRINGS):
            word = self.text(f.token - 1)
            return Remark("V235", f"the arguments of {word} stand in parentheses", f"write: return ({word}(...));", f.token, f.token)
        if f.rule in (R.name, R.action) and self._is_quoted_name(f.token):
            return Remark("V235", "actions are not quoted", f"write: return ({self._unquoted(f.token)});", f.token, f.token,
                          (Edit(self.span(f.token, f.token), self._unquoted(f.token)),))
        if f.rule in (R.name, R.action) or T.IDENTIFIER in f.expected and self.type(f.token) == T.RPAREN:
            return Remark("V235", f"{self.said(f.token)} is no action", "an action goes here, such as deliver or pass", f.token, f.token)
        if self.type(f.token) == T.COMMA:
            return Remark("V235", "return takes one action", "keep the one that is meant", f.token, f.token)
        return None

    def in_new(self, f: Failure) -> Remark | None:
        stock = ""
        if self.type(f.token) == T.DOT:
            stock = phrase("not a name", what="VCL object", name=self._joined(f.first + 1, f.token + 1), character=".")
        return Remark("V244", f"{self.said(f.token)} does not belong to new", "write: new NAME = module.object(...);",
                      f.token, f.token, stock=stock)

    def in_condition(self, f: Failure) -> Remark | None:
        if f.expected == {T.LPAREN}:
            return Remark("V214", "the condition needs parentheses", "write: if (...) { ... }", f.token, f.token)
        if self.type(f.token) in _ASSIGNMENTS and T.RPAREN in f.expected:
            return self._assignment_in_expression(f)
        return None

    def _assignment_in_expression(self, f: Failure) -> Remark:
        if self.type(f.token) == T.ASSIGN and self.type(f.token + 1) == T.MATCH:
            return Remark("V240", "VCL has no '=~'", "write '~' to match a pattern", f.token, f.token + 1,
                          (Edit(self.span(f.token, f.token + 1), "~"),))
        return Remark("V217", f"{self.said(f.token)} assigns", "to compare, write '=='", f.token, f.token,
                      (Edit(self.span(f.token, f.token), "=="),) if self.type(f.token) == T.ASSIGN else ())

    def in_function(self, f: Failure) -> Remark | None:
        """A statement that begins with a name which no ``(`` follows, or whose call is not one."""
        if self.type(f.first) != T.IDENTIFIER or f.token == f.first:
            return None
        word = self.text(f.first)
        folded = word.lower()
        if T.SEMI in f.expected and self.type(f.token) == T.LBRACE:
            return self._unknown_block(f, word)
        if f.expected != {T.LPAREN}:
            return None
        if folded == "else" and self.type(f.first + 1) == T.LPAREN:
            return Remark("V215", "else takes no condition", "write: else if (...) { ... }", f.first, f.first,
                          (Edit(self.behind(f.first), " if"),))
        if self.text(f.first + 1) == "::":
            return Remark("V209", "'.' stands between a module and its function", f"write: {word}.{self.text(f.first + 2)}(...)",
                          f.first, f.first + 1, (Edit(self.span(f.first + 1, f.first + 1), "."),))
        if folded in remedies.ELSE_LIKE:
            return Remark("V215", f"'{word}' is not known", "write: else if (...) { ... }", f.first, f.first)
        if self.type(f.first + 1) != T.DOT and folded in remedies.OLD_STATEMENTS:
            return self._old_word("V228", f"{word} is a statement of old VCL versions", remedies.OLD_STATEMENTS[folded], f)
        if self.type(f.first + 1) != T.DOT and folded in remedies.NEWER_WORDS:
            return self._old_word("V239", f"VCL 4 has no {word}", remedies.NEWER_WORDS[folded], f)
        if self.type(f.first + 1) != T.DOT and folded in remedies.ACTIONS:
            edits = (Edit(self.span(f.first, f.first), f"return ({folded})"),) if self.type(f.first + 1) == T.SEMI else ()
            return Remark("V235", f"{word} is an action", f"write: return ({folded});", f.first, f.first, edits)
        if self.type(f.first + 1) == T.SEMI and self._is_sub(word):
            return Remark("V209", f"{word} is a sub", f"write: call {word};", f.first, f.first, (Edit(self._before(f.first), "call "),))
        if self.type(f.token) in _ASSIGNMENTS:
            place = self.span(f.first, f.first)
            start = Span(place.file, place.start, place.start)
            return Remark("V243", "an assignment begins with set", f"write: set {word}... = ...;", f.first, f.token - 1,
                          (Edit(start, "set "),))
        if self.type(f.first + 1) == T.DOT:
            return Remark("V209", "a name alone does nothing", "call it: name(...); or assign with set", f.first, f.token - 1)
        return Remark("V209", f"unknown statement '{word}'",
                      nearest(word, remedies.STATEMENTS, "statements are " + ", ".join(remedies.STATEMENTS) + " and calls"),
                      f.first, f.first, self._respelled(f.first, remedies.STATEMENTS), stock=self._stock_of_word(f))

    def _old_word(self, code: str, message: str, help: str, f: Failure) -> Remark:
        """A statement that is written otherwise now: as it would be, where that can be told."""
        rewrite = rewritten(self, f.first)
        if rewrite is None:
            return Remark(code, message, help, f.first, f.first)
        return Remark(code, message, f"write: {rewrite.text}" if rewrite.text and "import" not in help else help, f.first, f.first,
                      rewrite.edits)

    def _is_sub(self, word: str) -> bool:
        """Whether a sub of that name is defined."""
        types = bytes(self.visible.types)
        at = types.find(bytes((T.SUB, T.IDENTIFIER)))
        while at >= 0 and self.text(at + 1).lower() != word.lower():
            at = types.find(bytes((T.SUB, T.IDENTIFIER)), at + 1)
        return at >= 0

    def _stock_of_word(self, f: Failure) -> str:
        """A word that begins no statement: an object has its methods, anything else is unknown."""
        word = self.text(f.first).lower()
        types = bytes(self.visible.types[:f.first])
        at = types.find(bytes((T.NEW, T.IDENTIFIER)))
        while at >= 0:
            if self.text(at + 1).lower() == word:
                return phrase("expected", want="'.'", got=f"'{self.written(f.token)}'")
            at = types.find(bytes((T.NEW, T.IDENTIFIER)), at + 1)
        return phrase("not found", name=self.text(f.first))

    def _unknown_block(self, f: Failure, word: str) -> Remark:
        """``word (...) {``"""
        if self.type(f.first - 1) == T.RBRACE and remedies.resembles_else_if(word):
            return Remark("V215", f"'{word}' is not known", "write: else if (...) { ... }", f.first, f.first)
        if word.lower() in remedies.NEWER_WORDS:
            return Remark("V239", f"VCL 4 has no {word}", remedies.NEWER_WORDS[word.lower()], f.first, f.first)
        return Remark("V209", f"'{word}' takes no body", nearest(word, ("if",), "only if and else do"), f.first, f.first,
                      self._respelled(f.first, ("if",)))

    # ---- anywhere

    def foreign_statement(self, f: Failure) -> Remark | None:
        """``for (...)`` and the like, where the error is in the parentheses."""
        word = self.text(f.first)
        if self.type(f.first) == T.IDENTIFIER and self.type(f.first + 1) == T.LPAREN \
                and word.lower() in remedies.FOREIGN_STATEMENTS:
            return Remark("V239", f"VCL 4 has no {word}", remedies.NEWER_WORDS[word.lower()], f.first, f.first)
        return None

    def operator_words(self, f: Failure) -> Remark | None:
        if self.type(f.token) == T.IDENTIFIER and self.type(f.token - 1) in _OPERAND_ENDS:
            word = self.text(f.token).lower()
            if word == "in" and self.type(f.token + 1) in (T.LBRACKET, T.LPAREN):
                return Remark("V240", "VCL has no lists", 'write a pattern: ~ "^(GET|HEAD)$"', f.token, f.token)
            if word in remedies.OPERATOR_WORDS:
                return Remark("V240", f"VCL has no operator '{word}'", f"write '{remedies.OPERATOR_WORDS[word]}'",
                              f.token, f.token, (Edit(self.span(f.token, f.token), remedies.OPERATOR_WORDS[word]),))
        return None

    def bare_text(self, f: Failure) -> Remark | None:
        """``.host = 127.0.0.1;``: pieces that stand together behind the '=' of a field."""
        first = last = f.first + 3
        if bytes(self.visible.types[f.first:first]) != bytes((T.DOT, T.IDENTIFIER, T.ASSIGN)):
            return None
        while self._adjacent(last) and self.type(last + 1) in (T.NUMBER, T.IDENTIFIER, T.DOT):
            last += 1
        if self.type(first) not in (T.NUMBER, T.IDENTIFIER) or self.type(last + 1) != T.SEMI or not first <= f.token <= last:
            return None
        text = self._joined(first, last)
        return Remark("V201", f"{text} is not in quotes", f'write: "{text}"', first, last, self._quoted_edit(first, last))

    def negation_word(self, f: Failure) -> Remark | None:
        """``not x``, and ``not`` before what is no call."""
        word = f.token - 1
        if self.text(word) not in ("not", "NOT") or self.type(word - 1) in (T.DOT, *_OPERAND_ENDS) or self.type(f.token) not in _OPERANDS:
            return None
        start, end = self.span(word, word), self.span(f.token, f.token)
        return Remark("V240", "VCL has no operator 'not'", "write '!'", word, word, (Edit(Span(start.file, start.start, end.start), "!"),))

    def foreign_operators(self, f: Failure) -> Remark | None:
        if self.type(f.token) in (T.DOUBLE_PLUS, T.DOUBLE_MINUS):
            sign = self.text(f.token)
            return Remark("V240", f"VCL has no '{sign}'", f"put a blank between the two '{sign[0]}', or remove one",
                          f.token, f.token)
        pair = (self.type(f.token - 1), self.type(f.token))
        if pair == (T.ASSIGN, T.GT) and self._head(f.token) == T.SET:
            return Remark("V240", "VCL has no '=>'", "write '='", f.token - 1, f.token, (Edit(self.span(f.token - 1, f.token), "="),))
        if self.type(f.token) == T.NOT and self.type(f.token + 1) == T.MATCH:
            return Remark("V240", "VCL has no '! ~'", "write '!~'", f.token, f.token + 1, (Edit(self.span(f.token, f.token + 1), "!~"),))
        if pair in remedies.FOREIGN_OPERATORS and self._adjacent(f.token - 1):
            right, wrong = remedies.FOREIGN_OPERATORS[pair]
            return Remark("V240", f"VCL has no '{wrong}'", f"write '{right}'", f.token - 1, f.token,
                          (Edit(self.span(f.token - 1, f.token), right),))
        return None

    def _adjacent(self, i: int) -> bool:
        if i + 1 >= len(self.visible.types):
            return False
        left, right = self.visible.table_index[i], self.visible.table_index[i + 1]
        return self.table.ends[left] == self.table.starts[right]

    def juxtaposition(self, f: Failure) -> Remark | None:
        if self.type(f.token) not in _OPERANDS or self.type(f.token - 1) not in _OPERAND_ENDS:
            return None
        if not f.expected & {T.SEMI, T.RPAREN, T.COMMA}:
            return None
        place = self.behind(f.token - 1)
        if self.type(f.token) == T.LPAREN:
            return None
        if self._is_bare_word(f.token - 1) and self._is_bare_word(f.token) and T.SEMI not in f.expected:
            words = f"{self.text(f.token - 1)} {self.text(f.token)}"
            return Remark("V218", f"nothing joins {self.said(f.token - 1)} and {self.said(f.token)}",
                          f'text stands in quotes: "{words}"', f.token - 1, f.token)
        if T.SEMI in f.expected and self._begins_statement(f):
            return Remark("V202", f"missing ';' after {self.said(f.token - 1)}", "put ';' here", f.token - 1, f.token - 1,
                          (Edit(place, ";"),), place=place)
        if T.COMMA in f.expected:
            return Remark("V218", f"nothing joins {self.said_whole(f.token - 1)} and {self.said_whole(f.token)}",
                          "put ',' between arguments; join texts with '+'", f.token, f.token)
        if self.type(f.token - 2) in (T.MATCH, T.NO_MATCH) and self.text(f.token) == "i":
            return self._case_flag(f)
        nothing = f"nothing joins {self.said_whole(f.token - 1)} and {self.said_whole(f.token)}"
        if self._head(f.token) in (T.IF, T.ELSEIF) and not self._compares(f.token):
            return Remark("V218", nothing, "compare them with '==' or '~', or join them with '+'", f.token, f.token)
        return Remark("V218", nothing, "join texts with '+'", f.token, f.token, (Edit(place, " +"),))

    def _case_flag(self, f: Failure) -> Remark:
        """``~ "pattern"i``"""
        text = self.span(f.token - 1, f.token - 1)
        edits = (Edit(Span(text.file, text.start + 1, text.start + 1), "(?i)"), Edit(self.span(f.token, f.token), ""))
        return Remark("V218", "patterns have no flags behind them", 'write: ~ "(?i)..."', f.token, f.token,
                      edits if self.type(f.token - 1) == T.STRING else ())

    def _compares(self, i: int) -> bool:
        """Whether the condition of token i has a comparison."""
        first = last = i
        while first > 0 and self.type(first - 1) not in (T.SEMI, T.LBRACE, T.RBRACE):
            first -= 1
        while self.type(last + 1) not in (T.SEMI, T.LBRACE, T.RBRACE, 0):
            last += 1
        return any(self.type(k) in _COMPARISONS for k in range(first, last + 1))

    def _is_bare_word(self, i: int) -> bool:
        return self.type(i) == T.IDENTIFIER and T.DOT not in (self.type(i - 1), self.type(i + 1))

    def _begins_statement(self, f: Failure) -> bool:
        """Whether a word stands at the beginning of a line, below the beginning of the statement before it, and is none of its own."""
        if self.type(f.token) != T.IDENTIFIER or not (self.visible.line_starts[f.token] and self.visible.line_starts[f.first]):
            return False
        return self._column(f.token) == self._column(f.first)

    def _column(self, i: int) -> int:
        span = self.span(i, i)
        return self.table.sources.files[span.file].position(span.start)[1]

    def assignment(self, f: Failure) -> Remark | None:
        if self.type(f.token) in _ASSIGNMENTS and f.expected & {T.SEMI, T.RPAREN, T.COMMA}:
            return self._assignment_in_expression(f)
        return None

    def missing_value(self, f: Failure) -> Remark | None:
        if not f.expected >= {T.IDENTIFIER, T.STRING, T.NUMBER}:
            return None
        type = self.type(f.token)
        if type == T.NOT:
            return Remark("V220", "'!' stands before a whole comparison only", "put it in parentheses: (!x)", f.token, f.token)
        if type == T.MINUS:
            return Remark("V220", "'-' stands twice", "write one, or put the value in parentheses", f.token, f.token)
        if type == T.LBRACKET:
            return Remark("V223", "VCL has no lists", "write one value", f.token, f.token)
        if type == T.LBRACE:
            return Remark("V223", f"a value is missing before {self.said(f.token)}",
                          'a long string begins with {" without a blank', f.token, f.token)
        if type == T.DOT and self.type(f.token + 1) == T.NUMBER:
            return Remark("V223", "a number does not begin with '.'", f"write: 0.{self.text(f.token + 1)}", f.token, f.token + 1)
        if type in (T.SLASH, T.RPAREN, T.SEMI) and self.type(f.token - 1) in (T.MATCH, T.NO_MATCH):
            return Remark("V223", "patterns stand in double quotes", 'write: ~ "pattern"', f.token, f.token)
        before = self.said(f.token - 1)
        return Remark("V223", f"a value is missing between {before} and {self.said(f.token)}",
                      "write a variable, a text or a number", f.token, f.token)

    def missing_parenthesis(self, f: Failure) -> Remark | None:
        if f.rule in (R.newStatement, R.arguments, R.functionStatement) and f.expected == {T.LPAREN}:
            stock = ""
            if self.type(f.first) == T.NEW and self.type(f.first + 2) == T.ASSIGN:
                stock = phrase("not found", name=self._joined(f.first + 3, f.token - 1))
            return Remark("V242", f"missing '(' before {self.said(f.token)}", "a call has parentheses: name(...)",
                          f.token, f.token, (Edit(self.behind(f.token - 1), "()"),) if self.type(f.token) == T.SEMI else (), stock=stock)
        return None


_Explainer = Callable[[Explainer, Failure], Remark | None]

_BY_RULE: dict[int, tuple[_Explainer, ...]] = {
    R.program: (Explainer.top_level,),
    R.block: (Explainer.in_block,),
    R.properties: (Explainer.in_properties,),
    R.aclEntries: (Explainer.in_acl,),
    R.field: (Explainer.in_field,),
    R.fieldName: (Explainer.in_field,),
    R.acl: (Explainer.in_acl_head,),
    R.aclFlag: (Explainer.in_acl_head,),
    R.aclEntry: (Explainer.in_acl_entry,),
    R.aclAddress: (Explainer.in_acl_entry,),
    R.optionalAddress: (Explainer.in_acl_entry,),
    R.maskBits: (Explainer.in_acl_entry,),
    R.version: (Explainer.in_version,),
    R.backend: (Explainer.in_backend,),
    R.importModule: (Explainer.in_import,),
    R.importAlias: (Explainer.in_import,),
    R.string: (Explainer.in_string,),
    R.declaredName: (Explainer.in_declared_name,),
    R.name: (Explainer.in_name,),
    R.setStatement: (Explainer.in_set,),
    R.assignment: (Explainer.in_set,),
    R.unsetStatement: (Explainer.in_unset,),
    R.returnStatement: (Explainer.in_return,),
    R.action: (Explainer.in_return,),
    R.newStatement: (Explainer.in_new,),
    R.condition: (Explainer.in_condition,),
    R.functionStatement: (Explainer.in_function,),
    R.arguments: (Explainer.in_function,),
}

_GENERAL: tuple[_Explainer, ...] = (
    Explainer.foreign_statement,
    Explainer.bare_text,
    Explainer.operator_words,
    Explainer.negation_word,
    Explainer.foreign_operators,
    Explainer.missing_parenthesis,
    Explainer.missing_value,
    Explainer.assignment,
    Explainer.juxtaposition,
)
