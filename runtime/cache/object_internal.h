/* An object from inside: its stored head, and its state while it is written. Shared by object.c (life),
 * head.c (head), object_body.c (body) and watch.c (watches). Lock order: shard, then object. */
#ifndef VERNIS_CACHE_OBJECT_INTERNAL_H
#define VERNIS_CACHE_OBJECT_INTERNAL_H

#include <pthread.h>

#include "base/lock.h"
#include "base/mem.h"
#include "body/writer.h"
#include "cache/head_image.h"
#include "loop/notice.h"
#include "cache/object.h"
#include "cache/position.h"
#include "storage/storage.h"
#include "cache/vary.h"
#include "http/codings.h"

/* Frees the body of an object in transit, which its reader has read or left, or which will have none. */
void object_drain(struct object *o);

static inline bool
object_is_drained(const struct object *o)
{
    return atomic_load_explicit(&((struct object *)(uintptr_t)o)->marks, memory_order_acquire) &
           OBJECT_DRAINED;
}

/* ---- stored head (head.c) ---- */
#define OBJECT_CORE_COST 128u /* the core, aligned to cache lines (asserted in object.c) */
/* The part of the core that counts for admission: without the links of index and queues. */
#define OBJECT_CORE_BYTES \
    (sizeof(struct object) - (offsetof(struct object, hits) - offsetof(struct object, entry)))

/* A ban as objects see it. While an object holds it, the list keeps it and all newer bans. */
struct ban_hold {
    atomic_uint refs; /* incremented under the list's lock, or while it or an older ban is held */
};

struct object_note {
    size_t bytes;
    char data[];
};

/* See second_form.h. */
struct second_form {
    struct body body;    /* owned; 0 bytes: none */
    atomic_uint asked;   /* deliveries that had to pack this form */
    atomic_bool is_made; /* a delivery makes it, or has made it */
};

/* The part of a head for objects whose body filters changed or checked, or that may have second forms. */
struct object_coding {
    struct second_form second[CODINGS];
    union {
        struct gzip_facts gzip; /* set by the fetch before COMPLETE */
        struct body_part only;  /* form `partial`: the only part there will ever be, or the body has holes */
    };
    _Atomic(struct object_note *) note, trailers; /* owned; NULL: none. Set by the writer, once */
    struct body_form form;
};

#define IMAGE_AT_MAX ((1u << 30) - 1)

/* Live part of a stored head. The same allocation then holds the ids, the marks if the response has Vary, the
 * coding if there is one, and the image. */
struct object_head {
    int64_t content_length; /* set by object_publish */
    uint64_t born;          /* set by store_insert */
    /* The newest ban that this response is known not to meet; NULL before store_insert; ban lock. */
    _Atomic(struct ban_hold *) ban;
    uint32_t image_at : 30; /* offset of the image */
    uint32_t is_coded : 1;  /* a struct object_coding precedes the image */
    uint16_t ids_known;     /* names in the table when `ids` were looked up */
    atomic_bool softened;   /* it became stale at once: see object_time; shard lock */
    uint8_t refusal;        /* set before publish: object_set_refusal */
    name_id ids[];          /* ids of the image's names in this process */
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

/* NULL: no Vary, or Vary: * */
static inline const struct vary_marks *
object_marks_of(const struct object_head *h)
{
    const char *end = (const char *)h + h->image_at - (h->is_coded ? sizeof(struct object_coding) : 0);
    return head_image_of(h)->vary_bytes == 0 ? NULL : (const struct vary_marks *)(const void *)end - 1;
}

static inline size_t
head_bytes(const struct object_head *h)
{
    return h->image_at + head_image_of(h)->bytes;
}

void second_forms_free(struct object_coding *all);
/* Refunds the head to the storage charged for it. */
void object_head_free(struct object *o, struct storage *st);
/* Makes an object's head from a foreign image. ERR_SYNTAX, ERR_LIMIT (see image_check), ERR_NOMEM. */
int object_set_image(struct object *o, struct span image);
void object_head_each(const struct object *o, void (*fn)(struct span name, struct span value, void *arg),
                      void *arg);
struct span object_vary(const struct object *o); /* empty: the response has no Vary */
bool object_selected_by(const struct object *o, const struct http_message *request, bool rfc9111);

/* ---- writer's side (object.c, object_body.c, watch.c) ---- */
struct object_live {
    struct list watches;       /* struct watch; object lock */
    struct notice *on_reader;  /* lent by the writer's watch; object lock */
    size_t read_bytes;         /* private objects: the reader's position; object lock */
    struct body_writer writer; /* writer */
    bool left;                 /* object_leave; object lock */
    struct body_form form;     /* writer: form for the next head */
    /* writer: the storage charged for the head; object_storage(o) may differ until the head is set again. */
    struct storage *head_storage;
    struct object *replaces; /* a reference; this object leaves the index on completion; writer */
    /* The hit-for-miss that the look-up found, a reference (near.h): the object enters the index beside it
     * when it is inserted. NULL: it is in the index, or will never be; writer */
    struct object *beside;
    /* Predicted fields in the response's Vary, as a spec without values, and the marks of the request; NULL:
     * no prediction; shard lock. */
    char *vary;
    uint32_t vary_bytes;
    struct vary_marks marks;
    uint64_t number;       /* of the fetches that began in its shard; shard lock */
    bool is_retry;         /* a waiter fetches after a failed fetch; shard lock */
    bool no_wait;          /* after a hit-for-miss, or invalidated: lookups do not wait for it; shard lock */
    _Atomic uint64_t born; /* 0: the origin was not asked yet; writer */
    struct ban_hold *born_ban; /* the newest ban at birth; held; writer */
    struct births *births;     /* of the loop that asked; set while it holds a ban; writer */
    struct list birth;         /* in the list of births while it holds a ban; its lock */
    /* At publication it is given to waiters that asked before this position; 0: to none; shard lock. */
    uint64_t give_before;
};

pthread_mutex_t *object_lock(const struct object *o);
void object_wake(struct object *o); /* wakes all watches */
/* True if each reference but the writer's belongs to the owner of a watch; *at is their lowest position. */
bool watches_are_all(struct object *o, size_t *at);
/* Sets COMPLETE or FAILED, wakes for the last time, and drops the writer's side. */
void object_finish(struct object *o, enum object_state state);
/* Of a complete object: the bytes that count for admission. */
uint64_t object_stored_bytes(const struct object *o);
bool object_findable(const struct object *o); /* inserted and published; before that it counts as busy */
/* The body has ended: gives back what is reserved. `is_alone`: no other thread may hold or get a reference,
 * or read the body. */
void object_body_end(struct object *o, bool is_alone);
void object_unhold_ban(struct object *o); /* harmless if o holds no ban; writer */
void object_head_drop(struct object *o);  /* writer */
void object_soften(struct object *o, struct softening to);

static inline bool
object_softened(const struct object *o)
{
    return atomic_load_explicit(&o->head->softened, memory_order_relaxed);
}

void object_log_expired(const struct object *o, nsec now);
nsec object_death(const struct object *o);

#endif
