/* The generated parser without its tree: rules that end append one record each to a flat post-order list, and errors
 * are recovered from at the ends of statements, in the rule that owns the place. compiler/syntax/fallback.py is the
 * same in Python; tests hold the two to the same output. */
#ifndef VERNIS_SYNTAX_FLAT_PARSER_H
#define VERNIS_SYNTAX_FLAT_PARSER_H

#include <cstdint>
#include <vector>

#include "VclParser.h"
#include "streams.h"

namespace vernis {

/* What to do when a rule ends or fails; the table comes from parser.py (RULE_FLAGS). */
enum rule_flag : unsigned char {
    RULE_EMIT = 1,          /* one record, always */
    RULE_CHAIN = 2,         /* one record unless it has exactly one child, which then stands for it */
    RULE_STATEMENT = 4,     /* an error inside skips to the end of the statement or declaration */
    RULE_CONDITION = 8,     /* an error inside skips to the `{` of the body, if there is one */
    RULE_LIST = 16,         /* between its elements, what starts none is skipped */
};

constexpr size_t ERRORS_MAX = 1000;     /* recorded; further ones are recovered from in silence */

struct node_record {
    int32_t kind, first, last, children;
};

struct error_record {
    int32_t token, rule, first, last;       /* [first, last] was skipped; empty when a token was inserted */
    std::vector<int32_t> expected;
};

class FlatParser final : public VclParser {
public:
    FlatParser(TypeStream *stream, const unsigned char *flags);

    void enterRule(antlr4::ParserRuleContext *ctx, size_t state, size_t rule) override;
    antlr4::Token *consume() override;
    void leave(antlr4::ParserRuleContext *ctx);

    unsigned char flags_of(size_t rule) const { return flags_[rule]; }
    TypeStream &stream() { return *stream_; }
    antlr4::ParserRuleContext *context() { return _ctx; }
    size_t rule_start() const { return open_.back().first; }
    void add_broken(size_t first, size_t last);

    std::vector<node_record> nodes;
    std::vector<error_record> errors;
    bool errors_overflow = false;       /* there were more than ERRORS_MAX */

private:
    struct open_rule {
        size_t first;           /* token */
        size_t mark;            /* records before it */
        int32_t children;
    };

    void emit(int32_t kind, size_t first, size_t last, int32_t children);

    /* The runtime has no virtual exitRule(): a parse listener is its only way to hear of the end of a rule. */
    class Leaver final : public antlr4::tree::ParseTreeListener {
    public:
        explicit Leaver(FlatParser &parser) : parser_(parser) {}
        void visitTerminal(antlr4::tree::TerminalNode *) override {}
        void visitErrorNode(antlr4::tree::ErrorNode *) override {}
        void enterEveryRule(antlr4::ParserRuleContext *) override {}
        void exitEveryRule(antlr4::ParserRuleContext *ctx) override { parser_.leave(ctx); }

    private:
        FlatParser &parser_;
    };

    TypeStream *stream_;
    const unsigned char *flags_;
    Leaver leaver_;
    std::vector<open_rule> open_;
};

class Recovery final : public antlr4::ANTLRErrorStrategy {
public:
    void reset(antlr4::Parser *) override { reported_ = false; }
    bool inErrorRecoveryMode(antlr4::Parser *) override { return reported_; }
    void reportMatch(antlr4::Parser *) override {}
    void reportError(antlr4::Parser *, const antlr4::RecognitionException &) override;
    void recover(antlr4::Parser *, std::exception_ptr) override;
    antlr4::Token *recoverInline(antlr4::Parser *) override;
    void sync(antlr4::Parser *) override;

private:
    bool reported_ = false;     /* an error is on its way up to the rule that recovers */
};

} // namespace vernis

#endif
