/* Records that frame the transaction of a request: see request_log.h. A hit writes about 25 records, so the
 * records of every request are built without printf. */
#include "proxy/request_log.h"

#include <inttypes.h>

#include "base/check.h"
#include "base/put.h"
#include "http/fields.h"
#include "log/ring.h"
#include "proxy/server.h"
#include "stream/session.h"

#define START_NAME_BYTES_MAX 160 /* longer listener names are cut */
#define HIT_LENGTH_BYTES_MAX 24  /* of a Content-Length */
#define HIT_TIMES 3
#define ACCOUNT_NUMBERS 6
#define INCLUDE "esi" /* reason of the transaction of an include */

static nsec
later(nsec a, nsec b)
{
    return a > b ? a : b;
}

void
request_log_begin(struct request *r, nsec first, nsec complete)
{
    struct session *s = r->stream->session;
    r->xid = server_xid(r->server);
    log_link(&s->log, "req", r->xid, "rxreq");
    log_begin(&r->log, LOG_CLIENT, r->xid, "req", session_xid(s), "rxreq");
    log_timestamp(&r->log, "Start", first);
    log_timestamp(&r->log, "Req", later(first, complete));
}

void
request_log_begin_include(struct request *r)
{
    struct request *page = r->page;
    char text[sizeof INCLUDE + DECIMAL_BYTES_MAX];
    struct span reason = SPAN_LIT(INCLUDE);
    if (ring_is_later()) { /* its readers hide includes by their level */
        char *end = put_span(text, SPAN_LIT(INCLUDE " "));
        end = put_decimal(end, (uint64_t)page->vars.esi_level + 1);
        reason = span_of(text, (size_t)(end - text));
    }
    r->xid = server_xid(r->server);
    log_link_kind(&page->log, SPAN_LIT("req"), r->xid, reason);
    log_begin_kind(&r->log, LOG_CLIENT, r->xid, SPAN_LIT("req"), page->xid, reason);
    log_timestamp(&r->log, "Start", clock_real_ns());
}

/* The first caller makes the whole line, because nearly every request gets this field. */
struct span
request_client_text(struct request *r)
{
    const struct span name = SPAN_LIT("X-Forwarded-For: "), end = SPAN_LIT("\r\n");
    if (r->client_line.ptr == NULL) {
        char text[ADDRESS_TEXT_BYTES];
        size_t n = address_text(session_client(r->stream->session), text);
        char *line = arena_alloc(&r->arena, name.len + n + end.len);
        if (line == NULL)
            return SPAN_NULL;
        put_span(put_span(put_span(line, name), span_of(text, n)), end);
        r->client_line = span_of(line, name.len + n + end.len);
    }
    return span_of(r->client_line.ptr + name.len, r->client_line.len - name.len - end.len);
}

static void
log_start(struct request *r)
{
    const struct session *s = r->stream->session;
    const struct address *from = session_client(s);
    char text[ADDRESS_TEXT_BYTES + DECIMAL_BYTES_MAX + START_NAME_BYTES_MAX + 2];
    struct span address = request_client_text(r);
    char *p = address.ptr != NULL ? put_span(text, address) : text + address_text(from, text);
    *p++ = ' ';
    p = put_decimal(p, from->port);
    *p++ = ' ';
    struct span name = s->listen->name;
    if (name.len > START_NAME_BYTES_MAX)
        name.len = START_NAME_BYTES_MAX;
    p = put_span(p, name);
    log_text(&r->log, TAG_REQ_START, span_of(text, (size_t)(p - text)));
}

void
request_log_head(struct request *r)
{
    if (log_wants(TAG_REQ_START))
        log_start(r);
    message_log(&r->req, &r->log, TAG_REQ);
}

void
request_log_stamp_at(struct request *r, struct span label, nsec when)
{
    log_timestamp_span(&r->log, label, later(when, r->log.last));
}

void
request_log_stamp_span(struct request *r, struct span label)
{
    if (log_wants(TAG_TIMESTAMP))
        request_log_stamp_at(r, label, clock_real_ns());
}

void
request_log_restart(struct request *r)
{
    uint64_t before = r->xid;
    struct log_txn *t = &r->log;
    request_log_stamp(r, "Restart");
    nsec began = t->began, last = t->last;
    r->xid = server_xid(r->server);
    log_link(t, "req", r->xid, "restart");
    log_end(t);
    log_begin(t, LOG_CLIENT, r->xid, "req", before, "restart");
    t->began = began;
    t->last = last;
    log_timestamp(t, "Start", last);
}

static nsec
ttl_left(const struct request *r, const struct object *o)
{
    nsec now = loop_real(r->loop), left = object_ttl_left(o, now);
    if (r->vars.ttl_limit < 0)
        return left;
    nsec limited = nsec_add(o->origin_time, nsec_of(r->vars.ttl_limit)) - now;
    return limited < left ? limited : left;
}

/* For a growing object: the bytes so far, and the total length if known. */
static void
log_hit_growing(struct request *r, struct object *o, const nsec times[HIT_TIMES])
{
    struct span length = object_head_get(o, NAME_CONTENT_LENGTH, SPAN_NULL);
    bool known = length.len > 0 && length.len < HIT_LENGTH_BYTES_MAX;
    log_printf(&r->log, TAG_HIT, "%" PRIu32 " %.6f %.6f %.6f %" PRIu64 "%s%.*s", o->xid,
               nsec_seconds(times[0]), nsec_seconds(times[1]), nsec_seconds(times[2]), body_bytes(&o->body),
               known ? " " : "", known ? (int)length.len : 0, length.ptr);
}

void
request_log_hit(struct request *r, const struct object *o)
{
    if (!log_wants(TAG_HIT))
        return;
    struct object *readable = (struct object *)(uintptr_t)o;
    nsec times[HIT_TIMES] = {
        ttl_left(r, o),
        atomic_load_explicit(&readable->grace, memory_order_relaxed),
        atomic_load_explicit(&readable->keep, memory_order_relaxed),
    };
    if (object_state(o) < OBJECT_COMPLETE)
        log_hit_growing(r, readable, times);
    else
        log_times(&r->log, TAG_HIT, o->xid, times, HIT_TIMES);
}

void
request_log_marker(struct request *r, enum log_tag tag, const struct object *o)
{
    if (log_wants(tag))
        log_times(&r->log, tag, o->xid, (nsec[]){ ttl_left(r, o) }, 1);
}

void
request_log_end(struct request *r)
{
    if (r->log.id == 0)
        return;
    const struct stream_bytes *b = &r->stream->bytes;
    uint64_t body = r->stream->taken;
    if (r->route != ROUTE_PIPE) {
        uint64_t n[ACCOUNT_NUMBERS] = {
            b->req_head, b->req_body, b->req_head + b->req_body, b->resp_head, body, b->resp_head + body,
        };
        log_numbers(&r->log, TAG_REQ_ACCT, n, ACCOUNT_NUMBERS);
    }
    log_end(&r->log);
}
