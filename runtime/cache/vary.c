/* Vary: selects among the stored responses of a key (RFC 9111, 4.1).
 *
 * A spec is a sequence of items: number of the selecting field (enum name_known, or 0), length of its name,
 * length of the value (VARY_ABSENT: the request had no such field), the name, the value. It is part of the
 * head's image (head_image.h). Values are compared in a normal form: several lines joined by commas; no white
 * space around commas or at the ends (outside quotes); lower case for fields whose values are
 * case-insensitive. */
#include "base/check.h"
#include "base/params.h"
#include "cache/vary.h"
#include "http/chars.h"
#include "http/fields.h"
#include "http/language.h"

#define VARY_ABSENT UINT32_MAX

struct vary_item {
    uint16_t known;
    uint16_t name_bytes;
    uint32_t value_bytes;
};

/* ---- hashes ---- of texts whose length is known only at their end. A full buffer is replaced by its own
 * hash. */
#define HASHED_AT_ONCE 512u

struct hasher {
    const struct digest_secret *secret;
    size_t n;
    char bytes[HASHED_AT_ONCE];
};

static void
hasher_begin(struct hasher *h, const struct digest_secret *secret)
{
    h->secret = secret;
    h->n = 0;
}

static uint64_t
hasher_end(const struct hasher *h)
{
    DEBUG_CHECK(h->n <= sizeof h->bytes);
    return digest_short(h->secret, span_of(h->bytes, h->n));
}

static void
hasher_fold(struct hasher *h)
{
    uint64_t so_far = hasher_end(h);
    memcpy(h->bytes, &so_far, sizeof so_far);
    h->n = sizeof so_far;
}

static inline void
hasher_put(struct hasher *h, char c)
{
    if (h->n == sizeof h->bytes)
        hasher_fold(h);
    h->bytes[h->n++] = c;
}

static void
hasher_add(struct hasher *h, const void *from, size_t n)
{
    for (const char *p = from; n > 0;) {
        if (h->n == sizeof h->bytes)
            hasher_fold(h);
        size_t some = sizeof h->bytes - h->n < n ? sizeof h->bytes - h->n : n;
        memcpy(h->bytes + h->n, p, some);
        h->n += some;
        p += some;
        n -= some;
    }
}

static void
hasher_add_lower(struct hasher *h, struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        hasher_put(h, ascii_lower(text.ptr[i]));
}

/* ---- normal form ---- Bytes are written to `out`, compared with `want` as long as they are equal, hashed,
 * or only counted. */
struct normal {
    char *out;
    const char *want;
    size_t want_bytes, n;
    struct hasher *hash;
    bool differs;
};

static void
normal_put(struct normal *d, char c)
{
    if (d->hash != NULL)
        hasher_put(d->hash, c);
    if (d->out != NULL)
        d->out[d->n] = c;
    if (d->want != NULL && (d->n >= d->want_bytes || d->want[d->n] != c))
        d->differs = true;
    d->n++;
}

/* Finds the end of the white space at i. Returns the bytes to keep: white space stays only between two words
 * of one member. */
static size_t
skip_blank(struct span v, size_t i, size_t *end)
{
    DEBUG_CHECK(i < v.len && char_is_blank(v.ptr[i]));
    size_t from = i;
    while (i < v.len && char_is_blank(v.ptr[i]))
        i++;
    *end = i;
    bool at_edge = from == 0 || v.ptr[from - 1] == ',' || i == v.len || v.ptr[i] == ',';
    return at_edge ? 0 : i - from;
}

static void
normal_line(struct normal *d, struct span v, bool fold_case)
{
    bool quoted = false;
    for (size_t i = 0; i < v.len && !d->differs;) {
        char c = v.ptr[i];
        if (!quoted && char_is_blank(c)) {
            size_t end, keep = skip_blank(v, i, &end);
            for (size_t k = 0; k < keep; k++)
                normal_put(d, v.ptr[i + k]);
            i = end;
            continue;
        }
        if (quoted && c == '\\' && i + 1 < v.len) {
            normal_put(d, c);
            c = v.ptr[++i];
        } else if (c == '"') {
            quoted = !quoted;
        }
        normal_put(d, fold_case && !quoted ? ascii_lower(c) : c);
        i++;
    }
}

/* ---- fields of a request ---- */

static bool
is_field(const struct http_field *f, name_id id, struct span name)
{
    if (f->id != NAME_NONE && id != NAME_NONE)
        return f->id == id;
    return span_eq_nocase(f->name, name);
}

static bool
folds_case(name_id id)
{
    return id == NAME_ACCEPT_ENCODING || id == NAME_ACCEPT_LANGUAGE;
}

/* Puts all lines of the field in normal form. False: the request has no such field. */
static bool
normal_field(struct normal *d, const struct http_message *request, name_id id, struct span name)
{
    bool found = false;
    for (unsigned i = 0; i < request->n_fields; i++) {
        const struct http_field *f = &request->fields[i];
        if (!is_field(f, id, name))
            continue;
        if (found)
            normal_put(d, ',');
        normal_line(d, f->value, folds_case(id));
        found = true;
    }
    return found;
}

