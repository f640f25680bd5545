/* The ring of log records that readers (varnishlog, `vernis log`) map, with the layout and the writer's
 * protocol of Varnish. The head names the form of the records (log/form.h). Writers reserve room under a lock
 * and copy outside it. A reader holds no lock, so a slow or dead reader costs nothing. A process has one
 * ring. */
#ifndef VERNIS_LOG_RING_H
#define VERNIS_LOG_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_HEAD_BYTES 88u
#define RING_SEGMENTS 8u
#define RING_TAG_END 0xfeu         /* word 0: nothing follows yet, or (other bits) go on at the beginning */
#define RING_MARK_WRAP 0xfe575757u /* a word in place of a record: go on at word 0 */
#define RING_TAG_BATCH 0xffu       /* word 0: tag << 24 | bytes; word 1 of a batch: bytes that follow */

/* Events of one append, for its caller to count. */
struct ring_append {
    bool contended; /* another thread held the lock */
    bool cycled;    /* the writer went back to the start of the ring */
    bool dropped;   /* a writer of the last round was still copying where these records belong */
};

#define RING_MAGIC "VSLHEAD1"
#define RING_MAGIC_LATER "VSLHEAD2"
#define RING_MAGIC_BYTES 8u

/* `mem` is zeroed and lives as long as the process. NULL: drop all records. No thread has records that it has
 * not flushed (log/txn.h), because they may have the other form. */
void ring_open(void *mem, size_t bytes);
void ring_open_later(void *mem, size_t bytes); /* for records of the later form */
bool ring_is_later(void);
/* Appends complete records, back to back; readers see them when this returns, unless they are dropped. n
 * counts words, fewer than a segment (an eighth of the ring) has. */
struct ring_append ring_append(const uint32_t *words, size_t n);

/* Words that lie together. */
struct ring_piece {
    const uint32_t *words;
    size_t n;
};
/* The same for records in pieces. A record may begin in one piece and end in the next; the first piece is not
 * empty. */
struct ring_append ring_append_pieces(const struct ring_piece *pieces, unsigned n_pieces);

#endif
