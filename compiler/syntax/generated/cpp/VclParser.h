
// Generated from VclParser.g4 by ANTLR 4.9.1

#pragma once


#include "antlr4-runtime.h"


namespace vernis {


class  VclParser : public antlr4::Parser {
public:
  enum {
    VCL = 1, BACKEND = 2, PROBE = 3, ACL = 4, SUB = 5, IMPORT = 6, UNUSED = 7,
    SET = 8, UNSET = 9, CALL = 10, RETURN = 11, IF = 12, NEW = 13, PROCEDURE = 14,
    TEXT_SET = 15, CONST = 16, PARAM = 17, FN = 18, TABLE = 19, COUNTER = 20,
    BUDGET = 21, CACHING = 22, LET = 23, SWITCH = 24, CASE = 25, FOR = 26,
    COUNT = 27, LOG = 28, ALLOW = 29, BUILTIN = 30, INVARIANT = 31, GIVE = 32,
    ELSE = 33, ELSEIF = 34, FROM = 35, AS = 36, NONE = 37, INCLUDE = 38,
    TEST = 39, MUT = 40, BY = 41, COLUMNS = 42, DEFAULT = 43, IN = 44, STARTS = 45,
    ENDS = 46, CONTAINS = 47, IS = 48, IS_NOT = 49, IDENTIFIER = 50, NUMBER = 51,
    STRING = 52, UNCLOSED_STRING = 53, LONG_STRING = 54, TRIPLE_STRING = 55,
    BLOB = 56, INLINE_C = 57, LBRACE = 58, RBRACE = 59, LPAREN = 60, RPAREN = 61,
    LBRACKET = 62, RBRACKET = 63, SEMI = 64, COMMA = 65, DOT = 66, COLON = 67,
    QUESTION = 68, AT = 69, ARROW = 70, MAPS_TO = 71, ASSIGN = 72, ADD_ASSIGN = 73,
    SUB_ASSIGN = 74, MUL_ASSIGN = 75, DIV_ASSIGN = 76, EQ = 77, NE = 78,
    LT = 79, LE = 80, GT = 81, GE = 82, MATCH = 83, NO_MATCH = 84, NOT = 85,
    COALESCE = 86, AND = 87, OR = 88, PLUS = 89, MINUS = 90, STAR = 91,
    SLASH = 92, PERCENT = 93, DOUBLE_PLUS = 94, DOUBLE_MINUS = 95, LINE_COMMENT = 96,
    BLOCK_COMMENT = 97, SPACE = 98, UNKNOWN = 99
  };

  enum {
    RuleProgram = 0, RuleDeclaration = 1, RuleVersion = 2, RuleBackend = 3,
    RuleNone = 4, RuleProbe = 5, RuleProperties = 6, RuleField = 7, RuleFieldName = 8,
    RuleAcl = 9, RuleAclEntries = 10, RuleAclFlag = 11, RuleAclEntry = 12,
    RuleOptionalAddress = 13, RuleAclAddress = 14, RuleNegated = 15, RuleMaskBits = 16,
    RuleSubroutine = 17, RuleTestCase = 18, RuleImportModule = 19, RuleImportAlias = 20,
    RuleUnused = 21, RuleDeclaredName = 22, RuleInlineC = 23, RuleConstant = 24,
    RuleTyped = 25, RuleTypeName = 26, RuleFunction = 27, RuleParameters = 28,
    RuleParameter = 29, RuleTextSet = 30, RuleTableDeclaration = 31, RuleTableKind = 32,
    RuleColumns = 33, RuleRows = 34, RuleRow = 35, RuleRowKey = 36, RuleDefaultWord = 37,
    RuleCounter = 38, RuleBudget = 39, RuleBudgetEntry = 40, RuleCaching = 41,
    RuleAnnotation = 42, RuleBlock = 43, RuleStatement = 44, RuleSetStatement = 45,
    RuleAssignment = 46, RuleUnsetStatement = 47, RuleCallStatement = 48,
    RuleReturnStatement = 49, RuleAction = 50, RuleNewStatement = 51, RuleFunctionStatement = 52,
    RuleIfStatement = 53, RuleIfArm = 54, RuleElseArm = 55, RuleCondition = 56,
    RuleLetStatement = 57, RuleMut = 58, RuleBinding = 59, RuleGiveStatement = 60,
    RuleSwitchStatement = 61, RuleSwitchCase = 62, RuleCaseLabel = 63, RuleMatching = 64,
    RuleForStatement = 65, RuleCountStatement = 66, RuleLogStatement = 67,
    RuleLogPair = 68, RuleAllowStatement = 69, RuleBuiltinStatement = 70,
    RuleInvariant = 71, RuleLabelled = 72, RuleExpression = 73, RuleConjunction = 74,
    RuleNegation = 75, RuleComparison = 76, RuleComparator = 77, RuleCapture = 78,
    RulePresence = 79, RuleArithmetic = 80, RuleCoalesce = 81, RuleArithmeticOp = 82,
    RuleMinus = 83, RulePostfix = 84, RuleMember = 85, RuleSubscript = 86,
    RuleListLiteral = 87, RuleMemberName = 88, RuleParenthesised = 89, RuleArguments = 90,
    RuleArgument = 91, RuleName = 92, RuleNumber = 93, RuleString = 94,
    RuleBlob = 95
  };

