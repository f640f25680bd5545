/* Input streams of the generated lexer (bytes) and parser (token types). They borrow their data, and live on
 * the stack of one call. */
#ifndef VERNIS_SYNTAX_STREAMS_H
#define VERNIS_SYNTAX_STREAMS_H

#include <algorithm>
#include <string>
#include <vector>

#include "antlr4-runtime.h"

namespace vernis {

/* Reads each byte as one code point (Latin-1), so that the lexer accepts any input and offsets are byte
 * offsets. ANTLRInputStream would throw on invalid UTF-8. */
class ByteStream final : public antlr4::CharStream {
public:
    ByteStream(const unsigned char *data, size_t size) : data_(data), size_(size) {}

    void consume() override { ++at_; }

    size_t LA(ssize_t i) override
    {
        if (i == 0)
            return 0;
        ssize_t index = static_cast<ssize_t>(at_) + (i > 0 ? i - 1 : i);
        if (index < 0 || static_cast<size_t>(index) >= size_)
            return antlr4::IntStream::EOF;
        return data_[index];
    }

    ssize_t mark() override { return -1; }
    void release(ssize_t) override {}
    size_t index() override { return at_; }
    void seek(size_t index) override { at_ = std::min(index, size_); }
    size_t size() override { return size_; }
    std::string getSourceName() const override { return "policy"; }
    std::string toString() const override
    {
        return std::string(reinterpret_cast<const char *>(data_), size_);
    }

    std::string getText(const antlr4::misc::Interval &interval) override
    {
        if (interval.a < 0 || interval.b < interval.a || static_cast<size_t>(interval.b) >= size_)
            return "";
        return std::string(reinterpret_cast<const char *>(data_) + interval.a,
                           static_cast<size_t>(interval.b - interval.a + 1));
    }

private:
    const unsigned char *data_;
    size_t size_;
    size_t at_ = 0;
};

/* Has a type and a position, which are all that the parser uses. The text stays in Python. */
class TypeToken final : public antlr4::Token {
public:
    TypeToken(size_t type, size_t index) : type_(type), index_(index) {}

    std::string getText() const override { return ""; }
    size_t getType() const override { return type_; }
    size_t getLine() const override { return 0; }
    size_t getCharPositionInLine() const override { return 0; }
    size_t getChannel() const override { return antlr4::Token::DEFAULT_CHANNEL; }
    size_t getTokenIndex() const override { return index_; }
    size_t getStartIndex() const override { return index_; }
    size_t getStopIndex() const override { return index_; }
    antlr4::TokenSource *getTokenSource() const override { return nullptr; }
    antlr4::CharStream *getInputStream() const override { return nullptr; }
    std::string toString() const override { return std::to_string(type_); }

private:
    size_t type_;
    size_t index_;
};

class TypeStream final : public antlr4::TokenStream {
public:
    TypeStream(const unsigned char *types, size_t count) : types_(types), count_(count)
    {
        tokens_.reserve(count + 1);
        for (size_t i = 0; i < count; i++)
            tokens_.emplace_back(types[i], i);
        tokens_.emplace_back(antlr4::Token::EOF, count);
    }

    /* Not in ANTLR's interface: the type at any index, and EOF past the end. */
    size_t type(size_t index) const { return index < count_ ? types_[index] : antlr4::Token::EOF; }
    size_t count() const { return count_; }

    void consume() override { at_ = std::min(at_ + 1, count_); }
    size_t LA(ssize_t k) override { return k > 0 ? type(at_ + k - 1) : LT(k)->getType(); }

    antlr4::Token *LT(ssize_t k) override
    {
        ssize_t index = static_cast<ssize_t>(at_) + (k > 0 ? k - 1 : k);
        index = std::clamp<ssize_t>(index, 0, static_cast<ssize_t>(count_));
        return &tokens_[static_cast<size_t>(index)];
    }

    antlr4::Token *get(size_t index) const override
    {
        return const_cast<TypeToken *>(&tokens_[std::min(index, count_)]);
    }

    ssize_t mark() override { return -1; }
    void release(ssize_t) override {}
    size_t index() override { return at_; }
    void seek(size_t index) override { at_ = std::min(index, count_); }
    size_t size() override { return tokens_.size(); }
    std::string getSourceName() const override { return "policy"; }
    antlr4::TokenSource *getTokenSource() const override { return nullptr; }
    std::string getText(const antlr4::misc::Interval &) override { return ""; }
    std::string getText() override { return ""; }
    std::string getText(antlr4::RuleContext *) override { return ""; }
    std::string getText(antlr4::Token *, antlr4::Token *) override { return ""; }

private:
    const unsigned char *types_;
    size_t count_;
    size_t at_ = 0;
    std::vector<TypeToken> tokens_;
};

} // namespace vernis

#endif
