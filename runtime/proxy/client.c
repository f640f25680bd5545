/* Client connections over HTTP/1: waiting idle, collecting a head, running requests one after another, closing so that the
 * client gets to read the last answer. Everything runs on the connection's own loop. See client.h for the states. */
#include "proxy/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "log/report.h"
#include "loop/fiber.h"
#include "proxy/proxy_header.h"
#include "proxy/request.h"
#include "proxy/request_log.h"
#include "proxy/session_log.h"

#define FIELDS_SPARE 8                  /* beyond http_max_hdr: what the proxy itself adds to a request */
#define LINGER_BYTES_MAX (256 * 1024)
#define LINGER_TIME (2 * NSEC_PER_SEC)

enum head { HEAD_READY, HEAD_WAIT, HEAD_GONE };

static const struct http1_error line_too_long = { 414, "start line is too long", 0, 0 };
static const struct http1_error head_too_large = { 431, "request head is too large", 0, 0 };

static enum head read_head(struct client *c, bool pipelined);

/* ---- closing ---- */

/* The last word about the session; what still comes is only read to be polite. */
static void
end_session(struct client *c, enum stream_close why)
{
    if (c->log.id != 0)
        session_log_close(c, why);
}

static void
drop_request(struct client *c)
{
    if (c->request == NULL)
        return;
    request_log_end(c->request);
    server_request_give(c->server, &c->request);
}

void
client_release(struct client *c, enum stream_close why)
{
    struct server *s = c->server;
    timer_cancel(s->loop, &c->timer);
    list_remove(&c->link);
    if (c->request != NULL)
        request_finish(c->request);
    drop_request(c);
    end_session(c, why);
    server_buffer_give(s, &c->rx);
    atomic_fetch_sub_explicit(&s->sessions, 1, memory_order_relaxed);
    s->counters->sess_live--;
    free(c->told);
    free(c);
}

void
client_close(struct client *c, enum stream_close why)
{
    CHECK(c->state != CLIENT_BUSY && c->state != CLIENT_SENDING);
    conn_close(&c->conn);
    client_release(c, why);
}

static void
linger_read(struct client *c)
{
    char junk[4096];
    for (;;) {
        ssize_t n = conn_read_now(&c->conn, junk, sizeof junk);
        if (n == ERR_AGAIN)
            return;
        if (n > 0)
            c->linger_bytes += (uint32_t)n;
        if (n <= 0 || c->linger_bytes > LINGER_BYTES_MAX) {
            client_close(c, SC_REM_CLOSE);
            return;
        }
    }
}

/* Closing while unread bytes are pending makes the kernel send a reset, which may destroy the answer before the client has
 * read it (RFC 9112, 9.6). So: half-close, read what still comes for a while, then close. */
static void
linger(struct client *c, enum stream_close why)
{
    end_session(c, why);
    server_buffer_give(c->server, &c->rx);
    c->state = CLIENT_LINGER;
    c->linger_bytes = 0;
    shutdown(c->conn.poll.fd, SHUT_WR);
    timer_set(c->server->loop, &c->timer, nsec_add(loop_now(c->server->loop), LINGER_TIME));
    linger_read(c);
}

/* ---- answers to what never became a request ---- */

static int
make_request(struct client *c)
{
    if (c->request != NULL)
        return 0;
    struct request *r = c->request = server_request_take(c->server);
    if (r == NULL)
        return ERR_NOMEM;
    r->client = c;
    r->server = c->server;
    r->loop = c->server->loop;
    return message_init(&r->req, &r->arena, params.http_max_hdr + FIELDS_SPARE);
}

/* What came is no request, but is logged as one. */
static void
log_garbage(struct client *c, const struct http1_error *e)
{
    struct request *r = c->request;
    char text[HTTP1_BOGUS_TEXT_BYTES];
    if (r->log.id == 0)
        request_log_begin(r, c->head_began, loop_real(c->server->loop));
    r->h1.stream.bytes.req_head = c->rx_bytes;
    size_t n = http1_bogus_text(e, c->rx, c->rx_bytes, text);
    if (n > 0)
        log_text(&r->log, TAG_BOGO_HEADER, span_of(text, n));
    if (e->status != 417)
        log_text(&r->log, TAG_HTTP_GARBAGE, span_of(c->rx, c->rx_bytes));
    c->server->counters->s_req_hdrbytes += c->rx_bytes;
}

