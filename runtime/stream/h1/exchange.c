/* An HTTP/1 exchange with an origin: takes a connection, sends the request, and keeps or closes the
 * connection at the end. See exchange_recv.c for the response. */
#include "stream/h1/exchange.h"

#include <errno.h>

#include "base/check.h"
#include "base/put.h"
#include "http/fields.h"
#include "stream/h1/exchange_internal.h"

/* ---- framing ---- */

static int
frame_known(struct http_message *m, uint64_t length)
{
    char *p = arena_alloc(m->arena, DECIMAL_BYTES_MAX);
    struct span text = p == NULL ? SPAN_NULL : span_of(p, (size_t)(put_decimal(p, length) - p));
    if (text.ptr != NULL && span_eq(text, message_get(m, NAME_CONTENT_LENGTH)))
        return 0; /* the client sent the same length */
    return text.ptr == NULL ? ERR_NOMEM : message_set(m, NAME_CONTENT_LENGTH, SPAN_NULL, text);
}

int
h1_frame(struct http_message *m, const struct content *content)
{
    bool chunked = content->kind == CONTENT_UNKNOWN;
    if (chunked && span_eq(message_get(m, NAME_TRANSFER_ENCODING), SPAN_LIT("chunked")) &&
        !message_has(m, NAME_CONTENT_LENGTH))
        return 0; /* the first try has set it */
    message_unset(m, NAME_TRANSFER_ENCODING, SPAN_NULL);
    if (content->kind == CONTENT_KNOWN)
        return frame_known(m, content->bytes);
    message_unset(m, NAME_CONTENT_LENGTH, SPAN_NULL);
    return chunked ? message_set(m, NAME_TRANSFER_ENCODING, SPAN_NULL, SPAN_LIT("chunked")) : 0;
}

/* ---- sending ---- */

int
h1_write_request_head(const struct http_message *head, struct span *out)
{
    size_t cap = http1_head_size(head);
    char *buf = arena_alloc(head->arena, cap);
    if (buf == NULL)
        return ERR_NOMEM;
    ssize_t n = http1_write_request(head, buf, cap);
    *out = n < 0 ? SPAN_NULL : span_of(buf, (size_t)n);
    return n < 0 ? (int)n : 0;
}

static int
write_failed(struct h1_exchange *h, int err, int number)
{
    h->x.error = (struct exchange_error){ .why = "backend write error",
                                          .numbered = true,
                                          .number = err == ERR_TIMEOUT ? EAGAIN : number };
    return err;
}

/* An origin that has answered may no longer read: its answer must reach a fiber that waits for room. */
static void
conn_spoke(struct conn *c)
{
    struct exchange *x = container_of(c, struct backend_conn, conn)->user;
    conn_stop_writer(c);
    if (x->on_ready != NULL)
        x->on_ready(x);
}

static int
h1_send_head(struct exchange *x, struct http_message *head, const struct content *content, nsec deadline)
{
    struct h1_exchange *h = h1_exchange_of(x);
    struct span text;
    int err = h1_frame(head, content);
    if (err == 0)
        err = h1_write_request_head(head, &text);
    if (err != 0)
        return exchange_failed(x, err, err == ERR_NOMEM ? "out of workspace" : "request head does not fit",
                               CLOSE_OVERLOAD);
    h->method = head->method;
    h->chunks_out = content->kind == CONTENT_UNKNOWN;
    struct iovec iov = { (void *)(uintptr_t)text.ptr, text.len };
    uint64_t before = h->bc->conn.bytes_out;
    if (content->kind != CONTENT_NONE) {
        h->bc->conn.on_ready = conn_spoke;
        h->bc->user = x;
    }
    err = conn_write(&h->bc->conn, &iov, 1, deadline);
    if (err != 0) {
        int number = errno;
        x->close_why = CLOSE_TX_ERROR;
        if (x->reused && err == ERR_RESET)
            x->retry = h->bc->conn.bytes_out == before ? RETRY_ALWAYS : RETRY_IDEMPOTENT;
        else
            backend_note(h->bc, "write error");
        return write_failed(h, err, number);
    }
    x->bytes.bereq_head += text.len;
    return 0;
}

/* After a cut request body the origin still waits for the rest, and would read the next request as content.
 * So `cut` closes the connection. */
static int
write_body(struct h1_exchange *h, struct iovec *iov, int n, nsec deadline)
{
    for (int i = 0; i < n; i++)
        h->x.bytes.bereq_body += iov[i].iov_len;
    int err;
    do
        err = conn_write(&h->bc->conn, iov, n, deadline);
    while (err == ERR_AGAIN && !h1_answered(&h->x));
    h->cut = err != 0;
    return err == 0 ? 0 : write_failed(h, err, errno);
}

static int
h1_send_body(struct exchange *x, struct span piece, bool last, nsec deadline)
{
    struct h1_exchange *h = h1_exchange_of(x);
    char size[24];
    struct iovec iov[4];
    int k = 0;
    bool chunk = h->chunks_out && piece.len > 0;
    if (chunk)
        iov[k++] = (struct iovec){ size, http1_write_chunk_size(size, piece.len) };
    if (piece.len > 0)
        iov[k++] = (struct iovec){ (void *)(uintptr_t)piece.ptr, piece.len };
    if (chunk)
        iov[k++] = (struct iovec){ (void *)(uintptr_t)"\r\n", 2 };
    if (h->chunks_out && last)
        iov[k++] = (struct iovec){ (void *)(uintptr_t)"0\r\n\r\n", 5 };
    return k == 0 ? 0 : write_body(h, iov, k, deadline);
}

/* ---- begin and end ---- */

static void
h1_interrupt(struct exchange *x)
{
    conn_interrupt(&h1_exchange_of(x)->bc->conn);
}

/* Unread bytes would be read as the next response, so keep the connection only if there are none. */
static bool
h1_end(struct exchange *x, bool keep)
{
    struct h1_exchange *h = h1_exchange_of(x);
    keep = keep && h->keep_alive && !h->cut && h->body_done && !x->until_close && h->rx_taken == h->rx_bytes;
    h->bc->close_why = x->close_why;
    backend_put(&h->bc, keep);
    buffers_give(h->buffers, &h->rx);
    return keep;
}

static const struct exchange_ops h1_ops = {
    .send_head = h1_send_head,
    .send_body = h1_send_body,
    .answered = h1_answered,
    .recv_head = h1_recv_head,
    .recv_wait = h1_recv_wait,
    .recv_poll = h1_recv_poll,
    .recv_body = h1_recv_body,
    .recv_trailers = h1_recv_trailers,
    .tunnel_start = h1_tunnel_start,
    .tunnel_answer = h1_tunnel_answer,
    .tunnel_read = h1_tunnel_read,
    .tunnel_write = h1_tunnel_write,
    .tunnel_shut = h1_tunnel_shut,
    .interrupt = h1_interrupt,
    .end = h1_end,
};

int
h1_exchange_new(const struct exchange_wants *w, struct backend_conn *bc, struct exchange **out)
{
    struct h1_exchange *h = arena_zalloc(w->arena, sizeof *h);
    if (h == NULL) {
        backend_put(&bc, true);
        errno = ENOMEM;
        return ERR_NOMEM;
    }
    h->bc = bc;
    h->buffers = w->buffers;
    h->x.ops = &h1_ops;
    h->x.backend = w->backend;
    h->x.reused = bc->reused;
    h->x.close_why = CLOSE_RESP_CLOSE;
    h->x.peer = bc->peer;
    *out = &h->x;
    return 0;
}
