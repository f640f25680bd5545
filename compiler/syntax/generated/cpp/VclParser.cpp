
// Generated from VclParser.g4 by ANTLR 4.9.1



#include "VclParser.h"


using namespace antlrcpp;
using namespace vernis;
using namespace antlr4;

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
    setState(195);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::VCL)
      | (1ULL << VclParser::BACKEND)
      | (1ULL << VclParser::PROBE)
      | (1ULL << VclParser::ACL)
      | (1ULL << VclParser::SUB)
      | (1ULL << VclParser::IMPORT)
      | (1ULL << VclParser::UNUSED)
      | (1ULL << VclParser::PROCEDURE)
      | (1ULL << VclParser::TEXT_SET)
      | (1ULL << VclParser::CONST)
      | (1ULL << VclParser::PARAM)
      | (1ULL << VclParser::FN)
      | (1ULL << VclParser::TABLE)
      | (1ULL << VclParser::COUNTER)
      | (1ULL << VclParser::BUDGET)
      | (1ULL << VclParser::CACHING)
      | (1ULL << VclParser::TEST)
      | (1ULL << VclParser::INLINE_C))) != 0) || _la == VclParser::AT) {
      setState(192);
      declaration();
      setState(197);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(198);
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

VclParser::CachingContext* VclParser::DeclarationContext::caching() {
  return getRuleContext<VclParser::CachingContext>(0);
}

VclParser::UnusedContext* VclParser::DeclarationContext::unused() {
  return getRuleContext<VclParser::UnusedContext>(0);
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
    setState(216);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::VCL: {
        enterOuterAlt(_localctx, 1);
        setState(200);
        version();
        break;
      }

      case VclParser::BACKEND: {
        enterOuterAlt(_localctx, 2);
        setState(201);
        backend();
        break;
      }

      case VclParser::PROBE: {
        enterOuterAlt(_localctx, 3);
        setState(202);
        probe();
        break;
      }

      case VclParser::ACL: {
        enterOuterAlt(_localctx, 4);
        setState(203);
        acl();
        break;
      }

      case VclParser::SUB:
      case VclParser::PROCEDURE:
      case VclParser::AT: {
        enterOuterAlt(_localctx, 5);
        setState(204);
        subroutine();
        break;
      }

      case VclParser::IMPORT: {
        enterOuterAlt(_localctx, 6);
        setState(205);
        importModule();
        break;
      }

      case VclParser::INLINE_C: {
        enterOuterAlt(_localctx, 7);
        setState(206);
        inlineC();
        break;
      }

      case VclParser::TEST: {
        enterOuterAlt(_localctx, 8);
        setState(207);
        testCase();
        break;
      }

      case VclParser::CONST:
      case VclParser::PARAM: {
        enterOuterAlt(_localctx, 9);
        setState(208);
        constant();
        break;
      }

      case VclParser::FN: {
        enterOuterAlt(_localctx, 10);
        setState(209);
        function();
        break;
      }

      case VclParser::TEXT_SET: {
        enterOuterAlt(_localctx, 11);
        setState(210);
        textSet();
        break;
      }

      case VclParser::TABLE: {
        enterOuterAlt(_localctx, 12);
        setState(211);
        tableDeclaration();
        break;
      }

      case VclParser::COUNTER: {
        enterOuterAlt(_localctx, 13);
        setState(212);
        counter();
        break;
      }

      case VclParser::BUDGET: {
        enterOuterAlt(_localctx, 14);
        setState(213);
        budget();
        break;
      }

      case VclParser::CACHING: {
        enterOuterAlt(_localctx, 15);
        setState(214);
        caching();
        break;
      }

      case VclParser::UNUSED: {
        enterOuterAlt(_localctx, 16);
        setState(215);
        unused();
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
    setState(218);
    match(VclParser::VCL);
    setState(219);
    match(VclParser::NUMBER);
    setState(220);
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
    setState(222);
    match(VclParser::BACKEND);
    setState(223);
    declaredName();
    setState(228);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::NONE: {
        setState(224);
        none();
        setState(225);
        match(VclParser::SEMI);
        break;
      }

      case VclParser::LBRACE: {
        setState(227);
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
    setState(230);
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
    setState(232);
    match(VclParser::PROBE);
    setState(233);
    declaredName();
    setState(234);
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
    setState(236);
    match(VclParser::LBRACE);
    setState(240);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::DOT) {
      setState(237);
      field();
      setState(242);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(243);
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
    setState(245);
    match(VclParser::DOT);
    setState(246);
    fieldName();
    setState(247);
    match(VclParser::ASSIGN);
    setState(258);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::LBRACE: {
        setState(248);
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
        setState(249);
        expression();
        setState(253);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while ((((_la & ~ 0x3fULL) == 0) &&
          ((1ULL << _la) & ((1ULL << VclParser::STRING)
          | (1ULL << VclParser::LONG_STRING)
          | (1ULL << VclParser::TRIPLE_STRING))) != 0)) {
          setState(250);
          string();
          setState(255);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        setState(256);
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
    setState(260);
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
    setState(262);
    match(VclParser::ACL);
    setState(263);
    declaredName();
    setState(267);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::PLUS

    || _la == VclParser::MINUS) {
      setState(264);
      aclFlag();
      setState(269);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(270);
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
    setState(272);
    match(VclParser::LBRACE);
    setState(276);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 52) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 52)) & ((1ULL << (VclParser::STRING - 52))
      | (1ULL << (VclParser::LONG_STRING - 52))
      | (1ULL << (VclParser::TRIPLE_STRING - 52))
      | (1ULL << (VclParser::LPAREN - 52))
      | (1ULL << (VclParser::NOT - 52)))) != 0)) {
      setState(273);
      aclEntry();
      setState(278);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(279);
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

tree::TerminalNode* VclParser::AclFlagContext::LPAREN() {
  return getToken(VclParser::LPAREN, 0);
}

VclParser::AclFlagContext* VclParser::AclFlagContext::aclFlag() {
  return getRuleContext<VclParser::AclFlagContext>(0);
}

tree::TerminalNode* VclParser::AclFlagContext::RPAREN() {
  return getToken(VclParser::RPAREN, 0);
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
    setState(281);
    _la = _input->LA(1);
    if (!(_la == VclParser::PLUS

    || _la == VclParser::MINUS)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(282);
    match(VclParser::IDENTIFIER);
    setState(287);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(283);
      match(VclParser::LPAREN);
      setState(284);
      aclFlag();
      setState(285);
      match(VclParser::RPAREN);
    }

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
    setState(290);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::NOT) {
      setState(289);
      negated();
    }
    setState(294);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::LPAREN: {
        setState(292);
        optionalAddress();
        break;
      }

      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING: {
        setState(293);
        aclAddress();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(296);
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
    setState(298);
    match(VclParser::LPAREN);
    setState(300);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::NOT) {
      setState(299);
      negated();
    }
    setState(302);
    aclAddress();
    setState(303);
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
    setState(305);
    string();
    setState(308);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::SLASH) {
      setState(306);
      match(VclParser::SLASH);
      setState(307);
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
    setState(310);
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
    setState(312);
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
    setState(317);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::AT) {
      setState(314);
      annotation();
      setState(319);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(326);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::SUB: {
        setState(320);
        match(VclParser::SUB);
        setState(321);
        declaredName();
        break;
      }

      case VclParser::PROCEDURE: {
        setState(322);
        match(VclParser::PROCEDURE);
        setState(323);
        declaredName();
        setState(324);
        parameters();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(328);
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
    setState(330);
    match(VclParser::TEST);
    setState(331);
    string();
    setState(332);
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
    setState(334);
    match(VclParser::IMPORT);
    setState(348);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::IDENTIFIER: {
        setState(335);
        declaredName();
        setState(338);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::AS) {
          setState(336);
          match(VclParser::AS);
          setState(337);
          importAlias();
        }
        setState(342);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::FROM) {
          setState(340);
          match(VclParser::FROM);
          setState(341);
          string();
        }
        break;
      }

      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING: {
        setState(344);
        string();
        setState(345);
        match(VclParser::AS);
        setState(346);
        importAlias();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(350);
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
    setState(352);
    match(VclParser::IDENTIFIER);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- UnusedContext ------------------------------------------------------------------

VclParser::UnusedContext::UnusedContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::UnusedContext::UNUSED() {
  return getToken(VclParser::UNUSED, 0);
}

VclParser::DeclaredNameContext* VclParser::UnusedContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::UnusedContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::UnusedContext::getRuleIndex() const {
  return VclParser::RuleUnused;
}


VclParser::UnusedContext* VclParser::unused() {
  UnusedContext *_localctx = _tracker.createInstance<UnusedContext>(_ctx, getState());
  enterRule(_localctx, 42, VclParser::RuleUnused);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(354);
    match(VclParser::UNUSED);
    setState(355);
    declaredName();
    setState(356);
    match(VclParser::SEMI);

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
  enterRule(_localctx, 44, VclParser::RuleDeclaredName);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(358);
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
  enterRule(_localctx, 46, VclParser::RuleInlineC);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(360);
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
  enterRule(_localctx, 48, VclParser::RuleConstant);
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
    setState(362);
    _la = _input->LA(1);
    if (!(_la == VclParser::CONST

    || _la == VclParser::PARAM)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(363);
    declaredName();
    setState(365);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::COLON) {
      setState(364);
      typed();
    }
    setState(367);
    match(VclParser::ASSIGN);
    setState(368);
    expression();
    setState(369);
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
  enterRule(_localctx, 50, VclParser::RuleTyped);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(371);
    match(VclParser::COLON);
    setState(372);
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
  enterRule(_localctx, 52, VclParser::RuleTypeName);
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
    setState(374);
    match(VclParser::IDENTIFIER);
    setState(376);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::QUESTION) {
      setState(375);
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
  enterRule(_localctx, 54, VclParser::RuleFunction);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(378);
    match(VclParser::FN);
    setState(379);
    declaredName();
    setState(380);
    parameters();
    setState(381);
    match(VclParser::ARROW);
    setState(382);
    typeName();
    setState(383);
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
  enterRule(_localctx, 56, VclParser::RuleParameters);
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
    setState(385);
    match(VclParser::LPAREN);
    setState(394);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::IDENTIFIER) {
      setState(386);
      parameter();
      setState(391);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(387);
        match(VclParser::COMMA);
        setState(388);
        parameter();
        setState(393);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(396);
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
  enterRule(_localctx, 58, VclParser::RuleParameter);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(398);
    declaredName();
    setState(399);
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
  enterRule(_localctx, 60, VclParser::RuleTextSet);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(401);
    match(VclParser::TEXT_SET);
    setState(402);
    declaredName();
    setState(403);
    listLiteral();
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
  enterRule(_localctx, 62, VclParser::RuleTableDeclaration);
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
    setState(406);
    match(VclParser::TABLE);
    setState(407);
    declaredName();
    setState(408);
    typed();
    setState(409);
    match(VclParser::BY);
    setState(410);
    tableKind();
    setState(417);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::LBRACKET: {
        setState(411);
        rows();
        break;
      }

      case VclParser::FROM: {
        setState(412);
        match(VclParser::FROM);
        setState(413);
        string();
        setState(415);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::COLUMNS) {
          setState(414);
          columns();
        }
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(419);
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
  enterRule(_localctx, 64, VclParser::RuleTableKind);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(421);
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
  enterRule(_localctx, 66, VclParser::RuleColumns);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(423);
    match(VclParser::COLUMNS);
    setState(424);
    match(VclParser::LPAREN);
    setState(425);
    match(VclParser::IDENTIFIER);
    setState(426);
    match(VclParser::COMMA);
    setState(427);
    match(VclParser::IDENTIFIER);
    setState(428);
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
  enterRule(_localctx, 68, VclParser::RuleRows);
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
    setState(430);
    match(VclParser::LBRACKET);
    setState(441);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::DEFAULT)
      | (1ULL << VclParser::STRING)
      | (1ULL << VclParser::LONG_STRING)
      | (1ULL << VclParser::TRIPLE_STRING))) != 0)) {
      setState(431);
      row();
      setState(438);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(432);
        match(VclParser::COMMA);
        setState(434);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if ((((_la & ~ 0x3fULL) == 0) &&
          ((1ULL << _la) & ((1ULL << VclParser::DEFAULT)
          | (1ULL << VclParser::STRING)
          | (1ULL << VclParser::LONG_STRING)
          | (1ULL << VclParser::TRIPLE_STRING))) != 0)) {
          setState(433);
          row();
        }
        setState(440);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(443);
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
  enterRule(_localctx, 70, VclParser::RuleRow);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(447);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::DEFAULT: {
        setState(445);
        defaultWord();
        break;
      }

      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING: {
        setState(446);
        rowKey();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(449);
    match(VclParser::MAPS_TO);
    setState(450);
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
  enterRule(_localctx, 72, VclParser::RuleRowKey);
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
    setState(452);
    string();
    setState(455);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::SLASH) {
      setState(453);
      match(VclParser::SLASH);
      setState(454);
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
  enterRule(_localctx, 74, VclParser::RuleDefaultWord);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(457);
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
  enterRule(_localctx, 76, VclParser::RuleCounter);
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
    setState(459);
    match(VclParser::COUNTER);
    setState(460);
    declaredName();
    setState(473);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::BY) {
      setState(461);
      match(VclParser::BY);
      setState(462);
      match(VclParser::LPAREN);
      setState(463);
      declaredName();
      setState(468);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(464);
        match(VclParser::COMMA);
        setState(465);
        declaredName();
        setState(470);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
      setState(471);
      match(VclParser::RPAREN);
    }
    setState(475);
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
  enterRule(_localctx, 78, VclParser::RuleBudget);
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
    setState(477);
    match(VclParser::BUDGET);
    setState(478);
    match(VclParser::LBRACE);
    setState(482);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::IDENTIFIER) {
      setState(479);
      budgetEntry();
      setState(484);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(485);
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
  enterRule(_localctx, 80, VclParser::RuleBudgetEntry);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(487);
    match(VclParser::IDENTIFIER);
    setState(488);
    match(VclParser::NUMBER);
    setState(489);
    match(VclParser::SEMI);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

//----------------- CachingContext ------------------------------------------------------------------

VclParser::CachingContext::CachingContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

tree::TerminalNode* VclParser::CachingContext::CACHING() {
  return getToken(VclParser::CACHING, 0);
}

tree::TerminalNode* VclParser::CachingContext::NUMBER() {
  return getToken(VclParser::NUMBER, 0);
}

tree::TerminalNode* VclParser::CachingContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
}


