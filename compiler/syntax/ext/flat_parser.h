/* The generated parser without a parse tree: at the end of a rule it appends one record to a flat list in
 * post-order. compiler/syntax/driver.py decides which rules leave records, with a table, and how to recover
 * from an error, with an object that this parser calls only on an error. compiler/syntax/fallback.py drives
 * the Python parser with the same table and object. */
#ifndef VERNIS_SYNTAX_FLAT_PARSER_H
#define VERNIS_SYNTAX_FLAT_PARSER_H

#include <cstdint>
#include <string>
#include <vector>

#include "VclParser.h"
#include "automata.h"
#include "streams.h"

namespace vernis {

/* Actions at the end of a rule. The table in driver.py has the same values. */
enum rule_end : unsigned char {
    END_CHILDREN,           /* no record; its children become children of the outer rule */
    END_RECORD,             /* one record, the parent of its children */
    END_NOTHING,            /* after an error: drops its records */
    END_BROKEN,             /* after an error: replaces its records by one of the kind "broken" */
};

/* The questions of a rule that the driver answers. */
enum rule_question : unsigned char { ASK_BETWEEN = 1, ASK_RESUME = 2 };

/* Actions after success with one child, success otherwise, failure with one child, failure otherwise; then
 * the questions. */
constexpr size_t ENDS_PER_RULE = 5;
constexpr size_t QUESTIONS = 4;

struct node_record {
    int32_t kind, first, last, children;
};

/* Questions about an error. The class Recovery in driver.py describes them. Tokens are indices; `expected`
 * has one byte for each token type. Each method may throw. */
class Driver {
public:
    static constexpr ssize_t NOT_HERE = -1;

    virtual ~Driver() = default;
    virtual void failed(size_t rule, size_t at, const std::string &expected) = 0;
    virtual ssize_t resume(size_t rule, size_t start, size_t at) = 0;
    virtual ssize_t mismatch(size_t rule, size_t at, const std::string &expected) = 0;
    virtual ssize_t between(size_t rule, size_t at, const std::string &expected) = 0;
};

class FlatParser final : public Nameless<VclParser> {
public:
    /* `ends` has ENDS_PER_RULE bytes for each rule. */
    FlatParser(TypeStream *stream, const unsigned char *ends, Driver &driver);

    const antlr4::atn::ATN &getATN() const override { return parser_automaton(); }
    void enterRule(antlr4::ParserRuleContext *ctx, size_t state, size_t rule) override;
    antlr4::Token *consume() override;
    void leave(antlr4::ParserRuleContext *ctx);

    bool asks(size_t rule, rule_question question) const
    {
        return (ends_[rule * ENDS_PER_RULE + QUESTIONS] & question) != 0;
    }
    size_t rules() const { return getATN().ruleToStartState.size(); }
    TypeStream &stream() { return *stream_; }
    size_t rule() { return _ctx->getRuleIndex(); }
    size_t rule_start() const { return open_.back().first; }
    void add_broken(size_t first, size_t last);

    std::vector<node_record> nodes;

private:
    struct open_rule {
        size_t first;           /* first token */
        size_t mark;            /* number of records before the rule */
        int32_t children;
    };

    void emit(int32_t kind, size_t first, size_t last, int32_t children);

    /* ANTLR's exitRule() is not virtual, so only a parse listener sees the end of a rule. */
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

/* Called by ANTLR on errors. Asks the driver and carries out its answers. */
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
    bool failing_ = false;      /* an error is on its way to the rule that recovers */
};

} // namespace vernis

#endif
