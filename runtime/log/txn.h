/* Records of the log, written by whoever does the work. A thread collects its records in one buffer and hands it over to the
 * shared ring with one short reservation: when it is full, and before its loop sleeps (log_flush). In the buffer, neighbours
 * of one transaction form a batch, which readers take as one unit. Other transactions may have their turn in between: then the
 * batches of one are joined before the buffer is handed over, but for a session's, which frames its requests.
 *
 * A transaction number is 30 bits of the process-wide counter (server_xid). Any function here may be called with t == NULL
 * (tests, vcl_init): nothing is written. A record longer than vsl_reclen is cut. */
#ifndef VERNIS_TXN_H
#define VERNIS_TXN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/span.h"
#include "log/tags.h"

#define LOG_CLIENT 0x40000000u          /* marker bits of an id: which side works on it */
#define LOG_BACKEND 0x80000000u
#define LOG_ID_BITS 0x3fffffffu

struct log_txn {
    uint32_t id;                        /* marker | number; 0: belongs to no transaction */
    bool gather;                        /* its records shall lie together */
    nsec began, last;                   /* wall clock: first Timestamp, the one before */
};

extern struct log_txn log_untied;       /* id 0: for what no transaction did (probes, expiry, CLI) */

/* Bit of each tag that is written (vsl_mask). Written by the admin thread, read by all. */
extern _Atomic uint64_t log_mask[2];

static inline bool
log_wants(enum log_tag tag)
{
    return (atomic_load_explicit(&log_mask[tag >> 6], memory_order_relaxed) >> (tag & 63) & 1) != 0;
}

void log_begin_kind(struct log_txn *t, uint32_t marker, uint64_t xid, struct span kind, uint64_t parent, struct span reason);
void log_link_kind(struct log_txn *t, struct span kind, uint64_t child, struct span reason);

/* Begin of a transaction. kind: "sess", "req", "bereq". reason: "HTTP/1", "rxreq", "fetch", "pass", "restart", ... Inline, as
 * log_timestamp is, for the lengths of literals. */
static inline void
log_begin(struct log_txn *t, uint32_t marker, uint64_t xid, const char *kind, uint64_t parent, const char *reason)
{
    log_begin_kind(t, marker, xid, span_str(kind), parent, span_str(reason));
}

static inline void
log_link(struct log_txn *t, const char *kind, uint64_t child, const char *reason)
{
    log_link_kind(t, span_str(kind), child, span_str(reason));
}

void log_end(struct log_txn *t);        /* t takes no more records after it; its id becomes 0 and is dropped */

void log_text(const struct log_txn *t, enum log_tag tag, struct span text);
void log_printf(const struct log_txn *t, enum log_tag tag, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void log_field(const struct log_txn *t, enum log_tag tag, struct span name, struct span value);     /* "name: value" */
void log_words(const struct log_txn *t, enum log_tag tag, const struct span *words, unsigned n);        /* blank between */
void log_number(const struct log_txn *t, enum log_tag tag, uint64_t n);
void log_numbers(const struct log_txn *t, enum log_tag tag, const uint64_t *numbers, unsigned n);     /* blank between */

/* "number seconds seconds ...", six decimals each: Hit and its like, which every hit writes. */
void log_times(const struct log_txn *t, enum log_tag tag, uint64_t number, const nsec *times, unsigned n);

/* "Label: absolute since-first since-last", six decimals. The first one of a transaction sets `began`. `when` is wall clock. */
void log_timestamp_span(struct log_txn *t, struct span label, nsec when);

static inline void
log_timestamp(struct log_txn *t, const char *label, nsec when)
{
    log_timestamp_span(t, span_str(label), when);
}

/* This thread's records become visible to readers. */
void log_flush(void);
void log_thread_release(void);          /* flushes, and frees the buffer; at thread end */

/* Limits (vsl_reclen, vsl_buffer) and debug=+syncvsl (each record is flushed at once). Any time. */
void log_set_limits(uint32_t record_bytes, uint32_t buffer_bytes, bool at_once);

#endif
