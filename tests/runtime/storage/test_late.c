/* Readers of places in a space that answers late, out of order, and with errors. */
#include <stdlib.h>

#include "base/check.h"
#include "loop/fiber.h"
#include "loop/loop.h"
#include "support/late_space.h"
#include "test.h"

static struct loop *loop;

static void
begin(void)
{
    late_begin();
    CHECK(loop_new(0, &loop) == 0);
}

#define PLACES_MAX 16u

struct written {
    struct place at[PLACES_MAX];
    unsigned n;
};

static void
end(struct written *a)
{
    for (unsigned i = 0; i < a->n; i++)
        place_free(&late.space, &a->at[i]);
    EXPECT_EQ_INT(memory_space_used(late.memory), 0);
    late_end();
    loop_release(&loop);
}

static void
write_body(struct written *a, unsigned n)
{
    CHECK(n <= PLACES_MAX);
    for (unsigned i = 0; i < n; i++) {
        struct reservation r;
        struct place p;
        char *at;
        size_t bytes;
        CHECK(space_reserve(&late.space, 4, &r) == 0 && space_place(&r, 4, &p) == 0);
        CHECK(place_buffer(&late.space, &p, &at, &bytes) == 0);
        snprintf(at, bytes, "%03u", i);
        place_commit(&late.space, &p, 3, 0);
        a->at[a->n++] = p;
    }
}

/* ---- a reader that takes one place after the other, on a fiber ---- */

struct parked {
    struct pin_waiter waiter;
    struct fiber *fiber;
    enum pin result;
};

static void
pin_arrived(struct pin_waiter *w, enum pin result)
{
    struct parked *p = container_of(w, struct parked, waiter);
    p->result = result;
    fiber_wake(p->fiber);
}

/* True: pinned. */
static bool
pin_wait(struct space *s, const struct place *p, struct loop *on, struct pinned *out)
{
    struct parked parked = { .waiter = { .loop = on, .fn = pin_arrived }, .fiber = fiber_current() };
    CHECK(parked.fiber != NULL);
    parked.result = place_pin(s, p, &parked.waiter, out);
    while (parked.result == PIN_WAIT)
        fiber_park();
    return parked.result == PIN_READY;
}

struct reader {
    struct written *body;
    char text[64];
    bool failed, done;
};

static void
read_body(void *arg)
{
    struct reader *r = arg;
    for (uint32_t i = 0; i < r->body->n && !r->failed; i++) {
        struct pinned x = { 0 };
        r->failed = !pin_wait(&late.space, &r->body->at[i], loop, &x);
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
    struct written body = { 0 };
    write_body(&body, 3);
    struct reader r = { .body = &body };
    CHECK(fiber_spawn(loop, read_body, &r) == 0);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT(!r.done);
        EXPECT_EQ_INT(late.n, i + 1);
        late_answer(i, true);
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
    struct written body = { 0 };
    write_body(&body, 3);
    struct reader r = { .body = &body };
    CHECK(fiber_spawn(loop, read_body, &r) == 0);
    late_answer(0, true);
    turn();
    late_answer(1, false);
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
    struct written a = { 0 };
    write_body(&a, 1);
    struct reader r[3];
    for (unsigned i = 0; i < 3; i++) {
        r[i] = (struct reader){ .body = &a };
        CHECK(fiber_spawn(loop, read_body, &r[i]) == 0);
    }
    late_answer(2, true);
    turn();
    EXPECT(!r[0].done && !r[1].done && r[2].done);
    late_answer(0, false);
    late_answer(1, true);
    turn();
    EXPECT(r[0].failed && !r[1].failed && !r[2].failed);
    EXPECT_EQ_STR(span_str(r[1].text), "000 ");
    end(&a);
}

static void
a_place_freed_while_it_is_waited_for_fails(void)
{
    begin();
    struct written body = { 0 }, none = { 0 };
    write_body(&body, 1);
    struct reader r = { .body = &body };
    CHECK(fiber_spawn(loop, read_body, &r) == 0);
    place_free(&late.space, &body.at[0]);
    late_answer(0, true);
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
    struct written body = { 0 };
    struct pinned x = { 0 };
    struct pin_waiter w = { .loop = loop, .fn = never };
    write_body(&body, 1);
    EXPECT_EQ_INT(place_pin(&late.space, &body.at[0], &w, &x), PIN_WAIT);
    place_unwait(&late.space, &w);
    late_answer(0, true);
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
