/* The budget of a storage, and eviction when it is full. */
#include "fixture.h"

#include "base/params.h"
#include "cache/object_internal.h"
#include "log/counters.h"

static struct fixture f;
static const struct life HOUR = { 3600 * SEC, 0, 0 };
static char filler[1 << 20];

static void
begin(uint64_t limit_bytes)
{
    fixture_init(&f, limit_bytes);
    memset(filler, 'x', sizeof filler);
}

static int
store_bytes(const char *name, size_t n)
{
    struct lookup l = lookup_of(key(&f.arena, name), request(&f.arena, NULL), T0);
    l.always_miss = true;
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    return fetch_all(f.store, l.busy, response(&f.arena, 200, NULL), l.request, T0, HOUR, NULL, filler, n);
}

static int
store_numbered(const char *prefix, unsigned i, size_t n)
{
    char name[32];
    snprintf(name, sizeof name, "%s%u", prefix, i);
    return store_bytes(name, n);
}

static bool
is_stored(const char *prefix, unsigned i, unsigned touches)
{
    char name[32];
    snprintf(name, sizeof name, "%s%u", prefix, i);
    struct lookup l = lookup_of(key(&f.arena, name), request(&f.arena, NULL), T0);
    bool hit = store_lookup(f.store, &l) == LOOKUP_HIT;
    for (unsigned t = 0; hit && t < touches; t++)
        store_touch(l.object);
    if (l.busy != NULL)
        store_withdraw(f.store, l.busy);
    object_release(&l.busy);
    object_release(&l.object);
    return hit;
}

static unsigned
count_stored(const char *prefix, unsigned n)
{
    unsigned stored = 0;
    for (unsigned i = 0; i < n; i++)
        stored += is_stored(prefix, i, 0);
    return stored;
}

static void
the_budget_is_used_up_and_never_exceeded(void)
{
    begin(100000);
    unsigned long long nuked = counters_here()->n_lru_nuked;
    for (unsigned i = 0; i < 2000; i++) {
        EXPECT_EQ_INT(store_numbered("/", i, 100 + i % 700), 0);
        EXPECT(used(f.main) <= 100000);
    }
    EXPECT(used(f.main) > 100000 - 2 * 1000);
    EXPECT(counters_here()->n_lru_nuked - nuked > 1500);
    fixture_release(&f);
}

/* Policies for Varnish expect this, since Varnish counts nothing else. One byte more does not fit. */
static void
a_response_may_fill_a_storage_by_its_bytes(void)
{
    begin(sizeof filler);
    EXPECT_EQ_INT(store_bytes("/", 0), 0);
    size_t most = sizeof filler - storage_used_for(f.main, USE_HEADS);
    (void)store_expire(f.store, NSEC_NEVER, UINT32_MAX);
    EXPECT_EQ_INT(store_bytes("/more", most + 1), ERR_NOMEM);
    unsigned long long nuked = counters_here()->n_lru_nuked;
    EXPECT_EQ_INT(store_bytes("/full", most), 0);
    EXPECT(used(f.main) > sizeof filler); /* the counter has the allocator's overhead all the same */
    (void)store_settle(f.store);
    EXPECT_EQ_INT(counters_here()->n_lru_nuked, nuked);
    fixture_release(&f);
}

static void
shrinking_frees_what_was_asked_and_not_much_more(void)
{
    begin(0);
    for (unsigned i = 0; i < 100; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 500), 0);
    uint64_t before = used(f.main), freed = store_shrink(f.store, before / 2);
    EXPECT(freed >= before / 2 && freed < before / 2 + 2000);
    EXPECT_EQ_INT(used(f.main), before - freed);
    EXPECT_EQ_INT(store_shrink(f.store, UINT64_MAX), before - freed); /* frees everything, and returns */
    EXPECT_EQ_INT(count_stored("/", 100), 0);
    fixture_release(&f);
}

/* The step of a timer, on a loop that serves clients. */
static void
a_little_memory_is_freed_in_a_few_evictions(void)
{
    const uint64_t step = 64 << 10;
    begin(0);
    for (unsigned i = 0; i < 5000; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 10), 0);
    unsigned long long before = counters_here()->n_lru_nuked;
    EXPECT(store_shrink(f.store, step) >= step);
    EXPECT(counters_here()->n_lru_nuked > before);
    EXPECT(counters_here()->n_lru_nuked - before <= step / OBJECT_CORE_BYTES + 1);
    fixture_release(&f);
}

