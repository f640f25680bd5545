/* A scan follows the known transitions (pattern_states.h) and makes those that are missing.
 *
 * A subject that makes many transitions costs more than a search by PCRE2. Three rules limit this cost: the
 * transitions of one scan take at most a certain work; a table that is full before it was worth its making
 * rests, which leaves the next subjects to PCRE2, and so does one that cannot make a transition within this
 * work; each rest in a row is twice as long. */
#include "match/pattern_dfa.h"

#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/check.h"
#include "base/mem.h"
#include "match/pattern_bits.h"
#include "match/pattern_states.h"

/* Work is counted in items that are read or listed, because states of hostile patterns have millions. */
#define SCAN_WORK (512u * TRANSITION_WORK) /* of one scan, and PATTERN_WORK for each pattern */
#define PATTERN_WORK 256u
#define TRANSITION_WORK 512u /* of each transition, beside its items */
#define WORTH_BYTES 16u      /* read for each transition made: fewer, and PCRE2 would have been faster */
#define REST_FIRST 1024u     /* scans */
#define REST_MAX 65536u
#define RANGE_ITEMS 8u /* of a state with more, each class is tried by itself */
#define WORD_BITS 64u
#define APART __attribute__((noinline)) /* rare: its registers would cost each scan */

/* ---- the items of a new state ------------------------------------------------------------------------ */

