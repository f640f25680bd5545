
// Generated from VclParser.g4 by ANTLR 4.9.1

#pragma once


#include "antlr4-runtime.h"


namespace vernis {


class  VclParser : public antlr4::Parser {
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

  enum {
    RuleProgram = 0, RuleDeclaration = 1, RuleVersion = 2, RuleBackend = 3,
    RuleNone = 4, RuleProbe = 5, RuleProperties = 6, RuleField = 7, RuleFieldName = 8,
    RuleAcl = 9, RuleAclEntries = 10, RuleAclFlag = 11, RuleAclEntry = 12,
    RuleOptionalAddress = 13, RuleAclAddress = 14, RuleNegated = 15, RuleMaskBits = 16,
    RuleSubroutine = 17, RuleTestCase = 18, RuleImportModule = 19, RuleImportAlias = 20,
    RuleDeclaredName = 21, RuleInlineC = 22, RuleBlock = 23, RuleStatement = 24,
    RuleSetStatement = 25, RuleAssignment = 26, RuleUnsetStatement = 27,
    RuleCallStatement = 28, RuleReturnStatement = 29, RuleAction = 30, RuleNewStatement = 31,
    RuleFunctionStatement = 32, RuleIfStatement = 33, RuleIfArm = 34, RuleElseArm = 35,
    RuleCondition = 36, RuleExpression = 37, RuleConjunction = 38, RuleNegation = 39,
    RuleComparison = 40, RuleComparator = 41, RuleArithmetic = 42, RuleArithmeticOp = 43,
    RuleMinus = 44, RulePostfix = 45, RuleMember = 46, RuleMemberName = 47,
    RuleParenthesised = 48, RuleArguments = 49, RuleArgument = 50, RuleName = 51,
    RuleNumber = 52, RuleString = 53, RuleBlob = 54
  };

  explicit VclParser(antlr4::TokenStream *input);
  ~VclParser();

  virtual std::string getGrammarFileName() const override;
  virtual const antlr4::atn::ATN& getATN() const override { return _atn; };
  virtual const std::vector<std::string>& getTokenNames() const override { return _tokenNames; }; // deprecated: use vocabulary instead.
  virtual const std::vector<std::string>& getRuleNames() const override;
  virtual antlr4::dfa::Vocabulary& getVocabulary() const override;


  class ProgramContext;
  class DeclarationContext;
  class VersionContext;
  class BackendContext;
  class NoneContext;
  class ProbeContext;
  class PropertiesContext;
  class FieldContext;
  class FieldNameContext;
  class AclContext;
  class AclEntriesContext;
  class AclFlagContext;
  class AclEntryContext;
  class OptionalAddressContext;
  class AclAddressContext;
  class NegatedContext;
  class MaskBitsContext;
  class SubroutineContext;
  class TestCaseContext;
  class ImportModuleContext;
  class ImportAliasContext;
  class DeclaredNameContext;
  class InlineCContext;
  class BlockContext;
  class StatementContext;
  class SetStatementContext;
  class AssignmentContext;
  class UnsetStatementContext;
  class CallStatementContext;
  class ReturnStatementContext;
  class ActionContext;
  class NewStatementContext;
  class FunctionStatementContext;
  class IfStatementContext;
  class IfArmContext;
  class ElseArmContext;
  class ConditionContext;
  class ExpressionContext;
  class ConjunctionContext;
  class NegationContext;
  class ComparisonContext;
  class ComparatorContext;
  class ArithmeticContext;
  class ArithmeticOpContext;
  class MinusContext;
  class PostfixContext;
  class MemberContext;
  class MemberNameContext;
  class ParenthesisedContext;
  class ArgumentsContext;
  class ArgumentContext;
  class NameContext;
  class NumberContext;
  class StringContext;
  class BlobContext;

  class  ProgramContext : public antlr4::ParserRuleContext {
  public:
    ProgramContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *EOF();
    std::vector<DeclarationContext *> declaration();
    DeclarationContext* declaration(size_t i);


  };

