
// Generated from VclLexer.g4 by ANTLR 4.9.1

#pragma once


#include "antlr4-runtime.h"


namespace vernis {


class  VclLexer : public antlr4::Lexer {
public:
  enum {
    VCL = 1, BACKEND = 2, PROBE = 3, ACL = 4, SUB = 5, IMPORT = 6, SET = 7,
    UNSET = 8, CALL = 9, RETURN = 10, IF = 11, NEW = 12, ELSE = 13, ELSEIF = 14,
    FROM = 15, AS = 16, NONE = 17, INCLUDE = 18, TEST = 19, IDENTIFIER = 20,
    NUMBER = 21, STRING = 22, UNCLOSED_STRING = 23, LONG_STRING = 24, TRIPLE_STRING = 25,
    BLOB = 26, INLINE_C = 27, LBRACE = 28, RBRACE = 29, LPAREN = 30, RPAREN = 31,
    LBRACKET = 32, RBRACKET = 33, SEMI = 34, COMMA = 35, DOT = 36, ASSIGN = 37,
    ADD_ASSIGN = 38, SUB_ASSIGN = 39, MUL_ASSIGN = 40, DIV_ASSIGN = 41,
    EQ = 42, NE = 43, LT = 44, LE = 45, GT = 46, GE = 47, MATCH = 48, NO_MATCH = 49,
    NOT = 50, AND = 51, OR = 52, PLUS = 53, MINUS = 54, STAR = 55, SLASH = 56,
    PERCENT = 57, DOUBLE_PLUS = 58, DOUBLE_MINUS = 59, LINE_COMMENT = 60,
    BLOCK_COMMENT = 61, SPACE = 62, UNKNOWN = 63
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
