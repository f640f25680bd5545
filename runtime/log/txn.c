/* Per-thread collection of log records: see txn.h. A hit writes about 25 records, so the records of every
 * request are formatted by hand, in one pass. */
#include "log/txn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/put.h"
#include "base/size.h"
#include "log/counters.h"
#include "log/form.h"
#include "log/gather.h"
#include "log/moment.h"
#include "log/ring.h"

#define RECORD_BYTES_MIN 16u
#define RECORD_BYTES_MAX 16372u
/* Bytes of a record beside its text: its head, the head of its batch, NUL and padding, and the bytes behind
 * them that record_end clears as well. */
#define RECORD_ROOM 32u
#define BUFFER_BYTES_MAX 65536u /* half of a segment of the smallest ring, vsl_space=1m */
#define SEEN_BITS 64u
#define NUMBERS_MAX 8u
#define WORD_BYTES PUT_SPAN_INLINE_MAX         /* longest kind of a transaction, reason of a link, label */
#define SECONDS_BYTES (DECIMAL_BYTES_MAX + 8u) /* with a sign and six decimals */
#define FORMATTED_BYTES_MAX 256u               /* longest record that is formatted whole and cut afterwards */
#define NO_BATCH 1u                            /* not a valid id, because it lacks a marker */

_Static_assert(DECIMAL_BYTES_MAX + NUMBERS_MAX * (1 + SECONDS_BYTES) <= FORMATTED_BYTES_MAX, "log_times");
_Static_assert(2 * WORD_BYTES + 3 * (1 + SECONDS_BYTES) <= FORMATTED_BYTES_MAX, "relation, log_timestamp");
_Static_assert(LOG_PAIR_BYTES <= PUT_SPAN_INLINE_MAX, "is_ready for a pair");

#define BIT(tag) (UINT64_C(1) << ((tag) & 63))

/* The tags that vsl_mask leaves out by default, as in Varnish. */
atomic_bool log_reasons_wanted;
_Atomic uint64_t log_mask[2] = {
    ~(BIT(TAG_DEBUG) | BIT(TAG_OBJ + LOG_PROTOCOL) | BIT(TAG_OBJ + LOG_STATUS) | BIT(TAG_OBJ + LOG_REASON) |
      BIT(TAG_OBJ + LOG_HEADER) | BIT(TAG_VCL_TRACE)),
    ~(BIT(TAG_EXP_KILL) | BIT(TAG_WORK_THREAD) | BIT(TAG_HASH) | BIT(TAG_VFP_ACCT) | BIT(TAG_H2_RX_HDR) |
      BIT(TAG_H2_RX_BODY) | BIT(TAG_H2_TX_HDR) | BIT(TAG_H2_TX_BODY) | BIT(TAG_VDP_ACCT)),
};

struct log_txn log_untied;

struct buffer {
    uint32_t *words, *at, *end;
    bool later;        /* form of the records */
    uint32_t *batch;   /* head of the open batch; NULL: none */
    uint32_t batch_id; /* id of the open batch; NO_BATCH: none */
    uint32_t records;  /* records in the buffer */
    uint64_t flushes;  /* times that the buffer was written to the ring */
    unsigned batches_len;
    bool mixed;                /* the buffer may hold two batches of one id */
    uint64_t seen;             /* set of the ids to gather, by their last bits, in which recent ids differ */
    struct log_batch *batches; /* room for GATHER_BATCHES_MAX; NULL before the first */
    struct ring_piece *pieces; /* to append; as many */
};

static _Thread_local struct buffer here = { .batch_id = NO_BATCH };

/* The compiler would compute the address of a thread-local variable at each use. */
static inline struct buffer *
buffer_here(void)
{
    struct buffer *b = &here;
    __asm__("" : "+r"(b));
    return b;
}
static _Atomic uint32_t record_limit = 255, buffer_limit = 32768;
static _Atomic bool flush_at_once;
/* Shorter texts may be written by the short way (is_ready): they need no cut, no call of memcpy and no flush.
 * Follows from the limits above. */
static _Atomic uint32_t short_limit = PUT_SPAN_INLINE_MAX + 1;

