/* Records in the ring: their text, cut at the limit, in batches of one transaction. Each test runs in both
 * forms of the log. */
#include "log/txn.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/check.h"
#include "log/counters.h"
#include "test.h"

#include "log/ring_reader.h"

#define RING_BYTES (1u << 20)
#define MS NSEC_PER_MSEC

static struct reader reader;
static bool later; /* form of the log */

static void
open_ring(void)
{
    static char *mem;
    log_flush(); /* of earlier tests */
    free(mem);
    mem = calloc(1, RING_BYTES);
    CHECK(mem != NULL);
    log_set_limits(255, 16384, false);
    if (later)
        ring_open_later(mem, RING_BYTES);
    else
        ring_open(mem, RING_BYTES);
    reader = reader_open(mem);
}

static const char *
next(enum log_tag tag, uint32_t id)
{
    static const char none[] = "(no record)";
    const uint32_t *r = NULL;
    enum reading what = reader_next(&reader, &r);
    while (what == READ_BATCH)
        what = reader_next(&reader, &r);
    if (what != READ_RECORD)
        return none;
    const char *text = (const char *)(r + reader.head_words);
    EXPECT_EQ_INT(log_form_tag(later, r[0]), tag);
    EXPECT_EQ_INT(r[1] | (later ? r[2] : 0), id);
    EXPECT_EQ_INT(strlen(text) + 1, r[0] & 0xffff);
    return text;
}

static void
a_transaction_reads_as_it_was_written(void)
{
    struct log_txn t;
    open_ring();
    log_begin(&t, LOG_CLIENT, 0x140000007, "req", 6, "rxreq"); /* ids wrap at 30 bits */
    log_link(&t, "bereq", 8, "fetch");
    log_text(&t, TAG_REQ + LOG_URL, SPAN_LIT("/index"));
    log_field(&t, TAG_REQ + LOG_HEADER, SPAN_LIT("Host"), SPAN_LIT("a"));
    log_number(&t, TAG_LENGTH, UINT64_MAX);
    log_numbers(&t, TAG_REQ_ACCT, (uint64_t[]){ 1, 0, 1, 22, 333, 355 }, 6);
    log_times(&t, TAG_HIT, 4, (nsec[]){ 119999 * MS, -1, 86400 * NSEC_PER_SEC, 0 }, 4);
    log_words(&t, TAG_STORAGE, (struct span[]){ SPAN_LIT("malloc"), SPAN_LIT("s0"), SPAN_LIT("") }, 3);
    log_printf(&t, TAG_VCL_LOG, "%s: %d", "x", -1);
    log_end(&t);
    log_text(&t, TAG_VCL_LOG, SPAN_LIT("after the end"));
    log_flush();
    uint32_t id = LOG_CLIENT | 7;
    EXPECT_EQ_STR(span_str(next(TAG_BEGIN, id)), "req 6 rxreq");
    EXPECT_EQ_STR(span_str(next(TAG_LINK, id)), "bereq 8 fetch");
    EXPECT_EQ_STR(span_str(next(TAG_REQ + LOG_URL, id)), "/index");
    EXPECT_EQ_STR(span_str(next(TAG_REQ + LOG_HEADER, id)), "Host: a");
    EXPECT_EQ_STR(span_str(next(TAG_LENGTH, id)), "18446744073709551615");
    EXPECT_EQ_STR(span_str(next(TAG_REQ_ACCT, id)), "1 0 1 22 333 355");
    EXPECT_EQ_STR(span_str(next(TAG_HIT, id)), "4 119.999000 -0.000000 86400.000000 0.000000");
    EXPECT_EQ_STR(span_str(next(TAG_STORAGE, id)), "malloc s0 ");
    EXPECT_EQ_STR(span_str(next(TAG_VCL_LOG, id)), "x: -1");
    EXPECT_EQ_STR(span_str(next(TAG_END, id)), "");
    EXPECT_EQ_STR(span_str(next(TAG_END, id)), "(no record)");
}

