/* Request bodies of HTTP/2 streams. Content waits in the stream until its fiber reads it, at most as much as
 * the stream's window allows; windows open as the fiber reads (RFC 9113, 5.2). */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "base/size.h"
#include "cache/store.h"
#include "loop/fiber.h"
#include "stream/h2/stream.h"

#define BODY_BYTES_MIN 4096u

/* ---- windows ---- */

/* The connection's window is open for as much as all streams may send: a stream that nobody reads must not
 * stop the others. `last`: one of them has ended, so small requests need no more. */
static void
open_connection(struct h2_connection *c, bool last)
{
    int64_t low = (int64_t)params.h2_rx_window_low_water_bytes;
    uint32_t step = (uint32_t)params.h2_rx_window_increment_bytes;
    if (last && low > H2_WINDOW_DEFAULT / 2)
        low = H2_WINDOW_DEFAULT / 2;
    if (c->receive_window >= low || c->receive_window + step > H2_WINDOW_MAX)
        return;
    c->receive_window += step;
    h2_out_window(c, 0, step);
}

/* The stream's window grows as far as its buffer has room. */
static void
open_stream(struct h2_stream *h)
{
    const struct h2_connection *c = h->connection;
    if (h->remote_ended || h->cut || h->receive_window >= (int64_t)params.h2_rx_window_low_water_bytes)
        return;
    int64_t room = (int64_t)c->settings_window - h->body_bytes - h->receive_window;
    int64_t step = (int64_t)params.h2_rx_window_increment_bytes;
    if (room > step)
        room = step;
    if (room <= 0)
        return;
    h->receive_window += room;
    h2_out_window(h->connection, h->id, (uint32_t)room);
}

/* ---- the buffer ---- */

static struct storage *
storage_of(const struct h2_stream *h)
{
    return h->connection->wire->session.service->bodies;
}

void
h2_stream_drop_body(struct h2_stream *h)
{
    if (h->body != NULL)
        store_give(storage_of(h), USE_BODIES, h->body_cap);
    free(h->body);
    h->body = NULL;
    h->body_cap = h->body_at = h->body_bytes = 0;
}

/* A body of known length that fits the window gets its size at once. */
static size_t
wanted_cap(const struct h2_stream *h, size_t need)
{
    const struct content *content = &h->stream.content;
    if (content->kind == CONTENT_KNOWN && content->bytes <= h->connection->settings_window)
        return max_size(need, (size_t)content->bytes);
    size_t cap = max_size(BODY_BYTES_MIN, h->body_cap);
    while (cap < need)
        cap *= 2;
    return cap;
}

static bool
grow(struct h2_stream *h, size_t need)
{
    size_t cap = wanted_cap(h, need);
    if (store_take(storage_of(h), USE_BODIES, cap) != 0)
        return false;
    char *grown = malloc(cap);
    if (grown == NULL) {
        store_give(storage_of(h), USE_BODIES, cap);
        return false;
    }
    size_t first = min_size(h->body_bytes, h->body_cap - h->body_at);
    if (h->body_bytes > 0) {
        memcpy(grown, h->body + h->body_at, first);
        memcpy(grown + first, h->body, h->body_bytes - first);
    }
    uint32_t n = h->body_bytes;
    h2_stream_drop_body(h);
    h->body = grown;
    h->body_cap = (uint32_t)cap;
    h->body_bytes = n;
    return true;
}

/* To the fiber that waits. Returns the bytes taken. */
static size_t
put_direct(struct h2_stream *h, const char *bytes, size_t n)
{
    n = min_size(n, h->direct_room - h->direct_bytes);
    if (n == 0 || h->body_bytes > 0)
        return 0;
    memcpy(h->direct + h->direct_bytes, bytes, n);
    h->direct_bytes += n;
    return n;
}

static bool
put_body(struct h2_stream *h, const char *bytes, size_t n)
{
    size_t direct = put_direct(h, bytes, n);
    bytes += direct;
    n -= direct;
    if (n == 0)
        return true;
    if (h->body_bytes + n > h->body_cap && !grow(h, h->body_bytes + n))
        return false;
    size_t at = (h->body_at + h->body_bytes) % h->body_cap, first = min_size(n, h->body_cap - at);
    memcpy(h->body + at, bytes, first);
    memcpy(h->body, bytes + first, n - first);
    h->body_bytes += (uint32_t)n;
    return true;
}

