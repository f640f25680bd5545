/* Lists of filters: see lists.h. */
#include "filter/lists.h"

#include "base/split.h"

static const struct filter_kind kinds[] = {
    { .name = { "gunzip", 6 }, .fetch = true, .delivery = true, .changes = true },
    { .name = { "testgunzip", 10 }, .fetch = true },
    { .name = { "gzip", 4 }, .fetch = true, .changes = true },
    { .name = { "esi", 3 }, .fetch = true, .delivery = true },
    { .name = { "esi_gzip", 8 }, .fetch = true, .changes = true },
    { .name = { "range", 5 }, .delivery = true },       /* proxy/deliver.c */
};

bool
filters_have(struct span list, struct span name)
{
    struct span word;
    while (split_next(&list, SPAN_LIT(" "), &word))
        if (span_eq(word, name))
            return true;
    return false;
}

const struct filter_kind *
filter_kind(struct span name, enum filter_side side)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (span_eq(kinds[i].name, name) && (side == FILTER_FETCH ? kinds[i].fetch : kinds[i].delivery))
            return &kinds[i];
    return NULL;
}

struct span
filters_unknown(struct span list, enum filter_side side)
{
    struct span word;
    while (split_next(&list, SPAN_LIT(" "), &word))
        if (filter_kind(word, side) == NULL)
            return word;
    return SPAN_NULL;
}
