/* Token buckets: see throttle.h. They lie in shards with one lock each. A bucket stores the time when it will
 * be full and unblocked (`idle_at`), so a sweep needs neither its limit nor its period. While buckets exist,
 * a timer on the loop that made the first one sweeps a bounded number at a time. A full shard makes room at
 * once, among a few neighbours. */
#include "vmod/throttle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "cache/digest.h"
#include "log/counters.h"
#include "loop/loop.h"

#define SHARDS 64u
#define CHAINS_MIN 64u       /* per shard; a power of two */
#define BUCKETS_PER_CHAIN 2u /* when the table is full */
#define EVICTION_SAMPLE 32u  /* buckets compared when a full shard drops one */
#define SWEEP_EVERY (250 * NSEC_PER_MSEC)
#define SWEEP_BUCKETS 8192u /* per timer run: well under a millisecond */
#define MALLOC_HEAD_BYTES 8u

struct bucket {
    struct bucket *next; /* next in the chain */
    struct digest digest;
    double tokens;
    nsec counted; /* time of the last update of `tokens` */
    nsec blocked_until;
    nsec idle_at; /* time from which the bucket is full and unblocked, as if it did not exist */
};
_Static_assert(sizeof(struct bucket) + MALLOC_HEAD_BYTES <= THROTTLE_BUCKET_BYTES,
               "what a bucket is counted as");

struct shard {
    _Alignas(64) pthread_mutex_t lock;
    struct bucket **chains; /* lock; NULL until the first bucket */
    unsigned n_chains, n;
    unsigned sweep_at; /* chain */
};

static struct shard shards[SHARDS] = { [0 ... SHARDS - 1] = { .lock = PTHREAD_MUTEX_INITIALIZER } };
static atomic_size_t bytes;
static struct digest_secret secret;
static pthread_once_t secret_once = PTHREAD_ONCE_INIT;

/* ---- buckets ------------------------------------------------------------------------------------------- */

static void
secret_draw(void)
{
    uint8_t seed[DIGEST_SEED_BYTES];
    digest_seed_draw(seed);
    digest_secret_make(seed, DIGEST_OF_KEYS, &secret);
}

static struct digest
digest_of_terms(const struct throttle_terms *t)
{
    pthread_once(&secret_once, secret_draw);
    struct {
        struct digest key;
        int64_t limit;
        double period, block;
    } all = { digest_of(&secret, t->key.ptr == NULL ? SPAN_LIT("") : t->key), t->limit, t->period, t->block };
    return digest_of(&secret, span_of((const char *)&all, sizeof all));
}

static struct shard *
shard_lock(struct shard *s)
{
    CHECK(pthread_mutex_lock(&s->lock) == 0);
    return s;
}

static void
shard_unlock(struct shard *s)
{
    CHECK(pthread_mutex_unlock(&s->lock) == 0);
}

static struct shard *
shard_of(struct digest d)
{
    return &shards[d.high % SHARDS];
}

static void
count_bytes(ptrdiff_t more)
{
    atomic_fetch_add_explicit(&bytes, (size_t)more, memory_order_relaxed);
    counters_here()->vsthrottle_bytes += (uint64_t)more;
}

static size_t
shard_bytes_max(void)
{
    return params.vsthrottle_memory_bytes / SHARDS;
}

/* Sizes the table for the current limit. A limit raised later makes the chains longer. */
static void
shard_prepare(struct shard *s)
{
    if (s->chains != NULL)
        return;
    s->n_chains = CHAINS_MIN;
    while (s->n_chains < shard_bytes_max() / THROTTLE_BUCKET_BYTES / BUCKETS_PER_CHAIN)
        s->n_chains *= 2;
    s->chains = mem_zalloc(s->n_chains * sizeof *s->chains);
    count_bytes((ptrdiff_t)(s->n_chains * sizeof *s->chains));
}

static bool
is_full(const struct shard *s)
{
    return s->n > 0 &&
           s->n_chains * sizeof *s->chains + (s->n + 1) * THROTTLE_BUCKET_BYTES > shard_bytes_max();
}

