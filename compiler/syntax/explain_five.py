"""Explains mistakes in the forms of vcl 5.0, by the tokens around the failure."""

from __future__ import annotations

from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.driver import Failure
from vernis.syntax.explain_statements import InStatements
from vernis.syntax.generated.token_types import R, T
from vernis.syntax.stumble import Remark
from vernis.syntax.tokens import STRINGS

CODE = "V248"
TYPES = ("STRING", "INT", "REAL", "DURATION", "TIME", "BYTES", "BOOL", "IP", "BACKEND")
FUNCTION = "write: fn name(a : STRING) -> STRING { return (a); }"
LOOP = 'write: for (x in ["a", "b"]) { ... }'
SWITCH = 'write: switch (req.method) { case "GET": { ... } default: { ... } }'
# Words of other languages, and the form of 5.0.
WORDS = {
    **dict.fromkeys(("var", "declare", "local", "my", "auto"), "a local begins with let: let x = ...;"),
    "mut": "a local begins with let: let mut x = ...;",
    **dict.fromkeys(("function", "func", "def", "macro"), FUNCTION),
    **dict.fromkeys(("while", "foreach", "loop", "repeat"), f"loops run over constants; {LOOP}"),
    **dict.fromkeys(("match", "case", "when"), SWITCH),
    **dict.fromkeys(("dictionary", "map", "dict"), 'write: table t : STRING by exact ["a" => "b"];'),
    "log": 'write: log { key = "value" }; or import std; and std.log(...);',
}
REPLACED = {"var": "let", "mut": "let mut", "function": "fn", "func": "fn", "def": "fn"}
TESTS = {
    **dict.fromkeys(("starts_with", "startswith", "begins", "begins_with", "hasprefix"), "starts"),
    **dict.fromkeys(("ends_with", "endswith", "hassuffix"), "ends"),
    **dict.fromkeys(("has", "includes", "contain"), "contains"),
}
TEXT_TESTS = frozenset((T.IN, T.STARTS, T.ENDS, T.CONTAINS))
OUTSIDE = {T.LET: "let", T.SWITCH: "switch", T.FOR: "for", T.COUNT: "count", T.LOG: "log", T.ALLOW: "allow"}
INSIDE = {
    T.CONST: "const",
    T.PARAM: "param",
    T.FN: "fn",
    T.TABLE: "table",
    T.TEXT_SET: "set",
    T.COUNTER: "counter",
    T.BUDGET: "budget",
    T.CACHING: "caching",
}


