/* The index of stored responses and their memory budgets. Shards (by key digest) hold entries; an entry holds
 * the objects of one key (its variants) and the requests that wait for a fetch. Each storage (`-s
 * NAME=malloc,SIZE`) has one atomic budget and its own S3-FIFO queues; the thread that needs space evicts.
 * Lock order: shard, then storage. No policy, regex or I/O runs under these locks. The counters n_lru_nuked,
 * n_lru_limited and n_expired are counted here, all others by the callers. */
#ifndef VERNIS_CACHE_STORE_H
#define VERNIS_CACHE_STORE_H

#include "cache/digest.h"
#include "cache/key.h"
#include "cache/object.h"
#include "storage/storage.h"
#include "cache/vary.h"

struct rfc9111_demand;
struct store;

struct store_options {
    const uint8_t *seed; /* DIGEST_SEED_BYTES bytes; NULL: random, for this process only */
    uint32_t epoch;      /* of its positions (position.h), at most EPOCH_MAX */
};

int store_new(const struct store_options *options, struct store **out); /* options NULL: defaults */
void store_release(struct store **s); /* drops everything; no loop may use the store any more */
/* Another process has a store of its own for the same clients, and gets their invalidations from now on. So
 * nothing stored here may answer a request, and an invalidation made here must be refused: callers of both
 * ask store_is_retired first. `on` false: this process goes on. Any thread. */
void store_retire(struct store *s, bool on);
bool store_is_retired(const struct store *s);
#define STORE_RETIRED_TEXT "the daemon is being replaced by an upgrade: repeat it on a new connection"
/* For Transient, which always exists, this only sets a limit. Without a limit Transient takes memory from the
 * largest storage, up to that storage's limit (but at least 32 MB). */
int store_add_storage(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out);
/* NULL if unknown; name SPAN_NULL = the next by round robin. */
struct storage *store_storage(struct store *s, struct span name);
/* NUL-ended, lives as long as the store; SPAN_NULL: there are not so many. Number 0 is Transient. */
struct span store_storage_name(const struct store *s, unsigned number);
struct storage *store_transient(struct store *s); /* private and short-lived objects; always exists */

/* Charges memory that another room owns, such as a request body, to a storage, and gives it back.
 * ERR_NOMEM. */
int store_take(struct storage *st, enum storage_use use, uint64_t bytes);
void store_give(struct storage *st, enum storage_use use, uint64_t bytes);
/* The same for working memory, which SMA.name counts in its bytes but not in its allocations. */
int store_reserve(struct storage *st, enum storage_use use, uint64_t bytes);
void store_unreserve(struct storage *st, enum storage_use use, uint64_t bytes);
uint64_t store_largest_bytes(const struct store *s); /* the limit of the largest storage; 0: no limit */
/* Call periodically: evicts for memory held above the limits. True: more is left. */
bool store_settle(struct store *s);

enum lookup_result {
    LOOKUP_HIT,             /* `object` is fresh, complete or streaming */
    LOOKUP_HIT_GRACE,       /* `object` is stale but in grace, and a fetch for it is under way elsewhere */
    LOOKUP_HIT_GRACE_FETCH, /* the same, but the caller must start the background fetch into `busy` */
    /* The caller must fetch into `busy`; `object` = a stale one in keep for a conditional fetch, or NULL. */
    LOOKUP_MISS,
    LOOKUP_HIT_FOR_MISS, /* like MISS, but no lookup waits for `busy`; `object` = the marker */
    LOOKUP_HIT_FOR_PASS, /* the caller passes; `object` = the marker */
    LOOKUP_WAIT,         /* the waiter was queued: fn runs when it is time to look up again */
    LOOKUP_FULL          /* no memory for a new entry or object */
};

/* For embedding in the request, zeroed, with loop and fn set. fn runs once on `loop` for each LOOKUP_WAIT.
 * Then look up again with the same waiter, or call store_unwait, which passes the turn to the next waiter.
 * Once store_unwait has returned (on the waiter's loop), fn will not run. */
struct store_waiter {
    struct list link; /* shard lock */
    struct loop *loop;
    void (*fn)(struct store_waiter *w);
    struct notice *notice; /* private: the item in the mailbox, which outlives the waiter */
    struct digest digest;  /* private: digest of the key */
    atomic_uint pending;   /* private: idle, queued, woken */
    uint64_t asked; /* private: the position (invalidation.h) when it was first queued; 0: not queued yet */
    struct object *given; /* private: the answer, a reference; NULL: look up again; shard lock */
    /* private, shard lock: marks of the request for the fields on which the awaited response probably varies;
     * names 0: not known. */
    struct vary_marks marks;
    /* private, shard lock: the next look-up waits only for fetches that began up to this one of the shard,
     * because the others are those of fellow waiters; 0: for any. */
    uint64_t patience;
    bool has_turn; /* private, shard lock: woken to fetch; the others still wait */
    bool retries;  /* private, shard lock: woken after a failed fetch */
};

/* Why an object leaves its entry without a response for other requests. */
enum withdrawal {
    WITHDRAW_UNUSED,  /* nothing was fetched: one waiter is woken, and fetches in turn */
    WITHDRAW_FAILED,  /* the same; if this fetch was a waiter's turn after another failure, two are woken */
    WITHDRAW_UNSHARED /* all waiters are woken, and fetch at once */
};

