/* Automata of the lexer and the parser (automata.h). */
#include "automata.h"

#include <memory>

#include "tables.h"

using namespace antlr4;

namespace vernis {

namespace {

#if __has_include("atn/SerializedATNView.h")

/* Makes the table of ANTLR 4.10 from one of 4.9, which has an identifier, 2 added to each number, 16 bits a
 * number with 0xffff for -1, and a second list of sets, for characters beyond 16 bits. */
class Newer {
public:
    Newer(const uint16_t *table, size_t size) : table_(table), size_(size) { numbers_.reserve(size); }

    std::vector<int32_t> numbers()
    {
        bool lexer = take() == static_cast<int32_t>(atn::ATNType::LEXER);
        take();                                                 /* the largest type of a token */
        repeat([this] { state(); });
        repeat([this] { take(); });                             /* states that are not greedy */
        repeat([this] { take(); });                             /* states with a precedence */
        repeat([this, lexer] { take(); lexer ? take() : 0; });  /* rules, of a lexer with tokens */
        repeat([this] { take(); });                             /* modes */
        repeat([this] {                                         /* sets: intervals, whether the end is in */
            for (int32_t left = 2 * take() + 1; left > 0; left--)
                take();
        });
        if (table_[at_++] != 2)
            throw std::runtime_error("the grammar has characters beyond 16 bits");
        while (at_ < size_)                                     /* edges, decisions, actions */
            take();
        return std::move(numbers_);
    }

private:
    int32_t take()
    {
        auto number = static_cast<uint16_t>(table_[at_++] - 2);

        numbers_.push_back(number == 0xffff ? -1 : number);
        return numbers_.back();
    }

    template <typename Item>
    void repeat(Item item)
    {
        for (int32_t left = take(); left > 0; left--)
            item();
    }

    void state()
    {
        static const unsigned with_number = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 12;  /* blocks, ends of loops */
        int32_t type = take();

        if (type == 0)
            return;
        take();                                                 /* the rule */
        if (with_number >> type & 1)
            take();
    }

    const uint16_t *table_;
    size_t size_;
    size_t at_ = 9;                                             /* after the version and the identifier */
    std::vector<int32_t> numbers_ = {4};
};

std::unique_ptr<atn::ATN>
deserialize(const uint16_t *table, size_t size)
{
    std::vector<int32_t> numbers = Newer(table, size).numbers();

    return atn::ATNDeserializer().deserialize(atn::SerializedATNView(numbers.data(), numbers.size()));
}

#else

std::unique_ptr<atn::ATN>
deserialize(const uint16_t *table, size_t size)
{
    std::vector<uint16_t> numbers(table, table + size);

    return std::unique_ptr<atn::ATN>(new atn::ATN(atn::ATNDeserializer().deserialize(numbers)));
}

#endif

/* The lexer's automaton, and what lexers learn of it. Lives as long as the process. */
struct learned {
    std::unique_ptr<atn::ATN> automaton = deserialize(LexerTable, std::size(LexerTable));
    std::vector<dfa::DFA> known;
    atn::PredictionContextCache contexts;

    learned()
    {
        for (size_t i = 0; i < automaton->getNumberOfDecisions(); i++)
            known.emplace_back(automaton->getDecisionState(i), i);
    }
};

learned &
lexers()
{
    static learned all;

    return all;
}

} // namespace

VclLexer::VclLexer(CharStream *input) : Nameless(input)
{
    _interpreter = new atn::LexerATNSimulator(this, getATN(), lexers().known, lexers().contexts);
}

const atn::ATN &
VclLexer::getATN() const
{
    return *lexers().automaton;
}

const atn::ATN &
parser_automaton()
{
    static const std::unique_ptr<atn::ATN> automaton = deserialize(ParserTable, std::size(ParserTable));

    return *automaton;
}

} // namespace vernis
