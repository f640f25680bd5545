"""Checks and repairs brackets before the parser runs.

The parser only sees balanced text. This pass closes an open bracket where a statement or declaration shows
the end, and leaves out a bracket that closes nothing, so that one lost brace is one error. It also limits
nesting, before anything recursive runs.
"""

from __future__ import annotations

import re

from vernis.record import field, record
from vernis.syntax.diagnostics import Diagnostics, Edit, Label, Span
from vernis.syntax.generated.token_types import T
from vernis.syntax.stock import phrase
from vernis.syntax.tokens import DECLARATION_WORDS, FOLDED, STRINGS, TokenTable, VisibleTokens, type_class

_PARTNER = {T.LBRACE: T.RBRACE, T.LPAREN: T.RPAREN, T.LBRACKET: T.RBRACKET}
_OPENED_BY = {closer: opener for opener, closer in _PARTNER.items()}
_WRITTEN = {T.LBRACE: "{", T.RBRACE: "}", T.LPAREN: "(", T.RPAREN: ")", T.LBRACKET: "[", T.RBRACKET: "]"}
_BRACKET_RE = re.compile(type_class(tuple(_WRITTEN)))
_EVENT_RE = re.compile(type_class((*_WRITTEN, T.SEMI)))
_BLANKS_RE = re.compile(rb"[ \t]*")
# The first token of a body whose '{' is missing.
_BODY_STARTS = {T.BACKEND: (T.DOT,), T.PROBE: (T.DOT,), T.ACL: (T.NOT, *STRINGS)}
_FIELD = type_class((T.DOT,)) + type_class((T.IDENTIFIER,)) + type_class((T.ASSIGN,))
_FIELD_HEAD_RE = re.compile(type_class((T.LBRACE, T.SEMI, T.RBRACE)) + b"(?=" + _FIELD + b")")
_UNENDED_FIELD_RE = re.compile(
    _FIELD + b"[^" + type_class((T.SEMI, T.LBRACE, T.RBRACE, T.ASSIGN))[1:] + b"+?(?=" + _FIELD + b")"
)


def balance(
    table: TokenTable, visible: VisibleTokens, known: set[int], diags: Diagnostics, nesting_max: int
) -> VisibleTokens | None:
    """Returns ``visible`` with brackets repaired, or None if the nesting is too deep to go on."""
    visible = _with_field_ends(table, visible, diags)
    depth, is_balanced = _quick_look(visible)
    if not is_balanced:
        visible = _Repair(table, visible, known, diags).run()
        depth, is_balanced = _quick_look(visible)
        assert is_balanced
    if depth > nesting_max:
        token = visible.table_index[_first_deeper(visible, nesting_max)]
        diags.error(
            "V902",
            table.span((token, token)),
            f"brackets are nested deeper than {nesting_max}",
            "split the expression, or move inner blocks into subs",
        )
        return None
    return visible


def _quick_look(visible: VisibleTokens) -> tuple[int, bool]:
    """Returns the greatest depth of brackets, and whether all brackets match and none holds a stray ``;``."""
    stack: list[int] = []
    depth_max = 0
    for event in _EVENT_RE.findall(bytes(visible.types)):
        type = event[0]
        if type in _PARTNER:
            if type == T.LBRACE and stack and stack[-1] != T.LBRACE:
                return depth_max, False
            stack.append(type)
            if len(stack) > depth_max:
                depth_max = len(stack)
        elif type in _OPENED_BY:
            if not stack or stack.pop() != _OPENED_BY[type]:
                return depth_max, False
        elif stack and stack[-1] != T.LBRACE:
            return depth_max, False
    return depth_max, not stack


