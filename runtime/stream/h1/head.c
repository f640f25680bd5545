/* Heads of HTTP/1 requests: receives them, finds their end, and refuses bytes that are not a request. See
 * connection.h. */
#include <stdio.h>

#include "base/check.h"
#include "base/params.h"
#include "base/size.h"
#include "http/fields.h"
#include "stream/foreign.h"
#include "stream/h1/stream.h"
#include "stream/h2/connection.h"
#include "stream/h2/upgrade.h"
#include "stream/session_log.h"

static const struct http1_error line_too_long = { 414, "start line is too long", 0, 0 };
static const struct http1_error head_too_large = { 431, "request head is too large", 0, 0 };
static const struct http1_error head_too_late = { 408,
                                                  "the request head did not arrive in time (timeout_req)", 0,
                                                  0 };

static struct span
received(const struct h1_connection *c)
{
    return span_of(c->wire.rx, c->wire.rx_bytes);
}

/* ---- answers without a request ---- */

static bool
is_junk(enum session_why why)
{
    return why == SC_RX_JUNK || why == SC_RX_BAD;
}

/* Bytes that are not a request are logged, too. A head that is too large or too late may be a request. */
static void
log_bytes(struct h1_connection *c, const struct http1_error *e, bool junk)
{
    struct log_txn *log = c->stream->stream.user->log;
    char text[HTTP1_BOGUS_TEXT_BYTES];
    c->stream->stream.bytes.req_head = c->wire.rx_bytes;
    c->wire.session.service->counters->s_req_hdrbytes += c->wire.rx_bytes;
    if (!junk)
        return;
    size_t n = http1_bogus_text(e, c->wire.rx, c->wire.rx_bytes, text);
    if (n > 0)
        log_text(log, TAG_BOGO_HEADER, span_of(text, n));
    if (e->status != 417)
        log_text(log, TAG_HTTP_GARBAGE, span_of(c->wire.rx, c->wire.rx_bytes));
}

/* Every refused request has a transaction with the client's address, what could be parsed of the head, and
 * the reason. */
static void
log_refused(struct h1_connection *c, const struct http1_error *e, enum session_why why)
{
    struct service *sv = c->wire.session.service;
    if (c->wire.rx == NULL || h1_stream_open(c) != 0)
        return;
    struct stream_user *u = c->stream->stream.user;
    bool complete = c->rx_head > 0; /* its bytes were counted */
    if (u->log->id == 0)
        sv->ops->begin(u, c->wire.rx_began, loop_real(sv->loop));
    sv->ops->log_head(u);
    if (!complete)
        log_bytes(c, e, is_junk(why));
    log_text(u->log, TAG_ERROR, span_str(e->why));
}

static void
count_refusal(struct counters *n, unsigned status)
{
    if (status == 417)
        n->client_req_417++;
    else if (status != 503 && status != 505)
        n->client_req_400++;
}

#define REFUSAL_BYTES_MAX 128u

static size_t
refusal_text(const struct http1_error *e, char *out, size_t cap)
{
    struct span reason = status_reason(e->status);
    return (size_t)snprintf(out, cap, "HTTP/1.1 %u %.*s\r\n\r\n", e->status, (int)reason.len, reason.ptr);
}

static void
send_refusal(struct h1_connection *c, const struct http1_error *e)
{
    struct counters *n = c->wire.session.service->counters;
    char text[REFUSAL_BYTES_MAX];
    size_t bytes = refusal_text(e, text, sizeof text);
    struct iovec iov = { text, bytes };
    (void)conn_write_now(&c->wire.conn, &iov, 1);
    count_refusal(n, e->status);
    n->s_resp_hdrbytes += bytes;
    if (c->stream == NULL || c->stream->stream.user->log->id == 0)
        return;
    c->stream->stream.bytes.resp_head = bytes;
    stream_log_response(&c->stream->stream, e->status);
}

/* Varnish ends the connection without an answer when a head is larger than http_req_size. */
static bool
is_answered(enum session_why why)
{
    return why != SC_RX_OVERFLOW || params.http_req_overflow_status != 0 ||
           (params.features & FEATURE_ANSWER_LARGE_HEADS) != 0;
}

