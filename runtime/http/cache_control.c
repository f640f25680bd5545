/* Directives of Cache-Control (RFC 9111, 5.2), joined over all fields of a message. */
#include "http/cache_control.h"

#include <stddef.h>

#include "http/fields.h"

enum directive_kind { DIRECTIVE_FLAG, DIRECTIVE_SECONDS };

static const struct directive {
    struct span name;
    enum directive_kind kind;
    size_t offset;                      /* in struct cache_control */
} directives[] = {
#define FLAG(text, field) { { text, sizeof text - 1 }, DIRECTIVE_FLAG, offsetof(struct cache_control, field) }
#define SECONDS(text, field) { { text, sizeof text - 1 }, DIRECTIVE_SECONDS, offsetof(struct cache_control, field) }
    SECONDS("max-age", max_age_s),
    SECONDS("s-maxage", s_maxage_s),
    SECONDS("stale-while-revalidate", stale_while_revalidate_s),
    SECONDS("stale-if-error", stale_if_error_s),
    FLAG("no-store", no_store),
    FLAG("no-cache", no_cache),
    FLAG("private", is_private),
    FLAG("public", is_public),
    FLAG("must-revalidate", must_revalidate),
    FLAG("proxy-revalidate", proxy_revalidate),
    FLAG("no-transform", no_transform),
    FLAG("only-if-cached", only_if_cached),
#undef FLAG
#undef SECONDS
};

/* Of a lifetime given twice the shorter one holds (RFC 9111, 4.2.1 lets a cache choose the first or treat it as stale); one
 * that does not parse is 0. An invalid stale-* extends nothing, which is 0 too. */
static void
directive_seconds(int64_t *field, struct span argument)
{
    int64_t seconds = 0;
    if (parse_delta_seconds(argument, &seconds) != 0)
        seconds = 0;
    if (*field < 0 || seconds < *field)
        *field = seconds;
}

static void
directive_apply(struct cache_control *cc, struct span name, struct span argument)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        const struct directive *d = &directives[i];
        if (!span_eq_nocase(d->name, name))
            continue;
        char *field = (char *)cc + d->offset;
        if (d->kind == DIRECTIVE_SECONDS)
            directive_seconds((int64_t *)field, argument);
        else
            *(bool *)field = true;      /* no-cache="x" and private="x" count as the unqualified form: safe, and allowed */
        return;
    }
}

void
cache_control_parse(const struct http_message *m, struct cache_control *out)
{
    *out = (struct cache_control){
        .max_age_s = -1, .s_maxage_s = -1, .stale_while_revalidate_s = -1, .stale_if_error_s = -1,
    };
    for (unsigned i = 0; i < m->n_fields; i++) {
        if (m->fields[i].id != NAME_CACHE_CONTROL)
            continue;
        struct span rest = m->fields[i].value, item;
        while (list_next(&rest, &item)) {
            const char *equals = memchr(item.ptr, '=', item.len);
            size_t n = equals == NULL ? item.len : (size_t)(equals - item.ptr);
            /* Blanks around "=" are no part of the grammar, but some origins send them and mean the number. */
            struct span argument = equals == NULL ? SPAN_NULL : span_trim(span_of(equals + 1, item.len - n - 1));
            directive_apply(out, span_trim(span_of(item.ptr, n)), argument);
        }
    }
}
