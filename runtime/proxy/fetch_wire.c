/* Talking to the origin: connection, request head and body, response head, response body. On the fetch's fiber. */
#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "loop/fiber.h"
#include "proxy/fetch_internal.h"

#define BODY_BUFFER_BYTES 16384

static nsec
deadline_in(const struct fetch *f, double seconds)
{
    return nsec_add(loop_now(f->loop), nsec_of(seconds));
}

static double
either(double policy_s, double backend_s)
{
    return policy_s >= 0 ? policy_s : backend_s;
}

static int
failed(struct fetch *f, int err, const char *why)
{
    f->why = why;
    return err;
}

void
fetch_drop_connection(struct fetch *f)
{
    if (f->bc != NULL)
        backend_put(&f->bc, false);
    server_buffer_give(f->server, &f->rx);
    f->rx_bytes = f->rx_taken = 0;
}

/* ---- request ---- */

static bool
has_request_body(const struct fetch *f)
{
    return f->request != NULL && !f->vars.body_unset && f->request->body.framing.kind != BODY_NONE;
}

static int
frame_request(struct fetch *f)
{
    struct http_message *m = &f->bereq;
    message_unset(m, NAME_TRANSFER_ENCODING, SPAN_NULL);
    if (!has_request_body(f)) {
        message_unset(m, NAME_CONTENT_LENGTH, SPAN_NULL);
        return 0;
    }
    const struct request_body *b = &f->request->body;
    if (b->cached.ptr == NULL && b->framing.kind == BODY_CHUNKED) {
        message_unset(m, NAME_CONTENT_LENGTH, SPAN_NULL);
        return message_set(m, NAME_TRANSFER_ENCODING, SPAN_NULL, SPAN_LIT("chunked"));
    }
    uint64_t n = b->cached.ptr != NULL ? b->cached.len : b->framing.length;
    struct span text = decimal(&f->arena, n);
    return text.ptr == NULL ? ERR_NOMEM : message_set(m, NAME_CONTENT_LENGTH, SPAN_NULL, text);
}

static int
send_head(struct fetch *f)
{
    size_t cap = http1_head_size(&f->bereq);
    char *buf = arena_alloc(&f->arena, cap);
    if (buf == NULL)
        return failed(f, ERR_NOMEM, "workspace_backend is too small for the request head");
    ssize_t n = http1_write_request(&f->bereq, buf, cap);
    if (n < 0)
        return failed(f, (int)n, "request head does not fit");
    struct iovec iov = { buf, (size_t)n };
    atomic_fetch_add_explicit(&backend_stats(f->backend)->bereq_hdrbytes, (uint64_t)n, memory_order_relaxed);
    int err = conn_write(&f->bc->conn, &iov, 1, deadline_in(f, params.send_timeout_s));
    return err == 0 ? 0 : failed(f, err, "sending the request head failed");
}

static int
send_piece(struct fetch *f, char *p, size_t n, bool chunked)
{
    char size[24];
    struct iovec iov[3];
    int k = 0;
    if (chunked)
        iov[k++] = (struct iovec){ size, http1_write_chunk_size(size, n) };
    iov[k++] = (struct iovec){ p, n };
    if (chunked)
        iov[k++] = (struct iovec){ (void *)(uintptr_t)"\r\n", 2 };
    atomic_fetch_add_explicit(&backend_stats(f->backend)->bereq_bodybytes, n, memory_order_relaxed);
    return conn_write(&f->bc->conn, iov, k, deadline_in(f, params.send_timeout_s));
}

/* A broken client ends the fetch. An origin that stops reading may already have answered: its answer counts, so a failed
 * write is no error here. But it waits for the rest: what came next on that connection would be taken for it. */
static int
send_body(struct fetch *f)
{
    f->body_cut = false;
    if (!has_request_body(f))
        return 0;
    struct request *r = f->request;
    bool chunked = r->body.cached.ptr == NULL && r->body.framing.kind == BODY_CHUNKED;
    char buf[BODY_BUFFER_BYTES];
    f->body_at = 0;
    for (;;) {
        ssize_t n = request_body_read(r, &f->body_at, buf, sizeof buf, deadline_in(f, params.timeout_idle_s));
        if (n < 0)
            return failed(f, ERR_CANCELLED, "the client's request body ended early or is malformed");
        if (n == 0)
            break;
        f->body_cut = send_piece(f, buf, (size_t)n, chunked) != 0;
        if (f->body_cut)
            return 0;
        fiber_yield_if_due();
    }
    struct iovec end = { (void *)(uintptr_t)"0\r\n\r\n", 5 };
    if (chunked)
        f->body_cut = conn_write(&f->bc->conn, &end, 1, deadline_in(f, params.send_timeout_s)) != 0;
    return 0;
}

