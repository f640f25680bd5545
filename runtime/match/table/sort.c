/* Sorts the rows of a table by their keys: a quicksort over eight bytes of the keys at a time. Keys of a
 * suffix table are compared from their last byte on. No key has a NUL byte, so the zeros behind the end of a
 * key place it before all longer ones. */
#include <endian.h>

#include "base/check.h"
#include "base/mem.h"
#include "match/table/table_internal.h"

#define CHUNK_BYTES 8u
#define FEW 24u /* so many rows are sorted by insertion */

struct sorter {
    const struct table *table;
    bool backward;
};

static uint64_t
chunk_of(const struct sorter *s, uint32_t row, uint32_t depth)
{
    struct span key = row_key(s->table, row);
    uint64_t chunk = 0;
    if (depth >= key.len)
        return 0;
    size_t left = key.len - depth, n = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    if (s->backward) {
        memcpy((char *)&chunk + CHUNK_BYTES - n, key.ptr + key.len - depth - n, n);
        return le64toh(chunk);
    }
    memcpy(&chunk, key.ptr + depth, n);
    return be64toh(chunk);
}

/* Keys with equal chunks at `depth`. A chunk that ends with a zero has the end of its key. */
static int
compare_rest(const struct sorter *s, const struct sorted_row *a, const struct sorted_row *b, uint32_t depth)
{
    uint64_t x = a->chunk, y = b->chunk;
    while (x == y && (x & 0xff) != 0) {
        depth += CHUNK_BYTES;
        x = chunk_of(s, a->row, depth);
        y = chunk_of(s, b->row, depth);
    }
    return (x > y) - (x < y);
}

static void
sort_few(const struct sorter *s, struct sorted_row *rows, size_t n, uint32_t depth)
{
    for (size_t i = 1; i < n; i++) {
        struct sorted_row row = rows[i];
        size_t at = i;
        for (; at > 0 && compare_rest(s, &rows[at - 1], &row, depth) > 0; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

static uint64_t
middle_of(uint64_t a, uint64_t b, uint64_t c)
{
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

static uint64_t
pivot_of(const struct sorted_row *rows, size_t n)
{
    size_t part = n / 8;
    uint64_t at[9];
    for (unsigned i = 0; i < 9; i++)
        at[i] = rows[i * part < n ? i * part : n - 1].chunk;
    return middle_of(middle_of(at[0], at[1], at[2]), middle_of(at[3], at[4], at[5]),
                     middle_of(at[6], at[7], at[8]));
}

static void
swap(struct sorted_row *a, struct sorted_row *b)
{
    struct sorted_row other = *a;
    *a = *b;
    *b = other;
}

/* rows[0..*less) are below the pivot, [*less..*more) equal it, the others are above. */
static void
split(struct sorted_row *rows, size_t n, uint64_t pivot, size_t *less, size_t *more)
{
    size_t low = 0, high = n;
    for (size_t i = 0; i < high;) {
        if (rows[i].chunk < pivot)
            swap(&rows[i++], &rows[low++]);
        else if (rows[i].chunk > pivot)
            swap(&rows[i], &rows[--high]);
        else
            i++;
    }
    *less = low;
    *more = high;
}

static void
sort_part(const struct sorter *s, struct sorted_row *rows, size_t n, uint32_t depth)
{
    while (n > FEW) {
        size_t less, more;
        uint64_t pivot = pivot_of(rows, n);
        split(rows, n, pivot, &less, &more);
        struct part {
            struct sorted_row *rows;
            size_t n;
            uint32_t depth;
        } parts[] = { { rows, less, depth },
                      { rows + more, n - more, depth },
                      { rows + less, more - less, depth + CHUNK_BYTES } };
        if ((pivot & 0xff) == 0) /* the keys end here: they are equal */
            parts[2].n = 0;
        for (size_t i = 0; i < parts[2].n; i++)
            parts[2].rows[i].chunk = chunk_of(s, parts[2].rows[i].row, parts[2].depth);
        /* The longest part is sorted by this loop, so the calls nest only as deep as n has bits. */
        unsigned longest = parts[0].n > parts[1].n ? 0 : 1;
        longest = parts[2].n > parts[longest].n ? 2 : longest;
        for (unsigned i = 0; i < 3; i++)
            if (i != longest)
                sort_part(s, parts[i].rows, parts[i].n, parts[i].depth);
        rows = parts[longest].rows;
        n = parts[longest].n;
        depth = parts[longest].depth;
    }
    sort_few(s, rows, n, depth);
}

struct sorted_row *
rows_sort(const struct table *t)
{
    const struct sorter s = { .table = t, .backward = t->kind == TABLE_SUFFIX };
    struct sorted_row *rows = mem_alloc((t->n_rows + 1) * sizeof *rows);
    uint32_t n = 0;
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row), n++)
        rows[n] = (struct sorted_row){ .chunk = chunk_of(&s, row, 0), .row = row, .number = n };
    CHECK(n == t->n_rows);
    sort_part(&s, rows, n, 0);
    return rows;
}
