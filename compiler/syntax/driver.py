"""Decides two things that the grammar does not: which rules leave records, and how a parser recovers from an
error.

Two generated parsers read policies, one in C++ (``ext/``) and one in Python (``fallback.py``). Both follow
this file. They look up the table ``RULE_ENDS`` at the end of each rule. They call a :class:`Recovery` only on
an error, so that the C++ parser reads a correct policy without a call into Python.

``brackets.py`` balances brackets before the parser runs, so every scan below ends at a bracket of its own
level.
"""

from __future__ import annotations

from vernis.record import field, record
from vernis.syntax.generated.token_types import RULE_NAMES, R, T

ERRORS_MAX = 1000  # errors recorded; the parser recovers from further ones in silence
NOT_HERE = -1  # a Recovery returns it to let the enclosing rule recover

# ---- records of a rule

EMIT = 1  # the rule always leaves a record
CHAIN = 2  # the rule leaves a record unless it has exactly one child, which then takes its place
STATEMENT = 4  # on an error inside, skip to the end of the statement or declaration
CONDITION = 8  # on an error inside, skip to the `{` of the body, if there is one
LIST = 16  # between elements, skip a token that cannot start an element


def _rule_flags() -> bytes:
    flags = dict.fromkeys(RULE_NAMES, EMIT)
    flags.update(
        dict.fromkeys(
            ("expression", "conjunction", "negation", "comparison", "arithmetic", "coalesce", "postfix"),
            CHAIN,
        )
    )
    flags.update(
        declaration=STATEMENT,
        statement=STATEMENT,
        field=EMIT | STATEMENT,
        aclEntry=EMIT | STATEMENT,
        switchCase=EMIT | STATEMENT,
        condition=CONDITION,
        program=EMIT | LIST,
        block=EMIT | LIST,
        properties=EMIT | LIST,
        aclEntries=LIST,
    )
    return bytes(flags[name] for name in RULE_NAMES)


RULE_FLAGS = _rule_flags()

# A parser's actions at the end of a rule, and its questions to a Recovery. ext/flat_parser.h has the same
# numbers.
CHILDREN, RECORD, NOTHING, BROKEN = range(4)
ASK_BETWEEN, ASK_RESUME = 1, 2
# actions: read with one child, read otherwise, failed with one child, failed otherwise; then the questions
ENDS_PER_RULE = 5
QUESTIONS = 4  # column of the questions


def _rule_ends() -> bytes:
    table = bytearray()
    for flags in RULE_FLAGS:
        failed = BROKEN if flags & (STATEMENT | CONDITION) else NOTHING
        questions = (ASK_BETWEEN if flags & LIST else 0) | (
            ASK_RESUME if flags & (STATEMENT | CONDITION) else 0
        )
        table += bytes(
            (
                RECORD if flags & EMIT else CHILDREN,
                RECORD if flags & (EMIT | CHAIN) else CHILDREN,
                failed,
                failed,
                questions,
            )
        )
    return bytes(table)


RULE_ENDS = _rule_ends()


# ---- errors

_END_OF_TEXT = 0  # not the type of any token
_OPENERS = frozenset((T.LBRACE, T.LPAREN, T.LBRACKET))
_CLOSERS = frozenset((T.RBRACE, T.RPAREN, T.RBRACKET))
# Words that begin a declaration or a statement. tokens.py gives them these types only there.
_HEADS = frozenset(range(T.VCL, T.GIVE + 1))
_ACL_ENTRY_STARTS = frozenset((T.STRING, T.NOT, T.LPAREN))


@record
class Failure:
    """One error of a parser. Indices are into the visible tokens. ``last < first``: nothing was skipped."""

    token: int
    rule: int
    expected: frozenset[int]
    first: int = 0
    last: int = -1

    @property
    def supplied(self) -> bool:
        return self.last < self.first


