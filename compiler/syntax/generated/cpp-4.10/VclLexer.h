
// Generated from VclLexer.g4 by ANTLR 4.10.1

#pragma once


#include "antlr4-runtime.h"


namespace vernis {


class  VclLexer : public antlr4::Lexer {
public:
  enum {
    VCL = 1, BACKEND = 2, PROBE = 3, ACL = 4, SUB = 5, IMPORT = 6, SET = 7,
    UNSET = 8, CALL = 9, RETURN = 10, IF = 11, NEW = 12, PROCEDURE = 13,
    TEXT_SET = 14, CONST = 15, PARAM = 16, FN = 17, TABLE = 18, COUNTER = 19,
    BUDGET = 20, CACHING = 21, LET = 22, SWITCH = 23, CASE = 24, FOR = 25,
    COUNT = 26, LOG = 27, ALLOW = 28, BUILTIN = 29, INVARIANT = 30, GIVE = 31,
    ELSE = 32, ELSEIF = 33, FROM = 34, AS = 35, NONE = 36, INCLUDE = 37,
    TEST = 38, MUT = 39, BY = 40, COLUMNS = 41, DEFAULT = 42, IN = 43, STARTS = 44,
    ENDS = 45, CONTAINS = 46, IS = 47, IS_NOT = 48, IDENTIFIER = 49, NUMBER = 50,
    STRING = 51, UNCLOSED_STRING = 52, LONG_STRING = 53, TRIPLE_STRING = 54,
    BLOB = 55, INLINE_C = 56, LBRACE = 57, RBRACE = 58, LPAREN = 59, RPAREN = 60,
    LBRACKET = 61, RBRACKET = 62, SEMI = 63, COMMA = 64, DOT = 65, COLON = 66,
    QUESTION = 67, AT = 68, ARROW = 69, MAPS_TO = 70, ASSIGN = 71, ADD_ASSIGN = 72,
    SUB_ASSIGN = 73, MUL_ASSIGN = 74, DIV_ASSIGN = 75, EQ = 76, NE = 77,
    LT = 78, LE = 79, GT = 80, GE = 81, MATCH = 82, NO_MATCH = 83, NOT = 84,
    COALESCE = 85, AND = 86, OR = 87, PLUS = 88, MINUS = 89, STAR = 90,
    SLASH = 91, PERCENT = 92, DOUBLE_PLUS = 93, DOUBLE_MINUS = 94, LINE_COMMENT = 95,
    BLOCK_COMMENT = 96, SPACE = 97, UNKNOWN = 98
  };

  explicit VclLexer(antlr4::CharStream *input);

  ~VclLexer() override;


  std::string getGrammarFileName() const override;

  const std::vector<std::string>& getRuleNames() const override;

  const std::vector<std::string>& getChannelNames() const override;

  const std::vector<std::string>& getModeNames() const override;

  const antlr4::dfa::Vocabulary& getVocabulary() const override;

  antlr4::atn::SerializedATNView getSerializedATN() const override;

  const antlr4::atn::ATN& getATN() const override;

  // By default the static state used to implement the lexer is lazily initialized during the first
  // call to the constructor. You can call this function if you wish to initialize the static state
  // ahead of time.
  static void initialize();

private:

  // Individual action functions triggered by action() above.

  // Individual semantic predicate functions triggered by sempred() above.

};

}  // namespace vernis
