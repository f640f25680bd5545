/* The state machine that moves body bytes from an object to a stream. Entered from the request's fiber (deliver_start), from the
 * client's stream (on_turn), from the object (watch) and from the timer; each entry pumps until someone has to be waited
 * for. See deliver.h. */
#include "proxy/deliver.h"

#include "base/check.h"
#include "base/params.h"
#include "log/counters.h"

#define PUMP_IOV 16
#define PUMP_BYTES (256 * 1024)         /* offered at once */
#define PUMP_ROUNDS 16                  /* then others of this loop have their turn */

enum pump { PUMP_DONE, PUMP_WAIT_CLIENT, PUMP_WAIT_RELEASE, PUMP_WAIT_OBJECT, PUMP_AGAIN, PUMP_BROKEN };

static size_t
limit(uint64_t want, size_t max)
{
    return want < max ? (size_t)want : max;
}

/* Drops what lies before the range as soon as it is there. */
static void
skip_ahead(struct delivery *d)
{
    struct iovec iov[PUMP_IOV];
    while (d->skip > 0) {
        int n = object_body(d->object, &d->cursor, iov, PUMP_IOV, limit(d->skip, SIZE_MAX));
        size_t have = 0;
        for (int i = 0; i < n; i++)
            have += iov[i].iov_len;
        if (have == 0)
            return;
        have = limit(d->skip, have);
        object_body_advance(d->object, &d->cursor, have);
        d->skip -= have;
    }
}

static int
gather(struct delivery *d, struct iovec *iov, bool *complete, bool *failed)
{
    if (d->object == NULL) {
        *complete = true;
        if (d->text.len == 0)
            return 0;
        iov[0] = (struct iovec){ (void *)(uintptr_t)d->text.ptr, d->text.len };
        return 1;
    }
    enum object_state state = object_state(d->object);      /* before the body: COMPLETE means its length is final */
    *failed = state == OBJECT_FAILED;
    skip_ahead(d);
    if (d->skip > 0) {
        *complete = state == OBJECT_COMPLETE;
        return 0;
    }
    int n = object_body(d->object, &d->cursor, iov, PUMP_IOV, limit(d->left, d->budget < PUMP_BYTES ? d->budget : PUMP_BYTES));
    size_t have = 0;
    for (int i = 0; i < n; i++)
        have += iov[i].iov_len;
    /* All that is left is in these iovecs, unless the window cut them. */
    *complete = have == d->left || (state == OBJECT_COMPLETE && d->cursor.at + have == atomic_load(&d->object->body_bytes));
    return n;
}

/* Memory of a private object is freed behind the cursor that advances: only as far as the stream has released it. */
static void
release_body(struct delivery *d)
{
    uint64_t n = d->stream->released - d->released_bytes;
    CHECK(d->behind && d->stream->released <= d->stream->taken);
    d->released_bytes += n;
    object_body_advance(d->object, &d->released, (size_t)n);
    if (d->released_bytes < d->stream->taken)
        return;
    d->cursor = d->released;            /* the segment it was in may be gone now */
    d->behind = false;
}

static void
advance_object(struct delivery *d, size_t n)
{
    const struct stream *s = d->stream;
    if (!d->behind && s->released == s->taken) {
        object_body_advance(d->object, &d->cursor, n);
        return;
    }
    if (!d->behind) {
        d->behind = true;
        d->released = d->cursor;
        d->released_bytes = s->taken - n;
    }
    object_body_pass(d->object, &d->cursor, n);
    release_body(d);
}

static void
advance(struct delivery *d, size_t n)
{
    d->sent_bytes += n;
    d->budget -= n < d->budget ? n : d->budget;
    if (d->object == NULL) {
        d->text.ptr += n;
        d->text.len -= n;
        return;
    }
    advance_object(d, n);
    if (d->left != UINT64_MAX)
        d->left -= n;
}

static enum pump
pump_once(struct delivery *d)
{
    struct iovec iov[PUMP_IOV];
    bool complete = false, failed = false;
    int n = d->last_sent ? 0 : gather(d, iov, &complete, &failed);
    if (n == 0 && failed)
        return PUMP_BROKEN;
    size_t offered = 0;
    for (int i = 0; i < n; i++)
        offered += iov[i].iov_len;
    ssize_t taken = d->stream->ops->send_body(d->stream, iov, n, complete || d->last_sent);
    if (taken == ERR_AGAIN)
        return PUMP_WAIT_CLIENT;
    if (taken < 0)
        return PUMP_BROKEN;
    advance(d, (size_t)taken);
    if (complete && (size_t)taken == offered)
        d->last_sent = true;
    if (d->stream->unsent > 0 || (d->budget == 0 && !d->last_sent))
        return PUMP_WAIT_CLIENT;
    if ((size_t)taken < offered)        /* the stream took what it had announced (a chunk), or the socket is full: it will tell */
        return PUMP_AGAIN;
    if (d->last_sent)
        return d->stream->released == d->stream->taken ? PUMP_DONE : PUMP_WAIT_RELEASE;
    return n == 0 ? PUMP_WAIT_OBJECT : PUMP_AGAIN;
}