static void
count_refusal(struct client *c, unsigned status)
{
    struct counters *n = c->server->counters;
    if (status == 417)
        n->client_req_417++;
    else if (status != 503)
        n->client_req_400++;
}

/* The answer is as short as Varnish's, and ends with the connection; what was wrong is in the log. */
static void
refuse(struct client *c, const struct http1_error *e, enum stream_close why)
{
    char text[128];
    struct span reason = status_reason(e->status);
    if (why == SC_RX_JUNK && make_request(c) == 0)
        log_garbage(c, e);
    int n = snprintf(text, sizeof text, "HTTP/1.1 %u %.*s\r\n\r\n", e->status, (int)reason.len, reason.ptr);
    struct iovec iov = { text, (size_t)n };
    (void)conn_write_now(&c->conn, &iov, 1);
    count_refusal(c, e->status);
    c->server->counters->s_resp_hdrbytes += (uint64_t)n;
    if (c->request != NULL && c->request->log.id != 0) {
        c->request->h1.stream.bytes.resp_head = (uint64_t)n;
        log_text(&c->request->log, TAG_ERROR, span_str(e->why));
        request_log_bare_response(c->request, e->status, reason);
    }
    drop_request(c);
    linger(c, why);
}

/* ---- heads ---- */

static nsec
seconds(double s)
{
    return nsec_of(s);
}

static double
idle_timeout(const struct client *c)
{
    return c->timeouts.idle >= 0 ? (double)c->timeouts.idle : params.timeout_idle_s;
}

/* Nothing is received: the connection is only its struct. A timer that runs goes on: this is asked for again on every event
 * that brought no byte. */
static void
await_idle(struct client *c)
{
    c->state = CLIENT_IDLE;
    server_buffer_give(c->server, &c->rx);
    if (c->timer.deadline == 0)
        timer_set(c->server->loop, &c->timer, nsec_add(loop_now(c->server->loop), nsec_of(idle_timeout(c))));
}

static enum head
give_up(struct client *c, enum stream_close why)
{
    c->server->counters->s_req_hdrbytes += c->rx_bytes;
    client_close(c, why);
    return HEAD_GONE;
}

static bool
taken_apart(struct span target)
{
    bool https = (params.features & FEATURE_HTTPS_SCHEME) != 0 && span_eq_nocase(span_of(target.ptr, 8), SPAN_LIT("https://"));
    return https || span_eq_nocase(span_of(target.ptr, 7), SPAN_LIT("http://"));
}

/* "GET http://host/path": the authority counts as Host (RFC 9112, 3.2.2), the path is what the policy sees. */
static int
origin_form(struct http_message *m, struct http1_error *e)
{
    struct span host, path;
    if (m->url.ptr[0] == '/')
        return 0;
    *e = (struct http1_error){ 400, "absolute request target without a plain host", 0, 0 };
    int form = http1_absolute_target(m->url, &host, &path);
    if (form <= 0)
        return form;
    if (!taken_apart(m->url))
        return 0;                       /* what another scheme means is for the policy to say */
    if (path.len == 0)
        path = SPAN_LIT("/");
    else if (path.ptr[0] == '?')
        path = arena_printf(m->arena, "/%.*s", (int)path.len, path.ptr);
    *e = head_too_large;
    if (path.ptr == NULL)
        return ERR_NOMEM;
    m->url = path;
    return message_set(m, NAME_HOST, SPAN_NULL, host);
}

static enum head
head_complete(struct client *c, size_t n)
{
    struct request *r = c->request;
    struct server *s = c->server;
    struct http1_error e = { 400, "bad request", 0, 0 };
    struct http1_framing framing;
    request_log_begin(r, c->head_began, loop_real(s->loop));
    if (http1_request_framing(&r->req, &framing, &e) != 0 || origin_form(&r->req, &e) != 0) {
        refuse(c, &e, SC_RX_JUNK);
        return HEAD_GONE;
    }
    timer_cancel(s->loop, &c->timer);
    c->rx_head = c->rx_taken = (uint32_t)n;
    c->state = CLIENT_BUSY;
    s->counters->client_req++;
    s->counters->s_req_hdrbytes += n;
    r->body.framing = framing;
    http1_stream_init(&r->h1, c, &framing, &r->req);
    r->h1.stream.bytes.req_head = n;
    return HEAD_READY;
}

