/* The response of an HTTP/1 exchange. The head is read into its own buffer. Content of known length, and
 * content that ends with the connection, goes from the socket to the memory of the caller. Chunks are decoded
 * in the buffer. */
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "base/size.h"
#include "http/chars.h"
#include "http/fields.h"
#include "http/trailers.h"
#include "stream/h1/exchange_internal.h"

/* Most bytes of the first read. Content behind the head has to be copied, and a second read, straight into
 * the memory of the caller, costs less than a copy of more bytes. */
#define FIRST_READ_BYTES 8192u

/* ---- head ---- */

/* The first line received where a response was expected. */
static struct span
garbage(const struct h1_exchange *h)
{
    const char *p = h->rx + h->rx_taken, *end = memchr(p, '\n', h->rx_bytes - h->rx_taken);
    size_t n = end == NULL ? h->rx_bytes - h->rx_taken : (size_t)(end - p);
    return span_trim(span_of(p, n));
}

static int
bad_head(struct h1_exchange *h, const struct http1_error *e)
{
    struct exchange *x = &h->x;
    x->bytes.beresp_head = h->rx_bytes;
    size_t n = http1_bogus_text(e, h->rx + h->rx_taken, h->rx_bytes - h->rx_taken, h->bogus);
    int err = exchange_failed(x, ERR_SYNTAX, "http format error", CLOSE_RX_JUNK);
    x->error.garbage = garbage(h);
    x->error.bogus = n > 0 ? span_of(h->bogus, n) : SPAN_NULL;
    return err;
}

static int
head_failed(struct h1_exchange *h, ssize_t n)
{
    struct exchange *x = &h->x;
    bool nothing = h->rx_bytes == 0;
    x->bytes.beresp_head = h->rx_bytes;
    if (n == ERR_TIMEOUT) {
        const char *why = !nothing  ? "timeout"
                        : x->reused ? "first byte timeout (reused connection)"
                                    : "first byte timeout";
        return exchange_failed(x, ERR_TIMEOUT, why, CLOSE_RX_TIMEOUT);
    }
    if (n == ERR_LIMIT)
        return exchange_failed(x, ERR_LIMIT, "overflow", CLOSE_RX_OVERFLOW);
    x->retry = nothing && x->reused ? RETRY_IDEMPOTENT : RETRY_NEVER;
    return exchange_failed(x, nothing ? ERR_EOF : ERR_SYNTAX, "HTC eof (-1)", CLOSE_RX_BAD);
}

/* The whole head must arrive by `first_byte`. After its first byte, between_bytes limits each wait, too. */
static nsec
head_deadline(const struct h1_exchange *h, nsec first_byte, double between_bytes_s)
{
    if (h->rx_bytes == 0)
        return first_byte;
    nsec next = nsec_add(loop_now(h->bc->conn.loop), nsec_of(between_bytes_s));
    return next < first_byte ? next : first_byte;
}

ssize_t
h1_parse_head(struct h1_exchange *h, struct http_message *out, struct http1_error *e)
{
    struct http1_limits lim = { params.http_resp_size_bytes, params.http_resp_hdr_len_bytes,
                                params.http_max_hdr };
    *e = (struct http1_error){ .status = 503, .why = "malformed" };
    out->n_fields = 0;
    return http1_parse_response(h->rx + h->rx_taken, h->rx_bytes - h->rx_taken, &lim, out, e);
}

/* Translates the framing of the final head into fields of the exchange. */
static void
set_framing(struct h1_exchange *h, const struct http_message *head)
{
    struct exchange *x = &h->x;
    struct http1_error e = { .status = 503, .why = "malformed" };
    struct http1_framing framing;
    if (http1_response_framing(head, h->method, &framing, &e) != 0) {
        x->content_wrong = true;
        x->error.why = e.why;
        return;
    }
    h->keep_alive = framing.keep_alive;
    h->chunks_in = framing.kind == BODY_CHUNKED;
    h->left = framing.kind == BODY_LENGTH ? framing.length : UINT64_MAX;
    h->body_done = framing.kind == BODY_NONE || h->left == 0;
    x->until_close = framing.kind == BODY_EOF;
    x->content.kind = framing.kind == BODY_NONE   ? CONTENT_NONE
                    : framing.kind == BODY_LENGTH ? CONTENT_KNOWN
                                                  : CONTENT_UNKNOWN;
    x->content.bytes = framing.kind == BODY_LENGTH ? framing.length : 0;
    http1_chunked_init(&h->decoder);
}

static int
take_head(struct h1_exchange *h, size_t n, const struct http_message *head)
{
    h->rx_taken += n;
    h->x.bytes.beresp_head = h->rx_taken;
    if (!exchange_head_is_interim(head) && head->status != 101)
        set_framing(h, head);
    return 0;
}

