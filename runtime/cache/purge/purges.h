/* Remembers purges for the fetches under way: a table from digests to their latest purges. Its owner
 * (invalidation.c) locks it.
 *
 * A digest has at most PURGES_OF_ONE rows in a table. One more merges the two oldest of the same kind (hard
 * or soft), which changes no response from "purged" to "not purged". A merged purge may give fewer waiters
 * the response, and a soft one may end its lifetimes earlier.
 *
 * There are two tables. When the older one is not needed any more, or the newer one holds half of the
 * permitted rows, the older one is dropped and the newer one takes its place. So rows need no clock and no
 * search for old ones. Tables grow by one bucket at a time (linear hashing): no call is long. */
#ifndef VERNIS_CACHE_PURGE_PURGES_H
#define VERNIS_CACHE_PURGE_PURGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "cache/digest.h"
#include "cache/position.h"

#define PURGES_OF_ONE 4u

/* One purge, or several merged ones. */
struct purge {
    uint64_t position;   /* of the newest */
    uint64_t first;      /* of the oldest */
    struct softening to; /* soft */
    uint64_t host;       /* hash of the host of a group; 0: any */
    uint32_t by;         /* xid of the fetch that is not concerned; 0: none */
    bool soft;
    bool shortens; /* grace and keep may be of a purge that is older than the object: they only shorten */
};

struct pieces { /* an array that never moves */
    char **piece;
    uint32_t n, cap; /* n: items; cap: pieces */
};

struct purge_table {
    struct pieces rows, buckets, details; /* details of rows that are more than a hard purge */
    uint64_t last;                        /* position of the newest purge; 0: empty */
    size_t bytes;
};

struct purges {
    struct purge_table newer, older;
    uint64_t floor; /* purges up to here may be forgotten although a fetch under way needs them */
};

void purges_release(struct purges *p); /* leaves p empty */
void purges_add(struct purges *p, struct digest d, const struct purge *x, uint32_t rows_max);
/* Drops what concerns only objects born before `oldest`. */
void purges_forget(struct purges *p, uint64_t oldest);
/* Calls fn for the purges of a digest after `born`, newest first. */
void purges_each(const struct purges *p, struct digest d, uint64_t born,
                 void (*fn)(const struct purge *x, void *arg), void *arg);

static inline size_t
purges_bytes(const struct purges *p)
{
    return p->newer.bytes + p->older.bytes;
}

#endif
