# Generated from VclLexer.g4 by ANTLR 4.9.1
from antlr4 import *
from io import StringIO
from typing import TextIO
import sys



def serializedATN():
    with StringIO() as buf:
        buf.write("\3\u608b\ua72a\u8133\ub9ed\u417c\u3be7\u7786\u5964\2e")
        buf.write("\u0143\b\1\4\2\t\2\4\3\t\3\4\4\t\4\4\5\t\5\4\6\t\6\4\7")
        buf.write("\t\7\4\b\t\b\4\t\t\t\4\n\t\n\4\13\t\13\4\f\t\f\4\r\t\r")
        buf.write("\4\16\t\16\4\17\t\17\4\20\t\20\4\21\t\21\4\22\t\22\4\23")
        buf.write("\t\23\4\24\t\24\4\25\t\25\4\26\t\26\4\27\t\27\4\30\t\30")
        buf.write("\4\31\t\31\4\32\t\32\4\33\t\33\4\34\t\34\4\35\t\35\4\36")
        buf.write("\t\36\4\37\t\37\4 \t \4!\t!\4\"\t\"\4#\t#\4$\t$\4%\t%")
        buf.write("\4&\t&\4\'\t\'\4(\t(\4)\t)\4*\t*\4+\t+\4,\t,\4-\t-\4.")
        buf.write("\t.\4/\t/\4\60\t\60\4\61\t\61\4\62\t\62\4\63\t\63\3\2")
        buf.write("\3\2\7\2j\n\2\f\2\16\2m\13\2\3\3\6\3p\n\3\r\3\16\3q\3")
        buf.write("\3\3\3\7\3v\n\3\f\3\16\3y\13\3\5\3{\n\3\3\4\3\4\7\4\177")
        buf.write("\n\4\f\4\16\4\u0082\13\4\3\4\3\4\3\5\3\5\7\5\u0088\n\5")
        buf.write("\f\5\16\5\u008b\13\5\3\6\3\6\3\6\3\6\7\6\u0091\n\6\f\6")
        buf.write("\16\6\u0094\13\6\3\6\3\6\3\6\5\6\u0099\n\6\3\7\3\7\3\7")
        buf.write("\3\7\3\7\7\7\u00a0\n\7\f\7\16\7\u00a3\13\7\3\7\3\7\3\7")
        buf.write("\3\7\5\7\u00a9\n\7\3\b\3\b\7\b\u00ad\n\b\f\b\16\b\u00b0")
        buf.write("\13\b\3\b\3\b\3\t\3\t\3\t\3\t\7\t\u00b8\n\t\f\t\16\t\u00bb")
        buf.write("\13\t\3\t\3\t\3\t\5\t\u00c0\n\t\3\n\3\n\3\13\3\13\3\f")
        buf.write("\3\f\3\r\3\r\3\16\3\16\3\17\3\17\3\20\3\20\3\21\3\21\3")
        buf.write("\22\3\22\3\23\3\23\3\24\3\24\3\25\3\25\3\26\3\26\3\26")
        buf.write("\3\27\3\27\3\27\3\30\3\30\3\31\3\31\3\31\3\32\3\32\3\32")
        buf.write("\3\33\3\33\3\33\3\34\3\34\3\34\3\35\3\35\3\35\3\36\3\36")
        buf.write("\3\36\3\37\3\37\3 \3 \3 \3!\3!\3\"\3\"\3\"\3#\3#\3$\3")
        buf.write("$\3$\3%\3%\3&\3&\3&\3\'\3\'\3\'\3(\3(\3(\3)\3)\3*\3*\3")
        buf.write("+\3+\3,\3,\3-\3-\3.\3.\3.\3/\3/\3/\3\60\3\60\3\60\5\60")
        buf.write("\u0121\n\60\3\60\7\60\u0124\n\60\f\60\16\60\u0127\13\60")
        buf.write("\3\60\3\60\3\61\3\61\3\61\3\61\7\61\u012f\n\61\f\61\16")
        buf.write("\61\u0132\13\61\3\61\3\61\3\61\5\61\u0137\n\61\3\61\3")
        buf.write("\61\3\62\6\62\u013c\n\62\r\62\16\62\u013d\3\62\3\62\3")
        buf.write("\63\3\63\6\u0092\u00a1\u00b9\u0130\2\64\3\64\5\65\7\66")
        buf.write("\t\67\138\r9\17:\21;\23<\25=\27>\31?\33@\35A\37B!C#D%")
        buf.write("E\'F)G+H-I/J\61K\63L\65M\67N9O;P=Q?RASCTEUGVIWKXMYOZQ")
        buf.write("[S\\U]W^Y_[`]a_baccdee\3\2\t\4\2C\\c|\7\2//\62;C\\aac")
        buf.write("|\3\2\62;\5\2\f\f\17\17$$\7\2--\61;??C\\c|\4\2\f\f\17")
        buf.write("\17\4\2\13\17\"\"\2\u0154\2\3\3\2\2\2\2\5\3\2\2\2\2\7")
        buf.write("\3\2\2\2\2\t\3\2\2\2\2\13\3\2\2\2\2\r\3\2\2\2\2\17\3\2")
        buf.write("\2\2\2\21\3\2\2\2\2\23\3\2\2\2\2\25\3\2\2\2\2\27\3\2\2")
        buf.write("\2\2\31\3\2\2\2\2\33\3\2\2\2\2\35\3\2\2\2\2\37\3\2\2\2")
        buf.write("\2!\3\2\2\2\2#\3\2\2\2\2%\3\2\2\2\2\'\3\2\2\2\2)\3\2\2")
        buf.write("\2\2+\3\2\2\2\2-\3\2\2\2\2/\3\2\2\2\2\61\3\2\2\2\2\63")
        buf.write("\3\2\2\2\2\65\3\2\2\2\2\67\3\2\2\2\29\3\2\2\2\2;\3\2\2")
        buf.write("\2\2=\3\2\2\2\2?\3\2\2\2\2A\3\2\2\2\2C\3\2\2\2\2E\3\2")
        buf.write("\2\2\2G\3\2\2\2\2I\3\2\2\2\2K\3\2\2\2\2M\3\2\2\2\2O\3")
        buf.write("\2\2\2\2Q\3\2\2\2\2S\3\2\2\2\2U\3\2\2\2\2W\3\2\2\2\2Y")
        buf.write("\3\2\2\2\2[\3\2\2\2\2]\3\2\2\2\2_\3\2\2\2\2a\3\2\2\2\2")
        buf.write("c\3\2\2\2\2e\3\2\2\2\3g\3\2\2\2\5o\3\2\2\2\7|\3\2\2\2")
        buf.write("\t\u0085\3\2\2\2\13\u008c\3\2\2\2\r\u009a\3\2\2\2\17\u00aa")
        buf.write("\3\2\2\2\21\u00b3\3\2\2\2\23\u00c1\3\2\2\2\25\u00c3\3")
        buf.write("\2\2\2\27\u00c5\3\2\2\2\31\u00c7\3\2\2\2\33\u00c9\3\2")
        buf.write("\2\2\35\u00cb\3\2\2\2\37\u00cd\3\2\2\2!\u00cf\3\2\2\2")
        buf.write("#\u00d1\3\2\2\2%\u00d3\3\2\2\2\'\u00d5\3\2\2\2)\u00d7")
        buf.write("\3\2\2\2+\u00d9\3\2\2\2-\u00dc\3\2\2\2/\u00df\3\2\2\2")
        buf.write("\61\u00e1\3\2\2\2\63\u00e4\3\2\2\2\65\u00e7\3\2\2\2\67")
        buf.write("\u00ea\3\2\2\29\u00ed\3\2\2\2;\u00f0\3\2\2\2=\u00f3\3")
        buf.write("\2\2\2?\u00f5\3\2\2\2A\u00f8\3\2\2\2C\u00fa\3\2\2\2E\u00fd")
        buf.write("\3\2\2\2G\u00ff\3\2\2\2I\u0102\3\2\2\2K\u0104\3\2\2\2")
        buf.write("M\u0107\3\2\2\2O\u010a\3\2\2\2Q\u010d\3\2\2\2S\u010f\3")
        buf.write("\2\2\2U\u0111\3\2\2\2W\u0113\3\2\2\2Y\u0115\3\2\2\2[\u0117")
        buf.write("\3\2\2\2]\u011a\3\2\2\2_\u0120\3\2\2\2a\u012a\3\2\2\2")
        buf.write("c\u013b\3\2\2\2e\u0141\3\2\2\2gk\t\2\2\2hj\t\3\2\2ih\3")
        buf.write("\2\2\2jm\3\2\2\2ki\3\2\2\2kl\3\2\2\2l\4\3\2\2\2mk\3\2")
        buf.write("\2\2np\t\4\2\2on\3\2\2\2pq\3\2\2\2qo\3\2\2\2qr\3\2\2\2")
        buf.write("rz\3\2\2\2sw\7\60\2\2tv\t\4\2\2ut\3\2\2\2vy\3\2\2\2wu")
        buf.write("\3\2\2\2wx\3\2\2\2x{\3\2\2\2yw\3\2\2\2zs\3\2\2\2z{\3\2")
        buf.write("\2\2{\6\3\2\2\2|\u0080\7$\2\2}\177\n\5\2\2~}\3\2\2\2\177")
        buf.write("\u0082\3\2\2\2\u0080~\3\2\2\2\u0080\u0081\3\2\2\2\u0081")
        buf.write("\u0083\3\2\2\2\u0082\u0080\3\2\2\2\u0083\u0084\7$\2\2")
        buf.write("\u0084\b\3\2\2\2\u0085\u0089\7$\2\2\u0086\u0088\n\5\2")
        buf.write("\2\u0087\u0086\3\2\2\2\u0088\u008b\3\2\2\2\u0089\u0087")
        buf.write("\3\2\2\2\u0089\u008a\3\2\2\2\u008a\n\3\2\2\2\u008b\u0089")
        buf.write("\3\2\2\2\u008c\u008d\7}\2\2\u008d\u008e\7$\2\2\u008e\u0092")
        buf.write("\3\2\2\2\u008f\u0091\13\2\2\2\u0090\u008f\3\2\2\2\u0091")
        buf.write("\u0094\3\2\2\2\u0092\u0093\3\2\2\2\u0092\u0090\3\2\2\2")
        buf.write("\u0093\u0098\3\2\2\2\u0094\u0092\3\2\2\2\u0095\u0096\7")
        buf.write("$\2\2\u0096\u0099\7\177\2\2\u0097\u0099\7\2\2\3\u0098")
        buf.write("\u0095\3\2\2\2\u0098\u0097\3\2\2\2\u0099\f\3\2\2\2\u009a")
        buf.write("\u009b\7$\2\2\u009b\u009c\7$\2\2\u009c\u009d\7$\2\2\u009d")
        buf.write("\u00a1\3\2\2\2\u009e\u00a0\13\2\2\2\u009f\u009e\3\2\2")
        buf.write("\2\u00a0\u00a3\3\2\2\2\u00a1\u00a2\3\2\2\2\u00a1\u009f")
        buf.write("\3\2\2\2\u00a2\u00a8\3\2\2\2\u00a3\u00a1\3\2\2\2\u00a4")
        buf.write("\u00a5\7$\2\2\u00a5\u00a6\7$\2\2\u00a6\u00a9\7$\2\2\u00a7")
        buf.write("\u00a9\7\2\2\3\u00a8\u00a4\3\2\2\2\u00a8\u00a7\3\2\2\2")
        buf.write("\u00a9\16\3\2\2\2\u00aa\u00ae\7<\2\2\u00ab\u00ad\t\6\2")
        buf.write("\2\u00ac\u00ab\3\2\2\2\u00ad\u00b0\3\2\2\2\u00ae\u00ac")
        buf.write("\3\2\2\2\u00ae\u00af\3\2\2\2\u00af\u00b1\3\2\2\2\u00b0")
        buf.write("\u00ae\3\2\2\2\u00b1\u00b2\7<\2\2\u00b2\20\3\2\2\2\u00b3")
        buf.write("\u00b4\7E\2\2\u00b4\u00b5\7}\2\2\u00b5\u00b9\3\2\2\2\u00b6")
        buf.write("\u00b8\13\2\2\2\u00b7\u00b6\3\2\2\2\u00b8\u00bb\3\2\2")
        buf.write("\2\u00b9\u00ba\3\2\2\2\u00b9\u00b7\3\2\2\2\u00ba\u00bf")
        buf.write("\3\2\2\2\u00bb\u00b9\3\2\2\2\u00bc\u00bd\7\177\2\2\u00bd")
        buf.write("\u00c0\7E\2\2\u00be\u00c0\7\2\2\3\u00bf\u00bc\3\2\2\2")
        buf.write("\u00bf\u00be\3\2\2\2\u00c0\22\3\2\2\2\u00c1\u00c2\7}\2")
        buf.write("\2\u00c2\24\3\2\2\2\u00c3\u00c4\7\177\2\2\u00c4\26\3\2")
        buf.write("\2\2\u00c5\u00c6\7*\2\2\u00c6\30\3\2\2\2\u00c7\u00c8\7")
        buf.write("+\2\2\u00c8\32\3\2\2\2\u00c9\u00ca\7]\2\2\u00ca\34\3\2")
        buf.write("\2\2\u00cb\u00cc\7_\2\2\u00cc\36\3\2\2\2\u00cd\u00ce\7")
        buf.write("=\2\2\u00ce \3\2\2\2\u00cf\u00d0\7.\2\2\u00d0\"\3\2\2")
        buf.write("\2\u00d1\u00d2\7\60\2\2\u00d2$\3\2\2\2\u00d3\u00d4\7<")
        buf.write("\2\2\u00d4&\3\2\2\2\u00d5\u00d6\7A\2\2\u00d6(\3\2\2\2")
        buf.write("\u00d7\u00d8\7B\2\2\u00d8*\3\2\2\2\u00d9\u00da\7/\2\2")
        buf.write("\u00da\u00db\7@\2\2\u00db,\3\2\2\2\u00dc\u00dd\7?\2\2")
        buf.write("\u00dd\u00de\7@\2\2\u00de.\3\2\2\2\u00df\u00e0\7?\2\2")
        buf.write("\u00e0\60\3\2\2\2\u00e1\u00e2\7-\2\2\u00e2\u00e3\7?\2")
        buf.write("\2\u00e3\62\3\2\2\2\u00e4\u00e5\7/\2\2\u00e5\u00e6\7?")
        buf.write("\2\2\u00e6\64\3\2\2\2\u00e7\u00e8\7,\2\2\u00e8\u00e9\7")
        buf.write("?\2\2\u00e9\66\3\2\2\2\u00ea\u00eb\7\61\2\2\u00eb\u00ec")
        buf.write("\7?\2\2\u00ec8\3\2\2\2\u00ed\u00ee\7?\2\2\u00ee\u00ef")
        buf.write("\7?\2\2\u00ef:\3\2\2\2\u00f0\u00f1\7#\2\2\u00f1\u00f2")
        buf.write("\7?\2\2\u00f2<\3\2\2\2\u00f3\u00f4\7>\2\2\u00f4>\3\2\2")
        buf.write("\2\u00f5\u00f6\7>\2\2\u00f6\u00f7\7?\2\2\u00f7@\3\2\2")
        buf.write("\2\u00f8\u00f9\7@\2\2\u00f9B\3\2\2\2\u00fa\u00fb\7@\2")
        buf.write("\2\u00fb\u00fc\7?\2\2\u00fcD\3\2\2\2\u00fd\u00fe\7\u0080")
        buf.write("\2\2\u00feF\3\2\2\2\u00ff\u0100\7#\2\2\u0100\u0101\7\u0080")
        buf.write("\2\2\u0101H\3\2\2\2\u0102\u0103\7#\2\2\u0103J\3\2\2\2")
        buf.write("\u0104\u0105\7A\2\2\u0105\u0106\7A\2\2\u0106L\3\2\2\2")
        buf.write("\u0107\u0108\7(\2\2\u0108\u0109\7(\2\2\u0109N\3\2\2\2")
        buf.write("\u010a\u010b\7~\2\2\u010b\u010c\7~\2\2\u010cP\3\2\2\2")
        buf.write("\u010d\u010e\7-\2\2\u010eR\3\2\2\2\u010f\u0110\7/\2\2")
        buf.write("\u0110T\3\2\2\2\u0111\u0112\7,\2\2\u0112V\3\2\2\2\u0113")
        buf.write("\u0114\7\61\2\2\u0114X\3\2\2\2\u0115\u0116\7\'\2\2\u0116")
        buf.write("Z\3\2\2\2\u0117\u0118\7-\2\2\u0118\u0119\7-\2\2\u0119")
        buf.write("\\\3\2\2\2\u011a\u011b\7/\2\2\u011b\u011c\7/\2\2\u011c")
        buf.write("^\3\2\2\2\u011d\u0121\7%\2\2\u011e\u011f\7\61\2\2\u011f")
        buf.write("\u0121\7\61\2\2\u0120\u011d\3\2\2\2\u0120\u011e\3\2\2")
        buf.write("\2\u0121\u0125\3\2\2\2\u0122\u0124\n\7\2\2\u0123\u0122")
        buf.write("\3\2\2\2\u0124\u0127\3\2\2\2\u0125\u0123\3\2\2\2\u0125")
        buf.write("\u0126\3\2\2\2\u0126\u0128\3\2\2\2\u0127\u0125\3\2\2\2")
        buf.write("\u0128\u0129\b\60\2\2\u0129`\3\2\2\2\u012a\u012b\7\61")
        buf.write("\2\2\u012b\u012c\7,\2\2\u012c\u0130\3\2\2\2\u012d\u012f")
        buf.write("\13\2\2\2\u012e\u012d\3\2\2\2\u012f\u0132\3\2\2\2\u0130")
        buf.write("\u0131\3\2\2\2\u0130\u012e\3\2\2\2\u0131\u0136\3\2\2\2")
        buf.write("\u0132\u0130\3\2\2\2\u0133\u0134\7,\2\2\u0134\u0137\7")
        buf.write("\61\2\2\u0135\u0137\7\2\2\3\u0136\u0133\3\2\2\2\u0136")
        buf.write("\u0135\3\2\2\2\u0137\u0138\3\2\2\2\u0138\u0139\b\61\2")
        buf.write("\2\u0139b\3\2\2\2\u013a\u013c\t\b\2\2\u013b\u013a\3\2")
        buf.write("\2\2\u013c\u013d\3\2\2\2\u013d\u013b\3\2\2\2\u013d\u013e")
        buf.write("\3\2\2\2\u013e\u013f\3\2\2\2\u013f\u0140\b\62\3\2\u0140")
        buf.write("d\3\2\2\2\u0141\u0142\13\2\2\2\u0142f\3\2\2\2\25\2kqw")
        buf.write("z\u0080\u0089\u0092\u0098\u00a1\u00a8\u00ae\u00b9\u00bf")
        buf.write("\u0120\u0125\u0130\u0136\u013d\4\2\3\2\b\2\2")
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
    UNUSED = 7
    SET = 8
    UNSET = 9
    CALL = 10
    RETURN = 11
    IF = 12
    NEW = 13
    PROCEDURE = 14
    TEXT_SET = 15
    CONST = 16
    PARAM = 17
    FN = 18
    TABLE = 19
    COUNTER = 20
    BUDGET = 21
    CACHING = 22
    LET = 23
    SWITCH = 24
    CASE = 25
    FOR = 26
    COUNT = 27
    LOG = 28
    ALLOW = 29
    BUILTIN = 30
    INVARIANT = 31
    GIVE = 32
    ELSE = 33
    ELSEIF = 34
    FROM = 35
    AS = 36
    NONE = 37
    INCLUDE = 38
    TEST = 39
    MUT = 40
    BY = 41
    COLUMNS = 42
    DEFAULT = 43
    IN = 44
    STARTS = 45
    ENDS = 46
    CONTAINS = 47
    IS = 48
    IS_NOT = 49
    IDENTIFIER = 50
    NUMBER = 51
    STRING = 52
    UNCLOSED_STRING = 53
    LONG_STRING = 54
    TRIPLE_STRING = 55
    BLOB = 56
    INLINE_C = 57
    LBRACE = 58
    RBRACE = 59
    LPAREN = 60
    RPAREN = 61
    LBRACKET = 62
    RBRACKET = 63
    SEMI = 64
    COMMA = 65
    DOT = 66
    COLON = 67
    QUESTION = 68
    AT = 69
    ARROW = 70
    MAPS_TO = 71
    ASSIGN = 72
    ADD_ASSIGN = 73
    SUB_ASSIGN = 74
    MUL_ASSIGN = 75
    DIV_ASSIGN = 76
    EQ = 77
    NE = 78
    LT = 79
    LE = 80
    GT = 81
    GE = 82
    MATCH = 83
    NO_MATCH = 84
    NOT = 85
    COALESCE = 86
    AND = 87
    OR = 88
    PLUS = 89
    MINUS = 90
    STAR = 91
    SLASH = 92
    PERCENT = 93
    DOUBLE_PLUS = 94
    DOUBLE_MINUS = 95
    LINE_COMMENT = 96
    BLOCK_COMMENT = 97
    SPACE = 98
    UNKNOWN = 99

    channelNames = [ u"DEFAULT_TOKEN_CHANNEL", u"HIDDEN" ]

    modeNames = [ "DEFAULT_MODE" ]

    literalNames = [ "<INVALID>",
            "'{'", "'}'", "'('", "')'", "'['", "']'", "';'", "','", "'.'",
            "':'", "'?'", "'@'", "'->'", "'=>'", "'='", "'+='", "'-='",
            "'*='", "'/='", "'=='", "'!='", "'<'", "'<='", "'>'", "'>='",
            "'~'", "'!~'", "'!'", "'??'", "'&&'", "'||'", "'+'", "'-'",
            "'*'", "'/'", "'%'", "'++'", "'--'" ]

    symbolicNames = [ "<INVALID>",
            "VCL", "BACKEND", "PROBE", "ACL", "SUB", "IMPORT", "UNUSED",
            "SET", "UNSET", "CALL", "RETURN", "IF", "NEW", "PROCEDURE",
            "TEXT_SET", "CONST", "PARAM", "FN", "TABLE", "COUNTER", "BUDGET",
            "CACHING", "LET", "SWITCH", "CASE", "FOR", "COUNT", "LOG", "ALLOW",
            "BUILTIN", "INVARIANT", "GIVE", "ELSE", "ELSEIF", "FROM", "AS",
            "NONE", "INCLUDE", "TEST", "MUT", "BY", "COLUMNS", "DEFAULT",
            "IN", "STARTS", "ENDS", "CONTAINS", "IS", "IS_NOT", "IDENTIFIER",
            "NUMBER", "STRING", "UNCLOSED_STRING", "LONG_STRING", "TRIPLE_STRING",
            "BLOB", "INLINE_C", "LBRACE", "RBRACE", "LPAREN", "RPAREN",
            "LBRACKET", "RBRACKET", "SEMI", "COMMA", "DOT", "COLON", "QUESTION",
            "AT", "ARROW", "MAPS_TO", "ASSIGN", "ADD_ASSIGN", "SUB_ASSIGN",
            "MUL_ASSIGN", "DIV_ASSIGN", "EQ", "NE", "LT", "LE", "GT", "GE",
            "MATCH", "NO_MATCH", "NOT", "COALESCE", "AND", "OR", "PLUS",
            "MINUS", "STAR", "SLASH", "PERCENT", "DOUBLE_PLUS", "DOUBLE_MINUS",
            "LINE_COMMENT", "BLOCK_COMMENT", "SPACE", "UNKNOWN" ]

    ruleNames = [ "IDENTIFIER", "NUMBER", "STRING", "UNCLOSED_STRING", "LONG_STRING",
                  "TRIPLE_STRING", "BLOB", "INLINE_C", "LBRACE", "RBRACE",
                  "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", "SEMI", "COMMA",
                  "DOT", "COLON", "QUESTION", "AT", "ARROW", "MAPS_TO",
                  "ASSIGN", "ADD_ASSIGN", "SUB_ASSIGN", "MUL_ASSIGN", "DIV_ASSIGN",
                  "EQ", "NE", "LT", "LE", "GT", "GE", "MATCH", "NO_MATCH",
                  "NOT", "COALESCE", "AND", "OR", "PLUS", "MINUS", "STAR",
                  "SLASH", "PERCENT", "DOUBLE_PLUS", "DOUBLE_MINUS", "LINE_COMMENT",
                  "BLOCK_COMMENT", "SPACE", "UNKNOWN" ]

    grammarFileName = "VclLexer.g4"

    def __init__(self, input=None, output:TextIO = sys.stdout):
        super().__init__(input, output)
        self.checkVersion("4.9.1")
        self._interp = LexerATNSimulator(self, self.atn, self.decisionsToDFA, PredictionContextCache())
        self._actions = None
        self._predicates = None


