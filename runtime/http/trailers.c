/* See trailers.h. */
#include "http/trailers.h"

#include "base/check.h"
#include "base/put.h"
#include "http/fields.h"
#include "http/http1.h"

static const struct span forbidden[] = {
    /* framing and connection */
    SPAN_LIT("Connection"), SPAN_LIT("Content-Length"), SPAN_LIT("HTTP2-Settings"), SPAN_LIT("Keep-Alive"), SPAN_LIT("Proxy-Connection"),
    SPAN_LIT("TE"), SPAN_LIT("Trailer"), SPAN_LIT("Transfer-Encoding"), SPAN_LIT("Upgrade"),
    /* routing */
    SPAN_LIT("Forwarded"), SPAN_LIT("Host"), SPAN_LIT("Via"), SPAN_LIT("X-Forwarded-For"), SPAN_LIT("X-Varnish"),
    /* modifiers of a request */
    SPAN_LIT("Expect"), SPAN_LIT("If-Match"), SPAN_LIT("If-Modified-Since"), SPAN_LIT("If-None-Match"), SPAN_LIT("If-Range"),
    SPAN_LIT("If-Unmodified-Since"), SPAN_LIT("Max-Forwards"), SPAN_LIT("Pragma"), SPAN_LIT("Range"),
    /* authentication and cookies */
    SPAN_LIT("Authentication-Info"), SPAN_LIT("Authorization"), SPAN_LIT("Cookie"), SPAN_LIT("Proxy-Authenticate"),
    SPAN_LIT("Proxy-Authentication-Info"), SPAN_LIT("Proxy-Authorization"), SPAN_LIT("Set-Cookie"), SPAN_LIT("WWW-Authenticate"),
    /* handling of the response, by caches too */
    SPAN_LIT("Age"), SPAN_LIT("Cache-Control"), SPAN_LIT("Cache-Group-Invalidation"), SPAN_LIT("Cache-Groups"), SPAN_LIT("CDN-Cache-Control"),
    SPAN_LIT("Date"), SPAN_LIT("Expires"), SPAN_LIT("Location"), SPAN_LIT("Retry-After"), SPAN_LIT("Surrogate-Control"), SPAN_LIT("Vary"),
    SPAN_LIT("Vernis-Cache-Control"), SPAN_LIT("Warning"),
    /* format of the content */
    SPAN_LIT("Content-Encoding"), SPAN_LIT("Content-Range"), SPAN_LIT("Content-Type"),
};

bool
trailer_may_pass(struct span name)
{
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        if (span_eq_nocase(name, forbidden[i]))
            return false;
    return true;
}

int
trailers_parse(struct span lines, struct http_message *out)
{
    while (lines.len > 0 && lines.ptr[0] != '\r') {
        const char *colon = memchr(lines.ptr, ':', lines.len), *end = memchr(lines.ptr, '\r', lines.len);
        CHECK(colon != NULL && end != NULL && colon < end && (size_t)(end - lines.ptr) + 2 <= lines.len);
        struct span name = span_of(lines.ptr, (size_t)(colon - lines.ptr));
        if (out->n_fields == out->cap_fields)
            return ERR_LIMIT;
        int err = message_add(out, name_lookup(name), name, span_trim(span_of(colon + 1, (size_t)(end - colon - 1))));
        if (err != 0)
            return err;
        lines = span_of(end + 2, lines.len - (size_t)(end + 2 - lines.ptr));
    }
    return 0;
}

struct span
trailers_lines(const struct http_message *m, struct arena *a)
{
    size_t cap = http1_head_size(m);
    char *text = m->n_fields == 0 ? NULL : arena_alloc(a, cap);
    ssize_t n = text == NULL ? 0 : http1_write_trailers(m, text, cap);
    return n > 0 ? span_of(text, (size_t)n) : SPAN_NULL;
}

static bool
may_pass(const struct http_field *f, void *arg)
{
    return trailer_may_pass(f->name);
}

void
trailers_drop_forbidden(struct http_message *m)
{
    message_retain(m, may_pass, NULL);
}

struct span
trailer_names(struct arena *a, struct span field)
{
    struct span item;
    char *out = field.len == 0 ? NULL : arena_alloc(a, 2 * field.len), *p = out;    /* ", " for "," */
    while (out != NULL && list_next(&field, &item)) {
        if (!is_token(item) || !trailer_may_pass(item))
            continue;
        p = p == out ? p : put_span(p, SPAN_LIT(", "));
        p = put_span(p, item);
    }
    return p == out ? SPAN_NULL : span_of(out, (size_t)(p - out));
}