static void
timestamps_count_from_the_first_and_the_last(void)
{
    struct log_txn t;
    open_ring();
    log_begin(&t, LOG_CLIENT, 1, "req", 0, "rxreq");
    log_timestamp(&t, "Start", 1700000000 * NSEC_PER_SEC + 5 * MS);
    log_timestamp(&t, "Process", 1700000001 * NSEC_PER_SEC + 5 * MS + 999);
    log_timestamp(&t, "Resp", 1700000001 * NSEC_PER_SEC + 6 * MS);
    log_timestamp(&t, "Back", 1699999999 * NSEC_PER_SEC); /* the clock was set back */
    log_flush();
    next(TAG_BEGIN, LOG_CLIENT | 1);
    EXPECT_EQ_STR(span_str(next(TAG_TIMESTAMP, LOG_CLIENT | 1)),
                  "Start: 1700000000.005000 0.000000 0.000000");
    EXPECT_EQ_STR(span_str(next(TAG_TIMESTAMP, LOG_CLIENT | 1)),
                  "Process: 1700000001.005000 1.000000 1.000000");
    EXPECT_EQ_STR(span_str(next(TAG_TIMESTAMP, LOG_CLIENT | 1)), "Resp: 1700000001.006000 1.001000 0.000999");
    EXPECT_EQ_STR(span_str(next(TAG_TIMESTAMP, LOG_CLIENT | 1)),
                  "Back: 1699999999.000000 -1.005000 -2.006000");
}

static void
a_record_is_cut_at_the_limit(void)
{
    struct log_txn t;
    open_ring();
    log_set_limits(16, 16384, false);
    log_begin(&t, LOG_BACKEND, 2, "bereq", 1, "a reason that is long");
    log_text(&t, TAG_VCL_LOG, SPAN_LIT("0123456789abcde"));
    log_text(&t, TAG_VCL_LOG, SPAN_LIT("0123456789abcdef"));
    log_field(&t, TAG_REQ + LOG_HEADER, SPAN_LIT("Name"), SPAN_LIT("0123456789"));
    log_field(&t, TAG_REQ + LOG_HEADER, SPAN_LIT("A-very-long-name"), SPAN_LIT("x"));
    log_words(&t, TAG_STORAGE, (struct span[]){ SPAN_LIT("0123456789"), SPAN_LIT("abcdef") }, 2);
    log_words(&t, TAG_STORAGE, (struct span[]){ SPAN_LIT("0123456789abcde"), SPAN_LIT("x"), SPAN_LIT("y") },
              3);
    log_flush();
    uint32_t id = LOG_BACKEND | 2;
    EXPECT_EQ_STR(span_str(next(TAG_BEGIN, id)), "bereq 1 a reaso");
    EXPECT_EQ_STR(span_str(next(TAG_VCL_LOG, id)), "0123456789abcde");
    EXPECT_EQ_STR(span_str(next(TAG_VCL_LOG, id)), "0123456789abcde");
    EXPECT_EQ_STR(span_str(next(TAG_REQ + LOG_HEADER, id)), "Name: 012345678");
    EXPECT_EQ_STR(span_str(next(TAG_REQ + LOG_HEADER, id)), "A-very-long-n: ");
    EXPECT_EQ_STR(span_str(next(TAG_STORAGE, id)), "0123456789 abcd");
    EXPECT_EQ_STR(span_str(next(TAG_STORAGE, id)), "0123456789abcde");
}

