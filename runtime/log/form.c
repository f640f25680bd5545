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

/* Writes records that are in no batch, or in one. */
static uint32_t *
put_records(uint32_t *to, const uint32_t *from, const uint32_t *end)
{
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
    return to;
}

static uint32_t *
put_batch(uint32_t *to, const uint32_t *from, const uint32_t *end)
{
    uint32_t *records = to + LOG_LATER_HEAD_WORDS, *after = put_records(records, from, end);
    to[0] = RING_TAG_BATCH << 24;
    to[1] = (uint32_t)(after - records) * (uint32_t)sizeof *to;
    to[2] = 0;
    return after;
}

uint32_t *
log_form_later(uint32_t *to, const uint32_t *from, const uint32_t *end)
{
    while (from < end)
        if (is_batch(*from)) {
            const uint32_t *records = from + LOG_HEAD_WORDS;
            from = records + from[1] / sizeof *from;
            to = put_batch(to, records, from);
        } else {
            const uint32_t *records = from;
            from += LOG_HEAD_WORDS + ((*from & 0xffff) + 3) / 4;
            to = put_records(to, records, from);
        }
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
