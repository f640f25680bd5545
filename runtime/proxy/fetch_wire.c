/* Talking to the origin: connection, request head and body, response head, response body. On the fetch's fiber. */
#include <errno.h>
#include <stdio.h>

#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "log/vsc.h"
#include "loop/fiber.h"
#include "proxy/fetch_internal.h"

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

int
fetch_failed(struct fetch *f, int err, const char *why)
{
    f->why = why;
    log_text(&f->log, TAG_FETCH_ERROR, span_str(why));
    return err;
}

/* The same, of an exchange whose connection is of no more use. */
static int
broken(struct fetch *f, int err, const char *why, const char *close_why)
{
    f->bc->close_why = close_why;
    return fetch_failed(f, err, why);
}

/* `errno`-like numbers, in the form the field knows them by. */
static int
broken_errno(struct fetch *f, int err, const char *what, int number, const char *close_why)
{
    f->why = what;
    if (f->bc != NULL)
        f->bc->close_why = close_why;
    log_printf(&f->log, TAG_FETCH_ERROR, "%s: %d (%s)", what, number, number == 0 ? "Success" : strerror(number));
    return err;
}

static void
count_bytes(struct fetch *f)
{
    uint64_t *n = backend_counters(f->bc->backend);
    vsc_add(&n[VBE_BEREQ_HDRBYTES], f->bytes.bereq_head - f->counted.bereq_head);
    vsc_add(&n[VBE_BEREQ_BODYBYTES], f->bytes.bereq_body - f->counted.bereq_body);
    vsc_add(&n[VBE_BERESP_HDRBYTES], f->bytes.beresp_head - f->counted.beresp_head);
    vsc_add(&n[VBE_BERESP_BODYBYTES], f->bytes.beresp_body - f->counted.beresp_body);
    f->counted = f->bytes;
}

static void
leave(struct fetch *f, bool keep)
{
    if (f->bc != NULL) {
        count_bytes(f);
        backend_put(&f->bc, keep);
    }
    server_buffer_give(f->server, &f->rx);
    f->rx_bytes = f->rx_taken = 0;
}

void
fetch_drop_connection(struct fetch *f)
{
    leave(f, false);
}

/* What follows on the connection would be taken for the next response: it must be known that nothing does. */
void
fetch_leave_connection(struct fetch *f)
{
    bool keep = f->framing.keep_alive && !f->body_cut && f->framing.kind != BODY_EOF && f->rx_taken == f->rx_bytes;
    if (keep && f->bc != NULL)
        f->server->counters->backend_recycle++;
    leave(f, keep);
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
    if (text.ptr != NULL && span_eq(text, message_get(m, NAME_CONTENT_LENGTH)))
        return 0;                       /* as the client said */
    return text.ptr == NULL ? ERR_NOMEM : message_set(m, NAME_CONTENT_LENGTH, SPAN_NULL, text);
}

static int
write_failed(struct fetch *f, int err)
{
    return broken_errno(f, err, "backend write error", err == ERR_TIMEOUT ? EAGAIN : errno, CLOSE_TX_ERROR);
}

static int
send_head(struct fetch *f)
{
    size_t cap = http1_head_size(&f->bereq);
    char *buf = arena_alloc(&f->arena, cap);
    if (buf == NULL)
        return broken(f, ERR_NOMEM, "out of workspace", CLOSE_OVERLOAD);
    ssize_t n = http1_write_request(&f->bereq, buf, cap);
    if (n < 0)
        return broken(f, (int)n, "request head does not fit", CLOSE_OVERLOAD);
    struct iovec iov = { buf, (size_t)n };
    int err = conn_write(&f->bc->conn, &iov, 1, deadline_in(f, params.send_timeout_s));
    if (err != 0)
        return write_failed(f, err);
    f->bytes.bereq_head += (uint64_t)n;
    return 0;
}

