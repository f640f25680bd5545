"""Explains mistakes that can occur in any rule: values, operators and words of other languages.

``remedies.py`` has the tables of such words with their VCL counterparts.
"""

from __future__ import annotations

from vernis.syntax import remedies
from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.driver import Failure
from vernis.syntax.generated.token_types import R, T
from vernis.syntax.stock import phrase
from vernis.syntax.stumble import TokenReader, Remark
from vernis.syntax.tokens import STRINGS

_OPERANDS = frozenset((T.IDENTIFIER, T.NUMBER, T.BLOB, T.LPAREN)) | STRINGS
_OPERAND_ENDS = frozenset((T.IDENTIFIER, T.NUMBER, T.BLOB, T.RPAREN)) | STRINGS
_ASSIGNMENTS = frozenset((T.ASSIGN, T.ADD_ASSIGN, T.SUB_ASSIGN, T.MUL_ASSIGN, T.DIV_ASSIGN))
_SIZES = frozenset(("free_space", "used_space"))
_COMPARISONS = frozenset((T.EQ, T.NE, T.LT, T.LE, T.GT, T.GE, T.MATCH, T.NO_MATCH))


class Anywhere(TokenReader):
    """Explanations of syntax errors in statements and expressions of any kind."""

    def _assignment_in_expression(self, f: Failure) -> Remark:
        if self.type(f.token) == T.ASSIGN and self.type(f.token + 1) == T.MATCH:
            return Remark(
                "V240",
                "VCL has no '=~'",
                "write '~' to match a pattern",
                f.token,
                f.token + 1,
                (Edit(self.span(f.token, f.token + 1), "~"),),
            )
        return Remark(
            "V217",
            f"{self.shown(f.token)} assigns",
            "to compare, write '=='",
            f.token,
            f.token,
            (Edit(self.span(f.token, f.token), "=="),) if self.type(f.token) == T.ASSIGN else (),
        )

    def foreign_statement(self, f: Failure) -> Remark | None:
        """Explains ``for (...)`` and similar statements, where the failure lies in the parentheses."""
        word = self.text(f.first)
        if (
            self.type(f.first) == T.IDENTIFIER
            and self.type(f.first + 1) == T.LPAREN
            and word.lower() in remedies.FOREIGN_STATEMENTS
        ):
            return Remark(
                "V239", f"VCL 4 has no {word}", remedies.NEWER_WORDS[word.lower()], f.first, f.first
            )
        return None

    def operator_words(self, f: Failure) -> Remark | None:
        if self.type(f.token) == T.IDENTIFIER and self.type(f.token - 1) in _OPERAND_ENDS:
            word = self.text(f.token).lower()
            if word == "in" and self.type(f.token + 1) in (T.LBRACKET, T.LPAREN):
                return Remark(
                    "V240", "VCL has no lists", 'write a pattern: ~ "^(GET|HEAD)$"', f.token, f.token
                )
            if word in remedies.OPERATOR_WORDS:
                written = Edit(self.span(f.token, f.token), remedies.OPERATOR_WORDS[word])
                return Remark(
                    "V240",
                    f"VCL has no operator '{word}'",
                    f"write '{remedies.OPERATOR_WORDS[word]}'",
                    f.token,
                    f.token,
                    () if word in remedies.OTHER_OPERANDS or self._is_test(f.token) else (written,),
                )
        return None

    def _is_test(self, i: int) -> bool:
        """Whether ``is "set"`` stands here, which may mean `is set` as well as a comparison."""
        text = self.text(i + 1).strip('"').lower()
        return self.text(i).lower() == "is" and text in ("set", "empty", "unset")

    def bare_text(self, f: Failure) -> Remark | None:
        """Explains an unquoted text such as ``.host = 127.0.0.1;``: adjacent tokens after a field's '='."""
        first = last = f.first + 3
        if bytes(self.visible.types[f.first : first]) != bytes((T.DOT, T.IDENTIFIER, T.ASSIGN)):
            return None
        while self._adjacent(last) and self.type(last + 1) in (T.NUMBER, T.IDENTIFIER, T.DOT):
            last += 1
        if (
            self.type(first) not in (T.NUMBER, T.IDENTIFIER)
            or self.type(last + 1) != T.SEMI
            or not first <= f.token <= last
        ):
            return None
        text = self._joined(first, last)
        return Remark(
            "V201",
            f"{text} is not in quotes",
            f'write: "{text}"',
            first,
            last,
            self._quoted_edit(first, last),
        )

    def negation_word(self, f: Failure) -> Remark | None:
        """Explains ``not x``, and ``not`` before anything but a call."""
        word = f.token - 1
        if (
            self.text(word) not in ("not", "NOT")
            or self.type(word - 1) in (T.DOT, *_OPERAND_ENDS)
            or self.type(f.token) not in _OPERANDS
        ):
            return None
        start, end = self.span(word, word), self.span(f.token, f.token)
        return Remark(
            "V240",
            "VCL has no operator 'not'",
            "write '!'",
            word,
            word,
            (Edit(Span(start.file, start.start, end.start), "!"),),
        )

    def foreign_operators(self, f: Failure) -> Remark | None:
        if self.type(f.token) in (T.DOUBLE_PLUS, T.DOUBLE_MINUS):
            sign = self.text(f.token)
            return Remark(
                "V240",
                f"VCL has no '{sign}'",
                f"put a space between the two '{sign[0]}', or remove one",
                f.token,
                f.token,
            )
        if self.type(f.token) == T.NOT and self.type(f.token + 1) == T.MATCH:
            return Remark(
                "V240",
                "VCL has no '! ~'",
                "write '!~'",
                f.token,
                f.token + 1,
                (Edit(self.span(f.token, f.token + 1), "!~"),),
            )
        pair = (self.type(f.token - 1), self.type(f.token))
        if pair in remedies.FOREIGN_OPERATORS and self._adjacent(f.token - 1):
            right, wrong = remedies.FOREIGN_OPERATORS[pair]
            return Remark(
                "V240",
                f"VCL has no '{wrong}'",
                f"write '{right}'",
                f.token - 1,
                f.token,
                (Edit(self.span(f.token - 1, f.token), right),),
            )
        return None

    def juxtaposition(self, f: Failure) -> Remark | None:
        if self.type(f.token) not in _OPERANDS or self.type(f.token - 1) not in _OPERAND_ENDS:
            return None
        if not f.expected & {T.SEMI, T.RPAREN, T.COMMA}:
            return None
        place = self.span_after(f.token - 1)
        if self.type(f.token) == T.LPAREN:
            return None
        if self._is_bare_word(f.token - 1) and self._is_bare_word(f.token) and T.SEMI not in f.expected:
            words = f"{self.text(f.token - 1)} {self.text(f.token)}"
            return Remark(
                "V218",
                f"missing operator between {self.shown(f.token - 1)} and {self.shown(f.token)}",
                f'put text in quotes: "{words}"',
                f.token - 1,
                f.token,
            )
        if T.SEMI in f.expected and self._begins_statement(f):
            return Remark(
                "V202",
                f"missing ';' after {self.shown(f.token - 1)}",
                "put ';' here",
                f.token - 1,
                f.token - 1,
                (Edit(place, ";"),),
                place=place,
            )
        if T.COMMA in f.expected or self._in_call(f.token):
            return self._between_arguments(f)
        if self.type(f.token - 2) in (T.MATCH, T.NO_MATCH) and self.text(f.token) == "i":
            return self._case_flag(f)
        if self._beside_a_size(f.token):
            return Remark(
                "V218",
                f"{self.shown(f.token - 1)} needs a unit, not a text",
                "write B, KB, MB, GB, TB or PB after it, without quotes",
                f.token,
                f.token,
                stock=phrase("bytes unit wanted", got=self.text(f.token)),
            )
        missing = f"missing operator between {self.shown_name(f.token - 1)} and {self.shown_name(f.token)}"
        if self._head(f.token) in (T.IF, T.ELSEIF) and not self._compares(f.token):
            return Remark(
                "V218", missing, "compare them with '==' or '~', or join them with '+'", f.token, f.token
            )
        return Remark("V218", missing, "join texts with '+'", f.token, f.token, (Edit(place, " +"),))

    def _beside_a_size(self, i: int) -> bool:
        """A text behind a number that is compared with a size of a storage (``storage.NAME.free_space``)."""
        if (
            self.type(i) not in STRINGS
            or self.type(i - 1) != T.NUMBER
            or self.type(i - 2) not in _COMPARISONS
        ):
            return False
        return [self.text(k) for k in range(i - 7, i - 5)] == ["storage", "."] and self.text(i - 3) in _SIZES

    def _between_arguments(self, f: Failure) -> Remark:
        """Explains a missing comma. A number and a string are two arguments. Two strings may be one, unless
        the list has commas, or the function takes more than one."""
        both = f"{self.shown_name(f.token - 1)} and {self.shown_name(f.token)}"
        place = self.span_after(f.token - 1)
        if self.type(f.token - 1) == T.NUMBER:
            return Remark(
                "V218",
                f"missing ',' between {both}",
                "put ',' between arguments",
                f.token,
                f.token,
                (Edit(place, ","),),
            )
        if self._has_commas(f.token) or not self._takes_one_text(f.token):
            return Remark(
                "V218",
                f"missing ',' or '+' between {both}",
                "put ',' between arguments; join texts with '+'",
                f.token,
                f.token,
            )
        return Remark(
            "V218",
            f"missing '+' between {both}",
            "join texts with '+'",
            f.token,
            f.token,
            (Edit(place, " +"),),
        )

    def _opener(self, i: int) -> int | None:
        """Returns the parenthesis that is open at token i, or None."""
        depth = 0
        for k in range(i - 1, -1, -1):
            type = self.type(k)
            if type in (T.SEMI, T.LBRACE, T.RBRACE):
                return None
            depth += (type == T.RPAREN) - (type == T.LPAREN)
            if depth < 0:
                return k
        return None

    def _in_call(self, i: int) -> bool:
        opener = self._opener(i)
        return opener is not None and self.type(opener - 1) == T.IDENTIFIER

    def _takes_one_text(self, i: int) -> bool:
        """Whether the call that is open at token i is one of a function with a single text."""
        opener = self._opener(i)
        first = opener = len(self.visible.types) if opener is None else opener
        while first > 0 and self.type(first - 1) in (T.IDENTIFIER, T.DOT):
            first -= 1
        return self._joined(first, opener - 1).lower() in remedies.OF_ONE_TEXT

    def _has_commas(self, i: int) -> bool:
        """Whether the parenthesis that is open at token i holds a comma."""
        opener, depth = self._opener(i), 0
        if opener is None:
            return False
        for k in range(opener, len(self.visible.types)):
            type = self.type(k)
            depth += (type == T.LPAREN) - (type == T.RPAREN)
            if depth == 0 or type in (T.SEMI, T.LBRACE, T.RBRACE):
                return False
            if type == T.COMMA and depth == 1:
                return True
        return False

    def header_in_brackets(self, f: Failure) -> Remark | None:
        """Explains ``req.http[X]`` and ``req.http["X"]``, the form of other languages."""
        name = f.token + 1
        if (
            self.type(f.token) != T.LBRACKET
            or self.written_word(f.token - 1) != "http"
            or self.type(f.token - 2) != T.DOT
        ):
            return None
        word = self.text(name)[1:-1] if self.type(name) == T.STRING else self.text(name)
        head = self.text(f.token - 3)
        if remedies.NAME.fullmatch(word) is None or self.text(name + 1) != "]":
            return Remark(
                "V234", "a header name is not in brackets", f"write: {head}.http.Name", f.token, f.token
            )
        return Remark(
            "V234",
            "a header name is not in brackets",
            f"write: {head}.http.{word}",
            f.token - 3,
            name + 1,
            (Edit(self.span(f.token, name + 1), f".{word}"),),
        )

    def _case_flag(self, f: Failure) -> Remark:
        """Explains the flag in ``~ "pattern"i``."""
        text = self.span(f.token - 1, f.token - 1)
        edits = (
            Edit(Span(text.file, text.start + 1, text.start + 1), "(?i)"),
            Edit(self.span(f.token, f.token), ""),
        )
        return Remark(
            "V218",
            "a pattern has no flags after it",
            'write: ~ "(?i)..."',
            f.token,
            f.token,
            edits if self.type(f.token - 1) == T.STRING else (),
        )

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
        """Whether a word probably begins a statement: it is first of its line, below the previous statement,
        or a word such as `return`, which is no value."""
        if self.text(f.token) in remedies.STATEMENTS:
            return True
        if self.type(f.token) != T.IDENTIFIER or not (
            self.visible.line_starts[f.token] and self.visible.line_starts[f.first]
        ):
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
            return Remark(
                "V220", "'!' negates a whole comparison only", "put it in parentheses: (!x)", f.token, f.token
            )
        if type == T.MINUS:
            return Remark(
                "V220", "two '-' in a row", "write one, or put the value in parentheses", f.token, f.token
            )
        if type == T.LBRACKET:
            return Remark("V223", "VCL has no lists", "write one value", f.token, f.token)
        if type == T.LBRACE:
            return Remark(
                "V223",
                f"a value is missing before {self.shown(f.token)}",
                'a long string begins with {" without a space',
                f.token,
                f.token,
            )
        if type == T.DOT and self.type(f.token + 1) == T.NUMBER:
            return Remark(
                "V223",
                "a number does not begin with '.'",
                f"write: 0.{self.text(f.token + 1)}",
                f.token,
                f.token + 1,
            )
        if type in (T.SLASH, T.RPAREN, T.SEMI) and self.type(f.token - 1) in (T.MATCH, T.NO_MATCH):
            return Remark("V223", "patterns need double quotes", 'write: ~ "pattern"', f.token, f.token)
        before = self.shown(f.token - 1)
        return Remark(
            "V223",
            f"a value is missing between {before} and {self.shown(f.token)}",
            "write a variable, a text or a number",
            f.token,
            f.token,
        )

    def missing_parenthesis(self, f: Failure) -> Remark | None:
        if f.rule in (R.newStatement, R.arguments, R.functionStatement) and f.expected == {T.LPAREN}:
            stock = ""
            if self.type(f.first) == T.NEW and self.type(f.first + 2) == T.ASSIGN:
                stock = phrase("not found", name=self._joined(f.first + 3, f.token - 1))
            return Remark(
                "V242",
                f"missing '(' before {self.shown(f.token)}",
                "a call has parentheses: name(...)",
                f.token,
                f.token,
                (Edit(self.span_after(f.token - 1), "()"),) if self.type(f.token) == T.SEMI else (),
                stock=stock,
            )
        return None
