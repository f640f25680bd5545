/* The state machine that moves body bytes from a source to a stream. Its entries are deliver_start (on the
 * fiber of the request), on_turn (the stream), on_moved (the source) and on_timer. Each entry pumps until it
 * has to wait. See deliver.h. */
#include "proxy/deliver.h"

#include "base/check.h"
#include "base/params.h"
#include "http/trailers.h"
#include "log/counters.h"

#define PUMP_IOV 16
#define PUMP_BYTES (1024 * 1024)    /* offered to the stream at once */
#define TURN_BYTES (4 * PUMP_BYTES) /* bytes after which other work of this loop has its turn */
#define PUMP_ROUNDS 16 /* pieces after which it has its turn, if the pieces are small or skipped */

enum pump {
    PUMP_DONE,
    PUMP_WAIT_CLIENT,
    PUMP_WAIT_RELEASE,
    PUMP_WAIT_SOURCE,
    PUMP_WAIT_TURN,
    PUMP_AGAIN,
    PUMP_BROKEN
};

static size_t
limit(uint64_t want, size_t max)
{
    return want < max ? (size_t)want : max;
}

static void
close_source(struct delivery *d)
{
    if (d->source != NULL)
        source_close(d->source);
    d->source = NULL;
}

void
deliver_nothing(struct delivery *d)
{
    DEBUG_CHECK(!d->watching);
    close_source(d);
    d->trailers_of = NULL;
    d->skip = 0;
    d->left = UINT64_MAX;
}

void
deliver_object(struct delivery *d, struct object *object)
{
    deliver_nothing(d);
    d->source = object_source_init(&d->own.object, object, &object->body);
}

void
deliver_second_form(struct delivery *d, struct object *object, const struct body *form)
{
    deliver_nothing(d);
    d->source = object_source_init(&d->own.object, object, form);
}

void
deliver_partial(struct delivery *d, struct request *r, struct object *object, struct hole **hole)
{
    deliver_nothing(d);
    d->source = partial_source_init(&d->own.partial, r, object, hole);
}

void
deliver_text(struct delivery *d, struct span text)
{
    deliver_nothing(d);
    d->source = text_source_init(&d->own.text, text);
}

/* Skips the bytes before the range as they become available, in turns: a filter may have to make every
 * skipped byte. False: no more bytes for now, as `then` says. */
static bool
skip_ahead(struct delivery *d, struct iovec *iov, enum source_state *then)
{
    for (int i = 0; d->skip > 0 && i < PUMP_ROUNDS; i++) {
        int n = d->source->ops->gather(d->source, iov, PUMP_IOV, limit(d->skip, SIZE_MAX), then);
        if (n == 0)
            return false;
        size_t have = iov_bytes(iov, n);
        DEBUG_CHECK(have <= d->skip);
        d->source->ops->advance(d->source, have, 0);
        d->skip -= have;
    }
    if (d->skip > 0)
        *then = SOURCE_BUSY;
    return d->skip == 0;
}

static size_t
at_once(const struct delivery *d)
{
    return limit(d->left, d->budget < PUMP_BYTES ? d->budget : PUMP_BYTES);
}

static int
gather(struct delivery *d, struct iovec *iov, enum source_state *then)
{
    *then = SOURCE_END;
    if (d->source == NULL || !skip_ahead(d, iov, then))
        return 0;
    int n = d->source->ops->gather(d->source, iov, PUMP_IOV, at_once(d), then);
    DEBUG_CHECK(iov_bytes(iov, n) <= d->left);
    if (iov_bytes(iov, n) == d->left)
        *then = SOURCE_END;
    return n;
}

static bool
gather_file(struct delivery *d, struct body_file *file, enum source_state *then)
{
    bool can = d->stream->takes_files && d->source != NULL && d->source->ops->file != NULL && d->skip == 0;
    if (!can || !d->source->ops->file(d->source, at_once(d), file, then))
        return false;
    DEBUG_CHECK(file->bytes > 0 && file->bytes <= d->left);
    if (file->bytes == d->left)
        *then = SOURCE_END;
    return true;
}

static uint64_t
held(const struct delivery *d)
{
    CHECK(d->stream->released <= d->stream->taken);
    return d->stream->taken - d->stream->released;
}

static void
advance(struct delivery *d, size_t n)
{
    CHECK(d->left == UINT64_MAX || n <= d->left);
    d->sent_bytes += n;
    d->budget -= n < d->budget ? n : d->budget;
    if (d->left != UINT64_MAX)
        d->left -= n;
    if (n > 0 || d->held)
        d->source->ops->advance(d->source, n, held(d));
    d->held = held(d) > 0;
}

