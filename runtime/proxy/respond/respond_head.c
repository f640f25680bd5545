/* Heads of responses (RFC 9110, 9111), as vcl_deliver and vcl_synth see them. See respond.h. */
#include "proxy/respond/respond.h"

#include "base/params.h"
#include "base/put.h"
#include "cache/freshness.h"
#include "cache/rfc9111/rfc9111.h"
#include "filter/gzip_head.h"
#include "http/fields.h"
#include "proxy/bereq.h"
#include "proxy/coding/coding.h"
#include "proxy/rfc9111/cache_status.h"
#include "proxy/respond/ready_head.h"
#include "proxy/server.h"

/* Added after vcl_deliver: Content-Range, Content-Length or Transfer-Encoding, Connection, Vernis-Why */
#define LATE_FIELDS 5u

static void
set_date(struct http_message *m, nsec now)
{
    char *p = arena_alloc(m->arena, HTTP_DATE_BYTES);
    if (p == NULL) {
        m->failed = 1;
        return;
    }
    http_date_format(now, p);
    (void)message_set(m, NAME_DATE, SPAN_NULL, span_of(p, HTTP_DATE_BYTES));
}

/* ---- fields of our own ---- */

/* The fields that every response gets, as lines behind one another, so that one copy writes them all. */
#define X_VARNISH "X-Varnish: "
#define AGE "Age: "
#define VIA_LINE "Via: " VIA_TEXT "\r\n"
#define ACCEPT_RANGES_LINE "Accept-Ranges: bytes\r\n"
#define OWN_LINES_BYTES \
    (sizeof X_VARNISH + sizeof AGE + sizeof VIA_LINE + sizeof ACCEPT_RANGES_LINE + 3 * DECIMAL_BYTES_MAX + 5)

/* Adds the line that begins at `line` and whose value ends at `p`. Returns the place of the next one. */
static char *
end_line(struct http_message *m, name_id id, size_t name_bytes, const char *line, char *p)
{
    memcpy(p, "\r\n", 2);
    (void)message_add_line(m, id, name_bytes, span_of(line, (size_t)(p + 2 - line)));
    return p + 2;
}

static char *
add_xids(struct request *r, char *line)
{
    char *p = put_decimal(put_span(line, SPAN_LIT(X_VARNISH)), r->xid);
    if (found_answers(r->vars.found) && r->object != NULL) {
        *p++ = ' ';
        p = put_decimal(p, r->object->xid);
    }
    return end_line(&r->resp, NAME_X_VARNISH, sizeof "X-Varnish" - 1, line, p);
}

static char *
set_age(struct http_message *m, nsec age, char *line)
{
    char *value = put_span(line, SPAN_LIT(AGE)),
         *p = put_decimal(value, age < 0 ? 0 : (uint64_t)(age / NSEC_PER_SEC));
    if (message_lacks(m, NAME_AGE))
        return end_line(m, NAME_AGE, sizeof "Age" - 1, line, p);
    (void)message_set_sound(m, NAME_AGE, SPAN_NULL, span_of(value, (size_t)(p - value)));
    return p;
}

static char *
add_via(struct http_message *m, char *line)
{
    char *p = put_span(line, SPAN_LIT(VIA_LINE));
    (void)message_add_line(m, NAME_VIA, sizeof "Via" - 1, span_of(line, (size_t)(p - line)));
    return p;
}

/* `same`: the field of the object has the same text. */
static void
set_accept_ranges(struct request *r, char *line, bool same)
{
    struct http_message *m = &r->resp;
    if (message_lacks(m, NAME_ACCEPT_RANGES)) {
        char *p = put_span(line, SPAN_LIT(ACCEPT_RANGES_LINE));
        (void)message_add_line(m, NAME_ACCEPT_RANGES, sizeof "Accept-Ranges" - 1,
                               span_of(line, (size_t)(p - line)));
    } else if (same) {
        ready_head_log_ranges(r);
    } else {
        (void)message_set(m, NAME_ACCEPT_RANGES, SPAN_NULL, SPAN_LIT("bytes"));
    }
}

bool
respond_takes_gzip(const struct request *r)
{
    return accepts_gzip(message_get(&r->req, NAME_ACCEPT_ENCODING));
}

int64_t
respond_body_length(struct object *o)
{
    DEBUG_CHECK(object_state(o) >= OBJECT_STREAMING);
    if (object_state(o) == OBJECT_COMPLETE)
        return (int64_t)body_bytes(&o->body);
    return object_content_length(o);
}

static int
response_init(struct request *r, unsigned fields)
{
    int err = message_init(&r->resp, &r->arena, message_room(params.http_max_hdr, fields + LATE_FIELDS));
    if (err == 0)
        message_withhold(&r->resp, LATE_FIELDS);
    return err;
}

