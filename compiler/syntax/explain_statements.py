"""Explains a failure by the grammar rule of its place: statements and names.

A method returns None for mistakes that can occur anywhere (``explain_anywhere.py``).
"""

from __future__ import annotations

from vernis.syntax import remedies
from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.driver import Failure
from vernis.syntax.explain_declarations import InDeclarations
from vernis.syntax.generated.token_types import R, T
from vernis.syntax.modern import rewritten
from vernis.syntax.remedies import nearest
from vernis.syntax.stock import phrase
from vernis.syntax.stumble import Remark
from vernis.syntax.tokens import DECLARATION_WORDS, STRINGS

_ASSIGNMENTS = frozenset((T.ASSIGN, T.ADD_ASSIGN, T.SUB_ASSIGN, T.MUL_ASSIGN, T.DIV_ASSIGN))


class InStatements(InDeclarations):
    """Explanations of syntax errors in one rule of a statement, and in names."""

    def in_block(self, f: Failure) -> Remark | None:
        type, word = self.type(f.token), self.text(f.token)
        if f.expected == {T.LBRACE}:
            return self._no_brace(f)
        if type in DECLARATION_WORDS:
            return Remark(
                "V222",
                f"{word} is inside a sub",
                "declarations go outside; is a '}' missing above?",
                f.token,
                f.token,
            )
        if type in (T.ELSE, T.ELSEIF):
            return Remark(
                "V216", f"{word} without an if", "it must follow the '}' of an if directly", f.token, f.token
            )
        if type == T.SEMI:
            return self._stray_semicolon(f)
        if self._is_conflict(f.token):
            return Remark("V209", *remedies.UNRESOLVED, f.token, f.token)
        return Remark(
            "V209",
            f"{self.shown(f.token)} cannot begin a statement",
            "statements are " + ", ".join(remedies.STATEMENTS) + " and calls",
            f.token,
            f.token,
        )

    def _no_brace(self, f: Failure) -> Remark:
        """Explains a missing body after a condition, ``else``, or the name of a sub."""
        before = self.type(f.token - 1)
        if before == T.ELSE:
            word = self.text(f.token)
            if word.lower() == "if":
                return Remark(
                    "V215",
                    f"'else {word}' is not known",
                    "write 'else if' in small letters",
                    f.token - 1,
                    f.token,
                )
            return Remark("V213", "the body of else needs braces", "write: else { ... }", f.token, f.token)
        if before == T.IDENTIFIER and self.type(f.token - 2) == T.SUB:
            if self.type(f.token) == T.LPAREN:
                return Remark("V233", "a sub has no parameters", "remove the parentheses", f.first, f.last)
            return Remark(
                "V233",
                f"the body of {self.text(f.token - 1)} must follow its name",
                "write: sub NAME { ... }",
                f.token,
                f.token,
            )
        if before == T.RPAREN and self.type(f.token) == T.SEMI and self.type(f.token + 1) == T.LBRACE:
            return Remark(
                "V237",
                "VCL has no ';' between a condition and its body",
                "remove it",
                f.token,
                f.token,
                (Edit(self.span(f.token, f.token), ""),),
            )
        if before == T.RPAREN and self.written_word(f.token) == "then" and self.type(f.token + 1) == T.LBRACE:
            return Remark(
                "V213",
                "VCL has no 'then'",
                "remove it",
                f.token,
                f.token,
                (Edit(self.span(f.token, f.token), ""),),
            )
        if before == T.RPAREN:
            return Remark(
                "V213", "the body of an if needs braces", "write: if (...) { ... }", f.token, f.token
            )
        return Remark(
            "V213",
            f"missing '{{' before {self.shown(f.token)}",
            "a body is in braces: { ... }",
            f.token,
            f.token,
        )

    def in_name(self, f: Failure) -> Remark | None:
        if self.type(f.token - 1) == T.DOT:
            stock = phrase("header character", character=r"\n") if self.type(f.token) in STRINGS else ""
            if self.type(f.token) == T.NUMBER and [self.written_word(f.token - i) for i in (4, 2)] == [
                "re",
                "group",
            ]:
                return Remark(
                    "V234",
                    "VCL does not keep the groups of the last match",
                    r'write: regsub(text, pattern, "\1")',
                    f.token - 4,
                    f.token,
                )
            quoted = 'quote a header name that has other characters: req.http."x.y"'
            in_field = self.written_word(f.token - 2) == "http"
            return Remark(
                "V234",
                f"{self.shown(f.token)} cannot follow a '.'",
                f"write a name here; {quoted}"
                if in_field
                else "write a name of letters, digits, '_' and '-' here",
                f.token,
                f.token,
                stock=stock,
            )
        if self.type(f.first) == T.NEW:
            return self.in_new(f)
        if self.type(f.first) == T.RETURN:
            return self.in_return(f)
        word = self.text(f.token - 1)
        return Remark(
            "V234",
            f"{self.shown(f.token)} is not the name of a variable",
            f"write: {word} req.http.Name ...",
            f.token,
            f.token,
        )

    def in_set(self, f: Failure) -> Remark | None:
        if f.expected >= {T.ASSIGN, T.ADD_ASSIGN}:
            if self.type(f.token) == T.EQ:
                return Remark(
                    "V243",
                    "'==' compares",
                    "to assign, write '='",
                    f.token,
                    f.token,
                    (Edit(self.span(f.token, f.token), "="),),
                )
            if self.type(f.token) == T.MAPS_TO:
                edits = (Edit(self.span(f.token, f.token), "="),)
                return Remark("V240", "`set` has no '=>'", "write '='", f.token, f.token, edits)
            if self.type(f.token) in (T.DOUBLE_PLUS, T.DOUBLE_MINUS):
                sign = self.text(f.token)
                return Remark("V240", f"VCL has no '{sign}'", f"write: {sign[0]}= 1", f.token, f.token)
            return Remark(
                "V243",
                f"missing '=' before {self.shown(f.token)}",
                "write: set NAME = VALUE;",
                f.token,
                f.token,
            )
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
            edits = (
                (Edit(self._before(f.token), "("), Edit(self.span_after(last), ")"))
                if last is not None
                else ()
            )
            return Remark(
                "V235",
                "the action of return needs parentheses",
                f"write: return ({word});",
                f.token,
                f.token,
                edits,
            )
        argument = f.token + (self.type(f.token) == T.COMMA)
        if self.text(f.token - 1).lower() in remedies.ACTIONS_WITH_ARGUMENTS and self.type(argument) in (
            T.NUMBER,
            *STRINGS,
        ):
            word = self.text(f.token - 1)
            return Remark(
                "V235",
                f"the arguments of {word} need parentheses",
                f"write: return ({word}(...));",
                f.token,
                f.token,
            )
        if f.rule in (R.name, R.action) and self._is_quoted_name(f.token):
            return Remark(
                "V235",
                "actions are not quoted",
                f"write: return ({self._unquoted(f.token)});",
                f.token,
                f.token,
                (Edit(self.span(f.token, f.token), self._unquoted(f.token)),),
            )
        if f.rule in (R.name, R.action) or T.IDENTIFIER in f.expected and self.type(f.token) == T.RPAREN:
            return Remark(
                "V235",
                f"{self.shown(f.token)} is not an action",
                "write an action here, such as deliver or pass",
                f.token,
                f.token,
            )
        if self.type(f.token) == T.COMMA:
            return Remark("V235", "return takes one action", "keep one of them", f.token, f.token)
        return None

    def in_new(self, f: Failure) -> Remark | None:
        stock = ""
        if self.type(f.token) == T.DOT:
            stock = phrase(
                "not a name", what="VCL object", name=self._joined(f.first + 1, f.token + 1), character="."
            )
        return Remark(
            "V244",
            f"{self.shown(f.token)} does not belong in new",
            "write: new NAME = module.object(...);",
            f.token,
            f.token,
            stock=stock,
        )

    def in_condition(self, f: Failure) -> Remark | None:
        if f.expected == {T.LPAREN}:
            return Remark(
                "V214", "the condition needs parentheses", "write: if (...) { ... }", f.token, f.token
            )
        if self.type(f.token) in _ASSIGNMENTS and T.RPAREN in f.expected:
            return self._assignment_in_expression(f)
        return None

    def in_function(self, f: Failure) -> Remark | None:
        """Explains a statement that begins with a name and is not a call."""
        if self.type(f.first) != T.IDENTIFIER or f.token == f.first:
            return None
        word = self.text(f.first)
        folded = word.lower()
        if T.SEMI in f.expected and self.type(f.token) == T.LBRACE:
            return self._unknown_block(f, word)
        if f.expected != {T.LPAREN}:
            return None
        if self.text(f.first + 1) == "::":
            return Remark(
                "V209",
                "VCL has no '::'; a '.' separates a module and its function",
                f"write: {word}.{self.text(f.first + 2)}(...)",
                f.first,
                f.first + 1,
                (Edit(self.span(f.first + 1, f.first + 1), "."),),
            )
        if self.type(f.token) in _ASSIGNMENTS and (
            folded in remedies.FUNCTIONS or self._is_declared(T.IMPORT, word)
        ):
            return self._function_assigned(f)
        if folded in remedies.ELSE_LIKE:
            return Remark("V215", f"'{word}' is not known", "write: else if (...) { ... }", f.first, f.first)
        if self.type(f.first + 1) != T.DOT and (known := self._known_word(f, word)) is not None:
            return known
        if self.type(f.first + 1) == T.SEMI and self._is_sub(word):
            return Remark(
                "V209",
                f"{word} is a sub",
                f"write: call {word};",
                f.first,
                f.first,
                (Edit(self._before(f.first), "call "),),
            )
        if self.type(f.token) in _ASSIGNMENTS:
            place = self.span(f.first, f.first)
            start = Span(place.file, place.start, place.start)
            return Remark(
                "V243",
                "an assignment begins with set",
                f"write: set {word}... = ...;",
                f.first,
                f.token - 1,
                (Edit(start, "set "),),
            )
        if self.type(f.first + 1) == T.DOT:
            return Remark(
                "V209",
                "a name alone is not a statement",
                "call it: name(...); or assign with set",
                f.first,
                f.token - 1,
            )
        return Remark(
            "V209",
            f"unknown statement '{word}'",
            nearest(
                word, remedies.STATEMENTS, "statements are " + ", ".join(remedies.STATEMENTS) + " and calls"
            ),
            f.first,
            f.first,
            self._respelled(f.first, remedies.STATEMENTS),
            stock=self._stock_of_word(f),
        )

    def _known_word(self, f: Failure, word: str) -> Remark | None:
        """Explains a word of another version of VCL, or an action without `return`."""
        folded = word.lower()
        if folded in remedies.OLD_STATEMENTS:
            return self._old_word(
                "V228", f"{word} is a statement of old VCL versions", remedies.OLD_STATEMENTS[folded], f
            )
        if folded in remedies.NEWER_WORDS:
            return self._old_word("V239", f"VCL 4 has no {word}", remedies.NEWER_WORDS[folded], f)
        if folded not in remedies.ACTIONS:
            return None
        ends = self.type(f.first + 1) == T.SEMI
        edits = (Edit(self.span(f.first, f.first), f"return ({folded})"),) if ends else ()
        return Remark("V235", f"{word} is an action", f"write: return ({folded});", f.first, f.first, edits)

    def _function_assigned(self, f: Failure) -> Remark:
        """Explains ``std.log = "x"``."""
        name, last = self._joined(f.first, f.token - 1), self.last_of_statement(f.token)
        value = f.token + 1
        if last is None or last < value:
            return Remark(
                "V243",
                f"{name} is a function and cannot be assigned",
                f"write: {name}(...);",
                f.first,
                f.token,
            )
        start, end = self.span_after(f.token - 1), self.span(value, value)
        return Remark(
            "V243",
            f"{name} is a function and cannot be assigned",
            f"write: {name}({self._source(value, last)});",
            f.first,
            f.token,
            (Edit(Span(start.file, start.start, end.start), "("), Edit(self.span_after(last), ")")),
        )

    def _old_word(self, code: str, message: str, help: str, f: Failure) -> Remark:
        """Explains a statement of an older version, with its new form if that is clear."""
        rewrite = rewritten(self, f.first)
        if rewrite is None:
            return Remark(code, message, help, f.first, f.first)
        return Remark(
            code,
            message,
            f"write: {rewrite.text}" if rewrite.text and "import" not in help else help,
            f.first,
            f.first,
            rewrite.edits,
        )

    def _is_sub(self, word: str) -> bool:
        return self._is_declared(T.SUB, word)

    def _is_declared(self, keyword: int, word: str) -> bool:
        """Whether a sub or an imported module has this name."""
        types = bytes(self.visible.types)
        at = types.find(bytes((keyword, T.IDENTIFIER)))
        while at >= 0 and self.text(at + 1).lower() != word.lower():
            at = types.find(bytes((keyword, T.IDENTIFIER)), at + 1)
        return at >= 0

    def _stock_of_word(self, f: Failure) -> str:
        """Returns Varnish's phrase for an unknown word: an object needs a method, any other word is
        unknown."""
        word = self.text(f.first).lower()
        types = bytes(self.visible.types[: f.first])
        at = types.find(bytes((T.NEW, T.IDENTIFIER)))
        while at >= 0:
            if self.text(at + 1).lower() == word:
                return phrase("expected", want="'.'", got=f"'{self.written(f.token)}'")
            at = types.find(bytes((T.NEW, T.IDENTIFIER)), at + 1)
        return phrase("not found", name=self.text(f.first))

    def _unknown_block(self, f: Failure, word: str) -> Remark:
        """Explains ``word (...) {``."""
        if word.lower() == "else":
            return Remark(
                "V215",
                "else takes no condition",
                "write: else if (...) { ... }",
                f.first,
                f.first,
                (Edit(self.span_after(f.first), " if"),),
            )
        if self.type(f.first - 1) == T.RBRACE and remedies.resembles_else_if(word):
            return Remark("V215", f"'{word}' is not known", "write: else if (...) { ... }", f.first, f.first)
        if word.lower() in remedies.NEWER_WORDS:
            return Remark(
                "V239", f"VCL 4 has no {word}", remedies.NEWER_WORDS[word.lower()], f.first, f.first
            )
        return Remark(
            "V209",
            f"'{word}' takes no body",
            nearest(word, ("if",), "only if and else have a body"),
            f.first,
            f.first,
            self._respelled(f.first, ("if",)),
        )
