/* Log records of transactions. A thread collects its records in one buffer and copies the buffer to the
 * shared ring, with one short reservation, when the buffer is full and every few milliseconds (log_flush). In
 * the buffer, neighbouring records of one transaction form a batch, which readers take as one unit. When
 * other transactions write in between, the copy joins a transaction's batches. A session's
 * batches are not joined, because they frame its requests.
 *
 * A transaction number is 30 bits of the process-wide counter (server_xid). Every function accepts t == NULL
 * (tests, vcl_init) and then writes nothing. A record longer than vsl_reclen is cut. */
#ifndef VERNIS_LOG_TXN_H
#define VERNIS_LOG_TXN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/span.h"
#include "log/form.h"
#include "log/tags.h"

struct log_txn {
    uint32_t id;      /* marker | number; 0: belongs to no transaction */
    bool gather;      /* join its batches */
    nsec began, last; /* wall clock of the first and of the latest Timestamp */
};

extern struct log_txn log_untied; /* id 0: records outside any transaction (probes, expiry, CLI) */

/* Bit of each tag that is written (vsl_mask). Written by the admin thread, read by all. */
extern _Atomic uint64_t log_mask[2];

static inline bool
log_wants(enum log_tag tag)
{
    return (atomic_load_explicit(&log_mask[tag >> 6], memory_order_relaxed) >> (tag & 63) & 1) != 0;
}

/* Somebody wants the reasons of decisions (proxy/reason/reason.h): they are written as Debug records. A bit
 * of vsl_mask does not suffice, because scripts that ask for Debug expect the records of Varnish. */
extern atomic_bool log_reasons_wanted;

static inline bool
log_wants_reasons(void)
{
    return atomic_load_explicit(&log_reasons_wanted, memory_order_relaxed);
}

void log_begin_kind(struct log_txn *t, uint32_t marker, uint64_t xid, struct span kind, uint64_t parent,
                    struct span reason);
void log_link_kind(struct log_txn *t, struct span kind, uint64_t child, struct span reason);

/* Begins a transaction. kind: "sess", "req", "bereq". reason: "HTTP/1", "rxreq", "fetch", "pass", "restart",
 * ... This function and log_timestamp are inline, so that the lengths of literals are constants. */
static inline void
log_begin(struct log_txn *t, uint32_t marker, uint64_t xid, const char *kind, uint64_t parent,
          const char *reason)
{
    log_begin_kind(t, marker, xid, span_str(kind), parent, span_str(reason));
}

static inline void
log_link(struct log_txn *t, const char *kind, uint64_t child, const char *reason)
{
    log_link_kind(t, span_str(kind), child, span_str(reason));
}

void log_end(
    struct log_txn *t); /* writes the End record; sets the id of t to 0, so t takes no more records */

void log_text(const struct log_txn *t, enum log_tag tag, struct span text);
void log_binary(const struct log_txn *t, enum log_tag tag, struct span bytes); /* nothing if empty */
void log_printf(const struct log_txn *t, enum log_tag tag, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void log_field(const struct log_txn *t, enum log_tag tag, struct span name,
               struct span value); /* "name: value" */
void log_words(const struct log_txn *t, enum log_tag tag, const struct span *words,
               unsigned n); /* blank between */
void log_number(const struct log_txn *t, enum log_tag tag, uint64_t n);
void log_numbers(const struct log_txn *t, enum log_tag tag, const uint64_t *numbers,
                 unsigned n); /* blank between */

/* Writes "number seconds seconds ...", six decimals each: Hit and similar records. */
void log_times(const struct log_txn *t, enum log_tag tag, uint64_t number, const nsec *times, unsigned n);

/* Writes "Label: absolute since-first since-last", six decimals each. The first timestamp of a transaction
 * sets `began`. `when` is wall clock. */
void log_timestamp_span(struct log_txn *t, struct span label, nsec when);

static inline void
log_timestamp(struct log_txn *t, const char *label, nsec when)
{
    log_timestamp_span(t, span_str(label), when);
}

/* Two neighbouring records whose short texts never change, as words to be copied. */
#define LOG_PAIR_WORDS 18u
#define LOG_PAIR_BYTES (LOG_PAIR_WORDS * 4 - 2 * (LOG_HEAD_WORDS_MAX * 4 + 4)) /* of both texts, at most */
struct log_pair {
    enum log_tag tags[2];
    struct span texts[2];
    uint32_t n_words, second; /* second: index of the second record */
    uint32_t words[LOG_PAIR_WORDS];
};
/* The texts must outlive the pair. */
void log_pair_make(struct log_pair *out, enum log_tag first, struct span text, enum log_tag second,
                   struct span text2);
void log_pair_write(const struct log_txn *t, const struct log_pair *p);

/* vsl_mask and vsl_reclen */
struct log_settings {
    uint64_t mask[2];
    uint32_t limit;
};

/* A copy of records, to write the same records for other transactions, as if each was written by the
 * functions above. `words` is the caller's memory. */
struct log_copy {
    struct log_settings settings; /* with which the records were made */
    uint32_t n_words, n_records;
    uint32_t *words;
};

/* The place of the next record of a transaction. Valid on this thread until it writes for another one. */
struct log_mark {
    const uint32_t *at;
    uint32_t n_records;
    uint64_t flushes;
    struct log_settings settings;
};

struct log_mark log_mark(const struct log_txn *t);
/* Words of the records that t got since the mark. 0: none, or they are no longer here in one piece, or
 * settings have changed since. */
uint32_t log_words_since(const struct log_txn *t, struct log_mark from);
/* Copies these records; out->words has room for them. */
void log_copy_since(struct log_mark from, uint32_t n_words, struct log_copy *out);
/* False, and nothing is written: settings have changed since the copy, or the records may need a flush. */
bool log_write_copy(const struct log_txn *t, const struct log_copy *c);

/* Makes this thread's records visible to readers. */
void log_flush(void);
bool log_is_flushed(void);     /* this thread has no records that readers do not see */
void log_thread_release(void); /* flushes, then frees the buffer; call at thread end */

/* Sets the limits vsl_reclen and vsl_buffer, and debug=+syncvsl, which flushes each record at once. May be
 * called any time. */
void log_set_limits(uint32_t record_bytes, uint32_t buffer_bytes, bool at_once);

#endif
