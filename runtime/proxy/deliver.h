/* Sends a response body from a source (source.h: an object that is complete or growing, or a text, either
 * through filters) as fast as the client takes it, without a fiber. The first bytes go from the stack of the
 * caller, or in a row with those of other responses of this round. The stream of the client and the source
 * drive the rest, so slow readers hold no stack. */
#ifndef VERNIS_PROXY_DELIVER_H
#define VERNIS_PROXY_DELIVER_H

#include "base/check.h"
#include "proxy/source.h"
#include "proxy/parts/source_partial.h"
#include "stream/stream.h"

struct delivery {
    struct stream_waiter waiter;
    struct stream *stream;
    struct loop *loop;
    struct body_source *source; /* owned: closed at the end; often one of `own`. NULL: no content */
    size_t budget;              /* bytes left in the turn of the stream */
    nsec sent; /* wall clock when the kernel had all bytes before the stream released them; 0: not so */
    uint64_t skip, left; /* for a range: bytes to skip first, then bytes to send; left = UINT64_MAX: all */
    struct object *trailers_of; /* lent: the object whose trailer fields follow the body; NULL: none */
    uint64_t sent_bytes, sent_when_armed;
    struct timer timer;
    struct loop_row row; /* before the first bytes */
    nsec idle_timeout, send_deadline;
    nsec armed_at, waited, slow_at;  /* for response_rate_min: start of the wait, total wait, and deadline */
    const struct check_place *place; /* owner of the body, for the report of a failed check */
    bool held;                       /* the stream holds bytes that it has not released */
    bool starved;                    /* the source needs their release before it can go on */
    bool watching, last_sent, waiting_client;
    bool for_page; /* for an include: the delivery of the page measures the speed of the client */
    /* Called once, on the loop's stack; not if deliver_start finished */
    void (*done)(struct delivery *d, int err);
    /* The last member, because requests are not zeroed from here on: each deliver_ function sets its source
     * in full. */
    union {
        struct object_source object;
        struct text_source text;
        struct partial_source partial;
    } own;
};

#define DELIVERY_PENDING 1

/* Sets the source of a delivery, in full; object and text are lent. `d` is zeroed, or has a source already:
 * that is closed. `own` need not be zeroed. */
void deliver_object(struct delivery *d, struct object *object);
void deliver_second_form(struct delivery *d, struct object *object, const struct body *form);
/* A partial object, whose holes are fetched for r; see partial_source_init. */
void deliver_partial(struct delivery *d, struct request *r, struct object *object, struct hole **hole);
void deliver_text(struct delivery *d, struct span text);
void deliver_nothing(struct delivery *d);

/* 0: the kernel has everything. DELIVERY_PENDING: `done` will be called. An error: the stream was reset. The
 * stream must have the head already. */
int deliver_start(struct delivery *d);

#endif
