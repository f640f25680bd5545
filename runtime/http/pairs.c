/* Reads and edits lists of names and values; see the header. Pure functions of text. */
#include "http/pairs.h"

#include <stdlib.h>

#include "http/chars.h"

const struct pairs_form pairs_query = { .separator = '&', .joint = { "&", 1 } };
const struct pairs_form pairs_cookie = { .separator = ';', .trimmed = true, .joint = { "; ", 2 } };

/* Takes the next pair that is not empty. */
static inline bool
pair_next(const struct pairs_form *form, const char **at, const char *end, struct span *pair)
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
name_of(struct span pair)
{
    const char *equals = memchr(pair.ptr, '=', pair.len);
    return equals == NULL ? pair : span_of(pair.ptr, (size_t)(equals - pair.ptr));
}

struct span
pairs_value(const struct pairs_form *form, struct span text, struct span name)
{
    struct span pair;
    if (text.len == 0)
        return SPAN_NULL;
    for (const char *at = text.ptr, *end = at + text.len; pair_next(form, &at, end, &pair);) {
        if (pair.len < name.len || !span_eq(span_of(pair.ptr, name.len), name))
            continue;
        bool has_equals = pair.len > name.len;
        if (has_equals && pair.ptr[name.len] != '=')
            continue;
        if (name.len > 0 && memchr(name.ptr, '=', name.len) != NULL)
            break; /* no name has this byte */
        size_t skip = name.len + has_equals;
        return span_of(pair.ptr + skip, pair.len - skip);
    }
    return SPAN_NULL;
}

/* ---- patterns ------------------------------------------------------------------------------------------ */

static bool
begins(struct span text, struct span with)
{
    return text.len >= with.len && span_eq(span_of(text.ptr, with.len), with);
}

static bool
ends(struct span text, struct span with)
{
    return text.len >= with.len && span_eq(span_of(text.ptr + text.len - with.len, with.len), with);
}

static bool
pattern_matches(struct span pattern, struct span name)
{
    bool any_start = pattern.len > 0 && pattern.ptr[0] == '*';
    bool any_end = pattern.len > 1 && pattern.ptr[pattern.len - 1] == '*';
    struct span part = span_of(pattern.ptr + any_start, pattern.len - any_start - any_end);
    if (any_start && any_end)
        return part.len == 0 || memmem(name.ptr, name.len, part.ptr, part.len) != NULL;
    return any_start ? ends(name, part) : any_end ? begins(name, part) : span_eq(name, part);
}

/* Takes the next pattern; a text without a NUL is one pattern. */
static inline bool
pattern_next(struct span *rest, struct span *pattern)
{
    if (rest->ptr == NULL)
        return false;
    const char *nul = rest->len == 0 ? NULL : memchr(rest->ptr, '\0', rest->len);
    *pattern = span_of(rest->ptr, nul == NULL ? rest->len : (size_t)(nul - rest->ptr));
    *rest = nul == NULL ? SPAN_NULL : span_of(nul + 1, rest->len - pattern->len - 1);
    return true;
}

bool
pairs_name_matches(struct span patterns, struct span name)
{
    struct span pattern;
    while (pattern_next(&patterns, &pattern))
        if (pattern_matches(pattern, name))
            return true;
    return false;
}

/* Patterns, and the first bytes that a name may have to match one: most names need no further look. */
struct filter {
    struct span patterns;
    bool keep;
    uint64_t first[4]; /* a bit for each byte */
    bool empty;        /* some pattern may match an empty name */
};

static void
filter_init(struct filter *f, struct span patterns, bool keep)
{
    struct span rest = patterns, pattern;
    *f = (struct filter){ .patterns = patterns, .keep = keep };
    while (pattern_next(&rest, &pattern)) {
        if (pattern.len == 0 || pattern.ptr[0] == '*') {
            f->empty = true;
            if (pattern.len > 0)
                memset(f->first, 0xff, sizeof f->first);
            continue;
        }
        unsigned char byte = (unsigned char)pattern.ptr[0];
        f->first[byte / 64] |= (uint64_t)1 << byte % 64;
    }
}

static inline bool
stays(const struct filter *f, struct span pair)
{
    struct span name = name_of(pair);
    unsigned char byte = name.len == 0 ? 0 : (unsigned char)name.ptr[0];
    bool possible = name.len == 0 ? f->empty : (f->first[byte / 64] >> byte % 64 & 1) != 0;
    return (possible && pairs_name_matches(f->patterns, name)) == f->keep;
}

