/* When the records of a loop's rounds reach readers. */
#include <time.h>

#include "base/check.h"
#include "base/clock.h"
#include "log/counters.h"
#include "log/ring.h"
#include "log/txn.h"
#include "loop/loop.h"
#include "test.h"

#define RING_BYTES (1u << 20)
#define ROUNDS 200
#define PAUSE (5 * NSEC_PER_MSEC)

static struct loop *loop;
static unsigned written;

static void
write_one(struct post *p)
{
    log_printf(&log_untied, TAG_VCL_LOG, "round %u", written++);
    if (written < ROUNDS)
        loop_post(loop, p);
}

static void
records_of_many_rounds_are_one_write(void)
{
    struct post first = { .fn = write_one };
    struct counters *c = counters_here();
    uint64_t writes = c->shm_writes, records = c->shm_records;
    nsec began = clock_mono_ns();
    written = 0;
    loop_post(loop, &first);
    while (written < ROUNDS)
        loop_run_once(loop, NSEC_NEVER);
    /* nothing happens on the loop any more: it wakes for the records alone */
    while (c->shm_records < records + ROUNDS)
        loop_run_once(loop, NSEC_NEVER);
    uint64_t pauses = (uint64_t)((clock_mono_ns() - began) / PAUSE);
    EXPECT(log_is_flushed());
    EXPECT(c->shm_writes - writes <= 1 + pauses);
    EXPECT_EQ_INT(c->shm_records - records, ROUNDS);
}

static void
the_first_record_after_a_pause_is_shown_at_once(void)
{
    struct post only = { .fn = write_one };
    uint64_t records = counters_here()->shm_records;
    nanosleep(&(struct timespec){ .tv_nsec = 2 * PAUSE }, NULL);
    written = ROUNDS - 1;
    loop_post(loop, &only);
    loop_run_once(loop, 0); /* writes it */
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(counters_here()->shm_records - records, 1);
}

static const struct test tests[] = {
    { "records_of_many_rounds_are_one_write", records_of_many_rounds_are_one_write },
    { "the_first_record_after_a_pause_is_shown_at_once", the_first_record_after_a_pause_is_shown_at_once },
};

int
main(int argc, char **argv)
{
    static uint32_t ring[RING_BYTES / sizeof(uint32_t)];
    CHECK(loop_new(0, &loop) == 0);
    ring_open(ring, sizeof ring);
    int failed = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    loop_release(&loop);
    log_thread_release();
    return failed;
}