/* What may be received of a head: the parameter, but for a buffer that was taken before it grew. */
static size_t
head_room(const struct client *c)
{
    size_t cap = server_buffer_bytes(c->rx);
    return params.http_req_size_bytes < cap ? params.http_req_size_bytes : cap;
}

static bool
only_empty_lines(const struct client *c)
{
    uint32_t at = 0;
    while (at + 2 <= c->rx_bytes && c->rx[at] == '\r' && c->rx[at + 1] == '\n')
        at += 2;
    return at == c->rx_bytes;
}

/* Tries to find a complete head in what was received. `from`: what came before was looked at already; a head can't have
 * become complete by bytes without a line feed, which keeps a dribbling client cheap. */
static enum head
parse_head(struct client *c, uint32_t from)
{
    if (only_empty_lines(c)) {          /* no request has begun: the idle timer goes on */
        c->rx_bytes = 0;
        return HEAD_WAIT;
    }
    if (c->rx_bytes == from || memchr(c->rx + from, '\n', c->rx_bytes - from) == NULL) {
        if (c->rx_bytes < head_room(c))
            return HEAD_WAIT;
        refuse(c, memchr(c->rx, '\n', c->rx_bytes) == NULL ? &line_too_long : &head_too_large, SC_RX_OVERFLOW);
        return HEAD_GONE;
    }
    if (make_request(c) != 0)
        return give_up(c, SC_OVERLOAD);
    struct request *r = c->request;
    struct http1_limits lim = { params.http_req_size_bytes, params.http_req_hdr_len_bytes, params.http_max_hdr };
    struct http1_error e = { 400, "bad request", 0, 0 };
    r->req.n_fields = 0;
    ssize_t n = http1_parse_request(c->rx, c->rx_bytes, &lim, &r->req, &e);
    if (n > 0)
        return head_complete(c, (size_t)n);
    if (n == 0 && c->rx_bytes < head_room(c))
        return HEAD_WAIT;
    if (n == 0)
        e = head_too_large;
    refuse(c, &e, n == 0 ? SC_RX_OVERFLOW : SC_RX_JUNK);
    return HEAD_GONE;
}

/* A copy, for the buffer goes its own way. A header has a limit, so this has one too. */
static int
keep_told(struct client *c, const struct proxy_told *told)
{
    struct proxy_told *kept = malloc(sizeof *kept + told->fields.len);
    if (kept == NULL)
        return ERR_NOMEM;
    *kept = *told;
    kept->fields = span_of((char *)(kept + 1), told->fields.len);
    if (told->fields.len > 0)
        memcpy(kept + 1, told->fields.ptr, told->fields.len);
    c->told = kept;
    return 0;
}

/* A PROXY header stands before anything else: taken off the front of the buffer once it is complete. */
static enum head
parse_proxy_header(struct client *c)
{
    struct proxy_note note;
    struct proxy_told told = { .client = c->peer, .server = c->local };
    ssize_t n = proxy_header_parse(span_of(c->rx, c->rx_bytes), &told, &note);
    if (note.tag != 0)
        log_text(&c->log, note.tag, span_str(note.text));
    if (n == 0)
        return c->rx_bytes < PROXY_HEADER_BYTES_MAX ? HEAD_WAIT : give_up(c, SC_RX_OVERFLOW);
    if (n < 0)
        return give_up(c, n == ERR_LIMIT ? SC_RX_OVERFLOW : SC_RX_JUNK);
    if (note.tag == TAG_PROXY && keep_told(c, &told) != 0)
        return give_up(c, SC_OVERLOAD);
    memmove(c->rx, c->rx + n, c->rx_bytes - (size_t)n);
    c->rx_bytes -= (uint32_t)n;
    c->state = CLIENT_HEAD;
    return HEAD_READY;
}

static enum head
look_at_input(struct client *c, uint32_t from)
{
    if (c->state == CLIENT_PROXY_HEADER) {
        enum head h = parse_proxy_header(c);
        if (h != HEAD_READY)
            return h;
        from = 0;
    }
    return parse_head(c, from);
}

/* Idle for longer than timeout_linger: to Varnish a connection that goes to its waiter, and is counted so. */
static void
count_idle(struct client *c, nsec waited)
{
    double linger = c->timeouts.linger >= 0 ? (double)c->timeouts.linger : params.timeout_linger_s;
    c->server->counters->sess_herd += waited > nsec_of(linger);
}

