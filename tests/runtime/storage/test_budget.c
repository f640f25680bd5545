/* A budget that threads take in pieces: it is obeyed, all of it can be used, and a small one has no pieces.
 * Also run under TSan. */
#include "storage/storage.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/params.h"
#include "log/tally.h"
#include "test.h"

#define KB 1024u
#define MB (1024u * KB)
#define LIMIT (64u * MB)
#define LOOPS 8u
#define KEPT 4096u /* charges of each thread */
#define ROUNDS 20000u

static struct storage *st;

/* What threads may take from each other, as the cache does with objects. */
static struct {
    pthread_mutex_t lock;
    uint32_t bytes[LOOPS * KEPT];
    size_t n;
} stored = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint32_t
pop(void)
{
    pthread_mutex_lock(&stored.lock);
    uint32_t n = stored.n == 0 ? 0 : stored.bytes[--stored.n];
    pthread_mutex_unlock(&stored.lock);
    return n;
}

static struct evicted
evict(struct storage *s, uint64_t bytes)
{
    struct evicted done = { 0 };
    do {
        uint32_t n = pop();
        if (n == 0)
            break;
        storage_refund(s, USE_BODIES, n);
        done.objects++;
        done.bytes += n;
    } while (done.bytes < bytes);
    return done;
}

static struct evicted
evict_none(struct storage *s, uint64_t bytes)
{
    return (struct evicted){ 0 };
}

static void
begin(uint64_t limit, unsigned loops)
{
    params.loops = loops;
    CHECK(storage_new(SPAN_LIT("s"), limit, &st) == 0);
    st->evict = evict;
    stored.n = 0;
}

static void
end(void)
{
    while (evict(st, 1).objects > 0)
        continue;
    EXPECT_EQ_INT(storage_used(st), 0);
    EXPECT_EQ_INT(storage_used_for(st, USE_BODIES), 0);
    EXPECT_EQ_INT(storage_counted(st, SMA_G_ALLOC), 0);
    storage_release(&st);
}

static int
store(uint32_t bytes)
{
    int err = storage_charge(st, USE_BODIES, bytes);
    pthread_mutex_lock(&stored.lock);
    if (err == 0 && stored.n < LOOPS * KEPT)
        stored.bytes[stored.n++] = bytes;
    else if (err == 0)
        storage_refund(st, USE_BODIES, bytes);
    pthread_mutex_unlock(&stored.lock);
    return err;
}

/* ---- threads ---- */

struct flood {
    uint32_t least, most; /* bytes of a response */
    uint32_t held;        /* beside each: an entry of the index, or keys */
    enum storage_use use;
};

static const struct flood *flood;
static atomic_uint failed;
static atomic_uint numbers;

static void *
pour(void *arg)
{
    (void)arg;
    uint64_t state = atomic_fetch_add(&numbers, 1) + 1, over = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t bytes = flood->least + (uint32_t)(state >> 33) % (flood->most - flood->least + 1);
        if (store(bytes) != 0)
            atomic_fetch_add(&failed, 1);
        storage_hold(st, flood->use, flood->held);
        (void)storage_settle(st, 8);
        if (i % 16 > 0)
            storage_hold(st, flood->use, -(int64_t)flood->held);
        uint64_t used = storage_used(st);
        over = used > over ? used : over;
    }
    return (void *)(uintptr_t)over;
}

static uint64_t
run_threads(unsigned n)
{
    pthread_t threads[LOOPS];
    uint64_t most = 0;
    for (unsigned i = 0; i < n; i++)
        CHECK(pthread_create(&threads[i], NULL, pour, NULL) == 0);
    for (unsigned i = 0; i < n; i++) {
        void *over;
        CHECK(pthread_join(threads[i], &over) == 0);
        most = (uintptr_t)over > most ? (uintptr_t)over : most;
    }
    return most;
}

/* At each moment: within 1 % of the limit. Afterwards, with all threads ended: nearly all of it is used, and
 * the sums that readers see are the same. */
static void
floods_of_many_threads_obey_the_limit_and_use_it(void)
{
    static const struct flood floods[] = {
        { 300, 2000, 150, USE_INDEX },
        { 100 * KB, 600 * KB, 150, USE_INDEX },
        { 1000, 3000, 500, USE_KEYS },
        { 14 * KB, 32 * KB, 300, USE_ROUNDING },
    };
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        flood = &floods[i];
        begin(flood->most < 4 * KB ? 16 * MB : LIMIT, LOOPS);
        EXPECT(st->piece_bytes > 0);
        atomic_store(&failed, 0);
        uint64_t most = run_threads(LOOPS), limit = st->limit_bytes, held = LOOPS * ROUNDS / 16 * flood->held;
        EXPECT(most <= limit + limit / 100);
        EXPECT_EQ_INT(atomic_load(&failed), 0);
        (void)storage_settle(st, UINT32_MAX);
        EXPECT(storage_used(st) <= limit);
        EXPECT(storage_used(st) > limit - limit / 100 - flood->most);
        tallies_show();
        EXPECT_EQ_INT(st->counters[SMA_G_BYTES], storage_used(st));
        EXPECT_EQ_INT(st->counters[SMA_G_SPACE], limit - storage_used(st));
        EXPECT_EQ_INT(st->counters[SMA_C_BYTES] - st->counters[SMA_C_FREED], storage_used(st));
        EXPECT_EQ_INT(st->uses[USE_BODIES] + st->uses[flood->use], storage_used(st));
        storage_hold(st, flood->use, -(int64_t)held);
        end();
    }
}