static enum pump
nothing_given(struct delivery *d, enum source_state then)
{
    DEBUG_CHECK(then != SOURCE_END && then != SOURCE_FAILED);
    if (then == SOURCE_BUSY)
        return PUMP_WAIT_TURN;
    if (then != SOURCE_HELD)
        return PUMP_WAIT_SOURCE;
    d->starved = d->held; /* otherwise the stream has just released all bytes */
    return d->starved ? PUMP_WAIT_RELEASE : PUMP_AGAIN;
}

/* The bytes that were taken go out before the response breaks off, also the head alone. The end of the
 * request frees the body, so wait until the stream has released the taken bytes. */
static enum pump
source_failed(struct delivery *d)
{
    CHECK(!d->last_sent);
    struct stream *s = d->stream;
    ssize_t sent = s->unsent > 0 || s->taken == 0 ? s->ops->send_body(s, NULL, 0, false) : 0;
    if (s->unsent > 0 && (sent >= 0 || sent == ERR_AGAIN))
        return PUMP_WAIT_CLIENT;
    d->starved = held(d) > 0;
    return d->starved ? PUMP_WAIT_RELEASE : PUMP_BROKEN;
}

/* Is it time for the trailer fields: after the last byte of the body? */
static bool
are_trailers_due(const struct delivery *d)
{
    return !d->last_sent && d->trailers_of != NULL && object_trailers(d->trailers_of).ptr != NULL;
}

/* Sends the trailer fields. Without memory, or if the framing cannot carry them, the body ends without. */
static void
send_trailers(struct delivery *d)
{
    CHECK(d->last_sent && d->trailers_of != NULL);
    struct http_message m = { 0 };
    if (message_init(&m, d->stream->user->arena, TRAILER_FIELDS_MAX) == 0 &&
        trailers_parse(object_trailers(d->trailers_of), &m) == 0)
        (void)d->stream->ops->send_trailers(d->stream, &m);
}

static enum pump
pump_once(struct delivery *d)
{
    struct iovec iov[PUMP_IOV];
    enum source_state then = SOURCE_END;
    d->starved = false;
    struct body_file file = { .fd = -1 };
    bool by_file = !d->last_sent && gather_file(d, &file, &then);
    int n = d->last_sent || by_file ? 0 : gather(d, iov, &then);
    if (n == 0 && !by_file && then == SOURCE_FAILED)
        return source_failed(d);
    bool complete = then == SOURCE_END, trailed = complete && are_trailers_due(d);
    size_t offered = by_file ? file.bytes : iov_bytes(iov, n);
    ssize_t taken = by_file ? d->stream->ops->send_file(d->stream, file.fd, file.at, file.bytes, complete)
                            : d->stream->ops->send_body(d->stream, iov, n, complete && !trailed);
    if (taken == ERR_AGAIN)
        return PUMP_WAIT_CLIENT;
    if (taken < 0)
        return PUMP_BROKEN;
    DEBUG_CHECK((size_t)taken <= offered);
    advance(d, (size_t)taken);
    if (complete && (size_t)taken == offered)
        d->last_sent = true;
    if (trailed && d->last_sent) {
        send_trailers(d);
        return PUMP_AGAIN;
    }
    if (d->stream->unsent > 0 || (d->budget == 0 && !d->last_sent))
        return PUMP_WAIT_CLIENT;
    /* The stream took a whole chunk, or the socket is full: the next call shows which */
    if ((size_t)taken < offered)
        return PUMP_AGAIN;
    if (d->last_sent)
        return d->stream->released == d->stream->taken ? PUMP_DONE : PUMP_WAIT_RELEASE;
    return offered > 0 ? PUMP_AGAIN : nothing_given(d, then);
}

static void pump(struct delivery *d);

static void
on_turn(struct stream_waiter *w, size_t budget)
{
    struct delivery *d = container_of(w, struct delivery, waiter);
    DEBUG_CHECK(d->stream->waiter == w);
    d->budget = budget;
    pump(d);
}

static void
on_released(struct stream_waiter *w)
{
    struct delivery *d = container_of(w, struct delivery, waiter);
    DEBUG_CHECK(d->stream->waiter == w);
    if (d->held)
        advance(d, 0);
    if (d->last_sent || d->starved)
        pump(d);
}

static void
on_reset(struct stream_waiter *w)
{
    pump(container_of(w, struct delivery, waiter));
}

static void
on_moved(struct body_source *s)
{
    struct delivery *d = s->user;
    DEBUG_CHECK(d->watching && d->source == s);
    pump(d);
}

static void
on_timer(struct timer *t)
{
    struct delivery *d = container_of(t, struct delivery, timer);
    if (d->waiting_client) { /* idle_send_timeout, send_timeout or response_rate_min has expired */
        nsec now = loop_now(d->loop);
        bool slow = now >= d->slow_at || now >= d->send_deadline;
        counters_here()->sess_slow_response += now >= d->slow_at;
        d->stream->ops->reset(d->stream, slow ? STREAM_SLOW : STREAM_IDLE);
    }
    pump(d);
}

