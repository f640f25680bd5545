/* What the files about bans share: tests, the list, and who guards what. */
#ifndef VERNIS_BAN_INTERNAL_H
#define VERNIS_BAN_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/check.h"
#include "cache/ban.h"
#include "cache/internal.h"
#include "http/fields.h"
#include "match/pcre.h"

/* In the order of the table in ban_draft.c; durations from BAN_OBJ_TTL on. */
enum ban_field {
    BAN_REQ_URL, BAN_REQ_HTTP, BAN_OBJ_STATUS, BAN_OBJ_HTTP, BAN_OBJ_TTL, BAN_OBJ_AGE, BAN_OBJ_GRACE, BAN_OBJ_KEEP
};

enum ban_operator { BAN_EQ, BAN_NEQ, BAN_MATCH, BAN_NOT_MATCH, BAN_GT, BAN_GE, BAN_LT, BAN_LE, BAN_OPERATORS };

#define BAN_ON_REQUESTS 1u
#define BAN_ON_OBJECTS 2u
#define BAN_OF_ITS_TIME 4u              /* means something else at another time: never the same as another ban */
#define BAN_COMPLETED 8u

struct ban_test {
    enum ban_field field;
    enum ban_operator oper;
    name_id id;
    char *name, *value;                 /* value: NULL for durations */
    size_t name_bytes, value_bytes;
    nsec duration;
    struct regex *regex;
};

struct ban_draft {
    struct ban_test *tests;
    unsigned n_tests, flags;
};

/* Fixed once in the list, but for what a comment names. */
struct ban {
    struct ban *older;                  /* fixed while this one or an older one is held */
    struct ban *newer;                  /* list lock */
    uint64_t number;                    /* one more than that of `older` */
    nsec time;
    atomic_uint refs;                   /* goes up under the list lock only */
    atomic_uint flags;                  /* BAN_COMPLETED is set under the list lock */
    struct ban_test *tests;
    unsigned n_tests;
    char *text;
};

/* The oldest one goes when nothing holds it; the newest always stays. */
struct bans {
    _Atomic(struct ban *) newest;       /* changes under the lock */
    struct ban *oldest;                 /* lock */
    pthread_mutex_t lock;
    /* The lurker's thread. */
    pthread_cond_t wake;
    pthread_t thread;
    uint64_t generation;                /* lock: changes when the lurker should look again */
    bool running, stop;                 /* lock */
    unsigned in_batch;                  /* lurker */
};

void ban_tests_free(struct ban_test *tests, unsigned n);
char *ban_draft_text(const struct ban_draft *d);        /* the caller's */

/* Whether o meets all conditions of b. `tests` counts those looked at. request NULL: nothing is set in it. */
bool ban_meets(const struct ban *b, const struct object *o, const struct http_message *request, uint64_t *tests);

static inline unsigned
ban_flags(const struct ban *b)
{
    return atomic_load_explicit(&((struct ban *)b)->flags, memory_order_acquire);
}

/* Each look-up that finds something asks this: one compare. */
static inline bool
bans_to_test(const struct store *s, const struct object *o)
{
    return atomic_load_explicit(&o->head->ban, memory_order_acquire)
           != atomic_load_explicit(&((struct bans *)s->bans)->newest, memory_order_acquire);
}

/* List lock held. */
void ban_complete(struct ban *b);
void bans_kick(struct bans *bans);
void ban_move(struct object *o, struct ban *to);        /* o is not concerned by `to` nor by any older one */
void bans_clean(struct bans *bans, struct ban **removed);   /* takes what nothing holds off the tail */
void ban_free_list(struct ban *removed);                /* without the lock */

#endif