/* A head that is longer than the first read is read with as few calls as possible. */
static size_t
head_room(const struct h1_exchange *h, size_t cap)
{
    return h->rx_bytes == 0 ? min_size(cap, FIRST_READ_BYTES) : cap - h->rx_bytes;
}

/* Returns the position behind the empty line that ends a head, or NULL. */
static const char *
head_end(const char *p, const char *end)
{
    for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++) {
        const char *next = p + 1;
        next += next < end && *next == '\r';
        if (next < end && *next == '\n')
            return next + 1;
    }
    return NULL;
}

#define STATUS_BYTES 12u /* "HTTP/1.1 200" */
#define STATUS_NONE 999u /* the bytes are no head: the parser will say why */

/* The status of the final head in rx, behind interim heads; 0: not received yet. */
static unsigned
final_status(const struct h1_exchange *h)
{
    const char *p = h->rx + h->rx_taken, *end = h->rx + h->rx_bytes;
    while (p != NULL && (size_t)(end - p) >= STATUS_BYTES) {
        if (memcmp(p, "HTTP/1.", 7) != 0 || !char_is(p[9], CHAR_DIGIT) || !char_is(p[10], CHAR_DIGIT) ||
            !char_is(p[11], CHAR_DIGIT))
            return STATUS_NONE;
        unsigned status = (unsigned)(p[9] - '0') * 100 + (unsigned)(p[10] - '0') * 10 +
                          (unsigned)(p[11] - '0');
        if (status >= 200 || status == 101)
            return status;
        p = head_end(p, end);
    }
    return 0;
}

bool
h1_answered(struct exchange *x)
{
    struct h1_exchange *h = h1_exchange_of(x);
    struct conn *c = &h->bc->conn;
    while (h->early_status == 0 && conn_may_read(c)) {
        if (h->rx == NULL && (h->rx = buffers_take(h->buffers)) == NULL)
            return true; /* recv_head fails for the same reason */
        size_t cap = buffers_bytes(h->rx);
        ssize_t n = h->rx_bytes == cap ? ERR_LIMIT : conn_read_now(c, h->rx + h->rx_bytes, head_room(h, cap));
        if (n <= 0)
            return n != ERR_AGAIN;
        h->rx_bytes += (size_t)n;
        h->early_status = (uint16_t)final_status(h);
    }
    bool refused = h->early_status == 101 || h->early_status >= 300;
    return refused || (c->ready & (CONN_PEER_CLOSED | CONN_ERROR)) != 0;
}

static int
recv_head(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s)
{
    struct h1_exchange *h = h1_exchange_of(x);
    if (h->rx == NULL && (h->rx = buffers_take(h->buffers)) == NULL)
        return exchange_failed(x, ERR_NOMEM, "out of memory", CLOSE_OVERLOAD);
    size_t cap = buffers_bytes(h->rx);
    for (;;) {
        struct http1_error e;
        ssize_t n = h->rx_bytes > h->rx_taken ? h1_parse_head(h, out, &e) : 0;
        if (n != 0)
            return n < 0 ? bad_head(h, &e) : take_head(h, (size_t)n, out);
        n = ERR_LIMIT;
        if (h->rx_bytes < cap)
            n = conn_read(&h->bc->conn, h->rx + h->rx_bytes, head_room(h, cap),
                          head_deadline(h, first_byte, between_bytes_s));
        if (n <= 0)
            return head_failed(h, n);
        h->rx_bytes += (size_t)n;
    }
}

/* Records failures of the origin only: neither our lack of memory counts, nor a kept connection that the
 * origin had closed while idle. */
int
h1_recv_head(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s)
{
    int err = recv_head(x, out, first_byte, between_bytes_s);
    struct backend_conn *bc = h1_exchange_of(x)->bc;
    if (err == 0 && !exchange_head_is_interim(out))
        backend_note(bc, out->status >= 502 && out->status <= 504 ? status_reason(out->status).ptr : NULL);
    else if (err != 0 && err != ERR_NOMEM && x->retry == RETRY_NEVER)
        backend_note(bc, x->error.why);
    return err;
}

/* ---- content ---- */

static ssize_t
content_failed(struct h1_exchange *h, ssize_t n, const char *why)
{
    return exchange_failed(&h->x, n == 0 ? ERR_EOF : (int)n, why, CLOSE_RX_BODY);
}

static void
note_trailer(struct h1_exchange *h)
{
    if (h->decoder.trailer.len == 0 || h->trailer_lost)
        return;
    if (h->trailer_bytes == 0)
        h->trailer_at = (size_t)(h->decoder.trailer.ptr - h->rx);
    h->trailer_bytes += h->decoder.trailer.len;
}

/* All of rx was consumed: fill it again, behind the trailer section received so far. A trailer section that
 * fills the buffer is dropped. */
