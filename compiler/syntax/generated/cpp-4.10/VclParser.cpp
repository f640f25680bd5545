
// Generated from VclParser.g4 by ANTLR 4.10.1



#include "VclParser.h"


using namespace antlrcpp;
using namespace vernis;

using namespace antlr4;

namespace {

struct VclParserStaticData final {
  VclParserStaticData(std::vector<std::string> ruleNames,
                        std::vector<std::string> literalNames,
                        std::vector<std::string> symbolicNames)
      : ruleNames(std::move(ruleNames)), literalNames(std::move(literalNames)),
        symbolicNames(std::move(symbolicNames)),
        vocabulary(this->literalNames, this->symbolicNames) {}

  VclParserStaticData(const VclParserStaticData&) = delete;
  VclParserStaticData(VclParserStaticData&&) = delete;
  VclParserStaticData& operator=(const VclParserStaticData&) = delete;
  VclParserStaticData& operator=(VclParserStaticData&&) = delete;

  std::vector<antlr4::dfa::DFA> decisionToDFA;
  antlr4::atn::PredictionContextCache sharedContextCache;
  const std::vector<std::string> ruleNames;
  const std::vector<std::string> literalNames;
  const std::vector<std::string> symbolicNames;
  const antlr4::dfa::Vocabulary vocabulary;
  antlr4::atn::SerializedATNView serializedATN;
  std::unique_ptr<antlr4::atn::ATN> atn;
};

std::once_flag vclparserParserOnceFlag;
VclParserStaticData *vclparserParserStaticData = nullptr;

void vclparserParserInitialize() {
  assert(vclparserParserStaticData == nullptr);
  auto staticData = std::make_unique<VclParserStaticData>(
    std::vector<std::string>{
      "program", "declaration", "version", "backend", "none", "probe", "properties",
      "field", "fieldName", "acl", "aclEntries", "aclFlag", "aclEntry",
      "optionalAddress", "aclAddress", "negated", "maskBits", "subroutine",
      "testCase", "importModule", "importAlias", "declaredName", "inlineC",
      "constant", "typed", "typeName", "function", "parameters", "parameter",
      "textSet", "tableDeclaration", "tableKind", "columns", "rows", "row",
      "rowKey", "defaultWord", "counter", "budget", "budgetEntry", "annotation",
      "block", "statement", "setStatement", "assignment", "unsetStatement",
      "callStatement", "returnStatement", "action", "newStatement", "functionStatement",
      "ifStatement", "ifArm", "elseArm", "condition", "letStatement", "mut",
      "binding", "giveStatement", "switchStatement", "switchCase", "caseLabel",
      "matching", "forStatement", "countStatement", "logStatement", "logPair",
      "allowStatement", "builtinStatement", "invariant", "labelled", "expression",
      "conjunction", "negation", "comparison", "comparator", "capture",
      "presence", "arithmetic", "coalesce", "arithmeticOp", "minus", "postfix",
      "member", "subscript", "listLiteral", "memberName", "parenthesised",
      "arguments", "argument", "name", "number", "string", "blob"
    },
    std::vector<std::string>{
      "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
      "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
      "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
      "", "", "", "", "'{'", "'}'", "'('", "')'", "'['", "']'", "';'", "','",
      "'.'", "':'", "'\\u003F'", "'@'", "'->'", "'=>'", "'='", "'+='", "'-='",
      "'*='", "'/='", "'=='", "'!='", "'<'", "'<='", "'>'", "'>='", "'~'",
      "'!~'", "'!'", "'\\u003F\\u003F'", "'&&'", "'||'", "'+'", "'-'", "'*'",
      "'/'", "'%'", "'++'", "'--'"
    },
    std::vector<std::string>{
      "", "VCL", "BACKEND", "PROBE", "ACL", "SUB", "IMPORT", "SET", "UNSET",
      "CALL", "RETURN", "IF", "NEW", "PROCEDURE", "TEXT_SET", "CONST", "PARAM",
      "FN", "TABLE", "COUNTER", "BUDGET", "LET", "SWITCH", "CASE", "FOR",
      "COUNT", "LOG", "ALLOW", "BUILTIN", "INVARIANT", "GIVE", "ELSE", "ELSEIF",
      "FROM", "AS", "NONE", "INCLUDE", "TEST", "MUT", "BY", "COLUMNS", "DEFAULT",
      "IN", "STARTS", "ENDS", "CONTAINS", "IS", "IDENTIFIER", "NUMBER",
      "STRING", "UNCLOSED_STRING", "LONG_STRING", "TRIPLE_STRING", "BLOB",
      "INLINE_C", "LBRACE", "RBRACE", "LPAREN", "RPAREN", "LBRACKET", "RBRACKET",
      "SEMI", "COMMA", "DOT", "COLON", "QUESTION", "AT", "ARROW", "MAPS_TO",
      "ASSIGN", "ADD_ASSIGN", "SUB_ASSIGN", "MUL_ASSIGN", "DIV_ASSIGN",
      "EQ", "NE", "LT", "LE", "GT", "GE", "MATCH", "NO_MATCH", "NOT", "COALESCE",
      "AND", "OR", "PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "DOUBLE_PLUS",
      "DOUBLE_MINUS", "LINE_COMMENT", "BLOCK_COMMENT", "SPACE", "UNKNOWN"
    }
  );
  static const int32_t serializedATNSegment[] = {
  	4,1,96,867,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,6,2,
  	7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,2,14,7,
  	14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,7,20,2,21,7,
  	21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,2,27,7,27,2,28,7,
  	28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,7,33,2,34,7,34,2,35,7,
  	35,2,36,7,36,2,37,7,37,2,38,7,38,2,39,7,39,2,40,7,40,2,41,7,41,2,42,7,
  	42,2,43,7,43,2,44,7,44,2,45,7,45,2,46,7,46,2,47,7,47,2,48,7,48,2,49,7,
  	49,2,50,7,50,2,51,7,51,2,52,7,52,2,53,7,53,2,54,7,54,2,55,7,55,2,56,7,
  	56,2,57,7,57,2,58,7,58,2,59,7,59,2,60,7,60,2,61,7,61,2,62,7,62,2,63,7,
  	63,2,64,7,64,2,65,7,65,2,66,7,66,2,67,7,67,2,68,7,68,2,69,7,69,2,70,7,
  	70,2,71,7,71,2,72,7,72,2,73,7,73,2,74,7,74,2,75,7,75,2,76,7,76,2,77,7,
  	77,2,78,7,78,2,79,7,79,2,80,7,80,2,81,7,81,2,82,7,82,2,83,7,83,2,84,7,
  	84,2,85,7,85,2,86,7,86,2,87,7,87,2,88,7,88,2,89,7,89,2,90,7,90,2,91,7,
  	91,2,92,7,92,2,93,7,93,1,0,5,0,190,8,0,10,0,12,0,193,9,0,1,0,1,0,1,1,
  	1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1,211,8,1,1,2,1,
  	2,1,2,1,2,1,3,1,3,1,3,1,3,1,3,1,3,3,3,223,8,3,1,4,1,4,1,5,1,5,1,5,1,5,
  	1,6,1,6,5,6,233,8,6,10,6,12,6,236,9,6,1,6,1,6,1,7,1,7,1,7,1,7,1,7,1,7,
  	5,7,246,8,7,10,7,12,7,249,9,7,1,7,1,7,3,7,253,8,7,1,8,1,8,1,9,1,9,1,9,
  	5,9,260,8,9,10,9,12,9,263,9,9,1,9,1,9,1,10,1,10,5,10,269,8,10,10,10,12,
  	10,272,9,10,1,10,1,10,1,11,1,11,1,11,1,12,3,12,280,8,12,1,12,1,12,3,12,
  	284,8,12,1,12,1,12,1,13,1,13,3,13,290,8,13,1,13,1,13,1,13,1,14,1,14,1,
  	14,3,14,298,8,14,1,15,1,15,1,16,1,16,1,17,5,17,305,8,17,10,17,12,17,308,
  	9,17,1,17,1,17,1,17,1,17,1,17,1,17,3,17,316,8,17,1,17,1,17,1,18,1,18,
  	1,18,1,18,1,19,1,19,1,19,1,19,3,19,328,8,19,1,19,1,19,3,19,332,8,19,1,
  	19,1,19,1,19,1,19,3,19,338,8,19,1,19,1,19,1,20,1,20,1,21,1,21,1,22,1,
  	22,1,23,1,23,1,23,3,23,351,8,23,1,23,1,23,1,23,1,23,1,24,1,24,1,24,1,
  	25,1,25,3,25,362,8,25,1,26,1,26,1,26,1,26,1,26,1,26,1,26,1,27,1,27,1,
  	27,1,27,5,27,375,8,27,10,27,12,27,378,9,27,3,27,380,8,27,1,27,1,27,1,
  	28,1,28,1,28,1,29,1,29,1,29,1,29,1,29,1,30,1,30,1,30,1,30,1,30,1,30,1,
  	30,1,30,1,30,3,30,401,8,30,3,30,403,8,30,1,30,1,30,1,31,1,31,1,32,1,32,
  	1,32,1,32,1,32,1,32,1,32,1,33,1,33,1,33,1,33,3,33,420,8,33,5,33,422,8,
  	33,10,33,12,33,425,9,33,3,33,427,8,33,1,33,1,33,1,34,1,34,3,34,433,8,
  	34,1,34,1,34,1,34,1,35,1,35,1,35,3,35,441,8,35,1,36,1,36,1,37,1,37,1,
  	37,1,37,1,37,1,37,1,37,5,37,452,8,37,10,37,12,37,455,9,37,1,37,1,37,3,
  	37,459,8,37,1,37,1,37,1,38,1,38,1,38,5,38,466,8,38,10,38,12,38,469,9,
  	38,1,38,1,38,1,39,1,39,1,39,1,39,1,40,1,40,1,40,3,40,480,8,40,1,41,1,
  	41,5,41,484,8,41,10,41,12,41,487,9,41,1,41,1,41,1,42,1,42,1,42,1,42,1,
  	42,1,42,1,42,1,42,1,42,1,42,1,42,1,42,1,42,1,42,1,42,1,42,1,42,1,42,1,
  	42,3,42,510,8,42,1,43,1,43,1,43,1,43,1,43,1,43,1,44,1,44,1,45,1,45,1,
  	45,1,45,1,46,1,46,1,46,1,46,1,47,1,47,1,47,1,47,1,47,3,47,533,8,47,1,
  	47,1,47,1,48,1,48,3,48,539,8,48,1,49,1,49,1,49,1,49,1,49,1,49,1,49,1,
  	50,1,50,1,50,5,50,551,8,50,10,50,12,50,554,9,50,1,50,1,50,1,51,1,51,5,
  	51,560,8,51,10,51,12,51,563,9,51,1,52,1,52,1,52,1,52,1,53,1,53,1,53,1,
  	53,1,53,3,53,574,8,53,3,53,576,8,53,1,53,1,53,1,54,1,54,3,54,582,8,54,
  	1,54,1,54,1,54,1,55,1,55,3,55,589,8,55,1,55,1,55,3,55,593,8,55,1,55,1,
  	55,1,55,1,55,1,56,1,56,1,57,1,57,1,57,1,57,1,58,1,58,1,58,1,58,1,58,1,
  	58,1,59,1,59,1,59,1,59,5,59,615,8,59,10,59,12,59,618,9,59,1,59,1,59,1,
  	60,1,60,1,60,1,60,5,60,626,8,60,10,60,12,60,629,9,60,1,60,3,60,632,8,
  	60,1,60,1,60,1,60,1,61,3,61,638,8,61,1,61,1,61,1,62,1,62,1,63,1,63,1,
  	63,1,63,1,63,1,63,1,63,1,63,1,64,1,64,1,64,3,64,655,8,64,1,64,1,64,1,
  	65,1,65,1,65,1,65,1,65,3,65,664,8,65,5,65,666,8,65,10,65,12,65,669,9,
  	65,3,65,671,8,65,1,65,1,65,1,65,1,66,1,66,1,66,1,66,1,67,1,67,1,67,1,
  	67,1,68,1,68,1,68,1,69,1,69,1,69,1,69,1,69,1,69,1,70,1,70,1,70,1,71,1,
  	71,1,71,5,71,699,8,71,10,71,12,71,702,9,71,1,72,1,72,1,72,5,72,707,8,
  	72,10,72,12,72,710,9,72,1,73,5,73,713,8,73,10,73,12,73,716,9,73,1,73,
  	1,73,1,74,1,74,1,74,1,74,3,74,724,8,74,1,74,5,74,727,8,74,10,74,12,74,
  	730,9,74,1,75,1,75,1,76,1,76,1,76,1,77,1,77,1,77,1,78,3,78,741,8,78,1,
  	78,1,78,1,78,3,78,746,8,78,1,78,1,78,5,78,750,8,78,10,78,12,78,753,9,
  	78,1,79,1,79,1,79,3,79,758,8,79,1,79,5,79,761,8,79,10,79,12,79,764,9,
  	79,1,80,1,80,1,81,1,81,1,82,1,82,1,82,3,82,773,8,82,1,82,5,82,776,8,82,
  	10,82,12,82,779,9,82,3,82,781,8,82,1,82,1,82,1,82,1,82,3,82,787,8,82,
  	1,82,5,82,790,8,82,10,82,12,82,793,9,82,1,82,3,82,796,8,82,1,83,1,83,
  	1,83,3,83,801,8,83,1,83,3,83,804,8,83,1,84,1,84,1,84,1,84,1,85,1,85,1,
  	85,1,85,3,85,814,8,85,5,85,816,8,85,10,85,12,85,819,9,85,3,85,821,8,85,
  	1,85,1,85,1,86,1,86,1,87,1,87,1,87,1,87,1,88,1,88,1,88,1,88,3,88,835,
  	8,88,5,88,837,8,88,10,88,12,88,840,9,88,3,88,842,8,88,1,88,1,88,1,89,
  	1,89,1,89,3,89,849,8,89,1,90,1,90,1,90,5,90,854,8,90,10,90,12,90,857,
  	9,90,1,91,1,91,3,91,861,8,91,1,92,1,92,1,93,1,93,1,93,0,0,94,0,2,4,6,
  	8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,
  	56,58,60,62,64,66,68,70,72,74,76,78,80,82,84,86,88,90,92,94,96,98,100,
  	102,104,106,108,110,112,114,116,118,120,122,124,126,128,130,132,134,136,
  	138,140,142,144,146,148,150,152,154,156,158,160,162,164,166,168,170,172,
  	174,176,178,180,182,184,186,0,7,1,0,86,87,1,0,15,16,1,0,69,73,2,0,42,
  	45,74,81,1,0,86,90,2,0,47,47,49,49,2,0,49,49,51,52,883,0,191,1,0,0,0,
  	2,210,1,0,0,0,4,212,1,0,0,0,6,216,1,0,0,0,8,224,1,0,0,0,10,226,1,0,0,
  	0,12,230,1,0,0,0,14,239,1,0,0,0,16,254,1,0,0,0,18,256,1,0,0,0,20,266,
  	1,0,0,0,22,275,1,0,0,0,24,279,1,0,0,0,26,287,1,0,0,0,28,294,1,0,0,0,30,
  	299,1,0,0,0,32,301,1,0,0,0,34,306,1,0,0,0,36,319,1,0,0,0,38,323,1,0,0,
  	0,40,341,1,0,0,0,42,343,1,0,0,0,44,345,1,0,0,0,46,347,1,0,0,0,48,356,
  	1,0,0,0,50,359,1,0,0,0,52,363,1,0,0,0,54,370,1,0,0,0,56,383,1,0,0,0,58,
  	386,1,0,0,0,60,391,1,0,0,0,62,406,1,0,0,0,64,408,1,0,0,0,66,415,1,0,0,
  	0,68,432,1,0,0,0,70,437,1,0,0,0,72,442,1,0,0,0,74,444,1,0,0,0,76,462,
  	1,0,0,0,78,472,1,0,0,0,80,476,1,0,0,0,82,481,1,0,0,0,84,509,1,0,0,0,86,
  	511,1,0,0,0,88,517,1,0,0,0,90,519,1,0,0,0,92,523,1,0,0,0,94,527,1,0,0,
  	0,96,536,1,0,0,0,98,540,1,0,0,0,100,547,1,0,0,0,102,557,1,0,0,0,104,564,
  	1,0,0,0,106,575,1,0,0,0,108,579,1,0,0,0,110,586,1,0,0,0,112,598,1,0,0,
  	0,114,600,1,0,0,0,116,604,1,0,0,0,118,610,1,0,0,0,120,631,1,0,0,0,122,
  	637,1,0,0,0,124,641,1,0,0,0,126,643,1,0,0,0,128,651,1,0,0,0,130,658,1,
  	0,0,0,132,675,1,0,0,0,134,679,1,0,0,0,136,683,1,0,0,0,138,686,1,0,0,0,
  	140,692,1,0,0,0,142,695,1,0,0,0,144,703,1,0,0,0,146,714,1,0,0,0,148,719,
  	1,0,0,0,150,731,1,0,0,0,152,733,1,0,0,0,154,736,1,0,0,0,156,740,1,0,0,
  	0,158,754,1,0,0,0,160,765,1,0,0,0,162,767,1,0,0,0,164,795,1,0,0,0,166,
  	803,1,0,0,0,168,805,1,0,0,0,170,809,1,0,0,0,172,824,1,0,0,0,174,826,1,
  	0,0,0,176,830,1,0,0,0,178,845,1,0,0,0,180,850,1,0,0,0,182,858,1,0,0,0,
  	184,862,1,0,0,0,186,864,1,0,0,0,188,190,3,2,1,0,189,188,1,0,0,0,190,193,
  	1,0,0,0,191,189,1,0,0,0,191,192,1,0,0,0,192,194,1,0,0,0,193,191,1,0,0,
  	0,194,195,5,0,0,1,195,1,1,0,0,0,196,211,3,4,2,0,197,211,3,6,3,0,198,211,
  	3,10,5,0,199,211,3,18,9,0,200,211,3,34,17,0,201,211,3,38,19,0,202,211,
  	3,44,22,0,203,211,3,36,18,0,204,211,3,46,23,0,205,211,3,52,26,0,206,211,
  	3,58,29,0,207,211,3,60,30,0,208,211,3,74,37,0,209,211,3,76,38,0,210,196,
  	1,0,0,0,210,197,1,0,0,0,210,198,1,0,0,0,210,199,1,0,0,0,210,200,1,0,0,
  	0,210,201,1,0,0,0,210,202,1,0,0,0,210,203,1,0,0,0,210,204,1,0,0,0,210,
  	205,1,0,0,0,210,206,1,0,0,0,210,207,1,0,0,0,210,208,1,0,0,0,210,209,1,
  	0,0,0,211,3,1,0,0,0,212,213,5,1,0,0,213,214,5,48,0,0,214,215,5,61,0,0,
  	215,5,1,0,0,0,216,217,5,2,0,0,217,222,3,42,21,0,218,219,3,8,4,0,219,220,
  	5,61,0,0,220,223,1,0,0,0,221,223,3,12,6,0,222,218,1,0,0,0,222,221,1,0,
  	0,0,223,7,1,0,0,0,224,225,5,35,0,0,225,9,1,0,0,0,226,227,5,3,0,0,227,
  	228,3,42,21,0,228,229,3,12,6,0,229,11,1,0,0,0,230,234,5,55,0,0,231,233,
  	3,14,7,0,232,231,1,0,0,0,233,236,1,0,0,0,234,232,1,0,0,0,234,235,1,0,
  	0,0,235,237,1,0,0,0,236,234,1,0,0,0,237,238,5,56,0,0,238,13,1,0,0,0,239,
  	240,5,63,0,0,240,241,3,16,8,0,241,252,5,69,0,0,242,253,3,12,6,0,243,247,
  	3,142,71,0,244,246,3,184,92,0,245,244,1,0,0,0,246,249,1,0,0,0,247,245,
  	1,0,0,0,247,248,1,0,0,0,248,250,1,0,0,0,249,247,1,0,0,0,250,251,5,61,
  	0,0,251,253,1,0,0,0,252,242,1,0,0,0,252,243,1,0,0,0,253,15,1,0,0,0,254,
  	255,5,47,0,0,255,17,1,0,0,0,256,257,5,4,0,0,257,261,3,42,21,0,258,260,
  	3,22,11,0,259,258,1,0,0,0,260,263,1,0,0,0,261,259,1,0,0,0,261,262,1,0,
  	0,0,262,264,1,0,0,0,263,261,1,0,0,0,264,265,3,20,10,0,265,19,1,0,0,0,
  	266,270,5,55,0,0,267,269,3,24,12,0,268,267,1,0,0,0,269,272,1,0,0,0,270,
  	268,1,0,0,0,270,271,1,0,0,0,271,273,1,0,0,0,272,270,1,0,0,0,273,274,5,
  	56,0,0,274,21,1,0,0,0,275,276,7,0,0,0,276,277,5,47,0,0,277,23,1,0,0,0,
  	278,280,3,30,15,0,279,278,1,0,0,0,279,280,1,0,0,0,280,283,1,0,0,0,281,
  	284,3,26,13,0,282,284,3,28,14,0,283,281,1,0,0,0,283,282,1,0,0,0,284,285,
  	1,0,0,0,285,286,5,61,0,0,286,25,1,0,0,0,287,289,5,57,0,0,288,290,3,30,
  	15,0,289,288,1,0,0,0,289,290,1,0,0,0,290,291,1,0,0,0,291,292,3,28,14,
  	0,292,293,5,58,0,0,293,27,1,0,0,0,294,297,3,184,92,0,295,296,5,89,0,0,
  	296,298,3,32,16,0,297,295,1,0,0,0,297,298,1,0,0,0,298,29,1,0,0,0,299,
  	300,5,82,0,0,300,31,1,0,0,0,301,302,5,48,0,0,302,33,1,0,0,0,303,305,3,
  	80,40,0,304,303,1,0,0,0,305,308,1,0,0,0,306,304,1,0,0,0,306,307,1,0,0,
  	0,307,315,1,0,0,0,308,306,1,0,0,0,309,310,5,5,0,0,310,316,3,42,21,0,311,
  	312,5,13,0,0,312,313,3,42,21,0,313,314,3,54,27,0,314,316,1,0,0,0,315,
  	309,1,0,0,0,315,311,1,0,0,0,316,317,1,0,0,0,317,318,3,82,41,0,318,35,
  	1,0,0,0,319,320,5,37,0,0,320,321,3,184,92,0,321,322,3,82,41,0,322,37,
  	1,0,0,0,323,337,5,6,0,0,324,327,3,42,21,0,325,326,5,34,0,0,326,328,3,
  	40,20,0,327,325,1,0,0,0,327,328,1,0,0,0,328,331,1,0,0,0,329,330,5,33,
  	0,0,330,332,3,184,92,0,331,329,1,0,0,0,331,332,1,0,0,0,332,338,1,0,0,
  	0,333,334,3,184,92,0,334,335,5,34,0,0,335,336,3,40,20,0,336,338,1,0,0,
  	0,337,324,1,0,0,0,337,333,1,0,0,0,338,339,1,0,0,0,339,340,5,61,0,0,340,
  	39,1,0,0,0,341,342,5,47,0,0,342,41,1,0,0,0,343,344,5,47,0,0,344,43,1,
  	0,0,0,345,346,5,54,0,0,346,45,1,0,0,0,347,348,7,1,0,0,348,350,3,42,21,
  	0,349,351,3,48,24,0,350,349,1,0,0,0,350,351,1,0,0,0,351,352,1,0,0,0,352,
  	353,5,69,0,0,353,354,3,142,71,0,354,355,5,61,0,0,355,47,1,0,0,0,356,357,
  	5,64,0,0,357,358,3,50,25,0,358,49,1,0,0,0,359,361,5,47,0,0,360,362,5,
  	65,0,0,361,360,1,0,0,0,361,362,1,0,0,0,362,51,1,0,0,0,363,364,5,17,0,
  	0,364,365,3,42,21,0,365,366,3,54,27,0,366,367,5,67,0,0,367,368,3,50,25,
  	0,368,369,3,82,41,0,369,53,1,0,0,0,370,379,5,57,0,0,371,376,3,56,28,0,
  	372,373,5,62,0,0,373,375,3,56,28,0,374,372,1,0,0,0,375,378,1,0,0,0,376,
  	374,1,0,0,0,376,377,1,0,0,0,377,380,1,0,0,0,378,376,1,0,0,0,379,371,1,
  	0,0,0,379,380,1,0,0,0,380,381,1,0,0,0,381,382,5,58,0,0,382,55,1,0,0,0,
  	383,384,3,42,21,0,384,385,3,48,24,0,385,57,1,0,0,0,386,387,5,14,0,0,387,
  	388,3,42,21,0,388,389,3,170,85,0,389,390,5,61,0,0,390,59,1,0,0,0,391,
  	392,5,18,0,0,392,393,3,42,21,0,393,394,3,48,24,0,394,395,5,39,0,0,395,
  	402,3,62,31,0,396,403,3,66,33,0,397,398,5,33,0,0,398,400,3,184,92,0,399,
  	401,3,64,32,0,400,399,1,0,0,0,400,401,1,0,0,0,401,403,1,0,0,0,402,396,
  	1,0,0,0,402,397,1,0,0,0,403,404,1,0,0,0,404,405,5,61,0,0,405,61,1,0,0,
  	0,406,407,5,47,0,0,407,63,1,0,0,0,408,409,5,40,0,0,409,410,5,57,0,0,410,
  	411,5,47,0,0,411,412,5,62,0,0,412,413,5,47,0,0,413,414,5,58,0,0,414,65,
  	1,0,0,0,415,426,5,59,0,0,416,423,3,68,34,0,417,419,5,62,0,0,418,420,3,
  	68,34,0,419,418,1,0,0,0,419,420,1,0,0,0,420,422,1,0,0,0,421,417,1,0,0,
  	0,422,425,1,0,0,0,423,421,1,0,0,0,423,424,1,0,0,0,424,427,1,0,0,0,425,
  	423,1,0,0,0,426,416,1,0,0,0,426,427,1,0,0,0,427,428,1,0,0,0,428,429,5,
  	60,0,0,429,67,1,0,0,0,430,433,3,72,36,0,431,433,3,70,35,0,432,430,1,0,
  	0,0,432,431,1,0,0,0,433,434,1,0,0,0,434,435,5,68,0,0,435,436,3,142,71,
  	0,436,69,1,0,0,0,437,440,3,184,92,0,438,439,5,89,0,0,439,441,3,32,16,
  	0,440,438,1,0,0,0,440,441,1,0,0,0,441,71,1,0,0,0,442,443,5,41,0,0,443,
  	73,1,0,0,0,444,445,5,19,0,0,445,458,3,42,21,0,446,447,5,39,0,0,447,448,
  	5,57,0,0,448,453,3,42,21,0,449,450,5,62,0,0,450,452,3,42,21,0,451,449,
  	1,0,0,0,452,455,1,0,0,0,453,451,1,0,0,0,453,454,1,0,0,0,454,456,1,0,0,
  	0,455,453,1,0,0,0,456,457,5,58,0,0,457,459,1,0,0,0,458,446,1,0,0,0,458,
  	459,1,0,0,0,459,460,1,0,0,0,460,461,5,61,0,0,461,75,1,0,0,0,462,463,5,
  	20,0,0,463,467,5,55,0,0,464,466,3,78,39,0,465,464,1,0,0,0,466,469,1,0,
  	0,0,467,465,1,0,0,0,467,468,1,0,0,0,468,470,1,0,0,0,469,467,1,0,0,0,470,
  	471,5,56,0,0,471,77,1,0,0,0,472,473,5,47,0,0,473,474,5,48,0,0,474,475,
  	5,61,0,0,475,79,1,0,0,0,476,477,5,66,0,0,477,479,5,47,0,0,478,480,3,176,
  	88,0,479,478,1,0,0,0,479,480,1,0,0,0,480,81,1,0,0,0,481,485,5,55,0,0,
  	482,484,3,84,42,0,483,482,1,0,0,0,484,487,1,0,0,0,485,483,1,0,0,0,485,
  	486,1,0,0,0,486,488,1,0,0,0,487,485,1,0,0,0,488,489,5,56,0,0,489,83,1,
  	0,0,0,490,510,3,86,43,0,491,510,3,90,45,0,492,510,3,92,46,0,493,510,3,
  	94,47,0,494,510,3,102,51,0,495,510,3,98,49,0,496,510,3,100,50,0,497,510,
  	3,82,41,0,498,510,3,44,22,0,499,510,3,110,55,0,500,510,3,116,58,0,501,
  	510,3,118,59,0,502,510,3,126,63,0,503,510,3,128,64,0,504,510,3,130,65,
  	0,505,510,3,134,67,0,506,510,3,136,68,0,507,510,3,138,69,0,508,510,3,
  	140,70,0,509,490,1,0,0,0,509,491,1,0,0,0,509,492,1,0,0,0,509,493,1,0,
  	0,0,509,494,1,0,0,0,509,495,1,0,0,0,509,496,1,0,0,0,509,497,1,0,0,0,509,
  	498,1,0,0,0,509,499,1,0,0,0,509,500,1,0,0,0,509,501,1,0,0,0,509,502,1,
  	0,0,0,509,503,1,0,0,0,509,504,1,0,0,0,509,505,1,0,0,0,509,506,1,0,0,0,
  	509,507,1,0,0,0,509,508,1,0,0,0,510,85,1,0,0,0,511,512,5,7,0,0,512,513,
  	3,180,90,0,513,514,3,88,44,0,514,515,3,142,71,0,515,516,5,61,0,0,516,
  	87,1,0,0,0,517,518,7,2,0,0,518,89,1,0,0,0,519,520,5,8,0,0,520,521,3,180,
  	90,0,521,522,5,61,0,0,522,91,1,0,0,0,523,524,5,9,0,0,524,525,3,164,82,
  	0,525,526,5,61,0,0,526,93,1,0,0,0,527,532,5,10,0,0,528,529,5,57,0,0,529,
  	530,3,96,48,0,530,531,5,58,0,0,531,533,1,0,0,0,532,528,1,0,0,0,532,533,
  	1,0,0,0,533,534,1,0,0,0,534,535,5,61,0,0,535,95,1,0,0,0,536,538,3,180,
  	90,0,537,539,3,176,88,0,538,537,1,0,0,0,538,539,1,0,0,0,539,97,1,0,0,
  	0,540,541,5,12,0,0,541,542,3,42,21,0,542,543,5,69,0,0,543,544,3,180,90,
  	0,544,545,3,176,88,0,545,546,5,61,0,0,546,99,1,0,0,0,547,548,3,180,90,
  	0,548,552,3,176,88,0,549,551,3,166,83,0,550,549,1,0,0,0,551,554,1,0,0,
  	0,552,550,1,0,0,0,552,553,1,0,0,0,553,555,1,0,0,0,554,552,1,0,0,0,555,
  	556,5,61,0,0,556,101,1,0,0,0,557,561,3,104,52,0,558,560,3,106,53,0,559,
  	558,1,0,0,0,560,563,1,0,0,0,561,559,1,0,0,0,561,562,1,0,0,0,562,103,1,
  	0,0,0,563,561,1,0,0,0,564,565,5,11,0,0,565,566,3,108,54,0,566,567,3,82,
  	41,0,567,105,1,0,0,0,568,569,5,32,0,0,569,576,3,108,54,0,570,573,5,31,
  	0,0,571,572,5,11,0,0,572,574,3,108,54,0,573,571,1,0,0,0,573,574,1,0,0,
  	0,574,576,1,0,0,0,575,568,1,0,0,0,575,570,1,0,0,0,576,577,1,0,0,0,577,
  	578,3,82,41,0,578,107,1,0,0,0,579,581,5,57,0,0,580,582,3,114,57,0,581,
  	580,1,0,0,0,581,582,1,0,0,0,582,583,1,0,0,0,583,584,3,142,71,0,584,585,
  	5,58,0,0,585,109,1,0,0,0,586,588,5,21,0,0,587,589,3,112,56,0,588,587,
  	1,0,0,0,588,589,1,0,0,0,589,590,1,0,0,0,590,592,3,42,21,0,591,593,3,48,
  	24,0,592,591,1,0,0,0,592,593,1,0,0,0,593,594,1,0,0,0,594,595,5,69,0,0,
  	595,596,3,142,71,0,596,597,5,61,0,0,597,111,1,0,0,0,598,599,5,38,0,0,
  	599,113,1,0,0,0,600,601,5,21,0,0,601,602,3,42,21,0,602,603,5,69,0,0,603,
  	115,1,0,0,0,604,605,5,30,0,0,605,606,5,57,0,0,606,607,3,142,71,0,607,
  	608,5,58,0,0,608,609,5,61,0,0,609,117,1,0,0,0,610,611,5,22,0,0,611,612,
  	3,108,54,0,612,616,5,55,0,0,613,615,3,120,60,0,614,613,1,0,0,0,615,618,
  	1,0,0,0,616,614,1,0,0,0,616,617,1,0,0,0,617,619,1,0,0,0,618,616,1,0,0,
  	0,619,620,5,56,0,0,620,119,1,0,0,0,621,622,5,23,0,0,622,627,3,122,61,
  	0,623,624,5,62,0,0,624,626,3,122,61,0,625,623,1,0,0,0,626,629,1,0,0,0,
  	627,625,1,0,0,0,627,628,1,0,0,0,628,632,1,0,0,0,629,627,1,0,0,0,630,632,
  	3,72,36,0,631,621,1,0,0,0,631,630,1,0,0,0,632,633,1,0,0,0,633,634,5,64,
  	0,0,634,635,3,82,41,0,635,121,1,0,0,0,636,638,3,124,62,0,637,636,1,0,
  	0,0,637,638,1,0,0,0,638,639,1,0,0,0,639,640,3,142,71,0,640,123,1,0,0,
  	0,641,642,5,80,0,0,642,125,1,0,0,0,643,644,5,24,0,0,644,645,5,57,0,0,
  	645,646,3,42,21,0,646,647,5,42,0,0,647,648,3,142,71,0,648,649,5,58,0,
  	0,649,650,3,82,41,0,650,127,1,0,0,0,651,652,5,25,0,0,652,654,3,42,21,
  	0,653,655,3,176,88,0,654,653,1,0,0,0,654,655,1,0,0,0,655,656,1,0,0,0,
  	656,657,5,61,0,0,657,129,1,0,0,0,658,659,5,26,0,0,659,670,5,55,0,0,660,
  	667,3,132,66,0,661,663,5,62,0,0,662,664,3,132,66,0,663,662,1,0,0,0,663,
  	664,1,0,0,0,664,666,1,0,0,0,665,661,1,0,0,0,666,669,1,0,0,0,667,665,1,
  	0,0,0,667,668,1,0,0,0,668,671,1,0,0,0,669,667,1,0,0,0,670,660,1,0,0,0,
  	670,671,1,0,0,0,671,672,1,0,0,0,672,673,5,56,0,0,673,674,5,61,0,0,674,
  	131,1,0,0,0,675,676,3,172,86,0,676,677,5,69,0,0,677,678,3,142,71,0,678,
  	133,1,0,0,0,679,680,5,27,0,0,680,681,3,176,88,0,681,682,5,61,0,0,682,
  	135,1,0,0,0,683,684,5,28,0,0,684,685,5,61,0,0,685,137,1,0,0,0,686,687,
  	5,29,0,0,687,688,3,184,92,0,688,689,5,55,0,0,689,690,3,142,71,0,690,691,
  	5,56,0,0,691,139,1,0,0,0,692,693,3,80,40,0,693,694,3,84,42,0,694,141,
  	1,0,0,0,695,700,3,144,72,0,696,697,5,85,0,0,697,699,3,144,72,0,698,696,
  	1,0,0,0,699,702,1,0,0,0,700,698,1,0,0,0,700,701,1,0,0,0,701,143,1,0,0,
  	0,702,700,1,0,0,0,703,708,3,146,73,0,704,705,5,84,0,0,705,707,3,146,73,
  	0,706,704,1,0,0,0,707,710,1,0,0,0,708,706,1,0,0,0,708,709,1,0,0,0,709,
  	145,1,0,0,0,710,708,1,0,0,0,711,713,3,30,15,0,712,711,1,0,0,0,713,716,
  	1,0,0,0,714,712,1,0,0,0,714,715,1,0,0,0,715,717,1,0,0,0,716,714,1,0,0,
  	0,717,718,3,148,74,0,718,147,1,0,0,0,719,728,3,156,78,0,720,721,3,150,
  	75,0,721,723,3,156,78,0,722,724,3,152,76,0,723,722,1,0,0,0,723,724,1,
  	0,0,0,724,727,1,0,0,0,725,727,3,154,77,0,726,720,1,0,0,0,726,725,1,0,
  	0,0,727,730,1,0,0,0,728,726,1,0,0,0,728,729,1,0,0,0,729,149,1,0,0,0,730,
  	728,1,0,0,0,731,732,7,3,0,0,732,151,1,0,0,0,733,734,5,34,0,0,734,735,
  	3,42,21,0,735,153,1,0,0,0,736,737,5,46,0,0,737,738,3,172,86,0,738,155,
  	1,0,0,0,739,741,3,162,81,0,740,739,1,0,0,0,740,741,1,0,0,0,741,742,1,
  	0,0,0,742,751,3,158,79,0,743,745,3,160,80,0,744,746,3,162,81,0,745,744,
  	1,0,0,0,745,746,1,0,0,0,746,747,1,0,0,0,747,748,3,158,79,0,748,750,1,
  	0,0,0,749,743,1,0,0,0,750,753,1,0,0,0,751,749,1,0,0,0,751,752,1,0,0,0,
  	752,157,1,0,0,0,753,751,1,0,0,0,754,762,3,164,82,0,755,757,5,83,0,0,756,
  	758,3,162,81,0,757,756,1,0,0,0,757,758,1,0,0,0,758,759,1,0,0,0,759,761,
  	3,164,82,0,760,755,1,0,0,0,761,764,1,0,0,0,762,760,1,0,0,0,762,763,1,
  	0,0,0,763,159,1,0,0,0,764,762,1,0,0,0,765,766,7,4,0,0,766,161,1,0,0,0,
  	767,768,5,87,0,0,768,163,1,0,0,0,769,780,3,180,90,0,770,773,3,176,88,
  	0,771,773,3,168,84,0,772,770,1,0,0,0,772,771,1,0,0,0,773,777,1,0,0,0,
  	774,776,3,166,83,0,775,774,1,0,0,0,776,779,1,0,0,0,777,775,1,0,0,0,777,
  	778,1,0,0,0,778,781,1,0,0,0,779,777,1,0,0,0,780,772,1,0,0,0,780,781,1,
  	0,0,0,781,796,1,0,0,0,782,787,3,184,92,0,783,787,3,182,91,0,784,787,3,
  	186,93,0,785,787,3,174,87,0,786,782,1,0,0,0,786,783,1,0,0,0,786,784,1,
  	0,0,0,786,785,1,0,0,0,787,791,1,0,0,0,788,790,3,166,83,0,789,788,1,0,
  	0,0,790,793,1,0,0,0,791,789,1,0,0,0,791,792,1,0,0,0,792,796,1,0,0,0,793,
  	791,1,0,0,0,794,796,3,170,85,0,795,769,1,0,0,0,795,786,1,0,0,0,795,794,
  	1,0,0,0,796,165,1,0,0,0,797,798,5,63,0,0,798,800,3,172,86,0,799,801,3,
  	176,88,0,800,799,1,0,0,0,800,801,1,0,0,0,801,804,1,0,0,0,802,804,3,168,
  	84,0,803,797,1,0,0,0,803,802,1,0,0,0,804,167,1,0,0,0,805,806,5,59,0,0,
  	806,807,3,142,71,0,807,808,5,60,0,0,808,169,1,0,0,0,809,820,5,59,0,0,
  	810,817,3,142,71,0,811,813,5,62,0,0,812,814,3,142,71,0,813,812,1,0,0,
  	0,813,814,1,0,0,0,814,816,1,0,0,0,815,811,1,0,0,0,816,819,1,0,0,0,817,
  	815,1,0,0,0,817,818,1,0,0,0,818,821,1,0,0,0,819,817,1,0,0,0,820,810,1,
  	0,0,0,820,821,1,0,0,0,821,822,1,0,0,0,822,823,5,60,0,0,823,171,1,0,0,
  	0,824,825,5,47,0,0,825,173,1,0,0,0,826,827,5,57,0,0,827,828,3,142,71,
  	0,828,829,5,58,0,0,829,175,1,0,0,0,830,841,5,57,0,0,831,838,3,178,89,
  	0,832,834,5,62,0,0,833,835,3,178,89,0,834,833,1,0,0,0,834,835,1,0,0,0,
  	835,837,1,0,0,0,836,832,1,0,0,0,837,840,1,0,0,0,838,836,1,0,0,0,838,839,
  	1,0,0,0,839,842,1,0,0,0,840,838,1,0,0,0,841,831,1,0,0,0,841,842,1,0,0,
  	0,842,843,1,0,0,0,843,844,5,58,0,0,844,177,1,0,0,0,845,848,3,142,71,0,
  	846,847,5,69,0,0,847,849,3,142,71,0,848,846,1,0,0,0,848,849,1,0,0,0,849,
  	179,1,0,0,0,850,855,5,47,0,0,851,852,5,63,0,0,852,854,7,5,0,0,853,851,
  	1,0,0,0,854,857,1,0,0,0,855,853,1,0,0,0,855,856,1,0,0,0,856,181,1,0,0,
  	0,857,855,1,0,0,0,858,860,5,48,0,0,859,861,5,47,0,0,860,859,1,0,0,0,860,
  	861,1,0,0,0,861,183,1,0,0,0,862,863,7,6,0,0,863,185,1,0,0,0,864,865,5,
  	53,0,0,865,187,1,0,0,0,79,191,210,222,234,247,252,261,270,279,283,289,
  	297,306,315,327,331,337,350,361,376,379,400,402,419,423,426,432,440,453,
  	458,467,479,485,509,532,538,552,561,573,575,581,588,592,616,627,631,637,
  	654,663,667,670,700,708,714,723,726,728,740,745,751,757,762,772,777,780,
  	786,791,795,800,803,813,817,820,834,838,841,848,855,860
  };
  staticData->serializedATN = antlr4::atn::SerializedATNView(serializedATNSegment, sizeof(serializedATNSegment) / sizeof(serializedATNSegment[0]));

  antlr4::atn::ATNDeserializer deserializer;
  staticData->atn = deserializer.deserialize(staticData->serializedATN);

  const size_t count = staticData->atn->getNumberOfDecisions();
  staticData->decisionToDFA.reserve(count);
  for (size_t i = 0; i < count; i++) {
    staticData->decisionToDFA.emplace_back(staticData->atn->getDecisionState(i), i);
  }
  vclparserParserStaticData = staticData.release();
}

}