void
h1_refuse(struct h1_connection *c, const struct http1_error *e, enum session_why why)
{
    struct service *sv = c->wire.session.service;
    CHECK(c->state != H1_BUSY && c->state != H1_LINGER);
    log_refused(c, e, why);
    struct http1_error answer = *e;
    if (why == SC_RX_OVERFLOW && params.http_req_overflow_status != 0)
        answer.status = (uint16_t)params.http_req_overflow_status;
    if (is_answered(why))
        send_refusal(c, &answer);
    if (c->stream != NULL) {
        sv->ops->discard(c->stream->stream.user);
        h1_stream_free(c);
    }
    h1_linger(c, why);
}

static enum h1_head
refuse(struct h1_connection *c, const struct http1_error *e, enum session_why why)
{
    h1_refuse(c, e, why);
    return H1_HEAD_GONE;
}

/* Refuses a client that speaks another protocol, and says so in both logs. */
static void
refuse_foreign(struct h1_connection *c, enum foreign f)
{
    struct http1_error e = { 400, foreign_why(f), 0, 0 };
    foreign_warn(&c->wire.session, f);
    h1_refuse(c, &e, SC_RX_JUNK);
}

/* ---- HTTP/2 ---- */

/* HTTP/2 takes the wire, and what has begun of a request ends. `head`: that of a request with Upgrade, of n
 * bytes; NULL: the client began with HTTP/2. */
static enum h1_head
become_http2(struct h1_connection *c, const struct http_message *head, size_t n)
{
    struct service *sv = c->wire.session.service;
    struct h1_stream *stream = c->stream;
    c->stream = NULL;
    timer_suspend(&c->wire.timer);
    if (head != NULL)
        h2_upgrade(&c->wire, head, n);
    else
        h2_take_over(&c->wire);
    if (stream != NULL) {
        sv->ops->discard(stream->stream.user);
        service_record_give(sv, stream);
    }
    return H1_HEAD_GONE;
}

/* HTTP/2 is off. As in Varnish there is no answer, and no request in the log. */
static void
refuse_http2(struct h1_connection *c)
{
    foreign_warn(&c->wire.session, FOREIGN_HTTP2);
    log_text(&c->wire.session.log, TAG_ERROR, span_str(foreign_why(FOREIGN_HTTP2)));
    if (c->stream != NULL)
        c->wire.session.service->ops->discard(c->stream->stream.user);
    h1_stream_free(c);
    h1_linger(c, SC_REQ_HTTP20);
}

static enum h1_head
take_foreign(struct h1_connection *c, enum foreign f)
{
    if (f == FOREIGN_HTTP2 && (params.features & FEATURE_HTTP2) != 0)
        return become_http2(c, NULL, 0);
    if (f == FOREIGN_HTTP2)
        refuse_http2(c);
    else
        refuse_foreign(c, f);
    return H1_HEAD_GONE;
}

void
h1_head_late(struct h1_connection *c)
{
    h1_refuse(c, &head_too_late, SC_RX_TIMEOUT);
}

static enum h1_head
give_up(struct h1_connection *c, enum session_why why)
{
    c->wire.session.service->counters->s_req_hdrbytes += c->wire.rx_bytes;
    h1_close(c, why);
    return H1_HEAD_GONE;
}

/* ---- parsing ---- */

/* With the feature bit https_scheme off, as in Varnish, an https target stays absolute, and Host stays as the
 * client sent it. */
static bool
keeps_absolute_form(struct span target)
{
    return (params.features & FEATURE_HTTPS_SCHEME) == 0 &&
           span_eq_nocase(span_of(target.ptr, 8), SPAN_LIT("https://"));
}

/* An empty path means "/", but OPTIONS with an empty path means the whole server (RFC 9112, 3.2.4). NULL: no
 * memory. */
static struct span
path_form(const struct http_message *m, struct span path)
{
    if (path.len == 0)
        return span_eq(m->method, SPAN_LIT("OPTIONS")) ? SPAN_LIT("*") : SPAN_LIT("/");
    return path.ptr[0] == '?' ? arena_printf(m->arena, "/%.*s", (int)path.len, path.ptr) : path;
}

/* "GET http://host/path": the authority replaces Host (RFC 9112, 3.2.2), and the policy sees the path.
 * Otherwise a policy that checks Host would not see the host that the origin serves. */