/* How long it has been idle, by the timer that would end it. */
static nsec
idle_time(const struct client *c)
{
    bool idle = c->state == CLIENT_IDLE && c->timer.deadline != 0;
    return idle ? loop_now(c->server->loop) - c->timer.deadline + nsec_of(idle_timeout(c)) : 0;
}

/* Reads and parses until a head is complete (READY: the request is set up), more is to come (WAIT), or the connection is gone.
 * `pipelined`: bytes behind the last request are in the buffer, not looked at yet. */
static enum head
read_head(struct client *c, bool pipelined)
{
    struct server *s = c->server;
    if (c->rx == NULL && (c->rx = server_buffer_take(s)) == NULL)
        return give_up(c, SC_OVERLOAD);
    if (pipelined) {
        enum head h = look_at_input(c, 0);
        if (h != HEAD_WAIT)
            return h;
    }
    for (;;) {
        size_t room = head_room(c);
        if (c->rx_bytes >= room) {      /* a full buffer was refused already, unless the limit has changed since */
            refuse(c, &head_too_large, SC_RX_OVERFLOW);
            return HEAD_GONE;
        }
        room -= c->rx_bytes;
        ssize_t n = conn_read_now(&c->conn, c->rx + c->rx_bytes, room);
        if (n == ERR_AGAIN)
            break;
        uint32_t from = c->rx_bytes;
        if (from == 0)
            count_idle(c, idle_time(c));
        if (n <= 0)
            return give_up(c, SC_REM_CLOSE);
        if (from == 0)
            c->head_began = loop_real(s->loop);
        c->rx_bytes += (uint32_t)n;
        enum head h = look_at_input(c, from);
        if (h != HEAD_WAIT)
            return h;
    }
    if (c->rx_bytes == 0 && c->state != CLIENT_PROXY_HEADER)
        await_idle(c);
    else if (c->state == CLIENT_IDLE) {
        c->state = CLIENT_HEAD;         /* the whole head has timeout_req, however it dribbles in */
        timer_set(s->loop, &c->timer, nsec_add(loop_now(s->loop), seconds(params.timeout_req_s)));
    }
    return HEAD_WAIT;
}

/* ---- serving ---- */

void
client_serve(void *arg)
{
    struct client *c = arg;
    while (request_run(c->request) == REQUEST_DONE && client_request_done(c))
        fiber_yield_if_due();           /* many pipelined requests must not hold the loop */
}

void
client_spawn(struct client *c)
{
    if (fiber_spawn(c->server->loop, client_serve, c) == 0)
        return;
    c->server->counters->fibers_limited++;
    c->server->counters->req_dropped++;
    c->state = CLIENT_HEAD;
    refuse(c, &(struct http1_error){ 503, "too many requests at once (fibers_max)", 0, 0 }, SC_OVERLOAD);
}

void
client_sending(struct client *c)
{
    c->state = CLIENT_SENDING;
    struct stream *stream = &c->request->h1.stream;
    if (c->rx_bytes > c->rx_taken || stream->ops->body_unread(stream))
        return;
    /* The head is serialised and nothing is pipelined: nobody looks at the received bytes again. */
    server_buffer_give(c->server, &c->rx);
    c->rx_bytes = c->rx_taken = c->rx_head = 0;
}

/* What a policy set for the session holds until it sets something else. */
static void
keep_timeouts(struct client *c, const struct client_vars *v)
{
    c->timeouts.idle = (float)v->timeout_idle;
    c->timeouts.linger = (float)v->timeout_linger;
    c->timeouts.idle_send = (float)v->idle_send_timeout;
    c->timeouts.send = (float)v->send_timeout;
}

