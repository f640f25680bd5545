/* See trailers.h. fetch_internal.h declares the functions of the fetch. */
#include "proxy/rfc9111/trailers.h"

#include "base/check.h"
#include "base/put.h"
#include "cache/rfc9111/rfc9111.h"
#include "http/fields.h"
#include "http/trailers.h"
#include "proxy/fetch_internal.h"

/* ---- into the store ---- */

bool
fetch_may_have_trailers(const struct fetch *f)
{
    return f->rfc9111 && f->content.kind == CONTENT_UNKNOWN && !f->until_close;
}

/* Trailer is for one hop. Keep only the names that we will send ourselves. */
void
fetch_announce_trailers(struct fetch *f)
{
    DEBUG_CHECK(!f->published);
    struct http_message *m = &f->beresp;
    if (!message_has(m, NAME_TRAILER))
        return;
    (void)message_collect(m, NAME_TRAILER, SPAN_NULL, SPAN_LIT(", "));
    struct span names = f->trailed ? trailer_names(m->arena, message_get(m, NAME_TRAILER)) : SPAN_NULL;
    if (names.ptr == NULL)
        message_unset(m, NAME_TRAILER, SPAN_NULL);
    else
        (void)message_set(m, NAME_TRAILER, SPAN_NULL, names);
}

/* Trailer fields that do not fit are dropped, as a recipient may do (RFC 9110, 6.5.1). */
void
fetch_keep_trailers(struct fetch *f)
{
    struct http_message m;
    if (!f->trailed || f->vars.was_304 || message_init(&m, &f->arena, TRAILER_FIELDS_MAX) != 0 ||
        exchange_recv_trailers(f->exchange, &m) != 0)
        return;
    trailers_drop_forbidden(&m);
    struct span lines = trailers_lines(&m, &f->arena);
    if (lines.ptr != NULL)
        (void)object_set_trailers(f->busy, lines);
}

/* ---- to a client ---- */

static bool
may_get_some(const struct object *o)
{
    return object_state(o) != OBJECT_COMPLETE || object_trailers(o).ptr != NULL;
}

static bool
takes_trailers(const struct request *r)
{
    struct span te = message_get(&r->req, NAME_TE);
    return r->rfc9111 && te.ptr != NULL && list_has_token(te, SPAN_LIT("trailers")) && !r->is_head &&
           r->page == NULL && !span_eq(r->req.proto, SPAN_LIT("HTTP/1.0")) &&
           object_form(r->object).trailed && may_get_some(r->object);
}

/* The names of the stored trailer fields. SPAN_NULL: no memory. */
static struct span
names_of(struct request *r)
{
    struct http_message m;
    struct span lines = object_trailers(r->object);
    char *out = arena_alloc(&r->arena, lines.len), *p = out;
    if (out == NULL || message_init(&m, &r->arena, TRAILER_FIELDS_MAX) != 0 || trailers_parse(lines, &m) != 0)
        return SPAN_NULL;
    for (unsigned i = 0; i < m.n_fields; i++) {
        p = i == 0 ? p : put_span(p, SPAN_LIT(", "));
        p = put_span(p, m.fields[i].name);
    }
    return span_of(out, (size_t)(p - out));
}

void
trailers_prepare(struct request *r)
{
    r->takes_trailers = takes_trailers(r);
    if (!r->takes_trailers) {
        trailers_settle(r);
        return;
    }
    struct span names = object_state(r->object) == OBJECT_COMPLETE ? names_of(r) : SPAN_NULL;
    if (names.ptr != NULL)
        (void)message_set(&r->resp, NAME_TRAILER, SPAN_NULL, names);
}

bool
trailers_follow(struct request *r)
{
    DEBUG_CHECK(r->stream->taken == 0);
    if (r->object == NULL || !r->takes_trailers || r->second != NULL || !may_get_some(r->object))
        return false;
    r->delivery.trailers_of = r->object;
    return true;
}

void
trailers_settle(struct request *r)
{
    if (r->rfc9111 && r->delivery.trailers_of == NULL && !message_lacks(&r->resp, NAME_TRAILER))
        message_unset(&r->resp, NAME_TRAILER, SPAN_NULL);
}
