/* Invalidations: purges and soft purges, by key, by surrogate key or of everything, and bans. All of them are
 * made here.
 *
 * Each gets a position in one sequence of the store. Just before a fetch asks the origin, it takes the
 * current position: its object is `born` there. An invalidation concerns a matching object if its own
 * position is greater than `born`. Clocks play no part. Stored objects are handled before the invalidation is
 * answered. A response that is still being fetched is judged when it is inserted. After a purge, only
 * requests that asked before the purge get it; after a soft purge it is stored as stale. (Varnish stores the
 * response that the origin gave before the purge, and serves it for its whole ttl.)
 *
 * Any thread; on a fiber, other fibers of the loop may run meanwhile. */
#ifndef VERNIS_CACHE_INVALIDATION_H
#define VERNIS_CACHE_INVALIDATION_H

#include "base/clock.h"
#include "base/span.h"
#include "cache/digest.h"
#include "cache/position.h"

struct ban_draft;
struct cache_key;
struct object;
struct store;

/* Call when the fetch of `busy` is about to ask the origin, and again before a retry. Returns the
 * position. */
uint64_t store_born(struct store *s, struct object *busy);

struct invalidated {
    unsigned objects;  /* stored responses that were removed or made stale: the call adds to this number */
    uint64_t position; /* of the latest invalidation; 0: none */
};

/* vcl_purge and purge.hard(): removes all objects of a key from the index. `by`: xid of the fetch whose
 * policy purges, 0 for a client's request. A fetch does not invalidate its own response. */
void store_purge(struct store *s, const struct cache_key *key, uint64_t by, struct invalidated *out);
/* purge.soft(): shortens the remaining lifetime to ttl (never prolongs it), and sets grace and keep unless
 * negative. */
void store_soft_purge_key(struct store *s, const struct cache_key *key, nsec now, nsec ttl, nsec grace,
                          nsec keep, struct invalidated *out);
/* Removes stored responses with one of these surrogate keys (separated by blanks and commas) from the index;
 * soft: makes fresh ones stale, with their grace and keep. */
void store_purge_surrogates(struct store *s, struct span words, bool soft, nsec now, uint64_t by,
                            struct invalidated *out);
/* Cache-Group-Invalidation of a response (RFC 9875): removes stored responses of these groups and this host
 * from the index. The key must contain the host as a piece: if vcl_hash leaves the host out, no response
 * matches. */
void store_purge_groups(struct store *s, struct span groups, struct span host, uint64_t by,
                        struct invalidated *out);
/* Removes every stored response, or makes all of them stale, with their grace and keep. Takes the same short
 * time for any number: lookups pass over what is removed, and store_sweep frees it later. */
void store_purge_all(struct store *s, bool soft, nsec now, struct invalidated *out);
/* Call periodically from one loop: frees what store_purge_all removed, and forgets purges that no fetch
 * needs. Ends after about `budget` responses or the time `patience`. True: more are left. */
bool store_sweep(struct store *s, unsigned budget, nsec patience);
/* Takes over the draft. The ban does not concern objects born from now on. `error`, of BAN_ERROR_BYTES, has
 * the reason of a failure. ERR_LIMIT: bans hold all the memory they may (ban_share), and the ban is not
 * made. */
int store_ban(struct store *s, struct ban_draft **d, nsec now, uint64_t *position, char *error);

#endif
