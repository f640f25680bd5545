/* The forms of log records: see form.h. */
#include "log/form.h"

#include <string.h>

#include "log/ring.h"

static const uint8_t later_of_tag[TAG_COUNT] = { LOG_LATER_OF_TAG };
static const uint8_t tag_of_later[] = { LOG_TAG_OF_LATER };

static inline bool
is_batch(uint32_t word)
{
    return word >> 24 == RING_TAG_BATCH;
}

/* Writes records up to the end or the next batch, and sets *at behind them. */
static uint32_t *
put_records(uint32_t *to, const uint32_t **at, const uint32_t *end)
{
    const uint32_t *from = *at;
    while (from < end && !is_batch(*from)) {
        uint32_t later = later_of_tag[*from >> 24], bytes = *from & 0xffff, words = (bytes + 3) / 4;
        if (later != 0) {
            to[0] = later << 24 | LOG_LATER_BIT | bytes;
            to[1] = from[1] & LOG_ID_BITS;
            to[2] = from[1] & ~LOG_ID_BITS;
            memcpy(to + LOG_LATER_HEAD_WORDS, from + LOG_HEAD_WORDS, words * sizeof *to);
            to += LOG_LATER_HEAD_WORDS + words;
        }
        from += LOG_HEAD_WORDS + words;
    }
    *at = from;
    return to;
}

static uint32_t *
put_batch(uint32_t *to, const uint32_t **at)
{
    const uint32_t *head = *at;
    *at = head + LOG_HEAD_WORDS;
    uint32_t *records = to + LOG_LATER_HEAD_WORDS;
    uint32_t *after = put_records(records, at, *at + head[1] / sizeof *head);
    to[0] = RING_TAG_BATCH << 24;
    to[1] = (uint32_t)(after - records) * (uint32_t)sizeof *to;
    to[2] = 0;
    return after;
}

uint32_t *
log_form_later(uint32_t *to, const uint32_t *from, const uint32_t *end)
{
    while (from < end)
        to = is_batch(*from) ? put_batch(to, &from) : put_records(to, &from, end);
    return to;
}

unsigned
log_form_tag(bool later, uint32_t word)
{
    unsigned number = word >> 24;
    if (number >= RING_TAG_END)
        return number;
    if (later)
        return number < sizeof tag_of_later ? tag_of_later[number] : 0;
    return number < TAG_COUNT ? number : 0;
}
