/* States are numbered by the place of their row, so that a step of a scan is one addition and one load. A
 * negative entry of a row is an exception: a transition that was not made yet, a state that matches patterns,
 * or the end of the search.
 *
 * A subject that makes many transitions costs more than a search by PCRE2. Three rules limit this cost: the
 * transitions of one scan take at most a certain work; a table that is full before it was worth its making
 * rests, which leaves the next subjects to PCRE2, and so does one that cannot make a transition within this
 * work; each rest in a row is twice as long. */
#include "match/pattern_dfa.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "match/pattern_bits.h"

/* Work is counted in items that are read or listed, because states of hostile patterns have millions. */
#define SCAN_WORK (512u * TRANSITION_WORK) /* of one scan, and PATTERN_WORK for each pattern */
#define PATTERN_WORK 256u
#define TRANSITION_WORK 512u /* of each transition, beside its items */
#define WORTH_BYTES 16u      /* read for each transition made: fewer, and PCRE2 would have been faster */
#define REST_FIRST 1024u     /* scans */
#define REST_MAX 65536u
#define FIRST_STATES 16u
#define FIRST_ITEMS 256u
#define WORD_BITS 64u
#define APART __attribute__((noinline)) /* rare: its registers would cost each scan */

/* Entries of a row below 0. MATCHING | s is a state with patterns that have matched. */
#define MATCHING INT32_MIN
#define UNKNOWN (-1)
#define DEAD (-2) /* no pattern can match any more */
#define FULL (-3) /* only of dfa_learn: no decision */
#define ROWS_MAX ((size_t)INT32_MAX - 256)
/* The last entry of a row. */
#define NO_ENDS 0
#define HAS_ENDS 1 /* the state has items that match at the end of the subject */

/* The items that wait for a byte come first, then those of each other kind. */
struct dfa_state {
    uint64_t hash;
    size_t items;
    uint32_t ends[4]; /* by kind: the number of items up to there */
};

/* ---- the items of a new state ------------------------------------------------------------------------ */

static void *
grown(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    CHECK(p != NULL);
    return p;
}

static void
list_add(struct dfa *dfa, const nfa_item *items, size_t n)
{
    if (n > dfa->cap_list - dfa->n_list) {
        dfa->cap_list = 2 * (dfa->n_list + n);
        dfa->list = grown(dfa->list, dfa->cap_list * sizeof dfa->list[0]);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t place = nfa_place(dfa->nfa, items[i]);
        uint64_t *word = &dfa->seen[place / WORD_BITS], bit = UINT64_C(1) << place % WORD_BITS;
        if ((*word & bit) != 0)
            continue;
        *word |= bit;
        dfa->list[dfa->n_list++] = items[i];
        dfa->n_kinds[ITEM_KIND(items[i])]++;
    }
}

static bool
list_has(const struct dfa *dfa, nfa_item item)
{
    uint32_t place = nfa_place(dfa->nfa, item);
    return (dfa->seen[place / WORD_BITS] >> place % WORD_BITS & 1) != 0;
}

static void
list_forget(struct dfa *dfa, nfa_item item)
{
    uint32_t place = nfa_place(dfa->nfa, item);
    dfa->seen[place / WORD_BITS] &= ~(UINT64_C(1) << place % WORD_BITS);
}

static void
list_clear(struct dfa *dfa)
{
    for (size_t i = 0; i < dfa->n_list; i++)
        list_forget(dfa, dfa->list[i]);
    dfa->n_list = 0;
    memset(dfa->n_kinds, 0, sizeof dfa->n_kinds);
}

/* A pattern that has matched stays matched, so its other items are dropped. */
static void
list_drop_matched(struct dfa *dfa)
{
    size_t kept = 0;
    for (size_t i = 0; i < dfa->n_list; i++) {
        nfa_item item = dfa->list[i];
        unsigned kind = ITEM_KIND(item);
        if (kind == ITEM_MATCH || !list_has(dfa, ITEM_OF(ITEM_MATCH, nfa_pattern(dfa->nfa, item)))) {
            dfa->list[kept++] = item;
        } else {
            list_forget(dfa, item);
            dfa->n_kinds[kind]--;
        }
    }
    dfa->n_list = kept;
}

struct dfa_totals dfa_totals;

static bool
spend(struct dfa *dfa, size_t work)
{
    if (work > dfa->work)
        return false;
    dfa->work -= work;
    return true;
}