  ProgramContext* program();

  class  DeclarationContext : public antlr4::ParserRuleContext {
  public:
    DeclarationContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    VersionContext *version();
    BackendContext *backend();
    ProbeContext *probe();
    AclContext *acl();
    SubroutineContext *subroutine();
    ImportModuleContext *importModule();
    InlineCContext *inlineC();
    TestCaseContext *testCase();


  };

  DeclarationContext* declaration();

  class  VersionContext : public antlr4::ParserRuleContext {
  public:
    VersionContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *VCL();
    antlr4::tree::TerminalNode *NUMBER();
    antlr4::tree::TerminalNode *SEMI();


  };

  VersionContext* version();

  class  BackendContext : public antlr4::ParserRuleContext {
  public:
    BackendContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *BACKEND();
    DeclaredNameContext *declaredName();
    NoneContext *none();
    antlr4::tree::TerminalNode *SEMI();
    PropertiesContext *properties();


  };

  BackendContext* backend();

  class  NoneContext : public antlr4::ParserRuleContext {
  public:
    NoneContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *NONE();


  };

  NoneContext* none();

  class  ProbeContext : public antlr4::ParserRuleContext {
  public:
    ProbeContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *PROBE();
    DeclaredNameContext *declaredName();
    PropertiesContext *properties();


  };

  ProbeContext* probe();

  class  PropertiesContext : public antlr4::ParserRuleContext {
  public:
    PropertiesContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LBRACE();
    antlr4::tree::TerminalNode *RBRACE();
    std::vector<FieldContext *> field();
    FieldContext* field(size_t i);


  };

  PropertiesContext* properties();

  class  FieldContext : public antlr4::ParserRuleContext {
  public:
    FieldContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *DOT();
    FieldNameContext *fieldName();
    antlr4::tree::TerminalNode *ASSIGN();
    PropertiesContext *properties();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *SEMI();
    std::vector<StringContext *> string();
    StringContext* string(size_t i);


  };

  FieldContext* field();

  class  FieldNameContext : public antlr4::ParserRuleContext {
  public:
    FieldNameContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();


  };

  FieldNameContext* fieldName();

  class  AclContext : public antlr4::ParserRuleContext {
  public:
    AclContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ACL();
    DeclaredNameContext *declaredName();
    AclEntriesContext *aclEntries();
    std::vector<AclFlagContext *> aclFlag();
    AclFlagContext* aclFlag(size_t i);


  };

  AclContext* acl();

  class  AclEntriesContext : public antlr4::ParserRuleContext {
  public:
    AclEntriesContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LBRACE();
    antlr4::tree::TerminalNode *RBRACE();
    std::vector<AclEntryContext *> aclEntry();
    AclEntryContext* aclEntry(size_t i);


  };

  AclEntriesContext* aclEntries();

  class  AclFlagContext : public antlr4::ParserRuleContext {
  public:
    AclFlagContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();
    antlr4::tree::TerminalNode *PLUS();
    antlr4::tree::TerminalNode *MINUS();


  };

  AclFlagContext* aclFlag();

  class  AclEntryContext : public antlr4::ParserRuleContext {
  public:
    AclEntryContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *SEMI();
    OptionalAddressContext *optionalAddress();
    AclAddressContext *aclAddress();
    NegatedContext *negated();


  };

  AclEntryContext* aclEntry();

  class  OptionalAddressContext : public antlr4::ParserRuleContext {
  public:
    OptionalAddressContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LPAREN();
    AclAddressContext *aclAddress();
    antlr4::tree::TerminalNode *RPAREN();
    NegatedContext *negated();


  };

  OptionalAddressContext* optionalAddress();

  class  AclAddressContext : public antlr4::ParserRuleContext {
  public:
    AclAddressContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    StringContext *string();
    antlr4::tree::TerminalNode *SLASH();
    MaskBitsContext *maskBits();


  };

  AclAddressContext* aclAddress();

