/* Invalidations: purges and soft purges, by key or by surrogate key, and bans. All of them are made here, and answered from here.
 *
 * Each gets a position in one sequence of the store. A fetch takes the position of the moment before its request goes to the
 * origin: the object is `born` there. An invalidation concerns an object that matches it if its own position is greater than
 * `born`. No clock takes part. Stored objects are dealt with before the invalidation is answered. A response that is still being
 * fetched then is judged when it is inserted: it goes to the requests that asked before the invalidation, and no further; after
 * a soft purge it is stored, but stale. (Varnish stores what the origin said before the purge, and serves it for its whole ttl.)
 *
 * Any thread; on a fiber others of the loop may run meanwhile. */
#ifndef VERNIS_INVALIDATION_H
#define VERNIS_INVALIDATION_H

#include "base/clock.h"
#include "base/span.h"
#include "cache/digest.h"

struct ban_draft;
struct cache_key;
struct object;
struct store;

/* The fetch of `busy` is about to ask the origin. May be repeated: a retry asks anew. Returns the position. */
uint64_t store_born(struct store *s, struct object *busy);

/* vcl_purge and purge.hard(): all objects of a key leave the index. Returns how many. */
unsigned store_purge(struct store *s, const struct cache_key *key);
/* The same by the fetch with that xid, whose own response is not concerned. */
unsigned store_purge_by(struct store *s, const struct cache_key *key, uint64_t by);
/* purge.soft(): shortens what is left of their lifetime to ttl (never prolongs it); grace and keep are set unless negative. */
unsigned store_soft_purge_key(struct store *s, const struct cache_key *key, nsec now, nsec ttl, nsec grace, nsec keep);
/* Stored responses with one of these surrogate keys (blanks and commas between) leave the index; soft: those that are fresh become
 * stale and keep their grace and keep. Returns how many. `by`: xid of the fetch whose policy purges, 0 for a client's request. A
 * fetch does not invalidate its own response. */
unsigned store_purge_surrogates(struct store *s, struct span words, bool soft, nsec now, uint64_t by);
/* Cache-Group-Invalidation of a response (RFC 9875): stored responses of these groups and of that host leave the index. A host is told by
 * its place in the key: a policy whose vcl_hash leaves it out has no such groups. Returns how many. */
unsigned store_purge_groups(struct store *s, struct span groups, struct span host, uint64_t by);
/* Takes the draft. Objects born from now on are not concerned. ERR_LIMIT: bans hold all the memory they may (ban_share); `error`,
 * of BAN_ERROR_BYTES, says so, and there is no such ban. */
int store_ban(struct store *s, struct ban_draft **d, nsec now, char *error);

/* ---- for the journal and the fleet to come ---- */
enum invalidation_kind { INVALIDATE_KEY, INVALIDATE_TAG, INVALIDATE_BAN };

struct invalidation {
    uint64_t position;
    struct digest digest;               /* of the key or tag */
    nsec stale_at, grace, keep;         /* soft: fresh no longer than until stale_at; grace and keep unless negative */
    uint32_t by;                        /* xid of the fetch that does not concern itself; 0: none */
    enum invalidation_kind kind;
    bool soft;
};

/* Gets each record after it took effect and before it is answered. `ban` is the text of a ban, or SPAN_NULL. 0: what the store
 * promises about the record holds, also after a crash where the sink is a journal. May wait, on a fiber without blocking. */
struct invalidation_sink {
    int (*append)(void *arg, const struct invalidation *record, struct span ban);
    void *arg;
};

void store_set_sink(struct store *s, struct invalidation_sink sink);    /* before traffic */

struct invalidation_stats {
    uint64_t position;                  /* of the latest */
    uint64_t floor;                     /* purges up to here are forgotten: what was born before is taken for purged */
    uint64_t records;                   /* purges remembered */
    uint64_t refused;                   /* by the sink */
};

void store_invalidation_stats(struct store *s, struct invalidation_stats *out);

#endif
