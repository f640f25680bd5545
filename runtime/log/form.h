/* The two forms of log records in shared memory. Varnish 7.3 made the head of a record, and of a batch, one
 * word longer, numbered the tags anew and gave transactions ids of 64 bits. Its tools and later ones read no
 * other form, and older tools read only the older one. The head of the ring names the form (log/ring.h).
 * Threads collect records in the form of the log (log/txn.h).
 *
 *   older:  tag << 24 | bytes of the text              marker | number
 *   later:  tag << 24 | LATER_BIT | bytes of the text  number            marker
 *
 * Word 1 of a batch has the bytes of its records, and word 2 has no meaning. Nothing here writes the tags
 * that the later form lacks. */
#ifndef VERNIS_LOG_FORM_H
#define VERNIS_LOG_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/tags.h"

#define LOG_CLIENT 0x40000000u /* marker bits of an id: which side works on it */
#define LOG_BACKEND 0x80000000u
#define LOG_ID_BITS 0x3fffffffu

#define LOG_HEAD_WORDS 2u
#define LOG_LATER_HEAD_WORDS 3u
#define LOG_HEAD_WORDS_MAX LOG_LATER_HEAD_WORDS
#define LOG_LATER_BIT 0x10000u

extern const uint8_t log_form_later_of_tag[TAG_COUNT]; /* 0: the later form lacks it */

/* The tag of a record or batch by its first word. 0: unknown */
unsigned log_form_tag(bool later, uint32_t word);

static inline unsigned
log_form_head_words(bool later)
{
    return later ? LOG_LATER_HEAD_WORDS : LOG_HEAD_WORDS;
}

/* Words of a record behind its head. `word`: its first */
static inline uint32_t
log_form_text_words(uint32_t word)
{
    return ((word & 0xffff) + 3) / 4;
}

static inline void
log_form_set_id(uint32_t *head, bool later, uint32_t id)
{
    head[1] = later ? id & LOG_ID_BITS : id;
    if (later)
        head[2] = id & ~LOG_ID_BITS;
}

/* Writes the head of a record. `bytes`: of its text, with the NUL */
static inline void
log_form_head(uint32_t *head, bool later, enum log_tag tag, uint32_t bytes, uint32_t id)
{
    head[0] = later ? (uint32_t)log_form_later_of_tag[tag] << 24 | LOG_LATER_BIT | bytes
                    : (uint32_t)tag << 24 | bytes;
    log_form_set_id(head, later, id);
}

#endif
