/* Partial bodies: claims, readers, memory, and many threads that fetch and read one table. */
#include <pthread.h>
#include <sched.h>

#include "base/params.h"
#include "body/partial.h"
#include "store_fixture.h"

#define SIZE 4096u
#define TOTAL (10u * SIZE + 100)
#define THREADS 4u
#define ROUNDS 300u

static char
byte_at(uint64_t at)
{
    return (char)((at * 2654435761u) >> 13);
}

/* A partial object of TOTAL bytes, all holes, stored under /p. */
static struct object *
store_partial(void)
{
    struct lookup l;
    CHECK(look(&l, "/p", REQUEST(NULL), T0) == LOOKUP_MISS);
    object_set_form(l.busy, (struct body_form){ .partial = true });
    CHECK(object_set_head(l.busy, RESPONSE("ETag", "\"a\""), REQUEST(NULL)) == 0);
    CHECK(object_set_holes(l.busy, TOTAL, SIZE, SPAN_LIT("\"a\"")) == 0);
    l.busy->origin_time = T0;
    l.busy->ttl = HOUR.ttl;
    store_insert(f.store, l.busy, NULL);
    CHECK(object_publish(l.busy, TOTAL) == 0);
    object_complete(l.busy);
    object_release(&l.object);
    return l.busy;
}

/* Writes n bytes of the claim, or as many as it takes. Returns whether the claim continues. */
static bool
bring(struct hole_claim *c, size_t n)
{
    bool more = c->content != NULL;
    while (n > 0 && more) {
        char *p;
        size_t room;
        CHECK(claim_space(c, &p, &room) == 0);
        room = room < n ? room : n;
        for (size_t i = 0; i < room; i++)
            p[i] = byte_at(c->at + i);
        n -= room;
        more = claim_commit(c, room);
    }
    return more;
}

static void
fetch_part(struct body *p, uint64_t at, uint64_t end, size_t n)
{
    struct hole_claim c;
    CHECK(hole_claim(p, at, end, &c));
    claim_confirm(&c);
    (void)bring(&c, n);
    claim_end(&c);
}

/* The number of bytes that can be read from `at` on, after a check of each. */
static uint64_t
readable(struct body *b, uint64_t at)
{
    struct body_reader r;
    struct iovec iov[3];
    enum body_next next;
    uint64_t have = 0;
    int n;
    body_open(&r, b);
    body_seek(&r, at, UINT64_MAX);
    while ((n = body_gather(&r, iov, 3, SIZE_MAX, &next)) > 0)
        for (int i = 0; i < n; i++) {
            for (size_t k = 0; k < iov[i].iov_len; k++, have++)
                CHECK(((const char *)iov[i].iov_base)[k] == byte_at(at + have));
            body_advance(&r, iov[i].iov_len, 0);
        }
    body_close(&r);
    return have;
}

static enum body_sight
sight(struct body *p, uint64_t at, uint64_t end, uint64_t *hole)
{
    struct body_gap gap = { .at = UINT64_MAX };
    enum body_sight seen = body_look(p, at, end, &gap);
    *hole = gap.at;
    return seen;
}

static void
a_claim_goes_from_part_to_part_until_one_is_taken(void)
{
    begin();
    struct object *o = store_partial();
    struct body *p = &o->body;
    struct hole_claim c, other;
    uint64_t hole;
    fetch_part(p, 3 * SIZE, 4 * SIZE, SIZE);
    EXPECT(hole_claim(p, SIZE + 5, TOTAL, &c));
    EXPECT_EQ_INT(c.at, SIZE);      /* from the beginning of its part */
    EXPECT_EQ_INT(c.end, 3 * SIZE); /* to the next part that exists */
    EXPECT(!hole_claim(p, SIZE, TOTAL, &other));
    EXPECT_EQ_INT(sight(p, SIZE + 9, TOTAL, &hole), SIGHT_CLAIMED);
    claim_confirm(&c);
    EXPECT_EQ_INT(sight(p, SIZE + 9, TOTAL, &hole), SIGHT_COMING);
    EXPECT(hole_claim(p, 2 * SIZE, TOTAL, &other)); /* the fetch has not reached it */
    EXPECT(!bring(&c, SIZE));
    EXPECT(c.content == NULL);
    claim_end(&other);
    EXPECT_EQ_INT(sight(p, SIZE, TOTAL, &hole), SIGHT_HOLE);
    EXPECT_EQ_INT(hole, 2 * SIZE);
    EXPECT_EQ_INT(readable(p, SIZE), SIZE);
    object_release(&o);
    end();
}

