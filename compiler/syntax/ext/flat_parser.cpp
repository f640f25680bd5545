/* The generated parser with flat output (flat_parser.h). */
#include "flat_parser.h"

using namespace antlr4;

namespace vernis {

FlatParser::FlatParser(TypeStream *stream, const unsigned char *ends, Driver &driver)
    : Nameless(stream), stream_(stream), ends_(ends), leaver_(*this)
{
    setBuildParseTree(false);
    removeErrorListeners();
    setErrorHandler(std::make_shared<ErrorStrategy>(driver));
    addParseListener(&leaver_);
    nodes.reserve(stream->count());
}

void
FlatParser::enterRule(ParserRuleContext *ctx, size_t state, size_t rule)
{
    VclParser::enterRule(ctx, state, rule);
    open_.push_back({stream_->index(), nodes.size(), 0});
}

/* Replaces Parser::consume(), which makes a node for each terminal as soon as a listener exists. */
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
    open_rule left = open_.back();
    size_t rule = ctx->getRuleIndex(), last = stream_->index() - 1;
    size_t how = (ctx->exception != nullptr ? 2 : 0) + (left.children != 1 ? 1 : 0);

    open_.pop_back();
    switch (static_cast<rule_end>(ends_[rule * ENDS_PER_RULE + how])) {
    case END_CHILDREN:
        if (!open_.empty())
            open_.back().children += left.children;
        break;
    case END_RECORD:
        emit(static_cast<int32_t>(rule), left.first, last, left.children);
        break;
    case END_NOTHING:
        nodes.resize(left.mark);
        break;
    case END_BROKEN:
        nodes.resize(left.mark);
        add_broken(left.first, last);
        break;
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
    emit(static_cast<int32_t>(rules()), first, last, 0);
}

/* Omits the end of the text and the empty alternative, which are not token types. */
static std::string
token_types(const misc::IntervalSet &expected)
{
    std::string types;

    for (ssize_t type : expected.toList())
        if (type > 0)
            types.push_back(static_cast<char>(type));
    return types;
}

void
ErrorStrategy::reportError(Parser *parser, const RecognitionException &e)
{
    FlatParser &p = *static_cast<FlatParser *>(parser);

    if (failing_)
        return;
    failing_ = true;
    driver_.failed(p.rule(), p.stream().index(), token_types(e.getExpectedTokens()));
}

/* Called for each rule from the failed one upwards, until a rule finds the token to resume at. */
void
ErrorStrategy::recover(Parser *parser, std::exception_ptr e)
{
    FlatParser &p = *static_cast<FlatParser *>(parser);
    ssize_t end = Driver::NOT_HERE;

    if (p.asks(p.rule(), ASK_RESUME))
        end = driver_.resume(p.rule(), p.rule_start(), p.stream().index());
    if (end == Driver::NOT_HERE)
        std::rethrow_exception(e);
    p.stream().seek(static_cast<size_t>(end));
    failing_ = false;
}

Token *
ErrorStrategy::recoverInline(Parser *parser)
{
    FlatParser &p = *static_cast<FlatParser *>(parser);
    TypeStream &s = p.stream();
    ssize_t end = driver_.mismatch(p.rule(), s.index(), token_types(p.getExpectedTokens()));

    if (end == Driver::NOT_HERE)
        throw InputMismatchException(parser);
    if (static_cast<size_t>(end) == s.index())
        return s.LT(1);
    s.seek(static_cast<size_t>(end));
    return p.consume();
}

/* Called in each iteration of each loop of the grammar. */
void
ErrorStrategy::sync(Parser *parser)
{
    FlatParser &p = *static_cast<FlatParser *>(parser);
    TypeStream &s = p.stream();
    size_t rule = p.rule();

    if (!p.asks(rule, ASK_BETWEEN))
        return;
    const misc::IntervalSet &expected = p.getATN().nextTokens(p.getATN().states[p.getState()]);
    while (s.index() < s.count() && !expected.contains(s.type(s.index()))) {
        size_t at = s.index();
        s.seek(static_cast<size_t>(driver_.between(rule, at, token_types(expected))));
        p.add_broken(at, s.index() - 1);
    }
}

} // namespace vernis
