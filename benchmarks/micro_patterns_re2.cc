/* RE2::Set for micro_patterns.c. Bytes are Latin-1, since our subjects have no encoding. */
#include "micro_patterns.h"

#include <re2/set.h>

#include <cstdlib>
#include <string>
#include <vector>

static RE2::Set *
as_set(void *set)
{
    return static_cast<RE2::Set *>(set);
}

void *
re2_set_new(void)
{
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_max_mem(256 << 20);
    return new RE2::Set(options, RE2::UNANCHORED);
}

void
re2_set_add(void *set, const char *pattern)
{
    std::string error;
    if (as_set(set)->Add(pattern, &error) < 0)
        abort();
}

bool
re2_set_compile(void *set)
{
    return as_set(set)->Compile();
}

unsigned
re2_set_match(void *set, const char *text, size_t len)
{
    static thread_local std::vector<int> found;
    found.clear();
    as_set(set)->Match(re2::StringPiece(text, len), &found);
    return static_cast<unsigned>(found.size());
}

void
re2_set_drop(void *set)
{
    delete as_set(set);
}
