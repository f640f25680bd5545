/* The lexer, and the parser's automaton, from the tables that ANTLR's tool wrote. The tool's own code for
 * them compiles either with the runtimes 4.9 or with newer ones. */
#ifndef VERNIS_SYNTAX_AUTOMATA_H
#define VERNIS_SYNTAX_AUTOMATA_H

#include <string>
#include <vector>

#include "antlr4-runtime.h"

namespace vernis {

/* A recognizer without the names that ANTLR prints in messages: it prints none here. */
template <class Recognizer>
class Nameless : public Recognizer {
public:
    using Recognizer::Recognizer;

    std::string getGrammarFileName() const override { return ""; }
    const std::vector<std::string> &getRuleNames() const override { return none_; }
    const antlr4::dfa::Vocabulary &getVocabulary() const override { return no_words_; }
    virtual const std::vector<std::string> &getTokenNames() const { return none_; }     /* overrides in 4.9 */

protected:
    const std::vector<std::string> none_;

private:
    const antlr4::dfa::Vocabulary no_words_;
};

class VclLexer final : public Nameless<antlr4::Lexer> {
public:
    explicit VclLexer(antlr4::CharStream *input);
    ~VclLexer() override { delete _interpreter; }

    const antlr4::atn::ATN &getATN() const override;
    const std::vector<std::string> &getChannelNames() const override { return none_; }
    const std::vector<std::string> &getModeNames() const override { return none_; }
};

const antlr4::atn::ATN &parser_automaton();

} // namespace vernis

#endif
