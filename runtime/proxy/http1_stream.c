/* HTTP/1 framing on a client connection. Each send is one writev of pending framing, body, and the end mark, so a response in
 * one piece costs one system call. See stream.h for the contract. */
#include "proxy/http1_stream.h"

#include "base/check.h"
#include "base/params.h"
#include "base/put.h"
#include "http/fields.h"
#include "proxy/client.h"
#include "proxy/request.h"
#include "proxy/request_log.h"

#define OUT_SPARE_BYTES 64              /* room behind the head for chunk framing */
#define SEND_IOV_MAX 18

static struct http1_stream *
h1_of(const struct stream *s)
{
    return container_of(s, struct http1_stream, stream);
}

struct span
decimal(struct arena *a, uint64_t n)
{
    char *p = arena_alloc(a, DECIMAL_BYTES_MAX);
    return p == NULL ? SPAN_NULL : span_of(p, (size_t)(put_decimal(p, n) - p));
}

/* ---- response ---- */

static void
set_connection_field(struct http1_stream *h, struct http_message *head)
{
    struct stream *s = &h->stream;
    struct span said = message_get(head, NAME_CONNECTION);
    bool says_close = said.ptr != NULL && list_has_token(said, SPAN_LIT("close"));
    if (says_close || h->client->server->draining)
        stream_close_after(s, SC_RESP_CLOSE);
    if (s->close != SC_NONE && !says_close) {
        message_unset(head, NAME_CONNECTION, SPAN_NULL);
        (void)message_add(head, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("close"));
    } else if (said.ptr == NULL)
        (void)message_add(head, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("keep-alive"));
}

static bool
status_forbids_body(unsigned status)
{
    return status == 204 || status == 304 || (status >= 100 && status < 200);
}

/* Content-Length and Transfer-Encoding always follow from what will be sent (RFC 9112, 6), but for the answer to HEAD and for
 * 304, where the field describes what is not sent. */
static int
set_length_field(struct http1_stream *h, struct http_message *head, int64_t body_bytes, bool has_body, bool *chunked)
{
    message_unset(head, NAME_TRANSFER_ENCODING, SPAN_NULL);
    if (status_forbids_body(head->status) && head->status != 304) {
        message_unset(head, NAME_CONTENT_LENGTH, SPAN_NULL);
        return 0;
    }
    if (body_bytes >= 0) {
        if (head->status == 304)
            return 0;
        struct span n = decimal(head->arena, (uint64_t)body_bytes);
        if (n.ptr == NULL)
            return ERR_NOMEM;
        return span_eq(message_get(head, NAME_CONTENT_LENGTH), n) ? 0 : message_set(head, NAME_CONTENT_LENGTH, SPAN_NULL, n);
    }
    if (!has_body)
        return 0;
    message_unset(head, NAME_CONTENT_LENGTH, SPAN_NULL);
    if (h->http10)
        h->stream.close = SC_TX_EOF;     /* the end of the connection is the end of the body */
    else
        *chunked = true;
    return 0;
}

static int
h1_send_head(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body)
{
    struct http1_stream *h = h1_of(s);
    bool chunked = false;
    CHECK(h->out == NULL);
    if (head->failed)
        return ERR_NOMEM;
    head->minor = 1;
    head->proto = SPAN_LIT("HTTP/1.1");
    int err = set_length_field(h, head, body_bytes, has_body, &chunked);
    if (err != 0)
        return err;
    set_connection_field(h, head);
    if (chunked)
        (void)message_add(head, NAME_TRANSFER_ENCODING, SPAN_NULL, SPAN_LIT("chunked"));
    size_t cap = http1_head_size(head) + OUT_SPARE_BYTES;
    char *out = arena_alloc(head->arena, cap);
    if (out == NULL || head->failed)
        return ERR_NOMEM;
    ssize_t n = http1_write_response(head, out, cap - OUT_SPARE_BYTES);
    if (n < 0)
        return (int)n;
    h->out = out;
    h->out_cap = (uint32_t)cap;
    h->out_bytes = (uint32_t)n;
    h->stream.unsent = h->out_bytes;
    h->chunked = chunked;
    h->stream.bytes.resp_head += (uint64_t)n;
    h->client->server->counters->s_resp_hdrbytes += (uint64_t)n;
    return 0;
}

