/* Sorts the rows of a table by their keys, first bytes first. Eight bytes of each key are at hand, its chunk.
 * A step skips the bytes that all keys share, deals the rows by the next byte, and goes on with each part;
 * few rows are sorted by insertion. Keys of a suffix table are compared from their last byte on. No key has a
 * NUL byte, so the zeros behind the end of a key place it before all longer ones. Rows with equal keys keep
 * their order. */
#include <assert.h>
#include <endian.h>

#include "base/check.h"
#include "match/table/table_internal.h"

#define CHUNK_BYTES 8u
#define FEW 24u /* so many rows are sorted by insertion */

struct sorter {
    const struct table *table;
    struct sorted_row *spare; /* room for all rows */
    bool backward;
};

static_assert(sizeof(struct row_link) + sizeof(struct row_head) >= CHUNK_BYTES - 1,
              "eight bytes that end within a key are all in its row");

static uint64_t
chunk_of(const struct sorter *s, uint32_t row, uint32_t depth)
{
    struct span key = row_key(s->table, row);
    uint64_t chunk;
    if (depth >= key.len)
        return 0;
    const char *end = key.ptr + key.len;
    size_t left = key.len - depth;
    unsigned missing_bits = left < CHUNK_BYTES ? 8 * (unsigned)(CHUNK_BYTES - left) : 0;
    if (s->backward) {
        memcpy(&chunk, end - depth - CHUNK_BYTES, CHUNK_BYTES);
        return le64toh(chunk) >> missing_bits << missing_bits;
    }
    memcpy(&chunk, missing_bits > 0 ? end - CHUNK_BYTES : key.ptr + depth, CHUNK_BYTES);
    return be64toh(chunk) << missing_bits;
}

/* A chunk that ends with a zero has the end of its key. */
static bool
has_end(uint64_t chunk)
{
    return (chunk & 0xff) == 0;
}

static void
take_chunks(const struct sorter *s, struct sorted_row *rows, uint32_t n, uint32_t depth)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i + ROWS_AHEAD < n)
            row_prefetch(s->table, rows[i + ROWS_AHEAD].row);
        rows[i].chunk = chunk_of(s, rows[i].row, depth);
    }
}

/* The bits in which chunks differ. */
static uint64_t
differences(const struct sorted_row *rows, uint32_t n)
{
    uint64_t bits = 0;
    for (uint32_t i = 1; i < n; i++)
        bits |= rows[i].chunk ^ rows[0].chunk;
    return bits;
}

/* Sorts by chunks alone. */
static void
insert_few(struct sorted_row *rows, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct sorted_row row = rows[i];
        uint32_t at = i;
        for (; at > 0 && rows[at - 1].chunk > row.chunk; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

/* Deals rows by the first byte of their chunks that differs. ends[b] is the end of those with byte b. */
static void
deal(const struct sorter *s, struct sorted_row *rows, uint32_t n, uint64_t differing, uint32_t ends[256])
{
    unsigned shift = (63 - (unsigned)__builtin_clzll(differing)) & ~7u;
    uint32_t at = 0;
    memset(ends, 0, 256 * sizeof *ends);
    for (uint32_t i = 0; i < n; i++)
        ends[rows[i].chunk >> shift & 0xff]++;
    for (unsigned b = 0; b < 256; b++) {
        uint32_t count = ends[b];
        ends[b] = at;
        at += count;
    }
    for (uint32_t i = 0; i < n; i++)
        s->spare[ends[rows[i].chunk >> shift & 0xff]++] = rows[i];
    memcpy(rows, s->spare, n * sizeof *rows);
}

static void sort_part(const struct sorter *s, struct sorted_row *rows, uint32_t n, uint32_t depth);

static void
sort_few(const struct sorter *s, struct sorted_row *rows, uint32_t n, uint32_t depth)
{
    insert_few(rows, n);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && rows[end].chunk == rows[i].chunk;)
            end++;
        if (end - i == 1 || has_end(rows[i].chunk))
            continue;
        take_chunks(s, rows + i, end - i, depth + CHUNK_BYTES);
        sort_part(s, rows + i, end - i, depth + CHUNK_BYTES);
    }
}

/* Sorts all dealt parts but the longest one. */
static void
sort_shorter(const struct sorter *s, struct sorted_row *rows, const uint32_t ends[256], uint32_t depth,
             uint32_t *longest, uint32_t *longest_n)
{
    *longest = *longest_n = 0;
    for (unsigned b = 0, from = 0; b < 256; from = ends[b++])
        if (ends[b] - from > *longest_n) {
            *longest = from;
            *longest_n = ends[b] - from;
        }
    for (unsigned b = 0, from = 0; b < 256; from = ends[b++])
        if (ends[b] - from > 1 && from != *longest)
            sort_part(s, rows + from, ends[b] - from, depth);
}

/* The chunks of the rows are those at `depth`. This loop goes on with the longest part, and with keys that
 * share a chunk, so the calls nest only as deep as n has bits. */
static void
sort_part(const struct sorter *s, struct sorted_row *rows, uint32_t n, uint32_t depth)
{
    for (;;) {
        uint64_t differing = differences(rows, n);
        if (differing == 0 && (n < 2 || has_end(rows[0].chunk)))
            return; /* equal keys */
        if (differing == 0) {
            depth += CHUNK_BYTES;
            take_chunks(s, rows, n, depth);
        } else if (n <= FEW) {
            sort_few(s, rows, n, depth);
            return;
        } else {
            uint32_t ends[256], longest;
            deal(s, rows, n, differing, ends);
            sort_shorter(s, rows, ends, depth, &longest, &n);
            rows += longest;
        }
    }
}

const struct sorted_row *
rows_sort(const struct table *t, struct pages *sorted)
{
    struct pages spare = { 0 };
    size_t bytes = (t->n_rows + (size_t)1) * sizeof(struct sorted_row);
    struct sorted_row *rows = pages_add(sorted, bytes);
    const struct sorter s = { .table = t,
                              .spare = pages_add(&spare, bytes),
                              .backward = t->kind == TABLE_SUFFIX };
    uint32_t n = 0;
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row), n++)
        rows[n] = (struct sorted_row){ .chunk = chunk_of(&s, row, 0), .row = row, .number = n };
    CHECK(n == t->n_rows);
    sort_part(&s, rows, n, 0);
    pages_release(&spare);
    return rows;
}