/* ---- response head ---- */

static ssize_t
parse_head(struct fetch *f, struct http1_error *e)
{
    struct http1_limits lim = { params.http_resp_size_bytes, params.http_resp_hdr_len_bytes, params.http_max_hdr };
    f->beresp.n_fields = 0;
    return http1_parse_response(f->rx + f->rx_taken, f->rx_bytes - f->rx_taken, &lim, &f->beresp, e);
}

/* Interim responses other than 101 are passed over (RFC 9110, 15.2). */
static ssize_t
parse_final_head(struct fetch *f, struct http1_error *e)
{
    for (;;) {
        if (f->rx_bytes == f->rx_taken)
            return 0;
        ssize_t n = parse_head(f, e);
        if (n <= 0 || f->beresp.status >= 200 || f->beresp.status == 101)
            return n;
        f->server->counters->fetch_1xx++;
        f->rx_taken += (size_t)n;
    }
}

static int
read_head(struct fetch *f)
{
    struct http1_error e = { 503, "malformed", 0 };
    if (f->rx == NULL && (f->rx = server_buffer_take(f->server)) == NULL)
        return failed(f, ERR_NOMEM, "out of memory");
    size_t cap = server_buffer_bytes(f->rx);
    f->rx_bytes = f->rx_taken = 0;
    double wait = either(f->vars.first_byte_timeout, backend_first_byte_timeout(f->backend));
    nsec deadline = deadline_in(f, wait);
    for (;;) {
        ssize_t n = f->rx_bytes == cap ? ERR_LIMIT : conn_read(&f->bc->conn, f->rx + f->rx_bytes, cap - f->rx_bytes, deadline);
        if (n == 0)
            return failed(f, f->rx_bytes == 0 ? ERR_EOF : ERR_SYNTAX, "the origin closed before its response head was complete");
        if (n == ERR_TIMEOUT)
            return failed(f, ERR_TIMEOUT, "first byte timeout");
        if (n == ERR_LIMIT)
            return failed(f, ERR_LIMIT, "response head is too large (http_resp_size)");
        if (n < 0)
            return failed(f, f->rx_bytes == 0 ? ERR_EOF : ERR_SYNTAX, "reading the response head failed");
        f->rx_bytes += (size_t)n;
        n = parse_final_head(f, &e);
        if (n < 0)
            return failed(f, ERR_SYNTAX, e.why);
        if (n > 0) {
            f->rx_taken += (size_t)n;
            atomic_fetch_add_explicit(&backend_stats(f->backend)->beresp_hdrbytes, (uint64_t)n, memory_order_relaxed);
            return 0;
        }
    }
}

static int
understand_head(struct fetch *f)
{
    struct http1_error e = { 503, "malformed", 0 };
    if (f->beresp.status == 101)
        return failed(f, ERR_SYNTAX, "the origin switched protocols outside of a pipe");
    if (http1_response_framing(&f->beresp, f->bereq.method, &f->framing, &e) != 0)
        return failed(f, ERR_SYNTAX, e.why);
    return 0;
}

/* ---- one exchange ---- */

/* Only what was sent on a connection that had idled, and nothing of the body with it, may be sent once more: the origin closed
 * it before it saw the request (RFC 9112, 9.3.1). */
static bool
may_try_again(const struct fetch *f, int err, bool reused)
{
    bool body_gone = has_request_body(f) && f->request->body.started && f->request->body.cached.ptr == NULL;
    return reused && !body_gone && (err == ERR_EOF || err == ERR_RESET);
}