static void
objects_hit_twice_survive_a_scan(void)
{
    begin(100000);
    for (unsigned i = 0; i < 20; i++)
        EXPECT_EQ_INT(store_numbered("/hot", i, 500), 0);
    EXPECT_EQ_INT(count_stored("/hot", 20), 20);
    for (unsigned i = 0; i < 20; i++)
        EXPECT(is_stored("/hot", i, 2));
    for (unsigned i = 0; i < 2000; i++)
        EXPECT_EQ_INT(store_numbered("/scan", i, 500), 0);
    EXPECT_EQ_INT(count_stored("/hot", 20), 20);
    fixture_release(&f);
}

static void
objects_never_hit_leave_in_order_of_arrival(void)
{
    begin(100000);
    for (unsigned i = 0; i < 300; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 500), 0);
    unsigned stored = count_stored("/", 300);
    EXPECT(stored > 100 && stored < 200);
    for (unsigned i = 0; i < 300; i++)
        EXPECT_EQ_INT(is_stored("/", i, 0), i >= 300 - stored);
    fixture_release(&f);
}

/* So a loop takes the lock of the queues once for the room of several responses. */
static void
a_large_storage_evicts_a_piece_at_a_time(void)
{
    const uint64_t limit = 64 << 20;
    unsigned n = 4000, times = 0;
    begin(limit);
    EXPECT(f.main->piece_bytes > 5 * 20000);
    unsigned long long first = counters_here()->n_lru_nuked;
    for (unsigned i = 0; i < n; i++) {
        unsigned long long before = counters_here()->n_lru_nuked;
        EXPECT_EQ_INT(store_numbered("/", i, 20000), 0);
        times += counters_here()->n_lru_nuked > before;
        EXPECT(used(f.main) <= limit);
    }
    EXPECT(times > 0 && counters_here()->n_lru_nuked - first >= 5 * times);
    EXPECT(used(f.main) > limit - limit / 100);
    unsigned stored = count_stored("/", n);
    for (unsigned i = 0; i < n; i++)
        EXPECT_EQ_INT(is_stored("/", i, 0), i >= n - stored);
    fixture_release(&f);
}

/* In a storage of this size they wait in the intake of their loop. */
static void
the_newest_objects_leave_in_order_of_arrival_too(void)
{
    begin(256 << 20);
    EXPECT(f.main->piece_bytes > 0);
    for (unsigned i = 0; i < 20; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 500), 0);
    for (unsigned i = 0; i < 20; i++) {
        EXPECT(store_shrink(f.store, 1) > 0);
        EXPECT(!is_stored("/", i, 0));
        EXPECT_EQ_INT(count_stored("/", 20), 19 - i);
    }
    EXPECT_EQ_INT(store_shrink(f.store, 1), 0);
    fixture_release(&f);
}

static void
the_newest_objects_may_expire(void)
{
    begin(256 << 20);
    for (unsigned i = 0; i < 5; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 500), 0);
    EXPECT_EQ_INT(store_numbered("/long", 0, 1u << 20), 0); /* more than a piece: the others enter with it */
    EXPECT_EQ_INT(store_numbered("/", 5, 500), 0);
    (void)store_expire(f.store, NSEC_NEVER, UINT32_MAX);
    EXPECT_EQ_INT(count_stored("/", 6) + count_stored("/long", 1), 0);
    EXPECT_EQ_INT(store_shrink(f.store, UINT64_MAX), 0); /* none is left in a queue */
    fixture_release(&f);
}

static void
a_key_that_comes_back_skips_probation(void)
{
    begin(100000);
    EXPECT_EQ_INT(store_numbered("/again", 0, 500), 0);
    for (unsigned i = 0; is_stored("/again", 0, 0); i++)
        EXPECT_EQ_INT(store_numbered("/scan", i, 500), 0);
    EXPECT_EQ_INT(store_numbered("/again", 0, 500), 0); /* a ghost, so it goes to the main queue */
    for (unsigned i = 10000; i < 12000; i++)
        EXPECT_EQ_INT(store_numbered("/scan", i, 500), 0);
    EXPECT(is_stored("/again", 0, 0));
    fixture_release(&f);
}

