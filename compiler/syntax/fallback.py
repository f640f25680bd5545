"""The generated Python parser driven exactly as ``ext/flat_parser.cpp`` drives the C++ one.

Used where the extension is not built. Functions have the names and the order of their C++ counterparts; a change to
one is a change to both, and tests compare their output on valid, broken and random input.
"""

from __future__ import annotations

from array import array

from antlr4 import InputStream, Token
from antlr4.error.Errors import InputMismatchException, RecognitionException
from antlr4.IntervalSet import IntervalSet
from antlr4.ParserRuleContext import ParserRuleContext

from vernis.syntax.frames import enough_frames
from vernis.syntax.generated.python.VclLexer import VclLexer
from vernis.syntax.generated.python.VclParser import VclParser

RULE_EMIT, RULE_CHAIN, RULE_STATEMENT, RULE_CONDITION, RULE_LIST = 1, 2, 4, 8, 16

_OPENERS = (VclParser.LBRACE, VclParser.LPAREN, VclParser.LBRACKET)
_CLOSERS = (VclParser.RBRACE, VclParser.RPAREN, VclParser.RBRACKET)
ERRORS_MAX = 1000       # recorded; further ones are recovered from in silence


class TypeToken:
    """What the generated parser asks of a token: its type."""

    __slots__ = ("type", "tokenIndex")

    def __init__(self, type: int, index: int) -> None:
        self.type = type
        self.tokenIndex = index


class TypeStream:
    """Token types without text; see TypeStream in ``ext/streams.h``."""

    def __init__(self, types: bytes, line_starts: bytes) -> None:
        self.types = types
        self.line_starts = line_starts
        self.count = len(types)
        self.index = 0
        self.tokens = [TypeToken(t, i) for i, t in enumerate(types)]
        self.tokens.append(TypeToken(Token.EOF, self.count))

    def type(self, index: int) -> int:
        return self.types[index] if index < self.count else Token.EOF

    def starts_line(self, index: int) -> bool:
        return index >= self.count or self.line_starts[index] != 0

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
    def __init__(self, stream: TypeStream, flags: bytes) -> None:
        super().__init__(stream)
        self.stream = stream
        self.flags = flags
        self.buildParseTrees = False
        self.nodes: list[tuple[int, int, int, int]] = []
        self.errors: list[list[int]] = []
        self.error: list[int] = []          # the latest, recorded or not
        self.open: list[list[int]] = []       # first token, records before it, children
        self.removeErrorListeners()
        self._errHandler = Recovery()

    def enterRule(self, localctx: ParserRuleContext, state: int, ruleIndex: int) -> None:
        super().enterRule(localctx, state, ruleIndex)
        self.open.append([self.stream.index, len(self.nodes), 0])

    def exitRule(self) -> None:
        ctx = self._ctx
        first, mark, children = self.open.pop()
        flags = self.flags[ctx.getRuleIndex()]
        if ctx.exception is not None:
            del self.nodes[mark:]
            if flags & (RULE_STATEMENT | RULE_CONDITION):
                self.add_broken(first, self.stream.index - 1)
        elif flags & RULE_EMIT or (flags & RULE_CHAIN and children != 1):
            self.emit(ctx.getRuleIndex(), first, self.stream.index - 1, children)
        elif self.open:
            self.open[-1][2] += children
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

    def rule_start(self) -> int:
        return self.open[-1][0]

    def add_error(self, token: int, rule: int, expected: IntervalSet) -> None:
        types = sorted({t for interval in expected.intervals or () for t in interval if t > 0})
        self.error = [token, rule, 0, -1, len(types), *types]
        if len(self.errors) < ERRORS_MAX:
            self.errors.append(self.error)

    def skip_to(self, first: int, end: int) -> None:
        self.error[2:4] = [first, end - 1]
        self.stream.seek(end)


def is_head_word(type: int) -> bool:
    return VclParser.VCL <= type <= VclParser.NEW


def statement_end(s: TypeStream, start: int, at: int) -> int:
    depth = 0
    for i in range(start, s.count):
        type = s.types[i]
        if type in _OPENERS:
            depth += 1
        elif type in _CLOSERS:
            if depth == 0:
                return i
            depth -= 1
            if depth == 0 and type == VclParser.RBRACE and i >= at \
                    and s.type(i + 1) not in (VclParser.ELSE, VclParser.ELSEIF):
                return i + 1
        elif depth == 0 and i >= at:
            if type == VclParser.SEMI:
                return i + 1
            if i > start and is_head_word(type):
                return i
    return s.count


