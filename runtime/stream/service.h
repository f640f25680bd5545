/* Operations of the room above, which serves requests, as sessions call them. Each loop has one service. Only
 * the thread of the loop touches it. The room above embeds the struct and passes its table of functions at
 * start, so that protocols need not know what a request is. */
#ifndef VERNIS_STREAM_SERVICE_H
#define VERNIS_STREAM_SERVICE_H

#include <stdatomic.h>

#include "log/counters.h"
#include "loop/loop.h"
#include "stream/buffers.h"
#include "stream/stream.h"

#define RECORDS_KEPT 64  /* free records that a loop keeps */
#define RECORD_BYTES 384 /* size of the largest stream struct of a protocol */

struct service;
struct storage;

struct service_ops {
    /* A head begins to arrive on `s`: allocates a request for it. NULL: no memory. */
    struct stream_user *(*open)(struct service *sv, struct stream *s);
    /* The head is a request, though maybe a bad one: takes its number and opens its transaction in the log.
     * first: wall clock of the first byte of the head; complete: of its last. */
    void (*begin)(struct stream_user *u, nsec first, nsec complete);
    /* The head is refused: logs the address of the client and what was parsed of the head. */
    void (*log_head)(struct stream_user *u);
    /* The head is complete and valid: serves the request on a new fiber, or calls stream->ops->refuse. */
    void (*serve)(struct stream_user *u);
    /* The request will not be served: ends its transaction and frees it. The caller keeps the stream. */
    void (*discard)(struct stream_user *u);
    uint64_t (*next_xid)(struct service *sv); /* next transaction number */
};

struct service {
    const struct service_ops *ops;
    struct loop *loop;
    struct loop_load *load; /* of this loop: its open sessions */
    struct counters *counters;
    struct storage *bodies; /* charged for request bodies that wait for their request (h2_rxbuf_storage) */
    struct buffer_pool buffers;
    struct list sessions;     /* all open sessions of this loop */
    struct list free_records; /* recycled streams */
    unsigned n_free_records;
    unsigned n_streams;    /* open, of protocols with many on a connection */
    unsigned n_handshakes; /* of TLS, under way */
    bool draining;         /* sessions end after their request */
    /* sessions announce a close in their next response and end then: another process takes the clients */
    bool retiring;
};

void service_init(struct service *sv, const struct service_ops *ops, struct loop *loop);
void service_release(struct service *sv); /* frees the recycled memory; no session may be open */

/* Memory for one stream, not zeroed. NULL: no memory. */
void *service_record_take(struct service *sv);
void service_record_give(struct service *sv, void *record);

#endif