  class  NegatedContext : public antlr4::ParserRuleContext {
  public:
    NegatedContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *NOT();


  };

  NegatedContext* negated();

  class  MaskBitsContext : public antlr4::ParserRuleContext {
  public:
    MaskBitsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *NUMBER();


  };

  MaskBitsContext* maskBits();

  class  SubroutineContext : public antlr4::ParserRuleContext {
  public:
    SubroutineContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *SUB();
    DeclaredNameContext *declaredName();
    BlockContext *block();


  };

  SubroutineContext* subroutine();

  class  TestCaseContext : public antlr4::ParserRuleContext {
  public:
    TestCaseContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *TEST();
    StringContext *string();
    BlockContext *block();


  };

  TestCaseContext* testCase();

  class  ImportModuleContext : public antlr4::ParserRuleContext {
  public:
    ImportModuleContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IMPORT();
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *SEMI();
    antlr4::tree::TerminalNode *AS();
    ImportAliasContext *importAlias();
    antlr4::tree::TerminalNode *FROM();
    StringContext *string();


  };

  ImportModuleContext* importModule();

  class  ImportAliasContext : public antlr4::ParserRuleContext {
  public:
    ImportAliasContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();


  };

  ImportAliasContext* importAlias();

  class  DeclaredNameContext : public antlr4::ParserRuleContext {
  public:
    DeclaredNameContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();


  };

  DeclaredNameContext* declaredName();

  class  InlineCContext : public antlr4::ParserRuleContext {
  public:
    InlineCContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *INLINE_C();


  };

  InlineCContext* inlineC();

  class  BlockContext : public antlr4::ParserRuleContext {
  public:
    BlockContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LBRACE();
    antlr4::tree::TerminalNode *RBRACE();
    std::vector<StatementContext *> statement();
    StatementContext* statement(size_t i);


  };

  BlockContext* block();

  class  StatementContext : public antlr4::ParserRuleContext {
  public:
    StatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    SetStatementContext *setStatement();
    UnsetStatementContext *unsetStatement();
    CallStatementContext *callStatement();
    ReturnStatementContext *returnStatement();
    IfStatementContext *ifStatement();
    NewStatementContext *newStatement();
    FunctionStatementContext *functionStatement();
    BlockContext *block();
    InlineCContext *inlineC();


  };

  StatementContext* statement();

  class  SetStatementContext : public antlr4::ParserRuleContext {
  public:
    SetStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *SET();
    NameContext *name();
    AssignmentContext *assignment();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *SEMI();


  };

  SetStatementContext* setStatement();

  class  AssignmentContext : public antlr4::ParserRuleContext {
  public:
    AssignmentContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ASSIGN();
    antlr4::tree::TerminalNode *ADD_ASSIGN();
    antlr4::tree::TerminalNode *SUB_ASSIGN();
    antlr4::tree::TerminalNode *MUL_ASSIGN();
    antlr4::tree::TerminalNode *DIV_ASSIGN();


  };

  AssignmentContext* assignment();

  class  UnsetStatementContext : public antlr4::ParserRuleContext {
  public:
    UnsetStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *UNSET();
    NameContext *name();
    antlr4::tree::TerminalNode *SEMI();


  };

  UnsetStatementContext* unsetStatement();

  class  CallStatementContext : public antlr4::ParserRuleContext {
  public:
    CallStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *CALL();
    PostfixContext *postfix();
    antlr4::tree::TerminalNode *SEMI();


  };

  CallStatementContext* callStatement();

  class  ReturnStatementContext : public antlr4::ParserRuleContext {
  public:
    ReturnStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *RETURN();
    antlr4::tree::TerminalNode *SEMI();
    antlr4::tree::TerminalNode *LPAREN();
    ActionContext *action();
    antlr4::tree::TerminalNode *RPAREN();


  };

  ReturnStatementContext* returnStatement();

  class  ActionContext : public antlr4::ParserRuleContext {
  public:
    ActionContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    NameContext *name();
    ArgumentsContext *arguments();


  };

