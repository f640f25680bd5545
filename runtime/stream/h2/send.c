/* Responses of HTTP/2 streams: header blocks, and content in DATA frames as far as the windows and the socket
 * allow. Small content is copied behind the frames of other streams, so that one write sends them all; large
 * content goes to the socket at once, and only the rest of a frame that the socket has begun is copied. */
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "base/put.h"
#include "base/size.h"
#include "http/fields.h"
#include "stream/h2/frame_log.h"
#include "stream/h2/hpack_encode.h"
#include "stream/h2/stream.h"
#include "stream/head_length.h"
#include "stream/session_log.h"

#define COPY_BYTES_MAX 16384u /* of content: above, a write of its own is cheaper than the copy */
#define WRITE_FRAMES_MAX 8u   /* of one write */
#define WRITE_IOV_MAX 34      /* what waits, and heads and pieces */

/* ---- header blocks ---- */

/* Neither a field of an HTTP/1 connection, nor one that Connection names. */
static bool
is_sent(const struct http_field *f, struct span connection)
{
    return !h2_is_of_connection(f->id) && (f->flags & FIELD_HOP) == 0 &&
           (connection.ptr == NULL || !list_has_token(connection, f->name));
}

static size_t
block_bytes_max(const struct http_message *m)
{
    size_t n = HPACK_UPDATE_BYTES_MAX + HPACK_STATUS_BYTES_MAX;
    for (unsigned i = 0; i < m->n_fields; i++)
        n += hpack_field_max(m->fields[i].name.len, m->fields[i].value.len);
    return n;
}

static uint8_t *
encode(struct h2_connection *c, const struct http_message *m, unsigned status, uint8_t *p, size_t most)
{
    struct hpack_encoder *table = c->encoder;
    const uint8_t *end = p + most;
    struct span connection = message_get(m, NAME_CONNECTION);
    if (table != NULL)
        p += hpack_encoder_begin(table, p);
    else if (c->table_update_due)
        *p++ = HPACK_NO_TABLE;
    c->table_update_due = false;
    if (status != 0)
        p += hpack_encode_status(p, status);
    for (unsigned i = 0; i < m->n_fields; i++) {
        const struct http_field *f = &m->fields[i];
        if (!is_sent(f, connection))
            continue;
        p += table != NULL ? hpack_encoder_field(table, p, (size_t)(end - p), f)
                           : hpack_encode_field(p, (size_t)(end - p), f);
    }
    return p;
}

/* Cuts a block of n bytes behind the room for its first frame's head into frames. Returns the end of the
 * last. The frames of a block follow one another (RFC 9113, 6.10). */
static char *
frame_block(const struct h2_stream *h, char *at, size_t n, unsigned flags)
{
    size_t each = h->connection->peer.payload_max, last = n == 0 ? 0 : (n - 1) / each;
    char *block = at + H2_HEAD_BYTES, *end = block + n + last * H2_HEAD_BYTES;
    for (size_t i = last; i > 0; i--) {
        size_t size = i == last ? n - i * each : each;
        char *to = block + i * (each + H2_HEAD_BYTES);
        memmove(to, block + i * each, size);
        h2_put_frame(to - H2_HEAD_BYTES, H2_CONTINUATION, i == last ? H2_END_HEADERS : 0, size, h->id);
    }
    h2_put_frame(at, H2_HEADERS, flags | (last == 0 ? H2_END_HEADERS : 0), min_size(n, each), h->id);
    return end;
}

/* Encodes a head behind what waits for the socket: blocks are encoded in the order in which they are sent.
 * `status` 0: trailers. False: no memory. */
static bool
put_head(struct h2_stream *h, const struct http_message *m, unsigned status, bool end_stream)
{
    struct h2_connection *c = h->connection;
    size_t most = block_bytes_max(m), heads = (most / c->peer.payload_max + 1) * H2_HEAD_BYTES;
    char *at = h2_out_room(c, most + heads);
    if (at == NULL)
        return false;
    uint8_t *block = (uint8_t *)at + H2_HEAD_BYTES;
    size_t n = (size_t)(encode(c, m, status, block, most) - block);
    char *end = frame_block(h, at, n, end_stream ? H2_END_STREAM : 0);
    for (char *p = at; p < end;) {
        size_t payload = h2_get_frame(p).bytes;
        h2_log_frame(&c->wire->session.log, false, p, span_of(p + H2_HEAD_BYTES, payload));
        p += H2_HEAD_BYTES + payload;
        c->sent.heads += H2_HEAD_BYTES;
    }
    h2_out_used(c, (size_t)(end - at));
    h->head = NULL;
    h->ended = end_stream;
    h->stream.bytes.resp_head += n;
    h2_counters(c)->s_resp_hdrbytes += n;
    return true;
}