static void
a_large_object_skips_probation(void)
{
    begin(100000);
    EXPECT_EQ_INT(store_numbered("/large", 0, 20000), 0);
    for (unsigned i = 0; i < 1000; i++)
        EXPECT_EQ_INT(store_numbered("/small", i, 500), 0);
    EXPECT(is_stored("/large", 0, 0));
    fixture_release(&f);
}

static void
the_main_queue_gives_way_to_what_is_hit(void)
{
    begin(100000);
    for (unsigned i = 0; i < 3; i++)
        EXPECT_EQ_INT(store_numbered("/old", i, 20000), 0);
    EXPECT(is_stored("/old", 0, 1));
    for (unsigned i = 0; i < 2; i++)
        EXPECT_EQ_INT(store_numbered("/new", i, 20000), 0);
    EXPECT(is_stored("/old", 0, 0)); /* a hit since its last turn */
    EXPECT(!is_stored("/old", 1, 0));
    fixture_release(&f);
}

static void
what_is_read_is_not_evicted(void)
{
    begin(100000);
    struct lookup l;
    EXPECT_EQ_INT(store_bytes("/read", 500), 0);
    l = lookup_of(key(&f.arena, "/read"), request(&f.arena, NULL), T0);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_HIT);
    for (unsigned i = 0; i < 1000; i++)
        EXPECT_EQ_INT(store_numbered("/scan", i, 500), 0);
    EXPECT(!(l.object->flags & OBJECT_PURGED));
    object_release(&l.object);
    fixture_release(&f);
}

static void
what_is_being_written_is_not_evicted(void)
{
    begin(100000);
    struct lookup l = lookup_of(key(&f.arena, "/written"), request(&f.arena, NULL), T0);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    CHECK(fetch_insert(f.store, l.busy, response(&f.arena, 200, NULL), l.request, T0, HOUR, NULL) == 0);
    CHECK(object_publish(l.busy, 1000) == 0);
    CHECK(body_add(l.busy, filler, 500) == 0);
    for (unsigned i = 0; i < 1000; i++)
        EXPECT_EQ_INT(store_numbered("/scan", i, 500), 0);
    EXPECT(!(l.busy->flags & OBJECT_PURGED));
    CHECK(body_add(l.busy, filler, 500) == 0);
    object_complete(l.busy);
    object_release(&l.busy);
    fixture_release(&f);
}

static void
no_memory_when_everything_is_read(void)
{
    begin(10000);
    struct lookup held[64];
    unsigned n = 0;
    for (; n < 64 && store_numbered("/", n, 500) == 0; n++) {
        char name[32];
        snprintf(name, sizeof name, "/%u", n);
        held[n] = lookup_of(key(&f.arena, name), request(&f.arena, NULL), T0);
        EXPECT_EQ_INT(store_lookup(f.store, &held[n]), LOOKUP_HIT);
    }
    EXPECT(n > 10 && n < 20);
    EXPECT(used(f.main) <= 10000);
    object_release(&held[0].object);
    EXPECT_EQ_INT(store_bytes("/now", 500), 0);
    for (unsigned i = 1; i < n; i++)
        object_release(&held[i].object);
    fixture_release(&f);
}

static void
one_allocation_evicts_at_most_nuke_limit_objects(void)
{
    begin(100000);
    unsigned nuke_limit = params.nuke_limit;
    for (unsigned i = 0; i < 300; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 500), 0);
    unsigned before = count_stored("/", 300);
    params.nuke_limit = 1;
    EXPECT_EQ_INT(store_bytes("/large", 50000), ERR_NOMEM);
    unsigned gone = before - count_stored("/", 300);
    EXPECT(gone * 500 < params.fetch_chunksize_bytes + 500);
    EXPECT(storage_counted(f.main, SMA_C_FAIL) > 0);
    EXPECT_EQ_INT(store_bytes("/large", 15000), 0);
    for (unsigned i = 0; i < 4; i++)
        EXPECT_EQ_INT(store_numbered("/larger", i, 20000), 0);
    params.nuke_limit = 2;
    EXPECT_EQ_INT(store_bytes("/large", 70000), ERR_NOMEM);
    params.nuke_limit = 0;
    EXPECT_EQ_INT(store_bytes("/large", 70000), ERR_NOMEM);
    params.nuke_limit = nuke_limit;
    fixture_release(&f);
}

static void
room_for_a_long_body_is_made_of_small_objects(void)
{
    begin(3 << 20);
    for (unsigned i = 0; i < 300; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 10000), 0);
    uint64_t failures = storage_counted(f.main, SMA_C_FAIL);
    /* needs the room of more than nuke_limit objects */
    EXPECT_EQ_INT(store_bytes("/long", sizeof filler), 0);
    EXPECT(count_stored("/", 300) < 300 - params.nuke_limit);
    EXPECT(storage_counted(f.main, SMA_C_FAIL) > failures); /* attempts that found no room */
    unsigned left = count_stored("/", 300);
    struct object *o = NULL;
    EXPECT_EQ_INT(object_new(f.main, 0, &o), 0);
    EXPECT_EQ_INT(object_set_head(o, response(&f.arena, 200, NULL), NULL), 0);
    EXPECT_EQ_INT(object_expect(o, (3 << 20) + 1), ERR_NOMEM);
    object_fail(o);
    object_release(&o);
    EXPECT_EQ_INT(count_stored("/", 300), left); /* the failed attempt evicted none */
    fixture_release(&f);
}

static void
storages_evict_only_their_own(void)
{
    begin(100000);
    struct storage *other;
    CHECK(store_add_storage(f.store, SPAN_LIT("s1"), 100000, &other) == 0);
    for (unsigned i = 0; i < 100; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 200), 0); /* some in each storage */
    uint64_t in_other = used(other);
    EXPECT(in_other > 10000);
    for (unsigned i = 0; i < 500; i++) {
        struct lookup l = lookup_of(key(&f.arena, "/x"), request(&f.arena, NULL), T0);
        char name[32];
        snprintf(name, sizeof name, "/x%u", i);
        l.key = key(&f.arena, name);
        EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
        object_set_storage(l.busy, f.main);
        CHECK(fetch_all(f.store, l.busy, response(&f.arena, 200, NULL), l.request, T0, HOUR, NULL, filler,
                        500) == 0);
    }
    EXPECT_EQ_INT(used(other), in_other);
    fixture_release(&f);
}

static void
counters_balance(void)
{
    begin(50000);
    for (unsigned i = 0; i < 300; i++)
        EXPECT_EQ_INT(store_numbered("/", i, i * 5), 0);
    EXPECT_EQ_INT(storage_counted(f.main, SMA_C_BYTES) - storage_counted(f.main, SMA_C_FREED), used(f.main));
    EXPECT(storage_counted(f.main, SMA_G_ALLOC) > 0);
    (void)store_expire(f.store, NSEC_NEVER, UINT32_MAX);
    EXPECT_EQ_INT(storage_counted(f.main, SMA_G_ALLOC), 0);
    fixture_release(&f);
}

static void
what_is_held_pushes_objects_out(void)
{
    begin(100000);
    for (unsigned i = 0; i < 300; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 500), 0);
    unsigned before = count_stored("/", 300);
    store_hold(f.store, USE_THROTTLE, 50000);
    EXPECT(used(f.main) > 100000);
    while (store_settle(f.store))
        ;
    EXPECT(used(f.main) <= 100000);
    EXPECT(count_stored("/", 300) < before * 6 / 10);
    store_hold(f.store, USE_THROTTLE, -50000);
    fixture_release(&f);
}

/* Other clients wait for the loop that evicts. */
static void
much_that_is_held_pushes_objects_out_in_pieces(void)
{
    unsigned n = 20000, pieces = 1;
    begin(64u << 20);
    for (unsigned i = 0; i < n; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 10), 0);
    store_hold(f.store, USE_THROTTLE, 64 << 20);
    while (store_settle(f.store))
        pieces++;
    EXPECT(pieces > 3);
    EXPECT_EQ_INT(count_stored("/", n), 0);
    store_hold(f.store, USE_THROTTLE, -(64 << 20));
    fixture_release(&f);
}

static void
transient_takes_from_the_largest_storage(void)
{
    begin(100000);
    for (unsigned i = 0; i < 300; i++)
        EXPECT_EQ_INT(store_numbered("/", i, 500), 0);
    struct storage *transient = store_transient(f.store);
    EXPECT_EQ_INT(store_take(transient, USE_REQUESTS, 57344), 0);
    EXPECT_EQ_INT(used(transient), mem_cost(57344));
    EXPECT_EQ_INT(storage_used_for(f.main, USE_TRANSIENT), mem_cost(57344));
    while (store_settle(f.store)) /* one call evicts for a millisecond */
        continue;
    EXPECT(used(f.main) <=
           100000 + 100000 / 16); /* evicting objects has made room; a little index and rounding is free */
    store_give(transient, USE_REQUESTS, 57344);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_TRANSIENT), 0);
    EXPECT_EQ_INT(store_take(transient, USE_REQUESTS, 40 << 20),
                  ERR_NOMEM); /* 32 MB, with so small a storage */
    fixture_release(&f);
}

