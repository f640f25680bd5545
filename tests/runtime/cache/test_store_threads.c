/* The store under several loops at once: look-ups, waits, fetches that succeed, fail or are not shared,
 * purges, bans, evictions and expiry, with readers that follow growing bodies on other threads. Each client
 * runs its own small state machine on its loop and asserts that whatever it is served is the body of the key
 * it asked for, and was not purged before it asked. Meant for TSan; ASan runs it too.
 *
 * Two mixes: many keys in a small storage, with variants; and few keys, which all loops keep near. */
#include <pthread.h>

#include "fixture.h"

#include "base/params.h"
#include "cache/index.h"
#include "log/txn.h"

#define LOOPS 16u
#define CLIENTS 6u  /* for each loop */
#define ROUNDS 500u /* requests of each client */
#define KEYS_MAX 40u
#define BODY_MAX 5000u

struct side;

enum phase { PHASE_START, PHASE_WAIT, PHASE_READ, PHASE_ASK, PHASE_WRITE, PHASE_DONE };

struct client {
    struct side *side;
    struct timer timer;
    struct store_waiter waiter;
    struct watch watch;
    struct object *object, *busy; /* read, written */
    struct body_reader reader;
    enum phase phase;
    bool in_shuffle; /* its timer is set, and the client continues in the next round of the loop */
    unsigned rounds, key, written;
    uint64_t purged_at; /* objects born at or before this position were purged before the request */
};

struct mix {
    unsigned keys;
    uint64_t limit_bytes;
    bool varies;
    unsigned peace; /* the higher, the rarer are purges and expiry */
    unsigned near_hits_min;
};

struct side {
    const struct mix *mix;
    struct loop *loop;
    struct store *store;
    struct arena arena;
    struct http_message *requests[2];
    struct http_message *resp;
    struct cache_key *keys[KEYS_MAX];
    atomic_ullong *purged; /* for each key; shared by all threads */
    struct client clients[CLIENTS];
    unsigned busy_clients;
    bool sweeps; /* one side does */
    uint64_t random;
};

static atomic_uint hits, near_hits, misses, waits, fails, markers;

/* ---- the world ---- */

static unsigned
draw(struct side *s, unsigned n)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (unsigned)(s->random >> 33) % n;
}

static unsigned
body_length(unsigned k)
{
    return 1 + k * 977 % BODY_MAX;
}

static char
body_byte(unsigned k, size_t at)
{
    return (char)('A' + (k + at) % 53);
}

static void go_on(struct client *c);

static void
on_timer(struct timer *t)
{
    struct client *c = container_of(t, struct client, timer);
    c->in_shuffle = false;
    go_on(c);
}

static void
soon(struct client *c)
{
    if (c->in_shuffle)
        return;
    c->in_shuffle = true;
    c->timer.fn = on_timer;
    timer_set(c->side->loop, &c->timer, loop_now(c->side->loop));
}

/* ---- reading ---- */

static bool
read_more(struct client *c)
{
    struct iovec iov[3];
    enum body_next next;
    enum object_state state = object_state(c->object);
    int n = body_gather(&c->reader, iov, 3, 1 + draw(c->side, 2000), &next);
    for (int i = 0; i < n; i++) {
        const char *p = iov[i].iov_base;
        bool right = true;
        for (size_t b = 0; b < iov[i].iov_len; b++)
            right &= p[b] == body_byte(c->key, c->reader.at + b);
        EXPECT(right);
        body_advance(&c->reader, iov[i].iov_len, 0);
        if (object_is_transit(c->object))
            object_passed(c->object, c->reader.at);
    }
    if (state == OBJECT_FAILED || (n > 0 && draw(c->side, 50) == 0))
        return false; /* cut, or the client went away */
    if (state == OBJECT_COMPLETE && c->reader.at == body_bytes(&c->object->body)) {
        EXPECT_EQ_INT(c->reader.at, body_length(c->key));
        return false;
    }
    return true;
}

static void
on_watch(struct watch *w)
{
    struct client *c = container_of(w, struct client, watch);
    if (c->phase == PHASE_READ)
        soon(c);
}

static void
start_reading(struct client *c, struct object *o)
{
    c->object = o;
    body_open(&c->reader, &c->object->body);
    c->phase = PHASE_READ;
    object_watch(o, &c->watch, c->side->loop, on_watch);
    soon(c);
}

static void
read_step(struct client *c)
{
    size_t before = c->reader.at;
    if (read_more(c)) {
        if (c->reader.at > before)
            soon(c);
        return; /* the watch goes on */
    }
    object_unwatch(&c->watch);
    object_release(&c->object);
    c->phase = PHASE_START;
    soon(c);
}

/* ---- writing ---- */

static void
end_fetch(struct client *c, bool good)
{
    if (good)
        object_complete(c->busy);
    else
        object_fail(c->busy);
    object_release(&c->busy);
    c->phase = PHASE_START;
    soon(c);
}

static void
start_writing(struct client *c)
{
    struct side *s = c->side;
    unsigned fate = draw(s, 20);
    c->written = 0;
    if (fate == 0) {
        atomic_fetch_add(&fails, 1);
        end_fetch(c, false);
        return;
    }
    if (fate == 1) {
        store_withdraw(s->store, c->busy);
    } else if (fate == 2) {
        atomic_fetch_add(&markers, 1);
        c->busy->flags |= OBJECT_HIT_FOR_MISS;
    }
    int err = object_set_head(c->busy, s->resp, s->requests[draw(s, 2)]);
    if (err == 0) {
        c->busy->origin_time = T0;
        c->busy->ttl = (1 + draw(s, 20)) * SEC;
        c->busy->grace = draw(s, 3) * SEC;
        if (fate != 1)
            store_insert(s->store, c->busy, NULL);
        err = object_publish(c->busy, draw(s, 2) == 0 ? -1 : (int64_t)body_length(c->key));
    }
    c->phase = PHASE_WRITE;
    if (err != 0)
        end_fetch(c, false);
    else
        soon(c);
}

static void
write_step(struct client *c)
{
    unsigned length = body_length(c->key);
    char *p;
    size_t n;
    if (c->written == length) {
        end_fetch(c, true);
        return;
    }
    if (draw(c->side, 60) == 0 || object_body_space(c->busy, length - c->written, &p, &n) != 0) {
        end_fetch(c, false);
        return;
    }
    size_t want = 1 + draw(c->side, 1500);
    n = n < want ? n : want;
    n = n < length - c->written ? n : length - c->written;
    for (size_t i = 0; i < n; i++)
        p[i] = body_byte(c->key, c->written + i);
    object_body_commit(c->busy, n);
    c->written += (unsigned)n;
    soon(c);
}

/* ---- requests ---- */

static void
on_waiter(struct store_waiter *w)
{
    soon(container_of(w, struct client, waiter));
}

static void
look_up(struct client *c)
{
    struct side *s = c->side;
    nsec now = T0 + (nsec)draw(s, 5) * SEC;
    struct lookup l = lookup_of(s->keys[c->key], s->requests[draw(s, 2)], now);
    c->waiter.loop = s->loop;
    c->waiter.fn = on_waiter;
    l.waiter = &c->waiter;
    switch (store_lookup(s->store, &l)) {
    case LOOKUP_HIT:
    case LOOKUP_HIT_GRACE:
        EXPECT(l.object->head->born > c->purged_at);
        atomic_fetch_add(&hits, 1);
        if (atomic_load(&l.object->near) > 0)
            atomic_fetch_add(&near_hits, 1);
        store_touch(l.object);
        start_reading(c, l.object);
        return;
    case LOOKUP_HIT_GRACE_FETCH:
    case LOOKUP_MISS:
    case LOOKUP_HIT_FOR_MISS:
        atomic_fetch_add(&misses, 1);
        object_release(&l.object);
        c->busy = l.busy;
        c->phase = PHASE_ASK; /* other clients find the key busy meanwhile */
        if (draw(s, 10) > 0)
            (void)store_born(s->store, c->busy);
        soon(c);
        return;
    case LOOKUP_WAIT:
        atomic_fetch_add(&waits, 1);
        c->phase = PHASE_WAIT;
        return;
    case LOOKUP_HIT_FOR_PASS:
    case LOOKUP_FULL: break;
    }
    EXPECT(!"a look-up result nothing here leads to");
    object_release(&l.object);
}

/* Objects born before `position` are purged once `purge` has returned. */
static void
purged(struct side *s, unsigned from, unsigned to, uint64_t position)
{
    for (unsigned i = from; i < to; i++) {
        unsigned long long known = atomic_load(&s->purged[i]);
        while (known < position && !atomic_compare_exchange_weak(&s->purged[i], &known, position))
            continue;
    }
}

static void
purge(struct side *s, unsigned i)
{
    uint64_t position = position_now(&s->store->positions);
    (void)purge_key(s->store, s->keys[i]);
    purged(s, i, i + 1, position);
}

static void
purge_all_tagged(struct side *s)
{
    uint64_t position = position_now(&s->store->positions);
    (void)purge_tags(s->store, SPAN_LIT("all"), false, T0, 0);
    purged(s, 0, s->mix->keys, position);
}

static void
purge_everything(struct side *s)
{
    uint64_t position = position_now(&s->store->positions);
    (void)purge_all(s->store, false, T0);
    purged(s, 0, s->mix->keys, position);
}

/* Some match stored objects, some only the lurker can complete, some only look-ups. */
static void
ban(struct side *s)
{
    static const char *const texts[] = {
        "obj.status == 200 && obj.ttl < 3s", "obj.http.nothing ~ x", "req.url ~ nothing",
        "obj.grace > 1s && req.url ~ /",     "obj.keep > 1d",
    };
    char error[BAN_ERROR_BYTES];
    struct ban_draft *d;
    CHECK(ban_draft_parse(span_str(texts[draw(s, 5)]), &d, error) == 0);
    (void)ban_by_draft(s->store, &d, T0, error); /* refused while the list has its full share */
}

static void
start(struct client *c)
{
    struct side *s = c->side;
    if (c->rounds++ == ROUNDS) {
        c->phase = PHASE_DONE;
        if (--s->busy_clients == 0)
            loop_stop(s->loop);
        return;
    }
    unsigned peace = s->mix->peace;
    c->key = draw(s, s->mix->keys);
    if (draw(s, 100 * peace) == 0)
        ban(s);
    if (draw(s, 40 * peace) == 0)
        purge(s, c->key);
    if (draw(s, 400 * peace) == 0)
        purge_all_tagged(s);
    if (draw(s, 400 * peace) == 0)
        purge_everything(s);
    if (draw(s, 400 * peace) == 0)
        (void)purge_all(s->store, true, T0);
    if (s->sweeps && draw(s, 50 * peace) == 0)
        (void)store_sweep(s->store, 10, NSEC_NEVER);
    if (draw(s, 40 * peace) == 0)
        (void)soft_purge_key(s->store, s->keys[c->key], T0, 0, -1, -1);
    if (draw(s, 40 * peace) == 0)
        (void)store_expire(s->store, T0 + 2 * SEC, 5);
    c->purged_at = atomic_load(&s->purged[c->key]);
    look_up(c);
}

/* It runs again, or was cancelled before that. */
static void
wait_over(struct client *c)
{
    c->phase = PHASE_START;
    if (draw(c->side, 4) == 0) {
        store_unwait(c->side->store, &c->waiter);
        soon(c);
    } else {
        look_up(c);
    }
}

static void
go_on(struct client *c)
{
    switch (c->phase) {
    case PHASE_START: start(c); return;
    case PHASE_WAIT: wait_over(c); return;
    case PHASE_READ: read_step(c); return;
    case PHASE_ASK: start_writing(c); return;
    case PHASE_WRITE: write_step(c); return;
    case PHASE_DONE: return;
    }
}

static void
side_init(struct side *s, const struct mix *mix, struct store *store, atomic_ullong *purged_at, unsigned id)
{
    *s = (struct side){ .mix = mix,
                        .store = store,
                        .purged = purged_at,
                        .random = 0x9e3779b97f4a7c15u + id,
                        .busy_clients = CLIENTS,
                        .sweeps = id == 0 };
    CHECK(loop_new(id, &s->loop) == 0);
    arena_init(&s->arena, 0);
    s->requests[0] = request(&s->arena, "Accept-Encoding", "gzip", NULL);
    s->requests[1] = request(&s->arena, NULL);
    s->resp = response(&s->arena, 200, "xkey", "all", mix->varies ? "Vary" : "X", "Accept-Encoding", NULL);
    for (unsigned i = 0; i < mix->keys; i++) {
        char name[16];
        snprintf(name, sizeof name, "/%u", i);
        s->keys[i] = key(&s->arena, name);
    }
}

static void *
side_run(void *arg)
{
    struct side *s = arg;
    for (unsigned i = 0; i < CLIENTS; i++) {
        s->clients[i].side = s;
        soon(&s->clients[i]);
    }
    loop_run(s->loop);
    near_empty();
    log_thread_release();
    mem_thread_release();
    return NULL;
}

static void
share_a_store(const struct mix *mix)
{
    atomic_ullong purged_at[KEYS_MAX] = { 0 };
    hits = near_hits = misses = waits = fails = markers = 0;
    struct store *store;
    struct storage *st;
    pthread_t threads[LOOPS];
    struct side *sides = calloc(LOOPS, sizeof *sides);
    CHECK(store_new(NULL, &store) == 0);
    CHECK(store_add_storage(store, SPAN_LIT("s0"), mix->limit_bytes, &st) == 0);
    for (unsigned i = 0; i < LOOPS; i++)
        side_init(&sides[i], mix, store, purged_at, i);
    params.ban_lurker_sleep_s = 0.0005;
    params.ban_lurker_age_s = 0;
    params.ban_lurker_batch = 20;
    CHECK(store_lurker_start(store) == 0);
    for (unsigned i = 0; i < LOOPS; i++)
        CHECK(pthread_create(&threads[i], NULL, side_run, &sides[i]) == 0);
    for (unsigned i = 0; i < LOOPS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    store_lurker_stop(store);
    for (unsigned i = 0; i < LOOPS; i++) {
        loop_run_once(sides[i].loop, 0); /* notices to clients that left */
        arena_release(&sides[i].arena);
        loop_release(&sides[i].loop);
    }
    free(sides);
    (void)store_expire(store, NSEC_NEVER, UINT32_MAX);
    struct store_stats stats;
    store_stats(store, &stats);
    EXPECT_EQ_INT(stats.objects, 0);
    EXPECT_EQ_INT(stats.entries, 0);
    EXPECT_EQ_INT(stats.bytes, held_otherwise(st));
    printf("%u hits, %u of them near a loop, %u misses, %u waits, %u failures, %u markers, %llu charged\n",
           hits, near_hits, misses, waits, fails, markers,
           (unsigned long long)storage_counted(st, SMA_C_BYTES));
    EXPECT(position_sequence(position_now(&store->positions)) > 1000 / mix->peace);
    EXPECT(near_hits >= mix->near_hits_min);
    EXPECT(hits > 100 && misses > 100 && waits > 100 && fails > 5 && markers > 5);
    store_release(&store);
}

static void
loops_share_a_store(void)
{
    /* Less than the keys need: evictions */
    share_a_store(&(struct mix){ .keys = 40, .limit_bytes = 300000, .varies = true, .peace = 1 });
}

static void
loops_keep_the_same_objects_near(void)
{
    share_a_store(&(struct mix){ .keys = 4, .limit_bytes = 1 << 28, .peace = 4, .near_hits_min = 5000 });
}

static const struct test tests[] = {
    { "loops_share_a_store", loops_share_a_store },
    { "loops_keep_the_same_objects_near", loops_keep_the_same_objects_near },
};

int
main(int argc, char **argv)
{
    names_init();
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
