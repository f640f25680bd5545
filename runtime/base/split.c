/* See split.h. */
#include "base/split.h"

static bool
is_separator(char c, struct span separators)
{
    return separators.len > 0 && memchr(separators.ptr, c, separators.len) != NULL;
}

bool
split_next(struct span *rest, struct span separators, struct span *word)
{
    size_t at = 0, end;
    while (at < rest->len && is_separator(rest->ptr[at], separators))
        at++;
    for (end = at; end < rest->len && !is_separator(rest->ptr[end], separators);)
        end++;
    *word = span_of(rest->ptr + at, end - at);
    *rest = span_of(rest->ptr + end, rest->len - end);
    return word->len > 0;
}