/* Without a NUL, and cut where a text is. */
static void
binary_records_hold_the_bytes_alone(void)
{
    struct log_txn t;
    const uint32_t *r = NULL;
    char bytes[300];
    uint64_t mask = atomic_load(&log_mask[1]);
    open_ring();
    atomic_store(&log_mask[1], UINT64_MAX);
    memset(bytes, 0xee, sizeof bytes);
    log_begin(&t, LOG_CLIENT, 3, "sess", 0, "HTTP/1");
    log_binary(&t, TAG_H2_TX_HDR, span_of("\0\0\0\4\1\0\0\0\7", 9));
    log_binary(&t, TAG_H2_TX_BODY, span_of(bytes, 8));
    log_binary(&t, TAG_H2_TX_BODY, SPAN_NULL);
    log_binary(&t, TAG_H2_TX_BODY, span_of(bytes, sizeof bytes));
    log_end(&t);
    log_flush();
    EXPECT_EQ_STR(span_str(next(TAG_BEGIN, LOG_CLIENT | 3)), "sess 0 HTTP/1");
    static const struct {
        enum log_tag tag;
        uint32_t bytes;
    } records[] = { { TAG_H2_TX_HDR, 9 }, { TAG_H2_TX_BODY, 8 }, { TAG_H2_TX_BODY, 255 } };
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        EXPECT_EQ_INT(reader_next(&reader, &r), READ_RECORD);
        EXPECT_EQ_INT(log_form_tag(later, r[0]), records[i].tag);
        EXPECT_EQ_INT(r[0] & 0xffff, records[i].bytes);
        const char *at = (const char *)(r + reader.head_words);
        EXPECT_EQ_INT(at[records[i].bytes - 1], i == 0 ? 7 : (char)0xee);
    }
    EXPECT_EQ_STR(span_str(next(TAG_END, LOG_CLIENT | 3)), "");
    atomic_store(&log_mask[1], mask);
}

static void
expect_batch(unsigned records, unsigned text_words)
{
    const uint32_t nothing[2] = { 0 }, *r = nothing;
    EXPECT_EQ_INT(reader_next(&reader, &r), READ_BATCH);
    EXPECT_EQ_INT(r[0], RING_TAG_BATCH << 24);
    EXPECT_EQ_INT(r[1], 4 * (records * reader.head_words + text_words));
}

/* Readers take a batch as one unit of one transaction. Records without a transaction stand alone. */
static void
neighbours_of_one_transaction_are_a_batch(void)
{
    struct log_txn a, b;
    open_ring();
    log_begin(&a, LOG_CLIENT, 1, "req", 0, "rxreq");
    log_text(&a, TAG_REQ + LOG_URL, SPAN_LIT("/"));
    log_begin(&b, LOG_BACKEND, 2, "bereq", 1, "fetch");
    log_text(&log_untied, TAG_CLI, SPAN_LIT("Rd ping"));
    log_flush();
    expect_batch(2, 3 + 1); /* "req 0 rxreq", "/" */
    next(TAG_BEGIN, LOG_CLIENT | 1);
    next(TAG_REQ + LOG_URL, LOG_CLIENT | 1);
    expect_batch(1, 4); /* "bereq 1 fetch" */
    next(TAG_BEGIN, LOG_BACKEND | 2);
    const uint32_t nothing[2] = { 0 }, *r = nothing;
    EXPECT_EQ_INT(reader_next(&reader, &r), READ_RECORD);
    EXPECT_EQ_INT(r[1], 0);
}

/* Two transactions with mixed records lie one after the other, in the order of their ends. The session stays
 * around them. */
static void
turns_of_a_transaction_are_joined(void)
{
    struct log_txn session, a, b;
    open_ring();
    log_begin(&session, LOG_CLIENT, 9, "sess", 0, "HTTP/1");
    log_begin(&a, LOG_CLIENT, 1, "req", 0, "rxreq");
    log_begin(&b, LOG_BACKEND, 2, "bereq", 1, "fetch");
    log_text(&a, TAG_VCL_LOG, SPAN_LIT("a"));
    log_text(&log_untied, TAG_CLI, SPAN_LIT("Rd ping"));
    log_end(&b);
    log_end(&a);
    log_end(&session);
    log_flush();
    next(TAG_BEGIN, LOG_CLIENT | 9);
    next(TAG_CLI, 0);
    expect_batch(2, 4 + 1);
    next(TAG_BEGIN, LOG_BACKEND | 2);
    next(TAG_END, LOG_BACKEND | 2);
    expect_batch(3, 3 + 1 + 1);
    next(TAG_BEGIN, LOG_CLIENT | 1);
    next(TAG_VCL_LOG, LOG_CLIENT | 1);
    next(TAG_END, LOG_CLIENT | 1);
    expect_batch(1, 1);
    next(TAG_END, LOG_CLIENT | 9);
}