bool
client_request_done(struct client *c)
{
    struct server *s = c->server;
    struct request *r = c->request;
    struct stream *stream = &r->h1.stream;
    bool unread = stream->ops->body_unread(stream);
    bool broken = stream->broken;
    if (unread)
        stream_close_after(stream, SC_RX_BODY);
    if (s->draining)
        stream_close_after(stream, SC_RESP_CLOSE);
    enum stream_close close = stream->close;
    if (r->ctx.client != NULL)
        keep_timeouts(c, &r->vars);
    request_finish(r);
    request_log_stamp(r, "Resp");
    drop_request(c);
    c->state = CLIENT_IDLE;
    s->counters->sess_closed += broken || close != SC_NONE;
    if (broken) {
        conn_reset(&c->conn);
        client_release(c, close == SC_NONE ? SC_REM_CLOSE : close);
        return false;
    }
    bool pending = unread || c->rx_bytes > c->rx_taken || (c->conn.ready & CONN_READABLE) != 0;
    if (close != SC_NONE) {
        if (pending)
            linger(c, close);
        else
            client_close(c, close);
        return false;
    }
    if (c->rx_bytes > c->rx_taken) {
        memmove(c->rx, c->rx + c->rx_taken, c->rx_bytes - c->rx_taken);
        c->head_began = clock_real_ns();
        s->counters->sess_readahead++;
    }
    c->rx_bytes -= c->rx_taken;
    c->rx_taken = c->rx_head = 0;
    if (!pending) {
        await_idle(c);
        return false;
    }
    return read_head(c, c->rx_bytes > 0) == HEAD_READY;
}

/* ---- events ---- */

static void
on_ready(struct conn *conn)
{
    struct client *c = container_of(conn, struct client, conn);
    switch (c->state) {
    case CLIENT_IDLE:
    case CLIENT_HEAD:
    case CLIENT_PROXY_HEADER:
        if (read_head(c, false) == HEAD_READY)
            client_spawn(c);
        return;
    case CLIENT_SENDING:
        if ((conn->ready & CONN_ERROR) != 0)
            c->request->h1.stream.broken = true;        /* nobody is there: what still is to come needs no waiting for */
        if ((conn->ready & (CONN_WRITABLE | CONN_ERROR)) != 0)
            http1_stream_ready(&c->request->h1);
        return;
    case CLIENT_LINGER:
        linger_read(c);
        return;
    case CLIENT_BUSY:                   /* the fiber finds it when it reads or writes */
    case CLIENT_PIPE:                   /* pipe.c has put its own callback here */
        return;
    }
    WRONG("client state");
}

static void
on_timer(struct timer *t)
{
    struct client *c = container_of(t, struct client, timer);
    switch (c->state) {
    case CLIENT_IDLE:
        count_idle(c, nsec_of(idle_timeout(c)));
        client_close(c, SC_RX_CLOSE_IDLE);
        return;
    case CLIENT_LINGER:
        client_close(c, SC_RX_CLOSE_IDLE);
        return;
    case CLIENT_PROXY_HEADER:
        client_close(c, SC_RX_TIMEOUT);
        return;
    case CLIENT_HEAD:
        refuse(c, &(struct http1_error){ 408, "the request head did not arrive in time (timeout_req)", 0, 0 }, SC_RX_TIMEOUT);
        return;
    case CLIENT_BUSY:
    case CLIENT_SENDING:
    case CLIENT_PIPE:
        return;
    }
    WRONG("client state");
}

/* Asked when the connection is taken: later it could be another's. */
static void
note_credentials(struct client *c, int fd)
{
    struct ucred peer;
    socklen_t len = sizeof peer;
    c->peer_uid = c->peer_gid = UINT32_MAX;
    if (c->peer.family == 1 && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0) {
        c->peer_uid = peer.uid;
        c->peer_gid = peer.gid;
    }
}

void
client_new(struct server *s, int fd, const struct listen_socket *listen, const struct address *peer)
{
    struct client *c = calloc(1, sizeof *c);
    if (c == NULL || conn_init(&c->conn, s->loop, fd) != 0) {
        if (c == NULL)
            close(fd);
        free(c);
        s->counters->sess_fail++;
        atomic_fetch_sub_explicit(&s->sessions, 1, memory_order_relaxed);
        return;
    }
    c->server = s;
    c->listen = listen;
    c->conn.on_ready = on_ready;
    c->conn.owner = c;
    c->timer.fn = on_timer;
    c->peer = *peer;
    note_credentials(c, fd);
    conn_local(&c->conn, &c->local);
    c->timeouts.idle = c->timeouts.linger = c->timeouts.idle_send = c->timeouts.send = -1;
    session_log_open(c);
    c->state = listen->proxy_protocol ? CLIENT_PROXY_HEADER : CLIENT_IDLE;
    list_push_back(&s->clients, &c->link);
    s->counters->sess_conn++;
    s->counters->s_sess++;
    s->counters->sess_live++;
    timer_set(s->loop, &c->timer, nsec_add(loop_now(s->loop), seconds(params.timeout_idle_s)));
}