/* ---- specs ---- */

static size_t
item_pack(struct span name, const struct http_message *request, char *out)
{
    DEBUG_CHECK(name.len > 0 && name.len <= UINT16_MAX);
    name_id id = name_lookup(name);
    struct vary_item item = { .known = id < NAME_KNOWN_COUNT ? id : NAME_NONE,
                              .name_bytes = (uint16_t)name.len };
    struct normal d = { .out = out == NULL ? NULL : out + sizeof item + name.len };
    bool found = request != NULL && normal_field(&d, request, id, name);
    item.value_bytes = found ? (uint32_t)d.n : VARY_ABSENT;
    if (out != NULL) {
        memcpy(out, &item, sizeof item);
        memcpy(out + sizeof item, name.ptr, name.len);
    }
    return sizeof item + name.len + d.n;
}

size_t
vary_pack(struct span names, const struct http_message *request, char *out)
{
    struct span name;
    size_t n = 0;
    while (list_next(&names, &name))
        if (is_token(name) && name.len <= UINT16_MAX)
            n += item_pack(name, request, out == NULL ? NULL : out + n);
    return n;
}

struct vary_part {
    name_id id;
    struct span name, value; /* value SPAN_NULL: the field was absent */
};

static bool
part_next(struct span *spec, struct vary_part *out)
{
    struct vary_item item;
    if (spec->len < sizeof item)
        return false;
    memcpy(&item, spec->ptr, sizeof item);
    size_t value_bytes = item.value_bytes == VARY_ABSENT ? 0 : item.value_bytes;
    const char *name = spec->ptr + sizeof item;
    size_t all = sizeof item + item.name_bytes + value_bytes;
    CHECK(all <= spec->len);
    out->name = span_of(name, item.name_bytes);
    out->value = item.value_bytes == VARY_ABSENT ? SPAN_NULL : span_of(name + item.name_bytes, value_bytes);
    out->id = item.known; /* NAME_NONE: compare the name as text */
    *spec = span_of(spec->ptr + all, spec->len - all);
    return true;
}

int
vary_check(struct span spec)
{
    struct vary_item item;
    while (spec.len >= sizeof item) {
        memcpy(&item, spec.ptr, sizeof item);
        uint64_t all = sizeof item + (uint64_t)item.name_bytes +
                       (item.value_bytes == VARY_ABSENT ? 0 : item.value_bytes);
        if (item.known >= NAME_KNOWN_COUNT || item.name_bytes == 0 || all > spec.len)
            return ERR_SYNTAX;
        spec = span_of(spec.ptr + all, spec.len - all);
    }
    return spec.len == 0 ? 0 : ERR_SYNTAX;
}

size_t
vary_repack(struct span spec, const struct http_message *request, char *out)
{
    struct vary_part part;
    size_t n = 0;
    while (part_next(&spec, &part))
        n += item_pack(part.name, request, out == NULL ? NULL : out + n);
    return n;
}

/* With http_gzip_support, the delivery unpacks the stored response if necessary, so Accept-Encoding always
 * matches. */
static bool
is_met_by_delivery(const struct vary_part *part)
{
    return params.http_gzip_support && part->id == NAME_ACCEPT_ENCODING;
}

static bool
part_matches(const struct vary_part *part, const struct http_message *request)
{
    if (is_met_by_delivery(part))
        return true;
    struct normal d = { .want = part->value.ptr != NULL ? part->value.ptr : "",
                        .want_bytes = part->value.len };
    bool found = normal_field(&d, request, part->id, part->name);
    return found == (part->value.ptr != NULL) && !d.differs && d.n == part->value.len;
}

bool
vary_matches(struct span spec, const struct http_message *request)
{
    struct vary_part part;
    while (part_next(&spec, &part))
        if (!part_matches(&part, request))
            return false;
    return true;
}

void
vary_each(struct span spec, const struct http_message *request,
          void (*fn)(struct span name, struct span stored, bool same, void *arg), void *arg)
{
    struct vary_part part;
    while (part_next(&spec, &part))
        fn(part.name, part.value, part_matches(&part, request), arg);
}

/* Returns the only line of the field; SPAN_NULL: absent, or several lines. */
static struct span
only_line(const struct http_message *m, name_id id)
{
    struct span found = SPAN_NULL;
    for (unsigned i = 0; i < m->n_fields; i++) {
        if (m->fields[i].id != id)
            continue;
        if (found.ptr != NULL)
            return SPAN_NULL;
        found = m->fields[i].value;
    }
    return found;
}

