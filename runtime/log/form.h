/* The two forms of log records in shared memory. Varnish 7.3 made the head of a record, and of a batch, one
 * word longer, numbered the tags anew and gave transactions ids of 64 bits. Its tools and later ones read no
 * other form, and older tools read only the older one. The head of the ring names the form (log/ring.h).
 * Threads collect records in the older form (log/txn.h), and log_flush writes them in the form of the log.
 *
 *   older:  tag << 24 | bytes of the text              marker | number
 *   later:  tag << 24 | LATER_BIT | bytes of the text  number            marker
 *
 * Word 1 of a batch has the bytes of its records, and word 2 has no meaning. */
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
#define LOG_LATER_BIT 0x10000u

/* Words of `n` words of whole records of the older form in the later one, at most. */
#define LOG_LATER_WORDS_MAX(n) ((n) + (n) / LOG_HEAD_WORDS)

/* Writes whole records, alone and in batches, in the later form. Returns the end. A record whose tag the
 * later form lacks is left out. */
uint32_t *log_form_later(uint32_t *to, const uint32_t *from, const uint32_t *end);

/* The tag of a record or batch by its first word. 0: unknown */
unsigned log_form_tag(bool later, uint32_t word);

static inline unsigned
log_form_head_words(bool later)
{
    return later ? LOG_LATER_HEAD_WORDS : LOG_HEAD_WORDS;
}

#endif
