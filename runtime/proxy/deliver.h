/* Sends a response body from a source (source.h: an object that is complete or still growing, a text, either through filters), as
 * much as the client takes, without a fiber. What can go at once goes from the caller's stack; the rest is driven by the client's
 * socket and by the source, so slow readers hold no stack. */
#ifndef VERNIS_DELIVER_H
#define VERNIS_DELIVER_H

#include "base/check.h"
#include "proxy/source.h"
#include "proxy/parts/source_parts.h"
#include "stream/stream.h"

struct delivery {
    struct stream_waiter waiter;
    struct stream *stream;
    struct loop *loop;
    struct body_source *source;         /* owned: closed at the end; often one of `own`. NULL: there is no content */
    union {
        struct object_source object;
        struct text_source text;
        struct parts_source parts;
    } own;
    size_t budget;                      /* left of the stream's turn */
    nsec sent;                          /* wall clock: all is with the kernel, but not all released; 0: not so */
    uint64_t skip, left;                /* range: bytes to skip first, bytes then to send; left = UINT64_MAX: all */
    struct object *trailers_of;         /* lent: its trailer fields follow the body, if it has some; NULL: none do */
    uint64_t sent_bytes, sent_when_armed;
    struct timer timer;
    nsec idle_timeout, send_deadline;
    nsec armed_at, waited, slow_at;     /* for response_rate_min: since when, for how long, and until when at most */
    const struct check_place *place;    /* whose body it is, for the report of a failed check */
    bool held;                          /* the stream has bytes that it took and has not released */
    bool starved;                       /* the source waits for their release */
    bool watching, last_sent, waiting_client;
    bool for_page;                      /* of an include: the delivery of its page measures how fast the client is */
    void (*done)(struct delivery *d, int err);  /* once, from the loop's stack; not called when deliver_start finished */
};

#define DELIVERY_PENDING 1

/* What a delivery sends, all of it; object and text are lent. `d` is zeroed, or has been told before: its source is closed then. */
void deliver_object(struct delivery *d, struct object *object);
/* All of a partial object, whose holes are fetched for r; see parts_source_init. */
void deliver_parts(struct delivery *d, struct request *r, struct object *object, struct hole **hole);
void deliver_text(struct delivery *d, struct span text);
void deliver_nothing(struct delivery *d);

/* 0 = everything is with the kernel, DELIVERY_PENDING = `done` will be called, or an error: the stream was reset. The head
 * must have been given to the stream. */
int deliver_start(struct delivery *d);

#endif