def _with_field_ends(table: TokenTable, visible: VisibleTokens, diags: Diagnostics) -> VisibleTokens:
    """Supplies the ``;`` in ``.host = "a" .port = "b";``. The parser would read ``"a".port`` as one value."""
    types = bytes(visible.types)
    places: list[int] = []
    for head in _FIELD_HEAD_RE.finditer(types):
        at = head.end()
        while (match := _UNENDED_FIELD_RE.match(types, at)) is not None:
            at = match.end()
            places.append(at)
    if not places:
        return visible
    out = VisibleTokens(bytearray(), bytearray(), [])
    done = 0
    for place in places:
        out.types += visible.types[done:place] + bytes((T.SEMI,))
        out.line_starts += visible.line_starts[done:place] + b"\0"
        before = visible.table_index[place - 1]
        out.table_index += visible.table_index[done:place] + [before]
        span = table.span_after(before)
        diags.error(
            "V202",
            span,
            f"missing ';' after '{table.value_text(before)}'",
            "put ';' here",
            edits=(Edit(span, ";"),),
        )
        done = place
    out.types += visible.types[done:]
    out.line_starts += visible.line_starts[done:]
    out.table_index += visible.table_index[done:]
    return out


def _first_deeper(visible: VisibleTokens, nesting_max: int) -> int:
    depth = 0
    for match in _BRACKET_RE.finditer(bytes(visible.types)):
        depth += 1 if visible.types[match.start()] in _PARTNER else -1
        if depth > nesting_max:
            return match.start()
    raise AssertionError("asked only when it is deeper")


@record
class _Opener:
    """An opening bracket. ``indent`` is the indentation in columns of the line where its statement begins."""

    type: int
    token: int  # index in the token table
    is_condition: bool
    indent: int


