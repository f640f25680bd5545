/* Joins the batches of each transaction in a buffer of log records: see txn.h. */
#ifndef VERNIS_LOG_GATHER_H
#define VERNIS_LOG_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "log/ring.h"

#define GATHER_BATCHES_MAX 256u

/* A batch: neighbouring records of one transaction, or one record outside any transaction. */
struct log_batch {
    uint32_t *head; /* in the buffer */
    uint32_t id;
    bool gather; /* joined with the buffer's other batches of this id */
};

/* Lists the records of all batches, which end at `end`, as pieces: a transaction's batches together, at the
 * position of its last record, so that readers see them in one piece and after the records of its child
 * transactions. The first batch of a transaction gets the length of all. Returns the number of pieces, at
 * most n. Joined batches need no more room than before. */
unsigned log_gather(struct ring_piece *out, const struct log_batch *batches, unsigned n, const uint32_t *end);

#endif
