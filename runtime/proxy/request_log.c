/* Records that frame a request's transaction: see request_log.h. A hit writes some 25 records in all, so what each request
 * writes is put together without printf. */
#include "proxy/request_log.h"

#include "base/check.h"
#include "proxy/client.h"

#define START_NAME_BYTES_MAX 160        /* of a listener's name: a longer one is cut */
#define NUMBER_BYTES 20                 /* UINT64_MAX */
#define HIT_LENGTH_BYTES_MAX 24         /* of a Content-Length */
#define ACCOUNT_NUMBERS 6

static nsec
later(nsec a, nsec b)
{
    return a > b ? a : b;
}

void
request_log_begin(struct request *r, nsec first, nsec complete)
{
    struct client *c = r->client;
    r->xid = server_xid(r->server);
    log_link(&c->log, "req", r->xid, "rxreq");
    log_begin(&r->log, LOG_CLIENT, r->xid, "req", client_xid(c), "rxreq");
    log_timestamp(&r->log, "Start", first);
    log_timestamp(&r->log, "Req", later(first, complete));
}

static char *
put_number(char *p, uint64_t n)
{
    char digits[NUMBER_BYTES], *d = digits + sizeof digits;
    do
        *--d = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    size_t len = (size_t)(digits + sizeof digits - d);
    memcpy(p, d, len);
    return p + len;
}

static void
log_start(struct request *r)
{
    struct client *c = r->client;
    char text[ADDRESS_TEXT_BYTES + NUMBER_BYTES + START_NAME_BYTES_MAX + 2];
    size_t n = address_text(&c->client, text);
    text[n++] = ' ';
    n = (size_t)(put_number(text + n, c->client.port) - text);
    text[n++] = ' ';
    struct span name = c->listen->name;
    if (name.len > START_NAME_BYTES_MAX)
        name.len = START_NAME_BYTES_MAX;
    memcpy(text + n, name.ptr, name.len);
    log_text(&r->log, TAG_REQ_START, span_of(text, n + name.len));
}

void
request_log_head(struct request *r)
{
    if (log_wants(TAG_REQ_START))
        log_start(r);
    message_log(&r->req, &r->log, TAG_REQ);
}

void
request_log_stamp(struct request *r, const char *label)
{
    if (log_wants(TAG_TIMESTAMP))
        log_timestamp(&r->log, label, later(clock_real_ns(), r->log.last));
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

/* " 1.500000" */
static char *
put_seconds(char *p, nsec t)
{
    uint64_t us = (uint64_t)(t < 0 ? -t : t) / 1000;
    *p++ = ' ';
    if (t < 0)
        *p++ = '-';
    p = put_number(p, us / 1000000);
    *p++ = '.';
    us %= 1000000;
    for (int i = 5; i >= 0; i--, us /= 10)
        p[i] = (char)('0' + us % 10);
    return p + 6;
}

void
request_log_hit(struct request *r, const struct object *o)
{
    if (!log_wants(TAG_HIT))
        return;
    struct object *readable = (struct object *)(uintptr_t)o;
    char text[5 * (NUMBER_BYTES + 8) + HIT_LENGTH_BYTES_MAX], *p = put_number(text, o->xid);
    p = put_seconds(p, ttl_left(r, o));
    p = put_seconds(p, atomic_load_explicit(&readable->grace, memory_order_relaxed));
    p = put_seconds(p, atomic_load_explicit(&readable->keep, memory_order_relaxed));
    if (object_state(o) < OBJECT_COMPLETE) {    /* how far it is, of how much if that is known */
        struct span length = object_head_get(o, NAME_CONTENT_LENGTH, SPAN_NULL);
        *p++ = ' ';
        p = put_number(p, atomic_load(&readable->body_bytes));
        if (length.len > 0 && length.len < HIT_LENGTH_BYTES_MAX) {
            *p++ = ' ';
            p = (char *)memcpy(p, length.ptr, length.len) + length.len;
        }
    }
    log_text(&r->log, TAG_HIT, span_of(text, (size_t)(p - text)));
}

void
request_log_marker(struct request *r, enum log_tag tag, const struct object *o)
{
    char text[2 * (NUMBER_BYTES + 8)];
    if (log_wants(tag))
        log_text(&r->log, tag, span_of(text, (size_t)(put_seconds(put_number(text, o->xid), ttl_left(r, o)) - text)));
}

void
request_log_bare_response(struct request *r, unsigned status, struct span reason)
{
    log_text(&r->log, TAG_RESP + LOG_PROTOCOL, SPAN_LIT("HTTP/1.1"));
    log_number(&r->log, TAG_RESP + LOG_STATUS, status);
    log_text(&r->log, TAG_RESP + LOG_REASON, reason);
}

void
request_log_end(struct request *r)
{
    if (r->log.id == 0)
        return;
    const struct stream_bytes *b = &r->h1.stream.bytes;
    if (!r->piped) {
        uint64_t n[ACCOUNT_NUMBERS] = {
            b->req_head, b->req_body, b->req_head + b->req_body, b->resp_head, b->resp_body, b->resp_head + b->resp_body,
        };
        log_numbers(&r->log, TAG_REQ_ACCT, n, ACCOUNT_NUMBERS);
    }
    log_end(&r->log);
}
