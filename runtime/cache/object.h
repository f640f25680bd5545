/* A stored (or passing) response: head, body, lifetimes, and the watches that wait for more of it.
 *
 * States go one way: BUSY -> REQ_DONE -> STREAMING (head published, body grows) -> COMPLETE, or FAILED from
 * any earlier one. The fetch is the only writer. Published bytes of head and body never change; readers hold
 * a reference and read o->body (body/body.h). A private object (pass, or a miss that no other request may
 * use) frees what its only reader has sent.
 *
 * The object's storage (struct storage, store.h) is charged at the size that the allocator takes. */
#ifndef VERNIS_CACHE_OBJECT_H
#define VERNIS_CACHE_OBJECT_H

#include <stdatomic.h>

#include "base/clock.h"
#include "base/list.h"
#include "body/body.h"
#include "filter/form.h"
#include "http/message.h"
#include "loop/loop.h"

enum object_state { OBJECT_BUSY, OBJECT_REQ_DONE, OBJECT_STREAMING, OBJECT_COMPLETE, OBJECT_FAILED };

#define OBJECT_PRIVATE 1u      /* lookups never find it; one reader */
#define OBJECT_HIT_FOR_MISS 2u /* marker: lookups that find it fetch, without waiting for each other */
#define OBJECT_HIT_FOR_PASS 4u /* marker: lookups that find it pass */
#define OBJECT_HAS_LENGTH 8u   /* content length known when the head was published */
#define OBJECT_KEYED 16u       /* internal: has surrogate keys, by which it is found */
/* Out of the index, or invalidated before publication: lookups never find it again. */
#define OBJECT_PURGED 32u
#define OBJECT_INDEXED 64u   /* internal: linked to its entry, which holds a reference */
#define OBJECT_FINDABLE 128u /* internal: store_insert was called; lookups find it once published */

/* Marks. */
#define OBJECT_OLDER 1u   /* a newer object of the entry was published; under the shard lock */
#define OBJECT_DRAINED 2u /* a marker: its body is freed */

struct storage;
struct cache_entry;

/* The core: at most two cache lines (asserted in object.c). Private fields may be rearranged there. */
struct object {
    atomic_uint refs;
    atomic_uchar state; /* enum object_state */
    atomic_uchar flags; /* OBJECT_*; changed by the fetch until store_insert, then under the shard lock */
    uint16_t status;
    struct cache_entry *entry; /* NULL when private or out of the index; shard lock */
    struct object *next;       /* next of the entry, older; shard lock */
    struct list in_queue;      /* eviction queue; storage lock */
    atomic_uint hits;          /* see object_hits */
    uint16_t shard;            /* fixed after the object enters the index */
    atomic_uchar frequency;    /* S3-FIFO: hits since its last turn in a queue, up to 3 */
    atomic_uchar queue;        /* enum queue_id of evict.c; storage lock */
    nsec origin_time;          /* wall-clock start of the response's age (now - initial age) */
    /* Ttl from origin_time, grace after ttl, keep after grace; set before store_insert. */
    _Atomic nsec ttl, grace, keep;
    struct object_head *head; /* packed start line and fields; fixed after publish */
    struct body body;
    struct object_live *live; /* writer side and waiters; NULL once complete or failed; object lock */
    uint32_t expiry_slot;     /* place in the shard's expiry heap, 0 = not in it; shard lock */
    uint32_t xid;             /* xid of the fetch that made it */
    atomic_ushort near;       /* loops that keep it near (near.h) */
    atomic_uchar marks;       /* OBJECT_OLDER, OBJECT_DRAINED; each is set once */
    uint8_t storage_number;   /* may change until object_set_head, which charges the storage */
    uint32_t ghost;           /* hash of its key (ghosts.h); set when it enters a queue */
};

static inline struct storage *
object_storage(const struct object *o)
{
    return storage_numbered(o->storage_number);
}

static inline void
object_set_storage(struct object *o, const struct storage *st)
{
    o->storage_number = st->number;
}

