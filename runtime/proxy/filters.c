/* Lists of filters: see filters.h. */
#include "proxy/filters.h"

#include "base/split.h"

static const struct span in[] = { { "gunzip", 6 }, { "testgunzip", 10 }, { "gzip", 4 }, { "esi", 3 }, { "esi_gzip", 8 } };
static const struct span out[] = { { "range", 5 }, { "gunzip", 6 }, { "esi", 3 } };

bool
filters_have(struct span list, struct span name)
{
    struct span word;
    while (split_next(&list, SPAN_LIT(" "), &word))
        if (span_eq(word, name))
            return true;
    return false;
}

static struct span
first_unknown(struct span list, const struct span *known, size_t n)
{
    struct span word;
    while (split_next(&list, SPAN_LIT(" "), &word)) {
        size_t i = 0;
        while (i < n && !span_eq(known[i], word))
            i++;
        if (i == n)
            return word;
    }
    return SPAN_NULL;
}

struct span
filters_unknown_in(struct span list)
{
    return first_unknown(list, in, sizeof in / sizeof *in);
}

struct span
filters_unknown_out(struct span list)
{
    return first_unknown(list, out, sizeof out / sizeof *out);
}
