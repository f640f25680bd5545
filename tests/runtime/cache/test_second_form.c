/* Second forms of one object under several threads. In each round all threads ask for the form of a new
 * object at once. One thread makes the form, and stores it or gives up. All read the stored form, and the
 * last reference frees it, while other threads purge the object. Meant for TSan; ASan runs it too. */
#include <pthread.h>

#include "store_fixture.h"

#include "base/mem.h"
#include "cache/second_form.h"
#include "filter/form.h"

#define THREADS 4u
#define ROUNDS 300u
#define ASKS 40u /* of a thread in a round; over AFTER, to make a form again after a failure */
#define AFTER 3u
#define FORM_BYTES 3000u

struct round {
    struct object *object;
    struct cache_key *key;
    atomic_uint makers; /* active makers; at most one */
    atomic_uint kept;
};

static struct round now;
static pthread_barrier_t barrier;

/* ---- one object ---- */

static struct object *
store_codable(const char *name, bool codable)
{
    struct lookup l;
    EXPECT_EQ_INT(look(&l, name, REQUEST(), T0), LOOKUP_MISS);
    object_set_form(l.busy, (struct body_form){ .codable = codable });
    object_ref(l.busy);
    struct object *o = l.busy;
    EXPECT_EQ_INT(fetch_all(f.store, l.busy, RESPONSE("Content-Type", "text/plain"), REQUEST(), T0, HOUR,
                            NULL, "plain", 5),
                  0);
    return o;
}

/* ptr NULL: there is none. */
static struct span
form_text(const struct object *o, enum coding c)
{
    struct body_reader r;
    struct iovec iov;
    enum body_next next;
    const struct body *b = object_second_form(o, c);
    if (b == NULL)
        return SPAN_NULL;
    body_open(&r, b);
    CHECK(body_gather(&r, &iov, 1, SIZE_MAX, &next) == 1 && iov.iov_len == body_bytes(b));
    return span_of(iov.iov_base, iov.iov_len);
}

static struct span
form_bytes(char *to, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (char)('a' + (i + seed) % 23);
    return span_of(to, n);
}

static void
a_form_is_due_once_for_so_many_deliveries(void)
{
    begin();
    struct object *o = store_codable("a", true);
    EXPECT(object_second_form(o, CODING_BR) == NULL);
    EXPECT(!object_second_form_due(o, CODING_BR, 0)); /* nothing is stored */
    EXPECT(!object_second_form_due(o, CODING_BR, 2));
    EXPECT(object_second_form_due(o, CODING_BR, 2));
    EXPECT(!object_second_form_due(o, CODING_BR, 2)); /* another thread makes it */
    object_give_up_second_form(o, CODING_BR, false);
    EXPECT(!object_second_form_due(o, CODING_BR, 2)); /* the count began anew */
    EXPECT(object_second_form_due(o, CODING_BR, 2));
    EXPECT_EQ_INT(object_keep_second_form(o, CODING_BR, SPAN_LIT("packed")), 0);
    EXPECT_EQ_STR(form_text(o, CODING_BR), "packed");
    EXPECT(!object_second_form_due(o, CODING_BR, 1));
    EXPECT(object_second_form(o, CODING_ZSTD) == NULL); /* each coding has its own */
    EXPECT(object_second_form_due(o, CODING_ZSTD, 1));
    object_give_up_second_form(o, CODING_ZSTD, true);
    EXPECT(!object_second_form_due(o, CODING_ZSTD, 1)); /* it is too long, so nobody tries again */
    object_release(&o);
    end();
}

static void
only_codable_objects_have_forms(void)
{
    begin();
    struct object *o = store_codable("a", false);
    EXPECT(!object_second_form_due(o, CODING_BR, 1));
    EXPECT(object_second_form(o, CODING_BR) == NULL);
    object_release(&o);
    end();
}

static void
a_form_without_room_is_given_up(void)
{
    begin();
    size_t n = 2 << 20; /* the storage has 1 MB */
    char *bytes = calloc(1, n);
    struct object *o = store_codable("a", true);
    uint64_t before = storage_used_for(f.main, USE_BODIES);
    EXPECT(object_second_form_due(o, CODING_BR, 1));
    EXPECT_EQ_INT(object_keep_second_form(o, CODING_BR, span_of(bytes, n)), ERR_NOMEM);
    EXPECT(object_second_form(o, CODING_BR) == NULL);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_BODIES), before);
    EXPECT(object_second_form_due(o, CODING_BR, 1)); /* the next attempt may find room */
    EXPECT_EQ_INT(object_keep_second_form(o, CODING_BR, SPAN_LIT("packed")), 0);
    object_release(&o);
    free(bytes);
    end();
}

/* ---- threads ---- */

static void
make_form(struct object *o, enum coding c, unsigned turn)
{
    char bytes[FORM_BYTES];
    EXPECT_EQ_INT(atomic_fetch_add(&now.makers, 1), 0);
    struct span made = form_bytes(bytes, sizeof bytes, c);
    atomic_fetch_sub(&now.makers, 1);
    if (turn % 3 == 0)
        object_give_up_second_form(o, c, false);
    else if (object_keep_second_form(o, c, made) == 0)
        atomic_fetch_add(&now.kept, 1);
}

static void
ask(struct object *o, enum coding c, unsigned turn)
{
    char want[FORM_BYTES];
    struct span form = form_text(o, c);
    if (form.ptr != NULL)
        EXPECT(span_eq(form, form_bytes(want, sizeof want, c)));
    else if (object_second_form_due(o, c, AFTER))
        make_form(o, c, turn);
}

/* All threads begin a round with their own reference, and release it in no order. */
static void *
run_thread(void *arg)
{
    unsigned me = (unsigned)(uintptr_t)arg;
    for (unsigned r = 0; r < ROUNDS; r++) {
        pthread_barrier_wait(&barrier); /* the object exists */
        struct object *o = now.object;
        enum coding c = r % 2 == 0 ? CODING_BR : CODING_ZSTD;
        for (unsigned i = 0; i < ASKS; i++) {
            ask(o, c, r + i);
            if (me == 0 && i == r % ASKS)
                (void)purge_key(f.store, now.key);
        }
        object_release(&o);
        pthread_barrier_wait(&barrier); /* all threads are done */
    }
    mem_thread_release();
    return NULL;
}

static void
next_round(void)
{
    now.object = store_codable("shared", true);
    atomic_store(&now.kept, 0);
    for (unsigned i = 1; i < THREADS; i++)
        object_ref(now.object);
}

static void
one_thread_makes_a_form_and_all_read_it(void)
{
    pthread_t threads[THREADS];
    unsigned kept = 0;
    begin();
    now.key = key(&f.arena, "shared");
    CHECK(pthread_barrier_init(&barrier, NULL, THREADS + 1) == 0);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, run_thread, (void *)(uintptr_t)i) == 0);
    for (unsigned r = 0; r < ROUNDS; r++) {
        next_round();
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        EXPECT(atomic_load(&now.kept) <= 1);
        kept += atomic_load(&now.kept);
    }
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    pthread_barrier_destroy(&barrier);
    EXPECT(kept > ROUNDS / 2);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_BODIES), 0);
    end();
}

static const struct test tests[] = {
    TEST(a_form_is_due_once_for_so_many_deliveries),
    TEST(only_codable_objects_have_forms),
    TEST(a_form_without_room_is_given_up),
    TEST(one_thread_makes_a_form_and_all_read_it),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
