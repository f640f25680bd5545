# Generated from VclLexer.g4 by ANTLR 4.9.1
from antlr4 import *
from io import StringIO
from typing import TextIO
import sys



def serializedATN():
    with StringIO() as buf:
        buf.write("\3\u608b\ua72a\u8133\ub9ed\u417c\u3be7\u7786\u5964\2A")
        buf.write("\u0128\b\1\4\2\t\2\4\3\t\3\4\4\t\4\4\5\t\5\4\6\t\6\4\7")
        buf.write("\t\7\4\b\t\b\4\t\t\t\4\n\t\n\4\13\t\13\4\f\t\f\4\r\t\r")
        buf.write("\4\16\t\16\4\17\t\17\4\20\t\20\4\21\t\21\4\22\t\22\4\23")
        buf.write("\t\23\4\24\t\24\4\25\t\25\4\26\t\26\4\27\t\27\4\30\t\30")
        buf.write("\4\31\t\31\4\32\t\32\4\33\t\33\4\34\t\34\4\35\t\35\4\36")
        buf.write("\t\36\4\37\t\37\4 \t \4!\t!\4\"\t\"\4#\t#\4$\t$\4%\t%")
        buf.write("\4&\t&\4\'\t\'\4(\t(\4)\t)\4*\t*\4+\t+\4,\t,\4-\t-\3\2")
        buf.write("\3\2\7\2^\n\2\f\2\16\2a\13\2\3\3\6\3d\n\3\r\3\16\3e\3")
        buf.write("\3\3\3\7\3j\n\3\f\3\16\3m\13\3\5\3o\n\3\3\4\3\4\7\4s\n")
        buf.write("\4\f\4\16\4v\13\4\3\4\3\4\3\5\3\5\7\5|\n\5\f\5\16\5\177")
        buf.write("\13\5\3\6\3\6\3\6\3\6\7\6\u0085\n\6\f\6\16\6\u0088\13")
        buf.write("\6\3\6\3\6\3\6\5\6\u008d\n\6\3\7\3\7\3\7\3\7\3\7\7\7\u0094")
        buf.write("\n\7\f\7\16\7\u0097\13\7\3\7\3\7\3\7\3\7\5\7\u009d\n\7")
        buf.write("\3\b\3\b\7\b\u00a1\n\b\f\b\16\b\u00a4\13\b\3\b\3\b\3\t")
        buf.write("\3\t\3\t\3\t\7\t\u00ac\n\t\f\t\16\t\u00af\13\t\3\t\3\t")
        buf.write("\3\t\5\t\u00b4\n\t\3\n\3\n\3\13\3\13\3\f\3\f\3\r\3\r\3")
        buf.write("\16\3\16\3\17\3\17\3\20\3\20\3\21\3\21\3\22\3\22\3\23")
        buf.write("\3\23\3\24\3\24\3\24\3\25\3\25\3\25\3\26\3\26\3\26\3\27")
        buf.write("\3\27\3\27\3\30\3\30\3\30\3\31\3\31\3\31\3\32\3\32\3\33")
        buf.write("\3\33\3\33\3\34\3\34\3\35\3\35\3\35\3\36\3\36\3\37\3\37")
        buf.write("\3\37\3 \3 \3!\3!\3!\3\"\3\"\3\"\3#\3#\3$\3$\3%\3%\3&")
        buf.write("\3&\3\'\3\'\3(\3(\3(\3)\3)\3)\3*\3*\3*\5*\u0106\n*\3*")
        buf.write("\7*\u0109\n*\f*\16*\u010c\13*\3*\3*\3+\3+\3+\3+\7+\u0114")
        buf.write("\n+\f+\16+\u0117\13+\3+\3+\3+\5+\u011c\n+\3+\3+\3,\6,")
        buf.write("\u0121\n,\r,\16,\u0122\3,\3,\3-\3-\6\u0086\u0095\u00ad")
        buf.write("\u0115\2.\3\26\5\27\7\30\t\31\13\32\r\33\17\34\21\35\23")
        buf.write("\36\25\37\27 \31!\33\"\35#\37$!%#&%\'\'())+*-+/,\61-\63")
        buf.write(".\65/\67\609\61;\62=\63?\64A\65C\66E\67G8I9K:M;O<Q=S>")
        buf.write("U?W@YA\3\2\t\4\2C\\c|\7\2//\62;C\\aac|\3\2\62;\5\2\f\f")
        buf.write("\17\17$$\7\2--\61;??C\\c|\4\2\f\f\17\17\4\2\13\17\"\"")
        buf.write("\2\u0139\2\3\3\2\2\2\2\5\3\2\2\2\2\7\3\2\2\2\2\t\3\2\2")
        buf.write("\2\2\13\3\2\2\2\2\r\3\2\2\2\2\17\3\2\2\2\2\21\3\2\2\2")
        buf.write("\2\23\3\2\2\2\2\25\3\2\2\2\2\27\3\2\2\2\2\31\3\2\2\2\2")
        buf.write("\33\3\2\2\2\2\35\3\2\2\2\2\37\3\2\2\2\2!\3\2\2\2\2#\3")
        buf.write("\2\2\2\2%\3\2\2\2\2\'\3\2\2\2\2)\3\2\2\2\2+\3\2\2\2\2")
        buf.write("-\3\2\2\2\2/\3\2\2\2\2\61\3\2\2\2\2\63\3\2\2\2\2\65\3")
        buf.write("\2\2\2\2\67\3\2\2\2\29\3\2\2\2\2;\3\2\2\2\2=\3\2\2\2\2")
        buf.write("?\3\2\2\2\2A\3\2\2\2\2C\3\2\2\2\2E\3\2\2\2\2G\3\2\2\2")
        buf.write("\2I\3\2\2\2\2K\3\2\2\2\2M\3\2\2\2\2O\3\2\2\2\2Q\3\2\2")
        buf.write("\2\2S\3\2\2\2\2U\3\2\2\2\2W\3\2\2\2\2Y\3\2\2\2\3[\3\2")
        buf.write("\2\2\5c\3\2\2\2\7p\3\2\2\2\ty\3\2\2\2\13\u0080\3\2\2\2")
        buf.write("\r\u008e\3\2\2\2\17\u009e\3\2\2\2\21\u00a7\3\2\2\2\23")
        buf.write("\u00b5\3\2\2\2\25\u00b7\3\2\2\2\27\u00b9\3\2\2\2\31\u00bb")
        buf.write("\3\2\2\2\33\u00bd\3\2\2\2\35\u00bf\3\2\2\2\37\u00c1\3")
        buf.write("\2\2\2!\u00c3\3\2\2\2#\u00c5\3\2\2\2%\u00c7\3\2\2\2\'")
        buf.write("\u00c9\3\2\2\2)\u00cc\3\2\2\2+\u00cf\3\2\2\2-\u00d2\3")
        buf.write("\2\2\2/\u00d5\3\2\2\2\61\u00d8\3\2\2\2\63\u00db\3\2\2")
        buf.write("\2\65\u00dd\3\2\2\2\67\u00e0\3\2\2\29\u00e2\3\2\2\2;\u00e5")
        buf.write("\3\2\2\2=\u00e7\3\2\2\2?\u00ea\3\2\2\2A\u00ec\3\2\2\2")
        buf.write("C\u00ef\3\2\2\2E\u00f2\3\2\2\2G\u00f4\3\2\2\2I\u00f6\3")
        buf.write("\2\2\2K\u00f8\3\2\2\2M\u00fa\3\2\2\2O\u00fc\3\2\2\2Q\u00ff")
        buf.write("\3\2\2\2S\u0105\3\2\2\2U\u010f\3\2\2\2W\u0120\3\2\2\2")
        buf.write("Y\u0126\3\2\2\2[_\t\2\2\2\\^\t\3\2\2]\\\3\2\2\2^a\3\2")
        buf.write("\2\2_]\3\2\2\2_`\3\2\2\2`\4\3\2\2\2a_\3\2\2\2bd\t\4\2")
        buf.write("\2cb\3\2\2\2de\3\2\2\2ec\3\2\2\2ef\3\2\2\2fn\3\2\2\2g")
        buf.write("k\7\60\2\2hj\t\4\2\2ih\3\2\2\2jm\3\2\2\2ki\3\2\2\2kl\3")
        buf.write("\2\2\2lo\3\2\2\2mk\3\2\2\2ng\3\2\2\2no\3\2\2\2o\6\3\2")
        buf.write("\2\2pt\7$\2\2qs\n\5\2\2rq\3\2\2\2sv\3\2\2\2tr\3\2\2\2")
        buf.write("tu\3\2\2\2uw\3\2\2\2vt\3\2\2\2wx\7$\2\2x\b\3\2\2\2y}\7")
        buf.write("$\2\2z|\n\5\2\2{z\3\2\2\2|\177\3\2\2\2}{\3\2\2\2}~\3\2")
        buf.write("\2\2~\n\3\2\2\2\177}\3\2\2\2\u0080\u0081\7}\2\2\u0081")
        buf.write("\u0082\7$\2\2\u0082\u0086\3\2\2\2\u0083\u0085\13\2\2\2")
        buf.write("\u0084\u0083\3\2\2\2\u0085\u0088\3\2\2\2\u0086\u0087\3")
        buf.write("\2\2\2\u0086\u0084\3\2\2\2\u0087\u008c\3\2\2\2\u0088\u0086")
        buf.write("\3\2\2\2\u0089\u008a\7$\2\2\u008a\u008d\7\177\2\2\u008b")
        buf.write("\u008d\7\2\2\3\u008c\u0089\3\2\2\2\u008c\u008b\3\2\2\2")
        buf.write("\u008d\f\3\2\2\2\u008e\u008f\7$\2\2\u008f\u0090\7$\2\2")
        buf.write("\u0090\u0091\7$\2\2\u0091\u0095\3\2\2\2\u0092\u0094\13")
        buf.write("\2\2\2\u0093\u0092\3\2\2\2\u0094\u0097\3\2\2\2\u0095\u0096")
        buf.write("\3\2\2\2\u0095\u0093\3\2\2\2\u0096\u009c\3\2\2\2\u0097")
        buf.write("\u0095\3\2\2\2\u0098\u0099\7$\2\2\u0099\u009a\7$\2\2\u009a")
        buf.write("\u009d\7$\2\2\u009b\u009d\7\2\2\3\u009c\u0098\3\2\2\2")
        buf.write("\u009c\u009b\3\2\2\2\u009d\16\3\2\2\2\u009e\u00a2\7<\2")
        buf.write("\2\u009f\u00a1\t\6\2\2\u00a0\u009f\3\2\2\2\u00a1\u00a4")
        buf.write("\3\2\2\2\u00a2\u00a0\3\2\2\2\u00a2\u00a3\3\2\2\2\u00a3")
        buf.write("\u00a5\3\2\2\2\u00a4\u00a2\3\2\2\2\u00a5\u00a6\7<\2\2")
        buf.write("\u00a6\20\3\2\2\2\u00a7\u00a8\7E\2\2\u00a8\u00a9\7}\2")
        buf.write("\2\u00a9\u00ad\3\2\2\2\u00aa\u00ac\13\2\2\2\u00ab\u00aa")
        buf.write("\3\2\2\2\u00ac\u00af\3\2\2\2\u00ad\u00ae\3\2\2\2\u00ad")
        buf.write("\u00ab\3\2\2\2\u00ae\u00b3\3\2\2\2\u00af\u00ad\3\2\2\2")
        buf.write("\u00b0\u00b1\7\177\2\2\u00b1\u00b4\7E\2\2\u00b2\u00b4")
        buf.write("\7\2\2\3\u00b3\u00b0\3\2\2\2\u00b3\u00b2\3\2\2\2\u00b4")
        buf.write("\22\3\2\2\2\u00b5\u00b6\7}\2\2\u00b6\24\3\2\2\2\u00b7")
        buf.write("\u00b8\7\177\2\2\u00b8\26\3\2\2\2\u00b9\u00ba\7*\2\2\u00ba")
        buf.write("\30\3\2\2\2\u00bb\u00bc\7+\2\2\u00bc\32\3\2\2\2\u00bd")
        buf.write("\u00be\7]\2\2\u00be\34\3\2\2\2\u00bf\u00c0\7_\2\2\u00c0")
        buf.write("\36\3\2\2\2\u00c1\u00c2\7=\2\2\u00c2 \3\2\2\2\u00c3\u00c4")
        buf.write("\7.\2\2\u00c4\"\3\2\2\2\u00c5\u00c6\7\60\2\2\u00c6$\3")
        buf.write("\2\2\2\u00c7\u00c8\7?\2\2\u00c8&\3\2\2\2\u00c9\u00ca\7")
        buf.write("-\2\2\u00ca\u00cb\7?\2\2\u00cb(\3\2\2\2\u00cc\u00cd\7")
        buf.write("/\2\2\u00cd\u00ce\7?\2\2\u00ce*\3\2\2\2\u00cf\u00d0\7")
        buf.write(",\2\2\u00d0\u00d1\7?\2\2\u00d1,\3\2\2\2\u00d2\u00d3\7")
        buf.write("\61\2\2\u00d3\u00d4\7?\2\2\u00d4.\3\2\2\2\u00d5\u00d6")
        buf.write("\7?\2\2\u00d6\u00d7\7?\2\2\u00d7\60\3\2\2\2\u00d8\u00d9")
        buf.write("\7#\2\2\u00d9\u00da\7?\2\2\u00da\62\3\2\2\2\u00db\u00dc")
        buf.write("\7>\2\2\u00dc\64\3\2\2\2\u00dd\u00de\7>\2\2\u00de\u00df")
        buf.write("\7?\2\2\u00df\66\3\2\2\2\u00e0\u00e1\7@\2\2\u00e18\3\2")
        buf.write("\2\2\u00e2\u00e3\7@\2\2\u00e3\u00e4\7?\2\2\u00e4:\3\2")
        buf.write("\2\2\u00e5\u00e6\7\u0080\2\2\u00e6<\3\2\2\2\u00e7\u00e8")
        buf.write("\7#\2\2\u00e8\u00e9\7\u0080\2\2\u00e9>\3\2\2\2\u00ea\u00eb")
        buf.write("\7#\2\2\u00eb@\3\2\2\2\u00ec\u00ed\7(\2\2\u00ed\u00ee")
        buf.write("\7(\2\2\u00eeB\3\2\2\2\u00ef\u00f0\7~\2\2\u00f0\u00f1")
        buf.write("\7~\2\2\u00f1D\3\2\2\2\u00f2\u00f3\7-\2\2\u00f3F\3\2\2")
        buf.write("\2\u00f4\u00f5\7/\2\2\u00f5H\3\2\2\2\u00f6\u00f7\7,\2")
        buf.write("\2\u00f7J\3\2\2\2\u00f8\u00f9\7\61\2\2\u00f9L\3\2\2\2")
        buf.write("\u00fa\u00fb\7\'\2\2\u00fbN\3\2\2\2\u00fc\u00fd\7-\2\2")
        buf.write("\u00fd\u00fe\7-\2\2\u00feP\3\2\2\2\u00ff\u0100\7/\2\2")
        buf.write("\u0100\u0101\7/\2\2\u0101R\3\2\2\2\u0102\u0106\7%\2\2")
        buf.write("\u0103\u0104\7\61\2\2\u0104\u0106\7\61\2\2\u0105\u0102")
        buf.write("\3\2\2\2\u0105\u0103\3\2\2\2\u0106\u010a\3\2\2\2\u0107")
        buf.write("\u0109\n\7\2\2\u0108\u0107\3\2\2\2\u0109\u010c\3\2\2\2")
        buf.write("\u010a\u0108\3\2\2\2\u010a\u010b\3\2\2\2\u010b\u010d\3")
        buf.write("\2\2\2\u010c\u010a\3\2\2\2\u010d\u010e\b*\2\2\u010eT\3")
        buf.write("\2\2\2\u010f\u0110\7\61\2\2\u0110\u0111\7,\2\2\u0111\u0115")
        buf.write("\3\2\2\2\u0112\u0114\13\2\2\2\u0113\u0112\3\2\2\2\u0114")
        buf.write("\u0117\3\2\2\2\u0115\u0116\3\2\2\2\u0115\u0113\3\2\2\2")
        buf.write("\u0116\u011b\3\2\2\2\u0117\u0115\3\2\2\2\u0118\u0119\7")
        buf.write(",\2\2\u0119\u011c\7\61\2\2\u011a\u011c\7\2\2\3\u011b\u0118")
        buf.write("\3\2\2\2\u011b\u011a\3\2\2\2\u011c\u011d\3\2\2\2\u011d")
        buf.write("\u011e\b+\2\2\u011eV\3\2\2\2\u011f\u0121\t\b\2\2\u0120")
        buf.write("\u011f\3\2\2\2\u0121\u0122\3\2\2\2\u0122\u0120\3\2\2\2")
        buf.write("\u0122\u0123\3\2\2\2\u0123\u0124\3\2\2\2\u0124\u0125\b")
        buf.write(",\3\2\u0125X\3\2\2\2\u0126\u0127\13\2\2\2\u0127Z\3\2\2")
        buf.write("\2\25\2_eknt}\u0086\u008c\u0095\u009c\u00a2\u00ad\u00b3")
        buf.write("\u0105\u010a\u0115\u011b\u0122\4\2\3\2\b\2\2")
        return buf.getvalue()