size_t VclParser::CachingContext::getRuleIndex() const {
  return VclParser::RuleCaching;
}


VclParser::CachingContext* VclParser::caching() {
  CachingContext *_localctx = _tracker.createInstance<CachingContext>(_ctx, getState());
  enterRule(_localctx, 82, VclParser::RuleCaching);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(491);
    match(VclParser::CACHING);
    setState(492);
    match(VclParser::NUMBER);
    setState(493);
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
  enterRule(_localctx, 84, VclParser::RuleAnnotation);
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
    setState(495);
    match(VclParser::AT);
    setState(496);
    match(VclParser::IDENTIFIER);
    setState(498);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(497);
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
  enterRule(_localctx, 86, VclParser::RuleBlock);
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
    setState(500);
    match(VclParser::LBRACE);
    setState(504);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 8) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 8)) & ((1ULL << (VclParser::SET - 8))
      | (1ULL << (VclParser::UNSET - 8))
      | (1ULL << (VclParser::CALL - 8))
      | (1ULL << (VclParser::RETURN - 8))
      | (1ULL << (VclParser::IF - 8))
      | (1ULL << (VclParser::NEW - 8))
      | (1ULL << (VclParser::LET - 8))
      | (1ULL << (VclParser::SWITCH - 8))
      | (1ULL << (VclParser::FOR - 8))
      | (1ULL << (VclParser::COUNT - 8))
      | (1ULL << (VclParser::LOG - 8))
      | (1ULL << (VclParser::ALLOW - 8))
      | (1ULL << (VclParser::BUILTIN - 8))
      | (1ULL << (VclParser::INVARIANT - 8))
      | (1ULL << (VclParser::GIVE - 8))
      | (1ULL << (VclParser::IDENTIFIER - 8))
      | (1ULL << (VclParser::INLINE_C - 8))
      | (1ULL << (VclParser::LBRACE - 8))
      | (1ULL << (VclParser::AT - 8)))) != 0)) {
      setState(501);
      statement();
      setState(506);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(507);
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
  enterRule(_localctx, 88, VclParser::RuleStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(528);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::SET: {
        enterOuterAlt(_localctx, 1);
        setState(509);
        setStatement();
        break;
      }

      case VclParser::UNSET: {
        enterOuterAlt(_localctx, 2);
        setState(510);
        unsetStatement();
        break;
      }

      case VclParser::CALL: {
        enterOuterAlt(_localctx, 3);
        setState(511);
        callStatement();
        break;
      }

      case VclParser::RETURN: {
        enterOuterAlt(_localctx, 4);
        setState(512);
        returnStatement();
        break;
      }

      case VclParser::IF: {
        enterOuterAlt(_localctx, 5);
        setState(513);
        ifStatement();
        break;
      }

      case VclParser::NEW: {
        enterOuterAlt(_localctx, 6);
        setState(514);
        newStatement();
        break;
      }

      case VclParser::IDENTIFIER: {
        enterOuterAlt(_localctx, 7);
        setState(515);
        functionStatement();
        break;
      }

      case VclParser::LBRACE: {
        enterOuterAlt(_localctx, 8);
        setState(516);
        block();
        break;
      }

      case VclParser::INLINE_C: {
        enterOuterAlt(_localctx, 9);
        setState(517);
        inlineC();
        break;
      }

      case VclParser::LET: {
        enterOuterAlt(_localctx, 10);
        setState(518);
        letStatement();
        break;
      }

      case VclParser::GIVE: {
        enterOuterAlt(_localctx, 11);
        setState(519);
        giveStatement();
        break;
      }

      case VclParser::SWITCH: {
        enterOuterAlt(_localctx, 12);
        setState(520);
        switchStatement();
        break;
      }

      case VclParser::FOR: {
        enterOuterAlt(_localctx, 13);
        setState(521);
        forStatement();
        break;
      }

      case VclParser::COUNT: {
        enterOuterAlt(_localctx, 14);
        setState(522);
        countStatement();
        break;
      }

      case VclParser::LOG: {
        enterOuterAlt(_localctx, 15);
        setState(523);
        logStatement();
        break;
      }

      case VclParser::ALLOW: {
        enterOuterAlt(_localctx, 16);
        setState(524);
        allowStatement();
        break;
      }

      case VclParser::BUILTIN: {
        enterOuterAlt(_localctx, 17);
        setState(525);
        builtinStatement();
        break;
      }

      case VclParser::INVARIANT: {
        enterOuterAlt(_localctx, 18);
        setState(526);
        invariant();
        break;
      }

      case VclParser::AT: {
        enterOuterAlt(_localctx, 19);
        setState(527);
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
  enterRule(_localctx, 90, VclParser::RuleSetStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(530);
    match(VclParser::SET);
    setState(531);
    name();
    setState(532);
    assignment();
    setState(533);
    expression();
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
  enterRule(_localctx, 92, VclParser::RuleAssignment);
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
    _la = _input->LA(1);
    if (!(((((_la - 72) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 72)) & ((1ULL << (VclParser::ASSIGN - 72))
      | (1ULL << (VclParser::ADD_ASSIGN - 72))
      | (1ULL << (VclParser::SUB_ASSIGN - 72))
      | (1ULL << (VclParser::MUL_ASSIGN - 72))
      | (1ULL << (VclParser::DIV_ASSIGN - 72)))) != 0))) {
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
  enterRule(_localctx, 94, VclParser::RuleUnsetStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(538);
    match(VclParser::UNSET);
    setState(539);
    name();
    setState(540);
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
  enterRule(_localctx, 96, VclParser::RuleCallStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(542);
    match(VclParser::CALL);
    setState(543);
    postfix();
    setState(544);
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
  enterRule(_localctx, 98, VclParser::RuleReturnStatement);
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
    setState(546);
    match(VclParser::RETURN);
    setState(551);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(547);
      match(VclParser::LPAREN);
      setState(548);
      action();
      setState(549);
      match(VclParser::RPAREN);
    }
    setState(553);
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
  enterRule(_localctx, 100, VclParser::RuleAction);
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
    setState(555);
    name();
    setState(557);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(556);
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
  enterRule(_localctx, 102, VclParser::RuleNewStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(559);
    match(VclParser::NEW);
    setState(560);
    declaredName();
    setState(561);
    match(VclParser::ASSIGN);
    setState(562);
    name();
    setState(563);
    arguments();
    setState(564);
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
  enterRule(_localctx, 104, VclParser::RuleFunctionStatement);
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
    setState(566);
    name();
    setState(567);
    arguments();
    setState(571);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::LBRACKET

    || _la == VclParser::DOT) {
      setState(568);
      member();
      setState(573);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(574);
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
  enterRule(_localctx, 106, VclParser::RuleIfStatement);
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
    setState(576);
    ifArm();
    setState(580);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::ELSE

    || _la == VclParser::ELSEIF) {
      setState(577);
      elseArm();
      setState(582);
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
  enterRule(_localctx, 108, VclParser::RuleIfArm);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(583);
    match(VclParser::IF);
    setState(584);
    condition();
    setState(585);
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
  enterRule(_localctx, 110, VclParser::RuleElseArm);
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
    setState(594);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::ELSEIF: {
        setState(587);
        match(VclParser::ELSEIF);
        setState(588);
        condition();
        break;
      }

      case VclParser::ELSE: {
        setState(589);
        match(VclParser::ELSE);
        setState(592);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::IF) {
          setState(590);
          match(VclParser::IF);
          setState(591);
          condition();
        }
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(596);
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
  enterRule(_localctx, 112, VclParser::RuleCondition);
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
    setState(598);
    match(VclParser::LPAREN);
    setState(600);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LET) {
      setState(599);
      binding();
    }
    setState(602);
    expression();
    setState(603);
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
  enterRule(_localctx, 114, VclParser::RuleLetStatement);
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
    setState(605);
    match(VclParser::LET);
    setState(607);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::MUT) {
      setState(606);
      mut();
    }
    setState(609);
    declaredName();
    setState(611);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::COLON) {
      setState(610);
      typed();
    }
    setState(613);
    match(VclParser::ASSIGN);
    setState(614);
    expression();
    setState(615);
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
  enterRule(_localctx, 116, VclParser::RuleMut);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(617);
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
  enterRule(_localctx, 118, VclParser::RuleBinding);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(619);
    match(VclParser::LET);
    setState(620);
    declaredName();
    setState(621);
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
  enterRule(_localctx, 120, VclParser::RuleGiveStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(623);
    match(VclParser::GIVE);
    setState(624);
    match(VclParser::LPAREN);
    setState(625);
    expression();
    setState(626);
    match(VclParser::RPAREN);
    setState(627);
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
  enterRule(_localctx, 122, VclParser::RuleSwitchStatement);
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
    setState(629);
    match(VclParser::SWITCH);
    setState(630);
    condition();
    setState(631);
    match(VclParser::LBRACE);
    setState(635);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::CASE

    || _la == VclParser::DEFAULT) {
      setState(632);
      switchCase();
      setState(637);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(638);
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
  enterRule(_localctx, 124, VclParser::RuleSwitchCase);
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
    setState(650);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::CASE: {
        setState(640);
        match(VclParser::CASE);
        setState(641);
        caseLabel();
        setState(646);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VclParser::COMMA) {
          setState(642);
          match(VclParser::COMMA);
          setState(643);
          caseLabel();
          setState(648);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

      case VclParser::DEFAULT: {
        setState(649);
        defaultWord();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(652);
    match(VclParser::COLON);
    setState(653);
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
  enterRule(_localctx, 126, VclParser::RuleCaseLabel);
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
    setState(656);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::MATCH) {
      setState(655);
      matching();
    }
    setState(658);
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
  enterRule(_localctx, 128, VclParser::RuleMatching);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(660);
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
  enterRule(_localctx, 130, VclParser::RuleForStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(662);
    match(VclParser::FOR);
    setState(663);
    match(VclParser::LPAREN);
    setState(664);
    declaredName();
    setState(665);
    match(VclParser::IN);
    setState(666);
    expression();
    setState(667);
    match(VclParser::RPAREN);
    setState(668);
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
  enterRule(_localctx, 132, VclParser::RuleCountStatement);
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
    setState(670);
    match(VclParser::COUNT);
    setState(671);
    declaredName();
    setState(673);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(672);
      arguments();
    }
    setState(675);
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
  enterRule(_localctx, 134, VclParser::RuleLogStatement);
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
    setState(677);
    match(VclParser::LOG);
    setState(678);
    match(VclParser::LBRACE);
    setState(689);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::IDENTIFIER) {
      setState(679);
      logPair();
      setState(686);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(680);
        match(VclParser::COMMA);
        setState(682);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::IDENTIFIER) {
          setState(681);
          logPair();
        }
        setState(688);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(691);
    match(VclParser::RBRACE);
    setState(692);
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
  enterRule(_localctx, 136, VclParser::RuleLogPair);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(694);
    memberName();
    setState(695);
    match(VclParser::ASSIGN);
    setState(696);
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
  enterRule(_localctx, 138, VclParser::RuleAllowStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(698);
    match(VclParser::ALLOW);
    setState(699);
    arguments();
    setState(700);
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
  enterRule(_localctx, 140, VclParser::RuleBuiltinStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(702);
    match(VclParser::BUILTIN);
    setState(703);
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
  enterRule(_localctx, 142, VclParser::RuleInvariant);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(705);
    match(VclParser::INVARIANT);
    setState(706);
    string();
    setState(707);
    match(VclParser::LBRACE);
    setState(708);
    expression();
    setState(709);
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
  enterRule(_localctx, 144, VclParser::RuleLabelled);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(711);
    annotation();
    setState(712);
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
  enterRule(_localctx, 146, VclParser::RuleExpression);
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
    conjunction();
    setState(719);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::OR) {
      setState(715);
      match(VclParser::OR);
      setState(716);
      conjunction();
      setState(721);
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
  enterRule(_localctx, 148, VclParser::RuleConjunction);
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
    setState(722);
    negation();
    setState(727);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::AND) {
      setState(723);
      match(VclParser::AND);
      setState(724);
      negation();
      setState(729);
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
  enterRule(_localctx, 150, VclParser::RuleNegation);
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
    setState(733);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::NOT) {
      setState(730);
      negated();
      setState(735);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(736);
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
  enterRule(_localctx, 152, VclParser::RuleComparison);
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
    setState(738);
    arithmetic();
    setState(747);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 44) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 44)) & ((1ULL << (VclParser::IN - 44))
      | (1ULL << (VclParser::STARTS - 44))
      | (1ULL << (VclParser::ENDS - 44))
      | (1ULL << (VclParser::CONTAINS - 44))
      | (1ULL << (VclParser::IS - 44))
      | (1ULL << (VclParser::EQ - 44))
      | (1ULL << (VclParser::NE - 44))
      | (1ULL << (VclParser::LT - 44))
      | (1ULL << (VclParser::LE - 44))
      | (1ULL << (VclParser::GT - 44))
      | (1ULL << (VclParser::GE - 44))
      | (1ULL << (VclParser::MATCH - 44))
      | (1ULL << (VclParser::NO_MATCH - 44)))) != 0)) {
      setState(745);
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
          setState(739);
          comparator();
          setState(740);
          arithmetic();
          setState(742);
          _errHandler->sync(this);

          _la = _input->LA(1);
          if (_la == VclParser::AS) {
            setState(741);
            capture();
          }
          break;
        }

        case VclParser::IS: {
          setState(744);
          presence();
          break;
        }

      default:
        throw NoViableAltException(this);
      }
      setState(749);
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
  enterRule(_localctx, 154, VclParser::RuleComparator);
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
    setState(750);
    _la = _input->LA(1);
    if (!(((((_la - 44) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 44)) & ((1ULL << (VclParser::IN - 44))
      | (1ULL << (VclParser::STARTS - 44))
      | (1ULL << (VclParser::ENDS - 44))
      | (1ULL << (VclParser::CONTAINS - 44))
      | (1ULL << (VclParser::EQ - 44))
      | (1ULL << (VclParser::NE - 44))
      | (1ULL << (VclParser::LT - 44))
      | (1ULL << (VclParser::LE - 44))
      | (1ULL << (VclParser::GT - 44))
      | (1ULL << (VclParser::GE - 44))
      | (1ULL << (VclParser::MATCH - 44))
      | (1ULL << (VclParser::NO_MATCH - 44)))) != 0))) {
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
  enterRule(_localctx, 156, VclParser::RuleCapture);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(752);
    match(VclParser::AS);
    setState(753);
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

tree::TerminalNode* VclParser::PresenceContext::IS_NOT() {
  return getToken(VclParser::IS_NOT, 0);
}


size_t VclParser::PresenceContext::getRuleIndex() const {
  return VclParser::RulePresence;
}


VclParser::PresenceContext* VclParser::presence() {
  PresenceContext *_localctx = _tracker.createInstance<PresenceContext>(_ctx, getState());
  enterRule(_localctx, 158, VclParser::RulePresence);
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
    setState(755);
    match(VclParser::IS);
    setState(757);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::IS_NOT) {
      setState(756);
      match(VclParser::IS_NOT);
    }
    setState(759);
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
  enterRule(_localctx, 160, VclParser::RuleArithmetic);
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
    setState(762);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::MINUS) {
      setState(761);
      minus();
    }
    setState(764);
    coalesce();
    setState(773);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (((((_la - 89) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 89)) & ((1ULL << (VclParser::PLUS - 89))
      | (1ULL << (VclParser::MINUS - 89))
      | (1ULL << (VclParser::STAR - 89))
      | (1ULL << (VclParser::SLASH - 89))
      | (1ULL << (VclParser::PERCENT - 89)))) != 0)) {
      setState(765);
      arithmeticOp();
      setState(767);
      _errHandler->sync(this);

      _la = _input->LA(1);
      if (_la == VclParser::MINUS) {
        setState(766);
        minus();
      }
      setState(769);
      coalesce();
      setState(775);
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
  enterRule(_localctx, 162, VclParser::RuleCoalesce);
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
    setState(776);
    postfix();
    setState(784);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::COALESCE) {
      setState(777);
      match(VclParser::COALESCE);
      setState(779);
      _errHandler->sync(this);

      _la = _input->LA(1);
      if (_la == VclParser::MINUS) {
        setState(778);
        minus();
      }
      setState(781);
      postfix();
      setState(786);
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
  enterRule(_localctx, 164, VclParser::RuleArithmeticOp);
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
    setState(787);
    _la = _input->LA(1);
    if (!(((((_la - 89) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 89)) & ((1ULL << (VclParser::PLUS - 89))
      | (1ULL << (VclParser::MINUS - 89))
      | (1ULL << (VclParser::STAR - 89))
      | (1ULL << (VclParser::SLASH - 89))
      | (1ULL << (VclParser::PERCENT - 89)))) != 0))) {
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
  enterRule(_localctx, 166, VclParser::RuleMinus);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(789);
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
  enterRule(_localctx, 168, VclParser::RulePostfix);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(817);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::IDENTIFIER: {
        enterOuterAlt(_localctx, 1);
        setState(791);
        name();
        setState(802);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::LPAREN

        || _la == VclParser::LBRACKET) {
          setState(794);
          _errHandler->sync(this);
          switch (_input->LA(1)) {
            case VclParser::LPAREN: {
              setState(792);
              arguments();
              break;
            }

            case VclParser::LBRACKET: {
              setState(793);
              subscript();
              break;
            }

          default:
            throw NoViableAltException(this);
          }
          setState(799);
          _errHandler->sync(this);
          _la = _input->LA(1);
          while (_la == VclParser::LBRACKET

          || _la == VclParser::DOT) {
            setState(796);
            member();
            setState(801);
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
        setState(808);
        _errHandler->sync(this);
        switch (_input->LA(1)) {
          case VclParser::STRING:
          case VclParser::LONG_STRING:
          case VclParser::TRIPLE_STRING: {
            setState(804);
            string();
            break;
          }

          case VclParser::NUMBER: {
            setState(805);
            number();
            break;
          }

          case VclParser::BLOB: {
            setState(806);
            blob();
            break;
          }

          case VclParser::LPAREN: {
            setState(807);
            parenthesised();
            break;
          }

        default:
          throw NoViableAltException(this);
        }
        setState(813);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VclParser::LBRACKET

        || _la == VclParser::DOT) {
          setState(810);
          member();
          setState(815);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        break;
      }

      case VclParser::LBRACKET: {
        enterOuterAlt(_localctx, 3);
        setState(816);
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
  enterRule(_localctx, 170, VclParser::RuleMember);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(825);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::DOT: {
        enterOuterAlt(_localctx, 1);
        setState(819);
        match(VclParser::DOT);
        setState(820);
        memberName();
        setState(822);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::LPAREN) {
          setState(821);
          arguments();
        }
        break;
      }

      case VclParser::LBRACKET: {
        enterOuterAlt(_localctx, 2);
        setState(824);
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
  enterRule(_localctx, 172, VclParser::RuleSubscript);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(827);
    match(VclParser::LBRACKET);
    setState(828);
    expression();
    setState(829);
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
  enterRule(_localctx, 174, VclParser::RuleListLiteral);
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
    setState(831);
    match(VclParser::LBRACKET);
    setState(842);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (((((_la - 50) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 50)) & ((1ULL << (VclParser::IDENTIFIER - 50))
      | (1ULL << (VclParser::NUMBER - 50))
      | (1ULL << (VclParser::STRING - 50))
      | (1ULL << (VclParser::LONG_STRING - 50))
      | (1ULL << (VclParser::TRIPLE_STRING - 50))
      | (1ULL << (VclParser::BLOB - 50))
      | (1ULL << (VclParser::LPAREN - 50))
      | (1ULL << (VclParser::LBRACKET - 50))
      | (1ULL << (VclParser::NOT - 50))
      | (1ULL << (VclParser::MINUS - 50)))) != 0)) {
      setState(832);
      expression();
      setState(839);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(833);
        match(VclParser::COMMA);
        setState(835);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (((((_la - 50) & ~ 0x3fULL) == 0) &&
          ((1ULL << (_la - 50)) & ((1ULL << (VclParser::IDENTIFIER - 50))
          | (1ULL << (VclParser::NUMBER - 50))
          | (1ULL << (VclParser::STRING - 50))
          | (1ULL << (VclParser::LONG_STRING - 50))
          | (1ULL << (VclParser::TRIPLE_STRING - 50))
          | (1ULL << (VclParser::BLOB - 50))
          | (1ULL << (VclParser::LPAREN - 50))
          | (1ULL << (VclParser::LBRACKET - 50))
          | (1ULL << (VclParser::NOT - 50))
          | (1ULL << (VclParser::MINUS - 50)))) != 0)) {
          setState(834);
          expression();
        }
        setState(841);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(844);
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
  enterRule(_localctx, 176, VclParser::RuleMemberName);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(846);
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
  enterRule(_localctx, 178, VclParser::RuleParenthesised);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(848);
    match(VclParser::LPAREN);
    setState(849);
    expression();
    setState(850);
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
  enterRule(_localctx, 180, VclParser::RuleArguments);
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
    setState(852);
    match(VclParser::LPAREN);
    setState(863);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (((((_la - 50) & ~ 0x3fULL) == 0) &&
      ((1ULL << (_la - 50)) & ((1ULL << (VclParser::IDENTIFIER - 50))
      | (1ULL << (VclParser::NUMBER - 50))
      | (1ULL << (VclParser::STRING - 50))
      | (1ULL << (VclParser::LONG_STRING - 50))
      | (1ULL << (VclParser::TRIPLE_STRING - 50))
      | (1ULL << (VclParser::BLOB - 50))
      | (1ULL << (VclParser::LPAREN - 50))
      | (1ULL << (VclParser::LBRACKET - 50))
      | (1ULL << (VclParser::NOT - 50))
      | (1ULL << (VclParser::MINUS - 50)))) != 0)) {
      setState(853);
      argument();
      setState(860);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(854);
        match(VclParser::COMMA);
        setState(856);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (((((_la - 50) & ~ 0x3fULL) == 0) &&
          ((1ULL << (_la - 50)) & ((1ULL << (VclParser::IDENTIFIER - 50))
          | (1ULL << (VclParser::NUMBER - 50))
          | (1ULL << (VclParser::STRING - 50))
          | (1ULL << (VclParser::LONG_STRING - 50))
          | (1ULL << (VclParser::TRIPLE_STRING - 50))
          | (1ULL << (VclParser::BLOB - 50))
          | (1ULL << (VclParser::LPAREN - 50))
          | (1ULL << (VclParser::LBRACKET - 50))
          | (1ULL << (VclParser::NOT - 50))
          | (1ULL << (VclParser::MINUS - 50)))) != 0)) {
          setState(855);
          argument();
        }
        setState(862);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(865);
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
  enterRule(_localctx, 182, VclParser::RuleArgument);
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
    setState(867);
    expression();
    setState(870);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::ASSIGN) {
      setState(868);
      match(VclParser::ASSIGN);
      setState(869);
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
  enterRule(_localctx, 184, VclParser::RuleName);
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
    setState(872);
    match(VclParser::IDENTIFIER);
    setState(877);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::DOT) {
      setState(873);
      match(VclParser::DOT);
      setState(874);
      _la = _input->LA(1);
      if (!(_la == VclParser::IDENTIFIER

      || _la == VclParser::STRING)) {
      _errHandler->recoverInline(this);
      }
      else {
        _errHandler->reportMatch(this);
        consume();
      }
      setState(879);
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
  enterRule(_localctx, 186, VclParser::RuleNumber);
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
    setState(880);
    match(VclParser::NUMBER);
    setState(882);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::IDENTIFIER) {
      setState(881);
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
  enterRule(_localctx, 188, VclParser::RuleString);
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
    setState(884);
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
  enterRule(_localctx, 190, VclParser::RuleBlob);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(886);
    match(VclParser::BLOB);

  }
  catch (RecognitionException &e) {
    _errHandler->reportError(this, e);
    _localctx->exception = std::current_exception();
    _errHandler->recover(this, _localctx->exception);
  }

  return _localctx;
}