/* Lists the followers of a byte of class c in the state. false: that is too much work for this scan. */
static bool
list_follow(struct dfa *dfa, const struct dfa_state *state, unsigned c)
{
    const struct nfa *nfa = dfa->nfa;
    const nfa_item *items = dfa->items + state->items;
    struct nfa_list follow = nfa_list_at(&nfa->follow, nfa->follow_at[c]);
    if (!spend(dfa, TRANSITION_WORK + (size_t)state->ends[ITEM_BYTE] + follow.n))
        return false;
    for (uint32_t i = 0; i < state->ends[ITEM_BYTE]; i++) {
        const struct nfa_step *step = &nfa->steps[items[i]];
        if (!byte_set_has(&nfa->sets[step->set], c))
            continue;
        struct nfa_list list = nfa_target(nfa, &step->next);
        if (!spend(dfa, list.n))
            return false;
        list_add(dfa, list.items, list.n);
    }
    list_add(dfa, follow.items, follow.n);
    if (dfa->n_kinds[ITEM_MATCH] > 0)
        list_drop_matched(dfa);
    return true;
}

/* The order of items is not part of a state, so neither is it part of the hash. */
static uint64_t
list_hash(const struct dfa *dfa)
{
    uint64_t sum = dfa->n_list;
    for (size_t i = 0; i < dfa->n_list; i++) {
        uint64_t mixed = (dfa->list[i] + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
        sum += (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return sum ^ sum >> 31;
}

static bool
list_is(const struct dfa *dfa, const struct dfa_state *state, uint64_t hash)
{
    if (state->hash != hash || state->ends[ITEM_END] != dfa->n_list)
        return false;
    for (uint32_t i = 0; i < dfa->n_list; i++)
        if (!list_has(dfa, dfa->items[state->items + i]))
            return false;
    return true;
}

/* ---- states ------------------------------------------------------------------------------------------ */

static void
count(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
                          memory_order_relaxed);
}

/* Entries of a row. */
static size_t
row_length(const struct dfa *dfa)
{
    return dfa->nfa->n_classes + (size_t)1;
}

static size_t
state_bytes(const struct dfa *dfa)
{
    return row_length(dfa) * sizeof dfa->rows[0] + sizeof dfa->states[0];
}

static size_t
dfa_bytes(const struct dfa *dfa)
{
    return dfa->cap_states * state_bytes(dfa) + dfa->cap_items * sizeof dfa->items[0] +
           dfa->cap_index * sizeof dfa->index[0];
}

/* The capacity of an array that is to hold `need` elements, or 0 if the table would be too large: as many as
 * needed, twice as many as before if there is room. */
static size_t
capacity(const struct dfa *dfa, size_t need, size_t cap, size_t element, size_t first)
{
    size_t used = dfa_bytes(dfa), limit = params.pattern_table_bytes;
    size_t most = cap + (used < limit ? (limit - used) / element : 0);
    size_t want = cap == 0 ? first : 2 * cap;
    want = want < need ? need : want;
    want = want < most ? want : most;
    return want < need ? 0 : want;
}

static bool
room_for_state(struct dfa *dfa)
{
    if (dfa->n_states < dfa->cap_states)
        return true;
    size_t cap = capacity(dfa, dfa->n_states + 1, dfa->cap_states, state_bytes(dfa), FIRST_STATES);
    if (cap == 0 || cap * row_length(dfa) > ROWS_MAX)
        return false;
    dfa->cap_states = cap;
    dfa->rows = grown(dfa->rows, cap * row_length(dfa) * sizeof dfa->rows[0]);
    dfa->states = grown(dfa->states, cap * sizeof dfa->states[0]);
    return true;
}

static bool
room_for_items(struct dfa *dfa)
{
    size_t need = dfa->n_items + dfa->n_list;
    if (need <= dfa->cap_items && dfa->cap_items > 0) /* so that a state without items has a place as well */
        return true;
    size_t cap = capacity(dfa, need, dfa->cap_items, sizeof dfa->items[0], FIRST_ITEMS);
    if (cap == 0)
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
    dfa->index[at] = (uint32_t)state + 1;
}

/* At least half of the index is empty. */
static bool
room_in_index(struct dfa *dfa)
{
    if (2 * (dfa->n_states + 1) <= dfa->cap_index)
        return true;
    size_t cap = dfa->cap_index == 0 ? 4 * FIRST_STATES : 2 * dfa->cap_index;
    if (dfa_bytes(dfa) + (cap - dfa->cap_index) * sizeof dfa->index[0] > params.pattern_table_bytes)
        return false;
    free(dfa->index);
    dfa->index = mem_zalloc(cap * sizeof dfa->index[0]);
    dfa->cap_index = cap;
    for (size_t i = 0; i < dfa->n_states; i++)
        index_add(dfa, i);
    return true;
}

/* Makes a state of the list. */
static bool
state_add(struct dfa *dfa, uint64_t hash)
{
    if (!room_for_state(dfa) || !room_for_items(dfa) || !room_in_index(dfa))
        return false;
    struct dfa_state *state = &dfa->states[dfa->n_states];
    *state = (struct dfa_state){ .hash = hash, .items = dfa->n_items };
    nfa_item *at[4];
    uint32_t n = 0;
    for (unsigned kind = 0; kind < 4; kind++) {
        at[kind] = dfa->items + dfa->n_items + n;
        n += dfa->n_kinds[kind];
        state->ends[kind] = n;
    }
    for (size_t i = 0; i < dfa->n_list; i++)
        *at[ITEM_KIND(dfa->list[i])]++ = dfa->list[i];
    int32_t *row = dfa->rows + dfa->n_states * row_length(dfa);
    for (unsigned c = 0; c < dfa->nfa->n_classes; c++)
        row[c] = UNKNOWN;
    row[dfa->nfa->n_classes] = state->ends[ITEM_END] > state->ends[ITEM_MATCH] ? HAS_ENDS : NO_ENDS;
    dfa->n_items += n;
    index_add(dfa, dfa->n_states++);
    return true;
}

/* Sets *out to the number of the state that has the items of the list; makes the state if it is new. */
static bool
state_of_list(struct dfa *dfa, size_t *out)
{
    uint64_t hash = list_hash(dfa);
    for (size_t at = hash & (dfa->cap_index - 1); dfa->cap_index > 0 && dfa->index[at] != 0;
         at = (at + 1) & (dfa->cap_index - 1)) {
        *out = dfa->index[at] - 1;
        if (list_is(dfa, &dfa->states[*out], hash))
            return true;
    }
    *out = dfa->n_states;
    return state_add(dfa, hash);
}

static void
drop_table(struct dfa *dfa)
{
    free(dfa->rows);
    free(dfa->states);
    free(dfa->items);
    free(dfa->index);
    dfa->rows = NULL;
    dfa->states = NULL;
    dfa->items = NULL;
    dfa->index = NULL;
    dfa->n_states = dfa->cap_states = dfa->n_items = dfa->cap_items = dfa->cap_index = 0;
}

static void
rest(struct dfa *dfa)
{
    atomic_fetch_add_explicit(&dfa_totals.rests, 1, memory_order_relaxed);
    dfa->rest = dfa->next_rest;
    dfa->next_rest = dfa->next_rest < REST_MAX ? 2 * dfa->next_rest : REST_MAX;
}

static void
flush(struct dfa *dfa)
{
    dfa->n_states = dfa->n_items = 0;
    if (dfa->cap_index > 0)
        memset(dfa->index, 0, dfa->cap_index * sizeof dfa->index[0]);
    if (dfa->bytes_since * dfa->nfa->n_added < dfa->transitions_since * WORTH_BYTES)
        rest(dfa);
    else
        dfa->next_rest = REST_FIRST;
    dfa->bytes_since = dfa->transitions_since = 0;
    count(&dfa->counts.flushes, 1);
    atomic_fetch_add_explicit(&dfa_totals.flushes, 1, memory_order_relaxed);
}

/* ---- scans ------------------------------------------------------------------------------------------- */

/* Makes the first state. If it does not fit, the next try has all the memory of the table for it. */
static APART bool
begin(struct dfa *dfa)
{
    size_t state = 0;
    list_add(dfa, dfa->nfa->start.at, dfa->nfa->start.n);
    bool good = state_of_list(dfa, &state);
    list_clear(dfa);
    if (!good) {
        drop_table(dfa);
        rest(dfa);
    }
    return good;
}

/* Makes the transition from `row` for bytes of class c, and returns its entry, or FULL. */
static APART int32_t
learn(struct dfa *dfa, int32_t row, unsigned c)
{
    size_t state;
    int32_t entry = DEAD;
    if (!list_follow(dfa, &dfa->states[(size_t)row / row_length(dfa)], c)) {
        list_clear(dfa);
        return FULL;
    }
    dfa->made++;
    dfa->transitions_since++;
    if (dfa->n_list > 0 || dfa->nfa->floating.n > 0) {
        bool matching = dfa->n_kinds[ITEM_MATCH] > 0;
        entry = state_of_list(dfa, &state) ? (int32_t)(state * row_length(dfa)) : FULL;
        if (entry != FULL && matching)
            entry |= MATCHING;
    }
    list_clear(dfa);
    if (entry == FULL)
        flush(dfa);
    else
        dfa->rows[(size_t)row + c] = entry;
    return entry;
}

/* Sets the bits of the patterns whose items in the state have a kind from `from` to `to`. */
static APART void
set_bits(const struct dfa *dfa, int32_t row, unsigned from, unsigned to, uint64_t *bits)
{
    const struct dfa_state *state = &dfa->states[(size_t)row / row_length(dfa)];
    const nfa_item *items = dfa->items + state->items;
    for (uint32_t i = state->ends[from - 1]; i < state->ends[to]; i++)
        bits_add(bits, dfa->summary, ITEM_NUMBER(items[i]));
}

/* Reads bytes while their transitions are known and match nothing. Sets *row to the row of the last state and
 * returns the first byte that was not read. Four steps a round, because a step is so short. */
static const uint8_t *
run_known(const struct dfa *dfa, int32_t *row, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *class_of = dfa->nfa->class_of;
    const int32_t *rows = dfa->rows, *here = rows + *row;
    int32_t next;
#define STEP \
    next = here[class_of[*at]]; \
    if (__builtin_expect(next < 0, 0)) \
        goto done; \
    here = rows + next; \
    at++
    while (end - at >= 4) {
        STEP;
        STEP;
        STEP;
        STEP;
    }
    while (at < end) {
        STEP;
    }
#undef STEP
done:
    *row = (int32_t)(here - rows);
    return at;
}

/* Reads bytes from the state of `row` on. Returns the row of the last state, DEAD or FULL. */
static int32_t
run(struct dfa *dfa, int32_t row, const uint8_t *at, const uint8_t *end, uint64_t *bits)
{
    while ((at = run_known(dfa, &row, at, end)) < end) {
        unsigned c = dfa->nfa->class_of[*at++];
        int32_t next = dfa->rows[(size_t)row + c];
        if (next == UNKNOWN)
            next = learn(dfa, row, c);
        if (next == DEAD || next == FULL)
            return next;
        row = next & ~MATCHING;
        if (next < 0)
            set_bits(dfa, row, ITEM_MATCH, ITEM_MATCH, bits);
    }
    return row;
}

/* A `$` holds before a line feed at the end, so the scan stops there once. */
static int32_t
run_all(struct dfa *dfa, struct span subject, uint64_t *bits)
{
    const uint8_t *at = (const uint8_t *)subject.ptr, *end = at + subject.len;
    const uint8_t *stop = subject.len > 0 && end[-1] == '\n' ? end - 1 : end;
    int32_t row = 0;
    for (;; at = stop, stop = end) {
        row = run(dfa, row, at, stop, bits);
        if (row < 0 || stop == end)
            break;
        set_bits(dfa, row, ITEM_END_OR_LF, ITEM_END_OR_LF, bits);
    }
    if (row >= 0 && dfa->rows[(size_t)row + dfa->nfa->n_classes] == HAS_ENDS)
        set_bits(dfa, row, ITEM_END_OR_LF, ITEM_END, bits);
    return row;
}

static void
count_bytes(struct dfa *dfa, uint64_t bytes)
{
    uint64_t before = atomic_load_explicit(&dfa->counts.bytes, memory_order_relaxed);
    atomic_store_explicit(&dfa->counts.bytes, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&dfa_totals.bytes, bytes - before, memory_order_relaxed);
}

static APART void
count_undecided(struct dfa *dfa)
{
    count(&dfa->counts.undecided, 1);
    atomic_fetch_add_explicit(&dfa_totals.undecided, 1, memory_order_relaxed);
}

static APART void
count_work(struct dfa *dfa)
{
    size_t lists = nfa_places(dfa->nfa) / 8 + dfa->cap_list * sizeof dfa->list[0];
    count(&dfa->counts.transitions, dfa->made);
    count(&dfa->counts.work, dfa->scan_work - dfa->work);
    count_bytes(dfa, dfa_bytes(dfa) + lists);
}

bool
dfa_scan(struct dfa *dfa, struct span subject, uint64_t *bits)
{
    int32_t row = FULL;
    count(&dfa->counts.scans, 1);
    dfa->work = dfa->scan_work;
    dfa->made = 0;
    if (dfa->rest > 0)
        dfa->rest--;
    else if (dfa->n_states > 0 || begin(dfa))
        row = run_all(dfa, subject, bits);
    if (row == FULL)
        count_undecided(dfa);
    else
        dfa->bytes_since += subject.len;
    if (dfa->work < dfa->scan_work) {
        if (dfa->made == 0)
            rest(dfa);
        count_work(dfa);
    }
    return row != FULL;
}

void
dfa_init(struct dfa *dfa, const struct nfa *nfa, size_t summary)
{
    *dfa = (struct dfa){ .nfa = nfa, .summary = summary, .next_rest = REST_FIRST };
    dfa->scan_work = SCAN_WORK + (size_t)PATTERN_WORK * nfa->n_added;
    dfa->seen = mem_zalloc((nfa_places(nfa) / WORD_BITS + 1) * sizeof dfa->seen[0]);
}

void
dfa_release(struct dfa *dfa)
{
    count_bytes(dfa, 0);
    drop_table(dfa);
    free(dfa->seen);
    free(dfa->list);
    *dfa = (struct dfa){ 0 };
}