/* Without those that the state has anyway, from its shared list. */
static void
list_add(struct dfa *dfa, const nfa_item *items, size_t n, const struct nfa_list *shared)
{
    if (n > dfa->cap_list - dfa->n_list) {
        dfa->cap_list = 2 * (dfa->n_list + n);
        dfa->list = realloc(dfa->list, dfa->cap_list * sizeof dfa->list[0]);
        CHECK(dfa->list != NULL);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t place = nfa_place(dfa->nfa, items[i]);
        uint64_t *word = &dfa->seen[place / WORD_BITS], bit = UINT64_C(1) << place % WORD_BITS;
        if ((*word & bit) != 0 || nfa_list_has(shared, items[i]))
            continue;
        *word |= bit;
        dfa->list[dfa->n_list++] = items[i];
        dfa->n_kinds[ITEM_KIND(items[i])]++;
    }
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
    dfa->n_list = dfa->list_shared = 0;
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
        if (kind == ITEM_MATCH || !dfa_list_has(dfa, ITEM_OF(ITEM_MATCH, nfa_pattern(dfa->nfa, item)))) {
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

/* Lists what follows a byte of class c behind the items that wait for one. false: that is too much work for
 * this scan. */
static bool
list_targets(struct dfa *dfa, const nfa_item *items, uint32_t n, unsigned c)
{
    const struct nfa *nfa = dfa->nfa;
    struct nfa_list shared = nfa_shared(nfa, dfa->list_shared);
    for (uint32_t i = 0; i < n; i++) {
        const struct nfa_step *step = &nfa->steps[items[i]];
        if (!byte_set_has(&nfa->sets[step->set], c))
            continue;
        struct nfa_list list = nfa_target(nfa, &step->next);
        if (!spend(dfa, list.n))
            return false;
        list_add(dfa, list.items, list.n, &shared);
    }
    return true;
}

/* The items of the state that wait for a byte. */
static struct nfa_list
waiting_items(const struct dfa *dfa, uint32_t state)
{
    const nfa_item *items = dfa->items + dfa->states[state].items;
    uint32_t n = state_n_items(dfa, state), first = 0;
    while (first < n && ITEM_KIND(items[first]) != ITEM_BYTE)
        first++;
    return (struct nfa_list){ items + first, n - first };
}

/* Lists the followers of a byte of class c in the state. */
static bool
list_follow(struct dfa *dfa, uint32_t state, unsigned c)
{
    const struct nfa *nfa = dfa->nfa;
    struct nfa_list follow = nfa_list_at(&nfa->follow, nfa->follow_at[c]), own = waiting_items(dfa, state),
                    shared = nfa_shared(nfa, dfa->states[state].shared);
    dfa->list_shared = nfa->shared_of[c];
    if (!spend(dfa, TRANSITION_WORK + (size_t)own.n + shared.n + (dfa->list_shared == 0 ? follow.n : 0)))
        return false;
    if (!list_targets(dfa, own.items, own.n, c) || !list_targets(dfa, shared.items, shared.n, c))
        return false;
    if (dfa->list_shared == 0)
        list_add(dfa, follow.items, follow.n, &(struct nfa_list){ 0 });
    if (dfa->n_kinds[ITEM_MATCH] > 0)
        list_drop_matched(dfa);
    return true;
}

/* ---- counters and rests ------------------------------------------------------------------------------ */

static void
count(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
                          memory_order_relaxed);
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
    states_clear(dfa);
    if (dfa->bytes_since * dfa->nfa->n_added < dfa->transitions_since * WORTH_BYTES)
        rest(dfa);
    else
        dfa->next_rest = REST_FIRST;
    dfa->bytes_since = dfa->transitions_since = 0;
    count(&dfa->counts.flushes, 1);
    atomic_fetch_add_explicit(&dfa_totals.flushes, 1, memory_order_relaxed);
}

/* ---- transitions ------------------------------------------------------------------------------------- */

/* Makes the first state. If it does not fit, the next try has all the memory of the table for it. */
static APART bool
begin(struct dfa *dfa)
{
    uint32_t state;
    list_add(dfa, dfa->nfa->start.at, dfa->nfa->start.n, &(struct nfa_list){ 0 });
    bool good = states_of_list(dfa, &state);
    list_clear(dfa);
    if (!good) {
        states_drop(dfa);
        rest(dfa);
    }
    return good;
}

/* Do bytes of the two classes lead to the same state? false also if that is not cheap to find out. */
static bool
alike(const struct dfa *dfa, struct nfa_list items, unsigned c, unsigned d)
{
    const struct nfa *nfa = dfa->nfa;
    if (nfa->follow_at[c] != nfa->follow_at[d])
        return false;
    for (uint32_t i = 0; i < items.n; i++) {
        const struct byte_set *set = &nfa->sets[nfa->steps[items.items[i]].set];
        if (byte_set_has(set, c) != byte_set_has(set, d))
            return false;
    }
    return true;
}

/* Joins two states for bytes of class c, and for those of the classes beside it that lead there as well. */
static bool
join(struct dfa *dfa, uint32_t from, unsigned c, uint32_t to)
{
    struct nfa_list items = waiting_items(dfa, from);
    unsigned first = c, last = c;
    if (items.n <= RANGE_ITEMS && dfa->states[from].shared == 0) {
        while (first > 0 && alike(dfa, items, c, first - 1))
            first--;
        while (last + 1 < dfa->nfa->n_classes && alike(dfa, items, c, last + 1))
            last++;
    }
    return states_join(dfa, from, first, last, to);
}

/* Makes the transition from the state for bytes of class c. Returns its entry, or FULL. */
static APART uint32_t
learn(struct dfa *dfa, uint32_t from, unsigned c)
{
    uint32_t to = ENTRY_DEAD & ENTRY_NUMBER;
    if (!list_follow(dfa, from, c)) {
        list_clear(dfa);
        return ENTRY_FULL;
    }
    dfa->made++;
    dfa->transitions_since++;
    bool some = dfa->n_list > 0 || dfa->nfa->floating.n > 0;
    bool good = (!some || states_of_list(dfa, &to)) && join(dfa, from, c, to);
    list_clear(dfa);
    if (good)
        return state_entry(dfa, to);
    flush(dfa);
    return ENTRY_FULL;
}

/* Where a byte of class c leads from the entry: known or made now. */
static APART uint32_t
step(struct dfa *dfa, uint32_t here, unsigned c)
{
    bool in_record = (here & ENTRY_RECORD) != 0;
    uint32_t from = entry_state(dfa, here);
    uint32_t next = (in_record ? record_entry(&dfa->records[from], c) : dfa_row(dfa, here)[1 + c]) &
                    ENTRY_MASK;
    if (next == ENTRY_UNKNOWN)
        return learn(dfa, from, c);
    uint32_t moved = state_entry(dfa, entry_state(dfa, next));
    if (moved != next)
        states_mend(dfa, from, c, moved);
    return moved;
}

/* ---- scans ------------------------------------------------------------------------------------------- */

/* Sets the bits of the patterns whose items in the state have a kind from `from` to `to`. */
static APART void
set_bits(const struct dfa *dfa, uint32_t state, unsigned from, unsigned to, uint64_t *bits)
{
    const nfa_item *item = dfa->items + dfa->states[state].items, *end = item + state_n_items(dfa, state);
    for (; item < end && ITEM_KIND(*item) != ITEM_BYTE; item++)
        if (ITEM_KIND(*item) >= from && ITEM_KIND(*item) <= to)
            bits_add(bits, dfa->summary, ITEM_NUMBER(*item));
}

/* `at` leads from the record's state to the state itself. Returns the first byte behind it that does not lead
 * there by the same range: repeats such as [0-9]+ and .* take most bytes of a subject that matches. */
static APART const uint8_t *
skip_same(const struct dfa_record *record, const uint8_t *class_of, const uint8_t *at, const uint8_t *end)
{
    unsigned i = 0, c = class_of[*at];
    while (!range_has(record, i, c))
        i++;
    unsigned first = RANGE_FIRST(record->to[i]), span = record->span[i];
    do
        at++;
    while (at < end && (uint8_t)(class_of[*at] - first) <= span);
    return at;
}

/* May a pattern that begins at this byte match? The byte begins some. */
static inline bool
may_begin(const struct nfa *nfa, const uint8_t *at, const uint8_t *end)
{
    unsigned opening = nfa->begins[*at];
    return end - at < OPENING_MAX || opening < OPENING_KNOWN ||
           openings_may_have(&nfa->floating_openings, opening, at);
}

#ifdef __SSE2__
/* Bit i is set if byte i begins a pattern. */
static inline unsigned
begins_among(const struct nfa *nfa, __m128i bytes)
{
    const __m128i *few = (const __m128i *)(const void *)nfa->few_begins;
    __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, few[0]), _mm_cmpeq_epi8(bytes, few[1]));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, few[2]));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(found, _mm_cmpeq_epi8(bytes, few[3])));
}