class VclLexer(Lexer):

    atn = ATNDeserializer().deserialize(serializedATN())

    decisionsToDFA = [ DFA(ds, i) for i, ds in enumerate(atn.decisionToState) ]

    VCL = 1
    BACKEND = 2
    PROBE = 3
    ACL = 4
    SUB = 5
    IMPORT = 6
    SET = 7
    UNSET = 8
    CALL = 9
    RETURN = 10
    IF = 11
    NEW = 12
    ELSE = 13
    ELSEIF = 14
    FROM = 15
    AS = 16
    NONE = 17
    INCLUDE = 18
    TEST = 19
    IDENTIFIER = 20
    NUMBER = 21
    STRING = 22
    UNCLOSED_STRING = 23
    LONG_STRING = 24
    TRIPLE_STRING = 25
    BLOB = 26
    INLINE_C = 27
    LBRACE = 28
    RBRACE = 29
    LPAREN = 30
    RPAREN = 31
    LBRACKET = 32
    RBRACKET = 33
    SEMI = 34
    COMMA = 35
    DOT = 36
    ASSIGN = 37
    ADD_ASSIGN = 38
    SUB_ASSIGN = 39
    MUL_ASSIGN = 40
    DIV_ASSIGN = 41
    EQ = 42
    NE = 43
    LT = 44
    LE = 45
    GT = 46
    GE = 47
    MATCH = 48
    NO_MATCH = 49
    NOT = 50
    AND = 51
    OR = 52
    PLUS = 53
    MINUS = 54
    STAR = 55
    SLASH = 56
    PERCENT = 57
    DOUBLE_PLUS = 58
    DOUBLE_MINUS = 59
    LINE_COMMENT = 60
    BLOCK_COMMENT = 61
    SPACE = 62
    UNKNOWN = 63

    channelNames = [ u"DEFAULT_TOKEN_CHANNEL", u"HIDDEN" ]

    modeNames = [ "DEFAULT_MODE" ]

    literalNames = [ "<INVALID>",
            "'{'", "'}'", "'('", "')'", "'['", "']'", "';'", "','", "'.'",
            "'='", "'+='", "'-='", "'*='", "'/='", "'=='", "'!='", "'<'",
            "'<='", "'>'", "'>='", "'~'", "'!~'", "'!'", "'&&'", "'||'",
            "'+'", "'-'", "'*'", "'/'", "'%'", "'++'", "'--'" ]

    symbolicNames = [ "<INVALID>",
            "VCL", "BACKEND", "PROBE", "ACL", "SUB", "IMPORT", "SET", "UNSET",
            "CALL", "RETURN", "IF", "NEW", "ELSE", "ELSEIF", "FROM", "AS",
            "NONE", "INCLUDE", "TEST", "IDENTIFIER", "NUMBER", "STRING",
            "UNCLOSED_STRING", "LONG_STRING", "TRIPLE_STRING", "BLOB", "INLINE_C",
            "LBRACE", "RBRACE", "LPAREN", "RPAREN", "LBRACKET", "RBRACKET",
            "SEMI", "COMMA", "DOT", "ASSIGN", "ADD_ASSIGN", "SUB_ASSIGN",
            "MUL_ASSIGN", "DIV_ASSIGN", "EQ", "NE", "LT", "LE", "GT", "GE",
            "MATCH", "NO_MATCH", "NOT", "AND", "OR", "PLUS", "MINUS", "STAR",
            "SLASH", "PERCENT", "DOUBLE_PLUS", "DOUBLE_MINUS", "LINE_COMMENT",
            "BLOCK_COMMENT", "SPACE", "UNKNOWN" ]

    ruleNames = [ "IDENTIFIER", "NUMBER", "STRING", "UNCLOSED_STRING", "LONG_STRING",
                  "TRIPLE_STRING", "BLOB", "INLINE_C", "LBRACE", "RBRACE",
                  "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", "SEMI", "COMMA",
                  "DOT", "ASSIGN", "ADD_ASSIGN", "SUB_ASSIGN", "MUL_ASSIGN",
                  "DIV_ASSIGN", "EQ", "NE", "LT", "LE", "GT", "GE", "MATCH",
                  "NO_MATCH", "NOT", "AND", "OR", "PLUS", "MINUS", "STAR",
                  "SLASH", "PERCENT", "DOUBLE_PLUS", "DOUBLE_MINUS", "LINE_COMMENT",
                  "BLOCK_COMMENT", "SPACE", "UNKNOWN" ]

    grammarFileName = "VclLexer.g4"

    def __init__(self, input=None, output:TextIO = sys.stdout):
        super().__init__(input, output)
        self.checkVersion("4.9.1")
        self._interp = LexerATNSimulator(self, self.atn, self.decisionsToDFA, PredictionContextCache())
        self._actions = None
        self._predicates = None


