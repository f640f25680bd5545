/* A reader of the log's ring that works like Varnish's tools: it walks from record to record, and drops
 * records that the writer may overwrite. Used by tests, also from another process. */
#ifndef VERNIS_TESTS_RUNTIME_LOG_RING_READER_H
#define VERNIS_TESTS_RUNTIME_LOG_RING_READER_H

#include <stdint.h>
#include <string.h>

#include "log/form.h"
#include "log/ring.h"

#define READER_END 0xfe454545u
#define READER_WRAP 0xfe575757u

struct reader {
    const uint32_t *words; /* of the ring */
    const char *head;
    size_t segment;      /* words */
    unsigned head_words; /* of a record */
    size_t at;
    uint32_t counter; /* number of begun segments at the last read */
};

enum reading { READ_NOTHING, READ_RECORD, READ_BATCH, READ_LOST, READ_BROKEN };

static inline uint32_t
reader_counter(const struct reader *r)
{
    return __atomic_load_n((const uint32_t *)(r->head + 16), __ATOMIC_ACQUIRE);
}

static inline int64_t
reader_first(const struct reader *r, unsigned segment)
{
    return __atomic_load_n((const int64_t *)(r->head + 24) + segment % RING_SEGMENTS, __ATOMIC_RELAXED);
}

/* Moves to the first record of the segment that the writer fills now. */
static inline struct reader
reader_open(const void *mem)
{
    int64_t segment;
    memcpy(&segment, (const char *)mem + 8, sizeof segment);
    struct reader r = { .words = (const uint32_t *)((const char *)mem + RING_HEAD_BYTES),
                        .head = mem,
                        .segment = (size_t)segment,
                        .head_words = log_form_head_words(memcmp(mem, RING_MAGIC_LATER, RING_MAGIC_BYTES) ==
                                                          0) };
    r.counter = reader_counter(&r);
    r.at = (size_t)reader_first(&r, r.counter);
    return r;
}

/* Finds the next record; `*out` is its first word. The read record is valid if the counter afterwards is less
 * than 6 ahead. */
static inline enum reading
reader_next(struct reader *r, const uint32_t **out)
{
    if (reader_counter(r) - r->counter >= 6)
        return READ_LOST;
    uint32_t word = __atomic_load_n(&r->words[r->at], __ATOMIC_ACQUIRE);
    if (word == READER_WRAP && r->at != 0) {
        r->at = 0;
        r->counter += RING_SEGMENTS - r->counter % RING_SEGMENTS;
        word = __atomic_load_n(&r->words[0], __ATOMIC_ACQUIRE);
    }
    if (word == READER_END)
        return READ_NOTHING;
    *out = &r->words[r->at];
    bool batch = word >> 24 == RING_TAG_BATCH;
    if (!batch && (word == 0 || (word >> 24) == 0 || (word >> 24) > 96))
        return reader_counter(r) - r->counter >= 6 ? READ_LOST : READ_BROKEN;
    r->at += r->head_words + (batch ? 0 : ((word & 0xffff) + 3) / 4);
    while (r->at / r->segment > r->counter % RING_SEGMENTS && r->at < r->segment * RING_SEGMENTS)
        r->counter++;
    return batch ? READ_BATCH : READ_RECORD;
}

#endif