  using Parser::Parser;


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
  class UnusedContext;
  class DeclaredNameContext;
  class InlineCContext;
  class ConstantContext;
  class TypedContext;
  class TypeNameContext;
  class FunctionContext;
  class ParametersContext;
  class ParameterContext;
  class TextSetContext;
  class TableDeclarationContext;
  class TableKindContext;
  class ColumnsContext;
  class RowsContext;
  class RowContext;
  class RowKeyContext;
  class DefaultWordContext;
  class CounterContext;
  class BudgetContext;
  class BudgetEntryContext;
  class CachingContext;
  class AnnotationContext;
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
  class LetStatementContext;
  class MutContext;
  class BindingContext;
  class GiveStatementContext;
  class SwitchStatementContext;
  class SwitchCaseContext;
  class CaseLabelContext;
  class MatchingContext;
  class ForStatementContext;
  class CountStatementContext;
  class LogStatementContext;
  class LogPairContext;
  class AllowStatementContext;
  class BuiltinStatementContext;
  class InvariantContext;
  class LabelledContext;
  class ExpressionContext;
  class ConjunctionContext;
  class NegationContext;
  class ComparisonContext;
  class ComparatorContext;
  class CaptureContext;
  class PresenceContext;
  class ArithmeticContext;
  class CoalesceContext;
  class ArithmeticOpContext;
  class MinusContext;
  class PostfixContext;
  class MemberContext;
  class SubscriptContext;
  class ListLiteralContext;
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
    ConstantContext *constant();
    FunctionContext *function();
    TextSetContext *textSet();
    TableDeclarationContext *tableDeclaration();
    CounterContext *counter();
    BudgetContext *budget();
    CachingContext *caching();
    UnusedContext *unused();


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
    antlr4::tree::TerminalNode *LPAREN();
    AclFlagContext *aclFlag();
    antlr4::tree::TerminalNode *RPAREN();


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
    BlockContext *block();
    antlr4::tree::TerminalNode *SUB();
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *PROCEDURE();
    ParametersContext *parameters();
    std::vector<AnnotationContext *> annotation();
    AnnotationContext* annotation(size_t i);


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
    antlr4::tree::TerminalNode *SEMI();
    DeclaredNameContext *declaredName();
    StringContext *string();
    antlr4::tree::TerminalNode *AS();
    ImportAliasContext *importAlias();
    antlr4::tree::TerminalNode *FROM();


  };

  ImportModuleContext* importModule();

  class  ImportAliasContext : public antlr4::ParserRuleContext {
  public:
    ImportAliasContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();


  };

  ImportAliasContext* importAlias();

  class  UnusedContext : public antlr4::ParserRuleContext {
  public:
    UnusedContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *UNUSED();
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *SEMI();


  };

  UnusedContext* unused();

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

  class  ConstantContext : public antlr4::ParserRuleContext {
  public:
    ConstantContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *ASSIGN();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *SEMI();
    antlr4::tree::TerminalNode *CONST();
    antlr4::tree::TerminalNode *PARAM();
    TypedContext *typed();


  };

  ConstantContext* constant();

  class  TypedContext : public antlr4::ParserRuleContext {
  public:
    TypedContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *COLON();
    TypeNameContext *typeName();


  };

  TypedContext* typed();

  class  TypeNameContext : public antlr4::ParserRuleContext {
  public:
    TypeNameContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();
    antlr4::tree::TerminalNode *QUESTION();


  };

  TypeNameContext* typeName();

  class  FunctionContext : public antlr4::ParserRuleContext {
  public:
    FunctionContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *FN();
    DeclaredNameContext *declaredName();
    ParametersContext *parameters();
    antlr4::tree::TerminalNode *ARROW();
    TypeNameContext *typeName();
    BlockContext *block();


  };

