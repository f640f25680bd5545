/* Joins the batches of each transaction in a buffer of log records: see txn.h. */
#ifndef VERNIS_LOG_GATHER_H
#define VERNIS_LOG_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#define GATHER_BATCHES_MAX 256u

/* A batch: neighbouring records of one transaction, or one record outside any transaction. */
struct log_batch {
    uint32_t *head; /* in the buffer */
    uint32_t id;
    bool gather; /* joined with the buffer's other batches of this id */
};

/* Copies the records of all batches, which end at `end`, to `to`: a transaction's batches together, at the
 * position of its last record, so that readers see them in one piece and after the records of its child
 * transactions. Returns the end. Joined batches need no more room than before. */
uint32_t *log_gather(uint32_t *to, const struct log_batch *batches, unsigned n, const uint32_t *end);

#endif
