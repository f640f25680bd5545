/* Begin and end of the streams of an HTTP/2 connection. See stream.h. */
#include "stream/h2/stream.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "base/size.h"
#include "http/fields.h"
#include "stream/session_log.h"

#define FIBERS_SHARE 8u /* a session takes at most one in so many of fibers_max */

static const struct {
    enum h2_error code;
    const char *note; /* for the session's log, as in Varnish; NULL: none */
} resets[] = {
    [STREAM_CANCELLED] = { H2_CANCEL, NULL },
    [STREAM_REFUSED] = { H2_REFUSED_STREAM, NULL },
    [STREAM_FAILED] = { H2_INTERNAL_ERROR, NULL },
    [STREAM_RANGE_SHORT] = { H2_INTERNAL_ERROR, NULL },
    [STREAM_SLOW] = { H2_CANCEL, "Hit send_timeout" },
    [STREAM_IDLE] = { H2_CANCEL, "Hit idle_send_timeout waiting for WINDOW_UPDATE" },
};

_Static_assert(sizeof resets / sizeof *resets == STREAM_WHY_COUNT, "every reason has its row");

/* ---- the table ---- */

static struct h2_stream **
bucket_of(const struct h2_connection *c, uint32_t id)
{
    return (struct h2_stream **)(uintptr_t)&c->buckets[id / 2 % H2_BUCKETS];
}

struct h2_stream *
h2_find(const struct h2_connection *c, uint32_t id)
{
    struct h2_stream *h = *bucket_of(c, id);
    while (h != NULL && h->id != id)
        h = h->next;
    return h;
}

void
h2_each_stream(struct h2_connection *c, void (*f)(struct h2_stream *h, void *arg), void *arg)
{
    for (unsigned i = 0; i < H2_BUCKETS; i++)
        for (struct h2_stream *h = c->buckets[i], *next; h != NULL; h = next) {
            next = h->next;
            f(h, arg);
        }
}

static void
leave_table(struct h2_stream *h)
{
    struct h2_stream **at = bucket_of(h->connection, h->id);
    while (*at != h)
        at = &(*at)->next;
    *at = h->next;
}

static void
free_stream(struct h2_stream *h)
{
    struct h2_connection *c = h->connection;
    CHECK(h->reader == NULL && c->n_streams > 0);
    h2_stream_leave_turns(h);
    h2_stream_window_opened(h);
    list_remove(&h->turn);
    h2_stream_drop_body(h);
    leave_table(h);
    c->n_streams--;
    c->wire->session.service->n_streams--;
    c->n_serving -= h->serving;
    service_record_give(c->wire->session.service, h);
}

/* ---- the end ---- */

static void
send_reset(struct h2_stream *h, enum h2_error error)
{
    if (!h->cut)
        h2_out_reset(h->connection, h->id, error);
    h->cut = h->ended = true;
}

void
h2_stream_drop(struct h2_stream *h)
{
    struct h2_connection *c = h->connection;
    c->wire->session.service->ops->discard(h->stream.user);
    free_stream(h);
    h2_settle(c);
}

/* A request with a fiber or a delivery ends the stream itself, when it notices. */
void
h2_stream_cut(struct h2_stream *h, enum h2_error error, bool tell)
{
    if (tell)
        send_reset(h, error);
    h->cut = h->ended = true;
    h2_stream_leave_turns(h);
    if (!h->serving) {
        h2_stream_drop(h);
        return;
    }
    h2_stream_wake(h);
    stream_break(&h->stream);
}

enum h2_cost
h2_stream_reset_cost(const struct h2_stream *h)
{
    return h2_reset_cost(loop_now(h->connection->wire->session.service->loop) - h->began);
}

void
h2_stream_fault(struct h2_stream *h, enum h2_error error)
{
    struct h2_connection *c = h->connection;
    enum h2_cost cost = h2_stream_reset_cost(h);
    h2_stream_cut(h, error, true);
    (void)h2_charge(c, cost, 1);
}

static void
h2_reset(struct stream *s, enum stream_why why)
{
    struct h2_stream *h = h2_stream_of(s);
    CHECK(why < STREAM_WHY_COUNT);
    s->broken = true;
    if (resets[why].note != NULL && !h->cut)
        log_printf(&s->session->log, TAG_DEBUG, "H2: stream %u: %s", h->id, resets[why].note);
    send_reset(h, resets[why].code);
}

static void
h2_refuse(struct stream *s, enum stream_why why)
{
    struct h2_stream *h = h2_stream_of(s);
    h2_counters(h->connection)->h2_streams_refused++;
    send_reset(h, resets[why].code);
    h2_stream_drop(h);
}

/* A complete response needs no more content of the request (RFC 9113, 8.1). */
static void
end_for_peer(struct h2_stream *h)
{
    if (!h->ended) /* CANCEL: a connection behind the tunnel was reset (RFC 8441, 5) */
        send_reset(h, h->in_tunnel ? H2_CANCEL : H2_INTERNAL_ERROR);
    else if (!h->remote_ended && !h->cut)
        send_reset(h, H2_NO_ERROR);
}