void
log_set_limits(uint32_t record_bytes, uint32_t buffer_bytes, bool at_once)
{
    if (record_bytes < RECORD_BYTES_MIN)
        record_bytes = RECORD_BYTES_MIN;
    if (record_bytes > RECORD_BYTES_MAX)
        record_bytes = RECORD_BYTES_MAX;
    uint32_t least = (record_bytes > FORMATTED_BYTES_MAX ? record_bytes : FORMATTED_BYTES_MAX) + RECORD_ROOM;
    if (buffer_bytes < least)
        buffer_bytes = least;
    if (buffer_bytes > BUFFER_BYTES_MAX)
        buffer_bytes = BUFFER_BYTES_MAX;
    atomic_store(&record_limit, record_bytes);
    atomic_store(&buffer_limit, (buffer_bytes + 3) & ~3u);
    atomic_store(&flush_at_once, at_once);
    atomic_store(&short_limit, at_once ? 0 : (uint32_t)min_size(record_bytes, PUT_SPAN_INLINE_MAX + 1));
}

/* vsl_reclen may have been lowered since the caller cut its record. */
static void
buffer_fit(struct buffer *b, size_t bytes)
{
    size_t words = atomic_load_explicit(&buffer_limit, memory_order_relaxed) / 4,
           least = (bytes + RECORD_ROOM + 3) / 4;
    words = words < least ? least : words;
    if (b->words != NULL && words == (size_t)(b->end - b->words))
        return;
    free(b->words);
    b->words = b->at = mem_alloc(words * 4);
    b->end = b->words + words;
}

static void
batch_end(struct buffer *b)
{
    if (b->batch != NULL)
        b->batch[1] = (uint32_t)(b->at - b->batch - log_form_head_words(b->later)) * 4;
    b->batch = NULL;
    b->batch_id = NO_BATCH;
}

static struct ring_append
append(const struct buffer *b)
{
    struct ring_piece whole = { b->words, (size_t)(b->at - b->words) },
                      *pieces = b->mixed ? b->pieces : &whole;
    unsigned n = b->mixed ? log_gather(pieces, b->batches, b->batches_len, b->at) : 1;
    return ring_append_pieces(pieces, n);
}

bool
log_is_flushed(void)
{
    return here.at == here.words;
}

void
log_flush(void)
{
    struct buffer *b = buffer_here();
    if (b->at == b->words)
        return;
    batch_end(b);
    struct ring_append did = append(b);
    struct counters *c = counters_here();
    *(did.dropped ? &c->log_dropped : &c->shm_records) += b->records;
    c->shm_writes += !did.dropped;
    c->shm_cont += did.contended;
    c->shm_cycles += did.cycled;
    b->at = b->words;
    b->flushes++;
    b->records = b->batches_len = 0;
    b->mixed = false;
    b->seen = 0;
}

void
log_thread_release(void)
{
    log_flush();
    free(here.words);
    free(here.batches);
    free(here.pieces);
    here = (struct buffer){ .batch_id = NO_BATCH };
}

static bool
is_open(const struct log_txn *t)
{
    return t != NULL && (t->id != 0 || t == &log_untied);
}

static inline bool
writes(const struct log_txn *t, enum log_tag tag)
{
    return log_wants(tag) && is_open(t);
}

static uint32_t
text_limit(void)
{
    return atomic_load_explicit(&record_limit, memory_order_relaxed) - 1; /* vsl_reclen counts the NUL */
}

__attribute__((noinline, cold)) static void
make_room(struct buffer *b, size_t bytes)
{
    counters_here()->shm_flushes += b->at != b->words;
    log_flush();
    buffer_fit(b, bytes);
    CHECK(bytes + RECORD_ROOM <= (size_t)(b->end - b->at) * sizeof *b->at);
}

/* Opens a batch for t. A record with id 0 gets a batch of its own, because readers take a batch for one
 * transaction. */
static void
batch_begin(struct buffer *b, const struct log_txn *t)
{
    if (b->batches_len == GATHER_BATCHES_MAX)
        log_flush();
    batch_end(b);
    if (b->at == b->words)
        b->later = ring_is_later();
    if (b->batches == NULL) {
        b->batches = mem_alloc(GATHER_BATCHES_MAX * sizeof *b->batches);
        b->pieces = mem_alloc(GATHER_BATCHES_MAX * sizeof *b->pieces);
    }
    b->batches[b->batches_len++] = (struct log_batch){ b->at, t->id, t->gather };
    if (t->id == 0)
        return;
    if (t->gather) {
        uint64_t bit = UINT64_C(1) << t->id % SEEN_BITS;
        b->mixed |= (b->seen & bit) != 0;
        b->seen |= bit;
    }
    b->batch = b->at;
    b->batch_id = t->id;
    b->at[0] = RING_TAG_BATCH << 24;
    b->at[2] = 0; /* the first word of a record in the older form */
    b->at += log_form_head_words(b->later);
}

