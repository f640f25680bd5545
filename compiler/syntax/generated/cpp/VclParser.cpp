
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
    setState(113);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::VCL)
      | (1ULL << VclParser::BACKEND)
      | (1ULL << VclParser::PROBE)
      | (1ULL << VclParser::ACL)
      | (1ULL << VclParser::SUB)
      | (1ULL << VclParser::IMPORT)
      | (1ULL << VclParser::TEST)
      | (1ULL << VclParser::INLINE_C))) != 0)) {
      setState(110);
      declaration();
      setState(115);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(116);
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
    setState(126);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::VCL: {
        enterOuterAlt(_localctx, 1);
        setState(118);
        version();
        break;
      }

      case VclParser::BACKEND: {
        enterOuterAlt(_localctx, 2);
        setState(119);
        backend();
        break;
      }

      case VclParser::PROBE: {
        enterOuterAlt(_localctx, 3);
        setState(120);
        probe();
        break;
      }

      case VclParser::ACL: {
        enterOuterAlt(_localctx, 4);
        setState(121);
        acl();
        break;
      }

      case VclParser::SUB: {
        enterOuterAlt(_localctx, 5);
        setState(122);
        subroutine();
        break;
      }

      case VclParser::IMPORT: {
        enterOuterAlt(_localctx, 6);
        setState(123);
        importModule();
        break;
      }

      case VclParser::INLINE_C: {
        enterOuterAlt(_localctx, 7);
        setState(124);
        inlineC();
        break;
      }

      case VclParser::TEST: {
        enterOuterAlt(_localctx, 8);
        setState(125);
        testCase();
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
    setState(128);
    match(VclParser::VCL);
    setState(129);
    match(VclParser::NUMBER);
    setState(130);
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
    setState(132);
    match(VclParser::BACKEND);
    setState(133);
    declaredName();
    setState(138);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::NONE: {
        setState(134);
        none();
        setState(135);
        match(VclParser::SEMI);
        break;
      }

      case VclParser::LBRACE: {
        setState(137);
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
    setState(140);
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
    setState(142);
    match(VclParser::PROBE);
    setState(143);
    declaredName();
    setState(144);
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
    setState(146);
    match(VclParser::LBRACE);
    setState(150);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::DOT) {
      setState(147);
      field();
      setState(152);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(153);
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
    setState(155);
    match(VclParser::DOT);
    setState(156);
    fieldName();
    setState(157);
    match(VclParser::ASSIGN);
    setState(168);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::LBRACE: {
        setState(158);
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
      case VclParser::NOT:
      case VclParser::MINUS: {
        setState(159);
        expression();
        setState(163);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while ((((_la & ~ 0x3fULL) == 0) &&
          ((1ULL << _la) & ((1ULL << VclParser::STRING)
          | (1ULL << VclParser::LONG_STRING)
          | (1ULL << VclParser::TRIPLE_STRING))) != 0)) {
          setState(160);
          string();
          setState(165);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
        setState(166);
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
    setState(170);
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
    setState(172);
    match(VclParser::ACL);
    setState(173);
    declaredName();
    setState(177);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::PLUS

    || _la == VclParser::MINUS) {
      setState(174);
      aclFlag();
      setState(179);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(180);
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
    setState(182);
    match(VclParser::LBRACE);
    setState(186);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::STRING)
      | (1ULL << VclParser::LONG_STRING)
      | (1ULL << VclParser::TRIPLE_STRING)
      | (1ULL << VclParser::LPAREN)
      | (1ULL << VclParser::NOT))) != 0)) {
      setState(183);
      aclEntry();
      setState(188);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(189);
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
    setState(191);
    _la = _input->LA(1);
    if (!(_la == VclParser::PLUS

    || _la == VclParser::MINUS)) {
    _errHandler->recoverInline(this);
    }
    else {
      _errHandler->reportMatch(this);
      consume();
    }
    setState(192);
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
    setState(195);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::NOT) {
      setState(194);
      negated();
    }
    setState(199);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::LPAREN: {
        setState(197);
        optionalAddress();
        break;
      }

      case VclParser::STRING:
      case VclParser::LONG_STRING:
      case VclParser::TRIPLE_STRING: {
        setState(198);
        aclAddress();
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(201);
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
    setState(203);
    match(VclParser::LPAREN);
    setState(205);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::NOT) {
      setState(204);
      negated();
    }
    setState(207);
    aclAddress();
    setState(208);
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
    setState(210);
    string();
    setState(213);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::SLASH) {
      setState(211);
      match(VclParser::SLASH);
      setState(212);
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
    setState(215);
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
    setState(217);
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

tree::TerminalNode* VclParser::SubroutineContext::SUB() {
  return getToken(VclParser::SUB, 0);
}

VclParser::DeclaredNameContext* VclParser::SubroutineContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

VclParser::BlockContext* VclParser::SubroutineContext::block() {
  return getRuleContext<VclParser::BlockContext>(0);
}


size_t VclParser::SubroutineContext::getRuleIndex() const {
  return VclParser::RuleSubroutine;
}


VclParser::SubroutineContext* VclParser::subroutine() {
  SubroutineContext *_localctx = _tracker.createInstance<SubroutineContext>(_ctx, getState());
  enterRule(_localctx, 34, VclParser::RuleSubroutine);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(219);
    match(VclParser::SUB);
    setState(220);
    declaredName();
    setState(221);
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
    setState(223);
    match(VclParser::TEST);
    setState(224);
    string();
    setState(225);
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

VclParser::DeclaredNameContext* VclParser::ImportModuleContext::declaredName() {
  return getRuleContext<VclParser::DeclaredNameContext>(0);
}

tree::TerminalNode* VclParser::ImportModuleContext::SEMI() {
  return getToken(VclParser::SEMI, 0);
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

VclParser::StringContext* VclParser::ImportModuleContext::string() {
  return getRuleContext<VclParser::StringContext>(0);
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
    setState(227);
    match(VclParser::IMPORT);
    setState(228);
    declaredName();
    setState(231);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::AS) {
      setState(229);
      match(VclParser::AS);
      setState(230);
      importAlias();
    }
    setState(235);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::FROM) {
      setState(233);
      match(VclParser::FROM);
      setState(234);
      string();
    }
    setState(237);
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
    setState(239);
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
    setState(241);
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
    setState(243);
    match(VclParser::INLINE_C);

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
  enterRule(_localctx, 46, VclParser::RuleBlock);
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
    match(VclParser::LBRACE);
    setState(249);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::SET)
      | (1ULL << VclParser::UNSET)
      | (1ULL << VclParser::CALL)
      | (1ULL << VclParser::RETURN)
      | (1ULL << VclParser::IF)
      | (1ULL << VclParser::NEW)
      | (1ULL << VclParser::IDENTIFIER)
      | (1ULL << VclParser::INLINE_C)
      | (1ULL << VclParser::LBRACE))) != 0)) {
      setState(246);
      statement();
      setState(251);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(252);
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


size_t VclParser::StatementContext::getRuleIndex() const {
  return VclParser::RuleStatement;
}


VclParser::StatementContext* VclParser::statement() {
  StatementContext *_localctx = _tracker.createInstance<StatementContext>(_ctx, getState());
  enterRule(_localctx, 48, VclParser::RuleStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(263);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::SET: {
        enterOuterAlt(_localctx, 1);
        setState(254);
        setStatement();
        break;
      }

      case VclParser::UNSET: {
        enterOuterAlt(_localctx, 2);
        setState(255);
        unsetStatement();
        break;
      }

      case VclParser::CALL: {
        enterOuterAlt(_localctx, 3);
        setState(256);
        callStatement();
        break;
      }

      case VclParser::RETURN: {
        enterOuterAlt(_localctx, 4);
        setState(257);
        returnStatement();
        break;
      }

      case VclParser::IF: {
        enterOuterAlt(_localctx, 5);
        setState(258);
        ifStatement();
        break;
      }

      case VclParser::NEW: {
        enterOuterAlt(_localctx, 6);
        setState(259);
        newStatement();
        break;
      }

      case VclParser::IDENTIFIER: {
        enterOuterAlt(_localctx, 7);
        setState(260);
        functionStatement();
        break;
      }

      case VclParser::LBRACE: {
        enterOuterAlt(_localctx, 8);
        setState(261);
        block();
        break;
      }

      case VclParser::INLINE_C: {
        enterOuterAlt(_localctx, 9);
        setState(262);
        inlineC();
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
  enterRule(_localctx, 50, VclParser::RuleSetStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(265);
    match(VclParser::SET);
    setState(266);
    name();
    setState(267);
    assignment();
    setState(268);
    expression();
    setState(269);
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
  enterRule(_localctx, 52, VclParser::RuleAssignment);
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
    setState(271);
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::ASSIGN)
      | (1ULL << VclParser::ADD_ASSIGN)
      | (1ULL << VclParser::SUB_ASSIGN)
      | (1ULL << VclParser::MUL_ASSIGN)
      | (1ULL << VclParser::DIV_ASSIGN))) != 0))) {
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
  enterRule(_localctx, 54, VclParser::RuleUnsetStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(273);
    match(VclParser::UNSET);
    setState(274);
    name();
    setState(275);
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
  enterRule(_localctx, 56, VclParser::RuleCallStatement);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(277);
    match(VclParser::CALL);
    setState(278);
    postfix();
    setState(279);
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
  enterRule(_localctx, 58, VclParser::RuleReturnStatement);
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
    match(VclParser::RETURN);
    setState(286);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(282);
      match(VclParser::LPAREN);
      setState(283);
      action();
      setState(284);
      match(VclParser::RPAREN);
    }
    setState(288);
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
  enterRule(_localctx, 60, VclParser::RuleAction);
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
    name();
    setState(292);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(291);
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
  enterRule(_localctx, 62, VclParser::RuleNewStatement);

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
    match(VclParser::NEW);
    setState(295);
    declaredName();
    setState(296);
    match(VclParser::ASSIGN);
    setState(297);
    name();
    setState(298);
    arguments();
    setState(299);
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
  enterRule(_localctx, 64, VclParser::RuleFunctionStatement);
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
    setState(301);
    name();
    setState(302);
    arguments();
    setState(306);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::DOT) {
      setState(303);
      member();
      setState(308);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(309);
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
  enterRule(_localctx, 66, VclParser::RuleIfStatement);
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
    setState(311);
    ifArm();
    setState(315);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::ELSE

    || _la == VclParser::ELSEIF) {
      setState(312);
      elseArm();
      setState(317);
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
  enterRule(_localctx, 68, VclParser::RuleIfArm);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(318);
    match(VclParser::IF);
    setState(319);
    condition();
    setState(320);
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
  enterRule(_localctx, 70, VclParser::RuleElseArm);
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
    setState(329);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::ELSEIF: {
        setState(322);
        match(VclParser::ELSEIF);
        setState(323);
        condition();
        break;
      }

      case VclParser::ELSE: {
        setState(324);
        match(VclParser::ELSE);
        setState(327);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::IF) {
          setState(325);
          match(VclParser::IF);
          setState(326);
          condition();
        }
        break;
      }

    default:
      throw NoViableAltException(this);
    }
    setState(331);
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