  ActionContext* action();

  class  NewStatementContext : public antlr4::ParserRuleContext {
  public:
    NewStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *NEW();
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *ASSIGN();
    NameContext *name();
    ArgumentsContext *arguments();
    antlr4::tree::TerminalNode *SEMI();


  };

  NewStatementContext* newStatement();

  class  FunctionStatementContext : public antlr4::ParserRuleContext {
  public:
    FunctionStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    NameContext *name();
    ArgumentsContext *arguments();
    antlr4::tree::TerminalNode *SEMI();
    std::vector<MemberContext *> member();
    MemberContext* member(size_t i);


  };

  FunctionStatementContext* functionStatement();

  class  IfStatementContext : public antlr4::ParserRuleContext {
  public:
    IfStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    IfArmContext *ifArm();
    std::vector<ElseArmContext *> elseArm();
    ElseArmContext* elseArm(size_t i);


  };

  IfStatementContext* ifStatement();

  class  IfArmContext : public antlr4::ParserRuleContext {
  public:
    IfArmContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IF();
    ConditionContext *condition();
    BlockContext *block();


  };

  IfArmContext* ifArm();

  class  ElseArmContext : public antlr4::ParserRuleContext {
  public:
    ElseArmContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    BlockContext *block();
    antlr4::tree::TerminalNode *ELSEIF();
    ConditionContext *condition();
    antlr4::tree::TerminalNode *ELSE();
    antlr4::tree::TerminalNode *IF();


  };

  ElseArmContext* elseArm();

  class  ConditionContext : public antlr4::ParserRuleContext {
  public:
    ConditionContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LPAREN();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *RPAREN();


  };

  ConditionContext* condition();

  class  ExpressionContext : public antlr4::ParserRuleContext {
  public:
    ExpressionContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<ConjunctionContext *> conjunction();
    ConjunctionContext* conjunction(size_t i);
    std::vector<antlr4::tree::TerminalNode *> OR();
    antlr4::tree::TerminalNode* OR(size_t i);


  };

  ExpressionContext* expression();

  class  ConjunctionContext : public antlr4::ParserRuleContext {
  public:
    ConjunctionContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<NegationContext *> negation();
    NegationContext* negation(size_t i);
    std::vector<antlr4::tree::TerminalNode *> AND();
    antlr4::tree::TerminalNode* AND(size_t i);


  };

  ConjunctionContext* conjunction();

  class  NegationContext : public antlr4::ParserRuleContext {
  public:
    NegationContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    ComparisonContext *comparison();
    std::vector<NegatedContext *> negated();
    NegatedContext* negated(size_t i);


  };

  NegationContext* negation();

  class  ComparisonContext : public antlr4::ParserRuleContext {
  public:
    ComparisonContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<ArithmeticContext *> arithmetic();
    ArithmeticContext* arithmetic(size_t i);
    std::vector<ComparatorContext *> comparator();
    ComparatorContext* comparator(size_t i);


  };

  ComparisonContext* comparison();

  class  ComparatorContext : public antlr4::ParserRuleContext {
  public:
    ComparatorContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *EQ();
    antlr4::tree::TerminalNode *NE();
    antlr4::tree::TerminalNode *LT();
    antlr4::tree::TerminalNode *LE();
    antlr4::tree::TerminalNode *GT();
    antlr4::tree::TerminalNode *GE();
    antlr4::tree::TerminalNode *MATCH();
    antlr4::tree::TerminalNode *NO_MATCH();


  };

  ComparatorContext* comparator();

  class  ArithmeticContext : public antlr4::ParserRuleContext {
  public:
    ArithmeticContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<PostfixContext *> postfix();
    PostfixContext* postfix(size_t i);
    std::vector<MinusContext *> minus();
    MinusContext* minus(size_t i);
    std::vector<ArithmeticOpContext *> arithmeticOp();
    ArithmeticOpContext* arithmeticOp(size_t i);


  };

  ArithmeticContext* arithmetic();