static bool
language_matches(const struct vary_part *part, const struct http_message *request, struct span language)
{
    struct span accept = only_line(request, NAME_ACCEPT_LANGUAGE);
    if (part->id != NAME_ACCEPT_LANGUAGE || part->value.ptr == NULL || accept.ptr == NULL)
        return false;
    if (language_lists_equal(part->value, accept))
        return true;
    struct span best = language_preferred(accept);
    return best.ptr != NULL && language.ptr != NULL && span_eq_nocase(best, span_trim(language));
}

bool
vary_matches_meaning(struct span spec, const struct http_message *request, struct span language)
{
    struct vary_part part;
    while (part_next(&spec, &part))
        if (!part_matches(&part, request) && !language_matches(&part, request, language))
            return false;
    return true;
}

/* ---- marks ---- */

/* Ends the hash of one value. The length keeps values of several lines, and absent ones, apart. */
static uint32_t
value_mark(struct hasher *h, uint32_t value_bytes)
{
    hasher_add(h, &value_bytes, sizeof value_bytes);
    return (uint32_t)hasher_end(h);
}

static void
mark_value(struct vary_marks *m, name_id id, uint32_t mark)
{
    uint32_t *sum = id == NAME_ACCEPT_ENCODING ? &m->codings
                  : id == NAME_ACCEPT_LANGUAGE ? &m->languages
                                               : &m->values;
    *sum = *sum * 0x9E3779B1u + mark; /* the order counts */
}

static uint32_t
not_zero(uint64_t hash)
{
    return (uint32_t)hash != 0 ? (uint32_t)hash : 1;
}

static uint32_t
language_mark(const struct digest_secret *s, struct span language, unsigned weight)
{
    struct hasher h;
    hasher_begin(&h, s);
    hasher_add_lower(&h, language);
    hasher_add(&h, &weight, sizeof weight);
    return not_zero(hasher_end(&h));
}

/* The sum does not depend on the order. Like language_lists_equal, it counts a repeated range once. */
static uint32_t
language_set_mark(const struct digest_secret *s, struct span list)
{
    struct language_range ranges[LANGUAGES_MAX];
    uint32_t marks[LANGUAGES_MAX], sum = 0;
    unsigned n = language_ranges(list, ranges);
    DEBUG_CHECK(n <= LANGUAGES_MAX);
    for (unsigned i = 0; i < n; i++) {
        bool again = false;
        marks[i] = language_mark(s, ranges[i].name, ranges[i].weight);
        for (unsigned k = 0; k < i; k++)
            again |= marks[k] == marks[i];
        sum += again ? 0 : marks[i];
    }
    return n == 0 ? 0 : not_zero(sum);
}

static void
mark_name(struct hasher *names, struct span name)
{
    hasher_add_lower(names, name);
    hasher_put(names, ',');
}

void
vary_mark_stored(const struct digest_secret *s, struct span spec, struct span language,
                 struct vary_marks *out)
{
    struct hasher names, h;
    struct vary_part part;
    *out = (struct vary_marks){ 0 };
    hasher_begin(&names, s);
    while (part_next(&spec, &part)) {
        mark_name(&names, part.name);
        hasher_begin(&h, s);
        hasher_add(&h, part.value.ptr, part.value.len);
        mark_value(out, part.id,
                   value_mark(&h, part.value.ptr == NULL ? VARY_ABSENT : (uint32_t)part.value.len));
        if (part.id != NAME_ACCEPT_LANGUAGE)
            continue;
        out->language_set = language_set_mark(s, part.value);
        out->language = language.ptr == NULL ? 0 : language_mark(s, span_trim(language), 0);
    }
    out->names = hasher_end(&names);
}

void
vary_mark_request(const struct digest_secret *s, struct span spec, const struct http_message *request,
                  struct vary_marks *out)
{
    struct hasher names, h;
    struct vary_part part;
    *out = (struct vary_marks){ 0 };
    hasher_begin(&names, s);
    while (part_next(&spec, &part)) {
        struct normal d = { .hash = &h };
        mark_name(&names, part.name);
        hasher_begin(&h, s);
        bool found = normal_field(&d, request, part.id, part.name);
        mark_value(out, part.id, value_mark(&h, found ? (uint32_t)d.n : VARY_ABSENT));
        if (part.id != NAME_ACCEPT_LANGUAGE)
            continue;
        struct span accept = only_line(request, NAME_ACCEPT_LANGUAGE), best = language_preferred(accept);
        out->language_set = language_set_mark(s, accept);
        out->language = best.ptr == NULL ? 0 : language_mark(s, best, 0);
    }
    out->names = hasher_end(&names);
}

static bool
languages_agree(const struct vary_marks *stored, const struct vary_marks *asked)
{
    return (stored->language_set != 0 && stored->language_set == asked->language_set) ||
           (stored->language != 0 && stored->language == asked->language);
}

bool
vary_marks_agree(const struct vary_marks *stored, const struct vary_marks *asked, bool by_meaning)
{
    return stored->names == asked->names && stored->values == asked->values &&
           (stored->codings == asked->codings || params.http_gzip_support) &&
           (stored->languages == asked->languages || (by_meaning && languages_agree(stored, asked)));
}
