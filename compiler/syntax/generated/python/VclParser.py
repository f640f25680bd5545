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
        buf.write("\3\u608b\ua72a\u8133\ub9ed\u417c\u3be7\u7786\u5964\3d")
        buf.write("\u036f\4\2\t\2\4\3\t\3\4\4\t\4\4\5\t\5\4\6\t\6\4\7\t\7")
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
        buf.write("_\t_\4`\t`\3\2\7\2\u00c2\n\2\f\2\16\2\u00c5\13\2\3\2\3")
        buf.write("\2\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3")
        buf.write("\3\3\3\3\5\3\u00d8\n\3\3\4\3\4\3\4\3\4\3\5\3\5\3\5\3\5")
        buf.write("\3\5\3\5\5\5\u00e4\n\5\3\6\3\6\3\7\3\7\3\7\3\7\3\b\3\b")
        buf.write("\7\b\u00ee\n\b\f\b\16\b\u00f1\13\b\3\b\3\b\3\t\3\t\3\t")
        buf.write("\3\t\3\t\3\t\7\t\u00fb\n\t\f\t\16\t\u00fe\13\t\3\t\3\t")
        buf.write("\5\t\u0102\n\t\3\n\3\n\3\13\3\13\3\13\7\13\u0109\n\13")
        buf.write("\f\13\16\13\u010c\13\13\3\13\3\13\3\f\3\f\7\f\u0112\n")
        buf.write("\f\f\f\16\f\u0115\13\f\3\f\3\f\3\r\3\r\3\r\3\16\5\16\u011d")
        buf.write("\n\16\3\16\3\16\5\16\u0121\n\16\3\16\3\16\3\17\3\17\5")
        buf.write("\17\u0127\n\17\3\17\3\17\3\17\3\20\3\20\3\20\5\20\u012f")
        buf.write("\n\20\3\21\3\21\3\22\3\22\3\23\7\23\u0136\n\23\f\23\16")
        buf.write("\23\u0139\13\23\3\23\3\23\3\23\3\23\3\23\3\23\5\23\u0141")
        buf.write("\n\23\3\23\3\23\3\24\3\24\3\24\3\24\3\25\3\25\3\25\3\25")
        buf.write("\5\25\u014d\n\25\3\25\3\25\5\25\u0151\n\25\3\25\3\25\3")
        buf.write("\25\3\25\5\25\u0157\n\25\3\25\3\25\3\26\3\26\3\27\3\27")
        buf.write("\3\30\3\30\3\31\3\31\3\31\5\31\u0164\n\31\3\31\3\31\3")
        buf.write("\31\3\31\3\32\3\32\3\32\3\33\3\33\5\33\u016f\n\33\3\34")
        buf.write("\3\34\3\34\3\34\3\34\3\34\3\34\3\35\3\35\3\35\3\35\7\35")
        buf.write("\u017c\n\35\f\35\16\35\u017f\13\35\5\35\u0181\n\35\3\35")
        buf.write("\3\35\3\36\3\36\3\36\3\37\3\37\3\37\3\37\3\37\3 \3 \3")
        buf.write(" \3 \3 \3 \3 \3 \3 \5 \u0196\n \5 \u0198\n \3 \3 \3!\3")
        buf.write("!\3\"\3\"\3\"\3\"\3\"\3\"\3\"\3#\3#\3#\3#\5#\u01a9\n#")
        buf.write("\7#\u01ab\n#\f#\16#\u01ae\13#\5#\u01b0\n#\3#\3#\3$\3$")
        buf.write("\5$\u01b6\n$\3$\3$\3$\3%\3%\3%\5%\u01be\n%\3&\3&\3\'\3")
        buf.write("\'\3\'\3\'\3\'\3\'\3\'\7\'\u01c9\n\'\f\'\16\'\u01cc\13")
        buf.write("\'\3\'\3\'\5\'\u01d0\n\'\3\'\3\'\3(\3(\3(\7(\u01d7\n(")
        buf.write("\f(\16(\u01da\13(\3(\3(\3)\3)\3)\3)\3*\3*\3*\3*\3+\3+")
        buf.write("\3+\5+\u01e9\n+\3,\3,\7,\u01ed\n,\f,\16,\u01f0\13,\3,")
        buf.write("\3,\3-\3-\3-\3-\3-\3-\3-\3-\3-\3-\3-\3-\3-\3-\3-\3-\3")
        buf.write("-\3-\3-\5-\u0207\n-\3.\3.\3.\3.\3.\3.\3/\3/\3\60\3\60")
        buf.write("\3\60\3\60\3\61\3\61\3\61\3\61\3\62\3\62\3\62\3\62\3\62")
        buf.write("\5\62\u021e\n\62\3\62\3\62\3\63\3\63\5\63\u0224\n\63\3")
        buf.write("\64\3\64\3\64\3\64\3\64\3\64\3\64\3\65\3\65\3\65\7\65")
        buf.write("\u0230\n\65\f\65\16\65\u0233\13\65\3\65\3\65\3\66\3\66")
        buf.write("\7\66\u0239\n\66\f\66\16\66\u023c\13\66\3\67\3\67\3\67")
        buf.write("\3\67\38\38\38\38\38\58\u0247\n8\58\u0249\n8\38\38\39")
        buf.write("\39\59\u024f\n9\39\39\39\3:\3:\5:\u0256\n:\3:\3:\5:\u025a")
        buf.write("\n:\3:\3:\3:\3:\3;\3;\3<\3<\3<\3<\3=\3=\3=\3=\3=\3=\3")
        buf.write(">\3>\3>\3>\7>\u0270\n>\f>\16>\u0273\13>\3>\3>\3?\3?\3")
        buf.write("?\3?\7?\u027b\n?\f?\16?\u027e\13?\3?\5?\u0281\n?\3?\3")
        buf.write("?\3?\3@\5@\u0287\n@\3@\3@\3A\3A\3B\3B\3B\3B\3B\3B\3B\3")
        buf.write("B\3C\3C\3C\5C\u0298\nC\3C\3C\3D\3D\3D\3D\3D\5D\u02a1\n")
        buf.write("D\7D\u02a3\nD\fD\16D\u02a6\13D\5D\u02a8\nD\3D\3D\3D\3")
        buf.write("E\3E\3E\3E\3F\3F\3F\3F\3G\3G\3G\3H\3H\3H\3H\3H\3H\3I\3")
        buf.write("I\3I\3J\3J\3J\7J\u02c4\nJ\fJ\16J\u02c7\13J\3K\3K\3K\7")
        buf.write("K\u02cc\nK\fK\16K\u02cf\13K\3L\7L\u02d2\nL\fL\16L\u02d5")
        buf.write("\13L\3L\3L\3M\3M\3M\3M\5M\u02dd\nM\3M\7M\u02e0\nM\fM\16")
        buf.write("M\u02e3\13M\3N\3N\3O\3O\3O\3P\3P\5P\u02ec\nP\3P\3P\3Q")
        buf.write("\5Q\u02f1\nQ\3Q\3Q\3Q\5Q\u02f6\nQ\3Q\3Q\7Q\u02fa\nQ\f")
        buf.write("Q\16Q\u02fd\13Q\3R\3R\3R\5R\u0302\nR\3R\7R\u0305\nR\f")
        buf.write("R\16R\u0308\13R\3S\3S\3T\3T\3U\3U\3U\5U\u0311\nU\3U\7")
        buf.write("U\u0314\nU\fU\16U\u0317\13U\5U\u0319\nU\3U\3U\3U\3U\5")
        buf.write("U\u031f\nU\3U\7U\u0322\nU\fU\16U\u0325\13U\3U\5U\u0328")
        buf.write("\nU\3V\3V\3V\5V\u032d\nV\3V\5V\u0330\nV\3W\3W\3W\3W\3")
        buf.write("X\3X\3X\3X\5X\u033a\nX\7X\u033c\nX\fX\16X\u033f\13X\5")
        buf.write("X\u0341\nX\3X\3X\3Y\3Y\3Z\3Z\3Z\3Z\3[\3[\3[\3[\5[\u034f")
        buf.write("\n[\7[\u0351\n[\f[\16[\u0354\13[\5[\u0356\n[\3[\3[\3\\")
        buf.write("\3\\\3\\\5\\\u035d\n\\\3]\3]\3]\7]\u0362\n]\f]\16]\u0365")
        buf.write("\13]\3^\3^\5^\u0369\n^\3_\3_\3`\3`\3`\2\2a\2\4\6\b\n\f")
        buf.write("\16\20\22\24\26\30\32\34\36 \"$&(*,.\60\62\64\668:<>@")
        buf.write("BDFHJLNPRTVXZ\\^`bdfhjlnprtvxz|~\u0080\u0082\u0084\u0086")
        buf.write("\u0088\u008a\u008c\u008e\u0090\u0092\u0094\u0096\u0098")
        buf.write("\u009a\u009c\u009e\u00a0\u00a2\u00a4\u00a6\u00a8\u00aa")
        buf.write("\u00ac\u00ae\u00b0\u00b2\u00b4\u00b6\u00b8\u00ba\u00bc")
        buf.write("\u00be\2\t\3\2Z[\3\2\21\22\3\2IM\4\2-\60NU\3\2Z^\4\2\63")
        buf.write("\63\65\65\4\2\65\65\678\2\u0380\2\u00c3\3\2\2\2\4\u00d7")
        buf.write("\3\2\2\2\6\u00d9\3\2\2\2\b\u00dd\3\2\2\2\n\u00e5\3\2\2")
        buf.write("\2\f\u00e7\3\2\2\2\16\u00eb\3\2\2\2\20\u00f4\3\2\2\2\22")
        buf.write("\u0103\3\2\2\2\24\u0105\3\2\2\2\26\u010f\3\2\2\2\30\u0118")
        buf.write("\3\2\2\2\32\u011c\3\2\2\2\34\u0124\3\2\2\2\36\u012b\3")
        buf.write("\2\2\2 \u0130\3\2\2\2\"\u0132\3\2\2\2$\u0137\3\2\2\2&")
        buf.write("\u0144\3\2\2\2(\u0148\3\2\2\2*\u015a\3\2\2\2,\u015c\3")
        buf.write("\2\2\2.\u015e\3\2\2\2\60\u0160\3\2\2\2\62\u0169\3\2\2")
        buf.write("\2\64\u016c\3\2\2\2\66\u0170\3\2\2\28\u0177\3\2\2\2:\u0184")
        buf.write("\3\2\2\2<\u0187\3\2\2\2>\u018c\3\2\2\2@\u019b\3\2\2\2")
        buf.write("B\u019d\3\2\2\2D\u01a4\3\2\2\2F\u01b5\3\2\2\2H\u01ba\3")
        buf.write("\2\2\2J\u01bf\3\2\2\2L\u01c1\3\2\2\2N\u01d3\3\2\2\2P\u01dd")
        buf.write("\3\2\2\2R\u01e1\3\2\2\2T\u01e5\3\2\2\2V\u01ea\3\2\2\2")
        buf.write("X\u0206\3\2\2\2Z\u0208\3\2\2\2\\\u020e\3\2\2\2^\u0210")
        buf.write("\3\2\2\2`\u0214\3\2\2\2b\u0218\3\2\2\2d\u0221\3\2\2\2")
        buf.write("f\u0225\3\2\2\2h\u022c\3\2\2\2j\u0236\3\2\2\2l\u023d\3")
        buf.write("\2\2\2n\u0248\3\2\2\2p\u024c\3\2\2\2r\u0253\3\2\2\2t\u025f")
        buf.write("\3\2\2\2v\u0261\3\2\2\2x\u0265\3\2\2\2z\u026b\3\2\2\2")
        buf.write("|\u0280\3\2\2\2~\u0286\3\2\2\2\u0080\u028a\3\2\2\2\u0082")
        buf.write("\u028c\3\2\2\2\u0084\u0294\3\2\2\2\u0086\u029b\3\2\2\2")
        buf.write("\u0088\u02ac\3\2\2\2\u008a\u02b0\3\2\2\2\u008c\u02b4\3")
        buf.write("\2\2\2\u008e\u02b7\3\2\2\2\u0090\u02bd\3\2\2\2\u0092\u02c0")
        buf.write("\3\2\2\2\u0094\u02c8\3\2\2\2\u0096\u02d3\3\2\2\2\u0098")
        buf.write("\u02d8\3\2\2\2\u009a\u02e4\3\2\2\2\u009c\u02e6\3\2\2\2")
        buf.write("\u009e\u02e9\3\2\2\2\u00a0\u02f0\3\2\2\2\u00a2\u02fe\3")
        buf.write("\2\2\2\u00a4\u0309\3\2\2\2\u00a6\u030b\3\2\2\2\u00a8\u0327")
        buf.write("\3\2\2\2\u00aa\u032f\3\2\2\2\u00ac\u0331\3\2\2\2\u00ae")
        buf.write("\u0335\3\2\2\2\u00b0\u0344\3\2\2\2\u00b2\u0346\3\2\2\2")
        buf.write("\u00b4\u034a\3\2\2\2\u00b6\u0359\3\2\2\2\u00b8\u035e\3")
        buf.write("\2\2\2\u00ba\u0366\3\2\2\2\u00bc\u036a\3\2\2\2\u00be\u036c")
        buf.write("\3\2\2\2\u00c0\u00c2\5\4\3\2\u00c1\u00c0\3\2\2\2\u00c2")
        buf.write("\u00c5\3\2\2\2\u00c3\u00c1\3\2\2\2\u00c3\u00c4\3\2\2\2")
        buf.write("\u00c4\u00c6\3\2\2\2\u00c5\u00c3\3\2\2\2\u00c6\u00c7\7")
        buf.write("\2\2\3\u00c7\3\3\2\2\2\u00c8\u00d8\5\6\4\2\u00c9\u00d8")
        buf.write("\5\b\5\2\u00ca\u00d8\5\f\7\2\u00cb\u00d8\5\24\13\2\u00cc")
        buf.write("\u00d8\5$\23\2\u00cd\u00d8\5(\25\2\u00ce\u00d8\5.\30\2")
        buf.write("\u00cf\u00d8\5&\24\2\u00d0\u00d8\5\60\31\2\u00d1\u00d8")
        buf.write("\5\66\34\2\u00d2\u00d8\5<\37\2\u00d3\u00d8\5> \2\u00d4")
        buf.write("\u00d8\5L\'\2\u00d5\u00d8\5N(\2\u00d6\u00d8\5R*\2\u00d7")
        buf.write("\u00c8\3\2\2\2\u00d7\u00c9\3\2\2\2\u00d7\u00ca\3\2\2\2")
        buf.write("\u00d7\u00cb\3\2\2\2\u00d7\u00cc\3\2\2\2\u00d7\u00cd\3")
        buf.write("\2\2\2\u00d7\u00ce\3\2\2\2\u00d7\u00cf\3\2\2\2\u00d7\u00d0")
        buf.write("\3\2\2\2\u00d7\u00d1\3\2\2\2\u00d7\u00d2\3\2\2\2\u00d7")
        buf.write("\u00d3\3\2\2\2\u00d7\u00d4\3\2\2\2\u00d7\u00d5\3\2\2\2")
        buf.write("\u00d7\u00d6\3\2\2\2\u00d8\5\3\2\2\2\u00d9\u00da\7\3\2")
        buf.write("\2\u00da\u00db\7\64\2\2\u00db\u00dc\7A\2\2\u00dc\7\3\2")
        buf.write("\2\2\u00dd\u00de\7\4\2\2\u00de\u00e3\5,\27\2\u00df\u00e0")
        buf.write("\5\n\6\2\u00e0\u00e1\7A\2\2\u00e1\u00e4\3\2\2\2\u00e2")
        buf.write("\u00e4\5\16\b\2\u00e3\u00df\3\2\2\2\u00e3\u00e2\3\2\2")
        buf.write("\2\u00e4\t\3\2\2\2\u00e5\u00e6\7&\2\2\u00e6\13\3\2\2\2")
        buf.write("\u00e7\u00e8\7\5\2\2\u00e8\u00e9\5,\27\2\u00e9\u00ea\5")
        buf.write("\16\b\2\u00ea\r\3\2\2\2\u00eb\u00ef\7;\2\2\u00ec\u00ee")
        buf.write("\5\20\t\2\u00ed\u00ec\3\2\2\2\u00ee\u00f1\3\2\2\2\u00ef")
        buf.write("\u00ed\3\2\2\2\u00ef\u00f0\3\2\2\2\u00f0\u00f2\3\2\2\2")
        buf.write("\u00f1\u00ef\3\2\2\2\u00f2\u00f3\7<\2\2\u00f3\17\3\2\2")
        buf.write("\2\u00f4\u00f5\7C\2\2\u00f5\u00f6\5\22\n\2\u00f6\u0101")
        buf.write("\7I\2\2\u00f7\u0102\5\16\b\2\u00f8\u00fc\5\u0092J\2\u00f9")
        buf.write("\u00fb\5\u00bc_\2\u00fa\u00f9\3\2\2\2\u00fb\u00fe\3\2")
        buf.write("\2\2\u00fc\u00fa\3\2\2\2\u00fc\u00fd\3\2\2\2\u00fd\u00ff")
        buf.write("\3\2\2\2\u00fe\u00fc\3\2\2\2\u00ff\u0100\7A\2\2\u0100")
        buf.write("\u0102\3\2\2\2\u0101\u00f7\3\2\2\2\u0101\u00f8\3\2\2\2")
        buf.write("\u0102\21\3\2\2\2\u0103\u0104\7\63\2\2\u0104\23\3\2\2")
        buf.write("\2\u0105\u0106\7\6\2\2\u0106\u010a\5,\27\2\u0107\u0109")
        buf.write("\5\30\r\2\u0108\u0107\3\2\2\2\u0109\u010c\3\2\2\2\u010a")
        buf.write("\u0108\3\2\2\2\u010a\u010b\3\2\2\2\u010b\u010d\3\2\2\2")
        buf.write("\u010c\u010a\3\2\2\2\u010d\u010e\5\26\f\2\u010e\25\3\2")
        buf.write("\2\2\u010f\u0113\7;\2\2\u0110\u0112\5\32\16\2\u0111\u0110")
        buf.write("\3\2\2\2\u0112\u0115\3\2\2\2\u0113\u0111\3\2\2\2\u0113")
        buf.write("\u0114\3\2\2\2\u0114\u0116\3\2\2\2\u0115\u0113\3\2\2\2")
        buf.write("\u0116\u0117\7<\2\2\u0117\27\3\2\2\2\u0118\u0119\t\2\2")
        buf.write("\2\u0119\u011a\7\63\2\2\u011a\31\3\2\2\2\u011b\u011d\5")
        buf.write(" \21\2\u011c\u011b\3\2\2\2\u011c\u011d\3\2\2\2\u011d\u0120")
        buf.write("\3\2\2\2\u011e\u0121\5\34\17\2\u011f\u0121\5\36\20\2\u0120")
        buf.write("\u011e\3\2\2\2\u0120\u011f\3\2\2\2\u0121\u0122\3\2\2\2")
        buf.write("\u0122\u0123\7A\2\2\u0123\33\3\2\2\2\u0124\u0126\7=\2")
        buf.write("\2\u0125\u0127\5 \21\2\u0126\u0125\3\2\2\2\u0126\u0127")
        buf.write("\3\2\2\2\u0127\u0128\3\2\2\2\u0128\u0129\5\36\20\2\u0129")
        buf.write("\u012a\7>\2\2\u012a\35\3\2\2\2\u012b\u012e\5\u00bc_\2")
        buf.write("\u012c\u012d\7]\2\2\u012d\u012f\5\"\22\2\u012e\u012c\3")
        buf.write("\2\2\2\u012e\u012f\3\2\2\2\u012f\37\3\2\2\2\u0130\u0131")
        buf.write("\7V\2\2\u0131!\3\2\2\2\u0132\u0133\7\64\2\2\u0133#\3\2")
        buf.write("\2\2\u0134\u0136\5T+\2\u0135\u0134\3\2\2\2\u0136\u0139")
        buf.write("\3\2\2\2\u0137\u0135\3\2\2\2\u0137\u0138\3\2\2\2\u0138")
        buf.write("\u0140\3\2\2\2\u0139\u0137\3\2\2\2\u013a\u013b\7\7\2\2")
        buf.write("\u013b\u0141\5,\27\2\u013c\u013d\7\17\2\2\u013d\u013e")
        buf.write("\5,\27\2\u013e\u013f\58\35\2\u013f\u0141\3\2\2\2\u0140")
        buf.write("\u013a\3\2\2\2\u0140\u013c\3\2\2\2\u0141\u0142\3\2\2\2")
        buf.write("\u0142\u0143\5V,\2\u0143%\3\2\2\2\u0144\u0145\7(\2\2\u0145")
        buf.write("\u0146\5\u00bc_\2\u0146\u0147\5V,\2\u0147\'\3\2\2\2\u0148")
        buf.write("\u0156\7\b\2\2\u0149\u014c\5,\27\2\u014a\u014b\7%\2\2")
        buf.write("\u014b\u014d\5*\26\2\u014c\u014a\3\2\2\2\u014c\u014d\3")
        buf.write("\2\2\2\u014d\u0150\3\2\2\2\u014e\u014f\7$\2\2\u014f\u0151")
        buf.write("\5\u00bc_\2\u0150\u014e\3\2\2\2\u0150\u0151\3\2\2\2\u0151")
        buf.write("\u0157\3\2\2\2\u0152\u0153\5\u00bc_\2\u0153\u0154\7%\2")
        buf.write("\2\u0154\u0155\5*\26\2\u0155\u0157\3\2\2\2\u0156\u0149")
        buf.write("\3\2\2\2\u0156\u0152\3\2\2\2\u0157\u0158\3\2\2\2\u0158")
        buf.write("\u0159\7A\2\2\u0159)\3\2\2\2\u015a\u015b\7\63\2\2\u015b")
        buf.write("+\3\2\2\2\u015c\u015d\7\63\2\2\u015d-\3\2\2\2\u015e\u015f")
        buf.write("\7:\2\2\u015f/\3\2\2\2\u0160\u0161\t\3\2\2\u0161\u0163")
        buf.write("\5,\27\2\u0162\u0164\5\62\32\2\u0163\u0162\3\2\2\2\u0163")
        buf.write("\u0164\3\2\2\2\u0164\u0165\3\2\2\2\u0165\u0166\7I\2\2")
        buf.write("\u0166\u0167\5\u0092J\2\u0167\u0168\7A\2\2\u0168\61\3")
        buf.write("\2\2\2\u0169\u016a\7D\2\2\u016a\u016b\5\64\33\2\u016b")
        buf.write("\63\3\2\2\2\u016c\u016e\7\63\2\2\u016d\u016f\7E\2\2\u016e")
        buf.write("\u016d\3\2\2\2\u016e\u016f\3\2\2\2\u016f\65\3\2\2\2\u0170")
        buf.write("\u0171\7\23\2\2\u0171\u0172\5,\27\2\u0172\u0173\58\35")
        buf.write("\2\u0173\u0174\7G\2\2\u0174\u0175\5\64\33\2\u0175\u0176")
        buf.write("\5V,\2\u0176\67\3\2\2\2\u0177\u0180\7=\2\2\u0178\u017d")
        buf.write("\5:\36\2\u0179\u017a\7B\2\2\u017a\u017c\5:\36\2\u017b")
        buf.write("\u0179\3\2\2\2\u017c\u017f\3\2\2\2\u017d\u017b\3\2\2\2")
        buf.write("\u017d\u017e\3\2\2\2\u017e\u0181\3\2\2\2\u017f\u017d\3")
        buf.write("\2\2\2\u0180\u0178\3\2\2\2\u0180\u0181\3\2\2\2\u0181\u0182")
        buf.write("\3\2\2\2\u0182\u0183\7>\2\2\u01839\3\2\2\2\u0184\u0185")
        buf.write("\5,\27\2\u0185\u0186\5\62\32\2\u0186;\3\2\2\2\u0187\u0188")
        buf.write("\7\20\2\2\u0188\u0189\5,\27\2\u0189\u018a\5\u00aeX\2\u018a")
        buf.write("\u018b\7A\2\2\u018b=\3\2\2\2\u018c\u018d\7\24\2\2\u018d")
        buf.write("\u018e\5,\27\2\u018e\u018f\5\62\32\2\u018f\u0190\7*\2")
        buf.write("\2\u0190\u0197\5@!\2\u0191\u0198\5D#\2\u0192\u0193\7$")
        buf.write("\2\2\u0193\u0195\5\u00bc_\2\u0194\u0196\5B\"\2\u0195\u0194")
        buf.write("\3\2\2\2\u0195\u0196\3\2\2\2\u0196\u0198\3\2\2\2\u0197")
        buf.write("\u0191\3\2\2\2\u0197\u0192\3\2\2\2\u0198\u0199\3\2\2\2")
        buf.write("\u0199\u019a\7A\2\2\u019a?\3\2\2\2\u019b\u019c\7\63\2")
        buf.write("\2\u019cA\3\2\2\2\u019d\u019e\7+\2\2\u019e\u019f\7=\2")
        buf.write("\2\u019f\u01a0\7\63\2\2\u01a0\u01a1\7B\2\2\u01a1\u01a2")
        buf.write("\7\63\2\2\u01a2\u01a3\7>\2\2\u01a3C\3\2\2\2\u01a4\u01af")
        buf.write("\7?\2\2\u01a5\u01ac\5F$\2\u01a6\u01a8\7B\2\2\u01a7\u01a9")
        buf.write("\5F$\2\u01a8\u01a7\3\2\2\2\u01a8\u01a9\3\2\2\2\u01a9\u01ab")
        buf.write("\3\2\2\2\u01aa\u01a6\3\2\2\2\u01ab\u01ae\3\2\2\2\u01ac")
        buf.write("\u01aa\3\2\2\2\u01ac\u01ad\3\2\2\2\u01ad\u01b0\3\2\2\2")
        buf.write("\u01ae\u01ac\3\2\2\2\u01af\u01a5\3\2\2\2\u01af\u01b0\3")
        buf.write("\2\2\2\u01b0\u01b1\3\2\2\2\u01b1\u01b2\7@\2\2\u01b2E\3")
        buf.write("\2\2\2\u01b3\u01b6\5J&\2\u01b4\u01b6\5H%\2\u01b5\u01b3")
        buf.write("\3\2\2\2\u01b5\u01b4\3\2\2\2\u01b6\u01b7\3\2\2\2\u01b7")
        buf.write("\u01b8\7H\2\2\u01b8\u01b9\5\u0092J\2\u01b9G\3\2\2\2\u01ba")
        buf.write("\u01bd\5\u00bc_\2\u01bb\u01bc\7]\2\2\u01bc\u01be\5\"\22")
        buf.write("\2\u01bd\u01bb\3\2\2\2\u01bd\u01be\3\2\2\2\u01beI\3\2")
        buf.write("\2\2\u01bf\u01c0\7,\2\2\u01c0K\3\2\2\2\u01c1\u01c2\7\25")
        buf.write("\2\2\u01c2\u01cf\5,\27\2\u01c3\u01c4\7*\2\2\u01c4\u01c5")
        buf.write("\7=\2\2\u01c5\u01ca\5,\27\2\u01c6\u01c7\7B\2\2\u01c7\u01c9")
        buf.write("\5,\27\2\u01c8\u01c6\3\2\2\2\u01c9\u01cc\3\2\2\2\u01ca")
        buf.write("\u01c8\3\2\2\2\u01ca\u01cb\3\2\2\2\u01cb\u01cd\3\2\2\2")
        buf.write("\u01cc\u01ca\3\2\2\2\u01cd\u01ce\7>\2\2\u01ce\u01d0\3")
        buf.write("\2\2\2\u01cf\u01c3\3\2\2\2\u01cf\u01d0\3\2\2\2\u01d0\u01d1")
        buf.write("\3\2\2\2\u01d1\u01d2\7A\2\2\u01d2M\3\2\2\2\u01d3\u01d4")
        buf.write("\7\26\2\2\u01d4\u01d8\7;\2\2\u01d5\u01d7\5P)\2\u01d6\u01d5")
        buf.write("\3\2\2\2\u01d7\u01da\3\2\2\2\u01d8\u01d6\3\2\2\2\u01d8")
        buf.write("\u01d9\3\2\2\2\u01d9\u01db\3\2\2\2\u01da\u01d8\3\2\2\2")
        buf.write("\u01db\u01dc\7<\2\2\u01dcO\3\2\2\2\u01dd\u01de\7\63\2")
        buf.write("\2\u01de\u01df\7\64\2\2\u01df\u01e0\7A\2\2\u01e0Q\3\2")
        buf.write("\2\2\u01e1\u01e2\7\27\2\2\u01e2\u01e3\7\64\2\2\u01e3\u01e4")
        buf.write("\7A\2\2\u01e4S\3\2\2\2\u01e5\u01e6\7F\2\2\u01e6\u01e8")
        buf.write("\7\63\2\2\u01e7\u01e9\5\u00b4[\2\u01e8\u01e7\3\2\2\2\u01e8")
        buf.write("\u01e9\3\2\2\2\u01e9U\3\2\2\2\u01ea\u01ee\7;\2\2\u01eb")
        buf.write("\u01ed\5X-\2\u01ec\u01eb\3\2\2\2\u01ed\u01f0\3\2\2\2\u01ee")
        buf.write("\u01ec\3\2\2\2\u01ee\u01ef\3\2\2\2\u01ef\u01f1\3\2\2\2")
        buf.write("\u01f0\u01ee\3\2\2\2\u01f1\u01f2\7<\2\2\u01f2W\3\2\2\2")
        buf.write("\u01f3\u0207\5Z.\2\u01f4\u0207\5^\60\2\u01f5\u0207\5`")
        buf.write("\61\2\u01f6\u0207\5b\62\2\u01f7\u0207\5j\66\2\u01f8\u0207")
        buf.write("\5f\64\2\u01f9\u0207\5h\65\2\u01fa\u0207\5V,\2\u01fb\u0207")
        buf.write("\5.\30\2\u01fc\u0207\5r:\2\u01fd\u0207\5x=\2\u01fe\u0207")
        buf.write("\5z>\2\u01ff\u0207\5\u0082B\2\u0200\u0207\5\u0084C\2\u0201")
        buf.write("\u0207\5\u0086D\2\u0202\u0207\5\u008aF\2\u0203\u0207\5")
        buf.write("\u008cG\2\u0204\u0207\5\u008eH\2\u0205\u0207\5\u0090I")
        buf.write("\2\u0206\u01f3\3\2\2\2\u0206\u01f4\3\2\2\2\u0206\u01f5")
        buf.write("\3\2\2\2\u0206\u01f6\3\2\2\2\u0206\u01f7\3\2\2\2\u0206")
        buf.write("\u01f8\3\2\2\2\u0206\u01f9\3\2\2\2\u0206\u01fa\3\2\2\2")
        buf.write("\u0206\u01fb\3\2\2\2\u0206\u01fc\3\2\2\2\u0206\u01fd\3")
        buf.write("\2\2\2\u0206\u01fe\3\2\2\2\u0206\u01ff\3\2\2\2\u0206\u0200")
        buf.write("\3\2\2\2\u0206\u0201\3\2\2\2\u0206\u0202\3\2\2\2\u0206")
        buf.write("\u0203\3\2\2\2\u0206\u0204\3\2\2\2\u0206\u0205\3\2\2\2")
        buf.write("\u0207Y\3\2\2\2\u0208\u0209\7\t\2\2\u0209\u020a\5\u00b8")
        buf.write("]\2\u020a\u020b\5\\/\2\u020b\u020c\5\u0092J\2\u020c\u020d")
        buf.write("\7A\2\2\u020d[\3\2\2\2\u020e\u020f\t\4\2\2\u020f]\3\2")
        buf.write("\2\2\u0210\u0211\7\n\2\2\u0211\u0212\5\u00b8]\2\u0212")
        buf.write("\u0213\7A\2\2\u0213_\3\2\2\2\u0214\u0215\7\13\2\2\u0215")
        buf.write("\u0216\5\u00a8U\2\u0216\u0217\7A\2\2\u0217a\3\2\2\2\u0218")
        buf.write("\u021d\7\f\2\2\u0219\u021a\7=\2\2\u021a\u021b\5d\63\2")
        buf.write("\u021b\u021c\7>\2\2\u021c\u021e\3\2\2\2\u021d\u0219\3")
        buf.write("\2\2\2\u021d\u021e\3\2\2\2\u021e\u021f\3\2\2\2\u021f\u0220")
        buf.write("\7A\2\2\u0220c\3\2\2\2\u0221\u0223\5\u00b8]\2\u0222\u0224")
        buf.write("\5\u00b4[\2\u0223\u0222\3\2\2\2\u0223\u0224\3\2\2\2\u0224")
        buf.write("e\3\2\2\2\u0225\u0226\7\16\2\2\u0226\u0227\5,\27\2\u0227")
        buf.write("\u0228\7I\2\2\u0228\u0229\5\u00b8]\2\u0229\u022a\5\u00b4")
        buf.write("[\2\u022a\u022b\7A\2\2\u022bg\3\2\2\2\u022c\u022d\5\u00b8")
        buf.write("]\2\u022d\u0231\5\u00b4[\2\u022e\u0230\5\u00aaV\2\u022f")
        buf.write("\u022e\3\2\2\2\u0230\u0233\3\2\2\2\u0231\u022f\3\2\2\2")
        buf.write("\u0231\u0232\3\2\2\2\u0232\u0234\3\2\2\2\u0233\u0231\3")
        buf.write("\2\2\2\u0234\u0235\7A\2\2\u0235i\3\2\2\2\u0236\u023a\5")
        buf.write("l\67\2\u0237\u0239\5n8\2\u0238\u0237\3\2\2\2\u0239\u023c")
        buf.write("\3\2\2\2\u023a\u0238\3\2\2\2\u023a\u023b\3\2\2\2\u023b")
        buf.write("k\3\2\2\2\u023c\u023a\3\2\2\2\u023d\u023e\7\r\2\2\u023e")
        buf.write("\u023f\5p9\2\u023f\u0240\5V,\2\u0240m\3\2\2\2\u0241\u0242")
        buf.write("\7#\2\2\u0242\u0249\5p9\2\u0243\u0246\7\"\2\2\u0244\u0245")
        buf.write("\7\r\2\2\u0245\u0247\5p9\2\u0246\u0244\3\2\2\2\u0246\u0247")
        buf.write("\3\2\2\2\u0247\u0249\3\2\2\2\u0248\u0241\3\2\2\2\u0248")
        buf.write("\u0243\3\2\2\2\u0249\u024a\3\2\2\2\u024a\u024b\5V,\2\u024b")
        buf.write("o\3\2\2\2\u024c\u024e\7=\2\2\u024d\u024f\5v<\2\u024e\u024d")
        buf.write("\3\2\2\2\u024e\u024f\3\2\2\2\u024f\u0250\3\2\2\2\u0250")
        buf.write("\u0251\5\u0092J\2\u0251\u0252\7>\2\2\u0252q\3\2\2\2\u0253")
        buf.write("\u0255\7\30\2\2\u0254\u0256\5t;\2\u0255\u0254\3\2\2\2")
        buf.write("\u0255\u0256\3\2\2\2\u0256\u0257\3\2\2\2\u0257\u0259\5")
        buf.write(",\27\2\u0258\u025a\5\62\32\2\u0259\u0258\3\2\2\2\u0259")
        buf.write("\u025a\3\2\2\2\u025a\u025b\3\2\2\2\u025b\u025c\7I\2\2")
        buf.write("\u025c\u025d\5\u0092J\2\u025d\u025e\7A\2\2\u025es\3\2")
        buf.write("\2\2\u025f\u0260\7)\2\2\u0260u\3\2\2\2\u0261\u0262\7\30")
        buf.write("\2\2\u0262\u0263\5,\27\2\u0263\u0264\7I\2\2\u0264w\3\2")
        buf.write("\2\2\u0265\u0266\7!\2\2\u0266\u0267\7=\2\2\u0267\u0268")
        buf.write("\5\u0092J\2\u0268\u0269\7>\2\2\u0269\u026a\7A\2\2\u026a")
        buf.write("y\3\2\2\2\u026b\u026c\7\31\2\2\u026c\u026d\5p9\2\u026d")
        buf.write("\u0271\7;\2\2\u026e\u0270\5|?\2\u026f\u026e\3\2\2\2\u0270")
        buf.write("\u0273\3\2\2\2\u0271\u026f\3\2\2\2\u0271\u0272\3\2\2\2")
        buf.write("\u0272\u0274\3\2\2\2\u0273\u0271\3\2\2\2\u0274\u0275\7")
        buf.write("<\2\2\u0275{\3\2\2\2\u0276\u0277\7\32\2\2\u0277\u027c")
        buf.write("\5~@\2\u0278\u0279\7B\2\2\u0279\u027b\5~@\2\u027a\u0278")
        buf.write("\3\2\2\2\u027b\u027e\3\2\2\2\u027c\u027a\3\2\2\2\u027c")
        buf.write("\u027d\3\2\2\2\u027d\u0281\3\2\2\2\u027e\u027c\3\2\2\2")
        buf.write("\u027f\u0281\5J&\2\u0280\u0276\3\2\2\2\u0280\u027f\3\2")
        buf.write("\2\2\u0281\u0282\3\2\2\2\u0282\u0283\7D\2\2\u0283\u0284")
        buf.write("\5V,\2\u0284}\3\2\2\2\u0285\u0287\5\u0080A\2\u0286\u0285")
        buf.write("\3\2\2\2\u0286\u0287\3\2\2\2\u0287\u0288\3\2\2\2\u0288")
        buf.write("\u0289\5\u0092J\2\u0289\177\3\2\2\2\u028a\u028b\7T\2\2")
        buf.write("\u028b\u0081\3\2\2\2\u028c\u028d\7\33\2\2\u028d\u028e")
        buf.write("\7=\2\2\u028e\u028f\5,\27\2\u028f\u0290\7-\2\2\u0290\u0291")
        buf.write("\5\u0092J\2\u0291\u0292\7>\2\2\u0292\u0293\5V,\2\u0293")
        buf.write("\u0083\3\2\2\2\u0294\u0295\7\34\2\2\u0295\u0297\5,\27")
        buf.write("\2\u0296\u0298\5\u00b4[\2\u0297\u0296\3\2\2\2\u0297\u0298")
        buf.write("\3\2\2\2\u0298\u0299\3\2\2\2\u0299\u029a\7A\2\2\u029a")
        buf.write("\u0085\3\2\2\2\u029b\u029c\7\35\2\2\u029c\u02a7\7;\2\2")
        buf.write("\u029d\u02a4\5\u0088E\2\u029e\u02a0\7B\2\2\u029f\u02a1")
        buf.write("\5\u0088E\2\u02a0\u029f\3\2\2\2\u02a0\u02a1\3\2\2\2\u02a1")
        buf.write("\u02a3\3\2\2\2\u02a2\u029e\3\2\2\2\u02a3\u02a6\3\2\2\2")
        buf.write("\u02a4\u02a2\3\2\2\2\u02a4\u02a5\3\2\2\2\u02a5\u02a8\3")
        buf.write("\2\2\2\u02a6\u02a4\3\2\2\2\u02a7\u029d\3\2\2\2\u02a7\u02a8")
        buf.write("\3\2\2\2\u02a8\u02a9\3\2\2\2\u02a9\u02aa\7<\2\2\u02aa")
        buf.write("\u02ab\7A\2\2\u02ab\u0087\3\2\2\2\u02ac\u02ad\5\u00b0")
        buf.write("Y\2\u02ad\u02ae\7I\2\2\u02ae\u02af\5\u0092J\2\u02af\u0089")
        buf.write("\3\2\2\2\u02b0\u02b1\7\36\2\2\u02b1\u02b2\5\u00b4[\2\u02b2")
        buf.write("\u02b3\7A\2\2\u02b3\u008b\3\2\2\2\u02b4\u02b5\7\37\2\2")
        buf.write("\u02b5\u02b6\7A\2\2\u02b6\u008d\3\2\2\2\u02b7\u02b8\7")
        buf.write(" \2\2\u02b8\u02b9\5\u00bc_\2\u02b9\u02ba\7;\2\2\u02ba")
        buf.write("\u02bb\5\u0092J\2\u02bb\u02bc\7<\2\2\u02bc\u008f\3\2\2")
        buf.write("\2\u02bd\u02be\5T+\2\u02be\u02bf\5X-\2\u02bf\u0091\3\2")
        buf.write("\2\2\u02c0\u02c5\5\u0094K\2\u02c1\u02c2\7Y\2\2\u02c2\u02c4")
        buf.write("\5\u0094K\2\u02c3\u02c1\3\2\2\2\u02c4\u02c7\3\2\2\2\u02c5")
        buf.write("\u02c3\3\2\2\2\u02c5\u02c6\3\2\2\2\u02c6\u0093\3\2\2\2")
        buf.write("\u02c7\u02c5\3\2\2\2\u02c8\u02cd\5\u0096L\2\u02c9\u02ca")
        buf.write("\7X\2\2\u02ca\u02cc\5\u0096L\2\u02cb\u02c9\3\2\2\2\u02cc")
        buf.write("\u02cf\3\2\2\2\u02cd\u02cb\3\2\2\2\u02cd\u02ce\3\2\2\2")
        buf.write("\u02ce\u0095\3\2\2\2\u02cf\u02cd\3\2\2\2\u02d0\u02d2\5")
        buf.write(" \21\2\u02d1\u02d0\3\2\2\2\u02d2\u02d5\3\2\2\2\u02d3\u02d1")
        buf.write("\3\2\2\2\u02d3\u02d4\3\2\2\2\u02d4\u02d6\3\2\2\2\u02d5")
        buf.write("\u02d3\3\2\2\2\u02d6\u02d7\5\u0098M\2\u02d7\u0097\3\2")
        buf.write("\2\2\u02d8\u02e1\5\u00a0Q\2\u02d9\u02da\5\u009aN\2\u02da")
        buf.write("\u02dc\5\u00a0Q\2\u02db\u02dd\5\u009cO\2\u02dc\u02db\3")
        buf.write("\2\2\2\u02dc\u02dd\3\2\2\2\u02dd\u02e0\3\2\2\2\u02de\u02e0")
        buf.write("\5\u009eP\2\u02df\u02d9\3\2\2\2\u02df\u02de\3\2\2\2\u02e0")
        buf.write("\u02e3\3\2\2\2\u02e1\u02df\3\2\2\2\u02e1\u02e2\3\2\2\2")
        buf.write("\u02e2\u0099\3\2\2\2\u02e3\u02e1\3\2\2\2\u02e4\u02e5\t")
        buf.write("\5\2\2\u02e5\u009b\3\2\2\2\u02e6\u02e7\7%\2\2\u02e7\u02e8")
        buf.write("\5,\27\2\u02e8\u009d\3\2\2\2\u02e9\u02eb\7\61\2\2\u02ea")
        buf.write("\u02ec\7\62\2\2\u02eb\u02ea\3\2\2\2\u02eb\u02ec\3\2\2")
        buf.write("\2\u02ec\u02ed\3\2\2\2\u02ed\u02ee\5\u00b0Y\2\u02ee\u009f")
        buf.write("\3\2\2\2\u02ef\u02f1\5\u00a6T\2\u02f0\u02ef\3\2\2\2\u02f0")
        buf.write("\u02f1\3\2\2\2\u02f1\u02f2\3\2\2\2\u02f2\u02fb\5\u00a2")
        buf.write("R\2\u02f3\u02f5\5\u00a4S\2\u02f4\u02f6\5\u00a6T\2\u02f5")
        buf.write("\u02f4\3\2\2\2\u02f5\u02f6\3\2\2\2\u02f6\u02f7\3\2\2\2")
        buf.write("\u02f7\u02f8\5\u00a2R\2\u02f8\u02fa\3\2\2\2\u02f9\u02f3")
        buf.write("\3\2\2\2\u02fa\u02fd\3\2\2\2\u02fb\u02f9\3\2\2\2\u02fb")
        buf.write("\u02fc\3\2\2\2\u02fc\u00a1\3\2\2\2\u02fd\u02fb\3\2\2\2")
        buf.write("\u02fe\u0306\5\u00a8U\2\u02ff\u0301\7W\2\2\u0300\u0302")
        buf.write("\5\u00a6T\2\u0301\u0300\3\2\2\2\u0301\u0302\3\2\2\2\u0302")
        buf.write("\u0303\3\2\2\2\u0303\u0305\5\u00a8U\2\u0304\u02ff\3\2")
        buf.write("\2\2\u0305\u0308\3\2\2\2\u0306\u0304\3\2\2\2\u0306\u0307")
        buf.write("\3\2\2\2\u0307\u00a3\3\2\2\2\u0308\u0306\3\2\2\2\u0309")
        buf.write("\u030a\t\6\2\2\u030a\u00a5\3\2\2\2\u030b\u030c\7[\2\2")
        buf.write("\u030c\u00a7\3\2\2\2\u030d\u0318\5\u00b8]\2\u030e\u0311")
        buf.write("\5\u00b4[\2\u030f\u0311\5\u00acW\2\u0310\u030e\3\2\2\2")
        buf.write("\u0310\u030f\3\2\2\2\u0311\u0315\3\2\2\2\u0312\u0314\5")
        buf.write("\u00aaV\2\u0313\u0312\3\2\2\2\u0314\u0317\3\2\2\2\u0315")
        buf.write("\u0313\3\2\2\2\u0315\u0316\3\2\2\2\u0316\u0319\3\2\2\2")
        buf.write("\u0317\u0315\3\2\2\2\u0318\u0310\3\2\2\2\u0318\u0319\3")
        buf.write("\2\2\2\u0319\u0328\3\2\2\2\u031a\u031f\5\u00bc_\2\u031b")
        buf.write("\u031f\5\u00ba^\2\u031c\u031f\5\u00be`\2\u031d\u031f\5")
        buf.write("\u00b2Z\2\u031e\u031a\3\2\2\2\u031e\u031b\3\2\2\2\u031e")
        buf.write("\u031c\3\2\2\2\u031e\u031d\3\2\2\2\u031f\u0323\3\2\2\2")
        buf.write("\u0320\u0322\5\u00aaV\2\u0321\u0320\3\2\2\2\u0322\u0325")
        buf.write("\3\2\2\2\u0323\u0321\3\2\2\2\u0323\u0324\3\2\2\2\u0324")
        buf.write("\u0328\3\2\2\2\u0325\u0323\3\2\2\2\u0326\u0328\5\u00ae")
        buf.write("X\2\u0327\u030d\3\2\2\2\u0327\u031e\3\2\2\2\u0327\u0326")
        buf.write("\3\2\2\2\u0328\u00a9\3\2\2\2\u0329\u032a\7C\2\2\u032a")
        buf.write("\u032c\5\u00b0Y\2\u032b\u032d\5\u00b4[\2\u032c\u032b\3")
        buf.write("\2\2\2\u032c\u032d\3\2\2\2\u032d\u0330\3\2\2\2\u032e\u0330")
        buf.write("\5\u00acW\2\u032f\u0329\3\2\2\2\u032f\u032e\3\2\2\2\u0330")
        buf.write("\u00ab\3\2\2\2\u0331\u0332\7?\2\2\u0332\u0333\5\u0092")
        buf.write("J\2\u0333\u0334\7@\2\2\u0334\u00ad\3\2\2\2\u0335\u0340")
        buf.write("\7?\2\2\u0336\u033d\5\u0092J\2\u0337\u0339\7B\2\2\u0338")
        buf.write("\u033a\5\u0092J\2\u0339\u0338\3\2\2\2\u0339\u033a\3\2")
        buf.write("\2\2\u033a\u033c\3\2\2\2\u033b\u0337\3\2\2\2\u033c\u033f")
        buf.write("\3\2\2\2\u033d\u033b\3\2\2\2\u033d\u033e\3\2\2\2\u033e")
        buf.write("\u0341\3\2\2\2\u033f\u033d\3\2\2\2\u0340\u0336\3\2\2\2")
        buf.write("\u0340\u0341\3\2\2\2\u0341\u0342\3\2\2\2\u0342\u0343\7")
        buf.write("@\2\2\u0343\u00af\3\2\2\2\u0344\u0345\7\63\2\2\u0345\u00b1")
        buf.write("\3\2\2\2\u0346\u0347\7=\2\2\u0347\u0348\5\u0092J\2\u0348")
        buf.write("\u0349\7>\2\2\u0349\u00b3\3\2\2\2\u034a\u0355\7=\2\2\u034b")
        buf.write("\u0352\5\u00b6\\\2\u034c\u034e\7B\2\2\u034d\u034f\5\u00b6")
        buf.write("\\\2\u034e\u034d\3\2\2\2\u034e\u034f\3\2\2\2\u034f\u0351")
        buf.write("\3\2\2\2\u0350\u034c\3\2\2\2\u0351\u0354\3\2\2\2\u0352")
        buf.write("\u0350\3\2\2\2\u0352\u0353\3\2\2\2\u0353\u0356\3\2\2\2")
        buf.write("\u0354\u0352\3\2\2\2\u0355\u034b\3\2\2\2\u0355\u0356\3")
        buf.write("\2\2\2\u0356\u0357\3\2\2\2\u0357\u0358\7>\2\2\u0358\u00b5")
        buf.write("\3\2\2\2\u0359\u035c\5\u0092J\2\u035a\u035b\7I\2\2\u035b")
        buf.write("\u035d\5\u0092J\2\u035c\u035a\3\2\2\2\u035c\u035d\3\2")
        buf.write("\2\2\u035d\u00b7\3\2\2\2\u035e\u0363\7\63\2\2\u035f\u0360")
        buf.write("\7C\2\2\u0360\u0362\t\7\2\2\u0361\u035f\3\2\2\2\u0362")
        buf.write("\u0365\3\2\2\2\u0363\u0361\3\2\2\2\u0363\u0364\3\2\2\2")
        buf.write("\u0364\u00b9\3\2\2\2\u0365\u0363\3\2\2\2\u0366\u0368\7")
        buf.write("\64\2\2\u0367\u0369\7\63\2\2\u0368\u0367\3\2\2\2\u0368")
        buf.write("\u0369\3\2\2\2\u0369\u00bb\3\2\2\2\u036a\u036b\t\b\2\2")
        buf.write("\u036b\u00bd\3\2\2\2\u036c\u036d\79\2\2\u036d\u00bf\3")
        buf.write("\2\2\2R\u00c3\u00d7\u00e3\u00ef\u00fc\u0101\u010a\u0113")
        buf.write("\u011c\u0120\u0126\u012e\u0137\u0140\u014c\u0150\u0156")
        buf.write("\u0163\u016e\u017d\u0180\u0195\u0197\u01a8\u01ac\u01af")
        buf.write("\u01b5\u01bd\u01ca\u01cf\u01d8\u01e8\u01ee\u0206\u021d")
        buf.write("\u0223\u0231\u023a\u0246\u0248\u024e\u0255\u0259\u0271")
        buf.write("\u027c\u0280\u0286\u0297\u02a0\u02a4\u02a7\u02c5\u02cd")
        buf.write("\u02d3\u02dc\u02df\u02e1\u02eb\u02f0\u02f5\u02fb\u0301")
        buf.write("\u0306\u0310\u0315\u0318\u031e\u0323\u0327\u032c\u032f")
        buf.write("\u0339\u033d\u0340\u034e\u0352\u0355\u035c\u0363\u0368")
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
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>",
                     "<INVALID>", "'{'", "'}'", "'('", "')'", "'['", "']'",
                     "';'", "','", "'.'", "':'", "'?'", "'@'", "'->'", "'=>'",
                     "'='", "'+='", "'-='", "'*='", "'/='", "'=='", "'!='",
                     "'<'", "'<='", "'>'", "'>='", "'~'", "'!~'", "'!'",
                     "'??'", "'&&'", "'||'", "'+'", "'-'", "'*'", "'/'",
                     "'%'", "'++'", "'--'" ]

    symbolicNames = [ "<INVALID>", "VCL", "BACKEND", "PROBE", "ACL", "SUB",
                      "IMPORT", "SET", "UNSET", "CALL", "RETURN", "IF",
                      "NEW", "PROCEDURE", "TEXT_SET", "CONST", "PARAM",
                      "FN", "TABLE", "COUNTER", "BUDGET", "CACHING", "LET",
                      "SWITCH", "CASE", "FOR", "COUNT", "LOG", "ALLOW",
                      "BUILTIN", "INVARIANT", "GIVE", "ELSE", "ELSEIF",
                      "FROM", "AS", "NONE", "INCLUDE", "TEST", "MUT", "BY",
                      "COLUMNS", "DEFAULT", "IN", "STARTS", "ENDS", "CONTAINS",
                      "IS", "IS_NOT", "IDENTIFIER", "NUMBER", "STRING",
                      "UNCLOSED_STRING", "LONG_STRING", "TRIPLE_STRING",
                      "BLOB", "INLINE_C", "LBRACE", "RBRACE", "LPAREN",
                      "RPAREN", "LBRACKET", "RBRACKET", "SEMI", "COMMA",
                      "DOT", "COLON", "QUESTION", "AT", "ARROW", "MAPS_TO",
                      "ASSIGN", "ADD_ASSIGN", "SUB_ASSIGN", "MUL_ASSIGN",
                      "DIV_ASSIGN", "EQ", "NE", "LT", "LE", "GT", "GE",
                      "MATCH", "NO_MATCH", "NOT", "COALESCE", "AND", "OR",
                      "PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "DOUBLE_PLUS",
                      "DOUBLE_MINUS", "LINE_COMMENT", "BLOCK_COMMENT", "SPACE",
                      "UNKNOWN" ]

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
    RULE_caching = 40
    RULE_annotation = 41
    RULE_block = 42
    RULE_statement = 43
    RULE_setStatement = 44
    RULE_assignment = 45
    RULE_unsetStatement = 46
    RULE_callStatement = 47
    RULE_returnStatement = 48
    RULE_action = 49
    RULE_newStatement = 50
    RULE_functionStatement = 51
    RULE_ifStatement = 52
    RULE_ifArm = 53
    RULE_elseArm = 54
    RULE_condition = 55
    RULE_letStatement = 56
    RULE_mut = 57
    RULE_binding = 58
    RULE_giveStatement = 59
    RULE_switchStatement = 60
    RULE_switchCase = 61
    RULE_caseLabel = 62
    RULE_matching = 63
    RULE_forStatement = 64
    RULE_countStatement = 65
    RULE_logStatement = 66
    RULE_logPair = 67
    RULE_allowStatement = 68
    RULE_builtinStatement = 69
    RULE_invariant = 70
    RULE_labelled = 71
    RULE_expression = 72
    RULE_conjunction = 73
    RULE_negation = 74
    RULE_comparison = 75
    RULE_comparator = 76
    RULE_capture = 77
    RULE_presence = 78
    RULE_arithmetic = 79
    RULE_coalesce = 80
    RULE_arithmeticOp = 81
    RULE_minus = 82
    RULE_postfix = 83
    RULE_member = 84
    RULE_subscript = 85
    RULE_listLiteral = 86
    RULE_memberName = 87
    RULE_parenthesised = 88
    RULE_arguments = 89
    RULE_argument = 90
    RULE_name = 91
    RULE_number = 92
    RULE_string = 93
    RULE_blob = 94

    ruleNames =  [ "program", "declaration", "version", "backend", "none",
                   "probe", "properties", "field", "fieldName", "acl", "aclEntries",
                   "aclFlag", "aclEntry", "optionalAddress", "aclAddress",
                   "negated", "maskBits", "subroutine", "testCase", "importModule",
                   "importAlias", "declaredName", "inlineC", "constant",
                   "typed", "typeName", "function", "parameters", "parameter",
                   "textSet", "tableDeclaration", "tableKind", "columns",
                   "rows", "row", "rowKey", "defaultWord", "counter", "budget",
                   "budgetEntry", "caching", "annotation", "block", "statement",
                   "setStatement", "assignment", "unsetStatement", "callStatement",
                   "returnStatement", "action", "newStatement", "functionStatement",
                   "ifStatement", "ifArm", "elseArm", "condition", "letStatement",
                   "mut", "binding", "giveStatement", "switchStatement",
                   "switchCase", "caseLabel", "matching", "forStatement",
                   "countStatement", "logStatement", "logPair", "allowStatement",
                   "builtinStatement", "invariant", "labelled", "expression",
                   "conjunction", "negation", "comparison", "comparator",
                   "capture", "presence", "arithmetic", "coalesce", "arithmeticOp",
                   "minus", "postfix", "member", "subscript", "listLiteral",
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
    PROCEDURE=13
    TEXT_SET=14
    CONST=15
    PARAM=16
    FN=17
    TABLE=18
    COUNTER=19
    BUDGET=20
    CACHING=21
    LET=22
    SWITCH=23
    CASE=24
    FOR=25
    COUNT=26
    LOG=27
    ALLOW=28
    BUILTIN=29
    INVARIANT=30
    GIVE=31
    ELSE=32
    ELSEIF=33
    FROM=34
    AS=35
    NONE=36
    INCLUDE=37
    TEST=38
    MUT=39
    BY=40
    COLUMNS=41
    DEFAULT=42
    IN=43
    STARTS=44
    ENDS=45
    CONTAINS=46
    IS=47
    IS_NOT=48
    IDENTIFIER=49
    NUMBER=50
    STRING=51
    UNCLOSED_STRING=52
    LONG_STRING=53
    TRIPLE_STRING=54
    BLOB=55
    INLINE_C=56
    LBRACE=57
    RBRACE=58
    LPAREN=59
    RPAREN=60
    LBRACKET=61
    RBRACKET=62
    SEMI=63
    COMMA=64
    DOT=65
    COLON=66
    QUESTION=67
    AT=68
    ARROW=69
    MAPS_TO=70
    ASSIGN=71
    ADD_ASSIGN=72
    SUB_ASSIGN=73
    MUL_ASSIGN=74
    DIV_ASSIGN=75
    EQ=76
    NE=77
    LT=78
    LE=79
    GT=80
    GE=81
    MATCH=82
    NO_MATCH=83
    NOT=84
    COALESCE=85
    AND=86
    OR=87
    PLUS=88
    MINUS=89
    STAR=90
    SLASH=91
    PERCENT=92
    DOUBLE_PLUS=93
    DOUBLE_MINUS=94
    LINE_COMMENT=95
    BLOCK_COMMENT=96
    SPACE=97
    UNKNOWN=98

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
            self.state = 193
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.VCL) | (1 << VclParser.BACKEND) | (1 << VclParser.PROBE) | (1 << VclParser.ACL) | (1 << VclParser.SUB) | (1 << VclParser.IMPORT) | (1 << VclParser.PROCEDURE) | (1 << VclParser.TEXT_SET) | (1 << VclParser.CONST) | (1 << VclParser.PARAM) | (1 << VclParser.FN) | (1 << VclParser.TABLE) | (1 << VclParser.COUNTER) | (1 << VclParser.BUDGET) | (1 << VclParser.CACHING) | (1 << VclParser.TEST) | (1 << VclParser.INLINE_C))) != 0) or _la==VclParser.AT:
                self.state = 190
                self.declaration()
                self.state = 195
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 196
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


        def caching(self):
            return self.getTypedRuleContext(VclParser.CachingContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_declaration




    def declaration(self):

        localctx = VclParser.DeclarationContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_declaration)
        try:
            self.state = 213
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.VCL]:
                self.enterOuterAlt(localctx, 1)
                self.state = 198
                self.version()
                pass
            elif token in [VclParser.BACKEND]:
                self.enterOuterAlt(localctx, 2)
                self.state = 199
                self.backend()
                pass
            elif token in [VclParser.PROBE]:
                self.enterOuterAlt(localctx, 3)
                self.state = 200
                self.probe()
                pass
            elif token in [VclParser.ACL]:
                self.enterOuterAlt(localctx, 4)
                self.state = 201
                self.acl()
                pass
            elif token in [VclParser.SUB, VclParser.PROCEDURE, VclParser.AT]:
                self.enterOuterAlt(localctx, 5)
                self.state = 202
                self.subroutine()
                pass
            elif token in [VclParser.IMPORT]:
                self.enterOuterAlt(localctx, 6)
                self.state = 203
                self.importModule()
                pass
            elif token in [VclParser.INLINE_C]:
                self.enterOuterAlt(localctx, 7)
                self.state = 204
                self.inlineC()
                pass
            elif token in [VclParser.TEST]:
                self.enterOuterAlt(localctx, 8)
                self.state = 205
                self.testCase()
                pass
            elif token in [VclParser.CONST, VclParser.PARAM]:
                self.enterOuterAlt(localctx, 9)
                self.state = 206
                self.constant()
                pass
            elif token in [VclParser.FN]:
                self.enterOuterAlt(localctx, 10)
                self.state = 207
                self.function()
                pass
            elif token in [VclParser.TEXT_SET]:
                self.enterOuterAlt(localctx, 11)
                self.state = 208
                self.textSet()
                pass
            elif token in [VclParser.TABLE]:
                self.enterOuterAlt(localctx, 12)
                self.state = 209
                self.tableDeclaration()
                pass
            elif token in [VclParser.COUNTER]:
                self.enterOuterAlt(localctx, 13)
                self.state = 210
                self.counter()
                pass
            elif token in [VclParser.BUDGET]:
                self.enterOuterAlt(localctx, 14)
                self.state = 211
                self.budget()
                pass
            elif token in [VclParser.CACHING]:
                self.enterOuterAlt(localctx, 15)
                self.state = 212
                self.caching()
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
            self.state = 215
            self.match(VclParser.VCL)
            self.state = 216
            self.match(VclParser.NUMBER)
            self.state = 217
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
            self.state = 219
            self.match(VclParser.BACKEND)
            self.state = 220
            self.declaredName()
            self.state = 225
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.NONE]:
                self.state = 221
                self.none()
                self.state = 222
                self.match(VclParser.SEMI)
                pass
            elif token in [VclParser.LBRACE]:
                self.state = 224
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
            self.state = 227
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
            self.state = 229
            self.match(VclParser.PROBE)
            self.state = 230
            self.declaredName()
            self.state = 231
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
            self.state = 233
            self.match(VclParser.LBRACE)
            self.state = 237
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 234
                self.field()
                self.state = 239
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 240
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
            self.state = 242
            self.match(VclParser.DOT)
            self.state = 243
            self.fieldName()
            self.state = 244
            self.match(VclParser.ASSIGN)
            self.state = 255
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LBRACE]:
                self.state = 245
                self.properties()
                pass
            elif token in [VclParser.IDENTIFIER, VclParser.NUMBER, VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING, VclParser.BLOB, VclParser.LPAREN, VclParser.LBRACKET, VclParser.NOT, VclParser.MINUS]:
                self.state = 246
                self.expression()
                self.state = 250
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                    self.state = 247
                    self.string()
                    self.state = 252
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 253
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
            self.state = 257
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
            self.state = 259
            self.match(VclParser.ACL)
            self.state = 260
            self.declaredName()
            self.state = 264
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.PLUS or _la==VclParser.MINUS:
                self.state = 261
                self.aclFlag()
                self.state = 266
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 267
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
            self.state = 269
            self.match(VclParser.LBRACE)
            self.state = 273
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 51)) & ~0x3f) == 0 and ((1 << (_la - 51)) & ((1 << (VclParser.STRING - 51)) | (1 << (VclParser.LONG_STRING - 51)) | (1 << (VclParser.TRIPLE_STRING - 51)) | (1 << (VclParser.LPAREN - 51)) | (1 << (VclParser.NOT - 51)))) != 0):
                self.state = 270
                self.aclEntry()
                self.state = 275
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 276
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
            self.state = 278
            _la = self._input.LA(1)
            if not(_la==VclParser.PLUS or _la==VclParser.MINUS):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
            self.state = 279
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
            self.state = 282
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.NOT:
                self.state = 281
                self.negated()


            self.state = 286
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LPAREN]:
                self.state = 284
                self.optionalAddress()
                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 285
                self.aclAddress()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 288
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
            self.state = 290
            self.match(VclParser.LPAREN)
            self.state = 292
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.NOT:
                self.state = 291
                self.negated()


            self.state = 294
            self.aclAddress()
            self.state = 295
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
            self.state = 297
            self.string()
            self.state = 300
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.SLASH:
                self.state = 298
                self.match(VclParser.SLASH)
                self.state = 299
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
            self.state = 302
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
            self.state = 304
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
            self.state = 309
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.AT:
                self.state = 306
                self.annotation()
                self.state = 311
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 318
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.SUB]:
                self.state = 312
                self.match(VclParser.SUB)
                self.state = 313
                self.declaredName()
                pass
            elif token in [VclParser.PROCEDURE]:
                self.state = 314
                self.match(VclParser.PROCEDURE)
                self.state = 315
                self.declaredName()
                self.state = 316
                self.parameters()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 320
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
            self.state = 322
            self.match(VclParser.TEST)
            self.state = 323
            self.string()
            self.state = 324
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
            self.state = 326
            self.match(VclParser.IMPORT)
            self.state = 340
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.IDENTIFIER]:
                self.state = 327
                self.declaredName()
                self.state = 330
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.AS:
                    self.state = 328
                    self.match(VclParser.AS)
                    self.state = 329
                    self.importAlias()


                self.state = 334
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.FROM:
                    self.state = 332
                    self.match(VclParser.FROM)
                    self.state = 333
                    self.string()


                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 336
                self.string()
                self.state = 337
                self.match(VclParser.AS)
                self.state = 338
                self.importAlias()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 342
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
            self.state = 344
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
            self.state = 346
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
            self.state = 348
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
            self.state = 350
            _la = self._input.LA(1)
            if not(_la==VclParser.CONST or _la==VclParser.PARAM):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
            self.state = 351
            self.declaredName()
            self.state = 353
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.COLON:
                self.state = 352
                self.typed()


            self.state = 355
            self.match(VclParser.ASSIGN)
            self.state = 356
            self.expression()
            self.state = 357
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
            self.state = 359
            self.match(VclParser.COLON)
            self.state = 360
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
            self.state = 362
            self.match(VclParser.IDENTIFIER)
            self.state = 364
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.QUESTION:
                self.state = 363
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
            self.state = 366
            self.match(VclParser.FN)
            self.state = 367
            self.declaredName()
            self.state = 368
            self.parameters()
            self.state = 369
            self.match(VclParser.ARROW)
            self.state = 370
            self.typeName()
            self.state = 371
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
            self.state = 373
            self.match(VclParser.LPAREN)
            self.state = 382
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 374
                self.parameter()
                self.state = 379
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 375
                    self.match(VclParser.COMMA)
                    self.state = 376
                    self.parameter()
                    self.state = 381
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 384
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
            self.state = 386
            self.declaredName()
            self.state = 387
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
            self.state = 389
            self.match(VclParser.TEXT_SET)
            self.state = 390
            self.declaredName()
            self.state = 391
            self.listLiteral()
            self.state = 392
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
            self.state = 394
            self.match(VclParser.TABLE)
            self.state = 395
            self.declaredName()
            self.state = 396
            self.typed()
            self.state = 397
            self.match(VclParser.BY)
            self.state = 398
            self.tableKind()
            self.state = 405
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LBRACKET]:
                self.state = 399
                self.rows()
                pass
            elif token in [VclParser.FROM]:
                self.state = 400
                self.match(VclParser.FROM)
                self.state = 401
                self.string()
                self.state = 403
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.COLUMNS:
                    self.state = 402
                    self.columns()


                pass
            else:
                raise NoViableAltException(self)

            self.state = 407
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
            self.state = 409
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
            self.state = 411
            self.match(VclParser.COLUMNS)
            self.state = 412
            self.match(VclParser.LPAREN)
            self.state = 413
            self.match(VclParser.IDENTIFIER)
            self.state = 414
            self.match(VclParser.COMMA)
            self.state = 415
            self.match(VclParser.IDENTIFIER)
            self.state = 416
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
            self.state = 418
            self.match(VclParser.LBRACKET)
            self.state = 429
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.DEFAULT) | (1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                self.state = 419
                self.row()
                self.state = 426
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 420
                    self.match(VclParser.COMMA)
                    self.state = 422
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.DEFAULT) | (1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                        self.state = 421
                        self.row()


                    self.state = 428
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 431
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
            self.state = 435
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.DEFAULT]:
                self.state = 433
                self.defaultWord()
                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 434
                self.rowKey()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 437
            self.match(VclParser.MAPS_TO)
            self.state = 438
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
            self.state = 440
            self.string()
            self.state = 443
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.SLASH:
                self.state = 441
                self.match(VclParser.SLASH)
                self.state = 442
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
            self.state = 445
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
            self.state = 447
            self.match(VclParser.COUNTER)
            self.state = 448
            self.declaredName()
            self.state = 461
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.BY:
                self.state = 449
                self.match(VclParser.BY)
                self.state = 450
                self.match(VclParser.LPAREN)
                self.state = 451
                self.declaredName()
                self.state = 456
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 452
                    self.match(VclParser.COMMA)
                    self.state = 453
                    self.declaredName()
                    self.state = 458
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 459
                self.match(VclParser.RPAREN)


            self.state = 463
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
            self.state = 465
            self.match(VclParser.BUDGET)
            self.state = 466
            self.match(VclParser.LBRACE)
            self.state = 470
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.IDENTIFIER:
                self.state = 467
                self.budgetEntry()
                self.state = 472
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 473
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
            self.state = 475
            self.match(VclParser.IDENTIFIER)
            self.state = 476
            self.match(VclParser.NUMBER)
            self.state = 477
            self.match(VclParser.SEMI)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CachingContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def CACHING(self):
            return self.getToken(VclParser.CACHING, 0)

        def NUMBER(self):
            return self.getToken(VclParser.NUMBER, 0)

        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_caching




    def caching(self):

        localctx = VclParser.CachingContext(self, self._ctx, self.state)
        self.enterRule(localctx, 80, self.RULE_caching)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 479
            self.match(VclParser.CACHING)
            self.state = 480
            self.match(VclParser.NUMBER)
            self.state = 481
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
        self.enterRule(localctx, 82, self.RULE_annotation)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 483
            self.match(VclParser.AT)
            self.state = 484
            self.match(VclParser.IDENTIFIER)
            self.state = 486
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 485
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
        self.enterRule(localctx, 84, self.RULE_block)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 488
            self.match(VclParser.LBRACE)
            self.state = 492
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 7)) & ~0x3f) == 0 and ((1 << (_la - 7)) & ((1 << (VclParser.SET - 7)) | (1 << (VclParser.UNSET - 7)) | (1 << (VclParser.CALL - 7)) | (1 << (VclParser.RETURN - 7)) | (1 << (VclParser.IF - 7)) | (1 << (VclParser.NEW - 7)) | (1 << (VclParser.LET - 7)) | (1 << (VclParser.SWITCH - 7)) | (1 << (VclParser.FOR - 7)) | (1 << (VclParser.COUNT - 7)) | (1 << (VclParser.LOG - 7)) | (1 << (VclParser.ALLOW - 7)) | (1 << (VclParser.BUILTIN - 7)) | (1 << (VclParser.INVARIANT - 7)) | (1 << (VclParser.GIVE - 7)) | (1 << (VclParser.IDENTIFIER - 7)) | (1 << (VclParser.INLINE_C - 7)) | (1 << (VclParser.LBRACE - 7)) | (1 << (VclParser.AT - 7)))) != 0):
                self.state = 489
                self.statement()
                self.state = 494
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 495
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
        self.enterRule(localctx, 86, self.RULE_statement)
        try:
            self.state = 516
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.SET]:
                self.enterOuterAlt(localctx, 1)
                self.state = 497
                self.setStatement()
                pass
            elif token in [VclParser.UNSET]:
                self.enterOuterAlt(localctx, 2)
                self.state = 498
                self.unsetStatement()
                pass
            elif token in [VclParser.CALL]:
                self.enterOuterAlt(localctx, 3)
                self.state = 499
                self.callStatement()
                pass
            elif token in [VclParser.RETURN]:
                self.enterOuterAlt(localctx, 4)
                self.state = 500
                self.returnStatement()
                pass
            elif token in [VclParser.IF]:
                self.enterOuterAlt(localctx, 5)
                self.state = 501
                self.ifStatement()
                pass
            elif token in [VclParser.NEW]:
                self.enterOuterAlt(localctx, 6)
                self.state = 502
                self.newStatement()
                pass
            elif token in [VclParser.IDENTIFIER]:
                self.enterOuterAlt(localctx, 7)
                self.state = 503
                self.functionStatement()
                pass
            elif token in [VclParser.LBRACE]:
                self.enterOuterAlt(localctx, 8)
                self.state = 504
                self.block()
                pass
            elif token in [VclParser.INLINE_C]:
                self.enterOuterAlt(localctx, 9)
                self.state = 505
                self.inlineC()
                pass
            elif token in [VclParser.LET]:
                self.enterOuterAlt(localctx, 10)
                self.state = 506
                self.letStatement()
                pass
            elif token in [VclParser.GIVE]:
                self.enterOuterAlt(localctx, 11)
                self.state = 507
                self.giveStatement()
                pass
            elif token in [VclParser.SWITCH]:
                self.enterOuterAlt(localctx, 12)
                self.state = 508
                self.switchStatement()
                pass
            elif token in [VclParser.FOR]:
                self.enterOuterAlt(localctx, 13)
                self.state = 509
                self.forStatement()
                pass
            elif token in [VclParser.COUNT]:
                self.enterOuterAlt(localctx, 14)
                self.state = 510
                self.countStatement()
                pass
            elif token in [VclParser.LOG]:
                self.enterOuterAlt(localctx, 15)
                self.state = 511
                self.logStatement()
                pass
            elif token in [VclParser.ALLOW]:
                self.enterOuterAlt(localctx, 16)
                self.state = 512
                self.allowStatement()
                pass
            elif token in [VclParser.BUILTIN]:
                self.enterOuterAlt(localctx, 17)
                self.state = 513
                self.builtinStatement()
                pass
            elif token in [VclParser.INVARIANT]:
                self.enterOuterAlt(localctx, 18)
                self.state = 514
                self.invariant()
                pass
            elif token in [VclParser.AT]:
                self.enterOuterAlt(localctx, 19)
                self.state = 515
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
        self.enterRule(localctx, 88, self.RULE_setStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 518
            self.match(VclParser.SET)
            self.state = 519
            self.name()
            self.state = 520
            self.assignment()
            self.state = 521
            self.expression()
            self.state = 522
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
        self.enterRule(localctx, 90, self.RULE_assignment)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 524
            _la = self._input.LA(1)
            if not(((((_la - 71)) & ~0x3f) == 0 and ((1 << (_la - 71)) & ((1 << (VclParser.ASSIGN - 71)) | (1 << (VclParser.ADD_ASSIGN - 71)) | (1 << (VclParser.SUB_ASSIGN - 71)) | (1 << (VclParser.MUL_ASSIGN - 71)) | (1 << (VclParser.DIV_ASSIGN - 71)))) != 0)):
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
        self.enterRule(localctx, 92, self.RULE_unsetStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 526
            self.match(VclParser.UNSET)
            self.state = 527
            self.name()
            self.state = 528
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
        self.enterRule(localctx, 94, self.RULE_callStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 530
            self.match(VclParser.CALL)
            self.state = 531
            self.postfix()
            self.state = 532
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
        self.enterRule(localctx, 96, self.RULE_returnStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 534
            self.match(VclParser.RETURN)
            self.state = 539
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 535
                self.match(VclParser.LPAREN)
                self.state = 536
                self.action()
                self.state = 537
                self.match(VclParser.RPAREN)


            self.state = 541
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
        self.enterRule(localctx, 98, self.RULE_action)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 543
            self.name()
            self.state = 545
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 544
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
        self.enterRule(localctx, 100, self.RULE_newStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 547
            self.match(VclParser.NEW)
            self.state = 548
            self.declaredName()
            self.state = 549
            self.match(VclParser.ASSIGN)
            self.state = 550
            self.name()
            self.state = 551
            self.arguments()
            self.state = 552
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
        self.enterRule(localctx, 102, self.RULE_functionStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 554
            self.name()
            self.state = 555
            self.arguments()
            self.state = 559
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                self.state = 556
                self.member()
                self.state = 561
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 562
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
        self.enterRule(localctx, 104, self.RULE_ifStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 564
            self.ifArm()
            self.state = 568
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.ELSE or _la==VclParser.ELSEIF:
                self.state = 565
                self.elseArm()
                self.state = 570
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
        self.enterRule(localctx, 106, self.RULE_ifArm)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 571
            self.match(VclParser.IF)
            self.state = 572
            self.condition()
            self.state = 573
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
        self.enterRule(localctx, 108, self.RULE_elseArm)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 582
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.ELSEIF]:
                self.state = 575
                self.match(VclParser.ELSEIF)
                self.state = 576
                self.condition()
                pass
            elif token in [VclParser.ELSE]:
                self.state = 577
                self.match(VclParser.ELSE)
                self.state = 580
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.IF:
                    self.state = 578
                    self.match(VclParser.IF)
                    self.state = 579
                    self.condition()


                pass
            else:
                raise NoViableAltException(self)

            self.state = 584
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
        self.enterRule(localctx, 110, self.RULE_condition)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 586
            self.match(VclParser.LPAREN)
            self.state = 588
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LET:
                self.state = 587
                self.binding()


            self.state = 590
            self.expression()
            self.state = 591
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
        self.enterRule(localctx, 112, self.RULE_letStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 593
            self.match(VclParser.LET)
            self.state = 595
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MUT:
                self.state = 594
                self.mut()


            self.state = 597
            self.declaredName()
            self.state = 599
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.COLON:
                self.state = 598
                self.typed()


            self.state = 601
            self.match(VclParser.ASSIGN)
            self.state = 602
            self.expression()
            self.state = 603
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
        self.enterRule(localctx, 114, self.RULE_mut)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 605
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
        self.enterRule(localctx, 116, self.RULE_binding)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 607
            self.match(VclParser.LET)
            self.state = 608
            self.declaredName()
            self.state = 609
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
        self.enterRule(localctx, 118, self.RULE_giveStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 611
            self.match(VclParser.GIVE)
            self.state = 612
            self.match(VclParser.LPAREN)
            self.state = 613
            self.expression()
            self.state = 614
            self.match(VclParser.RPAREN)
            self.state = 615
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
        self.enterRule(localctx, 120, self.RULE_switchStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 617
            self.match(VclParser.SWITCH)
            self.state = 618
            self.condition()
            self.state = 619
            self.match(VclParser.LBRACE)
            self.state = 623
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.CASE or _la==VclParser.DEFAULT:
                self.state = 620
                self.switchCase()
                self.state = 625
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 626
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
        self.enterRule(localctx, 122, self.RULE_switchCase)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 638
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.CASE]:
                self.state = 628
                self.match(VclParser.CASE)
                self.state = 629
                self.caseLabel()
                self.state = 634
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 630
                    self.match(VclParser.COMMA)
                    self.state = 631
                    self.caseLabel()
                    self.state = 636
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                pass
            elif token in [VclParser.DEFAULT]:
                self.state = 637
                self.defaultWord()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 640
            self.match(VclParser.COLON)
            self.state = 641
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
        self.enterRule(localctx, 124, self.RULE_caseLabel)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 644
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MATCH:
                self.state = 643
                self.matching()


            self.state = 646
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
        self.enterRule(localctx, 126, self.RULE_matching)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 648
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
        self.enterRule(localctx, 128, self.RULE_forStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 650
            self.match(VclParser.FOR)
            self.state = 651
            self.match(VclParser.LPAREN)
            self.state = 652
            self.declaredName()
            self.state = 653
            self.match(VclParser.IN)
            self.state = 654
            self.expression()
            self.state = 655
            self.match(VclParser.RPAREN)
            self.state = 656
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
        self.enterRule(localctx, 130, self.RULE_countStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 658
            self.match(VclParser.COUNT)
            self.state = 659
            self.declaredName()
            self.state = 661
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 660
                self.arguments()


            self.state = 663
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
        self.enterRule(localctx, 132, self.RULE_logStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 665
            self.match(VclParser.LOG)
            self.state = 666
            self.match(VclParser.LBRACE)
            self.state = 677
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 667
                self.logPair()
                self.state = 674
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 668
                    self.match(VclParser.COMMA)
                    self.state = 670
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if _la==VclParser.IDENTIFIER:
                        self.state = 669
                        self.logPair()


                    self.state = 676
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 679
            self.match(VclParser.RBRACE)
            self.state = 680
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
        self.enterRule(localctx, 134, self.RULE_logPair)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 682
            self.memberName()
            self.state = 683
            self.match(VclParser.ASSIGN)
            self.state = 684
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
        self.enterRule(localctx, 136, self.RULE_allowStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 686
            self.match(VclParser.ALLOW)
            self.state = 687
            self.arguments()
            self.state = 688
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
        self.enterRule(localctx, 138, self.RULE_builtinStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 690
            self.match(VclParser.BUILTIN)
            self.state = 691
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
        self.enterRule(localctx, 140, self.RULE_invariant)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 693
            self.match(VclParser.INVARIANT)
            self.state = 694
            self.string()
            self.state = 695
            self.match(VclParser.LBRACE)
            self.state = 696
            self.expression()
            self.state = 697
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
        self.enterRule(localctx, 142, self.RULE_labelled)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 699
            self.annotation()
            self.state = 700
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
        self.enterRule(localctx, 144, self.RULE_expression)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 702
            self.conjunction()
            self.state = 707
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.OR:
                self.state = 703
                self.match(VclParser.OR)
                self.state = 704
                self.conjunction()
                self.state = 709
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
        self.enterRule(localctx, 146, self.RULE_conjunction)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 710
            self.negation()
            self.state = 715
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.AND:
                self.state = 711
                self.match(VclParser.AND)
                self.state = 712
                self.negation()
                self.state = 717
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
        self.enterRule(localctx, 148, self.RULE_negation)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 721
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.NOT:
                self.state = 718
                self.negated()
                self.state = 723
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 724
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
        self.enterRule(localctx, 150, self.RULE_comparison)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 726
            self.arithmetic()
            self.state = 735
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 43)) & ~0x3f) == 0 and ((1 << (_la - 43)) & ((1 << (VclParser.IN - 43)) | (1 << (VclParser.STARTS - 43)) | (1 << (VclParser.ENDS - 43)) | (1 << (VclParser.CONTAINS - 43)) | (1 << (VclParser.IS - 43)) | (1 << (VclParser.EQ - 43)) | (1 << (VclParser.NE - 43)) | (1 << (VclParser.LT - 43)) | (1 << (VclParser.LE - 43)) | (1 << (VclParser.GT - 43)) | (1 << (VclParser.GE - 43)) | (1 << (VclParser.MATCH - 43)) | (1 << (VclParser.NO_MATCH - 43)))) != 0):
                self.state = 733
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [VclParser.IN, VclParser.STARTS, VclParser.ENDS, VclParser.CONTAINS, VclParser.EQ, VclParser.NE, VclParser.LT, VclParser.LE, VclParser.GT, VclParser.GE, VclParser.MATCH, VclParser.NO_MATCH]:
                    self.state = 727
                    self.comparator()
                    self.state = 728
                    self.arithmetic()
                    self.state = 730
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if _la==VclParser.AS:
                        self.state = 729
                        self.capture()


                    pass
                elif token in [VclParser.IS]:
                    self.state = 732
                    self.presence()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 737
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
        self.enterRule(localctx, 152, self.RULE_comparator)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 738
            _la = self._input.LA(1)
            if not(((((_la - 43)) & ~0x3f) == 0 and ((1 << (_la - 43)) & ((1 << (VclParser.IN - 43)) | (1 << (VclParser.STARTS - 43)) | (1 << (VclParser.ENDS - 43)) | (1 << (VclParser.CONTAINS - 43)) | (1 << (VclParser.EQ - 43)) | (1 << (VclParser.NE - 43)) | (1 << (VclParser.LT - 43)) | (1 << (VclParser.LE - 43)) | (1 << (VclParser.GT - 43)) | (1 << (VclParser.GE - 43)) | (1 << (VclParser.MATCH - 43)) | (1 << (VclParser.NO_MATCH - 43)))) != 0)):
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
        self.enterRule(localctx, 154, self.RULE_capture)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 740
            self.match(VclParser.AS)
            self.state = 741
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


        def IS_NOT(self):
            return self.getToken(VclParser.IS_NOT, 0)

        def getRuleIndex(self):
            return VclParser.RULE_presence




    def presence(self):

        localctx = VclParser.PresenceContext(self, self._ctx, self.state)
        self.enterRule(localctx, 156, self.RULE_presence)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 743
            self.match(VclParser.IS)
            self.state = 745
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IS_NOT:
                self.state = 744
                self.match(VclParser.IS_NOT)


            self.state = 747
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
        self.enterRule(localctx, 158, self.RULE_arithmetic)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 750
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MINUS:
                self.state = 749
                self.minus()


            self.state = 752
            self.coalesce()
            self.state = 761
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 88)) & ~0x3f) == 0 and ((1 << (_la - 88)) & ((1 << (VclParser.PLUS - 88)) | (1 << (VclParser.MINUS - 88)) | (1 << (VclParser.STAR - 88)) | (1 << (VclParser.SLASH - 88)) | (1 << (VclParser.PERCENT - 88)))) != 0):
                self.state = 753
                self.arithmeticOp()
                self.state = 755
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.MINUS:
                    self.state = 754
                    self.minus()


                self.state = 757
                self.coalesce()
                self.state = 763
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
        self.enterRule(localctx, 160, self.RULE_coalesce)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 764
            self.postfix()
            self.state = 772
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.COALESCE:
                self.state = 765
                self.match(VclParser.COALESCE)
                self.state = 767
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.MINUS:
                    self.state = 766
                    self.minus()


                self.state = 769
                self.postfix()
                self.state = 774
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
        self.enterRule(localctx, 162, self.RULE_arithmeticOp)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 775
            _la = self._input.LA(1)
            if not(((((_la - 88)) & ~0x3f) == 0 and ((1 << (_la - 88)) & ((1 << (VclParser.PLUS - 88)) | (1 << (VclParser.MINUS - 88)) | (1 << (VclParser.STAR - 88)) | (1 << (VclParser.SLASH - 88)) | (1 << (VclParser.PERCENT - 88)))) != 0)):
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
        self.enterRule(localctx, 164, self.RULE_minus)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 777
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
        self.enterRule(localctx, 166, self.RULE_postfix)
        self._la = 0 # Token type
        try:
            self.state = 805
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.IDENTIFIER]:
                self.enterOuterAlt(localctx, 1)
                self.state = 779
                self.name()
                self.state = 790
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.LPAREN or _la==VclParser.LBRACKET:
                    self.state = 782
                    self._errHandler.sync(self)
                    token = self._input.LA(1)
                    if token in [VclParser.LPAREN]:
                        self.state = 780
                        self.arguments()
                        pass
                    elif token in [VclParser.LBRACKET]:
                        self.state = 781
                        self.subscript()
                        pass
                    else:
                        raise NoViableAltException(self)

                    self.state = 787
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                        self.state = 784
                        self.member()
                        self.state = 789
                        self._errHandler.sync(self)
                        _la = self._input.LA(1)



                pass
            elif token in [VclParser.NUMBER, VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING, VclParser.BLOB, VclParser.LPAREN]:
                self.enterOuterAlt(localctx, 2)
                self.state = 796
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                    self.state = 792
                    self.string()
                    pass
                elif token in [VclParser.NUMBER]:
                    self.state = 793
                    self.number()
                    pass
                elif token in [VclParser.BLOB]:
                    self.state = 794
                    self.blob()
                    pass
                elif token in [VclParser.LPAREN]:
                    self.state = 795
                    self.parenthesised()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 801
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                    self.state = 798
                    self.member()
                    self.state = 803
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                pass
            elif token in [VclParser.LBRACKET]:
                self.enterOuterAlt(localctx, 3)
                self.state = 804
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
        self.enterRule(localctx, 168, self.RULE_member)
        self._la = 0 # Token type
        try:
            self.state = 813
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.DOT]:
                self.enterOuterAlt(localctx, 1)
                self.state = 807
                self.match(VclParser.DOT)
                self.state = 808
                self.memberName()
                self.state = 810
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.LPAREN:
                    self.state = 809
                    self.arguments()


                pass
            elif token in [VclParser.LBRACKET]:
                self.enterOuterAlt(localctx, 2)
                self.state = 812
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
        self.enterRule(localctx, 170, self.RULE_subscript)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 815
            self.match(VclParser.LBRACKET)
            self.state = 816
            self.expression()
            self.state = 817
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
        self.enterRule(localctx, 172, self.RULE_listLiteral)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 819
            self.match(VclParser.LBRACKET)
            self.state = 830
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if ((((_la - 49)) & ~0x3f) == 0 and ((1 << (_la - 49)) & ((1 << (VclParser.IDENTIFIER - 49)) | (1 << (VclParser.NUMBER - 49)) | (1 << (VclParser.STRING - 49)) | (1 << (VclParser.LONG_STRING - 49)) | (1 << (VclParser.TRIPLE_STRING - 49)) | (1 << (VclParser.BLOB - 49)) | (1 << (VclParser.LPAREN - 49)) | (1 << (VclParser.LBRACKET - 49)) | (1 << (VclParser.NOT - 49)) | (1 << (VclParser.MINUS - 49)))) != 0):
                self.state = 820
                self.expression()
                self.state = 827
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 821
                    self.match(VclParser.COMMA)
                    self.state = 823
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if ((((_la - 49)) & ~0x3f) == 0 and ((1 << (_la - 49)) & ((1 << (VclParser.IDENTIFIER - 49)) | (1 << (VclParser.NUMBER - 49)) | (1 << (VclParser.STRING - 49)) | (1 << (VclParser.LONG_STRING - 49)) | (1 << (VclParser.TRIPLE_STRING - 49)) | (1 << (VclParser.BLOB - 49)) | (1 << (VclParser.LPAREN - 49)) | (1 << (VclParser.LBRACKET - 49)) | (1 << (VclParser.NOT - 49)) | (1 << (VclParser.MINUS - 49)))) != 0):
                        self.state = 822
                        self.expression()


                    self.state = 829
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 832
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
        self.enterRule(localctx, 174, self.RULE_memberName)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 834
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
        self.enterRule(localctx, 176, self.RULE_parenthesised)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 836
            self.match(VclParser.LPAREN)
            self.state = 837
            self.expression()
            self.state = 838
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
        self.enterRule(localctx, 178, self.RULE_arguments)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 840
            self.match(VclParser.LPAREN)
            self.state = 851
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if ((((_la - 49)) & ~0x3f) == 0 and ((1 << (_la - 49)) & ((1 << (VclParser.IDENTIFIER - 49)) | (1 << (VclParser.NUMBER - 49)) | (1 << (VclParser.STRING - 49)) | (1 << (VclParser.LONG_STRING - 49)) | (1 << (VclParser.TRIPLE_STRING - 49)) | (1 << (VclParser.BLOB - 49)) | (1 << (VclParser.LPAREN - 49)) | (1 << (VclParser.LBRACKET - 49)) | (1 << (VclParser.NOT - 49)) | (1 << (VclParser.MINUS - 49)))) != 0):
                self.state = 841
                self.argument()
                self.state = 848
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 842
                    self.match(VclParser.COMMA)
                    self.state = 844
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if ((((_la - 49)) & ~0x3f) == 0 and ((1 << (_la - 49)) & ((1 << (VclParser.IDENTIFIER - 49)) | (1 << (VclParser.NUMBER - 49)) | (1 << (VclParser.STRING - 49)) | (1 << (VclParser.LONG_STRING - 49)) | (1 << (VclParser.TRIPLE_STRING - 49)) | (1 << (VclParser.BLOB - 49)) | (1 << (VclParser.LPAREN - 49)) | (1 << (VclParser.LBRACKET - 49)) | (1 << (VclParser.NOT - 49)) | (1 << (VclParser.MINUS - 49)))) != 0):
                        self.state = 843
                        self.argument()


                    self.state = 850
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 853
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
        self.enterRule(localctx, 180, self.RULE_argument)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 855
            self.expression()
            self.state = 858
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.ASSIGN:
                self.state = 856
                self.match(VclParser.ASSIGN)
                self.state = 857
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
        self.enterRule(localctx, 182, self.RULE_name)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 860
            self.match(VclParser.IDENTIFIER)
            self.state = 865
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 861
                self.match(VclParser.DOT)
                self.state = 862
                _la = self._input.LA(1)
                if not(_la==VclParser.IDENTIFIER or _la==VclParser.STRING):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 867
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
        self.enterRule(localctx, 184, self.RULE_number)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 868
            self.match(VclParser.NUMBER)
            self.state = 870
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 869
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
        self.enterRule(localctx, 186, self.RULE_string)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 872
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
        self.enterRule(localctx, 188, self.RULE_blob)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 874
            self.match(VclParser.BLOB)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx





