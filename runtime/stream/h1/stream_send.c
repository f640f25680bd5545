/* HTTP/1 framing of responses. Each send is one writev of pending framing, body and end mark, so that a
 * response in one piece costs one system call. See stream/stream.h for the contract. */
#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "stream/h1/stream.h"
#include "stream/head_length.h"
#include "stream/session_log.h"

#define OUT_SPARE_BYTES 64 /* room behind the head for chunk framing */
#define SEND_IOV_MAX 18
/* A first packet has at most half of the window that a client opens with, 64 KB. */
#define FIRST_PACKET_BYTES 32768u

/* With few clients a copy is cheaper: the bytes in flight fit into the caches of the processor. Idle
 * connections count, because most responses are no longer being sent while they are in flight: one call hands
 * the response to the socket, whose buffer holds it until the client reads. If the connection ends then, it
 * is not counted while its bytes are in flight, so the count says nothing. */
static bool
file_is_cheaper(const struct h1_stream *h)
{
    unsigned n = atomic_load_explicit(&h->stream.session->service->load->sessions, memory_order_relaxed);
    return h->stream.close != SC_NONE || n >= params.sendfile_connections;
}

/* ---- heads ---- */


static void
set_connection_field(struct h1_stream *h, struct http_message *head)
{
    struct stream *s = &h->stream;
    struct span said = message_get(head, NAME_CONNECTION);
    bool says_close = said.ptr != NULL && list_has_token(said, SPAN_LIT("close"));
    if (says_close || s->session->service->draining || s->session->service->retiring)
        stream_close_after(s, SC_RESP_CLOSE);
    if (s->close != SC_NONE && !says_close) {
        message_unset(head, NAME_CONNECTION, SPAN_NULL);
        (void)message_add(head, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("close"));
    } else if (said.ptr == NULL)
        (void)message_add_line(head, NAME_CONNECTION, sizeof "Connection" - 1,
                               SPAN_LIT("Connection: keep-alive\r\n"));
}

/* A client that sends its whole request before it reads would wait for us, and we for it. */
static void
drop_request_body(struct h1_stream *h)
{
    if (h->body_done)
        return;
    h->drops_body = true;
    stream_close_after(&h->stream, SC_RX_BODY);
}

/* Makes h->out, with room behind the head. Most heads fit the rest of the arena's chunk, so only others are
 * measured first. Returns the bytes of the head, or an error. */
static ssize_t
write_head(struct h1_stream *h, const struct http_message *head)
{
    size_t room;
    char *tail = arena_tail(head->arena, &room);
    ssize_t n = room <= OUT_SPARE_BYTES ? ERR_LIMIT
                                        : http1_write_response(head, tail, room - OUT_SPARE_BYTES);
    if (n < 0 && n != ERR_LIMIT)
        return n;
    size_t cap = (n < 0 ? http1_head_size(head) : (size_t)n) + OUT_SPARE_BYTES;
    char *out = arena_alloc(head->arena, cap);
    if (out == NULL)
        return ERR_NOMEM;
    if (out != tail || n < 0)
        n = http1_write_response(head, out, cap - OUT_SPARE_BYTES);
    if (n < 0)
        return n;
    h->out = out;
    h->out_cap = (uint32_t)cap;
    return n;
}

int
h1_stream_send_head(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body)
{
    struct h1_stream *h = h1_of(s);
    bool unknown;
    CHECK(h->out == NULL);
    if (head->failed)
        return ERR_NOMEM;
    head->minor = 1;
    head->proto = SPAN_LIT("HTTP/1.1");
    int err = head_set_length(head, body_bytes, has_body, &unknown);
    if (err != 0)
        return err;
    bool chunked = unknown && !h->http10;
    h->until_close = unknown && h->http10;
    if (h->until_close)
        s->close = SC_TX_EOF;
    drop_request_body(h);
    set_connection_field(h, head);
    if (chunked)
        (void)message_add(head, NAME_TRANSFER_ENCODING, SPAN_NULL, SPAN_LIT("chunked"));
    ssize_t n = head->failed ? ERR_NOMEM : write_head(h, head);
    if (n < 0)
        return (int)n;
    h->out_bytes = (uint32_t)n;
    h->stream.unsent = h->out_bytes;
    h->chunked = chunked;
    h->stream.takes_files = has_body && !chunked && conn_sends_files(&h->connection->wire.conn) &&
                            file_is_cheaper(h);
    h->stream.bytes.resp_head += (uint64_t)n;
    h1_counters(h)->s_resp_hdrbytes += (uint64_t)n;
    return 0;
}

/* The last resort after a response could not be made: needs no memory and no valid head. */
void
h1_stream_send_failure(struct stream *s)
{
    static const char head[] =
        "HTTP/1.1 500 Internal Server Error\r\nServer: Varnish\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    struct h1_stream *h = h1_of(s);
    CHECK(h->out == NULL);
    drop_request_body(h);
    s->close = SC_TX_EOF;
    h->out = (char *)(uintptr_t)head; /* read only: the response is not chunked */
    h->out_bytes = h->out_cap = sizeof head - 1;
    s->unsent = h->out_bytes;
    s->bytes.resp_head += h->out_bytes;
    h1_counters(h)->s_resp_hdrbytes += h->out_bytes;
    h1_counters(h)->client_resp_500++;
}

/* ---- interim responses ---- */

/* Does not use h->out, the memory of the final head: an interim response goes out whole before this function
 * returns. */
static int
write_interim(struct h1_stream *h, const char *text, size_t n, nsec deadline)
{
    struct iovec iov = { (void *)(uintptr_t)text, n };
    int err = conn_write(&h->connection->wire.conn, &iov, 1, deadline);
    if (err != 0) {
        stream_close_after(&h->stream, SC_REM_CLOSE);
        return err;
    }
    h->stream.bytes.resp_head += n;
    h1_counters(h)->s_resp_hdrbytes += n;
    return 0;
}

static int
send_hints(struct h1_stream *h, const struct http_message *head, nsec deadline)
{
    struct arena *a = h->stream.user->arena;
    size_t cap = http1_head_size(head);
    char *text = arena_alloc(a, cap);
    ssize_t n = text == NULL ? ERR_NOMEM : http1_write_response(head, text, cap);
    return n < 0 ? (int)n : write_interim(h, text, (size_t)n, deadline);
}

int
h1_stream_send_interim(struct stream *s, unsigned status, const struct http_message *head, nsec deadline)
{
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    struct h1_stream *h = h1_of(s);
    CHECK(h->out == NULL);
    if (status != 100)
        /* HTTP/1.0 has no interim responses (RFC 9110, 15.2) */
        return h->http10 ? 0 : send_hints(h, head, deadline);
    if (!s->continue_due)
        return 0;
    s->continue_due = false;
    stream_log_response(s, 100);
    return write_interim(h, text, sizeof text - 1, deadline);
}

/* ---- content ---- */

/* Opens a chunk of `n` bytes: adds its size line to the pending bytes. */
static void
open_chunk(struct h1_stream *h, uint64_t n)
{
    if (h->out_sent == h->out_bytes)
        h->out_sent = h->out_bytes = 0;
    CHECK(h->out_cap - h->out_bytes >= 24);
    h->out_bytes += (uint32_t)http1_write_chunk_size(h->out + h->out_bytes, n);
    h->chunk_left = n;
    h->chunk_open = true;
}

/* The end of a chunk or, with the last chunk, of the body. It goes out with the data, so that a client that
 * reads chunk by chunk gets each chunk whole. */
static struct span
chunk_tail(const struct h1_stream *h, size_t body, bool last)
{
    if (!h->chunked || h->ended)
        return SPAN_NULL;
    if (h->chunk_open)
        return body < h->chunk_left ? SPAN_NULL : last ? SPAN_LIT("\r\n0\r\n\r\n") : SPAN_LIT("\r\n");
    return last ? SPAN_LIT("0\r\n\r\n") : SPAN_NULL;
}

/* Distributes `n` written bytes over pending framing, body and tail. The unsent rest of the tail becomes
 * pending. */
static size_t
account_written(struct h1_stream *h, size_t n, size_t body, struct span tail, bool last)
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
    return from_body;
}

/* Copies the first iovecs of `in`, up to `max` bytes. */
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

/* Ends a send whose body bytes were `w`, or an error. */
static ssize_t
sent(struct h1_stream *h, ssize_t w)
{
    struct stream *s = &h->stream;
    s->unsent = h->out_bytes - h->out_sent + conn_is_unsent(&h->connection->wire.conn);
    if (h->drops_body)
        h1_drop_body(h->connection);
    if (w == ERR_AGAIN)
        return ERR_AGAIN;
    if (w < 0) {
        s->broken = true;
        stream_close_after(s, SC_REM_CLOSE);
        return ERR_RESET;
    }
    s->taken += (uint64_t)w;
    s->released = s->taken; /* the kernel has its own copy, or holds the pages */
    h1_counters(h)->s_resp_bodybytes += (uint64_t)w;
    return w;
}

/* If nothing but the end of the connection follows, it leaves in the packet of the last bytes: saves a packet
 * and a wake-up of the client. MSG_MORE holds the last bytes until the client has acknowledged those before
 * them. A client on this host acknowledges the first packet within the call of the write, so a response that
 * does not fit into one packet needs an option of the socket. */
static bool
hold_end(struct h1_stream *h, size_t bytes, bool last)
{
    bool ends = last && h->stream.close != SC_NONE;
    if (ends && bytes > FIRST_PACKET_BYTES && h->stream.taken == 0)
        conn_hold_end(&h->connection->wire.conn);
    return ends;
}

ssize_t
h1_stream_send_body(struct stream *s, const struct iovec *body, int n, bool last)
{
    struct h1_stream *h = h1_of(s);
    if (s->broken)
        return ERR_RESET;
    struct iovec taken[SEND_IOV_MAX], iov[SEND_IOV_MAX];
    const struct iovec *part = body;
    int n_part = n, n_iov = 0;
    size_t offered = 0;
    for (int i = 0; i < n; i++)
        offered += body[i].iov_len;
    size_t total = offered;
    if (h->chunked && !h->chunk_open && offered > 0)
        open_chunk(h, take_iov(body, n, UINT64_MAX, taken, &n_part));
    if (h->chunked || n > SEND_IOV_MAX - 2) {
        total = take_iov(body, n, h->chunked ? h->chunk_left : UINT64_MAX, taken, &n_part);
        part = taken;
    }

    if (h->out_bytes > h->out_sent)
        iov[n_iov++] = (struct iovec){ h->out + h->out_sent, h->out_bytes - h->out_sent };
    for (int i = 0; i < n_part && n_iov < SEND_IOV_MAX - 1; i++)
        iov[n_iov++] = part[i];
    last = last && total == offered;
    struct span tail = chunk_tail(h, total, last);
    if (tail.len > 0)
        iov[n_iov++] = (struct iovec){ (void *)(uintptr_t)tail.ptr, tail.len };
    if (n_iov == 0)
        return sent(h, 0);
    struct conn *conn = &h->connection->wire.conn;
    bool ends = hold_end(h, h->out_bytes + total, last);
    ssize_t w = ends ? conn_write_more(conn, iov, n_iov) : conn_write_now(conn, iov, n_iov);
    return sent(h, w < 0 ? w : (ssize_t)account_written(h, (size_t)w, total, tail, last));
}

/* The head waits in the socket for the first bytes of the file (MSG_MORE), so both leave in one packet. */
ssize_t
h1_stream_send_file(struct stream *s, int fd, off_t at, size_t n, bool last)
{
    struct h1_stream *h = h1_of(s);
    struct conn *conn = &h->connection->wire.conn;
    CHECK(s->takes_files && !h->chunked && n > 0);
    if (s->broken)
        return ERR_RESET;
    (void)hold_end(h, h->out_bytes + n, last);
    while (h->out_sent < h->out_bytes) {
        struct iovec head = { h->out + h->out_sent, h->out_bytes - h->out_sent };
        ssize_t w = conn_write_more(conn, &head, 1);
        if (w < 0)
            return sent(h, w);
        h->out_sent += (uint32_t)w;
    }
    ssize_t w = conn_send_file(conn, fd, at, n);
    h1_counters(h)->sendfile_bytes += w > 0 ? (uint64_t)w : 0;
    return sent(h, w);
}

/* Appends "0", the fields and the empty line to the pending bytes. */
int
h1_stream_send_trailers(struct stream *s, const struct http_message *trailers)
{
    struct h1_stream *h = h1_of(s);
    CHECK(!h->ended);
    if (!h->chunked)
        return ERR_NOTFOUND;
    size_t pending = h->out_bytes - h->out_sent, cap = pending + 3 + http1_head_size(trailers);
    char *out = arena_alloc(s->user->arena, cap);
    if (out == NULL)
        return ERR_NOMEM;
    CHECK(!h->chunk_open);
    memcpy(out, h->out + h->out_sent, pending);
    memcpy(out + pending, "0\r\n", 3);
    ssize_t n = http1_write_trailers(trailers, out + pending + 3, cap - pending - 3);
    if (n < 0)
        return (int)n;
    h->out = out;
    h->out_cap = (uint32_t)cap;
    h->out_sent = 0;
    h->out_bytes = (uint32_t)(pending + 3 + (size_t)n);
    h->ended = true;
    s->unsent = h->out_bytes;
    return 0;
}