static void pump(struct delivery *d);

static void
on_turn(struct stream_waiter *w, size_t budget)
{
    struct delivery *d = container_of(w, struct delivery, waiter);
    d->budget = budget;
    pump(d);
}

static void
on_released(struct stream_waiter *w)
{
    struct delivery *d = container_of(w, struct delivery, waiter);
    if (d->behind)
        release_body(d);
    if (d->last_sent)
        pump(d);
}

static void
on_reset(struct stream_waiter *w)
{
    pump(container_of(w, struct delivery, waiter));
}

static void
on_object(struct watch *w)
{
    pump(container_of(w, struct delivery, watch));
}

static void
on_timer(struct timer *t)
{
    struct delivery *d = container_of(t, struct delivery, timer);
    if (d->waiting_client) {            /* the client did not read for idle_send_timeout, or send_timeout is over */
        counters_here()->sess_slow_response += loop_now(d->loop) >= d->slow_at;
        d->stream->ops->reset(d->stream, STREAM_SLOW);
    }
    pump(d);
}

static enum pump
pump_rounds(struct delivery *d)
{
    if (loop_now(d->loop) >= d->send_deadline)
        d->stream->ops->reset(d->stream, STREAM_SLOW);
    if (d->stream->broken)
        return PUMP_BROKEN;
    enum pump p = PUMP_AGAIN;
    for (int i = 0; p == PUMP_AGAIN && i < PUMP_ROUNDS; i++)
        p = pump_once(d);
    return p;
}

static void
stop_waiting(struct delivery *d)
{
    timer_cancel(d->loop, &d->timer);
    if (d->watching)
        object_unwatch(&d->watch);
    d->watching = false;
    d->stream->waiter = NULL;
}

/* Watching before the last look: what is published in between is then not missed. */
static enum pump
watch_and_look_again(struct delivery *d)
{
    if (d->watching)
        return PUMP_WAIT_OBJECT;
    d->watching = true;
    object_watch(d->object, &d->watch, d->loop, on_object);
    return pump_rounds(d);
}

/* Only time in which we wait for the client counts, not that in which the origin makes it wait. */
static nsec
too_slow_at(const struct delivery *d, nsec now)
{
    if (params.response_rate_min_bytes == 0)
        return NSEC_NEVER;
    return nsec_add(now, nsec_of(params.rate_grace_s + (double)d->sent_bytes / params.response_rate_min_bytes) - d->waited);
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
    nsec now = loop_now(d->loop);
    d->waited += d->waiting_client ? now - d->armed_at : 0;
    d->armed_at = now;
    bool waited = d->waiting_client && d->sent_bytes == d->sent_when_armed;
    d->waiting_client = p == PUMP_WAIT_CLIENT || p == PUMP_WAIT_RELEASE;
    if (p == PUMP_WAIT_RELEASE && d->sent == 0)
        d->sent = loop_real(d->loop);
    d->sent_when_armed = d->sent_bytes;
    d->timer.fn = on_timer;
    if (p == PUMP_AGAIN)
        timer_set(d->loop, &d->timer, now);
    else if (d->waiting_client && !waited) {    /* a growing object is no sign of life from the client */
        timer_set(d->loop, &d->timer, client_deadline(d, now));
    } else if (p == PUMP_WAIT_OBJECT)
        timer_cancel(d->loop, &d->timer);
    d->waiter.on_turn = on_turn;
    d->waiter.on_released = on_released;
    d->waiter.on_reset = on_reset;
    d->stream->waiter = &d->waiter;
}

/* 0, DELIVERY_PENDING or an error. */
static int
pump_and_wait(struct delivery *d)
{
    enum pump p = pump_rounds(d);
    if (p == PUMP_WAIT_OBJECT)
        p = watch_and_look_again(d);
    switch (p) {
    case PUMP_DONE:
        stop_waiting(d);
        return 0;
    case PUMP_BROKEN:
        stop_waiting(d);
        d->stream->ops->reset(d->stream, d->left != UINT64_MAX ? STREAM_RANGE_SHORT : STREAM_FAILED);
        return ERR_RESET;
    case PUMP_WAIT_CLIENT:
    case PUMP_WAIT_RELEASE:
    case PUMP_WAIT_OBJECT:
    case PUMP_AGAIN:
        arm(d, p);
        return DELIVERY_PENDING;
    }
    WRONG("pump result");
}

static void
pump(struct delivery *d)
{
    const struct check_place *outside = check_here;
    check_here = d->place;
    int r = pump_and_wait(d);
    check_here = outside;
    if (r != DELIVERY_PENDING)
        d->done(d, r);
}

int
deliver_start(struct delivery *d)
{
    CHECK(d->done != NULL && d->stream->waiter == NULL && d->stream->taken == 0);
    d->budget = SIZE_MAX;
    return pump_and_wait(d);
}