/* A marker says that responses of its key are not shared. */
static inline bool
object_is_marker(const struct object *o)
{
    return (o->flags & (OBJECT_HIT_FOR_MISS | OBJECT_HIT_FOR_PASS)) != 0;
}

/* Is its body for one reader only, and freed behind it? */
static inline bool
object_is_transit(const struct object *o)
{
    return (o->flags & (OBJECT_PRIVATE | OBJECT_HIT_FOR_MISS | OBJECT_HIT_FOR_PASS)) != 0;
}

/* ---- life ---- */
/* Returns an object in state BUSY with one reference; ERR_NOMEM. Charges nothing; object_set_head does. */
int object_new(struct storage *st, unsigned flags, struct object **out);
void object_ref(struct object *o);
void object_release(struct object **o); /* the last release frees; takes no shard lock */

/* ---- writer: the fetch, on its own loop ---- */
/* Packs start line, fields (without FIELD_HOP) and the Vary spec of `request` (NULL: no spec) into
 * o->head. May be repeated until store_insert or object_publish. ERR_NOMEM, ERR_LIMIT (a name or reason
 * over 64 KiB). */
int object_set_head(struct object *o, const struct http_message *response,
                    const struct http_message *request);
/* Call before object_set_head if the stored form of the body differs from the origin's. */
void object_set_form(struct object *o, struct body_form form);
/* For a body in gzip coding (object_set_form); call before object_complete. */
void object_set_gzip(struct object *o, const struct gzip_facts *facts);
/* For form `partial`; call before object_publish. The body will be only this part of the content. */
struct body_part {
    uint64_t at, end, total; /* total 0: the object has no such part */
};
void object_set_part(struct object *o, struct body_part part);
struct body_part object_part(const struct object *o);
/* Announces the length of the body before object_publish, and reserves room for all of it. ERR_NOMEM. */
int object_expect(struct object *o, uint64_t content_length);
/* -> STREAMING; -1 = length unknown; wakes watchers and, after store_insert, the requests that wait for the
 * object. */
int object_publish(struct object *o, int64_t content_length);
/* Returns space to write: at least 1 byte; *n bytes at *p, valid until the next commit. `hint` = expected
 * bytes. ERR_NOMEM if eviction did not help, or if the announced length can never fit. */
int object_body_space(struct object *o, size_t hint, char **p, size_t *n);
void object_body_commit(struct object *o, size_t n); /* publishes n bytes; wakes watchers */
/* Attaches a note that was made while the body was stored, such as the places of ESI includes: bytes without
 * pointers. Call once, after the whole body is written and before the object is complete. The head's storage
 * is charged. ERR_NOMEM. */
int object_set_note(struct object *o, struct span note);
/* Attaches trailer fields, as lines of text, to a body in form `trailed`. The same conditions apply. */
int object_set_trailers(struct object *o, struct span lines);
void object_request_done(struct object *o); /* -> REQ_DONE */
void object_complete(struct object *o);     /* -> COMPLETE; trims the last segment; wakes */
void object_fail(struct object *o);         /* -> FAILED; leaves the index; wakes */
/* Drops head and body before object_publish: for a retry after a fetch failed that had to store the whole
 * body first. */
void object_body_drop(struct object *o);
/* Gives o the body of `from`, which is complete or partial: for a 304 from the origin. Call before
 * object_publish. */
void object_share_body(struct object *o, const struct object *from);
/* Makes a body of holes (body/partial.h), for an object with its head, in form `partial` (object_set_form).
 * Call before object_publish. ERR_LIMIT, ERR_NOMEM. */
int object_set_holes(struct object *o, uint64_t total_bytes, uint32_t extent_bytes, struct span validator);

/* ---- readers ---- */
static inline enum object_state
object_state(const struct object *o)
{
    return (enum object_state)atomic_load_explicit(&((struct object *)o)->state, memory_order_acquire);
}

/* Loads start line and fields, by reference into the object; `out` must have its field array (message_init).
 * ERR_LIMIT: more than cap_fields. */
int object_head_load(const struct object *o, struct http_message *out);
unsigned object_fields(const struct object *o); /* number of fields in the head */
struct span object_head_get(const struct object *o, name_id id, struct span name);
int64_t object_content_length(const struct object *o); /* -1 unknown */
struct span object_trailers(const struct object *o);   /* ptr NULL: no trailers, or not yet received */
/* A NULL ptr: no note. A reader that sees a note sees the whole body. */
struct span object_note(const struct object *o);

/* Hits so far: all of this loop, and those of the others up to a second ago. */
unsigned object_hits(const struct object *o);

/* Why the response is not stored, or is only a marker: a number of the caller, 0: it is stored. Set after the
 * head, before object_publish. */
void object_set_refusal(struct object *o, uint8_t refusal);
uint8_t object_refusal(const struct object *o);

struct body_form object_form(const struct object *o);
/* NULL: the body is not in gzip coding, or not complete. */
const struct gzip_facts *object_gzip(const struct object *o);

bool object_is_partial(const struct object *o); /* has it a body of holes? Fixed once the head is published */
/* The reader of an object in transit needs no bytes before `at` any more: they are freed, and its fetch goes
 * on. */
void object_passed(struct object *o, uint64_t at);
/* Private objects: bytes stored but not yet read, for the fetch's transit_buffer limit. */
size_t object_body_pending(const struct object *o);

/* ---- leaving the storage ---- A shared body of unknown length may turn out to be too long (growing_max).
 * The writer withdraws it from the index, and calls object_leave: from then on, only those who hold a
 * reference read it, and what all of them have read is freed. */
bool object_growth_ends(const struct object *o);
void object_leave(struct object *o);
bool object_has_left(const struct object *o);
/* Frees what all readers have read. Returns the bytes that some reader has not read; SIZE_MAX: not known yet,
 * because somebody holds a reference and does not watch. */
size_t object_left_pending(struct object *o);

/* ---- waiting ---- A watch belongs to one loop. fn runs there, from the mailbox, at most once per change
 * until it returns. Examine the object again after object_watch: fn is called at once only if the object is
 * already complete or failed, not for other earlier changes. Once object_unwatch has returned (on the watch's
 * loop; also from fn), fn will not run. */
struct watch {
    struct list link; /* object's lock */
    struct loop *loop;
    void (*fn)(struct watch *w);
    struct object *object; /* set while watching: a reference (not for object_on_reader) */
    struct notice *notice; /* private: the item in the mailbox, which outlives the watch */
    bool for_writer;       /* private */
    atomic_bool tells;     /* private: the writer waits for the readers */
    atomic_size_t at;      /* private: object_watch_at */
};
void object_watch(struct object *o, struct watch *w, struct loop *loop, void (*fn)(struct watch *w));
void object_unwatch(struct watch *w); /* harmless on an inactive watch */
/* The owner of the watch also holds one reference, and no longer needs the bytes before `at`. */
void object_watch_at(struct watch *w, size_t at);
/* Writer side: fn runs on the writer's loop when the reader of a private object has advanced or all readers
 * have left. Holds no reference: unwatch before releasing the writer's own. */
void object_on_reader(struct object *o, struct watch *w, struct loop *loop, void (*fn)(struct watch *w));
/* No reader holds it and no lookup can find its body: the writer may stop. */
bool object_abandoned(const struct object *o);

/* ---- lifetimes ---- all in ns against a wall-clock `now` */
/* `now`, but for a response that was made stale at once not before that: loops read their clocks once a
 * round, so the clock of a request may be older than a purge that was answered before the request came. */
nsec object_time(const struct object *o, nsec now);
nsec object_age(const struct object *o, nsec now);
nsec object_ttl_left(const struct object *o, nsec now); /* negative once stale */
bool object_fresh(const struct object *o, nsec now);
/* stale, but may be served; limit < 0: the object's own grace. */
bool object_in_grace(const struct object *o, nsec now, nsec grace_limit);
bool object_in_keep(const struct object *o, nsec now); /* may be validated by a conditional fetch */

#endif