/* More turns than a buffer can track: it is flushed earlier, and no record is lost. */
static void
many_turns_are_handed_over_in_parts(void)
{
    enum { TRANSACTIONS = 90, TURNS = 4 };
    struct log_txn t[TRANSACTIONS];
    unsigned records[TRANSACTIONS] = { 0 };
    open_ring();
    log_set_limits(255, 65536, false);
    for (unsigned i = 0; i < TRANSACTIONS; i++)
        log_begin(&t[i], LOG_CLIENT, i, "req", 0, "rxreq");
    for (unsigned n = 1; n < TURNS; n++)
        for (unsigned i = 0; i < TRANSACTIONS; i++)
            log_number(&t[i], TAG_LENGTH, n);
    log_flush();
    const uint32_t *r = NULL;
    for (enum reading what; (what = reader_next(&reader, &r)) == READ_RECORD || what == READ_BATCH;) {
        if (what == READ_BATCH)
            continue;
        unsigned *seen = &records[r[1] & LOG_ID_BITS];
        EXPECT_EQ_INT(log_form_tag(later, r[0]), *seen == 0 ? TAG_BEGIN : TAG_LENGTH);
        if (*seen > 0)
            EXPECT_EQ_INT(*(const char *)(r + reader.head_words) - '0', *seen);
        ++*seen;
    }
    for (unsigned i = 0; i < TRANSACTIONS; i++)
        EXPECT_EQ_INT(records[i], TURNS);
    log_thread_release(); /* frees the large buffer */
}

static void
records_wait_for_a_flush_unless_told_otherwise(void)
{
    struct log_txn t;
    open_ring();
    log_begin(&t, LOG_CLIENT, 1, "req", 0, "rxreq");
    EXPECT_EQ_STR(span_str(next(TAG_BEGIN, LOG_CLIENT | 1)), "(no record)");
    log_flush();
    EXPECT_EQ_STR(span_str(next(TAG_BEGIN, LOG_CLIENT | 1)), "req 0 rxreq");
    log_set_limits(255, 16384, true);
    log_text(&t, TAG_VCL_LOG, SPAN_LIT("now"));
    EXPECT_EQ_STR(span_str(next(TAG_VCL_LOG, LOG_CLIENT | 1)), "now");
}

static void
a_full_buffer_is_flushed_and_counted(void)
{
    struct log_txn t;
    char text[200];
    memset(text, 'x', sizeof text);
    open_ring();
    log_set_limits(255, 1024, false);
    log_flush();
    struct counters before = *counters_here();
    log_begin(&t, LOG_CLIENT, 1, "req", 0, "rxreq");
    for (int i = 0; i < 100; i++)
        log_text(&t, TAG_VCL_LOG, span_of(text, sizeof text));
    log_flush();
    const struct counters *c = counters_here();
    EXPECT_EQ_INT(c->shm_records - before.shm_records, 101);
    EXPECT(c->shm_flushes - before.shm_flushes >= 5); /* the current buffer is filled first */
    EXPECT_EQ_INT(c->shm_writes - before.shm_writes, c->shm_flushes - before.shm_flushes + 1);
    next(TAG_BEGIN, LOG_CLIENT | 1);
    for (int i = 0; i < 100; i++)
        EXPECT_EQ_INT(strlen(next(TAG_VCL_LOG, LOG_CLIENT | 1)), sizeof text);
}

static void
what_the_mask_leaves_out_is_not_written(void)
{
    struct log_txn t;
    uint64_t mask = atomic_load(&log_mask[TAG_VCL_LOG >> 6]);
    open_ring();
    log_begin(&t, LOG_CLIENT, 1, "req", 0, "rxreq");
    atomic_store(&log_mask[TAG_VCL_LOG >> 6], mask & ~(UINT64_C(1) << (TAG_VCL_LOG & 63)));
    EXPECT(!log_wants(TAG_VCL_LOG) && !log_wants(TAG_DEBUG));
    log_text(&t, TAG_VCL_LOG, SPAN_LIT("not wanted"));
    atomic_store(&log_mask[TAG_VCL_LOG >> 6], mask);
    log_text(NULL, TAG_VCL_LOG, SPAN_LIT("of nobody"));
    log_flush();
    next(TAG_BEGIN, LOG_CLIENT | 1);
    EXPECT_EQ_STR(span_str(next(TAG_VCL_LOG, 0)), "(no record)");
}

