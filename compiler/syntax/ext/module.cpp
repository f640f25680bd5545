/* _vclparser: lexing and parsing of VCL for compiler/syntax/parser.py.
 *
 *   lex(data: bytes, words: dict[bytes, int], folded: dict[bytes, int], tokens_max: int)
 *       -> (types, line_starts, hidden, places) The first three have one byte for each token; `places` has
 *       int32 start, end and line. An identifier that is a key of `words` (exactly) or of `folded` (in lower
 *       case) gets the type of this key. Stops after tokens_max + 1 tokens.
 *   parse(types: bytes, ends: bytes, recovery: Recovery) -> bytes
 *       int32 kind, first, last and children of each node, in post-order. driver.py explains `ends` and
 *       `recovery`.
 *
 * Only ANTLR's caches of automata outlive a call. The interpreter lock is free while ANTLR runs, and held
 * during each call of `recovery`. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>

#include "automata.h"
#include "flat_parser.h"

namespace {

using word_table = std::unordered_map<std::string, unsigned char>;

struct lexed {
    std::string types, line_starts, hidden;
    std::vector<int32_t> places;
};

bool
read_words(PyObject *dict, word_table &table)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;

    while (PyDict_Next(dict, &at, &key, &value)) {
        char *text;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(key, &text, &size) < 0)
            return false;
        long type = PyLong_AsLong(value);
        if (type <= 0 || type > 255) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "word type out of range");
            return false;
        }
        table[std::string(text, static_cast<size_t>(size))] = static_cast<unsigned char>(type);
    }
    return true;
}

unsigned char
word_type(const unsigned char *text, size_t size, const word_table &words, const word_table &folded,
          size_t longest)
{
    if (size > longest)
        return vernis::VclParser::IDENTIFIER;
    std::string word(reinterpret_cast<const char *>(text), size);
    auto exact = words.find(word);
    if (exact != words.end())
        return exact->second;
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
    });
    auto any_case = folded.find(word);
    return any_case != folded.end() ? any_case->second
                                    : static_cast<unsigned char>(vernis::VclParser::IDENTIFIER);
}

/* Finds the longest token at `at` if ANTLR's cached automaton has all its edges. Returns the accepting state,
 * and the token's end in `end`; otherwise NULL. Does the walk of LexerATNSimulator::execATN without its two
 * locks and three virtual calls for each byte. The automaton caches no edges for the end of the text and for
 * bytes beyond ASCII. */
const antlr4::dfa::DFAState *
known_token(const antlr4::dfa::DFAState *state, const unsigned char *data, size_t at, size_t size,
            size_t &end)
{
    using antlr4::atn::LexerATNSimulator;
    const antlr4::dfa::DFAState *accepted = nullptr;

    for (; state != nullptr && at < size && data[at] <= LexerATNSimulator::MAX_DFA_EDGE; at++) {
        auto edge = state->edges.find(data[at] - LexerATNSimulator::MIN_DFA_EDGE);
        if (edge == state->edges.end())
            return nullptr;
        state = edge->second;
        if (state == LexerATNSimulator::ERROR.get())
            return accepted;
        if (state->isAcceptState) {
            accepted = state;
            end = at + 1;
        }
    }
    return nullptr;
}

/* Moves the stream to the end of the next token and returns the token's type. Runs the token's actions (skip,
 * channel), which set members of the lexer. The grammar has a token for every byte, so this always finds
 * one. */
size_t
next_token(vernis::VclLexer &lexer, antlr4::atn::LexerATNSimulator &automaton, vernis::ByteStream &stream,
           const unsigned char *data, size_t size)
{
    size_t start = stream.index(), end = start;

    lexer.type = antlr4::Token::INVALID_TYPE;
    lexer.channel = antlr4::Token::DEFAULT_CHANNEL;
    const auto *accepted = known_token(automaton.getDFA(lexer.mode).s0, data, start, size, end);
    if (accepted == nullptr)
        return automaton.match(&stream, lexer.mode);
    stream.seek(end);
    if (accepted->lexerActionExecutor != nullptr)
        accepted->lexerActionExecutor->execute(&lexer, &stream, start);
    return accepted->prediction;
}

void
lex(const unsigned char *data, size_t size, const word_table &words, const word_table &folded,
    size_t tokens_max, lexed &out)
{
    static std::mutex automaton_lock;       /* all lexers extend one automaton, and known_token() reads it */
    std::lock_guard<std::mutex> held(automaton_lock);
    vernis::ByteStream stream(data, size);
    vernis::VclLexer lexer(&stream);
    size_t longest = 0, counted = 0;
    int32_t line = 1, last_line = 0;

    lexer.removeErrorListeners();
    for (const auto *table : {&words, &folded})
        for (const auto &entry : *table)
            longest = std::max(longest, entry.first.size());
    auto *automaton = lexer.getInterpreter<antlr4::atn::LexerATNSimulator>();
    while (stream.LA(1) != antlr4::IntStream::EOF && out.types.size() <= tokens_max) {
        size_t start = stream.index();
        size_t type = next_token(lexer, *automaton, stream, data, size);
        if (lexer.type == antlr4::Lexer::SKIP)
            continue;
        size_t end = stream.index();
        line += static_cast<int32_t>(std::count(data + counted, data + start, '\n'));
        counted = start;
        bool hidden = lexer.channel != antlr4::Token::DEFAULT_CHANNEL;
        if (type == vernis::VclParser::IDENTIFIER)
            type = word_type(data + start, end - start, words, folded, longest);
        out.types.push_back(static_cast<char>(type));
        out.hidden.push_back(hidden ? 1 : 0);
        out.line_starts.push_back(line != last_line ? 1 : 0);
        out.places.insert(out.places.end(), {static_cast<int32_t>(start), static_cast<int32_t>(end), line});
        if (!hidden)
            last_line = line;
    }
}