  FunctionContext* function();

  class  ParametersContext : public antlr4::ParserRuleContext {
  public:
    ParametersContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LPAREN();
    antlr4::tree::TerminalNode *RPAREN();
    std::vector<ParameterContext *> parameter();
    ParameterContext* parameter(size_t i);
    std::vector<antlr4::tree::TerminalNode *> COMMA();
    antlr4::tree::TerminalNode* COMMA(size_t i);


  };

  ParametersContext* parameters();

  class  ParameterContext : public antlr4::ParserRuleContext {
  public:
    ParameterContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    DeclaredNameContext *declaredName();
    TypedContext *typed();


  };

  ParameterContext* parameter();

  class  TextSetContext : public antlr4::ParserRuleContext {
  public:
    TextSetContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *TEXT_SET();
    DeclaredNameContext *declaredName();
    ListLiteralContext *listLiteral();
    antlr4::tree::TerminalNode *SEMI();


  };

  TextSetContext* textSet();

  class  TableDeclarationContext : public antlr4::ParserRuleContext {
  public:
    TableDeclarationContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *TABLE();
    DeclaredNameContext *declaredName();
    TypedContext *typed();
    antlr4::tree::TerminalNode *BY();
    TableKindContext *tableKind();
    antlr4::tree::TerminalNode *SEMI();
    RowsContext *rows();
    antlr4::tree::TerminalNode *FROM();
    StringContext *string();
    ColumnsContext *columns();


  };

  TableDeclarationContext* tableDeclaration();

  class  TableKindContext : public antlr4::ParserRuleContext {
  public:
    TableKindContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();


  };

  TableKindContext* tableKind();

  class  ColumnsContext : public antlr4::ParserRuleContext {
  public:
    ColumnsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *COLUMNS();
    antlr4::tree::TerminalNode *LPAREN();
    std::vector<antlr4::tree::TerminalNode *> IDENTIFIER();
    antlr4::tree::TerminalNode* IDENTIFIER(size_t i);
    antlr4::tree::TerminalNode *COMMA();
    antlr4::tree::TerminalNode *RPAREN();


  };

  ColumnsContext* columns();

  class  RowsContext : public antlr4::ParserRuleContext {
  public:
    RowsContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LBRACKET();
    antlr4::tree::TerminalNode *RBRACKET();
    std::vector<RowContext *> row();
    RowContext* row(size_t i);
    std::vector<antlr4::tree::TerminalNode *> COMMA();
    antlr4::tree::TerminalNode* COMMA(size_t i);


  };

  RowsContext* rows();

  class  RowContext : public antlr4::ParserRuleContext {
  public:
    RowContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *MAPS_TO();
    ExpressionContext *expression();
    DefaultWordContext *defaultWord();
    RowKeyContext *rowKey();


  };

  RowContext* row();

  class  RowKeyContext : public antlr4::ParserRuleContext {
  public:
    RowKeyContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    StringContext *string();
    antlr4::tree::TerminalNode *SLASH();
    MaskBitsContext *maskBits();


  };

  RowKeyContext* rowKey();

  class  DefaultWordContext : public antlr4::ParserRuleContext {
  public:
    DefaultWordContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *DEFAULT();


  };

  DefaultWordContext* defaultWord();

  class  CounterContext : public antlr4::ParserRuleContext {
  public:
    CounterContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *COUNTER();
    std::vector<DeclaredNameContext *> declaredName();
    DeclaredNameContext* declaredName(size_t i);
    antlr4::tree::TerminalNode *SEMI();
    antlr4::tree::TerminalNode *BY();
    antlr4::tree::TerminalNode *LPAREN();
    antlr4::tree::TerminalNode *RPAREN();
    std::vector<antlr4::tree::TerminalNode *> COMMA();
    antlr4::tree::TerminalNode* COMMA(size_t i);


  };

  CounterContext* counter();

  class  BudgetContext : public antlr4::ParserRuleContext {
  public:
    BudgetContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *BUDGET();
    antlr4::tree::TerminalNode *LBRACE();
    antlr4::tree::TerminalNode *RBRACE();
    std::vector<BudgetEntryContext *> budgetEntry();
    BudgetEntryContext* budgetEntry(size_t i);


  };

  BudgetContext* budget();

