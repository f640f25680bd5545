/* The states of an automaton, and the transitions that are known. A state has a record of 16 bytes for up to
 * three ranges of byte classes, because few states ever see more; one that sees more gets a row with an entry
 * for each class. Records lie in the order in which subjects led to their states, so that a later subject on
 * the same way reads neighbours. Belongs together with match/pattern_dfa: that header has the
 * table, this one what the table consists of. */
#ifndef VERNIS_MATCH_PATTERN_STATES_H
#define VERNIS_MATCH_PATTERN_STATES_H

#include "match/pattern_dfa.h"

/* An entry says where a byte leads: to the record of a state, by its number, or to a row, by its place in
 * units of ROW_UNIT. */
#define ENTRY_RECORD (UINT32_C(1) << 23)
#define ENTRY_NUMBER (ENTRY_RECORD - 1)
#define ENTRY_MASK (2 * ENTRY_RECORD - 1)
#define ENTRY_STOP (UINT32_C(1) << 31) /* only in rows: the row is of a state that matches patterns */
#define ROW_UNIT 4u                    /* entries: 16 bytes */
/* The first two numbers of states. */
#define ENTRY_UNKNOWN ENTRY_RECORD    /* a transition that was not made yet */
#define ENTRY_DEAD (ENTRY_RECORD | 1) /* no pattern can match any more */
#define FIRST_STATE 2u
#define ENTRY_FULL UINT32_MAX /* only returned: no decision */
#define NO_ENTRY UINT32_MAX   /* in dfa.idle: that state was not made yet */

#define RECORD_RANGES 3u
#define STATE_HAS_ENDS 1u /* has items that match at the end of the subject */
#define STATE_MATCHES 2u
#define STATE_HAS_ROW 4u /* to[0] is its entry, and there are no ranges */
#define STATE_NONE 8u    /* UNKNOWN, DEAD */
#define STATE_STOPS (STATE_MATCHES | STATE_HAS_ROW | STATE_NONE)

/* A range of classes: in the lower 8 bits the first class, behind which `span` of the record has the number
 * of further ones; above, the entry that they lead to. A range that is not used yet has all classes and leads
 * to UNKNOWN. */
#define RANGE_OF(first, entry) ((uint32_t)(entry) << 8 | (first))
#define RANGE_FIRST(range) ((uint8_t)(range))
#define RANGE_ENTRY(range) ((range) >> 8)
#define RANGE_UNUSED RANGE_OF(0, ENTRY_UNKNOWN)

struct dfa_record {
    uint32_t to[RECORD_RANGES];
    uint8_t span[RECORD_RANGES];
    uint8_t flags;
};
_Static_assert(sizeof(struct dfa_record) == 16, "four records in a cache line");

/* Its items begin at `items` and end where those of the next state begin: first those that match, then those
 * that wait for a byte. Those of the shared list number `shared` of the nfa, if it is not 0, belong to the
 * state as well. */
struct dfa_state {
    uint32_t hash : 24, shared : 8;
    uint32_t items;
};

/* Does range i have the class c? */
static inline bool
range_has(const struct dfa_record *record, unsigned i, unsigned c)
{
    return (uint8_t)(c - record->to[i]) <= record->span[i];
}

static inline uint32_t
record_entry(const struct dfa_record *record, unsigned c)
{
    if (range_has(record, 0, c))
        return RANGE_ENTRY(record->to[0]);
    if (range_has(record, 1, c))
        return RANGE_ENTRY(record->to[1]);
    return range_has(record, 2, c) ? RANGE_ENTRY(record->to[2]) : ENTRY_UNKNOWN;
}

/* The first word of a row is the number of its state, with the flags above. */
static inline uint32_t *
dfa_row(const struct dfa *dfa, uint32_t entry)
{
    return dfa->rows + (size_t)entry * ROW_UNIT;
}

static inline uint32_t
row_flags(const uint32_t *row)
{
    return row[0] >> 24;
}

static inline uint32_t
entry_state(const struct dfa *dfa, uint32_t entry)
{
    return ((entry & ENTRY_RECORD) != 0 ? entry : dfa_row(dfa, entry)[0]) & ENTRY_NUMBER;
}

static inline uint32_t
state_entry(const struct dfa *dfa, uint32_t state)
{
    const struct dfa_record *record = &dfa->records[state];
    return (record->flags & STATE_HAS_ROW) != 0 ? record->to[0] : ENTRY_RECORD | state;
}

static inline bool
dfa_list_has(const struct dfa *dfa, nfa_item item)
{
    uint32_t place = nfa_place(dfa->nfa, item);
    return (dfa->seen[place / 64] >> place % 64 & 1) != 0;
}

static inline uint32_t
state_n_items(const struct dfa *dfa, uint32_t state)
{
    return dfa->states[state + 1].items - dfa->states[state].items;
}

/* Sets *out to the number of the state that has the items of the list; makes the state if it is new. false:
 * the table is full. */
bool states_of_list(struct dfa *dfa, uint32_t *out);
/* Bytes of the classes from `first` to `last` lead from one state to the other. false: the table is full. */
bool states_join(struct dfa *dfa, uint32_t from, unsigned first, unsigned last, uint32_t to);
/* The state that bytes of class c lead to has got a row. */
void states_mend(struct dfa *dfa, uint32_t from, unsigned c, uint32_t entry);
void states_clear(struct dfa *dfa); /* keeps the memory */
void states_drop(struct dfa *dfa);
size_t states_bytes(const struct dfa *dfa);

#endif
