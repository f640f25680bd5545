/* The index of exact tables: a hash table with open addressing. A slot has a part of the key's hash, so that
 * a look-up reads a row only if it is almost certainly the right one. */
#include <xxhash.h>

#include "match/table/table_internal.h"

/* Ten slots for seven rows: a search for an absent key reads six slots on average, most in one cache line. */
#define SLOTS_FOR(rows) ((uint64_t)(rows) * 10 / 7 + 2)

struct slot {
    uint32_t tag;
    uint32_t row_1; /* the row and 1; 0: empty */
};

static uint64_t
first_slot(uint64_t hash, uint64_t n)
{
    return (hash >> 32) * n >> 32;
}

/* How many rows were added before. */
static uint32_t
row_number(const struct table *t, uint32_t row)
{
    uint32_t number = 0;
    for (uint32_t at = table_first(t); at != row; at = table_next(t, at))
        number++;
    return number;
}

void
hash_make(struct table *t, struct twins *twins)
{
    if (t->n_rows == 0)
        return;
    uint64_t n = SLOTS_FOR(t->n_rows);
    struct slot *slots = pages_add(&t->slots, n * sizeof *slots);
    memset(slots, 0, n * sizeof *slots);
    pages_fit(&t->slots);
    slots = (struct slot *)(void *)t->slots.ptr;
    uint32_t number = 0;
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row), number++) {
        struct span key = row_key(t, row);
        uint64_t hash = XXH3_64bits(key.ptr, key.len), at = first_slot(hash, n);
        for (; slots[at].row_1 != 0; at = at + 1 == n ? 0 : at + 1)
            if (slots[at].tag == (uint32_t)hash && span_eq(row_key(t, slots[at].row_1 - 1), key)) {
                *twins = (struct twins){ .first = row_number(t, slots[at].row_1 - 1),
                                         .second = number,
                                         .found = true };
                return;
            }
        slots[at] = (struct slot){ .tag = (uint32_t)hash, .row_1 = row + 1 };
    }
}

uint32_t
hash_find(const struct table *t, struct span key)
{
    const struct slot *slots = (const struct slot *)(const void *)t->slots.ptr;
    uint64_t n = SLOTS_FOR(t->n_rows), hash = XXH3_64bits(key.ptr, key.len);
    for (uint64_t at = first_slot(hash, n); slots[at].row_1 != 0; at = at + 1 == n ? 0 : at + 1)
        if (slots[at].tag == (uint32_t)hash && span_eq(row_key(t, slots[at].row_1 - 1), key))
            return slots[at].row_1 - 1;
    return TABLE_NO_ROW;
}