static int
send_piece(struct fetch *f, struct span piece, bool chunked)
{
    char size[24];
    struct iovec iov[3];
    int k = 0;
    if (chunked)
        iov[k++] = (struct iovec){ size, http1_write_chunk_size(size, piece.len) };
    iov[k++] = (struct iovec){ (void *)(uintptr_t)piece.ptr, piece.len };
    if (chunked)
        iov[k++] = (struct iovec){ (void *)(uintptr_t)"\r\n", 2 };
    for (int i = 0; i < k; i++)
        f->bytes.bereq_body += iov[i].iov_len;
    return conn_write(&f->bc->conn, iov, k, deadline_in(f, params.send_timeout_s));
}

static int
no_request_body(struct fetch *f, ssize_t err)
{
    return broken_errno(f, ERR_CANCELLED, "req.body read error", err == ERR_TIMEOUT ? EAGAIN : 0, CLOSE_RX_BODY);
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
    f->body_at = 0;
    for (;;) {
        struct span piece;
        ssize_t n = request_body_next(r, &f->body_at, &piece, deadline_in(f, params.timeout_idle_s));
        if (n < 0)
            return no_request_body(f, n);
        if (n == 0)
            break;
        f->body_cut = send_piece(f, piece, chunked) != 0;
        if (f->body_cut)
            return 0;
        fiber_yield_if_due();
    }
    struct iovec end = { (void *)(uintptr_t)"0\r\n\r\n", 5 };
    if (chunked) {
        f->bytes.bereq_body += end.iov_len;
        f->body_cut = conn_write(&f->bc->conn, &end, 1, deadline_in(f, params.send_timeout_s)) != 0;
    }
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

/* The first line of what should have been a response. */
static void
log_garbage(struct fetch *f)
{
    const char *p = f->rx + f->rx_taken, *end = memchr(p, '\n', f->rx_bytes - f->rx_taken);
    size_t n = end == NULL ? f->rx_bytes - f->rx_taken : (size_t)(end - p);
    log_text(&f->log, TAG_HTTP_GARBAGE, span_trim(span_of(p, n)));
}

static int
no_head(struct fetch *f, ssize_t n)
{
    bool nothing = f->rx_bytes == 0;
    f->bytes.beresp_head += f->rx_bytes;
    if (n == ERR_TIMEOUT) {
        const char *why = !nothing ? "timeout" : f->bc->reused ? "first byte timeout (reused connection)" : "first byte timeout";
        return broken(f, ERR_TIMEOUT, why, CLOSE_RX_TIMEOUT);
    }
    if (n == ERR_LIMIT)
        return broken(f, ERR_LIMIT, "overflow", CLOSE_RX_OVERFLOW);
    return broken(f, nothing ? ERR_EOF : ERR_SYNTAX, "HTC eof (-1)", CLOSE_RX_BAD);
}

/* All of the head must be there within first_byte_timeout, and between_bytes_timeout counts too once it has begun. */
static nsec
head_deadline(const struct fetch *f, nsec first_byte)
{
    if (f->rx_bytes == 0)
        return first_byte;
    nsec next = deadline_in(f, either(f->vars.between_bytes_timeout, backend_between_bytes_timeout(f->backend)));
    return next < first_byte ? next : first_byte;
}

static int
read_head(struct fetch *f)
{
    struct http1_error e = { .status = 503, .why = "malformed" };
    if (f->rx == NULL && (f->rx = server_buffer_take(f->server)) == NULL)
        return broken(f, ERR_NOMEM, "out of memory", CLOSE_OVERLOAD);
    size_t cap = server_buffer_bytes(f->rx);
    f->rx_bytes = f->rx_taken = 0;
    nsec deadline = deadline_in(f, either(f->vars.first_byte_timeout, backend_first_byte_timeout(f->backend)));
    for (;;) {
        ssize_t n = ERR_LIMIT;
        if (f->rx_bytes < cap)
            n = conn_read(&f->bc->conn, f->rx + f->rx_bytes, cap - f->rx_bytes, head_deadline(f, deadline));
        if (n <= 0)
            return no_head(f, n);
        f->rx_bytes += (size_t)n;
        n = parse_final_head(f, &e);
        if (n < 0) {
            f->bytes.beresp_head += f->rx_bytes;
            log_garbage(f);
            return broken(f, ERR_SYNTAX, "http format error", CLOSE_RX_JUNK);
        }
        if (n > 0) {
            f->rx_taken += (size_t)n;
            f->bytes.beresp_head += f->rx_taken;
            return 0;
        }
    }
}

static void
count_response(struct fetch *f)
{
    struct counters *n = f->server->counters;
    if (span_eq(f->bereq.method, SPAN_LIT("HEAD")))
        n->fetch_head++;
    else if (f->beresp.status == 204)
        n->fetch_204++;
    else if (f->beresp.status == 304)
        n->fetch_304++;
    else
        switch (f->framing.kind) {
        case BODY_NONE:
            n->fetch_none++;
            break;
        case BODY_LENGTH:
            n->fetch_length += f->framing.length > 0;
            n->fetch_none += f->framing.length == 0;
            break;
        case BODY_CHUNKED:
            n->fetch_chunked++;
            break;
        case BODY_EOF:
            n->fetch_eof++;
            break;
        }
}

static int
understand_head(struct fetch *f)
{
    struct http1_error e = { .status = 503, .why = "malformed" };
    bool switched = f->beresp.status == 101;    /* outside of a pipe */
    if (!switched && http1_response_framing(&f->beresp, f->bereq.method, &f->framing, &e) == 0) {
        count_response(f);
        return 0;
    }
    if (switched)
        f->server->counters->fetch_1xx++;
    else
        f->server->counters->fetch_bad++;
    f->why = switched ? "the origin switched protocols outside of a pipe" : e.why;
    f->bc->close_why = CLOSE_RX_BODY;
    log_text(&f->log, TAG_ERROR, SPAN_LIT("Body cannot be fetched"));
    return ERR_SYNTAX;
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
backend_failed(struct fetch *f, int err, const char *why, int number)
{
    struct span name = backend_name(f->backend);
    f->why = why;
    if (err == ERR_BUSY || err == ERR_SICK)
        log_printf(&f->log, TAG_FETCH_ERROR, "backend %.*s: %s", (int)name.len, name.ptr, why);
    else
        log_printf(&f->log, TAG_FETCH_ERROR, "backend %.*s: fail errno %d (%s)", (int)name.len, name.ptr, number, strerror(number));
    return err;
}

static int
open_connection(struct fetch *f, bool fresh)
{
    double wait = either(f->vars.connect_timeout, backend_connect_timeout(f->backend));
    struct counters *n = f->server->counters;
    int err = backend_get_for(f->backend, f->loop, wait, fresh, &f->client, &f->bc), number = errno;
    if (err == ERR_BUSY) {
        n->backend_busy++;
        return backend_failed(f, err, "busy", 0);
    }
    if (err == ERR_SICK) {
        n->backend_unhealthy++;
        return backend_failed(f, err, "unhealthy", 0);
    }
    if (err != 0) {
        n->backend_fail++;
        return backend_failed(f, err, "connecting to the backend failed", number);
    }
    if (f->bc->reused)
        n->backend_reuse++;
    else
        n->backend_conn++;
    n->backend_req++;
    log_timestamp(&f->log, "Connected", clock_real_ns());
    backend_log_open(f->bc, &f->log);
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
    if (err == 0) {
        log_timestamp(&f->log, "Bereq", clock_real_ns());
        err = read_head(f);
    }
    if (err != 0)
        fetch_drop_connection(f);
    return err;
}

static int
resolve(struct fetch *f)
{
    f->backend = director_resolve(f->vars.backend, &f->ctx);
    if (f->backend != NULL && f->backend == director_backend(f->vars.backend) && !backend_is_real(f->backend))
        f->backend = NULL;
    f->vars.used = f->backend;
    if (f->backend != NULL)
        return 0;
    f->server->counters->backend_unhealthy++;
    struct span name = f->vars.backend->name;
    f->why = "no healthy backend";
    if (director_backend(f->vars.backend) != NULL)
        log_text(&f->log, TAG_FETCH_ERROR, SPAN_LIT("No backend"));
    else
        log_printf(&f->log, TAG_FETCH_ERROR, "Director %.*s returned no backend", (int)name.len, name.ptr);
    return ERR_SICK;
}

static int
prepare(struct fetch *f)
{
    int err = bereq_set_host(&f->bereq, backend_host_header(f->backend));
    if (err == 0)
        err = frame_request(f);
    if (err == 0)
        err = message_init(&f->beresp, &f->arena, params.http_max_hdr + 16);
    return err != 0 || f->bereq.failed ? fetch_failed(f, ERR_NOMEM, "out of workspace") : 0;
}

static int
exchange(struct fetch *f)
{
    bool reused = false;
    int err = resolve(f);
    if (err == 0)
        err = prepare(f);
    if (err != 0)
        return err;
    err = has_request_body(f) ? request_body_ahead(f->request, deadline_in(f, params.timeout_idle_s)) : 0;
    if (err != 0)
        return no_request_body(f, err);
    f->request_time = loop_real(f->loop);
    err = exchange_once(f, false, &reused);
    if (err != 0 && may_try_again(f, err, reused)) {
        f->server->counters->backend_retry++;
        err = exchange_once(f, true, &reused);
    }
    f->response_time = loop_real(f->loop);
    return err;
}

int
fetch_exchange(struct fetch *f)
{
    log_timestamp(&f->log, "Fetch", clock_real_ns());
    int err = exchange(f);
    log_timestamp(&f->log, "Beresp", clock_real_ns());
    if (err != 0)
        return err;
    message_log(&f->beresp, &f->log, TAG_BERESP);
    err = understand_head(f);
    if (err != 0)
        fetch_drop_connection(f);
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
            return fetch_failed(f, ERR_CANCELLED, "Pass delivery abandoned");
        fiber_park();
    }
    return object_abandoned(f->busy) ? fetch_failed(f, ERR_CANCELLED, "Pass delivery abandoned") : 0;
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
read_failed(struct fetch *f, ssize_t n, const char *why)
{
    if (n < 0)
        log_text(&f->log, TAG_FETCH_ERROR, span_str(strerror(n == ERR_TIMEOUT ? EAGAIN : ECONNRESET)));
    return fetch_failed(f, n == 0 ? ERR_EOF : (int)n, why);
}

static int
space(struct fetch *f, uint64_t hint, char **p, size_t *n)
{
    int err = make_room(f);
    if (err != 0)
        return err;
    size_t most = params.fetch_piece_bytes > 0 ? params.fetch_piece_bytes : SIZE_MAX;
    size_t want = hint < params.fetch_chunksize_bytes ? (size_t)hint : params.fetch_chunksize_bytes;
    err = object_body_space(f->busy, want < most ? want : most, p, n);
    *n = err == 0 && *n > most ? most : *n;
    return err == 0 ? 0 : fetch_failed(f, err, "Could not get storage");
}

static void
commit(struct fetch *f, size_t n)
{
    object_body_commit(f->busy, n);
    f->bytes.beresp_body += n;
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
            return read_failed(f, got, to_end ? "eof socket fail" : "straight insufficient bytes");
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
            return fetch_failed(f, r, d->why);
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
            return read_failed(f, got, "chunked insufficient bytes");
        f->rx_bytes = (size_t)got;
        fiber_yield_if_due();
    }
}

static int
read_body(struct fetch *f)
{
    switch (f->framing.kind) {
    case BODY_NONE:
        break;
    case BODY_LENGTH:
        return body_plain(f, f->framing.length, false);
    case BODY_CHUNKED:
        return body_chunked(f);
    case BODY_EOF:
        return body_plain(f, UINT64_MAX, true);
    }
    return 0;
}

int
fetch_body(struct fetch *f)
{
    if (in_transit(f))
        object_on_reader(f->busy, &f->reader, f->loop, reader_moved);
    int err = read_body(f);
    if (f->reader.object != NULL)
        object_unwatch(&f->reader);
    if (err == 0)
        fetch_leave_connection(f);
    else if (f->bc != NULL)
        f->bc->close_why = CLOSE_RX_BODY;
    fetch_drop_connection(f);
    return err;
}
