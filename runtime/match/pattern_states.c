/* Memory of the states: records, rows, items, and the index that finds a state by its items. All of it counts
 * towards `pattern_table`. */
#include "match/pattern_states.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"

#define FIRST_STATES 16u
#define FIRST_ITEMS 256u
#define FULL_SHARE 64u /* a table with less than this share of its memory left is full */
#define HASH_MASK ((UINT32_C(1) << 24) - 1)

/* ---- memory ------------------------------------------------------------------------------------------ */

static void *
grown(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    CHECK(p != NULL);
    return p;
}

/* In units. */
static size_t
row_length(const struct dfa *dfa)
{
    return (1 + (size_t)dfa->nfa->n_classes + ROW_UNIT - 1) / ROW_UNIT;
}

static size_t
state_bytes(const struct dfa *dfa)
{
    return sizeof dfa->records[0] + sizeof dfa->states[0];
}

size_t
states_bytes(const struct dfa *dfa)
{
    return dfa->cap_states * state_bytes(dfa) + dfa->cap_rows * ROW_UNIT * sizeof dfa->rows[0] +
           dfa->cap_items * sizeof dfa->items[0] + dfa->cap_index * sizeof dfa->index[0];
}

/* The capacity of an array that is to hold `need` elements, or 0 if the table would be too large: twice as
 * many as before, but the array takes at most half of the memory that is left, unless it needs more. */
static size_t
capacity(const struct dfa *dfa, size_t need, size_t cap, size_t element, size_t first)
{
    size_t used = states_bytes(dfa), limit = params.pattern_table_bytes;
    size_t left = used < limit ? limit - used : 0, half = cap + left / 2 / element;
    if ((need - cap) * element > left || left < limit / FULL_SHARE)
        return 0;
    size_t want = cap == 0 ? first : 2 * cap;
    want = want < half ? want : half;
    return want < need ? need : want;
}

/* The first state comes behind the two that are none. The last element tells where the items end. */
static bool
room_for_state(struct dfa *dfa)
{
    size_t need = (dfa->n_states == 0 ? FIRST_STATE : dfa->n_states) + 2;
    if (need <= dfa->cap_states)
        return true;
    size_t cap = capacity(dfa, need, dfa->cap_states, state_bytes(dfa), FIRST_STATES);
    if (cap == 0 || cap > ENTRY_NUMBER)
        return false;
    dfa->cap_states = cap;
    dfa->records = grown(dfa->records, cap * sizeof dfa->records[0]);
    dfa->states = grown(dfa->states, cap * sizeof dfa->states[0]);
    return true;
}

static bool
room_for_row(struct dfa *dfa)
{
    size_t need = dfa->n_rows + row_length(dfa);
    if (need <= dfa->cap_rows)
        return true;
    size_t cap = capacity(dfa, need, dfa->cap_rows, ROW_UNIT * sizeof dfa->rows[0], need);
    if (cap == 0 || cap > ENTRY_NUMBER)
        return false;
    dfa->cap_rows = cap;
    dfa->rows = grown(dfa->rows, cap * ROW_UNIT * sizeof dfa->rows[0]);
    return true;
}

static bool
room_for_items(struct dfa *dfa)
{
    size_t need = dfa->n_items + dfa->n_list;
    if (need <= dfa->cap_items && dfa->cap_items > 0) /* so that a state without items has a place as well */
        return true;
    size_t cap = capacity(dfa, need, dfa->cap_items, sizeof dfa->items[0], FIRST_ITEMS);
    if (cap == 0 || cap > UINT32_MAX)
        return false;
    dfa->cap_items = cap;
    dfa->items = grown(dfa->items, cap * sizeof dfa->items[0]);
    return true;
}

static void
index_add(struct dfa *dfa, size_t state)
{
    size_t at = dfa->states[state].hash & (dfa->cap_index - 1);
    while (dfa->index[at] != 0)
        at = (at + 1) & (dfa->cap_index - 1);
    dfa->index[at] = (uint32_t)state;
}