static int
check_fields(const struct request *r, unsigned fields)
{
    if (respond_lines(fields) <= params.http_max_hdr)
        return 0;
    log_printf(&r->log, TAG_ERROR, "Too many headers to Decode object (%u vs. %u)", respond_lines(fields),
               params.http_max_hdr);
    return ERR_LIMIT;
}

int
respond_prepare_object(struct request *r)
{
    CHECK(r->object != NULL && object_state(r->object) >= OBJECT_STREAMING);
    struct http_message *m = &r->resp;
    struct object *o = r->object;
    struct ready_facts facts = { false, false };
    int err = check_fields(r, object_fields(o));
    if (err == 0)
        err = response_init(r, object_fields(o));
    if (err == 0)
        err = ready_head_load(r, &facts);
    if (err != 0)
        return err;
    if (r->rfc9111 && !facts.for_all && found_answers(r->vars.found) && r->route == ROUTE_CACHE) {
        rfc9111_withhold_fields(m);
        facts.takes_ranges = false; /* this field may be withheld */
    }
    char *line = arena_alloc(&r->arena, OWN_LINES_BYTES + (r->rfc9111 ? CACHE_STATUS_LINE_BYTES : 0));
    if (line == NULL)
        return ERR_NOMEM;
    line = add_xids(r, line);
    line = set_age(m, object_age(o, loop_real(r->loop)), line);
    line = add_via(m, line);
    if (r->rfc9111)
        line = cache_status_add(r, m, line);
    if (params.http_gzip_support && object_form(o).gzipped && !respond_takes_gzip(r))
        weaken_etag(m);
    coding_choose(r);
    if (params.http_range_support && m->status == 200 && respond_body_length(o) >= 0 &&
        r->route == ROUTE_CACHE)
        set_accept_ranges(r, line, facts.takes_ranges);
    r->ctx.msg[MSG_RESP] = m;
    r->vars.resp_time = nsec_seconds(loop_real(r->loop));
    r->vars.is_streaming = object_state(o) == OBJECT_STREAMING;
    r->vars.can_esi = object_note(o).ptr != NULL;
    r->vars.resp_do_esi = r->vars.esi;
    r->vars.resp_filters = SPAN_NULL;
    return m->failed ? ERR_NOMEM : 0;
}

int
respond_show_object(struct request *r)
{
    CHECK(r->object != NULL);
    const struct image_effects *e = &policy_image(r->ctx.policy)->effects[HOOK_HIT];
    r->vars.can_esi = object_note(r->object).ptr != NULL;
    if (e->n_reads == 0 && (e->flags & EFFECT_UNKNOWN) == 0)
        return 0;
    struct http_message *m = arena_alloc(&r->arena, sizeof *m);
    int err = m == NULL ? ERR_NOMEM : message_init(m, &r->arena, object_fields(r->object));
    if (err == 0)
        err = object_head_load(r->object, m);
    if (err == 0)
        r->ctx.msg[MSG_OBJ] = m;
    return err;
}

int
respond_prepare_synth(struct request *r, int64_t status, struct span reason)
{
    DEBUG_CHECK(r->object == NULL && r->stream->taken == 0);
    struct http_message *m = &r->resp;
    int err = response_init(r, 0);
    r->vars.coding_filters = SPAN_NULL;
    r->second = NULL;
    if (err != 0)
        return err;
    if (status < 100 || status > 65535)
        status = 503;
    m->minor = 1;
    m->proto = r->stream->proto;
    m->status = (uint16_t)status;
    m->reason = reason.ptr != NULL ? reason : status_reason((unsigned)(status % 1000));
    m->log = &r->log;
    m->log_family = TAG_RESP;
    message_log_start_line(m);
    set_date(m, loop_real(r->loop));
    (void)message_set(m, NAME_SERVER, SPAN_NULL, SPAN_LIT("Varnish"));
    char *line = arena_alloc(&r->arena, OWN_LINES_BYTES);
    if (line == NULL)
        return ERR_NOMEM;
    add_xids(r, line);
    if (r->stream->continue_due && r->stream->ops->body_unread(r->stream))
        (void)message_add(m, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("close"));
    r->ctx.msg[MSG_RESP] = m;
    r->vars.synth_body = SPAN_NULL;
    r->vars.resp_time = nsec_seconds(loop_real(r->loop));
    r->vars.is_streaming = r->vars.can_esi = false;
    r->vars.resp_do_esi = r->vars.esi;
    r->vars.resp_filters = SPAN_NULL;
    return m->failed ? ERR_NOMEM : 0;
}