/* ---- what others hold ahead ---- */

static void *
take_a_little(void *arg)
{
    atomic_uint *turn = arg;
    EXPECT_EQ_INT(storage_charge(st, USE_HEADS, 100), 0);
    atomic_fetch_add(turn, 1);
    while (atomic_load(turn) <= LOOPS)
        continue;
    storage_refund(st, USE_HEADS, 100);
    return NULL;
}

/* All bytes but those that others use are room for a response that finds nothing to evict. */
static void
a_response_gets_what_idle_threads_hold_ahead(void)
{
    pthread_t threads[LOOPS];
    atomic_uint turn = 0;
    begin(LIMIT, LOOPS);
    for (unsigned i = 0; i < LOOPS; i++)
        CHECK(pthread_create(&threads[i], NULL, take_a_little, &turn) == 0);
    while (atomic_load(&turn) < LOOPS)
        continue;
    EXPECT_EQ_INT(storage_used(st), 100 * LOOPS);
    EXPECT(atomic_load(&st->taken_bytes) >= LOOPS * st->piece_bytes);
    EXPECT_EQ_INT(storage_charge(st, USE_BODIES, LIMIT - 100 * LOOPS + 1), ERR_NOMEM);
    EXPECT_EQ_INT(storage_charge(st, USE_BODIES, LIMIT - 100 * LOOPS), 0);
    EXPECT_EQ_INT(storage_charge(st, USE_BODIES, 1), ERR_NOMEM);
    EXPECT_EQ_INT(storage_used(st), LIMIT);
    atomic_fetch_add(&turn, 1);
    for (unsigned i = 0; i < LOOPS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    EXPECT_EQ_INT(storage_used(st), LIMIT - 100 * LOOPS);
    storage_refund(st, USE_BODIES, LIMIT - 100 * LOOPS);
    end();
}

/* ---- one thread ---- */

static void
nothing_is_held_ahead_of_a_small_storage(void)
{
    begin(MB, 2);
    EXPECT_EQ_INT(st->piece_bytes, 0);
    EXPECT_EQ_INT(storage_charge(st, USE_BODIES, 1000), 0);
    EXPECT_EQ_INT(atomic_load(&st->taken_bytes), 1000);
    storage_hold(st, USE_INDEX, 100);
    EXPECT_EQ_INT(atomic_load(&st->taken_bytes), 1100);
    storage_hold(st, USE_INDEX, -100);
    storage_refund(st, USE_BODIES, 1000);
    EXPECT_EQ_INT(atomic_load(&st->taken_bytes), 0);
    end();
}

static void
a_thread_holds_at_most_two_pieces_ahead(void)
{
    begin(LIMIT, LOOPS);
    uint64_t piece = st->piece_bytes;
    EXPECT(2 * piece * LOOPS <= LIMIT / 128 && piece >= 4096 && piece <= 256 * KB);
    for (unsigned i = 0; i < 1000; i++) {
        EXPECT_EQ_INT(store(1000), 0);
        EXPECT(atomic_load(&st->taken_bytes) <= (i + 1) * 1000 + piece);
    }
    for (unsigned i = 1000; i-- > 0;) {
        (void)evict(st, 1);
        EXPECT(atomic_load(&st->taken_bytes) <= i * 1000 + 2 * piece);
    }
    end();
}

/* The storage is above its limit by what is held: what is freed is given back at once, and nothing is
 * evicted beyond. */
static void
above_its_limit_a_storage_evicts_what_is_needed(void)
{
    begin(LIMIT, LOOPS);
    while (storage_used(st) < LIMIT - 64 * KB)
        EXPECT_EQ_INT(store(16 * KB), 0);
    storage_hold(st, USE_KEYS, 256 * KB);
    EXPECT(storage_used(st) > LIMIT);
    (void)storage_settle(st, UINT32_MAX);
    EXPECT(storage_used(st) <= LIMIT && storage_used(st) > LIMIT - 32 * KB);
    storage_hold(st, USE_KEYS, -(int64_t)(256 * KB));
    end();
}

static void
a_failure_counts_each_attempt_once(void)
{
    begin(LIMIT, LOOPS);
    st->evict = evict_none;
    EXPECT_EQ_INT(storage_charge(st, USE_KEYS, LIMIT), 0);
    EXPECT_EQ_INT(storage_charge(st, USE_KEYS, 1), ERR_NOMEM);
    EXPECT_EQ_INT(storage_counted(st, SMA_C_FAIL), 1);
    storage_refund(st, USE_KEYS, LIMIT);
    end();
}

static const struct test tests[] = {
    { "floods_of_many_threads_obey_the_limit_and_use_it", floods_of_many_threads_obey_the_limit_and_use_it },
    { "a_response_gets_what_idle_threads_hold_ahead", a_response_gets_what_idle_threads_hold_ahead },
    { "nothing_is_held_ahead_of_a_small_storage", nothing_is_held_ahead_of_a_small_storage },
    { "a_thread_holds_at_most_two_pieces_ahead", a_thread_holds_at_most_two_pieces_ahead },
    { "above_its_limit_a_storage_evicts_what_is_needed", above_its_limit_a_storage_evicts_what_is_needed },
    { "a_failure_counts_each_attempt_once", a_failure_counts_each_attempt_once },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
