# Generated from VclParser.g4 by ANTLR 4.9.1
# encoding: utf-8
from antlr4 import *
from io import StringIO
import sys
if sys.version_info[1] > 5:
	from typing import TextIO
else:
	from typing.io import TextIO


def serializedATN():
    with StringIO() as buf:
        buf.write("\3\u608b\ua72a\u8133\ub9ed\u417c\u3be7\u7786\u5964\3A")
        buf.write("\u01d1\4\2\t\2\4\3\t\3\4\4\t\4\4\5\t\5\4\6\t\6\4\7\t\7")
        buf.write("\4\b\t\b\4\t\t\t\4\n\t\n\4\13\t\13\4\f\t\f\4\r\t\r\4\16")
        buf.write("\t\16\4\17\t\17\4\20\t\20\4\21\t\21\4\22\t\22\4\23\t\23")
        buf.write("\4\24\t\24\4\25\t\25\4\26\t\26\4\27\t\27\4\30\t\30\4\31")
        buf.write("\t\31\4\32\t\32\4\33\t\33\4\34\t\34\4\35\t\35\4\36\t\36")
        buf.write("\4\37\t\37\4 \t \4!\t!\4\"\t\"\4#\t#\4$\t$\4%\t%\4&\t")
        buf.write("&\4\'\t\'\4(\t(\4)\t)\4*\t*\4+\t+\4,\t,\4-\t-\4.\t.\4")
        buf.write("/\t/\4\60\t\60\4\61\t\61\4\62\t\62\4\63\t\63\4\64\t\64")
        buf.write("\4\65\t\65\4\66\t\66\4\67\t\67\48\t8\3\2\7\2r\n\2\f\2")
        buf.write("\16\2u\13\2\3\2\3\2\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\5")
        buf.write("\3\u0081\n\3\3\4\3\4\3\4\3\4\3\5\3\5\3\5\3\5\3\5\3\5\5")
        buf.write("\5\u008d\n\5\3\6\3\6\3\7\3\7\3\7\3\7\3\b\3\b\7\b\u0097")
        buf.write("\n\b\f\b\16\b\u009a\13\b\3\b\3\b\3\t\3\t\3\t\3\t\3\t\3")
        buf.write("\t\7\t\u00a4\n\t\f\t\16\t\u00a7\13\t\3\t\3\t\5\t\u00ab")
        buf.write("\n\t\3\n\3\n\3\13\3\13\3\13\7\13\u00b2\n\13\f\13\16\13")
        buf.write("\u00b5\13\13\3\13\3\13\3\f\3\f\7\f\u00bb\n\f\f\f\16\f")
        buf.write("\u00be\13\f\3\f\3\f\3\r\3\r\3\r\3\16\5\16\u00c6\n\16\3")
        buf.write("\16\3\16\5\16\u00ca\n\16\3\16\3\16\3\17\3\17\5\17\u00d0")
        buf.write("\n\17\3\17\3\17\3\17\3\20\3\20\3\20\5\20\u00d8\n\20\3")
        buf.write("\21\3\21\3\22\3\22\3\23\3\23\3\23\3\23\3\24\3\24\3\24")
        buf.write("\3\24\3\25\3\25\3\25\3\25\5\25\u00ea\n\25\3\25\3\25\5")
        buf.write("\25\u00ee\n\25\3\25\3\25\3\26\3\26\3\27\3\27\3\30\3\30")
        buf.write("\3\31\3\31\7\31\u00fa\n\31\f\31\16\31\u00fd\13\31\3\31")
        buf.write("\3\31\3\32\3\32\3\32\3\32\3\32\3\32\3\32\3\32\3\32\5\32")
        buf.write("\u010a\n\32\3\33\3\33\3\33\3\33\3\33\3\33\3\34\3\34\3")
        buf.write("\35\3\35\3\35\3\35\3\36\3\36\3\36\3\36\3\37\3\37\3\37")
        buf.write("\3\37\3\37\5\37\u0121\n\37\3\37\3\37\3 \3 \5 \u0127\n")
        buf.write(" \3!\3!\3!\3!\3!\3!\3!\3\"\3\"\3\"\7\"\u0133\n\"\f\"\16")
        buf.write("\"\u0136\13\"\3\"\3\"\3#\3#\7#\u013c\n#\f#\16#\u013f\13")
        buf.write("#\3$\3$\3$\3$\3%\3%\3%\3%\3%\5%\u014a\n%\5%\u014c\n%\3")
        buf.write("%\3%\3&\3&\3&\3&\3\'\3\'\3\'\7\'\u0157\n\'\f\'\16\'\u015a")
        buf.write("\13\'\3(\3(\3(\7(\u015f\n(\f(\16(\u0162\13(\3)\7)\u0165")
        buf.write("\n)\f)\16)\u0168\13)\3)\3)\3*\3*\3*\3*\7*\u0170\n*\f*")
        buf.write("\16*\u0173\13*\3+\3+\3,\5,\u0178\n,\3,\3,\3,\5,\u017d")
        buf.write("\n,\3,\3,\7,\u0181\n,\f,\16,\u0184\13,\3-\3-\3.\3.\3/")
        buf.write("\3/\3/\7/\u018d\n/\f/\16/\u0190\13/\5/\u0192\n/\3/\3/")
        buf.write("\3/\3/\5/\u0198\n/\3/\7/\u019b\n/\f/\16/\u019e\13/\5/")
        buf.write("\u01a0\n/\3\60\3\60\3\60\5\60\u01a5\n\60\3\61\3\61\3\62")
        buf.write("\3\62\3\62\3\62\3\63\3\63\3\63\3\63\5\63\u01b1\n\63\7")
        buf.write("\63\u01b3\n\63\f\63\16\63\u01b6\13\63\5\63\u01b8\n\63")
        buf.write("\3\63\3\63\3\64\3\64\3\64\5\64\u01bf\n\64\3\65\3\65\3")
        buf.write("\65\7\65\u01c4\n\65\f\65\16\65\u01c7\13\65\3\66\3\66\5")
        buf.write("\66\u01cb\n\66\3\67\3\67\38\38\38\2\29\2\4\6\b\n\f\16")
        buf.write("\20\22\24\26\30\32\34\36 \"$&(*,.\60\62\64\668:<>@BDF")
        buf.write("HJLNPRTVXZ\\^`bdfhjln\2\b\3\2\678\3\2\'+\3\2,\63\3\2\67")
        buf.write(";\4\2\26\26\30\30\4\2\30\30\32\33\2\u01d1\2s\3\2\2\2\4")
        buf.write("\u0080\3\2\2\2\6\u0082\3\2\2\2\b\u0086\3\2\2\2\n\u008e")
        buf.write("\3\2\2\2\f\u0090\3\2\2\2\16\u0094\3\2\2\2\20\u009d\3\2")
        buf.write("\2\2\22\u00ac\3\2\2\2\24\u00ae\3\2\2\2\26\u00b8\3\2\2")
        buf.write("\2\30\u00c1\3\2\2\2\32\u00c5\3\2\2\2\34\u00cd\3\2\2\2")
        buf.write("\36\u00d4\3\2\2\2 \u00d9\3\2\2\2\"\u00db\3\2\2\2$\u00dd")
        buf.write("\3\2\2\2&\u00e1\3\2\2\2(\u00e5\3\2\2\2*\u00f1\3\2\2\2")
        buf.write(",\u00f3\3\2\2\2.\u00f5\3\2\2\2\60\u00f7\3\2\2\2\62\u0109")
        buf.write("\3\2\2\2\64\u010b\3\2\2\2\66\u0111\3\2\2\28\u0113\3\2")
        buf.write("\2\2:\u0117\3\2\2\2<\u011b\3\2\2\2>\u0124\3\2\2\2@\u0128")
        buf.write("\3\2\2\2B\u012f\3\2\2\2D\u0139\3\2\2\2F\u0140\3\2\2\2")
        buf.write("H\u014b\3\2\2\2J\u014f\3\2\2\2L\u0153\3\2\2\2N\u015b\3")
        buf.write("\2\2\2P\u0166\3\2\2\2R\u016b\3\2\2\2T\u0174\3\2\2\2V\u0177")
        buf.write("\3\2\2\2X\u0185\3\2\2\2Z\u0187\3\2\2\2\\\u019f\3\2\2\2")
        buf.write("^\u01a1\3\2\2\2`\u01a6\3\2\2\2b\u01a8\3\2\2\2d\u01ac\3")
        buf.write("\2\2\2f\u01bb\3\2\2\2h\u01c0\3\2\2\2j\u01c8\3\2\2\2l\u01cc")
        buf.write("\3\2\2\2n\u01ce\3\2\2\2pr\5\4\3\2qp\3\2\2\2ru\3\2\2\2")
        buf.write("sq\3\2\2\2st\3\2\2\2tv\3\2\2\2us\3\2\2\2vw\7\2\2\3w\3")
        buf.write("\3\2\2\2x\u0081\5\6\4\2y\u0081\5\b\5\2z\u0081\5\f\7\2")
        buf.write("{\u0081\5\24\13\2|\u0081\5$\23\2}\u0081\5(\25\2~\u0081")
        buf.write("\5.\30\2\177\u0081\5&\24\2\u0080x\3\2\2\2\u0080y\3\2\2")
        buf.write("\2\u0080z\3\2\2\2\u0080{\3\2\2\2\u0080|\3\2\2\2\u0080")
        buf.write("}\3\2\2\2\u0080~\3\2\2\2\u0080\177\3\2\2\2\u0081\5\3\2")
        buf.write("\2\2\u0082\u0083\7\3\2\2\u0083\u0084\7\27\2\2\u0084\u0085")
        buf.write("\7$\2\2\u0085\7\3\2\2\2\u0086\u0087\7\4\2\2\u0087\u008c")
        buf.write("\5,\27\2\u0088\u0089\5\n\6\2\u0089\u008a\7$\2\2\u008a")
        buf.write("\u008d\3\2\2\2\u008b\u008d\5\16\b\2\u008c\u0088\3\2\2")
        buf.write("\2\u008c\u008b\3\2\2\2\u008d\t\3\2\2\2\u008e\u008f\7\23")
        buf.write("\2\2\u008f\13\3\2\2\2\u0090\u0091\7\5\2\2\u0091\u0092")
        buf.write("\5,\27\2\u0092\u0093\5\16\b\2\u0093\r\3\2\2\2\u0094\u0098")
        buf.write("\7\36\2\2\u0095\u0097\5\20\t\2\u0096\u0095\3\2\2\2\u0097")
        buf.write("\u009a\3\2\2\2\u0098\u0096\3\2\2\2\u0098\u0099\3\2\2\2")
        buf.write("\u0099\u009b\3\2\2\2\u009a\u0098\3\2\2\2\u009b\u009c\7")
        buf.write("\37\2\2\u009c\17\3\2\2\2\u009d\u009e\7&\2\2\u009e\u009f")
        buf.write("\5\22\n\2\u009f\u00aa\7\'\2\2\u00a0\u00ab\5\16\b\2\u00a1")
        buf.write("\u00a5\5L\'\2\u00a2\u00a4\5l\67\2\u00a3\u00a2\3\2\2\2")
        buf.write("\u00a4\u00a7\3\2\2\2\u00a5\u00a3\3\2\2\2\u00a5\u00a6\3")
        buf.write("\2\2\2\u00a6\u00a8\3\2\2\2\u00a7\u00a5\3\2\2\2\u00a8\u00a9")
        buf.write("\7$\2\2\u00a9\u00ab\3\2\2\2\u00aa\u00a0\3\2\2\2\u00aa")
        buf.write("\u00a1\3\2\2\2\u00ab\21\3\2\2\2\u00ac\u00ad\7\26\2\2\u00ad")
        buf.write("\23\3\2\2\2\u00ae\u00af\7\6\2\2\u00af\u00b3\5,\27\2\u00b0")
        buf.write("\u00b2\5\30\r\2\u00b1\u00b0\3\2\2\2\u00b2\u00b5\3\2\2")
        buf.write("\2\u00b3\u00b1\3\2\2\2\u00b3\u00b4\3\2\2\2\u00b4\u00b6")
        buf.write("\3\2\2\2\u00b5\u00b3\3\2\2\2\u00b6\u00b7\5\26\f\2\u00b7")
        buf.write("\25\3\2\2\2\u00b8\u00bc\7\36\2\2\u00b9\u00bb\5\32\16\2")
        buf.write("\u00ba\u00b9\3\2\2\2\u00bb\u00be\3\2\2\2\u00bc\u00ba\3")
        buf.write("\2\2\2\u00bc\u00bd\3\2\2\2\u00bd\u00bf\3\2\2\2\u00be\u00bc")
        buf.write("\3\2\2\2\u00bf\u00c0\7\37\2\2\u00c0\27\3\2\2\2\u00c1\u00c2")
        buf.write("\t\2\2\2\u00c2\u00c3\7\26\2\2\u00c3\31\3\2\2\2\u00c4\u00c6")
        buf.write("\5 \21\2\u00c5\u00c4\3\2\2\2\u00c5\u00c6\3\2\2\2\u00c6")
        buf.write("\u00c9\3\2\2\2\u00c7\u00ca\5\34\17\2\u00c8\u00ca\5\36")
        buf.write("\20\2\u00c9\u00c7\3\2\2\2\u00c9\u00c8\3\2\2\2\u00ca\u00cb")
        buf.write("\3\2\2\2\u00cb\u00cc\7$\2\2\u00cc\33\3\2\2\2\u00cd\u00cf")
        buf.write("\7 \2\2\u00ce\u00d0\5 \21\2\u00cf\u00ce\3\2\2\2\u00cf")
        buf.write("\u00d0\3\2\2\2\u00d0\u00d1\3\2\2\2\u00d1\u00d2\5\36\20")
        buf.write("\2\u00d2\u00d3\7!\2\2\u00d3\35\3\2\2\2\u00d4\u00d7\5l")
        buf.write("\67\2\u00d5\u00d6\7:\2\2\u00d6\u00d8\5\"\22\2\u00d7\u00d5")
        buf.write("\3\2\2\2\u00d7\u00d8\3\2\2\2\u00d8\37\3\2\2\2\u00d9\u00da")
        buf.write("\7\64\2\2\u00da!\3\2\2\2\u00db\u00dc\7\27\2\2\u00dc#\3")
        buf.write("\2\2\2\u00dd\u00de\7\7\2\2\u00de\u00df\5,\27\2\u00df\u00e0")
        buf.write("\5\60\31\2\u00e0%\3\2\2\2\u00e1\u00e2\7\25\2\2\u00e2\u00e3")
        buf.write("\5l\67\2\u00e3\u00e4\5\60\31\2\u00e4\'\3\2\2\2\u00e5\u00e6")
        buf.write("\7\b\2\2\u00e6\u00e9\5,\27\2\u00e7\u00e8\7\22\2\2\u00e8")
        buf.write("\u00ea\5*\26\2\u00e9\u00e7\3\2\2\2\u00e9\u00ea\3\2\2\2")
        buf.write("\u00ea\u00ed\3\2\2\2\u00eb\u00ec\7\21\2\2\u00ec\u00ee")
        buf.write("\5l\67\2\u00ed\u00eb\3\2\2\2\u00ed\u00ee\3\2\2\2\u00ee")
        buf.write("\u00ef\3\2\2\2\u00ef\u00f0\7$\2\2\u00f0)\3\2\2\2\u00f1")
        buf.write("\u00f2\7\26\2\2\u00f2+\3\2\2\2\u00f3\u00f4\7\26\2\2\u00f4")
        buf.write("-\3\2\2\2\u00f5\u00f6\7\35\2\2\u00f6/\3\2\2\2\u00f7\u00fb")
        buf.write("\7\36\2\2\u00f8\u00fa\5\62\32\2\u00f9\u00f8\3\2\2\2\u00fa")
        buf.write("\u00fd\3\2\2\2\u00fb\u00f9\3\2\2\2\u00fb\u00fc\3\2\2\2")
        buf.write("\u00fc\u00fe\3\2\2\2\u00fd\u00fb\3\2\2\2\u00fe\u00ff\7")
        buf.write("\37\2\2\u00ff\61\3\2\2\2\u0100\u010a\5\64\33\2\u0101\u010a")
        buf.write("\58\35\2\u0102\u010a\5:\36\2\u0103\u010a\5<\37\2\u0104")
        buf.write("\u010a\5D#\2\u0105\u010a\5@!\2\u0106\u010a\5B\"\2\u0107")
        buf.write("\u010a\5\60\31\2\u0108\u010a\5.\30\2\u0109\u0100\3\2\2")
        buf.write("\2\u0109\u0101\3\2\2\2\u0109\u0102\3\2\2\2\u0109\u0103")
        buf.write("\3\2\2\2\u0109\u0104\3\2\2\2\u0109\u0105\3\2\2\2\u0109")
        buf.write("\u0106\3\2\2\2\u0109\u0107\3\2\2\2\u0109\u0108\3\2\2\2")
        buf.write("\u010a\63\3\2\2\2\u010b\u010c\7\t\2\2\u010c\u010d\5h\65")
        buf.write("\2\u010d\u010e\5\66\34\2\u010e\u010f\5L\'\2\u010f\u0110")
        buf.write("\7$\2\2\u0110\65\3\2\2\2\u0111\u0112\t\3\2\2\u0112\67")
        buf.write("\3\2\2\2\u0113\u0114\7\n\2\2\u0114\u0115\5h\65\2\u0115")
        buf.write("\u0116\7$\2\2\u01169\3\2\2\2\u0117\u0118\7\13\2\2\u0118")
        buf.write("\u0119\5\\/\2\u0119\u011a\7$\2\2\u011a;\3\2\2\2\u011b")
        buf.write("\u0120\7\f\2\2\u011c\u011d\7 \2\2\u011d\u011e\5> \2\u011e")
        buf.write("\u011f\7!\2\2\u011f\u0121\3\2\2\2\u0120\u011c\3\2\2\2")
        buf.write("\u0120\u0121\3\2\2\2\u0121\u0122\3\2\2\2\u0122\u0123\7")
        buf.write("$\2\2\u0123=\3\2\2\2\u0124\u0126\5h\65\2\u0125\u0127\5")
        buf.write("d\63\2\u0126\u0125\3\2\2\2\u0126\u0127\3\2\2\2\u0127?")
        buf.write("\3\2\2\2\u0128\u0129\7\16\2\2\u0129\u012a\5,\27\2\u012a")
        buf.write("\u012b\7\'\2\2\u012b\u012c\5h\65\2\u012c\u012d\5d\63\2")
        buf.write("\u012d\u012e\7$\2\2\u012eA\3\2\2\2\u012f\u0130\5h\65\2")
        buf.write("\u0130\u0134\5d\63\2\u0131\u0133\5^\60\2\u0132\u0131\3")
        buf.write("\2\2\2\u0133\u0136\3\2\2\2\u0134\u0132\3\2\2\2\u0134\u0135")
        buf.write("\3\2\2\2\u0135\u0137\3\2\2\2\u0136\u0134\3\2\2\2\u0137")
        buf.write("\u0138\7$\2\2\u0138C\3\2\2\2\u0139\u013d\5F$\2\u013a\u013c")
        buf.write("\5H%\2\u013b\u013a\3\2\2\2\u013c\u013f\3\2\2\2\u013d\u013b")
        buf.write("\3\2\2\2\u013d\u013e\3\2\2\2\u013eE\3\2\2\2\u013f\u013d")
        buf.write("\3\2\2\2\u0140\u0141\7\r\2\2\u0141\u0142\5J&\2\u0142\u0143")
        buf.write("\5\60\31\2\u0143G\3\2\2\2\u0144\u0145\7\20\2\2\u0145\u014c")
        buf.write("\5J&\2\u0146\u0149\7\17\2\2\u0147\u0148\7\r\2\2\u0148")
        buf.write("\u014a\5J&\2\u0149\u0147\3\2\2\2\u0149\u014a\3\2\2\2\u014a")
        buf.write("\u014c\3\2\2\2\u014b\u0144\3\2\2\2\u014b\u0146\3\2\2\2")
        buf.write("\u014c\u014d\3\2\2\2\u014d\u014e\5\60\31\2\u014eI\3\2")
        buf.write("\2\2\u014f\u0150\7 \2\2\u0150\u0151\5L\'\2\u0151\u0152")
        buf.write("\7!\2\2\u0152K\3\2\2\2\u0153\u0158\5N(\2\u0154\u0155\7")
        buf.write("\66\2\2\u0155\u0157\5N(\2\u0156\u0154\3\2\2\2\u0157\u015a")
        buf.write("\3\2\2\2\u0158\u0156\3\2\2\2\u0158\u0159\3\2\2\2\u0159")
        buf.write("M\3\2\2\2\u015a\u0158\3\2\2\2\u015b\u0160\5P)\2\u015c")
        buf.write("\u015d\7\65\2\2\u015d\u015f\5P)\2\u015e\u015c\3\2\2\2")
        buf.write("\u015f\u0162\3\2\2\2\u0160\u015e\3\2\2\2\u0160\u0161\3")
        buf.write("\2\2\2\u0161O\3\2\2\2\u0162\u0160\3\2\2\2\u0163\u0165")
        buf.write("\5 \21\2\u0164\u0163\3\2\2\2\u0165\u0168\3\2\2\2\u0166")
        buf.write("\u0164\3\2\2\2\u0166\u0167\3\2\2\2\u0167\u0169\3\2\2\2")
        buf.write("\u0168\u0166\3\2\2\2\u0169\u016a\5R*\2\u016aQ\3\2\2\2")
        buf.write("\u016b\u0171\5V,\2\u016c\u016d\5T+\2\u016d\u016e\5V,\2")
        buf.write("\u016e\u0170\3\2\2\2\u016f\u016c\3\2\2\2\u0170\u0173\3")
        buf.write("\2\2\2\u0171\u016f\3\2\2\2\u0171\u0172\3\2\2\2\u0172S")
        buf.write("\3\2\2\2\u0173\u0171\3\2\2\2\u0174\u0175\t\4\2\2\u0175")
        buf.write("U\3\2\2\2\u0176\u0178\5Z.\2\u0177\u0176\3\2\2\2\u0177")
        buf.write("\u0178\3\2\2\2\u0178\u0179\3\2\2\2\u0179\u0182\5\\/\2")
        buf.write("\u017a\u017c\5X-\2\u017b\u017d\5Z.\2\u017c\u017b\3\2\2")
        buf.write("\2\u017c\u017d\3\2\2\2\u017d\u017e\3\2\2\2\u017e\u017f")
        buf.write("\5\\/\2\u017f\u0181\3\2\2\2\u0180\u017a\3\2\2\2\u0181")
        buf.write("\u0184\3\2\2\2\u0182\u0180\3\2\2\2\u0182\u0183\3\2\2\2")
        buf.write("\u0183W\3\2\2\2\u0184\u0182\3\2\2\2\u0185\u0186\t\5\2")
        buf.write("\2\u0186Y\3\2\2\2\u0187\u0188\78\2\2\u0188[\3\2\2\2\u0189")
        buf.write("\u0191\5h\65\2\u018a\u018e\5d\63\2\u018b\u018d\5^\60\2")
        buf.write("\u018c\u018b\3\2\2\2\u018d\u0190\3\2\2\2\u018e\u018c\3")
        buf.write("\2\2\2\u018e\u018f\3\2\2\2\u018f\u0192\3\2\2\2\u0190\u018e")
        buf.write("\3\2\2\2\u0191\u018a\3\2\2\2\u0191\u0192\3\2\2\2\u0192")
        buf.write("\u01a0\3\2\2\2\u0193\u0198\5l\67\2\u0194\u0198\5j\66\2")
        buf.write("\u0195\u0198\5n8\2\u0196\u0198\5b\62\2\u0197\u0193\3\2")
        buf.write("\2\2\u0197\u0194\3\2\2\2\u0197\u0195\3\2\2\2\u0197\u0196")
        buf.write("\3\2\2\2\u0198\u019c\3\2\2\2\u0199\u019b\5^\60\2\u019a")
        buf.write("\u0199\3\2\2\2\u019b\u019e\3\2\2\2\u019c\u019a\3\2\2\2")
        buf.write("\u019c\u019d\3\2\2\2\u019d\u01a0\3\2\2\2\u019e\u019c\3")
        buf.write("\2\2\2\u019f\u0189\3\2\2\2\u019f\u0197\3\2\2\2\u01a0]")
        buf.write("\3\2\2\2\u01a1\u01a2\7&\2\2\u01a2\u01a4\5`\61\2\u01a3")
        buf.write("\u01a5\5d\63\2\u01a4\u01a3\3\2\2\2\u01a4\u01a5\3\2\2\2")
        buf.write("\u01a5_\3\2\2\2\u01a6\u01a7\7\26\2\2\u01a7a\3\2\2\2\u01a8")
        buf.write("\u01a9\7 \2\2\u01a9\u01aa\5L\'\2\u01aa\u01ab\7!\2\2\u01ab")
        buf.write("c\3\2\2\2\u01ac\u01b7\7 \2\2\u01ad\u01b4\5f\64\2\u01ae")
        buf.write("\u01b0\7%\2\2\u01af\u01b1\5f\64\2\u01b0\u01af\3\2\2\2")
        buf.write("\u01b0\u01b1\3\2\2\2\u01b1\u01b3\3\2\2\2\u01b2\u01ae\3")
        buf.write("\2\2\2\u01b3\u01b6\3\2\2\2\u01b4\u01b2\3\2\2\2\u01b4\u01b5")
        buf.write("\3\2\2\2\u01b5\u01b8\3\2\2\2\u01b6\u01b4\3\2\2\2\u01b7")
        buf.write("\u01ad\3\2\2\2\u01b7\u01b8\3\2\2\2\u01b8\u01b9\3\2\2\2")
        buf.write("\u01b9\u01ba\7!\2\2\u01bae\3\2\2\2\u01bb\u01be\5L\'\2")
        buf.write("\u01bc\u01bd\7\'\2\2\u01bd\u01bf\5L\'\2\u01be\u01bc\3")
        buf.write("\2\2\2\u01be\u01bf\3\2\2\2\u01bfg\3\2\2\2\u01c0\u01c5")
        buf.write("\7\26\2\2\u01c1\u01c2\7&\2\2\u01c2\u01c4\t\6\2\2\u01c3")
        buf.write("\u01c1\3\2\2\2\u01c4\u01c7\3\2\2\2\u01c5\u01c3\3\2\2\2")
        buf.write("\u01c5\u01c6\3\2\2\2\u01c6i\3\2\2\2\u01c7\u01c5\3\2\2")
        buf.write("\2\u01c8\u01ca\7\27\2\2\u01c9\u01cb\7\26\2\2\u01ca\u01c9")
        buf.write("\3\2\2\2\u01ca\u01cb\3\2\2\2\u01cbk\3\2\2\2\u01cc\u01cd")
        buf.write("\t\7\2\2\u01cdm\3\2\2\2\u01ce\u01cf\7\34\2\2\u01cfo\3")
        buf.write("\2\2\2+s\u0080\u008c\u0098\u00a5\u00aa\u00b3\u00bc\u00c5")
        buf.write("\u00c9\u00cf\u00d7\u00e9\u00ed\u00fb\u0109\u0120\u0126")
        buf.write("\u0134\u013d\u0149\u014b\u0158\u0160\u0166\u0171\u0177")
        buf.write("\u017c\u0182\u018e\u0191\u0197\u019c\u019f\u01a4\u01b0")
        buf.write("\u01b4\u01b7\u01be\u01c5\u01ca")
        return buf.getvalue()


