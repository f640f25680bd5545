/* Readers of places in a storage that answers late, out of order, and with errors, like a disk. The storage
 * of this test has its bytes in memory, and completes each pin when the test decides. */
#include <stdlib.h>

#include "base/check.h"
#include "loop/fiber.h"
#include "loop/loop.h"
#include "segment/memory.h"
#include "test.h"

#define PINS_MAX 16

struct asked {
    struct pin_waiter *waiter; /* NULL: the waiter is gone */
    struct place place;
    struct pinned *into;
};

struct late {
    struct space space;
    struct space *memory;
    struct asked asked[PINS_MAX];
    unsigned n;
};

static struct late late;
static struct loop *loop;

/* ---- the storage ---- */

static int
late_reserve(struct space *s, uint64_t bytes)
{
    (void)s;
    return late.memory->ops->reserve(late.memory, bytes);
}

static void
late_unreserve(struct space *s, uint64_t bytes)
{
    (void)s;
    late.memory->ops->unreserve(late.memory, bytes);
}

static int
late_place(struct space *s, uint32_t bytes, struct place *out)
{
    (void)s;
    return late.memory->ops->place(late.memory, bytes, out);
}

static int
late_buffer(struct space *s, const struct place *p, char **at)
{
    (void)s;
    return late.memory->ops->buffer(late.memory, p, at);
}

static void
late_commit(struct space *s, const struct place *p, uint32_t bytes, uint64_t checksum)
{
    (void)s;
    late.memory->ops->commit(late.memory, p, bytes, checksum);
}

static enum pin
late_pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out)
{
    (void)s;
    CHECK(late.n < PINS_MAX);
    late.asked[late.n++] = (struct asked){ w, *p, out };
    return PIN_WAIT;
}

static void
late_unwait(struct space *s, struct pin_waiter *w)
{
    (void)s;
    for (unsigned i = 0; i < late.n; i++)
        if (late.asked[i].waiter == w)
            late.asked[i].waiter = NULL;
}

static void
late_unpin(struct space *s, struct pinned *x)
{
    (void)s;
    late.memory->ops->unpin(late.memory, x);
}

static void
late_free(struct space *s, const struct place *p)
{
    (void)s;
    late.memory->ops->free(late.memory, p);
}

static const struct space_ops late_ops = {
    .name = "late",
    .reserve = late_reserve,
    .unreserve = late_unreserve,
    .place = late_place,
    .buffer = late_buffer,
    .commit = late_commit,
    .pin = late_pin,
    .unwait = late_unwait,
    .unpin = late_unpin,
    .free = late_free,
};

/* Completes the i-th pin. */
static void
answer(unsigned i, bool well)
{
    struct asked *a = &late.asked[i];
    enum pin result = PIN_FAILED;
    if (a->waiter == NULL)
        return;
    if (well)
        result = late.memory->ops->pin(late.memory, &a->place, NULL, a->into);
    if (result == PIN_READY)
        a->into->space = &late.space;
    struct pin_waiter *w = a->waiter;
    a->waiter = NULL;
    w->fn(w, result);
}

static void
begin(void)
{
    late = (struct late){ .space.ops = &late_ops };
    CHECK(memory_space_new(0, &late.memory) == 0);
    CHECK(loop_new(0, &loop) == 0);
}

static void
end(struct places *a)
{
    places_release(a, &late.space);
    EXPECT_EQ_INT(memory_space_used(late.memory), 0);
    memory_space_release(&late.memory);
    loop_release(&loop);
}

static void
write_body(struct places *a, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct reservation r;
        struct place p;
        char *at;
        size_t bytes;
        CHECK(space_reserve(&late.space, 4, &r) == 0 && space_place(&r, 4, &p) == 0);
        CHECK(place_buffer(&late.space, &p, &at, &bytes) == 0);
        snprintf(at, bytes, "%03u", i);
        place_commit(&late.space, &p, 3, 0);
        CHECK(places_add(a, p) == 0);
    }
}

/* ---- a reader that takes one place after the other, on a fiber ---- */