/* At least a quarter of the index is empty. */
static bool
room_in_index(struct dfa *dfa)
{
    if (4 * (dfa->n_states + FIRST_STATE + 1) <= 3 * dfa->cap_index)
        return true;
    size_t cap = dfa->cap_index == 0 ? 4 * FIRST_STATES : 2 * dfa->cap_index;
    if (states_bytes(dfa) + (cap - dfa->cap_index) * sizeof dfa->index[0] > params.pattern_table_bytes)
        return false;
    free(dfa->index);
    dfa->index = mem_zalloc(cap * sizeof dfa->index[0]);
    dfa->cap_index = cap;
    for (size_t i = FIRST_STATE; i < dfa->n_states; i++)
        index_add(dfa, i);
    return true;
}

void
states_clear(struct dfa *dfa)
{
    dfa->n_states = dfa->n_items = dfa->n_rows = 0;
    dfa->idle = NO_ENTRY;
    if (dfa->cap_index > 0)
        memset(dfa->index, 0, dfa->cap_index * sizeof dfa->index[0]);
}

void
states_drop(struct dfa *dfa)
{
    free(dfa->records);
    free(dfa->states);
    free(dfa->rows);
    free(dfa->items);
    free(dfa->index);
    dfa->records = NULL;
    dfa->states = NULL;
    dfa->rows = NULL;
    dfa->items = NULL;
    dfa->index = NULL;
    dfa->n_states = dfa->cap_states = dfa->n_rows = dfa->cap_rows = 0;
    dfa->n_items = dfa->cap_items = dfa->cap_index = 0;
    dfa->idle = NO_ENTRY;
}

/* ---- states ------------------------------------------------------------------------------------------ */

