
// Generated from VclParser.g4 by ANTLR 4.9.1



#include "VclParser.h"


using namespace antlrcpp;
using namespace vernis;
using namespace antlr4;

VclParser::VclParser(TokenStream *input) : Parser(input) {
  _interpreter = new atn::ParserATNSimulator(this, _atn, _decisionToDFA, _sharedContextCache);
}

VclParser::~VclParser() {
  delete _interpreter;
}

std::string VclParser::getGrammarFileName() const {
  return "VclParser.g4";
}

const std::vector<std::string>& VclParser::getRuleNames() const {
  return _ruleNames;
}

dfa::Vocabulary& VclParser::getVocabulary() const {
  return _vocabulary;
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

// Static vars and initialization.
std::vector<dfa::DFA> VclParser::_decisionToDFA;
atn::PredictionContextCache VclParser::_sharedContextCache;

// We own the ATN which in turn owns the ATN states.
atn::ATN VclParser::_atn;
std::vector<uint16_t> VclParser::_serializedATN;

std::vector<std::string> VclParser::_ruleNames = {
  "program", "declaration", "version", "backend", "none", "probe", "properties",
  "field", "fieldName", "acl", "aclEntries", "aclFlag", "aclEntry", "optionalAddress",
  "aclAddress", "negated", "maskBits", "subroutine", "testCase", "importModule",
  "importAlias", "declaredName", "inlineC", "constant", "typed", "typeName",
  "function", "parameters", "parameter", "textSet", "tableDeclaration",
  "tableKind", "columns", "rows", "row", "rowKey", "defaultWord", "counter",
  "budget", "budgetEntry", "annotation", "block", "statement", "setStatement",
  "assignment", "unsetStatement", "callStatement", "returnStatement", "action",
  "newStatement", "functionStatement", "ifStatement", "ifArm", "elseArm",
  "condition", "letStatement", "mut", "binding", "giveStatement", "switchStatement",
  "switchCase", "caseLabel", "matching", "forStatement", "countStatement",
  "logStatement", "logPair", "allowStatement", "builtinStatement", "invariant",
  "labelled", "expression", "conjunction", "negation", "comparison", "comparator",
  "capture", "presence", "arithmetic", "coalesce", "arithmeticOp", "minus",
  "postfix", "member", "subscript", "listLiteral", "memberName", "parenthesised",
  "arguments", "argument", "name", "number", "string", "blob"
};

std::vector<std::string> VclParser::_literalNames = {
  "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
  "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
  "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
  "", "'{'", "'}'", "'('", "')'", "'['", "']'", "';'", "','", "'.'", "':'",
  "'\u003F'", "'@'", "'->'", "'=>'", "'='", "'+='", "'-='", "'*='", "'/='",
  "'=='", "'!='", "'<'", "'<='", "'>'", "'>='", "'~'", "'!~'", "'!'", "'\u003F\u003F'",
  "'&&'", "'||'", "'+'", "'-'", "'*'", "'/'", "'%'", "'++'", "'--'"
};

std::vector<std::string> VclParser::_symbolicNames = {
  "", "VCL", "BACKEND", "PROBE", "ACL", "SUB", "IMPORT", "SET", "UNSET",
  "CALL", "RETURN", "IF", "NEW", "PROCEDURE", "TEXT_SET", "CONST", "PARAM",
  "FN", "TABLE", "COUNTER", "BUDGET", "LET", "SWITCH", "CASE", "FOR", "COUNT",
  "LOG", "ALLOW", "BUILTIN", "INVARIANT", "GIVE", "ELSE", "ELSEIF", "FROM",
  "AS", "NONE", "INCLUDE", "TEST", "MUT", "BY", "COLUMNS", "DEFAULT", "IN",
  "STARTS", "ENDS", "CONTAINS", "IS", "IDENTIFIER", "NUMBER", "STRING",
  "UNCLOSED_STRING", "LONG_STRING", "TRIPLE_STRING", "BLOB", "INLINE_C",
  "LBRACE", "RBRACE", "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", "SEMI",
  "COMMA", "DOT", "COLON", "QUESTION", "AT", "ARROW", "MAPS_TO", "ASSIGN",
  "ADD_ASSIGN", "SUB_ASSIGN", "MUL_ASSIGN", "DIV_ASSIGN", "EQ", "NE", "LT",
  "LE", "GT", "GE", "MATCH", "NO_MATCH", "NOT", "COALESCE", "AND", "OR",
  "PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "DOUBLE_PLUS", "DOUBLE_MINUS",
  "LINE_COMMENT", "BLOCK_COMMENT", "SPACE", "UNKNOWN"
};

dfa::Vocabulary VclParser::_vocabulary(_literalNames, _symbolicNames);

std::vector<std::string> VclParser::_tokenNames;

VclParser::Initializer::Initializer() {
	for (size_t i = 0; i < _symbolicNames.size(); ++i) {
		std::string name = _vocabulary.getLiteralName(i);
		if (name.empty()) {
			name = _vocabulary.getSymbolicName(i);
		}

		if (name.empty()) {
			_tokenNames.push_back("<INVALID>");
		} else {
      _tokenNames.push_back(name);
    }
	}

  _serializedATN = {
    0x3, 0x608b, 0xa72a, 0x8133, 0xb9ed, 0x417c, 0x3be7, 0x7786, 0x5964,
    0x3, 0x62, 0x365, 0x4, 0x2, 0x9, 0x2, 0x4, 0x3, 0x9, 0x3, 0x4, 0x4,
    0x9, 0x4, 0x4, 0x5, 0x9, 0x5, 0x4, 0x6, 0x9, 0x6, 0x4, 0x7, 0x9, 0x7,
    0x4, 0x8, 0x9, 0x8, 0x4, 0x9, 0x9, 0x9, 0x4, 0xa, 0x9, 0xa, 0x4, 0xb,
    0x9, 0xb, 0x4, 0xc, 0x9, 0xc, 0x4, 0xd, 0x9, 0xd, 0x4, 0xe, 0x9, 0xe,
    0x4, 0xf, 0x9, 0xf, 0x4, 0x10, 0x9, 0x10, 0x4, 0x11, 0x9, 0x11, 0x4,
    0x12, 0x9, 0x12, 0x4, 0x13, 0x9, 0x13, 0x4, 0x14, 0x9, 0x14, 0x4, 0x15,
    0x9, 0x15, 0x4, 0x16, 0x9, 0x16, 0x4, 0x17, 0x9, 0x17, 0x4, 0x18, 0x9,
    0x18, 0x4, 0x19, 0x9, 0x19, 0x4, 0x1a, 0x9, 0x1a, 0x4, 0x1b, 0x9, 0x1b,
    0x4, 0x1c, 0x9, 0x1c, 0x4, 0x1d, 0x9, 0x1d, 0x4, 0x1e, 0x9, 0x1e, 0x4,
    0x1f, 0x9, 0x1f, 0x4, 0x20, 0x9, 0x20, 0x4, 0x21, 0x9, 0x21, 0x4, 0x22,
    0x9, 0x22, 0x4, 0x23, 0x9, 0x23, 0x4, 0x24, 0x9, 0x24, 0x4, 0x25, 0x9,
    0x25, 0x4, 0x26, 0x9, 0x26, 0x4, 0x27, 0x9, 0x27, 0x4, 0x28, 0x9, 0x28,
    0x4, 0x29, 0x9, 0x29, 0x4, 0x2a, 0x9, 0x2a, 0x4, 0x2b, 0x9, 0x2b, 0x4,
    0x2c, 0x9, 0x2c, 0x4, 0x2d, 0x9, 0x2d, 0x4, 0x2e, 0x9, 0x2e, 0x4, 0x2f,
    0x9, 0x2f, 0x4, 0x30, 0x9, 0x30, 0x4, 0x31, 0x9, 0x31, 0x4, 0x32, 0x9,
    0x32, 0x4, 0x33, 0x9, 0x33, 0x4, 0x34, 0x9, 0x34, 0x4, 0x35, 0x9, 0x35,
    0x4, 0x36, 0x9, 0x36, 0x4, 0x37, 0x9, 0x37, 0x4, 0x38, 0x9, 0x38, 0x4,
    0x39, 0x9, 0x39, 0x4, 0x3a, 0x9, 0x3a, 0x4, 0x3b, 0x9, 0x3b, 0x4, 0x3c,
    0x9, 0x3c, 0x4, 0x3d, 0x9, 0x3d, 0x4, 0x3e, 0x9, 0x3e, 0x4, 0x3f, 0x9,
    0x3f, 0x4, 0x40, 0x9, 0x40, 0x4, 0x41, 0x9, 0x41, 0x4, 0x42, 0x9, 0x42,
    0x4, 0x43, 0x9, 0x43, 0x4, 0x44, 0x9, 0x44, 0x4, 0x45, 0x9, 0x45, 0x4,
    0x46, 0x9, 0x46, 0x4, 0x47, 0x9, 0x47, 0x4, 0x48, 0x9, 0x48, 0x4, 0x49,
    0x9, 0x49, 0x4, 0x4a, 0x9, 0x4a, 0x4, 0x4b, 0x9, 0x4b, 0x4, 0x4c, 0x9,
    0x4c, 0x4, 0x4d, 0x9, 0x4d, 0x4, 0x4e, 0x9, 0x4e, 0x4, 0x4f, 0x9, 0x4f,
    0x4, 0x50, 0x9, 0x50, 0x4, 0x51, 0x9, 0x51, 0x4, 0x52, 0x9, 0x52, 0x4,
    0x53, 0x9, 0x53, 0x4, 0x54, 0x9, 0x54, 0x4, 0x55, 0x9, 0x55, 0x4, 0x56,
    0x9, 0x56, 0x4, 0x57, 0x9, 0x57, 0x4, 0x58, 0x9, 0x58, 0x4, 0x59, 0x9,
    0x59, 0x4, 0x5a, 0x9, 0x5a, 0x4, 0x5b, 0x9, 0x5b, 0x4, 0x5c, 0x9, 0x5c,
    0x4, 0x5d, 0x9, 0x5d, 0x4, 0x5e, 0x9, 0x5e, 0x4, 0x5f, 0x9, 0x5f, 0x3,
    0x2, 0x7, 0x2, 0xc0, 0xa, 0x2, 0xc, 0x2, 0xe, 0x2, 0xc3, 0xb, 0x2, 0x3,
    0x2, 0x3, 0x2, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3,
    0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3,
    0x3, 0x3, 0x3, 0x5, 0x3, 0xd5, 0xa, 0x3, 0x3, 0x4, 0x3, 0x4, 0x3, 0x4,
    0x3, 0x4, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5,
    0x5, 0x5, 0xe1, 0xa, 0x5, 0x3, 0x6, 0x3, 0x6, 0x3, 0x7, 0x3, 0x7, 0x3,
    0x7, 0x3, 0x7, 0x3, 0x8, 0x3, 0x8, 0x7, 0x8, 0xeb, 0xa, 0x8, 0xc, 0x8,
    0xe, 0x8, 0xee, 0xb, 0x8, 0x3, 0x8, 0x3, 0x8, 0x3, 0x9, 0x3, 0x9, 0x3,
    0x9, 0x3, 0x9, 0x3, 0x9, 0x3, 0x9, 0x7, 0x9, 0xf8, 0xa, 0x9, 0xc, 0x9,
    0xe, 0x9, 0xfb, 0xb, 0x9, 0x3, 0x9, 0x3, 0x9, 0x5, 0x9, 0xff, 0xa, 0x9,
    0x3, 0xa, 0x3, 0xa, 0x3, 0xb, 0x3, 0xb, 0x3, 0xb, 0x7, 0xb, 0x106, 0xa,
    0xb, 0xc, 0xb, 0xe, 0xb, 0x109, 0xb, 0xb, 0x3, 0xb, 0x3, 0xb, 0x3, 0xc,
    0x3, 0xc, 0x7, 0xc, 0x10f, 0xa, 0xc, 0xc, 0xc, 0xe, 0xc, 0x112, 0xb,
    0xc, 0x3, 0xc, 0x3, 0xc, 0x3, 0xd, 0x3, 0xd, 0x3, 0xd, 0x3, 0xe, 0x5,
    0xe, 0x11a, 0xa, 0xe, 0x3, 0xe, 0x3, 0xe, 0x5, 0xe, 0x11e, 0xa, 0xe,
    0x3, 0xe, 0x3, 0xe, 0x3, 0xf, 0x3, 0xf, 0x5, 0xf, 0x124, 0xa, 0xf, 0x3,
    0xf, 0x3, 0xf, 0x3, 0xf, 0x3, 0x10, 0x3, 0x10, 0x3, 0x10, 0x5, 0x10,
    0x12c, 0xa, 0x10, 0x3, 0x11, 0x3, 0x11, 0x3, 0x12, 0x3, 0x12, 0x3, 0x13,
    0x7, 0x13, 0x133, 0xa, 0x13, 0xc, 0x13, 0xe, 0x13, 0x136, 0xb, 0x13,
    0x3, 0x13, 0x3, 0x13, 0x3, 0x13, 0x3, 0x13, 0x3, 0x13, 0x3, 0x13, 0x5,
    0x13, 0x13e, 0xa, 0x13, 0x3, 0x13, 0x3, 0x13, 0x3, 0x14, 0x3, 0x14,
    0x3, 0x14, 0x3, 0x14, 0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x5,
    0x15, 0x14a, 0xa, 0x15, 0x3, 0x15, 0x3, 0x15, 0x5, 0x15, 0x14e, 0xa,
    0x15, 0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x5, 0x15, 0x154,
    0xa, 0x15, 0x3, 0x15, 0x3, 0x15, 0x3, 0x16, 0x3, 0x16, 0x3, 0x17, 0x3,
    0x17, 0x3, 0x18, 0x3, 0x18, 0x3, 0x19, 0x3, 0x19, 0x3, 0x19, 0x5, 0x19,
    0x161, 0xa, 0x19, 0x3, 0x19, 0x3, 0x19, 0x3, 0x19, 0x3, 0x19, 0x3, 0x1a,
    0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1b, 0x3, 0x1b, 0x5, 0x1b, 0x16c, 0xa, 0x1b,
    0x3, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 0x3, 0x1c, 0x3,
    0x1c, 0x3, 0x1d, 0x3, 0x1d, 0x3, 0x1d, 0x3, 0x1d, 0x7, 0x1d, 0x179,
    0xa, 0x1d, 0xc, 0x1d, 0xe, 0x1d, 0x17c, 0xb, 0x1d, 0x5, 0x1d, 0x17e,
    0xa, 0x1d, 0x3, 0x1d, 0x3, 0x1d, 0x3, 0x1e, 0x3, 0x1e, 0x3, 0x1e, 0x3,
    0x1f, 0x3, 0x1f, 0x3, 0x1f, 0x3, 0x1f, 0x3, 0x1f, 0x3, 0x20, 0x3, 0x20,
    0x3, 0x20, 0x3, 0x20, 0x3, 0x20, 0x3, 0x20, 0x3, 0x20, 0x3, 0x20, 0x3,
    0x20, 0x5, 0x20, 0x193, 0xa, 0x20, 0x5, 0x20, 0x195, 0xa, 0x20, 0x3,
    0x20, 0x3, 0x20, 0x3, 0x21, 0x3, 0x21, 0x3, 0x22, 0x3, 0x22, 0x3, 0x22,
    0x3, 0x22, 0x3, 0x22, 0x3, 0x22, 0x3, 0x22, 0x3, 0x23, 0x3, 0x23, 0x3,
    0x23, 0x3, 0x23, 0x5, 0x23, 0x1a6, 0xa, 0x23, 0x7, 0x23, 0x1a8, 0xa,
    0x23, 0xc, 0x23, 0xe, 0x23, 0x1ab, 0xb, 0x23, 0x5, 0x23, 0x1ad, 0xa,
    0x23, 0x3, 0x23, 0x3, 0x23, 0x3, 0x24, 0x3, 0x24, 0x5, 0x24, 0x1b3,
    0xa, 0x24, 0x3, 0x24, 0x3, 0x24, 0x3, 0x24, 0x3, 0x25, 0x3, 0x25, 0x3,
    0x25, 0x5, 0x25, 0x1bb, 0xa, 0x25, 0x3, 0x26, 0x3, 0x26, 0x3, 0x27,
    0x3, 0x27, 0x3, 0x27, 0x3, 0x27, 0x3, 0x27, 0x3, 0x27, 0x3, 0x27, 0x7,
    0x27, 0x1c6, 0xa, 0x27, 0xc, 0x27, 0xe, 0x27, 0x1c9, 0xb, 0x27, 0x3,
    0x27, 0x3, 0x27, 0x5, 0x27, 0x1cd, 0xa, 0x27, 0x3, 0x27, 0x3, 0x27,
    0x3, 0x28, 0x3, 0x28, 0x3, 0x28, 0x7, 0x28, 0x1d4, 0xa, 0x28, 0xc, 0x28,
    0xe, 0x28, 0x1d7, 0xb, 0x28, 0x3, 0x28, 0x3, 0x28, 0x3, 0x29, 0x3, 0x29,
    0x3, 0x29, 0x3, 0x29, 0x3, 0x2a, 0x3, 0x2a, 0x3, 0x2a, 0x5, 0x2a, 0x1e2,
    0xa, 0x2a, 0x3, 0x2b, 0x3, 0x2b, 0x7, 0x2b, 0x1e6, 0xa, 0x2b, 0xc, 0x2b,
    0xe, 0x2b, 0x1e9, 0xb, 0x2b, 0x3, 0x2b, 0x3, 0x2b, 0x3, 0x2c, 0x3, 0x2c,
    0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3,
    0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c,
    0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x5, 0x2c, 0x200, 0xa, 0x2c,
    0x3, 0x2d, 0x3, 0x2d, 0x3, 0x2d, 0x3, 0x2d, 0x3, 0x2d, 0x3, 0x2d, 0x3,
    0x2e, 0x3, 0x2e, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x2f, 0x3, 0x30,
    0x3, 0x30, 0x3, 0x30, 0x3, 0x30, 0x3, 0x31, 0x3, 0x31, 0x3, 0x31, 0x3,
    0x31, 0x3, 0x31, 0x5, 0x31, 0x217, 0xa, 0x31, 0x3, 0x31, 0x3, 0x31,
    0x3, 0x32, 0x3, 0x32, 0x5, 0x32, 0x21d, 0xa, 0x32, 0x3, 0x33, 0x3, 0x33,
    0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x34, 0x3,
    0x34, 0x3, 0x34, 0x7, 0x34, 0x229, 0xa, 0x34, 0xc, 0x34, 0xe, 0x34,
    0x22c, 0xb, 0x34, 0x3, 0x34, 0x3, 0x34, 0x3, 0x35, 0x3, 0x35, 0x7, 0x35,
    0x232, 0xa, 0x35, 0xc, 0x35, 0xe, 0x35, 0x235, 0xb, 0x35, 0x3, 0x36,
    0x3, 0x36, 0x3, 0x36, 0x3, 0x36, 0x3, 0x37, 0x3, 0x37, 0x3, 0x37, 0x3,
    0x37, 0x3, 0x37, 0x5, 0x37, 0x240, 0xa, 0x37, 0x5, 0x37, 0x242, 0xa,
    0x37, 0x3, 0x37, 0x3, 0x37, 0x3, 0x38, 0x3, 0x38, 0x5, 0x38, 0x248,
    0xa, 0x38, 0x3, 0x38, 0x3, 0x38, 0x3, 0x38, 0x3, 0x39, 0x3, 0x39, 0x5,
    0x39, 0x24f, 0xa, 0x39, 0x3, 0x39, 0x3, 0x39, 0x5, 0x39, 0x253, 0xa,
    0x39, 0x3, 0x39, 0x3, 0x39, 0x3, 0x39, 0x3, 0x39, 0x3, 0x3a, 0x3, 0x3a,
    0x3, 0x3b, 0x3, 0x3b, 0x3, 0x3b, 0x3, 0x3b, 0x3, 0x3c, 0x3, 0x3c, 0x3,
    0x3c, 0x3, 0x3c, 0x3, 0x3c, 0x3, 0x3c, 0x3, 0x3d, 0x3, 0x3d, 0x3, 0x3d,
    0x3, 0x3d, 0x7, 0x3d, 0x269, 0xa, 0x3d, 0xc, 0x3d, 0xe, 0x3d, 0x26c,
    0xb, 0x3d, 0x3, 0x3d, 0x3, 0x3d, 0x3, 0x3e, 0x3, 0x3e, 0x3, 0x3e, 0x3,
    0x3e, 0x7, 0x3e, 0x274, 0xa, 0x3e, 0xc, 0x3e, 0xe, 0x3e, 0x277, 0xb,
    0x3e, 0x3, 0x3e, 0x5, 0x3e, 0x27a, 0xa, 0x3e, 0x3, 0x3e, 0x3, 0x3e,
    0x3, 0x3e, 0x3, 0x3f, 0x5, 0x3f, 0x280, 0xa, 0x3f, 0x3, 0x3f, 0x3, 0x3f,
    0x3, 0x40, 0x3, 0x40, 0x3, 0x41, 0x3, 0x41, 0x3, 0x41, 0x3, 0x41, 0x3,
    0x41, 0x3, 0x41, 0x3, 0x41, 0x3, 0x41, 0x3, 0x42, 0x3, 0x42, 0x3, 0x42,
    0x5, 0x42, 0x291, 0xa, 0x42, 0x3, 0x42, 0x3, 0x42, 0x3, 0x43, 0x3, 0x43,
    0x3, 0x43, 0x3, 0x43, 0x3, 0x43, 0x5, 0x43, 0x29a, 0xa, 0x43, 0x7, 0x43,
    0x29c, 0xa, 0x43, 0xc, 0x43, 0xe, 0x43, 0x29f, 0xb, 0x43, 0x5, 0x43,
    0x2a1, 0xa, 0x43, 0x3, 0x43, 0x3, 0x43, 0x3, 0x43, 0x3, 0x44, 0x3, 0x44,
    0x3, 0x44, 0x3, 0x44, 0x3, 0x45, 0x3, 0x45, 0x3, 0x45, 0x3, 0x45, 0x3,
    0x46, 0x3, 0x46, 0x3, 0x46, 0x3, 0x47, 0x3, 0x47, 0x3, 0x47, 0x3, 0x47,
    0x3, 0x47, 0x3, 0x47, 0x3, 0x48, 0x3, 0x48, 0x3, 0x48, 0x3, 0x49, 0x3,
    0x49, 0x3, 0x49, 0x7, 0x49, 0x2bd, 0xa, 0x49, 0xc, 0x49, 0xe, 0x49,
    0x2c0, 0xb, 0x49, 0x3, 0x4a, 0x3, 0x4a, 0x3, 0x4a, 0x7, 0x4a, 0x2c5,
    0xa, 0x4a, 0xc, 0x4a, 0xe, 0x4a, 0x2c8, 0xb, 0x4a, 0x3, 0x4b, 0x7, 0x4b,
    0x2cb, 0xa, 0x4b, 0xc, 0x4b, 0xe, 0x4b, 0x2ce, 0xb, 0x4b, 0x3, 0x4b,
    0x3, 0x4b, 0x3, 0x4c, 0x3, 0x4c, 0x3, 0x4c, 0x3, 0x4c, 0x5, 0x4c, 0x2d6,
    0xa, 0x4c, 0x3, 0x4c, 0x7, 0x4c, 0x2d9, 0xa, 0x4c, 0xc, 0x4c, 0xe, 0x4c,
    0x2dc, 0xb, 0x4c, 0x3, 0x4d, 0x3, 0x4d, 0x3, 0x4e, 0x3, 0x4e, 0x3, 0x4e,
    0x3, 0x4f, 0x3, 0x4f, 0x3, 0x4f, 0x3, 0x50, 0x5, 0x50, 0x2e7, 0xa, 0x50,
    0x3, 0x50, 0x3, 0x50, 0x3, 0x50, 0x5, 0x50, 0x2ec, 0xa, 0x50, 0x3, 0x50,
    0x3, 0x50, 0x7, 0x50, 0x2f0, 0xa, 0x50, 0xc, 0x50, 0xe, 0x50, 0x2f3,
    0xb, 0x50, 0x3, 0x51, 0x3, 0x51, 0x3, 0x51, 0x5, 0x51, 0x2f8, 0xa, 0x51,
    0x3, 0x51, 0x7, 0x51, 0x2fb, 0xa, 0x51, 0xc, 0x51, 0xe, 0x51, 0x2fe,
    0xb, 0x51, 0x3, 0x52, 0x3, 0x52, 0x3, 0x53, 0x3, 0x53, 0x3, 0x54, 0x3,
    0x54, 0x3, 0x54, 0x5, 0x54, 0x307, 0xa, 0x54, 0x3, 0x54, 0x7, 0x54,
    0x30a, 0xa, 0x54, 0xc, 0x54, 0xe, 0x54, 0x30d, 0xb, 0x54, 0x5, 0x54,
    0x30f, 0xa, 0x54, 0x3, 0x54, 0x3, 0x54, 0x3, 0x54, 0x3, 0x54, 0x5, 0x54,
    0x315, 0xa, 0x54, 0x3, 0x54, 0x7, 0x54, 0x318, 0xa, 0x54, 0xc, 0x54,
    0xe, 0x54, 0x31b, 0xb, 0x54, 0x3, 0x54, 0x5, 0x54, 0x31e, 0xa, 0x54,
    0x3, 0x55, 0x3, 0x55, 0x3, 0x55, 0x5, 0x55, 0x323, 0xa, 0x55, 0x3, 0x55,
    0x5, 0x55, 0x326, 0xa, 0x55, 0x3, 0x56, 0x3, 0x56, 0x3, 0x56, 0x3, 0x56,
    0x3, 0x57, 0x3, 0x57, 0x3, 0x57, 0x3, 0x57, 0x5, 0x57, 0x330, 0xa, 0x57,
    0x7, 0x57, 0x332, 0xa, 0x57, 0xc, 0x57, 0xe, 0x57, 0x335, 0xb, 0x57,
    0x5, 0x57, 0x337, 0xa, 0x57, 0x3, 0x57, 0x3, 0x57, 0x3, 0x58, 0x3, 0x58,
    0x3, 0x59, 0x3, 0x59, 0x3, 0x59, 0x3, 0x59, 0x3, 0x5a, 0x3, 0x5a, 0x3,
    0x5a, 0x3, 0x5a, 0x5, 0x5a, 0x345, 0xa, 0x5a, 0x7, 0x5a, 0x347, 0xa,
    0x5a, 0xc, 0x5a, 0xe, 0x5a, 0x34a, 0xb, 0x5a, 0x5, 0x5a, 0x34c, 0xa,
    0x5a, 0x3, 0x5a, 0x3, 0x5a, 0x3, 0x5b, 0x3, 0x5b, 0x3, 0x5b, 0x5, 0x5b,
    0x353, 0xa, 0x5b, 0x3, 0x5c, 0x3, 0x5c, 0x3, 0x5c, 0x7, 0x5c, 0x358,
    0xa, 0x5c, 0xc, 0x5c, 0xe, 0x5c, 0x35b, 0xb, 0x5c, 0x3, 0x5d, 0x3, 0x5d,
    0x5, 0x5d, 0x35f, 0xa, 0x5d, 0x3, 0x5e, 0x3, 0x5e, 0x3, 0x5f, 0x3, 0x5f,
    0x3, 0x5f, 0x2, 0x2, 0x60, 0x2, 0x4, 0x6, 0x8, 0xa, 0xc, 0xe, 0x10,
    0x12, 0x14, 0x16, 0x18, 0x1a, 0x1c, 0x1e, 0x20, 0x22, 0x24, 0x26, 0x28,
    0x2a, 0x2c, 0x2e, 0x30, 0x32, 0x34, 0x36, 0x38, 0x3a, 0x3c, 0x3e, 0x40,
    0x42, 0x44, 0x46, 0x48, 0x4a, 0x4c, 0x4e, 0x50, 0x52, 0x54, 0x56, 0x58,
    0x5a, 0x5c, 0x5e, 0x60, 0x62, 0x64, 0x66, 0x68, 0x6a, 0x6c, 0x6e, 0x70,
    0x72, 0x74, 0x76, 0x78, 0x7a, 0x7c, 0x7e, 0x80, 0x82, 0x84, 0x86, 0x88,
    0x8a, 0x8c, 0x8e, 0x90, 0x92, 0x94, 0x96, 0x98, 0x9a, 0x9c, 0x9e, 0xa0,
    0xa2, 0xa4, 0xa6, 0xa8, 0xaa, 0xac, 0xae, 0xb0, 0xb2, 0xb4, 0xb6, 0xb8,
    0xba, 0xbc, 0x2, 0x9, 0x3, 0x2, 0x58, 0x59, 0x3, 0x2, 0x11, 0x12, 0x3,
    0x2, 0x47, 0x4b, 0x4, 0x2, 0x2c, 0x2f, 0x4c, 0x53, 0x3, 0x2, 0x58, 0x5c,
    0x4, 0x2, 0x31, 0x31, 0x33, 0x33, 0x4, 0x2, 0x33, 0x33, 0x35, 0x36,
    0x2, 0x375, 0x2, 0xc1, 0x3, 0x2, 0x2, 0x2, 0x4, 0xd4, 0x3, 0x2, 0x2,
    0x2, 0x6, 0xd6, 0x3, 0x2, 0x2, 0x2, 0x8, 0xda, 0x3, 0x2, 0x2, 0x2, 0xa,
    0xe2, 0x3, 0x2, 0x2, 0x2, 0xc, 0xe4, 0x3, 0x2, 0x2, 0x2, 0xe, 0xe8,
    0x3, 0x2, 0x2, 0x2, 0x10, 0xf1, 0x3, 0x2, 0x2, 0x2, 0x12, 0x100, 0x3,
    0x2, 0x2, 0x2, 0x14, 0x102, 0x3, 0x2, 0x2, 0x2, 0x16, 0x10c, 0x3, 0x2,
    0x2, 0x2, 0x18, 0x115, 0x3, 0x2, 0x2, 0x2, 0x1a, 0x119, 0x3, 0x2, 0x2,
    0x2, 0x1c, 0x121, 0x3, 0x2, 0x2, 0x2, 0x1e, 0x128, 0x3, 0x2, 0x2, 0x2,
    0x20, 0x12d, 0x3, 0x2, 0x2, 0x2, 0x22, 0x12f, 0x3, 0x2, 0x2, 0x2, 0x24,
    0x134, 0x3, 0x2, 0x2, 0x2, 0x26, 0x141, 0x3, 0x2, 0x2, 0x2, 0x28, 0x145,
    0x3, 0x2, 0x2, 0x2, 0x2a, 0x157, 0x3, 0x2, 0x2, 0x2, 0x2c, 0x159, 0x3,
    0x2, 0x2, 0x2, 0x2e, 0x15b, 0x3, 0x2, 0x2, 0x2, 0x30, 0x15d, 0x3, 0x2,
    0x2, 0x2, 0x32, 0x166, 0x3, 0x2, 0x2, 0x2, 0x34, 0x169, 0x3, 0x2, 0x2,
    0x2, 0x36, 0x16d, 0x3, 0x2, 0x2, 0x2, 0x38, 0x174, 0x3, 0x2, 0x2, 0x2,
    0x3a, 0x181, 0x3, 0x2, 0x2, 0x2, 0x3c, 0x184, 0x3, 0x2, 0x2, 0x2, 0x3e,
    0x189, 0x3, 0x2, 0x2, 0x2, 0x40, 0x198, 0x3, 0x2, 0x2, 0x2, 0x42, 0x19a,
    0x3, 0x2, 0x2, 0x2, 0x44, 0x1a1, 0x3, 0x2, 0x2, 0x2, 0x46, 0x1b2, 0x3,
    0x2, 0x2, 0x2, 0x48, 0x1b7, 0x3, 0x2, 0x2, 0x2, 0x4a, 0x1bc, 0x3, 0x2,
    0x2, 0x2, 0x4c, 0x1be, 0x3, 0x2, 0x2, 0x2, 0x4e, 0x1d0, 0x3, 0x2, 0x2,
    0x2, 0x50, 0x1da, 0x3, 0x2, 0x2, 0x2, 0x52, 0x1de, 0x3, 0x2, 0x2, 0x2,
    0x54, 0x1e3, 0x3, 0x2, 0x2, 0x2, 0x56, 0x1ff, 0x3, 0x2, 0x2, 0x2, 0x58,
    0x201, 0x3, 0x2, 0x2, 0x2, 0x5a, 0x207, 0x3, 0x2, 0x2, 0x2, 0x5c, 0x209,
    0x3, 0x2, 0x2, 0x2, 0x5e, 0x20d, 0x3, 0x2, 0x2, 0x2, 0x60, 0x211, 0x3,
    0x2, 0x2, 0x2, 0x62, 0x21a, 0x3, 0x2, 0x2, 0x2, 0x64, 0x21e, 0x3, 0x2,
    0x2, 0x2, 0x66, 0x225, 0x3, 0x2, 0x2, 0x2, 0x68, 0x22f, 0x3, 0x2, 0x2,
    0x2, 0x6a, 0x236, 0x3, 0x2, 0x2, 0x2, 0x6c, 0x241, 0x3, 0x2, 0x2, 0x2,
    0x6e, 0x245, 0x3, 0x2, 0x2, 0x2, 0x70, 0x24c, 0x3, 0x2, 0x2, 0x2, 0x72,
    0x258, 0x3, 0x2, 0x2, 0x2, 0x74, 0x25a, 0x3, 0x2, 0x2, 0x2, 0x76, 0x25e,
    0x3, 0x2, 0x2, 0x2, 0x78, 0x264, 0x3, 0x2, 0x2, 0x2, 0x7a, 0x279, 0x3,
    0x2, 0x2, 0x2, 0x7c, 0x27f, 0x3, 0x2, 0x2, 0x2, 0x7e, 0x283, 0x3, 0x2,
    0x2, 0x2, 0x80, 0x285, 0x3, 0x2, 0x2, 0x2, 0x82, 0x28d, 0x3, 0x2, 0x2,
    0x2, 0x84, 0x294, 0x3, 0x2, 0x2, 0x2, 0x86, 0x2a5, 0x3, 0x2, 0x2, 0x2,
    0x88, 0x2a9, 0x3, 0x2, 0x2, 0x2, 0x8a, 0x2ad, 0x3, 0x2, 0x2, 0x2, 0x8c,
    0x2b0, 0x3, 0x2, 0x2, 0x2, 0x8e, 0x2b6, 0x3, 0x2, 0x2, 0x2, 0x90, 0x2b9,
    0x3, 0x2, 0x2, 0x2, 0x92, 0x2c1, 0x3, 0x2, 0x2, 0x2, 0x94, 0x2cc, 0x3,
    0x2, 0x2, 0x2, 0x96, 0x2d1, 0x3, 0x2, 0x2, 0x2, 0x98, 0x2dd, 0x3, 0x2,
    0x2, 0x2, 0x9a, 0x2df, 0x3, 0x2, 0x2, 0x2, 0x9c, 0x2e2, 0x3, 0x2, 0x2,
    0x2, 0x9e, 0x2e6, 0x3, 0x2, 0x2, 0x2, 0xa0, 0x2f4, 0x3, 0x2, 0x2, 0x2,
    0xa2, 0x2ff, 0x3, 0x2, 0x2, 0x2, 0xa4, 0x301, 0x3, 0x2, 0x2, 0x2, 0xa6,
    0x31d, 0x3, 0x2, 0x2, 0x2, 0xa8, 0x325, 0x3, 0x2, 0x2, 0x2, 0xaa, 0x327,
    0x3, 0x2, 0x2, 0x2, 0xac, 0x32b, 0x3, 0x2, 0x2, 0x2, 0xae, 0x33a, 0x3,
    0x2, 0x2, 0x2, 0xb0, 0x33c, 0x3, 0x2, 0x2, 0x2, 0xb2, 0x340, 0x3, 0x2,
    0x2, 0x2, 0xb4, 0x34f, 0x3, 0x2, 0x2, 0x2, 0xb6, 0x354, 0x3, 0x2, 0x2,
    0x2, 0xb8, 0x35c, 0x3, 0x2, 0x2, 0x2, 0xba, 0x360, 0x3, 0x2, 0x2, 0x2,
    0xbc, 0x362, 0x3, 0x2, 0x2, 0x2, 0xbe, 0xc0, 0x5, 0x4, 0x3, 0x2, 0xbf,
    0xbe, 0x3, 0x2, 0x2, 0x2, 0xc0, 0xc3, 0x3, 0x2, 0x2, 0x2, 0xc1, 0xbf,
    0x3, 0x2, 0x2, 0x2, 0xc1, 0xc2, 0x3, 0x2, 0x2, 0x2, 0xc2, 0xc4, 0x3,
    0x2, 0x2, 0x2, 0xc3, 0xc1, 0x3, 0x2, 0x2, 0x2, 0xc4, 0xc5, 0x7, 0x2,
    0x2, 0x3, 0xc5, 0x3, 0x3, 0x2, 0x2, 0x2, 0xc6, 0xd5, 0x5, 0x6, 0x4,
    0x2, 0xc7, 0xd5, 0x5, 0x8, 0x5, 0x2, 0xc8, 0xd5, 0x5, 0xc, 0x7, 0x2,
    0xc9, 0xd5, 0x5, 0x14, 0xb, 0x2, 0xca, 0xd5, 0x5, 0x24, 0x13, 0x2, 0xcb,
    0xd5, 0x5, 0x28, 0x15, 0x2, 0xcc, 0xd5, 0x5, 0x2e, 0x18, 0x2, 0xcd,
    0xd5, 0x5, 0x26, 0x14, 0x2, 0xce, 0xd5, 0x5, 0x30, 0x19, 0x2, 0xcf,
    0xd5, 0x5, 0x36, 0x1c, 0x2, 0xd0, 0xd5, 0x5, 0x3c, 0x1f, 0x2, 0xd1,
    0xd5, 0x5, 0x3e, 0x20, 0x2, 0xd2, 0xd5, 0x5, 0x4c, 0x27, 0x2, 0xd3,
    0xd5, 0x5, 0x4e, 0x28, 0x2, 0xd4, 0xc6, 0x3, 0x2, 0x2, 0x2, 0xd4, 0xc7,
    0x3, 0x2, 0x2, 0x2, 0xd4, 0xc8, 0x3, 0x2, 0x2, 0x2, 0xd4, 0xc9, 0x3,
    0x2, 0x2, 0x2, 0xd4, 0xca, 0x3, 0x2, 0x2, 0x2, 0xd4, 0xcb, 0x3, 0x2,
    0x2, 0x2, 0xd4, 0xcc, 0x3, 0x2, 0x2, 0x2, 0xd4, 0xcd, 0x3, 0x2, 0x2,
    0x2, 0xd4, 0xce, 0x3, 0x2, 0x2, 0x2, 0xd4, 0xcf, 0x3, 0x2, 0x2, 0x2,
    0xd4, 0xd0, 0x3, 0x2, 0x2, 0x2, 0xd4, 0xd1, 0x3, 0x2, 0x2, 0x2, 0xd4,
    0xd2, 0x3, 0x2, 0x2, 0x2, 0xd4, 0xd3, 0x3, 0x2, 0x2, 0x2, 0xd5, 0x5,
    0x3, 0x2, 0x2, 0x2, 0xd6, 0xd7, 0x7, 0x3, 0x2, 0x2, 0xd7, 0xd8, 0x7,
    0x32, 0x2, 0x2, 0xd8, 0xd9, 0x7, 0x3f, 0x2, 0x2, 0xd9, 0x7, 0x3, 0x2,
    0x2, 0x2, 0xda, 0xdb, 0x7, 0x4, 0x2, 0x2, 0xdb, 0xe0, 0x5, 0x2c, 0x17,
    0x2, 0xdc, 0xdd, 0x5, 0xa, 0x6, 0x2, 0xdd, 0xde, 0x7, 0x3f, 0x2, 0x2,
    0xde, 0xe1, 0x3, 0x2, 0x2, 0x2, 0xdf, 0xe1, 0x5, 0xe, 0x8, 0x2, 0xe0,
    0xdc, 0x3, 0x2, 0x2, 0x2, 0xe0, 0xdf, 0x3, 0x2, 0x2, 0x2, 0xe1, 0x9,
    0x3, 0x2, 0x2, 0x2, 0xe2, 0xe3, 0x7, 0x25, 0x2, 0x2, 0xe3, 0xb, 0x3,
    0x2, 0x2, 0x2, 0xe4, 0xe5, 0x7, 0x5, 0x2, 0x2, 0xe5, 0xe6, 0x5, 0x2c,
    0x17, 0x2, 0xe6, 0xe7, 0x5, 0xe, 0x8, 0x2, 0xe7, 0xd, 0x3, 0x2, 0x2,
    0x2, 0xe8, 0xec, 0x7, 0x39, 0x2, 0x2, 0xe9, 0xeb, 0x5, 0x10, 0x9, 0x2,
    0xea, 0xe9, 0x3, 0x2, 0x2, 0x2, 0xeb, 0xee, 0x3, 0x2, 0x2, 0x2, 0xec,
    0xea, 0x3, 0x2, 0x2, 0x2, 0xec, 0xed, 0x3, 0x2, 0x2, 0x2, 0xed, 0xef,
    0x3, 0x2, 0x2, 0x2, 0xee, 0xec, 0x3, 0x2, 0x2, 0x2, 0xef, 0xf0, 0x7,
    0x3a, 0x2, 0x2, 0xf0, 0xf, 0x3, 0x2, 0x2, 0x2, 0xf1, 0xf2, 0x7, 0x41,
    0x2, 0x2, 0xf2, 0xf3, 0x5, 0x12, 0xa, 0x2, 0xf3, 0xfe, 0x7, 0x47, 0x2,
    0x2, 0xf4, 0xff, 0x5, 0xe, 0x8, 0x2, 0xf5, 0xf9, 0x5, 0x90, 0x49, 0x2,
    0xf6, 0xf8, 0x5, 0xba, 0x5e, 0x2, 0xf7, 0xf6, 0x3, 0x2, 0x2, 0x2, 0xf8,
    0xfb, 0x3, 0x2, 0x2, 0x2, 0xf9, 0xf7, 0x3, 0x2, 0x2, 0x2, 0xf9, 0xfa,
    0x3, 0x2, 0x2, 0x2, 0xfa, 0xfc, 0x3, 0x2, 0x2, 0x2, 0xfb, 0xf9, 0x3,
    0x2, 0x2, 0x2, 0xfc, 0xfd, 0x7, 0x3f, 0x2, 0x2, 0xfd, 0xff, 0x3, 0x2,
    0x2, 0x2, 0xfe, 0xf4, 0x3, 0x2, 0x2, 0x2, 0xfe, 0xf5, 0x3, 0x2, 0x2,
    0x2, 0xff, 0x11, 0x3, 0x2, 0x2, 0x2, 0x100, 0x101, 0x7, 0x31, 0x2, 0x2,
    0x101, 0x13, 0x3, 0x2, 0x2, 0x2, 0x102, 0x103, 0x7, 0x6, 0x2, 0x2, 0x103,
    0x107, 0x5, 0x2c, 0x17, 0x2, 0x104, 0x106, 0x5, 0x18, 0xd, 0x2, 0x105,
    0x104, 0x3, 0x2, 0x2, 0x2, 0x106, 0x109, 0x3, 0x2, 0x2, 0x2, 0x107,
    0x105, 0x3, 0x2, 0x2, 0x2, 0x107, 0x108, 0x3, 0x2, 0x2, 0x2, 0x108,
    0x10a, 0x3, 0x2, 0x2, 0x2, 0x109, 0x107, 0x3, 0x2, 0x2, 0x2, 0x10a,
    0x10b, 0x5, 0x16, 0xc, 0x2, 0x10b, 0x15, 0x3, 0x2, 0x2, 0x2, 0x10c,
    0x110, 0x7, 0x39, 0x2, 0x2, 0x10d, 0x10f, 0x5, 0x1a, 0xe, 0x2, 0x10e,
    0x10d, 0x3, 0x2, 0x2, 0x2, 0x10f, 0x112, 0x3, 0x2, 0x2, 0x2, 0x110,
    0x10e, 0x3, 0x2, 0x2, 0x2, 0x110, 0x111, 0x3, 0x2, 0x2, 0x2, 0x111,
    0x113, 0x3, 0x2, 0x2, 0x2, 0x112, 0x110, 0x3, 0x2, 0x2, 0x2, 0x113,
    0x114, 0x7, 0x3a, 0x2, 0x2, 0x114, 0x17, 0x3, 0x2, 0x2, 0x2, 0x115,
    0x116, 0x9, 0x2, 0x2, 0x2, 0x116, 0x117, 0x7, 0x31, 0x2, 0x2, 0x117,
    0x19, 0x3, 0x2, 0x2, 0x2, 0x118, 0x11a, 0x5, 0x20, 0x11, 0x2, 0x119,
    0x118, 0x3, 0x2, 0x2, 0x2, 0x119, 0x11a, 0x3, 0x2, 0x2, 0x2, 0x11a,
    0x11d, 0x3, 0x2, 0x2, 0x2, 0x11b, 0x11e, 0x5, 0x1c, 0xf, 0x2, 0x11c,
    0x11e, 0x5, 0x1e, 0x10, 0x2, 0x11d, 0x11b, 0x3, 0x2, 0x2, 0x2, 0x11d,
    0x11c, 0x3, 0x2, 0x2, 0x2, 0x11e, 0x11f, 0x3, 0x2, 0x2, 0x2, 0x11f,
    0x120, 0x7, 0x3f, 0x2, 0x2, 0x120, 0x1b, 0x3, 0x2, 0x2, 0x2, 0x121,
    0x123, 0x7, 0x3b, 0x2, 0x2, 0x122, 0x124, 0x5, 0x20, 0x11, 0x2, 0x123,
    0x122, 0x3, 0x2, 0x2, 0x2, 0x123, 0x124, 0x3, 0x2, 0x2, 0x2, 0x124,
    0x125, 0x3, 0x2, 0x2, 0x2, 0x125, 0x126, 0x5, 0x1e, 0x10, 0x2, 0x126,
    0x127, 0x7, 0x3c, 0x2, 0x2, 0x127, 0x1d, 0x3, 0x2, 0x2, 0x2, 0x128,
    0x12b, 0x5, 0xba, 0x5e, 0x2, 0x129, 0x12a, 0x7, 0x5b, 0x2, 0x2, 0x12a,
    0x12c, 0x5, 0x22, 0x12, 0x2, 0x12b, 0x129, 0x3, 0x2, 0x2, 0x2, 0x12b,
    0x12c, 0x3, 0x2, 0x2, 0x2, 0x12c, 0x1f, 0x3, 0x2, 0x2, 0x2, 0x12d, 0x12e,
    0x7, 0x54, 0x2, 0x2, 0x12e, 0x21, 0x3, 0x2, 0x2, 0x2, 0x12f, 0x130,
    0x7, 0x32, 0x2, 0x2, 0x130, 0x23, 0x3, 0x2, 0x2, 0x2, 0x131, 0x133,
    0x5, 0x52, 0x2a, 0x2, 0x132, 0x131, 0x3, 0x2, 0x2, 0x2, 0x133, 0x136,
    0x3, 0x2, 0x2, 0x2, 0x134, 0x132, 0x3, 0x2, 0x2, 0x2, 0x134, 0x135,
    0x3, 0x2, 0x2, 0x2, 0x135, 0x13d, 0x3, 0x2, 0x2, 0x2, 0x136, 0x134,
    0x3, 0x2, 0x2, 0x2, 0x137, 0x138, 0x7, 0x7, 0x2, 0x2, 0x138, 0x13e,
    0x5, 0x2c, 0x17, 0x2, 0x139, 0x13a, 0x7, 0xf, 0x2, 0x2, 0x13a, 0x13b,
    0x5, 0x2c, 0x17, 0x2, 0x13b, 0x13c, 0x5, 0x38, 0x1d, 0x2, 0x13c, 0x13e,
    0x3, 0x2, 0x2, 0x2, 0x13d, 0x137, 0x3, 0x2, 0x2, 0x2, 0x13d, 0x139,
    0x3, 0x2, 0x2, 0x2, 0x13e, 0x13f, 0x3, 0x2, 0x2, 0x2, 0x13f, 0x140,
    0x5, 0x54, 0x2b, 0x2, 0x140, 0x25, 0x3, 0x2, 0x2, 0x2, 0x141, 0x142,
    0x7, 0x27, 0x2, 0x2, 0x142, 0x143, 0x5, 0xba, 0x5e, 0x2, 0x143, 0x144,
    0x5, 0x54, 0x2b, 0x2, 0x144, 0x27, 0x3, 0x2, 0x2, 0x2, 0x145, 0x153,
    0x7, 0x8, 0x2, 0x2, 0x146, 0x149, 0x5, 0x2c, 0x17, 0x2, 0x147, 0x148,
    0x7, 0x24, 0x2, 0x2, 0x148, 0x14a, 0x5, 0x2a, 0x16, 0x2, 0x149, 0x147,
    0x3, 0x2, 0x2, 0x2, 0x149, 0x14a, 0x3, 0x2, 0x2, 0x2, 0x14a, 0x14d,
    0x3, 0x2, 0x2, 0x2, 0x14b, 0x14c, 0x7, 0x23, 0x2, 0x2, 0x14c, 0x14e,
    0x5, 0xba, 0x5e, 0x2, 0x14d, 0x14b, 0x3, 0x2, 0x2, 0x2, 0x14d, 0x14e,
    0x3, 0x2, 0x2, 0x2, 0x14e, 0x154, 0x3, 0x2, 0x2, 0x2, 0x14f, 0x150,
    0x5, 0xba, 0x5e, 0x2, 0x150, 0x151, 0x7, 0x24, 0x2, 0x2, 0x151, 0x152,
    0x5, 0x2a, 0x16, 0x2, 0x152, 0x154, 0x3, 0x2, 0x2, 0x2, 0x153, 0x146,
    0x3, 0x2, 0x2, 0x2, 0x153, 0x14f, 0x3, 0x2, 0x2, 0x2, 0x154, 0x155,
    0x3, 0x2, 0x2, 0x2, 0x155, 0x156, 0x7, 0x3f, 0x2, 0x2, 0x156, 0x29,
    0x3, 0x2, 0x2, 0x2, 0x157, 0x158, 0x7, 0x31, 0x2, 0x2, 0x158, 0x2b,
    0x3, 0x2, 0x2, 0x2, 0x159, 0x15a, 0x7, 0x31, 0x2, 0x2, 0x15a, 0x2d,
    0x3, 0x2, 0x2, 0x2, 0x15b, 0x15c, 0x7, 0x38, 0x2, 0x2, 0x15c, 0x2f,
    0x3, 0x2, 0x2, 0x2, 0x15d, 0x15e, 0x9, 0x3, 0x2, 0x2, 0x15e, 0x160,
    0x5, 0x2c, 0x17, 0x2, 0x15f, 0x161, 0x5, 0x32, 0x1a, 0x2, 0x160, 0x15f,
    0x3, 0x2, 0x2, 0x2, 0x160, 0x161, 0x3, 0x2, 0x2, 0x2, 0x161, 0x162,
    0x3, 0x2, 0x2, 0x2, 0x162, 0x163, 0x7, 0x47, 0x2, 0x2, 0x163, 0x164,
    0x5, 0x90, 0x49, 0x2, 0x164, 0x165, 0x7, 0x3f, 0x2, 0x2, 0x165, 0x31,
    0x3, 0x2, 0x2, 0x2, 0x166, 0x167, 0x7, 0x42, 0x2, 0x2, 0x167, 0x168,
    0x5, 0x34, 0x1b, 0x2, 0x168, 0x33, 0x3, 0x2, 0x2, 0x2, 0x169, 0x16b,
    0x7, 0x31, 0x2, 0x2, 0x16a, 0x16c, 0x7, 0x43, 0x2, 0x2, 0x16b, 0x16a,
    0x3, 0x2, 0x2, 0x2, 0x16b, 0x16c, 0x3, 0x2, 0x2, 0x2, 0x16c, 0x35, 0x3,
    0x2, 0x2, 0x2, 0x16d, 0x16e, 0x7, 0x13, 0x2, 0x2, 0x16e, 0x16f, 0x5,
    0x2c, 0x17, 0x2, 0x16f, 0x170, 0x5, 0x38, 0x1d, 0x2, 0x170, 0x171, 0x7,
    0x45, 0x2, 0x2, 0x171, 0x172, 0x5, 0x34, 0x1b, 0x2, 0x172, 0x173, 0x5,
    0x54, 0x2b, 0x2, 0x173, 0x37, 0x3, 0x2, 0x2, 0x2, 0x174, 0x17d, 0x7,
    0x3b, 0x2, 0x2, 0x175, 0x17a, 0x5, 0x3a, 0x1e, 0x2, 0x176, 0x177, 0x7,
    0x40, 0x2, 0x2, 0x177, 0x179, 0x5, 0x3a, 0x1e, 0x2, 0x178, 0x176, 0x3,
    0x2, 0x2, 0x2, 0x179, 0x17c, 0x3, 0x2, 0x2, 0x2, 0x17a, 0x178, 0x3,
    0x2, 0x2, 0x2, 0x17a, 0x17b, 0x3, 0x2, 0x2, 0x2, 0x17b, 0x17e, 0x3,
    0x2, 0x2, 0x2, 0x17c, 0x17a, 0x3, 0x2, 0x2, 0x2, 0x17d, 0x175, 0x3,
    0x2, 0x2, 0x2, 0x17d, 0x17e, 0x3, 0x2, 0x2, 0x2, 0x17e, 0x17f, 0x3,
    0x2, 0x2, 0x2, 0x17f, 0x180, 0x7, 0x3c, 0x2, 0x2, 0x180, 0x39, 0x3,
    0x2, 0x2, 0x2, 0x181, 0x182, 0x5, 0x2c, 0x17, 0x2, 0x182, 0x183, 0x5,
    0x32, 0x1a, 0x2, 0x183, 0x3b, 0x3, 0x2, 0x2, 0x2, 0x184, 0x185, 0x7,
    0x10, 0x2, 0x2, 0x185, 0x186, 0x5, 0x2c, 0x17, 0x2, 0x186, 0x187, 0x5,
    0xac, 0x57, 0x2, 0x187, 0x188, 0x7, 0x3f, 0x2, 0x2, 0x188, 0x3d, 0x3,
    0x2, 0x2, 0x2, 0x189, 0x18a, 0x7, 0x14, 0x2, 0x2, 0x18a, 0x18b, 0x5,
    0x2c, 0x17, 0x2, 0x18b, 0x18c, 0x5, 0x32, 0x1a, 0x2, 0x18c, 0x18d, 0x7,
    0x29, 0x2, 0x2, 0x18d, 0x194, 0x5, 0x40, 0x21, 0x2, 0x18e, 0x195, 0x5,
    0x44, 0x23, 0x2, 0x18f, 0x190, 0x7, 0x23, 0x2, 0x2, 0x190, 0x192, 0x5,
    0xba, 0x5e, 0x2, 0x191, 0x193, 0x5, 0x42, 0x22, 0x2, 0x192, 0x191, 0x3,
    0x2, 0x2, 0x2, 0x192, 0x193, 0x3, 0x2, 0x2, 0x2, 0x193, 0x195, 0x3,
    0x2, 0x2, 0x2, 0x194, 0x18e, 0x3, 0x2, 0x2, 0x2, 0x194, 0x18f, 0x3,
    0x2, 0x2, 0x2, 0x195, 0x196, 0x3, 0x2, 0x2, 0x2, 0x196, 0x197, 0x7,
    0x3f, 0x2, 0x2, 0x197, 0x3f, 0x3, 0x2, 0x2, 0x2, 0x198, 0x199, 0x7,
    0x31, 0x2, 0x2, 0x199, 0x41, 0x3, 0x2, 0x2, 0x2, 0x19a, 0x19b, 0x7,
    0x2a, 0x2, 0x2, 0x19b, 0x19c, 0x7, 0x3b, 0x2, 0x2, 0x19c, 0x19d, 0x7,
    0x31, 0x2, 0x2, 0x19d, 0x19e, 0x7, 0x40, 0x2, 0x2, 0x19e, 0x19f, 0x7,
    0x31, 0x2, 0x2, 0x19f, 0x1a0, 0x7, 0x3c, 0x2, 0x2, 0x1a0, 0x43, 0x3,
    0x2, 0x2, 0x2, 0x1a1, 0x1ac, 0x7, 0x3d, 0x2, 0x2, 0x1a2, 0x1a9, 0x5,
    0x46, 0x24, 0x2, 0x1a3, 0x1a5, 0x7, 0x40, 0x2, 0x2, 0x1a4, 0x1a6, 0x5,
    0x46, 0x24, 0x2, 0x1a5, 0x1a4, 0x3, 0x2, 0x2, 0x2, 0x1a5, 0x1a6, 0x3,
    0x2, 0x2, 0x2, 0x1a6, 0x1a8, 0x3, 0x2, 0x2, 0x2, 0x1a7, 0x1a3, 0x3,
    0x2, 0x2, 0x2, 0x1a8, 0x1ab, 0x3, 0x2, 0x2, 0x2, 0x1a9, 0x1a7, 0x3,
    0x2, 0x2, 0x2, 0x1a9, 0x1aa, 0x3, 0x2, 0x2, 0x2, 0x1aa, 0x1ad, 0x3,
    0x2, 0x2, 0x2, 0x1ab, 0x1a9, 0x3, 0x2, 0x2, 0x2, 0x1ac, 0x1a2, 0x3,
    0x2, 0x2, 0x2, 0x1ac, 0x1ad, 0x3, 0x2, 0x2, 0x2, 0x1ad, 0x1ae, 0x3,
    0x2, 0x2, 0x2, 0x1ae, 0x1af, 0x7, 0x3e, 0x2, 0x2, 0x1af, 0x45, 0x3,
    0x2, 0x2, 0x2, 0x1b0, 0x1b3, 0x5, 0x4a, 0x26, 0x2, 0x1b1, 0x1b3, 0x5,
    0x48, 0x25, 0x2, 0x1b2, 0x1b0, 0x3, 0x2, 0x2, 0x2, 0x1b2, 0x1b1, 0x3,
    0x2, 0x2, 0x2, 0x1b3, 0x1b4, 0x3, 0x2, 0x2, 0x2, 0x1b4, 0x1b5, 0x7,
    0x46, 0x2, 0x2, 0x1b5, 0x1b6, 0x5, 0x90, 0x49, 0x2, 0x1b6, 0x47, 0x3,
    0x2, 0x2, 0x2, 0x1b7, 0x1ba, 0x5, 0xba, 0x5e, 0x2, 0x1b8, 0x1b9, 0x7,
    0x5b, 0x2, 0x2, 0x1b9, 0x1bb, 0x5, 0x22, 0x12, 0x2, 0x1ba, 0x1b8, 0x3,
    0x2, 0x2, 0x2, 0x1ba, 0x1bb, 0x3, 0x2, 0x2, 0x2, 0x1bb, 0x49, 0x3, 0x2,
    0x2, 0x2, 0x1bc, 0x1bd, 0x7, 0x2b, 0x2, 0x2, 0x1bd, 0x4b, 0x3, 0x2,
    0x2, 0x2, 0x1be, 0x1bf, 0x7, 0x15, 0x2, 0x2, 0x1bf, 0x1cc, 0x5, 0x2c,
    0x17, 0x2, 0x1c0, 0x1c1, 0x7, 0x29, 0x2, 0x2, 0x1c1, 0x1c2, 0x7, 0x3b,
    0x2, 0x2, 0x1c2, 0x1c7, 0x5, 0x2c, 0x17, 0x2, 0x1c3, 0x1c4, 0x7, 0x40,
    0x2, 0x2, 0x1c4, 0x1c6, 0x5, 0x2c, 0x17, 0x2, 0x1c5, 0x1c3, 0x3, 0x2,
    0x2, 0x2, 0x1c6, 0x1c9, 0x3, 0x2, 0x2, 0x2, 0x1c7, 0x1c5, 0x3, 0x2,
    0x2, 0x2, 0x1c7, 0x1c8, 0x3, 0x2, 0x2, 0x2, 0x1c8, 0x1ca, 0x3, 0x2,
    0x2, 0x2, 0x1c9, 0x1c7, 0x3, 0x2, 0x2, 0x2, 0x1ca, 0x1cb, 0x7, 0x3c,
    0x2, 0x2, 0x1cb, 0x1cd, 0x3, 0x2, 0x2, 0x2, 0x1cc, 0x1c0, 0x3, 0x2,
    0x2, 0x2, 0x1cc, 0x1cd, 0x3, 0x2, 0x2, 0x2, 0x1cd, 0x1ce, 0x3, 0x2,
    0x2, 0x2, 0x1ce, 0x1cf, 0x7, 0x3f, 0x2, 0x2, 0x1cf, 0x4d, 0x3, 0x2,
    0x2, 0x2, 0x1d0, 0x1d1, 0x7, 0x16, 0x2, 0x2, 0x1d1, 0x1d5, 0x7, 0x39,
    0x2, 0x2, 0x1d2, 0x1d4, 0x5, 0x50, 0x29, 0x2, 0x1d3, 0x1d2, 0x3, 0x2,
    0x2, 0x2, 0x1d4, 0x1d7, 0x3, 0x2, 0x2, 0x2, 0x1d5, 0x1d3, 0x3, 0x2,
    0x2, 0x2, 0x1d5, 0x1d6, 0x3, 0x2, 0x2, 0x2, 0x1d6, 0x1d8, 0x3, 0x2,
    0x2, 0x2, 0x1d7, 0x1d5, 0x3, 0x2, 0x2, 0x2, 0x1d8, 0x1d9, 0x7, 0x3a,
    0x2, 0x2, 0x1d9, 0x4f, 0x3, 0x2, 0x2, 0x2, 0x1da, 0x1db, 0x7, 0x31,
    0x2, 0x2, 0x1db, 0x1dc, 0x7, 0x32, 0x2, 0x2, 0x1dc, 0x1dd, 0x7, 0x3f,
    0x2, 0x2, 0x1dd, 0x51, 0x3, 0x2, 0x2, 0x2, 0x1de, 0x1df, 0x7, 0x44,
    0x2, 0x2, 0x1df, 0x1e1, 0x7, 0x31, 0x2, 0x2, 0x1e0, 0x1e2, 0x5, 0xb2,
    0x5a, 0x2, 0x1e1, 0x1e0, 0x3, 0x2, 0x2, 0x2, 0x1e1, 0x1e2, 0x3, 0x2,
    0x2, 0x2, 0x1e2, 0x53, 0x3, 0x2, 0x2, 0x2, 0x1e3, 0x1e7, 0x7, 0x39,
    0x2, 0x2, 0x1e4, 0x1e6, 0x5, 0x56, 0x2c, 0x2, 0x1e5, 0x1e4, 0x3, 0x2,
    0x2, 0x2, 0x1e6, 0x1e9, 0x3, 0x2, 0x2, 0x2, 0x1e7, 0x1e5, 0x3, 0x2,
    0x2, 0x2, 0x1e7, 0x1e8, 0x3, 0x2, 0x2, 0x2, 0x1e8, 0x1ea, 0x3, 0x2,
    0x2, 0x2, 0x1e9, 0x1e7, 0x3, 0x2, 0x2, 0x2, 0x1ea, 0x1eb, 0x7, 0x3a,
    0x2, 0x2, 0x1eb, 0x55, 0x3, 0x2, 0x2, 0x2, 0x1ec, 0x200, 0x5, 0x58,
    0x2d, 0x2, 0x1ed, 0x200, 0x5, 0x5c, 0x2f, 0x2, 0x1ee, 0x200, 0x5, 0x5e,
    0x30, 0x2, 0x1ef, 0x200, 0x5, 0x60, 0x31, 0x2, 0x1f0, 0x200, 0x5, 0x68,
    0x35, 0x2, 0x1f1, 0x200, 0x5, 0x64, 0x33, 0x2, 0x1f2, 0x200, 0x5, 0x66,
    0x34, 0x2, 0x1f3, 0x200, 0x5, 0x54, 0x2b, 0x2, 0x1f4, 0x200, 0x5, 0x2e,
    0x18, 0x2, 0x1f5, 0x200, 0x5, 0x70, 0x39, 0x2, 0x1f6, 0x200, 0x5, 0x76,
    0x3c, 0x2, 0x1f7, 0x200, 0x5, 0x78, 0x3d, 0x2, 0x1f8, 0x200, 0x5, 0x80,
    0x41, 0x2, 0x1f9, 0x200, 0x5, 0x82, 0x42, 0x2, 0x1fa, 0x200, 0x5, 0x84,
    0x43, 0x2, 0x1fb, 0x200, 0x5, 0x88, 0x45, 0x2, 0x1fc, 0x200, 0x5, 0x8a,
    0x46, 0x2, 0x1fd, 0x200, 0x5, 0x8c, 0x47, 0x2, 0x1fe, 0x200, 0x5, 0x8e,
    0x48, 0x2, 0x1ff, 0x1ec, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1ed, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1ee, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1ef, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1f0, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1f1, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1f2, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1f3, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1f4, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1f5, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1f6, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1f7, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1f8, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1f9, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1fa, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1fb, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1fc, 0x3, 0x2, 0x2, 0x2, 0x1ff, 0x1fd, 0x3, 0x2,
    0x2, 0x2, 0x1ff, 0x1fe, 0x3, 0x2, 0x2, 0x2, 0x200, 0x57, 0x3, 0x2, 0x2,
    0x2, 0x201, 0x202, 0x7, 0x9, 0x2, 0x2, 0x202, 0x203, 0x5, 0xb6, 0x5c,
    0x2, 0x203, 0x204, 0x5, 0x5a, 0x2e, 0x2, 0x204, 0x205, 0x5, 0x90, 0x49,
    0x2, 0x205, 0x206, 0x7, 0x3f, 0x2, 0x2, 0x206, 0x59, 0x3, 0x2, 0x2,
    0x2, 0x207, 0x208, 0x9, 0x4, 0x2, 0x2, 0x208, 0x5b, 0x3, 0x2, 0x2, 0x2,
    0x209, 0x20a, 0x7, 0xa, 0x2, 0x2, 0x20a, 0x20b, 0x5, 0xb6, 0x5c, 0x2,
    0x20b, 0x20c, 0x7, 0x3f, 0x2, 0x2, 0x20c, 0x5d, 0x3, 0x2, 0x2, 0x2,
    0x20d, 0x20e, 0x7, 0xb, 0x2, 0x2, 0x20e, 0x20f, 0x5, 0xa6, 0x54, 0x2,
    0x20f, 0x210, 0x7, 0x3f, 0x2, 0x2, 0x210, 0x5f, 0x3, 0x2, 0x2, 0x2,
    0x211, 0x216, 0x7, 0xc, 0x2, 0x2, 0x212, 0x213, 0x7, 0x3b, 0x2, 0x2,
    0x213, 0x214, 0x5, 0x62, 0x32, 0x2, 0x214, 0x215, 0x7, 0x3c, 0x2, 0x2,
    0x215, 0x217, 0x3, 0x2, 0x2, 0x2, 0x216, 0x212, 0x3, 0x2, 0x2, 0x2,
    0x216, 0x217, 0x3, 0x2, 0x2, 0x2, 0x217, 0x218, 0x3, 0x2, 0x2, 0x2,
    0x218, 0x219, 0x7, 0x3f, 0x2, 0x2, 0x219, 0x61, 0x3, 0x2, 0x2, 0x2,
    0x21a, 0x21c, 0x5, 0xb6, 0x5c, 0x2, 0x21b, 0x21d, 0x5, 0xb2, 0x5a, 0x2,
    0x21c, 0x21b, 0x3, 0x2, 0x2, 0x2, 0x21c, 0x21d, 0x3, 0x2, 0x2, 0x2,
    0x21d, 0x63, 0x3, 0x2, 0x2, 0x2, 0x21e, 0x21f, 0x7, 0xe, 0x2, 0x2, 0x21f,
    0x220, 0x5, 0x2c, 0x17, 0x2, 0x220, 0x221, 0x7, 0x47, 0x2, 0x2, 0x221,
    0x222, 0x5, 0xb6, 0x5c, 0x2, 0x222, 0x223, 0x5, 0xb2, 0x5a, 0x2, 0x223,
    0x224, 0x7, 0x3f, 0x2, 0x2, 0x224, 0x65, 0x3, 0x2, 0x2, 0x2, 0x225,
    0x226, 0x5, 0xb6, 0x5c, 0x2, 0x226, 0x22a, 0x5, 0xb2, 0x5a, 0x2, 0x227,
    0x229, 0x5, 0xa8, 0x55, 0x2, 0x228, 0x227, 0x3, 0x2, 0x2, 0x2, 0x229,
    0x22c, 0x3, 0x2, 0x2, 0x2, 0x22a, 0x228, 0x3, 0x2, 0x2, 0x2, 0x22a,
    0x22b, 0x3, 0x2, 0x2, 0x2, 0x22b, 0x22d, 0x3, 0x2, 0x2, 0x2, 0x22c,
    0x22a, 0x3, 0x2, 0x2, 0x2, 0x22d, 0x22e, 0x7, 0x3f, 0x2, 0x2, 0x22e,
    0x67, 0x3, 0x2, 0x2, 0x2, 0x22f, 0x233, 0x5, 0x6a, 0x36, 0x2, 0x230,
    0x232, 0x5, 0x6c, 0x37, 0x2, 0x231, 0x230, 0x3, 0x2, 0x2, 0x2, 0x232,
    0x235, 0x3, 0x2, 0x2, 0x2, 0x233, 0x231, 0x3, 0x2, 0x2, 0x2, 0x233,
    0x234, 0x3, 0x2, 0x2, 0x2, 0x234, 0x69, 0x3, 0x2, 0x2, 0x2, 0x235, 0x233,
    0x3, 0x2, 0x2, 0x2, 0x236, 0x237, 0x7, 0xd, 0x2, 0x2, 0x237, 0x238,
    0x5, 0x6e, 0x38, 0x2, 0x238, 0x239, 0x5, 0x54, 0x2b, 0x2, 0x239, 0x6b,
    0x3, 0x2, 0x2, 0x2, 0x23a, 0x23b, 0x7, 0x22, 0x2, 0x2, 0x23b, 0x242,
    0x5, 0x6e, 0x38, 0x2, 0x23c, 0x23f, 0x7, 0x21, 0x2, 0x2, 0x23d, 0x23e,
    0x7, 0xd, 0x2, 0x2, 0x23e, 0x240, 0x5, 0x6e, 0x38, 0x2, 0x23f, 0x23d,
    0x3, 0x2, 0x2, 0x2, 0x23f, 0x240, 0x3, 0x2, 0x2, 0x2, 0x240, 0x242,
    0x3, 0x2, 0x2, 0x2, 0x241, 0x23a, 0x3, 0x2, 0x2, 0x2, 0x241, 0x23c,
    0x3, 0x2, 0x2, 0x2, 0x242, 0x243, 0x3, 0x2, 0x2, 0x2, 0x243, 0x244,
    0x5, 0x54, 0x2b, 0x2, 0x244, 0x6d, 0x3, 0x2, 0x2, 0x2, 0x245, 0x247,
    0x7, 0x3b, 0x2, 0x2, 0x246, 0x248, 0x5, 0x74, 0x3b, 0x2, 0x247, 0x246,
    0x3, 0x2, 0x2, 0x2, 0x247, 0x248, 0x3, 0x2, 0x2, 0x2, 0x248, 0x249,
    0x3, 0x2, 0x2, 0x2, 0x249, 0x24a, 0x5, 0x90, 0x49, 0x2, 0x24a, 0x24b,
    0x7, 0x3c, 0x2, 0x2, 0x24b, 0x6f, 0x3, 0x2, 0x2, 0x2, 0x24c, 0x24e,
    0x7, 0x17, 0x2, 0x2, 0x24d, 0x24f, 0x5, 0x72, 0x3a, 0x2, 0x24e, 0x24d,
    0x3, 0x2, 0x2, 0x2, 0x24e, 0x24f, 0x3, 0x2, 0x2, 0x2, 0x24f, 0x250,
    0x3, 0x2, 0x2, 0x2, 0x250, 0x252, 0x5, 0x2c, 0x17, 0x2, 0x251, 0x253,
    0x5, 0x32, 0x1a, 0x2, 0x252, 0x251, 0x3, 0x2, 0x2, 0x2, 0x252, 0x253,
    0x3, 0x2, 0x2, 0x2, 0x253, 0x254, 0x3, 0x2, 0x2, 0x2, 0x254, 0x255,
    0x7, 0x47, 0x2, 0x2, 0x255, 0x256, 0x5, 0x90, 0x49, 0x2, 0x256, 0x257,
    0x7, 0x3f, 0x2, 0x2, 0x257, 0x71, 0x3, 0x2, 0x2, 0x2, 0x258, 0x259,
    0x7, 0x28, 0x2, 0x2, 0x259, 0x73, 0x3, 0x2, 0x2, 0x2, 0x25a, 0x25b,
    0x7, 0x17, 0x2, 0x2, 0x25b, 0x25c, 0x5, 0x2c, 0x17, 0x2, 0x25c, 0x25d,
    0x7, 0x47, 0x2, 0x2, 0x25d, 0x75, 0x3, 0x2, 0x2, 0x2, 0x25e, 0x25f,
    0x7, 0x20, 0x2, 0x2, 0x25f, 0x260, 0x7, 0x3b, 0x2, 0x2, 0x260, 0x261,
    0x5, 0x90, 0x49, 0x2, 0x261, 0x262, 0x7, 0x3c, 0x2, 0x2, 0x262, 0x263,
    0x7, 0x3f, 0x2, 0x2, 0x263, 0x77, 0x3, 0x2, 0x2, 0x2, 0x264, 0x265,
    0x7, 0x18, 0x2, 0x2, 0x265, 0x266, 0x5, 0x6e, 0x38, 0x2, 0x266, 0x26a,
    0x7, 0x39, 0x2, 0x2, 0x267, 0x269, 0x5, 0x7a, 0x3e, 0x2, 0x268, 0x267,
    0x3, 0x2, 0x2, 0x2, 0x269, 0x26c, 0x3, 0x2, 0x2, 0x2, 0x26a, 0x268,
    0x3, 0x2, 0x2, 0x2, 0x26a, 0x26b, 0x3, 0x2, 0x2, 0x2, 0x26b, 0x26d,
    0x3, 0x2, 0x2, 0x2, 0x26c, 0x26a, 0x3, 0x2, 0x2, 0x2, 0x26d, 0x26e,
    0x7, 0x3a, 0x2, 0x2, 0x26e, 0x79, 0x3, 0x2, 0x2, 0x2, 0x26f, 0x270,
    0x7, 0x19, 0x2, 0x2, 0x270, 0x275, 0x5, 0x7c, 0x3f, 0x2, 0x271, 0x272,
    0x7, 0x40, 0x2, 0x2, 0x272, 0x274, 0x5, 0x7c, 0x3f, 0x2, 0x273, 0x271,
    0x3, 0x2, 0x2, 0x2, 0x274, 0x277, 0x3, 0x2, 0x2, 0x2, 0x275, 0x273,
    0x3, 0x2, 0x2, 0x2, 0x275, 0x276, 0x3, 0x2, 0x2, 0x2, 0x276, 0x27a,
    0x3, 0x2, 0x2, 0x2, 0x277, 0x275, 0x3, 0x2, 0x2, 0x2, 0x278, 0x27a,
    0x5, 0x4a, 0x26, 0x2, 0x279, 0x26f, 0x3, 0x2, 0x2, 0x2, 0x279, 0x278,
    0x3, 0x2, 0x2, 0x2, 0x27a, 0x27b, 0x3, 0x2, 0x2, 0x2, 0x27b, 0x27c,
    0x7, 0x42, 0x2, 0x2, 0x27c, 0x27d, 0x5, 0x54, 0x2b, 0x2, 0x27d, 0x7b,
    0x3, 0x2, 0x2, 0x2, 0x27e, 0x280, 0x5, 0x7e, 0x40, 0x2, 0x27f, 0x27e,
    0x3, 0x2, 0x2, 0x2, 0x27f, 0x280, 0x3, 0x2, 0x2, 0x2, 0x280, 0x281,
    0x3, 0x2, 0x2, 0x2, 0x281, 0x282, 0x5, 0x90, 0x49, 0x2, 0x282, 0x7d,
    0x3, 0x2, 0x2, 0x2, 0x283, 0x284, 0x7, 0x52, 0x2, 0x2, 0x284, 0x7f,
    0x3, 0x2, 0x2, 0x2, 0x285, 0x286, 0x7, 0x1a, 0x2, 0x2, 0x286, 0x287,
    0x7, 0x3b, 0x2, 0x2, 0x287, 0x288, 0x5, 0x2c, 0x17, 0x2, 0x288, 0x289,
    0x7, 0x2c, 0x2, 0x2, 0x289, 0x28a, 0x5, 0x90, 0x49, 0x2, 0x28a, 0x28b,
    0x7, 0x3c, 0x2, 0x2, 0x28b, 0x28c, 0x5, 0x54, 0x2b, 0x2, 0x28c, 0x81,
    0x3, 0x2, 0x2, 0x2, 0x28d, 0x28e, 0x7, 0x1b, 0x2, 0x2, 0x28e, 0x290,
    0x5, 0x2c, 0x17, 0x2, 0x28f, 0x291, 0x5, 0xb2, 0x5a, 0x2, 0x290, 0x28f,
    0x3, 0x2, 0x2, 0x2, 0x290, 0x291, 0x3, 0x2, 0x2, 0x2, 0x291, 0x292,
    0x3, 0x2, 0x2, 0x2, 0x292, 0x293, 0x7, 0x3f, 0x2, 0x2, 0x293, 0x83,
    0x3, 0x2, 0x2, 0x2, 0x294, 0x295, 0x7, 0x1c, 0x2, 0x2, 0x295, 0x2a0,
    0x7, 0x39, 0x2, 0x2, 0x296, 0x29d, 0x5, 0x86, 0x44, 0x2, 0x297, 0x299,
    0x7, 0x40, 0x2, 0x2, 0x298, 0x29a, 0x5, 0x86, 0x44, 0x2, 0x299, 0x298,
    0x3, 0x2, 0x2, 0x2, 0x299, 0x29a, 0x3, 0x2, 0x2, 0x2, 0x29a, 0x29c,
    0x3, 0x2, 0x2, 0x2, 0x29b, 0x297, 0x3, 0x2, 0x2, 0x2, 0x29c, 0x29f,
    0x3, 0x2, 0x2, 0x2, 0x29d, 0x29b, 0x3, 0x2, 0x2, 0x2, 0x29d, 0x29e,
    0x3, 0x2, 0x2, 0x2, 0x29e, 0x2a1, 0x3, 0x2, 0x2, 0x2, 0x29f, 0x29d,
    0x3, 0x2, 0x2, 0x2, 0x2a0, 0x296, 0x3, 0x2, 0x2, 0x2, 0x2a0, 0x2a1,
    0x3, 0x2, 0x2, 0x2, 0x2a1, 0x2a2, 0x3, 0x2, 0x2, 0x2, 0x2a2, 0x2a3,
    0x7, 0x3a, 0x2, 0x2, 0x2a3, 0x2a4, 0x7, 0x3f, 0x2, 0x2, 0x2a4, 0x85,
    0x3, 0x2, 0x2, 0x2, 0x2a5, 0x2a6, 0x5, 0xae, 0x58, 0x2, 0x2a6, 0x2a7,
    0x7, 0x47, 0x2, 0x2, 0x2a7, 0x2a8, 0x5, 0x90, 0x49, 0x2, 0x2a8, 0x87,
    0x3, 0x2, 0x2, 0x2, 0x2a9, 0x2aa, 0x7, 0x1d, 0x2, 0x2, 0x2aa, 0x2ab,
    0x5, 0xb2, 0x5a, 0x2, 0x2ab, 0x2ac, 0x7, 0x3f, 0x2, 0x2, 0x2ac, 0x89,
    0x3, 0x2, 0x2, 0x2, 0x2ad, 0x2ae, 0x7, 0x1e, 0x2, 0x2, 0x2ae, 0x2af,
    0x7, 0x3f, 0x2, 0x2, 0x2af, 0x8b, 0x3, 0x2, 0x2, 0x2, 0x2b0, 0x2b1,
    0x7, 0x1f, 0x2, 0x2, 0x2b1, 0x2b2, 0x5, 0xba, 0x5e, 0x2, 0x2b2, 0x2b3,
    0x7, 0x39, 0x2, 0x2, 0x2b3, 0x2b4, 0x5, 0x90, 0x49, 0x2, 0x2b4, 0x2b5,
    0x7, 0x3a, 0x2, 0x2, 0x2b5, 0x8d, 0x3, 0x2, 0x2, 0x2, 0x2b6, 0x2b7,
    0x5, 0x52, 0x2a, 0x2, 0x2b7, 0x2b8, 0x5, 0x56, 0x2c, 0x2, 0x2b8, 0x8f,
    0x3, 0x2, 0x2, 0x2, 0x2b9, 0x2be, 0x5, 0x92, 0x4a, 0x2, 0x2ba, 0x2bb,
    0x7, 0x57, 0x2, 0x2, 0x2bb, 0x2bd, 0x5, 0x92, 0x4a, 0x2, 0x2bc, 0x2ba,
    0x3, 0x2, 0x2, 0x2, 0x2bd, 0x2c0, 0x3, 0x2, 0x2, 0x2, 0x2be, 0x2bc,
    0x3, 0x2, 0x2, 0x2, 0x2be, 0x2bf, 0x3, 0x2, 0x2, 0x2, 0x2bf, 0x91, 0x3,
    0x2, 0x2, 0x2, 0x2c0, 0x2be, 0x3, 0x2, 0x2, 0x2, 0x2c1, 0x2c6, 0x5,
    0x94, 0x4b, 0x2, 0x2c2, 0x2c3, 0x7, 0x56, 0x2, 0x2, 0x2c3, 0x2c5, 0x5,
    0x94, 0x4b, 0x2, 0x2c4, 0x2c2, 0x3, 0x2, 0x2, 0x2, 0x2c5, 0x2c8, 0x3,
    0x2, 0x2, 0x2, 0x2c6, 0x2c4, 0x3, 0x2, 0x2, 0x2, 0x2c6, 0x2c7, 0x3,
    0x2, 0x2, 0x2, 0x2c7, 0x93, 0x3, 0x2, 0x2, 0x2, 0x2c8, 0x2c6, 0x3, 0x2,
    0x2, 0x2, 0x2c9, 0x2cb, 0x5, 0x20, 0x11, 0x2, 0x2ca, 0x2c9, 0x3, 0x2,
    0x2, 0x2, 0x2cb, 0x2ce, 0x3, 0x2, 0x2, 0x2, 0x2cc, 0x2ca, 0x3, 0x2,
    0x2, 0x2, 0x2cc, 0x2cd, 0x3, 0x2, 0x2, 0x2, 0x2cd, 0x2cf, 0x3, 0x2,
    0x2, 0x2, 0x2ce, 0x2cc, 0x3, 0x2, 0x2, 0x2, 0x2cf, 0x2d0, 0x5, 0x96,
    0x4c, 0x2, 0x2d0, 0x95, 0x3, 0x2, 0x2, 0x2, 0x2d1, 0x2da, 0x5, 0x9e,
    0x50, 0x2, 0x2d2, 0x2d3, 0x5, 0x98, 0x4d, 0x2, 0x2d3, 0x2d5, 0x5, 0x9e,
    0x50, 0x2, 0x2d4, 0x2d6, 0x5, 0x9a, 0x4e, 0x2, 0x2d5, 0x2d4, 0x3, 0x2,
    0x2, 0x2, 0x2d5, 0x2d6, 0x3, 0x2, 0x2, 0x2, 0x2d6, 0x2d9, 0x3, 0x2,
    0x2, 0x2, 0x2d7, 0x2d9, 0x5, 0x9c, 0x4f, 0x2, 0x2d8, 0x2d2, 0x3, 0x2,
    0x2, 0x2, 0x2d8, 0x2d7, 0x3, 0x2, 0x2, 0x2, 0x2d9, 0x2dc, 0x3, 0x2,
    0x2, 0x2, 0x2da, 0x2d8, 0x3, 0x2, 0x2, 0x2, 0x2da, 0x2db, 0x3, 0x2,
    0x2, 0x2, 0x2db, 0x97, 0x3, 0x2, 0x2, 0x2, 0x2dc, 0x2da, 0x3, 0x2, 0x2,
    0x2, 0x2dd, 0x2de, 0x9, 0x5, 0x2, 0x2, 0x2de, 0x99, 0x3, 0x2, 0x2, 0x2,
    0x2df, 0x2e0, 0x7, 0x24, 0x2, 0x2, 0x2e0, 0x2e1, 0x5, 0x2c, 0x17, 0x2,
    0x2e1, 0x9b, 0x3, 0x2, 0x2, 0x2, 0x2e2, 0x2e3, 0x7, 0x30, 0x2, 0x2,
    0x2e3, 0x2e4, 0x5, 0xae, 0x58, 0x2, 0x2e4, 0x9d, 0x3, 0x2, 0x2, 0x2,
    0x2e5, 0x2e7, 0x5, 0xa4, 0x53, 0x2, 0x2e6, 0x2e5, 0x3, 0x2, 0x2, 0x2,
    0x2e6, 0x2e7, 0x3, 0x2, 0x2, 0x2, 0x2e7, 0x2e8, 0x3, 0x2, 0x2, 0x2,
    0x2e8, 0x2f1, 0x5, 0xa0, 0x51, 0x2, 0x2e9, 0x2eb, 0x5, 0xa2, 0x52, 0x2,
    0x2ea, 0x2ec, 0x5, 0xa4, 0x53, 0x2, 0x2eb, 0x2ea, 0x3, 0x2, 0x2, 0x2,
    0x2eb, 0x2ec, 0x3, 0x2, 0x2, 0x2, 0x2ec, 0x2ed, 0x3, 0x2, 0x2, 0x2,
    0x2ed, 0x2ee, 0x5, 0xa0, 0x51, 0x2, 0x2ee, 0x2f0, 0x3, 0x2, 0x2, 0x2,
    0x2ef, 0x2e9, 0x3, 0x2, 0x2, 0x2, 0x2f0, 0x2f3, 0x3, 0x2, 0x2, 0x2,
    0x2f1, 0x2ef, 0x3, 0x2, 0x2, 0x2, 0x2f1, 0x2f2, 0x3, 0x2, 0x2, 0x2,
    0x2f2, 0x9f, 0x3, 0x2, 0x2, 0x2, 0x2f3, 0x2f1, 0x3, 0x2, 0x2, 0x2, 0x2f4,
    0x2fc, 0x5, 0xa6, 0x54, 0x2, 0x2f5, 0x2f7, 0x7, 0x55, 0x2, 0x2, 0x2f6,
    0x2f8, 0x5, 0xa4, 0x53, 0x2, 0x2f7, 0x2f6, 0x3, 0x2, 0x2, 0x2, 0x2f7,
    0x2f8, 0x3, 0x2, 0x2, 0x2, 0x2f8, 0x2f9, 0x3, 0x2, 0x2, 0x2, 0x2f9,
    0x2fb, 0x5, 0xa6, 0x54, 0x2, 0x2fa, 0x2f5, 0x3, 0x2, 0x2, 0x2, 0x2fb,
    0x2fe, 0x3, 0x2, 0x2, 0x2, 0x2fc, 0x2fa, 0x3, 0x2, 0x2, 0x2, 0x2fc,
    0x2fd, 0x3, 0x2, 0x2, 0x2, 0x2fd, 0xa1, 0x3, 0x2, 0x2, 0x2, 0x2fe, 0x2fc,
    0x3, 0x2, 0x2, 0x2, 0x2ff, 0x300, 0x9, 0x6, 0x2, 0x2, 0x300, 0xa3, 0x3,
    0x2, 0x2, 0x2, 0x301, 0x302, 0x7, 0x59, 0x2, 0x2, 0x302, 0xa5, 0x3,
    0x2, 0x2, 0x2, 0x303, 0x30e, 0x5, 0xb6, 0x5c, 0x2, 0x304, 0x307, 0x5,
    0xb2, 0x5a, 0x2, 0x305, 0x307, 0x5, 0xaa, 0x56, 0x2, 0x306, 0x304, 0x3,
    0x2, 0x2, 0x2, 0x306, 0x305, 0x3, 0x2, 0x2, 0x2, 0x307, 0x30b, 0x3,
    0x2, 0x2, 0x2, 0x308, 0x30a, 0x5, 0xa8, 0x55, 0x2, 0x309, 0x308, 0x3,
    0x2, 0x2, 0x2, 0x30a, 0x30d, 0x3, 0x2, 0x2, 0x2, 0x30b, 0x309, 0x3,
    0x2, 0x2, 0x2, 0x30b, 0x30c, 0x3, 0x2, 0x2, 0x2, 0x30c, 0x30f, 0x3,
    0x2, 0x2, 0x2, 0x30d, 0x30b, 0x3, 0x2, 0x2, 0x2, 0x30e, 0x306, 0x3,
    0x2, 0x2, 0x2, 0x30e, 0x30f, 0x3, 0x2, 0x2, 0x2, 0x30f, 0x31e, 0x3,
    0x2, 0x2, 0x2, 0x310, 0x315, 0x5, 0xba, 0x5e, 0x2, 0x311, 0x315, 0x5,
    0xb8, 0x5d, 0x2, 0x312, 0x315, 0x5, 0xbc, 0x5f, 0x2, 0x313, 0x315, 0x5,
    0xb0, 0x59, 0x2, 0x314, 0x310, 0x3, 0x2, 0x2, 0x2, 0x314, 0x311, 0x3,
    0x2, 0x2, 0x2, 0x314, 0x312, 0x3, 0x2, 0x2, 0x2, 0x314, 0x313, 0x3,
    0x2, 0x2, 0x2, 0x315, 0x319, 0x3, 0x2, 0x2, 0x2, 0x316, 0x318, 0x5,
    0xa8, 0x55, 0x2, 0x317, 0x316, 0x3, 0x2, 0x2, 0x2, 0x318, 0x31b, 0x3,
    0x2, 0x2, 0x2, 0x319, 0x317, 0x3, 0x2, 0x2, 0x2, 0x319, 0x31a, 0x3,
    0x2, 0x2, 0x2, 0x31a, 0x31e, 0x3, 0x2, 0x2, 0x2, 0x31b, 0x319, 0x3,
    0x2, 0x2, 0x2, 0x31c, 0x31e, 0x5, 0xac, 0x57, 0x2, 0x31d, 0x303, 0x3,
    0x2, 0x2, 0x2, 0x31d, 0x314, 0x3, 0x2, 0x2, 0x2, 0x31d, 0x31c, 0x3,
    0x2, 0x2, 0x2, 0x31e, 0xa7, 0x3, 0x2, 0x2, 0x2, 0x31f, 0x320, 0x7, 0x41,
    0x2, 0x2, 0x320, 0x322, 0x5, 0xae, 0x58, 0x2, 0x321, 0x323, 0x5, 0xb2,
    0x5a, 0x2, 0x322, 0x321, 0x3, 0x2, 0x2, 0x2, 0x322, 0x323, 0x3, 0x2,
    0x2, 0x2, 0x323, 0x326, 0x3, 0x2, 0x2, 0x2, 0x324, 0x326, 0x5, 0xaa,
    0x56, 0x2, 0x325, 0x31f, 0x3, 0x2, 0x2, 0x2, 0x325, 0x324, 0x3, 0x2,
    0x2, 0x2, 0x326, 0xa9, 0x3, 0x2, 0x2, 0x2, 0x327, 0x328, 0x7, 0x3d,
    0x2, 0x2, 0x328, 0x329, 0x5, 0x90, 0x49, 0x2, 0x329, 0x32a, 0x7, 0x3e,
    0x2, 0x2, 0x32a, 0xab, 0x3, 0x2, 0x2, 0x2, 0x32b, 0x336, 0x7, 0x3d,
    0x2, 0x2, 0x32c, 0x333, 0x5, 0x90, 0x49, 0x2, 0x32d, 0x32f, 0x7, 0x40,
    0x2, 0x2, 0x32e, 0x330, 0x5, 0x90, 0x49, 0x2, 0x32f, 0x32e, 0x3, 0x2,
    0x2, 0x2, 0x32f, 0x330, 0x3, 0x2, 0x2, 0x2, 0x330, 0x332, 0x3, 0x2,
    0x2, 0x2, 0x331, 0x32d, 0x3, 0x2, 0x2, 0x2, 0x332, 0x335, 0x3, 0x2,
    0x2, 0x2, 0x333, 0x331, 0x3, 0x2, 0x2, 0x2, 0x333, 0x334, 0x3, 0x2,
    0x2, 0x2, 0x334, 0x337, 0x3, 0x2, 0x2, 0x2, 0x335, 0x333, 0x3, 0x2,
    0x2, 0x2, 0x336, 0x32c, 0x3, 0x2, 0x2, 0x2, 0x336, 0x337, 0x3, 0x2,
    0x2, 0x2, 0x337, 0x338, 0x3, 0x2, 0x2, 0x2, 0x338, 0x339, 0x7, 0x3e,
    0x2, 0x2, 0x339, 0xad, 0x3, 0x2, 0x2, 0x2, 0x33a, 0x33b, 0x7, 0x31,
    0x2, 0x2, 0x33b, 0xaf, 0x3, 0x2, 0x2, 0x2, 0x33c, 0x33d, 0x7, 0x3b,
    0x2, 0x2, 0x33d, 0x33e, 0x5, 0x90, 0x49, 0x2, 0x33e, 0x33f, 0x7, 0x3c,
    0x2, 0x2, 0x33f, 0xb1, 0x3, 0x2, 0x2, 0x2, 0x340, 0x34b, 0x7, 0x3b,
    0x2, 0x2, 0x341, 0x348, 0x5, 0xb4, 0x5b, 0x2, 0x342, 0x344, 0x7, 0x40,
    0x2, 0x2, 0x343, 0x345, 0x5, 0xb4, 0x5b, 0x2, 0x344, 0x343, 0x3, 0x2,
    0x2, 0x2, 0x344, 0x345, 0x3, 0x2, 0x2, 0x2, 0x345, 0x347, 0x3, 0x2,
    0x2, 0x2, 0x346, 0x342, 0x3, 0x2, 0x2, 0x2, 0x347, 0x34a, 0x3, 0x2,
    0x2, 0x2, 0x348, 0x346, 0x3, 0x2, 0x2, 0x2, 0x348, 0x349, 0x3, 0x2,
    0x2, 0x2, 0x349, 0x34c, 0x3, 0x2, 0x2, 0x2, 0x34a, 0x348, 0x3, 0x2,
    0x2, 0x2, 0x34b, 0x341, 0x3, 0x2, 0x2, 0x2, 0x34b, 0x34c, 0x3, 0x2,
    0x2, 0x2, 0x34c, 0x34d, 0x3, 0x2, 0x2, 0x2, 0x34d, 0x34e, 0x7, 0x3c,
    0x2, 0x2, 0x34e, 0xb3, 0x3, 0x2, 0x2, 0x2, 0x34f, 0x352, 0x5, 0x90,
    0x49, 0x2, 0x350, 0x351, 0x7, 0x47, 0x2, 0x2, 0x351, 0x353, 0x5, 0x90,
    0x49, 0x2, 0x352, 0x350, 0x3, 0x2, 0x2, 0x2, 0x352, 0x353, 0x3, 0x2,
    0x2, 0x2, 0x353, 0xb5, 0x3, 0x2, 0x2, 0x2, 0x354, 0x359, 0x7, 0x31,
    0x2, 0x2, 0x355, 0x356, 0x7, 0x41, 0x2, 0x2, 0x356, 0x358, 0x9, 0x7,
    0x2, 0x2, 0x357, 0x355, 0x3, 0x2, 0x2, 0x2, 0x358, 0x35b, 0x3, 0x2,
    0x2, 0x2, 0x359, 0x357, 0x3, 0x2, 0x2, 0x2, 0x359, 0x35a, 0x3, 0x2,
    0x2, 0x2, 0x35a, 0xb7, 0x3, 0x2, 0x2, 0x2, 0x35b, 0x359, 0x3, 0x2, 0x2,
    0x2, 0x35c, 0x35e, 0x7, 0x32, 0x2, 0x2, 0x35d, 0x35f, 0x7, 0x31, 0x2,
    0x2, 0x35e, 0x35d, 0x3, 0x2, 0x2, 0x2, 0x35e, 0x35f, 0x3, 0x2, 0x2,
    0x2, 0x35f, 0xb9, 0x3, 0x2, 0x2, 0x2, 0x360, 0x361, 0x9, 0x8, 0x2, 0x2,
    0x361, 0xbb, 0x3, 0x2, 0x2, 0x2, 0x362, 0x363, 0x7, 0x37, 0x2, 0x2,
    0x363, 0xbd, 0x3, 0x2, 0x2, 0x2, 0x51, 0xc1, 0xd4, 0xe0, 0xec, 0xf9,
    0xfe, 0x107, 0x110, 0x119, 0x11d, 0x123, 0x12b, 0x134, 0x13d, 0x149,
    0x14d, 0x153, 0x160, 0x16b, 0x17a, 0x17d, 0x192, 0x194, 0x1a5, 0x1a9,
    0x1ac, 0x1b2, 0x1ba, 0x1c7, 0x1cc, 0x1d5, 0x1e1, 0x1e7, 0x1ff, 0x216,
    0x21c, 0x22a, 0x233, 0x23f, 0x241, 0x247, 0x24e, 0x252, 0x26a, 0x275,
    0x279, 0x27f, 0x290, 0x299, 0x29d, 0x2a0, 0x2be, 0x2c6, 0x2cc, 0x2d5,
    0x2d8, 0x2da, 0x2e6, 0x2eb, 0x2f1, 0x2f7, 0x2fc, 0x306, 0x30b, 0x30e,
    0x314, 0x319, 0x31d, 0x322, 0x325, 0x32f, 0x333, 0x336, 0x344, 0x348,
    0x34b, 0x352, 0x359, 0x35e,
  };

  atn::ATNDeserializer deserializer;
  _atn = deserializer.deserialize(_serializedATN);

  size_t count = _atn.getNumberOfDecisions();
  _decisionToDFA.reserve(count);
  for (size_t i = 0; i < count; i++) {
    _decisionToDFA.emplace_back(_atn.getDecisionState(i), i);
  }
}

VclParser::Initializer VclParser::_init;