static void
watch_source(struct delivery *d)
{
    CHECK(d->source != NULL && !d->watching);
    d->watching = true;
    d->source->user = d;
    d->source->moved = on_moved;
    d->source->ops->watch(d->source, d->loop);
}

/* Only time spent waiting for the client counts, not time in which the origin makes the client wait. */
static nsec
too_slow_at(const struct delivery *d, nsec now)
{
    if (params.response_rate_min_bytes == 0 || d->for_page)
        return NSEC_NEVER;
    return nsec_add(now,
                    nsec_of(params.rate_grace_s + (double)d->sent_bytes / params.response_rate_min_bytes) -
                        d->waited);
}

static nsec
client_deadline(struct delivery *d, nsec now)
{
    nsec until = nsec_add(now, d->idle_timeout);
    until = until < d->send_deadline ? until : d->send_deadline;
    d->slow_at = too_slow_at(d, now);
    return until < d->slow_at ? until : d->slow_at;
}

static void
arm(struct delivery *d, enum pump p)
{
    DEBUG_CHECK(p != PUMP_DONE && p != PUMP_BROKEN);
    nsec now = loop_now(d->loop);
    d->waited += d->waiting_client ? now - d->armed_at : 0;
    d->armed_at = now;
    bool waited = d->waiting_client && d->sent_bytes == d->sent_when_armed;
    d->waiting_client = p == PUMP_WAIT_CLIENT || p == PUMP_WAIT_RELEASE;
    if (p == PUMP_WAIT_RELEASE && d->last_sent && d->sent == 0)
        d->sent = loop_real(d->loop);
    d->sent_when_armed = d->sent_bytes;
    d->timer.fn = on_timer;
    if (p == PUMP_AGAIN || p == PUMP_WAIT_TURN)
        timer_set(d->loop, &d->timer, now);
    else if (d->waiting_client && !waited) { /* bytes of a growing object are not progress of the client */
        timer_set(d->loop, &d->timer, client_deadline(d, now));
    } else if (p == PUMP_WAIT_SOURCE)
        timer_cancel(d->loop, &d->timer);
    d->waiter.on_turn = on_turn;
    d->waiter.on_released = on_released;
    d->waiter.on_reset = on_reset;
    d->stream->waiter = &d->waiter;
}

/* Ends the delivery. If others still work for the source, waits until they are done. */
static int
end(struct delivery *d, int result)
{
    timer_cancel(d->loop, &d->timer);
    CHECK(d->source != NULL || !d->watching);
    if (d->source != NULL && !source_cancel(d->source)) {
        if (!d->watching)
            watch_source(d);
        return DELIVERY_PENDING;
    }
    if (d->watching)
        d->source->ops->unwatch(d->source);
    d->watching = false;
    d->stream->waiter = NULL;
    close_source(d);
    return result;
}

/* Pumps until it has to wait. 0, DELIVERY_PENDING or an error. */
static int
pump_and_wait(struct delivery *d)
{
    DEBUG_CHECK(loop_may_use(d->loop));
    enum pump p = PUMP_AGAIN;
    uint64_t turn_end = d->sent_bytes + TURN_BYTES;
    if (loop_now(d->loop) >= d->send_deadline)
        d->stream->ops->reset(d->stream, STREAM_SLOW);
    if (d->stream->broken)
        p = PUMP_BROKEN;
    for (int i = 0; p == PUMP_AGAIN && i < PUMP_ROUNDS && d->sent_bytes < turn_end; i++) {
        p = pump_once(d);
        if (p == PUMP_WAIT_SOURCE && !d->watching) {
            watch_source(d);
            p = PUMP_AGAIN; /* the source may have published before the watch began */
        }
    }
    if (p == PUMP_DONE)
        return end(d, 0);
    if (p == PUMP_BROKEN) {
        d->stream->ops->reset(d->stream, d->left != UINT64_MAX ? STREAM_RANGE_SHORT : STREAM_FAILED);
        return end(d, ERR_RESET);
    }
    arm(d, p);
    return DELIVERY_PENDING;
}

static void
pump(struct delivery *d)
{
    DEBUG_CHECK(d->done != NULL);
    const struct check_place *outside = check_here;
    check_here = d->place;
    int r = pump_and_wait(d);
    check_here = outside;
    if (r != DELIVERY_PENDING)
        d->done(d, r);
}

static void
on_row(struct loop_row *f)
{
    pump(container_of(f, struct delivery, row));
}

/* An include has no socket of its own. */
int
deliver_start(struct delivery *d)
{
    CHECK(d->done != NULL && d->stream->waiter == NULL && d->stream->taken == 0);
    d->budget = SIZE_MAX;
    d->row.fn = on_row;
    if (!d->for_page && loop_join_row(d->loop, &d->row))
        return DELIVERY_PENDING;
    return pump_and_wait(d);
}