static struct bucket **
find(struct shard *s, struct digest d)
{
    if (s->chains == NULL)
        return NULL;
    for (struct bucket **at = &s->chains[d.low & (s->n_chains - 1)]; *at != NULL; at = &(*at)->next)
        if (digest_eq((*at)->digest, d))
            return at;
    return NULL;
}

static void
drop(struct shard *s, struct bucket **at)
{
    struct bucket *b = *at;
    *at = b->next;
    free(b);
    s->n--;
    count_bytes(-(ptrdiff_t)THROTTLE_BUCKET_BYTES);
}

/* Adds the tokens gained since the last update. */
static void
refill(struct bucket *b, const struct throttle_terms *t)
{
    b->tokens += nsec_seconds(t->now - b->counted) * (double)t->limit / t->period;
    if (b->tokens > (double)t->limit)
        b->tokens = (double)t->limit;
    b->counted = t->now;
}

static void
note_idle(struct bucket *b, const struct throttle_terms *t)
{
    nsec full = nsec_add(b->counted, nsec_of(((double)t->limit - b->tokens) * t->period / (double)t->limit));
    b->idle_at = full > b->blocked_until ? full : b->blocked_until;
}

/* ---- room ---------------------------------------------------------------------------------------------- */

/* Sweeps whole chains until it has checked `most` buckets, at most one round. Returns the number checked. */
static unsigned
shard_sweep(struct shard *s, nsec now, unsigned most)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < s->n_chains && seen < most && s->n > 0; i++) {
        s->sweep_at = (s->sweep_at + 1) & (s->n_chains - 1);
        for (struct bucket **at = &s->chains[s->sweep_at]; *at != NULL; seen++)
            if ((*at)->idle_at <= now)
                drop(s, at);
            else
                at = &(*at)->next;
    }
    return seen;
}

/* Among a sample, drops the bucket that will be full first. So frequent keys keep their buckets when many
 * keys ask only once. */
static void
evict(struct shard *s)
{
    struct bucket **fullest = NULL;
    unsigned seen = 0;
    for (unsigned i = 1; i <= s->n_chains && seen < EVICTION_SAMPLE; i++)
        for (struct bucket **at = &s->chains[(s->sweep_at + i) & (s->n_chains - 1)]; *at != NULL;
             at = &(*at)->next, seen++)
            if (fullest == NULL || (*at)->idle_at < (*fullest)->idle_at)
                fullest = at;
    s->sweep_at = (s->sweep_at + 1) & (s->n_chains - 1);
    CHECK(fullest != NULL);
    drop(s, fullest);
    counters_here()->vsthrottle_evicted++;
}

static void
make_room(struct shard *s, nsec now)
{
    (void)shard_sweep(s, now, EVICTION_SAMPLE);
    for (unsigned i = 0; i < 2 && is_full(s); i++) /* two, so that the table shrinks to a lowered limit */
        evict(s);
}

bool
throttle_sweep(nsec now, unsigned most)
{
    static atomic_uint next;
    bool left = false;
    unsigned seen = 0;
    for (unsigned i = 0; i < SHARDS && seen < most; i++) {
        struct shard *s = shard_lock(
            &shards[atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % SHARDS]);
        seen += shard_sweep(s, now, most - seen);
        shard_unlock(s);
    }
    for (unsigned i = 0; i < SHARDS && !left; i++) {
        left = shard_lock(&shards[i])->n > 0;
        shard_unlock(&shards[i]);
    }
    return left;
}

size_t
throttle_bytes(void)
{
    return atomic_load_explicit(&bytes, memory_order_relaxed);
}

/* ---- timed sweep --------------------------------------------------------------------------------------- */

static struct {
    atomic_bool armed;
    struct loop *loop; /* loop that armed the timer */
    struct timer timer;
} sweeper;

static void
sweeper_run(struct timer *timer)
{
    if (throttle_sweep(loop_now(sweeper.loop), SWEEP_BUCKETS))
        timer_set(sweeper.loop, timer, nsec_add(loop_now(sweeper.loop), SWEEP_EVERY));
    else
        atomic_store(&sweeper.armed, false);
}