VclParser::VclParser(TokenStream *input) : VclParser(input, antlr4::atn::ParserATNSimulatorOptions()) {}

VclParser::VclParser(TokenStream *input, const antlr4::atn::ParserATNSimulatorOptions &options) : Parser(input) {
  VclParser::initialize();
  _interpreter = new atn::ParserATNSimulator(this, *vclparserParserStaticData->atn, vclparserParserStaticData->decisionToDFA, vclparserParserStaticData->sharedContextCache, options);
}

VclParser::~VclParser() {
  delete _interpreter;
}

const atn::ATN& VclParser::getATN() const {
  return *vclparserParserStaticData->atn;
}

std::string VclParser::getGrammarFileName() const {
  return "VclParser.g4";
}

const std::vector<std::string>& VclParser::getRuleNames() const {
  return vclparserParserStaticData->ruleNames;
}

const dfa::Vocabulary& VclParser::getVocabulary() const {
  return vclparserParserStaticData->vocabulary;
}

antlr4::atn::SerializedATNView VclParser::getSerializedATN() const {
  return vclparserParserStaticData->serializedATN;
}


//----------------- ProgramContext ------------------------------------------------------------------

VclParser::ProgramContext::ProgramContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ProgramContext::EOF() {
  return getToken(VclParser::EOF, 0);
}