@record
class Recovery:
    """Decides how to recover from the errors of one parse, and records them. Tokens are indices into
    ``types``; ``expected`` holds token types."""

    types: bytes
    line_starts: bytes
    failures: list[Failure] = field(default_factory=list)
    latest: Failure | None = None  # recorded or not

    def failed(self, rule: int, at: int, expected: bytes) -> None:
        """Records that no alternative of the rule accepts the token. The parser then calls ``resume``."""
        self.latest = Failure(at, rule, frozenset(expected))
        if len(self.failures) < ERRORS_MAX:
            self.failures.append(self.latest)

    def resume(self, rule: int, start: int, at: int) -> int:
        """Returns the token where the parser resumes after the rule that began at ``start``, or NOT_HERE. The
        parser asks for each enclosing rule with ASK_RESUME, innermost first."""
        flags = RULE_FLAGS[rule]
        if flags & CONDITION:
            end = self._body_start(start, at)
            if end < len(self.types):
                return self._skipped(start, end)
        if flags & STATEMENT:
            return self._skipped(start, self._statement_end(start, at))
        return NOT_HERE

    def mismatch(self, rule: int, at: int, expected: bytes) -> int:
        """Handles a token other than the expected one. Supplies a missing ``;`` before the clear start of the
        next statement (returns ``at``). Drops tokens between a declaration's name and its ``{`` (returns the
        ``{``). Otherwise the statement fails (NOT_HERE)."""
        if T.SEMI in expected and self._begins_next(rule, at):
            self.failed(rule, at, expected)
            return at
        if expected == _ONLY_LBRACE:
            end = self._body_start(at, at)
            if end < len(self.types):
                self.failed(rule, at, expected)
                return self._skipped(at, end)
        return NOT_HERE

    def between(self, rule: int, at: int, expected: bytes) -> int:
        """Skips a token that can neither start an element of a list nor close the list, together with its
        statement, so that the rest of the list is still read. Returns the token where the parser resumes."""
        self.failed(rule, at, expected)
        return self._skipped(at, max(at + 1, self._statement_end(at, at)))

    def _skipped(self, first: int, end: int) -> int:
        assert self.latest is not None
        self.latest.first, self.latest.last = first, end - 1
        return end

    def _type(self, at: int) -> int:
        return self.types[at] if at < len(self.types) else _END_OF_TEXT

    def _statement_end(self, start: int, at: int) -> int:
        """Returns the token after the broken statement or declaration that began at ``start`` and failed at
        ``at``: after its ``;`` or its last block, before the ``}`` around it, or before the next statement or
        declaration."""
        depth = 0
        for i in range(start, len(self.types)):
            type = self.types[i]
            if type in _OPENERS:
                depth += 1
            elif type in _CLOSERS:
                if depth == 0:
                    return i
                depth -= 1
                if (
                    depth == 0
                    and type == T.RBRACE
                    and i >= at
                    and self._type(i + 1) not in (T.ELSE, T.ELSEIF)
                ):
                    return i + 1
            elif depth == 0 and i >= at:
                if type == T.SEMI:
                    return i + 1
                if i > start and type in _HEADS:
                    return i
        return len(self.types)

    def _body_start(self, start: int, at: int) -> int:
        """Returns the ``{`` of the body after the broken head. Returns the end of the text if the statement
        ends first."""
        depth = 0
        for i in range(start, len(self.types)):
            type = self.types[i]
            if depth == 0:
                if type == T.LBRACE and i >= at:
                    return i
                if type == T.SEMI or type in _CLOSERS or i > start and type in _HEADS:
                    break
            if type in _OPENERS:
                depth += 1
            elif type in _CLOSERS:
                depth -= 1
        return len(self.types)

    def _begins_next(self, rule: int, at: int) -> bool:
        """Whether a new statement, field or acl entry begins here: only the ``;`` before it is missing."""
        type = self._type(at)
        if type == _END_OF_TEXT or type == T.RBRACE or type in _HEADS:
            return True
        if not self.line_starts[at]:
            return False
        if rule == R.field:
            return type == T.DOT and self._type(at + 1) == T.IDENTIFIER and self._type(at + 2) == T.ASSIGN
        if rule == R.aclEntry:
            return type in _ACL_ENTRY_STARTS
        if type != T.IDENTIFIER:
            return False
        at += 1
        while self._type(at) == T.DOT:
            at += 2
        return self._type(at) == T.LPAREN


_ONLY_LBRACE = bytes((T.LBRACE,))
