/* See range_set.h. */
#include "http/range_set.h"

#include <string.h>

#include "base/check.h"

/* Keeps the ranges in ascending order. */
static void
insert(struct range_set *s, struct byte_range r)
{
    unsigned i = s->n++;
    for (; i > 0 && s->ranges[i - 1].first > r.first; i--)
        s->ranges[i] = s->ranges[i - 1];
    s->ranges[i] = r;
}

static void
coalesce(struct range_set *s)
{
    unsigned n = 0;
    for (unsigned i = 0; i < s->n; i++) {
        const struct byte_range *r = &s->ranges[i];
        if (n == 0 || r->first > s->ranges[n - 1].last + 1)
            s->ranges[n++] = *r;
        else if (r->last > s->ranges[n - 1].last)
            s->ranges[n - 1].last = r->last;
    }
    s->n = n;
}

static int
parse_several(struct span list, int64_t total, unsigned most, struct range_set *out)
{
    struct span item;
    unsigned asked = 0;
    while (list_next(&list, &item)) {
        struct range_wish wish;
        struct byte_range r;
        if (asked++ == most || range_spec_parse(item, &wish) != 1)
            return 0;
        if (range_place(&wish, total, &r) == 1)
            insert(out, r);
    }
    coalesce(out);
    return out->n > 0 ? (int)out->n : asked > 0 ? ERR_LIMIT : 0;
}

int
range_set_parse(struct span value, int64_t total, unsigned most, struct range_set *out)
{
    static const struct span unit = SPAN_LIT("bytes=");
    out->n = 0;
    value = span_trim(value);
    bool bytes = value.len > unit.len && span_eq_nocase(span_of(value.ptr, unit.len), unit);
    if (!bytes || memchr(value.ptr, ',', value.len) == NULL) {
        int found = range_parse(value, total, &out->ranges[0]);
        out->n = found == 1;
        return found;
    }
    if (total < 0 || most < 2)
        return 0;
    return parse_several(span_of(value.ptr + unit.len, value.len - unit.len), total,
                         most < RANGES_MAX ? most : RANGES_MAX, out);
}