static size_t
take_body(struct h2_stream *h, char *out, size_t n)
{
    n = min_size(n, h->body_bytes);
    size_t first = min_size(n, h->body_cap - h->body_at);
    memcpy(out, h->body + h->body_at, first);
    memcpy(out + first, h->body, n - first);
    h->body_at = (uint32_t)((h->body_at + n) % h->body_cap);
    h->body_bytes -= (uint32_t)n;
    return n;
}

/* ---- tunnels ---- */

/* The waiter is called once for all frames of a read. */
static void
tunnel_due(struct h2_stream *h)
{
    h->due = h->in_tunnel;
    h->connection->tunnels_due |= h->in_tunnel;
}

static void
give_tunnel(struct h2_stream *h, void *arg)
{
    (void)arg;
    if (h->due && !h->cut) {
        h->due = false;
        stream_turn(&h->stream, SIZE_MAX);
    }
}

void
h2_give_tunnels(struct h2_connection *c)
{
    if (!c->tunnels_due)
        return;
    c->tunnels_due = false;
    h2_each_stream(c, give_tunnel, NULL);
}

/* ---- frames ---- */

void
h2_stream_wake(struct h2_stream *h)
{
    if (h->reader != NULL)
        fiber_wake(h->reader);
}

void
h2_stream_remote_ended(struct h2_stream *h)
{
    const struct content *content = &h->stream.content;
    h->remote_ended = true;
    tunnel_due(h);
    if (content->kind == CONTENT_KNOWN && h->received != content->bytes) {
        h->malformed = true;
        h2_stream_fault(h, H2_PROTOCOL_ERROR);
        return;
    }
    h2_stream_wake(h);
}

/* Is the frame more than the head announced? */
static bool
is_too_long(const struct h2_stream *h, size_t n)
{
    const struct content *content = &h->stream.content;
    return content->kind == CONTENT_KNOWN && h->received + n > content->bytes;
}

/* Nobody reads padding: a window that it has used up would never open again. */
static void
take_padding(struct h2_stream *h, uint32_t padding)
{
    if (padding > 0 && h->receive_window < h->connection->settings_window / 2)
        open_stream(h);
}

static void
take_content(struct h2_stream *h, const struct h2_frame *f, const char *bytes, size_t n)
{
    if ((f->flags & H2_END_STREAM) != 0 && n == 0) {
        h2_stream_remote_ended(h);
        return;
    }
    if (is_too_long(h, n)) {
        h->malformed = true;
        h2_stream_fault(h, H2_PROTOCOL_ERROR);
        return;
    }
    if (n > 0 && !put_body(h, bytes, n)) {
        h2_stream_cut(h, H2_INTERNAL_ERROR, true);
        return;
    }
    h->received += n;
    take_padding(h, f->bytes - (uint32_t)n);
    if ((f->flags & H2_END_STREAM) != 0) {
        h2_stream_remote_ended(h);
        return;
    }
    tunnel_due(h);
    if (h->direct_bytes > 0) /* the fiber has it: the window opens before the next frame is read */
        open_stream(h);
    h2_stream_wake(h);
}

/* Content of a closed stream counts for the connection, and is dropped. In 4.x without a word. */
static void
closed_stream(struct h2_connection *c, uint32_t id)
{
    if (h2_answers_as_rfc() && !h2_out_has_reset(c, id, false) && h2_charge(c, H2_COST_CONTROL, 1))
        h2_out_reset(c, id, H2_STREAM_CLOSED);
}

enum h2_error
h2_on_data(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    size_t padding = (f->flags & H2_PADDED) == 0 ? 0 : f->bytes == 0 ? 1 : 1u + (unsigned char)payload[0];
    if (padding > f->bytes)
        return H2_PROTOCOL_ERROR;
    if (f->bytes > c->receive_window)
        return H2_FLOW_CONTROL_ERROR;
    c->receive_window -= f->bytes;
    struct h2_stream *h = h2_find(c, f->stream);
    bool message = h != NULL && h->in_tunnel && f->bytes > padding; /* small ones are usual there */
    if ((f->flags & H2_END_STREAM) == 0 && !message && f->bytes - padding < H2_TINY_BYTES &&
        !h2_charge(c, f->bytes == padding ? H2_COST_EMPTY : H2_COST_TINY, 1))
        return H2_NO_ERROR;
    open_connection(c, (f->flags & H2_END_STREAM) != 0);
    if (h == NULL || h->cut) {
        closed_stream(c, f->stream);
        return H2_NO_ERROR;
    }
    if (h->remote_ended) {
        h2_stream_fault(h, H2_STREAM_CLOSED);
        return H2_NO_ERROR;
    }
    if (f->bytes > h->receive_window) {
        h2_stream_fault(h, H2_FLOW_CONTROL_ERROR);
        return H2_NO_ERROR;
    }
    h->receive_window -= f->bytes;
    take_content(h, f, payload + (padding > 0), f->bytes - padding);
    return H2_NO_ERROR;
}

