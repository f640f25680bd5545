/* The ring of a shard director. Every backend has many points on a circle of 32 bits, and a key belongs to
 * the backend of the next point. Adding or removing a backend moves only the keys just before its points. The
 * points equal Varnish's, so that two proxies in front of the same origins choose alike. Private to this
 * room. */
#ifndef VERNIS_ORIGIN_SHARD_H
#define VERNIS_ORIGIN_SHARD_H

#include <pthread.h>

#include "origin/director.h"

#define SHARD_REPLICAS 67         /* points per backend of weight 1 */
#define SHARD_REPLICAS_MAX 65536u /* points per backend, at any weight */

struct shard_host {
    struct director *director;
    char *ident;     /* text that the points are hashed from; NULL: the backend's name */
    double rampup_s; /* NaN: use the director's */
    double weight;
    uint32_t replicas;
};

struct shard_point {
    uint32_t at, host;
};

enum shard_change_kind { SHARD_ADD, SHARD_REMOVE, SHARD_CLEAR };

struct shard_change {
    enum shard_change_kind kind;
    struct shard_host host; /* owns ident */
};

struct shard_ring {
    pthread_rwlock_t lock; /* guards all fields below, except director */
    struct shard_host *hosts;
    struct shard_point *points;
    struct shard_change *changes; /* not applied to the ring yet */
    uint32_t n_hosts, n_points, n_changes;
    uint64_t changed_by; /* transaction of the latest change (shard.c, transaction_of) */
    double warmup, rampup_s;
    unsigned shown;                  /* bits of enum shard_shown */
    const struct director *director; /* owner of the ring, for the log */
};

enum shard_healthy { SHARD_CHOSEN, SHARD_IGNORE, SHARD_ALL };

struct shard_pick { /* arguments of shard_pick */
    uint32_t key;
    int64_t alternative;
    double warmup; /* -1: use the ring's */
    bool rampup;
    enum shard_healthy healthy;
};

void shard_init(struct shard_ring *r, const struct director *d);
void shard_release(struct shard_ring *r);
/* Queues a change. Changes take effect in shard_settle, or when another transaction picks from the ring,
 * because the changing transaction may add further changes until it ends. Copies ident. ERR_LIMIT: too many
 * changes. */
int shard_change(const struct policy_ctx *ctx, struct shard_ring *r, enum shard_change_kind kind,
                 struct director *d, struct span ident, double rampup_s, double weight);
enum shard_shown { SHARD_SHOW_CHOICES = 1, SHARD_SHOW_POINTS = 2 }; /* debug output to the log */
void shard_show(struct shard_ring *r, unsigned shown);
/* false: the changes leave no backend */
bool shard_settle(struct shard_ring *r, uint32_t replicas, const struct policy_ctx *ctx);
struct director *shard_pick(struct shard_ring *r, const struct shard_pick *pick,
                            const struct policy_ctx *ctx); /* NULL: none */
bool shard_is_empty(struct shard_ring *r);
bool shard_any_healthy(struct shard_ring *r, const struct policy_ctx *ctx, double *changed_s);
void shard_each(struct shard_ring *r, void (*each)(struct director *member, void *arg), void *arg);
void shard_set_warmup(struct shard_ring *r, double warmup);
void shard_set_rampup(struct shard_ring *r, double seconds);

/* The last 32 bits of the SHA-256 of a text, lowest byte first. */
uint32_t text_hash32(struct span text);

#endif