#define COPY_WORDS 64u

static void
write_fields(struct log_txn *t)
{
    log_text(t, TAG_RESP + LOG_PROTOCOL, SPAN_LIT("HTTP/1.1"));
    log_number(t, TAG_RESP + LOG_STATUS, 200);
    log_field(t, TAG_RESP + LOG_HEADER, SPAN_LIT("X-Name"), SPAN_LIT("a value of 23 characters"));
}

static bool
copy_fields(struct log_txn *t, struct log_copy *out)
{
    struct log_mark from = log_mark(t);
    write_fields(t);
    uint32_t n = log_words_since(t, from);
    CHECK(n <= COPY_WORDS);
    if (n > 0)
        log_copy_since(from, n, out);
    return n > 0;
}

static void
expect_fields(uint32_t id)
{
    EXPECT_EQ_STR(span_str(next(TAG_RESP + LOG_PROTOCOL, id)), "HTTP/1.1");
    EXPECT_EQ_STR(span_str(next(TAG_RESP + LOG_STATUS, id)), "200");
    EXPECT_EQ_STR(span_str(next(TAG_RESP + LOG_HEADER, id)), "X-Name: a value of 23 characters");
}

static void
copied_records_get_the_id_of_their_new_transaction(void)
{
    struct log_txn t, u;
    uint32_t words[COPY_WORDS];
    struct log_copy c = { .words = words };
    open_ring();
    log_begin(&t, LOG_CLIENT, 1, "req", 0, "rxreq");
    EXPECT(copy_fields(&t, &c));
    EXPECT_EQ_INT(c.n_records, 3);
    log_begin(&u, LOG_CLIENT, 2, "req", 0, "rxreq");
    EXPECT(!log_write_copy(&t, &c)); /* the batch of u is open */
    EXPECT(log_write_copy(&u, &c));
    log_flush();
    next(TAG_BEGIN, LOG_CLIENT | 1);
    expect_fields(LOG_CLIENT | 1);
    next(TAG_BEGIN, LOG_CLIENT | 2);
    expect_fields(LOG_CLIENT | 2);
    EXPECT_EQ_STR(span_str(next(TAG_END, 0)), "(no record)");
}

static void
set_limit(uint32_t record_bytes)
{
    log_set_limits(record_bytes, 16384, false);
}

static void
copies_need_unchanged_settings(void)
{
    struct log_txn t;
    uint32_t words[COPY_WORDS];
    struct log_copy c = { .words = words };
    open_ring();
    log_begin(&t, LOG_CLIENT, 1, "req", 0, "rxreq");
    struct log_mark from = log_mark(&t);
    write_fields(&t);
    set_limit(20); /* the last record is longer */
    EXPECT_EQ_INT(log_words_since(&t, from), 0);
    EXPECT(copy_fields(&t, &c));
    EXPECT(log_write_copy(&t, &c));
    set_limit(255);
    EXPECT(!log_write_copy(&t, &c));
    uint64_t mask = atomic_load(&log_mask[0]);
    from = log_mark(&t);
    write_fields(&t);
    atomic_store(&log_mask[0], mask ^ 2);
    EXPECT_EQ_INT(log_words_since(&t, from), 0);
    EXPECT(copy_fields(&t, &c));
    atomic_store(&log_mask[0], mask);
    EXPECT(!log_write_copy(&t, &c));
}

static void
write_pairs(uint32_t n, const struct log_pair *p)
{
    struct log_txn t;
    log_begin(&t, LOG_CLIENT, n, "req", 0, "rxreq");
    for (uint32_t i = 0; i < n; i++)
        log_pair_write(&t, p);
    log_end(&t);
    log_flush();
}

