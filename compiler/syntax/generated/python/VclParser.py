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
        buf.write("\3\u608b\ua72a\u8133\ub9ed\u417c\u3be7\u7786\u5964\3e")
        buf.write("\u037b\4\2\t\2\4\3\t\3\4\4\t\4\4\5\t\5\4\6\t\6\4\7\t\7")
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
        buf.write("_\t_\4`\t`\4a\ta\3\2\7\2\u00c4\n\2\f\2\16\2\u00c7\13\2")
        buf.write("\3\2\3\2\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3")
        buf.write("\3\3\3\3\3\3\3\3\3\5\3\u00db\n\3\3\4\3\4\3\4\3\4\3\5\3")
        buf.write("\5\3\5\3\5\3\5\3\5\5\5\u00e7\n\5\3\6\3\6\3\7\3\7\3\7\3")
        buf.write("\7\3\b\3\b\7\b\u00f1\n\b\f\b\16\b\u00f4\13\b\3\b\3\b\3")
        buf.write("\t\3\t\3\t\3\t\3\t\3\t\7\t\u00fe\n\t\f\t\16\t\u0101\13")
        buf.write("\t\3\t\3\t\5\t\u0105\n\t\3\n\3\n\3\13\3\13\3\13\7\13\u010c")
        buf.write("\n\13\f\13\16\13\u010f\13\13\3\13\3\13\3\f\3\f\7\f\u0115")
        buf.write("\n\f\f\f\16\f\u0118\13\f\3\f\3\f\3\r\3\r\3\r\3\r\3\r\3")
        buf.write("\r\5\r\u0122\n\r\3\16\5\16\u0125\n\16\3\16\3\16\5\16\u0129")
        buf.write("\n\16\3\16\3\16\3\17\3\17\5\17\u012f\n\17\3\17\3\17\3")
        buf.write("\17\3\20\3\20\3\20\5\20\u0137\n\20\3\21\3\21\3\22\3\22")
        buf.write("\3\23\7\23\u013e\n\23\f\23\16\23\u0141\13\23\3\23\3\23")
        buf.write("\3\23\3\23\3\23\3\23\5\23\u0149\n\23\3\23\3\23\3\24\3")
        buf.write("\24\3\24\3\24\3\25\3\25\3\25\3\25\5\25\u0155\n\25\3\25")
        buf.write("\3\25\5\25\u0159\n\25\3\25\3\25\3\25\3\25\5\25\u015f\n")
        buf.write("\25\3\25\3\25\3\26\3\26\3\27\3\27\3\27\3\27\3\30\3\30")
        buf.write("\3\31\3\31\3\32\3\32\3\32\5\32\u0170\n\32\3\32\3\32\3")
        buf.write("\32\3\32\3\33\3\33\3\33\3\34\3\34\5\34\u017b\n\34\3\35")
        buf.write("\3\35\3\35\3\35\3\35\3\35\3\35\3\36\3\36\3\36\3\36\7\36")
        buf.write("\u0188\n\36\f\36\16\36\u018b\13\36\5\36\u018d\n\36\3\36")
        buf.write("\3\36\3\37\3\37\3\37\3 \3 \3 \3 \3 \3!\3!\3!\3!\3!\3!")
        buf.write("\3!\3!\3!\5!\u01a2\n!\5!\u01a4\n!\3!\3!\3\"\3\"\3#\3#")
        buf.write("\3#\3#\3#\3#\3#\3$\3$\3$\3$\5$\u01b5\n$\7$\u01b7\n$\f")
        buf.write("$\16$\u01ba\13$\5$\u01bc\n$\3$\3$\3%\3%\5%\u01c2\n%\3")
        buf.write("%\3%\3%\3&\3&\3&\5&\u01ca\n&\3\'\3\'\3(\3(\3(\3(\3(\3")
        buf.write("(\3(\7(\u01d5\n(\f(\16(\u01d8\13(\3(\3(\5(\u01dc\n(\3")
        buf.write("(\3(\3)\3)\3)\7)\u01e3\n)\f)\16)\u01e6\13)\3)\3)\3*\3")
        buf.write("*\3*\3*\3+\3+\3+\3+\3,\3,\3,\5,\u01f5\n,\3-\3-\7-\u01f9")
        buf.write("\n-\f-\16-\u01fc\13-\3-\3-\3.\3.\3.\3.\3.\3.\3.\3.\3.")
        buf.write("\3.\3.\3.\3.\3.\3.\3.\3.\3.\3.\5.\u0213\n.\3/\3/\3/\3")
        buf.write("/\3/\3/\3\60\3\60\3\61\3\61\3\61\3\61\3\62\3\62\3\62\3")
        buf.write("\62\3\63\3\63\3\63\3\63\3\63\5\63\u022a\n\63\3\63\3\63")
        buf.write("\3\64\3\64\5\64\u0230\n\64\3\65\3\65\3\65\3\65\3\65\3")
        buf.write("\65\3\65\3\66\3\66\3\66\7\66\u023c\n\66\f\66\16\66\u023f")
        buf.write("\13\66\3\66\3\66\3\67\3\67\7\67\u0245\n\67\f\67\16\67")
        buf.write("\u0248\13\67\38\38\38\38\39\39\39\39\39\59\u0253\n9\5")
        buf.write("9\u0255\n9\39\39\3:\3:\5:\u025b\n:\3:\3:\3:\3;\3;\5;\u0262")
        buf.write("\n;\3;\3;\5;\u0266\n;\3;\3;\3;\3;\3<\3<\3=\3=\3=\3=\3")
        buf.write(">\3>\3>\3>\3>\3>\3?\3?\3?\3?\7?\u027c\n?\f?\16?\u027f")
        buf.write("\13?\3?\3?\3@\3@\3@\3@\7@\u0287\n@\f@\16@\u028a\13@\3")
        buf.write("@\5@\u028d\n@\3@\3@\3@\3A\5A\u0293\nA\3A\3A\3B\3B\3C\3")
        buf.write("C\3C\3C\3C\3C\3C\3C\3D\3D\3D\5D\u02a4\nD\3D\3D\3E\3E\3")
        buf.write("E\3E\3E\5E\u02ad\nE\7E\u02af\nE\fE\16E\u02b2\13E\5E\u02b4")
        buf.write("\nE\3E\3E\3E\3F\3F\3F\3F\3G\3G\3G\3G\3H\3H\3H\3I\3I\3")
        buf.write("I\3I\3I\3I\3J\3J\3J\3K\3K\3K\7K\u02d0\nK\fK\16K\u02d3")
        buf.write("\13K\3L\3L\3L\7L\u02d8\nL\fL\16L\u02db\13L\3M\7M\u02de")
        buf.write("\nM\fM\16M\u02e1\13M\3M\3M\3N\3N\3N\3N\5N\u02e9\nN\3N")
        buf.write("\7N\u02ec\nN\fN\16N\u02ef\13N\3O\3O\3P\3P\3P\3Q\3Q\5Q")
        buf.write("\u02f8\nQ\3Q\3Q\3R\5R\u02fd\nR\3R\3R\3R\5R\u0302\nR\3")
        buf.write("R\3R\7R\u0306\nR\fR\16R\u0309\13R\3S\3S\3S\5S\u030e\n")
        buf.write("S\3S\7S\u0311\nS\fS\16S\u0314\13S\3T\3T\3U\3U\3V\3V\3")
        buf.write("V\5V\u031d\nV\3V\7V\u0320\nV\fV\16V\u0323\13V\5V\u0325")
        buf.write("\nV\3V\3V\3V\3V\5V\u032b\nV\3V\7V\u032e\nV\fV\16V\u0331")
        buf.write("\13V\3V\5V\u0334\nV\3W\3W\3W\5W\u0339\nW\3W\5W\u033c\n")
        buf.write("W\3X\3X\3X\3X\3Y\3Y\3Y\3Y\5Y\u0346\nY\7Y\u0348\nY\fY\16")
        buf.write("Y\u034b\13Y\5Y\u034d\nY\3Y\3Y\3Z\3Z\3[\3[\3[\3[\3\\\3")
        buf.write("\\\3\\\3\\\5\\\u035b\n\\\7\\\u035d\n\\\f\\\16\\\u0360")
        buf.write("\13\\\5\\\u0362\n\\\3\\\3\\\3]\3]\3]\5]\u0369\n]\3^\3")
        buf.write("^\3^\7^\u036e\n^\f^\16^\u0371\13^\3_\3_\5_\u0375\n_\3")
        buf.write("`\3`\3a\3a\3a\2\2b\2\4\6\b\n\f\16\20\22\24\26\30\32\34")
        buf.write("\36 \"$&(*,.\60\62\64\668:<>@BDFHJLNPRTVXZ\\^`bdfhjln")
        buf.write("prtvxz|~\u0080\u0082\u0084\u0086\u0088\u008a\u008c\u008e")
        buf.write("\u0090\u0092\u0094\u0096\u0098\u009a\u009c\u009e\u00a0")
        buf.write("\u00a2\u00a4\u00a6\u00a8\u00aa\u00ac\u00ae\u00b0\u00b2")
        buf.write("\u00b4\u00b6\u00b8\u00ba\u00bc\u00be\u00c0\2\t\3\2[\\")
        buf.write("\3\2\22\23\3\2JN\4\2.\61OV\3\2[_\4\2\64\64\66\66\4\2\66")
        buf.write("\6689\2\u038d\2\u00c5\3\2\2\2\4\u00da\3\2\2\2\6\u00dc")
        buf.write("\3\2\2\2\b\u00e0\3\2\2\2\n\u00e8\3\2\2\2\f\u00ea\3\2\2")
        buf.write("\2\16\u00ee\3\2\2\2\20\u00f7\3\2\2\2\22\u0106\3\2\2\2")
        buf.write("\24\u0108\3\2\2\2\26\u0112\3\2\2\2\30\u011b\3\2\2\2\32")
        buf.write("\u0124\3\2\2\2\34\u012c\3\2\2\2\36\u0133\3\2\2\2 \u0138")
        buf.write("\3\2\2\2\"\u013a\3\2\2\2$\u013f\3\2\2\2&\u014c\3\2\2\2")
        buf.write("(\u0150\3\2\2\2*\u0162\3\2\2\2,\u0164\3\2\2\2.\u0168\3")
        buf.write("\2\2\2\60\u016a\3\2\2\2\62\u016c\3\2\2\2\64\u0175\3\2")
        buf.write("\2\2\66\u0178\3\2\2\28\u017c\3\2\2\2:\u0183\3\2\2\2<\u0190")
        buf.write("\3\2\2\2>\u0193\3\2\2\2@\u0198\3\2\2\2B\u01a7\3\2\2\2")
        buf.write("D\u01a9\3\2\2\2F\u01b0\3\2\2\2H\u01c1\3\2\2\2J\u01c6\3")
        buf.write("\2\2\2L\u01cb\3\2\2\2N\u01cd\3\2\2\2P\u01df\3\2\2\2R\u01e9")
        buf.write("\3\2\2\2T\u01ed\3\2\2\2V\u01f1\3\2\2\2X\u01f6\3\2\2\2")
        buf.write("Z\u0212\3\2\2\2\\\u0214\3\2\2\2^\u021a\3\2\2\2`\u021c")
        buf.write("\3\2\2\2b\u0220\3\2\2\2d\u0224\3\2\2\2f\u022d\3\2\2\2")
        buf.write("h\u0231\3\2\2\2j\u0238\3\2\2\2l\u0242\3\2\2\2n\u0249\3")
        buf.write("\2\2\2p\u0254\3\2\2\2r\u0258\3\2\2\2t\u025f\3\2\2\2v\u026b")
        buf.write("\3\2\2\2x\u026d\3\2\2\2z\u0271\3\2\2\2|\u0277\3\2\2\2")
        buf.write("~\u028c\3\2\2\2\u0080\u0292\3\2\2\2\u0082\u0296\3\2\2")
        buf.write("\2\u0084\u0298\3\2\2\2\u0086\u02a0\3\2\2\2\u0088\u02a7")
        buf.write("\3\2\2\2\u008a\u02b8\3\2\2\2\u008c\u02bc\3\2\2\2\u008e")
        buf.write("\u02c0\3\2\2\2\u0090\u02c3\3\2\2\2\u0092\u02c9\3\2\2\2")
        buf.write("\u0094\u02cc\3\2\2\2\u0096\u02d4\3\2\2\2\u0098\u02df\3")
        buf.write("\2\2\2\u009a\u02e4\3\2\2\2\u009c\u02f0\3\2\2\2\u009e\u02f2")
        buf.write("\3\2\2\2\u00a0\u02f5\3\2\2\2\u00a2\u02fc\3\2\2\2\u00a4")
        buf.write("\u030a\3\2\2\2\u00a6\u0315\3\2\2\2\u00a8\u0317\3\2\2\2")
        buf.write("\u00aa\u0333\3\2\2\2\u00ac\u033b\3\2\2\2\u00ae\u033d\3")
        buf.write("\2\2\2\u00b0\u0341\3\2\2\2\u00b2\u0350\3\2\2\2\u00b4\u0352")
        buf.write("\3\2\2\2\u00b6\u0356\3\2\2\2\u00b8\u0365\3\2\2\2\u00ba")
        buf.write("\u036a\3\2\2\2\u00bc\u0372\3\2\2\2\u00be\u0376\3\2\2\2")
        buf.write("\u00c0\u0378\3\2\2\2\u00c2\u00c4\5\4\3\2\u00c3\u00c2\3")
        buf.write("\2\2\2\u00c4\u00c7\3\2\2\2\u00c5\u00c3\3\2\2\2\u00c5\u00c6")
        buf.write("\3\2\2\2\u00c6\u00c8\3\2\2\2\u00c7\u00c5\3\2\2\2\u00c8")
        buf.write("\u00c9\7\2\2\3\u00c9\3\3\2\2\2\u00ca\u00db\5\6\4\2\u00cb")
        buf.write("\u00db\5\b\5\2\u00cc\u00db\5\f\7\2\u00cd\u00db\5\24\13")
        buf.write("\2\u00ce\u00db\5$\23\2\u00cf\u00db\5(\25\2\u00d0\u00db")
        buf.write("\5\60\31\2\u00d1\u00db\5&\24\2\u00d2\u00db\5\62\32\2\u00d3")
        buf.write("\u00db\58\35\2\u00d4\u00db\5> \2\u00d5\u00db\5@!\2\u00d6")
        buf.write("\u00db\5N(\2\u00d7\u00db\5P)\2\u00d8\u00db\5T+\2\u00d9")
        buf.write("\u00db\5,\27\2\u00da\u00ca\3\2\2\2\u00da\u00cb\3\2\2\2")
        buf.write("\u00da\u00cc\3\2\2\2\u00da\u00cd\3\2\2\2\u00da\u00ce\3")
        buf.write("\2\2\2\u00da\u00cf\3\2\2\2\u00da\u00d0\3\2\2\2\u00da\u00d1")
        buf.write("\3\2\2\2\u00da\u00d2\3\2\2\2\u00da\u00d3\3\2\2\2\u00da")
        buf.write("\u00d4\3\2\2\2\u00da\u00d5\3\2\2\2\u00da\u00d6\3\2\2\2")
        buf.write("\u00da\u00d7\3\2\2\2\u00da\u00d8\3\2\2\2\u00da\u00d9\3")
        buf.write("\2\2\2\u00db\5\3\2\2\2\u00dc\u00dd\7\3\2\2\u00dd\u00de")
        buf.write("\7\65\2\2\u00de\u00df\7B\2\2\u00df\7\3\2\2\2\u00e0\u00e1")
        buf.write("\7\4\2\2\u00e1\u00e6\5.\30\2\u00e2\u00e3\5\n\6\2\u00e3")
        buf.write("\u00e4\7B\2\2\u00e4\u00e7\3\2\2\2\u00e5\u00e7\5\16\b\2")
        buf.write("\u00e6\u00e2\3\2\2\2\u00e6\u00e5\3\2\2\2\u00e7\t\3\2\2")
        buf.write("\2\u00e8\u00e9\7\'\2\2\u00e9\13\3\2\2\2\u00ea\u00eb\7")
        buf.write("\5\2\2\u00eb\u00ec\5.\30\2\u00ec\u00ed\5\16\b\2\u00ed")
        buf.write("\r\3\2\2\2\u00ee\u00f2\7<\2\2\u00ef\u00f1\5\20\t\2\u00f0")
        buf.write("\u00ef\3\2\2\2\u00f1\u00f4\3\2\2\2\u00f2\u00f0\3\2\2\2")
        buf.write("\u00f2\u00f3\3\2\2\2\u00f3\u00f5\3\2\2\2\u00f4\u00f2\3")
        buf.write("\2\2\2\u00f5\u00f6\7=\2\2\u00f6\17\3\2\2\2\u00f7\u00f8")
        buf.write("\7D\2\2\u00f8\u00f9\5\22\n\2\u00f9\u0104\7J\2\2\u00fa")
        buf.write("\u0105\5\16\b\2\u00fb\u00ff\5\u0094K\2\u00fc\u00fe\5\u00be")
        buf.write("`\2\u00fd\u00fc\3\2\2\2\u00fe\u0101\3\2\2\2\u00ff\u00fd")
        buf.write("\3\2\2\2\u00ff\u0100\3\2\2\2\u0100\u0102\3\2\2\2\u0101")
        buf.write("\u00ff\3\2\2\2\u0102\u0103\7B\2\2\u0103\u0105\3\2\2\2")
        buf.write("\u0104\u00fa\3\2\2\2\u0104\u00fb\3\2\2\2\u0105\21\3\2")
        buf.write("\2\2\u0106\u0107\7\64\2\2\u0107\23\3\2\2\2\u0108\u0109")
        buf.write("\7\6\2\2\u0109\u010d\5.\30\2\u010a\u010c\5\30\r\2\u010b")
        buf.write("\u010a\3\2\2\2\u010c\u010f\3\2\2\2\u010d\u010b\3\2\2\2")
        buf.write("\u010d\u010e\3\2\2\2\u010e\u0110\3\2\2\2\u010f\u010d\3")
        buf.write("\2\2\2\u0110\u0111\5\26\f\2\u0111\25\3\2\2\2\u0112\u0116")
        buf.write("\7<\2\2\u0113\u0115\5\32\16\2\u0114\u0113\3\2\2\2\u0115")
        buf.write("\u0118\3\2\2\2\u0116\u0114\3\2\2\2\u0116\u0117\3\2\2\2")
        buf.write("\u0117\u0119\3\2\2\2\u0118\u0116\3\2\2\2\u0119\u011a\7")
        buf.write("=\2\2\u011a\27\3\2\2\2\u011b\u011c\t\2\2\2\u011c\u0121")
        buf.write("\7\64\2\2\u011d\u011e\7>\2\2\u011e\u011f\5\30\r\2\u011f")
        buf.write("\u0120\7?\2\2\u0120\u0122\3\2\2\2\u0121\u011d\3\2\2\2")
        buf.write("\u0121\u0122\3\2\2\2\u0122\31\3\2\2\2\u0123\u0125\5 \21")
        buf.write("\2\u0124\u0123\3\2\2\2\u0124\u0125\3\2\2\2\u0125\u0128")
        buf.write("\3\2\2\2\u0126\u0129\5\34\17\2\u0127\u0129\5\36\20\2\u0128")
        buf.write("\u0126\3\2\2\2\u0128\u0127\3\2\2\2\u0129\u012a\3\2\2\2")
        buf.write("\u012a\u012b\7B\2\2\u012b\33\3\2\2\2\u012c\u012e\7>\2")
        buf.write("\2\u012d\u012f\5 \21\2\u012e\u012d\3\2\2\2\u012e\u012f")
        buf.write("\3\2\2\2\u012f\u0130\3\2\2\2\u0130\u0131\5\36\20\2\u0131")
        buf.write("\u0132\7?\2\2\u0132\35\3\2\2\2\u0133\u0136\5\u00be`\2")
        buf.write("\u0134\u0135\7^\2\2\u0135\u0137\5\"\22\2\u0136\u0134\3")
        buf.write("\2\2\2\u0136\u0137\3\2\2\2\u0137\37\3\2\2\2\u0138\u0139")
        buf.write("\7W\2\2\u0139!\3\2\2\2\u013a\u013b\7\65\2\2\u013b#\3\2")
        buf.write("\2\2\u013c\u013e\5V,\2\u013d\u013c\3\2\2\2\u013e\u0141")
        buf.write("\3\2\2\2\u013f\u013d\3\2\2\2\u013f\u0140\3\2\2\2\u0140")
        buf.write("\u0148\3\2\2\2\u0141\u013f\3\2\2\2\u0142\u0143\7\7\2\2")
        buf.write("\u0143\u0149\5.\30\2\u0144\u0145\7\20\2\2\u0145\u0146")
        buf.write("\5.\30\2\u0146\u0147\5:\36\2\u0147\u0149\3\2\2\2\u0148")
        buf.write("\u0142\3\2\2\2\u0148\u0144\3\2\2\2\u0149\u014a\3\2\2\2")
        buf.write("\u014a\u014b\5X-\2\u014b%\3\2\2\2\u014c\u014d\7)\2\2\u014d")
        buf.write("\u014e\5\u00be`\2\u014e\u014f\5X-\2\u014f\'\3\2\2\2\u0150")
        buf.write("\u015e\7\b\2\2\u0151\u0154\5.\30\2\u0152\u0153\7&\2\2")
        buf.write("\u0153\u0155\5*\26\2\u0154\u0152\3\2\2\2\u0154\u0155\3")
        buf.write("\2\2\2\u0155\u0158\3\2\2\2\u0156\u0157\7%\2\2\u0157\u0159")
        buf.write("\5\u00be`\2\u0158\u0156\3\2\2\2\u0158\u0159\3\2\2\2\u0159")
        buf.write("\u015f\3\2\2\2\u015a\u015b\5\u00be`\2\u015b\u015c\7&\2")
        buf.write("\2\u015c\u015d\5*\26\2\u015d\u015f\3\2\2\2\u015e\u0151")
        buf.write("\3\2\2\2\u015e\u015a\3\2\2\2\u015f\u0160\3\2\2\2\u0160")
        buf.write("\u0161\7B\2\2\u0161)\3\2\2\2\u0162\u0163\7\64\2\2\u0163")
        buf.write("+\3\2\2\2\u0164\u0165\7\t\2\2\u0165\u0166\5.\30\2\u0166")
        buf.write("\u0167\7B\2\2\u0167-\3\2\2\2\u0168\u0169\7\64\2\2\u0169")
        buf.write("/\3\2\2\2\u016a\u016b\7;\2\2\u016b\61\3\2\2\2\u016c\u016d")
        buf.write("\t\3\2\2\u016d\u016f\5.\30\2\u016e\u0170\5\64\33\2\u016f")
        buf.write("\u016e\3\2\2\2\u016f\u0170\3\2\2\2\u0170\u0171\3\2\2\2")
        buf.write("\u0171\u0172\7J\2\2\u0172\u0173\5\u0094K\2\u0173\u0174")
        buf.write("\7B\2\2\u0174\63\3\2\2\2\u0175\u0176\7E\2\2\u0176\u0177")
        buf.write("\5\66\34\2\u0177\65\3\2\2\2\u0178\u017a\7\64\2\2\u0179")
        buf.write("\u017b\7F\2\2\u017a\u0179\3\2\2\2\u017a\u017b\3\2\2\2")
        buf.write("\u017b\67\3\2\2\2\u017c\u017d\7\24\2\2\u017d\u017e\5.")
        buf.write("\30\2\u017e\u017f\5:\36\2\u017f\u0180\7H\2\2\u0180\u0181")
        buf.write("\5\66\34\2\u0181\u0182\5X-\2\u01829\3\2\2\2\u0183\u018c")
        buf.write("\7>\2\2\u0184\u0189\5<\37\2\u0185\u0186\7C\2\2\u0186\u0188")
        buf.write("\5<\37\2\u0187\u0185\3\2\2\2\u0188\u018b\3\2\2\2\u0189")
        buf.write("\u0187\3\2\2\2\u0189\u018a\3\2\2\2\u018a\u018d\3\2\2\2")
        buf.write("\u018b\u0189\3\2\2\2\u018c\u0184\3\2\2\2\u018c\u018d\3")
        buf.write("\2\2\2\u018d\u018e\3\2\2\2\u018e\u018f\7?\2\2\u018f;\3")
        buf.write("\2\2\2\u0190\u0191\5.\30\2\u0191\u0192\5\64\33\2\u0192")
        buf.write("=\3\2\2\2\u0193\u0194\7\21\2\2\u0194\u0195\5.\30\2\u0195")
        buf.write("\u0196\5\u00b0Y\2\u0196\u0197\7B\2\2\u0197?\3\2\2\2\u0198")
        buf.write("\u0199\7\25\2\2\u0199\u019a\5.\30\2\u019a\u019b\5\64\33")
        buf.write("\2\u019b\u019c\7+\2\2\u019c\u01a3\5B\"\2\u019d\u01a4\5")
        buf.write("F$\2\u019e\u019f\7%\2\2\u019f\u01a1\5\u00be`\2\u01a0\u01a2")
        buf.write("\5D#\2\u01a1\u01a0\3\2\2\2\u01a1\u01a2\3\2\2\2\u01a2\u01a4")
        buf.write("\3\2\2\2\u01a3\u019d\3\2\2\2\u01a3\u019e\3\2\2\2\u01a4")
        buf.write("\u01a5\3\2\2\2\u01a5\u01a6\7B\2\2\u01a6A\3\2\2\2\u01a7")
        buf.write("\u01a8\7\64\2\2\u01a8C\3\2\2\2\u01a9\u01aa\7,\2\2\u01aa")
        buf.write("\u01ab\7>\2\2\u01ab\u01ac\7\64\2\2\u01ac\u01ad\7C\2\2")
        buf.write("\u01ad\u01ae\7\64\2\2\u01ae\u01af\7?\2\2\u01afE\3\2\2")
        buf.write("\2\u01b0\u01bb\7@\2\2\u01b1\u01b8\5H%\2\u01b2\u01b4\7")
        buf.write("C\2\2\u01b3\u01b5\5H%\2\u01b4\u01b3\3\2\2\2\u01b4\u01b5")
        buf.write("\3\2\2\2\u01b5\u01b7\3\2\2\2\u01b6\u01b2\3\2\2\2\u01b7")
        buf.write("\u01ba\3\2\2\2\u01b8\u01b6\3\2\2\2\u01b8\u01b9\3\2\2\2")
        buf.write("\u01b9\u01bc\3\2\2\2\u01ba\u01b8\3\2\2\2\u01bb\u01b1\3")
        buf.write("\2\2\2\u01bb\u01bc\3\2\2\2\u01bc\u01bd\3\2\2\2\u01bd\u01be")
        buf.write("\7A\2\2\u01beG\3\2\2\2\u01bf\u01c2\5L\'\2\u01c0\u01c2")
        buf.write("\5J&\2\u01c1\u01bf\3\2\2\2\u01c1\u01c0\3\2\2\2\u01c2\u01c3")
        buf.write("\3\2\2\2\u01c3\u01c4\7I\2\2\u01c4\u01c5\5\u0094K\2\u01c5")
        buf.write("I\3\2\2\2\u01c6\u01c9\5\u00be`\2\u01c7\u01c8\7^\2\2\u01c8")
        buf.write("\u01ca\5\"\22\2\u01c9\u01c7\3\2\2\2\u01c9\u01ca\3\2\2")
        buf.write("\2\u01caK\3\2\2\2\u01cb\u01cc\7-\2\2\u01ccM\3\2\2\2\u01cd")
        buf.write("\u01ce\7\26\2\2\u01ce\u01db\5.\30\2\u01cf\u01d0\7+\2\2")
        buf.write("\u01d0\u01d1\7>\2\2\u01d1\u01d6\5.\30\2\u01d2\u01d3\7")
        buf.write("C\2\2\u01d3\u01d5\5.\30\2\u01d4\u01d2\3\2\2\2\u01d5\u01d8")
        buf.write("\3\2\2\2\u01d6\u01d4\3\2\2\2\u01d6\u01d7\3\2\2\2\u01d7")
        buf.write("\u01d9\3\2\2\2\u01d8\u01d6\3\2\2\2\u01d9\u01da\7?\2\2")
        buf.write("\u01da\u01dc\3\2\2\2\u01db\u01cf\3\2\2\2\u01db\u01dc\3")
        buf.write("\2\2\2\u01dc\u01dd\3\2\2\2\u01dd\u01de\7B\2\2\u01deO\3")
        buf.write("\2\2\2\u01df\u01e0\7\27\2\2\u01e0\u01e4\7<\2\2\u01e1\u01e3")
        buf.write("\5R*\2\u01e2\u01e1\3\2\2\2\u01e3\u01e6\3\2\2\2\u01e4\u01e2")
        buf.write("\3\2\2\2\u01e4\u01e5\3\2\2\2\u01e5\u01e7\3\2\2\2\u01e6")
        buf.write("\u01e4\3\2\2\2\u01e7\u01e8\7=\2\2\u01e8Q\3\2\2\2\u01e9")
        buf.write("\u01ea\7\64\2\2\u01ea\u01eb\7\65\2\2\u01eb\u01ec\7B\2")
        buf.write("\2\u01ecS\3\2\2\2\u01ed\u01ee\7\30\2\2\u01ee\u01ef\7\65")
        buf.write("\2\2\u01ef\u01f0\7B\2\2\u01f0U\3\2\2\2\u01f1\u01f2\7G")
        buf.write("\2\2\u01f2\u01f4\7\64\2\2\u01f3\u01f5\5\u00b6\\\2\u01f4")
        buf.write("\u01f3\3\2\2\2\u01f4\u01f5\3\2\2\2\u01f5W\3\2\2\2\u01f6")
        buf.write("\u01fa\7<\2\2\u01f7\u01f9\5Z.\2\u01f8\u01f7\3\2\2\2\u01f9")
        buf.write("\u01fc\3\2\2\2\u01fa\u01f8\3\2\2\2\u01fa\u01fb\3\2\2\2")
        buf.write("\u01fb\u01fd\3\2\2\2\u01fc\u01fa\3\2\2\2\u01fd\u01fe\7")
        buf.write("=\2\2\u01feY\3\2\2\2\u01ff\u0213\5\\/\2\u0200\u0213\5")
        buf.write("`\61\2\u0201\u0213\5b\62\2\u0202\u0213\5d\63\2\u0203\u0213")
        buf.write("\5l\67\2\u0204\u0213\5h\65\2\u0205\u0213\5j\66\2\u0206")
        buf.write("\u0213\5X-\2\u0207\u0213\5\60\31\2\u0208\u0213\5t;\2\u0209")
        buf.write("\u0213\5z>\2\u020a\u0213\5|?\2\u020b\u0213\5\u0084C\2")
        buf.write("\u020c\u0213\5\u0086D\2\u020d\u0213\5\u0088E\2\u020e\u0213")
        buf.write("\5\u008cG\2\u020f\u0213\5\u008eH\2\u0210\u0213\5\u0090")
        buf.write("I\2\u0211\u0213\5\u0092J\2\u0212\u01ff\3\2\2\2\u0212\u0200")
        buf.write("\3\2\2\2\u0212\u0201\3\2\2\2\u0212\u0202\3\2\2\2\u0212")
        buf.write("\u0203\3\2\2\2\u0212\u0204\3\2\2\2\u0212\u0205\3\2\2\2")
        buf.write("\u0212\u0206\3\2\2\2\u0212\u0207\3\2\2\2\u0212\u0208\3")
        buf.write("\2\2\2\u0212\u0209\3\2\2\2\u0212\u020a\3\2\2\2\u0212\u020b")
        buf.write("\3\2\2\2\u0212\u020c\3\2\2\2\u0212\u020d\3\2\2\2\u0212")
        buf.write("\u020e\3\2\2\2\u0212\u020f\3\2\2\2\u0212\u0210\3\2\2\2")
        buf.write("\u0212\u0211\3\2\2\2\u0213[\3\2\2\2\u0214\u0215\7\n\2")
        buf.write("\2\u0215\u0216\5\u00ba^\2\u0216\u0217\5^\60\2\u0217\u0218")
        buf.write("\5\u0094K\2\u0218\u0219\7B\2\2\u0219]\3\2\2\2\u021a\u021b")
        buf.write("\t\4\2\2\u021b_\3\2\2\2\u021c\u021d\7\13\2\2\u021d\u021e")
        buf.write("\5\u00ba^\2\u021e\u021f\7B\2\2\u021fa\3\2\2\2\u0220\u0221")
        buf.write("\7\f\2\2\u0221\u0222\5\u00aaV\2\u0222\u0223\7B\2\2\u0223")
        buf.write("c\3\2\2\2\u0224\u0229\7\r\2\2\u0225\u0226\7>\2\2\u0226")
        buf.write("\u0227\5f\64\2\u0227\u0228\7?\2\2\u0228\u022a\3\2\2\2")
        buf.write("\u0229\u0225\3\2\2\2\u0229\u022a\3\2\2\2\u022a\u022b\3")
        buf.write("\2\2\2\u022b\u022c\7B\2\2\u022ce\3\2\2\2\u022d\u022f\5")
        buf.write("\u00ba^\2\u022e\u0230\5\u00b6\\\2\u022f\u022e\3\2\2\2")
        buf.write("\u022f\u0230\3\2\2\2\u0230g\3\2\2\2\u0231\u0232\7\17\2")
        buf.write("\2\u0232\u0233\5.\30\2\u0233\u0234\7J\2\2\u0234\u0235")
        buf.write("\5\u00ba^\2\u0235\u0236\5\u00b6\\\2\u0236\u0237\7B\2\2")
        buf.write("\u0237i\3\2\2\2\u0238\u0239\5\u00ba^\2\u0239\u023d\5\u00b6")
        buf.write("\\\2\u023a\u023c\5\u00acW\2\u023b\u023a\3\2\2\2\u023c")
        buf.write("\u023f\3\2\2\2\u023d\u023b\3\2\2\2\u023d\u023e\3\2\2\2")
        buf.write("\u023e\u0240\3\2\2\2\u023f\u023d\3\2\2\2\u0240\u0241\7")
        buf.write("B\2\2\u0241k\3\2\2\2\u0242\u0246\5n8\2\u0243\u0245\5p")
        buf.write("9\2\u0244\u0243\3\2\2\2\u0245\u0248\3\2\2\2\u0246\u0244")
        buf.write("\3\2\2\2\u0246\u0247\3\2\2\2\u0247m\3\2\2\2\u0248\u0246")
        buf.write("\3\2\2\2\u0249\u024a\7\16\2\2\u024a\u024b\5r:\2\u024b")
        buf.write("\u024c\5X-\2\u024co\3\2\2\2\u024d\u024e\7$\2\2\u024e\u0255")
        buf.write("\5r:\2\u024f\u0252\7#\2\2\u0250\u0251\7\16\2\2\u0251\u0253")
        buf.write("\5r:\2\u0252\u0250\3\2\2\2\u0252\u0253\3\2\2\2\u0253\u0255")
        buf.write("\3\2\2\2\u0254\u024d\3\2\2\2\u0254\u024f\3\2\2\2\u0255")
        buf.write("\u0256\3\2\2\2\u0256\u0257\5X-\2\u0257q\3\2\2\2\u0258")
        buf.write("\u025a\7>\2\2\u0259\u025b\5x=\2\u025a\u0259\3\2\2\2\u025a")
        buf.write("\u025b\3\2\2\2\u025b\u025c\3\2\2\2\u025c\u025d\5\u0094")
        buf.write("K\2\u025d\u025e\7?\2\2\u025es\3\2\2\2\u025f\u0261\7\31")
        buf.write("\2\2\u0260\u0262\5v<\2\u0261\u0260\3\2\2\2\u0261\u0262")
        buf.write("\3\2\2\2\u0262\u0263\3\2\2\2\u0263\u0265\5.\30\2\u0264")
        buf.write("\u0266\5\64\33\2\u0265\u0264\3\2\2\2\u0265\u0266\3\2\2")
        buf.write("\2\u0266\u0267\3\2\2\2\u0267\u0268\7J\2\2\u0268\u0269")
        buf.write("\5\u0094K\2\u0269\u026a\7B\2\2\u026au\3\2\2\2\u026b\u026c")
        buf.write("\7*\2\2\u026cw\3\2\2\2\u026d\u026e\7\31\2\2\u026e\u026f")
        buf.write("\5.\30\2\u026f\u0270\7J\2\2\u0270y\3\2\2\2\u0271\u0272")
        buf.write("\7\"\2\2\u0272\u0273\7>\2\2\u0273\u0274\5\u0094K\2\u0274")
        buf.write("\u0275\7?\2\2\u0275\u0276\7B\2\2\u0276{\3\2\2\2\u0277")
        buf.write("\u0278\7\32\2\2\u0278\u0279\5r:\2\u0279\u027d\7<\2\2\u027a")
        buf.write("\u027c\5~@\2\u027b\u027a\3\2\2\2\u027c\u027f\3\2\2\2\u027d")
        buf.write("\u027b\3\2\2\2\u027d\u027e\3\2\2\2\u027e\u0280\3\2\2\2")
        buf.write("\u027f\u027d\3\2\2\2\u0280\u0281\7=\2\2\u0281}\3\2\2\2")
        buf.write("\u0282\u0283\7\33\2\2\u0283\u0288\5\u0080A\2\u0284\u0285")
        buf.write("\7C\2\2\u0285\u0287\5\u0080A\2\u0286\u0284\3\2\2\2\u0287")
        buf.write("\u028a\3\2\2\2\u0288\u0286\3\2\2\2\u0288\u0289\3\2\2\2")
        buf.write("\u0289\u028d\3\2\2\2\u028a\u0288\3\2\2\2\u028b\u028d\5")
        buf.write("L\'\2\u028c\u0282\3\2\2\2\u028c\u028b\3\2\2\2\u028d\u028e")
        buf.write("\3\2\2\2\u028e\u028f\7E\2\2\u028f\u0290\5X-\2\u0290\177")
        buf.write("\3\2\2\2\u0291\u0293\5\u0082B\2\u0292\u0291\3\2\2\2\u0292")
        buf.write("\u0293\3\2\2\2\u0293\u0294\3\2\2\2\u0294\u0295\5\u0094")
        buf.write("K\2\u0295\u0081\3\2\2\2\u0296\u0297\7U\2\2\u0297\u0083")
        buf.write("\3\2\2\2\u0298\u0299\7\34\2\2\u0299\u029a\7>\2\2\u029a")
        buf.write("\u029b\5.\30\2\u029b\u029c\7.\2\2\u029c\u029d\5\u0094")
        buf.write("K\2\u029d\u029e\7?\2\2\u029e\u029f\5X-\2\u029f\u0085\3")
        buf.write("\2\2\2\u02a0\u02a1\7\35\2\2\u02a1\u02a3\5.\30\2\u02a2")
        buf.write("\u02a4\5\u00b6\\\2\u02a3\u02a2\3\2\2\2\u02a3\u02a4\3\2")
        buf.write("\2\2\u02a4\u02a5\3\2\2\2\u02a5\u02a6\7B\2\2\u02a6\u0087")
        buf.write("\3\2\2\2\u02a7\u02a8\7\36\2\2\u02a8\u02b3\7<\2\2\u02a9")
        buf.write("\u02b0\5\u008aF\2\u02aa\u02ac\7C\2\2\u02ab\u02ad\5\u008a")
        buf.write("F\2\u02ac\u02ab\3\2\2\2\u02ac\u02ad\3\2\2\2\u02ad\u02af")
        buf.write("\3\2\2\2\u02ae\u02aa\3\2\2\2\u02af\u02b2\3\2\2\2\u02b0")
        buf.write("\u02ae\3\2\2\2\u02b0\u02b1\3\2\2\2\u02b1\u02b4\3\2\2\2")
        buf.write("\u02b2\u02b0\3\2\2\2\u02b3\u02a9\3\2\2\2\u02b3\u02b4\3")
        buf.write("\2\2\2\u02b4\u02b5\3\2\2\2\u02b5\u02b6\7=\2\2\u02b6\u02b7")
        buf.write("\7B\2\2\u02b7\u0089\3\2\2\2\u02b8\u02b9\5\u00b2Z\2\u02b9")
        buf.write("\u02ba\7J\2\2\u02ba\u02bb\5\u0094K\2\u02bb\u008b\3\2\2")
        buf.write("\2\u02bc\u02bd\7\37\2\2\u02bd\u02be\5\u00b6\\\2\u02be")
        buf.write("\u02bf\7B\2\2\u02bf\u008d\3\2\2\2\u02c0\u02c1\7 \2\2\u02c1")
        buf.write("\u02c2\7B\2\2\u02c2\u008f\3\2\2\2\u02c3\u02c4\7!\2\2\u02c4")
        buf.write("\u02c5\5\u00be`\2\u02c5\u02c6\7<\2\2\u02c6\u02c7\5\u0094")
        buf.write("K\2\u02c7\u02c8\7=\2\2\u02c8\u0091\3\2\2\2\u02c9\u02ca")
        buf.write("\5V,\2\u02ca\u02cb\5Z.\2\u02cb\u0093\3\2\2\2\u02cc\u02d1")
        buf.write("\5\u0096L\2\u02cd\u02ce\7Z\2\2\u02ce\u02d0\5\u0096L\2")
        buf.write("\u02cf\u02cd\3\2\2\2\u02d0\u02d3\3\2\2\2\u02d1\u02cf\3")
        buf.write("\2\2\2\u02d1\u02d2\3\2\2\2\u02d2\u0095\3\2\2\2\u02d3\u02d1")
        buf.write("\3\2\2\2\u02d4\u02d9\5\u0098M\2\u02d5\u02d6\7Y\2\2\u02d6")
        buf.write("\u02d8\5\u0098M\2\u02d7\u02d5\3\2\2\2\u02d8\u02db\3\2")
        buf.write("\2\2\u02d9\u02d7\3\2\2\2\u02d9\u02da\3\2\2\2\u02da\u0097")
        buf.write("\3\2\2\2\u02db\u02d9\3\2\2\2\u02dc\u02de\5 \21\2\u02dd")
        buf.write("\u02dc\3\2\2\2\u02de\u02e1\3\2\2\2\u02df\u02dd\3\2\2\2")
        buf.write("\u02df\u02e0\3\2\2\2\u02e0\u02e2\3\2\2\2\u02e1\u02df\3")
        buf.write("\2\2\2\u02e2\u02e3\5\u009aN\2\u02e3\u0099\3\2\2\2\u02e4")
        buf.write("\u02ed\5\u00a2R\2\u02e5\u02e6\5\u009cO\2\u02e6\u02e8\5")
        buf.write("\u00a2R\2\u02e7\u02e9\5\u009eP\2\u02e8\u02e7\3\2\2\2\u02e8")
        buf.write("\u02e9\3\2\2\2\u02e9\u02ec\3\2\2\2\u02ea\u02ec\5\u00a0")
        buf.write("Q\2\u02eb\u02e5\3\2\2\2\u02eb\u02ea\3\2\2\2\u02ec\u02ef")
        buf.write("\3\2\2\2\u02ed\u02eb\3\2\2\2\u02ed\u02ee\3\2\2\2\u02ee")
        buf.write("\u009b\3\2\2\2\u02ef\u02ed\3\2\2\2\u02f0\u02f1\t\5\2\2")
        buf.write("\u02f1\u009d\3\2\2\2\u02f2\u02f3\7&\2\2\u02f3\u02f4\5")
        buf.write(".\30\2\u02f4\u009f\3\2\2\2\u02f5\u02f7\7\62\2\2\u02f6")
        buf.write("\u02f8\7\63\2\2\u02f7\u02f6\3\2\2\2\u02f7\u02f8\3\2\2")
        buf.write("\2\u02f8\u02f9\3\2\2\2\u02f9\u02fa\5\u00b2Z\2\u02fa\u00a1")
        buf.write("\3\2\2\2\u02fb\u02fd\5\u00a8U\2\u02fc\u02fb\3\2\2\2\u02fc")
        buf.write("\u02fd\3\2\2\2\u02fd\u02fe\3\2\2\2\u02fe\u0307\5\u00a4")
        buf.write("S\2\u02ff\u0301\5\u00a6T\2\u0300\u0302\5\u00a8U\2\u0301")
        buf.write("\u0300\3\2\2\2\u0301\u0302\3\2\2\2\u0302\u0303\3\2\2\2")
        buf.write("\u0303\u0304\5\u00a4S\2\u0304\u0306\3\2\2\2\u0305\u02ff")
        buf.write("\3\2\2\2\u0306\u0309\3\2\2\2\u0307\u0305\3\2\2\2\u0307")
        buf.write("\u0308\3\2\2\2\u0308\u00a3\3\2\2\2\u0309\u0307\3\2\2\2")
        buf.write("\u030a\u0312\5\u00aaV\2\u030b\u030d\7X\2\2\u030c\u030e")
        buf.write("\5\u00a8U\2\u030d\u030c\3\2\2\2\u030d\u030e\3\2\2\2\u030e")
        buf.write("\u030f\3\2\2\2\u030f\u0311\5\u00aaV\2\u0310\u030b\3\2")
        buf.write("\2\2\u0311\u0314\3\2\2\2\u0312\u0310\3\2\2\2\u0312\u0313")
        buf.write("\3\2\2\2\u0313\u00a5\3\2\2\2\u0314\u0312\3\2\2\2\u0315")
        buf.write("\u0316\t\6\2\2\u0316\u00a7\3\2\2\2\u0317\u0318\7\\\2\2")
        buf.write("\u0318\u00a9\3\2\2\2\u0319\u0324\5\u00ba^\2\u031a\u031d")
        buf.write("\5\u00b6\\\2\u031b\u031d\5\u00aeX\2\u031c\u031a\3\2\2")
        buf.write("\2\u031c\u031b\3\2\2\2\u031d\u0321\3\2\2\2\u031e\u0320")
        buf.write("\5\u00acW\2\u031f\u031e\3\2\2\2\u0320\u0323\3\2\2\2\u0321")
        buf.write("\u031f\3\2\2\2\u0321\u0322\3\2\2\2\u0322\u0325\3\2\2\2")
        buf.write("\u0323\u0321\3\2\2\2\u0324\u031c\3\2\2\2\u0324\u0325\3")
        buf.write("\2\2\2\u0325\u0334\3\2\2\2\u0326\u032b\5\u00be`\2\u0327")
        buf.write("\u032b\5\u00bc_\2\u0328\u032b\5\u00c0a\2\u0329\u032b\5")
        buf.write("\u00b4[\2\u032a\u0326\3\2\2\2\u032a\u0327\3\2\2\2\u032a")
        buf.write("\u0328\3\2\2\2\u032a\u0329\3\2\2\2\u032b\u032f\3\2\2\2")
        buf.write("\u032c\u032e\5\u00acW\2\u032d\u032c\3\2\2\2\u032e\u0331")
        buf.write("\3\2\2\2\u032f\u032d\3\2\2\2\u032f\u0330\3\2\2\2\u0330")
        buf.write("\u0334\3\2\2\2\u0331\u032f\3\2\2\2\u0332\u0334\5\u00b0")
        buf.write("Y\2\u0333\u0319\3\2\2\2\u0333\u032a\3\2\2\2\u0333\u0332")
        buf.write("\3\2\2\2\u0334\u00ab\3\2\2\2\u0335\u0336\7D\2\2\u0336")
        buf.write("\u0338\5\u00b2Z\2\u0337\u0339\5\u00b6\\\2\u0338\u0337")
        buf.write("\3\2\2\2\u0338\u0339\3\2\2\2\u0339\u033c\3\2\2\2\u033a")
        buf.write("\u033c\5\u00aeX\2\u033b\u0335\3\2\2\2\u033b\u033a\3\2")
        buf.write("\2\2\u033c\u00ad\3\2\2\2\u033d\u033e\7@\2\2\u033e\u033f")
        buf.write("\5\u0094K\2\u033f\u0340\7A\2\2\u0340\u00af\3\2\2\2\u0341")
        buf.write("\u034c\7@\2\2\u0342\u0349\5\u0094K\2\u0343\u0345\7C\2")
        buf.write("\2\u0344\u0346\5\u0094K\2\u0345\u0344\3\2\2\2\u0345\u0346")
        buf.write("\3\2\2\2\u0346\u0348\3\2\2\2\u0347\u0343\3\2\2\2\u0348")
        buf.write("\u034b\3\2\2\2\u0349\u0347\3\2\2\2\u0349\u034a\3\2\2\2")
        buf.write("\u034a\u034d\3\2\2\2\u034b\u0349\3\2\2\2\u034c\u0342\3")
        buf.write("\2\2\2\u034c\u034d\3\2\2\2\u034d\u034e\3\2\2\2\u034e\u034f")
        buf.write("\7A\2\2\u034f\u00b1\3\2\2\2\u0350\u0351\7\64\2\2\u0351")
        buf.write("\u00b3\3\2\2\2\u0352\u0353\7>\2\2\u0353\u0354\5\u0094")
        buf.write("K\2\u0354\u0355\7?\2\2\u0355\u00b5\3\2\2\2\u0356\u0361")
        buf.write("\7>\2\2\u0357\u035e\5\u00b8]\2\u0358\u035a\7C\2\2\u0359")
        buf.write("\u035b\5\u00b8]\2\u035a\u0359\3\2\2\2\u035a\u035b\3\2")
        buf.write("\2\2\u035b\u035d\3\2\2\2\u035c\u0358\3\2\2\2\u035d\u0360")
        buf.write("\3\2\2\2\u035e\u035c\3\2\2\2\u035e\u035f\3\2\2\2\u035f")
        buf.write("\u0362\3\2\2\2\u0360\u035e\3\2\2\2\u0361\u0357\3\2\2\2")
        buf.write("\u0361\u0362\3\2\2\2\u0362\u0363\3\2\2\2\u0363\u0364\7")
        buf.write("?\2\2\u0364\u00b7\3\2\2\2\u0365\u0368\5\u0094K\2\u0366")
        buf.write("\u0367\7J\2\2\u0367\u0369\5\u0094K\2\u0368\u0366\3\2\2")
        buf.write("\2\u0368\u0369\3\2\2\2\u0369\u00b9\3\2\2\2\u036a\u036f")
        buf.write("\7\64\2\2\u036b\u036c\7D\2\2\u036c\u036e\t\7\2\2\u036d")
        buf.write("\u036b\3\2\2\2\u036e\u0371\3\2\2\2\u036f\u036d\3\2\2\2")
        buf.write("\u036f\u0370\3\2\2\2\u0370\u00bb\3\2\2\2\u0371\u036f\3")
        buf.write("\2\2\2\u0372\u0374\7\65\2\2\u0373\u0375\7\64\2\2\u0374")
        buf.write("\u0373\3\2\2\2\u0374\u0375\3\2\2\2\u0375\u00bd\3\2\2\2")
        buf.write("\u0376\u0377\t\b\2\2\u0377\u00bf\3\2\2\2\u0378\u0379\7")
        buf.write(":\2\2\u0379\u00c1\3\2\2\2S\u00c5\u00da\u00e6\u00f2\u00ff")
        buf.write("\u0104\u010d\u0116\u0121\u0124\u0128\u012e\u0136\u013f")
        buf.write("\u0148\u0154\u0158\u015e\u016f\u017a\u0189\u018c\u01a1")
        buf.write("\u01a3\u01b4\u01b8\u01bb\u01c1\u01c9\u01d6\u01db\u01e4")
        buf.write("\u01f4\u01fa\u0212\u0229\u022f\u023d\u0246\u0252\u0254")
        buf.write("\u025a\u0261\u0265\u027d\u0288\u028c\u0292\u02a3\u02ac")
        buf.write("\u02b0\u02b3\u02d1\u02d9\u02df\u02e8\u02eb\u02ed\u02f7")
        buf.write("\u02fc\u0301\u0307\u030d\u0312\u031c\u0321\u0324\u032a")
        buf.write("\u032f\u0333\u0338\u033b\u0345\u0349\u034c\u035a\u035e")
        buf.write("\u0361\u0368\u036f\u0374")
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
                     "<INVALID>", "<INVALID>", "'{'", "'}'", "'('", "')'",
                     "'['", "']'", "';'", "','", "'.'", "':'", "'?'", "'@'",
                     "'->'", "'=>'", "'='", "'+='", "'-='", "'*='", "'/='",
                     "'=='", "'!='", "'<'", "'<='", "'>'", "'>='", "'~'",
                     "'!~'", "'!'", "'??'", "'&&'", "'||'", "'+'", "'-'",
                     "'*'", "'/'", "'%'", "'++'", "'--'" ]

    symbolicNames = [ "<INVALID>", "VCL", "BACKEND", "PROBE", "ACL", "SUB",
                      "IMPORT", "UNUSED", "SET", "UNSET", "CALL", "RETURN",
                      "IF", "NEW", "PROCEDURE", "TEXT_SET", "CONST", "PARAM",
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
    RULE_unused = 21
    RULE_declaredName = 22
    RULE_inlineC = 23
    RULE_constant = 24
    RULE_typed = 25
    RULE_typeName = 26
    RULE_function = 27
    RULE_parameters = 28
    RULE_parameter = 29
    RULE_textSet = 30
    RULE_tableDeclaration = 31
    RULE_tableKind = 32
    RULE_columns = 33
    RULE_rows = 34
    RULE_row = 35
    RULE_rowKey = 36
    RULE_defaultWord = 37
    RULE_counter = 38
    RULE_budget = 39
    RULE_budgetEntry = 40
    RULE_caching = 41
    RULE_annotation = 42
    RULE_block = 43
    RULE_statement = 44
    RULE_setStatement = 45
    RULE_assignment = 46
    RULE_unsetStatement = 47
    RULE_callStatement = 48
    RULE_returnStatement = 49
    RULE_action = 50
    RULE_newStatement = 51
    RULE_functionStatement = 52
    RULE_ifStatement = 53
    RULE_ifArm = 54
    RULE_elseArm = 55
    RULE_condition = 56
    RULE_letStatement = 57
    RULE_mut = 58
    RULE_binding = 59
    RULE_giveStatement = 60
    RULE_switchStatement = 61
    RULE_switchCase = 62
    RULE_caseLabel = 63
    RULE_matching = 64
    RULE_forStatement = 65
    RULE_countStatement = 66
    RULE_logStatement = 67
    RULE_logPair = 68
    RULE_allowStatement = 69
    RULE_builtinStatement = 70
    RULE_invariant = 71
    RULE_labelled = 72
    RULE_expression = 73
    RULE_conjunction = 74
    RULE_negation = 75
    RULE_comparison = 76
    RULE_comparator = 77
    RULE_capture = 78
    RULE_presence = 79
    RULE_arithmetic = 80
    RULE_coalesce = 81
    RULE_arithmeticOp = 82
    RULE_minus = 83
    RULE_postfix = 84
    RULE_member = 85
    RULE_subscript = 86
    RULE_listLiteral = 87
    RULE_memberName = 88
    RULE_parenthesised = 89
    RULE_arguments = 90
    RULE_argument = 91
    RULE_name = 92
    RULE_number = 93
    RULE_string = 94
    RULE_blob = 95

    ruleNames =  [ "program", "declaration", "version", "backend", "none",
                   "probe", "properties", "field", "fieldName", "acl", "aclEntries",
                   "aclFlag", "aclEntry", "optionalAddress", "aclAddress",
                   "negated", "maskBits", "subroutine", "testCase", "importModule",
                   "importAlias", "unused", "declaredName", "inlineC", "constant",
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
    UNUSED=7
    SET=8
    UNSET=9
    CALL=10
    RETURN=11
    IF=12
    NEW=13
    PROCEDURE=14
    TEXT_SET=15
    CONST=16
    PARAM=17
    FN=18
    TABLE=19
    COUNTER=20
    BUDGET=21
    CACHING=22
    LET=23
    SWITCH=24
    CASE=25
    FOR=26
    COUNT=27
    LOG=28
    ALLOW=29
    BUILTIN=30
    INVARIANT=31
    GIVE=32
    ELSE=33
    ELSEIF=34
    FROM=35
    AS=36
    NONE=37
    INCLUDE=38
    TEST=39
    MUT=40
    BY=41
    COLUMNS=42
    DEFAULT=43
    IN=44
    STARTS=45
    ENDS=46
    CONTAINS=47
    IS=48
    IS_NOT=49
    IDENTIFIER=50
    NUMBER=51
    STRING=52
    UNCLOSED_STRING=53
    LONG_STRING=54
    TRIPLE_STRING=55
    BLOB=56
    INLINE_C=57
    LBRACE=58
    RBRACE=59
    LPAREN=60
    RPAREN=61
    LBRACKET=62
    RBRACKET=63
    SEMI=64
    COMMA=65
    DOT=66
    COLON=67
    QUESTION=68
    AT=69
    ARROW=70
    MAPS_TO=71
    ASSIGN=72
    ADD_ASSIGN=73
    SUB_ASSIGN=74
    MUL_ASSIGN=75
    DIV_ASSIGN=76
    EQ=77
    NE=78
    LT=79
    LE=80
    GT=81
    GE=82
    MATCH=83
    NO_MATCH=84
    NOT=85
    COALESCE=86
    AND=87
    OR=88
    PLUS=89
    MINUS=90
    STAR=91
    SLASH=92
    PERCENT=93
    DOUBLE_PLUS=94
    DOUBLE_MINUS=95
    LINE_COMMENT=96
    BLOCK_COMMENT=97
    SPACE=98
    UNKNOWN=99

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
            self.state = 195
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.VCL) | (1 << VclParser.BACKEND) | (1 << VclParser.PROBE) | (1 << VclParser.ACL) | (1 << VclParser.SUB) | (1 << VclParser.IMPORT) | (1 << VclParser.UNUSED) | (1 << VclParser.PROCEDURE) | (1 << VclParser.TEXT_SET) | (1 << VclParser.CONST) | (1 << VclParser.PARAM) | (1 << VclParser.FN) | (1 << VclParser.TABLE) | (1 << VclParser.COUNTER) | (1 << VclParser.BUDGET) | (1 << VclParser.CACHING) | (1 << VclParser.TEST) | (1 << VclParser.INLINE_C))) != 0) or _la==VclParser.AT:
                self.state = 192
                self.declaration()
                self.state = 197
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 198
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


        def unused(self):
            return self.getTypedRuleContext(VclParser.UnusedContext,0)


        def getRuleIndex(self):
            return VclParser.RULE_declaration




    def declaration(self):

        localctx = VclParser.DeclarationContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_declaration)
        try:
            self.state = 216
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.VCL]:
                self.enterOuterAlt(localctx, 1)
                self.state = 200
                self.version()
                pass
            elif token in [VclParser.BACKEND]:
                self.enterOuterAlt(localctx, 2)
                self.state = 201
                self.backend()
                pass
            elif token in [VclParser.PROBE]:
                self.enterOuterAlt(localctx, 3)
                self.state = 202
                self.probe()
                pass
            elif token in [VclParser.ACL]:
                self.enterOuterAlt(localctx, 4)
                self.state = 203
                self.acl()
                pass
            elif token in [VclParser.SUB, VclParser.PROCEDURE, VclParser.AT]:
                self.enterOuterAlt(localctx, 5)
                self.state = 204
                self.subroutine()
                pass
            elif token in [VclParser.IMPORT]:
                self.enterOuterAlt(localctx, 6)
                self.state = 205
                self.importModule()
                pass
            elif token in [VclParser.INLINE_C]:
                self.enterOuterAlt(localctx, 7)
                self.state = 206
                self.inlineC()
                pass
            elif token in [VclParser.TEST]:
                self.enterOuterAlt(localctx, 8)
                self.state = 207
                self.testCase()
                pass
            elif token in [VclParser.CONST, VclParser.PARAM]:
                self.enterOuterAlt(localctx, 9)
                self.state = 208
                self.constant()
                pass
            elif token in [VclParser.FN]:
                self.enterOuterAlt(localctx, 10)
                self.state = 209
                self.function()
                pass
            elif token in [VclParser.TEXT_SET]:
                self.enterOuterAlt(localctx, 11)
                self.state = 210
                self.textSet()
                pass
            elif token in [VclParser.TABLE]:
                self.enterOuterAlt(localctx, 12)
                self.state = 211
                self.tableDeclaration()
                pass
            elif token in [VclParser.COUNTER]:
                self.enterOuterAlt(localctx, 13)
                self.state = 212
                self.counter()
                pass
            elif token in [VclParser.BUDGET]:
                self.enterOuterAlt(localctx, 14)
                self.state = 213
                self.budget()
                pass
            elif token in [VclParser.CACHING]:
                self.enterOuterAlt(localctx, 15)
                self.state = 214
                self.caching()
                pass
            elif token in [VclParser.UNUSED]:
                self.enterOuterAlt(localctx, 16)
                self.state = 215
                self.unused()
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
            self.state = 218
            self.match(VclParser.VCL)
            self.state = 219
            self.match(VclParser.NUMBER)
            self.state = 220
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
            self.state = 222
            self.match(VclParser.BACKEND)
            self.state = 223
            self.declaredName()
            self.state = 228
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.NONE]:
                self.state = 224
                self.none()
                self.state = 225
                self.match(VclParser.SEMI)
                pass
            elif token in [VclParser.LBRACE]:
                self.state = 227
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
            self.state = 230
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
            self.state = 232
            self.match(VclParser.PROBE)
            self.state = 233
            self.declaredName()
            self.state = 234
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
            self.state = 236
            self.match(VclParser.LBRACE)
            self.state = 240
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 237
                self.field()
                self.state = 242
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 243
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
            self.state = 245
            self.match(VclParser.DOT)
            self.state = 246
            self.fieldName()
            self.state = 247
            self.match(VclParser.ASSIGN)
            self.state = 258
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LBRACE]:
                self.state = 248
                self.properties()
                pass
            elif token in [VclParser.IDENTIFIER, VclParser.NUMBER, VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING, VclParser.BLOB, VclParser.LPAREN, VclParser.LBRACKET, VclParser.NOT, VclParser.MINUS]:
                self.state = 249
                self.expression()
                self.state = 253
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                    self.state = 250
                    self.string()
                    self.state = 255
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 256
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
            self.state = 260
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
            self.state = 262
            self.match(VclParser.ACL)
            self.state = 263
            self.declaredName()
            self.state = 267
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.PLUS or _la==VclParser.MINUS:
                self.state = 264
                self.aclFlag()
                self.state = 269
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 270
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
            self.state = 272
            self.match(VclParser.LBRACE)
            self.state = 276
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 52)) & ~0x3f) == 0 and ((1 << (_la - 52)) & ((1 << (VclParser.STRING - 52)) | (1 << (VclParser.LONG_STRING - 52)) | (1 << (VclParser.TRIPLE_STRING - 52)) | (1 << (VclParser.LPAREN - 52)) | (1 << (VclParser.NOT - 52)))) != 0):
                self.state = 273
                self.aclEntry()
                self.state = 278
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 279
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

        def LPAREN(self):
            return self.getToken(VclParser.LPAREN, 0)

        def aclFlag(self):
            return self.getTypedRuleContext(VclParser.AclFlagContext,0)


        def RPAREN(self):
            return self.getToken(VclParser.RPAREN, 0)

        def getRuleIndex(self):
            return VclParser.RULE_aclFlag




    def aclFlag(self):

        localctx = VclParser.AclFlagContext(self, self._ctx, self.state)
        self.enterRule(localctx, 22, self.RULE_aclFlag)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 281
            _la = self._input.LA(1)
            if not(_la==VclParser.PLUS or _la==VclParser.MINUS):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
            self.state = 282
            self.match(VclParser.IDENTIFIER)
            self.state = 287
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 283
                self.match(VclParser.LPAREN)
                self.state = 284
                self.aclFlag()
                self.state = 285
                self.match(VclParser.RPAREN)


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
            self.state = 290
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.NOT:
                self.state = 289
                self.negated()


            self.state = 294
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LPAREN]:
                self.state = 292
                self.optionalAddress()
                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 293
                self.aclAddress()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 296
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
            self.state = 298
            self.match(VclParser.LPAREN)
            self.state = 300
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.NOT:
                self.state = 299
                self.negated()


            self.state = 302
            self.aclAddress()
            self.state = 303
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
            self.state = 305
            self.string()
            self.state = 308
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.SLASH:
                self.state = 306
                self.match(VclParser.SLASH)
                self.state = 307
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
            self.state = 310
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
            self.state = 312
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
            self.state = 317
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.AT:
                self.state = 314
                self.annotation()
                self.state = 319
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 326
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.SUB]:
                self.state = 320
                self.match(VclParser.SUB)
                self.state = 321
                self.declaredName()
                pass
            elif token in [VclParser.PROCEDURE]:
                self.state = 322
                self.match(VclParser.PROCEDURE)
                self.state = 323
                self.declaredName()
                self.state = 324
                self.parameters()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 328
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
            self.state = 330
            self.match(VclParser.TEST)
            self.state = 331
            self.string()
            self.state = 332
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
            self.state = 334
            self.match(VclParser.IMPORT)
            self.state = 348
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.IDENTIFIER]:
                self.state = 335
                self.declaredName()
                self.state = 338
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.AS:
                    self.state = 336
                    self.match(VclParser.AS)
                    self.state = 337
                    self.importAlias()


                self.state = 342
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.FROM:
                    self.state = 340
                    self.match(VclParser.FROM)
                    self.state = 341
                    self.string()


                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 344
                self.string()
                self.state = 345
                self.match(VclParser.AS)
                self.state = 346
                self.importAlias()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 350
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
            self.state = 352
            self.match(VclParser.IDENTIFIER)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class UnusedContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def UNUSED(self):
            return self.getToken(VclParser.UNUSED, 0)

        def declaredName(self):
            return self.getTypedRuleContext(VclParser.DeclaredNameContext,0)


        def SEMI(self):
            return self.getToken(VclParser.SEMI, 0)

        def getRuleIndex(self):
            return VclParser.RULE_unused




    def unused(self):

        localctx = VclParser.UnusedContext(self, self._ctx, self.state)
        self.enterRule(localctx, 42, self.RULE_unused)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 354
            self.match(VclParser.UNUSED)
            self.state = 355
            self.declaredName()
            self.state = 356
            self.match(VclParser.SEMI)
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
        self.enterRule(localctx, 44, self.RULE_declaredName)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 358
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
        self.enterRule(localctx, 46, self.RULE_inlineC)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 360
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
        self.enterRule(localctx, 48, self.RULE_constant)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 362
            _la = self._input.LA(1)
            if not(_la==VclParser.CONST or _la==VclParser.PARAM):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
            self.state = 363
            self.declaredName()
            self.state = 365
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.COLON:
                self.state = 364
                self.typed()


            self.state = 367
            self.match(VclParser.ASSIGN)
            self.state = 368
            self.expression()
            self.state = 369
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
        self.enterRule(localctx, 50, self.RULE_typed)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 371
            self.match(VclParser.COLON)
            self.state = 372
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
        self.enterRule(localctx, 52, self.RULE_typeName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 374
            self.match(VclParser.IDENTIFIER)
            self.state = 376
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.QUESTION:
                self.state = 375
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
        self.enterRule(localctx, 54, self.RULE_function)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 378
            self.match(VclParser.FN)
            self.state = 379
            self.declaredName()
            self.state = 380
            self.parameters()
            self.state = 381
            self.match(VclParser.ARROW)
            self.state = 382
            self.typeName()
            self.state = 383
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
        self.enterRule(localctx, 56, self.RULE_parameters)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 385
            self.match(VclParser.LPAREN)
            self.state = 394
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 386
                self.parameter()
                self.state = 391
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 387
                    self.match(VclParser.COMMA)
                    self.state = 388
                    self.parameter()
                    self.state = 393
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 396
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
        self.enterRule(localctx, 58, self.RULE_parameter)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 398
            self.declaredName()
            self.state = 399
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
        self.enterRule(localctx, 60, self.RULE_textSet)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 401
            self.match(VclParser.TEXT_SET)
            self.state = 402
            self.declaredName()
            self.state = 403
            self.listLiteral()
            self.state = 404
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
        self.enterRule(localctx, 62, self.RULE_tableDeclaration)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 406
            self.match(VclParser.TABLE)
            self.state = 407
            self.declaredName()
            self.state = 408
            self.typed()
            self.state = 409
            self.match(VclParser.BY)
            self.state = 410
            self.tableKind()
            self.state = 417
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.LBRACKET]:
                self.state = 411
                self.rows()
                pass
            elif token in [VclParser.FROM]:
                self.state = 412
                self.match(VclParser.FROM)
                self.state = 413
                self.string()
                self.state = 415
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.COLUMNS:
                    self.state = 414
                    self.columns()


                pass
            else:
                raise NoViableAltException(self)

            self.state = 419
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
        self.enterRule(localctx, 64, self.RULE_tableKind)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 421
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
        self.enterRule(localctx, 66, self.RULE_columns)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 423
            self.match(VclParser.COLUMNS)
            self.state = 424
            self.match(VclParser.LPAREN)
            self.state = 425
            self.match(VclParser.IDENTIFIER)
            self.state = 426
            self.match(VclParser.COMMA)
            self.state = 427
            self.match(VclParser.IDENTIFIER)
            self.state = 428
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
        self.enterRule(localctx, 68, self.RULE_rows)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 430
            self.match(VclParser.LBRACKET)
            self.state = 441
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.DEFAULT) | (1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                self.state = 431
                self.row()
                self.state = 438
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 432
                    self.match(VclParser.COMMA)
                    self.state = 434
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if (((_la) & ~0x3f) == 0 and ((1 << _la) & ((1 << VclParser.DEFAULT) | (1 << VclParser.STRING) | (1 << VclParser.LONG_STRING) | (1 << VclParser.TRIPLE_STRING))) != 0):
                        self.state = 433
                        self.row()


                    self.state = 440
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 443
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
        self.enterRule(localctx, 70, self.RULE_row)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 447
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.DEFAULT]:
                self.state = 445
                self.defaultWord()
                pass
            elif token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                self.state = 446
                self.rowKey()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 449
            self.match(VclParser.MAPS_TO)
            self.state = 450
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
        self.enterRule(localctx, 72, self.RULE_rowKey)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 452
            self.string()
            self.state = 455
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.SLASH:
                self.state = 453
                self.match(VclParser.SLASH)
                self.state = 454
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
        self.enterRule(localctx, 74, self.RULE_defaultWord)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 457
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
        self.enterRule(localctx, 76, self.RULE_counter)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 459
            self.match(VclParser.COUNTER)
            self.state = 460
            self.declaredName()
            self.state = 473
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.BY:
                self.state = 461
                self.match(VclParser.BY)
                self.state = 462
                self.match(VclParser.LPAREN)
                self.state = 463
                self.declaredName()
                self.state = 468
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 464
                    self.match(VclParser.COMMA)
                    self.state = 465
                    self.declaredName()
                    self.state = 470
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 471
                self.match(VclParser.RPAREN)


            self.state = 475
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
        self.enterRule(localctx, 78, self.RULE_budget)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 477
            self.match(VclParser.BUDGET)
            self.state = 478
            self.match(VclParser.LBRACE)
            self.state = 482
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.IDENTIFIER:
                self.state = 479
                self.budgetEntry()
                self.state = 484
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 485
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
        self.enterRule(localctx, 80, self.RULE_budgetEntry)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 487
            self.match(VclParser.IDENTIFIER)
            self.state = 488
            self.match(VclParser.NUMBER)
            self.state = 489
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
        self.enterRule(localctx, 82, self.RULE_caching)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 491
            self.match(VclParser.CACHING)
            self.state = 492
            self.match(VclParser.NUMBER)
            self.state = 493
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
        self.enterRule(localctx, 84, self.RULE_annotation)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 495
            self.match(VclParser.AT)
            self.state = 496
            self.match(VclParser.IDENTIFIER)
            self.state = 498
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 497
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
        self.enterRule(localctx, 86, self.RULE_block)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 500
            self.match(VclParser.LBRACE)
            self.state = 504
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 8)) & ~0x3f) == 0 and ((1 << (_la - 8)) & ((1 << (VclParser.SET - 8)) | (1 << (VclParser.UNSET - 8)) | (1 << (VclParser.CALL - 8)) | (1 << (VclParser.RETURN - 8)) | (1 << (VclParser.IF - 8)) | (1 << (VclParser.NEW - 8)) | (1 << (VclParser.LET - 8)) | (1 << (VclParser.SWITCH - 8)) | (1 << (VclParser.FOR - 8)) | (1 << (VclParser.COUNT - 8)) | (1 << (VclParser.LOG - 8)) | (1 << (VclParser.ALLOW - 8)) | (1 << (VclParser.BUILTIN - 8)) | (1 << (VclParser.INVARIANT - 8)) | (1 << (VclParser.GIVE - 8)) | (1 << (VclParser.IDENTIFIER - 8)) | (1 << (VclParser.INLINE_C - 8)) | (1 << (VclParser.LBRACE - 8)) | (1 << (VclParser.AT - 8)))) != 0):
                self.state = 501
                self.statement()
                self.state = 506
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 507
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
        self.enterRule(localctx, 88, self.RULE_statement)
        try:
            self.state = 528
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.SET]:
                self.enterOuterAlt(localctx, 1)
                self.state = 509
                self.setStatement()
                pass
            elif token in [VclParser.UNSET]:
                self.enterOuterAlt(localctx, 2)
                self.state = 510
                self.unsetStatement()
                pass
            elif token in [VclParser.CALL]:
                self.enterOuterAlt(localctx, 3)
                self.state = 511
                self.callStatement()
                pass
            elif token in [VclParser.RETURN]:
                self.enterOuterAlt(localctx, 4)
                self.state = 512
                self.returnStatement()
                pass
            elif token in [VclParser.IF]:
                self.enterOuterAlt(localctx, 5)
                self.state = 513
                self.ifStatement()
                pass
            elif token in [VclParser.NEW]:
                self.enterOuterAlt(localctx, 6)
                self.state = 514
                self.newStatement()
                pass
            elif token in [VclParser.IDENTIFIER]:
                self.enterOuterAlt(localctx, 7)
                self.state = 515
                self.functionStatement()
                pass
            elif token in [VclParser.LBRACE]:
                self.enterOuterAlt(localctx, 8)
                self.state = 516
                self.block()
                pass
            elif token in [VclParser.INLINE_C]:
                self.enterOuterAlt(localctx, 9)
                self.state = 517
                self.inlineC()
                pass
            elif token in [VclParser.LET]:
                self.enterOuterAlt(localctx, 10)
                self.state = 518
                self.letStatement()
                pass
            elif token in [VclParser.GIVE]:
                self.enterOuterAlt(localctx, 11)
                self.state = 519
                self.giveStatement()
                pass
            elif token in [VclParser.SWITCH]:
                self.enterOuterAlt(localctx, 12)
                self.state = 520
                self.switchStatement()
                pass
            elif token in [VclParser.FOR]:
                self.enterOuterAlt(localctx, 13)
                self.state = 521
                self.forStatement()
                pass
            elif token in [VclParser.COUNT]:
                self.enterOuterAlt(localctx, 14)
                self.state = 522
                self.countStatement()
                pass
            elif token in [VclParser.LOG]:
                self.enterOuterAlt(localctx, 15)
                self.state = 523
                self.logStatement()
                pass
            elif token in [VclParser.ALLOW]:
                self.enterOuterAlt(localctx, 16)
                self.state = 524
                self.allowStatement()
                pass
            elif token in [VclParser.BUILTIN]:
                self.enterOuterAlt(localctx, 17)
                self.state = 525
                self.builtinStatement()
                pass
            elif token in [VclParser.INVARIANT]:
                self.enterOuterAlt(localctx, 18)
                self.state = 526
                self.invariant()
                pass
            elif token in [VclParser.AT]:
                self.enterOuterAlt(localctx, 19)
                self.state = 527
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
        self.enterRule(localctx, 90, self.RULE_setStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 530
            self.match(VclParser.SET)
            self.state = 531
            self.name()
            self.state = 532
            self.assignment()
            self.state = 533
            self.expression()
            self.state = 534
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
        self.enterRule(localctx, 92, self.RULE_assignment)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 536
            _la = self._input.LA(1)
            if not(((((_la - 72)) & ~0x3f) == 0 and ((1 << (_la - 72)) & ((1 << (VclParser.ASSIGN - 72)) | (1 << (VclParser.ADD_ASSIGN - 72)) | (1 << (VclParser.SUB_ASSIGN - 72)) | (1 << (VclParser.MUL_ASSIGN - 72)) | (1 << (VclParser.DIV_ASSIGN - 72)))) != 0)):
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
        self.enterRule(localctx, 94, self.RULE_unsetStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 538
            self.match(VclParser.UNSET)
            self.state = 539
            self.name()
            self.state = 540
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
        self.enterRule(localctx, 96, self.RULE_callStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 542
            self.match(VclParser.CALL)
            self.state = 543
            self.postfix()
            self.state = 544
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
        self.enterRule(localctx, 98, self.RULE_returnStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 546
            self.match(VclParser.RETURN)
            self.state = 551
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 547
                self.match(VclParser.LPAREN)
                self.state = 548
                self.action()
                self.state = 549
                self.match(VclParser.RPAREN)


            self.state = 553
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
        self.enterRule(localctx, 100, self.RULE_action)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 555
            self.name()
            self.state = 557
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 556
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
        self.enterRule(localctx, 102, self.RULE_newStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 559
            self.match(VclParser.NEW)
            self.state = 560
            self.declaredName()
            self.state = 561
            self.match(VclParser.ASSIGN)
            self.state = 562
            self.name()
            self.state = 563
            self.arguments()
            self.state = 564
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
        self.enterRule(localctx, 104, self.RULE_functionStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 566
            self.name()
            self.state = 567
            self.arguments()
            self.state = 571
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                self.state = 568
                self.member()
                self.state = 573
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 574
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
        self.enterRule(localctx, 106, self.RULE_ifStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 576
            self.ifArm()
            self.state = 580
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.ELSE or _la==VclParser.ELSEIF:
                self.state = 577
                self.elseArm()
                self.state = 582
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
        self.enterRule(localctx, 108, self.RULE_ifArm)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 583
            self.match(VclParser.IF)
            self.state = 584
            self.condition()
            self.state = 585
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
        self.enterRule(localctx, 110, self.RULE_elseArm)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 594
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.ELSEIF]:
                self.state = 587
                self.match(VclParser.ELSEIF)
                self.state = 588
                self.condition()
                pass
            elif token in [VclParser.ELSE]:
                self.state = 589
                self.match(VclParser.ELSE)
                self.state = 592
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.IF:
                    self.state = 590
                    self.match(VclParser.IF)
                    self.state = 591
                    self.condition()


                pass
            else:
                raise NoViableAltException(self)

            self.state = 596
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
        self.enterRule(localctx, 112, self.RULE_condition)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 598
            self.match(VclParser.LPAREN)
            self.state = 600
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LET:
                self.state = 599
                self.binding()


            self.state = 602
            self.expression()
            self.state = 603
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
        self.enterRule(localctx, 114, self.RULE_letStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 605
            self.match(VclParser.LET)
            self.state = 607
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MUT:
                self.state = 606
                self.mut()


            self.state = 609
            self.declaredName()
            self.state = 611
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.COLON:
                self.state = 610
                self.typed()


            self.state = 613
            self.match(VclParser.ASSIGN)
            self.state = 614
            self.expression()
            self.state = 615
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
        self.enterRule(localctx, 116, self.RULE_mut)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 617
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
        self.enterRule(localctx, 118, self.RULE_binding)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 619
            self.match(VclParser.LET)
            self.state = 620
            self.declaredName()
            self.state = 621
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
        self.enterRule(localctx, 120, self.RULE_giveStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 623
            self.match(VclParser.GIVE)
            self.state = 624
            self.match(VclParser.LPAREN)
            self.state = 625
            self.expression()
            self.state = 626
            self.match(VclParser.RPAREN)
            self.state = 627
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
        self.enterRule(localctx, 122, self.RULE_switchStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 629
            self.match(VclParser.SWITCH)
            self.state = 630
            self.condition()
            self.state = 631
            self.match(VclParser.LBRACE)
            self.state = 635
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.CASE or _la==VclParser.DEFAULT:
                self.state = 632
                self.switchCase()
                self.state = 637
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 638
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
        self.enterRule(localctx, 124, self.RULE_switchCase)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 650
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.CASE]:
                self.state = 640
                self.match(VclParser.CASE)
                self.state = 641
                self.caseLabel()
                self.state = 646
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 642
                    self.match(VclParser.COMMA)
                    self.state = 643
                    self.caseLabel()
                    self.state = 648
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                pass
            elif token in [VclParser.DEFAULT]:
                self.state = 649
                self.defaultWord()
                pass
            else:
                raise NoViableAltException(self)

            self.state = 652
            self.match(VclParser.COLON)
            self.state = 653
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
        self.enterRule(localctx, 126, self.RULE_caseLabel)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 656
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MATCH:
                self.state = 655
                self.matching()


            self.state = 658
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
        self.enterRule(localctx, 128, self.RULE_matching)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 660
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
        self.enterRule(localctx, 130, self.RULE_forStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 662
            self.match(VclParser.FOR)
            self.state = 663
            self.match(VclParser.LPAREN)
            self.state = 664
            self.declaredName()
            self.state = 665
            self.match(VclParser.IN)
            self.state = 666
            self.expression()
            self.state = 667
            self.match(VclParser.RPAREN)
            self.state = 668
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
        self.enterRule(localctx, 132, self.RULE_countStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 670
            self.match(VclParser.COUNT)
            self.state = 671
            self.declaredName()
            self.state = 673
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.LPAREN:
                self.state = 672
                self.arguments()


            self.state = 675
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
        self.enterRule(localctx, 134, self.RULE_logStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 677
            self.match(VclParser.LOG)
            self.state = 678
            self.match(VclParser.LBRACE)
            self.state = 689
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 679
                self.logPair()
                self.state = 686
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 680
                    self.match(VclParser.COMMA)
                    self.state = 682
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if _la==VclParser.IDENTIFIER:
                        self.state = 681
                        self.logPair()


                    self.state = 688
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 691
            self.match(VclParser.RBRACE)
            self.state = 692
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
        self.enterRule(localctx, 136, self.RULE_logPair)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 694
            self.memberName()
            self.state = 695
            self.match(VclParser.ASSIGN)
            self.state = 696
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
        self.enterRule(localctx, 138, self.RULE_allowStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 698
            self.match(VclParser.ALLOW)
            self.state = 699
            self.arguments()
            self.state = 700
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
        self.enterRule(localctx, 140, self.RULE_builtinStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 702
            self.match(VclParser.BUILTIN)
            self.state = 703
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
        self.enterRule(localctx, 142, self.RULE_invariant)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 705
            self.match(VclParser.INVARIANT)
            self.state = 706
            self.string()
            self.state = 707
            self.match(VclParser.LBRACE)
            self.state = 708
            self.expression()
            self.state = 709
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
        self.enterRule(localctx, 144, self.RULE_labelled)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 711
            self.annotation()
            self.state = 712
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
        self.enterRule(localctx, 146, self.RULE_expression)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 714
            self.conjunction()
            self.state = 719
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.OR:
                self.state = 715
                self.match(VclParser.OR)
                self.state = 716
                self.conjunction()
                self.state = 721
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
        self.enterRule(localctx, 148, self.RULE_conjunction)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 722
            self.negation()
            self.state = 727
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.AND:
                self.state = 723
                self.match(VclParser.AND)
                self.state = 724
                self.negation()
                self.state = 729
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
        self.enterRule(localctx, 150, self.RULE_negation)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 733
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.NOT:
                self.state = 730
                self.negated()
                self.state = 735
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 736
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
        self.enterRule(localctx, 152, self.RULE_comparison)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 738
            self.arithmetic()
            self.state = 747
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 44)) & ~0x3f) == 0 and ((1 << (_la - 44)) & ((1 << (VclParser.IN - 44)) | (1 << (VclParser.STARTS - 44)) | (1 << (VclParser.ENDS - 44)) | (1 << (VclParser.CONTAINS - 44)) | (1 << (VclParser.IS - 44)) | (1 << (VclParser.EQ - 44)) | (1 << (VclParser.NE - 44)) | (1 << (VclParser.LT - 44)) | (1 << (VclParser.LE - 44)) | (1 << (VclParser.GT - 44)) | (1 << (VclParser.GE - 44)) | (1 << (VclParser.MATCH - 44)) | (1 << (VclParser.NO_MATCH - 44)))) != 0):
                self.state = 745
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [VclParser.IN, VclParser.STARTS, VclParser.ENDS, VclParser.CONTAINS, VclParser.EQ, VclParser.NE, VclParser.LT, VclParser.LE, VclParser.GT, VclParser.GE, VclParser.MATCH, VclParser.NO_MATCH]:
                    self.state = 739
                    self.comparator()
                    self.state = 740
                    self.arithmetic()
                    self.state = 742
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if _la==VclParser.AS:
                        self.state = 741
                        self.capture()


                    pass
                elif token in [VclParser.IS]:
                    self.state = 744
                    self.presence()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 749
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
        self.enterRule(localctx, 154, self.RULE_comparator)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 750
            _la = self._input.LA(1)
            if not(((((_la - 44)) & ~0x3f) == 0 and ((1 << (_la - 44)) & ((1 << (VclParser.IN - 44)) | (1 << (VclParser.STARTS - 44)) | (1 << (VclParser.ENDS - 44)) | (1 << (VclParser.CONTAINS - 44)) | (1 << (VclParser.EQ - 44)) | (1 << (VclParser.NE - 44)) | (1 << (VclParser.LT - 44)) | (1 << (VclParser.LE - 44)) | (1 << (VclParser.GT - 44)) | (1 << (VclParser.GE - 44)) | (1 << (VclParser.MATCH - 44)) | (1 << (VclParser.NO_MATCH - 44)))) != 0)):
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
        self.enterRule(localctx, 156, self.RULE_capture)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 752
            self.match(VclParser.AS)
            self.state = 753
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
        self.enterRule(localctx, 158, self.RULE_presence)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 755
            self.match(VclParser.IS)
            self.state = 757
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IS_NOT:
                self.state = 756
                self.match(VclParser.IS_NOT)


            self.state = 759
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
        self.enterRule(localctx, 160, self.RULE_arithmetic)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 762
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.MINUS:
                self.state = 761
                self.minus()


            self.state = 764
            self.coalesce()
            self.state = 773
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while ((((_la - 89)) & ~0x3f) == 0 and ((1 << (_la - 89)) & ((1 << (VclParser.PLUS - 89)) | (1 << (VclParser.MINUS - 89)) | (1 << (VclParser.STAR - 89)) | (1 << (VclParser.SLASH - 89)) | (1 << (VclParser.PERCENT - 89)))) != 0):
                self.state = 765
                self.arithmeticOp()
                self.state = 767
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.MINUS:
                    self.state = 766
                    self.minus()


                self.state = 769
                self.coalesce()
                self.state = 775
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
        self.enterRule(localctx, 162, self.RULE_coalesce)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 776
            self.postfix()
            self.state = 784
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.COALESCE:
                self.state = 777
                self.match(VclParser.COALESCE)
                self.state = 779
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.MINUS:
                    self.state = 778
                    self.minus()


                self.state = 781
                self.postfix()
                self.state = 786
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
        self.enterRule(localctx, 164, self.RULE_arithmeticOp)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 787
            _la = self._input.LA(1)
            if not(((((_la - 89)) & ~0x3f) == 0 and ((1 << (_la - 89)) & ((1 << (VclParser.PLUS - 89)) | (1 << (VclParser.MINUS - 89)) | (1 << (VclParser.STAR - 89)) | (1 << (VclParser.SLASH - 89)) | (1 << (VclParser.PERCENT - 89)))) != 0)):
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
        self.enterRule(localctx, 166, self.RULE_minus)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 789
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
        self.enterRule(localctx, 168, self.RULE_postfix)
        self._la = 0 # Token type
        try:
            self.state = 817
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.IDENTIFIER]:
                self.enterOuterAlt(localctx, 1)
                self.state = 791
                self.name()
                self.state = 802
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.LPAREN or _la==VclParser.LBRACKET:
                    self.state = 794
                    self._errHandler.sync(self)
                    token = self._input.LA(1)
                    if token in [VclParser.LPAREN]:
                        self.state = 792
                        self.arguments()
                        pass
                    elif token in [VclParser.LBRACKET]:
                        self.state = 793
                        self.subscript()
                        pass
                    else:
                        raise NoViableAltException(self)

                    self.state = 799
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                        self.state = 796
                        self.member()
                        self.state = 801
                        self._errHandler.sync(self)
                        _la = self._input.LA(1)



                pass
            elif token in [VclParser.NUMBER, VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING, VclParser.BLOB, VclParser.LPAREN]:
                self.enterOuterAlt(localctx, 2)
                self.state = 808
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [VclParser.STRING, VclParser.LONG_STRING, VclParser.TRIPLE_STRING]:
                    self.state = 804
                    self.string()
                    pass
                elif token in [VclParser.NUMBER]:
                    self.state = 805
                    self.number()
                    pass
                elif token in [VclParser.BLOB]:
                    self.state = 806
                    self.blob()
                    pass
                elif token in [VclParser.LPAREN]:
                    self.state = 807
                    self.parenthesised()
                    pass
                else:
                    raise NoViableAltException(self)

                self.state = 813
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.LBRACKET or _la==VclParser.DOT:
                    self.state = 810
                    self.member()
                    self.state = 815
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                pass
            elif token in [VclParser.LBRACKET]:
                self.enterOuterAlt(localctx, 3)
                self.state = 816
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
        self.enterRule(localctx, 170, self.RULE_member)
        self._la = 0 # Token type
        try:
            self.state = 825
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [VclParser.DOT]:
                self.enterOuterAlt(localctx, 1)
                self.state = 819
                self.match(VclParser.DOT)
                self.state = 820
                self.memberName()
                self.state = 822
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==VclParser.LPAREN:
                    self.state = 821
                    self.arguments()


                pass
            elif token in [VclParser.LBRACKET]:
                self.enterOuterAlt(localctx, 2)
                self.state = 824
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
        self.enterRule(localctx, 172, self.RULE_subscript)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 827
            self.match(VclParser.LBRACKET)
            self.state = 828
            self.expression()
            self.state = 829
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
        self.enterRule(localctx, 174, self.RULE_listLiteral)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 831
            self.match(VclParser.LBRACKET)
            self.state = 842
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if ((((_la - 50)) & ~0x3f) == 0 and ((1 << (_la - 50)) & ((1 << (VclParser.IDENTIFIER - 50)) | (1 << (VclParser.NUMBER - 50)) | (1 << (VclParser.STRING - 50)) | (1 << (VclParser.LONG_STRING - 50)) | (1 << (VclParser.TRIPLE_STRING - 50)) | (1 << (VclParser.BLOB - 50)) | (1 << (VclParser.LPAREN - 50)) | (1 << (VclParser.LBRACKET - 50)) | (1 << (VclParser.NOT - 50)) | (1 << (VclParser.MINUS - 50)))) != 0):
                self.state = 832
                self.expression()
                self.state = 839
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 833
                    self.match(VclParser.COMMA)
                    self.state = 835
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if ((((_la - 50)) & ~0x3f) == 0 and ((1 << (_la - 50)) & ((1 << (VclParser.IDENTIFIER - 50)) | (1 << (VclParser.NUMBER - 50)) | (1 << (VclParser.STRING - 50)) | (1 << (VclParser.LONG_STRING - 50)) | (1 << (VclParser.TRIPLE_STRING - 50)) | (1 << (VclParser.BLOB - 50)) | (1 << (VclParser.LPAREN - 50)) | (1 << (VclParser.LBRACKET - 50)) | (1 << (VclParser.NOT - 50)) | (1 << (VclParser.MINUS - 50)))) != 0):
                        self.state = 834
                        self.expression()


                    self.state = 841
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 844
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
        self.enterRule(localctx, 176, self.RULE_memberName)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 846
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
        self.enterRule(localctx, 178, self.RULE_parenthesised)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 848
            self.match(VclParser.LPAREN)
            self.state = 849
            self.expression()
            self.state = 850
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
        self.enterRule(localctx, 180, self.RULE_arguments)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 852
            self.match(VclParser.LPAREN)
            self.state = 863
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if ((((_la - 50)) & ~0x3f) == 0 and ((1 << (_la - 50)) & ((1 << (VclParser.IDENTIFIER - 50)) | (1 << (VclParser.NUMBER - 50)) | (1 << (VclParser.STRING - 50)) | (1 << (VclParser.LONG_STRING - 50)) | (1 << (VclParser.TRIPLE_STRING - 50)) | (1 << (VclParser.BLOB - 50)) | (1 << (VclParser.LPAREN - 50)) | (1 << (VclParser.LBRACKET - 50)) | (1 << (VclParser.NOT - 50)) | (1 << (VclParser.MINUS - 50)))) != 0):
                self.state = 853
                self.argument()
                self.state = 860
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==VclParser.COMMA:
                    self.state = 854
                    self.match(VclParser.COMMA)
                    self.state = 856
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)
                    if ((((_la - 50)) & ~0x3f) == 0 and ((1 << (_la - 50)) & ((1 << (VclParser.IDENTIFIER - 50)) | (1 << (VclParser.NUMBER - 50)) | (1 << (VclParser.STRING - 50)) | (1 << (VclParser.LONG_STRING - 50)) | (1 << (VclParser.TRIPLE_STRING - 50)) | (1 << (VclParser.BLOB - 50)) | (1 << (VclParser.LPAREN - 50)) | (1 << (VclParser.LBRACKET - 50)) | (1 << (VclParser.NOT - 50)) | (1 << (VclParser.MINUS - 50)))) != 0):
                        self.state = 855
                        self.argument()


                    self.state = 862
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 865
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
        self.enterRule(localctx, 182, self.RULE_argument)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 867
            self.expression()
            self.state = 870
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.ASSIGN:
                self.state = 868
                self.match(VclParser.ASSIGN)
                self.state = 869
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
        self.enterRule(localctx, 184, self.RULE_name)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 872
            self.match(VclParser.IDENTIFIER)
            self.state = 877
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==VclParser.DOT:
                self.state = 873
                self.match(VclParser.DOT)
                self.state = 874
                _la = self._input.LA(1)
                if not(_la==VclParser.IDENTIFIER or _la==VclParser.STRING):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 879
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
        self.enterRule(localctx, 186, self.RULE_number)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 880
            self.match(VclParser.NUMBER)
            self.state = 882
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==VclParser.IDENTIFIER:
                self.state = 881
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
        self.enterRule(localctx, 188, self.RULE_string)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 884
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
        self.enterRule(localctx, 190, self.RULE_blob)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 886
            self.match(VclParser.BLOB)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx





