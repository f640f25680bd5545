/* The ring of records that readers (varnishlog, `vernis log`) map: layout and writer's protocol of Varnish 7.1. Writers reserve
 * room under a lock and copy outside it; a reader never holds anything, so one that lags or dies costs nothing. One ring a
 * process. */
#ifndef VERNIS_RING_H
#define VERNIS_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_HEAD_BYTES 88u
#define RING_SEGMENTS 8u
#define RING_TAG_END 0xfeu             /* word 0: nothing follows yet, or (other bits) go on at the beginning */
#define RING_TAG_BATCH 0xffu            /* word 0: tag << 24 | bytes; word 1 of a batch: bytes that follow */

/* What one append did, for its caller to count. */
struct ring_append {
    bool contended;                     /* another thread held the lock */
    bool cycled;                        /* the ring began anew */
};

/* `mem` is zeroed and stays for the process's life. NULL: records are dropped. */
void ring_open(void *mem, size_t bytes);
/* Complete records, back to back; visible when this returns. n: words, fewer than a segment (an eighth) has. */
struct ring_append ring_append(const uint32_t *words, size_t n);

#endif
