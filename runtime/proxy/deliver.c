/* The state machine that moves body bytes from an object to a stream. Entered from the request's fiber (deliver_start), from the
 * client's socket (on_writable), from the object (watch) and from the timer; each entry pumps until someone has to be waited
 * for. See deliver.h. */
#include "proxy/deliver.h"

#include "base/check.h"

#define PUMP_IOV 16
#define PUMP_BYTES (256 * 1024)         /* offered at once */
#define PUMP_ROUNDS 16                  /* then others of this loop have their turn */

enum pump { PUMP_DONE, PUMP_WAIT_CLIENT, PUMP_WAIT_OBJECT, PUMP_AGAIN, PUMP_BROKEN };

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
    int n = object_body(d->object, &d->cursor, iov, PUMP_IOV, limit(d->left, PUMP_BYTES));
    size_t have = 0;
    for (int i = 0; i < n; i++)
        have += iov[i].iov_len;
    /* All that is left is in these iovecs, unless the window cut them. */
    *complete = have == d->left || (state == OBJECT_COMPLETE && d->cursor.at + have == atomic_load(&d->object->body_bytes));
    return n;
}

static void
advance(struct delivery *d, size_t n)
{
    d->sent_bytes += n;
    if (d->object == NULL) {
        d->text.ptr += n;
        d->text.len -= n;
        return;
    }
    object_body_advance(d->object, &d->cursor, n);
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
    if (d->stream->unsent > 0)
        return PUMP_WAIT_CLIENT;
    if ((size_t)taken < offered)        /* the stream took what it had announced (a chunk), or the socket is full: it will tell */
        return PUMP_AGAIN;
    if (d->last_sent)
        return PUMP_DONE;
    return n == 0 ? PUMP_WAIT_OBJECT : PUMP_AGAIN;
}

static void pump(struct delivery *d);

static void
on_writable(struct stream *s)
{
    pump(s->waiter);
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
    if (d->waiting_client)
        d->stream->ops->reset(d->stream, SC_TX_ERROR);   /* the client did not read for idle_send_timeout, or send_timeout is over */
    pump(d);
}

static enum pump
pump_rounds(struct delivery *d)
{
    if (loop_now(d->loop) >= d->send_deadline)
        d->stream->ops->reset(d->stream, SC_TX_ERROR);
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
    d->stream->on_writable = NULL;
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

static void
arm(struct delivery *d, enum pump p)
{
    nsec now = loop_now(d->loop);
    bool waited = d->waiting_client && d->sent_bytes == d->sent_when_armed;
    d->waiting_client = p == PUMP_WAIT_CLIENT;
    d->sent_when_armed = d->sent_bytes;
    d->timer.fn = on_timer;
    if (p == PUMP_AGAIN)
        timer_set(d->loop, &d->timer, now);
    else if (p == PUMP_WAIT_CLIENT && !waited) {    /* a growing object is no sign of life from the client */
        nsec until = nsec_add(now, d->idle_timeout);
        timer_set(d->loop, &d->timer, until < d->send_deadline ? until : d->send_deadline);
    } else if (p == PUMP_WAIT_OBJECT)
        timer_cancel(d->loop, &d->timer);
    d->stream->on_writable = on_writable;
    d->stream->waiter = d;
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
        d->stream->ops->reset(d->stream, d->left != UINT64_MAX ? SC_RANGE_SHORT : SC_TX_ERROR);
        return ERR_RESET;
    case PUMP_WAIT_CLIENT:
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
    int r = pump_and_wait(d);
    if (r != DELIVERY_PENDING)
        d->done(d, r);
}

int
deliver_start(struct delivery *d)
{
    return pump_and_wait(d);
}
