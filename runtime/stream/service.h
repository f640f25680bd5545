/* Operations that sessions need of the room above, which answers requests. One service a loop, touched by its own loop's thread only, but
 * for `n_sessions`, which other loops read to balance. The room above embeds it, and hands over its table of functions at start: so
 * the protocols know nothing of what a request is. */
#ifndef VERNIS_SERVICE_H
#define VERNIS_SERVICE_H

#include <stdatomic.h>

#include "log/counters.h"
#include "loop/loop.h"
#include "stream/buffers.h"
#include "stream/stream.h"

#define RECORDS_KEPT 64                 /* free ones of a loop */
#define RECORD_BYTES 384                /* the largest stream of a protocol */

struct service;

struct service_ops {
    /* A head begins to arrive on `s`: memory for it. NULL when memory is out. */
    struct stream_user *(*open)(struct service *sv, struct stream *s);
    /* It is a request, if maybe a bad one: takes its number and opens its transaction in the log. first: wall clock of the head's first
     * byte; complete: of its last. */
    void (*begin)(struct stream_user *u, nsec first, nsec complete);
    /* The head is complete and good: serves it on a new fiber, or calls stream->ops->refuse. */
    void (*serve)(struct stream_user *u);
    /* Nobody will serve it: ends its transaction, frees it. The stream is the caller's. */
    void (*discard)(struct stream_user *u);
    uint64_t (*next_xid)(struct service *sv);           /* next transaction number */
};

struct service {
    const struct service_ops *ops;
    struct loop *loop;
    struct counters *counters;
    struct buffer_pool buffers;
    struct list sessions;               /* every open one of this loop */
    struct list free_records;           /* recycled streams */
    unsigned n_free_records;
    atomic_uint n_sessions;             /* and those on their way to this loop */
    bool draining;                      /* each session shall end after its request */
    bool retiring;                      /* each shall say so in its next response and end then: another process has the clients */
};

void service_init(struct service *sv, const struct service_ops *ops, struct loop *loop);
void service_release(struct service *sv);               /* frees what is recycled; no session may be open */

/* Memory for one stream, not zeroed; NULL when memory is out. */
void *service_record_take(struct service *sv);
void service_record_give(struct service *sv, void *record);

#endif
