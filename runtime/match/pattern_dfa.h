/* The deterministic automaton of one set in one thread. It makes a state when a subject leads there for the
 * first time, so it knows only what was seen. Its memory is limited (`pattern_table`): a full table begins
 * anew. */
#ifndef VERNIS_MATCH_PATTERN_DFA_H
#define VERNIS_MATCH_PATTERN_DFA_H

#include <stdatomic.h>

#include "match/pattern_nfa.h"

/* Sums over all tables of the process since it began, and their memory now. Rare events only. */
struct dfa_totals {
    _Atomic uint64_t undecided, flushes, rests, bytes;
};
extern struct dfa_totals dfa_totals;

/* Numbers since the table was made. Its thread adds to them, any thread reads them. */
struct dfa_counts {
    _Atomic uint64_t scans;
    _Atomic uint64_t undecided;   /* scans that left the subject to PCRE2 */
    _Atomic uint64_t transitions; /* made */
    _Atomic uint64_t work;        /* for transitions: see pattern_dfa.c */
    _Atomic uint64_t flushes;
    _Atomic uint64_t bytes; /* memory now */
};

/* Members that a scan of known transitions reads come first, because a hit displaces them from the
 * first-level cache before the next scan. */
struct dfa {
    const struct nfa *nfa;
    /* The table: pattern_states.h. */
    struct dfa_record *records;
    uint32_t *rows;
    size_t n_states;
    size_t scan_work; /* what one scan may take for transitions */
    size_t work;      /* what is left of it; all of it between scans */
    uint32_t idle;    /* entry of the state without items, where most bytes lead back to it; or NO_ENTRY */
    unsigned rest;    /* scans that go to PCRE2 at once */
    uint64_t bytes_since, transitions_since; /* since the table was empty */
    struct dfa_counts counts;
    size_t summary; /* words of the summary of a result */
    struct dfa_state *states;
    nfa_item *items;
    uint32_t *index; /* hash table of numbers of states */
    size_t cap_states, n_rows, cap_rows, n_items, cap_items, cap_index;
    uint64_t *seen; /* one bit an item: is it in `list`? */
    nfa_item *list; /* the items of the state that is being made */
    size_t n_list, cap_list;
    uint8_t list_shared; /* number of the shared list that belongs to the state as well, or 0 */
    uint32_t n_kinds[4]; /* items of the list by kind */
    unsigned made;       /* transitions of this scan; 0 between scans */
    unsigned next_rest;  /* scans of the next rest */
};

void dfa_init(struct dfa *dfa, const struct nfa *nfa, size_t summary);
void dfa_release(struct dfa *dfa);
/* Sets the bit of each pattern that matches. false: the subject is left to PCRE2, `bits` may have some of the
 * bits. */
bool dfa_scan(struct dfa *dfa, struct span subject, uint64_t *bits);

#endif