/* A record under construction in this thread's buffer. */
struct record {
    struct buffer *buffer;
    uint32_t *head;
    char *text;
};

static inline struct record
record_next(struct buffer *b)
{
    return (struct record){ b, b->at, (char *)(b->at + log_form_head_words(b->later)) };
}

static inline bool
has_room(const struct buffer *b, size_t bytes)
{
    return bytes + RECORD_ROOM <= (size_t)((char *)b->end - (char *)b->at);
}

/* Reserves room for a record with up to `bytes` of text. */
static inline struct record
record_begin(const struct log_txn *t, size_t bytes)
{
    struct buffer *b = buffer_here();
    if (!has_room(b, bytes))
        make_room(b, bytes);
    if (b->batch_id != t->id)
        batch_begin(b, t);
    return record_next(b);
}

/* Writes the head of a record and the zeros behind its text, which ends at p. */
static inline void
record_close(struct record r, uint32_t id, enum log_tag tag, char *p)
{
    uint32_t n = (uint32_t)(p - r.text);
    memset(p, 0, sizeof(uint32_t)); /* NUL and padding; the next record begins inside or behind them */
    log_form_head(r.head, r.buffer->later, tag, n + 1, id);
    r.buffer->at = (uint32_t *)(void *)r.text + n / 4 + 1;
    r.buffer->records++;
}

/* Completes a record whose text ends at p. */
static inline void
record_end(struct record r, const struct log_txn *t, enum log_tag tag, char *p)
{
    record_close(r, t->id, tag, p);
    if (atomic_load_explicit(&flush_at_once, memory_order_relaxed))
        log_flush();
}

/* Can a record of t with `bytes` of text be written by the short way: its batch is open, and there is room?
 * The id of the open batch is never 0, so t is open then. */
static inline bool
is_ready(const struct buffer *b, const struct log_txn *t, size_t bytes)
{
    return t != NULL && b->batch_id == t->id &&
           bytes < atomic_load_explicit(&short_limit, memory_order_relaxed) && has_room(b, bytes);
}

/* For records of at most FORMATTED_BYTES_MAX: formats the whole record, then cuts it. */
static inline struct record
formatted_begin(const struct log_txn *t)
{
    return record_begin(t, FORMATTED_BYTES_MAX);
}

static inline void
formatted_end(struct record r, const struct log_txn *t, enum log_tag tag, char *p)
{
    record_end(r, t, tag, r.text + min_size((size_t)(p - r.text), text_limit()));
}

__attribute__((noinline)) static void
text_any(const struct log_txn *t, enum log_tag tag, struct span text)
{
    if (!is_open(t))
        return;
    size_t n = min_size(text.len, text_limit());
    struct record r = record_begin(t, n);
    record_end(r, t, tag, put_span(r.text, span_of(text.ptr, n)));
}

void
log_text(const struct log_txn *t, enum log_tag tag, struct span text)
{
    if (!log_wants(tag))
        return;
    struct buffer *b = buffer_here();
    if (!is_ready(b, t, text.len)) {
        text_any(t, tag, text);
        return;
    }
    struct record r = record_next(b);
    record_close(r, t->id, tag, put_span_inline(r.text, text));
}

/* The last byte takes the place of a text's NUL. */
void
log_binary(const struct log_txn *t, enum log_tag tag, struct span bytes)
{
    if (bytes.len == 0 || !writes(t, tag))
        return;
    size_t n = min_size(bytes.len - 1, text_limit());
    struct record r = record_begin(t, n);
    char *last = put_span(r.text, span_of(bytes.ptr, n));
    record_close(r, t->id, tag, last);
    *last = bytes.ptr[n];
    if (atomic_load_explicit(&flush_at_once, memory_order_relaxed))
        log_flush();
}

void
log_printf(const struct log_txn *t, enum log_tag tag, const char *fmt, ...)
{
    if (!writes(t, tag))
        return;
    size_t limit = text_limit();
    struct record r = record_begin(t, limit);
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(r.text, limit + 1, fmt, ap);
    va_end(ap);
    record_end(r, t, tag, r.text + (n < 0 ? 0 : min_size((size_t)n, limit)));
}