static void
transient_with_a_size_takes_from_nobody(void)
{
    begin(100000);
    struct storage *transient;
    CHECK(store_add_storage(f.store, SPAN_LIT("Transient"), 200000, &transient) == 0);
    EXPECT_EQ_INT(store_take(transient, USE_REQUESTS, 100000), 0);
    EXPECT_EQ_INT(used(f.main), 0);
    store_give(transient, USE_REQUESTS, 100000);
    fixture_release(&f);
}

/* A few active filters evict nothing. Many of them do, with the memory beyond 1 MB. */
static void
few_filters_take_nothing_from_the_largest_storage(void)
{
    begin(1 << 20);
    struct storage *transient = store_transient(f.store);
    const uint64_t piece = 655360, beyond = 2 * mem_cost(piece) - (1 << 20);
    EXPECT_EQ_INT(store_numbered("/", 1, 900000), 0);
    EXPECT_EQ_INT(store_reserve(transient, USE_FILTERS, piece), 0);
    EXPECT_EQ_INT(storage_used_for(transient, USE_FILTERS), mem_cost(piece));
    EXPECT_EQ_INT(storage_used_for(f.main, USE_TRANSIENT), 0);
    EXPECT(storage_used_for(f.main, USE_BODIES) >= 900000);
    EXPECT_EQ_INT(store_reserve(transient, USE_FILTERS, piece), 0);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_TRANSIENT), beyond);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_BODIES), 0);
    EXPECT_EQ_INT(store_take(transient, USE_REQUESTS, 57344), 0);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_TRANSIENT), beyond + mem_cost(57344));
    EXPECT_EQ_INT(store_reserve(transient, USE_FILTERS, 40 << 20),
                  ERR_NOMEM); /* all of it counts against the limit of Transient */
    store_unreserve(transient, USE_FILTERS, piece);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_TRANSIENT), mem_cost(57344));
    store_give(transient, USE_REQUESTS, 57344);
    store_unreserve(transient, USE_FILTERS, piece);
    EXPECT_EQ_INT(used(transient) + storage_used_for(f.main, USE_TRANSIENT), 0);
    fixture_release(&f);
}

static void
fill_with_a_body_that_a_client_reads(struct lookup *l)
{
    EXPECT_EQ_INT(store_bytes("/read", 1 << 20), 0);
    *l = lookup_of(key(&f.arena, "/read"), request(&f.arena, NULL), T0);
    EXPECT_EQ_INT(store_lookup(f.store, l), LOOKUP_HIT);
}

/* Transient borrows nothing more for long bodies and many filters. Pieces of responses and few filters always
 * get their memory. */
static void
bodies_that_clients_read_leave_transient_only_small_pieces(void)
{
    const uint64_t big = 600000;
    struct lookup reading;
    begin((1 << 20) + 4096);
    struct storage *transient = store_transient(f.store);
    fill_with_a_body_that_a_client_reads(&reading);
    EXPECT_EQ_INT(storage_reserve(transient, USE_BODIES, big), ERR_NOMEM);
    EXPECT_EQ_INT(used(transient), 0);
    EXPECT_EQ_INT(storage_reserve_piece(transient, USE_BODIES, big), 0);
    EXPECT(storage_refuses(transient) && storage_is_tight(transient));
    EXPECT_EQ_INT(storage_reserve(transient, USE_FILTERS, big), 0);
    EXPECT_EQ_INT(storage_reserve(transient, USE_FILTERS, big), ERR_NOMEM);
    storage_unreserve(transient, USE_FILTERS, big);
    storage_unreserve(transient, USE_BODIES, big);
    object_release(&reading.object);
    EXPECT_EQ_INT(storage_reserve(transient, USE_BODIES, big), 0); /* now the stored body can go */
    EXPECT(!storage_refuses(transient));
    EXPECT(storage_is_tight(transient)); /* it uses half of the storage that lends */
    storage_unreserve(transient, USE_BODIES, big);
    EXPECT(!storage_is_tight(transient));
    fixture_release(&f);
}

