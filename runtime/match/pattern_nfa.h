/* One nondeterministic automaton over bytes for all patterns of a set. It does not change after nfa_finish,
 * so all threads read it.
 *
 * An item is what a thread of the automaton waits for: one byte of a set, or the end of the subject. A group
 * of items that follows a byte is computed once, when the pattern is added. Patterns without ^ begin anew
 * before each byte; the items that follow from there depend only on the byte, so they are one list a byte
 * class and never part of a state. */
#ifndef VERNIS_MATCH_PATTERN_NFA_H
#define VERNIS_MATCH_PATTERN_NFA_H

#include "match/pattern_openings.h"
#include "match/pattern_parse.h"

#define NFA_PATTERN_STEPS_MAX 8192u /* steps of one pattern; a larger one is left to PCRE2 */
#define NFA_PATTERN_ITEMS_MAX (16u * NFA_PATTERN_STEPS_MAX) /* in its lists */
#define NFA_STEPS_MAX (1u << 21)                            /* steps of all patterns */
#define NFA_ITEMS_MAX (1u << 25)                            /* in all lists: 128 MiB */

/* An item is the number of a step that reads a byte, or the number of a pattern with one of the other kinds
 * in the upper bits. */
typedef uint32_t nfa_item;
enum {
    ITEM_BYTE,      /* waits for a byte */
    ITEM_MATCH,     /* the pattern has matched */
    ITEM_END_OR_LF, /* matches at the end, or before a line feed at the end */
    ITEM_END        /* matches at the end */
};
#define ITEM_SHIFT 30
#define ITEM_NUMBER(item) ((item) & ((UINT32_C(1) << ITEM_SHIFT) - 1))
#define ITEM_KIND(item) ((item) >> ITEM_SHIFT)
#define ITEM_OF(kind, number) ((nfa_item)(kind) << ITEM_SHIFT | (number))

enum step_op {
    NFA_BYTE,
    NFA_SPLIT, /* goes on at `next` and at `other` */
    NFA_START,
    NFA_END,
    NFA_END_OR_LF,
    NFA_MATCH
};

struct nfa_step {
    uint32_t next;  /* of NFA_BYTE in a finished pattern: the target, see NFA_LIST */
    uint32_t other; /* of SPLIT; otherwise the number of the pattern */
    uint16_t set;
    uint8_t op;
};
#define NFA_LIST \
    (UINT32_C(1) << 31) /* in a target: the place of a list; otherwise the target is one item \
                         */

struct nfa_list {
    const nfa_item *items;
    uint32_t n;
};

/* A table that grows by doubling. */
struct nfa_items {
    nfa_item *at;
    size_t n, cap;
};

#define NFA_FEW 4u
#define NFA_BLOCK 16 /* bytes that a scan compares at once */

struct nfa {
    struct nfa_step *steps;
    uint32_t n_steps, cap_steps;
    uint32_t n_added, n_patterns; /* patterns; their highest number + 1 */
    struct nfa_items lists;       /* each one its length, then its items */
    struct nfa_items start;       /* before the first byte, without `floating` */
    struct nfa_items floating;    /* before each byte */
    struct nfa_items follow;      /* lists of the items behind a byte that follow from `floating` */
    uint32_t follow_at[256];      /* by byte class: the place in `follow`; equal lists have one place */
    uint32_t shared_at[256];      /* places in `follow` of long lists, from 1 on */
    uint8_t n_shared;
    uint8_t shared_of[256]; /* by byte class: the number of its list, or 0 */
    uint64_t n_follow;      /* at most so many items come into `follow` */
    struct byte_set *sets;  /* of bytes; after nfa_finish of byte classes */
    uint32_t n_sets, cap_sets;
    uint32_t *set_index; /* hash table of numbers of sets + 1 */
    uint32_t cap_index;
    unsigned n_classes;
    uint8_t class_of[256]; /* by byte */
    /* By byte: 0 if nothing follows from `floating` behind it; the length of the openings that it begins, as
     * OPENING_OF; or 1 */
    uint8_t begins[256];
    _Alignas(16) uint8_t few_begins[NFA_FEW][NFA_BLOCK]; /* each of these bytes NFA_BLOCK times */
    bool has_few_begins;                                 /* they are not more than NFA_FEW */
    uint8_t anchored_opening;                            /* length of the openings of `start`, or 0 */
    struct openings anchored_openings, floating_openings;
    struct nfa_work *work; /* until nfa_finish */
};

enum nfa_added {
    NFA_ADDED,
    NFA_ALWAYS, /* the tree matches every subject: nothing was added */
    NFA_REFUSED /* over a limit, or the pattern reads on behind a `$`: nothing was added */
};

void nfa_init(struct nfa *nfa);
enum nfa_added nfa_add(struct nfa *nfa, const struct pattern_tree *tree, unsigned pattern);
void nfa_finish(struct nfa *nfa);
void nfa_release(struct nfa *nfa);
size_t nfa_bytes(const struct nfa *nfa);
bool nfa_list_has(const struct nfa_list *list, nfa_item item); /* of `follow`, whose lists are in order */

static inline struct nfa_list
nfa_list_at(const struct nfa_items *lists, uint32_t place)
{
    return (struct nfa_list){ lists->at + place + 1, lists->at[place] };
}

/* Lists of `follow` from this length on that have only items that wait for a byte. States name such a list
 * by its number and don't copy it: with thousands of patterns its copies would fill the tables. */
#define NFA_SHARED_MIN 8u

/* List 0 is empty. */
static inline struct nfa_list
nfa_shared(const struct nfa *nfa, unsigned number)
{
    return number == 0 ? (struct nfa_list){ 0 } : nfa_list_at(&nfa->follow, nfa->shared_at[number]);
}

/* Different items have different places, below nfa_places(). */
static inline uint32_t
nfa_place(const struct nfa *nfa, nfa_item item)
{
    uint32_t kind = ITEM_KIND(item);
    return kind == ITEM_BYTE ? item : nfa->n_steps + 3 * ITEM_NUMBER(item) + kind - 1;
}

static inline size_t
nfa_places(const struct nfa *nfa)
{
    return nfa->n_steps + 3 * (size_t)nfa->n_patterns;
}

static inline uint32_t
nfa_pattern(const struct nfa *nfa, nfa_item item)
{
    return ITEM_KIND(item) == ITEM_BYTE ? nfa->steps[item].other : ITEM_NUMBER(item);
}

/* The items behind the byte that the item waits for. *target is memory for a list of one. */
static inline struct nfa_list
nfa_target(const struct nfa *nfa, const nfa_item *target)
{
    return (*target & NFA_LIST) != 0 ? nfa_list_at(&nfa->lists, *target & ~NFA_LIST)
                                     : (struct nfa_list){ target, 1 };
}

#endif