int
h2_stream_send_head(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body)
{
    struct h2_stream *h = h2_stream_of(s);
    bool unknown;
    CHECK(h->head == NULL);
    if (head->failed)
        return ERR_NOMEM;
    head->proto = s->proto;
    int err = head_set_length(head, body_bytes, has_body, &unknown);
    if (err != 0)
        return err;
    struct span said = message_get(head, NAME_CONNECTION);
    if (said.ptr != NULL && list_has_token(said, SPAN_LIT("close")))
        stream_close_after(s, SC_RESP_CLOSE);
    if (head->failed)
        return ERR_NOMEM;
    h->head = head;
    h->empty = !has_body || body_bytes == 0;
    return 0;
}

void
h2_stream_send_failure(struct stream *s)
{
    static struct http_field fields[] = {
        { .name = SPAN_LIT("content-length"), .value = SPAN_LIT("0"), .id = NAME_CONTENT_LENGTH },
        { .name = SPAN_LIT("server"), .value = SPAN_LIT("Varnish"), .id = NAME_SERVER },
    };
    static const struct http_message failure = { .fields = fields, .n_fields = 2, .status = 500 };
    struct h2_stream *h = h2_stream_of(s);
    h->head = &failure;
    h->empty = true;
    h2_counters(h->connection)->client_resp_500++;
}

void
h2_stream_send_status(struct h2_stream *h, unsigned status)
{
    static const struct http_message empty = { .n_fields = 0 };
    stream_log_response(&h->stream, status);
    (void)put_head(h, &empty, status, status >= 200);
}

int
h2_stream_send_interim(struct stream *s, unsigned status, const struct http_message *head, nsec deadline)
{
    struct h2_stream *h = h2_stream_of(s);
    (void)deadline;
    CHECK(h->head == NULL);
    if (s->broken)
        return ERR_RESET;
    if (status != 100)
        return put_head(h, head, status, false) ? 0 : ERR_NOMEM;
    if (s->continue_due)
        h2_stream_send_status(h, status);
    s->continue_due = false;
    return 0;
}

/* ---- turns ---- */

void
h2_stream_want_turn(struct h2_stream *h)
{
    struct h2_connection *c = h->connection;
    if (!list_linked(&h->turn)) {
        list_push_back(&c->turns[h->stream.urgency], &h->turn);
        c->n_waiting++;
    }
    h->waits = true;
    if (!c->in_turns && !c->out_full) /* otherwise turns go on when the socket has room */
        h2_out_soon(c);
}

void
h2_stream_leave_turns(struct h2_stream *h)
{
    if (h->queued || !list_linked(&h->turn))
        return;
    list_remove(&h->turn);
    h->connection->n_waiting--;
}

static ssize_t
wait_turn(struct h2_stream *h)
{
    h2_stream_want_turn(h);
    return ERR_AGAIN;
}

void
h2_stream_window_shut(struct h2_stream *h)
{
    h->connection->n_shut += !h->shut;
    h->shut = true;
}

static ssize_t
wait_window(struct h2_stream *h)
{
    h2_stream_window_shut(h);
    return wait_turn(h);
}

void
h2_stream_window_opened(struct h2_stream *h)
{
    h->connection->n_shut -= h->shut;
    h->shut = false;
}

/* ---- content ---- */

static size_t
bytes_of(const struct iovec *iov, int n)
{
    size_t total = 0;
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    return total;
}

/* A place in the caller's pieces. */
struct cursor {
    const struct iovec *iov;
    size_t at; /* in *iov */
};

/* The next at most n bytes that lie in one piece. */
static struct span
next_part(struct cursor *from, size_t n)
{
    size_t part = min_size(n, from->iov->iov_len - from->at);
    struct span s = span_of((const char *)from->iov->iov_base + from->at, part);
    from->at += part;
    if (from->at == from->iov->iov_len)
        *from = (struct cursor){ from->iov + 1, 0 };
    return s;
}

static void
copy_from(struct cursor *from, char *to, size_t n)
{
    while (n > 0) {
        struct span part = next_part(from, n);
        to = put_span(to, part);
        n -= part.len;
    }
}