static void
a_part_that_was_cut_short_is_gone_on_with(void)
{
    begin();
    struct object *o = store_partial();
    struct body *p = &o->body;
    struct hole_claim c;
    uint64_t hole;
    fetch_part(p, 0, TOTAL, 100);
    EXPECT_EQ_INT(readable(p, 10), 90);
    EXPECT_EQ_INT(sight(p, 0, TOTAL, &hole), SIGHT_HOLE);
    EXPECT_EQ_INT(hole, 100);
    EXPECT_EQ_INT(sight(p, 0, 100, &hole), SIGHT_THERE);
    EXPECT(hole_claim(p, 100, 200, &c));
    EXPECT_EQ_INT(c.at, 100);
    EXPECT_EQ_INT(c.end, SIZE);
    claim_confirm(&c);
    EXPECT(!claim_at_edge(&c));
    EXPECT(!bring(&c, SIZE));
    fetch_part(p, SIZE, TOTAL, 2 * SIZE);
    EXPECT(hole_claim(p, 10 * SIZE + 50, TOTAL, &c)); /* the last part is shorter */
    EXPECT_EQ_INT(c.end, TOTAL);
    claim_confirm(&c);
    EXPECT(!bring(&c, SIZE));
    EXPECT_EQ_INT(readable(p, 0), 3 * SIZE);
    EXPECT_EQ_INT(readable(p, TOTAL - 60), 60);
    EXPECT_EQ_INT(readable(p, TOTAL), 0);
    object_release(&o);
    end();
}

/* Waiters need the failure count, to learn that the fetch failed. */
static void
failures_are_counted_where_they_happened(void)
{
    begin();
    struct object *o = store_partial();
    struct body *p = &o->body;
    struct hole_claim c;
    struct body_gap gap;
    EXPECT(hole_claim(p, SIZE, TOTAL, &c));
    EXPECT_EQ_INT(body_look(p, SIZE, TOTAL, &gap), SIGHT_CLAIMED);
    EXPECT(gap.extent == 1 && gap.failures == 0);
    claim_fail(&c);
    claim_fail(&c); /* nothing is claimed now */
    EXPECT_EQ_INT(body_look(p, SIZE + 7, TOTAL, &gap), SIGHT_HOLE);
    EXPECT(gap.extent == 1 && gap.failures == 1);
    EXPECT_EQ_INT(body_look(p, 2 * SIZE, TOTAL, &gap), SIGHT_HOLE);
    EXPECT(gap.extent == 2 && gap.failures == 0);
    EXPECT(hole_claim(p, SIZE, TOTAL, &c));
    claim_end(&c); /* this is not a failure */
    EXPECT_EQ_INT(body_look(p, SIZE, TOTAL, &gap), SIGHT_HOLE);
    EXPECT_EQ_INT(gap.failures, 1);
    EXPECT(hole_claim(p, SIZE, TOTAL, &c));
    claim_confirm(&c);
    EXPECT(bring(&c, SIZE + 10));
    claim_fail(&c); /* in the next part */
    EXPECT_EQ_INT(body_look(p, SIZE, TOTAL, &gap), SIGHT_HOLE);
    EXPECT(gap.at == 2 * SIZE + 10 && gap.extent == 2 && gap.failures == 1);
    object_release(&o);
    end();
}

static void
what_was_forsaken_is_not_filled_any_more(void)
{
    begin();
    struct object *o = store_partial();
    struct body *p = &o->body;
    struct hole_claim c, late;
    uint64_t hole;
    fetch_part(p, 0, SIZE, SIZE);
    EXPECT(hole_claim(p, 2 * SIZE, TOTAL, &c));
    claim_confirm(&c);
    body_forsake(p);
    EXPECT(!hole_claim(p, SIZE, TOTAL, &late));
    EXPECT_EQ_INT(sight(p, 0, TOTAL, &hole), SIGHT_GONE);
    EXPECT_EQ_INT(sight(p, 0, SIZE, &hole), SIGHT_THERE);
    EXPECT_EQ_INT(sight(p, 2 * SIZE, 3 * SIZE, &hole), SIGHT_COMING); /* from the old version's response */
    EXPECT(bring(&c, SIZE));
    claim_end(&c);
    object_release(&o);
    end();
}

static void
memory_is_charged_as_it_is_taken_and_freed_at_the_end(void)
{
    begin();
    struct object *o = store_partial(), *second = NULL;
    struct body *p = &o->body;
    uint64_t stored;
    char text[64], tiny[16];
    EXPECT_EQ_INT(storage_used_for(object_storage(o), USE_BODIES), 0);
    fetch_part(p, SIZE, 3 * SIZE, 2 * SIZE);
    fetch_part(p, 5 * SIZE, 6 * SIZE, SIZE);
    fetch_part(p, 7 * SIZE, 8 * SIZE, 10);
    EXPECT_EQ_INT(storage_used_for(object_storage(o), USE_BODIES), 4 * SIZE);
    body_describe(p, text, sizeof text, &stored);
    EXPECT_EQ_STR(span_str(text), "1-2,5 of 11");
    EXPECT_EQ_INT(stored, 3 * SIZE + 10);
    body_describe(p, tiny, sizeof tiny, &stored);
    EXPECT(strlen(tiny) < sizeof tiny);

    CHECK(object_new(object_storage(o), OBJECT_PRIVATE, &second) == 0);
    object_set_form(second, object_form(o));
    CHECK(object_set_head(second, RESPONSE("ETag", "\"a\""), NULL) == 0);
    object_share_body(second, o);
    EXPECT_EQ_INT(body_bytes(&second->body), TOTAL);
    store_drop(f.store, o);
    object_release(&o);
    EXPECT_EQ_INT(readable(&second->body, SIZE), 2 * SIZE); /* the other owner still has it */
    object_fail(second);
    object_release(&second);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_BODIES), 0);
    end();
}

