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
        buf.write("\3\u608b\ua72a\u8133\ub9ed\u417c\u3be7\u7786\u5964\3b")
        buf.write("\u0365\4\2\t\2\4\3\t\3\4\4\t\4\4\5\t\5\4\6\t\6\4\7\t\7")
        buf.write("\4\b\t\b\4\t\t\t\4\n\t\n\4\13\t\13\4\f\t\f\4\r\t\r\4\16")
        buf.write("\t\16\4\17\t\17\4\20\t\20\4\21\t\21\4\22\t\22\4\23\t\23")
        buf.write("\4\24\t\24\4\25\t\25\4\26\t\26\4\27\t\27\4\30\t\30\4\31")
        buf.write("\t\31\4\32\t\32\4\33\t\33\4\34\t\34\4\35\t\35\4\36\t\36")
        buf.write("\4\37\t\37\4 \t \4!\t!\4\"\t\"\4#\t#\4$\t$\4%\t%\4&\t")
        buf.write("&\4\'\t\'\4(\t(\4)\t)\4*\t*\4+\t+\4,\t,\4-\t-\4.\t.\4")
        buf.write("/\t/\4\60\t\60\4\61\t\61\4\62\t\62\4\63\t\63\4\64\t\64")
        buf.write("\4\65\t\65\4\66\t\66\4\67\t\67\48\t8\49\t9\4:\t:\4;\t")
        buf.write(";\4<\t<\4=\t=\4>\t>\4?\t?\4@\t@\4A\tA\4B\tB\4C\tC\4D\t")
        buf.write("D\4E\tE\4F\tF\4G\tG\4H\tH\4I\tI\4J\tJ\4K\tK\4L\tL\4M\t")
        buf.write("M\4N\tN\4O\tO\4P\tP\4Q\tQ\4R\tR\4S\tS\4T\tT\4U\tU\4V\t")
        buf.write("V\4W\tW\4X\tX\4Y\tY\4Z\tZ\4[\t[\4\\\t\\\4]\t]\4^\t^\4")
        buf.write("_\t_\3\2\7\2\u00c0\n\2\f\2\16\2\u00c3\13\2\3\2\3\2\3\3")
        buf.write("\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\5")
        buf.write("\3\u00d5\n\3\3\4\3\4\3\4\3\4\3\5\3\5\3\5\3\5\3\5\3\5\5")
        buf.write("\5\u00e1\n\5\3\6\3\6\3\7\3\7\3\7\3\7\3\b\3\b\7\b\u00eb")
        buf.write("\n\b\f\b\16\b\u00ee\13\b\3\b\3\b\3\t\3\t\3\t\3\t\3\t\3")
        buf.write("\t\7\t\u00f8\n\t\f\t\16\t\u00fb\13\t\3\t\3\t\5\t\u00ff")
        buf.write("\n\t\3\n\3\n\3\13\3\13\3\13\7\13\u0106\n\13\f\13\16\13")
        buf.write("\u0109\13\13\3\13\3\13\3\f\3\f\7\f\u010f\n\f\f\f\16\f")
        buf.write("\u0112\13\f\3\f\3\f\3\r\3\r\3\r\3\16\5\16\u011a\n\16\3")
        buf.write("\16\3\16\5\16\u011e\n\16\3\16\3\16\3\17\3\17\5\17\u0124")
        buf.write("\n\17\3\17\3\17\3\17\3\20\3\20\3\20\5\20\u012c\n\20\3")
        buf.write("\21\3\21\3\22\3\22\3\23\7\23\u0133\n\23\f\23\16\23\u0136")
        buf.write("\13\23\3\23\3\23\3\23\3\23\3\23\3\23\5\23\u013e\n\23\3")
        buf.write("\23\3\23\3\24\3\24\3\24\3\24\3\25\3\25\3\25\3\25\5\25")
        buf.write("\u014a\n\25\3\25\3\25\5\25\u014e\n\25\3\25\3\25\3\25\3")
        buf.write("\25\5\25\u0154\n\25\3\25\3\25\3\26\3\26\3\27\3\27\3\30")
        buf.write("\3\30\3\31\3\31\3\31\5\31\u0161\n\31\3\31\3\31\3\31\3")
        buf.write("\31\3\32\3\32\3\32\3\33\3\33\5\33\u016c\n\33\3\34\3\34")
        buf.write("\3\34\3\34\3\34\3\34\3\34\3\35\3\35\3\35\3\35\7\35\u0179")
        buf.write("\n\35\f\35\16\35\u017c\13\35\5\35\u017e\n\35\3\35\3\35")
        buf.write("\3\36\3\36\3\36\3\37\3\37\3\37\3\37\3\37\3 \3 \3 \3 \3")
        buf.write(" \3 \3 \3 \3 \5 \u0193\n \5 \u0195\n \3 \3 \3!\3!\3\"")
        buf.write("\3\"\3\"\3\"\3\"\3\"\3\"\3#\3#\3#\3#\5#\u01a6\n#\7#\u01a8")
        buf.write("\n#\f#\16#\u01ab\13#\5#\u01ad\n#\3#\3#\3$\3$\5$\u01b3")
        buf.write("\n$\3$\3$\3$\3%\3%\3%\5%\u01bb\n%\3&\3&\3\'\3\'\3\'\3")
        buf.write("\'\3\'\3\'\3\'\7\'\u01c6\n\'\f\'\16\'\u01c9\13\'\3\'\3")
        buf.write("\'\5\'\u01cd\n\'\3\'\3\'\3(\3(\3(\7(\u01d4\n(\f(\16(\u01d7")
        buf.write("\13(\3(\3(\3)\3)\3)\3)\3*\3*\3*\5*\u01e2\n*\3+\3+\7+\u01e6")
        buf.write("\n+\f+\16+\u01e9\13+\3+\3+\3,\3,\3,\3,\3,\3,\3,\3,\3,")
        buf.write("\3,\3,\3,\3,\3,\3,\3,\3,\3,\3,\5,\u0200\n,\3-\3-\3-\3")
        buf.write("-\3-\3-\3.\3.\3/\3/\3/\3/\3\60\3\60\3\60\3\60\3\61\3\61")
        buf.write("\3\61\3\61\3\61\5\61\u0217\n\61\3\61\3\61\3\62\3\62\5")
        buf.write("\62\u021d\n\62\3\63\3\63\3\63\3\63\3\63\3\63\3\63\3\64")
        buf.write("\3\64\3\64\7\64\u0229\n\64\f\64\16\64\u022c\13\64\3\64")
        buf.write("\3\64\3\65\3\65\7\65\u0232\n\65\f\65\16\65\u0235\13\65")
        buf.write("\3\66\3\66\3\66\3\66\3\67\3\67\3\67\3\67\3\67\5\67\u0240")
        buf.write("\n\67\5\67\u0242\n\67\3\67\3\67\38\38\58\u0248\n8\38\3")
        buf.write("8\38\39\39\59\u024f\n9\39\39\59\u0253\n9\39\39\39\39\3")
        buf.write(":\3:\3;\3;\3;\3;\3<\3<\3<\3<\3<\3<\3=\3=\3=\3=\7=\u0269")
        buf.write("\n=\f=\16=\u026c\13=\3=\3=\3>\3>\3>\3>\7>\u0274\n>\f>")
        buf.write("\16>\u0277\13>\3>\5>\u027a\n>\3>\3>\3>\3?\5?\u0280\n?")
        buf.write("\3?\3?\3@\3@\3A\3A\3A\3A\3A\3A\3A\3A\3B\3B\3B\5B\u0291")
        buf.write("\nB\3B\3B\3C\3C\3C\3C\3C\5C\u029a\nC\7C\u029c\nC\fC\16")
        buf.write("C\u029f\13C\5C\u02a1\nC\3C\3C\3C\3D\3D\3D\3D\3E\3E\3E")
        buf.write("\3E\3F\3F\3F\3G\3G\3G\3G\3G\3G\3H\3H\3H\3I\3I\3I\7I\u02bd")
        buf.write("\nI\fI\16I\u02c0\13I\3J\3J\3J\7J\u02c5\nJ\fJ\16J\u02c8")
        buf.write("\13J\3K\7K\u02cb\nK\fK\16K\u02ce\13K\3K\3K\3L\3L\3L\3")
        buf.write("L\5L\u02d6\nL\3L\7L\u02d9\nL\fL\16L\u02dc\13L\3M\3M\3")
        buf.write("N\3N\3N\3O\3O\3O\3P\5P\u02e7\nP\3P\3P\3P\5P\u02ec\nP\3")
        buf.write("P\3P\7P\u02f0\nP\fP\16P\u02f3\13P\3Q\3Q\3Q\5Q\u02f8\n")
        buf.write("Q\3Q\7Q\u02fb\nQ\fQ\16Q\u02fe\13Q\3R\3R\3S\3S\3T\3T\3")
        buf.write("T\5T\u0307\nT\3T\7T\u030a\nT\fT\16T\u030d\13T\5T\u030f")
        buf.write("\nT\3T\3T\3T\3T\5T\u0315\nT\3T\7T\u0318\nT\fT\16T\u031b")
        buf.write("\13T\3T\5T\u031e\nT\3U\3U\3U\5U\u0323\nU\3U\5U\u0326\n")
        buf.write("U\3V\3V\3V\3V\3W\3W\3W\3W\5W\u0330\nW\7W\u0332\nW\fW\16")
        buf.write("W\u0335\13W\5W\u0337\nW\3W\3W\3X\3X\3Y\3Y\3Y\3Y\3Z\3Z")
        buf.write("\3Z\3Z\5Z\u0345\nZ\7Z\u0347\nZ\fZ\16Z\u034a\13Z\5Z\u034c")
        buf.write("\nZ\3Z\3Z\3[\3[\3[\5[\u0353\n[\3\\\3\\\3\\\7\\\u0358\n")
        buf.write("\\\f\\\16\\\u035b\13\\\3]\3]\5]\u035f\n]\3^\3^\3_\3_\3")
        buf.write("_\2\2`\2\4\6\b\n\f\16\20\22\24\26\30\32\34\36 \"$&(*,")
        buf.write(".\60\62\64\668:<>@BDFHJLNPRTVXZ\\^`bdfhjlnprtvxz|~\u0080")
        buf.write("\u0082\u0084\u0086\u0088\u008a\u008c\u008e\u0090\u0092")
        buf.write("\u0094\u0096\u0098\u009a\u009c\u009e\u00a0\u00a2\u00a4")
        buf.write("\u00a6\u00a8\u00aa\u00ac\u00ae\u00b0\u00b2\u00b4\u00b6")
        buf.write("\u00b8\u00ba\u00bc\2\t\3\2XY\3\2\21\22\3\2GK\4\2,/LS\3")
        buf.write("\2X\\\4\2\61\61\63\63\4\2\63\63\65\66\2\u0375\2\u00c1")
        buf.write("\3\2\2\2\4\u00d4\3\2\2\2\6\u00d6\3\2\2\2\b\u00da\3\2\2")
        buf.write("\2\n\u00e2\3\2\2\2\f\u00e4\3\2\2\2\16\u00e8\3\2\2\2\20")
        buf.write("\u00f1\3\2\2\2\22\u0100\3\2\2\2\24\u0102\3\2\2\2\26\u010c")
        buf.write("\3\2\2\2\30\u0115\3\2\2\2\32\u0119\3\2\2\2\34\u0121\3")
        buf.write("\2\2\2\36\u0128\3\2\2\2 \u012d\3\2\2\2\"\u012f\3\2\2\2")
        buf.write("$\u0134\3\2\2\2&\u0141\3\2\2\2(\u0145\3\2\2\2*\u0157\3")
        buf.write("\2\2\2,\u0159\3\2\2\2.\u015b\3\2\2\2\60\u015d\3\2\2\2")
        buf.write("\62\u0166\3\2\2\2\64\u0169\3\2\2\2\66\u016d\3\2\2\28\u0174")
        buf.write("\3\2\2\2:\u0181\3\2\2\2<\u0184\3\2\2\2>\u0189\3\2\2\2")
        buf.write("@\u0198\3\2\2\2B\u019a\3\2\2\2D\u01a1\3\2\2\2F\u01b2\3")
        buf.write("\2\2\2H\u01b7\3\2\2\2J\u01bc\3\2\2\2L\u01be\3\2\2\2N\u01d0")
        buf.write("\3\2\2\2P\u01da\3\2\2\2R\u01de\3\2\2\2T\u01e3\3\2\2\2")
        buf.write("V\u01ff\3\2\2\2X\u0201\3\2\2\2Z\u0207\3\2\2\2\\\u0209")
        buf.write("\3\2\2\2^\u020d\3\2\2\2`\u0211\3\2\2\2b\u021a\3\2\2\2")
        buf.write("d\u021e\3\2\2\2f\u0225\3\2\2\2h\u022f\3\2\2\2j\u0236\3")
        buf.write("\2\2\2l\u0241\3\2\2\2n\u0245\3\2\2\2p\u024c\3\2\2\2r\u0258")
        buf.write("\3\2\2\2t\u025a\3\2\2\2v\u025e\3\2\2\2x\u0264\3\2\2\2")
        buf.write("z\u0279\3\2\2\2|\u027f\3\2\2\2~\u0283\3\2\2\2\u0080\u0285")
        buf.write("\3\2\2\2\u0082\u028d\3\2\2\2\u0084\u0294\3\2\2\2\u0086")
        buf.write("\u02a5\3\2\2\2\u0088\u02a9\3\2\2\2\u008a\u02ad\3\2\2\2")
        buf.write("\u008c\u02b0\3\2\2\2\u008e\u02b6\3\2\2\2\u0090\u02b9\3")
        buf.write("\2\2\2\u0092\u02c1\3\2\2\2\u0094\u02cc\3\2\2\2\u0096\u02d1")
        buf.write("\3\2\2\2\u0098\u02dd\3\2\2\2\u009a\u02df\3\2\2\2\u009c")
        buf.write("\u02e2\3\2\2\2\u009e\u02e6\3\2\2\2\u00a0\u02f4\3\2\2\2")
        buf.write("\u00a2\u02ff\3\2\2\2\u00a4\u0301\3\2\2\2\u00a6\u031d\3")
        buf.write("\2\2\2\u00a8\u0325\3\2\2\2\u00aa\u0327\3\2\2\2\u00ac\u032b")
        buf.write("\3\2\2\2\u00ae\u033a\3\2\2\2\u00b0\u033c\3\2\2\2\u00b2")
        buf.write("\u0340\3\2\2\2\u00b4\u034f\3\2\2\2\u00b6\u0354\3\2\2\2")
        buf.write("\u00b8\u035c\3\2\2\2\u00ba\u0360\3\2\2\2\u00bc\u0362\3")
        buf.write("\2\2\2\u00be\u00c0\5\4\3\2\u00bf\u00be\3\2\2\2\u00c0\u00c3")
        buf.write("\3\2\2\2\u00c1\u00bf\3\2\2\2\u00c1\u00c2\3\2\2\2\u00c2")
        buf.write("\u00c4\3\2\2\2\u00c3\u00c1\3\2\2\2\u00c4\u00c5\7\2\2\3")
        buf.write("\u00c5\3\3\2\2\2\u00c6\u00d5\5\6\4\2\u00c7\u00d5\5\b\5")
        buf.write("\2\u00c8\u00d5\5\f\7\2\u00c9\u00d5\5\24\13\2\u00ca\u00d5")
        buf.write("\5$\23\2\u00cb\u00d5\5(\25\2\u00cc\u00d5\5.\30\2\u00cd")
        buf.write("\u00d5\5&\24\2\u00ce\u00d5\5\60\31\2\u00cf\u00d5\5\66")
        buf.write("\34\2\u00d0\u00d5\5<\37\2\u00d1\u00d5\5> \2\u00d2\u00d5")
        buf.write("\5L\'\2\u00d3\u00d5\5N(\2\u00d4\u00c6\3\2\2\2\u00d4\u00c7")
        buf.write("\3\2\2\2\u00d4\u00c8\3\2\2\2\u00d4\u00c9\3\2\2\2\u00d4")
        buf.write("\u00ca\3\2\2\2\u00d4\u00cb\3\2\2\2\u00d4\u00cc\3\2\2\2")
        buf.write("\u00d4\u00cd\3\2\2\2\u00d4\u00ce\3\2\2\2\u00d4\u00cf\3")
        buf.write("\2\2\2\u00d4\u00d0\3\2\2\2\u00d4\u00d1\3\2\2\2\u00d4\u00d2")
        buf.write("\3\2\2\2\u00d4\u00d3\3\2\2\2\u00d5\5\3\2\2\2\u00d6\u00d7")
        buf.write("\7\3\2\2\u00d7\u00d8\7\62\2\2\u00d8\u00d9\7?\2\2\u00d9")
        buf.write("\7\3\2\2\2\u00da\u00db\7\4\2\2\u00db\u00e0\5,\27\2\u00dc")
        buf.write("\u00dd\5\n\6\2\u00dd\u00de\7?\2\2\u00de\u00e1\3\2\2\2")
        buf.write("\u00df\u00e1\5\16\b\2\u00e0\u00dc\3\2\2\2\u00e0\u00df")
        buf.write("\3\2\2\2\u00e1\t\3\2\2\2\u00e2\u00e3\7%\2\2\u00e3\13\3")
        buf.write("\2\2\2\u00e4\u00e5\7\5\2\2\u00e5\u00e6\5,\27\2\u00e6\u00e7")
        buf.write("\5\16\b\2\u00e7\r\3\2\2\2\u00e8\u00ec\79\2\2\u00e9\u00eb")
        buf.write("\5\20\t\2\u00ea\u00e9\3\2\2\2\u00eb\u00ee\3\2\2\2\u00ec")
        buf.write("\u00ea\3\2\2\2\u00ec\u00ed\3\2\2\2\u00ed\u00ef\3\2\2\2")
        buf.write("\u00ee\u00ec\3\2\2\2\u00ef\u00f0\7:\2\2\u00f0\17\3\2\2")
        buf.write("\2\u00f1\u00f2\7A\2\2\u00f2\u00f3\5\22\n\2\u00f3\u00fe")
        buf.write("\7G\2\2\u00f4\u00ff\5\16\b\2\u00f5\u00f9\5\u0090I\2\u00f6")
        buf.write("\u00f8\5\u00ba^\2\u00f7\u00f6\3\2\2\2\u00f8\u00fb\3\2")
        buf.write("\2\2\u00f9\u00f7\3\2\2\2\u00f9\u00fa\3\2\2\2\u00fa\u00fc")
        buf.write("\3\2\2\2\u00fb\u00f9\3\2\2\2\u00fc\u00fd\7?\2\2\u00fd")
        buf.write("\u00ff\3\2\2\2\u00fe\u00f4\3\2\2\2\u00fe\u00f5\3\2\2\2")
        buf.write("\u00ff\21\3\2\2\2\u0100\u0101\7\61\2\2\u0101\23\3\2\2")
        buf.write("\2\u0102\u0103\7\6\2\2\u0103\u0107\5,\27\2\u0104\u0106")
        buf.write("\5\30\r\2\u0105\u0104\3\2\2\2\u0106\u0109\3\2\2\2\u0107")
        buf.write("\u0105\3\2\2\2\u0107\u0108\3\2\2\2\u0108\u010a\3\2\2\2")
        buf.write("\u0109\u0107\3\2\2\2\u010a\u010b\5\26\f\2\u010b\25\3\2")
        buf.write("\2\2\u010c\u0110\79\2\2\u010d\u010f\5\32\16\2\u010e\u010d")
        buf.write("\3\2\2\2\u010f\u0112\3\2\2\2\u0110\u010e\3\2\2\2\u0110")
        buf.write("\u0111\3\2\2\2\u0111\u0113\3\2\2\2\u0112\u0110\3\2\2\2")
        buf.write("\u0113\u0114\7:\2\2\u0114\27\3\2\2\2\u0115\u0116\t\2\2")
        buf.write("\2\u0116\u0117\7\61\2\2\u0117\31\3\2\2\2\u0118\u011a\5")
        buf.write(" \21\2\u0119\u0118\3\2\2\2\u0119\u011a\3\2\2\2\u011a\u011d")
        buf.write("\3\2\2\2\u011b\u011e\5\34\17\2\u011c\u011e\5\36\20\2\u011d")
        buf.write("\u011b\3\2\2\2\u011d\u011c\3\2\2\2\u011e\u011f\3\2\2\2")
        buf.write("\u011f\u0120\7?\2\2\u0120\33\3\2\2\2\u0121\u0123\7;\2")
        buf.write("\2\u0122\u0124\5 \21\2\u0123\u0122\3\2\2\2\u0123\u0124")
        buf.write("\3\2\2\2\u0124\u0125\3\2\2\2\u0125\u0126\5\36\20\2\u0126")
        buf.write("\u0127\7<\2\2\u0127\35\3\2\2\2\u0128\u012b\5\u00ba^\2")
        buf.write("\u0129\u012a\7[\2\2\u012a\u012c\5\"\22\2\u012b\u0129\3")
        buf.write("\2\2\2\u012b\u012c\3\2\2\2\u012c\37\3\2\2\2\u012d\u012e")
        buf.write("\7T\2\2\u012e!\3\2\2\2\u012f\u0130\7\62\2\2\u0130#\3\2")
        buf.write("\2\2\u0131\u0133\5R*\2\u0132\u0131\3\2\2\2\u0133\u0136")
        buf.write("\3\2\2\2\u0134\u0132\3\2\2\2\u0134\u0135\3\2\2\2\u0135")
        buf.write("\u013d\3\2\2\2\u0136\u0134\3\2\2\2\u0137\u0138\7\7\2\2")
        buf.write("\u0138\u013e\5,\27\2\u0139\u013a\7\17\2\2\u013a\u013b")
        buf.write("\5,\27\2\u013b\u013c\58\35\2\u013c\u013e\3\2\2\2\u013d")
        buf.write("\u0137\3\2\2\2\u013d\u0139\3\2\2\2\u013e\u013f\3\2\2\2")
        buf.write("\u013f\u0140\5T+\2\u0140%\3\2\2\2\u0141\u0142\7\'\2\2")
        buf.write("\u0142\u0143\5\u00ba^\2\u0143\u0144\5T+\2\u0144\'\3\2")
        buf.write("\2\2\u0145\u0153\7\b\2\2\u0146\u0149\5,\27\2\u0147\u0148")
        buf.write("\7$\2\2\u0148\u014a\5*\26\2\u0149\u0147\3\2\2\2\u0149")
        buf.write("\u014a\3\2\2\2\u014a\u014d\3\2\2\2\u014b\u014c\7#\2\2")
        buf.write("\u014c\u014e\5\u00ba^\2\u014d\u014b\3\2\2\2\u014d\u014e")
        buf.write("\3\2\2\2\u014e\u0154\3\2\2\2\u014f\u0150\5\u00ba^\2\u0150")
        buf.write("\u0151\7$\2\2\u0151\u0152\5*\26\2\u0152\u0154\3\2\2\2")
        buf.write("\u0153\u0146\3\2\2\2\u0153\u014f\3\2\2\2\u0154\u0155\3")
        buf.write("\2\2\2\u0155\u0156\7?\2\2\u0156)\3\2\2\2\u0157\u0158\7")
        buf.write("\61\2\2\u0158+\3\2\2\2\u0159\u015a\7\61\2\2\u015a-\3\2")
        buf.write("\2\2\u015b\u015c\78\2\2\u015c/\3\2\2\2\u015d\u015e\t\3")
        buf.write("\2\2\u015e\u0160\5,\27\2\u015f\u0161\5\62\32\2\u0160\u015f")
        buf.write("\3\2\2\2\u0160\u0161\3\2\2\2\u0161\u0162\3\2\2\2\u0162")
        buf.write("\u0163\7G\2\2\u0163\u0164\5\u0090I\2\u0164\u0165\7?\2")
        buf.write("\2\u0165\61\3\2\2\2\u0166\u0167\7B\2\2\u0167\u0168\5\64")
        buf.write("\33\2\u0168\63\3\2\2\2\u0169\u016b\7\61\2\2\u016a\u016c")
        buf.write("\7C\2\2\u016b\u016a\3\2\2\2\u016b\u016c\3\2\2\2\u016c")
        buf.write("\65\3\2\2\2\u016d\u016e\7\23\2\2\u016e\u016f\5,\27\2\u016f")
        buf.write("\u0170\58\35\2\u0170\u0171\7E\2\2\u0171\u0172\5\64\33")
        buf.write("\2\u0172\u0173\5T+\2\u0173\67\3\2\2\2\u0174\u017d\7;\2")
        buf.write("\2\u0175\u017a\5:\36\2\u0176\u0177\7@\2\2\u0177\u0179")
        buf.write("\5:\36\2\u0178\u0176\3\2\2\2\u0179\u017c\3\2\2\2\u017a")
        buf.write("\u0178\3\2\2\2\u017a\u017b\3\2\2\2\u017b\u017e\3\2\2\2")
        buf.write("\u017c\u017a\3\2\2\2\u017d\u0175\3\2\2\2\u017d\u017e\3")
        buf.write("\2\2\2\u017e\u017f\3\2\2\2\u017f\u0180\7<\2\2\u01809\3")
        buf.write("\2\2\2\u0181\u0182\5,\27\2\u0182\u0183\5\62\32\2\u0183")
        buf.write(";\3\2\2\2\u0184\u0185\7\20\2\2\u0185\u0186\5,\27\2\u0186")
        buf.write("\u0187\5\u00acW\2\u0187\u0188\7?\2\2\u0188=\3\2\2\2\u0189")
        buf.write("\u018a\7\24\2\2\u018a\u018b\5,\27\2\u018b\u018c\5\62\32")
        buf.write("\2\u018c\u018d\7)\2\2\u018d\u0194\5@!\2\u018e\u0195\5")
        buf.write("D#\2\u018f\u0190\7#\2\2\u0190\u0192\5\u00ba^\2\u0191\u0193")
        buf.write("\5B\"\2\u0192\u0191\3\2\2\2\u0192\u0193\3\2\2\2\u0193")
        buf.write("\u0195\3\2\2\2\u0194\u018e\3\2\2\2\u0194\u018f\3\2\2\2")
        buf.write("\u0195\u0196\3\2\2\2\u0196\u0197\7?\2\2\u0197?\3\2\2\2")
        buf.write("\u0198\u0199\7\61\2\2\u0199A\3\2\2\2\u019a\u019b\7*\2")
        buf.write("\2\u019b\u019c\7;\2\2\u019c\u019d\7\61\2\2\u019d\u019e")
        buf.write("\7@\2\2\u019e\u019f\7\61\2\2\u019f\u01a0\7<\2\2\u01a0")
        buf.write("C\3\2\2\2\u01a1\u01ac\7=\2\2\u01a2\u01a9\5F$\2\u01a3\u01a5")
        buf.write("\7@\2\2\u01a4\u01a6\5F$\2\u01a5\u01a4\3\2\2\2\u01a5\u01a6")
        buf.write("\3\2\2\2\u01a6\u01a8\3\2\2\2\u01a7\u01a3\3\2\2\2\u01a8")
        buf.write("\u01ab\3\2\2\2\u01a9\u01a7\3\2\2\2\u01a9\u01aa\3\2\2\2")
        buf.write("\u01aa\u01ad\3\2\2\2\u01ab\u01a9\3\2\2\2\u01ac\u01a2\3")
        buf.write("\2\2\2\u01ac\u01ad\3\2\2\2\u01ad\u01ae\3\2\2\2\u01ae\u01af")
        buf.write("\7>\2\2\u01afE\3\2\2\2\u01b0\u01b3\5J&\2\u01b1\u01b3\5")
        buf.write("H%\2\u01b2\u01b0\3\2\2\2\u01b2\u01b1\3\2\2\2\u01b3\u01b4")
        buf.write("\3\2\2\2\u01b4\u01b5\7F\2\2\u01b5\u01b6\5\u0090I\2\u01b6")
        buf.write("G\3\2\2\2\u01b7\u01ba\5\u00ba^\2\u01b8\u01b9\7[\2\2\u01b9")
        buf.write("\u01bb\5\"\22\2\u01ba\u01b8\3\2\2\2\u01ba\u01bb\3\2\2")
        buf.write("\2\u01bbI\3\2\2\2\u01bc\u01bd\7+\2\2\u01bdK\3\2\2\2\u01be")
        buf.write("\u01bf\7\25\2\2\u01bf\u01cc\5,\27\2\u01c0\u01c1\7)\2\2")
        buf.write("\u01c1\u01c2\7;\2\2\u01c2\u01c7\5,\27\2\u01c3\u01c4\7")
        buf.write("@\2\2\u01c4\u01c6\5,\27\2\u01c5\u01c3\3\2\2\2\u01c6\u01c9")
        buf.write("\3\2\2\2\u01c7\u01c5\3\2\2\2\u01c7\u01c8\3\2\2\2\u01c8")
        buf.write("\u01ca\3\2\2\2\u01c9\u01c7\3\2\2\2\u01ca\u01cb\7<\2\2")
        buf.write("\u01cb\u01cd\3\2\2\2\u01cc\u01c0\3\2\2\2\u01cc\u01cd\3")
        buf.write("\2\2\2\u01cd\u01ce\3\2\2\2\u01ce\u01cf\7?\2\2\u01cfM\3")
        buf.write("\2\2\2\u01d0\u01d1\7\26\2\2\u01d1\u01d5\79\2\2\u01d2\u01d4")
        buf.write("\5P)\2\u01d3\u01d2\3\2\2\2\u01d4\u01d7\3\2\2\2\u01d5\u01d3")
        buf.write("\3\2\2\2\u01d5\u01d6\3\2\2\2\u01d6\u01d8\3\2\2\2\u01d7")
        buf.write("\u01d5\3\2\2\2\u01d8\u01d9\7:\2\2\u01d9O\3\2\2\2\u01da")
        buf.write("\u01db\7\61\2\2\u01db\u01dc\7\62\2\2\u01dc\u01dd\7?\2")
        buf.write("\2\u01ddQ\3\2\2\2\u01de\u01df\7D\2\2\u01df\u01e1\7\61")
        buf.write("\2\2\u01e0\u01e2\5\u00b2Z\2\u01e1\u01e0\3\2\2\2\u01e1")
        buf.write("\u01e2\3\2\2\2\u01e2S\3\2\2\2\u01e3\u01e7\79\2\2\u01e4")
        buf.write("\u01e6\5V,\2\u01e5\u01e4\3\2\2\2\u01e6\u01e9\3\2\2\2\u01e7")
        buf.write("\u01e5\3\2\2\2\u01e7\u01e8\3\2\2\2\u01e8\u01ea\3\2\2\2")
        buf.write("\u01e9\u01e7\3\2\2\2\u01ea\u01eb\7:\2\2\u01ebU\3\2\2\2")
        buf.write("\u01ec\u0200\5X-\2\u01ed\u0200\5\\/\2\u01ee\u0200\5^\60")
        buf.write("\2\u01ef\u0200\5`\61\2\u01f0\u0200\5h\65\2\u01f1\u0200")
        buf.write("\5d\63\2\u01f2\u0200\5f\64\2\u01f3\u0200\5T+\2\u01f4\u0200")
        buf.write("\5.\30\2\u01f5\u0200\5p9\2\u01f6\u0200\5v<\2\u01f7\u0200")
        buf.write("\5x=\2\u01f8\u0200\5\u0080A\2\u01f9\u0200\5\u0082B\2\u01fa")
        buf.write("\u0200\5\u0084C\2\u01fb\u0200\5\u0088E\2\u01fc\u0200\5")
        buf.write("\u008aF\2\u01fd\u0200\5\u008cG\2\u01fe\u0200\5\u008eH")
        buf.write("\2\u01ff\u01ec\3\2\2\2\u01ff\u01ed\3\2\2\2\u01ff\u01ee")
        buf.write("\3\2\2\2\u01ff\u01ef\3\2\2\2\u01ff\u01f0\3\2\2\2\u01ff")
        buf.write("\u01f1\3\2\2\2\u01ff\u01f2\3\2\2\2\u01ff\u01f3\3\2\2\2")
        buf.write("\u01ff\u01f4\3\2\2\2\u01ff\u01f5\3\2\2\2\u01ff\u01f6\3")
        buf.write("\2\2\2\u01ff\u01f7\3\2\2\2\u01ff\u01f8\3\2\2\2\u01ff\u01f9")
        buf.write("\3\2\2\2\u01ff\u01fa\3\2\2\2\u01ff\u01fb\3\2\2\2\u01ff")
        buf.write("\u01fc\3\2\2\2\u01ff\u01fd\3\2\2\2\u01ff\u01fe\3\2\2\2")
        buf.write("\u0200W\3\2\2\2\u0201\u0202\7\t\2\2\u0202\u0203\5\u00b6")
        buf.write("\\\2\u0203\u0204\5Z.\2\u0204\u0205\5\u0090I\2\u0205\u0206")
        buf.write("\7?\2\2\u0206Y\3\2\2\2\u0207\u0208\t\4\2\2\u0208[\3\2")
        buf.write("\2\2\u0209\u020a\7\n\2\2\u020a\u020b\5\u00b6\\\2\u020b")
        buf.write("\u020c\7?\2\2\u020c]\3\2\2\2\u020d\u020e\7\13\2\2\u020e")
        buf.write("\u020f\5\u00a6T\2\u020f\u0210\7?\2\2\u0210_\3\2\2\2\u0211")
        buf.write("\u0216\7\f\2\2\u0212\u0213\7;\2\2\u0213\u0214\5b\62\2")
        buf.write("\u0214\u0215\7<\2\2\u0215\u0217\3\2\2\2\u0216\u0212\3")
        buf.write("\2\2\2\u0216\u0217\3\2\2\2\u0217\u0218\3\2\2\2\u0218\u0219")
        buf.write("\7?\2\2\u0219a\3\2\2\2\u021a\u021c\5\u00b6\\\2\u021b\u021d")
        buf.write("\5\u00b2Z\2\u021c\u021b\3\2\2\2\u021c\u021d\3\2\2\2\u021d")
        buf.write("c\3\2\2\2\u021e\u021f\7\16\2\2\u021f\u0220\5,\27\2\u0220")
        buf.write("\u0221\7G\2\2\u0221\u0222\5\u00b6\\\2\u0222\u0223\5\u00b2")
        buf.write("Z\2\u0223\u0224\7?\2\2\u0224e\3\2\2\2\u0225\u0226\5\u00b6")
        buf.write("\\\2\u0226\u022a\5\u00b2Z\2\u0227\u0229\5\u00a8U\2\u0228")
        buf.write("\u0227\3\2\2\2\u0229\u022c\3\2\2\2\u022a\u0228\3\2\2\2")
        buf.write("\u022a\u022b\3\2\2\2\u022b\u022d\3\2\2\2\u022c\u022a\3")
        buf.write("\2\2\2\u022d\u022e\7?\2\2\u022eg\3\2\2\2\u022f\u0233\5")
        buf.write("j\66\2\u0230\u0232\5l\67\2\u0231\u0230\3\2\2\2\u0232\u0235")
        buf.write("\3\2\2\2\u0233\u0231\3\2\2\2\u0233\u0234\3\2\2\2\u0234")
        buf.write("i\3\2\2\2\u0235\u0233\3\2\2\2\u0236\u0237\7\r\2\2\u0237")
        buf.write("\u0238\5n8\2\u0238\u0239\5T+\2\u0239k\3\2\2\2\u023a\u023b")
        buf.write("\7\"\2\2\u023b\u0242\5n8\2\u023c\u023f\7!\2\2\u023d\u023e")
        buf.write("\7\r\2\2\u023e\u0240\5n8\2\u023f\u023d\3\2\2\2\u023f\u0240")
        buf.write("\3\2\2\2\u0240\u0242\3\2\2\2\u0241\u023a\3\2\2\2\u0241")
        buf.write("\u023c\3\2\2\2\u0242\u0243\3\2\2\2\u0243\u0244\5T+\2\u0244")
        buf.write("m\3\2\2\2\u0245\u0247\7;\2\2\u0246\u0248\5t;\2\u0247\u0246")
        buf.write("\3\2\2\2\u0247\u0248\3\2\2\2\u0248\u0249\3\2\2\2\u0249")
        buf.write("\u024a\5\u0090I\2\u024a\u024b\7<\2\2\u024bo\3\2\2\2\u024c")
        buf.write("\u024e\7\27\2\2\u024d\u024f\5r:\2\u024e\u024d\3\2\2\2")
        buf.write("\u024e\u024f\3\2\2\2\u024f\u0250\3\2\2\2\u0250\u0252\5")
        buf.write(",\27\2\u0251\u0253\5\62\32\2\u0252\u0251\3\2\2\2\u0252")
        buf.write("\u0253\3\2\2\2\u0253\u0254\3\2\2\2\u0254\u0255\7G\2\2")
        buf.write("\u0255\u0256\5\u0090I\2\u0256\u0257\7?\2\2\u0257q\3\2")
        buf.write("\2\2\u0258\u0259\7(\2\2\u0259s\3\2\2\2\u025a\u025b\7\27")
        buf.write("\2\2\u025b\u025c\5,\27\2\u025c\u025d\7G\2\2\u025du\3\2")
        buf.write("\2\2\u025e\u025f\7 \2\2\u025f\u0260\7;\2\2\u0260\u0261")
        buf.write("\5\u0090I\2\u0261\u0262\7<\2\2\u0262\u0263\7?\2\2\u0263")
        buf.write("w\3\2\2\2\u0264\u0265\7\30\2\2\u0265\u0266\5n8\2\u0266")
        buf.write("\u026a\79\2\2\u0267\u0269\5z>\2\u0268\u0267\3\2\2\2\u0269")
        buf.write("\u026c\3\2\2\2\u026a\u0268\3\2\2\2\u026a\u026b\3\2\2\2")
        buf.write("\u026b\u026d\3\2\2\2\u026c\u026a\3\2\2\2\u026d\u026e\7")
        buf.write(":\2\2\u026ey\3\2\2\2\u026f\u0270\7\31\2\2\u0270\u0275")
        buf.write("\5|?\2\u0271\u0272\7@\2\2\u0272\u0274\5|?\2\u0273\u0271")
        buf.write("\3\2\2\2\u0274\u0277\3\2\2\2\u0275\u0273\3\2\2\2\u0275")
        buf.write("\u0276\3\2\2\2\u0276\u027a\3\2\2\2\u0277\u0275\3\2\2\2")
        buf.write("\u0278\u027a\5J&\2\u0279\u026f\3\2\2\2\u0279\u0278\3\2")
        buf.write("\2\2\u027a\u027b\3\2\2\2\u027b\u027c\7B\2\2\u027c\u027d")
        buf.write("\5T+\2\u027d{\3\2\2\2\u027e\u0280\5~@\2\u027f\u027e\3")
        buf.write("\2\2\2\u027f\u0280\3\2\2\2\u0280\u0281\3\2\2\2\u0281\u0282")
        buf.write("\5\u0090I\2\u0282}\3\2\2\2\u0283\u0284\7R\2\2\u0284\177")
        buf.write("\3\2\2\2\u0285\u0286\7\32\2\2\u0286\u0287\7;\2\2\u0287")
        buf.write("\u0288\5,\27\2\u0288\u0289\7,\2\2\u0289\u028a\5\u0090")
        buf.write("I\2\u028a\u028b\7<\2\2\u028b\u028c\5T+\2\u028c\u0081\3")
        buf.write("\2\2\2\u028d\u028e\7\33\2\2\u028e\u0290\5,\27\2\u028f")
        buf.write("\u0291\5\u00b2Z\2\u0290\u028f\3\2\2\2\u0290\u0291\3\2")
        buf.write("\2\2\u0291\u0292\3\2\2\2\u0292\u0293\7?\2\2\u0293\u0083")
        buf.write("\3\2\2\2\u0294\u0295\7\34\2\2\u0295\u02a0\79\2\2\u0296")
        buf.write("\u029d\5\u0086D\2\u0297\u0299\7@\2\2\u0298\u029a\5\u0086")
        buf.write("D\2\u0299\u0298\3\2\2\2\u0299\u029a\3\2\2\2\u029a\u029c")
        buf.write("\3\2\2\2\u029b\u0297\3\2\2\2\u029c\u029f\3\2\2\2\u029d")
        buf.write("\u029b\3\2\2\2\u029d\u029e\3\2\2\2\u029e\u02a1\3\2\2\2")
        buf.write("\u029f\u029d\3\2\2\2\u02a0\u0296\3\2\2\2\u02a0\u02a1\3")
        buf.write("\2\2\2\u02a1\u02a2\3\2\2\2\u02a2\u02a3\7:\2\2\u02a3\u02a4")
        buf.write("\7?\2\2\u02a4\u0085\3\2\2\2\u02a5\u02a6\5\u00aeX\2\u02a6")
        buf.write("\u02a7\7G\2\2\u02a7\u02a8\5\u0090I\2\u02a8\u0087\3\2\2")
        buf.write("\2\u02a9\u02aa\7\35\2\2\u02aa\u02ab\5\u00b2Z\2\u02ab\u02ac")
        buf.write("\7?\2\2\u02ac\u0089\3\2\2\2\u02ad\u02ae\7\36\2\2\u02ae")
        buf.write("\u02af\7?\2\2\u02af\u008b\3\2\2\2\u02b0\u02b1\7\37\2\2")
        buf.write("\u02b1\u02b2\5\u00ba^\2\u02b2\u02b3\79\2\2\u02b3\u02b4")
        buf.write("\5\u0090I\2\u02b4\u02b5\7:\2\2\u02b5\u008d\3\2\2\2\u02b6")
        buf.write("\u02b7\5R*\2\u02b7\u02b8\5V,\2\u02b8\u008f\3\2\2\2\u02b9")
        buf.write("\u02be\5\u0092J\2\u02ba\u02bb\7W\2\2\u02bb\u02bd\5\u0092")
        buf.write("J\2\u02bc\u02ba\3\2\2\2\u02bd\u02c0\3\2\2\2\u02be\u02bc")
        buf.write("\3\2\2\2\u02be\u02bf\3\2\2\2\u02bf\u0091\3\2\2\2\u02c0")
        buf.write("\u02be\3\2\2\2\u02c1\u02c6\5\u0094K\2\u02c2\u02c3\7V\2")
        buf.write("\2\u02c3\u02c5\5\u0094K\2\u02c4\u02c2\3\2\2\2\u02c5\u02c8")
        buf.write("\3\2\2\2\u02c6\u02c4\3\2\2\2\u02c6\u02c7\3\2\2\2\u02c7")
        buf.write("\u0093\3\2\2\2\u02c8\u02c6\3\2\2\2\u02c9\u02cb\5 \21\2")
        buf.write("\u02ca\u02c9\3\2\2\2\u02cb\u02ce\3\2\2\2\u02cc\u02ca\3")
        buf.write("\2\2\2\u02cc\u02cd\3\2\2\2\u02cd\u02cf\3\2\2\2\u02ce\u02cc")
        buf.write("\3\2\2\2\u02cf\u02d0\5\u0096L\2\u02d0\u0095\3\2\2\2\u02d1")
        buf.write("\u02da\5\u009eP\2\u02d2\u02d3\5\u0098M\2\u02d3\u02d5\5")
        buf.write("\u009eP\2\u02d4\u02d6\5\u009aN\2\u02d5\u02d4\3\2\2\2\u02d5")
        buf.write("\u02d6\3\2\2\2\u02d6\u02d9\3\2\2\2\u02d7\u02d9\5\u009c")
        buf.write("O\2\u02d8\u02d2\3\2\2\2\u02d8\u02d7\3\2\2\2\u02d9\u02dc")
        buf.write("\3\2\2\2\u02da\u02d8\3\2\2\2\u02da\u02db\3\2\2\2\u02db")
        buf.write("\u0097\3\2\2\2\u02dc\u02da\3\2\2\2\u02dd\u02de\t\5\2\2")
        buf.write("\u02de\u0099\3\2\2\2\u02df\u02e0\7$\2\2\u02e0\u02e1\5")
        buf.write(",\27\2\u02e1\u009b\3\2\2\2\u02e2\u02e3\7\60\2\2\u02e3")
        buf.write("\u02e4\5\u00aeX\2\u02e4\u009d\3\2\2\2\u02e5\u02e7\5\u00a4")
        buf.write("S\2\u02e6\u02e5\3\2\2\2\u02e6\u02e7\3\2\2\2\u02e7\u02e8")
        buf.write("\3\2\2\2\u02e8\u02f1\5\u00a0Q\2\u02e9\u02eb\5\u00a2R\2")
        buf.write("\u02ea\u02ec\5\u00a4S\2\u02eb\u02ea\3\2\2\2\u02eb\u02ec")
        buf.write("\3\2\2\2\u02ec\u02ed\3\2\2\2\u02ed\u02ee\5\u00a0Q\2\u02ee")
        buf.write("\u02f0\3\2\2\2\u02ef\u02e9\3\2\2\2\u02f0\u02f3\3\2\2\2")
        buf.write("\u02f1\u02ef\3\2\2\2\u02f1\u02f2\3\2\2\2\u02f2\u009f\3")
        buf.write("\2\2\2\u02f3\u02f1\3\2\2\2\u02f4\u02fc\5\u00a6T\2\u02f5")
        buf.write("\u02f7\7U\2\2\u02f6\u02f8\5\u00a4S\2\u02f7\u02f6\3\2\2")
        buf.write("\2\u02f7\u02f8\3\2\2\2\u02f8\u02f9\3\2\2\2\u02f9\u02fb")
        buf.write("\5\u00a6T\2\u02fa\u02f5\3\2\2\2\u02fb\u02fe\3\2\2\2\u02fc")
        buf.write("\u02fa\3\2\2\2\u02fc\u02fd\3\2\2\2\u02fd\u00a1\3\2\2\2")
        buf.write("\u02fe\u02fc\3\2\2\2\u02ff\u0300\t\6\2\2\u0300\u00a3\3")
        buf.write("\2\2\2\u0301\u0302\7Y\2\2\u0302\u00a5\3\2\2\2\u0303\u030e")
        buf.write("\5\u00b6\\\2\u0304\u0307\5\u00b2Z\2\u0305\u0307\5\u00aa")
        buf.write("V\2\u0306\u0304\3\2\2\2\u0306\u0305\3\2\2\2\u0307\u030b")
        buf.write("\3\2\2\2\u0308\u030a\5\u00a8U\2\u0309\u0308\3\2\2\2\u030a")
        buf.write("\u030d\3\2\2\2\u030b\u0309\3\2\2\2\u030b\u030c\3\2\2\2")
        buf.write("\u030c\u030f\3\2\2\2\u030d\u030b\3\2\2\2\u030e\u0306\3")
        buf.write("\2\2\2\u030e\u030f\3\2\2\2\u030f\u031e\3\2\2\2\u0310\u0315")
        buf.write("\5\u00ba^\2\u0311\u0315\5\u00b8]\2\u0312\u0315\5\u00bc")
        buf.write("_\2\u0313\u0315\5\u00b0Y\2\u0314\u0310\3\2\2\2\u0314\u0311")
        buf.write("\3\2\2\2\u0314\u0312\3\2\2\2\u0314\u0313\3\2\2\2\u0315")
        buf.write("\u0319\3\2\2\2\u0316\u0318\5\u00a8U\2\u0317\u0316\3\2")
        buf.write("\2\2\u0318\u031b\3\2\2\2\u0319\u0317\3\2\2\2\u0319\u031a")
        buf.write("\3\2\2\2\u031a\u031e\3\2\2\2\u031b\u0319\3\2\2\2\u031c")
        buf.write("\u031e\5\u00acW\2\u031d\u0303\3\2\2\2\u031d\u0314\3\2")
        buf.write("\2\2\u031d\u031c\3\2\2\2\u031e\u00a7\3\2\2\2\u031f\u0320")
        buf.write("\7A\2\2\u0320\u0322\5\u00aeX\2\u0321\u0323\5\u00b2Z\2")
        buf.write("\u0322\u0321\3\2\2\2\u0322\u0323\3\2\2\2\u0323\u0326\3")
        buf.write("\2\2\2\u0324\u0326\5\u00aaV\2\u0325\u031f\3\2\2\2\u0325")
        buf.write("\u0324\3\2\2\2\u0326\u00a9\3\2\2\2\u0327\u0328\7=\2\2")
        buf.write("\u0328\u0329\5\u0090I\2\u0329\u032a\7>\2\2\u032a\u00ab")
        buf.write("\3\2\2\2\u032b\u0336\7=\2\2\u032c\u0333\5\u0090I\2\u032d")
        buf.write("\u032f\7@\2\2\u032e\u0330\5\u0090I\2\u032f\u032e\3\2\2")
        buf.write("\2\u032f\u0330\3\2\2\2\u0330\u0332\3\2\2\2\u0331\u032d")
        buf.write("\3\2\2\2\u0332\u0335\3\2\2\2\u0333\u0331\3\2\2\2\u0333")
        buf.write("\u0334\3\2\2\2\u0334\u0337\3\2\2\2\u0335\u0333\3\2\2\2")
        buf.write("\u0336\u032c\3\2\2\2\u0336\u0337\3\2\2\2\u0337\u0338\3")
        buf.write("\2\2\2\u0338\u0339\7>\2\2\u0339\u00ad\3\2\2\2\u033a\u033b")
        buf.write("\7\61\2\2\u033b\u00af\3\2\2\2\u033c\u033d\7;\2\2\u033d")
        buf.write("\u033e\5\u0090I\2\u033e\u033f\7<\2\2\u033f\u00b1\3\2\2")
        buf.write("\2\u0340\u034b\7;\2\2\u0341\u0348\5\u00b4[\2\u0342\u0344")
        buf.write("\7@\2\2\u0343\u0345\5\u00b4[\2\u0344\u0343\3\2\2\2\u0344")
        buf.write("\u0345\3\2\2\2\u0345\u0347\3\2\2\2\u0346\u0342\3\2\2\2")
        buf.write("\u0347\u034a\3\2\2\2\u0348\u0346\3\2\2\2\u0348\u0349\3")
        buf.write("\2\2\2\u0349\u034c\3\2\2\2\u034a\u0348\3\2\2\2\u034b\u0341")
        buf.write("\3\2\2\2\u034b\u034c\3\2\2\2\u034c\u034d\3\2\2\2\u034d")
        buf.write("\u034e\7<\2\2\u034e\u00b3\3\2\2\2\u034f\u0352\5\u0090")
        buf.write("I\2\u0350\u0351\7G\2\2\u0351\u0353\5\u0090I\2\u0352\u0350")
        buf.write("\3\2\2\2\u0352\u0353\3\2\2\2\u0353\u00b5\3\2\2\2\u0354")
        buf.write("\u0359\7\61\2\2\u0355\u0356\7A\2\2\u0356\u0358\t\7\2\2")
        buf.write("\u0357\u0355\3\2\2\2\u0358\u035b\3\2\2\2\u0359\u0357\3")
        buf.write("\2\2\2\u0359\u035a\3\2\2\2\u035a\u00b7\3\2\2\2\u035b\u0359")
        buf.write("\3\2\2\2\u035c\u035e\7\62\2\2\u035d\u035f\7\61\2\2\u035e")
        buf.write("\u035d\3\2\2\2\u035e\u035f\3\2\2\2\u035f\u00b9\3\2\2\2")
        buf.write("\u0360\u0361\t\b\2\2\u0361\u00bb\3\2\2\2\u0362\u0363\7")
        buf.write("\67\2\2\u0363\u00bd\3\2\2\2Q\u00c1\u00d4\u00e0\u00ec\u00f9")
        buf.write("\u00fe\u0107\u0110\u0119\u011d\u0123\u012b\u0134\u013d")
        buf.write("\u0149\u014d\u0153\u0160\u016b\u017a\u017d\u0192\u0194")
        buf.write("\u01a5\u01a9\u01ac\u01b2\u01ba\u01c7\u01cc\u01d5\u01e1")
        buf.write("\u01e7\u01ff\u0216\u021c\u022a\u0233\u023f\u0241\u0247")
        buf.write("\u024e\u0252\u026a\u0275\u0279\u027f\u0290\u0299\u029d")
        buf.write("\u02a0\u02be\u02c6\u02cc\u02d5\u02d8\u02da\u02e6\u02eb")
        buf.write("\u02f1\u02f7\u02fc\u0306\u030b\u030e\u0314\u0319\u031d")
        buf.write("\u0322\u0325\u032f\u0333\u0336\u0344\u0348\u034b\u0352")
        buf.write("\u0359\u035e")
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
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "<INVALID>", "<INVALID>", "'{'", "'}'",
                     "'('", "')'", "'['", "']'", "';'", "','", "'.'", "':'",
                     "'?'", "'@'", "'->'", "'=>'", "'='", "'+='", "'-='",
                     "'*='", "'/='", "'=='", "'!='", "'<'", "'<='", "'>'",
                     "'>='", "'~'", "'!~'", "'!'", "'??'", "'&&'", "'||'",
                     "'+'", "'-'", "'*'", "'/'", "'%'", "'++'", "'--'" ]

    symbolicNames = [ "<INVALID>", "VCL", "BACKEND", "PROBE", "ACL", "SUB",
                      "IMPORT", "SET", "UNSET", "CALL", "RETURN", "IF",
                      "NEW", "PROCEDURE", "TEXT_SET", "CONST", "PARAM",
                      "FN", "TABLE", "COUNTER", "BUDGET", "LET", "SWITCH",
                      "CASE", "FOR", "COUNT", "LOG", "ALLOW", "BUILTIN",
                      "INVARIANT", "GIVE", "ELSE", "ELSEIF", "FROM", "AS",
                      "NONE", "INCLUDE", "TEST", "MUT", "BY", "COLUMNS",
                      "DEFAULT", "IN", "STARTS", "ENDS", "CONTAINS", "IS",
                      "IDENTIFIER", "NUMBER", "STRING", "UNCLOSED_STRING",
                      "LONG_STRING", "TRIPLE_STRING", "BLOB", "INLINE_C",
                      "LBRACE", "RBRACE", "LPAREN", "RPAREN", "LBRACKET",
                      "RBRACKET", "SEMI", "COMMA", "DOT", "COLON", "QUESTION",
                      "AT", "ARROW", "MAPS_TO", "ASSIGN", "ADD_ASSIGN",
                      "SUB_ASSIGN", "MUL_ASSIGN", "DIV_ASSIGN", "EQ", "NE",
                      "LT", "LE", "GT", "GE", "MATCH", "NO_MATCH", "NOT",
                      "COALESCE", "AND", "OR", "PLUS", "MINUS", "STAR",
                      "SLASH", "PERCENT", "DOUBLE_PLUS", "DOUBLE_MINUS",
                      "LINE_COMMENT", "BLOCK_COMMENT", "SPACE", "UNKNOWN" ]

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
    RULE_constant = 23
    RULE_typed = 24
    RULE_typeName = 25
    RULE_function = 26
    RULE_parameters = 27
    RULE_parameter = 28
    RULE_textSet = 29
    RULE_tableDeclaration = 30
    RULE_tableKind = 31
    RULE_columns = 32
    RULE_rows = 33
    RULE_row = 34
    RULE_rowKey = 35
    RULE_defaultWord = 36
    RULE_counter = 37
    RULE_budget = 38
    RULE_budgetEntry = 39
    RULE_annotation = 40
    RULE_block = 41
    RULE_statement = 42
    RULE_setStatement = 43
    RULE_assignment = 44
    RULE_unsetStatement = 45
    RULE_callStatement = 46
    RULE_returnStatement = 47
    RULE_action = 48
    RULE_newStatement = 49
    RULE_functionStatement = 50
    RULE_ifStatement = 51
    RULE_ifArm = 52
    RULE_elseArm = 53
    RULE_condition = 54
    RULE_letStatement = 55
    RULE_mut = 56
    RULE_binding = 57
    RULE_giveStatement = 58
    RULE_switchStatement = 59
    RULE_switchCase = 60
    RULE_caseLabel = 61
    RULE_matching = 62
    RULE_forStatement = 63
    RULE_countStatement = 64
    RULE_logStatement = 65
    RULE_logPair = 66
    RULE_allowStatement = 67
    RULE_builtinStatement = 68
    RULE_invariant = 69
    RULE_labelled = 70
    RULE_expression = 71
    RULE_conjunction = 72
    RULE_negation = 73
    RULE_comparison = 74
    RULE_comparator = 75
    RULE_capture = 76
    RULE_presence = 77
    RULE_arithmetic = 78
    RULE_coalesce = 79
    RULE_arithmeticOp = 80
    RULE_minus = 81
    RULE_postfix = 82
    RULE_member = 83
    RULE_subscript = 84
    RULE_listLiteral = 85
    RULE_memberName = 86
    RULE_parenthesised = 87
    RULE_arguments = 88
    RULE_argument = 89
    RULE_name = 90
    RULE_number = 91
    RULE_string = 92
    RULE_blob = 93

    ruleNames =  [ "program", "declaration", "version", "backend", "none",
                   "probe", "properties", "field", "fieldName", "acl", "aclEntries",
                   "aclFlag", "aclEntry", "optionalAddress", "aclAddress",
                   "negated", "maskBits", "subroutine", "testCase", "importModule",
                   "importAlias", "declaredName", "inlineC", "constant",
                   "typed", "typeName", "function", "parameters", "parameter",
                   "textSet", "tableDeclaration", "tableKind", "columns",
                   "rows", "row", "rowKey", "defaultWord", "counter", "budget",
                   "budgetEntry", "annotation", "block", "statement", "setStatement",
                   "assignment", "unsetStatement", "callStatement", "returnStatement",
                   "action", "newStatement", "functionStatement", "ifStatement",
                   "ifArm", "elseArm", "condition", "letStatement", "mut",
                   "binding", "giveStatement", "switchStatement", "switchCase",
                   "caseLabel", "matching", "forStatement", "countStatement",
                   "logStatement", "logPair", "allowStatement", "builtinStatement",
                   "invariant", "labelled", "expression", "conjunction",
                   "negation", "comparison", "comparator", "capture", "presence",
                   "arithmetic", "coalesce", "arithmeticOp", "minus", "postfix",
                   "member", "subscript", "listLiteral", "memberName", "parenthesised",
                   "arguments", "argument", "name", "number", "string",
                   "blob" ]

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
    PROCEDURE=13
    TEXT_SET=14
    CONST=15
    PARAM=16
    FN=17
    TABLE=18
    COUNTER=19
    BUDGET=20
    LET=21
    SWITCH=22
    CASE=23
    FOR=24
    COUNT=25
    LOG=26
    ALLOW=27
    BUILTIN=28
    INVARIANT=29
    GIVE=30
    ELSE=31
    ELSEIF=32
    FROM=33
    AS=34
    NONE=35
    INCLUDE=36
    TEST=37
    MUT=38
    BY=39
    COLUMNS=40
    DEFAULT=41
    IN=42
    STARTS=43
    ENDS=44
    CONTAINS=45
    IS=46
    IDENTIFIER=47
    NUMBER=48
    STRING=49
    UNCLOSED_STRING=50
    LONG_STRING=51
    TRIPLE_STRING=52
    BLOB=53
    INLINE_C=54
    LBRACE=55
    RBRACE=56
    LPAREN=57
    RPAREN=58
    LBRACKET=59
    RBRACKET=60
    SEMI=61
    COMMA=62
    DOT=63
    COLON=64
    QUESTION=65
    AT=66
    ARROW=67
    MAPS_TO=68
    ASSIGN=69
    ADD_ASSIGN=70
    SUB_ASSIGN=71
    MUL_ASSIGN=72
    DIV_ASSIGN=73
    EQ=74
    NE=75
    LT=76
    LE=77
    GT=78
    GE=79
    MATCH=80
    NO_MATCH=81
    NOT=82
    COALESCE=83
    AND=84
    OR=85
    PLUS=86
    MINUS=87
    STAR=88
    SLASH=89
    PERCENT=90
    DOUBLE_PLUS=91
    DOUBLE_MINUS=92
    LINE_COMMENT=93
    BLOCK_COMMENT=94
    SPACE=95
    UNKNOWN=96

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
            self.state = 191
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.VCL) | (1 << VclParser.BACKEND) | (1 << VclParser.PROBE) | (1 << VclParser.ACL) | (1 << VclParser.SUB) | (1 << VclParser.IMPORT) | (1 << VclParser.PROCEDURE) | (1 << VclParser.TEXT_SET) | (1 << VclParser.CONST) | (1 << VclParser.PARAM) | (1 << VclParser.FN) | (1 << VclParser.TABLE) | (1 << VclParser.COUNTER) | (1 << VclParser.BUDGET) | (1 << VclParser.TEST) | (1 << VclParser.INLINE_C))) != 0) or _la==VclParser.AT:
                self.state = 188
                self.declaration()
                self.state = 193
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 194
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


        def constant(self):
            return self.getTypedRuleContext(VclParser.ConstantContext,0)


        def function(self):
            return self.getTypedRuleContext(VclParser.FunctionContext,0)


        def textSet(self):
            return self.getTypedRuleContext(VclParser.TextSetContext,0)


        def tableDeclaration(self):
            return self.getTypedRuleContext(VclParser.TableDeclarationContext,0)


        def counter(self):
            return self.getTypedRuleContext(VclParser.CounterContext,0)


        def budget(self):
            return self.getTypedRuleContext(VclParser.BudgetContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_declaration




    def declaration(self):

        localctx = VclParser.DeclarationContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_declaration)
        try:
            self.state = 210
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.VCL]:
                self.enterOuterAlt(localctx, 1)
                self.state = 196
                self.version()
                pass
            elif token in [VclParser.BACKEND]:
                self.enterOuterAlt(localctx, 2)
                self.state = 197
                self.backend()
                pass
            elif token in [VclParser.PROBE]:
                self.enterOuterAlt(localctx, 3)
                self.state = 198
                self.probe()
                pass
            elif token in [VclParser.ACL]:
                self.enterOuterAlt(localctx, 4)
                self.state = 199
                self.acl()
                pass
            elif token in [VclParser.SUB, VclParser.PROCEDURE, VclParser.AT]:
                self.enterOuterAlt(localctx, 5)
                self.state = 200
                self.subroutine()
                pass
            elif token in [VclParser.IMPORT]:
                self.enterOuterAlt(localctx, 6)
                self.state = 201
                self.importModule()
                pass
            elif token in [VclParser.INLINE_C]:
                self.enterOuterAlt(localctx, 7)
                self.state = 202
                self.inlineC()
                pass
            elif token in [VclParser.TEST]:
                self.enterOuterAlt(localctx, 8)
                self.state = 203
                self.testCase()
                pass
            elif token in [VclParser.CONST, VclParser.PARAM]:
                self.enterOuterAlt(localctx, 9)
                self.state = 204
                self.constant()
                pass
            elif token in [VclParser.FN]:
                self.enterOuterAlt(localctx, 10)
                self.state = 205
                self.function()
                pass
            elif token in [VclParser.TEXT_SET]:
                self.enterOuterAlt(localctx, 11)
                self.state = 206
                self.textSet()
                pass
            elif token in [VclParser.TABLE]:
                self.enterOuterAlt(localctx, 12)
                self.state = 207
                self.tableDeclaration()
                pass
            elif token in [VclParser.COUNTER]:
                self.enterOuterAlt(localctx, 13)
                self.state = 208
                self.counter()
                pass
            elif token in [VclParser.BUDGET]:
                self.enterOuterAlt(localctx, 14)
                self.state = 209
                self.budget()
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
            self.state = 212
            self.match(VclParser.VCL)
            self.state = 213
            self.match(VclParser.NUMBER)
            self.state = 214
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
            self.state = 216
            self.match(VclParser.BACKEND)
            self.state = 217
            self.declaredName()
            self.state = 222
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.NONE]:
                self.state = 218
                self.none()
                self.state = 219
                self.match(VclParser.SEMI)
                pass
            elif token in [VclParser.LBRACE]:
                self.state = 221
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
            self.state = 224
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
            self.state = 226
            self.match(VclParser.PROBE)
            self.state = 227
            self.declaredName()
            self.state = 228
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
            self.state = 230
            self.match(VclParser.LBRACE)
            self.state = 234
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 231
                self.field()
                self.state = 236
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 237
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
            self.state = 239
            self.match(VclParser.DOT)
            self.state = 240
            self.fieldName()
            self.state = 241
            self.match(VclParser.ASSIGN)
            self.state = 252
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LBRACE]:
                self.state = 242
                self.properties()
                pass
            elif token in [VclParser.IDENTIFIER, VclParser.NUMBER, VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING, VclParser.BLOB, VclParser.LPAREN, VclParser.LBRACKET, VclParser.NOT, VclParser.MINUS]:
                self.state = 243
                self.expression()
                self.state = 247
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                    self.state = 244
                    self.string()
                    self.state = 249
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 250
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
            self.state = 254
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
            self.state = 256
            self.match(VclParser.ACL)
            self.state = 257
            self.declaredName()
            self.state = 261
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.PLUS or _la==VclParser.MINUS:
                self.state = 258
                self.aclFlag()
                self.state = 263
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 264
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
            self.state = 266
            self.match(VclParser.LBRACE)
            self.state = 270
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 49)) & ~0x3f) == 0 and ((1 << (_la - 49)) & ((1 << (VclParser.STRING - 49)) | (1 << (VclParser.LONG_STRING - 49)) | (1 << (VclParser.TRIPLE_STRING - 49)) | (1 << (VclParser.LPAREN - 49)) | (1 << (VclParser.NOT - 49)))) != 0):
                self.state = 267
                self.aclEntry()
                self.state = 272
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 273
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
            self.state = 275
            _la = self._input.LA(1)
            if not(_la==VclParser.PLUS or _la==VclParser.MINUS):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
            self.state = 276
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
            self.state = 279
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.NOT:
                self.state = 278
                self.negated()


            self.state = 283
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LPAREN]:
                self.state = 281
                self.optionalAddress()
                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 282
                self.aclAddress()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 285
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
            self.state = 287
            self.match(VclParser.LPAREN)
            self.state = 289
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.NOT:
                self.state = 288
                self.negated()


            self.state = 291
            self.aclAddress()
            self.state = 292
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
            self.state = 294
            self.string()
            self.state = 297
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.SLASH:
                self.state = 295
                self.match(VclParser.SLASH)
                self.state = 296
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
            self.state = 299
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
            self.state = 301
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

        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def SUB(self):
            return self.getToken(VclParser.SUB, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def PROCEDURE(self):
            return self.getToken(VclParser.PROCEDURE, 0)

        def parameters(self):
            return self.getTypedRuleContext(VclParser.ParametersContext,0)


        def annotation(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.AnnotationContext)
            else:
                return self.getTypedRuleContext(VclParser.AnnotationContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_subroutine




    def subroutine(self):

        localctx = VclParser.SubroutineContext(self, self._ctx, self.state)
        self.enterRule(localctx, 34, self.RULE_subroutine)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 306
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.AT:
                self.state = 303
                self.annotation()
                self.state = 308
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 315
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.SUB]:
                self.state = 309
                self.match(VclParser.SUB)
                self.state = 310
                self.declaredName()
                pass
            elif token in [VclParser.PROCEDURE]:
                self.state = 311
                self.match(VclParser.PROCEDURE)
                self.state = 312
                self.declaredName()
                self.state = 313
                self.parameters()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 317
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
            self.state = 319
            self.match(VclParser.TEST)
            self.state = 320
            self.string()
            self.state = 321
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

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def string(self):
            return self.getTypedRuleContext(VclParser.StringContext,0)


        def AS(self):
            return self.getToken(VclParser.AS, 0)

        def importAlias(self):
            return self.getTypedRuleContext(VclParser.ImportAliasContext,0)


        def FROM(self):
            return self.getToken(VclParser.FROM, 0)

        def getRuleIndex(self):
            return VclParser.RULE_importModule




    def importModule(self):

        localctx = VclParser.ImportModuleContext(self, self._ctx, self.state)
        self.enterRule(localctx, 38, self.RULE_importModule)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 323
            self.match(VclParser.IMPORT)
            self.state = 337
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.IDENTIFIER]:
                self.state = 324
                self.declaredName()
                self.state = 327
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.AS:
                    self.state = 325
                    self.match(VclParser.AS)
                    self.state = 326
                    self.importAlias()


                self.state = 331
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.FROM:
                    self.state = 329
                    self.match(VclParser.FROM)
                    self.state = 330
                    self.string()


                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 333
                self.string()
                self.state = 334
                self.match(VclParser.AS)
                self.state = 335
                self.importAlias()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 339
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
            self.state = 341
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
            self.state = 343
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
            self.state = 345
            self.match(VclParser.INLINE_C)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ConstantContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def ASSIGN(self):
            return self.getToken(VclParser.ASSIGN, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def CONST(self):
            return self.getToken(VclParser.CONST, 0)

        def PARAM(self):
            return self.getToken(VclParser.PARAM, 0)

        def typed(self):
            return self.getTypedRuleContext(VclParser.TypedContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_constant




    def constant(self):

        localctx = VclParser.ConstantContext(self, self._ctx, self.state)
        self.enterRule(localctx, 46, self.RULE_constant)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 347
            _la = self._input.LA(1)
            if not(_la==VclParser.CONST or _la==VclParser.PARAM):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
            self.state = 348
            self.declaredName()
            self.state = 350
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.COLON:
                self.state = 349
                self.typed()


            self.state = 352
            self.match(VclParser.ASSIGN)
            self.state = 353
            self.expression()
            self.state = 354
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TypedContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def COLON(self):
            return self.getToken(VclParser.COLON, 0)

        def typeName(self):
            return self.getTypedRuleContext(VclParser.TypeNameContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_typed




    def typed(self):

        localctx = VclParser.TypedContext(self, self._ctx, self.state)
        self.enterRule(localctx, 48, self.RULE_typed)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 356
            self.match(VclParser.COLON)
            self.state = 357
            self.typeName()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TypeNameContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def QUESTION(self):
            return self.getToken(VclParser.QUESTION, 0)

        def getRuleIndex(self):
            return VclParser.RULE_typeName




    def typeName(self):

        localctx = VclParser.TypeNameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 50, self.RULE_typeName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 359
            self.match(VclParser.IDENTIFIER)
            self.state = 361
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.QUESTION:
                self.state = 360
                self.match(VclParser.QUESTION)


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class FunctionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def FN(self):
            return self.getToken(VclParser.FN, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def parameters(self):
            return self.getTypedRuleContext(VclParser.ParametersContext,0)


        def ARROW(self):
            return self.getToken(VclParser.ARROW, 0)

        def typeName(self):
            return self.getTypedRuleContext(VclParser.TypeNameContext,0)


        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_function




    def function(self):

        localctx = VclParser.FunctionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 52, self.RULE_function)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 363
            self.match(VclParser.FN)
            self.state = 364
            self.declaredName()
            self.state = 365
            self.parameters()
            self.state = 366
            self.match(VclParser.ARROW)
            self.state = 367
            self.typeName()
            self.state = 368
            self.block()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ParametersContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def parameter(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ParameterContext)
            else:
                return self.getTypedRuleContext(VclParser.ParameterContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.COMMA)
            else:
                return self.getToken(VclParser.COMMA, i)

        def getRuleIndex(self):
            return VclParser.RULE_parameters




    def parameters(self):

        localctx = VclParser.ParametersContext(self, self._ctx, self.state)
        self.enterRule(localctx, 54, self.RULE_parameters)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 370
            self.match(VclParser.LPAREN)
            self.state = 379
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 371
                self.parameter()
                self.state = 376
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 372
                    self.match(VclParser.COMMA)
                    self.state = 373
                    self.parameter()
                    self.state = 378
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 381
            self.match(VclParser.RPAREN)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ParameterContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def typed(self):
            return self.getTypedRuleContext(VclParser.TypedContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_parameter




    def parameter(self):

        localctx = VclParser.ParameterContext(self, self._ctx, self.state)
        self.enterRule(localctx, 56, self.RULE_parameter)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 383
            self.declaredName()
            self.state = 384
            self.typed()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TextSetContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def TEXT_SET(self):
            return self.getToken(VclParser.TEXT_SET, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def listLiteral(self):
            return self.getTypedRuleContext(VclParser.ListLiteralContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_textSet




    def textSet(self):

        localctx = VclParser.TextSetContext(self, self._ctx, self.state)
        self.enterRule(localctx, 58, self.RULE_textSet)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 386
            self.match(VclParser.TEXT_SET)
            self.state = 387
            self.declaredName()
            self.state = 388
            self.listLiteral()
            self.state = 389
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TableDeclarationContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def TABLE(self):
            return self.getToken(VclParser.TABLE, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def typed(self):
            return self.getTypedRuleContext(VclParser.TypedContext,0)


        def BY(self):
            return self.getToken(VclParser.BY, 0)

        def tableKind(self):
            return self.getTypedRuleContext(VclParser.TableKindContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def rows(self):
            return self.getTypedRuleContext(VclParser.RowsContext,0)


        def FROM(self):
            return self.getToken(VclParser.FROM, 0)

        def string(self):
            return self.getTypedRuleContext(VclParser.StringContext,0)


        def columns(self):
            return self.getTypedRuleContext(VclParser.ColumnsContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_tableDeclaration




    def tableDeclaration(self):

        localctx = VclParser.TableDeclarationContext(self, self._ctx, self.state)
        self.enterRule(localctx, 60, self.RULE_tableDeclaration)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 391
            self.match(VclParser.TABLE)
            self.state = 392
            self.declaredName()
            self.state = 393
            self.typed()
            self.state = 394
            self.match(VclParser.BY)
            self.state = 395
            self.tableKind()
            self.state = 402
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LBRACKET]:
                self.state = 396
                self.rows()
                pass
            elif token in [VclParser.FROM]:
                self.state = 397
                self.match(VclParser.FROM)
                self.state = 398
                self.string()
                self.state = 400
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.COLUMNS:
                    self.state = 399
                    self.columns()


                pass
            else:
                raise NoViableAltException(self)

            self.state = 404
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TableKindContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def getRuleIndex(self):
            return VclParser.RULE_tableKind




    def tableKind(self):

        localctx = VclParser.TableKindContext(self, self._ctx, self.state)
        self.enterRule(localctx, 62, self.RULE_tableKind)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 406
            self.match(VclParser.IDENTIFIER)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ColumnsContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def COLUMNS(self):
            return self.getToken(VclParser.COLUMNS, 0)

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def IDENTIFIER(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.IDENTIFIER)
            else:
                return self.getToken(VclParser.IDENTIFIER, i)

        def COMMA(self):
            return self.getToken(VclParser.COMMA, 0)

        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def getRuleIndex(self):
            return VclParser.RULE_columns




    def columns(self):

        localctx = VclParser.ColumnsContext(self, self._ctx, self.state)
        self.enterRule(localctx, 64, self.RULE_columns)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 408
            self.match(VclParser.COLUMNS)
            self.state = 409
            self.match(VclParser.LPAREN)
            self.state = 410
            self.match(VclParser.IDENTIFIER)
            self.state = 411
            self.match(VclParser.COMMA)
            self.state = 412
            self.match(VclParser.IDENTIFIER)
            self.state = 413
            self.match(VclParser.RPAREN)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class RowsContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LBRACKET(self):
            return self.getToken(VclParser.LBRACKET, 0)

        def RBRACKET(self):
            return self.getToken(VclParser.RBRACKET, 0)

        def row(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.RowContext)
            else:
                return self.getTypedRuleContext(VclParser.RowContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.COMMA)
            else:
                return self.getToken(VclParser.COMMA, i)

        def getRuleIndex(self):
            return VclParser.RULE_rows




    def rows(self):

        localctx = VclParser.RowsContext(self, self._ctx, self.state)
        self.enterRule(localctx, 66, self.RULE_rows)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 415
            self.match(VclParser.LBRACKET)
            self.state = 426
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.DEFAULT) | (1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                self.state = 416
                self.row()
                self.state = 423
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 417
                    self.match(VclParser.COMMA)
                    self.state = 419
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.DEFAULT) | (1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                        self.state = 418
                        self.row()


                    self.state = 425
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 428
            self.match(VclParser.RBRACKET)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class RowContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MAPS_TO(self):
            return self.getToken(VclParser.MAPS_TO, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def defaultWord(self):
            return self.getTypedRuleContext(VclParser.DefaultWordContext,0)


        def rowKey(self):
            return self.getTypedRuleContext(VclParser.RowKeyContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_row




    def row(self):

        localctx = VclParser.RowContext(self, self._ctx, self.state)
        self.enterRule(localctx, 68, self.RULE_row)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 432
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.DEFAULT]:
                self.state = 430
                self.defaultWord()
                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 431
                self.rowKey()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 434
            self.match(VclParser.MAPS_TO)
            self.state = 435
            self.expression()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class RowKeyContext(ParserRuleContext):
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
            return VclParser.RULE_rowKey




    def rowKey(self):

        localctx = VclParser.RowKeyContext(self, self._ctx, self.state)
        self.enterRule(localctx, 70, self.RULE_rowKey)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 437
            self.string()
            self.state = 440
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.SLASH:
                self.state = 438
                self.match(VclParser.SLASH)
                self.state = 439
                self.maskBits()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class DefaultWordContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def DEFAULT(self):
            return self.getToken(VclParser.DEFAULT, 0)

        def getRuleIndex(self):
            return VclParser.RULE_defaultWord




    def defaultWord(self):

        localctx = VclParser.DefaultWordContext(self, self._ctx, self.state)
        self.enterRule(localctx, 72, self.RULE_defaultWord)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 442
            self.match(VclParser.DEFAULT)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CounterContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def COUNTER(self):
            return self.getToken(VclParser.COUNTER, 0)

        def declaredName(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.DeclaredNameContext)
            else:
                return self.getTypedRuleContext(VclParser.DeclaredNameContext,i)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def BY(self):
            return self.getToken(VclParser.BY, 0)

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.COMMA)
            else:
                return self.getToken(VclParser.COMMA, i)

        def getRuleIndex(self):
            return VclParser.RULE_counter




    def counter(self):

        localctx = VclParser.CounterContext(self, self._ctx, self.state)
        self.enterRule(localctx, 74, self.RULE_counter)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 444
            self.match(VclParser.COUNTER)
            self.state = 445
            self.declaredName()
            self.state = 458
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.BY:
                self.state = 446
                self.match(VclParser.BY)
                self.state = 447
                self.match(VclParser.LPAREN)
                self.state = 448
                self.declaredName()
                self.state = 453
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 449
                    self.match(VclParser.COMMA)
                    self.state = 450
                    self.declaredName()
                    self.state = 455
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 456
                self.match(VclParser.RPAREN)


            self.state = 460
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class BudgetContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def BUDGET(self):
            return self.getToken(VclParser.BUDGET, 0)

        def LBRACE(self):
            return self.getToken(VclParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(VclParser.RBRACE, 0)

        def budgetEntry(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.BudgetEntryContext)
            else:
                return self.getTypedRuleContext(VclParser.BudgetEntryContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_budget




    def budget(self):

        localctx = VclParser.BudgetContext(self, self._ctx, self.state)
        self.enterRule(localctx, 76, self.RULE_budget)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 462
            self.match(VclParser.BUDGET)
            self.state = 463
            self.match(VclParser.LBRACE)
            self.state = 467
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.IDENTIFIER:
                self.state = 464
                self.budgetEntry()
                self.state = 469
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 470
            self.match(VclParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class BudgetEntryContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def NUMBER(self):
            return self.getToken(VclParser.NUMBER, 0)

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_budgetEntry




    def budgetEntry(self):

        localctx = VclParser.BudgetEntryContext(self, self._ctx, self.state)
        self.enterRule(localctx, 78, self.RULE_budgetEntry)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 472
            self.match(VclParser.IDENTIFIER)
            self.state = 473
            self.match(VclParser.NUMBER)
            self.state = 474
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AnnotationContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def AT(self):
            return self.getToken(VclParser.AT, 0)

        def IDENTIFIER(self):
            return self.getToken(VclParser.IDENTIFIER, 0)

        def arguments(self):
            return self.getTypedRuleContext(VclParser.ArgumentsContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_annotation




    def annotation(self):

        localctx = VclParser.AnnotationContext(self, self._ctx, self.state)
        self.enterRule(localctx, 80, self.RULE_annotation)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 476
            self.match(VclParser.AT)
            self.state = 477
            self.match(VclParser.IDENTIFIER)
            self.state = 479
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 478
                self.arguments()


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
        self.enterRule(localctx, 82, self.RULE_block)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 481
            self.match(VclParser.LBRACE)
            self.state = 485
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 7)) & ~0x3f) == 0 and ((1 << (_la - 7)) & ((1 << (VclParser.SET - 7)) | (1 << (VclParser.UNSET - 7)) | (1 << (VclParser.CALL - 7)) | (1 << (VclParser.RETURN - 7)) | (1 << (VclParser.IF - 7)) | (1 << (VclParser.NEW - 7)) | (1 << (VclParser.LET - 7)) | (1 << (VclParser.SWITCH - 7)) | (1 << (VclParser.FOR - 7)) | (1 << (VclParser.COUNT - 7)) | (1 << (VclParser.LOG - 7)) | (1 << (VclParser.ALLOW - 7)) | (1 << (VclParser.BUILTIN - 7)) | (1 << (VclParser.INVARIANT - 7)) | (1 << (VclParser.GIVE - 7)) | (1 << (VclParser.IDENTIFIER - 7)) | (1 << (VclParser.INLINE_C - 7)) | (1 << (VclParser.LBRACE - 7)) | (1 << (VclParser.AT - 7)))) != 0):
                self.state = 482
                self.statement()
                self.state = 487
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 488
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


        def letStatement(self):
            return self.getTypedRuleContext(VclParser.LetStatementContext,0)


        def giveStatement(self):
            return self.getTypedRuleContext(VclParser.GiveStatementContext,0)


        def switchStatement(self):
            return self.getTypedRuleContext(VclParser.SwitchStatementContext,0)


        def forStatement(self):
            return self.getTypedRuleContext(VclParser.ForStatementContext,0)


        def countStatement(self):
            return self.getTypedRuleContext(VclParser.CountStatementContext,0)


        def logStatement(self):
            return self.getTypedRuleContext(VclParser.LogStatementContext,0)


        def allowStatement(self):
            return self.getTypedRuleContext(VclParser.AllowStatementContext,0)


        def builtinStatement(self):
            return self.getTypedRuleContext(VclParser.BuiltinStatementContext,0)


        def invariant(self):
            return self.getTypedRuleContext(VclParser.InvariantContext,0)


        def labelled(self):
            return self.getTypedRuleContext(VclParser.LabelledContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_statement




    def statement(self):

        localctx = VclParser.StatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 84, self.RULE_statement)
        try:
            self.state = 509
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.SET]:
                self.enterOuterAlt(localctx, 1)
                self.state = 490
                self.setStatement()
                pass
            elif token in [VclParser.UNSET]:
                self.enterOuterAlt(localctx, 2)
                self.state = 491
                self.unsetStatement()
                pass
            elif token in [VclParser.CALL]:
                self.enterOuterAlt(localctx, 3)
                self.state = 492
                self.callStatement()
                pass
            elif token in [VclParser.RETURN]:
                self.enterOuterAlt(localctx, 4)
                self.state = 493
                self.returnStatement()
                pass
            elif token in [VclParser.IF]:
                self.enterOuterAlt(localctx, 5)
                self.state = 494
                self.ifStatement()
                pass
            elif token in [VclParser.NEW]:
                self.enterOuterAlt(localctx, 6)
                self.state = 495
                self.newStatement()
                pass
            elif token in [VclParser.IDENTIFIER]:
                self.enterOuterAlt(localctx, 7)
                self.state = 496
                self.functionStatement()
                pass
            elif token in [VclParser.LBRACE]:
                self.enterOuterAlt(localctx, 8)
                self.state = 497
                self.block()
                pass
            elif token in [VclParser.INLINE_C]:
                self.enterOuterAlt(localctx, 9)
                self.state = 498
                self.inlineC()
                pass
            elif token in [VclParser.LET]:
                self.enterOuterAlt(localctx, 10)
                self.state = 499
                self.letStatement()
                pass
            elif token in [VclParser.GIVE]:
                self.enterOuterAlt(localctx, 11)
                self.state = 500
                self.giveStatement()
                pass
            elif token in [VclParser.SWITCH]:
                self.enterOuterAlt(localctx, 12)
                self.state = 501
                self.switchStatement()
                pass
            elif token in [VclParser.FOR]:
                self.enterOuterAlt(localctx, 13)
                self.state = 502
                self.forStatement()
                pass
            elif token in [VclParser.COUNT]:
                self.enterOuterAlt(localctx, 14)
                self.state = 503
                self.countStatement()
                pass
            elif token in [VclParser.LOG]:
                self.enterOuterAlt(localctx, 15)
                self.state = 504
                self.logStatement()
                pass
            elif token in [VclParser.ALLOW]:
                self.enterOuterAlt(localctx, 16)
                self.state = 505
                self.allowStatement()
                pass
            elif token in [VclParser.BUILTIN]:
                self.enterOuterAlt(localctx, 17)
                self.state = 506
                self.builtinStatement()
                pass
            elif token in [VclParser.INVARIANT]:
                self.enterOuterAlt(localctx, 18)
                self.state = 507
                self.invariant()
                pass
            elif token in [VclParser.AT]:
                self.enterOuterAlt(localctx, 19)
                self.state = 508
                self.labelled()
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
        self.enterRule(localctx, 86, self.RULE_setStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 511
            self.match(VclParser.SET)
            self.state = 512
            self.name()
            self.state = 513
            self.assignment()
            self.state = 514
            self.expression()
            self.state = 515
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
        self.enterRule(localctx, 88, self.RULE_assignment)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 517
            _la = self._input.LA(1)
            if not(((((_la - 69)) & ~0x3f) == 0 and ((1 << (_la - 69)) & ((1 << (VclParser.ASSIGN - 69)) | (1 << (VclParser.ADD_ASSIGN - 69)) | (1 << (VclParser.SUB_ASSIGN - 69)) | (1 << (VclParser.MUL_ASSIGN - 69)) | (1 << (VclParser.DIV_ASSIGN - 69)))) != 0)):
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
        self.enterRule(localctx, 90, self.RULE_unsetStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 519
            self.match(VclParser.UNSET)
            self.state = 520
            self.name()
            self.state = 521
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
        self.enterRule(localctx, 92, self.RULE_callStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 523
            self.match(VclParser.CALL)
            self.state = 524
            self.postfix()
            self.state = 525
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
        self.enterRule(localctx, 94, self.RULE_returnStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 527
            self.match(VclParser.RETURN)
            self.state = 532
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 528
                self.match(VclParser.LPAREN)
                self.state = 529
                self.action()
                self.state = 530
                self.match(VclParser.RPAREN)


            self.state = 534
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
        self.enterRule(localctx, 96, self.RULE_action)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 536
            self.name()
            self.state = 538
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 537
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
        self.enterRule(localctx, 98, self.RULE_newStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 540
            self.match(VclParser.NEW)
            self.state = 541
            self.declaredName()
            self.state = 542
            self.match(VclParser.ASSIGN)
            self.state = 543
            self.name()
            self.state = 544
            self.arguments()
            self.state = 545
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
        self.enterRule(localctx, 100, self.RULE_functionStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 547
            self.name()
            self.state = 548
            self.arguments()
            self.state = 552
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                self.state = 549
                self.member()
                self.state = 554
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 555
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
        self.enterRule(localctx, 102, self.RULE_ifStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 557
            self.ifArm()
            self.state = 561
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.ELSE or _la==VclParser.ELSEIF:
                self.state = 558
                self.elseArm()
                self.state = 563
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
        self.enterRule(localctx, 104, self.RULE_ifArm)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 564
            self.match(VclParser.IF)
            self.state = 565
            self.condition()
            self.state = 566
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
        self.enterRule(localctx, 106, self.RULE_elseArm)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 575
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.ELSEIF]:
                self.state = 568
                self.match(VclParser.ELSEIF)
                self.state = 569
                self.condition()
                pass
            elif token in [VclParser.ELSE]:
                self.state = 570
                self.match(VclParser.ELSE)
                self.state = 573
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.IF:
                    self.state = 571
                    self.match(VclParser.IF)
                    self.state = 572
                    self.condition()


                pass
            else:
                raise NoViableAltException(self)

            self.state = 577
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

        def binding(self):
            return self.getTypedRuleContext(VclParser.BindingContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_condition




    def condition(self):

        localctx = VclParser.ConditionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 108, self.RULE_condition)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 579
            self.match(VclParser.LPAREN)
            self.state = 581
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LET:
                self.state = 580
                self.binding()


            self.state = 583
            self.expression()
            self.state = 584
            self.match(VclParser.RPAREN)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class LetStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LET(self):
            return self.getToken(VclParser.LET, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def ASSIGN(self):
            return self.getToken(VclParser.ASSIGN, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def mut(self):
            return self.getTypedRuleContext(VclParser.MutContext,0)


        def typed(self):
            return self.getTypedRuleContext(VclParser.TypedContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_letStatement




    def letStatement(self):

        localctx = VclParser.LetStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 110, self.RULE_letStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 586
            self.match(VclParser.LET)
            self.state = 588
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MUT:
                self.state = 587
                self.mut()


            self.state = 590
            self.declaredName()
            self.state = 592
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.COLON:
                self.state = 591
                self.typed()


            self.state = 594
            self.match(VclParser.ASSIGN)
            self.state = 595
            self.expression()
            self.state = 596
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MutContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MUT(self):
            return self.getToken(VclParser.MUT, 0)

        def getRuleIndex(self):
            return VclParser.RULE_mut




    def mut(self):

        localctx = VclParser.MutContext(self, self._ctx, self.state)
        self.enterRule(localctx, 112, self.RULE_mut)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 598
            self.match(VclParser.MUT)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class BindingContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LET(self):
            return self.getToken(VclParser.LET, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def ASSIGN(self):
            return self.getToken(VclParser.ASSIGN, 0)

        def getRuleIndex(self):
            return VclParser.RULE_binding




    def binding(self):

        localctx = VclParser.BindingContext(self, self._ctx, self.state)
        self.enterRule(localctx, 114, self.RULE_binding)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 600
            self.match(VclParser.LET)
            self.state = 601
            self.declaredName()
            self.state = 602
            self.match(VclParser.ASSIGN)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class GiveStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def GIVE(self):
            return self.getToken(VclParser.GIVE, 0)

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_giveStatement




    def giveStatement(self):

        localctx = VclParser.GiveStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 116, self.RULE_giveStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 604
            self.match(VclParser.GIVE)
            self.state = 605
            self.match(VclParser.LPAREN)
            self.state = 606
            self.expression()
            self.state = 607
            self.match(VclParser.RPAREN)
            self.state = 608
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SwitchStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def SWITCH(self):
            return self.getToken(VclParser.SWITCH, 0)

        def condition(self):
            return self.getTypedRuleContext(VclParser.ConditionContext,0)


        def LBRACE(self):
            return self.getToken(VclParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(VclParser.RBRACE, 0)

        def switchCase(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.SwitchCaseContext)
            else:
                return self.getTypedRuleContext(VclParser.SwitchCaseContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_switchStatement




    def switchStatement(self):

        localctx = VclParser.SwitchStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 118, self.RULE_switchStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 610
            self.match(VclParser.SWITCH)
            self.state = 611
            self.condition()
            self.state = 612
            self.match(VclParser.LBRACE)
            self.state = 616
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.CASE or _la==VclParser.DEFAULT:
                self.state = 613
                self.switchCase()
                self.state = 618
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 619
            self.match(VclParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SwitchCaseContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def COLON(self):
            return self.getToken(VclParser.COLON, 0)

        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def CASE(self):
            return self.getToken(VclParser.CASE, 0)

        def caseLabel(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.CaseLabelContext)
            else:
                return self.getTypedRuleContext(VclParser.CaseLabelContext,i)


        def defaultWord(self):
            return self.getTypedRuleContext(VclParser.DefaultWordContext,0)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.COMMA)
            else:
                return self.getToken(VclParser.COMMA, i)

        def getRuleIndex(self):
            return VclParser.RULE_switchCase




    def switchCase(self):

        localctx = VclParser.SwitchCaseContext(self, self._ctx, self.state)
        self.enterRule(localctx, 120, self.RULE_switchCase)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 631
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.CASE]:
                self.state = 621
                self.match(VclParser.CASE)
                self.state = 622
                self.caseLabel()
                self.state = 627
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 623
                    self.match(VclParser.COMMA)
                    self.state = 624
                    self.caseLabel()
                    self.state = 629
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                pass
            elif token in [VclParser.DEFAULT]:
                self.state = 630
                self.defaultWord()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 633
            self.match(VclParser.COLON)
            self.state = 634
            self.block()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CaseLabelContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def matching(self):
            return self.getTypedRuleContext(VclParser.MatchingContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_caseLabel




    def caseLabel(self):

        localctx = VclParser.CaseLabelContext(self, self._ctx, self.state)
        self.enterRule(localctx, 122, self.RULE_caseLabel)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 637
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MATCH:
                self.state = 636
                self.matching()


            self.state = 639
            self.expression()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MatchingContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MATCH(self):
            return self.getToken(VclParser.MATCH, 0)

        def getRuleIndex(self):
            return VclParser.RULE_matching




    def matching(self):

        localctx = VclParser.MatchingContext(self, self._ctx, self.state)
        self.enterRule(localctx, 124, self.RULE_matching)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 641
            self.match(VclParser.MATCH)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ForStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def FOR(self):
            return self.getToken(VclParser.FOR, 0)

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def IN(self):
            return self.getToken(VclParser.IN, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def block(self):
            return self.getTypedRuleContext(VclParser.BlockContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_forStatement




    def forStatement(self):

        localctx = VclParser.ForStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 126, self.RULE_forStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 643
            self.match(VclParser.FOR)
            self.state = 644
            self.match(VclParser.LPAREN)
            self.state = 645
            self.declaredName()
            self.state = 646
            self.match(VclParser.IN)
            self.state = 647
            self.expression()
            self.state = 648
            self.match(VclParser.RPAREN)
            self.state = 649
            self.block()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CountStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def COUNT(self):
            return self.getToken(VclParser.COUNT, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def arguments(self):
            return self.getTypedRuleContext(VclParser.ArgumentsContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_countStatement




    def countStatement(self):

        localctx = VclParser.CountStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 128, self.RULE_countStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 651
            self.match(VclParser.COUNT)
            self.state = 652
            self.declaredName()
            self.state = 654
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 653
                self.arguments()


            self.state = 656
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class LogStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LOG(self):
            return self.getToken(VclParser.LOG, 0)

        def LBRACE(self):
            return self.getToken(VclParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(VclParser.RBRACE, 0)

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def logPair(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.LogPairContext)
            else:
                return self.getTypedRuleContext(VclParser.LogPairContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.COMMA)
            else:
                return self.getToken(VclParser.COMMA, i)

        def getRuleIndex(self):
            return VclParser.RULE_logStatement




    def logStatement(self):

        localctx = VclParser.LogStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 130, self.RULE_logStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 658
            self.match(VclParser.LOG)
            self.state = 659
            self.match(VclParser.LBRACE)
            self.state = 670
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 660
                self.logPair()
                self.state = 667
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 661
                    self.match(VclParser.COMMA)
                    self.state = 663
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if _la==VclParser.IDENTIFIER:
                        self.state = 662
                        self.logPair()


                    self.state = 669
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 672
            self.match(VclParser.RBRACE)
            self.state = 673
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class LogPairContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def memberName(self):
            return self.getTypedRuleContext(VclParser.MemberNameContext,0)


        def ASSIGN(self):
            return self.getToken(VclParser.ASSIGN, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_logPair




    def logPair(self):

        localctx = VclParser.LogPairContext(self, self._ctx, self.state)
        self.enterRule(localctx, 132, self.RULE_logPair)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 675
            self.memberName()
            self.state = 676
            self.match(VclParser.ASSIGN)
            self.state = 677
            self.expression()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AllowStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def ALLOW(self):
            return self.getToken(VclParser.ALLOW, 0)

        def arguments(self):
            return self.getTypedRuleContext(VclParser.ArgumentsContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_allowStatement




    def allowStatement(self):

        localctx = VclParser.AllowStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 134, self.RULE_allowStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 679
            self.match(VclParser.ALLOW)
            self.state = 680
            self.arguments()
            self.state = 681
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class BuiltinStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def BUILTIN(self):
            return self.getToken(VclParser.BUILTIN, 0)

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_builtinStatement




    def builtinStatement(self):

        localctx = VclParser.BuiltinStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 136, self.RULE_builtinStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 683
            self.match(VclParser.BUILTIN)
            self.state = 684
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class InvariantContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def INVARIANT(self):
            return self.getToken(VclParser.INVARIANT, 0)

        def string(self):
            return self.getTypedRuleContext(VclParser.StringContext,0)


        def LBRACE(self):
            return self.getToken(VclParser.LBRACE, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def RBRACE(self):
            return self.getToken(VclParser.RBRACE, 0)

        def getRuleIndex(self):
            return VclParser.RULE_invariant




    def invariant(self):

        localctx = VclParser.InvariantContext(self, self._ctx, self.state)
        self.enterRule(localctx, 138, self.RULE_invariant)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 686
            self.match(VclParser.INVARIANT)
            self.state = 687
            self.string()
            self.state = 688
            self.match(VclParser.LBRACE)
            self.state = 689
            self.expression()
            self.state = 690
            self.match(VclParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class LabelledContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def annotation(self):
            return self.getTypedRuleContext(VclParser.AnnotationContext,0)


        def statement(self):
            return self.getTypedRuleContext(VclParser.StatementContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_labelled




    def labelled(self):

        localctx = VclParser.LabelledContext(self, self._ctx, self.state)
        self.enterRule(localctx, 140, self.RULE_labelled)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 692
            self.annotation()
            self.state = 693
            self.statement()
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
        self.enterRule(localctx, 142, self.RULE_expression)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 695
            self.conjunction()
            self.state = 700
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.OR:
                self.state = 696
                self.match(VclParser.OR)
                self.state = 697
                self.conjunction()
                self.state = 702
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
        self.enterRule(localctx, 144, self.RULE_conjunction)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 703
            self.negation()
            self.state = 708
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.AND:
                self.state = 704
                self.match(VclParser.AND)
                self.state = 705
                self.negation()
                self.state = 710
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
        self.enterRule(localctx, 146, self.RULE_negation)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 714
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.NOT:
                self.state = 711
                self.negated()
                self.state = 716
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 717
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


        def presence(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.PresenceContext)
            else:
                return self.getTypedRuleContext(VclParser.PresenceContext,i)


        def capture(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.CaptureContext)
            else:
                return self.getTypedRuleContext(VclParser.CaptureContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_comparison




    def comparison(self):

        localctx = VclParser.ComparisonContext(self, self._ctx, self.state)
        self.enterRule(localctx, 148, self.RULE_comparison)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 719
            self.arithmetic()
            self.state = 728
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 42)) & ~0x3f) == 0 and ((1 << (_la - 42)) & ((1 << (VclParser.IN - 42)) | (1 << (VclParser.STARTS - 42)) | (1 << (VclParser.ENDS - 42)) | (1 << (VclParser.CONTAINS - 42)) | (1 << (VclParser.IS - 42)) | (1 << (VclParser.EQ - 42)) | (1 << (VclParser.NE - 42)) | (1 << (VclParser.LT - 42)) | (1 << (VclParser.LE - 42)) | (1 << (VclParser.GT - 42)) | (1 << (VclParser.GE - 42)) | (1 << (VclParser.MATCH - 42)) | (1 << (VclParser.NO_MATCH - 42)))) != 0):
                self.state = 726
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [VclParser.IN, VclParser.STARTS, VclParser.ENDS, VclParser.CONTAINS, VclParser.EQ, VclParser.NE, VclParser.LT, VclParser.LE, VclParser.GT, VclParser.GE, VclParser.MATCH, VclParser.NO_MATCH]:
                    self.state = 720
                    self.comparator()
                    self.state = 721
                    self.arithmetic()
                    self.state = 723
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if _la==VclParser.AS:
                        self.state = 722
                        self.capture()


                    pass
                elif token in [VclParser.IS]:
                    self.state = 725
                    self.presence()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 730
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

        def IN(self):
            return self.getToken(VclParser.IN, 0)

        def STARTS(self):
            return self.getToken(VclParser.STARTS, 0)

        def ENDS(self):
            return self.getToken(VclParser.ENDS, 0)

        def CONTAINS(self):
            return self.getToken(VclParser.CONTAINS, 0)

        def getRuleIndex(self):
            return VclParser.RULE_comparator




    def comparator(self):

        localctx = VclParser.ComparatorContext(self, self._ctx, self.state)
        self.enterRule(localctx, 150, self.RULE_comparator)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 731
            _la = self._input.LA(1)
            if not(((((_la - 42)) & ~0x3f) == 0 and ((1 << (_la - 42)) & ((1 << (VclParser.IN - 42)) | (1 << (VclParser.STARTS - 42)) | (1 << (VclParser.ENDS - 42)) | (1 << (VclParser.CONTAINS - 42)) | (1 << (VclParser.EQ - 42)) | (1 << (VclParser.NE - 42)) | (1 << (VclParser.LT - 42)) | (1 << (VclParser.LE - 42)) | (1 << (VclParser.GT - 42)) | (1 << (VclParser.GE - 42)) | (1 << (VclParser.MATCH - 42)) | (1 << (VclParser.NO_MATCH - 42)))) != 0)):
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


    class CaptureContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def AS(self):
            return self.getToken(VclParser.AS, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_capture




    def capture(self):

        localctx = VclParser.CaptureContext(self, self._ctx, self.state)
        self.enterRule(localctx, 152, self.RULE_capture)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 733
            self.match(VclParser.AS)
            self.state = 734
            self.declaredName()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PresenceContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def IS(self):
            return self.getToken(VclParser.IS, 0)

        def memberName(self):
            return self.getTypedRuleContext(VclParser.MemberNameContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_presence




    def presence(self):

        localctx = VclParser.PresenceContext(self, self._ctx, self.state)
        self.enterRule(localctx, 154, self.RULE_presence)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 736
            self.match(VclParser.IS)
            self.state = 737
            self.memberName()
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

        def coalesce(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.CoalesceContext)
            else:
                return self.getTypedRuleContext(VclParser.CoalesceContext,i)


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
        self.enterRule(localctx, 156, self.RULE_arithmetic)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 740
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MINUS:
                self.state = 739
                self.minus()


            self.state = 742
            self.coalesce()
            self.state = 751
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 86)) & ~0x3f) == 0 and ((1 << (_la - 86)) & ((1 << (VclParser.PLUS - 86)) | (1 << (VclParser.MINUS - 86)) | (1 << (VclParser.STAR - 86)) | (1 << (VclParser.SLASH - 86)) | (1 << (VclParser.PERCENT - 86)))) != 0):
                self.state = 743
                self.arithmeticOp()
                self.state = 745
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.MINUS:
                    self.state = 744
                    self.minus()


                self.state = 747
                self.coalesce()
                self.state = 753
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CoalesceContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def postfix(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.PostfixContext)
            else:
                return self.getTypedRuleContext(VclParser.PostfixContext,i)


        def COALESCE(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.COALESCE)
            else:
                return self.getToken(VclParser.COALESCE, i)

        def minus(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.MinusContext)
            else:
                return self.getTypedRuleContext(VclParser.MinusContext,i)


        def getRuleIndex(self):
            return VclParser.RULE_coalesce




    def coalesce(self):

        localctx = VclParser.CoalesceContext(self, self._ctx, self.state)
        self.enterRule(localctx, 158, self.RULE_coalesce)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 754
            self.postfix()
            self.state = 762
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.COALESCE:
                self.state = 755
                self.match(VclParser.COALESCE)
                self.state = 757
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.MINUS:
                    self.state = 756
                    self.minus()


                self.state = 759
                self.postfix()
                self.state = 764
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
        self.enterRule(localctx, 160, self.RULE_arithmeticOp)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 765
            _la = self._input.LA(1)
            if not(((((_la - 86)) & ~0x3f) == 0 and ((1 << (_la - 86)) & ((1 << (VclParser.PLUS - 86)) | (1 << (VclParser.MINUS - 86)) | (1 << (VclParser.STAR - 86)) | (1 << (VclParser.SLASH - 86)) | (1 << (VclParser.PERCENT - 86)))) != 0)):
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
        self.enterRule(localctx, 162, self.RULE_minus)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 767
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


        def subscript(self):
            return self.getTypedRuleContext(VclParser.SubscriptContext,0)


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


        def listLiteral(self):
            return self.getTypedRuleContext(VclParser.ListLiteralContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_postfix




    def postfix(self):

        localctx = VclParser.PostfixContext(self, self._ctx, self.state)
        self.enterRule(localctx, 164, self.RULE_postfix)
        self._la = 0 # Token type
        try:
            self.state = 795
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.IDENTIFIER]:
                self.enterOuterAlt(localctx, 1)
                self.state = 769
                self.name()
                self.state = 780
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.LPAREN or _la==VclParser.LBRACKET:
                    self.state = 772
                    self._errHandler.sync(self)
                    token = self._input.LA(1)
                    if token in [VclParser.LPAREN]:
                        self.state = 770
                        self.arguments()
                        pass
                    elif token in [VclParser.LBRACKET]:
                        self.state = 771
                        self.subscript()
                        pass
                    else:
                        raise NoViableAltException(self)

                    self.state = 777
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                        self.state = 774
                        self.member()
                        self.state = 779
                        self._errHandler.sync(self)
                        _la = self._input.LA(1)



                pass
            elif token in [VclParser.NUMBER, VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING, VclParser.BLOB, VclParser.LPAREN]:
                self.enterOuterAlt(localctx, 2)
                self.state = 786
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                    self.state = 782
                    self.string()
                    pass
                elif token in [VclParser.NUMBER]:
                    self.state = 783
                    self.number()
                    pass
                elif token in [VclParser.BLOB]:
                    self.state = 784
                    self.blob()
                    pass
                elif token in [VclParser.LPAREN]:
                    self.state = 785
                    self.parenthesised()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 791
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                    self.state = 788
                    self.member()
                    self.state = 793
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                pass
            elif token in [VclParser.LBRACKET]:
                self.enterOuterAlt(localctx, 3)
                self.state = 794
                self.listLiteral()
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


        def subscript(self):
            return self.getTypedRuleContext(VclParser.SubscriptContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_member




    def member(self):

        localctx = VclParser.MemberContext(self, self._ctx, self.state)
        self.enterRule(localctx, 166, self.RULE_member)
        self._la = 0 # Token type
        try:
            self.state = 803
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.DOT]:
                self.enterOuterAlt(localctx, 1)
                self.state = 797
                self.match(VclParser.DOT)
                self.state = 798
                self.memberName()
                self.state = 800
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.LPAREN:
                    self.state = 799
                    self.arguments()


                pass
            elif token in [VclParser.LBRACKET]:
                self.enterOuterAlt(localctx, 2)
                self.state = 802
                self.subscript()
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


    class SubscriptContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LBRACKET(self):
            return self.getToken(VclParser.LBRACKET, 0)

        def expression(self):
            return self.getTypedRuleContext(VclParser.ExpressionContext,0)


        def RBRACKET(self):
            return self.getToken(VclParser.RBRACKET, 0)

        def getRuleIndex(self):
            return VclParser.RULE_subscript




    def subscript(self):

        localctx = VclParser.SubscriptContext(self, self._ctx, self.state)
        self.enterRule(localctx, 168, self.RULE_subscript)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 805
            self.match(VclParser.LBRACKET)
            self.state = 806
            self.expression()
            self.state = 807
            self.match(VclParser.RBRACKET)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ListLiteralContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LBRACKET(self):
            return self.getToken(VclParser.LBRACKET, 0)

        def RBRACKET(self):
            return self.getToken(VclParser.RBRACKET, 0)

        def expression(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(VclParser.ExpressionContext)
            else:
                return self.getTypedRuleContext(VclParser.ExpressionContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(VclParser.COMMA)
            else:
                return self.getToken(VclParser.COMMA, i)

        def getRuleIndex(self):
            return VclParser.RULE_listLiteral




    def listLiteral(self):

        localctx = VclParser.ListLiteralContext(self, self._ctx, self.state)
        self.enterRule(localctx, 170, self.RULE_listLiteral)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 809
            self.match(VclParser.LBRACKET)
            self.state = 820
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if ((((_la - 47)) & ~0x3f) == 0 and ((1 << (_la - 47)) & ((1 << (VclParser.IDENTIFIER - 47)) | (1 << (VclParser.NUMBER - 47)) | (1 << (VclParser.STRING - 47)) | (1 << (VclParser.LONG_STRING - 47)) | (1 << (VclParser.TRIPLE_STRING - 47)) | (1 << (VclParser.BLOB - 47)) | (1 << (VclParser.LPAREN - 47)) | (1 << (VclParser.LBRACKET - 47)) | (1 << (VclParser.NOT - 47)) | (1 << (VclParser.MINUS - 47)))) != 0):
                self.state = 810
                self.expression()
                self.state = 817
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 811
                    self.match(VclParser.COMMA)
                    self.state = 813
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if ((((_la - 47)) & ~0x3f) == 0 and ((1 << (_la - 47)) & ((1 << (VclParser.IDENTIFIER - 47)) | (1 << (VclParser.NUMBER - 47)) | (1 << (VclParser.STRING - 47)) | (1 << (VclParser.LONG_STRING - 47)) | (1 << (VclParser.TRIPLE_STRING - 47)) | (1 << (VclParser.BLOB - 47)) | (1 << (VclParser.LPAREN - 47)) | (1 << (VclParser.LBRACKET - 47)) | (1 << (VclParser.NOT - 47)) | (1 << (VclParser.MINUS - 47)))) != 0):
                        self.state = 812
                        self.expression()


                    self.state = 819
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 822
            self.match(VclParser.RBRACKET)
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
        self.enterRule(localctx, 172, self.RULE_memberName)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 824
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
        self.enterRule(localctx, 174, self.RULE_parenthesised)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 826
            self.match(VclParser.LPAREN)
            self.state = 827
            self.expression()
            self.state = 828
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
        self.enterRule(localctx, 176, self.RULE_arguments)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 830
            self.match(VclParser.LPAREN)
            self.state = 841
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if ((((_la - 47)) & ~0x3f) == 0 and ((1 << (_la - 47)) & ((1 << (VclParser.IDENTIFIER - 47)) | (1 << (VclParser.NUMBER - 47)) | (1 << (VclParser.STRING - 47)) | (1 << (VclParser.LONG_STRING - 47)) | (1 << (VclParser.TRIPLE_STRING - 47)) | (1 << (VclParser.BLOB - 47)) | (1 << (VclParser.LPAREN - 47)) | (1 << (VclParser.LBRACKET - 47)) | (1 << (VclParser.NOT - 47)) | (1 << (VclParser.MINUS - 47)))) != 0):
                self.state = 831
                self.argument()
                self.state = 838
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 832
                    self.match(VclParser.COMMA)
                    self.state = 834
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if ((((_la - 47)) & ~0x3f) == 0 and ((1 << (_la - 47)) & ((1 << (VclParser.IDENTIFIER - 47)) | (1 << (VclParser.NUMBER - 47)) | (1 << (VclParser.STRING - 47)) | (1 << (VclParser.LONG_STRING - 47)) | (1 << (VclParser.TRIPLE_STRING - 47)) | (1 << (VclParser.BLOB - 47)) | (1 << (VclParser.LPAREN - 47)) | (1 << (VclParser.LBRACKET - 47)) | (1 << (VclParser.NOT - 47)) | (1 << (VclParser.MINUS - 47)))) != 0):
                        self.state = 833
                        self.argument()


                    self.state = 840
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 843
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
        self.enterRule(localctx, 178, self.RULE_argument)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 845
            self.expression()
            self.state = 848
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.ASSIGN:
                self.state = 846
                self.match(VclParser.ASSIGN)
                self.state = 847
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
        self.enterRule(localctx, 180, self.RULE_name)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 850
            self.match(VclParser.IDENTIFIER)
            self.state = 855
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 851
                self.match(VclParser.DOT)
                self.state = 852
                _la = self._input.LA(1)
                if not(_la==VclParser.IDENTIFIER or _la==VclParser.STRING):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 857
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
        self.enterRule(localctx, 182, self.RULE_number)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 858
            self.match(VclParser.NUMBER)
            self.state = 860
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 859
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
        self.enterRule(localctx, 184, self.RULE_string)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 862
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
        self.enterRule(localctx, 186, self.RULE_blob)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 864
            self.match(VclParser.BLOB)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx





