/* Parses the directives of Cache-Control (RFC 9111, 5.2), joined over all fields of a message, and of the
 * targeted fields, which only caches of our kind obey (RFC 9213). */
#include "http/cache_control.h"

#include <stddef.h>
#include <string.h>

#include "http/chars.h"
#include "http/fields.h"
#include "http/structured.h"

/* FIELDS: a flag with an optional list of field names. LIMIT: seconds; without an argument, no limit. */
enum directive_kind { DIRECTIVE_FLAG, DIRECTIVE_FIELDS, DIRECTIVE_SECONDS, DIRECTIVE_LIMIT };

static const struct directive {
    struct span name;
    enum directive_kind kind;
    size_t offset; /* in struct cache_control */
} directives[] = {
#define FLAG(text, field) { { text, sizeof text - 1 }, DIRECTIVE_FLAG, offsetof(struct cache_control, field) }
#define FIELDS(text, field) \
    { { text, sizeof text - 1 }, DIRECTIVE_FIELDS, offsetof(struct cache_control, field) }
#define LIMIT(text, field) \
    { { text, sizeof text - 1 }, DIRECTIVE_LIMIT, offsetof(struct cache_control, field) }
#define SECONDS(text, field) \
    { { text, sizeof text - 1 }, DIRECTIVE_SECONDS, offsetof(struct cache_control, field) }
    SECONDS("max-age", max_age_s),
    SECONDS("s-maxage", s_maxage_s),
    SECONDS("stale-while-revalidate", stale_while_revalidate_s),
    SECONDS("stale-if-error", stale_if_error_s),
    FLAG("no-store", no_store),
    FIELDS("no-cache", no_cache),
    FIELDS("private", is_private),
    FLAG("public", is_public),
    FLAG("must-revalidate", must_revalidate),
    FLAG("proxy-revalidate", proxy_revalidate),
    FLAG("no-transform", no_transform),
    FLAG("only-if-cached", only_if_cached),
    FLAG("must-understand", must_understand),
    SECONDS("min-fresh", min_fresh_s),
    LIMIT("max-stale", max_stale_s),
#undef FLAG
#undef FIELDS
#undef LIMIT
#undef SECONDS
};

/* When a lifetime appears twice, the shorter one counts (RFC 9111, 4.2.1 lets a cache use the first or treat
 * the response as stale). A lifetime that does not parse counts as 0. An invalid stale-* also counts as 0 and
 * extends nothing. */
static void
directive_seconds(const struct cache_control *cc, int64_t *field, struct span argument)
{
    int64_t seconds = 0;
    if (parse_delta_seconds(cc->as_varnish ? whole_seconds(argument) : argument, &seconds) != 0)
        seconds = 0;
    if (*field < 0 || (seconds < *field && !cc->as_varnish))
        *field = seconds;
}

static const struct directive *
directive_find(struct span name)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (span_eq_nocase(directives[i].name, name))
            return &directives[i];
    return NULL;
}

static bool *
limited_to_fields(struct cache_control *cc, const struct directive *d)
{
    return d->offset == offsetof(struct cache_control, no_cache) ? &cc->no_cache_fields : &cc->private_fields;
}

static bool
is_quoted_string(struct span s)
{
    size_t i = 1;
    while (i < s.len && s.ptr[i] != '"')
        i += s.ptr[i] == '\\' ? 2 : 1;
    return s.len >= 2 && s.ptr[0] == '"' && i == s.len - 1;
}

/* Reads the list of field names in a quoted string, and decodes quoted pairs (RFC 9110, 5.6.4). *found:
 * `wanted` is among the names. False: the argument is not such a list. A token is none either, although it
 * could be a single name (RFC 9111, 5.2): in "private=A, B" the sender meant two. An apostrophe is a byte of
 * tokens, but "'A'" was quoted twice and names no field. */
static bool
read_names(struct span argument, struct span wanted, bool *found)
{
    size_t at = 0, names = 0; /* at: bytes of the current name */
    bool same = true, over = false;
    *found = false;
    if (!is_quoted_string(argument))
        return false;
    for (const char *p = argument.ptr + 1, *end = argument.ptr + argument.len - 1; p < end; p++) {
        p += *p == '\\';
        if (*p == ',') {
            *found |= same && at == wanted.len;
            same = true;
            over = false;
            at = 0;
        } else if (char_is_blank(*p)) {
            over = at > 0;
        } else if (over || *p == '\'' || !char_is(*p, CHAR_TOKEN)) {
            return false;
        } else {
            names += at == 0;
            same = same && at < wanted.len && ascii_lower(*p) == ascii_lower(wanted.ptr[at]);
            at++;
        }
    }
    *found |= same && at == wanted.len;
    return names > 0;
}

/* The flag is set with and without field names. A caller that ignores the names then treats the whole
 * response as restricted, which is safe. A malformed list restricts the whole response, too: the sender
 * wanted at least one field to be kept from other users, and nobody knows which. */
static void
directive_fields(struct cache_control *cc, const struct directive *d, struct span argument)
{
    bool *flag = (bool *)((char *)cc + d->offset), *limited = limited_to_fields(cc, d), found;
    *limited = read_names(argument, SPAN_NULL, &found) && (!*flag || *limited);
    *flag = true;
}

static void
directive_apply(struct cache_control *cc, const struct directive *d, struct span argument)
{
    char *field = (char *)cc + d->offset;
    switch (d->kind) {
    case DIRECTIVE_FLAG: *(bool *)field = true; break;
    case DIRECTIVE_FIELDS: directive_fields(cc, d, argument); break;
    case DIRECTIVE_LIMIT:
        if (argument.ptr == NULL) {
            *(int64_t *)(void *)field = MAX_STALE_ANY;
            break;
        }
        directive_seconds(cc, (int64_t *)(void *)field, argument);
        break;
    case DIRECTIVE_SECONDS: directive_seconds(cc, (int64_t *)(void *)field, argument); break;
    }
}

static const struct cache_control no_directives = {
    .max_age_s = -1,
    .s_maxage_s = -1,
    .stale_while_revalidate_s = -1,
    .stale_if_error_s = -1,
    .min_fresh_s = -1,
    .max_stale_s = -1,
};

/* The grammar allows no blanks around "=", but some origins send them and mean the number. */
static void
split_directive(struct span item, struct span *name, struct span *argument)
{
    const char *equals = memchr(item.ptr, '=', item.len);
    size_t n = equals == NULL ? item.len : (size_t)(equals - item.ptr);
    *name = span_trim(span_of(item.ptr, n));
    *argument = equals == NULL ? SPAN_NULL : span_trim(span_of(equals + 1, item.len - n - 1));
}

/* A directive that forbids to store or to share also counts if other bytes than "=" follow its name, as in
 * "no-store; private" and in "private \"Name\"": its argument is malformed. NULL: no such directive. */
static const struct directive *
restriction_find(struct span item, struct span *argument)
{
    const char *end = item.ptr + item.len, *p = char_skip(item.ptr, end, CHAR_TOKEN);
    const struct directive *d = directive_find(span_of(item.ptr, (size_t)(p - item.ptr)));
    *argument = span_of(p, (size_t)(end - p));
    return d != NULL && (d->kind == DIRECTIVE_FIELDS || d->offset == offsetof(struct cache_control, no_store))
             ? d
             : NULL;
}

/* Reads an item with a quote that is not closed, or stands at a wrong place. That quote may pair with one of
 * a later directive, and what is between them looks quoted, so the restrictions among it count. */
static void
parse_misquoted(struct cache_control *cc, struct span item)
{
    struct span argument;
    while (item.len > 0) {
        const char *comma = memchr(item.ptr, ',', item.len);
        size_t n = comma == NULL ? item.len : (size_t)(comma - item.ptr);
        const struct directive *d = restriction_find(span_trim(span_of(item.ptr, n)), &argument);
        if (d != NULL)
            directive_apply(cc, d, argument);
        item = comma == NULL ? SPAN_NULL : span_of(comma + 1, item.len - n - 1);
    }
}

/* False: the item is misquoted. */
static bool
parse_item(struct cache_control *cc, struct span item)
{
    struct span name, argument;
    split_directive(item, &name, &argument);
    bool sound = memchr(item.ptr, '"', item.len) == NULL || (is_token(name) && is_quoted_string(argument));
    const struct directive *d = directive_find(name);
    if (d == NULL)
        d = restriction_find(item, &argument);
    if (d != NULL)
        directive_apply(cc, d, argument);
    if (!sound)
        parse_misquoted(cc, item);
    return sound;
}

static void
parse(const struct http_message *m, bool as_varnish, struct cache_control *out)
{
    struct span item;
    bool sound = true;
    *out = no_directives;
    out->as_varnish = as_varnish;
    for (unsigned i = 0; i < m->n_fields; i++) {
        struct span rest = m->fields[i].value;
        while (m->fields[i].id == NAME_CACHE_CONTROL && list_next(&rest, &item))
            sound &= parse_item(out, item);
    }
    if (!sound) /* `private="A", B"`: the misquoted item may be part of a list of names */
        out->no_cache_fields = out->private_fields = false;
}

void
cache_control_parse(const struct http_message *m, struct cache_control *out)
{
    parse(m, false, out);
}

void
cache_control_parse_as_varnish(const struct http_message *m, struct cache_control *out)
{
    parse(m, true, out);
}

bool
cache_control_is_personal(const struct http_message *response)
{
    struct cache_control cc;
    cache_control_parse(response, &cc);
    return cc.is_private || cc.no_store || message_has(response, NAME_SET_COOKIE);
}

/* ---- fields named by a directive ---- */

static struct span
unquoted(struct span s)
{
    return s.len >= 2 && s.ptr[0] == '"' && s.ptr[s.len - 1] == '"' ? span_of(s.ptr + 1, s.len - 2) : s;
}

bool
cache_control_names(struct span directives_of, struct span field_name)
{
    struct span item, name, argument;
    while (list_next(&directives_of, &item)) {
        split_directive(item, &name, &argument);
        const struct directive *d = directive_find(name);
        bool found = false;
        if (d != NULL && d->kind == DIRECTIVE_FIELDS && read_names(argument, field_name, &found) && found)
            return true;
    }
    return false;
}

static bool
is_named(struct span names, struct span name)
{
    const char *at = names.ptr, *end = at + names.len;
    while (at != NULL) {
        const char *nul = memchr(at, '\0', (size_t)(end - at));
        if (span_eq_nocase(name, span_of(at, (size_t)((nul == NULL ? end : nul) - at))))
            return true;
        at = nul == NULL ? NULL : nul + 1;
    }
    return false;
}

struct span
cache_control_value(struct span directives_of, struct span wanted)
{
    struct span item, name, argument;
    while (list_next(&directives_of, &item)) {
        split_directive(item, &name, &argument);
        if (span_eq_nocase(name, wanted))
            return argument.ptr == NULL ? SPAN_LIT("") : unquoted(argument);
    }
    return SPAN_NULL;
}

bool
cache_control_has(struct span directives_of, struct span names)
{
    struct span item, name, argument;
    while (list_next(&directives_of, &item)) {
        split_directive(item, &name, &argument);
        if (is_named(names, name))
            return true;
    }
    return false;
}

/* ---- targeted fields ---- */

static const name_id targets[] = { NAME_VERNIS_CACHE_CONTROL, NAME_CDN_CACHE_CONTROL };

/* Returns false if the value's type does not fit the directive. The caller then ignores the whole field, so
 * that one mistake does not turn "do not store" into "store as usual". */
static bool
targeted_apply(struct cache_control *cc, struct span key, const struct sf_item *value)
{
    const struct directive *d = directive_find(key);
    if (d == NULL)
        return true;
    void *field = (char *)cc + d->offset;
    bool seconds = d->kind == DIRECTIVE_SECONDS || d->kind == DIRECTIVE_LIMIT;
    if (seconds && value->type == SF_INTEGER)
        *(int64_t *)field = value->integer < 0                 ? 0
                          : value->integer > DELTA_SECONDS_MAX ? DELTA_SECONDS_MAX
                                                               : value->integer;
    else if (!seconds && value->type == SF_BOOLEAN)
        *(bool *)field = value->integer != 0;
    else if (d->kind == DIRECTIVE_FIELDS && value->type == SF_STRING)
        *(bool *)field = true; /* only Cache-Control withholds the named fields */
    else
        return false;
    return true;
}

/* Returns the number of directives in the lines of that name; 0: no directive, or a syntax error. */
static unsigned
targeted_parse(const struct http_message *m, name_id id, struct cache_control *out)
{
    unsigned n = 0;
    *out = no_directives;
    for (unsigned i = 0; i < m->n_fields; i++) {
        if (m->fields[i].id != id)
            continue;
        struct sf_reader r = sf_reader(span_trim(m->fields[i].value));
        struct span key;
        struct sf_item value;
        int more;
        for (; (more = sf_next_of_dictionary(&r, &key, &value)) == 1; n++)
            if (!targeted_apply(out, key, &value))
                return 0;
        if (more != 0)
            return 0;
    }
    return n;
}

bool
cache_control_targeted(const struct http_message *m, struct cache_control *out)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targeted_parse(m, targets[i], out) > 0)
            return true;
    return false;
}