static void
skip_from(struct cursor *from, size_t n)
{
    while (n > 0)
        n -= next_part(from, n).len;
}

/* Copies n bytes of content, in frames, behind what waits for the socket. */
static bool
copy_frames(struct h2_stream *h, const struct iovec *body, size_t n, bool end)
{
    struct h2_connection *c = h->connection;
    size_t each = c->peer.payload_max, frames = (n + each - 1) / each;
    char *p = h2_out_room(c, n + frames * H2_HEAD_BYTES), *begin = p;
    struct cursor from = { body, 0 };
    if (p == NULL)
        return false;
    for (size_t left = n; left > 0;) {
        size_t part = min_size(left, each);
        left -= part;
        p = h2_put_frame(p, H2_DATA, end && left == 0 ? H2_END_STREAM : 0, part, h->id);
        copy_from(&from, p, part);
        h2_log_frame(&c->wire->session.log, false, p - H2_HEAD_BYTES, span_of(p, part));
        p += part;
        c->sent.heads += H2_HEAD_BYTES;
    }
    h2_out_used(c, (size_t)(p - begin));
    return true;
}

/* One write of what waits for the socket and of frames around the caller's pieces. */
struct gathered {
    struct iovec iov[WRITE_IOV_MAX];
    char heads[WRITE_FRAMES_MAX][H2_HEAD_BYTES];
    size_t sizes[WRITE_FRAMES_MAX]; /* of the contents */
    int n_iov;
    unsigned n_frames;
    size_t pending, body;
};

static void
gather(const struct h2_stream *h, struct gathered *g, const struct iovec *body, size_t n, bool end)
{
    const struct h2_connection *c = h->connection;
    struct cursor from = { body, 0 };
    g->n_iov = 0;
    g->n_frames = 0;
    g->body = 0;
    g->pending = c->out_bytes - c->out_sent;
    if (g->pending > 0)
        g->iov[g->n_iov++] = (struct iovec){ c->out + c->out_sent, g->pending };
    while (g->body < n && g->n_frames < WRITE_FRAMES_MAX && g->n_iov + 1 < WRITE_IOV_MAX) {
        char *head = g->heads[g->n_frames];
        size_t size = min_size(n - g->body, c->peer.payload_max), done = 0;
        g->iov[g->n_iov++] = (struct iovec){ head, H2_HEAD_BYTES };
        while (done < size && g->n_iov < WRITE_IOV_MAX) {
            struct span part = next_part(&from, size - done);
            g->iov[g->n_iov++] = (struct iovec){ (void *)(uintptr_t)part.ptr, part.len };
            done += part.len;
        }
        g->body += done;
        h2_put_frame(head, H2_DATA, end && g->body == n ? H2_END_STREAM : 0, done, h->id);
        g->sizes[g->n_frames++] = done;
    }
}

/* The socket took `written` bytes, and has begun a frame: its rest goes behind what waits, so that streams
 * give whole frames. Returns the content of the frames that the socket has or gets. */
static ssize_t
keep_rest(struct h2_connection *c, const struct gathered *g, size_t written)
{
    size_t end = g->pending, body = 0;
    for (unsigned i = 0; i < g->n_frames && end < written; i++) {
        h2_log_frame(&c->wire->session.log, false, g->heads[i], SPAN_NULL); /* its record has no payload */
        end += H2_HEAD_BYTES + g->sizes[i];
        body += g->sizes[i];
        c->sent.heads += H2_HEAD_BYTES;
    }
    c->out_sent = c->out_bytes = 0;
    if (end == written)
        return (ssize_t)body;
    struct cursor from = { g->iov, 0 };
    char *to = h2_out_room(c, end - written);
    if (to == NULL)
        return ERR_RESET;
    skip_from(&from, written);
    copy_from(&from, to, end - written);
    h2_out_used(c, end - written);
    c->out_full = true;
    return (ssize_t)body;
}

/* Returns the bytes of content taken, ERR_AGAIN or ERR_RESET. */
static ssize_t
write_frames(struct h2_stream *h, const struct iovec *body, size_t n, bool end)
{
    struct h2_connection *c = h->connection;
    struct gathered g;
    gather(h, &g, body, n, end);
    ssize_t w = conn_write_now(&c->wire->conn, g.iov, g.n_iov);
    if (w == ERR_AGAIN || (w >= 0 && (size_t)w < g.pending)) {
        c->out_sent += w > 0 ? (uint32_t)w : 0;
        c->out_full = true;
        return ERR_AGAIN;
    }
    if (w < 0) {
        c->lost = true;
        h2_out_soon(c);
        return ERR_RESET;
    }
    return keep_rest(c, &g, (size_t)w);
}