def body_start(s: TypeStream, start: int, at: int) -> int:
    depth = 0
    for i in range(start, s.count):
        type = s.types[i]
        if depth == 0 and i >= at and type == VclParser.LBRACE:
            return i
        if depth == 0 and (type == VclParser.SEMI or type in _CLOSERS or (i > start and is_head_word(type))):
            break
        if type in _OPENERS:
            depth += 1
        elif type in _CLOSERS:
            depth -= 1
    return s.count


def begins_next(s: TypeStream, rule: int, at: int) -> bool:
    type = s.type(at)
    if type == Token.EOF or type == VclParser.RBRACE or is_head_word(type):
        return True
    if not s.starts_line(at):
        return False
    if rule == VclParser.RULE_field:
        return (type == VclParser.DOT and s.type(at + 1) == VclParser.IDENTIFIER
                and s.type(at + 2) == VclParser.ASSIGN)
    if rule == VclParser.RULE_aclEntry:
        return type in (VclParser.STRING, VclParser.NOT, VclParser.LPAREN)
    if type != VclParser.IDENTIFIER:
        return False
    at += 1
    while s.type(at) == VclParser.DOT:
        at += 2
    return s.type(at) == VclParser.LPAREN


class Recovery:
    """See ``Recovery`` in ``ext/flat_parser.cpp``."""

    def __init__(self) -> None:
        self.reported = False

    def reset(self, parser: FlatParser) -> None:
        self.reported = False

    def inErrorRecoveryMode(self, parser: FlatParser) -> bool:
        return self.reported

    def reportMatch(self, parser: FlatParser) -> None:
        pass

    def reportError(self, parser: FlatParser, e: RecognitionException) -> None:
        if self.reported:
            return
        self.reported = True
        parser.add_error(parser.stream.index, parser._ctx.getRuleIndex(), e.getExpectedTokens())

    def recover(self, parser: FlatParser, e: RecognitionException) -> None:
        flags = parser.flags[parser._ctx.getRuleIndex()]
        start = parser.rule_start()
        if flags & RULE_CONDITION:
            end = body_start(parser.stream, start, parser.stream.index)
            if end < parser.stream.count:
                parser.skip_to(start, end)
                self.reported = False
                return
        if not flags & RULE_STATEMENT:
            raise e
        parser.skip_to(start, statement_end(parser.stream, start, parser.stream.index))
        self.reported = False

    def recoverInline(self, parser: FlatParser) -> TypeToken:
        s = parser.stream
        at = s.index
        rule = parser._ctx.getRuleIndex()
        expected = parser.getExpectedTokens()
        if VclParser.SEMI in expected and begins_next(s, rule, at):
            parser.add_error(at, rule, expected)
            return s.LT(1)
        if VclParser.LBRACE in expected and len(expected) == 1:
            end = body_start(s, at, at)
            if end < s.count:
                parser.add_error(at, rule, expected)
                parser.skip_to(at, end)
                return parser.consume()
        raise InputMismatchException(parser)

    def sync(self, parser: FlatParser) -> None:
        s = parser.stream
        rule = parser._ctx.getRuleIndex()
        if not parser.flags[rule] & RULE_LIST:
            return
        expected = parser.atn.nextTokens(parser.atn.states[parser.state])
        while s.index < s.count and s.types[s.index] not in expected:
            at = s.index
            end = max(at + 1, statement_end(s, at, at))
            parser.add_error(at, rule, expected)
            parser.skip_to(at, end)
            parser.add_broken(at, end - 1)


def lex(data: bytes, words: dict[bytes, int], folded: dict[bytes, int],
        tokens_max: int) -> tuple[bytes, bytes, bytes, bytes]:
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


def parse(types: bytes, line_starts: bytes, flags: bytes) -> bytes:
    if len(line_starts) != len(types):
        raise ValueError("types and line_starts differ in length")
    parser = FlatParser(TypeStream(types, line_starts), flags)
    enough_frames()
    parser.program()
    out = array("i", (len(parser.nodes), len(parser.errors)))
    for node in parser.nodes:
        out.extend(node)
    for error in parser.errors:
        out.extend(error)
    return out.tobytes()