  class  ArithmeticOpContext : public antlr4::ParserRuleContext {
  public:
    ArithmeticOpContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *PLUS();
    antlr4::tree::TerminalNode *MINUS();
    antlr4::tree::TerminalNode *STAR();
    antlr4::tree::TerminalNode *SLASH();
    antlr4::tree::TerminalNode *PERCENT();


  };

  ArithmeticOpContext* arithmeticOp();

  class  MinusContext : public antlr4::ParserRuleContext {
  public:
    MinusContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *MINUS();


  };

  MinusContext* minus();

  class  PostfixContext : public antlr4::ParserRuleContext {
  public:
    PostfixContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    NameContext *name();
    ArgumentsContext *arguments();
    std::vector<MemberContext *> member();
    MemberContext* member(size_t i);
    StringContext *string();
    NumberContext *number();
    BlobContext *blob();
    ParenthesisedContext *parenthesised();


  };

  PostfixContext* postfix();

  class  MemberContext : public antlr4::ParserRuleContext {
  public:
    MemberContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *DOT();
    MemberNameContext *memberName();
    ArgumentsContext *arguments();


  };

  MemberContext* member();

  class  MemberNameContext : public antlr4::ParserRuleContext {
  public:
    MemberNameContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();


  };

  MemberNameContext* memberName();

  class  ParenthesisedContext : public antlr4::ParserRuleContext {
  public:
    ParenthesisedContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LPAREN();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *RPAREN();


  };

  ParenthesisedContext* parenthesised();

  class  ArgumentsContext : public antlr4::ParserRuleContext {
  public:
    ArgumentsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LPAREN();
    antlr4::tree::TerminalNode *RPAREN();
    std::vector<ArgumentContext *> argument();
    ArgumentContext* argument(size_t i);
    std::vector<antlr4::tree::TerminalNode *> COMMA();
    antlr4::tree::TerminalNode* COMMA(size_t i);


  };

  ArgumentsContext* arguments();

  class  ArgumentContext : public antlr4::ParserRuleContext {
  public:
    ArgumentContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<ExpressionContext *> expression();
    ExpressionContext* expression(size_t i);
    antlr4::tree::TerminalNode *ASSIGN();


  };

  ArgumentContext* argument();

  class  NameContext : public antlr4::ParserRuleContext {
  public:
    NameContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<antlr4::tree::TerminalNode *> IDENTIFIER();
    antlr4::tree::TerminalNode* IDENTIFIER(size_t i);
    std::vector<antlr4::tree::TerminalNode *> DOT();
    antlr4::tree::TerminalNode* DOT(size_t i);
    std::vector<antlr4::tree::TerminalNode *> STRING();
    antlr4::tree::TerminalNode* STRING(size_t i);


  };

  NameContext* name();

  class  NumberContext : public antlr4::ParserRuleContext {
  public:
    NumberContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *NUMBER();
    antlr4::tree::TerminalNode *IDENTIFIER();


  };

  NumberContext* number();

  class  StringContext : public antlr4::ParserRuleContext {
  public:
    StringContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *STRING();
    antlr4::tree::TerminalNode *LONG_STRING();
    antlr4::tree::TerminalNode *TRIPLE_STRING();


  };

  StringContext* string();

  class  BlobContext : public antlr4::ParserRuleContext {
  public:
    BlobContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *BLOB();


  };

  BlobContext* blob();


private:
  static std::vector<antlr4::dfa::DFA> _decisionToDFA;
  static antlr4::atn::PredictionContextCache _sharedContextCache;
  static std::vector<std::string> _ruleNames;
  static std::vector<std::string> _tokenNames;

  static std::vector<std::string> _literalNames;
  static std::vector<std::string> _symbolicNames;
  static antlr4::dfa::Vocabulary _vocabulary;
  static antlr4::atn::ATN _atn;
  static std::vector<uint16_t> _serializedATN;


  struct Initializer {
    Initializer();
  };
  static Initializer _init;
};

}  // namespace vernis