/* Needs no memory and no head that could be written: what is left to say when making a response has failed. */
static void
h1_send_failure(struct stream *s)
{
    static const char head[] =
        "HTTP/1.1 500 Internal Server Error\r\nServer: Varnish\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    struct http1_stream *h = h1_of(s);
    CHECK(h->out == NULL);
    s->close = SC_TX_EOF;
    h->out = (char *)(uintptr_t)head;   /* only read: nothing is chunked */
    h->out_bytes = h->out_cap = sizeof head - 1;
    s->unsent = h->out_bytes;
    s->bytes.resp_head += h->out_bytes;
    h->client->server->counters->s_resp_hdrbytes += h->out_bytes;
    h->client->server->counters->client_resp_500++;
}

/* Opens a chunk of `n` bytes: its size line goes into the pending bytes. */
static void
open_chunk(struct http1_stream *h, uint64_t n)
{
    if (h->out_sent == h->out_bytes)
        h->out_sent = h->out_bytes = 0;
    CHECK(h->out_cap - h->out_bytes >= 24);
    h->out_bytes += (uint32_t)http1_write_chunk_size(h->out + h->out_bytes, n);
    h->chunk_left = n;
    h->chunk_open = true;
}

/* What ends a chunk or, with the last one, the body: it goes out with the data, so that a client which reads chunk by chunk has
 * each of them whole. */
static struct span
chunk_tail(const struct http1_stream *h, size_t body, bool last)
{
    if (!h->chunked || h->ended)
        return SPAN_NULL;
    if (h->chunk_open)
        return body < h->chunk_left ? SPAN_NULL : last ? SPAN_LIT("\r\n0\r\n\r\n") : SPAN_LIT("\r\n");
    return last ? SPAN_LIT("0\r\n\r\n") : SPAN_NULL;
}

/* Distributes `n` written bytes over pending framing, body and tail; what is left of the tail becomes pending. */
static size_t
account_written(struct http1_stream *h, size_t n, size_t body, struct span tail, bool last)
{
    size_t from_out = n < h->out_bytes - h->out_sent ? n : h->out_bytes - h->out_sent;
    h->out_sent += (uint32_t)from_out;
    n -= from_out;
    size_t from_body = n < body ? n : body;
    n -= from_body;
    h->chunk_left -= h->chunked ? from_body : 0;
    if (tail.len > 0 && from_body == body && h->out_sent == h->out_bytes) {
        h->chunk_open = false;
        h->ended = last;
        h->out_sent = h->out_bytes = 0;
        memcpy(h->out, tail.ptr + n, tail.len - n);
        h->out_bytes = (uint32_t)(tail.len - n);
    }
    h->stream.unsent = h->out_bytes - h->out_sent;
    return from_body;
}

/* The first iovecs of `in`, up to `max` bytes. */
static size_t
take_iov(const struct iovec *in, int n, uint64_t max, struct iovec *out, int *n_out)
{
    size_t total = 0;
    *n_out = 0;
    for (int i = 0; i < n && i < SEND_IOV_MAX - 2 && total < max; i++) {
        out[*n_out] = in[i];
        if (out[*n_out].iov_len > max - total)
            out[*n_out].iov_len = (size_t)(max - total);
        total += out[(*n_out)++].iov_len;
    }
    return total;
}