__attribute__((noinline)) static void
field_any(const struct log_txn *t, enum log_tag tag, struct span name, struct span value)
{
    if (!is_open(t))
        return;
    size_t limit = text_limit();
    name.len = min_size(name.len, limit - 2);
    value.len = min_size(value.len, limit - 2 - name.len);
    struct record r = record_begin(t, name.len + 2 + value.len);
    char *p = put_span(r.text, name);
    memcpy(p, ": ", 2);
    record_end(r, t, tag, put_span(p + 2, value));
}

void
log_field(const struct log_txn *t, enum log_tag tag, struct span name, struct span value)
{
    if (!log_wants(tag))
        return;
    struct buffer *b = buffer_here();
    if (!is_ready(b, t, name.len + 2 + value.len)) {
        field_any(t, tag, name, value);
        return;
    }
    struct record r = record_next(b);
    char *p = put_span_inline(r.text, name);
    memcpy(p, ": ", 2);
    record_close(r, t->id, tag, put_span_inline(p + 2, value));
}

void
log_words(const struct log_txn *t, enum log_tag tag, const struct span *words, unsigned n)
{
    if (!writes(t, tag))
        return;
    size_t limit = text_limit(), bytes = n;
    for (unsigned i = 0; i < n; i++)
        bytes += words[i].len;
    struct record r = record_begin(t, min_size(bytes, limit));
    char *p = r.text, *end = p + limit;
    for (unsigned i = 0; i < n; i++) {
        if (i > 0 && p < end)
            *p++ = ' ';
        p = put_span(p, span_of(words[i].ptr, min_size(words[i].len, (size_t)(end - p))));
    }
    record_end(r, t, tag, p);
}

void
log_number(const struct log_txn *t, enum log_tag tag, uint64_t n)
{
    log_numbers(t, tag, &n, 1);
}

void
log_numbers(const struct log_txn *t, enum log_tag tag, const uint64_t *numbers, unsigned n)
{
    if (!writes(t, tag))
        return;
    CHECK(n > 0 && n <= NUMBERS_MAX);
    struct record r = formatted_begin(t);
    char *p = put_decimal(r.text, numbers[0]);
    for (unsigned i = 1; i < n; i++) {
        *p++ = ' ';
        p = put_decimal(p, numbers[i]);
    }
    formatted_end(r, t, tag, p);
}

void
log_times(const struct log_txn *t, enum log_tag tag, uint64_t number, const nsec *times, unsigned n)
{
    if (!writes(t, tag))
        return;
    CHECK(n <= NUMBERS_MAX);
    struct record r = formatted_begin(t);
    char *p = put_decimal(r.text, number);
    for (unsigned i = 0; i < n; i++) {
        *p++ = ' ';
        p = put_seconds(p, times[i]);
    }
    formatted_end(r, t, tag, p);
}

static struct span
word_of(struct span text)
{
    return span_of(text.ptr, min_size(text.len, WORD_BYTES));
}

/* Writes "kind number reason". A kind or reason over WORD_BYTES is cut. */
static void
relation(const struct log_txn *t, enum log_tag tag, struct span kind, uint64_t number, struct span reason)
{
    if (!writes(t, tag))
        return;
    struct record r = formatted_begin(t);
    char *p = put_span_inline(r.text, word_of(kind));
    *p++ = ' ';
    p = put_decimal(p, number);
    *p++ = ' ';
    formatted_end(r, t, tag, put_span_inline(p, word_of(reason)));
}

void
log_begin_kind(struct log_txn *t, uint32_t marker, uint64_t xid, struct span kind, uint64_t parent,
               struct span reason)
{
    *t = (struct log_txn){ .id = marker | (uint32_t)(xid & LOG_ID_BITS),
                           .gather = !span_eq(kind, SPAN_LIT("sess")) };
    relation(t, TAG_BEGIN, kind, parent, reason);
}

void
log_link_kind(struct log_txn *t, struct span kind, uint64_t child, struct span reason)
{
    relation(t, TAG_LINK, kind, child, reason);
}

void
log_end(struct log_txn *t)
{
    log_text(t, TAG_END, SPAN_LIT(""));
    if (t != NULL)
        t->id = 0;
}

void
log_timestamp_span(struct log_txn *t, struct span label, nsec when)
{
    if (t == NULL)
        return;
    if (t->began == 0)
        t->began = t->last = when;
    if (writes(t, TAG_TIMESTAMP)) {
        struct record r = formatted_begin(t);
        char *p = put_span_inline(r.text, word_of(label));
        memcpy(p, ": ", 2);
        p = put_clock(p + 2, when);
        if (when == t->began && when == t->last) {
            p = put_span_inline(p, SPAN_LIT(" 0.000000 0.000000"));
        } else {
            *p++ = ' ';
            p = put_seconds(p, when - t->began);
            *p++ = ' ';
            p = put_seconds(p, when - t->last);
        }
        formatted_end(r, t, TAG_TIMESTAMP, p);
    }
    t->last = when;
}

