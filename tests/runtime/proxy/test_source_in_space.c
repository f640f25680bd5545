/* Deliveries of bodies in a space, from a storage that answers late or not at all, to a stream that takes and
 * releases bytes as the test decides. */
#include "proxy/deliver.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "body/writer.h"
#include "cache/index.h"
#include "cache/store.h"
#include "loop/loop.h"
#include "support/late_space.h"
#include "support/on_loop.h"
#include "test.h"

#define LENGTH (PLACE_BYTES_MAX + 70000u)
#define POPULAR 10u

static struct {
    struct stream stream;
    size_t room;  /* bytes that it takes now */
    bool holds;   /* it releases nothing by itself */
    bool by_file; /* the last bytes came from a file */
    bool was_reset, ended;
    char *got;
    size_t n;
} client;

static struct loop *loop;
static struct store *store;
static struct object *object;
static struct delivery delivery;
static char *content;
static int result;

/* ---- the stream ---- */

static ssize_t
take(struct stream *s, const char *bytes, size_t offered, bool last)
{
    size_t n = offered < client.room ? offered : client.room;
    if (n == 0 && offered > 0)
        return ERR_AGAIN;
    memcpy(client.got + client.n, bytes, n);
    client.n += n;
    client.room -= n;
    client.ended |= last && n == offered;
    s->taken += n;
    if (!client.holds)
        s->released = s->taken;
    return (ssize_t)n;
}

static ssize_t
send_body(struct stream *s, const struct iovec *iov, int n, bool last)
{
    CHECK(n <= 1);
    if (n > 0)
        client.by_file = false;
    return n == 0 ? take(s, "", 0, last) : take(s, iov->iov_base, iov->iov_len, last);
}

static ssize_t
send_file(struct stream *s, int fd, off_t at, size_t n, bool last)
{
    char *bytes = malloc(n);
    CHECK(pread(fd, bytes, n, at) == (ssize_t)n);
    client.by_file = true;
    ssize_t taken = take(s, bytes, n, last);
    free(bytes);
    return taken;
}

static void
reset(struct stream *s, enum stream_why why)
{
    client.was_reset = true;
    s->broken = true;
}

static const struct stream_ops ops = { .send_body = send_body, .send_file = send_file, .reset = reset };

static void
release_all(void)
{
    client.stream.released = client.stream.taken;
    if (client.stream.waiter != NULL && client.stream.waiter->on_released != NULL)
        client.stream.waiter->on_released(client.stream.waiter);
}

/* ---- object and delivery ---- */

static void
turn(void)
{
    for (int i = 0; i < 4; i++)
        loop_run_once(loop, 0);
}

static void
done(struct delivery *d, int err)
{
    result = err;
}

static void
start(void *arg)
{
    result = deliver_start(&delivery);
}

static void
write_bytes(size_t at, size_t n)
{
    while (n > 0) {
        char *p;
        size_t room;
        CHECK(object_body_space(object, n, &p, &room) == 0);
        room = room < n ? room : n;
        memcpy(p, content + at, room);
        object_body_commit(object, room);
        at += room;
        n -= room;
    }
}

/* A body of which `n` bytes have arrived. */
static void
begin(struct space *space, size_t n)
{
    struct storage *st;
    struct arena arena;
    struct http_message head;
    memset(&client, 0, sizeof client);
    memset(&delivery, 0, sizeof delivery);
    client.stream.ops = &ops;
    client.got = malloc(LENGTH);
    client.room = SIZE_MAX;
    content = malloc(LENGTH);
    for (size_t i = 0; i < LENGTH; i++)
        content[i] = (char)(i * 31 + i / 4096);
    names_init();
    arena_init(&arena, 0);
    params.sendfile_min_bytes = 1;
    CHECK(loop_new(0, &loop) == 0 && store_new(NULL, &store) == 0);
    CHECK(store_add_storage(store, SPAN_LIT("s0"), 64 << 20, &st) == 0);
    store->files.space = space;
    CHECK(object_new(st, 0, &object) == 0 && message_init(&head, &arena, 4) == 0);
    head.status = 200;
    CHECK(object_set_head(object, &head, NULL) == 0);
    CHECK(object_expect(object, LENGTH) == 0);
    CHECK(object_publish(object, LENGTH) == 0);
    atomic_store(&object->hits, POPULAR);
    write_bytes(0, n);
    if (n == LENGTH)
        object_complete(object);
    delivery.stream = &client.stream;
    delivery.loop = loop;
    delivery.done = done;
    delivery.idle_timeout = delivery.send_deadline = NSEC_NEVER;
    deliver_object(&delivery, object);
    arena_release(&arena);
}

static void
begin_late(size_t n)
{
    late_begin();
    begin(&late.space, n);
}

static void
end(void)
{
    params.sendfile_min_bytes = 0;
    object_release(&object);
    if (store->files.space == &late.space) {
        late_end();
        store->files.space = NULL;
    } else
        EXPECT_EQ_INT(store_placed_bytes(store), 0);
    store_release(&store);
    turn();
    loop_release(&loop);
    free(content);
    free(client.got);
}

static void
expect_all(size_t from, size_t n)
{
    EXPECT_EQ_INT(result, 0);
    EXPECT(client.ended && !client.was_reset);
    EXPECT_EQ_INT(client.n, n);
    EXPECT(memcmp(client.got, content + from, n) == 0);
}

