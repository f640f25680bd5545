"""Drives the generated Python parser as ``ext/flat_parser.cpp`` drives the C++ one; used if the extension is
not built.

``driver.py`` decides for both which records a rule leaves and how an error is handled. This file only calls
ANTLR's runtime. Tests compare the output of the two on valid, broken and random input.
"""

from __future__ import annotations

from array import array

from antlr4 import InputStream, Token
from antlr4.error.Errors import InputMismatchException, RecognitionException
from antlr4.IntervalSet import IntervalSet
from antlr4.ParserRuleContext import ParserRuleContext

from vernis.syntax.driver import (
    ASK_BETWEEN,
    ASK_RESUME,
    BROKEN,
    CHILDREN,
    ENDS_PER_RULE,
    NOT_HERE,
    NOTHING,
    QUESTIONS,
    RECORD,
    Recovery,
)
from vernis.syntax.frames import enough_frames
from vernis.syntax.generated.python.VclLexer import VclLexer
from vernis.syntax.generated.python.VclParser import VclParser


class TypeToken:
    """The part of a token that the generated parser reads: its type."""

    __slots__ = ("type", "tokenIndex")

    def __init__(self, type: int, index: int) -> None:
        self.type = type
        self.tokenIndex = index


class TypeStream:
    """Token types without text; see TypeStream in ``ext/streams.h``."""

    def __init__(self, types: bytes) -> None:
        self.types = types
        self.count = len(types)
        self.index = 0
        self.tokens = [TypeToken(t, i) for i, t in enumerate(types)]
        self.tokens.append(TypeToken(Token.EOF, self.count))

    def type(self, index: int) -> int:
        return self.types[index] if index < self.count else Token.EOF

    def consume(self) -> None:
        self.index = min(self.index + 1, self.count)

    def LA(self, k: int) -> int:
        return self.type(self.index + k - 1) if k > 0 else self.LT(k).type

    def LT(self, k: int) -> TypeToken:
        index = self.index + (k - 1 if k > 0 else k)
        return self.tokens[min(max(index, 0), self.count)]

    def mark(self) -> int:
        return -1

    def release(self, marker: int) -> None:
        pass

    def seek(self, index: int) -> None:
        self.index = min(index, self.count)


class FlatParser(VclParser):
    """Rules that end append one record each to ``nodes``, a flat post-order list."""

    def __init__(self, stream: TypeStream, ends: bytes, recovery: Recovery) -> None:
        super().__init__(stream)
        self.stream = stream
        self.ends = ends
        self.buildParseTrees = False
        self.nodes: list[tuple[int, int, int, int]] = []
        self.open: list[list[int]] = []  # first token, records before it, children
        self.removeErrorListeners()
        self._errHandler = ErrorStrategy(recovery)

    def enterRule(self, localctx: ParserRuleContext, state: int, ruleIndex: int) -> None:
        super().enterRule(localctx, state, ruleIndex)
        self.open.append([self.stream.index, len(self.nodes), 0])

    def exitRule(self) -> None:
        ctx = self._ctx
        rule = ctx.getRuleIndex()
        first, mark, children = self.open.pop()
        end = self.ends[rule * ENDS_PER_RULE + 2 * (ctx.exception is not None) + (children != 1)]
        if end == CHILDREN and self.open:
            self.open[-1][2] += children
        elif end == RECORD:
            self.emit(rule, first, self.stream.index - 1, children)
        elif end in (NOTHING, BROKEN):
            del self.nodes[mark:]
        if end == BROKEN:
            self.add_broken(first, self.stream.index - 1)
        super().exitRule()

    def consume(self) -> TypeToken:
        token = self.stream.LT(1)
        self.stream.consume()
        return token

    def emit(self, kind: int, first: int, last: int, children: int) -> None:
        self.nodes.append((kind, first, last, children))
        if self.open:
            self.open[-1][2] += 1

    def add_broken(self, first: int, last: int) -> None:
        self.emit(len(self.ruleNames), first, last, 0)

    def asks(self, rule: int, question: int) -> int:
        return self.ends[rule * ENDS_PER_RULE + QUESTIONS] & question

    def rule_start(self) -> int:
        return self.open[-1][0]


def token_types(expected: IntervalSet) -> bytes:
    """Returns the expected token types. The end of the text and the empty alternative have no type of their
    own."""
    return bytes(sorted({t for interval in expected.intervals or () for t in interval if t > 0}))


class ErrorStrategy:
    """Passes errors of ANTLR's runtime to the driver, and applies its decisions."""

    def __init__(self, recovery: Recovery) -> None:
        self.recovery = recovery
        self.failing = False  # an error is on its way up to the rule that recovers

    def reset(self, parser: FlatParser) -> None:
        self.failing = False

    def inErrorRecoveryMode(self, parser: FlatParser) -> bool:
        return self.failing

    def reportMatch(self, parser: FlatParser) -> None:
        pass

    def reportError(self, parser: FlatParser, e: RecognitionException) -> None:
        if not self.failing:
            self.failing = True
            self.recovery.failed(
                parser._ctx.getRuleIndex(), parser.stream.index, token_types(e.getExpectedTokens())
            )

    def recover(self, parser: FlatParser, e: RecognitionException) -> None:
        rule, end = parser._ctx.getRuleIndex(), NOT_HERE
        if parser.asks(rule, ASK_RESUME):
            end = self.recovery.resume(rule, parser.rule_start(), parser.stream.index)
        if end == NOT_HERE:
            raise e
        parser.stream.seek(end)
        self.failing = False

    def recoverInline(self, parser: FlatParser) -> TypeToken:
        at = parser.stream.index
        end = self.recovery.mismatch(parser._ctx.getRuleIndex(), at, token_types(parser.getExpectedTokens()))
        if end == NOT_HERE:
            raise InputMismatchException(parser)
        if end == at:
            return parser.stream.LT(1)
        parser.stream.seek(end)
        return parser.consume()

    def sync(self, parser: FlatParser) -> None:
        s = parser.stream
        rule = parser._ctx.getRuleIndex()
        if not parser.asks(rule, ASK_BETWEEN):
            return
        expected = parser.atn.nextTokens(parser.atn.states[parser.state])
        while s.index < s.count and s.types[s.index] not in expected:
            at = s.index
            s.seek(self.recovery.between(rule, at, token_types(expected)))
            parser.add_broken(at, s.index - 1)


def lex(
    data: bytes, words: dict[bytes, int], folded: dict[bytes, int], tokens_max: int
) -> tuple[bytes, bytes, bytes, bytes]:
    types, line_starts, hidden = bytearray(), bytearray(), bytearray()
    places = array("i")
    lexer = VclLexer(InputStream(data.decode("latin-1")))
    lexer.removeErrorListeners()
    last_line = 0
    while (token := lexer.nextToken()).type != Token.EOF and len(types) <= tokens_max:
        start, end = token.start, token.stop + 1
        type = token.type
        if type == VclLexer.IDENTIFIER:
            word = data[start:end]
            type = words.get(word) or folded.get(word.lower()) or type
        is_hidden = token.channel != Token.DEFAULT_CHANNEL
        types.append(type)
        hidden.append(is_hidden)
        line_starts.append(token.line != last_line)
        places.extend((start, end, token.line))
        if not is_hidden:
            last_line = token.line
    return bytes(types), bytes(line_starts), bytes(hidden), places.tobytes()


def parse(types: bytes, ends: bytes, recovery: Recovery) -> bytes:
    parser = FlatParser(TypeStream(types), ends, recovery)
    enough_frames()
    parser.program()
    out = array("i")
    for node in parser.nodes:
        out.extend(node)
    return out.tobytes()