static void
expect_pairs(uint32_t n, const char *second)
{
    uint32_t id = LOG_CLIENT | n;
    next(TAG_BEGIN, id);
    for (uint32_t i = 0; i < n; i++) {
        EXPECT_EQ_STR(span_str(next(TAG_VCL_CALL, id)), "BACKEND_RESPONSE");
        if (second != NULL)
            EXPECT_EQ_STR(span_str(next(TAG_VCL_RETURN, id)), second);
    }
    EXPECT_EQ_STR(span_str(next(TAG_END, id)), "");
    EXPECT_EQ_STR(span_str(next(TAG_END, id)), "(no record)");
}

static void
pairs_read_as_two_records(void)
{
    struct log_pair p;
    open_ring();
    log_pair_make(&p, TAG_VCL_CALL, SPAN_LIT("BACKEND_RESPONSE"), TAG_VCL_RETURN, SPAN_LIT("abandon"));
    uint64_t before = counters_here()->shm_records;
    write_pairs(3, &p);
    EXPECT_EQ_INT(counters_here()->shm_records - before, 8);
    expect_pairs(3, "abandon");
    log_set_limits(255, 512, false); /* the buffer is full many times */
    write_pairs(100, &p);
    expect_pairs(100, "abandon");
    uint64_t mask = atomic_load(&log_mask[TAG_VCL_RETURN / 64]);
    atomic_store(&log_mask[TAG_VCL_RETURN / 64], mask & ~(UINT64_C(1) << TAG_VCL_RETURN % 64));
    write_pairs(2, &p);
    expect_pairs(2, NULL); /* its records are left out */
    atomic_store(&log_mask[TAG_VCL_RETURN / 64], mask);
}

static atomic_bool changed_enough;

static void *
write_until_changed(void *arg)
{
    struct log_txn t;
    char text[2000];
    memset(text, 'x', sizeof text);
    log_begin(&t, LOG_CLIENT, 1, "req", 0, "rxreq");
    while (!atomic_load(&changed_enough)) {
        log_printf(&t, TAG_VCL_LOG, "%.*s", (int)sizeof text, text);
        log_text(&t, TAG_VCL_LOG, span_of(text, sizeof text));
    }
    log_end(&t);
    log_thread_release();
    return NULL;
}

static void
limits_may_change_while_others_write(void)
{
    pthread_t writer;
    open_ring();
    atomic_store(&changed_enough, false);
    CHECK(pthread_create(&writer, NULL, write_until_changed, NULL) == 0);
    for (unsigned i = 0; i < 2500000; i++)
        log_set_limits(i % 2 == 0 ? 2000 : 16, i % 2 == 0 ? 16384 : 512, false);
    atomic_store(&changed_enough, true);
    CHECK(pthread_join(writer, NULL) == 0);
}

static const struct test tests[] = {
    { "a_transaction_reads_as_it_was_written", a_transaction_reads_as_it_was_written },
    { "timestamps_count_from_the_first_and_the_last", timestamps_count_from_the_first_and_the_last },
    { "a_record_is_cut_at_the_limit", a_record_is_cut_at_the_limit },
    { "binary_records_hold_the_bytes_alone", binary_records_hold_the_bytes_alone },
    { "neighbours_of_one_transaction_are_a_batch", neighbours_of_one_transaction_are_a_batch },
    { "turns_of_a_transaction_are_joined", turns_of_a_transaction_are_joined },
    { "many_turns_are_handed_over_in_parts", many_turns_are_handed_over_in_parts },
    { "records_wait_for_a_flush_unless_told_otherwise", records_wait_for_a_flush_unless_told_otherwise },
    { "a_full_buffer_is_flushed_and_counted", a_full_buffer_is_flushed_and_counted },
    { "what_the_mask_leaves_out_is_not_written", what_the_mask_leaves_out_is_not_written },
    { "copied_records_get_the_id_of_their_new_transaction",
      copied_records_get_the_id_of_their_new_transaction },
    { "copies_need_unchanged_settings", copies_need_unchanged_settings },
    { "pairs_read_as_two_records", pairs_read_as_two_records },
    { "limits_may_change_while_others_write", limits_may_change_while_others_write },
};

int
main(int argc, char **argv)
{
    int older_form = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    later = true;
    return older_form | test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