/* ---- changed lists ------------------------------------------------------------------------------------- */

/* Collects pairs. As long as the result is a part of the old text, nothing is copied. */
struct output {
    const struct pairs_form *form;
    struct arena *arena;
    struct span text; /* the old text */
    size_t from, pairs;
    size_t kept; /* the result is text[0, kept) as long as `copy` is NULL */
    char *copy, *at;
    bool failed;
};

/* Begins a copy with what is kept. The rest of the text grows by no more than a joint for each separator. */
static void
copy_begin(struct output *o)
{
    size_t room = o->text.len + o->form->joint.len;
    if (o->form->joint.len > 1)
        for (size_t i = o->from; i < o->text.len; i++)
            room += o->text.ptr[i] == o->form->separator;
    o->copy = arena_alloc(o->arena, room);
    o->failed = o->copy == NULL;
    if (o->copy != NULL)
        o->at = mempcpy(o->copy, o->text.ptr, o->kept);
}

static inline void
output_add(struct output *o, struct span pair)
{
    struct span joint = o->pairs++ == 0 ? SPAN_NULL : o->form->joint;
    if (o->copy == NULL) {
        const char *next = o->text.ptr + o->kept;
        if (pair.ptr == next + joint.len && span_eq(span_of(next, joint.len), joint)) {
            o->kept += joint.len + pair.len;
            return;
        }
        copy_begin(o);
        if (o->failed)
            return;
    }
    if (joint.len > 0)
        o->at = mempcpy(o->at, joint.ptr, joint.len);
    o->at = mempcpy(o->at, pair.ptr, pair.len);
}

static struct span
output_end(const struct output *o, size_t *pairs)
{
    *pairs = o->pairs;
    if (o->failed)
        return SPAN_NULL;
    return o->copy == NULL ? span_of(o->text.ptr, o->kept) : span_of(o->copy, (size_t)(o->at - o->copy));
}

struct span
pairs_select(const struct pairs_form *form, struct span text, size_t from, struct span patterns, bool keep,
             struct arena *a, size_t *pairs)
{
    struct output o = { .form = form, .arena = a, .text = text, .from = from, .kept = from };
    struct filter f;
    struct span pair;
    filter_init(&f, patterns, keep);
    for (const char *at = text.ptr + from, *end = text.ptr + text.len;
         !o.failed && pair_next(form, &at, end, &pair);)
        if (stays(&f, pair))
            output_add(&o, pair);
    return output_end(&o, pairs);
}

static int
name_order(struct span a, struct span b)
{
    struct span x = name_of(a), y = name_of(b);
    size_t n = x.len < y.len ? x.len : y.len;
    int order = n == 0 ? 0 : memcmp(x.ptr, y.ptr, n);
    return order != 0 ? order : (x.len > y.len) - (x.len < y.len);
}

/* Pairs of one name keep the order of their addresses. */
static int
by_name(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    int order = name_order(*a, *b);
    return order != 0 ? order : (a->ptr > b->ptr) - (a->ptr < b->ptr);
}

/* Counts the pairs. *sorted: they are in order already. */
static size_t
count(const struct pairs_form *form, const char *at, const char *end, bool *sorted)
{
    struct span pair, before = SPAN_NULL;
    size_t n = 0;
    *sorted = true;
    for (; pair_next(form, &at, end, &pair); before = pair)
        *sorted = (n++ == 0 || name_order(before, pair) <= 0) && *sorted;
    return n;
}

struct span
pairs_sort(const struct pairs_form *form, struct span text, size_t from, struct arena *a, size_t *pairs)
{
    struct output o = { .form = form, .arena = a, .text = text, .from = from, .kept = from };
    const char *at = text.ptr + from, *end = text.ptr + text.len;
    struct span pair, *list = NULL;
    bool sorted;
    size_t n = count(form, at, end, &sorted);
    if (!sorted && (list = arena_alloc(a, n * sizeof *list)) == NULL)
        return SPAN_NULL;
    for (size_t i = 0; pair_next(form, &at, end, &pair) && !o.failed; i++) {
        if (list == NULL)
            output_add(&o, pair);
        else
            list[i] = pair;
    }
    if (list != NULL)
        qsort(list, n, sizeof *list, by_name);
    for (size_t i = 0; list != NULL && i < n && !o.failed; i++)
        output_add(&o, list[i]);
    return output_end(&o, pairs);
}
