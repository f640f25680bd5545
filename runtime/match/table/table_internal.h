/* The inside of a table: the rows, and the index of its kind. */
#ifndef VERNIS_MATCH_TABLE_TABLE_INTERNAL_H
#define VERNIS_MATCH_TABLE_TABLE_INTERNAL_H

#include "base/mem.h"
#include "match/table/table.h"

/* Memory that grows at its end. Large pieces are mapped, so that they come and go without a copy, and with
 * large pages, because a look-up in a large table touches a new page each time. */
struct pages {
    char *ptr;
    size_t len, cap;
};

void *pages_add(struct pages *p, size_t n); /* not zeroed; valid until the next call */
void pages_fit(struct pages *p);            /* gives back what is unused */
void pages_release(struct pages *p);

/* A row at `4 * row` bytes: its head, the value, the key; the next row begins at a multiple of 4. */
struct row_head {
    uint16_t key_len, value_len;
};

struct row_link {     /* before the head; exact tables have none */
    uint32_t shorter; /* the row with the longest other key that is a prefix of this one; TABLE_NO_ROW */
};

struct trie {
    struct pages words;
    uint32_t root;
};

struct ranges { /* of one family; ranges.c */
    uint64_t *from;
    uint32_t *row, n;
    struct pages inner;
};

struct table {
    enum table_kind kind;
    uint32_t n_rows;
    uint64_t text_bytes;
    struct pages rows;
    struct pages slots; /* exact */
    struct trie trie;   /* prefix, suffix */
    struct ranges ipv4, ipv6;
};

/* A row that is being sorted. */
struct sorted_row {
    uint64_t chunk; /* the bytes of the key that decide next */
    uint32_t row, number;
};

struct table_build {
    struct table *table;
    struct pages places; /* struct table_place of each row, in order */
};

static inline uint32_t
row_link_bytes(const struct table *t)
{
    return t->kind == TABLE_EXACT ? 0 : sizeof(struct row_link);
}

static inline char *
row_at(const struct table *t, uint32_t row)
{
    return t->rows.ptr + (size_t)row * 4;
}

static inline struct row_head
row_head(const struct table *t, uint32_t row)
{
    struct row_head head;
    memcpy(&head, row_at(t, row) + row_link_bytes(t), sizeof head);
    return head;
}

static inline struct span
row_key(const struct table *t, uint32_t row)
{
    struct row_head head = row_head(t, row);
    return span_of(row_at(t, row) + row_link_bytes(t) + sizeof head + head.value_len, head.key_len);
}

static inline uint32_t
row_shorter(const struct table *t, uint32_t row)
{
    struct row_link link;
    memcpy(&link, row_at(t, row), sizeof link);
    return link.shorter;
}

/* Sorted rows are all over the memory of a table: a walk over them asks for each some rows ahead, with the
 * next line, because a row has its key at its end. */
#define ROWS_AHEAD 16u

static inline void
row_prefetch(const struct table *t, uint32_t row)
{
    const char *at = row_at(t, row);
    __builtin_prefetch(at);
    __builtin_prefetch(at + CACHE_LINE_BYTES);
}

static inline void
row_set_shorter(struct table *t, uint32_t row, uint32_t shorter)
{
    struct row_link link = { .shorter = shorter };
    memcpy(row_at(t, row), &link, sizeof link);
}

/* Two rows with one key, as numbers in the order in which they were added. Of several pairs the one whose
 * second row comes first. */
struct twins {
    uint32_t first, second;
    bool found;
};

static inline void
twins_note(struct twins *t, uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    if (!t->found || second < t->second)
        *t = (struct twins){ .first = first, .second = second, .found = true };
}

/* By key; suffixes from their last byte. The rows are in `sorted`, which is the caller's. */
const struct sorted_row *rows_sort(const struct table *t, struct pages *sorted);

/* Each makes the index of a table whose rows are complete. */
void hash_make(struct table *t, struct twins *twins);
void trie_make(struct table *t, struct twins *twins);
void ranges_make(struct table *t, struct twins *twins);

uint32_t hash_find(const struct table *t, struct span key);
uint32_t trie_find(const struct table *t, struct span text);
uint32_t ranges_find(const struct ranges *r, uint64_t high, uint64_t low);
void ranges_release(struct ranges *r);
uint64_t ranges_bytes(const struct ranges *r);

#endif
