/* Random histories of one key, in the store and in a model: a plain array searched from the newest to the
 * oldest entry. Every look-up must have the same result and find the same response. */
#include "fixture.h"

#define KEYS 5u
#define VALUES 3u /* of the selecting field */
#define STEPS 4000u
#define HISTORIES 12u
#define MODEL_MAX 512u

struct entry {
    unsigned key, value, id;
    bool varies;
    unsigned marker; /* 0 or a flag */
    nsec origin, ttl, grace, keep;
};

static struct fixture f;
static struct entry model[MODEL_MAX]; /* oldest first */
static unsigned n_model, last_id;
static uint64_t state;
static nsec now;
static struct http_message *requests[VALUES];
static struct http_message *responses[2];
static struct cache_key *keys[KEYS];

static unsigned
draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* ---- model ---- */

static nsec
limited(nsec t, nsec limit)
{
    return limit >= 0 && limit < t ? limit : t;
}

static nsec
death(const struct entry *e)
{
    return e->origin + e->ttl + e->grace + e->keep;
}

static void
model_remove(unsigned i)
{
    memmove(&model[i], &model[i + 1], (--n_model - i) * sizeof *model);
}

static bool
same_variant(const struct entry *a, const struct entry *b)
{
    return a->key == b->key && a->varies == b->varies && (!a->varies || a->value == b->value);
}

static void
model_add(const struct entry *e)
{
    for (unsigned i = n_model; i-- > 0;)
        if (same_variant(&model[i], e) && (!e->marker || model[i].marker))
            model_remove(i);
    CHECK(n_model < MODEL_MAX);
    model[n_model++] = *e;
}

static enum lookup_result
model_lookup(const struct lookup *l, unsigned k, unsigned value, unsigned *id)
{
    const struct entry *stale = NULL, *unshared = NULL;
    *id = 0;
    for (unsigned i = n_model; i-- > 0;) {
        const struct entry *e = &model[i];
        if (e->key != k || (e->varies && e->value != value))
            continue;
        nsec stale_at = e->origin + limited(e->ttl, e->marker ? -1 : l->ttl_limit);
        if (stale_at > now) {
            *id = e->id;
            return e->marker == OBJECT_HIT_FOR_MISS ? LOOKUP_HIT_FOR_MISS
                 : e->marker == OBJECT_HIT_FOR_PASS ? LOOKUP_HIT_FOR_PASS
                                                    : LOOKUP_HIT;
        }
        bool in_grace = stale_at + limited(e->grace, l->grace_limit) > now;
        if (e->marker == OBJECT_HIT_FOR_MISS && in_grace &&
            (unshared == NULL || e->origin > unshared->origin))
            unshared = e;
        bool expired = e->origin + e->ttl <= now; /* req.ttl makes nothing stale, only too old */
        if (!e->marker && expired && death(e) > now && (stale == NULL || e->origin > stale->origin))
            stale = e;
    }
    if (unshared != NULL && (stale == NULL || unshared->origin >= stale->origin)) {
        *id = unshared->id;
        return LOOKUP_HIT_FOR_MISS;
    }
    if (stale == NULL)
        return LOOKUP_MISS;
    *id = stale->id;
    nsec stale_at = stale->origin + limited(stale->ttl, l->ttl_limit);
    return stale_at + limited(stale->grace, l->grace_limit) > now ? LOOKUP_HIT_GRACE_FETCH : LOOKUP_MISS;
}

/* ---- steps ---- */

static void
fill(struct object *busy, unsigned k, unsigned value)
{
    struct entry e = { .key = k, .value = value, .id = ++last_id, .varies = draw(3) > 0, .origin = now };
    struct life life = { draw(30) * SEC, draw(20) * SEC, draw(20) * SEC };
    if (draw(6) == 0) {
        e.marker = draw(2) == 0 ? OBJECT_HIT_FOR_MISS : OBJECT_HIT_FOR_PASS;
        life.grace = life.keep = 0;
    }
    e.ttl = life.ttl;
    e.grace = life.grace;
    e.keep = life.keep;
    busy->xid = e.id;
    busy->flags |= (unsigned char)e.marker;
    CHECK(fetch_all(f.store, busy, responses[e.varies], requests[value], now, life, NULL, "x", 1) == 0);
    model_add(&e);
}

static void
step_lookup(void)
{
    unsigned k = draw(KEYS), value = draw(VALUES), id;
    struct lookup l = lookup_of(keys[k], requests[value], now);
    if (draw(4) == 0)
        l.ttl_limit = draw(20) * SEC;
    if (draw(4) == 0)
        l.grace_limit = draw(10) * SEC;
    enum lookup_result want = model_lookup(&l, k, value, &id);
    EXPECT_EQ_INT(store_lookup(f.store, &l), want);
    EXPECT_EQ_INT(l.object == NULL ? 0 : l.object->xid, id);
    EXPECT_EQ_INT(l.busy != NULL,
                  want == LOOKUP_MISS || want == LOOKUP_HIT_FOR_MISS || want == LOOKUP_HIT_GRACE_FETCH);
    object_release(&l.object);
    if (l.busy != NULL && draw(3) > 0) {
        fill(l.busy, k, value);
    } else if (l.busy != NULL) {
        object_fail(l.busy);
        object_release(&l.busy);
    }
}

static void
step_purge(void)
{
    unsigned k = draw(KEYS), n = 0;
    for (unsigned i = n_model; i-- > 0;)
        if (model[i].key == k) {
            model_remove(i);
            n++;
        }
    EXPECT_EQ_INT(purge_key(f.store, keys[k]), n);
}

static void
step_soft_purge(void)
{
    unsigned k = draw(KEYS), n = 0;
    nsec ttl = draw(5) * SEC, grace = (int)draw(10) - 1 < 0 ? -1 : 3 * SEC;
    for (unsigned i = 0; i < n_model; i++) {
        struct entry *e = &model[i];
        if (e->key != k)
            continue;
        e->ttl = limited(e->ttl, now - e->origin + ttl);
        e->grace = grace < 0 ? e->grace : grace;
        n++;
    }
    EXPECT_EQ_INT(soft_purge_key(f.store, keys[k], now, ttl, grace, -1), n);
}

static void
step_expire(void)
{
    unsigned n = 0;
    for (unsigned i = n_model; i-- > 0;)
        if (death(&model[i]) <= now) {
            model_remove(i);
            n++;
        }
    EXPECT_EQ_INT(store_expire(f.store, now, UINT32_MAX), n);
    struct store_stats stats;
    store_stats(f.store, &stats);
    EXPECT_EQ_INT(stats.objects, n_model);
}

static void
history(uint64_t seed)
{
    unsigned failures = atomic_load(&test_failures);
    fixture_init(&f, 0);
    state = seed;
    now = T0;
    n_model = 0;
    responses[0] = response(&f.arena, 200, NULL);
    responses[1] = response(&f.arena, 200, "Vary", "X-Value", NULL);
    for (unsigned i = 0; i < VALUES; i++)
        requests[i] = request(&f.arena, "X-Value", i == 0 ? "a" : i == 1 ? "b" : "ab", NULL);
    for (unsigned i = 0; i < KEYS; i++) {
        char name[16];
        snprintf(name, sizeof name, "/%u", i);
        keys[i] = key(&f.arena, name);
    }
    for (unsigned i = 0; i < STEPS && atomic_load(&test_failures) == failures; i++) {
        unsigned what = draw(40);
        if (what == 0)
            step_purge();
        else if (what == 1)
            step_soft_purge();
        else if (what < 5)
            step_expire();
        else if (what < 12)
            now += draw(8) * SEC;
        else
            step_lookup();
        if (atomic_load(&test_failures) != failures)
            fprintf(stderr, "history %llu, step %u\n", (unsigned long long)seed, i);
    }
    fixture_release(&f);
}

static void
the_store_does_what_the_model_does(void)
{
    for (unsigned i = 1; i <= HISTORIES; i++)
        history(i);
}

static const struct test tests[] = {
    { "the_store_does_what_the_model_does", the_store_does_what_the_model_does },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