@record
class _Repair:
    """Copies the tokens, adds missing closers, leaves out stray ones, and reports each repair."""

    table: TokenTable
    visible: VisibleTokens
    known: set[int]
    diags: Diagnostics
    out: VisibleTokens = field(default_factory=lambda: VisibleTokens(bytearray(), bytearray(), []))
    stack: list[_Opener] = field(default_factory=list)
    open: dict[int, int] = field(default_factory=lambda: dict.fromkeys(_PARTNER, 0))  # how many of each
    closed_condition: bool = False  # was the last closing bracket that of a condition?
    surplus: int = 0  # closing braces whose opening brace is missing
    suspect: tuple[int, int] | None = (
        None  # an opening brace and the brace that closed it in spite of its indentation
    )

    def run(self) -> VisibleTokens:
        self.surplus = self.visible.types.count(T.RBRACE) - self.visible.types.count(T.LBRACE)
        unclosed_text = self._text_runs_to_the_end()
        types = self.visible.types
        for i, type in enumerate(types):
            if type in _OPENED_BY:
                if not self._closer(i, type):
                    continue
            elif type in (T.SEMI, T.LBRACE):
                self._close_parentheses(i)
            elif type in DECLARATION_WORDS and self.stack and self._is_declaration(i):
                self._close_all(silent=unclosed_text, before=i)
            if type in _PARTNER:
                self._push(type, i, i > 0 and types[i - 1] in (T.IF, T.ELSEIF))
            self._copy(i)
            if self.surplus > 0 and self._lacks_brace(i):
                self._missing_opener(i)
        self._close_all(silent=unclosed_text)
        return self.out

    def _text_runs_to_the_end(self) -> bool:
        """Whether an unclosed string or comment, already reported, reaches to the end of the file."""
        last = len(self.table) - 1
        return last in self.known or self.visible.table_index[-1] in self.known

    def _is_declaration(self, i: int) -> bool:
        """Whether a declaration begins here: a word, a name and ``{`` at the start of a line, or
        ``backend NAME none``."""
        types = self.visible.types
        following = bytes(types[i + 1 : i + 3])
        if types[i] in (T.SUB, T.BACKEND, T.PROBE, T.ACL):
            body = (
                following == bytes((T.IDENTIFIER, T.LBRACE))
                or types[i] == T.BACKEND
                and following == bytes((T.IDENTIFIER, T.NONE))
            )
            return body and self.visible.line_starts[i] != 0
        return False

    def _lacks_brace(self, i: int) -> bool:
        """Whether a body is missing after token i."""
        types = self.visible.types
        after = types[i + 1] if i + 1 < len(types) else 0
        if after == T.LBRACE or (self.stack and self.stack[-1].type != T.LBRACE):
            return False
        if types[i] == T.IDENTIFIER:
            head = types[i - 1] if i > 0 else 0
            return head == T.SUB and after != T.LPAREN or after in _BODY_STARTS.get(head, ())
        if types[i] == T.ELSE:
            return after != T.IF
        return types[i] == T.RPAREN and self.closed_condition

    def _push(self, opener: int, i: int, is_condition: bool) -> None:
        """Records an opening bracket at or after visible token ``i``."""
        indent = self._indent(self._head(i)) if opener == T.LBRACE else 0
        self.stack.append(_Opener(opener, self.visible.table_index[i], is_condition, indent))
        self.open[opener] += 1

    def _pop(self) -> _Opener:
        entry = self.stack.pop()
        self.open[entry.type] -= 1
        return entry

    def _head(self, i: int) -> int:
        """Returns the first token of the statement or declaration that holds token i."""
        types = self.visible.types
        while i > 0 and types[i - 1] not in (T.SEMI, T.LBRACE, T.RBRACE):
            i -= 1
        return i

    def _indent(self, i: int) -> int:
        token = self.visible.table_index[i]
        file = self.table.sources.files[self.table.files[token]]
        blanks = _BLANKS_RE.match(file.data, file.line_starts[self.table.lines[token] - 1])
        return len(blanks[0].expandtabs(8)) if blanks is not None else 0

    def _look_at_indentation(self, opener: _Opener, i: int) -> None:
        """Suspects ``opener`` of a missing partner if its closing brace has an outer block's indentation."""
        if self.suspect is None and self.stack and self.visible.line_starts[i]:
            indent = self._indent(i)
            if indent < opener.indent and indent <= self.stack[-1].indent:
                self.suspect = (opener.token, self.visible.table_index[i])

    def _missing_opener(self, i: int) -> None:
        """Supplies the ``{`` after token i. The next word then begins a statement."""
        token = self.visible.table_index[i]
        place = self.table.span_after(token)
        self.diags.error(
            "V213",
            place,
            f"missing '{{' after '{self.table.text(token)}'",
            "put '{' here",
            edits=(Edit(place, " {"),),
        )
        self._put(T.LBRACE, 0, token)
        self._push(T.LBRACE, i, is_condition=False)
        self.surplus -= 1
        if i + 1 < len(self.visible.types) and self.visible.types[i + 1] == T.IDENTIFIER:
            following = self.visible.table_index[i + 1]
            word = FOLDED.get(self.table.text(following).lower().encode("latin-1"))
            if word is not None:
                self.visible.types[i + 1] = word
                self.table.types[following] = word

    def _copy(self, i: int) -> None:
        self._put(self.visible.types[i], self.visible.line_starts[i], self.visible.table_index[i])

    def _put(self, type: int, line_start: int, token: int) -> None:
        self.out.types.append(type)
        self.out.line_starts.append(line_start)
        self.out.table_index.append(token)

    def _supply(self, opener: int) -> None:
        """Adds an opener's partner after the last token."""
        self._put(_PARTNER[opener], 0, self.out.table_index[-1])

    def _closer(self, i: int, type: int) -> bool:
        """Matches a closing bracket. Returns False if it closes nothing and is left out."""
        wanted = _OPENED_BY[type]
        if not self.open[wanted] or (type != T.RBRACE and self.stack[-1].type != wanted):
            token = self.visible.table_index[i]
            self.diags.error(
                "V207",
                self.table.span((token, token)),
                f"this '{_WRITTEN[type]}' closes nothing",
                "remove it, or put in what it should close",
                stock=phrase("expected", want="';'", got=f"'{_WRITTEN[type]}'"),
            )
            self.known.add(token)
            return False
        while self.stack[-1].type != wanted:
            self._missing_closer(self._shown(i), i)
        opener = self._pop()
        self.closed_condition = opener.is_condition
        if type == T.RBRACE:
            self._look_at_indentation(opener, i)
        if not self.stack:
            self.suspect = None
        return True

    def _closing_edit(self, opener: int, before: int | None) -> tuple[Edit, ...]:
        """Returns an edit that closes the body, if it is the only open body and holds no others: only then is
        its end certain."""
        inner = self.out.types[self.out.table_index.index(opener) + 1 :]
        if self.suspect or len(self.stack) > 1 or T.LBRACE in inner:
            return ()
        last = self.out.table_index[-1]
        if before is None:
            return (Edit(self.table.span_after(last), "\n}"),)
        span = self.table.span((self.visible.table_index[before],) * 2)
        return (
            (Edit(Span(span.file, span.start, span.start), "}\n"),)
            if span.file == self.table.files[last]
            else ()
        )

    def _close_parentheses(self, i: int) -> None:
        while self.stack and self.stack[-1].type != T.LBRACE:
            self._missing_closer(self._shown(i), i)

    def _shown(self, i: int) -> str:
        return f"'{self.table.text(self.visible.table_index[i])}'"

    def _parenthesis_edit(self, entry: _Opener, last: int, before: int | None) -> tuple[Edit, ...]:
        """Returns an edit that closes the parenthesis, if its end is certain: its statement or condition ends
        here, no other parenthesis is open, and no group of values was closed in it."""
        if before is None or not self._ends_here(entry, before):
            return ()
        types = self.out.types
        at = self.out.table_index.index(entry.token)
        inner = [
            types[i - 1] == T.IDENTIFIER for i in range(at + 1, len(types)) if types[i] == T.LPAREN
        ]  # True: of a call
        words = bytes(types[max(at - 2, 0) : at])
        is_call = words.endswith(bytes((T.IDENTIFIER,)))
        is_body = is_call and words[0] in DECLARATION_WORDS
        if self.stack and self.stack[-1].type != T.LBRACE or not all(inner) or inner and is_call or is_body:
            return ()
        return (Edit(self.table.span_after(last), _WRITTEN[_PARTNER[entry.type]]),)

    def _ends_here(self, entry: _Opener, i: int) -> bool:
        """Whether the condition or statement that a parenthesis belongs to ends with visible token ``i``."""
        types = self.visible.types
        if entry.is_condition:
            return types[i] == T.LBRACE
        return types[i] == T.SEMI and (
            i + 1 == len(types) or types[i + 1] == T.RBRACE or self.visible.line_starts[i + 1] != 0
        )

    def _missing_closer(self, got: str, before: int | None = None) -> None:
        entry = self._pop()
        opener, token = entry.type, entry.token
        last = self.out.table_index[-1]
        written = _WRITTEN[_PARTNER[opener]]
        if last not in self.known:
            self.diags.error(
                "V206",
                self.table.span_after(last),
                f"missing '{written}'",
                f"put '{written}' here",
                (Label(self.table.span((token, token)), "opened here"),),
                self._parenthesis_edit(entry, last, before),
                stock=phrase("expected", want=f"'{written}'", got=got),
            )
            self.known.add(last)
        self._supply(opener)

    def _close_all(self, silent: bool, before: int | None = None) -> None:
        """Closes all open brackets at the end of the text or before the next declaration. Reports one error:
        for the outermost bracket, or for the one that the indentation points to."""
        if not self.stack:
            return
        while self.stack and self.stack[-1].type != T.LBRACE:
            self._missing_closer("end of input")
        if self.stack and not silent:
            token, closer = self.suspect or (self.stack[0].token, 0)
            labels = (
                (Label(self.table.span((closer, closer)), "this '}' was taken for its end"),)
                if self.suspect
                else ()
            )
            if before is not None and not self.suspect:
                begins = self.visible.table_index[before]
                labels = (Label(self.table.span((begins, begins)), "the next declaration begins here"),)
            self.diags.error(
                "V205",
                self.table.span((token, token)),
                "this '{' is never closed",
                "put a '}' where its body ends",
                labels,
                self._closing_edit(token, before),
                stock=phrase("expected", want="'}'", got="end of input"),
            )
        while self.stack:
            self._supply(self._pop().type)
        self.suspect = None