static void
a_delivery_waits_for_each_place(void)
{
    begin_late(LENGTH);
    on_loop(loop, start, NULL);
    EXPECT_EQ_INT(result, DELIVERY_PENDING);
    turn();
    EXPECT_EQ_INT(late.n, 1);
    EXPECT_EQ_INT(client.n, 0);
    late_answer(0, true);
    EXPECT_EQ_INT(client.n, PLACE_BYTES_MAX);
    EXPECT_EQ_INT(result, DELIVERY_PENDING);
    late_answer(1, true);
    expect_all(0, LENGTH);
    EXPECT(!client.by_file);
    end();
}

static void
an_unreadable_place_resets_the_stream(void)
{
    begin_late(LENGTH);
    on_loop(loop, start, NULL);
    late_answer(0, true);
    late_answer(1, false);
    EXPECT_EQ_INT(result, ERR_RESET);
    EXPECT(client.was_reset && !client.ended);
    EXPECT_EQ_INT(client.n, PLACE_BYTES_MAX);
    EXPECT(memcmp(client.got, content, PLACE_BYTES_MAX) == 0);
    end();
}

static void
a_client_that_leaves_cancels_the_wait(void)
{
    begin_late(LENGTH);
    on_loop(loop, start, NULL);
    EXPECT_EQ_INT(late.n, 1);
    stream_break(&client.stream);
    EXPECT_EQ_INT(result, ERR_RESET);
    EXPECT(late.asked[0].waiter == NULL);
    end();
}

static void
a_place_stays_pinned_until_its_bytes_are_released(void)
{
    begin_late(LENGTH);
    client.holds = true;
    on_loop(loop, start, NULL);
    late_answer(0, true);
    EXPECT_EQ_INT(client.n, PLACE_BYTES_MAX);
    turn();
    EXPECT_EQ_INT(late.n, 1); /* the next place is not asked for while the stream holds the first */
    release_all();
    EXPECT_EQ_INT(late.n, 2);
    late_answer(1, true);
    EXPECT_EQ_INT(client.n, LENGTH);
    EXPECT_EQ_INT(result, DELIVERY_PENDING);
    release_all();
    expect_all(0, LENGTH);
    end();
}

static void
a_range_asks_only_for_its_places(void)
{
    begin_late(LENGTH);
    delivery.source->ops->seek(delivery.source, PLACE_BYTES_MAX + 5, PLACE_BYTES_MAX + 105);
    delivery.left = 100;
    on_loop(loop, start, NULL);
    EXPECT_EQ_INT(late.n, 1);
    late_answer(0, true);
    EXPECT_EQ_INT(late.n, 1);
    expect_all(PLACE_BYTES_MAX + 5, 100);
    end();
}

static void
a_growing_body_is_followed(void)
{
    begin(NULL, 20000);
    client.stream.takes_files = true;
    on_loop(loop, start, NULL);
    EXPECT_EQ_INT(client.n, 20000);
    EXPECT(client.by_file);
    write_bytes(20000, LENGTH - 20000 - 7);
    turn();
    EXPECT_EQ_INT(client.n, LENGTH - 7);
    write_bytes(LENGTH - 7, 7);
    object_complete(object);
    turn();
    expect_all(0, LENGTH);
    EXPECT(!client.by_file); /* the last 7 bytes are copied */
    end();
}

static void
a_body_is_copied_until_it_is_popular(void)
{
    for (unsigned hits = 0; hits <= POPULAR; hits++) {
        begin(NULL, LENGTH);
        atomic_store(&object->hits, hits);
        deliver_object(&delivery, object);
        client.stream.takes_files = true;
        on_loop(loop, start, NULL);
        expect_all(0, LENGTH);
        EXPECT_EQ_INT(client.by_file, hits >= POPULAR);
        /* pages that the kernel has sent do not wait for the next body */
        object_release(&object);
        EXPECT_EQ_INT(store_kept_bytes(store) > 0, hits < POPULAR);
        end();
    }
}

static void
a_body_that_fails_while_it_grows_resets_the_stream(void)
{
    begin(NULL, 20000);
    on_loop(loop, start, NULL);
    object_fail(object);
    turn();
    EXPECT_EQ_INT(result, ERR_RESET);
    EXPECT(client.was_reset);
    EXPECT_EQ_INT(client.n, 20000);
    end();
}

static void
a_slow_client_gets_all_bytes(void)
{
    begin(NULL, LENGTH);
    client.stream.takes_files = true;
    client.room = 0;
    on_loop(loop, start, NULL);
    for (unsigned i = 0; result == DELIVERY_PENDING && i < 1000; i++) {
        client.room = 1 + i * 997 % 33333;
        stream_turn(&client.stream, client.room);
    }
    expect_all(0, LENGTH);
    end();
}

static const struct test tests[] = {
    { "a_delivery_waits_for_each_place", a_delivery_waits_for_each_place },
    { "an_unreadable_place_resets_the_stream", an_unreadable_place_resets_the_stream },
    { "a_client_that_leaves_cancels_the_wait", a_client_that_leaves_cancels_the_wait },
    { "a_place_stays_pinned_until_its_bytes_are_released",
      a_place_stays_pinned_until_its_bytes_are_released },
    { "a_range_asks_only_for_its_places", a_range_asks_only_for_its_places },
    { "a_growing_body_is_followed", a_growing_body_is_followed },
    { "a_body_is_copied_until_it_is_popular", a_body_is_copied_until_it_is_popular },
    { "a_body_that_fails_while_it_grows_resets_the_stream",
      a_body_that_fails_while_it_grows_resets_the_stream },
    { "a_slow_client_gets_all_bytes", a_slow_client_gets_all_bytes },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
