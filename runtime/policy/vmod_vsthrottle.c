/* Module vsthrottle: token buckets shared by all requests. A bucket is known by its key, limit, period and block together, holds
 * at most `limit` tokens and gains them evenly, `limit` per period. Buckets lie in shards with a lock each; a full shard first drops
 * what has filled up again, for a full bucket says nothing. */
#include <pthread.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/list.h"
#include "base/mem.h"
#include "policy/exports.h"

#define SHARDS 64u
#define CHAINS 1024u                    /* of a shard */
#define BUCKETS_MAX 32768u              /* of a shard; over it, requests of unknown keys pass */
#define BUCKET_KEY_BYTES_MAX 4096u

struct bucket {
    struct list link;                   /* chain */
    uint64_t hash;
    double tokens;
    nsec counted;                       /* monotonic: when `tokens` was right */
    nsec blocked_until;
    int64_t limit;
    double period, block;
    size_t key_len;
    char key[];
};

struct shard {
    _Alignas(64) pthread_mutex_t lock;
    struct list chains[CHAINS];         /* lock; the first use makes them */
    unsigned n;
    bool made;
};

struct terms {                          /* what a caller names a bucket by */
    struct span key;
    int64_t limit;
    double period, block;
    uint64_t hash;
    nsec now;
};

static struct shard shards[SHARDS] = { [0 ... SHARDS - 1] = { .lock = PTHREAD_MUTEX_INITIALIZER } };

static bool
is_same(const struct bucket *b, const struct terms *t)
{
    return b->hash == t->hash && b->limit == t->limit && b->period == t->period && b->block == t->block
           && span_eq(span_of(b->key, b->key_len), t->key);
}

static bool
terms_of(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block, struct terms *t)
{
    if (key.len > BUCKET_KEY_BYTES_MAX || limit < 1 || !(period > 0) || !(block >= 0)) {
        vcl_fail(ctx, key.len > BUCKET_KEY_BYTES_MAX ? "vsthrottle: the key is too long" : "vsthrottle: limit and period are more than 0");
        return false;
    }
    double numbers[] = { (double)limit, period, block };
    uint64_t seed = XXH3_64bits(numbers, sizeof numbers);
    *t = (struct terms){ key, limit, period, block, XXH3_64bits_withSeed(key.ptr == NULL ? "" : key.ptr, key.len, seed), clock_mono_ns() };
    return true;
}

static struct shard *
shard_lock(const struct terms *t)
{
    struct shard *s = &shards[t->hash % SHARDS];
    CHECK(pthread_mutex_lock(&s->lock) == 0);
    for (unsigned i = 0; !s->made && i < CHAINS; i++)
        list_init(&s->chains[i]);
    s->made = true;
    return s;
}

static void
shard_unlock(struct shard *s)
{
    CHECK(pthread_mutex_unlock(&s->lock) == 0);
}

static struct list *
chain_of(struct shard *s, const struct terms *t)
{
    return &s->chains[t->hash / SHARDS % CHAINS];
}

/* Brings the tokens up to `now`. */
static void
refill(struct bucket *b, nsec now)
{
    b->tokens += nsec_seconds(now - b->counted) * (double)b->limit / b->period;
    if (b->tokens > (double)b->limit)
        b->tokens = (double)b->limit;
    b->counted = now;
}

static struct bucket *
find(struct shard *s, const struct terms *t)
{
    list_each(it, chain_of(s, t)) {
        struct bucket *b = container_of(it, struct bucket, link);
        if (is_same(b, t)) {
            refill(b, t->now);
            return b;
        }
    }
    return NULL;
}

static void
drop(struct shard *s, struct bucket *b)
{
    list_remove(&b->link);
    s->n--;
    free(b);
}

static void
drop_full_ones(struct shard *s, nsec now)
{
    for (unsigned i = 0; i < CHAINS; i++)
        for (struct list *it = s->chains[i].next, *next = it->next; it != &s->chains[i]; it = next, next = it->next) {
            struct bucket *b = container_of(it, struct bucket, link);
            refill(b, now);
            if (b->tokens >= (double)b->limit && b->blocked_until <= now)
                drop(s, b);
        }
}

