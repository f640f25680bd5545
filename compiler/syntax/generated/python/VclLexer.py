# Generated from VclLexer.g4 by ANTLR 4.9.1
from antlr4 import *
from io import StringIO
from typing import TextIO
import sys



def serializedATN():
    with StringIO() as buf:
        buf.write("\3\u608b\ua72a\u8133\ub9ed\u417c\u3be7\u7786\u5964\2>")
        buf.write("\u011e\b\1\4\2\t\2\4\3\t\3\4\4\t\4\4\5\t\5\4\6\t\6\4\7")
        buf.write("\t\7\4\b\t\b\4\t\t\t\4\n\t\n\4\13\t\13\4\f\t\f\4\r\t\r")
        buf.write("\4\16\t\16\4\17\t\17\4\20\t\20\4\21\t\21\4\22\t\22\4\23")
        buf.write("\t\23\4\24\t\24\4\25\t\25\4\26\t\26\4\27\t\27\4\30\t\30")
        buf.write("\4\31\t\31\4\32\t\32\4\33\t\33\4\34\t\34\4\35\t\35\4\36")
        buf.write("\t\36\4\37\t\37\4 \t \4!\t!\4\"\t\"\4#\t#\4$\t$\4%\t%")
        buf.write("\4&\t&\4\'\t\'\4(\t(\4)\t)\4*\t*\4+\t+\3\2\3\2\7\2Z\n")
        buf.write("\2\f\2\16\2]\13\2\3\3\6\3`\n\3\r\3\16\3a\3\3\3\3\7\3f")
        buf.write("\n\3\f\3\16\3i\13\3\5\3k\n\3\3\4\3\4\7\4o\n\4\f\4\16\4")
        buf.write("r\13\4\3\4\3\4\3\5\3\5\7\5x\n\5\f\5\16\5{\13\5\3\6\3\6")
        buf.write("\3\6\3\6\7\6\u0081\n\6\f\6\16\6\u0084\13\6\3\6\3\6\3\6")
        buf.write("\5\6\u0089\n\6\3\7\3\7\3\7\3\7\3\7\7\7\u0090\n\7\f\7\16")
        buf.write("\7\u0093\13\7\3\7\3\7\3\7\3\7\5\7\u0099\n\7\3\b\3\b\7")
        buf.write("\b\u009d\n\b\f\b\16\b\u00a0\13\b\3\b\3\b\3\t\3\t\3\t\3")
        buf.write("\t\7\t\u00a8\n\t\f\t\16\t\u00ab\13\t\3\t\3\t\3\t\5\t\u00b0")
        buf.write("\n\t\3\n\3\n\3\13\3\13\3\f\3\f\3\r\3\r\3\16\3\16\3\17")
        buf.write("\3\17\3\20\3\20\3\21\3\21\3\22\3\22\3\23\3\23\3\24\3\24")
        buf.write("\3\24\3\25\3\25\3\25\3\26\3\26\3\26\3\27\3\27\3\27\3\30")
        buf.write("\3\30\3\30\3\31\3\31\3\31\3\32\3\32\3\33\3\33\3\33\3\34")
        buf.write("\3\34\3\35\3\35\3\35\3\36\3\36\3\37\3\37\3\37\3 \3 \3")
        buf.write("!\3!\3!\3\"\3\"\3\"\3#\3#\3$\3$\3%\3%\3&\3&\3\'\3\'\3")
        buf.write("(\3(\3(\5(\u00fc\n(\3(\7(\u00ff\n(\f(\16(\u0102\13(\3")
        buf.write("(\3(\3)\3)\3)\3)\7)\u010a\n)\f)\16)\u010d\13)\3)\3)\3")
        buf.write(")\5)\u0112\n)\3)\3)\3*\6*\u0117\n*\r*\16*\u0118\3*\3*")
        buf.write("\3+\3+\6\u0082\u0091\u00a9\u010b\2,\3\25\5\26\7\27\t\30")
        buf.write("\13\31\r\32\17\33\21\34\23\35\25\36\27\37\31 \33!\35\"")
        buf.write("\37#!$#%%&\'\')(+)-*/+\61,\63-\65.\67/9\60;\61=\62?\63")
        buf.write("A\64C\65E\66G\67I8K9M:O;Q<S=U>\3\2\t\4\2C\\c|\7\2//\62")
        buf.write(";C\\aac|\3\2\62;\5\2\f\f\17\17$$\7\2--\61;??C\\c|\4\2")
        buf.write("\f\f\17\17\4\2\13\17\"\"\2\u012f\2\3\3\2\2\2\2\5\3\2\2")
        buf.write("\2\2\7\3\2\2\2\2\t\3\2\2\2\2\13\3\2\2\2\2\r\3\2\2\2\2")
        buf.write("\17\3\2\2\2\2\21\3\2\2\2\2\23\3\2\2\2\2\25\3\2\2\2\2\27")
        buf.write("\3\2\2\2\2\31\3\2\2\2\2\33\3\2\2\2\2\35\3\2\2\2\2\37\3")
        buf.write("\2\2\2\2!\3\2\2\2\2#\3\2\2\2\2%\3\2\2\2\2\'\3\2\2\2\2")
        buf.write(")\3\2\2\2\2+\3\2\2\2\2-\3\2\2\2\2/\3\2\2\2\2\61\3\2\2")
        buf.write("\2\2\63\3\2\2\2\2\65\3\2\2\2\2\67\3\2\2\2\29\3\2\2\2\2")
        buf.write(";\3\2\2\2\2=\3\2\2\2\2?\3\2\2\2\2A\3\2\2\2\2C\3\2\2\2")
        buf.write("\2E\3\2\2\2\2G\3\2\2\2\2I\3\2\2\2\2K\3\2\2\2\2M\3\2\2")
        buf.write("\2\2O\3\2\2\2\2Q\3\2\2\2\2S\3\2\2\2\2U\3\2\2\2\3W\3\2")
        buf.write("\2\2\5_\3\2\2\2\7l\3\2\2\2\tu\3\2\2\2\13|\3\2\2\2\r\u008a")
        buf.write("\3\2\2\2\17\u009a\3\2\2\2\21\u00a3\3\2\2\2\23\u00b1\3")
        buf.write("\2\2\2\25\u00b3\3\2\2\2\27\u00b5\3\2\2\2\31\u00b7\3\2")
        buf.write("\2\2\33\u00b9\3\2\2\2\35\u00bb\3\2\2\2\37\u00bd\3\2\2")
        buf.write("\2!\u00bf\3\2\2\2#\u00c1\3\2\2\2%\u00c3\3\2\2\2\'\u00c5")
        buf.write("\3\2\2\2)\u00c8\3\2\2\2+\u00cb\3\2\2\2-\u00ce\3\2\2\2")
        buf.write("/\u00d1\3\2\2\2\61\u00d4\3\2\2\2\63\u00d7\3\2\2\2\65\u00d9")
        buf.write("\3\2\2\2\67\u00dc\3\2\2\29\u00de\3\2\2\2;\u00e1\3\2\2")
        buf.write("\2=\u00e3\3\2\2\2?\u00e6\3\2\2\2A\u00e8\3\2\2\2C\u00eb")
        buf.write("\3\2\2\2E\u00ee\3\2\2\2G\u00f0\3\2\2\2I\u00f2\3\2\2\2")
        buf.write("K\u00f4\3\2\2\2M\u00f6\3\2\2\2O\u00fb\3\2\2\2Q\u0105\3")
        buf.write("\2\2\2S\u0116\3\2\2\2U\u011c\3\2\2\2W[\t\2\2\2XZ\t\3\2")
        buf.write("\2YX\3\2\2\2Z]\3\2\2\2[Y\3\2\2\2[\\\3\2\2\2\\\4\3\2\2")
        buf.write("\2][\3\2\2\2^`\t\4\2\2_^\3\2\2\2`a\3\2\2\2a_\3\2\2\2a")
        buf.write("b\3\2\2\2bj\3\2\2\2cg\7\60\2\2df\t\4\2\2ed\3\2\2\2fi\3")
        buf.write("\2\2\2ge\3\2\2\2gh\3\2\2\2hk\3\2\2\2ig\3\2\2\2jc\3\2\2")
        buf.write("\2jk\3\2\2\2k\6\3\2\2\2lp\7$\2\2mo\n\5\2\2nm\3\2\2\2o")
        buf.write("r\3\2\2\2pn\3\2\2\2pq\3\2\2\2qs\3\2\2\2rp\3\2\2\2st\7")
        buf.write("$\2\2t\b\3\2\2\2uy\7$\2\2vx\n\5\2\2wv\3\2\2\2x{\3\2\2")
        buf.write("\2yw\3\2\2\2yz\3\2\2\2z\n\3\2\2\2{y\3\2\2\2|}\7}\2\2}")
        buf.write("~\7$\2\2~\u0082\3\2\2\2\177\u0081\13\2\2\2\u0080\177\3")
        buf.write("\2\2\2\u0081\u0084\3\2\2\2\u0082\u0083\3\2\2\2\u0082\u0080")
        buf.write("\3\2\2\2\u0083\u0088\3\2\2\2\u0084\u0082\3\2\2\2\u0085")
        buf.write("\u0086\7$\2\2\u0086\u0089\7\177\2\2\u0087\u0089\7\2\2")
        buf.write("\3\u0088\u0085\3\2\2\2\u0088\u0087\3\2\2\2\u0089\f\3\2")
        buf.write("\2\2\u008a\u008b\7$\2\2\u008b\u008c\7$\2\2\u008c\u008d")
        buf.write("\7$\2\2\u008d\u0091\3\2\2\2\u008e\u0090\13\2\2\2\u008f")
        buf.write("\u008e\3\2\2\2\u0090\u0093\3\2\2\2\u0091\u0092\3\2\2\2")
        buf.write("\u0091\u008f\3\2\2\2\u0092\u0098\3\2\2\2\u0093\u0091\3")
        buf.write("\2\2\2\u0094\u0095\7$\2\2\u0095\u0096\7$\2\2\u0096\u0099")
        buf.write("\7$\2\2\u0097\u0099\7\2\2\3\u0098\u0094\3\2\2\2\u0098")
        buf.write("\u0097\3\2\2\2\u0099\16\3\2\2\2\u009a\u009e\7<\2\2\u009b")
        buf.write("\u009d\t\6\2\2\u009c\u009b\3\2\2\2\u009d\u00a0\3\2\2\2")
        buf.write("\u009e\u009c\3\2\2\2\u009e\u009f\3\2\2\2\u009f\u00a1\3")
        buf.write("\2\2\2\u00a0\u009e\3\2\2\2\u00a1\u00a2\7<\2\2\u00a2\20")
        buf.write("\3\2\2\2\u00a3\u00a4\7E\2\2\u00a4\u00a5\7}\2\2\u00a5\u00a9")
        buf.write("\3\2\2\2\u00a6\u00a8\13\2\2\2\u00a7\u00a6\3\2\2\2\u00a8")
        buf.write("\u00ab\3\2\2\2\u00a9\u00aa\3\2\2\2\u00a9\u00a7\3\2\2\2")
        buf.write("\u00aa\u00af\3\2\2\2\u00ab\u00a9\3\2\2\2\u00ac\u00ad\7")
        buf.write("\177\2\2\u00ad\u00b0\7E\2\2\u00ae\u00b0\7\2\2\3\u00af")
        buf.write("\u00ac\3\2\2\2\u00af\u00ae\3\2\2\2\u00b0\22\3\2\2\2\u00b1")
        buf.write("\u00b2\7}\2\2\u00b2\24\3\2\2\2\u00b3\u00b4\7\177\2\2\u00b4")
        buf.write("\26\3\2\2\2\u00b5\u00b6\7*\2\2\u00b6\30\3\2\2\2\u00b7")
        buf.write("\u00b8\7+\2\2\u00b8\32\3\2\2\2\u00b9\u00ba\7]\2\2\u00ba")
        buf.write("\34\3\2\2\2\u00bb\u00bc\7_\2\2\u00bc\36\3\2\2\2\u00bd")
        buf.write("\u00be\7=\2\2\u00be \3\2\2\2\u00bf\u00c0\7.\2\2\u00c0")
        buf.write("\"\3\2\2\2\u00c1\u00c2\7\60\2\2\u00c2$\3\2\2\2\u00c3\u00c4")
        buf.write("\7?\2\2\u00c4&\3\2\2\2\u00c5\u00c6\7-\2\2\u00c6\u00c7")
        buf.write("\7?\2\2\u00c7(\3\2\2\2\u00c8\u00c9\7/\2\2\u00c9\u00ca")
        buf.write("\7?\2\2\u00ca*\3\2\2\2\u00cb\u00cc\7,\2\2\u00cc\u00cd")
        buf.write("\7?\2\2\u00cd,\3\2\2\2\u00ce\u00cf\7\61\2\2\u00cf\u00d0")
        buf.write("\7?\2\2\u00d0.\3\2\2\2\u00d1\u00d2\7?\2\2\u00d2\u00d3")
        buf.write("\7?\2\2\u00d3\60\3\2\2\2\u00d4\u00d5\7#\2\2\u00d5\u00d6")
        buf.write("\7?\2\2\u00d6\62\3\2\2\2\u00d7\u00d8\7>\2\2\u00d8\64\3")
        buf.write("\2\2\2\u00d9\u00da\7>\2\2\u00da\u00db\7?\2\2\u00db\66")
        buf.write("\3\2\2\2\u00dc\u00dd\7@\2\2\u00dd8\3\2\2\2\u00de\u00df")
        buf.write("\7@\2\2\u00df\u00e0\7?\2\2\u00e0:\3\2\2\2\u00e1\u00e2")
        buf.write("\7\u0080\2\2\u00e2<\3\2\2\2\u00e3\u00e4\7#\2\2\u00e4\u00e5")
        buf.write("\7\u0080\2\2\u00e5>\3\2\2\2\u00e6\u00e7\7#\2\2\u00e7@")
        buf.write("\3\2\2\2\u00e8\u00e9\7(\2\2\u00e9\u00ea\7(\2\2\u00eaB")
        buf.write("\3\2\2\2\u00eb\u00ec\7~\2\2\u00ec\u00ed\7~\2\2\u00edD")
        buf.write("\3\2\2\2\u00ee\u00ef\7-\2\2\u00efF\3\2\2\2\u00f0\u00f1")
        buf.write("\7/\2\2\u00f1H\3\2\2\2\u00f2\u00f3\7,\2\2\u00f3J\3\2\2")
        buf.write("\2\u00f4\u00f5\7\61\2\2\u00f5L\3\2\2\2\u00f6\u00f7\7\'")
        buf.write("\2\2\u00f7N\3\2\2\2\u00f8\u00fc\7%\2\2\u00f9\u00fa\7\61")
        buf.write("\2\2\u00fa\u00fc\7\61\2\2\u00fb\u00f8\3\2\2\2\u00fb\u00f9")
        buf.write("\3\2\2\2\u00fc\u0100\3\2\2\2\u00fd\u00ff\n\7\2\2\u00fe")
        buf.write("\u00fd\3\2\2\2\u00ff\u0102\3\2\2\2\u0100\u00fe\3\2\2\2")
        buf.write("\u0100\u0101\3\2\2\2\u0101\u0103\3\2\2\2\u0102\u0100\3")
        buf.write("\2\2\2\u0103\u0104\b(\2\2\u0104P\3\2\2\2\u0105\u0106\7")
        buf.write("\61\2\2\u0106\u0107\7,\2\2\u0107\u010b\3\2\2\2\u0108\u010a")
        buf.write("\13\2\2\2\u0109\u0108\3\2\2\2\u010a\u010d\3\2\2\2\u010b")
        buf.write("\u010c\3\2\2\2\u010b\u0109\3\2\2\2\u010c\u0111\3\2\2\2")
        buf.write("\u010d\u010b\3\2\2\2\u010e\u010f\7,\2\2\u010f\u0112\7")
        buf.write("\61\2\2\u0110\u0112\7\2\2\3\u0111\u010e\3\2\2\2\u0111")
        buf.write("\u0110\3\2\2\2\u0112\u0113\3\2\2\2\u0113\u0114\b)\2\2")
        buf.write("\u0114R\3\2\2\2\u0115\u0117\t\b\2\2\u0116\u0115\3\2\2")
        buf.write("\2\u0117\u0118\3\2\2\2\u0118\u0116\3\2\2\2\u0118\u0119")
        buf.write("\3\2\2\2\u0119\u011a\3\2\2\2\u011a\u011b\b*\3\2\u011b")
        buf.write("T\3\2\2\2\u011c\u011d\13\2\2\2\u011dV\3\2\2\2\25\2[ag")
        buf.write("jpy\u0082\u0088\u0091\u0098\u009e\u00a9\u00af\u00fb\u0100")
        buf.write("\u010b\u0111\u0118\4\2\3\2\b\2\2")
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
    IDENTIFIER = 19
    NUMBER = 20
    STRING = 21
    UNCLOSED_STRING = 22
    LONG_STRING = 23
    TRIPLE_STRING = 24
    BLOB = 25
    INLINE_C = 26
    LBRACE = 27
    RBRACE = 28
    LPAREN = 29
    RPAREN = 30
    LBRACKET = 31
    RBRACKET = 32
    SEMI = 33
    COMMA = 34
    DOT = 35
    ASSIGN = 36
    ADD_ASSIGN = 37
    SUB_ASSIGN = 38
    MUL_ASSIGN = 39
    DIV_ASSIGN = 40
    EQ = 41
    NE = 42
    LT = 43
    LE = 44
    GT = 45
    GE = 46
    MATCH = 47
    NO_MATCH = 48
    NOT = 49
    AND = 50
    OR = 51
    PLUS = 52
    MINUS = 53
    STAR = 54
    SLASH = 55
    PERCENT = 56
    LINE_COMMENT = 57
    BLOCK_COMMENT = 58
    SPACE = 59
    UNKNOWN = 60

    channelNames = [ u"DEFAULT_TOKEN_CHANNEL", u"HIDDEN" ]

    modeNames = [ "DEFAULT_MODE" ]

    literalNames = [ "<INVALID>",
            "'{'", "'}'", "'('", "')'", "'['", "']'", "';'", "','", "'.'",
            "'='", "'+='", "'-='", "'*='", "'/='", "'=='", "'!='", "'<'",
            "'<='", "'>'", "'>='", "'~'", "'!~'", "'!'", "'&&'", "'||'",
            "'+'", "'-'", "'*'", "'/'", "'%'" ]

    symbolicNames = [ "<INVALID>",
            "VCL", "BACKEND", "PROBE", "ACL", "SUB", "IMPORT", "SET", "UNSET",
            "CALL", "RETURN", "IF", "NEW", "ELSE", "ELSEIF", "FROM", "AS",
            "NONE", "INCLUDE", "IDENTIFIER", "NUMBER", "STRING", "UNCLOSED_STRING",
            "LONG_STRING", "TRIPLE_STRING", "BLOB", "INLINE_C", "LBRACE",
            "RBRACE", "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", "SEMI",
            "COMMA", "DOT", "ASSIGN", "ADD_ASSIGN", "SUB_ASSIGN", "MUL_ASSIGN",
            "DIV_ASSIGN", "EQ", "NE", "LT", "LE", "GT", "GE", "MATCH", "NO_MATCH",
            "NOT", "AND", "OR", "PLUS", "MINUS", "STAR", "SLASH", "PERCENT",
            "LINE_COMMENT", "BLOCK_COMMENT", "SPACE", "UNKNOWN" ]

    ruleNames = [ "IDENTIFIER", "NUMBER", "STRING", "UNCLOSED_STRING", "LONG_STRING",
                  "TRIPLE_STRING", "BLOB", "INLINE_C", "LBRACE", "RBRACE",
                  "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", "SEMI", "COMMA",
                  "DOT", "ASSIGN", "ADD_ASSIGN", "SUB_ASSIGN", "MUL_ASSIGN",
                  "DIV_ASSIGN", "EQ", "NE", "LT", "LE", "GT", "GE", "MATCH",
                  "NO_MATCH", "NOT", "AND", "OR", "PLUS", "MINUS", "STAR",
                  "SLASH", "PERCENT", "LINE_COMMENT", "BLOCK_COMMENT", "SPACE",
                  "UNKNOWN" ]

    grammarFileName = "VclLexer.g4"

    def __init__(self, input=None, output:TextIO = sys.stdout):
        super().__init__(input, output)
        self.checkVersion("4.9.1")
        self._interp = LexerATNSimulator(self, self.atn, self.decisionsToDFA, PredictionContextCache())
        self._actions = None
        self._predicates = None


