/* The space of tests in memory: budgets, the order of calls, pins that outlive their place, reused numbers.
 */
#include "support/memory_space.h"

#include <stdlib.h>

#include "base/check.h"
#include "test.h"

static struct space *space;

static struct place
placed(const char *text)
{
    struct reservation r;
    struct place p;
    char *at;
    size_t n;
    uint32_t len = (uint32_t)strlen(text);
    CHECK(space_reserve(space, len + 10, &r) == 0 && space_place(&r, len + 5, &p) == 0);
    CHECK(place_buffer(space, &p, &at, &n) == 0 && n == len + 5);
    memcpy(at, text, len);
    place_commit(space, &p, len, 0);
    space_unreserve(&r);
    return p;
}

static void
what_is_reserved_placed_and_given_back_is_counted(void)
{
    struct reservation r, s;
    struct place p, q;
    CHECK(memory_space_new(100, &space) == 0);
    EXPECT_EQ_INT(space_reserve(space, 60, &r), 0);
    EXPECT_EQ_INT(space_reserve(space, 41, &s), ERR_NOMEM);
    EXPECT_EQ_INT(space_place(&s, 1, &q), ERR_LIMIT); /* without a reservation */
    EXPECT_EQ_INT(space_place(&r, 50, &p), 0);
    EXPECT_EQ_INT(space_place(&r, 11, &q), ERR_LIMIT);
    EXPECT_EQ_INT(memory_space_used(space), 60);
    space_unreserve(&r);
    EXPECT_EQ_INT(memory_space_used(space), 50);
    place_commit(space, &p, 20, 7);
    EXPECT_EQ_INT(p.bytes, 20);
    EXPECT_EQ_INT(memory_space_used(space), 20);
    place_free(space, &p);
    EXPECT_EQ_INT(memory_space_used(space), 0);
    memory_space_release(&space);
}

static void
bytes_are_read_through_a_pin(void)
{
    struct pinned x = { 0 };
    struct pin_waiter w = { 0 };
    CHECK(memory_space_new(0, &space) == 0);
    struct place p = placed("hello");
    EXPECT_EQ_INT(place_pin(space, &p, &w, &x), PIN_READY);
    struct iovec iov = pinned_iov(&x);
    EXPECT_EQ_STR(span_of(iov.iov_base, iov.iov_len), "hello");
    int fd;
    off_t at;
    EXPECT(!pinned_file(&x, &fd, &at));
    place_unpin(&x);
    place_free(space, &p);
    memory_space_release(&space);
}

static void
a_pin_keeps_the_bytes_of_a_freed_place(void)
{
    struct pinned x = { 0 }, y = { 0 };
    struct pin_waiter w = { 0 };
    CHECK(memory_space_new(0, &space) == 0);
    struct place p = placed("hello");
    CHECK(place_pin(space, &p, &w, &x) == PIN_READY);
    place_free(space, &p);
    EXPECT_EQ_INT(place_pin(space, &p, &w, &y), PIN_FAILED);
    EXPECT_EQ_STR(span_of(pinned_iov(&x).iov_base, 5), "hello");
    EXPECT_EQ_INT(memory_space_used(space), 5);
    place_unpin(&x);
    EXPECT_EQ_INT(memory_space_used(space), 0);
    memory_space_release(&space);
}

static void
a_number_used_again_is_not_the_old_place(void)
{
    struct pinned x = { 0 };
    struct pin_waiter w = { 0 };
    CHECK(memory_space_new(0, &space) == 0);
    struct place old = placed("old");
    place_free(space, &old);
    struct place young = placed("new");
    EXPECT_EQ_INT(young.segment, old.segment);
    EXPECT_EQ_INT(place_pin(space, &old, &w, &x), PIN_FAILED);
    EXPECT_EQ_INT(place_pin(space, &young, &w, &x), PIN_READY);
    place_unpin(&x);
    place_free(space, &young);
    memory_space_release(&space);
}

static void
bytes_do_not_move_when_a_pinned_place_is_committed(void)
{
    struct reservation r;
    struct pinned x = { 0 };
    struct place p;
    char *at;
    size_t n;
    CHECK(memory_space_new(0, &space) == 0);
    CHECK(space_reserve(space, 1 << 20, &r) == 0 && space_place(&r, 1 << 20, &p) == 0);
    CHECK(place_buffer(space, &p, &at, &n) == 0);
    memcpy(at, "hello", 5);
    EXPECT_EQ_INT(place_pin(space, &p, NULL, &x), PIN_READY);
    place_commit(space, &p, 5, 0);
    EXPECT_EQ_STR(span_of(pinned_iov(&x).iov_base, 5), "hello");
    EXPECT_EQ_INT(memory_space_used(space), 5);
    place_unpin(&x);
    place_free(space, &p);
    memory_space_release(&space);
}

static const struct test tests[] = {
    { "what_is_reserved_placed_and_given_back_is_counted",
      what_is_reserved_placed_and_given_back_is_counted },
    { "bytes_are_read_through_a_pin", bytes_are_read_through_a_pin },
    { "a_pin_keeps_the_bytes_of_a_freed_place", a_pin_keeps_the_bytes_of_a_freed_place },
    { "a_number_used_again_is_not_the_old_place", a_number_used_again_is_not_the_old_place },
    { "bytes_do_not_move_when_a_pinned_place_is_committed",
      bytes_do_not_move_when_a_pinned_place_is_committed },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
