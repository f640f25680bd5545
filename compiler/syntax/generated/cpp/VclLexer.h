
// Generated from VclLexer.g4 by ANTLR 4.9.1

#pragma once


#include "antlr4-runtime.h"


namespace vernis {


class  VclLexer : public antlr4::Lexer {
public:
  enum {
    VCL = 1, BACKEND = 2, PROBE = 3, ACL = 4, SUB = 5, IMPORT = 6, SET = 7,
    UNSET = 8, CALL = 9, RETURN = 10, IF = 11, NEW = 12, ELSE = 13, ELSEIF = 14,
    FROM = 15, AS = 16, NONE = 17, INCLUDE = 18, IDENTIFIER = 19, NUMBER = 20,
    STRING = 21, UNCLOSED_STRING = 22, LONG_STRING = 23, TRIPLE_STRING = 24,
    BLOB = 25, INLINE_C = 26, LBRACE = 27, RBRACE = 28, LPAREN = 29, RPAREN = 30,
    LBRACKET = 31, RBRACKET = 32, SEMI = 33, COMMA = 34, DOT = 35, ASSIGN = 36,
    ADD_ASSIGN = 37, SUB_ASSIGN = 38, MUL_ASSIGN = 39, DIV_ASSIGN = 40,
    EQ = 41, NE = 42, LT = 43, LE = 44, GT = 45, GE = 46, MATCH = 47, NO_MATCH = 48,
    NOT = 49, AND = 50, OR = 51, PLUS = 52, MINUS = 53, STAR = 54, SLASH = 55,
    PERCENT = 56, DOUBLE_PLUS = 57, DOUBLE_MINUS = 58, LINE_COMMENT = 59,
    BLOCK_COMMENT = 60, SPACE = 61, UNKNOWN = 62
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
