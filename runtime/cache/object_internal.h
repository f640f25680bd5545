/* An object from inside: its stored head, and what it has while it is written. object.c is its life, head.c its head, body.c its
 * body, watch.c those who wait for it to change; this header belongs to all four. Lock order: shard, then object. */
#ifndef VERNIS_CACHE_OBJECT_INTERNAL_H
#define VERNIS_CACHE_OBJECT_INTERNAL_H

#include <pthread.h>

#include "base/check.h"
#include "base/mem.h"
#include "cache/head_image.h"
#include "cache/notice.h"
#include "cache/object.h"
#include "cache/storage.h"
#include "http/codings.h"

/* ---- stored head (head.c) ---- */
#define OBJECT_CORE_COST 128u           /* the core, which is aligned to cache lines (asserted in object.c) */
/* Of it, what a response is admitted by: without the links by which index and queues hold it. */
#define OBJECT_CORE_BYTES (sizeof(struct object) - (offsetof(struct object, expiry_slot) - offsetof(struct object, entry)))

/* A ban as objects see it: held, it stays in the list, and all newer ones do. */
struct ban_hold {
    atomic_uint refs;                   /* goes up under the lock of the list only */
};

struct object_note {
    size_t bytes;
    char data[];
};

/* See second_form.h. */
struct second_form {
    _Atomic(struct second_body *) body; /* owned; NULL: none */
    atomic_uint asked;                  /* deliveries that had to make it */
    atomic_bool is_made;                /* by somebody, or it was */
};

/* The part of a head that only objects have whose body was changed or checked by filters, or may have second forms. */
struct object_coding {
    struct second_form second[CODINGS];
    union {
        struct gzip_facts gzip;         /* set by the fetch before COMPLETE */
        struct {                        /* form `partial`: one of the two */
            struct parts *parts;        /* holds one of its references */
            struct body_part only;      /* all there will ever be */
        };
    };
    _Atomic(struct object_note *) note, trailers;       /* owned; NULL: none. Set by the writer, once */
    struct body_form form;
};

/* Live part of a stored head; behind the ids, in the same allocation, lie the coding if it has one, and the image. */
struct object_head {
    int64_t content_length;             /* set by object_publish */
    uint64_t born;                      /* set by store_insert */
    _Atomic(struct ban_hold *) ban;     /* the newest one this response is known not to meet; NULL before store_insert; ban lock */
    uint32_t image_at : 31;             /* offset of the image */
    uint32_t is_coded : 1;              /* a struct object_coding lies before the image */
    name_id ids[];                      /* of the image's names, in this process */
};

static inline const struct head_image *
head_image_of(const struct object_head *h)
{
    return (const struct head_image *)(const void *)((const char *)h + h->image_at);
}

static inline struct object_coding *
object_coding_of(const struct object_head *h)
{
    return h->is_coded ? (struct object_coding *)(uintptr_t)((const char *)h + h->image_at) - 1 : NULL;
}

static inline size_t
head_bytes(const struct object_head *h)
{
    return h->image_at + head_image_of(h)->bytes;
}

/* Charges a storage for an object beside its body, evicting if need be (ERR_NOMEM), and back. */
int head_charge(struct storage *st, size_t head_bytes);
void head_refund(struct storage *st, size_t head_bytes);

void second_forms_free(struct object_coding *all, struct storage *st);
void ban_detach(struct object_head *h);                 /* harmless when not attached */
void object_head_free(struct object *o, struct storage *st);    /* refunds all of it to the storage that is charged for it */
/* The head of an object from an image that came from elsewhere. ERR_SYNTAX, ERR_LIMIT (see image_check), ERR_NOMEM. */
int object_set_image(struct object *o, struct span image);
void object_head_each(const struct object *o, void (*fn)(struct span name, struct span value, void *arg), void *arg);
/* o's body is in this table, of which it takes over a reference. */
void object_attach_parts(struct object *o, struct parts *p);
struct span object_vary(const struct object *o);        /* empty: does not vary */
bool object_selected_by(const struct object *o, const struct http_message *request);

/* Bytes that the allocator takes for a segment of a body beyond its content. */
static inline size_t
segment_rounding(size_t capacity)
{
    return mem_cost(sizeof(struct segment) + capacity) - capacity;
}

/* ---- writer's side (object.c, body.c, watch.c) ---- */
struct object_live {
    struct list watches;                /* struct watch; object lock */
    struct notice *on_reader;           /* lent by the writer's watch; object lock */
    size_t read_bytes;                  /* private objects: how far the reader is; object lock */
    struct segment *last;               /* writer */
    char *scratch;                      /* writer: where bytes of unknown number arrive */
    size_t scratch_bytes, reserved_bytes;       /* reserved: charged for segments still to be made */
    struct body_form form;              /* writer: for the next head */
    struct storage *head_storage;       /* writer: the one charged for the head, which o->storage may differ from until set again */
    struct object *replaces;            /* reference; leaves the index on completion; writer */
    char *vary;                         /* what the response will probably select on; shard lock */
    uint32_t vary_bytes;
    bool no_wait;                       /* after a hit-for-miss, or invalidated: look-ups do not wait for it; shard lock */
    _Atomic uint64_t born;              /* 0: the origin was not asked; writer */
    struct ban_hold *born_ban;          /* the newest one then; held; writer */
    uint64_t give_before;               /* published, it goes to waiters that asked before this; 0: to none; shard lock */
};

pthread_mutex_t *object_lock(const struct object *o);
void object_wake(struct object *o);                     /* all watches */
/* Sets COMPLETE or FAILED, wakes for the last time, and drops the writer's side. */
void object_finish(struct object *o, enum object_state state);
uint64_t object_stored_bytes(const struct object *o);   /* of a complete object: what it is admitted by */
bool object_findable(const struct object *o);           /* inserted and published; before, it counts as busy */
bool object_is_transit(const struct object *o);         /* its only reader's segments are freed once read */
void object_body_end(struct object *o);                 /* trims; nobody else may hold a reference or get one, or look at the body */
void object_body_free(struct object *o);                /* the same */
void object_unhold_ban(struct object *o);               /* harmless when it holds none; writer */
void object_scratch_release(struct object *o);
void object_head_drop(struct object *o);                /* writer */
void object_soften(struct object *o, nsec stale_at, nsec grace, nsec keep);     /* fresh until then at the most; others unless negative */
void object_log_expired(const struct object *o, nsec now);
nsec object_death(const struct object *o);

#endif