/* Does nothing without a loop (vcl_init): the next request's bucket arms the timer. */
static void
sweeper_wake(void)
{
    struct loop *loop = loop_current();
    if (loop == NULL || atomic_exchange(&sweeper.armed, true))
        return;
    sweeper.loop = loop;
    sweeper.timer.fn = sweeper_run;
    timer_set(loop, &sweeper.timer, nsec_add(loop_now(loop), SWEEP_EVERY));
}

/* ---- functions of throttle.h --------------------------------------------------------------------------- */

static struct bucket *
find_or_make(struct shard *s, struct digest d, const struct throttle_terms *t)
{
    struct bucket **at = find(s, d);
    if (at != NULL) {
        refill(*at, t);
        return *at;
    }
    shard_prepare(s);
    if (is_full(s))
        make_room(s, t->now);
    struct bucket **chain = &s->chains[d.low & (s->n_chains - 1)], *b = mem_alloc(sizeof *b);
    *b = (struct bucket){ .next = *chain, .digest = d, .tokens = (double)t->limit, .counted = t->now };
    *chain = b;
    s->n++;
    count_bytes(THROTTLE_BUCKET_BYTES);
    return b;
}

bool
throttle_take(const struct throttle_terms *t)
{
    struct digest d = digest_of_terms(t);
    struct shard *s = shard_lock(shard_of(d));
    struct bucket *b = find_or_make(s, d, t);
    bool taken = b->blocked_until <= t->now && b->tokens >= 1;
    if (taken)
        b->tokens -= 1;
    else if (b->blocked_until <= t->now && t->block > 0)
        b->blocked_until = nsec_add(t->now, nsec_of(t->block));
    note_idle(b, t);
    shard_unlock(s);
    sweeper_wake();
    return taken;
}

/* A missing bucket counts as full. */
void
throttle_give_back(const struct throttle_terms *t)
{
    struct digest d = digest_of_terms(t);
    struct shard *s = shard_lock(shard_of(d));
    struct bucket **at = find(s, d);
    if (at != NULL) {
        refill(*at, t);
        if ((*at)->tokens < (double)t->limit)
            (*at)->tokens += 1;
        note_idle(*at, t);
    }
    shard_unlock(s);
}

int64_t
throttle_left(const struct throttle_terms *t)
{
    struct digest d = digest_of_terms(t);
    struct shard *s = shard_lock(shard_of(d));
    struct bucket **at = find(s, d);
    int64_t left = t->limit;
    if (at != NULL) {
        refill(*at, t);
        left = (*at)->blocked_until > t->now ? 0 : (int64_t)(*at)->tokens;
    }
    shard_unlock(s);
    return left;
}

nsec
throttle_blocked(const struct throttle_terms *t)
{
    struct digest d = digest_of_terms(t);
    struct shard *s = shard_lock(shard_of(d));
    struct bucket **at = find(s, d);
    nsec left = at == NULL || (*at)->blocked_until <= t->now ? 0 : (*at)->blocked_until - t->now;
    shard_unlock(s);
    return left;
}

void
throttle_forget(const struct throttle_terms *t)
{
    struct digest d = digest_of_terms(t);
    struct shard *s = shard_lock(shard_of(d));
    struct bucket **at = find(s, d);
    if (at != NULL)
        drop(s, at);
    shard_unlock(s);
}

/* Also forgets the timer, because its loop may be gone. */
void
throttle_forget_all(void)
{
    for (unsigned i = 0; i < SHARDS; i++) {
        struct shard *s = shard_lock(&shards[i]);
        for (unsigned chain = 0; chain < s->n_chains && s->n > 0; chain++)
            while (s->chains[chain] != NULL)
                drop(s, &s->chains[chain]);
        if (s->chains != NULL)
            count_bytes(-(ptrdiff_t)(s->n_chains * sizeof *s->chains));
        free(s->chains);
        s->chains = NULL;
        s->n_chains = s->sweep_at = 0;
        shard_unlock(s);
    }
    sweeper.timer = (struct timer){ 0 };
    atomic_store(&sweeper.armed, false);
}
