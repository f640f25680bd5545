/* Distance between words: see similar.h. */
#include "base/similar.h"

#include <ctype.h>

struct similar
similar_to(struct span word)
{
    unsigned limit = (unsigned)(word.len / 3);
    return (struct similar){ word, NULL, limit == 0 ? 2 : limit + 1 };
}

static unsigned
least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool
same(const char *a, const char *b)
{
    return tolower((unsigned char)*a) == tolower((unsigned char)*b);
}

/* The table of edit distances, row by row: the distance between the first i letters of a and the first k of
 * b, where a swap of two neighbours is one edit. */
static unsigned
distance(struct span a, struct span b)
{
    unsigned rows[3][SIMILAR_BYTES_MAX + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (unsigned k = 0; k <= b.len; k++)
        last[k] = k;
    for (unsigned i = 1; i <= a.len; i++) {
        row[0] = i;
        for (unsigned k = 1; k <= b.len; k++) {
            const char *x = a.ptr + i - 1, *y = b.ptr + k - 1;
            row[k] = least(last[k - 1] + !same(x, y), least(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && same(x, y - 1) && same(x - 1, y))
                row[k] = least(row[k], before[k - 2] + 1);
        }
        unsigned *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b.len];
}

void
similar_try(struct similar *s, const char *name)
{
    struct span other = span_str(name);
    if (s->word.len == 0 || s->word.len > SIMILAR_BYTES_MAX || other.len > SIMILAR_BYTES_MAX)
        return;
    unsigned d = distance(s->word, other);
    if (d < s->distance && d < s->word.len) { /* a word of other letters is no misspelling */
        s->distance = d;
        s->name = name;
    }
}