  class  BudgetEntryContext : public antlr4::ParserRuleContext {
  public:
    BudgetEntryContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IDENTIFIER();
    antlr4::tree::TerminalNode *NUMBER();
    antlr4::tree::TerminalNode *SEMI();


  };

  BudgetEntryContext* budgetEntry();

  class  CachingContext : public antlr4::ParserRuleContext {
  public:
    CachingContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *CACHING();
    antlr4::tree::TerminalNode *NUMBER();
    antlr4::tree::TerminalNode *SEMI();


  };

  CachingContext* caching();

  class  AnnotationContext : public antlr4::ParserRuleContext {
  public:
    AnnotationContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AT();
    antlr4::tree::TerminalNode *IDENTIFIER();
    ArgumentsContext *arguments();


  };

  AnnotationContext* annotation();

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
    LetStatementContext *letStatement();
    GiveStatementContext *giveStatement();
    SwitchStatementContext *switchStatement();
    ForStatementContext *forStatement();
    CountStatementContext *countStatement();
    LogStatementContext *logStatement();
    AllowStatementContext *allowStatement();
    BuiltinStatementContext *builtinStatement();
    InvariantContext *invariant();
    LabelledContext *labelled();


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
    BindingContext *binding();


  };

  ConditionContext* condition();

  class  LetStatementContext : public antlr4::ParserRuleContext {
  public:
    LetStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LET();
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *ASSIGN();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *SEMI();
    MutContext *mut();
    TypedContext *typed();


  };

  LetStatementContext* letStatement();

  class  MutContext : public antlr4::ParserRuleContext {
  public:
    MutContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *MUT();


  };

  MutContext* mut();

  class  BindingContext : public antlr4::ParserRuleContext {
  public:
    BindingContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LET();
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *ASSIGN();


  };

  BindingContext* binding();

  class  GiveStatementContext : public antlr4::ParserRuleContext {
  public:
    GiveStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *GIVE();
    antlr4::tree::TerminalNode *LPAREN();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *RPAREN();
    antlr4::tree::TerminalNode *SEMI();


  };

  GiveStatementContext* giveStatement();

  class  SwitchStatementContext : public antlr4::ParserRuleContext {
  public:
    SwitchStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *SWITCH();
    ConditionContext *condition();
    antlr4::tree::TerminalNode *LBRACE();
    antlr4::tree::TerminalNode *RBRACE();
    std::vector<SwitchCaseContext *> switchCase();
    SwitchCaseContext* switchCase(size_t i);


  };

  SwitchStatementContext* switchStatement();

  class  SwitchCaseContext : public antlr4::ParserRuleContext {
  public:
    SwitchCaseContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *COLON();
    BlockContext *block();
    antlr4::tree::TerminalNode *CASE();
    std::vector<CaseLabelContext *> caseLabel();
    CaseLabelContext* caseLabel(size_t i);
    DefaultWordContext *defaultWord();
    std::vector<antlr4::tree::TerminalNode *> COMMA();
    antlr4::tree::TerminalNode* COMMA(size_t i);


  };

  SwitchCaseContext* switchCase();

  class  CaseLabelContext : public antlr4::ParserRuleContext {
  public:
    CaseLabelContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    ExpressionContext *expression();
    MatchingContext *matching();


  };

  CaseLabelContext* caseLabel();

  class  MatchingContext : public antlr4::ParserRuleContext {
  public:
    MatchingContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *MATCH();


  };

  MatchingContext* matching();

  class  ForStatementContext : public antlr4::ParserRuleContext {
  public:
    ForStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *FOR();
    antlr4::tree::TerminalNode *LPAREN();
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *IN();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *RPAREN();
    BlockContext *block();


  };

  ForStatementContext* forStatement();

  class  CountStatementContext : public antlr4::ParserRuleContext {
  public:
    CountStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *COUNT();
    DeclaredNameContext *declaredName();
    antlr4::tree::TerminalNode *SEMI();
    ArgumentsContext *arguments();


  };

  CountStatementContext* countStatement();

  class  LogStatementContext : public antlr4::ParserRuleContext {
  public:
    LogStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LOG();
    antlr4::tree::TerminalNode *LBRACE();
    antlr4::tree::TerminalNode *RBRACE();
    antlr4::tree::TerminalNode *SEMI();
    std::vector<LogPairContext *> logPair();
    LogPairContext* logPair(size_t i);
    std::vector<antlr4::tree::TerminalNode *> COMMA();
    antlr4::tree::TerminalNode* COMMA(size_t i);


  };

  LogStatementContext* logStatement();

  class  LogPairContext : public antlr4::ParserRuleContext {
  public:
    LogPairContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    MemberNameContext *memberName();
    antlr4::tree::TerminalNode *ASSIGN();
    ExpressionContext *expression();


  };

  LogPairContext* logPair();

  class  AllowStatementContext : public antlr4::ParserRuleContext {
  public:
    AllowStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *ALLOW();
    ArgumentsContext *arguments();
    antlr4::tree::TerminalNode *SEMI();


  };

  AllowStatementContext* allowStatement();

  class  BuiltinStatementContext : public antlr4::ParserRuleContext {
  public:
    BuiltinStatementContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *BUILTIN();
    antlr4::tree::TerminalNode *SEMI();


  };

  BuiltinStatementContext* builtinStatement();

  class  InvariantContext : public antlr4::ParserRuleContext {
  public:
    InvariantContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *INVARIANT();
    StringContext *string();
    antlr4::tree::TerminalNode *LBRACE();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *RBRACE();


  };

  InvariantContext* invariant();

  class  LabelledContext : public antlr4::ParserRuleContext {
  public:
    LabelledContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    AnnotationContext *annotation();
    StatementContext *statement();


  };

  LabelledContext* labelled();

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
    std::vector<PresenceContext *> presence();
    PresenceContext* presence(size_t i);
    std::vector<CaptureContext *> capture();
    CaptureContext* capture(size_t i);


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
    antlr4::tree::TerminalNode *IN();
    antlr4::tree::TerminalNode *STARTS();
    antlr4::tree::TerminalNode *ENDS();
    antlr4::tree::TerminalNode *CONTAINS();


  };

  ComparatorContext* comparator();

  class  CaptureContext : public antlr4::ParserRuleContext {
  public:
    CaptureContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *AS();
    DeclaredNameContext *declaredName();


  };

  CaptureContext* capture();

  class  PresenceContext : public antlr4::ParserRuleContext {
  public:
    PresenceContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *IS();
    MemberNameContext *memberName();
    antlr4::tree::TerminalNode *IS_NOT();


  };

  PresenceContext* presence();

  class  ArithmeticContext : public antlr4::ParserRuleContext {
  public:
    ArithmeticContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<CoalesceContext *> coalesce();
    CoalesceContext* coalesce(size_t i);
    std::vector<MinusContext *> minus();
    MinusContext* minus(size_t i);
    std::vector<ArithmeticOpContext *> arithmeticOp();
    ArithmeticOpContext* arithmeticOp(size_t i);


  };

  ArithmeticContext* arithmetic();

  class  CoalesceContext : public antlr4::ParserRuleContext {
  public:
    CoalesceContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    std::vector<PostfixContext *> postfix();
    PostfixContext* postfix(size_t i);
    std::vector<antlr4::tree::TerminalNode *> COALESCE();
    antlr4::tree::TerminalNode* COALESCE(size_t i);
    std::vector<MinusContext *> minus();
    MinusContext* minus(size_t i);


  };

  CoalesceContext* coalesce();

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
    SubscriptContext *subscript();
    std::vector<MemberContext *> member();
    MemberContext* member(size_t i);
    StringContext *string();
    NumberContext *number();
    BlobContext *blob();
    ParenthesisedContext *parenthesised();
    ListLiteralContext *listLiteral();


  };

  PostfixContext* postfix();

  class  MemberContext : public antlr4::ParserRuleContext {
  public:
    MemberContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *DOT();
    MemberNameContext *memberName();
    ArgumentsContext *arguments();
    SubscriptContext *subscript();


  };

  MemberContext* member();

  class  SubscriptContext : public antlr4::ParserRuleContext {
  public:
    SubscriptContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LBRACKET();
    ExpressionContext *expression();
    antlr4::tree::TerminalNode *RBRACKET();


  };

  SubscriptContext* subscript();

  class  ListLiteralContext : public antlr4::ParserRuleContext {
  public:
    ListLiteralContext(antlr4::ParserRuleContext *parent, size_t invokingState);
    virtual size_t getRuleIndex() const override;
    antlr4::tree::TerminalNode *LBRACKET();
    antlr4::tree::TerminalNode *RBRACKET();
    std::vector<ExpressionContext *> expression();
    ExpressionContext* expression(size_t i);
    std::vector<antlr4::tree::TerminalNode *> COMMA();
    antlr4::tree::TerminalNode* COMMA(size_t i);


  };

  ListLiteralContext* listLiteral();

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


};

}  // namespace vernis