/* ---- the fiber ---- */

static bool
nothing_to_read(const struct h2_stream *h)
{
    return h->body_bytes == 0 && !h->remote_ended && !h->cut && !h->stopped;
}

/* Returns the bytes received, 0 if there is another end of the wait, or an error. */
static ssize_t
wait_for_content(struct h2_stream *h, char *buf, size_t n, nsec deadline)
{
    int err = 0;
    h->stopped = false;
    CHECK(h->reader == NULL);
    h->reader = fiber_current();
    h->direct = buf;
    h->direct_room = n;
    h->direct_bytes = 0;
    while (err == 0 && h->direct_bytes == 0 && nothing_to_read(h))
        err = fiber_park_until(deadline);
    size_t got = h->direct_bytes;
    h->reader = NULL;
    h->direct_room = h->direct_bytes = 0;
    bool stopped = h->stopped;
    h->stopped = false; /* the next call must not take it for the end of the body */
    if (got > 0)
        return (ssize_t)got;
    return stopped ? ERR_AGAIN : nothing_to_read(h) ? err : 0;
}

static void
log_broken(struct h2_stream *h)
{
    log_text(h->stream.user->log, TAG_FETCH_ERROR,
             h->malformed ? SPAN_LIT("H2: content and Content-Length differ")
                          : SPAN_LIT("straight insufficient bytes"));
}

/* 0: the end of the content. */
static ssize_t
take_received(struct h2_stream *h, char *buf, size_t n)
{
    if (h->cut)
        return h->malformed ? ERR_SYNTAX : ERR_RESET;
    if (h->body_bytes == 0)
        return 0;
    n = take_body(h, buf, n);
    if (h->body_bytes == 0 && h->remote_ended)
        h2_stream_drop_body(h);
    open_stream(h);
    return (ssize_t)n;
}

static ssize_t
read_body(struct h2_stream *h, char *buf, size_t n, nsec deadline)
{
    if (nothing_to_read(h)) {
        ssize_t got = deadline == RECV_NOW ? ERR_AGAIN : wait_for_content(h, buf, n, deadline);
        if (got != 0)
            return got;
    }
    return take_received(h, buf, n);
}

ssize_t
h2_tunnel_read(struct stream *s, void *buf, size_t n)
{
    struct h2_stream *h = h2_stream_of(s);
    CHECK(h->in_tunnel && n > 0 && h->reader == NULL);
    ssize_t got = nothing_to_read(h) ? ERR_AGAIN : take_received(h, buf, n);
    if (got > 0)
        h2_budget_work(&h->connection->budget, (size_t)got / 1024);
    return got;
}

ssize_t
h2_stream_recv_body(struct stream *s, void *buf, size_t n, nsec deadline)
{
    struct h2_stream *h = h2_stream_of(s);
    if (n == 0)
        return 0;
    int err = s->continue_due ? h2_stream_send_interim(s, 100, NULL, deadline) : 0;
    ssize_t got = err != 0 ? err : read_body(h, buf, n, deadline);
    if (got < 0 && got != ERR_AGAIN)
        log_broken(h);
    if (got > 0) {
        s->bytes.req_body += (uint64_t)got;
        h2_budget_work(&h->connection->budget, (size_t)got / 1024);
        h2_counters(h->connection)->s_req_bodybytes += (uint64_t)got;
    }
    return got;
}

void
h2_stream_stop_receiving(struct stream *s)
{
    struct h2_stream *h = h2_stream_of(s);
    h->stopped = h->reader != NULL;
    h2_stream_wake(h);
}

bool
h2_stream_body_unread(const struct stream *s)
{
    const struct h2_stream *h = h2_stream_of(s);
    return h->body_bytes > 0 || !h->remote_ended;
}
