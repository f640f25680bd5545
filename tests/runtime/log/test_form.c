/* The two forms of log records: heads, numbers of tags, batches. The numbers are those of varnishlog 7.7. */
#include "log/form.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "log/ring.h"
#include "log/txn.h"
#include "test.h"

#define RING_BYTES (1u << 20)

enum { REQ_URL_LATER = 14, NOTICE_LATER = 92 };

/* A log of the later form. The records of t follow the head of the ring. */
static const uint32_t *
written_later(void (*write)(void))
{
    char *mem = calloc(1, RING_BYTES);
    CHECK(mem != NULL);
    ring_open_later(mem, RING_BYTES);
    EXPECT(memcmp(mem, "VSLHEAD2", 8) == 0);
    write();
    log_flush();
    ring_open(NULL, 0);
    return (const uint32_t *)(mem + RING_HEAD_BYTES);
}

static void
write_a_request(void)
{
    struct log_txn t = { .id = LOG_CLIENT | 7 };
    log_text(&t, TAG_REQ + LOG_URL, SPAN_LIT("/a"));
    log_text(&t, TAG_NOTICE, SPAN_LIT("12345"));
}

static void
heads_have_a_word_more_and_tags_other_numbers(void)
{
    const uint32_t *w = written_later(write_a_request);
    EXPECT_EQ_INT(w[0], 0xffu << 24);
    EXPECT_EQ_INT(w[1], 4 * (3 + 1 + 3 + 2)); /* the records of the batch */
    EXPECT_EQ_INT(w[2], 0);
    EXPECT_EQ_INT(w[3], (uint32_t)REQ_URL_LATER << 24 | LOG_LATER_BIT | 3);
    EXPECT_EQ_INT(w[4], 7);
    EXPECT_EQ_INT(w[5], 0x40000000); /* bit 62 of the id: the client's side */
    EXPECT_EQ_STR(span_str((const char *)&w[6]), "/a");
    EXPECT_EQ_INT(w[7], (uint32_t)NOTICE_LATER << 24 | LOG_LATER_BIT | 6);
    EXPECT_EQ_STR(span_str((const char *)&w[10]), "12345");
    EXPECT_EQ_INT(w[12], 0xfe454545);
    free((char *)w - RING_HEAD_BYTES);
}

static void
write_untied(void)
{
    struct log_txn t = { .id = LOG_BACKEND | 1 };
    log_text(&log_untied, TAG_CLI, SPAN_LIT("x"));
    log_text(&t, TAG_END, SPAN_LIT(""));
    log_text(&log_untied, TAG_CLI, SPAN_LIT("y"));
}

static void
batches_and_single_records_alternate(void)
{
    const uint32_t *w = written_later(write_untied);
    EXPECT_EQ_INT(log_form_tag(true, w[0]), TAG_CLI);
    EXPECT_EQ_INT(w[1] | w[2], 0);
    EXPECT_EQ_INT(log_form_tag(true, w[4]), RING_TAG_BATCH);
    EXPECT_EQ_INT(w[5], 4 * (3 + 1));
    EXPECT_EQ_INT(log_form_tag(true, w[7]), TAG_END);
    EXPECT_EQ_INT(w[9], 0x80000000);
    EXPECT_EQ_INT(log_form_tag(true, w[11]), TAG_CLI);
    EXPECT_EQ_STR(span_str((const char *)&w[14]), "y");
    free((char *)w - RING_HEAD_BYTES);
}

/* Each tag that we write has a number in either form, and it leads back to the tag. */
static void
numbers_lead_back_to_their_tags(void)
{
    unsigned lacking = 0;
    for (uint32_t tag = 1; tag < TAG_COUNT; tag++) {
        uint32_t head[LOG_HEAD_WORDS_MAX];
        log_form_head(head, false, (enum log_tag)tag, 1, 1);
        EXPECT_EQ_INT(log_form_tag(false, head[0]), tag);
        log_form_head(head, true, (enum log_tag)tag, 1, 1);
        if (head[0] >> 24 == 0)
            lacking++;
        else
            EXPECT_EQ_INT(log_form_tag(true, head[0]), tag);
    }
    EXPECT_EQ_INT(lacking, 3); /* BackendReuse, Backend, BackendStart */
    EXPECT_EQ_INT(log_form_tag(false, (uint32_t)TAG_COUNT << 24), 0);
    EXPECT_EQ_INT(log_form_tag(true, (uint32_t)(TAG_COUNT - 3) << 24), 0);
}

static const struct test tests[] = {
    { "heads_have_a_word_more_and_tags_other_numbers", heads_have_a_word_more_and_tags_other_numbers },
    { "batches_and_single_records_alternate", batches_and_single_records_alternate },
    { "numbers_lead_back_to_their_tags", numbers_lead_back_to_their_tags },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
