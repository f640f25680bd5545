/* A stored (or passing) response: head, body, lifetimes, and who waits for more of it.
 *
 * States go one way: BUSY -> REQ_DONE -> STREAMING (head published, body grows) -> COMPLETE, or FAILED from any earlier one.
 * The fetch is the only writer. Once published, head and body bytes never change; readers hold a reference and follow
 * body_bytes. Body memory is a list of segments, referenced by (segment, offset). A private object (pass, or a miss nobody
 * else may use) frees segments its only reader has sent.
 *
 * Memory is charged to the object's storage (struct storage, store.h) in requested bytes. */
#ifndef VERNIS_OBJECT_H
#define VERNIS_OBJECT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/list.h"
#include "http/message.h"
#include "loop/loop.h"

enum object_state { OBJECT_BUSY, OBJECT_REQ_DONE, OBJECT_STREAMING, OBJECT_COMPLETE, OBJECT_FAILED };

#define OBJECT_PRIVATE 1u               /* never found by a look-up; one reader */
#define OBJECT_HIT_FOR_MISS 2u          /* marker: look-ups that find it fetch, without waiting for each other */
#define OBJECT_HIT_FOR_PASS 4u          /* marker: look-ups that find it pass */
#define OBJECT_HAS_LENGTH 8u            /* content length known when the head was published */
#define OBJECT_REVALIDATING 16u         /* a background fetch is refreshing it */
#define OBJECT_PURGED 32u               /* out of the index */

struct storage;
struct cache_entry;

/* A stored body segment. `bytes` grows up to `capacity` while the object is STREAMING (read it through object_body). */
struct segment {
    struct segment *next;
    uint32_t capacity, bytes;
    char data[];
};

/* The core: at most two cache lines (asserted in object.c). Private fields may be rearranged there. */
struct object {
    atomic_uint refs;
    atomic_uchar state;                 /* enum object_state */
    uint8_t flags;                      /* OBJECT_*; store's lock once shared */
    uint16_t status;
    struct cache_entry *entry;          /* NULL when private or out of the index; shard lock */
    struct list in_entry;               /* shard lock */
    struct list in_queue;               /* eviction queue; storage lock */
    nsec origin_time;                   /* wall clock the response counts from (now - initial age) */
    nsec ttl, grace, keep;              /* from origin_time... see object_ttl_left; fixed after publish except by purge and refresh */
    struct object_head *head;           /* packed start line and fields; fixed after publish */
    struct segment *first;
    atomic_size_t body_bytes;           /* published length */
    struct object_live *live;           /* writer side, waiters, lock; NULL once complete and nobody waits */
    struct storage *storage;
    atomic_uint hits;
    uint32_t xid;                       /* of the fetch that made it */
};

/* ---- life ---- */
int object_new(struct storage *st, unsigned flags, struct object **out);    /* BUSY, one reference; ERR_NOMEM */
void object_ref(struct object *o);
void object_release(struct object **o);             /* last one frees; takes no shard lock */

/* ---- writer: the fetch, on its own loop ---- */
/* Packs start line, fields (without FIELD_HOP) and lifetimes and the Vary spec of `request` into o->head. ERR_NOMEM. */
int object_set_head(struct object *o, const struct http_message *response, const struct http_message *request);
int object_publish(struct object *o, int64_t content_length);      /* -> STREAMING; -1 = length unknown; wakes watchers */
/* Space to write into: at least 1 byte; *n bytes at *p. `hint` = bytes expected. ERR_NOMEM after eviction did not help. */
int object_body_space(struct object *o, size_t hint, char **p, size_t *n);
void object_body_commit(struct object *o, size_t n);                /* publishes n bytes; wakes watchers */
void object_request_done(struct object *o);                         /* -> REQ_DONE */
void object_complete(struct object *o);                             /* -> COMPLETE; trims the last segment; wakes */
void object_fail(struct object *o);                                 /* -> FAILED; wakes */

/* ---- readers ---- */
static inline enum object_state
object_state(const struct object *o)
{
    return (enum object_state)atomic_load_explicit(&((struct object *)o)->state, memory_order_acquire);
}

int object_head_load(const struct object *o, struct http_message *out);     /* start line + fields by reference into the object */
struct span object_head_get(const struct object *o, name_id id, struct span name);
int64_t object_content_length(const struct object *o);      /* -1 unknown */

struct body_cursor {                    /* zeroed = at the start */
    struct segment *segment;
    size_t in_segment, at;              /* at: offset in the body */
};
/* Fills up to max iovecs with body bytes available at the cursor (not advancing it); 0 = none for now. */
int object_body(struct object *o, const struct body_cursor *c, struct iovec *iov, int max, size_t max_bytes);
/* Advances over n bytes that were sent; frees fully read segments of a private object. */
void object_body_advance(struct object *o, struct body_cursor *c, size_t n);
/* Private objects: bytes stored and not yet read, for the fetch's transit_buffer limit. */
size_t object_body_pending(const struct object *o);

/* ---- waiting ---- A watch belongs to one loop; fn runs there (through its mailbox when the publisher is elsewhere), at most
 * once per change until re-armed by its own return. After object_unwatch returns fn will not run. */
struct watch {
    struct list link;                   /* object's lock */
    struct loop *loop;
    void (*fn)(struct watch *w);
    struct object *object;              /* set while watching: holds a reference */
    struct post post;
    atomic_uint pending;                /* private */
};
void object_watch(struct object *o, struct watch *w, struct loop *loop, void (*fn)(struct watch *w));
void object_unwatch(struct watch *w);
/* Writer side: called (on the writer's loop) when a reader of a private object advanced or all readers left. */
void object_on_reader(struct object *o, struct watch *w, struct loop *loop, void (*fn)(struct watch *w));
bool object_abandoned(const struct object *o);      /* the writer holds the only reference left */

/* ---- lifetimes ---- all in ns against a wall-clock `now` */
nsec object_age(const struct object *o, nsec now);
nsec object_ttl_left(const struct object *o, nsec now);     /* negative once stale */
bool object_fresh(const struct object *o, nsec now);
bool object_in_grace(const struct object *o, nsec now, nsec grace_limit);  /* stale, but may be served; limit < 0 = the object's own */
bool object_in_keep(const struct object *o, nsec now);      /* may serve for a conditional fetch */

#endif