static struct stream_user *
next_request(struct h2_connection *c)
{
    struct list *l = c->state == H2_FAILED ? NULL : list_pop_front(&c->heads);
    if (l == NULL)
        return NULL;
    struct h2_stream *h = container_of(l, struct h2_stream, turn);
    h->queued = false;
    h->serving = true;
    c->n_serving++;
    return h->stream.user;
}

/* Only the policy's word ends the session: each request has a stream of its own. */
static struct stream_user *
h2_done(struct stream *s)
{
    struct h2_stream *h = h2_stream_of(s);
    struct h2_connection *c = h->connection;
    CHECK(h->serving && s->waiter == NULL);
    bool leave = s->close == SC_RESP_CLOSE;
    if (h->ended && !h->cut)
        h2_budget_work(&c->budget, 1 + (h->in_tunnel ? 0 : min_size(s->taken, H2_SHORT_BODY) / 1024));
    end_for_peer(h);
    free_stream(h);
    if (leave)
        h2_leave(c, SC_RESP_CLOSE);
    struct stream_user *next = next_request(c);
    if (next == NULL && c->n_streams == 0)
        h2_out_soon(c); /* the flush settles the connection */
    return next;
}

/* ---- the beginning ---- */

/* The text of the head lives in the request's arena. */
static void
head_unused(struct stream *s)
{
    (void)s;
}

static void
tunnel_start(struct stream *s)
{
    CHECK(s->can_tunnel && !h2_stream_of(s)->in_tunnel);
    h2_stream_of(s)->in_tunnel = true;
}

static const struct stream_ops h2_ops = {
    .send_interim = h2_stream_send_interim,
    .send_head = h2_stream_send_head,
    .send_failure = h2_stream_send_failure,
    .send_body = h2_stream_send_body,
    .send_trailers = h2_stream_send_trailers,
    .recv_body = h2_stream_recv_body,
    .stop_receiving = h2_stream_stop_receiving,
    .body_unread = h2_stream_body_unread,
    .tunnel_start = tunnel_start,
    .tunnel_read = h2_tunnel_read,
    .tunnel_write = h2_tunnel_write,
    .tunnel_shut = h2_tunnel_shut,
    .head_unused = head_unused,
    .reset = h2_reset,
    .refuse = h2_refuse,
    .done = h2_done,
};

struct h2_stream *
h2_stream_open(struct h2_connection *c, uint32_t id)
{
    struct service *sv = c->wire->session.service;
    struct h2_stream *h = service_record_take(sv);
    if (h == NULL)
        return NULL;
    *h = (struct h2_stream){ .connection = c,
                             .id = id,
                             .began = loop_now(sv->loop),
                             .send_window = c->peer.initial_window,
                             .receive_window = c->settings_window };
    h->stream.ops = &h2_ops;
    h->stream.session = &c->wire->session;
    h->stream.proto = SPAN_LIT("HTTP/2.0");
    h->stream.transport = SPAN_LIT("HTTP/2");
    h->stream.urgency = URGENCY_DEFAULT;
    h->stream.user = sv->ops->open(sv, &h->stream);
    if (h->stream.user == NULL) {
        service_record_give(sv, h);
        return NULL;
    }
    struct h2_stream **bucket = bucket_of(c, id);
    h->next = *bucket;
    *bucket = h;
    c->n_streams++;
    sv->n_streams++;
    return h;
}

/* One session must not take the fibers of all others. */
static unsigned
serving_max(void)
{
    unsigned most = params.fibers_max / FIBERS_SHARE;
    return params.h2_fibers_max < most ? params.h2_fibers_max : most;
}

void
h2_stream_serve(struct h2_stream *h)
{
    struct h2_connection *c = h->connection;
    h2_counters(c)->client_req++;
    if (c->n_serving >= serving_max()) {
        h->queued = true;
        list_push_back(&c->heads, &h->turn);
        return;
    }
    h->serving = true;
    c->n_serving++;
    c->wire->session.service->ops->serve(h->stream.user);
}

/* Mostly a request that ends brings the next one (`done`). One that is refused does not. */
void
h2_serve_queued(struct h2_connection *c)
{
    struct stream_user *u;
    while (c->n_serving < serving_max() && (u = next_request(c)) != NULL)
        c->wire->session.service->ops->serve(u);
}

/* ---- priority ---- */

/* "u=0" to "u=7", and "i" (RFC 9218, 4). What is not understood is ignored. */
void
h2_stream_set_priority(struct h2_stream *h, struct span value)
{
    struct span item;
    bool waits = h->waits;
    if (waits)
        h2_stream_leave_turns(h);
    while (list_next(&value, &item)) {
        if (item.len == 3 && item.ptr[0] == 'u' && item.ptr[1] == '=' && item.ptr[2] >= '0' &&
            item.ptr[2] <= '7')
            h->stream.urgency = (uint8_t)(item.ptr[2] - '0');
        else if (span_eq(item, SPAN_LIT("i")) || span_eq(item, SPAN_LIT("i=?1")))
            h->stream.incremental = true;
        else if (span_eq(item, SPAN_LIT("i=?0")))
            h->stream.incremental = false;
    }
    if (waits)
        h2_stream_want_turn(h);
}