/* The order of items is not part of a state, so neither is it part of the hash. */
static uint32_t
list_hash(const struct dfa *dfa)
{
    uint64_t sum = dfa->n_list + ((uint64_t)dfa->list_shared << 32);
    for (size_t i = 0; i < dfa->n_list; i++) {
        uint64_t mixed = (dfa->list[i] + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
        sum += (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    sum = (sum ^ sum >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(sum >> 40) & HASH_MASK;
}

static bool
list_is(const struct dfa *dfa, uint32_t number, uint32_t hash)
{
    const struct dfa_state *state = &dfa->states[number];
    if (state->hash != hash || state->shared != dfa->list_shared || state_n_items(dfa, number) != dfa->n_list)
        return false;
    for (uint32_t i = 0; i < dfa->n_list; i++)
        if (!dfa_list_has(dfa, dfa->items[state->items + i]))
            return false;
    return true;
}

static void
record_begin(struct dfa *dfa, size_t number, unsigned flags)
{
    struct dfa_record *record = &dfa->records[number];
    *record = (struct dfa_record){ .flags = (uint8_t)flags };
    for (unsigned i = 0; i < RECORD_RANGES; i++) {
        record->to[i] = RANGE_UNUSED;
        record->span[i] = UINT8_MAX;
    }
}

/* The two numbers that are no states, so that a scan finds out by their flags. */
static void
begin_table(struct dfa *dfa)
{
    for (size_t i = 0; i < FIRST_STATE; i++) {
        record_begin(dfa, i, STATE_NONE);
        dfa->states[i] = (struct dfa_state){ .items = 0 };
    }
    dfa->n_states = FIRST_STATE;
}

/* Copies the items of the list: those that wait for a byte are the last. */
static void
items_add(struct dfa *dfa)
{
    nfa_item *at[4], *next = dfa->items + dfa->n_items;
    for (unsigned kind = ITEM_MATCH; kind <= ITEM_END; kind++) {
        at[kind] = next;
        next += dfa->n_kinds[kind];
    }
    at[ITEM_BYTE] = next;
    for (size_t i = 0; i < dfa->n_list; i++)
        *at[ITEM_KIND(dfa->list[i])]++ = dfa->list[i];
    dfa->n_items += dfa->n_list;
}

static uint32_t
entry_of_row(const struct dfa *dfa, uint32_t state)
{
    bool stop = (dfa->records[state].flags & (STATE_MATCHES | STATE_HAS_ROW)) ==
                (STATE_MATCHES | STATE_HAS_ROW);
    return state_entry(dfa, state) | (stop ? ENTRY_STOP : 0);
}

static void
row_set(uint32_t *row, unsigned first, unsigned last, uint32_t entry)
{
    for (unsigned c = first; c <= last; c++)
        row[1 + c] = entry;
}

static bool
give_row(struct dfa *dfa, uint32_t state)
{
    if (!room_for_row(dfa))
        return false;
    struct dfa_record *record = &dfa->records[state];
    uint32_t entry = (uint32_t)dfa->n_rows, *row = dfa_row(dfa, entry);
    dfa->n_rows += row_length(dfa);
    row[0] = (uint32_t)record->flags << 24 | state;
    row_set(row, 0, dfa->nfa->n_classes - 1, ENTRY_UNKNOWN);
    for (unsigned i = 0; i < RECORD_RANGES && record->to[i] != RANGE_UNUSED; i++) {
        uint32_t next = entry_state(dfa, RANGE_ENTRY(record->to[i])), first = RANGE_FIRST(record->to[i]);
        row_set(row, first, first + record->span[i], entry_of_row(dfa, next));
    }
    record_begin(dfa, state, record->flags | STATE_HAS_ROW);
    record->to[0] = entry;
    return true;
}

/* Makes a state of the list. One without items of its own is where most bytes of a subject lead if none of
 * the patterns begins there, so it has a row from the start. */
static bool
state_add(struct dfa *dfa, uint32_t hash)
{
    if (!room_for_state(dfa) || !room_for_items(dfa) || !room_in_index(dfa))
        return false;
    if (dfa->n_states == 0)
        begin_table(dfa);
    unsigned flags = dfa->n_kinds[ITEM_MATCH] > 0 ? STATE_MATCHES : 0;
    if (dfa->n_kinds[ITEM_END_OR_LF] + dfa->n_kinds[ITEM_END] > 0)
        flags |= STATE_HAS_ENDS;
    record_begin(dfa, dfa->n_states, flags);
    dfa->states[dfa->n_states] = (struct dfa_state){ .hash = hash,
                                                     .shared = dfa->list_shared,
                                                     .items = (uint32_t)dfa->n_items };
    items_add(dfa);
    index_add(dfa, dfa->n_states++);
    dfa->states[dfa->n_states].items = (uint32_t)dfa->n_items;
    uint32_t state = (uint32_t)dfa->n_states - 1;
    if (dfa->n_list > 0)
        return true;
    if (!give_row(dfa, state))
        return false;
    if (dfa->list_shared == 0)
        dfa->idle = state_entry(dfa, state);
    return true;
}

bool
states_of_list(struct dfa *dfa, uint32_t *out)
{
    uint32_t hash = list_hash(dfa);
    for (size_t at = hash & (dfa->cap_index - 1); dfa->cap_index > 0 && dfa->index[at] != 0;
         at = (at + 1) & (dfa->cap_index - 1)) {
        *out = dfa->index[at];
        if (list_is(dfa, *out, hash))
            return true;
    }
    *out = dfa->n_states == 0 ? FIRST_STATE : (uint32_t)dfa->n_states;
    return state_add(dfa, hash);
}

/* ---- transitions ------------------------------------------------------------------------------------- */

bool
states_join(struct dfa *dfa, uint32_t from, unsigned first, unsigned last, uint32_t to)
{
    struct dfa_record *record = &dfa->records[from];
    if ((record->flags & STATE_HAS_ROW) == 0) {
        for (unsigned i = 0; i < RECORD_RANGES; i++) {
            if (record->to[i] != RANGE_UNUSED)
                continue;
            record->to[i] = RANGE_OF(first, state_entry(dfa, to));
            record->span[i] = (uint8_t)(last - first);
            return true;
        }
        if (!give_row(dfa, from))
            return false;
    }
    row_set(dfa_row(dfa, record->to[0]), first, last, entry_of_row(dfa, to));
    return true;
}

void
states_mend(struct dfa *dfa, uint32_t from, unsigned c, uint32_t entry)
{
    struct dfa_record *record = &dfa->records[from];
    if ((record->flags & STATE_HAS_ROW) != 0) {
        row_set(dfa_row(dfa, record->to[0]), c, c, entry_of_row(dfa, entry_state(dfa, entry)));
        return;
    }
    unsigned i = 0;
    while (!range_has(record, i, c))
        i++;
    record->to[i] = RANGE_OF(RANGE_FIRST(record->to[i]), entry);
}
