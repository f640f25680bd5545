/* What the files of this room share and nobody else includes: notices, the packed head, the writer's side of an object, and the
 * shards of the index. Lock order: shard, then storage; shard, then object. Nothing is called back while one is held. */
#ifndef VERNIS_CACHE_INTERNAL_H
#define VERNIS_CACHE_INTERNAL_H

#include <pthread.h>

#include "base/check.h"
#include "cache/object.h"
#include "cache/store.h"

/* ---- notices (notice.c) ---- What is posted to another loop when something changed: on the heap and shared, because an item
 * can not be taken out of a mailbox when its receiver goes away. The receiver holds one reference, the mailbox another. */
struct notice {
    struct post post;
    struct loop *loop;
    void (*fn)(void *arg);              /* NULL once cancelled; owner loop */
    void *arg;
    struct notice *next;                /* in one batch */
    atomic_uint refs, posted;
};

/* Collected under a lock, sent after it. */
struct notice_batch {
    struct notice *first, *last;
};

int notice_new(struct loop *loop, void (*fn)(void *arg), void *arg, struct notice **out);
void notice_collect(struct notice_batch *b, struct notice *n);
void notice_send(struct notice_batch *b);
void notice_cancel(struct notice **n);  /* owner loop; harmless on NULL */

/* ---- packed head (head.c) ---- */
struct packed_field {
    name_id id;
    uint16_t name_bytes;                /* 0: spelled as name_text(id) */
    uint32_t value_bytes;
};

/* Then n_fields packed fields, then the texts: proto, reason, names and values, the Vary spec. */
/* What a storage is charged for an object beside head and body: its core, but not the links by which index and queues hold it. */
#define OBJECT_CORE_BYTES (sizeof(struct object) - (offsetof(struct object, expiry_slot) - offsetof(struct object, entry)))

struct object_head {
    int64_t content_length;             /* set by object_publish */
    _Atomic(struct ban *) ban;          /* the newest one this response is known not to meet; NULL before store_insert; ban lock */
    uint32_t bytes;                     /* all of it, as charged */
    uint32_t vary_bytes;
    uint16_t n_fields, reason_bytes;    /* reason_bytes 0: the standard one of the status */
    uint8_t minor, proto_bytes;         /* proto_bytes 0: HTTP/1.minor */
    bool vary_any;                      /* Vary: * */
    struct packed_field fields[];
};

void object_head_each(const struct object *o, void (*fn)(struct span name, struct span value, void *arg), void *arg);
struct span object_vary(const struct object *o);        /* empty: does not vary */
bool object_selected_by(const struct object *o, const struct http_message *request);

/* ---- vary.c ---- */
size_t vary_pack(struct span names, const struct http_message *request, char *out);     /* one Vary line; out NULL: only counts */
size_t vary_repack(struct span spec, const struct http_message *request, char *out);    /* the same fields, for another request */

/* ---- writer's side (object.c, body.c, watch.c) ---- */
struct object_live {
    struct list watches;                /* struct watch; object lock */
    struct notice *on_reader;           /* lent by the writer's watch; object lock */
    size_t read_bytes;                  /* private objects: how far the reader is; object lock */
    struct segment *last;               /* writer */
    char *scratch;                      /* writer: where bytes of unknown number arrive */
    size_t scratch_bytes, reserved_bytes;       /* reserved: charged for segments still to be made */
    struct storage *head_storage;       /* writer: the one charged for the head, which o->storage may differ from until set again */
    struct object *replaces;            /* reference; leaves the index on completion; writer */
    char *vary;                         /* what the response will probably select on; shard lock */
    uint32_t vary_bytes;
    bool no_wait;                       /* fetched because of a hit-for-miss: look-ups do not wait for it; shard lock */
};

pthread_mutex_t *object_lock(const struct object *o);
void object_wake(struct object *o);                     /* all watches */
/* Sets COMPLETE or FAILED, wakes for the last time, and drops the writer's side. */
void object_finish(struct object *o, enum object_state state);
uint64_t object_stored_bytes(const struct object *o);   /* of a complete object: what stays charged as long as it is stored */
bool object_findable(const struct object *o);           /* inserted and published; before, it counts as busy */
bool object_is_transit(const struct object *o);         /* its only reader's segments are freed once read */
void object_body_end(struct object *o);                 /* trims; nobody else may hold a reference or get one, or look at the body */
void object_body_free(struct object *o);                /* the same */
void object_scratch_release(struct object *o);
void object_head_drop(struct object *o);                /* writer */

/* ---- storage.c ---- */
int storage_new(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out);
void storage_release(struct storage **st);
/* Space for one allocation, evicting if need be, and back. No shard or storage lock may be held. ERR_NOMEM. */
int storage_charge(struct storage *st, uint64_t bytes);
void storage_refund(struct storage *st, uint64_t bytes);
void storage_trimmed(struct storage *st, uint64_t bytes);       /* an allocation became that much smaller */
/* The same in two steps, for what is allocated later. */
int storage_reserve(struct storage *st, uint64_t bytes);
void storage_unreserve(struct storage *st, uint64_t bytes);
void storage_allocated(struct storage *st, uint64_t bytes);     /* out of what was reserved */
struct store *storage_store(const struct storage *st);

/* ---- evict.c ---- */
struct storage_queues;
int queues_new(struct store *s, struct storage_queues **out);
void queues_release(struct storage_queues **q);
struct store *queues_store(const struct storage_queues *q);
void queues_add(struct object *o, uint64_t hash);               /* complete object; shard lock held */
void queues_remove(struct object *o);                           /* harmless when not in one; shard lock held */
bool queues_evict_one(struct storage *st);                      /* false: nothing can go */

/* ---- expiry.c ---- a heap of the objects of a shard by the time they are of no more use; shard lock */
struct expiry_item {
    nsec death;
    struct object *object;
};

struct expiry {
    struct expiry_item *items;          /* heap from 1 */
    uint32_t count, capacity;
};

nsec object_death(const struct object *o);
void expiry_set(struct expiry *x, struct object *o);            /* adds or moves */
void expiry_remove(struct expiry *x, struct object *o);
struct object *expiry_due(const struct expiry *x, nsec now);    /* NULL: none */

/* ---- ban.c ---- locks of shards may be held */
struct bans;

int bans_new(struct bans **out);
void bans_release(struct bans **b);                     /* nothing is stored any more */
void ban_attach(struct bans *bans, struct object *o);   /* o is shared from now on */
void ban_detach(struct object_head *h);                 /* harmless when not attached */
/* Whether a response meets a ban that came after it; else it is known not to. No lock of a shard may be held: this can take long. */
bool bans_concern(struct bans *bans, struct object *o, const struct http_message *request);

/* ---- surrogate.c ---- shard lock held */
struct surrogates;

int surrogates_new(struct surrogates **out);            /* ERR_NOMEM */
void surrogates_release(struct surrogates **s);         /* nothing is stored any more */
void surrogates_attach(struct surrogates *s, struct object *o);     /* o has its head and is in the index */
void surrogates_detach(struct surrogates *s, struct object *o);     /* harmless when not attached */

/* ---- index (store.c) ---- */
struct cache_entry {
    struct cache_entry *next;           /* of the bucket */
    uint64_t hash;
    struct object *objects;             /* newest first, busy ones too; each holds a reference */
    struct list waiters;                /* struct store_waiter, longest waiting first */
    uint32_t key_bytes;
    char key[];
};

#define STORE_SHARDS 1024u
#define STORE_SHARD_SHIFT 54            /* the top 10 bits of a hash */
#define STORAGES_MAX 64u
#define VARIANTS_MAX 1000u              /* of one key; a further one drops the oldest */

struct shard {
    _Alignas(128) pthread_mutex_t lock;
    struct cache_entry **buckets;
    uint32_t n_buckets, n_entries;      /* n_buckets: power of two */
    struct expiry expiry;
    _Atomic nsec next_death;            /* read without the lock to pass shards with nothing due */
};

struct store {
    struct shard shards[STORE_SHARDS];
    struct storage *storages[STORAGES_MAX];     /* [0] is Transient; set up before traffic */
    unsigned n_storages;
    struct bans *bans;
    struct surrogates *surrogates;
    atomic_uint turn;                   /* round robin */
    atomic_ullong n_objects, n_entries;
};

static inline struct shard *
shard_of(struct store *s, uint64_t hash)
{
    return &s->shards[hash >> STORE_SHARD_SHIFT];
}

struct cache_entry *index_find(struct shard *sh, const struct cache_key *key, uint64_t hash);
struct cache_entry *index_add(struct store *s, struct shard *sh, const struct cache_key *key, uint64_t hash);   /* NULL: no memory */
void index_link(struct store *s, struct cache_entry *e, struct object *o);     /* takes its own reference */
/* Takes o out and puts it on *dropped; the entry goes when nothing is left in it. */
void index_unlink(struct store *s, struct shard *sh, struct object *o, struct object **dropped);
void index_release(struct object **dropped);            /* after the lock: gives the index's references back */
/* Takes the shard lock. Returns the hash of the key, 0 when somebody else took the object out before. */
uint64_t index_drop(struct store *s, struct object *o);
void index_tidy(struct store *s, struct shard *sh, uint64_t hash);     /* frees entries with neither objects nor waiters */

/* After object_publish and object_complete of an indexed object. */
void store_published(struct object *o);
void store_completed(struct object *o);

/* ---- waiters.c; shard lock held ---- */
int waiter_queue(struct cache_entry *e, struct store_waiter *w);       /* ERR_NOMEM */
void waiters_wake(struct cache_entry *e, unsigned max, struct notice_batch *b);
void waiter_turn_used(struct store *s, struct store_waiter *w);         /* it looks up again; no lock held */

#endif