/* ---- copies of records ---- */

/* Puts a record with id 0. Returns its words. */
static uint32_t
put_record(uint32_t *to, bool later, enum log_tag tag, struct span text)
{
    unsigned head_words = log_form_head_words(later);
    log_form_head(to, later, tag, (uint32_t)text.len + 1, 0);
    memcpy(to + head_words, text.ptr, text.len);
    return head_words + log_form_text_words(*to);
}

void
log_pair_make(struct log_pair *out, enum log_tag first, struct span text, enum log_tag second,
              struct span text2)
{
    bool later = ring_is_later();
    CHECK(text.len + text2.len <= LOG_PAIR_BYTES);
    *out = (struct log_pair){ .tags = { first, second }, .texts = { text, text2 } };
    out->second = put_record(out->words, later, first, text);
    out->n_words = out->second + put_record(out->words + out->second, later, second, text2);
}

/* A pair that has_room() for all its words needs no flush between its records. */
void
log_pair_write(const struct log_txn *t, const struct log_pair *p)
{
    struct buffer *b = buffer_here();
    if (!log_wants(p->tags[0]) || !log_wants(p->tags[1]) || !is_ready(b, t, LOG_PAIR_BYTES) ||
        !has_room(b, sizeof p->words)) {
        log_text(t, p->tags[0], p->texts[0]);
        log_text(t, p->tags[1], p->texts[1]);
        return;
    }
    uint32_t *to = memcpy(b->at, p->words, sizeof p->words);
    log_form_set_id(to, b->later, t->id);
    log_form_set_id(to + p->second, b->later, t->id);
    b->at = to + p->n_words;
    b->records += 2;
}

static struct log_settings
settings_now(void)
{
    return (struct log_settings){ { atomic_load_explicit(&log_mask[0], memory_order_relaxed),
                                    atomic_load_explicit(&log_mask[1], memory_order_relaxed) },
                                  atomic_load_explicit(&record_limit, memory_order_relaxed) };
}

static bool
are_set(const struct log_settings *s)
{
    struct log_settings now = settings_now();
    return s->limit == now.limit && s->mask[0] == now.mask[0] && s->mask[1] == now.mask[1];
}

struct log_mark
log_mark(const struct log_txn *t)
{
    const struct buffer *b = buffer_here();
    bool open = t != NULL && b->batch_id == t->id;
    return (struct log_mark){ open ? b->at : NULL, b->records, b->flushes, settings_now() };
}

uint32_t
log_words_since(const struct log_txn *t, struct log_mark from)
{
    const struct buffer *b = buffer_here();
    bool whole = from.at != NULL && b->batch_id == t->id && b->flushes == from.flushes;
    return whole && are_set(&from.settings) ? (uint32_t)(b->at - from.at) : 0;
}

void
log_copy_since(struct log_mark from, uint32_t n_words, struct log_copy *out)
{
    const struct buffer *b = buffer_here();
    CHECK(from.at != NULL && b->flushes == from.flushes && from.at + n_words == b->at);
    memcpy(out->words, from.at, n_words * sizeof *out->words);
    out->n_words = n_words;
    out->n_records = b->records - from.n_records;
    out->settings = from.settings;
}

/* A formatted record flushes the buffer if it has less than FORMATTED_BYTES_MAX of room, so a copy asks for
 * as much. Flushes then happen between the same records with copies and without. */
bool
log_write_copy(const struct log_txn *t, const struct log_copy *c)
{
    struct buffer *b = buffer_here();
    size_t bytes = c->n_words * sizeof *c->words;
    if (t == NULL || b->batch_id != t->id || !are_set(&c->settings) ||
        atomic_load_explicit(&flush_at_once, memory_order_relaxed) ||
        !has_room(b, bytes + FORMATTED_BYTES_MAX))
        return false;
    bool later = b->later;
    uint32_t *p = memcpy(b->at, c->words, bytes), *end = p + c->n_words;
    for (b->at = end; p < end; p += log_form_head_words(later) + log_form_text_words(p[0]))
        log_form_set_id(p, later, t->id);
    b->records += c->n_records;
    return true;
}
