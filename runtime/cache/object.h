/* A stored (or passing) response: head, body, lifetimes, and who waits for more of it.
 *
 * States go one way: BUSY -> REQ_DONE -> STREAMING (head published, body grows) -> COMPLETE, or FAILED from any earlier one.
 * The fetch is the only writer. Once published, head and body bytes never change; readers hold a reference and follow
 * body_bytes. Body memory is a list of segments, referenced by (segment, offset). A private object (pass, or a miss nobody
 * else may use) frees segments its only reader has sent.
 *
 * Memory is charged to the object's storage (struct storage, store.h) at the size the allocator takes. */
#ifndef VERNIS_OBJECT_H
#define VERNIS_OBJECT_H

#include <stdatomic.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "base/list.h"
#include "filter/form.h"
#include "http/message.h"
#include "loop/loop.h"

enum object_state { OBJECT_BUSY, OBJECT_REQ_DONE, OBJECT_STREAMING, OBJECT_COMPLETE, OBJECT_FAILED };

#define OBJECT_PRIVATE 1u               /* never found by a look-up; one reader */
#define OBJECT_HIT_FOR_MISS 2u          /* marker: look-ups that find it fetch, without waiting for each other */
#define OBJECT_HIT_FOR_PASS 4u          /* marker: look-ups that find it pass */
#define OBJECT_HAS_LENGTH 8u            /* content length known when the head was published */
#define OBJECT_KEYED 16u                /* private: has surrogate keys, which find it */
#define OBJECT_PURGED 32u               /* out of the index, or invalidated before it was published: never found again */
#define OBJECT_INDEXED 64u              /* private: linked to its entry, which holds a reference */
#define OBJECT_FINDABLE 128u            /* private: store_insert was called; found once published */

struct storage;
struct cache_entry;

/* A stored body segment. All but the last one of an object are full, so readers need only the published length. */
struct segment {
    struct segment *next;
    uint32_t capacity, bytes;           /* bytes: the writer's own count; readers go by body_bytes */
    char data[];
};

/* The core: at most two cache lines (asserted in object.c). Private fields may be rearranged there. */
struct object {
    atomic_uint refs;
    atomic_uchar state;                 /* enum object_state */
    atomic_uchar flags;                 /* OBJECT_*; changed by the fetch until store_insert, then under the shard lock */
    uint16_t status;
    struct cache_entry *entry;          /* NULL when private or out of the index; shard lock */
    struct object *next;                /* next of the entry, older; shard lock */
    struct list in_queue;               /* eviction queue; storage lock */
    uint32_t expiry_slot;               /* place in the shard's expiry heap, 0 = not in it; shard lock */
    uint16_t shard;                     /* fixed once in the index */
    atomic_uchar frequency;             /* S3-FIFO: hits since it was last looked at, up to 3 */
    uint8_t queue;                      /* enum queue_id of evict.c; storage lock */
    nsec origin_time;                   /* wall clock the response counts from (now - initial age) */
    _Atomic nsec ttl, grace, keep;      /* ttl from origin_time, grace after ttl, keep after grace; set before store_insert */
    struct object_head *head;           /* packed start line and fields; fixed after publish */
    struct segment *first;
    atomic_size_t body_bytes;           /* published length */
    struct object_live *live;           /* writer side and waiters; NULL once complete or failed; object lock */
    struct storage *storage;            /* may be set until object_set_head, which charges it */
    atomic_uint hits;                   /* see store_touch */
    uint32_t xid;                       /* of the fetch that made it */
};

/* ---- life ---- */
/* BUSY, one reference; ERR_NOMEM. Nothing is charged before object_set_head. */
int object_new(struct storage *st, unsigned flags, struct object **out);
void object_ref(struct object *o);
void object_release(struct object **o);             /* last one frees; takes no shard lock */

/* ---- writer: the fetch, on its own loop ---- */
/* Packs start line, fields (without FIELD_HOP) and the Vary spec of `request` (NULL: none) into o->head. May be repeated until
 * store_insert or object_publish. ERR_NOMEM, ERR_LIMIT (a name or reason over 64 KiB). */
int object_set_head(struct object *o, const struct http_message *response, const struct http_message *request);
/* Before object_set_head: the stored form of the body is not just what the origin sent. */
void object_set_form(struct object *o, struct body_form form);
/* Before object_complete, of a body in gzip coding (object_set_form). */
void object_set_gzip(struct object *o, const struct gzip_facts *facts);
/* Before object_publish, in form `partial`: the body will be this part of the content and no other. */
struct body_part {
    uint64_t at, end, total;            /* total 0: it is no such object */
};
void object_set_part(struct object *o, struct body_part part);
struct body_part object_part(const struct object *o);
/* Does a body of that length fit an empty storage? */
bool object_body_fits(const struct storage *st, uint64_t bytes);
/* The length of the body is known before object_publish: room for all of it is reserved now. ERR_NOMEM. */
int object_expect(struct object *o, uint64_t content_length);
/* -> STREAMING; -1 = length unknown; wakes watchers, and with store_insert done those who wait for the object. */
int object_publish(struct object *o, int64_t content_length);
/* Space to write into: at least 1 byte; *n bytes at *p, good until the next commit. `hint` = bytes expected. ERR_NOMEM after
 * eviction did not help, or when the announced length can never fit. */
int object_body_space(struct object *o, size_t hint, char **p, size_t *n);
void object_body_commit(struct object *o, size_t n);                /* publishes n bytes; wakes watchers */
/* A note on the body, made while it was stored, such as where ESI includes belong: bytes that have no pointer in them. Once, when all
 * of the body is there and before the object is complete; charged to the head's storage. ERR_NOMEM. */
int object_set_note(struct object *o, struct span note);
/* Trailer fields, as lines of text: with the same conditions, of a body in form `trailed`. */
int object_set_trailers(struct object *o, struct span lines);
void object_request_done(struct object *o);                         /* -> REQ_DONE */
void object_complete(struct object *o);                             /* -> COMPLETE; trims the last segment; wakes */
void object_fail(struct object *o);                                 /* -> FAILED; leaves the index; wakes */
/* Forgets head and body, before object_publish: a fetch that stored the whole body first failed and tries again. */
void object_body_drop(struct object *o);
/* Stores the body of `from` (complete) as o's: what a 304 from the origin needs. ERR_NOMEM. */
int object_body_copy(struct object *o, struct object *from);

/* ---- readers ---- */
static inline enum object_state
object_state(const struct object *o)
{
    return (enum object_state)atomic_load_explicit(&((struct object *)o)->state, memory_order_acquire);
}

/* Start line + fields by reference into the object; `out` has its field array (message_init). ERR_LIMIT: more than cap_fields. */
int object_head_load(const struct object *o, struct http_message *out);
unsigned object_fields(const struct object *o);     /* how many its head has */
struct span object_head_get(const struct object *o, name_id id, struct span name);
int64_t object_content_length(const struct object *o);      /* -1 unknown */
struct span object_trailers(const struct object *o);        /* ptr NULL: it has none, or they have not come yet */
struct span object_note(const struct object *o);            /* ptr NULL: it has none. Whoever sees a note sees all of the body */

struct body_form object_form(const struct object *o);
/* NULL: its body is not in gzip coding, or not complete. */
const struct gzip_facts *object_gzip(const struct object *o);

struct body_cursor {                    /* zeroed = at the start */
    struct segment *segment;
    size_t in_segment, at;              /* at: offset in the body */
};
/* Fills up to max iovecs with body bytes available at the cursor (not advancing it); 0 = none for now. */
int object_body(struct object *o, const struct body_cursor *c, struct iovec *iov, int max, size_t max_bytes);
/* Advances over n bytes that were sent; frees fully read segments of a private object. */
void object_body_advance(struct object *o, struct body_cursor *c, size_t n);
void object_body_pass(struct object *o, struct body_cursor *c, size_t n);   /* the same, but frees nothing: bytes that are still in use */
/* Private objects: bytes stored and not yet read, for the fetch's transit_buffer limit. */
size_t object_body_pending(const struct object *o);

/* ---- waiting ---- A watch belongs to one loop; fn runs there, through its mailbox, at most once per change until re-armed by
 * its own return. Look at the object again after object_watch: only of an object that is already complete or failed is it told
 * at once, not of other changes made before. After object_unwatch (on the watch's loop; also from fn) returns fn will not run. */
struct watch {
    struct list link;                   /* object's lock */
    struct loop *loop;
    void (*fn)(struct watch *w);
    struct object *object;              /* set while watching: holds a reference (not so for object_on_reader) */
    struct notice *notice;              /* private: what lies in the mailbox, outlives the watch */
    bool for_writer;                    /* private */
};
void object_watch(struct object *o, struct watch *w, struct loop *loop, void (*fn)(struct watch *w));
void object_unwatch(struct watch *w);               /* harmless on one that does not watch */
/* Writer side: called (on the writer's loop) when a reader of a private object advanced or all readers left. Holds no reference:
 * to be unwatched before the writer's own is released. */
void object_on_reader(struct object *o, struct watch *w, struct loop *loop, void (*fn)(struct watch *w));
bool object_abandoned(const struct object *o);      /* nobody reads it and no look-up can find its body: the writer may stop */

/* ---- lifetimes ---- all in ns against a wall-clock `now` */
nsec object_age(const struct object *o, nsec now);
nsec object_ttl_left(const struct object *o, nsec now);     /* negative once stale */
bool object_fresh(const struct object *o, nsec now);
bool object_in_grace(const struct object *o, nsec now, nsec grace_limit);  /* stale, but may be served; limit < 0 = the object's own */
bool object_in_keep(const struct object *o, nsec now);      /* may serve for a conditional fetch */

#endif