/* A method of the Recovery raised an exception, which the interpreter keeps. */
struct python_failed {};

/* Asks a Python object. The callers do not hold the interpreter lock; each question takes it. */
class PythonDriver final : public vernis::Driver {
public:
    explicit PythonDriver(PyObject *recovery) : recovery_(recovery) {}

    void failed(size_t rule, size_t at, const std::string &expected) override
    {
        ask("failed", false, "nny#", rule, at, expected.data(), expected.size());
    }

    ssize_t resume(size_t rule, size_t start, size_t at) override
    {
        return ask("resume", true, "nnn", rule, start, at);
    }

    ssize_t mismatch(size_t rule, size_t at, const std::string &expected) override
    {
        return ask("mismatch", true, "nny#", rule, at, expected.data(), expected.size());
    }

    ssize_t between(size_t rule, size_t at, const std::string &expected) override
    {
        return ask("between", true, "nny#", rule, at, expected.data(), expected.size());
    }

private:
    template <typename... Arguments>
    ssize_t ask(const char *method, bool has_answer, const char *format, Arguments... arguments)
    {
        PyGILState_STATE held = PyGILState_Ensure();
        PyObject *result = PyObject_CallMethod(recovery_, method, format, arguments...);
        ssize_t answer = result != nullptr && has_answer ? PyLong_AsSsize_t(result) : 0;
        bool raised = PyErr_Occurred() != nullptr;

        Py_XDECREF(result);
        PyGILState_Release(held);
        if (raised)
            throw python_failed();
        return answer;
    }

    PyObject *recovery_;        /* borrowed from the caller */
};

PyObject *
bytes_of(const void *data, size_t size)
{
    return PyBytes_FromStringAndSize(static_cast<const char *>(data), static_cast<Py_ssize_t>(size));
}

/* Runs `work` without the interpreter lock. Turns a C++ exception into a RuntimeError. */
template <typename Work>
bool
unlocked(Work work)
{
    std::string problem;
    bool raised = false;

    Py_BEGIN_ALLOW_THREADS
    try {
        work();
    } catch (const python_failed &) {
        raised = true;
    } catch (const std::exception &e) {
        problem = std::string("parser: ") + e.what();
    } catch (...) {
        problem = "parser: unknown exception";
    }
    Py_END_ALLOW_THREADS
    if (raised)
        return false;
    if (problem.empty())
        return true;
    PyErr_SetString(PyExc_RuntimeError, problem.c_str());
    return false;
}

PyObject *
module_lex(PyObject *, PyObject *args)
{
    const unsigned char *data;
    Py_ssize_t size, tokens_max;
    PyObject *words_arg, *folded_arg;
    word_table words, folded;
    lexed out;

    if (!PyArg_ParseTuple(args, "y#O!O!n", &data, &size, &PyDict_Type, &words_arg, &PyDict_Type, &folded_arg,
                          &tokens_max))
        return nullptr;
    if (tokens_max < 0) {
        PyErr_SetString(PyExc_ValueError, "tokens_max is negative");
        return nullptr;
    }
    if (!read_words(words_arg, words) || !read_words(folded_arg, folded))
        return nullptr;
    bool done = unlocked(
        [&] { lex(data, static_cast<size_t>(size), words, folded, static_cast<size_t>(tokens_max), out); });
    if (!done)
        return nullptr;
    return Py_BuildValue("(NNNN)", bytes_of(out.types.data(), out.types.size()),
                         bytes_of(out.line_starts.data(), out.line_starts.size()),
                         bytes_of(out.hidden.data(), out.hidden.size()),
                         bytes_of(out.places.data(), out.places.size() * sizeof(int32_t)));
}

PyObject *
module_parse(PyObject *, PyObject *args)
{
    const unsigned char *types, *ends;
    Py_ssize_t count, end_count;
    PyObject *recovery;
    std::vector<vernis::node_record> nodes;

    if (!PyArg_ParseTuple(args, "y#y#O", &types, &count, &ends, &end_count, &recovery))
        return nullptr;
    bool done = unlocked([&] {
        vernis::TypeStream stream(types, static_cast<size_t>(count));
        PythonDriver driver(recovery);
        vernis::FlatParser parser(&stream, ends, driver);
        if (parser.rules() * vernis::ENDS_PER_RULE != static_cast<size_t>(end_count))
            throw std::runtime_error(
                "the table of rules does not match the grammar; build the extension again");
        parser.program();
        nodes = std::move(parser.nodes);
    });
    return done ? bytes_of(nodes.data(), nodes.size() * sizeof(vernis::node_record)) : nullptr;
}

PyMethodDef methods[] = {
    {"lex", module_lex, METH_VARARGS,
     "lex(data, words, folded, tokens_max) -> (types, line_starts, hidden, places)"},
    {"parse", module_parse, METH_VARARGS, "parse(types, ends, recovery) -> flat tree"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_vclparser", "VCL lexer and parser (generated by ANTLR)", -1, methods,
    nullptr, nullptr, nullptr, nullptr,
};

} // namespace

PyMODINIT_FUNC
PyInit__vclparser(void)
{
    return PyModule_Create(&definition);
}