class VclParser ( Parser ):

    grammarFileName = "VclParser.g4"

    atn = ATNDeserializer().deserialize(serializedATN())

    decisionsToDFA = [ DFA(ds, i) for i, ds in enumerate(atn.decisionToState) ]

    sharedContextCache = PredictionContextCache()

    literalNames = [ "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "'{'", "'}'", "'('", "')'", "'['", "']'", "';'", "','",
                     "'.'", "'='", "'+='", "'-='", "'*='", "'/='", "'=='",
                     "'!='", "'<'", "'<='", "'>'", "'>='", "'~'", "'!~'",
                     "'!'", "'&&'", "'||'", "'+'", "'-'", "'*'", "'/'",
                     "'%'", "'++'", "'--'" ]

    symbolicNames = [ "<INVALID>", "VCL", "BACKEND", "PROBE", "ACL", "SUB",
                      "IMPORT", "SET", "UNSET", "CALL", "RETURN", "IF",
                      "NEW", "ELSE", "ELSEIF", "FROM", "AS", "NONE", "INCLUDE",
                      "TEST", "IDENTIFIER", "NUMBER", "STRING", "UNCLOSED_STRING",
                      "LONG_STRING", "TRIPLE_STRING", "BLOB", "INLINE_C",
                      "LBRACE", "RBRACE", "LPAREN", "RPAREN", "LBRACKET",
                      "RBRACKET", "SEMI", "COMMA", "DOT", "ASSIGN", "ADD_ASSIGN",
                      "SUB_ASSIGN", "MUL_ASSIGN", "DIV_ASSIGN", "EQ", "NE",
                      "LT", "LE", "GT", "GE", "MATCH", "NO_MATCH", "NOT",
                      "AND", "OR", "PLUS", "MINUS", "STAR", "SLASH", "PERCENT",
                      "DOUBLE_PLUS", "DOUBLE_MINUS", "LINE_COMMENT", "BLOCK_COMMENT",
                      "SPACE", "UNKNOWN" ]

    RULE_program = 0
    RULE_declaration = 1
    RULE_version = 2
    RULE_backend = 3
    RULE_none = 4
    RULE_probe = 5
    RULE_properties = 6
    RULE_field = 7
    RULE_fieldName = 8
    RULE_acl = 9
    RULE_aclEntries = 10
    RULE_aclFlag = 11
    RULE_aclEntry = 12
    RULE_optionalAddress = 13
    RULE_aclAddress = 14
    RULE_negated = 15
    RULE_maskBits = 16
    RULE_subroutine = 17
    RULE_testCase = 18
    RULE_importModule = 19
    RULE_importAlias = 20
    RULE_declaredName = 21
    RULE_inlineC = 22
    RULE_block = 23
    RULE_statement = 24
    RULE_setStatement = 25
    RULE_assignment = 26
    RULE_unsetStatement = 27
    RULE_callStatement = 28
    RULE_returnStatement = 29
    RULE_action = 30
    RULE_newStatement = 31
    RULE_functionStatement = 32
    RULE_ifStatement = 33
    RULE_ifArm = 34
    RULE_elseArm = 35
    RULE_condition = 36
    RULE_expression = 37
    RULE_conjunction = 38
    RULE_negation = 39
    RULE_comparison = 40
    RULE_comparator = 41
    RULE_arithmetic = 42
    RULE_arithmeticOp = 43
    RULE_minus = 44
    RULE_postfix = 45
    RULE_member = 46
    RULE_memberName = 47
    RULE_parenthesised = 48
    RULE_arguments = 49
    RULE_argument = 50
    RULE_name = 51
    RULE_number = 52
    RULE_string = 53
    RULE_blob = 54

    ruleNames =  [ "program", "declaration", "version", "backend", "none",
                   "probe", "properties", "field", "fieldName", "acl", "aclEntries",
                   "aclFlag", "aclEntry", "optionalAddress", "aclAddress",
                   "negated", "maskBits", "subroutine", "testCase", "importModule",
                   "importAlias", "declaredName", "inlineC", "block", "statement",
                   "setStatement", "assignment", "unsetStatement", "callStatement",
                   "returnStatement", "action", "newStatement", "functionStatement",
                   "ifStatement", "ifArm", "elseArm", "condition", "expression",
                   "conjunction", "negation", "comparison", "comparator",
                   "arithmetic", "arithmeticOp", "minus", "postfix", "member",
                   "memberName", "parenthesised", "arguments", "argument",
                   "name", "number", "string", "blob" ]

    EOF = Token.EOF
    VCL=1
    BACKEND=2
    PROBE=3
    ACL=4
    SUB=5
    IMPORT=6
    SET=7
    UNSET=8
    CALL=9
    RETURN=10
    IF=11
    NEW=12
    ELSE=13
    ELSEIF=14
    FROM=15
    AS=16
    NONE=17
    INCLUDE=18
    TEST=19
    IDENTIFIER=20
    NUMBER=21
    STRING=22
    UNCLOSED_STRING=23
    LONG_STRING=24
    TRIPLE_STRING=25
    BLOB=26
    INLINE_C=27
    LBRACE=28
    RBRACE=29
    LPAREN=30
    RPAREN=31
    LBRACKET=32
    RBRACKET=33
    SEMI=34
    COMMA=35
    DOT=36
    ASSIGN=37
    ADD_ASSIGN=38
    SUB_ASSIGN=39
    MUL_ASSIGN=40
    DIV_ASSIGN=41
    EQ=42
    NE=43
    LT=44
    LE=45
    GT=46
    GE=47
    MATCH=48
    NO_MATCH=49
    NOT=50
    AND=51
    OR=52
    PLUS=53
    MINUS=54
    STAR=55
    SLASH=56
    PERCENT=57
    DOUBLE_PLUS=58
    DOUBLE_MINUS=59
    LINE_COMMENT=60
    BLOCK_COMMENT=61
    SPACE=62
    UNKNOWN=63

    def __init__(self, input:TokenStream, output:TextIO = sys.stdout):
        super().__init__(input, output)
        self.checkVersion("4.9.1")
        self._interp = ParserATNSimulator(self, self.atn, self.decisionsToDFA, self.sharedContextCache)
        self._predicates = None




    class ProgramContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def EOF(self):
            return self.getToken(VclParser.EOF, 0)

        def declaration(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.DeclarationContext)
            else:
                return self.getTypedRuleContext(VclParser.DeclarationContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_program




    def program(self):

        localctx = VclParser.ProgramContext(self, self._ctx, self.state)
        self.enterRule(localctx, 0, self.RULE_program)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 113
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.VCL) | (1 << VclParser.BACKEND) | (1 << VclParser.PROBE) | (1 << VclParser.ACL) | (1 << VclParser.SUB) | (1 << VclParser.IMPORT) | (1 << VclParser.TEST) | (1 << VclParser.INLINE_C))) != 0):
                self.state = 110
                self.declaration()
                self.state = 115
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 116
            self.match(VclParser.EOF)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class DeclarationContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def version(self):
            return self.getTypedRuleContext(VclParser.VersionContext,0)


        def backend(self):
            return self.getTypedRuleContext(VclParser.BackendContext,0)


        def probe(self):
            return self.getTypedRuleContext(VclParser.ProbeContext,0)


        def acl(self):
            return self.getTypedRuleContext(VclParser.AclContext,0)


        def subroutine(self):
            return self.getTypedRuleContext(VclParser.SubroutineContext,0)


        def importModule(self):
            return self.getTypedRuleContext(VclParser.ImportModuleContext,0)


        def inlineC(self):
            return self.getTypedRuleContext(VclParser.InlineCContext,0)


        def testCase(self):
            return self.getTypedRuleContext(VclParser.TestCaseContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_declaration




    def declaration(self):

        localctx = VclParser.DeclarationContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_declaration)
        try:
            self.state = 126
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.VCL]:
                self.enterOuterAlt(localctx, 1)
                self.state = 118
                self.version()
                pass
            elif token in [VclParser.BACKEND]:
                self.enterOuterAlt(localctx, 2)
                self.state = 119
                self.backend()
                pass
            elif token in [VclParser.PROBE]:
                self.enterOuterAlt(localctx, 3)
                self.state = 120
                self.probe()
                pass
            elif token in [VclParser.ACL]:
                self.enterOuterAlt(localctx, 4)
                self.state = 121
                self.acl()
                pass
            elif token in [VclParser.SUB]:
                self.enterOuterAlt(localctx, 5)
                self.state = 122
                self.subroutine()
                pass
            elif token in [VclParser.IMPORT]:
                self.enterOuterAlt(localctx, 6)
                self.state = 123
                self.importModule()
                pass
            elif token in [VclParser.INLINE_C]:
                self.enterOuterAlt(localctx, 7)
                self.state = 124
                self.inlineC()
                pass
            elif token in [VclParser.TEST]:
                self.enterOuterAlt(localctx, 8)
                self.state = 125
                self.testCase()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class VersionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def VCL(self):
            return self.getToken(VclParser.VCL, 0)

        def NUMBER(self):
            return self.getToken(VclParser.NUMBER, 0)

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_version




    def version(self):

        localctx = VclParser.VersionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 4, self.RULE_version)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 128
            self.match(VclParser.VCL)
            self.state = 129
            self.match(VclParser.NUMBER)
            self.state = 130
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class BackendContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def BACKEND(self):
            return self.getToken(VclParser.BACKEND, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def none(self):
            return self.getTypedRuleContext(VclParser.NoneContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def properties(self):
            return self.getTypedRuleContext(VclParser.PropertiesContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_backend




    def backend(self):

        localctx = VclParser.BackendContext(self, self._ctx, self.state)
        self.enterRule(localctx, 6, self.RULE_backend)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 132
            self.match(VclParser.BACKEND)
            self.state = 133
            self.declaredName()
            self.state = 138
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.NONE]:
                self.state = 134
                self.none()
                self.state = 135
                self.match(VclParser.SEMI)
                pass
            elif token in [VclParser.LBRACE]:
                self.state = 137
                self.properties()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class NoneContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def NONE(self):
            return self.getToken(VclParser.NONE, 0)

        def getRuleIndex(self):
            return VclParser.RULE_none




    def none(self):

        localctx = VclParser.NoneContext(self, self._ctx, self.state)
        self.enterRule(localctx, 8, self.RULE_none)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 140
            self.match(VclParser.NONE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ProbeContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def PROBE(self):
            return self.getToken(VclParser.PROBE, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def properties(self):
            return self.getTypedRuleContext(VclParser.PropertiesContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_probe




    def probe(self):

        localctx = VclParser.ProbeContext(self, self._ctx, self.state)
        self.enterRule(localctx, 10, self.RULE_probe)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 142
            self.match(VclParser.PROBE)
            self.state = 143
            self.declaredName()
            self.state = 144
            self.properties()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PropertiesContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LBRACE(self):
            return self.getToken(VclParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(VclParser.RBRACE, 0)

        def field(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.FieldContext)
            else:
                return self.getTypedRuleContext(VclParser.FieldContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_properties




    def properties(self):

        localctx = VclParser.PropertiesContext(self, self._ctx, self.state)
        self.enterRule(localctx, 12, self.RULE_properties)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 146
            self.match(VclParser.LBRACE)
            self.state = 150
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 147
                self.field()
                self.state = 152
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 153
            self.match(VclParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class FieldContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def DOT(self):
            return self.getToken(VclParser.DOT, 0)

        def fieldName(self):
            return self.getTypedRuleContext(VclParser.FieldNameContext,0)


        def ASSIGN(self):
            return self.getToken(VclParser.ASSIGN, 0)

        def properties(self):
            return self.getTypedRuleContext(VclParser.PropertiesContext,0)


        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def string(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.StringContext)
            else:
                return self.getTypedRuleContext(VclParser.StringContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_field




    def field(self):

        localctx = VclParser.FieldContext(self, self._ctx, self.state)
        self.enterRule(localctx, 14, self.RULE_field)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 155
            self.match(VclParser.DOT)
            self.state = 156
            self.fieldName()
            self.state = 157
            self.match(VclParser.ASSIGN)
            self.state = 168
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LBRACE]:
                self.state = 158
                self.properties()
                pass
            elif token in [VclParser.IDENTIFIER, VclParser.NUMBER, VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING, VclParser.BLOB, VclParser.LPAREN, VclParser.NOT, VclParser.MINUS]:
                self.state = 159
                self.expression()
                self.state = 163
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                    self.state = 160
                    self.string()
                    self.state = 165
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 166
                self.match(VclParser.SEMI)
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class FieldNameContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def getRuleIndex(self):
            return VclParser.RULE_fieldName




    def fieldName(self):

        localctx = VclParser.FieldNameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 16, self.RULE_fieldName)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 170
            self.match(VclParser.IDENTIFIER)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AclContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def ACL(self):
            return self.getToken(VclParser.ACL, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def aclEntries(self):
            return self.getTypedRuleContext(VclParser.AclEntriesContext,0)


        def aclFlag(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.AclFlagContext)
            else:
                return self.getTypedRuleContext(VclParser.AclFlagContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_acl




    def acl(self):

        localctx = VclParser.AclContext(self, self._ctx, self.state)
        self.enterRule(localctx, 18, self.RULE_acl)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 172
            self.match(VclParser.ACL)
            self.state = 173
            self.declaredName()
            self.state = 177
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.PLUS or _la==VclParser.MINUS:
                self.state = 174
                self.aclFlag()
                self.state = 179
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 180
            self.aclEntries()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AclEntriesContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LBRACE(self):
            return self.getToken(VclParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(VclParser.RBRACE, 0)

        def aclEntry(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.AclEntryContext)
            else:
                return self.getTypedRuleContext(VclParser.AclEntryContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_aclEntries




    def aclEntries(self):

        localctx = VclParser.AclEntriesContext(self, self._ctx, self.state)
        self.enterRule(localctx, 20, self.RULE_aclEntries)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 182
            self.match(VclParser.LBRACE)
            self.state = 186
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING) | (1 << VclParser.LPAREN) | (1 << VclParser.NOT))) != 0):
                self.state = 183
                self.aclEntry()
                self.state = 188
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 189
            self.match(VclParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AclFlagContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def PLUS(self):
            return self.getToken(VclParser.PLUS, 0)

        def MINUS(self):
            return self.getToken(VclParser.MINUS, 0)

        def getRuleIndex(self):
            return VclParser.RULE_aclFlag




    def aclFlag(self):

        localctx = VclParser.AclFlagContext(self, self._ctx, self.state)
        self.enterRule(localctx, 22, self.RULE_aclFlag)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 191
            _la = self._input.LA(1)
            if not(_la==VclParser.PLUS or _la==VclParser.MINUS):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
            self.state = 192
            self.match(VclParser.IDENTIFIER)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AclEntryContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def optionalAddress(self):
            return self.getTypedRuleContext(VclParser.OptionalAddressContext,0)


        def aclAddress(self):
            return self.getTypedRuleContext(VclParser.AclAddressContext,0)


        def negated(self):
            return self.getTypedRuleContext(VclParser.NegatedContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_aclEntry




    def aclEntry(self):

        localctx = VclParser.AclEntryContext(self, self._ctx, self.state)
        self.enterRule(localctx, 24, self.RULE_aclEntry)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 195
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.NOT:
                self.state = 194
                self.negated()


            self.state = 199
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LPAREN]:
                self.state = 197
                self.optionalAddress()
                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 198
                self.aclAddress()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 201
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class OptionalAddressContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def aclAddress(self):
            return self.getTypedRuleContext(VclParser.AclAddressContext,0)


        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def negated(self):
            return self.getTypedRuleContext(VclParser.NegatedContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_optionalAddress




    def optionalAddress(self):

        localctx = VclParser.OptionalAddressContext(self, self._ctx, self.state)
        self.enterRule(localctx, 26, self.RULE_optionalAddress)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 203
            self.match(VclParser.LPAREN)
            self.state = 205
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.NOT:
                self.state = 204
                self.negated()


            self.state = 207
            self.aclAddress()
            self.state = 208
            self.match(VclParser.RPAREN)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AclAddressContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def string(self):
            return self.getTypedRuleContext(VclParser.StringContext,0)


        def SLASH(self):
            return self.getToken(VclParser.SLASH, 0)

        def maskBits(self):
            return self.getTypedRuleContext(VclParser.MaskBitsContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_aclAddress




    def aclAddress(self):

        localctx = VclParser.AclAddressContext(self, self._ctx, self.state)
        self.enterRule(localctx, 28, self.RULE_aclAddress)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 210
            self.string()
            self.state = 213
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.SLASH:
                self.state = 211
                self.match(VclParser.SLASH)
                self.state = 212
                self.maskBits()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class NegatedContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def NOT(self):
            return self.getToken(VclParser.NOT, 0)

        def getRuleIndex(self):
            return VclParser.RULE_negated




    def negated(self):

        localctx = VclParser.NegatedContext(self, self._ctx, self.state)
        self.enterRule(localctx, 30, self.RULE_negated)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 215
            self.match(VclParser.NOT)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MaskBitsContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def NUMBER(self):
            return self.getToken(VclParser.NUMBER, 0)

        def getRuleIndex(self):
            return VclParser.RULE_maskBits




    def maskBits(self):

        localctx = VclParser.MaskBitsContext(self, self._ctx, self.state)
        self.enterRule(localctx, 32, self.RULE_maskBits)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 217
            self.match(VclParser.NUMBER)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SubroutineContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def SUB(self):
            return self.getToken(VclParser.SUB, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_subroutine




    def subroutine(self):

        localctx = VclParser.SubroutineContext(self, self._ctx, self.state)
        self.enterRule(localctx, 34, self.RULE_subroutine)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 219
            self.match(VclParser.SUB)
            self.state = 220
            self.declaredName()
            self.state = 221
            self.block()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TestCaseContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def TEST(self):
            return self.getToken(VclParser.TEST, 0)

        def string(self):
            return self.getTypedRuleContext(VclParser.StringContext,0)


        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_testCase




    def testCase(self):

        localctx = VclParser.TestCaseContext(self, self._ctx, self.state)
        self.enterRule(localctx, 36, self.RULE_testCase)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 223
            self.match(VclParser.TEST)
            self.state = 224
            self.string()
            self.state = 225
            self.block()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ImportModuleContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IMPORT(self):
            return self.getToken(VclParser.IMPORT, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def AS(self):
            return self.getToken(VclParser.AS, 0)

        def importAlias(self):
            return self.getTypedRuleContext(VclParser.ImportAliasContext,0)


        def FROM(self):
            return self.getToken(VclParser.FROM, 0)

        def string(self):
            return self.getTypedRuleContext(VclParser.StringContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_importModule




    def importModule(self):

        localctx = VclParser.ImportModuleContext(self, self._ctx, self.state)
        self.enterRule(localctx, 38, self.RULE_importModule)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 227
            self.match(VclParser.IMPORT)
            self.state = 228
            self.declaredName()
            self.state = 231
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.AS:
                self.state = 229
                self.match(VclParser.AS)
                self.state = 230
                self.importAlias()


            self.state = 235
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.FROM:
                self.state = 233
                self.match(VclParser.FROM)
                self.state = 234
                self.string()


            self.state = 237
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ImportAliasContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def getRuleIndex(self):
            return VclParser.RULE_importAlias




    def importAlias(self):

        localctx = VclParser.ImportAliasContext(self, self._ctx, self.state)
        self.enterRule(localctx, 40, self.RULE_importAlias)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 239
            self.match(VclParser.IDENTIFIER)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class DeclaredNameContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def getRuleIndex(self):
            return VclParser.RULE_declaredName




    def declaredName(self):

        localctx = VclParser.DeclaredNameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 42, self.RULE_declaredName)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 241
            self.match(VclParser.IDENTIFIER)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class InlineCContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def INLINE_C(self):
            return self.getToken(VclParser.INLINE_C, 0)

        def getRuleIndex(self):
            return VclParser.RULE_inlineC




    def inlineC(self):

        localctx = VclParser.InlineCContext(self, self._ctx, self.state)
        self.enterRule(localctx, 44, self.RULE_inlineC)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 243
            self.match(VclParser.INLINE_C)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class BlockContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LBRACE(self):
            return self.getToken(VclParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(VclParser.RBRACE, 0)

        def statement(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.StatementContext)
            else:
                return self.getTypedRuleContext(VclParser.StatementContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_block




    def block(self):

        localctx = VclParser.BlockContext(self, self._ctx, self.state)
        self.enterRule(localctx, 46, self.RULE_block)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 245
            self.match(VclParser.LBRACE)
            self.state = 249
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.SET) | (1 << VclParser.UNSET) | (1 << VclParser.CALL) | (1 << VclParser.RETURN) | (1 << VclParser.IF) | (1 << VclParser.NEW) | (1 << VclParser.IDENTIFIER) | (1 << VclParser.INLINE_C) | (1 << VclParser.LBRACE))) != 0):
                self.state = 246
                self.statement()
                self.state = 251
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 252
            self.match(VclParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class StatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def setStatement(self):
            return self.getTypedRuleContext(VclParser.SetStatementContext,0)


        def unsetStatement(self):
            return self.getTypedRuleContext(VclParser.UnsetStatementContext,0)


        def callStatement(self):
            return self.getTypedRuleContext(VclParser.CallStatementContext,0)


        def returnStatement(self):
            return self.getTypedRuleContext(VclParser.ReturnStatementContext,0)


        def ifStatement(self):
            return self.getTypedRuleContext(VclParser.IfStatementContext,0)


        def newStatement(self):
            return self.getTypedRuleContext(VclParser.NewStatementContext,0)


        def functionStatement(self):
            return self.getTypedRuleContext(VclParser.FunctionStatementContext,0)


        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def inlineC(self):
            return self.getTypedRuleContext(VclParser.InlineCContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_statement




    def statement(self):

        localctx = VclParser.StatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 48, self.RULE_statement)
        try:
            self.state = 263
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.SET]:
                self.enterOuterAlt(localctx, 1)
                self.state = 254
                self.setStatement()
                pass
            elif token in [VclParser.UNSET]:
                self.enterOuterAlt(localctx, 2)
                self.state = 255
                self.unsetStatement()
                pass
            elif token in [VclParser.CALL]:
                self.enterOuterAlt(localctx, 3)
                self.state = 256
                self.callStatement()
                pass
            elif token in [VclParser.RETURN]:
                self.enterOuterAlt(localctx, 4)
                self.state = 257
                self.returnStatement()
                pass
            elif token in [VclParser.IF]:
                self.enterOuterAlt(localctx, 5)
                self.state = 258
                self.ifStatement()
                pass
            elif token in [VclParser.NEW]:
                self.enterOuterAlt(localctx, 6)
                self.state = 259
                self.newStatement()
                pass
            elif token in [VclParser.IDENTIFIER]:
                self.enterOuterAlt(localctx, 7)
                self.state = 260
                self.functionStatement()
                pass
            elif token in [VclParser.LBRACE]:
                self.enterOuterAlt(localctx, 8)
                self.state = 261
                self.block()
                pass
            elif token in [VclParser.INLINE_C]:
                self.enterOuterAlt(localctx, 9)
                self.state = 262
                self.inlineC()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SetStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def SET(self):
            return self.getToken(VclParser.SET, 0)

        def name(self):
            return self.getTypedRuleContext(VclParser.NameContext,0)


        def assignment(self):
            return self.getTypedRuleContext(VclParser.AssignmentContext,0)


        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_setStatement




    def setStatement(self):

        localctx = VclParser.SetStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 50, self.RULE_setStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 265
            self.match(VclParser.SET)
            self.state = 266
            self.name()
            self.state = 267
            self.assignment()
            self.state = 268
            self.expression()
            self.state = 269
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AssignmentContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def ASSIGN(self):
            return self.getToken(VclParser.ASSIGN, 0)

        def ADD_ASSIGN(self):
            return self.getToken(VclParser.ADD_ASSIGN, 0)

        def SUB_ASSIGN(self):
            return self.getToken(VclParser.SUB_ASSIGN, 0)

        def MUL_ASSIGN(self):
            return self.getToken(VclParser.MUL_ASSIGN, 0)

        def DIV_ASSIGN(self):
            return self.getToken(VclParser.DIV_ASSIGN, 0)

        def getRuleIndex(self):
            return VclParser.RULE_assignment




    def assignment(self):

        localctx = VclParser.AssignmentContext(self, self._ctx, self.state)
        self.enterRule(localctx, 52, self.RULE_assignment)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 271
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.ASSIGN) | (1 << VclParser.ADD_ASSIGN) | (1 << VclParser.SUB_ASSIGN) | (1 << VclParser.MUL_ASSIGN) | (1 << VclParser.DIV_ASSIGN))) != 0)):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class UnsetStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def UNSET(self):
            return self.getToken(VclParser.UNSET, 0)

        def name(self):
            return self.getTypedRuleContext(VclParser.NameContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_unsetStatement




    def unsetStatement(self):

        localctx = VclParser.UnsetStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 54, self.RULE_unsetStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 273
            self.match(VclParser.UNSET)
            self.state = 274
            self.name()
            self.state = 275
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CallStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def CALL(self):
            return self.getToken(VclParser.CALL, 0)

        def postfix(self):
            return self.getTypedRuleContext(VclParser.PostfixContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_callStatement




    def callStatement(self):

        localctx = VclParser.CallStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 56, self.RULE_callStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 277
            self.match(VclParser.CALL)
            self.state = 278
            self.postfix()
            self.state = 279
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ReturnStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def RETURN(self):
            return self.getToken(VclParser.RETURN, 0)

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def action(self):
            return self.getTypedRuleContext(VclParser.ActionContext,0)


        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def getRuleIndex(self):
            return VclParser.RULE_returnStatement




    def returnStatement(self):

        localctx = VclParser.ReturnStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 58, self.RULE_returnStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 281
            self.match(VclParser.RETURN)
            self.state = 286
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 282
                self.match(VclParser.LPAREN)
                self.state = 283
                self.action()
                self.state = 284
                self.match(VclParser.RPAREN)


            self.state = 288
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ActionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def name(self):
            return self.getTypedRuleContext(VclParser.NameContext,0)


        def arguments(self):
            return self.getTypedRuleContext(VclParser.ArgumentsContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_action




    def action(self):

        localctx = VclParser.ActionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 60, self.RULE_action)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 290
            self.name()
            self.state = 292
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 291
                self.arguments()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class NewStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def NEW(self):
            return self.getToken(VclParser.NEW, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def ASSIGN(self):
            return self.getToken(VclParser.ASSIGN, 0)

        def name(self):
            return self.getTypedRuleContext(VclParser.NameContext,0)


        def arguments(self):
            return self.getTypedRuleContext(VclParser.ArgumentsContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_newStatement




    def newStatement(self):

        localctx = VclParser.NewStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 62, self.RULE_newStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 294
            self.match(VclParser.NEW)
            self.state = 295
            self.declaredName()
            self.state = 296
            self.match(VclParser.ASSIGN)
            self.state = 297
            self.name()
            self.state = 298
            self.arguments()
            self.state = 299
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class FunctionStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def name(self):
            return self.getTypedRuleContext(VclParser.NameContext,0)


        def arguments(self):
            return self.getTypedRuleContext(VclParser.ArgumentsContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def member(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.MemberContext)
            else:
                return self.getTypedRuleContext(VclParser.MemberContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_functionStatement




    def functionStatement(self):

        localctx = VclParser.FunctionStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 64, self.RULE_functionStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 301
            self.name()
            self.state = 302
            self.arguments()
            self.state = 306
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 303
                self.member()
                self.state = 308
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 309
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class IfStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def ifArm(self):
            return self.getTypedRuleContext(VclParser.IfArmContext,0)


        def elseArm(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ElseArmContext)
            else:
                return self.getTypedRuleContext(VclParser.ElseArmContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_ifStatement




    def ifStatement(self):

        localctx = VclParser.IfStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 66, self.RULE_ifStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 311
            self.ifArm()
            self.state = 315
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.ELSE or _la==VclParser.ELSEIF:
                self.state = 312
                self.elseArm()
                self.state = 317
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class IfArmContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IF(self):
            return self.getToken(VclParser.IF, 0)

        def condition(self):
            return self.getTypedRuleContext(VclParser.ConditionContext,0)


        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_ifArm




    def ifArm(self):

        localctx = VclParser.IfArmContext(self, self._ctx, self.state)
        self.enterRule(localctx, 68, self.RULE_ifArm)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 318
            self.match(VclParser.IF)
            self.state = 319
            self.condition()
            self.state = 320
            self.block()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ElseArmContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def ELSEIF(self):
            return self.getToken(VclParser.ELSEIF, 0)

        def condition(self):
            return self.getTypedRuleContext(VclParser.ConditionContext,0)


        def ELSE(self):
            return self.getToken(VclParser.ELSE, 0)

        def IF(self):
            return self.getToken(VclParser.IF, 0)

        def getRuleIndex(self):
            return VclParser.RULE_elseArm




    def elseArm(self):

        localctx = VclParser.ElseArmContext(self, self._ctx, self.state)
        self.enterRule(localctx, 70, self.RULE_elseArm)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 329
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.ELSEIF]:
                self.state = 322
                self.match(VclParser.ELSEIF)
                self.state = 323
                self.condition()
                pass
            elif token in [VclParser.ELSE]:
                self.state = 324
                self.match(VclParser.ELSE)
                self.state = 327
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.IF:
                    self.state = 325
                    self.match(VclParser.IF)
                    self.state = 326
                    self.condition()


                pass
            else:
                raise NoViableAltException(self)

            self.state = 331
            self.block()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ConditionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def getRuleIndex(self):
            return VclParser.RULE_condition




    def condition(self):

        localctx = VclParser.ConditionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 72, self.RULE_condition)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 333
            self.match(VclParser.LPAREN)
            self.state = 334
            self.expression()
            self.state = 335
            self.match(VclParser.RPAREN)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ExpressionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def conjunction(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ConjunctionContext)
            else:
                return self.getTypedRuleContext(VclParser.ConjunctionContext,i)


        def OR(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.OR)
            else:
                return self.getToken(VclParser.OR, i)

        def getRuleIndex(self):
            return VclParser.RULE_expression




    def expression(self):

        localctx = VclParser.ExpressionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 74, self.RULE_expression)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 337
            self.conjunction()
            self.state = 342
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.OR:
                self.state = 338
                self.match(VclParser.OR)
                self.state = 339
                self.conjunction()
                self.state = 344
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ConjunctionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def negation(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.NegationContext)
            else:
                return self.getTypedRuleContext(VclParser.NegationContext,i)


        def AND(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.AND)
            else:
                return self.getToken(VclParser.AND, i)

        def getRuleIndex(self):
            return VclParser.RULE_conjunction




    def conjunction(self):

        localctx = VclParser.ConjunctionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 76, self.RULE_conjunction)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 345
            self.negation()
            self.state = 350
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.AND:
                self.state = 346
                self.match(VclParser.AND)
                self.state = 347
                self.negation()
                self.state = 352
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class NegationContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def comparison(self):
            return self.getTypedRuleContext(VclParser.ComparisonContext,0)


        def negated(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.NegatedContext)
            else:
                return self.getTypedRuleContext(VclParser.NegatedContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_negation




    def negation(self):

        localctx = VclParser.NegationContext(self, self._ctx, self.state)
        self.enterRule(localctx, 78, self.RULE_negation)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 356
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.NOT:
                self.state = 353
                self.negated()
                self.state = 358
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 359
            self.comparison()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ComparisonContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def arithmetic(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ArithmeticContext)
            else:
                return self.getTypedRuleContext(VclParser.ArithmeticContext,i)


        def comparator(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ComparatorContext)
            else:
                return self.getTypedRuleContext(VclParser.ComparatorContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_comparison




    def comparison(self):

        localctx = VclParser.ComparisonContext(self, self._ctx, self.state)
        self.enterRule(localctx, 80, self.RULE_comparison)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 361
            self.arithmetic()
            self.state = 367
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.EQ) | (1 << VclParser.NE) | (1 << VclParser.LT) | (1 << VclParser.LE) | (1 << VclParser.GT) | (1 << VclParser.GE) | (1 << VclParser.MATCH) | (1 << VclParser.NO_MATCH))) != 0):
                self.state = 362
                self.comparator()
                self.state = 363
                self.arithmetic()
                self.state = 369
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ComparatorContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def EQ(self):
            return self.getToken(VclParser.EQ, 0)

        def NE(self):
            return self.getToken(VclParser.NE, 0)

        def LT(self):
            return self.getToken(VclParser.LT, 0)

        def LE(self):
            return self.getToken(VclParser.LE, 0)

        def GT(self):
            return self.getToken(VclParser.GT, 0)

        def GE(self):
            return self.getToken(VclParser.GE, 0)

        def MATCH(self):
            return self.getToken(VclParser.MATCH, 0)

        def NO_MATCH(self):
            return self.getToken(VclParser.NO_MATCH, 0)

        def getRuleIndex(self):
            return VclParser.RULE_comparator




    def comparator(self):

        localctx = VclParser.ComparatorContext(self, self._ctx, self.state)
        self.enterRule(localctx, 82, self.RULE_comparator)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 370
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.EQ) | (1 << VclParser.NE) | (1 << VclParser.LT) | (1 << VclParser.LE) | (1 << VclParser.GT) | (1 << VclParser.GE) | (1 << VclParser.MATCH) | (1 << VclParser.NO_MATCH))) != 0)):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ArithmeticContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def postfix(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.PostfixContext)
            else:
                return self.getTypedRuleContext(VclParser.PostfixContext,i)


        def minus(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.MinusContext)
            else:
                return self.getTypedRuleContext(VclParser.MinusContext,i)


        def arithmeticOp(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ArithmeticOpContext)
            else:
                return self.getTypedRuleContext(VclParser.ArithmeticOpContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_arithmetic




    def arithmetic(self):

        localctx = VclParser.ArithmeticContext(self, self._ctx, self.state)
        self.enterRule(localctx, 84, self.RULE_arithmetic)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 373
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MINUS:
                self.state = 372
                self.minus()


            self.state = 375
            self.postfix()
            self.state = 384
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.PLUS) | (1 << VclParser.MINUS) | (1 << VclParser.STAR) | (1 << VclParser.SLASH) | (1 << VclParser.PERCENT))) != 0):
                self.state = 376
                self.arithmeticOp()
                self.state = 378
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.MINUS:
                    self.state = 377
                    self.minus()


                self.state = 380
                self.postfix()
                self.state = 386
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ArithmeticOpContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def PLUS(self):
            return self.getToken(VclParser.PLUS, 0)

        def MINUS(self):
            return self.getToken(VclParser.MINUS, 0)

        def STAR(self):
            return self.getToken(VclParser.STAR, 0)

        def SLASH(self):
            return self.getToken(VclParser.SLASH, 0)

        def PERCENT(self):
            return self.getToken(VclParser.PERCENT, 0)

        def getRuleIndex(self):
            return VclParser.RULE_arithmeticOp




    def arithmeticOp(self):

        localctx = VclParser.ArithmeticOpContext(self, self._ctx, self.state)
        self.enterRule(localctx, 86, self.RULE_arithmeticOp)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 387
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.PLUS) | (1 << VclParser.MINUS) | (1 << VclParser.STAR) | (1 << VclParser.SLASH) | (1 << VclParser.PERCENT))) != 0)):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MinusContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MINUS(self):
            return self.getToken(VclParser.MINUS, 0)

        def getRuleIndex(self):
            return VclParser.RULE_minus




    def minus(self):

        localctx = VclParser.MinusContext(self, self._ctx, self.state)
        self.enterRule(localctx, 88, self.RULE_minus)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 389
            self.match(VclParser.MINUS)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PostfixContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def name(self):
            return self.getTypedRuleContext(VclParser.NameContext,0)


        def arguments(self):
            return self.getTypedRuleContext(VclParser.ArgumentsContext,0)


        def member(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.MemberContext)
            else:
                return self.getTypedRuleContext(VclParser.MemberContext,i)


        def string(self):
            return self.getTypedRuleContext(VclParser.StringContext,0)


        def number(self):
            return self.getTypedRuleContext(VclParser.NumberContext,0)


        def blob(self):
            return self.getTypedRuleContext(VclParser.BlobContext,0)


        def parenthesised(self):
            return self.getTypedRuleContext(VclParser.ParenthesisedContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_postfix




    def postfix(self):

        localctx = VclParser.PostfixContext(self, self._ctx, self.state)
        self.enterRule(localctx, 90, self.RULE_postfix)
        self._la = 0 # Token type
        try:
            self.state = 413
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.IDENTIFIER]:
                self.enterOuterAlt(localctx, 1)
                self.state = 391
                self.name()
                self.state = 399
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.LPAREN:
                    self.state = 392
                    self.arguments()
                    self.state = 396
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    while _la==VclParser.DOT:
                        self.state = 393
                        self.member()
                        self.state = 398
                        self._errHandler.sync(self)
                        _la = self._input.LA(1)



                pass
            elif token in [VclParser.NUMBER, VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING, VclParser.BLOB, VclParser.LPAREN]:
                self.enterOuterAlt(localctx, 2)
                self.state = 405
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                    self.state = 401
                    self.string()
                    pass
                elif token in [VclParser.NUMBER]:
                    self.state = 402
                    self.number()
                    pass
                elif token in [VclParser.BLOB]:
                    self.state = 403
                    self.blob()
                    pass
                elif token in [VclParser.LPAREN]:
                    self.state = 404
                    self.parenthesised()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 410
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.DOT:
                    self.state = 407
                    self.member()
                    self.state = 412
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MemberContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def DOT(self):
            return self.getToken(VclParser.DOT, 0)

        def memberName(self):
            return self.getTypedRuleContext(VclParser.MemberNameContext,0)


        def arguments(self):
            return self.getTypedRuleContext(VclParser.ArgumentsContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_member




    def member(self):

        localctx = VclParser.MemberContext(self, self._ctx, self.state)
        self.enterRule(localctx, 92, self.RULE_member)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 415
            self.match(VclParser.DOT)
            self.state = 416
            self.memberName()
            self.state = 418
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 417
                self.arguments()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MemberNameContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def getRuleIndex(self):
            return VclParser.RULE_memberName




    def memberName(self):

        localctx = VclParser.MemberNameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 94, self.RULE_memberName)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 420
            self.match(VclParser.IDENTIFIER)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ParenthesisedContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def getRuleIndex(self):
            return VclParser.RULE_parenthesised




    def parenthesised(self):

        localctx = VclParser.ParenthesisedContext(self, self._ctx, self.state)
        self.enterRule(localctx, 96, self.RULE_parenthesised)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 422
            self.match(VclParser.LPAREN)
            self.state = 423
            self.expression()
            self.state = 424
            self.match(VclParser.RPAREN)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ArgumentsContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def argument(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ArgumentContext)
            else:
                return self.getTypedRuleContext(VclParser.ArgumentContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.COMMA)
            else:
                return self.getToken(VclParser.COMMA, i)

        def getRuleIndex(self):
            return VclParser.RULE_arguments




    def arguments(self):

        localctx = VclParser.ArgumentsContext(self, self._ctx, self.state)
        self.enterRule(localctx, 98, self.RULE_arguments)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 426
            self.match(VclParser.LPAREN)
            self.state = 437
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.IDENTIFIER) | (1 << VclParser.NUMBER) | (1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING) | (1 << VclParser.BLOB) | (1 << VclParser.LPAREN) | (1 << VclParser.NOT) | (1 << VclParser.MINUS))) != 0):
                self.state = 427
                self.argument()
                self.state = 434
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 428
                    self.match(VclParser.COMMA)
                    self.state = 430
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.IDENTIFIER) | (1 << VclParser.NUMBER) | (1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING) | (1 << VclParser.BLOB) | (1 << VclParser.LPAREN) | (1 << VclParser.NOT) | (1 << VclParser.MINUS))) != 0):
                        self.state = 429
                        self.argument()


                    self.state = 436
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 439
            self.match(VclParser.RPAREN)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ArgumentContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def expression(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ExpressionContext)
            else:
                return self.getTypedRuleContext(VclParser.ExpressionContext,i)


        def ASSIGN(self):
            return self.getToken(VclParser.ASSIGN, 0)

        def getRuleIndex(self):
            return VclParser.RULE_argument




    def argument(self):

        localctx = VclParser.ArgumentContext(self, self._ctx, self.state)
        self.enterRule(localctx, 100, self.RULE_argument)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 441
            self.expression()
            self.state = 444
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.ASSIGN:
                self.state = 442
                self.match(VclParser.ASSIGN)
                self.state = 443
                self.expression()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class NameContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.IDENTIFIER)
            else:
                return self.getToken(VclParser.IDENTIFIER, i)

        def DOT(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.DOT)
            else:
                return self.getToken(VclParser.DOT, i)

        def STRING(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.STRING)
            else:
                return self.getToken(VclParser.STRING, i)

        def getRuleIndex(self):
            return VclParser.RULE_name




    def name(self):

        localctx = VclParser.NameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 102, self.RULE_name)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 446
            self.match(VclParser.IDENTIFIER)
            self.state = 451
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 447
                self.match(VclParser.DOT)
                self.state = 448
                _la = self._input.LA(1)
                if not(_la==VclParser.IDENTIFIER or _la==VclParser.STRING):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 453
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class NumberContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def NUMBER(self):
            return self.getToken(VclParser.NUMBER, 0)

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def getRuleIndex(self):
            return VclParser.RULE_number




    def number(self):

        localctx = VclParser.NumberContext(self, self._ctx, self.state)
        self.enterRule(localctx, 104, self.RULE_number)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 454
            self.match(VclParser.NUMBER)
            self.state = 456
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 455
                self.match(VclParser.IDENTIFIER)


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class StringContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def STRING(self):
            return self.getToken(VclParser.STRING, 0)

        def LONG_STRING(self):
            return self.getToken(VclParser.LONG_STRING, 0)

        def TRIPLE_STRING(self):
            return self.getToken(VclParser.TRIPLE_STRING, 0)

        def getRuleIndex(self):
            return VclParser.RULE_string




    def string(self):

        localctx = VclParser.StringContext(self, self._ctx, self.state)
        self.enterRule(localctx, 106, self.RULE_string)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 458
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0)):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class BlobContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def BLOB(self):
            return self.getToken(VclParser.BLOB, 0)

        def getRuleIndex(self):
            return VclParser.RULE_blob




    def blob(self):

        localctx = VclParser.BlobContext(self, self._ctx, self.state)
        self.enterRule(localctx, 108, self.RULE_blob)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 460
            self.match(VclParser.BLOB)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx





