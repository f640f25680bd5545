/* Shared by the files about bans: tests, the list, and the locks that guard them. */
#ifndef VERNIS_CACHE_BAN_INTERNAL_H
#define VERNIS_CACHE_BAN_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/mem.h"
#include "cache/ban.h"
#include "cache/object_internal.h"
#include "cache/position.h"
#include "http/fields.h"
#include "match/pcre.h"

/* In the order of the table in ban_draft.c. The fields from BAN_OBJ_TTL on are durations. */
enum ban_field {
    BAN_REQ_URL,
    BAN_REQ_HTTP,
    BAN_OBJ_STATUS,
    BAN_OBJ_HTTP,
    BAN_OBJ_TTL,
    BAN_OBJ_AGE,
    BAN_OBJ_GRACE,
    BAN_OBJ_KEEP
};

enum ban_operator {
    BAN_EQ,
    BAN_NEQ,
    BAN_MATCH,
    BAN_NOT_MATCH,
    BAN_GT,
    BAN_GE,
    BAN_LT,
    BAN_LE,
    BAN_OPERATORS
};

#define BAN_ON_REQUESTS 1u
#define BAN_ON_OBJECTS 2u
#define BAN_OF_ITS_TIME 4u /* depends on the time of the ban: never equal to another ban */
#define BAN_COMPLETED 8u

struct ban_test {
    enum ban_field field;
    enum ban_operator oper;
    name_id id;
    char *name, *value; /* value: NULL for durations */
    size_t name_bytes, value_bytes;
    nsec duration;
    struct regex *regex;
};

struct ban_draft {
    struct ban_test *tests;
    unsigned n_tests, flags;
    uint32_t by;   /* xid of the fetch whose policy made it; 0: not made by a fetch */
    uint64_t born; /* of that fetch */
};

/* Fixed once in the list, except for the fields whose comment names a lock. */
struct ban {
    struct ban_hold hold;
    struct ban *older; /* fixed while this ban or an older one is held */
    struct ban *newer; /* list lock */
    /* List lock: the chain of bans->alike, of those that are not completed; at NULL: in no chain. */
    struct ban *alike, **alike_at;
    uint64_t text_hash;
    uint64_t number;   /* one more than the number of `older` */
    uint64_t position; /* see invalidation.h; greater than the position of `older` */
    nsec time;
    atomic_uint flags;   /* BAN_COMPLETED is set under the list lock */
    atomic_uint anchors; /* of its references those of births.c, which stand for no response */
    uint32_t by;
    struct ban_test *tests;
    unsigned n_tests;
    char *text;
    size_t bytes; /* charged bytes; 0: the first ban, which is always there */
};

#define BIRTH_GROUPS 64u
#define BANS_ALIKE 16384u  /* chains */
#define BANS_AT_ONCE 4096u /* most bans that are visited under one hold of the list lock */

/* The fetches under way of a group of loops. Lock order: this one, then the list's. */
struct births {
    _Alignas(64) pthread_mutex_t lock;
    struct list fetches; /* object_live.birth, oldest first */
    struct ban *anchor;  /* held; NULL: none */
};

/* The oldest ban is removed when no response holds it; the newest always stays. */
struct bans {
    _Atomic(struct ban *) newest; /* changes under the lock; each hit reads it */
    struct store *store;
    char apart[CACHE_LINE_BYTES]; /* each miss writes what follows */
    struct ban *oldest;           /* lock */
    struct ban **alike; /* lock: BANS_ALIKE chains by text_hash, newest first; equal bans meet there */
    pthread_mutex_t lock;
    /* The lurker's thread. */
    pthread_cond_t wake;
    pthread_t thread;
    uint64_t generation;  /* lock: changes when the lurker may have work */
    bool running, stop;   /* lock */
    unsigned in_batch;    /* lurker */
    atomic_uint n_groups; /* of births that were used */
    struct births births[BIRTH_GROUPS];
};

void ban_tests_free(struct ban_test *tests, unsigned n);
size_t ban_tests_memory(const struct ban_test *tests, unsigned n);

/* Does o meet all conditions of b? `tests` counts the conditions tested. request NULL: a request without
 * fields. */
bool ban_meets(const struct ban *b, const struct object *o, const struct http_message *request,
               uint64_t *tests);

/* A ban made by the object's own fetch does not concern the object. */
static inline bool
ban_is_own(const struct ban *b, const struct object *o)
{
    return b->by != 0 && b->by == o->xid;
}

static inline unsigned
ban_flags(const struct ban *b)
{
    return atomic_load_explicit(&((struct ban *)b)->flags, memory_order_acquire);
}

/* Responses and fetches that hold b. */
static inline unsigned
ban_users(const struct ban *b)
{
    unsigned anchors = atomic_load_explicit(&((struct ban *)b)->anchors, memory_order_relaxed);
    unsigned refs = atomic_load_explicit(&((struct ban *)b)->hold.refs, memory_order_relaxed);
    return refs > anchors ? refs - anchors : 0; /* both change meanwhile */
}

static inline struct ban *
ban_held(struct ban_hold *hold)
{
    return hold == NULL ? NULL : container_of(hold, struct ban, hold);
}

/* Returns the newest ban that o is known not to meet. */
static inline struct ban *
ban_of(const struct object *o)
{
    return ban_held(atomic_load_explicit(&((struct object *)o)->head->ban, memory_order_acquire));
}

/* Are there newer bans to test? Runs in every hit, so it is a single comparison. */
static inline bool
bans_to_test(const struct bans *bans, const struct object *o)
{
    return ban_of(o) != atomic_load_explicit(&((struct bans *)bans)->newest, memory_order_acquire);
}

/* List lock held, but for an object that no other thread can find yet. */
void ban_complete(struct ban *b);                /* list lock */
void ban_move(struct object *o, struct ban *to); /* o meets neither `to` nor any older ban */
void bans_drop_unheld(struct bans *bans);        /* from the old end; without the lock */

/* ---- for insertion and lookup; shard locks may be held unless a comment forbids it ---- */
int bans_new(struct store *s, struct bans **out);
void bans_release(struct bans **b); /* call after the index is empty */
/* Makes a ban of the draft, which it takes over. ERR_LIMIT with the reason in `error`: bans hold all the
 * memory they may. Call without locks: stored objects may be evicted. */
int bans_prepare(struct bans *bans, struct ban_draft **d, nsec now, struct ban **out,
                 char error[BAN_ERROR_BYTES]);
/* Adds a prepared ban to the list. `born`: of its draft. Returns its position. Call with the lock of the
 * purge records. */
uint64_t bans_add(struct bans *bans, struct ban *b, uint64_t born);
char *ban_draft_text(const struct ban_draft *d); /* owned by the caller */
void births_init(struct bans *bans);
void births_release(struct bans *bans);
/* Lets go of the bans that groups of loops hold and that are not the newest. Call without the list lock. */
void births_weigh_anchors(struct bans *bans);
/* The fetch leaves the list of births; the caller has its hold now. */
struct ban_hold *births_leave(struct object_live *live);
/* Sets o->born to the current position and makes o hold the newest ban. Returns the position. */
uint64_t ban_hold(struct bans *bans, struct positions *positions, struct object *o);
/* The oldest position at which a fetch under way was born; UINT64_MAX: there is none. */
uint64_t bans_oldest_birth(struct bans *bans);
/* Tests o against the bans since it was born, except bans on requests, which lookups test. Completed bans are
 * tested too, because the lurker did not see o. May be repeated for newer bans. Call without a shard lock. */
void bans_judge(struct bans *bans, const struct object *o, struct verdict *v);
/* Call when o becomes shared. */
void ban_attach(struct bans *bans, struct object *o, const struct verdict *v);
/* Does a response meet a ban newer than itself? If not, it now points at the newest ban. Call without a shard
 * lock: the tests can take long. */
bool bans_concern(struct bans *bans, struct object *o, const struct http_message *request);

#endif
