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

/* Added after vcl_deliver: Content-Range, Content-Length or Transfer-Encoding, Connection */
#define LATE_FIELDS 4u
#define START_LINE_FIELDS 5u /* fields that http_max_hdr counts for the start line, as Varnish documents */

static void
set_number(struct http_message *m, name_id id, uint64_t n)
{
    struct span text = arena_decimal(m->arena, n);
    if (text.ptr == NULL)
        m->failed = 1;
    else
        (void)message_set(m, id, SPAN_NULL, text);
}

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

static void
set_xids(struct request *r)
{
    char *text = arena_alloc(&r->arena, 2 * DECIMAL_BYTES_MAX + 1);
    if (text == NULL) {
        r->resp.failed = 1;
        return;
    }
    char *p = put_decimal(text, r->xid);
    if (r->vars.is_hit && r->object != NULL) {
        *p++ = ' ';
        p = put_decimal(p, r->object->xid);
    }
    (void)message_add(&r->resp, NAME_X_VARNISH, SPAN_NULL, span_of(text, (size_t)(p - text)));
}

bool
respond_takes_gzip(const struct request *r)
{
    return accepts_gzip(message_get(&r->req, NAME_ACCEPT_ENCODING));
}

int64_t
respond_body_length(struct object *o)
{
    if (object_state(o) == OBJECT_COMPLETE)
        return (int64_t)atomic_load_explicit(&o->body_bytes, memory_order_acquire);
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

/* Varnish counts the end of a stored head as one more field. ERR_LIMIT: too many fields. */
static int
check_fields(const struct request *r, unsigned fields)
{
    unsigned lines = START_LINE_FIELDS + fields + 1, limit = params.http_max_hdr;
    if (lines <= limit)
        return 0;
    log_printf(&r->log, TAG_ERROR, "Too many headers to Decode object (%u vs. %u)", lines, limit);
    return ERR_LIMIT;
}

int
respond_prepare_object(struct request *r)
{
    struct http_message *m = &r->resp;
    struct object *o = r->object;
    int err = check_fields(r, object_fields(o));
    if (err == 0)
        err = response_init(r, object_fields(o));
    if (err == 0)
        err = ready_head_load(r);
    if (err != 0)
        return err;
    if (rfc9111_on() && r->vars.is_hit && !r->is_pass)
        rfc9111_withhold_fields(m);
    set_xids(r);
    nsec age = object_age(o, loop_real(r->loop));
    set_number(m, NAME_AGE, age < 0 ? 0 : (uint64_t)(age / NSEC_PER_SEC));
    (void)message_add(m, NAME_VIA, SPAN_NULL, SPAN_LIT(VIA_TEXT));
    if (rfc9111_on())
        cache_status_add(r, m);
    if (params.http_gzip_support && object_form(o).gzipped && !respond_takes_gzip(r))
        weaken_etag(m);
    coding_choose(r);
    if (params.http_range_support && m->status == 200 && respond_body_length(o) >= 0 && !r->is_pass)
        (void)message_set(m, NAME_ACCEPT_RANGES, SPAN_NULL, SPAN_LIT("bytes"));
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
    struct http_message *m = &r->resp;
    int err = response_init(r, 0);
    r->vars.coding_filters = r->second = SPAN_NULL;
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
    set_xids(r);
    if (r->stream->continue_due)
        (void)message_add(m, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("close"));
    r->ctx.msg[MSG_RESP] = m;
    r->vars.synth_body = SPAN_NULL;
    r->vars.resp_time = nsec_seconds(loop_real(r->loop));
    r->vars.is_streaming = r->vars.can_esi = false;
    r->vars.resp_do_esi = r->vars.esi;
    r->vars.resp_filters = SPAN_NULL;
    return m->failed ? ERR_NOMEM : 0;
}
