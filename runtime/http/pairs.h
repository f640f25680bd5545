/* Lists of names and values in one text: the parameters of a query ("a=1&b") and cookies ("a=1; b=2"). A name
 * ends at the first "="; a pair without "=" has an empty value. Empty pairs, as between two separators, do
 * not count. Nothing is decoded: names compare byte by byte, and values are parts of the text. */
#ifndef VERNIS_HTTP_PAIRS_H
#define VERNIS_HTTP_PAIRS_H

#include "base/mem.h"
#include "http/chars.h"

struct pairs_form {
    char separator;
    bool trimmed;      /* blanks around a pair do not belong to it */
    struct span joint; /* between the pairs of a changed list */
};

extern const struct pairs_form pairs_query, pairs_cookie;

/* Takes the next pair that is not empty from *at on. */
static inline bool
pairs_next(const struct pairs_form *form, const char **at, const char *end, struct span *pair)
{
    while (*at < end) {
        const char *p = *at, *stop = memchr(p, form->separator, (size_t)(end - p));
        *at = stop == NULL ? end : stop + 1;
        stop = stop == NULL ? end : stop;
        if (form->trimmed) {
            while (p < stop && char_is_blank(*p))
                p++;
            while (p < stop && char_is_blank(stop[-1]))
                stop--;
        }
        if (p < stop) {
            *pair = span_of(p, (size_t)(stop - p));
            return true;
        }
    }
    return false;
}

static inline struct span
pair_name(struct span pair)
{
    const char *equals = memchr(pair.ptr, '=', pair.len);
    return equals == NULL ? pair : span_of(pair.ptr, (size_t)(equals - pair.ptr));
}

/* The value of the first pair of that name; SPAN_NULL: there is none. */
struct span pairs_value(const struct pairs_form *form, struct span text, struct span name);

/* Does the text have a pair whose name matches a pattern? */
bool pairs_has(const struct pairs_form *form, struct span text, struct span patterns);

/* Does one of the patterns match the name? The patterns are separated by NUL. A pattern is a name; a "*" at
 * its start or end stands for any bytes. */
bool pairs_name_matches(struct span patterns, struct span name);

/* The functions below change the pairs in `text` from the byte `from` on. They join the pairs that stay,
 * unchanged and in order. The result is `text` itself if it has that form already, a part of it if only its
 * end goes, and else a new text in the arena. `*pairs` becomes the number of pairs that stay. SPAN_NULL: the
 * arena is full. */
/* Drops the pairs whose names match a pattern; with `keep`, the others. */
struct span pairs_select(const struct pairs_form *form, struct span text, size_t from, struct span patterns,
                         bool keep, struct arena *a, size_t *pairs);
/* Sorts by name, byte by byte. Pairs of one name keep their order, which may have a meaning. */
struct span pairs_sort(const struct pairs_form *form, struct span text, size_t from, struct arena *a,
                       size_t *pairs);

#endif
