/* The generated parser without its tree: rules that end append one record each to a flat post-order list. Which records, and
 * what to do about an error, is decided in compiler/syntax/driver.py: by a table for the end of each rule, and by an object
 * that is asked only when something is wrong. compiler/syntax/fallback.py drives the Python parser by the same file. */
#ifndef VERNIS_SYNTAX_FLAT_PARSER_H
#define VERNIS_SYNTAX_FLAT_PARSER_H

#include <cstdint>
#include <string>
#include <vector>

#include "VclParser.h"
#include "streams.h"

namespace vernis {

/* Actions at the end of a rule; values in the table of driver.py. */
enum rule_end : unsigned char {
    END_CHILDREN,           /* its children go to the rule around it */
    END_RECORD,             /* one record that takes its children */
    END_NOTHING,            /* it failed: its records are dropped */
    END_BROKEN,             /* the same, and one record of the kind "broken" */
};

/* Which questions the rule has for the driver. */
enum rule_question : unsigned char { ASK_BETWEEN = 1, ASK_RESUME = 2 };

/* Read with one child, read otherwise, failed with one child, failed otherwise, and the questions. */
constexpr size_t ENDS_PER_RULE = 5;
constexpr size_t QUESTIONS = 4;

struct node_record {
    int32_t kind, first, last, children;
};

/* Questions about an error, as the class Recovery of driver.py describes them. Tokens are numbers; `expected` is a text of
 * token types. Each may throw. */
class Driver {
public:
    static constexpr ssize_t NOT_HERE = -1;

    virtual ~Driver() = default;
    virtual void failed(size_t rule, size_t at, const std::string &expected) = 0;
    virtual ssize_t resume(size_t rule, size_t start, size_t at) = 0;
    virtual ssize_t mismatch(size_t rule, size_t at, const std::string &expected) = 0;
    virtual ssize_t between(size_t rule, size_t at, const std::string &expected) = 0;
};

class FlatParser final : public VclParser {
public:
    /* `ends` has ENDS_PER_RULE bytes a rule. */
    FlatParser(TypeStream *stream, const unsigned char *ends, Driver &driver);

    void enterRule(antlr4::ParserRuleContext *ctx, size_t state, size_t rule) override;
    antlr4::Token *consume() override;
    void leave(antlr4::ParserRuleContext *ctx);

    bool asks(size_t rule, rule_question question) const { return (ends_[rule * ENDS_PER_RULE + QUESTIONS] & question) != 0; }
    TypeStream &stream() { return *stream_; }
    size_t rule() { return _ctx->getRuleIndex(); }
    size_t rule_start() const { return open_.back().first; }
    void add_broken(size_t first, size_t last);

    std::vector<node_record> nodes;

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
    const unsigned char *ends_;
    Leaver leaver_;
    std::vector<open_rule> open_;
};

/* Puts the runtime's questions to the driver and carries its answers out. */
class ErrorStrategy final : public antlr4::ANTLRErrorStrategy {
public:
    explicit ErrorStrategy(Driver &driver) : driver_(driver) {}

    void reset(antlr4::Parser *) override { failing_ = false; }
    bool inErrorRecoveryMode(antlr4::Parser *) override { return failing_; }
    void reportMatch(antlr4::Parser *) override {}
    void reportError(antlr4::Parser *, const antlr4::RecognitionException &) override;
    void recover(antlr4::Parser *, std::exception_ptr) override;
    antlr4::Token *recoverInline(antlr4::Parser *) override;
    void sync(antlr4::Parser *) override;

private:
    Driver &driver_;
    bool failing_ = false;      /* an error is on its way up to the rule that recovers */
};

} // namespace vernis

#endif