static int
origin_form(struct http_message *m, struct http1_error *e)
{
    struct span host, path;
    if (m->url.ptr[0] == '/')
        return 0;
    *e = (struct http1_error){ 400, "absolute request target without a plain host", 0, 0 };
    int form = http1_absolute_target(m->url, &host, &path);
    if (form <= 0 || keeps_absolute_form(m->url))
        return form < 0 ? form : 0;
    path = path_form(m, path);
    *e = head_too_large;
    if (path.ptr == NULL)
        return ERR_NOMEM;
    m->url = path;
    return message_set(m, NAME_HOST, SPAN_NULL, host);
}

static struct http1_limits
head_limits(void)
{
    return (struct http1_limits){ params.http_req_size_bytes, params.http_req_hdr_len_bytes,
                                  params.http_max_hdr };
}

int
h1_parse_text(char *text, size_t n, struct http_message *out, struct http1_error *error)
{
    struct http1_limits lim = head_limits();
    struct http1_framing framing;
    bool good = http1_parse_request(text, n, &lim, out, error) == (ssize_t)n &&
                http1_request_framing(out, &framing, error) == 0 && origin_form(out, error) == 0;
    return good ? 0 : ERR_SYNTAX;
}

/* Varnish logs these under another reason than unreadable heads. */
static bool
is_repeated_field(const struct http1_error *e)
{
    return e->bogus == BOGUS_HOSTS || e->bogus == BOGUS_LENGTHS;
}

static enum h1_head
head_complete(struct h1_connection *c, size_t n)
{
    struct service *sv = c->wire.session.service;
    struct stream_user *u = c->stream->stream.user;
    struct http1_error e = { 400, "bad request", 0, 0 };
    struct http1_framing framing;
    /* Over TLS, ALPN decides, and h2c means no TLS (RFC 7540, 3.1) */
    bool upgrade = c->wire.conn.layer == NULL && h2_upgrade_is_wanted(u->head) &&
                   http1_request_framing(u->head, &framing, &e) == 0;
    if (upgrade && framing.kind == BODY_NONE)
        return become_http2(c, u->head, n);
    sv->ops->begin(u, c->wire.rx_began, loop_real(sv->loop));
    if (http1_request_framing(u->head, &framing, &e) != 0 || origin_form(u->head, &e) != 0)
        return refuse(c, &e, is_repeated_field(&e) ? SC_RX_BAD : SC_RX_JUNK);
    timer_suspend(&c->wire.timer);
    c->rx_head = c->rx_taken = (uint32_t)n;
    c->state = H1_BUSY;
    sv->counters->client_req++;
    sv->counters->s_req_hdrbytes += n;
    h1_stream_start(c->stream, &framing);
    return H1_HEAD_READY;
}

static bool
only_empty_lines(const struct wire *w)
{
    uint32_t at = 0;
    while (at + 2 <= w->rx_bytes && w->rx[at] == '\r' && w->rx[at + 1] == '\n')
        at += 2;
    return at == w->rx_bytes;
}

/* The incomplete field is already longer than allowed: the parser refuses it, whatever follows. */
static bool
field_too_long(const struct wire *w)
{
    const char *last = memrchr(w->rx, '\n', w->rx_bytes);
    return last != NULL &&
           (size_t)(w->rx + w->rx_bytes - last) > params.http_req_hdr_len_bytes + sizeof "\n\r\n" - 1;
}

/* Looks for a complete head in the received bytes. The bytes before `from` were checked before. Bytes without
 * a line feed cannot complete a head, so they are not parsed: a client that sends byte by byte stays
 * cheap. */