static int
open_connection(struct fetch *f, bool fresh)
{
    double wait = either(f->vars.connect_timeout, backend_connect_timeout(f->backend));
    struct counters *n = f->server->counters;
    int err = backend_get_for(f->backend, f->loop, wait, fresh, &f->client, &f->bc);
    if (err == ERR_BUSY) {
        n->backend_busy++;
        return failed(f, err, "the backend has max_connections already");
    }
    if (err == ERR_SICK) {
        n->backend_unhealthy++;
        return failed(f, err, "the backend is sick");
    }
    if (err != 0) {
        n->backend_fail++;
        return failed(f, err, err == ERR_TIMEOUT ? "connect timeout" : "connecting to the backend failed");
    }
    if (f->bc->reused)
        n->backend_reuse++;
    else
        n->backend_conn++;
    return 0;
}

static int
exchange_once(struct fetch *f, bool fresh, bool *reused)
{
    int err = open_connection(f, fresh);
    if (err != 0)
        return err;
    *reused = f->bc->reused;
    conn_peer(&f->bc->conn, &f->vars.used_address);
    err = send_head(f);
    if (err == 0)
        err = send_body(f);
    if (err == 0)
        err = read_head(f);
    if (err == 0)
        err = understand_head(f);
    if (err != 0)
        fetch_drop_connection(f);
    return err;
}

int
fetch_exchange(struct fetch *f)
{
    f->backend = director_resolve(f->vars.backend, &f->ctx);
    f->vars.used = f->backend;
    if (f->backend == NULL) {
        f->server->counters->backend_unhealthy++;
        return failed(f, ERR_SICK, "no healthy backend");
    }
    int err = bereq_set_host(&f->bereq, backend_host_header(f->backend));
    if (err == 0)
        err = frame_request(f);
    if (err == 0)
        err = message_init(&f->beresp, &f->arena, params.http_max_hdr + 16);
    if (err != 0 || f->bereq.failed)
        return failed(f, ERR_NOMEM, "workspace_backend is too small");
    f->server->counters->backend_req++;
    atomic_fetch_add_explicit(&backend_stats(f->backend)->req, 1, memory_order_relaxed);
    bool reused = false;
    f->request_time = loop_real(f->loop);
    err = exchange_once(f, false, &reused);
    if (err != 0 && may_try_again(f, err, reused)) {
        f->server->counters->backend_retry++;
        err = exchange_once(f, true, &reused);
    }
    f->response_time = loop_real(f->loop);
    return err;
}

/* ---- response body ---- */

/* Wakes a fetch that waits for room. One that waits for the origin instead must not do so for a reader who has left: to its read
 * the response ends here. */
static void
reader_moved(struct watch *w)
{
    struct fetch *f = container_of(w, struct fetch, reader);
    if (object_abandoned(f->busy) && f->bc != NULL)
        shutdown(f->bc->conn.poll.fd, SHUT_RDWR);
    fiber_wake(f->fiber);
}

/* One reader, who frees what it has sent: a private response, and that of a marker. */
static bool
in_transit(const struct fetch *f)
{
    return (f->busy->flags & (OBJECT_PRIVATE | OBJECT_HIT_FOR_MISS | OBJECT_HIT_FOR_PASS)) != 0;
}

/* A response in transit holds at most transit_buffer bytes its client has not taken yet. */
static int
make_room(struct fetch *f)
{
    if (!in_transit(f) || !f->published)
        return 0;
    while (params.transit_buffer_bytes > 0 && object_body_pending(f->busy) > params.transit_buffer_bytes) {
        if (object_abandoned(f->busy))
            return failed(f, ERR_CANCELLED, "the client is gone");
        fiber_park();
    }
    return object_abandoned(f->busy) ? failed(f, ERR_CANCELLED, "the client is gone") : 0;
}

static ssize_t
read_some(struct fetch *f, void *buf, size_t n)
{
    size_t have = f->rx_bytes - f->rx_taken;
    if (have > 0) {
        size_t take = have < n ? have : n;
        memcpy(buf, f->rx + f->rx_taken, take);
        f->rx_taken += take;
        return (ssize_t)take;
    }
    double wait = either(f->vars.between_bytes_timeout, backend_between_bytes_timeout(f->backend));
    return conn_read(&f->bc->conn, buf, n, deadline_in(f, wait));
}

static int
read_failed(struct fetch *f, ssize_t n)
{
    if (n == 0)
        return failed(f, ERR_EOF, "the origin closed before the body was complete");
    return failed(f, (int)n, n == ERR_TIMEOUT ? "between bytes timeout" : "reading the body failed");
}