/* Does the content fit the buffer as it is? */
static bool
fits(const struct h2_connection *c, size_t n)
{
    size_t frames = n / c->peer.payload_max + 1, used = c->out == NULL ? 0 : c->out_bytes;
    size_t cap = c->out == NULL ? COPY_BYTES_MAX : c->out_cap;
    return n <= COPY_BYTES_MAX && used + n + frames * H2_HEAD_BYTES <= cap;
}

/* The socket is full, or streams wait whose turn comes first. */
static bool
must_wait(const struct h2_stream *h)
{
    const struct h2_connection *c = h->connection;
    return c->out_full || (!c->in_turns && c->n_waiting > 0);
}

static void
end_stream(struct h2_stream *h)
{
    h2_out_frame(h->connection, H2_DATA, H2_END_STREAM, h->id, NULL, 0);
    h->ended = true;
}

/* A kilobyte pays for the frames that open windows for it. The first ones only when the response has ended
 * (h2_done): a client that resets its streams at once has no use of them. */
static void
credit_long_body(struct h2_stream *h, uint64_t before)
{
    uint64_t from = before < H2_SHORT_BODY ? H2_SHORT_BODY : before;
    if (!h->in_tunnel && h->stream.taken > from)
        h2_budget_work(&h->connection->budget, h->stream.taken / 1024 - from / 1024);
}

/* In 4.x the end is a frame of its own, as in Varnish. */
ssize_t
h2_stream_send_body(struct stream *s, const struct iovec *body, int n, bool last)
{
    struct h2_stream *h = h2_stream_of(s);
    struct h2_connection *c = h->connection;
    if (s->broken)
        return ERR_RESET;
    if (h->ended)
        return 0;
    if (must_wait(h))
        return wait_turn(h);
    h->waits = false;
    if (h->head != NULL && !put_head(h, h->head, h->head->status, h->empty))
        return ERR_RESET;
    if (h->ended)
        return 0;
    size_t offered = bytes_of(body, n);
    int64_t window = h->send_window < c->send_window ? h->send_window : c->send_window;
    if (offered > 0 && window <= 0)
        return wait_window(h);
    h2_stream_window_opened(h);
    size_t most = offered == 0 ? 0 : min_size(offered, (size_t)window);
    bool all = last && most == offered, in_frame = all && offered > 0 && h2_answers_as_rfc();
    ssize_t taken = most == 0                            ? 0
                  : !fits(c, most)                       ? write_frames(h, body, most, in_frame)
                  : copy_frames(h, body, most, in_frame) ? (ssize_t)most
                                                         : ERR_RESET;
    if (taken < 0)
        return taken == ERR_AGAIN ? wait_turn(h) : taken;
    h->send_window -= taken;
    c->send_window -= taken;
    s->taken += (uint64_t)taken;
    s->released = s->taken; /* the kernel or the connection has its own copy */
    credit_long_body(h, s->taken - (uint64_t)taken);
    h2_counters(c)->s_resp_bodybytes += (uint64_t)taken;
    if (all && (size_t)taken == offered) {
        if (in_frame)
            h->ended = true;
        else
            end_stream(h);
    }
    return taken;
}

int
h2_stream_send_trailers(struct stream *s, const struct http_message *trailers)
{
    struct h2_stream *h = h2_stream_of(s);
    if (s->broken || h->ended) /* the head had END_STREAM */
        return 0;
    CHECK(h->head == NULL);
    return put_head(h, trailers, 0, true) ? 0 : ERR_NOMEM;
}

/* ---- tunnels: DATA frames carry the bytes of both sides (RFC 8441) ---- */

ssize_t
h2_tunnel_write(struct stream *s, const struct iovec *iov, int n)
{
    struct h2_stream *h = h2_stream_of(s);
    uint64_t before = s->taken / 1024;
    CHECK(h->in_tunnel);
    ssize_t taken = h2_stream_send_body(s, iov, n, false);
    h2_budget_work(&h->connection->budget, s->taken / 1024 - before);
    return taken;
}

void
h2_tunnel_shut(struct stream *s)
{
    struct h2_stream *h = h2_stream_of(s);
    CHECK(h->in_tunnel && h->head == NULL);
    h2_stream_leave_turns(h);
    if (!h->ended)
        end_stream(h);
}