/* Without that, Transient would refuse until its own responses expire. */
static void
transient_evicts_its_own_when_the_largest_storage_has_nothing(void)
{
    struct lookup reading;
    begin((1 << 20) + 100000);
    struct storage *transient = store_transient(f.store);
    fill_with_a_body_that_a_client_reads(&reading);
    struct lookup l = lookup_of(key(&f.arena, "/short"), request(&f.arena, NULL), T0);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    object_set_storage(l.busy, transient);
    EXPECT_EQ_INT(fetch_all(f.store, l.busy, response(&f.arena, 200, NULL), l.request, T0, HOUR, NULL, filler,
                            60000),
                  0);
    EXPECT(used(transient) > 60000);
    EXPECT_EQ_INT(storage_reserve(transient, USE_BODIES, 80000), 0);
    EXPECT(used(transient) < 81000);
    storage_unreserve(transient, USE_BODIES, 80000);
    object_release(&reading.object);
    fixture_release(&f);
}

static void
few_filters_find_room_in_a_full_transient(void)
{
    begin(100000);
    struct storage *transient;
    CHECK(store_add_storage(f.store, SPAN_LIT("Transient"), 10000, &transient) == 0);
    EXPECT_EQ_INT(storage_reserve(transient, USE_BODIES, 10000), 0);
    EXPECT_EQ_INT(store_reserve(transient, USE_FILTERS, 400000), 0);
    EXPECT_EQ_INT(store_reserve(transient, USE_FILTERS, 700000), ERR_NOMEM);
    storage_unreserve(transient, USE_BODIES, 10000);
    EXPECT_EQ_INT(storage_reserve(transient, USE_BODIES, 10000), 0); /* filters take nothing from bodies */
    storage_unreserve(transient, USE_BODIES, 10000);
    store_unreserve(transient, USE_FILTERS, 400000);
    EXPECT_EQ_INT(used(transient), 0);
    fixture_release(&f);
}

/* Removing keys returns the memory of keys and tables. Otherwise each round would leave less room. */
static void
the_index_holds_no_more_after_many_rounds(void)
{
    begin(0);
    uint64_t after_first = 0;
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < 3000; i++)
            EXPECT_EQ_INT(store_numbered("/", i, 10), 0);
        EXPECT(storage_used_for(f.main, USE_INDEX) > 3000 * sizeof(struct digest));
        (void)store_expire(f.store, NSEC_NEVER, UINT32_MAX);
        if (round == 0)
            after_first = used(f.main);
    }
    EXPECT_EQ_INT(used(f.main), after_first);
    fixture_release(&f);
}

static const struct test tests[] = {
    TEST(what_is_held_pushes_objects_out),
    TEST(much_that_is_held_pushes_objects_out_in_pieces),
    TEST(transient_takes_from_the_largest_storage),
    TEST(transient_with_a_size_takes_from_nobody),
    TEST(bodies_that_clients_read_leave_transient_only_small_pieces),
    TEST(transient_evicts_its_own_when_the_largest_storage_has_nothing),
    TEST(few_filters_find_room_in_a_full_transient),
    TEST(few_filters_take_nothing_from_the_largest_storage),
    TEST(the_index_holds_no_more_after_many_rounds),
    TEST(the_budget_is_used_up_and_never_exceeded),
    TEST(a_response_may_fill_a_storage_by_its_bytes),
    TEST(shrinking_frees_what_was_asked_and_not_much_more),
    TEST(a_little_memory_is_freed_in_a_few_evictions),
    TEST(objects_hit_twice_survive_a_scan),
    TEST(objects_never_hit_leave_in_order_of_arrival),
    TEST(a_large_storage_evicts_a_piece_at_a_time),
    TEST(the_newest_objects_leave_in_order_of_arrival_too),
    TEST(the_newest_objects_may_expire),
    TEST(a_key_that_comes_back_skips_probation),
    TEST(a_large_object_skips_probation),
    TEST(the_main_queue_gives_way_to_what_is_hit),
    TEST(what_is_read_is_not_evicted),
    TEST(what_is_being_written_is_not_evicted),
    TEST(no_memory_when_everything_is_read),
    TEST(one_allocation_evicts_at_most_nuke_limit_objects),
    TEST(room_for_a_long_body_is_made_of_small_objects),
    TEST(storages_evict_only_their_own),
    TEST(counters_balance),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
