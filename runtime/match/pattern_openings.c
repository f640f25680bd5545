/* Openings are the paths of 3 to 8 bytes through the steps of an automaton. Beginnings with a class such as
 * [a-z]+ have too many paths, so they get shorter openings or none. */
#include "match/pattern_openings.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "match/pattern_nfa.h"

#define KEYS_FIRST 256u
#define KEYS_MAX 65536u
#define BITS_PER_KEY 16u /* one place of sixteen stays by chance */
#define BITS_MIN_LOG 6u  /* one word */
#define BITS_MAX_LOG 19u /* 64 KB */
#define TRY_STEPS 512u   /* of the paths of one length, and ITEM_STEPS for each item */
#define ITEM_STEPS 32u
#define ALL_STEPS 65536u /* of all paths of a set, and PATTERN_STEPS for each pattern */
#define PATTERN_STEPS 256u
#define FOLDED_WORDS 4u /* the folded bytes are those with bit 5: 32 in each 64 */
#define ANY_BYTE UINT32_MAX

/* The bytes of an opening, and its length as OPENING_OF. */
struct key {
    uint64_t bytes;
    unsigned opening;
};

struct finder {
    const struct nfa *nfa;
    unsigned length;  /* of the openings that are tried */
    size_t left, all; /* steps for this length, for the whole set */
    struct key *keys;
    size_t n, cap;
};

/* Bit i of word w: the set has the byte 64 * w + 32 + i, or the one that is folded to it. */
static void
fold(const struct byte_set *set, uint32_t folded[FOLDED_WORDS])
{
    for (unsigned w = 0; w < FOLDED_WORDS; w++)
        folded[w] = (uint32_t)(set->words[w] | set->words[w] >> 32);
}

static bool
key_add(struct finder *f, uint64_t bytes)
{
    if (f->n == KEYS_MAX)
        return false;
    if (f->n == f->cap) {
        f->cap = f->cap == 0 ? KEYS_FIRST : 2 * f->cap;
        f->keys = realloc(f->keys, f->cap * sizeof f->keys[0]);
        CHECK(f->keys != NULL);
    }
    f->keys[f->n++] = (struct key){ bytes, OPENING_OF(f->length) };
    return true;
}

static bool follow_item(struct finder *f, nfa_item item, unsigned depth, uint64_t bytes);

/* Follows the item by one byte. */
static bool
follow_byte(struct finder *f, nfa_item item, unsigned depth, uint64_t bytes, unsigned byte)
{
    if (f->left == 0 || f->all == 0)
        return false;
    f->left--;
    f->all--;
    bytes |= (uint64_t)byte << 8 * depth;
    if (depth + 1 == f->length)
        return key_add(f, bytes);
    struct nfa_list list = nfa_target(f->nfa, &f->nfa->steps[item].next);
    for (uint32_t i = 0; i < list.n; i++)
        if (!follow_item(f, list.items[i], depth + 1, bytes))
            return false;
    return true;
}

/* Adds the openings that begin with these `depth` bytes and go on with the item. false: too many, or
 * a pattern matches a shorter text. An end of the subject comes later than behind an opening, because a place
 * with fewer bytes behind it is not looked up. */
static bool
follow_item(struct finder *f, nfa_item item, unsigned depth, uint64_t bytes)
{
    uint32_t folded[FOLDED_WORDS];
    if (ITEM_KIND(item) != ITEM_BYTE)
        return ITEM_KIND(item) != ITEM_MATCH;
    fold(&f->nfa->sets[f->nfa->steps[item].set], folded);
    for (unsigned w = 0; w < FOLDED_WORDS; w++)
        for (uint32_t left = folded[w]; left != 0; left &= left - 1)
            if (!follow_byte(f, item, depth, bytes, 64 * w + 32 + (unsigned)__builtin_ctz(left)))
                return false;
    return true;
}

/* Only the openings that begin with this folded byte, or all. */
static bool
follow_all(struct finder *f, const struct nfa_items *items, uint32_t byte)
{
    uint32_t folded[FOLDED_WORDS];
    f->left = TRY_STEPS + ITEM_STEPS * items->n;
    for (size_t i = 0; i < items->n; i++) {
        nfa_item item = items->at[i];
        if (byte == ANY_BYTE) {
            if (!follow_item(f, item, 0, 0))
                return false;
            continue;
        }
        fold(&f->nfa->sets[f->nfa->steps[item].set], folded);
        if ((folded[byte / 64] >> byte % 32 & 1) != 0 && !follow_byte(f, item, 0, 0, byte))
            return false;
    }
    return true;
}

/* Adds the openings of the items. Returns the greatest length that all of them have, as
 * OPENING_OF, or 0. */
static uint8_t
find_opening(struct finder *f, const struct nfa_items *items, uint32_t byte)
{
    size_t n = f->n;
    for (f->length = OPENING_MAX; f->length >= OPENING_MIN; f->length--, f->n = n)
        if (follow_all(f, items, byte))
            return (uint8_t)OPENING_OF(f->length);
    return 0;
}

/* Makes the filter of the keys, and drops them. */
static void
make_filter(struct finder *f, struct openings *out)
{
    unsigned log = BITS_MIN_LOG;
    while (log < BITS_MAX_LOG && UINT64_C(1) << log < BITS_PER_KEY * f->n)
        log++;
    out->shift = 64 - log;
    out->bits = mem_zalloc((size_t)1 << log >> 3);
    for (size_t i = 0; i < f->n; i++) {
        uint64_t bit = opening_bit(out, f->keys[i].opening, f->keys[i].bytes);
        out->bits[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    f->n = 0;
}

void
openings_find(struct nfa *nfa)
{
    struct finder f = { .nfa = nfa, .all = ALL_STEPS + (size_t)PATTERN_STEPS * nfa->n_added };
    struct byte_set firsts = { 0 };
    uint32_t folded[FOLDED_WORDS];
    if (nfa->start.n > 0)
        nfa->anchored_opening = find_opening(&f, &nfa->start, ANY_BYTE);
    make_filter(&f, &nfa->anchored_openings);
    for (size_t i = 0; i < nfa->floating.n; i++)
        byte_set_unite(&firsts, &nfa->sets[nfa->steps[nfa->floating.at[i]].set]);
    fold(&firsts, folded);
    for (unsigned w = 0; w < FOLDED_WORDS; w++)
        for (uint32_t left = folded[w]; left != 0; left &= left - 1) {
            unsigned i = 64 * w + (unsigned)__builtin_ctz(left);
            nfa->begins[i] = nfa->begins[i + 32] = find_opening(&f, &nfa->floating, i + 32);
        }
    make_filter(&f, &nfa->floating_openings);
    free(f.keys);
}

size_t
openings_bytes(const struct openings *o)
{
    return o->bits == NULL ? 0 : (UINT64_MAX >> o->shift) / 8 + 1;
}