/* The first of the bytes from which a pattern may match, or NULL. Bit i of `begins` stands for byte i, from
 * bit 8 on for byte i - back. */
static inline const uint8_t *
first_begin(const struct nfa *nfa, unsigned begins, unsigned back, const uint8_t *at, const uint8_t *end)
{
    for (; begins != 0; begins &= begins - 1) {
        unsigned i = (unsigned)__builtin_ctz(begins);
        const uint8_t *here = at + i - (i < 8 ? 0 : back);
        if (may_begin(nfa, here, end))
            return here;
    }
    return NULL;
}

/* Moves *at behind the bytes from which no pattern may match, but for up to seven before the end. Returns the
 * first byte from which one may match, or NULL. */
static inline const uint8_t *
skip_blocks(const struct nfa *nfa, const uint8_t **at, const uint8_t *end)
{
    const uint8_t *here;
    for (; end - *at >= NFA_BLOCK; *at += NFA_BLOCK) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)*at);
        here = first_begin(nfa, begins_among(nfa, bytes), 0, *at, end);
        if (here != NULL)
            return here;
    }
    if (end - *at < NFA_BLOCK / 2)
        return NULL;
    __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)*at),
            last = _mm_loadl_epi64((const __m128i *)(const void *)(end - NFA_BLOCK / 2));
    unsigned begins = begins_among(nfa, _mm_unpacklo_epi64(first, last)); /* some bytes twice */
    here = first_begin(nfa, begins, (unsigned)(NFA_BLOCK - (end - *at)), *at, end);
    *at = end;
    return here;
}
#endif

/* The first byte from which a pattern may match, or the end. No pattern has begun before `at`. */
static inline const uint8_t *
skip_idle(const struct nfa *nfa, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *begins = nfa->begins;
#ifdef __SSE2__
    const uint8_t *here = nfa->has_few_begins ? skip_blocks(nfa, &at, end) : NULL;
    if (here != NULL)
        return here;
#endif
    for (;; at++) {
        while (end - at >= 4 && (begins[at[0]] | begins[at[1]] | begins[at[2]] | begins[at[3]]) == 0)
            at += 4;
        while (at < end && begins[*at] == 0)
            at++;
        if (at == end || may_begin(nfa, at, end))
            return at;
    }
}

/* Reads bytes while their transitions are known and match nothing. Sets *here to the entry of the last state
 * and returns the first byte that was not read. */
static const uint8_t *
run_known(const struct dfa *dfa, uint32_t *here, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *class_of = dfa->nfa->class_of;
    const struct dfa_record *records = dfa->records, *record;
    const uint32_t *rows = dfa->rows, *row;
    uint32_t next = *here, idle = dfa->idle;
    if ((next & ENTRY_RECORD) == 0)
        goto row_found;
    record = records + (next & ENTRY_NUMBER);
in_record:
    while (at < end) {
        next = record_entry(record, class_of[*at]);
        if (__builtin_expect((next & ENTRY_RECORD) == 0, 0)) {
            if ((row_flags(rows + (size_t)next * ROW_UNIT) & STATE_MATCHES) != 0)
                break;
            at++;
            goto row_found;
        }
        const struct dfa_record *there = records + (next & ENTRY_NUMBER);
        if (__builtin_expect((there->flags & STATE_STOPS) != 0, 0))
            break;
        if (__builtin_expect(there == record, 0)) {
            at = skip_same(record, class_of, at, end);
            continue;
        }
        at++;
        record = there;
    }
    *here = ENTRY_RECORD | (uint32_t)(record - records);
    return at;
row_found:
    if (next == idle)
        at = skip_idle(dfa->nfa, at, end);
    row = rows + (size_t)next * ROW_UNIT;
    for (; at < end; at++) {
        next = row[1 + class_of[*at]];
        if (next == idle) {
            at++;
            goto row_found;
        }
        if (__builtin_expect(next >= ENTRY_RECORD, 0)) {
            if ((next & ENTRY_STOP) != 0)
                break;
            const struct dfa_record *there = records + (next & ENTRY_NUMBER);
            if ((there->flags & STATE_STOPS) != 0)
                break;
            record = there;
            at++;
            goto in_record;
        }
        row = rows + (size_t)next * ROW_UNIT;
    }
    *here = (uint32_t)((size_t)(row - rows) / ROW_UNIT);
    return at;
}