size_t VclParser::ConditionContext::getRuleIndex() const {
  return VclParser::RuleCondition;
}


VclParser::ConditionContext* VclParser::condition() {
  ConditionContext *_localctx = _tracker.createInstance<ConditionContext>(_ctx, getState());
  enterRule(_localctx, 72, VclParser::RuleCondition);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(333);
    match(VclParser::LPAREN);
    setState(334);
    expression();
    setState(335);
    match(VclParser::RPAREN);

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
  enterRule(_localctx, 74, VclParser::RuleExpression);
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
    setState(337);
    conjunction();
    setState(342);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::OR) {
      setState(338);
      match(VclParser::OR);
      setState(339);
      conjunction();
      setState(344);
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
  enterRule(_localctx, 76, VclParser::RuleConjunction);
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
    setState(345);
    negation();
    setState(350);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::AND) {
      setState(346);
      match(VclParser::AND);
      setState(347);
      negation();
      setState(352);
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
  enterRule(_localctx, 78, VclParser::RuleNegation);
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
    setState(356);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::NOT) {
      setState(353);
      negated();
      setState(358);
      _errHandler->sync(this);
      _la = _input->LA(1);
    }
    setState(359);
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


size_t VclParser::ComparisonContext::getRuleIndex() const {
  return VclParser::RuleComparison;
}