static void
rewind_rx(struct h1_exchange *h)
{
    if (h->trailer_bytes == buffers_bytes(h->rx)) {
        h->trailer_lost = true;
        h->trailer_bytes = 0;
    }
    memmove(h->rx, h->rx + h->trailer_at, h->trailer_bytes);
    h->trailer_at = 0;
    h->rx_bytes = h->rx_taken = h->trailer_bytes;
}

/* Bytes behind the last chunk stay in rx. The origin sent them unasked, so the connection is not used
 * again. */
static ssize_t
decode(struct h1_exchange *h)
{
    struct span in = span_of(h->rx + h->rx_taken, h->rx_bytes - h->rx_taken);
    int r = http1_chunked_next(&h->decoder, &in, &h->piece);
    h->rx_taken = h->rx_bytes - in.len;
    h->body_done = r == 1;
    note_trailer(h);
    return r < 0 ? content_failed(h, r, h->decoder.why) : 0;
}

static ssize_t
refill(struct h1_exchange *h, nsec deadline)
{
    rewind_rx(h);
    ssize_t got = conn_read(&h->bc->conn, h->rx + h->rx_bytes, buffers_bytes(h->rx) - h->rx_bytes, deadline);
    if (got <= 0)
        return content_failed(h, got, "chunked insufficient bytes");
    h->rx_bytes += (size_t)got;
    return 0;
}

ssize_t
h1_recv_wait(struct exchange *x, nsec deadline)
{
    struct h1_exchange *h = h1_exchange_of(x);
    while (h->chunks_in && h->piece.len == 0 && !h->body_done) {
        ssize_t err = h->rx_taken < h->rx_bytes ? decode(h) : refill(h, deadline);
        if (err != 0)
            return err;
    }
    return h->piece.len > 0 || !h->body_done;
}

/* Received bytes stay in rx: they may be only part of the line before a chunk. */
ssize_t
h1_recv_poll(struct exchange *x, nsec deadline)
{
    struct h1_exchange *h = h1_exchange_of(x);
    while (h->piece.len == 0 && !h->body_done) {
        if (h->rx_taken < h->rx_bytes && !h->chunks_in)
            return 1;
        ssize_t r = h->rx_taken < h->rx_bytes ? decode(h) : 0;
        if (r != 0)
            return r;
        if (h->piece.len > 0 || h->body_done || h->rx_taken < h->rx_bytes)
            continue;
        rewind_rx(h);
        size_t room = buffers_bytes(h->rx) - h->rx_bytes;
        r = conn_read(&h->bc->conn, h->rx + h->rx_bytes, h->left < room ? (size_t)h->left : room, deadline);
        if (r <= 0)
            return r == 0 ? 1
                 : r == ERR_TIMEOUT
                     ? 0
                     : content_failed(h, r, h->chunks_in ? "chunked insufficient bytes" : "eof socket fail");
        h->rx_bytes += (size_t)r;
    }
    return 1;
}

static ssize_t
recv_chunks(struct h1_exchange *h, void *buf, size_t n, nsec deadline)
{
    ssize_t more = h1_recv_wait(&h->x, deadline);
    if (more <= 0)
        return more;
    size_t take = h->piece.len < n ? h->piece.len : n;
    memcpy(buf, h->piece.ptr, take);
    h->piece.ptr += take;
    h->piece.len -= take;
    return (ssize_t)take;
}

static ssize_t
recv_some(struct h1_exchange *h, void *buf, size_t n, nsec deadline)
{
    size_t have = h->rx_bytes - h->rx_taken;
    if (have == 0)
        return conn_read(&h->bc->conn, buf, n, deadline);
    size_t take = have < n ? have : n;
    memcpy(buf, h->rx + h->rx_taken, take);
    h->rx_taken += take;
    return (ssize_t)take;
}

static ssize_t
recv_plain(struct h1_exchange *h, void *buf, size_t n, nsec deadline)
{
    ssize_t got = recv_some(h, buf, n < h->left ? n : (size_t)h->left, deadline);
    if (got <= 0 && !(got == 0 && h->x.until_close))
        return content_failed(h, got, h->x.until_close ? "eof socket fail" : "straight insufficient bytes");
    h->left -= (uint64_t)got;
    h->body_done = got == 0 || h->left == 0;
    return got;
}

ssize_t
h1_recv_body(struct exchange *x, void *buf, size_t n, nsec deadline)
{
    struct h1_exchange *h = h1_exchange_of(x);
    if (h->chunks_in)
        return recv_chunks(h, buf, n, deadline);
    return h->body_done ? 0 : recv_plain(h, buf, n, deadline);
}

int
h1_recv_trailers(struct exchange *x, struct http_message *out)
{
    struct h1_exchange *h = h1_exchange_of(x);
    CHECK(h->body_done);
    return h->trailer_bytes == 0 ? ERR_NOTFOUND
                                 : trailers_parse(span_of(h->rx + h->trailer_at, h->trailer_bytes), out);
}
