/* Begin and end of the stream of an HTTP/1 connection, which has one stream at a time. */
#include "stream/h1/stream.h"

#include "base/check.h"

/* The session ends: HTTP/1 framing has no other way to tell the client. */
static const enum session_why reset_whys[] = {
    [STREAM_CANCELLED] = SC_REM_CLOSE,     [STREAM_REFUSED] = SC_OVERLOAD, [STREAM_FAILED] = SC_TX_ERROR,
    [STREAM_RANGE_SHORT] = SC_RANGE_SHORT, [STREAM_SLOW] = SC_TX_ERROR,    [STREAM_IDLE] = SC_TX_ERROR,
};

_Static_assert(sizeof reset_whys / sizeof *reset_whys == STREAM_WHY_COUNT, "every reason has its row");

/* With Content-Length or chunks the client notices an early end of the connection (RFC 9112, 8). So it gets
 * all bytes that were sent, and may request the rest. A reset would destroy those on their way. */
static bool
may_close(const struct h1_stream *h, enum stream_why why)
{
    return !h->stream.broken && !h->until_close && (why == STREAM_FAILED || why == STREAM_RANGE_SHORT);
}

static void
h1_reset(struct stream *s, enum stream_why why)
{
    struct h1_stream *h = h1_of(s);
    CHECK(why < STREAM_WHY_COUNT);
    h->cut = may_close(h, why);
    s->broken = true;
    stream_close_after(s, reset_whys[why]);
}

static void
h1_stream_refuse(struct stream *s, enum stream_why why)
{
    struct h1_connection *c = h1_of(s)->connection;
    CHECK(c->state == H1_BUSY);
    c->state = H1_HEAD;
    h1_refuse(c, &(struct http1_error){ 503, "too many requests at once (fibers_max)", 0, 0 },
              reset_whys[why]);
}

/* Once the response head is serialised, nobody reads the received bytes again, unless a request is pipelined
 * or content is unread. */
static void
h1_head_unused(struct stream *s)
{
    struct h1_connection *c = h1_of(s)->connection;
    if (c->wire.rx_bytes > c->rx_taken || h1_stream_body_unread(s))
        return;
    buffers_give(&s->session->service->buffers, &c->wire.rx);
    c->wire.rx_bytes = c->rx_taken = c->rx_head = 0;
}

static const struct stream_ops h1_ops = {
    .send_interim = h1_stream_send_interim,
    .send_head = h1_stream_send_head,
    .send_failure = h1_stream_send_failure,
    .send_body = h1_stream_send_body,
    .send_file = h1_stream_send_file,
    .send_trailers = h1_stream_send_trailers,
    .recv_body = h1_stream_recv_body,
    .stop_receiving = h1_stream_stop_receiving,
    .body_unread = h1_stream_body_unread,
    .head_unused = h1_head_unused,
    .reset = h1_reset,
    .refuse = h1_stream_refuse,
    .done = h1_stream_done,
    .tunnel_start = h1_stream_tunnel_start,
    .tunnel_read = h1_stream_tunnel_read,
    .tunnel_write = h1_stream_tunnel_write,
    .tunnel_shut = h1_stream_tunnel_shut,
};

int
h1_stream_open(struct h1_connection *c)
{
    struct service *sv = c->wire.session.service;
    if (c->stream != NULL)
        return 0;
    struct h1_stream *h = service_record_take(sv);
    if (h == NULL)
        return ERR_NOMEM;
    *h = (struct h1_stream){ .connection = c };
    h->stream.ops = &h1_ops;
    h->stream.session = &c->wire.session;
    h->stream.proto = SPAN_LIT("HTTP/1.1");
    h->stream.transport = SPAN_LIT("HTTP/1");
    h->stream.urgency = URGENCY_DEFAULT;
    h->stream.can_tunnel = true;
    h->stream.user = sv->ops->open(sv, &h->stream);
    if (h->stream.user == NULL) {
        service_record_give(sv, h);
        return ERR_NOMEM;
    }
    c->stream = h;
    return 0;
}

void
h1_stream_start(struct h1_stream *h, const struct http1_framing *framing)
{
    static const enum content_kind kinds[] = { [BODY_NONE] = CONTENT_NONE,
                                               [BODY_LENGTH] = CONTENT_KNOWN,
                                               [BODY_CHUNKED] = CONTENT_UNKNOWN };
    const struct h1_connection *c = h->connection;
    struct stream *s = &h->stream;
    /* the end of the connection never frames a request (RFC 9112, 6.3) */
    CHECK(framing->kind <= BODY_CHUNKED);
    s->content = (struct content){ kinds[framing->kind], framing->length };
    s->bytes.req_head = c->rx_head;
    h->body_left = framing->length;
    h->body_chunked = framing->kind == BODY_CHUNKED;
    h->body_done = framing->kind == BODY_NONE || (framing->kind == BODY_LENGTH && framing->length == 0);
    h->http10 = s->user->head->minor == 0;
    s->continue_due = framing->expect_continue && c->wire.rx_bytes == c->rx_head;
    if (!framing->keep_alive)
        s->close = h->http10 ? SC_REQ_HTTP10 : SC_REQ_CLOSE;
    http1_chunked_init(&h->decoder);
}

void
h1_stream_free(struct h1_connection *c)
{
    if (c->stream == NULL)
        return;
    service_record_give(c->wire.session.service, c->stream);
    c->stream = NULL;
}