static int
space(struct fetch *f, uint64_t hint, char **p, size_t *n)
{
    int err = make_room(f);
    if (err != 0)
        return err;
    size_t want = hint < params.fetch_chunksize_bytes ? (size_t)hint : params.fetch_chunksize_bytes;
    err = object_body_space(f->busy, want, p, n);
    return err == 0 ? 0 : failed(f, err, "no cache memory for the body");
}

static void
commit(struct fetch *f, size_t n)
{
    object_body_commit(f->busy, n);
    atomic_fetch_add_explicit(&backend_stats(f->backend)->beresp_bodybytes, n, memory_order_relaxed);
}

/* Content-Length and until-close bodies land in the object's memory directly. */
static int
body_plain(struct fetch *f, uint64_t left, bool to_end)
{
    while (left > 0) {
        char *p;
        size_t n;
        int err = space(f, to_end ? params.fetch_chunksize_bytes : left, &p, &n);
        if (err != 0)
            return err;
        ssize_t got = read_some(f, p, n < left ? n : (size_t)left);
        if (got == 0 && to_end)
            return 0;
        if (got <= 0)
            return read_failed(f, got);
        commit(f, (size_t)got);
        left -= (uint64_t)got;
        fiber_yield_if_due();
    }
    return 0;
}

static int
store_piece(struct fetch *f, struct span piece)
{
    while (piece.len > 0) {
        char *p;
        size_t n;
        int err = space(f, params.fetch_chunksize_bytes, &p, &n);
        if (err != 0)
            return err;
        n = n < piece.len ? n : piece.len;
        memcpy(p, piece.ptr, n);
        commit(f, n);
        piece.ptr += n;
        piece.len -= n;
    }
    return 0;
}

/* 1 = complete, 0 = all of `in` is used up, or an error. */
static int
decode(struct fetch *f, struct http1_chunked *d, struct span *in)
{
    for (;;) {
        struct span piece = SPAN_NULL;
        int r = http1_chunked_next(d, in, &piece);
        if (r < 0)
            return failed(f, r, "malformed chunked body from the origin");
        int err = store_piece(f, piece);
        if (err != 0 || r == 1)
            return err != 0 ? err : 1;
        if (in->len == 0)
            return 0;
    }
}

/* What is left behind the last chunk stays in rx: bytes nobody asked for, so the connection can't be used again. */
static int
body_chunked(struct fetch *f)
{
    struct http1_chunked d;
    http1_chunked_init(&d);
    for (;;) {
        struct span in = span_of(f->rx + f->rx_taken, f->rx_bytes - f->rx_taken);
        int r = in.len == 0 ? 0 : decode(f, &d, &in);
        f->rx_taken = f->rx_bytes - in.len;
        if (r != 0)
            return r < 0 ? r : 0;
        f->rx_bytes = f->rx_taken = 0;
        double wait = either(f->vars.between_bytes_timeout, backend_between_bytes_timeout(f->backend));
        ssize_t got = conn_read(&f->bc->conn, f->rx, server_buffer_bytes(f->rx), deadline_in(f, wait));
        if (got <= 0)
            return read_failed(f, got);
        f->rx_bytes = (size_t)got;
        fiber_yield_if_due();
    }
}

int
fetch_body(struct fetch *f)
{
    struct counters *n = f->server->counters;
    int err = 0;
    if (in_transit(f))
        object_on_reader(f->busy, &f->reader, f->loop, reader_moved);
    switch (f->framing.kind) {
    case BODY_NONE:
        n->fetch_none++;
        break;
    case BODY_LENGTH:
        n->fetch_length++;
        err = body_plain(f, f->framing.length, false);
        break;
    case BODY_CHUNKED:
        n->fetch_chunked++;
        err = body_chunked(f);
        break;
    case BODY_EOF:
        n->fetch_eof++;
        err = body_plain(f, UINT64_MAX, true);
        break;
    }
    if (f->reader.object != NULL)
        object_unwatch(&f->reader);
    bool clean = err == 0 && f->framing.keep_alive && !f->body_cut && f->framing.kind != BODY_EOF && f->rx_taken == f->rx_bytes;
    if (clean && f->bc != NULL) {
        n->backend_recycle++;
        backend_put(&f->bc, true);
    }
    fetch_drop_connection(f);
    return err;
}
