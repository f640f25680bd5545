/* Reads new records of the worker's log (log/ring.h) from the manager, a bounded number of bytes each time.
 *
 * A busy worker writes more than the reader takes. It then continues at a recent record and leaves out those
 * between, so what it passes on is a sample. The worker may have fewer rights than the manager: the reader
 * maps nothing and checks every number. */
#ifndef VERNIS_MANAGER_DASHBOARD_LOG_READER_H
#define VERNIS_MANAGER_DASHBOARD_LOG_READER_H

#include <sys/types.h>

#include "base/span.h"
#include "log/tags.h"

#define LOG_READ_BYTES (1u << 20) /* copied at most by each log_read */

struct log_record {
    enum log_tag tag;
    uint32_t id; /* with its marker bits: log/txn.h */
    struct span text;
};

/* NULL: records were left out before the next one, so transactions are incomplete. */
typedef void log_record_fn(void *arg, const struct log_record *r);

struct log_reader {      /* zeroed: not open */
    bool opened, is_new; /* is_new: the log was opened after the last read */
    int fd, index_fd;    /* while opened: of the log, and of the index that named it */
    bool later;          /* the form of the log: log/form.h */
    uint64_t base;       /* of the log in its file */
    uint64_t segment;    /* words */
    uint64_t at;         /* word of the next record */
    uint32_t counter;    /* of the segment that has it */
    char *buffer;        /* owned, LOG_READ_BYTES */
};

/* `folder` is the worker's set of shared memory. Calls back for each new record that it reads. The callback
 * also reports gaps: see log_record_fn. */
void log_read(struct log_reader *r, const char *folder, log_record_fn *fn, void *arg);
void log_reader_release(struct log_reader *r); /* harmless when zeroed */

#endif
