/* Sessions with 100 streams each, on several loops at once. Runs under TSan, too. */
#include <pthread.h>

#include "h2_fixture.h"

#define THREADS 3u
#define STREAMS 100u

/* A thread keeps chunks of arenas and the buffer of its log for its next request, for as long as it lives. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
    return "leak:chunk_new\nleak:batch_begin\nleak:make_room";
}

static void *
run_session(void *arg)
{
    const unsigned *number = arg;
    peer_begin(*number);
    say_hello();
    put_number(H2_WINDOW_UPDATE, 0, 1 << 22);
    for (uint32_t i = 0; i < STREAMS; i++)
        put_request(2 * i + 1, i % 3 == 0 ? "/l500" : "/n5000");
    put_number(H2_RST_STREAM, 1, H2_CANCEL);
    talk();
    on_loop(peer.loop, served_go, NULL);
    peer_read();
    EXPECT_EQ_INT(got(1).heads, 0);
    for (uint32_t i = 1; i < STREAMS; i++)
        EXPECT_WHOLE(2 * i + 1, i % 3 == 0 ? 500 : 5000);
    end();
    return NULL;
}

static void
sessions_of_several_loops_share_nothing(void)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    params = defaults;
    params.features |= FEATURE_HTTP2;
    names_init();
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, run_session, &numbers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static const struct test tests[] = {
    TEST(sessions_of_several_loops_share_nothing),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