class InFive(InStatements):
    """Explanations of syntax errors in files of 5.0."""

    def in_five(self, f: Failure) -> Remark | None:
        """Returns the first explanation that fits, or None for mistakes of all versions."""
        index = self.visible.table_index
        if not index or self.table.files[index[min(f.token, len(index) - 1)]] not in self.table.fives:
            return None
        for explainer in (
            self._outside,
            self._value_of_let,
            self._condition,
            self._type,
            self._switch,
            self._function,
            self._loop,
            self._list,
            self._test,
            self._row,
            self._word,
        ):
            remark = explainer(f)
            if remark is not None:
                return remark
        return None

    def _say(self, i: int, message: str, help_: str, *edits: Edit, last: int | None = None) -> Remark:
        return Remark(CODE, message, help_, i, i if last is None else last, edits)

    def _put(self, i: int, text: str) -> Edit:
        """Replaces a token."""
        return Edit(self.span(i, i), text)

    def _outside(self, f: Failure) -> Remark | None:
        """Statements outside of subs, and declarations in them."""
        type = self.type(f.token)
        if f.rule == R.program and type in OUTSIDE:
            if type == T.LET:
                help_ = "a constant of the whole policy begins with const; a local is declared in a sub"
                return self._say(f.token, "let is outside a sub", help_, self._put(f.token, "const"))
            return self._say(
                f.token, f"{OUTSIDE[type]} is outside a sub", "move it into a sub such as vcl_recv"
            )
        if f.rule == R.program and type == T.SET and self.type(f.token + 1) == T.IDENTIFIER:
            shown = f'a set of texts is a list in brackets: set {self.text(f.token + 1)} ["a", "b"];'
            message = "this is no set, and a value is set in a sub"
            return self._say(f.token, message, shown, *self._edits_of_set(f.token))
        if f.rule == R.block and type in INSIDE and T.LBRACE not in f.expected:
            help_ = (
                "in a sub, a name for a value begins with let"
                if type == T.CONST
                else "move it out of the sub"
            )
            edits = (self._put(f.token, "let"),) if type == T.CONST else ()
            return self._say(f.token, f"{INSIDE[type]} is inside a sub", help_, *edits)
        return None

    def _edits_of_set(self, i: int) -> tuple[Edit, ...]:
        """Returns the edits of ``set S = [...]``, and of a set in braces, at token i."""
        opener = i + 2
        if self.type(opener) == T.ASSIGN and self.type(opener + 1) == T.LBRACKET:
            return (self._put(opener, ""),)
        end = opener + 1
        while self.type(end) in STRINGS or self.type(end) == T.COMMA:
            end += 1
        if self.type(opener) != T.LBRACE or self.type(end) != T.RBRACE:
            return ()
        return self._put(opener, "["), self._put(end, "]" if self.type(end + 1) == T.SEMI else "];")

    def _value_of_let(self, f: Failure) -> Remark | None:
        name = f.token - 1
        is_let = T.LET in (self.type(name - 1), self.type(name - 2)) and T.ASSIGN in f.expected
        is_constant = self.type(f.first) in (T.CONST, T.PARAM) and T.ASSIGN in f.expected
        if not is_let and not is_constant:
            return None
        if self.type(f.token) == T.EQ:
            return self._say(
                f.token, "'==' compares", "to give it a value, write '='", self._put(f.token, "=")
            )
        if self.type(f.token) == T.SEMI:
            help_ = "write: let x = ...; or let x : STRING? = ...;" if is_let else "write: const X = ...;"
            return self._say(name, "a name without a value", help_)
        if self.text(name) in TYPES and self.type(f.token) == T.IDENTIFIER:
            return self._type_first(f.token)
        if self.type(f.token) in (T.IDENTIFIER, T.NUMBER, *STRINGS):
            edit = Edit(self.span_after(name), " =")
            return self._say(
                f.token, f"missing '=' before {self.shown(f.token)}", "write: let x = ...;", edit
            )
        return None

    def _type_first(self, i: int) -> Remark:
        """Explains ``STRING x``, in which token i is the name."""
        kind, name = self.text(i - 1), self.text(i)
        place = self.span(i - 1, i)
        return self._say(
            i - 1,
            "the type follows the name",
            f"write: {name} : {kind}",
            Edit(place, f"{name} : {kind}"),
            last=i,
        )

    def _condition(self, f: Failure) -> Remark | None:
        """Explains what stands where the parenthesis of a condition is expected."""
        word = self.text(f.token - 1)
        if f.expected != {T.LPAREN} or word not in ("if", "elseif", "elsif", "elif"):
            return None
        brace = f.token
        while self.type(brace) not in (T.LBRACE, T.SEMI, T.RBRACE, 0):
            brace += 1
        if self.type(brace) != T.LBRACE or brace == f.token:
            return None
        is_let = self.text(f.token) == "let"
        help_ = f"write: {word} (let x = ...) {{ ... }}" if is_let else f"write: {word} (...) {{ ... }}"
        start = self.span(f.token, f.token)
        edits: tuple[Edit, ...] = (
            Edit(Span(start.file, start.start, start.start), "("),
            Edit(self.span_after(brace - 1), ")"),
        )
        return Remark("V214", "the condition needs parentheses", help_, f.token, f.token, edits)

    def _type(self, f: Failure) -> Remark | None:
        """Explains a missing or misplaced type of a parameter, a local, a table."""
        if T.COLON not in f.expected or f.rule == R.switchCase:
            return None
        if self.text(f.token - 1) in TYPES and self.type(f.token) == T.IDENTIFIER:
            return self._type_first(f.token)
        if self.text(f.token) in TYPES:
            return self._say(
                f.token,
                f"missing ':' before {self.text(f.token)}",
                f"write: {self.text(f.token - 1)} : {self.text(f.token)}",
                Edit(self.span_after(f.token - 1), " :"),
            )
        if self.type(f.token) in (T.RPAREN, T.COMMA):
            word = self.text(f.token - 1)
            return self._say(f.token - 1, f"{word} has no type", f"write: {word} : STRING")
        if self.type(f.first) == T.TABLE:
            help_ = 'write: table t : STRING by exact ["a" => "b"];'
            return self._say(f.token, "a table has the type of its values", help_)
        return None

    def _switch(self, f: Failure) -> Remark | None:
        type, before = self.type(f.token), self.type(f.token - 1)
        if (
            self.type(f.first) == T.SWITCH
            and self.text(f.token) == "case"
            and f.expected == {T.LBRACE}
            and before == T.RPAREN
        ):
            return self._say(f.token, "the cases of a switch are in braces", SWITCH)
        if self.text(f.token) == "case" and before == T.COLON:
            edits: tuple[Edit, ...] = (self._put(f.token - 1, ","), self._put(f.token, ""))
            return self._say(
                f.token,
                "a case without a body",
                'several values have one body: case "a", "b": { ... }',
                *edits,
            )
        if before == T.COLON and f.expected == {T.LBRACE}:
            return self._say(f.token, "the body of a case needs braces", "write: case ...: { ... }")
        if (
            T.COLON in f.expected
            and type == T.LBRACE
            and f.rule in (R.switchCase, R.switchStatement, R.caseLabel)
        ):
            edit = Edit(self.span_after(f.token - 1), ":")
            return self._say(f.token, "missing ':' before '{'", "write: case ...: { ... }", edit)
        if f.rule in (R.switchStatement, R.switchCase) and T.RBRACE in f.expected:
            return self._in_switch(f)
        if type == T.COMMA and self._before_list(f.token) == T.CASE:
            return self._in_parentheses(f.token, "the values of a case have no parentheses", "", "")
        return None

    def _in_switch(self, f: Failure) -> Remark | None:
        """Explains what stands where a case begins."""
        word = self.text(f.token)
        if word == "default" and self.type(f.token + 1) == T.LBRACE:
            edit = Edit(self.span_after(f.token), ":")
            return self._say(f.token, "missing ':' behind default", "write: default: { ... }", edit)
        if word in ("break", "next", "fallthrough") and self.type(f.token + 1) == T.SEMI:
            edit = Edit(self.span(f.token, f.token + 1), "")
            return self._say(
                f.token, f"VCL has no {word}", "a case ends with its body; remove it", edit, last=f.token + 1
            )
        if self.type(f.token) in (T.NUMBER, *STRINGS):
            edit = self._put(f.token, f"case {word}")
            return self._say(f.token, f"'case' is missing before {self.shown(f.token)}", SWITCH, edit)
        return self._say(f.token, f"{self.shown(f.token)} cannot begin a case", SWITCH)

    def _function(self, f: Failure) -> Remark | None:
        type, before = self.type(f.token), self.type(f.token - 1)
        if T.ARROW in f.expected:
            edits: tuple[Edit, ...] = (self._put(f.token, "->"),) if type == T.COLON else ()
            return self._say(f.token, "the type of the result follows '->'", FUNCTION, *edits)
        if self.type(f.token - 2) == T.FN and f.expected == {T.LPAREN}:
            return self._say(f.token, "a function has its parameters in parentheses", FUNCTION)
        if before == T.GIVE and type == T.SEMI:
            return self._say(f.token - 1, "a function returns a value", "write: return (...);")
        if before == T.GIVE and (last := self.last_of_statement(f.token)) is not None:
            edits = (Edit(self._before(f.token), "("), Edit(self.span_after(last), ")"))
            return self._say(f.token, "the value of return needs parentheses", "write: return (...);", *edits)
        is_value = type in (T.NUMBER, T.IDENTIFIER, *STRINGS) and not self._begins_statement(f)
        if self.type(f.token - 2) == T.CALL and is_value:
            last = self.last_of_statement(f.token)
            edits = (
                (Edit(self._before(f.token), "("), Edit(self.span_after(last), ")"))
                if last is not None
                else ()
            )
            return self._say(f.token, "arguments are in parentheses", "write: call name(...);", *edits)
        return None

    def _loop(self, f: Failure) -> Remark | None:
        word = self.written_word(f.first)
        if T.IN in f.expected and self.type(f.token) in (T.COLON, T.ASSIGN):
            edits: tuple[Edit, ...] = (self._put(f.token, " in"),) if self.type(f.token) == T.COLON else ()
            return self._say(
                f.token,
                f"{self.shown(f.token)} is no loop of VCL",
                f"loops run over constants; {LOOP}",
                *edits,
            )
        if self.type(f.first) == T.FOR and self.text(f.token - 1) == "let":
            edit = Edit(self.span(f.token - 1, f.token), self.text(f.token))
            return self._say(f.token - 1, "the name of a loop stands without let", LOOP, edit)
        if word in ("for", "switch") and T.LPAREN in f.expected and self.type(f.first + 1) != T.DOT:
            help_ = LOOP if word == "for" else SWITCH
            return self._say(f.first, f"{word} needs parentheses", help_)
        return None

    def _before_list(self, i: int) -> int:
        """Returns the type before the parenthesis that is open at token i; 0 if there is none."""
        opener = self._opener(i)
        return 0 if opener is None else self.type(opener - 1)

    def _in_parentheses(self, i: int, message: str, left: str, right: str) -> Remark:
        """Explains a list in the wrong brackets, which is open at token i."""
        opener, end = self._opener(i), i
        while self.type(end) not in (T.RPAREN, T.SEMI, T.LBRACE, T.RBRACE, 0):
            end += 1
        edits: tuple[Edit, ...] = (
            (self._put(opener, left), self._put(end, right))
            if opener is not None and self.type(end) == T.RPAREN
            else ()
        )
        help_ = 'write: ["a", "b"]' if left else 'write: case "a", "b": { ... }'
        return self._say(i, message, help_, *edits)

    def _list(self, f: Failure) -> Remark | None:
        type, before = self.type(f.token), self.type(f.token - 1)
        if type == T.COMMA and self._before_list(f.token) in TEXT_TESTS:
            return self._in_parentheses(f.token, "a list is in brackets", "[", "]")
        if type == T.COMMA and before in STRINGS and self.type(f.token - 2) in TEXT_TESTS:
            return self._say(f.token, "a list is in brackets", 'write: ["a", "b"]')
        if type in STRINGS and before in STRINGS and T.RBRACKET in f.expected:
            edit = Edit(self.span_after(f.token - 1), ",")
            return self._say(f.token, "missing ',' between two texts", 'write: ["a", "b"]', edit)
        return None

    def _test(self, f: Failure) -> Remark | None:
        """Explains tests of other languages: ``is unset``, ``!in``, ``? :``."""
        type, word = self.type(f.token), self.written_word(f.token)
        if self.text(f.token - 2) == "is" and self.text(f.token - 1) == "not":
            return self._negated(f.token - 2, f.token)
        if word == "is" and self.text(f.token + 1) == "unset":
            return self._negated(f.token, f.token + 1)
        if (
            type == T.NOT
            and self.type(f.token + 1) == T.IDENTIFIER
            and self.text(f.token + 1) in ("in", *TESTS)
        ):
            return self._say(
                f.token, "'!' stands before a test", 'write: !(x in ["a", "b"])', last=f.token + 1
            )
        if word == "not" and self.text(f.token + 1) in ("in", "starts", "ends", "contains"):
            return self._say(f.token, "VCL has no operator 'not'", 'write: !(x in ["a", "b"])')
        if word in TESTS:
            test = TESTS[word]
            return self._say(
                f.token, f"VCL has no operator '{word}'", f"write '{test}'", self._put(f.token, test)
            )
        if type == T.QUESTION:
            return self._question(f.token)
        return None

    def _negated(self, first: int, last: int) -> Remark:
        """Explains a negated test of presence."""
        start = first - 1
        while self.type(start - 1) == T.DOT:
            start -= 2
        name = self._joined(start, first - 1)
        is_set = self.text(last).lower() in ("set", "unset")
        edits: tuple[Edit, ...] = (
            (Edit(self.span(first, last), "is not set"),)
            if is_set and self.type(start) == T.IDENTIFIER
            else ()
        )
        return self._say(
            first, "only `is set` and `is empty` are tests", f"write: {name} is not set", *edits, last=last
        )

    def _question(self, i: int) -> Remark:
        """Explains ``a ? b : c`` and ``a ?: b``."""
        if self.type(i + 1) == T.COLON:
            edit = Edit(self.span(i, i + 1), "??")
            return self._say(i, "VCL has no '?:'", "a default is written: x ?? y", edit, last=i + 1)
        last = self.last_of_statement(i)
        is_choice = last is not None and any(self.type(k) == T.COLON for k in range(i, last))
        if is_choice:
            return self._say(i, "VCL has no '? :'", "write if and else, or a default: x ?? y")
        return self._say(i, "VCL has no '?'", "a default is written: x ?? y", self._put(i, "??"))

    def _row(self, f: Failure) -> Remark | None:
        """Explains mistakes in tables and counters."""
        type, table = self.type(f.token), 'write: table t : STRING by exact ["a" => "b"];'
        if T.MAPS_TO in f.expected and type in (T.COLON, T.ASSIGN):
            return self._say(f.token, "key and value are joined by '=>'", table, self._put(f.token, " =>"))
        if self.type(f.first) == T.TABLE and T.BY in f.expected:
            help_ = f"by exact, prefix, suffix or ip; {table}"
            return self._say(f.token, "a table says how it finds its keys", help_)
        if self.type(f.first) == T.TABLE and T.FROM in f.expected and self.text(f.token) == "from":
            return self._say(f.token + 1, "the name of a file is in quotes", 'write: from "file.csv"')
        if self.type(f.first) == T.TABLE and T.FROM in f.expected:
            return self._say(f.token, "the rows of a table are in brackets", table)
        if self.type(f.first) == T.COUNTER and T.SEMI in f.expected and type == T.LPAREN:
            edit = Edit(self.span_after(f.token - 1), " by ")
            return self._say(
                f.token, "the labels of a counter follow `by`", "write: counter c by (a, b);", edit
            )
        if self.type(f.first) == T.COUNTER and f.expected == {T.LPAREN} and type == T.IDENTIFIER:
            edit = self._put(f.token, f"({self.text(f.token)})")
            return self._say(f.token, "labels are in parentheses", "write: counter c by (a, b);", edit)
        return None

    def _word(self, f: Failure) -> Remark | None:
        """Explains words of other languages, and words of 5.0 without what makes them one."""
        if f.rule == R.program and self.type(f.token) == T.IDENTIFIER and self.text(f.token) in WORDS:
            word = self.text(f.token)
            edits: tuple[Edit, ...] = (
                (self._put(f.token, REPLACED[word]),) if REPLACED.get(word) == "fn" else ()
            )
            return self._say(f.token, f"VCL has no {word}", WORDS[word], *edits)
        if f.rule not in (R.functionStatement, R.arguments) or self.type(f.first) != T.IDENTIFIER:
            return None
        word = self.text(f.first)
        if word == "allow" and (last := self.last_of_statement(f.first)) is not None and last > f.first:
            edits = (Edit(self._before(f.first + 1), "("), Edit(self.span_after(last), ")"))
            return self._say(
                f.first, "the words of allow are in parentheses", "write: allow (cookie);", *edits
            )
        if self.type(f.first + 1) == T.DOT or word not in WORDS:
            return None
        is_let = self.type(f.first + 1) == T.IDENTIFIER and self.type(f.first + 2) == T.ASSIGN
        edits = (
            (self._put(f.first, REPLACED[word]),)
            if is_let and REPLACED.get(word, "").startswith("let")
            else ()
        )
        return self._say(
            f.first, f"VCL has no {word}" if word != "mut" else "mut follows let", WORDS[word], *edits
        )
