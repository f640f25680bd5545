/* Invalidations: purges and soft purges, by key or by surrogate key, and bans. All of them are made here.
 *
 * Each gets a position in one sequence of the store. Just before a fetch asks the origin, it takes the
 * current position: its object is `born` there. An invalidation concerns a matching object if its own
 * position is greater than `born`. Clocks play no part. Stored objects are handled before the invalidation is
 * answered. A response that is still being fetched is judged when it is inserted. After a purge, only
 * requests that asked before the purge get it; after a soft purge it is stored as stale. (Varnish stores the
 * response that the origin gave before the purge, and serves it for its whole ttl.)
 *
 * Any thread; on a fiber, other fibers of the loop may run meanwhile. */
#ifndef VERNIS_INVALIDATION_H
#define VERNIS_INVALIDATION_H

#include "base/clock.h"
#include "base/span.h"
#include "cache/digest.h"

struct ban_draft;
struct cache_key;
struct object;
struct store;

/* Call when the fetch of `busy` is about to ask the origin, and again before a retry. Returns the
 * position. */
uint64_t store_born(struct store *s, struct object *busy);

/* vcl_purge and purge.hard(): removes all objects of a key from the index. Returns their number. */
unsigned store_purge(struct store *s, const struct cache_key *key);
/* As store_purge, for the fetch with that xid, whose own response is not concerned. */
unsigned store_purge_by(struct store *s, const struct cache_key *key, uint64_t by);
/* purge.soft(): shortens the remaining lifetime to ttl (never prolongs it), and sets grace and keep unless
 * negative. */
unsigned store_soft_purge_key(struct store *s, const struct cache_key *key, nsec now, nsec ttl, nsec grace,
                              nsec keep);
/* Removes stored responses with one of these surrogate keys (separated by blanks and commas) from the index;
 * soft: makes fresh ones stale, with their grace and keep. Returns their number. `by`: xid of the fetch whose
 * policy purges, 0 for a client's request. A fetch does not invalidate its own response. */
unsigned store_purge_surrogates(struct store *s, struct span words, bool soft, nsec now, uint64_t by);
/* Cache-Group-Invalidation of a response (RFC 9875): removes stored responses of these groups and this host
 * from the index. The key must contain the host as a piece: if vcl_hash leaves the host out, no response
 * matches. Returns their number. */
unsigned store_purge_groups(struct store *s, struct span groups, struct span host, uint64_t by);
/* Takes over the draft. The ban does not concern objects born from now on. ERR_LIMIT: bans hold all the
 * memory they may (ban_share). The ban is then not made, and `error`, of BAN_ERROR_BYTES, has the reason. */
int store_ban(struct store *s, struct ban_draft **d, nsec now, char *error);

/* ---- for a future journal and fleet ---- */
enum invalidation_kind { INVALIDATE_KEY, INVALIDATE_TAG, INVALIDATE_BAN };

struct invalidation {
    uint64_t position;
    struct digest digest;       /* of the key or tag */
    nsec stale_at, grace, keep; /* soft: stale from stale_at on; grace and keep unless negative */
    uint32_t by;                /* xid of the fetch whose own response is not concerned; 0: none */
    enum invalidation_kind kind;
    bool soft;
};

/* Receives each record after it took effect and before it is answered. `ban` is the text of a ban, or
 * SPAN_NULL. Returns 0 if the record is safe: with a journal as sink, it survives a crash. May wait, on a
 * fiber without blocking the loop. */
struct invalidation_sink {
    int (*append)(void *arg, const struct invalidation *record, struct span ban);
    void *arg;
};

void store_set_sink(struct store *s, struct invalidation_sink sink); /* before traffic */

struct invalidation_stats {
    uint64_t position; /* position of the latest invalidation */
    uint64_t floor;    /* purges up to here are forgotten: objects born before count as purged */
    uint64_t records;  /* purges remembered */
    uint64_t refused;  /* records that the sink refused */
};

void store_invalidation_stats(struct store *s, struct invalidation_stats *out);

#endif