/* Reads bytes from the entry on. Returns the entry of the last state, DEAD or FULL. */
static uint32_t
run(struct dfa *dfa, uint32_t here, const uint8_t *at, const uint8_t *end, uint64_t *bits)
{
    while ((at = run_known(dfa, &here, at, end)) < end) {
        here = step(dfa, here, dfa->nfa->class_of[*at++]);
        if (here == ENTRY_DEAD || here == ENTRY_FULL)
            break;
        uint32_t state = entry_state(dfa, here);
        if ((dfa->records[state].flags & STATE_MATCHES) != 0)
            set_bits(dfa, state, ITEM_MATCH, ITEM_MATCH, bits);
    }
    return here;
}

/* The entry that a scan begins at. If no pattern that begins at the first byte can match, it is that of the
 * idle state, or DEAD if all patterns begin there. */
static inline uint32_t
entry_of_start(const struct dfa *dfa, const uint8_t *at, const uint8_t *end)
{
    const struct nfa *nfa = dfa->nfa;
    if (nfa->anchored_opening == 0 || end - at < OPENING_MAX ||
        openings_may_have(&nfa->anchored_openings, nfa->anchored_opening, at))
        return state_entry(dfa, FIRST_STATE);
    if (dfa->idle != NO_ENTRY)
        return dfa->idle;
    return nfa->floating.n == 0 ? ENTRY_DEAD : state_entry(dfa, FIRST_STATE);
}

/* A `$` holds before a line feed at the end, so the scan stops there once. */
static bool
run_all(struct dfa *dfa, struct span subject, uint64_t *bits)
{
    const uint8_t *at = (const uint8_t *)subject.ptr, *end = at + subject.len;
    const uint8_t *stop = subject.len > 0 && end[-1] == '\n' ? end - 1 : end;
    uint32_t here = entry_of_start(dfa, at, stop), state;
    if (here == ENTRY_DEAD)
        return true;
    for (;; at = stop, stop = end) {
        here = run(dfa, here, at, stop, bits);
        if (here == ENTRY_DEAD || here == ENTRY_FULL)
            return here == ENTRY_DEAD;
        state = entry_state(dfa, here);
        if (stop == end)
            break;
        set_bits(dfa, state, ITEM_END_OR_LF, ITEM_END_OR_LF, bits);
    }
    if ((dfa->records[state].flags & STATE_HAS_ENDS) != 0)
        set_bits(dfa, state, ITEM_END_OR_LF, ITEM_END, bits);
    return true;
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

/* After a scan that has made transitions, or tried to. */
static APART void
settle_work(struct dfa *dfa)
{
    size_t lists = nfa_places(dfa->nfa) / 8 + dfa->cap_list * sizeof dfa->list[0];
    if (dfa->made == 0)
        rest(dfa);
    count(&dfa->counts.transitions, dfa->made);
    count(&dfa->counts.work, dfa->scan_work - dfa->work);
    count_bytes(dfa, states_bytes(dfa) + lists);
    dfa->work = dfa->scan_work;
    dfa->made = 0;
}

bool
dfa_scan(struct dfa *dfa, struct span subject, uint64_t *bits)
{
    bool decided = false;
    count(&dfa->counts.scans, 1);
    if (dfa->rest > 0)
        dfa->rest--;
    else if (dfa->n_states > 0 || begin(dfa))
        decided = run_all(dfa, subject, bits);
    if (decided)
        dfa->bytes_since += subject.len;
    else
        count_undecided(dfa);
    if (dfa->work < dfa->scan_work)
        settle_work(dfa);
    return decided;
}

void
dfa_init(struct dfa *dfa, const struct nfa *nfa, size_t summary)
{
    *dfa = (struct dfa){ .nfa = nfa, .summary = summary, .next_rest = REST_FIRST, .idle = NO_ENTRY };
    dfa->work = dfa->scan_work = SCAN_WORK + (size_t)PATTERN_WORK * nfa->n_added;
    dfa->seen = mem_zalloc((nfa_places(nfa) / WORD_BITS + 1) * sizeof dfa->seen[0]);
}

void
dfa_release(struct dfa *dfa)
{
    count_bytes(dfa, 0);
    states_drop(dfa);
    free(dfa->seen);
    free(dfa->list);
    *dfa = (struct dfa){ 0 };
}
