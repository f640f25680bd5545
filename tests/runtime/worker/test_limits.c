/* Limits that the worker computes from parameters: descriptors for clients, and the delay of log records. */
#include <stdlib.h>
#include <sys/resource.h>

#include "worker/descriptors.h"
#include "daemon/log_params.h"
#include "daemon/params.h"
#include "base/check.h"
#include "log/txn.h"
#include "test.h"

#include "log/ring_reader.h"

#define RING_BYTES (1u << 20)

static void
set(const char *name, const char *value)
{
    struct text why = { 0 };
    EXPECT_EQ_INT(param_set(name, value, &why), 0);
    text_release(&why);
}

static void
clients_leave_as_many_descriptors_as_are_reserved(void)
{
    struct rlimit before;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0 && before.rlim_max >= 400);
    CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 400, 400 }) == 0);
    set("descriptors_reserved", "70");
    EXPECT_EQ_INT(descriptors_for_sessions(), 330);
    set("descriptors_reserved", "90");
    EXPECT_EQ_INT(descriptors_for_sessions(), 310);
    set("descriptors_reserved", "200");
    EXPECT_EQ_INT(descriptors_for_sessions(), 300); /* at most a fourth of all */
}

/* The number of records that readers see before this thread ends its turn. */
static unsigned
seen_of(unsigned written)
{
    char *mem = calloc(1, RING_BYTES);
    CHECK(mem != NULL);
    log_params_apply();
    ring_open(mem, RING_BYTES);
    struct reader r = reader_open(mem);
    struct log_txn t = { .id = LOG_CLIENT | 2 };
    for (unsigned i = 0; i < written; i++)
        log_text(&t, TAG_VCL_LOG, SPAN_LIT("ten bytes."));
    unsigned seen = 0;
    const uint32_t *record;
    for (enum reading what; (what = reader_next(&r, &record)) != READ_NOTHING; seen += what == READ_RECORD)
        CHECK(what != READ_LOST && what != READ_BROKEN);
    log_thread_release();
    ring_open(NULL, 0);
    free(mem);
    return seen;
}

static void
records_are_seen_when_the_buffer_is_full_or_at_once(void)
{
    EXPECT_EQ_INT(seen_of(300), 0);
    set("vsl_buffer", "2k");
    unsigned seen = seen_of(300);
    EXPECT(seen > 0 && seen < 300);
    set("vsl_buffer", "16k");
    set("debug", "+syncvsl");
    EXPECT_EQ_INT(seen_of(300), 300);
    set("debug", "-syncvsl");
}

static const struct test tests[] = {
    { "clients_leave_as_many_descriptors_as_are_reserved",
      clients_leave_as_many_descriptors_as_are_reserved },
    { "records_are_seen_when_the_buffer_is_full_or_at_once",
      records_are_seen_when_the_buffer_is_full_or_at_once },
};

int
main(int argc, char **argv)
{
    params_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
