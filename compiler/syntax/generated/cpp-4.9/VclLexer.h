
// Generated from VclLexer.g4 by ANTLR 4.9.1

#pragma once


#include "antlr4-runtime.h"


namespace vernis {


class  VclLexer : public antlr4::Lexer {
public:
  enum {
    VCL = 1, BACKEND = 2, PROBE = 3, ACL = 4, SUB = 5, IMPORT = 6, SET = 7,
    UNSET = 8, CALL = 9, RETURN = 10, IF = 11, NEW = 12, PROCEDURE = 13,
    TEXT_SET = 14, CONST = 15, PARAM = 16, FN = 17, TABLE = 18, COUNTER = 19,
    BUDGET = 20, LET = 21, SWITCH = 22, CASE = 23, FOR = 24, COUNT = 25,
    LOG = 26, ALLOW = 27, BUILTIN = 28, INVARIANT = 29, GIVE = 30, ELSE = 31,
    ELSEIF = 32, FROM = 33, AS = 34, NONE = 35, INCLUDE = 36, TEST = 37,
    MUT = 38, BY = 39, COLUMNS = 40, DEFAULT = 41, IN = 42, STARTS = 43,
    ENDS = 44, CONTAINS = 45, IS = 46, IDENTIFIER = 47, NUMBER = 48, STRING = 49,
    UNCLOSED_STRING = 50, LONG_STRING = 51, TRIPLE_STRING = 52, BLOB = 53,
    INLINE_C = 54, LBRACE = 55, RBRACE = 56, LPAREN = 57, RPAREN = 58, LBRACKET = 59,
    RBRACKET = 60, SEMI = 61, COMMA = 62, DOT = 63, COLON = 64, QUESTION = 65,
    AT = 66, ARROW = 67, MAPS_TO = 68, ASSIGN = 69, ADD_ASSIGN = 70, SUB_ASSIGN = 71,
    MUL_ASSIGN = 72, DIV_ASSIGN = 73, EQ = 74, NE = 75, LT = 76, LE = 77,
    GT = 78, GE = 79, MATCH = 80, NO_MATCH = 81, NOT = 82, COALESCE = 83,
    AND = 84, OR = 85, PLUS = 86, MINUS = 87, STAR = 88, SLASH = 89, PERCENT = 90,
    DOUBLE_PLUS = 91, DOUBLE_MINUS = 92, LINE_COMMENT = 93, BLOCK_COMMENT = 94,
    SPACE = 95, UNKNOWN = 96
  };

  explicit VclLexer(antlr4::CharStream *input);
  ~VclLexer();

  virtual std::string getGrammarFileName() const override;
  virtual const std::vector<std::string>& getRuleNames() const override;

  virtual const std::vector<std::string>& getChannelNames() const override;
  virtual const std::vector<std::string>& getModeNames() const override;
  virtual const std::vector<std::string>& getTokenNames() const override; // deprecated, use vocabulary instead
  virtual antlr4::dfa::Vocabulary& getVocabulary() const override;

  virtual const std::vector<uint16_t> getSerializedATN() const override;
  virtual const antlr4::atn::ATN& getATN() const override;

private:
  static std::vector<antlr4::dfa::DFA> _decisionToDFA;
  static antlr4::atn::PredictionContextCache _sharedContextCache;
  static std::vector<std::string> _ruleNames;
  static std::vector<std::string> _tokenNames;
  static std::vector<std::string> _channelNames;
  static std::vector<std::string> _modeNames;

  static std::vector<std::string> _literalNames;
  static std::vector<std::string> _symbolicNames;
  static antlr4::dfa::Vocabulary _vocabulary;
  static antlr4::atn::ATN _atn;
  static std::vector<uint16_t> _serializedATN;


  // Individual action functions triggered by action() above.

  // Individual semantic predicate functions triggered by sempred() above.

  struct Initializer {
    Initializer();
  };
  static Initializer _init;
};

}  // namespace vernis