/* Reserves all but a few bytes. Returns their number. */
static uint64_t
fill_up(struct storage *st)
{
    uint64_t bytes = 0;
    for (uint64_t n = st->limit_bytes; n >= 256; n /= 2)
        while (storage_reserve(st, USE_BODIES, n) == 0)
            bytes += n;
    return bytes;
}

static void
a_full_storage_evicts_for_a_part_and_takes_the_object_as_one(void)
{
    begin();
    struct object *o = store_partial();
    struct body *p = &o->body;
    struct storage *st = object_storage(o);
    char *at;
    size_t n;
    fetch_part(p, 0, 4 * SIZE, 4 * SIZE);
    uint64_t bytes = fill_up(st);
    struct hole_claim c;
    CHECK(hole_claim(p, 4 * SIZE, TOTAL, &c));
    EXPECT_EQ_INT(claim_space(&c, &at, &n), ERR_NOMEM); /* the object is in use, so nothing can be evicted */
    claim_end(&c);
    object_release(&o);
    EXPECT_EQ_INT(storage_reserve(st, USE_BODIES, SIZE), 0); /* evicts all of it */
    EXPECT_EQ_INT(storage_used_for(st, USE_BODIES), bytes + SIZE);
    storage_unreserve(st, USE_BODIES, bytes + SIZE);
    EXPECT_FOUND("/p", REQUEST(NULL), T0, "not a hit");
    end();
}

static void
a_table_has_a_limit(void)
{
    begin();
    params.partial_segments_max = 4;
    EXPECT(body_may_have_holes(4 * SIZE, SIZE));
    EXPECT(!body_may_have_holes(4 * SIZE + 1, SIZE));
    EXPECT(!body_may_have_holes(0, SIZE));
    EXPECT(!body_may_have_holes(UINT64_MAX, SIZE));
    params.partial_segments_max = 16384;
    end();
}

/* ---- many threads ---- */

static atomic_uint fetched[TOTAL / SIZE + 1];

static void
moved(struct hole_watch *w)
{
}

/* Each thread fetches holes at random, sometimes only a piece of one, and reads the stored parts. */
static void *
worker(void *arg)
{
    struct object *o = arg;
    struct body *p = &o->body;
    struct loop *loop = NULL;
    struct hole_watch w;
    CHECK(loop_new(1, &loop) == 0);
    hole_watch(p, &w, loop, moved);
    uint64_t random = (uint64_t)(uintptr_t)&random | 1;
    struct body_gap gap;
    for (unsigned i = 0; i < ROUNDS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t at = (random >> 33) % TOTAL;
        struct hole_claim c;
        enum body_sight seen = body_look(p, at, at + 1, &gap);
        if (seen == SIGHT_HOLE && hole_claim(p, at, TOTAL, &c)) {
            claim_confirm(&c);
            size_t n = (random >> 20) % (2 * SIZE);
            while (n-- > 0 && c.content != NULL) {
                uint64_t part = c.at / SIZE;
                bool last = c.at % SIZE == SIZE - 1 || c.at == TOTAL - 1;
                (void)bring(&c, 1);
                if (last)
                    atomic_fetch_add(&fetched[part], 1);
            }
            claim_end(&c);
        }
        (void)readable(p, at);
        loop_run_once(loop, 0);
        sched_yield();
    }
    hole_unwatch(&w);
    loop_run_once(loop, 0);
    loop_release(&loop);
    mem_thread_release();
    return NULL;
}

static void
threads_fetch_each_byte_once(void)
{
    begin();
    struct object *o = store_partial();
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, worker, o) == 0);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    struct body_gap gap;
    while (body_look(&o->body, 0, TOTAL, &gap) == SIGHT_HOLE)
        fetch_part(&o->body, gap.at, TOTAL, TOTAL);
    EXPECT_EQ_INT(readable(&o->body, 0), TOTAL);
    for (size_t i = 0; i < sizeof fetched / sizeof *fetched; i++)
        EXPECT(fetched[i] <= 1);
    object_release(&o);
    end();
}

static const struct test tests[] = {
    TEST(a_claim_goes_from_part_to_part_until_one_is_taken),
    TEST(a_part_that_was_cut_short_is_gone_on_with),
    TEST(failures_are_counted_where_they_happened),
    TEST(what_was_forsaken_is_not_filled_any_more),
    TEST(memory_is_charged_as_it_is_taken_and_freed_at_the_end),
    TEST(a_full_storage_evicts_for_a_part_and_takes_the_object_as_one),
    TEST(a_table_has_a_limit),
    TEST(threads_fetch_each_byte_once),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