struct reader {
    struct places *body;
    char text[64];
    bool failed, done;
};

static void
read_body(void *arg)
{
    struct reader *r = arg;
    for (uint32_t i = 0; i < r->body->n && !r->failed; i++) {
        struct pinned x = { 0 };
        r->failed = !place_pin_wait(&late.space, places_at(r->body, i), loop, &x);
        if (r->failed)
            break;
        struct iovec iov = pinned_iov(&x);
        snprintf(r->text + strlen(r->text), sizeof r->text - strlen(r->text), "%.*s ", (int)iov.iov_len,
                 (char *)iov.iov_base);
        place_unpin(&x);
    }
    r->done = true;
}

static void
turn(void)
{
    loop_run_once(loop, 0);
}

static void
a_reader_waits_for_each_place(void)
{
    begin();
    struct places body = { 0 };
    write_body(&body, 3);
    struct reader r = { .body = &body };
    CHECK(fiber_spawn(loop, read_body, &r) == 0);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT(!r.done);
        EXPECT_EQ_INT(late.n, i + 1);
        answer(i, true);
        turn();
    }
    EXPECT(r.done && !r.failed);
    EXPECT_EQ_STR(span_str(r.text), "000 001 002 ");
    end(&body);
}

static void
an_error_in_the_middle_ends_the_reading(void)
{
    begin();
    struct places body = { 0 };
    write_body(&body, 3);
    struct reader r = { .body = &body };
    CHECK(fiber_spawn(loop, read_body, &r) == 0);
    answer(0, true);
    turn();
    answer(1, false);
    turn();
    EXPECT(r.done && r.failed);
    EXPECT_EQ_STR(span_str(r.text), "000 ");
    EXPECT_EQ_INT(late.n, 2);
    end(&body);
}

static void
readers_are_answered_out_of_order(void)
{
    begin();
    struct places a = { 0 };
    write_body(&a, 1);
    struct reader r[3];
    for (unsigned i = 0; i < 3; i++) {
        r[i] = (struct reader){ .body = &a };
        CHECK(fiber_spawn(loop, read_body, &r[i]) == 0);
    }
    answer(2, true);
    turn();
    EXPECT(!r[0].done && !r[1].done && r[2].done);
    answer(0, false);
    answer(1, true);
    turn();
    EXPECT(r[0].failed && !r[1].failed && !r[2].failed);
    EXPECT_EQ_STR(span_str(r[1].text), "000 ");
    end(&a);
}

static void
a_place_freed_while_it_is_waited_for_fails(void)
{
    begin();
    struct places body = { 0 }, none = { 0 };
    write_body(&body, 1);
    struct reader r = { .body = &body };
    CHECK(fiber_spawn(loop, read_body, &r) == 0);
    place_free(&late.space, &body.first);
    answer(0, true);
    turn();
    EXPECT(r.done && r.failed);
    end(&none);
}

static void
never(struct pin_waiter *w, enum pin result)
{
    (void)w;
    (void)result;
    EXPECT(!"called after place_unwait");
}

static void
who_has_left_is_not_called(void)
{
    begin();
    struct places body = { 0 };
    struct pinned x = { 0 };
    struct pin_waiter w = { .loop = loop, .fn = never };
    write_body(&body, 1);
    EXPECT_EQ_INT(place_pin(&late.space, &body.first, &w, &x), PIN_WAIT);
    place_unwait(&late.space, &w);
    answer(0, true);
    EXPECT(x.space == NULL);
    end(&body);
}

static const struct test tests[] = {
    { "a_reader_waits_for_each_place", a_reader_waits_for_each_place },
    { "an_error_in_the_middle_ends_the_reading", an_error_in_the_middle_ends_the_reading },
    { "readers_are_answered_out_of_order", readers_are_answered_out_of_order },
    { "a_place_freed_while_it_is_waited_for_fails", a_place_freed_while_it_is_waited_for_fails },
    { "who_has_left_is_not_called", who_has_left_is_not_called },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
