/* The log of the tested process as text: the newest record of a tag, and the number of its records. */
#ifndef VERNIS_TESTS_SUPPORT_LOG_LINES_H
#define VERNIS_TESTS_SUPPORT_LOG_LINES_H

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "log/ring_reader.h"
#include "log/txn.h"

#define LOG_LINES_RING_BYTES (1u << 20)

static void *log_lines_ring;

static inline void
log_lines_begin(void)
{
    log_flush(); /* of earlier tests */
    free(log_lines_ring);
    log_lines_ring = calloc(1, LOG_LINES_RING_BYTES);
    CHECK(log_lines_ring != NULL);
    log_set_limits(255, 16384, false);
    ring_open(log_lines_ring, LOG_LINES_RING_BYTES);
}

static inline void
log_lines_end(void)
{
    ring_open(NULL, 0);
    free(log_lines_ring);
    log_lines_ring = NULL;
}

/* The text of the newest record, SPAN_NULL: none; *n: number of records. Valid until log_lines_end. */
static inline struct span
log_lines_of(enum log_tag tag, unsigned *n)
{
    struct span newest = SPAN_NULL;
    const uint32_t *words;
    *n = 0;
    log_flush();
    struct reader r = reader_open(log_lines_ring);
    for (;;) {
        enum reading what = reader_next(&r, &words);
        if (what != READ_RECORD && what != READ_BATCH)
            return newest;
        if (what == READ_BATCH || words[0] >> 24 != (uint32_t)tag)
            continue;
        newest = span_str((const char *)(words + 2));
        ++*n;
    }
}

static inline struct span
log_newest(enum log_tag tag)
{
    unsigned n;
    return log_lines_of(tag, &n);
}

static inline unsigned
log_count(enum log_tag tag)
{
    unsigned n;
    (void)log_lines_of(tag, &n);
    return n;
}

#endif