/* Why no stored response answers a request, for the log. */
enum miss_cause {
    MISS_ABSENT,       /* none was stored under this key, as far as the store remembers (removal.h) */
    MISS_EXPIRED,      /* past its ttl and its grace */
    MISS_MARKER_ENDED, /* only a marker was stored, which has ended */
    MISS_EVICTED,
    MISS_PURGED,
    MISS_BANNED,
    MISS_VARIANT,   /* the stored ones are for other values of the fields in Vary */
    MISS_ALWAYS,    /* the caller demanded it */
    MISS_REQ_TTL,   /* older than req.ttl */
    MISS_REQ_GRACE, /* stale, in its own grace, but not in req.grace */
    MISS_CLIENT,    /* does not meet the client's Cache-Control */
    MISS_CAUSES
};

struct miss {
    enum miss_cause cause;
    nsec ago; /* since when; 0 where the cause has no time */
};

struct lookup {
    const struct cache_key *key;
    const struct http_message *request; /* for Vary */
    nsec now;                           /* wall clock */
    nsec grace_limit, ttl_limit;        /* req.grace, req.ttl; negative = none */
    bool always_miss, ignore_busy, ignore_vary;
    bool rfc9111; /* compare the fields that Vary names by their meaning (vary_matches_meaning) */
    bool explain; /* set `miss` */
    bool no_wait; /* lookups must not wait for `busy`: it may not answer other requests */
    const struct rfc9111_demand *demand; /* the client's requirements on a stored response; NULL = none */
    struct store_waiter *waiter;         /* with loop and fn set; NULL = never wait (as ignore_busy) */
    struct log_txn *log;                 /* receives records about dropped objects; may be NULL */
    /* Results: references that the caller owns. The storage of busy is a default; the fetch may choose
     * another before object_set_head. */
    struct object *object, *busy;
    unsigned other_variants; /* variants of this key for other requests, as far as the scan went */
    struct miss miss;        /* with `explain`, of LOOKUP_MISS */
};

enum lookup_result store_lookup(struct store *s, struct lookup *l);
void store_unwait(struct store *s, struct store_waiter *w);
/* Call when `busy` has its head (object_set_head) and lifetimes, before object_publish. Publishing then makes
 * it visible to lookups and wakes all waiters. After an invalidation since store_born, only waiters that
 * asked before the invalidation get it (invalidation.h). Tests bans, so it may take long. `replaces` (or
 * NULL) and older objects of the same variant leave the index only when the new object is complete, so that a
 * failed fetch loses nothing. False: lookups will not find it, because it was fetched after a hit-for-miss
 * that has left the index. */
bool store_insert(struct store *s, struct object *busy, struct object *replaces);
/* Was `busy` fetched after a hit-for-miss that still holds for so long? Then its response need not be a new
 * marker. */
bool store_is_marked(const struct store *s, const struct object *busy, nsec least, nsec now);
/* The same as `replaces` for a withdrawn response: `stale` leaves the index when `busy` is complete. Call
 * before object_publish. */
void store_supersede(struct object *busy, struct object *stale);
void store_drop(struct store *s, struct object *stale); /* removes it from the index now */
void store_lost(struct object *o); /* drops a response with a place that the storage could not read */
/* Call when nothing was fetched, the fetch failed, or the response must not be shared: `busy` leaves the
 * entry, and requests that wait for it are woken. Harmless if `busy` is not in the index. An unpublished
 * object becomes private. */
void store_withdraw_for(struct store *s, struct object *busy, enum withdrawal why);
/* WITHDRAW_UNUSED, but a hit-for-miss is WITHDRAW_UNSHARED. */
void store_withdraw(struct store *s, struct object *busy);
/* Do requests wait for `busy`? */
bool store_is_awaited(struct store *s, const struct object *busy);
/* Call once per hit, from the request: counts object_hits and the S3-FIFO frequency; no lock. */
void store_touch(struct object *o);

/* Extends the grace of o until then, if it would end earlier: for a response used while its origin is
 * down. */
void store_stretch_grace(struct store *s, struct object *o, nsec until);

void store_make_stale(struct store *s, struct object *o, nsec now); /* ends its freshness now */

/* Call periodically from one loop: drops objects past ttl + grace + keep, at most `budget` in one call.
 * Returns their number. The next call goes on where this one ended. */
unsigned store_expire(struct store *s, nsec now, unsigned budget);

/* Evicts responses of about `bytes` from all storages, in the order of their queues. Returns the bytes freed,
 * or those of the responses if some are not free yet, because others store meanwhile or loops keep them near.
 */
uint64_t store_shrink(struct store *s, uint64_t bytes);

/* Holds memory that belongs to no object (buckets, addresses) on the account of the largest storage. */
void store_hold(struct store *s, enum storage_use use, int64_t bytes);
/* Bytes of memory in the places of all storages, and of the pages that wait for the next places. They are
 * shared memory of this process, not private. */
uint64_t store_placed_bytes(struct store *s);
uint64_t store_kept_bytes(struct store *s);
void store_tidy_places(struct store *s); /* see memfd_space_tidy */

/* stored: objects without those still being fetched. */
struct store_stats {
    uint64_t objects, stored, entries, bytes;
};
void store_stats(struct store *s, struct store_stats *out);

#endif
