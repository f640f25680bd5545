/* The ring of a shard director: every backend has many points on a circle of 32 bits, and a key belongs to the backend of the next
 * point. When one comes or goes, only the keys between its points and those before them move. The points are the ones of Varnish,
 * so that two proxies before the same origins agree. Private to this room. */
#ifndef VERNIS_SHARD_H
#define VERNIS_SHARD_H

#include <pthread.h>

#include "origin/director.h"

#define SHARD_REPLICAS 67               /* points of a backend of weight 1 */
#define SHARD_REPLICAS_MAX 65536u       /* of any backend */

struct shard_host {
    struct director *director;
    char *ident;                        /* what its points are made from; NULL: its name */
    double rampup_s;                    /* NaN: the director's */
    double weight;
    uint32_t replicas;
};

struct shard_point {
    uint32_t at, host;
};

enum shard_change_kind { SHARD_ADD, SHARD_REMOVE, SHARD_CLEAR };

struct shard_change {
    enum shard_change_kind kind;
    struct shard_host host;             /* owns ident */
};

struct shard_ring {
    pthread_rwlock_t lock;              /* all below */
    struct shard_host *hosts;
    struct shard_point *points;
    struct shard_change *changes;       /* not in the ring yet */
    uint32_t n_hosts, n_points, n_changes;
    uint64_t changed_by;                /* who asked for the latest of them (shard.c, asker) */
    double warmup, rampup_s;
    unsigned shown;                     /* bits of enum shard_shown */
    const struct director *director;    /* whose ring it is: for the log */
};

enum shard_healthy { SHARD_CHOSEN, SHARD_IGNORE, SHARD_ALL };

struct shard_pick {                     /* what is asked of a ring */
    uint32_t key;
    int64_t alternative;
    double warmup;                      /* -1: the ring's */
    bool rampup;
    enum shard_healthy healthy;
};

void shard_init(struct shard_ring *r, const struct director *d);
void shard_release(struct shard_ring *r);
/* Changes take effect with shard_settle, or when another transaction asks the ring: the one that makes them has done so when it
 * ends. Ident is copied. ERR_LIMIT: too many of them. */
int shard_change(const struct policy_ctx *ctx, struct shard_ring *r, enum shard_change_kind kind, struct director *d, struct span ident,
                 double rampup_s, double weight);
enum shard_shown { SHARD_SHOW_CHOICES = 1, SHARD_SHOW_POINTS = 2 };   /* what is written to the log */
void shard_show(struct shard_ring *r, unsigned shown);
bool shard_settle(struct shard_ring *r, uint32_t replicas, const struct policy_ctx *ctx);     /* false: its changes leave no backend */
struct director *shard_pick(struct shard_ring *r, const struct shard_pick *pick, const struct policy_ctx *ctx);   /* NULL: none */
bool shard_is_empty(struct shard_ring *r);
bool shard_any_healthy(struct shard_ring *r, const struct policy_ctx *ctx, double *changed_s);
void shard_each(struct shard_ring *r, void (*each)(struct director *member, void *arg), void *arg);
void shard_set_warmup(struct shard_ring *r, double warmup);
void shard_set_rampup(struct shard_ring *r, double seconds);

/* The last 32 bits of the SHA-256 of a text, lowest byte first. */
uint32_t text_hash32(struct span text);

#endif
