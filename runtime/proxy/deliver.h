/* Sends a response body: from an object (complete or still growing) or from text, as much as the client takes, without a
 * fiber. What can go at once goes from the caller's stack; the rest is driven by the client's socket and the object's
 * growth, so slow readers hold no stack. */
#ifndef VERNIS_DELIVER_H
#define VERNIS_DELIVER_H

#include "base/check.h"
#include "cache/object.h"
#include "stream/stream.h"

struct delivery {
    struct stream_waiter waiter;
    struct stream *stream;
    struct loop *loop;
    struct object *object;              /* lent, held by the request; NULL: `text` is the body */
    struct span text;
    struct body_cursor cursor;          /* behind what the stream has taken */
    struct body_cursor released;        /* behind what it has released, while that is less */
    uint64_t released_bytes;
    bool behind;                        /* `released` is used */
    size_t budget;                      /* left of the stream's turn */
    nsec sent;                          /* wall clock: all is with the kernel, but not all released; 0: not so */
    uint64_t skip, left;                /* range: bytes to skip first, bytes then to send; left = UINT64_MAX: all */
    uint64_t sent_bytes, sent_when_armed;
    struct watch watch;
    struct timer timer;
    nsec idle_timeout, send_deadline;
    nsec armed_at, waited, slow_at;     /* for response_rate_min: since when, for how long, and until when at most */
    const struct check_place *place;    /* whose body it is, for the report of a failed check */
    bool watching, last_sent, waiting_client;
    void (*done)(struct delivery *d, int err);  /* once, from the loop's stack; not called when deliver_start finished */
};

#define DELIVERY_PENDING 1

/* 0 = everything is with the kernel, DELIVERY_PENDING = `done` will be called, or an error: the stream was reset. The head
 * must have been given to the stream. */
int deliver_start(struct delivery *d);

#endif