/* NULL: too many. */
static struct bucket *
find_or_make(struct shard *s, const struct terms *t)
{
    struct bucket *b = find(s, t);
    if (b != NULL)
        return b;
    if (s->n >= BUCKETS_MAX)
        drop_full_ones(s, t->now);
    if (s->n >= BUCKETS_MAX)
        return NULL;
    b = mem_alloc(sizeof *b + t->key.len);
    *b = (struct bucket){ .hash = t->hash, .tokens = (double)t->limit, .counted = t->now, .limit = t->limit, .period = t->period,
                          .block = t->block, .key_len = t->key.len };
    if (t->key.len > 0)
        memcpy(b->key, t->key.ptr, t->key.len);
    list_push_back(chain_of(s, t), &b->link);
    s->n++;
    return b;
}

static bool
take_token(struct bucket *b, nsec now)
{
    if (b->blocked_until > now)
        return false;
    if (b->tokens >= 1) {
        b->tokens -= 1;
        return true;
    }
    if (b->block > 0)
        b->blocked_until = nsec_add(now, nsec_of(b->block));
    return false;
}

struct opened {
    struct terms terms;
    struct shard *shard;                /* locked */
    struct bucket *bucket;              /* NULL: there is none */
};

/* Finds the bucket of these terms. False, and nothing is locked, without a key or after a failure was noted. */
static bool
bucket_open(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block,
            struct bucket *(*how)(struct shard *s, const struct terms *t), struct opened *o)
{
    if (key.ptr == NULL || !terms_of(ctx, key, limit, period, block, &o->terms))
        return false;
    o->shard = shard_lock(&o->terms);
    o->bucket = how(o->shard, &o->terms);
    return true;
}

/* What has no key is denied: an unset text must not be a way around the limit. */
static int32_t
vcl_vsthrottle_is_denied(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block)
{
    struct opened o;
    if (!bucket_open(ctx, key, limit, period, block, find_or_make, &o))
        return key.ptr == NULL;
    bool denied = o.bucket != NULL && !take_token(o.bucket, o.terms.now);
    shard_unlock(o.shard);
    return denied;
}

static void
vcl_vsthrottle_return_token(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block)
{
    struct opened o;
    if (!bucket_open(ctx, key, limit, period, block, find_or_make, &o))
        return;
    if (o.bucket != NULL && o.bucket->tokens < (double)limit)
        o.bucket->tokens += 1;
    shard_unlock(o.shard);
}

static int64_t
vcl_vsthrottle_remaining(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block)
{
    struct opened o;
    if (!bucket_open(ctx, key, limit, period, block, find, &o))
        return -1;
    const struct bucket *b = o.bucket;
    int64_t left = b == NULL ? limit : b->blocked_until > o.terms.now ? 0 : (int64_t)b->tokens;
    shard_unlock(o.shard);
    return left;
}

static double
vcl_vsthrottle_blocked(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block)
{
    struct opened o;
    if (!bucket_open(ctx, key, limit, period, block, find, &o))
        return -1;
    const struct bucket *b = o.bucket;
    double left = b == NULL || b->blocked_until <= o.terms.now ? 0 : nsec_seconds(b->blocked_until - o.terms.now);
    shard_unlock(o.shard);
    return left;
}

static void
vcl_vsthrottle_remove_bucket(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block)
{
    struct opened o;
    if (!bucket_open(ctx, key, limit, period, block, find, &o))
        return;
    if (o.bucket != NULL)
        drop(o.shard, o.bucket);
    shard_unlock(o.shard);
}

static const struct policy_export rows[] = {
    { "vsthrottle_is_denied", "BOOL(STRING,INT,DURATION,DURATION)", (export_fn *)vcl_vsthrottle_is_denied },
    { "vsthrottle_return_token", "VOID(STRING,INT,DURATION,DURATION)", (export_fn *)vcl_vsthrottle_return_token },
    { "vsthrottle_remaining", "INT(STRING,INT,DURATION,DURATION)", (export_fn *)vcl_vsthrottle_remaining },
    { "vsthrottle_blocked", "DURATION(STRING,INT,DURATION,DURATION)", (export_fn *)vcl_vsthrottle_blocked },
    { "vsthrottle_remove_bucket", "VOID(STRING,INT,DURATION,DURATION)", (export_fn *)vcl_vsthrottle_remove_bucket },
};
const struct export_table exports_vsthrottle = EXPORT_TABLE(rows);