static enum h1_head
parse_head(struct h1_connection *c, uint32_t from)
{
    struct wire *w = &c->wire;
    if (only_empty_lines(w)) { /* no request has begun: the idle timer goes on */
        w->rx_bytes = 0;
        return H1_HEAD_WAIT;
    }
    if (w->rx_bytes == from ||
        (memchr(w->rx + from, '\n', w->rx_bytes - from) == NULL && !field_too_long(w))) {
        enum foreign f = foreign_protocol(received(c));
        if (f != FOREIGN_NONE)
            return take_foreign(c, f);
        if (w->rx_bytes < wire_head_room(w))
            return H1_HEAD_WAIT;
        return refuse(c, memchr(w->rx, '\n', w->rx_bytes) == NULL ? &line_too_long : &head_too_large,
                      SC_RX_OVERFLOW);
    }
    if (h1_stream_open(c) != 0)
        return give_up(c, SC_OVERLOAD);
    struct http_message *head = c->stream->stream.user->head;
    struct http1_limits lim = head_limits();
    struct http1_error e = { 400, "bad request", 0, 0 };
    head->n_fields = 0;
    ssize_t n = http1_parse_request(w->rx, w->rx_bytes, &lim, head, &e);
    if (n > 0)
        return head_complete(c, (size_t)n);
    if (n == 0 && w->rx_bytes < wire_head_room(w))
        return H1_HEAD_WAIT;
    enum foreign f = foreign_protocol(received(c));
    if (f != FOREIGN_NONE)
        return take_foreign(c, f);
    if (n == 0)
        e = head_too_large;
    bool too_large = n == 0 || (n == ERR_LIMIT && e.bogus == BOGUS_NOTHING);
    return refuse(c, &e, too_large ? SC_RX_OVERFLOW : SC_RX_JUNK);
}

/* ---- receiving ---- */

/* Enough for most heads. Content that arrives with the head stays in the socket: the request holds the buffer
 * to its end, and content would make all its pages resident and be copied once more. */
#define FIRST_READ_BYTES CONN_AHEAD_MAX

/* The time since the connection became idle, computed from its idle timer. */
static nsec
idle_time(const struct h1_connection *c)
{
    const struct session *s = &c->wire.session;
    bool idle = c->state == H1_IDLE && timer_is_set(&c->wire.timer);
    return idle ? loop_now(s->service->loop) - c->wire.timer.deadline + nsec_of(session_idle_timeout(s)) : 0;
}

/* Waits for more of the head. All of it must arrive within timeout_req, however slowly the client sends. */
static enum h1_head
await_rest(struct h1_connection *c)
{
    struct loop *loop = c->wire.session.service->loop;
    if (c->wire.rx_bytes == 0)
        h1_await_idle(c);
    else if (c->state == H1_IDLE) {
        c->state = H1_HEAD;
        timer_set(loop, &c->wire.timer, nsec_add(loop_now(loop), nsec_of(params.timeout_req_s)));
    }
    return H1_HEAD_WAIT;
}

static size_t
first_read_bytes(const struct wire *w)
{
    return min_size(wire_head_room(w), FIRST_READ_BYTES);
}

/* The first bytes of a head, before h1_read_head takes them. The state stays idle until then. */
void
h1_read_ahead(struct conn *conn)
{
    struct h1_connection *c = h1_of_wire(container_of(conn, struct wire, conn));
    struct wire *w = &c->wire;
    if (c->state != H1_IDLE)
        return;
    if (w->rx == NULL)
        w->rx = buffers_take(&w->session.service->buffers);
    if (w->rx != NULL)
        conn_read_ahead(conn, w->rx, first_read_bytes(w));
}

enum h1_head
h1_read_head(struct h1_connection *c, bool pipelined)
{
    struct wire *w = &c->wire;
    struct service *sv = w->session.service;
    CHECK(c->state == H1_IDLE || c->state == H1_HEAD);
    if (w->rx == NULL && (w->rx = buffers_take(&sv->buffers)) == NULL)
        return give_up(c, SC_OVERLOAD);
    enum h1_head h = pipelined ? parse_head(c, 0) : H1_HEAD_WAIT;
    while (h == H1_HEAD_WAIT) {
        size_t room = wire_head_room(w);
        if (w->rx_bytes >= room) /* a full buffer was refused already, unless the limit has changed since */
            return refuse(c, &head_too_large, SC_RX_OVERFLOW);
        uint32_t from = w->rx_bytes;
        size_t most = from == 0 ? first_read_bytes(w) : room - from;
        ssize_t n = conn_read_now(&w->conn, w->rx + from, most);
        if (n == ERR_AGAIN)
            return await_rest(c);
        if (from == 0)
            h1_count_idle(c, idle_time(c));
        if (n <= 0)
            return give_up(c, SC_REM_CLOSE);
        if (from == 0)
            w->rx_began = loop_real(sv->loop);
        w->rx_bytes += (uint32_t)n;
        h = parse_head(c, from);
    }
    return h;
}