static ssize_t
h1_send_body(struct stream *s, const struct iovec *body, int n, bool last)
{
    struct http1_stream *h = h1_of(s);
    if (s->broken)
        return ERR_RESET;
    struct iovec part[SEND_IOV_MAX], iov[SEND_IOV_MAX];
    int n_part = 0, n_iov = 0;
    size_t offered = 0, total = 0;
    for (int i = 0; i < n; i++)
        offered += body[i].iov_len;
    if (h->chunked && !h->chunk_open && offered > 0)
        open_chunk(h, take_iov(body, n, UINT64_MAX, part, &n_part));
    total = take_iov(body, n, h->chunked ? h->chunk_left : UINT64_MAX, part, &n_part);

    if (h->out_bytes > h->out_sent)
        iov[n_iov++] = (struct iovec){ h->out + h->out_sent, h->out_bytes - h->out_sent };
    for (int i = 0; i < n_part && n_iov < SEND_IOV_MAX - 1; i++)
        iov[n_iov++] = part[i];
    last = last && total == offered;
    struct span tail = chunk_tail(h, total, last);
    if (tail.len > 0)
        iov[n_iov++] = (struct iovec){ (void *)(uintptr_t)tail.ptr, tail.len };
    if (n_iov == 0)
        return 0;
    ssize_t w = conn_write_now(&h->client->conn, iov, n_iov);
    if (w == ERR_AGAIN) {
        s->unsent = h->out_bytes - h->out_sent;
        return ERR_AGAIN;
    }
    if (w < 0) {
        s->broken = true;
        stream_close_after(s, SC_REM_CLOSE);
        return ERR_RESET;
    }
    size_t taken = account_written(h, (size_t)w, total, tail, last);
    s->bytes.resp_body += taken;
    h->client->server->counters->s_resp_bodybytes += taken;
    return (ssize_t)taken;
}

static void
h1_reset(struct stream *s, enum stream_close why)
{
    s->broken = true;
    stream_close_after(s, why);
}

void
http1_stream_ready(struct http1_stream *h)
{
    if (h->stream.on_writable != NULL)
        h->stream.on_writable(&h->stream);
}

/* ---- request body ---- */

static int
h1_send_continue(struct stream *s, nsec deadline)
{
    struct http1_stream *h = h1_of(s);
    struct span text = SPAN_LIT("HTTP/1.1 100 Continue\r\n\r\n");
    if (!h->continue_due)
        return 0;
    h->continue_due = false;
    request_log_bare_response(h->client->request, 100, status_reason(100));
    struct iovec iov = { (void *)(uintptr_t)text.ptr, text.len };
    int err = conn_write(&h->client->conn, &iov, 1, deadline);
    if (err != 0) {
        stream_close_after(s, SC_REM_CLOSE);
        return err;
    }
    s->bytes.resp_head += text.len;
    h->client->server->counters->s_resp_hdrbytes += text.len;
    return 0;
}

static ssize_t
receive(struct client *c, void *buf, size_t n, nsec deadline)
{
    ssize_t got = deadline == RECV_NOW ? conn_read_now(&c->conn, buf, n) : conn_read(&c->conn, buf, n, deadline);
    return got == 0 ? ERR_EOF : got;
}

/* Raw bytes: first what came with the head, then the socket. */
static ssize_t
read_raw(struct http1_stream *h, void *buf, size_t n, nsec deadline)
{
    struct client *c = h->client;
    size_t have = c->rx_bytes - c->rx_taken;
    if (have > 0) {
        size_t take = have < n ? have : n;
        memcpy(buf, c->rx + c->rx_taken, take);
        c->rx_taken += (uint32_t)take;
        return (ssize_t)take;
    }
    return receive(c, buf, n, deadline);
}

static ssize_t
read_length(struct http1_stream *h, void *buf, size_t n, nsec deadline)
{
    ssize_t got = read_raw(h, buf, n < h->body_left ? n : (size_t)h->body_left, deadline);
    if (got > 0)
        h->body_left -= (uint64_t)got;
    if (h->body_left == 0)
        h->body_done = true;
    return got;
}

/* A chunked body goes through the receive buffer, behind the head: what follows its end there is the next request. */
static ssize_t
refill_rx(struct http1_stream *h, nsec deadline)
{
    struct client *c = h->client;
    size_t cap = server_buffer_bytes(c->rx);
    if (c->rx_taken == c->rx_bytes && c->rx_bytes > c->rx_head)
        c->rx_bytes = c->rx_taken = c->rx_head;     /* body bytes behind the head are consumed: reuse their room */
    if (c->rx_bytes == cap)
        return ERR_LIMIT;
    ssize_t got = receive(c, c->rx + c->rx_bytes, cap - c->rx_bytes, deadline);
    if (got > 0)
        c->rx_bytes += (uint32_t)got;
    return got;
}

static ssize_t
read_chunked(struct http1_stream *h, void *buf, size_t n, nsec deadline)
{
    struct client *c = h->client;
    for (;;) {
        if (c->rx_taken == c->rx_bytes) {
            ssize_t err = refill_rx(h, deadline);
            if (err < 0)
                return err;
        }
        size_t have = c->rx_bytes - c->rx_taken;
        struct span in = span_of(c->rx + c->rx_taken, have < n ? have : n), out = SPAN_NULL;
        size_t before = in.len;
        int r = http1_chunked_next(&h->decoder, &in, &out);
        c->rx_taken += (uint32_t)(before - in.len);
        if (r < 0)
            return r;
        if (out.len > 0)
            memcpy(buf, out.ptr, out.len);
        if (r == 1)
            h->body_done = true;
        if (out.len > 0 || r == 1)
            return (ssize_t)out.len;
    }
}

static void
body_broken(struct http1_stream *h)
{
    const char *why = h->framing.kind != BODY_CHUNKED ? "straight insufficient bytes"
                    : h->decoder.why != NULL ? h->decoder.why
                    : h->decoder.left > 0 ? "chunked insufficient bytes" : "chunked read err";
    log_text(&h->client->request->log, TAG_FETCH_ERROR, span_str(why));
    stream_close_after(&h->stream, SC_RX_BODY);
}

static ssize_t
h1_recv_body(struct stream *s, void *buf, size_t n, nsec deadline)
{
    struct http1_stream *h = h1_of(s);
    if (h->body_done || n == 0)
        return 0;
    int err = h1_send_continue(s, deadline);
    if (err != 0)
        return err;
    ssize_t got = h->framing.kind == BODY_CHUNKED ? read_chunked(h, buf, n, deadline) : read_length(h, buf, n, deadline);
    if (got < 0 && got != ERR_AGAIN)
        body_broken(h);
    if (got > 0) {
        s->bytes.req_body += (uint64_t)got;
        h->client->server->counters->s_req_bodybytes += (uint64_t)got;
    }
    return got;
}

static bool
h1_body_unread(const struct stream *s)
{
    return !h1_of(s)->body_done;
}

static const struct stream_ops h1_ops = {
    .send_head = h1_send_head,
    .send_failure = h1_send_failure,
    .send_body = h1_send_body,
    .send_continue = h1_send_continue,
    .recv_body = h1_recv_body,
    .body_unread = h1_body_unread,
    .reset = h1_reset,
};

void
http1_stream_init(struct http1_stream *h, struct client *c, const struct http1_framing *framing, const struct http_message *req)
{
    memset(h, 0, sizeof *h);
    h->stream.ops = &h1_ops;
    h->client = c;
    h->framing = *framing;
    h->body_left = framing->length;
    h->body_done = framing->kind == BODY_NONE || (framing->kind == BODY_LENGTH && framing->length == 0);
    h->continue_due = framing->expect_continue && !h->body_done && c->rx_bytes == c->rx_head;
    h->http10 = req->minor == 0;
    if (!framing->keep_alive)
        h->stream.close = h->http10 ? SC_REQ_HTTP10 : SC_REQ_CLOSE;
    http1_chunked_init(&h->decoder);
}
