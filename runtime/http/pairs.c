/* Reads and edits lists of names and values; see the header. Pure functions of text. */
#include "http/pairs.h"

#include <stdlib.h>


const struct pairs_form pairs_query = { .separator = '&', .joint = { "&", 1 } };
const struct pairs_form pairs_cookie = { .separator = ';', .trimmed = true, .joint = { "; ", 2 } };

struct span
pairs_value(const struct pairs_form *form, struct span text, struct span name)
{
    struct span pair;
    if (text.len == 0)
        return SPAN_NULL;
    for (const char *at = text.ptr, *end = at + text.len; pairs_next(form, &at, end, &pair);) {
        if (pair.len < name.len || (name.len > 0 && pair.ptr[0] != name.ptr[0]) ||
            !span_eq(span_of(pair.ptr, name.len), name))
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

static bool
one_begins(struct span patterns, char byte)
{
    const char *at = patterns.ptr, *end = patterns.ptr + patterns.len;
    for (; at < end && (at = memchr(at, byte, (size_t)(end - at))) != NULL; at++)
        if (at == patterns.ptr || at[-1] == '\0')
            return true;
    return false;
}

bool
pairs_name_matches(struct span patterns, struct span name)
{
    struct span pattern;
    /* Most names match none, and their first byte tells. */
    if (name.len > 0 && !one_begins(patterns, name.ptr[0]) && !one_begins(patterns, '*'))
        return false;
    while (pattern_next(&patterns, &pattern))
        if (pattern_matches(pattern, name))
            return true;
    return false;
}

#define LISTED_PATTERNS 32u

/* Patterns of an edit. All names are compared with the same, so the first are listed once. Most names match
 * none, and their first byte tells. */
struct filter {
    bool keep;
    unsigned n;
    uint64_t first; /* a bit for the first byte of each pattern, modulo 64; all bits: any byte may be first */
    struct span list[LISTED_PATTERNS];
    struct span rest; /* the patterns behind the list */
};

static inline uint64_t
bit_of(char c)
{
    return UINT64_C(1) << ((unsigned char)c & 63u);
}

static void
filter_init(struct filter *f, struct span patterns, bool keep)
{
    f->keep = keep;
    f->n = 0;
    f->first = 0;
    f->rest = patterns;
    while (f->n < LISTED_PATTERNS && pattern_next(&f->rest, &f->list[f->n])) {
        struct span pattern = f->list[f->n++];
        f->first |= pattern.len == 0 || pattern.ptr[0] == '*' ? UINT64_MAX : bit_of(pattern.ptr[0]);
    }
    if (f->rest.ptr != NULL)
        f->first = UINT64_MAX;
}

static bool
is_listed(const struct filter *f, struct span name)
{
    for (unsigned i = 0; i < f->n; i++) {
        struct span pattern = f->list[i];
        if (pattern.len > 0 && pattern.ptr[0] != '*' && (name.len == 0 || pattern.ptr[0] != name.ptr[0]))
            continue;
        if (pattern_matches(pattern, name))
            return true;
    }
    return pairs_name_matches(f->rest, name);
}

static inline bool
stays(const struct filter *f, struct span pair)
{
    struct span name = pair_name(pair);
    bool possible = name.len == 0 || (f->first & bit_of(name.ptr[0])) != 0;
    return (possible && is_listed(f, name)) == f->keep;
}

bool
pairs_has(const struct pairs_form *form, struct span text, struct span patterns)
{
    struct filter f;
    struct span pair;
    if (text.len == 0)
        return false;
    filter_init(&f, patterns, true);
    for (const char *at = text.ptr, *end = at + text.len; pairs_next(form, &at, end, &pair);)
        if (stays(&f, pair))
            return true;
    return false;
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
    const char *end = o->text.ptr + o->text.len;
    if (o->form->joint.len > 1)
        for (const char *p = o->text.ptr + o->from;
             (p = memchr(p, o->form->separator, (size_t)(end - p))) != NULL; p++)
            room++;
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
         !o.failed && pairs_next(form, &at, end, &pair);)
        if (stays(&f, pair))
            output_add(&o, pair);
    return output_end(&o, pairs);
}

/* ---- sorting ------------------------------------------------------------------------------------------- */

#define SHORT_LIST 24u /* sorted by insertion */

struct named {
    struct span pair;
    size_t name_bytes;
};

static inline struct named
named(struct span pair)
{
    return (struct named){ pair, pair_name(pair).len };
}

static int
name_order(const struct named *a, const struct named *b)
{
    size_t n = a->name_bytes < b->name_bytes ? a->name_bytes : b->name_bytes;
    int order = n == 0 ? 0 : (unsigned char)a->pair.ptr[0] - (unsigned char)b->pair.ptr[0];
    if (order == 0 && n > 1)
        order = memcmp(a->pair.ptr, b->pair.ptr, n);
    return order != 0 ? order : (a->name_bytes > b->name_bytes) - (a->name_bytes < b->name_bytes);
}

/* Pairs of one name keep the order of their addresses. */
static int
by_name(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    int order = name_order(a, b);
    return order != 0 ? order : (a->pair.ptr > b->pair.ptr) - (a->pair.ptr < b->pair.ptr);
}

static void
sort_list(struct named *list, size_t n)
{
    if (n > SHORT_LIST) {
        qsort(list, n, sizeof *list, by_name);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        struct named moved = list[i];
        size_t to = i;
        for (; to > 0 && name_order(&list[to - 1], &moved) > 0; to--)
            list[to] = list[to - 1];
        list[to] = moved;
    }
}

static size_t
count(const struct pairs_form *form, const char *at, const char *end)
{
    struct span pair;
    size_t n = 0;
    while (pairs_next(form, &at, end, &pair))
        n++;
    return n;
}

/* Adds the pairs as they stand. False: they are not in order. */
static bool
add_in_order(struct output *o, const char *at, const char *end)
{
    struct span pair;
    struct named before = { SPAN_NULL, 0 };
    while (!o->failed && pairs_next(o->form, &at, end, &pair)) {
        struct named here = named(pair);
        if (o->pairs > 0 && name_order(&before, &here) > 0)
            return false;
        before = here;
        output_add(o, pair);
    }
    return true;
}

/* Adds the pairs in order of their names. */
static void
add_sorted(struct output *o, const char *at, const char *end, size_t n)
{
    struct span pair;
    struct named *list = arena_alloc(o->arena, n * sizeof *list);
    o->failed = list == NULL;
    if (list == NULL)
        return;
    for (size_t i = 0; i < n && pairs_next(o->form, &at, end, &pair); i++)
        list[i] = named(pair);
    sort_list(list, n);
    for (size_t i = 0; i < n && !o->failed; i++)
        output_add(o, list[i].pair);
}

struct span
pairs_sort(const struct pairs_form *form, struct span text, size_t from, struct arena *a, size_t *pairs)
{
    const struct output empty = { .form = form, .arena = a, .text = text, .from = from, .kept = from };
    struct output o = empty;
    const char *at = text.ptr + from, *end = text.ptr + text.len;
    if (!add_in_order(&o, at, end)) {
        o = empty;
        add_sorted(&o, at, end, count(form, at, end));
    }
    return output_end(&o, pairs);
}
