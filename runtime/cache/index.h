/* The index and the store it is part of: shards of entries by digest of the key. Lock order: shard, then storage; shard, then object.
 * Nothing is called back while one is held. Any thread. */
#ifndef VERNIS_CACHE_INDEX_H
#define VERNIS_CACHE_INDEX_H

#include <pthread.h>

#include "base/check.h"
#include "cache/digest.h"
#include "cache/expiry.h"
#include "cache/key.h"
#include "cache/object_internal.h"
#include "cache/position.h"

struct bans;
struct invalidations;
struct surrogates;

struct cache_entry {
    struct cache_entry *next;           /* of the bucket */
    struct digest digest;               /* of the key */
    struct object *objects;             /* newest first, busy ones too; each holds a reference */
    struct list waiters;                /* struct store_waiter, longest waiting first */
    uint32_t key_bytes;
    char key[];
};

#define STORE_SHARDS 1024u
#define STORE_SHARD_SHIFT 54            /* the top 10 bits of a digest's low half */
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
    struct digest_secret key_secret, tag_secret;        /* fixed */
    struct storage *storages[STORAGES_MAX];     /* [0] is Transient; set up before traffic */
    unsigned n_storages;
    bool has_transient;                 /* Transient was given a size */
    struct storage *house;              /* the largest storage, which memory of no object in particular is held on; fixed as they are */
    struct positions positions;
    struct invalidations *invalidations;
    struct bans *bans;
    struct surrogates *surrogates;
    atomic_uint turn;                   /* round robin */
    atomic_ullong n_objects, n_stored, n_entries;   /* n_stored: objects without those being fetched */
};

static inline unsigned
shard_number(struct digest d)
{
    return (unsigned)(d.low >> STORE_SHARD_SHIFT);
}

static inline struct shard *
shard_of(struct store *s, struct digest d)
{
    return &s->shards[shard_number(d)];
}

struct digest index_key_digest(const struct store *s, const struct cache_key *key);
struct cache_entry *index_find(struct shard *sh, const struct cache_key *key, struct digest d);
struct cache_entry *index_add(struct store *s, struct shard *sh, const struct cache_key *key, struct digest d);   /* NULL: no memory */
void index_link(struct store *s, struct cache_entry *e, struct object *o);     /* takes its own reference */
/* Takes o out and puts it on *dropped; the entry goes when nothing is left in it. */
void index_unlink(struct store *s, struct shard *sh, struct object *o, struct object **dropped);
void index_release(struct object **dropped);            /* after the lock: gives the index's references back */
/* Takes the shard lock. False: another thread took the object out before. `key` (or NULL) gets the digest of its key. */
bool index_drop(struct store *s, struct object *o, struct digest *key);
void index_soften(struct store *s, struct object *o, nsec stale_at, nsec grace, nsec keep);    /* takes the shard lock */
void index_soften_locked(struct shard *sh, struct object *o, nsec stale_at, nsec grace, nsec keep);
bool index_is_between(const struct object *o);          /* inserted and not published */
struct shard *index_lock_of(struct store *s, const struct object *o);
/* o was inserted and is not published yet: it never will be found. `before`: see object_live.give_before. */
void index_doom(struct object *o, uint64_t before);
void index_note_death(struct shard *sh);                /* the heap has changed */
/* ---- walks over the index ---- They see what is in memory. What a storage has elsewhere is judged by `born` when it is loaded; so
 * nothing that has to hold may rest on a walk having seen all there is. */
struct index_walk {                     /* zeroed: at the start */
    unsigned shard;
    uint32_t bucket, n_buckets;
};

/* The shard to lock for the next part; NULL: the end. */
struct shard *index_walk_shard(struct store *s, const struct index_walk *w);
/* With it locked: runs fn on its objects until fn has been true `max` times, and moves on. A shard whose table was widened since is
 * begun anew, so an object may be seen twice. */
void index_walk_some(struct shard *sh, struct index_walk *w, unsigned max, bool (*fn)(struct object *o, void *arg), void *arg);
void index_empty(struct store *s, struct shard *sh);    /* takes all objects out; nobody waits, and no other thread is here */
/* The entries of one digest, one after the other; e NULL: the first. More than one if keys collide. */
struct cache_entry *index_next_of(struct shard *sh, struct digest d, struct cache_entry *e);
void index_tidy(struct store *s, struct shard *sh, struct digest d);     /* frees entries with neither objects nor waiters */

#endif