std::vector<VclParser::DeclarationContext *> VclParser::ProgramContext::declaration() {
  return getRuleContexts<VclParser::DeclarationContext>();
}

VclParser::DeclarationContext* VclParser::ProgramContext::declaration(size_t i) {
  return getRuleContext<VclParser::DeclarationContext>(i);
}


size_t VclParser::ProgramContext::getRuleIndex() const {
  return VclParser::RuleProgram;
}


VclParser::ProgramContext* VclParser::program() {
  ProgramContext *_localctx = _tracker.createInstance<ProgramContext>(_ctx, getState());
  enterRule(_localctx, 0, VclParser::RuleProgram);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(191);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::VCL)
      | (1ULL << VclParser::BACKEND)
      | (1ULL << VclParser::PROBE)
      | (1ULL << VclParser::ACL)
      | (1ULL << VclParser::SUB)
      | (1ULL << VclParser::IMPORT)
      | (1ULL << VclParser::PROCEDURE)
      | (1ULL << VclParser::TEXT_SET)
      | (1ULL << VclParser::CONST)
      | (1ULL << VclParser::PARAM)
      | (1ULL << VclParser::FN)
      | (1ULL << VclParser::TABLE)
      | (1ULL << VclParser::COUNTER)
      | (1ULL << VclParser::BUDGET)
      | (1ULL << VclParser::TEST)
      | (1ULL << VclParser::INLINE_C))) != 0) || _la == VclParser::AT) {
      setState(188);
      declaration();
      setState(193);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(194);
    match(VclParser::EOF);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DeclarationContext ------------------------------------------------------------------

VclParser::DeclarationContext::DeclarationContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::VersionContext* VclParser::DeclarationContext::version() {
  return getRuleContext<VclParser::VersionContext>(0);
}

VclParser::BackendContext* VclParser::DeclarationContext::backend() {
  return getRuleContext<VclParser::BackendContext>(0);
}

VclParser::ProbeContext* VclParser::DeclarationContext::probe() {
  return getRuleContext<VclParser::ProbeContext>(0);
}

VclParser::AclContext* VclParser::DeclarationContext::acl() {
  return getRuleContext<VclParser::AclContext>(0);
}

VclParser::SubroutineContext* VclParser::DeclarationContext::subroutine() {
  return getRuleContext<VclParser::SubroutineContext>(0);
}

VclParser::ImportModuleContext* VclParser::DeclarationContext::importModule() {
  return getRuleContext<VclParser::ImportModuleContext>(0);
}

VclParser::InlineCContext* VclParser::DeclarationContext::inlineC() {
  return getRuleContext<VclParser::InlineCContext>(0);
}

VclParser::TestCaseContext* VclParser::DeclarationContext::testCase() {
  return getRuleContext<VclParser::TestCaseContext>(0);
}

VclParser::ConstantContext* VclParser::DeclarationContext::constant() {
  return getRuleContext<VclParser::ConstantContext>(0);
}

VclParser::FunctionContext* VclParser::DeclarationContext::function() {
  return getRuleContext<VclParser::FunctionContext>(0);
}

VclParser::TextSetContext* VclParser::DeclarationContext::textSet() {
  return getRuleContext<VclParser::TextSetContext>(0);
}

VclParser::TableDeclarationContext* VclParser::DeclarationContext::tableDeclaration() {
  return getRuleContext<VclParser::TableDeclarationContext>(0);
}

VclParser::CounterContext* VclParser::DeclarationContext::counter() {
  return getRuleContext<VclParser::CounterContext>(0);
}

VclParser::BudgetContext* VclParser::DeclarationContext::budget() {
  return getRuleContext<VclParser::BudgetContext>(0);
}


size_t VclParser::DeclarationContext::getRuleIndex() const {
  return VclParser::RuleDeclaration;
}


VclParser::DeclarationContext* VclParser::declaration() {
  DeclarationContext *_localctx = _tracker.createInstance<DeclarationContext>(_ctx, getState());
  enterRule(_localctx, 2, VclParser::RuleDeclaration);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(210);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::VCL: {
        enterOuterAlt(_localctx, 1);
        setState(196);
        version();
        break;
      }

      case VclParser::BACKEND: {
        enterOuterAlt(_localctx, 2);
        setState(197);
        backend();
        break;
      }

      case VclParser::PROBE: {
        enterOuterAlt(_localctx, 3);
        setState(198);
        probe();
        break;
      }

      case VclParser::ACL: {
        enterOuterAlt(_localctx, 4);
        setState(199);
        acl();
        break;
      }

      case VclParser::SUB:
      case VclParser::PROCEDURE:
      case VclParser::AT: {
        enterOuterAlt(_localctx, 5);
        setState(200);
        subroutine();
        break;
      }

      case VclParser::IMPORT: {
        enterOuterAlt(_localctx, 6);
        setState(201);
        importModule();
        break;
      }

      case VclParser::INLINE_C: {
        enterOuterAlt(_localctx, 7);
        setState(202);
        inlineC();
        break;
      }

      case VclParser::TEST: {
        enterOuterAlt(_localctx, 8);
        setState(203);
        testCase();
        break;
      }

      case VclParser::CONST:
      case VclParser::PARAM: {
        enterOuterAlt(_localctx, 9);
        setState(204);
        constant();
        break;
      }

      case VclParser::FN: {
        enterOuterAlt(_localctx, 10);
        setState(205);
        function();
        break;
      }

      case VclParser::TEXT_SET: {
        enterOuterAlt(_localctx, 11);
        setState(206);
        textSet();
        break;
      }

      case VclParser::TABLE: {
        enterOuterAlt(_localctx, 12);
        setState(207);
        tableDeclaration();
        break;
      }

      case VclParser::COUNTER: {
        enterOuterAlt(_localctx, 13);
        setState(208);
        counter();
        break;
      }

      case VclParser::BUDGET: {
        enterOuterAlt(_localctx, 14);
        setState(209);
        budget();
        break;
      }

    default:
      throw NoViableAltException(this);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- VersionContext ------------------------------------------------------------------

VclParser::VersionContext::VersionContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::VersionContext::VCL() {
  return getToken(VclParser::VCL, 0);
}

tree::TerminalNode* VclParser::VersionContext::NUMBER() {
  return getToken(VclParser::NUMBER, 0);
}

tree::TerminalNode* VclParser::VersionContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::VersionContext::getRuleIndex() const {
  return VclParser::RuleVersion;
}


VclParser::VersionContext* VclParser::version() {
  VersionContext *_localctx = _tracker.createInstance<VersionContext>(_ctx, getState());
  enterRule(_localctx, 4, VclParser::RuleVersion);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(212);
    match(VclParser::VCL);
    setState(213);
    match(VclParser::NUMBER);
    setState(214);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BackendContext ------------------------------------------------------------------

VclParser::BackendContext::BackendContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::BackendContext::BACKEND() {
  return getToken(VclParser::BACKEND, 0);
}

VclParser::DeclaredNameContext* VclParser::BackendContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::NoneContext* VclParser::BackendContext::none() {
  return getRuleContext<VclParser::NoneContext>(0);
}

tree::TerminalNode* VclParser::BackendContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

VclParser::PropertiesContext* VclParser::BackendContext::properties() {
  return getRuleContext<VclParser::PropertiesContext>(0);
}


size_t VclParser::BackendContext::getRuleIndex() const {
  return VclParser::RuleBackend;
}


VclParser::BackendContext* VclParser::backend() {
  BackendContext *_localctx = _tracker.createInstance<BackendContext>(_ctx, getState());
  enterRule(_localctx, 6, VclParser::RuleBackend);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(216);
    match(VclParser::BACKEND);
    setState(217);
    declaredName();
    setState(222);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::NONE: {
        setState(218);
        none();
        setState(219);
        match(VclParser::SEMI);
        break;
      }

      case VclParser::LBRACE: {
        setState(221);
        properties();
        break;
      }

    default:
      throw NoViableAltException(this);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NoneContext ------------------------------------------------------------------

VclParser::NoneContext::NoneContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::NoneContext::NONE() {
  return getToken(VclParser::NONE, 0);
}


size_t VclParser::NoneContext::getRuleIndex() const {
  return VclParser::RuleNone;
}


VclParser::NoneContext* VclParser::none() {
  NoneContext *_localctx = _tracker.createInstance<NoneContext>(_ctx, getState());
  enterRule(_localctx, 8, VclParser::RuleNone);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(224);
    match(VclParser::NONE);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ProbeContext ------------------------------------------------------------------

VclParser::ProbeContext::ProbeContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ProbeContext::PROBE() {
  return getToken(VclParser::PROBE, 0);
}

VclParser::DeclaredNameContext* VclParser::ProbeContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::PropertiesContext* VclParser::ProbeContext::properties() {
  return getRuleContext<VclParser::PropertiesContext>(0);
}


size_t VclParser::ProbeContext::getRuleIndex() const {
  return VclParser::RuleProbe;
}


VclParser::ProbeContext* VclParser::probe() {
  ProbeContext *_localctx = _tracker.createInstance<ProbeContext>(_ctx, getState());
  enterRule(_localctx, 10, VclParser::RuleProbe);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(226);
    match(VclParser::PROBE);
    setState(227);
    declaredName();
    setState(228);
    properties();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- PropertiesContext ------------------------------------------------------------------

VclParser::PropertiesContext::PropertiesContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::PropertiesContext::LBRACE() {
  return getToken(VclParser::LBRACE, 0);
}

tree::TerminalNode* VclParser::PropertiesContext::RBRACE() {
  return getToken(VclParser::RBRACE, 0);
}

std::vector<VclParser::FieldContext *> VclParser::PropertiesContext::field() {
  return getRuleContexts<VclParser::FieldContext>();
}

VclParser::FieldContext* VclParser::PropertiesContext::field(size_t i) {
  return getRuleContext<VclParser::FieldContext>(i);
}


size_t VclParser::PropertiesContext::getRuleIndex() const {
  return VclParser::RuleProperties;
}


VclParser::PropertiesContext* VclParser::properties() {
  PropertiesContext *_localctx = _tracker.createInstance<PropertiesContext>(_ctx, getState());
  enterRule(_localctx, 12, VclParser::RuleProperties);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(230);
    match(VclParser::LBRACE);
    setState(234);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::DOT) {
      setState(231);
      field();
      setState(236);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(237);
    match(VclParser::RBRACE);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FieldContext ------------------------------------------------------------------

VclParser::FieldContext::FieldContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::FieldContext::DOT() {
  return getToken(VclParser::DOT, 0);
}

VclParser::FieldNameContext* VclParser::FieldContext::fieldName() {
  return getRuleContext<VclParser::FieldNameContext>(0);
}

tree::TerminalNode* VclParser::FieldContext::ASSIGN() {
  return getToken(VclParser::ASSIGN, 0);
}

VclParser::PropertiesContext* VclParser::FieldContext::properties() {
  return getRuleContext<VclParser::PropertiesContext>(0);
}

VclParser::ExpressionContext* VclParser::FieldContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::FieldContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

std::vector<VclParser::StringContext *> VclParser::FieldContext::string() {
  return getRuleContexts<VclParser::StringContext>();
}

VclParser::StringContext* VclParser::FieldContext::string(size_t i) {
  return getRuleContext<VclParser::StringContext>(i);
}


size_t VclParser::FieldContext::getRuleIndex() const {
  return VclParser::RuleField;
}


VclParser::FieldContext* VclParser::field() {
  FieldContext *_localctx = _tracker.createInstance<FieldContext>(_ctx, getState());
  enterRule(_localctx, 14, VclParser::RuleField);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(239);
    match(VclParser::DOT);
    setState(240);
    fieldName();
    setState(241);
    match(VclParser::ASSIGN);
    setState(252);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::LBRACE: {
        setState(242);
        properties();
        break;
      }

      case VclParser::IDENTIFIER:
      case VclParser::NUMBER:
      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING:
      case VclParser::BLOB:
      case VclParser::LPAREN:
      case VclParser::LBRACKET:
      case VclParser::NOT:
      case VclParser::MINUS: {
        setState(243);
        expression();
        setState(247);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while ((((_la & ~ 0x3fULL) == 0) &&
          ((1ULL << _la) & ((1ULL << VclParser::STRING)
          | (1ULL << VclParser::LONG_STRING)
          | (1ULL << VclParser::TRIPLE_STRING))) != 0)) {
          setState(244);
          string();
          setState(249);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        setState(250);
        match(VclParser::SEMI);
        break;
      }

    default:
      throw NoViableAltException(this);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FieldNameContext ------------------------------------------------------------------

VclParser::FieldNameContext::FieldNameContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::FieldNameContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}


size_t VclParser::FieldNameContext::getRuleIndex() const {
  return VclParser::RuleFieldName;
}


VclParser::FieldNameContext* VclParser::fieldName() {
  FieldNameContext *_localctx = _tracker.createInstance<FieldNameContext>(_ctx, getState());
  enterRule(_localctx, 16, VclParser::RuleFieldName);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(254);
    match(VclParser::IDENTIFIER);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AclContext ------------------------------------------------------------------

VclParser::AclContext::AclContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::AclContext::ACL() {
  return getToken(VclParser::ACL, 0);
}

VclParser::DeclaredNameContext* VclParser::AclContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::AclEntriesContext* VclParser::AclContext::aclEntries() {
  return getRuleContext<VclParser::AclEntriesContext>(0);
}

std::vector<VclParser::AclFlagContext *> VclParser::AclContext::aclFlag() {
  return getRuleContexts<VclParser::AclFlagContext>();
}

VclParser::AclFlagContext* VclParser::AclContext::aclFlag(size_t i) {
  return getRuleContext<VclParser::AclFlagContext>(i);
}


size_t VclParser::AclContext::getRuleIndex() const {
  return VclParser::RuleAcl;
}


VclParser::AclContext* VclParser::acl() {
  AclContext *_localctx = _tracker.createInstance<AclContext>(_ctx, getState());
  enterRule(_localctx, 18, VclParser::RuleAcl);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(256);
    match(VclParser::ACL);
    setState(257);
    declaredName();
    setState(261);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::PLUS

    || _la == VclParser::MINUS) {
      setState(258);
      aclFlag();
      setState(263);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(264);
    aclEntries();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AclEntriesContext ------------------------------------------------------------------

VclParser::AclEntriesContext::AclEntriesContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::AclEntriesContext::LBRACE() {
  return getToken(VclParser::LBRACE, 0);
}

tree::TerminalNode* VclParser::AclEntriesContext::RBRACE() {
  return getToken(VclParser::RBRACE, 0);
}

std::vector<VclParser::AclEntryContext *> VclParser::AclEntriesContext::aclEntry() {
  return getRuleContexts<VclParser::AclEntryContext>();
}

VclParser::AclEntryContext* VclParser::AclEntriesContext::aclEntry(size_t i) {
  return getRuleContext<VclParser::AclEntryContext>(i);
}


size_t VclParser::AclEntriesContext::getRuleIndex() const {
  return VclParser::RuleAclEntries;
}


VclParser::AclEntriesContext* VclParser::aclEntries() {
  AclEntriesContext *_localctx = _tracker.createInstance<AclEntriesContext>(_ctx, getState());
  enterRule(_localctx, 20, VclParser::RuleAclEntries);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(266);
    match(VclParser::LBRACE);
    setState(270);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 49) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 49)) & ((1ULL << (VclParser::STRING - 49))
      | (1ULL << (VclParser::LONG_STRING - 49))
      | (1ULL << (VclParser::TRIPLE_STRING - 49))
      | (1ULL << (VclParser::LPAREN - 49))
      | (1ULL << (VclParser::NOT - 49)))) != 0)) {
      setState(267);
      aclEntry();
      setState(272);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(273);
    match(VclParser::RBRACE);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AclFlagContext ------------------------------------------------------------------

VclParser::AclFlagContext::AclFlagContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::AclFlagContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}

tree::TerminalNode* VclParser::AclFlagContext::PLUS() {
  return getToken(VclParser::PLUS, 0);
}

tree::TerminalNode* VclParser::AclFlagContext::MINUS() {
  return getToken(VclParser::MINUS, 0);
}


size_t VclParser::AclFlagContext::getRuleIndex() const {
  return VclParser::RuleAclFlag;
}


VclParser::AclFlagContext* VclParser::aclFlag() {
  AclFlagContext *_localctx = _tracker.createInstance<AclFlagContext>(_ctx, getState());
  enterRule(_localctx, 22, VclParser::RuleAclFlag);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(275);
    _la = _input->LA(1);
    if (!(_la == VclParser::PLUS

    || _la == VclParser::MINUS)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(276);
    match(VclParser::IDENTIFIER);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AclEntryContext ------------------------------------------------------------------

VclParser::AclEntryContext::AclEntryContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::AclEntryContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

VclParser::OptionalAddressContext* VclParser::AclEntryContext::optionalAddress() {
  return getRuleContext<VclParser::OptionalAddressContext>(0);
}

VclParser::AclAddressContext* VclParser::AclEntryContext::aclAddress() {
  return getRuleContext<VclParser::AclAddressContext>(0);
}

VclParser::NegatedContext* VclParser::AclEntryContext::negated() {
  return getRuleContext<VclParser::NegatedContext>(0);
}


size_t VclParser::AclEntryContext::getRuleIndex() const {
  return VclParser::RuleAclEntry;
}


VclParser::AclEntryContext* VclParser::aclEntry() {
  AclEntryContext *_localctx = _tracker.createInstance<AclEntryContext>(_ctx, getState());
  enterRule(_localctx, 24, VclParser::RuleAclEntry);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(279);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::NOT) {
      setState(278);
      negated();
    }
    setState(283);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::LPAREN: {
        setState(281);
        optionalAddress();
        break;
      }

      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING: {
        setState(282);
        aclAddress();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(285);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- OptionalAddressContext ------------------------------------------------------------------

VclParser::OptionalAddressContext::OptionalAddressContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::OptionalAddressContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

VclParser::AclAddressContext* VclParser::OptionalAddressContext::aclAddress() {
  return getRuleContext<VclParser::AclAddressContext>(0);
}

tree::TerminalNode* VclParser::OptionalAddressContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}

VclParser::NegatedContext* VclParser::OptionalAddressContext::negated() {
  return getRuleContext<VclParser::NegatedContext>(0);
}


size_t VclParser::OptionalAddressContext::getRuleIndex() const {
  return VclParser::RuleOptionalAddress;
}


VclParser::OptionalAddressContext* VclParser::optionalAddress() {
  OptionalAddressContext *_localctx = _tracker.createInstance<OptionalAddressContext>(_ctx, getState());
  enterRule(_localctx, 26, VclParser::RuleOptionalAddress);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(287);
    match(VclParser::LPAREN);
    setState(289);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::NOT) {
      setState(288);
      negated();
    }
    setState(291);
    aclAddress();
    setState(292);
    match(VclParser::RPAREN);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AclAddressContext ------------------------------------------------------------------

VclParser::AclAddressContext::AclAddressContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::StringContext* VclParser::AclAddressContext::string() {
  return getRuleContext<VclParser::StringContext>(0);
}

tree::TerminalNode* VclParser::AclAddressContext::SLASH() {
  return getToken(VclParser::SLASH, 0);
}

VclParser::MaskBitsContext* VclParser::AclAddressContext::maskBits() {
  return getRuleContext<VclParser::MaskBitsContext>(0);
}


size_t VclParser::AclAddressContext::getRuleIndex() const {
  return VclParser::RuleAclAddress;
}


VclParser::AclAddressContext* VclParser::aclAddress() {
  AclAddressContext *_localctx = _tracker.createInstance<AclAddressContext>(_ctx, getState());
  enterRule(_localctx, 28, VclParser::RuleAclAddress);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(294);
    string();
    setState(297);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::SLASH) {
      setState(295);
      match(VclParser::SLASH);
      setState(296);
      maskBits();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NegatedContext ------------------------------------------------------------------

VclParser::NegatedContext::NegatedContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::NegatedContext::NOT() {
  return getToken(VclParser::NOT, 0);
}


size_t VclParser::NegatedContext::getRuleIndex() const {
  return VclParser::RuleNegated;
}


VclParser::NegatedContext* VclParser::negated() {
  NegatedContext *_localctx = _tracker.createInstance<NegatedContext>(_ctx, getState());
  enterRule(_localctx, 30, VclParser::RuleNegated);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(299);
    match(VclParser::NOT);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- MaskBitsContext ------------------------------------------------------------------

VclParser::MaskBitsContext::MaskBitsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::MaskBitsContext::NUMBER() {
  return getToken(VclParser::NUMBER, 0);
}


size_t VclParser::MaskBitsContext::getRuleIndex() const {
  return VclParser::RuleMaskBits;
}


VclParser::MaskBitsContext* VclParser::maskBits() {
  MaskBitsContext *_localctx = _tracker.createInstance<MaskBitsContext>(_ctx, getState());
  enterRule(_localctx, 32, VclParser::RuleMaskBits);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(301);
    match(VclParser::NUMBER);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- SubroutineContext ------------------------------------------------------------------

VclParser::SubroutineContext::SubroutineContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::BlockContext* VclParser::SubroutineContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}

tree::TerminalNode* VclParser::SubroutineContext::SUB() {
  return getToken(VclParser::SUB, 0);
}

VclParser::DeclaredNameContext* VclParser::SubroutineContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::SubroutineContext::PROCEDURE() {
  return getToken(VclParser::PROCEDURE, 0);
}

VclParser::ParametersContext* VclParser::SubroutineContext::parameters() {
  return getRuleContext<VclParser::ParametersContext>(0);
}

std::vector<VclParser::AnnotationContext *> VclParser::SubroutineContext::annotation() {
  return getRuleContexts<VclParser::AnnotationContext>();
}

VclParser::AnnotationContext* VclParser::SubroutineContext::annotation(size_t i) {
  return getRuleContext<VclParser::AnnotationContext>(i);
}


size_t VclParser::SubroutineContext::getRuleIndex() const {
  return VclParser::RuleSubroutine;
}


VclParser::SubroutineContext* VclParser::subroutine() {
  SubroutineContext *_localctx = _tracker.createInstance<SubroutineContext>(_ctx, getState());
  enterRule(_localctx, 34, VclParser::RuleSubroutine);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(306);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::AT) {
      setState(303);
      annotation();
      setState(308);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(315);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::SUB: {
        setState(309);
        match(VclParser::SUB);
        setState(310);
        declaredName();
        break;
      }

      case VclParser::PROCEDURE: {
        setState(311);
        match(VclParser::PROCEDURE);
        setState(312);
        declaredName();
        setState(313);
        parameters();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(317);
    block();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TestCaseContext ------------------------------------------------------------------

VclParser::TestCaseContext::TestCaseContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::TestCaseContext::TEST() {
  return getToken(VclParser::TEST, 0);
}

VclParser::StringContext* VclParser::TestCaseContext::string() {
  return getRuleContext<VclParser::StringContext>(0);
}

VclParser::BlockContext* VclParser::TestCaseContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}


size_t VclParser::TestCaseContext::getRuleIndex() const {
  return VclParser::RuleTestCase;
}


VclParser::TestCaseContext* VclParser::testCase() {
  TestCaseContext *_localctx = _tracker.createInstance<TestCaseContext>(_ctx, getState());
  enterRule(_localctx, 36, VclParser::RuleTestCase);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(319);
    match(VclParser::TEST);
    setState(320);
    string();
    setState(321);
    block();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ImportModuleContext ------------------------------------------------------------------

VclParser::ImportModuleContext::ImportModuleContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ImportModuleContext::IMPORT() {
  return getToken(VclParser::IMPORT, 0);
}

tree::TerminalNode* VclParser::ImportModuleContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

VclParser::DeclaredNameContext* VclParser::ImportModuleContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::StringContext* VclParser::ImportModuleContext::string() {
  return getRuleContext<VclParser::StringContext>(0);
}

tree::TerminalNode* VclParser::ImportModuleContext::AS() {
  return getToken(VclParser::AS, 0);
}

VclParser::ImportAliasContext* VclParser::ImportModuleContext::importAlias() {
  return getRuleContext<VclParser::ImportAliasContext>(0);
}

tree::TerminalNode* VclParser::ImportModuleContext::FROM() {
  return getToken(VclParser::FROM, 0);
}


size_t VclParser::ImportModuleContext::getRuleIndex() const {
  return VclParser::RuleImportModule;
}


VclParser::ImportModuleContext* VclParser::importModule() {
  ImportModuleContext *_localctx = _tracker.createInstance<ImportModuleContext>(_ctx, getState());
  enterRule(_localctx, 38, VclParser::RuleImportModule);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(323);
    match(VclParser::IMPORT);
    setState(337);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::IDENTIFIER: {
        setState(324);
        declaredName();
        setState(327);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::AS) {
          setState(325);
          match(VclParser::AS);
          setState(326);
          importAlias();
        }
        setState(331);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::FROM) {
          setState(329);
          match(VclParser::FROM);
          setState(330);
          string();
        }
        break;
      }

      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING: {
        setState(333);
        string();
        setState(334);
        match(VclParser::AS);
        setState(335);
        importAlias();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(339);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ImportAliasContext ------------------------------------------------------------------

VclParser::ImportAliasContext::ImportAliasContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ImportAliasContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}


size_t VclParser::ImportAliasContext::getRuleIndex() const {
  return VclParser::RuleImportAlias;
}


VclParser::ImportAliasContext* VclParser::importAlias() {
  ImportAliasContext *_localctx = _tracker.createInstance<ImportAliasContext>(_ctx, getState());
  enterRule(_localctx, 40, VclParser::RuleImportAlias);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(341);
    match(VclParser::IDENTIFIER);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DeclaredNameContext ------------------------------------------------------------------

VclParser::DeclaredNameContext::DeclaredNameContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::DeclaredNameContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}


size_t VclParser::DeclaredNameContext::getRuleIndex() const {
  return VclParser::RuleDeclaredName;
}


VclParser::DeclaredNameContext* VclParser::declaredName() {
  DeclaredNameContext *_localctx = _tracker.createInstance<DeclaredNameContext>(_ctx, getState());
  enterRule(_localctx, 42, VclParser::RuleDeclaredName);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(343);
    match(VclParser::IDENTIFIER);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- InlineCContext ------------------------------------------------------------------

VclParser::InlineCContext::InlineCContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::InlineCContext::INLINE_C() {
  return getToken(VclParser::INLINE_C, 0);
}


size_t VclParser::InlineCContext::getRuleIndex() const {
  return VclParser::RuleInlineC;
}


VclParser::InlineCContext* VclParser::inlineC() {
  InlineCContext *_localctx = _tracker.createInstance<InlineCContext>(_ctx, getState());
  enterRule(_localctx, 44, VclParser::RuleInlineC);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(345);
    match(VclParser::INLINE_C);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ConstantContext ------------------------------------------------------------------

VclParser::ConstantContext::ConstantContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::DeclaredNameContext* VclParser::ConstantContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::ConstantContext::ASSIGN() {
  return getToken(VclParser::ASSIGN, 0);
}

VclParser::ExpressionContext* VclParser::ConstantContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::ConstantContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

tree::TerminalNode* VclParser::ConstantContext::CONST() {
  return getToken(VclParser::CONST, 0);
}

tree::TerminalNode* VclParser::ConstantContext::PARAM() {
  return getToken(VclParser::PARAM, 0);
}

VclParser::TypedContext* VclParser::ConstantContext::typed() {
  return getRuleContext<VclParser::TypedContext>(0);
}


size_t VclParser::ConstantContext::getRuleIndex() const {
  return VclParser::RuleConstant;
}


VclParser::ConstantContext* VclParser::constant() {
  ConstantContext *_localctx = _tracker.createInstance<ConstantContext>(_ctx, getState());
  enterRule(_localctx, 46, VclParser::RuleConstant);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(347);
    _la = _input->LA(1);
    if (!(_la == VclParser::CONST

    || _la == VclParser::PARAM)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(348);
    declaredName();
    setState(350);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::COLON) {
      setState(349);
      typed();
    }
    setState(352);
    match(VclParser::ASSIGN);
    setState(353);
    expression();
    setState(354);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TypedContext ------------------------------------------------------------------

VclParser::TypedContext::TypedContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::TypedContext::COLON() {
  return getToken(VclParser::COLON, 0);
}

VclParser::TypeNameContext* VclParser::TypedContext::typeName() {
  return getRuleContext<VclParser::TypeNameContext>(0);
}


size_t VclParser::TypedContext::getRuleIndex() const {
  return VclParser::RuleTyped;
}


VclParser::TypedContext* VclParser::typed() {
  TypedContext *_localctx = _tracker.createInstance<TypedContext>(_ctx, getState());
  enterRule(_localctx, 48, VclParser::RuleTyped);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(356);
    match(VclParser::COLON);
    setState(357);
    typeName();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TypeNameContext ------------------------------------------------------------------

VclParser::TypeNameContext::TypeNameContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::TypeNameContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}

tree::TerminalNode* VclParser::TypeNameContext::QUESTION() {
  return getToken(VclParser::QUESTION, 0);
}


size_t VclParser::TypeNameContext::getRuleIndex() const {
  return VclParser::RuleTypeName;
}


VclParser::TypeNameContext* VclParser::typeName() {
  TypeNameContext *_localctx = _tracker.createInstance<TypeNameContext>(_ctx, getState());
  enterRule(_localctx, 50, VclParser::RuleTypeName);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(359);
    match(VclParser::IDENTIFIER);
    setState(361);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::QUESTION) {
      setState(360);
      match(VclParser::QUESTION);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FunctionContext ------------------------------------------------------------------

VclParser::FunctionContext::FunctionContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::FunctionContext::FN() {
  return getToken(VclParser::FN, 0);
}

VclParser::DeclaredNameContext* VclParser::FunctionContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::ParametersContext* VclParser::FunctionContext::parameters() {
  return getRuleContext<VclParser::ParametersContext>(0);
}

tree::TerminalNode* VclParser::FunctionContext::ARROW() {
  return getToken(VclParser::ARROW, 0);
}

VclParser::TypeNameContext* VclParser::FunctionContext::typeName() {
  return getRuleContext<VclParser::TypeNameContext>(0);
}

VclParser::BlockContext* VclParser::FunctionContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}


size_t VclParser::FunctionContext::getRuleIndex() const {
  return VclParser::RuleFunction;
}


VclParser::FunctionContext* VclParser::function() {
  FunctionContext *_localctx = _tracker.createInstance<FunctionContext>(_ctx, getState());
  enterRule(_localctx, 52, VclParser::RuleFunction);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(363);
    match(VclParser::FN);
    setState(364);
    declaredName();
    setState(365);
    parameters();
    setState(366);
    match(VclParser::ARROW);
    setState(367);
    typeName();
    setState(368);
    block();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ParametersContext ------------------------------------------------------------------

VclParser::ParametersContext::ParametersContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ParametersContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

tree::TerminalNode* VclParser::ParametersContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}

std::vector<VclParser::ParameterContext *> VclParser::ParametersContext::parameter() {
  return getRuleContexts<VclParser::ParameterContext>();
}

VclParser::ParameterContext* VclParser::ParametersContext::parameter(size_t i) {
  return getRuleContext<VclParser::ParameterContext>(i);
}

std::vector<tree::TerminalNode *> VclParser::ParametersContext::COMMA() {
  return getTokens(VclParser::COMMA);
}

tree::TerminalNode* VclParser::ParametersContext::COMMA(size_t i) {
  return getToken(VclParser::COMMA, i);
}


size_t VclParser::ParametersContext::getRuleIndex() const {
  return VclParser::RuleParameters;
}


VclParser::ParametersContext* VclParser::parameters() {
  ParametersContext *_localctx = _tracker.createInstance<ParametersContext>(_ctx, getState());
  enterRule(_localctx, 54, VclParser::RuleParameters);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(370);
    match(VclParser::LPAREN);
    setState(379);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::IDENTIFIER) {
      setState(371);
      parameter();
      setState(376);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(372);
        match(VclParser::COMMA);
        setState(373);
        parameter();
        setState(378);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(381);
    match(VclParser::RPAREN);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ParameterContext ------------------------------------------------------------------

VclParser::ParameterContext::ParameterContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::DeclaredNameContext* VclParser::ParameterContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::TypedContext* VclParser::ParameterContext::typed() {
  return getRuleContext<VclParser::TypedContext>(0);
}


size_t VclParser::ParameterContext::getRuleIndex() const {
  return VclParser::RuleParameter;
}


VclParser::ParameterContext* VclParser::parameter() {
  ParameterContext *_localctx = _tracker.createInstance<ParameterContext>(_ctx, getState());
  enterRule(_localctx, 56, VclParser::RuleParameter);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(383);
    declaredName();
    setState(384);
    typed();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TextSetContext ------------------------------------------------------------------

VclParser::TextSetContext::TextSetContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::TextSetContext::TEXT_SET() {
  return getToken(VclParser::TEXT_SET, 0);
}

VclParser::DeclaredNameContext* VclParser::TextSetContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::ListLiteralContext* VclParser::TextSetContext::listLiteral() {
  return getRuleContext<VclParser::ListLiteralContext>(0);
}

tree::TerminalNode* VclParser::TextSetContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::TextSetContext::getRuleIndex() const {
  return VclParser::RuleTextSet;
}


VclParser::TextSetContext* VclParser::textSet() {
  TextSetContext *_localctx = _tracker.createInstance<TextSetContext>(_ctx, getState());
  enterRule(_localctx, 58, VclParser::RuleTextSet);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(386);
    match(VclParser::TEXT_SET);
    setState(387);
    declaredName();
    setState(388);
    listLiteral();
    setState(389);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TableDeclarationContext ------------------------------------------------------------------

VclParser::TableDeclarationContext::TableDeclarationContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::TableDeclarationContext::TABLE() {
  return getToken(VclParser::TABLE, 0);
}

VclParser::DeclaredNameContext* VclParser::TableDeclarationContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::TypedContext* VclParser::TableDeclarationContext::typed() {
  return getRuleContext<VclParser::TypedContext>(0);
}

tree::TerminalNode* VclParser::TableDeclarationContext::BY() {
  return getToken(VclParser::BY, 0);
}

VclParser::TableKindContext* VclParser::TableDeclarationContext::tableKind() {
  return getRuleContext<VclParser::TableKindContext>(0);
}

tree::TerminalNode* VclParser::TableDeclarationContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

VclParser::RowsContext* VclParser::TableDeclarationContext::rows() {
  return getRuleContext<VclParser::RowsContext>(0);
}

tree::TerminalNode* VclParser::TableDeclarationContext::FROM() {
  return getToken(VclParser::FROM, 0);
}

VclParser::StringContext* VclParser::TableDeclarationContext::string() {
  return getRuleContext<VclParser::StringContext>(0);
}

VclParser::ColumnsContext* VclParser::TableDeclarationContext::columns() {
  return getRuleContext<VclParser::ColumnsContext>(0);
}


size_t VclParser::TableDeclarationContext::getRuleIndex() const {
  return VclParser::RuleTableDeclaration;
}


VclParser::TableDeclarationContext* VclParser::tableDeclaration() {
  TableDeclarationContext *_localctx = _tracker.createInstance<TableDeclarationContext>(_ctx, getState());
  enterRule(_localctx, 60, VclParser::RuleTableDeclaration);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(391);
    match(VclParser::TABLE);
    setState(392);
    declaredName();
    setState(393);
    typed();
    setState(394);
    match(VclParser::BY);
    setState(395);
    tableKind();
    setState(402);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::LBRACKET: {
        setState(396);
        rows();
        break;
      }

      case VclParser::FROM: {
        setState(397);
        match(VclParser::FROM);
        setState(398);
        string();
        setState(400);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::COLUMNS) {
          setState(399);
          columns();
        }
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(404);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- TableKindContext ------------------------------------------------------------------

VclParser::TableKindContext::TableKindContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::TableKindContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}


size_t VclParser::TableKindContext::getRuleIndex() const {
  return VclParser::RuleTableKind;
}


VclParser::TableKindContext* VclParser::tableKind() {
  TableKindContext *_localctx = _tracker.createInstance<TableKindContext>(_ctx, getState());
  enterRule(_localctx, 62, VclParser::RuleTableKind);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(406);
    match(VclParser::IDENTIFIER);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ColumnsContext ------------------------------------------------------------------

VclParser::ColumnsContext::ColumnsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ColumnsContext::COLUMNS() {
  return getToken(VclParser::COLUMNS, 0);
}

tree::TerminalNode* VclParser::ColumnsContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

std::vector<tree::TerminalNode *> VclParser::ColumnsContext::IDENTIFIER() {
  return getTokens(VclParser::IDENTIFIER);
}

tree::TerminalNode* VclParser::ColumnsContext::IDENTIFIER(size_t i) {
  return getToken(VclParser::IDENTIFIER, i);
}

tree::TerminalNode* VclParser::ColumnsContext::COMMA() {
  return getToken(VclParser::COMMA, 0);
}

tree::TerminalNode* VclParser::ColumnsContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}


size_t VclParser::ColumnsContext::getRuleIndex() const {
  return VclParser::RuleColumns;
}


VclParser::ColumnsContext* VclParser::columns() {
  ColumnsContext *_localctx = _tracker.createInstance<ColumnsContext>(_ctx, getState());
  enterRule(_localctx, 64, VclParser::RuleColumns);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(408);
    match(VclParser::COLUMNS);
    setState(409);
    match(VclParser::LPAREN);
    setState(410);
    match(VclParser::IDENTIFIER);
    setState(411);
    match(VclParser::COMMA);
    setState(412);
    match(VclParser::IDENTIFIER);
    setState(413);
    match(VclParser::RPAREN);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RowsContext ------------------------------------------------------------------

VclParser::RowsContext::RowsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::RowsContext::LBRACKET() {
  return getToken(VclParser::LBRACKET, 0);
}

tree::TerminalNode* VclParser::RowsContext::RBRACKET() {
  return getToken(VclParser::RBRACKET, 0);
}

std::vector<VclParser::RowContext *> VclParser::RowsContext::row() {
  return getRuleContexts<VclParser::RowContext>();
}

VclParser::RowContext* VclParser::RowsContext::row(size_t i) {
  return getRuleContext<VclParser::RowContext>(i);
}

std::vector<tree::TerminalNode *> VclParser::RowsContext::COMMA() {
  return getTokens(VclParser::COMMA);
}

tree::TerminalNode* VclParser::RowsContext::COMMA(size_t i) {
  return getToken(VclParser::COMMA, i);
}


size_t VclParser::RowsContext::getRuleIndex() const {
  return VclParser::RuleRows;
}


VclParser::RowsContext* VclParser::rows() {
  RowsContext *_localctx = _tracker.createInstance<RowsContext>(_ctx, getState());
  enterRule(_localctx, 66, VclParser::RuleRows);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(415);
    match(VclParser::LBRACKET);
    setState(426);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::DEFAULT)
      | (1ULL << VclParser::STRING)
      | (1ULL << VclParser::LONG_STRING)
      | (1ULL << VclParser::TRIPLE_STRING))) != 0)) {
      setState(416);
      row();
      setState(423);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(417);
        match(VclParser::COMMA);
        setState(419);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if ((((_la & ~ 0x3fULL) == 0) &&
          ((1ULL << _la) & ((1ULL << VclParser::DEFAULT)
          | (1ULL << VclParser::STRING)
          | (1ULL << VclParser::LONG_STRING)
          | (1ULL << VclParser::TRIPLE_STRING))) != 0)) {
          setState(418);
          row();
        }
        setState(425);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(428);
    match(VclParser::RBRACKET);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RowContext ------------------------------------------------------------------

VclParser::RowContext::RowContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::RowContext::MAPS_TO() {
  return getToken(VclParser::MAPS_TO, 0);
}

VclParser::ExpressionContext* VclParser::RowContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

VclParser::DefaultWordContext* VclParser::RowContext::defaultWord() {
  return getRuleContext<VclParser::DefaultWordContext>(0);
}

VclParser::RowKeyContext* VclParser::RowContext::rowKey() {
  return getRuleContext<VclParser::RowKeyContext>(0);
}


size_t VclParser::RowContext::getRuleIndex() const {
  return VclParser::RuleRow;
}


VclParser::RowContext* VclParser::row() {
  RowContext *_localctx = _tracker.createInstance<RowContext>(_ctx, getState());
  enterRule(_localctx, 68, VclParser::RuleRow);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(432);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::DEFAULT: {
        setState(430);
        defaultWord();
        break;
      }

      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING: {
        setState(431);
        rowKey();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(434);
    match(VclParser::MAPS_TO);
    setState(435);
    expression();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- RowKeyContext ------------------------------------------------------------------

VclParser::RowKeyContext::RowKeyContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::StringContext* VclParser::RowKeyContext::string() {
  return getRuleContext<VclParser::StringContext>(0);
}

tree::TerminalNode* VclParser::RowKeyContext::SLASH() {
  return getToken(VclParser::SLASH, 0);
}

VclParser::MaskBitsContext* VclParser::RowKeyContext::maskBits() {
  return getRuleContext<VclParser::MaskBitsContext>(0);
}


size_t VclParser::RowKeyContext::getRuleIndex() const {
  return VclParser::RuleRowKey;
}


VclParser::RowKeyContext* VclParser::rowKey() {
  RowKeyContext *_localctx = _tracker.createInstance<RowKeyContext>(_ctx, getState());
  enterRule(_localctx, 70, VclParser::RuleRowKey);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(437);
    string();
    setState(440);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::SLASH) {
      setState(438);
      match(VclParser::SLASH);
      setState(439);
      maskBits();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- DefaultWordContext ------------------------------------------------------------------

VclParser::DefaultWordContext::DefaultWordContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::DefaultWordContext::DEFAULT() {
  return getToken(VclParser::DEFAULT, 0);
}


size_t VclParser::DefaultWordContext::getRuleIndex() const {
  return VclParser::RuleDefaultWord;
}


VclParser::DefaultWordContext* VclParser::defaultWord() {
  DefaultWordContext *_localctx = _tracker.createInstance<DefaultWordContext>(_ctx, getState());
  enterRule(_localctx, 72, VclParser::RuleDefaultWord);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(442);
    match(VclParser::DEFAULT);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- CounterContext ------------------------------------------------------------------

VclParser::CounterContext::CounterContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::CounterContext::COUNTER() {
  return getToken(VclParser::COUNTER, 0);
}

std::vector<VclParser::DeclaredNameContext *> VclParser::CounterContext::declaredName() {
  return getRuleContexts<VclParser::DeclaredNameContext>();
}

VclParser::DeclaredNameContext* VclParser::CounterContext::declaredName(size_t i) {
  return getRuleContext<VclParser::DeclaredNameContext>(i);
}

tree::TerminalNode* VclParser::CounterContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

tree::TerminalNode* VclParser::CounterContext::BY() {
  return getToken(VclParser::BY, 0);
}

tree::TerminalNode* VclParser::CounterContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

tree::TerminalNode* VclParser::CounterContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}

std::vector<tree::TerminalNode *> VclParser::CounterContext::COMMA() {
  return getTokens(VclParser::COMMA);
}

tree::TerminalNode* VclParser::CounterContext::COMMA(size_t i) {
  return getToken(VclParser::COMMA, i);
}


size_t VclParser::CounterContext::getRuleIndex() const {
  return VclParser::RuleCounter;
}


VclParser::CounterContext* VclParser::counter() {
  CounterContext *_localctx = _tracker.createInstance<CounterContext>(_ctx, getState());
  enterRule(_localctx, 74, VclParser::RuleCounter);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(444);
    match(VclParser::COUNTER);
    setState(445);
    declaredName();
    setState(458);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::BY) {
      setState(446);
      match(VclParser::BY);
      setState(447);
      match(VclParser::LPAREN);
      setState(448);
      declaredName();
      setState(453);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(449);
        match(VclParser::COMMA);
        setState(450);
        declaredName();
        setState(455);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
      setState(456);
      match(VclParser::RPAREN);
    }
    setState(460);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BudgetContext ------------------------------------------------------------------

VclParser::BudgetContext::BudgetContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::BudgetContext::BUDGET() {
  return getToken(VclParser::BUDGET, 0);
}

tree::TerminalNode* VclParser::BudgetContext::LBRACE() {
  return getToken(VclParser::LBRACE, 0);
}

tree::TerminalNode* VclParser::BudgetContext::RBRACE() {
  return getToken(VclParser::RBRACE, 0);
}

std::vector<VclParser::BudgetEntryContext *> VclParser::BudgetContext::budgetEntry() {
  return getRuleContexts<VclParser::BudgetEntryContext>();
}

VclParser::BudgetEntryContext* VclParser::BudgetContext::budgetEntry(size_t i) {
  return getRuleContext<VclParser::BudgetEntryContext>(i);
}


size_t VclParser::BudgetContext::getRuleIndex() const {
  return VclParser::RuleBudget;
}


VclParser::BudgetContext* VclParser::budget() {
  BudgetContext *_localctx = _tracker.createInstance<BudgetContext>(_ctx, getState());
  enterRule(_localctx, 76, VclParser::RuleBudget);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(462);
    match(VclParser::BUDGET);
    setState(463);
    match(VclParser::LBRACE);
    setState(467);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::IDENTIFIER) {
      setState(464);
      budgetEntry();
      setState(469);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(470);
    match(VclParser::RBRACE);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BudgetEntryContext ------------------------------------------------------------------

VclParser::BudgetEntryContext::BudgetEntryContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::BudgetEntryContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}

tree::TerminalNode* VclParser::BudgetEntryContext::NUMBER() {
  return getToken(VclParser::NUMBER, 0);
}

tree::TerminalNode* VclParser::BudgetEntryContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::BudgetEntryContext::getRuleIndex() const {
  return VclParser::RuleBudgetEntry;
}


VclParser::BudgetEntryContext* VclParser::budgetEntry() {
  BudgetEntryContext *_localctx = _tracker.createInstance<BudgetEntryContext>(_ctx, getState());
  enterRule(_localctx, 78, VclParser::RuleBudgetEntry);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(472);
    match(VclParser::IDENTIFIER);
    setState(473);
    match(VclParser::NUMBER);
    setState(474);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AnnotationContext ------------------------------------------------------------------

VclParser::AnnotationContext::AnnotationContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::AnnotationContext::AT() {
  return getToken(VclParser::AT, 0);
}

tree::TerminalNode* VclParser::AnnotationContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}

VclParser::ArgumentsContext* VclParser::AnnotationContext::arguments() {
  return getRuleContext<VclParser::ArgumentsContext>(0);
}


size_t VclParser::AnnotationContext::getRuleIndex() const {
  return VclParser::RuleAnnotation;
}


VclParser::AnnotationContext* VclParser::annotation() {
  AnnotationContext *_localctx = _tracker.createInstance<AnnotationContext>(_ctx, getState());
  enterRule(_localctx, 80, VclParser::RuleAnnotation);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(476);
    match(VclParser::AT);
    setState(477);
    match(VclParser::IDENTIFIER);
    setState(479);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(478);
      arguments();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BlockContext ------------------------------------------------------------------

VclParser::BlockContext::BlockContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::BlockContext::LBRACE() {
  return getToken(VclParser::LBRACE, 0);
}

tree::TerminalNode* VclParser::BlockContext::RBRACE() {
  return getToken(VclParser::RBRACE, 0);
}

std::vector<VclParser::StatementContext *> VclParser::BlockContext::statement() {
  return getRuleContexts<VclParser::StatementContext>();
}

VclParser::StatementContext* VclParser::BlockContext::statement(size_t i) {
  return getRuleContext<VclParser::StatementContext>(i);
}


size_t VclParser::BlockContext::getRuleIndex() const {
  return VclParser::RuleBlock;
}


VclParser::BlockContext* VclParser::block() {
  BlockContext *_localctx = _tracker.createInstance<BlockContext>(_ctx, getState());
  enterRule(_localctx, 82, VclParser::RuleBlock);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(481);
    match(VclParser::LBRACE);
    setState(485);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 7) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 7)) & ((1ULL << (VclParser::SET - 7))
      | (1ULL << (VclParser::UNSET - 7))
      | (1ULL << (VclParser::CALL - 7))
      | (1ULL << (VclParser::RETURN - 7))
      | (1ULL << (VclParser::IF - 7))
      | (1ULL << (VclParser::NEW - 7))
      | (1ULL << (VclParser::LET - 7))
      | (1ULL << (VclParser::SWITCH - 7))
      | (1ULL << (VclParser::FOR - 7))
      | (1ULL << (VclParser::COUNT - 7))
      | (1ULL << (VclParser::LOG - 7))
      | (1ULL << (VclParser::ALLOW - 7))
      | (1ULL << (VclParser::BUILTIN - 7))
      | (1ULL << (VclParser::INVARIANT - 7))
      | (1ULL << (VclParser::GIVE - 7))
      | (1ULL << (VclParser::IDENTIFIER - 7))
      | (1ULL << (VclParser::INLINE_C - 7))
      | (1ULL << (VclParser::LBRACE - 7))
      | (1ULL << (VclParser::AT - 7)))) != 0)) {
      setState(482);
      statement();
      setState(487);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(488);
    match(VclParser::RBRACE);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- StatementContext ------------------------------------------------------------------

VclParser::StatementContext::StatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::SetStatementContext* VclParser::StatementContext::setStatement() {
  return getRuleContext<VclParser::SetStatementContext>(0);
}

VclParser::UnsetStatementContext* VclParser::StatementContext::unsetStatement() {
  return getRuleContext<VclParser::UnsetStatementContext>(0);
}

VclParser::CallStatementContext* VclParser::StatementContext::callStatement() {
  return getRuleContext<VclParser::CallStatementContext>(0);
}

VclParser::ReturnStatementContext* VclParser::StatementContext::returnStatement() {
  return getRuleContext<VclParser::ReturnStatementContext>(0);
}

VclParser::IfStatementContext* VclParser::StatementContext::ifStatement() {
  return getRuleContext<VclParser::IfStatementContext>(0);
}

VclParser::NewStatementContext* VclParser::StatementContext::newStatement() {
  return getRuleContext<VclParser::NewStatementContext>(0);
}

VclParser::FunctionStatementContext* VclParser::StatementContext::functionStatement() {
  return getRuleContext<VclParser::FunctionStatementContext>(0);
}

VclParser::BlockContext* VclParser::StatementContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}

VclParser::InlineCContext* VclParser::StatementContext::inlineC() {
  return getRuleContext<VclParser::InlineCContext>(0);
}

VclParser::LetStatementContext* VclParser::StatementContext::letStatement() {
  return getRuleContext<VclParser::LetStatementContext>(0);
}

VclParser::GiveStatementContext* VclParser::StatementContext::giveStatement() {
  return getRuleContext<VclParser::GiveStatementContext>(0);
}

VclParser::SwitchStatementContext* VclParser::StatementContext::switchStatement() {
  return getRuleContext<VclParser::SwitchStatementContext>(0);
}

VclParser::ForStatementContext* VclParser::StatementContext::forStatement() {
  return getRuleContext<VclParser::ForStatementContext>(0);
}

VclParser::CountStatementContext* VclParser::StatementContext::countStatement() {
  return getRuleContext<VclParser::CountStatementContext>(0);
}

VclParser::LogStatementContext* VclParser::StatementContext::logStatement() {
  return getRuleContext<VclParser::LogStatementContext>(0);
}

VclParser::AllowStatementContext* VclParser::StatementContext::allowStatement() {
  return getRuleContext<VclParser::AllowStatementContext>(0);
}

VclParser::BuiltinStatementContext* VclParser::StatementContext::builtinStatement() {
  return getRuleContext<VclParser::BuiltinStatementContext>(0);
}

VclParser::InvariantContext* VclParser::StatementContext::invariant() {
  return getRuleContext<VclParser::InvariantContext>(0);
}

VclParser::LabelledContext* VclParser::StatementContext::labelled() {
  return getRuleContext<VclParser::LabelledContext>(0);
}


size_t VclParser::StatementContext::getRuleIndex() const {
  return VclParser::RuleStatement;
}


VclParser::StatementContext* VclParser::statement() {
  StatementContext *_localctx = _tracker.createInstance<StatementContext>(_ctx, getState());
  enterRule(_localctx, 84, VclParser::RuleStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(509);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::SET: {
        enterOuterAlt(_localctx, 1);
        setState(490);
        setStatement();
        break;
      }

      case VclParser::UNSET: {
        enterOuterAlt(_localctx, 2);
        setState(491);
        unsetStatement();
        break;
      }

      case VclParser::CALL: {
        enterOuterAlt(_localctx, 3);
        setState(492);
        callStatement();
        break;
      }

      case VclParser::RETURN: {
        enterOuterAlt(_localctx, 4);
        setState(493);
        returnStatement();
        break;
      }

      case VclParser::IF: {
        enterOuterAlt(_localctx, 5);
        setState(494);
        ifStatement();
        break;
      }

      case VclParser::NEW: {
        enterOuterAlt(_localctx, 6);
        setState(495);
        newStatement();
        break;
      }

      case VclParser::IDENTIFIER: {
        enterOuterAlt(_localctx, 7);
        setState(496);
        functionStatement();
        break;
      }

      case VclParser::LBRACE: {
        enterOuterAlt(_localctx, 8);
        setState(497);
        block();
        break;
      }

      case VclParser::INLINE_C: {
        enterOuterAlt(_localctx, 9);
        setState(498);
        inlineC();
        break;
      }

      case VclParser::LET: {
        enterOuterAlt(_localctx, 10);
        setState(499);
        letStatement();
        break;
      }

      case VclParser::GIVE: {
        enterOuterAlt(_localctx, 11);
        setState(500);
        giveStatement();
        break;
      }

      case VclParser::SWITCH: {
        enterOuterAlt(_localctx, 12);
        setState(501);
        switchStatement();
        break;
      }

      case VclParser::FOR: {
        enterOuterAlt(_localctx, 13);
        setState(502);
        forStatement();
        break;
      }

      case VclParser::COUNT: {
        enterOuterAlt(_localctx, 14);
        setState(503);
        countStatement();
        break;
      }

      case VclParser::LOG: {
        enterOuterAlt(_localctx, 15);
        setState(504);
        logStatement();
        break;
      }

      case VclParser::ALLOW: {
        enterOuterAlt(_localctx, 16);
        setState(505);
        allowStatement();
        break;
      }

      case VclParser::BUILTIN: {
        enterOuterAlt(_localctx, 17);
        setState(506);
        builtinStatement();
        break;
      }

      case VclParser::INVARIANT: {
        enterOuterAlt(_localctx, 18);
        setState(507);
        invariant();
        break;
      }

      case VclParser::AT: {
        enterOuterAlt(_localctx, 19);
        setState(508);
        labelled();
        break;
      }

    default:
      throw NoViableAltException(this);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- SetStatementContext ------------------------------------------------------------------

VclParser::SetStatementContext::SetStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::SetStatementContext::SET() {
  return getToken(VclParser::SET, 0);
}

VclParser::NameContext* VclParser::SetStatementContext::name() {
  return getRuleContext<VclParser::NameContext>(0);
}

VclParser::AssignmentContext* VclParser::SetStatementContext::assignment() {
  return getRuleContext<VclParser::AssignmentContext>(0);
}

VclParser::ExpressionContext* VclParser::SetStatementContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::SetStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::SetStatementContext::getRuleIndex() const {
  return VclParser::RuleSetStatement;
}


VclParser::SetStatementContext* VclParser::setStatement() {
  SetStatementContext *_localctx = _tracker.createInstance<SetStatementContext>(_ctx, getState());
  enterRule(_localctx, 86, VclParser::RuleSetStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(511);
    match(VclParser::SET);
    setState(512);
    name();
    setState(513);
    assignment();
    setState(514);
    expression();
    setState(515);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AssignmentContext ------------------------------------------------------------------

VclParser::AssignmentContext::AssignmentContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::AssignmentContext::ASSIGN() {
  return getToken(VclParser::ASSIGN, 0);
}

tree::TerminalNode* VclParser::AssignmentContext::ADD_ASSIGN() {
  return getToken(VclParser::ADD_ASSIGN, 0);
}

tree::TerminalNode* VclParser::AssignmentContext::SUB_ASSIGN() {
  return getToken(VclParser::SUB_ASSIGN, 0);
}

tree::TerminalNode* VclParser::AssignmentContext::MUL_ASSIGN() {
  return getToken(VclParser::MUL_ASSIGN, 0);
}

tree::TerminalNode* VclParser::AssignmentContext::DIV_ASSIGN() {
  return getToken(VclParser::DIV_ASSIGN, 0);
}


size_t VclParser::AssignmentContext::getRuleIndex() const {
  return VclParser::RuleAssignment;
}


VclParser::AssignmentContext* VclParser::assignment() {
  AssignmentContext *_localctx = _tracker.createInstance<AssignmentContext>(_ctx, getState());
  enterRule(_localctx, 88, VclParser::RuleAssignment);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(517);
    _la = _input->LA(1);
    if (!(((((_la - 69) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 69)) & ((1ULL << (VclParser::ASSIGN - 69))
      | (1ULL << (VclParser::ADD_ASSIGN - 69))
      | (1ULL << (VclParser::SUB_ASSIGN - 69))
      | (1ULL << (VclParser::MUL_ASSIGN - 69))
      | (1ULL << (VclParser::DIV_ASSIGN - 69)))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- UnsetStatementContext ------------------------------------------------------------------

VclParser::UnsetStatementContext::UnsetStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::UnsetStatementContext::UNSET() {
  return getToken(VclParser::UNSET, 0);
}

VclParser::NameContext* VclParser::UnsetStatementContext::name() {
  return getRuleContext<VclParser::NameContext>(0);
}

tree::TerminalNode* VclParser::UnsetStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::UnsetStatementContext::getRuleIndex() const {
  return VclParser::RuleUnsetStatement;
}


VclParser::UnsetStatementContext* VclParser::unsetStatement() {
  UnsetStatementContext *_localctx = _tracker.createInstance<UnsetStatementContext>(_ctx, getState());
  enterRule(_localctx, 90, VclParser::RuleUnsetStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(519);
    match(VclParser::UNSET);
    setState(520);
    name();
    setState(521);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- CallStatementContext ------------------------------------------------------------------

VclParser::CallStatementContext::CallStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::CallStatementContext::CALL() {
  return getToken(VclParser::CALL, 0);
}

VclParser::PostfixContext* VclParser::CallStatementContext::postfix() {
  return getRuleContext<VclParser::PostfixContext>(0);
}

tree::TerminalNode* VclParser::CallStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::CallStatementContext::getRuleIndex() const {
  return VclParser::RuleCallStatement;
}


VclParser::CallStatementContext* VclParser::callStatement() {
  CallStatementContext *_localctx = _tracker.createInstance<CallStatementContext>(_ctx, getState());
  enterRule(_localctx, 92, VclParser::RuleCallStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(523);
    match(VclParser::CALL);
    setState(524);
    postfix();
    setState(525);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ReturnStatementContext ------------------------------------------------------------------

VclParser::ReturnStatementContext::ReturnStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ReturnStatementContext::RETURN() {
  return getToken(VclParser::RETURN, 0);
}

tree::TerminalNode* VclParser::ReturnStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

tree::TerminalNode* VclParser::ReturnStatementContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

VclParser::ActionContext* VclParser::ReturnStatementContext::action() {
  return getRuleContext<VclParser::ActionContext>(0);
}

tree::TerminalNode* VclParser::ReturnStatementContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}


size_t VclParser::ReturnStatementContext::getRuleIndex() const {
  return VclParser::RuleReturnStatement;
}


VclParser::ReturnStatementContext* VclParser::returnStatement() {
  ReturnStatementContext *_localctx = _tracker.createInstance<ReturnStatementContext>(_ctx, getState());
  enterRule(_localctx, 94, VclParser::RuleReturnStatement);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(527);
    match(VclParser::RETURN);
    setState(532);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(528);
      match(VclParser::LPAREN);
      setState(529);
      action();
      setState(530);
      match(VclParser::RPAREN);
    }
    setState(534);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ActionContext ------------------------------------------------------------------

VclParser::ActionContext::ActionContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::NameContext* VclParser::ActionContext::name() {
  return getRuleContext<VclParser::NameContext>(0);
}

VclParser::ArgumentsContext* VclParser::ActionContext::arguments() {
  return getRuleContext<VclParser::ArgumentsContext>(0);
}


size_t VclParser::ActionContext::getRuleIndex() const {
  return VclParser::RuleAction;
}


VclParser::ActionContext* VclParser::action() {
  ActionContext *_localctx = _tracker.createInstance<ActionContext>(_ctx, getState());
  enterRule(_localctx, 96, VclParser::RuleAction);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(536);
    name();
    setState(538);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(537);
      arguments();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NewStatementContext ------------------------------------------------------------------

VclParser::NewStatementContext::NewStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::NewStatementContext::NEW() {
  return getToken(VclParser::NEW, 0);
}

VclParser::DeclaredNameContext* VclParser::NewStatementContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::NewStatementContext::ASSIGN() {
  return getToken(VclParser::ASSIGN, 0);
}

VclParser::NameContext* VclParser::NewStatementContext::name() {
  return getRuleContext<VclParser::NameContext>(0);
}

VclParser::ArgumentsContext* VclParser::NewStatementContext::arguments() {
  return getRuleContext<VclParser::ArgumentsContext>(0);
}

tree::TerminalNode* VclParser::NewStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::NewStatementContext::getRuleIndex() const {
  return VclParser::RuleNewStatement;
}


VclParser::NewStatementContext* VclParser::newStatement() {
  NewStatementContext *_localctx = _tracker.createInstance<NewStatementContext>(_ctx, getState());
  enterRule(_localctx, 98, VclParser::RuleNewStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(540);
    match(VclParser::NEW);
    setState(541);
    declaredName();
    setState(542);
    match(VclParser::ASSIGN);
    setState(543);
    name();
    setState(544);
    arguments();
    setState(545);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- FunctionStatementContext ------------------------------------------------------------------

VclParser::FunctionStatementContext::FunctionStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::NameContext* VclParser::FunctionStatementContext::name() {
  return getRuleContext<VclParser::NameContext>(0);
}

VclParser::ArgumentsContext* VclParser::FunctionStatementContext::arguments() {
  return getRuleContext<VclParser::ArgumentsContext>(0);
}

tree::TerminalNode* VclParser::FunctionStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

std::vector<VclParser::MemberContext *> VclParser::FunctionStatementContext::member() {
  return getRuleContexts<VclParser::MemberContext>();
}

VclParser::MemberContext* VclParser::FunctionStatementContext::member(size_t i) {
  return getRuleContext<VclParser::MemberContext>(i);
}


size_t VclParser::FunctionStatementContext::getRuleIndex() const {
  return VclParser::RuleFunctionStatement;
}


VclParser::FunctionStatementContext* VclParser::functionStatement() {
  FunctionStatementContext *_localctx = _tracker.createInstance<FunctionStatementContext>(_ctx, getState());
  enterRule(_localctx, 100, VclParser::RuleFunctionStatement);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(547);
    name();
    setState(548);
    arguments();
    setState(552);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::LBRACKET

    || _la == VclParser::DOT) {
      setState(549);
      member();
      setState(554);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(555);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- IfStatementContext ------------------------------------------------------------------

VclParser::IfStatementContext::IfStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::IfArmContext* VclParser::IfStatementContext::ifArm() {
  return getRuleContext<VclParser::IfArmContext>(0);
}

std::vector<VclParser::ElseArmContext *> VclParser::IfStatementContext::elseArm() {
  return getRuleContexts<VclParser::ElseArmContext>();
}

VclParser::ElseArmContext* VclParser::IfStatementContext::elseArm(size_t i) {
  return getRuleContext<VclParser::ElseArmContext>(i);
}


size_t VclParser::IfStatementContext::getRuleIndex() const {
  return VclParser::RuleIfStatement;
}


VclParser::IfStatementContext* VclParser::ifStatement() {
  IfStatementContext *_localctx = _tracker.createInstance<IfStatementContext>(_ctx, getState());
  enterRule(_localctx, 102, VclParser::RuleIfStatement);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(557);
    ifArm();
    setState(561);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::ELSE

    || _la == VclParser::ELSEIF) {
      setState(558);
      elseArm();
      setState(563);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- IfArmContext ------------------------------------------------------------------

VclParser::IfArmContext::IfArmContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::IfArmContext::IF() {
  return getToken(VclParser::IF, 0);
}

VclParser::ConditionContext* VclParser::IfArmContext::condition() {
  return getRuleContext<VclParser::ConditionContext>(0);
}

VclParser::BlockContext* VclParser::IfArmContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}


size_t VclParser::IfArmContext::getRuleIndex() const {
  return VclParser::RuleIfArm;
}


VclParser::IfArmContext* VclParser::ifArm() {
  IfArmContext *_localctx = _tracker.createInstance<IfArmContext>(_ctx, getState());
  enterRule(_localctx, 104, VclParser::RuleIfArm);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(564);
    match(VclParser::IF);
    setState(565);
    condition();
    setState(566);
    block();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ElseArmContext ------------------------------------------------------------------

VclParser::ElseArmContext::ElseArmContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::BlockContext* VclParser::ElseArmContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}

tree::TerminalNode* VclParser::ElseArmContext::ELSEIF() {
  return getToken(VclParser::ELSEIF, 0);
}

VclParser::ConditionContext* VclParser::ElseArmContext::condition() {
  return getRuleContext<VclParser::ConditionContext>(0);
}

tree::TerminalNode* VclParser::ElseArmContext::ELSE() {
  return getToken(VclParser::ELSE, 0);
}

tree::TerminalNode* VclParser::ElseArmContext::IF() {
  return getToken(VclParser::IF, 0);
}


size_t VclParser::ElseArmContext::getRuleIndex() const {
  return VclParser::RuleElseArm;
}


VclParser::ElseArmContext* VclParser::elseArm() {
  ElseArmContext *_localctx = _tracker.createInstance<ElseArmContext>(_ctx, getState());
  enterRule(_localctx, 106, VclParser::RuleElseArm);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(575);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::ELSEIF: {
        setState(568);
        match(VclParser::ELSEIF);
        setState(569);
        condition();
        break;
      }

      case VclParser::ELSE: {
        setState(570);
        match(VclParser::ELSE);
        setState(573);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::IF) {
          setState(571);
          match(VclParser::IF);
          setState(572);
          condition();
        }
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(577);
    block();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ConditionContext ------------------------------------------------------------------

VclParser::ConditionContext::ConditionContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ConditionContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

VclParser::ExpressionContext* VclParser::ConditionContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::ConditionContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}

VclParser::BindingContext* VclParser::ConditionContext::binding() {
  return getRuleContext<VclParser::BindingContext>(0);
}


size_t VclParser::ConditionContext::getRuleIndex() const {
  return VclParser::RuleCondition;
}


VclParser::ConditionContext* VclParser::condition() {
  ConditionContext *_localctx = _tracker.createInstance<ConditionContext>(_ctx, getState());
  enterRule(_localctx, 108, VclParser::RuleCondition);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(579);
    match(VclParser::LPAREN);
    setState(581);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LET) {
      setState(580);
      binding();
    }
    setState(583);
    expression();
    setState(584);
    match(VclParser::RPAREN);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LetStatementContext ------------------------------------------------------------------

VclParser::LetStatementContext::LetStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::LetStatementContext::LET() {
  return getToken(VclParser::LET, 0);
}

VclParser::DeclaredNameContext* VclParser::LetStatementContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::LetStatementContext::ASSIGN() {
  return getToken(VclParser::ASSIGN, 0);
}

VclParser::ExpressionContext* VclParser::LetStatementContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::LetStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

VclParser::MutContext* VclParser::LetStatementContext::mut() {
  return getRuleContext<VclParser::MutContext>(0);
}

VclParser::TypedContext* VclParser::LetStatementContext::typed() {
  return getRuleContext<VclParser::TypedContext>(0);
}


size_t VclParser::LetStatementContext::getRuleIndex() const {
  return VclParser::RuleLetStatement;
}


VclParser::LetStatementContext* VclParser::letStatement() {
  LetStatementContext *_localctx = _tracker.createInstance<LetStatementContext>(_ctx, getState());
  enterRule(_localctx, 110, VclParser::RuleLetStatement);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(586);
    match(VclParser::LET);
    setState(588);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::MUT) {
      setState(587);
      mut();
    }
    setState(590);
    declaredName();
    setState(592);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::COLON) {
      setState(591);
      typed();
    }
    setState(594);
    match(VclParser::ASSIGN);
    setState(595);
    expression();
    setState(596);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- MutContext ------------------------------------------------------------------

VclParser::MutContext::MutContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::MutContext::MUT() {
  return getToken(VclParser::MUT, 0);
}


size_t VclParser::MutContext::getRuleIndex() const {
  return VclParser::RuleMut;
}


VclParser::MutContext* VclParser::mut() {
  MutContext *_localctx = _tracker.createInstance<MutContext>(_ctx, getState());
  enterRule(_localctx, 112, VclParser::RuleMut);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(598);
    match(VclParser::MUT);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BindingContext ------------------------------------------------------------------

VclParser::BindingContext::BindingContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::BindingContext::LET() {
  return getToken(VclParser::LET, 0);
}

VclParser::DeclaredNameContext* VclParser::BindingContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::BindingContext::ASSIGN() {
  return getToken(VclParser::ASSIGN, 0);
}


size_t VclParser::BindingContext::getRuleIndex() const {
  return VclParser::RuleBinding;
}


VclParser::BindingContext* VclParser::binding() {
  BindingContext *_localctx = _tracker.createInstance<BindingContext>(_ctx, getState());
  enterRule(_localctx, 114, VclParser::RuleBinding);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(600);
    match(VclParser::LET);
    setState(601);
    declaredName();
    setState(602);
    match(VclParser::ASSIGN);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- GiveStatementContext ------------------------------------------------------------------

VclParser::GiveStatementContext::GiveStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::GiveStatementContext::GIVE() {
  return getToken(VclParser::GIVE, 0);
}

tree::TerminalNode* VclParser::GiveStatementContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

VclParser::ExpressionContext* VclParser::GiveStatementContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::GiveStatementContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}

tree::TerminalNode* VclParser::GiveStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::GiveStatementContext::getRuleIndex() const {
  return VclParser::RuleGiveStatement;
}


VclParser::GiveStatementContext* VclParser::giveStatement() {
  GiveStatementContext *_localctx = _tracker.createInstance<GiveStatementContext>(_ctx, getState());
  enterRule(_localctx, 116, VclParser::RuleGiveStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(604);
    match(VclParser::GIVE);
    setState(605);
    match(VclParser::LPAREN);
    setState(606);
    expression();
    setState(607);
    match(VclParser::RPAREN);
    setState(608);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- SwitchStatementContext ------------------------------------------------------------------

VclParser::SwitchStatementContext::SwitchStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::SwitchStatementContext::SWITCH() {
  return getToken(VclParser::SWITCH, 0);
}

VclParser::ConditionContext* VclParser::SwitchStatementContext::condition() {
  return getRuleContext<VclParser::ConditionContext>(0);
}

tree::TerminalNode* VclParser::SwitchStatementContext::LBRACE() {
  return getToken(VclParser::LBRACE, 0);
}

tree::TerminalNode* VclParser::SwitchStatementContext::RBRACE() {
  return getToken(VclParser::RBRACE, 0);
}

std::vector<VclParser::SwitchCaseContext *> VclParser::SwitchStatementContext::switchCase() {
  return getRuleContexts<VclParser::SwitchCaseContext>();
}

VclParser::SwitchCaseContext* VclParser::SwitchStatementContext::switchCase(size_t i) {
  return getRuleContext<VclParser::SwitchCaseContext>(i);
}


size_t VclParser::SwitchStatementContext::getRuleIndex() const {
  return VclParser::RuleSwitchStatement;
}


VclParser::SwitchStatementContext* VclParser::switchStatement() {
  SwitchStatementContext *_localctx = _tracker.createInstance<SwitchStatementContext>(_ctx, getState());
  enterRule(_localctx, 118, VclParser::RuleSwitchStatement);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(610);
    match(VclParser::SWITCH);
    setState(611);
    condition();
    setState(612);
    match(VclParser::LBRACE);
    setState(616);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::CASE

    || _la == VclParser::DEFAULT) {
      setState(613);
      switchCase();
      setState(618);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(619);
    match(VclParser::RBRACE);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- SwitchCaseContext ------------------------------------------------------------------

VclParser::SwitchCaseContext::SwitchCaseContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::SwitchCaseContext::COLON() {
  return getToken(VclParser::COLON, 0);
}

VclParser::BlockContext* VclParser::SwitchCaseContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}

tree::TerminalNode* VclParser::SwitchCaseContext::CASE() {
  return getToken(VclParser::CASE, 0);
}

std::vector<VclParser::CaseLabelContext *> VclParser::SwitchCaseContext::caseLabel() {
  return getRuleContexts<VclParser::CaseLabelContext>();
}

VclParser::CaseLabelContext* VclParser::SwitchCaseContext::caseLabel(size_t i) {
  return getRuleContext<VclParser::CaseLabelContext>(i);
}

VclParser::DefaultWordContext* VclParser::SwitchCaseContext::defaultWord() {
  return getRuleContext<VclParser::DefaultWordContext>(0);
}

std::vector<tree::TerminalNode *> VclParser::SwitchCaseContext::COMMA() {
  return getTokens(VclParser::COMMA);
}

tree::TerminalNode* VclParser::SwitchCaseContext::COMMA(size_t i) {
  return getToken(VclParser::COMMA, i);
}


size_t VclParser::SwitchCaseContext::getRuleIndex() const {
  return VclParser::RuleSwitchCase;
}


VclParser::SwitchCaseContext* VclParser::switchCase() {
  SwitchCaseContext *_localctx = _tracker.createInstance<SwitchCaseContext>(_ctx, getState());
  enterRule(_localctx, 120, VclParser::RuleSwitchCase);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(631);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::CASE: {
        setState(621);
        match(VclParser::CASE);
        setState(622);
        caseLabel();
        setState(627);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VclParser::COMMA) {
          setState(623);
          match(VclParser::COMMA);
          setState(624);
          caseLabel();
          setState(629);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

      case VclParser::DEFAULT: {
        setState(630);
        defaultWord();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(633);
    match(VclParser::COLON);
    setState(634);
    block();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- CaseLabelContext ------------------------------------------------------------------

VclParser::CaseLabelContext::CaseLabelContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::ExpressionContext* VclParser::CaseLabelContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

VclParser::MatchingContext* VclParser::CaseLabelContext::matching() {
  return getRuleContext<VclParser::MatchingContext>(0);
}


size_t VclParser::CaseLabelContext::getRuleIndex() const {
  return VclParser::RuleCaseLabel;
}


VclParser::CaseLabelContext* VclParser::caseLabel() {
  CaseLabelContext *_localctx = _tracker.createInstance<CaseLabelContext>(_ctx, getState());
  enterRule(_localctx, 122, VclParser::RuleCaseLabel);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(637);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::MATCH) {
      setState(636);
      matching();
    }
    setState(639);
    expression();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- MatchingContext ------------------------------------------------------------------

VclParser::MatchingContext::MatchingContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::MatchingContext::MATCH() {
  return getToken(VclParser::MATCH, 0);
}


size_t VclParser::MatchingContext::getRuleIndex() const {
  return VclParser::RuleMatching;
}


VclParser::MatchingContext* VclParser::matching() {
  MatchingContext *_localctx = _tracker.createInstance<MatchingContext>(_ctx, getState());
  enterRule(_localctx, 124, VclParser::RuleMatching);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(641);
    match(VclParser::MATCH);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ForStatementContext ------------------------------------------------------------------

VclParser::ForStatementContext::ForStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ForStatementContext::FOR() {
  return getToken(VclParser::FOR, 0);
}

tree::TerminalNode* VclParser::ForStatementContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

VclParser::DeclaredNameContext* VclParser::ForStatementContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::ForStatementContext::IN() {
  return getToken(VclParser::IN, 0);
}

VclParser::ExpressionContext* VclParser::ForStatementContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::ForStatementContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}

VclParser::BlockContext* VclParser::ForStatementContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}


size_t VclParser::ForStatementContext::getRuleIndex() const {
  return VclParser::RuleForStatement;
}


VclParser::ForStatementContext* VclParser::forStatement() {
  ForStatementContext *_localctx = _tracker.createInstance<ForStatementContext>(_ctx, getState());
  enterRule(_localctx, 126, VclParser::RuleForStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(643);
    match(VclParser::FOR);
    setState(644);
    match(VclParser::LPAREN);
    setState(645);
    declaredName();
    setState(646);
    match(VclParser::IN);
    setState(647);
    expression();
    setState(648);
    match(VclParser::RPAREN);
    setState(649);
    block();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- CountStatementContext ------------------------------------------------------------------

VclParser::CountStatementContext::CountStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::CountStatementContext::COUNT() {
  return getToken(VclParser::COUNT, 0);
}

VclParser::DeclaredNameContext* VclParser::CountStatementContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::CountStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

VclParser::ArgumentsContext* VclParser::CountStatementContext::arguments() {
  return getRuleContext<VclParser::ArgumentsContext>(0);
}


size_t VclParser::CountStatementContext::getRuleIndex() const {
  return VclParser::RuleCountStatement;
}


VclParser::CountStatementContext* VclParser::countStatement() {
  CountStatementContext *_localctx = _tracker.createInstance<CountStatementContext>(_ctx, getState());
  enterRule(_localctx, 128, VclParser::RuleCountStatement);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(651);
    match(VclParser::COUNT);
    setState(652);
    declaredName();
    setState(654);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(653);
      arguments();
    }
    setState(656);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LogStatementContext ------------------------------------------------------------------

VclParser::LogStatementContext::LogStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::LogStatementContext::LOG() {
  return getToken(VclParser::LOG, 0);
}

tree::TerminalNode* VclParser::LogStatementContext::LBRACE() {
  return getToken(VclParser::LBRACE, 0);
}

tree::TerminalNode* VclParser::LogStatementContext::RBRACE() {
  return getToken(VclParser::RBRACE, 0);
}

tree::TerminalNode* VclParser::LogStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}

std::vector<VclParser::LogPairContext *> VclParser::LogStatementContext::logPair() {
  return getRuleContexts<VclParser::LogPairContext>();
}

VclParser::LogPairContext* VclParser::LogStatementContext::logPair(size_t i) {
  return getRuleContext<VclParser::LogPairContext>(i);
}

std::vector<tree::TerminalNode *> VclParser::LogStatementContext::COMMA() {
  return getTokens(VclParser::COMMA);
}

tree::TerminalNode* VclParser::LogStatementContext::COMMA(size_t i) {
  return getToken(VclParser::COMMA, i);
}


size_t VclParser::LogStatementContext::getRuleIndex() const {
  return VclParser::RuleLogStatement;
}


VclParser::LogStatementContext* VclParser::logStatement() {
  LogStatementContext *_localctx = _tracker.createInstance<LogStatementContext>(_ctx, getState());
  enterRule(_localctx, 130, VclParser::RuleLogStatement);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(658);
    match(VclParser::LOG);
    setState(659);
    match(VclParser::LBRACE);
    setState(670);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::IDENTIFIER) {
      setState(660);
      logPair();
      setState(667);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(661);
        match(VclParser::COMMA);
        setState(663);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::IDENTIFIER) {
          setState(662);
          logPair();
        }
        setState(669);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(672);
    match(VclParser::RBRACE);
    setState(673);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LogPairContext ------------------------------------------------------------------

VclParser::LogPairContext::LogPairContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::MemberNameContext* VclParser::LogPairContext::memberName() {
  return getRuleContext<VclParser::MemberNameContext>(0);
}

tree::TerminalNode* VclParser::LogPairContext::ASSIGN() {
  return getToken(VclParser::ASSIGN, 0);
}

VclParser::ExpressionContext* VclParser::LogPairContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}


size_t VclParser::LogPairContext::getRuleIndex() const {
  return VclParser::RuleLogPair;
}


VclParser::LogPairContext* VclParser::logPair() {
  LogPairContext *_localctx = _tracker.createInstance<LogPairContext>(_ctx, getState());
  enterRule(_localctx, 132, VclParser::RuleLogPair);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(675);
    memberName();
    setState(676);
    match(VclParser::ASSIGN);
    setState(677);
    expression();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- AllowStatementContext ------------------------------------------------------------------

VclParser::AllowStatementContext::AllowStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::AllowStatementContext::ALLOW() {
  return getToken(VclParser::ALLOW, 0);
}

VclParser::ArgumentsContext* VclParser::AllowStatementContext::arguments() {
  return getRuleContext<VclParser::ArgumentsContext>(0);
}

tree::TerminalNode* VclParser::AllowStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::AllowStatementContext::getRuleIndex() const {
  return VclParser::RuleAllowStatement;
}


VclParser::AllowStatementContext* VclParser::allowStatement() {
  AllowStatementContext *_localctx = _tracker.createInstance<AllowStatementContext>(_ctx, getState());
  enterRule(_localctx, 134, VclParser::RuleAllowStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(679);
    match(VclParser::ALLOW);
    setState(680);
    arguments();
    setState(681);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BuiltinStatementContext ------------------------------------------------------------------

VclParser::BuiltinStatementContext::BuiltinStatementContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::BuiltinStatementContext::BUILTIN() {
  return getToken(VclParser::BUILTIN, 0);
}

tree::TerminalNode* VclParser::BuiltinStatementContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::BuiltinStatementContext::getRuleIndex() const {
  return VclParser::RuleBuiltinStatement;
}


VclParser::BuiltinStatementContext* VclParser::builtinStatement() {
  BuiltinStatementContext *_localctx = _tracker.createInstance<BuiltinStatementContext>(_ctx, getState());
  enterRule(_localctx, 136, VclParser::RuleBuiltinStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(683);
    match(VclParser::BUILTIN);
    setState(684);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- InvariantContext ------------------------------------------------------------------

VclParser::InvariantContext::InvariantContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::InvariantContext::INVARIANT() {
  return getToken(VclParser::INVARIANT, 0);
}

VclParser::StringContext* VclParser::InvariantContext::string() {
  return getRuleContext<VclParser::StringContext>(0);
}

tree::TerminalNode* VclParser::InvariantContext::LBRACE() {
  return getToken(VclParser::LBRACE, 0);
}

VclParser::ExpressionContext* VclParser::InvariantContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::InvariantContext::RBRACE() {
  return getToken(VclParser::RBRACE, 0);
}


size_t VclParser::InvariantContext::getRuleIndex() const {
  return VclParser::RuleInvariant;
}


VclParser::InvariantContext* VclParser::invariant() {
  InvariantContext *_localctx = _tracker.createInstance<InvariantContext>(_ctx, getState());
  enterRule(_localctx, 138, VclParser::RuleInvariant);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(686);
    match(VclParser::INVARIANT);
    setState(687);
    string();
    setState(688);
    match(VclParser::LBRACE);
    setState(689);
    expression();
    setState(690);
    match(VclParser::RBRACE);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- LabelledContext ------------------------------------------------------------------

VclParser::LabelledContext::LabelledContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::AnnotationContext* VclParser::LabelledContext::annotation() {
  return getRuleContext<VclParser::AnnotationContext>(0);
}

VclParser::StatementContext* VclParser::LabelledContext::statement() {
  return getRuleContext<VclParser::StatementContext>(0);
}


size_t VclParser::LabelledContext::getRuleIndex() const {
  return VclParser::RuleLabelled;
}


VclParser::LabelledContext* VclParser::labelled() {
  LabelledContext *_localctx = _tracker.createInstance<LabelledContext>(_ctx, getState());
  enterRule(_localctx, 140, VclParser::RuleLabelled);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(692);
    annotation();
    setState(693);
    statement();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ExpressionContext ------------------------------------------------------------------

VclParser::ExpressionContext::ExpressionContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<VclParser::ConjunctionContext *> VclParser::ExpressionContext::conjunction() {
  return getRuleContexts<VclParser::ConjunctionContext>();
}

VclParser::ConjunctionContext* VclParser::ExpressionContext::conjunction(size_t i) {
  return getRuleContext<VclParser::ConjunctionContext>(i);
}

std::vector<tree::TerminalNode *> VclParser::ExpressionContext::OR() {
  return getTokens(VclParser::OR);
}

tree::TerminalNode* VclParser::ExpressionContext::OR(size_t i) {
  return getToken(VclParser::OR, i);
}


size_t VclParser::ExpressionContext::getRuleIndex() const {
  return VclParser::RuleExpression;
}


VclParser::ExpressionContext* VclParser::expression() {
  ExpressionContext *_localctx = _tracker.createInstance<ExpressionContext>(_ctx, getState());
  enterRule(_localctx, 142, VclParser::RuleExpression);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(695);
    conjunction();
    setState(700);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::OR) {
      setState(696);
      match(VclParser::OR);
      setState(697);
      conjunction();
      setState(702);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ConjunctionContext ------------------------------------------------------------------

VclParser::ConjunctionContext::ConjunctionContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<VclParser::NegationContext *> VclParser::ConjunctionContext::negation() {
  return getRuleContexts<VclParser::NegationContext>();
}

VclParser::NegationContext* VclParser::ConjunctionContext::negation(size_t i) {
  return getRuleContext<VclParser::NegationContext>(i);
}

std::vector<tree::TerminalNode *> VclParser::ConjunctionContext::AND() {
  return getTokens(VclParser::AND);
}

tree::TerminalNode* VclParser::ConjunctionContext::AND(size_t i) {
  return getToken(VclParser::AND, i);
}


size_t VclParser::ConjunctionContext::getRuleIndex() const {
  return VclParser::RuleConjunction;
}


VclParser::ConjunctionContext* VclParser::conjunction() {
  ConjunctionContext *_localctx = _tracker.createInstance<ConjunctionContext>(_ctx, getState());
  enterRule(_localctx, 144, VclParser::RuleConjunction);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(703);
    negation();
    setState(708);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::AND) {
      setState(704);
      match(VclParser::AND);
      setState(705);
      negation();
      setState(710);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NegationContext ------------------------------------------------------------------

VclParser::NegationContext::NegationContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::ComparisonContext* VclParser::NegationContext::comparison() {
  return getRuleContext<VclParser::ComparisonContext>(0);
}

std::vector<VclParser::NegatedContext *> VclParser::NegationContext::negated() {
  return getRuleContexts<VclParser::NegatedContext>();
}

VclParser::NegatedContext* VclParser::NegationContext::negated(size_t i) {
  return getRuleContext<VclParser::NegatedContext>(i);
}


size_t VclParser::NegationContext::getRuleIndex() const {
  return VclParser::RuleNegation;
}


VclParser::NegationContext* VclParser::negation() {
  NegationContext *_localctx = _tracker.createInstance<NegationContext>(_ctx, getState());
  enterRule(_localctx, 146, VclParser::RuleNegation);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(714);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::NOT) {
      setState(711);
      negated();
      setState(716);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(717);
    comparison();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ComparisonContext ------------------------------------------------------------------

VclParser::ComparisonContext::ComparisonContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<VclParser::ArithmeticContext *> VclParser::ComparisonContext::arithmetic() {
  return getRuleContexts<VclParser::ArithmeticContext>();
}

VclParser::ArithmeticContext* VclParser::ComparisonContext::arithmetic(size_t i) {
  return getRuleContext<VclParser::ArithmeticContext>(i);
}

std::vector<VclParser::ComparatorContext *> VclParser::ComparisonContext::comparator() {
  return getRuleContexts<VclParser::ComparatorContext>();
}

VclParser::ComparatorContext* VclParser::ComparisonContext::comparator(size_t i) {
  return getRuleContext<VclParser::ComparatorContext>(i);
}

std::vector<VclParser::PresenceContext *> VclParser::ComparisonContext::presence() {
  return getRuleContexts<VclParser::PresenceContext>();
}

VclParser::PresenceContext* VclParser::ComparisonContext::presence(size_t i) {
  return getRuleContext<VclParser::PresenceContext>(i);
}

std::vector<VclParser::CaptureContext *> VclParser::ComparisonContext::capture() {
  return getRuleContexts<VclParser::CaptureContext>();
}

VclParser::CaptureContext* VclParser::ComparisonContext::capture(size_t i) {
  return getRuleContext<VclParser::CaptureContext>(i);
}


size_t VclParser::ComparisonContext::getRuleIndex() const {
  return VclParser::RuleComparison;
}


VclParser::ComparisonContext* VclParser::comparison() {
  ComparisonContext *_localctx = _tracker.createInstance<ComparisonContext>(_ctx, getState());
  enterRule(_localctx, 148, VclParser::RuleComparison);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(719);
    arithmetic();
    setState(728);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 42) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 42)) & ((1ULL << (VclParser::IN - 42))
      | (1ULL << (VclParser::STARTS - 42))
      | (1ULL << (VclParser::ENDS - 42))
      | (1ULL << (VclParser::CONTAINS - 42))
      | (1ULL << (VclParser::IS - 42))
      | (1ULL << (VclParser::EQ - 42))
      | (1ULL << (VclParser::NE - 42))
      | (1ULL << (VclParser::LT - 42))
      | (1ULL << (VclParser::LE - 42))
      | (1ULL << (VclParser::GT - 42))
      | (1ULL << (VclParser::GE - 42))
      | (1ULL << (VclParser::MATCH - 42))
      | (1ULL << (VclParser::NO_MATCH - 42)))) != 0)) {
      setState(726);
      _errHandler->sync(this);
      switch (_input->LA(1)) {
        case VclParser::IN:
        case VclParser::STARTS:
        case VclParser::ENDS:
        case VclParser::CONTAINS:
        case VclParser::EQ:
        case VclParser::NE:
        case VclParser::LT:
        case VclParser::LE:
        case VclParser::GT:
        case VclParser::GE:
        case VclParser::MATCH:
        case VclParser::NO_MATCH: {
          setState(720);
          comparator();
          setState(721);
          arithmetic();
          setState(723);
          _errHandler->sync(this);

          _la = _input->LA(1);
          if (_la == VclParser::AS) {
            setState(722);
            capture();
          }
          break;
        }

        case VclParser::IS: {
          setState(725);
          presence();
          break;
        }

      default:
        throw NoViableAltException(this);
      }
      setState(730);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ComparatorContext ------------------------------------------------------------------

VclParser::ComparatorContext::ComparatorContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ComparatorContext::EQ() {
  return getToken(VclParser::EQ, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::NE() {
  return getToken(VclParser::NE, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::LT() {
  return getToken(VclParser::LT, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::LE() {
  return getToken(VclParser::LE, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::GT() {
  return getToken(VclParser::GT, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::GE() {
  return getToken(VclParser::GE, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::MATCH() {
  return getToken(VclParser::MATCH, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::NO_MATCH() {
  return getToken(VclParser::NO_MATCH, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::IN() {
  return getToken(VclParser::IN, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::STARTS() {
  return getToken(VclParser::STARTS, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::ENDS() {
  return getToken(VclParser::ENDS, 0);
}

tree::TerminalNode* VclParser::ComparatorContext::CONTAINS() {
  return getToken(VclParser::CONTAINS, 0);
}


size_t VclParser::ComparatorContext::getRuleIndex() const {
  return VclParser::RuleComparator;
}


VclParser::ComparatorContext* VclParser::comparator() {
  ComparatorContext *_localctx = _tracker.createInstance<ComparatorContext>(_ctx, getState());
  enterRule(_localctx, 150, VclParser::RuleComparator);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(731);
    _la = _input->LA(1);
    if (!(((((_la - 42) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 42)) & ((1ULL << (VclParser::IN - 42))
      | (1ULL << (VclParser::STARTS - 42))
      | (1ULL << (VclParser::ENDS - 42))
      | (1ULL << (VclParser::CONTAINS - 42))
      | (1ULL << (VclParser::EQ - 42))
      | (1ULL << (VclParser::NE - 42))
      | (1ULL << (VclParser::LT - 42))
      | (1ULL << (VclParser::LE - 42))
      | (1ULL << (VclParser::GT - 42))
      | (1ULL << (VclParser::GE - 42))
      | (1ULL << (VclParser::MATCH - 42))
      | (1ULL << (VclParser::NO_MATCH - 42)))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- CaptureContext ------------------------------------------------------------------

VclParser::CaptureContext::CaptureContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::CaptureContext::AS() {
  return getToken(VclParser::AS, 0);
}

VclParser::DeclaredNameContext* VclParser::CaptureContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}


size_t VclParser::CaptureContext::getRuleIndex() const {
  return VclParser::RuleCapture;
}


VclParser::CaptureContext* VclParser::capture() {
  CaptureContext *_localctx = _tracker.createInstance<CaptureContext>(_ctx, getState());
  enterRule(_localctx, 152, VclParser::RuleCapture);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(733);
    match(VclParser::AS);
    setState(734);
    declaredName();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- PresenceContext ------------------------------------------------------------------

VclParser::PresenceContext::PresenceContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::PresenceContext::IS() {
  return getToken(VclParser::IS, 0);
}

VclParser::MemberNameContext* VclParser::PresenceContext::memberName() {
  return getRuleContext<VclParser::MemberNameContext>(0);
}


size_t VclParser::PresenceContext::getRuleIndex() const {
  return VclParser::RulePresence;
}


VclParser::PresenceContext* VclParser::presence() {
  PresenceContext *_localctx = _tracker.createInstance<PresenceContext>(_ctx, getState());
  enterRule(_localctx, 154, VclParser::RulePresence);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(736);
    match(VclParser::IS);
    setState(737);
    memberName();

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ArithmeticContext ------------------------------------------------------------------

VclParser::ArithmeticContext::ArithmeticContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<VclParser::CoalesceContext *> VclParser::ArithmeticContext::coalesce() {
  return getRuleContexts<VclParser::CoalesceContext>();
}

VclParser::CoalesceContext* VclParser::ArithmeticContext::coalesce(size_t i) {
  return getRuleContext<VclParser::CoalesceContext>(i);
}

std::vector<VclParser::MinusContext *> VclParser::ArithmeticContext::minus() {
  return getRuleContexts<VclParser::MinusContext>();
}

VclParser::MinusContext* VclParser::ArithmeticContext::minus(size_t i) {
  return getRuleContext<VclParser::MinusContext>(i);
}

std::vector<VclParser::ArithmeticOpContext *> VclParser::ArithmeticContext::arithmeticOp() {
  return getRuleContexts<VclParser::ArithmeticOpContext>();
}

VclParser::ArithmeticOpContext* VclParser::ArithmeticContext::arithmeticOp(size_t i) {
  return getRuleContext<VclParser::ArithmeticOpContext>(i);
}


size_t VclParser::ArithmeticContext::getRuleIndex() const {
  return VclParser::RuleArithmetic;
}


VclParser::ArithmeticContext* VclParser::arithmetic() {
  ArithmeticContext *_localctx = _tracker.createInstance<ArithmeticContext>(_ctx, getState());
  enterRule(_localctx, 156, VclParser::RuleArithmetic);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(740);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::MINUS) {
      setState(739);
      minus();
    }
    setState(742);
    coalesce();
    setState(751);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 86) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 86)) & ((1ULL << (VclParser::PLUS - 86))
      | (1ULL << (VclParser::MINUS - 86))
      | (1ULL << (VclParser::STAR - 86))
      | (1ULL << (VclParser::SLASH - 86))
      | (1ULL << (VclParser::PERCENT - 86)))) != 0)) {
      setState(743);
      arithmeticOp();
      setState(745);
      _errHandler->sync(this);

      _la = _input->LA(1);
      if (_la == VclParser::MINUS) {
        setState(744);
        minus();
      }
      setState(747);
      coalesce();
      setState(753);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- CoalesceContext ------------------------------------------------------------------

VclParser::CoalesceContext::CoalesceContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<VclParser::PostfixContext *> VclParser::CoalesceContext::postfix() {
  return getRuleContexts<VclParser::PostfixContext>();
}

VclParser::PostfixContext* VclParser::CoalesceContext::postfix(size_t i) {
  return getRuleContext<VclParser::PostfixContext>(i);
}

std::vector<tree::TerminalNode *> VclParser::CoalesceContext::COALESCE() {
  return getTokens(VclParser::COALESCE);
}

tree::TerminalNode* VclParser::CoalesceContext::COALESCE(size_t i) {
  return getToken(VclParser::COALESCE, i);
}

std::vector<VclParser::MinusContext *> VclParser::CoalesceContext::minus() {
  return getRuleContexts<VclParser::MinusContext>();
}

VclParser::MinusContext* VclParser::CoalesceContext::minus(size_t i) {
  return getRuleContext<VclParser::MinusContext>(i);
}


size_t VclParser::CoalesceContext::getRuleIndex() const {
  return VclParser::RuleCoalesce;
}


VclParser::CoalesceContext* VclParser::coalesce() {
  CoalesceContext *_localctx = _tracker.createInstance<CoalesceContext>(_ctx, getState());
  enterRule(_localctx, 158, VclParser::RuleCoalesce);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(754);
    postfix();
    setState(762);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::COALESCE) {
      setState(755);
      match(VclParser::COALESCE);
      setState(757);
      _errHandler->sync(this);

      _la = _input->LA(1);
      if (_la == VclParser::MINUS) {
        setState(756);
        minus();
      }
      setState(759);
      postfix();
      setState(764);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ArithmeticOpContext ------------------------------------------------------------------

VclParser::ArithmeticOpContext::ArithmeticOpContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ArithmeticOpContext::PLUS() {
  return getToken(VclParser::PLUS, 0);
}

tree::TerminalNode* VclParser::ArithmeticOpContext::MINUS() {
  return getToken(VclParser::MINUS, 0);
}

tree::TerminalNode* VclParser::ArithmeticOpContext::STAR() {
  return getToken(VclParser::STAR, 0);
}

tree::TerminalNode* VclParser::ArithmeticOpContext::SLASH() {
  return getToken(VclParser::SLASH, 0);
}

tree::TerminalNode* VclParser::ArithmeticOpContext::PERCENT() {
  return getToken(VclParser::PERCENT, 0);
}


size_t VclParser::ArithmeticOpContext::getRuleIndex() const {
  return VclParser::RuleArithmeticOp;
}


VclParser::ArithmeticOpContext* VclParser::arithmeticOp() {
  ArithmeticOpContext *_localctx = _tracker.createInstance<ArithmeticOpContext>(_ctx, getState());
  enterRule(_localctx, 160, VclParser::RuleArithmeticOp);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(765);
    _la = _input->LA(1);
    if (!(((((_la - 86) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 86)) & ((1ULL << (VclParser::PLUS - 86))
      | (1ULL << (VclParser::MINUS - 86))
      | (1ULL << (VclParser::STAR - 86))
      | (1ULL << (VclParser::SLASH - 86))
      | (1ULL << (VclParser::PERCENT - 86)))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- MinusContext ------------------------------------------------------------------

VclParser::MinusContext::MinusContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::MinusContext::MINUS() {
  return getToken(VclParser::MINUS, 0);
}


size_t VclParser::MinusContext::getRuleIndex() const {
  return VclParser::RuleMinus;
}


VclParser::MinusContext* VclParser::minus() {
  MinusContext *_localctx = _tracker.createInstance<MinusContext>(_ctx, getState());
  enterRule(_localctx, 162, VclParser::RuleMinus);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(767);
    match(VclParser::MINUS);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- PostfixContext ------------------------------------------------------------------

VclParser::PostfixContext::PostfixContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

VclParser::NameContext* VclParser::PostfixContext::name() {
  return getRuleContext<VclParser::NameContext>(0);
}

VclParser::ArgumentsContext* VclParser::PostfixContext::arguments() {
  return getRuleContext<VclParser::ArgumentsContext>(0);
}

VclParser::SubscriptContext* VclParser::PostfixContext::subscript() {
  return getRuleContext<VclParser::SubscriptContext>(0);
}

std::vector<VclParser::MemberContext *> VclParser::PostfixContext::member() {
  return getRuleContexts<VclParser::MemberContext>();
}

VclParser::MemberContext* VclParser::PostfixContext::member(size_t i) {
  return getRuleContext<VclParser::MemberContext>(i);
}

VclParser::StringContext* VclParser::PostfixContext::string() {
  return getRuleContext<VclParser::StringContext>(0);
}

VclParser::NumberContext* VclParser::PostfixContext::number() {
  return getRuleContext<VclParser::NumberContext>(0);
}

VclParser::BlobContext* VclParser::PostfixContext::blob() {
  return getRuleContext<VclParser::BlobContext>(0);
}

VclParser::ParenthesisedContext* VclParser::PostfixContext::parenthesised() {
  return getRuleContext<VclParser::ParenthesisedContext>(0);
}

VclParser::ListLiteralContext* VclParser::PostfixContext::listLiteral() {
  return getRuleContext<VclParser::ListLiteralContext>(0);
}


size_t VclParser::PostfixContext::getRuleIndex() const {
  return VclParser::RulePostfix;
}


VclParser::PostfixContext* VclParser::postfix() {
  PostfixContext *_localctx = _tracker.createInstance<PostfixContext>(_ctx, getState());
  enterRule(_localctx, 164, VclParser::RulePostfix);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(795);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::IDENTIFIER: {
        enterOuterAlt(_localctx, 1);
        setState(769);
        name();
        setState(780);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::LPAREN

        || _la == VclParser::LBRACKET) {
          setState(772);
          _errHandler->sync(this);
          switch (_input->LA(1)) {
            case VclParser::LPAREN: {
              setState(770);
              arguments();
              break;
            }

            case VclParser::LBRACKET: {
              setState(771);
              subscript();
              break;
            }

          default:
            throw NoViableAltException(this);
          }
          setState(777);
          _errHandler->sync(this);
          _la = _input->LA(1);
          while (_la == VclParser::LBRACKET

          || _la == VclParser::DOT) {
            setState(774);
            member();
            setState(779);
            _errHandler->sync(this);
            _la = _input->LA(1);
          }
        }
        break;
      }

      case VclParser::NUMBER:
      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING:
      case VclParser::BLOB:
      case VclParser::LPAREN: {
        enterOuterAlt(_localctx, 2);
        setState(786);
        _errHandler->sync(this);
        switch (_input->LA(1)) {
          case VclParser::STRING:
          case VclParser::LONG_STRING:
          case VclParser::TRIPLE_STRING: {
            setState(782);
            string();
            break;
          }

          case VclParser::NUMBER: {
            setState(783);
            number();
            break;
          }

          case VclParser::BLOB: {
            setState(784);
            blob();
            break;
          }

          case VclParser::LPAREN: {
            setState(785);
            parenthesised();
            break;
          }

        default:
          throw NoViableAltException(this);
        }
        setState(791);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VclParser::LBRACKET

        || _la == VclParser::DOT) {
          setState(788);
          member();
          setState(793);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

      case VclParser::LBRACKET: {
        enterOuterAlt(_localctx, 3);
        setState(794);
        listLiteral();
        break;
      }

    default:
      throw NoViableAltException(this);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- MemberContext ------------------------------------------------------------------

VclParser::MemberContext::MemberContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::MemberContext::DOT() {
  return getToken(VclParser::DOT, 0);
}

VclParser::MemberNameContext* VclParser::MemberContext::memberName() {
  return getRuleContext<VclParser::MemberNameContext>(0);
}

VclParser::ArgumentsContext* VclParser::MemberContext::arguments() {
  return getRuleContext<VclParser::ArgumentsContext>(0);
}

VclParser::SubscriptContext* VclParser::MemberContext::subscript() {
  return getRuleContext<VclParser::SubscriptContext>(0);
}


size_t VclParser::MemberContext::getRuleIndex() const {
  return VclParser::RuleMember;
}


VclParser::MemberContext* VclParser::member() {
  MemberContext *_localctx = _tracker.createInstance<MemberContext>(_ctx, getState());
  enterRule(_localctx, 166, VclParser::RuleMember);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(803);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::DOT: {
        enterOuterAlt(_localctx, 1);
        setState(797);
        match(VclParser::DOT);
        setState(798);
        memberName();
        setState(800);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::LPAREN) {
          setState(799);
          arguments();
        }
        break;
      }

      case VclParser::LBRACKET: {
        enterOuterAlt(_localctx, 2);
        setState(802);
        subscript();
        break;
      }

    default:
      throw NoViableAltException(this);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- SubscriptContext ------------------------------------------------------------------

VclParser::SubscriptContext::SubscriptContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::SubscriptContext::LBRACKET() {
  return getToken(VclParser::LBRACKET, 0);
}

VclParser::ExpressionContext* VclParser::SubscriptContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::SubscriptContext::RBRACKET() {
  return getToken(VclParser::RBRACKET, 0);
}


size_t VclParser::SubscriptContext::getRuleIndex() const {
  return VclParser::RuleSubscript;
}


VclParser::SubscriptContext* VclParser::subscript() {
  SubscriptContext *_localctx = _tracker.createInstance<SubscriptContext>(_ctx, getState());
  enterRule(_localctx, 168, VclParser::RuleSubscript);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(805);
    match(VclParser::LBRACKET);
    setState(806);
    expression();
    setState(807);
    match(VclParser::RBRACKET);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ListLiteralContext ------------------------------------------------------------------

VclParser::ListLiteralContext::ListLiteralContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ListLiteralContext::LBRACKET() {
  return getToken(VclParser::LBRACKET, 0);
}

tree::TerminalNode* VclParser::ListLiteralContext::RBRACKET() {
  return getToken(VclParser::RBRACKET, 0);
}

std::vector<VclParser::ExpressionContext *> VclParser::ListLiteralContext::expression() {
  return getRuleContexts<VclParser::ExpressionContext>();
}

VclParser::ExpressionContext* VclParser::ListLiteralContext::expression(size_t i) {
  return getRuleContext<VclParser::ExpressionContext>(i);
}

std::vector<tree::TerminalNode *> VclParser::ListLiteralContext::COMMA() {
  return getTokens(VclParser::COMMA);
}

tree::TerminalNode* VclParser::ListLiteralContext::COMMA(size_t i) {
  return getToken(VclParser::COMMA, i);
}


size_t VclParser::ListLiteralContext::getRuleIndex() const {
  return VclParser::RuleListLiteral;
}


VclParser::ListLiteralContext* VclParser::listLiteral() {
  ListLiteralContext *_localctx = _tracker.createInstance<ListLiteralContext>(_ctx, getState());
  enterRule(_localctx, 170, VclParser::RuleListLiteral);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(809);
    match(VclParser::LBRACKET);
    setState(820);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (((((_la - 47) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 47)) & ((1ULL << (VclParser::IDENTIFIER - 47))
      | (1ULL << (VclParser::NUMBER - 47))
      | (1ULL << (VclParser::STRING - 47))
      | (1ULL << (VclParser::LONG_STRING - 47))
      | (1ULL << (VclParser::TRIPLE_STRING - 47))
      | (1ULL << (VclParser::BLOB - 47))
      | (1ULL << (VclParser::LPAREN - 47))
      | (1ULL << (VclParser::LBRACKET - 47))
      | (1ULL << (VclParser::NOT - 47))
      | (1ULL << (VclParser::MINUS - 47)))) != 0)) {
      setState(810);
      expression();
      setState(817);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(811);
        match(VclParser::COMMA);
        setState(813);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (((((_la - 47) & ~ 0x3fULL) == 0) &&
          ((1ULL << (_la - 47)) & ((1ULL << (VclParser::IDENTIFIER - 47))
          | (1ULL << (VclParser::NUMBER - 47))
          | (1ULL << (VclParser::STRING - 47))
          | (1ULL << (VclParser::LONG_STRING - 47))
          | (1ULL << (VclParser::TRIPLE_STRING - 47))
          | (1ULL << (VclParser::BLOB - 47))
          | (1ULL << (VclParser::LPAREN - 47))
          | (1ULL << (VclParser::LBRACKET - 47))
          | (1ULL << (VclParser::NOT - 47))
          | (1ULL << (VclParser::MINUS - 47)))) != 0)) {
          setState(812);
          expression();
        }
        setState(819);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(822);
    match(VclParser::RBRACKET);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- MemberNameContext ------------------------------------------------------------------

VclParser::MemberNameContext::MemberNameContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::MemberNameContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}


size_t VclParser::MemberNameContext::getRuleIndex() const {
  return VclParser::RuleMemberName;
}


VclParser::MemberNameContext* VclParser::memberName() {
  MemberNameContext *_localctx = _tracker.createInstance<MemberNameContext>(_ctx, getState());
  enterRule(_localctx, 172, VclParser::RuleMemberName);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(824);
    match(VclParser::IDENTIFIER);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ParenthesisedContext ------------------------------------------------------------------

VclParser::ParenthesisedContext::ParenthesisedContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ParenthesisedContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

VclParser::ExpressionContext* VclParser::ParenthesisedContext::expression() {
  return getRuleContext<VclParser::ExpressionContext>(0);
}

tree::TerminalNode* VclParser::ParenthesisedContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}


size_t VclParser::ParenthesisedContext::getRuleIndex() const {
  return VclParser::RuleParenthesised;
}


VclParser::ParenthesisedContext* VclParser::parenthesised() {
  ParenthesisedContext *_localctx = _tracker.createInstance<ParenthesisedContext>(_ctx, getState());
  enterRule(_localctx, 174, VclParser::RuleParenthesised);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(826);
    match(VclParser::LPAREN);
    setState(827);
    expression();
    setState(828);
    match(VclParser::RPAREN);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ArgumentsContext ------------------------------------------------------------------

VclParser::ArgumentsContext::ArgumentsContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::ArgumentsContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

tree::TerminalNode* VclParser::ArgumentsContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
}

std::vector<VclParser::ArgumentContext *> VclParser::ArgumentsContext::argument() {
  return getRuleContexts<VclParser::ArgumentContext>();
}

VclParser::ArgumentContext* VclParser::ArgumentsContext::argument(size_t i) {
  return getRuleContext<VclParser::ArgumentContext>(i);
}

std::vector<tree::TerminalNode *> VclParser::ArgumentsContext::COMMA() {
  return getTokens(VclParser::COMMA);
}

tree::TerminalNode* VclParser::ArgumentsContext::COMMA(size_t i) {
  return getToken(VclParser::COMMA, i);
}


size_t VclParser::ArgumentsContext::getRuleIndex() const {
  return VclParser::RuleArguments;
}


VclParser::ArgumentsContext* VclParser::arguments() {
  ArgumentsContext *_localctx = _tracker.createInstance<ArgumentsContext>(_ctx, getState());
  enterRule(_localctx, 176, VclParser::RuleArguments);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(830);
    match(VclParser::LPAREN);
    setState(841);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (((((_la - 47) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 47)) & ((1ULL << (VclParser::IDENTIFIER - 47))
      | (1ULL << (VclParser::NUMBER - 47))
      | (1ULL << (VclParser::STRING - 47))
      | (1ULL << (VclParser::LONG_STRING - 47))
      | (1ULL << (VclParser::TRIPLE_STRING - 47))
      | (1ULL << (VclParser::BLOB - 47))
      | (1ULL << (VclParser::LPAREN - 47))
      | (1ULL << (VclParser::LBRACKET - 47))
      | (1ULL << (VclParser::NOT - 47))
      | (1ULL << (VclParser::MINUS - 47)))) != 0)) {
      setState(831);
      argument();
      setState(838);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(832);
        match(VclParser::COMMA);
        setState(834);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (((((_la - 47) & ~ 0x3fULL) == 0) &&
          ((1ULL << (_la - 47)) & ((1ULL << (VclParser::IDENTIFIER - 47))
          | (1ULL << (VclParser::NUMBER - 47))
          | (1ULL << (VclParser::STRING - 47))
          | (1ULL << (VclParser::LONG_STRING - 47))
          | (1ULL << (VclParser::TRIPLE_STRING - 47))
          | (1ULL << (VclParser::BLOB - 47))
          | (1ULL << (VclParser::LPAREN - 47))
          | (1ULL << (VclParser::LBRACKET - 47))
          | (1ULL << (VclParser::NOT - 47))
          | (1ULL << (VclParser::MINUS - 47)))) != 0)) {
          setState(833);
          argument();
        }
        setState(840);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(843);
    match(VclParser::RPAREN);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- ArgumentContext ------------------------------------------------------------------

VclParser::ArgumentContext::ArgumentContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<VclParser::ExpressionContext *> VclParser::ArgumentContext::expression() {
  return getRuleContexts<VclParser::ExpressionContext>();
}

VclParser::ExpressionContext* VclParser::ArgumentContext::expression(size_t i) {
  return getRuleContext<VclParser::ExpressionContext>(i);
}

tree::TerminalNode* VclParser::ArgumentContext::ASSIGN() {
  return getToken(VclParser::ASSIGN, 0);
}


size_t VclParser::ArgumentContext::getRuleIndex() const {
  return VclParser::RuleArgument;
}


VclParser::ArgumentContext* VclParser::argument() {
  ArgumentContext *_localctx = _tracker.createInstance<ArgumentContext>(_ctx, getState());
  enterRule(_localctx, 178, VclParser::RuleArgument);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(845);
    expression();
    setState(848);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::ASSIGN) {
      setState(846);
      match(VclParser::ASSIGN);
      setState(847);
      expression();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NameContext ------------------------------------------------------------------

VclParser::NameContext::NameContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<tree::TerminalNode *> VclParser::NameContext::IDENTIFIER() {
  return getTokens(VclParser::IDENTIFIER);
}

tree::TerminalNode* VclParser::NameContext::IDENTIFIER(size_t i) {
  return getToken(VclParser::IDENTIFIER, i);
}

std::vector<tree::TerminalNode *> VclParser::NameContext::DOT() {
  return getTokens(VclParser::DOT);
}

tree::TerminalNode* VclParser::NameContext::DOT(size_t i) {
  return getToken(VclParser::DOT, i);
}

std::vector<tree::TerminalNode *> VclParser::NameContext::STRING() {
  return getTokens(VclParser::STRING);
}

tree::TerminalNode* VclParser::NameContext::STRING(size_t i) {
  return getToken(VclParser::STRING, i);
}


size_t VclParser::NameContext::getRuleIndex() const {
  return VclParser::RuleName;
}


VclParser::NameContext* VclParser::name() {
  NameContext *_localctx = _tracker.createInstance<NameContext>(_ctx, getState());
  enterRule(_localctx, 180, VclParser::RuleName);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(850);
    match(VclParser::IDENTIFIER);
    setState(855);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::DOT) {
      setState(851);
      match(VclParser::DOT);
      setState(852);
      _la = _input->LA(1);
      if (!(_la == VclParser::IDENTIFIER

      || _la == VclParser::STRING)) {
      _errHandler->recoverInline(this);
      }
      else {
        _errHandler->reportMatch(this);
        consume();
      }
      setState(857);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- NumberContext ------------------------------------------------------------------

VclParser::NumberContext::NumberContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::NumberContext::NUMBER() {
  return getToken(VclParser::NUMBER, 0);
}

tree::TerminalNode* VclParser::NumberContext::IDENTIFIER() {
  return getToken(VclParser::IDENTIFIER, 0);
}


size_t VclParser::NumberContext::getRuleIndex() const {
  return VclParser::RuleNumber;
}


VclParser::NumberContext* VclParser::number() {
  NumberContext *_localctx = _tracker.createInstance<NumberContext>(_ctx, getState());
  enterRule(_localctx, 182, VclParser::RuleNumber);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(858);
    match(VclParser::NUMBER);
    setState(860);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::IDENTIFIER) {
      setState(859);
      match(VclParser::IDENTIFIER);
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- StringContext ------------------------------------------------------------------

VclParser::StringContext::StringContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::StringContext::STRING() {
  return getToken(VclParser::STRING, 0);
}

tree::TerminalNode* VclParser::StringContext::LONG_STRING() {
  return getToken(VclParser::LONG_STRING, 0);
}

tree::TerminalNode* VclParser::StringContext::TRIPLE_STRING() {
  return getToken(VclParser::TRIPLE_STRING, 0);
}


size_t VclParser::StringContext::getRuleIndex() const {
  return VclParser::RuleString;
}


VclParser::StringContext* VclParser::string() {
  StringContext *_localctx = _tracker.createInstance<StringContext>(_ctx, getState());
  enterRule(_localctx, 184, VclParser::RuleString);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(862);
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::STRING)
      | (1ULL << VclParser::LONG_STRING)
      | (1ULL << VclParser::TRIPLE_STRING))) != 0))) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- BlobContext ------------------------------------------------------------------

VclParser::BlobContext::BlobContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::BlobContext::BLOB() {
  return getToken(VclParser::BLOB, 0);
}


size_t VclParser::BlobContext::getRuleIndex() const {
  return VclParser::RuleBlob;
}


VclParser::BlobContext* VclParser::blob() {
  BlobContext *_localctx = _tracker.createInstance<BlobContext>(_ctx, getState());
  enterRule(_localctx, 186, VclParser::RuleBlob);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(864);
    match(VclParser::BLOB);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

void VclParser::initialize() {
  std::call_once(vclparserParserOnceFlag, vclparserParserInitialize);
}
