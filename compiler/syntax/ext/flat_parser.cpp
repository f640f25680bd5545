/* See flat_parser.h. Brackets are balanced before the parser runs (tokens.py closes what is open and hides what closes
 * nothing), so every scan below ends at a bracket of its own level. */
#include "flat_parser.h"

using namespace antlr4;

namespace vernis {

FlatParser::FlatParser(TypeStream *stream, const unsigned char *flags)
    : VclParser(stream), stream_(stream), flags_(flags), leaver_(*this)
{
    setBuildParseTree(false);
    removeErrorListeners();
    setErrorHandler(std::make_shared<Recovery>());
    getInterpreter<atn::ParserATNSimulator>()->setPredictionMode(atn::PredictionMode::SLL);
    addParseListener(&leaver_);
    nodes.reserve(stream->count());
}

void
FlatParser::enterRule(ParserRuleContext *ctx, size_t state, size_t rule)
{
    VclParser::enterRule(ctx, state, rule);
    open_.push_back({stream_->index(), nodes.size(), 0});
}

/* Without the nodes the runtime makes for terminals as soon as there is a listener. */
Token *
FlatParser::consume()
{
    Token *token = stream_->LT(1);

    stream_->consume();
    return token;
}

void
FlatParser::leave(ParserRuleContext *ctx)
{
    open_rule rule = open_.back();
    size_t last = stream_->index() - 1;
    unsigned char flags = flags_[ctx->getRuleIndex()];

    open_.pop_back();
    if (ctx->exception != nullptr) {
        nodes.resize(rule.mark);
        if (flags & (RULE_STATEMENT | RULE_CONDITION))
            add_broken(rule.first, last);
    } else if ((flags & RULE_EMIT) || ((flags & RULE_CHAIN) && rule.children != 1)) {
        emit(static_cast<int32_t>(ctx->getRuleIndex()), rule.first, last, rule.children);
    } else if (!open_.empty()) {
        open_.back().children += rule.children;
    }
}

void
FlatParser::emit(int32_t kind, size_t first, size_t last, int32_t children)
{
    nodes.push_back({kind, static_cast<int32_t>(first), static_cast<int32_t>(last), children});
    if (!open_.empty())
        open_.back().children += 1;
}

void
FlatParser::add_broken(size_t first, size_t last)
{
    emit(static_cast<int32_t>(getRuleNames().size()), first, last, 0);
}

static bool
is_opener(size_t type)
{
    return type == VclParser::LBRACE || type == VclParser::LPAREN || type == VclParser::LBRACKET;
}

static bool
is_closer(size_t type)
{
    return type == VclParser::RBRACE || type == VclParser::RPAREN || type == VclParser::RBRACKET;
}

/* Words that begin a declaration or a statement; they have these types only where they do (tokens.py). */
static bool
is_head_word(size_t type)
{
    return type >= VclParser::VCL && type <= VclParser::NEW;
}

/* The token after the broken statement or declaration that began at `start` and was wrong at `at`: behind its `;` or
 * its last block, before the `}` around it, before the next head. */
static size_t
statement_end(const TypeStream &s, size_t start, size_t at)
{
    size_t depth = 0;

    for (size_t i = start; i < s.count(); i++) {
        size_t type = s.type(i);
        if (is_opener(type)) {
            depth += 1;
        } else if (is_closer(type)) {
            if (depth == 0)
                return i;
            depth -= 1;
            if (depth == 0 && type == VclParser::RBRACE && i >= at && s.type(i + 1) != VclParser::ELSE
                && s.type(i + 1) != VclParser::ELSEIF)
                return i + 1;
        } else if (depth == 0 && i >= at) {
            if (type == VclParser::SEMI)
                return i + 1;
            if (i > start && is_head_word(type))
                return i;
        }
    }
    return s.count();
}

/* The `{` of the body that follows the broken head, or count() when the statement ends before one. */
static size_t
body_start(const TypeStream &s, size_t start, size_t at)
{
    size_t depth = 0;

    for (size_t i = start; i < s.count(); i++) {
        size_t type = s.type(i);
        if (depth == 0 && i >= at && type == VclParser::LBRACE)
            return i;
        if (depth == 0 && (type == VclParser::SEMI || is_closer(type) || (i > start && is_head_word(type))))
            break;
        if (is_opener(type))
            depth += 1;
        else if (is_closer(type))
            depth -= 1;
    }
    return s.count();
}

/* Does a new statement, field or acl entry begin here, so that only the `;` before it is missing? */
static bool
begins_next(const TypeStream &s, size_t rule, size_t at)
{
    size_t type = s.type(at);

    if (type == Token::EOF || type == VclParser::RBRACE || is_head_word(type))
        return true;
    if (!s.starts_line(at))
        return false;
    if (rule == VclParser::RuleField)
        return type == VclParser::DOT && s.type(at + 1) == VclParser::IDENTIFIER && s.type(at + 2) == VclParser::ASSIGN;
    if (rule == VclParser::RuleAclEntry)
        return type == VclParser::STRING || type == VclParser::NOT || type == VclParser::LPAREN;
    if (type != VclParser::IDENTIFIER)
        return false;
    for (at += 1; s.type(at) == VclParser::DOT; at += 2)
        ;
    return s.type(at) == VclParser::LPAREN;
}

static void
add_error(FlatParser &p, size_t token, size_t rule, const misc::IntervalSet &expected)
{
    if (p.errors.size() >= ERRORS_MAX) {
        p.errors_overflow = true;
        return;
    }
    error_record error{static_cast<int32_t>(token), static_cast<int32_t>(rule), 0, -1, {}};

    for (ssize_t type : expected.toList())
        if (type > 0)
            error.expected.push_back(static_cast<int32_t>(type));
    p.errors.push_back(std::move(error));
}

static void
skip_to(FlatParser &p, size_t first, size_t end)
{
    if (!p.errors_overflow) {
        p.errors.back().first = static_cast<int32_t>(first);
        p.errors.back().last = static_cast<int32_t>(end) - 1;
    }
    p.stream().seek(end);
}

void
Recovery::reportError(Parser *parser, const RecognitionException &e)
{
    FlatParser &p = *static_cast<FlatParser *>(parser);

    if (reported_)
        return;
    reported_ = true;
    add_error(p, p.stream().index(), p.context()->getRuleIndex(), e.getExpectedTokens());
}

/* Called in the handler of each rule on the way up: the first one that owns a boundary stops there. */
void
Recovery::recover(Parser *parser, std::exception_ptr e)
{
    FlatParser &p = *static_cast<FlatParser *>(parser);
    unsigned char flags = p.flags_of(p.context()->getRuleIndex());
    size_t start = p.rule_start();

    if (flags & RULE_CONDITION) {
        size_t end = body_start(p.stream(), start, p.stream().index());
        if (end < p.stream().count()) {
            skip_to(p, start, end);
            reported_ = false;
            return;
        }
    }
    if (!(flags & RULE_STATEMENT))
        std::rethrow_exception(e);
    skip_to(p, start, statement_end(p.stream(), start, p.stream().index()));
    reported_ = false;
}

/* A token other than the one expected. Only a missing `;` before what is plainly the next statement is supplied, and
 * only what stands between a declaration's name and its `{` is dropped; all else fails the statement. */
Token *
Recovery::recoverInline(Parser *parser)
{
    FlatParser &p = *static_cast<FlatParser *>(parser);
    TypeStream &s = p.stream();
    size_t at = s.index();
    size_t rule = p.context()->getRuleIndex();
    misc::IntervalSet expected = p.getExpectedTokens();

    if (expected.contains(static_cast<size_t>(VclParser::SEMI)) && begins_next(s, rule, at)) {
        add_error(p, at, rule, expected);
        return s.LT(1);
    }
    if (expected.contains(static_cast<size_t>(VclParser::LBRACE)) && expected.size() == 1) {
        size_t end = body_start(s, at, at);
        if (end < s.count()) {
            add_error(p, at, rule, expected);
            skip_to(p, at, end);
            return p.consume();
        }
    }
    throw InputMismatchException(parser);
}

/* Before and between the elements of a list: what can neither start an element nor close the list is reported and
 * skipped here, so that the rest of the list is still read. */
void
Recovery::sync(Parser *parser)
{
    FlatParser &p = *static_cast<FlatParser *>(parser);
    TypeStream &s = p.stream();
    size_t rule = p.context()->getRuleIndex();

    if (!(p.flags_of(rule) & RULE_LIST))
        return;
    const misc::IntervalSet &expected = p.getATN().nextTokens(p.getATN().states[p.getState()]);
    while (s.index() < s.count() && !expected.contains(s.type(s.index()))) {
        size_t at = s.index();
        size_t end = std::max(at + 1, statement_end(s, at, at));
        add_error(p, at, rule, expected);
        skip_to(p, at, end);
        p.add_broken(at, end - 1);
    }
}

} // namespace vernis
