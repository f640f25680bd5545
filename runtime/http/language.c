/* Lists of language ranges with weights: see language.h. */
#include "http/language.h"

#include "http/chars.h"
#include "http/fields.h"

#define WEIGHT_ONE 1000u /* a weight of 1; RFC 9110, 12.4.2 allows three digits after the point */

/* "0.5" is 500. A malformed weight counts as 1, like an absent one. */
static unsigned
weight_of(struct span text)
{
    unsigned value = 0, unit = WEIGHT_ONE;
    if (text.len == 0 || text.len > 5 || !char_is(text.ptr[0], CHAR_DIGIT) ||
        (text.len > 1 && text.ptr[1] != '.'))
        return WEIGHT_ONE;
    for (size_t i = 0; i < text.len; i++) {
        if (i == 1)
            continue; /* the point */
        if (!char_is(text.ptr[i], CHAR_DIGIT))
            return WEIGHT_ONE;
        value += (unsigned)(text.ptr[i] - '0') * unit;
        unit /= 10;
    }
    return value < WEIGHT_ONE ? value : WEIGHT_ONE;
}

static struct language_range
range_of(struct span item)
{
    const char *semicolon = memchr(item.ptr, ';', item.len);
    if (semicolon == NULL)
        return (struct language_range){ item, WEIGHT_ONE };
    struct span name = span_trim(span_of(item.ptr, (size_t)(semicolon - item.ptr)));
    struct span rest = span_trim(span_of(semicolon + 1, item.len - (size_t)(semicolon + 1 - item.ptr)));
    bool weight = rest.len > 2 && ascii_lower(rest.ptr[0]) == 'q' && rest.ptr[1] == '=';
    return (struct language_range){ name,
                                    weight ? weight_of(span_of(rest.ptr + 2, rest.len - 2)) : WEIGHT_ONE };
}

unsigned
language_ranges(struct span list, struct language_range out[LANGUAGES_MAX])
{
    struct span item;
    unsigned n = 0;
    while (list_next(&list, &item)) {
        if (n == LANGUAGES_MAX)
            return 0;
        out[n++] = range_of(item);
    }
    return n;
}

static bool
has(const struct language_range *ranges, unsigned n, const struct language_range *wanted)
{
    for (unsigned i = 0; i < n; i++)
        if (ranges[i].weight == wanted->weight && span_eq_nocase(ranges[i].name, wanted->name))
            return true;
    return false;
}

static bool
has_all(const struct language_range *ranges, unsigned n, const struct language_range *wanted,
        unsigned n_wanted)
{
    for (unsigned i = 0; i < n_wanted; i++)
        if (!has(ranges, n, &wanted[i]))
            return false;
    return true;
}

bool
language_lists_equal(struct span a, struct span b)
{
    struct language_range in_a[LANGUAGES_MAX], in_b[LANGUAGES_MAX];
    unsigned n_a = language_ranges(a, in_a), n_b = language_ranges(b, in_b);
    return n_a > 0 && n_b > 0 && has_all(in_a, n_a, in_b, n_b) && has_all(in_b, n_b, in_a, n_a);
}

struct span
language_preferred(struct span accept)
{
    struct language_range ranges[LANGUAGES_MAX];
    unsigned n = language_ranges(accept, ranges), best = 0, equals = 0;
    for (unsigned i = 0; i < n; i++) {
        if (ranges[i].weight > ranges[best].weight) {
            best = i;
            equals = 0;
        }
        equals += ranges[i].weight == ranges[best].weight;
    }
    bool one = n > 0 && equals == 1 && ranges[best].weight > 0 && !span_eq(ranges[best].name, SPAN_LIT("*"));
    return one ? ranges[best].name : SPAN_NULL;
}