VclParser::ComparisonContext* VclParser::comparison() {
  ComparisonContext *_localctx = _tracker.createInstance<ComparisonContext>(_ctx, getState());
  enterRule(_localctx, 80, VclParser::RuleComparison);
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
    setState(361);
    arithmetic();
    setState(367);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::EQ)
      | (1ULL << VclParser::NE)
      | (1ULL << VclParser::LT)
      | (1ULL << VclParser::LE)
      | (1ULL << VclParser::GT)
      | (1ULL << VclParser::GE)
      | (1ULL << VclParser::MATCH)
      | (1ULL << VclParser::NO_MATCH))) != 0)) {
      setState(362);
      comparator();
      setState(363);
      arithmetic();
      setState(369);
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


size_t VclParser::ComparatorContext::getRuleIndex() const {
  return VclParser::RuleComparator;
}


VclParser::ComparatorContext* VclParser::comparator() {
  ComparatorContext *_localctx = _tracker.createInstance<ComparatorContext>(_ctx, getState());
  enterRule(_localctx, 82, VclParser::RuleComparator);
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
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::EQ)
      | (1ULL << VclParser::NE)
      | (1ULL << VclParser::LT)
      | (1ULL << VclParser::LE)
      | (1ULL << VclParser::GT)
      | (1ULL << VclParser::GE)
      | (1ULL << VclParser::MATCH)
      | (1ULL << VclParser::NO_MATCH))) != 0))) {
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

//----------------- ArithmeticContext ------------------------------------------------------------------

VclParser::ArithmeticContext::ArithmeticContext(ParserRuleContext *parent, size_t invokingState)
  : ParserRuleContext(parent, invokingState) {
}

std::vector<VclParser::PostfixContext *> VclParser::ArithmeticContext::postfix() {
  return getRuleContexts<VclParser::PostfixContext>();
}

VclParser::PostfixContext* VclParser::ArithmeticContext::postfix(size_t i) {
  return getRuleContext<VclParser::PostfixContext>(i);
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
  enterRule(_localctx, 84, VclParser::RuleArithmetic);
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
    setState(373);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::MINUS) {
      setState(372);
      minus();
    }
    setState(375);
    postfix();
    setState(384);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::PLUS)
      | (1ULL << VclParser::MINUS)
      | (1ULL << VclParser::STAR)
      | (1ULL << VclParser::SLASH)
      | (1ULL << VclParser::PERCENT))) != 0)) {
      setState(376);
      arithmeticOp();
      setState(378);
      _errHandler->sync(this);

      _la = _input->LA(1);
      if (_la == VclParser::MINUS) {
        setState(377);
        minus();
      }
      setState(380);
      postfix();
      setState(386);
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
  enterRule(_localctx, 86, VclParser::RuleArithmeticOp);
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
    setState(387);
    _la = _input->LA(1);
    if (!((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::PLUS)
      | (1ULL << VclParser::MINUS)
      | (1ULL << VclParser::STAR)
      | (1ULL << VclParser::SLASH)
      | (1ULL << VclParser::PERCENT))) != 0))) {
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
  enterRule(_localctx, 88, VclParser::RuleMinus);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(389);
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


size_t VclParser::PostfixContext::getRuleIndex() const {
  return VclParser::RulePostfix;
}


VclParser::PostfixContext* VclParser::postfix() {
  PostfixContext *_localctx = _tracker.createInstance<PostfixContext>(_ctx, getState());
  enterRule(_localctx, 90, VclParser::RulePostfix);
  size_t _la = 0;

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    setState(413);
    _errHandler->sync(this);
    switch (_input->LA(1)) {
      case VclParser::IDENTIFIER: {
        enterOuterAlt(_localctx, 1);
        setState(391);
        name();
        setState(399);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if (_la == VclParser::LPAREN) {
          setState(392);
          arguments();
          setState(396);
          _errHandler->sync(this);
          _la = _input->LA(1);
          while (_la == VclParser::DOT) {
            setState(393);
            member();
            setState(398);
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
        setState(405);
        _errHandler->sync(this);
        switch (_input->LA(1)) {
          case VclParser::STRING:
          case VclParser::LONG_STRING:
          case VclParser::TRIPLE_STRING: {
            setState(401);
            string();
            break;
          }

          case VclParser::NUMBER: {
            setState(402);
            number();
            break;
          }

          case VclParser::BLOB: {
            setState(403);
            blob();
            break;
          }

          case VclParser::LPAREN: {
            setState(404);
            parenthesised();
            break;
          }

        default:
          throw NoViableAltException(this);
        }
        setState(410);
        _errHandler->sync(this);
        _la = _input->LA(1);
        while (_la == VclParser::DOT) {
          setState(407);
          member();
          setState(412);
          _errHandler->sync(this);
          _la = _input->LA(1);
        }
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


size_t VclParser::MemberContext::getRuleIndex() const {
  return VclParser::RuleMember;
}


VclParser::MemberContext* VclParser::member() {
  MemberContext *_localctx = _tracker.createInstance<MemberContext>(_ctx, getState());
  enterRule(_localctx, 92, VclParser::RuleMember);
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
    match(VclParser::DOT);
    setState(416);
    memberName();
    setState(418);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::LPAREN) {
      setState(417);
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
  enterRule(_localctx, 94, VclParser::RuleMemberName);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(420);
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
  enterRule(_localctx, 96, VclParser::RuleParenthesised);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(422);
    match(VclParser::LPAREN);
    setState(423);
    expression();
    setState(424);
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
  enterRule(_localctx, 98, VclParser::RuleArguments);
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
    setState(426);
    match(VclParser::LPAREN);
    setState(437);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if ((((_la & ~ 0x3fULL) == 0) &&
      ((1ULL << _la) & ((1ULL << VclParser::IDENTIFIER)
      | (1ULL << VclParser::NUMBER)
      | (1ULL << VclParser::STRING)
      | (1ULL << VclParser::LONG_STRING)
      | (1ULL << VclParser::TRIPLE_STRING)
      | (1ULL << VclParser::BLOB)
      | (1ULL << VclParser::LPAREN)
      | (1ULL << VclParser::NOT)
      | (1ULL << VclParser::MINUS))) != 0)) {
      setState(427);
      argument();
      setState(434);
      _errHandler->sync(this);
      _la = _input->LA(1);
      while (_la == VclParser::COMMA) {
        setState(428);
        match(VclParser::COMMA);
        setState(430);
        _errHandler->sync(this);

        _la = _input->LA(1);
        if ((((_la & ~ 0x3fULL) == 0) &&
          ((1ULL << _la) & ((1ULL << VclParser::IDENTIFIER)
          | (1ULL << VclParser::NUMBER)
          | (1ULL << VclParser::STRING)
          | (1ULL << VclParser::LONG_STRING)
          | (1ULL << VclParser::TRIPLE_STRING)
          | (1ULL << VclParser::BLOB)
          | (1ULL << VclParser::LPAREN)
          | (1ULL << VclParser::NOT)
          | (1ULL << VclParser::MINUS))) != 0)) {
          setState(429);
          argument();
        }
        setState(436);
        _errHandler->sync(this);
        _la = _input->LA(1);
      }
    }
    setState(439);
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
  enterRule(_localctx, 100, VclParser::RuleArgument);
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
    setState(441);
    expression();
    setState(444);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::ASSIGN) {
      setState(442);
      match(VclParser::ASSIGN);
      setState(443);
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
  enterRule(_localctx, 102, VclParser::RuleName);
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
    setState(446);
    match(VclParser::IDENTIFIER);
    setState(451);
    _errHandler->sync(this);
    _la = _input->LA(1);
    while (_la == VclParser::DOT) {
      setState(447);
      match(VclParser::DOT);
      setState(448);
      _la = _input->LA(1);
      if (!(_la == VclParser::IDENTIFIER

      || _la == VclParser::STRING)) {
      _errHandler->recoverInline(this);
      }
      else {
        _errHandler->reportMatch(this);
        consume();
      }
      setState(453);
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
  enterRule(_localctx, 104, VclParser::RuleNumber);
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
    setState(454);
    match(VclParser::NUMBER);
    setState(456);
    _errHandler->sync(this);

    _la = _input->LA(1);
    if (_la == VclParser::IDENTIFIER) {
      setState(455);
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
  enterRule(_localctx, 106, VclParser::RuleString);
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
    setState(458);
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
  enterRule(_localctx, 108, VclParser::RuleBlob);

#if __cplusplus > 201703L
  auto onExit = finally([=, this] {
#else
  auto onExit = finally([=] {
#endif
    exitRule();
  });
  try {
    enterOuterAlt(_localctx, 1);
    setState(460);
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
  "importAlias", "declaredName", "inlineC", "block", "statement", "setStatement",
  "assignment", "unsetStatement", "callStatement", "returnStatement", "action",
  "newStatement", "functionStatement", "ifStatement", "ifArm", "elseArm",
  "condition", "expression", "conjunction", "negation", "comparison", "comparator",
  "arithmetic", "arithmeticOp", "minus", "postfix", "member", "memberName",
  "parenthesised", "arguments", "argument", "name", "number", "string",
  "blob"
};

std::vector<std::string> VclParser::_literalNames = {
  "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
  "", "", "", "", "", "", "", "", "", "", "'{'", "'}'", "'('", "')'", "'['",
  "']'", "';'", "','", "'.'", "'='", "'+='", "'-='", "'*='", "'/='", "'=='",
  "'!='", "'<'", "'<='", "'>'", "'>='", "'~'", "'!~'", "'!'", "'&&'", "'||'",
  "'+'", "'-'", "'*'", "'/'", "'%'", "'++'", "'--'"
};

std::vector<std::string> VclParser::_symbolicNames = {
  "", "VCL", "BACKEND", "PROBE", "ACL", "SUB", "IMPORT", "SET", "UNSET",
  "CALL", "RETURN", "IF", "NEW", "ELSE", "ELSEIF", "FROM", "AS", "NONE",
  "INCLUDE", "TEST", "IDENTIFIER", "NUMBER", "STRING", "UNCLOSED_STRING",
  "LONG_STRING", "TRIPLE_STRING", "BLOB", "INLINE_C", "LBRACE", "RBRACE",
  "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", "SEMI", "COMMA", "DOT", "ASSIGN",
  "ADD_ASSIGN", "SUB_ASSIGN", "MUL_ASSIGN", "DIV_ASSIGN", "EQ", "NE", "LT",
  "LE", "GT", "GE", "MATCH", "NO_MATCH", "NOT", "AND", "OR", "PLUS", "MINUS",
  "STAR", "SLASH", "PERCENT", "DOUBLE_PLUS", "DOUBLE_MINUS", "LINE_COMMENT",
  "BLOCK_COMMENT", "SPACE", "UNKNOWN"
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
    0x3, 0x41, 0x1d1, 0x4, 0x2, 0x9, 0x2, 0x4, 0x3, 0x9, 0x3, 0x4, 0x4,
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
    0x4, 0x36, 0x9, 0x36, 0x4, 0x37, 0x9, 0x37, 0x4, 0x38, 0x9, 0x38, 0x3,
    0x2, 0x7, 0x2, 0x72, 0xa, 0x2, 0xc, 0x2, 0xe, 0x2, 0x75, 0xb, 0x2, 0x3,
    0x2, 0x3, 0x2, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3,
    0x3, 0x3, 0x3, 0x3, 0x3, 0x5, 0x3, 0x81, 0xa, 0x3, 0x3, 0x4, 0x3, 0x4,
    0x3, 0x4, 0x3, 0x4, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5, 0x3, 0x5,
    0x3, 0x5, 0x5, 0x5, 0x8d, 0xa, 0x5, 0x3, 0x6, 0x3, 0x6, 0x3, 0x7, 0x3,
    0x7, 0x3, 0x7, 0x3, 0x7, 0x3, 0x8, 0x3, 0x8, 0x7, 0x8, 0x97, 0xa, 0x8,
    0xc, 0x8, 0xe, 0x8, 0x9a, 0xb, 0x8, 0x3, 0x8, 0x3, 0x8, 0x3, 0x9, 0x3,
    0x9, 0x3, 0x9, 0x3, 0x9, 0x3, 0x9, 0x3, 0x9, 0x7, 0x9, 0xa4, 0xa, 0x9,
    0xc, 0x9, 0xe, 0x9, 0xa7, 0xb, 0x9, 0x3, 0x9, 0x3, 0x9, 0x5, 0x9, 0xab,
    0xa, 0x9, 0x3, 0xa, 0x3, 0xa, 0x3, 0xb, 0x3, 0xb, 0x3, 0xb, 0x7, 0xb,
    0xb2, 0xa, 0xb, 0xc, 0xb, 0xe, 0xb, 0xb5, 0xb, 0xb, 0x3, 0xb, 0x3, 0xb,
    0x3, 0xc, 0x3, 0xc, 0x7, 0xc, 0xbb, 0xa, 0xc, 0xc, 0xc, 0xe, 0xc, 0xbe,
    0xb, 0xc, 0x3, 0xc, 0x3, 0xc, 0x3, 0xd, 0x3, 0xd, 0x3, 0xd, 0x3, 0xe,
    0x5, 0xe, 0xc6, 0xa, 0xe, 0x3, 0xe, 0x3, 0xe, 0x5, 0xe, 0xca, 0xa, 0xe,
    0x3, 0xe, 0x3, 0xe, 0x3, 0xf, 0x3, 0xf, 0x5, 0xf, 0xd0, 0xa, 0xf, 0x3,
    0xf, 0x3, 0xf, 0x3, 0xf, 0x3, 0x10, 0x3, 0x10, 0x3, 0x10, 0x5, 0x10,
    0xd8, 0xa, 0x10, 0x3, 0x11, 0x3, 0x11, 0x3, 0x12, 0x3, 0x12, 0x3, 0x13,
    0x3, 0x13, 0x3, 0x13, 0x3, 0x13, 0x3, 0x14, 0x3, 0x14, 0x3, 0x14, 0x3,
    0x14, 0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x3, 0x15, 0x5, 0x15, 0xea, 0xa,
    0x15, 0x3, 0x15, 0x3, 0x15, 0x5, 0x15, 0xee, 0xa, 0x15, 0x3, 0x15, 0x3,
    0x15, 0x3, 0x16, 0x3, 0x16, 0x3, 0x17, 0x3, 0x17, 0x3, 0x18, 0x3, 0x18,
    0x3, 0x19, 0x3, 0x19, 0x7, 0x19, 0xfa, 0xa, 0x19, 0xc, 0x19, 0xe, 0x19,
    0xfd, 0xb, 0x19, 0x3, 0x19, 0x3, 0x19, 0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1a,
    0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1a, 0x3, 0x1a, 0x5,
    0x1a, 0x10a, 0xa, 0x1a, 0x3, 0x1b, 0x3, 0x1b, 0x3, 0x1b, 0x3, 0x1b,
    0x3, 0x1b, 0x3, 0x1b, 0x3, 0x1c, 0x3, 0x1c, 0x3, 0x1d, 0x3, 0x1d, 0x3,
    0x1d, 0x3, 0x1d, 0x3, 0x1e, 0x3, 0x1e, 0x3, 0x1e, 0x3, 0x1e, 0x3, 0x1f,
    0x3, 0x1f, 0x3, 0x1f, 0x3, 0x1f, 0x3, 0x1f, 0x5, 0x1f, 0x121, 0xa, 0x1f,
    0x3, 0x1f, 0x3, 0x1f, 0x3, 0x20, 0x3, 0x20, 0x5, 0x20, 0x127, 0xa, 0x20,
    0x3, 0x21, 0x3, 0x21, 0x3, 0x21, 0x3, 0x21, 0x3, 0x21, 0x3, 0x21, 0x3,
    0x21, 0x3, 0x22, 0x3, 0x22, 0x3, 0x22, 0x7, 0x22, 0x133, 0xa, 0x22,
    0xc, 0x22, 0xe, 0x22, 0x136, 0xb, 0x22, 0x3, 0x22, 0x3, 0x22, 0x3, 0x23,
    0x3, 0x23, 0x7, 0x23, 0x13c, 0xa, 0x23, 0xc, 0x23, 0xe, 0x23, 0x13f,
    0xb, 0x23, 0x3, 0x24, 0x3, 0x24, 0x3, 0x24, 0x3, 0x24, 0x3, 0x25, 0x3,
    0x25, 0x3, 0x25, 0x3, 0x25, 0x3, 0x25, 0x5, 0x25, 0x14a, 0xa, 0x25,
    0x5, 0x25, 0x14c, 0xa, 0x25, 0x3, 0x25, 0x3, 0x25, 0x3, 0x26, 0x3, 0x26,
    0x3, 0x26, 0x3, 0x26, 0x3, 0x27, 0x3, 0x27, 0x3, 0x27, 0x7, 0x27, 0x157,
    0xa, 0x27, 0xc, 0x27, 0xe, 0x27, 0x15a, 0xb, 0x27, 0x3, 0x28, 0x3, 0x28,
    0x3, 0x28, 0x7, 0x28, 0x15f, 0xa, 0x28, 0xc, 0x28, 0xe, 0x28, 0x162,
    0xb, 0x28, 0x3, 0x29, 0x7, 0x29, 0x165, 0xa, 0x29, 0xc, 0x29, 0xe, 0x29,
    0x168, 0xb, 0x29, 0x3, 0x29, 0x3, 0x29, 0x3, 0x2a, 0x3, 0x2a, 0x3, 0x2a,
    0x3, 0x2a, 0x7, 0x2a, 0x170, 0xa, 0x2a, 0xc, 0x2a, 0xe, 0x2a, 0x173,
    0xb, 0x2a, 0x3, 0x2b, 0x3, 0x2b, 0x3, 0x2c, 0x5, 0x2c, 0x178, 0xa, 0x2c,
    0x3, 0x2c, 0x3, 0x2c, 0x3, 0x2c, 0x5, 0x2c, 0x17d, 0xa, 0x2c, 0x3, 0x2c,
    0x3, 0x2c, 0x7, 0x2c, 0x181, 0xa, 0x2c, 0xc, 0x2c, 0xe, 0x2c, 0x184,
    0xb, 0x2c, 0x3, 0x2d, 0x3, 0x2d, 0x3, 0x2e, 0x3, 0x2e, 0x3, 0x2f, 0x3,
    0x2f, 0x3, 0x2f, 0x7, 0x2f, 0x18d, 0xa, 0x2f, 0xc, 0x2f, 0xe, 0x2f,
    0x190, 0xb, 0x2f, 0x5, 0x2f, 0x192, 0xa, 0x2f, 0x3, 0x2f, 0x3, 0x2f,
    0x3, 0x2f, 0x3, 0x2f, 0x5, 0x2f, 0x198, 0xa, 0x2f, 0x3, 0x2f, 0x7, 0x2f,
    0x19b, 0xa, 0x2f, 0xc, 0x2f, 0xe, 0x2f, 0x19e, 0xb, 0x2f, 0x5, 0x2f,
    0x1a0, 0xa, 0x2f, 0x3, 0x30, 0x3, 0x30, 0x3, 0x30, 0x5, 0x30, 0x1a5,
    0xa, 0x30, 0x3, 0x31, 0x3, 0x31, 0x3, 0x32, 0x3, 0x32, 0x3, 0x32, 0x3,
    0x32, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x33, 0x5, 0x33, 0x1b1,
    0xa, 0x33, 0x7, 0x33, 0x1b3, 0xa, 0x33, 0xc, 0x33, 0xe, 0x33, 0x1b6,
    0xb, 0x33, 0x5, 0x33, 0x1b8, 0xa, 0x33, 0x3, 0x33, 0x3, 0x33, 0x3, 0x34,
    0x3, 0x34, 0x3, 0x34, 0x5, 0x34, 0x1bf, 0xa, 0x34, 0x3, 0x35, 0x3, 0x35,
    0x3, 0x35, 0x7, 0x35, 0x1c4, 0xa, 0x35, 0xc, 0x35, 0xe, 0x35, 0x1c7,
    0xb, 0x35, 0x3, 0x36, 0x3, 0x36, 0x5, 0x36, 0x1cb, 0xa, 0x36, 0x3, 0x37,
    0x3, 0x37, 0x3, 0x38, 0x3, 0x38, 0x3, 0x38, 0x2, 0x2, 0x39, 0x2, 0x4,
    0x6, 0x8, 0xa, 0xc, 0xe, 0x10, 0x12, 0x14, 0x16, 0x18, 0x1a, 0x1c, 0x1e,
    0x20, 0x22, 0x24, 0x26, 0x28, 0x2a, 0x2c, 0x2e, 0x30, 0x32, 0x34, 0x36,
    0x38, 0x3a, 0x3c, 0x3e, 0x40, 0x42, 0x44, 0x46, 0x48, 0x4a, 0x4c, 0x4e,
    0x50, 0x52, 0x54, 0x56, 0x58, 0x5a, 0x5c, 0x5e, 0x60, 0x62, 0x64, 0x66,
    0x68, 0x6a, 0x6c, 0x6e, 0x2, 0x8, 0x3, 0x2, 0x37, 0x38, 0x3, 0x2, 0x27,
    0x2b, 0x3, 0x2, 0x2c, 0x33, 0x3, 0x2, 0x37, 0x3b, 0x4, 0x2, 0x16, 0x16,
    0x18, 0x18, 0x4, 0x2, 0x18, 0x18, 0x1a, 0x1b, 0x2, 0x1d1, 0x2, 0x73,
    0x3, 0x2, 0x2, 0x2, 0x4, 0x80, 0x3, 0x2, 0x2, 0x2, 0x6, 0x82, 0x3, 0x2,
    0x2, 0x2, 0x8, 0x86, 0x3, 0x2, 0x2, 0x2, 0xa, 0x8e, 0x3, 0x2, 0x2, 0x2,
    0xc, 0x90, 0x3, 0x2, 0x2, 0x2, 0xe, 0x94, 0x3, 0x2, 0x2, 0x2, 0x10,
    0x9d, 0x3, 0x2, 0x2, 0x2, 0x12, 0xac, 0x3, 0x2, 0x2, 0x2, 0x14, 0xae,
    0x3, 0x2, 0x2, 0x2, 0x16, 0xb8, 0x3, 0x2, 0x2, 0x2, 0x18, 0xc1, 0x3,
    0x2, 0x2, 0x2, 0x1a, 0xc5, 0x3, 0x2, 0x2, 0x2, 0x1c, 0xcd, 0x3, 0x2,
    0x2, 0x2, 0x1e, 0xd4, 0x3, 0x2, 0x2, 0x2, 0x20, 0xd9, 0x3, 0x2, 0x2,
    0x2, 0x22, 0xdb, 0x3, 0x2, 0x2, 0x2, 0x24, 0xdd, 0x3, 0x2, 0x2, 0x2,
    0x26, 0xe1, 0x3, 0x2, 0x2, 0x2, 0x28, 0xe5, 0x3, 0x2, 0x2, 0x2, 0x2a,
    0xf1, 0x3, 0x2, 0x2, 0x2, 0x2c, 0xf3, 0x3, 0x2, 0x2, 0x2, 0x2e, 0xf5,
    0x3, 0x2, 0x2, 0x2, 0x30, 0xf7, 0x3, 0x2, 0x2, 0x2, 0x32, 0x109, 0x3,
    0x2, 0x2, 0x2, 0x34, 0x10b, 0x3, 0x2, 0x2, 0x2, 0x36, 0x111, 0x3, 0x2,
    0x2, 0x2, 0x38, 0x113, 0x3, 0x2, 0x2, 0x2, 0x3a, 0x117, 0x3, 0x2, 0x2,
    0x2, 0x3c, 0x11b, 0x3, 0x2, 0x2, 0x2, 0x3e, 0x124, 0x3, 0x2, 0x2, 0x2,
    0x40, 0x128, 0x3, 0x2, 0x2, 0x2, 0x42, 0x12f, 0x3, 0x2, 0x2, 0x2, 0x44,
    0x139, 0x3, 0x2, 0x2, 0x2, 0x46, 0x140, 0x3, 0x2, 0x2, 0x2, 0x48, 0x14b,
    0x3, 0x2, 0x2, 0x2, 0x4a, 0x14f, 0x3, 0x2, 0x2, 0x2, 0x4c, 0x153, 0x3,
    0x2, 0x2, 0x2, 0x4e, 0x15b, 0x3, 0x2, 0x2, 0x2, 0x50, 0x166, 0x3, 0x2,
    0x2, 0x2, 0x52, 0x16b, 0x3, 0x2, 0x2, 0x2, 0x54, 0x174, 0x3, 0x2, 0x2,
    0x2, 0x56, 0x177, 0x3, 0x2, 0x2, 0x2, 0x58, 0x185, 0x3, 0x2, 0x2, 0x2,
    0x5a, 0x187, 0x3, 0x2, 0x2, 0x2, 0x5c, 0x19f, 0x3, 0x2, 0x2, 0x2, 0x5e,
    0x1a1, 0x3, 0x2, 0x2, 0x2, 0x60, 0x1a6, 0x3, 0x2, 0x2, 0x2, 0x62, 0x1a8,
    0x3, 0x2, 0x2, 0x2, 0x64, 0x1ac, 0x3, 0x2, 0x2, 0x2, 0x66, 0x1bb, 0x3,
    0x2, 0x2, 0x2, 0x68, 0x1c0, 0x3, 0x2, 0x2, 0x2, 0x6a, 0x1c8, 0x3, 0x2,
    0x2, 0x2, 0x6c, 0x1cc, 0x3, 0x2, 0x2, 0x2, 0x6e, 0x1ce, 0x3, 0x2, 0x2,
    0x2, 0x70, 0x72, 0x5, 0x4, 0x3, 0x2, 0x71, 0x70, 0x3, 0x2, 0x2, 0x2,
    0x72, 0x75, 0x3, 0x2, 0x2, 0x2, 0x73, 0x71, 0x3, 0x2, 0x2, 0x2, 0x73,
    0x74, 0x3, 0x2, 0x2, 0x2, 0x74, 0x76, 0x3, 0x2, 0x2, 0x2, 0x75, 0x73,
    0x3, 0x2, 0x2, 0x2, 0x76, 0x77, 0x7, 0x2, 0x2, 0x3, 0x77, 0x3, 0x3,
    0x2, 0x2, 0x2, 0x78, 0x81, 0x5, 0x6, 0x4, 0x2, 0x79, 0x81, 0x5, 0x8,
    0x5, 0x2, 0x7a, 0x81, 0x5, 0xc, 0x7, 0x2, 0x7b, 0x81, 0x5, 0x14, 0xb,
    0x2, 0x7c, 0x81, 0x5, 0x24, 0x13, 0x2, 0x7d, 0x81, 0x5, 0x28, 0x15,
    0x2, 0x7e, 0x81, 0x5, 0x2e, 0x18, 0x2, 0x7f, 0x81, 0x5, 0x26, 0x14,
    0x2, 0x80, 0x78, 0x3, 0x2, 0x2, 0x2, 0x80, 0x79, 0x3, 0x2, 0x2, 0x2,
    0x80, 0x7a, 0x3, 0x2, 0x2, 0x2, 0x80, 0x7b, 0x3, 0x2, 0x2, 0x2, 0x80,
    0x7c, 0x3, 0x2, 0x2, 0x2, 0x80, 0x7d, 0x3, 0x2, 0x2, 0x2, 0x80, 0x7e,
    0x3, 0x2, 0x2, 0x2, 0x80, 0x7f, 0x3, 0x2, 0x2, 0x2, 0x81, 0x5, 0x3,
    0x2, 0x2, 0x2, 0x82, 0x83, 0x7, 0x3, 0x2, 0x2, 0x83, 0x84, 0x7, 0x17,
    0x2, 0x2, 0x84, 0x85, 0x7, 0x24, 0x2, 0x2, 0x85, 0x7, 0x3, 0x2, 0x2,
    0x2, 0x86, 0x87, 0x7, 0x4, 0x2, 0x2, 0x87, 0x8c, 0x5, 0x2c, 0x17, 0x2,
    0x88, 0x89, 0x5, 0xa, 0x6, 0x2, 0x89, 0x8a, 0x7, 0x24, 0x2, 0x2, 0x8a,
    0x8d, 0x3, 0x2, 0x2, 0x2, 0x8b, 0x8d, 0x5, 0xe, 0x8, 0x2, 0x8c, 0x88,
    0x3, 0x2, 0x2, 0x2, 0x8c, 0x8b, 0x3, 0x2, 0x2, 0x2, 0x8d, 0x9, 0x3,
    0x2, 0x2, 0x2, 0x8e, 0x8f, 0x7, 0x13, 0x2, 0x2, 0x8f, 0xb, 0x3, 0x2,
    0x2, 0x2, 0x90, 0x91, 0x7, 0x5, 0x2, 0x2, 0x91, 0x92, 0x5, 0x2c, 0x17,
    0x2, 0x92, 0x93, 0x5, 0xe, 0x8, 0x2, 0x93, 0xd, 0x3, 0x2, 0x2, 0x2,
    0x94, 0x98, 0x7, 0x1e, 0x2, 0x2, 0x95, 0x97, 0x5, 0x10, 0x9, 0x2, 0x96,
    0x95, 0x3, 0x2, 0x2, 0x2, 0x97, 0x9a, 0x3, 0x2, 0x2, 0x2, 0x98, 0x96,
    0x3, 0x2, 0x2, 0x2, 0x98, 0x99, 0x3, 0x2, 0x2, 0x2, 0x99, 0x9b, 0x3,
    0x2, 0x2, 0x2, 0x9a, 0x98, 0x3, 0x2, 0x2, 0x2, 0x9b, 0x9c, 0x7, 0x1f,
    0x2, 0x2, 0x9c, 0xf, 0x3, 0x2, 0x2, 0x2, 0x9d, 0x9e, 0x7, 0x26, 0x2,
    0x2, 0x9e, 0x9f, 0x5, 0x12, 0xa, 0x2, 0x9f, 0xaa, 0x7, 0x27, 0x2, 0x2,
    0xa0, 0xab, 0x5, 0xe, 0x8, 0x2, 0xa1, 0xa5, 0x5, 0x4c, 0x27, 0x2, 0xa2,
    0xa4, 0x5, 0x6c, 0x37, 0x2, 0xa3, 0xa2, 0x3, 0x2, 0x2, 0x2, 0xa4, 0xa7,
    0x3, 0x2, 0x2, 0x2, 0xa5, 0xa3, 0x3, 0x2, 0x2, 0x2, 0xa5, 0xa6, 0x3,
    0x2, 0x2, 0x2, 0xa6, 0xa8, 0x3, 0x2, 0x2, 0x2, 0xa7, 0xa5, 0x3, 0x2,
    0x2, 0x2, 0xa8, 0xa9, 0x7, 0x24, 0x2, 0x2, 0xa9, 0xab, 0x3, 0x2, 0x2,
    0x2, 0xaa, 0xa0, 0x3, 0x2, 0x2, 0x2, 0xaa, 0xa1, 0x3, 0x2, 0x2, 0x2,
    0xab, 0x11, 0x3, 0x2, 0x2, 0x2, 0xac, 0xad, 0x7, 0x16, 0x2, 0x2, 0xad,
    0x13, 0x3, 0x2, 0x2, 0x2, 0xae, 0xaf, 0x7, 0x6, 0x2, 0x2, 0xaf, 0xb3,
    0x5, 0x2c, 0x17, 0x2, 0xb0, 0xb2, 0x5, 0x18, 0xd, 0x2, 0xb1, 0xb0, 0x3,
    0x2, 0x2, 0x2, 0xb2, 0xb5, 0x3, 0x2, 0x2, 0x2, 0xb3, 0xb1, 0x3, 0x2,
    0x2, 0x2, 0xb3, 0xb4, 0x3, 0x2, 0x2, 0x2, 0xb4, 0xb6, 0x3, 0x2, 0x2,
    0x2, 0xb5, 0xb3, 0x3, 0x2, 0x2, 0x2, 0xb6, 0xb7, 0x5, 0x16, 0xc, 0x2,
    0xb7, 0x15, 0x3, 0x2, 0x2, 0x2, 0xb8, 0xbc, 0x7, 0x1e, 0x2, 0x2, 0xb9,
    0xbb, 0x5, 0x1a, 0xe, 0x2, 0xba, 0xb9, 0x3, 0x2, 0x2, 0x2, 0xbb, 0xbe,
    0x3, 0x2, 0x2, 0x2, 0xbc, 0xba, 0x3, 0x2, 0x2, 0x2, 0xbc, 0xbd, 0x3,
    0x2, 0x2, 0x2, 0xbd, 0xbf, 0x3, 0x2, 0x2, 0x2, 0xbe, 0xbc, 0x3, 0x2,
    0x2, 0x2, 0xbf, 0xc0, 0x7, 0x1f, 0x2, 0x2, 0xc0, 0x17, 0x3, 0x2, 0x2,
    0x2, 0xc1, 0xc2, 0x9, 0x2, 0x2, 0x2, 0xc2, 0xc3, 0x7, 0x16, 0x2, 0x2,
    0xc3, 0x19, 0x3, 0x2, 0x2, 0x2, 0xc4, 0xc6, 0x5, 0x20, 0x11, 0x2, 0xc5,
    0xc4, 0x3, 0x2, 0x2, 0x2, 0xc5, 0xc6, 0x3, 0x2, 0x2, 0x2, 0xc6, 0xc9,
    0x3, 0x2, 0x2, 0x2, 0xc7, 0xca, 0x5, 0x1c, 0xf, 0x2, 0xc8, 0xca, 0x5,
    0x1e, 0x10, 0x2, 0xc9, 0xc7, 0x3, 0x2, 0x2, 0x2, 0xc9, 0xc8, 0x3, 0x2,
    0x2, 0x2, 0xca, 0xcb, 0x3, 0x2, 0x2, 0x2, 0xcb, 0xcc, 0x7, 0x24, 0x2,
    0x2, 0xcc, 0x1b, 0x3, 0x2, 0x2, 0x2, 0xcd, 0xcf, 0x7, 0x20, 0x2, 0x2,
    0xce, 0xd0, 0x5, 0x20, 0x11, 0x2, 0xcf, 0xce, 0x3, 0x2, 0x2, 0x2, 0xcf,
    0xd0, 0x3, 0x2, 0x2, 0x2, 0xd0, 0xd1, 0x3, 0x2, 0x2, 0x2, 0xd1, 0xd2,
    0x5, 0x1e, 0x10, 0x2, 0xd2, 0xd3, 0x7, 0x21, 0x2, 0x2, 0xd3, 0x1d, 0x3,
    0x2, 0x2, 0x2, 0xd4, 0xd7, 0x5, 0x6c, 0x37, 0x2, 0xd5, 0xd6, 0x7, 0x3a,
    0x2, 0x2, 0xd6, 0xd8, 0x5, 0x22, 0x12, 0x2, 0xd7, 0xd5, 0x3, 0x2, 0x2,
    0x2, 0xd7, 0xd8, 0x3, 0x2, 0x2, 0x2, 0xd8, 0x1f, 0x3, 0x2, 0x2, 0x2,
    0xd9, 0xda, 0x7, 0x34, 0x2, 0x2, 0xda, 0x21, 0x3, 0x2, 0x2, 0x2, 0xdb,
    0xdc, 0x7, 0x17, 0x2, 0x2, 0xdc, 0x23, 0x3, 0x2, 0x2, 0x2, 0xdd, 0xde,
    0x7, 0x7, 0x2, 0x2, 0xde, 0xdf, 0x5, 0x2c, 0x17, 0x2, 0xdf, 0xe0, 0x5,
    0x30, 0x19, 0x2, 0xe0, 0x25, 0x3, 0x2, 0x2, 0x2, 0xe1, 0xe2, 0x7, 0x15,
    0x2, 0x2, 0xe2, 0xe3, 0x5, 0x6c, 0x37, 0x2, 0xe3, 0xe4, 0x5, 0x30, 0x19,
    0x2, 0xe4, 0x27, 0x3, 0x2, 0x2, 0x2, 0xe5, 0xe6, 0x7, 0x8, 0x2, 0x2,
    0xe6, 0xe9, 0x5, 0x2c, 0x17, 0x2, 0xe7, 0xe8, 0x7, 0x12, 0x2, 0x2, 0xe8,
    0xea, 0x5, 0x2a, 0x16, 0x2, 0xe9, 0xe7, 0x3, 0x2, 0x2, 0x2, 0xe9, 0xea,
    0x3, 0x2, 0x2, 0x2, 0xea, 0xed, 0x3, 0x2, 0x2, 0x2, 0xeb, 0xec, 0x7,
    0x11, 0x2, 0x2, 0xec, 0xee, 0x5, 0x6c, 0x37, 0x2, 0xed, 0xeb, 0x3, 0x2,
    0x2, 0x2, 0xed, 0xee, 0x3, 0x2, 0x2, 0x2, 0xee, 0xef, 0x3, 0x2, 0x2,
    0x2, 0xef, 0xf0, 0x7, 0x24, 0x2, 0x2, 0xf0, 0x29, 0x3, 0x2, 0x2, 0x2,
    0xf1, 0xf2, 0x7, 0x16, 0x2, 0x2, 0xf2, 0x2b, 0x3, 0x2, 0x2, 0x2, 0xf3,
    0xf4, 0x7, 0x16, 0x2, 0x2, 0xf4, 0x2d, 0x3, 0x2, 0x2, 0x2, 0xf5, 0xf6,
    0x7, 0x1d, 0x2, 0x2, 0xf6, 0x2f, 0x3, 0x2, 0x2, 0x2, 0xf7, 0xfb, 0x7,
    0x1e, 0x2, 0x2, 0xf8, 0xfa, 0x5, 0x32, 0x1a, 0x2, 0xf9, 0xf8, 0x3, 0x2,
    0x2, 0x2, 0xfa, 0xfd, 0x3, 0x2, 0x2, 0x2, 0xfb, 0xf9, 0x3, 0x2, 0x2,
    0x2, 0xfb, 0xfc, 0x3, 0x2, 0x2, 0x2, 0xfc, 0xfe, 0x3, 0x2, 0x2, 0x2,
    0xfd, 0xfb, 0x3, 0x2, 0x2, 0x2, 0xfe, 0xff, 0x7, 0x1f, 0x2, 0x2, 0xff,
    0x31, 0x3, 0x2, 0x2, 0x2, 0x100, 0x10a, 0x5, 0x34, 0x1b, 0x2, 0x101,
    0x10a, 0x5, 0x38, 0x1d, 0x2, 0x102, 0x10a, 0x5, 0x3a, 0x1e, 0x2, 0x103,
    0x10a, 0x5, 0x3c, 0x1f, 0x2, 0x104, 0x10a, 0x5, 0x44, 0x23, 0x2, 0x105,
    0x10a, 0x5, 0x40, 0x21, 0x2, 0x106, 0x10a, 0x5, 0x42, 0x22, 0x2, 0x107,
    0x10a, 0x5, 0x30, 0x19, 0x2, 0x108, 0x10a, 0x5, 0x2e, 0x18, 0x2, 0x109,
    0x100, 0x3, 0x2, 0x2, 0x2, 0x109, 0x101, 0x3, 0x2, 0x2, 0x2, 0x109,
    0x102, 0x3, 0x2, 0x2, 0x2, 0x109, 0x103, 0x3, 0x2, 0x2, 0x2, 0x109,
    0x104, 0x3, 0x2, 0x2, 0x2, 0x109, 0x105, 0x3, 0x2, 0x2, 0x2, 0x109,
    0x106, 0x3, 0x2, 0x2, 0x2, 0x109, 0x107, 0x3, 0x2, 0x2, 0x2, 0x109,
    0x108, 0x3, 0x2, 0x2, 0x2, 0x10a, 0x33, 0x3, 0x2, 0x2, 0x2, 0x10b, 0x10c,
    0x7, 0x9, 0x2, 0x2, 0x10c, 0x10d, 0x5, 0x68, 0x35, 0x2, 0x10d, 0x10e,
    0x5, 0x36, 0x1c, 0x2, 0x10e, 0x10f, 0x5, 0x4c, 0x27, 0x2, 0x10f, 0x110,
    0x7, 0x24, 0x2, 0x2, 0x110, 0x35, 0x3, 0x2, 0x2, 0x2, 0x111, 0x112,
    0x9, 0x3, 0x2, 0x2, 0x112, 0x37, 0x3, 0x2, 0x2, 0x2, 0x113, 0x114, 0x7,
    0xa, 0x2, 0x2, 0x114, 0x115, 0x5, 0x68, 0x35, 0x2, 0x115, 0x116, 0x7,
    0x24, 0x2, 0x2, 0x116, 0x39, 0x3, 0x2, 0x2, 0x2, 0x117, 0x118, 0x7,
    0xb, 0x2, 0x2, 0x118, 0x119, 0x5, 0x5c, 0x2f, 0x2, 0x119, 0x11a, 0x7,
    0x24, 0x2, 0x2, 0x11a, 0x3b, 0x3, 0x2, 0x2, 0x2, 0x11b, 0x120, 0x7,
    0xc, 0x2, 0x2, 0x11c, 0x11d, 0x7, 0x20, 0x2, 0x2, 0x11d, 0x11e, 0x5,
    0x3e, 0x20, 0x2, 0x11e, 0x11f, 0x7, 0x21, 0x2, 0x2, 0x11f, 0x121, 0x3,
    0x2, 0x2, 0x2, 0x120, 0x11c, 0x3, 0x2, 0x2, 0x2, 0x120, 0x121, 0x3,
    0x2, 0x2, 0x2, 0x121, 0x122, 0x3, 0x2, 0x2, 0x2, 0x122, 0x123, 0x7,
    0x24, 0x2, 0x2, 0x123, 0x3d, 0x3, 0x2, 0x2, 0x2, 0x124, 0x126, 0x5,
    0x68, 0x35, 0x2, 0x125, 0x127, 0x5, 0x64, 0x33, 0x2, 0x126, 0x125, 0x3,
    0x2, 0x2, 0x2, 0x126, 0x127, 0x3, 0x2, 0x2, 0x2, 0x127, 0x3f, 0x3, 0x2,
    0x2, 0x2, 0x128, 0x129, 0x7, 0xe, 0x2, 0x2, 0x129, 0x12a, 0x5, 0x2c,
    0x17, 0x2, 0x12a, 0x12b, 0x7, 0x27, 0x2, 0x2, 0x12b, 0x12c, 0x5, 0x68,
    0x35, 0x2, 0x12c, 0x12d, 0x5, 0x64, 0x33, 0x2, 0x12d, 0x12e, 0x7, 0x24,
    0x2, 0x2, 0x12e, 0x41, 0x3, 0x2, 0x2, 0x2, 0x12f, 0x130, 0x5, 0x68,
    0x35, 0x2, 0x130, 0x134, 0x5, 0x64, 0x33, 0x2, 0x131, 0x133, 0x5, 0x5e,
    0x30, 0x2, 0x132, 0x131, 0x3, 0x2, 0x2, 0x2, 0x133, 0x136, 0x3, 0x2,
    0x2, 0x2, 0x134, 0x132, 0x3, 0x2, 0x2, 0x2, 0x134, 0x135, 0x3, 0x2,
    0x2, 0x2, 0x135, 0x137, 0x3, 0x2, 0x2, 0x2, 0x136, 0x134, 0x3, 0x2,
    0x2, 0x2, 0x137, 0x138, 0x7, 0x24, 0x2, 0x2, 0x138, 0x43, 0x3, 0x2,
    0x2, 0x2, 0x139, 0x13d, 0x5, 0x46, 0x24, 0x2, 0x13a, 0x13c, 0x5, 0x48,
    0x25, 0x2, 0x13b, 0x13a, 0x3, 0x2, 0x2, 0x2, 0x13c, 0x13f, 0x3, 0x2,
    0x2, 0x2, 0x13d, 0x13b, 0x3, 0x2, 0x2, 0x2, 0x13d, 0x13e, 0x3, 0x2,
    0x2, 0x2, 0x13e, 0x45, 0x3, 0x2, 0x2, 0x2, 0x13f, 0x13d, 0x3, 0x2, 0x2,
    0x2, 0x140, 0x141, 0x7, 0xd, 0x2, 0x2, 0x141, 0x142, 0x5, 0x4a, 0x26,
    0x2, 0x142, 0x143, 0x5, 0x30, 0x19, 0x2, 0x143, 0x47, 0x3, 0x2, 0x2,
    0x2, 0x144, 0x145, 0x7, 0x10, 0x2, 0x2, 0x145, 0x14c, 0x5, 0x4a, 0x26,
    0x2, 0x146, 0x149, 0x7, 0xf, 0x2, 0x2, 0x147, 0x148, 0x7, 0xd, 0x2,
    0x2, 0x148, 0x14a, 0x5, 0x4a, 0x26, 0x2, 0x149, 0x147, 0x3, 0x2, 0x2,
    0x2, 0x149, 0x14a, 0x3, 0x2, 0x2, 0x2, 0x14a, 0x14c, 0x3, 0x2, 0x2,
    0x2, 0x14b, 0x144, 0x3, 0x2, 0x2, 0x2, 0x14b, 0x146, 0x3, 0x2, 0x2,
    0x2, 0x14c, 0x14d, 0x3, 0x2, 0x2, 0x2, 0x14d, 0x14e, 0x5, 0x30, 0x19,
    0x2, 0x14e, 0x49, 0x3, 0x2, 0x2, 0x2, 0x14f, 0x150, 0x7, 0x20, 0x2,
    0x2, 0x150, 0x151, 0x5, 0x4c, 0x27, 0x2, 0x151, 0x152, 0x7, 0x21, 0x2,
    0x2, 0x152, 0x4b, 0x3, 0x2, 0x2, 0x2, 0x153, 0x158, 0x5, 0x4e, 0x28,
    0x2, 0x154, 0x155, 0x7, 0x36, 0x2, 0x2, 0x155, 0x157, 0x5, 0x4e, 0x28,
    0x2, 0x156, 0x154, 0x3, 0x2, 0x2, 0x2, 0x157, 0x15a, 0x3, 0x2, 0x2,
    0x2, 0x158, 0x156, 0x3, 0x2, 0x2, 0x2, 0x158, 0x159, 0x3, 0x2, 0x2,
    0x2, 0x159, 0x4d, 0x3, 0x2, 0x2, 0x2, 0x15a, 0x158, 0x3, 0x2, 0x2, 0x2,
    0x15b, 0x160, 0x5, 0x50, 0x29, 0x2, 0x15c, 0x15d, 0x7, 0x35, 0x2, 0x2,
    0x15d, 0x15f, 0x5, 0x50, 0x29, 0x2, 0x15e, 0x15c, 0x3, 0x2, 0x2, 0x2,
    0x15f, 0x162, 0x3, 0x2, 0x2, 0x2, 0x160, 0x15e, 0x3, 0x2, 0x2, 0x2,
    0x160, 0x161, 0x3, 0x2, 0x2, 0x2, 0x161, 0x4f, 0x3, 0x2, 0x2, 0x2, 0x162,
    0x160, 0x3, 0x2, 0x2, 0x2, 0x163, 0x165, 0x5, 0x20, 0x11, 0x2, 0x164,
    0x163, 0x3, 0x2, 0x2, 0x2, 0x165, 0x168, 0x3, 0x2, 0x2, 0x2, 0x166,
    0x164, 0x3, 0x2, 0x2, 0x2, 0x166, 0x167, 0x3, 0x2, 0x2, 0x2, 0x167,
    0x169, 0x3, 0x2, 0x2, 0x2, 0x168, 0x166, 0x3, 0x2, 0x2, 0x2, 0x169,
    0x16a, 0x5, 0x52, 0x2a, 0x2, 0x16a, 0x51, 0x3, 0x2, 0x2, 0x2, 0x16b,
    0x171, 0x5, 0x56, 0x2c, 0x2, 0x16c, 0x16d, 0x5, 0x54, 0x2b, 0x2, 0x16d,
    0x16e, 0x5, 0x56, 0x2c, 0x2, 0x16e, 0x170, 0x3, 0x2, 0x2, 0x2, 0x16f,
    0x16c, 0x3, 0x2, 0x2, 0x2, 0x170, 0x173, 0x3, 0x2, 0x2, 0x2, 0x171,
    0x16f, 0x3, 0x2, 0x2, 0x2, 0x171, 0x172, 0x3, 0x2, 0x2, 0x2, 0x172,
    0x53, 0x3, 0x2, 0x2, 0x2, 0x173, 0x171, 0x3, 0x2, 0x2, 0x2, 0x174, 0x175,
    0x9, 0x4, 0x2, 0x2, 0x175, 0x55, 0x3, 0x2, 0x2, 0x2, 0x176, 0x178, 0x5,
    0x5a, 0x2e, 0x2, 0x177, 0x176, 0x3, 0x2, 0x2, 0x2, 0x177, 0x178, 0x3,
    0x2, 0x2, 0x2, 0x178, 0x179, 0x3, 0x2, 0x2, 0x2, 0x179, 0x182, 0x5,
    0x5c, 0x2f, 0x2, 0x17a, 0x17c, 0x5, 0x58, 0x2d, 0x2, 0x17b, 0x17d, 0x5,
    0x5a, 0x2e, 0x2, 0x17c, 0x17b, 0x3, 0x2, 0x2, 0x2, 0x17c, 0x17d, 0x3,
    0x2, 0x2, 0x2, 0x17d, 0x17e, 0x3, 0x2, 0x2, 0x2, 0x17e, 0x17f, 0x5,
    0x5c, 0x2f, 0x2, 0x17f, 0x181, 0x3, 0x2, 0x2, 0x2, 0x180, 0x17a, 0x3,
    0x2, 0x2, 0x2, 0x181, 0x184, 0x3, 0x2, 0x2, 0x2, 0x182, 0x180, 0x3,
    0x2, 0x2, 0x2, 0x182, 0x183, 0x3, 0x2, 0x2, 0x2, 0x183, 0x57, 0x3, 0x2,
    0x2, 0x2, 0x184, 0x182, 0x3, 0x2, 0x2, 0x2, 0x185, 0x186, 0x9, 0x5,
    0x2, 0x2, 0x186, 0x59, 0x3, 0x2, 0x2, 0x2, 0x187, 0x188, 0x7, 0x38,
    0x2, 0x2, 0x188, 0x5b, 0x3, 0x2, 0x2, 0x2, 0x189, 0x191, 0x5, 0x68,
    0x35, 0x2, 0x18a, 0x18e, 0x5, 0x64, 0x33, 0x2, 0x18b, 0x18d, 0x5, 0x5e,
    0x30, 0x2, 0x18c, 0x18b, 0x3, 0x2, 0x2, 0x2, 0x18d, 0x190, 0x3, 0x2,
    0x2, 0x2, 0x18e, 0x18c, 0x3, 0x2, 0x2, 0x2, 0x18e, 0x18f, 0x3, 0x2,
    0x2, 0x2, 0x18f, 0x192, 0x3, 0x2, 0x2, 0x2, 0x190, 0x18e, 0x3, 0x2,
    0x2, 0x2, 0x191, 0x18a, 0x3, 0x2, 0x2, 0x2, 0x191, 0x192, 0x3, 0x2,
    0x2, 0x2, 0x192, 0x1a0, 0x3, 0x2, 0x2, 0x2, 0x193, 0x198, 0x5, 0x6c,
    0x37, 0x2, 0x194, 0x198, 0x5, 0x6a, 0x36, 0x2, 0x195, 0x198, 0x5, 0x6e,
    0x38, 0x2, 0x196, 0x198, 0x5, 0x62, 0x32, 0x2, 0x197, 0x193, 0x3, 0x2,
    0x2, 0x2, 0x197, 0x194, 0x3, 0x2, 0x2, 0x2, 0x197, 0x195, 0x3, 0x2,
    0x2, 0x2, 0x197, 0x196, 0x3, 0x2, 0x2, 0x2, 0x198, 0x19c, 0x3, 0x2,
    0x2, 0x2, 0x199, 0x19b, 0x5, 0x5e, 0x30, 0x2, 0x19a, 0x199, 0x3, 0x2,
    0x2, 0x2, 0x19b, 0x19e, 0x3, 0x2, 0x2, 0x2, 0x19c, 0x19a, 0x3, 0x2,
    0x2, 0x2, 0x19c, 0x19d, 0x3, 0x2, 0x2, 0x2, 0x19d, 0x1a0, 0x3, 0x2,
    0x2, 0x2, 0x19e, 0x19c, 0x3, 0x2, 0x2, 0x2, 0x19f, 0x189, 0x3, 0x2,
    0x2, 0x2, 0x19f, 0x197, 0x3, 0x2, 0x2, 0x2, 0x1a0, 0x5d, 0x3, 0x2, 0x2,
    0x2, 0x1a1, 0x1a2, 0x7, 0x26, 0x2, 0x2, 0x1a2, 0x1a4, 0x5, 0x60, 0x31,
    0x2, 0x1a3, 0x1a5, 0x5, 0x64, 0x33, 0x2, 0x1a4, 0x1a3, 0x3, 0x2, 0x2,
    0x2, 0x1a4, 0x1a5, 0x3, 0x2, 0x2, 0x2, 0x1a5, 0x5f, 0x3, 0x2, 0x2, 0x2,
    0x1a6, 0x1a7, 0x7, 0x16, 0x2, 0x2, 0x1a7, 0x61, 0x3, 0x2, 0x2, 0x2,
    0x1a8, 0x1a9, 0x7, 0x20, 0x2, 0x2, 0x1a9, 0x1aa, 0x5, 0x4c, 0x27, 0x2,
    0x1aa, 0x1ab, 0x7, 0x21, 0x2, 0x2, 0x1ab, 0x63, 0x3, 0x2, 0x2, 0x2,
    0x1ac, 0x1b7, 0x7, 0x20, 0x2, 0x2, 0x1ad, 0x1b4, 0x5, 0x66, 0x34, 0x2,
    0x1ae, 0x1b0, 0x7, 0x25, 0x2, 0x2, 0x1af, 0x1b1, 0x5, 0x66, 0x34, 0x2,
    0x1b0, 0x1af, 0x3, 0x2, 0x2, 0x2, 0x1b0, 0x1b1, 0x3, 0x2, 0x2, 0x2,
    0x1b1, 0x1b3, 0x3, 0x2, 0x2, 0x2, 0x1b2, 0x1ae, 0x3, 0x2, 0x2, 0x2,
    0x1b3, 0x1b6, 0x3, 0x2, 0x2, 0x2, 0x1b4, 0x1b2, 0x3, 0x2, 0x2, 0x2,
    0x1b4, 0x1b5, 0x3, 0x2, 0x2, 0x2, 0x1b5, 0x1b8, 0x3, 0x2, 0x2, 0x2,
    0x1b6, 0x1b4, 0x3, 0x2, 0x2, 0x2, 0x1b7, 0x1ad, 0x3, 0x2, 0x2, 0x2,
    0x1b7, 0x1b8, 0x3, 0x2, 0x2, 0x2, 0x1b8, 0x1b9, 0x3, 0x2, 0x2, 0x2,
    0x1b9, 0x1ba, 0x7, 0x21, 0x2, 0x2, 0x1ba, 0x65, 0x3, 0x2, 0x2, 0x2,
    0x1bb, 0x1be, 0x5, 0x4c, 0x27, 0x2, 0x1bc, 0x1bd, 0x7, 0x27, 0x2, 0x2,
    0x1bd, 0x1bf, 0x5, 0x4c, 0x27, 0x2, 0x1be, 0x1bc, 0x3, 0x2, 0x2, 0x2,
    0x1be, 0x1bf, 0x3, 0x2, 0x2, 0x2, 0x1bf, 0x67, 0x3, 0x2, 0x2, 0x2, 0x1c0,
    0x1c5, 0x7, 0x16, 0x2, 0x2, 0x1c1, 0x1c2, 0x7, 0x26, 0x2, 0x2, 0x1c2,
    0x1c4, 0x9, 0x6, 0x2, 0x2, 0x1c3, 0x1c1, 0x3, 0x2, 0x2, 0x2, 0x1c4,
    0x1c7, 0x3, 0x2, 0x2, 0x2, 0x1c5, 0x1c3, 0x3, 0x2, 0x2, 0x2, 0x1c5,
    0x1c6, 0x3, 0x2, 0x2, 0x2, 0x1c6, 0x69, 0x3, 0x2, 0x2, 0x2, 0x1c7, 0x1c5,
    0x3, 0x2, 0x2, 0x2, 0x1c8, 0x1ca, 0x7, 0x17, 0x2, 0x2, 0x1c9, 0x1cb,
    0x7, 0x16, 0x2, 0x2, 0x1ca, 0x1c9, 0x3, 0x2, 0x2, 0x2, 0x1ca, 0x1cb,
    0x3, 0x2, 0x2, 0x2, 0x1cb, 0x6b, 0x3, 0x2, 0x2, 0x2, 0x1cc, 0x1cd, 0x9,
    0x7, 0x2, 0x2, 0x1cd, 0x6d, 0x3, 0x2, 0x2, 0x2, 0x1ce, 0x1cf, 0x7, 0x1c,
    0x2, 0x2, 0x1cf, 0x6f, 0x3, 0x2, 0x2, 0x2, 0x2b, 0x73, 0x80, 0x8c, 0x98,
    0xa5, 0xaa, 0xb3, 0xbc, 0xc5, 0xc9, 0xcf, 0xd7, 0xe9, 0xed, 0xfb, 0x109,
    0x120, 0x126, 0x134, 0x13d, 0x149, 0x14b, 0x158, 0x160, 0x166, 0x171,
    0x177, 0x17c, 0x182, 0x18e, 0x191, 0x197, 0x19c, 0x19f, 0x1a4, 0x1b0,
    0x1b4, 0x1b7, 0x1be, 0x1c5, 0x1ca,
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
